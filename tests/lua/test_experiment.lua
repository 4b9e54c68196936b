-- The experiment: parameters, streams, replicates, and outputs that appear together or not at all.
local lu = require "luaunit"
local ves = require "vesicle"
local ex = require "vesicle.experiment"
local host = require "vesicle.base.host"
local is = require "vesicle.criterion"

local function fails(pattern, f, ...) lu.assertErrorMsgMatches(".*" .. pattern .. ".*", f, ...) end

local function exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

local function content(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

local out

local function new(spec, context)
  spec.name = spec.name or "e"
  context = context or {}
  context.out, context.quiet = out, true
  return ex.new(spec, context)
end

TestExperiment = {} -- luacheck: globals TestExperiment

function TestExperiment.setUp()
  out = os.tmpname()
  os.remove(out)
end

function TestExperiment.tearDown()
  for _, name in ipairs(host.list(out) or {}) do
    for _, file in ipairs(host.list(out .. "/" .. name) or {}) do
      os.remove(out .. "/" .. name .. "/" .. file)
    end
    os.remove(out .. "/" .. name)
  end
  os.remove(out)
end

function TestExperiment.test_fields()
  local E = new({ name = "06_x", title = "T", params = { n = { 3, quick = 1 }, psi = 2.5 } },
    { seed = 5, scale = "quick", set = { "psi=4" } })
  lu.assertEquals({ E.name, E.title, E.seed, E.scale, E.params.n, E.params.psi },
    { "06_x", "T", 5, "quick", 1, 4.0 })
  lu.assertEquals(new({}).seed, 20211118)
  fails("an experiment has no field `tabel`: did you mean `table`%?", function() return E.tabel end)
end

function TestExperiment.test_streams_of_another_experiment()
  local function draws(spec)
    local E = new(spec)
    return E:replicate { name = "main", n = 3, run = function(_, rng) return rng:uniform() end }:column(), E
  end
  local there, here = draws { name = "first" }, draws { name = "part", streams = "first" }
  lu.assertEquals(here:totable(), there:totable())
  lu.assertNotEquals(draws({ name = "other" }):totable(), there:totable())
  local _, E = draws { name = "third", streams = "first" }
  E:table("t", { "x" }, { { 1 } })
  E:finish()
  lu.assertStrContains(content(out .. "/third/t.tsv"), "# streams: those of first\n")
  fails("key `streams`", ex.new, { name = "e", streams = 3 })
end

function TestExperiment.test_bad_declarations()
  fails("experiment%.new: unknown key `parms`: did you mean `params`%?", ex.new,
    { name = "e", parms = {} })
  fails("experiment%.new: key `name` is missing", ex.new, {})
  fails("experiment%.new: expected a table, got 3", ex.new, 3)
  fails("name \"a/b\": expected letters", ex.new, { name = "a/b" })
  fails("name \".hidden\"", ex.new, { name = ".hidden" })
end

function TestExperiment.test_the_stream_is_keyed_by_seed_and_name()
  local function first(name, seed) return new({ name = name }, { seed = seed }).rng:uniform() end
  lu.assertEquals(first("a", 1), first("a", 1))
  lu.assertNotEquals(first("a", 1), first("b", 1))
  lu.assertNotEquals(first("a", 1), first("a", 2))
  lu.assertEquals(first("a", 1), ves.rng(1):stream("a"):uniform())
end

function TestExperiment.test_replicates_have_keyed_streams()
  local E = new {}
  local seen = E:replicate { name = "main", n = 4, run = function(i, rng)
    return { i = i, u = rng:uniform(), r = math.random() }
  end }
  lu.assertEquals(#seen, 4)
  for i = 1, 4 do
    local rng = E.rng:stream("replicate", "main", i)
    lu.assertEquals(seen[i].i, i)
    lu.assertEquals(seen[i].u, rng:uniform())
  end
  lu.assertNotEquals(seen[1].r, seen[2].r)
  lu.assertNil(seen[0])
  lu.assertNil(seen[5])
  local count = 0
  for i, r in ipairs(seen) do
    count = count + 1
    lu.assertEquals(r.i, i)
  end
  lu.assertEquals(count, 4)
  for i, r in pairs(seen) do
    count = count - 1
    lu.assertEquals(r.i, i)
  end
  lu.assertEquals(count, 0)
end

function TestExperiment.test_more_replicates_begin_with_the_same_ones()
  local function run(n)
    return new({}):replicate { name = "main", n = n, run = function(_, rng)
      return rng:uniform() + math.random()
    end }
  end
  local few, many = run(3), run(6)
  for i = 1, 3 do lu.assertEquals(few[i], many[i]) end
end

function TestExperiment.test_math_random_outside_is_untouched_by_replicates()
  local function draws(n)
    math.randomseed(11)
    local a = math.random()
    new({}):replicate { name = "main", n = n, run = function() return math.random() end }
    return { a, math.random() }
  end
  lu.assertEquals(draws(0), draws(5))
end

function TestExperiment.test_columns()
  local seen = new({}):replicate { name = "main", n = 3, run = function(i)
    return { x = i * 1.5, v = ves.vector { i, i * i }, t = { i, -i, 0 }, s = "r" .. i, b = i > 1,
             inner = { y = i } }
  end }
  lu.assertEquals(seen:column("x"):totable(), { 1.5, 3.0, 4.5 })
  lu.assertEquals(seen:column("v"):row(3):totable(), { 3.0, 9.0 })
  lu.assertEquals(seen:column("t"):row(2):totable(), { 2.0, -2.0, 0.0 })
  lu.assertEquals(seen:column("s"), { "r1", "r2", "r3" })
  lu.assertEquals(seen:column("b"), { false, true, true })
  lu.assertEquals(seen:column("inner.y"):totable(), { 1.0, 2.0, 3.0 })
  local plain = new({}):replicate { name = "main", n = 2, run = function(i) return i end }
  lu.assertEquals(plain:column():totable(), { 1.0, 2.0 })
end

function TestExperiment.test_bad_columns()
  local seen = new({}):replicate { name = "main", n = 2, run = function(i)
    return { sd = 1, v = i == 1 and { 1, 2 } or { 1 }, m = i == 1 and 1 or "one", f = {},
             nan = i == 2 and 0 / 0 or 1, inf = { 1, i == 2 and math.huge or 2 } }
  end }
  fails("replicate 1 has no field `ds`", seen.column, seen, "ds")
  fails("did you mean `sd`%?", seen.column, seen, "sdd")
  fails("replicate 2 has 1 elements, replicate 1 has 2", seen.column, seen, "v")
  fails("replicate 2 is a string, replicate 1 a number", seen.column, seen, "m")
  fails("replicate 1 is a table, expected a number", seen.column, seen, "f")
  fails("replicate 2 holds nan, expected finite numbers", seen.column, seen, "nan")
  fails("replicate 2 holds inf, expected finite numbers", seen.column, seen, "inf")
  fails("has no field `colum`", function() return seen.colum end)
  fails("results cannot be assigned", function() seen[1] = 2 end)
  local none = new({}):replicate { name = "main", n = 0, run = function() return 1 end }
  lu.assertEquals(#none, 0)
  fails("there are no replicates", none.column, none, "x")
end

function TestExperiment.test_a_column_of_the_first_replicates_and_of_matrices()
  local seen = new({}):replicate { name = "main", n = 5, run = function(i)
    return { x = i, m = ves.matrix { { i, 1 }, { i, 2 } }, ragged = ves.matrix(i, 2, 0), rows = { { i, 1 }, { i, 2 } },
      none = ves.vector { 1 }:above(2), uneven = { { 1 }, { 1, 2 } } }
  end }
  lu.assertEquals(seen:column("rows"), seen:column("m"))
  fails("replicate 1 is a vector without elements", seen.column, seen, "none")
  fails("replicate 1 is a table, expected a number", seen.column, seen, "uneven")
  lu.assertEquals(seen:column("x", 2):totable(), { 1.0, 2.0 })
  lu.assertEquals(seen:column("m", 3):col(1):totable(), { 1.0, 1.0, 2.0, 2.0, 3.0, 3.0 })
  lu.assertEquals(seen:column("m").rows, 10)
  for _, n in ipairs { 0, 6, 1.5, "2" } do
    fails("n is .*, expected a whole number from 1 to 5", seen.column, seen, "x", n)
  end
  fails("expected the name of a field", seen.column, seen, 3)
  fails("replicate 2 has 4 elements, replicate 1 has 2", seen.column, seen, "ragged")
end

function TestExperiment.test_what_a_replicate_uses_is_stated()
  local E = new({})
  local a = E:replicate { name = "a", n = 3, run = function(i) return i end }
  local b = E:replicate { name = "b", n = 3, uses = { a }, run = function(i) return a[i] + #a + a:column():sum() end }
  lu.assertEquals(b:column():totable(), { 10.0, 11.0, 12.0 })
  for name, look in pairs { get = function(i) return a[i] end, size = function() return #a end,
                            column = function() return a:column():mean() end } do
    local good, stop = pcall(E.replicate, E, { name = name, n = 2, uses = { b }, run = look })
    lu.assertFalse(good)
    lu.assertStrContains(type(stop) == "table" and stop.message or stop, "reads the results of `a`, on which it then "
      .. "depends: write uses = { RESULTS }, with the results of `a`, in E:replicate { name = \"" .. name .. '", ... }')
  end
  fails("key `uses` holds 3, expected a list of results", E.replicate, E,
    { name = "c", n = 1, uses = { 3 }, run = print })
  fails("key `uses` is", E.replicate, E, { name = "c", n = 1, uses = 3, run = print })
  fails("key `n` is 35184372088832, expected a whole number from 0 to 1000000000", E.replicate, E,
    { name = "c", n = 1 << 45, run = print })
end

function TestExperiment.test_bad_replicates()
  local E = new {}
  local run = function() return 1 end
  fails("E:replicate: key `run` is missing", E.replicate, E, { name = "a", n = 1 })
  fails("E:replicate: unknown key `count`", E.replicate, E, { name = "a", n = 1, run = run, count = 1 })
  fails("key `n` is %-1, expected a whole number from 0", E.replicate, E,
    { name = "a", n = -1, run = run })
  fails("key `n` is 1%.5, expected", E.replicate, E, { name = "a", n = 1.5, run = run })
  E:replicate { name = "a", n = 1, run = run }
  fails("`a` was already used in e", E.replicate, E, { name = "a", n = 1, run = run })
end

function TestExperiment.test_outputs_appear_at_finish()
  local E = new { name = "06_x", title = "T", figure = "fig:simresults",
                  params = { n = { 3, about = "how many" } } }
  E:table("sd_by_input", { "x", { "sd", "spread" } }, { { 1, 0.1 }, { 2, 0.25 } })
  E:number("SdLow", 0.19731, 0.00412)
  E:number("Count", 3)
  lu.assertEquals(E:statement { id = "sd-low", says = "s", where = "w", kind = "empirical", quantity = "q",
    criterion = is.within(), cells = { printed = { 0.99, se = 0.01 } } }, "as printed")
  lu.assertFalse(exists(out .. "/06_x/sd_by_input.tsv"))
  E:finish()
  local text = content(out .. "/06_x/sd_by_input.tsv")
  lu.assertStrContains(text, "x\tsd\n# experiment: 06_x - T\n# figure: fig:simresults\n")
  lu.assertStrContains(text, "# seed: 20211118\n# scale: full\n# parameter: n = 3 (how many)\n")
  lu.assertStrContains(text, "# column: sd: spread\n1\t0.10000000000000001\n2\t0.25\n")
  local tex = content(out .. "/06_x/numbers.tex")
  lu.assertStrContains(tex, "\\newcommand{\\SdLow}{\\ensuremath{0.1973}}\n")
  lu.assertStrContains(tex, "\\newcommand{\\SdLowWithSE}{\\ensuremath{0.1973 \\pm 0.0041}}\n")
  lu.assertStrContains(tex, "\\newcommand{\\Count}{\\ensuremath{3}}\n")
  lu.assertNotStrContains(tex, host.commit)
  lu.assertStrContains(content(out .. "/06_x/numbers.tsv"), "\nSdLow\t0.19731000000000001\t0.00412")
  lu.assertStrContains(content(out .. "/06_x/claims.tsv"),
    "\nsd-low\tprinted\tholds\t0.98999999999999999\t0.01\tNA\twithin 10% of 1\tq\t")
  lu.assertEquals(host.list(out), { "06_x", "06_x.d" })
  fails("E:table: the experiment 06_x is finished", E.table, E, "late", { "x" }, {})
  fails("E:finish: the experiment 06_x is finished", E.finish, E)
end

function TestExperiment.test_a_header_is_a_comment_whatever_it_says()
  local hostile = "a\n\\input{x}\rb\27[0m"
  local E = new { title = hostile, params = { word = { hostile, about = hostile } } }
  E:table("t", { { "x", hostile, { 1 } } })
  E:number("X", 1)
  E:finish()
  for name, mark in pairs { ["t.tsv"] = "#", ["numbers.tsv"] = "#", ["claims.tsv"] = "#", ["numbers.tex"] = "%%" } do
    for line in content(out .. "/e/" .. name):gmatch("[^\n]+") do
      lu.assertNil(line:find("[\r\27]"))
      if line:find("input") then lu.assertStrMatches(line, mark .. ".*") end
    end
  end
end

function TestExperiment.test_cells_of_a_user_decide_nothing_of_the_original()
  local E = new { name = "01_x" }
  local function says(id, value)
    E:statement { id = id, says = "s", where = "w", kind = "empirical", quantity = "q", criterion = is.within(),
      cells = { printed = { value, se = 0.01 } } }
  end
  says("bad", 2)
  says("good", 1)
  E:own { id = "ours", says = "s", kind = "empirical", quantity = "q", criterion = is.within(),
    value = { 2, se = 0.01 } }
  E:finish()
  local read = require("vesicle.experiment.ledger").read
  local before = read(out, true)
  E = new { name = "mine" }
  for _, id in ipairs { "bad", "good", "ours" } do
    E:further { statement = id, kind = "empirical", quantity = "mine", criterion = is.within(), breaks = "x",
      { reading = "mine", id == "good" and 2 or 1, se = 0.01 } }
  end
  E:repaired { statement = "bad", value = { 1, se = 0.01 } }
  E:own { id = "own", says = "s", kind = "empirical", quantity = "q", criterion = is.within(),
    value = { 1, se = 0.01 } }
  E:further { statement = "own", kind = "empirical", quantity = "q", criterion = is.within(), breaks = "x",
    { reading = "drawn", 2, se = 0.01 } }
  E:finish()
  local after = read(out, true)
  for _, one in ipairs(before) do
    lu.assertEquals({ after[one.id].outcome, after[one.id].repaired }, { one.outcome, one.repaired })
    lu.assertEquals(#after[one.id].cells, #one.cells + (one.id == "bad" and 2 or 1)) -- but it is shown
  end
  lu.assertEquals(after.own.outcome, "in part")
  assert(io.open(out .. "/claims.tsv", "wb")):write(content(out .. "/mine/claims.tsv")):close() -- as any script may
  lu.assertEquals(#read(out), #before)
end

function TestExperiment.test_arrays_stand_beside_tables()
  local E = new {}
  local M = ves.rng(1):uniform(12):reshape(3, 4)
  E:array("weights", M)
  lu.assertFalse(exists(out .. "/e/weights.npy"))
  fails("E:array: `weights` was already used in e", E.array, E, "weights", M)
  fails("E:array: argument 'data'%[2%]%[1%] = 'x': expected a finite number", E.array, E, "texts", { { 1 }, { "x" } })
  fails("E:array: name \"a/b\"", E.array, E, "a/b", M)
  fails("E:array: the name `claims` is reserved", E.array, E, "claims", M)
  fails("E:array: argument 'data' = nil: expected a vector or matrix", E.array, E, "other")
  E:finish()
  lu.assertEquals(ves.read_npy(out .. "/e/weights.npy"), M)
end

function TestExperiment.test_results_no_longer_produced_are_removed()
  local E = new {}
  E:table("old", { "x" }, { { 1 } })
  E:array("old", { 1 })
  E:finish()
  E = new {}
  E:table("new", { "x" }, { { 1 } })
  E:finish()
  lu.assertEquals(host.list(out .. "/e"), { "claims.tsv", "new.tsv" })
end

function TestExperiment.test_a_parameter_is_described_where_it_is_named()
  local spec = { params = { n = { 30, quick = 3, about = "how many" }, rates = { { 1, 2 }, quick = { 1 } },
                            plain = { 4 } } }
  lu.assertEquals({ new(spec).params.n, new(spec).params.rates, new(spec).params.plain }, { 30, { 1, 2 }, { 4 } })
  spec.params.n = { 30, abut = "how many", quick = 3 }
  fails("params: `n`: unknown key `abut`: did you mean `about`", new, spec)
end

function TestExperiment.test_estimates_become_numbers_and_statements()
  local stats = require "vesicle.stats"
  local s = stats.summary(ves.matrix { { 1, 10 }, { 3, 20 } })
  local E = new {}
  E:number("One", s[1])
  E:number({ "First", "Second" }, s)
  E:statements { says = "s", where = "w", kind = "empirical", quantity = "q", criterion = is.within(0.1, { of = 2 }),
                 { id = "one", cells = { printed = s[1] } },
                 { id = "two", cells = { printed = s[2] }, says = "other" } }
  E:finish()
  local numbers, claims = content(out .. "/e/numbers.tsv"), content(out .. "/e/claims.tsv")
  lu.assertStrContains(numbers, "\nOne\t2\t1\nFirst\t2\t1\nSecond\t15\t5\n")
  lu.assertStrContains(claims, "\none\tprinted\tholds\t2\t1\tNA\twithin 10% of 2\tq\t")
  lu.assertStrContains(claims, "\ntwo\tprinted\tfails\t15\t5\tNA\twithin 10% of 2\tq\t")
  E = new {}
  fails("E:number: 1 names, expected as many values, got 2", E.number, E, { "Alone" }, s)
  fails("E:statements: expected a table of statements, got none", E.statements, E, {})
  fails("E:statements: statement 1 is 3, expected a table", E.statements, E, { 3 })
end

function TestExperiment.test_bad_outputs()
  local E = new {}
  E:table("t", { "x" }, {})
  fails("E:table: `t` was already used in e", E.table, E, "t", { "x" }, {})
  fails("name \"a/b\"", E.table, E, "a/b", { "x" }, {})
  fails("`claims` is reserved", E.table, E, "claims", { "x" }, {})
  fails("E:table u: rows are given, but the columns have values already", E.table, E, "u", { { "x", { 1 } } }, {})
  fails("E:number: name \"Sd1\": expected letters only", E.number, E, "Sd1", 1)
  fails("E:number: name \"input\": it becomes a LaTeX macro, and LaTeX's own begin with small letters; expected a "
    .. "capital first, such as InputValue", E.number, E, "input", 1)
  for _, name in ipairs { "Huge", "Box", "TeX", "Verdict", "VesSeed", "MakeUppercase", "KeywordTok",
    "DeclareMathSizes" } do
    fails("and LaTeX has one of that name; expected another, such as " .. name .. "Value", E.number, E, name, 1)
  end
  fails("E:number Sd: value is nan, expected a finite number", E.number, E, "Sd", 0 / 0)
  fails("E:number Sd: value is inf", E.number, E, "Sd", math.huge)
  fails("E:number Sd: se is %-1, expected", E.number, E, "Sd", 1, -1)
  fails("digits is 99, expected 1 to 17", E.number, E, "Sd", 1, nil, { digits = 99 })
  E:number("Sd", 1.5)
  fails("`Sd` was already used", E.number, E, "Sd", 1.5)
  fails("`SdSE` was already used", E.number, E, "SdSE", 1.5)
end

function TestExperiment.test_a_directory_that_cannot_be_made_is_named()
  local E = new {}
  E.out = "/proc/nowhere"
  E:table("t", { "x" }, {})
  local good, stop = pcall(E.finish, E)
  lu.assertFalse(good)
  lu.assertStrContains(tostring(stop.message or stop), "cannot write /proc/nowhere")
end

TestDeterministic = {} -- luacheck: globals TestDeterministic

function TestDeterministic.test_pairs_is_ordered()
  local t = { 10, 20, zeta = 1, alpha = 2, [2.5] = 3, [-1] = 4, [true] = 5, [false] = 6 }
  local keys = {}
  for k in pairs(t) do keys[#keys + 1] = tostring(k) end
  lu.assertEquals(keys, { "-1", "1", "2", "2.5", "alpha", "zeta", "false", "true" })
end

function TestDeterministic.test_pairs_allows_removal_and_metamethods()
  local t, seen = { a = 1, b = 2, c = 3 }, {}
  for k in pairs(t) do
    seen[#seen + 1] = k
    t.b, t[k] = nil, nil
  end
  lu.assertEquals(seen, { "a", "c" })
  local proxy = setmetatable({}, { __pairs = function() return next, { x = 1 }, nil end })
  for k, v in pairs(proxy) do lu.assertEquals({ k, v }, { "x", 1 }) end
  lu.assertErrorMsgContains("table expected, got nil", function() for _ in pairs(nil) do end end)
end

function TestDeterministic.test_random_repeats_and_stays_in_range()
  math.randomseed(3)
  local a = { math.random(), math.random(6), math.random(-5, 5), math.random(0) }
  math.randomseed(3)
  lu.assertEquals({ math.random(), math.random(6), math.random(-5, 5), math.random(0) }, a)
  math.randomseed(4)
  lu.assertNotEquals(math.random(), a[1])
  local counts = { 0, 0, 0 }
  for _ = 1, 3000 do
    local u, k = math.random(), math.random(3)
    lu.assertTrue(u >= 0 and u < 1)
    counts[k] = counts[k] + 1
  end
  lu.assertTrue(require("vesicle.stats").chi_square(counts, { 1, 1, 1 }).p > 1e-6)
  for _ = 1, 50 do
    local k = math.random(math.mininteger, math.maxinteger)
    lu.assertEquals(math.type(k), "integer")
  end
  lu.assertEquals(math.random(7, 7), 7)
end

function TestDeterministic.test_bad_random()
  fails("interval is empty", math.random, 2, 1)
  fails("bad argument #1 to 'random' %(integer expected, got 1%.5%)", math.random, 1.5)
  fails("wrong number of arguments", math.random, 1, 2, 3)
end

-- ---- failures ----

TestFailures = {}

local function told(failures)
  return require "vesicle.experiment.failures"({ n = 9, name = "main", experiment = "x", seed = 1, first = true },
    failures, 9 - #failures, "vesicle run x.lua")
end

function TestFailures.test_one_place_is_told_once()
  local text = told { { 4, "x.lua:3: odd one 4" }, { 2, "x.lua:3: odd one 2" }, { 3, "x.lua:3: odd one 3" } }
  lu.assertStrContains(text, "replicates 2-4 (seed 1), the first of them: x.lua:3: odd one 2")
  lu.assertNotStrContains(text, "odd one 3")
end

function TestFailures.test_places_and_plain_messages_are_told_apart()
  local text = told { { 1, "x.lua:3: a" }, { 2, "x.lua:4: a" }, { 5, "it was killed" }, { 6, "it was killed" } }
  lu.assertStrContains(text, "replicate 1 (seed 1): x.lua:3: a")
  lu.assertStrContains(text, "replicate 2 (seed 1): x.lua:4: a")
  lu.assertStrContains(text, "replicates 5-6 (seed 1): it was killed")
end

function TestExperiment.test_observes_columns_of_a_file()
  local path = os.tmpname()
  ves.write_table(path, { a = { 0, 1, 2 }, b = { 2, 0, 1 }, out = { 0.1, 0.9, 2.2 }, w = { 1, 2, 3 } })
  local code = ves.code { n = 5, lo = 0, hi = 2, sigma = 0.4 }
  local function network(input) return ves.network { input = input, output = code, rng = ves.rng(1) } end
  local E = new { name = "e" }
  local both = E:observe(network { code, code }, path, { x = { "a", "b" }, y = "out", salience = "w" })
  lu.assertEquals(both.A, network({ code, code }):observe({ { 0, 1, 2 }, { 2, 0, 1 } }, { 0.1, 0.9, 2.2 },
    { salience = { 1, 2, 3 } }).A)
  lu.assertEquals(E:observe(network(code), path, { x = "a", y = "out" }).A,
    network(code):observe({ 0, 1, 2 }, { 0.1, 0.9, 2.2 }).A)
  fails("has no column `c`", E.observe, E, network { code, code }, path, { x = { "a", "c" }, y = "out" })
  os.remove(path)
end

os.exit(lu.LuaUnit.run())
