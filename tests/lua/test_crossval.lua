-- Cross-validation: folds, scores against samples, what is chosen, and that nothing leaks from held-out rows.
local lu = require "luaunit"
local ves = require "vesicle"
local crossval = require "vesicle.crossval"
local support = require "api.support"

local fails = function(...) support.fails(lu, ...) end

local function data(rows, seed)
  local rng = ves.rng(seed or 1)
  local x = rng:uniform(rows)
  return x, (x * 6):map(math.sin) + rng:normal(0, 0.2, rows)
end

local small = { curves = { 5, 20 }, width = { 0.5, 2 }, prior = 0.1, folds = 4, progress = false }

local function options(extra)
  local all = {}
  for key, value in pairs(small) do all[key] = value end
  for key, value in pairs(extra) do all[key] = value end
  return all
end

TestCrossval = {}

function TestCrossval.test_folds_are_a_partition()
  local rng = ves.rng(3)
  local parts = crossval.folds(23, 5, rng)
  local seen = {}
  for _, part in ipairs(parts) do
    lu.assertTrue(#part == 4 or #part == 5)
    for _, r in pairs(part) do
      lu.assertNil(seen[r])
      seen[r] = true
    end
  end
  for r = 1, 23 do lu.assertTrue(seen[r]) end
  lu.assertEquals(crossval.folds(23, 5, rng)[2], parts[2])
  lu.assertNotEquals(crossval.folds(23, 5, ves.rng(4))[2], parts[2])
  fails("crossval.folds: k is 24, expected a whole number from 2 to 23", function() crossval.folds(23, 24, rng) end)
end

-- The score is that of the encoded distribution: samples of it score the same but for their number.
function TestCrossval.test_the_score_is_the_crps()
  local x, y = data(200)
  local best, tried = crossval.choose(options { x = x, y = y, rng = ves.rng(2), curves = 10, width = 1 })
  lu.assertEquals(#tried, 1)
  local rng, sum = ves.rng(2), 0
  for k, part in ipairs(crossval.folds(200, 4, rng)) do
    local others = ves.vector(200, 1)
    for _, r in pairs(part) do others[r // 1] = 0 end
    others = others:above(0.5)
    local fit = crossval.train { x = x:take(others), y = y:take(others), rng = rng:stream("fold", k), curves = 10,
                                 prior = 0.1 }
    for _, r in pairs(part) do
      local drawn = fit:sample(x[r // 1], { draws = 4000, rng = ves.rng(r // 1) })
      sum = sum + ves.score.crps(drawn, y[r // 1])
    end
  end
  lu.assertAlmostEquals(best.score, sum / 200, 0.01 * best.score)
end

-- [eq:crps] by its definition, mean |X - y| - mean |X - X'| / 2, at points within, on and beyond the centres.
function TestCrossval.test_the_score_of_a_distribution()
  local x = ves.vector { 0, 1, 2, 3, 0, 1, 2, 3 }
  for _, held in ipairs { -9, 0.2, 0.5, 1, 4.7 } do
    local y = ves.vector { 0, 1, 0, 1, 1, 0, 1, 0 }
    local train = { x = x, y = y, rng = ves.rng(5), curves = 3, outputs = 6 }
    local fit = crossval.train(train)
    local p, z = fit:mixture(1.5), fit.net.output.centers
    local score = 0
    for i = 1, 6 do
      score = score + p[i] * math.abs(z[i] - held)
      for j = 1, 6 do score = score - p[i] * p[j] * math.abs(z[i] - z[j]) / 2 end
    end
    lu.assertAlmostEquals(crossval.crps(p, z, held), score, 1e-12)
  end
end

function TestCrossval.test_what_is_chosen()
  local x, y = data(400)
  local best, tried = crossval.choose(options { x = x, y = y, rng = ves.rng(2) })
  lu.assertEquals(#tried, 4)
  for _, s in ipairs(tried) do lu.assertTrue(best.score <= s.score) end
  lu.assertEquals({ best.curves, best.width }, { 20, 0.5 }) -- five wide curves cannot follow the sine
  lu.assertTrue(best.score < 0.75 * tried[2].score and best.se > 0)
  lu.assertEquals(crossval.choose(options { x = x, y = y, rng = ves.rng(2) }).score, best.score)
  -- the noise has standard deviation 0.2: the CRPS of the truth is 0.2 / sqrt(pi)
  lu.assertAlmostEquals(best.score, 0.2 / math.sqrt(math.pi), 0.02)
end

function TestCrossval.test_progress()
  local x, y = data(60)
  local said = {}
  crossval.choose(options { x = x, y = y, rng = ves.rng(2), progress = function(done, total, s)
    said[#said + 1] = { done, total, s.curves, s.width }
  end })
  lu.assertEquals(said, { { 1, 4, 5, 0.5 }, { 2, 4, 5, 2 }, { 3, 4, 20, 0.5 }, { 4, 4, 20, 2 } })
end

function TestCrossval.test_two_inputs()
  local rng = ves.rng(7)
  local a, b = rng:uniform(600), rng:uniform(600)
  local y = a * b + rng:normal(0, 0.05, 600)
  local fit = crossval.fit(options { x = { a, b }, y = y, rng = ves.rng(2), curves = 8, width = { 0.5, 1 } })
  lu.assertEquals(#fit.tried, 2)
  local drawn = fit:sample({ 0.8, 0.5 }, { draws = 2000, rng = rng })
  lu.assertAlmostEquals(drawn:mean(), 0.4, 0.05)
  lu.assertEquals(fit:mixture { 0.8, 55 }, fit:mixture { 0.8, b:max() }) -- moved into the range
  fails("fit: x has 1 numbers, expected 2", function() fit:mixture(0.5) end)
end

-- Held-out rows of calibrated predictions lie anywhere among the samples, and a row's own y does not reach its
-- prediction: changing it changes no other score of its part.
function TestCrossval.test_held_out()
  local x, y = data(300)
  local held = crossval.held_out(options { x = x, y = y, rng = ves.rng(2), outer = 5, draws = 100 })
  lu.assertEquals({ #held.crps, #held.pit, #held.settings }, { 300, 300, 5 })
  local bins = ves.vector(5)
  for _, u in pairs(held.pit) do
    local bin = math.min(5, u * 5 // 1 + 1) // 1
    bins[bin] = bins[bin] + 1
  end
  lu.assertTrue(support.chi2_p(bins:totable(), { 0.2, 0.2, 0.2, 0.2, 0.2 }, 300) > 1e-6)
  local row = crossval.folds(300, 5, ves.rng(2):stream("outer"))[1][1] // 1
  local changed = y:copy()
  changed[row] = 0.123
  local again = crossval.held_out(options { x = x, y = changed, rng = ves.rng(2), outer = 5, draws = 100 })
  for _, r in pairs(crossval.folds(300, 5, ves.rng(2):stream("outer"))[1]) do
    if r // 1 ~= row then lu.assertEquals(again.pit[r // 1], held.pit[r // 1]) end
  end
end

function TestCrossval.test_errors()
  local x, y = data(20)
  local rng = ves.rng(1)
  fails("crossval.fit: unknown key `fold`: did you mean `folds`", function()
    crossval.fit { x = x, y = y, rng = rng, fold = 3 }
  end)
  fails("crossval.train: x[2] has 3 rows, expected 20, as many as y", function()
    crossval.train { x = { x, { 1, 2, 3 } }, y = y, rng = rng, curves = 5 }
  end)
  fails("crossval.train: x[1] is 3 in all rows", function()
    crossval.train { x = ves.vector(20, 3), y = y, rng = rng, curves = 5 }
  end)
  fails("crossval.choose: y is 1 in all rows", function()
    crossval.choose { x = x, y = ves.vector(20, 1), rng = rng }
  end)
  fails("crossval.choose: x[1] is true, expected a vector of numbers", function()
    crossval.choose { x = true, y = y, rng = rng }
  end)
  fails('crossval.choose: y is "words", expected a vector of numbers', function()
    crossval.choose { x = x, y = "words", rng = rng }
  end)
end

os.exit(lu.LuaUnit.run(), true)
