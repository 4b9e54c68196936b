--- # The amplitude rule in time
---
--- What theory says of the amplitude rule [eq:amplitude], measured on the original's vector: its targets, the speed at
--- which the winner's distribution is learned, and the order of competition. Then the places where one may expect it to
--- be worse than the original's rule. `17_amplitude_rule` compares them after the original's number of iterations.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local shapes = require "vesicle.model.shapes"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "17_amplitude_theory", title = "The amplitude rule in time: targets, speed, order and start",
  streams = "17_amplitude_rule",
  params = {
    n = { 50, range = { 5, 100 }, about = "weights of the bimodal vector" },
    floor = { 0.01, range = { 1e-4, 0.5 }, about = "its pedestal, as a share of its maximum" },
    iterations = { 10000, about = "the original's samples to learn from" },
    replicates = { 120, quick = 30, about = "runs of the curves" },
    beside = { 10, about = "how many of them learn side by side" },
    long = { 100000, quick = 30000, about = "their iterations" },
    power_rate = { 0.0025, about = "the original's rate, for its vector" },
    psi = { 7.0, range = { 1, 20 }, about = "the original's exponent there" },
    states = { 40000, quick = 20000, about = "draws of the target's mean and variance" },
    small = { 0.01, about = "a small release to start from" },
    even = { 0.3, range = { 0.01, 1 }, about = "one release to start from, the original's mean" },
    early = { 1000, about = "iterations that are called early" },
    held = { 1000.0, about = "updates behind a resting point that should hold" },
    rows = { 4000, about = "observations of the network whose amplitudes are looked at" },
  },
}
local P = E.params
local w = shapes.weights("bimodal", P.n, P.floor)
local q = ves.release.analytic(w)

