--- # Details of learning
---
--- Sentences about local learning that the original states in passing, each with its own small experiment: what a
--- synapse can know, whether the resting point has a formula, the lower bound of a release, and the power of four. What
--- it says of noise is in `13_learning_noise`, of trained networks in `13_trained_networks`.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local rules = require "vesicle.model.rules"
local shapes = require "vesicle.model.shapes"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "13_learning_details", title = "Locality, explicit rest, lower bounds, the power of four",
  params = {
    n = { 50, range = { 5, 500 }, about = "weights of the bimodal vector" },
    pedestal = { 0.01, about = "its least weight, as a share of its maximum" },
    rate = { 0.0025, range = { 1e-4, 0.2 }, about = "gamma" },
    psi = { 7.0, range = { 1, 20 }, about = "exponent of the power rule" },
    subtract = { 0.35, range = { 0, 0.9 }, about = "constant of the subtractive rule" },
    floors = { { 0, 1e-4, 1e-3, 1e-2 }, about = "lower bounds of the releases" },
    evidence = { 50.0, range = { 1, 1e6 }, about = "A + B of a row that has seen few data" },
    network_psi = { 8.0, range = { 1, 20 }, about = "exponent of the power rule in the network simulations" },
    network_rate = { 0.01, range = { 1e-4, 0.2 }, about = "gamma there" },
    network_iterations = { 5000, about = "samples to learn from there" },
    silenced = { 0.2, about = "share of the synapses started at the lower bound" },
    floor_replicates = { 8, quick = 2, about = "runs for each lower bound" },
    floor_iterations = { 512000, quick = 128000, about = "their samples" },
    dead_iterations = { 40000, about = "samples of the subtractive rule on equal weights" },
    psi_four = { 4.0, about = "the exponent of four" },
    four_sizes = { { 10, 15, 20, 25, 30, 35, 40, 45, 50 }, about = "numbers of outputs it should suit" },
  },
}
local P = E.params

local w = shapes.weights("bimodal", P.n, P.pedestal)

--- ## What a synapse can know
---
--- Learning is to use only what is available locally: what transmitted together with a synapse. Three synapses that
--- transmit learn once beside three that are silent, whose weights are small and then large. A rank among all weights
--- is not local: a silent synapse that grows strong changes it.

local function updated(rule, silent)
  return ves.release.learn({ 0.3, 0.2, 0.1, silent, silent / 2, silent / 3 }, { rule = rule, rate = P.rate, floor = 0,
    start = { 1, 1, 1, 0, 0, 0 }, iterations = 1, rng = E.rng:stream("local") }):slice(1, 3)
end
local function change_of(names)
  return stats.collect(names, function(rule) return (updated(rule, 0.05) - updated(rule, 0.25)):abs():max() end)
end
local figure_rules = { "raw", "subtract", "rescale", "power", "variable" }
E:statement {
  id = "constraint-local", where = "Theoretical model, constraint (4)", kind = "mathematical", looked = true,
  says = "Learning uses only what is available locally: what transmitted with a synapse.",
  quantity = "largest change of a transmitting synapse's update when only silent synapses change their weights",
  at = figure_rules, criterion = is.each(is.exact()), breaks = "release.learn=raw",
  cells = { printed = { change_of(figure_rules), exact = true,
                        beside = { ["subset and expected"] = change_of { "subset", "expected" } } } },
  further = { { reading = "the rule of the network simulations, a fixed exponent", change_of({ "power" })[1],
                exact = true, criterion = is.exact() } },
  note = "rescaling and the variable exponent, which need a rank, are of the comparison of rules alone",
}

--- ## What learning leaves out
---
--- Complete inference is said to use *only* locally learned failure rates. The learned release is a function of the
--- weights: it is the same for a weight that a few rows have made and for one that thousands have. Epistemic
--- uncertainty is in the other factor, $\Phi$ [eq:beta2dropoutvar], which no rule of the original learns. We multiply
--- the evidence of a row by a hundred, so that its mean weights stay and their variances fall as the Beta distribution
--- has it. By what share of that fall, in logarithms, falls the variance of a failing synapse, $(1-q)/q$ times the
--- squared weight, with the learned release, and with $\Phi$? The latter could be had where the synapse is: it is
--- $(A + w)/(A + 1)$, of counts of its own.

local counted, times = w / w:sum() * P.evidence, 100
local function failing(release) return (1 / release - 1):log() end
local function share_of_fall(release_of)
  local few, many = release_of(counted, P.evidence), release_of(counted * times, P.evidence * times)
  local fall = (P.evidence + 1) / (times * P.evidence + 1)   -- of the variance w (1 - w) / (A + B + 1)
  return ((failing(many) - failing(few)) / math.log(fall)):mean()
end
local function learned_release(A, n)
  return ves.release.learn(A / n, { rule = "power", psi = P.network_psi, rate = P.network_rate,
    iterations = P.network_iterations, rng = E.rng:stream("complete") })
