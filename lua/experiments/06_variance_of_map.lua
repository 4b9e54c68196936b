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
    replicates = { 200, quick = 6, about = "data sets, each with its own network" },
    draws = { 1000, quick = 300, about = "samples per input" },
    rows = { 4000, about = "rows of data" },
    spaced_replicates = { 200, quick = 3, about = "replicates of each other spacing of the tuning curves" },
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

local kinds = { "exact", "printed", "AB", "AB+1" }

--- What draws say, for both roots and both references, at each of the five inputs.
local function map_draws(net, readout, rng)
  local draws = { exact = {}, printed = {}, AB = {}, ["AB+1"] = {} }
  for k, x in ipairs(spread.inputs) do
    for _, root in ipairs { "exact", "printed" } do
      local phi = ves.release.epistemic(net.A, net.B, root)
      draws[root][k] = net:sample { x = x, release = phi, rescale = phi, normaliser = "none", readout = readout,
                                    draws = P.draws, rng = rng:stream("dropout", x) }
    end
    draws.AB[k], draws["AB+1"][k] = net:beta { x = x, beta = "both", readout = readout, draws = P.draws,
                                               rng = rng:stream("beta", x) }
  end
  return draws
end

--- ## The decoder, which the original leaves open
---
--- The epistemic releases match the Beta variance weight by weight. What follows for a sample depends on how a number
--- is read from the activity. The original decodes the masked activity $(M \odot W)'x$ with a Gaussian kernel matrix
--- $H$, $\hat y = \arg\max_z H Y'$, and prints neither the width of $H$ nor whether lateral inhibition comes before
--- [eq:decode]. With inhibition a sample is the winner, whatever the width. Without it, as the formula reads, the whole
--- activity is decoded, with kernels of seven widths. As they grow, the peak approaches the population mean
--- [readout:mean], which is a ratio of two linear functions of the weights, and so nearly linear itself.

local layers = {}
for _, spacing in ipairs(readings.spacings) do layers[spacing] = spread.layer(spacing) end

local function measure(spacing, rng, whole)
  local layer, winner = layers[spacing], {}
  local net = models.network(model, rng, { rows = P.rows, spacing = spacing })
  local winners = map_draws(net, "winner", rng:stream("map"))
  for _, kind in ipairs(kinds) do
    winner[kind] = stats.collect(winners[kind], function(values) return values:sd() end)
  end
  local sd = whole and spread.whole(map_draws(net, "activity", rng:stream("map")), layer.code) or {}
  sd.winner, sd.encoded = winner, spread.encoded(net:weights(), layer)
  return sd
end

local main = E:replicate { name = "main", n = P.replicates, run = function(_, rng)
  return measure("ends", rng, true)
end }

local others = E:replicate { name = "spaced", n = P.spaced_replicates, run = function(_, rng)
  return { bins = measure("bins", rng), open = measure("open", rng) }
end }

local function field(name, spacing)
  if spacing and spacing ~= "ends" then return others:column(spacing .. "." .. name) end
  return main:column(name)
end

--- ## Dropout against Beta
---
--- Readout by the winner and by the mean, each with several roots and references. Slope and intercept are of a line
--- through the five inputs.

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
  identity_rows[k] = { readout, root, beta, P.replicates, line[1], line[2], line[3] }
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

--- ## The width of H
---
--- The same where the whole activity is decoded: dropout over Beta at each of the five inputs, printed root over
--- printed reference and exact root over $\mathrm{Beta}(A, B)$.

local function dropout_over_beta(reading, readout, spacing)
  return stats.ratios(field(readout .. "." .. reading.root, spacing), field(readout .. "." .. reading.beta, spacing))
end

local close = is.each(is.within(margins.closely))
local width_rows = {}
for _, reading in ipairs(readings.judged) do
  local good = 0
  for _, width in ipairs(spread.widths) do
    local readout = spread.decoder(width)
    local ratio = dropout_over_beta(reading, readout)
    width_rows[#width_rows + 1] = { width, reading.name, spread.inputs,
      stats.summary(field(readout .. "." .. reading.root)), stats.summary(field(readout .. "." .. reading.beta)),
      ratio }
    if is.judge(close, ratio.value, ratio.se) then good = good + 1 end
    if width == 0.5 then
      local low, high = ratio.value:argmin(), ratio.value:argmax()
      E:number(reading.pick({ "SeHalfLow", "SeHalfHigh" }, { "SeHalfLowPrinted", "SeHalfHighPrinted" }),
        { ratio[low].value, ratio[high].value }, { ratio[low].se, ratio[high].se })
    end
  end
  E:number(reading.pick("SeWidths", "SeWidthsPrinted"), good)
