-- The exact tools: exponents (Appendix B), several inputs (Appendix C), scores.
local lu = require "luaunit"
local ves = require "vesicle"
local support = require "support"

local fails = function(...) support.fails(lu, ...) end

TestModule = {}

function TestModule.test_constants()
  lu.assertEquals(ves.api, 1)
  lu.assertStrMatches(ves.version, "%d+%.%d+%.%d+.*")
  local name = ves.simd()
  lu.assertEquals(ves.simd(false), "scalar")
  lu.assertEquals(ves.simd(), "scalar")
  ves.simd(name ~= "scalar")
  lu.assertEquals(ves.simd(), name)
end

TestExponent = {}

-- the squared error at rank i (real or integer) [app:exponent-error]
local function error_at(n, psi, i)
  return (((n - i + 1) / (2 * (n - i) + 1)) ^ psi - 1 / (n - i + 1)) ^ 2
end

function TestExponent.test_sum()
  for _, n in ipairs { 2, 10, 100 } do
    for _, top in ipairs { 0.5, 1 } do
      local sum = 0
      for i = 1, math.floor(top * n) do sum = sum + error_at(n, 4.25, i) end
      lu.assertAlmostEquals(ves.exponent.error(n, 4.25, { form = "sum", top = top }), sum, 1e-12)
    end
  end
end

function TestExponent.test_integral()
  local n, steps = 100, 20000          -- Simpson's rule
  local sum, h = 0, 99 / steps
  for k = 0, steps do
    sum = sum + error_at(n, 4.25, 1 + k * h) * ((k == 0 or k == steps) and 1 or k % 2 == 1 and 4 or 2)
  end
  lu.assertAlmostEquals(ves.exponent.error(n, 4.25), sum * h / 3, 1e-8)
end

function TestExponent.test_the_optima_of_the_paper()
  lu.assertAlmostEquals(ves.exponent.optimal(100), 4.4, 0.05)
  lu.assertAlmostEquals(ves.exponent.optimal(1000), 6.6, 0.05)
  lu.assertAlmostEquals(ves.exponent.optimal(100, { top = 0.5 }), 6.25, 0.05)
  lu.assertAlmostEquals(ves.exponent.optimal(1000, { top = 0.5 }), 9.5, 0.05)
  for _, form in ipairs { "integral", "sum" } do
    local psi, least = ves.exponent.optimal(50, { form = form })
    lu.assertAlmostEquals(least, ves.exponent.error(50, psi, { form = form }), 1e-12)
    lu.assertTrue(ves.exponent.error(50, psi * 1.01, { form = form }) > least)
    lu.assertTrue(ves.exponent.error(50, psi * 0.99, { form = form }) > least)
  end
end

function TestExponent.test_equilibrium()
  local q = ves.exponent.equilibrium(20, 4)
  for i = 1, 20 do lu.assertAlmostEquals((1 / ((20 - i) * q[i] + 1)) ^ 4, q[i], 1e-12) end
  lu.assertEquals(q[20], 1.0)
end

function TestExponent.test_subset_size()
  local exact, printed = ves.exponent.subset_size({ 0.1, 0.2, 0.4, 1 }, 2)
  lu.assertAlmostEquals(exact, 1 + 0.4 + 1, 1e-15)
  lu.assertAlmostEquals(printed, 2 * 0.2 + 1, 1e-15)
end

TestMulti = {}

local W, x = { { 0.6, 0.3, 0.1 }, { 0.2, 0.1, 0.9 }, { 0.5, 0.5, 0.5 } }, { 1, 0.4, 0 }

local function mixture()
  local p, sum = {}, 0
  for j = 1, 3 do
    p[j] = x[1] * W[1][j] + x[2] * W[2][j]
    sum = sum + p[j]
  end
  for j = 1, 3 do p[j] = p[j] / sum end
  return p
end

function TestMulti.test_mixture_and_two_stage()
  local p, draws = mixture(), 40000
  local m, two = ves.multi.mixture(W, x), ves.multi.two_stage_exact(W, x)
  for j = 1, 3 do
    lu.assertAlmostEquals(m[j], p[j], 1e-15)
    lu.assertAlmostEquals(two[j], p[j], 1e-14)
  end
  local rng = ves.rng(31)
  local wins, via = ves.multi.two_stage(W, x, { draws = draws, rng = rng })
  lu.assertEquals(rng.cursor, draws)
  lu.assertTrue(support.chi2_p(support.tally(wins), p, draws) > 1e-6)
  local r1, r2 = 1.0, 0.4 * 1.2
  lu.assertTrue(support.chi2_p(support.tally(via), { r1 / (r1 + r2), r2 / (r1 + r2) }, draws) > 1e-6)
  local again = ves.rng(31)
  local a = ves.multi.two_stage(W, x, { draws = 100, rng = again })
  local b = ves.multi.two_stage(W, x, { draws = 100, rng = again })
  for d = 1, 100 do lu.assertEquals({ a[d], b[d] }, { wins[d], wins[100 + d] }) end
end

-- error function by its series, for the normal distribution function
local function normal_cdf(z)
  local term, sum, k = z, z, 0
  repeat
    k = k + 1
    term = term * z * z / (2 * k + 1)
    sum = sum + term
  until math.abs(term) < 1e-17 * math.abs(sum) or term == 0
  return 0.5 + sum * math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
