-- expect: done
-- Metamethods of the library's objects, called with objects of another kind, twice, and after the end.
local a = require "attempt"
local ves = require "vesicle"
local host = require "vesicle.host"
local code = ves.code { n = 4, lo = 0, hi = 1, sigma = 0.3 }
local objects = {
  ves.vector { 1, 2 }, ves.matrix { { 1, 2 }, { 3, 4 } }, ves.matrix { { 1, 2 }, { 3, 4 } }:row(1), ves.rng(1),
  ves.rng(1):stream("a"), code, ves.network { input = code, output = code, prior_a = { 1, 1 }, prior_b = { 1, 1 } },
  host.journal(a.out .. "/objects.sqlite"), io.stdout, {}, "text", 1, print,
}
for _, one in ipairs(objects) do
  local meta = type(one) == "userdata" and one ~= io.stdout and getmetatable(one)
  for _, f in pairs(type(meta) == "table" and meta or {}) do
    if type(f) == "function" then
      for _, other in ipairs(objects) do
        if other ~= io.stdout then
          pcall(f, other)
          pcall(f, other, 1)
          pcall(f, other, other)
          pcall(f, other, "x", 1)
        end
      end
      pcall(f)
      pcall(f, one)
      pcall(f, one)
    end
  end
end
a.done()
