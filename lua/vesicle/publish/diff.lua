-- diff: what moved between two builds of different commits, and by how much.
--
-- Where `make verify` asks whether results are the same, this asks how far they are apart: each number of the report
-- and each value of a statement, in standard errors (the larger of the two; the two share their bits of randomness, so
-- one standard error is much), or as a part of its size where it has none; changed verdicts and outcomes; settings,
-- tables and figures that changed. Printed, and written as a page with the figures side by side: --out DIR, in which
-- the figures stand as old/NAME.svg and new/NAME.svg. `--set old=DIR --set new=DIR` are folders of results.

local check = require "vesicle.base.check"
local files = require "vesicle.publish.files"
local ledger = require "vesicle.experiment.ledger"
local results = require "vesicle.publish.results"

local diff = {}

--- The facts of some experiments below a folder of results: { numbers =, verdicts =, outcomes =, settings =,
--- tables = }, each from names to what is known of them, with the names in order.
function diff.facts(dir, names)
  local facts = {}
  for _, kind in ipairs { "numbers", "verdicts", "outcomes", "settings", "tables" } do facts[kind] = {} end
  local function add(kind, name, fact)
    local list = facts[kind]
    if not list[name] then list[#list + 1] = name end
    list[name] = fact
  end
  local verdict = {}
  for _, name in ipairs(names) do
    local data = dir .. "/data/" .. name
    if files.exists(data .. "/claims.tsv") then
      local this = results.read(dir, name)
      add("settings", name .. " seed", tostring(this.facts.seed))
      for _, p in ipairs(this.facts.parameters) do add("settings", name .. " " .. p.name, p.value) end
      for _, row in ipairs(this.numbers) do add("numbers", name .. " \\" .. row[1], { row[2], row[3] }) end
      for _, row in ipairs(ledger.file(data .. "/claims.tsv")) do verdict[#verdict + 1] = row end
      for _, file in ipairs(files.list(data, "%.tsv$")) do
        local text = files.read(data .. "/" .. file)
        add("tables", name .. "/" .. file, ("\n" .. text):gsub("\n#[^\n]*", ""))
      end
    end
  end
  for _, one in ipairs(ledger.group(verdict)) do
    add("outcomes", one.id, ledger.whole_outcome(one))
    for _, cell in ipairs(one.cells) do
      local key = one.id .. "/" .. cell.reading
      add("verdicts", key, cell.verdict)
      local spread = tostring(cell.se):gmatch("%S+")
      local n = 0
      for value in tostring(cell.value):gmatch("%S+") do
        n = n + 1
        add("numbers", key .. (n > 1 and " " .. n or ""), { value, spread() or "NA" })
      end
    end
  end
  return facts
end

--- How far apart two values are: a size to sort by, and words. Nil if they are the same.
local function apart(old, new)
  if old[1] == new[1] then return nil end
  local a, b = tonumber(old[1]), tonumber(new[1])
  if not check.finite(a) or not check.finite(b) then return math.huge, "no number" end
  local se = math.max(tonumber(old[2]) or 0, tonumber(new[2]) or 0)
  if check.finite(se) and se > 0 then
    local moved = (b - a) / se
    return math.abs(moved), string.format("%+.2g standard error%s", moved, math.abs(moved) == 1 and "" or "s")
  end
  local size = math.max(math.abs(a), math.abs(b))
  if a == b then return nil end
  return math.huge, string.format("%+.2g of its size, which has no error", (b - a) / size)
end

--- What is shown of a fact that stands on one side alone: the value of a number, of a table that it is there.
local function shown(kind, fact) return kind == "numbers" and fact[1] or kind == "tables" and "there" or fact end

--- Compares two folders' facts: lists `numbers`, `verdicts`, `outcomes`, `settings` and `tables` of { name, old, new,
--- moved }, numbers by how far they moved, and `counts`, how many of each there are in both.
function diff.compare(old, new)
  local report = { counts = {} }
  for kind in pairs { numbers = 1, verdicts = 1, outcomes = 1, settings = 1, tables = 1 } do
    local list, both = {}, 0
    for _, name in ipairs(new[kind]) do
      local before, after = old[kind][name], new[kind][name]
      if before == nil then
        list[#list + 1] = { name = name, old = "-", new = shown(kind, after), moved = "new", far = -1 }
      else
        both = both + 1
        if kind == "numbers" then
          local far, words = apart(before, after)
          if far then list[#list + 1] = { name = name, old = before[1], new = after[1], moved = words, far = far } end
        elseif before ~= after then
          local was, is = shown(kind, before), shown(kind, after)
          list[#list + 1] = { name = name, old = was, new = is, moved = "changed", far = 0 }
        end
      end
    end
    for _, name in ipairs(old[kind]) do
      local before = old[kind][name]
      if new[kind][name] == nil then
        list[#list + 1] = { name = name, old = shown(kind, before), new = "-", moved = "gone", far = -1 }
      end
    end
    for i, one in ipairs(list) do one.place = i end
    table.sort(list, function(a, b) return a.far > b.far or a.far == b.far and a.place < b.place end)
    report[kind], report.counts[kind] = list, both
  end
  return report
end

-- ---- its forms ----

local titles = { { "outcomes", "statements with another outcome", "statements" },
                 { "verdicts", "verdicts that changed", "verdicts" },
                 { "numbers", "numbers that moved", "numbers" }, { "settings", "settings that changed", "settings" },
                 { "tables", "tables with other bytes", "tables" } }

local function short(value) -- a number as it is read
  local x = tonumber(value)
  return x and math.type(x) == "float" and string.format("%.6g", x) or value
end

function diff.text(report)
  local lines = {}
  for _, title in ipairs(titles) do
    local list = report[title[1]]
    if #list > 0 then lines[#lines + 1] = string.format("%s: %d of %d", title[2], #list, report.counts[title[1]]) end
    for _, one in ipairs(list) do
      if title[1] == "tables" then
        lines[#lines + 1] = string.format("  %s: %s", one.name, one.moved)
      else
        lines[#lines + 1] = string.format("  %s: %s -> %s%s", one.name, short(one.old), short(one.new),
          one.moved ~= "changed" and " (" .. one.moved .. ")" or "")
      end
    end
  end
  return table.concat(lines, "\n") .. (#lines > 0 and "\n" or "")
end

local function escape(s)
  return (tostring(s):gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;"):gsub('"', "&quot;"))
end

function diff.page(report, figures, ref, scale)
  local lines = { "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
    "<title>What moved since " .. escape(ref) .. "</title>",
    "<style>body { font: 16px/1.5 Georgia, serif; max-width: 80rem; margin: 2rem auto; padding: 0 1rem; }",
    "table { border-collapse: collapse; font-size: 0.9rem; } td, th { padding: 0.2rem 1rem 0.2rem 0; text-align: left;",
    "border-bottom: 1px solid #ddd; } .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }",
    ".pair img { width: 100%; border: 1px solid #ddd; } figcaption { color: #555; }</style>", "</head>", "<body>",
    "<h1>What moved since " .. escape(ref) .. "</h1>",
    "<p>At " .. escape(scale) .. " scale. Numbers move in standard errors, the larger of the two.</p>" }
  for _, title in ipairs(titles) do
    local list = report[title[1]]
    lines[#lines + 1] = string.format("<h2>%s: %d of %d</h2>", title[2]:gsub("^%l", string.upper), #list,
      report.counts[title[1]])
    if #list > 0 then
      lines[#lines + 1] = "<table><tr><th>name</th><th>old</th><th>new</th><th>moved</th></tr>"
      for _, one in ipairs(list) do
        lines[#lines + 1] = string.format("<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>", escape(one.name),
          escape(short(one.old)), escape(short(one.new)), escape(one.moved))
      end
      lines[#lines + 1] = "</table>"
    end
  end
  lines[#lines + 1] = string.format("<h2>Figures that differ: %d of %d</h2>", #figures, figures.all)
  for _, one in ipairs(figures) do
    lines[#lines + 1] = "<h3>" .. escape(one.name) .. '</h3>\n<div class="pair">'
    for _, side in ipairs { "old", "new" } do
      local name = escape(one.name)
      local image = one[side] and string.format('<img src="%s/%s.svg" alt="%s, %s">', side, name, name, side)
      lines[#lines + 1] = string.format("<figure>%s<figcaption>%s</figcaption></figure>", image or "<p>none</p>", side)
    end
    lines[#lines + 1] = "</div>"
  end
  lines[#lines + 1] = "</body>\n</html>"
  return table.concat(lines, "\n") .. "\n"
end

--- The figures below DIR/old and DIR/new whose bytes differ: { name =, old =, new = }; `all` is how many there are.
function diff.figures(dir)
  local found, known = { all = 0 }, {}
  for _, side in ipairs { "old", "new" } do
    for _, file in ipairs(files.list(dir .. "/" .. side, "%.svg$")) do known[file:gsub("%.svg$", "")] = true end
  end
  for _, name in ipairs(check.sorted_keys(known)) do
    local one = { name = name }
    for _, side in ipairs { "old", "new" } do
      local path = dir .. "/" .. side .. "/" .. name .. ".svg"
      one[side] = files.exists(path) and files.read(path)
    end
    found.all = found.all + 1
    if one.old ~= one.new then found[#found + 1] = one end
  end
  return found
end

return setmetatable(diff, { __call = function(_, settings)
  local names = {}
  for name in settings.names:gmatch("%S+") do names[#names + 1] = name end
  local report = diff.compare(diff.facts(settings.old, names), diff.facts(settings.new, names))
  local figures = diff.figures(settings.out)
  files.write(settings.out .. "/index.html", diff.page(report, figures, settings.ref, settings.scale))
  io.stdout:write(diff.text(report))
  local words = {}
  for i, title in ipairs(titles) do
    words[i] = string.format("%d of %d %s", #report[title[1]], report.counts[title[1]], title[3])
  end
  io.stdout:write(string.format("diff: since %s, changed: %s; %d of %d figures\n  %s/index.html\n", settings.ref,
    table.concat(words, ", "), #figures, figures.all, settings.out))
end })
