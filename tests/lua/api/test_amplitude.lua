-- The amplitude rule from Lua: the rule replayed from traces, convergence, order, updates, pools.
local lu = require "luaunit"
local ves = require "vesicle"
local support = require "support"

local learn = ves.release.learn
local w = ves.vector { 0.2, 0.5, 0.3, 0.05, 0.31 }

TestAmplitude = {}

-- With every iteration's q on record, those whose q changed learned: each moved to the amplitude that the rule gives
-- it, the sums taken over the weaker ones that changed. The start keeps clear of resting points, where nothing would
-- move.
local function replay(order)
  local start, rate = ves.vector { 0.4, 0.3, 0.5, 0.6, 0.2 }, 0.05
  local q, trace = learn(w, { rule = "amplitude", rate = rate, order = order, iterations = 60, start = start, trace = 1,
    rng = ves.rng(1):stream("replay") })
  local before, updates = start, 0
  for t = 1, 60 do
    local after, a = trace[t], w / before
    local by = order == "weight" and w or a
    for i = 1, #w do
      if after[i] ~= before[i] then
        local target = w[i]
        for j = 1, #w do
          if by[j] < by[i] and after[j] ~= before[j] then target = target + a[j] end
        end
        lu.assertAlmostEquals(w[i] / after[i], a[i] + rate * (target - a[i]), 1e-13)
        updates = updates + 1
      end
    end
    before = after
  end
  lu.assertTrue(updates > 60)
  lu.assertEquals(q, trace[60])
end

function TestAmplitude.test_replayed() replay("weight") end
function TestAmplitude.test_replayed_by_amplitude() replay("amplitude") end

-- Without a word about rates, the mapping, whatever the algorithm.
function TestAmplitude.test_reaches_the_mapping()
  local exact = ves.release.analytic(w)
  for algorithm = 1, 2 do
    local q = learn(w, { rule = "amplitude", algorithm = algorithm, iterations = 100000, rng = ves.rng(2) })
    lu.assertTrue((q / exact - 1):abs():max() < 0.02)
  end
  lu.assertEquals(ves.release.equilibrium(w, { rule = "amplitude" }), exact)
  lu.assertEquals(ves.release.equilibrium({ 0.5, 0 }, { rule = "amplitude", start = 0.2 }), ves.vector { 1, 0.2 })
end

-- By amplitude an order other than that of weights may come to rest: weights compete as they have learned to.
function TestAmplitude.test_any_order()
  local q = learn(w, { rule = "amplitude", order = "amplitude", iterations = 200000,
    start = ves.vector { 0.05, 1, 1, 0.1, 1 }, rate = 0.5, decay = 20, rng = ves.rng(3) })
  local p = ves.winner.exact(w / q, q)
  lu.assertTrue((p - w / w:sum()):abs():max() < 0.03)
  local a = w / q
  local order = support.order(a:totable())
  local sum = 0
  for r = #w, 1, -1 do
    sum = sum + w[order[r]]
    lu.assertTrue(math.abs(a[order[r]] / sum - 1) < 0.1)
  end
end

-- What theory says of the resting point, and of the distance of releases that are not there.
function TestAmplitude.test_theory()
  local theory = ves.release.amplitude_theory(w, { q = w / w })
  lu.assertTrue((theory.amplitude - w / ves.release.analytic(w)):abs():max() < 1e-15)
  lu.assertAlmostEquals(theory.variance[2], 0.2 * 0.3 + 0.2 * 0.05 + 0.2 * 0.31 + 0.3 * 0.05 + 0.3 * 0.31 + 0.05 * 0.31,
    1e-15)
  local p = ves.winner.exact(w, w / w)
  lu.assertTrue((p - w / w:sum()):abs():sum() / 2 <= theory.distance)
  lu.assertTrue(ves.release.amplitude_theory(w, { algorithm = 1 }).rate > theory.rate)
  lu.assertNil(ves.release.amplitude_theory(w).distance)
end

