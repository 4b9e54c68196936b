-- pretty: values as the prompt shows them.
--
-- A vector or matrix of any size takes a few lines: its shape, its range, its mean, and a sparkline, in
-- which long rows are averaged into as many columns as there are. What is small is shown in full.

local array = require "vesicle.base.array"
local check = require "vesicle.base.check"

local pretty = {}

local getinfo = debug and debug.getinfo  -- not in the sandbox

-- How many elements of a vector, rows and columns of a matrix and entries of a table are shown in full.
local most_elements, most_rows, most_columns, most_entries, most_depth = 10, 8, 8, 24, 3
local bars_wide, rows_of_bars = 60, 10

local bars_of_blocks = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" }
local bars_of_signs = { "_", ".", ":", "-", "=", "+", "*", "#" }

local finite = check.finite

--- A number with as many digits as help reading; integers in full.
function pretty.number(x)
  if math.type(x) == "integer" then return string.format("%d", x) end
  if x ~= x then return "nan" end
  if not finite(x) then return x > 0 and "inf" or "-inf" end
  return string.format("%.6g", x)
end

--- Smallest and largest finite element, and the mean of the finite ones; nil if there is none.
local function range(get, n)
  local lo, hi, sum, count = math.huge, -math.huge, 0, 0
  for i = 1, n do
    local x = get(i)
    if finite(x) then
      lo, hi, sum, count = math.min(lo, x), math.max(hi, x), sum + x, count + 1
    end
  end
  if count == 0 then return nil end
  return lo, hi, sum / count, count
end

