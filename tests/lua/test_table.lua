-- Tables, parameters and numbers: what reaches a file, and what is refused.
local lu = require "luaunit"
local ves = require "vesicle"
local number = require "vesicle.experiment.number"
local params = require "vesicle.experiment.params"
local tsv = require "vesicle.table"

local function fails(pattern, f, ...) lu.assertErrorMsgMatches(".*" .. pattern .. ".*", f, ...) end

TestTable = {} -- luacheck: globals TestTable

local function render(columns, rows, header) return tsv.render("E:table t", columns, rows, header) end

function TestTable.test_cells_keep_every_bit()
  for _, x in ipairs { 0.1, 1 / 3, 2.385, -1e-310, 1e300, 5e-324, math.pi } do
    lu.assertEquals(tonumber(tsv.cell(x)), x)
  end
  lu.assertEquals(tsv.cell(3), "3")
  lu.assertEquals(tsv.cell(3.0), "3")
  lu.assertEquals(tsv.cell(0.1), "0.10000000000000001")
  lu.assertEquals(tsv.cell(0 / 0), "NA")
  lu.assertEquals(tsv.cell(-(0 / 0)), "NA")
  lu.assertEquals(tsv.cell(math.huge), "inf")
  lu.assertEquals(tsv.cell(-math.huge), "-inf")
  lu.assertEquals(tsv.cell(true), "true")
end

function TestTable.test_rows_of_every_kind_give_the_same_text()
  local expected = "x\ty\n# h\n1\t2.5\n3\t4.5\n"
  lu.assertEquals(render({ "x", "y" }, { { 1, 2.5 }, { 3, 4.5 } }, { "h" }), expected)
  lu.assertEquals(render({ "x", "y" }, { { y = 2.5, x = 1 }, { x = 3, y = 4.5 } }, { "h" }), expected)
  lu.assertEquals(render({ "x", "y" }, ves.matrix { { 1, 2.5 }, { 3, 4.5 } }, { "h" }), expected)
  lu.assertEquals(render({ "x", "y" }, { ves.vector { 1, 2.5 }, ves.vector { 3, 4.5 } }, { "h" }),
    expected)
  lu.assertEquals(render({ "x" }, {}), "x\n")
end

--- A row may be a list of parameters, which looks like an array through its metatable.
function TestTable.test_rows_with_a_metatable()
  local sealed = setmetatable({}, { __index = { 1, 2.5 }, __len = function() return 2 end, __metatable = false })
  lu.assertEquals(render({ "x", "y" }, { sealed }), "x\ty\n1\t2.5\n")
  fails("row 1 has 2 cells, expected 1", render, { "x" }, { sealed })
end

--- What others wrote may say anything to a terminal.
function TestTable.test_foreign_control_characters()
  local path = os.tmpname()
  for _, text in ipairs {
    "x\ty\n1\ta\27[31m\n", "x\ty\n1\t\127\n", "x\ty\n1\t\u{9b}31m\n", "x\ty\27[0m\n1\t2\n", "x\n# a\27c\n1\n",
  } do
    local file <close> = assert(io.open(path, "w"))
    file:write(text)
    file:close()
    local rows, why = tsv.texts(path)
    lu.assertNil(rows)
    lu.assertStrContains(why, "no experiment writes a control character")
    lu.assertNil((why:gsub(path, "")):find("%c"))
  end
  os.remove(path)
end

