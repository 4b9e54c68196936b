-- rounded: a number as running text says it.
--
-- A chapter of the supplement lists every number with its standard error; a sentence reads better with two digits.
-- Four forms of a number serve it: `rough` (0.23, 1.06, 4.4, 4500), `percent` (23%, 0.13%), `excess` (1.06 as 6%) and
-- `shortfall` (0.92 as 8%). A digit is shown while the standard error is no more than two of its units. An excess
-- exists only of a number above 1 and a shortfall only of one below, so that "wider by" cannot outlive a result that
-- turned round.

local rounded = {}

--- 10000 as 10 000 with a thin space; four digits stay together.
function rounded.grouped(digits)
  if #digits < 5 then return digits end
  return (digits:reverse():gsub("(%d%d%d)", "%1,\\"):reverse():gsub("^\\,", ""))
end

--- x with at most `decimals` digits behind the point, fewer where the standard error exceeds two units of the last of
--- them; negative `decimals` round to tens and hundreds.
local function round(x, se, decimals)
  if se and se > 0 then decimals = math.min(decimals, math.floor(-math.log(se / 2, 10) + 1e-9)) end
  local unit = 10.0 ^ -decimals
  local value = math.floor(x / unit + 0.5) * unit
  if decimals > 0 then return string.format("%." .. math.tointeger(decimals) .. "f", value) end
  local sign, digits = string.format("%.0f", value):match("^(%-?)(%d+)$")
  return sign .. rounded.grouped(digits)
end

--- The number of decimals that shows two significant digits of x.
local function two_digits(x) return x == 0 and 0 or math.floor(1 - math.floor(math.log(math.abs(x), 10) + 1e-9)) end

local function percent(share, se)
  local x = 100 * share
  return round(x, se and 100 * se, math.abs(x) < 1 and two_digits(x) or 0)
end

--- The forms of a number with its standard error (nil if it has none), as LaTeX; forms that do not apply are absent,
--- and a number so small that it would need a power of ten has none.
function rounded.forms(value, se)
  if value ~= 0 and math.abs(value) < 1e-4 then return {} end
  local decimals = math.abs(value) >= 0.1 and math.abs(value) < 2 and 2 or two_digits(value)
  local function maths(text) return "\\ensuremath{" .. text .. "}" end
  local function share(x) return maths(percent(x, se) .. "\\%") end
  return {
    rough = maths(round(value, se, decimals)), percent = share(value),
    excess = value > 1 and share(value - 1) or nil,
    shortfall = value < 1 and share(1 - value) or nil,
  }
end

rounded.names = { "rough", "percent", "excess", "shortfall" }

return rounded
