-- What test_numbers.py computes too, computed here: one line for each, its name and its numbers as hexadecimal floats.
local ves = require "vesicle"
local array = require "vesicle.base.array"

local function show(name, ...)
  local words = { name }
  for _, value in ipairs { ... } do
    if type(value) == "number" then value = { value } end
    if type(value) == "boolean" then value = { value and 1 or 0 } end
    if array.is_matrix(value) then value = value:flatten() end
    for i = 1, #value do words[#words + 1] = string.format("%a", value[i]) end
  end
  print(table.concat(words, " "))
end

local root = ves.rng(20211118)
local function stream(...) return root:stream("python", ...) end

-- streams
show("uniform", stream("uniform", 3, 0.5):uniform(7))
show("uniform_one", stream(-7, 2.5e300):uniform())
show("normal", stream "normal":normal(2, 0.5, 50))
show("beta", stream "beta":beta(0.3, 2, 50))
show("bernoulli", stream "bernoulli":bernoulli(0.3, 50))
show("integer", stream "integer":integer(2 ^ 53, 50))
show("permutation", stream "permutation":permutation(20))
show("negative_seed", ves.rng(-5):stream("caf\u{e9}", 3.0):uniform(3))
local moved = stream "moved"
moved:uniform(10)
show("moved", moved:normal(0, 1, 3), moved.cursor)

-- releases
local w = stream "weights":uniform(40)
local W = ves.matrix { { 0.4, 0.3, 0.2, 0.1 }, { 0.1, 0.1, 0.7, 0.1 }, { 0.25, 0.25, 0, 0.5 } }
show("analytic", ves.release.analytic(w), ves.release.analytic(W))
local A, B = stream "A":uniform(30) * 5 + 0.01, stream "B":uniform(30) * 5
show("epistemic", ves.release.epistemic(A, B))
show("epistemic_printed", ves.release.epistemic(A, B, "printed"))
show("epistemic_sites", ves.release.epistemic(A, B, "exact", { sites = 5 }))
show("epistemic_one", ves.release.epistemic(2, 3))
local Q = ves.release.analytic(W)
for _, kind in ipairs { "none", "sum", "count", "participation" } do
  show("normalise_" .. kind, ves.release.normalise(Q, { 1, 0.4, 1e-4 }, kind))
end
show("combine", ves.release.combine(ves.release.epistemic(W + 1, W), Q))

-- learning
local learned = stream "learn"
for _, rule in ipairs { "raw", "subtract", "rescale", "power", "variable", "subset", "expected", "amplitude" } do
  show("learn_" .. rule, ves.release.learn(w, { rule = rule, iterations = 500, rng = learned }))
end
show("learn_rows", ves.release.learn(W, { psi = 2.5, algorithm = 1, rate = 0.05, decay = 100, start = 0.4, floor = 0.01,
  ceiling = 0.9, iterations = 700, rng = learned }))
local q, trace = ves.release.learn(w, { iterations = 60, trace = 20, start = { mean = 0.5, sd = 0.2 }, rng = learned })
show("learn_trace", q, trace)
show("learn_order", ves.release.learn(W, { rule = "amplitude", order = "amplitude", rate = 0.1, decay = 50,
  rate_floor = 0.02, start = W, iterations = 700, rng = learned }))
show("learn_cursor", learned.cursor)
local pool, curves = stream "pool", ves.code { n = 3, lo = -1, hi = 1, sigma = 0.5 }
show("pooled", ves.release.learn_pooled(W, { inputs = { -1, 0.2, 0.9 }, code = curves, iterations = 300, rng = pool }))
show("pooled_matrix", ves.release.learn_pooled(W, { inputs = { { 1, 0, 0 }, { 0.2, 0.7, 0 } }, active = 0.1, psi = 3,
  iterations = 200, start = { mean = 0.5, sd = 0.2 }, rng = pool }))
show("pooled_amplitude", ves.release.learn_pooled(W, { inputs = { 0, 1 }, code = curves, rule = "amplitude",
  iterations = 300, rng = pool }), pool.cursor)

-- draws and their distribution
local samples = stream "sample"
show("sample", ves.sample(w, ves.release.analytic(w), { draws = 500, rng = samples }))
show("sample_empty", ves.sample(w, w * 0.01, { draws = 500, rng = samples }))
local p, nothing = ves.winner.exact(w, w)
show("exact", p, nothing)
p, nothing = ves.winner.exact(W, Q, { 1, 0.4, 1e-4 })
show("exact_multi", p, nothing)

-- codes
for _, spacing in ipairs { "ends", "bins", "open" } do
  local code = ves.code { n = 9, lo = -1, hi = 2, sigma = 0.3, spacing = spacing }
  local y = code:encode { -0.3, 1.1 }
  show("code_" .. spacing, code.centers, y, code:encode(0.7), code:mean(y), code:decode(y),
    code:decode(y, { grid = 50 }))
end

-- a network
local code = ves.code { n = 30, lo = -3, hi = 3, sigma = 0.25 }
local xs, ys = stream "xs":normal(0, 1, 300), stream "ys":normal(0, 1, 300)
local net = ves.network { input = code, output = code, rng = stream "network", rate = 0.8 }
net:observe(xs, ys):observe(0.5, 0.25, { salience = 3 }):observe(xs, xs, { salience = stream "salience":uniform(300) })
show("network", net.A, net.B, net:weights(), net:variance(), net.rows)
local single = ves.network { input = code, output = code, prior_a = 0.1, prior_b = { 0.2, 0.3 }, rng = stream "priors" }
show("priors", single.A, single.B)
Q = ves.release.analytic(net:weights())
local Phi = ves.release.epistemic(net.A, net.B)
local draws = stream "draws"
local function sampled(name, options)
  options.rng = draws
  local values, info = net:sample(options)
  show(name, values, info.empty, info.attempts)