function TestTable.test_bad_tables()
  fails("row 2 has 1 cells, expected 2 %(x, y%)", render, { "x", "y" }, { { 1, 2 }, { 3 } })
  fails("row 1 has 3 cells, expected 2", render, { "x", "y" }, { { 1, 2, 3 } })
  fails("row 1, column `y`: .*got nil", render, { "x", "y" }, { { x = 1 } })
  fails("row 1, column `y`: .*got nil", render, { "x", "y", "z" }, { { 1, nil, 3 } })
  fails("row 1 has the key `z` beside its 2 cells", render, { "x", "y" }, { { 1, 2, z = 3 } })
  fails("row 1 has no column for the key `z`", render, { "x", "y" }, { { x = 1, y = 2, z = 3 } })
  fails("row 1, column `x`: a text with a tab", render, { "x" }, { { "a\tb" } })
  -- A terminal or LaTeX would obey them.
  for _, character in ipairs { "\n", "\t", "\r", "\27", "\127", "\0", "\u{9b}" } do
    fails("row 1, column `x`: a text with a tab, a line break or another control character", render, { "x" },
      { { "a" .. character .. "b" } })
  end
  fails('row 2, column `x`: "#1" begins with #, which would make the row a comment', render, { "x", "y" },
    { { "1#", "#" }, { "#1", 2 } })
  fails("row 1, column `x`: an empty text", render, { "x" }, { { "" } })
  fails("row 1, column `x`: a number, text or boolean was expected, got a table", render, { "x" },
    { { {} } })
  fails("row 1 is 5, expected an array of 1 cells", render, { "x" }, { 5 })
  fails("rows: expected an array of rows, got the key `3`", render, { "x" }, { { 1 }, [3] = { 2 } })
  fails("rows: expected an array of rows or a matrix, got nil", render, { "x" }, nil)
  fails("column `x` occurs twice", render, { "x", "x" }, {})
  fails("column 1 is \"a b\"", render, { "a b" }, {})
  fails("columns: expected an array of names", render, {}, {})
  fails("or of { name, meaning, values }, got a table", tsv.columns, "t", { x = { 1 } })
  fails("row 1 has 3 cells", render, { "x", "y" }, ves.matrix { { 1, 2, 3 } })
  fails("column 1: expected a name or { name, meaning, values }", tsv.columns, "t", { { "x", 3, { 1 } } })
  fails("column `y` has no values, other columns have", tsv.columns, "t", { { "x", { 1 } }, { "y", "what" } })
  fails("column `x` occurs twice", tsv.columns, "E:table t", { { "x", "input" }, "x" })
  fails("row 1, cell 3 has 1 elements, a cell before it 2", tsv.expand, "E:table t", { { { 1, 2 }, "a", { 3 } } })
end

function TestTable.test_a_meaning_stands_beside_its_column()
  local names, lines = tsv.columns("t", { "x", { "y", "x squared" } })
  lu.assertEquals({ names, lines }, { { "x", "y" }, { "column: y: x squared" } })
  local x = ves.vector { 1, 2 }
  local _, meanings, rows = tsv.columns("t", { { "x", x }, { "y", "x squared", x ^ 2 }, { "z", 3 } })
  lu.assertEquals(meanings, { "column: y: x squared" })
  lu.assertEquals(tsv.expand("t", rows), { { 1, 1, 3 }, { 2, 4, 3 } })
end

function TestTable.test_an_estimate_fills_two_columns()
  local s = require("vesicle.stats").summary(ves.matrix { { 1, 10 }, { 3, 20 } })
  local names, _, rows = tsv.columns("t", { { "x", { 7, 8 } }, { "y", "mean", s } })
  lu.assertEquals(names, { "x", "y", "y_se" })
  lu.assertEquals(tsv.expand("t", rows), { { 7, 2, 1 }, { 8, 15, 5 } })
  lu.assertEquals(tsv.expand("t", { { "a", s[1], "b" }, { "c", s, "d" } }),
    { { "a", 2, 1, "b" }, { "c", 2, 1, "d" }, { "c", 15, 5, "d" } })
end

function TestTable.test_a_row_of_vectors_stands_for_many()
  local rows = tsv.expand("t", { { "a", ves.vector { 1, 2 }, { "p", "q" } }, { "b", 3, "r" } })
  lu.assertEquals(rows, { { "a", 1, "p" }, { "a", 2, "q" }, { "b", 3, "r" } })
