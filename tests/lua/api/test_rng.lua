-- Streams: names, cursors, draws one by one and at once, and the distributions.
local lu = require "luaunit"
local ves = require "vesicle"
local support = require "support"

local fails = function(...) support.fails(lu, ...) end

TestStream = {}

function TestStream.test_a_draw_depends_on_seed_name_and_index_alone()
  local a, b = ves.rng(20211118), ves.rng(20211118)
  lu.assertEquals(a:uniform(), b:uniform())
  b:uniform(100)
  lu.assertEquals(a:stream("x", 3):uniform(5), b:stream("x", 3):uniform(5))
  lu.assertNotEquals(a:uniform(), b:uniform())
  lu.assertNotEquals(ves.rng(1):uniform(), ves.rng(2):uniform())
  lu.assertEquals(ves.rng(7.0):uniform(), ves.rng(7):uniform())
  lu.assertNotEquals(ves.rng(-1):uniform(), ves.rng(1):uniform())
  lu.assertNotEquals(ves.rng(math.mininteger):uniform(), ves.rng(math.maxinteger):uniform())
  lu.assertNotEquals(ves.rng(0):uniform(), ves.rng(4357):uniform())
end

function TestStream.test_names()
  local r = ves.rng(1)
  local function first(...) return r:stream(...):uniform() end
  lu.assertEquals(first(3), first(3.0))
  lu.assertNotEquals(first(3), first("3"))
  lu.assertNotEquals(first(3), first(3.5))
  lu.assertNotEquals(first("a", "b"), first("ab"))
  lu.assertNotEquals(first("a", "b"), first("b", "a"))
  lu.assertEquals(first("a", "b"), r:stream("a"):stream("b"):uniform())
  lu.assertNotEquals(first(""), r:uniform())
  lu.assertNotEquals(first("a\0b"), first("a\0c"))
  local long = string.rep("x", 1000)
  lu.assertNotEquals(first(long .. "1"), first(long .. "2"))
  lu.assertEquals(first(0.0), first(-0.0))
end

function TestStream.test_many_names_give_many_streams()
  local r, seen = ves.rng(5), {}
  for i = -500, 500 do
    for _, name in ipairs { i, i + 0.5, tostring(i) } do
      local u = r:stream(name):uniform()
      lu.assertNil(seen[u])
      seen[u] = true
    end
  end
end

function TestStream.test_draws_at_once_are_draws_one_by_one()
  local calls = {
    function(r, n) return r:uniform(n) end,
    function(r, n) return r:normal(2, 3, n) end,
    function(r, n) return r:beta(0.3, 2.5, n) end,
    function(r, n) return r:bernoulli(0.3, n) end,
    function(r, n) return r:integer(7, n) end,
  }
  for _, draw in ipairs(calls) do
    local a, b = ves.rng(3):stream("a"), ves.rng(3):stream("a")
    local bulk = draw(a, 50)
    lu.assertEquals(a.cursor, 50)
    for i = 1, 50 do lu.assertEquals(bulk[i], draw(b) + 0.0) end
    lu.assertEquals(b.cursor, 50)
  end
end

function TestStream.test_cursor()
  local r = ves.rng(1)
  lu.assertEquals(r.cursor, 0)
  local first = r:uniform()
  r:normal(0, 1, 9)
  r:permutation(10)
  lu.assertEquals(r.cursor, 11)
  lu.assertEquals(r:seek(0):uniform(), first)
  fails("expected an integer in [0, 9007199254740991]", function() r:seek(-1) end)
  r:seek(2 ^ 53 - 2)
  r:uniform()
  r:uniform()
  fails("take a substream", function() r:uniform() end)
  fails("take a substream", function() ves.rng(1):seek(2 ^ 53 - 1):uniform(2) end)
end

function TestStream.test_integer_types()
  local r = ves.rng(1)
  lu.assertEquals(math.type(r:bernoulli(0.5)), "integer")
  lu.assertEquals(math.type(r:integer(6)), "integer")
  lu.assertEquals(r:bernoulli(0), 0)
  lu.assertEquals(r:bernoulli(1), 1)
  lu.assertEquals(r:integer(1), 1)
end

