--- # Rates, two stages and learning, in time
---
--- The original reports preliminary tests with spikes that were "successful at recovering conditional distributions
--- from spike rates". Here a network of its first data model is driven by trains of input spikes, and the outputs'
--- spikes are counted. Then the two stages of the repaired model run one after the other in time, and synapses learn
--- their releases from the spikes they can hear. Times are in milliseconds, potentials in millivolts above rest.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local readings = require "vesicle.model.readings"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "26_spikes_network", title = "rates, two stages and learning by spikes",
  params = {
    replicates = { 20, quick = 4, about = "data sets, each with its own network" },
    spaced_replicates = { 20, quick = 3, about = "the same for each other spacing of the tuning curves" },
    rows = { 4000, about = "rows of data" },
    input_spikes = { 2000, about = "input spikes in a train" },
    late_spikes = { 150, quick = 100, about = "the same, inhibition late" },
    interval = { 50.0, about = "between them, so that a train of 20 Hz" },
    late_delay = { 1.0, about = "delay of inhibition through an interneuron" },
    late_strength = { 30.0, about = "peak of its potential" },
    noise = { 1.0, about = "noise on membranes, where there is any" },
    jitter = { 0.02, about = "jitter of release, where there is any" },
    slow_synapse = { 100.0, about = "time constant of slow excitation" },
    between = { 1.0, about = "from a spike of the first stage to releases of the second" },
    limit = { 100.0, about = "a sample should be there within this" },
    outputs = { 50, about = "synapses of the row that learns" },
    learners = { 3, quick = 2, about = "runs of learning" },
    iterations = { 10000, quick = 2000, about = "input spikes that teach" },
    delays = { { 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5 }, about = "how long the learning synapses listen" },
  },
}
local P = E.params
local model = models.simple()
local inputs = model.inputs
local truth = ves.vector(inputs):map(model.sd)
local at_inputs = { "x=-4", "x=-2", "x=0", "x=2", "x=4" }

--- ## Rates
---
--- All active inputs spike together, in a train. Each of their synapses releases or fails anew at every spike, with
--- the releases of the mapping divided among the inputs [eq:normaliser]: by the sum of the input vector as printed,
--- by participation as corrected. Output spikes are counted over the whole train. The text gives no constants of its
--- neurons, so the kindest case comes first: inhibition that is immediate and full until the next input spike, in
--- which an input spike is a draw. Beside it stands inhibition as an interneuron gives it, a millisecond late, with a
--- potential of 30 mV that decays within 10 ms.

local late = { delay = P.late_delay, strength = P.late_strength }

local function rates(W, Q, a, rng, o)
  local spikes = o and P.late_spikes or P.input_spikes
  local options = { x = a, times = (ves.range(1, spikes) - 1) * P.interval, window = spikes * P.interval, rng = rng }
  for key, value in next, o or {} do options[key] = value end
  local counts = ves.spike.rates(W, Q, options)[1]
  return counts / math.max(1, counts:sum())
end

--- ## Two stages in time
---
--- The inputs race first, each with $x_i R_i$ [eq:two-stage]; the first of them to fire inhibits the others, and its
--- spike alone reaches the outputs, which race in turn. Each stage is a race of its own, so that the sample is exact
--- if both are, and the times add up. Draws are sorted by the input that won.

