-- replicates: the results of E:replicate, one per replicate.
--
-- out[i] is the result of replicate i, #out their number, out:column(field) one field across all of
-- them, out:summary(field) its mean, spread and quantiles in bounded memory. Where the results are
-- kept is the store's business: an object with `n` and get(i), read on demand.

local ves = require "vesicle"
local array = require "vesicle.array"
local check = require "vesicle.check"

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

local function shape(value)
  if type(value) == "number" then return "number" end
  if array.is_vector(value) then return "vector" end
  if type(value) == "table" and #value > 0 and type(value[1]) == "number" then return "vector" end
  if type(value) == "string" or type(value) == "boolean" then return type(value) end
  return nil
end

--- The field across replicates: a vector if it is a number, a matrix with one row per replicate if
--- it is a vector or an array of numbers, a Lua array if it is text or boolean. "a.b" names a field
--- within a field; nil the whole result.
function methods.column(self, field)
  local store = getmetatable(self).store
  local where = string.format("column(%s) of %s", field and check.show(field) or "", store.name)
  if store.n == 0 then error(where .. ": there are no replicates", 2) end
  local kind, column, width
  for i = 1, store.n do
    local value = field_of(where, store:get(i), field, i)
    local this = shape(value)
    if this == nil then
      error(string.format("%s: replicate %d is %s, expected a number, vector, text or boolean",
        where, i, check.show(value)), 2)
    end
    if i == 1 then
      kind, width = this, this == "vector" and #value or 1
      if kind == "vector" then
        column = ves.matrix(store.n, width, 0)
      else
        column = kind == "number" and ves.vector(store.n, 0) or {}
      end
    elseif this ~= kind then
      error(string.format("%s: replicate %d is a %s, replicate 1 a %s", where, i, this, kind), 2)
    end
    if kind == "vector" then
      if #value ~= width then
        error(string.format("%s: replicate %d has %d elements, replicate 1 has %d", where, i, #value,
          width), 2)
      end
      local row = column:row(i)
      for j = 1, width do row[j] = value[j] end
    else
      column[i] = value
    end
  end
  return column
end

local replicates = {}

--- Wraps a store: { name = , n = , get = function(store, i) }.
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
        error(string.format("%s has no field `%s`; use out[i], #out, out:column(field)", store.name,
          tostring(key)), 2)
      end
      return method
    end,
    __newindex = function() error(store.name .. ": results cannot be assigned", 2) end,
  })
end

return replicates
