--- # Combined uncertainty
---
--- The two releases are multiplied, $\bar Q = \Phi \odot Q$ [eq:combined], and the samples should then be spread as
--- the data *plus* something for what is not known: more where there are fewer data, and uniform where there are none.
--- Everything here is exact [eq:winner-multi]: the distribution of the winner is computed, nothing is drawn but data
--- and priors.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local judge = require "vesicle.judge"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local readings = require "vesicle.model.readings"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "11_combined_uncertainty", title = "both uncertainties together: spread, empty draws, unseen inputs",
  params = {
    replicates = { 20, quick = 4, about = "networks" },
    rows_per_input = { { 5, 20, 80, 320, 800, 3200 }, quick = { 20, 800 },
                       about = "rows of data for each of the five inputs" },
    weight_draws = { 20, quick = 10, about = "draws of the weights behind the reference distribution" },
  },
}
local P = E.params
local code, model = models.code(), models.simple()
local centers, n, inputs = code.centers, code.n, model.inputs
local original = 800
local unseen = { -5, -3, -1, 1, 3, 5 }

--- ## What to expect
---
--- Let weights be drawn, $W \sim \mathrm{Beta}(A, B)$, and an output be drawn from $W'x$, normalised: that is the
--- posterior predictive distribution which "complete" sampling should reach. Its mean over draws of the weights is
--- all but the encoded distribution itself, because the mean of the weights is $W$: the uncertainty about the weights
--- is already part of what the weights encode.

