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

local mixing, off_identity, off_activity, xs = {}, {}, {}, ves.range(-120, 120) / 20
for m, model in ipairs { simple, bimodal } do
  local W = models.network(model, E.rng:stream("mixture", model.name), { rows = P.rows }):weights()
  local sums, conditional = W:row_sums(), W:normalise():transpose()
  local off = stats.collect(xs, function(x)
    local activity = models.activity(code, x)
    local by_activity, encoded = conditional:mul(activity), ves.multi.mixture(W, activity)
    return { tv = pmf.total_variation(encoded, by_activity), sd = pmf.sd(encoded, code.centers),
             sd_by_activity = pmf.sd(by_activity, code.centers),
             identity = pmf.total_variation(encoded, conditional:mul(activity * sums)) }
  end)
  mixing[m] = { model.name, xs, off.tv, off.sd, off.sd_by_activity }
  off_identity[m], off_activity[m] = off.identity:max(), off.tv:max()
end
E:table("mixture", { { "model", "data model" }, { "x", "input" },
  { "tv", "total variation of W'x from the mixture with weights x_i" },
  { "sd_encoded", "standard deviation of W'x normalised" },
  { "sd_by_activity", "the same of the mixture with weights x_i" } }, mixing)
E:claims {
  where = "Introduction; Transmission probability",
  { id = "marginalisation", says = "co-active inputs give a mixture of their conditional distributions",
    reading = "weights x_i times row sums", measured = math.max(table.unpack(off_identity)), expected = 0,
    judge = judge.proved_if(judge.less_than(margins.exact)), note = "largest total variation over all x, both models" },
  { id = "marginalisation-printed", says = "co-active inputs give the mixture of their conditional distributions",
    reading = "printed", measured = off_activity, expected = { 0, 0 },
    judge = judge.every(judge.less_than(margins.negligible)),
    note = "largest total variation from the mixture with weights x_i, over all x; simple and bimodal model" },
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
  local Q, result = ves.release.analytic(W), {}
  for _, scheme in ipairs(schemes) do
    result[scheme] = stats.collect(simple.inputs, function(x)
      local activity = code:encode(x)
      local encoded, p = ves.multi.mixture(W, activity), winners(W, released(scheme, W, Q, activity), activity)
      return { tv = ves.score.total_variation(p, encoded),
               sd = pmf.sd(p, code.centers) / pmf.sd(encoded, code.centers) }
    end)
  end
  return result
end }

local network_rows, tv, sd = {}, {}, {}
for s, scheme in ipairs(schemes) do
  tv[scheme] = stats.summary(trained:column(scheme .. ".tv"))
  sd[scheme] = stats.summary(trained:column(scheme .. ".sd"))
  network_rows[s] = { scheme, simple.inputs, tv[scheme].value, tv[scheme].sd, sd[scheme].value, sd[scheme].sd,
                      (s - 3) * 0.22 }
end
E:table("network", { { "scheme", "how releases are divided among inputs" }, { "x", "input" },
  { "tv", "total variation of winners from W'x, mean" }, { "tv_sd", "its standard deviation over data sets" },
  { "sd_ratio", "standard deviation of winners over the encoded one" },
  { "sd_ratio_sd", "its standard deviation over data sets" },
  { "dodge", "offset for plotting side by side" } }, network_rows)
local function worst(scheme) return tv[scheme][tv[scheme].value:argmax()] end
E:number("SeveralSumTv", worst "sum")
E:number("SeveralParticipationTv", worst "participation")
E:number("SeveralPooledTv", worst "pooled")

--- One of them in full, at the widest conditional distribution.

local example = models.network(simple, E.rng:stream("example"), { rows = P.rows }):weights()
local at_four, won = code:encode(4), {}
for s, scheme in ipairs(schemes) do
  won[s] = winners(example, released(scheme, example, ves.release.analytic(example), at_four), at_four)
