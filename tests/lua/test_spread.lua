-- spread: what is encoded is as wide as a mixture should be, the mapping of one active row samples it, and data are as
-- wide as they were drawn.
local lu = require "luaunit"
local ves = require "vesicle"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local readings = require "vesicle.model.readings"
local spread = require "vesicle.model.spread"

TestSpread = {} -- luacheck: globals TestSpread

function TestSpread.test_inputs()
  lu.assertEquals(spread.inputs, { -4, -2, 0, 2, 4 })
  lu.assertAlmostEquals(spread.truth[1], 0.2, 1e-15)
  lu.assertAlmostEquals(spread.truth[5], 1.8, 1e-15)
  for k, x in ipairs(spread.inputs) do lu.assertEquals(spread.at[k], string.format("x=%d", x)) end
end

function TestSpread.test_rows_are_those_ever_active()
  for _, spacing in ipairs(readings.spacings) do
    local layer, active = spread.layer(spacing), {}
    for _, x in ipairs(spread.inputs) do
      local activity = layer.code:encode(x)
      for i = 1, layer.code.n do if activity[i] > 1e-3 then active[i] = true end end
    end
    local count = 0
    for _ in pairs(active) do count = count + 1 end
    lu.assertEquals(#layer.rows, count)
    for _, i in pairs(layer.rows) do lu.assertTrue(active[i], spacing) end
  end
end

--- With the same row at every input, that row is encoded, and one input alone samples it by the mapping. [eq:mapping]
function TestSpread.test_equal_rows()
  local layer = spread.layer("ends")
  local n, row = layer.code.n, ves.vector(layer.code.n)
  for j = 1, n do row[j] = math.exp(-(j - 40) ^ 2 / 200) / 100 end
  local W = ves.matrix(n, n)
  for i = 1, n do W[i] = row end
  local sd, encoded = pmf.sd(row, layer.centers), spread.encoded(W, layer)
  for k = 1, 5 do lu.assertAlmostEquals(encoded[k], sd, 1e-12) end
  local Q, active = ves.release.analytic(W), { 7 }
  layer.present = function(f)
    local activity = ves.vector(n)
    for _, i in ipairs(active) do activity[i] = 1 end
    return ves.vector { f(0, activity) }
  end
  lu.assertAlmostEquals(spread.winner(W, Q, layer, "none")[1], sd, 1e-9)
  active = { 7, 8 } -- two equally active inputs count as two
  lu.assertEquals(spread.winner(W, Q, layer, "participation")[1], spread.winner(W, Q / 2, layer, "none")[1])
  lu.assertNotEquals(spread.winner(W, Q, layer, "participation")[1], spread.winner(W, Q, layer, "none")[1])
end

function TestSpread.test_data()
  local xs, ys = models.simple().generate(50000, ves.rng(20211118):stream("spread"))
  local sd = spread.data(xs, ys, spread.layer("ends"))
  for k = 1, 5 do -- 10,000 rows each: the relative standard error is 0.7%; p < 1e-6 for all five
    lu.assertTrue(math.abs(sd[k] / spread.truth[k] - 1) < 5.5 / math.sqrt(2 * 10000))
  end
end

--- Two single neurons that are active in turn are decoded at their centres whatever the width; both at once are one
--- peak between them if the kernels are wide, and two if they are narrow. [eq:decode]
function TestSpread.test_whole_activities()
  local code = spread.layer("ends").code
  local turn, both = ves.matrix(2, code.n), ves.matrix(2, code.n)
  turn[1][40], turn[2][60], both[1][40], both[2][60] = 1, 1, 1, 1
  both[1][60], both[2][40] = 0.9, 0.9
  local apart = (code.centers[60] - code.centers[40]) / math.sqrt(2)
  local sd = spread.whole({ turn = { turn, turn }, both = { both } }, code)
  for _, width in ipairs(spread.widths) do
    local of = sd[spread.decoder(width)]
    lu.assertEquals(#of.turn, 2)
    lu.assertAlmostEquals(of.turn[2], apart, 0.02)
  end
  lu.assertAlmostEquals(sd.H5.both[1], apart, 0.02)
  lu.assertAlmostEquals(sd.mean.both[1], apart * 0.1 / 1.9, 1e-12)
  local wide = spread.whole({ both = { both } }, code, { 5 })
  lu.assertAlmostEquals(wide.H500.both[1], sd.mean.both[1], 0.02)
  lu.assertNil(wide.H5)
end

function TestSpread.test_further_cells()
  local of = function(reading, readout) return reading.name .. " " .. readout end
  local cells = spread.further(of, { readings.corrected }, { { reading = "another", 1 } })
  lu.assertEquals(#cells, #spread.judged_widths + 1)
  lu.assertEquals(cells[1], { reading = "whole activity, H 0.1, corrected", "corrected H10" })
  lu.assertEquals(cells[#cells].reading, "another")
  lu.assertEquals(#spread.further(of), 2 * #spread.judged_widths)
end

os.exit(lu.LuaUnit.run())
