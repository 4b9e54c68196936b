-- The model in time from Lua.
local lu = require "luaunit"
local ves = require "vesicle"

local w = ves.rng(18):stream("weights"):uniform(40)
local q = ves.release.analytic(w)
local function stream(...) return ves.rng(18):stream(...) end

TestSpike = {}

-- Without noise and jitter the first to fire is the winner of ves.sample, draw by draw, whatever the inhibition; with
-- full inhibition at once it fires alone. [eq:spike-order]
function TestSpike.test_first_is_the_winner()
  local winners = ves.sample(w, q, { draws = 3000, rng = stream("draws") })
  for _, pool in ipairs { {}, { delay = 2 }, { delay = 1, strength = 12, decay = 3 }, { strength = 0 } } do
    pool.draws, pool.rng = 3000, stream("draws")
    local index, time, spikes, fired, counts = ves.spike.sample(w, q, pool)
    lu.assertEquals(index, winners)
    lu.assertTrue(time:min() > 0 and time:max() < 100)
    lu.assertEquals(counts:sum(), spikes:sum())
    lu.assertTrue((spikes - fired):min() >= 0)
    if not pool.delay and not pool.strength then
      lu.assertEquals(spikes:max(), 1)
      lu.assertEquals(counts, (winners:counts(40)))
    else
      lu.assertTrue(fired:max() > 1)
    end
  end
end

-- Several inputs at once: the strongest sum, as in ves.draw; an empty draw has no time.
function TestSpike.test_several_inputs()
  local W = ves.matrix { { 0.6, 0.3, 0.1 }, { 0.1, 0.3, 0.6 }, { 1, 1, 1 } }
  local Q, x = ves.release.analytic(W) * 0.5, { 1, 0.5, 0 }
  local index, time = ves.spike.sample(W, Q, { x = x, draws = 200, rng = stream("several") })
  local empty = 0
  for d = 1, 200 do
    local draw = ves.draw(W, Q, { x = x, rng = stream("several"), draw = d })
    lu.assertEquals(index[d], draw.winner)
    if draw.winner == 0 then
      empty = empty + 1
      lu.assertEquals(time[d], math.huge)
    end
  end
  lu.assertTrue(empty > 5)
end

-- The stream moves on by the draws; chunks of draws are the same draws.
function TestSpike.test_chunks()
  local options = { delay = 1, strength = 20, noise = 1, jitter = 0.2, sites = 2 }
  local function sample(rng, draws)
    options.rng, options.draws = rng, draws
    return select(2, ves.spike.sample(w, q, options))
  end
  local rng = stream("chunks")
  local all, first, rest = sample(stream("chunks"), 50), sample(rng, 20), sample(rng, 30)
  lu.assertEquals(all:slice(1, 20), first)
  lu.assertEquals(all:slice(21, 50), rest)
end

-- A potential at its latency is at threshold; stronger is sooner; what never gets there never fires.
-- [eq:spike-crossing]
function TestSpike.test_latency()
  local peaks = ves.vector { 10.5, 12, 20, 50, 400 }
  local t = ves.spike.latency(peaks)
  lu.assertTrue((ves.spike.potential(t) * peaks - 10):abs():max() < 1e-9)
  for i = 2, #t do lu.assertTrue(t[i] < t[i - 1]) end
  lu.assertEquals(ves.spike.latency(9.9), math.huge)
  lu.assertEquals(ves.spike.potential(0), 0)
  lu.assertAlmostEquals(ves.spike.latency(20, { threshold = 5, synapse = 2 }),
    ves.spike.latency(40, { synapse = 2 }), 1e-12)
end

-- Trains: with full inhibition every input spike far enough from the last is a draw of its own; the raster has what the
-- counts have.
function TestSpike.test_trains()
  local times = (ves.range(1, 50) - 1) * 20
  local counts, raster = ves.spike.rates(w, q, { times = times, window = 1000, draws = 4, rng = stream("train") })
  lu.assertEquals({ #counts, #counts[1] }, { 4, 40 })
  lu.assertEquals(#raster.time, 50)
  lu.assertEquals(counts[1], (raster.output:counts(40)))
  for d = 1, 4 do lu.assertEquals(counts[d]:sum(), 50) end
  lu.assertEquals(raster.output[1], ves.sample(w, q, { draws = 1, rng = stream("train") })[1])
  lu.assertNotEquals(counts[1], counts[2])
  -- Finite inhibition leaves something of one input spike to the next.
  local more, spikes = ves.spike.rates(w, q, { times = times, window = 1000, delay = 1, strength = 10,
    rng = stream("train") })
  lu.assertTrue(more:sum() > 50)
  for i = 2, #spikes.time do lu.assertTrue(spikes.time[i] >= spikes.time[i - 1]) end
end

-- Learning by spikes, everything heard, is the amplitude rule with competition by amplitude; what is not heard is
-- missing from the amplitudes, so that releases are too high. [eq:spike-learn]
function TestSpike.test_learning()
  for algorithm = 1, 2 do
    local o = { algorithm = algorithm, iterations = 3000, start = 0.4, delay = 40, rng = stream("learn") }
    local learned, index = ves.spike.learn_in_time(w, o)
    local expected = ves.release.learn(w, { rule = "amplitude", order = "amplitude", algorithm = algorithm,
      iterations = 3000, start = 0.4, rng = stream("learn") })
    lu.assertTrue((learned - expected):abs():max() < 1e-9)
    lu.assertEquals(#index, 3000)
    o.delay, o.rng = 0.05, stream("learn")
    local deaf = ves.spike.learn_in_time(w, o)
    lu.assertTrue(deaf:mean() > 1.2 * learned:mean())
  end
end

os.exit(lu.LuaUnit.run(), true)
