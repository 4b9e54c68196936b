-- params: the parameters of an experiment, overridable by name and typed by their defaults.
--
-- An experiment states its parameters in one table. `--scale quick` applies the experiment's own
-- reductions, `--set key=value` overrides one; the text of a value is read as the type of the
-- default, and a misspelt key or an unreadable value is an error that says what was expected.

local array = require "vesicle.base.array"
local check = require "vesicle.base.check"

local params = {}

--- "integer", "number", "boolean", "string", "list of numbers", "list of strings", or nil.
local function kind_of(value)
  local kind = math.type(value)
  if kind then return kind == "float" and "number" or "integer" end
  if type(value) == "boolean" or type(value) == "string" then return type(value) end
  if type(value) ~= "table" or getmetatable(value) ~= nil then return nil end
  local inner
  for i = 1, #value do
    local this = type(value[i])
    if this ~= "number" and this ~= "string" then return nil end
    if inner and inner ~= this then return nil end
    inner = this
  end
  for k in next, value do
    if math.type(k) ~= "integer" or k < 1 or k > #value then return nil end
  end
  return "list of " .. (inner or "number") .. "s"
end

local finite = check.finite

local function read_number(text)
  local x = text:find("^%s*[-+.%d]") and not text:find("[xX]") and tonumber(text)
  if not x or not finite(x) then return nil end
  return x
end

