-- statement: one statement, the readings under which it was measured, and a verdict for each.
--
-- A statement of the original is one row, however many readings it has; a reading is a cell of it, with its value,
-- standard error and verdict. The cells `printed` (the text with the least added), `corrected` (its errata applied) and
-- `repaired` share the statement's quantity and criterion, also where the tuning curves are spaced otherwise ("printed,
-- bins"). Further cells have names of their own, and may have a quantity and criterion of their own.
--
-- The repaired model is measured by experiments of its own, far from those that make the statements. What they hand in
-- (E:repaired) is a value and nothing else: quantity, criterion and kind are those of the statement, and the verdict is
-- found when the two come together (statement.complete), so that nobody can answer another question than was asked.
--
-- A verdict follows from what stands in the cell: `holds` or `fails`, by the criterion; for a mathematical statement
-- `proved` where it holds and its proof is named, `refuted` where an exact value, a counterexample, fails. What is so
-- by definition has no verdict. The file has one line for each cell; vesicle.experiment.ledger puts them together.
--
-- A line stands alone: what it says and what was measured are whole sentences and phrases that lean on no other line,
-- and its place is never empty. `where` names a figure of the original by its label; its number is added here.

local array = require "vesicle.base.array"
local check = require "vesicle.base.check"
local criterion = require "vesicle.criterion"
local stats = require "vesicle.stats"
local tsv = require "vesicle.table"

local statement = {}

-- The columns of claims.tsv and what they mean; statement.columns has their names alone.
statement.described = {
  { "id", "name of the statement" }, { "reading", "how the original was read in this cell" },
  { "verdict", "holds, fails, proved or refuted; follows from value, se, criterion, kind and proof" },
  { "value", "what was measured; several values are separated by blanks" },
  { "se", "standard errors, 0 where exact" }, { "failed", "which of several values fail" },
  { "criterion", "what the value must satisfy" }, { "quantity", "what was measured, in words" },
  { "at", "where each of several values was measured" }, { "beside", "further numbers, which decide nothing" },
  { "kind", "empirical, mathematical, definition, or unclaimed: what the original assumes, quotes or disclaims, so "
    .. "that its verdicts are not counted" },
  { "whose", "original, ours, or of a statement that another experiment makes: further, a cell with a criterion of its "
    .. "own; repaired, one that is judged as the statement is" },
  { "looked", "yes if quantity or criterion were settled after a first look" },
  { "proof", "label of the proof in the report" }, { "breaks", "the error of the model that must change a verdict" },
  { "drives", "the choice of ours that drives this verdict" }, { "remark", "on this cell" },
  { "fact", "the statement that says the same, if this one restates it: of the repaired model both count once" },
  { "unasked", "why the repaired model is not asked, if it is not" },
  { "says", "the statement, in our words" }, { "where", "its place in the original; of ours, `ours` and its proof" },
  { "note", "remark" },
  { "experiment", "the experiment that measured it" },
}
statement.columns = {}
for i, column in ipairs(statement.described) do statement.columns[i] = column[1] end

-- ---- names of cells ----

