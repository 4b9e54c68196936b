--- # Weights that change
---
--- A network that keeps learning has weights that keep changing, and releases must follow. With step $1/k$ the
--- amplitude rule [eq:amplitude] averages over all it has ever seen, which is right only as long as nothing
--- changes. A constant step forgets at a constant pace and pays for it with a fluctuation that never ends. Between
--- them lies a step that falls as $1/k$ to a floor and stays there (`rate_floor`). We measure what each costs when
--- weights jump and when they drift, look for the best step at each speed, and compare with the power rule. What a
--- network *draws* while it learns is another matter: by Algorithm 1 at a constant step the draws are right on
--- average though no single state is [eq:amplitude-sampling].

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local shapes = require "vesicle.model.shapes"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "18_changing_weights", title = "Weights that change: tracking against fluctuation",
  params = {
    n = { 50, range = { 5, 500 }, about = "weights of the bimodal vector" },
    floor = { 0.01, range = { 1e-4, 0.5 }, about = "its pedestal, as a share of its maximum" },
    block = { 10, about = "draws between two changes of the weights" },
    runs = { 8, quick = 4, about = "runs side by side" },
    replicates = { 4, quick = 2, about = "times these" },
    before = { 10000, about = "draws before the jump" },
    after = { 10000, about = "draws after it" },
    step = { 0.02, about = "constant step, and floor of the falling one, after a jump" },
    speeds = { { 1e-4, 3.16e-4, 1e-3, 3.16e-3, 1e-2 }, quick = { 1e-4, 1e-3, 1e-2 },
               about = "outputs that the distribution moves on in a draw" },
    steps = { { 3.125e-4, 6.25e-4, 1.25e-3, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64 },
              about = "constant steps, of both rules" },
    exponents = { { 4, 5, 6, 7, 8, 10 }, quick = { 5, 7 }, about = "exponents the power rule may choose from" },
    drift = { 8000, quick = 4000, about = "draws of a drift" },
    sampled = { 20, about = "weights of the draws while learning" },
    draws = { 2000, quick = 1000, about = "draws while learning" },
    sampling_runs = { 100, quick = 40, about = "runs of them" },
    sampling_steps = { { 0.05, 0.2, 1 }, about = "their constant steps" },
  },
}
local P = E.params
local w = shapes.weights("bimodal", P.n, P.floor)

