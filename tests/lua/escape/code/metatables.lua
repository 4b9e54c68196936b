-- expect: done
-- Methods of file handles and strings, borrowed, replaced and misapplied.
local a = require "attempt"
local meta = getmetatable(io.stdout)
for name, f in pairs(meta) do
  if type(f) == "function" then
    a.try("handle " .. name, function() return name ~= "__name" and name ~= "__tostring" and f(a.secret) end)
  end
end
a.try("a forged handle", function()
  local forged = setmetatable({}, meta)
  return forged:read("a")
end)
a.try("a handle of something else", function()
  return meta.__index.read(require("vesicle").vector { 1, 2 }, "a")
end)
local before = meta.__index
meta.__index = function(_, key) return key == "lines" and function() return os.execute end or before[key] end
a.try("replaced methods", function()
  local f = io.lines("where.txt")()
  return f and f("true")
end)
meta.__index = before
local strings = getmetatable("").__index
getmetatable("").__index = function(_, key) return strings[key] end
a.read(a.secret)
getmetatable("").__index = strings
setmetatable(_G, { __index = function(_, key) return key == "debug" and {} or nil end })
a.read(a.secret)
setmetatable(_G, nil)
a.try("a protected string", function()
  getmetatable("").__metatable = {}
  return io.open(a.secret)
end)
a.done()
