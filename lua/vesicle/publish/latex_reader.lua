-- latex_reader: the pieces of a LaTeX source that a reader of the document sees: text, mathematics, commands.
--
-- It knows no more of LaTeX than the checks of the report need: comments, groups, which commands have arguments that
-- are no text (labels, lengths, files, column shapes), and where mathematics begins and ends.

local reader = {}

--- Blanks out comments; every other character keeps its place, so that line numbers stay right.
function reader.without_comments(text)
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
  Rough = 1, Percent = 1, Excess = 1, Shortfall = 1, ResultTable = 1,
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
function reader.walk(text, visit)
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

--- The numerals of a piece of text, as { digits, from, to }; a digit that belongs to a name such as E12 is none.
function reader.numerals(text)
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

return reader
