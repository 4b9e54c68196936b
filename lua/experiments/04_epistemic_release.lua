--- # Epistemic release probabilities
---
--- A weight that has been learned from little evidence is uncertain. The original describes the
--- uncertainty by a Beta distribution and asks which release probability $\Phi$ would give a synapse that
--- either transmits or fails the same variance. This chapter follows the derivation, checks its result
--- over the whole plane of evidence for ($A$) and against ($B$), and finds that the printed root solves an
--- equation with a factor of $\Phi$ too many.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local judge = require "vesicle.judge"
local margins = require "vesicle.margins"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "04_epistemic_release", title = "Release probabilities that carry the uncertainty of a weight",
  params = {
    low = { -2.0, about = "log10 of the smallest A and B" },
    high = { 3.0, about = "log10 of the largest" },
    steps = { 101, quick = 41, about = "values of each between" },
    means = { { 0.05, 0.2, 0.5 }, about = "mean weights along which evidence grows" },
    replicates = { 200, quick = 40, about = "runs of the simulated synapse" },
    draws = { 1000, about = "draws in each" },
    evidence = { { 0.3, 3.0, 30.0 }, about = "values of A + B at which synapses are simulated" },
    networks = { 50, quick = 5, about = "trained networks" },
    rows = { 4000, about = "observations in each, from the first data model" },
  },
}
local P = E.params

--- ## The equation and its roots
---
--- A weight $w = A/(A+B)$ [eq:betamean] is divided by $\Phi$ and transmits with probability $\Phi$. Its mean is
--- then $w$ and its variance $(w/\Phi)^2\,\Phi(1-\Phi)$, which is to equal that of the Beta distribution,
--- $$\left(\frac{A}{\Phi(A+B)}\right)^2 \Phi(1-\Phi) = \frac{AB}{(A+B)^2(A+B+1)}. \qquad\text{[eq:betavar]}$$
--- With $C = A^2 + AB + A$ this is $C(1-\Phi) = B\,\Phi$, so that
--- $$\Phi = \frac{C}{C+B}. \qquad\text{[eq:beta2dropoutvar]}$$
--- Differs from [eq:beta2dropoutvar]: the printed $\Phi = (\sqrt{C^2 + 4BC} - C)/(2B)$ is the root of
--- $C(1-\Phi) = B\,\Phi^2$. Both are offered; `exact` is our default.

local function weight(a, b) return a / (a + b) end
local function wanted(a, b) return a * b / ((a + b) ^ 2 * (a + b + 1)) end

--- The variance that a synapse with the given root delivers, and its release probability.
local function delivered(a, b, root)
  local phi, failure = ves.release.epistemic(a, b, root)
  return (weight(a, b) / phi) ^ 2 * phi * failure, phi, failure
end

--- ## Over the plane of evidence

local powers = {}
for i = 1, P.steps do powers[i] = 10 ^ (P.low + (P.high - P.low) * (i - 1) / (P.steps - 1)) end

