--- # Variance components
---
--- The original's numerical test of the whole scheme: a network is trained on data whose standard deviation
--- grows with the input, and then asked for samples. How wide are they? Two questions are kept apart. Do the
--- releases of the *observed* distribution [eq:mapping] give samples as wide as the data? And do the
--- *epistemic* releases [eq:beta2dropoutvar] give MAP samples as wide as those of the Beta model they were
--- derived from? [fig:simresults]

local ves = require "vesicle"
local by_input = require "vesicle.by_input"
local ex = require "vesicle.experiment"
local jackknife = require "vesicle.jackknife"
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
    replicates = 200, draws = 1000, rows = 4000, psi = 8.0, rate = 0.01, iterations = 5000,
    whole_replicates = 30, slow_replicates = 20, slow_iterations = 50000, slow_rate = 0.002,
  },
  quick = { replicates = 6, draws = 300, whole_replicates = 3, slow_replicates = 2, slow_iterations = 10000 },
  about = {
    replicates = "data sets, each with its own network", draws = "samples per input",
    rows = "rows of data", psi = "exponent of the learning rule", rate = "learning rate gamma",
    iterations = "iterations of Algorithm 2",
    whole_replicates = "replicates in which the whole activity is read out too",
    slow_replicates = "replicates that learn slowly too",
    slow_iterations = "iterations of slow learning", slow_rate = "rate of slow learning",
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

local function present(f)
  local values = {}
  for g, x in ipairs(inputs) do values[g] = f(x, code:encode(x), g) end
  return values
end

local rows = {}
for i = 1, code.n do
  local most = 0.0
  present(function(_, a) most = math.max(most, a[i]) return 0 end)
  if most > 1e-3 then rows[#rows + 1] = i end
end

--- f applied to the active rows of W; the others release nothing.
local function on_active_rows(W, f)
  local part, Q = ves.matrix(#rows, W.cols), ves.matrix(W.rows, W.cols)
  for k, i in ipairs(rows) do part[k] = W[i] end
  part = f(part)
  for k, i in ipairs(rows) do Q[i] = part[k] end
  return Q
end

local function learn(W, rng, iterations, rate)
  return on_active_rows(W, function(part)
    return ves.release.learn(part, { algorithm = 2, rule = "power", psi = P.psi, rate = rate,
                                     iterations = iterations, rng = rng })
  end)
end

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

local methods = {
  { name = "analytic", normaliser = "sum" }, { name = "analytic", normaliser = "participation" },
  { name = "learned", normaliser = "sum" }, { name = "learned", normaliser = "participation" },
  { name = "pooled", normaliser = "none" },
}
for _, m in ipairs(methods) do m.key = m.name .. "_" .. m.normaliser end

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
  exact.two_stage = present(function(_, a) return pmf.sd(ves.multi.two_stage_exact(W, a), centers) end)
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
      return net:beta { x = x, beta = beta, readout = readout, draws = P.draws,
                        rng = rng:stream("beta", x) }:sd()
    end)
  end
  return se
end

local function data_sd(xs, ys)
  local x_of, y_of = xs:totable(), ys:totable()
  return present(function(x)
    local group = {}
    for r, own in ipairs(x_of) do if own == x then group[#group + 1] = y_of[r] end end
    return stats.sd(group)
  end)
end

--- What the code alone does to the data: the network without prior evidence to speak of.
local function encoded_without_prior(xs, ys)
  local bare = ves.network { input = code, output = code, prior_a = 1e-12, prior_b = 4e-12 }
  local W = bare:observe(xs, ys):weights()
  return present(function(_, a) return pmf.sd(ves.multi.mixture(W, a), centers) end)
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
  local sd, exact = observed(net, W, Q, rng:stream("sample"))
  local result = {
    data = data_sd(xs, ys), code = encoded_without_prior(xs, ys),
    encoded = present(function(_, a) return pmf.sd(ves.multi.mixture(W, a), centers) end),
    sd = sd, exact = exact, winner = map_errors(net, "winner", rng:stream("map")),
  }
  if i <= P.whole_replicates then
    result.decode = present(function(x)
      return net:sample { x = x, release = Q.analytic, readout = "decode", draws = P.draws,
                          rng = rng:stream("sample", "analytic_participation", x) }:sd()
    end)
    result.mean = map_errors(net, "mean", rng:stream("map"))
  end
  if i <= P.slow_replicates then
    result.slow = exact_sd(W, learn(W, rng:stream("slow"), P.slow_iterations, P.slow_rate), "participation")
    result.equilibrium = exact_sd(W, on_active_rows(W, function(part)
      return ves.release.equilibrium(part, { rule = "power", psi = P.psi })
    end), "participation")
  end
  return result
end }

local function field(name, n) return by_input.matrix(main, name, n) end

--- ## Samples of the observed distribution
---
--- The table has, for each input and method, the mean standard deviation of the samples over replicates, its
--- standard error, and the interval that holds 95% of the replicates.

local label = { "MinusFour", "MinusTwo", "Zero", "Two", "Four" }
local macro = {
  analytic_sum = "SdAnalyticSum", analytic_participation = "SdAnalytic", learned_sum = "SdLearnedSum",
  learned_participation = "SdLearned", pooled_none = "SdPooled",
}
for g = 1, #inputs do E:number("SdTrue" .. label[g], truth[g], nil, { digits = 2 }) end
for _, prior in ipairs { { "PriorFor", models.prior_a }, { "PriorAgainst", models.prior_b } } do
  E:number(prior[1] .. "Low", prior[2][1], nil, { digits = 3 })
  E:number(prior[1] .. "High", prior[2][2], nil, { digits = 3 })
end
local sd_rows = {}
for _, m in ipairs(methods) do
  local sampled, exact = field("sd." .. m.key), field("exact." .. m.key)
  for g, x in ipairs(inputs) do
    local mean, se, lo, hi = by_input.summary(sampled, g)
    local mean_exact, se_exact = by_input.summary(exact, g)
    sd_rows[#sd_rows + 1] = { x, truth[g], m.name, m.normaliser, mean, se, lo, hi, mean_exact, se_exact }
    E:number(macro[m.key] .. label[g], mean, se)
  end
end
E:table("sd_by_input", { "x", "truth", "method", "normaliser", "mean", "se", "lo", "hi", "exact", "exact_se" },
  sd_rows, { meaning = {
    x = "input", truth = "data-generating standard deviation", method = "how the releases were found",
    normaliser = "what they are divided by", mean = "standard deviation of samples, mean over replicates",
    se = "its standard error", lo = "2.5% quantile over replicates", hi = "97.5% quantile",
    exact = "the same without draws, from the exact winner distribution", exact_se = "its standard error" } })

--- The reference is not only the truth. Between the data-generating distribution and the samples lie the data
--- themselves, the width and spacing of the tuning curves, the prior evidence (a floor under every row of weights,
--- which at a small standard deviation carries more variance than the data), and only then the releases.

local steps = {
  { "data", field("data") }, { "code", field("code") }, { "encoded", field("encoded") },
  { "two-stage", field("sd.two_stage") }, { "decode", field("decode", P.whole_replicates) },
  { "slow", field("slow", P.slow_replicates) }, { "equilibrium", field("equilibrium", P.slow_replicates) },
}
local step_rows = {}
for _, step in ipairs(steps) do
  for g, x in ipairs(inputs) do
    local mean, se, lo, hi = by_input.summary(step[2], g)
    step_rows[#step_rows + 1] = { x, truth[g], step[1], mean, se, lo, hi }
    if step[1] == "encoded" then E:number("SdEncoded" .. label[g], mean, se) end
    if step[1] == "two-stage" then E:number("SdTwoStage" .. label[g], mean, se) end
  end
end
E:table("sd_steps", { "x", "truth", "step", "mean", "se", "lo", "hi" }, step_rows, { meaning = {
  x = "input", truth = "data-generating standard deviation",
  step = "data: of the rows; code: encoded without prior evidence; encoded: with it; two-stage: samples that "
    .. "need no normaliser; decode: analytic release, the whole activity decoded; slow: learned slowly; "
    .. "equilibrium: where learning settles (the last two exact, divided by participation)",
  mean = "standard deviation, mean over replicates", se = "its standard error",
  lo = "2.5% quantile over replicates", hi = "97.5% quantile" } })

--- ### Verdicts
---
--- "Closely" means within the margin at each of the five inputs, against the truth as in the original, and
--- against what the network encodes, which is what a release can be asked to sample.

local left = "Results, fig:simresults left"
local exactly, encoded = ves.matrix(P.replicates, #inputs), field("encoded")
for i = 1, P.replicates do exactly[i] = truth end

local closely = "closely approximates the true standard deviations"
for _, c in ipairs {
  { id = "sd-analytic", says = "the analytic mapping " .. closely, reading = "default",
    field = "analytic_participation", note = "release divided by participation" },
  { id = "sd-analytic-printed", says = "the analytic mapping " .. closely, reading = "printed",
    field = "analytic_sum", note = "release divided by the sum of the input vector" },
  { id = "sd-learned", says = "local learning " .. closely, reading = "default",
    field = "learned_participation", note = "release divided by participation" },
  { id = "sd-learned-printed", says = "local learning " .. closely, reading = "printed",
    field = "learned_sum", note = "release divided by the sum of the input vector" },
  { id = "sd-pooled", says = "learning across pooled inputs needs no adjustment for several active inputs",
    reading = "printed", where = "Algorithms", field = "pooled_none", note = "against the true standard deviation" },
  { id = "sd-vs-encoded", says = "the analytic mapping samples the encoded distribution", against = encoded,
    field = "analytic_participation", note = "release divided by participation" },
  { id = "sd-vs-encoded-learned", says = "local learning samples the encoded distribution", against = encoded,
    field = "learned_participation", note = "release divided by participation" },
  { id = "sd-vs-encoded-pooled", says = "learning across pooled inputs samples the encoded distribution",
    against = encoded, where = "Algorithms", field = "pooled_none", note = "release undivided" },
  { id = "sd-two-stage", says = "inputs that compete before one transmits sample the encoded distribution",
    against = encoded, where = "this project", field = "two_stage", note = "two-stage release" },
} do
  local measured, ses = by_input.ratios(field("sd." .. c.field), c.against or exactly)
  E:claim { id = c.id, says = c.says, where = c.where or left, measured = measured, se = ses, expected = 1,
            reading = c.reading or "against the encoded distribution", judge = judge.every(judge.within()),
            note = "ratio at each input; " .. c.note }
end

--- The bias of a method is the mean over inputs of its relative deviation from the truth, with sign or without.

local function signed_bias(sd) return ((sd - truth) / truth):mean() end
local function bias(sd) return ((sd - truth) / truth):abs():mean() end

for _, reading in ipairs(readings.both) do
  local analytic, learned = field("sd.analytic_" .. reading.normaliser), field("sd.learned_" .. reading.normaliser)
  local function claim(id, says, measured, se, expected, verdict, note)
    E:claim { id = id .. reading.suffix, says = says, where = left, reading = reading.name, measured = measured,
              se = se, expected = expected, judge = verdict, note = note }
  end
  local up, up_se = jackknife(signed_bias, learned)
  claim("learned-upward-bias", "local learning has an overall upward bias", up, up_se, 0, judge.exceeds_by_se(),
    "mean relative deviation from the truth over the five inputs")
  local less, less_se = jackknife(function(l, a) return bias(l) - bias(a) end, learned, analytic)
  claim("analytic-less-biased", "the analytic mapping is less biased overall than local learning", less, less_se, 0,
    judge.exceeds_by_se(), "mean absolute relative bias, learned minus analytic")
  local ratio, se = by_input.ratios(analytic, exactly)
  claim("analytic-down-high", "slight downward bias of the mapping at the highest variance", ratio[5], se[5], 1,
    judge.all_of(judge.falls_short_by_se(), judge.within()),
    "ratio to the truth: below it by three standard errors, but within 10%")
  claim("analytic-up-low", "slight upward bias of the mapping at the lowest variance", ratio[1], se[1], 1,
    judge.all_of(judge.exceeds_by_se(), judge.within()),
    "ratio to the truth: above it by three standard errors, but within 10%")
end

--- What is the bias due to? Causes may cancel, so each is measured by the step it makes on the way from the true
--- standard deviation to that of the samples: the logarithm of the ratio, its size averaged over the five inputs.
--- The steps are: the tuning curves (width and spacing of the code, and decoding the whole activity instead of the
--- winner), the prior evidence, and the release with its normaliser. A cause explains the bias if its step is more
--- than half of them all.

local function step(from, to) return (to / from):map(function(r) return math.abs(math.log(r)) end):mean() end

local few = P.whole_replicates
for _, reading in ipairs(readings.both) do
  local path = { field("code", few), field("encoded", few), field("exact.analytic_" .. reading.normaliser, few),
                 field("sd.analytic_participation", few), field("decode", few) }
  local function shares(code_sd, encoded_sd, release_sd, winner_sd, decoded_sd)
    local curves = step(truth, code_sd) + step(winner_sd, decoded_sd)
    local prior, release = step(code_sd, encoded_sd), step(encoded_sd, release_sd)
    local all = curves + prior + release
    return { normaliser = release / all, readout = curves / all, prior = prior / all }
  end
  for _, cause in ipairs {
    { "normaliser", "the choice of normaliser", left, macro = "BiasShareNormaliser" },
    { "readout", "the inversion of the tuning curves", left, macro = "BiasShareReadout" },
    { "prior", "the prior evidence under every row of weights", "this project", macro = "BiasSharePrior" },
  } do
    local share, se = jackknife(function(...) return shares(...)[cause[1]] end, table.unpack(path))
    E:claim { id = "bias-from-" .. cause[1] .. reading.suffix, where = cause[3], reading = reading.name,
              says = "the bias of the mapping reflects " .. cause[2], measured = share, se = se,
              expected = margins.explains, judge = judge.greater_than(),
              note = "its share of the steps between true and sampled standard deviations; defined after a first look" }
    E:number(cause.macro .. (reading.name == "printed" and "Sum" or ""), share, se)
  end
end

--- "More iterations and a lower learning rate" is tried, without draws: does the spread come nearer to the truth,
--- and nearer to that of the analytic mapping?

few = P.slow_replicates
local fast, slow = field("exact.learned_participation", few), field("slow", few)
local analytic = field("exact.analytic_participation", few)
local function distance(l, a) return ((l - a) / truth):abs():mean() end
local nearer_truth, nearer_truth_se = jackknife(function(f, s) return bias(f) - bias(s) end, fast, slow)
local nearer, nearer_se = jackknife(function(f, s, a) return distance(f, a) - distance(s, a) end, fast, slow, analytic)
E:claim { id = "learned-bias-shrinks", where = left, reading = "default", measured = { nearer_truth, nearer },
          se = { nearer_truth_se, nearer_se }, expected = 0, judge = judge.every(judge.exceeds_by_se()),
          says = "more iterations and a lower learning rate improve the bias of learning",
          note = "loss of mean absolute relative deviation from the truth, and from the analytic mapping" }

--- ## Standard errors of the MAP
---
--- The epistemic releases match the Beta variance weight by weight. That says something of a readout that is
--- linear in the weights, such as the population mean [readout:mean]; the winner is not. Both are measured, for the
--- four combinations of root and reference. "On the identity line": slope and intercept of dropout against Beta
--- over the five inputs.

local map_rows, identity_rows = {}, {}
local function identity(readout, root, beta, n)
  local dropout, reference = field(readout .. "." .. root, n), field(readout .. "." .. beta, n)
  for g, x in ipairs(inputs) do
    local mean, se, lo, hi = by_input.summary(dropout, g)
    local beta_mean, beta_se, beta_lo, beta_hi = by_input.summary(reference, g)
    map_rows[#map_rows + 1] = { x, readout, root, beta, beta_mean, beta_se, beta_lo, beta_hi, mean, se, lo, hi }
  end
  local slope, slope_se = jackknife(function(b, d) return stats.regression(b, d).slope end, reference, dropout)
  local offset, offset_se = jackknife(function(b, d) return stats.regression(b, d).intercept / b:mean() end,
    reference, dropout)
  local ratio, ratio_se = jackknife(function(b, d) return (d / b):mean() end, reference, dropout)
  identity_rows[#identity_rows + 1] = { readout, root, beta, #dropout, slope, slope_se, offset, offset_se, ratio,
                                        ratio_se }
  return { slope, offset }, { slope_se, offset_se }, ratio, ratio_se
end

local on_identity = judge.all_of(
  function(m) return judge.slope()(m[1]) end,
  function(m) return judge.near(margins.identity_intercept)(m[2], nil, { expected = 0 }) end)

local wanted = {
  { "winner", "printed", "AB+1", id = "se-identity-printed", reading = "printed", macro = "SeSlopePrinted" },
  { "winner", "exact", "AB", id = "se-identity", reading = "default", macro = "SeSlope" },
  { "mean", "exact", "AB", id = "se-identity-mean", reading = "exact Phi, linear readout", macro = "SeSlopeMean" },
  { "mean", "printed", "AB", id = "se-identity-mean-root", reading = "printed Phi, linear readout",
    macro = "SeSlopeMeanPrintedRoot" },
  { "mean", "printed", "AB+1", id = "se-identity-mean-printed", reading = "printed Phi and Beta, linear readout",
    macro = "SeSlopeMeanPrinted" },
  { "winner", "printed", "AB" }, { "winner", "exact", "AB+1" }, { "mean", "exact", "AB+1" },
}
for _, w in ipairs(wanted) do
  local measured, ses, ratio, ratio_se = identity(w[1], w[2], w[3], w[1] == "mean" and P.whole_replicates or nil)
  if w.id then
    E:claim { id = w.id, says = "MAP standard errors by dropout and by the Beta model fall along the identity line",
              where = "Results, fig:simresults right", reading = w.reading, measured = measured, se = ses,
              expected = { 1, 0 }, judge = on_identity,
              note = string.format("slope, and intercept relative to the mean reference; readout %s, %s root, Beta(%s)",
                w[1], w[2], w[3] == "AB" and "A,B" or "A+1,B+1") }
    E:number(w.macro, measured[1], ses[1])
    E:number(w.macro:gsub("Slope", "Ratio"), ratio, ratio_se)
  end
end
E:table("map_errors", { "x", "readout", "root", "beta", "beta_mean", "beta_se", "beta_lo", "beta_hi", "mean", "se",
                        "lo", "hi" }, map_rows, { meaning = {
  x = "input", readout = "winner, or mean of the whole activity", root = "which Phi", beta = "which Beta reference",
  beta_mean = "standard error of the MAP by the Beta model, mean over replicates", beta_se = "its standard error",
  beta_lo = "2.5% quantile over replicates", beta_hi = "97.5% quantile",
  mean = "the same by dropout", se = "its standard error", lo = "2.5% quantile", hi = "97.5% quantile" } })
E:table("map_identity", { "readout", "root", "beta", "replicates", "slope", "slope_se", "intercept", "intercept_se",
                          "ratio", "ratio_se" }, identity_rows, { meaning = {
  slope = "of dropout on Beta over the five inputs", intercept = "relative to the mean Beta standard error",
  ratio = "of dropout to Beta, mean over the five inputs" } })

--- Draws of the weights spread the *mean* of the output layer, not the output: they are no substitute for sampling
--- the observed distribution.

local spread, spread_se = by_input.ratios(field("mean.AB", P.whole_replicates), field("encoded", P.whole_replicates))
E:claim { id = "beta-is-mean-only", where = "Evidence accumulation", reading = "printed", measured = spread,
          says = "draws of the weights give the distribution of the mean activation, not the conditional distribution",
          se = spread_se, expected = 1, judge = judge.every(judge.falls_short_by_se()),
          note = "standard deviation of the mean under Beta draws, relative to the encoded one" }

E:finish()
