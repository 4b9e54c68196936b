-- table: tab-separated tables with their provenance in `#` lines.
--
-- A table opens in gnuplot, R, pandas, NumPy and a spreadsheet without a word: one row of column
-- names, `#` lines, then one row per line. The names stand first because NumPy's genfromtxt and a
-- spreadsheet look for them there; below them every program passes over what begins with `#`.
-- Numbers carry 17 significant digits, so that reading them back gives the same bits. The `#` lines
-- say where the table comes from; checksums cover all others. Readers also take a table whose `#`
-- lines stand above the names.

local ves = require "vesicle"
local array = require "vesicle.base.array"
local check = require "vesicle.base.check"
local stats = require "vesicle.stats"

local tsv = {}

--- One cell. A missing value is NA, and so is not-a-number.
function tsv.cell(value)
  local text = value ~= nil and ves.table_line { value }
  if text then return text end
  if value == "" then return nil, "an empty text (write NA for a missing value)" end
  if type(value) == "string" then
    return nil, "a text with a tab, a line break or another control character: " .. check.show(value)
  end
  return nil, "a number, text or boolean was expected, got " .. check.show(value)
end

--- The cells of a row keyed by column name.
local function keyed_cells(where, columns, row, r)
  local known, cells = {}, {}
  for c, name in ipairs(columns) do known[name], cells[c] = true, row[name] end
  for _, k in ipairs(check.sorted_keys(row)) do
    if not known[k] then
      error(string.format("%s: row %d has no column for the key `%s`%s", where, r, tostring(k),
        check.suggestion(k, columns)), 0)
    end
  end
  return cells
end

