-- Every call of bad_calls.lua is refused with exactly its message.
local lu = require "luaunit"
local ves = require "vesicle"
local bad_calls = require "bad_calls"

TestBadCalls = {}

local function environment()
  local rng = ves.rng(1)
  local code = ves.code { n = 10, lo = 0, hi = 1, sigma = 0.1 }
  local net = ves.network { input = code, output = code, rng = rng }
  local two = ves.network { input = { code, code }, output = code, rng = rng }
  local env = { ves = ves, rng = rng, code = code, net = net, two = two, Q = ves.release.analytic(net:weights()) }
  return setmetatable(env, { __index = _G })
end

function TestBadCalls.test_there_are_enough()
  lu.assertTrue(#bad_calls >= 150)
end

function TestBadCalls.test_no_call_is_listed_twice()
  local seen = {}
  for _, case in ipairs(bad_calls) do
    lu.assertNil(seen[case[1]], case[1])
    seen[case[1]] = true
  end
end

for i, case in ipairs(bad_calls) do
  TestBadCalls[string.format("test_%03d", i)] = function()
    local call = assert(load("return " .. case[1], "=call", "t", environment()))
    local ok, message = pcall(call)
    lu.assertFalse(ok, case[1])
    lu.assertEquals(message:gsub("^[^:]*:%d+: ", "", 1), case[2], case[1])
  end
end

os.exit(lu.LuaUnit.run(), true)
