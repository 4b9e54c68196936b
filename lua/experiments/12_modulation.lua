--- # Modulating release
---
--- The discussion makes statements about what a network does when all its release probabilities are
--- raised or lowered together, when data are more or less salient, and when its output is another
--- layer's input. They can be tested. The network is the original's, trained on the bimodal data
--- model, at an input where both modes are about equally likely; the winner's distribution is exact.
--- [eq:winner-multi]

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local judge = require "vesicle.judge"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "12_modulation", title = "Modulating release: gain, salience, evidence, and a second layer",
  params = {
    replicates = { 40, quick = 8, about = "data sets" },
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
local code = models.code()
local centers = code.centers

--- ## Raising and lowering release
---
--- A gain $g$ multiplies every release probability, $q \to \min(1, gq)$. Three quantities follow it:
--- the distance of samples from the most likely output, the share of the strongest mode, and the
--- share of outputs that no datum ever supported at this input, where only the prior speaks (the
--- *unobserved* ones: evidence $A$ has not moved from $A_0$). Empty draws are repeated.

local gains = stats.collect(20 * P.steps + 1, function(s) return 2 ^ ((s - 1) / P.steps - 10) end)
local function index_of(doublings) return (doublings + 10) * P.steps + 1 end
local optimum, raised, lowered = index_of(0), index_of(2), index_of(-2)

--- Which inputs a value activates, and how much.
local function active(value)
  local activity = code:encode(value)
  local at = activity:above(1e-3)
  return { at = at, x = activity:take(at) }
end

--- Their rows alone: W, the releases divided by participation, and x.
local function active_rows(W, inputs)
  local rows = W:take(inputs.at)
  return rows, ves.release.normalise(ves.release.analytic(rows), inputs.x), inputs.x
end

local function modulated(W, Q, x, gain)
  local p, nothing = ves.winner.exact(W, (Q * gain):clamp(0, 1), x)
  return p / (1 - nothing), nothing
end

--- 1 where the active inputs have no evidence beyond the prior for an output, else 0.
local function unobserved(A, inputs)
  local rows = A:take(inputs.at)
  return stats.collect(code.n, function(j) return rows:col(j):max() > 0.0265 and 0 or 1 end)
end

--- The prior is put to the test too: with all synapses removed that have seen no evidence, the
--- releases of the rest are computed anew. And for contrast, no synapse fails, or all fail alike.

local lower_mode = centers:map(function(z) return z < -1.3 and 1 or 0 end)
local sampled = E:replicate { name = "gain", n = P.replicates, run = function(_, rng)
  local net = models.network(models.bimodal(), rng, { rows = P.rows })
  local W, Q, x = active_rows(net:weights(), active(P.x))
  local encoded, outside = ves.multi.mixture(W, x), unobserved(net.A, active(P.x))
  local mode, trimmed = encoded:argmax(), stats.collect(#x, function(i) return W[i] * (1 - outside) end)
  local kept = ves.release.normalise(ves.release.analytic(trimmed), x)
  local r = stats.collect(gains, function(gain)
    local p, nothing = modulated(W, Q, x, gain)
    return { mode = p[mode], far = p:dot((centers - centers[mode]):abs()), beyond = p:dot(outside),
             first = p:dot(lower_mode), empty = nothing, literal = modulated(trimmed, kept, x, gain):dot(outside) }
  end)
  r.certain = ves.winner.exact(W, ves.matrix(#x, code.n, 1), x):dot(lower_mode)
  r.alike = pmf.normalised(ves.winner.exact(W, ves.matrix(#x, code.n, 0.3), x)):dot(lower_mode)
  r.encoded = encoded:dot(lower_mode)
  return r
end }

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

local function change(key, from, to)
  local columns = sampled:column(key)
  return stats.summary(columns:col(to) - columns:col(from))
end
E:claims {
  where = "Discussion, biological plausibility", expected = 0,
  { id = "raise-narrows", says = "raising release probabilities limits sampling to the most likely inferences",
    reading = "all releases times four", measured = change("far", optimum, raised), judge = judge.falls_short_by_se(),
    note = "change of the mean distance of samples from the most likely output" },
  { id = "raise-mode", says = "with release raised far enough only the most likely output is sampled",
    reading = "printed", measured = mode.min[#gains], expected = 1, judge = judge.equal_to(),
    note = "smallest chance of the most likely output at the largest gain" },
  { id = "lower-reaches-priors", says = "release below the optimum samples from priors beyond the encoded experience",
    reading = "all releases divided by four", measured = change("beyond", optimum, lowered),
    judge = judge.exceeds_by_se(), note = "change of the share of outputs without any evidence" },
  { id = "literal-priors", says = "this requires literal priors, synapses that exist without learning",
    reading = "printed", measured = literal.max:max(), judge = judge.less_than(margins.exact),
    note = "largest share of unobserved outputs, at any gain, once their synapses are removed" },
}
E:number("ModulationBeyondOptimum", beyond[optimum])
E:number("ModulationBeyondLowered", beyond[lowered])

local intact, alike, certain = over "encoded", over "alike", over "certain"
E:claims {
  where = "Introduction, lateral inhibition",
  { id = "no-failure-mode-only", reading = "printed", expected = 1, judge = judge.equal_to(),
    says = "without failure, lateral inhibition expresses only the mode of the strongest synapses",
    measured = sampled:column("certain"):map(function(share) return math.max(share, 1 - share) end):min(),
    note = "smallest share of the one mode expressed; a single output ever wins" },
  { id = "failure-gives-all-a-chance", reading = "default", measured = first[optimum], expected = intact.value,
    says = "if synapses fail randomly all neurons of the distribution get a chance to fire",
    judge = judge.within(margins.closely),
    note = "share of the mode at -2 with analytic release, against what is encoded" },
}
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

local function map_spread(rng, rows, rate)
  local net = models.network(models.simple(), rng, { rows = rows, rate = rate })
  local Phi, activity = ves.release.epistemic(net.A, net.B), code:encode(P.map_x)
  local win = ves.winner.exact(net:weights() / Phi, Phi, activity)
  local mean = net:sample { x = P.map_x, release = Phi, rescale = Phi, normaliser = "none", readout = "mean",
                            draws = P.draws, rng = rng:stream("map") }
  return pmf.sd(win, centers), mean:sd()
end

local spreads = E:replicate { name = "evidence", n = P.replicates, run = function(_, rng)
  return stats.collect(P.evidence, function(n)
    local rows_win, rows_mean = map_spread(rng:stream("rows", n), n, 1)
    local salience_win, salience_mean = map_spread(rng:stream("salience", n), P.rows, n / P.rows)
    return { rows_win = rows_win, rows_mean = rows_mean, salience_win = salience_win, salience_mean = salience_mean }
  end)
end }

local spread_row = { P.evidence }
for _, key in ipairs { "rows_win", "rows_mean", "salience_win", "salience_mean" } do
  spread_row[#spread_row + 1] = stats.summary(spreads:column(key))
end
E:table("spread", { { "evidence", "rows times salience" },
  { "rows_win", "standard deviation of the MAP winner, salience 1, mean over data sets" },
  { "rows_win_se", "its standard error, and so on" }, { "rows_mean", "standard deviation of the mean readout" },
  "rows_mean_se", { "salience_win", "the winner, as many rows as the parameter says and salience to match" },
  "salience_win_se", { "salience_mean", "the mean readout" }, "salience_mean_se" }, { spread_row })

local function slope(key)
  local spread, logs = spreads:column(key), ves.vector(P.evidence):map(math.log)
  return stats.summary(stats.collect(P.replicates, function(i)
    return stats.regression(logs, spread:row(i):map(math.log)).slope
  end))
end
local by_rows, by_rows_winner, by_salience, by_salience_winner = slope "rows_mean", slope "rows_win",
  slope "salience_mean", slope "salience_win"
E:number("EvidenceSlopeMean", by_rows)
E:number("EvidenceSlopeWinner", by_rows_winner)
E:number("SalienceSlopeMean", by_salience)
E:number("SalienceSlopeWinner", by_salience_winner)
E:claims {
  where = "Epistemic uncertainty; Discussion, salience", expected = 0, judge = judge.falls_short_by_se(),
  note = "slope of the log standard deviation on the log of rows times salience",
  { id = "evidence-narrows-map", says = "MAP samples narrow as more data are seen", reading = "mean readout",
    measured = by_rows },
  { id = "evidence-narrows-map-winner", says = "MAP samples narrow as more data are seen", reading = "winner readout",
    measured = by_rows_winner },
  { id = "salience-narrows-map", says = "MAP samples narrow as data become more salient", reading = "mean readout",
    measured = by_salience },
  { id = "salience-narrows-map-winner", says = "MAP samples narrow as data become more salient",
    reading = "winner readout", measured = by_salience_winner },
}

--- A row of salience 2 is the same row seen twice.

local xs, ys = models.simple().generate(100, E.rng:stream("twice"))
local function fresh() return ves.network { input = code, output = code, prior_a = 0.025, prior_b = 0.1 } end
local weighted, twice = fresh():observe(xs, ys, { salience = 2 }), fresh():observe(xs, ys):observe(xs, ys)
E:claim { id = "salience-is-repetition", where = "Discussion, salience", reading = "printed", expected = 0,
  says = "a row's salience is its epistemic weight: salience 2 counts as two rows",
  measured = math.max((weighted.A - twice.A):abs():max(), (weighted.B - twice.B):abs():max()),
  judge = judge.proved_if(judge.less_than(margins.exact)), note = "largest difference of A and B" }

--- ## A second layer
---
--- Layer 1 maps $x$ to $y$; layer 2 has learned $z = y + $ noise. What it should represent is the
--- convolution of the encoded distribution of $y$ with that noise. Two ways to get there. *In space*,
--- the whole activity $W_1'x$ is passed on, and $z$ is read from $W_2'W_1'x$. *In time*, a sample of
--- $y$ is drawn, encoded as the next layer's input, and a sample of $z$ drawn from it. Both exactly.

local function second_layer(rng)
  local net = ves.network { input = code, output = code, rng = rng:stream("prior") }
  local y = rng:stream("y"):uniform(P.rows) * 9 - 4.5
  return net:observe(y, y + rng:stream("noise"):normal(0, P.noise, P.rows)):weights()
end
local noise_of = stats.collect(centers, function(y)
  return pmf.binned(function(z) return ves.cdf.normal((z - y) / P.noise) end, centers)
end)
local input_of = {}
for j = 1, code.n do input_of[j] = active(centers[j]) end

local layers = E:replicate { name = "layers", n = P.replicates, run = function(_, rng)
  local W1, Q1, x1 = active_rows(models.network(models.bimodal(), rng, { rows = P.rows }):weights(), active(P.x))
  local encoded, drawn = ves.multi.mixture(W1, x1), ves.winner.exact(W1, Q1, x1)
  local W2 = second_layer(rng:stream("second"))
  local wanted, time, rows_alike, within = ves.vector(code.n), ves.vector(code.n), ves.vector(code.n), 0.0
  local sums = W2:row_sums()
  for j = 1, code.n do
    local given = pmf.normalised(ves.winner.exact(active_rows(W2, input_of[j])))
    wanted, time = wanted + noise_of[j] * encoded[j], time + given * drawn[j]
    within = within + drawn[j] * pmf.var(given, centers)
    rows_alike = rows_alike + W2[j] * (encoded[j] / sums[j])
  end
  local space = pmf.normalised(W2:transpose():mul(encoded))
  local goal = pmf.sd(wanted, centers)
  return {
    wanted = wanted, time = pmf.normalised(time), space = space, alike = rows_alike,
    sd_time = pmf.sd(time, centers) / goal, sd_space = pmf.sd(space, centers) / goal,
    sd_alike = pmf.sd(rows_alike, centers) / goal, within = within / pmf.var(time, centers),
  }
end }

local function mean_of(key) return stats.summary(layers:column(key)).value end
E:table("layers", { { "z", "output of the second layer", centers },
  { "convolution", "encoded distribution of y convolved with the noise, mean over data sets", mean_of "wanted" },
  { "time", "sampled layer by layer", mean_of "time" },
  { "space", "whole activity passed on, W2'W1'x normalised", mean_of "space" },
  { "rows_alike", "the same with every row of W2 normalised", mean_of "alike" } })
local in_time, in_space, by_row = stats.summary(layers:column("sd_time")), stats.summary(layers:column("sd_space")),
  stats.summary(layers:column("sd_alike"))
E:number("ModulationTimeSd", in_time)
E:number("ModulationSpaceSd", in_space)
E:number("ModulationRowsSd", by_row)
E:claims {
  says = "a second layer convolves its own uncertainty with that of the first", expected = 1,
  where = "Introduction, population codes as probability mass", judge = judge.within(margins.closely),
  { id = "propagates", reading = "default", measured = in_time,
    note = "in time: samples passed on; standard deviation over that of the convolution" },
  { id = "propagates-space", reading = "printed", measured = in_space,
    note = "in space: the whole activity passed on; standard deviation over that of the convolution" },
  { id = "propagates-rows", reading = "rows normalised", measured = by_row,
    note = "in space, rows of the second layer normalised; standard deviation over that of the convolution" },
}
E:claim { id = "time-needs-repeats", reading = "default", where = "Introduction, synaptic failure as dropout sampling",
  says = "one sample does not convey the uncertainty of the samples to the next stage",
  measured = stats.summary(layers:column("within")), expected = margins.substantially, judge = judge.less_than(),
  note = "variance of z after one sample of y, over the whole variance" }
E:finish()
