-- stats against values worked out by hand or by other programs, and its errors.
local lu = require "luaunit"
local ves = require "vesicle"
local stats = require "vesicle.stats"

local x = { 2.385, -1.5, 0.25, 7.75, 3.125, 2.385 }
local y = { 1.1, -0.7, 0.2, 4.3, 1.9, 0.8 }

TestStats = {} -- luacheck: globals TestStats

function TestStats.test_moments_of_a_sample()
  local s = stats.summary(x)
  lu.assertAlmostEquals(s.value, 2.3991666666666664, 1e-14)
  lu.assertAlmostEquals(s.sd, math.sqrt(9.796214166666667), 1e-13)
  lu.assertAlmostEquals(s.se, math.sqrt(9.796214166666667 / 6), 1e-13)
end

function TestStats.test_an_array_through_its_metatable()
  local sealed = setmetatable({}, { __index = x, __len = function() return #x end })
  lu.assertEquals(stats.summary(sealed).se, stats.summary(x).se)
  lu.assertEquals(stats.quantile(sealed, 0.5), stats.quantile(x, 0.5))
end

function TestStats.test_variance_survives_a_large_mean()
  local shifted = {}
  for i, v in ipairs { 4, 7, 13, 16 } do shifted[i] = v + 1e9 end
  lu.assertAlmostEquals(stats.summary(shifted).se ^ 2, 30 / 4, 1e-9)
  local big = 2.0 ^ 53                   -- the mean has no double here
  lu.assertEquals(stats.summary({ big, big + 2, big + 4, big + 8 }).se, math.sqrt(35 / 3 / 4))
end

function TestStats.test_quantiles_interpolate()
  lu.assertEquals(stats.quantile({ 3, 1, 2, 4 }, 0), 1.0)
  lu.assertEquals(stats.quantile({ 3, 1, 2, 4 }, 1), 4.0)
  lu.assertAlmostEquals(stats.quantile({ 3, 1, 2, 4 }, 0.5), 2.5, 1e-15)
  lu.assertAlmostEquals(stats.quantile({ 3, 1, 2, 4 }, 0.9), 3.7, 1e-14)
  lu.assertEquals(stats.quantile({ 5 }, 0.3), 5.0)
  lu.assertEquals(#stats.quantile(x, { 0.025, 0.5, 0.975 }), 3)
  local data = { 3, 1, 2 }
  stats.quantile(data, 0.5)
  lu.assertEquals(data, { 3, 1, 2 })
end

function TestStats.test_regression()
  -- exact: sxx = 10, sxy = 10.3, residual sum of squares 0.163
  local fit = stats.regression({ 1, 2, 3, 4, 5 }, { 1.1, 1.9, 3.2, 3.8, 5.3 })
  lu.assertAlmostEquals(fit.slope, 1.03, 1e-12)
  lu.assertAlmostEquals(fit.intercept, -0.03, 1e-12)
  lu.assertAlmostEquals(fit.residual_sd ^ 2, 0.163 / 3, 1e-12)
  lu.assertAlmostEquals(fit.slope_se, math.sqrt(0.163 / 3 / 10), 1e-12)
  lu.assertAlmostEquals(fit.intercept_se, math.sqrt(0.163 / 3 * (1 / 5 + 9 / 10)), 1e-12)
  lu.assertAlmostEquals(fit.r2, 1 - 0.163 / 10.772, 1e-12)
  local line = stats.regression({ 0, 1, 2 }, { 1, 3, 5 })
  lu.assertAlmostEquals(line.slope, 2, 1e-15)
  lu.assertAlmostEquals(line.slope_se, 0, 1e-15)
  lu.assertNil(stats.regression({ 0, 1 }, { 1, 3 }).slope_se)
end

function TestStats.test_correlation()
  lu.assertAlmostEquals(stats.correlation({ 1, 2, 3 }, { -2, -4, -6 }), -1, 1e-15)
  local r = stats.correlation(x, y)
  local fit = stats.regression(x, y)
  lu.assertAlmostEquals(r * r, fit.r2, 1e-12)
end

function TestStats.test_chi_square_p_against_closed_forms()
  -- df = 2: exp(-x/2); df = 4: exp(-x/2)(1 + x/2)
  for _, s in ipairs { 0.01, 0.5, 1.7, 3, 10, 60, 200 } do
    lu.assertAlmostEquals(stats.chi_square_p(s, 2) / math.exp(-s / 2), 1, 1e-12)
    lu.assertAlmostEquals(stats.chi_square_p(s, 4) / (math.exp(-s / 2) * (1 + s / 2)), 1, 1e-12)
  end
  lu.assertAlmostEquals(stats.chi_square_p(3.841458820694124, 1), 0.05, 1e-12)
  lu.assertAlmostEquals(stats.chi_square_p(124.34211340400407, 100), 0.05, 1e-10)
  lu.assertEquals(stats.chi_square_p(0, 3), 1.0)
end

function TestStats.test_normal_distribution_against_known_values()
  lu.assertEquals(ves.cdf.normal(0), 0.5)
  lu.assertAlmostEquals(ves.cdf.normal(1.959963984540054), 0.975, 1e-15)
  lu.assertAlmostEquals(ves.cdf.normal(-10) / 7.619853024160527e-24, 1, 1e-12)
  lu.assertEquals(ves.cdf.normal({ -1, 2 }, "upper"):totable(),
    { ves.cdf.normal(-1, "upper"), ves.cdf.normal(2, "upper") })
  for z = -8, 8 do lu.assertAlmostEquals(ves.cdf.normal(z) + ves.cdf.normal(z, "upper"), 1, 1e-15) end
  lu.assertEquals({ ves.cdf.normal(-math.huge), ves.cdf.normal(math.huge) }, { 0.0, 1.0 })
  lu.assertEquals({ ves.cdf.chi_square(math.huge, 2), ves.cdf.chi_square(math.huge, 2, "upper") }, { 1.0, 0.0 })
  lu.assertEquals(stats.chi_square_p(math.huge, 2), 0.0)
  lu.assertAlmostEquals(ves.cdf.chi_square(3, 4) + ves.cdf.chi_square(3, 4, "upper"), 1, 1e-15)
end

function TestStats.test_chi_square_pools_and_rejects()
  local fair = stats.chi_square({ 52, 48 }, { 0.5, 0.5 })
  lu.assertAlmostEquals(fair.statistic, 0.16, 1e-12)
  lu.assertEquals(fair.df, 1)
  local pooled = stats.chi_square({ 40, 30, 2, 1, 27 }, { 40, 30, 2, 1, 27 })
  lu.assertEquals(pooled.df, 2)
  lu.assertAlmostEquals(pooled.statistic, 0, 1e-12)
  lu.assertEquals(stats.chi_square({ 50, 1 }, { 1, 0 }).p, 0.0)
  lu.assertTrue(stats.chi_square({ 400, 600 }, { 0.5, 0.5 }).p < 1e-6)
end

function TestStats.test_rank_correlation()
  lu.assertEquals(stats.rank_correlation({ 1, 2, 3 }, { 2, 4, 70 }), 1.0)
  lu.assertAlmostEquals(stats.rank_correlation({ 1, 2, 2, 4 }, { 4, 3, 2, 1 }), -0.9486832980505138, 1e-14)
end

function TestStats.test_collect_puts_results_side_by_side()
  lu.assertEquals(stats.collect({ 3, 4 }, function(v, i) return v * i end):totable(), { 3, 8 })
  lu.assertEquals(stats.collect(ves.vector { 0.5, 2 }, function(v) return v end):totable(), { 0.5, 2 })
  lu.assertEquals(stats.collect(3, function(i) return math.type(i) == "integer" and i or 0 end):totable(), { 1, 2, 3 })
  local rows = stats.collect({ 1, 2 }, function(v) return ves.vector { v, v ^ 2 } end)
  lu.assertEquals(rows:totable(), { { 1, 1 }, { 2, 4 } })
  local c = stats.collect({ 1, 4 }, function(v) return { root = math.sqrt(v), row = { v, v }, in_ = { deep = v } } end)
  lu.assertEquals(c.root:totable(), { 1, 2 })
  lu.assertEquals(c.row:totable(), { { 1, 1 }, { 4, 4 } })
  lu.assertEquals(c.in_.deep:sum(), 5)
  lu.assertEquals(stats.collect({ 1, 2 }, tostring), { "1", "2" })
end

function TestStats.test_summary_of_observations()
  local s = stats.summary(x)
  lu.assertEquals({ s.value, s.sd, s.min, s.max }, { ves.vector(x):mean(), ves.vector(x):sd(), -1.5, 7.75 })
  lu.assertEquals({ s.lo, s.hi }, ves.vector(x):quantile({ 0.025, 0.975 }):totable())
  local M = ves.matrix { x, y }:transpose()
  local both = stats.summary(M)
  lu.assertEquals(both.value:totable(), { stats.summary(x).value, stats.summary(y).value })
  lu.assertEquals(both.lo[2], ves.vector(y):quantile(0.025))
  lu.assertEquals({ both[2].value, both[2].se, both[2].max, #both },
    { stats.summary(y).value, stats.summary(y).se, 4.3, 2 })
  lu.assertEquals(stats.summary({ ves.vector(x), y }).se:totable(), both.se:totable())
  lu.assertNil(both[3])
end

function TestStats.test_jackknife_of_a_mean_is_its_standard_error()
  local M = ves.matrix { x, y }:transpose()
  local e = stats.jackknife(function(m) return { m[1], m[2] } end, M)
  lu.assertAlmostEquals(e.se[1], stats.summary(x).se, 1e-14)
  lu.assertAlmostEquals(e.se[2], stats.summary(y).se, 1e-14)
  local ratio = stats.jackknife(function(m) return m[1] / m[2] end, M)
  lu.assertAlmostEquals(ratio.value, stats.summary(x).value / stats.summary(y).value, 1e-14)
  -- by hand, from the six ratios of means that leave one row out
  lu.assertAlmostEquals(ratio.se, 0.18191768929747, 1e-13)
  local known = stats.ratios(M, ves.vector { 2, 4 })
  lu.assertAlmostEquals(known.value[2], stats.summary(y).value / 4, 1e-14)
  lu.assertAlmostEquals(known.se[2], stats.summary(y).se / 4, 1e-14)
  lu.assertTrue(stats.is_estimate(known) and stats.is_estimate(known[1]) and not stats.is_estimate(x))
end

function TestStats.test_errors_name_function_and_value()
  local function fails(pattern, f, ...) lu.assertErrorMsgMatches(".*" .. pattern .. ".*", f, ...) end
  fails("stats%.summary: expected at least 2 observations, got 0", stats.summary, {})
  fails("stats%.summary: expected a vector or an array of numbers, got 3", stats.summary, 3)
  fails("stats%.summary: observation 2 is nan", stats.summary, { 1, 0 / 0 * -1 })
  fails("stats%.summary: observation 1 is inf", stats.summary, { math.huge, 1 })
  fails("stats%.quantile: p is 1%.5, expected a probability", stats.quantile, { 1 }, 1.5)
  fails("stats%.quantile: p is nil, expected a probability", stats.quantile, { 1 })
  fails("stats%.regression: 2 and 3 observations", stats.regression, { 1, 2 }, { 1, 2, 3 })
  fails("stats%.regression: all x are equal", stats.regression, { 1, 1 }, { 1, 2 })
  fails("stats%.correlation: one of the samples is constant", stats.correlation, { 1, 1 }, { 1, 2 })
  local M = ves.matrix { { 1, 2 }, { 3, 4 } }
  fails("stats%.collect: expected an array, a vector or a whole number, got nil", stats.collect, nil, print)
  fails("stats%.collect: there is nothing to collect over", stats.collect, {}, print)
  fails("stats%.collect: f returned nothing for element 1", stats.collect, { 1 }, function() end)
  fails("element 1 has the field `a`, element 2 has not", stats.collect, 2,
    function(i) return { [i > 1 and "b" or "a"] = 1 } end)
  fails("stats%.summary: expected at least 2 observations, got 1", stats.summary, { 1 })
  fails("an estimate has no field `mean` %(fields: value, se, sd, lo, hi, min, max; value is the mean%)",
    function() return stats.summary(M).mean end)
  fails("an estimate has no field `vale`: did you mean `value`", function() return stats.summary(M).vale end)
  fails("stats%.jackknife: f is nil, expected a function", stats.jackknife, nil, M)
  fails("stats%.jackknife: argument 2 is 3, expected a matrix", stats.jackknife, math.abs, 3)
  fails("stats%.ratios: matrices of 2 and 3 replicates", stats.ratios, M, ves.matrix(3, 2))
  fails("stats%.jackknife: expected at least two replicates", stats.jackknife, math.abs, ves.matrix(1, 2))
  fails("stats%.jackknife: a vector has the same numbers in every replicate; .*v:reshape%(#v, 1%)", stats.jackknife,
    math.abs, ves.vector { 1, 2 })
  fails("stats%.chi_square_p: df is 0", stats.chi_square_p, 1, 0)
  fails("stats%.chi_square: a count is negative", stats.chi_square, { -1, 2 }, { 1, 1 })
end

os.exit(lu.LuaUnit.run())
