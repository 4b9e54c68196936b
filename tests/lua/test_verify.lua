-- What `make verify` calls identical, equivalent and different, on small lists of facts.
local lu = require "luaunit"
local expected = require "vesicle.publish.expected"
local files = require "vesicle.publish.files"
local ledger = require "vesicle.experiment.ledger"
local provenance = require "vesicle.publish.provenance"
local results = require "vesicle.publish.results"
local tolerance = require "vesicle.publish.tolerance"
local verify = require "vesicle.publish.verify"

TestVerify = {}

local function row(kind, name, value, spread, sum)
  return { kind = kind, name = name, value = value, spread = spread or "NA", sum = sum or "NA" }
end

local function facts(change)
  local rows = {
    row("setting", "06 rows", "4000"), row("number", "06 \\Sd", "0.5", "0.01"), row("number", "06 \\Exact", "0.25"),
    row("claim", "sd/printed", "holds", "0.01 0.02", "1.5 2.5"), row("table", "06/sd.tsv", "5", "NA", "aa"),
    row("column", "06/sd.tsv x", "2.5", "0.3", "1.6"),
    row("document", "paper.pdf", "NA", "NA", "p"), row("document", "sources", "NA", "NA", "s"),
    row("column", "06/sd.tsv name", "text", "NA", "ab"),
  }
  if change then change(rows) end
  return rows
end

local function level(change)
  local report = verify.compare(facts(), facts(change))
  return report.level, report
end

function TestVerify.test_the_same_is_identical()
  local said, report = level()
  lu.assertEquals(said, "identical")
  lu.assertEquals(report.identical, 9)
end

