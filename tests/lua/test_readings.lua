-- The printed and the corrected reading of the releases of a network, on networks small enough to do by hand.
local lu = require "luaunit"
local ves = require "vesicle"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local readings = require "vesicle.model.readings"
local shapes = require "vesicle.model.shapes"

TestReadings = {}

local function near(got, expected)
  lu.assertEquals(#got, #expected)
  for j = 1, #expected do lu.assertAlmostEquals(got[j], expected[j], 1e-14) end
end

-- As the original prints it, and as the variance equation has it.
function TestReadings.test_what_the_two_readings_are()
  local p, c = readings.printed, readings.corrected
  lu.assertEquals({ p.root, p.normaliser, p.beta, p.pick("c", "p") }, { "printed", "sum", "AB+1", "p" })
  lu.assertEquals({ c.root, c.normaliser, c.beta, c.pick("c", "p") }, { "exact", "participation", "AB", "c" })
  lu.assertEquals(readings.spacings, { "ends", "bins", "open" })
  local cells = readings.cells(function(r, spacing) return r.name .. "/" .. spacing end)
  lu.assertEquals(cells.printed, "printed/ends")
  lu.assertEquals(cells["corrected, open"], "corrected/open")
end

-- [eq:mapping] [eq:beta2dropoutvar]
function TestReadings.test_releases_of_a_network()
  local net = models.network(models.simple(), ves.rng(5), { rows = 50 })
  for _, reading in ipairs(readings.judged) do
    local r = readings.releases(net, reading)
    local i, j = 67, 50                                    -- an input that has seen data
    local a, b = net.A[i][j], net.B[i][j]
    local t = b / (a * (a + b + 1))
    local phi = reading.root == "exact" and 1 / (1 + t) or 2 / (1 + math.sqrt(1 + 4 * t))
    lu.assertAlmostEquals(r.W[i][j], a / (a + b), 1e-14)
    lu.assertAlmostEquals(r.phi[i][j], phi, 1e-14)
    lu.assertAlmostEquals(r.scaled[i][j] * phi, a / (a + b), 1e-14)
    lu.assertAlmostEquals(r.Q[i]:max(), 1, 1e-15)
  end
end

local function by_hand(reading, W, Q, phi)
  W, Q, phi = ves.matrix(W), ves.matrix(Q), ves.matrix(phi)
  return { W = W, Q = Q, phi = phi, scaled = W / phi, reading = reading }
end

-- One input: output 1 is the stronger by its weight, output 2 by weight over Phi.
function TestReadings.test_the_map_is_drawn_on_weights_over_phi()
  local r = by_hand(readings.corrected, { { 0.6, 0.4 } }, { { 0.6, 1 } }, { { 0.9, 0.5 } })
  local p, nothing = readings.map(readings.at(r, ves.vector { 1 }))
  lu.assertAlmostEquals(nothing, 0.1 * 0.5, 1e-15)
  near(p, { 0.5 * 0.9 / 0.95, 0.5 / 0.95 })                -- 2 wins whenever it transmits
end

-- Two inputs of activities 1 and 1/2: the sum is 3/2, the participation (3/2)^2 / (5/4) = 9/5. [eq:combined]
function TestReadings.test_releases_are_divided_before_phi_multiplies()
  local x = ves.vector { 1, 0.5 }
  for _, case in ipairs { { readings.printed, 1.5 }, { readings.corrected, 1.8 } } do
    local r = by_hand(case[1], { { 0.6, 0.4 }, { 0.3, 0.7 } }, { { 0.6, 1 }, { 1, 0.7 } },
      { { 0.9, 0.5 }, { 0.8, 0.4 } })
    local both = readings.combined(r, x)
    near(both[1], { 0.9 * 0.6 / case[2], 0.5 / case[2] })
    near(both[2], { 0.8 / case[2], 0.4 * 0.7 / case[2] })
    local at = readings.at(r, x)
    local function winners(release)
      local p = ves.winner.exact(r.W, release, x)
      return pmf.normalised(p)
    end
    near((readings.posterior(at)), winners(both))
    near((readings.observed(at)), winners(r.Q / case[2]))
    near((readings.map(at)), (function()
      local p = ves.winner.exact(r.scaled, r.phi, x)
      return pmf.normalised(p)
    end)())
  end
end

-- An input at or below the threshold takes no part.
function TestReadings.test_only_active_inputs()
  local r = by_hand(readings.printed, { { 0.6, 0.4 }, { 0.3, 0.7 } }, { { 0.6, 1 }, { 1, 0.7 } },
    { { 1, 1 }, { 1, 1 } })
  local at = readings.at(r, ves.vector { 1, 0.001 })
  lu.assertEquals(at.active:totable(), { 1 })
  near((readings.observed(at)), { 0.6, 0.4 })
end

-- What is made for one activity alone is what a network that has made everything has there, to the bit.
function TestReadings.test_asked_once()
  local net = models.network(models.simple(), ves.rng(5), { rows = 50 })
  local x = models.code():encode(1)
  for _, reading in ipairs(readings.judged) do
    local at, once = readings.at(readings.releases(net, reading), x), readings.once(net, reading, x)
    for _, name in ipairs { "x", "active", "W", "phi", "Q", "scaled" } do
      lu.assertEquals(once[name]:totable(), at[name]:totable(), name)
    end
    lu.assertEquals((readings.map(once)):totable(), (readings.map(at)):totable())
    lu.assertNil(once.q)
  end
end

-- Given that something transmits: .5 and .5 * .5 of .75. [eq:winner]
function TestReadings.test_winners_of_a_vector()
  near(shapes.winners(ves.vector { 2, 1 }, ves.vector { 0.5, 0.5 }), { 2 / 3, 1 / 3 })
  lu.assertAlmostEquals(shapes.distance(ves.vector { 3, 1 }, ves.vector { 0.5, 0.5 }), 3 / 4 - 2 / 3, 1e-14)
end

os.exit(lu.LuaUnit.run())
