-- expect: done
-- Metamethods of the library's objects, called with objects of another kind, twice, and after the end.
local a = require "attempt"
local ves = require "vesicle"
local host = require "vesicle.base.host"
local code = ves.code { n = 4, lo = 0, hi = 1, sigma = 0.3 }
local objects = {
  ves.vector { 1, 2 }, ves.matrix { { 1, 2 }, { 3, 4 } }, ves.matrix { { 1, 2 }, { 3, 4 } }:row(1), ves.rng(1),
  ves.rng(1):stream("a"), code, ves.network { input = code, output = code, prior_a = { 1, 1 }, prior_b = { 1, 1 } },
  host.replicate { out = a.out, name = "x", first = true, experiment = "objects", n = 1, seed = 1, quiet = true,
                   description = {}, count = "", one = function() return 1 end, inputs = function() return "" end },
  io.stdout, {}, "text", 1, print,
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
-- Closed by a finalizer while a function of the library is at work on them.
local function closer(object)
  setmetatable({}, { __gc = function()
    local _ <close> = object -- luacheck: ignore
    closer(ves.code { n = 4, lo = 0, hi = 1, sigma = 0.3 })
  end })
end
for i = 1, 200 do
  local fresh = ves.code { n = 50, lo = 0, hi = 1, sigma = 0.3 }
  local net = ves.network { input = fresh, output = fresh, prior_a = { 1, 1 }, prior_b = { 1, 1 } }
  closer(fresh)
  closer(net)
  pcall(function() return fresh:encode(ves.vector(200, 0.5)) end)
  pcall(function() return net:observe(ves.vector(50, 0.5), ves.vector(50, 0.5)) end)
  pcall(function() return net:weights() end)
  pcall(function()
    return net:sample { x = 0.5, release = ves.matrix(50, 50, 0.5), draws = 50, rng = ves.rng(i) }
  end)
  pcall(ves.release.learn, ves.vector(10, 1), { iterations = 3, rng = ves.rng(1), rule = function(g)
    local _ <close> = fresh -- luacheck: ignore
    return g
  end })
end
a.try("workers of workers", function()
  local function spec(name, one)
    return { out = a.out, name = name, first = true, experiment = "objects", n = 2, seed = 1, quiet = true,
             description = { name }, count = "", one = one, inputs = function() return "" end }
  end
  local store = host.replicate(spec("outer", function(i)
    local good = pcall(function() return host.replicate(spec("inner" .. i, function() return 1 end)) end)
    return good
  end))
  return store:get(1) or store:get(2)
end)
for _, n in ipairs { -1, 1 << 62, 1 << 40, math.mininteger } do
  pcall(function()
    return host.replicate({ out = a.out, name = "x", first = true, experiment = "objects", n = n, seed = 1,
      quiet = true, description = {}, count = "", one = function() error("never") end,
      inputs = function() return "" end })
  end)
end
a.done()
