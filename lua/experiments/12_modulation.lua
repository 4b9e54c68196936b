--- # Modulating release
---
--- The discussion makes statements about what a network does when all its release probabilities are
--- raised or lowered together, when data are more or less salient, and when its output is another
--- layer's input. They can be tested. The network is the original's, trained on the bimodal data
--- model, at an input where both modes are about equally likely; the winner's distribution is exact.
--- [eq:winner-multi]

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local readings = require "vesicle.model.readings"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "12_modulation", title = "Modulating release: gain, salience, evidence, and a second layer",
  params = {
    replicates = { 40, quick = 8, about = "data sets" },
    spaced_replicates = { 12, quick = 4, about = "data sets of each other spacing, and for passing on one sample" },
    repeated_replicates = { 100, quick = 20, about = "data sets for rows of twice the salience" },
    beta_replicates = { 5, quick = 3, about = "data sets in which Beta draws are taken" },
    beta_draws = { 50, about = "Beta draws of the mean readout" },
    rows = { 4000, about = "rows of data in each" },
    x = { 0.0, about = "input of the bimodal model" },
    steps = { 2, quick = 1, about = "factors on release per doubling, from 1/1024 to 1024" },
    evidence = { { 250, 500, 1000, 2000, 4000, 8000 }, quick = { 250, 1000, 4000 }, about = "numbers of rows "
      .. "(salience 1), and of rows times salience (`rows` rows), in MAP sampling" },
    map_x = { -2.0, about = "input of the simple model for MAP sampling" },
    draws = { 1000, quick = 400, about = "MAP draws of the mean readout" },
    noise = { 0.4, about = "standard deviation of the second layer's own noise" },
  },
}
local P = E.params

local codes = {}
for _, spacing in ipairs(readings.spacings) do codes[spacing] = models.code(spacing) end
local code = codes.ends
local centers = code.centers

--- A set of replicates for each spacing of the tuning curves: run(rng, code, spacing).
local function replicated(name, run, count)
  local found = {}
  for _, spacing in ipairs(readings.spacings) do
    local ends = spacing == "ends"
    found[spacing] = E:replicate { name = ends and name or name .. "-" .. spacing,
      n = count or ends and P.replicates or P.spaced_replicates,
      run = function(_, rng) return run(rng, codes[spacing], spacing) end }
  end
  return found
end

--- ## Raising and lowering release
---
--- A gain $g$ multiplies every release probability, $q \to \min(1, gq)$. Three quantities follow it:
--- the distance of samples from the most likely output, the share of the strongest mode, and the
--- share of outputs that no datum ever supported at this input, where only the prior speaks (the
--- *unobserved* ones: evidence $A$ has not moved from $A_0$). Empty draws are repeated.

local gains = stats.collect(20 * P.steps + 1, function(s) return 2 ^ ((s - 1) / P.steps - 10) end)
local function index_of(doublings) return (doublings + 10) * P.steps + 1 end
local optimum, lowered = index_of(0), index_of(-2)

--- Which inputs a value activates, and how much.
local function active(value, layer)
  local activity = (layer or code):encode(value)
  local at = activity:above(1e-3)
  return { at = at, x = activity:take(at) }
end

--- Their rows alone: W, the releases divided by participation unless told otherwise, and x.
local function active_rows(W, inputs, normaliser)
  local rows = W:take(inputs.at)
  return rows, ves.release.normalise(ves.release.analytic(rows), inputs.x, normaliser), inputs.x
end

local function modulated(W, Q, x, gain)
  local p, nothing = ves.winner.exact(W, (Q * gain):clamp(0, 1), x)
  return p / (1 - nothing), nothing
end

--- 1 where the active inputs have no evidence beyond the prior for an output, else 0.
local function unobserved(A, inputs)
  local rows = A:take(inputs.at)
  return stats.collect(rows.cols, function(j) return rows:col(j):max() > 0.0265 and 0 or 1 end)
end

--- The prior is put to the test too: with all synapses removed that have seen no evidence, the
--- releases of the rest are computed anew. And for contrast, no synapse fails, or all fail alike.

--- What is judged, in both readings: releases divided by four, unchanged, and times four.

local function lower_mode(layer) return layer.centers:map(function(z) return z < -1.3 and 1 or 0 end) end

