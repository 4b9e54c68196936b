-- Every statement and every number of the ledger stands whole in exactly one script, where a search for its name
-- finds it.
local lu = require "luaunit"
local host = require "vesicle.base.host"
local tsv = require "vesicle.table"

local scripts = {}
for _, name in ipairs(host.list("lua/experiments")) do
  local path = "lua/experiments/" .. name
  if name:find("%.lua$") then
    local file = assert(io.open(path))
    scripts[path] = file:read("a")
    file:close()
  end
end

local function names_it(text, name, ways)
  for _, way in ipairs(ways) do
    if text:find(way[1] .. name .. way[2], 1, true) then return true end
  end
  return false
end

--- Every name is in one script. Cells of a statement may be measured by others: `elsewhere` is how they name it.
local function check_names(kind, names, ways, elsewhere)
  lu.assertTrue(#names > 100, kind)
  for _, name in ipairs(names) do
    local found, other = {}, nil
    for path, text in pairs(scripts) do
      if names_it(text, name, ways) then found[#found + 1] = path end
      other = other or elsewhere and names_it(text, name, elsewhere)
    end
    lu.assertTrue(#found == 1 or #found == 0 and other,
      string.format("scripts that name the %s %s: %s", kind, name, table.concat(found, ", ")))
  end
end

local claims, numbers = {}, {}
for _, row in ipairs(assert(tsv.read("tests/expected/full.tsv"))) do
  if row.kind == "claim" then claims[#claims + 1] = row.name:match("^[^/]*") end
  if row.kind == "number" then numbers[#numbers + 1] = row.name:match("\\(%a+)$") end
end

TestNames = {} -- luacheck: globals TestNames

function TestNames.test_claims()
  check_names("claim", claims, { { 'id = "', '"' } }, { { 'statement = "', '"' } })
end

--- What restates a fact names a statement, which states it itself.
function TestNames.test_facts()
  local states = {}
  for _, text in pairs(scripts) do for id in text:gmatch('id = "([%l%d-]+)"') do states[id] = true end end
  local restated = 0
  for path, text in pairs(scripts) do
    for fact in text:gmatch('fact = "([^"]*)"') do
      restated = restated + 1
      lu.assertTrue(states[fact], path .. ": fact = \"" .. fact .. "\" is no statement")
    end
  end
  lu.assertTrue(restated > 0)
end

function TestNames.test_numbers() check_names("number", numbers, { { '"', '"' } }) end

os.exit(lu.LuaUnit.run())
