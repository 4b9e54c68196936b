-- table: tab-separated tables with their provenance in `#` header lines.
--
-- A table opens in gnuplot, R, pandas and a spreadsheet without a word: `#` lines first, one row of
-- column names, then one row per line. Numbers carry 17 significant digits, so that reading them
-- back gives the same bits. The header lines say where the table comes from; checksums cover what is
-- below them.

local array = require "vesicle.array"
local check = require "vesicle.check"

local tsv = {}

--- One cell. NaN and infinities are spelt one way on every machine; a missing value is NA.
function tsv.cell(value)
  local kind = math.type(value)
  if kind == "integer" then return string.format("%d", value) end
  if kind == "float" then
    if value ~= value then return "nan" end
    if value == math.huge then return "inf" end
    if value == -math.huge then return "-inf" end
    return string.format("%.17g", value)
  end
  if type(value) == "boolean" then return tostring(value) end
  if type(value) == "string" then
    if value:find("[\t\r\n]") then
      return nil, "a text with a tab or a line break: " .. check.show(value)
    end
    if value == "" then return nil, "an empty text (write NA for a missing value)" end
    return value
  end
  return nil, "a number, text or boolean was expected, got " .. check.show(value)
end

local function one_row(where, columns, row, r)
  local n, get
  if array.is_vector(row) then
    n, get = #row, function(c) return row[c] end
  elseif type(row) == "table" and (row[1] ~= nil or next(row) == nil) then
    n, get = #row, function(c) return row[c] end
    for k in next, row do
      if math.type(k) ~= "integer" or k < 1 then
        error(string.format("%s: row %d has the key `%s` beside its %d cells", where, r,
          tostring(k), n), 0)
      elseif k > n then
        n = k
      end
    end
  elseif type(row) == "table" then
    n, get = #columns, function(c) return row[columns[c]] end
    local known = {}
    for _, name in ipairs(columns) do known[name] = true end
    for _, k in ipairs(check.sorted_keys(row)) do
      if not known[k] then
        error(string.format("%s: row %d has no column for the key `%s`%s", where, r, tostring(k),
          check.suggestion(k, columns)), 0)
      end
    end
  else
    error(string.format("%s: row %d is %s, expected an array of %d cells", where, r,
      check.show(row), #columns), 0)
  end
  if n ~= #columns then
    error(string.format("%s: row %d has %d cells, expected %d (%s)", where, r, n, #columns,
      table.concat(columns, ", ")), 0)
  end
  local cells = {}
  for c = 1, n do
    local text, why = tsv.cell(get(c))
    if not text then
      error(string.format("%s: row %d, column `%s`: %s", where, r, columns[c], why), 0)
    end
    cells[c] = text
  end
  return table.concat(cells, "\t")
end

--- Checks the column names.
local function check_columns(where, columns)
  if type(columns) ~= "table" or #columns == 0 then
    error(where .. ": columns: expected an array of names, got " .. check.show(columns), 0)
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
--- keyed by column name. `header` is an array of lines that go out after "# ".
function tsv.render(where, columns, rows, header)
  check_columns(where, columns)
  local lines = {}
  for _, line in ipairs(header or {}) do lines[#lines + 1] = "# " .. line:gsub("[\r\n]+", " ") end
  lines[#lines + 1] = table.concat(columns, "\t")
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

--- The header lines for the meanings of columns; every meaning must belong to a column.
function tsv.meanings(where, columns, meaning)
  local seen, lines = check_columns(where, columns), {}
  for _, key in ipairs(check.sorted_keys(meaning)) do
    if not seen[key] then
      error(string.format("%s: meaning: there is no column `%s`%s", where, tostring(key),
        check.suggestion(key, columns)), 0)
    end
  end
  for _, name in ipairs(columns) do
    if meaning[name] then lines[#lines + 1] = "column: " .. name .. ": " .. meaning[name] end
  end
  return lines
end

--- Reads a table that render wrote: an array of rows keyed by column name (numbers as numbers), the
--- column names, the header lines.
function tsv.read(path)
  local file, why = io.open(path, "rb")
  if not file then return nil, why end
  local rows, columns, header, number = {}, nil, {}, 0
  for line in file:lines() do
    number = number + 1
    if not columns and line:sub(1, 1) == "#" then
      header[#header + 1] = line:gsub("^# ?", "")
    else
      local cells = {}
      for cell in (line .. "\t"):gmatch("([^\t]*)\t") do cells[#cells + 1] = cell end
      if not columns then
        columns = cells
      else
        if #cells ~= #columns then
          file:close()
          return nil, string.format("%s:%d: %d cells, expected %d", path, number, #cells, #columns)
        end
        local row = {}
        for c, name in ipairs(columns) do row[name] = tonumber(cells[c]) or cells[c] end
        rows[#rows + 1] = row
      end
    end
  end
  file:close()
  if not columns then return nil, path .. ": no row of column names" end
  return rows, columns, header
end

return tsv
