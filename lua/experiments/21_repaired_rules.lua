--- # The amplitude rule in the place of the original's
---
--- What the original says of its learning rules, asked of the amplitude rule [eq:amplitude] with step $1/k$: the same
--- weights, the same number of samples, the same quantity and criterion, which stand where the statement is made. Where
--- a statement speaks of several rules, the amplitude rule stands in the place of each, and its value is repeated. What
--- it says of a rule's *defects* is not asked: to be without them would count as a failure.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local shapes = require "vesicle.model.shapes"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "21_repaired_rules", title = "statements about learning rules, asked of the amplitude rule",
  params = {
    n = { 50, range = { 5, 500 }, about = "weights of the bimodal vector" },
    floor = { 0.01, range = { 1e-4, 0.5 }, about = "its pedestal, as a share of its maximum" },
    replicates = { 60, quick = 10, about = "runs of each rule" },
    iterations = { 10000, about = "samples to learn from" },
    rate = { 0.0025, range = { 1e-4, 0.2 }, about = "gamma of the original's rules" },
    subtract = { 0.35, range = { 0, 0.9 }, about = "constant of the subtractive rule" },
    smallest = { 0.1, range = { 0.02, 0.5 }, about = "share of the synapses called the smallest" },
    race_iterations = { 200000, quick = 50000, about = "samples of the race between the algorithms" },
    race_replicates = { 40, quick = 2, about = "races" },
    long = { 64000, quick = 32000, about = "samples until an estimate is read off" },
    networks = { 40, quick = 2, about = "networks for the bias" },
    network_iterations = { 5000, about = "samples there" },
  },
}
local P = E.params

--- ## Learning
---
--- The original's vector, start and number of samples, Algorithm 2 [alg:2]; beside the amplitude rule the three simple
--- targets and the variable exponent, with which statements compare.

local w = shapes.weights("bimodal", P.n, P.floor)
local q, order = ves.release.analytic(w), shapes.ranking(w)
local all_but_smallest = table.move(order, 1, P.n - math.floor(P.smallest * P.n + 0.5), 1, {})
local rules = { "amplitude", "raw", "subtract", "rescale", "variable" }

local function learn(weights, rule, rng, more)
  local o = { rule = rule, rate = rule == "amplitude" and "average" or P.rate, iterations = P.iterations, rng = rng,
              subtract = rule == "subtract" and P.subtract or nil }
  for key, value in next, more or {} do o[key] = value end
  return ves.release.learn(weights, o)
end

local runs = E:replicate { name = "rules", n = P.replicates, run = function(_, rng)
  local found = {}
  for _, rule in ipairs(rules) do
    local v = learn(w, rule, rng:stream(rule))
    found[rule] = { release = v, tv = shapes.distance(w, v),
                    off = (v:take(all_but_smallest) - q:take(all_but_smallest)):abs():mean() }
  end
  return found
end }
local function of(rule, what) return runs:column(rule .. "." .. what) end
local function side_by_side(what, which)
  return stats.collect(P.replicates, function(i)
    return stats.collect(which, function(rule) return runs[i][rule][what] end)
  end)
end
E:table("rules", { { "rule", rules }, { "tv", "total variation of winners from encoded, mean over replicates",
  stats.summary(side_by_side("tv", rules)) },
  { "off", "mean |release - mapping| over all but the weakest tenth", stats.summary(side_by_side("off", rules)) } })

local function extremes(v) return { v:min(), v:max() } end
local two = { "least", "largest" }
local tv = stats.summary(of("amplitude", "tv"))
--- ## At rest
---
--- The resting point needs no run: the mean of a target is $w_i$ and, of each weaker synapse, its amplitude times its
--- release [eq:amplitude-unbiased]. Amplitudes move there from some start, all at once, until they stay.

local function rest(weights)
  local a, ranks = weights / 0.3, shapes.ranking(weights)
  for _ = 1, 3 do
    local sent, target, sum = a * (weights / a), weights * 0, 0.0
    for r = #ranks, 1, -1 do
      target[ranks[r]] = weights[ranks[r]] + sum
      sum = sum + sent[ranks[r]]
    end
    a = target
  end
  return weights / a
end
local equal = shapes.weights("uniform", 2 * P.n, 0)
local equal_q = ves.release.analytic(equal)
local function off_at_rest(weights, reference) return extremes(rest(weights) / reference - 1) end

E:repaired {
  breaks = "release.analytic=halved",
  { statement = "converge-analytic", at = two, proof = "thm:amplitude", value = { off_at_rest(w, q), exact = true } },
  { statement = "coupled-attractor", at = two, value = { off_at_rest(equal, equal_q), exact = true } },
  { statement = "equilibrium-near-target",
    value = { (rest(equal) - equal_q):abs():sum() / equal_q:sum(), exact = true } },
}

