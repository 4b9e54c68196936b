-- The two data models follow the laws they state, and the network trained on them has the stated priors.
local lu = require "luaunit"
local ves = require "vesicle"
local models = require "vesicle.model.data"
local readings = require "vesicle.model.readings"
local stats = require "vesicle.stats"

TestModels = {}

--- Under the model's own distribution function the data are uniform: chi-square over twenty classes, p < 1e-6.
local function uniform(model, rows)
  local xs, ys = model.generate(rows, ves.rng(20211118):stream("models", model.name))
  local classes, counts, flat = 20, {}, {}
  for c = 1, classes do counts[c], flat[c] = 0, 1 / classes end
  for r = 1, rows do
    local c = math.min(classes, math.floor(model.cdf(xs[r], ys[r]) * classes) + 1)
    counts[c] = counts[c] + 1
  end
  return stats.chi_square(counts, flat).p
end

-- Mean 0, standard deviation 0.2 + 0.2 (x + 4), as many rows for each of five inputs. [data:simple]
function TestModels.test_the_simple_model()
  local model = models.simple()
  lu.assertTrue(uniform(model, 20000) > 1e-6)
  lu.assertAlmostEquals(model.sd(-4), 0.2, 1e-15)
  lu.assertAlmostEquals(model.sd(4), 1.8, 1e-15)
  local xs = model.generate(50, ves.rng(1))
  lu.assertEquals({ xs[1], xs[10], xs[11], xs[50] }, { -4, -4, -2, 4 })
end

-- A component that stays and one that moves; as printed its share rises with x, as described it falls. [data:bimodal]
function TestModels.test_the_bimodal_model()
  for _, declining in ipairs { false, true } do
    local model = models.bimodal { declining = declining }
    lu.assertTrue(uniform(model, 20000) > 1e-6)
    lu.assertEquals(model.share(4) > model.share(-4), not declining)
    lu.assertAlmostEquals(model.share(0), 0.5, 1e-15)
    local p = 1 / (1 + math.exp(declining and 2 or -2)) -- at x = 4: N(-2, 0.2) or N(1, 0.7)
    lu.assertAlmostEquals(model.mean(4), 1 - 3 * p, 1e-14)
    lu.assertAlmostEquals(model.sd(4), math.sqrt(p * 0.04 + (1 - p) * 0.49 + p * (1 - p) * 9), 1e-14)
  end
end

-- Without data the evidence is the prior's, cell by cell. [eq:evidence-prior]
function TestModels.test_priors_lie_in_their_ranges()
  lu.assertEquals({ models.prior_a, models.prior_b }, { { 0.025, 0.026 }, { 0.1, 0.101 } }) -- as printed
  local net = models.network(models.simple(), ves.rng(3), { rows = 5 })
  lu.assertTrue(net.A:row(30):min() >= models.prior_a[1] and net.A:row(30):max() <= models.prior_a[2])
  lu.assertTrue(net.B:row(30):min() >= models.prior_b[1] and net.B:row(30):max() <= models.prior_b[2])
  lu.assertTrue(net.A:row(30):max() > net.A:row(30):min())
end

function TestModels.test_activity_below_the_threshold_is_silence()
  local code = ves.code { n = 5, lo = 0, hi = 4, sigma = 0.5 }
  local plain, heard = code:encode(2), models.activity(code, 2, 0.2)
  lu.assertEquals({ heard[1], heard[2], heard[3] }, { 0, 0, 1 })
  lu.assertTrue(plain[2] > 0.1 and plain[2] < 0.2)
  lu.assertEquals(models.activity(code, 2), plain:map(function(a) return a > 1e-3 and a or 0 end))
end

TestReadings = {}

function TestReadings.test_cells_have_the_names_that_statements_know()
  local cells = readings.cells(function(reading, spacing) return { reading.name, spacing } end)
  lu.assertEquals(cells["printed"], { "printed", "ends" })
  lu.assertEquals(cells["corrected, open"], { "corrected", "open" })
  lu.assertEquals(readings.cell(readings.printed, "bins"), "printed, bins")
  local names = 0
  for _ in pairs(cells) do names = names + 1 end
  lu.assertEquals(names, 6)
end

function TestReadings.test_replicates_for_each_spacing()
  local phases = {}
  local E = { replicate = function(_, spec)
    phases[#phases + 1] = { spec.name, spec.n }
    return spec.run(1, ves.rng(1))
  end }
  local found = readings.replicates(E, { name = "a", n = 5, spaced = 2, run = function(_, code, spacing)
    return { spacing, code.centers[1] }
  end })
  lu.assertEquals(phases, { { "a", 5 }, { "a-bins", 2 }, { "a-open", 2 } })
  for _, spacing in ipairs(readings.spacings) do
    lu.assertEquals(found[spacing], { spacing, models.code(spacing).centers[1] })
  end
  readings.replicates(E, { name = "b", n = 3, run = function() return 0 end })
  lu.assertEquals(phases[6], { "b-open", 3 })
end

function TestModels.test_s_as_a_variance()
  lu.assertAlmostEquals(models.simple { variance = true }.sd(4) ^ 2, 1.8, 1e-12)
  lu.assertAlmostEquals(models.simple().sd(4), 1.8, 1e-12)
  local xs, ys = models.simple { variance = true }.generate(50000, ves.rng(5))
  lu.assertAlmostEquals(ys:take((xs - 4):abs():less(1e-9):above(0.5)):var(), 1.8, 0.15)
  local x = 2.0                                  -- p, and the variances of the two components
  local p = 1 / (1 + math.exp(-1))
  local sd = models.bimodal { variance = true }.sd(x)
  lu.assertAlmostEquals(sd ^ 2, p * 0.2 + (1 - p) * 0.575 + p * (1 - p) * 2.5 ^ 2, 1e-12)
  lu.assertErrorMsgContains("varience", models.simple, { varience = true })
end

os.exit(lu.LuaUnit.run())
