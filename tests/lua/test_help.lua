-- The prompt without its terminal: the documentation inside the program, help, completion, what is shown of a value,
-- and what is said of an error. Every documented example runs.
local lu = require "luaunit"
local ves = require "vesicle"
local apidoc = require "vesicle.prompt.apidoc"
local help = require "vesicle.prompt.help"
local host = require "vesicle.base.host"
local lexer = require "vesicle.base.lexer"
local plot = require "vesicle.prompt.plot"
local pretty = require "vesicle.prompt.pretty"
local repl = require "vesicle.prompt.repl"

local root = (arg[0]:match("^(.*)/[^/]*$") or ".") .. "/../.."
local scratch = os.tmpname()
os.remove(scratch)
assert(os.execute("mkdir -p '" .. scratch .. "'"))
host.out, host.quiet = scratch, true
plot.output = function() end

local function source(path)
  local file <close> = assert(io.open(root .. "/" .. path))
  return file:read("a")
end

local function bindings()
  local paths = {}
  for _, dir in ipairs { "csrc/lua", "csrc/lua/io" } do
    for _, name in ipairs(host.list(root .. "/" .. dir)) do
      if name:find("^lves_.*%.c$") then paths[#paths + 1] = dir .. "/" .. name end
    end
  end
  return paths
end

TestDocumentation = {}

function TestDocumentation.test_everything_exported_is_documented()
  local _, by_name = help.entries()
  local count = 0
  local function look(prefix, module)
    for name, value in pairs(module) do
      if type(value) == "function" and name ~= "output" and name ~= "window" then
        lu.assertNotNil(by_name[prefix .. name], prefix .. name .. " is not documented")
        count = count + 1
      elseif type(value) == "table" then
        look(prefix .. name .. ".", value)
      end
    end
  end
  look("ves.", ves)
  look("ves.plot.", plot)
  look("ex.", require "vesicle.experiment")
  lu.assertTrue(count > 40)
end

function TestDocumentation.test_methods_of_the_library_are_documented()
  local _, by_name = help.entries()
  for class, path in pairs { E = "lua/vesicle/experiment.lua", out = "lua/vesicle/experiment/replicates.lua" } do
    for name in source(path):gmatch("\nfunction methods%.([%w_]+)") do
      lu.assertNotNil(by_name[class .. ":" .. name], class .. ":" .. name)
    end
  end
end

function TestDocumentation.test_every_entry_is_complete()
  lu.assertTrue(#help.entries() > 80)
  for _, entry in ipairs(help.entries()) do
    lu.assertStrMatches(entry.signature, "[%w_.:]+[({].*[)}] %-> .+")
    lu.assertTrue(#entry.text[1] > 15, entry.name)
    lu.assertTrue(#entry.example > 0, entry.name .. " has no example")
    lu.assertTrue(#help.text(entry) > 50)
  end
end

-- Examples begin experiments that have no end: they are not those of this script, which would have to finish them.
local function outside_of_a_script(name)
  local module = require(name)
  if name ~= "vesicle.experiment" then return module end
  local context = { out = scratch, quiet = true, seed = 1 }
  return setmetatable({ new = function(spec) return module.new(spec, context) end }, { __index = module })
end

-- A documented example is a program: it runs as it stands at the prompt.
function TestDocumentation.test_every_example_runs()
  local count = 0
  for _, entry in ipairs(help.entries()) do
    local inside = setmetatable({ tmpname = function()
      count = count + 1
      return scratch .. "/example" .. count
    end }, { __index = os })
    local env = setmetatable({ ves = ves, rng = ves.rng(1), print = function() end, os = inside,
      require = outside_of_a_script }, { __index = _G })
    local chunk = assert(load(table.concat(entry.example, "\n"), "=" .. entry.name, "t", env))
    local ok, message = pcall(chunk)
    if not ok and tostring(message):find("gnuplot is not installed", 1, true) then ok = true end
    lu.assertTrue(ok, entry.name .. ": " .. tostring(message))
  end
end

-- What the C functions accept is what the documentation says they accept.
function TestDocumentation.test_keys_of_options_are_documented()
  local count = 0
  for _, path in ipairs(bindings()) do
    local text = source(path)
    local common, macro = {}, text:match("#define LEARN_KEYS(.-[^\\])\n") or ""
    for key in macro:gmatch('"([%w_]+)"') do common[#common + 1] = key end
    for list, after in text:gmatch("keys%[%] = {([^}]*)}(.-)\n}") do
      local fn = after:match('fn = "([%w_.:]+)"') or text:match('static const char fn%[%] = "([%w_.:]+)"')
      local wanted = {}
      for key in list:gmatch('"([%w_]+)"') do wanted[#wanted + 1] = key end
      if list:find("LEARN_KEYS") then table.move(common, 1, #common, #wanted + 1, wanted) end
      table.sort(wanted)
      if fn then                       -- some lists are shared by several functions
        lu.assertEquals(help.keys(fn), wanted, fn)
        count = count + 1
      end
    end
  end
  lu.assertTrue(count >= 15)
end

function TestDocumentation.test_fields_of_objects_are_documented()
  for class, name in pairs { code = "code", matrix = "matrix", network = "network", stream = "rng" } do
    local list = source("csrc/lua/lves_" .. name .. ".c"):match("fields%[%] = {(.-)}")
    local wanted, got = {}, {}
    for field in list:gmatch('"([%w_]+)"') do wanted[#wanted + 1] = field end
    for _, field in ipairs(help.fields(class)) do got[#got + 1] = field[1] end
    table.sort(wanted)
    table.sort(got)
    lu.assertEquals(got, wanted, class)
  end
end

function TestDocumentation.test_parser_reads_lua_too()
  local tag = "[eq" .. ":a]" -- written apart: make trace knows no such label
  local entries = apidoc.parse { "--[[** ves.f{x} -> y", "Says it.", "@equation y = x " .. tag, "@field z number",
    "@example ves.f{x = 1}", "]]", "function f() end" }
  lu.assertEquals(#entries, 1)
  lu.assertEquals(entries[1].name, "ves.f")
  lu.assertEquals({ entries[1].equation, entries[1].field, entries[1].example },
    { { "y = x " .. tag }, { "z number" }, { "ves.f{x = 1}" } })
  lu.assertEquals(apidoc.summary { text = { "One sentence. " .. tag .. " Two." } }, "One sentence.")
end

TestHelp = {}

function TestHelp.test_by_function_name_and_word()
  local text = help.about(ves.release.learn)
  for _, part in ipairs { "ves.release.learn(w, options) -> q, trace", "q_i <- q_i - rate (q_i - target)",
                          "[eq:learningRule_form]", "iterations     integer >= 1, default 5000", "  example",
                          "  returns" } do
    lu.assertStrContains(text, part)
  end
  lu.assertEquals(help.about "learn", text)
  lu.assertEquals(help.about "release.learn", text)
  lu.assertEquals(help.about "ves.release.learn", text)
end

function TestHelp.test_methods_and_objects()
  local v = ves.vector { 1, 2 }
  lu.assertStrContains(help.about(v.mean), "vector:mean() -> number")
  lu.assertStrContains(help.about(v), "vector:quantile(p)")
  lu.assertStrContains(help.about(ves.code { n = 2, lo = 0, hi = 1, sigma = 1 }), "centers")
  lu.assertStrContains(help.about(ves.release), "ves.release.analytic(w)")
  lu.assertStrContains(help.about(ves), "ves.sample(w, q, options)")
  lu.assertStrContains(help.about(ves.plot), "ves.plot.hist(sample, options)")
end

function TestHelp.test_overview_names_every_function()
  local text = help.about()
  for _, entry in ipairs(help.entries()) do
    lu.assertStrContains(text, entry.method or entry.name:match("[^.]+$"))
  end
end

function TestHelp.test_one_word_for_several()
  local text = help.about "mean"
  lu.assertStrContains(text, "vector:mean")
  lu.assertStrContains(text, "code:mean")
end

function TestHelp.test_unknown_words()
  lu.assertStrContains(help.about "lern", 'did you mean "learn"?')
  lu.assertStrContains(help.search "xyzzy", 'Nothing is known about "xyzzy"')
  lu.assertStrContains(help.about(nil), "This is nil")
  lu.assertStrContains(help.about(print), "No documentation")
end

function TestHelp.test_search()
  local text = help.search "lateral inhibition"
  lu.assertStrContains(text, "network:sample")
  lu.assertStrContains(help.search "eq:mapping", "ves.release.analytic")
  lu.assertStrContains(help.search "MAPPING", "ves.release.analytic")
  lu.assertStrContains(help.find("sample")[1].name, "sample")     -- names before texts
end

TestLexer = {}

function TestLexer.test_locals_are_kept()
  for input, wanted in pairs {
    ["local x = 1"] = " x = 1", ["local a, b = 1, 2"] = " a, b = 1, 2", ["local x"] = " x = nil",
    ["local a, b"] = " a, b = nil", ["local x <const> = 1"] = " x  = 1",
    ["local function f() end"] = " function f() end",
    ["do local x = 1 end"] = "do local x = 1 end", ["f(function() local y end)"] = "f(function() local y end)",
    ["if a then local b end local c = 1"] = "if a then local b end  c = 1", ["x = 'local y'"] = "x = 'local y'",
    ["repeat local z until z local q = 2"] = "repeat local z until z  q = 2", ["-- local x"] = "-- local x",
    ["for i = 1, 2 do local k = i end"] = "for i = 1, 2 do local k = i end", ["x = [[local\ny]]"] = "x = [[local\ny]]",
    ["local x = 1 -- local\nlocal y = 2"] = " x = 1 -- local\n y = 2",
  } do
    lu.assertEquals(lexer.keep_locals(input), wanted)
  end
end

function TestLexer.test_context_of_a_cursor()
  local function context(text)
    local c = lexer.context(text)
    return { c.path, c.call, c.inside }
  end
  lu.assertEquals(context "ves.rel", { "ves.rel" })
  lu.assertEquals(context "x = net:obs", { "net:obs" })
  lu.assertEquals(context "ves.release.learn(w, {it", { "it", "ves.release.learn" })
  lu.assertEquals(context "ves.code{n = 3, si", { "si", "ves.code" })
  lu.assertEquals(context "f(g(1), {a = {1, 2}, b", { "b", "f" })
  lu.assertEquals(lexer.context("-- ves.re").inside, "comment")
  lu.assertEquals(lexer.context("help \"lea").inside, "string")
  lu.assertEquals(lexer.context("f(x):re").inside, "expression")
  lu.assertEquals(context "'done' .. ves.re", { "ves.re" })
end

TestCompletion = {}

function TestCompletion.setUp() repl.prepare() end

local function completes(text, insert, ...)
  local got, found = repl.complete(text)
  lu.assertEquals(got, insert, text)
  for _, name in ipairs { ... } do lu.assertTableContains(found, name) end
end

function TestCompletion.test_names()
  completes("ves.rel", "ease", "release")
  completes("ves.release.le", "arn", "learn", "learn_pooled")
  completes("local x = math.sq", "rt")
  completes("prin", "t")
  completes("ves.nothing.x", "")
end

function TestCompletion.test_fields_and_methods_of_objects()
  _G.probe = ves.code { n = 2, lo = 0, hi = 1, sigma = 1 }
  _G.nested = { inner = { 1, { word = 3 } } }
  completes("probe.cen", "ters")
  completes("probe:", "", "encode", "decode", "mean")
  completes("probe:si", "")
  completes("rng:norm", "al")
  completes("nested.inner[2].w", "ord")
  _G.probe, _G.nested = nil, nil
end

function TestCompletion.test_keys_of_options()
  completes("ves.release.learn(w, {itera", "tions")
  completes("ves.code{n = 3, ", "", "sigma", "lo", "hi")
  _G.net = ves.network { input = ves.code { n = 2, lo = 0, hi = 1, sigma = 1 },
                         output = ves.code { n = 2, lo = 0, hi = 1, sigma = 1 }, prior_a = 1, prior_b = 1 }
  completes("net:sample{x = 1, norm", "aliser")
  _G.net = nil
end

function TestCompletion.test_tab_indents_a_continued_input()
  repl.pending = { "for i = 1, 2 do" }
  completes("", "  ")
  repl.pending = {}
end

function TestCompletion.test_topics_of_help()
  completes('help "anal', "ytic")
  completes('help("epist', "emic")
  completes('print("ves.', "")
end

TestPretty = {}

local function show(value) return pretty.show(value) end

function TestPretty.test_vectors()
  lu.assertEquals(show(ves.vector { 1, 2, 3, 4 }), "vector of 4 in [1, 4], mean 2.5\n  1  2  3  4\n  ▁▃▆█")
  lu.assertEquals(show(ves.vector { 5 }), "vector of 1 in [5, 5]\n  5")
  local long = show(ves.vector(1000, 2))
  lu.assertEquals(long, "vector of 1000 in [2, 2], mean 2\n  " .. ("▅"):rep(60))
  lu.assertEquals(pretty.show(ves.vector { 1, 8 }, { utf8 = false }), "vector of 2 in [1, 8], mean 4.5\n  1  8\n  _#")
end

function TestPretty.test_missing_numbers()
  ves.write_table(scratch .. "/m.tsv", { x = { 1, false, 3 } })
  local v = ves.read_table(scratch .. "/m.tsv").x
  lu.assertEquals(show(v), "vector of 3 in [1, 3], mean 2, 1 of them not finite\n  1  nan  3\n  ▁ █")
end

function TestPretty.test_matrices()
  lu.assertEquals(show(ves.matrix { { 1, 20 }, { 3, 4 } }),
    "matrix 2 x 2 in [1, 20], mean 7\n  1  20\n  3   4\n  1  ▁█\n  2  ▁▂")
  local text = show(ves.matrix(40, 200, 1))
  lu.assertStrContains(text, "matrix 40 x 200 in [1, 1]")
  lu.assertEquals(select(2, text:gsub("\n", "")), 10)
end

function TestPretty.test_other_values()
  lu.assertEquals(show(0.1), "0.1")
  lu.assertEquals(show(3), "3")
  lu.assertEquals(show(0 / 0), "nan")
  lu.assertEquals(show('a "b"\n'), '"a \\"b\\"\\n"')
  lu.assertEquals(show { 1, "x", y = true, ["a b"] = 2 }, '{1, "x", ["a b"] = 2, y = true}')
  lu.assertEquals(show { v = ves.vector { 1, 2 } }, "{v = vector of 2 in [1, 2], mean 1.5}")
  local cycle = {}
  cycle.self = cycle
  lu.assertEquals(show(cycle), "{self = {the table it is in}}")
  lu.assertEquals(show(print), "function")
  lu.assertEquals(show {}, "{}")
  lu.assertEquals(show(nil), "nil")
  local many = {}
  for i = 1, 100 do many[i] = i end
  lu.assertStrContains(show(many), "... 100 in all")
  local closed = ves.vector { 1 }
  do local scoped <close> = closed end -- luacheck: ignore
  lu.assertEquals(show(closed), "a vector that has been closed")
end

function TestPretty.test_experiments()
  local ex = require "vesicle.experiment"
  local E = ex.new({ name = "shown", params = { draws = 3 } }, { out = scratch, quiet = true, seed = 5 })
  lu.assertEquals(show(E.params), "{draws = 3}")
  lu.assertEquals(show(E), "experiment shown, seed 5, parameters {draws = 3}")
  local out = E:replicate { name = "main", n = 2, run = function(i) return { k = i } end }
  lu.assertEquals(show(out), "2 replicates, the first: {k = 1}")
end

TestInput = {}

function TestInput.test_whole_or_not()
  for text, wanted in pairs {
    ["1 + 1"] = "function", ["x = 3"] = "function", ["for i = 1, 2 do"] = "more", ["f("] = "more", ["'a' .."] = "more",
    ["x = {1,"] = "more", ["function f()"] = "more", ["[[text"] = "more", ["= 1"] = "function", ["1;"] = "function",
    ["1 -- end"] = "function", [") + ("] = "error", ["x = = 1"] = "error", ["'open"] = "error",
    ["local x = 1"] = "function",
  } do
    local f, what = repl.load(text)
    lu.assertEquals(f and "function" or what == "more" and "more" or "error", wanted, text)
  end
end

TestPlot = {}

local function gnuplot_here() return os.execute("gnuplot --version >/dev/null 2>&1") end

local function drawn(f, ...)
  if not gnuplot_here() then lu.skip("no gnuplot") end
  local text = ""
  plot.output = function(part) text = text .. part end
  local ok, message = pcall(f, ...)
  plot.output = function() end
  lu.assertTrue(ok, message)
  return text
end

local function contains_file(path, start)
  local file <close> = assert(io.open(path, "rb"))
  lu.assertEquals(file:read(#start), start)
end

function TestPlot.test_text_without_a_display()
  local text = drawn(ves.plot, { 1, 2, 3 }, { 1, 4, 9 },
    { title = "squares", xlabel = "it's x", ylabel = "y", label = "a" })
  for _, part in ipairs { "squares", "it's x", "a***", "y\n" } do lu.assertStrContains(text, part) end
  lu.assertTrue(select(2, text:gsub("\n", "")) >= 20)
  lu.assertStrContains(drawn(ves.plot.add, { 1, 3 }, { 9, 1 }, { label = "down", style = "points" }), "down")
  lu.assertStrContains(drawn(ves.plot.hist, ves.rng(1):integer(6, 600)), "count")
  lu.assertStrContains(drawn(ves.plot.hist, ves.rng(1):normal(0, 1, 100), { density = true }), "density")
  lu.assertStrContains(drawn(ves.plot.matrix, ves.matrix { { 0, 1 }, { 2, 4 } }, { title = "map" }), "████")
  drawn(ves.plot, ves.matrix(5, 3, 1))
  drawn(ves.plot, ves.vector { 1, 2 }, { title = "one argument" })
end

function TestPlot.test_files()
  if not gnuplot_here() then lu.skip("no gnuplot") end
  drawn(ves.plot, { 1, 2 }, { 1, 2 }, { error = { 0.1, 0.2 } })
  for extension, start in pairs { pdf = "%PDF", png = "\x89PNG", svg = "<?xml" } do
    local path = scratch .. "/a plot, it's here." .. extension
    lu.assertEquals(ves.plot.save(path), path)
    contains_file(path, start)
  end
  drawn(ves.plot.matrix, ves.matrix(3, 4, 2))
  ves.plot.save(scratch .. "/m.svg", { width = 8, height = 6 })
  contains_file(scratch .. "/m.svg", "<?xml")
end

function TestPlot.test_bad_calls()
  local function fails(message, f, ...)
    local ok, said = pcall(f, ...)
    lu.assertFalse(ok)
    lu.assertStrContains(said, message)
  end
  fails("unknown key `xlable`: did you mean `xlabel`?", ves.plot, { 1 }, { 1 }, { xlable = "x" })
  fails("ves.plot: argument 'x' = \"a\": expected a vector or an array of numbers", ves.plot, "a")
  fails("'x' has 2 elements, 'y' 3", ves.plot, { 1, 2 }, { 1, 2, 3 })
  fails("argument 'x'[2] = \"b\": expected a number", ves.plot, { 1, "b" })
  fails("key 'style' = \"line\": did you mean `lines`?", ves.plot, { 1 }, { 1 }, { style = "line" })
  fails("key 'error' has 1 elements", ves.plot, { 1, 2 }, { 1, 2 }, { error = { 1 } })
  fails("key 'bins' = 0", ves.plot.hist, { 1 }, { bins = 0 })
  fails("no finite number", ves.plot.hist, { 0 / 0 })
  fails("argument 'W' = 3: expected a matrix", ves.plot.matrix, 3)
  fails("ends in .pdf, .svg or .png", ves.plot.save, "x.gif")
  fails("test_help.lua", function() ves.plot("a") end)
end

local code = lu.LuaUnit.run()
os.execute("rm -rf '" .. scratch .. "'")
os.exit(code, true)
