-- tolerance: how far another mathematical library can move a result of the same bits of randomness.
--
-- Random bits, masks, evidence and tuning curves are made of what IEEE 754 fixes to the bit, and are the same
-- everywhere. What is left to a library are exp, log, pow, the gamma function and GSL, which may round another way: a
-- few units in the last place (2^-52 relative) each. Experiments add up to some thousand of them, so *last digits*
-- are 4096 units. Two things make more of it without being more. What is left when numbers of size one cancel is as
-- exact as those were, not as itself: a few units of 1. And where nothing is left, the sign and every digit are
-- rounding: an identity of the report is called exact below 1e-12 (margins.exact), and below it any value is as good
-- as another; values below 1e-20 come from products and not from cancellation, and are held to their digits.
--
-- Some facts are known to move further, each for its reason; they are named below, and nothing else is excused. All
-- of this was found with a library whose results are off by one unit at random, up or down, in two of three calls.

local margins = require "vesicle.margins"

local tolerance = { unit = 0x1p-52 }

tolerance.digits = 4096 * tolerance.unit
tolerance.cancelled = 16 * tolerance.unit

-- Where a minimum or a root is searched for: near it the function is flat or differences cancel, and its place is
-- known to about the square root of the precision (1.5e-8).
local searched = {
  "\\Psi", "^psi%-", "^top%-psi%-better/", "^exponent%-exaggerates/", "^equilibrium%-near%-target/",
  "^implicit%-no%-explicit/", "/optima%.tsv ", "/minima%.tsv ", "/releases%.tsv ",
}

-- Where a draw or a choice can turn out another way, and by how much of its size that may move the fact.
local discrete = {
  -- Releases learned with an exponent that is not whole (pow): a release that moves in its last digit crosses a
  -- threshold of the masks, 2^-41 apart, once in some thousand updates, and one synapse then transmits where it did
  -- not.
  { "/sweep%.tsv ", 0.01 },
  -- Rows that are the same bell: outputs at mirrored places tie, and rounding says which of the two is the stronger.
  { "scaling%.tsv ", 0.05 }, { "/normal%.tsv exact", 0.05 }, { "^must%-divide/inputs on or off", 0.05 },
}

--- How much of its size a fact of this name may move beyond its last digits; nil if it may not.
function tolerance.excused(name)
  for _, one in ipairs(discrete) do
    if name:find(one[1]) then return one[2] end
  end
  for _, pattern in ipairs(searched) do
    if name:find(pattern) then return math.sqrt(tolerance.unit) end
  end
end

local function is_rounding(x) return x == 0 or math.abs(x) < margins.exact and math.abs(x) > 1e-20 end

--- How far apart a and b may be as values of the fact `name`; scale is the size of what they were summed from, if
--- known.
function tolerance.of(name, a, b, scale)
  if is_rounding(a) and is_rounding(b) then return margins.exact end
  local size = math.max(math.abs(a), math.abs(b), scale or 0)
  local cancelled = math.abs(a) > 1e-20 and tolerance.cancelled or 0
  return math.max(tolerance.digits * size, cancelled, (tolerance.excused(name) or 0) * size)
end

return tolerance
