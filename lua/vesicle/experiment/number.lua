-- number: a measured value as it stands in a text.
--
-- A value is rounded to two significant digits of its standard error, the convention of metrology:
-- 0.19731 with s.e. 0.00412 is written 0.1973 and 0.0041. Without a standard error, `digits`
-- significant digits (4 unless told) are kept; whole numbers are written whole.

local number = {}

--- The decimal exponent of |x| after rounding to `digits` significant digits.
local function exponent(x, digits)
  return math.tointeger(tonumber(string.format("%." .. digits - 1 .. "e", math.abs(x)):match("e(.*)$")))
end

--- x with `decimals` digits after the point; negative decimals round to tens, hundreds, ...
local function fixed(x, decimals)
  if decimals >= 0 then return string.format("%." .. decimals .. "f", x) end
  local unit = 10.0 ^ -decimals
  return string.format("%.0f", string.format("%.0f", x / unit) * unit)
end

local function unsigned_zero(text)
  return text:find("^%-[0.]*$") and text:sub(2) or text
end

--- Plain texts of the value and of its standard error (nil if there is none), and the power of ten
--- both are to be multiplied with (0 for ordinary sizes).
function number.format(value, se, digits)
  if math.type(value) == "integer" and not se and not digits then
    return string.format("%d", value), nil, 0
  end
  local decimals
  if digits then
    decimals = value == 0 and digits - 1 or digits - 1 - exponent(value, digits)
  elseif se and se > 0 then
    decimals = 1 - exponent(se, 2)
  else
    decimals = value == 0 and 0 or 3 - exponent(value, 4)
  end
  local size = math.max(math.abs(value), se or 0)
  local power = size == 0 and 0 or exponent(size, 3)
  if power >= 6 or power <= -4 then
    local scale = 10.0 ^ -power
    local shown = math.max(0, decimals + power)
    return unsigned_zero(fixed(value * scale, shown)), se and fixed(se * scale, shown), power
  end
  return unsigned_zero(fixed(value, decimals)), se and fixed(se, decimals), 0
end

--- Plain text of the value and, if there is one, of its standard error: "0.1973 ± 0.0041".
function number.plain(value, se, digits)
  local v, e, power = number.format(value, se, digits)
  local tail = power ~= 0 and "e" .. power or ""
  return v .. tail .. (e and " ± " .. e .. tail or "")
end

--- LaTeX for the value, for its s.e. and for both together; the last two are nil without an s.e.
function number.latex(value, se, digits)
  local v, e, power = number.format(value, se, digits)
  local factor = power ~= 0 and string.format("\\times 10^{%d}", power) or ""
  local function maths(text) return "\\ensuremath{" .. text .. "}" end
  if not e then return maths(v .. factor) end
  local both = v .. " \\pm " .. e
  if power ~= 0 then both = "(" .. both .. ")" .. factor end
  return maths(v .. factor), maths(e .. factor), maths(both)
end

return number
