-- playground: what the pages need to run experiments in the browser, as data. The pages are whole without it.
--
-- A page has one element of JSON, #play-data, which is read by the scripts of paper/site/ if the runtime is there: for
-- a chapter its script, the blocks of code in it that can be edited, its figures, the parameters it declares, its
-- published numbers, the other chapters of its number, and how long it took at full scale; for the page of one's own
-- scripts the examples of docs/tutorial.md.

local committed = require "vesicle.publish.committed"
local declared = require "vesicle.publish.declared"
local files = require "vesicle.publish.files"
local json = require "vesicle.publish.metadata.json"
local results = require "vesicle.publish.results"

local playground = {}

--- JSON inside a page: no text in it may end the element.
local function element(value)
  return '\n<script type="application/json" id="play-data">\n' .. json.encode(value):gsub("</", "<\\/") .. "</script>\n"
end

-- ---- chapters ----

local function parameters(path)
  local list = {}
  for i, p in ipairs(declared(path)) do
    list[i] = json.object("name", p.name, "kind", p.kind, "full", p.full, "quick", p.quick, "about", p.about,
      "range", p.range)
  end
  return list
end

--- Other chapters of the same number: a parameter that is changed here can be carried there.
local function parts(name)
  local list, number = {}, name:match("^%d+")
  for _, other in ipairs(results.experiments()) do
    if other ~= name and number and other:match("^%d+") == number then
      local names = {}
      for i, p in ipairs(declared("lua/experiments/" .. other .. ".lua")) do names[i] = p.name end
      list[#list + 1] = json.object("name", other, "title", results.title(other), "parameters", names)
    end
  end
  return list
end

function playground.chapter(chapter, blocks)
  local name, code, numbers = chapter.result.name, {}, {}
  for i, row in ipairs(chapter.result.numbers) do
    numbers[i] = json.object("name", row[1], "value", row[2], "se", row[3])
  end
  for _, block in ipairs(blocks) do
    if block.kind == "code" then code[#code + 1] = json.object("from", block.from, "count", #block.lines) end
  end
  return '\n<div id="play" hidden></div>\n' .. element(json.object(
    "kind", "chapter", "name", name, "script", chapter.script, "scale", chapter.result.facts.scale,
    "seed", chapter.result.facts.seed, "seconds", committed.timings()[name], "figures", results.figures(name),
    "parameters", parameters(chapter.script), "numbers", numbers, "parts", parts(name),
    "blocks", code, "source", files.read(chapter.script)))
end

-- ---- examples ----

local begin = [[
local ves = require "vesicle"
rng = ves.rng(20211118):stream("prompt")
]]

--- The lines of a prompt as a script: what the prompt would show is printed.
local function as_script(lines)
  local text, statement = {}, {}
  for _, line in ipairs(lines) do
    statement[#statement + 1] = line
    local whole = table.concat(statement, "\n")
    if load(whole) or load("return " .. whole) then
      local shown = load("return " .. whole:gsub("%s*%-%-.*$", "")) and not whole:find("^%s*$")
        and not whole:find("^ves%.plot")
      text[#text + 1] = shown and "print(" .. whole .. ")" or whole
      statement = {}
    end
  end
  return table.concat(text, "\n")
end

--- The blocks of the tutorial: those of the prompt, section by section, each with all that came before it; and the
--- experiment it ends with, with its figure.
function playground.examples()
  local examples, prompt, heading, block = {}, {}, "", nil
  local written = {}
  for _, line in ipairs(files.lines("docs/tutorial.md")) do
    if block and line == "```" then
      if block.kind == "lua" then
        local last = examples[#examples]
        table.move(block, 1, #block, #prompt + 1, prompt)
        prompt[#prompt + 1] = ""
        if not last or last.title ~= heading then
          last = { title = heading }
          examples[#examples + 1] = last
        end
        last.script = begin .. "\n" .. as_script(prompt):gsub("\n+$", "") .. "\n"
      elseif block.file then
        written[block.kind] = { path = block.file, text = table.concat(block, "\n") .. "\n" }
      end
      block = nil
    elseif block then
      block[#block + 1] = line
    elseif line:find("^```") then
      local kind, rest = line:match("^```(%l*) ?(.*)$")
      local file = rest:match("file=(%S+)")
      block = { kind = rest == "" and kind or file and kind .. " file" or "other", file = file }
    else
      heading = line:match("^## %d+%. (.*)$") or heading
    end
  end
  local experiment, figure = written["lua file"], written["gnuplot file"]
  if not experiment or not figure then
    files.stop(1, "docs/tutorial.md: no block writes an experiment and its figure")
  end
  local list = {}
  for i, one in ipairs(examples) do list[i] = json.object("title", one.title, "script", one.script) end
  list[#list + 1] = json.object("title", "An experiment, with its figure", "script", experiment.text,
    "figure", figure.text)
  return list
end

function playground.own()
  return '\n<div id="own" hidden></div>\n' .. element(json.object("kind", "own", "examples", playground.examples()))
end

function playground.front()
  return '\n<div id="model" hidden></div>\n' .. element(json.object("kind", "front"))
end

return playground
