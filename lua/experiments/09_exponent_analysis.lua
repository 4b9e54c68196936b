--- # Which exponent?
---
--- Appendix B asks which constant exponent $\psi$ best turns the share $g$ of a subset into the analytic release. It
--- takes $n$ equal weights, where the release of rank $i$ should be $1/(n-i+1)$ and the share is one over the size of
--- the subset; puts the size at $(n-i)\,\hat q_i + 1$ [app:subset-size]; and, to find $\psi$, puts the analytic release
--- in the place of $\hat q_i$. What remains is a function of $\psi$ alone,
--- $$\epsilon(\psi) = \int_1^n \left( \left( \frac{n-i+1}{2(n-i)+1} \right)^{\psi} - \frac{1}{n-i+1} \right)^2 di,$$
--- [app:exponent-error] minimised numerically [app:exponent-optimal]. An upper limit below $n$ leaves out the smallest
--- weights. We repeat this, as the printed integral and as the sum over whole ranks that it stands for, and then ask
--- what the approximations on the way have cost: where learning really settles is known [app:equilibrium].

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local shapes = require "vesicle.model.shapes"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "09_exponent_analysis", title = "The constant exponent for equal weights, and what it achieves",
  params = {
    n = { 100, about = "weights" },
    many = { 1000, about = "weights of the larger case" },
    top = { 0.5, about = "share of the ranks, from the strongest, that count" },
    sizes = { { 10, 20, 50, 100, 200, 500, 1000 }, quick = { 10, 20, 50, 100, 200 }, about = "sizes over which "
      .. "one exponent should serve" },
    psi_max = { 14.0, about = "largest exponent tried" },
    psi_step = { 0.25, quick = 0.5, about = "step between exponents tried" },
    rescale_n = { 50, about = "weights of the bimodal vector" },
    floor = { 0.01, about = "its pedestal, as a share of its maximum" },
  },
}
local P = E.params
local appendix = "Appendix B, Unbiased mean adjustment"
local subset_dependent = "Appendix B, Subset-dependent exponent"

--- ## The error and its minimum