end
local function epistemic_release(root)
  return function(A, n)
    return ves.release.epistemic(ves.matrix { A }, ves.matrix { n - A }, root):row(1):copy()
  end
end
local fall_of = "fall of a failing synapse's log variance over that of its Beta variance, 100 times the evidence: "
E:statement {
  id = "only-locally-learned", where = "Abstract; Introduction; Conclusion", kind = "empirical", looked = true,
  says = "Complete inference, of data and of parameters, uses only locally learned failure rates.",
  quantity = fall_of .. "release learned by the printed rule", criterion = is.within(margins.closely),
  breaks = "epistemic=half",
  cells = { printed = { share_of_fall(learned_release), exact = true } },
  further = {
    { reading = "counting at the synapse taken for learning", share_of_fall(epistemic_release "exact"), exact = true,
      quantity = fall_of .. "exact Phi" },
    { reading = "counting at the synapse taken for learning, printed root", exact = true,
      share_of_fall(epistemic_release "printed"), quantity = fall_of .. "printed Phi" } },
  note = "one of the two factors of a release is learned; the other is computed from A and B, which a synapse could "
    .. "count itself, so that it is local, but no rule of the original learns it",
}

--- ## Where learning rests, explicitly
---
--- Has the recurrence "no explicit form for its equilibrium state"? Five of the rules have a finite one: from the
--- weakest synapse up, the mean of the target over all subsets of weaker synapses, whose releases are known.

local targets = {
  raw = function(g) return g end, subtract = function(g) return g - P.subtract end,
  rescale = function(g, size, most) return g * size / most end, power = function(g) return g ^ P.psi end,
  subset = function(g, size) return g ^ size end,
}
local explicit = { "raw", "subtract", "rescale", "power", "subset" }
local dozen = -(-shapes.weights("bimodal", 12, P.pedestal)):sort()
local function recursion(target)
  local n, release = #dozen, {}
  for i = n, 1, -1 do
    local function mean(j, sum, size)
      if j > n then return target(dozen[i] / sum, size, n - i + 1) end
      return (1 - release[j]) * mean(j + 1, sum, size) + release[j] * mean(j + 1, sum + dozen[j], size + 1)
    end
    release[i] = math.max(1e-4, mean(i + 1, dozen[i], 1))
  end
  return ves.vector(release)
end
--- Where a target depends on the synapse's own release too, this does not give it: the release stands on both sides.
--- By how much does the mean of the target move when the own release alone moves?

local own_targets = {
  power = function(g) return g ^ P.psi end, variable = function(g, most, own) return g ^ ((most - 1) * own + 1) end,
}
local function moves(rule)
  local n, rest, most = #dozen, ves.release.equilibrium(dozen, rules.options(rule, P)), 0.0
  for i = 1, n do
    local function mean(own, j, sum)
      if j > n then return own_targets[rule](dozen[i] / sum, n - i + 1, own) end
      return (1 - rest[j]) * mean(own, j + 1, sum) + rest[j] * mean(own, j + 1, sum + dozen[j])
    end
    most = math.max(most, math.abs(mean(1.01 * rest[i], i + 1, dozen[i]) - mean(rest[i], i + 1, dozen[i])))
  end
  return most
end
E:statement {
  id = "equilibrium-no-explicit", where = "Local learning rules", kind = "mathematical", looked = true,
  says = "The recurrence has no explicit form for its equilibrium state.", at = explicit,
  quantity = "largest difference between a finite recursion over subsets and the resting point, 12 weights",
  criterion = is.each(is.above(margins.exact)), breaks = "release.equilibrium=halved",
  cells = { printed = { exact = true, stats.collect(explicit, function(rule)
    return (recursion(targets[rule]) - ves.release.equilibrium(dozen, rules.options(rule, P))):abs():max()
  end) } },
  further = { { reading = "the variable exponent", moves "variable", exact = true, criterion = is.above(margins.exact),
                beside = { ["constant exponent"] = moves "power" },
                quantity = "largest change of a mean target if its synapse's release alone rises by 1%, 12 weights" } },
  note = "as printed the finite form counts as explicit, though its sum is over 2^(n-i) subsets; of the variable and "
    .. "the expected exponent the release stands on both sides of the equation",
}

--- ## A true zero is the end of a synapse
---
--- A release of exactly zero never transmits, and what does not transmit does not learn. We start the power rule
--- [eq:target-power] at its fixed point, silence a fifth of the synapses down to the lower bound, and count how many
--- come back to half of their proper release.

