-- check: arguments are checked by name, and a misspelt name gets a suggestion.
--
-- A constructor takes one table; an unknown key, a missing key or a wrong type is an error that
-- names the function, the key, the value and what was expected.

local ves = require "vesicle"

local check = {}

--- The name that a misspelt one most likely means, or nil if none is near.
function check.nearest(word, names) return ves.nearest(tostring(word), names) end

--- ": did you mean `x`?" or the empty string.
function check.suggestion(word, names)
  local near = check.nearest(word, names)
  return near and (": did you mean `" .. near .. "`?") or ""
end

--- A module whose unknown names are errors with a suggestion: `return check.module("vesicle.stats", stats)`.
function check.module(name, module)
  return setmetatable(module, { __index = function(_, key)
    local near = check.suggestion(key, check.sorted_keys(module))
    error(string.format("%s: no field `%s`%s", name, tostring(key), near), 2)
  end })
end

--- Whether a value is a number, and neither infinite nor not-a-number.
function check.finite(x) return type(x) == "number" and x - x == 0 end

--- The keys of a table as sorted strings.
function check.sorted_keys(t)
  local keys = {}
  for k in next, t do keys[#keys + 1] = k end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  return keys
end

--- A value as an error message shows it.
function check.show(value)
  if type(value) == "string" then
    local short = #value > 60 and value:sub(1, 57) .. "..." or value
    return string.format("%q", short):gsub("\\\n", "\\n")
  elseif type(value) == "table" or type(value) == "userdata" then
    local name = getmetatable(value)
    name = type(name) == "table" and name.__name
    return type(name) == "string" and name or ("a " .. type(value))
  end
  if type(value) == "function" or type(value) == "thread" then return "a " .. type(value) end -- no address
  if value ~= value then return "nan" end
  return tostring(value)
end

--- Checks the option table `t` of function `where` against `fields`, a table
--- key -> { type = "string"|..., optional = true }. A type may list alternatives: "number|vector".
function check.options(where, t, fields, level)
  level = (level or 1) + 1
  if type(t) ~= "table" then
    error(string.format("%s: expected a table, got %s", where, check.show(t)), level)
  end
  local names = check.sorted_keys(fields)
  for _, key in ipairs(check.sorted_keys(t)) do
    if fields[key] == nil then
      error(string.format("%s: unknown key `%s`%s (keys: %s)", where, type(key) == "string" and key or check.show(key),
        check.suggestion(key, names), table.concat(names, ", ")), level)
    end
  end
  for _, key in ipairs(names) do
    local field, value = fields[key], t[key]
    if value == nil then
      if not field.optional then
        error(string.format("%s: key `%s` is missing (expected a %s)", where, key,
          field.type:gsub("|", " or ")), level)
      end
    else
      local good = false
      for kind in field.type:gmatch("[^|]+") do
        good = good or kind == "any" or type(value) == kind
          or (kind == "integer" and math.type(value) == "integer")
      end
      if not good then
        error(string.format("%s: key `%s` is %s, expected a %s", where, key, check.show(value),
          field.type:gsub("|", " or ")), level)
      end
    end
  end
end

return check
