-- judge: verdicts computed from data.
--
-- A judge is a function (measured, se, claim) -> true, false, or a verdict in words. E:claim turns
-- true into `reproduced` (or `reproduced under a stated reading`) and false into `not reproduced`;
-- judge.proved_if and judge.refuted_if are for mathematical statements. The constructors below are
-- the only places where a measurement is compared with a margin, so that each can be tested on both
-- sides of its threshold.

local array = require "vesicle.base.array"
local check = require "vesicle.base.check"
local margins = require "vesicle.margins"

local judge = {}

local function need_number(where, what, value)
  if type(value) ~= "number" then
    error(string.format("judge.%s: %s is %s, expected a number", where, what, check.show(value)), 0)
  end
  if value ~= value then error(string.format("judge.%s: %s is not a number (NaN)", where, what), 0) end
  return value
end

local function bound(where, value)
  need_number(where, "the margin", value)
  if value < 0 then error("judge." .. where .. ": the margin is negative", 3) end
  return value
end

--[[** judge.within(relative) -> judge
|measured - expected| <= relative |expected|.
@param relative number, default margins.closely
@example judge = require "vesicle.judge"; print(judge.within(0.1)(1.05, nil, {expected = 1}))
]]
function judge.within(relative)
  relative = bound("within", relative or margins.closely)
  return function(m, _, claim)
    local expected = need_number("within", "expected", claim.expected)
    return math.abs(need_number("within", "measured", m) - expected) <= relative * math.abs(expected)
  end
end

--[[** judge.near(tolerance) -> judge
|measured - expected| <= tolerance.
@param tolerance number
@example judge = require "vesicle.judge"; print(judge.near(0.01)(0.005, nil, {expected = 0}))
]]
function judge.near(tolerance)
  tolerance = bound("near", tolerance)
  return function(m, _, claim)
    local expected = need_number("near", "expected", claim.expected)
    return math.abs(need_number("near", "measured", m) - expected) <= tolerance
  end
end

--[[** judge.equal_to(tolerance) -> judge
Equality of computed numbers: |measured - expected| <= tolerance max(1, |expected|).
@param tolerance number, default margins.exact
@example judge = require "vesicle.judge"; print(judge.equal_to()(0.1 + 0.2, nil, {expected = 0.3}))
]]
function judge.equal_to(tolerance)
  tolerance = bound("equal_to", tolerance or margins.exact)
  return function(m, _, claim)
    local expected = need_number("equal_to", "expected", claim.expected)
    local size = math.max(1, math.abs(expected))
    return math.abs(need_number("equal_to", "measured", m) - expected) <= tolerance * size
  end
end

--[[** judge.slope(tolerance) -> judge
A slope of 1 within the margin.
@param tolerance number, default margins.identity_slope
@example judge = require "vesicle.judge"; print(judge.slope(0.1)(0.95))
]]
function judge.slope(tolerance)
  tolerance = bound("slope", tolerance or margins.identity_slope)
  return function(m) return math.abs(need_number("slope", "measured", m) - 1) <= tolerance end
end

--[[** judge.less_than(limit) -> judge
measured < limit.
@param limit number, default the claim's `expected`
@example judge = require "vesicle.judge"; print(judge.less_than(0.05)(0.01, nil, {}))
]]
function judge.less_than(limit)
  return function(m, _, claim)
    local top = need_number("less_than", "the limit", limit or claim.expected)
    return need_number("less_than", "measured", m) < top
  end
end

--[[** judge.greater_than(limit) -> judge
measured > limit.
@param limit number, default the claim's `expected`
@example judge = require "vesicle.judge"; print(judge.greater_than(0.05)(0.01, nil, {}))
]]
function judge.greater_than(limit)
  return function(m, _, claim)
    local floor = need_number("greater_than", "the limit", limit or claim.expected)
    return need_number("greater_than", "measured", m) > floor
  end
end

--[[** judge.exceeds_by_se(count) -> judge
measured > expected by at least `count` standard errors.
@param count number, default margins.standard_errors
@example judge = require "vesicle.judge"; print(judge.exceeds_by_se(3)(1, 0.1, {expected = 0}))
]]
function judge.exceeds_by_se(count)
  count = bound("exceeds_by_se", count or margins.standard_errors)
  return function(m, se, claim)
    local expected = need_number("exceeds_by_se", "expected", claim.expected)
    return need_number("exceeds_by_se", "measured", m) - expected
      >= count * need_number("exceeds_by_se", "se", se) and m > expected
  end
end

