--- # Epistemic release probabilities
---
--- A weight that has been learned from little evidence is uncertain. The original describes the
--- uncertainty by a Beta distribution and asks which release probability $\Phi$ would give a synapse that
--- either transmits or fails the same variance. This chapter follows the derivation, checks its result
--- over the whole plane of evidence for ($A$) and against ($B$), and finds that the printed root solves an
--- equation with a factor of $\Phi$ too many.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local readings = require "vesicle.model.readings"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "04_epistemic_release", title = "Release probabilities that carry the uncertainty of a weight",
  params = {
    low = { -2.0, about = "log10 of the smallest A and B" },
    high = { 3.0, about = "log10 of the largest" },
    steps = { 101, quick = 41, about = "values of each between" },
    means = { { 0.05, 0.2, 0.5 }, about = "mean weights along which evidence grows" },
    replicates = { 60, quick = 40, about = "runs of the simulated synapse" },
    draws = { 1000, about = "draws in each" },
    evidence = { { 0.3, 3.0, 30.0 }, about = "values of A + B at which synapses are simulated" },
    networks = { 50, quick = 5, about = "trained networks" },
    spaced_networks = { 10, quick = 3, about = "trained networks with another spacing, or whose MAP is drawn" },
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
  local exact, phi, failure = delivered(a, b, "exact")
  local printed, phi_printed, failure_printed = delivered(a, b, "printed")
  return { a = a, b = b, weight = weight(a, b), wanted = wanted(a, b), phi = phi, phi_printed = phi_printed,
           exact = exact, printed = printed, failure = failure, failure_printed = failure_printed }
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

local section = "Theoretical model, Epistemic uncertainty, eq:beta2dropoutvar"

--- The cells of an exact number of each root.
local function exactly(printed, corrected)
  return { printed = { printed, exact = true }, corrected = { corrected, exact = true } }
end

E:statements {
  kind = "mathematical", proof = "prop:phi", breaks = "epistemic=squared",
  { id = "phi-variance", where = section, criterion = is.exact(0),
    says = "The given Phi makes the variance of a failing synapse that of the Beta distribution.",
    quantity = "largest relative error of the delivered variance over the plane of A and B",
    cells = exactly(largest(plane.printed / plane.wanted - 1), largest(plane.exact / plane.wanted - 1)),
    note = "the printed root delivers Phi times the wanted variance" },
  { id = "phi-saturation", where = "Theoretical model, constraint (2)", criterion = is.below(1),
    says = "Weights keep within their upper bound, also once divided by Phi.",
    quantity = "largest weight over Phi on the plane of A and B",
    cells = exactly((plane.weight / plane.phi_printed):max(), (plane.weight / plane.phi):max()) },
}
E:statement { id = "dropout-mean", kind = "definition", where = "Theoretical model, Epistemic uncertainty",
              says = "Without division the mean of a masked weight is the weight times Phi." }

--- ## As evidence accumulates
---
--- At a fixed mean the variance falls as $1/(A+B+1)$. Does what the synapse delivers fall too?

local slices, growth, growth_printed, gathered = {}, 0, 0, powers(-1, 3, 161)
local function steepest(v) return (v:slice(2) / v:slice(1, #v - 1)):max() end
for s, w in ipairs(P.means) do
  local c = stats.collect(gathered, function(n) return both_roots(w * n, (1 - w) * n) end)
  slices[s] = { s, w, gathered, c.wanted, c.phi, c.phi_printed, c.exact / c.wanted, c.printed / c.wanted }
  growth, growth_printed = math.max(growth, steepest(c.exact)), math.max(growth_printed, steepest(c.printed))
end
E:table("slices", { "slice", { "mean", "A/(A+B)" }, { "n", "A + B" }, { "wanted", "variance of Beta(A, B)" }, "phi",
  "phi_printed", "ratio", "ratio_printed" }, slices)
E:statement {
  id = "phi-precision", where = "Discussion, Biological plausibility", kind = "mathematical", proof = "prop:phi",
  says = "The mapping from evidence to release gives more precision as evidence is gathered.",
  quantity = "largest ratio of successive delivered variances as A+B grows at fixed mean", criterion = is.below(1),
  cells = exactly(growth_printed, growth), breaks = "epistemic=certain",
  note = "at a fixed mean; a single datum may widen a weight: (A,B) from (1,99) to (2,99) doubles its variance",
}

--- ## Simulated synapses
---
--- The same by sampling: synapses that transmit with probability $\Phi$, and draws from the two Beta distributions.

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
      beta = compared(rng:stream("beta", c):beta(a, b, P.draws), w, var),
      beta_plus = compared(rng:stream("beta_plus", c):beta(a + 1, b + 1, P.draws), w, var),
    }
  end)
end }

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
E:statement {
  id = "phi-equal-remark", where = section, kind = "mathematical", criterion = is.below(margins.closely),
  says = "For A = B, Phi is close to 1 - 1/(A+B+3).", breaks = "epistemic=squared", looked = true,
  quantity = "largest relative error of the remark in Phi, A+B from 0.01 to 1000",
  cells = exactly(largest((1 - remark) / equal.phi_printed - 1), largest((1 - remark) / equal.phi - 1)),
  drives = "that Phi is compared, not 1 - Phi",
  further = { { reading = "as a failure probability, printed root", largest(remark / equal.failure_printed - 1),
                exact = true, quantity = "largest relative error of the remark in 1 - Phi, A+B from 0.01 to 1000" } },
  note = "the remark is about Phi and is judged so; of 1 - Phi, which the figure shows, it misses by more than a tenth",
}
E:own {
  id = "phi-equal-exact", kind = "mathematical", proof = "prop:phi", breaks = "epistemic=squared",
  says = "For A = B the exact Phi is 1 - 1/(A+B+2).", criterion = is.exact(0),
  quantity = "largest relative error of 1 - Phi, A+B from 0.01 to 1000",
  value = { largest(equal.failure * (evidence + 2) - 1), exact = true },
}