local cases = {}
for _, form in ipairs { "integral", "sum" } do
  for _, n in ipairs { P.n, P.many } do
    for _, top in ipairs { 1.0, P.top } do
      local psi, least = ves.exponent.optimal(n, { top = top, form = form })
      cases[#cases + 1] = { form = form, n = n, top = top, psi = psi, least = least }
    end
  end
end

local tried, curve, minima = ves.range(2, math.floor(P.psi_max / 0.1)) * 0.1, {}, {}
for k, c in ipairs(cases) do
  minima[k] = { c.form, c.n, c.top, c.psi, c.least }
  curve[k] = { c.form, c.n, c.top, tried,
               tried:map(function(psi) return (ves.exponent.error(c.n, psi, { top = c.top, form = c.form })) end) }
end
local form_column, n_column = { "form", "integral as printed, or sum over ranks" }, { "n", "equal weights" }
local top_column = { "top", "share of the ranks that count" }
local columns = { form_column, n_column, top_column, { "psi", "exponent" }, { "error", "squared error over ranks" } }
E:table("error", columns, curve)
E:table("minima", columns, minima)

--- The original gives the exponents of its four cases to one or two decimals.

local wanted = { 4.4, 6.25, 6.6, 9.5 }
for k, names in ipairs { { "PsiHundred", "PsiHundredSum" }, { "PsiHundredTop", "PsiHundredTopSum" },
                         { "PsiThousand", "PsiThousandSum" }, { "PsiThousandTop", "PsiThousandTopSum" } } do
  E:number(names, { cases[k].psi, cases[k + 4].psi }, nil, { digits = 4 })
end

--- The integral is said to be solvable in closed form. With $u = 1/(2(n-i)+1)$ it is made of integrals of
--- $((1+u)/2)^a\,u^{-m}$ from $1/(2n-1)$ to 1: polynomials and a logarithm for whole $\psi$, else the binomial series
--- (a hypergeometric function).

local function closed_form(n, psi)
  local function integral(a, m)
    local sum, binomial = 0, 1
    for k = 0, 4000 do
      local e = k - m + 1
      sum = sum + binomial * (e == 0 and math.log(2 * n - 1) or (1 - (2 * n - 1) ^ -e) / e)
      binomial = binomial * (a - k) / (k + 1)
    end
    return sum / 2 ^ (a + 1)
  end
  return integral(2 * psi, 2) - 2 * integral(psi - 1, 1) + 1 - 1 / n
end
local points = { { P.n, 2 }, { P.n, wanted[1] }, { P.many, 2 }, { P.many, wanted[1] } }
E:statement {
  id = "integral-closed-form", where = appendix, kind = "mathematical", proof = "prop:small",
  says = "The error integral is solvable in closed form.", breaks = "exponent.error=sum",
  quantity = "closed form less numerical integral, at two sizes and two exponents", criterion = is.each(is.near(1e-9)),
  at = { "n=100,psi=2", "n=100,psi=4.4", "n=1000,psi=2", "n=1000,psi=4.4" },
  cells = { printed = { stats.collect(points, function(c)
    return closed_form(c[1], c[2]) - ves.exponent.error(c[1], c[2])
  end), exact = true } },
}

local sizes = ves.range(0, 24):map(function(k) return math.floor(10 ^ (1 + k / 8) + 0.5) end)
local function best_for(top, form)
  return sizes:map(function(n) return (ves.exponent.optimal(math.tointeger(n), { top = top, form = form })) end)
end
local all, half = best_for(1.0, "integral"), best_for(P.top, "integral")
E:table("optima", { form_column, top_column, n_column, { "psi", "best exponent" } }, { { "integral", 1.0, sizes, all },
  { "integral", P.top, sizes, half }, { "sum", 1.0, sizes, best_for(1.0, "sum") },
  { "sum", P.top, sizes, best_for(P.top, "sum") } })
local function increase(psi) return (psi:slice(2) - psi:slice(1, #psi - 1)):min() end
E:statement {
  id = "psi-grows", says = "The best exponent increases with n.", where = subset_dependent, kind = "mathematical",
  quantity = "least increase between neighbouring sizes from 10 to 10,000", at = { "all-ranks", "top-half" },
  criterion = is.each(is.above(0)), breaks = "exponent.optimal=inverse",
  cells = { printed = { { increase(all), increase(half) }, exact = true } }, note = "a check, no proof",
}

--- ## Where learning really settles
---
--- Three things called the release of rank $i$: the analytic one; the root of the printed implicit equation
--- $(1/((n-i)q+1))^\psi = q$ [app:exponent-equilibrium]; and the fixed point of the mean dynamics, which averages
--- $g^\psi$ over all subsets instead of using an average subset. The weakest synapse never competes with a weaker one,
--- so it always transmits; every other subset therefore has at least two members, and $g \le 1/2$.

local equal = shapes.weights("uniform", P.n, 0)
local analytic = ves.release.analytic(equal)
local psi_all, psi_top = cases[1].psi, cases[2].psi
local implicit = ves.exponent.equilibrium(P.n, psi_all)
local settled = ves.release.equilibrium(equal, { rule = "power", psi = psi_all })
local settled_top = ves.release.equilibrium(equal, { rule = "power", psi = psi_top })
local variable = ves.release.equilibrium(equal, { rule = "variable" })
E:table("releases", { { "rank", "1 = strongest", ves.range(1, P.n) }, { "analytic", "1/(n-i+1)", analytic },
  { "implicit", "root of the printed implicit equation, best exponent", implicit },
  { "settled", "fixed point of the mean dynamics, best exponent", settled },
  { "settled_top", "the same, best exponent for the top half", settled_top },
  { "variable", "fixed point of the variable exponent", variable } })

local function off(q) return (q - analytic):abs():sum() / analytic:sum() end
local function near(release)
  return { off(release), exact = true, beside = { ["total variation of winners"] = shapes.distance(equal, release) } }
end
local at_rest = near(settled)
at_rest.reading = "at rest"
E:statement {
  id = "equilibrium-near-target", says = "The release at convergence is approximately the analytic one.",
  where = appendix, kind = "empirical", breaks = "release.equilibrium=analytic", criterion = is.below(margins.closely),
  quantity = "sum |q - analytic| over the sum of analytic, root of the implicit equation, 100 equal weights, psi = 4.4",
  cells = { printed = near(implicit) }, further = { at_rest },
}

--- The implicit equation, it is said, cannot be put in explicit form. For $\psi = 4$ it reads $z^5 - z^4 - (n-i) = 0$
--- with $z = (n-i)\,q + 1$. For rank 1 of 100 that polynomial is irreducible modulo 5 and a quadratic times a cubic
--- modulo 13, so its Galois group is that of all permutations of five roots, and there is no formula in radicals.

local function factors(c, p)
  local linear, quadratic = 0, 0
  for b = 0, p - 1 do
    if (b ^ 5 - b ^ 4 - c) % p == 0 then linear = linear + 1 end
    for a = 0, p - 1 do
      local rest = { 1, -1, 0, 0, 0, -c }
      for k = 1, 4 do
        rest[k + 1], rest[k + 2] = (rest[k + 1] - a * rest[k]) % p, (rest[k + 2] - b * rest[k]) % p
      end
      if rest[5] == 0 and rest[6] == 0 then quadratic = quadratic + 1 end
    end
  end
  return linear, quadratic
end
local z = 99 * ves.exponent.equilibrium(100, 4)[1] + 1
local linear5, quadratic5 = factors(99, 5)
local linear13, quadratic13 = factors(99, 13)
E:statement {
  id = "implicit-no-explicit", where = appendix, kind = "mathematical", proof = "prop:small",
  says = "The implicit equation for the release at convergence cannot be put in explicit form.",
  quantity = "psi = 4: the polynomial at the solved release; its linear and quadratic factors modulo 5, modulo 13",
  at = { "polynomial", "linear-5", "quadratic-5", "linear-13", "quadratic-13" },
  criterion = is.each { is.near(1e-9), is.exact(), is.exact(), is.exact(), is.exact(1) },
  breaks = "exponent.equilibrium=halved",
  cells = { printed = { { z ^ 5 - z ^ 4 - 99, linear5, quadratic5, linear13, quadratic13 }, exact = true } },
  note = "no formula in radicals for psi = 4; for psi = 1, 2 and 3 there is one",
}

local function squared_error(n, top, psi)
  local w = shapes.weights("uniform", n, 0)
  local d = ves.release.equilibrium(w, { rule = "power", psi = psi }) - ves.release.analytic(w)
  return (d ^ 2):slice(1, math.floor(top * n)):sum()
end
local function upper_error(n, psi) return math.sqrt(squared_error(n, P.top, psi)) end
E:statement {
  id = "top-psi-better", where = appendix, kind = "empirical", at = { "n=100", "n=1000" },
  says = "Leaving out smaller weights gives a psi that better estimates the larger ones' releases.",
  quantity = "root mean square error of the larger half at rest, psi of the top half over psi of all",
  criterion = is.each(is.below(1 - margins.differs)), breaks = "exponent.optimal=swapped",
  cells = { printed = { { upper_error(P.n, psi_top) / upper_error(P.n, psi_all),
                          upper_error(P.many, cases[4].psi) / upper_error(P.many, cases[3].psi) }, exact = true } },
  note = "by Appendix B's own error it holds by definition of a minimum",
}

--- So we look for the exponent again, with the same error but between the analytic release and the one at which
--- learning settles: the best of a grid, then golden sections around it.

local exponents = ves.range(1, math.floor(P.psi_max / P.psi_step)) * P.psi_step
local function truly_best(c)
  local f = function(psi) return squared_error(c.n, c.top, psi) end
  local k, golden = exponents:map(f):argmin(), (math.sqrt(5) - 1) / 2
  local low, high = math.max(0.5, k - 1) * P.psi_step, (k + 1) * P.psi_step
  for _ = 1, 30 do
    local a, b = high - golden * (high - low), low + golden * (high - low)
    if f(a) < f(b) then high = b else low = a end
  end
  return (low + high) / 2
end
local truly = stats.collect(4, function(k) return truly_best(cases[k]) end)
E:number({ "PsiHundredSettled", "PsiHundredTopSettled", "PsiThousandSettled", "PsiThousandTopSettled" }, truly, nil,
  { digits = 3 })
E:table("settled", { n_column, top_column, { "psi", "best exponent at the fixed point of the mean dynamics" },
  { "printed", "best exponent as printed" } },
  { { { P.n, P.n, P.many, P.many }, { 1.0, P.top, 1.0, P.top }, truly, wanted } })

--- The printed digits decide: half a unit of the last one is the margin. "The top half" does not fix the upper limit of
--- the integral; $n/2$ is the one that gives 6.25, the middle of the range from 1 to $n$ is a little more.

local function exponent(k, digits, spec)
  spec.quantity = k % 2 == 1 and "minimum of the printed integral" or "minimum of the printed integral up to n/2"
  spec.criterion, spec.cells = is.near(digits, wanted[k]), { printed = { cases[k].psi, exact = true } }
  spec.further = { { reading = "sum over ranks", cases[k + 4].psi, exact = true },
                   { reading = "at rest", truly[k], exact = true, kind = "empirical",
                     quantity = "least squared error of the resting point" } }
  if k % 2 == 0 then
    spec.further[3] = { reading = "up to the middle of 1 to n", exact = true, quantity = "minimum up to (n + 1)/2",
                        (ves.exponent.optimal(cases[k].n, { top = (cases[k].n + 1) / (2 * cases[k].n) })) }
  end
  return spec
end
E:statements {
  where = appendix, kind = "mathematical", breaks = "exponent.optimal=swapped",
  exponent(1, 0.05, { id = "psi-100", says = "The best constant exponent is 4.4 for 100 equal weights." }),
  exponent(2, 0.005, { id = "psi-100-top", looked = true,
    says = "The best constant exponent is 6.25 for the larger half of 100." }),
  exponent(3, 0.05, { id = "psi-1000", says = "The best constant exponent is 6.6 for 1000 equal weights." }),
  exponent(4, 0.05, { id = "psi-1000-top", looked = true,
    says = "The best constant exponent is 9.5 for the larger half of 1000." }),
}

--- ## One exponent for all sizes
---
--- "Constant values of $\psi$ appear to be adequately accurate across values of $n$." For each exponent we take the
--- worst total variation of the winners over sizes; the best such exponent is the most that one constant can do. The
--- original's argument is about equal weights; two bells are the kinder case.

local adequate, rows = {}, {}
for _, shape in ipairs { "uniform", "bimodal" } do
  local tv = stats.collect(P.sizes, function(n)
    local w = shapes.weights(shape, n, P.floor)
    return exponents:map(function(psi)
      return shapes.distance(w, ves.release.equilibrium(w, { rule = "power", psi = psi }))
    end)
  end)
  for i, n in ipairs(P.sizes) do rows[#rows + 1] = { shape, n, exponents, tv[i] } end
  local worst = stats.collect(#exponents, function(k) return tv:col(k):max() end)
  adequate[shape] = { psi = exponents[worst:argmin()], worst = worst:min() }
end
E:table("adequacy", { { "shape", "of the weights" }, { "n", "weights" }, { "psi", "exponent" },
  { "tv", "total variation of winners from encoded at the fixed point" } }, rows)
local function worst(shape)
  return { adequate[shape].worst, exact = true, beside = { psi = adequate[shape].psi } }
end
local two_bells = worst "bimodal"
two_bells.reading, two_bells.quantity = "two bells", "the same, two bells"
E:statement {
  id = "constant-psi-adequate", says = "Constant psi is adequately accurate across values of n.", where = appendix,
  kind = "empirical", breaks = "release.equilibrium=analytic", criterion = is.below(margins.closely),
  quantity = "worst total variation of winners at rest over sizes of the best constant, equal weights",
  cells = { printed = worst "uniform" }, further = { two_bells }, note = "the constant is chosen to be best: generous",
}

--- Errors in the releases of the largest weights are said to have the largest effect. Let the release of rank $i$ alone
--- be wrong by $\delta$. The winners then differ by $\delta \prod_{j<i} (1 - q_j)$, which falls with rank; and if the
--- error is a fixed part of the release itself, by that part of $p_i$, which falls too.

local w = shapes.weights("bimodal", P.rescale_n, P.floor)
local q, order = ves.release.analytic(w), shapes.ranking(w)
local function steepest(change)
  local effect = stats.collect(#order - 1, function(r)
    local wrong = q:copy()
    wrong[order[r]] = change(q[order[r]])
    return shapes.distance(w, wrong)
  end)
  return (effect:slice(2) - effect:slice(1, #effect - 1)):max()
end
E:statement {
  id = "largest-matter-most", where = appendix, kind = "mathematical", proof = "prop:small",
  at = { "absolute", "relative" },
  says = "Errors in the releases of the largest weights change the distribution most.",
  quantity = "largest rise of the total variation from one rank to the next, one release wrong by 0.01, or by 10%",
  criterion = is.each(is.below(margins.exact)), breaks = "release.analytic=reversed",
  cells = { printed = { { steepest(function(x) return x - 0.01 end), steepest(function(x) return 0.9 * x end) },
                        exact = true } },
}

--- ## Rescaling, the mean adjustment
---
--- For equal weights the rescaled target is $1/(n-i+1)$ in every single sample. For other weights it is said to be
--- right on average over weights, and wrong for each, toward the mean.

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
    proof = "prop:fixed", breaks = "release.equilibrium=raw", cells = { printed = {
      (ves.release.equilibrium(equal, { rule = "rescale" }) - analytic):abs():max(), exact = true } } },
  { id = "rescale-unbiased-across", says = "For other weights rescaled releases are unbiased across weights ...",
    quantity = "mean release at rest over that of the mapping, two bells", criterion = is.within(margins.closely),
    breaks = "release.equilibrium=raw", cells = { printed = { rescaled:mean() / q:mean(), exact = true } } },
  { id = "rescale-mean-only", says = "... but highly biased per weight ...", criterion = is.above(margins.roughly),
    quantity = "largest relative deviation of a release from the mapping at rest",
    cells = { printed = { (rescaled / q - 1):abs():max(), exact = true } } },
  { id = "rescale-modes-narrow", says = "... underestimating the variance of the modes ...", at = { "first", "second" },
    quantity = "variance of each mode of the winners over the encoded, at rest",
    criterion = is.each(is.below(1 - margins.differs)), cells = { printed = { variance, exact = true } } },
  { id = "rescale-modes-pointed", says = "... and their platykurtosis.", at = { "first", "second" },
    quantity = "excess kurtosis of each mode less the encoded, at rest", criterion = is.each(is.above(margins.differs)),
    cells = { printed = { kurtosis, exact = true } } },
}

--- An exponent is said to shrink smaller values more than larger ones and so to exaggerate their differences. Of the
--- target that is calculus; of the releases at rest it is a slope of logarithms, with the exponent against without.

local function log_rest(o) return ves.release.equilibrium(w, o):map(math.log) end
E:statement {
  id = "exponent-exaggerates", where = appendix, kind = "empirical", breaks = "release.equilibrium=raw",
  says = "An exponent shrinks smaller values more than larger ones, exaggerating differences among them.",
  quantity = "slope of log release of the power rule (psi = 4.4) on that of the raw rule, at rest, two bells",
  criterion = is.above(1 + margins.differs), cells = { printed = { exact = true,
    stats.regression(log_rest { rule = "raw" }, log_rest { rule = "power", psi = psi_all }).slope } },
}

--- ## The size of the subset
---
--- The analysis rests on $\lvert\mathbf s\rvert \approx (n-i)\,\hat q_i + 1$. Differs from [app:subset-size]: the
--- members weaker than $i$ have releases of their own, so the expectation is $1 + \sum_{j>i} q_j$. It equals
--- $(n-i)\,\mathrm E[q_j] + 1$ if the mean is over all weaker synapses; over the members of the subset, as the printed
--- index has it, high releases count more often than low ones.

local exact, as_printed = ves.exponent.subset_size(analytic, 1)
E:number("SubsetExact", exact)
E:number("SubsetPrinted", as_printed)

local ranks = stats.collect(P.n - 1, function(i)
  return { size = (ves.exponent.subset_size(analytic, i)), mean = analytic:slice(i + 1):mean() }
end)
local weaker = analytic:slice(2)
E:statements {
  where = subset_dependent, kind = "mathematical", breaks = "release.analytic=uniform",
  { id = "subset-size", says = "The subset below rank i has about (n-i) q_i + 1 members.", where = appendix,
    quantity = "the size given over the exact mean size, strongest of 100 equal weights",
    criterion = is.within(margins.roughly), cells = { printed = { as_printed / exact, exact = true },
                                                      corrected = { (1 + weaker:sum()) / exact, exact = true } },
    note = "corrected: 1 plus the sum of weaker releases, so by linearity" },
  { id = "subset-mean-size", says = "The subset has on average about (n-i) E[q] + 1 members, E over the subset.",
    quantity = "(n-1) E[q over members] + 1 over the exact mean size, strongest of 100 equal weights",
    criterion = is.within(margins.roughly),
    cells = { printed = { ((P.n - 1) * (weaker ^ 2):sum() / weaker:sum() + 1) / exact, exact = true } },
    note = "with E over all weaker synapses it is so by definition" },
  { id = "penalty-smallest", at = { "size", "release" }, criterion = is.each(is.below(0)), proof = "prop:small",
    says = "The penalty is smallest for small weights: fewer possible members, of higher release.",
    quantity = "largest growth with rank of the mean size, and of minus the mean release of the weaker, equal weights",
    cells = { printed = { { -increase(-ranks.size), -increase(ranks.mean) }, exact = true } } },
}

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
                quantity = "the same with the release of the synapse itself as chance" } },
}

E:finish()
