-- Criteria: each on both sides of its threshold, its words, and the words read back.
local lu = require "luaunit"
local ves = require "vesicle"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"

local function fails(pattern, f, ...) lu.assertErrorMsgMatches(".*" .. pattern .. ".*", f, ...) end

--- The criterion has these words, accepts `inside` and refuses `outside` (numbers, or { value, se }); so does the one
--- that its words give.
local function both_sides(c, words, inside, outside)
  lu.assertEquals(c.words, words)
  for _, one in ipairs { c, is.parse(words) } do
    lu.assertEquals(one.words, words)
    for _, x in ipairs(inside) do
      local v, se = x, nil
      if type(x) == "table" then v, se = x[1], x[2] end
      lu.assertTrue(one.check(v, se), words .. " of " .. tostring(v))
    end
    for _, x in ipairs(outside) do
      local v, se = x, nil
      if type(x) == "table" then v, se = x[1], x[2] end
      lu.assertFalse(one.check(v, se), words .. " of " .. tostring(v))
    end
  end
end

TestOne = {} -- luacheck: globals TestOne

function TestOne.test_within_and_near()
  both_sides(is.within(), "within 10% of 1", { 0.901, 1, 1.099 }, { 0.899, 1.101, -1 })
  both_sides(is.within(0.25, { of = -4.4 }), "within 25% of -4.4", { -3.31, -5.49 }, { -3.29, -5.51, 4.4 })
  both_sides(is.near(0.25, 3), "within 0.25 of 3", { 2.76, 3.24 }, { 2.74, 3.26 })
  both_sides(is.exact(), "within 1e-12 of 0", { 0, 9e-13, -9e-13 }, { 1.1e-12, -1.1e-12 })
end

function TestOne.test_limits()
  both_sides(is.below(0.05), "< 0.05", { 0.0499, -1 }, { 0.05, 0.051 })
  both_sides(is.above(-0.9), "> -0.9", { -0.89 }, { -0.9, -0.91 })
  both_sides(is.between(1.01, 1.1), "between 1.01 and 1.1", { 1.01, 1.1 }, { 1.009, 1.101 })
  both_sides(is.not_rejected(), "p > 1e-06", { 1.1e-6, 0.5 }, { 1e-6, 0 })
end

function TestOne.test_differences_need_an_effect_and_standard_errors()
  both_sides(is.less(0.9), "< 0.9 by 3 se", { { 0.59, 0.1 }, { 0.899, 0 } },
    { { 0.61, 0.1 }, { 0.9, 0 }, { 1.5, 0.1 } })
  both_sides(is.less(1, 0.1), "< 1 by 0.1 and 3 se", { { 0.89, 0.03 }, { 0.69, 0.1 } },
    { { 0.91, 0.001 }, { 0.71, 0.1 }, { 1.5, 0 } })
  both_sides(is.more(1, margins.direction), "> 1 by 0.01 and 3 se", { { 1.011, 0.001 }, { 1.31, 0.1 } },
    { { 1.009, 0.001 }, { 1.29, 0.1 }, { 0.5, 0 } })
  both_sides(is.differs(1), "differs from 1 by 0.1 and 3 se", { { 0.89, 0 }, { 1.11, 0.03 } },
    { { 0.91, 0 }, { 1.09, 0 }, { 1.2, 0.1 } })
  both_sides(is.more(0), "> 0 by 3 se", { { 0.31, 0.1 } }, { { 0.29, 0.1 }, { 0, 0 } })
end

function TestOne.test_sameness_needs_data()
  both_sides(is.same(1), "within 0.1 of 1, 3 se included", { { 1.05, 0.01 }, { 0.91, 0 } },
    { { 1.05, 0.02 }, { 0.89, 0 }, { 1, 0.04 } })
  both_sides(is.same(), "within 0.1 of 0, 3 se included", { { 0, 0.033 } }, { { 0, 0.034 } })
end

function TestOne.test_what_is_the_same_is_not_different()
  for value = 0.5, 1.5, 0.01 do
    for _, se in ipairs { 0, 0.01, 0.05 } do
      lu.assertFalse(is.same(1).check(value, se) and is.differs(1).check(value, se))
      lu.assertFalse(is.within().check(value) and is.less(1, margins.differs).check(value, se) and value > 0.9)
    end
  end