--- The smallest chance of an output with evidence over its encoded one, and that of the mode at -2.
local function chances(p, encoded, outside, layer)
  local seen, first = (1 - outside):above(0.5), lower_mode(layer)
  return ves.vector { (p:take(seen) / encoded:take(seen)):min(), p:dot(first) / encoded:dot(first) }
end

local function of_readings(net, layer)
  local inputs, found = active(P.x, layer), {}
  local outside = unobserved(net.A, inputs)
  for _, reading in ipairs(readings.judged) do
    local W, Q, x = active_rows(net:weights(), inputs, reading.normaliser)
    local encoded = ves.multi.mixture(W, x)
    local from_mode = (layer.centers - layer.centers[encoded:argmax()]):abs()
    found[reading.name] = stats.collect({ 0.25, 1, 4 }, function(gain)
      local p = modulated(W, Q, x, gain)
      return { far = p:dot(from_mode), beyond = p:dot(outside) }
    end)
    found[reading.name].chances = chances(modulated(W, Q, x, 1), encoded, outside, layer)
    found.alike = chances(pmf.normalised(ves.winner.exact(W, ves.matrix(#x, layer.n, 0.3), x)), encoded, outside, layer)
  end
  return found
end

local by_gain = replicated("gain", function(rng, layer, spacing)
  local net = models.network(models.bimodal(), rng, { rows = P.rows, spacing = spacing })
  local judged = of_readings(net, layer)
  if spacing ~= "ends" then return { judged = judged } end
  local W, Q, x = active_rows(net:weights(), active(P.x))
  local encoded, outside = ves.multi.mixture(W, x), unobserved(net.A, active(P.x))
  local mode, trimmed = encoded:argmax(), stats.collect(#x, function(i) return W[i] * (1 - outside) end)
  local kept, first = ves.release.normalise(ves.release.analytic(trimmed), x), lower_mode(code)
  local r = stats.collect(gains, function(gain)
    local p, nothing = modulated(W, Q, x, gain)
    return { mode = p[mode], far = p:dot((centers - centers[mode]):abs()), beyond = p:dot(outside),
             first = p:dot(first), empty = nothing, literal = modulated(trimmed, kept, x, gain):dot(outside) }
  end)
  r.certain = ves.winner.exact(W, ves.matrix(#x, code.n, 1), x):dot(first)
  r.alike = pmf.normalised(ves.winner.exact(W, ves.matrix(#x, code.n, 0.3), x)):dot(first)
  r.encoded, r.judged = encoded:dot(first), judged
  return r
end)
local sampled = by_gain.ends

local function over(key) return stats.summary(sampled:column(key)) end
local mode, far, beyond, first, empty, literal = over "mode", over "far", over "beyond", over "first", over "empty",
  over "literal"
E:table("gain", { { "gain", "factor on all release probabilities", gains },
  { "mode", "chance of the most likely output, mean over data sets", mode.value },
  { "mode_sd", "its standard deviation, and so on", mode.sd },
  { "far", "mean distance of samples from the most likely output", far.value }, { "far_sd", far.sd },
  { "beyond", "share of unobserved outputs", beyond.value }, { "beyond_sd", beyond.sd },
  { "first", "share of the mode at -2", first.value }, { "first_sd", first.sd },
  { "empty", "probability of an empty draw", empty.value }, { "empty_sd", empty.sd },
  { "literal", "share of unobserved outputs when their synapses are removed", literal.value },
  { "literal_sd", literal.sd } })

local example = models.network(models.bimodal(), E.rng:stream("example"), { rows = P.rows })
local image, W0, Q0, x0 = {}, active_rows(example:weights(), active(P.x))
for s, gain in pairs(gains) do image[s] = { math.log(gain, 10), centers, (modulated(W0, Q0, x0, gain)) } end
E:table("image", { { "log_gain", "common logarithm of the gain" }, { "y", "output" },
  { "probability", "chance that it wins, one data set" } }, image)

--- A statement "more" or "less" is judged on the differences within data sets.

local function judged(reading, spacing, key) return by_gain[spacing]:column("judged." .. reading.name .. "." .. key) end
local plausible = "Discussion, Biological plausibility"
E:statements {
  kind = "empirical", where = plausible, looked = true, breaks = "winner=encoded",
  { id = "raise-narrows", says = "Raising release limits sampling to the most likely inferences.",
    quantity = "mean distance of samples from the most likely output, releases times four over unchanged",
    criterion = is.less(1, margins.differs), cells = readings.cells(function(reading, spacing)
      return stats.jackknife(function(distance) return distance[3] / distance[2] end, judged(reading, spacing, "far"))
    end) },
  { id = "lower-reaches-priors",
    says = "Release below the optimum samples from priors beyond the encoded experience ...",
    quantity = "share of outputs without evidence, releases divided by four less unchanged",
    criterion = is.more(0, margins.negligible), cells = readings.cells(function(reading, spacing)
      local share = judged(reading, spacing, "beyond")
      return stats.summary(share:col(1) - share:col(2))
    end) },
  { id = "failure-gives-all-a-chance", where = "Introduction, Lateral inhibition", at = { "least", "mode" },
    says = "If synapses fail at random, all neurons of the distribution get a chance to fire.",
    quantity = "chance of winning over the encoded one: the least of outputs with evidence, and of the mode at -2",
    criterion = is.each { is.more(margins.substantially, 0), is.within(margins.closely) },
    cells = readings.cells(function(reading, spacing) return stats.summary(judged(reading, spacing, "chances")) end),
    further = { { reading = "all releases 0.3", stats.summary(sampled:column("judged.alike")) } } },
}
E:statements {
  kind = "definition",
  { id = "literal-priors", where = plausible,
    says = "... which requires literal priors, synapses that exist without learning." },
  { id = "no-failure-mode-only", where = "Introduction, Lateral inhibition",
    says = "Without failure, lateral inhibition expresses only the mode of the strongest synapses." },
}
E:number("ModulationBeyondOptimum", beyond[optimum])
E:number("ModulationBeyondLowered", beyond[lowered])

local intact, alike, certain = over "encoded", over "alike", over "certain"
E:number("ModulationEncodedShare", intact)
E:number("ModulationAlikeShare", alike)
E:table("failure", { { "release", "which releases: as encoded, analytic, 0.3 for all, 1 for all" },
  { "position", "order in the figure" }, { "share", "share of the mode at -2, mean over data sets" },
  { "share_sd", "its standard deviation" } }, {
  { "encoded", 0, intact.value, intact.sd }, { "analytic", 1, first.value[optimum], first.sd[optimum] },
  { "alike", 2, alike.value, alike.sd }, { "certain", 3, certain.value, certain.sd } })

--- ## Evidence and salience
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

local by_evidence = replicated("evidence", function(rng, layer, spacing)
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
end)
local spreads = by_evidence.ends

--- And MAP samples of half as many rows of twice the salience, at the five inputs. The spread of the winner differs
--- much between data sets, so that there are many of them, and the half are rows of the whole.

local by_repetition = replicated("repetition", function(rng, layer, spacing)
  local found = {}
  for name, net in pairs { whole = trained(rng, P.rows, 1, spacing), half = trained(rng, P.rows // 2, 2, spacing) } do
    for _, reading in ipairs(readings.judged) do
      local Phi = ves.release.epistemic(net.A, net.B, reading.root)
      local scaled = net:weights() / Phi
      found[reading.name .. "_" .. name] = stats.collect(models.simple().inputs, function(x)
        local on = active(x, layer)
        return { winner = pmf.sd(ves.winner.exact(scaled:take(on.at), Phi:take(on.at), on.x), layer.centers),
                 mean = map_mean(net, Phi, x, P.draws // 25, rng:stream(name, x)) }
      end)
    end
  end
  return found
end, P.repeated_replicates)

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
E:statements {
  kind = "empirical", where = "Discussion, Salience", looked = true, breaks = "network.rate=1",
  { id = "salience-narrows-map", criterion = falls, quantity = of_spread .. "log(rows x salience)",
    says = "Salience weighs data against the prior: MAP samples narrow as data become more salient.",
    cells = readings.cells(function(reading, spacing)
      return slope(reading.pick("salience_win", "salience_printed"), spacing)
    end), further = { { reading = "mean readout, corrected", by_salience } } },
  { id = "salience-is-repetition", says = "A row's salience is its epistemic weight.", at = { "winner", "mean" },
    note = "first tried at one input with independent rows: too noisy (1.19 +/- 0.19 as printed). With `open` the "
      .. "winner's ratio lies on the margin (1.10 +/- 0.02 in 400 data sets), where their number decides",
    quantity = "standard deviation of MAP samples, half the rows at salience 2 over all of them, mean of five inputs",
    criterion = is.each(is.within(margins.closely)), cells = readings.cells(function(reading, spacing)
      local function column(name) return by_repetition[spacing]:column(reading.name .. "_" .. name) end
      return stats.jackknife(function(half, whole, half_mean, whole_mean)
        return { (half / whole):mean(), (half_mean / whole_mean):mean() }
      end, column "half.winner", column "whole.winner", column "half.mean", column "whole.mean")
    end) },
}

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

E:statements {
  kind = "empirical", looked = true,
  { id = "beta-mean-depends", where = "Theoretical model, Evidence accumulation", at = { "rows", "salience" },
    says = "That distribution depends on the learning rate and the sample size.", breaks = "network.rate=1",
    quantity = "slope of the log standard deviation of the mean readout under Beta draws on log rows, on log salience",
    criterion = is.each(falls), cells = readings.cells(beta_slopes, { "ends" }) },
  { id = "precision-with-evidence", where = "Theoretical model, Evidence accumulation, eq:betavar",
    says = "The mean of a weight is normalised evidence; its precision scales with the cumulative evidence.",
    quantity = "slope of the log of the mean precision of the weights of a trained row on log rows",
    criterion = is.near(margins.slope_effect, 1), breaks = "network.variance=evidence",
    cells = { printed = slope "precision", ["printed, bins"] = slope("precision", "bins"),
              ["printed, open"] = slope("precision", "open") },
    further = { { reading = "the strongest weight of the row", slope "strongest" } } },
}

--- ## A second layer
---
--- Layer 1 maps $x$ to $y$; layer 2 has learned $z = y + $ noise. What it should represent is the
--- convolution of the encoded distribution of $y$ with that noise. Two ways to get there. *In space*,
--- the whole activity $W_1'x$ is passed on, and $z$ is read from $W_2'W_1'x$. *In time*, a sample of
--- $y$ is drawn, encoded as the next layer's input, and a sample of $z$ drawn from it. Both exactly.

local function second_layer(rng, layer)
  local net = ves.network { input = layer, output = layer, rng = rng:stream("prior") }
  local y = rng:stream("y"):uniform(P.rows) * 9 - 4.5
  return net:observe(y, y + rng:stream("noise"):normal(0, P.noise, P.rows)):weights()
end
local noise_of, input_of = {}, {}
for spacing, layer in pairs(codes) do
  noise_of[spacing] = stats.collect(layer.centers, function(y)
    return pmf.binned(function(z) return ves.cdf.normal((z - y) / P.noise) end, layer.centers)
  end)
  input_of[spacing] = {}
  for j = 1, layer.n do input_of[spacing][j] = active(layer.centers[j], layer) end
end

--- The distribution of z in time, when y has the distribution `drawn`.
local function in_time_of(W2, drawn, normaliser, spacing)
  local time = ves.vector(#drawn)
  for j = 1, #drawn do
    local W, Q, x = active_rows(W2, input_of[spacing][j], normaliser)
    time = time + pmf.normalised(ves.winner.exact(W, Q, x)) * drawn[j]
  end
  return time
end

local by_layers = replicated("layers", function(rng, layer, spacing)
  local W = models.network(models.bimodal(), rng, { rows = P.rows, spacing = spacing }):weights()
  local W2, inputs = second_layer(rng:stream("second"), layer), active(P.x, layer)
  local encoded, sums = ves.multi.mixture(W:take(inputs.at), inputs.x), W2:row_sums()
  local wanted, rows_alike = ves.vector(layer.n), ves.vector(layer.n)
  for j = 1, layer.n do
    wanted, rows_alike = wanted + noise_of[spacing][j] * encoded[j], rows_alike + W2[j] * (encoded[j] / sums[j])
  end
  local goal = pmf.sd(wanted, layer.centers)
  local function against(p)
    return ves.vector { pmf.sd(p, layer.centers) / goal, pmf.total_variation(pmf.normalised(p), wanted) }
  end
  local space = pmf.normalised(W2:transpose():mul(encoded))
  local r = { wanted = wanted, space = space, alike = rows_alike, to_space = against(space),
              to_alike = against(rows_alike) }
  for _, reading in ipairs(readings.judged) do
    local drawn = ves.winner.exact(active_rows(W, inputs, reading.normaliser))
    local time = in_time_of(W2, drawn, reading.normaliser, spacing)
    r[reading.name], r.time = against(time), pmf.normalised(time)
  end
  return r
end)

local function mean_of(key) return stats.summary(by_layers.ends:column(key)).value end
local function passed_on(key, spacing) return stats.summary(by_layers[spacing or "ends"]:column(key)) end
E:table("layers", { { "z", "output of the second layer", centers },
  { "convolution", "encoded distribution of y convolved with the noise, mean over data sets", mean_of "wanted" },
  { "time", "sampled layer by layer", mean_of "time" },
  { "space", "whole activity passed on, W2'W1'x normalised", mean_of "space" },
  { "rows_alike", "the same with every row of W2 normalised", mean_of "alike" } })
E:number("ModulationTimeSd", passed_on("corrected")[1])
E:number("ModulationSpaceSd", passed_on("to_space")[1])
E:number("ModulationRowsSd", passed_on("to_alike")[1])

--- One sample of y makes the second layer as active around it as any other: the spread of its activity cannot depend on
--- that of y. Passed on whole, it does. Measured over the five inputs of the first data model.

local passed = E:replicate { name = "one-sample", n = P.spaced_replicates, run = function(_, rng)
  local W = models.network(models.simple(), rng, { rows = P.rows }):weights()
  local W2, found = second_layer(rng:stream("second"), code), {}
  local activity_sd = stats.collect(code.n, function(j)
    return pmf.sd(ves.multi.mixture(W2:take(input_of.ends[j].at), input_of.ends[j].x), centers)
  end)
  for _, reading in ipairs(readings.judged) do
    local at = stats.collect(models.simple().inputs, function(x)
      local encoded = ves.multi.mixture(W, code:encode(x))
      local drawn = pmf.normalised(ves.winner.exact(active_rows(W, active(x), reading.normaliser)))
      return { drawn = pmf.sd(drawn, centers), time = drawn:dot(activity_sd), encoded = pmf.sd(encoded, centers),
               space = pmf.sd(pmf.normalised(W2:transpose():mul(encoded)), centers) }
    end)
    found[reading.name] = ves.vector { stats.regression(at.drawn, at.time).slope,
                                       stats.regression(at.encoded, at.space).slope }
  end
  return found
end }

local convolved = "standard deviation over that of the encoded distribution convolved with the second layer's noise, "
  .. "and total variation from it"
E:statements {
  kind = "empirical", looked = true, breaks = "winner=encoded", at = { "sd", "tv" },
  criterion = is.each { is.within(margins.closely), is.below(margins.closely) }, quantity = convolved,
  { id = "propagates", where = "Discussion, Spatial vs temporal representation",
    says = "Downstream activations occur with the relative frequencies of what is sampled.",
    cells = readings.cells(function(reading, spacing) return passed_on(reading.name, spacing) end) },
  { id = "propagates-space", where = "Introduction, Population codes as probability mass", breaks = "mixture=first",
    says = "Passing a layer's whole activity on convolves the next layer's uncertainty with that of the first.",
    cells = { printed = passed_on "to_space", ["printed, bins"] = passed_on("to_space", "bins"),
              ["printed, open"] = passed_on("to_space", "open") },
    further = { { reading = "rows of the second layer normalised", passed_on "to_alike" } },
    note = "the original adds 'with a few additional assumptions'; rows that are normalised are one" },
  { id = "time-needs-repeats", where = "Introduction, Synaptic failure as dropout sampling", at = { "time", "space" },
    says = "One sample does not convey its uncertainty to the next stage; repeated samples are needed.",
    quantity = "slope of the standard deviation of the second layer's activity on that of y, over five inputs: given "
      .. "one sample of y, and given the whole activity", breaks = "mixture=first",
    criterion = is.each { is.same(0, margins.slope_effect), is.more(0, margins.slope_effect) },
    cells = readings.cells(function(reading) return stats.summary(passed:column(reading.name)) end, { "ends" }) },
}

E:finish()
