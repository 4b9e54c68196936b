--- # Errata
---
--- Twelve places of the original do not say what its own definitions imply. Most are slips of the pen
--- and change nothing; three (E1, E9, E10) change results. Each is measured here twice, as printed and
--- as corrected, so that a reader can check both without taking our word. Nothing below is sampled:
--- every number is computed. An erratum is no statement of its own: its verdicts, as printed and as
--- corrected, stand with the statement that it corrects. Those that no other experiment has are made here.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local shapes = require "vesicle.model.shapes"
local stats = require "vesicle.stats"

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

--- A printed form and its correction, each with the amount by which it misses.
local function erratum(short, where, printed, right, quantity, as_printed, as_corrected)
  rows[#rows + 1] = { short, where, printed, right, quantity, as_printed, as_corrected }
end

-- f along a logarithmic axis; an axis of equal steps; the largest departure from zero.
local function along(lo, hi, f)
  return stats.collect(P.steps, function(step) return f(lo * (hi / lo) ^ ((step - 1) / (P.steps - 1))) end)
end
local function linear(lo, length) return ves.range(0, P.steps) * length / P.steps + lo end
local function largest(v) return v:abs():max() end

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

local printed_root, exact_root, identity, evidence = {}, 0, 0, along(0.1, 1000, function(n) return n end)
for k, w in ipairs { 0.05, 0.5, 0.95 } do
  local found = along(0.1, 1000, function(n)
    local ratio, phi = delivered(w * n, (1 - w) * n, "printed")
    return { printed = ratio, exact = delivered(w * n, (1 - w) * n, "exact") - 1, identity = ratio - phi }
  end)
  printed_root[k] = found.printed
  exact_root, identity = math.max(exact_root, largest(found.exact)), math.max(identity, largest(found.identity))
end
E:table("e1_variance", { { "evidence", "A + B" },
  { "printed_w05", "variance delivered by the printed root over that of Beta(A,B), at weight 0.05" },
  { "printed_w50", "the same at weight 0.5" }, { "printed_w95", "the same at weight 0.95" } },
  { { evidence, table.unpack(printed_root) } })
E:number("ErratumVarianceIdentity", identity)
erratum("E1", "eq:beta2dropoutvar", "Phi = (sqrt(C^2 + 4BC) - C) / 2B", "Phi = C / (C + B)",
  "largest relative error of the variance", largest(ves.matrix(printed_root) - 1), exact_root)

--- ## E2: the remark for A = B
---
--- At $A = B$ the exact root is $1 - 1/(A+B+2)$, with equality; the remark's $1 - 1/(A+B+3)$
--- approximates the printed root. What matters is the failure probability $1 - \phi$.

local failure = along(0.1, 100, function(n)
  local _, exact = ves.release.epistemic(n / 2, n / 2, "exact")
  local _, printed = ves.release.epistemic(n / 2, n / 2, "printed")
  return { n = n, exact = exact, printed = printed, remark = 1 / (n + 3), corrected = 1 / (n + 2) }
end)
E:table("e2_remark", { { "evidence", "A + B, with A = B", failure.n },
  { "exact", "failure probability of the exact root", failure.exact },
  { "printed", "failure probability of the printed root", failure.printed }, { "remark", "1/(A+B+3)", failure.remark },
  { "corrected", "1/(A+B+2)", failure.corrected } })
erratum("E2", "after eq:beta2dropoutvar", "1 - 1/(A+B+3)", "1 - 1/(A+B+2)",
  "largest relative error of the failure probability", largest(failure.remark / failure.exact - 1),
  largest(failure.corrected / failure.exact - 1))

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
local function density(a, b)
  local mass = simpson(beta_kernel(a, b))
  return linear(0, 1):map(function(z) return beta_kernel(a, b)(z) / mass end)
end
E:table("e3_density", { { "w", "weight", linear(0, 1) }, { "beta_ab", "density of Beta(2,6)", density(A, B) },
  { "beta_ab1", "density of Beta(3,7)", density(A + 1, B + 1) } })
E:table("e3_mean", { { "said", "A/(A+B)", A / (A + B) }, { "mean_ab", "mean of Beta(2,6)", mean_of(A, B) },
  { "mean_ab1", "mean of Beta(3,7)", mean_of(A + 1, B + 1) } })
erratum("E3", "eq:betamean, eq:betavar", "mean of Beta(A+1,B+1)", "mean of Beta(A,B)",
  "distance of A/(A+B) from the mean, A = 2, B = 6", math.abs(mean_of(A + 1, B + 1) - A / (A + B)),
  math.abs(mean_of(A, B) - A / (A + B)))

--- ## E4: a share that is said to decline
---
--- In the second data model $p(x) = \mathrm{logit}^{-1}(x/2)$ weights the component at $-2$, which
--- is described as one of declining density. As printed, its density rises. [data:bimodal]

local printed, declining = models.bimodal(), models.bimodal { declining = true }
local xs = linear(-4, 8)
E:table("e4_share", { { "x", "input", xs },
  { "printed", "share of the component at -2 as printed", xs:map(printed.share) },
  { "declining", "the same with 1 - p(x)", xs:map(declining.share) } })
erratum("E4", "Network simulations, second data model", "p(x) = logit^-1(x/2)", "1 - p(x)",
  "change of its share from x = -4 to 4", printed.share(4) - printed.share(-4),
  declining.share(4) - declining.share(-4))

--- ## E5 and E6: two indices
---
--- The largest weight has $q_1 = p_1$; the text writes $q_i = p_i$. And the last line of Appendix A
--- sums to $n$ where it must sum to $k$: as printed, $1 - \sum_j^n p_j = 0$ and nothing is left.
--- [eq:mapping]

local w = shapes.weights("bimodal", P.outputs)
local order = shapes.ranking(w)
local p, q = w:take(order), ves.release.analytic(w):take(order)
local to_n, to_k = q * (1 - p:sum()), q * (1 - (p:cumsum() - p))
E:table("e5_ranks", { { "rank", "rank of the weight, 1 = strongest", ves.range(1, #p) },
  { "p", "encoded probability", p }, { "q", "analytic release", q },
  { "to_n", "Appendix A's last line as printed", to_n:abs() }, { "to_k", "the same summed to k", to_k } })
erratum("E5", "Transmission probability, first step", "q_i = p_i", "q_1 = p_1", "largest |q - p| over the ranks meant",
  largest(q - p), math.abs(q[1] - p[1]))
erratum("E6", "Appendix A, last line", "sum to n", "sum to k", "largest error of p_{k+1}", largest(to_n - p),
  largest(to_k - p))

local function first_off(name)
  local v = shapes.weights(name, P.outputs)
  return math.abs(ves.release.analytic(v)[v:argmax()] - v:max() / v:sum())
end
E:statement {
  id = "mapping-first", where = "Theoretical model, Transmission probability", kind = "mathematical",
  says = "The release of the largest weight is its normalised value.", proof = "thm:mapping",
  quantity = "|q_1 - p_1|, largest over four shapes of a weight vector", criterion = is.exact(),
  breaks = "release.analytic=uniform",
  cells = { printed = { stats.collect(shapes.names, first_off):max(), exact = true } },
  further = { { reading = "index as printed, for all i", largest(q - p), exact = true,
                quantity = "largest |q_i - p_i| over all ranks of two bells" } },
  note = "E5, a slip of the index beside words that are right",
}
E:further {
  statement = "mapping-induction", kind = "mathematical", criterion = is.exact(), breaks = "release.analytic=uniform",
  quantity = "largest error of the last line, over ranks of two bells",
  { reading = "last line as printed, sum to n", largest(to_n - p), exact = true, note = "E6, a slip" },
  { reading = "last line, sum to k", largest(to_k - p), exact = true, proof = "thm:mapping" },
}

--- ## E7: how large a subset is
---
--- When weight $i$ is the strongest that transmits, the expected size of the subset is
--- $1 + \sum_{j>i} q_j$. Appendix B puts $(n-i)q_i + 1$, which takes all weaker releases to equal
--- $q_i$, where they are larger. [app:subset-size]

local uniform_q = 1 / (P.outputs + 1 - ves.range(1, P.outputs))
local sizes = stats.collect(P.outputs, function(i)
  local exact, as_printed = ves.exponent.subset_size(uniform_q, i)
  return { exact = exact, printed = as_printed }
end)
local weaker, tail = ves.vector(P.outputs), 1.0
for i = P.outputs, 1, -1 do weaker[i], tail = tail, tail + uniform_q[i] end
E:table("e7_size", { { "rank", "rank of the strongest member", ves.range(1, P.outputs) },
  { "exact", "expected size of the subset", sizes.exact }, { "printed", "(n-i) q_i + 1", sizes.printed },
  { "ratio", "exact over printed", sizes.exact / sizes.printed } })
E:number("ErratumSubsetFactor", sizes.exact[1] / sizes.printed[1])
erratum("E7", "Appendix B, unbiased mean adjustment", "(n-i) q_i + 1", "1 + sum over j > i of q_j",
  "error of the expected size (relative at rank 1; largest)", math.abs(sizes.printed[1] / sizes.exact[1] - 1),
  largest(sizes.exact - weaker))

--- ## E8: the strongest output of Appendix C
---
--- Fixing $j$ to the output $J$ of largest mean makes the argument of the normal distribution
--- function zero at $i = J$, so $\hat p_J = 1/2$ whatever is asked for. In the form with the minimum,
--- $\hat p_J \ge 1/2$. The system has a solution only if $p_J = 1/2$ (or above).
--- [app:normal-approximation]

local strongest = along(0.02, 0.5, function(spread)
  local shape = ves.range(1, 21):map(function(j) return math.exp(-((j - 11) / 20 / spread) ^ 2 / 2) end)
  local W = ves.matrix { shape, shape * 0.8 }
  local Q = ves.release.normalise(ves.release.analytic(W), { 1, 1 }, "count")
  local fixed, J = ves.multi.normal_approximation(W, Q, { 1, 1 })
  return { wanted = ves.multi.mixture(W, { 1, 1 })[J], fixed = fixed[J],
           least = ves.multi.normal_approximation(W, Q, { 1, 1 }, { form = "min" })[J] }
end)
E:table("e8_strongest", { { "wanted", "encoded probability of the strongest output", strongest.wanted },
  { "fixed", "Appendix C's value, j fixed to the strongest", strongest.fixed },
  { "min", "Appendix C's value, minimum over j", strongest.least } })
erratum("E8", "Appendix C", "cdf(0) = p_J", "cdf(0) = 1/2", "largest error at the strongest output",
  largest(strongest.fixed - strongest.wanted), largest(strongest.fixed - 0.5))
E:further {
  statement = "appendix-c-no-solution", kind = "mathematical", criterion = is.below(1e-9), breaks = "normal=encoded",
  quantity = "largest |approximation - encoded| at the strongest output",
  { reading = "bells of many widths", largest(strongest.fixed - strongest.wanted), exact = true, proof = "prop:normal",
    beside = { ["from 1/2"] = largest(strongest.fixed - 0.5) } },
}

--- ## E9: do the tails vanish?
---
--- "If transmission probabilities are simply uniform or proportional to the synaptic weights", the
--- introduction says, the tails vanish as the network grows. Uniform release: they do. Proportional
--- release: it depends on the constant. With $q = w/\sum w$ the chance of the weakest, given that
--- something transmits, tends to $e^{-1}/(1 - e^{-1})$ of what is encoded; with $q = cw$ and a
--- constant $c$ it vanishes. Weights fall linearly from 1 to a tenth. [eq:winner]

local tails = {}
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
erratum("E9", "Introduction, lateral inhibition", "proportional release loses the tails",
  "only if the sum of releases grows with the network",
  "chance of the weakest over the encoded one in the largest network (q = w/sum w; uniform and q = cw)",
  last[4], math.max(last[2], last[3]))
E:own {
  id = "tails-limit", says = "With q = w / sum of w the weakest keeps e^-1/(1 - e^-1) of its encoded probability.",
  kind = "mathematical", proof = "prop:tails", breaks = "winner=blurred",
  quantity = "chance of the weakest over the encoded one in the largest network",
  criterion = is.within(margins.vanishes, { of = 1 / (math.exp(1) - 1) }), value = { last[4], exact = true },
}

--- ## E10: whose mixture it is
---
--- Activating several inputs gives $W'x$, which is a mixture of the rows' distributions with weights
--- $x_i R_i$, $R_i$ the row's sum, and not $x_i$: a row that has seen no data has many times the sum
--- of one that has, and outweighs it. [eq:mixture]

local net = models.network(models.simple(), E.rng:stream("network"), { rows = P.rows })
local code, W = models.code(), net:weights()
local sums, conditional = W:row_sums(), W:normalise():transpose()
local beside = linear(-4, 0.35)
local off = stats.collect(beside, function(x)
  local activity = models.activity(code, x)
  local encoded = ves.multi.mixture(W, activity)
  local function from(weights)
    local mixed = conditional:mul(weights)
    return ves.score.total_variation(encoded, mixed / mixed:sum())
  end
  return { equal = from(activity), sums = from(activity * sums) }
end)
E:table("e10_mixture", { { "x", "input, beside the trained x = -4", beside },
  { "tv", "total variation of W'x from the mixture with weights x_i", off.equal } })
E:number("ErratumRowSumPrior", sums[code:encode(-3):argmax()])
E:number("ErratumRowSumData", sums[code:encode(-2):argmax()])
erratum("E10", "Introduction and Theoretical model, marginalisation", "weights x_i", "weights x_i R_i",
  "largest total variation from W'x near a trained input", off.equal:max(), off.sums:max())

--- ## E11: the weakest synapse
---
--- "The absolute smallest weights transmit 100% of the time": true of the mapping, $q_n = 1$. Once
--- releases are divided among inputs or multiplied by $\Phi$ it is no longer so, and a draw may
--- transmit nothing. It does matter: that synapse is what kept draws from being empty.

local Q = ves.release.analytic(W)
local Qbar = ves.release.combine(ves.release.epistemic(net.A, net.B), Q)
local inputs = models.simple().inputs
local weakest = stats.collect(inputs, function(x)
  local activity = models.activity(code, x)
  local i = activity:argmax()
  local j = W[i]:argmin()
  local divided = ves.release.normalise(Q, activity)
  local _, nothing = ves.winner.exact(W, divided, activity)
  local _, nothing_phi = ves.winner.exact(W, ves.release.normalise(Qbar, activity), activity)
  return { mapping = Q:get(i, j), divided = divided:get(i, j), combined = Qbar:get(i, j), empty = nothing,
           empty_combined = nothing_phi }
end)
E:table("e11_weakest", { { "x", "input", inputs },
  { "mapping", "release of the weakest synapse of the most active input", weakest.mapping },
  { "divided", "after division", weakest.divided }, { "combined", "after multiplying by Phi", weakest.combined },
  { "empty", "probability of an empty draw, divided", weakest.empty },
  { "empty_combined", "the same with Phi", weakest.empty_combined } })
E:number("ErratumEmptyCombined", weakest.empty_combined:max())
erratum("E11", "Results, release matrices", "always", "only q_n of the mapping is 1",
  "failure probability of the weakest synapse (combined release; the mapping alone)", 1 - weakest.combined:min(),
  largest(weakest.mapping - 1))

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
local function relative(weights)
  local release = ves.release.analytic(weights)
  return stats.collect(P.enumerated, function(i) return rescaled_target(weights, release, i) / release[i] end)
end
local equal = relative(ves.vector(P.enumerated, 1.0))
local unequal = relative(ves.range(1, P.enumerated):map(function(i) return math.exp(-(i - 1) / 3) end))
E:table("e12_rescale", { { "rank", "rank of the weight", ves.range(1, P.enumerated) },
  { "equal", "mean of the rescaled target over q_i, equal weights", equal },
  { "unequal", "the same, weights falling exponentially", unequal } })
erratum("E12", "Scale adjustment", "all weights", "equal weights only",
  "largest relative error of the rescaled target (unequal; equal weights)", largest(unequal - 1), largest(equal - 1))
E:statement {
  id = "rescale-factor", where = "Local learning rules, Scale adjustment", kind = "mathematical", looked = true,
  says = "The target is larger than the release on average by the factor (n-i+1)/|s|.", proof = "prop:fixed",
  quantity = "largest relative error over ranks of the mean rescaled target, 12 weights falling exponentially "
    .. "(corrected: equal)",
  criterion = is.exact(), breaks = "release.analytic=uniform",
  cells = { printed = { largest(unequal - 1), exact = true }, corrected = { largest(equal - 1), exact = true } },
  note = "E12; judged as the equality it is stated to be: within 10% these weights would pass",
}

--- ## All twelve
---
--- What each printed form misses by, and what its correction leaves.

E:table("errata", { { "id", "erratum" }, { "where", "place in the original" }, { "printed", "what stands there" },
  { "corrected", "what is right" }, { "quantity", "what was measured" },
  { "as_printed", "measured for the printed form" }, { "as_corrected", "measured for ours" } }, rows)
E:finish()
