--- # The repaired network
---
--- The whole, from nothing: an untrained network, data that arrive row by row, both stages learned from the draws it
--- makes itself. After each row, while its input is still present, the network draws a few outputs in two stages
--- [eq:two-stage], and in each stage the winner learns by the amplitude rule with step $1/k$ [eq:amplitude]
--- [eq:amplitude-average] [eq:amplitude-unbiased]. The first stage finds the sum of a row in the mean of what the row
--- sent [eq:row-strength]. What a synapse or row uses is its own or was just transmitted; there is no exponent, no
--- rate, no bound and no divisor. Synapses compete by amplitude, so that none needs to know another's weight. Uncertain
--- weights have several release sites [eq:sites]. The same networks are read as printed and as corrected, with the
--- analytic mapping, which is the original's best.
---
--- An input that is looked at is presented as it is while data arrive: the network draws as often as after a row of
--- data, and learns from these draws, in a copy of its own for each checkpoint. More draws would rehearse the input:
--- `21_rehearsal` measures what that brings.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local readings = require "vesicle.model.readings"
local repaired = require "vesicle.model.repaired"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "21_repaired_network", title = "an untrained network that learns from its own draws as data arrive",
  params = {
    replicates = { 40, quick = 2, about = "networks for each data model" },
    rows = { 4000, quick = 1000, about = "rows of data" },
    draws_per_row = { 10, about = "draws from which it learns while a row's input is present" },
    presentation = { 10, about = "draws from which it learns when an input is presented later: those of a row" },
    draws = { 1000, quick = 300, about = "samples at an input" },
    grid = { 61, quick = 121, about = "inputs on [-6, 6]" },
    weight_draws = { 20, quick = 10, about = "draws of the weights behind the predictive distribution" },
    few_replicates = { 40, quick = 4, about = "networks with little data" },
    few_rows = { 25, about = "rows of data there" },
    checkpoints = { { 20, 50, 100, 200, 500, 1000, 2000, 4000 }, quick = { 50, 200, 1000 },
                    about = "rows after which the learned winners are compared with what is encoded" },
    unseen = { 0.4, about = "an input this far from all training inputs counts as unseen" },
  },
}
local P = E.params
local both, code = { models.simple(), models.bimodal() }, models.code()
local centers, spacing = code.centers, code.centers[2] - code.centers[1]
local looked_at, shown = { -4, -2, 0, 2, 4 }, { -4, -2, 0, 2, 4, -5, -3, -1, 1, 3, 5 }
local grid = (ves.range(1, P.grid) - 1) * 12 / (P.grid - 1) + -6
local methods = { "printed", "corrected", "repaired", "hypotheses" }

for _, model in ipairs(both) do          -- the positions on the grid of inputs far from all that were trained
  local far = grid:map(function(x)
    if not model.inputs then return math.max(0, model.lo - x, x - model.hi) end
    return (ves.vector(model.inputs) - x):abs():min()
  end)
  model.unseen = far:above(P.unseen - 1e-9)
end

--- ## What is measured of a distribution
---
--- Its spread; its distribution function; and its calibration: a central interval that holds 90% of the samples should
--- hold 90% of the data. The probability integral transform of the data [eq:pit] is taken linear within the cell of an
--- output, so that the coverage [eq:coverage] of the data-generating distribution is exact.

local function quantile(cumulative, u)
  local j = 1
  while j < #cumulative and cumulative[j] < u do j = j + 1 end
  local below = j > 1 and cumulative[j - 1] or 0
  return centers[j] + ((u - below) / math.max(cumulative[j] - below, 1e-300) - 0.5) * spacing
end

local function described(p, nothing, model, x)
  local cumulative = pmf.cumulative(p)
  local function coverage(level)
    return model.cdf(x, quantile(cumulative, 0.5 + level / 2)) - model.cdf(x, quantile(cumulative, 0.5 - level / 2))
  end
  return { sd = pmf.sd(p, centers), cdf = cumulative, empty = nothing or 0, half = coverage(0.5), most = coverage(0.9) }
end

--- ## One network
---
--- After the data have arrived every input is presented once more, trained or not. With both releases the winners'
--- distribution is exact, row by row. `hypotheses`: open sites act on how often a synapse sends, not on what it sends
--- (`20_held_masks`).

