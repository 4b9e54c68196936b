--- # Where the deviations come from
---
--- Samples of a trained network are not quite as wide as the data it saw (`06_variance_components`). The original
--- suspects its normaliser, the inversion of the tuning curves, and learning that had not come to its end. The same
--- networks, drawn from the same streams, are followed step by step from the data to the samples.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local readings = require "vesicle.model.readings"
local spread = require "vesicle.model.spread"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "06_variance_sources", title = "what the spread of samples owes to code, prior, release and learning",
  figure = { "fig:simresults" }, streams = "06_variance_components",
  params = {
    replicates = { 200, quick = 6, about = "data sets, each with its own network" },
    draws = { 1000, quick = 300, about = "samples per input" },
    rows = { 4000, about = "rows of data" },
    psi = { 8.0, range = { 1, 20 }, about = "exponent of the learning rule" },
    rate = { 0.01, range = { 1e-4, 0.2 }, about = "learning rate gamma" },
    iterations = { 5000, about = "iterations of Algorithm 2" },
    whole_replicates = { 30, quick = 3, about = "replicates in which the whole activity is read out too" },
    spaced_replicates = { 40, quick = 3, about = "replicates of each other spacing of the tuning curves" },
    slow_replicates = { 20, quick = 2, about = "replicates that learn, and learn slowly too" },
    slow_iterations = { 50000, quick = 10000, about = "iterations of slow learning" },
    slow_rate = { 0.002, about = "rate of slow learning" },
  },
}
local P = E.params
local model, inputs, truth = models.simple(), spread.inputs, spread.truth

--- ## One network
---
--- Between the data-generating distribution and the samples lie the data themselves; the width and spacing of the
--- tuning curves, seen in a network without prior evidence to speak of; the prior evidence (a floor under every row of
--- weights, which at a small standard deviation carries more variance than the data) [eq:mixture]; and only then the
--- releases [eq:mapping]. Two-stage release samples what is encoded [eq:two-stage].

local layers = {}
for _, spacing in ipairs(readings.spacings) do layers[spacing] = spread.layer(spacing) end

local function without_prior(xs, ys, layer)
  local bare = ves.network { input = layer.code, output = layer.code, prior_a = 1e-12, prior_b = 4e-12 }
  return spread.encoded(bare:observe(xs, ys):weights(), layer)
end

local function steps(net, xs, ys, layer, rng)
  local W = net:weights()
  local Q, exact = ves.release.analytic(W), {}
  for _, reading in ipairs(readings.judged) do exact[reading.name] = spread.winner(W, Q, layer, reading.normaliser) end
  return {
    data = spread.data(xs, ys, layer), code = without_prior(xs, ys, layer), encoded = spread.encoded(W, layer),
    exact = exact, two_stage = layer.present(function(x, a)
      local index = ves.multi.two_stage(W, a, { draws = P.draws, rng = rng:stream("sample"):stream("two-stage", x) })
      return index:sd() * (layer.centers[2] - layer.centers[1])
    end),
  }
end

--- Does it matter that a sample is read off at the winner? The same draws, with the winner and with the whole activity
--- decoded.

local function readouts(net, layer, rng)
  local sd, Q = { winner = {}, decode = {} }, ves.release.analytic(net:weights())
  for readout in next, sd do
    for _, reading in ipairs(readings.judged) do
      sd[readout][reading.name] = layer.present(function(x)
        return net:sample { x = x, release = Q, normaliser = reading.normaliser, readout = readout, draws = P.draws,
                            rng = rng:stream("sample", "analytic_" .. reading.normaliser, x) }:sd()
      end)
    end
  end
  return sd
end

--- Releases learned as in the original, learned slowly and for long, and at the fixed point [app:equilibrium]; only
--- rows of inputs that are ever active need to be learned.

local function learned(net, layer, rng)
  local W, result = net:weights(), {}
  local function learn(stream, iterations, rate)
    return ves.release.learn(W, { algorithm = 2, rule = "power", psi = P.psi, rate = rate, iterations = iterations,
                                  active = layer.rows, rng = rng:stream(stream) })
  end
  local releases = {
    fast = learn("learn", P.iterations, P.rate), slow = learn("slow", P.slow_iterations, P.slow_rate),
    equilibrium = ves.release.equilibrium(W, { rule = "power", psi = P.psi, active = layer.rows }),
  }
  for name, Q in next, releases do
    result[name] = {}
    for _, reading in ipairs(readings.judged) do
      result[name][reading.name] = spread.winner(W, Q, layer, reading.normaliser)
    end
  end
  return result
end

--- What takes longer is asked of the first replicates only. Networks of the other two spacings have data of their own,
--- the same for both.

local function measure(spacing, rng, whole, slow)
  local net, xs, ys = models.network(model, rng, { rows = P.rows, spacing = spacing })
  local layer = layers[spacing]
  local result = steps(net, xs, ys, layer, rng)
  result.read = whole and readouts(net, layer, rng) or nil
  result.learned = slow and learned(net, layer, rng) or nil
  return result
end

