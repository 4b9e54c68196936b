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
sampled("draw_skip", { x = code:encode(1), release = Q * 0.05, draws = 400, empty = "skip", active = 0.1 })

-- scores
local sample = stream "score":normal(0, 1, 101)
show("scores", ves.score.crps(sample, 0.3), ves.score.pit(sample, sample[7]))
show("coverage", ves.score.coverage(sample, 1.2, 0.8))
local r = ves.vector { 0.1, 0.2, 0.3, 0.4 }
show("distances", ves.score.total_variation(r, W:row(1)), ves.score.kl(r, W:row(1)))
