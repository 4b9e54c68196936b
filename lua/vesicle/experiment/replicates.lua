-- replicates: the results of E:replicate, one per replicate.
--
-- out[i] is the result of replicate i, #out their number, out:column(field) one field across all of
-- them. Where the results are kept is the store's business: an object with `n` and get(i), read on demand.

local ves = require "vesicle"
local array = require "vesicle.base.array"
local check = require "vesicle.base.check"

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
  if field and store.part then
    local value = store:part(i, field)
    if value ~= nil then return value end
  end
  return field_of(where, store:get(i), field, i)
end

local function shape(value)
  if type(value) == "number" then return "number", 1, 1 end
  if array.is_vector(value) then return "vector", 1, #value end
  if array.is_matrix(value) then return "matrix", value.rows, value.cols end
  if type(value) == "table" and #value > 0 and type(value[1]) == "number" then return "vector", 1, #value end
  if type(value) == "string" or type(value) == "boolean" then return type(value), 1, 1 end
  return nil
end

--- Rows of numbers as a matrix; whatever else as it is.
local function gathered(value)
  if type(value) ~= "table" or type(value[1]) ~= "table" then return value end
  local done, matrix = pcall(ves.matrix, value)
  return done and matrix or value
end

local function assign(t, key, value) t[key] = value end

--- Puts one row of numbers of replicate i into the column.
local function put_row(where, column, at, i, numbers)
  if pcall(assign, column, at, numbers) then return end
  for j = 1, #numbers do
    if not check.finite(numbers[j]) then
      error(string.format("%s: replicate %d holds %s, expected finite numbers", where, i, check.show(numbers[j])), 3)
    end
  end
  column[at] = numbers
end

--- Puts the value of replicate i into the column.
local function put(where, column, kind, i, value)
  if kind == "vector" then
    put_row(where, column, i, i, value)
  elseif kind == "matrix" then
    for k = 1, value.rows do put_row(where, column, (i - 1) * value.rows + k, i, value[k]) end
  else
    if kind == "number" and not check.finite(value) then
      error(string.format("%s: replicate %d holds %s, expected finite numbers", where, i, check.show(value)), 3)
    end
    column[i] = value
  end
end

--[[** out:column(field, n) -> vector|matrix|table
One field of the results across replicates: a vector if it is a number, a matrix with one row per replicate if it is a
vector or an array of numbers, a Lua array if it is text or boolean. Of a matrix, or an array of rows, all rows follow
one another, those of replicate 1 first. Only this field is read.
@param field text: its name; "a.b" names a field within a field; nil the whole result
@param n integer: of the first n replicates alone
@example ex = require "vesicle.experiment"; E = ex.new{name = "demo"}
@example out = E:replicate{name = "main", n = 8, run = function(i, rng) return {u = rng:uniform()} end}
@example print(out:column("u"), #out:column("u", 3))
]]
function methods.column(self, field, n)
  local store = getmetatable(self).store
  local where = string.format("column(%s) of %s", field and check.show(field) or "", store.name)
  if field ~= nil and type(field) ~= "string" then error(where .. ": expected the name of a field", 2) end
  store.look()
  if store.n == 0 then error(where .. ": there are no replicates", 2) end
  if n == nil then n = store.n end
  if type(n) ~= "number" or not math.tointeger(n) or n < 1 or n > store.n then
    error(string.format("%s: n is %s, expected a whole number from 1 to %d", where, check.show(n), store.n), 2)
  end
  local kind, column, rows, cols
  for i = 1, n do
    local value = gathered(read(where, store, field, i))
    local this, down, across = shape(value)
    if across == 0 then error(string.format("%s: replicate %d is a vector without elements", where, i), 2) end
    if this == nil then
      error(string.format("%s: replicate %d is %s, expected a number, vector, matrix, text or boolean", where, i,
        check.show(value)), 2)
    end
    if i == 1 then
      kind, rows, cols, column = this, down, across, {}
      if kind == "number" then column = ves.vector(n, 0) end
      if kind == "vector" or kind == "matrix" then column = ves.matrix(n * rows, cols, 0) end
    elseif this ~= kind then
      error(string.format("%s: replicate %d is a %s, replicate 1 a %s", where, i, this, kind), 2)
    elseif down ~= rows or across ~= cols then
      error(string.format("%s: replicate %d has %d elements, replicate 1 has %d", where, i, down * across,
        rows * cols), 2)
    end
    put(where, column, kind, i, value)
  end
  return column
end

local replicates = {}

--- Wraps a store: { name = , n = , get = function(store, i) }, and if it can, part = function(store, i, field);
--- look() is called whenever somebody looks at the results.
function replicates.new(store)
  local function get(i)
    store.look()
    return store:get(i)
  end
  return setmetatable({}, {
    __name = "replicates", store = store,
    __len = function()
      store.look()
      return store.n
    end,
    __index = function(_, key)
      local i = math.tointeger(key)
      if i then
        if i < 1 or i > store.n then return nil end
        return get(i)
      end
      local method = methods[key]
      if method == nil then
        error(string.format("%s has no field `%s`; use out[i], #out, out:column(field)", store.name, tostring(key)), 2)
      end
      return method
    end,
    __pairs = function()
      local i = 0
      return function()
        i = i + 1
        if i <= store.n then return i, get(i) end
      end
    end,
    __newindex = function() error(store.name .. ": results cannot be assigned", 2) end,
  })
end

return replicates
