--- # Several inputs at once
---
--- The mapping from weights to release probabilities is derived for one active input. When several
--- are active, output $j$ receives $y_j = \sum_i x_i M_{ij} w_{ij}$ and should win with probability
--- $p_j = (W'x)_j / \sum_l (W'x)_l$. The original divides the single-input releases among the inputs,
--- conjectures that no constant releases serve all combinations, and sketches a normal approximation
--- in Appendix C. All of it can be decided without sampling: an output takes at most $2^k$ values, so
--- the winner's distribution is a finite sum. [eq:winner-multi]

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local judge = require "vesicle.judge"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "10_several_inputs", title = "Several active inputs: normalisers, Appendix C, the conjecture",
  params = {
    replicates = { 100, quick = 10, about = "data sets for the network simulation" },
    rows = { 4000, about = "rows of data in each" },
    tries = { 300, quick = 50, about = "random (W, x) for statements about all of them" },
    outputs = { 60, about = "outputs of the binary inputs' rows" },
    spread = { 0.6, about = "standard deviation of a row's bell" },
    grid = { 60, quick = 24, about = "points per axis of the map over releases" },
    draws = { 100000, quick = 10000, about = "draws of the two-stage scheme" },
  },
}
local P = E.params
local simple, bimodal, code = models.simple(), models.bimodal(), models.code()

--- The distribution of the winner given that something transmits, its distance from what is encoded,
--- and the probability of an empty draw. [eq:winner-multi] [eq:total-variation]
local function winners(W, Q, x)
  local p, nothing = ves.winner.exact(W, Q, x)
  return p / (1 - nothing), nothing
end
local function distance(W, Q, x)
  local p, nothing = winners(W, Q, x)
  return ves.score.total_variation(p, ves.multi.mixture(W, x)), nothing
end

--- ## What several inputs encode
---
--- $W'x$ is a mixture of the rows' distributions, but with weights $x_i R_i$, $R_i$ being the sum of
--- row $i$. A row that has seen no data has many times the sum of one that has, so an input at the edge
--- of the data drags the mixture toward the prior. [eq:mixture]

