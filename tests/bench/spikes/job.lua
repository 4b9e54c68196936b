-- job: races by spikes: `N=50 TRIALS=20000 build/vesicle run --trust tests/bench/spikes/job.lua --seed 1`. One input
-- spike, releases by the mapping, noise on the membranes, jitter, full inhibition a while after the first spike.
--
-- Prints `seconds<TAB>value`, for one trial, and what the programs of peer.c must agree on as
-- `check<TAB>name<TAB>value`.

local ves = require "vesicle"
local host = require "vesicle.base.host"

local n, trials = tonumber(os.getenv "N") or 50, tonumber(os.getenv "TRIALS") or 20000
n, trials = math.tointeger(n), math.tointeger(trials)
local y = (ves.range(1, n) - 1) * 6 / (n - 1) - 3
local w = y:map(function(v)
  return 0.6 * math.exp(-(v + 1.2) ^ 2 / (2 * 0.45 ^ 2)) + 0.4 * math.exp(-(v - 1.1) ^ 2 / (2 * 0.7 ^ 2))
end)
w = w:clamp(0.01 * w:max(), w:max())
local q = ves.release.analytic(w)
local rng = ves.rng(host.seed or 1):stream("spikes")

local start = os.clock()
local options = { draws = trials, noise = 1, jitter = 0.02, delay = 0.5, rng = rng }
local index, time, _, fired = ves.spike.sample(w, q, options)
local seconds = os.clock() - start

local there = time:less(1e9):above(0.5)
local place = index:take(there) / n
print(string.format("seconds\t%.9g", seconds / trials))
print(string.format("check\tplace\t%.9g\ncheck\tsquare\t%.9g", place:mean(), (place ^ 2):mean()))
print(string.format("check\ttime\t%.9g\ncheck\tfired\t%.9g", time:take(there):mean(), fired:take(there):mean()))
print(string.format("check\toutputs\t%d", n))
