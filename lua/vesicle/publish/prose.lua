-- prose: the text of an experiment script, as Markdown for LaTeX or for HTML.
--
-- Lines that begin with three dashes are prose, Markdown with LaTeX mathematics; all others are code. In prose, a tag
-- such as [eq:mapping] becomes a link to the trace matrix, and the macro of a number that the experiment itself
-- produced becomes that number.

local check = require "vesicle.base.check"
local labels = require "vesicle.publish.labels"
local markup = require "vesicle.publish.markup"

local prose = {}

--- Splits a script into blocks { kind = "prose"|"code", from = line, lines = }. Blank lines at the ends
--- of code are dropped.
function prose.blocks(lines)
  local blocks, block = {}, nil
  for i, line in ipairs(lines) do
    local text = not line:find("^%-%-%-%-") and line:match("^%-%-%-%s?(.*)$")
    local kind = text and "prose" or "code"
    if not block or block.kind ~= kind then
      block = { kind = kind, from = i, lines = {} }
      blocks[#blocks + 1] = block
    end
    block.lines[#block.lines + 1] = text or line
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

--- What a piece of prose may name, with the place of a problem: its tags and the macros of the experiment's numbers.
local function names_in(block, chapter)
  local where = chapter.script .. ":" .. block.from
  local names = {}

  function names.check_tag(label)
    if not chapter.registry[label] then
      chapter.problems:add("%s: the tag [%s] names nothing in %s", where, label, labels.path)
    end
  end

  --- The text with replace(name, value) in place of each macro; what looks like none is LaTeX's and stays.
  function names.replace_macros(s, replace)
    return (s:gsub("\\(%u%a*)", function(name)
      if not name:find("^%u%l*%u") then return nil end
      local value = chapter.macro[name]
      if not value then
        chapter.problems:add("%s: \\%s is no number of this experiment%s", where, name,
          check.suggestion(name, check.sorted_keys(chapter.macro)))
      end
      return replace(name, value or "")
    end))
  end
  return names
end

--- Text: tags become links, macros become numbers.
local function plain_text(s, form, names)
  s = s:gsub("%[(%l+:[%w_, :-]+)%]", function(inner)
    local tags = {}
    labels.each("[" .. inner .. "]", function(label)
      names.check_tag(label)
      tags[#tags + 1] = form.inline(form.tag(label))
    end)
    return #tags > 0 and table.concat(tags, " ") or nil
  end)
  return names.replace_macros(s, function(_, value) return form.inline(form.latex_number(value)) end)
end

--- A formula: its tag, `\quad\text{[eq:name]}` at its end, becomes a link beside it; LaTeX knows the macros itself.
local function formula(s, form, names)
  local before = {}
  s = s:gsub("%s*\\q?quad%s*\\text{%s*%[(%l+:[%w_-]+)%]%s*}", function(label)
    names.check_tag(label)
    if form == markup.latex then return " \\tag*{" .. form.tag(label) .. "}" end
    before[#before + 1] = '<span class="eqtag">' .. form.tag(label) .. "</span>"
    return ""
  end)
  return table.concat(before) .. names.replace_macros(s, function(name, value)
    return form == markup.latex and "\\" .. name or value:gsub("^\\ensuremath{(.*)}$", "{%1}")
  end)
end

--- A tag right behind a displayed equation is the equation's: it moves into it.
local function tag_displays(all)
  for i, segment in ipairs(all) do
    local follower = all[i + 1]
    if segment[1] == "display" and follower and follower[1] == "text" then
      follower[2] = follower[2]:gsub("^(%s*)%[(%l+:[%w_-]+)%]", function(space, label)
        segment[2] = segment[2]:gsub("%$%$$", " \\quad\\text{[" .. label .. "]}$$")
        return space
      end)
    end
  end
end

--- One prose block as Markdown of the target.
function prose.text(block, form, chapter)
  local all, names, parts = segments(table.concat(block.lines, "\n")), names_in(block, chapter), {}
  tag_displays(all)
  for i, segment in ipairs(all) do
    local kind, s = segment[1], segment[2]
    parts[i] = kind == "text" and plain_text(s, form, names) or kind == "code" and s or formula(s, form, names)
  end
  return table.concat(parts)
end

local widest = 120                      -- columns of code that fit a line of the supplement

--- One block of code, with the line numbers of the script. In a web page line 30 of the block that begins with line 27
--- is #code27-30. LaTeX takes longer where it may break lines.
function prose.code(block, form)
  local code, wide = form.lines(block.lines, block.from), false
  for _, line in ipairs(block.lines) do wide = wide or #line > widest end
  if not wide or form == markup.html then return code end
  return form.block("\\fvset{breaklines=true}") .. code .. form.block("\\fvset{breaklines=false}")
end

--- The place in a web page of the first line of the script that has this text; nil if there is none.
function prose.place(lines, text)
  for _, block in ipairs(prose.blocks(lines)) do
    for i, line in ipairs(block.kind == "code" and block.lines or {}) do
      if line:find(text, 1, true) then return string.format("code%d-%d", block.from, block.from + i - 1) end
    end
  end
end

return prose
