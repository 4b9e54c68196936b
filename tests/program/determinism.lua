-- determinism: prints numbers of every kind the library produces, each double as the sixteen digits of its bits, so
-- that the output of two builds can be compared byte by byte. Long results are folded: their first elements, and a hash
-- of the bytes of all of them.
local ves = require "vesicle"

local function hex(x) return string.format("%016x", string.unpack("<i8", string.pack("<d", x))) end

-- 64-bit FNV-1a
local function hash(numbers)
  local sum = -3750763034362895579
  for i = 1, #numbers do
    local bytes = string.pack("<d", numbers[i])
    for b = 1, 8 do sum = (sum ~ bytes:byte(b)) * 1099511628211 end
  end
  return string.format("%016x", sum)
end

local function put(name, value)
  if type(value) == "number" then
    print(name, hex(value))
    return
  end
  local numbers = type(value) == "userdata" and getmetatable(value).__name == "ves.matrix" and value:flatten() or value
  local shown = {}
  for i = 1, math.min(4, #numbers) do shown[i] = hex(numbers[i]) end
  print(name, #numbers, hash(numbers), table.concat(shown, " "))
end

local root = ves.rng(20211118)

-- streams
put("uniform", root:stream("uniform"):uniform(1000))
put("normal", root:stream("normal"):normal(1.5, 2.385, 1000))
put("beta", root:stream("beta"):beta(0.025, 0.1, 1000))
put("beta large", root:stream("beta"):beta(25.5, 3.25, 1000))
put("bernoulli", root:stream("bernoulli"):bernoulli(0.3, 1000))
put("integer", root:stream("integer", 3, 0.5, "x"):integer(1000003, 1000))
put("permutation", root:stream("permutation"):permutation(1000))

-- codes
local code = ves.code { n = 100, lo = -6, hi = 6, sigma = 0.05 }
local wide = ves.code { n = 37, lo = -1.25, hi = 2.5, sigma = 0.3 }
put("centers", code.centers)
put("encode", code:encode { -4, -2.01, 0, 0.0605, 3.999, 7 })
put("encode wide", wide:encode(root:stream("encode"):uniform(50) * 4 - 1.5))
put("decode", wide:decode(root:stream("decode"):uniform(37), { grid = 1001 }))
put("mean", wide:mean(root:stream("mean"):uniform(37)))

-- evidence
local data = root:stream("data")
local xs = (data:integer(5, 4000) - 3) * 2
local ys = data:normal(0, 1, 4000) * (xs * 0.2 + 1)
local net = ves.network { input = code, output = code, rng = root:stream("prior"), rate = 0.75 }
net:observe(xs, ys, { salience = data:uniform(4000) * 2 })
put("A", net.A)
put("B", net.B)
local pair = ves.network { input = { wide, code }, output = wide, rng = root:stream("pair") }
pair:observe({ data:uniform(500), xs:slice(1, 500) }, ys:slice(1, 500), { salience = data:uniform(500) })
put("product A", pair.A)
put("product sample", (pair:sample { x = { 0.3, 2.1 }, release = "analytic", stages = 2, rng = root:stream("pair") }))
local links = ves.chain { net, net }
put("chain exact", (links:exact(2.02, { stages = 2 })))
for _, pass in ipairs { "winner", "activity" } do
  for stages = 1, 2 do
    put("chain " .. pass, (links:sample { x = 2.02, pass = pass, stages = stages, rng = root:stream("chain") }))
  end
end
local W = net:weights()
put("weights", W)
put("variance", net:variance())

-- release
local Q = ves.release.analytic(W)
local Phi, rest = ves.release.epistemic(net.A, net.B)
put("analytic", Q)
put("epistemic", Phi)
put("complement", rest)
put("printed", ves.release.epistemic(net.A, net.B, "printed"))
put("combine", ves.release.combine(Phi, Q))
put("normalise", ves.release.normalise(Q, code:encode(0.03), "participation"))
put("pooled analytic", ves.release.pooled_analytic(W, code:encode(0.03)))

-- learning
local w = -root:stream("weights"):uniform(50):log()
for _, rule in ipairs { "raw", "subtract", "rescale", "power", "variable", "subset", "expected" } do
  for algorithm = 1, 2 do
    put("learn " .. rule .. " " .. algorithm, (ves.release.learn(w, { rule = rule, algorithm = algorithm,
      iterations = 2000, rng = root:stream("learn", rule, algorithm) })))
  end
  put("equilibrium " .. rule, ves.release.equilibrium(w, { rule = rule }))
end
put("learn real exponent",
  (ves.release.learn(w, { psi = 6.25, decay = 300, iterations = 2000, rng = root:stream("psi") })))
put("learn large",
  (ves.release.learn(root:stream("large"):uniform(3000), { iterations = 200, rng = root:stream("l") })))
put("learn in Lua", (ves.release.learn(w, { rule = function(g, s) return g * g / (1 + s.mean_q_weaker) end,
  iterations = 500, rng = root:stream("lua") })))
local _, trace = ves.release.learn(w, { iterations = 1000, trace = 100, rng = root:stream("trace") })
put("trace", trace)
put("learn rows", (ves.release.learn(W, { iterations = 200, rng = root:stream("rows") })))
put("learn pooled", ves.release.learn_pooled(W,
  { inputs = { -4, -2, 0, 2, 4 }, code = code, iterations = 200, rng = root:stream("pooled") }))

-- sampling
put("sample", ves.sample(w, ves.release.analytic(w), { draws = 5000, rng = root:stream("sample") }))
put("sample sparse", ves.sample(root:stream("sparse"):uniform(700), ves.vector(700, 0.002),
  { draws = 5000, rng = root:stream("sparse draws") }))
for _, readout in ipairs { "winner", "index", "mean", "decode" } do
  for _, x in ipairs { -4, 0.05, 3 } do
    for _, normaliser in ipairs { "none", "participation" } do
      local values, info = net:sample { x = x, release = Q, draws = 500, rng = root:stream("net", readout, x),
        readout = readout, normaliser = normaliser }
      put("network " .. readout .. " " .. x .. " " .. normaliser, values)
      put("empty", info.empty)
    end
  end
  put("beta " .. readout, net:beta { x = 0.05, draws = 200, rng = root:stream("beta", readout), readout = readout })
end
put("rescaled", (net:sample { x = 2, release = Phi, rescale = Phi, draws = 500, rng = root:stream("map"),
  readout = "mean", normaliser = "none" }))
put("skip", (net:sample { x = 2, release = Q * 0.01, draws = 500, rng = root:stream("skip"), empty = "skip" }))

-- spikes
for _, o in ipairs { {}, { delay = 1, strength = 20, decay = 3, noise = 1, jitter = 0.2, sites = 3 } } do
  local name = o.delay and "all" or "exact"
  o.draws, o.rng = 500, root:stream("spikes")
  local index, time, spikes, fired = ves.spike.sample(w, ves.release.analytic(w), o)
  put("spikes " .. name, index)
  put("times " .. name, time)
  put("counts " .. name, spikes - fired)
end
put("train", (ves.spike.rates(w, ves.release.analytic(w), { times = { 0, 12, 30 }, window = 60, draws = 20, delay = 2,
  strength = 15, noise = 2, rng = root:stream("train") })))
put("latency", ves.spike.latency(ves.range(1, 20) * 3))
put("learn in time", (ves.spike.learn_in_time(w, {
  delay = 2, noise = 0.5, iterations = 500, rng = root:stream("in time") })))

-- exact tools
local p, nothing = ves.winner.exact(w, root:stream("q"):uniform(50))
put("winner", p)
put("nothing", nothing)
local W3, x3 = root:stream("W3"):uniform(60), { 1, 0.5, 0.25 }
local M = ves.matrix { W3:slice(1, 20), W3:slice(21, 40), W3:slice(41, 60) }
put("winner of three", (ves.winner.exact(M, ves.release.analytic(M), x3)))
put("solve", (ves.multi.solve(M, x3, { rng = root:stream("solve") })))
put("mixture", ves.multi.mixture(M, x3))
put("normal approximation", (ves.multi.normal_approximation(M, ves.release.analytic(M), x3)))
put("redraw family", ves.multi.redraw_family(w, 0.25))
put("two-stage exact", ves.multi.two_stage_exact(M, x3))
put("two-stage", (ves.multi.two_stage(M, x3, { draws = 2000, rng = root:stream("two-stage") })))
put("masks counted", root:stream("masks"):mask_counts(w / w:max(), 500))
for _, rule in ipairs { "amplitude", "power" } do
  put("following by " .. rule, (ves.release.follow(M:transpose() + 0.01, { rule = rule, rate = 0.1, runs = 7,
    iterations = 20, rng = root:stream("following") })))
end
local layer = ves.code { n = 70, lo = -1, hi = 1, sigma = 0.06 }
local young = ves.network { input = layer, output = layer, rng = root:stream("young") }
local drawn, known = young:arrive(root:stream("arrives"):uniform(200), root:stream("is there"):uniform(200),
  { order = "amplitude", draws = 6, rng = root:stream("arrival") })
put("arrival", drawn)
put("arrived", known.amplitude)
put("optimal exponent", (ves.exponent.optimal(100)))
put("exponent error", ves.exponent.error(100, 4.25, { form = "sum", top = 0.5 }))
put("exponent equilibrium", ves.exponent.equilibrium(100, 6.25))

-- scores and statistics
local v = root:stream("scores"):normal(0, 1, 1000)
put("crps", ves.score.crps(v, 0.3))
put("pit", ves.score.pit(v, 0.3))
put("coverage", select(2, ves.score.coverage(v, 0.3, 0.9)))
put("total variation", ves.score.total_variation(w / w:sum(), p / p:sum()))
put("kl", ves.score.kl(w / w:sum(), p / p:sum()))
put("moments", { v:sum(), v:mean(), v:var(), v:sd(), v:quantile(0.975), v:dot(v) })
put("product", M:mul(M:transpose()))
