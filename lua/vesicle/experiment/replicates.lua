-- replicates: the results of E:replicate, one per replicate.
--
-- out[i] is the result of replicate i, #out their number, out:column(field) one field across all of
-- them, out:summary(field) its mean, spread and quantiles in bounded memory. Where the results are
-- kept is the store's business: an object with `n` and get(i), read on demand.

local ves = require "vesicle"
local array = require "vesicle.base.array"
local check = require "vesicle.base.check"
local stats = require "vesicle.stats"

local methods = {}

local function field_of(where, result, field, i)
  if field == nil then return result end
  local value = result
  for part in field:gmatch("[^.]+") do
    if type(value) ~= "table" then
      error(string.format("%s: replicate %d returned %s, which has no field `%s`", where, i,
        check.show(value), part), 0)
    end
    local inner = value[part]
    if inner == nil and math.tointeger(part) then inner = value[math.tointeger(part)] end
    if inner == nil then
      local names = {}
      for _, k in ipairs(check.sorted_keys(value)) do names[#names + 1] = tostring(k) end
      error(string.format("%s: replicate %d has no field `%s`%s (fields: %s)", where, i, part,
        check.suggestion(part, names), table.concat(names, ", ")), 0)
    end
    value = inner
  end
  return value
end

--- The field of replicate i. A store that can read one field alone does so; what it does not find is looked for in
--- the whole result, which knows what there is instead.
local function read(where, store, field, i)
  if type(field) == "string" and store.part then
    local value = store:part(i, field)
    if value ~= nil then return value end
  end
  return field_of(where, store:get(i), field, i)
end

local function shape(value)
  if type(value) == "number" then return "number" end
  if array.is_vector(value) then return "vector" end
  if type(value) == "table" and #value > 0 and type(value[1]) == "number" then return "vector" end
  if type(value) == "string" or type(value) == "boolean" then return type(value) end
  return nil
end

local function is_finite(x)
  return type(x) == "number" and x == x and x ~= math.huge and x ~= -math.huge
end

local function assign(t, key, value) t[key] = value end

--- Puts the value of replicate i into the column.
local function put(where, column, kind, width, i, value)
  if kind == "string" or kind == "boolean" then
    column[i] = value
    return
  end
  local numbers = kind == "vector" and value or { value }
  if #numbers ~= width then
    error(string.format("%s: replicate %d has %d elements, replicate 1 has %d", where, i, #numbers,
      width), 3)
  end
  if kind == "vector" and pcall(assign, column, i, numbers) then return end
  for j = 1, width do
    if not is_finite(numbers[j]) then
      error(string.format("%s: replicate %d holds %s, expected finite numbers", where, i,
        check.show(numbers[j])), 3)
    end
  end
  column[i] = kind == "vector" and numbers or value
end

--[[** out:column(field) -> vector|matrix|table
One field of the results across replicates: a vector if it is a number, a matrix with one row per replicate if it is a
vector or an array of numbers, a Lua array if it is text or boolean.
@param field text: its name; "a.b" names a field within a field; nil the whole result
@example ex = require "vesicle.experiment"; E = ex.new{name = "demo"}
@example out = E:replicate{name = "main", n = 8, run = function(i, rng) return {u = rng:uniform()} end}
@example print(out:column("u"))
]]
function methods.column(self, field)
  local store = getmetatable(self).store
  local where = string.format("column(%s) of %s", field and check.show(field) or "", store.name)
  if store.n == 0 then error(where .. ": there are no replicates", 2) end
  local kind, column, width
  for i = 1, store.n do
    local value = read(where, store, field, i)
    local this = shape(value)
    if this == nil then
      error(string.format("%s: replicate %d is %s, expected a number, vector, text or boolean",
        where, i, check.show(value)), 2)
    end
    if i == 1 then
      kind, width, column = this, 1, {}
      if kind == "number" then column = ves.vector(store.n, 0) end
      if kind == "vector" then
        width = #value
        column = ves.matrix(store.n, width, 0)
      end
    elseif this ~= kind then
      error(string.format("%s: replicate %d is a %s, replicate 1 a %s", where, i, this, kind), 2)
    end
    put(where, column, kind, width, i, value)
  end
  return column
end

local BLOCK = 4096                       -- replicates whose moments are merged as one

--- Moments of every element of the field: one accumulator per element, block by block, merged in
--- order, so that the bits do not depend on how a block was computed.
local function moments_of(store, where, field)
  local total, kind, width
  for first = 1, store.n, BLOCK do
    local block = {}
    for i = first, math.min(first + BLOCK - 1, store.n) do
      local value = read(where, store, field, i)
      local this = shape(value)
      if this ~= "number" and this ~= "vector" then
        error(string.format("%s: replicate %d is %s, expected a number or a vector", where, i,
          check.show(value)), 3)
      end
      local size = this == "vector" and #value or 1
      kind, width = kind or this, width or size
      if this ~= kind or size ~= width then
        error(string.format("%s: replicate %d is not of the same shape as replicate 1", where, i), 3)
      end
      for j = 1, width do
        local x = kind == "vector" and value[j] or value
        if not is_finite(x) then
          error(string.format("%s: replicate %d holds %s, expected finite numbers", where, i,
            check.show(x)), 3)
        end
        block[j] = (block[j] or stats.moments()):add(x)
      end
    end
    if total then
      for j = 1, width do total[j]:merge(block[j]) end
    else
      total = block
    end
  end
  return total, kind, width
end

--- The p-quantiles of element j of the field, exactly, in bounded memory.
local function quantiles_of(store, where, field, kind, j, probabilities)
  local ranks = {}
  for k, p in ipairs(probabilities) do
    local h = (store.n - 1) * p
    ranks[2 * k - 1] = math.tointeger(h // 1) + 1
    ranks[2 * k] = math.min(ranks[2 * k - 1] + 1, store.n)
  end
  local values = stats.select(ranks, function()
    local i = 0
    return function()
      i = i + 1
      if i > store.n then return nil end
      local value = read(where, store, field, i)
      return (kind == "vector" and value[j] or value) + 0.0
    end
  end)
  local quantiles = {}
  for k, p in ipairs(probabilities) do
    local h = (store.n - 1) * p
    local lo, hi = values[2 * k - 1], values[2 * k]
    quantiles[k] = lo + (h - h // 1) * (hi - lo)
  end
  return quantiles
end

local summary_fields = { quantiles = { type = "table", optional = true } }

--[[** out:summary(field, options) -> table
n, mean, var, sd, se, min and max of a field across replicates, and its quantiles; for a vector field each is a vector.
Of a single replicate var, sd and se are nan.
The results are read as a stream: any number of replicates in bounded memory.
@param field text: its name; nil the whole result
@key quantiles array of probabilities
@return table
@example ex = require "vesicle.experiment"; E = ex.new{name = "demo"}
@example out = E:replicate{name = "main", n = 8, run = function(i, rng) return {u = rng:uniform()} end}
@example s = out:summary("u", {quantiles = {0.25, 0.75}}); print(s.mean, s.se, s.quantiles[1])
]]
function methods.summary(self, field, options)
  local store = getmetatable(self).store
  options = options or {}
  check.options("out:summary", options, summary_fields, 2)
  local where = string.format("summary(%s) of %s", field and check.show(field) or "", store.name)
  if store.n == 0 then error(where .. ": there are no replicates", 2) end
  local probabilities = options.quantiles or {}
  for _, p in ipairs(probabilities) do
    if type(p) ~= "number" or not (p >= 0 and p <= 1) then
      error(where .. ": quantiles: " .. check.show(p) .. " is not a probability", 2)
    end
  end
  local moments, kind, width = moments_of(store, where, field)
  local function gather(f)
    if kind == "number" then return f(1) end
    local t = {}
    for j = 1, width do t[j] = f(j) end
    return ves.vector(t)
  end
  local result = { n = store.n, quantiles = {} }
  for _, name in ipairs { "mean", "min", "max" } do
    result[name] = gather(function(j)
      local m = moments[j]
      return name == "mean" and m:mean() or m[name]
    end)
  end
  for _, name in ipairs { "var", "sd", "se" } do
    if store.n > 1 then
      result[name] = gather(function(j) return moments[j][name](moments[j]) end)
    else
      result[name] = (kind == "vector" and ves.vector(width) or 0) / 0
    end
  end
  if #probabilities > 0 then
    local each = {}
    for j = 1, width do each[j] = quantiles_of(store, where, field, kind, j, probabilities) end
    for k = 1, #probabilities do
      result.quantiles[k] = gather(function(j) return each[j][k] end)
    end
  end
  return result
end

local replicates = {}

--- Wraps a store: { name = , n = , get = function(store, i) }, and if it can, part = function(store, i, field).
function replicates.new(store)
  return setmetatable({}, {
    __name = "replicates", store = store,
    __len = function() return store.n end,
    __index = function(_, key)
      local i = math.tointeger(key)
      if i then
        if i < 1 or i > store.n then return nil end
        return store:get(i)
      end
      local method = methods[key]
      if method == nil then
        error(string.format("%s has no field `%s`; use out[i], #out, out:column(field), out:summary(field)", store.name,
          tostring(key)), 2)
      end
      return method
    end,
    __pairs = function()
      local i = 0
      return function()
        i = i + 1
        if i <= store.n then return i, store:get(i) end
      end
    end,
    __newindex = function() error(store.name .. ": results cannot be assigned", 2) end,
  })
end

return replicates
