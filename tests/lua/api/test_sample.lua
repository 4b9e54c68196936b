-- Sampling: against exact distributions, addresses of draws, readouts, empty draws, the Beta reference.
local lu = require "luaunit"
local ves = require "vesicle"
local support = require "support"

local fails = function(...) support.fails(lu, ...) end

TestWinner = {}

function TestWinner.test_one_input()
  local rng = ves.rng(1)
  for _, n in ipairs { 1, 2, 5, 60 } do
    local w, q = rng:uniform(n), rng:uniform(n)
    local p, nothing = ves.winner.exact(w, q)
    local expected, silent = support.winner(w, q)
    for i = 1, n do lu.assertAlmostEquals(p[i], expected[i], 1e-15) end
    lu.assertAlmostEquals(nothing, silent, 1e-15)
    lu.assertAlmostEquals(p:sum() + nothing, 1, 1e-14)
  end
  local p, nothing = ves.winner.exact({ 0, 0 }, { 1, 1 })
  lu.assertEquals({ p[1], p[2], nothing }, { 0.0, 0.0, 1.0 })
  p = ves.winner.exact({ 2, 2 }, { 0.5, 0.5 })
  lu.assertEquals(p:totable(), { 0.5, 0.25 }) -- the lower index is the stronger of equals
end

function TestWinner.test_several_inputs_against_enumeration()
  local cases = {
    { W = { { 0.6, 0.4 }, { 0.1, 0.9 } }, Q = { { 0.5, 1 }, { 1, 0.9 } }, x = { 1, 0.5 } },
    { W = { { 0.6, 0.3, 0.1 }, { 0.1, 0.3, 0.6 } }, Q = { { 0.2, 0.7, 0.3 }, { 0.9, 0.4, 0.1 } }, x = { 1, 1 } },
    { W = { { 1, 2, 3, 4 }, { 4, 3, 2, 1 }, { 1, 1, 1, 1 } },
      Q = { { 0.1, 0.2, 0.3, 0.4 }, { 0.5, 0.5, 0.5, 0.5 }, { 0.9, 0.8, 0.7, 0.6 } }, x = { 1, 1, 1 } },
  }
  for _, c in ipairs(cases) do
    local p, nothing = ves.winner.exact(c.W, c.Q, c.x)
    local expected = support.winner_by_enumeration(c.W, c.Q, c.x)
    for j = 1, #p do lu.assertAlmostEquals(p[j], expected[j], 1e-14) end
    lu.assertAlmostEquals(nothing, expected[0], 1e-14)
  end
end

function TestWinner.test_inactive_inputs_do_not_count()
  local W, Q = ves.matrix(20, 3, 0.5), ves.matrix(20, 3, 0.5)
  local x = ves.vector(20)
  x[4], x[9] = 1, 0.5
  local p = ves.winner.exact(W, Q, x)
  lu.assertEquals(p, ves.winner.exact({ { 0.5, 0.5, 0.5 }, { 0.5, 0.5, 0.5 } },
    { { 0.5, 0.5, 0.5 }, { 0.5, 0.5, 0.5 } }, { 1, 0.5 }))
  local none, nothing = ves.winner.exact(W, Q, ves.vector(20))
  lu.assertEquals({ none:sum(), nothing }, { 0.0, 1.0 })
  lu.assertEquals(select(2, ves.winner.exact(W, Q, x, { active = 2 })), 1.0)
  lu.assertEquals(ves.winner.exact(W, Q, x, { active = 0.5 }),
    ves.winner.exact({ { 0.5, 0.5, 0.5 } }, { { 0.5, 0.5, 0.5 } }, { 1 }))
  fails("at most 6 activities above 0.001, not 20", ves.winner.exact, W, Q, ves.vector(20, 1))
end

--- Many states of one input at once: each row as by itself. [eq:winner]
function TestWinner.test_states()
  local w, Q = ves.vector { 0.2, 0.5, 0.5, 0 }, ves.rng(8):uniform(20):reshape(5, 4)
  local P, nothing = ves.winner.exact(w, Q)
  for i = 1, 5 do
    local p, none = ves.winner.exact(w, Q[i])
    lu.assertEquals(P[i]:totable(), p:totable())
    lu.assertEquals(nothing[i], none)
  end
  fails("expected a 5 x 4 matrix", ves.winner.exact, w, ves.matrix(5, 3))
