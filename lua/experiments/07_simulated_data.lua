--- # Simulated data
---
--- The original's picture of the whole: data of two models beside what a network trained on them draws over the
--- full range of inputs. Samples of the complete posterior use both releases, $\bar Q = \Phi \odot Q$ [eq:combined];
--- samples of the MAP use $\Phi$ alone. Where there are data the samples should look like them, where there are
--- none they should be uniform, and the spread of the MAP should tell one from the other. [fig:simdata1]

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local jackknife = require "vesicle.jackknife"
local judge = require "vesicle.judge"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local rank_correlation = require "vesicle.rank_correlation"
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
local grid = {}
for i = 1, P.grid do grid[i] = -6 + 12 * (i - 1) / (P.grid - 1) end

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
    for i, x in pairs(xs) do data[#data + 1] = { model.name, x, ys[i], shown[i] } end
    local r = readings.releases(net, readings.default)
    local function show(kind, options)
      for _, x in ipairs(grid) do
        options.x, options.rng, options.normaliser = x, rng:stream(kind, x), "none"
        if kind == "posterior" then options.release = readings.combined(r, code:encode(x)) end
        local y = net:sample(options):totable()
        local along = (jitter(#y, P.grid_jitter, shake) + x):totable()
        for d = 1, #y do samples[#samples + 1] = { model.name, kind, x, y[d], along[d] } end
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

local function available(net, inputs)
  local presence, found = (net.A + net.B):row_sums() / code.n, {}
  for i, x in ipairs(inputs) do
    local activity = code:encode(x)
    found[i] = activity:dot(presence) / activity:sum()
  end
  return found
end

--- The distance of x from the training inputs of a model.
local function distance(model, x)
  if not model.inputs then return math.max(0, model.lo - x, x - model.hi) end
  local nearest = math.huge
  for _, trained in ipairs(model.inputs) do nearest = math.min(nearest, math.abs(x - trained)) end
  return nearest
end
for _, model in ipairs(both) do
  model.trained, model.unseen = {}, {}   -- whether each input of the grid is
  for i, x in ipairs(grid) do
    local d = distance(model, x)
    model.trained[i], model.unseen[i] = d < 1e-9, d > P.unseen - 1e-9
  end
end

local looked_at, offsets = { -4, -2, 0, 2, 4 }, {}
for i = 0, 20 do offsets[i + 1] = i * 0.02 end

local function over_grid(model, r)
  local own = { posterior_sd = {}, map_sd = {}, map_off = {}, cdf = {} }
  local pooled = ves.vector(code.n)
  for i, x in ipairs(grid) do
    local at = readings.at(r, code:encode(x))
    local p = readings.posterior(at)
    own.posterior_sd[i], own.map_sd[i] = pmf.sd(p, centers), pmf.sd(readings.map(at), centers)
    if model.unseen[i] then pooled = pooled + p end
  end
  for g, x in ipairs(looked_at) do
    local at = readings.at(r, code:encode(x))
    own.cdf[g] = pmf.cumulative(readings.posterior(at))
    own.map_off[g] = readings.map(at):dot((centers - model.mean(x)):abs())
  end
  own.unseen = pmf.normalised(pooled)
  own.from_uniform = pmf.from_uniform(pooled)
  return own
end

--- The spread of the MAP at growing distances from the trained inputs of the simple model.
local function gradation(model, r)
  local profile = {}
  for d, offset in ipairs(offsets) do
    local sum = 0.0
    for _, x in ipairs(model.inputs) do
      sum = sum + pmf.sd(readings.map(readings.at(r, code:encode(x + offset))), centers)
    end
    profile[d] = sum / #model.inputs
  end
  return profile
end

local trials = {}
for _, model in ipairs(both) do
  trials[model.name] = E:replicate { name = model.name, n = P.replicates, run = function(_, rng)
    local net = models.network(model, rng, { rows = P.rows })
    local result = { evidence = available(net, grid) }
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
  local out = trials[model.name]
  local evidence = out:column("evidence")
  for _, reading in ipairs(readings.both) do
    local wide, narrow = out:column(reading.name .. ".posterior_sd"), out:column(reading.name .. ".map_sd")
    for i, x in ipairs(grid) do
      profile_rows[#profile_rows + 1] = { model.name, reading.name, x, evidence:col(i):mean(),
        wide:col(i):mean(), stats.se(wide:col(i)), narrow:col(i):mean(), stats.se(narrow:col(i)),
        model.unseen[i] and 1 or 0 }
    end
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
local function matches(model, reading)
  local measured, ses, sampled = {}, {}, {}
  for g in ipairs(looked_at) do sampled[g] = ves.matrix(P.replicates, code.n) end
  for i = 1, P.replicates do
    for g, cdf in ipairs(trials[model.name][i][reading.name].cdf) do sampled[g][i] = cdf end
  end
  for g, x in ipairs(looked_at) do
    local truth = pmf.cumulative(pmf.binned(function(y) return model.cdf(x, y) end, centers))
    measured[g], ses[g] = jackknife(function(cdf) return (cdf - truth):abs():max() end, sampled[g])
  end
  E:claim { id = "matches-data" .. (model.inputs and "" or "-bimodal") .. reading.suffix, where = where,
            says = "posterior samples are distributed approximately as the data of the " .. model.name .. " model",
            reading = reading.name, measured = measured, se = ses, expected = 0,
            judge = judge.every(judge.near(margins.closely)), note = "Kolmogorov distance at x = -4, -2, 0, 2, 4" }
  local worst = ves.vector(measured):argmax()
  E:number("MatchesWorst" .. (model.inputs and "Simple" or "Bimodal") .. reading.macro, measured[worst], ses[worst])
end

--- *Uniform where no data were seen*: all unseen inputs of one network together, as the eye takes them. *The MAP varies
--- least where there are most data, and more the fewer there are*: the gap between unseen and trained inputs, and the
--- rank correlation of the MAP's spread with the available data over the whole grid.

local function spread_and_data(model, name)
  local sd, evidence = trials[model.name]:column(name .. ".map_sd"), trials[model.name]:column("evidence")
  local gaps, ranks = {}, {}
  for i = 1, #sd do
    local most, least = 0.0, math.huge
    for j = 1, #grid do
      if model.trained[j] then most = math.max(most, sd[i][j]) end
      if model.unseen[j] then least = math.min(least, sd[i][j]) end
    end
    gaps[i], ranks[i] = least - most, rank_correlation(evidence[i], sd[i])
  end
  return gaps, ranks
end

local function by_model(column)
  local measured, ses = {}, {}
  for k, model in ipairs(both) do
    local values = column(model)
    measured[k], ses[k] = stats.mean(values), stats.se(values)
  end
  return measured, ses
end

for _, reading in ipairs(readings.both) do
  for _, model in ipairs(both) do matches(model, reading) end
  local measured, ses = by_model(function(m) return trials[m.name]:column(reading.name .. ".from_uniform") end)
  E:claim { id = "uniform-where-no-data" .. reading.suffix, where = where, reading = reading.name,
            says = "samples are uniform where no data were available", measured = measured, se = ses, expected = 0,
            judge = judge.every(judge.near(margins.uniform)),
            note = "total variation from uniform, unseen inputs of a network pooled; both models" }
  E:number("UniformNetworkSimple" .. reading.macro, measured[1], ses[1])
  E:number("UniformNetworkBimodal" .. reading.macro, measured[2], ses[2])
  for k, model in ipairs(both) do
    measured[k], ses[k] = jackknife(pmf.from_uniform, trials[model.name]:column(reading.name .. ".unseen"))
  end
  E:claim { id = "uniform-on-average" .. reading.suffix, where = where, measured = measured, se = ses, expected = 0,
            reading = reading.name .. ", averaged over networks", judge = judge.every(judge.near(margins.uniform)),
            says = "samples are uniform where no data were available",
            note = "total variation from uniform, unseen inputs of all networks pooled; both models; "
              .. "added after a first look" }
  measured, ses = by_model(function(m) return (spread_and_data(m, reading.name)) end)
  E:claim { id = "map-smallest-where-data" .. reading.suffix, where = where, reading = reading.name,
            says = "the variance of MAP samples is smallest where training data are most available",
            measured = measured, se = ses, expected = 0, judge = judge.every(judge.exceeds_by_se()),
            note = "smallest MAP standard deviation at unseen inputs minus the largest at trained ones; both models" }
  E:number("MapGapSimple" .. reading.macro, measured[1], ses[1])
  measured, ses = by_model(function(m) return (select(2, spread_and_data(m, reading.name))) end)
  E:claim { id = "epistemic-varies-with-data" .. reading.suffix, where = "fig:simdata1, caption",
            says = "epistemic variance varies with the amount of available data", reading = reading.name,
            measured = measured, se = ses, expected = 0, judge = judge.every(judge.falls_short_by_se()),
            note = "rank correlation of MAP standard deviation with available data over the grid; both models" }
end

--- *Certain of the central value*: MAP samples of the simple model lie nearer to the true mean than the data do.

local off, off_se = {}, {}
for g, x in ipairs(looked_at) do
  local column = trials.simple:column("default.map_off"):col(g)
  local usual = both[1].sd(x) * math.sqrt(2 / math.pi)
  off[g], off_se[g] = column:mean() / usual, stats.se(column) / usual
end
E:claim { id = "map-central", where = where, reading = "default", measured = off, se = off_se, expected = 1,
          says = "MAP samples express certainty in the central output value",
          judge = judge.every(judge.falls_short_by_se()),
          note = "mean distance of MAP samples from the true mean, relative to that of the data (simple model)" }

--- *Gradations around each input*: the spread of the MAP grows with the distance from a trained input, as the common
--- activity of tuning curves fades.

local gradation_rows = {}
for _, reading in ipairs(readings.both) do
  local M = trials.simple:column(reading.name .. ".gradation")
  for d, offset in ipairs(offsets) do
    gradation_rows[#gradation_rows + 1] = { reading.name, offset, M:col(d):mean(), stats.se(M:col(d)) }
  end
  local rank, rank_se = jackknife(function(m) return rank_correlation(offsets, m) end, M)
  E:claim { id = "gradations" .. reading.suffix, where = where, reading = reading.name, measured = rank, se = rank_se,
            says = "uncertainty grades from minimal to maximal around each trained input",
            expected = margins.correlated, judge = judge.greater_than(),
            note = "rank correlation of MAP standard deviation with distance, from 0 to 0.4" }
end
E:table("gradation", { "reading", { "distance", "from a trained input" },
  { "map_sd", "MAP standard deviation, mean over the five inputs and over networks" },
  { "se", "its standard error" } }, gradation_rows)

--- *The second model as described.* Its first component is said to have a declining density; the printed weight rises.
--- Differs from [data:bimodal]: with the option, 1 - p(x) takes its place.

for _, reading in ipairs { "printed", "1 - p(x)" } do
  local model = reading == "printed" and both[2] or models.bimodal { declining = true }
  E:claim { id = "declining-density" .. (reading == "printed" and "-printed" or ""), where = "Data", reading = reading,
            says = "the component of fixed mean has a declining density, the other a rising one",
            measured = model.share(4) - model.share(-4), expected = 0, judge = judge.proved_if(judge.less_than()),
            note = "change of the first component's share from x = -4 to 4" }
end

E:finish()
