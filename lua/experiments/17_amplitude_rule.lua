--- # The amplitude rule
---
--- Nothing in this chapter is in the original. Its learning rules compare *weights* that transmitted with weights that
--- might have, find too little, and bring the share down by a constant or an exponent that suits one number of
--- synapses. The rule of this chapter needs neither. A synapse has an amplitude $a_i \ge w_i$, releases with
--- $q_i = w_i / a_i$ and transmits $a_i$ when it does. When it learns it moves toward what it and the weaker ones
--- amount to,
--- $$a_i \leftarrow a_i + \gamma\,\left(w_i + \sum_{j > i} a_j M_j - a_i\right), \qquad\text{[eq:amplitude]}$$
--- with step $\gamma = 1/k$ at its $k$-th update, or a constant one. The target has the mean $S_i = \sum_{j \ge i} w_j$
--- whatever the others have learned [eq:amplitude-unbiased], so that $q_i \to w_i/S_i$, the mapping [eq:mapping].
---
--- We put it on the original's own ground: its start $N(0.3, 0.1)$, its 10,000 iterations, and rivals that have the
--- exponent and the rate that turn out best for each single case. All distances are total variations of the exact
--- distribution of winners [eq:winner], so that the only randomness is that of learning. How the rule learns in time,
--- and where it is worse, is in `17_amplitude_theory`.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local shapes = require "vesicle.model.shapes"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "17_amplitude_rule", title = "A local rule without bias",
  params = {
    floor = { 0.01, range = { 1e-4, 0.5 }, about = "pedestal of the weights, as a share of their maximum" },
    iterations = { 10000, about = "the original's samples to learn from" },
    sizes = { { 10, 30, 100, 300, 1000 }, quick = { 10, 100 }, about = "sizes of the comparison" },
    exponents = { { 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 28, 40, 60, 90, 130, 200, 300, 450, 680, 1000 },
                  about = "exponents the power rule may choose from" },
    begin = { { 8, 450 }, about = "exponents at which its search begins" },
    rate = { 0.01, range = { 1e-4, 0.2 }, about = "rate at which every search begins" },
    finest = { 0.25, about = "its last step: the rate's factor is 2 to this power" },
    promising = { 1.25, about = "times the best, at which it still goes on in smaller steps" },
    tries = { 400, about = "synapses that a search looks at, in one run or several" },
    runs = { 6, quick = 4, about = "runs of each rule in each case" },
    even = { 0.3, range = { 0.01, 1 }, about = "one release to start from, the original's mean" },
  },
}
local P = E.params

