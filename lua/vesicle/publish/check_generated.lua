-- check_generated: is every committed file that `make metadata` or `make record` writes as its source says?
--
-- The ledger has no source in the tree but the experiments. It is compared with whatever else knows the claims: the
-- scripts (an experiment without a row, a row without an experiment), what `make verify` expects, and, where one is at
-- hand, a build at full scale.

local committed = require "vesicle.publish.committed"
local expected = require "vesicle.publish.expected"
local files = require "vesicle.publish.files"
local generated = require "vesicle.publish.generated"
local ledger = require "vesicle.experiment.ledger"
local results = require "vesicle.publish.results"

--- Every experiment that makes claims has rows and a time, and every row has an experiment.
local function check_scripts(problems, rows)
  local seconds, has_rows, exists = committed.timings(), {}, {}
  for _, row in ipairs(rows) do has_rows[row.experiment] = true end
  for _, name in ipairs(results.experiments()) do
    exists[name] = true
    if not has_rows[name] and files.read("lua/experiments/" .. name .. ".lua"):find("E:claim") then
      problems:add("docs/ledger.tsv has no claim of %s", name)
    end
    if not seconds[name] then
      problems:add("docs/timings.tsv has no time of %s; `make record` after a full build", name)
    end
  end
  for _, row in ipairs(rows) do
    if not exists[row.experiment] then problems:add("docs/ledger.tsv: %s is no experiment", row.experiment) end
  end
end

--- The ledger against another list of claims: `verdicts` and, if given, `measured`, both by id.
local function compare(problems, rows, where, verdicts, measured)
  local function differ(id, here, there)
    if here ~= there then
      problems:add("docs/ledger.tsv: %s is %s here and %s in %s; `make record` after a full build", id,
        here or "absent", there or "absent", where)
    end
  end
  for _, row in ipairs(rows) do
    differ(row.id, row.verdict, verdicts[row.id])
    if measured then differ(row.id, row.measured, measured[row.id]) end
  end
  for id, verdict in pairs(verdicts) do
    if not rows[id] then differ(id, nil, verdict) end
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
  local path, verdicts = "tests/expected/full.tsv", {}
  if files.exists(path) then
    for _, row in ipairs(expected.read(path)) do
      if row.kind == "claim" then verdicts[row.name] = row.value end
    end
    compare(problems, rows, path, verdicts)
  end
  local now = built(settings.results)
  if now then
    local measured = {}
    verdicts = {}
    for _, row in ipairs(now) do verdicts[row.id], measured[row.id] = row.verdict, row.measured end
    compare(problems, rows, settings.results .. "/data", verdicts, measured)
  end
  table.sort(problems)
  problems:raise("generated files")
end
