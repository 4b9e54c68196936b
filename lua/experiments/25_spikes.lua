--- # Lateral inhibition in time
---
--- The original's draw has no clock: synapses fail, the strongest of the others silences the rest. Neurons have one.
--- A spike of the input reaches outputs that integrate what their synapses release and fire at a threshold; the first
--- to fire excites an inhibitory pool, which after a delay inhibits all of them. Does the strongest synapse win that
--- race, and what do delay, strength of inhibition, noise, jitter of release and the number of outputs cost? All
--- times are in milliseconds, all potentials in millivolts above rest.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "25_spikes", title = "lateral inhibition by spikes",
  params = {
    outputs = { 50, about = "synapses of the distribution with two modes" },
    range = { 3.0, about = "their outputs span minus this to this" },
    floor = { 0.01, about = "smallest weight, as a share of the largest" },
    replicates = { 10, quick = 4, about = "batches of draws, for standard errors" },
    draws = { 4000, quick = 1000, about = "draws in each" },
    strength_draws = { 4000, quick = 1000, about = "draws in each while the strength of inhibition is varied" },
    shown = { 11, about = "number of the draw that is shown" },
    shown_delay = { 0.15, about = "delay of inhibition in that draw" },
    delays = { { 0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5 }, about = "from a spike to inhibition" },
    strengths = { { 0, 1, 3, 10, 30, 100, 300 }, about = "peak of an inhibitory potential" },
    strength_delay = { 0.05, about = "delay while its strength is varied" },
    noises = { { 0, 0.1, 0.3, 0.5, 1, 1.5, 2, 3 }, about = "standard deviation of the membrane potential" },
    jitters = { { 0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1 }, about = "time over which releases spread" },
    synapses = { { 2, 5, 20, 100 }, about = "time constants of excitation: AMPA is fast, NMDA slow" },
    gains = { { 0.03, 0.1, 0.3, 1, 3 }, about = "gains, as shares of the one that reaches the weakest synapse" },
    sizes = { { 10, 20, 50, 100, 200 }, about = "numbers of outputs" },
    enumerated = { 10, range = { 2, 14 }, about = "outputs of a row whose subsets are all looked at" },
    usual_noise = { 1.0, about = "noise where it is not varied and not absent" },
    usual_jitter = { 0.02, about = "jitter, likewise" },
    limit = { 100.0, about = "a sample should be there within this" },
  },
}
local P = E.params

--- ## The weights
---
--- The distribution with two modes of chapter 3, with releases by the mapping [eq:mapping]. The strongest weight is a
--- hundred times the weakest; potentials evoked by single connections between cortical cells spread as widely. The
--- gain is such that the weakest release, alone, evokes 1.2 times the threshold: with less it would never be sampled.

local function row(n)
  local y = (ves.range(1, n) - 1) * (2 * P.range) / (n - 1) - P.range
  local w = y:map(function(v)
    return 0.6 * math.exp(-(v + 1.2) ^ 2 / (2 * 0.45 ^ 2)) + 0.4 * math.exp(-(v - 1.1) ^ 2 / (2 * 0.7 ^ 2))
  end)
  return w:clamp(P.floor * w:max(), w:max()), y
end

local w, y = row(P.outputs)
local q = ves.release.analytic(w)
local threshold = 10
local gain = 1.2 * threshold / w:min()

--- ## One draw
---
--- Between events a membrane follows a closed form [eq:spike-membrane], so the picture is exact: potentials until
--- they reach the threshold or inhibition comes, and who fired when. A synapse fires its output the sooner the
--- stronger it is [eq:spike-order]; those too slow for the inhibition that the first one triggers stay silent.

