-- checkpaper: nothing in the report is typed that an experiment makes, and nothing it names is missing.
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
local results = require "vesicle.publish.results"
local tsv = require "vesicle.table"

local paper = {}

-- ---- reading LaTeX ----

--- Blanks out comments; every other character keeps its place, so that line numbers stay right.
local function without_comments(text)
  local lines = {}
  for line in (text .. "\n"):gmatch("([^\n]*)\n") do
    local from = 1
    while true do
      local at = line:find("%", from, true)
      if not at then break end
      local slashes = #line:sub(1, at - 1):match("\\*$")
      if slashes % 2 == 0 then
        line = line:sub(1, at - 1)
        break
      end
      from = at + 1
    end
    lines[#lines + 1] = line
  end
  return table.concat(lines, "\n")
end

--- The end of the group that opens at `at` with { or [; nil if it never closes.
local function group_end(text, at)
  local open = text:sub(at, at)
  local close = open == "{" and "}" or "]"
  local depth, i = 0, at
  while i <= #text do
    local c = text:sub(i, i)
    if c == "\\" then
      i = i + 1
    elseif c == open then
      depth = depth + 1
    elseif c == close then
      depth = depth - 1
      if depth == 0 then return i end
    end
    i = i + 1
  end
end

-- Commands whose arguments are no text: how many braces to skip. Options in brackets are always skipped.
local silent = {
  label = 1, ref = 1, eqref = 1, pageref = 1, autoref = 1, nameref = 1, cref = 1, Cref = 1, crefrange = 2,
  Crefrange = 2,
  cite = 1, citep = 1, citet = 1, citealt = 1, citealp = 1, citeauthor = 1, citeyear = 1, citeyearpar = 1, nocite = 1,
  Citet = 1, Citep = 1, includegraphics = 1, input = 1, include = 1, bibliography = 1, bibliographystyle = 1, url = 1,
  href = 1, hyperref = 0, vspace = 1, hspace = 1, setlength = 2, addtolength = 2, setcounter = 2, addtocounter = 2,
  vestag = 1, Parameter = 2, Verdict = 1, Measured = 1, Expected = 1, Experiment = 1, Tally = 1, Tool = 1, texttt = 1,
  vescode = 1, rule = 2, cmidrule = 1, cline = 1, hypersetup = 1, definecolor = 3, textcolor = 1, color = 1,
  hyperlink = 1, hypertarget = 1, titlespacing = 4, titleformat = 0, enlargethispage = 1, pdfbookmark = 2,
  ["end"] = 1, newcommand = 2, renewcommand = 2, usepackage = 1, documentclass = 1, fontsize = 2, bibitem = 1, doi = 1,
  needspace = 1, phantomsection = 0, DeclareMathOperator = 2, multicolumn = 2, resizebox = 2, linespread = 1,
  operatorname = 1,
}
local shaped = { tabular = 1, longtable = 1, array = 1, tabularx = 2, minipage = 1, vestable = 1, enumerate = 0,
                 itemize = 0, algorithmic = 0, algorithm = 0, figure = 0, table = 0, thebibliography = 1 }
local displayed = { equation = true, align = true, gather = true, multline = true, eqnarray = true, math = true,
                    displaymath = true, flalign = true, alignat = true }

--- Skips blanks, options in brackets or parentheses, and up to `braces` groups in braces from `at`; returns the
--- position behind them and the contents of the groups.
local function skip(text, at, braces)
  local groups = {}
  while true do
    local start = text:match("^[ \t]*()[%[({]", at)
    local open = start and text:sub(start, start)
    if not start or (open == "{" and #groups == braces) then return at, groups end
    local stop = open == "(" and text:match("^%b()()", start) or group_end(text, start)
    if not stop then return at, groups end
    if open == "(" then stop = stop - 1 end
    if open == "{" then groups[#groups + 1] = text:sub(start + 1, stop - 1) end
    at = stop + 1
  end
end

--- Calls visit(kind, text, line) for every piece of text ("text") and of mathematics ("maths"), and
--- visit("command", name, line, arguments) for every command, with the braced arguments that follow it.
function paper.walk(text, visit)
  local i, line, maths, fence, run, run_line = 1, 1, false, nil, {}, 1
  local function flush()
    if #run > 0 then visit(maths and "maths" or "text", table.concat(run), run_line) end
    run, run_line = {}, line
  end
  local function advance(to)
    local _, breaks = text:sub(i, to - 1):gsub("\n", "")
    line, i = line + breaks, to
  end
  local function switch(on)
    flush()
    maths = on
  end
  local function command(name)
    local bare, at = name:gsub("%*$", ""), i + 1 + #name
    local _, arguments = skip(text, at, 3)
    visit("command", bare, line, arguments)
    run[#run + 1] = " "
    local environment = arguments[1] and arguments[1]:gsub("%*$", "")
    if bare == "begin" then
      advance((skip(text, at, 1 + (shaped[environment] or 0))))
      if displayed[environment] then switch(true) end
    else
      if bare == "end" and displayed[environment] then switch(false) end
      advance(silent[bare] and (skip(text, at, silent[bare])) or at)
    end
  end
  while i <= #text do
    local c = text:sub(i, i)
    local name = c == "\\" and text:match("^%a+%*?", i + 1)
    if name then
      command(name)
    elseif c == "\\" then
      local symbol = text:sub(i + 1, i + 1)
      if symbol == "[" or symbol == "(" then switch(true) elseif symbol == "]" or symbol == ")" then switch(false) end
      run[#run + 1] = " "
      advance(symbol == "\\" and text:match("^%*?%s*%b[]()", i + 2) or i + 2)
    elseif c == "$" then
      local mark = text:match("^%$%$?", i)
      if not fence or fence == mark then
        fence = not fence and mark or nil
        switch(fence ~= nil)
      end
      advance(i + #mark)
    else
      run[#run + 1] = c == "\n" and " " or c
      advance(i + 1)
      if c == "\n" and not maths then flush() end
    end
  end
  flush()
end

-- ---- the checks ----

--- The numerals of a piece of text, as { digits, from, to }; a digit that belongs to a name such as E12 is none.
function paper.numerals(text)
  local found, position = {}, 1
  while true do
    local from, to = text:find("%d+%.?%d*", position)
    if not from then return found end
    if text:sub(to, to) == "." then to = to - 1 end
    local name = text:sub(1, from - 1):match("[%w_-]*$"):find("%a")
    if text:sub(from - 1, from - 1) == "." and not name then from = from - 1 end
    if not name then found[#found + 1] = { text:sub(from, to), from, to } end
    position = to + 1
  end
end

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

local function sorted(set)
  local names = {}
  for name in next, set do names[#names + 1] = name end
  table.sort(names)
  return names
end

--- Checks one file of the report.
function paper.check_file(path, state)
  local text = without_comments(files.read(path))
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
        add(line, "there is no figure %s%s", first, check.suggestion(first, sorted(state.known.figure)))
      elseif piece == "Parameter" then
        local key = first .. " " .. (arguments[2] or "")
        if not state.known.parameter[key] then
          add(line, "\\Parameter{%s}{%s}: there is no such parameter%s", first, arguments[2] or "",
            check.suggestion(key, sorted(state.known.parameter)))
        end
      elseif named[piece] and not state.known[named[piece]][first] then
        add(line, "\\%s{%s}: there is no such %s%s", piece, first, named[piece],
          check.suggestion(first, sorted(state.known[named[piece]])))
      elseif state.known.macro[piece] then
        state.used[piece] = true
      elseif piece:find("^%u%l+%u%l") and not defined[piece] and not piece:find("^Ves") and not commands[piece] then
        add(line, "\\%s is no number of any experiment%s", piece, check.suggestion(piece, sorted(state.known.macro)))
      end
    else
      for _, numeral in ipairs(paper.numerals(piece)) do
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
  paper.walk(text:sub(body_from or 1, body_to - 1), visit)
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

return setmetatable(paper, { __call = function(_, settings)
  local state = {
    problems = files.problems(), exceptions = load_exceptions(), registry = labels.read(),
    known = vocabulary(settings.results), used = {}, labels = {},
    traced = { eq = true, alg = true, fig = true, app = true, readout = true, data = true },
  }
  for _, file in ipairs(files.list("paper", "%.tex$")) do
    if file ~= "preamble.tex" and file ~= "supplement.tex" then paper.check_file("paper/" .. file, state) end
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
end })