--- ## Local, and how fast
---
--- What a draw teaches does not change with the weights of silent synapses: what transmitting synapses learn, with
--- Algorithm 2 in the order of weights and with Algorithm 1 in that of amplitudes; in two stages, what the row learns
--- of its strength [eq:row-strength]; and what inputs learn. Three synapses of each of two rows transmit for certain,
--- and three never do, whatever their weights. Then Algorithm 1 against Algorithm 2: the samples until releases are
--- within a quarter of the resting point. And what is left after many samples.

local function weights_with(silent) return { 0.3, 0.2, 0.1, silent, silent / 2, silent / 3 } end
local function updated(silent)
  return ves.release.learn(weights_with(silent), { rule = "amplitude", rate = P.rate,
    start = { 1, 1, 1, 1e-12, 1e-12, 1e-12 }, iterations = 1, rng = E.rng:stream("local") }):slice(1, 3)
end
local function two_stages(silent)
  local W = ves.matrix { weights_with(silent), weights_with(2 * silent) }
  local start = W / ves.matrix { { 1, 1, 1, 1e-12, 1e-12, 1e-12 }, { 1, 1, 1, 1e-12, 1e-12, 1e-12 } }
  local _, learned = ves.multi.two_stage_learn(W, { 1, 0.5 }, { draws = 1, order = "amplitude",
    rng = E.rng:stream("local"), state = { amplitude = start, updates = W * 0 + 1, strength = { 0.6, 0.5 },
      turns = { 1, 1 }, input_amplitude = { 0.6, 0.3 }, input_updates = { 1, 1 } } })
  return learned
end
local one, other = two_stages(0.05), two_stages(0.25)
local function changes(name) return (one[name] - other[name]):abs():max() end
local first_three = { 1, 2, 3, 7, 8, 9 }
local changed = { (updated(0.05) - updated(0.25)):abs():max(),
                  (one.amplitude:flatten() - other.amplitude:flatten()):take(first_three):abs():max(),
                  changes "strength", changes "input_amplitude" }

local race = E:replicate { name = "race", n = P.race_replicates, run = function(_, rng)
  local function arrival(algorithm)
    local step = 100
    local _, trace = learn(w, "amplitude", rng:stream("race"), { algorithm = algorithm, trace = step,
      iterations = P.race_iterations })
    for k = 1, #trace do
      if (trace:row(k):copy() - q):abs():sum() / q:sum() <= margins.roughly then return k * step end
    end
    return P.race_iterations
  end
  local last = learn(w, "amplitude", rng:stream("long"), { iterations = P.long })
  return { ratio = arrival(2) / arrival(1), left = math.sqrt(((last / q - 1) ^ 2):mean()) }
end }

E:repaired {
  breaks = "release.learn=raw-amplitude",
  { statement = "alg2-faster", value = stats.summary(race:column "ratio") },
  { statement = "decaying-rate", value = stats.summary(race:column "left") },
}

--- ## Bias that is left at rest
---
--- In rows of trained networks: the standard deviation of winners over the encoded one, less 1, at rest as a share of
--- the same after learning.

local simple, code = models.simple(), models.code()
local biased = E:replicate { name = "bias", n = P.networks, run = function(_, rng)
  local W, total = models.network(simple, rng):weights(), ves.vector(2)
  for _, x in ipairs(simple.inputs) do
    local row = W:row(code:encode(x):argmax()):copy()
    local function bias(v) return pmf.sd(shapes.winners(row, v), code.centers) / pmf.sd(row, code.centers) - 1 end
    total = total + ves.vector { bias(rest(row)), bias((learn(row, "amplitude", rng:stream("learn", x),
      { iterations = P.network_iterations }))) }
  end
  return total[1] / total[2]
end }
E:repaired { statement = "bias-is-convergence", breaks = "winner=sharpened",
             value = stats.summary(biased:column()) }

E:own {
  id = "repaired-local", kind = "mathematical", proof = "prop:unbiased", breaks = "two_stage=not-local",
  says = "What a draw teaches the repaired network does not depend on the weights of silent synapses.",
  quantity = "largest change of what transmitting synapses learn, by Algorithm 2 in the order of weights and by "
    .. "Algorithm 1 in that of amplitudes, of what rows learn of their strength, and of what inputs learn, when only "
    .. "silent synapses change their weights",
  at = { "by-weight", "by-amplitude", "strength", "input" }, criterion = is.each(is.exact()),
  value = { changed, exact = true },
}

E:number("RulesAmplitudeTv", tv)
E:number("RulesAmplitudeLeft", stats.summary(race:column "left"))
E:number("RulesAmplitudeRace", stats.summary(race:column "ratio"))

E:finish()