--- A matrix of equal rows, each of which learns by itself.
local function copies(v, n)
  local W = ves.matrix(n, #v)
  for i = 1, n do W[i] = v end
  return W
end
local function distances(v, Q)
  return stats.collect(Q.rows, function(i) return shapes.distance(v, Q:row(i):copy()) end)
end

--- ## Against every rule of the original, each at its best
---
--- Four shapes, sizes from 10 to 1,000. Each rule of the original takes the rate that leaves it nearest to the
--- encoded distribution after the last iteration, the power rule its exponent too: chosen in hindsight, case by
--- case, from runs that are then judged, which flatters it. The amplitude rule has nothing to choose.

local rules = { "raw", "subtract", "rescale", "power", "variable", "subset", "expected" }
local cases, case_names = {}, {}
for _, shape in ipairs(shapes.names) do
  for _, n in ipairs(P.sizes) do
    cases[#cases + 1] = { shape = shape, n = math.tointeger(n) }
    case_names[#cases] = string.format("%s-%d", shape, n)
  end
end

--- The search goes to the best of the nearest neighbours, in exponent and rate, until none is better. It begins at the
--- original's exponent and at an extreme one; where it is near the best it goes on in smaller steps of the rate.
--- So no rate that is chosen is the end of a list. Exponents have a limit: no share but that of a subset's weakest,
--- which is 1, exceeds 0.99 here, so that beyond some hundred the target is 1 or 0 and a larger one changes nothing.

local function search(v, rule, rng)
  local known, exponents = {}, rule == "power" and P.exponents or { 0 }
  local tries = math.max(1, math.min(P.runs, P.tries // #v))
  local function learn(k, log_rate, runs)
    local psi, rate = exponents[k], P.rate * 2 ^ log_rate
    return distances(v, ves.release.learn(copies(v, runs), { rule = rule, rate = rate,
      psi = rule == "power" and psi or nil, iterations = P.iterations, rng = rng:stream(rule, psi, rate) }))
  end
  local function off(k, log_rate)
    if not exponents[k] or P.rate * 2 ^ log_rate > 1 then return math.huge end
    local at = string.format("%d %g", k, log_rate)
    known[at] = known[at] or learn(k, log_rate, tries)
    return known[at]:mean(), known[at]
  end
  local function descend(k, log_rate, step, finest)
    while step >= finest do
      local to_k, to_rate = k, log_rate
      for dk = -1, 1 do
        for dr = -1, 1 do
          local next_rate = log_rate + dr * step
          if off(k + dk, next_rate) < off(to_k, to_rate) then to_k, to_rate = k + dk, next_rate end
        end
      end
      if to_k == k and to_rate == log_rate then step = step / 2 end
      k, log_rate = to_k, to_rate
    end
    return k, log_rate
  end
  local ends, best_k, best_rate, least = {}, nil, nil, math.huge
  for k, psi in ipairs(exponents) do
    for _, begin in ipairs(rule == "power" and P.begin or exponents) do
      if begin == psi then
        local at_k, at_rate = descend(k, 0.0, 1.0, 1.0)
        ends[#ends + 1], least = { at_k, at_rate }, math.min(least, (off(at_k, at_rate)))
      end
    end
  end
  for _, at in ipairs(ends) do
    if off(at[1], at[2]) <= P.promising * least then
      local at_k, at_rate = descend(at[1], at[2], 0.5, P.finest)
      if not best_k or off(at_k, at_rate) < off(best_k, best_rate) then best_k, best_rate = at_k, at_rate end
    end
  end
  local _, tv = off(best_k, best_rate)                  -- of all runs, if the search looked at as many
  return { tv = tries == P.runs and tv or learn(best_k, best_rate, P.runs), psi = exponents[best_k],
           rate = P.rate * 2 ^ best_rate }
end

local grid = E:replicate { name = "grid", n = #cases, run = function(i, rng)
  local v, found = shapes.weights(cases[i].shape, cases[i].n, P.floor), {}
  for name, start in pairs { amplitude = false, even = P.even } do
    found[name] = { tv = distances(v, ves.release.learn(copies(v, P.runs), { rule = "amplitude", start = start or nil,
      iterations = P.iterations, rng = rng:stream(name) })) }
  end
  for _, rule in ipairs(rules) do found[rule] = search(v, rule, rng) end
  return found
end }
local tv_of, rows = {}, {}                              -- of each rule: one row for each run, one column for each case
for _, rule in ipairs { "amplitude", "even", table.unpack(rules) } do
  tv_of[rule] = grid:column(rule .. ".tv"):transpose()
  local tv, none = stats.summary(tv_of[rule]), rule == "amplitude" or rule == "even"
  for i, c in ipairs(cases) do
    rows[#rows + 1] = { c.shape, c.n, rule, tv[i], none and 0 or grid[i][rule].psi, none and 0 or grid[i][rule].rate }
  end
end
E:table("grid", { { "shape", "of the weights" }, { "n", "weights" },
  { "rule", "of learning; even: the amplitude rule, all releases starting at 0.3" },
  { "tv", "total variation of winners from encoded after the last iteration, mean" }, { "tv_se", "its standard error" },
  { "psi", "exponent chosen in hindsight; 0: none" }, { "rate", "rate chosen in hindsight; 0: step 1/k" } }, rows)

--- On equal weights the original's rescaling is exact: $g\,|\mathbf s|/(n-i+1) = 1/(n-i+1)$ whatever transmits.
--- There its targets do not vary, and the comparison with the best of all rules is over the other shapes.

local function pick(M, keep)
  local columns = stats.collect(keep, function(i) return M:col(math.tointeger(i)):copy() end)
  return columns:transpose()
end
local equal, unequal, unequal_names = {}, {}, {}
for i, c in ipairs(cases) do table.insert(c.shape == "uniform" and equal or unequal, i) end
for k, i in ipairs(unequal) do unequal_names[k] = case_names[i] end
local function least(...)
  local lowest = select(1, ...):copy()
  for i = 1, #lowest do for _, m in ipairs { ... } do lowest[i] = math.min(lowest[i], m[i]) end end
  return lowest
end
local function over_best(which, keep)
  local rivals = {}
  for k, rule in ipairs(rules) do rivals[k] = pick(tv_of[rule], keep) end
  local ours = pick(tv_of[which], keep)
  return stats.jackknife(function(m, ...) return m / least(...) end, ours, table.unpack(rivals))
end
local over_power, even_power = stats.ratios(tv_of.amplitude, tv_of.power), stats.ratios(tv_of.even, tv_of.power)
local over_all, even_all = over_best("amplitude", unequal), over_best("even", unequal)
local rescaled = stats.collect(equal, function(i)
  local v = ves.vector(cases[math.tointeger(i)].n, 1)
  return shapes.distance(v, ves.release.equilibrium(v, { rule = "rescale" }))
end)
E:table("against", { { "shape", stats.collect(cases, function(c) return { s = c.shape } end).s },
  { "n", stats.collect(cases, function(c) return c.n end) },
  { "ratio", "total variation over that of the power rule, best exponent and rate", over_power.value },
  { "se", over_power.se }, { "even", "the same, all releases starting at 0.3", even_power.value },
  { "even_se", even_power.se } })
E:number("AmplitudeEvenWorst", even_power[even_power.value:argmax()])
local psi_chosen = stats.collect(#cases, function(i) return grid[i].power.psi end)
E:number("AmplitudePsiLeast", psi_chosen:min())
E:number("AmplitudePsiMost", psi_chosen:max())
E:own {
  kind = "empirical", criterion = is.each(is.less(1, margins.differs)), breaks = "amplitude=power",
  { id = "amplitude-beats-power", at = case_names, value = over_power, looked = true,
    note = "its exponents and rates were extended three times after a look, in its favour; the largest is a limit",
    says = "After 10,000 iterations the amplitude rule is nearer than the power rule with its best exponent and rate.",
    quantity = "total variation of winners over the power rule's, exponent and rate best in hindsight in each case",
    further = { { reading = "all releases start at 0.3", even_power } } },
  { id = "amplitude-beats-all", at = unequal_names, breaks = "amplitude=mapping", value = over_all, looked = true,
    says = "Unless weights are equal, the amplitude rule is nearer than every rule of the original, each at its best.",
    quantity = "total variation of winners over the least of seven rules, each best in hindsight in each case",
    further = { { reading = "all releases start at 0.3", even_all } } },
  { id = "rescaling-exact-equal", kind = "mathematical", looked = true, criterion = is.each(is.exact()),
    at = stats.collect(equal, function(i) return { name = case_names[math.tointeger(i)] } end).name,
    says = "On equal weights the original's rescaling rests at the mapping too, and its targets do not vary.",
    quantity = "total variation of winners from encoded at the resting point of the rescaling rule",
    value = { rescaled, exact = true }, breaks = "release.equilibrium=halved" },
}

--- ## Where the rules rest
---
--- The mean motion of each rule has a resting point [app:equilibrium]. For the power rule we take the exponent
--- whose resting point is best.

local rest = E:replicate { name = "rest", n = #cases, run = function(i)
  local c, best = cases[i], math.huge
  local v = shapes.weights(c.shape, c.n, P.floor)
  for k = 0, 30 do
    local psi = 1 + k + (k / 10) ^ 3                                    -- 1 to 58, closer together where it is small
    best = math.min(best, shapes.distance(v, ves.release.equilibrium(v, { rule = "power", psi = psi })))
  end
  return { power = best, amplitude = shapes.distance(v, ves.release.equilibrium(v, { rule = "amplitude" })) }
end }
rest = { power = rest:column("power"), amplitude = rest:column("amplitude") }
E:table("rest", { { "shape", stats.collect(cases, function(c) return { s = c.shape } end).s },
  { "n", stats.collect(cases, function(c) return c.n end) },
  { "amplitude", "total variation of winners from encoded at rest", rest.amplitude },
  { "power", "the same of the power rule, best exponent", rest.power } })
E:number("PowerRestLeast", rest.power:min())
E:number("PowerRestMost", rest.power:max())
E:own {
  kind = "mathematical", at = case_names,
  { id = "amplitude-rests-at-mapping", proof = "thm:amplitude", criterion = is.each(is.exact()),
    says = "The amplitude rule rests at the mapping.", value = { rest.amplitude, exact = true },
    quantity = "total variation of winners from encoded at the resting point", breaks = "release.equilibrium=halved" },
  { id = "no-exponent-rests-there", value = { rest.power, exact = true },
    criterion = is.each(is.above(margins.direction)),
    says = "No exponent makes the power rule rest where winners are distributed as encoded.",
    quantity = "least total variation at rest over exponents from 1 to 58", breaks = "release.equilibrium=analytic" },
}

E:finish()
