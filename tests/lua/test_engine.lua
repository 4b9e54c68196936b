-- The engine's parts: results as bytes and back, digests, the search for what a function can see.
local lu = require "luaunit"
local ves = require "vesicle"
local host = require "vesicle.base.host"
local reach = require "vesicle.experiment.reach"

local function fails(pattern, f, ...) lu.assertErrorMsgMatches(".*" .. pattern .. ".*", f, ...) end

TestPack = {} -- luacheck: globals TestPack

local function bits(x) return string.pack("<d", x) end

local function round_trip(value) return host.unpack(host.pack(value)) end

function TestPack.test_scalars_keep_type_and_bits()
  for _, x in ipairs { 0, 1, -1, math.maxinteger, math.mininteger, 0.5, 1e300, 5e-324, math.huge,
                       -math.huge, 3.0 } do
    lu.assertEquals(round_trip(x), x)
    lu.assertEquals(math.type(round_trip(x)), math.type(x))
  end
  lu.assertEquals(bits(round_trip(-0.0)), bits(-0.0))
  local odd_nan = string.unpack("<d", "\1\2\3\4\5\6\xf8\x7f")
  lu.assertEquals(bits(round_trip(odd_nan)), "\1\2\3\4\5\6\xf8\x7f")
  for _, x in ipairs { "", "text", "zero\0inside", ("x"):rep(100000), true, false } do
    lu.assertEquals(round_trip(x), x)
  end
end

