--- # Weights as Beta variables
---
--- A network that learns by Bayes' theorem keeps a distribution of its weights. The original keeps a Beta distribution
--- of each, whose parameters count evidence for and against an association [eq:evidence], and calls it what it is: a
--- mean-field approximation. This chapter asks three things of it: whether counting is Bayes' theorem, what of the true
--- posterior is lost, and whether the printed mean and variance belong to the printed distribution. Nothing is drawn:
--- all of it is quadrature and moments.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "04_beta_weights", title = "Evidence, Bayes' theorem and the moments of a weight",
  params = {
    low = { -2.0, about = "log10 of the smallest prior evidence, for and against" },
    high = { 3.0, about = "log10 of the largest" },
    steps = { 11, about = "values of each between" },
    trials = { 20, about = "rows of on and off shown to a single input" },
  },
}
local P = E.params

--- ## A Beta distribution by quadrature
---
--- With $w = 1/(1 + e^{-\pi\sinh t})$ the density of a Beta variable falls doubly exponentially on both sides, and sums
--- over equal steps of $t$ give its mean and variance to rounding.

local t = ves.range(-1700, 1700) / 200
local log_odds = (t:exp() - (-t):exp()) * (math.pi / 2)
local log_w = log_odds:clamp(-1e9, 0) - ((-log_odds:abs()):exp() + 1):log()
local log_v, w_at, width = log_w - log_odds, log_w:exp(), t:exp() + (-t):exp()

local function integrated(a, b)
  local log_density = log_w * a + log_v * b
  local density = ((log_density - log_density:max()):exp() * width):normalise()
  local mean = density:dot(w_at)
  return mean, density:dot((w_at - mean) ^ 2)
end

--- What is said of all evidence is tried over a plane of it: f(a, b) of every pair, a vector or several named ones.

