--- # Learning rules
---
--- The mapping from weights to releases, $q_i = w_i / \sum_{j \ge i} w_j$ over weights in descending order
--- [eq:mapping], asks a synapse to know everything weaker than itself. What it can know is what transmitted together
--- with it, the subset $\mathbf s_t$ of one sample. The original therefore lets each release drift toward a target,
--- $$\hat q_{i,t} = \hat q_{i,t-1} + \gamma\,(q^*_{i,t} - \hat q_{i,t-1}),$$
--- [eq:learningRule_form] whose raw form is the share $g = w_i / \sum_{j \in \mathbf s_t} w_j$ that synapse $i$ takes
--- of the transmitted weight. A sum over a subset is too small, so $g$ is too large, and the rules differ in how they
--- bring it down:
---
--- | rule | target | |
--- |---|---|---|
--- | raw | $g$ | [eq:target-raw] |
--- | subtract | $g - c$, $c = 0.35$ | [eq:target-subtract] |
--- | rescale | $g\,\lvert\mathbf s_t\rvert / (n-i+1)$ | [eq:target-rescale] |
--- | power | $g^\psi$, $\psi = 7$ | [eq:target-power] |
--- | variable | $g^{(n-i)\hat q_i + 1}$ | [eq:target-variable] |
--- | subset | $g^{\lvert\mathbf s_t\rvert}$ (Appendix B) | [eq:target-subset] |
--- | expected | $g^{\sqrt{\hat q_i}\,((n-i)\,\mathrm E[q_j] + 1)}$ (Appendix B) | [eq:target-expected] |
---
--- We ask of each rule where it takes the releases, in the original's 10,000 iterations and in the long run, and what
--- those releases do to the distribution of winners. The original drew samples; we compute the distribution exactly
--- [eq:winner], given that something transmits, so the only randomness here is that of learning itself.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local judge = require "vesicle.judge"
local margins = require "vesicle.margins"
local shapes = require "vesicle.model.shapes"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "05_learning_rules", title = "Seven targets for local learning of releases", figure = "fig:learningRules",
  params = {
    n = 50, floor = 0.01, replicates = 200, iterations = 10000, rate = 0.0025, psi = 7.0, subtract = 0.35,
    smallest = 0.1, tail = 0.1, sweep_n = { 10, 20, 50, 100, 200 }, sweep_replicates = 5,
    race_iterations = 2000000, race_replicates = 8,
  },
  quick = { replicates = 20, sweep_replicates = 2, race_iterations = 500000, race_replicates = 2 },
  about = {
    n = "weights of the bimodal vector", floor = "its pedestal, as a share of its maximum",
    replicates = "runs of each rule", iterations = "samples to learn from", rate = "gamma",
    psi = "exponent of the power rule", subtract = "constant of the subtractive rule",
    smallest = "share of the synapses called the smallest, or the largest",
    tail = "encoded probability of the weakest outputs, called the tails", sweep_n = "sizes of the sweep",
    sweep_replicates = "runs of each rule, shape and size in the sweep",
    race_iterations = "samples of the race between the algorithms", race_replicates = "races",
  },
}
local P = E.params

local rules = { "raw", "subtract", "rescale", "power", "variable", "subset", "expected" }

-- A parameter goes to the rule it belongs to and to no other.
local function with(rule, more)
  local o = { rule = rule, psi = rule == "power" and P.psi or nil, subtract = rule == "subtract" and P.subtract or nil }
  for key, value in next, more or {} do o[key] = value end
  return o
end

--- ## Learning
---
--- The original does not print its bimodal vector. Ours has two unequal bells over 50 outputs on a pedestal of 1% of
--- the maximum. Releases start at $N(0.3, 0.1)$ [eq:start] and learn by Algorithm 2 [alg:2], as printed.

local w = shapes.weights("bimodal", P.n, P.floor)
local order = shapes.ranking(w)
local q = ves.release.analytic(w)

local function learn(weights, rule, rng, more)
  local o = with(rule, { rate = P.rate, iterations = P.iterations, rng = rng })
  for key, value in next, more or {} do o[key] = value end
  return ves.release.learn(weights, o)
