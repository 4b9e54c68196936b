-- sources: every file a script has read, by content.
--
-- A result in the journal may be used again only if everything it came from is unchanged: the Lua
-- sources that were loaded and the files that were opened for reading. This module watches the doors
-- (require, loadfile, dofile, io.open, io.lines, io.input, and the readers of `vesicle` itself) and
-- notes the SHA-256 of what passes. Files read before an E:replicate call go into its key; files read
-- by a replicate while it runs are noted with its result.

local host = require "vesicle.base.host"

local sources = {}

local noted = {}                         -- in the order of noting: { digest, path }
local known = {}                         -- digest .. path -> true
local facts = {}                         -- other things a replicate looked at: lines of text

--- Notes a file, if it is one. Things without a content (terminals, pipes) are passed over.
function sources.note(path)
  if type(path) ~= "string" then return end
  local digest, absolute = host.digest(path)
  if not digest or known[digest .. absolute] then return end
  known[digest .. absolute] = true
  noted[#noted + 1] = { digest, absolute }
end

--- Notes a fact that a result depends on, as a line of text.
function sources.fact(line)
  if known[line] then return end
  known[line] = true
  facts[#facts + 1] = line
end

--- The digests and facts noted so far, sorted: what counts is content, not place or order.
function sources.digests()
  local digests = {}
  for i, entry in ipairs(noted) do digests[i] = entry[1] end
  table.move(facts, 1, #facts, #digests + 1, digests)
  table.sort(digests)
  return digests
end

--- A mark; sources.since(mark) is what was noted after it, one line each.
function sources.mark() return { #noted, #facts } end

function sources.since(mark)
  local lines = {}
  for i = mark[1] + 1, #noted do lines[#lines + 1] = noted[i][1] .. "  " .. noted[i][2] end
  for i = mark[2] + 1, #facts do lines[#lines + 1] = facts[i] end
  return table.concat(lines, "\n")
end

-- ---- the doors ----

sources.open = io.open                   -- for those who note what they read themselves

local function watch(library, name, is_reading)
  local original = library[name]
  if type(original) ~= "function" then return end
  library[name] = function(path, ...)
    if is_reading == nil or is_reading(...) then sources.note(path) end
    return original(path, ...)
  end
end

--- The same for a reader of `vesicle`, whose errors name the line of its caller: this one's, not ours.
local function watch_reader(name)
  local library = require "vesicle"
  local original = rawget(library, name)
  library[name] = function(path, ...)
    sources.note(path)
    local results = table.pack(pcall(original, path, ...))
    if not results[1] then error(results[2], 2) end
    return table.unpack(results, 2, results.n)
  end
end

local function reads(mode) return mode == nil or tostring(mode):find("^r") ~= nil end

watch(io, "open", reads)
watch(io, "lines")
watch(io, "input")
watch(_G, "loadfile")
watch(_G, "dofile")
watch_reader "load"
watch_reader "read_table"
watch_reader "read_npy"

local search = package.searchers[2]
package.searchers[2] = function(name)
  local loader, path = search(name)
  if type(loader) == "function" then sources.note(path) end
  return loader, path
end

for name in next, package.loaded do
  local path = package.searchpath(name, package.path)
  if path and name:find("^vesicle%.") then sources.note(path) end
end
sources.note(package.searchpath("vesicle.base.sources", package.path))

return sources
