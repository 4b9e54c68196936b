--- # Several inputs at once
---
--- The mapping from weights to release probabilities is derived for one active input. When several are active, output
--- $j$ receives $y_j = \sum_i x_i M_{ij} w_{ij}$ and should win with probability $p_j = (W'x)_j / \sum_l (W'x)_l$. The
--- original divides the single-input releases among the inputs. How well that does can be computed without sampling:
--- an output takes at most $2^k$ values, so the winner's distribution is a finite sum. [eq:winner-multi] What would be
--- exact is in `10_solutions`, and whether any constant releases are in `10_conjecture`.

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
  name = "10_several_inputs", title = "Several active inputs: what they encode, and dividing releases among them",
  params = {
    replicates = { 100, quick = 10, about = "data sets for the network simulation" },
    spaced_replicates = { 20, quick = 3, about = "data sets for each other spacing of the tuning curves" },
    rows = { 4000, about = "rows of data in each" },
    outputs = { 60, about = "outputs of the binary inputs' rows" },
    spread = { 0.6, about = "standard deviation of a row's bell" },
  },
}
local P = E.params
local simple, bimodal, code = models.simple(), models.bimodal(), models.code()

--- ## What several inputs encode
---
--- $W'x$ is a mixture of the rows' distributions, but with weights $x_i R_i$, $R_i$ being the sum of row $i$. A row
--- that has seen no data has many times the sum of one that has, so an input at the edge of the data drags the mixture
--- toward the prior. [eq:mixture]

