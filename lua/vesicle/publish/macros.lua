-- macros: everything the report quotes, as LaTeX macros and one table.
--
-- macros.tex defines each number with its link to the row of the supplement that lists it (and once more rounded
-- for running text), each parameter, verdict and tally, and the versions the project was checked with.
-- claims-table.tex is the ledger, table-*.tex are the report's tables of results. Nothing in any of them depends on
-- the commit, the machine or the time.

local claim = require "vesicle.experiment.claim"
local cells = require "vesicle.publish.claim_cells"
local files = require "vesicle.publish.files"
local ledger = require "vesicle.experiment.ledger"
local markup = require "vesicle.publish.markup"
local report_tables = require "vesicle.publish.report_tables"
local results = require "vesicle.publish.results"
local rounded = require "vesicle.publish.rounded"

local macros = {}

local latex = markup.latex

--- A parameter as the text shows it.
local function parameter(text)
  local parts = {}
  for part in (text .. ","):gmatch("([^,]*),") do
    local sign, digits = part:match("^(%-?)(%d+)$")
    if digits then
      parts[#parts + 1] = "\\ensuremath{" .. sign .. rounded.grouped(digits) .. "}"
    elseif tonumber(part) then
      parts[#parts + 1] = "\\ensuremath{" .. latex.number(part):gsub("%$", "") .. "}"
    else
      parts[#parts + 1] = "\\texttt{" .. latex.text(part) .. "}"
    end
  end
  return table.concat(parts, ", ")
end

--- The names by which the text may call an experiment: its number and its name.
local function aliases(name)
  local digits = name:match("^(%d+)_")
  return digits and { name, digits } or { name }
end

--- Title and authors, from the citation file.
local function citation()
  local title, authors, inside = nil, {}, false
  for _, line in ipairs(files.lines("CITATION.cff")) do
    title = title or line:match('^title: "?(.-)"?$')
    if line:find("^authors:") then inside = true elseif line:find("^%S") then inside = false end
    local whole = inside and line:match('^ +%-? *name: "?(.-)"?$')
    local family = inside and line:match('^ +%-? *family%-names: "?(.-)"?$')
    local given = inside and line:match('^ +%-? *given%-names: "?(.-)"?$')
    if whole or family then authors[#authors + 1] = whole or family end
    if given then authors[#authors] = given .. " " .. authors[#authors] end
  end
  return title, table.concat(authors, ", ")
end

--- How many rows of the ledger were settled after a first look, as their notes say.
function macros.looked(rows)
  local n = 0
  for _, row in ipairs(rows) do n = n + (row.note:find("a first look", 1, true) and 1 or 0) end
  return n
end

--- macros.tex for the experiments below `dir`.
function macros.definitions(dir)
  local lines, owner, problems = { "% Generated from the results; see preamble.tex." }, {}, files.problems()
  local function add(...) lines[#lines + 1] = string.format(...) end
  local seed, scale
  add("\\makeatletter")
  for _, name in ipairs(results.experiments()) do
    local this = results.read(dir, name)
    seed, scale = seed or this.facts.seed, scale or this.facts.scale
    add("%% %s", name)
    for _, macro in ipairs(this.macros) do
      if owner[macro.name] then
        problems:add("\\%s is written by %s and by %s", macro.name, owner[macro.name], name)
      end
      owner[macro.name] = name
      local row = macro.name:gsub("WithSE$", ""):gsub("SE$", "")
      if not owner[row] then row = macro.name end
      add("\\newcommand{\\%s}{\\vesnumber{%s}{%s}{%s}}", macro.name, name, row, macro.latex)
    end
    for _, row in ipairs(this.numbers) do
      local forms = rounded.forms(tonumber(row[2]), tonumber(row[3]))
      for _, form in ipairs(rounded.names) do
        if forms[form] then
          add("\\ves@define{%s@%s}{\\vesnumber{%s}{%s}{%s}}", form, row[1], name, row[1], forms[form])
        end
      end
    end
    for _, alias in ipairs(aliases(name)) do
      add("\\ves@define{experiment@%s}{\\veslinkto{experiment:%s}{%s}}", alias, name, latex.code(name))
      for _, p in ipairs(this.facts.parameters) do
        add("\\ves@define{parameter@%s@%s}{\\veslinkto{experiment:%s}{%s}}", alias, p.name, name, parameter(p.value))
      end
    end
  end
  problems:raise("two experiments write the same number")
  local rows = ledger.read(dir .. "/data")
  for _, row in ipairs(rows) do
    add("\\ves@define{verdict@%s}{\\veslinkto{claim:%s}{%s}}", row.id, row.id, row.verdict)
    add("\\ves@define{measured@%s}{\\veslinkto{claim:%s}{%s}}", row.id, row.id, cells.measured(row, latex))
    add("\\ves@define{expected@%s}{\\veslinkto{claim:%s}{%s}}", row.id, row.id, cells.expected(row, latex))
  end
  add("\\ves@define{tally@all}{%d}", #rows)
  for _, entry in ipairs(claim.tally(rows)) do add("\\ves@define{tally@%s}{%d}", entry[1], entry[2]) end
  add("\\ves@define{tally@after a first look}{%d}", macros.looked(rows))
  for _, tool in ipairs(files.rows("paper/versions.tsv")) do
    add("\\ves@define{tool@%s}{%s}", tool.tool, latex.text(tostring(tool.version)))
  end
  local title, authors = citation()
  add("\\makeatother")
  add("\\newcommand{\\VesTitle}{%s}", latex.text(title or "vesicle"))
  add("\\newcommand{\\VesAuthors}{%s}", latex.text(authors))
  add("\\newcommand{\\VesVersion}{%s}", require("vesicle").version)
  add("\\newcommand{\\VesSeed}{%s}", seed or "")
  add("\\newcommand{\\VesScale}{%s}", scale or "full")
  add("\\newcommand{\\ClaimsTable}{\\input{claims-table}}")
  return table.concat(lines, "\n") .. "\n"
end

--- claims-table.tex: the ledger in two columns, one entry per claim under a line for each experiment: the verdict as a
--- letter that links to the chapter, the statement, the reading where one statement is measured under several, what
--- was measured. Places, expectations and notes are in the chapters.
function macros.claims_table(dir)
  local rows, asked, last = ledger.read(dir .. "/data"), {}, nil
  local lines = { "\\begin{vesledger}" }
  for _, row in ipairs(rows) do asked[row.says] = (asked[row.says] or 0) + 1 end
  for _, row in ipairs(rows) do
    if row.experiment ~= last then
      last = row.experiment
      lines[#lines + 1] = string.format("\\vesledgerhead{%s}{%s}", last, latex.text(results.title(last)))
    end
    lines[#lines + 1] = string.format("\\vesclaim{%s}{%s}{%s%s}{%s}", row.id, row.verdict, latex.text(cells.says(row)),
      asked[row.says] > 1 and " \\vesnote{" .. latex.text(row.reading) .. "}" or "", cells.brief(row))
  end
  lines[#lines + 1] = "\\end{vesledger}"
  return table.concat(lines, "\n") .. "\n"
end

return setmetatable(macros, { __call = function(_, settings)
  files.write(settings.out .. "/macros.tex", macros.definitions(settings.results))
  files.write(settings.out .. "/claims-table.tex", macros.claims_table(settings.results))
  for _, name in ipairs(report_tables.names) do
    files.write(settings.out .. "/table-" .. name .. ".tex", report_tables[name](settings.results))
  end
end })
