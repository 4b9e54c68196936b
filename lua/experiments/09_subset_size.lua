--- # The size of the subset
---
--- A synapse that learns its release knows only the subset that transmitted with it. Appendix B says how large that
--- subset is, on average and in distribution, and has a rule that rescales the target by it. All of this is computed
--- exactly: where learning settles is known [app:equilibrium].

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local shapes = require "vesicle.model.shapes"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "09_subset_size", title = "How many synapses transmit together, and rescaling by their number",
  params = {
    n = { 100, range = { 5, 500 }, about = "weights" },
    rescale_n = { 50, about = "weights of the bimodal vector" },
    floor = { 0.01, range = { 1e-4, 0.5 }, about = "its pedestal, as a share of its maximum" },
  },
}
local P = E.params
local appendix, subset_dependent = "Appendix B, Unbiased mean adjustment", "Appendix B, Subset-dependent exponent"

--- ## Its mean
---
--- The analysis of the constant exponent (`09_exponent_analysis`) rests on $\lvert\mathbf s\rvert \approx
--- (n-i)\,\hat q_i + 1$. Differs from [app:subset-size]: the members weaker than $i$ have releases of their own, so the
--- expectation is $1 + \sum_{j>i} q_j$. It equals $(n-i)\,\mathrm E[q_j] + 1$ if the mean is over all weaker synapses;
--- over the members of the subset, as the printed index has it, high releases count more often than low ones.

local equal = shapes.weights("uniform", P.n, 0)
local analytic = ves.release.analytic(equal)
local exact, as_printed = ves.exponent.subset_size(analytic, 1)
E:number("SubsetExact", exact)
E:number("SubsetPrinted", as_printed)