--- A matrix of equal rows, each of which learns by itself.
local function copies(v, n)
  local W = ves.matrix(n, #v)
  for i = 1, n do W[i] = v end
  return W
end

--- ## What theory says, measured
---
--- One iteration with step 1 puts the target itself in the amplitude's place. From a random state and from the
--- resting point: the mean of the target over $S_i$ [eq:amplitude-unbiased], and its squared deviation over the
--- variance that is predicted [eq:amplitude-variance], averaged over the synapses that learned.

local order, S = shapes.ranking(w), ves.release.amplitude_theory(w).amplitude
local function predicted(a)                                            -- sum of w_j (a_j - w_j) over weaker synapses
  local V, sum = ves.vector(#w), 0
  for r = #order, 1, -1 do
    local i = order[r]
    V[i], sum = sum, sum + w[i] * (a[i] - w[i])
  end
  return V
end
local states = { random = E.rng:stream("state"):uniform(P.n) * 0.9 + 0.1, rest = q }
local targets = E:replicate { name = "targets", n = 20, run = function(_, rng)
  local found = {}
  for name, start in pairs(states) do
    local learned, updates = ves.release.learn(copies(w, P.states // 20), { rule = "amplitude", rate = 1,
      iterations = 1, start = copies(start, P.states // 20), updates = true, rng = rng:stream(name) })
    local V, mean, square, varied = predicted(w / start), 0, 0, 0
    for i = 1, #w do
      local target = w[i] / learned:col(i):take(updates:col(i):above(0.5))
      mean = mean + target:mean() / S[i] / #w
      if V[i] > 0 then square, varied = square + ((target - S[i]) ^ 2):mean() / V[i], varied + 1 end
    end
    found[name] = { mean = mean, square = square / varied }
  end
  return found
end }
local function both(of) return stats.summary { targets:column("random." .. of), targets:column("rest." .. of) } end
E:own {
  kind = "mathematical", at = { "random", "rest" }, breaks = "amplitude=biased",
  { id = "amplitude-target-mean", proof = "prop:unbiased", criterion = is.each(is.same(1, margins.direction)),
    says = "In every state the target's mean is the weight and all weaker weights.", value = both "mean",
    quantity = "mean target over S_i, mean over synapses" },
  { id = "amplitude-target-variance", proof = "prop:variance", criterion = is.each(is.same(1, margins.closely)),
    says = "The target's variance is the sum of w_j (a_j - w_j) over weaker synapses.", value = both "square",
    quantity = "mean squared deviation of the target from S_i over the predicted variance, mean over synapses" },
}

--- ## Curves
---
--- The original's vector, from its start: the amplitude rule with step $1/k$ and with constant steps, by Algorithm
--- 2 and by Algorithm 1; the power rule as the original has it. Then the amplitude rule from other starts, and with
--- competition by amplitude, where the winner is the synapse of largest amplitude.

local ways = {
  average = { rule = "amplitude" }, even = { rule = "amplitude", start = P.even },
  first = { rule = "amplitude", algorithm = 1, start = P.even },
  constant = { rule = "amplitude", rate = P.power_rate }, coarse = { rule = "amplitude", rate = 0.04 },
  power = { rule = "power", psi = P.psi, rate = P.power_rate }, certain = { rule = "amplitude", start = 1 },
  small = { rule = "amplitude", start = P.small }, amplitude_order = { rule = "amplitude", order = "amplitude" },
}
local names = { "average", "even", "first", "constant", "coarse", "power", "certain", "small", "amplitude_order" }
local points, step, at = {}, 10, 1
while at * step <= P.long do
  points[#points + 1] = math.floor(at)
  at = math.max(at * 1.25, at + 1)
end
local function at_point(time)
  for i, k in ipairs(points) do if k * step >= time then return i end end
end
local ten = at_point(P.iterations)
local function tv_by_weight(now) return shapes.distance(w, now) end
local function tv_by_amplitude(now)                                     -- competition by amplitude, w still encoded
  return ves.score.total_variation(shapes.winners(w / now, now), w)
end

--- Early on, the squared relative error of an amplitude after k updates, times 2k: at most 1 with the weaker ones
--- at rest.
local function bound_share(o, rng)
  local now, k = ves.release.learn(copies(w, P.beside), { rule = "amplitude", algorithm = o.algorithm, rate = o.rate,
    order = o.order, start = o.start, iterations = P.early, updates = true, rng = rng })
  return stats.collect(P.beside, function(r)
    return 2 * ((w / now[r] / S - 1) ^ 2 * k[r]):mean()
  end)
end

--- Runs that learn side by side are rows of one matrix. They learn from one point of the curves to the next, and go
--- on from there.
local function follow(way, tv, rng)
  local W, done, found, o = copies(w, P.beside), 0, ves.matrix(P.beside, #points), { rng = rng }
  for key, value in next, way do o[key] = value end
  o.updates = way.rule == "amplitude" or nil
  local function go_on(to)
    o.iterations, done = to - done, to
    o.start, o.updates = ves.release.learn(W, o)
    return o.start
  end
  for i, k in ipairs(points) do
    local now = go_on(k * step)
    for r = 1, P.beside do found:set(r, i, tv(now:row(r):copy())) end
  end
  return found, done < P.long and go_on(P.long) or o.start
end

local batches = E:replicate { name = "curves", n = P.replicates // P.beside, run = function(_, rng)
  local found = {}
  for _, name in ipairs(names) do
    local tv, last = follow(ways[name], name == "amplitude_order" and tv_by_amplitude or tv_by_weight, rng:stream(name))
    found[name] = { tv = tv }
    if name ~= "power" then found[name].off = bound_share(ways[name], rng:stream("early", name)) end
    if name == "first" or name == "even" then
      found[name].bound = stats.collect(P.beside, function(r)
        return ves.release.amplitude_theory(w, { q = last:row(r):copy() }).distance
      end)
    end
  end
  return found
end }
local read = {}                                           -- once: each is a text to be read
for b = 1, #batches do read[b] = batches[b] end
local function runs(way, of)                              -- a row, or a number, for each run
  return stats.collect(#batches * P.beside, function(i)
    local one, r = read[(i - 1) // P.beside + 1][way][of], (i - 1) % P.beside + 1
    return of == "tv" and one:row(r):copy() or one[r]
  end)
end
local times, curve_rows = ves.vector(points) * step, {}
for i, name in ipairs(names) do
  local tv = stats.summary(runs(name, "tv"))
  curve_rows[i] = { name, times, tv.value, tv.se, tv.lo, tv.hi }
end
local theory = { ves.release.amplitude_theory(w, { algorithm = 1 }).rate, ves.release.amplitude_theory(w).rate }
E:table("curves", { { "way", "rule, step, start and order" }, { "iterations", "so far" },
  { "tv", "total variation of winners from encoded, mean" }, { "tv_se", "its standard error" },
  { "lo", "2.5% quantile of runs" }, { "hi", "97.5% quantile" } }, curve_rows)
E:table("theory", { { "iterations", times }, { "first", "asymptotic bound, Algorithm 1", theory[1] / times ^ 0.5 },
  { "second", "Algorithm 2", theory[2] / times ^ 0.5 },
  { "counted", "an observer who counts as many draws", (w ^ 0.5):sum() / (2 * math.pi * times) ^ 0.5 } })

local scaled = { runs("first", "bound") * (P.long ^ 0.5 / theory[1]),
                 runs("even", "bound") * (P.long ^ 0.5 / theory[2]) }
local off = stats.summary { runs("certain", "off"), runs("average", "off") }
E:number({ "AmplitudeBoundCertain", "AmplitudeBoundStart" }, off)
E:number("AmplitudeBoundSmall", stats.summary(runs("small", "off")))
E:own {
  kind = "empirical",
  { id = "amplitude-rate", proof = "thm:rate", looked = true, at = { 1, 2 }, breaks = "amplitude=biased",
    says = "The bound on the winner's distance falls as the theorem's constant over the root of the iterations.",
    quantity = "bound on the total variation after the last iteration, times root T, over the theorem's constant",
    criterion = is.each(is.same(1, margins.closely)), value = stats.summary(scaled) },
  { id = "amplitude-error-bound", at = { 1, 0.3 }, breaks = "amplitude=biased", value = off, looked = true,
    says = "After k updates the squared relative error of an amplitude is at most 1/(2k).",
    quantity = "2k times the squared relative error of an amplitude after 1,000 iterations, mean over synapses, runs",
    criterion = is.each(is.less(1)) },
  { id = "amplitude-error-bound-small", value = stats.summary(runs("small", "off")), breaks = "amplitude=mapping",
    looked = true,
    says = "The bound on an amplitude's error needs the weaker synapses at rest: after a start at tiny releases the "
      .. "error is larger.",
    quantity = "2k times the squared relative error of an amplitude, after 1,000 iterations from a start at 0.01",
    criterion = is.more(1) },
}

--- ## Orders
---
--- Any order of the synapses has its own mapping. From the resting point of a random order, with many updates
--- behind it and competition by amplitude, learning should stay in that order.

local held = E:replicate { name = "held", n = P.replicates, run = function(_, rng)
  local a, sum = ves.vector(P.n), 0
  for _, i in pairs(rng:stream("order"):uniform(P.n):order()) do
    sum = sum + w[i]
    a[i] = sum
  end
  local now = ves.release.learn(w, { rule = "amplitude", order = "amplitude", start = w / a, iterations = P.iterations,
    updates = ves.vector(P.n, P.held), rng = rng:stream("learn") })
  return { tv = tv_by_amplitude(now), by_weight = tv_by_weight(now), kept = stats.rank_correlation(a, w / now) }
end }
local last = { order = runs("amplitude_order", "tv"), weight = runs("average", "tv") }
E:number("OrderHeldTv", stats.summary(held:column("tv")))
E:number("OrderHeldByWeight", stats.summary(held:column("by_weight")))
E:own {
  kind = "empirical",
  { id = "any-order-rests", says = "The resting point of a random order holds if competition is by amplitude.",
    quantity = "rank correlation of amplitudes before and after 10,000 iterations", breaks = "amplitude=mapping",
    criterion = is.more(margins.correlated), value = stats.summary(held:column("kept")) },
  { id = "any-order-samples",
    says = "At the resting point of a random order winners by amplitude are distributed as encoded.",
    quantity = "total variation of winners by amplitude", criterion = is.below(margins.very_closely),
    value = stats.summary(held:column("tv")), breaks = "amplitude=biased" },
  { id = "order-must-compete",
    says = "At the resting point of a random order winners by weight are not distributed as encoded.",
    quantity = "total variation of winners by weight from encoded, releases of a random order",
    criterion = is.more(margins.closely),
    value = stats.summary(held:column("by_weight")), breaks = "amplitude=mapping" },
  { id = "order-found", says = "Learning without knowing the order of weights costs nothing.",
    quantity = "total variation after 10,000 iterations, order by amplitude over order by weight",
    criterion = is.within(margins.roughly), breaks = "amplitude.order=biased",
    value = stats.jackknife(function(a, b) return a[ten] / b[ten] end, last.order, last.weight) },
}

--- ## Where it is worse
---
--- Four places where one may expect it: a constant step, early on; a start at certain release, whose very
--- first draw teaches every synapse its resting point exactly (all transmit, and targets do not vary) and whose
--- second draw begins to spoil it; a start at tiny releases; and amplitudes above 1, the original's bound of what a
--- synapse sends.

local once = shapes.distance(w, (ves.release.learn(w, { rule = "amplitude", start = 1, iterations = 1,
  rng = E.rng:stream("once") })))
local early = at_point(P.early)
local function over(a, b, i)
  return stats.jackknife(function(x, y) return x[i] / y[i] end, runs(a, "tv"), runs(b, "tv"))
end
local code, model = models.code(), models.simple()
local net = ves.network { input = code, output = code, rng = E.rng:stream("network") }
for _, x in ipairs(model.inputs) do
  local ys = E.rng:stream("data", x):normal(0, model.sd(x), P.rows // #model.inputs)
  net:observe(ves.vector(#ys, x), ys)
end
local W = net:weights()
local row_sums = stats.collect(W.rows, function(i)
  return ves.release.amplitude_theory(W:row(i):copy()).amplitude:max()
end)
E:number("AmplitudeRowSum", stats.summary(row_sums))
E:number("AmplitudeEarly", over("constant", "power", early))
E:number("AmplitudeLate", over("constant", "power", #points))
E:number("AmplitudeSmallStart", over("small", "even", early))
E:number("AmplitudeSpoiled", stats.summary(runs("certain", "tv"):col(1)))
E:number({ "AmplitudeTv", "AmplitudePowerTv" },
  stats.summary { runs("average", "tv"):col(ten), runs("power", "tv"):col(ten) })
E:own {
  { id = "amplitude-one-volley", kind = "mathematical", proof = "prop:variance", criterion = is.exact(),
    says = "From a start at certain release one iteration of Algorithm 2 teaches the mapping exactly.",
    quantity = "total variation of winners from encoded after one iteration", value = { once, exact = true },
    breaks = "amplitude=biased" },
  { id = "amplitude-spoiled", kind = "empirical", breaks = "amplitude=mapping", criterion = is.more(margins.direction),
    says = "After a start at certain release the second and later iterations spoil what the first has taught.",
    quantity = "total variation after ten iterations", value = stats.summary(runs("certain", "tv"):col(1)) },
  { id = "amplitude-constant-early", kind = "empirical", breaks = "amplitude=uniform",
    says = "At the original's constant step the amplitude rule is behind the power rule after 1,000 iterations.",
    quantity = "total variation over the power rule's, both at the original's rate",
    criterion = is.more(1, margins.differs), value = over("constant", "power", early),
    note = "expected, and not found: it is ahead; the power rule passes it for a while later" },
  { id = "amplitude-small-start", kind = "empirical", breaks = "amplitude=mapping", looked = true,
    says = "A start at tiny releases is behind a start at 0.3 after 1,000 iterations.",
    quantity = "total variation from a start at 0.01 over that from a start at 0.3",
    criterion = is.more(1, margins.differs), value = over("small", "even", early),
    note = "after 10,000 iterations, where we had expected it, it no longer is" },
  { id = "amplitude-above-one", kind = "empirical", breaks = "amplitude=unit",
    says = "A trained network's largest amplitudes, the sums of its rows, are above 1.",
    quantity = "largest amplitude of a row, mean over the rows of a network trained on the first data model",
    criterion = is.more(1, margins.differs), value = stats.summary(row_sums) },
}

E:finish()
