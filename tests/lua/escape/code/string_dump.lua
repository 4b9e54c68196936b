-- expect: done
-- Bytecode made here.
local a = require "attempt"
local function f() return 1 end
a.try("string.dump", string.dump, f)
a.try("a method", function() return (""):dump() end)
a.try("by the metatable", function() return getmetatable("").__index.dump(f) end)
a.try("wrapped", function() return coroutine.wrap(string.dump)(f) end)
a.try("loaded", function() return package.loaded.string.dump(f, true) end)
a.try("as a replacement", function() return (("f"):gsub("f", { f = string.dump(f) })) end)
a.done()
