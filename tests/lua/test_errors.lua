-- The scientific errors of tests/mutants/errors.lua can still be made: the text that each replaces stands once in the
-- tree. `make errors` makes them, and takes an hour; a file that moved is to be noticed here.
local lu = require "luaunit"

TestErrors = {}

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

--- All scripts of a folder as one text, or a file.
local function text_of(path)
  if not path:match("/$") then return read(path) end
  local list <close>, texts = assert(io.popen("ls '" .. path .. "'")), {}
  for name in list:lines() do if name:match("%.lua$") then texts[#texts + 1] = read(path .. name) end end
  return table.concat(texts)
end

function TestErrors.test_each_has_one_place()
  local places = {}
  for _, e in ipairs(dofile "tests/mutants/errors.lua") do
    local _, count = text_of(e.file):gsub(e.from:gsub("%p", "%%%0"), "")
    if count ~= 1 then places[#places + 1] = string.format("%s: %d places in %s", e.name, count, e.file) end
  end
  lu.assertEquals(table.concat(places, "\n"), "")
end

os.exit(lu.LuaUnit.run())
