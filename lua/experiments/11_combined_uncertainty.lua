--- # Combined uncertainty
---
--- The two releases are multiplied, $\bar Q = \Phi \odot Q$ [eq:combined], and the samples should then be spread as
--- the data *plus* something for what is not known: more where there are fewer data, and uniform where there are none.
--- Everything here is exact [eq:winner-multi]: the distribution of the winner is computed, nothing is drawn but data
--- and priors.

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
  name = "11_combined_uncertainty", title = "both uncertainties together: spread, empty draws, unseen inputs",
  params = { replicates = 20, rows_per_input = { 5, 20, 80, 320, 800, 3200 }, weight_draws = 20 },
  quick = { replicates = 4, rows_per_input = { 20, 800 }, weight_draws = 10 },
  about = {
    replicates = "networks", rows_per_input = "rows of data for each of the five inputs",
    weight_draws = "draws of the weights behind the reference distribution",
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
  local found = { observed = {}, combined = {}, empty = {}, distance = {} }
  for g, x in ipairs(inputs) do
    local at = readings.at(r, code:encode(x))
    local alone, both, nothing = readings.observed(at), readings.posterior(at)
    found.observed[g], found.combined[g] = pmf.sd(alone, centers), pmf.sd(both, centers)
    found.empty[g], found.distance[g] = nothing, pmf.total_variation(alone, both)
  end
  return found
end

--- One input alone, so that no normaliser plays a part: the row of the neuron nearest to each x. With the mapping alone
--- the weakest synapse always transmits and no draw is empty; what if it never did? And what does $\Phi$ do?
local function single_rows(r)
  local found = { encoded = {}, combined = {}, empty = {}, weakest = {}, silenced = {} }
  for g, x in ipairs(inputs) do
    local i = code:encode(x):argmax()
    local w, q = r.W[i], r.Q[i]
    local p, nothing = ves.winner.exact(w, ves.release.combine(r.phi[i], q))
    found.encoded[g], found.combined[g], found.empty[g] = pmf.sd(w, centers), pmf.sd(p, centers), nothing
    local weakest, silent = w:argmin(), q:copy()
    silent[weakest] = 0
    found.weakest[g] = r.phi[i][weakest] * q[weakest]
    found.silenced[g] = pmf.total_variation((ves.winner.exact(w, silent)), w)
  end
  return found
end

--- Where no data were seen: distance from uniform of the encoded distribution, of $Q$ alone and of both.
local function where_unseen(r)
  local found = { encoded = {}, observed = {}, combined = {}, empty = {}, sd = {} }
  for g, x in ipairs(unseen) do
    local activity = code:encode(x)
    local at = readings.at(r, activity)
    local alone, both, nothing = readings.observed(at), readings.posterior(at)
    found.encoded[g] = pmf.from_uniform(ves.multi.mixture(r.W, activity))
    found.observed[g], found.combined[g] = pmf.from_uniform(alone), pmf.from_uniform(both)
    found.empty[g], found.sd[g] = nothing, pmf.sd(both, centers)
  end
  return found
end

local trials = {}
local amounts = P.rows_per_input
for _, rows in ipairs(amounts) do
  trials[rows] = E:replicate { name = "rows-" .. rows, n = P.replicates, run = function(_, rng)
    local net = models.network(model, rng, { rows = rows * #inputs })
    local W, result = net:weights(), { encoded = {}, predictive = {} }
    for g, x in ipairs(inputs) do
      local activity = code:encode(x)
      result.encoded[g] = pmf.sd(ves.multi.mixture(W, activity), centers)
      result.predictive[g] = pmf.sd(predictive(net, activity, rng:stream("beta", x)), centers)
    end
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
    local fields = { column(rows, "encoded"), column(rows, "predictive"), column(rows, name .. ".inputs.observed"),
                     column(rows, name .. ".inputs.combined"), column(rows, name .. ".inputs.empty"),
                     column(rows, name .. ".single.encoded"), column(rows, name .. ".single.combined") }
    for g, x in ipairs(inputs) do
      local row = { rows, name, x, model.sd(x) }
      for _, M in ipairs(fields) do row[#row + 1], row[#row + 2] = M:col(g):mean(), stats.se(M:col(g)) end
      row[#row + 1], row[#row + 2] = jackknife(function(c, o) return c[g] / o[g] end, fields[4], fields[3])
      spread_rows[#spread_rows + 1] = row
    end
  end
end
E:table("spread", { "rows", "reading", "x", "truth", "encoded", "encoded_se", "predictive", "predictive_se", "observed",
  "observed_se", "combined", "combined_se", "empty", "empty_se", "row_encoded", "row_encoded_se", "row_combined",
  "row_combined_se", "inflation", "inflation_se" }, spread_rows, { meaning = {
    rows = "rows of data per input", truth = "data-generating standard deviation",
    encoded = "standard deviation of the encoded distribution",
    predictive = "of the mean of encoded distributions over Beta draws of the weights",
    observed = "of samples with Q alone", combined = "of samples with Phi and Q",
    empty = "probability that nothing transmits, with Phi and Q",
    row_encoded = "encoded standard deviation of the row of one input", row_combined = "of its samples with Phi and Q",
    inflation = "combined over observed" } })

--- What a single unseen input looks like, in one network.

local function winners_at(x)
  local net = models.network(model, E.rng:stream("picture"))
  local rows, activity = {}, code:encode(x)
  local d = readings.releases(net, readings.default)
  local encoded, at = ves.multi.mixture(d.W, activity), readings.at(d, activity)
  local alone, both = readings.observed(at), readings.posterior(at)
  for j = 1, n do rows[j] = { centers[j], encoded[j], alone[j], both[j] } end
  return rows
end
E:table("unseen_input", { "y", "encoded", "observed", "combined" }, winners_at(3), { meaning = {
  y = "preferred value of the output", encoded = "encoded probability at x = 3, where there were no data",
  observed = "probability to win with Q alone", combined = "with Phi and Q" } })

--- ## Verdicts

local function means(path) return by_input.means(column(original, path)) end
local function ratios(above, below, rows)
  return by_input.ratios(column(rows or original, above), column(rows or original, below))
end

--- *Additional variance, and more of it where there are fewer data.* With 800 rows per input, as in the original, and
--- with few of them.

local where, results = "Combined uncertainty", "Results"
for _, reading in ipairs(readings.both) do
  local name = reading.name
  local combined, observed = name .. ".inputs.combined", name .. ".inputs.observed"
  local measured, ses = ratios(combined, observed)
  E:claim { id = "combined-inflates" .. reading.suffix, says = "epistemic uncertainty adds variance to the samples",
            where = results, reading = name, measured = measured, se = ses, expected = 1,
            judge = judge.every(judge.exceeds_by_se()),
            note = "standard deviation with both releases over that with Q" }
  E:number("InflationLow" .. reading.macro, measured[1], ses[1])
  E:number("InflationHigh" .. reading.macro, measured[5], ses[5])
  local with_few, few_ses = ratios(combined, observed, amounts[1])
  local gap, gap_se = by_input.collect(#inputs, function(g)
    return with_few[g] - measured[g], math.sqrt(few_ses[g] ^ 2 + ses[g] ^ 2)
  end)
  E:claim { id = "inflation-with-fewer-data" .. reading.suffix, says = "inflation is larger where there are fewer data",
            where = results, reading = name, measured = gap, se = gap_se, expected = 0,
            judge = judge.every(judge.exceeds_by_se()),
            note = string.format("that ratio with %d rows per input minus that with %d", amounts[1], original) }
  measured, ses = ratios(combined, "predictive")
  E:claim { id = "complete-posterior" .. reading.suffix, where = where, reading = name, measured = measured, se = ses,
            says = "both releases together sample the complete posterior", expected = 1,
            judge = judge.every(judge.within(margins.closely)),
            note = "standard deviation over that of the posterior predictive distribution of the Beta model" }
end
local measured, ses = ratios("encoded", "predictive")
E:claim { id = "encoded-is-predictive", where = "this project", reading = "default", measured = measured, se = ses,
          says = "the encoded distribution already is the posterior predictive one", expected = 1,
          judge = judge.every(judge.within(margins.closely)), note = "ratio of standard deviations" }

--- *Single rows.* The floor that the prior puts under a row has the least evidence, hence the smallest $\Phi$: where
--- this floor carries the spread, $\Phi$ takes it away, and the samples are *narrower* than what is encoded.

for _, reading in ipairs(readings.both) do
  measured, ses = ratios(reading.name .. ".single.combined", reading.name .. ".single.encoded")
  E:claim { id = "combined-shrinks" .. reading.suffix, where = where, reading = reading.name, measured = measured,
            says = "the product of releases adds variance to what a single input encodes", se = ses, expected = 1,
            judge = judge.refuted_if(judge.negate(judge.every(judge.negate(judge.falls_short_by_se())))),
            note = "standard deviation with both releases over the encoded one; one counterexample refutes" }
  E:number("RowShrinkage" .. reading.macro, measured[1], ses[1])
end

--- *The smallest weight.* Of no importance while it merely always transmits; but multiplied by $\Phi$ it no longer
--- does, and draws become empty.

measured, ses = means("printed.single.silenced")
E:claim { id = "smallest-no-importance", where = "Results, fig:weights", reading = "printed", measured = measured,
          says = "that the smallest weight always transmits is of no practical importance", se = ses, expected = 0,
          judge = judge.every(judge.near(margins.negligible)),
          note = "total variation from the encoded distribution when it never transmits, Q alone" }
for _, reading in ipairs(readings.both) do
  measured, ses = means(reading.name .. ".single.weakest")
  E:claim { id = "smallest-always-transmits-combined" .. reading.suffix, where = "Results, fig:weights", se = ses,
            says = "the smallest weight always transmits", reading = reading.name .. ", both releases", expected = 1,
            measured = measured, judge = judge.every(judge.near(margins.percent)),
            note = "its release with both releases, in the row of one input" }
  local trained, trained_se = means(reading.name .. ".inputs.empty")
  local elsewhere, elsewhere_se = means(reading.name .. ".unseen.empty")
  local all, all_se = { table.unpack(trained) }, { table.unpack(trained_se) }
  table.move(elsewhere, 1, #elsewhere, #all + 1, all)
  table.move(elsewhere_se, 1, #elsewhere_se, #all_se + 1, all_se)
  E:claim { id = "empty-draws" .. reading.suffix, where = "Sampling scheme", reading = reading.name, measured = all,
            says = "a draw transmits something", se = all_se, expected = 0,
            judge = judge.every(judge.near(margins.negligible)),
            note = "probability of an empty draw with both releases, at the five trained and six unseen inputs" }
  E:number("EmptyUnseen" .. reading.macro, stats.mean(elsewhere), stats.mean(elsewhere_se))
end

--- *Uniform where nothing was seen*, input by input. The encoded distribution is; the samples are not, because $\Phi$,
--- the same for all of an unseen row, favours whichever weights happen to be the smallest.

for _, c in ipairs {
  { id = "uniform-unseen", reading = "default", path = "default.unseen.combined" },
  { id = "uniform-unseen-printed", reading = "printed", path = "printed.unseen.combined" },
  { id = "uniform-unseen-observed", reading = "Q alone", path = "default.unseen.observed" },
  { id = "uniform-unseen-encoded", reading = "the encoded distribution", path = "default.unseen.encoded" },
} do
  measured, ses = means(c.path)
  E:claim { id = c.id, says = "samples are uniform at an input where no data were seen", where = results,
            reading = c.reading, measured = measured, se = ses, expected = 0,
            judge = judge.every(judge.near(margins.uniform)), note = "total variation from uniform at six inputs" }
  E:number("Uniform" .. c.id:gsub("^uniform%-unseen", "Unseen"):gsub("%-(%l)", string.upper), stats.mean(measured),
    stats.mean(ses))
end

E:finish()
