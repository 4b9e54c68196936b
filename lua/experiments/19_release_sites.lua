--- # Several release sites
---
--- The epistemic release gives a weight the mean and the variance of its Beta distribution. A readout that is linear in
--- the weights needs no more, and its standard errors agree, as do those of the whole activity decoded with wide
--- kernels (`06_variance_of_map`); the winner needs more, and under one site a synapse, with the printed root or the
--- exact one, its standard errors are less than half of the Beta model's. Synapses have several release sites. Let each
--- of $N$ transmit $w/(N\phi)$ with probability $\phi$; the variance of their sum is that of the Beta distribution
--- [eq:betavar] if
--- $$\phi = \frac{1}{1 + N t}, \qquad t = \frac{B}{A(A+B+1)}. \qquad\text{[eq:sites]}$$
--- One site is the original with its exact root [eq:beta2dropoutvar]. How many are needed, and what do they cost?

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local repaired = require "vesicle.model.repaired"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "19_release_sites", title = "standard errors, third moments and silence against the number of release sites",
  params = {
    sites = { { 1, 2, 4, 8, 16, 32, 64, 128, 256 }, about = "release sites of a synapse" },
    replicates = { 200, quick = 6, about = "data sets, each with its own network" },
    some = { 40, quick = 6, about = "of these, networks with numbers of sites that no statement is about" },
    draws = { 1000, quick = 200, about = "MAP samples per input" },
    mean_replicates = { 40, quick = 2, about = "networks whose population mean is read out too" },
    rows = { 4000, about = "rows of data" },
    cut_replicates = { 40, quick = 2, about = "networks whose synapses are cut at the bound" },
    low = { -2.0, about = "log10 of the smallest A and B" }, high = { 3.0, about = "log10 of the largest" },
    steps = { 51, quick = 21, about = "values of each between" },
  },
}
local P = E.params
local model, code = models.simple(), models.code()
local inputs, counts, most = model.inputs, P.sites, #P.sites
local unseen = 3
local at_inputs = { "x=-4", "x=-2", "x=0", "x=2", "x=4" }

--- ## Standard errors of the MAP
---
--- Draws with the sites alone, weights divided so that their mean stays $W$, beside draws of the weights themselves:
--- the winner, and the population mean [readout:mean], which is near to linear. One site is shown with both roots,
--- the printed one beside the printed $\mathrm{Beta}(A+1, B+1)$.

local function present(f) return stats.collect(inputs, f) end

--- What is judged is drawn from every network: the numbers of sites that statements are about, and 16, from which on
--- standard errors are those of the Beta model. The others are there to be seen, in fewer networks.
local judged = { [16] = true, [repaired.sites] = true, [counts[most]] = true }

local function standard_errors(net, rng, readout, all)
  local A, B = net.A, net.B
  local function by_sites(n, root)
    local phi = ves.release.epistemic(A, B, root, { sites = n })
    return present(function(x)
      return net:sample { x = x, release = phi, rescale = phi, sites = n, normaliser = "none", readout = readout,
                          draws = P.draws, rng = rng:stream("sites", n, x) }:sd()
    end)
  end
  local beta = present(function(x)
    local one, plus = net:beta { x = x, beta = "both", readout = readout, draws = P.draws,
                                 rng = rng:stream("beta", x) }
    return { sd = one:sd(), plus = plus:sd() }
  end)
  local sites = {}
  for k, n in ipairs(counts) do sites["k" .. k] = (all or judged[n]) and by_sites(n, "exact") or nil end
  return { sites = sites, printed = all and by_sites(1, "printed") or nil, beta = beta.sd, beta_plus = beta.plus }
end

--- ## Third moments, and silence
---
--- Exactly, for the output activities $y_j = \sum_i x_i w_{ij}$ at an input: the third central moment of a synapse is
--- $w^3 t\,(t - 1/N)$ with $N$ sites and $2 w^3 t\,(B-A)/(A(A+B+2))$ under the Beta distribution [eq:sites-moments];
--- both summed over all outputs. Nothing is transmitted if every site of every synapse fails; with the mapping beside
--- the sites and two stages [eq:two-stage], if the row that is left has no synapse that releases and has an open site.

local function synapses(net, x)
  local activity = code:encode(x)
  local active = activity:above(1e-3)
  local a, b, level = net.A:take(active), net.B:take(active), activity:take(active)
  local w = a / (a + b)
  return { a = a, b = b, w = w, x = level, active = active, t = b / (a * (a + b + 1)),
           cubes = ves.matrix { level ^ 3 } }
end

local function third_moments(s)
  local beta = s.cubes:mul(s.w ^ 3 * s.t * (s.b - s.a) / (s.a * (s.a + s.b + 2)) * 2):sum()
  return stats.collect(counts, function(n) return s.cubes:mul(s.w ^ 3 * s.t * (s.t - 1 / n)):sum() / beta end)