local mixing, off_mixture, xs = {}, {}, ves.range(-120, 120) / 20
for _, spacing in ipairs(readings.spacings) do
  local layer = models.code(spacing)
  off_mixture[spacing] = stats.collect({ simple, bimodal }, function(model)
    local W = models.network(model, E.rng:stream("mixture", model.name), { rows = P.rows, spacing = spacing }):weights()
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

--- Distance of the winners from W'x [eq:total-variation] and the ratio of their standard deviations, at five inputs.
local function divide(rng, spacing)
  local W, layer = models.network(simple, rng, { rows = P.rows, spacing = spacing }):weights(), models.code(spacing)
  local Q, result = ves.release.analytic(W), {}
  for _, scheme in ipairs { "unfloored", table.unpack(schemes) } do
    result[scheme] = stats.collect(simple.inputs, function(x)
      local activity = layer:encode(x)
      local encoded, p = ves.multi.mixture(W, activity), shapes.winners(W, released(scheme, W, Q, activity), activity)
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
  won[s] = shapes.winners(example, released(scheme, example, ves.release.analytic(example), at_four), at_four)
end
E:table("winners", { { "y", "preferred value of the output" }, { "encoded", "W'x normalised, at x = 4" },
  { "none", "winners, releases undivided" }, { "sum", "divided by the sum of activities" },
  { "count", "by the number of active inputs" }, { "participation", "by participation" },
  { "pooled", "pooled mapping" } }, { { code.centers, ves.multi.mixture(example, at_four), table.unpack(won) } })

--- ## Dividing the releases: on and off
---
--- With inputs that are either on or off, sum, count and participation agree. Here $k$ of them have bell-shaped rows
--- whose centres lie `separation` apart: the same bell, overlapping, or disjoint.

local outputs = (ves.range(1, P.outputs) - 0.5) * 12 / P.outputs - 6
local separations, counts = { 0, 1, 2 }, ves.range(1, 6)
local binary = stats.collect(separations, function(separation)
  return stats.collect(counts, function(k)
    local W, x = shapes.bells(outputs, k, separation, P.spread), ves.vector(k, 1)
    local Q = ves.release.analytic(W)
    return { none = shapes.distance(W, Q, x), divided = shapes.distance(W, ves.release.normalise(Q, x, "count"), x),
             pooled = shapes.distance(W, ves.release.pooled_analytic(W, x), x) }
  end)
end)
local scaling = {}
for s, separation in ipairs(separations) do
  scaling[s] = { separation, counts, binary.none[s], binary.divided[s], binary.pooled[s] }
end
E:table("scaling", { { "separation", "distance of neighbouring rows' centres" }, { "k", "active inputs" },
  { "none", "total variation, undivided" }, { "divided", "total variation, divided by k" },
  { "pooled", "total variation, pooled mapping" } }, scaling)
E:number("SeveralBinaryTv", binary.divided:max())

--- Two or more inputs are active at each of the five. Undivided, the winners are far from $W'x$ where an input lies
--- between two curves, and near it on top of one, where the neighbours are faint.

local several = "Theoretical model, Transmission probability, several inputs"
local at_inputs = { "x=-4", "x=-2", "x=0", "x=2", "x=4" }
local closely = is.each(is.below(margins.closely))

--- Cells of one reading for the three spacings; and those of what is found with releases divided in this way.
local function spaced_cells(base, f)
  return { [base] = f "ends", [base .. ", bins"] = f "bins", [base .. ", open"] = f "open" }
end
local function divided(base, scheme)
  return spaced_cells(base, function(spacing)
    return { measured(scheme, "tv", spacing), beside = { ["spread over encoded"] = measured(scheme, "sd", spacing) } }
  end)
end

E:statements {
  where = several, kind = "empirical", breaks = "winner=encoded",
  quantity = "total variation of winners from W'x",
  { id = "must-divide", looked = true, criterion = is.more(margins.differs),
    says = "With several inputs active, releases must allow for being out-competed by other inputs' projections.",
    quantity = "largest total variation of winners from W'x over five inputs, releases undivided",
    cells = spaced_cells("printed", function(spacing)
      local tv = measured("none", "tv", spacing)
      return { tv[tv.value:argmax()], beside = { ["all inputs"] = tv } }
    end),
    further = { { reading = "inputs on or off, least of three overlaps", at = { "k=2", "k=3", "k=4", "k=5", "k=6" },
                  stats.collect(5, function(k) return binary.none:col(k + 1):min() end), exact = true,
                  criterion = is.each(is.more(margins.differs)) } },
    note = "one input suffices to show a need; where an input lies on one centre, hardly anything competes" },
  { id = "divide-sum", says = "With tuning curves the denominator may be the sum of the input vector.",
    criterion = closely, at = at_inputs, cells = divided("printed", "sum"), looked = true,
    unasked = "in two stages nothing is divided by a sum",
    further = { { reading = "the sum without a floor at 1, releases at most 1", measured("unfloored", "tv") } },
    note = "that the sum is never below 1 is ours; judged by the whole distribution, while multi-works-well, of the "
      .. "same winners, is judged by their spread, which stands beside" },
}
E:own {
  id = "divide-participation", kind = "empirical", breaks = "winner=blurred", at = at_inputs, looked = true,
  says = "Divided by participation, releases of several inputs sample nearly the encoded distribution.",
  quantity = "total variation of winners from W'x", criterion = closely, cells = divided("corrected", "participation"),
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
  note = "judged by the spread; by the whole distribution, whose distance stands beside, the winners of the corrected "
    .. "reading are within a tenth (divide-participation), as rare samples far away decide the narrowest spread",
}

--- ## Activities up to 1
---
--- With $X, Y, W \in [0, 1]$, the original says, the link $f$ "may simply be the dot product". The output then stays
--- below 1 for the activities of one value, which add up to little more than 1, but not for whatever activities are
--- allowed: with all inputs at 1 it is the largest column sum of $W$.

local outputs_of = {}
for _, spacing in ipairs(readings.spacings) do
  local layer = models.code(spacing)
  local W = models.network(bimodal, E.rng:stream("dot product"), { rows = P.rows, spacing = spacing }):weights()
  outputs_of[spacing] = {
    any = W:transpose():row_sums():max(),
    one_value = stats.collect(xs, function(x) return W:transpose():mul(layer:encode(x)):max() end):max(),
  }
end
local function largest_output(which)
  return function(spacing) return { outputs_of[spacing][which], exact = true } end
end
E:statement {
  id = "dot-product", where = "Theoretical model, Evidence accumulation", kind = "mathematical",
  says = "With inputs, outputs and weights between 0 and 1, the link function may simply be the dot product.",
  quantity = "largest output W'x of a trained network, any activities from 0 to 1",
  criterion = is.between(0, 1), breaks = "network.weights=faint", looked = true,
  cells = spaced_cells("printed", largest_output "any"),
  further = { { reading = "activities of one value", at = readings.spacings, criterion = is.each(is.between(0, 1)),
                stats.collect(readings.spacings, function(spacing) return outputs_of[spacing].one_value end),
                exact = true, quantity = "largest output W'x of a trained network, any value on its tuning curves" } },
  note = "all inputs at 1 are the counterexample; in the simulations one value at a time is shown",
}
E:finish()