--[[** judge.falls_short_by_se(count) -> judge
measured < expected by at least `count` standard errors.
@param count number, default margins.standard_errors
@example judge = require "vesicle.judge"; print(judge.falls_short_by_se(3)(-1, 0.1, {expected = 0}))
]]
function judge.falls_short_by_se(count)
  count = bound("falls_short_by_se", count or margins.standard_errors)
  return function(m, se, claim)
    local expected = need_number("falls_short_by_se", "expected", claim.expected)
    return expected - need_number("falls_short_by_se", "measured", m)
      >= count * need_number("falls_short_by_se", "se", se) and m < expected
  end
end

--[[** judge.agrees_by_se(count) -> judge
|measured - expected| <= count standard errors: no difference to be seen.
@param count number, default margins.standard_errors
@example judge = require "vesicle.judge"; print(judge.agrees_by_se(3)(0.1, 0.1, {expected = 0}))
]]
function judge.agrees_by_se(count)
  count = bound("agrees_by_se", count or margins.standard_errors)
  return function(m, se, claim)
    local expected = need_number("agrees_by_se", "expected", claim.expected)
    return math.abs(need_number("agrees_by_se", "measured", m) - expected)
      <= count * need_number("agrees_by_se", "se", se)
  end
end

--[[** judge.not_rejected(chance) -> judge
A p-value that does not reject.
@param chance number, default margins.chance
@example judge = require "vesicle.judge"; print(judge.not_rejected()(0.2))
]]
function judge.not_rejected(chance)
  chance = bound("not_rejected", chance or margins.chance)
  return function(m) return need_number("not_rejected", "measured", m) >= chance end
end

-- ---- combinations ----

local function at(x, i)
  if type(x) == "table" or array.is_vector(x) then return x[i] end
  return x
end

--- Element i of what was measured, judged with element i of `se` and `expected` where those are arrays.
local function element(inner, values, i, se, claim)
  return inner(values[i], at(se, i), setmetatable({ expected = at(claim.expected, i) }, { __index = claim }))
end

local function elements(where, m)
  local values = array.totable(m)
  if type(values) ~= "table" or #values == 0 then
    error("judge." .. where .. ": measured is " .. (type(values) == "table" and "empty" or check.show(m))
      .. ", expected an array of at least one value", 0)
  end
  return values
end

--[[** judge.every(inner) -> judge
For an array of measured values: the inner judge holds for each, with the matching element of `se` and `expected`
where those are arrays. judge.each(first, second, ...) has a judge of its own for each value.
@param inner judge
@example judge = require "vesicle.judge"; print(judge.every(judge.near(0.1))({0.01, 0.02}, nil, {expected = 0}))
@example print(judge.each(judge.less_than(0.1), judge.greater_than(1))({0.01, 2}, nil, {}))
]]
function judge.every(inner)
  return function(m, se, claim)
    local values = elements("every", m)
    for i = 1, #values do
      if not element(inner, values, i, se, claim) then return false end
    end
    return true
  end
end

function judge.each(...)
  local judges = { ... }
  return function(m, se, claim)
    local values = elements("each", m)
    if #values ~= #judges then
      error(string.format("judge.each: %d values measured, expected %d, one for each judge", #values, #judges), 0)
    end
    for i, inner in ipairs(judges) do
      if not element(inner, values, i, se, claim) then return false end
    end
    return true
  end
end

--[[** judge.all_of(...) -> judge
Several judges of the same values: all hold. judge.negate(inner): this one does not.
@param ... judges
@example judge = require "vesicle.judge"
@example print(judge.all_of(judge.greater_than(0), judge.less_than(1))(0.5, nil, {}))
]]
function judge.all_of(...)
  local judges = { ... }
  return function(m, se, claim)
    for _, inner in ipairs(judges) do
      if not inner(m, se, claim) then return false end
    end
    return true
  end
end

function judge.negate(inner)
  return function(m, se, claim) return not inner(m, se, claim) end
end

--[[** judge.proved_if(inner) -> judge
A mathematical statement: `proved` if the inner judge holds, `refuted` if not.
@param inner judge
@example judge = require "vesicle.judge"; print(judge.proved_if(judge.equal_to())(1, nil, {expected = 1}))
]]
function judge.proved_if(inner)
  return function(m, se, claim) return inner(m, se, claim) and "proved" or "refuted" end
end

--[[** judge.refuted_if(inner) -> judge
A statement that one counterexample ends: `refuted` if the inner judge finds it, otherwise reproduced.
@param inner judge
@example judge = require "vesicle.judge"; print(judge.refuted_if(judge.greater_than(1))(2, nil, {}))
]]
function judge.refuted_if(inner)
  return function(m, se, claim)
    if inner(m, se, claim) then return "refuted" end
    return true
  end
end

return judge
