-- outcome: what stands around a script in its chapter: what it was run with and what came out. Facts, parameters,
-- figures, claims with their verdicts, numbers, tables.
--
-- Every function takes the chapter (see weave.lua) and the form of markup.lua, and returns Markdown; nothing to show is
-- the empty string.

local cells = require "vesicle.publish.claim_cells"
local files = require "vesicle.publish.files"
local labels = require "vesicle.publish.labels"
local markup = require "vesicle.publish.markup"
local prose = require "vesicle.publish.prose"
local results = require "vesicle.publish.results"

local outcome = {}

--- A heading of what is generated; `room` keeps it together with what follows.
local function heading(text, form, room)
  local keep = form == markup.latex and form.block(string.format("\\needspace{%s}", room or "8\\baselineskip")) or ""
  return keep .. "\n## " .. text .. " {.unnumbered .unlisted}\n"
end

function outcome.facts(chapter, form)
  local this = chapter.result
  local rows = {
    { "Script", form.code(chapter.script) },
    { "Run", form.code("make " .. this.name) },
    { "Seed", form.text(this.facts.seed) },
    { "Scale", form.text(this.facts.scale) },
  }
  if this.facts.figure then
    local tags = {}
    for label in this.facts.figure:gmatch("[^, ]+") do
      if not chapter.registry[label] then
        chapter.problems:add("%s: figure `%s` names nothing in %s", chapter.script, label, labels.path)
      end
      tags[#tags + 1] = form.tag(label)
    end
    rows[#rows + 1] = { "Answers", table.concat(tags, " ") }
  end
  return form.block(form.table { style = "facts", columns = { {}, {} }, rows = rows })
end

function outcome.parameters(chapter, form)
  local rows = {}
  for i, p in ipairs(chapter.result.facts.parameters) do
    local value = p.value:gsub(",", ", ")
    rows[i] = { form.code(p.name), form.number(value), form.text(p.about) }
  end
  if #rows == 0 then return "" end
  return heading("Parameters", form) .. form.block(form.table { label = "Parameters",
    columns = { { head = "parameter", share = 0.26 }, { head = "value", share = 0.22 },
                { head = "meaning", share = 0.52 } },
    rows = rows })
end

local most_equations = 4

--- Links from a figure to its tables, its scripts, and its equations: those of the caption, or else the first of the
--- script.
local function sources_of(name, caption, chapter)
  local experiment, html, links, seen = chapter.result.name, markup.html, {}, {}
  for _, file in ipairs(results.tables_of("figures/" .. name .. ".gp")) do
    links[#links + 1] = string.format('<a href="data/%s/%s">%s</a>', experiment, file, html.text(file))
  end
  links[#links + 1] = string.format('<a href="scripts/%s.lua">%s</a>', experiment, html.text(experiment .. ".lua"))
  links[#links + 1] = string.format('<a href="figures/%s.gp">%s</a>', name, html.text(name .. ".gp"))
  if not caption:find("%[eq:") then
    labels.each(table.concat(files.lines(chapter.script), "\n"), function(label)
      if label:find("^eq:") and not seen[label] and #seen < most_equations then
        seen[#seen + 1], seen[label] = label, true
        links[#links + 1] = html.tag(label)
      end
    end)
  end
  return table.concat(links, " · ")
end

--- The figures of a web page, which has them first: a list, each with its sources.
function outcome.web_figures(chapter)
  local parts = {}
  for i, name in ipairs(results.figures(chapter.result.name)) do
    local path = "figures/" .. name .. ".gp"
    local caption = results.caption(path)
    parts[i] = markup.html.block(markup.html.figure(name,
      prose.text({ from = 1, lines = { caption } }, markup.html, chapter),
      { alt = results.alternative(path), sources = sources_of(name, caption, chapter) }))
  end
  return parts
end

--- The figures of a chapter in print.
function outcome.figures(chapter, form)
  local parts = {}
  for _, name in ipairs(results.figures(chapter.result.name)) do
    local caption = results.caption("figures/" .. name .. ".gp")
    parts[#parts + 1] = form.block(form.figure(name, form.text((caption:gsub("%s*%[%l+:[%w_-]+%]", "")))))
  end
  if #parts == 0 then return "" end
  return heading(#parts > 1 and "Figures" or "Figure", form, ".4\\textheight") .. table.concat(parts, "\n")
end

--- A table of statements: each with a line for what it says and one for each reading.
function outcome.claims(chapter, form)
  local rows = {}
  for _, one in ipairs(chapter.result.claims) do
    local says, notes = one.says == "NA" and "" or form.text(one.says), cells.notes(one)
    if one.whose == "original" then says = says .. " [" .. cells.place(one.where, form) .. "]" end
    if one.quantity ~= "NA" then says = says .. " " .. form.emphasis("measured: " .. one.quantity) end
    if #notes > 0 then
      local note = form.text(table.concat(notes, "; "))
      says = says .. " " .. (form == markup.latex and "\\vesnote{" .. note .. "}"
        or '<span class="note">' .. note .. "</span>")
    end
    local anchor = form == markup.latex and "\\hypertarget{claim:" .. one.id .. "}{}" or ""
    rows[#rows + 1] = { anchor .. form.code(one.id), says, "", "", cells.outcome(one, form), id = "claim-" .. one.id }
    for _, cell in ipairs(one.cells) do
      local row
      if cell.verdict ~= "NA" then
        row = { "", form.text(cell.reading), cells.measured(cell, form), form.text(cell.criterion),
                cells.verdict_of(cell, form) }
      elseif cell.whose == "repaired" then -- its statement is in another chapter
        row = { "", form.text(cell.reading), cells.measured(cell, form), form.text("that of the statement"),
                form.text("in the ledger") }
      end
      if row then
        row.attributes = string.format(' data-claim="%s" data-reading="%s"', markup.html.attribute(one.id),
          markup.html.attribute(cell.reading))
        rows[#rows + 1] = row
      end
    end
  end
  if #rows == 0 then return "" end
  return heading("Statements", form) .. form.block(form.table { label = "Statements", columns = {
    { head = "id", share = 0.18 }, { head = "statement, readings", share = 0.33 }, { head = "measured", share = 0.19 },
    { head = "criterion", share = 0.15 }, { head = "outcome, verdict", share = 0.15 } }, rows = rows })
end

function outcome.numbers(chapter, form)
  local rows = {}
  for i, row in ipairs(chapter.result.numbers) do
    local name, se = row[1], chapter.macro[row[1] .. "SE"]
    local anchor = form == markup.latex and "\\hypertarget{number:" .. name .. "}{}" or ""
    rows[i] = { anchor .. form.code("\\" .. name), form.latex_number(chapter.macro[name]),
                se and form.latex_number(se) or "", id = "number-" .. name }
  end
  if #rows == 0 then return "" end
  return heading("Numbers", form) .. form.block(form.table { label = "Numbers",
    columns = { { head = "macro" }, { head = "value", align = "r" }, { head = "standard error", align = "r" } },
    rows = rows })
end

-- A table is shown as far as it fits a page: some rows from both ends, and the first columns. In print two
-- narrow ones share a line.
local most_rows, head_rows, tail_rows = 9, 6, 2
local most_width, half_width, gap = 104, 46, 2

--- The columns and rows of a table that are shown; returns the spec for markup's table, and its width in characters.
local function abridged(one, form)
  local shown, columns, width = {}, 0, 0
  local count = #one.rows
  for r = 1, count do
    if count <= most_rows or r <= head_rows or r > count - tail_rows then shown[#shown + 1] = r end
  end
  local spec = { style = "data", columns = {}, rows = {} }
  for c, name in ipairs(one.columns) do
    local widest, numeric = #name, true
    for _, r in ipairs(shown) do
      widest = math.max(widest, markup.width(one.rows[r][c]))
      numeric = numeric and (tonumber(one.rows[r][c]) ~= nil or one.rows[r][c] == "NA")
    end
    local text = widest > most_width // 2
    if text then widest = most_width // 2 end
    if form == markup.latex and c > 1 and width + widest + gap > most_width then break end
    columns, width = c, width + widest + gap
    spec.columns[c] = { head = form.code(name), align = numeric and "r" or "l", share = text and 0.42 or nil }
  end
  for i, r in ipairs(shown) do
    local row = {}
    if i > 1 and r > shown[i - 1] + 1 then
      for c = 1, columns do row[c] = form == markup.latex and "\\vesdots" or "⋮" end
      spec.rows[#spec.rows + 1] = row
      row = {}
    end
    for c = 1, columns do row[c] = form.number(one.rows[r][c]) end
    spec.rows[#spec.rows + 1] = row
  end
  return spec, width
end

local function table_title(one, form, columns)
  local meanings = {}
  for i, name in ipairs(one.columns) do
    local meaning = one.facts.columns[name]
    meanings[i] = form.code(name) .. (meaning and " " .. form.text(meaning) or "")
  end
  local size = string.format("%d row%s", #one.rows, #one.rows == 1 and "" or "s")
  if columns < #one.columns then
    size = size .. string.format(", %d of %d columns", columns, #one.columns)
  end
  return form.code(one.name .. ".tsv") .. ", " .. size .. ": " .. table.concat(meanings, "; ") .. "."
end

function outcome.tables(chapter, form)
  local parts, waiting = {}, nil
  local function flush()
    if waiting then parts[#parts + 1] = form.block("\\vesboxes{" .. waiting .. "}{}") end
    waiting = nil
  end
  for _, one in ipairs(chapter.tables) do
    local spec, width = abridged(one, form)
    local title = table_title(one, form, #spec.columns)
    if form == markup.html then
      spec.label = "Table " .. one.name
      title = string.format('<a href="data/%s/%s.tsv">', chapter.result.name, one.name) .. title:gsub(",", "</a>,", 1)
      parts[#parts + 1] = form.block('<p class="tabletitle">' .. title .. "</p>\n" .. form.table(spec))
    else
      spec.style = "box"
      local box = "\\vestabletitle{" .. title .. "}\n" .. form.table(spec)
      if width > half_width then
        flush()
        parts[#parts + 1] = form.block("\\veswide{" .. box .. "}")
      elseif waiting then
        parts[#parts + 1] = form.block("\\vesboxes{" .. waiting .. "}{" .. box .. "}")
        waiting = nil
      else
        waiting = box
      end
    end
  end
  flush()
  if #parts == 0 then return "" end
  return heading("Tables", form) .. table.concat(parts, "\n")
end

return outcome