local function predictive(net, activity, rng)
  local at, sum = activity:above(1e-3), ves.vector(n)
  local A, B, x = net.A:take(at):flatten(), net.B:take(at):flatten(), ves.matrix { activity:take(at) }
  for d = 1, P.weight_draws do
    local W = rng:stream(d):beta(A, B):reshape(#at, n)
    sum = sum + x:mul(W):normalise()[1]
  end
  return sum / P.weight_draws
end

--- ## Spread against the amount of data
---
--- For each amount of data and each input: the standard deviations of the encoded distribution, of samples with $Q$
--- alone and with $\Phi \odot Q$, and the probability that a draw is empty.

local function spreads(r)
  return stats.collect(inputs, function(x)
    local at = readings.at(r, code:encode(x))
    local alone, both, nothing = readings.observed(at), readings.posterior(at)
    return { observed = pmf.sd(alone, centers), combined = pmf.sd(both, centers), empty = nothing }
  end)
end

--- One input alone, so that no normaliser plays a part: the row of the neuron nearest to each x. With the mapping alone
--- the weakest synapse always transmits and no draw is empty; what if it never did? And what does $\Phi$ do?

local function single_rows(r)
  return stats.collect(inputs, function(x)
    local i = code:encode(x):argmax()
    local w, q = r.W[i], r.Q[i]
    local p = ves.winner.exact(w, ves.release.combine(r.phi[i], q))
    local weakest, silent = w:argmin(), q:copy()
    silent[weakest] = 0
    return { encoded = pmf.sd(w, centers), combined = pmf.sd(p, centers), weakest = r.phi[i][weakest] * q[weakest],
             silenced = pmf.total_variation((ves.winner.exact(w, silent)), w) }
  end)
end

--- Where no data were seen: distance from uniform of the encoded distribution, of $Q$ alone and of both.

local function where_unseen(r)
  return stats.collect(unseen, function(x)
    local activity = code:encode(x)
    local at = readings.at(r, activity)
    local both, nothing = readings.posterior(at)
    return { encoded = pmf.from_uniform(ves.multi.mixture(r.W, activity)), combined = pmf.from_uniform(both),
             observed = pmf.from_uniform((readings.observed(at))), empty = nothing }
  end)
end

local trials = {}
local amounts = P.rows_per_input
for _, rows in ipairs(amounts) do
  trials[rows] = E:replicate { name = "rows-" .. rows, n = P.replicates, run = function(_, rng)
    local net = models.network(model, rng, { rows = rows * #inputs })
    local W = net:weights()
    local result = stats.collect(inputs, function(x)
      local activity = code:encode(x)
      return { encoded = pmf.sd(ves.multi.mixture(W, activity), centers),
               predictive = pmf.sd(predictive(net, activity, rng:stream("beta", x)), centers) }
    end)
    for _, reading in ipairs(readings.both) do
      local r = readings.releases(net, reading)
      result[reading.name] = { inputs = spreads(r), single = single_rows(r), unseen = where_unseen(r) }
    end
    return result
  end }
end

local function column(rows, path) return trials[rows]:column(path) end

local spread_rows = {}
for _, rows in ipairs(amounts) do
  for _, reading in ipairs(readings.both) do
    local name = reading.name
    local row = { rows, name, inputs, ves.vector(inputs):map(model.sd) }
    for _, path in ipairs { "encoded", "predictive", name .. ".inputs.observed", name .. ".inputs.combined",
                            name .. ".inputs.empty", name .. ".single.encoded", name .. ".single.combined" } do
      row[#row + 1] = stats.summary(column(rows, path))
    end
    row[#row + 1] = stats.ratios(column(rows, name .. ".inputs.combined"), column(rows, name .. ".inputs.observed"))
    spread_rows[#spread_rows + 1] = row
  end
end
E:table("spread", { { "rows", "rows of data per input" }, "reading", "x",
  { "truth", "data-generating standard deviation" }, { "encoded", "standard deviation of the encoded distribution" },
  "encoded_se", { "predictive", "of the mean of encoded distributions over Beta draws of the weights" },
  "predictive_se", { "observed", "of samples with Q alone" }, "observed_se",
  { "combined", "of samples with Phi and Q" }, "combined_se",
  { "empty", "probability that nothing transmits, with Phi and Q" }, "empty_se",
  { "row_encoded", "encoded standard deviation of the row of one input" }, "row_encoded_se",
  { "row_combined", "of its samples with Phi and Q" }, "row_combined_se", { "inflation", "combined over observed" },
  "inflation_se" }, spread_rows)

--- What a single unseen input looks like, in one network.

local example = readings.releases(models.network(model, E.rng:stream("picture")), readings.default)
local nowhere = code:encode(3)
local at_nowhere = readings.at(example, nowhere)
E:table("unseen_input", { { "y", "preferred value of the output", centers },
  { "encoded", "encoded probability at x = 3, where there were no data", ves.multi.mixture(example.W, nowhere) },
  { "observed", "probability to win with Q alone", (readings.observed(at_nowhere)) },
  { "combined", "with Phi and Q", (readings.posterior(at_nowhere)) } })

--- ## Verdicts

local function means(path) return stats.summary(column(original, path)) end
local function ratios(above, below, rows)
  return stats.ratios(column(rows or original, above), column(rows or original, below))
end

--- *Additional variance, and more of it where there are fewer data.* With 800 rows per input, as in the original, and
--- with few of them.

local where, results = "Combined uncertainty", "Results"
for _, reading in ipairs(readings.both) do
  local combined, observed = reading.name .. ".inputs.combined", reading.name .. ".inputs.observed"
  local inflation, with_few = ratios(combined, observed), ratios(combined, observed, amounts[1])
  E:claims {
    where = results, reading = reading.name, judge = judge.every(judge.exceeds_by_se()),
    { id = reading.pick("combined-inflates", "combined-inflates-printed"), measured = inflation, expected = 1,
      says = "epistemic uncertainty adds variance to the samples",
      note = "standard deviation with both releases over that with Q" },
    { id = reading.pick("inflation-with-fewer-data", "inflation-with-fewer-data-printed"), expected = 0,
      says = "inflation is larger where there are fewer data",
      measured = with_few.value - inflation.value, se = (with_few.se ^ 2 + inflation.se ^ 2):sqrt(),
      note = string.format("that ratio with %d rows per input minus that with %d", amounts[1], original) },
    { id = reading.pick("complete-posterior", "complete-posterior-printed"), where = where, expected = 1,
      says = "both releases together sample the complete posterior", measured = ratios(combined, "predictive"),
      judge = judge.every(judge.within(margins.closely)),
      note = "standard deviation over that of the posterior predictive distribution of the Beta model" },
  }
  E:number(reading.pick("InflationLow", "InflationLowPrinted"), inflation[1])
  E:number(reading.pick("InflationHigh", "InflationHighPrinted"), inflation[5])
end
E:claim { id = "encoded-is-predictive", where = "this project", reading = "default", expected = 1,
          says = "the encoded distribution already is the posterior predictive one",
          measured = ratios("encoded", "predictive"), judge = judge.every(judge.within(margins.closely)),
          note = "ratio of standard deviations" }

--- *Single rows.* The floor that the prior puts under a row has the least evidence, hence the smallest $\Phi$: where
--- this floor carries the spread, $\Phi$ takes it away, and the samples are *narrower* than what is encoded.

for _, reading in ipairs(readings.both) do
  local shrinkage = ratios(reading.name .. ".single.combined", reading.name .. ".single.encoded")
  E:claim { id = reading.pick("combined-shrinks", "combined-shrinks-printed"), where = where, reading = reading.name,
            says = "the product of releases adds variance to what a single input encodes", measured = shrinkage,
            expected = 1, judge = judge.refuted_if(judge.negate(judge.every(judge.negate(judge.falls_short_by_se())))),
            note = "standard deviation with both releases over the encoded one; one counterexample refutes" }
  E:number(reading.pick("RowShrinkage", "RowShrinkagePrinted"), shrinkage[1])
end

--- *The smallest weight.* Of no importance while it merely always transmits; but multiplied by $\Phi$ it no longer
--- does, and draws become empty.

E:claim { id = "smallest-no-importance", where = "Results, fig:weights", reading = "printed", expected = 0,
          says = "that the smallest weight always transmits is of no practical importance",
          measured = means("printed.single.silenced"), judge = judge.every(judge.near(margins.negligible)),
          note = "total variation from the encoded distribution when it never transmits, Q alone" }
for _, reading in ipairs(readings.both) do
  E:claim { id = reading.pick("smallest-always-transmits-combined", "smallest-always-transmits-combined-printed"),
            where = "Results, fig:weights", reading = reading.name .. ", both releases", expected = 1,
            says = "the smallest weight always transmits", measured = means(reading.name .. ".single.weakest"),
            judge = judge.every(judge.near(margins.percent)),
            note = "its release with both releases, in the row of one input" }
  local elsewhere = means(reading.name .. ".unseen.empty")
  E:claim { id = reading.pick("empty-draws", "empty-draws-printed"), where = "Sampling scheme", reading = reading.name,
            says = "a draw transmits something", expected = 0, judge = judge.every(judge.near(margins.negligible)),
            measured = stats.summary { column(original, reading.name .. ".inputs.empty"),
                                       column(original, reading.name .. ".unseen.empty") },
            note = "probability of an empty draw with both releases, at the five trained and six unseen inputs" }
  E:number(reading.pick("EmptyUnseen", "EmptyUnseenPrinted"), elsewhere.value:mean(), elsewhere.se:mean())
end

--- *Uniform where nothing was seen*, input by input. The encoded distribution is; the samples are not, because $\Phi$,
--- the same for all of an unseen row, favours whichever weights happen to be the smallest.

for _, c in ipairs {
  { id = "uniform-unseen", number = "UniformUnseen", reading = "default", of = "default.unseen.combined" },
  { id = "uniform-unseen-printed", number = "UniformUnseenPrinted", reading = "printed",
    of = "printed.unseen.combined" },
  { id = "uniform-unseen-observed", number = "UniformUnseenObserved", reading = "Q alone",
    of = "default.unseen.observed" },
  { id = "uniform-unseen-encoded", number = "UniformUnseenEncoded", reading = "the encoded distribution",
    of = "default.unseen.encoded" },
} do
  local off = means(c.of)
  E:claim { id = c.id, says = "samples are uniform at an input where no data were seen", where = results,
            reading = c.reading, measured = off, expected = 0, judge = judge.every(judge.near(margins.uniform)),
            note = "total variation from uniform at six inputs" }
  E:number(c.number, off.value:mean(), off.se:mean())
end

E:finish()
