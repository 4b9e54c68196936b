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
local judge = require "vesicle.judge"
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
local appendix = "Appendix B, unbiased mean adjustment"

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

--- The four printed optima are printed to one or two decimals; half a unit of the last one is the margin.

local wanted = { 4.4, 6.25, 6.6, 9.5 }
E:claims {
  where = appendix, reading = "printed", note = "minimum of the integral, to the digits printed",
  { id = "psi-100", says = "The best constant exponent is 4.4 for 100 equal weights", measured = cases[1].psi,
    expected = wanted[1], judge = judge.near(0.05) },
  { id = "psi-100-top", says = "The best constant exponent is 6.25 for the larger half of 100 equal weights",
    measured = cases[2].psi, expected = wanted[2], judge = judge.near(0.005) },
  { id = "psi-1000", says = "The best constant exponent is 6.6 for 1000 equal weights", measured = cases[3].psi,
    expected = wanted[3], judge = judge.near(0.05) },
  { id = "psi-1000-top", says = "The best constant exponent is 9.5 for the larger half of 1000 equal weights",
    measured = cases[4].psi, expected = wanted[4], judge = judge.near(0.05) },
}
for k, names in ipairs { { "PsiHundred", "PsiHundredSum" }, { "PsiHundredTop", "PsiHundredTopSum" },
                         { "PsiThousand", "PsiThousandSum" }, { "PsiThousandTop", "PsiThousandTopSum" } } do
  E:number(names, { cases[k].psi, cases[k + 4].psi }, nil, { digits = 4 })
end
E:claim { id = "psi-sum", says = "The four best exponents are the same for a sum over whole ranks", where = appendix,
  reading = "sum over ranks", measured = stats.collect(4, function(k) return cases[k + 4].psi end), expected = wanted,
  judge = judge.every(judge.near(0.05)), note = "100, top half of 100, 1000, top half of 1000" }

local sizes = ves.range(0, 24):map(function(k) return math.floor(10 ^ (1 + k / 8) + 0.5) end)
local function best_for(top, form)
  return sizes:map(function(n) return (ves.exponent.optimal(math.tointeger(n), { top = top, form = form })) end)
end
local all, half = best_for(1.0, "integral"), best_for(P.top, "integral")
E:table("optima", { form_column, top_column, n_column, { "psi", "best exponent" } }, { { "integral", 1.0, sizes, all },
  { "integral", P.top, sizes, half }, { "sum", 1.0, sizes, best_for(1.0, "sum") },
  { "sum", P.top, sizes, best_for(P.top, "sum") } })
