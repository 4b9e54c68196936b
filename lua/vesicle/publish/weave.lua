-- weave: an experiment script as a chapter.
--
-- The script's prose and code in their order (prose.lua), and around them what it was run with and what came out
-- (outcome.lua); in a web page also what it takes to run it there (playground.lua). One pass writes Markdown for LaTeX
-- (NAME.tex.md) and for HTML (NAME.html.md). A chapter is a table:
--
--     script     path of the experiment            registry   the labels a tag may name
--     result     what results.read found of it     macro      its numbers by name, as LaTeX
--     tables     what else it wrote                problems   what is wrong with it, collected

local files = require "vesicle.publish.files"
local labels = require "vesicle.publish.labels"
local markup = require "vesicle.publish.markup"
local outcome = require "vesicle.publish.outcome"
local playground = require "vesicle.publish.playground"
local prose = require "vesicle.publish.prose"
local results = require "vesicle.publish.results"

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
    parts[1] = form.block((digits and string.format("\\vesnumbered{%d}", tonumber(digits)) or "")
      .. "\\vesexperiment{" .. chapter.result.name .. "}{" .. form.text(title) .. "}{"
      .. form.text(chapter.result.title) .. "}")
  else
    parts[1] = '<p class="subtitle">' .. form.text(chapter.result.title) .. "</p>\n"
  end
  if form == markup.html then -- what came out first, and a place to play with it
    local figures = outcome.web_figures(chapter)
    table.insert(figures, math.min(2, #figures + 1), playground.chapter(chapter, blocks))
    table.move(figures, 1, #figures, #parts + 1, parts)
  end
  parts[#parts + 1] = outcome.facts(chapter, form)
  for _, block in ipairs(blocks) do
    parts[#parts + 1] = block.kind == "prose" and prose.text(block, form, chapter) or prose.code(block, form)
  end
  if form == markup.latex then parts[#parts + 1] = outcome.figures(chapter, form) end
  parts[#parts + 1] = outcome.claims(chapter, form)
  parts[#parts + 1] = outcome.numbers(chapter, form)
  parts[#parts + 1] = outcome.parameters(chapter, form)
  parts[#parts + 1] = outcome.tables(chapter, form)
  local text = table.concat(parts, "\n\n") .. "\n"
  if form == markup.html then
    text = string.format("---\ntitle: %q\nname: %q\n---\n\n", title, chapter.result.name) .. text
  end
  return text
end

--- Weaves one experiment; returns the chapter in both forms and raises what is wrong with it.
local function weave(name, dir)
  local chapter = {
    script = "lua/experiments/" .. name .. ".lua", registry = labels.read(), problems = files.problems(),
    result = results.read(dir, name), tables = results.tables(dir, name), macro = {},
  }
  for _, macro in ipairs(chapter.result.macros) do chapter.macro[macro.name] = macro.latex end
  local blocks = prose.blocks(files.lines(chapter.script))
  local title = take_title(blocks, chapter)
  local latex = chapter_text(chapter, blocks, title, markup.latex)
  chapter.problems:raise("the chapter " .. name .. " cannot be woven")
  return latex, chapter_text(chapter, blocks, title, markup.html)
end

--- Task `weave`.
return function(settings)
  local latex, html = weave(settings.name, settings.results)
  files.write(settings.out .. "/" .. settings.name .. ".tex.md", latex)
  files.write(settings.out .. "/" .. settings.name .. ".html.md", html)
end
