--- # Details of learning
---
--- Sentences about local learning that the original states in passing, each with its own small experiment: the lower
--- bound of a release, what to read off a process that never comes to rest, whether patience removes the bias, the
--- power of four, and how the releases of a trained network compare with those measured at synapses.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local judge = require "vesicle.judge"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local shapes = require "vesicle.model.shapes"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "13_learning_details", title = "Bounds, estimators, bias, the power of four, shares",
  params = {
    n = { 50, about = "weights of the bimodal vector" },
    pedestal = { 0.01, about = "its least weight, as a share of its maximum" },
    rate = { 0.0025, about = "gamma" },
    power = { 7.0, about = "exponent of the power rule" },
    subtract = { 0.35, about = "constant of the subtractive rule" },
    floors = { { 0, 1e-4, 1e-3, 1e-2 }, about = "lower bounds of the releases" },
    silenced = { 0.2, about = "share of the synapses started at the lower bound" },
    floor_replicates = { 8, quick = 2, about = "runs for each lower bound" },
    floor_iterations = { 512000, quick = 128000, about = "their samples" },
    dead_iterations = { 40000, about = "samples of the subtractive rule on equal weights" },
    mean_replicates = { 6, quick = 2, about = "runs for the estimators" },
    mean_doublings = { 6, quick = 5, about = "how often their 1,000 samples are doubled" },
    decay_rate = { 0.01, about = "first rate of the decaying run" },
    decay = { 4000.0, about = "samples after which that rate has halved" },
    bias_replicates = { 10, quick = 2, about = "networks for the bias" },
    bias_rates = { { 0.04, 0.02, 0.01, 0.005, 0.0025 }, about = "learning rates for the bias" },
    bias_iterations = { 80000, about = "most samples for the bias" },
    psi_four = { 4.0, about = "the exponent of four" },
    four_sizes = { { 10, 15, 20, 25, 30, 35, 40, 45, 50 }, about = "numbers of outputs it should suit" },
    share_replicates = { 10, quick = 2, about = "networks for the shares" },
    psi = { 8.0, about = "exponent in the network simulations" },
    network_rate = { 0.01, about = "gamma there" },
    network_iterations = { 5000, about = "samples there" },
  },
}
local P = E.params
local algorithms, discussion = "Local learning rules, algorithms", "Discussion, biological plausibility"
local appendix = "Appendix B, subset-dependent exponent"

local w = shapes.weights("bimodal", P.n, P.pedestal)
local q, order = ves.release.analytic(w), shapes.ranking(w)

--- ## A true zero is the end of a synapse
---
--- A release of exactly zero never transmits, and what does not transmit does not learn. We start the power rule
--- [eq:target-power] at its fixed point, silence a fifth of the synapses down to the lower bound, and count how many
--- come back to half of their proper release.

