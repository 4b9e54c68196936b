-- recorded: the committed measurements, read back for the pages that quote them.

local claim = require "vesicle.experiment.claim"
local files = require "vesicle.publish.files"
local tsv = require "vesicle.table"

local recorded = {}

local function read(path)
  local rows, why = tsv.read(path)
  if not rows then files.stop(1, why) end
  return rows
end

--- The rows of the ledger, texts throughout.
function recorded.ledger()
  local rows = read("docs/ledger.tsv")
  for _, row in ipairs(rows) do
    for _, column in ipairs(claim.columns) do row[column] = tostring(row[column]) end
  end
  return rows
end

--- How many claims have each verdict, in the order of the verdicts: { { verdict, n }, ... }.
function recorded.tally(rows)
  local count, list = {}, {}
  for _, row in ipairs(rows) do count[row.verdict] = (count[row.verdict] or 0) + 1 end
  for _, verdict in ipairs(claim.verdicts) do list[#list + 1] = { verdict, count[verdict] or 0 } end
  return list
end

--- Seconds by experiment.
function recorded.timings()
  local seconds = {}
  for _, row in ipairs(read("docs/timings.tsv")) do seconds[row.experiment] = row.seconds end
  return seconds
end

--- What tests/artifact/fresh.sh measured: rows of command, seconds, disk_mb, by command; none before it was run.
function recorded.fresh()
  if not files.exists("docs/fresh.tsv") then return {} end
  local rows, by_command = read("docs/fresh.tsv"), {}
  for _, row in ipairs(rows) do by_command[row.command] = row end
  return by_command
end

--- "40 s", "7 min": what a reader needs to know of a time. Always rounded up.
function recorded.duration(seconds)
  if seconds <= 10 then return "10 s" end
  if seconds < 90 then return string.format("%d s", math.ceil(seconds / 10) * 10) end
  return string.format("%d min", math.ceil(seconds / 60))
end

return recorded
