--- # Errata
---
--- Twelve places of the original do not say what its own definitions imply. Most are slips of the pen
--- and change nothing; three (E1, E9, E10) change results. Each is measured here twice, as printed and
--- as corrected, so that a reader can check both without taking our word. Nothing below is sampled:
--- every number is computed, and a claim counts as *refuted* only if the printed form misses and the
--- corrected form holds.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local judge = require "vesicle.judge"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local shapes = require "vesicle.model.shapes"

local E = ex.new {
  name = "15_errata", title = "Errata of the original, each measured",
  params = {
    outputs = { 100, about = "size of a weight vector (E5 to E8)" },
    largest = { 100000, quick = 10000, about = "the largest network of E9" },
    steps = { 60, quick = 30, about = "points of a curve" },
    enumerated = { 12, about = "weights whose subsets are all enumerated (E12)" },
    rows = { 4000, about = "rows of data behind the network of E10 and E11" },
  },
}
local P = E.params

local rows = {}

--- A printed statement and its correction, each with the amount by which it misses.
local function erratum(spec)
  local short = spec.id:match("e%d+$"):upper()
  local miss, hold = spec.miss or judge.greater_than(margins.exact), spec.hold or judge.less_than(margins.exact)
  rows[#rows + 1] = { short, spec.where, spec.printed, spec.right, spec.quantity,
    spec.measured[1], spec.measured[2] }
  E:claim {
    id = spec.id, says = spec.says, where = spec.where, reading = "printed",
    measured = spec.measured, expected = { 0, 0 },
    judge = judge.refuted_if(function(m, _, claim) return miss(m[1], nil, claim) and hold(m[2], nil, claim) end),
    note = "corrected: " .. spec.right .. "; measured: " .. spec.quantity .. ", as printed and as corrected"
      .. (spec.remark and "; " .. spec.remark or ""),
  }
end

local function logarithmic(lo, hi, step) return lo * (hi / lo) ^ ((step - 1) / (P.steps - 1)) end

--- ## E1: the release that carries the Beta variance
---
--- The weight is $w/\phi$ with probability $\phi$ and 0 otherwise, so its variance is
--- $w^2(1-\phi)/\phi$, to be equated with that of Beta(A, B). With $C = A^2 + AB + A$ this reads
--- $C(1-\phi) = B\phi$, hence $\phi = C/(C+B)$. The printed root solves $C(1-\phi) = B\phi^2$, and so
--- delivers $\phi$ times the wanted variance. Differs from [eq:beta2dropoutvar]: our default is the
--- exact root.

local function delivered(A, B, root)
  local phi, rest = ves.release.epistemic(A, B, root)
  local w, n = A / (A + B), A + B
  return w * w * rest / phi / (A * B / (n * n * (n + 1))), phi
end

