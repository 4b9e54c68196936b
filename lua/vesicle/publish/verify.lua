-- verify: are these the results that were committed?
--
-- Three answers. *Identical*: every setting, number, verdict, table and document has the same bytes.
-- *Equivalent*: what another mathematical library, or another TeX, makes of the same bits of randomness. Settings,
-- verdicts, texts and the shapes of tables are the same; numbers, their standard errors, and of each column the
-- mean, its standard error and its order differ in their last digits only (vesicle.publish.tolerance). A document's
-- bytes are those of the programs that typeset it: where other versions of these made other bytes, what it was made from
-- decides (the row `sources`), and the versions are named. *Different*: anything else. Every difference is listed;
-- `different` exits with 4. `--set documents=no` leaves the documents out; `--set missing="gnuplot pandoc"` says why.

local expected = require "vesicle.publish.expected"
local files = require "vesicle.publish.files"
local results = require "vesicle.publish.results"
local tolerance = require "vesicle.publish.tolerance"

local verify = {}

--- Whether two texts of numbers, as many in each, are near, and by how much they may differ. `scale` is the size of
--- what a number was summed from, if it is known.
local function near(name, old, new, scale)
  local after, most = tostring(new):gmatch("%S+"), 0
  for a in tostring(old):gmatch("%S+") do
    local b = after()
    local x, y = tonumber(a), tonumber(b)
    if a ~= b then
      if not x or not y then return false, most end
      local allowed = tolerance.of(name, x, y, scale)
      most = math.max(most, allowed)
      local apart = math.abs(x - y)
      if apart ~= apart or apart > allowed then return false, most end
    end
  end
  return after() == nil, most
end

--- The verdict of a fact with parts that moved: {old, new, scale} each.
local function judged(name, shown, parts)
  local level, most = "identical", 0
  for _, part in ipairs(parts) do
    if part[1] ~= part[2] and level ~= "different" then
      local good, allowed = near(name, part[1], part[2], part[3])
      level, most = good and "equivalent" or "different", math.max(most, allowed)
    end
  end
  return level, string.format("%s (allowed %.2g)", shown, most)
end

--- What moved of a value with its spread.
local function both(old, new)
  if old.value ~= new.value then return old.value .. " -> " .. new.value end
  return string.format("%s, standard error %s -> %s", old.value, old.spread, new.spread)
end

local compare = {} -- by kind of row: "identical", "equivalent" or "different", and what to say

function compare.setting(old, new)
  return old.value == new.value and "identical" or "different", old.value .. " -> " .. new.value
end

--- A cell of a statement: the verdict stays, and so does each value and its standard error.
function compare.claim(old, new)
  if old.value ~= new.value then return "different", old.value .. " -> " .. new.value end
  return judged(old.name, old.sum .. " -> " .. new.sum, { { old.sum, new.sum }, { old.spread, new.spread } })
end

function compare.number(old, new)
  return judged(old.name, both(old, new), { { old.value, new.value }, { old.spread, new.spread } })
end

--- The mean of a column is a sum in which cells may cancel, so it is as exact as its spread.
function compare.column(old, new)
  local spread = tonumber(old.spread)
  local shown = old.value == new.value and old.spread == new.spread and "its rows in another order, or other texts"
    or "mean " .. both(old, new)
  return judged(old.name, shown,
    { { old.value, new.value, spread }, { old.sum, new.sum, spread }, { old.spread, new.spread } })
end

--- A table whose bytes moved is as near as its columns are, which are judged by themselves.
function compare.table(old, new)
  if old.sum == new.sum then return "identical" end
  if old.value ~= new.value then return "different", old.value .. " rows -> " .. new.value end
  return "equivalent", "other bytes"
end

--- Compares two lists of rows: { identical = n, equivalent = {...}, different = {...}, kinds =, edited = }. `edited` is
--- true if the supplement has the identifiers of functions that were edited since, and nothing else moved it.
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
  local documents, programs = {}, {}
  for _, row in ipairs(new_rows) do
    local key = row.kind .. " " .. row.name
    local before = old[key]
    old[key] = nil
    if row.kind == "program" then
      if before and before.value ~= row.value then
        programs[#programs + 1] = string.format("%s instead of %s", row.value, before.value)
      end
    elseif not before then
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
  local data_moved, moved = #report.equivalent + #report.different > 0, {}
  for _, pair in ipairs(documents) do moved[pair[2].name] = pair[1].sum ~= pair[2].sum end
  local sources_moved = moved.sources
  for _, pair in ipairs(documents) do
    if pair[1].sum == pair[2].sum then
      say("identical", pair[2])
    elseif pair[2].name == "identifiers"
        or pair[2].name == "supplement.pdf" and moved.identifiers and not sources_moved then
      report.edited = not sources_moved            -- else the supplement is told of below
    elseif not sources_moved then
      say("equivalent", pair[2], "other bytes from the same sources, made by " .. (#programs > 0
        and table.concat(programs, ", ") or "the same programs with other libraries or fonts"))
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
      while #rows > 0 and (rows[#rows].kind == "document" or rows[#rows].kind == "program") do table.remove(rows) end
    end
  end
  local report = verify.compare(old, new)
  local kinds = {}
  for _, kind in ipairs { "setting", "number", "claim", "table", "column", "document" } do
    if report.kinds[kind] then kinds[#kinds + 1] = string.format("%d %ss", report.kinds[kind], kind) end
  end
  local lines = { "  identical: " .. (#kinds > 0 and table.concat(kinds, ", ") or "nothing") }
  if report.edited then
    lines[#lines + 1] = "  not compared: the supplement, in which the identifiers of edited functions stand"
  end
  local missing = rawget(settings, "missing")
  if missing then
    lines[#lines + 1] = "  not compared: the documents, for want of " .. missing:match("^%s*(.-)%s*$"):gsub("%s+", ", ")
  end
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
