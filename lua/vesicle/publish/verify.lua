-- verify: are these the results that were committed?
--
-- Three answers. *Identical*: every setting, number, verdict, table and document has the same bytes.
-- *Equivalent*: the settings and verdicts are the same, and each number that moved stayed within three of
-- its own standard errors (a number without one, within rounding), each table that moved kept its shape
-- and the means of its columns within their standard errors. This is what another mathematical library or
-- another TeX gives. *Different*: anything else. Every difference is listed; `different` exits with 4.
-- `--set documents=no` leaves the documents out.

local expected = require "vesicle.publish.expected"
local files = require "vesicle.publish.files"
local results = require "vesicle.publish.results"
local margins = require "vesicle.margins"

local verify = {}

local rounding = 1e-9

--- How far a value may move: a multiple of its spread, or rounding.
function verify.tolerance(kind, value, spread)
  local x, s = tonumber(value) or 0, tonumber(spread) or 0
  return math.max(s * (kind == "number" and margins.standard_errors or 1), rounding * math.abs(x), 1e-12)
end

local function near(kind, old, new)
  local a, b = tonumber(old.value), tonumber(new.value)
  if not a or not b then return old.value == new.value, 0 end
  local allowed = verify.tolerance(kind, old.value, old.spread)
  return a == b or math.abs(a - b) <= allowed or (a ~= a and b ~= b), allowed
end

local compare = {} -- by kind of row: "identical", "equivalent" or "different", and what to say

function compare.setting(old, new)
  return old.value == new.value and "identical" or "different", old.value .. " -> " .. new.value
end

--- A cell of a statement: the verdict stays, and each value as a number does.
function compare.claim(old, new)
  if old.value ~= new.value then return "different", old.value .. " -> " .. new.value end
  if old.sum == new.sum and old.spread == new.spread then return "identical" end
  local before, after, ses = tostring(old.sum):gmatch("%S+"), tostring(new.sum):gmatch("%S+"), old.spread:gmatch("%S+")
  for a in before do
    local b, se = after(), ses()
    if not b or not near("number", { value = a, spread = se }, { value = b }) then
      return "different", old.sum .. " -> " .. new.sum
    end
  end
  if after() then return "different", old.sum .. " -> " .. new.sum end
  return "equivalent", old.sum .. " -> " .. new.sum
end

function compare.number(old, new)
  if old.value == new.value and old.spread == new.spread then return "identical" end
  local good, allowed = near("number", old, new)
  return good and "equivalent" or "different",
    string.format("%s -> %s (allowed %.2g)", old.value, new.value, allowed)
end

--- A column says nothing where its table is identical.
function compare.column(old, new)
  if old.value == new.value then return "identical" end
  local good, allowed = near("column", old, new)
  return good and "equivalent" or "different",
    string.format("mean %s -> %s (allowed %.2g)", old.value, new.value, allowed)
end

--- A table whose bytes moved is as near as its columns are, which are judged by themselves.
function compare.table(old, new)
  if old.sum == new.sum then return "identical" end
  if old.value ~= new.value then return "different", old.value .. " rows -> " .. new.value end
  return "equivalent", "other bytes"
end

--- Compares two lists of rows: { identical = n, equivalent = {...}, different = {...}, counts = }.
function verify.compare(old_rows, new_rows)
  local old, report = {}, { identical = 0, equivalent = {}, different = {}, kinds = {} }
  local function say(level, row, text)
    if level == "identical" then
      report.identical = report.identical + 1
      report.kinds[row.kind] = (report.kinds[row.kind] or 0) + 1
    else
      table.insert(report[level], string.format("%-8s %s: %s", row.kind, row.name, text))
    end
  end
  for _, row in ipairs(old_rows) do old[row.kind .. " " .. row.name] = row end
  local documents = {}
  for _, row in ipairs(new_rows) do
    local key = row.kind .. " " .. row.name
    local before = old[key]
    old[key] = nil
    if not before then
      say("different", row, "new")
    elseif row.kind == "document" then
      documents[#documents + 1] = { before, row }
    else
      local level, text = compare[row.kind](before, row)
      say(level, row, text)
    end
  end
  for _, row in ipairs(old_rows) do
    if old[row.kind .. " " .. row.name] then say("different", row, "gone") end
  end
  -- A document follows its sources, and its sources follow the data.
  local data_moved, sources_moved = #report.equivalent + #report.different > 0, false
  for _, pair in ipairs(documents) do
    if pair[2].name == "sources" then sources_moved = pair[1].sum ~= pair[2].sum end
  end
  for _, pair in ipairs(documents) do
    if pair[1].sum == pair[2].sum then
      say("identical", pair[2])
    elseif not sources_moved then
      say("equivalent", pair[2], "other bytes from the same sources: another TeX or gnuplot")
    elseif data_moved then
      say("equivalent", pair[2], "other bytes, because the results above moved")
    else
      say("different", pair[2], pair[2].name == "sources" and "the text or a figure script was changed"
        or "made from a changed text")
    end
  end
  report.level = #report.different > 0 and "different" or #report.equivalent > 0 and "equivalent" or "identical"
  return report
end

return setmetatable(verify, { __call = function(_, settings)
  local path = "tests/expected/" .. settings.scale .. ".tsv"
  if not files.exists(path) then
    files.stop(1, path .. " does not exist; `make SCALE=" .. settings.scale .. " expect` writes it")
  end
  local old, new = expected.read(path), expected.collect(settings.results)
  if rawget(settings, "documents") == "no" then
    for _, rows in ipairs { old, new } do
      while #rows > 0 and rows[#rows].kind == "document" do table.remove(rows) end
    end
  end
  local report = verify.compare(old, new)
  local kinds = {}
  for _, kind in ipairs { "setting", "number", "claim", "table", "column", "document" } do
    if report.kinds[kind] then kinds[#kinds + 1] = string.format("%d %ss", report.kinds[kind], kind) end
  end
  local lines = { "  identical: " .. (#kinds > 0 and table.concat(kinds, ", ") or "nothing") }
  for _, level in ipairs { "equivalent", "different" } do
    if #report[level] > 0 then
      lines[#lines + 1] = string.format("  %s: %d", level, #report[level])
      for _, line in ipairs(report[level]) do lines[#lines + 1] = "    " .. line end
    end
  end
  io.stdout:write(table.concat(lines, "\n"), "\n")
  if report.level == "different" then
    files.stop(4, "verify: different from " .. path .. "; `make expect` accepts what was built")
  end
  local _, own = results.experiments()
  io.stdout:write("verify: ", #own == 0 and report.level or string.format("published results %s; %d experiment%s of "
    .. "yours not compared", report.level, #own, #own > 1 and "s" or ""), "\n")
end })