end
sampled("draw_winner", { x = 0.3, release = Q, draws = 400 })
sampled("draw_index", { x = 0.3, release = Q, draws = 400, readout = "index", normaliser = "count" })
sampled("draw_rescaled", { x = -1, release = ves.release.combine(Phi, Q), rescale = Phi, draws = 400 })
sampled("draw_redraw", { x = 0.3, release = Q * 0.05, draws = 400, normaliser = "none" })
sampled("draw_mean", { x = 0.3, release = Q, draws = 300, readout = "mean" })
sampled("draw_decode", { x = 0.3, release = Q * 0.05, draws = 100, readout = "decode", normaliser = "none" })
sampled("draw_activity", { x = 0.3, release = Q, draws = 20, readout = "activity" })
sampled("draw_decode_wide", { x = 0.3, release = Q, draws = 100, readout = "decode", width = 0.7 })
sampled("draw_mean_skip", { x = 0.3, release = Q * 0.05, draws = 300, readout = "mean", empty = "skip" })
sampled("draw_skip", { x = code:encode(1), release = Q * 0.05, draws = 400, empty = "skip", active = 0.1 })

-- sites, held masks and stages
local N = ves.release.epistemic(net.A, net.B, "exact", { sites = 4 })
local NQ = ves.release.combine(N, Q)
sampled("draw_sites", { x = 0.3, release = NQ, rescale = N, sites = 4, draws = 200 })
sampled("draw_sites_mean", { x = -1, release = NQ, rescale = N, sites = 4, draws = 200, readout = "mean",
                             empty = "skip" })
local held, bouts = net:sample { x = 0.3, release = NQ * 0.2, rescale = N, sites = 4, hold = 10, draws = 200,
                                 rng = draws, normaliser = "sum" }
show("draw_held", held, bouts.empty, bouts.attempts, bouts.within, bouts.between)
sampled("draw_stages", { x = 0.3, release = Q, stages = 2, draws = 200 })
sampled("draw_stages_decode", { x = 0.3, release = Q * 0.3, stages = 2, draws = 100, readout = "decode" })
sampled("draw_stages_given", { x = 0.3, release = Q, stages = 2, draws = 200, empty = "skip", readout = "index",
                               input_release = Q:row(1) * 0 + 0.4 })
sampled("draw_stages_sites", { x = 0.3, release = NQ, rescale = N, sites = 4, stages = 2, draws = 200 })

-- several inputs
local several, x = stream "several", { 1e-4, 1, 0.4 }
show("mixture", ves.multi.mixture(W, x), ves.multi.two_stage_exact(W, x), ves.multi.mixture(W, x, { active = 0.5 }))
show("two_stage", ves.multi.two_stage(W, x, { draws = 300, rng = several }))
local function stages_learned(name, options)
  options.rng = several
  local y, state = ves.multi.two_stage_learn(W, x, options)
  show(name, y, state.amplitude, state.updates, state.input_amplitude, state.input_updates)
  return state
end
local state = stages_learned("stages_learn", { draws = 300 })
stages_learned("stages_learn_on", { draws = 300, state = state, order = "amplitude" })
stages_learned("stages_learn_rate", { rate = 0.1, decay = 50, rate_floor = 0.02, active = 0 })
show("several_cursor", several.cursor)

-- chains
local layers = stream "layers"
local middle = ves.code { n = 12, lo = -2, hi = 2, sigma = 0.3 }
local below = ves.network { input = code, output = middle, rng = layers }:observe(xs, ys)
local above = ves.network { input = middle, output = code, rng = layers }:observe(ys, xs)
local chain, Q2 = ves.chain { below, above }, ves.release.analytic(above:weights()) * 0.5
local function passed(name, options)
  options.rng = layers
  local values, info = chain:sample(options)
  show(name, values, info.winners, info.empty, info.attempts)
end
passed("chain", { x = 0.3, draws = 200 })
passed("chain_stages", { x = 0.3, draws = 200, stages = 2, pass = "activity", readout = "mean" })
passed("chain_skip", { x = 0.3, draws = 200, release = { "analytic", Q2 }, empty = "skip", readout = "index",
                       normaliser = "none" })
passed("chain_decode", { x = code:encode(-1), draws = 100, release = { "analytic", Q2 }, empty = "skip",
                         readout = "decode" })
show("chain_exact", chain:exact(0.3, { stages = 2 }))
show("chain_exact_skip", chain:exact(0.3, { release = { "analytic", Q2 }, empty = "skip", active = 0.5 }))
show("chain_cursor", layers.cursor)

-- spikes
local spiking = stream "spikes"
local function spiked(name, from, options)
  options.rng = spiking
  show(name, ves.spike.sample(from, ves.release.analytic(from), options))
end
spiked("spikes", w, { draws = 200 })
spiked("spikes_late", w, { draws = 200, delay = 2, strength = 20, decay = 8, noise = 0.5, jitter = 0.3, sites = 3,
                           membrane = 15, synapse = 4, refractory = 3, threshold = 9, window = 50 })
spiked("spikes_several", W, { draws = 200, x = x, gain = 40, delay = 1 })
spiked("spikes_active", W, { draws = 200, x = x, active = 0.5, threshold = 12 })
show("spikes_cursor", spiking.cursor)

-- scores
local sample = stream "score":normal(0, 1, 101)
show("scores", ves.score.crps(sample, 0.3), ves.score.pit(sample, sample[7]))
show("coverage", ves.score.coverage(sample, 1.2, 0.8))
local r = ves.vector { 0.1, 0.2, 0.3, 0.4 }
show("distances", ves.score.total_variation(r, W:row(1)), ves.score.kl(r, W:row(1)))
