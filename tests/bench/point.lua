-- point: one point of `make bench-growth`: `POINT='draw outputs 1000' vesicle run --trust tests/bench/point.lua`.
--
-- Prints seconds of the processor for one operation (the least of three timings, each long enough to be one), the
-- units of work in it, and the peak memory of the process in kB.

local ves = require "vesicle"

local what, variable, size = os.getenv("POINT"):match("^(%S+) (%S+) (%d+)$")
local n = tonumber(size)
local rng = ves.rng(1):stream("growth", what, n)

local function peak()
  local status <close> = assert(io.open("/proc/self/status"))
  return tonumber(status:read("a"):match("VmHWM:%s*(%d+)"))
end

--- Seconds per call of f.
local function cost(f)
  local best, calls = math.huge, 1
  for _ = 1, 3 do
    local start = os.clock()
    for _ = 1, calls do f() end
    local spent = os.clock() - start
    while spent < 0.03 do
      calls = 2 * calls
      start = os.clock()
      for _ = 1, calls do f() end
      spent = os.clock() - start
    end
    best = math.min(best, spent / calls)
  end
  return best
end

-- ---- one input, n outputs ----

local function weights() return rng:stream("weights"):uniform(n) end

-- Making ready (sorting, for the most part) is part of a call, which makes so many draws.
local many = 1000

-- Rows that learn side by side, all with the same weights, from where the mapping puts them.
local beside = 8
local function rows_of(v)
  local m = ves.matrix(beside, #v)
  for i = 1, beside do m[i] = v end
  return m
end

local function learning(options)
  local w = weights()
  local W, start, iterations = rows_of(w), rows_of(ves.release.analytic(w)), math.max(1000, 500000 // n)
  options.iterations, options.start, options.rng = iterations, start, rng:stream("learn")
  return function() ves.release.learn(W, options) end, iterations * beside, n
end

local function code(m, lo, hi, sigma) return ves.code { n = m, lo = lo, hi = hi, sigma = sigma } end

--- A network that has seen rows of a line with noise.
local function network(input, output, rows)
  local net = ves.network { input = input, output = output, rng = rng:stream("priors"), prior_a = { 0.025, 0.026 },
                            prior_b = { 0.1, 0.101 }, rate = 1 }
  local x = rng:stream("x"):uniform(rows) * 8 - 4
  net:observe(x, x + rng:stream("y"):normal(0, 1, rows))
  return net
end

--- Draws from an input at 0.5, with options that depend on the network.
local function sampling(draws, options)
  local net = network(code(10, -6, 6, 0.5), code(n, -6, 6, 0.05), 100)
  local o = options(net)
  o.x, o.draws, o.rng = 0.5, draws, rng:stream("sample")
  return function() net:sample(o) end, draws, n
end

local of_outputs = {
  mapping = function()
    local w = weights()
    return function() ves.release.analytic(w) end, 1, n
  end,
  draw = function()
    local w, draws = weights(), many
    local q, r = ves.release.analytic(w), rng:stream("draw")
    return function() ves.sample(w, q, { draws = draws, rng = r }) end, draws, n
  end,
  learning = function() return learning { rule = "power", psi = 8, rate = 0.01 } end,
  amplitude = function() return learning { rule = "amplitude", rate = "average" } end,
  sites = function()
    return sampling(many // 10, function(net)
      local phi = ves.release.epistemic(net.A, net.B, "exact", { sites = 8 })
      return { release = phi, rescale = phi, sites = 8, normaliser = "none" }
    end)
  end,
  stages = function()
    return sampling(many, function(net) return { release = ves.release.analytic(net:weights()), stages = 2 } end)
  end,
  chain = function()
    local lower = network(code(10, -6, 6, 0.5), code(100, -6, 6, 0.05), 100)
    local upper = network(code(100, -6, 6, 0.05), code(n, -6, 6, 0.05), 100)
    local chain, draws, r = ves.chain { lower, upper }, many, rng:stream("chain")
    return function() chain:sample { x = 0.5, draws = draws, rng = r } end, draws, n
  end,
  spikes = function()
    local w, draws = weights(), many
    local q, r = ves.release.analytic(w), rng:stream("spikes")
    return function() ves.spike.sample(w, q, { draws = draws, rng = r }) end, draws, n
  end,
}

-- ---- inputs that are active at once ----

local of_inputs = {
  draw = function()
    local one, activity, r = code(100, -6, 6, 0.05), ves.vector(100, 0), rng:stream("draw")
    local net = network(one, one, 4000)
    local Q, draws = ves.release.analytic(net:weights()), many
    for i = 1, n do activity[18 + i] = 1 end
    return function() net:sample { x = activity, release = Q, draws = draws, rng = r } end, draws, n
  end,
  -- Curves as wide as makes n of them active, of inputs and of outputs.
  observe = function()
    local step = 12 / 127
    local one = code(128, -6, 6, n * step / 17)
    local net, rows = network(one, one, 1), 1000
    local x, y = rng:stream("at"):normal(0, 0.2, rows), rng:stream("to"):normal(0, 0.2, rows)
    return function() net:observe(x, y) end, rows, n * n
  end,
}

-- ---- rows ----

local of_rows = {
  observe = function()
    local one, chunk = code(100, -6, 6, 0.05), 1000
    local net = network(one, one, 1)
    local x, y = rng:stream("at"):normal(0, 2, chunk), rng:stream("to"):normal(0, 1, chunk)
    return function() for _ = 1, n // chunk do net:observe(x, y) end end, 1, n
  end,
}

local kinds = { outputs = of_outputs, inputs = of_inputs, rows = of_rows }
local operation, operations, units = kinds[variable][what]()
print(string.format("%.9g\t%d\t%d", cost(operation) / operations, units, peak()))
