-- Learning: the update rule replayed from traces, rules written in Lua, convergence, pooling, errors of rules.
local lu = require "luaunit"
local ves = require "vesicle"
local support = require "support"

local fails = function(...) support.fails(lu, ...) end
local learn = ves.release.learn
local w = { 0.2, 0.5, 0.3, 0.05, 0.3 }

TestLearn = {}

local function clip(q, floor, ceiling) return math.min(ceiling, math.max(floor, q)) end

-- With every iteration's q on record, algorithm 2 is replayed: those whose q changed transmitted, and each moved toward
-- (its share of itself and the weaker members)^psi, in descending rank. A member can also stay where it is, at a bound;
-- so the start keeps clear of them.
function TestLearn.test_algorithm_2_replayed()
  local order, start, rate, psi = support.order(w), { 0.4, 0.3, 0.5, 0.6, 0.2 }, 0.05, 3
  local q, trace = learn(w, { algorithm = 2, rule = "power", psi = psi, rate = rate, iterations = 60, start = start,
    floor = 0, ceiling = 1, trace = 1, rng = ves.rng(1):stream("replay") })
  local before, updates = start, 0
  for t = 1, 60 do
    local after, sum = trace[t], 0
    for r = #w, 1, -1 do
      local i = order[r]
      if after[i] ~= before[i] then
        sum = sum + w[i]
        local target = (w[i] / sum) ^ psi
        lu.assertAlmostEquals(after[i], clip(before[i] + rate * (target - before[i]), 0, 1), 1e-15)
        updates = updates + 1
      end
    end
    before = after:totable()
  end
  lu.assertTrue(updates > 60)
  lu.assertEquals(q, trace[60])
end

