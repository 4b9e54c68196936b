--- # Variance components
---
--- The original's numerical test of the whole scheme: a network is trained on data whose standard deviation
--- grows with the input, and then asked for samples. How wide are they? Two questions are kept apart. Do the
--- releases of the *observed* distribution [eq:mapping] give samples as wide as the data? And do the
--- *epistemic* releases [eq:beta2dropoutvar] give MAP samples as wide as those of the Beta model they were
--- derived from? [fig:simresults]

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local judge = require "vesicle.judge"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local readings = require "vesicle.model.readings"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "06_variance_components", title = "variance of samples and of MAP samples",
  figure = { "fig:simresults" },
  params = {
    replicates = { 200, quick = 6, about = "data sets, each with its own network" },
    draws = { 1000, quick = 300, about = "samples per input" },
    rows = { 4000, about = "rows of data" },
    psi = { 8.0, about = "exponent of the learning rule" },
    rate = { 0.01, about = "learning rate gamma" },
    iterations = { 5000, about = "iterations of Algorithm 2" },
    whole_replicates = { 30, quick = 3, about = "replicates in which the whole activity is read out too" },
    slow_replicates = { 20, quick = 2, about = "replicates that learn slowly too" },
    slow_iterations = { 50000, quick = 10000, about = "iterations of slow learning" },
    slow_rate = { 0.002, about = "rate of slow learning" },
  },
}
local P = E.params
local model, code = models.simple(), models.code()
local inputs, centers = model.inputs, code.centers
local truth = ves.vector(inputs):map(model.sd)

--- ## The network and its releases
---
--- With 100 curves on $[-6, 6]$ the inputs $-4$, $0$ and $4$ fall halfway between two tuning curves and $-2$ and
--- $2$ on top of one, so that four or three inputs are active together (above $10^{-3}$). The releases of one
--- input then have to be divided among them. The original suggests the sum of the input vector; it is below 1
--- halfway between two curves, where it divides by nothing at all. Our default is the participation number
--- $(\sum x_i)^2 / \sum x_i^2$ [eq:normaliser], which counts two equally active inputs as two. Both are shown.
---
--- Only the rows of inputs that are ever active need to be learned.

local function present(f) return stats.collect(inputs, function(x) return f(x, code:encode(x)) end) end

local activity = present(function(_, a) return a end)
local rows = stats.collect(code.n, function(i) return activity:col(i):max() end):above(1e-3)

local function learn(W, rng, iterations, rate)
  return ves.release.learn(W, { algorithm = 2, rule = "power", psi = P.psi, rate = rate, iterations = iterations,
                                active = rows, rng = rng })
end

local function equilibrium(W) return ves.release.equilibrium(W, { rule = "power", psi = P.psi, active = rows }) end

--- The spread of the winner, exactly: no draws. [eq:winner-multi]
local function exact_sd(W, Q, normaliser)
  return present(function(_, a)
    return pmf.sd((ves.winner.exact(W, ves.release.normalise(Q, a, normaliser), a)), centers)
  end)
end

--- ## One replicate
---
--- New data, new priors [eq:evidence-prior], a new network. The encoded distribution is $W'x$, normalised [eq:mixture];
--- an input that competes first and then transmits alone samples it exactly [eq:two-stage]. Every other method is
--- judged by the standard deviation of its samples, as in the original, and next to it by the exact one.

local function encoded_sd(W) return present(function(_, a) return pmf.sd(ves.multi.mixture(W, a), centers) end) end

local methods = {
  { key = "analytic_sum", name = "analytic", normaliser = "sum", numbers = { "SdAnalyticSumMinusFour",
    "SdAnalyticSumMinusTwo", "SdAnalyticSumZero", "SdAnalyticSumTwo", "SdAnalyticSumFour" } },
  { key = "analytic_participation", name = "analytic", normaliser = "participation", numbers = { "SdAnalyticMinusFour",
    "SdAnalyticMinusTwo", "SdAnalyticZero", "SdAnalyticTwo", "SdAnalyticFour" } },
  { key = "learned_sum", name = "learned", normaliser = "sum", numbers = { "SdLearnedSumMinusFour",
    "SdLearnedSumMinusTwo", "SdLearnedSumZero", "SdLearnedSumTwo", "SdLearnedSumFour" } },
  { key = "learned_participation", name = "learned", normaliser = "participation", numbers = { "SdLearnedMinusFour",
    "SdLearnedMinusTwo", "SdLearnedZero", "SdLearnedTwo", "SdLearnedFour" } },
  { key = "pooled_none", name = "pooled", normaliser = "none", numbers = { "SdPooledMinusFour", "SdPooledMinusTwo",
    "SdPooledZero", "SdPooledTwo", "SdPooledFour" } },
}

