-- The reference job, written as a user of vesicle writes it: one replicate of the first network simulation.
--
-- Again and again for BENCH_SECONDS of processor time (a second unless told), at least twice. Prints
-- `phase<TAB>seconds` for each phase of each round, then `check<TAB>name<TAB>value` for what must agree with the other
-- programs.

local ves = require "vesicle"

local seconds = tonumber(os.getenv("BENCH_SECONDS")) or 1
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

  local R = ves.release.learn(W, { rule = "amplitude", rate = "average", iterations = 5000,
                                   rng = rng:stream("amplitude") })
  timed "amplitude"
  return net.A:sum(), W, Q, L, R, sd
end

local rng, start, round = ves.rng(seed), os.clock(), 0
local evidence, W, Q, L, R, sd
while round < 2 or os.clock() - start < seconds do
  round = round + 1
  evidence, W, Q, L, R, sd = job(rng:stream("job", round))
  collectgarbage()
end
local strongest = 0
for i = 1, 100 do strongest = strongest + L[i][W:row(i):argmax()] / 100 end
io.write(string.format("check\tevidence\t%.17g\ncheck\tanalytic\t%.17g\n", evidence, Q:sum() / 1e4))
io.write(string.format("check\tlearned\t%.17g\ncheck\tstrongest\t%.17g\n", L:sum() / 1e4, strongest))
io.write(string.format("check\tamplitude\t%.17g\n", R:sum() / 1e4))
for i, value in ipairs(sd) do io.write(string.format("check\tsd%d\t%.17g\n", i, value)) end
