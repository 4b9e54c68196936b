-- expect: done
-- Libraries in C: by require, by loadlib, by searchers that might be left.
local a = require "attempt"
local libc = { "/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/libc.so.6", "libc.so.6", "libm.so.6" }
for _, path in ipairs(libc) do
  a.try("loadlib " .. path, function() return package.loadlib(path, "system") end)
  a.try("loadlib * " .. path, function() return package.loadlib(path, "*") end)
end
package.cpath = "/usr/lib/x86_64-linux-gnu/lua/5.4/?.so;/usr/lib/x86_64-linux-gnu/lib?.so;./?.so;../outside/?.so"
for _, name in ipairs { "lfs", "posix", "socket.core", "m", "gsl", "module" } do
  a.try("require " .. name, require, name)
end
for i = 3, 6 do
  a.try("searcher " .. i, function() return package.searchers[i]("m") end)
end
a.try("a searcher of our own", function()
  table.insert(package.searchers, function(name) return package.loadlib("libm.so.6", name) end)
  return require "system"
end)
a.done()
