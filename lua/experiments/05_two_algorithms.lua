--- # Two algorithms
---
--- Local learning follows its rule along one of two algorithms. Algorithm 1 updates only the strongest member of the
--- subset that transmitted [alg:1], Algorithm 2 every member in turn [alg:2]. `05_learning_rules` compares the rules
--- under Algorithm 2 and on one vector of weights. Here the algorithms race, and the rules meet vectors of other sizes
--- and shapes.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local rules = require "vesicle.model.rules"
local shapes = require "vesicle.model.shapes"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "05_two_algorithms", title = "How fast releases are learned, and from which weights",
  streams = "05_learning_rules",
  params = {
    n = { 50, range = { 5, 500 }, about = "weights of the bimodal vector" },
    floor = { 0.01, range = { 1e-4, 0.5 }, about = "least weight, as a share of the maximum" },
    iterations = { 10000, about = "samples to learn from in the sweep" },
    rate = { 0.0025, range = { 1e-4, 0.2 }, about = "gamma" },
    psi = { 7.0, range = { 1, 20 }, about = "exponent of the power rule" },
    subtract = { 0.35, range = { 0, 0.9 }, about = "constant of the subtractive rule" },
    sweep_n = { { 10, 20, 50, 100, 200 }, about = "sizes of the sweep" },
    sweep_replicates = { 3, quick = 2, about = "runs of each rule, shape and size in the sweep" },
    race_iterations = { 1000000, quick = 500000, about = "samples of the race between the algorithms" },
    race_replicates = { 8, quick = 2, about = "races" },
  },
}
local P = E.params

--- ## Algorithm 1 against Algorithm 2
---
--- Given that $i$ transmits, weaker synapses transmit as they always do, whether or not a stronger one did: both
--- algorithms share the resting point. They do not share the path: in Algorithm 1 a synapse is slowed by every
--- stronger one that transmits, each by a factor of its own. We follow the power rule toward it, and count the
--- samples after which the releases are within a quarter of it (summed over synapses), and the winners within a total
--- variation of 0.1.

local w = shapes.weights("bimodal", P.n, P.floor)
local goal = ves.release.equilibrium(w, rules.options("power", P))
local goal_winners = shapes.winners(w, goal)

local points, step, next_point = {}, 100, 1.0
while next_point * step <= P.race_iterations do
  if math.floor(next_point) ~= points[#points] then points[#points + 1] = math.floor(next_point) end
  next_point = next_point * 1.2
end
local function arrival(curve, limit)
  for i, value in pairs(curve) do
    if value <= limit then return points[i] * step end
  end
  return P.race_iterations
end

local function follow(algorithm, rng)
  local _, trace = ves.release.learn(w, rules.options("power", P, { algorithm = algorithm, rate = P.rate,
    iterations = P.race_iterations, trace = step, rng = rng }))
  local off = stats.collect(points, function(k)
    local now = trace:row(k):copy()
    return { release = (now - goal):abs():sum() / goal:sum(),
             winners = ves.score.total_variation(shapes.winners(w, now), goal_winners) }
  end)
  off.release_at, off.winners_at = arrival(off.release, margins.roughly), arrival(off.winners, margins.closely)
  return off
end

local race = E:replicate { name = "race", n = P.race_replicates, run = function(_, rng)
  return { first = follow(1, rng:stream("race")), second = follow(2, rng:stream("race")) }
end }

local race_rows = {}
for algorithm, name in ipairs { "first", "second" } do
  local release = stats.summary(race:column(name .. ".release"))
  local won = stats.summary(race:column(name .. ".winners"))
  race_rows[algorithm] = { algorithm, ves.vector(points) * step, release.value, release.min, release.max, won.value,
                           won.min, won.max }
end
E:table("race", { { "algorithm", "1 or 2" }, { "iterations", "samples so far" },
  { "release", "sum |q - fixed point| / sum of fixed point, mean" }, { "release_lo", "least of the replicates" },
  { "release_hi", "largest of the replicates" }, { "winners", "total variation from the fixed point's winners, mean" },
  { "winners_lo", "least of the replicates" }, { "winners_hi", "largest of the replicates" } }, race_rows)

--- What counts is the number of samples of Algorithm 2 over that of Algorithm 1, race by race.

local function arrivals(numbers, of)
  local first, second = race:column("first." .. of), race:column("second." .. of)
  E:number(numbers, stats.summary { first, second })
  return { stats.summary(second / first), note = string.format("Algorithm 1 had not arrived at the end in %d of %d "
    .. "races, which count as their end", #first:above(P.race_iterations - 0.5), #first) }
end
local by_releases = arrivals({ "RaceReleaseFirst", "RaceReleaseSecond" }, "release_at")
local by_winners = arrivals({ "RaceWinnersFirst", "RaceWinnersSecond" }, "winners_at")
by_winners.reading = "judged by the winners"
by_winners.quantity = "samples until winners are within a total variation of 0.1 of those at rest, Algorithm 2 over "
  .. "Algorithm 1"
E:statement {
  id = "alg2-faster", where = "Local learning rules, Algorithms", kind = "empirical", criterion = is.less(margins.far),
  says = "Algorithm 2 reaches a reasonable approximation in far fewer samples than Algorithm 1.",
  quantity = "samples until releases are within a quarter of their resting point, Algorithm 2 over Algorithm 1",
  breaks = "learn.algorithm=1", cells = { printed = by_releases }, further = { by_winners },
}

--- ## Other sizes, other shapes
---
--- The verdicts on the rules are for one vector. The sweep repeats learning and fixed point for four shapes and five
--- sizes.

local cells = {}
for _, shape in ipairs(shapes.names) do
  for _, rule in ipairs(rules.names) do
    for _, n in ipairs(P.sweep_n) do cells[#cells + 1] = { shape = shape, rule = rule, n = n } end
  end
end
local function in_each_cell(release)
  return stats.collect(cells, function(c)
    local weights = shapes.weights(c.shape, c.n, P.floor)
    return shapes.distance(weights, release(weights, c))
  end)
end

local sweep = stats.summary(E:replicate { name = "sweep", n = P.sweep_replicates, run = function(_, rng)
  return in_each_cell(function(weights, c)
    return ves.release.learn(weights, rules.options(c.rule, P, { rate = P.rate, iterations = P.iterations,
      rng = rng:stream(c.shape, c.rule, c.n) }))
  end)
end }:column())
local settled = in_each_cell(function(weights, c) return ves.release.equilibrium(weights, rules.options(c.rule, P)) end)
local sweep_rows = {}
for i, c in ipairs(cells) do
  sweep_rows[i] = { c.shape, c.rule, c.n, sweep.value[i], sweep.min[i], sweep.max[i], settled[i] }
end
E:table("sweep", { { "shape", "of the weights over outputs" }, { "rule", "target" }, { "n", "weights" },
  { "tv", "total variation of winners from encoded, mean over replicates" }, { "lo", "least of the replicates" },
  { "hi", "largest of the replicates" }, { "rest", "at the fixed point" } }, sweep_rows)

E:finish()
