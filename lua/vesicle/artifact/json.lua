-- json: JSON with keys in the order they were given, because a generated file is compared byte by byte;
-- and a strict reader, because what was written is checked by reading it.

local json = {}

local object = {}

--- An object from alternating keys and values; a nil value leaves its key out.
function json.object(...)
  local keys, values = {}, {}
  local args = table.pack(...)
  for i = 1, args.n, 2 do
    if args[i + 1] ~= nil then
      keys[#keys + 1] = args[i]
      values[args[i]] = args[i + 1]
    end
  end
  return setmetatable({ keys = keys, values = values }, object)
end

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\t"] = "\\t", ["\r"] = "\\r" }

local function quote(text)
  return '"' .. text:gsub('[%c"\\]', function(c) return escapes[c] or string.format("\\u%04x", c:byte()) end) .. '"'
end

local function encode(value, indent)
  local inner = indent .. "  "
  if type(value) == "string" then return quote(value) end
  if type(value) ~= "table" then return tostring(value) end
  local parts, open, close = {}, "[", "]"
  if getmetatable(value) == object then
    open, close = "{", "}"
    for i, key in ipairs(value.keys) do parts[i] = quote(key) .. ": " .. encode(value.values[key], inner) end
  else
    for i, item in ipairs(value) do parts[i] = encode(item, inner) end
  end
  local line = open .. table.concat(parts, ", ") .. close
  if #parts == 0 or (#line + #indent <= 100 and not line:find("\n")) then return line end
  return open .. "\n" .. inner .. table.concat(parts, ",\n" .. inner) .. "\n" .. indent .. close
end

--- The text of a value made of json.object, lists, strings, numbers and booleans.
function json.encode(value) return encode(value, "") .. "\n" end

local unescape = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", ['"'] = '"', ["/"] = "/" }

--- Reads a text; objects become plain tables. Raises an error that names the place.
function json.decode(text)
  local at = 1
  local function fail(what) error(string.format("JSON, byte %d: %s", at, what), 0) end
  local function skip() at = text:find("[^ \t\r\n]", at) or #text + 1 end
  local function take(literal)
    skip()
    if text:sub(at, at + #literal - 1) ~= literal then return false end
    at = at + #literal
    return true
  end
  local value
  local function string_at()
    local stop = at
    repeat
      stop = text:find('["\\]', stop) or fail("a string without an end")
      local quoted = text:sub(stop, stop) == '"'
      if not quoted then stop = stop + 2 end
    until quoted
    local raw = text:sub(at, stop - 1)
    if raw:find("%c") then fail("a control character in a string") end
    at = stop + 1
    -- A quoted backslash is set aside first, as the one byte that cannot stand in a string.
    local plain = raw:gsub("\\\\", "\0"):gsub("\\u(%x%x%x%x)", function(d) return utf8.char(tonumber(d, 16)) end)
    plain = plain:gsub("\\(.)", function(c) return unescape[c] or fail("an unknown escape") end)
    return (plain:gsub("%z", "\\"))
  end
  local function members()
    local found = {}
    if take("}") then return found end
    repeat
      if not take('"') then fail("expected a key") end
      local key = string_at()
      if found[key] ~= nil then fail("the key " .. key .. " stands twice") end
      if not take(":") then fail("expected a colon") end
      found[key] = value()
    until not take(",")
    if not take("}") then fail("expected }") end
    return found
  end
  local function items()
    local found = {}
    if take("]") then return found end
    repeat found[#found + 1] = value() until not take(",")
    if not take("]") then fail("expected ]") end
    return found
  end
  function value()
    if take("{") then return members() end
    if take("[") then return items() end
    if take('"') then return string_at() end
    if take("true") then return true end
    if take("false") then return false end
    local number = text:match("^%-?%d+%.?%d*[eE]?[-+]?%d*", at)
    if not number or not tonumber(number) then fail("expected a value") end
    at = at + #number
    return tonumber(number)
  end
  local result = value()
  skip()
  if at <= #text then fail("text after the end") end
  return result
end

return json
