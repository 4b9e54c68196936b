--- # Variance components
---
--- The original's numerical test of the whole scheme: a network is trained on data whose standard deviation
--- grows with the input, and then asked for samples. How wide are they? Two questions are kept apart. Do the
--- releases of the *observed* distribution [eq:mapping] give samples as wide as the data? And do the
--- *epistemic* releases [eq:beta2dropoutvar] give MAP samples as wide as those of the Beta model they were
--- derived from? [fig:simresults]

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
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
    spaced_replicates = { 40, quick = 3, about = "replicates of each other spacing of the tuning curves" },
    slow_replicates = { 20, quick = 2, about = "replicates that learn slowly too" },
    slow_iterations = { 50000, quick = 10000, about = "iterations of slow learning" },
    slow_rate = { 0.002, about = "rate of slow learning" },
  },
}
local P = E.params
local model = models.simple()
local inputs = model.inputs
local truth = ves.vector(inputs):map(model.sd)

--- ## The network and its releases
---
--- The tuning curves are "equally spaced" on $[-6, 6]$, and the original says no more. With the first and the last on
--- the ends of the range, the inputs $-4$, $0$ and $4$ fall halfway between two curves and $-2$ and $2$ on top of
--- one; with curves in the middles of 100 bins only $0$ falls halfway; with curves at the lower ends of bins none
--- does. All three are computed, the first with more replicates.
---
--- Three or four inputs are active together (above $10^{-3}$), and the releases of one input have to be divided among
--- them. The original suggests the sum of the input vector; it is below 1 halfway between two curves, where we let it
--- divide by nothing at all. The corrected reading divides by the participation number
--- $(\sum x_i)^2 / \sum x_i^2$ [eq:normaliser], which counts two equally active inputs as two.
---
--- Only the rows of inputs that are ever active need to be learned.

local layers = {}
for _, spacing in ipairs(readings.spacings) do
  local code = models.code(spacing)
  local activity = code:encode(inputs)
  layers[spacing] = {
    code = code, centers = code.centers,
    rows = stats.collect(code.n, function(i) return activity:col(i):max() end):above(1e-3),
    present = function(f) return stats.collect(inputs, function(x) return f(x, code:encode(x)) end) end,
  }
end

local function learn(W, layer, rng, iterations, rate)
  return ves.release.learn(W, { algorithm = 2, rule = "power", psi = P.psi, rate = rate, iterations = iterations,
                                active = layer.rows, rng = rng })
end

--- The spread of the winner, exactly: no draws. [eq:winner-multi]
local function exact_sd(W, Q, layer, normaliser)
  return layer.present(function(_, a)
    return pmf.sd((ves.winner.exact(W, ves.release.normalise(Q, a, normaliser), a)), layer.centers)
  end)
end

--- ## One replicate
---
--- New data, new priors [eq:evidence-prior], a new network. The encoded distribution is $W'x$, normalised [eq:mixture];
--- an input that competes first and then transmits alone samples it exactly [eq:two-stage]. Every other method is
--- judged by the standard deviation of its samples, as in the original, and next to it by the exact one.

local function encoded_sd(W, layer)
  return layer.present(function(_, a) return pmf.sd(ves.multi.mixture(W, a), layer.centers) end)
end

local methods = {
  { key = "analytic_sum", name = "analytic", normaliser = "sum" },
  { key = "analytic_participation", name = "analytic", normaliser = "participation" },
  { key = "learned_sum", name = "learned", normaliser = "sum" },
  { key = "learned_participation", name = "learned", normaliser = "participation" },
  { key = "pooled_none", name = "pooled", normaliser = "none" },
}

local function observed(net, W, Q, layer, rng)
  local sd, exact = {}, {}
  for _, m in ipairs(methods) do
    sd[m.key] = layer.present(function(x)
      return net:sample { x = x, release = Q[m.name], normaliser = m.normaliser, draws = P.draws,
                          rng = rng:stream(m.key, x) }:sd()
    end)
    exact[m.key] = exact_sd(W, Q[m.name], layer, m.normaliser)
  end
  sd.two_stage = layer.present(function(x, a)
    local index = ves.multi.two_stage(W, a, { draws = P.draws, rng = rng:stream("two-stage", x) })
    return index:sd() * (layer.centers[2] - layer.centers[1])
  end)
  return sd, exact