local function observed(net, W, Q, rng)
  local sd, exact = {}, {}
  for _, m in ipairs(methods) do
    sd[m.key] = present(function(x)
      return net:sample { x = x, release = Q[m.name], normaliser = m.normaliser, draws = P.draws,
                          rng = rng:stream(m.key, x) }:sd()
    end)
    exact[m.key] = exact_sd(W, Q[m.name], m.normaliser)
  end
  sd.two_stage = present(function(x, a)
    local index = ves.multi.two_stage(W, a, { draws = P.draws, rng = rng:stream("two-stage", x) })
    return index:sd() * (centers[2] - centers[1])
  end)
  return sd, exact
end

--- The MAP is sampled by the epistemic releases alone, on weights divided by them so that their mean stays $W$;
--- the Beta model draws the weights themselves.
--- Differs from [eq:beta2dropoutvar]: the exact root beside the printed one. Differs from [eq:beta]: Beta(A,B),
--- whose moments the variance equation uses, beside the printed Beta(A+1,B+1).

local function map_errors(net, readout, rng)
  local se = {}
  for _, root in ipairs { "exact", "printed" } do
    local phi = ves.release.epistemic(net.A, net.B, root)
    se[root] = present(function(x)
      return net:sample { x = x, release = phi, rescale = phi, normaliser = "none", readout = readout,
                          draws = P.draws, rng = rng:stream("dropout", x) }:sd()
    end)
  end
  for _, beta in ipairs { "AB", "AB+1" } do
    se[beta] = present(function(x)
      return net:beta { x = x, beta = beta, readout = readout, draws = P.draws, rng = rng:stream("beta", x) }:sd()
    end)
  end
  return se
end

--- What the data themselves have, and what the code alone does to them: a network without prior evidence to speak of.

local function data_sd(xs, ys)
  return present(function(x) return ys:take((xs - x):abs():less(1e-9):above(0.5)):sd() end)
end

local function encoded_without_prior(xs, ys)
  local bare = ves.network { input = code, output = code, prior_a = 1e-12, prior_b = 4e-12 }
  return encoded_sd(bare:observe(xs, ys):weights())
end

local main = E:replicate { name = "main", n = P.replicates, run = function(i, rng)
  local net, xs, ys = models.network(model, rng, { rows = P.rows })
  local W = net:weights()
  local Q = {
    analytic = ves.release.analytic(W),
    learned = learn(W, rng:stream("learn"), P.iterations, P.rate),
    pooled = ves.release.learn_pooled(W, { inputs = inputs, code = code, algorithm = 2, rule = "power",
      psi = P.psi, rate = P.rate, iterations = P.iterations, rng = rng:stream("pooled") }),
  }
  local result = {
    data = data_sd(xs, ys), code = encoded_without_prior(xs, ys), encoded = encoded_sd(W),
    winner = map_errors(net, "winner", rng:stream("map")),
  }
  result.sd, result.exact = observed(net, W, Q, rng:stream("sample"))
  if i <= P.whole_replicates then
    result.decode = present(function(x)
      return net:sample { x = x, release = Q.analytic, readout = "decode", draws = P.draws,
                          rng = rng:stream("sample", "analytic_participation", x) }:sd()
    end)
    result.mean = map_errors(net, "mean", rng:stream("map"))
  end
  if i <= P.slow_replicates then
    result.slow = exact_sd(W, learn(W, rng:stream("slow"), P.slow_iterations, P.slow_rate), "participation")
    result.equilibrium = exact_sd(W, equilibrium(W), "participation")
  end
  return result
end }

local function field(name, n) return main:column(name, n) end

--- ## Samples of the observed distribution
---
--- The table has, for each input and method, the mean standard deviation of the samples over replicates, its
--- standard error, and the interval that holds 95% of the replicates.

E:number({ "SdTrueMinusFour", "SdTrueMinusTwo", "SdTrueZero", "SdTrueTwo", "SdTrueFour" }, truth, nil, { digits = 2 })
E:number({ "PriorForLow", "PriorForHigh" }, models.prior_a, nil, { digits = 3 })
E:number({ "PriorAgainstLow", "PriorAgainstHigh" }, models.prior_b, nil, { digits = 3 })

local sd_rows = {}
for k, m in ipairs(methods) do
  local sd, exact = stats.summary(field("sd." .. m.key)), stats.summary(field("exact." .. m.key))
  sd_rows[k] = { inputs, truth, m.name, m.normaliser, sd, sd.lo, sd.hi, exact }
  E:number(m.numbers, sd)