-- Learning goes on where it stopped: numbers of updates come back and are given again.
function TestAmplitude.test_goes_on()
  local opt = { rule = "amplitude", rate = "average", iterations = 300, start = 0.3, updates = true, trace = 150 }
  opt.rng = ves.rng(4)
  local whole, trace, counted = learn(w, opt)
  lu.assertEquals(whole, trace[2])
  opt.iterations, opt.trace, opt.rng = 150, nil, ves.rng(4)
  local q, updates = learn(w, opt)
  lu.assertEquals(q, trace[1])
  opt.start, opt.updates = q, updates
  q, updates = learn(w, opt)
  lu.assertTrue((q - whole):abs():max() < 1e-12)
  lu.assertEquals(updates, counted)
  lu.assertEquals(updates:max() <= 300, true)
end

-- Only chosen rows, with their counts; a weight of zero keeps its start.
function TestAmplitude.test_active_rows()
  local W = ves.matrix { { 0.2, 0.5, 0 }, { 0.1, 0.7, 0.3 }, { 0.4, 0.3, 0.2 } }
  local opt = { rule = "amplitude", iterations = 40, start = 0.3, updates = true, rng = ves.rng(5), active = { 1, 3 } }
  local Q, U = learn(W, opt)
  lu.assertEquals(Q[1][3], 0.3)
  lu.assertEquals(Q[2], ves.vector(3, 0))
  lu.assertEquals(U[2], ves.vector(3, 0))
  opt.active, opt.rng = nil, ves.rng(5)
  local P, V = learn(W:take { 1, 3 }, opt)
  lu.assertEquals(P[2], Q[3])
  lu.assertEquals(V[2], U[3])
end

-- Pools of one input each are rows.
function TestAmplitude.test_pooled()
  local W = ves.matrix { { 0.2, 0.5, 0.1 }, { 0.1, 0.7, 0.3 } }
  local Q, U = ves.release.learn_pooled(W, { rule = "amplitude", inputs = { { 1, 0 }, { 0, 0.5 } }, iterations = 50000,
    updates = true, rng = ves.rng(6) })
  lu.assertTrue((Q / ves.release.analytic(W) - 1):abs():max() < 0.02)
  lu.assertTrue(U:min() > 1000)
end

-- Weights that change: the same as learning with one row after the other. [eq:amplitude] [eq:learningRule_form]
function TestAmplitude.test_follows()
  local W = ves.rng(1):uniform(12 * 6):reshape(12, 6) + 0.1
  local function runs(v)
    local M = ves.matrix(3, 6)
    for i = 1, 3 do M[i] = v end
    return M
  end
  local start = runs(ves.vector { 0.3, 0.5, 0.2, 0.9, 1, 0.4 })
  for _, o in ipairs { { rule = "amplitude", rate_floor = 0.1 },
                       { rule = "amplitude", rate = 0.2, order = "amplitude" },
                       { rule = "power", psi = 4, rate = 0.2 },
                       { rule = function(g) return g * g end, rate = 0.1 } } do
    local amplitude, rng, same = o.rule == "amplitude", ves.rng(2), ves.rng(2)
    local function with(more)
      for key, value in pairs(o) do more[key] = value end
      return more
    end
    local q, trace = ves.release.follow(W, with { from = W[1] * 2, start = start, runs = 3, iterations = 5, trace = 4,
                                                  rng = rng })
    local a, updates, now = runs(W[1] * 2) / start, ves.matrix(3, 6), start
    for b = 1, 12 do
      local V = runs(W[b])
      local learned, counted = ves.release.learn(V, with { iterations = 5, rng = same,
        start = amplitude and (V / a):clamp(0, 1) or now, updates = amplitude and updates or nil })
      a, updates, now = V / learned, counted, learned
      if b % 4 == 0 then lu.assertEquals(trace:take(ves.range(3 * b // 4 - 2, 3 * b // 4)), now) end
    end
    lu.assertEquals(q, now)
    lu.assertEquals(rng:uniform(), same:uniform())
  end
end

os.exit(lu.LuaUnit.run(), true)