end
E:number("SeWidthsTried", #spread.widths)
E:table("map_widths", { { "width", "of the kernels H" },
  { "reading", "printed: printed root, Beta(A+1,B+1); corrected: exact root, Beta(A,B)" }, { "x", "input" },
  { "dropout", "standard error of the MAP by dropout, the whole activity decoded, mean over replicates" },
  { "dropout_se", "its standard error" }, { "beta", "the same by the Beta model" }, { "beta_se", "its standard error" },
  { "ratio", "of dropout to Beta" }, { "ratio_se", "its standard error" } }, width_rows)

--- "On the identity line": dropout over Beta, at each of the five inputs. With the winner it is far below, under both
--- readings; with the whole activity decoded the verdict turns with the width.

E:statements {
  where = "Results, fig:simresults right", at = at_inputs, criterion = close,
  looked = true, quantity = "dropout over Beta standard error", breaks = "epistemic=squared",
  { id = "se-identity", kind = "empirical",
    says = "MAP standard errors by dropout and by the Beta model fall along the identity line.",
    cells = readings.cells(function(reading, spacing)
      return { dropout_over_beta(reading, "winner", spacing), drives = spread.drives }
    end),
    further = spread.further(dropout_over_beta, nil, {
      { reading = "mean readout, corrected", dropout_over_beta(readings.corrected, "mean") },
      { reading = "mean readout, printed root, Beta(A,B)",
        stats.ratios(field "mean.printed", field "mean.AB") },
      { reading = "mean readout, printed", dropout_over_beta(readings.printed, "mean") },
    }),
    note = "the verdict hangs on the decoder, which the original leaves open" },
  { id = "se-expected", kind = "mathematical", fact = "se-identity",
    says = "MAP standard errors by dropout and by the Beta model agree because Phi was derived from the Beta variance.",
    missing = "the printed root does not match the variance of a weight (phi-variance)",
    cells = { corrected = { dropout_over_beta(readings.corrected, "winner"), drives = spread.drives } },
    further = spread.further(dropout_over_beta, { readings.corrected },
      { { reading = "mean readout, corrected", dropout_over_beta(readings.corrected, "mean") } }),
    note = "the verdict hangs on the decoder, which the original leaves open. Equal variances of the weights give "
      .. "equal standard errors of what is linear in them; decoded with wide kernels a sample is nearly so" },
}

--- What survives. With kernels of half a unit and wider, matched variances carry over to the decoded sample, at all
--- inputs. The printed reading agrees in between, and no longer with the widest kernels: under
--- $\mathrm{Beta}(A+1, B+1)$ weights without evidence have a mean near one half, and the farther a kernel reaches the
--- more of them it adds.

local function at_widths(reading, least)
  local value, se, at = {}, {}, {}
  for _, width in ipairs(spread.widths) do
    if width >= least then
      local ratio = dropout_over_beta(reading, spread.decoder(width))
      for k, name in ipairs(at_inputs) do
        value[#value + 1], se[#se + 1], at[#at + 1] = ratio[k].value, ratio[k].se, string.format("H=%g,%s", width, name)
      end
    end
  end
  return { value, se = se }, at
end

local wide, wide_at = at_widths(readings.corrected, 0.5)
E:own { id = "se-wide", kind = "empirical", looked = true, breaks = "epistemic=squared", at = wide_at,
        says = "Decoded with kernels of half a unit or more, the exact root has the standard errors of Beta(A,B).",
        quantity = "dropout over Beta standard error, corrected, whole activity decoded", criterion = close,
        value = wide }
E:own { id = "se-printed-widest", kind = "empirical", looked = true, breaks = "epistemic=half",
        says = "With the widest kernels the printed root falls short of the printed reference at the narrowest input.",
        quantity = "dropout over Beta standard error at x = -4, printed, whole activity decoded with the widest H",
        criterion = is.less(1, margins.differs),
        value = dropout_over_beta(readings.printed, spread.decoder(spread.widths[#spread.widths]))[1] }

--- ## Draws of the weights are no samples of the output
---
--- Draws of the weights spread the *mean* of the output layer, not the output: whatever the decoder, they are no
--- substitute for sampling the observed distribution.

local function over_encoded(reading, readout, spacing)
  return stats.ratios(field(readout .. "." .. reading.beta, spacing), field("encoded", spacing))
end

E:statement {
  id = "beta-is-mean-only", where = "Theoretical model, Evidence accumulation", kind = "empirical", at = at_inputs,
  says = "Draws of the weights give the distribution of the mean activation, not the conditional distribution.",
  quantity = "standard deviation of samples under Beta draws over the encoded one", looked = true,
  criterion = is.each(is.less(1, margins.differs)), breaks = "beta=wide",
  cells = readings.cells(function(reading, spacing) return over_encoded(reading, "winner", spacing) end),
  further = spread.further(over_encoded),
}

E:finish()
