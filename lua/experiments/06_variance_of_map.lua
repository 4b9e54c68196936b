--- # Standard errors of the MAP
---
--- Weights that were learned from few data are uncertain. Epistemic release makes a synapse fail so that its output has
--- the variance of its weight, which is Beta-distributed by the evidence [eq:beta2dropoutvar]; samples of the MAP are
--- then said to be as wide as if the weights themselves were drawn. The networks are those of `06_variance_components`,
--- drawn from the same streams. [fig:simresults]

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local readings = require "vesicle.model.readings"
local spread = require "vesicle.model.spread"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "06_variance_of_map", title = "variance of MAP samples", figure = { "fig:simresults" },
  streams = "06_variance_components",
  params = {
    replicates = { 30, quick = 6, about = "data sets, each with its own network" },
    draws = { 1000, quick = 300, about = "samples per input" },
    rows = { 4000, about = "rows of data" },
    whole_replicates = { 12, quick = 3, about = "replicates in which the mean of the activity is read out too" },
    spaced_replicates = { 20, quick = 3, about = "replicates of each other spacing of the tuning curves" },
  },
}
local P = E.params
local model, at_inputs = models.simple(), spread.at

--- ## Draws of the MAP
---
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
  local plus = {}
  se.AB = layer.present(function(x)
    local by_ab, by_ab1 = net:beta { x = x, beta = "both", readout = readout, draws = P.draws,
                                     rng = rng:stream("beta", x) }
    plus[x] = by_ab1:sd()
    return by_ab:sd()
  end)
  se["AB+1"] = layer.present(function(x) return plus[x] end)
  return se
end

--- The epistemic releases match the Beta variance weight by weight. That says something of a readout that is linear in
--- the weights; the population mean [readout:mean] is a ratio of two such, and near to it; the winner is not. Both are
--- measured, the mean in the first replicates only.

local layers = {}
for _, spacing in ipairs(readings.spacings) do layers[spacing] = spread.layer(spacing) end

local function measure(spacing, rng, whole)
  local layer = layers[spacing]
  local net = models.network(model, rng, { rows = P.rows, spacing = spacing })
  return { encoded = spread.encoded(net:weights(), layer), winner = map_errors(net, layer, "winner", rng:stream("map")),
           mean = whole and map_errors(net, layer, "mean", rng:stream("map")) or nil }
end

local main = E:replicate { name = "main", n = P.replicates, run = function(i, rng)
  return measure("ends", rng, i <= P.whole_replicates)
end }

local others = E:replicate { name = "spaced", n = P.spaced_replicates, run = function(_, rng)
  return { bins = measure("bins", rng), open = measure("open", rng) }
end }

local counts = { winner = P.replicates, mean = P.whole_replicates }

local function field(name, spacing)
  if spacing and spacing ~= "ends" then return others:column(spacing .. "." .. name) end
  return main:column(name, counts[name:match("^%l+")])
end

--- ## Dropout against Beta
---
--- All combinations of readout, root and reference. Slope and intercept are of a line through the five inputs.

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
  local by_dropout, by_beta = field(readout .. "." .. root), field(readout .. "." .. beta)
  local d, b = stats.summary(by_dropout), stats.summary(by_beta)
  map_rows[k] = { spread.inputs, readout, root, beta, b, b.lo, b.hi, d, d.lo, d.hi }
  local line = stats.jackknife(identity, by_beta, by_dropout)
  identity_rows[k] = { readout, root, beta, counts[readout], line[1], line[2], line[3] }
  if c.macros then
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

--- "On the identity line": dropout over Beta, at each of the five inputs.

local function dropout_over_beta(readout, root, beta, spacing)
  return stats.ratios(field(readout .. "." .. root, spacing), field(readout .. "." .. beta, spacing))
end

E:statements {
  where = "Results, fig:simresults right", at = at_inputs, criterion = is.each(is.within(margins.closely)),
  looked = true, quantity = "dropout over Beta standard error", breaks = "epistemic=squared",
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
  { id = "se-expected", kind = "mathematical", fact = "se-identity",
    says = "MAP standard errors by dropout and by the Beta model agree because Phi was derived from the Beta variance.",
    missing = "the printed root does not match the variance of a weight (phi-variance)",
    cells = { corrected = dropout_over_beta("winner", "exact", "AB") },
    further = { { reading = "mean readout, corrected", dropout_over_beta("mean", "exact", "AB") } },
    note = "equal variances of the weights give equal standard errors of what is linear in them, of no other readout" },
}

--- ## Draws of the weights are no samples of the output
---
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