end
E:table("winners", { { "y", "preferred value of the output" }, { "encoded", "W'x normalised, at x = 4" },
  { "none", "winners, releases undivided" }, { "sum", "divided by the sum of activities" },
  { "count", "by the number of active inputs" }, { "participation", "by participation" },
  { "pooled", "pooled mapping" } }, { { code.centers, ves.multi.mixture(example, at_four), table.unpack(won) } })

local several = "Transmission probability, several inputs"
E:claims {
  where = several, expected = 0, judge = judge.less_than(margins.closely),
  note = "largest mean total variation from W'x over the five inputs",
  { id = "divide-sum", says = "with tuning curves the denominator may be the sum of the input vector",
    reading = "printed", measured = worst "sum" },
  { id = "divide-count-graded", reading = "number of active inputs, graded activity", measured = worst "count",
    says = "dividing by the number of active inputs approximates the encoded distribution" },
  { id = "participation", says = "dividing releases among inputs approximates the encoded distribution",
    reading = "default", measured = worst "participation" },
  { id = "pooled-analytic", says = "the same problem is solved by treating all relevant weights together",
    reading = "the mapping over all active synapses", measured = worst "pooled" },
}
E:claims {
  says = "rules derived from one input work well with several in simulation", where = "Discussion",
  expected = { 1, 1, 1, 1, 1 }, judge = judge.every(judge.within(margins.closely)),
  note = "standard deviation of winners over the encoded one at the five inputs",
  { id = "multi-works-well-printed", reading = "printed", measured = sd.sum },
  { id = "multi-works-well", reading = "default", measured = sd.participation },
}

--- ## Dividing the releases: on and off
---
--- With inputs that are either on or off, sum, count and participation agree. Here $k$ of them have
--- bell-shaped rows whose centres lie `separation` apart: the same bell, overlapping, or disjoint.

local outputs = (ves.range(1, P.outputs) - 0.5) * 12 / P.outputs - 6
local function bells(k, separation)
  return stats.collect(k, function(a)
    local row = outputs:map(function(y)
      return math.exp(-((y - 0.013 - (a - (k + 1) / 2) * separation) / P.spread) ^ 2 / 2)
    end)
    row = row + 0.01 * row:max()
    return row / row:sum()
  end)
end

local function on_and_off(separation, k)
  local W, x = bells(k, separation), ves.vector(k, 1)
  local Q = ves.release.analytic(W)
  local divided = ves.release.normalise(Q, x, "count")
  local p, approximation, J = winners(W, divided, x), ves.multi.normal_approximation(W, divided, x)
  return { none = (distance(W, Q, x)), divided = (distance(W, divided, x)),
           pooled = (distance(W, ves.release.pooled_analytic(W, x), x)), p = p, approximation = approximation,
           normal = pmf.total_variation(approximation, p), sum = approximation:sum(), strongest = approximation[J],
           wanted = ves.multi.mixture(W, x)[J] }
end
local separations, counts_of = { 0, 1, 2 }, ves.range(1, 6)
local binary = stats.collect(separations, function(separation)
  return stats.collect(6, function(k) return on_and_off(separation, k) end)
end)
local scaling, normal_rows = {}, {}
for s, separation in ipairs(separations) do
  scaling[s] = { separation, counts_of, binary.none[s], binary.divided[s], binary.pooled[s], binary.normal[s],
                 binary.sum[s], binary.strongest[s], binary.wanted[s] }
end
for k = 2, 6 do normal_rows[k - 1] = { k, ves.range(1, P.outputs), binary.p[2][k], binary.approximation[2][k] } end
E:table("scaling", { { "separation", "distance of neighbouring rows' centres" }, { "k", "active inputs" },
  { "none", "total variation, undivided" }, { "divided", "total variation, divided by k" },
  { "pooled", "total variation, pooled mapping" },
  { "normal", "total variation of Appendix C's normalised approximation from the exact winners" },
  { "normal_sum", "sum of the approximation over outputs" },
  { "normal_strongest", "the approximation at the strongest output" },
  { "wanted_strongest", "what is encoded there" } }, scaling)
E:table("normal", { { "k", "active inputs" }, { "output", "output" }, { "exact", "probability of winning" },
  { "approximation", "Appendix C's approximation of it" } }, normal_rows)
