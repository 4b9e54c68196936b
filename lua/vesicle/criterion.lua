-- criterion: what a measurement must satisfy, in words that say it all.
--
-- A criterion carries its own words ("< 0.9 by 3 se"), and they are all there is to it: criterion.parse makes the same
-- criterion of them again, so that whoever reads value, standard error and words in a row of the ledger can check the
-- verdict. It sees nothing but a value and its standard error. The constructors below are the only places where a
-- measurement is compared with a margin; numbers that words of degree stand for come from vesicle.margins.
--
-- Margins are symmetric. What is called the same (criterion.same: within the margin, three standard errors included)
-- cannot also be called different (criterion.differs, less, more: beyond the margin and beyond three standard errors).

local array = require "vesicle.base.array"
local check = require "vesicle.base.check"
local margins = require "vesicle.margins"

local criterion = {}

local Criterion = { __name = "criterion" }
local content = setmetatable({}, { __mode = "k" }) -- criterion -> what it holds, so that nobody can change it

Criterion.__index = function(self, key)
  local value = content[self][key]
  if value == nil then
    error(string.format("a criterion has no field `%s` (fields: words, needs_se, check)", tostring(key)), 2)
  end
  return value
end
Criterion.__newindex = function(_, key) error("a criterion cannot be changed: `" .. tostring(key) .. "`", 2) end
Criterion.__eq = function(a, b) return content[a].words == content[b].words end
Criterion.__tostring = function(self) return content[self].words end

--- Is x a criterion?
function criterion.is(x) return getmetatable(x) == Criterion end

-- ---- of one number ----

local function number(where, what, x)
  if not check.finite(x) then
    error(string.format("criterion.%s: %s is %s, expected a finite number", where, what, check.show(x)), 3)
  end
  return x
end

local function size(where, what, x)
  if number(where, what, x) < 0 then
    error(string.format("criterion.%s: %s is %s, expected a number >= 0", where, what, check.show(x)), 3)
  end
  return x
end

local function text(x) return string.format("%.10g", x) end

local several = margins.standard_errors

--- A criterion of one number. check(value, se): se is 0 where the number is exact, and a criterion that needs one
--- refuses to do without.
local function of_one(words, needs_se, holds)
  local made = setmetatable({}, Criterion)
  local function checked(value, se)
    number("check", "the value to compare with '" .. words .. "'", value)
    if needs_se and not (check.finite(se) and se >= 0) then
      error(string.format("criterion '%s': se is %s, expected a number >= 0 (0 for an exact value)", words,
        check.show(se)), 2)
    end
    return holds(value, se)
  end
  content[made] = { words = words, needs_se = needs_se, check = checked }
  return made
end

--[[** criterion.within(share, options) -> criterion
The value lies within a share of what it should be; criterion.near(distance, of) within a distance of it.
@param share number >= 0, default margins.closely: 0.1 is 10%
@key of number, default 1: what it should be
@example is = require "vesicle.criterion"; c = is.within(0.1); print(c.words, c.check(1.05), c.check(1.2))
@example print(is.near(0.5, 3).words)
]]
function criterion.within(share, options)
  share = size("within", "the share", share or margins.closely)
  options = options or {}
  check.options("criterion.within", options, { of = { type = "number", optional = true } }, 2)
  local of = number("within", "of", options.of or 1)
  return of_one(string.format("within %s%% of %s", text(share * 100), text(of)), false,
    function(v) return math.abs(v - of) <= share * math.abs(of) end)
end

function criterion.near(distance, of)
  size("near", "the distance", distance)
  of = number("near", "the target", of or 0)
  return of_one(string.format("within %s of %s", text(distance), text(of)), false,
    function(v) return math.abs(v - of) <= distance end)
end

--[[** criterion.exact(of) -> criterion
Equality of computed numbers: within margins.exact.
@param of number, default 0
@example is = require "vesicle.criterion"; print(is.exact().words, is.exact(0.3).check(0.1 + 0.2))
]]
function criterion.exact(of) return criterion.near(margins.exact, of or 0) end

--[[** criterion.below(limit) -> criterion
The value is below the limit, whatever its standard error; criterion.above(limit) above it.
@param limit number
@example is = require "vesicle.criterion"; print(is.below(0.1).check(0.05), is.above(0.1).words)
]]
function criterion.below(limit)
  number("below", "the limit", limit)
  return of_one("< " .. text(limit), false, function(v) return v < limit end)