end
E:table("sd_by_input", { { "x", "input" }, { "truth", "data-generating standard deviation" },
  { "method", "how the releases were found" }, { "normaliser", "what they are divided by" },
  { "mean", "standard deviation of samples, mean over replicates" }, { "se", "its standard error" },
  { "lo", "2.5% quantile over replicates" }, { "hi", "97.5% quantile" },
  { "exact", "the same without draws, from the exact winner distribution" },
  { "exact_se", "its standard error" } }, sd_rows)

--- The reference is not only the truth. Between the data-generating distribution and the samples lie the data
--- themselves, the width and spacing of the tuning curves, the prior evidence (a floor under every row of weights,
--- which at a small standard deviation carries more variance than the data), and only then the releases.

local encoded, two_stage = stats.summary(field("encoded")), stats.summary(field("sd.two_stage"))
E:number({ "SdEncodedMinusFour", "SdEncodedMinusTwo", "SdEncodedZero", "SdEncodedTwo", "SdEncodedFour" }, encoded)
E:number({ "SdTwoStageMinusFour", "SdTwoStageMinusTwo", "SdTwoStageZero", "SdTwoStageTwo", "SdTwoStageFour" },
  two_stage)
local step_rows = {}
for k, step in ipairs {
  { "data", stats.summary(field("data")) }, { "code", stats.summary(field("code")) }, { "encoded", encoded },
  { "two-stage", two_stage }, { "decode", stats.summary(field("decode", P.whole_replicates)) },
  { "slow", stats.summary(field("slow", P.slow_replicates)) },
  { "equilibrium", stats.summary(field("equilibrium", P.slow_replicates)) },
} do
  step_rows[k] = { inputs, truth, step[1], step[2], step[2].lo, step[2].hi }
end
E:table("sd_steps", { { "x", "input" }, { "truth", "data-generating standard deviation" },
  { "step", "data: of the rows; code: encoded without prior evidence; encoded: with it; two-stage: samples that "
    .. "need no normaliser; decode: analytic release, the whole activity decoded; slow: learned slowly; "
    .. "equilibrium: where learning settles (the last two exact, divided by participation)" },
  { "mean", "standard deviation, mean over replicates" }, { "se", "its standard error" },
  { "lo", "2.5% quantile over replicates" }, { "hi", "97.5% quantile" } }, step_rows)

--- ### Verdicts
---
--- "Closely" means within the margin at each of the five inputs, against the truth as in the original, and
--- against what the network encodes, which is what a release can be asked to sample.

local left = "Results, fig:simresults left"
local function to_truth(key) return stats.ratios(field("sd." .. key), truth) end
local function to_encoded(key) return stats.ratios(field("sd." .. key), field("encoded")) end
local by_participation = "ratio at each input; release divided by participation"
local by_sum = "ratio at each input; release divided by the sum of the input vector"

E:claims {
  expected = 1, judge = judge.every(judge.within()), where = left,
  { id = "sd-analytic", says = "the analytic mapping closely approximates the true standard deviations",
    reading = "default", measured = to_truth "analytic_participation", note = by_participation },
  { id = "sd-analytic-printed", says = "the analytic mapping closely approximates the true standard deviations",
    reading = "printed", measured = to_truth "analytic_sum", note = by_sum },
  { id = "sd-learned", says = "local learning closely approximates the true standard deviations",
    reading = "default", measured = to_truth "learned_participation", note = by_participation },
  { id = "sd-learned-printed", says = "local learning closely approximates the true standard deviations",
    reading = "printed", measured = to_truth "learned_sum", note = by_sum },
  { id = "sd-pooled", says = "learning across pooled inputs needs no adjustment for several active inputs",
    reading = "printed", where = "Algorithms", measured = to_truth "pooled_none",
    note = "ratio at each input; against the true standard deviation" },
}
E:claims {
  expected = 1, judge = judge.every(judge.within()), where = left, reading = "against the encoded distribution",
  { id = "sd-vs-encoded", says = "the analytic mapping samples the encoded distribution",
    measured = to_encoded "analytic_participation", note = by_participation },
  { id = "sd-vs-encoded-learned", says = "local learning samples the encoded distribution",
    measured = to_encoded "learned_participation", note = by_participation },
  { id = "sd-vs-encoded-pooled", says = "learning across pooled inputs samples the encoded distribution",
    where = "Algorithms", measured = to_encoded "pooled_none", note = "ratio at each input; release undivided" },
  { id = "sd-two-stage", says = "inputs that compete before one transmits sample the encoded distribution",
    where = "this project", measured = to_encoded "two_stage", note = "ratio at each input; two-stage release" },
}

