--- # Simulated data
---
--- The original's picture of the whole: data of two models beside what a network trained on them draws over the
--- full range of inputs. Samples of the complete posterior use both releases, $\bar Q = \Phi \odot Q$ [eq:combined];
--- samples of the MAP use $\Phi$ alone. Where there are data the samples should look like them, where there are
--- none they should be uniform, and the spread of the MAP should tell one from the other. [fig:simdata1]

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local readings = require "vesicle.model.readings"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "07_simulated_data", title = "data, posterior samples and MAP samples over all inputs",
  figure = "fig:simdata1",
  params = {
    rows = { 4000, about = "rows of data" },
    grid = { 121, about = "inputs on [-6, 6]" },
    posterior_draws = { 33, about = "posterior samples per input in the figure" },
    map_draws = { 12, about = "MAP samples per input in the figure" },
    data_jitter = { 0.3, about = "half-width of the jitter of the simple model's data" },
    grid_jitter = { 0.05, about = "half-width of the jitter of samples" },
    replicates = { 20, quick = 3, about = "networks behind the verdicts" },
    spaced_replicates = { 20, quick = 3, about = "networks of each other spacing of the tuning curves" },
    learned_replicates = { 10, quick = 2, about = "networks that learn their releases too" },
    iterations = { 5000, quick = 1000, about = "iterations of Algorithm 2" },
    psi = { 8.0, range = { 1, 20 }, about = "exponent of the learning rule" },
    rate = { 0.01, range = { 1e-4, 0.2 }, about = "learning rate" },
    unseen = { 0.4, about = "an input this far from all training inputs counts as unseen" },
  },
}
local P = E.params
local both = { models.simple(), models.bimodal() }
local grid = (ves.range(1, P.grid) - 1) * 12 / (P.grid - 1) + -6

--- ## The picture
---
--- One trial of each model, as many posterior samples as rows of data, and fewer MAP samples on top. A little jitter
--- along $x$ shows the density, as in the original. The picture takes the corrected reading; the verdicts
--- below take both.

local function jitter(count, half, rng) return (rng:uniform(count) * 2 - 1) * half end

