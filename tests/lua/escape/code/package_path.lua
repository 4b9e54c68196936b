-- expect: done
-- Modules that lie elsewhere, and what require tells about files that exist.
local a = require "attempt"
local paths = {
  "../outside/?.lua", a.root .. "/outside/?.lua", "linkdir/?.lua", "./?.lua", a.out .. "/linkdir/?.lua",
  "?", "?.lua;../outside/?.lua", "../outside/evil.lua", "sub/../../outside/?.lua",
}
for _, path in ipairs(paths) do
  package.path = path
  package.loaded.evil = nil
  a.try("require by " .. path, require, "evil")
  a.try("searchpath by " .. path, package.searchpath, "evil", path)
end
for _, name in ipairs {
  "../outside/evil", "..outside.evil", a.root .. "/outside/evil", "x;../outside/evil", "/etc/passwd",
} do
  package.path = "./?.lua;?;?.lua"
  a.try("require " .. name, require, name)
end
a.try("exists", function()
  local _, one = package.searchpath("secret", "../outside/?.txt")
  local _, two = package.searchpath("sekret", "../outside/?.txt")
  return not one or not two
end)
local _, there = io.open(a.secret)
local _, absent = io.open("../outside/absent.txt")
a.try("exists by io.open", function() return there:gsub("secret", "absent") ~= absent end)
a.done()
