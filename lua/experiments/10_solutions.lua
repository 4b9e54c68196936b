--- # Solutions for several inputs
---
--- When several inputs are active, output $j$ should win with probability $p_j = (W'x)_j / \sum_l (W'x)_l$. Dividing
--- the releases made for one input comes near it (`10_several_inputs`). What would be exact? The original sketches a
--- normal approximation in Appendix C from which releases might be solved for, and supposes that separate solutions
--- exist for every combination of inputs. The first cannot serve and the second is so; and where inputs compete first,
--- nothing has to be solved for at all. The winner's distribution is a finite sum throughout. [eq:winner-multi]

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local readings = require "vesicle.model.readings"
local shapes = require "vesicle.model.shapes"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "10_solutions", title = "Releases for several inputs: Appendix C, a solution for each, two stages",
  streams = "10_several_inputs",
  params = {
    rows = { 4000, about = "rows of data of the trained network" },
    tries = { 300, quick = 50, about = "random (W, x) for statements about all of them" },
    outputs = { 60, about = "outputs of the binary inputs' rows" },
    spread = { 0.6, about = "standard deviation of a row's bell" },
    looked_into = { 10000, quick = 4000, about = "draws whose activity before inhibition is looked at" },
    searched = { 3000, quick = 500, about = "random releases tried for Appendix C" },
    grid = { 60, quick = 24, about = "activities of the second input" },
    draws = { 100000, quick = 10000, about = "draws of the two-stage scheme" },
  },
}
local P = E.params

--- ## Appendix C: moments and the Binomial
---
--- Appendix C gives the moments of an output before inhibition, $\mathrm{E}\,y = (W\odot Q)'x$ and
--- $\mathrm{var}\,y = (W^2\odot Q\odot(1-Q))'x^2$, and they are right. But $y$ is not Binomial: it is a sum of
--- Bernoulli variables with unequal weights, and more inputs do not make them equal.

local function random_inputs(rng, k, n)
  local function any() return rng:uniform(k * n):reshape(k, n) end
  return any(), any(), rng:uniform(k)
end
local function moments(W, Q, x)
  return (W * Q):transpose():mul(x), (W * W * Q * (1 - Q)):transpose():mul(x * x)
end