--- The bias of a method is the mean over inputs of its relative deviation from the truth, with sign or without.

local function signed_bias(sd) return ((sd - truth) / truth):mean() end
local function bias(sd) return ((sd - truth) / truth):abs():mean() end

for _, reading in ipairs(readings.both) do
  local analytic, learned = field("sd.analytic_" .. reading.normaliser), field("sd.learned_" .. reading.normaliser)
  local ratio = stats.ratios(analytic, truth)
  E:claims {
    where = left, reading = reading.name, expected = 0, judge = judge.exceeds_by_se(),
    { id = reading.pick("learned-upward-bias", "learned-upward-bias-printed"),
      says = "local learning has an overall upward bias", measured = stats.jackknife(signed_bias, learned),
      note = "mean relative deviation from the truth over the five inputs" },
    { id = reading.pick("analytic-less-biased", "analytic-less-biased-printed"),
      says = "the analytic mapping is less biased overall than local learning",
      measured = stats.jackknife(function(l, a) return bias(l) - bias(a) end, learned, analytic),
      note = "mean absolute relative bias, learned minus analytic" },
    { id = reading.pick("analytic-down-high", "analytic-down-high-printed"), measured = ratio[5], expected = 1,
      says = "slight downward bias of the mapping at the highest variance",
      judge = judge.all_of(judge.falls_short_by_se(), judge.within()),
      note = "ratio to the truth: below it by three standard errors, but within 10%" },
    { id = reading.pick("analytic-up-low", "analytic-up-low-printed"), measured = ratio[1], expected = 1,
      says = "slight upward bias of the mapping at the lowest variance",
      judge = judge.all_of(judge.exceeds_by_se(), judge.within()),
      note = "ratio to the truth: above it by three standard errors, but within 10%" },
  }
end

--- What is the bias due to? Causes may cancel, so each is measured by the step it makes on the way from the true
--- standard deviation to that of the samples: the logarithm of the ratio, its size averaged over the five inputs.
--- The steps are: the tuning curves (width and spacing of the code, and decoding the whole activity instead of the
--- winner), the prior evidence, and the release with its normaliser. A cause explains the bias if its step is more
--- than half of them all.

local function step(from, to) return (to / from):map(function(r) return math.abs(math.log(r)) end):mean() end

local function shares(code_sd, encoded_sd_, release_sd, winner_sd, decoded_sd)
  local curves = step(truth, code_sd) + step(winner_sd, decoded_sd)
  local prior, release = step(code_sd, encoded_sd_), step(encoded_sd_, release_sd)
  local all = curves + prior + release
  return { release / all, curves / all, prior / all }
end

for _, reading in ipairs(readings.both) do
  local few = P.whole_replicates
  local share = stats.jackknife(shares, field("code", few), field("encoded", few),
    field("exact.analytic_" .. reading.normaliser, few), field("sd.analytic_participation", few), field("decode", few))
  E:claims {
    where = left, reading = reading.name, expected = margins.explains, judge = judge.greater_than(),
    note = "its share of the steps between true and sampled standard deviations; defined after a first look",
    { id = reading.pick("bias-from-normaliser", "bias-from-normaliser-printed"), measured = share[1],
      says = "the bias of the mapping reflects the choice of normaliser" },
    { id = reading.pick("bias-from-readout", "bias-from-readout-printed"), measured = share[2],
      says = "the bias of the mapping reflects the inversion of the tuning curves" },
    { id = reading.pick("bias-from-prior", "bias-from-prior-printed"), measured = share[3], where = "this project",
      says = "the bias of the mapping reflects the prior evidence under every row of weights" },
  }
  E:number(reading.pick({ "BiasShareNormaliser", "BiasShareReadout", "BiasSharePrior" },
    { "BiasShareNormaliserSum", "BiasShareReadoutSum", "BiasSharePriorSum" }), share)
end

--- "More iterations and a lower learning rate" is tried, without draws: does the spread come nearer to the truth,
--- and nearer to that of the analytic mapping?

local function distance(l, a) return ((l - a) / truth):abs():mean() end

E:claim { id = "learned-bias-shrinks", where = left, reading = "default", expected = 0,
          says = "more iterations and a lower learning rate improve the bias of learning",
          measured = stats.jackknife(function(fast, slow, analytic)
            return { bias(fast) - bias(slow), distance(fast, analytic) - distance(slow, analytic) }
          end, field("exact.learned_participation", P.slow_replicates), field("slow", P.slow_replicates),
            field("exact.analytic_participation", P.slow_replicates)),
          judge = judge.every(judge.exceeds_by_se()),
          note = "loss of mean absolute relative deviation from the truth, and from the analytic mapping" }