function TestPack.test_arrays()
  local v, m = round_trip(ves.vector { 1, 2.385, -3 }), round_trip(ves.matrix { { 1, 2 }, { 3, 4 }, { 5, 6 } })
  lu.assertEquals(v:totable(), { 1.0, 2.385, -3.0 })
  lu.assertEquals({ #m, m[3][1], m[2][2] }, { 3, 5.0, 4.0 })
  lu.assertEquals(round_trip(ves.matrix { { 1, 2 }, { 3, 4 } }:row(2)):totable(), { 3.0, 4.0 })
end

function TestPack.test_tables()
  local t = { 10, 20, { "deep", { x = 1.5 } }, name = "n", [2.5] = true, [-1] = "minus", [true] = 1,
              [false] = 0, [5] = "after a gap" }
  lu.assertEquals(round_trip(t), t)
  lu.assertEquals(round_trip {}, {})
end

function TestPack.test_one_value_one_sequence_of_bytes()
  local names = {}
  for i = 1, 200 do names[i] = "key" .. i * 7919 % 200 end
  local up, down = {}, {}
  for i = 1, 200 do up[names[i]] = i % 10 end
  for i = 200, 1, -1 do down[names[i]] = up[names[i]] end
  down.extra = 1
  down.extra = nil
  lu.assertEquals(host.pack(up), host.pack(down))
  local a, b = {}, {}
  for i = 1, 50 do a[i] = i end
  for i = 50, 1, -1 do b[i] = i end
  lu.assertEquals(host.pack(a), host.pack(b))
end

function TestPack.test_refusals_name_the_place()
  fails("the result is a function", host.pack, print)
  fails("the result%.fit%.f is a function", host.pack, { fit = { f = print } })
  fails("the result%[2%]%.x is a thread", host.pack, { 1, { x = coroutine.create(print) } })
  fails("the result is a table with a metatable", host.pack, setmetatable({}, {}))
  fails("the result%.s is a ves%.stream", host.pack, { s = ves.rng(1) })
  fails("a key that is neither number, string nor boolean", host.pack, { [{}] = 1 })
  local loop = {}
  loop[1] = loop
  fails("nested deeper than 100", host.pack, loop)
end

--- One field alone is what the whole has there; where there is none, nil.
function TestPack.test_a_field_is_read_alone()
  local value = {
    10, 20, { deep = "yes" }, a = 1.5, b = { c = ves.vector { 1, 2 }, d = false, ["1"] = "text" }, empty = {},
    m = ves.matrix { { 1, 2 }, { 3, 4 } }, [7] = "seven", [true] = "boolean",
  }
  local bytes = host.pack(value)
  local function field(path) return host.unpack(bytes, path) end
  lu.assertEquals(field("1"), 10)
  lu.assertEquals(field("3.deep"), "yes")
  lu.assertEquals(field("a"), 1.5)
  lu.assertTrue(field("b.c") == value.b.c and field("m") == value.m)
  lu.assertEquals(field("b.d"), false)
  lu.assertEquals(field("b.1"), "text")  -- a key that is a text comes before a place
  lu.assertEquals(field("empty"), {})
  lu.assertEquals(field("b..c."), value.b.c)
  lu.assertEquals(field("").a, 1.5)
  for _, path in ipairs { "4", "0", "x", "a.b", "b.c.1", "7", "true", "b.e", "3.deep.x", "99999999999", "a\0", "-1" } do
    lu.assertNil(field(path), path)
  end
end

function TestPack.test_malformed_bytes_are_refused()
  local good = host.pack { 1, "two", { v = ves.vector { 3 }, m = ves.matrix { { 1, 2 } } }, true }
  for length = 0, #good - 1 do
    lu.assertFalse((pcall(host.unpack, good:sub(1, length))), "cut to " .. length)
    lu.assertFalse((pcall(host.unpack, good:sub(1, length), "none")), "cut to " .. length)
  end
  fails("malformed", host.unpack, good .. "N")
  local rng = ves.rng(5):stream("malformed")
  for k = 1, 3000 do
    local r = rng:stream(k)
    local at = math.tointeger(r:uniform() * #good // 1) + 1
    local byte = math.tointeger(r:uniform() * 256 // 1)
    local broken = good:sub(1, at - 1) .. string.char(byte) .. good:sub(at + 1)
    pcall(host.unpack, broken)
    for _, path in ipairs { "3.v", "3.m", "4", "none" } do pcall(host.unpack, broken, path) end
  end
  fails("malformed", host.unpack, "v" .. ("\255"):rep(8))
  fails("malformed", host.unpack, "m" .. ("\255"):rep(16))
  fails("malformed", host.unpack, "t" .. ("\127"):rep(16))
  fails("malformed", host.unpack, ("t" .. string.pack("<I8I8", 1, 0)):rep(200) .. "N")
end

TestDigest = {} -- luacheck: globals TestDigest

function TestDigest.test_published_vectors()
  local vectors = {
    [""] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    ["abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"] =
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    [("a"):rep(1000000)] = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
  }
  for text, digest in pairs(vectors) do lu.assertEquals(host.sha256(text), digest) end
end

function TestDigest.test_files()
  local path = os.tmpname()
  for _, text in ipairs { "", "abc", ("a"):rep(1000000) } do -- the last is read in many pieces
    local file = assert(io.open(path, "wb"))
    file:write(text)
    file:close()
    lu.assertEquals((host.digest(path)), host.sha256(text))
  end
  os.remove(path)
  lu.assertNil((host.digest(path)))
  lu.assertNil((host.digest("/dev/null")))
  lu.assertNil((host.digest(".")))
end

TestReach = {} -- luacheck: globals TestReach

function TestReach.test_what_a_function_can_see()
  local target, other = {}, {}
  local wanted = { [target] = "target", [other] = "other" }
  local function sees(f, hidden) return reach.find(f, wanted, hidden or {})[target] ~= nil end
  lu.assertFalse(sees(function() return 1 end))
  lu.assertTrue(sees(function() return target end))
  local holder = { deep = { [target] = 1 } }
  lu.assertTrue(sees(function() return holder end))
  lu.assertFalse(sees(function() return holder end, { [holder] = true }))
  local function inner() return target end
  lu.assertTrue(sees(function() return inner() end))
  local object = setmetatable({}, { __index = function() return target end })
  lu.assertTrue(sees(function() return object end))
  rawset(_G, "reach_test_global", target)
  lu.assertTrue(sees(function() return math.pi end))
  rawset(_G, "reach_test_global", nil)
  lu.assertFalse(sees(function() return math.pi end, { [wanted] = true }))
end

os.exit(lu.LuaUnit.run())