end

local function empty_draws(net, x, n)
  local s = synapses(net, x)
  local phi, rest = ves.release.epistemic(s.a, s.b, "exact", { sites = n })
  local silent = (rest:map(math.log) * n):exp()
  local heard = 1 - ves.release.analytic(s.w) * (1 - silent)
  local strength = s.x * s.w:row_sums()
  return { map = (rest:map(math.log) * n):sum(), both = strength:dot(stats.collect(#s.x, function(i)
    return math.exp(heard[i]:map(math.log):sum())
  end)) / strength:sum(), site = (s.w / phi / n):max(), synapse = (s.w / phi):max() }
end

--- ## The bound
---
--- The original keeps weights below 1, also once divided by $\Phi$. No single site sends more, but the sites of a
--- synapse together may send $w(1 + N t)$. What if the sum were cut off at 1? Exactly, by the binomial law of the
--- number of open sites: the share of the mean and of the variance of the output activities that would be lost.

local function cut(s, n)
  local phi, rest = ves.release.epistemic(s.a, s.b, "exact", { sites = n })
  local share, log_open, log_shut = s.w / phi / n, phi:map(math.log), rest:map(math.log)
  local mean, square, choose = s.w * 0, s.w * 0, 0.0
  for k = 1, n do
    choose = choose + math.log((n - k + 1) / k)
    local sent = (share * k):clamp(0, 1)
    local p = (log_open * k + log_shut * (n - k) + choose):exp()
    mean, square = mean + p * sent, square + p * sent * sent
  end
  local x, xx = ves.matrix { s.x }, ves.matrix { s.x ^ 2 }
  return { mean = 1 - x:mul(mean):sum() / x:mul(s.w):sum(),
           variance = 1 - xx:mul(square - mean * mean):sum() / xx:mul(s.w ^ 2 * s.t):sum() }
end

local runs = E:replicate { name = "main", n = P.replicates, run = function(i, rng)
  local net = models.network(model, rng, { rows = P.rows })
  local found = { winner = standard_errors(net, rng:stream("winner"), "winner", i <= P.some),
                  mean = i <= P.mean_replicates and standard_errors(net, rng:stream("mean"), "mean", true) or nil }
  found.third = stats.collect({ -4, -2, 0, 2, 4, unseen }, function(x)
    return third_moments(synapses(net, x))
  end):flatten()
  for _, x in ipairs { 0, unseen } do
    local name = x == unseen and "unseen" or "trained"
    found[name] = stats.collect(counts, function(n) return empty_draws(net, x, n) end)
    found[name].cut = i <= P.cut_replicates and stats.collect(counts, function(n) return cut(synapses(net, x), n) end)
      or nil
  end
  return found
end }

--- ## What comes of it

--- Standard errors over those of the Beta model at the five inputs: of the k-th number of sites, or as printed.
local networks = { winner = P.replicates, mean = P.mean_replicates }
local fewer = { winner = P.some, mean = P.mean_replicates }
local function over(readout, field, reference, count)
  return stats.ratios(runs:column(readout .. field, count), runs:column(readout .. reference, count))
end
local function ratio(readout, k)
  return over(readout, ".sites.k" .. k, ".beta", (judged[counts[k]] and networks or fewer)[readout])
end
local function as_printed(readout) return over(readout, ".printed", ".beta_plus", fewer[readout]) end

local rows, worst = {}, {}
for k, n in ipairs(counts) do
  local winner, mean = ratio("winner", k), ratio("mean", k)
  rows[k] = { n, "exact", inputs, winner, mean }
  worst[k] = (winner.value - 1):abs():max()
