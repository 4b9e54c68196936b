-- ledger_text: the ledger as text, TSV, Markdown and LaTeX.
--
-- Values are written by one function, from the digits that are stored, so that the terminal, the pages and the report
-- show the same ones: each as its standard error allows, or with four digits, or more where four would be judged
-- otherwise. An asterisk marks a value that fails.

local criterion = require "vesicle.criterion"
local latex = require "vesicle.base.latex"
local ledger = require "vesicle.experiment.ledger"
local number = require "vesicle.experiment.number"
local statement = require "vesicle.experiment.statement"

local forms = {}

-- ---- values ----

local most = 8 -- as many values are shown one by one

local function words(cell)
  local found = {}
  if cell ~= "NA" then for word in cell:gmatch("%S+") do found[#found + 1] = word end end
  return found
end

--- The number that a text shows for a value.
local function shown(v)
  local text, _, power = number.format(v.value, v.se, v.digits)
  return tonumber(power ~= 0 and text .. "e" .. power or text)
end

--- Gives exact values as many digits as it takes for what is shown to be judged as they are: 0.99999 is below 1, and
--- 1.000 is not.
local function legible(values, words_of_criterion)
  local good, c = pcall(criterion.parse, words_of_criterion)
  for _, v in ipairs(values) do good = good and v.value ~= nil end
  if not good then return end
  local function failing(of)
    local list, ses, failed = {}, {}, {}
    for i, v in ipairs(values) do list[i], ses[i] = of(v), v.se or 0 end
    local called, _, found = pcall(criterion.judge, c, list, ses)
    for _, i in ipairs(called and found or {}) do failed[i] = true end
    return failed
  end
  local truly = failing(function(v) return v.value end)
  for digits = 5, 17 do
    local as_shown, more = failing(shown), false
    for i, v in ipairs(values) do
      if as_shown[i] ~= truly[i] and not v.se then v.digits, more = digits, true end
    end
    if not more then return end
  end
end

--- The values of a cell: { value =, se =, at =, failed =, digits = } each. A standard error that is rounding of the
--- arithmetic alone, of replicates that all have the same value, is none.
function forms.values(cell)
  local values, ses, at, bad = words(cell.value), words(cell.se), words(cell.at), {}
  for _, name in ipairs(words(cell.failed)) do bad[name] = true end
  for i, word in ipairs(values) do
    local se, value = tonumber(ses[i]), math.tointeger(word) or tonumber(word)
    if se and value and se <= 1e-12 * math.abs(value) then se = nil end
    values[i] = { value = value, word = word, se = se and se > 0 and se or nil,
                  at = at[i], failed = bad[at[i] or tostring(i)] or false }
  end
  if cell.verdict ~= "NA" then legible(values, cell.criterion) end
  return values
end

--- One value by itself, without its standard error.
local function alone(v, maths)
  if not v.value then return v.word end
  if maths then return (number.latex(v.value, v.se, v.digits)) end
  local text, _, power = number.format(v.value, v.se, v.digits)
  return power ~= 0 and text .. "e" .. power or text
end

--- The values of a cell in a line: one with its standard error, several without, of very many the extremes. `maths`:
--- for LaTeX.
function forms.measured(cell, maths)
  local values = forms.values(cell)
  if #values == 0 then return "" end
  local star = maths and "\\textsuperscript{$\\ast$}" or "*"
  if #values == 1 then
    local v = values[1]
    if not v.value then return v.word end
    if not maths then return number.plain(v.value, v.se, v.digits) end
    local value, _, both = number.latex(v.value, v.se, v.digits)
    return both or value
  end
  local texts, failed = {}, 0
  for i, v in ipairs(values) do
    texts[i] = alone(v, maths) .. (v.failed and star or "")
    if v.failed then failed = failed + 1 end
  end
  if #values <= most then return table.concat(texts, " ") end
  table.sort(values, function(a, b) return a.value < b.value end)
  return string.format("%s to %s (%d values%s)", alone(values[1], maths), alone(values[#values], maths), #values,
    failed > 0 and string.format(", %d%s", failed, star) or "")
end

--- The numbers beside a cell: "encoded: 0.9 1.1; slope: 0.4".
function forms.beside(cell)
  return (cell.beside:gsub("%f[%S]%-?[%d.]+[%de+-]*%f[;%s\0]", function(word)
    return tonumber(word) and alone { value = math.tointeger(word) or tonumber(word), word = word } or word
  end))
end

-- ---- for the terminal ----

local function width(text) return utf8.len(text) or #text end

--- Lines of at most `columns` characters; the first begins with `first` blanks, the others with `indent`.
local function wrap(text, columns, indent, first)
  local lines, line, fresh = {}, (" "):rep(first or 0), true
  for word in text:gmatch("%S+") do
    if not fresh and width(line) + 1 + width(word) > columns then
      lines[#lines + 1], line, fresh = line, (" "):rep(indent or 0), true
    end
    line, fresh = line .. (fresh and "" or " ") .. word, false
  end
  lines[#lines + 1] = line
  return lines
end

local columns, name_width, value_width = 80, 22, 44

local function pad(text, room) return text .. (" "):rep(room - width(text)) end

local function emit(out, ...)
  for _, line in ipairs { ... } do out[#out + 1] = (line:gsub("%s+$", "")) end
end

--- "  printed     0.743* 1.005 0.669*     fails"; what is too long goes on below.
local function cell_lines(out, cell)
  local name = pad("  " .. cell.reading, name_width)
  if width(name) > name_width then
    emit(out, name)
    name = (" "):rep(name_width)
  end
  local lines = wrap(cell.verdict == "NA" and (cell.remark == "NA" and "" or cell.remark) or forms.measured(cell),
    value_width)
  for i, line in ipairs(lines) do
    emit(out, (i == 1 and name or (" "):rep(name_width)) .. pad(line, value_width + 2)
      .. (i == 1 and cell.verdict ~= "NA" and cell.verdict .. (cell.close and ", close" or "") or ""))
  end
end

local function said(one)
  return one.says ~= "NA" and one.says or "(Another experiment makes this statement.)"
end

--- All statements, for a terminal of 80 columns; with the tally unless told otherwise.
function forms.text(all, without_tally)
  local out = {}
  for _, one in ipairs(all) do
    emit(out, table.unpack(wrap(one.id .. ": " .. ledger.whole_outcome(one), columns, 4)))
    emit(out, table.unpack(wrap(said(one), columns, 2, 2)))
    if one.criterion ~= "NA" then emit(out, table.unpack(wrap("(" .. one.criterion .. ")", columns, 2, 2))) end
    for _, cell in ipairs(one.cells) do
      cell_lines(out, cell)
      if cell.criterion ~= one.criterion and cell.criterion ~= "NA" then
        emit(out, table.unpack(wrap("(" .. cell.criterion .. ")", columns, name_width, name_width)))
      end
    end
    emit(out, "")
  end
  if not without_tally then emit(out, table.unpack(wrap(ledger.sentence(all), columns))) end
  return table.concat(out, "\n") .. "\n"
end

--- One statement whole: all that its verdicts follow from.
function forms.whole(one)
  local out = {}
  local function fact(name, text)
    if text == nil or text == "NA" then return end
    for i, line in ipairs(wrap(text, columns - 12)) do emit(out, pad(i == 1 and name or "", 11) .. " " .. line) end
  end
  emit(out, table.unpack(wrap(one.id .. ": " .. ledger.whole_outcome(one), columns, 4)))
  emit(out, table.unpack(wrap(said(one), columns)))
  emit(out, "")
  fact("where", (one.where:gsub("^ours", "a statement of this project")))
  fact("kind", one.kind)
  fact("fact", one.fact)
  fact("quantity", one.quantity)
  fact("criterion", one.criterion)
  fact("proof", one.proof)
  if one.looked == "yes" then fact("settled", "after a first look") end
  if #one.hangs_on > 0 then
    fact("close", "another verdict would change the outcome: " .. table.concat(one.hangs_on, "; "))
  end
  fact("breaks", one.breaks)
  fact("note", one.note)
  for _, cell in ipairs(one.cells) do
    emit(out, "", cell.verdict == "NA" and cell.reading
      or cell.reading .. ": " .. cell.verdict .. ledger.close_text(cell))
    if cell.quantity ~= one.quantity then fact("  quantity", cell.quantity) end
    if cell.criterion ~= one.criterion then fact("  criterion", cell.criterion) end
    if cell.proof ~= one.proof then fact("  proof", cell.proof) end
    for _, v in ipairs(forms.values(cell)) do
      local value = v.value and number.plain(v.value, v.se, v.digits) or v.word
      emit(out, pad("  " .. (v.at or "value"), 13) .. " " .. pad(value, 24) .. (v.failed and " *" or ""))
    end
    fact("  beside", forms.beside(cell))
    fact("  drives", cell.drives)
    fact("  remark", cell.remark)
    if cell.experiment ~= one.experiment then fact("  measured", "by " .. cell.experiment) end
  end
  return table.concat(out, "\n") .. "\n"
end

-- ---- for other programs ----

--- All lines, with the outcome of the statement and how close the verdict is, in standard errors, as further columns.
function forms.tsv(all)
  local lines = { table.concat(statement.columns, "\t") .. "\toutcome\tclose" }
  for _, one in ipairs(all) do
    for _, row in ipairs(one.cells) do
      local cells = {}
      for c, name in ipairs(statement.columns) do cells[c] = row[name] end
      cells[#cells + 1] = ledger.outcome_text(one)
      cells[#cells + 1] = row.close and string.format("%.2f", row.close) or "NA"
      lines[#lines + 1] = table.concat(cells, "\t")
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

--- As text in Markdown: no cells, no emphasis, no tags of HTML, no links or images.
local function safe(text)
  return (text:gsub("|", "\\|"):gsub("%*", "\\*"):gsub("<([%a/!?])", "&lt;%1"):gsub("%]([%[(:])", "\\]%1"))
end

forms.markdown_text = safe

--- The cells of a statement in one cell of a table, a line each: those of the repaired model, or all others.
function forms.markdown_cells(one, repaired)
  local lines = {}
  for _, cell in ipairs(one.cells) do
    local text = cell.reading
    if statement.is_repaired(text) ~= (repaired or false) then goto continue end
    if cell.verdict ~= "NA" then
      text = text .. ": " .. forms.measured(cell) .. ", **" .. cell.verdict .. "**"
        .. ledger.close_text(cell)
      if cell.criterion ~= one.criterion then text = text .. " (" .. cell.criterion .. ")" end
    elseif cell.remark ~= "NA" then
      text = text .. ": " .. cell.remark
    end
    lines[#lines + 1] = safe(text):gsub("\\%*\\%*(%l+)\\%*\\%*", "**%1**")
    ::continue::
  end
  return table.concat(lines, "<br>")
end

function forms.markdown(all)
  local lines = { "| id | statement | measured | criterion | readings | outcome | repaired |",
                  "|---|---|---|---|---|---|---|" }
  for _, one in ipairs(all) do
    local says = safe(one.says:gsub("%.$", ""))
    if one.whose ~= "ours" and one.where ~= "NA" then says = says .. " (" .. safe(one.where) .. ")" end
    lines[#lines + 1] = string.format("| `%s` | %s | %s | %s | %s | %s | %s |", one.id, says,
      one.quantity == "NA" and "" or safe(one.quantity), one.criterion == "NA" and "" or safe(one.criterion),
      one.kind == "definition" and "" or forms.markdown_cells(one),
      safe(ledger.outcome_text(one)) .. (one.looked == "yes" and "; settled after a first look" or "")
        .. (#one.hangs_on > 0 and "; close" or ""),
      one.unasked ~= "NA" and safe(ledger.repaired_text(one)) or forms.markdown_cells(one, true))
  end
  return table.concat(lines, "\n") .. "\n"
end

--- Rows for a longtable: statement & reading & value & criterion & verdict, one for each cell.
function forms.latex(all)
  local lines = {}
  for _, one in ipairs(all) do
    for i, cell in ipairs(one.cells) do
      lines[#lines + 1] = string.format("%s & %s & %s & %s & %s \\\\", i == 1 and latex.text(one.says) or "",
        latex.text(cell.reading), forms.measured(cell, true),
        cell.criterion == "NA" and "" or latex.text(cell.criterion),
        cell.verdict == "NA" and ledger.outcome_text(one) or cell.verdict)
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

return forms
