-- pages: the Markdown pages that quote measurements: docs/claims.md, docs/figures.md, ARTIFACT.md, and parts of
-- README.md, CHANGELOG.md and ARCHITECTURE.md.
--
-- In the last three a generated part stands between `<!-- begin NAME ... -->` and `<!-- end NAME -->`; the rest is
-- prose. No number is typed in any of them: vesicle.publish.committed has them all.

local about = require "vesicle.publish.metadata.about"
local cells = require "vesicle.publish.claim_cells"
local committed = require "vesicle.publish.committed"
local files = require "vesicle.publish.files"
local forms = require "vesicle.experiment.ledger_text"
local ledger = require "vesicle.experiment.ledger"
local results = require "vesicle.publish.results"
local silences = require "vesicle.publish.silences"
local trace = require "vesicle.publish.trace"

local pages = {}

-- ---- cells ----

local cell = forms.markdown_text

local function row_of(...) return "| " .. table.concat({ ... }, " | ") .. " |" end

local function heads(...)
  return row_of(...) .. "\n" .. ("|---"):rep(select("#", ...)) .. "|"
end

--- "40 s", "7 min": what a reader needs to know of a time. Always rounded up.
local function duration(seconds)
  if seconds <= 10 then return "10 s" end
  if seconds < 90 then return string.format("%d s", math.ceil(seconds / 10) * 10) end
  return string.format("%d min", math.ceil(seconds / 60))
end

local function gigabytes(mb) return string.format("%.1f GB", math.ceil(mb / 100) / 10) end

-- ---- parts ----

local parts = {}

--- What the two commands cost where they were measured.
function parts.cost()
  local fresh = committed.fresh()
  if not fresh then return "`make check-fresh` measures their time and disk on a minimal Debian." end
  local function cost(seconds, mb) return string.format("%s and %s of disk", duration(seconds), gigabytes(mb)) end
  return string.format("Measured from a minimal Debian %d (%s) on %d cores, packages included: `make deps paper` took "
    .. "%s, `make deps test` after it %s more.", fresh.debian // 1, fresh.suite, fresh.cores,
    cost(fresh.paper_s, fresh.paper_mb), cost(fresh.test_s, fresh.test_mb))
end

