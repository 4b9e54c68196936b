--- # Through a hidden layer
---
--- A network that draws one value at a time can hand it on: the winner of one layer is the only active
--- input of the next, and what wins there has been drawn from the sum over all that might have won
--- below. Nobody computes the sum. [eq:chain]
---
--- The discussion gives a reason to work like this: "different intervals of a distribution over one
--- layer may correspond to mutually exclusive endpoints in downstream layers", and the network "can
--- use the relative frequency of downstream activations to weigh the likelihoods or value attributions
--- of outcomes". Here is the smallest network in which that is at stake. The hidden layer is the
--- output of the original's bimodal model; each of its two modes leads to an endpoint of its own, and
--- the gap between them, where next to nothing lies but the mean, to a third.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local readings = require "vesicle.model.readings"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "22_hidden_layer", title = "Through a hidden layer: endpoints that exclude each other",
  params = {
    replicates = { 40, quick = 8, about = "data sets" },
    spaced_replicates = { 12, quick = 4, about = "data sets of each other spacing" },
    rows = { 4000, about = "rows of data for each layer" },
    x = { 0.0, about = "input of the bimodal model" },
    noise = { 0.4, about = "standard deviation of the last layer around an endpoint" },
    gap = { { -1.5, -0.8 }, about = "hidden values between the modes" },
    endpoints = { { 4, 0, -4 }, about = "where values below the gap, in it and above it lead" },
    values = { { 2, -4, 1 }, about = "what each endpoint is worth" },
    draws = { { 10, 30, 100, 300, 1000, 3000, 10000 }, quick = { 10, 100, 1000 }, about = "numbers of draws" },
    test_draws = { 100000, quick = 20000, about = "draws of the goodness-of-fit test" },
  },
}
local P = E.params
local model = models.bimodal()

--- ## The task
---
--- The lower layer has learned the bimodal model. The upper one has seen hidden values from all over
--- the range, each with its endpoint and noise.

local function endpoint_of(h) return P.endpoints[h < P.gap[1] and 1 or h > P.gap[2] and 3 or 2] end

local function upper_layer(rng, code)
  local h = rng:stream("h"):uniform(P.rows) * 9 - 4.5
  local z = h:map(endpoint_of) + rng:stream("noise"):normal(0, P.noise, P.rows)
  return ves.network { input = code, output = code, rng = rng:stream("prior") }:observe(h, z)
end

--- Which endpoint an output belongs to is the nearest one's; what is true follows from the model.

