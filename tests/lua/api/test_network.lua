-- Codes and networks: tuning curves, readouts, evidence, moments, files.
local lu = require "luaunit"
local ves = require "vesicle"
local support = require "support"

local fails = function(...) support.fails(lu, ...) end

-- exp(-(d/sigma)^2/2), zero beyond 8.5 sigma [eq:tuning]
local function curve(d, sigma)
  if math.abs(d / sigma) > 8.5 then return 0 end
  return math.exp(-(d / sigma) ^ 2 / 2)
end

local function center(c, i)
  if c.spacing == "bins" then return c.lo + (c.hi - c.lo) * (i - 0.5) / c.n end
  if c.spacing == "open" then return c.lo + (c.hi - c.lo) * (i - 1) / c.n end
  if c.n == 1 then return (c.lo + c.hi) / 2 end
  return c.lo + (c.hi - c.lo) * (i - 1) / (c.n - 1)
end

TestCode = {}

function TestCode.test_encoding_follows_the_curves()
  for _, p in ipairs {
    { n = 100, lo = -6, hi = 6, sigma = 0.05 }, { n = 7, lo = 1.25, hi = 2.5, sigma = 0.3 },
    { n = 1, lo = 0, hi = 2, sigma = 1 }, { n = 2, lo = -1e-3, hi = 1e-3, sigma = 100 },
    { n = 100, lo = -6, hi = 6, sigma = 0.05, spacing = "bins" },
    { n = 1, lo = 0, hi = 2, sigma = 1, spacing = "bins" },
    { n = 100, lo = -6, hi = 6, sigma = 0.05, spacing = "open" },
    { n = 1, lo = 0, hi = 2, sigma = 1, spacing = "open" },
  } do
    local code = ves.code(p)
    lu.assertEquals({ code.n, code.lo, code.hi, code.sigma, code.spacing },
      { p.n, p.lo, p.hi, p.sigma, p.spacing or "ends" })
    for i = 1, p.n do lu.assertAlmostEquals(code.centers[i], center(p, i), 1e-14) end
    for _, x in ipairs { -4, 0, 0.121, 1.7, 2.5, 5.999, -6.3, 40 } do
      local rate = code:encode(x)
      lu.assertEquals(#rate, p.n)
      for i = 1, p.n do
        local expected = curve(x - code.centers[i], p.sigma)
        lu.assertAlmostEquals(rate[i], expected, 1e-14)
        if expected == 0 then lu.assertEquals(rate[i], 0.0) end
      end
    end
  end
end

function TestCode.test_a_vector_is_encoded_row_by_row()
  local code = ves.code { n = 20, lo = -1, hi = 1, sigma = 0.2 }
  local m = code:encode { -0.5, 0.1, 3 }
  lu.assertEquals({ m.rows, m.cols }, { 3, 20 })
  for i, x in ipairs { -0.5, 0.1, 3 } do lu.assertEquals(m[i], code:encode(x)) end
end

function TestCode.test_decoding_is_the_peak_of_the_weighted_curves()
  local code = ves.code { n = 12, lo = -2, hi = 3, sigma = 0.4 }
  local rng = ves.rng(4)
  for _ = 1, 20 do
    local y = rng:uniform(12)
    local best, at = -1, nil
    for g = 0, 200 do
      local z, sum = -2 + 5 * g / 200, 0
      for j = 1, 12 do sum = sum + y[j] * curve(z - code.centers[j], 0.4) end
      if sum > best * (1 + 1e-13) then best, at = sum, z end
    end
    lu.assertAlmostEquals(code:decode(y, { grid = 201 }), at, 1e-12)
    local mass, moment = 0, 0
    for j = 1, 12 do mass, moment = mass + y[j], moment + y[j] * code.centers[j] end
    lu.assertAlmostEquals(code:mean(y), moment / mass, 1e-13)
  end
end

function TestCode.test_decoding_inverts_encoding()
  local code = ves.code { n = 100, lo = -6, hi = 6, sigma = 0.2 }
  for _, x in ipairs { -5, -1.234, 0, 0.06, 4 } do
    lu.assertAlmostEquals(code:decode(code:encode(x)), x, 0.1 * 12 / 99)
  end
  local zs = code:decode(code:encode { -1, 2 })
  lu.assertEquals(zs[1], code:decode(code:encode(-1)))
  lu.assertEquals(#zs, 2)
  lu.assertEquals(#code:mean(code:encode { -1, 2 }), 2)
  fails("has no activity to read", function() code:decode(ves.vector(100)) end)
  fails("row 2 of argument 'y' has no activity", function() code:mean(code:encode { 0, 77 }) end)
end

function TestCode.test_closed()
  local code = support.close(ves.code { n = 3, lo = 0, hi = 1, sigma = 1 })
  fails("expected one that has not been closed", function() code:encode(0) end)
  fails("expected one that has not been closed", function() return code.n end)
  fails("expected one that has not been closed", function()
    ves.network { input = code, output = code, rng = ves.rng(1) }
  end)
end

TestNetwork = {}

local function small_network(options)
  options = options or {}
  local input = ves.code { n = 6, lo = -1, hi = 1, sigma = 0.3 }
  local output = ves.code { n = 8, lo = -2, hi = 2, sigma = 0.5 }
  return ves.network {
    input = input, output = output, rng = options.rng or ves.rng(1), rate = options.rate,
    prior_a = options.prior_a, prior_b = options.prior_b,
  }
end

local xs = { -1, -0.3, 0.2, 0.9, 0.2, 5 }
local ys = { 1, 0.5, -1.5, 0, 2.2, 0 }

-- A = A0 + lambda X'Y, B = B0 + lambda X'(1 - Y) [eq:evidence]
local function check_evidence(net, A0, B0, rate, salience)
  local A, B = net.A, net.B
  for i = 1, 6 do
    for j = 1, 8 do
      local a, b = A0[i][j], B0[i][j]
      for r = 1, #xs do
        local x = curve(xs[r] - net.input.centers[i], 0.3)
        local y = curve(ys[r] - net.output.centers[j], 0.5)
        a = a + rate * salience[r] * x * y
        b = b + rate * salience[r] * x * (1 - y)
      end
      lu.assertAlmostEquals(A[i][j], a, 1e-14 * (1 + a))
      lu.assertAlmostEquals(B[i][j], b, 1e-14 * (1 + b))
    end
  end
end

function TestNetwork.test_evidence()
  local net = small_network()
  local A0, B0 = net.A, net.B
  lu.assertTrue(A0:min() >= 0.025 and A0:max() < 0.026 and B0:min() >= 0.100 and B0:max() < 0.101)
  lu.assertTrue(A0:max() - A0:min() > 0.0005)
  lu.assertEquals(net:observe(xs, ys), net)
  lu.assertEquals(net.rows, 6)
  check_evidence(net, A0, B0, 1, { 1, 1, 1, 1, 1, 1 })
  local weighted = small_network { rate = 0.5 }
  local salience = { 0, 2, 0.25, 1, 3, 1 }
  weighted:observe(xs, ys, { salience = salience })
  check_evidence(weighted, A0, B0, 0.5, salience)
  local even = small_network():observe(xs, ys, { salience = 2 })
  check_evidence(even, A0, B0, 1, { 2, 2, 2, 2, 2, 2 })
end

function TestNetwork.test_evidence_has_the_same_bits_however_it_is_chunked()
  local rng = ves.rng(8)
  local x, y, s = rng:uniform(1000) * 2 - 1, rng:normal(0, 1, 1000), rng:uniform(1000) * 3
  local whole = small_network():observe(x, y, { salience = s })
  local pieces, reversed = small_network(), small_network()
  local at = 1
  for _, size in ipairs { 1, 7, 300, 692 } do
    pieces:observe(x:slice(at, at + size - 1), y:slice(at, at + size - 1),
      { salience = s:slice(at, at + size - 1) })
    at = at + size
  end
  for i = 1000, 1, -1 do reversed:observe(x[i], y[i], { salience = s[i] }) end
  lu.assertTrue(whole.A == pieces.A and whole.B == pieces.B)
  lu.assertTrue(whole.A == reversed.A and whole.B == reversed.B)
  lu.assertEquals(reversed.rows, 1000)
end

function TestNetwork.test_a_refused_row_leaves_nothing_behind()
  local net = small_network():observe(xs, ys)
  local A = net.A
  fails("argument 'xs'[2] = nan", function() net:observe({ 0, 0 / 0 }, { 0, 0 }) end)
  fails("key 'salience'[2] = -1", function() net:observe({ 0, 0 }, { 0, 0 }, { salience = { 1, -1 } }) end)
  lu.assertTrue(net.A == A and net.rows == 6)
  fails("would exceed", function()
    for _ = 1, 2000 do net:observe(0, 0, { salience = 1048576 }) end
  end)
end

function TestNetwork.test_priors()
  local a, b = small_network { rng = ves.rng(1) }, small_network { rng = ves.rng(1) }
  lu.assertTrue(a.A == b.A)
  lu.assertFalse(a.A == small_network { rng = ves.rng(2) }.A)
  local rng = ves.rng(1)
  small_network { rng = rng }
  lu.assertEquals(rng.cursor, 0)
  local code = ves.code { n = 3, lo = 0, hi = 1, sigma = 1 }
  local fixed = ves.network { input = code, output = code, prior_a = 0.5, prior_b = { 2, 2 } }
  lu.assertEquals(fixed.A, ves.matrix(3, 3, 0.5))
  lu.assertEquals(fixed.B, ves.matrix(3, 3, 2))
  fails("key 'rng' is missing", function() ves.network { input = code, output = code } end)
  local wide = ves.network {
    input = ves.code { n = 50, lo = 0, hi = 1, sigma = 1 }, output = ves.code { n = 60, lo = 0, hi = 1, sigma = 1 },
    rng = ves.rng(3), prior_a = { 1, 2 },
  }
  lu.assertTrue(math.abs(wide.A:mean() - 1.5) / math.sqrt(1 / 12 / 3000) < 4.9)
end

function TestNetwork.test_moments_of_the_weights()
  local net = small_network():observe(xs, ys)
  local A, B, W, V = net.A, net.B, net:weights(), net:variance()
  for i = 1, 6 do
    for j = 1, 8 do
      local a, b = A[i][j], B[i][j]
      lu.assertAlmostEquals(W[i][j], a / (a + b), 1e-15)
      lu.assertAlmostEquals(V[i][j], a * b / ((a + b) ^ 2 * (a + b + 1)), 1e-15)
    end
  end
  lu.assertEquals(net:weights { 5, 2, 5 }, W:take { 5, 2, 5 })
  lu.assertEquals(net:variance { 6 }, V:take { 6 })
  net:observe(ys, xs)
  lu.assertEquals(net:weights(), net.A / (net.A + net.B))
  net = small_network():observe(xs, ys)
  W[1][1] = 0
  lu.assertAlmostEquals(net:weights()[1][1], A[1][1] / (A[1][1] + B[1][1]), 1e-15)
end

function TestNetwork.test_fields()
  local net = small_network()
  lu.assertEquals({ net.input.n, net.output.n, net.rows }, { 6, 8, 0 })
  fails("its fields are read-only", function() net.rows = 3 end)
  fails("no field or method 'weigths': did you mean 'weights'?", function() net:weigths() end)
  lu.assertEquals(tostring(net), "network of 6 x 8 synapses after 0 rows")
end

function TestNetwork.test_it_does_not_need_its_codes_any_more()
  local code = ves.code { n = 4, lo = 0, hi = 1, sigma = 0.5 }
  local net = ves.network { input = code, output = code, rng = ves.rng(1) }
  support.close(code)
  net:observe({ 0.5 }, { 0.25 })
  lu.assertEquals(net.rows, 1)
end

function TestNetwork.test_closed()
  local net = support.close(small_network())
  for _, f in ipairs {
    function() return net.A end, function() net:observe(0, 0) end, function() net:weights() end,
    function() net:sample { x = 0 } end, function() net:beta { x = 0 } end, function() net:save("x") end,
  } do
    fails("expected one that has not been closed", f)
  end
  lu.assertEquals(tostring(net), "network (closed)")
end

function TestNetwork.test_a_finalizer_may_close_it_under_our_hands()
  collectgarbage("generational")
  for _ = 1, 200 do
    local net = small_network():observe(xs, ys)
    local code = net.input
    setmetatable({}, { __gc = function() support.close(net); support.close(code) end }) -- luacheck: ignore
    pcall(function()
      for _ = 1, 20 do
        local W = net:weights()
        net:sample { x = 0, release = ves.release.analytic(W), rng = ves.rng(1), draws = 5, readout = "decode" }
        net:beta { x = 0, rng = ves.rng(1), draws = 5, readout = "decode" }
        code:decode(code:encode { 0, 0.1 })
        net:observe(xs, ys)
      end
    end)
  end
  collectgarbage("incremental")
end

TestFiles = {}

local function with_file(f)
  local path = os.tmpname()
  local ok, message = pcall(f, path)
  os.remove(path)
  if not ok then error(message, 0) end
end

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

local function write(path, bytes)
  local file <close> = assert(io.open(path, "wb"))
  file:write(bytes)
end

function TestFiles.test_round_trip()
  with_file(function(path)
    local net = small_network { rate = 0.75 }:observe(xs, ys)
    lu.assertEquals(net:save(path), net)
    local back = ves.load(path)
    lu.assertTrue(back.A == net.A and back.B == net.B)
    lu.assertEquals({ back.rows, back.input.n, back.output.sigma }, { 6, 6, 0.5 })
    local Q = ves.release.analytic(net:weights())
    local function draws(n) return n:sample { x = 0.2, release = Q, rng = ves.rng(1), draws = 50 } end
    lu.assertEquals(draws(back), draws(net))
    net:observe({ 0.1 }, { 0.7 })
    back:observe({ 0.1 }, { 0.7 })
    lu.assertTrue(back.A == net.A and back.B == net.B)
    net:save(path)
    local bytes = read(path)
    ves.load(path):save(path)
    lu.assertEquals(read(path), bytes)
  end)
end

function TestFiles.test_the_spacing_of_the_codes_is_kept()
  with_file(function(path)
    local input = ves.code { n = 6, lo = -1, hi = 1, sigma = 0.3, spacing = "bins" }
    local output = ves.code { n = 5, lo = -2, hi = 2, sigma = 0.5, spacing = "open" }
    local net = ves.network { input = input, output = output, rng = ves.rng(1) }:observe(xs, ys)
    lu.assertEquals({ net.input.spacing, net.output.spacing }, { "bins", "open" })
    net:save(path)
    local back = ves.load(path)
    lu.assertEquals({ back.input.spacing, back.output.spacing }, { "bins", "open" })
    lu.assertEquals({ back.input.centers, back.output.centers }, { input.centers, output.centers })
    back:observe({ 0.1 }, { 0.7 })
    net:observe({ 0.1 }, { 0.7 })
    lu.assertTrue(back.A == net.A and back.B == net.B)
    lu.assertEquals(tostring(input), "code of 6 neurons on [-1, 1], sigma 0.3, spacing bins")
  end)
end

function TestFiles.test_damage_is_noticed()
  with_file(function(path)
    small_network():observe(xs, ys):save(path)
    local bytes = read(path)
    for _, at in ipairs { 1, 17, 25, 33, 60, 130, 500, #bytes - 100, #bytes - 8, #bytes } do
      local byte = bytes:byte(at)
      write(path, bytes:sub(1, at - 1) .. string.char(byte ~ 0x10) .. bytes:sub(at + 1))
      lu.assertFalse(pcall(ves.load, path), "byte " .. at)
    end
    for _, length in ipairs { 0, 1, 15, 16, 24, 100, #bytes - 1 } do
      write(path, bytes:sub(1, length))
      lu.assertFalse(pcall(ves.load, path), "length " .. length)
    end
    write(path, bytes .. "x")
    fails("is damaged: it has the wrong size", ves.load, path)
    write(path, bytes:sub(1, 16) .. string.char(9) .. bytes:sub(18))
    fails("has format version 9.0: expected 3", ves.load, path)
    write(path, "something else entirely, long enough to have a header of its own")
    fails("is not a vesicle network", ves.load, path)
    fails("cannot read", ves.load, path .. "/nothing/here")
    fails("cannot write", function() small_network():save(path .. "/nothing/here") end)
  end)
end

-- the file's checksum, FNV-1a
local function sealed(bytes)
  local sum = -3750763034362895579       -- 14695981039346656037
  for i = 1, #bytes do sum = (sum ~ bytes:byte(i)) * 1099511628211 end
  return bytes .. string.pack("<i8", sum)
end

function TestFiles.test_a_forged_file_is_not_believed()
  with_file(function(path)
    small_network():observe(xs, ys):save(path)
    local bytes = read(path)
    local body = bytes:sub(1, -9)
    lu.assertEquals(sealed(body), bytes)
    local function forge(position, value)
      write(path, sealed(body:sub(1, position - 1) .. value .. body:sub(position + #value)))
      lu.assertFalse(pcall(ves.load, path), "forged " .. position)
    end
    local word = function(i) return 17 + 8 * i end
    -- version, inputs, places; n spacing lo hi sigma of input and output; key and bounds of the prior; rate, salience,
    -- rows, since; then the places: i, presence in two parts, 8 + 8 bins
    local place = 22
    forge(word(1), string.pack("<i8", 0))
    forge(word(1), string.pack("<i8", 17))
    forge(word(2), string.pack("<i8", 5))
    forge(word(2), string.pack("<i8", 7))
    forge(word(3), string.pack("<i8", 0))
    forge(word(3), string.pack("<i8", 1 << 40))
    forge(word(4), string.pack("<i8", 3))
    forge(word(9), string.pack("<i8", -1))
    forge(word(5), string.pack("<d", 1e300))
    forge(word(7), string.pack("<d", -1))
    forge(word(8), string.pack("<i8", 9))
    forge(word(14), string.pack("<d", 0))
    forge(word(14), string.pack("<d", 1))
    forge(word(17), string.pack("<d", 0 / 0))
    forge(word(18), string.pack("<d", -1))
    forge(word(18), string.pack("<d", 0 / 0))
    forge(word(19), string.pack("<i8", 1 << 62))
    forge(word(20), string.pack("<i8", 1 << 62))
    forge(word(21), string.pack("<i8", 1 << 20))
    forge(word(place), string.pack("<i8", 6))
    forge(word(place + 19), string.pack("<i8", 0)) -- the first place again
    forge(word(place + 1), string.pack("<d", -5))
    forge(word(place + 2), string.pack("<d", 2))
    forge(word(place + 3), string.pack("<d", 1e6))
    forge(word(place + 3), string.pack("<d", -1))
    forge(word(place + 11), string.pack("<d", math.huge))
  end)
end

os.exit(lu.LuaUnit.run(), true)
