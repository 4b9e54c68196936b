-- data: the two data-generating models of the original, and its network trained on them.
--
-- The first model ("simple") gives five inputs the same mean and a growing standard deviation:
--
--     y ~ N(0, 0.2 + 0.2 (x + 4)),   x in {-4, -2, 0, 2, 4}, equally often            [data:simple]
--
-- the second ("bimodal") is a mixture over a continuous range of inputs:
--
--     y ~ p(x) N(-2, 0.2) + (1 - p(x)) N(x/4, 0.2 + 0.0625 (x + 4)),   p(x) = 1 / (1 + exp(-x/2)),
--     x uniform on [-4, 4]                                                            [data:bimodal]
--
-- N(m, s) has standard deviation s. The original describes the first component of the second model
-- as one of declining density, but p(x) as printed rises: models.bimodal{declining = true} swaps p
-- and 1 - p. The default is as printed.

local ves = require "vesicle"
local check = require "vesicle.base.check"

local models = {}

--- The distribution function of a normal variable, at a number or at a vector of them.
local function normal_cdf(y, mean, sd) return ves.cdf.normal((y - mean) / sd) end

local model_fields = { variance = { type = "boolean", optional = true } }
local bimodal_fields = { variance = model_fields.variance, declining = { type = "boolean", optional = true } }

--- The options of a model, and what its s is as a standard deviation.
local function options_of(where, options, fields)
  options = options or {}
  check.options(where, options, fields, 3)
  return options, options.variance and function(s) return s ^ 0.5 end or function(s) return s end
end

local function check_rows(where, rows)
  if not math.tointeger(rows) or rows < 1 then
    error(string.format("%s: rows is %s, expected a whole number >= 1", where, check.show(rows)), 3)
  end
end

-- ---- the simple model ----