E:number("SeveralBinaryTv", binary.divided:max())
E:claims {
  where = several, reading = "printed",
  { id = "divide-count", says = "dividing by the number of active inputs approximates the encoded distribution",
    measured = binary.divided:max(), expected = 0, judge = judge.less_than(margins.closely),
    note = "inputs on or off, up to six; largest total variation, judged as 'approximates'; not 'negligible'" },
  { id = "must-divide", says = "with several inputs active, releases must allow for competition between inputs",
    measured = binary.none:max(), expected = margins.closely, judge = judge.greater_than(),
    note = "largest total variation when releases are left undivided" },
}

--- ## Appendix C: the normal approximation
---
--- The approximation gives each output the probability of exceeding the output of largest mean. Its
--- moments are right, $\mathrm{E}\,y = (W\odot Q)'x$ and $\mathrm{var}\,y = (W^2\odot Q\odot(1-Q))'x^2$,
--- but a probability of beating *one* rival is not the probability of winning: over the outputs they
--- sum to far more than 1, and at the strongest output it is 1/2 whatever is wanted. Nor is $y$
--- Binomial: it is a sum of Bernoulli variables with unequal weights. [app:normal-approximation]

local function random_moments(t)
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
  return { error = math.max(math.abs(m1 - mean), math.abs(m2 - m1 * m1 - var)),
           binomial = math.abs(mean * (1 - mean / k) / var - 1) }
end
local moments = stats.collect(P.tries, random_moments)
E:claims {
  where = "Appendix C", reading = "printed", expected = 0,
  { id = "binomial-moments", says = "outputs have mean (W.Q)'x and variance (W^2.Q.(1-Q))'x^2",
    measured = moments.error:max(), judge = judge.proved_if(judge.less_than(margins.exact)),
    note = "against enumeration of all masks" },
  { id = "binomial-law", says = "an output's activity is Binomial, with as many trials as inputs",
    measured = moments.binomial:max(), judge = judge.refuted_if(judge.greater_than(margins.roughly)),
    note = "largest relative error of the variance of a Binomial of the right mean" },
  { id = "normal-approximation", says = "the normal approximation gives each output's probability of winning",
    reading = "normalised over outputs", measured = binary.normal:col(6):max(),
    judge = judge.less_than(margins.closely),
    note = "largest total variation from the exact winners over three separations, six inputs; "
      .. "the most favourable separation alone would pass" },
}

--- Even the chance of beating that one rival is not normal: with few inputs both are mostly silent.

local W6, x6 = bells(6, 1), ves.vector(6, 1)
local Q6 = ves.release.normalise(ves.release.analytic(W6), x6, "count")
local approximation, J = ves.multi.normal_approximation(W6, Q6, x6)
local duels = stats.collect(P.outputs, function(j)
  if j == J then return 0 end
  local function rivals(M) return ves.matrix { M:col(J), M:col(j) }:transpose() end
  return math.abs(ves.winner.exact(rivals(W6), rivals(Q6), x6)[2] - approximation[j])
end)
E:number("SeveralNormalSumLeast", binary.sum:min())
E:claims {
  where = "Appendix C", reading = "printed",
  { id = "normal-pairwise", says = "the probability of out-competing the most active neuron is a normal probability",
    measured = duels:max(), expected = 0, judge = judge.less_than(margins.closely),
    note = "largest error over outputs, six inputs" },
  { id = "appendix-c-no-solution", expected = { 0, 0 },
    says = "releases can be solved for such that the approximation equals the encoded probability of every output",
    measured = { (binary.strongest - binary.wanted):abs():max(), (binary.strongest - 0.5):abs():max() },
    judge = judge.refuted_if(judge.each(judge.greater_than(margins.negligible), judge.less_than(margins.exact))),
    note = "at the strongest output: largest distance from what is encoded, and from 1/2" },
}

--- ## A solution for every combination
---
--- "It may be possible that separate solutions exist for every possible combination." They do: give
--- every output one unknown that scales the hazards of all synapses onto it. Raising it raises that
--- output's chance and lowers the others', and the system has exactly one solution for each
--- probability of a non-empty draw (the proof stands beside the solver). So release probabilities
--- *can* depend on the input such that every $W'x$ is sampled exactly. [eq:multi-solve]