local Wm, Qm, xm = random_inputs(E.rng:stream("moments"), 6, 20)
local mean_said, var_said = moments(Wm, Qm, xm)
local stream = E.rng:stream("looked into")
local activities = ves.draw(Wm, Qm, { x = xm, rng = stream, draws = P.looked_into }).activity
local z = stats.collect(20, function(j)
  local d = activities:col(j) - mean_said[j]
  local excess = d * d - var_said[j]
  return { mean = d:mean() / math.sqrt(var_said[j] / #d), var = excess:mean() / (excess:sd() / math.sqrt(#d)) }
end)

--- How far the variance of a Binomial of the right mean is from the right one, for each output: in units of 1, as
--- printed, or of the mean effective weight.
local function binomial(W, Q, x)
  local mean, var = moments(W, Q, x)
  local unit = W:transpose():mul(x) / #x
  return stats.collect(#mean, function(j)
    local function off(u) return math.abs(u * mean[j] * (1 - mean[j] / (u * #x)) / var[j] - 1) end
    return { printed = off(1), scaled = off(unit[j]) }
  end)
end
local function median(v) return stats.quantile(v, 0.5) end
local many = stats.collect({ 2, 4, 8, 16, 32, 64 }, function(k)
  local off = binomial(random_inputs(E.rng:stream("binomial", k), k, P.tries))
  return { printed = median(off.printed), scaled = median(off.scaled) }
end)
local releases = readings.releases(models.network(models.simple(), E.rng:stream("network"), { rows = P.rows }),
  readings.corrected)
local at_four = readings.at(releases, models.code():encode(4))
local off_four = binomial(at_four.W, ves.release.normalise(at_four.Q, at_four.x), at_four.x)

E:statements {
  where = "Appendix C",
  { id = "binomial-moments", says = "Outputs have mean (W.Q)'x and variance (W^2.Q.(1-Q))'x^2.", kind = "mathematical",
    quantity = "p values of z scores of the moments of draws, over 20 outputs of six inputs",
    at = { "mean", "variance" }, criterion = is.each(is.not_rejected()), breaks = "draw=squared",
    cells = { printed = { { stats.chi_square_p(z.mean:dot(z.mean), 20), stats.chi_square_p(z.var:dot(z.var), 20) } } },
    note = "terms are independent, so that means and variances add" },
  { id = "binomial-law", kind = "empirical", looked = true, criterion = is.below(margins.roughly),
    says = "For many inputs an output's activity is approximately Binomial, with as many trials as inputs.",
    quantity = "median relative error of the variance of a Binomial of the right mean, 64 random inputs",
    breaks = "stream.uniform=uneven",
    cells = { printed = { many.printed[6], beside = { ["k = 2, 4, ... 64"] = many.printed } } },
    further = {
      { reading = "in units of the mean effective weight", many.scaled[6],
        beside = { ["k = 2, 4, ... 64"] = many.scaled } },
      { reading = "the same, a trained network at x = 4", median(off_four.scaled),
        quantity = "median relative error of the variance over outputs" } } },
}

--- ## Appendix C: the normal approximation
---
--- With these moments the approximation gives each output the probability of exceeding the output of largest mean. But
--- a probability of beating *one* rival is not the probability of winning: over the outputs they sum to far more than
--- 1, and at the strongest output it is 1/2 whatever is wanted. Here $k$ inputs are on, with bell-shaped rows whose
--- centres lie `separation` apart and releases divided by $k$. [app:normal-approximation]

local outputs = (ves.range(1, P.outputs) - 0.5) * 12 / P.outputs - 6
local function all_on(k, separation)
  local W, x = shapes.bells(outputs, k, separation, P.spread), ves.vector(k, 1)
  return W, ves.release.normalise(ves.release.analytic(W), x, "count"), x
end
local separations, counts = { 0, 1, 2 }, ves.range(1, 6)
local on = stats.collect(separations, function(separation)
  return stats.collect(#counts, function(k)
    local W, Q, x = all_on(k, separation)
    local won, approximation, J = shapes.winners(W, Q, x), ves.multi.normal_approximation(W, Q, x)
    return { exact = won, approximation = approximation, off = pmf.total_variation(approximation, won),
             sum = approximation:sum(), strongest = approximation[J], wanted = ves.multi.mixture(W, x)[J] }
  end)
end)
local sum_rows, output_rows = {}, {}
for s, separation in ipairs(separations) do
  sum_rows[s] = { separation, counts, on.off[s], on.sum[s], on.strongest[s], on.wanted[s] }
end
for k = 2, 6 do output_rows[k - 1] = { k, ves.range(1, P.outputs), on.exact[2][k], on.approximation[2][k] } end
E:table("normal_scaling", { { "separation", "distance of neighbouring rows' centres" }, { "k", "active inputs" },
  { "normal", "total variation of Appendix C's normalised approximation from the exact winners" },
  { "normal_sum", "sum of the approximation over outputs" },
  { "normal_strongest", "the approximation at the strongest output" },
  { "wanted_strongest", "what is encoded there" } }, sum_rows)
E:table("normal", { { "k", "active inputs" }, { "output", "output" }, { "exact", "probability of winning" },
  { "approximation", "Appendix C's approximation of it" } }, output_rows)
E:number("SeveralNormalSumLeast", on.sum:min())
E:statement {
  id = "normal-approximation", where = "Appendix C", kind = "empirical", breaks = "normal=winners",
  says = "The normal approximation gives each neuron's probability of winning.",
  quantity = "total variation of the normalised approximation from the exact winners, six inputs",
  at = { "separation=0", "separation=1", "separation=2" }, criterion = is.each(is.below(margins.closely)),
  cells = { printed = { on.off:col(6), exact = true } },
}

--- Even the chance of beating that one rival is not normal: with few inputs both are mostly silent.

local W6, Q6, x6 = all_on(6, 1)
local approximation, J = ves.multi.normal_approximation(W6, Q6, x6)
local duels = stats.collect(P.outputs, function(j)
  if j == J then return { lost = 0, halved = 0 } end
  local function rivals(M) return ves.matrix { M:col(J), M:col(j) }:transpose() end
  local won_duel, silent = ves.winner.exact(rivals(W6), rivals(Q6), x6)
  local off = won_duel[2] - approximation[j]
  return { lost = math.abs(off), halved = math.abs(off + silent / 2) }
end)

--- Can releases be found for which the approximation is what is encoded? Random ones are tried for
--- $p = (.4, .35, .25)$, and the best of them moved about in smaller and smaller steps. At the strongest output 1/2 is
--- never $.4$.

local Wc = ves.matrix { { 0.5, 0.3, 0.2 }, { 0.3, 0.4, 0.3 } }
local function misses(q, form)
  local said = ves.multi.normal_approximation(Wc, q:clamp(1e-6, 1 - 1e-6):reshape(2, 3), { 1, 1 }, { form = form })
  return (said - ves.multi.mixture(Wc, { 1, 1 })):abs():max()
end
local function search(form)
  local rng, best, least = E.rng:stream("search", form), nil, math.huge
  for t = 1, 2 * P.searched do
    local q = rng:uniform(6)
    if t > P.searched then q = best + (q - 0.5) * 0.5 ^ (20 * (t / P.searched - 1)) end
    local miss = misses(q, form)
    if miss < least then best, least = q, miss end
  end
  return least
end
E:statements {
  where = "Appendix C",
  { id = "normal-pairwise", kind = "empirical", criterion = is.below(margins.closely), breaks = "normal=duels",
    says = "The chance of out-competing the most active neuron is a normal probability.",
    quantity = "largest |exact chance in a duel - normal| over outputs, six inputs",
    cells = { printed = { duels.lost:max(), exact = true, note = "a duel in which both are silent is lost" } },
    further = { { reading = "half of the silent duels are won", duels.halved:max(), exact = true } } },
  { id = "appendix-c-no-solution", kind = "mathematical", proof = "prop:normal", breaks = "normal=encoded",
    says = "Releases can be solved for such that the approximation equals every output's encoded probability.",
    quantity = "least found, over releases, of the largest |approximation - encoded|; two inputs, three outputs",
    criterion = is.below(1e-9), cells = { printed = { search "fixed", exact = true } },
    further = { { reading = "the form with a minimum", search "min", exact = true } },
    note = "E8; the text asks for 'as close as possible', the formula is an equality; 1/2 - 0.4 is a bound" },
}

--- ## A solution for every combination
---
--- "It may be possible that separate solutions exist for every possible combination." They do: give
--- every output one unknown that scales the hazards of all synapses onto it. Raising it raises that
--- output's chance and lowers the others', and the system has exactly one solution for each
--- probability of a non-empty draw. So release probabilities *can* depend on the input such that every
--- $W'x$ is sampled exactly. [eq:multi-solve]

local solved = stats.collect(P.tries, function(t)
  local r = E.rng:stream("solve", t)
  local k, n = r:integer(5) + 1, r:integer(20) + 1
  local W, x = stats.collect(k, function() return r:uniform(n) ^ 3 end), r:uniform(k) + 0.01
  local Q, info = ves.multi.solve(W, x, { rng = r, tolerance = 1e-13 })
  return { residual = math.max(info.residual, 2 * shapes.distance(W, Q, x)),
           stage = 2 * ves.score.total_variation(ves.multi.two_stage_exact(W, x), ves.multi.mixture(W, x)) }
end)
E:statement {
  id = "separate-solutions", where = "Theoretical model, Transmission probability, several inputs",
  kind = "mathematical", proof = "thm:solve", breaks = "solve=mapping",
  says = "Separate solutions may exist for every combination of input activations.",
  quantity = "largest error of the winners of solved releases over random W and x, empty draws repeated",
  criterion = is.exact(), cells = { printed = { solved.residual:max(), exact = true } },
}

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

local W5, x5 = shapes.bells(outputs, 5, 1, P.spread), ves.vector { 1, 0.7, 0.5, 0.3, 0.1 }
local drawn = ves.multi.two_stage(W5, x5, { draws = P.draws, rng = E.rng:stream("stages") })
local drawn_counts = drawn:counts(P.outputs)
local wanted5 = ves.multi.mixture(W5, x5)
local divided5 = shapes.winners(W5, ves.release.normalise(ves.release.analytic(W5), x5), x5)
E:table("stages", { { "y", "output", outputs },
  { "encoded", "W'x normalised, five inputs of activity 1, .7, .5, .3, .1", wanted5 },
  { "two_stage", "frequency in two-stage draws", drawn_counts / P.draws },
  { "participation", "exact winners of releases divided by participation", divided5 } })
E:number("SeveralStagesDividedTv", pmf.total_variation(divided5, wanted5))
E:own {
  id = "two-stage", kind = "mathematical", proof = "thm:two-stage", breaks = "two_stage=uniform",
  says = "Letting inputs compete first, and only the winner's row transmit, samples W'x exactly.",
  quantity = "largest error over random W and x", criterion = is.exact(), value = { solved.stage:max(), exact = true },
  further = { { reading = "by draws", stats.chi_square(drawn_counts, wanted5).p, kind = "empirical",
                quantity = "p value of a chi-square test", criterion = is.not_rejected() } },
}
E:finish()
