-- The old form of statements: every judge on both sides of its threshold, and what E:claim accepts.
local lu = require "luaunit"
local ves = require "vesicle"
local claim = require "vesicle.experiment.claim"
local judge = require "vesicle.judge"

local function fails(pattern, f, ...) lu.assertErrorMsgMatches(".*" .. pattern .. ".*", f, ...) end

local function verdict(spec)
  local full = { id = "c", says = "s", where = "w", reading = "printed" }
  for k, v in pairs(spec) do full[k] = v end
  return claim.row("experiment", full).verdict
end

--- The judge accepts `inside` and refuses `outside`.
local function both_sides(j, inside, outside, rest)
  rest = rest or {}
  local function with(m)
    return verdict { measured = m, se = rest.se, expected = rest.expected, judge = j }
  end
  for _, m in ipairs(inside) do lu.assertEquals(with(m), "reproduced", "measured " .. tostring(m)) end
  for _, m in ipairs(outside) do
    lu.assertEquals(with(m), "not reproduced", "measured " .. tostring(m))
  end
end

TestJudges = {} -- luacheck: globals TestJudges

function TestJudges.test_within()
  both_sides(judge.within(), { 1.81, 2, 2.19 }, { 1.79, 2.21, -2 }, { expected = 2 })
  both_sides(judge.within(0.5), { -1.1, -2.9 }, { -0.9, -3.1, 2 }, { expected = -2 })
  both_sides(judge.within(), { 0 }, { 1e-9 }, { expected = 0 })
end

function TestJudges.test_near()
  both_sides(judge.near(0.25), { 2.75, 3.25 }, { 2.7, 3.3 }, { expected = 3 })
end

function TestJudges.test_equal_to()
  both_sides(judge.equal_to(), { 1e6, 1e6 + 1e-7 }, { 1e6 + 1e-5 }, { expected = 1e6 })
  both_sides(judge.equal_to(1e-3), { 5e-4 }, { 2e-3 }, { expected = 0 })
end

function TestJudges.test_slope()
  both_sides(judge.slope(), { 0.91, 1, 1.09 }, { 0.89, 1.11, -1 })
end

function TestJudges.test_less_than_and_greater_than()
  both_sides(judge.less_than(0.05), { 0.0499 }, { 0.05, 0.051 })
  both_sides(judge.less_than(), { 0.9 }, { 1, 1.1 }, { expected = 1 })
  both_sides(judge.greater_than(0.9), { 0.91 }, { 0.9, 0.89 })
  both_sides(judge.greater_than(), { 1.1 }, { 1, 0.9 }, { expected = 1 })
end

function TestJudges.test_standard_errors()
  both_sides(judge.exceeds_by_se(), { 1.31 }, { 1.29, 1, 0.5 }, { expected = 1, se = 0.1 })
  both_sides(judge.exceeds_by_se(), { 1.01 }, { 1 }, { expected = 1, se = 0 })
  both_sides(judge.falls_short_by_se(2), { 0.79 }, { 0.81, 1.5 }, { expected = 1, se = 0.1 })
  both_sides(judge.agrees_by_se(), { 0.71, 1.29 }, { 0.69, 1.31 }, { expected = 1, se = 0.1 })
end

function TestJudges.test_not_rejected()
  both_sides(judge.not_rejected(), { 0.5, 1e-6 }, { 9.9e-7, 0 })
end

function TestJudges.test_every_each_all_negate()
  both_sides(judge.every(judge.within(0.1)), { { 1, 2 }, { 1.05, 1.95 }, ves.vector { 1, 2 } },
    { { 1, 2.3 }, { 1.2, 2 } }, { expected = { 1, 2 } })
  both_sides(judge.every(judge.less_than(1)), { { 0.5, 0.9 } }, { { 0.5, 1 } })
  both_sides(judge.each(judge.less_than(), judge.greater_than()), { { 0, 3 }, ves.vector { 0.5, 2.1 } },
    { { 1, 3 }, { 0, 2 } }, { expected = { 1, 2 } })
  lu.assertErrorMsgContains("judge.each: 3 values measured, expected 1", judge.each(judge.less_than()), { 1, 2, 3 })
  both_sides(judge.all_of(judge.greater_than(0), judge.less_than(1)), { 0.5 }, { 0, 1 })
  both_sides(judge.negate(judge.less_than(1)), { 1, 2 }, { 0.9 })
end

function TestJudges.test_mathematical_statements()
  local proof = judge.proved_if(judge.equal_to(1e-12))
  lu.assertEquals(verdict { measured = 1 + 1e-13, expected = 1, judge = proof }, "proved")
  lu.assertEquals(verdict { measured = 1.01, expected = 1, judge = proof }, "refuted")
  local counter = judge.refuted_if(judge.greater_than(0.1))
  lu.assertEquals(verdict { measured = 0.2, judge = counter }, "refuted")
  lu.assertEquals(verdict { measured = 0.05, judge = counter }, "reproduced")
end

function TestJudges.test_judges_refuse_what_they_cannot_compare()
  fails("judge%.within: expected is nil, expected a number", verdict,
    { measured = 1, judge = judge.within() })
  fails("judge%.exceeds_by_se: se is nil", verdict,
    { measured = 1, expected = 0, judge = judge.exceeds_by_se() })
  fails("judge%.less_than: measured is not a number %(NaN%)", verdict,
    { measured = 0 / 0, judge = judge.less_than(1) })
  fails("judge%.within: the margin is negative", judge.within, -0.1)
  fails("judge%.every: measured is 1, expected an array", verdict,
    { measured = 1, judge = judge.every(judge.slope()) })
end

TestClaims = {} -- luacheck: globals TestClaims

function TestClaims.test_the_reading_decides_the_positive_verdict()
  local function yes() return true end
  lu.assertEquals(verdict { measured = 1, judge = yes }, "reproduced")
  lu.assertEquals(verdict { measured = 1, reading = "exact Phi", judge = yes },
    "reproduced under a stated reading")
  fails('the judge returned "reproduced", but the reading is "default"', verdict,
    { measured = 1, reading = "default", judge = function() return "reproduced" end })
  fails("but the reading is \"printed\"", verdict, { measured = 1,
    judge = function() return "reproduced under a stated reading" end })
end

function TestClaims.test_the_judge_sees_measured_se_and_claim()
  local seen
  verdict { measured = 3, se = 0.5, expected = 4, judge = function(...)
    seen = { ... }
    return "refuted"
  end }
  lu.assertEquals({ seen[1], seen[2], seen[3].expected }, { 3, 0.5, 4 })
end

function TestClaims.test_bad_claims()
  local yes = function() return true end
  fails("the judge returned \"perhaps\", expected true, false or one of: reproduced", verdict,
    { measured = 1, judge = function() return "perhaps" end })
  fails("the judge returned nil", verdict, { measured = 1, judge = function() end })
  fails("E:claim: key `measured` is missing", verdict, { judge = yes })
  fails("E:claim: unknown key `measurd`: did you mean `measured`%?", verdict,
    { measurd = 1, measured = 1, judge = yes })
  fails("E:claim: key `judge` is \"reproduced\", expected a function", verdict,
    { measured = 1, judge = "reproduced" })
  fails("E:claim: id \"A b\": expected lower%-case", verdict,
    { id = "A b", measured = 1, judge = yes })
  fails("key `says`: a text with a tab", verdict, { says = "a\tb", measured = 1, judge = yes })
end

os.exit(lu.LuaUnit.run())
