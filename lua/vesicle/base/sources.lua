-- sources: every file a script has read, by content.
--
-- A result in the journal may be used again only if everything it came from is unchanged: the Lua
-- sources that were loaded and the files that were opened for reading. The program says when a script
-- opens a file, by whatever function (host.on_read), and this module notes the SHA-256 of what is
-- there, or that there is nothing. Files read before an E:replicate call go into its key; files read by a
-- replicate while it runs are noted with its result. What has no content to come back to, such as standard
-- input, is read before or not at all (vesicle.base.heard).

local check = require "vesicle.base.check"
local host = require "vesicle.base.host"

local sources = {}

local noted = {}                         -- in the order of noting: { digest, path }
local known = {}                         -- digest .. path -> true
local facts = {}                         -- other things a replicate looked at: lines of text
local heard                              -- digest of all that was heard, if anything was
local replicating = false                -- whether this process is computing a replicate
local noting = true                      -- whether files that are opened are noted
local elsewhere = { files = {}, missing = {} } -- what worker processes read: sets of paths

--- From now on this process computes replicates.
function sources.replicate() replicating = true end

--- Raises an error in a replicate, which may not read this.
function sources.refuse(what)
  if not replicating then return end
  error("a replicate cannot read " .. what .. ", of which the journal knows nothing: read it before E:replicate", 3)
end

--- Notes what a stream without a content said: values as io.read returns them.
function sources.hear(what, ...)
  local words = { heard or "", what }
  for i = 1, select("#", ...) do
    local word = tostring((select(i, ...)))
    words[#words + 1] = #word .. ":" .. word
  end
  heard = host.sha256(table.concat(words, "\n"))
end

--- Notes a file, or that there is none. A stream cannot be read again and is refused.
function sources.note(path)
  if type(path) ~= "string" then return end
  local digest, place = host.digest(path)
  if digest and not known[digest .. place] then
    known[digest .. place] = true
    noted[#noted + 1] = { digest, place }
  elseif place == "nothing" then
    sources.fact("absent " .. path)
  elseif place == "stream" and host.script then
    error(path .. " is no file: the journal cannot know what it says; copy it into one", 0)
  end
end

--- Notes a fact that a result depends on, as a line of text.
function sources.fact(line)
  if known[line] then return end
  known[line] = true
  facts[#facts + 1] = line
end

--- One digest for the program and all that was noted so far: what counts is content, not place or order.
function sources.code()
  local lines = table.move(facts, 1, #facts, 1, { heard })
  for _, entry in ipairs(noted) do lines[#lines + 1] = entry[1] end
  table.sort(lines)
  return host.sha256(host.build .. "\n" .. table.concat(lines, "\n"))
end

--- A mark; sources.since(mark) is what was noted after it, one line each.
function sources.mark() return { #noted, #facts } end

function sources.since(mark)
  local lines = {}
  for i = mark[1] + 1, #noted do lines[#lines + 1] = noted[i][1] .. "  " .. noted[i][2] end
  for i = mark[2] + 1, #facts do lines[#lines + 1] = facts[i] end
  return table.concat(lines, "\n")
end

--- Takes over what worker processes noted: a list of inputs as sources.since gives it.
function sources.take(inputs)
  for line in inputs:gmatch("[^\n]+") do
    local missing, path = line:match("^absent (.*)$"), line:match("^%x+  (.*)$")
    if missing then elsewhere.missing[missing] = true elseif path then elsewhere.files[path] = true end
  end
end

--- A rule for make: `target`, which is text for make, depends on every file noted so far, here or by workers.
--- Files below the working directory are named from there, so that the rule holds in a copy of the tree; a file
--- that is gone is no error, and one that was looked for and has come into being is a reason to run again.
function sources.rule(target)
  local _, absolute = host.digest(host.script)
  local here = absolute and absolute:sub(-#host.script - 1) == "/" .. host.script
    and absolute:sub(1, -#host.script - 1) or nil
  local files, missing = {}, {}
  local function add(set, path)
    if here and path:sub(1, #here) == here then path = path:sub(#here + 1) end
    if not path:find("\n") then set[path:gsub("[ #:*?%[%]]", "\\%0"):gsub("%$", "$$")] = true end
  end
  for _, entry in ipairs(noted) do add(files, entry[2]) end
  for path in next, elsewhere.files do add(files, path) end
  for path in next, elsewhere.missing do add(missing, path) end
  for _, fact in ipairs(facts) do
    local path = fact:match("^absent (.*)$") or fact:match("^listing %x+ (.*)$")
    if path then add(fact:find("^absent") and missing or files, path) end
  end
  local names, late = check.sorted_keys(files), check.sorted_keys(missing)
  for i, path in ipairs(late) do late[i] = target .. ": $(if $(wildcard " .. path .. "),FORCE)\n" end
  return target .. ": " .. table.concat(names, " \\\n  ") .. "\n\n" .. table.concat(names, ":\n") .. ":\n"
    .. table.concat(late)
end

--- io.open for those who note what they read themselves.
function sources.open(path, mode)
  noting = false
  local file, why = io.open(path, mode)
  noting = true
  return file, why
end

host.on_read(function(path) if noting then sources.note(path) end end)

local list = host.list
function host.list(dir)
  sources.refuse("a directory")
  local names, why = list(dir)
  sources.fact("listing " .. host.sha256(names and table.concat(names, "\0") or "") .. " " .. dir)
  return names, why
end

for name in next, package.loaded do
  local path = package.searchpath(name, package.path)
  if path and name:find("^vesicle%.") then sources.note(path) end
end
sources.note(package.searchpath("vesicle.base.sources", package.path))

return sources