local variance, worst_printed, worst_exact, identity = {}, 0, 0, 0
for step = 1, P.steps do
  local n = logarithmic(0.1, 1000, step)
  local row = { n }
  for _, w in ipairs { 0.05, 0.5, 0.95 } do
    local ratio, phi = delivered(w * n, (1 - w) * n, "printed")
    local exact = delivered(w * n, (1 - w) * n, "exact")
    row[#row + 1] = ratio
    worst_printed, worst_exact = math.max(worst_printed, math.abs(ratio - 1)),
      math.max(worst_exact, math.abs(exact - 1))
    identity = math.max(identity, math.abs(ratio - phi))
  end
  variance[step] = row
end
E:table("e1_variance", { { "evidence", "A + B" },
  { "printed_w05", "variance delivered by the printed root over that of Beta(A,B), at weight 0.05" },
  { "printed_w50", "the same at weight 0.5" }, { "printed_w95", "the same at weight 0.95" } }, variance)
E:number("ErratumVarianceIdentity", identity)
erratum {
  id = "erratum-e1", where = "eq:beta2dropoutvar", measured = { worst_printed, worst_exact },
  says = "the printed release probability gives a weight the variance of its Beta distribution",
  printed = "Phi = (sqrt(C^2 + 4BC) - C) / 2B", right = "Phi = C / (C + B)",
  quantity = "largest relative error of the variance",
}

--- ## E2: the remark for A = B
---
--- At $A = B$ the exact root is $1 - 1/(A+B+2)$, with equality; the remark's $1 - 1/(A+B+3)$
--- approximates the printed root. What matters is the failure probability $1 - \phi$.

local remark, off_remark, off_exact = {}, 0, 0
for step = 1, P.steps do
  local n = logarithmic(0.1, 100, step)
  local _, exact = ves.release.epistemic(n / 2, n / 2, "exact")
  local _, printed = ves.release.epistemic(n / 2, n / 2, "printed")
  remark[step] = { n, exact, printed, 1 / (n + 3), 1 / (n + 2) }
  off_remark = math.max(off_remark, math.abs(1 / (n + 3) / exact - 1))
  off_exact = math.max(off_exact, math.abs(1 / (n + 2) / exact - 1))
end
E:table("e2_remark", { { "evidence", "A + B, with A = B" }, { "exact", "failure probability of the exact root" },
  { "printed", "failure probability of the printed root" }, { "remark", "1/(A+B+3)" },
  { "corrected", "1/(A+B+2)" } }, remark)
erratum {
  id = "erratum-e2", where = "after eq:beta2dropoutvar", measured = { off_remark, off_exact },
  says = "for A = B the release is close to 1 - 1/(A+B+3)", printed = "1 - 1/(A+B+3)", right = "1 - 1/(A+B+2)",
  quantity = "largest relative error of the failure probability", miss = judge.greater_than(margins.closely),
}

--- ## E3: whose moments they are
---
--- [eq:betamean] and [eq:betavar] are called the moments of Beta(A+1, B+1). They are those of
--- Beta(A, B); of Beta(A+1, B+1), $A/(A+B)$ is the mode. Both means by Simpson's rule.

local A, B = 2, 6
local function beta_kernel(a, b) return function(z) return z ^ (a - 1) * (1 - z) ^ (b - 1) end end
local function simpson(f)
  local m, sum = 2000, f(0) + f(1)
  for i = 1, m - 1 do sum = sum + (i % 2 == 1 and 4 or 2) * f(i / m) end
  return sum / (3 * m)
end
local function mean_of(a, b)
  local f = beta_kernel(a, b)
  return simpson(function(z) return z * f(z) end) / simpson(f)
end
local mass, mass1, density = simpson(beta_kernel(A, B)), simpson(beta_kernel(A + 1, B + 1)), {}
for step = 0, P.steps do
  local z = step / P.steps
  density[step + 1] = { z, beta_kernel(A, B)(z) / mass, beta_kernel(A + 1, B + 1)(z) / mass1 }
end
E:table("e3_density", { { "w", "weight" }, { "beta_ab", "density of Beta(2,6)" },
  { "beta_ab1", "density of Beta(3,7)" } }, density)
E:table("e3_mean", { { "said", "A/(A+B)" }, { "mean_ab", "mean of Beta(2,6)" },
  { "mean_ab1", "mean of Beta(3,7)" } }, { { A / (A + B), mean_of(A, B), mean_of(A + 1, B + 1) } })
erratum {
  id = "erratum-e3", where = "eq:betamean, eq:betavar",
  measured = { math.abs(mean_of(A + 1, B + 1) - A / (A + B)), math.abs(mean_of(A, B) - A / (A + B)) },
  says = "A/(A+B) is the mean of Beta(A+1, B+1)", printed = "mean of Beta(A+1,B+1)", right = "mean of Beta(A,B)",
  quantity = "distance of A/(A+B) from the mean, A = 2, B = 6",
}

--- ## E4: a share that is said to decline
---
--- In the second data model $p(x) = \mathrm{logit}^{-1}(x/2)$ weights the component at $-2$, which
--- is described as one of declining density. As printed, its density rises. [data:bimodal]

local printed, declining, share = models.bimodal(), models.bimodal { declining = true }, {}
for step = 0, P.steps do
  local x = -4 + 8 * step / P.steps
  share[step + 1] = { x, printed.share(x), declining.share(x) }
end
E:table("e4_share", { { "x", "input" }, { "printed", "share of the component at -2 as printed" },
  { "declining", "the same with 1 - p(x)" } }, share)
erratum {
  id = "erratum-e4", where = "Network simulations, second data model",
  measured = { printed.share(4) - printed.share(-4), declining.share(4) - declining.share(-4) },
  says = "the component with fixed mean has a declining density", printed = "p(x) = logit^-1(x/2)",
  right = "1 - p(x)", quantity = "change of its share from x = -4 to 4",
  miss = judge.greater_than(0), hold = judge.less_than(0),
}

--- ## E5 and E6: two indices
---
--- The largest weight has $q_1 = p_1$; the text writes $q_i = p_i$. And the last line of Appendix A
--- sums to $n$ where it must sum to $k$: as printed, $1 - \sum_j^n p_j = 0$ and nothing is left.
--- [eq:mapping]

local w = shapes.weights("bimodal", P.outputs)
local order = shapes.ranking(w)
local p, q = shapes.pick(w, order), shapes.pick(ves.release.analytic(w), order)
local ranks, off_qp, off_n, off_k, before = {}, 0, 0, 0, 0.0
for i = 1, #p do
  ranks[i] = { i, p[i], q[i], q[i] * math.abs(1 - p:sum()), q[i] * (1 - before) }
  off_qp = math.max(off_qp, math.abs(q[i] - p[i]))
  off_n = math.max(off_n, math.abs(q[i] * (1 - p:sum()) - p[i]))
  off_k = math.max(off_k, math.abs(q[i] * (1 - before) - p[i]))
  before = before + p[i]
end
E:table("e5_ranks", { { "rank", "rank of the weight, 1 = strongest" }, { "p", "encoded probability" },
  { "q", "analytic release" }, { "to_n", "Appendix A's last line as printed" },
  { "to_k", "the same summed to k" } }, ranks)
erratum {
  id = "erratum-e5", where = "Transmission probability, first step", measured = { off_qp, math.abs(q[1] - p[1]) },
  says = "the release equals the encoded probability, q_i = p_i", printed = "q_i = p_i", right = "q_1 = p_1",
  quantity = "largest |q - p| over the ranks meant",
}
erratum {
  id = "erratum-e6", where = "Appendix A, last line", measured = { off_n, off_k },
  says = "p_{k+1} = q_{k+1} (1 - sum of p_j up to n)", printed = "sum to n", right = "sum to k",
  quantity = "largest error of p_{k+1}",
}

--- ## E7: how large a subset is
---
--- When weight $i$ is the strongest that transmits, the expected size of the subset is
--- $1 + \sum_{j>i} q_j$. Appendix B puts $(n-i)q_i + 1$, which takes all weaker releases to equal
--- $q_i$, where they are larger. [app:subset-size]

local uniform_q, sizes, off_size = ves.vector(P.outputs, 0), {}, 0
for i = 1, P.outputs do uniform_q[i] = 1 / (P.outputs - i + 1) end
local tail = 1.0
for i = P.outputs, 1, -1 do
  local exact, as_printed = ves.exponent.subset_size(uniform_q, i)
  sizes[i] = { i, exact, as_printed, exact / as_printed }
  off_size = math.max(off_size, math.abs(exact - tail))
  tail = tail + uniform_q[i]
end
E:table("e7_size", { { "rank", "rank of the strongest member" }, { "exact", "expected size of the subset" },
  { "printed", "(n-i) q_i + 1" }, { "ratio", "exact over printed" } }, sizes)
E:number("ErratumSubsetFactor", sizes[1][4])
erratum {
  id = "erratum-e7", where = "Appendix B, unbiased mean adjustment",
  measured = { math.abs(sizes[1][3] / sizes[1][2] - 1), off_size },
  says = "the subset below weight i has about (n-i) q_i + 1 members", printed = "(n-i) q_i + 1",
  right = "1 + sum over j > i of q_j", quantity = "error of the expected size (relative at rank 1; largest)",
  miss = judge.greater_than(margins.roughly), hold = judge.less_than(1e-9),
}

--- ## E8: the strongest output of Appendix C
---
--- Fixing $j$ to the output $J$ of largest mean makes the argument of the normal distribution
--- function zero at $i = J$, so $\hat p_J = 1/2$ whatever is asked for. In the form with the minimum,
--- $\hat p_J \ge 1/2$. The system has a solution only if $p_J = 1/2$ (or above).
--- [app:normal-approximation]

local strongest, off_half, off_target = {}, 0, 0
for step = 1, P.steps do
  local spread = logarithmic(0.02, 0.5, step)
  local shape = ves.vector(21, 0)
  for j = 1, 21 do shape[j] = math.exp(-((j - 11) / 20 / spread) ^ 2 / 2) end
  local W = ves.matrix { shape, shape * 0.8 }
  local Q = ves.release.normalise(ves.release.analytic(W), { 1, 1 }, "count")
  local fixed, J = ves.multi.normal_approximation(W, Q, { 1, 1 })
  local least = ves.multi.normal_approximation(W, Q, { 1, 1 }, { form = "min" })
  local wanted = ves.multi.mixture(W, { 1, 1 })
  strongest[step] = { wanted[J], fixed[J], least[J] }
  off_half, off_target = math.max(off_half, math.abs(fixed[J] - 0.5)),
    math.max(off_target, math.abs(fixed[J] - wanted[J]))
end
E:table("e8_strongest", { { "wanted", "encoded probability of the strongest output" },
  { "fixed", "Appendix C's value, j fixed to the strongest" },
  { "min", "Appendix C's value, minimum over j" } }, strongest)
erratum {
  id = "erratum-e8", where = "Appendix C", measured = { off_target, off_half },
  says = "releases can be solved for such that the normal approximation equals the encoded probability of every output",
  printed = "cdf(0) = p_J", right = "cdf(0) = 1/2", quantity = "largest error at the strongest output",
  miss = judge.greater_than(margins.negligible),
}

--- ## E9: do the tails vanish?
---
--- "If transmission probabilities are simply uniform or proportional to the synaptic weights", the
--- introduction says, the tails vanish as the network grows. Uniform release: they do. Proportional
--- release: it depends on the constant. With $q = w/\sum w$ the chance of the weakest, given that
--- something transmits, tends to $e^{-1}/(1 - e^{-1})$ of what is encoded; with $q = cw$ and a
--- constant $c$ it vanishes. Weights fall linearly from 1 to a tenth. [eq:winner]

local tails, bounded = {}, math.exp(-1) / (1 - math.exp(-1))
for step = 4, math.floor(4 * math.log(P.largest, 10) + 0.5) do
  local n = math.floor(10 ^ (step / 4) + 0.5)
  local weights = 1 - ves.range(0, n - 1) * 0.9 / (n - 1)
  local encoded = weights[n] / weights:sum()
  local row = { n }
  for _, release in ipairs { ves.vector(n, 0.1), weights * 0.1, weights / weights:sum() } do
    local win, nothing = ves.winner.exact(weights, release)
    row[#row + 1] = win[n] / (1 - nothing) / encoded
  end
  tails[#tails + 1] = row
end
E:table("e9_tails", { { "n", "number of weights" },
  { "uniform", "chance of the weakest over its encoded probability, q = 0.1" }, { "constant", "the same, q = 0.1 w" },
  { "normalised", "the same, q = w / sum of w" } }, tails)
local last = tails[#tails]
E:number("ErratumTailNormalised", last[4])
erratum {
  id = "erratum-e9", where = "Introduction, lateral inhibition", measured = { last[4], math.max(last[2], last[3]) },
  says = "with uniform or proportional release the tails vanish as the network grows",
  printed = "proportional release loses the tails", right = "only if the sum of releases grows with the network",
  quantity = "chance of the weakest over the encoded one in the largest network (q = w/sum w; uniform and q = cw)",
  miss = judge.greater_than(margins.vanishes), hold = judge.less_than(margins.vanishes),
}
E:claim {
  id = "tails-limit", says = "with q = w / sum of w the weakest keeps e^-1/(1 - e^-1) of its encoded probability",
  where = "this project, on the introduction's proportional release", reading = "q = w / sum of w",
  measured = last[4], expected = bounded, judge = judge.within(margins.vanishes),
}

--- ## E10: whose mixture it is
---
--- Activating several inputs gives $W'x$, which is a mixture of the rows' distributions with weights
--- $x_i R_i$, $R_i$ the row's sum, and not $x_i$: a row that has seen no data has many times the sum
--- of one that has, and outweighs it. [eq:mixture]

local net = models.network(models.simple(), E.rng:stream("network"), { rows = P.rows })
local code, W = models.code(), net:weights()
local sums, conditional = W:row_sums(), W:normalise():transpose()
local mixing, off_equal, off_sums = {}, 0, 0
for step = 0, P.steps do
  local x = -4 + 0.35 * step / P.steps
  local activity = models.activity(code, x)
  local encoded = ves.multi.mixture(W, activity)
  local equal, weighted = conditional:mul(activity), conditional:mul(activity * sums)
  local off = ves.score.total_variation(encoded, equal / equal:sum())
  mixing[step + 1] = { x, off }
  off_equal = math.max(off_equal, off)
  off_sums = math.max(off_sums, ves.score.total_variation(encoded, weighted / weighted:sum()))
end
E:table("e10_mixture", { { "x", "input, beside the trained x = -4" },
  { "tv", "total variation of W'x from the mixture with weights x_i" } }, mixing)
E:number("ErratumRowSumPrior", sums[code:encode(-3):argmax()])
E:number("ErratumRowSumData", sums[code:encode(-2):argmax()])
erratum {
  id = "erratum-e10", where = "Introduction and Theoretical model, marginalisation", measured = { off_equal, off_sums },
  says = "co-active inputs give the mixture of their conditional distributions, weighted by their activity",
  printed = "weights x_i", right = "weights x_i R_i",
  quantity = "largest total variation from W'x near a trained input",
  miss = judge.greater_than(margins.negligible),
}

--- ## E11: the weakest synapse
---
--- "The absolute smallest weights transmit 100% of the time": true of the mapping, $q_n = 1$. Once
--- releases are divided among inputs or multiplied by $\Phi$ it is no longer so, and a draw may
--- transmit nothing. It does matter: that synapse is what kept draws from being empty.

local Q = ves.release.analytic(W)
local Qbar = ves.release.combine(ves.release.epistemic(net.A, net.B), Q)
local least, empties, largest_single, smallest_combined = {}, {}, 0, 1
for _, x in ipairs(models.simple().inputs) do
  local activity = models.activity(code, x)
  local i = activity:argmax()
  local weakest = W[i]:argmin()
  local divided = ves.release.normalise(Q, activity)
  local _, nothing = ves.winner.exact(W, divided, activity)
  local _, nothing_phi = ves.winner.exact(W, ves.release.normalise(Qbar, activity), activity)
  least[#least + 1] = { x, Q:get(i, weakest), divided:get(i, weakest), Qbar:get(i, weakest), nothing, nothing_phi }
  empties[#empties + 1] = nothing_phi
  largest_single = math.max(largest_single, math.abs(Q:get(i, weakest) - 1))
  smallest_combined = math.min(smallest_combined, Qbar:get(i, weakest))
end
E:table("e11_weakest", { { "x", "input" }, { "mapping", "release of the weakest synapse of the most active input" },
  { "divided", "after division" }, { "combined", "after multiplying by Phi" },
  { "empty", "probability of an empty draw, divided" }, { "empty_combined", "the same with Phi" } }, least)
E:number("ErratumEmptyCombined", math.max(table.unpack(empties)))
erratum {
  id = "erratum-e11", where = "Results, release matrices", measured = { 1 - smallest_combined, largest_single },
  says = "under all methods the smallest weight transmits always",
  printed = "always", right = "only q_n of the mapping is 1",
  quantity = "failure probability of the weakest synapse (combined release; the mapping alone)",
  miss = judge.greater_than(margins.negligible),
}

--- ## E12: by how much the subset's target is too large
---
--- $w_i/\sum_{j\in s} w_j$ exceeds $q_i$ "on average by a factor of $(n-i+1)/|s|$". Then the Rescale
--- target $g_i|s|/(n-i+1)$ would average $q_i$. It does so for equal weights only; here over all
--- subsets of the weaker synapses, each with its probability. [eq:target-rescale]

local function rescaled_target(weights, release, i)
  local size, sum = #weights, 0.0
  for mask = 0, (1 << (size - i)) - 1 do
    local chance, total, members = 1.0, weights[i], 1
    for j = i + 1, size do
      if mask >> (j - i - 1) & 1 == 1 then
        chance, total, members = chance * release[j], total + weights[j], members + 1
      else
        chance = chance * (1 - release[j])
      end
    end
    sum = sum + chance * weights[i] / total * members / (size - i + 1)
  end
  return sum
end
local equal_w, skewed = ves.vector(P.enumerated, 1.0), ves.vector(P.enumerated, 0)
for i = 1, P.enumerated do skewed[i] = math.exp(-(i - 1) / 3) end
local equal_release, skewed_release = ves.release.analytic(equal_w), ves.release.analytic(skewed)
local scale, off_skewed, off_uniform = {}, 0, 0
for i = 1, P.enumerated do
  local a, b = rescaled_target(equal_w, equal_release, i) / equal_release[i],
    rescaled_target(skewed, skewed_release, i) / skewed_release[i]
  scale[i] = { i, a, b }
  off_uniform, off_skewed = math.max(off_uniform, math.abs(a - 1)), math.max(off_skewed, math.abs(b - 1))
end
E:table("e12_rescale", { { "rank", "rank of the weight" },
  { "equal", "mean of the rescaled target over q_i, equal weights" },
  { "unequal", "the same, weights falling exponentially" } }, scale)
erratum {
  id = "erratum-e12", where = "Scale adjustment", measured = { off_skewed, off_uniform },
  says = "the target exceeds the release on average by the factor (n-i+1)/|s|", printed = "all weights",
  right = "equal weights only",
  quantity = "largest relative error of the rescaled target (unequal; equal weights)",
  remark = "judged as the equality it is stated to be; for these weights the error would pass as 'closely'",
}

--- ## All twelve
---
--- What each printed form misses by, and what its correction leaves.

E:table("errata", { { "id", "erratum" }, { "where", "place in the original" }, { "printed", "what stands there" },
  { "corrected", "what is right" }, { "quantity", "what was measured" },
  { "as_printed", "measured for the printed form" }, { "as_corrected", "measured for ours" } }, rows)
E:finish()
