-- record: what a build at full scale found and how long it took, as two committed tables.
--
-- docs/ledger.tsv is the ledger; README.md and ARTIFACT.md quote it. docs/timings.tsv has the seconds each experiment
-- took, which change from machine to machine and decide nothing. A build that found its replicates in journals took
-- hardly any time: where all of them together took less than half of what is recorded, the record stays.

local files = require "vesicle.publish.files"
local ledger = require "vesicle.experiment.ledger"
local recorded = require "vesicle.artifact.recorded"
local results = require "vesicle.publish.results"

return function(out, dir)
  files.write(out .. "/docs/ledger.tsv", ledger.render(ledger.read(dir .. "/data"), "tsv"))
  local lines = { "# Seconds of computing for each experiment at full scale; written by `make record`.",
                  "experiment\tseconds" }
  local now, before = 0, 0
  for _, seconds in pairs(recorded.timings()) do before = before + seconds end
  for _, name in ipairs(results.experiments()) do
    if results.read(dir, name).facts.scale ~= "full" then files.stop(1, dir .. " is not a build at full scale") end
    local seconds = files.read(dir .. "/timings/compute." .. name):match("%S+")
    now, lines[#lines + 1] = now + tonumber(seconds), name .. "\t" .. seconds
  end
  if now < before / 2 then
    return io.stderr:write(string.format("docs/timings.tsv stays: this build computed for %.0f s, the recorded one "
      .. "for %.0f s, so replicates came from journals\n", now, before))
  end
  files.write(out .. "/docs/timings.tsv", table.concat(lines, "\n") .. "\n")
end
