-- Chains of networks: draws against products of exact laws, streams, what is passed on.
local lu = require "luaunit"
local ves = require "vesicle"
local support = require "support"

local fails = function(...) support.fails(lu, ...) end

local bottom = ves.code { n = 6, lo = -1, hi = 1, sigma = 0.2 }
local middle = ves.code { n = 7, lo = -2, hi = 2, sigma = 0.5 }
local top = ves.code { n = 5, lo = 0, hi = 1, sigma = 0.2 }

local function networks(seed)
  local rng = ves.rng(seed or 1)
  local x, h = rng:uniform(200) * 2 - 1, rng:normal(0, 1, 200)
  local first = ves.network { input = bottom, output = middle, rng = rng }:observe(x, h)
  local second = ves.network { input = middle, output = top, rng = rng }:observe(h, h:abs() / 2)
  local third = ves.network { input = top, output = bottom, rng = rng }:observe(h:abs() / 2, x)
  return first, second, third
end

local function rows_normalised(W) return W:normalise() end

TestChain = {}

-- p = pi P_2 ... P_L [eq:chain], the products written out
function TestChain.test_the_exact_law_is_the_product_of_matrices()
  local first, second, third = networks()
  local chain = ves.chain { first, second, third }
  for _, x in ipairs { 0.1, -0.7 } do
    local p = ves.multi.mixture(first:weights(), bottom:encode(x))
    for _, net in ipairs { second, third } do
      p = ves.matrix({ p:totable() }):mul(rows_normalised(net:weights())):row(1)
    end
    local exact, nothing = chain:exact(x, { stages = 2 })
    lu.assertTrue((exact - p):abs():max() < 1e-14)
    lu.assertEquals(nothing, 0)
    lu.assertAlmostEquals(exact:sum(), 1, 1e-14)
  end
  -- a single active input needs no second stage
  local one = ves.vector(6)
  one[3] = 1
  lu.assertTrue((chain:exact(one) - chain:exact(one, { stages = 2 })):abs():max() < 1e-15)
end

function TestChain.test_the_exact_law_of_any_releases()
  local first, second = networks()
  local W1, W2 = first:weights(), second:weights()
  local Q1, Q2 = ves.matrix(6, 7, 0.3), ves.matrix(7, 5, 0.2)
  local x = bottom:encode(0.1)
  local divided = ves.release.normalise(Q1, x, "participation")
  local p = ves.winner.exact(W1, divided, x)
  local function above(given, conditional)
    local sum = ves.vector(5)
    for i = 1, 7 do
      local row, nothing = ves.winner.exact(W2:row(i), Q2:row(i))
      sum = sum + row * (given[i] / (conditional and 1 - nothing or 1))
    end
    return sum
  end
  local chain = ves.chain { first, second }
  local skip, nothing = chain:exact(0.1, { release = { Q1, Q2 }, empty = "skip" })
  lu.assertTrue((skip - above(p)):abs():max() < 1e-15)
  lu.assertAlmostEquals(nothing, 1 - skip:sum(), 1e-15)
  local conditional = chain:exact(0.1, { release = { Q1, Q2 } })
  lu.assertTrue((conditional - above(p / p:sum(), true)):abs():max() < 1e-15)
  fails("chain:exact: argument 'x' = 0.1: expected at most 6 active inputs (or stages = 2)", function()
    local wide = ves.code { n = 9, lo = -1, hi = 1, sigma = 1 }
    ves.chain { ves.network { input = wide, output = middle, rng = ves.rng(1) } }:exact(0.1)
  end)
end

