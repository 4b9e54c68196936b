-- Distributions over the values that outputs stand for, against closed forms.
local lu = require "luaunit"
local ves = require "vesicle"
local pmf = require "vesicle.pmf"

TestPmf = {}

-- The variance of a distribution is no estimate: nothing is divided by n - 1.
function TestPmf.test_moments_of_known_distributions()
  local three = ves.vector { -1, 0, 1 }
  lu.assertAlmostEquals(pmf.var(ves.vector { 1, 2, 1 }, three), 0.5, 1e-15)
  lu.assertAlmostEquals(pmf.sd(ves.vector { 1, 2, 1 }, three), math.sqrt(0.5), 1e-15)
  local n, p, binomial, k = 12, 0.3, {}, ves.range(0, 12)
  binomial[1] = (1 - p) ^ n
  for i = 1, n do binomial[i + 1] = binomial[i] * (n - i + 1) / i * p / (1 - p) end
  lu.assertAlmostEquals(pmf.var(ves.vector(binomial), k), n * p * (1 - p), 1e-13)
  lu.assertAlmostEquals(pmf.var(ves.vector(binomial) * 7, k + 100), n * p * (1 - p), 1e-10)
end

function TestPmf.test_distances()
  lu.assertAlmostEquals(pmf.total_variation(ves.vector { 1, 1 }, ves.vector { 1, 3 }), 0.25, 1e-15)
  lu.assertAlmostEquals(pmf.total_variation(ves.vector { 2, 0 }, ves.vector { 0, 5 }), 1, 1e-15)
  lu.assertAlmostEquals(pmf.from_uniform(ves.vector { 1, 3 }), 0.25, 1e-15)
  lu.assertAlmostEquals(pmf.from_uniform(ves.vector { 4, 0, 0, 0 }), 0.75, 1e-15)
end

function TestPmf.test_the_distribution_function_is_that_just_above_a_point()
  local c = pmf.cumulative(ves.vector { 1, 2, 5 })
  for j, expected in ipairs { 1 / 8, 3 / 8, 1 } do lu.assertAlmostEquals(c[j], expected, 1e-15) end
end

-- A cell reaches from middle to middle, and the outermost ones to infinity.
function TestPmf.test_cells_end_halfway_between_points()
  local function uniform(y) return y:clamp(0, 1) end
  local p = pmf.binned(uniform, ves.vector { 0.1, 0.3, 0.5 })
  for j, expected in ipairs { 0.2, 0.2, 0.6 } do lu.assertAlmostEquals(p[j], expected, 1e-15) end
  local points = ves.range(-60, 60) / 10
  local normal = pmf.binned(ves.cdf.normal, points)
  lu.assertAlmostEquals(normal:sum(), 1, 1e-14)
  lu.assertAlmostEquals(normal:dot(points), 0, 1e-14)                            -- symmetric about 0
  lu.assertAlmostEquals(pmf.var(normal, points), 1 + 0.01 / 12, 1e-6)           -- Sheppard's correction
end

-- The mean of the replicates is compared, not each of them; the jackknife of two is half their difference.
function TestPmf.test_kolmogorov()
  local function uniform(y) return y:clamp(0, 1) end
  local points = ves.vector { 0.125, 0.375, 0.625, 0.875 }
  local exact, off = ves.matrix { { 0.25, 0.5, 0.75, 1 }, { 0.25, 0.5, 0.75, 1 } },
                     ves.matrix { { 0.35, 0.4, 0.75, 1 }, { 0.45, 0.5, 0.75, 1 } }
  local found = pmf.kolmogorov({ exact, off }, { uniform, uniform }, points)
  for i, expected in ipairs { 0, 0.15 } do lu.assertAlmostEquals(found.value[i], expected, 1e-15) end
  for i, expected in ipairs { 0, 0.05 } do lu.assertAlmostEquals(found.se[i], expected, 1e-15) end
  lu.assertErrorMsgContains("as many functions", pmf.kolmogorov, { exact }, {}, points)
  lu.assertErrorMsgContains("pmf.binned", pmf.kolmogorov, { exact }, { 3 }, points)
end

os.exit(lu.LuaUnit.run())
