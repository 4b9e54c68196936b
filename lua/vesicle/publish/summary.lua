-- summary: what `make paper` says at its end: where the outputs are, how long each stage took, the tally.

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
  local swept, classes = dir .. "/data/27_silences/statements.tsv", {}
  for _, row in ipairs(files.exists(swept) and files.rows(swept) or {}) do
    classes[row.survives] = (classes[row.survives] or 0) + 1
  end
  if next(classes) then
    lines[#lines + 1] = string.format("\n  Of the central statements %d survive every reading, %d depend on one "
      .. "silence, %d on several, %d survive none", classes["every reading"] or 0, classes["one silence"] or 0,
      classes["several silences"] or 0, classes["no reading"] or 0)
  end
  local tally = ledger.tally(ledger.read(dir .. "/data"))
  local function count(n, text) if n > 0 then lines[#lines + 1] = string.format("  %6d  %s", n, text) end end
  lines[#lines + 1] = string.format("\n  %d statements of the original, %s scale", tally.counted, settings.scale)
  count(tally.printed, string.format("hold as printed, %d of them proved", tally.proved))
  count(tally["under a stated reading"], "hold only under a stated reading")
  count(tally.none, "hold in none")
  lines[#lines + 1] = string.format("  %d refuted as printed; %d settled after a first look; %d close; %d of our own "
    .. "besides", tally.refuted_as_printed, tally.looked, tally.close, tally.ours)
  if tally.repaired_failing + tally.repaired_holding > 0 then
    lines[#lines + 1] = string.format("  %d of %d facts that do not hold as printed hold in the repaired "
      .. "model; %d of %d that do fail in it", tally.repaired_gained, tally.repaired_failing, tally.repaired_lost,
      tally.repaired_holding)
  end
  io.stdout:write(table.concat(lines, "\n"), "\n")
end
