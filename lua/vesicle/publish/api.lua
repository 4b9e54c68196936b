-- api: the reference of the Lua interface, from the comments above the binding functions.
--
-- vesicle.prompt.apidoc says what such a comment looks like. Files follow one another as the module opens them.

local apidoc = require "vesicle.prompt.apidoc"
local files = require "vesicle.publish.files"
local labels = require "vesicle.publish.labels"
local markup = require "vesicle.publish.markup"

local api = {}

--- The documented functions of one source, in its order.
api.parse = apidoc.parse

--- What a source is about: the sentence after its name in the opening comment.
local function about(lines)
  local text = table.concat(lines, "\n", 1, math.min(8, #lines))
  local sentence = text:match("^/%* [%w_]+: (.-)[.\n]") or text:match("^%-%- [%w_]+: (.-)[.\n]")
  return sentence and (sentence:gsub("^%l", string.upper)) or nil
end

--- The binding sources in the order in which the module opens them, the others after them; then the Lua library.
local function sources()
  local order, seen = {}, {}
  local bindings, path_of = files.paths({ "csrc/lua", "csrc/lua/io" }, "^lves_.*%.c$"), {}
  for _, path in ipairs(bindings) do path_of[path:match("[^/]*$")] = path end
  local function add(name)
    if seen[name] or not path_of[name] then return end
    seen[name] = true
    order[#order + 1] = path_of[name]
  end
  for name in files.read("csrc/lua/lves_vesicle.c"):gmatch("lves_open_(%l+)%(L%)") do
    add("lves_" .. name .. ".c")
    if name == "vector" then add("lves_stats.c") add("lves_elementwise.c") add("lves_pick.c") end
    if name == "network" then add("lves_inputs.c") add("lves_beta.c") add("lves_save.c") end
  end
  for _, path in ipairs(bindings) do add(path:match("[^/]*$")) end
  local library = { "lua/vesicle", "lua/vesicle/experiment", "lua/vesicle/model", "lua/vesicle/prompt" }
  for _, path in ipairs(files.paths(library, "%.lua$")) do order[#order + 1] = path end
  return order
end

--- Plain text with `code` and tags, as Markdown.
local function sentences(text, form, problems, where)
  local registry = api.registry
  local parts, inside = {}, false
  for part in (text .. "`"):gmatch("([^`]*)`") do
    if inside then
      parts[#parts + 1] = "`" .. part .. "`"
    else
      part = part:gsub("%[(%l+:[%w_-]+)%]", "\1%1\2")
      part = markup.html.text((part:gsub("%$", ""))):gsub("\1([^\2]*)\2", function(label)
        label = label:gsub("\\", "")
        if not registry[label] then problems:add("%s: the tag [%s] names nothing in %s", where, label, labels.path) end
        return form.inline(form.tag(label))
      end)
      parts[#parts + 1] = part
    end
    inside = not inside
  end
  return table.concat(parts)
end

local function item(text, form, problems, where)
  local name, rest = text:match("^([%w_]+) (.*)$")
  if not name then return sentences(text, form, problems, where) end
  return "`" .. name .. "`  " .. sentences(rest, form, problems, where)
end

local titles = { { "equation", "Equation" }, { "param", "Arguments" }, { "key", "Keys of the table" },
                 { "return", "Returns" }, { "field", "Fields" } }

--- A formula stands as code, its tag behind it.
local function equation(text, form, problems, where)
  local formula, tags = text:match("^(.-)%s*(%[%l+:[^%]]*%])$")
  if not formula then return "`" .. text .. "`" end
  return "`" .. formula .. "`  " .. sentences(tags, form, problems, where)
end

local function entry_text(entry, form, problems, where)
  local parts = { form == markup.latex and form.block("\\vessignature{" .. markup.latex.code(entry.signature) .. "}")
    or "### `" .. entry.signature .. "`" }
  parts[#parts + 1] = sentences(entry.text[1], form, problems, where)
  for _, kind in ipairs(titles) do
    local list = entry[kind[1]]
    local shown = kind[1] == "return" and sentences or kind[1] == "equation" and equation or item
    if #list == 1 then
      parts[#parts + 1] = "*" .. kind[2] .. ":* " .. shown(list[1], form, problems, where)
    elseif #list > 1 then
      local lines = { "*" .. kind[2] .. ":*", "" }
      for _, text in ipairs(list) do lines[#lines + 1] = "- " .. shown(text, form, problems, where) end
      parts[#parts + 1] = table.concat(lines, "\n")
    end
  end
  if #entry.example > 0 then parts[#parts + 1] = form.lines(entry.example) end
  return table.concat(parts, "\n\n")
end

function api.text(form)
  api.registry = labels.read()
  local parts, problems = {}, files.problems()
  if form == markup.latex then
    parts[1] = form.block("\\chapter{The Lua interface}\\vesanchor{api}\\begingroup\\vesapi")
  else
    parts[1] = "---\ntitle: The Lua interface\nname: api\n---\n"
  end
  parts[2] = "`local ves = require \"vesicle\"`. Indices count from 1, a plain Lua array is accepted wherever a vector "
    .. "is, and an unknown key, a missing key, a wrong type or a value out of range is an error that names the "
    .. "function, the key, the value and what was expected. This reference is generated from the comments above the "
    .. "functions in `csrc/lua` and `lua/vesicle`, as is `help()` at the prompt; a test runs every example."
  for _, name in ipairs(sources()) do
    local lines = files.lines(name)
    local entries = api.parse(lines)
    if #entries > 0 then
      if form == markup.latex then parts[#parts + 1] = form.block("\\needspace{9\\baselineskip}") end
      parts[#parts + 1] = "## " .. (about(lines) or name)
      for _, entry in ipairs(entries) do
        parts[#parts + 1] = entry_text(entry, form, problems, name .. ", " .. entry.signature)
      end
    end
  end
  problems:raise("the API reference cannot be written")
  if form == markup.latex then parts[#parts + 1] = form.block("\\endgroup") end
  return table.concat(parts, "\n\n") .. "\n"
end

return setmetatable(api, { __call = function(_, settings)
  files.write(settings.out .. "/api.tex.md", api.text(markup.latex))
  files.write(settings.out .. "/api.html.md", api.text(markup.html))
end })
