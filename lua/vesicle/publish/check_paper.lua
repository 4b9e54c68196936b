-- check_paper: nothing in the report is typed that an experiment makes, and nothing it names is missing.
--
-- A numeral in the text is refused, and in the results also one in a formula; numbers come in as macros.
-- Exempt are names such as E12 or AVX2, arguments that are no text (labels, lengths, files, column
-- shapes), code in \texttt, and what paper/exceptions.tsv lists with a reason: pieces of text, and the
-- sections whose formulas define the model, where a numeral is part of a definition. In the formulas of
-- the other sections 0, 1 and 2 may stand, as in $1-q$ or $x^2$.
--
-- Every macro, parameter, claim, experiment, figure and label that is named must exist; every number that
-- is generated must be used, in the report or in the prose of an experiment; every exception must be needed.

local check = require "vesicle.base.check"
local files = require "vesicle.publish.files"
local labels = require "vesicle.publish.labels"
local ledger = require "vesicle.experiment.ledger"
local reader = require "vesicle.publish.latex_reader"
local results = require "vesicle.publish.results"
local tsv = require "vesicle.table"

local structural = { ["0"] = true, ["1"] = true, ["2"] = true }

local function load_exceptions()
  local rows, why = tsv.read("paper/exceptions.tsv")
  if not rows then files.stop(1, why) end
  local exceptions = { section = {}, numeral = {}, macro = {} }
  for _, row in ipairs(rows) do
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
  local known = { macro = {}, base = {}, parameter = {}, experiment = {}, claim = {}, figure = {}, tool = {},
                  verdict = { all = true } }
  for _, name in ipairs(results.experiments()) do
    local this = results.read(dir, name)
    local alias = name:match("^(%d+)_")
    known.experiment[name] = true
    if alias then known.experiment[alias] = true end
    for _, p in ipairs(this.facts.parameters) do
      known.parameter[name .. " " .. p.name] = true
      if alias then known.parameter[alias .. " " .. p.name] = true end
    end
    for _, macro in ipairs(this.macros) do known.macro[macro.name] = name end
    for _, row in ipairs(this.numbers) do known.base[#known.base + 1] = { name = row[1], experiment = name } end
    for _, figure in ipairs(results.figures(name)) do known.figure[figure] = true end
  end
  for _, row in ipairs(ledger.read(dir .. "/data")) do known.claim[row.id] = true end
  for _, verdict in ipairs(require("vesicle.experiment.claim").verdicts) do known.verdict[verdict] = true end
  for _, tool in ipairs(assert(tsv.read("paper/versions.tsv"))) do known.tool[tool.tool] = true end
  return known
end

-- Commands of LaTeX and its packages that look like the name of a number.
local commands = {}
for name in ("ClaimsTable LaTeX TeX EndIf EndFor EndWhile EndLoop EndProcedure EndFunction ForAll ElsIf LineComment "
  .. "AlphAlph BibTeX"):gmatch("%a+") do commands[name] = true end

local named = { Experiment = "experiment", Verdict = "claim", Measured = "claim", Expected = "claim", Tally = "verdict",
                Tool = "tool" }

--- Checks one file of the report.
local function check_file(path, state)
  local text = reader.without_comments(files.read(path))
  local body_from = text:find("\\begin{document}", 1, true)
  local where = path .. ":%d: "
  local function add(line, format, ...) state.problems:add(where .. format, line, ...) end
  local _, preface = text:sub(1, (body_from or 1) - 1):gsub("\n", "")          -- lines before the body
  local defined = {}
  for _, source in ipairs { text, files.read("paper/preamble.tex") } do
    for name in source:gmatch("\\[%a]+%*?{?\\(%u%a+)}?") do defined[name] = true end
    for name in source:gmatch("\\Declare%a+{\\(%a+)}") do defined[name] = true end
  end
  local section, definitions = nil, false
  local function visit(kind, piece, at, arguments)
    local line = at + preface
    if kind == "command" then
      local first = arguments[1] or ""
      if piece == "section" then
        section, definitions = first, false
      elseif piece == "label" then
        for _, exception in ipairs(state.exceptions.section) do
          if exception.text == first then exception.used, definitions = true, true end
        end
        if first:find("^sec:") and section == nil then section = first end
        local prefix = first:match("^(%l+):")
        if state.traced[prefix] and not state.registry[first] then
          add(line, "the label %s is not in %s", first, labels.path)
        end
        state.labels[first] = true
      elseif piece == "vestag" and not state.registry[first] then
        add(line, "the tag [%s] names nothing in %s", first, labels.path)
      elseif piece == "includegraphics" and not state.known.figure[(first:gsub("%.pdf$", ""))] then
        add(line, "there is no figure %s%s", first, check.suggestion(first, check.sorted_keys(state.known.figure)))
      elseif piece == "Parameter" then
        local key = first .. " " .. (arguments[2] or "")
        if not state.known.parameter[key] then
          add(line, "\\Parameter{%s}{%s}: there is no such parameter%s", first, arguments[2] or "",
            check.suggestion(key, check.sorted_keys(state.known.parameter)))
        end
      elseif named[piece] and not state.known[named[piece]][first] then
        add(line, "\\%s{%s}: there is no such %s%s", piece, first, named[piece],
          check.suggestion(first, check.sorted_keys(state.known[named[piece]])))
      elseif state.known.macro[piece] then
        state.used[piece] = true
      elseif piece:find("^%u%l+%u%l") and not defined[piece] and not piece:find("^Ves") and not commands[piece] then
        add(line, "\\%s is no number of any experiment%s", piece,
          check.suggestion(piece, check.sorted_keys(state.known.macro)))
      end
    else
      for _, numeral in ipairs(reader.numerals(piece)) do
        local digits, from, to = table.unpack(numeral)
        local free = kind == "maths" and (definitions or structural[digits])
        if not free and not excepted(state.exceptions.numeral, piece, from, to) then
          local context = piece:sub(math.max(1, from - 24), to + 24):gsub("%s+", " ")
          add(line, "the numeral %s is typed: \"%s\"", digits, context)
        end
      end
    end
  end
  local body_to = text:find("\\end{document}", 1, true) or #text + 1
  reader.walk(text:sub(body_from or 1, body_to - 1), visit)
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

return function(settings)
  local state = {
    problems = files.problems(), exceptions = load_exceptions(), registry = labels.read(),
    known = vocabulary(settings.results), used = {}, labels = {},
    traced = { eq = true, alg = true, fig = true, app = true, readout = true, data = true },
  }
  for _, file in ipairs(files.list("paper", "%.tex$")) do
    if file ~= "preamble.tex" and file ~= "supplement.tex" then check_file("paper/" .. file, state) end
  end
  used_in_prose(state.used)
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
