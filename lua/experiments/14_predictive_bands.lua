--- # Real data as the network sees them
---
--- What has the network learned of two public data sets, the waiting time given the duration of an eruption of Old
--- Faithful, and the acceleration of a head given the time after a motorcycle's impact? Here it is trained on all rows
--- and samples by synaptic failure at every input. How well it predicts rows it has not seen is in `14_real_data`.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local prediction = require "vesicle.model.prediction"

local E = ex.new {
  name = "14_predictive_bands", title = "What the network has learned of two real data sets",
  streams = "14_real_data",
  params = {
    inner = { 4, quick = 2, about = "parts within which widths are chosen" },
    neurons = { 100, about = "neurons per layer" },
    widths = { { 0.1, 0.2, 0.4, 0.8, 1.6 }, quick = { 0.2, 0.4, 0.8 }, about = "tuning widths to choose from, data "
      .. "scaled to [-5, 5]" },
    inputs = { 81, about = "inputs at which samples are drawn" },
    draws = { 400, quick = 200, about = "samples at each" },
    cloud = { 20, about = "of these, shown as points" },
  },
}
local P = E.params

--- ## Training
---
--- The widths of the tuning curves of both layers are those of the least continuous ranked probability score in a
--- cross-validation over all rows. [eq:tuning] [eq:evidence] [eq:crps]

local methods = prediction.methods { neurons = P.neurons, widths = P.widths, neighbours = {}, bins = {} }

local function trained(xs, ys, rng)
  local rows = ves.range(1, #xs)
  local widths = prediction.choose(methods.network, methods.points, xs, ys, rows, P.inner, rng:stream("choose"))
  local train = { xs = xs, ys = ys }
  return prediction.trained(methods.code_of, train, widths[1], widths[2], rng:stream("prior")), widths
end

--- ## Sampling
---
--- Releases are divided by participation, and repeated samples lie in bands that hold 90% and 50% of them; a few are
--- shown as points, jittered by half a step of the inputs and of the outputs. [eq:mapping] [eq:normaliser]

local folder = (arg[0]:match("^(.*)/") or ".") .. "/data/"
local band_rows, cloud_rows, data_rows, chosen_rows = {}, {}, {}, {}
for s, set in ipairs { { name = "faithful", x = "eruptions", y = "waiting" },
                       { name = "mcycle", x = "times", y = "accel" } } do
  local rng, columns = E.rng:stream(set.name), ves.read_table(folder .. set.name .. ".tsv")
  local xs, ys = columns[set.x], columns[set.y]
  local of_x, of_y = prediction.scale(xs), prediction.scale(ys)
  local net, widths = trained(of_x.to(xs), of_y.to(ys), rng)
  local Q, apart = ves.release.analytic(net:weights()), 10 / (P.inputs - 1)
  for i = 1, P.inputs do
    local x = -5 + (i - 1) * apart
    local sample = net:sample { x = x, release = Q, normaliser = "participation", draws = P.draws,
                                rng = rng:stream("x", i) }
    local q = of_y.from(sample:quantile { 0.05, 0.25, 0.5, 0.75, 0.95 })
    band_rows[#band_rows + 1] = { set.name, of_x.from(x), q[1], q[2], q[3], q[4], q[5] }
    local function jitter(name) return rng:stream(name, i):uniform(P.cloud) - 0.5 end
    cloud_rows[#cloud_rows + 1] = { set.name, of_x.from(jitter "x-jitter" * apart + x),
                                    of_y.from(sample:slice(1, P.cloud) + jitter "y-jitter" * methods.step) }
  end
  data_rows[s], chosen_rows[s] = { set.name, xs, ys }, { set.name, widths[1], widths[2] }
end
E:table("bands", { { "data", "data set" }, { "x", "input" }, { "q05", "quantile of the network's samples, and so on" },
  "q25", "q50", "q75", "q95" }, band_rows)
E:table("cloud", { { "data", "data set" }, { "x", "input, jittered" },
  { "y", "a sample of the network, jittered within its output neuron" } }, cloud_rows)
E:table("data", { { "data", "data set" }, { "x", "input" }, { "y", "output" } }, data_rows)
E:table("chosen", { { "data", "data set" }, { "first", "width in the input" }, { "second", "width in the output" } },
  chosen_rows)
E:finish()