local function copies(v, n)
  local W = ves.matrix(n, #v)
  for i = 1, n do W[i] = v end
  return W
end

--- The bimodal vector moved on around a ring by s outputs; between whole numbers, a mixture of both.
local turned = {}
for by = 0, P.n - 1 do
  local index = {}
  for j = 1, P.n do index[j] = (j - 1 - by) % P.n + 1 end
  turned[by] = w:take(index)
end
local function moved(s)
  local k, part = math.floor(s), s % 1
  return turned[k % P.n] * (1 - part) + turned[(k + 1) % P.n] * part
end

--- ## Learning on
---
--- What a synapse keeps from one draw to the next is its amplitude under the amplitude rule, its release under the
--- power rule. When a weight changes, the release of the first is $q = w/a$ at once, and 1 where the weight has
--- outgrown the amplitude. Several runs go side by side; a learner has their state, and its `go` learns one block
--- with weights V, the same in every row.

local function learner(o, rng)
  local self = { updates = ves.matrix(P.runs, P.n), draws = 0 }
  local amplitude = o.rule == "amplitude"
  function self.start(v, releases)
    self.state = amplitude and copies(v / releases, P.runs) or copies(releases, P.runs)
  end
  function self.go(V, draws)
    local q = amplitude and (V / self.state):clamp(0, 1) or self.state
    local learned, counted = ves.release.learn(V, { rule = o.rule, psi = o.psi, rate = o.rate,
      rate_floor = o.rate_floor, start = q, iterations = draws, updates = amplitude and self.updates or nil,
      rng = rng })
    self.state, self.updates = amplitude and V / learned or learned, counted
    self.releases = learned
  end
  function self.distance(v)
    return stats.collect(P.runs, function(i) return shapes.distance(v, self.releases:row(i):copy()) end)
  end
  return self
end

--- ## A jump
---
--- After many draws the distribution moves on by a third of the ring, at once.

local ways = {
  average = { rule = "amplitude" }, constant = { rule = "amplitude", rate = P.step },
  falling = { rule = "amplitude", rate_floor = P.step }, power = { rule = "power", psi = 7, rate = P.step },
}
local names, times = { "average", "constant", "falling", "power" }, {}
local at = 1
while at <= P.after // P.block do
  times[#times + 1] = at
  at = math.max(at + 1, math.floor(at * 1.3))
end
local other = moved(P.n // 3)
local before_jump, after_jump = copies(w, P.runs), copies(other, P.runs)
local jump = E:replicate { name = "jump", n = P.replicates, run = function(_, rng)
  local found = {}
  for _, name in ipairs(names) do
    local one, before, after, done = learner(ways[name], rng:stream(name)), {}, {}, 0
    one.start(w, ves.vector(P.n, 0.3))
    for i, t in ipairs(times) do
      one.go(before_jump, (t - done) * P.block)
      before[i], done = one.distance(w):mean(), t
    end
    if done * P.block < P.before then one.go(before_jump, P.before - done * P.block) end
    done = 0
    for i, t in ipairs(times) do
      one.go(after_jump, (t - done) * P.block)
      after[i], done = one.distance(other):mean(), t
    end
    found[name] = { before = ves.vector(before), after = ves.vector(after) }
  end
  return found
end }
local rows = {}
for i, name in ipairs(names) do
  rows[i] = { name, ves.vector(times) * P.block, stats.summary(jump:column(name .. ".before")).value,
              stats.summary(jump:column(name .. ".after")).value }
end
E:table("jump", { { "way", "rule and step" }, { "draws", "since the start, or since the jump" },
  { "before", "total variation of winners from encoded, since the start" },
  { "after", "the same since the jump" } }, rows)
local function end_of(name, when) return jump:column(name .. "." .. when):col(#times) end
local function early_of(name, when)
  for i, t in ipairs(times) do if t * P.block >= 300 then return jump:column(name .. "." .. when):col(i) end end
end
local function ratio(a, b) return stats.jackknife(function(x, y) return x[1] / y[1] end, stats.collect(#a,
  function(i) return ves.vector { a[i] } end), stats.collect(#b, function(i) return ves.vector { b[i] } end)) end
E:number("JumpAverage", ratio(end_of("average", "after"), end_of("constant", "after")))
E:number("JumpFallingEarly", ratio(early_of("falling", "before"), early_of("constant", "before")))
E:own {
  kind = "empirical",
  { id = "average-cannot-follow", says = "With step 1/k the rule does not follow a jump.", breaks = "amplitude=mapping",
    quantity = "total variation as many draws after the jump as before it, step 1/k over constant step",
    criterion = is.more(1 / margins.substantially),
    value = ratio(end_of("average", "after"), end_of("constant", "after")) },
  { id = "floor-follows", says = "A step that falls to a floor follows a jump as a constant step does.",
    quantity = "total variation after the jump, falling over constant step", breaks = "learn.rate_floor=none",
    criterion = is.within(margins.roughly), value = ratio(end_of("falling", "after"), end_of("constant", "after")) },
  { id = "floor-starts-fast", says = "A step that falls to a floor starts faster than a constant step.",
    breaks = "amplitude=mapping",
    quantity = "total variation after 300 draws from the start, falling over constant step",
    criterion = is.less(margins.substantially),
    value = ratio(early_of("falling", "before"), early_of("constant", "before")) },
}

--- ## A drift
---
--- The distribution moves around the ring at a constant speed, beginning at the resting point. Mean total variation
--- over the second half of the drift, for each speed and step, run by run.

local paths, looked = {}, 10                            -- weights by speed; blocks between two looks
local function path(speed)
  if not paths[speed] then
    local W = ves.matrix(P.drift // P.block, P.n)
    for b = 1, W.rows do W[b] = moved(b * P.block * speed) end
    paths[speed] = W
  end
  return paths[speed]
end
local beginning = copies(ves.release.analytic(w), P.runs)
local function follow(o, weights, rng)
  local _, trace = ves.release.follow(weights, { rule = o.rule, psi = o.psi, rate = o.rate, rate_floor = o.rate_floor,
    from = w, start = beginning, runs = P.runs, iterations = P.block, trace = looked, rng = rng })
  local sum, seen = ves.vector(P.runs), 0
  for k = weights.rows // 2 // looked + 1, weights.rows // looked do
    local v = weights:row(k * looked):copy()
    local p, nothing = ves.winner.exact(v, trace:take(ves.range((k - 1) * P.runs + 1, k * P.runs)))
    local encoded = v / v:sum()
    sum, seen = sum + stats.collect(P.runs, function(i)
      return ves.score.total_variation(p[i] / (1 - nothing[i]), encoded)
    end), seen + 1
  end
  return sum / seen
end
local drifts = {}
for _, speed in ipairs(P.speeds) do
  for _, rate in ipairs(P.steps) do drifts[#drifts + 1] = { speed = speed, rate = rate } end
end
local drift = E:replicate { name = "drift", n = #drifts, run = function(i, rng)
  local d, found = drifts[i], {}
  local weights = path(d.speed)
  for k, psi in ipairs(P.exponents) do
    found["power" .. k] = follow({ rule = "power", psi = psi, rate = d.rate }, weights, rng:stream("power", psi))
  end
  found.amplitude = follow({ rule = "amplitude", rate = d.rate }, weights, rng:stream("amplitude"))
  found.falling = follow({ rule = "amplitude", rate_floor = d.rate }, weights, rng:stream("falling"))
  return found
end }

--- One row per run, one column per speed and step. The power rule may choose its exponent, and both rules their step,
--- in hindsight, for each speed; the jackknife over runs lets them choose anew each time. The steps go down to where
--- neither rule gains from a smaller one. At the slowest speed the power rule does best by hardly learning: every run
--- starts at the mapping, and learning would take it to its own resting point.

local runs = { drift:column("amplitude"):transpose() }
for k = 1, #P.exponents do runs[k + 1] = drift:column("power" .. k):transpose() end

--- The least over exponents at each speed and step, and which exponent that is.
local function best_power(...)
  local least, chosen = (...):copy(), ves.vector(#(...), P.exponents[1])
  for k = 2, select("#", ...) do
    local v = (select(k, ...))
    for i = 1, #v do if v[i] < least[i] then least[i], chosen[i] = v[i], P.exponents[k] end end
  end
  return least, chosen
end

local means = {}
for k, M in ipairs(runs) do means[k] = stats.summary(M).value end
local power, psi = best_power(table.unpack(means, 2))
E:table("drift", { { "speed", "outputs a draw", stats.collect(drifts, function(d) return d.speed end) },
  { "step", "constant step", stats.collect(drifts, function(d) return d.rate end) },
  { "amplitude", "mean total variation of winners from encoded, amplitude rule", stats.summary(runs[1]) },
  { "falling", "the same, step falling to that floor", stats.summary(drift:column("falling"):transpose()).value },
  { "power", "power rule, best exponent", power }, { "psi", "that exponent", psi } })

--- The best step at each speed: the minimum of a parabola through the best of the steps and its neighbours, on
--- logarithmic axes. If fluctuation grows as $\sqrt\gamma$ and lag as speed over step, their sum is least where
--- $\gamma$ grows as the power 2/3 of the speed, and is then as its power 1/3.

local function best_step(v, s)
  local from = (s - 1) * #P.steps
  local k = 1
  for i = 1, #P.steps do if v[from + i] < v[from + k] then k = i end end
  if k == 1 or k == #P.steps then return { step = P.steps[k], tv = v[from + k] } end
  local a, b, c = math.log(v[from + k - 1]), math.log(v[from + k]), math.log(v[from + k + 1])
  local off = 0.5 * (a - c) / (a - 2 * b + c)
  return { step = P.steps[k] * (P.steps[k + 1] / P.steps[k]) ^ off, tv = math.exp(b - 0.25 * (a - c) * off) }
end
local log_speed, log_step = ves.vector(P.speeds):log(), ves.vector(P.steps):slice(7, #P.steps - 2):log()
local function at_best(v) return stats.collect(#P.speeds, function(s) return best_step(v, s) end) end

--- What is said of the drift, as functions of the means over runs.
local function step_slope(v) return stats.regression(log_speed, at_best(v).step:log()).slope end
local function tv_slope(v) return stats.regression(log_speed, at_best(v).tv:log()).slope end
local function rising(v)                                              -- at the slowest speed
  return stats.regression(log_step, v:slice(7, #P.steps - 2):log()).slope
end
local function over_power(v, ...) return at_best(v).tv / at_best((best_power(...))).tv end

local best, rival = at_best(means[1]), at_best(power)
local height = (best.step:log() - log_speed * (2 / 3)):mean()
E:table("best", { { "speed", "outputs a draw", P.speeds },
  { "step", "best constant step of the amplitude rule", best.step },
  { "tv", "mean total variation there", best.tv },
  { "line", "a power 2/3 of the speed through it", (log_speed * (2 / 3) + height):exp() },
  { "power_step", "best step of the power rule", rival.step },
  { "power_tv", "mean total variation there, best exponent", rival.tv } })
local against = stats.jackknife(over_power, table.unpack(runs))
E:number("DriftStepSlope", stats.jackknife(step_slope, runs[1]))
E:number("DriftTvSlope", stats.jackknife(tv_slope, runs[1]))
E:number("DriftOverPowerWorst", against[against.value:argmax()])
E:number("DriftOverPowerBest", against[against.value:argmin()])
E:number("FluctuationSlope", stats.jackknife(rising, runs[1]))
E:own {
  kind = "empirical", breaks = "amplitude=mapping",
  { id = "best-step-grows", says = "The best step grows as the power 2/3 of the speed of change.",
    quantity = "slope of the logarithm of the best step on that of the speed",
    criterion = is.within(margins.roughly, { of = 2 / 3 }), value = stats.jackknife(step_slope, runs[1]) },
  { id = "fluctuation-grows", says = "Where weights hardly change, fluctuation grows as the root of the step.",
    quantity = "slope of log total variation on log step, slowest drift, steps from 0.02 to 0.16",
    criterion = is.within(margins.roughly, { of = 1 / 2 }), value = stats.jackknife(rising, runs[1]) },
  { id = "drift-beats-power",
    says = "At its best step the amplitude rule follows a drift better than the power rule at its best.",
    quantity = "mean total variation over the power rule's, best step and exponent in hindsight", at = P.speeds,
    criterion = is.each(is.less(1, margins.differs)), value = against },
}

--- ## Draws while learning
---
--- Algorithm 1 learns from its winner. At a constant step each state has its own distribution of winners; we
--- average the exact distributions of all states that draws were made in, over draws and runs, beginning at the
--- resting point. Theory bounds the distance of that average from the encoded one by $\sum_i |\mathrm E\,a_i(T) -
--- a_i(0)| / (\gamma T S_i)$.

local few = shapes.weights("decay", P.sampled, P.floor)
local S, repeated = ves.release.amplitude_theory(few).amplitude, copies(few, P.draws - 1)
local sampling = E:replicate { name = "sampling", n = P.sampling_runs, run = function(_, rng)
  return stats.collect(P.sampling_steps, function(rate)
    local start = ves.release.analytic(few)
    local last, trace = ves.release.learn(few, { rule = "amplitude", algorithm = 1, rate = rate, start = start,
      iterations = P.draws, trace = 1, rng = rng:stream(rate) })
    local p, nothing = ves.winner.exact(few, trace:take(ves.range(1, P.draws - 1)))
    local off = (p - repeated):abs():row_sums() + nothing
    return { mean = (ves.winner.exact(few, start) + p:col_sums()) / P.draws, state = 0.5 * off:sum() / P.draws,
             moved = (few / last / S - 1) / (rate * P.draws) }
  end)
end }
local found = stats.collect(#P.sampling_steps, function(k)
  local function part(of)
    return stats.collect(P.sampling_runs, function(i) return sampling[i][of]:row(k):copy() end)
  end
  local state = stats.collect(P.sampling_runs, function(i) return sampling[i].state[k] end)
  local function off(m) return 0.5 * ((m - few):abs():sum() + 1 - m:sum()) end
  local share = stats.jackknife(function(m, s) return off(m) / s[1] end, part "mean",
    stats.collect(P.sampling_runs, function(i) return ves.vector { state[i] } end))
  return { share = share.value, share_se = share.se, state = state:mean(),
           mean = off(stats.summary(part "mean").value), bound = stats.summary(part "moved").value:abs():sum() }
end)
E:table("sampling", { { "step", "constant step", P.sampling_steps },
  { "state", "total variation of winners from encoded, mean over states", found.state },
  { "mean", "total variation of the mean distribution of winners", found.mean },
  { "bound", "the bound on it, from the amplitudes' mean movement", found.bound },
  { "share", "total variation of the mean over the mean total variation", found.share },
  { "share_se", found.share_se } })
E:number("SamplingState", found.state[#P.sampling_steps])
E:number("SamplingMean", found.mean[#P.sampling_steps])
E:own {
  { id = "draws-while-learning", kind = "empirical", proof = "thm:sampling", at = P.sampling_steps,
    says = "Draws made while learning at a constant step are right on average, though single states are not.",
    quantity = "total variation of the mean distribution of winners over the mean total variation of states",
    criterion = is.each(is.less(margins.far)), value = { found.share, se = found.share_se },
    breaks = "amplitude=biased" },
}

E:finish()
