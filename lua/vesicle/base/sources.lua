-- sources: every file a script has read, by content.
--
-- A result in the journal may be used again only if everything it came from is unchanged: the Lua
-- sources that were loaded and the files that were opened for reading. The program says when a script
-- opens a file, by whatever function (host.on_read), and keeps the list of them with their SHA-256
-- (host.note), from which nothing can be taken; that there is nothing where a script looked is noted here. The program
-- puts files read before an E:replicate call into its key, and those read by a replicate while it runs beside its
-- result. What cannot be read again, such as standard input, is read before or not at all
-- (vesicle.base.unrepeatable).

local check = require "vesicle.base.check"
local host = require "vesicle.base.host"

local sources = {}

local noted = {}                         -- paths of files, for make; the program has its own list
local known = {}                         -- path or fact -> true
local facts = {}                         -- other things that were looked at: lines of text
local heard                              -- digest of what was read and cannot be read again, if anything was
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

local asked                              -- how the script asked for the time, if it did

--- Notes that the script asks for the time, with this function.
function sources.ask(how)
  if not replicating then asked = asked or how end
end

--- Raises an error if the script has asked for the time, which nobody can look at again: what a replicate computes may
--- depend on it. A trusted script is trusted to know.
function sources.check_time(where)
  if not (asked and host.sandboxed) then return end
  error(where .. ": the script has called " .. asked
    .. "() before: results would depend on the time, of which the journal "
    .. "knows nothing. Make it a parameter (ex.new { params = ... }, then --set), or ask after the last E:replicate", 3)
end

--- Notes what came from a stream that cannot be read again: values as io.read returns them.
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
  local digest, place = host.note(path)
  if digest and not known[place] then
    known[place] = true
    noted[#noted + 1] = place
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

local digest_of = host.digest

if digest_of then
  function host.digest(path) -- it tells what is in a file, too
    local digest, place = digest_of(path)
    if place ~= "stream" then sources.note(path) end
    return digest, place
  end
end

--- One digest for the program and all facts so far; that of the files the program adds.
function sources.code()
  local lines = table.move(facts, 1, #facts, 1, { heard })
  table.sort(lines)
  return host.sha256(host.build .. "\n" .. table.concat(lines, "\n"))
end

--- A mark; sources.since(mark) are the facts noted after it, one line each.
function sources.mark() return #facts end

function sources.since(mark) return table.concat(facts, "\n", mark + 1) end

--- Takes over what worker processes noted: a list of inputs as sources.since gives it.
function sources.take(inputs)
  for line in inputs:gmatch("[^\n]+") do
    local missing, path = line:match("^absent (.*)$"), line:match("^%x+  (.*)$")
    if missing then elsewhere.missing[missing] = true end
    local digest, place = digest_of(path or "")
    if path then elsewhere.files[digest and place or path] = true end
  end
end

--- For make: the files noted so far, here or by workers, and those looked for in vain, as two arrays.
function sources.files()
  local files, missing = {}, {}
  for _, path in ipairs(noted) do files[path] = true end
  for path in next, elsewhere.files do files[path] = true end
  for path in next, elsewhere.missing do missing[path] = true end
  for _, fact in ipairs(facts) do
    local absent, listed = fact:match("^absent (.*)$"), fact:match("^listing %x+ (.*)$")
    if absent then missing[absent] = true elseif listed then files[listed] = true end
  end
  return check.sorted_keys(files), check.sorted_keys(missing)
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
  if name:find("^vesicle%.") then sources.note((package.searchpath(name, package.path))) end
end
sources.note(package.searchpath("vesicle.base.sources", package.path))

return sources