-- z of a mean of n draws against its expectation, |z| < 4.9 has p > 1e-6
local function assert_mean(v, mean, sd)
  lu.assertTrue(math.abs(v:mean() - mean) / (sd / math.sqrt(#v)) < 4.9)
end

function TestStream.test_moments()
  local r, n = ves.rng(42), 100000
  local u = r:stream("u"):uniform(n)
  assert_mean(u, 1 / 2, math.sqrt(1 / 12))
  assert_mean((u - 0.5) ^ 2, 1 / 12, math.sqrt(1 / 80 - 1 / 144))
  lu.assertTrue(u:min() >= 0 and u:max() < 1)
  local z = r:stream("z"):normal(0, 1, n)
  assert_mean(z, 0, 1)
  assert_mean(z ^ 2, 1, math.sqrt(2))
  assert_mean(z ^ 4, 3, math.sqrt(96))
  local narrow = r:stream("z2"):normal(-3, 0.25, n)
  assert_mean(narrow, -3, 0.25)
  assert_mean((narrow + 3) ^ 2, 0.0625, 0.0625 * math.sqrt(2))
  local a, b = 0.7, 2.3
  local var = a * b / ((a + b) ^ 2 * (a + b + 1))
  local beta = r:stream("b"):beta(a, b, n)
  assert_mean(beta, a / (a + b), math.sqrt(var))
  assert_mean(r:stream("p"):bernoulli(0.3, n), 0.3, math.sqrt(0.21))
end

--- Masks are those of the draws of a sampler of one input. [eq:bernoulli]
function TestStream.test_masks()
  local q, n = ves.vector { 0, 1, 0.3, 0.004, 0.999, 0.5 }, 20000
  local r, again, looked = ves.rng(5), ves.rng(5), ves.rng(5)
  local M = r:mask(q, n)
  lu.assertEquals(r.cursor, n)
  lu.assertEquals(M:row(1):totable(), again:mask(q):totable())
  lu.assertEquals(M:row(2):totable(), again:mask(q):totable())
  for d = 1, 50 do
    lu.assertEquals(M:row(d):totable(), ves.draw(ves.vector(6, 1), q, { rng = looked, draw = d }).transmits:totable())
  end
  for j = 1, #q do assert_mean(M:col(j), q[j], math.sqrt(q[j] * (1 - q[j])) + 1e-9) end
  local counted = ves.rng(5)
  lu.assertEquals(counted:mask_counts(q, n), M:col_sums())
  lu.assertEquals(counted.cursor, n)
  local wide = ves.rng(6):mask_counts(ves.vector(130, 0.5), 4000)
  lu.assertEquals(wide, ves.rng(6):mask(ves.vector(130, 0.5), 4000):col_sums())
  lu.assertTrue((wide - 2000):abs():max() < 5.6 * math.sqrt(1000)) -- 130 columns, each p > 1e-8
end

function TestStream.test_integers_are_equally_likely()
  local n, p = 60000, {}
  for i = 1, 7 do p[i] = 1 / 7 end
  local counts = support.tally(ves.rng(9):integer(7, n))
  lu.assertTrue(support.chi2_p(counts, p, n) > 1e-6)
  local large = ves.rng(9):integer(2 ^ 53, 1000)
  lu.assertTrue(large:min() >= 1 and large:max() <= 2 ^ 53)
  lu.assertTrue(large:mean() > 2 ^ 52 * 0.85 and large:mean() < 2 ^ 52 * 1.15)
end

function TestStream.test_neighbouring_streams_are_independent()
  local r, n = ves.rng(11), 20000
  for i = 1, 5 do
    local a, b = r:stream(i):uniform(n) - 0.5, r:stream(i + 1):uniform(n) - 0.5
    lu.assertTrue(math.abs(a:dot(b)) * 12 / math.sqrt(n) < 4.9)
  end
end

function TestStream.test_permutations()
  local r = ves.rng(2)
  lu.assertEquals(r:permutation(100):sort(), ves.vector(100, 1):cumsum())
  local p, counts, draws = {}, {}, 6000
  for i = 1, 6 do p[i] = 1 / 6 end
  local id = { [123] = 1, [132] = 2, [213] = 3, [231] = 4, [312] = 5, [321] = 6 }
  for _ = 1, draws do
    local v = r:permutation(3)
    local k = id[math.tointeger(100 * v[1] + 10 * v[2] + v[3])]
    counts[k] = (counts[k] or 0) + 1
  end
  lu.assertTrue(support.chi2_p(counts, p, draws) > 1e-6)
end

function TestStream.test_closed_and_misused()
  local r = ves.rng(1)
  fails("argument 'self' = nil: expected a stream", function() r.uniform() end)
  fails("did you mean 'uniform'?", function() return r.unifrom end)
  fails("its fields are read-only", function() r.cursor = 3 end)
  local closed = support.close(ves.rng(1))
  fails("expected one that has not been closed", function() closed:uniform() end)
  fails("expected one that has not been closed", function() closed:stream("a") end)
end

function TestStream.test_beta_draws_of_vectors_are_those_of_their_elements()
  local a, b = ves.vector { 0.5, 2, 30, 1 }, ves.vector { 0.5, 7, 1, 1 }
  local r = ves.rng(5):stream("beta")
  local many, after = r:beta(a, b), r:uniform()
  r:seek(0)
  for i = 1, #a do lu.assertEquals(many[i], r:beta(a[i], b[i])) end
  lu.assertEquals(after, r:uniform())
end

os.exit(lu.LuaUnit.run(), true)