local settled = ves.release.equilibrium(w, { rule = "power", psi = P.power, floor = 0 })
local function doubling(first, most)
  local times = {}
  while first <= most do times[#times + 1], first = first, 2 * first end
  return times
end
local checkpoints = doubling(500, P.floor_iterations)

local floors = E:replicate { name = "floors", n = P.floor_replicates, run = function(_, rng)
  local result, chosen, places = {}, {}, rng:stream("silenced"):permutation(P.n)
  for i = 1, math.floor(P.silenced * P.n) do chosen[i] = math.tointeger(places[i]) end
  for f, floor in ipairs(P.floors) do
    local start = settled:copy()
    for _, j in ipairs(chosen) do start[j] = floor end
    local _, trace = ves.release.learn(w, { rule = "power", psi = P.power, rate = P.rate, floor = floor, start = start,
      iterations = P.floor_iterations, trace = checkpoints[1], rng = rng:stream("floor") })
    local back, tv = {}, {}
    for c, t in ipairs(checkpoints) do
      local now = trace:row(t // checkpoints[1]):copy()
      local count = 0
      for _, j in ipairs(chosen) do
        if now[j] >= settled[j] / 2 then count = count + 1 end
      end
      back[c], tv[c] = count / #chosen, shapes.distance(w, now)
    end
    result["back" .. f], result["tv" .. f] = back, tv
  end
  local alone = ves.release.learn(shapes.weights("uniform", P.n, 0), { rule = "subtract", subtract = P.subtract,
    rate = P.rate, floor = 0, iterations = P.dead_iterations, rng = rng:stream("alone") })
  result.dead = alone:map(function(x) return x == 0 and 1 or 0 end):mean()
  return result
end }

local rows = {}
for f, floor in ipairs(P.floors) do
  local back, tv = floors:column("back" .. f), floors:column("tv" .. f)
  for c, t in ipairs(checkpoints) do
    local b, d = back:col(c), tv:col(c)
    rows[#rows + 1] = { floor, t, b:mean(), b:min(), b:max(), d:mean(), d:min(), d:max() }
  end
end
E:table("floors", { { "floor", "lower bound of the releases" }, { "iterations", "samples so far" },
  { "back", "share of the silenced synapses back at half their fixed point, mean" },
  { "back_lo", "least of the replicates" }, { "back_hi", "largest of the replicates" },
  { "tv", "total variation of winners from encoded, mean" }, { "tv_lo", "least of the replicates" },
  { "tv_hi", "largest of the replicates" } }, rows)
local never, ever = floors:column("back1"), floors:column("back2"):col(#checkpoints)
E:claim { id = "floor-zero-kills", says = "A true zero eliminates the synapse from all further learning",
  where = algorithms, reading = "printed", measured = never:max(), expected = 0,
  judge = judge.proved_if(judge.near(0)), note = "share of synapses at zero that ever came back" }
E:claim { id = "floor-preferable", says = "A small, non-zero lower bound is preferable to zero", where = algorithms,
  reading = "default", measured = ever:mean(), se = stats.se(ever), expected = 0, judge = judge.exceeds_by_se(),
  note = "share of silenced synapses that came back from the smallest bound, 0.0001, by the last sample" }

--- A power of a share is positive, so the exponent rules never reach zero by themselves. A subtracted constant does,
--- where the share stays below it: for equal weights.

local dead = floors:column("dead")
E:number("DeadShare", dead:mean(), stats.se(dead))

--- ## What to read off a process that does not rest
---
--- "Neither term converges to the attractor but the final estimate can be recovered" by the mean of $\hat q$, by the
--- mean of the target $\hat q^*$, or by a rate that decays. The rule is the variable exponent [eq:target-variable], the
--- attractor the fixed point of its mean dynamics [app:equilibrium]. Means are over the latter half of the samples so
--- far.

local attractor = ves.release.equilibrium(w, { rule = "variable" })
local function deviation(v) return math.sqrt(((v / attractor - 1) ^ 2):mean()) end
local readings = { "last", "mean_q", "mean_target", "decayed" }

local estimates = E:replicate { name = "estimates", n = P.mean_replicates, run = function(_, rng)
  local result = { last = {}, mean_q = {}, mean_target = {}, decayed = {} }
  local stream, now = rng:stream("constant"), { mean = 0.3, sd = 0.1 }
  for k = 0, P.mean_doublings do
    local trace, target
    now, trace, target = ves.release.learn(w, { rule = "variable", rate = P.rate, start = now, trace = 10,
      targets = true, rng = stream, iterations = 1000 << math.max(0, k - 1) })
    result.last[k + 1], result.mean_q[k + 1] = deviation(now), deviation(trace:col_sums() / #trace)
    result.mean_target[k + 1] = deviation(target)
  end
  local _, trace = ves.release.learn(w, { rule = "variable", rate = P.decay_rate, decay = P.decay,
    iterations = 1000 << P.mean_doublings, trace = 1000, rng = rng:stream("decayed") })
  for k = 0, P.mean_doublings do result.decayed[k + 1] = deviation(trace:row(1 << k):copy()) end
  return result
end }

rows = {}
for _, reading in ipairs(readings) do
  local values = estimates:column(reading)
  for k = 0, P.mean_doublings do
    local c = values:col(k + 1)
    rows[#rows + 1] = { reading, 1000 << k, c:mean(), c:min(), c:max() }
  end
end
E:table("estimates", { { "reading", "last release, mean release, mean target, or last release with a decaying rate" },
  { "iterations", "samples so far" }, { "deviation", "root mean square relative deviation from the fixed point, mean" },
  { "lo", "least of the replicates" }, { "hi", "largest of the replicates" } }, rows)

local final = P.mean_doublings + 1
local function recovered(spec, reading)
  local c = estimates:column(reading):col(final)
  spec.measured, spec.se, spec.expected, spec.where = c:mean(), stats.se(c), 0, appendix
  spec.reading, spec.judge = "default", judge.near(margins.closely)
  spec.note = "root mean square relative deviation from the fixed point after the last sample"
  E:claim(spec)
end
recovered({ id = "mean-q-estimator", says = "The mean of the release recovers the attractor" }, "mean_q")
recovered({ id = "mean-target-estimator", says = "The mean of the target recovers the attractor" }, "mean_target")
recovered({ id = "decaying-rate", says = "A decaying rate recovers the attractor" }, "decayed")
local stay = estimates:column("last"):col(final) / estimates:column("last"):col(final - 2)
E:claim { id = "neither-converges", says = "At a constant rate the release itself does not converge", where = appendix,
  reading = "default", measured = stay:mean(), se = stats.se(stay), expected = 1,
  judge = judge.negate(judge.less_than(margins.substantially)),
  note = "deviation of the last release after the last sample, as a multiple of that after a quarter of the samples" }

--- Is the attractor "close to the true target"? The appendix has equal weights in mind; the two bells come second.

local function extremes(v, reference) return { (v / reference - 1):min(), (v / reference - 1):max() } end
local equal = shapes.weights("uniform", 2 * P.n, 0)
local equal_q, equal_rest = ves.release.analytic(equal), ves.release.equilibrium(equal, { rule = "variable" })
local close = "Release and target share an attractor close to the true target"
E:claim { id = "coupled-attractor", says = close .. ", equal weights", where = appendix, reading = "printed",
  measured = extremes(equal_rest, equal_q), expected = 0, judge = judge.every(judge.near(margins.closely)),
  note = string.format("least and largest relative deviation from the mapping; winners have a total variation of %.3f",
    shapes.distance(equal, equal_rest)) }
E:claim { id = "coupled-attractor-bimodal", says = close .. ", two bells", where = appendix, reading = "two bells",
  measured = extremes(attractor, q), expected = 0, judge = judge.every(judge.near(margins.closely)),
  note = string.format("least and largest relative deviation from the mapping; winners have a total variation of %.3f",
    shapes.distance(w, attractor)) }

--- The random denominator, we are told, "cannot be approximated to further reduce stochasticity". We try: the sum over
--- the subset becomes its mean, $w_i + \sum_{j>i} q_j w_j$, and the release of rank $i$ the root of
--- $q = g^{(n-i) q + 1}$, found by bisection from the weakest up.

local smooth, weaker = ves.vector(P.n), 0.0
for r = P.n, 1, -1 do
  local j, low, high = order[r], 0.0, 1.0
  local g = w[j] / (w[j] + weaker)
  for _ = 1, 60 do
    local middle = (low + high) / 2
    if g ^ ((P.n - r) * middle + 1) > middle then low = middle else high = middle end
  end
  smooth[j], weaker = (low + high) / 2, weaker + (low + high) / 2 * w[j]
end
E:claim { id = "denominator-needed", says = "The random denominator cannot be replaced by its mean", where = appendix,
  reading = "default", measured = shapes.distance(w, smooth) - shapes.distance(w, attractor),
  expected = margins.negligible, judge = judge.greater_than(),
  note = string.format("total variation with a mean denominator, %.3f, less that of the rule itself, %.3f",
    shapes.distance(w, smooth), shapes.distance(w, attractor)) }
rows = {}
for r, j in ipairs(order) do rows[r] = { r, q[j], attractor[j], smooth[j] } end
E:table("attractor", { { "rank", "1 = strongest" }, { "analytic", "release of the mapping" },
  { "attractor", "fixed point of the variable exponent" },
  { "smooth", "the same with the mean of the denominator" } }, rows)

--- ## Patience and the upward bias
---
--- In the network simulations learned releases gave too wide samples, "which can be improved with more iterations and a
--- lower learning rate". We take the five trained rows of the original's first network [data:simple], learn their
--- releases at several rates, and follow the standard deviation of the winners, exactly, relative to what the row
--- encodes. At the fixed point patience has no more to give.

local code, simple = models.code(), models.simple()
local centres = code.centers
local function width(p)
  local mean = p:dot(centres) / p:sum()
  return math.sqrt((p * (centres - mean) ^ 2):sum() / p:sum())
end
local moments = doubling(625, P.bias_iterations)
local function bias(row, release) return width(shapes.winners(row, release)) / width(row) - 1 end

local biased = E:replicate { name = "bias", n = P.bias_replicates, run = function(_, rng)
  local W, result = models.network(simple, rng):weights(), { rest = 0 }
  for k in ipairs(P.bias_rates) do
    result["rate" .. k] = {}
    for m in ipairs(moments) do result["rate" .. k][m] = 0 end
  end
  for _, x in ipairs(simple.inputs) do
    local row = W:row(code:encode(x):argmax()):copy()
    result.rest = result.rest
      + bias(row, ves.release.equilibrium(row, { rule = "power", psi = P.psi })) / #simple.inputs
    for k, rate in ipairs(P.bias_rates) do
      local _, trace = ves.release.learn(row, { rule = "power", psi = P.psi, rate = rate,
        iterations = P.bias_iterations, trace = moments[1], rng = rng:stream("learn", x, k) })
      for m, t in ipairs(moments) do
        result["rate" .. k][m] = result["rate" .. k][m]
          + bias(row, trace:row(t // moments[1]):copy()) / #simple.inputs
      end
    end
  end
  return result
end }

rows = {}
local rest = biased:column("rest")
for k, rate in ipairs(P.bias_rates) do
  local values = biased:column("rate" .. k)
  for m, t in ipairs(moments) do
    local c = values:col(m)
    rows[#rows + 1] = { rate, t, c:mean(), stats.se(c), c:min(), c:max(), rest:mean() }
  end
end
E:table("bias", { { "rate", "gamma" }, { "iterations", "samples so far" },
  { "bias", "standard deviation of winners over that encoded, less 1, mean over five inputs and replicates" },
  { "bias_se", "its standard error" }, { "lo", "least of the replicates" }, { "hi", "largest of the replicates" },
  { "rest", "the same at the fixed point" } }, rows)

local function bias_at(rate, iterations)
  local k, m
  for i, r in ipairs(P.bias_rates) do if r == rate then k = i end end
  for i, t in ipairs(moments) do if t == iterations then m = i end end
  return biased:column("rate" .. k):col(m)
end
local most, slowest = moments[#moments], P.bias_rates[#P.bias_rates]
local base = bias_at(P.network_rate, P.network_iterations)
E:number("BiasLearned", base:mean(), stats.se(base))
E:number("BiasSettled", rest:mean(), stats.se(rest))
local function improves(spec, rate, iterations)
  local change = bias_at(rate, iterations):abs() - base:abs()
  spec.measured, spec.se, spec.expected, spec.judge = change:mean(), stats.se(change), 0, judge.falls_short_by_se()
  spec.where, spec.reading = "Network simulations, results", "single rows"
  spec.note = string.format("change of the relative bias of the standard deviation, from %.3f; at the fixed point "
    .. "it is %.3f", base:mean(), rest:mean())
  E:claim(spec)
end
improves({ id = "bias-rate-iterations", says = "More iterations and a lower rate reduce the upward bias of learning" },
  slowest, most)
improves({ id = "bias-more-iterations", says = "More iterations alone reduce the upward bias of learning" },
  P.network_rate, most)
improves({ id = "bias-lower-rate", says = "A lower rate alone reduces the upward bias of learning" },
  slowest, P.network_iterations)
local left = rest / base
E:claim { id = "bias-is-convergence", says = "The upward bias of learning reflects imperfect convergence",
  where = "Network simulations, results", reading = "single rows", measured = left:mean(), se = stats.se(left),
  expected = margins.substantially, judge = judge.less_than(),
  note = "bias that remains at the fixed point, as a share of the bias after the original's learning" }

--- ## The power of four
---
--- "A power of four is suitable for an accurate distribution over an output layer represented by 10-50 neurons."
--- Suitable by the winners it settles at, and by the error that Appendix B minimises.

rows = {}
local worst = {}
for _, shape in ipairs(shapes.names) do
  worst[shape] = 0
  for _, n in ipairs(P.four_sizes) do
    local weights = shapes.weights(shape, n, P.pedestal)
    local tv = shapes.distance(weights, ves.release.equilibrium(weights, { rule = "power", psi = P.psi_four }))
    rows[#rows + 1], worst[shape] = { shape, n, tv }, math.max(worst[shape], tv)
  end
end
E:table("four", { { "shape", "of the weights" }, { "n", "outputs" },
  { "tv", "total variation of winners from encoded at the fixed point, exponent 4" } }, rows)
local four = "A power of four is suitable for 10 to 50 outputs"
E:claim { id = "psi-four-10-50", says = four .. ", two bells", where = discussion, reading = "default",
  measured = worst.bimodal, expected = margins.closely, judge = judge.less_than(),
  note = "worst total variation of winners over sizes, at the fixed point" }
E:claim { id = "psi-four-10-50-uniform", says = four .. ", equal weights", where = discussion,
  reading = "equal weights", measured = worst.uniform, expected = margins.closely, judge = judge.less_than(),
  note = "worst total variation of winners over sizes, at the fixed point" }
local sizes = P.four_sizes
local function optima(top)
  return { ves.exponent.optimal(math.tointeger(sizes[1]), { top = top }),
           (ves.exponent.optimal(math.tointeger(sizes[#sizes]), { top = top })) }
end
E:claim { id = "psi-four-optimal", says = four .. " by the error of Appendix B", where = discussion,
  reading = "all ranks", measured = optima(1), expected = P.psi_four,
  judge = judge.every(judge.within(margins.roughly)), note = "best exponents for 10 and for 50 equal weights" }
E:claim { id = "psi-four-optimal-top", says = four .. " by the error of Appendix B, larger half", where = discussion,
  reading = "larger half of the weights", measured = optima(0.5), expected = P.psi_four,
  judge = judge.every(judge.within(margins.roughly)), note = "best exponents for 10 and for 50 equal weights" }

--- ## Releases of synapses
---
--- The introduction reports that most synapses release with a probability well below one half, and that two thirds
--- transmit less often than in 17 to 33 of a hundred cases. Here are the releases of all synapses of the two trained
--- networks, by the mapping and as learned.

local shares = E:replicate { name = "shares", n = P.share_replicates, run = function(_, rng)
  local result = {}
  for _, model in ipairs { simple, models.bimodal() } do
    local stream = rng:stream(model.name)
    local W = models.network(model, stream):weights()
    local releases = { analytic = ves.release.analytic(W), learned = ves.release.learn(W, { rule = "power",
      psi = P.psi, rate = P.network_rate, iterations = P.network_iterations, rng = stream:stream("learn") }) }
    for _, kind in ipairs { "analytic", "learned" } do
      local sorted, below, k = releases[kind]:sort(), {}, 0
      for percent = 0, 100 do
        while k < #sorted and sorted[k + 1] < percent / 100 do k = k + 1 end
        below[percent + 1] = k / #sorted
      end
      result[model.name .. "_" .. kind] = below
      result[model.name .. "_" .. kind .. "_third"] = sorted:quantile(2 / 3)
    end
  end
  return result
end }

rows = {}
for _, model in ipairs { "simple", "bimodal" } do
  for _, kind in ipairs { "analytic", "learned" } do
    local below = shares:column(model .. "_" .. kind)
    for percent = 0, 100 do
      local c = below:col(percent + 1)
      rows[#rows + 1] = { model, kind, percent / 100, c:mean(), c:min(), c:max() }
    end
  end
end
E:table("shares", { { "model", "data model" }, { "kind", "mapping or learned" }, { "release", "release probability" },
  { "below", "share of synapses below it, mean" }, { "lo", "least of the replicates" },
  { "hi", "largest of the replicates" } }, rows)

local introduction = "Introduction, synaptic failure"
local half, half_se, third, third_se, note = {}, {}, {}, {}, "simple and bimodal data; learned, then mapping"
for _, kind in ipairs { "learned", "analytic" } do
  for _, model in ipairs { "simple", "bimodal" } do
    local all, quantile = shares:column(model .. "_" .. kind), shares:column(model .. "_" .. kind .. "_third")
    local below, within = all:col(51), all:col(34) - all:col(18)
    if kind == "learned" then
      E:number("ShareWithin" .. (model == "simple" and "Simple" or "Bimodal"), within:mean(), stats.se(within))
    end
    half[#half + 1], half_se[#half_se + 1] = below:mean(), stats.se(below)
    third[#third + 1], third_se[#third_se + 1] = quantile:mean(), stats.se(quantile)
  end
end
E:claim { id = "share-below-half", says = "Most releases lie below one half", where = introduction, reading = "default",
  measured = half, se = half_se, expected = 0.5, judge = judge.every(judge.exceeds_by_se()),
  note = "share of synapses below one half; " .. note }
E:claim { id = "share-17-33", says = "Two thirds of synapses release with less than a probability of 17 to 33%",
  where = introduction, reading = "default", measured = third, se = third_se, expected = "0.17 to 0.33",
  judge = judge.every(judge.all_of(judge.greater_than(0.17), judge.less_than(0.33))),
  note = "the release below which two thirds of the synapses lie; " .. note }

E:finish()
