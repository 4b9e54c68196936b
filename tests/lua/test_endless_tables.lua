-- Tables that look like arrays without an end, through an __index that always answers or through an __len of 2^40: no
-- function of the library reads them for ever. Those that are arrays through a metatable, and end, are read.
local lu = require "luaunit"
local ves = require "vesicle"
local array = require "vesicle.base.array"
local crossval = require "vesicle.crossval"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local stats = require "vesicle.stats"

local function experiment(spec)
  spec = spec or {}
  spec.name = "endless"
  return ex.new(spec, { out = "no/such/directory", quiet = true })
end

local function statement(cell, extra)
  local spec = { id = "endless", says = "x", where = "y", kind = "empirical", quantity = "z", criterion = is.below(1),
    cells = { printed = cell } }
  for key, value in pairs(extra or {}) do spec[key] = value end
  return spec
end

local xs = ves.rng(5):uniform(40)

-- name -> { what such an array holds, the function that reads it }
local readers = {
  ["criterion.each"] = { is.below(1), is.each },
  ["criterion.judge"] = { 0.5, function(t) return is.judge(is.each(is.below(1)), t) end },
  ["stats.quantile"] = { 0.5, function(t) return stats.quantile({ 1, 2, 3 }, t) end },
  ["stats.collect"] = { 4, function(t) return stats.collect(t, math.sqrt) end },
  ["stats.summary"] = { ves.vector { 1, 2 }, stats.summary },
  ["stats.jackknife"] = { 1, function(t) return stats.jackknife(function() return t end, ves.matrix(3, 2, 1)) end },
  ["crossval.train"] = { xs, function(t) return crossval.train { x = t, y = xs, rng = ves.rng(1), curves = 4 } end },
  ["crossval.choose"] = { 4, function(t)
    return crossval.choose { x = xs, y = xs, rng = ves.rng(1), curves = t, width = 1, prior = 1, folds = 2,
      progress = false }
  end },
  ["E:table, columns"] = { "x", function(t) return experiment():table("t", t, { { 1 } }) end },
  ["E:table, rows"] = { { 1 }, function(t) return experiment():table("t", { "x" }, t) end },
  ["E:table, a row"] = { 1, function(t) return experiment():table("t", { "x", "y" }, { t }) end },
  ["E:table, a cell"] = { 1, function(t) return experiment():table("t", { "x" }, { { t } }) end },
  ["E:number"] = { "EndlessMean", function(t) return experiment():number(t, { 1, 2 }) end },
  ["E:statement, values"] = { 0.5, function(t) return experiment():statement(statement { t, exact = true }) end },
  ["E:statement, names"] = { "a", function(t)
    local further = { at = t, criterion = is.each(is.below(1)) }
    return experiment():statement(statement({ { 0.5, 0.5 }, exact = true }, further))
  end },
  ["E:statements"] = { statement { 0.5, exact = true }, function(t) return experiment():statements(t) end },
  ["ex.new, a range"] = { "b", function(t)
    return experiment { params = { rule = { "a", range = t } } }
  end },
}

-- Reading on beyond what any function should ask for is the failure that is looked for.
local function answering(value, len)
  local asked = 0
  return {
    __index = function(_, key)
      if math.type(key) == nil then return nil end
      asked = asked + 1
      assert(asked <= 3 * array.most, "still reading")
      return value
    end,
    __len = len,
  }
end

TestEndless = {} -- luacheck: globals TestEndless

for name, reader in pairs(readers) do
  local value, read = reader[1], reader[2]
  TestEndless["test_always_answers: " .. name] = function()
    lu.assertErrorMsgContains("expected", read, setmetatable({}, answering(value)))
  end
  TestEndless["test_claims_a_length: " .. name] = function()
    lu.assertErrorMsgContains("more than 1000000 elements", read,
      setmetatable({ value }, answering(value, function() return 2 ^ 40 end)))
  end
  TestEndless["test_ends_where_it_says: " .. name] = function()
    local good, message = pcall(read, setmetatable({ value, value }, answering(value)))
    lu.assertTrue(good or not tostring(message):find "still reading", message)
  end
end

function TestEndless.test_what_ends_is_read()
  local inherited = setmetatable({}, { __index = { 0, 1 } })
  local sealed = setmetatable({}, { __index = { 0, 1 }, __len = function() return 2 end, __metatable = false })
  for _, t in ipairs { inherited, sealed } do
    lu.assertEquals(array.totable(t), { 0, 1 })
    lu.assertEquals(stats.quantile({ 1, 2, 3 }, t), { 1.0, 3.0 })
    lu.assertEquals(stats.collect(t, function(x) return x + 1 end), ves.vector { 1, 2 })
  end
  local own = {}
  lu.assertTrue(rawequal(array.totable(own), own))
  lu.assertEquals(array.totable(setmetatable({ 1, key = 2 }, { __index = error })), { 1, key = 2 })
end

function TestEndless.test_what_is_no_array_is_refused()
  lu.assertErrorMsgContains("f: element 2 of an array of 3 is missing", array.totable,
    setmetatable({ 1 }, { __len = function() return 3 end }), "f")
  for _, length in ipairs { "3", 0.5, {} } do
    lu.assertErrorMsgContains("f: expected an array, got a table whose length is no whole number", array.totable,
      setmetatable({ 1 }, { __len = function() return length end }), "f")
  end
end

os.exit(lu.LuaUnit.run(), true)