end

function TestOne.test_all()
  both_sides(is.all(is.more(1), is.within()), "> 1 by 3 se; within 10% of 1", { { 1.05, 0.01 } },
    { { 1.05, 0.02 }, { 1.2, 0.01 }, { 0.95, 0.01 } })
end

TestSeveral = {} -- luacheck: globals TestSeveral

local function judged(c, values, ses)
  local good, failed = is.judge(c, values, ses)
  local again, also = is.judge(is.parse(c.words), values, ses)
  lu.assertEquals({ again, also }, { good, failed })
  return { good, table.concat(failed, " ") }
end

function TestSeveral.test_each()
  lu.assertEquals(judged(is.each(is.within()), { 1, 1.05, 0.95 }), { true, "" })
  lu.assertEquals(judged(is.each(is.within()), ves.vector { 0.7, 1, 1.3 }), { false, "1 3" })
  lu.assertEquals(judged(is.each(is.more(1)), { 1.2, 1.2 }, ves.vector { 0.01, 0.1 }), { false, "2" })
  lu.assertEquals(judged(is.each { is.below(1), is.all(is.above(1), is.below(2)) }, { 0.5, 2 }), { false, "2" })
  lu.assertEquals(judged(is.below(1), 0.5), { true, "" })
end

function TestSeveral.test_what_does_not_fit()
  fails("is of one number, got 2: criterion.each", is.judge, is.below(1), { 1, 2 })
  fails("is of 2 numbers, got 3", is.judge, is.each { is.below(1), is.below(2) }, { 1, 2, 3 })
  fails("se is nil, expected a number >= 0", is.judge, is.less(1), 0.5)
  fails("the value to compare with '< 1' is nan", is.judge, is.below(1), 0 / 0)
  fails("criterion.judge: got 3, expected a criterion", is.judge, 3, 1)
end

function TestSeveral.test_arguments()
  fails("criterion.within: the share is %-0.1, expected a number >= 0", is.within, -0.1)
  fails("criterion.within: unknown key `off`: did you mean `of`%?", is.within, 0.1, { off = 2 })
  fails("criterion.below: the limit is nil, expected a finite number", is.below)
  fails("criterion.less: the margin is \"x\"", is.less, 1, "x")
  fails("criterion.between: hi is 1, expected at least lo = 2", is.between, 2, 1)
  fails("criterion.all: got 1, expected a criterion", is.all, 1)
  fails("criterion.all: expected at least one", is.all)
  fails("criterion.each: got nil", is.each)
  fails("expected a criterion of one number, got 'each < 1'", is.each, is.each(is.below(1)))
  fails("no criterion has these words", is.parse, "about 3")
end

function TestSeveral.test_a_criterion_cannot_be_changed()
  local c = is.below(1)
  fails("a criterion cannot be changed: `words`", function() c.words = "< 2" end)
  fails("a criterion has no field `wrods`", function() return c.wrods end)
  lu.assertTrue(c == is.parse("< 1") and c ~= is.below(2))
  lu.assertTrue(is.less(1).needs_se and is.each(is.less(1)).needs_se and not is.within().needs_se)
end

TestMargins = {} -- luacheck: globals TestMargins

