-- record: what a build at full scale found and how long it took, as two committed tables.
--
-- docs/ledger.tsv is the ledger; README.md and ARTIFACT.md quote it. docs/timings.tsv has the seconds each experiment
-- took, which change from machine to machine and decide nothing.

local files = require "vesicle.publish.files"
local ledger = require "vesicle.ledger"
local results = require "vesicle.publish.results"

return function(out, dir)
  files.write(out .. "/docs/ledger.tsv", ledger.render(ledger.read(dir .. "/data"), "tsv"))
  local lines = { "# Seconds of computing for each experiment at full scale; written by `make record`.",
                  "experiment\tseconds" }
  for _, name in ipairs(results.experiments()) do
    if results.read(dir, name).facts.scale ~= "full" then files.stop(1, dir .. " is not a build at full scale") end
    lines[#lines + 1] = name .. "\t" .. files.read(dir .. "/timings/compute." .. name):match("%S+")
  end
  files.write(out .. "/docs/timings.tsv", table.concat(lines, "\n") .. "\n")
end
