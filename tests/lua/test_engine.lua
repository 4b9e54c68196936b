-- The engine's parts: results as JSON and back, digests.
local lu = require "luaunit"
local ves = require "vesicle"
local host = require "vesicle.base.host"

local function fails(pattern, f, ...) lu.assertErrorMsgMatches(".*" .. pattern .. ".*", f, ...) end

TestJson = {} -- luacheck: globals TestJson

local function bits(x) return string.pack("<d", x) end

local function round_trip(value) return host.from_json(host.json(value)) end

function TestJson.test_texts()
  for _, case in ipairs {
    { 3, "3" }, { 3.0, "3.0" }, { -0.0, "-0.0" }, { 0 / 0, "null" }, { math.huge, "9e999" }, { -math.huge, "-9e999" },
    { 0.1, "0.10000000000000001" }, { 1e300, "1.0000000000000001e+300" }, { true, "true" }, { false, "false" },
    { "a\"\\\n\0é", '"a\\"\\\\\\u000a\\u0000é"' },
  } do
    lu.assertEquals(host.json(case[1]), case[2])
  end
  lu.assertEquals(host.json(ves.vector { 1, 2.5 }), "[1.0,2.5]")
  lu.assertEquals(host.json(ves.matrix { { 1, 2.5 }, { 3, 4 } }), "[[1.0,2.5],[3.0,4.0]]")
  lu.assertEquals(host.json { "x", 7, b = {}, a = { [10] = true, [9] = false, [-1] = 1 } },
    '{"1":"x","2":7,"a":{"-1":1,"9":false,"10":true},"b":{}}')
end

function TestJson.test_scalars_keep_type_and_bits()
  for _, x in ipairs { 0, 1, -1, math.maxinteger, math.mininteger, 0.5, 1e300, 5e-324, 2.2250738585072011e-308, math.pi,
                       math.huge, -math.huge, 3.0, 2.0 ^ 53, 1e22, 123456789012345680.0 } do
    lu.assertEquals(round_trip(x), x)
    lu.assertEquals(math.type(round_trip(x)), math.type(x))
  end
  lu.assertEquals(bits(round_trip(-0.0)), bits(-0.0))
  local nan = round_trip(0 / 0)
  lu.assertEquals({ math.type(nan), nan == nan }, { "float", false })
  local rng = ves.rng(3)
  for _ = 1, 20000 do
    local x = string.unpack("<d", string.pack("<i8", (rng:integer(1 << 32) << 32) + rng:integer(1 << 32)))
    if x == x then lu.assertEquals(bits(round_trip(x)), bits(x)) end
  end
  for _, x in ipairs { "", "text", "zero\0inside", ("x"):rep(100000), "é€𝄞", '"', "\\", "\31", true, false } do
    lu.assertEquals(round_trip(x), x)
  end
end