local function picture()
  local data, samples = {}, {}
  for _, model in ipairs(both) do
    local rng = E.rng:stream("picture", model.name)
    local net, xs, ys = models.network(model, rng, { rows = P.rows })
    local shake = rng:stream("jitter")
    local shown = model.inputs and xs + jitter(#xs, P.data_jitter, shake) or xs
    data[#data + 1] = { model.name, xs, ys, shown }
    local r = readings.releases(net, readings.corrected)
    local function show(kind, options)
      for _, x in pairs(grid) do
        options.x, options.rng, options.normaliser = x, rng:stream(kind, x), "none"
        if kind == "posterior" then options.release = readings.combined(r, net.input:encode(x)) end
        local y = net:sample(options)
        samples[#samples + 1] = { model.name, kind, x, y, jitter(#y, P.grid_jitter, shake) + x }
      end
    end
    show("posterior", { draws = P.posterior_draws })
    show("map", { draws = P.map_draws, release = r.phi, rescale = r.phi })
  end
  E:table("data", { { "model", "data-generating model" }, { "x", "input" }, { "y", "output" },
    { "shown", "x with jitter" } }, data)
  E:table("samples", { { "model", "model of the training data" }, { "kind", "posterior or map" }, { "x", "input" },
    { "y", "value of the winning output" }, { "shown", "x with jitter" } }, samples)
end
picture()                                -- its many rows are forgotten once written

--- ## Behind the picture
---
--- The verdicts need no draws: the distributions are computed exactly [eq:winner-multi], for networks trained on
--- independent data. The data available at an input are counted through the tuning curves, as the network sees them.

local function available(net)
  local presence = (net.A + net.B):row_sums() / net.output.n
  return stats.collect(grid, function(x)
    local activity = net.input:encode(x)
    return activity:dot(presence) / activity:sum()
  end)
end

--- The distance of x from the training inputs of a model.
local function distance(model, x)
  if not model.inputs then return math.max(0, model.lo - x, x - model.hi) end
  return (ves.vector(model.inputs) - x):abs():min()
end
for _, model in ipairs(both) do          -- the positions on the grid of inputs that were trained, or are far from them
  local far = grid:map(function(x) return distance(model, x) end)
  model.trained, model.unseen = (1e-9 - far):above(0), far:above(P.unseen - 1e-9)
end

local looked_at, offsets = { -4, -2, 0, 2, 4 }, ves.range(0, 20) * 0.02

--- What samples look like, those of the posterior or of the MAP, at an input; each input is computed once.
local function samples_of(distribution, net, r)
  local known = {}
  return function(x)
    known[x] = known[x] or (distribution(readings.at(r, net.input:encode(x))))
    return known[x]
  end
end

--- All unseen inputs together, and how far that is from uniform.
local function at_unseen(own, at, model)
  local unseen = stats.collect(grid:take(model.unseen), at):col_sums()
  own.unseen, own.from_uniform = pmf.normalised(unseen), pmf.from_uniform(unseen)
  return own
end

--- Of the posterior also: the distributions at the inputs looked at and, where asked for, its spread over the grid.
local function of_posterior(model, net, r, profile)
  local at, centers = samples_of(readings.posterior, net, r), net.output.centers
  local own = at_unseen({ cdf = {} }, at, model)
  own.sd = profile and stats.collect(grid, function(x) return pmf.sd(at(x), centers) end) or nil
  for g, x in ipairs(looked_at) do own.cdf[g] = pmf.cumulative(at(x)) end
  return own
end

--- Of the MAP: its spread over the grid, its distance from the mean of the data, the gap between its spreads at unseen
--- and at trained inputs, the rank correlation of the spread with the available data, and in the simple model the
--- spread at growing distances from the trained inputs.
local function of_map(model, net, r, evidence)
  local at, centers = samples_of(readings.map, net, r), net.output.centers
  local function sd_at(x) return pmf.sd(at(x), centers) end
  local map = at_unseen({ sd = stats.collect(grid, sd_at) }, at, model)
  map.off = stats.collect(looked_at, function(x) return at(x):dot((centers - model.mean(x)):abs()) end)
  local unseen, trained = map.sd:take(model.unseen):min(), map.sd:take(model.trained):max()
  map.gap, map.ratio, map.rank = unseen - trained, unseen / trained, stats.rank_correlation(evidence, map.sd)
  map.gradation = model.inputs and stats.collect(offsets, function(offset)
    return stats.collect(model.inputs, function(x) return sd_at(x + offset) end):sum() / #model.inputs
  end)
  return map
end

--- $Q$ is the analytic mapping and, in some networks, also what Algorithm 2 learns: the complete scheme of the original
--- has nothing but local learning. [alg:2]

local function measure(model, spacing, rng, learns)
  local net = models.network(model, rng, { rows = P.rows, spacing = spacing })
  local result = { evidence = available(net) }
  local learned = learns and ves.release.learn(net:weights(), { algorithm = 2, rule = "power", psi = P.psi,
    rate = P.rate, iterations = P.iterations, rng = rng:stream("learn") })
  local other
  for _, reading in ipairs(readings.judged) do
    local r = readings.releases(net, reading, other)
    other = { W = r.W, A = r.A, B = r.B, Q = r.Q }
    local own = { analytic = of_posterior(model, net, r, spacing == "ends"),
                  map = of_map(model, net, r, result.evidence) }
    if learned then
      r.Q = learned
      own.learned = of_posterior(model, net, r)
    end
    result[reading.name] = own
  end
  return result
end

--- The text says only that the tuning curves are equally spaced: networks of the other two spacings have data of their
--- own, the same for both.

local trials, spaced = {}, {}
for k, model in ipairs(both) do
  trials[k] = E:replicate { name = model.name, n = P.replicates, run = function(i, rng)
    return measure(model, "ends", rng, i <= P.learned_replicates)
  end }
  spaced[k] = E:replicate { name = model.name .. "-spaced", n = P.spaced_replicates, run = function(_, rng)
    return { bins = measure(model, "bins", rng), open = measure(model, "open", rng) }
  end }
end

--- A field of all networks that have it: of the k-th model, or of the one and the other.
local function field(k, spacing, path)
  if spacing ~= "ends" then return spaced[k]:column(spacing .. "." .. path) end
  return trials[k]:column(path, path:find("learned", 1, true) and P.learned_replicates or P.replicates)
end
local function fields(spacing, path) return field(1, spacing, path), field(2, spacing, path) end

local in_tables = { readings.corrected, readings.printed }
local profile_rows, gradation_rows = {}, {}
for k, model in ipairs(both) do
  local unseen = ves.vector(#grid)
  for _, i in pairs(model.unseen) do unseen[i] = 1 end
  for _, reading in ipairs(in_tables) do
    local function mean(path) return stats.summary(field(k, "ends", path)) end
    local name = reading.pick("default", "printed")
    profile_rows[#profile_rows + 1] = { model.name, name, grid, mean("evidence").value,
      mean(reading.name .. ".analytic.sd"), mean(reading.name .. ".map.sd"), unseen }
    if k == 1 then gradation_rows[#gradation_rows + 1] = { name, offsets, mean(reading.name .. ".map.gradation") } end
  end
end
E:table("profile", { "model", "reading", "x",
  { "evidence", "rows of data available at x, counted through the tuning curves, priors included" },
  { "posterior_sd", "exact standard deviation of posterior samples, mean over networks" },
  { "posterior_se", "its standard error" }, { "map_sd", "the same of MAP samples" }, { "map_se", "its standard error" },
  { "unseen", "1 if no training input was near" } }, profile_rows)
E:table("gradation", { "reading", { "distance", "from a trained input" },
  { "map_sd", "MAP standard deviation, mean over the five inputs and over networks" },
  { "se", "its standard error" } }, gradation_rows)

--- ## Verdicts
---
--- *The samples are distributed as the data.* Kolmogorov's distance between the samples' distribution function,
--- averaged over networks, and the data-generating one, at five inputs of the one model and then of the other.

local function kolmogorov(release)
  local found = {}                       -- each is asked for more than once
  local function distance_of(reading, spacing)
    local columns, truths = {}, {}
    for k, model in ipairs(both) do
      for g, x in ipairs(looked_at) do
        truths[#truths + 1] = function(y) return model.cdf(x, y) end
        columns[#columns + 1] = field(k, spacing, string.format("%s.%s.cdf.%d", reading.name, release, g))
      end
    end
    return pmf.kolmogorov(columns, truths, models.code(spacing).centers)
  end
  return function(reading, spacing)
    local name = readings.cell(reading, spacing)
    found[name] = found[name] or distance_of(reading, spacing)
    return found[name]
  end
end
local of_analytic, of_learned = kolmogorov "analytic", kolmogorov "learned"

--- Cells: the mean over networks of a field, of both models; and further ones, of { name, f } what f(reading, "ends")
--- returns for the printed and the corrected reading.
local function mean_of(path)
  return function(reading, spacing) return stats.summary { fields(spacing, reading.name .. "." .. path) } end
end
local function further(list)
  local cells = {}
  for _, c in ipairs(list) do
    for _, reading in ipairs(readings.judged) do
      cells[#cells + 1] = { reading = c[1] .. ", " .. reading.name, c[2](reading, "ends"), quantity = c.quantity }
    end
  end
  return cells
end

local where = "Results, fig:simdata1"
E:statement {
  id = "matches-data", where = where, kind = "empirical", breaks = "release.analytic=uniform",
  says = "Posterior samples are distributed approximately as the data.",
  quantity = "Kolmogorov distance of samples with both releases from the data-generating distribution",
  at = { "simple,x=-4", "simple,x=-2", "simple,x=0", "simple,x=2", "simple,x=4",
         "bimodal,x=-4", "bimodal,x=-2", "bimodal,x=0", "bimodal,x=2", "bimodal,x=4" },
  criterion = is.each(is.below(margins.closely)), cells = readings.cells(of_analytic),
  further = further { { "learned Q", of_learned } },
}

local match_rows = {}
for _, reading in ipairs(in_tables) do
  local off, learned = of_analytic(reading, "ends"), of_learned(reading, "ends")
  local worst = { off.value:slice(1, 5):argmax(), off.value:slice(6, 10):argmax() + 5 }
  E:number(reading.pick("MatchesWorstSimple", "MatchesWorstSimplePrinted"), off[worst[1]])
  E:number(reading.pick("MatchesWorstBimodal", "MatchesWorstBimodalPrinted"), off[worst[2]])
  E:number(reading.pick({ "UniformNetworkSimple", "UniformNetworkBimodal" },
    { "UniformNetworkSimplePrinted", "UniformNetworkBimodalPrinted" }),
    mean_of "analytic.from_uniform"(reading, "ends"))
  E:number(reading.pick("MapGapSimple", "MapGapSimplePrinted"), mean_of "map.gap"(reading, "ends")[1])
  for i = 1, 10 do
    match_rows[#match_rows + 1] = { both[i // 6 + 1].name, reading.name, looked_at[(i - 1) % 5 + 1], off[i],
                                    learned[i] }
  end
end
E:table("matches", { "model", "reading", "x",
  { "analytic", "Kolmogorov distance from the data of samples with Phi times the analytic Q" },
  { "analytic_se", "its standard error" }, { "learned", "the same with Phi times the learned Q" },
  { "learned_se", "its standard error" } }, match_rows)

--- *Uniform where no data were seen*: all unseen inputs of one network together, as the eye takes them, or of all
--- networks. *The MAP varies least where there are most data, and more the fewer there are*.

local function on_average(reading, spacing)
  return stats.jackknife(function(a, b) return { pmf.from_uniform(a), pmf.from_uniform(b) } end,
    fields(spacing, reading.name .. ".analytic.unseen"))
end

E:statements {
  where = where, kind = "empirical", at = { "simple", "bimodal" }, breaks = "network.observe=nothing",
  { id = "uniform-where-no-data",
    says = "The network draws uniformly distributed samples where no data were available.",
    quantity = "total variation from uniform of posterior samples, all unseen inputs of a network pooled",
    criterion = is.each(is.below(margins.uniform)), breaks = "winner=encoded",
    cells = readings.cells(mean_of "analytic.from_uniform"),
    further = further {
      { "averaged over networks", on_average }, { "learned Q", mean_of "learned.from_uniform" },
      { "MAP samples", mean_of "map.from_uniform",
        quantity = "total variation from uniform of MAP samples, all unseen inputs of a network pooled" },
    }, note = "the cells averaged over networks were added after a first look" },
  { id = "map-smallest-where-data", cells = readings.cells(mean_of "map.ratio"),
    says = "The variance of MAP samples is smallest where training data are most available.",
    quantity = "smallest MAP standard deviation at unseen inputs over the largest at trained ones",
    criterion = is.each(is.more(1, margins.differs)) },
  { id = "epistemic-varies-with-data", where = "Results, fig:simdata1, caption",
    says = "Epistemic variance varies with the amount of available data.",
    quantity = "rank correlation of the MAP standard deviation with available data over the grid of inputs",
    criterion = is.each(is.less(0, margins.rank_effect)), cells = readings.cells(mean_of "map.rank") },
}

--- *Certain of the central value*: MAP samples of the simple model lie nearer to the true mean than the data do.
--- *Gradations around each input*: the spread of the MAP grows with the distance from a trained input, as the common
--- activity of tuning curves fades.

local usual = stats.collect(looked_at, function(x) return both[1].sd(x) * math.sqrt(2 / math.pi) end)
E:statements {
  where = where, kind = "empirical", breaks = "network.observe=nothing",
  { id = "map-central", says = "MAP samples show high certainty in the most central output value where there are data.",
    quantity = "mean distance of MAP samples from the true mean over that of the data, simple model",
    at = { "x=-4", "x=-2", "x=0", "x=2", "x=4" }, criterion = is.each(is.less(margins.substantially)),
    cells = readings.cells(function(reading, spacing)
      return stats.ratios(field(1, spacing, reading.name .. ".map.off"), usual)
    end) },
  { id = "gradations", says = "Uncertainty grades from minimal to maximal around each trained input.",
    quantity = "rank correlation of the MAP standard deviation with the distance from a trained input, from 0 to 0.4",
    criterion = is.above(margins.correlated), cells = readings.cells(function(reading, spacing)
      return stats.jackknife(function(sd) return stats.rank_correlation(offsets, sd) end,
        field(1, spacing, reading.name .. ".map.gradation"))
    end) },
}

--- *The second model as described.* Its first component is said to have a declining density; the printed weight rises.
--- Differs from [data:bimodal]: with the option, 1 - p(x) takes its place.

local function change(model) return { model.share(4) - model.share(-4), exact = true } end

E:statement {
  id = "declining-density", where = "Network Simulations, Data", kind = "mathematical", breaks = "bimodal=declining",
  says = "The component of fixed mean has a declining density, the other a rising one.", proof = "sec:errata",
  quantity = "change of the first component's share from x = -4 to 4", criterion = is.below(0),
  cells = { printed = change(both[2]), corrected = change(models.bimodal { declining = true }) },
}

--- The second component is said to have "a positive linear trend in the mean, variance, and density". Each is compared
--- with a straight line that begins where it begins and rises by as much as it changes.

local trend = ves.range(0, 80) / 10 - 4
local function off_line(f)
  local y = trend:map(f)
  local rise = math.abs(y[#y] - y[1])
  return (y - y[1] - (trend + 4) * (rise / 8)):abs():max() / rise
end
local function trends(model)
  return { { off_line(function(x) return x / 4 end), off_line(function(x) return 0.2 + 0.0625 * (x + 4) end),
             off_line(function(x) return 1 - model.share(x) end) }, exact = true }
end
E:statement {
  id = "linear-trends", where = "Network Simulations, Data", kind = "mathematical", looked = true,
  breaks = "bimodal=declining",
  says = "The second component has a positive linear trend in the mean, variance and density.",
  quantity = "largest distance from a rising line over x from -4 to 4, as a share of the change",
  at = { "mean", "variance", "density" }, criterion = is.each(is.below(margins.closely)),
  cells = { printed = trends(both[2]), corrected = trends(models.bimodal { declining = true }) },
  drives = "that a tenth counts as straight: the density is logistic, so that exactly linear it is under no reading",
  note = "the density falls as printed (declining-density); the variance is the second argument of N, linear as such, "
    .. "though as a standard deviation its square is not",
}

E:finish()