local function two_stages(W, Q, a, rng, o)
  local strength = stats.collect(W.rows, function(i) return a[i] > 1e-3 and a[i] * W[i]:sum() or 0 end)
  local function race(w, q, draws, name)
    local options = { draws = draws, rng = rng:stream(name) }
    for key, value in next, o or {} do options[key] = value end
    return ves.spike.sample(w, q, options)
  end
  local input, before = race(strength, ves.release.analytic(strength), P.input_spikes, "inputs")
  local counts, total, latest = ves.vector(W.cols, 0), 0, 0
  for _, i in ipairs((input:counts(W.rows)):above(0):totable()) do
    local won = (input - i):abs():less(0.5):above(0.5)
    local index, time = race(W[i]:copy(), Q[i]:copy(), #won, i)
    local t = (before:take(won) + time + P.between):clamp(0, 4 * P.limit)
    counts, total, latest = counts + index:counts(W.cols), total + t:sum(), math.max(latest, t:max())
  end
  return counts / P.input_spikes, total / P.input_spikes, latest
end

--- With noise and jitter the synapses are the slow ones that chapter 25 found to bear them best.
local slow = { noise = P.noise, jitter = P.jitter, synapse = P.slow_synapse, window = 4 * P.limit }

--- ## One network
---
--- The distribution of spikes over outputs, less the encoded one: averaged over networks what is left is bias, half
--- of whose absolute sum is a total variation. And its standard deviation, as in chapter 6. With other spacings of the
--- tuning curves only the original's rates are measured. [eq:spike-membrane] [eq:spike-order]

local function measure(spacing, rng)
  local code, net = models.code(spacing), models.network(model, rng, { rows = P.rows, spacing = spacing })
  local W, whole = net:weights(), spacing == "ends"
  local Q, result = ves.release.analytic(W), whole and { total = {}, latest = {}, range = {} } or {}
  local function keep(name, k, p, encoded)
    result[name] = result[name] or { off = {}, sd = {} }
    result[name].off[k], result[name].sd[k] = p - encoded, pmf.sd(p, code.centers)
  end
  for k, x in ipairs(inputs) do
    local a = code:encode(x)
    local encoded, true_pmf = ves.multi.mixture(W, a), pmf.binned(function(y) return model.cdf(x, y) end, code.centers)
    for _, reading in ipairs(readings.judged) do
      local R = ves.release.normalise(Q, a, reading.normaliser)
      keep(reading.name, k, rates(W, R, a, rng:stream("rates", x)), encoded)
      if whole then
        keep(reading.name .. "_late", k, rates(W, R, a, rng:stream("rates", x), late), encoded)
      end
    end
    keep("encoded", k, encoded, true_pmf)
    if whole then
      keep("repaired", k, (two_stages(W, Q, a, rng:stream("stages", x))), encoded)
      local noisy, total, latest = two_stages(W, Q, a, rng:stream("noisy", x), slow)
      keep("noisy", k, noisy, encoded)
      result.total[k], result.latest[k], result.range[k] = total, latest, W[a:argmax()]:max() / W[a:argmax()]:min()
    end
  end
  for name, kept in next, result do
    if kept.off then
      local flat = {}
      for k = 1, #inputs do flat["x" .. k] = kept.off[k] end
      kept.off, kept.sd = flat, ves.vector(kept.sd)
    else
      result[name] = ves.vector(kept)
    end
  end
  return result
end

local main = E:replicate { name = "main", n = P.replicates, run = function(_, rng) return measure("ends", rng) end }
local spaced = {}
for _, spacing in ipairs { "bins", "open" } do
  spaced[spacing] = E:replicate { name = spacing, n = P.spaced_replicates, run = function(_, rng)
    return measure(spacing, rng)
  end }
end

local function tv(difference) return difference:abs():sum() / 2 end

--- Total variation at each input, and its standard errors.
local function off(name, spacing)
  local runs, value, se = spaced[spacing] or main, {}, {}
  for k = 1, #inputs do
    local e = stats.jackknife(tv, runs:column(name .. ".off.x" .. k))
    value[k], se[k] = e.value, e.se
  end
  return { value, se = se }
end

local cells = readings.cells(function(reading, spacing)
  local cell = off(reading.name, spacing)
  cell.beside = { ["encoded from the true distribution"] = off("encoded", spacing)[1] }
  return cell
end)
cells.repaired = off("repaired", "ends")
local late_printed, late_corrected = off("printed_late", "ends"), off("corrected_late", "ends")
late_printed.reading, late_corrected.reading = "printed, inhibition 1 ms late", "corrected, inhibition 1 ms late"
E:statement {
  id = "spike-rates-recover", where = "Discussion, Spatial vs temporal representation", kind = "empirical",
  says = "In a spiking network of the same data model conditional distributions are recovered from spike rates.",
  quantity = "total variation of spike rates from the encoded conditional distribution, averaged over networks",
  at = at_inputs, criterion = is.each(is.below(margins.closely)), breaks = "spike=noisy", cells = cells,
  further = { late_printed, late_corrected },
  note = "the original gives no constants; immediate and full inhibition is the kindest reading",
}
local function worst(name) return ves.vector(off(name, "ends")[1]):max() end
E:number({ "SpikeRatesSum", "SpikeRatesParticipation", "SpikeRatesLate", "SpikeStagesNoisy" },
  { worst "printed", worst "corrected", worst "corrected_late", worst "noisy" })

local sd_rows = {}
for k, name in ipairs { "encoded", "printed", "corrected", "corrected_late", "repaired", "noisy" } do
  local sd = stats.summary(main:column(name .. ".sd"))
  sd_rows[k] = { inputs, truth, name, sd, sd.lo, sd.hi }
end
E:table("sd_by_input", { { "x", "input" }, { "truth", "data-generating standard deviation" },
  { "method", "encoded; printed and corrected: rates, one stage; corrected_late: inhibition 1 ms late; repaired: two "
    .. "stages, first spikes; noisy: the same with noise, jitter and slow synapses" },
  { "mean", "standard deviation of spikes over outputs, mean over replicates" }, { "se", "its standard error" },
  { "lo", "2.5% quantile over replicates" }, { "hi", "97.5% quantile" } }, sd_rows)

local stages = off("noisy", "ends")
stages[1][6], stages.se[6] = main:column("latest"):max() / P.limit, 0
local near = is.below(margins.closely)
E:own {
  id = "spike-two-stages", kind = "empirical", breaks = "spike=quiet", looked = true, value = stages,
  at = { "x=-4", "x=-2", "x=0", "x=2", "x=4", "latest" },
  says = "Two races, one after the other, sample what the network encodes within 100 ms, with noise and jitter.",
  quantity = "total variation from the encoded distribution with noise and jitter; latest sample over the limit",
  criterion = is.each { near, near, near, near, near, is.below(1) },
}
E:number({ "SpikeStagesTime", "SpikeRowRange" }, { main:column("total"):mean(), main:column("range"):col(1):mean() })

--- ## Learning in time
---
--- A synapse cannot see what the others transmitted, but it can hear them fire. Outputs race with amplitudes, so that
--- a spike at time $t$ stands for the amplitude that reaches the threshold at $t$ [eq:spike-latency]; a synapse whose
--- output has fired adds up what it hears until inhibition ends the race, and moves toward its weight plus that sum
--- [eq:spike-learn]. The winner is settled at its spike; what the synapses learn from it needs time.

local w = ((ves.range(1, P.outputs) - 1) * 6 / (P.outputs - 1) - 3):map(function(v)
  return 0.6 * math.exp(-(v + 1.2) ^ 2 / (2 * 0.45 ^ 2)) + 0.4 * math.exp(-(v - 1.1) ^ 2 / (2 * 0.7 ^ 2))
end)
w = w:clamp(0.01 * w:max(), w:max())
local p = w / w:sum()

--- The winner of a race by amplitudes, $w/q$, with these releases: exactly, from the encoded distribution.
local function distance(q) return tv(ves.winner.exact(w / q, q) - p) end

local learned = E:replicate { name = "learning", n = P.learners, run = function(_, rng)
  local result = {}
  for algorithm = 1, 2 do
    for k, delay in ipairs(P.delays) do
      local o = { algorithm = algorithm, delay = delay, iterations = P.iterations, rng = rng:stream(algorithm) }
      result[string.format("quiet%d_%d", algorithm, k)] = distance(ves.spike.learn_in_time(w, o))
      o.noise, o.jitter, o.rng = P.noise, P.jitter, rng:stream(algorithm)
      result[string.format("noisy%d_%d", algorithm, k)] = distance(ves.spike.learn_in_time(w, o))
    end
  end
  return result
end }
local function at_delay(name, k) return stats.summary(learned:column(name .. "_" .. k)) end
local function over_delays(name) return stats.collect(#P.delays, function(k) return at_delay(name, k).value end) end
E:table("learning", { { "delay", "how long after the first spike the race goes on, ms", P.delays },
  { "first", "total variation of the winner, only the first to fire learns", over_delays "quiet1" },
  { "all", "the same, all that fire learn", over_delays "quiet2" },
  { "first_noisy", "with noise and jitter, only the first learns", over_delays "noisy1" },
  { "all_noisy", "with noise and jitter, all learn", over_delays "noisy2" } })

local last = #P.delays
local function pair(name)
  local one, two = at_delay(name .. "1", last), at_delay(name .. "2", last)
  return { { one.value, two.value }, se = { one.se, two.se } }
end
E:own {
  kind = "empirical", at = { "first-learns", "all-learn" }, criterion = is.each(is.below(margins.very_closely)),
  quantity = "total variation of the winner from the encoded distribution after learning, longest delay",
  { id = "spike-learning", value = pair "quiet", breaks = "spike.learn=deaf",
    says = "Synapses that hear the others fire learn releases that sample the encoded distribution." },
  { id = "spike-learning-noise", value = pair "noisy", breaks = "spike.learn=quiet", looked = true,
    says = "Synapses that hear the others fire learn such releases under the noise and jitter that samples survive." },
}
E:number("SpikeLearned", at_delay("quiet2", last))
E:number("SpikeLearnedDeaf", at_delay("quiet2", 1))
E:number("SpikeLearnedNoisy", at_delay("noisy2", last))

E:finish()
