-- scaling: how the cost of each primitive grows: `build/vesicle run --trust tests/bench/scaling.lua --out DIR`.
--
-- Every row of the table is one primitive at one size: seconds per operation, the minimum over repeats, with as many
-- operations per repeat as make it long enough to time. Rows are streamed in chunks: 4e7 of them need no memory.

local ves = require "vesicle"
local host = require "vesicle.base.host"

local rng = ves.rng(host.seed or 1):stream("scaling")
local rows = {}

--- Seconds per call of f: the minimum over `repeats` timings, each of at least `enough` seconds.
local function cost(f, repeats, enough)
  local best, calls = math.huge, 1
  for _ = 1, repeats or 3 do
    local start = os.clock()
    for _ = 1, calls do f() end
    local spent = os.clock() - start
    while spent < (enough or 0.02) do
      calls = 2 * calls
      start = os.clock()
      for _ = 1, calls do f() end
      spent = os.clock() - start
    end
    best = math.min(best, spent / calls)
  end
  return best
end

local function record(what, variable, value, seconds)
  rows[#rows + 1] = { what, variable, value, seconds }
  print(string.format("%-22s %-12s %12g %14.4g s", what, variable, value, seconds))
end

-- A small network whose inputs all have the same weights: rows learn side by side.
local inputs = 8
local function rows_of(v)
  local m = ves.matrix(inputs, #v)
  for i = 1, inputs do m[i] = v end
  return m
end

-- Outputs: the mapping, one draw of one input, one iteration of Algorithm 2.
for _, n in ipairs { 100, 1000, 10000 } do
  local w = rng:stream("weights", n):uniform(n)
  local q = ves.release.analytic(w)
  record("mapping", "outputs", n, cost(function() ves.release.analytic(w) end))
  local r = rng:stream("draw", n)
  record("draw", "outputs", n, cost(function() ves.sample(w, q, { draws = 1000, rng = r }) end) / 1000)
  record("learning iteration", "outputs", n, cost(function()
    ves.release.learn(rows_of(w), { iterations = 1000, start = rows_of(q), rng = r })
  end) / 1000 / inputs)
end

-- Rows: evidence streamed in chunks.
local code = ves.code { n = 100, lo = -6, hi = 6, sigma = 0.05 }
local function fresh()
  return ves.network { input = code, output = code, rng = rng:stream("priors"), prior_a = { 0.025, 0.026 },
                       prior_b = { 0.1, 0.101 }, rate = 1 }
end
local chunk = 4000
local x, y = rng:stream("x"):normal(0, 2, chunk), rng:stream("y"):normal(0, 1, chunk)
for _, total in ipairs { 4e3, 4e4, 4e5, 4e6, 4e7 } do
  local net, start = fresh(), os.clock()
  for _ = 1, total // chunk do net:observe(x, y) end
  record("evidence", "rows", total, os.clock() - start)
end

-- Active inputs: one draw when k inputs of equal activity are on.
local net = fresh()
net:observe(x, y)
local Q = ves.release.analytic(net:weights())
for _, k in ipairs { 1, 2, 4, 8, 16 } do
  local activity = ves.vector(100, 0)
  for i = 1, k do activity[40 + i] = 1 end
  local r = rng:stream("active", k)
  record("draw", "active inputs", k, cost(function()
    net:sample { x = activity, release = Q, draws = 1000, rng = r }
  end) / 1000)
end

-- The random-number limit: an iteration in which nothing can transmit still draws its whole mask.
local limit = rng:stream("limit")
local w = rng:stream("weights", 100):uniform(100)
record("mask alone", "outputs", 100, cost(function()
  ves.release.learn(rows_of(w), { iterations = 10000, start = 0, floor = 0, rng = limit })
end) / 10000 / inputs)

local path = (host.out or ".") .. "/scaling.tsv"
local file = assert(io.open(path, "w"))
file:write("# seconds per operation, minimum over repeats\nwhat\tvariable\tvalue\tseconds\n")
for _, row in ipairs(rows) do file:write(string.format("%s\t%s\t%.9g\t%.9g\n", table.unpack(row))) end
file:close()
print("written to " .. path)
