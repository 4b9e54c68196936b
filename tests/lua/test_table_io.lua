-- Tables from and to text files, arrays from and to NumPy files: what is written is read back bit for bit,
-- and whatever is wrong with a file is said with its line and column.
local lu = require "luaunit"
local ves = require "vesicle"
local support = require "api.support"

local path = os.tmpname()

local function write(text)
  local file <close> = assert(io.open(path, "wb"))
  file:write(text)
end

local function read_back()
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

local function read(text, options)
  write(text)
  return ves.read_table(path, options)
end

--- The message without the name of the file, which is another at every run.
local function refused(message, text, options)
  write(text)
  local ok, said = pcall(ves.read_table, path, options)
  lu.assertFalse(ok, "expected an error: " .. message)
  lu.assertEquals((said:gsub("'" .. path:gsub("%p", "%%%0") .. "'", "'F'"):gsub("^.-(ves%.)", "%1")), message)
end

local function list(v) return v:totable() end

TestRead = {}

function TestRead.test_tabs_and_commas()
  for _, separator in ipairs { "\t", ",", ";" } do
    local t, info = read((("x,label,y\n1,a,-2.5e3\n.5,b b,7.\n"):gsub(",", separator)))
    lu.assertEquals(list(t.x), { 1, 0.5 })
    lu.assertEquals(t.label, { "a", "b b" })
    lu.assertEquals(list(t.y), { -2500, 7 })
    lu.assertEquals(info, { columns = { "x", "label", "y" }, rows = 2, comments = {} })
  end
end

function TestRead.test_a_tab_goes_before_a_comma()
  local t = read("a,b\tc\n1\t2\n")
  lu.assertEquals(list(t["a,b"]), { 1 })
end

function TestRead.test_a_single_column()
  lu.assertEquals(list(read("x\n1\n2\n").x), { 1, 2 })
end

function TestRead.test_line_ends_of_all_systems()
  for _, ending in ipairs { "\n", "\r\n", "\r" } do
    local t = read((("x,y\n1,2\n\n3,4"):gsub("\n", ending)))
    lu.assertEquals(list(t.x), { 1, 3 })
    lu.assertEquals(list(t.y), { 2, 4 })
  end
end

function TestRead.test_byte_order_mark()
  lu.assertEquals(list(read("\xef\xbb\xbfx\n1\n").x), { 1 })
  refused("ves.read_table: 'F' is UTF-16: save it as UTF-8", "\xff\xfex\0\n\0")
end

function TestRead.test_quotes()
  local t = read('"a,b",c\n"say ""hi""","two\nlines"\n x , "y" \n')
  lu.assertEquals(t["a,b"], { 'say "hi"', "x" })
  lu.assertEquals(t.c, { "two\nlines", "y" })
end

function TestRead.test_quotes_inside_a_cell_are_plain()
  lu.assertEquals(read('a,b\n5"x,1\n').a, { '5"x' })
end

function TestRead.test_comments()
  local t, info = read("# made by hand\n#second\nx\n# between\n1\n")
  lu.assertEquals(list(t.x), { 1 })
  lu.assertEquals(info.comments, { "made by hand", "second", "between" })
  t = read("%x\ny\n#1\n", { comment = "%" })
  lu.assertEquals(t.y, { "#1" })
  t = read("#x\n1\n", { comment = false })
  lu.assertEquals(list(t["#x"]), { 1 })
end

