-- stale: does the committed ledger still belong to the tree?
--
-- The ledger is compared with whatever else knows the claims: the scripts (an experiment without a claim, an id that
-- no longer stands anywhere), the expectations of `make verify`, and, where one is at hand, a build at full scale.

local files = require "vesicle.publish.files"
local ledger = require "vesicle.experiment.ledger"
local recorded = require "vesicle.artifact.recorded"
local results = require "vesicle.publish.results"

--- The verdicts by id that tests/expected/full.tsv holds, or nil.
local function expected()
  if not files.exists("tests/expected/full.tsv") then return nil end
  local verdicts = {}
  for _, row in ipairs(results.table("tests/expected/full.tsv").rows) do
    if row[1] == "claim" then verdicts[row[2]] = row[3] end
  end
  return verdicts
end

--- The rows of a complete build at full scale below `dir`, or nil.
local function built(dir)
  for _, name in ipairs(results.experiments()) do
    local path = dir .. "/data/" .. name .. "/claims.tsv"
    if not files.exists(path) or results.table(path).facts.scale ~= "full" then return nil end
  end
  return ledger.read(dir .. "/data")
end

return function(problems, dir)
  local rows, verdict, owners = recorded.ledger(), {}, {}
  local function differs(id, other, where)
    if other ~= verdict[id] then
      problems:add("docs/ledger.tsv: %s is %s here and %s in %s; `make record` after a full build", id,
        verdict[id] or "absent", other or "absent", where)
    end
  end
  for _, row in ipairs(rows) do verdict[row.id], owners[row.experiment] = row.verdict, true end
  local seconds = recorded.timings()
  for _, name in ipairs(results.experiments()) do
    if not owners[name] and files.read("lua/experiments/" .. name .. ".lua"):find("E:claim") then
      problems:add("docs/ledger.tsv has no claim of %s", name)
    end
    if not seconds[name] then
      problems:add("docs/timings.tsv has no time of %s; `make record` after a full build", name)
    end
    owners[name] = nil
  end
  for _, row in ipairs(rows) do
    if owners[row.experiment] then problems:add("docs/ledger.tsv: %s is no experiment", row.experiment) end
  end
  local expect = expected()
  if expect then
    for _, row in ipairs(rows) do differs(row.id, expect[row.id], "tests/expected/full.tsv") end
    local known = results.table("tests/expected/full.tsv").rows
    for _, row in ipairs(known) do
      if row[1] == "claim" and not verdict[row[2]] then differs(row[2], row[3], "tests/expected/full.tsv") end
    end
  end
  local now = dir and built(dir)
  if now then
    local measured = {}
    for _, row in ipairs(now) do
      differs(row.id, row.verdict, dir .. "/data")
      measured[row.id] = row.measured
    end
    for _, row in ipairs(rows) do
      if not measured[row.id] then differs(row.id, nil, dir .. "/data")
      elseif measured[row.id] ~= row.measured then
        problems:add("docs/ledger.tsv: %s was measured again, with another result", row.id)
      end
    end
  end
end