local function predictive(net, activity, rng)
  local at, sum = activity:above(1e-3), ves.vector(#activity)
  local A, B, x = net.A:take(at):flatten(), net.B:take(at):flatten(), ves.matrix { activity:take(at) }
  for d = 1, P.weight_draws do
    sum = sum + x:mul(rng:stream(d):beta(A, B):reshape(#at, #sum)):normalise()[1]
  end
  return pmf.sd(sum, centers)
end

local function train(model, rng, rows, stops, seen, by)
  local net = ves.network { input = code, output = code, rng = rng:stream("prior"), prior_a = models.prior_a,
                            prior_b = models.prior_b }
  local xs, ys = model.generate(rows, rng:stream("data"))
  local order, learner = rng:stream("order"):permutation(rows), repaired.begin(net, { order = by })
  repaired.arrive(learner, xs:take(order), ys:take(order), P.draws_per_row, rng:stream("learn"),
    stops, function(t) seen(t, learner) end)
  return net, learner
end

--- All inputs of a list are presented; then, of each: the winners' distribution with the releases alone, with both, and
--- with hypotheses that act on releases.
local function distributions(net, learner, xs, rng)
  local W, given, laws, always = net:weights(), {}, {}, {}
  for k, x in ipairs(xs) do
    local _, active, first = repaired.present(learner, code:encode(x), P.presentation, rng:stream("present", x))
    given[k] = { active = active, first = first }
  end
  local a, Q = repaired.learned(learner, W)
  local n, phi = repaired.sites, ves.release.epistemic(net.A, net.B, "exact", { sites = repaired.sites })
  local function kept(list, f)
    return function(i)
      list[i] = list[i] or { f(i) }
      return table.unpack(list[i])
    end
  end
  local function over(f) return function(k) return repaired.mixed(given[k].active, given[k].first, f) end end
  return { W = W, phi = phi,
           observed = over(function(i) return ves.winner.exact(a[i], Q[i]) end),
           computed = function(x, strength)       -- the same with a first stage that is the mapping of strengths
             local active, first = repaired.computed(learner, code:encode(x), strength)
             return repaired.mixed(active, first, function(i) return ves.winner.exact(a[i], Q[i]) end)
           end,
           both = over(kept(laws, function(i) return repaired.row(a[i], Q[i], phi[i], n) end)),
           always = over(kept(always, function(i) return repaired.row(a[i], Q[i], phi[i], n, a[i]:argmin()) end)),
           hypotheses = over(function(i) return ves.winner.exact(a[i], repaired.hypotheses(Q[i], phi[i], n)) end) }
end

--- Samples of a distribution over outputs, by its distribution function.
local function samples(p, rng)
  local cumulative, drawn = pmf.cumulative(p):totable(), rng:uniform(P.draws):totable()
  table.sort(drawn)
  local j = 1
  for d, u in ipairs(drawn) do
    while j < #cumulative and cumulative[j] < u do j = j + 1 end
    drawn[d] = centers[j]
  end
  return ves.vector(drawn)
end

--- How far it is at checkpoints.
local last = #P.checkpoints
local function curve_of(model, rng, by)
  local off = {}
  local net, learner = train(model, rng, P.rows, P.checkpoints, function(t, now)
    local d = distributions(now.net, repaired.copy(now), looked_at, rng:stream("checkpoint", t))
    off[#off + 1] = stats.collect(looked_at, function(x, k)
      return pmf.total_variation((d.observed(k)), ves.multi.mixture(d.W, code:encode(x)))
    end):mean()
  end, by)
  return ves.vector(off), net, learner
end

local function measure(model, rng)
  local curve, net, learner = curve_of(model, rng)
  local xs = table.move(shown, 1, #shown, 1, {})
  for _, i in ipairs(model.unseen:totable()) do xs[#xs + 1] = grid[i // 1] end
  local d = distributions(net, learner, xs, rng)
  local found = { curve = curve, largest = learner.amplitude:max() }
  found.by_weight = curve_of(model, rng, "weight")
  local pooled = ves.vector(code.n)
  for k = #shown + 1, #xs do pooled = pooled + (d.both(k)) end
  found.from_uniform = pmf.from_uniform(pooled)
  found.shown = stats.collect(shown, function(_, k)
    local p, nothing = d.both(k)
    local with, still = d.always(k)
    return { empty = nothing, winners = pmf.total_variation(with, p), less = nothing - still }
  end)
  found.inputs = stats.collect(looked_at, function(x, k)
    local activity = code:encode(x)
    local encoded, observed = ves.multi.mixture(d.W, activity), d.observed(k)
    local beta, beta_plus = net:beta { x = x, beta = "both", draws = P.draws, rng = rng:stream("se", x) }
    return { encoded = pmf.sd(encoded, centers), observed = pmf.sd(observed, centers),
             by_strengths = pmf.sd(d.computed(x, learner.strength), centers),
             by_sums = pmf.sd(d.computed(x, d.W:row_sums()), centers),
             off = pmf.total_variation(observed, encoded), learned = samples(observed, rng:stream("drawn", x)):sd(),
             analytic = net:sample { x = x, release = ves.release.analytic(d.W), stages = 2, draws = P.draws,
                                     rng = rng:stream("samples", x) }:sd(),
             predictive = predictive(net, activity, rng:stream("weights", x)), se_beta = beta:sd(),
             se_beta_plus = beta_plus:sd(),
             se = net:sample { x = x, release = d.phi, rescale = d.phi, sites = repaired.sites, normaliser = "none",
                               draws = P.draws, rng = rng:stream("se", x) }:sd() }
  end)
  for name, f in next, { repaired = d.both, hypotheses = d.hypotheses } do
    found[name] = stats.collect(looked_at, function(x, k)
      local p, nothing = f(k)
      return described(p, nothing, model, x)
    end)
  end
  local r
  for _, reading in ipairs(readings.judged) do
    r = readings.releases(net, reading, r)
    found[reading.name] = stats.collect(looked_at, function(x)
      local at = readings.at(r, code:encode(x))
      local p, nothing = readings.posterior(at)
      local one, observed = described(p, nothing, model, x), readings.observed(at)
      one.off = pmf.total_variation(observed, ves.multi.mixture(r.W, code:encode(x)))
      one.observed, one.se = pmf.sd(observed, centers), pmf.sd((readings.map(at)), centers)
      return one
    end)
  end
  return found
end

local trials = {}
for m, model in ipairs(both) do
  trials[m] = E:replicate { name = model.name, n = P.replicates, run = function(_, rng) return measure(model, rng) end }
end
local few = E:replicate { name = "few", n = P.few_replicates, run = function(_, rng)
  local net, learner = train(both[1], rng, P.few_rows)
  local d = distributions(net, learner, looked_at, rng)
  return stats.collect(looked_at, function(_, k)
    return { both = pmf.sd((d.both(k)), centers), observed = pmf.sd((d.observed(k)), centers) }
  end)
end }

--- ## One table
---
--- For each data model, method and input. Spreads and calibration are of samples with both releases; the distance from
--- what is encoded is of the releases of the observed distribution alone; standard errors are of the MAP.

local function field(m, path) return trials[m]:column(path) end
local function mean(m, path) return stats.summary(field(m, path)) end

--- Kolmogorov's distance of the mean distribution function over networks from the data-generating one, at both models'
--- inputs.
local function kolmogorov(method)
  local columns, truths = {}, {}
  for m, model in ipairs(both) do
    local cdf = field(m, method .. ".cdf")                    -- one row for each network and input
    for g, x in ipairs(looked_at) do
      truths[#truths + 1] = function(y) return model.cdf(x, y) end
      columns[#columns + 1] = stats.collect(P.replicates, function(i)
        return cdf:row((i - 1) * #looked_at + g):copy()
      end)
    end
  end
  return pmf.kolmogorov(columns, truths, centers)
end

local of_repaired = { repaired = true, hypotheses = true }
local whole, distances = {}, {}
for _, method in ipairs(methods) do distances[method] = kolmogorov(method) end
for m, model in ipairs(both) do
  local truth = ves.vector(looked_at):map(model.sd)
  for _, method in ipairs(methods) do
    local own, off = of_repaired[method], distances[method]
    local beta = field(m, method == "printed" and "inputs.se_beta_plus" or "inputs.se_beta")
    whole[#whole + 1] = { model.name, method, looked_at, truth, mean(m, "inputs.encoded").value,
      mean(m, own and "inputs.observed" or method .. ".observed"), mean(m, own and "inputs.off" or method .. ".off"),
      mean(m, method .. ".sd"), off.value:slice(5 * m - 4, 5 * m), off.se:slice(5 * m - 4, 5 * m),
      mean(m, method .. ".half"), mean(m, method .. ".most"), mean(m, method .. ".empty"),
      stats.ratios(field(m, own and "inputs.se" or method .. ".se"), beta) }
  end
end
E:table("whole", { { "model", "data model" },
  { "method", "printed, corrected: the original's readings with the mapping; repaired; hypotheses: repaired, open "
    .. "sites acting on releases" }, { "x", "input" },
  { "truth", "data-generating standard deviation" }, { "encoded", "encoded standard deviation" },
  { "observed", "standard deviation of winners with the releases of the observed distribution alone" }, "observed_se",
  { "off", "their total variation from the encoded distribution" }, "off_se",
  { "sd", "standard deviation of winners with both releases" }, "sd_se",
  { "kolmogorov", "distance of their mean distribution function from the data-generating one" }, "kolmogorov_se",
  { "half", "data within the central interval that holds half of the samples" }, "half_se",
  { "most", "data within the one that holds nine tenths" }, "most_se",
  { "empty", "probability of an empty draw with both releases" }, "empty_se",
  { "map", "standard error of the MAP over that of the Beta model" }, "map_se" }, whole)

local curve_rows = {}
for m, model in ipairs(both) do
  curve_rows[m] = { model.name, P.checkpoints, mean(m, "curve"), mean(m, "by_weight") }
end
E:table("learning", { { "model", "data model" }, { "rows", "rows of data so far" },
  { "amplitude", "total variation of winners from the encoded distribution, mean over inputs; competition by "
    .. "amplitude" },
  "amplitude_se", { "weight", "the same, competition by weight" }, "weight_se" }, curve_rows)

--- ## Which statements hold now?
---
--- Quantity and criterion are those of the statement, wherever it is made. What speaks of samples of the observed
--- distribution is asked of the two learned stages; what speaks of both releases, with the sites beside them, as the
--- original multiplies its two; what speaks of the MAP, of the sites alone.

local function named(xs) return stats.collect(xs, function(x) return string.format("x=%d", x) end) end
local function ratios(above, below) return stats.ratios(field(1, "inputs." .. above), below) end
local truth = ves.vector(looked_at):map(both[1].sd)
local function of_both(path) return stats.summary { field(1, path), field(2, path) } end

local of_networks = stats.collect(P.replicates, function(i)
  local inputs = trials[1][i].inputs
  return inputs.observed[1] / inputs.encoded[1]
end)
local spread_of_networks = { of_networks:min(), of_networks:max() }

E:repaired {
  at = named(looked_at), breaks = "sample=true",
  { statement = "sd-analytic", value = { ratios("analytic", truth),
    beside = { ["over the encoded"] = ratios("analytic", field(1, "inputs.encoded")) } } },
  { statement = "sd-learned", breaks = "two_stage=true", value = { ratios("learned", truth),
    beside = { ["over the encoded"] = ratios("learned", field(1, "inputs.encoded")) } } },
  { statement = "multi-works-well", breaks = "two_stage=start",
    value = { ratios("observed", field(1, "inputs.encoded")),
              beside = { ["least and largest of a network at the first input"] = spread_of_networks,
                ["first stage computed from the strengths"] = ratios("by_strengths", field(1, "inputs.encoded")),
                ["first stage computed from the sums of weights"] = ratios("by_sums", field(1, "inputs.encoded")) },
              note = "off at the narrowest input because of the first stage: inputs that are hardly active there, "
                .. "whose rows are the prior's, are left too often. After ten draws some networks leave them far too "
                .. "often; even by the mapping of the strengths they are left somewhat too often, since the mean of "
                .. "what a row sent remembers the untrained row, and not so by that of the sums. In 8 networks, at a "
                .. "first look, it held by chance" } },
  { statement = "complete-posterior", breaks = "two_stage=mapping, epistemic=certain", value = {
    stats.ratios(field(1, "repaired.sd"), field(1, "inputs.predictive")), beside = {
      ["hypotheses acting on releases"] = stats.ratios(field(1, "hypotheses.sd"), field(1, "inputs.predictive")) } } },
  { statement = "combined-inflates", breaks = "winner=sharpened",
    value = stats.ratios(field(1, "repaired.sd"), field(1, "inputs.observed")) },
}
local inflated = { few = stats.ratios(few:column "both", few:column "observed"),
                   many = stats.ratios(field(1, "repaired.sd"), field(1, "inputs.observed")) }
E:repaired {
  breaks = "epistemic=certain",
  { statement = "inflation-with-fewer-data", breaks = "repaired.row=unsure", at = named(looked_at), value = {
    inflated.few.value - inflated.many.value, se = (inflated.few.se ^ 2 + inflated.many.se ^ 2):sqrt() } },
  { statement = "sample-single", at = named(shown), breaks = "two_stage=mapping", value = {
    mean(1, "shown.empty"), note = "where no data were seen, ten draws leave most synapses where learning starts, with "
      .. "releases of 0.3, and then a draw is hardly ever empty; it would be as often as with the mapping had they "
      .. "learned" } },
  { statement = "uniform-where-no-data", at = { "simple", "bimodal" }, breaks = "repaired.row=uniform",
    value = of_both "from_uniform" },
}
local winners_and_empty, ten = {}, {}
for k, x in ipairs(named(shown)) do
  winners_and_empty[k], winners_and_empty[k + #shown] = "winners:" .. x, "empty:" .. x
end
for i = 1, 10 do ten[i] = both[(i + 4) // 5].name .. "," .. named(looked_at)[(i - 1) % 5 + 1] end
E:repaired {
  { statement = "smallest-no-importance", at = winners_and_empty, breaks = "two_stage=mapping",
    value = { stats.summary { field(1, "shown.winners"), field(1, "shown.less") },
              note = "where no data were seen, as in sample-single: synapses there are where learning starts" } },
  { statement = "matches-data", at = ten, breaks = "repaired.row=uniform", value = distances.repaired },
}

--- ## Of our own, and numbers

local function at_the_end(m, order)
  return stats.collect(P.replicates, function(i) return trials[m][i][order][last] end)
end
local function single(m, order) return at_the_end(m, order):reshape(P.replicates, 1) end
local function means(m, path)                                 -- over inputs, of each network
  local M = field(m, path)
  return stats.collect(P.replicates, function(i) return M:row(i):mean() end)
end

E:own {
  kind = "empirical", at = { "simple", "bimodal" }, breaks = "two_stage=start",
  { id = "repaired-learns", breaks = "two_stage=mapping",
    says = "From its own draws, as data arrive, the network learns to sample what it encodes.",
    quantity = "total variation of winners from the encoded distribution, mean over five inputs",
    criterion = is.each(is.below(margins.closely)),
    value = stats.summary { means(1, "inputs.off"), means(2, "inputs.off") } },
  { id = "repaired-order",
    says = "The network learns better if synapses compete by amplitude than if they do by weight.",
    looked = true, quantity = "total variation of winners from encoded after the last row, by amplitude over by weight",
    criterion = is.each(is.less(1, margins.differs)), value = stats.jackknife(function(a, b, c, d)
      return { a[1] / b[1], c[1] / d[1] }
    end, single(1, "curve"), single(1, "by_weight"), single(2, "curve"), single(2, "by_weight")) },
  { id = "repaired-coverage", says = "Nine tenths of the data lie where nine tenths of the samples do.",
    quantity = "coverage of the central interval with nine tenths of the samples, both releases, mean over five inputs",
    criterion = is.each(is.near(margins.negligible, 0.9)), breaks = "network.observe=nothing",
    value = stats.summary { means(1, "repaired.most"), means(2, "repaired.most") } },
}

E:number({ "RepairedOffSimple", "RepairedOffBimodal" },
  stats.summary { at_the_end(1, "curve"), at_the_end(2, "curve") })
E:number({ "RepairedByWeightSimple", "RepairedByWeightBimodal" },
  stats.summary { at_the_end(1, "by_weight"), at_the_end(2, "by_weight") })
E:number("RepairedSpreadNarrow", ratios("learned", truth)[1])
E:number("RepairedSpreadWide", ratios("learned", truth)[5])
E:number("RepairedStrengthsNarrow", ratios("by_strengths", field(1, "inputs.encoded"))[1])
E:number("RepairedSumsNarrow", ratios("by_sums", field(1, "inputs.encoded"))[1])
E:number("RepairedCompleteNarrow", stats.ratios(field(1, "repaired.sd"), field(1, "inputs.predictive"))[1])
E:number("RepairedHypothesesNarrow", stats.ratios(field(1, "hypotheses.sd"), field(1, "inputs.predictive"))[1])
E:number("RepairedEmptyUnseen", mean(1, "shown.empty")[6])
E:number("RepairedLargestAmplitude", stats.summary(field(1, "largest")))

E:finish()