end

local runs = E:replicate { name = "rules", n = P.replicates, run = function(_, rng)
  local learned = {}
  for _, rule in ipairs(rules) do learned[rule] = learn(w, rule, rng:stream(rule)) end
  learned.over_subset = learn(w, "expected", rng:stream("expected"), { expected_over = "subset" })
  return learned
end }

--- The mean of the learning dynamics has a fixed point that needs no simulation [app:equilibrium]: the target of
--- synapse $i$ involves only weaker synapses, so it is solved from the weakest up. A synapse is updated only when it
--- transmits, hence a release that ought to be small is approached ever more slowly; the gap between the learned
--- release and the fixed point is what the original's number of iterations leaves undone.

local settled = {}
for _, rule in ipairs(rules) do settled[rule] = ves.release.equilibrium(w, with(rule)) end

--- How slowly: with targets in $[0, 1]$ a mean release obeys $dq/dt \ge -\gamma q^2$, so from the mean start $q_0$ it
--- cannot fall below $q_0 / (1 + \gamma q_0 T)$ in $T$ samples.

local mean_start = 0.3
E:number("ReachableFloor", mean_start / (1 + P.rate * mean_start * P.iterations), nil, { digits = 2 })

--- ## What to measure
---
--- The largest and the smallest weights are a tenth of the synapses each; the tails are the weakest outputs that
--- together encode a tenth of the probability. Of a vector of releases we take: the total variation of its winners from
--- the encoded distribution; its regression on the analytic releases, plain and of logarithms (a slope of 1 keeps
--- ratios); its mean error; and how often the tails and the largest win, as a multiple of what is encoded.

