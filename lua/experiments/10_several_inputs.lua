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
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local readings = require "vesicle.model.readings"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "10_several_inputs", title = "Several active inputs: normalisers, Appendix C, the conjecture",
  params = {
    replicates = { 100, quick = 10, about = "data sets for the network simulation" },
    spaced_replicates = { 20, quick = 3, about = "data sets for each other spacing of the tuning curves" },
    hybrid_replicates = { 6, quick = 2, about = "data sets in which inhibition leaves several outputs" },
    hybrid_draws = { 300, quick = 100, about = "draws at each input there" },
    left = { 3, about = "how many outputs inhibition leaves there" },
    rows = { 4000, about = "rows of data in each" },
    tries = { 300, quick = 50, about = "random (W, x) for statements about all of them" },
    outputs = { 60, about = "outputs of the binary inputs' rows" },
    spread = { 0.6, about = "standard deviation of a row's bell" },
    grid = { 60, quick = 24, about = "points per axis of the map over releases" },
    draws = { 100000, quick = 10000, about = "draws of the two-stage scheme" },
    looked_into = { 10000, quick = 4000, about = "draws whose activity before inhibition is looked at" },
    searched = { 3000, quick = 500, about = "random releases tried for Appendix C" },
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

local mixing, off_mixture, xs = {}, {}, ves.range(-120, 120) / 20
for _, spacing in ipairs(readings.spacings) do
  local layer = models.code(spacing)
  off_mixture[spacing] = stats.collect({ simple, bimodal }, function(model)
    local rng = E.rng:stream("mixture", model.name)
    local W = models.network(model, rng, { rows = P.rows, spacing = spacing }):weights()
    local sums, conditional = W:row_sums(), W:normalise():transpose()
    local off = stats.collect(xs, function(x)
      local activity = models.activity(layer, x)
      local by_activity, encoded = conditional:mul(activity), ves.multi.mixture(W, activity)
      return { tv = pmf.total_variation(encoded, by_activity), sd = pmf.sd(encoded, layer.centers),
               sd_by_activity = pmf.sd(by_activity, layer.centers),
               identity = pmf.total_variation(encoded, conditional:mul(activity * sums)) }
    end)
    if spacing == "ends" then mixing[#mixing + 1] = { model.name, xs, off.tv, off.sd, off.sd_by_activity } end
    return { printed = off.tv:max(), corrected = off.identity:max() }
  end)
end
E:table("mixture", { { "model", "data model" }, { "x", "input" },
  { "tv", "total variation of W'x from the mixture with weights x_i" },
  { "sd_encoded", "standard deviation of W'x normalised" },
  { "sd_by_activity", "the same of the mixture with weights x_i" } }, mixing)
E:statement {
  id = "marginalisation", kind = "mathematical", proof = "eq:mixture", breaks = "mixture=activity",
  where = "Introduction, Biological neural networks; Theoretical model, Transmission probability",
  says = "Co-active inputs give the mixture of their conditional distributions.", at = { "simple", "bimodal" },
  quantity = "largest total variation, over x, of W'x from the mixture with weights x_i (corrected: x_i R_i)",
  criterion = is.each(is.below(margins.negligible)), cells = readings.cells(function(reading, spacing)
    return { off_mixture[spacing][reading.name], exact = true }
  end),
  note = "E10; the original does not print the weights, and as corrected this is how W'x is defined",
}

--- ## Dividing the releases: the trained network
---
--- How many inputs are active together depends on where an input lies among the tuning curves, of which the original
--- says only that they are equally spaced. With curves on both ends of the range, the five inputs of the first data
--- model fall on a centre ($x = \pm 2$) or halfway between two ($x = -4, 0, 4$). There the sum of activities is below 1
--- and dividing by it would raise releases; we floor it at 1, and try it once without that. The pooled mapping treats
--- the effective weights of all active inputs as one vector. [eq:normaliser] [eq:pooled]

local schemes = { "none", "sum", "count", "participation", "pooled" }
local function released(scheme, W, Q, activity)
  if scheme == "pooled" then return ves.release.pooled_analytic(W, activity) end
  if scheme == "unfloored" then return (Q:flatten() / activity:sum()):clamp(0, 1):reshape(Q.rows, Q.cols) end
  return ves.release.normalise(Q, activity, scheme)
end

--- Distance of the winners from W'x and the ratio of their standard deviations, at the five inputs.
local function divide(rng, spacing)
  local W, layer = models.network(simple, rng, { rows = P.rows, spacing = spacing }):weights(), models.code(spacing)
  local Q, result = ves.release.analytic(W), {}
  for _, scheme in ipairs { "unfloored", table.unpack(schemes) } do
    result[scheme] = stats.collect(simple.inputs, function(x)
      local activity = layer:encode(x)
      local encoded, p = ves.multi.mixture(W, activity), winners(W, released(scheme, W, Q, activity), activity)
      return { tv = ves.score.total_variation(p, encoded),
               sd = pmf.sd(p, layer.centers) / pmf.sd(encoded, layer.centers) }
    end)
  end
  return result
end

local trained = E:replicate { name = "network", n = P.replicates, run = function(_, rng)
  return divide(rng, "ends")
end }
local spaced = E:replicate { name = "spaced", n = P.spaced_replicates, run = function(_, rng)
  return { bins = divide(rng, "bins"), open = divide(rng, "open") }
end }

--- "tv" or "sd" of a scheme under a spacing, with its standard error.
local function measured(scheme, what, spacing)
  if (spacing or "ends") == "ends" then return stats.summary(trained:column(scheme .. "." .. what)) end
  return stats.summary(spaced:column(spacing .. "." .. scheme .. "." .. what))
end

local network_rows, worst = {}, {}
for s, scheme in ipairs(schemes) do
  local tv, sd = measured(scheme, "tv"), measured(scheme, "sd")
  network_rows[s] = { scheme, simple.inputs, tv.value, tv.sd, sd.value, sd.sd, (s - 3) * 0.22 }
  worst[scheme] = tv[tv.value:argmax()]
end
E:table("network", { { "scheme", "how releases are divided among inputs" }, { "x", "input" },
  { "tv", "total variation of winners from W'x, mean" }, { "tv_sd", "its standard deviation over data sets" },
  { "sd_ratio", "standard deviation of winners over the encoded one" },
  { "sd_ratio_sd", "its standard deviation over data sets" },
  { "dodge", "offset for plotting side by side" } }, network_rows)
E:number("SeveralSumTv", worst.sum)
E:number("SeveralParticipationTv", worst.participation)
E:number("SeveralPooledTv", worst.pooled)

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

--- Two or more inputs are active at each of the five. Undivided, the winners are far from $W'x$ where an input lies
--- between two curves, and near it on top of one, where the neighbours are faint.

local several = "Theoretical model, Transmission probability, several inputs"
local at_inputs = { "x=-4", "x=-2", "x=0", "x=2", "x=4" }
local closely = is.each(is.below(margins.closely))

E:statements {
  where = several, kind = "empirical", breaks = "winner=encoded", at = at_inputs,
  quantity = "total variation of winners from W'x",
  { id = "must-divide", looked = true, criterion = is.each(is.more(margins.differs)),
    says = "With several inputs active, releases must allow for being out-competed by other inputs' projections.",
    cells = { printed = measured("none", "tv"), ["printed, bins"] = measured("none", "tv", "bins"),
              ["printed, open"] = measured("none", "tv", "open") },
    further = { { reading = "inputs on or off, least of three overlaps", at = { "k=2", "k=3", "k=4", "k=5", "k=6" },
                  stats.collect(5, function(k) return binary.none:col(k + 1):min() end), exact = true } },
    note = "releases are left undivided" },
  { id = "divide-sum", says = "With tuning curves the denominator may be the sum of the input vector.",
    criterion = closely, note = "corrected: participation; that the sum is never below 1 is ours",
    cells = readings.cells(function(reading, spacing) return measured(reading.normaliser, "tv", spacing) end),
    further = { { reading = "the sum without a floor at 1, releases at most 1", measured("unfloored", "tv") } } },
}
E:statement {
  id = "divide-count", where = several, kind = "empirical", looked = true, breaks = "release.analytic=uniform",
  says = "Dividing by the number of active inputs is the simplest approximation.",
  quantity = "largest total variation of winners from W'x, inputs on or off, up to six, three overlaps",
  criterion = is.below(margins.closely), cells = { printed = { binary.divided:max(), exact = true } },
  further = { { reading = "graded activity, trained network", measured("count", "tv"), at = at_inputs,
                quantity = "total variation of winners from W'x", criterion = closely } },
}
E:further {
  statement = "sd-pooled", kind = "empirical", quantity = "total variation of winners from W'x", at = at_inputs,
  criterion = closely, breaks = "winner=blurred",
  { reading = "the mapping over the pool instead of learning", measured("pooled", "tv") },
}
E:statement {
  id = "multi-works-well", where = "Discussion", kind = "empirical", breaks = "winner=encoded", at = at_inputs,
  says = "Rules derived from one input work well with several in simulation.",
  quantity = "exact standard deviation of winners over the encoded one",
  criterion = is.each(is.within(margins.closely)), cells = readings.cells(function(reading, spacing)
    return { measured(reading.normaliser, "sd", spacing),
             beside = { ["total variation"] = measured(reading.normaliser, "tv", spacing) } }
  end),
}

--- ## A few winners
---
--- Between a sample and a population code there is a hybrid: inhibition leaves the few most active of those that
--- transmitted. What it tells of the encoded variance is the variance between the population means of draws and, on
--- average, the variance within a draw. The original sees no obvious reason why this should not work. [eq:subset-max]

local function spread_of_few(W, Q, x, centers, rng)
  local drawn = stats.collect(P.hybrid_draws, function()
    local draw
    repeat draw = ves.draw(W, Q, { x = x, rng = rng }) until draw.winner > 0
    local most = (draw.activity * -1):order():slice(1, P.left)
    local p, y = draw.activity:take(most), centers:take(most)
    local mean = p:dot(y) / p:sum()
    return { mean = mean, var = p:dot((y - mean) ^ 2) / p:sum() }
  end)
  return drawn.mean:sd() ^ 2 + drawn.var:mean()
end

local hybrid = E:replicate { name = "hybrid", n = P.hybrid_replicates, run = function(_, rng)
  local result = {}
  for _, spacing in ipairs(readings.spacings) do
    local W, layer = models.network(simple, rng, { rows = P.rows, spacing = spacing }):weights(), models.code(spacing)
    result[spacing] = stats.collect(simple.inputs, function(x)
      local on, found = layer:encode(x):above(1e-3), {}
      local w, activity = W:take(on), layer:encode(x):take(on)
      for _, reading in ipairs(readings.judged) do
        local Q = ves.release.normalise(ves.release.analytic(w), activity, reading.normaliser)
        found[reading.name] = spread_of_few(w, Q, activity, layer.centers, rng:stream("draws", x))
          / pmf.sd(ves.multi.mixture(w, activity), layer.centers) ^ 2
      end
      return found
    end)
  end
  return result
end }
E:statement {
  id = "hybrid-space-time", where = "Introduction, Synaptic failure as dropout sampling", kind = "empirical",
  says = "A hybrid, a sparse active population around each sample, should work in practice.", breaks = "draw=encoded",
  quantity = "variance between draws plus mean variance within a draw over the encoded variance, three outputs left",
  at = at_inputs, criterion = is.each(is.within(margins.closely)), cells = readings.cells(function(reading, spacing)
    return stats.summary(hybrid:column(spacing .. "." .. reading.name))
  end),
  note = "a hedge: 'no obvious reason why it should not work'",
}

--- ## Appendix C: the normal approximation
---
--- The approximation gives each output the probability of exceeding the output of largest mean. Its
--- moments are right, $\mathrm{E}\,y = (W\odot Q)'x$ and $\mathrm{var}\,y = (W^2\odot Q\odot(1-Q))'x^2$,
--- but a probability of beating *one* rival is not the probability of winning: over the outputs they
--- sum to far more than 1, and at the strongest output it is 1/2 whatever is wanted. Nor is $y$
--- Binomial: it is a sum of Bernoulli variables with unequal weights, and more inputs do not make them equal.
--- [app:normal-approximation]

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
local activities = stats.collect(P.looked_into, function()
  return ves.draw(Wm, Qm, { x = xm, rng = stream }).activity
end)
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
local on = at_four:above(1e-3)
local few, x_on = example:take(on), at_four:take(on)
local off_few = binomial(few, ves.release.normalise(ves.release.analytic(few), x_on), x_on)

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
      { reading = "the same, a trained network at x = 4", median(off_few.scaled),
        quantity = "median relative error of the variance over outputs" } } },
  { id = "normal-approximation", says = "The normal approximation gives each neuron's probability of winning.",
    kind = "empirical", quantity = "total variation of the normalised approximation from the exact winners, six inputs",
    at = { "separation=0", "separation=1", "separation=2" }, criterion = closely, breaks = "normal=winners",
    cells = { printed = { binary.normal:col(6), exact = true } } },
}

