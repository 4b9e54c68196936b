--- # Combined uncertainty
---
--- The two releases are multiplied, $\bar Q = \Phi \odot Q$ [eq:combined], and the samples should then be spread as
--- the data *plus* something for what is not known: more where there are fewer data, and uniform where there are none.
--- Everything here is exact [eq:winner-multi]: the distribution of the winner is computed, nothing is drawn but data
--- and priors.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local readings = require "vesicle.model.readings"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "11_combined_uncertainty", title = "both uncertainties together: spread, empty draws, unseen inputs",
  params = {
    replicates = { 20, quick = 4, about = "networks" },
    shown_replicates = { 8, quick = 4, about = "networks with amounts of data that no statement is about" },
    rows_per_input = { { 5, 20, 80, 320, 800, 3200 }, quick = { 20, 800 },
                       about = "rows of data for each of the five inputs" },
    spaced_replicates = { 15, quick = 3, about = "networks of each other spacing of the tuning curves" },
    psi = { 8.0, range = { 1, 20 }, about = "exponent of the learning rule" },
    rate = { 0.01, range = { 1e-4, 0.2 }, about = "learning rate gamma" },
    iterations = { 5000, quick = 500, about = "iterations of Algorithm 2" },
    weight_draws = { 20, quick = 10, about = "draws of the weights behind the reference distribution" },
  },
}
local P = E.params
local model = models.simple()
local inputs, unseen, shown = model.inputs, { -5, -3, -1, 1, 3, 5 }, { -4, -2, 0, 2, 4, -5, -3, -1, 1, 3, 5 }
local amounts, original = P.rows_per_input, 800
local fewest = amounts[1]

--- A code for each spacing of the tuning curves, and the rows that are ever active: only these are learned.

local layers = {}
for _, spacing in ipairs(readings.spacings) do
  local code = models.code(spacing)
  local activity = code:encode(shown)
  layers[spacing] = { code = code, centers = code.centers,
                      rows = stats.collect(code.n, function(i) return activity:col(i):max() end):above(1e-3) }
end

--- ## What to expect
---
--- Let weights be drawn, $W \sim \mathrm{Beta}(A, B)$, and an output be drawn from $W'x$, normalised: that is the
--- posterior predictive distribution which "complete" sampling should reach. Its mean over draws of the weights is
--- all but the encoded distribution itself, because the mean of the weights is $W$: the uncertainty about the weights
--- is already part of what the weights encode. The printed $\mathrm{Beta}(A+1, B+1)$ adds a row of each output.

