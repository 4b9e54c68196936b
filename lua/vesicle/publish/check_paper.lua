-- check_paper: nothing in the report is typed that an experiment makes, and nothing it names is missing.
--
-- A numeral in the text is refused, and in the results also one in a formula; numbers come in as macros.
-- Exempt are names such as E12 or AVX2, arguments that are no text (labels, lengths, files, column
-- shapes), code in \texttt, and what paper/exceptions.tsv lists with a reason: pieces of text, and the
-- sections whose formulas define the model, where a numeral is part of a definition. In the formulas of
-- the other sections 0, 1 and 2 may stand, as in $1-q$ or $x^2$.
--
-- Every macro, parameter, statement, experiment, figure and label that is named must exist; every number that
-- is generated must be used, in the report or in the prose of an experiment; every exception must be needed.

local check = require "vesicle.base.check"
local files = require "vesicle.publish.files"
local labels = require "vesicle.publish.labels"
local ledger = require "vesicle.experiment.ledger"
local reader = require "vesicle.publish.latex_reader"
local report_tables = require "vesicle.publish.report_tables"
local results = require "vesicle.publish.results"
local rounded = require "vesicle.publish.rounded"

local structural = { ["0"] = true, ["1"] = true, ["2"] = true }

local function load_exceptions()
  local exceptions = { section = {}, numeral = {}, macro = {} }
  for _, row in ipairs(files.rows("paper/exceptions.tsv")) do
    if not exceptions[row.kind] then
      files.stop(1, "paper/exceptions.tsv: the kind `" .. tostring(row.kind) .. "` is not section, numeral or macro")
    end
    local list = exceptions[row.kind]
    local text = tostring(row.text)
    list[#list + 1] = { text = text, used = false, pattern = "^" .. text:gsub("%*", "%%a*") .. "$" }
  end
  return exceptions
end

--- True if an exception covers the numeral at [from, to] of the text; marks it as needed.
local function excepted(list, text, from, to)
  for _, exception in ipairs(list) do
    local start = 1
    while true do
      local a, b = text:find(exception.text, start, true)
      if not a then break end
      if a <= from and b >= to then
        exception.used = true
        return true
      end
      start = a + 1
    end
  end
  return false
end

--- Everything a text may name.
local function vocabulary(dir)
  local known = { macro = {}, base = {}, parameter = {}, experiment = {}, statement = {}, figure = {}, tool = {},
                  forms = {}, result = {}, tally = {} }
  for _, name in ipairs(report_tables.names) do known.result[name] = true end
  for _, name in ipairs(results.experiments()) do
    local this = results.read(dir, name)
    for _, alias in ipairs(results.aliases(name)) do
      known.experiment[alias] = true
      for _, p in ipairs(this.facts.parameters) do known.parameter[alias .. " " .. p.name] = true end
    end
    for _, macro in ipairs(this.macros) do known.macro[macro.name] = name end
    for _, row in ipairs(this.numbers) do
      known.base[#known.base + 1] = { name = row[1], experiment = name }
      known.forms[row[1]] = rounded.forms(tonumber(row[2]), tonumber(row[3]))
    end
    for _, figure in ipairs(results.figures(name)) do known.figure[figure] = true end
  end
  known.statements = ledger.read(dir .. "/data")
  for _, one in ipairs(known.statements) do
    known.statement[one.id] = true
    for _, cell in ipairs(one.cells) do known.statement[one.id .. "/" .. cell.reading] = true end
  end
  for name in pairs(ledger.tally(known.statements)) do known.tally[name:gsub("_", " ")] = true end
  for _, tool in ipairs(files.rows("paper/versions.tsv")) do known.tool[tool.tool] = true end
  return known
end

-- Commands of LaTeX and its packages that look like the name of a number.
local commands = {}
for name in ("ClaimsTable CloseStatements LookedStatements LaTeX TeX EndIf EndFor EndWhile EndLoop EndProcedure "
  .. "EndFunction ForAll ElsIf LineComment AlphAlph BibTeX"):gmatch("%a+") do commands[name] = true end

-- Labels with these prefixes are in the registry.
local traced = { eq = true, alg = true, fig = true, app = true, readout = true, data = true }

-- What is checked at a command, by its name: functions of the state, of add(format, ...), which reports a problem with
-- its line, and of the command's arguments.
local at = {}

local function nearest(state, kind, name) return check.suggestion(name, check.sorted_keys(state.known[kind])) end

function at.section(state) state.definitions = false end

function at.label(state, add, label)
  state.label[label] = true
  for _, exception in ipairs(state.exceptions.section) do
    if exception.text == label then exception.used, state.definitions = true, true end
  end
  if traced[label:match("^(%l+):")] and not state.registry[label] then
    add("the label %s is not in %s", label, labels.path)
  end
end

function at.vestag(state, add, label)
  if not state.registry[label] then add("the tag [%s] names nothing in %s", label, labels.path) end
end

function at.includegraphics(state, add, name)
  if not state.known.figure[(name:gsub("%.pdf$", ""))] then
    add("there is no figure %s%s", name, nearest(state, "figure", name))
  end
end

function at.Parameter(state, add, experiment, name)
  local key = experiment .. " " .. name
  if not state.known.parameter[key] then
    add("\\Parameter{%s}{%s}: there is no such parameter%s", experiment, name, nearest(state, "parameter", key))
  end
end

for command, kind in pairs { Experiment = "experiment", Verdict = "statement", Measured = "statement",
                             Tally = "tally", Tool = "tool" } do
  at[command] = function(state, add, name)
    if not state.known[kind][name] then
      add("\\%s{%s}: there is no such %s%s", command, name, kind, nearest(state, kind, name))
    end
  end
end

-- A number in a rounded form counts as used; the form must exist (vesicle.publish.rounded).
for command, form in pairs { Rough = "rough", Percent = "percent", Excess = "excess", Shortfall = "shortfall" } do
  at[command] = function(state, add, name)
    local forms = state.known.forms[name]
    if not forms then
      add("\\%s{%s}: there is no such number%s", command, name, nearest(state, "forms", name))
    elseif not forms[form] then
      add("\\%s{%s}: the number has no such form (see vesicle.publish.rounded)", command, name)
    else
      state.used[name] = true
    end
  end
end

function at.ResultTable(state, add, name)
  if not state.known.result[name] then
    add("\\ResultTable{%s}: there is no such table%s", name, nearest(state, "result", name))
  end
end

--- Any other command: the macro of a number, which counts as used, or LaTeX's, or one that the document defines.
local function at_macro(state, add, name)
  if state.known.macro[name] then
    state.used[name] = true
  elseif name:find("^%u%l+%u%l") and not state.defined[name] and not name:find("^Ves") and not commands[name] then
    add("\\%s is no number of any experiment%s", name, nearest(state, "macro", name))
  end
end

--- A piece of text or mathematics: no numeral is typed.
local function at_text(state, add, kind, piece)
  for _, numeral in ipairs(reader.numerals(piece)) do
    local digits, from, to = table.unpack(numeral)
    local free = kind == "maths" and (state.definitions or structural[digits])
    if not free and not excepted(state.exceptions.numeral, piece, from, to) then
      add("the numeral %s is typed: \"%s\"", digits, piece:sub(math.max(1, from - 24), to + 24):gsub("%s+", " "))
    end
  end
end

--- Checks one file of the report.
local function check_file(path, state)
  local text = reader.without_comments(files.read(path))
  local from = text:find("\\begin{document}", 1, true) or 1
  local to = text:find("\\end{document}", 1, true) or #text + 1
  local _, lines_before = text:sub(1, from - 1):gsub("\n", "")
  state.definitions, state.defined = false, {}
  for _, source in ipairs { text, files.read("paper/preamble.tex") } do
    for name in source:gmatch("\\[%a]+%*?{?\\(%u%a+)}?") do state.defined[name] = true end
    for name in source:gmatch("\\Declare%a+{\\(%a+)}") do state.defined[name] = true end
  end
  reader.walk(text:sub(from, to - 1), function(kind, piece, line, arguments)
    local function add(format, ...) state.problems:add(path .. ":%d: " .. format, line + lines_before, ...) end
    if kind ~= "command" then
      at_text(state, add, kind, piece)
    elseif at[piece] then
      at[piece](state, add, arguments[1] or "", arguments[2] or "")
    else
      at_macro(state, add, piece)
    end
  end)
end

--- Macros that the prose of the experiments uses.
local function used_in_prose(used)
  for _, name in ipairs(results.experiments()) do
    for _, line in ipairs(files.lines("lua/experiments/" .. name .. ".lua")) do
      if line:find("^%-%-%-") then
        for macro in line:gmatch("\\(%u%a+)") do used[macro] = true end
      end
    end
  end
end

local frame = { ["preamble.tex"] = true, ["supplement.tex"] = true } -- no text of the report

return function(settings)
  local state = {
    problems = files.problems(), exceptions = load_exceptions(), registry = labels.read(),
    known = vocabulary(settings.results), used = {}, label = {},
  }
  for _, file in ipairs(files.list("paper", "%.tex$")) do
    if not frame[file] then check_file("paper/" .. file, state) end
  end
  used_in_prose(state.used)
  for _, one in ipairs(state.known.statements) do
    if one.says == "NA" then
      state.problems:add("%s measures `%s`, which no experiment states", one.cells[1].experiment, one.id)
    end
  end
  for _, one in ipairs(state.known.statements) do -- a proof is where the ledger says it is
    for _, cell in ipairs(one.cells) do
      if cell.proof ~= "NA" and not state.label[cell.proof] and not state.registry[cell.proof] then
        state.problems:add("the proof of %s/%s, %s, is no label of the report or of %s", one.id, cell.reading,
          cell.proof, labels.path)
      end
    end
  end
  for _, base in ipairs(state.known.base) do
    local name = base.name
    local used, exempt = state.used[name] or state.used[name .. "SE"] or state.used[name .. "WithSE"], false
    for _, exception in ipairs(state.exceptions.macro) do
      if name:find(exception.pattern) and not used then exception.used, exempt = true, true end
    end
    if not used and not exempt then
      state.problems:add("\\%s is written by %s and used nowhere", name, base.experiment)
    end
  end
  for _, kind in ipairs { "section", "numeral", "macro" } do
    for _, exception in ipairs(state.exceptions[kind]) do
      if not exception.used then
        state.problems:add("paper/exceptions.tsv: nothing needs the %s exception `%s`", kind, exception.text)
      end
    end
  end
  state.problems:raise("the report does not pass its checks")
end
