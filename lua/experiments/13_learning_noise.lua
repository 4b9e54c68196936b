--- # The noise of learning
---
--- A release that is learned at a constant rate never comes to rest: every sample moves it. Appendix B says what may be
--- read off such a process all the same, how close to the true target it stays, and which part of the noise cannot be
--- taken away. The rule is the variable exponent [eq:target-variable] throughout.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local shapes = require "vesicle.model.shapes"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "13_learning_noise", title = "What to read off a process that does not rest", streams = "13_learning_details",
  params = {
    n = { 50, range = { 5, 500 }, about = "weights of the bimodal vector" },
    pedestal = { 0.01, about = "its least weight, as a share of its maximum" },
    rate = { 0.0025, range = { 1e-4, 0.2 }, about = "gamma" },
    mean_replicates = { 6, quick = 2, about = "runs for the estimators" },
    mean_doublings = { 6, quick = 5, about = "how often their 1,000 samples are doubled" },
    decay_rate = { 0.01, about = "first rate of the decaying run" },
    decay = { 4000.0, about = "samples after which that rate has halved" },
  },
}
local P = E.params
local appendix = "Appendix B, Subset-dependent exponent"

local w = shapes.weights("bimodal", P.n, P.pedestal)
local q, order = ves.release.analytic(w), shapes.ranking(w)
local attractor = ves.release.equilibrium(w, { rule = "variable" })

--- ## Estimates of the resting point
---
--- "Neither term converges to the attractor but the final estimate can be recovered" by the mean of $\hat q$, by the
--- mean of the target $\hat q^*$, or by a rate that decays. The attractor is the fixed point of the mean dynamics
--- [app:equilibrium]. Means are over the latter half of the samples so far. The mean size of the subset in the exponent
--- is to spare it noise: beside it runs the exponent that is the size itself [eq:target-subset], and of both we take
--- the standard deviation of a release over time, relative to its mean.

local function deviation(v) return math.sqrt(((v / attractor - 1) ^ 2):mean()) end
local function noise(trace)
  return stats.collect(P.n, function(j) return trace:col(j):sd() / trace:col(j):mean() end):mean()
end
local doublings = ves.range(0, P.mean_doublings):map(function(k) return 1000 << math.tointeger(k) end)