end

TestSample = {}

function TestSample.test_frequencies_are_the_exact_ones()
  local rng, draws = ves.rng(77), 50000
  local cases = {
    { { 0.5, 0.3, 0.2 }, { 0.5, 0.6, 1 } },
    { { 0.2, 0.2, 0.9, 0.4 }, { 0.1, 0.4, 0.05, 0.3 } },
    { rng:uniform(80), rng:uniform(80) * 0.1 },
    { rng:uniform(300), ves.release.analytic(ves.rng(77):seek(1):uniform(300)) },
    { { 1, 1, 1, 1, 1, 1 }, { 0.3, 0.3, 0.3, 0.3, 0.3, 0.3 } },
    { { 3 }, { 0.123456789 } },
  }
  for i, case in ipairs(cases) do
    local w, q = case[1], case[2]
    local p, nothing = support.winner(w, q)
    p[0] = nothing
    local wins = ves.sample(w, q, { draws = draws, rng = rng:stream("sample", i) })
    lu.assertTrue(support.chi2_p(support.tally(wins), p, draws) > 1e-6, "case " .. i)
  end
end

function TestSample.test_the_analytic_mapping_samples_the_weights()
  local w = -ves.rng(6):uniform(200):log()
  local draws = 100000
  local wins = ves.sample(w, ves.release.analytic(w), { draws = draws, rng = ves.rng(6):stream("draw") })
  lu.assertEquals(wins:min() > 0, true)
  lu.assertTrue(support.chi2_p(support.tally(wins), (w / w:sum()):totable(), draws) > 1e-6)
end