local few, mass = math.floor(P.smallest * P.n + 0.5), 0
local largest, smallest, all_but_smallest, tail, all_but_tail = {}, {}, {}, {}, {}
for r = P.n, 1, -1 do
  local j = order[r]
  mass = mass + w[j]
  table.insert(r > P.n - few and smallest or all_but_smallest, j)
  table.insert(mass <= P.tail and tail or all_but_tail, j)
  if r <= few then largest[#largest + 1] = j end
end

local function log_slope(set)
  local x = shapes.pick(q, set):map(math.log)
  return function(v) return stats.regression(x, shapes.pick(v, set):map(math.log)).slope end
end
local function error_over(set)
  local x = shapes.pick(q, set)
  return function(v) return (shapes.pick(v, set) - x):abs():mean() end
end
local function won_by(set)
  local encoded = shapes.pick(w, set):sum()
  return function(v) return shapes.pick(shapes.winners(w, v), set):sum() / encoded end
end

local measure = {
  tv = function(v) return shapes.distance(w, v) end,
  slope = function(v) return stats.regression(q, v).slope end,
  intercept = function(v) return stats.regression(q, v).intercept end,
  correlation = function(v) return stats.correlation(q, v) end,
  log_slope = log_slope(order), log_slope_upper = log_slope(all_but_smallest),
  error = error_over(order), error_upper = error_over(all_but_smallest), error_outside_tails = error_over(all_but_tail),
  tail = won_by(tail), largest = won_by(largest),
  spread = function(v) return shapes.winners(w, v):sd() / w:sd() end,
  likeness = function(v) return stats.correlation(w, shapes.winners(w, v)) end,
  smallest = function(v) return shapes.pick(v, smallest):mean() end,
}

-- Mean and standard error over replicates, the value at the fixed point, and the replicates themselves.
local learned_in = {}
for i = 1, #runs do learned_in[i] = runs[i] end
local function over(rule, name)
  local values = {}
  for i, learned in ipairs(learned_in) do values[i] = measure[name](learned[rule]) end
  return stats.mean(values), stats.se(values), settled[rule] and measure[name](settled[rule]), values
end

--- ## Tables for the figures
---
--- One row per rule and synapse in order of rank; one per rule and output in order of position; one per rule. Bands
--- hold the middle 95% of replicates.

local label = { raw = "Raw", subtract = "Subtract", rescale = "Rescale", power = "Power", variable = "Variable",
                subset = "Subset", expected = "Expected" }
local releases, winners, errors = {}, {}, {}
for row, rule in ipairs(rules) do
  local learned, won, rest = runs:column(rule), ves.matrix(P.replicates, P.n), shapes.winners(w, settled[rule])
  for i = 1, P.replicates do
    local p = shapes.winners(w, learned_in[i][rule])
    for j = 1, P.n do won:set(i, j, p[j]) end
  end
  for r, j in ipairs(order) do
    local c = learned:col(j)
    releases[#releases + 1] = { rule, r, w[j], q[j], c:mean(), c:quantile(0.025), c:quantile(0.975), settled[rule][j] }
  end
  for j = 1, P.n do
    local c = won:col(j)
    winners[#winners + 1] = { rule, j, w[j], c:mean(), c:quantile(0.025), c:quantile(0.975), rest[j] }
  end
  local tv, tv_se, tv_rest, values = over(rule, "tv")
  local off, off_se, off_rest = over(rule, "error")
  local lo, hi = table.unpack(stats.quantile(values, { 0.025, 0.975 }))
  errors[row] = { row, rule, tv, tv_se, lo, hi, tv_rest, off, off_se, off_rest }
  E:number("LearnedTv" .. label[rule], tv, tv_se)
  E:number("SettledTv" .. label[rule], tv_rest)
end
local band = { lo = "2.5% quantile of replicates", hi = "97.5% quantile", rest = "at the fixed point" }
local function meanings(t) return { meaning = t } end
E:table("releases", { "rule", "rank", "weight", "analytic", "learned", "lo", "hi", "rest" }, releases, meanings {
  rule = "target", rank = "1 = strongest", weight = "encoded probability", analytic = "release of the mapping",
  learned = "release, mean over replicates", lo = band.lo, hi = band.hi, rest = band.rest })
E:table("winners", { "rule", "output", "encoded", "won", "lo", "hi", "rest" }, winners, meanings {
  rule = "target", output = "position", encoded = "encoded probability",
  won = "probability of winning, mean over replicates", lo = band.lo, hi = band.hi, rest = band.rest })
E:table("errors", { "row", "rule", "tv", "tv_se", "lo", "hi", "rest", "error", "error_se", "error_rest" }, errors,
  meanings { row = "place in the list of rules", rule = "target",
    tv = "total variation of winners from encoded, mean", tv_se = "its standard error", lo = band.lo, hi = band.hi,
    rest = band.rest, error = "mean |learned - analytic| over synapses", error_se = "its standard error",
    error_rest = band.rest })

--- Most claims of the figure have one form: a measure of one or several rules, after learning; `rest` asks the same of
--- the fixed point, which has no standard error.

local text, caption = "Local learning rules", "Local learning rules, fig:learningRules"
local function claim(spec)
  local m, se, rest = {}, {}, {}
  for i, rule in ipairs(spec.rules) do m[i], se[i], rest[i] = over(rule, spec.of) end
  local one, judges = #m == 1, spec.judge
  local function file(id, says, reading, values, errors_, each)
    E:claim { id = id, says = says, where = spec.where or caption, reading = reading, expected = spec.expected,
              measured = one and values[1] or values, se = errors_ and (one and errors_[1] or errors_),
              judge = one and each or judge.every(each), note = spec.note }
  end
  file(spec.id, spec.says, spec.reading or "default", m, se, judges)
  if spec.rest then
    file(spec.rest.id, spec.says .. ", at the fixed point", "equilibrium", rest, nil, spec.rest.judge)
  end
end

--- ## The unadjusted target
---
--- $g \ge q_i$ in every sample, because the subset is part of $\{i, \dots, n\}$; equality holds only when all weaker
--- synapses transmit. So the expectation of $g$, which the fixed point of the raw rule is, lies above the mapping.

E:claim { id = "target-biased-up", says = "The unadjusted target is biased upward for every synapse", where = text,
  reading = "printed", measured = (settled.raw - q):min(), expected = 0,
  judge = judge.proved_if(judge.greater_than(-margins.exact)),
  note = "least excess of the raw fixed point over the mapping; it is zero at the weakest synapse" }
claim { id = "raw-form", says = "Unadjusted learning keeps the form of the analytic releases", rules = { "raw" },
  of = "correlation", expected = margins.correlated, judge = judge.greater_than(),
  note = "correlation of learned with analytic releases" }
claim { id = "raw-scale", says = "Unadjusted learning differs from the analytic releases in scale", rules = { "raw" },
  of = "slope", expected = 1, judge = judge.negate(judge.agrees_by_se()), note = "slope of learned on analytic" }
claim { id = "raw-offset", says = "Unadjusted learning differs from the analytic releases in offset", rules = { "raw" },
  of = "intercept", expected = 0, judge = judge.negate(judge.agrees_by_se()),
  note = "intercept of learned on analytic" }

--- ## Subtraction and rescaling
---
--- Subtraction "may correct for overall probability but result in inaccurate scaling". For the first half we look for
--- the constant $c$ at which the fixed point has the mean release of the mapping, by bisection; for the second we ask,
--- at that $c$, for the slope of $\log \hat q$ on $\log q$.

local low, high, matched = 0.0, 1.0, nil
for _ = 1, 50 do
  local c = (low + high) / 2
  matched = ves.release.equilibrium(w, { rule = "subtract", subtract = c })
  if matched:mean() > q:mean() then low = c else high = c end
end
E:number("SubtractMatched", low)
E:claim { id = "subtract-overall", says = "A fixed constant can correct the overall release probability", where = text,
  reading = "equilibrium", measured = matched:mean(), expected = q:mean(), judge = judge.within(),
  note = string.format("mean release at the constant found, %.3f", low) }
E:claim { id = "subtract-scaling", says = "With a fixed constant, relative differences among releases scale wrongly",
  where = text, reading = "equilibrium", measured = measure.log_slope(matched), expected = 1,
  judge = judge.negate(judge.slope()), note = "slope of log learned on log analytic at the constant found" }
claim { id = "subtract-preserves", says = "Subtracting a constant preserves the features of the distribution",
  rules = { "subtract" }, of = "likeness", expected = margins.correlated, judge = judge.greater_than(),
  note = "correlation of the winners' with the encoded distribution" }
claim { id = "subtract-exaggerates", says = "Subtracting a constant exaggerates the features of the distribution",
  rules = { "subtract" }, of = "spread", expected = 1, judge = judge.exceeds_by_se(),
  note = "standard deviation over outputs of the winners' distribution, as a multiple of the encoded" }
claim { id = "rescale-to-mean", says = "Rescaling biases releases toward their mean value", rules = { "rescale" },
  of = "slope", expected = 1, judge = judge.falls_short_by_se(), note = "slope of learned on analytic" }
claim { id = "rescale-shrinks-tails", says = "Rescaling shrinks the tails of the distribution", where = text,
  rules = { "rescale" }, of = "tail", expected = 1, judge = judge.falls_short_by_se(),
  note = "winners in the tails, as a multiple of the encoded" }
claim { id = "tails-under-represented", says = "Subtraction and rescaling leave the tails under-represented",
  rules = { "subtract", "rescale" }, of = "tail", expected = 1, judge = judge.falls_short_by_se(),
  note = "winners in the tails, as a multiple of the encoded; subtract, rescale",
  rest = { id = "tails-under-represented-equilibrium", judge = judge.less_than() } }
claim { id = "largest-not-suppressed", says = "Subtraction and rescaling do not suppress the largest weights enough",
  rules = { "subtract", "rescale" }, of = "largest", expected = 1, judge = judge.exceeds_by_se(),
  note = "winners among the largest weights, as a multiple of the encoded; subtract, rescale",
  rest = { id = "largest-not-suppressed-equilibrium", judge = judge.greater_than() } }

--- ## Exponents
---
--- "Substantially less biased in all but the smallest weights" sets the mean error of those releases against that of
--- the three simpler rules. How many weights are the smallest is left open, so we ask twice: without the weakest tenth
--- of the synapses, and without the tails.

local function less_biased(id, id_rest, of, reading, without)
  local m, se, rest = {}, {}, {}
  local a, a_se, a_rest = over("power", of)
  for i, rule in ipairs { "raw", "subtract", "rescale" } do
    local b, b_se, b_rest = over(rule, of)
    m[i], se[i], rest[i] = a / b, a / b * math.sqrt((a_se / a) ^ 2 + (b_se / b) ^ 2), a_rest / b_rest
  end
  local says = "A constant exponent gives substantially less biased releases in all but the smallest weights" .. without
  local note = "mean error as a multiple of that of raw, subtract, rescale"
  E:claim { id = id, says = says, where = caption, reading = reading, measured = m, se = se, note = note,
    expected = margins.substantially, judge = judge.every(judge.less_than()) }
  E:claim { id = id_rest, says = says .. ", at the fixed point", where = caption, reading = "equilibrium",
    measured = rest, expected = margins.substantially, judge = judge.every(judge.less_than()), note = note }
end
local ids = { { id = "power-less-biased" }, { id = "power-less-biased-equilibrium" },
              { id = "power-less-biased-tails" }, { id = "power-less-biased-tails-equilibrium" } }
less_biased(ids[1].id, ids[2].id, "error_upper", "default", "")
less_biased(ids[3].id, ids[4].id, "error_outside_tails", "the smallest weights are the tails", " (the tails)")

claim { id = "power-neglects-smallest", rules = { "power" }, of = "smallest", expected = measure.smallest(q),
  says = "A constant exponent gives the smallest weights too small a release, where the mapping has its highest",
  judge = judge.falls_short_by_se(), note = "mean release of the weakest tenth, learned and analytic" }

--- The main text says that an exponent "preserves the relative differences among transmission probabilities";
--- Appendix B says that it exaggerates differences. Of the targets the second holds of necessity,
--- $x^\psi / y^\psi = (x/y)^\psi$; of the learned releases it is a question of the slope of $\log \hat q$ on $\log q$.

claim { id = "power-preserves-differences", says = "A constant exponent preserves relative differences among releases",
  where = text, rules = { "power" }, of = "log_slope", expected = 1, judge = judge.slope(),
  note = "slope of log learned on log analytic, all synapses" }
claim { id = "power-preserves-differences-upper", reading = "all but the smallest weights",
  says = "A constant exponent preserves relative differences among the releases of all but the smallest weights",
  where = text, rules = { "power" }, of = "log_slope_upper", expected = 1, judge = judge.slope(),
  note = "slope of log learned on log analytic" }

local function extremes(v) return { (v / q - 1):min(), (v / q - 1):max() } end
local mean, mean_se = ves.vector(P.n), ves.vector(P.n)
local variable = runs:column("variable")
for j = 1, P.n do
  local c = variable:col(j)
  mean[j], mean_se[j] = c:mean(), stats.se(c) / q[j]
end
E:claim { id = "variable-corrects-all", says = "A variable exponent corrects all bias, the smallest weights included",
  where = caption, reading = "default", measured = extremes(mean), expected = 0,
  se = { mean_se[(mean / q):argmin()], mean_se[(mean / q):argmax()] }, judge = judge.every(judge.near(margins.closely)),
  note = "least and largest relative bias of a mean learned release" }
E:claim { id = "variable-corrects-all-equilibrium", where = caption, reading = "equilibrium",
  says = "A variable exponent corrects all bias, the smallest weights included, at the fixed point",
  measured = extremes(settled.variable), expected = 0, judge = judge.every(judge.near(margins.closely)),
  note = "least and largest relative deviation from the mapping" }
E:claim { id = "converge-analytic", says = "Local learning converges to the analytic solution", where = text,
  reading = "equilibrium", measured = extremes(settled.power), expected = 0,
  judge = judge.every(judge.near(margins.closely)),
  note = "power rule: least and largest relative deviation of the fixed point from the mapping" }

claim { id = "exponents-close", says = "Both exponents give very close approximations of the full distribution",
  rules = { "power", "variable" }, of = "tv", expected = margins.very_closely, judge = judge.less_than(),
  note = "total variation of winners from encoded; power, variable",
  rest = { id = "exponents-close-equilibrium", judge = judge.less_than() } }

local function against_variable(rule, field)
  local _, _, at_rest, a = over(rule, field)
  local _, _, rest, b = over("variable", field)
  local gaps = {}
  for i = 1, #a do gaps[i] = a[i] - b[i] end
  return stats.mean(gaps), stats.se(gaps), at_rest and at_rest - rest
end
local gap, gap_se, gap_rest = against_variable("power", "tv")
local gap_note = "total variation less that of the variable exponent"
E:claim { id = "variable-gain-negligible", says = "A variable exponent gains next to nothing over a fixed one",
  where = caption, reading = "default", measured = gap, se = gap_se, expected = margins.negligible,
  judge = judge.less_than(), note = gap_note }
E:claim { id = "variable-gain-negligible-equilibrium", where = caption, reading = "equilibrium", measured = gap_rest,
  says = "A variable exponent gains next to nothing over a fixed one, at the fixed point",
  expected = margins.negligible, judge = judge.less_than(), note = gap_note }

--- To see what bias in the smallest weights does to the distribution, all other releases are those of the mapping and
--- the weakest tenth take theirs from the constant exponent.

local transplanted = {}
for i = 1, #runs do
  local mixed = q:copy()
  for _, j in ipairs(smallest) do mixed[j] = learned_in[i].power[j] end
  transplanted[i] = shapes.distance(w, mixed)
end
E:claim { id = "smallest-weights-matter-little", says = "Bias in the smallest weights hardly affects the distribution",
  where = caption, reading = "default", measured = stats.mean(transplanted), se = stats.se(transplanted),
  expected = margins.negligible, judge = judge.less_than(),
  note = "total variation when only the weakest tenth have the releases of the power rule" }

--- ## The two other rules of Appendix B
---
--- The exponent may be the size of the subset itself, which "works", or an expected size times $\sqrt{\hat q}$, which
--- "appears to provide even better results". We compare with the variable exponent, the rule of the same paragraph that
--- the original tested.

local appendix = "Appendix B, subset-dependent exponent"
claim { id = "subset-works", says = "The size of the subset works as an exponent", where = appendix,
  rules = { "subset" }, of = "tv", expected = margins.closely, judge = judge.less_than(),
  note = "total variation of winners from encoded",
  rest = { id = "subset-works-equilibrium", judge = judge.less_than() } }
local better = "The expected size times the root of the release gives even better results"
gap, gap_se, gap_rest = against_variable("expected", "tv")
E:claim { id = "expected-better", says = better, where = appendix, reading = "default", measured = gap, se = gap_se,
  expected = 0, judge = judge.falls_short_by_se(), note = gap_note }
E:claim { id = "expected-better-equilibrium", says = better .. ", at the fixed point", where = appendix,
  reading = "equilibrium", measured = gap_rest, expected = 0, judge = judge.less_than(), note = gap_note }
gap, gap_se = against_variable("over_subset", "tv")
E:claim { id = "expected-better-over-subset", says = better .. ", the mean taken over the subset", where = appendix,
  reading = "E[q] over the subset", measured = gap, se = gap_se, expected = 0, judge = judge.falls_short_by_se(),
  note = gap_note }

--- ## Other sizes, other shapes
---
--- The verdicts above are for one vector. The sweep repeats learning and fixed point for four shapes and five sizes.

local function for_each_cell(visit)
  local results = {}
  for _, shape in ipairs(shapes.names) do
    for _, rule in ipairs(rules) do
      for _, n in ipairs(P.sweep_n) do
        results[#results + 1] = visit(shapes.weights(shape, n, P.floor), shape, rule, n, #results + 1)
      end
    end
  end
  return results
end

local sweep = E:replicate { name = "sweep", n = P.sweep_replicates, run = function(_, rng)
  return for_each_cell(function(weights, shape, rule, n)
    return shapes.distance(weights, learn(weights, rule, rng:stream(shape, rule, n)))
  end)
end }:column()

local cells = for_each_cell(function(weights, shape, rule, n, cell)
  local c = sweep:col(cell)
  return { shape, rule, n, c:mean(), c:min(), c:max(),
           shapes.distance(weights, ves.release.equilibrium(weights, with(rule))) }
end)
E:table("sweep", { "shape", "rule", "n", "tv", "lo", "hi", "rest" }, cells, meanings {
  shape = "of the weights over outputs", rule = "target", n = "weights",
  tv = "total variation of winners from encoded, mean over replicates", lo = "least of the replicates",
  hi = "largest of the replicates", rest = band.rest })

--- ## Algorithm 1 against Algorithm 2
---
--- Algorithm 1 updates only the strongest member of the subset [alg:1], Algorithm 2 every member in turn [alg:2].
--- Given that $i$ transmits, weaker synapses transmit as they always do, whether or not a stronger one did: both
--- algorithms have one and the same fixed point and differ only in how often a synapse is visited. We follow the power
--- rule toward it, and count the samples after which the releases are within a quarter of it (summed over synapses),
--- and the winners within a total variation of 0.1.

local goal, goal_winners = settled.power, shapes.winners(w, settled.power)
local points, step, next_point = {}, 100, 1.0
while next_point * step <= P.race_iterations do
  if math.floor(next_point) ~= points[#points] then points[#points + 1] = math.floor(next_point) end
  next_point = next_point * 1.2
end
local function arrival(curve, limit)
  for i, value in ipairs(curve) do
    if value <= limit then return points[i] * step end
  end
  return P.race_iterations
end

local race = E:replicate { name = "race", n = P.race_replicates, run = function(_, rng)
  local result = {}
  for algorithm = 1, 2 do
    local _, trace = learn(w, "power", rng:stream("race"),
      { algorithm = algorithm, iterations = P.race_iterations, trace = step })
    local release, won = {}, {}
    for i, k in ipairs(points) do
      local now = trace:row(k):copy()
      release[i] = (now - goal):abs():sum() / goal:sum()
      won[i] = ves.score.total_variation(shapes.winners(w, now), goal_winners)
    end
    result["release" .. algorithm], result["release_at" .. algorithm] = release, arrival(release, margins.roughly)
    result["winners" .. algorithm], result["winners_at" .. algorithm] = won, arrival(won, margins.closely)
  end
  return result
end }

local rows = {}
for algorithm = 1, 2 do
  local release, won = race:column("release" .. algorithm), race:column("winners" .. algorithm)
  for i, k in ipairs(points) do
    local a, b = release:col(i), won:col(i)
    rows[#rows + 1] = { algorithm, k * step, a:mean(), a:min(), a:max(), b:mean(), b:min(), b:max() }
  end
end
E:table("race", { "algorithm", "iterations", "release", "release_lo", "release_hi", "winners", "winners_lo",
  "winners_hi" }, rows, meanings { algorithm = "1 or 2", iterations = "samples so far",
  release = "sum |q - fixed point| / sum of fixed point, mean", release_lo = "least of the replicates",
  release_hi = "largest of the replicates", winners = "total variation from the fixed point's winners, mean",
  winners_lo = "least of the replicates", winners_hi = "largest of the replicates" })

local function faster(spec, what, name)
  local one, two = race:column(what .. "_at1"), race:column(what .. "_at2")
  E:number("Race" .. name .. "First", one:mean(), stats.se(one))
  E:number("Race" .. name .. "Second", two:mean(), stats.se(two))
  local late = 0
  for i = 1, #one do late = late + (one[i] >= P.race_iterations and 1 or 0) end
  spec.measured, spec.se, spec.where = (two / one):mean(), stats.se(two / one), text
  spec.expected, spec.judge = margins.far, judge.less_than()
  spec.note = string.format("%s: samples of Algorithm 2 per sample of Algorithm 1, which in %d of %d races had not "
    .. "arrived at the end", spec.note, late, #one)
  E:claim(spec)
end
faster({ id = "alg2-faster", says = "Algorithm 2 reaches a reasonable approximation in far fewer samples",
  reading = "default", note = "releases within a quarter of their fixed point" }, "release", "Release")
faster({ id = "alg2-faster-winners", reading = "judged by the winners",
  says = "Algorithm 2 reaches a reasonable approximation of the distribution in far fewer samples",
  note = "winners within a total variation of 0.1 of those of the fixed point" }, "winners", "Winners")

E:finish()