end

--- The MAP is sampled by the epistemic releases alone, on weights divided by them so that their mean stays $W$;
--- the Beta model draws the weights themselves.
--- Differs from [eq:beta2dropoutvar]: the exact root beside the printed one. Differs from [eq:beta]: Beta(A,B),
--- whose moments the variance equation uses, beside the printed Beta(A+1,B+1).

local function map_errors(net, layer, readout, rng)
  local se = {}
  for _, root in ipairs { "exact", "printed" } do
    local phi = ves.release.epistemic(net.A, net.B, root)
    se[root] = layer.present(function(x)
      return net:sample { x = x, release = phi, rescale = phi, normaliser = "none", readout = readout,
                          draws = P.draws, rng = rng:stream("dropout", x) }:sd()
    end)
  end
  for _, beta in ipairs { "AB", "AB+1" } do
    se[beta] = layer.present(function(x)
      return net:beta { x = x, beta = beta, readout = readout, draws = P.draws, rng = rng:stream("beta", x) }:sd()
    end)
  end
  return se
end

--- What the data themselves have, and what the code alone does to them: a network without prior evidence to speak of.

local function data_sd(xs, ys, layer)
  return layer.present(function(x) return ys:take((xs - x):abs():less(1e-9):above(0.5)):sd() end)
end

local function encoded_without_prior(xs, ys, layer)
  local bare = ves.network { input = layer.code, output = layer.code, prior_a = 1e-12, prior_b = 4e-12 }
  return encoded_sd(bare:observe(xs, ys):weights(), layer)
end

--- All that is measured of one network; `whole` and `slow` ask for what takes longer.

local function measure(spacing, rng, whole, slow)
  local layer = layers[spacing]
  local net, xs, ys = models.network(model, rng, { rows = P.rows, spacing = spacing })
  local W = net:weights()
  local Q = {
    analytic = ves.release.analytic(W),
    learned = learn(W, layer, rng:stream("learn"), P.iterations, P.rate),
    pooled = ves.release.learn_pooled(W, { inputs = inputs, code = layer.code, algorithm = 2, rule = "power",
      psi = P.psi, rate = P.rate, iterations = P.iterations, rng = rng:stream("pooled") }),
  }
  local result = {
    data = data_sd(xs, ys, layer), code = encoded_without_prior(xs, ys, layer), encoded = encoded_sd(W, layer),
    winner = map_errors(net, layer, "winner", rng:stream("map")),
  }
  result.sd, result.exact = observed(net, W, Q, layer, rng:stream("sample"))
  if whole then
    result.decode = {}
    for _, reading in ipairs(readings.judged) do
      result.decode[reading.name] = layer.present(function(x)
        return net:sample { x = x, release = Q.analytic, normaliser = reading.normaliser, readout = "decode",
                            draws = P.draws, rng = rng:stream("sample", "analytic_" .. reading.normaliser, x) }:sd()
      end)
    end
    result.mean = map_errors(net, layer, "mean", rng:stream("map"))
  end
  if slow then
    local slowly = learn(W, layer, rng:stream("slow"), P.slow_iterations, P.slow_rate)
    local resting = ves.release.equilibrium(W, { rule = "power", psi = P.psi, active = layer.rows })
    result.slow = { sum = exact_sd(W, slowly, layer, "sum"),
                    participation = exact_sd(W, slowly, layer, "participation") }
    result.equilibrium = exact_sd(W, resting, layer, "participation")
  end
  return result
end

--- Networks of the other two spacings have data of their own, the same for both.

