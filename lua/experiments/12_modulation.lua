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

local gain_of = {}
for s = 0, 20 * P.steps do gain_of[s + 1] = 2 ^ (s / P.steps - 10) end
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
local function unobserved(A, activity)
  local flag = ves.vector(code.n, 1)
  for i = 1, code.n do
    if activity[i] > 1e-3 then
      for j = 1, code.n do if A:get(i, j) > 0.0265 then flag[j] = 0 end end
    end
  end
  return flag
end

local function distance_from(p, value)
  return p:dot((centers - value):abs())
end

--- The prior is put to the test too: with all synapses removed that have seen no evidence, the
--- releases of the rest are computed anew. And for contrast, no synapse fails, or all fail alike.

local lower_mode = centers:map(function(z) return z < -1.3 and 1 or 0 end)
local sampled = E:replicate { name = "gain", n = P.replicates, run = function(_, rng)
  local net = models.network(models.bimodal(), rng, { rows = P.rows })
  local activity = code:encode(P.x)
  local W, Q, x = active_rows(net:weights(), active(P.x))
  local encoded, outside = ves.multi.mixture(W, x), unobserved(net.A, activity)
  local mode, trimmed = encoded:argmax(), W:copy()
  for i = 1, #x do trimmed[i] = W[i] * (1 - outside) end
  local kept = ves.release.normalise(ves.release.analytic(trimmed), x)
  local r = { mode = {}, far = {}, beyond = {}, first = {}, empty = {}, literal = {} }
  for s, gain in ipairs(gain_of) do
    local p, nothing = modulated(W, Q, x, gain)
    r.mode[s], r.far[s], r.beyond[s] = p[mode], distance_from(p, centers[mode]), p:dot(outside)
    r.first[s], r.empty[s] = p:dot(lower_mode), nothing
    r.literal[s] = modulated(trimmed, kept, x, gain):dot(outside)
  end
  for _, key in ipairs { "mode", "far", "beyond", "first", "empty", "literal" } do r[key] = ves.vector(r[key]) end
  r.certain = ves.winner.exact(W, ves.matrix(#x, code.n, 1), x):dot(lower_mode)
  r.alike = pmf.normalised(ves.winner.exact(W, ves.matrix(#x, code.n, 0.3), x)):dot(lower_mode)
  r.encoded = encoded:dot(lower_mode)
  return r
end }

local gains = {}
for s, gain in ipairs(gain_of) do gains[s] = { gain } end
for _, key in ipairs { "mode", "far", "beyond", "first", "empty", "literal" } do
  local values = sampled:column(key)
  for s, row in ipairs(gains) do
    local column = values:col(s)
    row[#row + 1], row[#row + 2] = column:mean(), column:sd()
  end
end
E:table("gain", { { "gain", "factor on all release probabilities" },
  { "mode", "chance of the most likely output, mean over data sets" },
  { "mode_sd", "its standard deviation, and so on" }, { "far", "mean distance of samples from the most likely output" },
  "far_sd", { "beyond", "share of unobserved outputs" }, "beyond_sd", { "first", "share of the mode at -2" },
  "first_sd", { "empty", "probability of an empty draw" }, "empty_sd",
  { "literal", "share of unobserved outputs when their synapses are removed" }, "literal_sd" }, gains)

local example = models.network(models.bimodal(), E.rng:stream("example"), { rows = P.rows })
local image, W0, Q0, x0 = {}, active_rows(example:weights(), active(P.x))
for s = 1, #gain_of do
  local p = modulated(W0, Q0, x0, gain_of[s])
  for j = 1, code.n do image[#image + 1] = { math.log(gain_of[s], 10), centers[j], p[j] } end
end
E:table("image", { { "log_gain", "common logarithm of the gain" }, { "y", "output" },
  { "probability", "chance that it wins, one data set" } }, image)

--- A statement "more" or "less" is judged on the differences within data sets.

local function change(key, from, to)
  local columns = sampled:column(key)
  local d = columns:col(to) - columns:col(from)
  return d:mean(), stats.se(d)
end
local narrow, narrow_se = change("far", optimum, raised)
E:claim {
  id = "raise-narrows", says = "raising release probabilities limits sampling to the most likely inferences",
  where = "Discussion, biological plausibility", reading = "all releases times four", measured = narrow, se = narrow_se,
  expected = 0, judge = judge.falls_short_by_se(),
  note = "change of the mean distance of samples from the most likely output",
}
E:claim {
  id = "raise-mode", says = "with release raised far enough only the most likely output is sampled",
  where = "Discussion, biological plausibility", reading = "printed",
  measured = sampled:column("mode"):col(#gain_of):min(), expected = 1, judge = judge.equal_to(),
  note = "smallest chance of the most likely output at the largest gain",
}
local reach, reach_se = change("beyond", optimum, lowered)
E:claim {
  id = "lower-reaches-priors", where = "Discussion, biological plausibility", reading = "all releases divided by four",
  says = "release below the optimum samples from priors beyond the encoded experience", measured = reach, se = reach_se,
  expected = 0, judge = judge.exceeds_by_se(), note = "change of the share of outputs without any evidence",
}
E:claim {
  id = "literal-priors", says = "this requires literal priors, synapses that exist without learning",
  where = "Discussion, biological plausibility", reading = "printed",
  measured = sampled:column("literal"):max(), expected = 0, judge = judge.less_than(margins.exact),
  note = "largest share of unobserved outputs, at any gain, once their synapses are removed",
}
local beyond, lower = sampled:column("beyond"):col(optimum), sampled:column("beyond"):col(lowered)
E:number("ModulationBeyondOptimum", beyond:mean(), stats.se(beyond))
E:number("ModulationBeyondLowered", lower:mean(), stats.se(lower))

local strongest, encoded_share = sampled:column("certain"), sampled:column("encoded")
local over = ves.vector(P.replicates)
for i = 1, P.replicates do over[i] = math.max(strongest[i], 1 - strongest[i]) end
E:claim {
  id = "no-failure-mode-only",
  says = "without failure, lateral inhibition expresses only the mode of the strongest synapses",
  where = "Introduction, lateral inhibition", reading = "printed", measured = over:min(), expected = 1,
  judge = judge.equal_to(), note = "smallest share of the one mode expressed; a single output ever wins",
}
E:claim {
  id = "failure-gives-all-a-chance", where = "Introduction, lateral inhibition", reading = "default",
  says = "if synapses fail randomly all neurons of the distribution get a chance to fire",
  measured = sampled:column("first"):col(optimum):mean(), se = stats.se(sampled:column("first"):col(optimum)),
  expected = encoded_share:mean(), judge = judge.within(margins.closely),
  note = "share of the mode at -2 with analytic release, against what is encoded",
}
E:number("ModulationEncodedShare", encoded_share:mean(), stats.se(encoded_share))
E:number("ModulationAlikeShare", sampled:column("alike"):mean(), stats.se(sampled:column("alike")))
E:table("failure", { { "release", "which releases: as encoded, analytic, 0.3 for all, 1 for all" },
  { "position", "order in the figure" }, { "share", "share of the mode at -2, mean over data sets" },
  { "share_sd", "its standard deviation" } }, {
  { "encoded", 0, encoded_share:mean(), encoded_share:sd() },
  { "analytic", 1, sampled:column("first"):col(optimum):mean(), sampled:column("first"):col(optimum):sd() },
  { "alike", 2, sampled:column("alike"):mean(), sampled:column("alike"):sd() },
  { "certain", 3, strongest:mean(), strongest:sd() },
})

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
  local r = { rows_win = {}, rows_mean = {}, salience_win = {}, salience_mean = {} }
  for s, n in ipairs(P.evidence) do
    r.rows_win[s], r.rows_mean[s] = map_spread(rng:stream("rows", n), n, 1)
    r.salience_win[s], r.salience_mean[s] = map_spread(rng:stream("salience", n), P.rows, n / P.rows)
  end
  for _, key in ipairs { "rows_win", "rows_mean", "salience_win", "salience_mean" } do r[key] = ves.vector(r[key]) end
  return r
end }

local spread_rows, logs = {}, {}
for s, n in ipairs(P.evidence) do
  local row = { n }
  for _, key in ipairs { "rows_win", "rows_mean", "salience_win", "salience_mean" } do
    local column = spreads:column(key):col(s)
    row[#row + 1], row[#row + 2] = column:mean(), stats.se(column)
  end
  spread_rows[s], logs[s] = row, math.log(n)
end
E:table("spread", { { "evidence", "rows times salience" },
  { "rows_win", "standard deviation of the MAP winner, salience 1, mean over data sets" },
  { "rows_win_se", "its standard error, and so on" }, { "rows_mean", "standard deviation of the mean readout" },
  "rows_mean_se", { "salience_win", "the winner, as many rows as the parameter says and salience to match" },
  "salience_win_se", { "salience_mean", "the mean readout" }, "salience_mean_se" }, spread_rows)

local more, salient = "MAP samples narrow as more data are seen", "MAP samples narrow as data become more salient"
for _, case in ipairs {
  { id = "evidence-narrows-map", key = "rows_mean", says = more, number = "EvidenceSlopeMean" },
  { id = "evidence-narrows-map-winner", key = "rows_win", says = more, number = "EvidenceSlopeWinner" },
  { id = "salience-narrows-map", key = "salience_mean", says = salient, number = "SalienceSlopeMean" },
  { id = "salience-narrows-map-winner", key = "salience_win", says = salient, number = "SalienceSlopeWinner" },
} do
  local columns, slopes = spreads:column(case.key), ves.vector(P.replicates)
  for i = 1, P.replicates do slopes[i] = stats.regression(logs, columns:row(i):map(math.log)).slope end
  E:number(case.number, slopes:mean(), stats.se(slopes))
  E:claim {
    id = case.id, says = case.says, where = "Epistemic uncertainty; Discussion, salience",
    reading = case.key:find("win") and "winner readout" or "mean readout",
    measured = slopes:mean(), se = stats.se(slopes), expected = 0, judge = judge.falls_short_by_se(),
    note = "slope of the log standard deviation on the log of rows times salience",
  }
end

--- A row of salience 2 is the same row seen twice.
do
  local xs, ys = models.simple().generate(100, E.rng:stream("twice"))
  local function fresh() return ves.network { input = code, output = code, prior_a = 0.025, prior_b = 0.1 } end
  local weighted, twice = fresh():observe(xs, ys, { salience = 2 }), fresh():observe(xs, ys):observe(xs, ys)
  local difference = math.max((weighted.A - twice.A):abs():max(), (weighted.B - twice.B):abs():max())
  E:claim {
    id = "salience-is-repetition", says = "a row's salience is its epistemic weight: salience 2 counts as two rows",
    where = "Discussion, salience", reading = "printed", measured = difference, expected = 0,
    judge = judge.proved_if(judge.less_than(margins.exact)), note = "largest difference of A and B",
  }
end

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
local noise_of = {}
for j = 1, code.n do
  noise_of[j] = pmf.binned(function(z) return ves.cdf.normal((z - centers[j]) / P.noise) end, centers)
end
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
    sd_alike = pmf.sd(rows_alike, centers) / goal, sd_first = pmf.sd(encoded, centers),
    tv_time = pmf.total_variation(time, wanted), tv_space = pmf.total_variation(space, wanted),
    tv_alike = pmf.total_variation(rows_alike, wanted), within = within / pmf.var(time, centers),
  }
end }

local downstream, kinds = {}, {}
for k, key in ipairs { "wanted", "time", "space", "alike" } do kinds[k] = layers:column(key) end
for j = 1, code.n do
  downstream[j] = { centers[j] }
  for k, values in ipairs(kinds) do downstream[j][k + 1] = values:col(j):mean() end
end
E:table("layers", { { "z", "output of the second layer" },
  { "convolution", "encoded distribution of y convolved with the noise, mean over data sets" },
  { "time", "sampled layer by layer" }, { "space", "whole activity passed on, W2'W1'x normalised" },
  { "rows_alike", "the same with every row of W2 normalised" } }, downstream)
for _, case in ipairs {
  { id = "propagates", key = "sd_time", reading = "default", how = "in time: samples passed on",
    number = "ModulationTimeSd" },
  { id = "propagates-space", key = "sd_space", reading = "printed", how = "in space: the whole activity passed on",
    number = "ModulationSpaceSd" },
  { id = "propagates-rows", key = "sd_alike", reading = "rows normalised",
    how = "in space, rows of the second layer normalised", number = "ModulationRowsSd" },
} do
  local sd = layers:column(case.key)
  E:number(case.number, sd:mean(), stats.se(sd))
  E:claim {
    id = case.id, says = "a second layer convolves its own uncertainty with that of the first",
    where = "Introduction, population codes as probability mass", reading = case.reading, measured = sd:mean(),
    se = stats.se(sd), expected = 1, judge = judge.within(margins.closely),
    note = case.how .. "; standard deviation over that of the convolution",
  }
end
local within = layers:column("within")
E:claim {
  id = "time-needs-repeats", says = "one sample does not convey the uncertainty of the samples to the next stage",
  where = "Introduction, synaptic failure as dropout sampling", reading = "default", measured = within:mean(),
  se = stats.se(within), expected = margins.substantially, judge = judge.less_than(),
  note = "variance of z after one sample of y, over the whole variance",
}
E:finish()