local solved = stats.collect(P.tries, function(t)
  local r = E.rng:stream("solve", t)
  local k, n = r:integer(5) + 1, r:integer(20) + 1
  local W, x = stats.collect(k, function() return r:uniform(n) ^ 3 end), r:uniform(k) + 0.01
  local Q, info = ves.multi.solve(W, x, { rng = r, tolerance = 1e-13 })
  return { residual = math.max(info.residual, 2 * distance(W, Q, x)),
           stage = 2 * ves.score.total_variation(ves.multi.two_stage_exact(W, x), ves.multi.mixture(W, x)) }
end)
E:claim { id = "separate-solutions", says = "separate solutions may exist for every combination of input activations",
  where = several, reading = "empty draws are repeated", measured = solved.residual:max(), expected = 0,
  judge = judge.proved_if(judge.less_than(margins.exact)),
  note = "largest error over random W and x; existence is proved in csrc/ves_multi_solve.c" }

--- How such releases move with the input: two inputs, the second from silent to fully active.

local W3, second = ves.matrix { { 0.6, 0.3, 0.1 }, { 0.1, 0.3, 0.6 } }, ves.range(1, P.grid) / P.grid
local moving = stats.collect(second, function(s)
  return (ves.multi.solve(W3, { 1, s }, { rng = E.rng:stream("dynamic"), tolerance = 1e-13 })):flatten()
end)
E:table("dynamic", { { "x2", "activity of the second input, the first being 1", second },
  { "q11", "release from input 1 to output 1, and so on", moving:col(1) }, { "q12", moving:col(2) },
  { "q13", moving:col(3) }, { "q21", moving:col(4) }, { "q22", moving:col(5) }, { "q23", moving:col(6) } })

--- ## The two-stage scheme
---
--- Releases within the rows may stay constant if the inputs compete first, by the very same rule; only those of this
--- first stage, one for each input, depend on $x$. Input $a$ transmits with the analytic mapping of the vector $x_a
--- R_a$, the strongest wins, and only its row transmits. Then $P(j) = \sum_a \frac{x_a R_a}{\sum x
--- R}\,\frac{w_{aj}}{R_a}$, which is $W'x$ normalised. It needs one more inhibitory stage and no new probability law.
--- [eq:two-stage]

local W5, x5 = bells(5, 1), ves.vector { 1, 0.7, 0.5, 0.3, 0.1 }
local drawn = ves.multi.two_stage(W5, x5, { draws = P.draws, rng = E.rng:stream("stages") })
local counts = drawn:counts(P.outputs)
local wanted5 = ves.multi.mixture(W5, x5)
local divided5 = winners(W5, ves.release.normalise(ves.release.analytic(W5), x5), x5)
E:table("stages", { { "y", "output", outputs },
  { "encoded", "W'x normalised, five inputs of activity 1, .7, .5, .3, .1", wanted5 },
  { "two_stage", "frequency in two-stage draws", counts / P.draws },
  { "participation", "exact winners of releases divided by participation", divided5 } })