-- Algorithm 1: at most one synapse changes, toward its share of some subset of which it is the strongest.
function TestLearn.test_algorithm_1_replayed()
  local order, start, rate = support.order(w), { 0.4, 0.3, 0.5, 0.6, 0.2 }, 0.05
  local _, trace = learn(w, { algorithm = 1, rule = "raw", rate = rate, iterations = 60, start = start, floor = 0,
    trace = 1, rng = ves.rng(1):stream("replay") })
  local before, updates = start, 0
  for t = 1, 60 do
    local after, changed = trace[t], {}
    for r = 1, #w do
      if after[order[r]] ~= before[order[r]] then changed[#changed + 1] = r end
    end
    lu.assertTrue(#changed <= 1)
    if #changed == 1 then
      local r, found = changed[1], false
      local i = order[r]
      local target = before[i] + (after[i] - before[i]) / rate
      for mask = 0, (1 << (#w - r)) - 1 do
        local sum = w[i]
        for b = 0, #w - r - 1 do
          if mask >> b & 1 == 1 then sum = sum + w[order[r + 1 + b]] end
        end
        found = found or math.abs(w[i] / sum - target) < 1e-12
      end
      lu.assertTrue(found)
      updates = updates + 1
    end
    before = after:totable()
  end
  lu.assertTrue(updates > 30)
end

-- The built-in rules, written again in Lua: the same q.
local in_lua = {
  raw = function(g) return g end,
  subtract = function(g) return g - 0.35 end,
  rescale = function(g, s) return g * s.size / (s.n - s.rank + 1) end,
  power = function(g) return g ^ 8 end,
  variable = function(g, s) return g ^ ((s.n - s.rank) * s.q + 1) end,
  subset = function(g, s) return g ^ s.size end,
  expected = function(g, s) return g ^ (math.sqrt(s.q) * ((s.n - s.rank) * s.mean_q_weaker + 1)) end,
}

function TestLearn.test_rules_written_in_lua()
  for name, rule in pairs(in_lua) do
    for algorithm = 1, 2 do
      local function run(r)
        return learn(w, { rule = r, algorithm = algorithm, iterations = 400, rate = 0.05, rng = ves.rng(3) })
      end
      local a, b = run(name), run(rule)
      for i = 1, #w do lu.assertAlmostEquals(a[i], b[i], 1e-12) end
    end
  end
  local function over(rule, which)
    return learn(w, { rule = rule, expected_over = which, iterations = 300, rate = 0.05, rng = ves.rng(3) })
  end
  lu.assertAlmostEquals(over("expected", "subset")[2], over(in_lua.expected, "subset")[2], 1e-12)
  lu.assertNotEquals(over("expected", "subset")[2], over("expected", "weaker")[2])
end

--- The memory of a call is kept for the next; a rule that learns itself gets memory of its own.
function TestLearn.test_a_rule_that_learns()
  local function run(other)
    return learn(w, { iterations = 60, rate = 0.05, rng = ves.rng(4), rule = function(g)
      if other then learn(other, { iterations = 3, rng = ves.rng(5) }) end
      return g ^ 2
    end }):totable()
  end
  local alone = run()
  lu.assertEquals(run(w), alone)
  lu.assertEquals(run(ves.vector(5, 1)), alone)
  lu.assertEquals(run(ves.vector(200, 1)), alone)
  lu.assertEquals(run(), alone)
end

function TestLearn.test_what_a_rule_is_told()
  local sorted = support.order(w)
  learn(w, { iterations = 50, rng = ves.rng(1), rule = function(g, s)
    lu.assertEquals(s.n, 5)
    lu.assertEquals(s.weight, w[sorted[s.rank]])
    lu.assertTrue(g > 0 and g <= 1 and s.size >= 1 and s.size <= s.n - s.rank + 1)
    if s.size == 1 then lu.assertEquals(g, 1.0) end
    if s.rank == 5 then lu.assertEquals(s.mean_q_weaker, 0.0) end
    lu.assertTrue(s.q >= 1e-4 and s.q <= 1)
    s.rank, s.extra = nil, {}            -- whatever a rule does to its table, the next call is told the truth
    return g
  end })
end

--- Mean targets come last, after a trace if there is one, whatever the start; of a matrix, row by row.
-- Algorithm 2 starts from the strongest that transmitted, Algorithm 1 ends there. [alg:1] [alg:2]
function TestLearn.test_a_subset_is_updated_in_descending_order()
  local start = ves.vector { 1, 1, 1, 1, 1 }
  for algorithm, expected in ipairs { { 1, 1 }, { 1, 2, 3, 4, 5, 1, 2, 3, 4, 5 } } do
    local ranks = {}
    learn(w, { algorithm = algorithm, iterations = 2, start = start, rng = ves.rng(1), rule = function(_, s)
      ranks[#ranks + 1] = s.rank
      return 1
    end })
    lu.assertEquals(ranks, expected)
  end
end

function TestLearn.test_mean_targets()
  local function options(more)
    local o = { rule = "variable", iterations = 500, rng = ves.rng(9) }
    for k, v in pairs(more or {}) do o[k] = v end
    return o
  end
  local sorted, sums, visits = support.order(w), {}, {}
  for r = 1, #w do sums[r], visits[r] = 0.0, 0 end
  local q = learn(w, options { rule = function(g, s)
    local target = g ^ ((s.n - s.rank) * s.q + 1)
    sums[s.rank], visits[s.rank] = sums[s.rank] + target, visits[s.rank] + 1
    return target
  end })
  local again, targets = learn(w, options { targets = true })
  for r = 1, #w do
    lu.assertAlmostEquals(again[sorted[r]], q[sorted[r]], 1e-12)
    lu.assertAlmostEquals(targets[sorted[r]], sums[r] / visits[r], 1e-12)
  end
  local traced, trace, last = learn(w, options { targets = true, trace = 100, start = { mean = 0.3, sd = 0.1 } })
  lu.assertEquals(#trace, 5)
  lu.assertTrue(traced == again and last == targets)
  local rows, traces, of_rows = learn({ w, w }, options { targets = true, trace = 100 })
  lu.assertEquals(#traces, 2)
  lu.assertTrue(rows[1] == again and of_rows[1] == targets and of_rows[2] ~= targets)
  local _, plain = learn({ w, w }, options { targets = true })
  lu.assertTrue(plain == of_rows)
end

function TestLearn.test_convergence_to_the_equilibrium()
  for rule in pairs(in_lua) do
    local q = ves.vector(#w)
    local runs = 20
    for i = 1, runs do
      q = q + learn(w, { rule = rule, iterations = 20000, rate = 0.1, decay = 100, rng = ves.rng(5):stream(rule, i) })
    end
    local expected = ves.release.equilibrium(w, { rule = rule })
    for i = 1, #w do lu.assertAlmostEquals(q[i] / runs, expected[i], 0.02) end
  end
end

function TestLearn.test_start()
  local function start(options)
    options.iterations, options.rate, options.rng = 1, 1e-300, ves.rng(7)
    return learn(options.w or w, (function() options.w = nil; return options end)())
  end
  lu.assertEquals(start { start = 0.25 }:totable(), { 0.25, 0.25, 0.25, 0.25, 0.25 })
  lu.assertEquals(start { start = { 0.1, 0.2, 0.3, 0.4, 0 } }:totable(), { 0.1, 0.2, 0.3, 0.4, 1e-4 })
  lu.assertEquals(start { start = 0.9, ceiling = 0.5 }:totable(), { 0.5, 0.5, 0.5, 0.5, 0.5 })
  local v = start { w = ves.vector(20000, 1), start = { mean = 0.5, sd = 0.05 } }
  lu.assertTrue(math.abs(v:mean() - 0.5) * math.sqrt(20000) / 0.05 < 4.9)
  lu.assertAlmostEquals(v:sd(), 0.05, 0.0015)
  local default = start { w = ves.vector(20000, 1) }
  lu.assertAlmostEquals(default:mean(), 0.3, 0.005)
  lu.assertAlmostEquals(default:sd(), 0.1, 0.005)
  lu.assertTrue(start { w = ves.vector(20000, 1), start = { mean = 0, sd = 1 } }:min() == 1e-4)
end

function TestLearn.test_corners()
  local options = { iterations = 2000, rate = 0.1, rng = ves.rng(1) }
  lu.assertTrue(learn({ 2.5 }, options)[1] > 0.99)
  local zeros = learn({ 0, 0 }, { iterations = 100, start = 0.25, rng = ves.rng(1) })
  lu.assertEquals(zeros:totable(), { 0.25, 0.25 })
  local large = learn(ves.vector(10000, 1), { iterations = 3, rng = ves.rng(1) })
  lu.assertEquals(#large, 10000)
  local bounded = learn(w, { iterations = 2000, rate = 0.5, floor = 0.2, ceiling = 0.4, rng = ves.rng(1) })
  lu.assertTrue(bounded:min() >= 0.2 and bounded:max() <= 0.4)
end

function TestLearn.test_rows_are_independent_of_each_other_and_of_the_layout()
  local W = { w, { 1, 2, 3, 4, 5 }, w }
  local Q = learn(W, { iterations = 200, rng = ves.rng(1) })
  lu.assertEquals(Q[1], learn(w, { iterations = 200, rng = ves.rng(1) }))
  lu.assertNotEquals(Q[1], Q[3])
  local even = learn(W, { iterations = 200, start = 0.3, rng = ves.rng(1) })
  lu.assertNotEquals(even[1], even[3])   -- the masks differ
  local still = learn(W, { iterations = 1, rate = 1e-300, rng = ves.rng(1) })
  lu.assertNotEquals(still[1], still[3]) -- and so do the starts
  local _, traces = learn(W, { iterations = 200, trace = 50, rng = ves.rng(1) })
  lu.assertEquals({ #traces, traces[2].rows, traces[2].cols }, { 3, 4, 5 })
  lu.assertEquals(traces[3][4], Q[3])
end

function TestLearn.test_the_stream_moves_on_by_the_iterations()
  local rng = ves.rng(1)
  local q = learn(w, { iterations = 100, rng = rng })
  lu.assertEquals(rng.cursor, 100)
  lu.assertNotEquals(learn(w, { iterations = 100, rng = rng }), q)
  rng:seek(0)
  lu.assertEquals(learn(w, { iterations = 100, rng = rng }), q)
  -- two halves with the first half's result as start are the whole, at a constant rate
  rng:seek(0)
  local half = learn(w, { iterations = 50, rng = rng })
  lu.assertEquals(learn(w, { iterations = 50, start = half, rng = rng }), q)
end

function TestLearn.test_trace_rows()
  local q, trace = learn(w, { iterations = 100, trace = 30, rng = ves.rng(1) })
  lu.assertEquals({ trace.rows, trace.cols }, { 3, 5 })
  lu.assertEquals(trace[3], learn(w, { iterations = 90, rng = ves.rng(1) }))
  lu.assertEquals(q, learn(w, { iterations = 100, rng = ves.rng(1) }))
  lu.assertEquals(select("#", learn(w, { iterations = 10, rng = ves.rng(1) })), 1)
end

function TestLearn.test_decay()
  local q = learn({ 1 }, { iterations = 3, rate = 0.5, decay = 2, start = 1, rule = function() return 0 end, floor = 0,
    rng = ves.rng(1) })
  -- q = 1 always transmits first; whether it does later is chance, so the first update alone is certain
  lu.assertTrue(q[1] == 0.5 or q[1] == 0.5 * (1 - 0.5 / 1.5) or q[1] == 0.5 * (1 - 0.5 / 2) or
    math.abs(q[1] - 0.5 * (1 - 0.5 / 1.5) * (1 - 0.5 / 2)) < 1e-15)
end

function TestLearn.test_rules_that_fail()
  local rng = ves.rng(1)
  local function with(rule) return function() learn(w, { rule = rule, rng = rng }) end end
  fails("ves.release.learn: the rule failed: ", with(function() error("boom") end))
  fails("boom", with(function() error("boom") end))
  fails("it returned nil: expected a finite number", with(function() end))
  fails("it returned nan: expected a finite number", with(function() return 0 / 0 end))
  fails("it returned '1': expected a finite number", with(function() return "1" end))
  fails("yield", with(function() coroutine.yield(1) end))
  local ok, message = coroutine.resume(coroutine.create(with(function() coroutine.yield(1) end)))
  lu.assertFalse(ok)
  lu.assertStrContains(message, "attempt to yield across a C-call boundary")
  local object = setmetatable({}, { __tostring = function() return "my error" end })
  local raised, value = pcall(with(function() error(object) end))
  lu.assertFalse(raised)
  lu.assertTrue(rawequal(value, object))
  -- recursion of rules ends in an error, not in a crash
  local function deep() return learn({ 1 }, { rule = deep, iterations = 1, start = 1, rng = rng })[1] end
  fails("C stack overflow", deep)
  -- a rule cannot change the weights that are being learned from
  local v = ves.vector(w)
  lu.assertEquals(learn(v, { iterations = 100, rng = ves.rng(1), rule = function(g) v[1] = 1e9; return g end }),
    learn(w, { iterations = 100, rng = ves.rng(1), rule = "raw" }))
end

-- Chosen rows learn what a matrix of these rows alone would; the others are 0.
function TestLearn.test_active_rows()
  local W, rows = ves.rng(3):uniform(8 * 5):reshape(8, 5), { 2, 3, 7 }
  local start = ves.rng(4):uniform(8 * 5):reshape(8, 5)
  local function spread(part)
    local whole = ves.matrix(8, 5)
    for k, i in ipairs(rows) do whole[i] = part[k] end
    return whole
  end
  for _, options in ipairs { {}, { start = 0.2 }, { start = start, rule = "raw" }, { rule = in_lua.variable } } do
    options.iterations, options.targets, options.trace = 50, true, 25
    options.rng = ves.rng(1):stream("part")
    local whole_start = options.start
    if options.start == start then options.start = start:take(rows) end
    local q, trace, target = learn(W:take(rows), options)
    options.rng, options.start, options.active = ves.rng(1):stream("part"), whole_start, rows
    local Q, traces, targets = learn(W, options)
    lu.assertEquals(Q, spread(q))
    lu.assertEquals(targets, spread(target))
    lu.assertEquals(traces, trace)
    options.trace, options.targets, options.rng = nil, nil, ves.rng(1):stream("part")
    lu.assertEquals(learn(W, options), Q) -- rows side by side
  end
  local every = { iterations = 50, rng = ves.rng(1), active = { 1, 2, 3, 4, 5, 6, 7, 8 } }
  lu.assertEquals(learn(W, every), learn(W, { iterations = 50, rng = ves.rng(1) }))
  lu.assertEquals(ves.release.equilibrium(W, { active = rows }), spread(ves.release.equilibrium(W:take(rows))))
end

TestPooledLearning = {}

function TestPooledLearning.test_one_input_is_learning_on_its_vector()
  -- one presentation, one active input with activity 1: the pool is the row
  local Q = ves.release.learn_pooled({ w }, { inputs = { { 1 } }, iterations = 300, rng = ves.rng(1) })
  lu.assertEquals(Q[1], learn(w, { iterations = 300, rng = ves.rng(1) }))
end

function TestPooledLearning.test_a_pool_is_learning_on_the_flattened_vector()
  local W, x = { { 0.6, 0.4 }, { 0.1, 0.9 } }, { 1, 0.5 }
  local options = { iterations = 500, rate = 0.05, psi = 3, start = 0.3 }
  options.rng = ves.rng(1)
  local flat = learn({ 0.6, 0.4, 0.05, 0.45 }, options)
  options.rng, options.inputs = ves.rng(1), { x }
  lu.assertEquals(ves.release.learn_pooled(W, options):flatten(), flat)
end

function TestPooledLearning.test_presentations_take_turns()
  local code = ves.code { n = 8, lo = -1, hi = 1, sigma = 0.1 }
  local net = ves.network { input = code, output = code, rng = ves.rng(1) }
  net:observe({ -0.5, 0, 0.5 }, { 0.2, -0.4, 0.9 })
  local W, rng = net:weights(), ves.rng(4)
  local inputs = { -0.5, 0.5 }
  local Q = ves.release.learn_pooled(W, { inputs = inputs, code = code, iterations = 40, start = 0.25, rng = rng })
  lu.assertEquals(rng.cursor, 80)
  lu.assertEquals(Q, ves.release.learn_pooled(W,
    { inputs = code:encode(inputs), iterations = 40, start = 0.25, rng = ves.rng(4) }))
  for i = 1, 8 do
    local shown = code:encode(-0.5)[i] > 1e-3 or code:encode(0.5)[i] > 1e-3
    if not shown then lu.assertEquals(Q[i], ves.vector(8, 0.25)) end
    if shown then lu.assertNotEquals(Q[i], ves.vector(8, 0.25)) end
  end
  fails("key 'inputs'[2] activates no input above 0.001", ves.release.learn_pooled, W,
    { inputs = { 0, 99 }, code = code, rng = rng })
  fails("the rule failed: it returned nil", ves.release.learn_pooled, W,
    { inputs = { 0 }, code = code, rng = rng, rule = function() end })
end

os.exit(lu.LuaUnit.run(), true)
