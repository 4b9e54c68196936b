-- claim_cells: the parts of a claim as the report, the chapters and the pages show them.

local check = require "vesicle.base.check"
local markup = require "vesicle.publish.markup"
local number = require "vesicle.experiment.number"

local cells = {}

--- What a claim says, with a capital and without a full stop; a symbol at its beginning stays as it is.
function cells.says(row)
  return (row.says:gsub("^%l[%l ]", function(two) return two:sub(1, 1):upper() .. two:sub(2) end):gsub("%.$", ""))
end

--- The values of a cell in a row; of more than `most`, the first ones and the last.
local function values_of(cell, form, most)
  local values = {}
  for word in tostring(cell):gmatch("%S+") do values[#values + 1] = form.number(word) end
  if #values > most then
    local last, dots = values[#values], form == markup.latex and "\\dots" or "…"
    values = table.move(values, 1, most - 2, 1, {})
    values[#values + 1], values[#values + 2] = dots, last
  end
  return table.concat(values, ", ")
end

--- What a claim measured: "0.1973 +/- 0.0041" for one value, the values in a row for several.
function cells.measured(row, form, most)
  local m, e = tonumber(row.measured), tonumber(row.se)
  if not check.finite(m) then return values_of(row.measured, form, most or 6) end
  local value, _, both = number.latex(m, e)
  return form.latex_number(both or value)
end

--- What was measured, in little room: of several values three digits, of more than three only the extremes.
function cells.brief(row)
  local values, texts = {}, {}
  for word in tostring(row.measured):gmatch("%S+") do values[#values + 1] = tonumber(word) end
  if #values < 2 then return cells.measured(row, markup.latex) end
  local extremes = { math.min(table.unpack(values)), math.max(table.unpack(values)) }
  for i, value in ipairs(#values > 3 and extremes or values) do
    texts[i] = markup.latex.number(string.format("%.3g", value))
  end
  return table.concat(texts, #values > 3 and " to " or ", ")
end

--- What it led one to expect: numbers, or a word.
function cells.expected(row, form, most)
  local cell = tostring(row.expected)
  if cell == "NA" then return "" end
  for word in cell:gmatch("%S+") do
    if not tonumber(word) then return form.text(cell) end
  end
  return values_of(cell, form, most or 6)
end

--- A place in the original; labels in it as names.
function cells.place(text, form)
  local parts, position = {}, 1
  for from, label, to in text:gmatch("()%f[%l](%l+:[%w_-]*%w)()") do
    parts[#parts + 1] = form.text(text:sub(position, from - 1)) .. form.code(label)
    position = to
  end
  return table.concat(parts) .. form.text(text:sub(position))
end

function cells.verdict(verdict, form)
  if form == markup.latex then return "\\vesverdict{" .. verdict .. "}" end
  return string.format('<span class="verdict %s">%s</span>', verdict:gsub(" ", "-"), verdict)
end

return cells
