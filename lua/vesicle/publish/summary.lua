-- summary: what `make paper` says at its end: where the outputs are, how long each stage took, the tally.

local claim = require "vesicle.experiment.claim"
local files = require "vesicle.publish.files"
local ledger = require "vesicle.experiment.ledger"

local stages = {
  { "compute", "experiments" }, { "plot", "figures" }, { "weave", "chapters and pages" }, { "typeset", "documents" },
}

--- Seconds and jobs by stage, from the files that paper/tools/timed.sh leaves: STAGE.JOB, each with its seconds.
local function timings(dir)
  local total = {}
  for _, file in ipairs(files.list(dir, "^%l+%.")) do
    local stage = file:match("^%l+")
    local entry = total[stage] or { jobs = 0, seconds = 0 }
    total[stage] = entry
    entry.jobs = entry.jobs + 1
    entry.seconds = entry.seconds + (tonumber(files.read(dir .. "/" .. file):match("%S+")) or 0)
  end
  return total
end

return function(settings)
  local dir = settings.results
  local lines, times = { "" }, timings(dir .. "/timings")
  for _, name in ipairs { "paper.pdf", "supplement.pdf", "provenance.txt" } do
    if files.exists(dir .. "/" .. name) then lines[#lines + 1] = "  " .. dir .. "/" .. name end
  end
  lines[#lines + 1] = ""
  for _, stage in ipairs(stages) do
    local time = times[stage[1]]
    if time then
      lines[#lines + 1] = string.format("  %-8s %7.1f s   %d %s", stage[1], time.seconds, time.jobs, stage[2])
    end
  end
  local rows = ledger.read(dir .. "/data")
  lines[#lines + 1] = string.format("\n  %d claims, %s scale", #rows, settings.scale)
  for _, entry in ipairs(claim.tally(rows)) do
    if entry[2] > 0 then lines[#lines + 1] = string.format("  %6d  %s", entry[2], entry[1]) end
  end
  io.stdout:write(table.concat(lines, "\n"), "\n")
end
