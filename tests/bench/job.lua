-- The reference job, written as a user of vesicle writes it: one replicate of the first network simulation.
--
-- Many times in one process, for about as long as the other programs take for their three rounds. Prints
-- `phase<TAB>seconds` for each phase of each round, then `check<TAB>name<TAB>value` for what must agree with the other
-- programs.

local ves = require "vesicle"

local rounds = tonumber(os.getenv("ROUNDS")) or 30
local seed = require("vesicle.base.host").seed or 1
local xs = { -4, -2, 0, 2, 4 }

local last
local function timed(name)
  io.write(string.format("%s\t%.9f\n", name, os.clock() - last))
  last = os.clock()
end

local function job(rng)
  last = os.clock()
  local x = {}
  for i = 1, 4000 do x[i] = xs[(i - 1) // 800 + 1] end
  x = ves.vector(x)
  local y = (0.2 + 0.2 * (x + 4)) * rng:stream("data"):normal(0, 1, #x)
  timed "data"

  local code = ves.code { n = 100, lo = -6, hi = 6, sigma = 0.05 }
  local net = ves.network { input = code, output = code, rng = rng:stream("priors"),
                            prior_a = { 0.025, 0.026 }, prior_b = { 0.100, 0.101 }, rate = 1 }
  net:observe(x, y)
  local W = net:weights()
  timed "evidence"

  local Q = ves.release.analytic(W)
  timed "mapping"

  local L = ves.release.learn(W, { rule = "power", psi = 8, rate = 0.01, iterations = 5000,
                                   rng = rng:stream("learn") })
  timed "learning"

  local sd = {}
  for i, release in ipairs { Q, L } do
    for _, value in ipairs(xs) do
      local own = rng:stream("sample", i, value)
      sd[#sd + 1] = net:sample { x = value, release = release, draws = 1000, rng = own }:sd()
    end
  end
  timed "sampling"
  return net.A:sum(), Q:sum() / 1e4, L:sum() / 1e4, sd
end

local rng, evidence, analytic, learned, sd = ves.rng(seed)
for round = 1, rounds do
  evidence, analytic, learned, sd = job(rng:stream("job", round))
  collectgarbage()
end
io.write(string.format("check\tevidence\t%.17g\n", evidence))
io.write(string.format("check\tanalytic\t%.17g\ncheck\tlearned\t%.17g\n", analytic, learned))
for i, value in ipairs(sd) do io.write(string.format("check\tsd%d\t%.17g\n", i, value)) end
