-- claim_cells: the parts of a statement as the report, the chapters and the pages show them.

local forms = require "vesicle.experiment.ledger_text"
local ledger = require "vesicle.experiment.ledger"
local markup = require "vesicle.publish.markup"

local cells = {}

--- What a statement says, with a capital and without a full stop; a symbol at its beginning stays as it is.
function cells.says(one)
  return (one.says:gsub("^%l[%l ]", function(two) return two:sub(1, 1):upper() .. two:sub(2) end):gsub("%.$", ""))
end

--- What was measured in a cell.
function cells.measured(cell, form)
  if form == markup.latex then return forms.measured(cell, true) end
  return form.text(forms.measured(cell))
end

--- A place in the original; labels in it as names.
function cells.place(text, form)
  if text == "NA" then return "" end
  local parts, position = {}, 1
  for from, label, to in text:gmatch("()%f[%l](%l+:[%w_-]*%w)()") do
    parts[#parts + 1] = form.text(text:sub(position, from - 1)) .. form.code(label)
    position = to
  end
  return table.concat(parts) .. form.text(text:sub(position))
end

--- A verdict or an outcome, with its mark; `more` is said after it.
function cells.verdict(verdict, form, more)
  if verdict == "NA" then return "" end
  local rest = more and form.text(more) or ""
  if form == markup.latex then return "\\vesverdict{" .. verdict .. "}" .. rest end
  return string.format('<span class="verdict %s">%s</span>%s', verdict:gsub(" ", "-"), verdict, rest)
end

--- The verdict of a cell, and how close it is.
function cells.verdict_of(cell, form) return cells.verdict(cell.verdict, form, ledger.close_text(cell)) end

--- What came of a statement, with the readings under which it holds where it does not as printed.
function cells.outcome(one, form)
  local text = ledger.outcome_text(one)
  return cells.verdict(one.outcome, form, text ~= one.outcome and text:sub(#one.outcome + 1) or nil)
end

--- The remarks on a statement, as a list of texts.
function cells.notes(one)
  local notes = {}
  if one.note ~= "NA" then notes[#notes + 1] = one.note end
  if one.looked == "yes" then notes[#notes + 1] = "settled after a first look" end
  if #one.hangs_on > 0 then
    notes[#notes + 1] = "close: another verdict would change the outcome (" .. table.concat(one.hangs_on, "; ") .. ")"
  end
  if one.fact ~= "NA" then notes[#notes + 1] = "restates the fact of " .. one.fact end
  if one.unasked ~= "NA" then notes[#notes + 1] = "the repaired model is not asked: " .. one.unasked end
  local driven, choices = {}, {}                            -- the readings that each choice of ours drives
  for _, cell in ipairs(one.cells) do
    if cell.drives ~= "NA" and not driven[cell.drives] then
      driven[cell.drives], choices[#choices + 1] = {}, cell.drives
    end
    if cell.drives ~= "NA" then table.insert(driven[cell.drives], cell.reading) end
  end
  for _, choice in ipairs(choices) do
    notes[#notes + 1] = table.concat(driven[choice], "; ") .. ": driven by " .. choice
  end
  for _, cell in ipairs(one.cells) do
    if cell.remark ~= "NA" then notes[#notes + 1] = cell.reading .. ": " .. cell.remark end
  end
  return notes
end

return cells
