-- plot: plots on the spot, drawn by gnuplot.
--
-- A plot opens in a window if there is a display and the installed gnuplot can open one; otherwise it is
-- drawn in the terminal, in text. The last plot can be added to, and saved as PDF, SVG or PNG. Figures of
-- an experiment are scripts of their own (figures/*.gp); this is for looking. The environment variable
-- GNUTERM chooses a terminal as it does for gnuplot: `dumb` for text.

local array = require "vesicle.base.array"
local check = require "vesicle.base.check"
local host = require "vesicle.base.host"
local pretty = require "vesicle.prompt.pretty"

local plot = {}

local current                            -- what was drawn last: { kind, series | matrix, options }

-- Colours of Okabe and Ito, as in the figures.
local colours = { "#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#000000", "#999999" }
local signs = { "o", "x", "+", "#", "@", "%", "=", "*" }

-- ---- arguments ----

local number_like = "a vector or an array of numbers"

--- The numbers of an argument as a Lua array. Missing ones (nan) are allowed: they leave a gap.
local function numbers(where, name, value)
  local list = value
  if array.is_vector(value) then
    list = value:totable()
  elseif type(value) ~= "table" or getmetatable(value) ~= nil then
    error(string.format("%s: argument '%s' = %s: expected %s", where, name, pretty.brief(value), number_like), 0)
  end
  if #list == 0 then error(string.format("%s: argument '%s' has no elements", where, name), 0) end
  for i, x in ipairs(list) do
    if type(x) ~= "number" then
      error(string.format("%s: argument '%s'[%d] = %s: expected a number", where, name, i, pretty.brief(x)), 0)
    end
  end
  return list
end

local looks = {
  title = { type = "string", optional = true }, xlabel = { type = "string", optional = true },
  ylabel = { type = "string", optional = true }, xrange = { type = "table", optional = true },
  yrange = { type = "table", optional = true }, logx = { type = "boolean", optional = true },
  logy = { type = "boolean", optional = true },
}

local function fields(more)
  local all = {}
  for key, field in next, looks do all[key] = field end
  for key, field in next, more do all[key] = field end
  return all
end

local curve_fields = fields {
  label = { type = "string|table", optional = true }, style = { type = "string", optional = true },
  error = { type = "table|userdata", optional = true },
}
local hist_fields = fields {
  bins = { type = "integer", optional = true }, density = { type = "boolean", optional = true },
}
local matrix_fields = {
  title = looks.title, xlabel = looks.xlabel, ylabel = looks.ylabel,
}

local styles = { "lines", "points", "both", "steps", "bars" }

local function options_of(where, options, known)
  options = options or {}
  check.options(where, options, known, -1)
  for _, key in ipairs { "xrange", "yrange" } do
    local range = options[key]
    if range and not (type(range[1]) == "number" and type(range[2]) == "number" and #range == 2) then
      error(string.format("%s: key '%s': expected {lo, hi}", where, key), 0)
    end
  end
  if options.style then
    local known_style = false
    for _, style in ipairs(styles) do known_style = known_style or style == options.style end
    if not known_style then
      error(string.format("%s: key 'style' = %s%s (styles: %s)", where, pretty.brief(options.style),
        check.suggestion(options.style, styles), table.concat(styles, ", ")), 0)
    end
  end
  return options
end

--- The curves of ves.plot's arguments: one, or one per column of a matrix.
local function curves(where, x, y, options)
  if y == nil then x, y = nil, x end
  local columns = {}
  if array.is_matrix(y) then
    for j = 1, y.cols do columns[j] = y:col(j):totable() end
  else
    columns[1] = numbers(where, x and "y" or "x", y)
  end
  local n = #columns[1]
  local at = {}
  if x then at = numbers(where, "x", x) else for i = 1, n do at[i] = i end end
  if #at ~= n then
    error(string.format("%s: 'x' has %d elements, 'y' %s%d", where, #at, array.is_matrix(y) and "rows: " or "", n), 0)
  end
  local spread = options.error and numbers(where, "error", options.error)
  if spread and (#spread ~= n or #columns > 1) then
    error(string.format("%s: key 'error' has %d elements: expected one for each of %d points", where, #spread, n), 0)
  end
  local labels, series = options.label, {}
  for k, column in ipairs(columns) do
    local label = type(labels) == "table" and labels[k] or type(labels) == "string" and labels or nil
    series[k] = { x = at, y = column, error = spread, style = options.style or (spread and "both" or "lines"),
                  label = label and tostring(label) }
  end
  return series
end

-- ---- gnuplot's language ----

local function quoted(text) return "'" .. text:gsub("'", "''"):gsub("[\r\n]+", " ") .. "'" end

local function cell(x)
  if not check.finite(x) then return "nan" end
  return (string.format("%.17g", x):gsub(",", ".")) -- in any locale
end

local with = { lines = "lines", points = "points", both = "linespoints", steps = "steps", bars = "boxes" }

--- In text the label of the vertical axis stands above the plot, where there is room for it.
local function settings(p, is_text)
  local o, lines = p.options, {}
  local function add(...) lines[#lines + 1] = string.format(...) end
  add("set encoding utf8")
  add("set datafile missing 'nan'")
  add("set key noautotitle")
  if not is_text then
    add("set tics nomirror out")
    add("set border 3")
    add("set pointintervalbox 0.01")     -- no white halo behind points
    if p.kind ~= "matrix" then add("set offsets graph 0.02, graph 0.02, graph 0.02, graph 0.02") end
  end
  for _, key in ipairs { "title", "xlabel", "ylabel" } do
    if o[key] and not (is_text and key == "ylabel") then add("set %s %s noenhanced", key, quoted(o[key])) end
  end
  if o.logx then add("set logscale x") end
  if o.logy then add("set logscale y") end
  if o.xrange then add("set xrange [%s:%s]", cell(o.xrange[1]), cell(o.xrange[2])) end
  if o.yrange then add("set yrange [%s:%s]", cell(o.yrange[1]), cell(o.yrange[2])) end
  return lines
end

local function curve_commands(p, is_text)
  local lines, parts = settings(p, is_text), {}
  for k, s in ipairs(p.series) do
    lines[#lines + 1] = string.format("$d%d << EOD", k)
    for i = 1, #s.y do
      lines[#lines + 1] = cell(s.x[i]) .. " " .. cell(s.y[i]) .. (s.error and " " .. cell(s.error[i]) or "")
    end
    lines[#lines + 1] = "EOD"
    local look = string.format("lc rgb '%s'", colours[(k - 1) % #colours + 1])
    if s.style == "points" or s.style == "both" or s.error then
      look = look .. (is_text and string.format(" pt '%s'", signs[(k - 1) % #signs + 1]) or " pt 7 ps 0.5")
    end
    if s.style ~= "points" and not is_text then look = look .. " lw 1.5" end
    if s.error then
      parts[#parts + 1] = string.format("$d%d using 1:2:3 with yerrorbars %s", k, look)
      if s.style == "both" then
        parts[#parts] = parts[#parts] .. string.format(", $d%d using 1:2 with lines lc rgb '%s'", k,
          colours[(k - 1) % #colours + 1])
      end
    else
      parts[#parts + 1] = string.format("$d%d using 1:2 with %s %s", k, with[s.style], look)
    end
    if s.label then parts[#parts] = parts[#parts] .. " title " .. quoted(s.label) .. " noenhanced" end
    if s.style == "bars" then
      table.insert(lines, 1, "set style fill solid 0.4 border")
      if s.width then table.insert(lines, 1, "set boxwidth " .. cell(s.width)) end
    end
  end
  lines[#lines + 1] = "plot " .. table.concat(parts, ", \\\n  ")
  return lines
end

local function matrix_commands(p)
  local lines = settings(p)
  lines[#lines + 1] = "$m << EOD"
  for i = 1, p.matrix.rows do
    local row = p.matrix[i]:totable()
    for j, x in ipairs(row) do row[j] = cell(x) end
    lines[#lines + 1] = table.concat(row, " ")
  end
  lines[#lines + 1] = "EOD"
  lines[#lines + 1] = string.format("set xrange [0.5:%d.5]", p.matrix.cols)
  lines[#lines + 1] = string.format("set yrange [%d.5:0.5]", p.matrix.rows)
  lines[#lines + 1] = "set palette defined (0 '#FFFFFF', 0.5 '#56B4E9', 1 '#003A5D')"
  lines[#lines + 1] = "plot $m matrix using ($1 + 1):($2 + 1):3 with image"
  return lines
end

local function commands(p, is_text)
  if p.kind == "matrix" then return matrix_commands(p) end
  return curve_commands(p, is_text)
end

-- ---- a matrix in text, which gnuplot's text terminal cannot draw ----

local shades = { " ", "░", "▒", "▓", "█" }
local shades_of_signs = { " ", ".", ":", "+", "#" }

--- The mean of a block of a matrix, of its finite elements.
local function block_mean(m, top, bottom, left, right)
  local sum, count = 0, 0
  for i = top, bottom do
    local row = m[i]
    for j = left, right do
      local x = row[j]
      if check.finite(x) then sum, count = sum + x, count + 1 end
    end
  end
  return count > 0 and sum / count or nil
end

local function matrix_text(p, wide, high)
  local m, lines = p.matrix, {}
  local utf8_shown = not host.utf8 or host.utf8()
  local marks = utf8_shown and shades or shades_of_signs
  local cols, rows = math.min(m.cols, wide - 12), math.min(m.rows, high - 6)
  local across = math.max(1, math.min(6, (wide - 12) // cols))
  local down = math.max(1, math.min((across + 1) // 2, (high - 6) // rows))
  local values, lo, hi = {}, math.huge, -math.huge
  for r = 1, rows do
    values[r] = {}
    for c = 1, cols do
      local x = block_mean(m, (r - 1) * m.rows // rows + 1, r * m.rows // rows, (c - 1) * m.cols // cols + 1,
        c * m.cols // cols)
      values[r][c] = x or false
      if x then lo, hi = math.min(lo, x), math.max(hi, x) end
    end
  end
  if p.options.title then lines[#lines + 1] = "    " .. p.options.title end
  local edge = "     +" .. ("-"):rep(cols * across) .. "+"
  lines[#lines + 1] = edge
  for r = 1, rows do
    local parts = {}
    for c = 1, cols do
      local x = values[r][c]
      local level = x and (hi > lo and 1 + math.tointeger((x - lo) / (hi - lo) * #marks // 1) or 3)
      parts[c] = (x and marks[math.min(level, #marks)] or "?"):rep(across)
    end
    for k = 1, down do
      local mark = k == 1 and string.format("%4d", (r - 1) * m.rows // rows + 1) or "    "
      lines[#lines + 1] = mark .. " |" .. table.concat(parts) .. "|"
    end
  end
  lines[#lines + 1] = edge
  local last = tostring(m.cols)
  lines[#lines + 1] = "      1" .. (" "):rep(math.max(1, cols * across - 1 - #last)) .. last
  if p.options.xlabel then lines[#lines + 1] = "      " .. p.options.xlabel end
  local legend = {}
  for k, mark in ipairs(marks) do
    local from = lo + (hi - lo) * (k - 1) / #marks
    legend[k] = string.format("%s %.3g", mark == " " and "blank" or mark, from)
  end
  lines[#lines + 1] = "      " .. table.concat(legend, "   ") .. string.format("   up to %.3g", hi)
  return table.concat(lines, "\n") .. "\n"
end

-- ---- terminals ----

local windows = { "qt", "wxt", "x11", "aqua" }
local offered                            -- terminals of the installed gnuplot, as a text

--- Runs gnuplot on a text: what it printed, or nil and what it complained of. The only place from which
--- the program starts another one.
local function run_gnuplot(text)
  if host.gnuplot then return host.gnuplot(text) end -- a web page has one of its own
  if host.sandboxed then
    return nil, "plots are drawn by gnuplot, and a script in the sandbox starts no programs (--trust lifts this)"
  end
  local commands_file, errors_file = os.tmpname(), os.tmpname()
  local file = assert(io.open(commands_file, "w"))
  file:write(text)
  file:close()
  local command = "gnuplot -d -persist <%s 2>%s; code=$?; test $code = 0 || cat %s; exit $code"
  local pipe = assert(io.popen(string.format(command, commands_file, errors_file, errors_file)))
  local said = pipe:read("a")
  local good, _, code = pipe:close()
  os.remove(commands_file)
  os.remove(errors_file)
  if good then return said end
  if code == 127 then said = "gnuplot is not installed (Debian: gnuplot-nox, or gnuplot-qt for windows)" end
  return nil, said
end

local function gnuplot(where, text)
  local said, why = run_gnuplot(text)
  if not said then
    why = why:gsub("%s+$", "")
    local file, reason = why:match("set output ('.-')\n.*system error: ([^\n]*)")
    if file then why = "cannot write " .. file .. ": " .. reason end
    error(where .. ": " .. (why:match("line %d+: +([^\n]*)") or why), 0)
  end
  return said
end

--- The window terminal to use, or nil for text.
function plot.window(where)
  if not host.interactive then return nil end
  local wanted = os.getenv("GNUTERM")
  local display = os.getenv("DISPLAY") or os.getenv("WAYLAND_DISPLAY")
  offered = offered or " " .. gnuplot(where, "set print '-'\nprint GPVAL_TERMINALS\n") .. " "
  for _, name in ipairs(windows) do
    local there = offered:find(" " .. name .. " ", 1, true) and (name == "aqua" or (display and display ~= ""))
    if there and (wanted == nil or wanted:match("^%S*") == name) then return name end
  end
  return nil
end

--- Where text goes; tests put something else here.
plot.output = function(text) io.stdout:write(text) end

local function draw(where)
  local window = plot.window(where)
  if window then
    local lines = commands(current, false)
    table.insert(lines, 1, "set terminal " .. window .. " persist size 800, 500")
    gnuplot(where, table.concat(lines, "\n") .. "\n")
    return
  end
  local wide = math.max(40, math.min(host.width and host.width() or 80, 120) - 1)
  local high = 22
  if current.kind == "matrix" then return plot.output(matrix_text(current, wide, high + 8)) end
  local lines = commands(current, true)
  table.insert(lines, 1, string.format("set terminal dumb mono size %d, %d", wide, high))
  local text = gnuplot(where, table.concat(lines, "\n") .. "\n"):gsub("\f", ""):gsub("[ \t]+\n", "\n")
  local label = current.options.ylabel and current.options.ylabel .. "\n" or ""
  plot.output(label .. text:gsub("^\n+", ""):gsub("\n+$", "") .. "\n")
end

--- A function of the library: its errors name the line that called it.
local function entry(f)
  return function(...)
    local results = table.pack(pcall(f, ...))
    if not results[1] then error(results[2], 2) end
    return table.unpack(results, 2, results.n)
  end
end

-- ---- the functions ----

--[[** ves.plot(x, y, options) -> nothing
Draws y against x: in a window, or as text where there is none. With one argument, against 1, 2, 3, ...
Missing values (nan) leave a gap.
@param x vector or array of numbers
@param y vector or array, as many; or a matrix with as many rows, one curve per column
@key title text above the plot
@key xlabel text below it
@key ylabel text beside it
@key label text, or array of texts: names of the curves
@key style 'lines', 'points', 'both', 'steps' or 'bars', default 'lines'
@key error vector or array: half the length of an error bar at each point
@key logx true for a logarithmic axis
@key logy true for a logarithmic axis
@key xrange {lo, hi}
@key yrange {lo, hi}
@example w = ves.vector{0.5, 0.3, 0.2}
@example ves.plot(w, ves.release.analytic(w), {style = "points", xlabel = "weight", ylabel = "release"})
]]
local call = entry(function(_, x, y, options)
  local where = "ves.plot"
  if y ~= nil and options == nil and type(y) == "table" and getmetatable(y) == nil and #y == 0 then
    y, options = nil, y                  -- ves.plot(y, {title = ...})
  end
  options = options_of(where, options, curve_fields)
  current = { kind = "curves", series = curves(where, x, y, options), options = options }
  draw(where)
end)

--[[** ves.plot.add(x, y, options) -> nothing
Adds curves to the last plot and draws it again.
@param x vector or array of numbers
@param y vector, array or matrix, as in ves.plot
@key label text, or array of texts: names of the curves
@key style 'lines', 'points', 'both', 'steps' or 'bars', default 'lines'
@key error vector or array: half the length of an error bar at each point
@example x = ves.vector{1, 2, 3, 4}
@example ves.plot(x, x ^ 2, {label = "square"}); ves.plot.add(x, x ^ 1.5, {label = "less"})
]]
plot.add = entry(function(x, y, options)
  local where = "ves.plot.add"
  options = options_of(where, options, curve_fields)
  if not current or current.kind ~= "curves" then error(where .. ": there is no plot of curves to add to", 0) end
  local more = curves(where, x, y, options)
  table.move(more, 1, #more, #current.series + 1, current.series)
  for key in next, looks do
    if options[key] ~= nil then current.options[key] = options[key] end
  end
  draw(where)
end)

--- How many bins: the width of Freedman and Diaconis, from the quartiles.
local function bins_for(sorted, lo, hi)
  local n = #sorted
  local spread = sorted[math.max(1, 3 * n // 4)] - sorted[math.max(1, n // 4)]
  if spread <= 0 then return math.max(1, math.min(40, math.tointeger(math.sqrt(n) // 1))) end
  return math.max(5, math.min(60, math.tointeger((hi - lo) / (2 * spread / n ^ (1 / 3)) // 1) + 1))
end

--[[** ves.plot.hist(sample, options) -> nothing
Draws a histogram of a sample. Few different whole numbers get a bar each.
@param sample vector or array of numbers; missing ones (nan) are left out
@key bins integer: how many
@key density true to show a density instead of counts
@key title text above the plot
@key xlabel text below it
@key ylabel text beside it
@key logx true for a logarithmic axis
@key logy true for a logarithmic axis
@key xrange {lo, hi}
@key yrange {lo, hi}
@example ves.plot.hist(rng:normal(0, 1, 1000), {bins = 20, xlabel = "x"})
]]
plot.hist = entry(function(sample, options)
  local where = "ves.plot.hist"
  options = options_of(where, options, hist_fields)
  local sorted, whole = {}, true
  for _, x in ipairs(numbers(where, "sample", sample)) do
    if check.finite(x) then
      sorted[#sorted + 1] = x
      whole = whole and x == math.floor(x)
    end
  end
  if #sorted == 0 then error(where .. ": the sample has no finite number", 0) end
  if options.bins and options.bins < 1 then
    error(string.format("%s: key 'bins' = %d: expected an integer >= 1", where, options.bins), 0)
  end
  table.sort(sorted)
  local lo, hi = sorted[1], sorted[#sorted]
  local bins, width
  if not options.bins and whole and hi - lo < 60 then
    bins, width, lo = math.tointeger(hi - lo) + 1, 1, lo - 0.5
  else
    bins = options.bins or bins_for(sorted, lo, hi)
    width = hi > lo and (hi - lo) / bins or 1
    if hi == lo then lo, bins = lo - 0.5, 1 end
  end
  local x, y, highest = {}, {}, 0
  for b = 1, bins do x[b], y[b] = lo + (b - 0.5) * width, 0 end
  for _, value in ipairs(sorted) do
    local b = math.max(1, math.min(bins, math.tointeger((value - lo) / width // 1) + 1))
    y[b] = y[b] + (options.density and 1 / (#sorted * width) or 1)
    highest = math.max(highest, y[b])
  end
  local shown = {}
  for key, value in next, options do shown[key] = value end
  shown.ylabel = shown.ylabel or (options.density and "density" or "count")
  shown.yrange = shown.yrange or (not options.logy and { 0, 1.05 * highest } or nil)
  current = { kind = "curves", options = shown, series = { { x = x, y = y, style = "bars", width = width } } }
  draw(where)
end)

--[[** ves.plot.matrix(W, options) -> nothing
Draws a matrix as a map, row 1 on top: darker is larger.
@param W matrix
@key title text above the plot
@key xlabel text below it
@key ylabel text beside it
@example code = ves.code{n = 12, lo = -1, hi = 1, sigma = 0.3}
@example ves.plot.matrix(code:encode(code.centers), {title = "tuning"})
]]
plot.matrix = entry(function(W, options)
  local where = "ves.plot.matrix"
  options = options_of(where, options, matrix_fields)
  if type(W) == "table" then W = require "vesicle".matrix(W) end
  if not array.is_matrix(W) then
    error(string.format("%s: argument 'W' = %s: expected a matrix", where, pretty.brief(W)), 0)
  end
  current = { kind = "matrix", matrix = W:copy(), options = options }
  draw(where)
end)

local formats = {
  pdf = "pdfcairo enhanced color size %gcm, %gcm font ',9' linewidth 1.2 rounded",
  svg = "svg enhanced size %g * 40, %g * 40 font 'serif,13' rounded background rgb 'white'",
  png = "pngcairo enhanced color size %g * 60, %g * 60 font ',14' linewidth 1.5 rounded",
}

local save_fields = { width = { type = "number", optional = true }, height = { type = "number", optional = true } }

--[[** ves.plot.save(path, options) -> path
Saves the last plot to a file; the end of its name says how: .pdf, .svg or .png.
@param path string: the file
@key width number: centimetres, default 16
@key height number: centimetres, default 10
@return the path
@example ves.plot({1, 4, 9}); path = os.tmpname() .. ".svg"; ves.plot.save(path); os.remove(path)
]]
plot.save = entry(function(path, options)
  local where = "ves.plot.save"
  options = options or {}
  check.options(where, options, save_fields, -1)
  local extension = type(path) == "string" and path:match("%.(%l+)$")
  if not formats[extension] then
    error(string.format("%s: argument 'path' = %s: expected the name of a file that ends in .pdf, .svg or .png", where,
      pretty.brief(path)), 0)
  end
  if not current then error(where .. ": there is no plot yet: draw one with ves.plot", 0) end
  local lines = commands(current, false)
  table.insert(lines, 1, "set output " .. quoted(path))
  local size = string.format(formats[extension], options.width or 16, options.height or 10)
  table.insert(lines, 1, "set terminal " .. size)
  gnuplot(where, table.concat(lines, "\n") .. "\nunset output\n")
  return path
end)

return setmetatable(plot, { __call = call })
