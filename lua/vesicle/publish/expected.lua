-- expected: what a build produced, as rows that can be committed (tests/expected, `make expect`) and compared
-- (`make verify`).
--
-- One row per fact: kind, name, value, spread, sum. A `setting` is a seed or a parameter. A `number` has its standard
-- error as the spread, a `column` the mean of a table's column and the standard error of that mean; in the place of
-- the sum stands the mean of its cells times their places, which moves when rows change places. A column of texts has
-- a hash of them there. A `table` and a `document` have the checksum of their bytes; a `program` that makes documents
-- has its version. A `claim` is a cell of a statement and has its verdict; its standard errors are the spread, and its
-- values stand in the place of the sum.

local check = require "vesicle.base.check"
local files = require "vesicle.publish.files"
local ledger = require "vesicle.experiment.ledger"
local provenance = require "vesicle.publish.provenance"
local results = require "vesicle.publish.results"

local expected = { columns = { "kind", "name", "value", "spread", "sum" } }

local finite = check.finite

--- Mean of the finite cells of a column, its standard error, and the mean of the cells times their places, from 1/n
--- to 1; nil if none is a number.
local function moments(one, c)
  local n, sum, squares, placed = 0, 0.0, 0.0, 0.0
  for r, row in ipairs(one.rows) do
    local x = tonumber(row[c])
    if finite(x) then n, sum, placed = n + 1, sum + x, placed + x * r / #one.rows end
  end
  if n == 0 then return nil end
  local mean = sum / n
  for _, row in ipairs(one.rows) do
    local x = tonumber(row[c])
    if finite(x) then squares = squares + (x - mean) ^ 2 end
  end
  return mean, n > 1 and math.sqrt(squares / (n - 1) / n) or 0.0, placed / n
end

--- The texts of a column as 16 digits (the FNV-1a hash).
local function hash(one, c)
  local h = 0xcbf29ce484222325
  for _, row in ipairs(one.rows) do
    for i = 1, #row[c] + 1 do h = (h ~ (row[c]:byte(i) or 9)) * 0x100000001b3 end
  end
  return string.format("%016x", h)
end

-- Of the table of statements only the words that a verdict rests on: its numbers are facts of their own.
local judged_by = { criterion = true, quantity = true, at = true, failed = true }

--- All rows of the results below `dir`, in a fixed order.
function expected.collect(dir)
  local rows = {}
  local function add(kind, name, value, spread, sum)
    rows[#rows + 1] = { kind = kind, name = name, value = tostring(value), spread = spread or "NA", sum = sum or "NA" }
  end
  local sums = provenance.checksums(dir .. "/checksums.tsv")
  local verdict = {} -- of the whole ledger: cells of the repaired model are judged by criteria of other experiments
  for _, one in ipairs(ledger.read(dir .. "/data")) do
    for _, cell in ipairs(one.cells) do verdict[one.id .. "/" .. cell.reading] = cell.verdict end
  end
  for _, name in ipairs(results.experiments()) do
    local this = results.read(dir, name)
    add("setting", name .. " seed", this.facts.seed)
    for _, p in ipairs(this.facts.parameters) do add("setting", name .. " " .. p.name, p.value) end
    for _, row in ipairs(this.numbers) do add("number", name .. " \\" .. row[1], row[2], row[3]) end
    for _, one in ipairs(this.claims) do
      for _, cell in ipairs(one.cells) do
        local key = one.id .. "/" .. cell.reading
        add("claim", key, verdict[key], cell.se, cell.value)
      end
    end
    for _, file in ipairs(files.list(dir .. "/data/" .. name, "%.tsv$")) do
      local one = results.table(dir .. "/data/" .. name .. "/" .. file)
      add("table", name .. "/" .. file, #one.rows, nil, (sums[name .. "/" .. file] or "?"):sub(1, 32))
      for c, column in ipairs(one.columns) do
        local called = name .. "/" .. file .. " " .. column
        if file == "claims.tsv" then
          if judged_by[column] and #one.rows > 0 then add("column", called, "text", nil, hash(one, c)) end
        elseif file ~= "numbers.tsv" then
          local mean, spread, placed = moments(one, c)
          if mean then
            add("column", called, string.format("%.15g", mean), string.format("%.15g", spread),
              string.format("%.15g", placed))
          elseif #one.rows > 0 then
            add("column", called, "text", nil, hash(one, c))
          end
        end
      end
    end
  end
  for _, row in ipairs(provenance.checksums(dir .. "/documents.tsv")) do
    local program = row.file:match("^program (.+)")
    if program then
      add("program", program, row.sha256)
    else
      add("document", row.file, "NA", nil, tostring(row.sha256):sub(1, 32))
    end
  end
  return rows
end

function expected.text(rows, scale)
  local lines = { "# What a build at " .. scale .. " scale gives; written by `make expect`, read by `make verify`.",
                  table.concat(expected.columns, "\t") }
  for _, row in ipairs(rows) do
    lines[#lines + 1] = table.concat({ row.kind, row.name, row.value, row.spread, row.sum }, "\t")
  end
  return table.concat(lines, "\n") .. "\n"
end

--- Rows as they were committed, texts throughout.
function expected.read(path)
  local one = results.table(path)
  local rows = {}
  for i, row in ipairs(one.rows) do
    rows[i] = { kind = row[1], name = row[2], value = row[3], spread = row[4], sum = row[5] }
  end
  return rows
end

--- Task `expect`: makes the results at hand what `make verify` expects.
return setmetatable(expected, { __call = function(_, settings)
  local path = settings.out .. "/" .. settings.scale .. ".tsv"
  local rows = expected.collect(settings.results)
  files.write(path, expected.text(rows, settings.scale))
  io.stdout:write(string.format("  %s: %d facts\n", path, #rows))
end })
