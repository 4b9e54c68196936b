--- # Simulated data
---
--- The original's picture of the whole: data of two models beside what a network trained on them draws over the
--- full range of inputs. Samples of the complete posterior use both releases, $\bar Q = \Phi \odot Q$ [eq:combined];
--- samples of the MAP use $\Phi$ alone. Where there are data the samples should look like them, where there are
--- none they should be uniform, and the spread of the MAP should tell one from the other. [fig:simdata1]

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local judge = require "vesicle.judge"
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
    unseen = { 0.4, about = "an input this far from all training inputs counts as unseen" },
  },
}
local P = E.params
local code = models.code()
local centers = code.centers
local both = { models.simple(), models.bimodal() }
local grid = (ves.range(1, P.grid) - 1) * 12 / (P.grid - 1) + -6

--- ## The picture
---
--- One trial of each model, as many posterior samples as rows of data, and fewer MAP samples on top. A little jitter
--- along $x$ shows the density, as in the original. The picture takes the default reading (exact root, participation);
--- the verdicts below take both.

local function jitter(count, half, rng) return (rng:uniform(count) * 2 - 1) * half end

local function picture()
  local data, samples = {}, {}
  for _, model in ipairs(both) do
    local rng = E.rng:stream("picture", model.name)
    local net, xs, ys = models.network(model, rng, { rows = P.rows })
    local shake = rng:stream("jitter")
    local shown = model.inputs and xs + jitter(#xs, P.data_jitter, shake) or xs
    data[#data + 1] = { model.name, xs, ys, shown }
    local r = readings.releases(net, readings.default)
    local function show(kind, options)
      for _, x in pairs(grid) do
        options.x, options.rng, options.normaliser = x, rng:stream(kind, x), "none"
        if kind == "posterior" then options.release = readings.combined(r, code:encode(x)) end
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
  local presence = (net.A + net.B):row_sums() / code.n
  return stats.collect(grid, function(x)
    local activity = code:encode(x)
    return activity:dot(presence) / activity:sum()
  end)
end

--- The distance of x from the training inputs of a model.
local function distance(model, x)
  if not model.inputs then return math.max(0, model.lo - x, x - model.hi) end
  local nearest = math.huge
  for _, trained in ipairs(model.inputs) do nearest = math.min(nearest, math.abs(x - trained)) end
  return nearest
end
for _, model in ipairs(both) do          -- the positions on the grid of inputs that were trained, or are far from them
  local far = grid:map(function(x) return distance(model, x) end)
  model.trained, model.unseen = (1e-9 - far):above(0), far:above(P.unseen - 1e-9)
end

local looked_at, offsets = { -4, -2, 0, 2, 4 }, ves.range(0, 20) * 0.02

local function over_grid(model, r)
  local posterior = {}
  local own = stats.collect(grid, function(x, i)
    local at = readings.at(r, code:encode(x))
    posterior[i] = readings.posterior(at)
    return { posterior_sd = pmf.sd(posterior[i], centers), map_sd = pmf.sd(readings.map(at), centers) }
  end)
  local pooled = ves.vector(code.n)
  for _, i in pairs(model.unseen) do pooled = pooled + posterior[math.tointeger(i)] end
  own.unseen, own.from_uniform = pmf.normalised(pooled), pmf.from_uniform(pooled)
  own.cdf, own.map_off = {}, {}
  for g, x in ipairs(looked_at) do
    local at = readings.at(r, code:encode(x))
    own.cdf[g] = pmf.cumulative(readings.posterior(at))
    own.map_off[g] = readings.map(at):dot((centers - model.mean(x)):abs())
  end
  return own
end

--- The spread of the MAP at growing distances from the trained inputs of the simple model.
local function gradation(model, r)
  return stats.collect(offsets, function(offset)
    local sds = stats.collect(model.inputs, function(x)
      return pmf.sd(readings.map(readings.at(r, code:encode(x + offset))), centers)
    end)
    return sds:sum() / #model.inputs
  end)
end

local trials = {}
for _, model in ipairs(both) do
  trials[model.name] = E:replicate { name = model.name, n = P.replicates, run = function(_, rng)
    local net = models.network(model, rng, { rows = P.rows })
    local result = { evidence = available(net) }
    for _, reading in ipairs(readings.both) do
      local r = readings.releases(net, reading)
      result[reading.name] = over_grid(model, r)
      if model.inputs then result[reading.name].gradation = gradation(model, r) end
    end
    return result
  end }
end

local profile_rows = {}
for _, model in ipairs(both) do
  local out, unseen = trials[model.name], ves.vector(#grid)
  for _, i in pairs(model.unseen) do unseen[i] = 1 end
  for _, reading in ipairs(readings.both) do
    local wide = stats.summary(out:column(reading.name .. ".posterior_sd"))
    local narrow = stats.summary(out:column(reading.name .. ".map_sd"))
    profile_rows[#profile_rows + 1] = { model.name, reading.name, grid, stats.summary(out:column("evidence")).value,
      wide, narrow, unseen }
  end
end
E:table("profile", { "model", "reading", "x",
  { "evidence", "rows of data available at x, counted through the tuning curves, priors included" },
  { "posterior_sd", "exact standard deviation of posterior samples, mean over networks" },
  { "posterior_se", "its standard error" }, { "map_sd", "the same of MAP samples" }, { "map_se", "its standard error" },
  { "unseen", "1 if no training input was near" } }, profile_rows)

--- ## Verdicts
---
--- *The samples are distributed as the data.* Kolmogorov's distance between the samples' distribution function,
--- averaged over networks, and the data-generating one.

local where = "Results, fig:simdata1"
local function matches(c)
  local model, reading, off, se = c.model, c.reading, {}, {}
  for g, x in ipairs(looked_at) do
    local truth = pmf.cumulative(pmf.binned(function(y) return model.cdf(x, y) end, centers))
    local e = stats.jackknife(function(cdf) return (cdf - truth):abs():max() end,
      trials[model.name]:column(reading.name .. ".cdf." .. g))
    off[g], se[g] = e.value, e.se
  end
  E:claim { id = c.id, where = where, reading = reading.name, measured = off, se = se, expected = 0,
            says = "posterior samples are distributed approximately as the data of the " .. model.name .. " model",
            judge = judge.every(judge.near(margins.closely)), note = "Kolmogorov distance at x = -4, -2, 0, 2, 4" }
  local worst = ves.vector(off):argmax()
  E:number(c.number, off[worst], se[worst])
end

--- *Uniform where no data were seen*: all unseen inputs of one network together, as the eye takes them. *The MAP varies
--- least where there are most data, and more the fewer there are*: the gap between unseen and trained inputs, and the
--- rank correlation of the MAP's spread with the available data over the whole grid.

local function by_model(f) return stats.summary(stats.collect(both, f):transpose()) end

for _, reading in ipairs(readings.both) do
  local function column(model, path) return trials[model.name]:column(reading.name .. "." .. path) end
  local function of_networks(model, f)
    local sd, evidence = column(model, "map_sd"), trials[model.name]:column("evidence")
    return stats.collect(#sd, function(i) return f(sd:row(i), evidence:row(i)) end)
  end
  matches { model = both[1], reading = reading, id = reading.pick("matches-data", "matches-data-printed"),
            number = reading.pick("MatchesWorstSimple", "MatchesWorstSimplePrinted") }
  matches { model = both[2], reading = reading,
            id = reading.pick("matches-data-bimodal", "matches-data-bimodal-printed"),
            number = reading.pick("MatchesWorstBimodal", "MatchesWorstBimodalPrinted") }

  local from_uniform = by_model(function(model) return column(model, "from_uniform") end)
  local average = {}
  for k, model in ipairs(both) do average[k] = stats.jackknife(pmf.from_uniform, column(model, "unseen")) end
  local gap = by_model(function(model)
    return of_networks(model, function(sd) return sd:take(model.unseen):min() - sd:take(model.trained):max() end)
  end)
  local rank = by_model(function(model)
    return of_networks(model, function(sd, evidence) return stats.rank_correlation(evidence, sd) end)
  end)
  E:claims {
    where = where, reading = reading.name, expected = 0,
    { id = reading.pick("uniform-where-no-data", "uniform-where-no-data-printed"), measured = from_uniform,
      says = "samples are uniform where no data were available", judge = judge.every(judge.near(margins.uniform)),
      note = "total variation from uniform, unseen inputs of a network pooled; both models" },
    { id = reading.pick("uniform-on-average", "uniform-on-average-printed"),
      reading = reading.name .. ", averaged over networks", says = "samples are uniform where no data were available",
      measured = { average[1].value, average[2].value }, se = { average[1].se, average[2].se },
      judge = judge.every(judge.near(margins.uniform)),
      note = "total variation from uniform, unseen inputs of all networks pooled; both models; "
        .. "added after a first look" },
    { id = reading.pick("map-smallest-where-data", "map-smallest-where-data-printed"), measured = gap,
      says = "the variance of MAP samples is smallest where training data are most available",
      judge = judge.every(judge.exceeds_by_se()),
      note = "smallest MAP standard deviation at unseen inputs minus the largest at trained ones; both models" },
    { id = reading.pick("epistemic-varies-with-data", "epistemic-varies-with-data-printed"), measured = rank,
      where = "fig:simdata1, caption", says = "epistemic variance varies with the amount of available data",
      judge = judge.every(judge.falls_short_by_se()),
      note = "rank correlation of MAP standard deviation with available data over the grid; both models" },
  }
  E:number(reading.pick({ "UniformNetworkSimple", "UniformNetworkBimodal" },
    { "UniformNetworkSimplePrinted", "UniformNetworkBimodalPrinted" }), from_uniform)
  E:number(reading.pick("MapGapSimple", "MapGapSimplePrinted"), gap[1])
end

--- *Certain of the central value*: MAP samples of the simple model lie nearer to the true mean than the data do.

local off = stats.summary(trials.simple:column("default.map_off"))
local usual = stats.collect(looked_at, function(x) return both[1].sd(x) * math.sqrt(2 / math.pi) end)
E:claim { id = "map-central", where = where, reading = "default", measured = off.value / usual, se = off.se / usual,
          says = "MAP samples express certainty in the central output value", expected = 1,
          judge = judge.every(judge.falls_short_by_se()),
          note = "mean distance of MAP samples from the true mean, relative to that of the data (simple model)" }

--- *Gradations around each input*: the spread of the MAP grows with the distance from a trained input, as the common
--- activity of tuning curves fades.

local gradation_rows = {}
for k, reading in ipairs(readings.both) do
  local spread = trials.simple:column(reading.name .. ".gradation")
  gradation_rows[k] = { reading.name, offsets, stats.summary(spread).value, stats.summary(spread).se }
  E:claim { id = reading.pick("gradations", "gradations-printed"), where = where, reading = reading.name,
            says = "uncertainty grades from minimal to maximal around each trained input",
            measured = stats.jackknife(function(m) return stats.rank_correlation(offsets, m) end, spread),
            expected = margins.correlated, judge = judge.greater_than(),
            note = "rank correlation of MAP standard deviation with distance, from 0 to 0.4" }
end
E:table("gradation", { "reading", { "distance", "from a trained input" },
  { "map_sd", "MAP standard deviation, mean over the five inputs and over networks" },
  { "se", "its standard error" } }, gradation_rows)

--- *The second model as described.* Its first component is said to have a declining density; the printed weight rises.
--- Differs from [data:bimodal]: with the option, 1 - p(x) takes its place.

local function change(model) return model.share(4) - model.share(-4) end

E:claims {
  where = "Data", says = "the component of fixed mean has a declining density, the other a rising one", expected = 0,
  judge = judge.proved_if(judge.less_than()), note = "change of the first component's share from x = -4 to 4",
  { id = "declining-density-printed", reading = "printed", measured = change(both[2]) },
  { id = "declining-density", reading = "1 - p(x)", measured = change(models.bimodal { declining = true }) },
}

E:finish()
