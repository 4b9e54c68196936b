-- Every exported function and method has a comment in the bindings that a program can read, and every example in one
-- runs as it stands.
local lu = require "luaunit"
local host = require "vesicle.base.host"
local ves = require "vesicle"

-- The sources are found from the test itself: tests/lua/api/ is three levels below the root.
local root = (arg[0]:match("^(.*)/[^/]*$") or ".") .. "/../../.."

local files = {} -- the bindings, by what follows lves_ in their names
for _, folder in ipairs { "/csrc/lua", "/csrc/lua/io" } do
  for _, name in ipairs(assert(host.list(root .. folder))) do files[#files + 1] = name:match("^lves_(.*)%.c$") end
end

local function open_binding(stem)
  local name = "/lves_" .. stem .. ".c"
  return io.open(root .. "/csrc/lua" .. name) or assert(io.open(root .. "/csrc/lua/io" .. name))
end

-- { name, signature, summary, examples, equations } of each documented function
local function read_docs()
  local docs = {}
  for _, stem in ipairs(files) do
    local file <close> = open_binding(stem)
    for block in file:read("a"):gmatch("/%*%*%*(.-)%*/") do
      local doc = { examples = {}, file = stem }
      local text = block:gsub("\n %* ?", "\n")
      doc.signature = text:match("^ ([^\n]*)\n")
      doc.name = doc.signature:match("^[%w_.:]+")
      doc.summary = text:match("\n(.-)\n@") or text:match("\n(.*)$")
      for example in (text .. "\n@"):gmatch("@example ([^@]*)") do
        doc.examples[#doc.examples + 1] = example
      end
      docs[#docs + 1] = doc
      docs[doc.name] = doc
    end
  end
  return docs
end

local docs = read_docs()

TestDocs = {}

local function exported(prefix, module, names)
  for name, value in pairs(module) do
    if type(value) == "function" then names[#names + 1] = prefix .. name end
    if type(value) == "table" then exported(prefix .. name .. ".", value, names) end
  end
  return names
end

function TestDocs.test_every_function_is_documented()
  local names = exported("ves.", ves, {})
  lu.assertTrue(#names >= 30)
  for _, name in ipairs(names) do
    lu.assertNotNil(docs[name], name .. " has no comment")
  end
end

-- Methods cannot be listed from Lua, so the tables of methods are read from the sources.
function TestDocs.test_every_method_is_documented()
  local classes = {
    vector = { "vector", "stats", "elementwise", "pick" }, matrix = { "matrix" }, stream = { "rng" }, code = { "code" },
    network = { "network" }, chain = { "chain" },
  }
  local count = 0
  for class, stems in pairs(classes) do
    for _, stem in ipairs(stems) do
      local file <close> = open_binding(stem)
      local list = file:read("a"):match("luaL_Reg [%w_]*methods%[%] = {%s*({\"[^_].-)};")
      for name in list:gmatch('{"([%w_]+)"') do
        lu.assertNotNil(docs[class .. ":" .. name], class .. ":" .. name .. " has no comment")
        count = count + 1
      end
    end
  end
  lu.assertTrue(count >= 40)
end

function TestDocs.test_comments_are_complete()
  lu.assertTrue(#docs >= 70)
  for _, doc in ipairs(docs) do
    lu.assertStrMatches(doc.signature, "[%w_.:]+[({].*[)}] %-> .+")
    lu.assertTrue(#doc.summary > 15, doc.name)
    lu.assertTrue(#doc.examples > 0, doc.name .. " has no example")
  end
end

function TestDocs.test_every_example_runs()
  for _, doc in ipairs(docs) do
    local env = setmetatable({ ves = ves, rng = ves.rng(1), print = function(...) return select("#", ...) end },
      { __index = _G })
    local chunk = assert(load(table.concat(doc.examples, "\n"), doc.name, "t", env))
    local ok, message = pcall(chunk)
    lu.assertTrue(ok, doc.name .. ": " .. tostring(message))
  end
end

os.exit(lu.LuaUnit.run(), true)
