-- check_generated: is every committed file that `make metadata` or `make record` writes as its source says?
--
-- The ledger has no source in the tree but the experiments. It is compared with whatever else knows the verdicts: the
-- scripts (an experiment without a row, a row without an experiment), what `make verify` expects, and, where one is at
-- hand, a build at full scale.

local check = require "vesicle.base.check"
local committed = require "vesicle.publish.committed"
local expected = require "vesicle.publish.expected"
local files = require "vesicle.publish.files"
local generated = require "vesicle.publish.generated"
local ledger = require "vesicle.experiment.ledger"
local results = require "vesicle.publish.results"

--- Every experiment that makes statements has rows and a time, and every row has an experiment.
local function check_scripts(problems, rows)
  local seconds, has_rows, exists = committed.timings(), {}, {}
  for _, row in ipairs(rows) do has_rows[row.experiment] = true end
  for _, name in ipairs(results.experiments()) do
    exists[name] = true
    if not has_rows[name] and files.read("lua/experiments/" .. name .. ".lua"):find("E:statement") then
      problems:add("docs/ledger.tsv has no statement of %s", name)
    end
    if not seconds[name] then
      problems:add("docs/timings.tsv has no time of %s; `make record` after a full build", name)
    end
  end
  for _, row in ipairs(rows) do
    if not exists[row.experiment] then problems:add("docs/ledger.tsv: %s is no experiment", row.experiment) end
  end
end

--- The cells of a ledger, or of what `make verify` expects: { verdict, values } by ID/READING.
local function cells_of(all)
  local cells = {}
  for _, one in ipairs(all) do
    for _, cell in ipairs(one.cells) do cells[one.id .. "/" .. cell.reading] = { cell.verdict, cell.value } end
  end
  return cells
end

--- Cell by cell: verdicts, and values where both sides have them.
local function compare(problems, here, where, there)
  for _, name in ipairs(check.sorted_keys(here)) do
    local a, b = here[name], there[name] or { "absent" }
    for i = 1, #b do
      if a[i] ~= b[i] then
        problems:add("docs/ledger.tsv: %s is %s here and %s in %s; `make record` after a full build", name, a[i], b[i],
          where)
        break
      end
    end
  end
  for _, name in ipairs(check.sorted_keys(there)) do
    if not here[name] then problems:add("docs/ledger.tsv has no %s, which is in %s", name, where) end
  end
end

--- The rows of a complete build at full scale below `dir`, or nil.
local function built(dir)
  for _, name in ipairs(results.experiments()) do
    local path = dir .. "/data/" .. name .. "/claims.tsv"
    if not files.exists(path) or results.table(path).facts.scale ~= "full" then return nil end
  end
  return ledger.read(dir .. "/data")
end

return function(settings)
  local problems, rows = files.problems(), committed.ledger()
  for _, file in ipairs(generated.files) do
    if not files.exists(file[1]) or files.read(file[1]) ~= file[2]() then
      problems:add("%s is not what its source says; `make metadata` writes it", file[1])
    end
  end
  check_scripts(problems, rows)
  local path, verdicts, here = "tests/expected/full.tsv", {}, cells_of(rows)
  if files.exists(path) then
    for _, row in ipairs(expected.read(path)) do
      if row.kind == "claim" then verdicts[row.name] = { row.value } end
    end
    compare(problems, here, path, verdicts)
  end
  local now = built(settings.results)
  if now then compare(problems, here, settings.results .. "/data", cells_of(now)) end
  table.sort(problems)
  problems:raise("generated files")
end
