--- # One draw, and many
---
--- The original draws a sample in two steps. Synapses fail at random, so that only a subset of the
--- receiving layer becomes active; then the most active neuron of the subset silences the others by
--- lateral inhibition, and its preferred value is the sample. Here is one such draw, not sketched but
--- taken from the model: which synapses failed, who was left, who won.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "02_sampling_diagram", title = "A sample by synaptic failure and lateral inhibition",
  figure = "fig:samplediagram",
  params = {
    receiving = { 12, about = "neurons of the receiving layer" },
    range = { 3.0, about = "they prefer values from minus this to this" },
    sigma = { 0.25, about = "width of their tuning curves" },
    examples = { 1000, about = "observations from which the weights are learned" },
    first_mean = { -1.4, about = "mean of the first mode" },
    first_sd = { 0.5, about = "its standard deviation" },
    second_mean = { 1.2, about = "mean of the second mode" },
    second_sd = { 0.7, about = "its standard deviation" },
    first_share = { 0.55, range = { 0.01, 1 }, about = "share of the observations in the first mode" },
    shown = { 10, about = "number of the draw that is shown" },
    looked_into = { 10000, quick = 2000, about = "draws in which every synapse is looked at" },
    draws = { 1000000, quick = 100000, about = "draws for the frequencies" },
  },
}
local P = E.params

--- ## The network
---
--- One sending neuron, whose projections to the receiving layer have learned a distribution with two
--- modes: the evidence for each projection [eq:evidence] makes its weight [eq:betamean]. The release
--- probabilities follow from the weights by the analytic mapping [eq:mapping].

local sending = ves.code { n = 1, lo = -1, hi = 1, sigma = 1 }
local layer = ves.code { n = P.receiving, lo = -P.range, hi = P.range, sigma = P.sigma }
local net = ves.network { input = sending, output = layer, rng = E.rng:stream("priors") }

local r = E.rng:stream("data")
local ys = ves.vector(P.examples, 0)
for k = 1, P.examples do
  local first = r:bernoulli(P.first_share) == 1
  ys[k] = first and r:normal(P.first_mean, P.first_sd) or r:normal(P.second_mean, P.second_sd)
end
net:observe(ves.vector(P.examples, sending.centers[1]), ys)

local n = P.receiving
local w = net:weights():row(1):copy()
local q = ves.release.analytic(w)
local p = w / w:sum()

--- ## Which synapses transmitted
---
--- The sampler returns only the winner of each draw [alg:sample]. A draw is a function of its stream and its number, so
--- that any of them can be looked into afterwards: which synapses transmitted, and so the size of the subset, whose
--- strongest wins [eq:subset-max].

local stream = E.rng:stream("draws")
local function look_into(d) return ves.draw(w, q, { rng = stream, draw = d }) end

local size = stats.collect(P.looked_into, function(d) return look_into(d).transmits:sum() end)

--- Failure leaves a subset active and the most active of it wins: that is how a draw is defined, and `ves.draw` is
--- tested for it. With the analytic releases the weakest synapse never fails, so that no draw is empty.

local exact, nothing = ves.winner.exact(w, q)

E:statement {
  id = "sample-scheme", kind = "definition",
  where = "Theoretical model, Transmission probability, fig:samplediagram",
  says = "Failure leaves a subset active; the most active of it wins.",
}

--- Failing synapses are to be the only source of randomness. Where none can fail the strongest must win every draw, and
--- where some did the strongest of those that transmitted:

local certain = ves.sample(w, ves.vector(n, 1), { draws = P.looked_into, rng = E.rng:stream("certain") })
local otherwise = stats.collect(P.looked_into, function(d)
  local one = look_into(d)
  return one.winner == (w * one.transmits):argmax() and 0 or 1
end)
E:statement {
  id = "only-randomness", where = "Abstract; Conclusion", kind = "mathematical", breaks = "winner=weakest",
  says = "Synaptic failure is the only source of randomness of a sample.", criterion = is.each(is.exact()),
  quantity = "share of draws that another output wins than the strongest: if none can fail; of those that transmitted",
  at = { "none-fails", "of-the-subset" },
  cells = { printed = { { 1 - certain:counts(n)[w:argmax()] / P.looked_into, otherwise:mean() }, exact = true } },
  note = "prior evidence and the releases at the start of learning are random too, before any sample is drawn",
}
E:further {
  statement = "sample-single", kind = "mathematical", quantity = "probability that nothing transmits",
  criterion = is.exact(), breaks = "release.analytic=uniform",
  { reading = "the mapping alone, one input", nothing, exact = true, proof = "thm:mapping" },
}
E:number("SubsetSize", stats.summary(size))
E:number("SubsetSizeExpected", q:sum())

--- ## The draw that is shown

local draw, won = look_into(P.shown), ves.vector(n)
won[draw.winner] = 1
E:table("nodes", { { "neuron", ves.range(1, n) }, { "y", "preferred value", layer.centers },
  { "weight", "of the projection from the sending neuron", w }, { "release", "probability that it transmits", q },
  { "transmits", "1 if it did in this draw, 0 if it failed", draw.transmits },
  { "activity", "after synaptic failure, before lateral inhibition", draw.activity },
  { "winner", "1 for the neuron left after lateral inhibition", won } })

--- ## Many draws
---
--- Repeated, the scheme visits every neuron as often as its weight says: $P(\text{win} = i) = p_i$, which
--- the exact winner distribution [eq:winner] confirms and a chi-square test of the frequencies does not
--- contradict.

local counts = ves.sample(w, q, { draws = P.draws, rng = E.rng:stream("many") }):counts(n)
local sampled = counts / P.draws
E:table("frequencies", { { "neuron", ves.range(1, n) }, { "y", layer.centers }, { "encoded", "normalised weight", p },
  { "exact", "probability of winning", exact }, { "sampled", "share of draws won", sampled },
  { "se", (sampled * (1 - sampled) / P.draws):sqrt() } })
E:number("SampleDiagramNothing", nothing)

local test = stats.chi_square(counts, p)
E:further {
  statement = "mapping-exact", kind = "empirical", criterion = is.not_rejected(), breaks = "release.analytic=uniform",
  quantity = "p value of a chi-square test of the frequencies against the normalised weights",
  { reading = "by sampling, drawn network", test.p },
}

E:finish()
