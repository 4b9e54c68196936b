-- rules: each has its own constant, groups cover all synapses, and comparisons are those of the mean measures.
local lu = require "luaunit"
local ves = require "vesicle"
local rules = require "vesicle.model.rules"

TestRules = {} -- luacheck: globals TestRules

function TestRules.test_a_constant_goes_to_its_own_rule()
  local constants = { psi = 7, subtract = 0.35 }
  lu.assertEquals(rules.options("power", constants, { rate = 0.1 }), { rule = "power", psi = 7, rate = 0.1 })
  lu.assertEquals(rules.options("subtract", constants), { rule = "subtract", subtract = 0.35 })
  lu.assertEquals(rules.options("raw", constants), { rule = "raw" })
end

function TestRules.test_every_rule_learns_and_rests()
  local w = ves.vector { 0.4, 0.3, 0.2, 0.1 }
  for _, rule in ipairs(rules.names) do
    local options = rules.options(rule, { psi = 7, subtract = 0.35 })
    lu.assertEquals(#ves.release.equilibrium(w, options), 4)
    options.rate, options.iterations, options.rng = 0.1, 10, ves.rng(1)
    lu.assertEquals(#ves.release.learn(w, options), 4)
  end
end

function TestRules.test_groups()
  local w = ves.vector { 0.05, 0.5, 0.2, 0.15, 0.1 }
  local groups = rules.groups(w, 0.2, 0.16)
  lu.assertEquals(groups, {
    all = { 2, 3, 4, 5, 1 }, largest = { 2 }, smallest = { 1 }, all_but_smallest = { 5, 4, 3, 2 }, tail = { 1, 5 },
    all_but_tail = { 4, 3, 2 },
  })
end

local learned = {
  raw = ves.matrix { { 0.2, 0.4 }, { 0.4, 0.6 }, { 0.3, 0.8 } },
  power = ves.matrix { { 0.1, 0.2 }, { 0.1, 0.4 }, { 0.1, 0.6 } },
}
local settled = { raw = ves.vector { 0.5, 0.5 } }
local function first(v) return v[1] end
local function last(v) return v[#v] end

function TestRules.test_a_comparison_is_one_of_mean_measures()
  local compare = rules.comparison(learned, settled)
  lu.assertEquals(compare.each(last, "raw"):totable(), { 0.4, 0.6, 0.8 })
  local after, rest = compare.found(last, { "raw" })
  lu.assertAlmostEquals(after.value, 0.6, 1e-15)
  lu.assertAlmostEquals(after.se, 0.2 / math.sqrt(3), 1e-15)
  lu.assertEquals(rest, 0.5)
  local ratio, none = compare.found(last, { "power", "raw" }, function(m) return m[1] / m[2] end)
  lu.assertAlmostEquals(ratio.value, 0.4 / 0.6, 1e-15)
  lu.assertNil(none)
end

function TestRules.test_a_statement_has_both_as_cells()
  local compare = rules.comparison(learned, settled)
  local s = compare.statement({ id = "x", further = { { reading = "else", 1 } } }, first, { "raw" })
  lu.assertAlmostEquals(s.cells.printed.value, 0.3, 1e-15)
  lu.assertEquals(s.further, { { reading = "at rest", 0.5, exact = true }, { reading = "else", 1 } })
end

os.exit(lu.LuaUnit.run())
