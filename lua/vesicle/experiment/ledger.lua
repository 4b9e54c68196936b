-- ledger: every claim of every experiment below a data directory, as one table.

local check = require "vesicle.base.check"
local claim = require "vesicle.experiment.claim"
local host = require "vesicle.base.host"
local latex = require "vesicle.base.latex"
local number = require "vesicle.experiment.number"
local tsv = require "vesicle.table"

local ledger = {}

local function stop(code, message) error({ exit_code = code, message = message }, 0) end

--- The rows of DIR/*/claims.tsv, experiments in the order of their names. One id, one claim.
function ledger.read(dir)
  local names, why = host.list(dir)
  if not names then stop(1, why .. " (run an experiment first, or name its directory)") end
  local all, owner = {}, {}
  for _, name in ipairs(names) do
    local path = dir .. "/" .. name .. "/claims.tsv"
    local probe = name:sub(1, 1) ~= "." and io.open(path, "rb")
    if probe then
      probe:close()
      local rows, problem = tsv.read(path)
      if not rows then stop(1, problem) end
      for _, row in ipairs(rows) do
        for _, column in ipairs(claim.columns) do
          if row[column] == nil then stop(1, path .. ": the column `" .. column .. "` is missing") end
          row[column] = tostring(row[column])
        end
        if owner[row.id] then
          stop(1, string.format("the claim `%s` stands in %s and in %s", row.id, owner[row.id], path))
        end
        owner[row.id] = path
        all[#all + 1] = row
      end
    end
  end
  return all
end

--- What was measured, for the terminal: one value shortened, with its standard error.
local function measured_text(row)
  local m = tonumber(row.measured)
  return check.finite(m) and number.plain(m, tonumber(row.se)) or row.measured
end

local function expected_text(row)
  local x = tonumber(row.expected)
  if not check.finite(x) then return row.expected end
  return string.format("%.4g", x)
end

local function width(text) return utf8.len(text) or #text end

local function wrap(text, columns)
  local lines, line = {}, ""
  for word in text:gmatch("%S+") do
    if line ~= "" and width(line) + 1 + width(word) > columns then
      lines[#lines + 1], line = line, word
    else
      line = line == "" and word or line .. " " .. word
    end
  end
  lines[#lines + 1] = line
  return lines
end

local function counts(rows)
  local parts = {}
  for _, entry in ipairs(claim.tally(rows)) do
    if entry[2] > 0 then parts[#parts + 1] = entry[2] .. " " .. entry[1] end
  end
  return string.format("%d claims: %s", #rows, table.concat(parts, ", "))
end

local formats = {}

function formats.text(rows)
  local head = { "id", "verdict", "measured", "expected", "claim" }
  local cells, widths = {}, { 2, 7, 8, 8, 40 }
  for _, row in ipairs(rows) do
    local line = { row.id, row.verdict, measured_text(row), expected_text(row), row.says }
    for c = 1, 4 do
      if width(line[c]) > 24 and c > 2 then line[c] = wrap(line[c], 24)[1] .. " ..." end
      widths[c] = math.max(widths[c], width(line[c]))
    end
    cells[#cells + 1] = line
  end
  local out = {}
  local function emit(line, wrapped)
    for l = 1, #wrapped do
      local parts = {}
      for c = 1, 4 do
        local text = l == 1 and line[c] or ""
        parts[c] = text .. (" "):rep(widths[c] - width(text))
      end
      parts[5] = wrapped[l]
      out[#out + 1] = (table.concat(parts, "  "):gsub("%s+$", ""))
    end
  end
  emit(head, { head[5] })
  for _, line in ipairs(cells) do emit(line, wrap(line[5], 60)) end
  out[#out + 1] = ""
  out[#out + 1] = counts(rows)
  return table.concat(out, "\n") .. "\n"
end

function formats.tsv(rows)
  local lines = { table.concat(claim.columns, "\t") }
  for _, row in ipairs(rows) do
    local cells = {}
    for c, name in ipairs(claim.columns) do cells[c] = row[name] end
    lines[#lines + 1] = table.concat(cells, "\t")
  end
  return table.concat(lines, "\n") .. "\n"
end

function formats.markdown(rows)
  local function safe(text) return (text:gsub("|", "\\|")) end
  local lines = { "| claim | verdict | measured | expected | where |", "|---|---|---|---|---|" }
  for _, row in ipairs(rows) do
    lines[#lines + 1] = string.format("| %s | %s | %s | %s | %s |", safe(row.says), row.verdict,
      safe(measured_text(row)), safe(expected_text(row)), safe(row.where))
  end
  return table.concat(lines, "\n") .. "\n"
end

local function latex_measured(row)
  local m, e = tonumber(row.measured), tonumber(row.se)
  if not check.finite(m) then return latex.text(row.measured) end
  local value, _, both = number.latex(m, e)
  return both or value
end

--- Rows for a longtable: claim & verdict & measured & expected & where.
function formats.latex(rows)
  local lines = {}
  for _, row in ipairs(rows) do
    lines[#lines + 1] = string.format("%s & %s & %s & %s & %s \\\\", latex.text(row.says),
      row.verdict, latex_measured(row), latex.text(expected_text(row)), latex.text(row.where))
  end
  return table.concat(lines, "\n") .. "\n"
end

--- The ledger as text in one of the formats text, tsv, latex, markdown.
function ledger.render(rows, format) return formats[format](rows) end

--- `vesicle claims`.
function ledger.main(dir, format, id)
  local rows = ledger.read(dir)
  if id then
    local names, found = {}, nil
    for _, row in ipairs(rows) do
      names[#names + 1] = row.id
      if row.id == id then found = row end
    end
    if not found then
      stop(1, string.format("no claim `%s` below %s%s", id, dir,
        require("vesicle.base.check").suggestion(id, names)))
    end
    rows = { found }
  end
  if #rows == 0 then stop(1, "no claims below " .. dir .. " (run an experiment first)") end
  io.stdout:write(ledger.render(rows, format))
end

return ledger
