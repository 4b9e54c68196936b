-- expect: done
-- The debug library, by every name.
local a = require "attempt"
a.try("global", function() return debug end)
a.try("_G", function() return rawget(_G, "debug") end)
a.try("loaded", function() return package.loaded.debug end)
a.try("preload", function() return package.preload.debug end)
a.try("require", require, "debug")
a.try("loaded by require", function() return require("_G").debug end)
a.try("environment of load", function() return load("return debug")() end)
a.try("coroutine", function() return coroutine.wrap(function() return debug end)() end)
a.try("a table of a table", function()
  local seen, queue = {}, { _G, package.loaded, getmetatable(""), getmetatable(io.stdout) }
  while #queue > 0 do
    local t = table.remove(queue)
    if not seen[t] then
      seen[t] = true
      if rawget(t, "sethook") or rawget(t, "getupvalue") or rawget(t, "getregistry") then return t end
      for _, v in next, t do
        if type(v) == "table" then queue[#queue + 1] = v end
      end
    end
  end
end)
a.done()