--- What a replicate costs beside the strongest programs of other kinds, as far as they were there. Of two with NumPy
--- the quicker one counts.
function parts.speed()
  local milliseconds, ratio = committed.cost()
  ratio.NumPy = math.min(ratio.NumPy or math.huge, ratio["NumPy, OpenBLAS"] or math.huge)
  local kinds = {}
  for _, kind in ipairs { { "C best", "in C without hand-written vectors" }, { "R, Rcpp", "in R with Rcpp" },
                          { "numba", "with numba" },
                          { "C best, Philox", "in such C if its random numbers have addresses, as ours have" },
                          { "NumPy", "in NumPy" }, { "C literal", "in C by the letter of the paper" },
                          { "R", "in R" }, { "torch", "in torch" } } do
    local times = ratio[kind[1]]
    if times and times < math.huge then kinds[#kinds + 1] = string.format("%.2g %s", times, kind[2]) end
  end
  local narrow = ratio["vesicle, AVX2"]
  local wide = narrow and string.format(" with AVX-512 (%.0f ms without)", narrow * milliseconds) or ""
  return string.format("One replicate of the first network simulation takes %.0f ms%s from Lua on one core. In units "
    .. "of that time the strongest programs that we could write take %s (`make bench`).", milliseconds, wide,
    table.concat(kinds, "; "))
end

--- What came of the statements, counted.
function parts.tally() return ledger.sentence(committed.ledger()) end

--- What survives the silences of the original.
function parts.silences() return silences.headline(silences.rows()) end

--- From each equation and algorithm to the file and the function that hold it, from the tags in the sources.
function parts.equations()
  local lines = { heads("label", "what it says", "function", "file") }
  for _, entry in ipairs(trace.matrix()) do
    local name = entry.functions[1]
    for _, other in ipairs(entry.functions) do -- one that others may call, if there is one
      if not name:find("^ves_") and other:find("^ves_") then name = other end
    end
    if name then
      lines[#lines + 1] = row_of("`" .. entry.label .. "`", cell(entry.says), "`" .. name .. "`",
        "`" .. entry.path[name] .. "`")
    end
  end
  return table.concat(lines, "\n")
end

--- A page with its generated parts renewed.
function pages.with_parts(path)
  local text, problems = files.read(path), files.problems()
  for name in text:gmatch("<!%-%- begin (%l+)") do
    local _, from = text:find("<!%-%- begin " .. name .. "[^\n]*\n")
    local to = from and text:find("<!%-%- end " .. name .. " %-%->", from)
    if to and parts[name] then
      text = text:sub(1, from) .. parts[name]() .. "\n" .. text:sub(to)
    else
      problems:add("the mark `begin %s` has no end, or nothing writes such a part", name)
    end
  end
  problems:raise(path)
  return text
end

-- ---- whole pages ----

--- docs/claims.md: the ledger, experiment by experiment, and our own statements at the end.
function pages.claims()
  local all, seconds, ours = committed.ledger(), committed.timings(), {}
  local lines = { [[
# Statements

<!-- Written by `make metadata` from docs/ledger.tsv and docs/timings.tsv. -->

One row for each statement of the paper, in our words, and in it each reading under which it was measured: *printed*,
the text with the least added; *corrected*, its errata applied; *bins* and *open*, tuning curves spaced otherwise;
others by name. *Repaired* is no reading of the paper but the model of part II of the report, judged by the same
criterion and counted apart. A verdict follows from the value and the criterion (`se` is the standard error; an asterisk
marks a value that fails), by margins that `lua/vesicle/margins.lua` explains. It is *close* if it would turn were a
value moved by as many standard errors as stand in parentheses, fewer than two; a statement is close if that would
change its outcome. `make claim-ID` runs what a row needs at full scale and prints it whole, with standard errors; times
are of the whole experiment. The same as a table: `docs/ledger.tsv`.
]], parts.tally() }
  for _, name in ipairs(results.experiments()) do
    local here = {}
    for _, one in ipairs(all) do
      if one.experiment == name then table.insert(one.whose == "ours" and ours or here, one) end
    end
    if seconds[name] then -- an experiment that was never recorded has no place here yet; check_generated says so
      lines[#lines + 1] = string.format("\n## %s\n\n`make %s`, %s: `lua/experiments/%s.lua`\n", results.title(name),
        name, duration(seconds[name]), name)
      if #here > 0 then lines[#lines + 1] = (forms.markdown(here):gsub("\n$", "")) end
    end
  end
  lines[#lines + 1] = "\n## Our own\n\nStatements of this project, which are not counted above.\n"
  lines[#lines + 1] = (forms.markdown(ours):gsub("\n$", ""))
  return table.concat(lines, "\n") .. "\n"
end

--- docs/figures.md: figure, what draws it, what computes it, the command for both.
function pages.figures()
  local lines = { "# Figures\n\n<!-- Written by `make metadata` from figures/ and lua/experiments/. -->\n",
                  "Each command runs the experiment and draws its figures, as PDF and SVG, in `build/figures/`.\n",
                  heads("figure", "drawn by", "computed by", "command") }
  for _, name in ipairs(results.experiments()) do
    for _, stem in ipairs(results.figures(name)) do
      local caption = results.caption("figures/" .. stem .. ".gp"):gsub("%s*%[[^%]]*%]", "")
      lines[#lines + 1] = row_of(cell(caption:match("^(.-)[.:;]") or caption), "`figures/" .. stem .. ".gp`",
        "`lua/experiments/" .. name .. ".lua`", "`make " .. name .. "`")
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

local artifact = [[
# Artifact

<!-- Written by `make metadata` from docs/central.tsv, docs/silences.tsv, docs/ledger.tsv, docs/timings.tsv and
docs/fresh.tsv. -->

For evaluators of vesicle %s, an implementation of *%s*
(%s, %d). Licence: %s. Everything on this page is generated from what
was measured, and `make lint` fails when it is out of date.

## Central statements

`make deps` and `make` once; then each command runs what the statement needs at full scale and prints its whole row,
with these values and verdicts: the same digits on the same mathematical library, within the standard error elsewhere.
An asterisk marks a value that fails its criterion. Times are of the whole experiment, from nothing.
*Under all readings* is the share of all combinations of what the text leaves open in which the statement holds, and the
choice that decides most about it (`make 27_silences`).

%s

%s

%s All of them, with their readings: [docs/claims.md](docs/claims.md).
Computing all of them took %s.

## Requirements

- A machine with Debian 12, 13 or a later Debian or Ubuntu; no GPU. On other systems `make deps` prints the names of the
  packages. A `Dockerfile` is at hand.
- `git`, `make`, and root or `sudo` for the packages. The network is needed by `make deps` only.
- %s

## Kick the tyres

    make deps              # packages; once
    make                   # the program
    make claim-%s
    make SCALE=quick paper # every experiment, reduced, and the report

The last command ends with the paths of `build/quick/paper.pdf` and `build/quick/supplement.pdf` and a tally of
verdicts. At quick scale fewer replicates are run, so some verdicts differ from those above.%s

## The whole

    make deps paper        # build/paper.pdf, build/supplement.pdf, build/data/, build/figures/
    make claims            # the ledger, %d statements
    make verify            # compares all of it with tests/expected: identical, equivalent, or what differs
    make deps test         # ends with "N passed, 0 failed"

If something goes wrong: [docs/troubleshooting.md](docs/troubleshooting.md).
]]

--- ARTIFACT.md.
function pages.artifact()
  local all, seconds, total = committed.ledger(), committed.timings(), 0
  local authors, central, swept = {}, committed.central(all), silences.rows()
  for i, person in ipairs(about.paper.authors) do authors[i] = person.family end
  for _, name in ipairs(results.experiments()) do total = total + (seconds[name] or 0) end
  local lines = { heads("statement", "why it is central", "command", "under all readings", "readings",
    "outcome", "repaired", "time") }
  for _, one in ipairs(central) do
    lines[#lines + 1] = row_of(cell(cells.says(one)), cell(one.why), "`make claim-" .. one.id .. "`",
      cell(silences.outcome(swept[one.id])), forms.markdown_cells(one), cell(ledger.outcome_text(one)),
      forms.markdown_cells(one, true),
      duration(seconds[one.experiment] or 0))
  end
  local fresh = committed.fresh()
  return string.format(artifact, about.version, about.paper.title, table.concat(authors, ", "), about.paper.year,
    about.license, table.concat(lines, "\n"), parts.silences(), parts.tally(), duration(total), parts.cost(),
    central[1].id,
    fresh and string.format(" Build included, it took %s.", duration(fresh.user_quick_paper_s)) or "", #all)
end

return pages