--- Even the chance of beating that one rival is not normal: with few inputs both are mostly silent.

local W6, x6 = bells(6, 1), ves.vector(6, 1)
local Q6 = ves.release.normalise(ves.release.analytic(W6), x6, "count")
local approximation, J = ves.multi.normal_approximation(W6, Q6, x6)
local duels = stats.collect(P.outputs, function(j)
  if j == J then return { lost = 0, halved = 0 } end
  local function rivals(M) return ves.matrix { M:col(J), M:col(j) }:transpose() end
  local won_duel, silent = ves.winner.exact(rivals(W6), rivals(Q6), x6)
  local off = won_duel[2] - approximation[j]
  return { lost = math.abs(off), halved = math.abs(off + silent / 2) }
end)
E:number("SeveralNormalSumLeast", binary.sum:min())

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
  return { residual = math.max(info.residual, 2 * distance(W, Q, x)),
           stage = 2 * ves.score.total_variation(ves.multi.two_stage_exact(W, x), ves.multi.mixture(W, x)) }
end)
E:statement {
  id = "separate-solutions", where = several, kind = "mathematical", proof = "thm:solve", breaks = "solve=mapping",
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
E:own {
  id = "two-stage", kind = "mathematical", proof = "thm:two-stage", breaks = "two_stage=uniform",
  says = "Letting inputs compete first, and only the winner's row transmit, samples W'x exactly.",
  quantity = "largest error over random W and x", criterion = is.exact(), value = { solved.stage:max(), exact = true },
  further = { { reading = "by draws", stats.chi_square(counts, wanted5).p, kind = "empirical",
                quantity = "p value of a chi-square test", criterion = is.not_rejected() } },
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

--- **Empty draws are repeated, inputs on or off.** Each input alone now leaves one freedom per row,
--- the probability $c_a$ that it transmits at all [eq:redraw-family]. That very $W$ then has the exact
--- constant solution $q = (3/7, 1/2)$ in both rows. With three outputs, $W = ((.6,.3,.1),(.1,.3,.6))$,
--- the two freedoms must satisfy two equations; the map of the divergence over $(c_1, c_2)$ shows no
--- zero but the corner $c \to 0$. [eq:kl]

local constant = ves.matrix { { 3 / 7, 1 / 2 }, { 3 / 7, 1 / 2 } }
local off_constant = stats.collect({ { 1, 0 }, { 0, 1 }, { 1, 1 } }, function(x) return (distance(W2, constant, x)) end)
E:own {
  id = "conjecture-redraw-example", kind = "mathematical", proof = "thm:conjecture", breaks = "winner=blurred",
  says = "The matrix that proves the conjecture has a constant solution once empty draws are repeated.",
  quantity = "largest total variation over the three presentations, both rows (3/7, 1/2)", criterion = is.exact(),
  value = { off_constant:max(), exact = true },
}

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
  return { c1 = c1, c2 = c2, larger = math.max(c1, c2), kl = divergence(W3, Q) }
end)
local outer = map.larger:above(0.5 - 1e-9)
local at = outer[map.kl:take(outer):argmin()]
local best = { kl = map.kl[at], c1 = map.c1[at], c2 = map.c2[at] }
for step = 1, 8 do                     -- the local minimum of that half of the square, by a shrinking pattern
  local reach, from = 2 / P.grid / 2 ^ step, best
  for _, d1 in ipairs { -reach, 0, reach } do
    for _, d2 in ipairs { -reach, 0, reach } do
      local c1, c2 = math.max(reach, math.min(1, from.c1 + d1)), math.max(reach, math.min(1, from.c2 + d2))
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
E:own {
  id = "conjecture-limit", kind = "mathematical", breaks = "winner=blurred", at = { "at-smallest-c", "largest-rise" },
  says = "Constant releases proportional to row sums serve every on/off combination in the limit of rare release.",
  quantity = "largest total variation over 15 combinations at the smallest c, and its largest rise as c falls",
  criterion = is.each { is.below(margins.vanishes), is.below(0) },
  value = { { rare.on_off[#c], (rare.on_off:slice(2) - rare.on_off:slice(1, #c - 1)):max() }, exact = true },
}

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
E:statement {
  id = "conjecture", where = several, kind = "mathematical", proof = "thm:conjecture", breaks = "winner=encoded",
  says = "No constant releases serve all combinations of active inputs.",
  quantity = "chance of the first output under (1,1), wanted 0.6; each input alone forces these releases",
  criterion = is.differs(0.6, margins.exact), cells = { printed = { counted[1], exact = true } },
  further = {
    { reading = "empty draws repeated, inputs on or off", { proof.formula:max(), proof.short:max() }, exact = true,
      quantity = "largest error of the formula for output 2; least by which it wins too rarely, over the smaller c",
      at = { "formula", "shortfall" }, criterion = is.each { is.exact(), is.below(-margins.exact) },
      proof = "thm:conjecture", note = "W = ((.6,.25,.15),(.15,.25,.6))" },
    { reading = "empty draws repeated, graded inputs", { moved:max(), must_move }, exact = true,
      quantity = "how far the winners move at most between x2 = 0.05 and 0.25; how far they would have to",
      at = { "moved", "wanted" }, criterion = is.each { is.exact(), is.above(margins.exact) },
      proof = "thm:conjecture", note = "W = ((.6,.4),(.3,.7))" },
  },
}
E:finish()
