-- json: a writer of JSON that keeps keys in the order they were given.
--
-- The files it writes are committed, compared byte by byte and read by people. lua-cjson does not serve: it writes
-- keys in the order of a hash table, which changes from run to run, and everything on one line.

local json = {}

local order = setmetatable({}, { __mode = "k" }) -- object -> its keys in order

--- An object from alternating keys and values; a nil value leaves its key out.
function json.object(...)
  local object, keys, args = {}, {}, table.pack(...)
  for i = 1, args.n, 2 do
    if args[i + 1] ~= nil then keys[#keys + 1], object[args[i]] = args[i], args[i + 1] end
  end
  order[object] = keys
  return object
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
  if order[value] then
    open, close = "{", "}"
    for i, key in ipairs(order[value]) do parts[i] = quote(key) .. ": " .. encode(value[key], inner) end
  else
    for i, item in ipairs(value) do parts[i] = encode(item, inner) end
  end
  local line = open .. table.concat(parts, ", ") .. close
  if #parts == 0 or (#line + #indent <= 100 and not line:find("\n")) then return line end
  return open .. "\n" .. inner .. table.concat(parts, ",\n" .. inner) .. "\n" .. indent .. close
end

--- The text of a value made of json.object, lists, strings, numbers and booleans.
function json.encode(value) return encode(value, "") .. "\n" end

return json