end

function criterion.above(limit)
  number("above", "the limit", limit)
  return of_one("> " .. text(limit), false, function(v) return v > limit end)
end

--[[** criterion.between(lo, hi) -> criterion
From lo to hi, both included.
@param lo number
@param hi number >= lo
@example is = require "vesicle.criterion"; print(is.between(1.01, 1.1).check(1.05))
]]
function criterion.between(lo, hi)
  number("between", "lo", lo)
  if number("between", "hi", hi) < lo then
    error(string.format("criterion.between: hi is %s, expected at least lo = %s", text(hi), text(lo)), 2)
  end
  return of_one(string.format("between %s and %s", text(lo), text(hi)), false,
    function(v) return v >= lo and v <= hi end)
end

--- "3 se", or "0.1 and 3 se".
local function beyond(margin) return (margin > 0 and text(margin) .. " and " or "") .. several .. " se" end

--[[** criterion.less(of, margin) -> criterion
A difference that counts: less than `of` by more than the margin, and by more than three standard errors.
criterion.more(of, margin) is the other side, criterion.differs(of, margin) either of them.
@param of number
@param margin number >= 0, default 0; of criterion.differs margins.differs
@example is = require "vesicle.criterion"; print(is.less(1, 0.1).words, is.less(1, 0.1).check(0.8, 0.05))
@example print(is.more(0).check(0.1, 0.05), is.differs(1).check(1.05, 0.001))
]]
local function difference(name, words, distance)
  criterion[name] = function(of, margin)
    number(name, "what it is compared with", of)
    margin = size(name, "the margin", margin or (name == "differs" and margins.differs or 0))
    return of_one(string.format("%s %s by %s", words, text(of), beyond(margin)), true, function(v, se)
      local d = distance(v - of)
      return d > margin and d > several * se
    end)
  end
end
difference("less", "<", function(d) return -d end)
difference("more", ">", function(d) return d end)
difference("differs", "differs from", math.abs)

--[[** criterion.same(of, margin) -> criterion
No difference that counts, and enough data to say so: |value - of| plus three standard errors is below the margin.
@param of number, default 0
@param margin number > 0, default margins.closely
@example is = require "vesicle.criterion"; print(is.same(1).words, is.same(1).check(1.02, 0.1))
]]
function criterion.same(of, margin)
  of = number("same", "what it is compared with", of or 0)
  margin = size("same", "the margin", margin or margins.closely)
  return of_one(string.format("within %s of %s, %s se included", text(margin), text(of), several), true,
    function(v, se) return math.abs(v - of) + several * se < margin end)
end

--[[** criterion.not_rejected(chance) -> criterion
A p value that does not reject.
@param chance number, default margins.chance
@example is = require "vesicle.criterion"; print(is.not_rejected().words)
]]
function criterion.not_rejected(chance)
  chance = size("not_rejected", "the chance", chance or margins.chance)
  return of_one("p > " .. text(chance), false, function(v) return v > chance end)
end

-- ---- of several ----

local function need(where, x)
  if not criterion.is(x) then
    error(string.format("criterion.%s: got %s, expected a criterion, as from criterion.within()", where, check.show(x)),
      3)
  end
  if content[x].each then error("criterion." .. where .. ": expected a criterion of one number, got '" .. x.words
    .. "'", 3) end
  return x
end

--[[** criterion.all(c1, c2, ...) -> criterion
Several criteria of the same number: all hold.
@param ... criteria of one number
@example is = require "vesicle.criterion"; print(is.all(is.more(1), is.within(0.1)).words)
]]
function criterion.all(...)
  local parts, words, needs_se = { ... }, {}, false
  if #parts == 0 then error("criterion.all: expected at least one criterion", 2) end
  for i, part in ipairs(parts) do
    words[i] = need("all", part).words
    needs_se = needs_se or part.needs_se
  end
  return of_one(table.concat(words, "; "), needs_se, function(v, se)
    for _, part in ipairs(parts) do if not part.check(v, se) then return false end end
    return true
  end)
end

