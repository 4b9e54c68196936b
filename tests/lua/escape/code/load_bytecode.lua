-- expect: done
-- Bytecode brought along, through load.
local a = require "attempt"
local code = assert(io.open("bytecode.luac", "rb")):read("a")
for _, mode in ipairs { "b", "bt", "tb", "t", "x", "" } do
  a.try("mode " .. mode, function() return load(code, "x", mode) end)
end
a.try("no mode", function() return load(code) end)
a.try("nil mode", function() return load(code, "x", nil, _ENV) end)
a.try("in pieces", function()
  local i = 0
  return load(function()
    i = i + 1
    return i <= #code and code:sub(i, i) or nil
  end, "x", "bt")
end)
a.try("in a coroutine", function() return coroutine.wrap(load)(code, "x", "b") end)
a.try("behind a mark of byte order", function() return load("\xEF\xBB\xBF" .. code) end)
a.try("behind a comment", function() return load("#\n" .. code) end)
a.done()