--- One bar per column: n numbers averaged into at most `width` columns, on the scale from lo to hi. A
--- column without a finite number is blank.
function pretty.sparkline(get, n, options)
  local lo, hi = options.lo, options.hi
  if not lo then lo, hi = range(get, n) end
  if not lo then return "" end
  local marks = options.utf8 == false and bars_of_signs or bars_of_blocks
  local columns, parts = math.min(n, options.width or bars_wide), {}
  for c = 1, columns do
    local first, last = (c - 1) * n // columns + 1, c * n // columns
    local sum, count = 0, 0
    for i = first, last do
      local x = get(i)
      if finite(x) then sum, count = sum + x, count + 1 end
    end
    if count == 0 then
      parts[c] = " "
    else
      local height = hi > lo and (sum / count - lo) / (hi - lo) or 0.5
      parts[c] = marks[math.max(1, math.min(#marks, 1 + math.tointeger(height * #marks // 1)))]
    end
  end
  return table.concat(parts)
end

local function range_text(lo, hi, mean)
  if not lo then return "" end
  local text = string.format(" in [%s, %s]", pretty.number(lo), pretty.number(hi))
  return mean and text .. ", mean " .. pretty.number(mean) or text
end

local function missing_text(n, count)
  count = count or 0
  if count == n then return "" end
  return string.format(", %d of them not finite", n - count)
end

local function vector(v, options)
  local n = #v
  local function get(i) return v[i] end
  local lo, hi, mean, count = range(get, n)
  local head = string.format("vector of %d%s%s", n, range_text(lo, hi, n > 1 and mean), missing_text(n, count))
  if n <= most_elements then
    local parts = {}
    for i = 1, n do parts[i] = pretty.number(v[i]) end
    head = head .. "\n  " .. table.concat(parts, "  ")
  end
  if n < 2 or not lo then return head end
  return head .. "\n  " .. pretty.sparkline(get, n, options)
end

local function small_matrix(m)
  local widths, cells = {}, {}
  for i = 1, m.rows do
    cells[i] = {}
    for j = 1, m.cols do
      cells[i][j] = pretty.number(m[i][j])
      widths[j] = math.max(widths[j] or 0, #cells[i][j])
    end
  end
  local lines = {}
  for i, row in ipairs(cells) do
    for j, cell in ipairs(row) do row[j] = (" "):rep(widths[j] - #cell) .. cell end
    lines[i] = "  " .. table.concat(row, "  ")
  end
  return table.concat(lines, "\n")
end

--- Rows as sparklines on one scale; of many rows, some at equal distances.
local function bars(m, lo, hi, options)
  local lines, shown = {}, math.min(m.rows, rows_of_bars)
  local digits = #tostring(m.rows)
  for k = 1, shown do
    local i = shown == 1 and 1 or 1 + (k - 1) * (m.rows - 1) // (shown - 1)
    local row = m[i]
    lines[k] = string.format("  %" .. digits .. "d  %s", i, pretty.sparkline(function(j) return row[j] end, m.cols,
      { lo = lo, hi = hi, utf8 = options.utf8, width = options.width }))
  end
  return table.concat(lines, "\n")
end

local function matrix(m, options)
  local rows, cols = m.rows, m.cols
  local at, row                          -- the row the scan is in
  local lo, hi, mean, count = range(function(k)
    local i = (k - 1) // cols + 1
    if i ~= at then at, row = i, m[i] end
    return row[(k - 1) % cols + 1]
  end, rows * cols)
  local head = string.format("matrix %d x %d%s%s", rows, cols, range_text(lo, hi, mean),
    missing_text(rows * cols, count))
  if rows * cols == 0 then return head end
  if rows <= most_rows and cols <= most_columns then head = head .. "\n" .. small_matrix(m) end
  if not lo or cols < 2 then return head end
  return head .. "\n" .. bars(m, lo, hi, options)
end

local function text(s)
  local shown = #s > 2000 and s:sub(1, 2000) .. "..." or s
  return '"' .. shown:gsub('[%c"\\]', function(c)
    local named = { ["\n"] = "\\n", ["\t"] = "\\t", ["\r"] = "\\r", ['"'] = '\\"', ["\\"] = "\\\\" }
    return named[c] or string.format("\\%d", c:byte())
  end) .. '"'
end

local function named(value)
  local meta = getmetatable(value)
  local name = type(meta) == "table" and rawget(meta, "__name")
  return type(name) == "string" and name or nil
end

local function is_name(key) return type(key) == "string" and key:find("^[%a_][%w_]*$") ~= nil end

local show

local function short(value)
  local kind = array.kind(value)
  if kind == "vector" then
    return string.format("vector of %d%s", #value, range_text(range(function(i) return value[i] end, #value)))
  elseif kind == "matrix" then
    return string.format("matrix %d x %d", value.rows, value.cols)
  end
  return nil
end

--- A table in one line if it is short, else one line per entry.
local function plain_table(t, options, depth, seen)
  if seen[t] then return "{the table it is in}" end
  if depth >= most_depth then return next(t) == nil and "{}" or "{...}" end
  seen[t] = true
  local parts, n, keys = {}, rawlen(t), {}
  for i = 1, math.min(n, most_entries) do
    local value = rawget(t, i)
    parts[i] = short(value) or show(value, options, depth + 1, seen)
  end
  if n > most_entries then parts[#parts + 1] = string.format("... %d in all", n) end
  for _, key in ipairs(check.sorted_keys(t)) do
    if math.type(key) ~= "integer" or key < 1 or key > n then keys[#keys + 1] = key end
  end
  for k, key in ipairs(keys) do
    if k > most_entries then
      parts[#parts + 1] = string.format("... %d keys in all", #keys)
      break
    end
    local left = is_name(key) and key or "[" .. show(key, options, depth + 1, seen) .. "]"
    local value = rawget(t, key)
    parts[#parts + 1] = left .. " = " .. (short(value) or show(value, options, depth + 1, seen))
  end
  seen[t] = nil
  local line = "{" .. table.concat(parts, ", ") .. "}"
  if #line <= 70 and not line:find("\n") then return line end
  for i, part in ipairs(parts) do parts[i] = "  " .. part:gsub("\n", "\n  ") end
  return "{\n" .. table.concat(parts, ",\n") .. "\n}"
end

--- Objects of the library that are tables.
local spoken_of = {
  parameters = function(value, options, depth, seen)
    local plain = {}
    for key, x in pairs(value) do plain[key] = x end
    return plain_table(plain, options, depth, seen)
  end,
  replicates = function(value, options, depth, seen)
    local n = #value
    if n == 0 then return "no replicates" end
    return string.format("%d replicates, the first: %s", n, show(value[1], options, depth, seen))
  end,
  experiment = function(value, options, depth, seen)
    return string.format("experiment %s, seed %d, parameters %s", value.name, value.seed,
      show(value.params, options, depth, seen))
  end,
}

function show(value, options, depth, seen)
  local kind = type(value)
  if kind == "number" then return finite(value) and tostring(value) or pretty.number(value) end
  if kind == "string" then return text(value) end
  local boxed = array.kind(value)
  if boxed and not pcall(function() return #value end) then return "a " .. boxed .. " that has been closed" end
  if boxed == "vector" then return vector(value, options) end
  if boxed == "matrix" then return matrix(value, options) end
  if kind == "function" then
    local info = getinfo and getinfo(value, "S")
    if not info or info.what == "C" then return "function" end
    return string.format("function of %s:%d", info.short_src, info.linedefined)
  end
  if kind == "table" then
    local meta = getmetatable(value)
    local spoken = meta ~= nil and (type(meta) ~= "table" or rawget(meta, "__tostring") ~= nil)
    local name = named(value)
    if spoken_of[name] then return spoken_of[name](value, options, depth, seen) end
    if not spoken then return name and "a " .. name or plain_table(value, options, depth, seen) end
  end
  local good, shown = pcall(tostring, value)
  return good and (shown:gsub("%s*%(?0x%x+%)?$", "")) or "a " .. kind
end

--- The text of a value, without a line break at the end. `options.width` limits sparklines, and
--- `options.utf8 = false` draws them in ASCII.
function pretty.show(value, options)
  options = options or {}
  local width = math.min(bars_wide, (options.width or 80) - 12)
  return show(value, { width = math.max(width, 8), utf8 = options.utf8 }, 0, {})
end

--- A value in a few words, for messages.
function pretty.brief(value)
  local shown = short(value) or show(value, {}, most_depth - 1, {})
  shown = shown:gsub("\n.*", " ...")
  return #shown > 70 and shown:sub(1, 67) .. "..." or shown
end

return pretty