local shown = ves.draw(w, q, { rng = E.rng:stream("shown"), draw = P.shown })
local sent = shown.transmits:above(0.5)
local latency = ves.spike.latency(gain * w:take(sent))
local inhibited = latency:min() + P.shown_delay
local steps = 10 ^ (ves.range(-40, 20) / 20)
local trace_rows = {}
for k, j in ipairs(sent:totable()) do
  local t = steps:take(steps:less(math.min(latency[k], inhibited)):above(0.5)):totable()
  if latency[k] < inhibited then t[#t + 1] = latency[k] end
  for _, at in ipairs(t) do
    trace_rows[#trace_rows + 1] = { j, at, gain * w[j] * ves.spike.potential(at), j == shown.winner and 1 or 0 }
  end
end
E:table("traces", { { "output", "counting from 1" }, { "t", "ms after the input's spike" },
  { "v", "potential above rest, mV" }, { "winner", "1 for the first to fire" } }, trace_rows)
E:table("raster", { { "output", sent }, { "y", "preferred value", y:take(sent) }, { "weight", w:take(sent) },
  { "latency", "when it reaches the threshold if nothing inhibits it, ms", latency },
  { "fired", "1 if it did before inhibition came", latency:less(inhibited) } })
E:table("silent", { { "output", ves.range(1, P.outputs) }, { "y", y }, { "transmits", shown.transmits } })
E:table("inhibition", { { "t", "when inhibition reaches the outputs, ms", inhibited } })

--- ## What is computed
---
--- If inhibition is full and nothing is noisy, who fires is a matter of latencies $\ell_1 \le \ell_2 \le \dots$, in
--- order of strength. With inhibition late by $\delta$ output $j$ fires if it transmits and nothing does that inhibits
--- it in time: with probability
--- $$f_j = q_j \prod_{k < j:\; \ell_k + \delta \le \ell_j} (1 - q_k).$$
--- (Nobody fires at the moment at which inhibition comes, and no output twice, for a spike is followed by a longer rest
--- than any of our delays.) The first spike comes at $\ell_i$ with the probability that $i$ wins. So this much needs
--- no simulation, and is one for its test; what noise, jitter and finite inhibition do is simulated.

local function fires(weights, releases, delay)
  local latencies = ves.spike.latency(gain * weights)
  local law, failing, before = ves.vector(#weights), 1.0, 1 -- failing: that nobody inhibits j in time
  local order = (weights * -1):order():totable()
  for r, j in ipairs(order) do
    while before < r and latencies[order[before]] + delay <= latencies[j] do
      failing, before = failing * (1 - releases[order[before]]), before + 1
    end
    law[j] = releases[j] * failing
  end
  return law, (ves.winner.exact(weights, releases) * latencies):sum()
end

--- The same from all subsets that may transmit, for a row of few outputs.
local function fires_by_subsets(weights, releases, delay)
  local latencies, law = ves.spike.latency(gain * weights), ves.vector(#weights)
  for subset = 1, (1 << #weights) - 1 do
    local chance, first = 1.0, math.huge
    for j = 1, #weights do
      local sends = subset >> (j - 1) & 1 == 1
      chance = chance * (sends and releases[j] or 1 - releases[j])
      if sends then first = math.min(first, latencies[j]) end
    end
    for j = 1, #weights do
      local sends = subset >> (j - 1) & 1 == 1
      if sends and (latencies[j] < first + delay or latencies[j] == first) then law[j] = law[j] + chance end
    end
  end
  return law
end

--- ## What is measured
---
--- Each setting is drawn on the same streams as `ves.sample`, so that winners can be compared draw by draw. Two
--- things can be read from the spikes. The *first spike*: the sample as it is meant. And *every spike*, each counted
--- once, as somebody would who looks at rates. Both are compared with the winners of the same draws, whose
--- distribution is the encoded one: the total variation of the two frequencies. (Where draws differ, chance alone
--- makes it positive, by less than a hundredth here.)

local settings = {}
local function setting(sweep, value, options, n)
  settings[#settings + 1] = { sweep = sweep, value = value, n = n or P.outputs, options = options,
                              draws = sweep == "strength" and P.strength_draws or P.draws }
end
for _, d in ipairs(P.delays) do setting("delay", d, { delay = d }) end
for _, s in ipairs(P.strengths) do setting("strength", s, { delay = P.strength_delay, strength = s }) end
for _, s in ipairs(P.noises) do setting("noise", s, { noise = s }) end
for _, tau in ipairs(P.synapses) do
  for _, j in ipairs(P.jitters) do
    setting("jitter, " .. tau .. " ms", j, { jitter = j, noise = P.usual_noise, synapse = tau, window = 200 })
  end
end
for _, g in ipairs(P.gains) do setting("gain", g, { jitter = 0.1, noise = P.usual_noise, gain = g * gain }) end
for _, n in ipairs(P.sizes) do setting("outputs", n, { noise = P.usual_noise, jitter = P.usual_jitter }, n) end

local function measure(s, rng)
  local weights = row(s.n)
  local releases, o = ves.release.analytic(weights), { draws = s.draws, rng = rng:stream(s.n) }
  for key, value in next, s.options do o[key] = value end
  local index, time, _, fired, counts = ves.spike.sample(weights, releases, o)
  local winner = ves.sample(weights, releases, { draws = s.draws, rng = rng:stream(s.n) })
  local wins = winner:counts(s.n) / s.draws
  local there = time:less(P.limit)
  local known = s.sweep == "delay" and (time - ves.spike.latency(gain * weights):take(index)):abs():max() or nil
  return { first = index:counts(s.n) / s.draws - wins, every = counts / counts:sum() - wins, fired = fired:mean(),
           counts = counts, known = known,
           same = (index - winner):abs():less(0.5):mean(), late = 1 - there:mean(),
           latest = time:take(there:above(0.5)):max(), time = time:take(there:above(0.5)):mean() }
end

local runs = E:replicate { name = "settings", n = P.replicates, run = function(_, rng)
  local results = {}
  for k, s in ipairs(settings) do results["s" .. k] = measure(s, rng) end
  return results
end }

local function tv(difference) return difference:abs():sum() / 2 end
local function of(k, name) return runs:column("s" .. k .. "." .. name) end

for k, s in ipairs(settings) do
  s.first, s.every = stats.jackknife(tv, of(k, "first")), stats.jackknife(tv, of(k, "every"))
  s.same, s.fired, s.late = of(k, "same"):mean(), of(k, "fired"):mean(), of(k, "late"):mean()
  s.time, s.latest = of(k, "time"):mean(), of(k, "latest"):max()
  if s.sweep == "delay" then -- known exactly
    s.law, s.time = fires(w, q, s.value)
    s.fired, s.every = s.law:sum(), { value = ves.score.total_variation(s.law / s.law:sum(), w / w:sum()), se = 0 }
    local drawn, least = s.draws * P.replicates, 1.0
    for j, count in ipairs(of(k, "counts"):col_sums():totable()) do
      if math.min(s.law[j], 1 - s.law[j]) * drawn >= 5 then -- too rare for the test otherwise
        least = math.min(least, stats.chi_square({ count, drawn - count }, { s.law[j], 1 - s.law[j] }).p)
      end
    end
    s.p, s.known = math.min(1, P.outputs * least), of(k, "known"):max()
  end
end

local rows = {}
for k, s in ipairs(settings) do
  rows[k] = { s.sweep, s.value, s.first, s.every.value, s.every.se, s.same, s.fired, s.time, s.latest, s.late }
end
E:table("sweeps", { { "sweep", "what is varied" }, { "value", "in ms or mV" },
  { "first", "total variation of the first spike from the winners" }, "first_se",
  { "every", "the same of every spike" }, "every_se", { "same", "share of draws with the same winner" },
  { "fired", "outputs that fire in a draw, mean" }, { "time", "first spike, ms, mean" },
  { "latest", "the same, latest of all draws" }, { "late", "share of draws without a spike within the limit" } }, rows)

--- ## What holds whatever inhibition does
---
--- From rest, and without noise and jitter, the larger current crosses the threshold first: the first spike is the
--- winner's in every draw, for every delay and strength. They only decide how many others fire too.

local function in_sweep(name)
  local list = {}
  for _, s in ipairs(settings) do if s.sweep == name then list[#list + 1] = s end end
  return list
end

local function different(name) return 1 - stats.collect(in_sweep(name), function(s) return s.same end):min() end
E:own {
  id = "spike-first-exact", kind = "mathematical", proof = "prop:spike-order", breaks = "spike=noisy",
  says = "The first output to fire is the strongest that transmitted, whatever the delay and strength of inhibition.",
  quantity = "largest share of draws with another winner, over delays and over strengths", at = { "delay", "strength" },
  criterion = is.each(is.exact()), value = { { different "delay", different "strength" }, exact = true },
}

local few_weights = row(P.enumerated)
local few_releases = ves.release.analytic(few_weights)
E:own {
  id = "spike-law", kind = "mathematical", proof = "prop:spike-law", breaks = "spike=deaf to delay",
  says = "With full inhibition the law of who fires is a product over those that fire earlier by more than the delay.",
  quantity = "largest distance of the product from the sum over all subsets, over delays, few outputs; least p value "
    .. "of simulated spikes against it over delays, of the output that fits worst, times the number of outputs; "
    .. "largest distance of the time of a simulated first spike from the winner's latency",
  at = { "subsets", "simulation", "latency" }, criterion = is.each { is.exact(), is.not_rejected(), is.exact() },
  value = { exact = true, { stats.collect(P.delays, function(d)
    return (fires(few_weights, few_releases, d) - fires_by_subsets(few_weights, few_releases, d)):abs():max()
  end):max(), stats.collect(in_sweep "delay", function(s) return s.p end):min(),
    stats.collect(in_sweep "delay", function(s) return s.known end):max() } },
}

local function at(name, value)
  for _, s in ipairs(in_sweep(name)) do if s.value == value then return s end end
end
local slow = at("delay", 1)
E:own {
  id = "spike-every-spike", kind = "empirical", breaks = "spike.latency=spread",
  says = "With inhibition a millisecond late, the spikes of all outputs are not distributed as encoded.",
  quantity = "total variation of the law of every spike from the encoded distribution, delay 1 ms",
  criterion = is.more(0, margins.differs), value = { slow.every.value, exact = true },
}
E:number({ "SpikeEveryAtOnce", "SpikeEveryLate" }, { at("delay", 0.01).every.value, slow.every.value })
E:number("SpikeFiredLate", slow.fired)

--- ## What noise and jitter cost
---
--- Noise on the membrane moves a crossing in proportion to its latency and exchanges outputs of similar weights,
--- which matters little for their distribution. Jitter of release adds a time of its own, and the strongest outputs
--- are apart by hundredths of a millisecond. A slower synapse spreads the race over more time.

--- The largest value of a sweep up to which all are right within the margin.
local function tolerated(name)
  local largest = 0
  for _, s in ipairs(in_sweep(name)) do
    if s.first.value + margins.standard_errors * s.first.se >= margins.very_closely then break end
    largest = s.value
  end
  return largest
end
local fast, slowest = "jitter, 5 ms", "jitter, 100 ms"
E:number({ "SpikeNoiseTolerated", "SpikeJitterFast", "SpikeJitterSlow" },
  { tolerated "noise", tolerated(fast), tolerated(slowest) })
E:number("SpikeWinnerChanged", 1 - at("noise", P.usual_noise).same)
E:number("SpikeTimeMean", at("delay", 0).time)

local right = { at("noise", P.usual_noise), at(fast, P.usual_jitter), at(slowest, 0.1) }
local latest = stats.collect(right, function(s) return s.latest end):max()
E:own {
  id = "spike-in-time", kind = "empirical", breaks = "spike=noisy",
  says = "A sample takes less than 100 ms and is right within 5%: at 1 mV of noise, with some jitter at fast synapses, "
    .. "and with five times as much at slow ones.",
  quantity = "total variation of the first spike: noise alone, jitter 0.02 ms at 5 ms, jitter 0.1 ms at 100 ms; latest "
    .. "spike over the limit", at = { "noise", "fast", "slow", "latest" }, looked = true,
  criterion = is.each { is.below(margins.very_closely), is.below(margins.very_closely), is.below(margins.very_closely),
                        is.below(1) },
  value = { { right[1].first.value, right[2].first.value, right[3].first.value, latest / P.limit },
            se = { right[1].first.se, right[2].first.se, right[3].first.se, 0 } },
}
E:own {
  id = "spike-jitter-fast", kind = "empirical", breaks = "spike=punctual",
  says = "At fast synapses a jitter of a tenth of a millisecond is already too much.", looked = true,
  quantity = "total variation of the first spike, jitter 0.1 ms, excitation of 5 ms",
  criterion = is.above(margins.very_closely), value = { at(fast, 0.1).first },
}
E:number("SpikeJitterFastTooMuch", at(fast, 0.1).first)

--- A lower gain also slows the race, and loses the weakest outputs: their draws end without a spike.

local weak = at("gain", 0.3)
E:number({ "SpikeWeakGain", "SpikeWeakGainSilent" }, { weak.first.value, weak.late })

local few, many = at("outputs", P.sizes[1]), at("outputs", P.sizes[#P.sizes])
E:own {
  id = "spike-outputs", kind = "empirical", breaks = "spike=noisy", looked = true,
  says = "With few outputs and with many of the same distribution the first spike is right within 5%.",
  quantity = "total variation of the first spike, fewest and most outputs", at = { "fewest", "most" },
  criterion = is.each(is.below(margins.very_closely)),
  value = { { few.first.value, many.first.value }, se = { few.first.se, many.first.se } },
}

E:finish()
