-- Vectors and matrices: elements, arithmetic, statistics, views, errors.
local lu = require "luaunit"
local ves = require "vesicle"
local support = require "support"

local fails = function(...) support.fails(lu, ...) end
local data = { 2.385, -1.5, 0.25, 7.75, 3.125, 2.385 }

TestVector = {}

function TestVector.test_construction()
  local v = ves.vector(data)
  lu.assertEquals(#v, 6)
  for i = 1, 6 do lu.assertEquals(v[i], data[i]) end
  lu.assertEquals(ves.vector(3, 0.5):totable(), { 0.5, 0.5, 0.5 })
  lu.assertEquals(ves.vector(2):totable(), { 0.0, 0.0 })
  lu.assertEquals(ves.vector(2.0):totable(), { 0.0, 0.0 })
  local w = ves.vector(v)
  w[1] = 9
  lu.assertEquals(v[1], 2.385)
  lu.assertEquals(#ves.vector(10000), 10000)
end

function TestVector.test_elements()
  local v = ves.vector { 1, 2, 3 }
  v[2], v[3.0] = 5, -0.5
  lu.assertEquals(v:totable(), { 1.0, 5.0, -0.5 })
  fails("index 0 is out of range: the vector has 3 elements", function() return v[0] end)
  fails("index 4 is out of range: the vector has 3 elements", function() return v[4] end)
  fails("index -1 is out of range", function() return v[-1] end)
  fails("index 1.5 is out of range", function() return v[1.5] end)
  fails("index 4 is out of range", function() v[4] = 1 end)
  fails("argument 'value' = nan: expected a finite number", function() v[1] = 0 / 0 end)
  fails("argument 'value' = 'a': expected a finite number", function() v[1] = "a" end)
  fails("no field or method 'sun': did you mean 'sum'?", function() return v.sun end)
  fails("only elements can be set", function() v.x = 1 end)
end

function TestVector.test_iteration()
  local seen = {}
  for i, x in pairs(ves.vector(data)) do seen[i] = x end
  lu.assertEquals(seen, data)
end

function TestVector.test_arithmetic()
  local a, b = ves.vector { 1, 2, 3 }, ves.vector { 4, 5, 6 }
  lu.assertEquals((a + b):totable(), { 5.0, 7.0, 9.0 })
  lu.assertEquals((a - b):totable(), { -3.0, -3.0, -3.0 })
  lu.assertEquals((a * b):totable(), { 4.0, 10.0, 18.0 })
  lu.assertEquals((b / a):totable(), { 4.0, 2.5, 2.0 })
  lu.assertEquals((a ^ 2):totable(), { 1.0, 4.0, 9.0 })
  lu.assertEquals((2 ^ a):totable(), { 2.0, 4.0, 8.0 })
  lu.assertEquals((1 - a):totable(), { 0.0, -1.0, -2.0 })
  lu.assertEquals((a + { 1, 1, 1 }):totable(), { 2.0, 3.0, 4.0 })
  lu.assertEquals(({ 1, 1, 1 } - a):totable(), { 0.0, -1.0, -2.0 })
  lu.assertEquals((-a):totable(), { -1.0, -2.0, -3.0 })
  lu.assertEquals((a / 0)[1], math.huge)
  lu.assertEquals(a:dot(b), 32.0)
  lu.assertEquals(a:dot { 1, 0, 1 }, 4.0)
  fails("shapes differ: a vector of 3 and a vector of 2", function() return a + ves.vector { 1, 2 } end)
  fails("shapes differ", function() return a + ves.matrix { { 1, 2, 3 } } end)
  fails("argument 'right' = true: expected a number, vector or matrix", function() return a + true end)
  fails("argument 'other' = a vector of 2: expected a vector of 3", function() a:dot { 1, 2 } end)
end

function TestVector.test_equality()
  lu.assertTrue(ves.vector { 1, 2 } == ves.vector { 1, 2 })
  lu.assertFalse(ves.vector { 1, 2 } == ves.vector { 1, 3 })
  lu.assertFalse(ves.vector { 1, 2 } == ves.vector { 1, 2, 3 })
  lu.assertFalse(ves.vector { 1, 2 } == ves.matrix { { 1, 2 } })
end

function TestVector.test_statistics()
  local v = ves.vector(data)
  local sum, squares = 0, 0
  for _, x in ipairs(data) do sum = sum + x end
  for _, x in ipairs(data) do squares = squares + (x - sum / 6) ^ 2 end
  lu.assertEquals(v:sum(), sum)
  lu.assertAlmostEquals(v:mean(), 2.3991666666666664, 1e-15)
  lu.assertAlmostEquals(v:var(), 9.796214166666667, 1e-14)
  lu.assertAlmostEquals(v:sd(), math.sqrt(squares / 5), 1e-15)
  lu.assertEquals({ v:min(), v:max(), v:argmax(), v:argmin() }, { -1.5, 7.75, 4, 2 })
  lu.assertEquals(ves.vector { 3, 7, 7 }:argmax(), 2)
  lu.assertEquals(v:sort():totable(), { -1.5, 0.25, 2.385, 2.385, 3.125, 7.75 })
  lu.assertEquals(v[1], 2.385)
  lu.assertEquals(v:cumsum()[6], sum)
  lu.assertEquals(v:slice(2, 3):totable(), { -1.5, 0.25 })
  lu.assertEquals(v:slice(5):totable(), { 3.125, 2.385 })
  lu.assertEquals(v:map(function(x) return 2 * x end)[2], -3.0)
  fails("expected at least 2", function() ves.vector { 1 }:sd() end)
  fails("f returned nil for element 1: expected a number", function() v:map(function() end) end)
  fails("boom", function() v:map(function() error("boom") end) end)
end

function TestVector.test_quantiles_interpolate_between_order_statistics()
  local v = ves.vector { 4, 1, 3, 2 }
  lu.assertEquals(v:quantile(0), 1.0)
  lu.assertEquals(v:quantile(1), 4.0)
  lu.assertAlmostEquals(v:quantile(0.5), 2.5, 1e-15)
  lu.assertAlmostEquals(v:quantile(0.9), 3.7, 1e-14)
  lu.assertEquals(v:quantile({ 0, 1 }):totable(), { 1.0, 4.0 })
  lu.assertEquals(ves.vector { 5 }:quantile(0.3), 5.0)
  fails("argument 'p' = 1.5: expected a number in [0, 1]", function() v:quantile(1.5) end)
end

function TestVector.test_order_is_ascending_and_keeps_equals()
  lu.assertEquals(ves.vector { 30, 10, 20 }:order():totable(), { 2.0, 3.0, 1.0 })
  lu.assertEquals(ves.vector { 1, 0, 1, -0.0, 1 }:order():totable(), { 2.0, 4.0, 1.0, 3.0, 5.0 })
  lu.assertEquals(ves.matrix { { 4, 3 }, { 2, 1 } }:order():totable(), { 4.0, 3.0, 2.0, 1.0 })
  local v = ves.rng(3):integer(50, 1000)
  local order, sorted = v:order(), v:sort()
  for r = 1, 1000 do lu.assertEquals(v[order[r]], sorted[r]) end
  for r = 2, 1000 do if sorted[r] == sorted[r - 1] then lu.assertTrue(order[r] > order[r - 1]) end end
end

function TestVector.test_abs_and_clamp()
  lu.assertEquals(ves.vector { -1, 0, 2.5 }:abs():totable(), { 1.0, 0.0, 2.5 })
  lu.assertEquals(ves.matrix { { -1, 2 }, { 3, -4 } }:abs()[2]:totable(), { 3.0, 4.0 })
  lu.assertEquals(ves.vector { -1, 0.5, 3 }:clamp(0, 1):totable(), { 0.0, 0.5, 1.0 })
  lu.assertEquals(ves.matrix { { -1, 2 } }:clamp(2, 2)[1]:totable(), { 2.0, 2.0 })
  local untouched = ves.vector { -5, 5 }
  untouched:clamp(-1, 1)
  lu.assertEquals(untouched:totable(), { -5.0, 5.0 })
end

--- The bits of a loop in Lua.
function TestVector.test_functions_of_each_element()
  local v = ves.rng(8):normal(0, 3, 1000)
  local functions = { abs = math.abs, floor = math.floor, exp = math.exp }
  for name, f in pairs(functions) do
    local out = v[name](v)
    for i = 1, #v do lu.assertEquals(out[i], f(v[i]) + 0.0) end
  end
  local positive = v:abs()
  for name, f in pairs { log = math.log, sqrt = math.sqrt } do
    local out = positive[name](positive)
    for i = 1, #v do lu.assertEquals(out[i], f(positive[i])) end
  end
  lu.assertEquals(ves.matrix { { 1, 4 }, { 9, 16 } }:sqrt()[2]:totable(), { 3.0, 4.0 })
  lu.assertEquals(ves.vector { 0, 1 }:log()[1], -math.huge)
  local root = ves.vector { -1 }:sqrt()[1]
  lu.assertTrue(root ~= root)
end

function TestVector.test_less()
  lu.assertEquals(ves.vector { 1, 2, 3 }:less(2):totable(), { 1.0, 0.0, 0.0 })
  lu.assertEquals(ves.vector { 1, 2 }:less(math.huge):totable(), { 1.0, 1.0 })
  lu.assertEquals(ves.vector { 1, 2, 3 }:less { 0, 2.5, 4 }:totable(), { 0.0, 1.0, 1.0 })
  lu.assertEquals(ves.matrix { { 1, 5 } }:less { { 2, 5 } }[1]:totable(), { 1.0, 0.0 })
  lu.assertEquals((ves.vector { 0, 1 } / 0):less(1):totable(), { 0.0, 0.0 })
end

function TestVector.test_cumsum_and_normalise_go_along_rows()
  lu.assertEquals(ves.vector { 1, 2, 3 }:cumsum():totable(), { 1.0, 3.0, 6.0 })
  lu.assertEquals(ves.matrix { { 1, 2 }, { 3, 4 } }:cumsum():totable(), { { 1.0, 3.0 }, { 3.0, 7.0 } })
  lu.assertEquals(ves.vector { 1, 3 }:normalise():totable(), { 0.25, 0.75 })
  lu.assertEquals(ves.matrix { { 1, 3 }, { 0, 0 }, { 5, 0 } }:normalise():totable(),
    { { 0.25, 0.75 }, { 0.0, 0.0 }, { 1.0, 0.0 } })
end

function TestVector.test_ranks_share_ties()
  lu.assertEquals(ves.vector { 30, 10, 20, 10 }:ranks():totable(), { 4.0, 1.5, 3.0, 1.5 })
  lu.assertEquals(ves.vector { 2, 2, 2 }:ranks():totable(), { 2.0, 2.0, 2.0 })
  local v = ves.rng(4):integer(30, 500)
  local ranks = v:ranks()
  for i = 1, 500, 17 do
    local below = v:less(v[i]):sum()
    local equal = (v - v[i]):abs():less(0.5):sum()
    lu.assertEquals(ranks[i], below + (equal + 1) / 2)
  end
end

function TestVector.test_taking_and_finding()
  local v = ves.vector { 10, 20, 30 }
  lu.assertEquals(v:take { 3, 1, 3 }:totable(), { 30.0, 10.0, 30.0 })
  lu.assertEquals(ves.matrix { { 1, 2 }, { 3, 4 } }:take { 2, 2, 1 }:totable(),
    { { 3.0, 4.0 }, { 3.0, 4.0 }, { 1.0, 2.0 } })
  lu.assertEquals(v:above(10):totable(), { 2.0, 3.0 })
  lu.assertEquals(#v:above(30), 0)
  lu.assertEquals(#v:take(v:above(30)), 0)
  lu.assertEquals(v:above(-math.huge):totable(), { 1.0, 2.0, 3.0 })
  lu.assertEquals(ves.matrix { { 1, 5 }, { 6, 2 } }:above(3):totable(), { 2.0, 3.0 })
  lu.assertEquals(v:search(20), 2)
  lu.assertEquals(v:search { -math.huge, math.huge }:totable(), { 1.0, 4.0 })
  lu.assertEquals(v:search { 5, 10, 10.5, 30, 31 }:totable(), { 1.0, 1.0, 2.0, 3.0, 4.0 })
  local sorted = ves.rng(6):integer(40, 300):sort()
  for value = -1, 41 do lu.assertEquals(sorted:search(value), sorted:less(value):sum() + 1) end
end

function TestVector.test_range()
  lu.assertEquals(ves.range(-1, 2):totable(), { -1.0, 0.0, 1.0, 2.0 })
  lu.assertEquals(ves.range(5, 5):totable(), { 5.0 })
  lu.assertEquals(ves.range(2 ^ 53 - 1, 2 ^ 53):totable(), { 2.0 ^ 53 - 1, 2.0 ^ 53 })
end

function TestVector.test_reshape_undoes_flatten()
  local m = ves.matrix { { 1, 2, 3 }, { 4, 5, 6 } }
  lu.assertTrue(m:flatten():reshape(2, 3) == m)
  lu.assertEquals(m:flatten():reshape(3, 2)[2]:totable(), { 3.0, 4.0 })
end

function TestVector.test_counts()
  local counts, zeros = ves.vector { 1, 3, 0, 3 }:counts(3)
  lu.assertEquals(counts:totable(), { 1.0, 0.0, 2.0 })
  lu.assertEquals(zeros, 1)
  lu.assertEquals(ves.matrix { { 1, 2 }, { 2, 2 } }:counts(2):totable(), { 1.0, 3.0 })
end

function TestVector.test_moments_of_a_distribution()
  local mean, var = ves.vector { 1, 2, 1 }:moments { -1, 0, 3 }
  lu.assertEquals(mean, 0.5)
  lu.assertEquals(var, (1.5 ^ 2 + 2 * 0.5 ^ 2 + 2.5 ^ 2) / 4)
end

function TestVector.test_not_a_number_has_no_order()
  local v = ves.vector { 0, 1 } / 0
  fails("element 1 is nan", function() v:sort() end)
  fails("element 1 is nan", function() v:order() end)
  fails("element 1 is nan", function() v:ranks() end)
  fails("element 1 is nan", function() v:search(1) end)
  fails("element 1 is nan", function() v:max() end)
end

function TestVector.test_printing()
  lu.assertEquals(tostring(ves.vector { 1, 2.5 }), "vector of 2 in [1, 2.5]: 1 2.5")
  lu.assertStrContains(tostring(ves.vector(100, 1)), "vector of 100 in [1, 1]: 1 1 1 1 1 1 1 1 ...")
end

function TestVector.test_closed()
  local v = support.close(ves.vector { 1, 2 })
  fails("expected one that has not been closed", function() return v[1] end)
  fails("expected one that has not been closed", function() return #v end)
  fails("expected one that has not been closed", function() v:sum() end)
  fails("expected one that has not been closed", function() return v + 1 end)
  fails("expected one that has not been closed", function() return v == ves.vector { 1, 2 } end)
  fails("expected one that has not been closed", function() ves.release.analytic(v) end)
  lu.assertEquals(tostring(v), "vector (closed)")
end

--- Elements are judged many at a time: one that is refused is found wherever it stands, and others are not mistaken
--- for it, by the rule of one number alone.
function TestVector.test_the_element_that_is_refused_is_named()
  local tiny, most = 5e-324, 1.7976931348623157e308
  local rng, code = ves.rng(1), ves.code { n = 5, lo = 0, hi = 1, sigma = 0.1 }
  local domains = {
    { function(v) return rng:mask(v) end, 0, 1 }, { ves.release.analytic, 0, 1e200 },
    { function(v) return ves.release.epistemic(v, ves.vector(#v)) end, tiny, most },
    { function(v) return code:encode(v) end, -most, most }, { ves.cdf.normal, -math.huge, math.huge },
    { function(v) return ves.score.crps(v, 1) end, -1e100, 1e100 },
  }
  local values = { -0.0, tiny, -tiny, 0.5, 1, 1 + 2 ^ -52, -1, 1e100, 1e100 * (1 + 2 ^ -52), -1e100, 1e200, 1.1e200,
                   -1.1e200, most, -most, math.huge, -math.huge, 0 / 0, -(0 / 0) }
  local wrong = {}
  for d, domain in ipairs(domains) do
    for _, n in ipairs { 1, 31, 32, 33, 100 } do
      for _, x in ipairs(values) do
        for _, at in ipairs { 1, 2, 31, 32, 33, 64, 97, 100 } do
          local v = ves.vector(n, 0.5)
          if at <= n and x - x == 0 then v[at] = x end
          if at <= n and x - x ~= 0 then
            local zero = ves.vector(n, 1)
            v[at], zero[at] = x == math.huge and 1 or x == -math.huge and -1 or 0, 0
            v = v / zero
          end
          local good, problem = pcall(domain[1], v)
          local expected = at > n or (x >= domain[2] and x <= domain[3])
          if good ~= expected or not good and not problem:find("[" .. at .. "] = ", 1, true) then
            wrong[#wrong + 1] = string.format("domain %d, element %d of %d = %g: %s", d, at, n, x, problem)
          end
        end
      end
    end
  end
  lu.assertEquals(table.concat(wrong, "\n"), "")
end

function TestVector.test_elements_behind_a_negative_zero_are_judged()
  local v = ves.vector(100, 0.5)
  v[3], v[90] = -0.0, 1.5
  fails("[90] = 1.5", function() ves.rng(1):mask(v) end)
end

TestMatrix = {}

local M = { { 1, 2, 3 }, { 4, 5, 6.5 } }

function TestMatrix.test_construction()
  local m = ves.matrix(M)
  lu.assertEquals({ #m, m.rows, m.cols }, { 2, 2, 3 })
  lu.assertEquals(m:totable(), M)
  lu.assertEquals(ves.matrix(2, 2, 7):totable(), { { 7.0, 7.0 }, { 7.0, 7.0 } })
  lu.assertEquals(ves.matrix { ves.vector { 1, 2 }, { 3, 4 } }:get(2, 1), 3.0)
  lu.assertTrue(ves.matrix(m) == m)
  fails("argument 'values'[2] has 1 elements: expected 2 as in row 1", function() ves.matrix { { 1, 2 }, { 3 } } end)
  fails("argument 'values'[1] = 1: expected a row of numbers", function() ves.matrix { 1, 2 } end)
  fails("argument 'values'[2][1] = 'x': expected a finite number", function() ves.matrix { { 1 }, { "x" } } end)
end

function TestMatrix.test_elements_and_rows()
  local m = ves.matrix(M)
  m[1][2] = 20
  m:set(2, 3, -1)
  lu.assertEquals({ m:get(1, 2), m[2][3] }, { 20.0, -1.0 })
  m[2] = { 7, 8, 9 }
  lu.assertEquals(m:row(2):totable(), { 7.0, 8.0, 9.0 })
  lu.assertEquals(m:col(1):totable(), { 1.0, 7.0 })
  fails("row 3 is out of range: the matrix has 2 rows", function() return m[3] end)
  fails("column 4 is out of range: the matrix has 3 columns", function() m:get(1, 4) end)
  fails("row 0 is out of range", function() m:set(0, 1, 1) end)
  fails("argument 'row' = a vector of 2: expected a vector of 3", function() m[1] = { 1, 2 } end)
  fails("no field or method 'row_sum': did you mean 'row_sums'?", function() m:row_sum() end)
end

function TestMatrix.test_a_row_keeps_its_matrix_alive()
  local row = ves.matrix(M)[2]
  for _ = 1, 50 do                       -- fill the place where the matrix was, if it was let go
    collectgarbage()
    local junk = {} -- luacheck: ignore
    for i = 1, 50 do junk[i] = ves.matrix(2, 3, 9) end
  end
  lu.assertEquals(row:totable(), M[2])
  local closed = ves.matrix(M)
  row = closed:row(1)
  support.close(closed)
  lu.assertEquals(row:totable(), { 1.0, 2.0, 3.0 })
end

function TestMatrix.test_arithmetic_and_products()
  local m = ves.matrix(M)
  lu.assertEquals((m * 2 - m):totable(), m:totable())
  lu.assertEquals((m / m):totable(), { { 1.0, 1.0, 1.0 }, { 1.0, 1.0, 1.0 } })
  lu.assertEquals((-m):get(1, 1), -1.0)
  lu.assertEquals(m:transpose():totable(), { { 1, 4 }, { 2, 5 }, { 3, 6.5 } })
  lu.assertEquals(m:mul({ 1, 0, 2 }):totable(), { 7.0, 17.0 })
  lu.assertEquals(m:mul(m:transpose()):totable(), { { 14, 33.5 }, { 33.5, 16 + 25 + 42.25 } })
  lu.assertEquals(m:mul({ { 1 }, { 0 }, { 2 } }):totable(), { { 7 }, { 17 } })
  local tall = ves.range(1, 21):reshape(7, 3) -- rows by fours, and three that are left
  lu.assertEquals(tall:mul({ 1, 0, 2 }):totable(), (tall:col(1) + tall:col(3) * 2):totable())
  fails("expected a matrix with 3 rows or a vector of 3", function() m:mul { 1, 2 } end)
end

-- Sums in the order of the shared index, to the last bit, whatever the number of factors that are not 0 and of columns.
function TestMatrix.test_products_in_order()
  for _, size in ipairs { { 3, 2 }, { 4, 8 }, { 7, 9 }, { 13, 17 } } do
    local shared, cols = size[1], size[2]
    local a = ves.rng(shared):normal(0, 1, 5 * shared):map(function(v) return math.abs(v) < 0.3 and 0 or v end)
    local b, wanted = ves.rng(cols):normal(0, 1, shared * cols):reshape(shared, cols), {}
    a = a:reshape(5, shared)
    for i = 1, 5 do
      wanted[i] = {}
      for j = 1, cols do
        wanted[i][j] = 0.0
        for k = 1, shared do wanted[i][j] = wanted[i][j] + a:get(i, k) * b:get(k, j) end
      end
    end
    lu.assertEquals((a:mul(b) - ves.matrix(wanted)):abs():max(), 0.0)
  end
end

function TestMatrix.test_statistics()
  local m = ves.matrix(M)
  lu.assertEquals(m:sum(), 21.5)
  lu.assertAlmostEquals(m:mean(), 21.5 / 6, 1e-15)
  lu.assertEquals(m:max(), 6.5)
  lu.assertEquals({ m:argmax() }, { 2, 3 })
  lu.assertEquals(m:row_sums():totable(), { 6.0, 15.5 })
  lu.assertEquals(m:col_sums():totable(), { 5.0, 7.0, 9.5 })
  lu.assertEquals(m:flatten():totable(), { 1, 2, 3, 4, 5, 6.5 })
  lu.assertEquals(m:quantile(1), 6.5)
  lu.assertEquals(m:sort()[1], 1.0)
  lu.assertTrue(m:copy() == m)
  lu.assertEquals(m:map(function(x) return -x end):get(1, 1), -1.0)
  local rows = 0
  for i, row in pairs(m) do
    rows = rows + 1
    lu.assertEquals(row[1], M[i][1])
  end
  lu.assertEquals(rows, 2)
  lu.assertStrContains(tostring(m), "2 x 3 matrix in [1, 6.5]")
end

function TestMatrix.test_absurd_sizes_are_refused()
  fails("expected an integer in [1, 100000000]", function() ves.matrix(1e9, 2) end)
  fails("is too large", function() ves.matrix(1e8, 1e8) end)
  fails("expected an integer in [1, 100000000]", function() ves.vector(1e300) end)
end

function TestMatrix.test_closed()
  local m = support.close(ves.matrix(M))
  fails("expected one that has not been closed", function() return m[1] end)
  fails("expected one that has not been closed", function() m:transpose() end)
end

os.exit(lu.LuaUnit.run(), true)