local plane, worst_exact, worst_printed, bias, highest = {}, 0, 0, 0, 0
for _, a in ipairs(powers) do
  for _, b in ipairs(powers) do
    local var, w = wanted(a, b), weight(a, b)
    local exact, phi = delivered(a, b, "exact")
    local printed, phi_printed = delivered(a, b, "printed")
    plane[#plane + 1] = { a, b, var, phi, phi_printed, exact / var, printed / var }
    worst_exact = math.max(worst_exact, math.abs(exact / var - 1))
    worst_printed = math.max(worst_printed, math.abs(printed / var - 1))
    bias = math.max(bias, math.abs(w / phi * phi - w), math.abs(w / phi_printed * phi_printed - w))
    highest = math.max(highest, w / phi, w / phi_printed)
  end
end
E:table("plane", { { "A", "evidence for" }, { "B", "evidence against" }, { "wanted", "variance of Beta(A, B)" },
  { "phi", "exact root" }, { "phi_printed", "printed root" },
  { "ratio", "variance delivered by the exact root over the wanted one" },
  { "ratio_printed", "variance delivered by the printed root over the wanted one" } }, plane)

--- The printed root delivers $\Phi$ times the wanted variance, so its contour lines follow from
--- $C(1-\Phi) = B\,\Phi^2$: $A = \tfrac12\left(\sqrt{(B+1)^2 + 4B\Phi^2/(1-\Phi)} - (B+1)\right)$.
local contours = {}
for level, ratio in ipairs { 0.25, 0.5, 0.75, 0.9, 0.95, 0.99 } do
  for i = 1, P.steps do
    local b = powers[i]
    local a = (math.sqrt((b + 1) ^ 2 + 4 * b * ratio ^ 2 / (1 - ratio)) - (b + 1)) / 2
    if a >= 10 ^ P.low then contours[#contours + 1] = { level, ratio, a, b } end
  end
end
E:table("contours", { "level", { "ratio", "variance delivered by the printed root over the wanted one" }, "A",
  "B" }, contours)

local section = "Epistemic uncertainty, eq:beta2dropoutvar"
local same = "The given release probability makes the variance of a failing synapse that of the Beta "
  .. "distribution."
E:claim { id = "phi-variance-printed", says = same, where = section, reading = "printed",
  measured = worst_printed, expected = 0, judge = judge.proved_if(judge.equal_to()),
  note = "largest relative error of the delivered variance over the plane; the printed root delivers Phi "
    .. "times the wanted variance" }
E:claim { id = "phi-variance-exact", says = same, where = section,
  reading = "exact root of the printed variance equation", measured = worst_exact, expected = 0,
  judge = judge.proved_if(judge.equal_to()),
  note = "largest relative error of the delivered variance over the plane" }
E:claim { id = "phi-mean-unbiased",
  says = "Divided by Phi and masked with it, each weight keeps its mean.",
  where = section, reading = "printed", measured = bias, expected = 0,
  judge = judge.proved_if(judge.equal_to()), note = "over the plane, for both roots" }
E:claim { id = "phi-saturation",
  says = "Weights have an upper bound of one, also after division by Phi.",
  where = "Theoretical model, constraint 2; Epistemic uncertainty", reading = "printed",
  measured = highest, expected = 1, judge = judge.proved_if(judge.less_than()),
  note = "largest weight over Phi on the plane, both roots; for the exact root it is (A+1)/(A+B+1)" }

--- ## As evidence accumulates
---
--- At a fixed mean the variance falls as $1/(A+B+1)$. Does what the synapse delivers fall too?

local slices, scaling, growth = {}, 0, 0
for s, w in ipairs(P.means) do
  local before, before_printed
  for i = 1, 161 do
    local n = 10 ^ (-1 + 4 * (i - 1) / 160)
    local a, b = w * n, (1 - w) * n
    local var, exact, phi = wanted(a, b), delivered(a, b, "exact")
    local printed, phi_printed = delivered(a, b, "printed")
    scaling = math.max(scaling, math.abs((n + 1) * var / (w * (1 - w)) - 1))
    if before then growth = math.max(growth, exact / before, printed / before_printed) end
    before, before_printed = exact, printed
    slices[#slices + 1] = { s, w, n, var, phi, phi_printed, exact / var, printed / var }
  end
end
E:table("slices", { "slice", { "mean", "A/(A+B)" }, { "n", "A + B" }, { "wanted", "variance of Beta(A, B)" }, "phi",
  "phi_printed", "ratio", "ratio_printed" }, slices)
E:claim { id = "precision-with-evidence",
  says = "The mean of a weight is normalised evidence, but its precision scales with the cumulative evidence.",
  where = "Evidence accumulation, eq:betavar", reading = "printed", measured = scaling, expected = 0,
  judge = judge.proved_if(judge.equal_to()),
  note = "largest relative departure of the precision from (A+B+1)/(w(1-w)) at fixed mean w" }
E:claim { id = "phi-precision",
  says = "The mapping from evidence to release probability gives more precision as evidence is gathered.",
  where = "Discussion, Biological plausibility", reading = "printed", measured = growth, expected = 1,
  judge = judge.proved_if(judge.less_than()),
  note = "largest ratio of successive delivered variances as A+B grows at fixed mean, both roots" }

--- ## Simulated synapses
---
--- The same by sampling: synapses that transmit with probability $\Phi$, and draws from the two Beta
--- distributions that the original names. Its moments [eq:betamean], [eq:betavar] are those of
--- $\mathrm{Beta}(A, B)$; it writes $\mathrm{Beta}(A+1, B+1)$ [eq:beta], whose mode, not mean, is $A/(A+B)$.

local cells = {}
for _, w in ipairs(P.means) do
  for _, n in ipairs(P.evidence) do cells[#cells + 1] = { w * n, (1 - w) * n } end
end

local function moments_of(v, var) return { v:mean(), v:var() / var } end

local runs = E:replicate { name = "synapses", n = P.replicates, run = function(_, rng)
  local out = { exact = {}, printed = {}, undivided = {}, beta = {}, beta_plus = {} }
  for c, cell in ipairs(cells) do
    local a, b = cell[1], cell[2]
    local var, w = wanted(a, b), weight(a, b)
    for _, root in ipairs { "exact", "printed" } do
      local phi = ves.release.epistemic(a, b, root)
      local z = rng:stream(root, c):bernoulli(phi, P.draws)
      local m = moments_of(z * (w / phi), var)
      out[root][2 * c - 1], out[root][2 * c] = m[1] / w, m[2]
      if root == "exact" then out.undivided[c] = (z * w):mean() / (w * phi) end
    end
    for _, kind in ipairs { { "beta", 0 }, { "beta_plus", 1 } } do
      local m = moments_of(rng:stream(kind[1], c):beta(a + kind[2], b + kind[2], P.draws), var)
      out[kind[1]][2 * c - 1], out[kind[1]][2 * c] = m[1] / w, m[2]
    end
  end
  return out
end }

--- Means over replicates, their standard errors, and the p value of all being one.
local function summary(field)
  local matrix = runs:column(field)
  local mean, se, chi = {}, {}, 0
  local width = #matrix:row(1)
  for k = 1, width do
    mean[k], se[k] = stats.mean(matrix:col(k)), stats.se(matrix:col(k))
    if se[k] > 0 then chi = chi + ((mean[k] - 1) / se[k]) ^ 2 end
  end
  return mean, se, stats.chi_square_p(chi, width)
end

local exact_mean, exact_se = summary("exact")
local printed_mean, printed_se = summary("printed")
local _, _, undivided_p = summary("undivided")
local beta_mean, beta_se, beta_p = summary("beta")
local plus_mean, plus_se, plus_p = summary("beta_plus")

local simulated = {}
for c, cell in ipairs(cells) do
  local m, v = 2 * c - 1, 2 * c
  simulated[c] = { weight(cell[1], cell[2]), cell[1] + cell[2],
    exact_mean[m], exact_se[m], exact_mean[v], exact_se[v],
    printed_mean[v], printed_se[v], beta_mean[v], beta_se[v], plus_mean[m], plus_se[m], plus_mean[v], plus_se[v] }
end
E:table("simulated", { { "mean", "A/(A+B)" }, { "n", "A + B" },
  { "exact_mean", "simulated mean over A/(A+B), exact root" }, "exact_mean_se",
  { "exact_var", "simulated variance over the wanted one, exact root" }, "exact_var_se",
  { "printed_var", "the same, printed root" }, "printed_var_se", { "beta_var", "the same, draws from Beta(A, B)" },
  "beta_var_se", { "plus_mean", "mean of draws from Beta(A+1, B+1) over A/(A+B)" }, "plus_mean_se",
  { "plus_var", "variance of draws from Beta(A+1, B+1) over the wanted one" }, "plus_var_se" }, simulated)

E:claim { id = "dropout-mean", says = "Without division the mean of a masked weight is the weight times Phi.",
  where = "Epistemic uncertainty", reading = "printed", measured = undivided_p, judge = judge.not_rejected(),
  note = "p value over simulated synapses" }
local moments = "The given mean and variance are those of the Beta distribution of the weights."
E:claim { id = "beta-moments", says = moments, where = "Evidence accumulation, eq:betamean and eq:betavar",
  reading = "Beta(A, B)", measured = beta_p, judge = judge.not_rejected(),
  note = "p value of simulated means and variances being the stated ones" }
E:claim { id = "beta-moments-printed", says = moments, where = "Evidence accumulation, eq:beta to eq:betavar",
  reading = "printed", measured = plus_p,
  judge = judge.refuted_if(judge.negate(judge.not_rejected())),
  note = "the same for draws from Beta(A+1, B+1), whose mean is (A+1)/(A+B+2)" }

--- ## Evidence for and against alike
---
--- For $A = B$ the original remarks that $\Phi$ is close to $1 - 1/(A+B+3)$. That is an approximation of the
--- printed root; the exact one is $1 - 1/(A+B+2)$.

local equal, remark_printed, remark_exact, ours = {}, 0, 0, 0
for i = 1, 161 do
  local n = 10 ^ (-2 + 5 * (i - 1) / 160)
  local phi, failure = ves.release.epistemic(n / 2, n / 2, "exact")
  local phi_printed, failure_printed = ves.release.epistemic(n / 2, n / 2, "printed")
  local remark = 1 / (n + 3)
  equal[i] = { n, phi, phi_printed, 1 - remark, remark / failure_printed - 1, remark / failure - 1 }
  remark_printed = math.max(remark_printed, math.abs(1 - remark - phi_printed) / phi_printed)
  remark_exact = math.max(remark_exact, math.abs(1 - remark - phi) / phi)
  ours = math.max(ours, math.abs(failure * (n + 2) - 1))
end
E:table("equal", { { "n", "A + B, A = B" }, "phi", "phi_printed", { "remark", "1 - 1/(A+B+3)" },
  { "error_printed", "relative error of the remark's failure probability, against the printed root" },
  { "error_exact", "the same, against the exact root" } }, equal)
local close = "For equal evidence for and against, Phi is close to 1 - 1/(A+B+3)."
E:claim { id = "phi-equal-remark-printed", says = close, where = section, reading = "printed",
  measured = remark_printed, expected = 0, judge = judge.near(margins.closely),
  note = "largest relative error in Phi, of the printed root" }
E:claim { id = "phi-equal-remark", says = close, where = section,
  reading = "exact root of the printed variance equation", measured = remark_exact, expected = 0,
  judge = judge.near(margins.closely), note = "largest relative error in Phi, where A + B is smallest" }
E:claim { id = "phi-equal-exact", says = "For equal evidence for and against, Phi is 1 - 1/(A+B+2).",
  where = "this project", reading = "exact root of the printed variance equation", measured = ours,
  expected = 0, judge = judge.proved_if(judge.equal_to()), note = "largest relative error in 1 - Phi" }

--- ## In a trained network
---
--- How much does the factor matter? Train the network of the original on its first data model. The variance
--- that uncertain weights give to the output activities, $\sum_i x_i^2\,\mathrm{var}(w_{ij})$ summed over $j$, is
--- compared at each trained input, and at one that has seen no data.

local code = ves.code { n = 100, lo = -6, hi = 6, sigma = 0.05 }
local xs = { -4, -2, 0, 2, 4 }
local shown = { -4, -2, 0, 2, 4, 3 }
local function train(rng)
  local net = ves.network { input = code, output = code, rng = rng:stream("priors") }
  for _, x in ipairs(xs) do
    local ys = rng:stream("data", x):normal(0, 0.2 + 0.2 * (x + 4), P.rows // #xs)
    net:observe(ves.vector(#ys, x), ys)
  end
  return net
end

local nets = E:replicate { name = "networks", n = P.networks, run = function(_, rng)
  local net = train(rng)
  local var, phi, failure = net:variance(), ves.release.epistemic(net.A, net.B, "printed")
  local delivers, ratio = (net:weights() / phi) ^ 2 * phi * failure, {}
  for k, x in ipairs(shown) do
    local square = ves.matrix { code:encode(x) ^ 2 }
    ratio[k] = square:mul(delivers):sum() / square:mul(var):sum()
  end
  return { ratio = ratio }
end }
local trained, trained_rows, means, ses = nets:column("ratio"), {}, {}, {}
for k, x in ipairs(shown) do
  local column = trained:col(k)
  trained_rows[k] = { x, k <= #xs and "yes" or "no", stats.mean(column), stats.se(column) }
  if k <= #xs then means[k], ses[k] = stats.mean(column), stats.se(column) end
end
E:table("networks", { "x", "trained", { "ratio", "output variance delivered by the printed root over the wanted one" },
  "se" }, trained_rows)
E:number("PhiPrintedUntrained", trained_rows[#shown][3], trained_rows[#shown][4])
E:number("PhiPrintedNarrow", means[1], ses[1])
E:number("PhiPrintedBroad", means[#means], ses[#ses])
E:claim { id = "phi-roughly-printed",
  says = "The release probabilities produce roughly the same epistemic uncertainty as the Beta model.",
  where = "Epistemic uncertainty", reading = "printed", measured = means, se = ses, expected = 1,
  judge = judge.every(judge.within(margins.roughly)),
  note = "delivered over wanted variance of the output activities at the five trained inputs" }

--- Where the synapses of one such network lie in the plane: those of the inputs nearest to the trained
--- values, and of one that has seen no data.

local net, cells_shown = train(E.rng:stream("cells")), {}
local A, B = net.A, net.B
for _, x in ipairs(shown) do
  local i = code:encode(x):argmax()
  for j, y in pairs(code.centers) do cells_shown[#cells_shown + 1] = { x, y, A[i][j], B[i][j] } end
end
E:table("cells", { { "x", "input" }, { "y", "output" }, { "A", "evidence for" },
  { "B", "evidence against" } }, cells_shown)

E:finish()