--- A row for each endpoint, with a 1 for every output that is its own.
local function belonging(code)
  local own = ves.matrix(#P.endpoints, code.n)
  for j, z in pairs(code.centers) do own:set((ves.vector(P.endpoints) - z):abs():argmin(), j, 1) end
  return own
end

local function shares(p, own) return own:mul(p):normalise() end

local below, above = model.cdf(P.x, P.gap[1]), 1 - model.cdf(P.x, P.gap[2])
local truth, worth = ves.vector { below, 1 - below - above, above }, ves.vector(P.values)

--- ## Four ways to hand on
---
--- *Sampled*: the hidden winner, alone. *Mean*: the mean of what the hidden layer encodes, as a number.
--- *Whole*: the hidden layer's whole activity $W_1'x$ at once. For the first there are three readings, as the lower
--- layer draws: releases divided by the sum of activities, by their participation, or two stages
--- [eq:two-stage]. All laws are exact.

local ways = { printed = { normaliser = "sum" }, corrected = { normaliser = "participation" },
               repaired = { stages = 2 } }

--- The share of the last layer's activity that lies outside the endpoint where most of it is, if `hidden` is active.
local function elsewhere(W2, hidden, own)
  return 1 - shares(W2:transpose():mul(hidden), own):max()
end

local function judged(lower, upper, code, own)
  local W2, found = upper:weights(), {}
  local alone = stats.collect(code.n, function(j) return 1 - shares(W2:row(j), own):max() end)
  local function add(name, law, outside)
    local share = shares(law, own)
    found[name] = { shares = share, law = law,
      exclusive = ves.vector { math.min(share[1] / truth[1], share[3] / truth[3]), outside },
      weighed = ves.vector { pmf.total_variation(share, truth), share:dot(worth) / truth:dot(worth) } }
  end
  for _, name in ipairs { "printed", "corrected", "repaired" } do
    local hidden = ves.chain { lower }:exact(P.x, ways[name])
    add(name, ves.chain { lower, upper }:exact(P.x, ways[name]), hidden:dot(alone))
  end
  local encoded = ves.multi.mixture(lower:weights(), code:encode(P.x))
  add("whole", ves.multi.mixture(W2, encoded / encoded:max(), { active = 0 }), elsewhere(W2, encoded, own))
  local mean = encoded:dot(code.centers)
  add("mean", ves.chain { upper }:exact(mean, ways.repaired), elsewhere(W2, code:encode(mean), own))
  local product = ves.matrix { encoded:totable() }:mul(W2:normalise()):row(1)
  found.hidden, found.product = encoded, (product - found.repaired.law):abs():max()
  return found
end

local by_spacing = {}
for _, spacing in ipairs(readings.spacings) do
  local code, ends = models.code(spacing), spacing == "ends"
  local own = belonging(code)
  by_spacing[spacing] = E:replicate { name = ends and "layers" or "layers-" .. spacing,
    n = ends and P.replicates or P.spaced_replicates, run = function(_, rng)
      local lower = models.network(model, rng, { rows = P.rows, spacing = spacing })
      local upper = upper_layer(rng:stream("upper"), code)
      local found = judged(lower, upper, code, own)
      if not ends then return found end
      found.sampled = stats.collect(P.draws, function(draws)
        local _, info = ves.chain { lower, upper }:sample { x = P.x, stages = 2, draws = draws,
                                                            rng = rng:stream("draws", draws) }
        return pmf.total_variation(shares(info.winners:col(2):counts(code.n), own), truth)
      end)
      return found
    end }
end
local found = by_spacing.ends
local function over(key, spacing) return stats.summary(by_spacing[spacing or "ends"]:column(key)) end

local code = models.code()
E:table("laws", { { "value", "centre of a neuron, hidden or last layer", code.centers },
  { "hidden_true", "what the bimodal model gives to its cell",
    pmf.binned(function(h) return model.cdf(P.x, h) end, code.centers) },
  { "hidden", "encoded by the hidden layer, mean over data sets", over("hidden").value },
  { "sampled", "winner of the last layer, hidden winners passed on in two stages", over("repaired.law").value },
  { "whole", "the same, whole activity passed on", over("whole.law").value },
  { "mean", "the same, mean passed on", over("mean.law").value } })

local rows = {}
for i, name in ipairs { "truth", "printed", "corrected", "repaired", "whole", "mean" } do
  local share = name == "truth" and { value = truth, se = ves.vector(3) } or over(name .. ".shares")
  local outside = name == "truth" and 0 or over(name .. ".exclusive").value[2]
  rows[i] = { name, i, share.value[1], share.value[2], share.value[3], share.se[2], outside }
end
E:table("shares", { { "way", "what is passed on: the winner (three readings), the whole activity, the mean" },
  { "position", "order in the figure" }, { "lower", "share of the endpoint of the lower mode" },
  { "gap", "share of the endpoint of the gap" }, { "upper", "share of the endpoint of the upper mode" },
  { "gap_se", "standard error of the share of the gap" },
  { "outside", "share of the last layer's activity in a draw that lies at other endpoints" } }, rows)

local error_of = over "sampled"
E:table("draws", { { "draws", "number of draws", P.draws },
  { "sampled", "total variation of the endpoints' frequencies from the truth, winners passed on", error_of.value },
  { "sampled_se", error_of.se },
  { "whole", "the same of the law with all activity passed on", ves.vector(#P.draws, over("whole.weighed").value[1]) },
  { "mean", "the same with the mean passed on", ves.vector(#P.draws, over("mean.weighed").value[1]) },
  { "limit", "the same of the law of what is sampled", ves.vector(#P.draws, over("repaired.weighed").value[1]) } })

--- ## Judged

local function cells(key)
  local all = {}
  for name in pairs(ways) do
    for _, spacing in ipairs(readings.spacings) do
      all[spacing == "ends" and name or name .. ", " .. spacing] = over(name .. key, spacing)
    end
  end
  return all
end
local function others(key)
  return { { reading = "whole activity passed on", over("whole" .. key) },
           { reading = "mean passed on", over("mean" .. key) } }
end
E:statements {
  kind = "empirical", where = "Discussion, Spatial vs temporal representation", breaks = "chain=uniform",
  { id = "exclusive-endpoints", at = { "rarer", "outside" },
    says = "Different intervals of one layer's distribution may lead to mutually exclusive endpoints downstream.",
    quantity = "share of the endpoint that is reached too seldom over its true one; share of the last layer's "
      .. "activity, in a draw, at endpoints other than that draw's", cells = cells ".exclusive",
    criterion = is.each { is.more(margins.substantially, 0), is.below(margins.negligible) },
    further = others ".exclusive" },
  { id = "frequencies-weigh-outcomes", at = { "tv", "worth" },
    says = "The relative frequencies of downstream activations weigh the likelihoods or values of outcomes.",
    quantity = "total variation of the endpoints' frequencies from the true ones; mean worth of the endpoints over the "
      .. "true mean", cells = cells ".weighed",
    criterion = is.each { is.below(margins.closely), is.within(margins.closely) },
    further = others ".weighed" },
}

--- And two statements of ours: the law of a chain is the product of its matrices, and the draws have it.

E:own { id = "chain-product", kind = "mathematical", proof = "prop:layers", breaks = "chain=uniform",
  says = "What wins at the top of a chain has the law of the product of the layers' normalised matrices.",
  quantity = "largest distance of a probability from that of the product, all data sets", criterion = is.exact(),
  value = { found:column("product"):max(), exact = true } }

local lower = models.network(model, E.rng:stream("test"), { rows = P.rows })
local pair = ves.chain { lower, upper_layer(E.rng:stream("test", "upper"), code) }
local drawn = pair:sample { x = P.x, stages = 2, draws = P.test_draws, readout = "index", rng = E.rng:stream("draws") }
local fit = stats.chi_square((drawn:counts(code.n)), (pair:exact(P.x, { stages = 2 })))
E:own { id = "chain-draws", kind = "empirical", breaks = "chain=uniform",
  says = "Draws of a chain have the law of the product of the layers' normalised matrices.",
  quantity = "p value of a chi-square test of the last layer's winners",
  criterion = is.not_rejected(), value = { fit.p, exact = true } }

E:number("HiddenGapTruth", truth[2])
E:number("HiddenGapSampled", over("repaired.shares")[2])
E:number("HiddenGapWhole", over("whole.shares")[2])
E:number("HiddenGapMean", over("mean.shares")[2])
E:number("HiddenOutsideSampled", over("repaired.exclusive")[2])
E:number("HiddenOutsideWhole", over("whole.exclusive")[2])
E:number("HiddenTvSampled", over("repaired.weighed")[1])
E:number("HiddenTvWhole", over("whole.weighed")[1])
E:number("HiddenWorthMean", over("mean.weighed")[2])

E:finish()