local slow_spaced = math.max(2, P.slow_replicates // 2)

local main = E:replicate { name = "main", n = P.replicates, run = function(i, rng)
  return measure("ends", rng, i <= P.whole_replicates, i <= P.slow_replicates)
end }

local others = E:replicate { name = "spaced", n = P.spaced_replicates, run = function(i, rng)
  return { bins = measure("bins", rng, true, i <= slow_spaced),
           open = measure("open", rng, true, i <= slow_spaced) }
end }

--- A field of the replicates with this spacing, of as many as have it: all, or those asked for more.

local how_many = {
  ends = { all = P.replicates, whole = P.whole_replicates, slow = P.slow_replicates },
  bins = { all = P.spaced_replicates, whole = P.spaced_replicates, slow = slow_spaced },
}
how_many.open = how_many.bins

local function field(name, spacing, which)
  spacing = spacing or "ends"
  local n = how_many[spacing][which or "all"]
  return spacing == "ends" and main:column(name, n) or others:column(spacing .. "." .. name, n)
end

--- ## Samples of the observed distribution
---
--- The table has, for each input and method, the mean standard deviation of the samples over replicates, its
--- standard error, and the interval that holds 95% of the replicates.

E:number({ "PriorForLow", "PriorForHigh" }, models.prior_a, nil, { digits = 3 })
E:number({ "PriorAgainstLow", "PriorAgainstHigh" }, models.prior_b, nil, { digits = 3 })

local sd_rows = {}
for k, m in ipairs(methods) do
  local sd, exact = stats.summary(field("sd." .. m.key)), stats.summary(field("exact." .. m.key))
  sd_rows[k] = { inputs, truth, m.name, m.normaliser, sd, sd.lo, sd.hi, exact }
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
local step_rows = {}
for k, step in ipairs {
  { "data", stats.summary(field("data")) }, { "code", stats.summary(field("code")) }, { "encoded", encoded },
  { "two-stage", two_stage }, { "decode", stats.summary(field("decode.corrected", "ends", "whole")) },
  { "slow", stats.summary(field("slow.participation", "ends", "slow")) },
  { "equilibrium", stats.summary(field("equilibrium", "ends", "slow")) },
} do
  step_rows[k] = { inputs, truth, step[1], step[2], step[2].lo, step[2].hi }
end
E:table("sd_steps", { { "x", "input" }, { "truth", "data-generating standard deviation" },
  { "step", "data: of the rows; code: encoded without prior evidence; encoded: with it; two-stage: samples that "
    .. "need no normaliser; decode: analytic release, the whole activity decoded; slow: learned slowly; "
    .. "equilibrium: where learning settles (the last two exact, divided by participation)" },
  { "mean", "standard deviation, mean over replicates" }, { "se", "its standard error" },
  { "lo", "2.5% quantile over replicates" }, { "hi", "97.5% quantile" } }, step_rows)

--- The same without draws for each spacing of the tuning curves. Two-stage release has exactly the encoded spread.

local spread_rows = {}
for _, spacing in ipairs(readings.spacings) do
  local function add(method, normaliser, name)
    spread_rows[#spread_rows + 1] = { spacing, inputs, truth, method, normaliser, stats.summary(field(name, spacing)) }
  end
  add("encoded", "none", "encoded")
  for _, m in ipairs(methods) do add(m.name, m.normaliser, "exact." .. m.key) end
end
E:table("spreads", { { "spacing", "where the centres of the tuning curves lie" }, { "x", "input" },
  { "truth", "data-generating standard deviation" },
  { "method", "encoded, or how the releases were found" }, { "normaliser", "what they are divided by" },
  { "sd", "standard deviation of the exact distribution of winners, mean over replicates" },
  { "se", "its standard error" } }, spread_rows)

--- ### What the original says of it
---
--- "Closely" means within the margin at each of the five inputs, against the truth as in the original. Beside it stands
--- the ratio to what the network encodes, which is all that a release can be asked to sample: where both are far from 1
--- and one is not, two errors cancel.

local left = "Results, fig:simresults left"
local at_inputs = { "x=-4", "x=-2", "x=0", "x=2", "x=4" }

local function to_truth(method)
  return readings.cells(function(reading, spacing)
    local sd = field("sd." .. method .. "_" .. reading.normaliser, spacing)
    return { stats.ratios(sd, truth), beside = { ["over the encoded"] = stats.ratios(sd, field("encoded", spacing)) } }
  end)
end

E:statements {
  where = left, kind = "empirical", at = at_inputs, criterion = is.each(is.within(margins.closely)),
  quantity = "standard deviation of samples over the true one",
  { id = "sd-analytic", says = "The analytic releases closely approximate the true standard deviations.",
    cells = to_truth "analytic", breaks = "release.analytic=uniform" },
  { id = "sd-learned", says = "The locally learned releases closely approximate the true standard deviations.",
    cells = to_truth "learned", breaks = "sample=true" },
}

--- Pooled learning needs no normaliser, so that its two readings are one.

local function pooled(spacing, reference)
  local sd = field("sd.pooled_none", spacing)
  return { stats.ratios(sd, reference),
           beside = { ["over the encoded"] = stats.ratios(sd, field("encoded", spacing)) } }
end

E:statement {
  id = "sd-pooled", kind = "empirical", at = at_inputs, criterion = is.each(is.within(margins.closely)),
  where = "Theoretical model, Transmission probability, several inputs; Local learning rules, Algorithms",
  says = "Learning across the pooled weights of all active inputs solves the same problem and needs no adjustment.",
  quantity = "standard deviation of samples over the true one, release undivided", breaks = "sample=true",
  cells = { printed = pooled("ends", truth), ["printed, bins"] = pooled("bins", truth),
            ["printed, open"] = pooled("open", truth) },
  further = { { reading = "against the encoded", stats.ratios(field("sd.pooled_none"), field("encoded")),
                quantity = "standard deviation of samples over the encoded one" } },
}

--- Whether the rules sample what the network encodes is a statement of its own, made in
--- `10_several_inputs`; here by draws, and for learned releases.

E:further {
  statement = "multi-works-well", kind = "empirical", at = at_inputs, criterion = is.each(is.within(margins.closely)),
  quantity = "exact standard deviation of winners over the encoded one", breaks = "encoded=sampled",
  { reading = "learned, printed", stats.ratios(field("exact.learned_sum"), field("encoded")) },
  { reading = "learned, corrected", stats.ratios(field("exact.learned_participation"), field("encoded")) },
  { reading = "corrected, by draws", stats.ratios(field("sd.analytic_participation"), field("encoded")),
    quantity = "standard deviation of samples over the encoded one" },
}

E:own { id = "sd-two-stage", kind = "empirical", at = at_inputs, criterion = is.each(is.within(margins.closely)),
        says = "Inputs that compete before one transmits sample the encoded distribution.",
        quantity = "standard deviation of samples over the encoded one", breaks = "two_stage=uniform",
        value = stats.ratios(field("sd.two_stage"), field("encoded")) }

--- The bias of a method is the mean over inputs of its relative deviation from the truth, with sign or without.
--- "Slight" is from 1% to 10%.

local function signed_bias(sd) return ((sd - truth) / truth):mean() end
local function bias(sd) return ((sd - truth) / truth):abs():mean() end

--- Cells of a function of the mean standard deviations under the learned and the analytic releases.
local function of_both(f)
  return readings.cells(function(reading, spacing)
    return stats.jackknife(f, field("sd.learned_" .. reading.normaliser, spacing),
      field("sd.analytic_" .. reading.normaliser, spacing))
  end)
end

local function slight(direction) return is.all(direction(1, margins.direction), is.within(margins.closely)) end

E:statements {
  where = left, kind = "empirical", looked = true,
  { id = "learned-upward-bias", says = "Local learning has an overall upward bias ...",
    quantity = "mean relative deviation from the truth over the five inputs", breaks = "sample=wide",
    criterion = is.more(0, margins.direction), cells = of_both(function(l) return signed_bias(l) end) },
  { id = "analytic-less-biased", says = "The analytic releases are less biased overall than the learned ones ...",
    quantity = "mean absolute relative bias, learned less analytic", breaks = "release.analytic=uniform",
    criterion = is.more(0, margins.direction), cells = of_both(function(l, a) return bias(l) - bias(a) end) },
  { id = "analytic-down-high", says = "... with slight downward bias in the highest variances ...",
    quantity = "standard deviation of samples over the true one at x = 4", criterion = slight(is.less),
    breaks = "sample=narrow", cells = of_both(function(_, a) return a[5] / truth[5] end) },
  { id = "analytic-up-low", says = "... and slight upward bias in the lowest.",
    quantity = "standard deviation of samples over the true one at x = -4", criterion = slight(is.more),
    breaks = "sample=wide", cells = of_both(function(_, a) return a[1] / truth[1] end) },
}

--- What is the bias due to? Causes may cancel, so each is measured by the step it makes on the way from the true
--- standard deviation to that of the samples: the logarithm of the ratio, its size averaged over the five inputs.
--- The steps are: the tuning curves (width and spacing of the code, and decoding the whole activity instead of the
--- winner), the prior evidence, and the release with its normaliser. A cause explains the bias if its step is more
--- than half of them all.

local function step(from, to) return (to / from):map(function(r) return math.abs(math.log(r)) end):mean() end

local function shares(code_sd, mixture_sd, release_sd, winner_sd, decoded_sd)
  local curves = step(truth, code_sd) + step(winner_sd, decoded_sd)
  local prior, release = step(code_sd, mixture_sd), step(mixture_sd, release_sd)
  local all = curves + prior + release
  return { release / all, curves / all, prior / all }
end

--- f of the three shares, with its standard error.
local function of_shares(f)
  return function(reading, spacing)
    local release = "analytic_" .. reading.normaliser
    return stats.jackknife(function(...) return f(shares(...)) end, field("code", spacing, "whole"),
      field("encoded", spacing, "whole"), field("exact." .. release, spacing, "whole"),
      field("sd." .. release, spacing, "whole"), field("decode." .. reading.name, spacing, "whole"))
  end
end

E:statement {
  id = "bias-from-normaliser", where = left, kind = "empirical", looked = true, breaks = "network.prior=x10",
  says = "These biases reflect the normaliser, or the inversion of the tuning curves, or both.",
  quantity = "share of both in the steps between true and sampled standard deviations",
  criterion = is.more(margins.explains), cells = readings.cells(of_shares(function(s) return s[1] + s[2] end)),
}
E:own {
  id = "bias-from-prior", kind = "empirical", looked = true, breaks = "network.prior=x10",
  says = "The bias of the mapping reflects the prior evidence under every row of weights.",
  quantity = "its share of the steps between true and sampled standard deviations",
  criterion = is.more(margins.explains), cells = readings.cells(of_shares(function(s) return s[3] end)),
}
for _, reading in ipairs(readings.judged) do
  E:number(reading.pick({ "BiasShareNormaliser", "BiasShareReadout", "BiasSharePrior" },
    { "BiasShareNormaliserSum", "BiasShareReadoutSum", "BiasSharePriorSum" }),
    of_shares(function(s) return s end)(reading, "ends"))
end

--- "More iterations and a lower learning rate" is tried, without draws: how much of the distance to the truth goes, and
--- how much of that to the spread of the analytic mapping?

local function distance(l, a) return ((l - a) / truth):abs():mean() end

E:statement {
  id = "learned-bias-shrinks", where = left, kind = "empirical", looked = true, breaks = "release.learn=hasty",
  says = "... and can be improved with more iterations and a lower rate.", at = { "to-truth", "to-mapping" },
  quantity = "share of the mean absolute relative deviation that goes, from the truth and from the mapping",
  criterion = is.each(is.more(0, margins.differs)), cells = readings.cells(function(reading, spacing)
    return stats.jackknife(function(fast, slow, analytic)
      return { 1 - bias(slow) / bias(fast), 1 - distance(slow, analytic) / distance(fast, analytic) }
    end, field("exact.learned_" .. reading.normaliser, spacing, "slow"),
      field("slow." .. reading.normaliser, spacing, "slow"),
      field("exact.analytic_" .. reading.normaliser, spacing, "slow"))
  end),
}

--- ## Standard errors of the MAP
---
--- The epistemic releases match the Beta variance weight by weight. That says something of a readout that is
--- linear in the weights; the population mean [readout:mean] is a ratio of two such, and near to it; the winner is not.
--- Both are measured, for the four combinations of root and reference. "On the identity line": dropout over Beta, at
--- each of the five inputs. Slope and intercept are in the tables.

local function identity(beta, dropout)
  local line = stats.regression(beta, dropout)
  return { line.slope, line.intercept / beta:mean(), (dropout / beta):mean() }
end

local map_rows, identity_rows = {}, {}
for k, c in ipairs {
  { "winner", "printed", "AB+1", macros = { "SeSlopePrinted", "SeRatioPrinted" } },
  { "winner", "exact", "AB", macros = { "SeSlope", "SeRatio" } },
  { "mean", "exact", "AB", macros = { "SeSlopeMean", "SeRatioMean" } },
  { "mean", "printed", "AB", macros = { "SeSlopeMeanPrintedRoot", "SeRatioMeanPrintedRoot" } },
  { "mean", "printed", "AB+1", macros = { "SeSlopeMeanPrinted", "SeRatioMeanPrinted" } },
  { "winner", "printed", "AB" }, { "winner", "exact", "AB+1" }, { "mean", "exact", "AB+1" },
} do
  local readout, root, beta = c[1], c[2], c[3]
  local which = readout == "mean" and "whole" or "all"
  local by_dropout = field(readout .. "." .. root, "ends", which)
  local by_beta = field(readout .. "." .. beta, "ends", which)
  local d, b = stats.summary(by_dropout), stats.summary(by_beta)
  map_rows[k] = { inputs, readout, root, beta, b, b.lo, b.hi, d, d.lo, d.hi }
  local line = stats.jackknife(identity, by_beta, by_dropout)
  identity_rows[k] = { readout, root, beta, how_many.ends[which], line[1], line[2], line[3] }
  if c.macros then
    E:number(c.macros[1], line[1])
    E:number(c.macros[2], line[3])
  end
end

local right = "Results, fig:simresults right"

local function dropout_over_beta(readout, root, beta, spacing)
  local which = readout == "mean" and "whole" or "all"
  return stats.ratios(field(readout .. "." .. root, spacing, which), field(readout .. "." .. beta, spacing, which))
end

E:statements {
  where = right, at = at_inputs, criterion = is.each(is.within(margins.closely)), looked = true,
  quantity = "dropout over Beta standard error", breaks = "epistemic=squared",
  { id = "se-identity", kind = "empirical",
    says = "MAP standard errors by dropout and by the Beta model fall along the identity line.",
    cells = readings.cells(function(reading, spacing)
      return dropout_over_beta("winner", reading.root, reading.beta, spacing)
    end),
    further = {
      { reading = "mean readout, corrected", dropout_over_beta("mean", "exact", "AB") },
      { reading = "mean readout, printed root, Beta(A,B)", dropout_over_beta("mean", "printed", "AB") },
      { reading = "mean readout, printed", dropout_over_beta("mean", "printed", "AB+1") },
    } },
  { id = "se-expected", kind = "mathematical",
    says = "This is expected because Phi was derived from the Beta variance.",
    missing = "the printed root does not match the variance of a weight (phi-variance)",
    cells = { corrected = dropout_over_beta("winner", "exact", "AB") },
    further = { { reading = "mean readout, corrected", dropout_over_beta("mean", "exact", "AB") } },
    note = "equal variances of the weights give equal standard errors of what is linear in them, of no other readout" },
}
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

--- Draws of the weights spread the *mean* of the output layer, not the output: even their winner is no substitute for
--- sampling the observed distribution.

E:statement {
  id = "beta-is-mean-only", where = "Theoretical model, Evidence accumulation", kind = "empirical", at = at_inputs,
  says = "Draws of the weights give the distribution of the mean activation, not the conditional distribution.",
  quantity = "standard deviation of the winner under Beta draws over the encoded one", looked = true,
  criterion = is.each(is.less(1, margins.differs)), breaks = "beta=wide",
  cells = readings.cells(function(reading, spacing)
    return stats.ratios(field("winner." .. reading.beta, spacing), field("encoded", spacing))
  end),
}

E:finish()