local settled = ves.release.equilibrium(w, { rule = "power", psi = P.psi, floor = 0 })
local checkpoints = { 500 }
while 2 * checkpoints[#checkpoints] <= P.floor_iterations do
  checkpoints[#checkpoints + 1] = 2 * checkpoints[#checkpoints]
end

local floors = E:replicate { name = "floors", n = P.floor_replicates, run = function(_, rng)
  local chosen = rng:stream("silenced"):permutation(P.n):slice(1, math.floor(P.silenced * P.n))
  local alone = ves.release.learn(shapes.weights("uniform", P.n, 0), { rule = "subtract", subtract = P.subtract,
    rate = P.rate, floor = 0, iterations = P.dead_iterations, rng = rng:stream("alone") })
  local result = { dead = alone:map(function(x) return x == 0 and 1 or 0 end):mean() }
  for f, floor in ipairs(P.floors) do
    local start = settled:copy()
    for _, j in pairs(chosen) do start[j] = floor end
    local _, trace = ves.release.learn(w, { rule = "power", psi = P.psi, rate = P.rate, floor = floor, start = start,
      iterations = P.floor_iterations, trace = checkpoints[1], rng = rng:stream("floor") })
    result[f] = stats.collect(checkpoints, function(t)
      local now = trace:row(t // checkpoints[1]):copy()
      local still_silent = now:take(chosen):less(settled:take(chosen) / 2)
      return { back = (#chosen - still_silent:sum()) / #chosen, tv = shapes.distance(w, now) }
    end)
  end
  return result
end }

local floor_rows = {}
for f, floor in ipairs(P.floors) do
  local back, tv = stats.summary(floors:column(f .. ".back")), stats.summary(floors:column(f .. ".tv"))
  floor_rows[f] = { floor, checkpoints, back.value, back.min, back.max, tv.value, tv.min, tv.max }
end
E:table("floors", { { "floor", "lower bound of the releases" }, { "iterations", "samples so far" },
  { "back", "share of the silenced synapses back at half their fixed point, mean" },
  { "back_lo", "least of the replicates" }, { "back_hi", "largest of the replicates" },
  { "tv", "total variation of winners from encoded, mean" }, { "tv_lo", "least of the replicates" },
  { "tv_hi", "largest of the replicates" } }, floor_rows)
E:statements {
  where = "Local learning rules, Algorithms",
  { id = "floor-zero-kills", kind = "definition",
    says = "A true zero eliminates a synapse from all further learning." },
  { id = "floor-preferable", kind = "empirical", says = "A small, non-zero lower bound is preferable.",
    quantity = "total variation of winners at the last sample after a fifth of the synapses were silenced, bound 0 "
      .. "less bound 0.0001", criterion = is.more(0, margins.negligible), breaks = "learn.floor=0.01",
    cells = { printed = stats.summary(floors:column("1.tv") - floors:column("2.tv"))[#checkpoints] } },
}

--- A power of a share is positive, so the exponent rules never reach zero by themselves. A subtracted constant does,
--- where the share stays below it: for equal weights.

E:number("DeadShare", stats.summary(floors:column("dead")))

--- ## The power of four
---
--- "A power of four is suitable for an accurate distribution over an output layer represented by 10-50 neurons."
--- Suitable by the winners it settles at, and by the error that Appendix B minimises.

local four_rows, worst = {}, {}
for k, shape in ipairs(shapes.names) do
  local tv = stats.collect(P.four_sizes, function(n)
    local weights = shapes.weights(shape, n, P.pedestal)
    return shapes.distance(weights, ves.release.equilibrium(weights, { rule = "power", psi = P.psi_four }))
  end)
  four_rows[k], worst[shape] = { shape, P.four_sizes, tv }, tv:max()
end
E:table("four", { { "shape", "of the weights" }, { "n", "outputs" },
  { "tv", "total variation of winners from encoded at the fixed point, exponent 4" } }, four_rows)
local function optima(top)
  local sizes = P.four_sizes
  return { ves.exponent.optimal(math.tointeger(sizes[1]), { top = top }),
           (ves.exponent.optimal(math.tointeger(sizes[#sizes]), { top = top })) }
end
local best, about_four = "best exponents for equal weights", is.each(is.within(margins.roughly, { of = P.psi_four }))
E:statement {
  id = "psi-four-10-50", says = "A power of four suits output layers of 10 to 50 neurons.",
  where = "Discussion, Biological plausibility", kind = "empirical", breaks = "release.equilibrium=analytic",
  quantity = "worst total variation of winners at rest over sizes, two bells", criterion = is.below(margins.closely),
  cells = { printed = { worst.bimodal, exact = true, drives = "the shape of the weights" } },
  further = {
    { reading = "equal weights", worst.uniform, exact = true,
      quantity = "worst total variation of winners at rest over sizes, equal weights" },
    { reading = "best exponent by Appendix B's error, all ranks", optima(1), quantity = best, criterion = about_four,
      at = { "n=10", "n=50" }, exact = true },
    { reading = "best exponent by Appendix B's error, larger half", optima(0.5), quantity = best,
      criterion = about_four, at = { "n=10", "n=50" }, exact = true } },
}

E:finish()
