-- macros: everything the report quotes, as LaTeX macros and one table.
--
-- macros.tex defines each number with its link to the row of the supplement that lists it (and once more rounded
-- for running text), each parameter, verdict and tally, and the versions the project was checked with.
-- claims-table.tex is the ledger, table-*.tex are the report's tables of results. Nothing in any of them depends on
-- the commit, the machine or the time.

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

--- The names of the counted statements of the original of which `is` is true, with links to their rows; or "none".
local function named(all, is)
  local names = {}
  for _, one in ipairs(all) do
    if ledger.is_counted(one) and is(one) then
      names[#names + 1] = string.format("\\veslinkto{claim:%s}{%s}", one.id, latex.code(one.id))
    end
  end
  return #names > 0 and table.concat(names, ", ") or "none"
end

--- macros.tex for the experiments below `dir`, whose ledger is `all`.
function macros.definitions(dir, all)
  local lines, owner, problems = { "% Generated from the results; see preamble.tex." }, {}, files.problems()
  local function add(...) lines[#lines + 1] = string.format(...) end
  local seed, scale, tallies = nil, nil, {}
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
    for _, alias in ipairs(results.aliases(name)) do
      add("\\ves@define{experiment@%s}{\\veslinkto{experiment:%s}{%s}}", alias, name, latex.code(name))
      for _, p in ipairs(this.facts.parameters) do
        add("\\ves@define{parameter@%s@%s}{\\veslinkto{experiment:%s}{%s}}", alias, p.name, name, parameter(p.value))
      end
    end
  end
  problems:raise("two experiments write the same number")
  for _, one in ipairs(all) do
    local function define(name, verdict, cell)
      add("\\ves@define{verdict@%s}{\\veslinkto{claim:%s}{%s}}", name, one.id, verdict)
      add("\\ves@define{measured@%s}{\\veslinkto{claim:%s}{%s}}", name, one.id, cells.measured(cell, latex))
    end
    define(one.id, one.outcome, one.cells[1])
    for _, cell in ipairs(one.cells) do define(one.id .. "/" .. cell.reading, cell.verdict, cell) end
  end
  for name, count in pairs(ledger.tally(all)) do tallies[#tallies + 1] = { name, count } end
  table.sort(tallies, function(a, b) return a[1] < b[1] end)
  for _, tally in ipairs(tallies) do add("\\ves@define{tally@%s}{%d}", tally[1]:gsub("_", " "), tally[2]) end
  add("\\newcommand{\\CloseStatements}{%s}", named(all, function(one) return #one.hangs_on > 0 end))
  add("\\newcommand{\\LookedStatements}{%s}", named(all, function(one) return one.looked == "yes" end))
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

--- One statement of the ledger: the outcome as a letter that links to the chapter, what is said, each reading.
local function entry(one)
  local lines = { string.format("\\vesclaim{%s}{%s}{%s%s}", one.id, one.outcome, latex.text(cells.says(one)),
    (one.looked == "yes" and "\\veslooked" or "") .. (#one.hangs_on > 0 and "\\vesclose" or "")) }
  for _, cell in ipairs(one.cells) do
    if cell.verdict ~= "NA" then
      lines[#lines + 1] = string.format("\\vescell{%s}{%s}{%s}", latex.text(cell.reading), cells.measured(cell, latex),
        cell.verdict .. (cell.close and ", close" or ""))
    end
  end
  return table.concat(lines, "\n")
end

--- claims-table.tex: the ledger in two columns under a line for each experiment, and at the end our own statements.
--- Places, quantities, criteria and notes are in the chapters.
function macros.claims_table(all)
  local lines, ours, last = { "\\begin{vesledger}" }, {}, nil
  for _, one in ipairs(all) do
    if one.whose == "ours" then
      ours[#ours + 1] = entry(one)
    else
      if one.experiment ~= last then
        last = one.experiment
        local title = latex.text(results.title(last))
        lines[#lines + 1] = string.format("\\vesledgerhead{%s}{\\Experiment{%s}}", title, last)
      end
      lines[#lines + 1] = entry(one)
    end
  end
  if #ours > 0 then lines[#lines + 1] = "\\vesledgerhead{Our own}{}" end
  table.move(ours, 1, #ours, #lines + 1, lines)
  lines[#lines + 1] = "\\end{vesledger}"
  return table.concat(lines, "\n") .. "\n"
end

return setmetatable(macros, { __call = function(_, settings)
  local dir = settings.results
  local all = ledger.read(dir .. "/data")
  files.write(settings.out .. "/macros.tex", macros.definitions(dir, all))
  files.write(settings.out .. "/claims-table.tex", macros.claims_table(all))
  for _, name in ipairs(report_tables.names) do
    files.write(settings.out .. "/table-" .. name .. ".tex", report_tables[name](dir, all))
  end
end })