local bases, spacings = { "printed", "corrected", "repaired" }, { "bins", "open" }
statement.readings = {} -- in the order in which they are shown
for _, base in ipairs(bases) do
  statement.readings[#statement.readings + 1] = base
  for _, spacing in ipairs(spacings) do statement.readings[#statement.readings + 1] = base .. ", " .. spacing end
end
local is_reading = {}
for _, name in ipairs(statement.readings) do is_reading[name] = true end

--- Is the cell of this name one of the printed reading, with whatever spacing of the tuning curves?
function statement.is_printed(name) return name == "printed" or name:sub(1, 9) == "printed, " and is_reading[name] end

--- Likewise, of the repaired model?
function statement.is_repaired(name)
  return name == "repaired" or name:sub(1, 10) == "repaired, " and is_reading[name] or false
end

--- Is it a reading of which every statement may have a cell?
function statement.is_reading(name) return is_reading[name] or false end

-- ---- what is checked ----

local text, flag, any = { type = "string", optional = true }, { type = "boolean", optional = true },
  { type = "any", optional = true }

local fields = {
  id = { type = "string" }, says = { type = "string" }, kind = { type = "string" }, where = text, quantity = text,
  at = any, criterion = any, looked = flag, proof = text, breaks = text, drives = text, fact = text, unasked = text,
  cells = { type = "table", optional = true }, further = { type = "table", optional = true }, value = any,
  missing = text, note = text,
}

local cell_fields = {
  se = any, exact = flag, beside = { type = "table", optional = true }, drives = text, note = text,
}
local further_fields = {
  reading = { type = "string" }, quantity = text, criterion = any, at = any,
  proof = text, kind = text, breaks = text,
}
for name, field in pairs(cell_fields) do further_fields[name] = field end

local kinds = { empirical = true, mathematical = true, definition = true, unclaimed = true }

local function refuse(where, ...) error(where .. ": " .. string.format(...), 0) end

-- Beginnings and ends of a text, in small letters, that lean on another line, and what points at one from within.
local leaning = { "^%.%.%.", "^…", "%.%.%.$", "…$", "[,;:]$", "^and ", "^but ", "^or ", "^so ", "^the same%f[%W]",
  "^that ", "^this ", "^those ", "^these ", "^it ", "^its ", "^they ", "^their ", "^there, ", "%f[%w]that ratio%f[%W]",
  "%f[%w]that distance%f[%W]", "%f[%w]that law%f[%W]", "%f[%w]of the same releases%f[%W]",
  "%f[%w]it is%f[%W]", "%f[%w]they are%f[%W]" }

--- Whether an experiment is one of the project's: their names begin with a number.
function statement.is_published(experiment) return experiment:find("^%d%d_") ~= nil end

--- Refuses a text of a published experiment that cannot be understood by itself.
local function alone(experiment, where, key, said)
  if said == nil or not statement.is_published(experiment) then return end
  if not said:find("%S") then refuse(where, "`%s` is empty", key) end
  for _, pattern in ipairs(leaning) do
    local from, to = said:lower():find(pattern)
    if from then
      refuse(where, "`%s` is %s, expected a text that stands alone, without '%s'", key, check.show(said),
        said:sub(from, to))
    end
  end
end

-- The figures of the original by their labels, in the order of its text. The last has none of its own: its label stands
-- in the caption of the one before, so that where the original refers to the weights it prints that one's number.
local figures = { "popcode1", "tuningcurve", "neuron2hist", "samplediagram", "learningRules", "simdata1", "simresults",
                  "weights" }
local number_of = {}
for i, name in ipairs(figures) do number_of[name] = i end

--- A place in the original, with the number of each figure that it names: "fig:simresults (Figure 7) left".
local function placed(where, place)
  return place and place:gsub("fig:(%w+)", function(name)
    if not number_of[name] then
      refuse(where, "`where` names fig:%s%s, which is no figure of the original (figures: %s)", name,
        check.suggestion(name, figures), table.concat(figures, ", "))
    end
    return string.format("fig:%s (Figure %d)", name, number_of[name])
  end)
end

--- A text or a number as a cell of the file; several are separated by blanks.
local function written(where, key, value)
  if value == nil then return "NA" end
  if type(value) == "table" or array.is_vector(value) then
    local parts = {}
    for i, x in ipairs(array.totable(value, where)) do parts[i] = written(where, key, x) end
    if #parts == 0 then refuse(where, "`%s` is an empty list", key) end
    return table.concat(parts, " ")
  end
  local cell, why = tsv.cell(value)
  if not cell then refuse(where, "`%s`: %s", key, why) end
  return cell
end

local function check_criterion(where, c)
  if not criterion.is(c) then
    refuse(where, "`criterion` is %s, expected a criterion, as from vesicle.criterion", check.show(c))
  end
  return c
end

local function check_label(where, key, label)
  if label and not label:find("^%l+:[%w-]+$") then
    refuse(where, "`%s` is %s, expected a label of the report, such as thm:mapping", key, check.show(label))
  end
end

--- Names of the elements of a list: texts without blanks, or numbers.
local function names_of(where, at)
  if at == nil then return nil end
  local names = {}
  for i, name in ipairs(array.totable(at, where)) do
    names[i] = check.finite(name) and string.format("%.10g", name) or name
    if type(names[i]) ~= "string" or not names[i]:find("^%S+$") then
      refuse(where, "`at` has %s as element %d, expected a text without blanks, or a number", check.show(name), i)
    end
  end
  return names
end

--- Values and standard errors of a cell, as arrays.
local function measured(where, cell)
  local value, se = cell[1], cell.se
  if stats.is_estimate(value) then
    if se ~= nil then refuse(where, "an estimate has its own standard error, `se` is one too many") end
    value, se = value.value, value.se
  end
  local values, ses = array.totable(value, where), array.totable(se, where)
  if type(values) == "number" then values = { values } end
  if type(ses) == "number" then ses = { ses } end
  if type(values) ~= "table" or #values == 0 then
    refuse(where, "its value is %s, expected a number, a list of them, or an estimate", check.show(value))
  end
  if cell.exact then
    if ses then refuse(where, "it is exact and has a standard error") end
    ses = {}
    for i = 1, #values do ses[i] = 0 end
  end
  for i, x in ipairs(values) do
    if not check.finite(x) then refuse(where, "value %d is %s, expected a finite number", i, check.show(x)) end
  end
  if ses and #ses ~= #values then refuse(where, "%d values and %d standard errors", #values, #ses) end
  return values, ses
end

--- holds, fails, proved or refuted.
local function verdict_of(kind, good, exact, proof)
  if kind == "mathematical" and good and proof then return "proved" end
  if kind == "mathematical" and not good and exact then return "refuted" end
  return good and "holds" or "fails"
end

--- Numbers that stand beside a cell: "encoded: 0.9 1.1; slope: 0.4".
local function beside_text(where, beside)
  local parts = {}
  for _, name in ipairs(check.sorted_keys(beside or {})) do
    local values = measured(where .. ", beside `" .. tostring(name) .. "`",
      type(beside[name]) == "table" and not stats.is_estimate(beside[name]) and beside[name][1] == nil and {}
      or { beside[name] })
    parts[#parts + 1] = tostring(name) .. ": " .. written(where, "beside", values)
  end
  return #parts > 0 and table.concat(parts, "; ") or "NA"
end

--- The line of one cell. `own` has what it takes from its statement where the cell does not say otherwise.
local function cell_row(where, cell, own)
  local at, c = names_of(where, cell.at or own.at), check_criterion(where, cell.criterion or own.criterion)
  local values, ses = measured(where, cell)
  if #values > 1 and not at then refuse(where, "%d values, expected `at` to name them", #values) end
  if at and #at ~= #values and #values > 1 then
    refuse(where, "%d values, but `at` has %d names", #values, #at)
  end
  if c.needs_se and not ses then
    refuse(where, "the criterion '%s' needs a standard error: an estimate, or se =, or exact = true", c.words)
  end
  local called, good, failed = pcall(criterion.judge, c, values, ses)
  if not called then refuse(where, "%s", good) end
  local names = {}
  for i, k in ipairs(failed) do names[i] = at and at[k] or tostring(k) end
  local quantity = cell.quantity or own.quantity
  if not quantity then refuse(where, "`quantity` is missing: what was measured, in words") end
  alone(own.experiment, where, "quantity", quantity)
  check_label(where, "proof", cell.proof)
  local proof = cell.proof or own.proof
  return {
    verdict = verdict_of(cell.kind or own.kind, good, cell.exact, proof), value = written(where, "value", values),
    se = ses and written(where, "se", ses) or "NA",
    failed = #values > 1 and #names > 0 and table.concat(names, " ") or "NA",
    criterion = c.words, quantity = written(where, "quantity", quantity),
    at = #values > 1 and table.concat(at, " ") or "NA", beside = beside_text(where, cell.beside),
    proof = proof or "NA", drives = written(where, "drives", cell.drives or own.drives), remark = written(where, "note",
      cell.note),
    kind = cell.kind or own.kind, breaks = cell.breaks or own.breaks or "NA",
  }
end

local function check_id(where, id)
  if not id:find("^[%l%d]+[%l%d-]*$") then
    refuse(where, "id %s: expected lower-case letters, digits and -", check.show(id))
  end
end

local function check_kind(where, kind)
  if not kinds[kind] then
    refuse(where, "kind %s%s, expected empirical, mathematical, definition or unclaimed", check.show(kind),
      check.suggestion(kind, check.sorted_keys(kinds)))
  end
end

--- An estimate, a number or a vector by itself stands for the cell that has it.
local function as_cell(cell)
  if type(cell) ~= "table" or stats.is_estimate(cell) then return { cell } end
  return cell
end

--- Checks the keys of a cell.
local function check_cell(where, cell, known)
  if cell[2] ~= nil then
    refuse(where, "it has several values; a list of them stands in braces of its own, { { 1, 2 } }")
  end
  local keys = {}
  for key, value in next, cell do if key ~= 1 then keys[key] = value end end
  check.options(where, keys, known, 4)
end

--- Adds the lines of further cells.
local function add_further(where, list, own, add)
  for i, cell in ipairs(array.totable(list, where)) do
    if type(cell) ~= "table" then refuse(where, "further cell %d is %s, expected a table", i, check.show(cell)) end
    check_cell(where .. ", further", cell, further_fields)
    local name = cell.reading
    if is_reading[name] then refuse(where, "the further cell `%s` belongs in `cells`", name) end
    if cell.kind then check_kind(where .. "/" .. name, cell.kind) end
    add(name, cell_row(where .. "/" .. name, cell, own))
  end
end

--- Checks and judges a statement; returns its lines. `ours`: of this project, not of the original.
function statement.rows(what, experiment, spec, ours)
  check.options(what, spec, fields, 3)
  local where = what .. " " .. spec.id
  check_id(what, spec.id)
  check_kind(where, spec.kind)
  check_label(where, "proof", spec.proof)
  if ours and spec.where then refuse(where, "`where` is a place in the original, and this is a statement of ours") end
  if not ours and not spec.where then refuse(where, "`where` is missing: the place in the original") end
  for _, key in ipairs { "fact", "unasked" } do
    if ours and spec[key] then refuse(where, "`%s` is for statements of the original, and this is one of ours", key) end
  end
  if spec.fact then check_id(where, spec.fact) end
  if spec.kind == "unclaimed" and not spec.note then
    refuse(where, "`note` is missing: why the original does not claim what it says")
  end
  for _, key in ipairs { "says", "where", "unasked" } do alone(experiment, where, key, spec[key]) end
  local place = ours and "ours" .. (spec.proof and ", " .. spec.proof or "") or placed(where, spec.where)
  local cells, rows, seen, shared = {}, {}, {}, { experiment = experiment }
  for key, value in next, spec do shared[key] = value end
  local function add(name, row)
    if seen[name] then refuse(where, "the cell `%s` stands twice", name) end
    seen[name] = true
    row.reading, row.id, row.whose, row.experiment = name, spec.id, ours and "ours" or "original", experiment
    row.kind, row.looked = row.kind or spec.kind, spec.looked and "yes" or "no"
    row.says, row.where = written(where, "says", spec.says), written(where, "where", place)
    row.fact, row.unasked = spec.fact or "NA", written(where, "unasked", spec.unasked)
    row.note = written(where, "note", spec.note)
    rows[#rows + 1] = row
  end
  local function empty(why)
    return { verdict = "NA", value = "NA", se = "NA", failed = "NA", criterion = "NA",
             quantity = written(where, "quantity", spec.quantity or "nothing, as it is so by definition"),
             at = "NA", beside = "NA", proof = "NA",
             drives = "NA", breaks = spec.breaks or "NA", remark = written(where, "missing", why) }
  end
  if spec.kind == "definition" then
    for _, key in ipairs { "criterion", "cells", "further", "value", "proof", "breaks" } do
      if spec[key] ~= nil then refuse(where, "what is so by definition has no `%s`", key) end
    end
    add("printed", empty(nil))
    return rows
  end
  for name, cell in next, spec.cells or {} do
    if spec.unasked and statement.is_repaired(name) then
      refuse(where, "`unasked` stands beside the cell `%s`", name)
    end
    if not is_reading[name] then
      refuse(where, "there is no reading `%s`%s (readings: %s; others are `further`)", tostring(name),
        check.suggestion(name, statement.readings), table.concat(statement.readings, "; "))
    end
    cells[name] = as_cell(cell)
  end
  if spec.value ~= nil then
    if not ours or spec.cells then refuse(where, "`value` is for a statement of ours without `cells`") end
    add("measured", cell_row(where, as_cell(spec.value), shared))
  elseif not cells.printed and not ours then
    if not spec.missing then refuse(where, "the cell `printed` is missing; `missing` may say why") end
    add("printed", empty(spec.missing))
  end
  for _, name in ipairs(statement.readings) do
    if cells[name] then
      check_cell(where .. "/" .. name, cells[name], cell_fields)
      add(name, cell_row(where .. "/" .. name, cells[name], shared))
    end
  end
  shared.proof = nil -- a further cell has one of its own or none
  add_further(where, spec.further or {}, shared, add)
  if #rows == 0 then refuse(where, "it has no cells") end
  return rows
end

--- The lines of further cells of a statement that another experiment makes.
function statement.further_rows(experiment, spec)
  local what, shared = "E:further", {}
  if type(spec) ~= "table" then refuse(what, "expected a table, got %s", check.show(spec)) end
  for key, value in next, spec do if type(key) == "string" then shared[key] = value end end
  check.options(what, shared, { statement = { type = "string" }, kind = { type = "string" }, quantity = text,
    criterion = any, at = any, breaks = text }, 3)
  shared.experiment = experiment
  local where, rows, seen = what .. " " .. shared.statement, {}, {}
  check_id(what, shared.statement)
  check_kind(where, shared.kind)
  if #spec == 0 then refuse(where, "it has no cells") end
  add_further(where, spec, shared, function(name, row)
    if seen[name] then refuse(where, "the cell `%s` stands twice", name) end
    seen[name] = true
    row.reading, row.id, row.whose, row.experiment = name, shared.statement, "further", experiment
    for _, key in ipairs { "looked", "fact", "unasked", "says", "where", "note" } do row[key] = "NA" end
    rows[#rows + 1] = row
  end)
  return rows
end

-- ---- the repaired model ----

local repaired_fields = {
  statement = { type = "string" }, at = any, value = any, cells = { type = "table", optional = true }, breaks = text,
  proof = text,
}

--- The lines of the repaired model's cells of a statement that another experiment makes. What is taken from that
--- statement is NA until statement.complete has seen it.
function statement.repaired_rows(experiment, spec)
  local what = "E:repaired"
  check.options(what, spec, repaired_fields, 3)
  local where, rows = what .. " " .. spec.statement, {}
  check_id(what, spec.statement)
  check_label(where, "proof", spec.proof)
  if (spec.value == nil) == (spec.cells == nil) then
    refuse(where, "expected `value`, the cell `repaired`, or `cells`, and not both")
  end
  local cells, at = spec.cells or { repaired = spec.value }, names_of(where, spec.at)
  for name in next, cells do
    if type(name) ~= "string" or not statement.is_repaired(name) then
      refuse(where, "there is no cell `%s` of the repaired model (cells: repaired; repaired, bins; repaired, open)",
        tostring(name))
    end
  end
  for _, name in ipairs(statement.readings) do
    if cells[name] ~= nil then
      local cell, row = as_cell(cells[name]), {}
      check_cell(where .. "/" .. name, cell, cell_fields)
      local values, ses = measured(where .. "/" .. name, cell)
      if #values > 1 and (not at or #at ~= #values) then
        refuse(where, "%d values, expected as many names in `at`", #values)
      end
      for _, column in ipairs(statement.columns) do row[column] = "NA" end
      row.id, row.reading, row.whose, row.experiment = spec.statement, name, "repaired", experiment
      row.value, row.se = written(where, "value", values), ses and written(where, "se", ses) or "NA"
      row.at, row.beside = #values > 1 and table.concat(at, " ") or "NA", beside_text(where, cell.beside)
      row.proof, row.breaks = spec.proof or "NA", spec.breaks or "NA"
      row.drives, row.remark = written(where, "drives", cell.drives), written(where, "note", cell.note)
      rows[#rows + 1] = row
    end
  end
  if #rows == 0 then refuse(where, "it has no cells") end
  return rows
end

--- Gives a line of the repaired model what it takes from a line of the statement's own, and its verdict.
function statement.complete(row, own)
  local where = string.format("the cell %s/%s of %s", row.id, row.reading, row.experiment)
  if own.whose ~= "original" then refuse(where, "`%s` is no statement of the original", row.id) end
  if own.unasked ~= "NA" then refuse(where, "the repaired model is not asked: %s", own.unasked) end
  if own.criterion == "NA" then refuse(where, "there is nothing to measure in `%s`, which has no criterion", row.id) end
  if row.at ~= own.at then
    refuse(where, "its values are at %s, those of the statement at %s", row.at, own.at)
  end
  local c, values, ses, exact, at = criterion.parse(own.criterion), {}, {}, true, {}
  for word in row.value:gmatch("%S+") do values[#values + 1] = tonumber(word) end
  for word in row.se:gmatch("%S+") do
    ses[#ses + 1] = tonumber(word)
    exact = exact and ses[#ses] == 0
  end
  for word in own.at:gmatch("%S+") do at[#at + 1] = word end
  if c.needs_se and #ses == 0 then refuse(where, "the criterion '%s' needs a standard error", c.words) end
  local called, good, failed = pcall(criterion.judge, c, values, ses)
  if not called then refuse(where, "%s", good) end
  for i, k in ipairs(failed) do failed[i] = #values > 1 and at[k] or tostring(k) end
  row.quantity, row.criterion, row.kind = own.quantity, own.criterion, own.kind
  row.failed = #values > 1 and #failed > 0 and table.concat(failed, " ") or "NA"
  row.verdict = verdict_of(own.kind, good, exact and #ses > 0, row.proof ~= "NA")
end

return statement