local function split(text)
  local parts = {}
  if text:match("^%s*$") then return parts end
  for part in (text .. ","):gmatch("([^,]*),") do parts[#parts + 1] = part:match("^%s*(.-)%s*$") end
  return parts
end

local readers = {
  integer = function(text)
    local x = read_number(text)
    return x and math.tointeger(x)
  end,
  number = function(text)
    local x = read_number(text)
    return x and x + 0.0
  end,
  boolean = function(text)
    local words = { ["true"] = true, yes = true, ["1"] = true,
                    ["false"] = false, no = false, ["0"] = false }
    return words[text:lower()]
  end,
  string = function(text) return text end,
  ["list of numbers"] = function(text)
    local list = split(text)
    for i, part in ipairs(list) do
      local x = read_number(part)
      if not x then return nil end
      list[i] = x
    end
    return list
  end,
  ["list of strings"] = split,
}

local expectations = {
  integer = "a whole number", number = "a finite number", boolean = "true or false",
  string = "a text", ["list of numbers"] = "finite numbers separated by commas",
  ["list of strings"] = "texts separated by commas",
}

--- The text of a value, one spelling per value: what a header shows and a journal key hashes.
function params.text(value)
  local kind = math.type(value)
  if kind == "integer" then return string.format("%d", value) end
  if kind == "float" then
    for digits = 15, 17 do
      local text = string.format("%." .. digits .. "g", value)
      if tonumber(text) == value then return text end
    end
  end
  if type(value) ~= "table" then return tostring(value) end
  local parts = {}
  for i, x in ipairs(value) do parts[i] = params.text(x) end
  return table.concat(parts, ",")
end

--- Does a value satisfy `range`: {lo, hi} of numbers, or an array of permitted texts?
local function in_range(value, range)
  if range == nil then return true end
  local values = type(value) == "table" and value or { value }
  for _, v in ipairs(values) do
    if type(range[1]) == "number" then
      if v < range[1] or v > range[2] then return false end
    else
      local found = false
      for _, choice in ipairs(array.totable(range, "range")) do found = found or choice == v end
      if not found then return false end
    end
  end
  return true
end

function params.range_text(range)
  if range == nil then return "" end
  if type(range[1]) ~= "number" then return table.concat(range, "|") end
  return params.text(range[1]) .. " to " .. params.text(range[2])
end

local function copy(value)
  if type(value) ~= "table" then return value end
  return table.move(value, 1, #value, 1, {})
end

--- Coerces an override written in Lua to the type of the default; nil if it does not fit.
local function fit(value, kind)
  local own = kind_of(value)
  if own == kind then return copy(value) end
  if kind == "number" and own == "integer" then return value + 0.0 end
  if kind == "integer" and own == "number" then return math.tointeger(value) end
  if own == "list of numbers" and kind == "list of strings" and #value == 0 then return {} end
  return nil
end

local function usage(message)
  return setmetatable({ exit_code = 2, message = message },
    { __tostring = function(self) return self.message end })
end

--- Resolves the parameters: `defaults`, then `quick` if the scale is quick, then the words of `set`
--- ("key=value"). `ranges` bounds them. Errors in the experiment's own tables are Lua errors; errors
--- in `set` are usage errors (a stop object with exit code 2).
function params.resolve(where, defaults, quick, ranges, scale, set)
  local names, values, kinds = check.sorted_keys(defaults), {}, {}
  for _, name in ipairs(names) do
    if type(name) ~= "string" or not name:find("^[%a_][%w_]*$") then
      error(where .. ": params: " .. check.show(name) .. " is not a name", 0)
    end
    kinds[name] = kind_of(defaults[name])
    if not kinds[name] then
      error(string.format("%s: params: `%s` is %s, expected a number, boolean, text, or list of "
        .. "numbers or texts", where, name, check.show(defaults[name])), 0)
    end
    values[name] = copy(defaults[name])
  end
  for _, name in ipairs(check.sorted_keys(ranges)) do
    if kinds[name] == nil then
      error(string.format("%s: range: there is no parameter `%s`%s", where, name,
        check.suggestion(name, names)), 0)
    end
  end
  for _, name in ipairs(check.sorted_keys(quick)) do
    local value = quick[name]
    if kinds[name] == nil then
      error(string.format("%s: quick: there is no parameter `%s`%s", where, name,
        check.suggestion(name, names)), 0)
    end
    value = fit(value, kinds[name])
    if value == nil then
      error(string.format("%s: quick: `%s` is %s, expected %s", where, name,
        check.show(quick[name]), expectations[kinds[name]]), 0)
    end
    if scale == "quick" then values[name] = value end
  end
  for _, name in ipairs(names) do
    if not in_range(values[name], ranges[name]) then
      error(string.format("%s: params: `%s` = %s is outside its range %s", where, name,
        params.text(values[name]), params.range_text(ranges[name])), 0)
    end
  end
  for _, word in ipairs(set) do
    local name, text = word:match("^([^=]*)=(.*)$")
    if kinds[name] == nil then
      error(usage(string.format("--set: %s has no parameter `%s`%s (parameters: %s)", where, name,
        check.suggestion(name, names), table.concat(names, ", "))), 0)
    end
    local value = readers[kinds[name]](text)
    if value == nil then
      error(usage(string.format("--set: `%s` of %s: expected %s, got '%s'", name, where,
        expectations[kinds[name]], text)), 0)
    end
    if not in_range(value, ranges[name]) then
      error(usage(string.format("--set: `%s` of %s: expected %s, got '%s'", name, where,
        params.range_text(ranges[name]), text)), 0)
    end
    values[name] = value
  end
  return values, names, kinds
end

--- The table a script sees: reading a parameter that does not exist, or writing any, is an error.
--- on_read(name, value), if given, is called at every reading.
function params.seal(where, values, names, on_read)
  return setmetatable({}, {
    __name = "parameters",
    __index = function(_, key)
      local value = values[key]
      if on_read then on_read(key, value) end
      if value == nil then
        error(string.format("%s has no parameter `%s`%s (parameters: %s)", where, tostring(key),
          check.suggestion(key, names), table.concat(names, ", ")), 2)
      end
      return value
    end,
    __newindex = function(_, key)
      error(string.format("%s: parameter `%s` cannot be assigned; use --set %s=...", where,
        tostring(key), tostring(key)), 2)
    end,
    __pairs = function()
      local i = 0
      return function()
        i = i + 1
        if names[i] and on_read then on_read(names[i], values[names[i]]) end
        if names[i] then return names[i], values[names[i]] end
      end
    end,
  })
end

--- Prints names, types, values, ranges and meanings, aligned.
function params.print(values, names, kinds, ranges, about, write)
  local rows, widths = { { "parameter", "type", "value", "range", "meaning" } }, {}
  for _, name in ipairs(names) do
    rows[#rows + 1] = { name, kinds[name], params.text(values[name]),
                        params.range_text(ranges[name]), about[name] or "" }
  end
  for _, row in ipairs(rows) do
    for c, cell in ipairs(row) do widths[c] = math.max(widths[c] or 0, #cell) end
  end
  for _, row in ipairs(rows) do
    local line = {}
    for c, cell in ipairs(row) do
      if widths[c] > 0 and (c ~= 4 or widths[c] > #"range") then
        line[#line + 1] = cell .. (" "):rep(widths[c] - #cell)
      end
    end
    write((table.concat(line, "  "):gsub("%s+$", "")), "\n")
  end
end

return params
