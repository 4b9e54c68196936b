-- What `make diff` says of two builds, on small lists of facts.
local lu = require "luaunit"
local diff = require "vesicle.publish.diff"

TestDiff = {}

local function facts(kinds)
  local all = {}
  for _, kind in ipairs { "numbers", "verdicts", "outcomes", "settings", "tables" } do
    all[kind] = {}
    for _, row in ipairs(kinds[kind] or {}) do
      all[kind][#all[kind] + 1] = row[1]
      all[kind][row[1]] = row[2]
    end
  end
  return all
end

function TestDiff.test_the_same_is_nothing()
  local function one()
    return facts { numbers = { { "a", { "0.5", "0.1" } } }, verdicts = { { "c/printed", "holds" } } }
  end
  local report = diff.compare(one(), one())
  lu.assertEquals({ #report.numbers, #report.verdicts, report.counts.numbers }, { 0, 0, 1 })
  lu.assertEquals(diff.text(report), "")
end

-- In standard errors, the larger of the two; the farthest first.
function TestDiff.test_numbers_move_in_standard_errors()
  local report = diff.compare(
    facts { numbers = { { "near", { "1", "0.1" } }, { "far", { "1", "0.1" } }, { "same", { "2", "0.1" } } } },
    facts { numbers = { { "near", { "1.1", "0.2" } }, { "far", { "0.5", "0.01" } }, { "same", { "2", "0.3" } } } })
  lu.assertEquals(#report.numbers, 2)
  lu.assertEquals(report.numbers[1].name, "far")
  lu.assertEquals(report.numbers[1].moved, "-5 standard errors")
  lu.assertEquals(report.numbers[2].moved, "+0.5 standard errors")
  lu.assertStrContains(diff.text(report), "numbers that moved: 2 of 3\n  far: 1 -> 0.5 (-5 standard errors)\n")
end

function TestDiff.test_without_an_error_a_part_of_the_size()
  local report = diff.compare(facts { numbers = { { "a", { "2", "NA" } }, { "b", { "0.1", "0" } } } },
    facts { numbers = { { "a", { "1", "NA" } }, { "b", { "nan", "0" } } } })
  lu.assertEquals(report.numbers[1].moved, "-0.5 of its size, which has no error")
  lu.assertEquals(report.numbers[2].moved, "no number")
end

function TestDiff.test_verdicts_and_what_is_new_or_gone()
  local report = diff.compare(
    facts { verdicts = { { "c/printed", "holds" }, { "d/printed", "holds" } }, numbers = { { "old", { "1", "NA" } } } },
    facts { verdicts = { { "c/printed", "fails" }, { "d/printed", "holds" } }, numbers = { { "new", { "3", "NA" } } } })
  local text = diff.text(report)
  lu.assertStrContains(text, "verdicts that changed: 1 of 2\n  c/printed: holds -> fails\n")
  lu.assertStrContains(text, "  new: - -> 3 (new)\n  old: 1 -> - (gone)\n")
end

-- Names come from files of another commit: in the page nothing of them is a command.
function TestDiff.test_the_page_escapes()
  local report = diff.compare(facts { settings = { { "a<b", "<script>" } } }, facts { settings = { { "a<b", "\"&" } } })
  local page = diff.page(report, { { name = "01", old = "x", new = false }, all = 2 }, "a<b", "quick")
  lu.assertNotStrContains(page, "<script>")
  lu.assertStrContains(page, "<td>a&lt;b</td><td>&lt;script&gt;</td><td>&quot;&amp;</td>")
  lu.assertStrContains(page, '<img src="old/01.svg"')
  lu.assertNotStrContains(page, '<img src="new/01.svg"')
  lu.assertStrContains(page, "Figures that differ: 1 of 2")
end

os.exit(lu.LuaUnit.run())