local estimates = E:replicate { name = "estimates", n = P.mean_replicates, run = function(_, rng)
  local stream, now, trace, target = rng:stream("constant"), { mean = 0.3, sd = 0.1 }, nil, nil
  local result = stats.collect(#doublings, function(k)
    now, trace, target = ves.release.learn(w, { rule = "variable", rate = P.rate, start = now, trace = 10,
      targets = true, rng = stream, iterations = 1000 << math.max(0, k - 2) })
    local _, next_target = ves.release.learn(w, { rule = "variable", rate = P.rate, start = now, targets = true,
      iterations = 1000, rng = rng:stream("target", k) })
    return { last = deviation(now), mean_q = deviation(trace:col_sums() / #trace), mean_target = deviation(target),
             last_target = deviation(next_target) }
  end)
  local half = { rule = "subset", rate = P.rate, iterations = 500 << P.mean_doublings, rng = rng:stream("subset") }
  half.start, half.trace = ves.release.learn(w, half), 10
  local _, subset_trace = ves.release.learn(w, half)
  result.noise = noise(trace) / noise(subset_trace)
  _, trace = ves.release.learn(w, { rule = "variable", rate = P.decay_rate, decay = P.decay,
    iterations = 1000 << P.mean_doublings, trace = 1000, rng = rng:stream("decayed") })
  result.decayed = stats.collect(#doublings, function(k) return deviation(trace:row(1 << (k - 1)):copy()) end)
  return result
end }

local estimate_rows = {}
for k, reading in ipairs { "last", "mean_q", "mean_target", "decayed" } do
  local off = stats.summary(estimates:column(reading))
  estimate_rows[k] = { reading, doublings, off.value, off.min, off.max }
end
E:table("estimates", { { "reading", "last release, mean release, mean target, or last release with a decaying rate" },
  { "iterations", "samples so far" }, { "deviation", "root mean square relative deviation from the fixed point, mean" },
  { "lo", "least of the replicates" }, { "hi", "largest of the replicates" } }, estimate_rows)

local final = #doublings
local function slope(of)
  local deviations = estimates:column(of)
  return stats.collect(P.mean_replicates, function(i)
    return stats.regression(doublings:slice(final - 3):log(), deviations:row(i):copy():slice(final - 3):log()).slope
  end)
end
local function at_the_end(reading) return { printed = stats.summary(estimates:column(reading))[final] } end
E:statements {
  where = appendix, kind = "empirical", criterion = is.below(margins.closely), breaks = "release.equilibrium=halved",
  quantity = "root mean square relative deviation from the resting point after the last sample",
  { id = "neither-converges", says = "At a constant rate neither release nor target converges.",
    quantity = "slope of the log deviation of the last release, and of the target of the next 1,000 samples, on log "
      .. "samples over the last three doublings", at = { "release", "target" },
    criterion = is.each(is.near(margins.slope_effect)), breaks = "learn.rate=falling",
    cells = { printed = stats.summary { slope "last", slope "last_target" } } },
  { id = "mean-q-estimator", says = "At a constant rate the estimate is recovered by the mean release.",
    cells = at_the_end "mean_q" },
  { id = "mean-target-estimator", says = "At a constant rate the estimate is recovered by the mean target.",
    cells = at_the_end "mean_target" },
  { id = "decaying-rate", says = "The estimate is recovered by a rate that decays.", cells = at_the_end "decayed" },
  { id = "mean-removes-noise", breaks = "learn.rule=subset",
    says = "Using the mean size instead of that of the subset eliminates unnecessary noise from the exponent.",
    quantity = "standard deviation of a release over time, relative to its mean, averaged over synapses: variable over "
      .. "subset rule", criterion = is.less(1, margins.differs),
    cells = { printed = stats.summary(estimates:column("noise")) } },
}

--- ## The attractor
---
--- Is the attractor "close to the true target"? The appendix has equal weights in mind; the two bells come second.

local function extremes(v, reference) return { (v / reference - 1):min(), (v / reference - 1):max() } end
local equal = shapes.weights("uniform", 2 * P.n, 0)
local equal_q, equal_rest = ves.release.analytic(equal), ves.release.equilibrium(equal, { rule = "variable" })
E:statement {
  id = "coupled-attractor", fact = "converge-analytic", where = appendix, kind = "empirical",
  at = { "least", "largest" }, says = "Release and target share an attractor close to the true target.",
  quantity = "least and largest relative deviation of the variable rule's rest from the mapping, 100 equal weights",
  criterion = is.each(is.near(margins.closely)), breaks = "release.equilibrium=analytic",
  cells = { printed = { extremes(equal_rest, equal_q), exact = true,
                        beside = { ["total variation"] = shapes.distance(equal, equal_rest) } } },
  further = { { reading = "two bells", extremes(attractor, q), exact = true,
                quantity = "least and largest relative deviation of the variable rule's rest from the mapping, two "
                  .. "bells",
                beside = { ["total variation"] = shapes.distance(w, attractor) } } },
}

--- ## The denominator
---
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
local with_mean, itself = shapes.distance(w, smooth), shapes.distance(w, attractor)
E:statement {
  id = "denominator-needed", says = "The random denominator cannot be approximated to reduce stochasticity.",
  where = appendix, kind = "empirical", breaks = "equilibrium=analytic, distances x10",
  quantity = "total variation of winners with a mean denominator less that of the rule itself, at rest",
  criterion = is.above(margins.negligible),
  cells = { printed = { with_mean - itself, exact = true,
                        beside = { ["mean denominator"] = with_mean, ["the rule itself"] = itself } } },
}
E:table("attractor", { { "rank", "1 = strongest", ves.range(1, P.n) },
  { "analytic", "release of the mapping", q:take(order) },
  { "attractor", "fixed point of the variable exponent", attractor:take(order) },
  { "smooth", "the same with the mean of the denominator", smooth:take(order) } })

E:finish()