-- What another library does to these facts: every number in its last digits.
function TestVerify.test_last_digits_are_equivalent_and_listed()
  local said, report = level(function(r)
    r[2].value, r[3].value, r[4].sum = "0.50000000000000022", "0.24999999999999989", "1.5000000000000004 2.5"
    r[5].sum, r[6].value, r[6].sum, r[7].sum, r[8].sum = "bb", "2.50000000000001", "1.60000000000001", "q", "t"
  end)
  lu.assertEquals(said, "equivalent")
  lu.assertEquals(#report.equivalent, 7)
  lu.assertStrContains(report.equivalent[1], "\\Sd: 0.5 -> 0.50000000000000022")
end

-- An edit that moves no result moves the identifiers of functions, and with them the supplement: not compared. Where
-- the text moved too, the supplement is as different as it was.
function TestVerify.test_identifiers_follow_edits()
  local function with_identifiers(sums)
    return facts(function(r)
      r[#r + 1] = row("document", "supplement.pdf", "NA", "NA", sums[1])
      r[#r + 1] = row("document", "identifiers", "NA", "NA", sums[2])
      if sums[3] then r[8].sum = sums[3] end
    end)
  end
  local before = with_identifiers { "u", "i" }
  local report = verify.compare(before, with_identifiers { "v", "j" })
  lu.assertEquals({ report.level, report.edited, report.identical }, { "identical", true, 9 })
  lu.assertNil(verify.compare(before, with_identifiers { "u", "i" }).edited)
  lu.assertEquals(verify.compare(before, with_identifiers { "v", "i" }).level, "equivalent")
  local changed = verify.compare(before, with_identifiers { "v", "j", "t" })
  lu.assertEquals({ changed.level, changed.edited }, { "different", false }) -- not also "not compared"
end

-- A tenth of a standard error is no last digit: the same bits of randomness do not move that far.
function TestVerify.test_beyond_the_last_digits_is_different()
  lu.assertEquals(level(function(r) r[2].value = "0.501" end), "different")
  lu.assertEquals(level(function(r) r[2].value = "0.500000000001" end), "different")
  lu.assertEquals(level(function(r) r[3].value = "0.2500000000005" end), "different")
  lu.assertEquals(level(function(r) r[3].value = "nan" end), "different")
  lu.assertEquals(level(function(r) r[3].value = "NA" end), "different")
  lu.assertEquals(level(function(r) r[5].sum, r[6].value = "bb", "2.501" end), "different")
end

function TestVerify.test_a_standard_error_is_held_to_its_digits_too()
  lu.assertEquals(level(function(r) r[2].spread = "0.0100000000000001" end), "equivalent")
  local said, report = level(function(r) r[2].spread = "0.0101" end) -- n/(n - 1), n = 100
  lu.assertEquals(said, "different")
  lu.assertStrContains(report.different[1], "\\Sd: 0.5, standard error 0.01 -> 0.0101")
  lu.assertEquals(level(function(r) r[4].spread = "0.01 0.0201" end), "different")
  lu.assertEquals(level(function(r) r[5].sum, r[6].spread = "bb", "0.31" end), "different")
end

function TestVerify.test_rows_in_another_order_and_other_texts_are_different()
  lu.assertEquals(level(function(r) r[5].sum, r[6].sum = "bb", "1.61" end), "different")
  lu.assertEquals(level(function(r) r[5].sum, r[9].sum = "bb", "cd" end), "different")
end

function TestVerify.test_settings_verdicts_shapes_and_lists_must_match()
  lu.assertEquals(level(function(r) r[1].value = "4001" end), "different")
  lu.assertEquals(level(function(r) r[4].value = "fails" end), "different")
  lu.assertEquals(level(function(r) r[4].sum = "1.5 2.5000000000000004" end), "equivalent")
  lu.assertEquals(level(function(r) r[4].sum = "1.501 2.5" end), "different")
  lu.assertEquals(level(function(r) r[4].sum = "1.5 2.5 3" end), "different")
  lu.assertEquals(level(function(r) r[4].sum = "1.5" end), "different")
  lu.assertEquals(level(function(r) r[5].value, r[5].sum = "6", "bb" end), "different")
  lu.assertEquals(level(function(r) table.remove(r, 2) end), "different")
  lu.assertEquals(level(function(r) r[#r + 1] = row("number", "06 \\New", "1") end), "different")
end

TestTolerance = {}

local function may(name, a, b, scale) return math.abs(a - b) <= tolerance.of(name, a, b, scale) end

function TestTolerance.test_some_thousand_units_in_the_last_place()
  for _, size in ipairs { 1e-3, 1, 1e12 } do
    lu.assertTrue(may("x", size, size * (1 + 4000 * 0x1p-52)))
    lu.assertFalse(may("x", size, size * (1 + 1e6 * 0x1p-52)))
  end
  lu.assertTrue(may("x", 2.6448946046022777e-275, 2.6448946046022768e-275))
  lu.assertFalse(may("x", 2.6448946046022777e-275, 2.7e-275))
end

-- What is left when numbers of size one cancel has an absolute error, and what is nothing but rounding has any value.
function TestTolerance.test_cancellation()
  lu.assertTrue(may("x", 2.0026749971253314e-06, 2.0026749970934558e-06))
  lu.assertFalse(may("x", 2.00267e-06, 2.00268e-06))
  lu.assertTrue(may("x", 0, -4.3e-13))
  lu.assertTrue(may("x", 1.4e-14, -3.6e-14))
  lu.assertFalse(may("x", 1.4e-14, 3.6e-10))
  lu.assertFalse(may("x", 0, 3.6e-10))
  lu.assertFalse(may("x", 1e-8, 1.1e-8))
  lu.assertTrue(may("x", -5.45e-17, 3e-16, 0.04))
end

function TestTolerance.test_only_what_is_named_may_move_further()
  lu.assertTrue(may("09_exponent_analysis \\PsiHundred", 4.4053477558823104, 4.4053477758))
  lu.assertFalse(may("09_exponent_analysis \\PsiHundred", 4.40534, 4.40535))
  lu.assertTrue(may("05_learning_rules/sweep.tsv tv", 0.2106, 0.2107))
  lu.assertFalse(may("05_learning_rules/sweep.tsv tv", 0.21, 0.22))
  lu.assertFalse(may("05_learning_rules/rules.tsv tv", 0.2106, 0.2107))
end

TestExpected = {}

local function collected(rows)
  local read, experiments, list, table_of = results.read, results.experiments, files.list, results.table
  results.experiments = function() return { "01" } end
  results.read = function() return { facts = { seed = 1, parameters = {} }, numbers = {}, claims = {} } end
  files.list = function() return { "t.tsv" } end
  results.table = function() return { columns = { "x", "name" }, rows = rows } end
  local checksums, ledger_read = provenance.checksums, ledger.read
  provenance.checksums, ledger.read = function() return {} end, function() return {} end
  local good, found = pcall(expected.collect, "nowhere")
  results.read, results.experiments, files.list, results.table = read, experiments, list, table_of
  provenance.checksums, ledger.read = checksums, ledger_read
  assert(good, found)
  return found
end

function TestExpected.test_a_column_has_its_mean_its_spread_and_its_order()
  local rows = collected { { "1", "a" }, { "2", "b" }, { "NA", "c" }, { "6", "d" } }
  lu.assertEquals(rows[3].name, "01/t.tsv x")
  lu.assertEquals({ rows[3].value, rows[3].spread, rows[3].sum }, { "3", "1.52752523165195", "2.41666666666667" })
  local turned = collected { { "6", "a" }, { "2", "b" }, { "NA", "c" }, { "1", "d" } }
  lu.assertEquals(turned[3].value, "3")
  lu.assertNotEquals(turned[3].sum, rows[3].sum)
  lu.assertEquals(turned[4], rows[4])
end

function TestExpected.test_a_column_of_texts_has_their_hash()
  local rows = collected { { "1", "a" }, { "2", "bc" } }
  lu.assertEquals(rows[4].value, "text")
  for _, other in ipairs { { "bc", "a" }, { "a", "bd" }, { "ab", "c" } } do
    lu.assertNotEquals(collected({ { "1", other[1] }, { "2", other[2] } })[4].sum, rows[4].sum)
  end
end

function TestVerify.test_a_document_follows_its_sources()
  lu.assertEquals(level(function(r) r[7].sum = "q" end), "equivalent")
  lu.assertEquals(level(function(r) r[7].sum, r[8].sum = "q", "t" end), "different")
end

-- Another TeX makes other bytes of the same sources, and is named; by itself it is no difference.
function TestVerify.test_the_program_that_made_other_bytes_is_named()
  local function by(version, sum)
    return facts(function(r)
      r[7].sum = sum
      r[#r + 1] = row("program", "pdflatex", version)
    end)
  end
  local report = verify.compare(by("pdfTeX 1", "p"), by("pdfTeX 2", "q"))
  lu.assertEquals({ report.level, #report.equivalent }, { "equivalent", 1 })
  lu.assertStrContains(report.equivalent[1], "other bytes from the same sources, made by pdfTeX 2 instead of")
  report = verify.compare(by("pdfTeX 1", "p"), by("pdfTeX 1", "q"))
  lu.assertStrContains(report.equivalent[1], "the same programs with other libraries or fonts")
  lu.assertEquals(verify.compare(by("pdfTeX 1", "p"), by("pdfTeX 2", "p")).level, "identical")
end

os.exit(lu.LuaUnit.run())
