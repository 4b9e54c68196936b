--- # More evidence
---
--- A row of data adds evidence for an association, and its salience $\lambda$ says how much [eq:evidence]. The more
--- evidence, the more certain a network should be of its weights: its MAP samples, which express that uncertainty
--- alone, should narrow with rows and with salience alike, and so should the Beta distributions of the weights. The
--- network is the original's, trained on the first data model. Whether a row of twice the salience is worth two is in
--- `12_modulation`.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local readings = require "vesicle.model.readings"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "12_evidence", title = "Evidence: what more rows and more salient ones do to MAP samples and weights",
  streams = "12_modulation",
  params = {
    replicates = { 40, quick = 8, about = "data sets" },
    spaced_replicates = { 12, quick = 4, about = "data sets of each other spacing" },
    beta_replicates = { 5, quick = 3, about = "data sets in which Beta draws are taken" },
    beta_draws = { 50, about = "Beta draws of the mean readout" },
    rows = { 4000, about = "rows of data in each" },
    evidence = { { 250, 500, 1000, 2000, 4000, 8000 }, quick = { 250, 1000, 4000 }, about = "numbers of rows "
      .. "(salience 1), and of rows times salience (`rows` rows), in MAP sampling" },
    map_x = { -2.0, about = "input of the simple model for MAP sampling" },
    draws = { 1000, quick = 400, about = "MAP draws of the mean readout" },
  },
}
local P = E.params

--- ## MAP samples
---
--- MAP samples use $\Phi$ alone, with weights divided by it. More rows should narrow them, and so
--- should a larger salience $\lambda$, which multiplies the evidence of every row [eq:evidence]. Two
--- readouts: the winner (exact), and the population mean. The same product $\lambda N$ is reached by
--- many rows or by salient ones.

local function trained(rng, rows, rate, spacing)
  return models.network(models.simple(), rng, { rows = rows, rate = rate, spacing = spacing })
end
local function map_winner(net, root, layer)
  local Phi = ves.release.epistemic(net.A, net.B, root)
  return pmf.sd(ves.winner.exact(net:weights() / Phi, Phi, layer:encode(P.map_x)), layer.centers)
end
local function map_mean(net, Phi, x, draws, rng)
  return net:sample { x = x, release = Phi, rescale = Phi, normaliser = "none", readout = "mean", draws = draws,
                      rng = rng }:sd()
end

--- Beside them, the precision of the weights in the row of the input: on average, and of the strongest.

local function spread_by_evidence(rng, layer, spacing)
  local row = layer:encode(P.map_x):argmax()
  return stats.collect(P.evidence, function(n)
    local rows, salient = rng:stream("rows", n), rng:stream("salience", n)
    local many, weighted = trained(rows, n, 1, spacing), trained(salient, P.rows, n / P.rows, spacing)
    local precision, found = 1 / many:variance()[row], {}
    found.precision, found.strongest = precision:mean(), precision[many.A[row]:argmax()]
    for root, key in pairs { exact = "win", printed = "printed" } do
      found["rows_" .. key] = map_winner(many, root, layer)
      found["salience_" .. key] = map_winner(weighted, root, layer)
    end
    if spacing == "ends" then
      local function mean_sd(net, stream)
        return map_mean(net, ves.release.epistemic(net.A, net.B), P.map_x, P.draws, stream:stream("map"))
      end
      found.rows_mean, found.salience_mean = mean_sd(many, rows), mean_sd(weighted, salient)
    end
    return found
  end)
end
local by_evidence = readings.replicates(E, { name = "evidence", n = P.replicates, spaced = P.spaced_replicates,
  run = spread_by_evidence })
local spreads = by_evidence.ends

