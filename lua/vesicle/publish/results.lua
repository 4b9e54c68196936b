-- results: what the experiments left behind, read back.
--
-- A results folder may hold files that no experiment wrote. What goes into documents as it is, macros, names and facts,
-- must look as experiments write it; everything else is text, which markup escapes.

local files = require "vesicle.publish.files"
local ledger = require "vesicle.experiment.ledger"
local tsv = require "vesicle.table"
local ves = require "vesicle"

local results = {}

--- The names of the published experiments, whose scripts begin with a number, and those of all others. With
--- results.with_own the first list has them all.
function results.experiments()
  local names, own = {}, {}
  for _, file in ipairs(files.list("lua/experiments", "%.lua$")) do
    local name = file:gsub("%.lua$", "")
    local list = (results.with_own or ledger.is_published(name)) and names or own
    list[#list + 1] = name
  end
  return names, own
end

--- The names by which a text may call an experiment: its name, and its number where no other one has it.
function results.aliases(name)
  local number, alike = name:match("^(%d+)_"), 0
  for _, other in ipairs(results.experiments()) do
    if number and other:match("^(%d+)_") == number then alike = alike + 1 end
  end
  return alike == 1 and { name, number } or { name }
end

--- The title of a chapter: the heading its script begins with.
function results.title(name)
  local first = files.lines("lua/experiments/" .. name .. ".lua")[1] or ""
  return first:match("^%-%-%- # +(.*)$") or name
end

local function refuse(path, what) files.stop(1, path .. ": no experiment writes this: " .. what) end

--- Header lines "key: value" of a table; parameters and columns in their order.
local function read_header(path, header)
  local facts = { parameters = {}, columns = {} }
  for _, line in ipairs(header) do
    local key, value = line:match("^(%l+): (.*)$")
    if key == "parameter" then
      local name, text = value:match("^([%w_]+) = (.*)$")
      if not name then refuse(path, line) end
      local shown, about = text:match("^(.-) %((.*)%)$")
      facts.parameters[#facts.parameters + 1] = { name = name, value = shown or text, about = about or "" }
    elseif key == "column" then
      local name, meaning = value:match("^(.-): (.*)$")
      facts.columns[name or value] = meaning
    elseif key then
      facts[key] = value
    end
  end
  if facts.seed and not facts.seed:find("^%-?%d+$") then refuse(path, "seed " .. facts.seed) end
  if facts.scale and facts.scale ~= "full" and facts.scale ~= "quick" then refuse(path, "scale " .. facts.scale) end
  return facts
end

--- One table: rows of texts, column names, header facts.
function results.table(path)
  local rows, columns, header = tsv.texts(path)
  if not rows then files.stop(1, columns) end
  return { path = path, name = path:match("([^/]*)%.tsv$"), columns = columns, rows = rows,
           facts = read_header(path, header) }
end

--- How many rows and columns a table has.
function results.size(path)
  local good, why, info = pcall(ves.read_table, path, { text = true, separator = "\t" })
  if not good then files.stop(1, why) end
  return info.rows, #info.columns
end

--- The macros of an experiment in their order: { name =, latex = }, among them the SE and WithSE ones.
function results.macros(dir, name)
  local path, macros = dir .. "/data/" .. name .. "/numbers.tex", {}
  if not files.exists(path) then return macros end
  for _, line in ipairs(files.lines(path)) do
    local macro, value = line:match("^\\newcommand{\\(%a+)}{(.*)}$")
    if macro then
      -- A number, with its standard error and a power of ten: see vesicle.experiment.number.
      local rest = value:gsub("\\ensuremath{", ""):gsub("\\pm ", ""):gsub("\\times ", "")
      if rest:find("[^%d%s.(){}^-]") then refuse(path, line) end
      macros[#macros + 1] = { name = macro, latex = value }
    elseif not line:find("^%%") then
      refuse(path, line)
    end
  end
  return macros
end

--- One experiment: its facts, macros, numbers and statements. Its other tables, which can be large, are read by those
--- who show them (results.tables).
function results.read(dir, name)
  local data = dir .. "/data/" .. name
  local this = { name = name, macros = results.macros(dir, name), numbers = {}, claims = {} }
  if not files.exists(data .. "/claims.tsv") then
    files.stop(1, data .. " has no claims.tsv; `make " .. name .. "` writes it")
  end
  local claims = results.table(data .. "/claims.tsv")
  this.facts = claims.facts
  this.claims = ledger.group(ledger.file(claims.path))
  if files.exists(data .. "/numbers.tsv") then
    this.numbers = results.table(data .. "/numbers.tsv").rows
    for _, row in ipairs(this.numbers) do
      if not row[1]:find("^%a+$") then refuse(data .. "/numbers.tsv", row[1]) end
    end
  end
  this.title = this.facts.experiment:match("^%S+ %- (.*)$") or name
  return this
end

--- The tables of an experiment other than those of numbers and statements.
function results.tables(dir, name)
  local tables = {}
  for _, file in ipairs(files.list(dir .. "/data/" .. name, "%.tsv$")) do
    if file ~= "claims.tsv" and file ~= "numbers.tsv" then
      tables[#tables + 1] = results.table(dir .. "/data/" .. name .. "/" .. file)
    end
  end
  return tables
end

--- The first lines of a figure script without the comment marks: its caption, and after `alt:` what is seen in it.
local function figure_head(path)
  local caption, alt = {}, {}
  local words = caption
  for _, line in ipairs(files.lines(path)) do
    local text = line:match("^#+ ?(.*)$")
    if not text then break end
    local seen = text:match("^alt: +(.*)$")
    if seen then words = alt end
    words[#words + 1] = seen or text
  end
  return table.concat(caption, " "), table.concat(alt, " ")
end

--- What is seen in a figure, for those who do not see it.
function results.alternative(path)
  local _, alt = figure_head(path)
  return alt
end

--- The tables that a figure script reads, as names of files.
function results.tables_of(path)
  local found, known = {}, {}
  for name in files.read(path):gmatch("data%s*%.%s*['\"]/([%w_-]+%.tsv)['\"]") do
    if not known[name] then found[#found + 1], known[name] = name, true end
  end
  return found
end

--- The caption of a figure script.
function results.caption(path)
  local caption = figure_head(path)
  local stem = path:match("([^/]*)%.gp$")
  if caption:sub(1, #stem + 2) == stem .. ": " then caption = caption:sub(#stem + 3) end
  caption = caption:gsub("^fig:[%w_-]+: ", "")
  return (caption:gsub("^%l", string.upper))
end

--- The figure scripts of an experiment: NAME.gp first, then NAME-PART.gp.
function results.figures(name)
  local found = {}
  for _, file in ipairs(files.list("figures", "%.gp$")) do
    local stem = file:gsub("%.gp$", "")
    if stem == name or stem:sub(1, #name + 1) == name .. "-" then found[#found + 1] = stem end
  end
  table.sort(found, function(a, b) return #a < #b or (#a == #b and a < b) end)
  return found
end

return results