function TestMargins.test_every_margin_has_a_reason()
  lu.assertEquals(margins.closely, margins.differs)
  for name, reason in pairs(margins.reasons) do
    lu.assertIsNumber(margins[name])
    lu.assertTrue(#reason > 20, name)
  end
end

function TestMargins.test_margins_are_fixed()
  fails("can only be set in", function() margins.closely = 0.5 end)
  fails("no margin `closly`: did you mean `closely`%?", function() return margins.closly end)
end

TestSlack = {} -- luacheck: globals TestSlack

local function slack(c, values, ses, most)
  local found = is.slack(c, values, ses, most)
  lu.assertEquals(found, is.slack(is.parse(c.words), values, ses, most))
  return found
end

function TestSlack.test_how_far_a_value_may_move()
  local function near(expected, ...) lu.assertAlmostEquals(slack(...), expected, 0.002) end
  near(1, is.below(1), 0.9, 0.1)
  near(1, is.below(1), 1.1, 0.1)
  near(0.5, is.within(0.1), 1.05, 0.1)
  near(1.5, is.within(0.1), 0.75, 0.1) -- from outside it is the nearer edge
  near(1.9, is.between(1, 2), 0.905, 0.05)
  near(1, is.more(1), 1.4, 0.1) -- three standard errors are part of the criterion
  near(1, is.more(1), 1.2, 0.1)
  near(0.5, is.less(1, 0.5), 0.45, 0.1)
  near(1, is.same(1, 0.5), 1.1, 0.1)
  near(0.5, is.all(is.more(1, 0.01), is.within(0.1)), 1.105, 0.01)
  near(2.5, is.below(1), 0.75, 0.1, 3)
end

function TestSlack.test_what_is_not_close()
  lu.assertNil(slack(is.below(1), 0.5, 0.1))
  lu.assertNil(slack(is.below(1), 0.79, 0.1))
  lu.assertNil(slack(is.below(1), 0.999, 0)) -- exact
  lu.assertNil(slack(is.below(1), 0.999, 1e-16)) -- rounding of values that all agree
  lu.assertNil(slack(is.below(1), 0.999))
  lu.assertNil(slack(is.each(is.below(1)), { 0.5, 0.6 }, { 0.1, 0.1 }))
end

function TestSlack.test_the_search_ends()
  lu.assertErrorMsgContains("the most is 1000, expected at most 100 standard errors", is.slack, is.below(1), 0.5, 0.1,
    1000)
end

function TestSlack.test_of_several_values()
  local c = is.each(is.below(1))
  lu.assertAlmostEquals(slack(c, { 0.9, 0.85, 0.1 }, { 0.1, 0.1, 0.1 }), 1, 0.002) -- any may fail
  lu.assertAlmostEquals(slack(c, { 1.05, 1.15, 0.99 }, { 0.1, 0.1, 0.1 }), 1.5, 0.002) -- all that fail must move
  lu.assertNil(slack(c, { 1.05, 1.5 }, { 0.1, 0.1 }))
  lu.assertNil(slack(c, { 1.05, 1.05 }, { 0.1, 0 }))
  lu.assertAlmostEquals(slack(is.each { is.below(1), is.above(2) }, { 0.5, 2.1 }, { 0.1, 0.1 }), 1, 0.002)
  fails("criterion '< 1' is of one number, got 2", is.slack, is.below(1), { 1, 2 }, { 1, 1 })
  fails("the most is %-1", is.slack, is.below(1), 1, 1, -1)
end

--- Margins get wider or narrower, and what is compared with stays.
function TestMargins.test_scaled()
  local function words(c, factor) return is.scaled(c, factor).words end
  lu.assertEquals({ words(is.within(0.1), 2), words(is.near(0.5, 3), 0.5), words(is.same(1, 0.1), 2) },
    { "within 20% of 1", "within 0.25 of 3", "within 0.2 of 1, 3 se included" })
  lu.assertEquals({ words(is.more(1, 0.1), 2), words(is.less(0.5), 2), words(is.differs(0, 0.1), 0.5) },
    { "> 1 by 0.2 and 3 se", "< 0.5 by 3 se", "differs from 0 by 0.05 and 3 se" })
  lu.assertEquals({ words(is.below(0.05), 2), words(is.below(1), 2), words(is.above(0), 2), words(is.above(0.9), 2) },
    { "< 0.1", "< 1", "> 0", "> 0.9" })
  lu.assertEquals(words(is.each { is.all(is.within(0.1), is.more(1, 0.01)), is.between(0, 1) }, 2),
    "within 20% of 1; > 1 by 0.02 and 3 se | between 0 and 1")
  lu.assertErrorMsgContains("expected a criterion", is.scaled, "< 1", 2)
  lu.assertErrorMsgContains("the factor is -1, expected a number >= 0", is.scaled, is.within(), -1)
  lu.assertErrorMsgContains("the factor is 0, expected more", is.scaled, is.within(), 0)
end

os.exit(lu.LuaUnit.run())
