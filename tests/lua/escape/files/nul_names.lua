-- expect: done
-- Names with bytes that C and Lua see differently, and names that are too long.
local a = require "attempt"
for _, path in ipairs {
  "where.txt\0/../../outside/secret.txt", "../outside/secret.txt\0where.txt", "where.txt\0",
} do
  a.try("nul", function()
    local text = assert(io.open(path)):read("a")
    return text:find("SECRET", 1, true)
  end)
end
a.try("long", function() return io.open(("./"):rep(3000) .. "../outside/secret.txt") end)
a.try("longer", function() return io.open(("sub/../"):rep(600) .. "../outside/secret.txt") end)
a.try("a long name to write", function() return io.open(a.out .. "/" .. ("x"):rep(5000), "w") end)
a.try("an empty name", function() return io.open("") end)
a.try("a name of slashes", function() return io.open("////") end)
a.done()
