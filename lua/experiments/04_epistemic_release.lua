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
local models = require "vesicle.model.data"
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

local function powers(lo, hi, steps)
  return stats.collect(steps, function(i) return 10 ^ (lo + (hi - lo) * (i - 1) / (steps - 1)) end)
end
local function largest(v) return v:abs():max() end

local function both_roots(a, b)
  local var, w = wanted(a, b), weight(a, b)
  local exact, phi, failure = delivered(a, b, "exact")
  local printed, phi_printed, failure_printed = delivered(a, b, "printed")
  return { a = a, b = b, wanted = var, phi = phi, phi_printed = phi_printed, exact = exact, printed = printed,
           failure = failure, failure_printed = failure_printed,
           bias = math.max(math.abs(w / phi * phi - w), math.abs(w / phi_printed * phi_printed - w)),
           highest = math.max(w / phi, w / phi_printed) }
end

local axis = powers(P.low, P.high, P.steps)
local plane = stats.collect(P.steps ^ 2, function(k)
  return both_roots(axis[(k - 1) // P.steps + 1], axis[(k - 1) % P.steps + 1])
end)
E:table("plane", { { "A", "evidence for", plane.a }, { "B", "evidence against", plane.b },
  { "wanted", "variance of Beta(A, B)", plane.wanted }, { "phi", "exact root", plane.phi },
  { "phi_printed", "printed root", plane.phi_printed },
  { "ratio", "variance delivered by the exact root over the wanted one", plane.exact / plane.wanted },
  { "ratio_printed", "variance delivered by the printed root over the wanted one", plane.printed / plane.wanted } })

--- The printed root delivers $\Phi$ times the wanted variance, so its contour lines follow from
--- $C(1-\Phi) = B\,\Phi^2$: $A = \tfrac12\left(\sqrt{(B+1)^2 + 4B\Phi^2/(1-\Phi)} - (B+1)\right)$.
local contours = {}
for level, ratio in ipairs { 0.25, 0.5, 0.75, 0.9, 0.95, 0.99 } do
  local a = axis:map(function(b) return (math.sqrt((b + 1) ^ 2 + 4 * b * ratio ^ 2 / (1 - ratio)) - (b + 1)) / 2 end)
  local inside = a:above(10 ^ P.low)
  contours[level] = { level, ratio, a:take(inside), axis:take(inside) }
end
E:table("contours", { "level", { "ratio", "variance delivered by the printed root over the wanted one" }, "A",
  "B" }, contours)

local section = "Epistemic uncertainty, eq:beta2dropoutvar"
local same = "The given release probability makes the variance of a failing synapse that of the Beta "
  .. "distribution."
E:claims {
  where = section, reading = "printed", expected = 0, judge = judge.proved_if(judge.equal_to()),
  { id = "phi-variance-printed", says = same, measured = largest(plane.printed / plane.wanted - 1),
    note = "largest relative error of the delivered variance over the plane; the printed root delivers Phi "
      .. "times the wanted variance" },
  { id = "phi-variance-exact", says = same, reading = "exact root of the printed variance equation",
    measured = largest(plane.exact / plane.wanted - 1),
    note = "largest relative error of the delivered variance over the plane" },
  { id = "phi-mean-unbiased", says = "Divided by Phi and masked with it, each weight keeps its mean.",
    measured = plane.bias:max(), note = "over the plane, for both roots" },
  { id = "phi-saturation", says = "Weights have an upper bound of one, also after division by Phi.",
    where = "Theoretical model, constraint 2; Epistemic uncertainty", measured = plane.highest:max(), expected = 1,
    judge = judge.proved_if(judge.less_than()),
    note = "largest weight over Phi on the plane, both roots; for the exact root it is (A+1)/(A+B+1)" },
}

--- ## As evidence accumulates
---
--- At a fixed mean the variance falls as $1/(A+B+1)$. Does what the synapse delivers fall too?

local slices, scaling, growth, gathered = {}, 0, 0, powers(-1, 3, 161)
local function steepest(v) return (v:slice(2) / v:slice(1, #v - 1)):max() end
for s, w in ipairs(P.means) do
  local c = stats.collect(gathered, function(n) return both_roots(w * n, (1 - w) * n) end)
  slices[s] = { s, w, gathered, c.wanted, c.phi, c.phi_printed, c.exact / c.wanted, c.printed / c.wanted }
  scaling = math.max(scaling, largest((gathered + 1) * c.wanted / (w * (1 - w)) - 1))
  growth = math.max(growth, steepest(c.exact), steepest(c.printed))
end
E:table("slices", { "slice", { "mean", "A/(A+B)" }, { "n", "A + B" }, { "wanted", "variance of Beta(A, B)" }, "phi",
  "phi_printed", "ratio", "ratio_printed" }, slices)
E:claims {
  reading = "printed",
  { id = "precision-with-evidence", where = "Evidence accumulation, eq:betavar", measured = scaling, expected = 0,
    says = "The mean of a weight is normalised evidence, but its precision scales with the cumulative evidence.",
    judge = judge.proved_if(judge.equal_to()),
    note = "largest relative departure of the precision from (A+B+1)/(w(1-w)) at fixed mean w" },
  { id = "phi-precision", where = "Discussion, Biological plausibility", measured = growth, expected = 1,
    says = "The mapping from evidence to release probability gives more precision as evidence is gathered.",
    judge = judge.proved_if(judge.less_than()),
    note = "largest ratio of successive delivered variances as A+B grows at fixed mean, both roots" },
}

--- ## Simulated synapses
---
--- The same by sampling: synapses that transmit with probability $\Phi$, and draws from the two Beta
--- distributions that the original names. Its moments [eq:betamean], [eq:betavar] are those of
--- $\mathrm{Beta}(A, B)$; it writes $\mathrm{Beta}(A+1, B+1)$ [eq:beta], whose mode, not mean, is $A/(A+B)$.

local cells = {}
for _, w in ipairs(P.means) do
  for _, n in ipairs(P.evidence) do cells[#cells + 1] = { w * n, (1 - w) * n } end
end

local function compared(v, w, var) return { mean = v:mean() / w, var = v:var() / var } end

local runs = E:replicate { name = "synapses", n = P.replicates, run = function(_, rng)
  return stats.collect(cells, function(cell, c)
    local a, b = cell[1], cell[2]
    local var, w = wanted(a, b), weight(a, b)
    local function masked(root)
      local phi = ves.release.epistemic(a, b, root)
      return rng:stream(root, c):bernoulli(phi, P.draws), phi
    end
    local z, phi = masked("exact")
    local printed, phi_printed = masked("printed")
    return {
      exact = compared(z * (w / phi), w, var), printed = compared(printed * (w / phi_printed), w, var),
      undivided = (z * w):mean() / (w * phi),
      beta = compared(rng:stream("beta", c):beta(a, b, P.draws), w, var),
      beta_plus = compared(rng:stream("beta_plus", c):beta(a + 1, b + 1, P.draws), w, var),
    }
  end)
end }

--- The p value of all means being one.
local function all_one(...)
  local chi, count = 0, 0
  for k = 1, #cells do
    for _, s in ipairs { ... } do
      count = count + 1
      if s.se[k] > 0 then chi = chi + ((s.value[k] - 1) / s.se[k]) ^ 2 end
    end
  end
  return stats.chi_square_p(chi, count)
end

local function over(field) return stats.summary(runs:column(field)) end
local exact_mean, exact_var, printed_var, beta_var = over "exact.mean", over "exact.var", over "printed.var",
  over "beta.var"
local plus_mean, plus_var = over "beta_plus.mean", over "beta_plus.var"
E:table("simulated", { { "mean", "A/(A+B)", stats.collect(cells, function(c) return weight(c[1], c[2]) end) },
  { "n", "A + B", stats.collect(cells, function(c) return c[1] + c[2] end) },
  { "exact_mean", "simulated mean over A/(A+B), exact root", exact_mean },
  { "exact_var", "simulated variance over the wanted one, exact root", exact_var },
  { "printed_var", "the same, printed root", printed_var }, { "beta_var", "the same, draws from Beta(A, B)", beta_var },
  { "plus_mean", "mean of draws from Beta(A+1, B+1) over A/(A+B)", plus_mean },
  { "plus_var", "variance of draws from Beta(A+1, B+1) over the wanted one", plus_var } })

local moments = "The given mean and variance are those of the Beta distribution of the weights."
E:claims {
  reading = "printed", judge = judge.not_rejected(),
  { id = "dropout-mean", says = "Without division the mean of a masked weight is the weight times Phi.",
    where = "Epistemic uncertainty", measured = all_one(over "undivided"),
    note = "p value over simulated synapses" },
  { id = "beta-moments", says = moments, where = "Evidence accumulation, eq:betamean and eq:betavar",
    reading = "Beta(A, B)", measured = all_one(over "beta.mean", beta_var),
    note = "p value of simulated means and variances being the stated ones" },
  { id = "beta-moments-printed", says = moments, where = "Evidence accumulation, eq:beta to eq:betavar",
    measured = all_one(plus_mean, plus_var), judge = judge.refuted_if(judge.negate(judge.not_rejected())),
    note = "the same for draws from Beta(A+1, B+1), whose mean is (A+1)/(A+B+2)" },
}

--- ## Evidence for and against alike
---
--- For $A = B$ the original remarks that $\Phi$ is close to $1 - 1/(A+B+3)$. That is an approximation of the
--- printed root; the exact one is $1 - 1/(A+B+2)$.

local evidence = powers(-2, 3, 161)
local equal = stats.collect(evidence, function(n) return both_roots(n / 2, n / 2) end)
local remark = 1 / (evidence + 3)
E:table("equal", { { "n", "A + B, A = B", evidence }, { "phi", equal.phi }, { "phi_printed", equal.phi_printed },
  { "remark", "1 - 1/(A+B+3)", 1 - remark },
  { "error_printed", "relative error of the remark's failure probability, against the printed root",
    remark / equal.failure_printed - 1 },
  { "error_exact", "the same, against the exact root", remark / equal.failure - 1 } })
local close = "For equal evidence for and against, Phi is close to 1 - 1/(A+B+3)."
E:claims {
  where = section, expected = 0, judge = judge.near(margins.closely),
  { id = "phi-equal-remark-printed", says = close, reading = "printed",
    measured = ((1 - remark - equal.phi_printed):abs() / equal.phi_printed):max(),
    note = "largest relative error in Phi, of the printed root" },
  { id = "phi-equal-remark", says = close, reading = "exact root of the printed variance equation",
    measured = ((1 - remark - equal.phi):abs() / equal.phi):max(),
    note = "largest relative error in Phi, where A + B is smallest" },
  { id = "phi-equal-exact", says = "For equal evidence for and against, Phi is 1 - 1/(A+B+2).",
    where = "this project", reading = "exact root of the printed variance equation",
    measured = largest(equal.failure * (evidence + 2) - 1), judge = judge.proved_if(judge.equal_to()),
    note = "largest relative error in 1 - Phi" },
}

--- ## In a trained network
---
--- How much does the factor matter? Train the network of the original on its first data model. The variance
--- that uncertain weights give to the output activities, $\sum_i x_i^2\,\mathrm{var}(w_{ij})$ summed over $j$, is
--- compared at each trained input, and at one that has seen no data.

local code, model = models.code(), models.simple()
local trained, shown = model.inputs, { -4, -2, 0, 2, 4, 3 }
local function train(rng)
  local net = ves.network { input = code, output = code, rng = rng:stream("priors") }
  for _, x in ipairs(trained) do
    local ys = rng:stream("data", x):normal(0, model.sd(x), P.rows // #trained)
    net:observe(ves.vector(#ys, x), ys)
  end
  return net
end

local nets = E:replicate { name = "networks", n = P.networks, run = function(_, rng)
  local net = train(rng)
  local var, phi, failure = net:variance(), ves.release.epistemic(net.A, net.B, "printed")
  local delivers = (net:weights() / phi) ^ 2 * phi * failure
  return stats.collect(shown, function(x)
    local square = ves.matrix { code:encode(x) ^ 2 }
    return square:mul(delivers):sum() / square:mul(var):sum()
  end)
end }:column()
local ratio = stats.summary(nets)
E:table("networks", { { "x", shown }, { "trained", { "yes", "yes", "yes", "yes", "yes", "no" } },
  { "ratio", "output variance delivered by the printed root over the wanted one", ratio.value }, { "se", ratio.se } })
E:number("PhiPrintedUntrained", ratio[6])
E:number("PhiPrintedNarrow", ratio[1])
E:number("PhiPrintedBroad", ratio[5])
E:claim { id = "phi-roughly-printed", where = "Epistemic uncertainty", reading = "printed", expected = 1,
  says = "The release probabilities produce roughly the same epistemic uncertainty as the Beta model.",
  measured = ratio.value:slice(1, #trained), se = ratio.se:slice(1, #trained),
  judge = judge.every(judge.within(margins.roughly)),
  note = "delivered over wanted variance of the output activities at the five trained inputs" }

--- Where the synapses of one such network lie in the plane: those of the inputs nearest to the trained
--- values, and of one that has seen no data.

local net, cells_shown = train(E.rng:stream("cells")), {}
for k, x in ipairs(shown) do
  local i = code:encode(x):argmax()
  cells_shown[k] = { x, code.centers, net.A[i], net.B[i] }
end
E:table("cells", { { "x", "input" }, { "y", "output" }, { "A", "evidence for" },
  { "B", "evidence against" } }, cells_shown)

E:finish()
