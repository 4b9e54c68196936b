--- # A second layer
---
--- Layer 1 maps $x$ to $y$; layer 2 has learned $z = y + $ noise. What it should represent is the convolution of the
--- encoded distribution of $y$ with that noise. Two ways to get there. *In space*, the whole activity $W_1'x$ is passed
--- on, and $z$ is read from $W_2'W_1'x$. *In time*, a sample of $y$ is drawn, encoded as the next layer's input, and a
--- sample of $z$ drawn from it. Both exactly. [eq:mixture] [eq:winner-multi]

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local readings = require "vesicle.model.readings"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "12_second_layer", title = "A second layer: uncertainty passed on in space and in time",
  streams = "12_modulation",
  params = {
    replicates = { 40, quick = 8, about = "data sets" },
    spaced_replicates = { 40, quick = 4, about = "data sets of each other spacing, and for passing on one sample" },
    rows = { 4000, about = "rows of data in each" },
    x = { 0.0, about = "input of the bimodal model" },
    noise = { 0.4, about = "standard deviation of the second layer's own noise" },
  },
}
local P = E.params

--- ## Passing uncertainty on
---
--- The first layer is trained on the bimodal model, and its input is one where both modes are about equally likely.

local function second_layer(rng, layer)
  local net = ves.network { input = layer, output = layer, rng = rng:stream("prior") }
  local y = rng:stream("y"):uniform(P.rows) * 9 - 4.5
  return net:observe(y, y + rng:stream("noise"):normal(0, P.noise, P.rows))
end

--- The winners of a network, given a value.
local function winners(releases, layer, value)
  return (readings.observed(readings.at(releases, layer:encode(value))))
end

--- The standard deviation of a distribution over the wanted one, and the total variation between them.
local function against(p, wanted, layer)
  return ves.vector { pmf.sd(p, layer.centers) / pmf.sd(wanted, layer.centers), pmf.total_variation(p, wanted) }
end

local function pass_on(rng, layer, spacing)
  local first = models.network(models.bimodal(), rng, { rows = P.rows, spacing = spacing })
  local second = second_layer(rng:stream("second"), layer)
  local encoded, W2 = ves.multi.mixture(first:weights(), models.activity(layer, P.x)), second:weights()
  local noise = stats.collect(layer.centers, function(y)
    return pmf.binned(function(z) return ves.cdf.normal((z - y) / P.noise) end, layer.centers)
  end)
  local wanted, found = noise:transpose():mul(encoded), {}
  for _, reading in ipairs(readings.judged) do
    local drawn, releases = winners(readings.releases(first, reading), layer, P.x), readings.releases(second, reading)
    local given = stats.collect(layer.centers, function(y) return winners(releases, layer, y) end)
    found.time = given:transpose():mul(drawn)
    found[reading.name] = against(found.time, wanted, layer)
  end
  found.wanted, found.space = wanted, pmf.normalised(W2:transpose():mul(encoded))
  found.alike = W2:normalise():transpose():mul(encoded)
  found.to_space, found.to_alike = against(found.space, wanted, layer), against(found.alike, wanted, layer)
  return found
end
local by_layers = readings.replicates(E, { name = "layers", n = P.replicates, spaced = P.spaced_replicates,
  run = pass_on })

local code = models.code()
local function passed_on(key, spacing) return stats.summary(by_layers[spacing or "ends"]:column(key)) end
local function mean_of(key) return passed_on(key).value end
E:table("layers", { { "z", "output of the second layer", code.centers },
  { "convolution", "encoded distribution of y convolved with the noise, mean over data sets", mean_of "wanted" },
  { "time", "sampled layer by layer", mean_of "time" },
  { "space", "whole activity passed on, W2'W1'x normalised", mean_of "space" },
  { "rows_alike", "the same with every row of W2 normalised", mean_of "alike" } })
E:number("ModulationTimeSd", passed_on("corrected")[1])
E:number("ModulationSpaceSd", passed_on("to_space")[1])
E:number("ModulationRowsSd", passed_on("to_alike")[1])

E:statements {
  kind = "empirical", looked = true, breaks = "winner=encoded", at = { "sd", "tv" },
  criterion = is.each { is.within(margins.closely), is.below(margins.closely) },
  quantity = "standard deviation over that of the encoded distribution convolved with the second layer's noise, "
    .. "and total variation from it",
  { id = "propagates", where = "Discussion, Spatial vs temporal representation",
    says = "Downstream activations occur with the relative frequencies of what is sampled.",
    cells = readings.cells(function(reading, spacing) return passed_on(reading.name, spacing) end) },
  { id = "propagates-space", where = "Introduction, Population codes as probability mass", breaks = "mixture=first",
    says = "Passing a layer's whole activity on convolves the next layer's uncertainty with that of the first.",
    cells = { printed = passed_on "to_space", ["printed, bins"] = passed_on("to_space", "bins"),
              ["printed, open"] = passed_on("to_space", "open") },
    further = { { reading = "rows of the second layer normalised", passed_on "to_alike" } },
    note = "the original adds 'with a few additional assumptions'; rows that are normalised are one" },
}

--- ## One sample
---
--- One sample of y makes the second layer as active around it as any other: the spread of its activity cannot depend on
--- that of y. Passed on whole, it does. Measured over the five inputs of the first data model.

local passed = E:replicate { name = "one-sample", n = P.spaced_replicates, run = function(_, rng)
  local first, found = models.network(models.simple(), rng, { rows = P.rows }), {}
  local W, W2 = first:weights(), second_layer(rng:stream("second"), code):weights()
  local activity_sd = stats.collect(code.centers, function(y)
    return pmf.sd(ves.multi.mixture(W2, models.activity(code, y)), code.centers)
  end)
  for _, reading in ipairs(readings.judged) do
    local releases = readings.releases(first, reading)
    local at = stats.collect(models.simple().inputs, function(x)
      local encoded, drawn = ves.multi.mixture(W, code:encode(x)), winners(releases, code, x)
      return { drawn = pmf.sd(drawn, code.centers), time = drawn:dot(activity_sd),
               encoded = pmf.sd(encoded, code.centers), space = pmf.sd(W2:transpose():mul(encoded), code.centers) }
    end)
    found[reading.name] = ves.vector { stats.regression(at.drawn, at.time).slope,
                                       stats.regression(at.encoded, at.space).slope }
  end
  return found
end }
E:statement {
  id = "time-needs-repeats", where = "Introduction, Synaptic failure as dropout sampling", kind = "empirical",
  says = "One sample does not convey its uncertainty to the next stage; repeated samples are needed.",
  quantity = "slope of the standard deviation of the second layer's activity on that of y, over five inputs: given "
    .. "one sample of y, and given the whole activity", at = { "time", "space" }, looked = true,
  criterion = is.each { is.same(0, margins.slope_effect), is.more(0, margins.slope_effect) }, breaks = "mixture=first",
  cells = readings.cells(function(reading) return stats.summary(passed:column(reading.name)) end, { "ends" }),
}
E:finish()