local function predictive(r, activity, more, rng)
  local at, sum = activity:above(1e-3), ves.vector(#activity)
  local A, B, x = r.A:take(at):flatten() + more, r.B:take(at):flatten() + more, ves.matrix { activity:take(at) }
  for d = 1, P.weight_draws do
    local W = rng:stream(d):beta(A, B):reshape(#at, #sum)
    sum = sum + x:mul(W):normalise()[1]
  end
  return sum / P.weight_draws
end

--- ## Spread against the amount of data
---
--- For each amount of data and each input: the standard deviations of the encoded distribution, of samples with $Q$
--- alone and with $\Phi \odot Q$, and the probability that a draw is empty.

local function spreads(r, layer, reference)
  return stats.collect(inputs, function(x, k)
    local at = readings.at(r, layer.code:encode(x))
    local alone, both, nothing = readings.observed(at), readings.posterior(at)
    return { observed = pmf.sd(alone, layer.centers), combined = pmf.sd(both, layer.centers), empty = nothing,
             off = reference and pmf.total_variation(both, reference[k]) or 0 }
  end)
end

--- One input alone, so that no normaliser plays a part: the row of the neuron nearest to each x.

local function single_rows(r, layer)
  return stats.collect(inputs, function(x)
    local i = layer.code:encode(x):argmax()
    local w, q = r.W[i], r.Q[i]
    local p, weakest = ves.winner.exact(w, ves.release.combine(r.phi[i], q)), w:argmin()
    return { encoded = pmf.sd(w, layer.centers), combined = pmf.sd(p, layer.centers),
             weakest = r.phi[i][weakest] * q[weakest] }
  end)
end

--- With the mapping alone the smallest weight always transmits and no draw is empty. What if the smallest of every
--- active row still did, after division and $\Phi$: how do winners change, and the chance of an empty draw?

local function smallest_always(r, layer)
  return stats.collect(shown, function(x)
    local at = readings.at(r, layer.code:encode(x))
    local both, nothing = readings.posterior(at)
    local always = readings.combined(at, at.x)
    for i = 1, #at.x do always[i][at.W[i]:argmin()] = 1 end
    local p, still = ves.winner.exact(at.W, always, at.x)
    return { winners = pmf.total_variation(pmf.normalised(p), both), empty = nothing - still }
  end)
end

--- Where no data were seen: distance from uniform of the encoded distribution, of $Q$ alone and of both.

local function where_unseen(r, layer)
  return stats.collect(unseen, function(x)
    local activity = layer.code:encode(x)
    local at = readings.at(r, activity)
    local both, nothing = readings.posterior(at)
    return { encoded = pmf.from_uniform(ves.multi.mixture(r.W, activity)), combined = pmf.from_uniform(both),
             observed = pmf.from_uniform((readings.observed(at))), empty = nothing }
  end)
end

--- All this in both readings, with the mapping and with learned $Q$. Networks with other amounts of data than the
--- original's are asked for the table alone, and those of another spacing for the spread alone.

local function measure(net, layer, rng, whole, asked)
  local function present(f) return stats.collect(inputs, function(x) return f(layer.code:encode(x), x) end) end
  local W = net:weights()
  local Q = asked.learned and ves.release.learn(W, { algorithm = 2, rule = "power", psi = P.psi, rate = P.rate,
    iterations = P.iterations, active = layer.rows, rng = rng:stream("learn") })
  local result = { encoded = present(function(a) return pmf.sd(ves.multi.mixture(W, a), layer.centers) end) }
  local other
  for _, reading in ipairs(readings.judged) do
    local r, found, reference = readings.releases(net, reading, other), {}, nil
    other = r
    if whole or asked.table and reading.beta == "AB" then
      reference = present(function(a, x)
        return predictive(r, a, reading.beta == "AB" and 0 or 1, rng:stream(reading.pick("beta", "beta plus 1"), x))
      end)
      found.predictive = stats.collect(inputs, function(_, k) return pmf.sd(reference[k], layer.centers) end)
    end
    local function of_releases(releases, into)
      into.inputs = spreads(releases, layer, reference)
      into.unseen = whole and where_unseen(releases, layer) or nil
      return into
    end
    result[reading.name] = of_releases(r, found)
    found.single = asked.table and single_rows(r, layer) or nil
    found.always = whole and smallest_always(r, layer) or nil
    found.learned = Q and of_releases({ W = W, Q = Q, phi = r.phi, reading = reading }, {}) or nil
  end
  return result
end

local trials = { ends = {}, bins = {}, open = {} }
for _, spacing in ipairs(readings.spacings) do
  local ends = spacing == "ends"
  for _, rows in ipairs(ends and amounts or { fewest, original }) do
    local judged = rows == fewest or rows == original
    trials[spacing][rows] = E:replicate {
      name = "rows-" .. rows .. (ends and "" or "-" .. spacing),
      n = not ends and P.spaced_replicates or judged and P.replicates or P.shown_replicates,
      run = function(_, rng)
        local net = models.network(model, rng, { rows = rows * #inputs, spacing = spacing })
        return measure(net, layers[spacing], rng, rows == original,
          { table = ends, learned = ends and judged })
      end,
    }
  end
end

local function column(rows, path, spacing) return trials[spacing or "ends"][rows]:column(path) end

local spread_rows = {}
for _, rows in ipairs(amounts) do
  for _, reading in ipairs { readings.corrected, readings.printed } do
    local name = reading.name
    local row = { rows, reading.pick("default", "printed"), inputs, ves.vector(inputs):map(model.sd) }
    for _, path in ipairs { "encoded", "corrected.predictive", name .. ".inputs.observed", name .. ".inputs.combined",
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

--- The same with learned $Q$, beside the mapping.

local learned_rows = {}
for _, rows in ipairs { fewest, original } do
  for _, reading in ipairs(readings.judged) do
    for _, releases in ipairs { "mapping", "learned" } do
      local path = reading.name .. (releases == "learned" and ".learned" or "") .. ".inputs."
      learned_rows[#learned_rows + 1] = { rows, reading.name, releases, inputs,
        stats.summary(column(rows, path .. "observed")), stats.summary(column(rows, path .. "combined")),
        stats.summary(column(rows, path .. "empty")),
        stats.ratios(column(rows, path .. "combined"), column(rows, path .. "observed")) }
    end
  end
end
E:table("learned", { { "rows", "rows of data per input" }, "reading", { "releases", "Q of the mapping, or learned" },
  "x",
  { "observed", "standard deviation of samples with Q alone" }, "observed_se", { "combined", "with Phi and Q" },
  "combined_se", { "empty", "probability that nothing transmits, with Phi and Q" }, "empty_se",
  { "inflation", "combined over observed" }, "inflation_se" }, learned_rows)

--- What a single unseen input looks like, in one network.

local example = readings.releases(models.network(model, E.rng:stream("picture")), readings.corrected)
local nowhere = layers.ends.code:encode(3)
local at_nowhere = readings.at(example, nowhere)
E:table("unseen_input", { { "y", "preferred value of the output", layers.ends.centers },
  { "encoded", "encoded probability at x = 3, where there were no data", ves.multi.mixture(example.W, nowhere) },
  { "observed", "probability to win with Q alone", (readings.observed(at_nowhere)) },
  { "combined", "with Phi and Q", (readings.posterior(at_nowhere)) } })

--- ## Verdicts

local function summary(path, spacing) return stats.summary(column(original, path, spacing)) end
local function ratios(above, below, spacing, rows)
  return stats.ratios(column(rows or original, above, spacing), column(rows or original, below, spacing))
end

--- A further cell for each reading: of(reading) is its content.
local function further(name, of, own)
  local cells = own or {}
  for _, reading in ipairs(readings.judged) do
    local cell = of(reading)
    if stats.is_estimate(cell) then cell = { cell } end
    cell.reading = name .. ", " .. reading.name
    cells[#cells + 1] = cell
  end
  return cells
end

local function named(xs) return stats.collect(xs, function(x) return string.format("x=%d", x) end) end

--- *Additional variance, and more of it where there are fewer data.* With 800 rows per input, as in the original, and
--- with few of them. In single rows the floor that the prior puts under a row has the least evidence, hence the
--- smallest $\Phi$: where it carries the spread, $\Phi$ takes it away, and samples are *narrower* than what is encoded.

local function inflation(reading, spacing, learned, rows)
  local path = reading.name .. (learned or "") .. ".inputs."
  return ratios(path .. "combined", path .. "observed", spacing, rows)
end
local function inflation_gained(reading, spacing, learned)
  local few, many = inflation(reading, spacing, learned, fewest), inflation(reading, spacing, learned)
  return { few.value - many.value, se = (few.se ^ 2 + many.se ^ 2):sqrt() }
end
local function shrinkage(reading)
  local cell = { ratios(reading.name .. ".single.combined", reading.name .. ".single.encoded") }
  cell.quantity = "standard deviation with Phi times Q over the encoded one, in the row of one input"
  return cell
end
local function complete(reading, spacing, learned)
  local path = reading.name .. (learned or "") .. ".inputs."
  return { ratios(path .. "combined", reading.name .. ".predictive", spacing),
           beside = { ["total variation"] = summary(path .. "off", spacing) } }
end

E:statements {
  kind = "empirical", where = "Results", at = named(inputs), breaks = "epistemic=certain",
  { id = "combined-inflates", says = "Samples have additional variance corresponding to epistemic uncertainty.",
    quantity = "standard deviation with Phi times Q over that with Q", looked = true,
    criterion = is.each(is.more(1, margins.direction)), cells = readings.cells(inflation),
    further = further("one input alone", shrinkage,
      further("learned", function(reading) return inflation(reading, "ends", ".learned") end)) },
  { id = "inflation-with-fewer-data",
    says = "Epistemic uncertainty adds more variance to samples in regions with fewer data.", looked = true,
    quantity = string.format("standard deviation with Phi times Q over that with Q: %d rows per input less %d",
      fewest, original),
    criterion = is.each(is.more(0, margins.direction)), cells = readings.cells(inflation_gained),
    further = further("learned", function(reading) return inflation_gained(reading, "ends", ".learned") end) },
  { id = "complete-posterior", where = "Theoretical model, Combined uncertainty; Discussion",
    says = "Both releases multiplied sample the complete posterior distribution.", breaks = "winner=encoded",
    quantity = "standard deviation with Phi times Q over that of the Beta model's posterior predictive distribution",
    criterion = is.each(is.within(margins.closely)), cells = readings.cells(complete),
    further = further("learned", function(reading) return complete(reading, "ends", ".learned") end) },
}
E:own { id = "encoded-is-predictive", kind = "empirical", at = named(inputs), breaks = "encoded=sampled",
        says = "The encoded distribution is the posterior predictive one of Beta(A,B).",
        quantity = "encoded over predictive standard deviation", criterion = is.each(is.within(margins.closely)),
        cells = readings.cells(function(reading, spacing)
          return ratios("encoded", reading.name .. ".predictive", spacing)
        end) }

--- *The smallest weight* no longer always transmits once multiplied by $\Phi$, and draws become empty.

local function empty(reading, spacing, learned)
  local path = reading.name .. (learned or "")
  return stats.summary { column(original, path .. ".inputs.empty", spacing),
                         column(original, path .. ".unseen.empty", spacing) }
end
local winners_and_empty = {}
for k, x in ipairs(named(shown)) do
  winners_and_empty[k], winners_and_empty[k + #shown] = "winners:" .. x, "empty:" .. x
end

E:statements {
  kind = "empirical", criterion = is.each(is.below(margins.negligible)), breaks = "epistemic=certain",
  { id = "sample-single", where = "Theoretical model, Transmission probability, fig:samplediagram", at = named(shown),
    says = "Each draw results in a single realisation.", cells = readings.cells(empty), looked = true,
    quantity = "probability of an empty draw with both releases, at the trained and at unseen inputs",
    further = further("learned", function(reading) return empty(reading, "ends", ".learned") end) },
  { id = "smallest-no-importance", where = "Results, fig:weights", at = winners_and_empty, looked = true,
    kind = "unclaimed", note = "the original disclaims importance ('not assigned any practical or theoretical "
      .. "importance'); it does not claim that there is none",
    says = "What the smallest weights transmit is of no practical or theoretical importance.",
    quantity = "total variation of winners, and less probability of an empty draw, with both releases, were the "
      .. "smallest weight of every active row released always",
    cells = readings.cells(function(reading, spacing)
      return stats.summary { column(original, reading.name .. ".always.winners", spacing),
                             column(original, reading.name .. ".always.empty", spacing) }
    end) },
}
local always = further("with Phi", function(reading) return summary(reading.name .. ".single.weakest") end)
always.statement, always.kind, always.breaks = "smallest-always-transmits", "empirical", "epistemic=certain"
always.quantity, always.at = "release of the smallest weight with both releases, in the row of one input", named(inputs)
always.criterion = is.each(is.near(margins.percent, 1))
E:further(always)

--- *Uniform where nothing was seen*, input by input. The encoded distribution is; the samples are not, because $\Phi$,
--- the same for all of an unseen row, favours whichever weights happen to be the smallest.

local function from_uniform(reading, learned) return summary(reading.name .. (learned or "") .. ".unseen.combined") end
E:further(further("learned, each unseen input", function(reading) return from_uniform(reading, ".learned") end,
  further("each unseen input by itself", from_uniform, {
    statement = "uniform-where-no-data", kind = "empirical", at = named(unseen), breaks = "mixture=first",
    quantity = "total variation from uniform", criterion = is.each(is.below(margins.uniform)),
    { reading = "Q alone, each unseen input", summary("corrected.unseen.observed") },
    { reading = "the encoded distribution", summary("corrected.unseen.encoded") },
  })))

--- ## Numbers

local function mean_number(name, found) E:number(name, found.value:mean(), found.se:mean()) end
local both = { readings.corrected, readings.printed }
for _, reading in ipairs(both) do
  E:number(reading.pick("InflationLow", "InflationLowPrinted"), inflation(reading)[1])
  E:number(reading.pick("InflationHigh", "InflationHighPrinted"), inflation(reading)[5])
end
for _, reading in ipairs(both) do
  E:number(reading.pick("RowShrinkage", "RowShrinkagePrinted"), shrinkage(reading)[1][1])
end
for _, reading in ipairs(both) do
  mean_number(reading.pick("EmptyUnseen", "EmptyUnseenPrinted"), summary(reading.name .. ".unseen.empty"))
end
for _, reading in ipairs(both) do
  mean_number(reading.pick("UniformUnseen", "UniformUnseenPrinted"), from_uniform(reading))
end
mean_number("UniformUnseenObserved", summary "corrected.unseen.observed")
mean_number("UniformUnseenEncoded", summary "corrected.unseen.encoded")

E:finish()
