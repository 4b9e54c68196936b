--- # One draw, and many
---
--- The original draws a sample in two steps. Synapses fail at random, so that only a subset of the
--- receiving layer becomes active; then the most active neuron of the subset silences the others by
--- lateral inhibition, and its preferred value is the sample. Here is one such draw, not sketched but
--- taken from the model: which synapses failed, who was left, who won.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local judge = require "vesicle.judge"
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
    first_share = { 0.55, about = "share of the observations in the first mode" },
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
--- The sampler returns only the winner of each draw [alg:sample]. A draw is a function of its stream and
--- its number, and a synapse transmits or fails whatever the others do. So silencing all synapses but
--- one and repeating the same draws shows what that one did in each of them.

local function stream() return E.rng:stream("draws") end

local winner = ves.sample(w, q, { draws = P.looked_into, rng = stream() })
local transmits = {}                     -- in every draw: 1 if synapse j did, 0 if it failed
for j = 1, n do
  local alone = ves.vector(n, 0)
  alone[j] = q[j]
  transmits[j] = ves.sample(w, alone, { draws = P.looked_into, rng = stream() }) / j
end

--- The size of the subset in every draw, and the strongest of it [eq:subset-max], found from the strongest synapse
--- down: the first that transmitted.
local sizes, strongest, open = ves.vector(P.looked_into), ves.vector(P.looked_into), ves.vector(P.looked_into, 1)
for _, j in pairs((w * -1):order()) do
  strongest = strongest + open * transmits[j] * j
  open = open * (1 - transmits[j])
  sizes = sizes + transmits[j]
end

local agree = (strongest - winner):abs():less(0.5):sum()
local single = P.looked_into - winner:less(1):sum()
local partial = sizes:less(n):sum()

E:claim { id = "sample-scheme",
  says = "Lateral inhibition leaves the most active neuron of the subset whose synapses did not fail.",
  where = "Transmission probability from synaptic weight, fig:samplediagram", reading = "printed",
  measured = agree / P.looked_into, expected = 1, judge = judge.equal_to(),
  note = "share of draws whose winner is the strongest of the synapses that transmitted" }
E:claim { id = "sample-single",
  says = "Each draw results in a single realisation from the complete distribution.",
  where = "fig:samplediagram", reading = "printed", measured = single / P.looked_into, expected = 1,
  judge = judge.equal_to(), note = "share of draws in which some neuron won" }

local share = partial / P.looked_into
E:claim { id = "sample-subset",
  says = "Random failure leaves only a subset of the receiving layer active.",
  where = "Transmission probability from synaptic weight, fig:samplediagram", reading = "printed",
  measured = share, se = math.sqrt(share * (1 - share) / P.looked_into), expected = 1,
  judge = judge.within(), note = "share of draws in which at least one synapse failed" }
E:number("SubsetSize", stats.mean(sizes), stats.se(sizes))
E:number("SubsetSizeExpected", q:sum())

--- ## The draw that is shown

local nodes = {}
for j = 1, n do
  local on = math.tointeger(transmits[j][P.shown])
  nodes[j] = { j, layer.centers[j], w[j], q[j], on, on * w[j], j == strongest[P.shown] and 1 or 0 }
end
E:table("nodes", { "neuron", { "y", "preferred value" }, { "weight", "of the projection from the sending neuron" },
  { "release", "probability that it transmits" }, { "transmits", "1 if it did in this draw, 0 if it failed" },
  { "activity", "after synaptic failure, before lateral inhibition" },
  { "winner", "1 for the neuron left after lateral inhibition" } }, nodes)

--- ## Many draws
---
--- Repeated, the scheme visits every neuron as often as its weight says: $P(\text{win} = i) = p_i$, which
--- the exact winner distribution [eq:winner] confirms and a chi-square test of the frequencies does not
--- contradict.

local counts = ves.sample(w, q, { draws = P.draws, rng = E.rng:stream("many") }):counts(n)
local exact, nothing = ves.winner.exact(w, q)
local rows = {}
for j = 1, n do
  local f = counts[j] / P.draws
  rows[j] = { j, layer.centers[j], p[j], exact[j], f, math.sqrt(f * (1 - f) / P.draws) }
end
E:table("frequencies", { "neuron", "y", { "encoded", "normalised weight" }, { "exact", "probability of winning" },
  { "sampled", "share of draws won" }, "se" }, rows)
E:number("SampleDiagramNothing", nothing)

local test = stats.chi_square(counts, p)
E:claim { id = "sample-frequencies",
  says = "Over repeated draws each neuron wins as often as the encoded distribution says.",
  where = "Introduction, Lateral inhibition; fig:samplediagram", reading = "printed",
  measured = test.p, judge = judge.not_rejected(),
  note = "p value of a chi-square test of the frequencies against the normalised weights" }

E:finish()
