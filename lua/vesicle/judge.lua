-- judge: verdicts computed from data.
--
-- A judge is a function (measured, se, claim) -> true, false, or a verdict in words. E:claim turns
-- true into `reproduced` (or `reproduced under a stated reading`) and false into `not reproduced`;
-- judge.proved_if and judge.refuted_if are for mathematical statements. The constructors below are
-- the only places where a measurement is compared with a margin, so that each can be tested on both
-- sides of its threshold.

local array = require "vesicle.array"
local check = require "vesicle.check"
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

--- |measured - expected| <= relative * |expected|; `closely` unless told.
function judge.within(relative)
  relative = bound("within", relative or margins.closely)
  return function(m, _, claim)
    local expected = need_number("within", "expected", claim.expected)
    return math.abs(need_number("within", "measured", m) - expected) <= relative * math.abs(expected)
  end
end

--- |measured - expected| <= tolerance, absolute.
function judge.near(tolerance)
  tolerance = bound("near", tolerance)
  return function(m, _, claim)
    local expected = need_number("near", "expected", claim.expected)
    return math.abs(need_number("near", "measured", m) - expected) <= tolerance
  end
end

--- |measured - expected| <= tolerance * max(1, |expected|): equality of computed numbers.
function judge.equal_to(tolerance)
  tolerance = bound("equal_to", tolerance or margins.exact)
  return function(m, _, claim)
    local expected = need_number("equal_to", "expected", claim.expected)
    local size = math.max(1, math.abs(expected))
    return math.abs(need_number("equal_to", "measured", m) - expected) <= tolerance * size
  end
end

--- A slope of 1 within the margin.
function judge.slope(tolerance)
  tolerance = bound("slope", tolerance or margins.identity_slope)
  return function(m) return math.abs(need_number("slope", "measured", m) - 1) <= tolerance end
end

--- measured < limit (the claim's `expected` unless told).
function judge.less_than(limit)
  return function(m, _, claim)
    local top = need_number("less_than", "the limit", limit or claim.expected)
    return need_number("less_than", "measured", m) < top
  end
end

--- measured > limit (the claim's `expected` unless told).
function judge.greater_than(limit)
  return function(m, _, claim)
    local floor = need_number("greater_than", "the limit", limit or claim.expected)
    return need_number("greater_than", "measured", m) > floor
  end
end

--- measured > expected by at least `count` standard errors.
function judge.exceeds_by_se(count)
  count = bound("exceeds_by_se", count or margins.standard_errors)
  return function(m, se, claim)
    local expected = need_number("exceeds_by_se", "expected", claim.expected)
    return need_number("exceeds_by_se", "measured", m) - expected
      >= count * need_number("exceeds_by_se", "se", se) and m > expected
  end
end

--- measured < expected by at least `count` standard errors.
function judge.falls_short_by_se(count)
  count = bound("falls_short_by_se", count or margins.standard_errors)
  return function(m, se, claim)
    local expected = need_number("falls_short_by_se", "expected", claim.expected)
    return expected - need_number("falls_short_by_se", "measured", m)
      >= count * need_number("falls_short_by_se", "se", se) and m < expected
  end
end

--- |measured - expected| <= count standard errors: no difference to be seen.
function judge.agrees_by_se(count)
  count = bound("agrees_by_se", count or margins.standard_errors)
  return function(m, se, claim)
    local expected = need_number("agrees_by_se", "expected", claim.expected)
    return math.abs(need_number("agrees_by_se", "measured", m) - expected)
      <= count * need_number("agrees_by_se", "se", se)
  end
end

--- A p value that does not reject.
function judge.not_rejected(chance)
  chance = bound("not_rejected", chance or margins.chance)
  return function(m) return need_number("not_rejected", "measured", m) >= chance end
end

-- ---- combinations ----

local function at(x, i)
  if type(x) == "table" or array.is_vector(x) then return x[i] end
  return x
end

--- `measured` is an array: the inner judge holds for each element, with the matching element of `se`
--- and `expected` where those are arrays.
function judge.every(inner)
  return function(m, se, claim)
    local values = array.totable(m)
    if type(values) ~= "table" or #values == 0 then
      error("judge.every: measured is " .. check.show(m) .. ", expected an array", 0)
    end
    for i = 1, #values do
      local one = setmetatable({ expected = at(claim.expected, i) }, { __index = claim })
      if not inner(values[i], at(se, i), one) then return false end
    end
    return true
  end
end

function judge.all_of(...)
  local judges = { ... }
  return function(m, se, claim)
    for _, inner in ipairs(judges) do
      if not inner(m, se, claim) then return false end
    end
    return true
  end
end

function judge.any_of(...)
  local judges = { ... }
  return function(m, se, claim)
    for _, inner in ipairs(judges) do
      if inner(m, se, claim) then return true end
    end
    return false
  end
end

function judge.negate(inner)
  return function(m, se, claim) return not inner(m, se, claim) end
end

--- A mathematical statement: `proved` if the inner judge holds, `refuted` if not.
function judge.proved_if(inner)
  return function(m, se, claim) return inner(m, se, claim) and "proved" or "refuted" end
end

--- A statement that one counterexample ends: `refuted` if the inner judge finds it, otherwise
--- reproduced.
function judge.refuted_if(inner)
  return function(m, se, claim)
    if inner(m, se, claim) then return "refuted" end
    return true
  end
end

return judge