--- ## Standard errors of the MAP
---
--- The epistemic releases match the Beta variance weight by weight. That says something of a readout that is
--- linear in the weights, such as the population mean [readout:mean]; the winner is not. Both are measured, for the
--- four combinations of root and reference. "On the identity line": slope and intercept of dropout against Beta
--- over the five inputs.

local function identity(beta, dropout)
  local line = stats.regression(beta, dropout)
  return { line.slope, line.intercept / beta:mean(), (dropout / beta):mean() }
end

local map_rows, identity_rows = {}, {}
for k, c in ipairs {
  { "winner", "printed", "AB+1", id = "se-identity-printed", reading = "printed",
    macros = { "SeSlopePrinted", "SeRatioPrinted" } },
  { "winner", "exact", "AB", id = "se-identity", reading = "default", macros = { "SeSlope", "SeRatio" } },
  { "mean", "exact", "AB", id = "se-identity-mean", reading = "exact Phi, linear readout",
    macros = { "SeSlopeMean", "SeRatioMean" } },
  { "mean", "printed", "AB", id = "se-identity-mean-root", reading = "printed Phi, linear readout",
    macros = { "SeSlopeMeanPrintedRoot", "SeRatioMeanPrintedRoot" } },
  { "mean", "printed", "AB+1", id = "se-identity-mean-printed", reading = "printed Phi and Beta, linear readout",
    macros = { "SeSlopeMeanPrinted", "SeRatioMeanPrinted" } },
  { "winner", "printed", "AB" }, { "winner", "exact", "AB+1" }, { "mean", "exact", "AB+1" },
} do
  local readout, root, beta = c[1], c[2], c[3]
  local n = readout == "mean" and P.whole_replicates or P.replicates
  local by_dropout, by_beta = field(readout .. "." .. root, n), field(readout .. "." .. beta, n)
  local d, b = stats.summary(by_dropout), stats.summary(by_beta)
  map_rows[k] = { inputs, readout, root, beta, b, b.lo, b.hi, d, d.lo, d.hi }
  local line = stats.jackknife(identity, by_beta, by_dropout)
  identity_rows[k] = { readout, root, beta, n, line[1], line[2], line[3] }
  if c.id then
    E:claim { id = c.id, says = "MAP standard errors by dropout and by the Beta model fall along the identity line",
              where = "Results, fig:simresults right", reading = c.reading, expected = { 1, 0 },
              judge = judge.each(judge.slope(), judge.near(margins.identity_intercept)),
              measured = { line[1].value, line[2].value }, se = { line[1].se, line[2].se },
              note = string.format("slope, and intercept relative to the mean reference; readout %s, %s root, Beta(%s)",
                readout, root, beta == "AB" and "A,B" or "A+1,B+1") }
    E:number(c.macros[1], line[1])
    E:number(c.macros[2], line[3])
  end
end
E:table("map_errors", { { "x", "input" }, { "readout", "winner, or mean of the whole activity" },
  { "root", "which Phi" }, { "beta", "which Beta reference" },
  { "beta_mean", "standard error of the MAP by the Beta model, mean over replicates" },
  { "beta_se", "its standard error" }, { "beta_lo", "2.5% quantile over replicates" }, { "beta_hi", "97.5% quantile" },
  { "mean", "the same by dropout" }, { "se", "its standard error" }, { "lo", "2.5% quantile" },
  { "hi", "97.5% quantile" } }, map_rows)
E:table("map_identity", { "readout", "root", "beta", "replicates",
  { "slope", "of dropout on Beta over the five inputs" }, "slope_se",
  { "intercept", "relative to the mean Beta standard error" }, "intercept_se",
  { "ratio", "of dropout to Beta, mean over the five inputs" }, "ratio_se" }, identity_rows)

--- Draws of the weights spread the *mean* of the output layer, not the output: they are no substitute for sampling
--- the observed distribution.

E:claim { id = "beta-is-mean-only", where = "Evidence accumulation", reading = "printed", expected = 1,
          says = "draws of the weights give the distribution of the mean activation, not the conditional distribution",
          measured = stats.ratios(field("mean.AB", P.whole_replicates), field("encoded", P.whole_replicates)),
          judge = judge.every(judge.falls_short_by_se()),
          note = "standard deviation of the mean under Beta draws, relative to the encoded one" }

E:finish()