function TestSample.test_draws_have_addresses()
  local w, q = ves.rng(1):uniform(100), ves.vector(100, 0.03)
  local whole = ves.sample(w, q, { draws = 1000, rng = ves.rng(2) })
  local rng = ves.rng(2)
  local a, b = ves.sample(w, q, { draws = 500, rng = rng }), ves.sample(w, q, { draws = 500, rng = rng })
  lu.assertEquals(rng.cursor, 1000)
  for d = 1, 500 do
    lu.assertEquals(a[d], whole[d])
    lu.assertEquals(b[d], whole[500 + d])
  end
  lu.assertEquals(#ves.sample(w, q, { rng = rng }), 1000)
end

function TestSample.test_corners()
  local rng = ves.rng(1)
  lu.assertEquals(ves.sample({ 0, 0 }, { 1, 1 }, { draws = 5, rng = rng }):max(), 0.0)
  lu.assertEquals(ves.sample({ 1, 2 }, { 0, 0 }, { draws = 5, rng = rng }):max(), 0.0)
  lu.assertEquals(ves.sample({ 1 }, { 1 }, { draws = 5, rng = rng }):min(), 1.0)
  lu.assertEquals(ves.sample({ 1, 2 }, { 1, 1 }, { draws = 5, rng = rng }):min(), 2.0)
  lu.assertEquals(ves.sample({ 2, 2 }, { 1, 1 }, { draws = 5, rng = rng }):max(), 1.0)
  local w = ves.vector(10000, 1)
  local wins = ves.sample(w, ves.release.analytic(w), { draws = 2000, rng = rng })
  lu.assertTrue(wins:min() >= 1 and wins:max() <= 10000)
  lu.assertAlmostEquals(wins:mean(), 5000, 4.9 * 2887 / math.sqrt(2000))
end

TestNetworkSample = {}

-- three inputs with activities of our own, four outputs
local function network()
  local input = ves.code { n = 3, lo = 0, hi = 2, sigma = 0.4 }
  local output = ves.code { n = 4, lo = -1, hi = 2, sigma = 0.3 }
  return ves.network { input = input, output = output, rng = ves.rng(1) }
    :observe({ 0, 0, 1, 1, 2, 2 }, { -1, 0, 0, 1, 2, 1.4 })
end

local Q = { { 0.2, 0.3, 0.7, 0.9 }, { 0.5, 0.4, 0.3, 0.2 }, { 0.6, 0.1, 0.8, 0.3 } }

-- the distribution that masks enumerate, given the readout "index": releases divided, weights x_i w_ij (or / phi)
local function exact(net, x, divisor, phi)
  local W, active, release, activity = net:weights(), {}, {}, {}
  for i = 1, 3 do
    if x[i] > 1e-3 then
      local row, q = {}, {}
      for j = 1, 4 do
        row[j] = W[i][j] / (phi and phi[i][j] or 1)
        q[j] = Q[i][j] / divisor
      end
      active[#active + 1], release[#release + 1], activity[#activity + 1] = row, q, x[i]
    end
  end
  return support.winner_by_enumeration(active, release, activity)
end

local function check(options, x, divisor, phi, empty)
  local net, draws = network(), 40000
  options.release, options.draws, options.readout = Q, draws, "index"
  options.empty, options.rescale = empty, phi
  local p = exact(net, x, divisor, phi)
  local wins, info = net:sample(options)
  local given = {}
  for j = 1, 4 do given[j] = p[j] / (1 - p[0]) end
  lu.assertTrue(support.chi2_p(support.tally(wins), given, #wins) > 1e-6)
  local z = (info.empty - p[0]) / math.sqrt(p[0] * (1 - p[0]) / info.attempts)
  lu.assertTrue(p[0] == 0 or math.abs(z) < 4.9)
  lu.assertEquals(info.draws, draws)
  lu.assertEquals(info.kept, #wins)
  if empty == "skip" then
    lu.assertEquals(info.attempts, draws)
    lu.assertAlmostEquals(info.empty, 1 - #wins / draws, 1e-15)
  else
    lu.assertEquals(#wins, draws)
    lu.assertAlmostEquals(info.empty, 1 - draws / info.attempts, 1e-15)
  end
end

function TestNetworkSample.test_frequencies_are_the_exact_ones()
  local x = { 1, 0.25, 0.5 }
  local participation = 1.75 ^ 2 / (1 + 0.0625 + 0.25)
  local rng = ves.rng(12)
  check({ x = x, rng = rng:stream(1) }, x, participation)
  check({ x = x, rng = rng:stream(2), normaliser = "none" }, x, 1)
  check({ x = x, rng = rng:stream(3), normaliser = "sum" }, x, 1.75, nil, "skip")
  check({ x = x, rng = rng:stream(4), normaliser = "count" }, x, 3, nil, "redraw")
  local phi = { { 0.5, 0.9, 0.3, 0.8 }, { 0.2, 0.6, 1, 0.7 }, { 0.4, 0.5, 0.6, 0.7 } }
  check({ x = x, rng = rng:stream(5) }, x, participation, phi)
  check({ x = { 0, 0.25, 0 }, rng = rng:stream(6) }, { 0, 0.25, 0 }, 1)
end

function TestNetworkSample.test_a_number_is_encoded()
  local net = network()
  local x = net.input:encode(0.7)
  local function draws(value) return net:sample { x = value, release = Q, draws = 300, rng = ves.rng(3) } end
  lu.assertEquals(draws(0.7), draws(x))
end

function TestNetworkSample.test_inactive_inputs_take_no_part()
  local net = network()
  local other = ves.matrix(Q)
  other[2] = { 1, 1, 1, 1 }
  local function draws(release, active)
    return net:sample { x = { 1, 0.01, 0.5 }, release = release, draws = 300, rng = ves.rng(3), active = active }
  end
  lu.assertEquals(draws(Q, 0.05), draws(other, 0.05))
  lu.assertEquals(draws(Q, 0.01), draws(other, 0.01)) -- at the threshold is not above it
  lu.assertNotEquals(draws(Q), draws(other))
end

function TestNetworkSample.test_readouts_read_the_same_draws()
  local net = network()
  local function draws(readout, empty)
    return net:sample { x = { 1, 0.5, 0.2 }, release = Q, draws = 500, rng = ves.rng(3), readout = readout,
      empty = empty }
  end
  for _, empty in ipairs { "redraw", "skip" } do
    local index, winner = draws("index", empty), draws("winner", empty)
    local mean, decoded = draws("mean", empty), draws("decode", empty)
    lu.assertEquals(#mean, #index)
    for d = 1, #index do
      lu.assertEquals(winner[d], net.output.centers[math.tointeger(index[d])])
      lu.assertTrue(mean[d] >= -1 and mean[d] <= 2 and decoded[d] >= -1 and decoded[d] <= 2)
    end
  end
end

-- with one synapse transmitting at a time every readout says the same; with all transmitting the mean is W'x's
function TestNetworkSample.test_mean_and_decode()
  local net = network()
  local W, x = net:weights(), { 1, 0.5, 0.2 }
  local mass, moment = 0, 0
  for j = 1, 4 do
    local y = 0
    for i = 1, 3 do y = y + x[i] * W[i][j] end
    mass, moment = mass + y, moment + y * net.output.centers[j]
  end
  local all = { x = x, release = ves.matrix(3, 4, 1), draws = 3, rng = ves.rng(1), normaliser = "none" }
  all.readout = "mean"
  lu.assertAlmostEquals(net:sample(all)[2], moment / mass, 1e-14)
  all.readout = "decode"
  lu.assertEquals(net:sample(all)[2], net.output:decode(W:transpose():mul(x)))
  all.width = 0.7
  lu.assertEquals(net:sample(all)[2], net.output:decode(W:transpose():mul(x), { width = 0.7 }))
  local one = ves.matrix(3, 4)
  one[2][3] = 1
  for _, readout in ipairs { "winner", "mean" } do
    local v = net:sample { x = { 0, 1, 0 }, release = one, draws = 3, rng = ves.rng(1), readout = readout }
    lu.assertAlmostEquals(v[1], net.output.centers[3], 1e-14)
  end
end

-- kernels much wider than the range peak at the mean of the activity; those as wide as the curves are the default.
-- Readouts read the same activities
function TestNetworkSample.test_width_of_the_kernels()
  local net = network()
  local chain, all = ves.chain { net }, ves.matrix(3, 4, 0.7)
  for _, draw in ipairs {
    function(o) return net:sample(o) end,
    function(o)
      o.release = { all }
      return chain:sample(o)
    end,
    function(o)
      o.release = nil
      return net:beta(o)
    end,
  } do
    local function read(readout, width)
      return draw { x = { 1, 0.5, 0.2 }, release = all, draws = 50, rng = ves.rng(5), readout = readout, width = width }
    end
    local mean, wide, Y = read("mean"), read("decode", 100), read("activity")
    lu.assertEquals(net.output:mean(Y), mean)
    lu.assertEquals(net.output:decode(Y, { width = 100 }), wide)
    for d = 1, 50 do lu.assertAlmostEquals(wide[d], mean[d], 0.51 * 3 / 48) end
    lu.assertEquals(read("decode", net.output.sigma), read "decode")
    lu.assertNotEquals(read("decode", 1), read "decode")
  end
end

function TestNetworkSample.test_draws_have_addresses()
  local net = network()
  for _, readout in ipairs { "winner", "mean" } do
    local function draws(n, rng)
      return net:sample { x = 1.2, release = Q, draws = n, rng = rng, readout = readout }
    end
    local whole, rng = draws(1000, ves.rng(2)), ves.rng(2)
    local a, b = draws(500, rng), draws(500, rng)
    lu.assertEquals(rng.cursor, 1000)
    for d = 1, 500 do lu.assertEquals({ a[d], b[d] }, { whole[d], whole[500 + d] }) end
  end
end

function TestNetworkSample.test_silence()
  local net, zero, rng = network(), ves.matrix(3, 4), ves.rng(1)
  fails("nothing transmits", function() net:sample { x = 1, release = zero, rng = rng } end)
  fails("expected an input that activates some neuron above 0.001", function()
    net:sample { x = 99, release = Q, rng = rng }
  end)
  for _, x in ipairs { 1, 99 } do
    for _, readout in ipairs { "winner", "mean", "decode" } do
      local v, info = net:sample { x = x, release = zero, rng = rng, draws = 7, empty = "skip", readout = readout }
      lu.assertEquals({ #v, info.empty, info.attempts, info.kept, info.draws }, { 0, 1.0, 7, 0, 7 })
      fails("0 elements: expected at least 1", function() v:mean() end)
      fails("expected at least one element", function() ves.score.crps(v, 0) end)
      lu.assertEquals(v:totable(), {})
      lu.assertEquals(tostring(v), "vector of 0")
    end
  end
  fails("nothing transmits", function() net:sample { x = 1, release = zero + 1e-15, rng = rng, draws = 1 } end)
end

TestBeta = {}

-- [eq:beta]
function TestBeta.test_moments_of_the_weights()
  -- one active input with activity 1 and the mean readout of two outputs: moments of w2 / (w1 + w2) are not simple,
  -- but E[y] is: draw many, compare the winner's frequency with a direct simulation of Beta draws
  local input = ves.code { n = 1, lo = 0, hi = 1, sigma = 1 }
  local output = ves.code { n = 2, lo = 0, hi = 1, sigma = 0.2 }
  for _, case in ipairs { { "AB", 0 }, { "AB+1", 1 } } do
    local net = ves.network { input = input, output = output, prior_a = 2, prior_b = 3 }
    net:observe({ 0.5, 0.5, 0.5 }, { 1, 1, 0 })
    local A, B, n = net.A, net.B, 20000
    local wins = net:beta { x = { 1 }, draws = n, rng = ves.rng(1), beta = case[1], readout = "index" }
    local rng, count = ves.rng(99), 0
    local w1 = rng:beta(A[1][1] + case[2], B[1][1] + case[2], n)
    local w2 = rng:beta(A[1][2] + case[2], B[1][2] + case[2], n)
    for d = 1, n do count = count + (w2[d] > w1[d] and 1 or 0) end
    local p1, p2 = wins:mean() - 1, count / n
    local se = math.sqrt(p1 * (1 - p1) / n + p2 * (1 - p2) / n)
    lu.assertTrue(math.abs(p1 - p2) / se < 4.9)
  end
end

function TestBeta.test_certain_weights_have_no_spread()
  local code = ves.code { n = 5, lo = 0, hi = 4, sigma = 0.5 }
  local net = ves.network { input = code, output = code, prior_a = 1e12, prior_b = 1e12, rng = ves.rng(1) }
  local v = net:beta { x = 2, draws = 50, rng = ves.rng(1), readout = "mean" }
  lu.assertAlmostEquals(v:mean(), 2, 1e-4)
  lu.assertTrue(v:sd() < 1e-4)
end

function TestBeta.test_activities_weigh_the_inputs()
  local code = ves.code { n = 2, lo = 0, hi = 1, sigma = 0.1 }
  local net = ves.network { input = code, output = code, rng = ves.rng(1) }
  net:observe({ 0, 1 }, { 0, 1 }, { salience = 1e5 }) -- input 1 goes to output 1, input 2 to output 2
  local function index(x) return net:beta { x = x, draws = 50, rng = ves.rng(1), readout = "index" } end
  lu.assertEquals(index { 0.9, 0.3 }, ves.vector(50, 1))
  lu.assertEquals(index { 0.3, 0.9 }, ves.vector(50, 2))
end

function TestBeta.test_addresses_and_defaults()
  local net = network()
  local function draws(options)
    options.x, options.rng = 1, options.rng or ves.rng(5)
    return net:beta(options)
  end
  lu.assertEquals(draws { draws = 100 }, draws { draws = 100, readout = "winner", beta = "AB" })
  lu.assertNotEquals(draws { draws = 100 }, draws { draws = 100, beta = "AB+1" })
  for _, readout in ipairs { "winner", "mean" } do
    local ab, ab1 = draws { draws = 100, readout = readout, beta = "both" }
    lu.assertEquals(ab, draws { draws = 100, readout = readout, beta = "AB" })
    lu.assertEquals(ab1, draws { draws = 100, readout = readout, beta = "AB+1" })
  end
  lu.assertEquals(#draws {}, 1000)
  local rng = ves.rng(5)
  local a, b = draws { draws = 40, rng = rng }, draws { draws = 60, rng = rng }
  local whole = draws { draws = 100 }
  for d = 1, 40 do lu.assertEquals(a[d], whole[d]) end
  for d = 1, 60 do lu.assertEquals(b[d], whole[40 + d]) end
  fails("expected an input that activates some neuron", function() net:beta { x = 99, rng = rng } end)
end

TestDraw = {}

-- Draw d of a sample is ves.draw with draw = d, and its winner is the strongest of those that transmitted.
function TestDraw.test_a_sample_looked_into()
  local w, q, draws = ves.rng(1):uniform(100), ves.rng(2):uniform(100) * 0.05, 200
  w[7], q[7], w[30], w[31] = 0, 1, 0.9, 0.9
  local rng = ves.rng(3):stream("draws"):seek(40)
  local winners = ves.sample(w, q, { draws = draws, rng = ves.rng(3):stream("draws"):seek(40) })
  for d = 1, draws do
    local seen = ves.draw(w, q, { rng = rng, draw = d })
    lu.assertEquals(seen.winner, winners[d])
    lu.assertEquals(seen.activity, seen.transmits * w)
    lu.assertEquals(seen.transmits[7], 0.0) -- without weight nothing is transmitted
    lu.assertEquals(seen.winner, seen.activity:max() > 0 and seen.activity:argmax() or 0)
  end
  lu.assertEquals(rng.cursor, 40)
  for d = 1, 5 do lu.assertEquals(ves.draw(w, q, { rng = rng }).winner, winners[d]) end
  lu.assertEquals(rng.cursor, 45)
end

function TestDraw.test_synapses_transmit_with_their_release()
  local w, q, draws, rng = ves.vector { 3, 1, 2 }, ves.vector { 0.2, 0.5, 0.9 }, 20000, ves.rng(4)
  local sum = ves.vector(3)
  for _ = 1, draws do sum = sum + ves.draw(w, q, { rng = rng }).transmits end
  for i = 1, 3 do lu.assertAlmostEquals(sum[i] / draws, q[i], 4.9 * math.sqrt(q[i] * (1 - q[i]) / draws)) end
end

-- Several draws at once are as many single ones, and move the stream on as these do.
function TestDraw.test_several_draws()
  local W, q = ves.rng(1):uniform(300):reshape(3, 100), ves.rng(2):uniform(300):reshape(3, 100) * 0.01
  local x, one, many = { 1, 0.5, 0.2 }, ves.rng(6):stream("looked"), ves.rng(6):stream("looked")
  local first = ves.draw(W, q, { x = x, rng = many, draws = 30 })
  local rest = ves.draw(W, q, { x = x, rng = many, draws = 1 })
  lu.assertEquals(first.transmits, nil)
  lu.assertTrue(first.winner:min() == 0 and first.winner:max() > 0)
  for d = 1, 31 do
    local seen, among = ves.draw(W, q, { x = x, rng = one }), d > 30 and rest or first
    lu.assertEquals(among.winner[d > 30 and 1 or d], seen.winner)
    lu.assertEquals(among.activity[d > 30 and 1 or d]:totable(), seen.activity:totable())
  end
end

-- Several inputs: the draws of network:sample, if the releases are divided as it divides them.
function TestDraw.test_several_inputs()
  local net, draws = network(), 300
  for _, x in ipairs { { 1, 0.5, 0.2 }, { 1, 0.0005, 0.7 }, { 0, 1, 0 } } do
    local W, divided = net:weights(), ves.release.normalise(Q, x, "participation")
    local rng = ves.rng(5)
    local winners = net:sample { x = x, release = Q, draws = draws, rng = ves.rng(5), readout = "index",
                                 empty = "skip" }
    local kept = 0
    for d = 1, draws do
      local seen = ves.draw(W, divided, { x = x, rng = rng, draw = d })
      local y = ves.vector(4)
      for i = 1, 3 do
        if x[i] > 1e-3 then y = y + W[i] * x[i] * seen.transmits[i] end
        lu.assertTrue(x[i] > 1e-3 or seen.transmits[i]:max() == 0)
      end
      lu.assertEquals(seen.activity, y)
      if seen.winner > 0 then
        kept = kept + 1
        lu.assertEquals(seen.winner, winners[kept])
      end
    end
    lu.assertEquals(kept, #winners)
  end
  local silent = ves.draw(net:weights(), Q, { x = { 0, 0, 0 }, rng = ves.rng(1) })
  lu.assertEquals({ silent.winner, silent.activity:max(), silent.transmits:max() }, { 0, 0.0, 0.0 })
  local only = ves.draw(net:weights(), ves.matrix(3, 4, 1), { x = { 1, 0.5, 1 }, active = 0.6, rng = ves.rng(1) })
  lu.assertEquals(only.transmits:row_sums():totable(), { 4.0, 0.0, 4.0 })
end

os.exit(lu.LuaUnit.run(), true)