--[[** criterion.each(c) -> criterion
For several numbers: the criterion holds for each; criterion.each{c1, c2, ...} has one of its own for each.
@param c criterion of one number, or an array of as many as there are numbers
@example is = require "vesicle.criterion"; print(is.each(is.within(0.1)).words, is.each{is.below(1), is.above(2)}.words)
]]
function criterion.each(c)
  local made = setmetatable({}, Criterion)
  if criterion.is(c) then
    content[made] = { words = "each " .. need("each", c).words, needs_se = c.needs_se, each = c }
    return made
  end
  if type(c) == "table" then c = array.totable(c, "criterion.each") end
  if type(c) ~= "table" or #c == 0 then
    error("criterion.each: got " .. check.show(c) .. ", expected a criterion or an array of them", 2)
  end
  local parts, words, needs_se = table.move(c, 1, #c, 1, {}), {}, false
  for i, part in ipairs(parts) do
    words[i] = need("each", part).words
    needs_se = needs_se or part.needs_se
  end
  content[made] = { words = table.concat(words, " | "), needs_se = needs_se, each = parts, count = #parts }
  return made
end

--- Values and standard errors as arrays, and a function that has the criterion of each element.
local function elements(where, c, values, ses)
  if not criterion.is(c) then
    error("criterion." .. where .. ": got " .. check.show(c) .. ", expected a criterion", 3)
  end
  local each = content[c].each
  local list, errors = array.totable(values, "criterion." .. where), array.totable(ses, "criterion." .. where)
  if type(list) ~= "table" then list = { list } end
  if type(errors) ~= "table" then errors = { errors } end
  if not each and #list ~= 1 then
    error(string.format("criterion '%s' is of one number, got %d: criterion.each(...) is of more", c.words, #list), 3)
  end
  if content[c].count and content[c].count ~= #list then
    error(string.format("criterion '%s' is of %d numbers, got %d", c.words, content[c].count, #list), 3)
  end
  return list, errors, function(i) return each and (criterion.is(each) and each or each[i]) or c end
end

--[[** criterion.judge(c, values, ses) -> boolean, array
Does the criterion hold? With a list of the elements for which it does not.
@param c criterion
@param values number, or an array or vector of them
@param ses number, array or vector: their standard errors
@return boolean
@return array of the numbers of the elements that fail
@example is = require "vesicle.criterion"; print(is.judge(is.each(is.below(1)), {0.5, 2}))
]]
function criterion.judge(c, values, ses)
  local list, errors, own = elements("judge", c, values, ses)
  local failed = {}
  for i = 1, #list do
    if not own(i).check(list[i], errors[i]) then failed[#failed + 1] = i end
  end
  return #failed == 0, failed
end

local step, halvings = 0.1, 7 -- a tenth of a standard error, then halved: to less than a thousandth of one

--- By how many of its standard errors one value has to move, up or down, for its verdict to turn; nil if by more than
--- `most`. The standard error stays what it is. One that is rounding alone, of replicates that all agree, is none.
local function slack_of_one(one, value, se, most)
  if not check.finite(se) or se <= 1e-12 * math.abs(value) then return nil end
  local now = one.check(value, se)
  local function turned(x) return one.check(value + x * se, se) ~= now or one.check(value - x * se, se) ~= now end
  for k = 1, math.ceil(most / step) do
    local below, above = (k - 1) * step, math.min(k * step, most)
    if turned(above) then
      for _ = 1, halvings do
        local middle = (below + above) / 2
        if turned(middle) then above = middle else below = middle end
      end
      return above
    end
  end
  return nil
end

--[[** criterion.slack(c, values, ses, most) -> number or nil
By how many of its standard errors a value would have to move for the criterion to judge otherwise; nil if by more than
`most`, and where nothing has a standard error. Of several values that all pass it is the least; if some fail, all of
these would have to move, and it is the most that one of them needs.
@param c criterion
@param values number, or an array or vector of them
@param ses number, array or vector: their standard errors
@param most number in (0, 100], default margins.close
@example is = require "vesicle.criterion"; print(is.slack(is.below(1), 0.9, 0.1), is.slack(is.below(1), 0.5, 0.1))
@example print(is.slack(is.each(is.below(1)), {0.5, 1.1}, {0.1, 0.2}))
]]
function criterion.slack(c, values, ses, most)
  local list, errors, own = elements("slack", c, values, ses)
  most = most == nil and margins.close or size("slack", "the most", most)
  if most > 100 then error("criterion.slack: the most is " .. most .. ", expected at most 100 standard errors", 2) end
  local good, failed = criterion.judge(c, values, ses)
  local least, farthest
  for i = 1, good and #list or 0 do
    local x = slack_of_one(own(i), list[i], errors[i], most)
    if x and (not least or x < least) then least = x end
  end
  for _, i in ipairs(failed) do
    local x = slack_of_one(own(i), list[i], errors[i], most)
    if not x then return nil end
    farthest = math.max(farthest or 0, x)
  end
  return least or farthest
end

-- ---- words back ----

local numeral = "(%-?[%d.]+e?[+-]?%d*)"

local forms = { -- pattern of the words -> constructor; `margin` says which of its numbers is a margin
  { "^within " .. numeral .. "%% of " .. numeral .. "$", function(m, of)
    return criterion.within(tonumber(string.format("%.10g", m / 100)), { of = of })
  end, margin = 1 },
  { "^within " .. numeral .. " of " .. numeral .. "$", function(d, of) return criterion.near(d, of) end, margin = 1 },
  { "^within " .. numeral .. " of " .. numeral .. ", %d+ se included$",
    function(m, of) return criterion.same(of, m) end, margin = 1 },
  { "^between " .. numeral .. " and " .. numeral .. "$", function(a, b) return criterion.between(a, b) end },
  { "^p > " .. numeral .. "$", function(x) return criterion.not_rejected(x) end },
  { "^< " .. numeral .. "$", function(x) return criterion.below(x) end, margin = "limit" },
  { "^> " .. numeral .. "$", function(x) return criterion.above(x) end, margin = "limit" },
}
for name, words in pairs { less = "<", more = ">", differs = "differs from" } do
  forms[#forms + 1] = { "^" .. words .. " " .. numeral .. " by " .. numeral .. " and %d+ se$",
    function(of, m) return criterion[name](of, m) end, margin = 2 }
  forms[#forms + 1] = { "^" .. words .. " " .. numeral .. " by %d+ se$",
    function(of) return criterion[name](of, 0) end }
end

--- The pieces of `words` between separators.
local function split(words, separator)
  local pieces, from = {}, 1
  while true do
    local a, b = words:find(separator, from, true)
    pieces[#pieces + 1] = words:sub(from, (a or 0) - 1)
    if not a then return pieces end
    from = b + 1
  end
end

--- The criterion of these words, with margins multiplied by `factor`.
local function made_of(words, factor)
  local inner = words:match("^each (.*)$")
  if inner then return criterion.each(made_of(inner, factor)) end
  local separator = words:find(" | ", 1, true) and " | " or words:find("; ", 1, true) and "; "
  if separator then
    local parts = split(words, separator)
    for i, part in ipairs(parts) do parts[i] = made_of(part, factor) end
    if separator == " | " then return criterion.each(parts) end
    return criterion.all(table.unpack(parts))
  end
  for _, form in ipairs(forms) do
    local a, b = words:match(form[1])
    if a then
      a, b = tonumber(a), tonumber(b)
      if form.margin == 1 or form.margin == "limit" and a > 0 and a <= margins.roughly then a = a * factor end
      if form.margin == 2 then b = b * factor end
      return form[2](a, b)
    end
  end
  error("criterion.parse: " .. check.show(words) .. ": no criterion has these words", 0)
end

--[[** criterion.parse(words) -> criterion
The criterion that has these words.
@param words text, as criterion.words has it
@example is = require "vesicle.criterion"; print(is.parse("each within 10% of 1") == is.each(is.within(0.1)))
]]
function criterion.parse(words)
  if type(words) ~= "string" then error("criterion.parse: got " .. check.show(words) .. ", expected words", 2) end
  return made_of(words, 1)
end

--[[** criterion.scaled(c, factor) -> criterion
The same criterion with wider or narrower margins: what is "within", what a difference must exceed, and a limit that is
itself a margin, from 0 to a quarter. What is compared with stays.
@param c criterion
@param factor number > 0
@example is = require "vesicle.criterion"; print(is.scaled(is.within(0.1), 2).words)
]]
function criterion.scaled(c, factor)
  if not criterion.is(c) then error("criterion.scaled: got " .. check.show(c) .. ", expected a criterion", 2) end
  if size("scaled", "the factor", factor) == 0 then error("criterion.scaled: the factor is 0, expected more", 2) end
  return made_of(c.words, factor)
end

return check.module("vesicle.criterion", criterion)
