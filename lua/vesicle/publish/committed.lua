-- committed: the measurements that are committed in docs/, read by the pages that quote them and written by
-- `make record` from a build at full scale.
--
-- docs/ledger.tsv is the ledger. docs/timings.tsv has the seconds each experiment took, which change from machine to
-- machine and decide nothing. docs/fresh.tsv has what the two commands of the README cost on a minimal Debian
-- (tests/artifact/fresh.sh writes it). docs/silences.tsv has what became of the central statements under all readings
-- (vesicle.publish.silences). docs/central.tsv names the central statements, and is written by hand. What a
-- replicate costs stands beside the data of experiment 16, which `make bench-record` writes.

local files = require "vesicle.publish.files"
local forms = require "vesicle.experiment.ledger_text"
local ledger = require "vesicle.experiment.ledger"
local results = require "vesicle.publish.results"
local silences = require "vesicle.publish.silences"

local committed = {}

--- The statements of the ledger; also by id.
function committed.ledger() return ledger.group(ledger.file("docs/ledger.tsv")) end

--- The central statements of a ledger, in the order of docs/central.tsv, with `why` each is central.
function committed.central(all)
  local central, problems = {}, files.problems()
  for i, choice in ipairs(files.rows("docs/central.tsv")) do
    central[i] = all[choice.id]
    if central[i] then central[i].why = choice.why else problems:add("there is no statement `%s`", choice.id) end
  end
  problems:raise("docs/central.tsv")
  return central
end

--- Seconds by experiment.
function committed.timings()
  local seconds = {}
  for _, row in ipairs(files.rows("docs/timings.tsv")) do seconds[row.experiment] = row.seconds end
  return seconds
end

--- What tests/artifact/fresh.sh measured on the newest release of Debian that it was run on; nil before it was.
function committed.fresh()
  local newest
  for _, row in ipairs(files.exists("docs/fresh.tsv") and files.rows("docs/fresh.tsv") or {}) do
    if tonumber(row.debian) and (not newest or row.debian > newest.debian) then newest = row end
  end
  return newest
end

--- What `make bench-record` measured of the reference job: milliseconds of this project, and by program how many times
--- as long it takes.
function committed.cost()
  local ratio, milliseconds = {}, nil
  for _, row in ipairs(files.rows("lua/experiments/data/cost_reference.tsv")) do
    if row.phase == "whole" then ratio[row.program] = row.ratio end
    if row.phase == "whole" and row.program == "vesicle" then milliseconds = 1e3 * row.seconds end
  end
  return milliseconds, ratio
end

--- Task `record`. A build that found its replicates in journals took hardly any time: where all experiments together
--- took less than half of what is committed, the committed times stay.
local function record(out, dir)
  files.write(out .. "/docs/ledger.tsv", forms.tsv(ledger.read(dir .. "/data")))
  files.write(out .. "/" .. silences.path, silences.recorded(dir .. "/data"))
  local lines = { "# Seconds of computing for each experiment at full scale; written by `make record`.",
                  "experiment\tseconds" }
  local now, before = 0, 0
  for _, seconds in pairs(committed.timings()) do before = before + seconds end
  for _, name in ipairs(results.experiments()) do
    if results.read(dir, name).facts.scale ~= "full" then files.stop(1, dir .. " is not a build at full scale") end
    local seconds = files.read(dir .. "/timings/compute." .. name):match("%S+")
    now, lines[#lines + 1] = now + tonumber(seconds), name .. "\t" .. seconds
  end
  if now < before / 2 then
    return io.stderr:write(string.format("docs/timings.tsv stays: this build computed for %.0f s, the committed one "
      .. "for %.0f s, so replicates came from journals; if computing became faster, remove its rows first\n",
      now, before))
  end
  files.write(out .. "/docs/timings.tsv", table.concat(lines, "\n") .. "\n")
end

return setmetatable(committed, { __call = function(_, settings) record(settings.out, settings.results) end })