local axis = stats.collect(P.steps, function(i) return 10 ^ (P.low + (P.high - P.low) * (i - 1) / (P.steps - 1)) end)
local function over_plane(f)
  return stats.collect(P.steps ^ 2, function(k)
    return f(axis[(k - 1) // P.steps + 1], axis[(k - 1) % P.steps + 1])
  end)
end

--- A layer of one neuron, fully active at 0, and a layer of two whose curves cross at half of their height.

local one = ves.code { n = 1, lo = -1, hi = 1, sigma = 0.1 }
local two = ves.code { n = 2, lo = -1, hi = 1, sigma = 1 / math.sqrt(2 * math.log(2)) }
local on, off, between = one.centers[1], one.centers[1] + 1, 0.0

--- ## Is the update Bayes' theorem?
---
--- The original names Bayes' theorem and then counts: $A$ grows by $x y$ and $B$ by $x (1 - y)$. Where a single input
--- is on and the output is either on or off, $y$ is a Bernoulli variable of parameter $w$, and counting is the theorem
--- itself. The network is shown such rows, and its mean and variance [eq:betamean] [eq:betavar] are compared with the
--- integral of prior times likelihood.

local function single_input(a, b)
  local net, hits = ves.network { input = one, output = one, prior_a = a, prior_b = b }, P.trials // 3
  local ys = ves.range(1, P.trials):map(function(i) return i <= hits and on or off end)
  net:observe(ves.vector(P.trials, on), ys)
  local mean, variance = integrated(a + hits, b + P.trials - hits)
  return { mean = net:weights()[1][1] / mean - 1, variance = net:variance()[1][1] / variance - 1 }
end

--- With graded activity the output's chance to fire is $x_1 w_1 + x_2 w_2$. After one row with $y = 1$ the posterior
--- is the prior times that sum, and its moments are moments of the prior:
--- $$\mathrm E[w_1 \mid y = 1] = \frac{x_1 \mathrm E[w_1^2] + x_2 \mathrm E[w_1]\,\mathrm E[w_2]}
--- {x_1 \mathrm E[w_1] + x_2 \mathrm E[w_2]}.$$
--- Two inputs are half active. Both weights have the same prior, so that one of them speaks for both.

local function two_inputs(a, b)
  local net = ves.network { input = two, output = one, prior_a = a, prior_b = b }
  local first, second = net:weights()[1][1], net:variance()[1][1] + net:weights()[1][1] ^ 2
  local x = two:encode(between)
  net:observe({ between }, { on })
  local bayes = (x[1] * second + x[2] * first ^ 2) / (x:sum() * first)
  return net:weights()[1][1] / bayes - 1
end

local single, graded = over_plane(single_input), over_plane(two_inputs)
local at = graded:abs():argmax()
E:statement {
  id = "bayes-update", where = "Theoretical model, Evidence accumulation", kind = "unclaimed",
  says = "The weights' distribution is updated by Bayes' theorem as data are introduced.", looked = true,
  quantity = "largest relative error of the updated mean weight, two inputs half active, one row, over priors",
  criterion = is.exact(), breaks = "network.variance=halved", cells = { printed = { graded:abs():max(), exact = true,
    beside = { ["prior A and B there"] = { axis[(at - 1) // P.steps + 1], axis[(at - 1) % P.steps + 1] } } } },
  further = { { reading = "one input, activities 0 or 1, salience 1, independent outputs",
                kind = "mathematical", proof = "prop:small", exact = true,
    at = { "mean", "variance" }, { single.mean:abs():max(), single.variance:abs():max() },
    criterion = is.each(is.below(1e-9)),
    quantity = "largest relative error of the updated mean and variance against quadrature, over priors" } },
  note = "a premise: 'It is not the goal of this paper to show that this is true'; the model that is simulated has "
    .. "graded activities and several inputs",
}

--- ## What a mean field loses
---
--- The same row correlates the two weights: if one of them explains the output, the other need not. With uniform priors
--- the correlation is $-1/11$. A product of Beta distributions has none.

local function correlation(a, b)
  local net = ves.network { input = two, output = one, prior_a = a, prior_b = b }
  local x = two:encode(between) / two:encode(between):sum()
  local m1, m2 = a / (a + b), net:variance()[1][1] + (a / (a + b)) ^ 2
  local m3 = m2 * (a + 2) / (a + b + 2)
  local mean, other = (x[1] * m2 + x[2] * m1 ^ 2) / m1, (x[2] * m2 + x[1] * m1 ^ 2) / m1
  local square, other_square = (x[1] * m3 + x[2] * m2 * m1) / m1, (x[2] * m3 + x[1] * m2 * m1) / m1
  return (m2 - mean * other) / math.sqrt((square - mean ^ 2) * (other_square - other ^ 2))
end

local correlated = over_plane(correlation)
E:table("update", { { "A", "prior evidence for", over_plane(function(a) return a end) },
  { "B", "prior evidence against", over_plane(function(_, b) return b end) },
  { "mean_error", "relative error of the updated mean weight after one row, two inputs half active", graded },
  { "correlation", "of the two weights in the true posterior after that row", correlated } })
E:statement {
  id = "mean-field-not-full", where = "Theoretical model, Evidence accumulation", kind = "mathematical",
  says = "Mean-field approximations such as this do not give the full posterior of the weights.", proof = "prop:small",
  quantity = "correlation of two weights in the true posterior after one row, uniform priors; a mean field has 0",
  criterion = is.differs(0, margins.exact), breaks = "code.encode=winner",
  cells = { printed = { correlation(1, 1), exact = true,
                        beside = { ["most negative over priors"] = correlated:min() } } },
}

--- ## The moments of the two Beta distributions
---
--- The moments [eq:betamean], [eq:betavar], which a network computes of its evidence, are those of
--- $\mathrm{Beta}(A, B)$. The original writes $\mathrm{Beta}(A+1, B+1)$ [eq:beta], whose mode, not mean, is $A/(A+B)$.
--- Mean and variance of both by quadrature.

--- Relative errors of a network's mean and variance, against the Beta with `more` added to A and B.
local function moment_errors(more)
  local errors = over_plane(function(a, b)
    local net, mean, variance = ves.network { input = one, output = one, prior_a = a, prior_b = b },
      integrated(a + more, b + more)
    return { mean = net:weights()[1][1] / mean - 1, variance = net:variance()[1][1] / variance - 1 }
  end)
  return { { errors.mean:abs():max(), errors.variance:abs():max() }, exact = true }
end

E:statement {
  id = "beta-moments", where = "Theoretical model, Evidence accumulation, eq:betamean, eq:betavar",
  kind = "mathematical", looked = true, proof = "sec:errata", breaks = "network.variance=halved",
  says = "The given mean and variance are those of the weights' Beta distribution.", at = { "mean", "variance" },
  quantity = "largest relative error against quadrature over the plane of A and B",
  criterion = is.each(is.below(1e-9)), cells = { printed = moment_errors(1), corrected = moment_errors(0) },
}

E:finish()
