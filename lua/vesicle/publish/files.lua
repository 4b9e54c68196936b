-- files: whole files and tables in, whole files out, and the list of problems a task ends with.

local host = require "vesicle.base.host"
local tsv = require "vesicle.table"

local files = {}

function files.stop(code, message) error({ exit_code = code, message = message }, 0) end

function files.exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

--- The bytes of a file; a missing one ends the task with a message.
function files.read(path)
  local file, why = io.open(path, "rb")
  if not file then files.stop(1, why) end
  local text = file:read("a")
  file:close()
  return text
end

function files.lines(path)
  local lines = {}
  for line in (files.read(path):gsub("\n$", "") .. "\n"):gmatch("([^\n]*)\n") do lines[#lines + 1] = line end
  return lines
end

--- The rows of a table, keyed by column.
function files.rows(path)
  local rows, why = tsv.read(path)
  if not rows then files.stop(1, why) end
  return rows
end

--- Writes a file under a temporary name, then renames it.
function files.write(path, text)
  local file, why = io.open(path .. ".part", "wb")
  if not file then files.stop(1, why) end
  local good, problem = file:write(text)
  if good then good, problem = file:close() end
  if good then good, problem = os.rename(path .. ".part", path) end
  if not good then files.stop(1, path .. ": " .. tostring(problem)) end
end

--- The names in a directory that match a pattern, sorted.
function files.list(dir, pattern)
  local names, why = host.list(dir)
  if not names then files.stop(1, why) end
  local found = {}
  for _, name in ipairs(names) do
    if name:find(pattern) then found[#found + 1] = name end
  end
  return found
end

--- The paths of the files in these folders whose names match a pattern, folder by folder, sorted.
function files.paths(folders, pattern)
  local found = {}
  for _, dir in ipairs(folders) do
    for _, name in ipairs(files.list(dir, pattern)) do found[#found + 1] = dir .. "/" .. name end
  end
  return found
end

--- Problems are collected and reported together, one line each.
local Problems = {}
Problems.__index = Problems

function files.problems() return setmetatable({}, Problems) end

function Problems:add(format, ...)
  self[#self + 1] = string.format(format, ...)
end

--- Ends the task if there are any; `what` says what could not be done.
function Problems:raise(what)
  if #self == 0 then return end
  local most = 20
  local shown = table.concat(self, "\n  ", 1, math.min(#self, most))
  files.stop(1, what .. ":\n  " .. shown .. (#self > most and string.format("\n  and %d more", #self - most) or ""))
end

return files