local ranks = stats.collect(P.n - 1, function(i)
  return { size = (ves.exponent.subset_size(analytic, i)), mean = analytic:slice(i + 1):mean() }
end)
local weaker = analytic:slice(2)
local function least_increase(v) return (v:slice(2) - v:slice(1, #v - 1)):min() end
E:statements {
  where = subset_dependent, kind = "mathematical", breaks = "release.analytic=uniform",
  { id = "subset-size", says = "The subset below rank i has about (n-i) q_i + 1 members.", where = appendix,
    quantity = "the size given over the exact mean size, strongest of 100 equal weights",
    criterion = is.within(margins.roughly), cells = { printed = { as_printed / exact, exact = true },
                                                      corrected = { (1 + weaker:sum()) / exact, exact = true } },
    note = "corrected: 1 plus the sum of weaker releases, so by linearity" },
  { id = "subset-mean-size", looked = true,
    says = "The subset has on average about (n-i) E[q] + 1 members, E over the subset.",
    quantity = "(n-1) E[q over members] + 1 over the exact mean size, strongest of 100 equal weights",
    criterion = is.within(margins.roughly),
    cells = { printed = { ((P.n - 1) * (weaker ^ 2):sum() / weaker:sum() + 1) / exact, exact = true } },
    further = { { reading = "E over all weaker synapses", ((P.n - 1) * weaker:mean() + 1) / exact, exact = true,
                  quantity = "(n-1) E[q over weaker synapses] + 1 over the exact mean size, strongest of 100 equal "
                    .. "weights" } },
    note = "the printed index takes E over the subset, in which high releases are met more often" },
  { id = "penalty-smallest", at = { "size", "release" }, criterion = is.each(is.below(0)), proof = "prop:small",
    says = "The penalty is smallest for small weights: fewer possible members, of higher release.",
    quantity = "largest growth with rank of the mean size, and of minus the mean release of the weaker, equal weights",
    cells = { printed = { { -least_increase(-ranks.size), -least_increase(ranks.mean) }, exact = true } } },
}

--- ## Its distribution
---
--- The number of weaker members is taken for a Binomial variable. Its exact law is a convolution of one Bernoulli law
--- for each weaker synapse; the Binomial has their mean in the place of each.

local function law(chances)
  local p = { 1.0 }
  for k, chance in pairs(chances) do
    p[k + 1] = 0
    for m = k + 1, 1, -1 do p[m] = p[m] * (1 - chance) + (m > 1 and p[m - 1] * chance or 0) end
  end
  return ves.vector(p)
end
local places, misfit, misfit_own = {}, {}, {}
for _, shape in ipairs { "uniform", "bimodal" } do
  local sorted = -(-shapes.weights(shape, P.n, P.floor)):sort()
  local release = ves.release.analytic(sorted)
  for _, i in ipairs { 1, P.n // 4, P.n // 2 } do
    local chances = release:slice(i + 1)
    local function distance(chance) return ves.score.total_variation(law(chances), law(chances * 0 + chance)) end
    places[#places + 1] = shape .. "-" .. i
    misfit[#places], misfit_own[#places] = distance(chances:mean()), distance(release[i])
  end
end
E:statement {
  id = "subset-binomial", where = subset_dependent, kind = "empirical",
  says = "The number of weaker members is distributed approximately as a Binomial.", at = places,
  quantity = "total variation between the exact law and the Binomial of the mean weaker release",
  criterion = is.each(is.below(margins.closely)), breaks = "release.analytic=uniform",
  cells = { printed = { misfit, exact = true } },
  further = { { reading = "with the release of rank i", misfit_own, exact = true,
                quantity = "total variation between the exact law and the Binomial of the synapse's own release" } },
}

--- ## Rescaling, the mean adjustment
---
--- For equal weights the rescaled target is $1/(n-i+1)$ in every single sample. For other weights it is said to be
--- right on average over weights, and wrong for each, toward the mean.

local w = shapes.weights("bimodal", P.rescale_n, P.floor)
local q, order = ves.release.analytic(w), shapes.ranking(w)
local rescaled = ves.release.equilibrium(w, { rule = "rescale" })

--- The bias is further said to make the modes look too narrow and too little flat-topped. The valley between the bells
--- divides the outputs; each half has a variance and an excess kurtosis.

local valley = order[1]
for j = math.min(order[1], P.rescale_n // 2), P.rescale_n * 3 // 4 do if w[j] < w[valley] then valley = j end end
local function moments(p, first, last)
  local sum, mean, m2, m4 = 0, 0, 0, 0
  for j = first, last do sum, mean = sum + p[j], mean + p[j] * j end
  mean = mean / sum
  for j = first, last do m2, m4 = m2 + p[j] * (j - mean) ^ 2 / sum, m4 + p[j] * (j - mean) ^ 4 / sum end
  return m2, m4 / m2 ^ 2 - 3
end
local won, variance, kurtosis = shapes.winners(w, rescaled), {}, {}
for k, range in ipairs { { 1, valley }, { valley + 1, P.rescale_n } } do
  local v, e = moments(won, range[1], range[2])
  local v_true, e_true = moments(w, range[1], range[2])
  variance[k], kurtosis[k] = v / v_true, e - e_true
end
E:statements {
  where = "Appendix B, Mean bias adjustment", kind = "empirical", breaks = "release.equilibrium=analytic",
  { id = "rescale-exact-uniform", says = "For equal weights rescaling gives the analytic release exactly.",
    kind = "mathematical", quantity = "largest difference over 100 ranks at rest", criterion = is.exact(),
    proof = "prop:fixed", breaks = "release.equilibrium=raw",
    unasked = "the repaired rule does not rescale", cells = { printed = {
      (ves.release.equilibrium(equal, { rule = "rescale" }) - analytic):abs():max(), exact = true } } },
  { id = "rescale-unbiased-across", says = "For unequal weights rescaled releases are unbiased across weights.",
    quantity = "mean release at rest over that of the mapping, two bells", criterion = is.within(margins.closely),
    breaks = "release.equilibrium=raw", cells = { printed = { rescaled:mean() / q:mean(), exact = true } } },
  { id = "rescale-mean-only", says = "For unequal weights rescaled releases are highly biased per weight.",
    criterion = is.above(margins.roughly),
    quantity = "largest relative deviation of a release from the mapping at rest",
    cells = { printed = { (rescaled / q - 1):abs():max(), exact = true } } },
  { id = "rescale-modes-narrow",
    says = "Rescaling makes the network underestimate the variance of the modes of a distribution.",
    at = { "first", "second" },
    quantity = "variance of each mode of the winners over the encoded, at rest",
    criterion = is.each(is.below(1 - margins.differs)), cells = { printed = { variance, exact = true } } },
  { id = "rescale-modes-pointed",
    says = "Rescaling makes the network underestimate the platykurtosis of the modes of a distribution.",
    at = { "first", "second" },
    quantity = "excess kurtosis of each mode less the encoded, at rest", criterion = is.each(is.above(margins.differs)),
    cells = { printed = { kurtosis, exact = true } } },
}

--- An exponent is said to shrink smaller values more than larger ones and so to exaggerate their differences. Of the
--- target that is calculus; of the releases at rest it is a slope of logarithms, with the exponent against without.

local psi = ves.exponent.optimal(P.n)
local function log_rest(o) return ves.release.equilibrium(w, o):map(math.log) end
E:statement {
  id = "exponent-exaggerates", where = appendix, kind = "empirical", breaks = "release.equilibrium=raw",
  says = "An exponent shrinks smaller values more than larger ones, exaggerating differences among them.",
  quantity = "slope of log release of the power rule (psi = 4.4) on that of the raw rule, at rest, two bells",
  criterion = is.above(1 + margins.differs), cells = { printed = { exact = true,
    stats.regression(log_rest { rule = "raw" }, log_rest { rule = "power", psi = psi }).slope } },
}

E:finish()