end

function TestMulti.test_normal_approximation()
  local Q = { { 0.2, 0.5, 0.9 }, { 0.6, 0.3, 0.2 }, { 1, 1, 1 } }
  local mean, variance = {}, {}
  for j = 1, 3 do
    mean[j], variance[j] = 0, 0
    for i = 1, 2 do
      local e, q = x[i] * W[i][j], Q[i][j]
      mean[j], variance[j] = mean[j] + e * q, variance[j] + e * e * q * (1 - q)
    end
  end
  local J = 1
  for j = 2, 3 do if mean[j] > mean[J] then J = j end end
  local function beats(i, j) return normal_cdf((mean[i] - mean[j]) / math.sqrt(variance[i] + variance[j])) end
  local p, strongest = ves.multi.normal_approximation(W, Q, x)
  lu.assertEquals(strongest, J)
  lu.assertEquals(p[J], 0.5)
  local least = ves.multi.normal_approximation(W, Q, x, { form = "min" })
  for i = 1, 3 do
    if i ~= J then lu.assertAlmostEquals(p[i], beats(i, J), 1e-13) end
    local smallest = math.huge
    for j = 1, 3 do if j ~= i then smallest = math.min(smallest, beats(i, j)) end end
    lu.assertAlmostEquals(least[i], smallest, 1e-13)
  end
end

function TestMulti.test_redraw_family()
  local w = { 0.5, 0.3, 0.2 }
  for _, c in ipairs { 1, 0.5, 0.01 } do
    local q = ves.multi.redraw_family(w, c)
    local p, nothing = support.winner(w, q)
    lu.assertAlmostEquals(nothing, 1 - c, 1e-14)
    for i = 1, 3 do lu.assertAlmostEquals(p[i] / c, w[i], 1e-13) end
  end
end

function TestMulti.test_solve()
  local Q, info = ves.multi.solve(W, x, { rng = ves.rng(1) })
  lu.assertEquals(Q[3], ves.vector(3))
  local p, nothing = ves.winner.exact(W, Q, x)
  local expected = mixture()
  for j = 1, 3 do lu.assertAlmostEquals(p[j] / (1 - nothing), expected[j], 1e-9) end
  lu.assertAlmostEquals(info.empty, nothing, 1e-9)
  lu.assertTrue(math.abs(info.kl) < 1e-9)
  lu.assertEquals(math.type(info.iterations), "integer")
  -- READINGS: this W has the exact constant solution (3/7, 1/2) in both rows when empty draws are repeated
  local both = ves.matrix { { 3 / 7, 1 / 2 }, { 3 / 7, 1 / 2 } }
  for _, on in ipairs { { 1, 0 }, { 0, 1 }, { 1, 1 } } do
    local r, silent = ves.winner.exact({ { 0.6, 0.4 }, { 0.6, 0.4 } }, both, on)
    lu.assertAlmostEquals(r[1] / (1 - silent), 0.6, 1e-14)
  end
  fails("at most 6 active inputs, not 7", ves.multi.solve, ves.matrix(7, 2, 1), ves.vector(7, 1))
end

TestScore = {}

local sample = { 3, 1, 2.5, 1, 7 }

function TestScore.test_crps()
  for _, y in ipairs { -2, 1, 2.7, 7, 100 } do
    local near, spread = 0, 0
    for _, a in ipairs(sample) do
      near = near + math.abs(a - y) / #sample
      for _, b in ipairs(sample) do spread = spread + math.abs(a - b) / (#sample * #sample) end
    end
    lu.assertAlmostEquals(ves.score.crps(sample, y), near - spread / 2, 1e-13)
  end
end

function TestScore.test_pit()
  lu.assertEquals(ves.score.pit(sample, 0), 0.0)
  lu.assertEquals(ves.score.pit(sample, 8), 1.0)
  lu.assertAlmostEquals(ves.score.pit(sample, 1), 0.2, 1e-15)
  lu.assertAlmostEquals(ves.score.pit(sample, 2.7), 0.6, 1e-15)
end

function TestScore.test_coverage()
  local v = ves.vector(sample)
  local inside, lower, upper = ves.score.coverage(sample, 2, 0.8)
  lu.assertTrue(inside)
  lu.assertAlmostEquals(lower, v:quantile(0.1), 1e-14)
  lu.assertAlmostEquals(upper, v:quantile(0.9), 1e-14)
  lu.assertFalse((ves.score.coverage(sample, 7, 0.8)))
  lu.assertEquals(select(2, ves.score.coverage(sample, 2)), select(2, ves.score.coverage(sample, 2, 0.95)))
end

function TestScore.test_distances()
  lu.assertAlmostEquals(ves.score.total_variation({ 0.5, 0.5 }, { 0.9, 0.1 }), 0.4, 1e-15)
  local kl = 0.5 * math.log(0.5 / 0.9) + 0.5 * math.log(0.5 / 0.1)
  lu.assertAlmostEquals(ves.score.kl({ 0.5, 0.5 }, { 0.9, 0.1 }), kl, 1e-15)
  lu.assertEquals(ves.score.kl({ 0, 1 }, { 0, 1 }), 0.0)
  lu.assertEquals(ves.score.kl({ 0.5, 0.5 }, { 1, 0 }), math.huge)
end

os.exit(lu.LuaUnit.run(), true)