local mixing, off_identity, off_activity = {}, 0, { simple = 0, bimodal = 0 }
for _, model in ipairs { simple, bimodal } do
  local W = models.network(model, E.rng:stream("mixture", model.name), { rows = P.rows }):weights()
  local sums, conditional = W:row_sums(), W:normalise():transpose()
  for step = -120, 120 do
    local x = step / 20
    local activity = models.activity(code, x)
    local by_sum, by_activity = conditional:mul(activity * sums), conditional:mul(activity)
    local encoded = ves.multi.mixture(W, activity)
    local off = pmf.total_variation(encoded, by_activity)
    mixing[#mixing + 1] = { model.name, x, off, pmf.sd(encoded, code.centers), pmf.sd(by_activity, code.centers) }
    off_identity = math.max(off_identity, pmf.total_variation(encoded, by_sum))
    off_activity[model.name] = math.max(off_activity[model.name], off)
  end
end
E:table("mixture", { { "model", "data model" }, { "x", "input" },
  { "tv", "total variation of W'x from the mixture with weights x_i" },
  { "sd_encoded", "standard deviation of W'x normalised" },
  { "sd_by_activity", "the same of the mixture with weights x_i" } }, mixing)
E:claim {
  id = "marginalisation", says = "co-active inputs give a mixture of their conditional distributions",
  where = "Introduction; Transmission probability", reading = "weights x_i times row sums", measured = off_identity,
  expected = 0, judge = judge.proved_if(judge.less_than(margins.exact)),
  note = "largest total variation over all x, both models",
}
E:claim {
  id = "marginalisation-printed", says = "co-active inputs give the mixture of their conditional distributions",
  where = "Introduction; Transmission probability", reading = "printed",
  measured = { off_activity.simple, off_activity.bimodal }, expected = { 0, 0 },
  judge = judge.every(judge.less_than(margins.negligible)),
  note = "largest total variation from the mixture with weights x_i, over all x; simple and bimodal model",
}

--- ## Dividing the releases: the trained network
---
--- The five inputs of the first data model fall on a centre of a tuning curve ($x = \pm 2$) or halfway
--- between two ($x = -4, 0, 4$), so the number of active inputs differs. There the sum of activities
--- is below 1 and dividing by it would raise releases; it is floored at 1. The pooled mapping treats
--- the effective weights of all active inputs as one vector. [eq:normaliser] [eq:pooled]

local schemes = { "none", "sum", "count", "participation", "pooled" }
local function released(scheme, W, Q, activity)
  if scheme == "pooled" then return ves.release.pooled_analytic(W, activity) end
  return ves.release.normalise(Q, activity, scheme)
end

local trained = E:replicate { name = "network", n = P.replicates, run = function(_, rng)
  local W = models.network(simple, rng, { rows = P.rows }):weights()
  local Q, result = ves.release.analytic(W), { tv = {}, sd = {}, encoded = {} }
  for _, scheme in ipairs(schemes) do
    local tv, sd = {}, {}
    for g, x in ipairs(simple.inputs) do
      local activity = code:encode(x)
      local encoded = ves.multi.mixture(W, activity)
      local p = winners(W, released(scheme, W, Q, activity), activity)
      tv[g], sd[g] = ves.score.total_variation(p, encoded), pmf.sd(p, code.centers) / pmf.sd(encoded, code.centers)
      result.encoded[g] = pmf.sd(encoded, code.centers)
    end
    result.tv[scheme], result.sd[scheme] = ves.vector(tv), ves.vector(sd)
  end
  return result
end }

local network_rows, worst = {}, {}
for s, scheme in ipairs(schemes) do
  local tv, sd = trained:column("tv." .. scheme), trained:column("sd." .. scheme)
  worst[scheme] = { tv = 0, sd = {}, sd_se = {} }
  for g, x in ipairs(simple.inputs) do
    local t, r = tv:col(g), sd:col(g)
    network_rows[#network_rows + 1] = { scheme, x, t:mean(), t:sd(), r:mean(), r:sd(), (s - 3) * 0.22 }
    if t:mean() > worst[scheme].tv then worst[scheme].tv, worst[scheme].se = t:mean(), stats.se(t) end
    worst[scheme].sd[g], worst[scheme].sd_se[g] = r:mean(), stats.se(r)
  end
end
E:table("network", { { "scheme", "how releases are divided among inputs" }, { "x", "input" },
  { "tv", "total variation of winners from W'x, mean" }, { "tv_sd", "its standard deviation over data sets" },
  { "sd_ratio", "standard deviation of winners over the encoded one" },
  { "sd_ratio_sd", "its standard deviation over data sets" },
  { "dodge", "offset for plotting side by side" } }, network_rows)
E:number("SeveralSumTv", worst.sum.tv, worst.sum.se)
E:number("SeveralParticipationTv", worst.participation.tv, worst.participation.se)
E:number("SeveralPooledTv", worst.pooled.tv, worst.pooled.se)

--- One of them in full, at the widest conditional distribution.
do
  local W = models.network(simple, E.rng:stream("example"), { rows = P.rows }):weights()
  local activity, Q = code:encode(4), ves.release.analytic(W)
  local columns, rows = { ves.multi.mixture(W, activity) }, {}
  for s, scheme in ipairs(schemes) do columns[s + 1] = winners(W, released(scheme, W, Q, activity), activity) end
  for j = 1, code.n do
    rows[j] = { code.centers[j] }
    for c, column in ipairs(columns) do rows[j][c + 1] = column[j] end
  end
  E:table("winners", { "y", "encoded", table.unpack(schemes) }, rows, { meaning = { y = "preferred value of the output",
    encoded = "W'x normalised, at x = 4", none = "winners, releases undivided",
    sum = "divided by the sum of activities", count = "by the number of active inputs",
    participation = "by participation", pooled = "pooled mapping" } })
end

for _, case in ipairs {
  { id = "divide-sum", scheme = "sum", reading = "printed",
    says = "with tuning curves the denominator may be the sum of the input vector" },
  { id = "divide-count-graded", scheme = "count", reading = "number of active inputs, graded activity",
    says = "dividing by the number of active inputs approximates the encoded distribution" },
  { id = "participation", scheme = "participation", reading = "default",
    says = "dividing releases among inputs approximates the encoded distribution" },
  { id = "pooled-analytic", scheme = "pooled", reading = "the mapping over all active synapses",
    says = "the same problem is solved by treating all relevant weights together" },
} do
  E:claim {
    id = case.id, says = case.says, where = "Transmission probability, several inputs", reading = case.reading,
    measured = worst[case.scheme].tv, se = worst[case.scheme].se, expected = 0,
    judge = judge.less_than(margins.closely), note = "largest mean total variation from W'x over the five inputs",
  }
end
for _, case in ipairs {
  { id = "multi-works-well-printed", scheme = "sum", reading = "printed" },
  { id = "multi-works-well", scheme = "participation", reading = "default" },
} do
  E:claim {
    id = case.id, says = "rules derived from one input work well with several in simulation", where = "Discussion",
    reading = case.reading, measured = worst[case.scheme].sd, se = worst[case.scheme].sd_se,
    expected = { 1, 1, 1, 1, 1 }, judge = judge.every(judge.within(margins.closely)),
    note = "standard deviation of winners over the encoded one at the five inputs",
  }
end

--- ## Dividing the releases: on and off
---
--- With inputs that are either on or off, sum, count and participation agree. Here $k$ of them have
--- bell-shaped rows whose centres lie `separation` apart: the same bell, overlapping, or disjoint.

local function bells(k, separation)
  local rows = {}
  for a = 1, k do
    local row = ves.vector(P.outputs, 0)
    for j = 1, P.outputs do
      local z = 12 * (j - 0.5) / P.outputs - 6 - 0.013
      row[j] = math.exp(-((z - (a - (k + 1) / 2) * separation) / P.spread) ^ 2 / 2)
    end
    row = row + 0.01 * row:max()
    rows[a] = row / row:sum()
  end
  return ves.matrix(rows)
end

local scaling, binary_worst, undivided_worst, normal_rows, normal_worst = {}, 0, 0, {}, 0
for _, separation in ipairs { 0, 1, 2 } do
  for k = 1, 6 do
    local W, x = bells(k, separation), ves.vector(k, 1)
    local Q = ves.release.analytic(W)
    local divided = ves.release.normalise(Q, x, "count")
    local none, both = distance(W, Q, x), distance(W, divided, x)
    local approximation, J = ves.multi.normal_approximation(W, divided, x)
    local p, wanted = winners(W, divided, x), ves.multi.mixture(W, x)
    local off = pmf.total_variation(approximation, p)
    scaling[#scaling + 1] = { separation, k, none, both, (distance(W, ves.release.pooled_analytic(W, x), x)), off,
      approximation:sum(), approximation[J], wanted[J] }
    binary_worst, undivided_worst = math.max(binary_worst, both), math.max(undivided_worst, none)
    if k == 6 then normal_worst = math.max(normal_worst, off) end
    if k > 1 and separation == 1 then
      for j = 1, P.outputs do normal_rows[#normal_rows + 1] = { k, j, p[j], approximation[j] } end
    end
  end
end
E:table("scaling", { { "separation", "distance of neighbouring rows' centres" }, { "k", "active inputs" },
  { "none", "total variation, undivided" }, { "divided", "total variation, divided by k" },
  { "pooled", "total variation, pooled mapping" },
  { "normal", "total variation of Appendix C's normalised approximation from the exact winners" },
  { "normal_sum", "sum of the approximation over outputs" },
  { "normal_strongest", "the approximation at the strongest output" },
  { "wanted_strongest", "what is encoded there" } }, scaling)
E:table("normal", { { "k", "active inputs" }, { "output", "output" }, { "exact", "probability of winning" },
  { "approximation", "Appendix C's approximation of it" } }, normal_rows)
E:number("SeveralBinaryTv", binary_worst)
E:claim {
  id = "divide-count", says = "dividing by the number of active inputs approximates the encoded distribution",
  where = "Transmission probability, several inputs", reading = "printed", measured = binary_worst, expected = 0,
  judge = judge.less_than(margins.closely),
  note = "inputs on or off, up to six; largest total variation, judged as 'approximates'; not 'negligible'",
}
E:claim {
  id = "must-divide", says = "with several inputs active, releases must allow for competition between inputs",
  where = "Transmission probability, several inputs", reading = "printed", measured = undivided_worst,
  expected = margins.closely, judge = judge.greater_than(),
  note = "largest total variation when releases are left undivided",
}

--- ## Appendix C: the normal approximation
---
--- The approximation gives each output the probability of exceeding the output of largest mean. Its
--- moments are right, $\mathrm{E}\,y = (W\odot Q)'x$ and $\mathrm{var}\,y = (W^2\odot Q\odot(1-Q))'x^2$,
--- but a probability of beating *one* rival is not the probability of winning: over the outputs they
--- sum to far more than 1, and at the strongest output it is 1/2 whatever is wanted. Nor is $y$
--- Binomial: it is a sum of Bernoulli variables with unequal weights. [app:normal-approximation]

local moment_error, binomial_error = 0, 0
for t = 1, P.tries do
  local r = E.rng:stream("moments", t)
  local k = r:integer(5) + 1
  local weight, release, x = r:uniform(k), r:uniform(k), r:uniform(k)
  local e, mean, var = weight * x, (weight * release):dot(x), (weight * weight * release * (1 - release)):dot(x * x)
  local m1, m2 = 0.0, 0.0
  for mask = 0, (1 << k) - 1 do
    local chance, y = 1.0, 0.0
    for a = 1, k do
      local on = mask >> (a - 1) & 1 == 1
      chance = chance * (on and release[a] or 1 - release[a])
      if on then y = y + e[a] end
    end
    m1, m2 = m1 + chance * y, m2 + chance * y * y
  end
  moment_error = math.max(moment_error, math.abs(m1 - mean), math.abs(m2 - m1 * m1 - var))
  binomial_error = math.max(binomial_error, math.abs(mean * (1 - mean / k) / var - 1))
end
E:claim {
  id = "binomial-moments", says = "outputs have mean (W.Q)'x and variance (W^2.Q.(1-Q))'x^2", where = "Appendix C",
  reading = "printed", measured = moment_error, expected = 0, judge = judge.proved_if(judge.less_than(margins.exact)),
  note = "against enumeration of all masks",
}
E:claim {
  id = "binomial-law", says = "an output's activity is Binomial, with as many trials as inputs", where = "Appendix C",
  reading = "printed", measured = binomial_error, expected = 0,
  judge = judge.refuted_if(judge.greater_than(margins.roughly)),
  note = "largest relative error of the variance of a Binomial of the right mean",
}
E:claim {
  id = "normal-approximation", says = "the normal approximation gives each output's probability of winning",
  where = "Appendix C", reading = "normalised over outputs", measured = normal_worst, expected = 0,
  judge = judge.less_than(margins.closely),
  note = "largest total variation from the exact winners over three separations, six inputs; "
    .. "the most favourable separation alone would pass",
}

--- Even the chance of beating that one rival is not normal: with few inputs both are mostly silent.

local W6, x6, pairwise = bells(6, 1), ves.vector(6, 1), 0
local Q6 = ves.release.normalise(ves.release.analytic(W6), x6, "count")
local approximation, J = ves.multi.normal_approximation(W6, Q6, x6)
for j = 1, P.outputs do
  if j ~= J then
    local duel, releases = ves.matrix(6, 2), ves.matrix(6, 2)
    for a = 1, 6 do
      duel:set(a, 1, W6:get(a, J)):set(a, 2, W6:get(a, j))
      releases:set(a, 1, Q6:get(a, J)):set(a, 2, Q6:get(a, j))
    end
    pairwise = math.max(pairwise, math.abs(ves.winner.exact(duel, releases, x6)[2] - approximation[j]))
  end
end
E:claim {
  id = "normal-pairwise", says = "the probability of out-competing the most active neuron is a normal probability",
  where = "Appendix C", reading = "printed", measured = pairwise, expected = 0,
  judge = judge.less_than(margins.closely), note = "largest error over outputs, six inputs",
}
local sums, halves, wants = {}, 0, 0
for r, row in ipairs(scaling) do
  sums[r], halves, wants = row[7], math.max(halves, math.abs(row[8] - 0.5)), math.max(wants, math.abs(row[8] - row[9]))
end
E:number("SeveralNormalSumLeast", math.min(table.unpack(sums)))
E:claim {
  id = "appendix-c-no-solution", where = "Appendix C", reading = "printed",
  measured = { wants, halves }, expected = { 0, 0 },
  says = "releases can be solved for such that the approximation equals the encoded probability of every output",
  judge = judge.refuted_if(function(m, _, claim)
    return judge.greater_than(margins.negligible)(m[1], nil, claim) and judge.less_than(margins.exact)(m[2], nil, claim)
  end), note = "at the strongest output: largest distance from what is encoded, and from 1/2",
}

--- ## A solution for every combination
---
--- "It may be possible that separate solutions exist for every possible combination." They do: give
--- every output one unknown that scales the hazards of all synapses onto it. Raising it raises that
--- output's chance and lowers the others', and the system has exactly one solution for each
--- probability of a non-empty draw (the proof stands beside the solver). So release probabilities
--- *can* depend on the input such that every $W'x$ is sampled exactly. [eq:multi-solve]

local residual, largest_stage = 0, 0
for t = 1, P.tries do
  local r = E.rng:stream("solve", t)
  local k, n = r:integer(5) + 1, r:integer(20) + 1
  local rows = {}
  for a = 1, k do rows[a] = r:uniform(n) ^ 3 end
  local W, x = ves.matrix(rows), r:uniform(k) + 0.01
  local Q, info = ves.multi.solve(W, x, { rng = r, tolerance = 1e-13 })
  residual = math.max(residual, info.residual, 2 * distance(W, Q, x))
  largest_stage = math.max(largest_stage, 2 * ves.score.total_variation(ves.multi.two_stage_exact(W, x),
    ves.multi.mixture(W, x)))
end
E:claim {
  id = "separate-solutions", says = "separate solutions may exist for every combination of input activations",
  where = "Transmission probability, several inputs", reading = "empty draws are repeated", measured = residual,
  expected = 0, judge = judge.proved_if(judge.less_than(margins.exact)),
  note = "largest error over random W and x; existence is proved in csrc/ves_multi_solve.c",
}

--- How such releases move with the input: two inputs, the second from silent to fully active.
local W3 = ves.matrix { { 0.6, 0.3, 0.1 }, { 0.1, 0.3, 0.6 } }
local dynamic = {}
for step = 1, P.grid do
  local s = step / P.grid
  local Q = ves.multi.solve(W3, { 1, s }, { rng = E.rng:stream("dynamic"), tolerance = 1e-13 })
  dynamic[step] = { s, Q:get(1, 1), Q:get(1, 2), Q:get(1, 3), Q:get(2, 1), Q:get(2, 2), Q:get(2, 3) }
end
E:table("dynamic", { { "x2", "activity of the second input, the first being 1" },
  { "q11", "release from input 1 to output 1, and so on" }, "q12", "q13", "q21", "q22", "q23" }, dynamic)

--- ## The two-stage scheme
---
--- Constant releases do suffice if the inputs compete first, by the very same rule: input $a$
--- transmits with the analytic mapping of the vector $x_a R_a$, the strongest wins, and only its row
--- transmits. Then $P(j) = \sum_a \frac{x_a R_a}{\sum x R}\,\frac{w_{aj}}{R_a}$, which is $W'x$
--- normalised. It needs one more inhibitory stage and no new probability law. [eq:two-stage]

local W5, x5 = bells(5, 1), ves.vector { 1, 0.7, 0.5, 0.3, 0.1 }
local drawn = ves.multi.two_stage(W5, x5, { draws = P.draws, rng = E.rng:stream("stages") })
local counts = drawn:counts(P.outputs)
local wanted5 = ves.multi.mixture(W5, x5)
local divided5 = winners(W5, ves.release.normalise(ves.release.analytic(W5), x5), x5)
local stages = {}
for j = 1, P.outputs do
  stages[j] = { 12 * (j - 0.5) / P.outputs - 6, wanted5[j], counts[j] / P.draws, divided5[j] }
end
E:table("stages", { { "y", "output" }, { "encoded", "W'x normalised, five inputs of activity 1, .7, .5, .3, .1" },
  { "two_stage", "frequency in two-stage draws" },
  { "participation", "exact winners of releases divided by participation" } }, stages)
E:number("SeveralStagesDividedTv", pmf.total_variation(divided5, wanted5))
E:claim {
  id = "two-stage", says = "letting inputs compete first, and only the winner's row transmit, samples W'x exactly",
  where = "this project", reading = "two-stage release", measured = largest_stage, expected = 0,
  judge = judge.proved_if(judge.less_than(margins.exact)), note = "largest error over random W and x",
}
E:claim {
  id = "two-stage-sampled", says = "draws of the two-stage scheme have the distribution W'x",
  where = "this project", reading = "two-stage release",
  measured = stats.chi_square(counts, wanted5).p, expected = 1, judge = judge.not_rejected(),
  note = "p value of a chi-square test",
}

--- ## The conjecture
---
--- "We conjecture that no general solution exists such that transmission probabilities are held
--- constant across combinations of active inputs." The answer depends on two things the conjecture
--- leaves open: what becomes of an empty draw, and whether inputs are on or off or graded.
--- [eq:conjecture]
---
--- **Empty draws count.** Presenting each input alone forces the analytic rows. With
--- $W = ((.6,.4),(.6,.4))$ these give the first output both transmissions with probability $.36$, and
--- otherwise the second wins: $(.36, .64)$ instead of $(.6, .4)$. The conjecture is true.

local W2 = ves.matrix { { 0.6, 0.4 }, { 0.6, 0.4 } }
local counted = ves.winner.exact(W2, ves.release.analytic(W2), { 1, 1 })
E:claim {
  id = "conjecture", says = "no constant releases serve all combinations of active inputs",
  where = "Transmission probability, several inputs", reading = "empty draws count",
  measured = counted[1], expected = 0.6,
  judge = judge.proved_if(judge.negate(judge.equal_to())),
  note = "chance of the first output under (1,1); each input alone forces these releases",
}

--- **Empty draws are repeated, inputs on or off.** Each input alone now leaves one freedom per row,
--- the probability $c_a$ that it transmits at all [eq:redraw-family]. That very $W$ then has the exact
--- constant solution $q = (3/7, 1/2)$ in both rows. With three outputs, $W = ((.6,.3,.1),(.1,.3,.6))$,
--- the two freedoms must satisfy two equations; the map of the divergence over $(c_1, c_2)$ shows no
--- zero but the corner $c \to 0$. We divide it by the square of the larger $c$, as which it vanishes
--- there. [eq:kl]

local constant, off_constant = ves.matrix { { 3 / 7, 1 / 2 }, { 3 / 7, 1 / 2 } }, 0
for _, x in ipairs { { 1, 0 }, { 0, 1 }, { 1, 1 } } do
  off_constant = math.max(off_constant, (distance(W2, constant, x)))
end
E:claim {
  id = "conjecture-redraw-example",
  says = "the example that proves the conjecture has a constant solution once empty draws are repeated",
  where = "this project", reading = "empty draws are repeated", measured = off_constant, expected = 0,
  judge = judge.proved_if(judge.less_than(margins.exact)), note = "both rows (3/7, 1/2)",
}

local function family(W, ...)
  local rows = {}
  for a, c in ipairs { ... } do rows[a] = ves.multi.redraw_family(W[a], c) end
  return ves.matrix(rows)
end

--- The same for every pair of a grid of c: f(i, j) -> releases.
local function families(W)
  local first, second = {}, {}
  for i = 1, P.grid do
    first[i], second[i] = ves.multi.redraw_family(W[1], i / P.grid), ves.multi.redraw_family(W[2], i / P.grid)
  end
  return function(i, j) return ves.matrix { first[i], second[j] } end
end

local together = ves.vector { 1, 1 }
local function divergence(W, Q)
  return ves.score.kl(ves.multi.mixture(W, together), (winners(W, Q, together)))
end
local map, least, best = {}, math.huge, { kl = math.huge }
local of_two, of_three = families(W2), families(W3)
for i = 1, P.grid do
  for j = 1, P.grid do
    local c1, c2 = i / P.grid, j / P.grid
    local kl = divergence(W3, of_three(i, j))
    map[#map + 1] = { c1, c2, divergence(W2, of_two(i, j)), kl }
    least = math.min(least, kl / math.max(c1, c2) ^ 2)
    if math.max(c1, c2) >= 0.5 and kl < best.kl then best = { kl = kl, c1 = c1, c2 = c2 } end
  end
end
for step = 1, 8 do                     -- the local minimum of that half of the square, by a shrinking pattern
  local reach, from = 2 / P.grid / 2 ^ step, best
  for _, d1 in ipairs { -reach, 0, reach } do
    for _, d2 in ipairs { -reach, 0, reach } do
      local c1, c2 = math.min(1, from.c1 + d1), math.min(1, from.c2 + d2)
      local kl = divergence(W3, family(W3, c1, c2))
      if kl < best.kl then best = { kl = kl, c1 = c1, c2 = c2 } end
    end
  end
end
least = math.min(least, best.kl / math.max(best.c1, best.c2) ^ 2)
E:table("map", { { "c1", "probability that input 1, alone, transmits" }, { "c2", "the same of input 2" },
  { "kl_two", "KL divergence of the winners from W'x under (1,1), the W of two outputs" },
  { "kl_three", "the same, the W of three outputs" } }, map)
E:number("SeveralBestKl", best.kl)
E:number("SeveralBestCOne", best.c1)
E:number("SeveralBestCTwo", best.c2)
E:claim {
  id = "conjecture-redraw", says = "no constant releases serve all combinations of active inputs",
  where = "Transmission probability, several inputs", reading = "empty draws are repeated, inputs on or off",
  measured = least, expected = 0, judge = judge.greater_than(margins.exact),
  note = "W = ((.6,.3,.1),(.1,.3,.6)): least KL divergence over the square of the larger c, "
    .. "over all releases that are exact for each input alone",
}

--- A grid proves nothing, but a line of algebra does. Let the rows be $(u, p, r)$ and $(r, p, u)$ with
--- $u > 2p$ and $p > r$, so that no tie arises. Under $(1,1)$ output 2 wins if and only if one of its
--- synapses transmits while both strong ones fail, and with $a_1 = u c_1$ and $a_2 (1 - a_1) = p c_1$, and
--- alike for the second row, that has probability $p\,(c_1 + c_2 - (2u + p)\,c_1 c_2)$. It would have to be
--- $p\,(c_1 + c_2 - c_1 c_2)$, which is more for all $c$, because $2u + p = 1 + u - r > 1$.

local Wp, formula, share = ves.matrix { { 0.6, 0.25, 0.15 }, { 0.15, 0.25, 0.6 } }, 0, -math.huge
local of_proof = families(Wp)
for i = 1, P.grid do
  for j = 1, P.grid do
    local c1, c2 = i / P.grid, j / P.grid
    local won = ves.winner.exact(Wp, of_proof(i, j), together)[2]
    formula = math.max(formula, math.abs(won - 0.25 * (c1 + c2 - 1.45 * c1 * c2)))
    share = math.max(share, (won / (0.25 * (c1 + c2 - c1 * c2)) - 1) / math.min(c1, c2))
  end
end
E:claim {
  id = "conjecture-redraw-proof", says = "no constant releases serve all combinations of active inputs",
  where = "Transmission probability, several inputs", reading = "empty draws are repeated, inputs on or off, no ties",
  measured = { formula, share }, expected = { 0, 0 },
  judge = judge.proved_if(function(m, _, claim)
    return judge.less_than(margins.exact)(m[1], nil, claim) and judge.less_than(-margins.exact)(m[2], nil, claim)
  end),
  note = "W = ((.6,.25,.15),(.15,.25,.6)): largest error of the formula for output 2, and by how much at least "
    .. "it wins too rarely, relative to the smaller c",
}

--- **The limit of rare release.** The corner is no accident. When all $c_a = \varepsilon R_a$ are
--- small, two transmissions in one draw are of second order, and the winner's distribution is
--- $\sum_a R_a p_a / \sum_a R_a$ over the active inputs: $W'x$ for *every* on/off combination. So
--- constant releases serve all of them to any accuracy, at the price of draws that are nearly all
--- empty. But $x_a$ has dropped out: graded inputs are sampled as if they were fully on.

local k, limit, served = 4, {}, 0
local rows4, R = {}, ves.vector { 1, 0.8, 0.5, 0.3 }
for a = 1, k do rows4[a] = bells(k, 1.5)[a] * R[a] end
local W4 = ves.matrix(rows4)
for step = 0, 20 do
  local c = 10 ^ (-step / 4)
  local Q = family(W4, c * R[1], c * R[2], c * R[3], c * R[4])
  local on_off, empty = 0, nil
  for mask = 1, (1 << k) - 1 do
    local x = ves.vector(k, 0)
    for a = 1, k do x[a] = mask >> (a - 1) & 1 end
    local tv, nothing = distance(W4, Q, x)
    on_off, empty = math.max(on_off, tv), nothing
  end
  limit[#limit + 1] = { c, on_off, (distance(W4, Q, { 1, 0.5, 0.25, 0.125 })), empty, 1 - empty }
  served = on_off
end
E:table("limit", { { "c", "probability that the strongest input, alone, transmits" },
  { "on_off", "largest total variation over all on/off combinations of four inputs" },
  { "graded", "total variation for activities 1, 1/2, 1/4, 1/8" },
  { "empty", "probability of an empty draw, all inputs on" }, { "transmits", "its complement" } }, limit)
E:claim {
  id = "conjecture-limit",
  says = "constant releases proportional to row sums serve every on/off combination in the limit of rare release",
  where = "this project", reading = "empty draws are repeated, inputs on or off", measured = served, expected = 0,
  judge = judge.less_than(margins.vanishes), note = "largest total variation at the smallest c tried",
}

--- **Graded inputs.** Take $x = (1, s)$ with $s$ so small that the second input never reorders what
--- the first transmits. The winner is then drawn from $p_1$ with chance $c_1$, from $p_2$ with chance
--- $(1-c_1)c_2$, else nothing: *the same for every such $s$*. But the wanted mixture $p_1 + s p_2$
--- (rows of equal sum) differs from one $s$ to the next. So if $p_1 \ne p_2$ no constant releases
--- serve two such inputs: for graded inputs the conjecture is true under either treatment of empty
--- draws.

local Wg = ves.matrix { { 0.6, 0.4 }, { 0.3, 0.7 } }
local faint, stronger = { 1, 0.05 }, { 1, 0.25 }
local moved = 0
for i = 1, P.grid do
  for j = 1, P.grid do
    local Q = family(Wg, i / P.grid, j / P.grid)
    moved = math.max(moved, ves.score.total_variation((winners(Wg, Q, faint)), (winners(Wg, Q, stronger))))
  end
end
local must_move = ves.score.total_variation(ves.multi.mixture(Wg, faint), ves.multi.mixture(Wg, stronger))
E:claim {
  id = "conjecture-graded", says = "no constant releases serve all combinations of active inputs",
  where = "Transmission probability, several inputs", reading = "empty draws are repeated, graded inputs",
  measured = { moved, must_move }, expected = { 0, 0 },
  judge = judge.proved_if(function(m, _, claim)
    return judge.less_than(margins.exact)(m[1], nil, claim) and judge.greater_than(margins.exact)(m[2], nil, claim)
  end),
  note = "W = ((.6,.4),(.3,.7)), x2 = 0.05 and 0.25: how far the winners move at most, "
    .. "and how far they would have to",
}
E:finish()