local spread_row = { P.evidence }
for _, key in ipairs { "rows_win", "rows_mean", "salience_win", "salience_mean" } do
  spread_row[#spread_row + 1] = stats.summary(spreads:column(key))
end
E:table("spread", { { "evidence", "rows times salience" },
  { "rows_win", "standard deviation of the MAP winner, salience 1, mean over data sets" },
  { "rows_win_se", "its standard error, and so on" }, { "rows_mean", "standard deviation of the mean readout" },
  "rows_mean_se", { "salience_win", "the winner, as many rows as the parameter says and salience to match" },
  "salience_win_se", { "salience_mean", "the mean readout" }, "salience_mean_se" }, { spread_row })

--- The slope of the log of a column on the log of rows times salience.
local function slope(key, spacing, found)
  local spread, logs = (found or by_evidence[spacing or "ends"]):column(key), ves.vector(P.evidence):map(math.log)
  return stats.summary(stats.collect(spread.rows, function(i)
    return stats.regression(logs, spread:row(i):map(math.log)).slope
  end))
end
local by_rows, by_rows_winner, by_salience, by_salience_winner = slope "rows_mean", slope "rows_win",
  slope "salience_mean", slope "salience_win"
E:number("EvidenceSlopeMean", by_rows)
E:number("EvidenceSlopeWinner", by_rows_winner)
E:number("SalienceSlopeMean", by_salience)
E:number("SalienceSlopeWinner", by_salience_winner)

local falls, of_spread = is.less(0, margins.slope_effect), "slope of the log standard deviation of MAP samples on "
E:further {
  statement = "phi-precision", kind = "empirical", quantity = of_spread .. "log rows", criterion = falls,
  breaks = "epistemic=half", { reading = "MAP samples, winner", by_rows_winner },
  { reading = "MAP samples, winner, printed", slope "rows_printed" },
  { reading = "MAP samples, mean readout", by_rows },
}
E:statement {
  id = "salience-narrows-map", kind = "empirical", where = "Discussion, Salience", looked = true,
  says = "Salience weighs data against the prior: MAP samples narrow as data become more salient.",
  quantity = of_spread .. "log(rows x salience)", criterion = falls, breaks = "network.rate=1",
  cells = readings.cells(function(reading, spacing)
    return slope(reading.pick("salience_win", "salience_printed"), spacing)
  end), further = { { reading = "mean readout, corrected", by_salience } },
}

--- ## The weights
---
--- What the weights themselves do: their precision, and the mean of the output layer when they are drawn.

local drawn_weights = E:replicate { name = "beta", n = P.beta_replicates, run = function(_, rng)
  return stats.collect(P.evidence, function(n)
    local many, found = trained(rng:stream("rows", n), n, 1), {}
    local weighted = trained(rng:stream("salience", n), P.rows, n / P.rows)
    for _, reading in ipairs(readings.judged) do
      local function sd(net)
        return net:beta { x = P.map_x, beta = reading.beta, readout = "mean", draws = P.beta_draws,
                          rng = rng:stream(reading.beta, n) }:sd()
      end
      found[reading.name .. "_rows"], found[reading.name .. "_salience"] = sd(many), sd(weighted)
    end
    return found
  end)
end }
local function beta_slopes(reading)
  local rows, salience = slope(reading.name .. "_rows", nil, drawn_weights),
    slope(reading.name .. "_salience", nil, drawn_weights)
  return { { rows.value, salience.value }, se = { rows.se, salience.se } }
end

--- The precision of one weight, $1/\mathrm{var}(w)$, is $(A+B+1) / (m (1-m))$ for a mean $m$ [eq:betavar]: at a fixed
--- mean linear in the evidence. In a trained row the means move too.

local single = ves.code { n = 1, lo = -1, hi = 1, sigma = 1 }
local function precision(mean, n)
  local net = ves.network { input = single, output = single, prior_a = mean * n, prior_b = (1 - mean) * n }
  return 1 / net:variance()[1][1]
end
local off_scale = 0.0
for _, mean in ipairs { 0.05, 0.2, 0.5, 0.8 } do
  for _, n in ipairs { 0.1, 10, 1000, 100000 } do
    off_scale = math.max(off_scale, math.abs(precision(mean, n) / precision(mean, 1) / ((n + 1) / 2) - 1))
  end
end
local scales, of_precision = is.near(margins.slope_effect, 1), "slope of the log precision on log rows, "

E:statements {
  kind = "empirical", looked = true,
  { id = "beta-mean-depends", where = "Theoretical model, Evidence accumulation", at = { "rows", "salience" },
    says = "The distribution of the mean activation depends on the learning rate and the sample size.",
    breaks = "network.rate=1",
    quantity = "slope of the log standard deviation of the mean readout under Beta draws on log rows, on log salience",
    criterion = is.each(falls), cells = readings.cells(beta_slopes, { "ends" }) },
  { id = "precision-with-evidence", where = "Theoretical model, Evidence accumulation, eq:betavar",
    says = "The precision of a weight scales with the evidence for and against an association.", kind = "mathematical",
    quantity = "largest relative error of precision over A+B+1, at fixed mean, against that at A+B = 1",
    criterion = is.exact(), breaks = "network.variance=evidence", proof = "eq:betavar",
    cells = { printed = { off_scale, exact = true } },
    further = { { reading = "a trained row, all weights", slope "precision", quantity = of_precision .. "all weights",
                  criterion = scales, kind = "empirical" },
                { reading = "a trained row, the strongest weight", slope "strongest", kind = "empirical",
                  quantity = of_precision .. "the strongest weight", criterion = scales } },
    note = "formula (6) is linear in A+B+1 at a fixed mean; in a trained row the mean of most weights falls" },
}
E:finish()