--- ## In a trained network
---
--- How much does the factor matter? Train the network of the original on its first data model. The variance
--- that uncertain weights give to the output activities, $\sum_i x_i^2\,\mathrm{var}(w_{ij})$ summed over $j$, is
--- compared at each trained input, and at one that has seen no data.

local model = models.simple()
local trained, shown = model.inputs, { -4, -2, 0, 2, 4, 3 }
local function train(rng, spacing)
  local code = models.code(spacing)
  local net = ves.network { input = code, output = code, rng = rng:stream("priors") }
  for _, x in ipairs(trained) do
    local ys = rng:stream("data", x):normal(0, model.sd(x), P.rows // #trained)
    net:observe(ves.vector(#ys, x), ys)
  end
  return net, code
end

local nets = {}
for _, spacing in ipairs(readings.spacings) do
  local ends = spacing == "ends"
  nets[spacing] = E:replicate { name = ends and "networks" or spacing, n = ends and P.networks or P.spaced_networks,
    run = function(_, rng)
      local net, code = train(rng, spacing)
      local var, W, A, B, found = net:variance(), net:weights(), net.A, net.B, {}
      for _, reading in ipairs(readings.judged) do
        local phi, failure = ves.release.epistemic(A, B, reading.root)
        local delivers = (W / phi) ^ 2 * phi * failure
        found[reading.name] = stats.collect(shown, function(x)
          local square = ves.matrix { code:encode(x) ^ 2 }
          return square:mul(delivers):sum() / square:mul(var):sum()
        end)
      end
      return found
    end }
end
local function delivered_ratio(reading, spacing) return stats.summary(nets[spacing]:column(reading.name)) end
local ratio = delivered_ratio(readings.printed, "ends")
E:table("networks", { { "x", shown }, { "trained", { "yes", "yes", "yes", "yes", "yes", "no" } },
  { "ratio", "output variance delivered by the printed root over the wanted one", ratio.value }, { "se", ratio.se } })
E:number("PhiPrintedUntrained", ratio[6])
E:number("PhiPrintedNarrow", ratio[1])
E:number("PhiPrintedBroad", ratio[5])
E:statement {
  id = "phi-roughly", where = "Theoretical model, Epistemic uncertainty", kind = "empirical", looked = true,
  says = "The releases produce roughly the same epistemic uncertainty as the Beta model.",
  quantity = "delivered over wanted variance of the output activities, at trained inputs and at one without data",
  at = { "x=-4", "x=-2", "x=0", "x=2", "x=4", "x=3" }, criterion = is.each(is.within(margins.roughly)),
  breaks = "epistemic=squared", cells = readings.cells(function(reading, spacing)
    local found = delivered_ratio(reading, spacing)
    return reading.root == "exact" and { found.value, exact = true } or found -- an identity in every network
  end),
}

--- Weights are divided by $\Phi$ so that MAP samples stay in place. How far is the mean of the samples [readout:mean]
--- from that of the encoded distribution, with division and without? Only the first data model is symmetric about 0.

local function offsets(of_model, spacing)
  return E:replicate { name = "mean-" .. of_model.name .. "-" .. spacing, n = P.spaced_networks, run = function(_, rng)
    local net, found = models.network(of_model, rng, { rows = P.rows, spacing = spacing }), {}
    local code, W, A, B = models.code(spacing), net:weights(), net.A, net.B
    for _, reading in ipairs(readings.judged) do
      local phi = ves.release.epistemic(A, B, reading.root)
      local function offset(x, rescale)
        local encoded = ves.multi.mixture(W, code:encode(x))
        local samples = net:sample { x = x, release = phi, rescale = rescale, normaliser = "none", readout = "mean",
                                     draws = P.draws, rng = rng:stream("map", x) }
        return math.abs(samples:mean() - encoded:dot(code.centers)) / pmf.sd(encoded, code.centers)
      end
      found[reading.name] = stats.collect(trained, function(x)
        return { divided = offset(x, phi), undivided = offset(x) }
      end)
    end
    return found
  end }
end
local function division(found, reading)
  return stats.jackknife(function(divided, undivided) return divided:mean() / undivided:mean() end,
    found:column(reading.name .. ".divided"), found:column(reading.name .. ".undivided"))
end

local bimodal, simple = offsets(models.bimodal(), "ends"), {}
for _, spacing in ipairs(readings.spacings) do simple[spacing] = offsets(model, spacing) end
E:statement {
  id = "phi-mean-unbiased", where = "Theoretical model, Epistemic uncertainty", kind = "empirical", looked = true,
  says = "For minimal bias the weights are to be divided by Phi.", criterion = is.less(margins.substantially, 0),
  quantity = "mean offset of MAP samples from the encoded mean, in its standard deviations, with division over without",
  breaks = "sample=offset", cells = readings.cells(function(reading, spacing)
    return division(simple[spacing], reading)
  end),
  further = { { reading = "second data model, printed", division(bimodal, readings.printed) },
              { reading = "second data model, corrected", division(bimodal, readings.corrected) } },
}

--- Where the synapses of one such network lie in the plane: those of the inputs nearest to the trained
--- values, and of one that has seen no data.

local net, code = train(E.rng:stream("cells"), "ends")
local cells_shown = {}
for k, x in ipairs(shown) do
  local i = code:encode(x):argmax()
  cells_shown[k] = { x, code.centers, net.A[i], net.B[i] }
end
E:table("cells", { { "x", "input" }, { "y", "output" }, { "A", "evidence for" },
  { "B", "evidence against" } }, cells_shown)

E:finish()