function TestRead.test_missing_values()
  local t = read("x,y,z\n1,NA,\n,b,NA\n")
  lu.assertEquals(t.x[1], 1)
  lu.assertTrue(t.x[2] ~= t.x[2])
  lu.assertEquals(t.y, { false, "b" })
  lu.assertEquals(#t.z, 2)
  lu.assertTrue(t.z[1] ~= t.z[1])
  t = read("x\n-\n-999\n3\n", { missing = { "-", "-999" } })
  lu.assertTrue(t.x[1] ~= t.x[1] and t.x[2] ~= t.x[2])
  lu.assertEquals(t.x[3], 3)
  lu.assertEquals(read('x\n"NA"\n""\n').x, { "NA", "" })
end

function TestRead.test_numbers_of_every_form()
  local t = read("x\n1e-3\n+2\n-inf\nInfinity\n0x\n", { text = { "x" } })
  lu.assertEquals(t.x[5], "0x")
  t = read("x\n1e-3\n+2\n-inf\nInfinity\nnan\n5e-324\n")
  lu.assertEquals(t.x[1], 0.001)
  lu.assertEquals(t.x[3], -math.huge)
  lu.assertEquals(t.x[4], math.huge)
  lu.assertTrue(t.x[5] ~= t.x[5])
  lu.assertEquals(t.x[6], 5e-324)
  for _, text in ipairs { "0x10", "1,5", "1e", ".", "-", "1 2", "1e999", "infinit", "1_000" } do
    lu.assertEquals(read("x;y\n" .. text .. ";1\n").x, { text })
  end
end

function TestRead.test_without_names()
  local t = read("1,2\n3,4\n", { columns = { "a", "b" } })
  lu.assertEquals(list(t.a), { 1, 3 })
  lu.assertEquals(list(t.b), { 2, 4 })
end

function TestRead.test_text_and_number_on_request()
  local t = read('id,v\n007,"1"\n8,"2"\n', { text = { "id" }, number = { "v" } })
  lu.assertEquals(t.id, { "007", "8" })
  lu.assertEquals(list(t.v), { 1, 2 })
end

-- As they stand: no quotes, no blanks left out, nothing missing, no comments below the first row.
function TestRead.test_cells_as_they_stand()
  local t, info = read('# a\n# b\nx\ty\n1\t"a\n NA \t\n#\tx\n', { text = true, separator = "\t" })
  lu.assertEquals(t, { x = { "1", " NA ", "#" }, y = { '"a', "", "x" } })
  lu.assertEquals(info, { columns = { "x", "y" }, rows = 3, comments = { "a", "b" } })
  refused("ves.read_table: 'F' line 3, column 2: this row has 1 cells: expected 2", "x\ty\n1\t2\n\n3\t4\n",
    { text = true })
  refused("ves.read_table: column 'x' cannot be text and number", "x\n1\n", { text = true, number = { "x" } })
  refused("ves.read_table: key 'text' = false: expected an array of column names, or true", "x\n1\n", { text = false })
end

function TestRead.test_content_instead_of_the_file()
  local t = ves.read_table("anything", { content = "x\n1\n2\n" })
  lu.assertEquals(list(t.x), { 1, 2 })
  support.fails(lu, "'anything' line 3, column 1 ('x'): 'a': expected a number", ves.read_table, "anything",
    { content = "x\n1\na\n" })
  support.fails(lu, "key 'content' = 3: expected a text", ves.read_table, "anything", { content = 3 })
  support.fails(lu, "argument 'path' = nil: expected the name of a file", ves.read_table, nil, { content = "x\n" })
end

function TestRead.test_no_rows()
  local t, info = read("x,y\n")
  lu.assertEquals(#t.x, 0)
  lu.assertEquals(info.rows, 0)
end

function TestRead.test_errors_name_line_and_column()
  refused("ves.read_table: 'F' line 4, column 2 ('y'): '4,5': expected a number, as above it in this column "
    .. "(key 'text' makes it a column of texts)", "x;y\n# comment\n1;2\n3;4,5\n")
  refused("ves.read_table: 'F' line 3, column 3: this row has 2 cells: expected 3", "a,b,c\n1,2,3\n4,5\n")
  refused("ves.read_table: 'F' line 2, column 3: this row has 3 cells: expected 2", "a,b\n1,2,3\n")
  refused("ves.read_table: 'F' line 2, column 2: the quote that opens here is not closed", 'a,b\n1,"x\n2,3\n')
  refused("ves.read_table: 'F' line 3, column 2: text after the closing quote", 'a,b\n1,"x\ny"z\n')
  refused("ves.read_table: 'F' line 1, column 2: a column without a name", "a,,c\n1,2,3\n")
  refused("ves.read_table: 'F' line 2, column 3 ('a'): another column has the same name", "# c\na,b,a\n1,2,3\n")
  refused("ves.read_table: 'F' line 2, column 1 ('v'): 'one': expected a number", "v\none\n", { number = { "v" } })
  refused("ves.read_table: 'F' is empty: expected a row of column names", "")
  refused("ves.read_table: 'F' is empty: expected a row of column names", "# only this\n\n")
end

function TestRead.test_lines_inside_quotes_are_counted()
  refused("ves.read_table: 'F' line 4, column 1 ('a'): 'x': expected a number, as above it in this column "
    .. "(key 'text' makes it a column of texts)", 'a,b\n1,"two\nlines"\nx,y\n')
end

function TestRead.test_bad_calls()
  support.fails(lu, "ves.read_table: argument 'path' = 3: expected the name of a file", ves.read_table, 3)
  support.fails(lu, "cannot read '/nonexistent/t.tsv': No such file", ves.read_table, "/nonexistent/t.tsv")
  support.fails(lu, "cannot read '/': Is a directory", ves.read_table, "/")
  support.fails(lu, "unknown key 'seperator': did you mean 'separator'?", read, "x\n", { seperator = "," })
  support.fails(lu, "key 'separator' = ',,': expected one character", read, "x\n", { separator = ",," })
  support.fails(lu, "key 'separator' = 'x': expected one character", read, "x\n", { separator = "x" })
  support.fails(lu, "the separator and the comment are the same", read, "x\n", { separator = "#" })
  support.fails(lu, "there is no column 'lable': did you mean 'label'?", read, "label\n", { text = { "lable" } })
  support.fails(lu, "key 'columns'[2] = 'a': expected a new name", read, "1,2\n", { columns = { "a", "a" } })
  support.fails(lu, "cannot be text and number", read, "a\n1\n", { text = { "a" }, number = { "a" } })
end

function TestRead.test_every_line_end_counts_once()
  for _, ending in ipairs { "\n", "\r\n", "\r" } do
    refused("ves.read_table: 'F' line 3, column 2: this row has 1 cells: expected 2",
      (("a,b\n1,2\n3\n"):gsub("\n", ending)))
  end
end

function TestRead.test_a_number_in_quotes_is_a_text()
  lu.assertEquals(read('x\n"1"\n2\n').x, { "1", "2" })
end

function TestRead.test_separators_inside_quotes_do_not_count()
  local t = read('"a\tb",c\n1,2\n')
  lu.assertEquals({ t["a\tb"][1], t.c[1] }, { 1, 2 })
end

TestWrite = {}

local awkward = { 2.385, 0.1, 1 / 3, 1e300, 5e-324, -0.0, 123456789012345678, 2 ^ 53 + 2 }
local texts = {
  "plain", "with,comma", 'with "quotes"', "two\nlines", " blanks ", "NA", "", "007", "#no comment", "tab\there",
}

function TestWrite.test_round_trip_to_the_bit()
  for _, separator in ipairs { "\t", ",", ";" } do
    local rng = ves.rng(7)
    local data = { u = rng:uniform(50), n = rng:normal(0, 1e10, 50) }
    lu.assertEquals(ves.write_table(path, data, { separator = separator }), 50)
    local back = ves.read_table(path)
    lu.assertTrue(back.u == data.u and back.n == data.n)
    ves.write_table(path, { v = awkward }, { separator = separator })
    back = ves.read_table(path)
    for i, x in ipairs(awkward) do lu.assertEquals(string.pack("<d", back.v[i]), string.pack("<d", x)) end
    ves.write_table(path, { t = texts, i = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 } }, { separator = separator })
    lu.assertEquals(ves.read_table(path).t, texts)
  end
  ves.write_table(path, { t = { "1", "-inf", "2e3" } })
  lu.assertEquals(ves.read_table(path).t, { "1", "-inf", "2e3" })
end

function TestWrite.test_what_it_looks_like()
  ves.write_table(path, { b = { 1, 2 }, a = { "x", false } }, { comments = { "first", "second" } })
  lu.assertEquals(read_back(), "a\tb\n# first\n# second\nx\t1\nNA\t2\n")
  ves.write_table(path, { b = { 1.5 }, a = { 0.1 } },
    { columns = { "b", "a" }, separator = ",", comments = "one\ntwo" })
  lu.assertEquals(read_back(), "b,a\n# one\n# two\n1.5,0.10000000000000001\n")
  local csv = path .. ".csv"
  ves.write_table(csv, { a = { 1 }, b = { "x,y" } })
  local file <close> = assert(io.open(csv, "rb"))
  lu.assertEquals(file:read("a"), 'a,b\n1,"x,y"\n')
  os.remove(csv)
end

function TestWrite.test_missing_numbers()
  local t = read("x\n1\nNA\n")
  ves.write_table(path, t)
  lu.assertEquals(read_back(), "x\n1\nNA\n")
end

function TestWrite.test_matrix()
  lu.assertEquals(ves.write_table(path, ves.matrix { { 1, 2 }, { 3, 4 } }, { columns = { "x", "y" } }), 2)
  lu.assertEquals(read_back(), "x\ty\n1\t2\n3\t4\n")
end

function TestWrite.test_nothing_is_left_behind()
  ves.write_table(path, { x = { 1 } })
  lu.assertNil(io.open(path .. ".partial"))
  support.fails(lu, "cannot write '/nonexistent/t.tsv': No such file", ves.write_table, "/nonexistent/t.tsv",
    { x = { 1 } })
  support.fails(lu, "column 'y', row 2 = a table", ves.write_table, path, { y = { 1, {} } })
  lu.assertEquals(read_back(), "x\n1\n")
end

-- The new file is made beside the old one: where that is impossible, the old one stays.
function TestWrite.test_a_file_is_replaced_in_one_step()
  ves.write_table(path, { x = { 1 } })
  assert(os.execute("mkdir '" .. path .. ".partial'"))
  support.fails(lu, "cannot write '" .. path .. "': Is a directory", ves.write_table, path, { x = { 2 } })
  support.fails(lu, "cannot write '" .. path .. "': Is a directory", ves.write_npy, path, { 2 })
  os.remove(path .. ".partial")
  lu.assertEquals(read_back(), "x\n1\n")
end

function TestWrite.test_bad_calls()
  local function fails(message, ...) support.fails(lu, message, ves.write_table, ...) end
  fails("argument 'data' = nil: expected a table of columns by name, or a matrix", path)
  fails("argument 'data' = a table: expected at least one column", path, {})
  fails("columns by name, not a table with the key 1", path, { 1, 2 })
  fails("column 'y' has 1 rows: expected 2 as in column 'x'", path, { x = { 1, 2 }, y = { 1 } })
  fails("key 'x' = 3: expected a column: a vector or an array", path, { x = 3 })
  fails("column 'x', row 2: a text in a column of numbers", path, { x = { 1, "a" } })
  fails("column 'x', row 1 = true: expected a number, a text, or false for a missing one", path, { x = { true } })
  fails("has no column 'z'", path, { x = { 1 } }, { columns = { "z" } })
  fails("has 2 columns, key 'columns' names 1", path, { x = { 1 }, y = { 1 } }, { columns = { "x" } })
  fails("key 'columns'[2] = 'x': this column is already there", path, { x = { 1 } }, { columns = { "x", "x" } })
  fails("key 'columns' is missing: expected 2 column names", path, ves.matrix(1, 2))
  fails("expected a matrix with 1 columns", path, ves.matrix(1, 2), { columns = { "x" } })
  fails("a column is called '': expected a name", path, { [""] = { 1 } })
  fails("key 'separator' = '|'", path, { x = { 1 } }, { separator = "|" })
  fails("expected one that has not been closed", path, support.close(ves.matrix(1, 1)), { columns = { "x" } })
  fails("expected one that has not been closed", path, { x = support.close(ves.vector(1)) })
end

TestNpy = {}

function TestNpy.test_round_trip_to_the_bit()
  local rng = ves.rng(11)
  local v = rng:normal(0, 1, 33)
  local m = ves.matrix { { 1, 2.385, -0.0 }, { 5e-324, 1e308, 1 / 3 } }
  lu.assertEquals(select("#", ves.write_npy(path, v)), 0)
  lu.assertTrue(ves.read_npy(path) == v)
  ves.write_npy(path, m)
  local back = ves.read_npy(path)
  lu.assertEquals({ back.rows, back.cols }, { 2, 3 })
  for i = 1, 2 do
    for j = 1, 3 do lu.assertEquals(string.pack("<d", back[i][j]), string.pack("<d", m[i][j])) end
  end
  ves.write_npy(path, { 1, 2, 3 })
  lu.assertEquals(list(ves.read_npy(path)), { 1, 2, 3 })
  ves.write_npy(path, { { 1, 2 }, { 3, 4 } })
  lu.assertEquals(ves.read_npy(path):totable(), { { 1, 2 }, { 3, 4 } })
end

function TestNpy.test_the_bytes_are_version_1()
  ves.write_npy(path, { 1.5 })
  local bytes = read_back()
  lu.assertEquals(bytes:sub(1, 8), "\x93NUMPY\x01\x00")
  local length = string.unpack("<I2", bytes, 9)
  lu.assertEquals((10 + length) % 64, 0)
  lu.assertStrMatches(bytes:sub(11, 10 + length), "{'descr': '<f8', 'fortran_order': False, 'shape': %(1,%), } *\n")
  lu.assertEquals(bytes:sub(11 + length), string.pack("<d", 1.5))
  lu.assertEquals(ves.npy { 1.5 }, bytes)
end

--- A file with a header and data of our own making.
local function make(header, data, version)
  write("\x93NUMPY" .. string.char(version or 1, 0) .. string.pack("<I2", #header) .. header .. data)
  return ves.read_npy(path)
end

local function header(descr, shape, order)
  return string.format("{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n", descr, order or "False", shape)
end

function TestNpy.test_rows_one_after_the_other()
  local data = string.pack("<dddddd", 1, 2, 3, 4, 5, 6)
  lu.assertEquals(make(header("'<f8'", "(2, 3)"), data):totable(), { { 1, 2, 3 }, { 4, 5, 6 } })
  lu.assertEquals(list(make(header("'<f8'", "(6,)"), data)), { 1, 2, 3, 4, 5, 6 })
  lu.assertEquals(list(make(header("'<f8'", "(0,)"), "")), {})
end

function TestNpy.test_what_cannot_be_read_is_said()
  local function fails(message, ...) support.fails(lu, message, make, ...) end
  local other = "is no vector or matrix of doubles in rows: save it as numpy.ascontiguousarray(a, '<f8')"
  for _, case in ipairs {
    { "'<f4'", "(2,)" }, { "'>f8'", "(1,)" }, { "'<i8'", "(1,)" }, { "'<c16'", "(1,)" }, { "'|O'", "(1,)" },
    { "'<f8'", "(1, 1)", "True" }, { "'<f8'", "(1, 1, 1)" }, { "'<f8'", "()" }, { "'<f8'", "(-1,)" },
    { "'<f8'", "(99999999999999999999,)" }, { "'<f8'", "(100000000, 100000000)" }, { "'<f8'", "(0, 3)" },
    { "[('a', '<f8')]", "(1,)" },
  } do
    fails(other, header(table.unpack(case)), ("\0"):rep(8))
  end
  fails(other, "{'shape'", "")
  fails("has the wrong size", header("'<f8'", "(1,)"), ("\0"):rep(7))
  fails("has the wrong size", header("'<f8'", "(1,)"), ("\0"):rep(9))
  fails("has another format version than 1.0", "", "", 9)
  write("hello")
  support.fails(lu, "is not a .npy file", ves.read_npy, path)
  write("\x93NUMPY\1\0\xff\xff{")
  support.fails(lu, "is cut short", ves.read_npy, path)
end

function TestNpy.test_bad_calls()
  for _, f in ipairs { function(data) return ves.write_npy(path, data) end, ves.npy } do
    local function fails(message, data) support.fails(lu, message, f, data) end
    fails("argument 'data' = 3: expected a vector or matrix", 3)
    fails("argument 'data' = a table: expected a vector with at least one element", {})
    fails("argument 'data'[2] = 'x': expected a finite number", { 1, "x" })
    fails("expected one that has not been closed", support.close(ves.vector(1)))
  end
  support.fails(lu, "argument 'path' = nil: expected the name of a file", ves.write_npy)
end

-- Damage anywhere in a file is an error or other numbers, never a crash.
function TestNpy.test_damaged_files()
  ves.write_npy(path, { { 1, 2 }, { 3, 4 } })
  local good = read_back()
  local rng = ves.rng(5)
  for _ = 1, 500 do
    local at, byte = rng:integer(#good), rng:integer(256) - 1
    local cut = rng:uniform() < 0.2 and rng:integer(#good) or #good
    write((good:sub(1, at - 1) .. string.char(byte) .. good:sub(at + 1)):sub(1, cut))
    pcall(ves.read_npy, path)
  end
end

function TestRead.test_damaged_files()
  local good = '# c\nx,y\n1,"a ""b"" c"\n2,NA\n'
  local rng = ves.rng(6)
  local bytes = { '"', ",", "\n", "\r", "\0", "#", "\xff", "e", "." }
  for _ = 1, 500 do
    local at = rng:integer(#good)
    write(good:sub(1, at - 1) .. bytes[rng:integer(#bytes)] .. good:sub(at + (rng:bernoulli(0.5))))
    pcall(ves.read_table, path)
  end
end

local code = lu.LuaUnit.run()
os.remove(path)
os.exit(code, true)