--- Raises what is wrong with the cells of a row, which may be keyed by column.
local function check_cells(where, columns, cells, keyed, r)
  local n = #cells
  for k in next, cells do
    if math.type(k) ~= "integer" or k < 1 then
      error(string.format("%s: row %d has the key `%s` beside its %d cells", where, r, tostring(k), #cells), 0)
    end
    n = math.max(n, k)
  end
  if not keyed and (n > #columns or n < #columns and #cells == n) then
    error(string.format("%s: row %d has %d cells, expected %d (%s)", where, r, n, #columns,
      table.concat(columns, ", ")), 0)
  end
  for c, name in ipairs(columns) do
    local text, why = tsv.cell(cells[c])
    if not text then error(string.format("%s: row %d, column `%s`: %s", where, r, name, why), 0) end
  end
end

local function one_row(where, columns, row, r)
  if type(row) == "table" then row = array.totable(row, where) end
  local cells, keyed = row, type(row) == "table" and row[1] == nil and next(row) ~= nil
  if array.is_vector(row) then
    cells = row:totable()
  elseif type(row) ~= "table" then
    error(string.format("%s: row %d is %s, expected an array of %d cells", where, r,
      check.show(row), #columns), 0)
  elseif keyed then
    cells = keyed_cells(where, columns, row, r)
  end
  local text, n = ves.table_line(cells)
  if not text or n ~= #columns then check_cells(where, columns, cells, keyed, r) end
  if text:sub(1, 1) == "#" then
    error(string.format("%s: row %d, column `%s`: %s begins with #, which would make the row a comment", where, r,
      columns[1], check.show(cells[1])), 0)
  end
  return text
end

--- Checks the column names.
local function check_columns(where, columns)
  if type(columns) ~= "table" or #columns == 0 then
    error(where .. ": columns: expected an array of names, or of { name, meaning, values }, got "
      .. check.show(columns), 0)
  end
  local seen = {}
  for i, name in ipairs(columns) do
    if type(name) ~= "string" or not name:find("^[%w_.:%%()/+*^-]+$") then
      error(string.format("%s: column %d is %s, expected a name without blanks", where, i,
        check.show(name)), 0)
    end
    if seen[name] then error(where .. ": column `" .. name .. "` occurs twice", 0) end
    seen[name] = true
  end
  return seen
end

--- The text of a table. `rows` is a matrix, or an array whose rows are arrays, vectors, or tables
--- keyed by column name. `header` is an array of lines that go out below the names, after "# ".
function tsv.render(where, columns, rows, header)
  if type(columns) == "table" then columns = array.totable(columns, where) end
  check_columns(where, columns)
  if type(rows) == "table" then rows = array.totable(rows, where) end
  local lines = { table.concat(columns, "\t") }
  for _, line in ipairs(header or {}) do lines[#lines + 1] = "# " .. line:gsub("%c+", " ") end
  if array.is_matrix(rows) then
    local count = #rows
    for r = 1, count do lines[#lines + 1] = one_row(where, columns, rows:row(r), r) end
  elseif type(rows) == "table" then
    for r, row in ipairs(rows) do lines[#lines + 1] = one_row(where, columns, row, r) end
    for k in next, rows do
      if math.type(k) ~= "integer" or k < 1 or k > #rows then
        error(string.format("%s: rows: expected an array of rows, got the key `%s`", where,
          tostring(k)), 0)
      end
    end
  else
    error(where .. ": rows: expected an array of rows or a matrix, got " .. check.show(rows), 0)
  end
  return table.concat(lines, "\n") .. "\n"
end

--- Columns given as names or as { name, meaning, values }, the meaning or the values left out as may be: their names,
--- a `#` line for each meaning, and the values as one row of columns if every column has some. An estimate has a
--- column NAME_se of its own for the standard error.
function tsv.columns(where, columns)
  local names, lines, row, filled = {}, {}, {}, 0
  if type(columns) ~= "table" then check_columns(where, columns) end
  for i, column in ipairs(array.totable(columns, where)) do
    local name, meaning, values = column, nil, nil
    if type(column) == "table" then name, meaning, values = column[1], column[2], column[3] end
    if values == nil and type(meaning) ~= "string" then meaning, values = nil, meaning end
    if meaning ~= nil and type(meaning) ~= "string" or type(column) == "table" and #column > 3 then
      error(string.format("%s: column %d: expected a name or { name, meaning, values }", where, i), 0)
    end
    names[#names + 1] = name
    if values ~= nil then row[#names], filled = values, filled + 1 end
    if stats.is_estimate(values) then
      row[#names], row[#names + 1] = values.value, values.se
      names[#names + 1] = name .. "_se"
    end
    if meaning then lines[#lines + 1] = "column: " .. tostring(name) .. ": " .. meaning end
  end
  check_columns(where, names)
  if filled == 0 then return names, lines end
  for i, name in ipairs(names) do
    if row[i] == nil then
      error(string.format("%s: column `%s` has no values, other columns have", where, name), 0)
    end
  end
  return names, lines, { row }
end

local function is_list(cell) return array.is_vector(cell) or type(cell) == "table" end

--- The row with two cells for each estimate in it: the value and its standard error.
local function spelt_out(row)
  local cells = row
  for c = 1, type(row) == "table" and #row or 0 do
    if stats.is_estimate(row[c]) then
      if cells == row then cells = table.move(row, 1, c - 1, 1, {}) end
      cells[#cells + 1], cells[#cells + 2] = row[c].value, row[c].se
    elseif cells ~= row then
      cells[#cells + 1] = row[c]
    end
  end
  return cells
end

--- Rows in which a cell is a vector or an array, as the rows they stand for; an estimate stands for two cells.
function tsv.expand(where, rows)
  if type(rows) ~= "table" then return rows end
  local all = {}
  rows = array.totable(rows, where)
  for r, row in ipairs(rows) do
    row = spelt_out(type(row) == "table" and array.totable(row, where) or row)
    local size, lists = nil, {}
    for c, cell in ipairs(type(row) == "table" and row or {}) do
      if is_list(cell) then
        cell = array.totable(cell, where)
        if size and #cell ~= size then
          error(string.format("%s: row %d, cell %d has %d elements, a cell before it %d", where, r, c, #cell, size), 0)
        end
        size, lists[c] = #cell, cell
      end
    end
    if not size then all[#all + 1] = row end
    for i = 1, size or 0 do
      local one = {}
      for c, cell in ipairs(row) do
        one[c] = cell
        if lists[c] then one[c] = lists[c][i] end
      end
      all[#all + 1] = one
    end
  end
  for k in next, rows do if math.type(k) ~= "integer" or k < 1 or k > #rows then all[k] = rows[k] end end
  return all
end

--- Reads a table that render wrote: an array of rows, each an array of texts, the column names, the
--- `#` lines; or nil and what was wrong. A table of somebody else's results may hold anything.
function tsv.texts(path)
  local good, data, info = pcall(ves.read_table, path, { text = true, separator = "\t" })
  if not good then return nil, data end
  local rows, controlled = {}, nil
  local function take(text, where, ...)
    if text:find("%c") or text:find("\xC2[\x80-\x9F]") then controlled = controlled or string.format(where, ...) end
    return text
  end
  for i, comment in ipairs(info.comments) do take(comment, "line %d of those after #", i) end
  for r = 1, info.rows do rows[r] = {} end
  for c, name in ipairs(info.columns) do
    take(name, "the name of column %d", c)
    for r, cell in ipairs(data[name]) do rows[r][c] = take(cell, "row %d, column %d", r, c) end
  end
  if controlled then
    return nil, path:gsub("%c", "?") .. ": " .. controlled .. ": no experiment writes a control character, which a "
      .. "terminal or LaTeX would obey"
  end
  return rows, info.columns, info.comments
end

--- The same with rows keyed by column name, and numbers as numbers.
function tsv.read(path)
  local rows, columns, header = tsv.texts(path)
  if not rows then return nil, columns end
  for r, cells in ipairs(rows) do
    rows[r] = {}
    for c, name in ipairs(columns) do
      rows[r][name] = not cells[c]:find("[^%d.eE+-]") and tonumber(cells[c]) or cells[c]
    end
  end
  return rows, columns, header
end

return check.module("vesicle.table", tsv)