-- Winners of all layers together have the joint law of the Markov chain.
function TestChain.test_one_pass_draws_from_the_joint_law()
  local first, second = networks()
  local draws = 20000
  local y, info = ves.chain { first, second }:sample {
    x = 0.1, rng = ves.rng(5), draws = draws, stages = 2, readout = "index",
  }
  local pi, P = ves.multi.mixture(first:weights(), bottom:encode(0.1)), rows_normalised(second:weights())
  local seen, expected = {}, {}
  for i = 1, 7 do
    for j = 1, 5 do expected[(i - 1) * 5 + j] = pi[i] * P[i][j] end
  end
  for d = 1, draws do
    local pair = (info.winners[d][1] - 1) * 5 + info.winners[d][2]
    seen[pair // 1] = (seen[pair // 1] or 0) + 1
    lu.assertEquals(info.winners[d][2], y[d])
  end
  lu.assertTrue(support.chi2_p(seen, expected, draws) > 1e-6)
  lu.assertEquals({ info.kept, info.draws, info.empty, info.attempts }, { draws, draws, 0, 2 * draws })
end

function TestChain.test_draws_have_the_exact_law()
  local first, second, third = networks()
  local chain, draws = ves.chain { first, second, third }, 20000
  local Q = { ves.matrix(6, 7, 0.3), "analytic", ves.matrix(5, 6, 0.4) }
  for _, o in ipairs {
    { stages = 2 }, {}, { release = Q }, { release = Q, empty = "skip" }, { release = Q, stages = 2, empty = "skip" },
    { normaliser = "sum", release = Q },
  } do
    local p, nothing = chain:exact(0.1, o)
    local options = { x = 0.1, rng = ves.rng(8), draws = draws, readout = "index" }
    for key, value in pairs(o) do options[key] = value end
    local y, info = chain:sample(options)
    local expected, seen = { [0] = nothing }, support.tally(y)
    for j = 1, 6 do expected[j] = p[j] end
    seen[0] = draws - info.kept
    lu.assertTrue(support.chi2_p(seen, expected, draws) > 1e-6)
  end
end

-- A chain of one network is the network, and each layer has a stream of its own.
function TestChain.test_streams()
  local first, second = networks()
  for _, o in ipairs { {}, { stages = 2 }, { readout = "mean" }, { normaliser = "sum", readout = "decode" } } do
    local function draws(sampler, rng)
      return (sampler:sample {
        x = 0.3, release = sampler == first and "analytic" or nil, rng = rng, draws = 100, stages = o.stages,
        readout = o.readout, normaliser = o.normaliser,
      })
    end
    lu.assertEquals(draws(ves.chain { first }, ves.rng(3)), draws(first, ves.rng(3):stream("layer", 1)))
  end
  -- layer 2 draws, at each draw's own address, what its network draws from the winner of layer 1; also where most draws
  -- are empty and repeated
  local seldom = ves.release.analytic(second:weights()) * 0.1
  for _, o in ipairs { { 1, "analytic" }, { 2, "analytic" }, { 1, seldom }, { 2, seldom } } do
    local stages, release = table.unpack(o)
    local _, info = ves.chain { first, second }:sample { x = 0.3, rng = ves.rng(3), draws = 40, stages = stages,
      release = { "analytic", release } }
    lu.assertEquals(info.attempts > 120, release == seldom)
    for d = 1, 40 do
      local x = ves.vector(7)
      x[info.winners[d][1] // 1] = 1
      local rng = ves.rng(3):stream("layer", 2)
      rng:seek(d - 1)
      lu.assertEquals(second:sample { x = x, release = release, rng = rng, draws = 1, readout = "index",
        stages = stages }[1], info.winners[d][2])
    end
  end
  -- draws are addressed: two calls are one
  local chain, rng = ves.chain { first, second }, ves.rng(3)
  local a, b = chain:sample { x = 0.3, rng = rng, draws = 30 }, chain:sample { x = 0.3, rng = rng, draws = 70 }
  local whole = chain:sample { x = 0.3, rng = ves.rng(3), draws = 100 }
  lu.assertEquals(whole:slice(1, 30), a)
  lu.assertEquals(whole:slice(31, 100), b)
end

-- Where one row of the first layer transmits alone with amplitudes w, the second layer's two stages sample the mixture
-- of that activity: averaged over the first layer's masks, by enumeration.
function TestChain.test_whole_activity()
  local in1, out1 = ves.code { n = 1, lo = 0, hi = 1, sigma = 1 }, ves.code { n = 3, lo = 0, hi = 2, sigma = 0.6 }
  local first = ves.network { input = in1, output = out1, rng = ves.rng(1), prior_a = { 0.02, 0.06 } }
  local second = ves.network { input = out1, output = top, rng = ves.rng(2), prior_a = { 0.1, 0.9 } }
  local w, V = first:weights()[1], second:weights()
  local q, draws = ves.release.analytic(w), 20000
  for _, normaliser in ipairs { false, "participation", "sum" } do
    local stages = normaliser and 1 or 2
    local expected, V_release = {}, ves.release.analytic(V)
    for j = 1, 5 do expected[j] = 0 end
    for mask = 1, 7 do
      local x, chance, most = ves.vector(3), 1, 0
      for i = 1, 3 do
        local on = (mask >> (i - 1)) & 1 == 1
        chance = chance * (on and q[i] or 1 - q[i])
        x[i] = on and w[i] or 0
        most = math.max(most, x[i])
      end
      x = x / most
      local p, nothing = ves.multi.mixture(V, x), 0
      if stages == 1 then
        p, nothing = ves.winner.exact(V, ves.release.normalise(V_release, x, normaliser), x)
      end
      for j = 1, 5 do expected[j] = expected[j] + chance * p[j] / (1 - nothing) end
    end
    local y = ves.chain { first, second }:sample {
      x = ves.vector { 1 }, rng = ves.rng(6), draws = draws, stages = stages, pass = "activity", readout = "index",
      normaliser = normaliser or nil,
    }
    lu.assertTrue(support.chi2_p(support.tally(y), expected, draws) > 1e-6)
  end
end

function TestChain.test_fields_and_errors()
  local first, second = networks()
  local chain = ves.chain { first, second }
  lu.assertEquals(tostring(chain), "chain of 2 networks")
  lu.assertEquals(chain.layers, { first, second })
  chain.layers[1] = nil
  lu.assertEquals(#chain.layers, 2)
  first:observe(0, 0)
  lu.assertEquals(chain.layers[1].rows, 201)
  fails("its fields are read-only", function() chain.layers = 3 end)
  fails("chain: no field or method 'sampel': did you mean 'sample'?", function() chain:sampel() end)
  fails("nothing transmits in the first layer", function()
    chain:sample { x = 0, rng = ves.rng(1), release = { ves.matrix(6, 7), "analytic" } }
  end)
  fails("nothing transmits in a layer", function()
    chain:sample { x = 0, rng = ves.rng(1), release = { "analytic", ves.matrix(7, 5) } }
  end)
  local y, info = chain:sample {
    x = 0, rng = ves.rng(1), release = { "analytic", ves.matrix(7, 5) }, draws = 10, empty = "skip",
  }
  lu.assertEquals({ #y, info.empty }, { 0, 1 })
  lu.assertEquals(chain:exact(0, { release = { "analytic", ves.matrix(7, 5) }, empty = "skip" }):sum(), 0)
  support.close(second)
  fails("network 2 of the chain is closed", function() chain:sample { x = 0, rng = ves.rng(1) } end)
  support.close(first)
  fails("expected one that has not been closed", function() chain:exact(0) end)
end

os.exit(lu.LuaUnit.run(), true)