end
local printed = as_printed "winner"
rows[#rows + 1] = { 1, "printed", inputs, printed, as_printed "mean" }
E:table("standard_errors", { { "sites", "release sites of a synapse" },
  { "root", "exact: with Beta(A, B); printed: the printed root with Beta(A+1, B+1)" }, { "x", "input" },
  { "winner", "standard error of the winner over that of the Beta model" }, "winner_se",
  { "mean", "the same of the population mean" }, "mean_se" }, rows)

--- The number of sites from which on the winner's standard errors are those of the Beta model, at every input.

local enough = most
while enough > 1 and worst[enough - 1] <= margins.closely do enough = enough - 1 end
E:number("SitesEnough", counts[enough], nil, { digits = #tostring(counts[enough]) })
E:number("SitesOneRatio", ratio("winner", 1).value:mean(), nil, { digits = 2 })
E:number("SitesPrintedRatio", printed.value:mean(), nil, { digits = 2 })
E:number("SitesWorstMost", worst[most], nil, { digits = 2 })

local third = stats.summary(runs:column "third")
local function of(field, sub) return stats.summary(runs:column(field .. "." .. sub)) end
local function cut_of(field, sub) return stats.summary(runs:column(field .. ".cut." .. sub, P.cut_replicates)) end
local third_rows, cost_rows = {}, {}
for g, x in ipairs { -4, -2, 0, 2, 4, unseen } do
  third_rows[g] = { x, counts, third.value:slice((g - 1) * most + 1, g * most),
                    third.se:slice((g - 1) * most + 1, g * most) }
end
for k, name in ipairs { "trained", "unseen" } do
  cost_rows[k] = { name, counts, of(name, "map").value / math.log(10), of(name, "both"), of(name, "site").value,
                   of(name, "synapse").value, cut_of(name, "mean").value, cut_of(name, "variance").value }
end
E:table("third_moments", { { "x", "input; 3 has seen no data" }, { "sites", "release sites of a synapse" },
  { "ratio", "third central moment of the output activities over that under Beta weights" }, "ratio_se" }, third_rows)
E:table("costs", { { "input", "trained: 0; unseen: 3" }, { "sites", "release sites of a synapse" },
  { "map_empty", "log10 of the probability that no site opens" },
  { "both_empty", "probability of an empty draw with the mapping beside the sites, two stages" }, "both_empty_se",
  { "site", "most that a site sends" }, { "synapse", "most that all sites of a synapse send together" },
  { "mean_lost", "share of the mean activity lost if a synapse's sum were cut off at 1" },
  { "variance_lost", "share of its variance" } }, cost_rows)

E:number("SitesThirdTrained", third[3 * most])
E:number("SitesThirdUnseen", third[6 * most])
E:number("SitesEmptyOne", of("unseen", "both")[1])
E:number("SitesEmptyMost", of("unseen", "both")[most])
E:number("SitesSynapseMost", of("unseen", "synapse")[most])
E:number("SitesCutVariance", cut_of("unseen", "variance")[most])

--- ## Verdicts
---
--- The repaired model has \SitesUsed sites wherever it needs a number: fixed once, after a look at a single network.

E:number("SitesUsed", repaired.sites, nil, { digits = 2 })
local used
for k, n in ipairs(counts) do if n == repaired.sites then used = k end end

local function powers()
  return stats.collect(P.steps, function(i) return 10 ^ (P.low + (P.high - P.low) * (i - 1) / (P.steps - 1)) end)
end
local function on_plane(f) -- the largest of f(a, b, phi, w, n) over the plane
  local axis, largest = powers():totable(), 0
  for _, a in ipairs(axis) do
    for _, b in ipairs(axis) do
      local phi, rest = ves.release.epistemic(a, b, "exact", { sites = repaired.sites })
      largest = math.max(largest, f(a / (a + b), phi, rest, a * b / ((a + b) ^ 2 * (a + b + 1))))
    end
  end
  return largest
end
local variance_error = on_plane(function(w, phi, rest, wanted)
  return math.abs(w * w * rest / (repaired.sites * phi) / wanted - 1)
end)

E:own { id = "sites-variance", kind = "mathematical", proof = "prop:sites", breaks = "epistemic=squared",
        says = "With several sites the variance of a weight is that of its Beta distribution.", criterion = is.exact(0),
        quantity = "largest relative error of the delivered variance over the plane of A and B",
        value = { variance_error, exact = true } }
E:own {
  kind = "empirical", at = at_inputs, breaks = "epistemic=squared",
  { id = "sites-winner", criterion = is.each(is.within(margins.closely)), value = ratio("winner", most),
    says = "With many sites the winner's standard errors are those of the Beta model.",
    quantity = string.format("standard error by %d sites over that of the Beta model", counts[most]) },
  { id = "sites-third-moment", criterion = is.each(is.less(1, margins.differs)), breaks = "network.observe=nothing",
    says = "No number of sites gives trained weights the skew of their Beta distribution.",
    quantity = string.format("third central moment of the output activities, %d sites over Beta", counts[most]),
    value = stats.summary(runs:column("third"):transpose():take(ves.range(1, 5) * most):transpose()) },
}
E:repaired {
  breaks = "epistemic=squared",
  { statement = "phi-variance", proof = "prop:sites", value = { variance_error, exact = true } },
  { statement = "phi-saturation", breaks = "epistemic=certain",
    value = { on_plane(function(w, phi) return w / phi end), exact = true,
              note = "all sites of a synapse together; no single one sends more than 1 (prop:sites)" } },
  { statement = "se-identity", at = at_inputs, value = ratio("winner", used) },
  { statement = "se-expected", at = at_inputs, value = ratio("winner", used) },
}

E:finish()
