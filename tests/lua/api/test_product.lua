-- Networks with several inputs: products of codes, sparse from observing to files.
local lu = require "luaunit"
local ves = require "vesicle"
local support = require "support"

local fails = function(...) support.fails(lu, ...) end

local first = ves.code { n = 5, lo = -1, hi = 1, sigma = 0.25 }
local second = ves.code { n = 4, lo = 0, hi = 3, sigma = 0.4, spacing = "bins" }
local output = ves.code { n = 8, lo = -2, hi = 2, sigma = 0.5 }

local function network(input)
  return ves.network { input = input or { first, second }, output = output, rng = ves.rng(1) }
end

local function data(rows)
  local rng = ves.rng(9)
  local a, b = rng:uniform(rows) * 2 - 1, rng:uniform(rows) * 3
  return { a, b }, a + b - 1.5 + rng:normal(0, 0.3, rows)
end

TestProduct = {}

-- rate_ij(a, b) = rate_i(a) rate_j(b) [eq:product]
function TestProduct.test_encoding_is_the_product_of_curves()
  local net = network()
  for _, x in ipairs { { 0, 1 }, { -0.93, 2.9 }, { 0.41, 0.07 } } do
    local rate, a, b = net:encode(x), first:encode(x[1]), second:encode(x[2])
    lu.assertEquals(#rate, 20)
    for i = 1, 5 do
      for j = 1, 4 do
        local product = a[i] * b[j]
        lu.assertEquals(rate[(i - 1) * 4 + j], product < math.exp(-8.5 ^ 2 / 2) and 0 or product)
      end
    end
  end
  lu.assertEquals(net:encode({ 50, 1 }):sum(), 0)
  lu.assertEquals(network(first):encode(0.3), first:encode(0.3))
  lu.assertEquals(#network { first, second, first }:encode { 0, 1, 0 }, 100)
end

function TestProduct.test_one_code_in_an_array_is_the_code()
  local xs, ys = data(500)
  local plain, one = network(first):observe(xs[1], ys), network { first }:observe({ xs[1] }, ys)
  lu.assertTrue(plain.A == one.A and plain.B == one.B)
  lu.assertEquals(one.input, first)
  local function draws(net, x)
    return net:sample { x = x, release = "analytic", rng = ves.rng(3), draws = 100 }
  end
  lu.assertEquals(draws(one, { 0.2 }), draws(plain, 0.2))
  lu.assertEquals(draws(one, first:encode(0.2)), draws(plain, 0.2))
  local function beta(net, x) return net:beta { x = x, rng = ves.rng(3), draws = 50 } end
  lu.assertEquals(beta(one, { 0.2 }), beta(plain, 0.2))
end

-- A = A0 + X'Y over the products, B = B0 + X'(1 - Y) [eq:evidence] [eq:product]
function TestProduct.test_evidence()
  local net, xs, ys = network(), data(60)
  local A, B = net.A, net.B
  for r = 1, 60 do
    local x, y = net:encode { xs[1][r], xs[2][r] }, output:encode(ys[r])
    for i = 1, 20 do
      for j = 1, 8 do
        A[i][j] = A[i][j] + x[i] * y[j]
        B[i][j] = B[i][j] + x[i] * (1 - y[j])
      end
    end
  end
  lu.assertEquals(net:observe(xs, ys), net)
  lu.assertTrue((net.A - A):abs():max() < 1e-12 and (net.B - B):abs():max() < 1e-12)
  lu.assertEquals(net.rows, 60)
  lu.assertEquals(net:weights(), net.A / (net.A + net.B))
  net:observe({ 0.1, 0.2 }, 0.3)
  lu.assertEquals(net.rows, 61)
end

function TestProduct.test_evidence_has_the_same_bits_however_it_is_chunked()
  local xs, ys = data(700)
  local s = ves.rng(5):uniform(700) * 2
  local whole, pieces = network():observe(xs, ys, { salience = s }), network()
  for _, at in ipairs { { 301, 700 }, { 300, 300 }, { 1, 299 } } do
    pieces:observe({ xs[1]:slice(at[1], at[2]), xs[2]:slice(at[1], at[2]) }, ys:slice(at[1], at[2]),
      { salience = s:slice(at[1], at[2]) })
  end
  lu.assertTrue(whole.A == pieces.A and whole.B == pieces.B)
end

-- A point is the activity it stands for, whatever is asked of a draw.
function TestProduct.test_points_and_activities_are_the_same_draws()
  local xs, ys = data(400)
  local net = network():observe(xs, ys)
  local W = net:weights()
  local Q, Phi = ves.release.analytic(W), ves.release.epistemic(net.A, net.B, "exact")
  local Sites = ves.release.epistemic(net.A, net.B, "exact", { sites = 3 })
  local x = { 0.31, 1.2 }
  for _, o in ipairs {
    {}, { readout = "index" }, { readout = "mean" }, { readout = "decode" }, { normaliser = "sum" }, { empty = "skip" },
    { active = 0.2 }, { stages = 2 }, { stages = 2, input_release = ves.vector(20, 0.5), readout = "mean" },
    { release = Q * Phi, rescale = Phi }, { release = Q * Sites, rescale = Sites, sites = 3 },
    { release = Q * Phi, rescale = Phi, hold = 5 }, { release = Q * Phi, rescale = Phi, stages = 2 },
    { release = "analytic" }, { release = "analytic", stages = 2, readout = "mean" },
  } do
    local function draws(at)
      local options = { x = at, release = Q, draws = 50, rng = ves.rng(7) }
      for key, value in pairs(o) do options[key] = value end
      return net:sample(options)
    end
    lu.assertEquals(draws(x), draws(net:encode(x)))
    if o.release == "analytic" then
      o.release = nil
      lu.assertEquals(draws(x), net:sample {
        x = x, release = "analytic", draws = 50, rng = ves.rng(7), stages = o.stages, readout = o.readout,
      })
    end
  end
  for _, readout in ipairs { "winner", "mean" } do
    local function draws(at) return net:beta { x = at, draws = 50, rng = ves.rng(7), readout = readout } end
    lu.assertEquals(draws(x), draws(net:encode(x)))
  end
end

-- Two stages sample the mixture of the active products; one stage what ves.winner.exact says.
function TestProduct.test_draws_have_the_exact_distribution()
  local xs, ys = data(300)
  local net = network():observe(xs, ys)
  local W, x = net:weights(), { 0.2, 1.9 }
  local draws = 20000
  local two = net:sample { x = x, release = "analytic", stages = 2, readout = "index", draws = draws, rng = ves.rng(4) }
  local p = ves.multi.two_stage_exact(W, net:encode(x))
  lu.assertTrue(support.chi2_p(support.tally(two), p:totable(), draws) > 1e-6)
  local narrow = ves.network {
    input = { ves.code { n = 5, lo = -1, hi = 1, sigma = 0.12 }, ves.code { n = 4, lo = 0, hi = 3, sigma = 0.25 } },
    output = output, rng = ves.rng(1),
  }:observe(xs, ys)
  W = narrow:weights()
  local Q, rate = ves.release.analytic(W), narrow:encode(x)
  local exact, nothing = ves.winner.exact(W, Q, rate)
  local one, info = narrow:sample {
    x = x, release = Q, normaliser = "none", empty = "skip", readout = "index", draws = draws, rng = ves.rng(4),
  }
  local expected = { [0] = nothing }
  for j = 1, 8 do expected[j] = exact[j] end
  local seen = support.tally(one)
  seen[0] = draws - info.kept
  lu.assertTrue(support.chi2_p(seen, expected, draws) > 1e-6)
end

-- p = W'x / sum of W'x [eq:mixture]
function TestProduct.test_the_encoded_distribution()
  local xs, ys = data(300)
  local net = network():observe(xs, ys)
  lu.assertEquals(net:mixture { 0.2, 1.9 }, ves.multi.mixture(net:weights(), net:encode { 0.2, 1.9 }))
  lu.assertEquals(net:mixture({ 0.2, 1.9 }, { active = 0.3 }),
    ves.multi.mixture(net:weights(), net:encode { 0.2, 1.9 }, { active = 0.3 }))
  lu.assertEquals(net:mixture(net:encode { 0.2, 1.9 }), net:mixture { 0.2, 1.9 })
  fails("network:mixture: argument 'x' = a vector of 2: expected an input that activates", function()
    net:mixture { 77, 0 }
  end)
end

function TestProduct.test_files()
  local path = os.tmpname()
  local function size()
    local file <close> = assert(io.open(path, "rb"))
    return #file:read("a")
  end
  local xs, ys = data(100)
  local net = network():observe(xs, ys)
  net:save(path)
  local back = ves.load(path)
  lu.assertTrue(back.A == net.A and back.B == net.B)
  lu.assertEquals({ #back.input, back.input[1].n, back.input[2].spacing }, { 2, 5, "bins" })
  back:observe(xs, ys)
  net:observe(xs, ys)
  lu.assertTrue(back.A == net.A and back.B == net.B)
  -- a file is as long as what was seen is wide: of 9 million inputs a handful
  local fine = ves.code { n = 3000, lo = 0, hi = 1, sigma = 1e-4 }
  local wide = ves.network { input = { fine, fine }, output = output, rng = ves.rng(1) }:observe({ 0.3, 0.4 }, 1)
  wide:save(path)
  lu.assertTrue(size() < 20000, size())
  local function draws(n) return n:sample { x = { 0.3, 0.4 }, release = "analytic", rng = ves.rng(2), draws = 20 } end
  lu.assertEquals(draws(ves.load(path)), draws(wide))
  os.remove(path)
end

-- Three inputs of 20 curves each: 8000 rows of synapses, 10^5 observations.
function TestProduct.test_three_inputs()
  local code = ves.code { n = 20, lo = 0, hi = 1, sigma = 0.5 / 19 }
  local rng, rows = ves.rng(2), 100000
  local a, b, c = rng:uniform(rows), rng:uniform(rows), rng:uniform(rows)
  local y = (a * b + c) / 2
  local net = ves.network { input = { code, code, code }, output = code, rng = rng }:observe({ a, b, c }, y)
  lu.assertEquals(tostring(net), "network of 8000 x 20 synapses after 100000 rows")
  local drawn = net:sample { x = { 0.5, 0.6, 0.7 }, release = "analytic", stages = 2, rng = rng, readout = "mean" }
  lu.assertAlmostEquals(drawn:mean(), (0.5 * 0.6 + 0.7) / 2, 0.05)
end

function TestProduct.test_what_does_not_fit()
  local code = ves.code { n = 2000, lo = 0, hi = 1, sigma = 0.001 }
  fails("a network of 2000 x 2000 x 2000 inputs and 2000 outputs would be 1.6e+13 synapses, " ..
    "2.56e+05 GB of evidence: expected at most 1e9 synapses, of 1e8 inputs",
    function() ves.network { input = { code, code, code }, output = code, rng = ves.rng(1) } end)
end

os.exit(lu.LuaUnit.run(), true)