end

--- Tables of other hands, and those of the library before, have their `#` lines first.
function TestTable.test_read_takes_either_order()
  local path = os.tmpname()
  for _, head in ipairs { "# a: 1\n# b\nx\tn\n", "x\tn\n# a: 1\n# b\n", "# a: 1\nx\tn\n# b\n" } do
    local file = assert(io.open(path, "wb"))
    file:write(head, "1\t#\n2\tz\n")
    file:close()
    lu.assertEquals({ tsv.read(path) }, { { { x = 1, n = "#" }, { x = 2, n = "z" } }, { "x", "n" }, { "a: 1", "b" } })
  end
  os.remove(path)
end

function TestTable.test_read_returns_what_render_wrote()
  local path = os.tmpname()
  local file = assert(io.open(path, "wb"))
  file:write(render({ "x", "name" }, { { 0.1, "a b" }, { -3, "c" } }, { "seed: 1" }))
  file:close()
  local rows, columns, header = tsv.read(path)
  lu.assertEquals(rows, { { x = 0.1, name = "a b" }, { x = -3, name = "c" } })
  lu.assertEquals(columns, { "x", "name" })
  lu.assertEquals(header, { "seed: 1" })
  file = assert(io.open(path, "ab"))
  file:write("1\n")
  file:close()
  local none, why = tsv.read(path)
  lu.assertNil(none)
  lu.assertStrContains(why, "line 5, column 2: this row has 1 cells: expected 2")
  os.remove(path)
end

TestParams = {} -- luacheck: globals TestParams

local defaults = { n = 10, psi = 2.5, rule = "power", on = false, xs = { 1, 2.5 }, names = { "a" } }
local ranges = { psi = { 1, 20 }, rule = { "power", "raw" } }

local function resolve(set, quick, scale)
  return params.resolve("e", defaults, quick or {}, ranges, scale or "full", set or {})
end

function TestParams.test_values_are_typed_by_the_default()
  local v = resolve { "n=1e3", "psi=4", "rule=raw", "on=true", "xs=3, 4,5e-1", "names=p,q" }
  lu.assertEquals(v, { n = 1000, psi = 4.0, rule = "raw", on = true, xs = { 3, 4, 0.5 },
                       names = { "p", "q" } })
  lu.assertEquals(math.type(v.n), "integer")
  lu.assertEquals(math.type(v.psi), "float")
  lu.assertEquals(resolve { "rule=raw", "rule=power" }.rule, "power")
  lu.assertEquals(resolve { "xs=" }.xs, {})
  lu.assertEquals(defaults.xs, { 1, 2.5 })
end

function TestParams.test_quick_applies_at_quick_scale_and_set_after_it()
  lu.assertEquals(resolve({}, { n = 2 }, "full").n, 10)
  lu.assertEquals(resolve({}, { n = 2 }, "quick").n, 2)
  lu.assertEquals(resolve({ "n=5" }, { n = 2 }, "quick").n, 5)
  lu.assertEquals(math.type(resolve({}, { psi = 2 }, "quick").psi), "float")
end

function TestParams.test_bad_overrides_are_usage_errors()
  local function bad(word, expected)
    local good, stop = pcall(resolve, { word })
    lu.assertFalse(good)
    lu.assertEquals(stop.exit_code, 2)
    lu.assertStrContains(stop.message, expected)
  end
  bad("pis=3", "no parameter `pis`: did you mean `psi`? (parameters: n, names, on, psi, rule, xs)")
  bad("quantum=3", "no parameter `quantum` (parameters:")
  bad("n=2.5", "`n` of e: expected a whole number, got '2.5'")
  bad("n=", "expected a whole number, got ''")
  bad("n=0x10", "expected a whole number")
  bad("psi=nan", "expected a finite number, got 'nan'")
  bad("psi=inf", "expected a finite number")
  bad("psi=1e999", "expected a finite number")
  bad("psi=3x", "expected a finite number")
  bad("psi=21", "expected 1 to 20, got '21'")
  bad("rule=rew", "expected power|raw, got 'rew'")
  bad("on=maybe", "expected true or false, got 'maybe'")
  bad("xs=1,,2", "expected finite numbers separated by commas")