--[[** models.simple(options) -> model
The first data model of the original: five inputs with the same mean and a growing standard deviation.
@key variance boolean, default false: s in N(m, s) is the variance, and not the standard deviation
@return model, a table with name, inputs, mean(x), sd(x), cdf(x, y) of a number or vector y, and generate(rows, rng),
which returns vectors xs and ys with as many rows for each input
@example models = require "vesicle.model.data"; xs, ys = models.simple().generate(100, rng); print(ys)
]]
--- As many rows for each input, input by input. [data:simple]
function models.simple(options)
  local _, sd = options_of("models.simple", options, model_fields)
  local model = { name = "simple", inputs = { -4, -2, 0, 2, 4 }, lo = -4, hi = 4 }

  function model.mean() return 0.0 end
  function model.sd(x) return sd(0.2 + 0.2 * (x + 4)) end
  function model.cdf(x, y) return normal_cdf(y, 0, model.sd(x)) end

  function model.generate(rows, rng)
    check_rows("simple model", rows)
    local each = rows // #model.inputs
    if each * #model.inputs ~= rows then
      error(string.format("simple model: rows is %d, expected a multiple of %d (as many for each input)",
        rows, #model.inputs), 2)
    end
    local xs, ys = ves.matrix(#model.inputs, each), ves.matrix(#model.inputs, each)
    for g, x in ipairs(model.inputs) do
      xs[g], ys[g] = ves.vector(each, x), rng:stream("y", x):normal(0, model.sd(x), each)
    end
    return xs:flatten(), ys:flatten()
  end

  return model
end

-- ---- the bimodal model ----

--[[** models.bimodal(options) -> model
The second data model of the original: a mixture of two normal distributions over a continuous range of inputs.
@key variance boolean, default false: s in N(m, s) is the variance, and not the standard deviation
@key declining boolean, default false: the share of the first component falls with x, as the original's text has it, and
does not rise, as its formula has it
@return model, a table as that of models.simple, with lo and hi, the range of x, in place of inputs, and share(x)
@example models = require "vesicle.model.data"
@example print(models.bimodal().mean(2), models.bimodal{declining = true}.share(2))
]]
--- model.share(x) is the density p(x) of the first component. [data:bimodal]
--- Differs from [data:bimodal]: with declining = true the share is 1 - p(x), as the text describes it.
function models.bimodal(options)
  local spread
  options, spread = options_of("models.bimodal", options, bimodal_fields)
  local sign = options.declining and -1 or 1
  local model = { name = options.declining and "bimodal-declining" or "bimodal", lo = -4, hi = 4 }
  local first = { mean = -2.0, sd = spread(0.2) }

  function model.share(x) return 1 / (1 + math.exp(-sign * x / 2)) end
  local function second(x) return x / 4, spread((x + 4) * 0.0625 + 0.2) end -- of a number, or of a vector

  function model.mean(x)
    local p, m = model.share(x), second(x)
    return p * first.mean + (1 - p) * m
  end

  function model.sd(x)
    local p, m, s = model.share(x), second(x)
    return math.sqrt(p * first.sd ^ 2 + (1 - p) * s ^ 2 + p * (1 - p) * (m - first.mean) ^ 2)
  end

  function model.cdf(x, y)
    local p, m, s = model.share(x), second(x)
    return p * normal_cdf(y, first.mean, first.sd) + (1 - p) * normal_cdf(y, m, s)
  end

  function model.generate(rows, rng)
    check_rows("bimodal model", rows)
    local xs = rng:stream("x"):uniform(rows) * (model.hi - model.lo) + model.lo
    local coin, noise = rng:stream("component"):uniform(rows), rng:stream("noise"):normal(0, 1, rows)
    local mean, sd = second(xs)
    local from_first = coin:less(1 / ((xs * -sign / 2):exp() + 1))
    mean = from_first * first.mean + (1 - from_first) * mean
    sd = from_first * first.sd + (1 - from_first) * sd
    return xs, mean + sd * noise
  end

  return model
end

-- ---- the network ----

-- The ranges of the prior evidence for and against an association. [eq:evidence-prior]
models.prior_a, models.prior_b = { 0.025, 0.026 }, { 0.100, 0.101 }

--[[** models.code(spacing) -> code
The tuning curves of both layers of the original's network: 100 on [-6, 6], sigma 0.05. [eq:tuning]
@param spacing 'ends', 'bins' or 'open', default 'ends': as ves.code has it
@example print(require("vesicle.model.data").code())
]]
function models.code(spacing)
  return ves.code { n = 100, lo = -6, hi = 6, sigma = 0.05, spacing = spacing }
end

local network_fields = {
  rows = { type = "integer", optional = true }, rate = { type = "number", optional = true },
  prior_a = { type = "table|number", optional = true },
  prior_b = { type = "table|number", optional = true }, spacing = { type = "string", optional = true },
}

--[[** models.network(model, rng, options) -> net, xs, ys
The original's network, trained on data of a model. The data come from rng:stream("data"), the priors from
rng:stream("prior"). [eq:evidence]
@param model as from models.simple or models.bimodal
@param rng stream
@key rows integer >= 1, default 4000
@key rate number > 0, default 1: evidence per row
@key spacing 'ends', 'bins' or 'open', default 'ends': of the tuning curves of both layers
@key prior_a, prior_b number or {lo, hi}, default {0.025, 0.026} and {0.100, 0.101}
@return network
@return vector: the inputs it has seen
@return vector: the outputs it has seen
@example models = require "vesicle.model.data"
@example net, xs, ys = models.network(models.bimodal(), rng, {rows = 500}); print(net)
]]
function models.network(model, rng, options)
  options = options or {}
  check.options("models.network", options, network_fields, 2)
  local code = models.code(options.spacing)
  local net = ves.network {
    input = code, output = code, rng = rng:stream("prior"), rate = options.rate or 1,
    prior_a = options.prior_a or models.prior_a, prior_b = options.prior_b or models.prior_b,
  }
  local xs, ys = model.generate(options.rows or 4000, rng:stream("data"))
  net:observe(xs, ys)
  return net, xs, ys
end

--[[** models.activity(code, x, threshold) -> vector
The activity of the inputs when x is presented, those not above the threshold silent.
@param code code
@param x number
@param threshold number, default 0.001
@example models = require "vesicle.model.data"; print(models.activity(models.code(), 0):sum())
]]
function models.activity(code, x, threshold)
  threshold = threshold or 1e-3
  local activity = code:encode(x)
  return activity * (activity * -1):less(-threshold)
end

return check.module("vesicle.model.data", models)
