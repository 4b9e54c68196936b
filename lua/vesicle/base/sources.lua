-- sources: every file a script has read, by content.
--
-- A result in the journal may be used again only if everything it came from is unchanged: the Lua
-- sources that were loaded and the files that were opened for reading. The program says when a script
-- opens a file, by whatever function (host.on_read), and this module notes the SHA-256 of what is
-- there. Files read before an E:replicate call go into its key; files read by a replicate while it runs
-- are noted with its result.

local host = require "vesicle.base.host"

local sources = {}

local noted = {}                         -- in the order of noting: { digest, path }
local known = {}                         -- digest .. path -> true
local facts = {}                         -- other things a replicate looked at: lines of text
local noting = true                      -- whether files that are opened are noted

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

--- One digest for the program and all that was noted so far: what counts is content, not place or order.
function sources.code()
  local lines = table.move(facts, 1, #facts, 1, {})
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

--- A rule for make: `target`, which is text for make, depends on every file noted so far. Files below the
--- working directory are named from there, so that the rule holds in a copy of the tree; a file that is gone
--- is no error. What only worker processes read is not known here.
function sources.rule(target)
  local _, absolute = host.digest(host.script)
  local here = absolute and absolute:sub(-#host.script - 1) == "/" .. host.script
    and absolute:sub(1, -#host.script - 1) or nil
  local names = {}
  for _, entry in ipairs(noted) do
    local path = entry[2]
    if here and path:sub(1, #here) == here then path = path:sub(#here + 1) end
    if not path:find("\n") then names[#names + 1] = path:gsub("[ #:*?%[%]]", "\\%0"):gsub("%$", "$$") end
  end
  table.sort(names)
  return target .. ": " .. table.concat(names, " \\\n  ") .. "\n\n" .. table.concat(names, ":\n") .. ":\n"
end

--- io.open for those who note what they read themselves.
function sources.open(path, mode)
  noting = false
  local file, why = io.open(path, mode)
  noting = true
  return file, why
end

host.on_read(function(path) if noting then sources.note(path) end end)

for name in next, package.loaded do
  local path = package.searchpath(name, package.path)
  if path and name:find("^vesicle%.") then sources.note(path) end
end
sources.note(package.searchpath("vesicle.base.sources", package.path))

return sources
