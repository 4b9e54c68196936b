--- # Variance components
---
--- The original's numerical test of the whole scheme: a network is trained on data whose standard deviation
--- grows with the input, and then asked for samples. How wide are they? Two questions are kept apart. Do the
--- releases of the *observed* distribution [eq:mapping] give samples as wide as the data? That is asked here, and
--- `06_variance_sources` asks what the deviations are due to. And do the *epistemic* releases [eq:beta2dropoutvar] give
--- MAP samples as wide as those of the Beta model they were derived from? That is asked in `06_variance_of_map`.
--- [fig:simresults]

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local readings = require "vesicle.model.readings"
local spread = require "vesicle.model.spread"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "06_variance_components", title = "variance of samples", figure = { "fig:simresults" },
  params = {
    replicates = { 200, quick = 6, about = "data sets, each with its own network" },
    draws = { 1000, quick = 300, about = "samples per input" },
    rows = { 4000, about = "rows of data" },
    psi = { 8.0, range = { 1, 20 }, about = "exponent of the learning rule" },
    rate = { 0.01, range = { 1e-4, 0.2 }, about = "learning rate gamma" },
    iterations = { 5000, about = "iterations of Algorithm 2" },
    spaced_replicates = { 40, quick = 3, about = "replicates of each other spacing of the tuning curves" },
  },
}
local P = E.params
local model, inputs, truth = models.simple(), spread.inputs, spread.truth

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

local methods = {
  { key = "analytic_sum", name = "analytic", normaliser = "sum" },
  { key = "analytic_participation", name = "analytic", normaliser = "participation" },
  { key = "learned_sum", name = "learned", normaliser = "sum" },
  { key = "learned_participation", name = "learned", normaliser = "participation" },
  { key = "pooled_none", name = "pooled", normaliser = "none" },
}

local function releases(W, layer, rng)
  return {
    analytic = ves.release.analytic(W),
    learned = ves.release.learn(W, { algorithm = 2, rule = "power", psi = P.psi, rate = P.rate,
      iterations = P.iterations, active = layer.rows, rng = rng:stream("learn") }),
    pooled = ves.release.learn_pooled(W, { inputs = inputs, code = layer.code, algorithm = 2, rule = "power",
      psi = P.psi, rate = P.rate, iterations = P.iterations, rng = rng:stream("pooled") }),
  }
end

--- ## One replicate
---
--- New data, new priors [eq:evidence-prior], a new network. The encoded distribution is $W'x$, normalised [eq:mixture];
--- an input that competes first and then transmits alone samples it exactly [eq:two-stage]. Every other method is
--- judged by the standard deviation of its samples, as in the original, and next to it by the exact one.

local layers = {}
for _, spacing in ipairs(readings.spacings) do layers[spacing] = spread.layer(spacing) end

local function measure(spacing, rng)
  local layer = layers[spacing]
  local net = models.network(model, rng, { rows = P.rows, spacing = spacing })
  local W, sampling = net:weights(), rng:stream("sample")
  local Q, sd, exact = releases(W, layer, rng), {}, {}
  for _, m in ipairs(methods) do
    sd[m.key] = layer.present(function(x)
      return net:sample { x = x, release = Q[m.name], normaliser = m.normaliser, draws = P.draws,
                          rng = sampling:stream(m.key, x) }:sd()
    end)
    exact[m.key] = spread.winner(W, Q[m.name], layer, m.normaliser)
  end
  sd.two_stage = layer.present(function(x, a)
    local index = ves.multi.two_stage(W, a, { draws = P.draws, rng = sampling:stream("two-stage", x) })
    return index:sd() * (layer.centers[2] - layer.centers[1])
  end)
  return { encoded = spread.encoded(W, layer), sd = sd, exact = exact }
end

--- Networks of the other two spacings have data of their own, the same for both.

local main = E:replicate { name = "main", n = P.replicates, run = function(_, rng) return measure("ends", rng) end }

local others = E:replicate { name = "spaced", n = P.spaced_replicates, run = function(_, rng)
  return { bins = measure("bins", rng), open = measure("open", rng) }
end }

local function field(name, spacing)
  if not spacing or spacing == "ends" then return main:column(name) end
  return others:column(spacing .. "." .. name)
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

local left, at_inputs = "Results, fig:simresults left", spread.at

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
  unasked = "the statement describes an error of the original's samples, which to lack or to share is no gain",
  { id = "learned-upward-bias", says = "Spreads sampled with locally learned releases have an overall upward bias.",
    quantity = "mean relative deviation from the truth over the five inputs", breaks = "sample=wide",
    criterion = is.more(0, margins.direction), cells = of_both(function(l) return signed_bias(l) end) },
  { id = "analytic-less-biased",
    says = "Spreads sampled with the analytic releases are less biased overall than with the learned ones.",
    quantity = "mean absolute relative bias, learned less analytic", breaks = "release.analytic=uniform",
    criterion = is.more(0, margins.direction), cells = of_both(function(l, a) return bias(l) - bias(a) end) },
  { id = "analytic-down-high", says = "The analytic releases give the highest variances a slight downward bias.",
    quantity = "standard deviation of samples over the true one at x = 4", criterion = slight(is.less),
    breaks = "sample=narrow", cells = of_both(function(_, a) return a[5] / truth[5] end) },
  { id = "analytic-up-low", says = "The analytic releases give the lowest variances a slight upward bias.",
    quantity = "standard deviation of samples over the true one at x = -4", criterion = slight(is.more),
    breaks = "sample=wide", cells = of_both(function(_, a) return a[1] / truth[1] end) },
}

E:finish()