local function increase(psi) return (psi:slice(2) - psi:slice(1, #psi - 1)):min() end
E:claim { id = "psi-grows", says = "The best exponent increases with the number of weights", where = appendix,
  reading = "printed", measured = { increase(all), increase(half) }, expected = 0,
  judge = judge.every(judge.greater_than()),
  note = "least increase between neighbouring sizes from 10 to 10,000; all ranks, top half" }

--- An exponent shrinks small numbers by a larger factor than large ones: $x^{\psi-1} < y^{\psi-1}$ for
--- $0 < x < y < 1$ and $\psi > 1$.

local shares = ves.range(1, 100) / 100
local gap = stats.collect({ 1.01, 2, 4, P.psi_max }, function(psi) return increase(shares ^ (psi - 1)) end):min()
E:claim { id = "exponent-exaggerates", says = "An exponent shrinks smaller targets more than larger ones, exaggerating "
    .. "their differences", where = appendix, reading = "printed", measured = gap, expected = 0,
  judge = judge.proved_if(judge.greater_than()), note = "least growth of the shrinking factor along (0, 1)" }

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
local near = "The release at convergence is approximately the analytic one"
E:claim { id = "equilibrium-near-target", says = near, where = appendix, reading = "printed", measured = off(implicit),
  expected = 0, judge = judge.near(margins.closely),
  note = string.format("root of the implicit equation: sum |q - analytic| / sum of analytic; its winners have a total "
    .. "variation of %.3f", shapes.distance(equal, implicit)) }
E:claim { id = "equilibrium-near-target-exact", says = near, where = appendix, reading = "equilibrium",
  measured = off(settled), expected = 0, judge = judge.near(margins.closely),
  note = string.format("fixed point of the mean dynamics; its winners have a total variation of %.3f",
    shapes.distance(equal, settled)) }

local function squared_error(n, top, psi)
  local w = shapes.weights("uniform", n, 0)
  local d = ves.release.equilibrium(w, { rule = "power", psi = psi }) - ves.release.analytic(w)
  return (d ^ 2):slice(1, math.floor(top * n)):sum()
end
local function upper_error(n, psi) return math.sqrt(squared_error(n, P.top, psi)) end
E:claim { id = "top-psi-better", says = "An exponent fitted to the larger weights estimates their releases better",
  where = appendix, reading = "equilibrium", expected = 1, judge = judge.every(judge.less_than()),
  measured = { upper_error(P.n, psi_top) / upper_error(P.n, psi_all),
               upper_error(P.many, cases[4].psi) / upper_error(P.many, cases[3].psi) },
  note = "root mean square error of the larger half at the fixed point, as a multiple of that of the exponent for all; "
    .. "n = 100, 1000" }

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
E:claim { id = "psi-equilibrium", says = "The four printed exponents are the best at the point where learning settles",
  where = appendix, reading = "equilibrium", measured = truly, expected = wanted, judge = judge.every(judge.within()),
  note = "least squared error of the fixed point; 100, top half of 100, 1000, top half of 1000" }

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
for _, row in ipairs {
  { id = "constant-psi-adequate", shape = "uniform", reading = "printed", of = "equal weights" },
  { id = "constant-psi-adequate-bimodal", shape = "bimodal", reading = "two bells", of = "two bells" } } do
  E:claim { id = row.id, says = "One constant exponent is adequately accurate across sizes, " .. row.of,
    where = appendix, reading = row.reading, measured = adequate[row.shape].worst, expected = margins.closely,
    judge = judge.less_than(),
    note = string.format("worst total variation over sizes of the best constant, %.2f", adequate[row.shape].psi) }
end

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
E:claim { id = "largest-matter-most", where = appendix, reading = "printed", expected = 0,
  says = "Errors in the releases of the largest weights change the distribution most",
  judge = judge.proved_if(judge.every(judge.less_than(margins.exact))),
  measured = { steepest(function(x) return x - 0.01 end), steepest(function(x) return 0.9 * x end) },
  note = "largest rise of the effect from one rank to the next; absolute error, relative error" }

--- ## Rescaling, the mean adjustment
---
--- For equal weights the rescaled target is $1/(n-i+1)$ in every single sample. For other weights it is said to be
--- right on average over weights, and wrong for each, toward the mean.

local rescaled = ves.release.equilibrium(w, { rule = "rescale" })
E:claims {
  where = "Appendix B, mean bias adjustment", reading = "equilibrium",
  { id = "rescale-exact-uniform", says = "For equal weights, rescaling gives the analytic release exactly",
    reading = "printed", measured = (ves.release.equilibrium(equal, { rule = "rescale" }) - analytic):abs():max(),
    expected = 0, judge = judge.proved_if(judge.near(margins.exact)),
    note = "largest difference over ranks at the fixed point" },
  { id = "rescale-unbiased-across", says = "For other weights, rescaled releases are unbiased across weights",
    measured = rescaled:mean(), expected = q:mean(), judge = judge.within(), note = "mean release over two bells" },
  { id = "rescale-mean-only", says = "Rescaled releases are highly biased per weight",
    measured = (rescaled / q - 1):abs():max(), expected = margins.closely, judge = judge.greater_than(),
    note = "largest relative deviation from the mapping" },
  { id = "rescale-toward-mean", says = "The bias of rescaled releases is toward their mean value",
    measured = stats.regression(q, rescaled).slope, expected = 1, judge = judge.less_than(),
    note = "slope on the analytic releases" },
}

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
E:claims {
  where = "Appendix B, mean bias adjustment", reading = "equilibrium",
  { id = "rescale-modes-narrow", says = "Rescaling underestimates the variance of the modes", measured = variance,
    expected = 1, judge = judge.every(judge.less_than()),
    note = "variance of each mode, as a multiple of the encoded" },
  { id = "rescale-modes-pointed", says = "Rescaling underestimates how flat-topped the modes are", measured = kurtosis,
    expected = 0, judge = judge.every(judge.greater_than()), note = "excess kurtosis of each mode, less the encoded" },
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
E:claim { id = "subset-size", says = "The subset below rank i has about (n-i) q + 1 members", where = appendix,
  reading = "printed", measured = as_printed, expected = exact, judge = judge.within(margins.roughly),
  note = "equal weights, strongest synapse, analytic releases; expected is the exact mean size" }

local ranks = stats.collect(P.n - 1, function(i)
  return { size = (ves.exponent.subset_size(analytic, i)), mean = analytic:slice(i + 1):mean() }
end)
local from_mean = (P.n - ves.range(1, P.n - 1)) * ranks.mean + 1
local weaker = analytic:slice(2)
E:claims {
  where = "Appendix B, subset-dependent exponent", reading = "printed",
  { id = "subset-mean-size", says = "The mean size of the subset is (n-i) E[q] + 1", expected = 0,
    reading = "E[q] over all weaker synapses", measured = ((from_mean - ranks.size):abs() / ranks.size):max(),
    judge = judge.proved_if(judge.near(margins.exact)),
    note = "largest relative difference over ranks, equal weights" },
  { id = "subset-mean-size-printed", says = "The mean size of the subset is about (n-i) E[q] + 1", expected = exact,
    measured = (P.n - 1) * (weaker ^ 2):sum() / weaker:sum() + 1, judge = judge.within(margins.roughly),
    note = "E[q] over members of the subset; strongest of equal weights" },
  { id = "penalty-smallest", measured = { -increase(-ranks.size), -increase(ranks.mean) }, expected = 0,
    says = "The exponent is smaller for smaller weights: fewer possible members, of higher release",
    judge = judge.every(judge.less_than()),
    note = "largest growth with rank of the mean size, and of minus the mean release of the weaker; equal weights" },
}

E:finish()
