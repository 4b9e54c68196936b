-- expect: done
-- The readers and writers of the library.
local a = require "attempt"
local ves = require "vesicle"
local code = ves.code { n = 4, lo = 0, hi = 1, sigma = 0.3 }
local net = ves.network { input = code, output = code, prior_a = { 1, 1 }, prior_b = { 1, 1 } }
for _, path in ipairs {
  a.secret, a.root .. "/outside/secret.txt", "link", "linkdir/secret.txt", "sub/../../outside/secret.txt",
  "/etc/passwd",
} do
  for _, name in ipairs { "load", "read_table", "read_npy" } do
    a.try(name .. " " .. path, function() return ves[name](path) end)
    local _, result = pcall(function() return ves[name](path) end)
    local why = tostring(result)
    a.try(name .. " tells", function() return why:find("SECRET", 1, true) or why:find("root:", 1, true) end)
  end
end
for _, path in ipairs {
  "escaped", "../outside/escaped", a.root .. "/outside/escaped", a.out .. "/../outside/escaped", "linkdir/escaped",
  a.out .. "/linkdir/escaped", "/tmp/" .. a.mark, a.out .. "/work.sqlite", a.out .. "/..", a.out .. "/dangling/x",
  a.out .. "/other.d", a.out .. "/new.d", a.out .. "/bindings.d", a.out .. "/new.d.part", a.out .. "/sub/../new.d",
  a.out .. "/other/claims.tsv", a.out .. "/other/more.npy",
} do
  a.try("save " .. path, function() net:save(path) return true end)
  a.try("write_table " .. path, function() ves.write_table(path, { x = { 1, 2 } }) return true end)
  a.try("write_npy " .. path, function() ves.write_npy(path, ves.vector { 1, 2 }) return true end)
end
for _, name in ipairs { "new.d", "../new", "../new.d", "../other/claims", "new.d\0" } do
  for _, kind in ipairs { "table", "array" } do
    a.try("E:" .. kind .. " " .. name, function()
      local E = require("vesicle.experiment").new({ name = "bindings" }, { out = a.out, quiet = true })
      if kind == "table" then E:table(name, { "x" }, { { 1 } }) else E:array(name, ves.vector { 1, 2 }) end
      E:finish()
      return true
    end)
  end
end
a.done()