end

function TestParams.test_bad_declarations()
  fails("params: `f` is a function, expected a number", params.resolve, "e", { f = print }, {}, {},
    "full", {})
  fails("quick: there is no parameter `m`", resolve, {}, { m = 1 })
  fails("quick: `n` is \"x\", expected a whole number", resolve, {}, { n = "x" })
  fails("range: there is no parameter `q`", params.resolve, "e", { p = 1 }, {}, { q = { 1, 2 } },
    "full", {})
  fails("`p` = 3 is outside its range 1 to 2", params.resolve, "e", { p = 3 }, {},
    { p = { 1, 2 } }, "full", {})
end

function TestParams.test_sealed()
  local P = params.seal("e", { psi = 2.5, n = 3 }, { "n", "psi" })
  lu.assertEquals(P.psi, 2.5)
  fails("e has no parameter `pis`: did you mean `psi`%?", function() return P.pis end)
  fails("parameter `psi` cannot be assigned; use %-%-set psi=", function() P.psi = 3 end)
  local seen = {}
  for k, v in pairs(P) do seen[#seen + 1] = k .. "=" .. v end
  lu.assertEquals(seen, { "n=3", "psi=2.5" })
end

function TestParams.test_one_text_per_value()
  lu.assertEquals(params.text(0.1), "0.1")
  lu.assertEquals(params.text(1 / 3), "0.3333333333333333")
  lu.assertEquals(params.text(3), "3")
  lu.assertEquals(params.text { 1, 0.5 }, "1,0.5")
end

TestNumber = {} -- luacheck: globals TestNumber

function TestNumber.test_two_digits_of_the_standard_error()
  local function shown(v, e, digits) return { number.format(v, e, digits) } end
  lu.assertEquals(shown(0.19731, 0.00412), { "0.1973", "0.0041", 0 })
  lu.assertEquals(shown(0.19731, 0.000996), { "0.1973", "0.0010", 0 })
  lu.assertEquals(shown(12.3456, 1.26), { "12.3", "1.3", 0 })
  lu.assertEquals(shown(1234.5, 126.0), { "1230", "130", 0 })
  lu.assertEquals(shown(-0.0001, 0.01), { "0.000", "0.010", 0 })
  lu.assertEquals(shown(0.5, 0.0), { "0.5000", "0.0000", 0 })
  lu.assertEquals(shown(1.5e-7, 2.25e-8), { "1.50", "0.23", -7 })
  lu.assertEquals(shown(123456789.0, 4321), { "1.234568", "0.000043", 8 })
  lu.assertEquals(shown(3.14159265, nil), { "3.142", nil, 0 })
  lu.assertEquals(shown(200), { "200", nil, 0 })
  lu.assertEquals(shown(3.14159265, nil, 3), { "3.14", nil, 0 })
  lu.assertEquals(shown(0.0), { "0", nil, 0 })
end

function TestNumber.test_latex()
  local v, e, both = number.latex(-0.19731, 0.00412)
  lu.assertEquals({ v, e, both },
    { "\\ensuremath{-0.1973}", "\\ensuremath{0.0041}", "\\ensuremath{-0.1973 \\pm 0.0041}" })
  lu.assertEquals(number.latex(1.5e-7), "\\ensuremath{1.500\\times 10^{-7}}")
  lu.assertEquals(select(3, number.latex(1.5e-7, 1e-8)),
    "\\ensuremath{(1.50 \\pm 0.10)\\times 10^{-7}}")
end

os.exit(lu.LuaUnit.run())
