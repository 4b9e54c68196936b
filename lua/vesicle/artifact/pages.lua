-- pages: ARTIFACT.md, and what is generated in README.md.
--
-- In README.md a generated part stands between `<!-- begin NAME ... -->` and `<!-- end NAME -->`; the rest is prose.
-- No number is typed in either page: claims come from docs/ledger.tsv, times from docs/timings.tsv and docs/fresh.tsv.

local about = require "vesicle.artifact.about"
local files = require "vesicle.publish.files"
local number = require "vesicle.experiment.number"
local recorded = require "vesicle.artifact.recorded"
local results = require "vesicle.publish.results"

local pages = {}

local function cell(text) return (text:gsub("|", "\\|")) end

local function one_value(text, se)
  local x = tonumber(text)
  if not x or x ~= x or math.abs(x) == math.huge then return text end
  if math.abs(x) < 1e-9 then return "0" end
  local value, spread, power = number.format(x, se)
  local tail = power ~= 0 and "e" .. power or ""
  return value .. tail .. (spread and " ± " .. spread .. tail or "")
end

--- "0.957, 1.09, ...": at most four values, each with the digits that mean something.
local function values(text, se)
  if not text:find("^%S+ ") or not tonumber(text:match("^%S+")) then return one_value(text, tonumber(se)) end
  local parts = {}
  for word in text:gmatch("%S+") do
    if #parts == 4 then parts[#parts + 1] = "..." break end
    parts[#parts + 1] = tonumber(word) and string.format("%.3g", tonumber(word)) or word
  end
  return table.concat(parts, ", ")
end

local function measured(row) return cell(values(row.measured, row.se)) end

local function gigabytes(mb) return string.format("%.1f GB", math.ceil(mb / 100) / 10) end

local parts = {}

--- What the two commands cost where they were measured.
function parts.cost()
  local fresh = recorded.fresh()
  local paper, test = fresh["make deps paper"], fresh["make deps test"]
  if not paper or not test then return "`make check-fresh` measures their time and disk on a minimal Debian 12." end
  local function cost(row)
    return string.format("%s and %s of disk", recorded.duration(row.seconds), gigabytes(row.disk_mb + row.packages_mb))
  end
  return string.format("Measured from a minimal Debian 12 on %d cores, packages included: `make deps paper` took %s, "
    .. "`make deps test` after it %s more.", paper.cores, cost(paper), cost(test))
end

--- The verdicts, counted.
function parts.tally()
  local rows, words = recorded.ledger(), {}
  for i, entry in ipairs(recorded.tally(rows)) do words[i] = string.format("%d %s", entry[2], entry[1]) end
  return string.format("Of %d claims, %s.", #rows, table.concat(words, ", "))
end

--- The ledger, one foldable table per verdict.
function parts.claims()
  local rows, lines = recorded.ledger(), {}
  for _, entry in ipairs(recorded.tally(rows)) do
    lines[#lines + 1] = string.format("<details><summary>%d %s</summary>\n", entry[2], entry[1])
    lines[#lines + 1] = "| id | claim | measured | expected |\n|---|---|---|---|"
    for _, row in ipairs(rows) do
      if row.verdict == entry[1] then
        lines[#lines + 1] = string.format("| `%s` | %s (%s) | %s | %s |", row.id, cell(row.says), cell(row.where),
          measured(row), cell(values(row.expected)))
      end
    end
    lines[#lines + 1] = "\n</details>"
  end
  return table.concat(lines, "\n")
end

--- Figure, what draws it, what computes it, the command for both.
function parts.figures()
  local lines = { "| figure | drawn by | computed by | command |", "|---|---|---|---|" }
  for _, name in ipairs(results.experiments()) do
    for _, stem in ipairs(results.figures(name)) do
      local caption = results.caption("figures/" .. stem .. ".gp"):gsub("%s*%[[^%]]*%]", "")
      lines[#lines + 1] = string.format("| %s | `figures/%s.gp` | `lua/experiments/%s.lua` | `make %s` |",
        cell(caption:match("^(.-)[.:;]") or caption), stem, name, name)
    end
  end
  return table.concat(lines, "\n")
end

--- README.md with its generated parts renewed.
function pages.readme(text)
  local problems = files.problems()
  for _, name in ipairs { "cost", "tally", "claims", "figures" } do
    local first, last = "<!%-%- begin " .. name .. "[^\n]*\n", "\n<!%-%- end " .. name .. " %-%->"
    local _, from = text:find(first)
    local to = from and text:find(last, from)
    if to then
      text = text:sub(1, from) .. parts[name]() .. text:sub(to)
    else
      problems:add("README.md: the marks of `%s` are missing", name)
    end
  end
  problems:raise("the generated parts of README.md")
  return text
end

local intro = [[
# Artifact

<!-- Written by `make metadata` from docs/ledger.tsv, docs/timings.tsv and docs/fresh.tsv. -->

This page is for evaluators of vesicle %s, an implementation of *%s*
(%s, %d). Everything below is generated from what was measured, and `make lint`
fails when it is out of date. Licence: %s.

## Requirements

- A machine with Debian 12 or a later Debian or Ubuntu; no GPU. On other systems `make deps` prints the names of the
  packages. A `Dockerfile` is at hand.
- `git`, `make`, and root or `sudo` for the packages. The network is needed by `make deps` only.
- %s

## Kick the tyres

    make deps              # packages; once
    make                   # the program
    make claim-%s
    make SCALE=quick paper # every experiment, reduced, and the report

The third command prints one row of the ledger, the same as below: *%s*, measured %s. The last one ends with the
paths of `build/quick/paper.pdf` and `build/quick/supplement.pdf` and a tally of verdicts. At quick scale fewer
replicates are run, so some verdicts differ from those below.%s

## The whole

    make deps paper        # build/paper.pdf, build/supplement.pdf, build/data/, build/figures/
    make claims            # the ledger, %d rows
    make verify            # compares all of it with tests/expected: identical, equivalent, or what differs
    make deps test         # ends with "N passed, 0 failed"
]]

local second = [[

## Claim by claim

`make claim-ID` runs what a claim needs at full scale and prints its row; the second claim of an experiment comes from
its journal in no time. The expected output is the verdict and the measured value, to the last digit shown, on the same
mathematical library; within its standard error elsewhere. Times are of the whole experiment.
]]

--- ARTIFACT.md. An experiment that was never recorded has no place in it yet; vesicle.artifact.stale says so.
function pages.artifact()
  local rows, seconds, total = recorded.ledger(), recorded.timings(), 0
  local names, first = {}, nil
  for i, person in ipairs(about.paper.authors) do names[i] = person.family end
  for _, row in ipairs(rows) do first = first or (row.verdict == "proved" and row.experiment:find("^03") and row) end
  local experiments = {}
  for _, name in ipairs(results.experiments()) do
    if seconds[name] then experiments[#experiments + 1], total = name, total + seconds[name] end
  end
  local quick = recorded.fresh()["make SCALE=quick deps paper"]
  local lines = { string.format(intro, about.version, about.paper.title, table.concat(names, ", "), about.paper.year,
    about.license, parts.cost(), first.id, first.verdict, measured(first),
    quick and string.format(" Build included, it took %s.", recorded.duration(quick.seconds)) or "",
    #rows), parts.tally(), string.format("Computing all of them took %s.", recorded.duration(total)), second }
  for _, name in ipairs(experiments) do
    lines[#lines + 1] = string.format("\n### %s\n\n`make %s`, %s\n", results.title(name), name,
      recorded.duration(seconds[name]))
    lines[#lines + 1] = "| command | verdict | measured | expected | claim | reading |\n|---|---|---|---|---|---|"
    for _, row in ipairs(rows) do
      if row.experiment == name then
        lines[#lines + 1] = string.format("| `make claim-%s` | %s | %s | %s | %s (%s) | %s |", row.id, row.verdict,
          measured(row), cell(values(row.expected)), cell(row.says), cell(row.where), cell(row.reading))
      end
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

return pages
