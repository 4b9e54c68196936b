-- shapes: normalised weights, ranks that break ties by index, and distances that vanish where they must.
local lu = require "luaunit"
local ves = require "vesicle"
local shapes = require "vesicle.model.shapes"

TestShapes = {} -- luacheck: globals TestShapes

function TestShapes.test_weights_are_distributions_above_their_pedestal()
  for _, name in ipairs(shapes.names) do
    for _, n in ipairs { 2, 17, 50 } do
      local w = shapes.weights(name, n, 0.01)
      lu.assertAlmostEquals(w:sum(), 1, 1e-14)
      lu.assertTrue(w:min() >= 0.01 / 1.01 * w:max() * (1 - 1e-12))
    end
  end
  lu.assertErrorMsgContains("there is no shape `square`", shapes.weights, "square", 10)
end

function TestShapes.test_bells_do_not_tie()
  for _, name in ipairs { "bell", "bimodal", "decay" } do
    local sorted = shapes.weights(name, 50, 0.01):sort()
    for i = 2, #sorted do lu.assertTrue(sorted[i] > sorted[i - 1], name) end
  end
end

function TestShapes.test_ranking()
  local w = ves.vector { 0.2, 0.5, 0.2, 0.1 }
  local order = shapes.ranking(w)
  lu.assertEquals(order, { 2, 1, 3, 4 })
end

function TestShapes.test_the_mapping_has_no_distance()
  local w = shapes.weights("bimodal", 30, 0.01)
  lu.assertAlmostEquals(shapes.distance(w, ves.release.analytic(w)), 0, 1e-14)
end

function TestShapes.test_empty_draws_do_not_count()
  -- one half each, both at 1/2: the first wins 1/2, the second 1/4, nothing 1/4
  local p = shapes.winners(ves.vector { 0.5, 0.5 }, ves.vector { 0.5, 0.5 })
  lu.assertAlmostEquals(p[1], 2 / 3, 1e-15)
  lu.assertAlmostEquals(shapes.distance(ves.vector { 0.5, 0.5 }, ves.vector { 0.5, 0.5 }), 1 / 6, 1e-15)
end

function TestShapes.test_rows_of_bells_lie_side_by_side()
  local outputs = ves.range(-20, 20) / 5
  local W = shapes.bells(outputs, 3, 1.5, 0.5)
  lu.assertEquals({ W.rows, W.cols }, { 3, 41 })
  for a = 1, 3 do
    lu.assertAlmostEquals(W[a]:sum(), 1, 1e-14)
    lu.assertAlmostEquals(W[a]:min() / W[a]:max(), 0.01 / 1.01, 1e-3)
    lu.assertAlmostEquals(outputs[W[a]:argmax()], (a - 2) * 1.5, 0.11)
  end
end

function TestShapes.test_winners_and_distance_of_several_inputs()
  -- the matrix that proves the conjecture: analytic rows give (.36, .64), wanted is (.6, .4) [eq:winner-multi]
  local W, x = ves.matrix { { 0.6, 0.4 }, { 0.6, 0.4 } }, ves.vector { 1, 1 }
  local Q = ves.release.analytic(W)
  lu.assertAlmostEquals(shapes.winners(W, Q, x)[1], 0.36, 1e-15)
  lu.assertAlmostEquals(shapes.distance(W, Q, x), 0.24, 1e-15)
  -- and (3/7, 1/2) in both rows are exact once empty draws are left out
  local constant = ves.matrix { { 3 / 7, 1 / 2 }, { 3 / 7, 1 / 2 } }
  lu.assertAlmostEquals(shapes.distance(W, constant, x), 0, 1e-15)
end

os.exit(lu.LuaUnit.run())
