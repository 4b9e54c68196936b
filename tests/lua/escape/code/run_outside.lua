-- expect: done
-- Code that lies elsewhere, and what error messages tell of it.
local a = require "attempt"
for _, path in ipairs { "../outside/evil.lua", a.root .. "/outside/evil.lua", "linkdir/evil.lua", "evil.lua" } do
  a.try("dofile " .. path, dofile, path)
  a.try("loadfile " .. path, loadfile, path)
end
for _, path in ipairs { a.secret, "link", "linkdir/secret.txt", "/etc/passwd" } do
  local _, why = loadfile(path)
  a.try("the message of loadfile", function() return why:find("SECRET", 1, true) or why:find("root:", 1, true) end)
  local _, whynot = pcall(dofile, path)
  a.try("the message of dofile", function() return whynot:find("SECRET", 1, true) or whynot:find("root:", 1, true) end)
end
a.done()