function TestJson.test_arrays()
  local v, m = round_trip(ves.vector { 1, 2.385, -3 }), round_trip(ves.matrix { { 1, 2 }, { 3, 4 }, { 5, 6 } })
  lu.assertEquals(v:totable(), { 1.0, 2.385, -3.0 })
  lu.assertEquals({ #m, m.cols, m[3][1], m[2][2] }, { 3, 2, 5.0, 4.0 })
  lu.assertEquals(round_trip(ves.matrix { { 1, 2 }, { 3, 4 } }:row(2)):totable(), { 3.0, 4.0 })
  lu.assertEquals(#round_trip(ves.matrix { { 7 } }), 1)
  local odd = round_trip(ves.vector(3, 1) * ves.vector { 1, -1, 0 } / 0)
  lu.assertEquals({ odd[1], odd[2], odd[3] == odd[3] }, { math.huge, -math.huge, false })
  lu.assertEquals(#round_trip(host.from_json("[]")), 0)
end

function TestJson.test_tables()
  local t = { 10, 20, { "deep", { x = 1.5 } }, name = "n", [-1] = "minus", [5] = "after a gap", ["007x"] = 1, [""] = 2 }
  lu.assertEquals(round_trip(t), t)
  lu.assertEquals(round_trip {}, {})
end

function TestJson.test_one_value_one_text()
  local names = {}
  for i = 1, 200 do names[i] = "key" .. i * 7919 % 200 end
  local up, down = {}, {}
  for i = 1, 200 do up[names[i]] = i % 10 end
  for i = 200, 1, -1 do down[names[i]] = up[names[i]] end
  down.extra = 1
  down.extra = nil
  lu.assertEquals(host.json(up), host.json(down))
  local a, b = {}, {}
  for i = 1, 50 do a[i] = i end
  for i = 50, 1, -1 do b[i] = i end
  lu.assertEquals(host.json(a), host.json(b))
end

function TestJson.test_refusals_name_the_place()
  fails("the result is a function", host.json, print)
  fails("the result%.fit%.f is a function", host.json, { fit = { f = print } })
  fails("the result%[2%]%.x is a thread", host.json, { 1, { x = coroutine.create(print) } })
  fails("the result is a table with a metatable", host.json, setmetatable({}, {}))
  fails("the result%.s is a ves%.stream", host.json, { s = ves.rng(1) })
  fails("the result%.s is a text that is not UTF%-8", host.json, { s = "\xff" })
  for _, text in ipairs { "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\xe2\x82", "\x80", "\xf0\x80\x80\x80" } do
    fails("not UTF%-8", host.json, text)
  end
  for _, key in ipairs { {}, true, 2.5 } do
    fails("a key that is neither a whole number nor a text", host.json, { [key] = 1 })
  end
  for _, key in ipairs { "1", "-12", "007" } do
    fails("the result%.t is a table with a text of digits as a key", host.json, { t = { [key] = 1 } })
  end
  local loop = {}
  loop[1] = loop
  fails("nested deeper than 100", host.json, loop)
end

--- One field alone is what the whole has there; where there is none, nil.
function TestJson.test_a_field_is_read_alone()
  local value = {
    10, 20, { deep = 'y,}]"es' }, a = 1.5, b = { c = ves.vector { 1, 2 }, d = false, ["x1"] = "text" }, empty = {},
    m = ves.matrix { { 1, 2 }, { 3, 4 } }, [7] = "seven", z = "last",
  }
  local text = host.json(value)
  local function field(path) return host.from_json(text, path) end
  lu.assertEquals(field("1"), 10)
  lu.assertEquals(field("3.deep"), 'y,}]"es')
  lu.assertEquals(field("a"), 1.5)
  lu.assertTrue(field("b.c") == value.b.c and field("m") == value.m)
  lu.assertEquals(field("b.d"), false)
  lu.assertEquals(field("b.x1"), "text")
  lu.assertEquals(field("7"), "seven")
  lu.assertEquals(field("z"), "last")
  lu.assertEquals(field("empty"), {})
  lu.assertEquals(field("b..c."), value.b.c)
  lu.assertEquals(field("").a, 1.5)
  for _, path in ipairs { "4", "0", "x", "a.b", "b.c.1", "true", "b.e", "3.deep.x", "99999999999", "a\0", "-1",
                          "m.1" } do
    lu.assertNil(field(path), path)
  end
end

function TestJson.test_malformed_texts_are_refused()
  local good = host.json { 1, "t\"wo", { v = ves.vector { 3 }, m = ves.matrix { { 1, 2 } } }, true, e = 1.5e-7 }
  for length = 0, #good - 1 do
    lu.assertFalse((pcall(host.from_json, good:sub(1, length))), "cut to " .. length)
  end
  for _, text in ipairs {
    good .. "1", "", "[", "[1", "[1.0,]", "[[1.0],[2.0,3.0]]", "[[1.0],2.0]", "{", '{"a"', '{"a":', '{"a":1,}',
    "{1:2}", "nul", "tru", "99999999999999999999", "--1", "1-", "1.5.5", '"', '"\\', '"\\u00', '"\\u1234"', '"\\n"',
    "[0x10]", "[-inf]", "[nan]", " 1", "[1.0 ]", "{}}", "[]]",
    ('{"a":'):rep(200) .. "1" .. ("}"):rep(200), ("["):rep(1000),
    '{"99999999999999999999":1}',
  } do
    fails("malformed", host.from_json, text)
  end
  local rng = ves.rng(5):stream("malformed")
  for k = 1, 5000 do
    local r = rng:stream(k)
    local at, byte = r:integer(#good), r:integer(256) - 1
    local broken = good:sub(1, at - 1) .. string.char(byte) .. good:sub(at + 1)
    pcall(host.from_json, broken)
    for _, path in ipairs { "3.v", "3.m", "4", "none", "e" } do pcall(host.from_json, broken, path) end
  end
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

os.exit(lu.LuaUnit.run())