local slow_spaced = math.max(2, P.slow_replicates // 2)

local main = E:replicate { name = "main", n = P.replicates, run = function(i, rng)
  return measure("ends", rng, i <= P.whole_replicates, i <= P.slow_replicates)
end }

local others = E:replicate { name = "spaced", n = P.spaced_replicates, run = function(i, rng)
  return { bins = measure("bins", rng, true, i <= slow_spaced), open = measure("open", rng, true, i <= slow_spaced) }
end }

--- A field of all replicates with the spacing "ends", and of those with any spacing that were asked for more.

local function all(name) return main:column(name) end
local function whole(name, spacing)
  if spacing == "ends" then return main:column(name, P.whole_replicates) end
  return others:column(spacing .. "." .. name)
end
local function slow(name, spacing)
  if spacing == "ends" then return main:column(name, P.slow_replicates) end
  return others:column(spacing .. "." .. name, slow_spaced)
end

--- ## Step by step

local step_rows = {}
for k, step in ipairs {
  { "data", all "data" }, { "code", all "code" }, { "encoded", all "encoded" }, { "two-stage", all "two_stage" },
  { "decode", whole("read.decode.corrected", "ends") }, { "slow", slow("learned.slow.corrected", "ends") },
  { "equilibrium", slow("learned.equilibrium.corrected", "ends") },
  { "learned", slow("learned.fast.corrected", "ends") }, { "analytic", all "exact.corrected" },
  { "analytic-sum", all "exact.printed" },
} do
  local sd = stats.summary(step[2])
  step_rows[k] = { inputs, truth, step[1], sd, sd.lo, sd.hi }
end
E:table("sd_steps", { { "x", "input" }, { "truth", "data-generating standard deviation" },
  { "step", "data: of the rows; code: encoded without prior evidence; encoded: with it; two-stage: samples that "
    .. "need no normaliser; decode: analytic release, the whole activity decoded; slow: learned slowly; "
    .. "equilibrium: where learning settles; learned: as in the original; analytic (these four exact, divided by "
    .. "participation); analytic-sum: divided by the sum" },
  { "mean", "standard deviation, mean over replicates" }, { "se", "its standard error" },
  { "lo", "2.5% quantile over replicates" }, { "hi", "97.5% quantile" } }, step_rows)

--- ## Shares of the causes
---
--- What is the bias due to? Causes may cancel, so each is measured by the step it makes on the way from the true
--- standard deviation to that of the samples: the logarithm of the ratio, its size averaged over the five inputs.
--- The steps are: the tuning curves (width and spacing of the code, and decoding the whole activity instead of the
--- winner), the prior evidence, and the release with its normaliser. A cause explains the bias if its step is more
--- than half of them all.

local function step(from, to) return (to / from):map(function(r) return math.abs(math.log(r)) end):mean() end

local function shares(code_sd, mixture_sd, release_sd, winner_sd, decoded_sd)
  local curves = step(truth, code_sd) + step(winner_sd, decoded_sd)
  local prior, release = step(code_sd, mixture_sd), step(mixture_sd, release_sd)
  local total = curves + prior + release
  return { release / total, curves / total, prior / total }
end

--- f of the three shares, with its standard error.
local function of_shares(f)
  return function(reading, spacing)
    return stats.jackknife(function(...) return f(shares(...)) end, whole("code", spacing), whole("encoded", spacing),
      whole("exact." .. reading.name, spacing), whole("read.winner." .. reading.name, spacing),
      whole("read.decode." .. reading.name, spacing))
  end
end

local left = "Results, fig:simresults left"
E:statement {
  id = "bias-from-normaliser", where = left, kind = "empirical", looked = true, breaks = "network.prior=x10",
  says = "The biases of the analytic releases reflect the normaliser, or the inversion of the tuning curves, or both.",
  quantity = "share of both in the steps between true and sampled standard deviations",
  criterion = is.more(margins.explains), cells = readings.cells(of_shares(function(s) return s[1] + s[2] end)),
}
E:own {
  id = "bias-from-prior", kind = "empirical", looked = true, breaks = "network.prior=x10",
  says = "The bias of the mapping reflects the prior evidence under every row of weights.",
  quantity = "share of the prior evidence in the steps between true and sampled standard deviations",
  criterion = is.more(margins.explains), cells = readings.cells(of_shares(function(s) return s[3] end)),
}
for _, reading in ipairs(readings.judged) do
  E:number(reading.pick({ "BiasShareNormaliser", "BiasShareReadout", "BiasSharePrior" },
    { "BiasShareNormaliserSum", "BiasShareReadoutSum", "BiasSharePriorSum" }),
    of_shares(function(s) return s end)(reading, "ends"))
end

--- ## Learning for longer
---
--- "More iterations and a lower learning rate" is tried, without draws: how much of the distance to the truth goes, and
--- how much of that to the spread of the analytic mapping?

local function bias(sd) return ((sd - truth) / truth):abs():mean() end
local function distance(l, a) return ((l - a) / truth):abs():mean() end

E:statement {
  id = "learned-bias-shrinks", where = left, kind = "empirical", looked = true, breaks = "release.learn=hasty",
  says = "The bias of locally learned releases can be improved with more iterations and a lower rate.",
  at = { "to-truth", "to-mapping" },
  quantity = "share of the mean absolute relative deviation that goes, from the truth and from the mapping",
  criterion = is.each(is.more(0, margins.differs)), cells = readings.cells(function(reading, spacing)
    return stats.jackknife(function(fast, slowly, mapping)
      return { 1 - bias(slowly) / bias(fast), 1 - distance(slowly, mapping) / distance(fast, mapping) }
    end, slow("learned.fast." .. reading.name, spacing), slow("learned.slow." .. reading.name, spacing),
      slow("exact." .. reading.name, spacing))
  end),
}

E:finish()
