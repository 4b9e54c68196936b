-- unrepeatable: what a script reads that cannot be read again: standard input, the output of programs, the time.
--
-- A result in the journal depends on it as on a file, but nobody can look again whether it is still the same. So what
-- is read before an E:replicate call goes into its key, text by text; a replicate that reads such a stream, starts a
-- program or asks for the time is an error, and so is an E:replicate after the script itself has asked for the time.
-- The environment, which only a trusted script sees, is noted variable by variable.

local host = require "vesicle.base.host"
local sources = require "vesicle.base.sources"

local streams = setmetatable({ [io.stdin] = "standard input" }, { __mode = "k" }) -- file -> what it is

local methods = getmetatable(io.stdin).__index
local read, lines = methods.read, methods.lines

local function hear(file, ...)
  sources.hear(streams[file], ...)
  return ...
end

function methods.read(file, ...)
  if not streams[file] then return read(file, ...) end
  sources.refuse(streams[file])
  return hear(file, read(file, ...))
end

function methods.lines(file, ...)
  local step = lines(file, ...)
  if not streams[file] then return step end
  sources.refuse(streams[file])
  return function(...) return hear(file, step(...)) end
end

function io.read(...) return io.input():read(...) end -- luacheck: ignore

local time, date, clock = os.time, os.date, os.clock

function os.time(parts) -- luacheck: ignore
  if parts == nil then
    sources.refuse("the time")
    sources.ask "os.time"
  end
  return time(parts)
end

function os.date(form, at) -- luacheck: ignore
  if at == nil then
    sources.refuse("the time")
    sources.ask "os.date"
  end
  return date(form, at)
end

function os.clock() -- luacheck: ignore
  sources.ask "os.clock"
  return clock()
end

if not host.sandboxed then
  local popen, execute, getenv = io.popen, os.execute, os.getenv

  function io.popen(command, ...) -- luacheck: ignore
    sources.refuse("a program")
    local file, why, code = popen(command, ...)
    if file then streams[file] = "a program" end
    return file, why, code
  end

  function os.execute(...) -- luacheck: ignore
    sources.refuse("a program")
    local good, how, code = execute(...)
    sources.hear("a program", good, how, code)
    return good, how, code
  end

  function os.getenv(name) -- luacheck: ignore
    local value = getenv(name)
    sources.fact("variable " .. host.sha256(value or "") .. " " .. name)
    return value
  end
end
