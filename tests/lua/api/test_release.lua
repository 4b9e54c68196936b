-- Release probabilities in closed form, and where learning settles.
local lu = require "luaunit"
local ves = require "vesicle"
local support = require "support"

local fails = function(...) support.fails(lu, ...) end

local function assert_close(actual, expected, margin)
  lu.assertEquals(#actual, #expected)
  for i = 1, #expected do lu.assertAlmostEquals(actual[i], expected[i], margin) end
end

TestAnalytic = {}

function TestAnalytic.test_by_hand()
  assert_close(ves.release.analytic { 0.5, 0.3, 0.2 }, { 0.5, 0.6, 1 }, 1e-15)
  assert_close(ves.release.analytic { 2, 5, 3 }, { 1, 0.5, 0.6 }, 1e-15)
end

function TestAnalytic.test_the_winner_has_the_encoded_distribution()
  local rng = ves.rng(1)
  for _, n in ipairs { 1, 2, 3, 10, 100, 2000 } do
    local w = -rng:uniform(n):log()
    local q = ves.release.analytic(w)
    assert_close(q, support.analytic(w), 1e-14)
    local p, nothing = support.winner(w, q)
    local sum = w:sum()
    for i = 1, n do lu.assertAlmostEquals(p[i], w[i] / sum, 1e-14) end
    lu.assertEquals(nothing, 0.0)
  end
end

function TestAnalytic.test_defined_corners()
  lu.assertEquals(ves.release.analytic { 3.7 }:totable(), { 1.0 })
  lu.assertEquals(ves.release.analytic { 0, 0, 0 }:totable(), { 0.0, 0.0, 0.0 })
  lu.assertEquals(ves.release.analytic { 0 }:totable(), { 0.0 })
  lu.assertEquals(ves.release.analytic { 0, 2 }:totable(), { 0.0, 1.0 })
  assert_close(ves.release.analytic { 1, 1, 1, 1 }, { 1 / 4, 1 / 3, 1 / 2, 1 }, 1e-15) -- ties: lower index first
  local q = ves.release.analytic(ves.vector(10000, 2.5))
  for _, i in ipairs { 1, 2, 5000, 9999, 10000 } do lu.assertAlmostEquals(q[i], 1 / (10001 - i), 1e-16) end
  lu.assertEquals(ves.release.analytic { 1e200, 1e-300 }[2], 1.0)
end

function TestAnalytic.test_rows_of_a_matrix()
  local W = { { 1, 2, 3 }, { 0.5, 0.1, 0 } }
  local Q = ves.release.analytic(W)
  lu.assertEquals(Q[1], ves.release.analytic(W[1]))
  lu.assertEquals(Q[2], ves.release.analytic(W[2]))
end

TestEpistemic = {}

function TestEpistemic.test_the_exact_root_solves_the_variance_equation()
  for a10 = -3, 9 do
    for b10 = -3, 9 do
      local A, B = 2.385 * 10.0 ^ a10, 1.1 * 10.0 ^ b10
      local phi, rest = ves.release.epistemic(A, B)
      local C = A * (A + B + 1)
      lu.assertAlmostEquals(C * rest / (B * phi), 1, 1e-12)
      lu.assertAlmostEquals(phi + rest, 1, 1e-15)
      -- (w/phi)^2 phi (1-phi) = var Beta(A, B)
      local w, n = A / (A + B), A + B
      local variance = A / n * (B / n) / (n + 1)
      lu.assertAlmostEquals(w * w * rest / phi / variance, 1, 1e-12)
    end
  end
end

function TestEpistemic.test_the_printed_root_solves_the_printed_equation()
  for a10 = -3, 9 do
    for b10 = -3, 9 do
      local A, B = 2.385 * 10.0 ^ a10, 1.1 * 10.0 ^ b10
      local phi, rest = ves.release.epistemic(A, B, "printed")
      lu.assertAlmostEquals(A * (A + B + 1) * rest / (B * phi * phi), 1, 1e-12)
    end
  end
  -- the remark for A = B: close to 1 - 1/(A+B+3) for the printed root, exactly 1 - 1/(A+B+2) for the exact one
  lu.assertAlmostEquals(ves.release.epistemic(5, 5, "printed"), 1 - 1 / 13, 1e-3)
  lu.assertAlmostEquals(ves.release.epistemic(5, 5), 1 - 1 / 12, 1e-15)
end

function TestEpistemic.test_shapes()
  lu.assertEquals({ ves.release.epistemic(2, 0) }, { 1.0, 0.0 })
  local phi, rest = ves.release.epistemic({ 1, 2 }, { 3, 4 }, "exact")
  lu.assertEquals({ phi[2], rest[2] }, { ves.release.epistemic(2, 4) })
  local P = ves.release.epistemic({ { 1, 2 } }, { { 3, 4 } })
  lu.assertEquals({ P.rows, P.cols, P[1][2] }, { 1, 2, phi[2] })
end

TestCombine = {}

function TestCombine.test_product()
  assert_close(ves.release.combine({ 0.5, 0.9 }, { 0.2, 1 }), { 0.1, 0.9 }, 1e-16)
  lu.assertEquals(ves.release.combine({ { 0.5 } }, { { 0.5 } })[1][1], 0.25)
end

TestNormalise = {}

function TestNormalise.test_divisors()
  local Q, x = { { 0.5, 1 }, { 0.25, 0.75 }, { 1, 1 } }, { 0.9, 0.6, 1e-4 }
  local divisors = {
    none = 1, sum = 1.5, count = 2, participation = 1.5 ^ 2 / (0.9 ^ 2 + 0.6 ^ 2),
  }
  for kind, divisor in pairs(divisors) do
    local R = ves.release.normalise(Q, x, kind)
    for i = 1, 3 do
      for j = 1, 2 do lu.assertAlmostEquals(R[i][j], Q[i][j] / divisor, 1e-15) end
    end
  end
  lu.assertEquals(ves.release.normalise(Q, x), ves.release.normalise(Q, x, "participation"))
  lu.assertEquals(ves.release.normalise(Q, { 0.2, 0.1, 0 }, "sum"), ves.matrix(Q)) -- never below 1
  lu.assertAlmostEquals(ves.release.normalise(Q, x, "count", { active = 0 })[1][2], 1 / 3, 1e-15)
  lu.assertEquals(ves.release.normalise(Q, x, "count", { active = 0.7 }), ves.matrix(Q))
  assert_close(ves.release.normalise({ 0.5, 1 }, { 1, 1, 1 }, "count"), { 0.5 / 3, 1 / 3 }, 1e-16)
  lu.assertEquals(ves.release.normalise(Q, { 0, 0, 0 }, "participation"), ves.matrix(Q))
end

TestPooled = {}

function TestPooled.test_the_mapping_of_all_active_synapses()
  local W, x = { { 0.6, 0.4 }, { 0.3, 0.3 }, { 0.1, 0.9 } }, { 1, 0, 0.5 }
  local q = support.analytic { 0.6, 0.4, 0.05, 0.45 }
  local Q = ves.release.pooled_analytic(W, x)
  assert_close(Q:flatten(), { q[1], q[2], 0, 0, q[3], q[4] }, 1e-15)
  lu.assertEquals(ves.release.pooled_analytic(W, { 0, 0, 0 }), ves.matrix(3, 2))
  lu.assertEquals(ves.release.pooled_analytic(W, { 1, 0, 0.5 }, { active = 0.7 })[1],
    ves.release.analytic { 0.6, 0.4 })
end

TestEquilibrium = {}

-- E[target of i] given that i transmits, over all subsets of the weaker weights
local function expected_target(w, order, r, q, target)
  local n, mean = #w, 0
  local weaker = n - r
  for mask = 0, (1 << weaker) - 1 do
    local chance, sum, size = 1, w[order[r]], 1
    for b = 0, weaker - 1 do
      local j = order[r + 1 + b]
      if mask >> b & 1 == 1 then
        chance, sum, size = chance * q[j], sum + w[j], size + 1
      else
        chance = chance * (1 - q[j])
      end
    end
    mean = mean + chance * target(w[order[r]] / sum, size)
  end
  return mean
end

local function clip(q) return math.min(1, math.max(1e-4, q)) end

-- fixed point q_i = E[target(q_i)], by bisection; the weakest first
local function equilibrium(w, make_target)
  local order, q = support.order(w), {}
  for r = #w, 1, -1 do
    local lo, hi = 0, 1
    for _ = 1, 100 do
      local mid = (lo + hi) / 2
      local sum = 0
      for k = r + 1, #w do sum = sum + q[order[k]] end
      local s = { rank = r, n = #w, q = mid, mean_q_weaker = r < #w and sum / (#w - r) or 0 }
      local drift = expected_target(w, order, r, q, function(g, size) return make_target(g, size, s) end) - mid
      if drift > 0 then lo = mid else hi = mid end
    end
    q[order[r]] = clip((lo + hi) / 2)
  end
  return q
end

local targets = {
  raw = function(g) return g end,
  subtract = function(g) return g - 0.35 end,
  rescale = function(g, size, s) return g * size / (s.n - s.rank + 1) end,
  power = function(g) return g ^ 8 end,
  variable = function(g, _, s) return g ^ ((s.n - s.rank) * s.q + 1) end,
  subset = function(g, size) return g ^ size end,
  expected = function(g, _, s) return g ^ (math.sqrt(s.q) * ((s.n - s.rank) * s.mean_q_weaker + 1)) end,
}

function TestEquilibrium.test_against_enumeration()
  for _, w in ipairs { { 0.5, 0.3, 0.2 }, { 1, 7, 2, 2, 5, 0.1 }, { 1, 1, 1, 1 }, { 3 } } do
    for rule, target in pairs(targets) do
      assert_close(ves.release.equilibrium(w, { rule = rule }), equilibrium(w, target), 1e-10)
    end
  end
  assert_close(ves.release.equilibrium { 0.5, 0.3, 0.2 }, equilibrium({ 0.5, 0.3, 0.2 }, targets.power), 1e-10)
  assert_close(ves.release.equilibrium({ 2, 1 }, { psi = 2.5 }),
    equilibrium({ 2, 1 }, function(g) return g ^ 2.5 end), 1e-10)
  assert_close(ves.release.equilibrium({ 2, 1 }, { rule = "subtract", subtract = 0.1 }),
    equilibrium({ 2, 1 }, function(g) return g - 0.1 end), 1e-10)
end

function TestEquilibrium.test_bounds_and_zero_weights()
  lu.assertEquals(ves.release.equilibrium({ 1 }, { ceiling = 0.5 })[1], 0.5)
  lu.assertEquals(ves.release.equilibrium({ 0, 1 }, { start = 0.7 })[1], 0.7)
  local rows = ves.release.equilibrium({ { 2, 1 }, { 1, 2 } })
  lu.assertEquals(rows[1][1], rows[2][2])
  fails("key 'psi' = 8: expected no such key here: it belongs to rule 'power'", ves.release.equilibrium, { 1, 2 },
    { rule = "raw", psi = 8 })
end

os.exit(lu.LuaUnit.run(), true)
