-- crossval: from columns of data to a network that predicts, with its settings chosen by cross-validation.
--
-- A network has settings that data must decide: how many tuning curves each input has, how wide they are, how much
-- the prior evidence counts. Every fold of the data is predicted by a network that was trained on the others, and the
-- settings with the least mean CRPS are taken [eq:crps]. The score is that of the encoded distribution itself,
-- which draws in two stages have exactly [eq:two-stage], so that no noise of sampling takes part in the choice.
--
-- All that a network uses comes from the rows it is trained on, the ranges of its codes too; what lies outside is moved
-- to the nearest end. Folds and priors come from streams with names of their own: the same rows and the same stream
-- give the same network, whatever was tried before.

local ves = require "vesicle"
local array = require "vesicle.base.array"
local check = require "vesicle.base.check"
local host = require "vesicle.base.host"
local models = require "vesicle.model.data"

local crossval = {}

-- ---- data ----

--- One vector per input, and the outputs: checked.
local function columns_of(where, x, y)
  local function column(name, values)
    if type(values) == "table" then values = ves.vector(values) end
    if not array.is_vector(values) then
      error(string.format("%s: %s is %s, expected a vector of numbers", where, name, check.show(values)), 3)
    end
    return values
  end
  local list = type(x) == "table" and type(x[1]) ~= "number"
  local xs = list and array.totable(x, where) or { x }
  y = column("y", y)
  local columns = {}
  for c, values in ipairs(xs) do
    columns[c] = column(string.format("x[%d]", c), values)
    if #columns[c] ~= #y then
      error(string.format("%s: x[%d] has %d rows, expected %d, as many as y", where, c, #columns[c], #y), 3)
    end
    if columns[c]:min() == columns[c]:max() then
      error(string.format("%s: x[%d] is %g in all rows, expected at least two values", where, c, columns[c][1]), 3)
    end
  end
  if #columns == 0 then error(where .. ": x is empty, expected a vector for each input", 3) end
  if y:min() == y:max() then
    error(string.format("%s: y is %g in all rows, expected at least two values", where, y[1]), 3)
  end
  return columns, y
end

local function rows_of(columns, rows)
  local taken = {}
  for c, values in ipairs(columns) do taken[c] = values:take(rows) end
  return taken
end

local function point(columns, r)
  local at = {}
  for c, values in ipairs(columns) do at[c] = values[r] end
  return at
end

--[[** crossval.folds(n, k, rng) -> array
Deals n rows into k parts whose sizes differ by one at most. A stream gives the same parts every time.
@param n integer: rows
@param k integer in [2, n]: parts
@param rng stream, which is not moved on
@return array of vectors of row numbers, ascending
@example crossval = require "vesicle.crossval"; print(crossval.folds(10, 3, rng)[1])
]]
function crossval.folds(n, k, rng)
  if not math.tointeger(k) or k < 2 or k > n then
    error(string.format("crossval.folds: k is %s, expected a whole number from 2 to %s, the number of rows",
      check.show(k), check.show(n)), 2)
  end
  local order, parts = rng:stream("folds", n):permutation(n), {}
  for part = 1, k do
    local rows = {}
    for i = part, n, k do rows[#rows + 1] = order[i] end
    parts[part] = ves.vector(rows):sort()
  end
  return parts
end

--- The rows that are not in a part.
local function others(n, part)
  local out = ves.vector(n, 1)
  for _, r in pairs(part) do out[r // 1] = 0 end
  return out:above(0.5)
end

-- ---- one network ----

local Fit = {}
Fit.__index = Fit
Fit.__name = "fit"

--- A point with each number moved into its code's range.
local function inside(fit, x)
  local at = type(x) == "number" and { x } or x
  if #at ~= #fit.codes then
    error(string.format("fit: x has %d numbers, expected %d", #at, #fit.codes), 3)
  end
  local moved = {}
  for c, code in ipairs(fit.codes) do moved[c] = math.max(code.lo, math.min(code.hi, at[c])) end
  return moved
end

--[[** fit:mixture(x) -> vector
The predictive distribution over the outputs of the network, fit.net.output.centers. [eq:mixture]
@param x number, or an array with one for each input
@example crossval = require "vesicle.crossval"; x = rng:uniform(200)
@example fit = crossval.train{x = x, y = x + rng:normal(0, 0.1, 200), rng = rng, curves = 10}
@example print(fit:mixture(0.5):dot(fit.net.output.centers))
]]
function Fit:mixture(x) return self.net:mixture(inside(self, x)) end

--[[** fit:sample(x, options) -> vector
Draws from the predictive distribution by synaptic failure, in two stages. [eq:two-stage]
@param x number, or an array with one for each input
@key draws integer >= 1, default 1000
@key rng stream: moved on by the number of draws
@example crossval = require "vesicle.crossval"; x = rng:uniform(200)
@example fit = crossval.train{x = x, y = x + rng:normal(0, 0.1, 200), rng = rng, curves = 10}
@example print(fit:sample(0.5, {draws = 100, rng = rng}):sd())
]]
function Fit:sample(x, options)
  options = options or {}
  return (self.net:sample { x = inside(self, x), release = "analytic", stages = 2, draws = options.draws,
                            rng = options.rng })
end

local setting_fields = {
  x = { type = "any" }, y = { type = "any" }, rng = { type = "userdata" },
  curves = { type = "number" }, width = { type = "number", optional = true },
  prior = { type = "number", optional = true }, outputs = { type = "number", optional = true },
}

local function build(columns, y, s, rng)
  local codes = {}
  for c, values in ipairs(columns) do
    local lo, hi = values:min(), values:max()
    codes[c] = ves.code { n = s.curves, lo = lo, hi = hi, sigma = s.width * (hi - lo) / (s.curves - 1) }
  end
  local lo, hi = y:min(), y:max()
  local margin = 0.05 * (hi - lo)
  lo, hi = lo - margin, hi + margin
  local output = ves.code { n = s.outputs, lo = lo, hi = hi, sigma = (hi - lo) / (s.outputs - 1) }
  local function scaled(prior) return { prior[1] * s.prior, prior[2] * s.prior } end
  local net = ves.network { input = codes, output = output, rng = rng, prior_a = scaled(models.prior_a),
                            prior_b = scaled(models.prior_b) }
  net:observe(columns, y)
  return setmetatable({ net = net, codes = codes, settings = s }, Fit)
end

--[[** crossval.train{x, y, rng, curves, ...} -> fit
A network trained on columns of data, with given settings. The curves of an input lie evenly on its range; those of the
output reach 5% beyond it and are as wide as they are apart. [eq:evidence]
@key x vector of inputs, or an array of them if there are several
@key y vector of outputs
@key rng stream: of the prior evidence, not moved on
@key curves integer >= 2: tuning curves of each input
@key width number > 0, default 1: of a curve, in distances between curves
@key prior number > 0, default 1: factor on the original's prior evidence
@key outputs integer >= 2, default 50: tuning curves of the output
@return fit, with fit.net, the network, fit.codes, those of the inputs, and fit.settings
@example crossval = require "vesicle.crossval"; a, b = rng:uniform(200), rng:uniform(200)
@example fit = crossval.train{x = {a, b}, y = a * b, rng = rng, curves = 8}; print(fit:mixture{0.5, 0.5}:argmax())
]]
function crossval.train(options)
  check.options("crossval.train", options, setting_fields, 2)
  local columns, y = columns_of("crossval.train", options.x, options.y)
  return build(columns, y, { curves = options.curves, width = options.width or 1, prior = options.prior or 1,
                             outputs = options.outputs or 50 }, options.rng:stream("prior"))
end

-- ---- choosing ----

--[[** crossval.crps(p, points, y) -> number
The continuous ranked probability score at y of a distribution on equally spaced points, exactly. [eq:crps]
@param p vector of probabilities
@param points vector of as many values, ascending, equally spaced
@param y number: what happened
@example print(require("vesicle.crossval").crps(ves.vector{0.5, 0.5}, ves.vector{0, 1}, 0.3))
]]
--- The integral of (F(z) - 1[z >= y])^2.
function crossval.crps(p, points, y)
  local n, step, F = #p, points[2] - points[1], p:cumsum()
  local below = math.max(0, math.min(n, (y - points[1]) // step + 1)) // 1 -- points at or below y
  local squares, rest = F * F, (1 - F) * (1 - F)
  local sum = 0
  if below == 0 then sum = points[1] - y end
  if below == n then sum = y - points[n] end
  if below > 1 then sum = sum + step * squares:slice(1, below - 1):sum() end
  if below >= 1 and below < n then
    local part = y - points[below]
    sum = sum + part * squares[below] + (step - part) * rest[below]
  end
  if below + 1 < n then sum = sum + step * rest:slice(below + 1, n - 1):sum() end
  return sum
end

--- The CRPS of each held-out row.
local function held_out_crps(columns, y, s, parts, rng)
  local found = ves.vector(#y)
  for k, part in ipairs(parts) do
    local rows = others(#y, part)
    local fit = build(rows_of(columns, rows), y:take(rows), s, rng:stream("fold", k))
    local points = fit.net.output.centers
    for _, r in pairs(part) do
      r = r // 1
      found[r] = crossval.crps(fit:mixture(point(columns, r)), points, y[r])
    end
  end
  return found
end

local choices = {
  curves = { { 10, 20, 40, 80 }, { 6, 12, 24 }, { 4, 8, 16 } }, -- by the number of inputs
  width = { 0.5, 1, 2 }, prior = { 0.01, 0.1, 1 },
}

local choose_fields = {
  x = { type = "any" }, y = { type = "any" }, rng = { type = "userdata" },
  curves = { type = "table|number", optional = true }, width = { type = "table|number", optional = true },
  prior = { type = "table|number", optional = true }, outputs = { type = "number", optional = true },
  folds = { type = "number", optional = true }, progress = { type = "function|boolean", optional = true },
}

local function say(done, total, s)
  if host.quiet then return end
  io.stderr:write(string.format("crossval: %d of %d: %d curves, width %g, prior %g: CRPS %.4g\n", done, total,
    s.curves, s.width, s.prior, s.score))
end

local function list(value, otherwise)
  if value == nil then return otherwise end
  return type(value) == "number" and { value } or array.totable(value, "crossval.choose")
end

--- choose, for columns that have been checked.
local function choose(columns, y, options)
  local curves = list(options.curves, choices.curves[math.min(#columns, 3)])
  local widths, priors = list(options.width, choices.width), list(options.prior, choices.prior)
  local parts = crossval.folds(#y, options.folds or 5, options.rng)
  local total, tried, best = #curves * #widths * #priors, {}, nil
  local progress = options.progress == nil and say or options.progress
  for _, n in ipairs(curves) do
    for _, width in ipairs(widths) do
      for _, prior in ipairs(priors) do
        local s = { curves = n, width = width, prior = prior, outputs = options.outputs or 50 }
        local scores = held_out_crps(columns, y, s, parts, options.rng)
        s.score, s.se = scores:mean(), scores:sd() / math.sqrt(#scores)
        tried[#tried + 1] = s
        if not best or s.score < best.score then best = s end
        if type(progress) == "function" then progress(#tried, total, s) end
      end
    end
  end
  return best, tried
end

--[[** crossval.choose{x, y, rng, ...} -> settings, tried
The settings with which networks predict held-out rows best: least mean CRPS over the folds, the first of equals.
[eq:crps]
@key x vector of inputs, or an array of them if there are several
@key y vector of outputs
@key rng stream: of folds and prior evidence, not moved on
@key curves array of integers or one, default {10, 20, 40, 80}, {6, 12, 24} for two inputs, {4, 8, 16} for more
@key width array of numbers or one, default {0.5, 1, 2}: of a curve, in distances between curves
@key prior array of numbers or one, default {0.01, 0.1, 1}: factors on the original's prior evidence
@key outputs integer, default 50: tuning curves of the output
@key folds integer >= 2, default 5
@key progress false for silence, or function(done, total, settings), default a line on the standard error for each
@return table with curves, width, prior, outputs, score (the mean CRPS) and se
@return array of all that were tried
@example crossval = require "vesicle.crossval"; x = rng:uniform(100)
@example best = crossval.choose{x = x, y = x ^ 2, rng = rng, curves = {5, 10}, width = 1, prior = 0.1, progress = false}
@example print(best.curves, best.score)
]]
function crossval.choose(options)
  check.options("crossval.choose", options, choose_fields, 2)
  local columns, y = columns_of("crossval.choose", options.x, options.y)
  return choose(columns, y, options)
end

--[[** crossval.fit{x, y, rng, ...} -> fit
Chooses the settings and trains a network on all rows with them.
@key x, y, rng, curves, width, prior, outputs, folds, progress: as in crossval.choose
@return fit, as from crossval.train; fit.settings has what was chosen, fit.tried all that was tried
@example crossval = require "vesicle.crossval"; x = rng:uniform(100)
@example fit = crossval.fit{x = x, y = x ^ 2, rng = rng, curves = {5, 10}, width = 1, prior = 0.1, progress = false}
@example print(fit.settings.curves, fit:sample(0.5, {draws = 50, rng = rng}):mean())
]]
function crossval.fit(options)
  check.options("crossval.fit", options, choose_fields, 2)
  local columns, y = columns_of("crossval.fit", options.x, options.y)
  local best, tried = choose(columns, y, options)
  local fit = build(columns, y, best, options.rng:stream("prior"))
  fit.tried = tried
  return fit
end

-- ---- how good is it? ----

local held_fields = { outer = { type = "number", optional = true }, draws = { type = "number", optional = true } }
for key, field in pairs(choose_fields) do held_fields[key] = field end

--[[** crossval.held_out{x, y, rng, ...} -> table
Predicts every row by a network that has not seen it, settings chosen on the rows it has seen only: what a fit is worth,
and whether its samples are calibrated. [eq:crps] [eq:pit]
@key outer integer >= 2, default 10: parts, each predicted from the others
@key draws integer, default 400: samples of each prediction
@key x, y, rng, curves, width, prior, outputs, folds, progress: as in crossval.choose; folds are those within the others
@return table: crps, vector of the scores of the samples; pit, vector of where y lies among them, uniform on [0, 1] if
they are calibrated; settings, array of what was chosen for each part
@example crossval = require "vesicle.crossval"; x = rng:uniform(100)
@example held = crossval.held_out{x = x, y = x ^ 2, rng = rng, curves = {5, 10}, width = 1, prior = 0.1, outer = 3,
progress = false}
@example print(held.crps:mean())
]]
function crossval.held_out(options)
  check.options("crossval.held_out", options, held_fields, 2)
  local columns, y = columns_of("crossval.held_out", options.x, options.y)
  local found = { crps = ves.vector(#y), pit = ves.vector(#y), settings = {} }
  local parts = crossval.folds(#y, options.outer or 10, options.rng:stream("outer"))
  local inner = {}
  for key in pairs(choose_fields) do inner[key] = options[key] end
  for k, part in ipairs(parts) do
    local rows = others(#y, part)
    inner.rng = options.rng:stream("part", k)
    inner.x, inner.y = rows_of(columns, rows), y:take(rows)
    local fit = crossval.fit(inner)
    found.settings[k] = fit.settings
    for _, r in pairs(part) do
      r = r // 1
      local drawn = fit:sample(point(columns, r), { draws = options.draws or 400, rng = inner.rng:stream("draws", r) })
      found.crps[r], found.pit[r] = ves.score.crps(drawn, y[r]), ves.score.pit(drawn, y[r])
    end
  end
  return found
end

return crossval
