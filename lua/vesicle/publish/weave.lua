-- weave: an experiment script as a chapter.
--
-- Lines that begin with three dashes are prose, Markdown with LaTeX mathematics; all others are code,
-- shown with their line numbers. Around the script stand what it was run with and what came out: the
-- parameters, the figures, the claims with their verdicts, the numbers and the tables. One pass writes
-- Markdown for LaTeX (NAME.tex.md) and for HTML (NAME.html.md).
--
-- In prose, a tag such as [eq:mapping] becomes a link to the trace matrix, and the macro of a number
-- that the experiment itself produced becomes that number.

local check = require "vesicle.base.check"
local files = require "vesicle.publish.files"
local labels = require "vesicle.publish.labels"
local markup = require "vesicle.publish.markup"
local number = require "vesicle.experiment.number"
local results = require "vesicle.publish.results"

local weave = {}

-- ---- the script ----

--- Splits a script into blocks { kind = "prose"|"code", from = line, lines = }. Blank lines at the ends
--- of code are dropped.
function weave.blocks(lines)
  local blocks, block = {}, nil
  for i, line in ipairs(lines) do
    local prose = not line:find("^%-%-%-%-") and line:match("^%-%-%-%s?(.*)$")
    local kind = prose and "prose" or "code"
    if not block or block.kind ~= kind then
      block = { kind = kind, from = i, lines = {} }
      blocks[#blocks + 1] = block
    end
    block.lines[#block.lines + 1] = prose or line
  end
  local kept = {}
  for _, b in ipairs(blocks) do
    while b.kind == "code" and b.lines[1] and b.lines[1]:match("^%s*$") do
      table.remove(b.lines, 1)
      b.from = b.from + 1
    end
    while b.kind == "code" and b.lines[1] and b.lines[#b.lines]:match("^%s*$") do table.remove(b.lines) end
    if #b.lines > 0 then kept[#kept + 1] = b end
  end
  return kept
end

--- Splits Markdown into { kind, text }: "display" and "maths" between dollar signs, "code" between
--- backquotes, "text" otherwise.
local function segments(s)
  local parts, position = {}, 1
  local function emit(kind, from, to)
    if to >= from then parts[#parts + 1] = { kind, s:sub(from, to) } end
  end
  local start = 1
  while position <= #s do
    local c = s:sub(position, position)
    local close, kind
    if c == "\\" then
      position = position + 2
    elseif c == "`" then
      local fence = s:match("^`+", position)
      local _, last = s:find(fence, position + #fence, true)
      close, kind = last, "code"
    elseif c == "$" then
      local fence = s:match("^%$%$?", position)
      local _, last = s:find(fence, position + #fence, true)
      close, kind = last, #fence == 2 and "display" or "maths"
    end
    if close then
      emit("text", start, position - 1)
      emit(kind, position, close)
      position, start = close + 1, close + 1
    elseif c ~= "\\" then
      position = position + 1
    end
  end
  emit("text", start, #s)
  return parts
end

--- One prose block as Markdown of the target. `where` names the place of a problem.
local function prose(block, form, chapter)
  local text = table.concat(block.lines, "\n")
  local where = chapter.script .. ":" .. block.from
  local function known(label)
    if not chapter.registry[label] then
      chapter.problems:add("%s: the tag [%s] names nothing in %s", where, label, labels.path)
    end
  end
  local function macro(name, replace)
    if not name:find("^%u%l*%u") then return nil end
    local value = chapter.macro[name]
    if not value then
      chapter.problems:add("%s: \\%s is no number of this experiment%s", where, name,
        check.suggestion(name, check.sorted_keys(chapter.macro)))
    end
    return replace(name, value or "")
  end
  local parts, all = {}, segments(text)
  for i, segment in ipairs(all) do
    local kind, s = segment[1], segment[2]
    local follower = kind == "display" and all[i + 1] and all[i + 1][1] == "text" and all[i + 1]
    if follower then -- a tag right behind a displayed equation is the equation's
      follower[2] = follower[2]:gsub("^(%s*)%[(%l+:[%w_-]+)%]", function(space, label)
        s = s:gsub("%$%$$", " \\quad\\text{[" .. label .. "]}$$")
        return space
      end)
    end
    if kind == "text" then
      s = s:gsub("%[(%l+:[%w_, :-]+)%]", function(inner)
        local tags = {}
        labels.each("[" .. inner .. "]", function(label)
          known(label)
          tags[#tags + 1] = form.inline(form.tag(label))
        end)
        return #tags > 0 and table.concat(tags, " ") or nil
      end)
      s = s:gsub("\\(%u%a*)", function(name)
        return macro(name, function(_, value) return form.inline(form.latex_number(value)) end)
      end)
    elseif kind == "display" or kind == "maths" then
      local before = {}
      s = s:gsub("%s*\\q?quad%s*\\text{%s*%[(%l+:[%w_-]+)%]%s*}", function(label)
        known(label)
        if form == markup.latex then return " \\tag*{" .. form.tag(label) .. "}" end
        before[#before + 1] = '<span class="eqtag">' .. form.tag(label) .. "</span>"
        return ""
      end)
      s = s:gsub("\\(%u%a*)", function(name)
        return macro(name, function(same, value)
          return form == markup.latex and "\\" .. same or value:gsub("^\\ensuremath{(.*)}$", "{%1}")
        end)
      end)
      s = table.concat(before) .. s
    end
    parts[#parts + 1] = s
  end
  return table.concat(parts)
end

local function code(block)
  return string.format("```{.lua .numberLines startFrom=\"%d\"}\n%s\n```", block.from, table.concat(block.lines, "\n"))
end

-- ---- what stands around it ----

--- A heading of what is generated; `room` keeps it together with what follows.
local function heading(text, form, room)
  local keep = form == markup.latex and form.block(string.format("\\needspace{%s}", room or "8\\baselineskip")) or ""
  return keep .. "\n## " .. text .. " {.unnumbered .unlisted}\n"
end

local function facts_of(chapter, form)
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

local function parameters_of(chapter, form)
  local rows = {}
  for i, p in ipairs(chapter.result.facts.parameters) do
    local value = p.value:gsub(",", ", ")
    rows[i] = { form.code(p.name), form.number(value), form.text(p.about) }
  end
  if #rows == 0 then return "" end
  return heading("Parameters", form) .. form.block(form.table {
    columns = { { head = "parameter", share = 0.26 }, { head = "value", share = 0.22 },
                { head = "meaning", share = 0.52 } },
    rows = rows })
end

local function figures_of(chapter, form)
  local parts = {}
  for _, name in ipairs(results.figures(chapter.result.name)) do
    local caption = results.caption("figures/" .. name .. ".gp")
    local block = { from = 1, lines = { caption } }
    local shown
    if form == markup.latex then
      shown = form.text((caption:gsub("%s*%[%l+:[%w_-]+%]", "")))
    else
      shown = prose(block, form, chapter)
    end
    parts[#parts + 1] = form.block(form.figure(name, shown))
  end
  if #parts == 0 then return "" end
  return heading(#parts > 1 and "Figures" or "Figure", form, ".4\\textheight") .. table.concat(parts, "\n")
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
function weave.measured(row, form, most)
  local m, e = tonumber(row.measured), tonumber(row.se)
  if not m or m ~= m or math.abs(m) == math.huge then return values_of(row.measured, form, most or 6) end
  local value, _, both = number.latex(m, e)
  return form.latex_number(both or value)
end

--- What it led one to expect: numbers, or a word.
function weave.expected(row, form, most)
  local cell = tostring(row.expected)
  if cell == "NA" then return "" end
  for word in cell:gmatch("%S+") do
    if not tonumber(word) then return form.text(cell) end
  end
  return values_of(cell, form, most or 6)
end

--- A place in the original; labels in it as names.
function weave.place(text, form)
  local parts, position = {}, 1
  for from, label, to in text:gmatch("()%f[%l](%l+:[%w_-]*%w)()") do
    parts[#parts + 1] = form.text(text:sub(position, from - 1)) .. form.code(label)
    position = to
  end
  return table.concat(parts) .. form.text(text:sub(position))
end

function weave.verdict(verdict, form)
  if form == markup.latex then return "\\vesverdict{" .. verdict .. "}" end
  return string.format('<span class="verdict %s">%s</span>', verdict:gsub(" ", "-"), verdict)
end

local function claims_of(chapter, form)
  local rows = {}
  for i, row in ipairs(chapter.result.claims) do
    local says = form.text(row.says)
    if row.note ~= "NA" then
      local note = form.text(row.note)
      says = says .. " " .. (form == markup.latex and "\\vesnote{" .. note .. "}"
        or '<span class="note">' .. note .. "</span>")
    end
    local anchor = form == markup.latex and "\\hypertarget{claim:" .. row.id .. "}{}" or ""
    rows[i] = { anchor .. form.code(row.id), says, weave.measured(row, form), weave.expected(row, form),
                weave.verdict(row.verdict, form), id = "claim-" .. row.id }
  end
  if #rows == 0 then return "" end
  return heading("Claims", form) .. form.block(form.table { columns = {
    { head = "claim", share = 0.19 }, { head = "says", share = 0.36 }, { head = "measured", share = 0.16 },
    { head = "expected", share = 0.12 }, { head = "verdict", share = 0.17 } }, rows = rows })
end

local function numbers_of(chapter, form)
  local rows = {}
  for i, row in ipairs(chapter.result.numbers) do
    local name, se = row[1], chapter.macro[row[1] .. "SE"]
    local anchor = form == markup.latex and "\\hypertarget{number:" .. name .. "}{}" or ""
    rows[i] = { anchor .. form.code("\\" .. name), form.latex_number(chapter.macro[name]),
                se and form.latex_number(se) or "", id = "number-" .. name }
  end
  if #rows == 0 then return "" end
  return heading("Numbers", form) .. form.block(form.table {
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

local function tables_of(chapter, form)
  local parts, waiting = {}, nil
  local function flush()
    if waiting then parts[#parts + 1] = form.block("\\vesboxes{" .. waiting .. "}{}") end
    waiting = nil
  end
  for _, one in ipairs(chapter.result.tables) do
    local spec, width = abridged(one, form)
    local title = table_title(one, form, #spec.columns)
    if form == markup.html then
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

-- ---- the chapter ----

--- The title of the chapter, and the script without it.
local function take_title(blocks, chapter)
  local first = blocks[1]
  local title = first and first.kind == "prose" and first.lines[1]:match("^# +(.*)$")
  if not title then
    chapter.problems:add("%s: the first line should be the title, `--- # ...`", chapter.script)
    return chapter.result.title
  end
  table.remove(first.lines, 1)
  first.from = first.from + 1
  return title
end

local function chapter_text(chapter, blocks, title, form)
  local parts = {}
  if form == markup.latex then
    local digits = chapter.result.name:match("^(%d+)")
    parts[1] = form.block((digits and string.format("\\setcounter{chapter}{%d}", tonumber(digits) - 1) or "")
      .. "\\vesexperiment{" .. chapter.result.name .. "}{" .. form.text(title) .. "}{"
      .. form.text(chapter.result.title) .. "}")
  else
    parts[1] = '<p class="subtitle">' .. form.text(chapter.result.title) .. "</p>\n"
  end
  parts[2] = facts_of(chapter, form)
  for _, block in ipairs(blocks) do
    parts[#parts + 1] = block.kind == "prose" and prose(block, form, chapter) or code(block)
  end
  parts[#parts + 1] = figures_of(chapter, form)
  parts[#parts + 1] = claims_of(chapter, form)
  parts[#parts + 1] = numbers_of(chapter, form)
  parts[#parts + 1] = parameters_of(chapter, form)
  parts[#parts + 1] = tables_of(chapter, form)
  local text = table.concat(parts, "\n\n") .. "\n"
  if form == markup.html then
    text = string.format("---\ntitle: %q\nname: %q\n---\n\n", title, chapter.result.name) .. text
  end
  return text
end

--- Weaves one experiment; returns the chapter in both forms and raises what is wrong with it.
function weave.chapter(name, dir)
  local chapter = {
    script = "lua/experiments/" .. name .. ".lua", registry = labels.read(), problems = files.problems(),
    result = results.read(dir, name), macro = {},
  }
  for _, macro in ipairs(chapter.result.macros) do chapter.macro[macro.name] = macro.latex end
  local blocks = weave.blocks(files.lines(chapter.script))
  local title = take_title(blocks, chapter)
  local latex = chapter_text(chapter, blocks, title, markup.latex)
  chapter.problems:raise("the chapter " .. name .. " cannot be woven")
  return latex, chapter_text(chapter, blocks, title, markup.html)
end

return setmetatable(weave, { __call = function(_, settings)
  local latex, html = weave.chapter(settings.name, settings.results)
  files.write(settings.out .. "/" .. settings.name .. ".tex.md", latex)
  files.write(settings.out .. "/" .. settings.name .. ".html.md", html)
end })
