-- attempt: what the escapes share. tests/program/sandbox.sh runs each script of these folders in a directory
-- beside one that holds a secret, and looks for ESCAPED in what it prints, for the secret anywhere, and for anything
-- changed outside.
--
-- The first comment of a script says how it must end: `expect: done` (exit code 0), `error` (1), `memory` (1, and the
-- limit is named) or `timeout` (3, and the limit is named).

local host = require "vesicle.base.host"

local attempt = {
  out = host.out,                        -- where writing is allowed
  secret = "../outside/secret.txt",      -- where nothing is
  outside = "../outside",
}

local where = io.open("where.txt")       -- the directory above both, as an absolute path
attempt.root = where and where:read("l") or ".."
if where then where:close() end
attempt.mark = "escaped_" .. attempt.root:match("[^/]*$"):gsub("%W", "_") -- for directories that others use too

--- Tries one way out: f returns something true if it worked.
function attempt.try(name, f, ...)
  local good, result = pcall(f, ...)
  if good and result then print("ESCAPED", name, result) end
end

--- Tries to read a file by every means of Lua's own.
function attempt.read(path)
  attempt.try("io.open " .. path, function() return assert(io.open(path)):read("a") end)
  attempt.try("io.open rb " .. path, function() return assert(io.open(path, "rb")):read(1) end)
  attempt.try("io.open r+ " .. path, function() return io.open(path, "r+") end)
  attempt.try("io.lines " .. path, function() return io.lines(path)() end)
  attempt.try("io.lines n " .. path, function() return io.lines(path, 1, "a")() end)
  attempt.try("io.input " .. path, function()
    io.input(path)
    return io.read("a")
  end)
end

--- Tries to write a file by every means of Lua's own.
function attempt.write(path)
  for _, mode in ipairs { "w", "a", "r+", "w+", "a+", "wb", "r+b" } do
    attempt.try("io.open " .. mode .. " " .. path, function()
      local file = assert(io.open(path, mode))
      file:write("escaped")
      file:close()
      return true
    end)
  end
  attempt.try("io.output " .. path, function()
    local before = io.output()
    io.output(path)
    io.write("escaped")
    io.close()
    io.output(before)
    return true
  end)
end

function attempt.done() print("done") end

return attempt