E:number("SeveralStagesDividedTv", pmf.total_variation(divided5, wanted5))
E:claims {
  where = "this project", reading = "two-stage release",
  { id = "two-stage", says = "letting inputs compete first, and only the winner's row transmit, samples W'x exactly",
    measured = solved.stage:max(), expected = 0, judge = judge.proved_if(judge.less_than(margins.exact)),
    note = "largest error over random W and x" },
  { id = "two-stage-sampled", says = "draws of the two-stage scheme have the distribution W'x",
    measured = stats.chi_square(counts, wanted5).p, expected = 1, judge = judge.not_rejected(),
    note = "p value of a chi-square test" },
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
  where = several, reading = "empty draws count",
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

local constant = ves.matrix { { 3 / 7, 1 / 2 }, { 3 / 7, 1 / 2 } }
local off_constant = stats.collect({ { 1, 0 }, { 0, 1 }, { 1, 1 } }, function(x) return (distance(W2, constant, x)) end)
E:claim { id = "conjecture-redraw-example", where = "this project", reading = "empty draws are repeated",
  says = "the example that proves the conjecture has a constant solution once empty draws are repeated",
  measured = off_constant:max(), expected = 0, judge = judge.proved_if(judge.less_than(margins.exact)),
  note = "both rows (3/7, 1/2)" }

local function family(W, ...)
  local c = { ... }
  return stats.collect(#c, function(a) return ves.multi.redraw_family(W[a], c[a]) end)
end

--- f(c1, c2, releases of that pair) over a grid of c.
local function over_pairs(W, f)
  local rows = {}
  for a = 1, 2 do
    rows[a] = stats.collect(P.grid, function(i) return ves.multi.redraw_family(W[a], i / P.grid) end)
  end
  return stats.collect(P.grid * P.grid, function(k)
    local i, j = (k - 1) // P.grid + 1, (k - 1) % P.grid + 1
    return f(i / P.grid, j / P.grid, ves.matrix { rows[1][i], rows[2][j] })
  end)
end

local together = ves.vector { 1, 1 }
local function divergence(W, Q)
  return ves.score.kl(ves.multi.mixture(W, together), (winners(W, Q, together)))
end
local kl_two = over_pairs(W2, function(_, _, Q) return divergence(W2, Q) end)
local map = over_pairs(W3, function(c1, c2, Q)
  local kl = divergence(W3, Q)
  return { c1 = c1, c2 = c2, larger = math.max(c1, c2), kl = kl, rate = kl / math.max(c1, c2) ^ 2 }
end)
local outer = map.larger:above(0.5 - 1e-9)
local at = outer[map.kl:take(outer):argmin()]
local best = { kl = map.kl[at], c1 = map.c1[at], c2 = map.c2[at] }
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
E:table("map", { { "c1", "probability that input 1, alone, transmits", map.c1 },
  { "c2", "the same of input 2", map.c2 },
  { "kl_two", "KL divergence of the winners from W'x under (1,1), the W of two outputs", kl_two },
  { "kl_three", "the same, the W of three outputs", map.kl } })
E:number("SeveralBestKl", best.kl)
E:number("SeveralBestCOne", best.c1)
E:number("SeveralBestCTwo", best.c2)
E:claim { id = "conjecture-redraw", says = "no constant releases serve all combinations of active inputs",
  where = several, reading = "empty draws are repeated, inputs on or off",
  measured = math.min(map.rate:min(), best.kl / math.max(best.c1, best.c2) ^ 2), expected = 0,
  judge = judge.greater_than(margins.exact),
  note = "W = ((.6,.3,.1),(.1,.3,.6)): least KL divergence over the square of the larger c, "
    .. "over all releases that are exact for each input alone" }

--- A grid proves nothing, but a line of algebra does. Let the rows be $(u, p, r)$ and $(r, p, u)$ with
--- $u > 2p$ and $p > r$, so that no tie arises. Under $(1,1)$ output 2 wins if and only if one of its
--- synapses transmits while both strong ones fail, and with $a_1 = u c_1$ and $a_2 (1 - a_1) = p c_1$, and
--- alike for the second row, that has probability $p\,(c_1 + c_2 - (2u + p)\,c_1 c_2)$. It would have to be
--- $p\,(c_1 + c_2 - c_1 c_2)$, which is more for all $c$, because $2u + p = 1 + u - r > 1$.

local Wp = ves.matrix { { 0.6, 0.25, 0.15 }, { 0.15, 0.25, 0.6 } }
local proof = over_pairs(Wp, function(c1, c2, Q)
  local won_by_two = ves.winner.exact(Wp, Q, together)[2]
  return { formula = math.abs(won_by_two - 0.25 * (c1 + c2 - 1.45 * c1 * c2)),
           short = (won_by_two / (0.25 * (c1 + c2 - c1 * c2)) - 1) / math.min(c1, c2) }
end)
E:claim { id = "conjecture-redraw-proof", says = "no constant releases serve all combinations of active inputs",
  where = several, reading = "empty draws are repeated, inputs on or off, no ties",
  measured = { proof.formula:max(), proof.short:max() }, expected = { 0, 0 },
  judge = judge.proved_if(judge.each(judge.less_than(margins.exact), judge.less_than(-margins.exact))),
  note = "W = ((.6,.25,.15),(.15,.25,.6)): largest error of the formula for output 2, and by how much at least "
    .. "it wins too rarely, relative to the smaller c" }

--- **The limit of rare release.** The corner is no accident. When all $c_a = \varepsilon R_a$ are
--- small, two transmissions in one draw are of second order, and the winner's distribution is
--- $\sum_a R_a p_a / \sum_a R_a$ over the active inputs: $W'x$ for *every* on/off combination. So
--- constant releases serve all of them to any accuracy, at the price of draws that are nearly all
--- empty. But $x_a$ has dropped out: graded inputs are sampled as if they were fully on.

local R = ves.vector { 1, 0.8, 0.5, 0.3 }
local W4 = stats.collect(#R, function(a) return bells(#R, 1.5)[a] * R[a] end)
local c = ves.range(0, 20):map(function(step) return 10 ^ (-step / 4) end)
local rare = stats.collect(c, function(scale)
  local Q = family(W4, scale * R[1], scale * R[2], scale * R[3], scale * R[4])
  local off_on, empty = {}, nil
  for mask = 1, (1 << #R) - 1 do
    local x = stats.collect(#R, function(a) return mask >> (a - 1) & 1 end)
    off_on[mask], empty = distance(W4, Q, x)
  end
  return { on_off = math.max(table.unpack(off_on)), graded = (distance(W4, Q, { 1, 0.5, 0.25, 0.125 })), empty = empty }
end)
E:table("limit", { { "c", "probability that the strongest input, alone, transmits", c },
  { "on_off", "largest total variation over all on/off combinations of four inputs", rare.on_off },
  { "graded", "total variation for activities 1, 1/2, 1/4, 1/8", rare.graded },
  { "empty", "probability of an empty draw, all inputs on", rare.empty },
  { "transmits", "its complement", 1 - rare.empty } })
E:claim { id = "conjecture-limit", where = "this project", reading = "empty draws are repeated, inputs on or off",
  says = "constant releases proportional to row sums serve every on/off combination in the limit of rare release",
  measured = rare.on_off[#c], expected = 0, judge = judge.less_than(margins.vanishes),
  note = "largest total variation at the smallest c tried" }

--- **Graded inputs.** Take $x = (1, s)$ with $s$ so small that the second input never reorders what
--- the first transmits. The winner is then drawn from $p_1$ with chance $c_1$, from $p_2$ with chance
--- $(1-c_1)c_2$, else nothing: *the same for every such $s$*. But the wanted mixture $p_1 + s p_2$
--- (rows of equal sum) differs from one $s$ to the next. So if $p_1 \ne p_2$ no constant releases
--- serve two such inputs: for graded inputs the conjecture is true under either treatment of empty
--- draws.

local Wg = ves.matrix { { 0.6, 0.4 }, { 0.3, 0.7 } }
local faint, stronger = { 1, 0.05 }, { 1, 0.25 }
local moved = over_pairs(Wg, function(_, _, Q)
  return ves.score.total_variation((winners(Wg, Q, faint)), (winners(Wg, Q, stronger)))
end)
local must_move = ves.score.total_variation(ves.multi.mixture(Wg, faint), ves.multi.mixture(Wg, stronger))
E:claim { id = "conjecture-graded", says = "no constant releases serve all combinations of active inputs",
  where = several, reading = "empty draws are repeated, graded inputs", measured = { moved:max(), must_move },
  expected = { 0, 0 },
  judge = judge.proved_if(judge.each(judge.less_than(margins.exact), judge.greater_than(margins.exact))),
  note = "W = ((.6,.4),(.3,.7)), x2 = 0.05 and 0.25: how far the winners move at most, "
    .. "and how far they would have to" }
E:finish()
