-- prediction: folds that are a partition, the scale's inverse, distributions that sum to 1, the score of a known
-- distribution, widths chosen where the answer is known, and samplers that follow their distributions.
local lu = require "luaunit"
local ves = require "vesicle"
local prediction = require "vesicle.model.prediction"
local stats = require "vesicle.stats"

local methods = prediction.methods {
  neurons = 100, widths = { 0.1, 0.4, 1.6 }, neighbours = { 5, 40 }, bins = { 2, 8 },
}

--- y = x + noise of this standard deviation, x in [-4, 4].
local function rows(n, sd, rng)
  local xs = rng:stream("x"):uniform(n) * 8 - 4
  return { xs = xs, ys = xs + rng:stream("y"):normal(0, sd, n) }
end

TestPrediction = {}

function TestPrediction.test_folds_are_a_partition()
  local all = ves.range(1, 23)
  local seen = {}
  for _, fold in ipairs(prediction.folds(all, 4, ves.rng(1))) do
    lu.assertEquals(#fold.test + #fold.train, 23)
    local both = {}
    for _, row in pairs(fold.test) do both[row], seen[row] = true, (seen[row] or 0) + 1 end
    for _, row in pairs(fold.train) do lu.assertNil(both[row]) end
  end
  for row = 1, 23 do lu.assertEquals(seen[row], 1) end
end

function TestPrediction.test_the_scale_and_its_inverse()
  local values = ves.vector { 3, 8, 5 }
  local scale = prediction.scale(values)
  lu.assertEquals(scale.to(values):totable(), { -5, 5, -1 })
  lu.assertEquals(scale.from(scale.to(values)):totable(), { 3, 8, 5 })
  lu.assertEquals(scale.unit, 0.5)
end

-- Sure of a point, the score is the distance; and it is that of a sample with these frequencies. [eq:crps]
function TestPrediction.test_the_score_is_that_of_a_sample()
  local points = ves.range(0, 3)
  lu.assertAlmostEquals(prediction.score(ves.matrix { { 0, 1, 0, 0 } }, points, ves.vector { 3 }), 2, 1e-15)
  local p = ves.matrix { { 0.5, 0.25, 0, 0.25 } }
  lu.assertAlmostEquals(prediction.score(p, points, ves.vector { 1 }),
    ves.score.crps(ves.vector { 0, 0, 1, 3 }, 1), 1e-15)
end

function TestPrediction.test_methods_predict_distributions()
  local train, test = rows(200, 0.5, ves.rng(2)), { xs = ves.vector { -3, 0, 2 } }
  for name, widths in pairs { network = { 0.4, 0.4 }, kernel = { 0.4, 0.4 }, neighbours = { 40, 2 } } do
    local method = methods[name]
    local p = method.predict(test, train, method.prepare(test, train), widths[1], widths[2], ves.rng(3))
    lu.assertEquals({ p.rows, p.cols }, { 3, 100 })
    for t = 1, 3 do
      lu.assertAlmostEquals(p[t]:sum(), 1, 1e-12)
      lu.assertAlmostEquals(p[t]:dot(methods.points), test.xs[t], 0.4, name)
    end
  end
end

-- With so little noise a wide kernel or a wide bin scores worse, for every method.
function TestPrediction.test_narrow_widths_are_chosen_for_narrow_data()
  local train = rows(300, 0.05, ves.rng(4))
  for name, wanted in pairs { network = { 0.1, 0.1 }, kernel = { 0.1, 0.1 }, neighbours = { 5, 2 } } do
    lu.assertEquals(prediction.choose(methods[name], methods.points, train.xs, train.ys, ves.range(1, 300), 3,
      ves.rng(5)), wanted, name)
  end
end

function TestPrediction.test_samplers_follow_their_distributions()
  local train, x = rows(200, 0.5, ves.rng(6)), 1
  for name, widths in pairs { kernel = { 0.4, 0.4 }, neighbours = { 40, 2 } } do
    local method, test = methods[name], { xs = ves.vector { x } }
    local p = method.predict(test, train, method.prepare(test, train), widths[1], widths[2])[1]
    local sample = method.sampler(train, widths, 20000)(x, ves.rng(7))
    local cell = ((sample - methods.points[1]) / methods.step + 1.5):floor():clamp(1, 100)
    lu.assertTrue(stats.chi_square(cell:counts(100), p + 1e-9).p > 1e-6, name)
  end
end

-- Also one draw at a time: where a systematic sample begins is random.
function TestPrediction.test_single_draws_follow_their_distributions()
  local train, x, rng = rows(200, 1, ves.rng(8)), 1, ves.rng(9)
  for name, widths in pairs { kernel = { 0.4, 0.1 }, neighbours = { 40, 2 } } do
    local one, many = methods[name].sampler(train, widths, 1), methods[name].sampler(train, widths, 20000)
    local single = stats.collect(2000, function(i) return one(x, rng:stream(name, i))[1] end)
    local all = many(x, rng:stream(name, "all"))
    lu.assertAlmostEquals(single:mean(), all:mean(), 4 * all:sd() / math.sqrt(2000), name)
    lu.assertAlmostEquals(single:sd() / all:sd(), 1, 0.1, name)
  end
end

-- A row at a distance of d counts exp(-d^2 / (2 h^2)).
function TestPrediction.test_the_kernel_has_its_width()
  local test, train = { xs = ves.vector { 0 } }, { xs = ves.vector { 0, 0.5 }, ys = ves.vector { -3, 3 } }
  for _, width in ipairs { 0.4, 1.6 } do
    local method = methods.kernel
    local p = method.predict(test, train, method.prepare(test, train), width, 0.1)[1]
    local above = p:dot(methods.points:map(function(y) return y > 0 and 1 or 0 end))
    local weight = math.exp(-(0.5 / width) ^ 2 / 2)
    lu.assertAlmostEquals(above, weight / (1 + weight), 1e-9)
  end
end

os.exit(lu.LuaUnit.run())
