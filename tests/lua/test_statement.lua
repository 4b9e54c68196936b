-- Statements: what E:statement, E:own and E:further accept, verdicts and outcomes, and the ledger in all its forms.
local lu = require "luaunit"
local ves = require "vesicle"
local forms = require "vesicle.experiment.ledger_text"
local is = require "vesicle.criterion"
local ledger = require "vesicle.experiment.ledger"
local number = require "vesicle.experiment.number"
local statement = require "vesicle.experiment.statement"
local stats = require "vesicle.stats"

local function fails(pattern, f, ...) lu.assertErrorMsgMatches(".*" .. pattern .. ".*", f, ...) end

local basis = { id = "s", says = "It is so.", where = "Results", kind = "empirical", quantity = "a number",
                criterion = is.within(0.1) }

local function spec(changes)
  local whole = {}
  for key, value in pairs(basis) do whole[key] = value end
  for key, value in pairs(changes) do if value == "none" then whole[key] = nil else whole[key] = value end end
  return whole
end

local function rows(changes) return statement.rows("E:statement", "e", spec(changes)) end
local function own(changes) changes.where = "none"; return statement.rows("E:own", "e", spec(changes), true) end
local function outcome(lines) return ledger.outcome_text(ledger.group(lines)[1]) end

local good, bad = { 1.05, exact = true }, { 1.5, exact = true }

TestStatement = {} -- luacheck: globals TestStatement

--- A row of the project's own ledger leans on no other row, and names figures by their numbers too.
function TestStatement.test_a_row_stands_alone()
  local function published(changes)
    changes.cells = changes.cells or { printed = good }
    return statement.rows("E:statement", "01_e", spec(changes))[1]
  end
  for _, says in ipairs { "... and in offset.", "The mean, ...", "It is so.", "The same, two bells", "by the mean,",
                         " " } do
    fails("`says` is .+", published, { says = says })
  end
  for _, quantity in ipairs { "that ratio, twice", "draws of the same releases", "slope where it is steep" } do
    fails("s/printed: `quantity` is .+expected a text that stands alone", published,
      { says = "All hold.", quantity = quantity })
  end
  local row = published { says = "All hold.", where = "Results, fig:simresults left; fig:weights" }
  lu.assertEquals(row.where, "Results, fig:simresults (Figure 7) left; fig:weights (Figure 8)")
  fails("fig:simresult: did you mean `simresults`", published, { says = "All hold.", where = "fig:simresult" })
  lu.assertEquals(own({ value = good })[1].where, "ours")
  lu.assertEquals(own({ value = good, kind = "mathematical", proof = "thm:a" })[1].where, "ours, thm:a")
  lu.assertEquals(rows({ kind = "definition", criterion = "none", quantity = "none" })[1].quantity,
    "nothing, as it is so by definition")
  fails("`fact` is for statements of the original", own, { value = good, fact = "other" })
end

--- Cells that other experiments measure get from their statement what it says and where.
function TestStatement.test_further_cells_say_what_their_statement_says()
  local lines = rows { cells = { printed = good } }
  lines[2] = statement.further_rows("f", { statement = "s", kind = "empirical", quantity = "a number",
    criterion = is.within(0.1), { reading = "drawn", 1.01 } })[1]
  local cell = ledger.group(lines)[1].cells[2]
  lu.assertEquals({ cell.says, cell.where, cell.quantity }, { "It is so.", "Results", "a number" })
end

function TestStatement.test_a_cell_has_all_that_its_verdict_follows_from()
  local line = rows { at = { "x=1", "x=2", "x=3" }, criterion = is.each(is.within(0.1)), looked = true,
    cells = { printed = { ves.vector { 1, 2, 0.5 }, se = { 0.1, 0.2, 0.3 }, drives = "our choice", note = "hm",
                          beside = { encoded = { 3, 4 }, slope = 1.5 } } } }[1]
  lu.assertEquals({ line.verdict, line.value, line.se, line.failed, line.at },
    { "fails", "1 2 0.5", "0.10000000000000001 0.20000000000000001 0.29999999999999999", "x=2 x=3", "x=1 x=2 x=3" })
  lu.assertEquals({ line.criterion, line.quantity, line.beside, line.drives, line.remark, line.looked, line.kind },
    { "each within 10% of 1", "a number", "encoded: 3 4; slope: 1.5", "our choice", "hm", "yes", "empirical" })
  lu.assertEquals(rows { at = ves.vector { 5, 2.5 }, criterion = is.each(is.within()),
    cells = { printed = { { 1, 2 } } } }[1].failed, "2.5")
  local found = {}
  for _, column in ipairs(statement.columns) do found[#found + 1] = line[column] and column end
  lu.assertEquals(found, statement.columns)
end

function TestStatement.test_estimates_are_cells()
  local s = stats.summary(ves.vector { 1, 1.1, 0.9 })
  local line = rows { cells = { printed = s }, criterion = is.same(1, 0.5) }[1]
  lu.assertEquals({ line.value, line.verdict }, { "1", "holds" })
  lu.assertAlmostEquals(tonumber(line.se), s.se, 1e-15)
end

function TestStatement.test_verdicts()
  local function verdict(changes) return rows(changes)[1].verdict end
  lu.assertEquals(verdict { cells = { printed = good } }, "holds")
  lu.assertEquals(verdict { cells = { printed = bad } }, "fails")
  local maths = { kind = "mathematical", proof = "thm:mapping", cells = { printed = good } }
  lu.assertEquals(verdict(maths), "proved")
  maths.proof = nil
  lu.assertEquals(verdict(maths), "holds")
  maths.cells = { printed = bad }
  lu.assertEquals(verdict(maths), "refuted")
  maths.cells = { printed = { 1.5, se = 0.1 } } -- no counterexample, only a measurement
  lu.assertEquals(verdict(maths), "fails")
end

function TestStatement.test_further_cells_need_a_proof_of_their_own()
  local lines = rows { kind = "mathematical", proof = "thm:mapping", cells = { printed = good },
    further = { { reading = "drawn", 1.01, exact = true },
                { reading = "other", 5, criterion = is.above(1), quantity = "q", proof = "prop:phi" } } }
  lu.assertEquals({ lines[1].verdict, lines[2].verdict, lines[3].verdict }, { "proved", "holds", "proved" })
  lu.assertEquals({ lines[3].criterion, lines[3].quantity, lines[3].proof }, { "> 1", "q", "prop:phi" })
end

function TestStatement.test_outcomes()
  local function of(cells, more)
    local changes = more or {}
    changes.cells = cells
    return outcome(rows(changes))
  end
  lu.assertEquals(of { printed = good, corrected = bad }, "as printed")
  lu.assertEquals(of { printed = bad, corrected = good }, "under a stated reading: corrected")
  lu.assertEquals(of { printed = bad, corrected = bad }, "in none")
  lu.assertEquals(of { printed = good, ["printed, bins"] = good }, "as printed")
  lu.assertEquals(of { printed = bad, ["printed, bins"] = good, ["corrected, open"] = good },
    "under a stated reading: printed, bins; corrected, open")
  lu.assertEquals(of({ corrected = good }, { missing = "not printed" }), "under a stated reading: corrected")
  lu.assertEquals(of({ printed = good, corrected = bad }, { kind = "mathematical", proof = "thm:a" }), "proved")
  lu.assertEquals(of({ printed = bad }, { kind = "mathematical" }), "refuted")
  lu.assertEquals(of({ printed = bad, corrected = good }, { kind = "mathematical" }),
    "under a stated reading: corrected")
  lu.assertEquals(outcome(rows { kind = "definition", criterion = "none" }), "by definition")
  lu.assertEquals(outcome(own { value = good }), "holds")
  lu.assertEquals(outcome(own { value = bad }), "fails")
  lu.assertEquals(outcome(own { cells = { printed = bad, corrected = good } }), "in part: corrected")
  lu.assertEquals(outcome(own { kind = "mathematical", proof = "thm:a", value = good }), "proved")
end

function TestStatement.test_what_is_refused()
  fails("E:statement: unknown key `criterian`: did you mean `criterion`%?", rows, { criterian = 1 })
  fails("E:statement: key `kind` is missing", rows, { kind = "none" })
  fails("E:statement s: kind \"emprical\": did you mean `empirical`%?", rows, { kind = "emprical" })
  fails("id \"A b\": expected lower%-case", rows, { id = "A b" })
  fails("`where` is missing", rows, { where = "none" })
  fails("a statement of ours", statement.rows, "E:own", "e", basis, true)
  fails("no reading `prnted`: did you mean `printed`%?", rows, { cells = { prnted = good } })
  fails("the cell `printed` is missing; `missing` may say why", rows, { cells = { corrected = good } })
  fails("s/printed: `criterion` is \"< 1\", expected a criterion", rows,
    { criterion = "< 1", cells = { printed = good } })
  fails("s/printed: `quantity` is missing", rows, { quantity = "none", cells = { printed = good } })
  fails("s/printed: its value is \"x\", expected a number", rows, { cells = { printed = { "x" } } })
  fails("s/printed: value 1 is nan", rows, { cells = { printed = { 0 / 0 } } })
  fails("s/printed: it has several values; a list of them stands in braces", rows, { cells = { printed = { 1, 2 } } })
  fails("s/printed: unknown key `exactly`: did you mean `exact`%?", rows,
    { cells = { printed = { 1, exactly = true } } })
  fails("2 values, expected `at` to name them", rows,
    { criterion = is.each(is.within()), cells = { printed = { { 1, 2 } } } })
  fails("2 values, but `at` has 1 names", rows, { at = { "a" }, criterion = is.each(is.within()),
    cells = { printed = { { 1, 2 } } } })
  fails("`at` has \"a b\" as element 1, expected a text without blanks", rows,
    { at = { "a b" }, cells = { printed = good } })
  fails("s/printed: criterion 'within 10%% of 1' is of one number, got 2", rows, { at = { "a", "b" },
    cells = { printed = { { 1, 2 } } } })
  fails("needs a standard error", rows, { criterion = is.less(1), cells = { printed = { 0.5 } } })
  fails("exact and has a standard error", rows, { cells = { printed = { 0.5, se = 1, exact = true } } })
  fails("2 values and 1 standard errors", rows, { at = { "a", "b" }, cells = { printed = { { 1, 2 }, se = 1 } } })
  fails("`proof` is \"Theorem 1\", expected a label", rows, { proof = "Theorem 1", cells = { printed = good } })
  fails("what is so by definition has no `criterion`", rows, { kind = "definition" })
  fails("the further cell `corrected` belongs in `cells`", rows, { cells = { printed = good },
    further = { { reading = "corrected", 1 } } })
  fails("the cell `x` stands twice", rows, { cells = { printed = good },
    further = { { reading = "x", 1 }, { reading = "x", 1 } } })
  fails("`value` is for a statement of ours", rows, { value = good })
  fails("`says`: a text with a tab", rows, { says = "a\tb", cells = { printed = good } })
end

function TestStatement.test_cells_of_a_statement_made_elsewhere()
  local more = { statement = "s", kind = "empirical", quantity = "p value", criterion = is.not_rejected(),
                 { reading = "drawn", 0.3 } }
  local all = rows { cells = { printed = bad } }
  table.move(statement.further_rows("other", more), 1, 1, #all + 1, all)
  lu.assertEquals(outcome(all), "under a stated reading: drawn")
  lu.assertEquals(ledger.group(all).s.cells[2].experiment, "other")
  fails("E:further: key `statement` is missing", statement.further_rows, "e", { kind = "empirical" })
  fails("E:further s: it has no cells", statement.further_rows, "e", { statement = "s", kind = "empirical" })
end

--- The repaired model's cell of the statement `s`, and a ledger of it and of the statement.
local function repaired(changes)
  local one = { statement = "s", value = good, breaks = "x" }
  for key, value in pairs(changes) do if value == "none" then one[key] = nil else one[key] = value end end
  return statement.repaired_rows("other", one)
end
local function with_repaired(lines, changes)
  local more = repaired(changes or {})
  table.move(lines, 1, #lines, #more + 1, more) -- in whatever order they come
  return ledger.group(more)
end

function TestStatement.test_the_repaired_model_is_judged_as_the_statement_is()
  local cell = repaired {}[1]
  lu.assertEquals({ cell.verdict, cell.criterion, cell.quantity, cell.kind }, { "NA", "NA", "NA", "NA" })
  local one = with_repaired(rows { cells = { printed = bad, corrected = bad },
    further = { { reading = "drawn", 2 } } }).s
  cell = one.cells[3]
  lu.assertEquals({ cell.reading, cell.verdict, cell.criterion, cell.quantity, cell.kind, cell.experiment },
    { "repaired", "holds", "within 10% of 1", "a number", "empirical", "other" })
  lu.assertEquals({ one.outcome, one.repaired, one.experiment }, { "in none", "holds", "e" })
  one = with_repaired(rows { cells = { printed = good } }, { value = bad }).s
  lu.assertEquals({ one.outcome, one.repaired }, { "as printed", "fails" })
  one = with_repaired(rows { cells = { corrected = bad }, missing = "why" }).s -- from the first cell that was judged
  lu.assertEquals({ one.cells[3].criterion, one.repaired }, { "within 10% of 1", "holds" })
  one = with_repaired(rows { cells = { printed = bad } },
    { value = "none", cells = { repaired = good, ["repaired, bins"] = bad } }).s
  lu.assertEquals({ one.outcome, one.repaired }, { "in none", "fails" })
  lu.assertEquals(ledger.outcome_text(ledger.group(repaired {}).s), "not judged")
  lu.assertEquals({ rows { cells = { printed = bad, repaired = good } }[2].verdict,
                    outcome(rows { cells = { printed = bad, repaired = good } }) }, { "holds", "in none" })
end

function TestStatement.test_verdicts_of_the_repaired_model()
  local function verdict(changes, made)
    made = made or {}
    made.cells = { printed = bad }
    return with_repaired(rows(made), changes).s.cells[2]
  end
  local maths = { kind = "mathematical" }
  lu.assertEquals(verdict({ proof = "thm:a" }, maths).verdict, "proved")
  lu.assertEquals(verdict({}, maths).verdict, "holds")
  lu.assertEquals(verdict({ value = bad }, maths).verdict, "refuted")
  lu.assertEquals(verdict({ value = { 1.5, se = 0.1 } }, maths).verdict, "fails")
  local several = { at = { "a", "b" }, criterion = is.each(is.within(0.1)) }
  local lines = rows { at = several.at, criterion = several.criterion, cells = { printed = { { 1, 1 } } } }
  local cell = with_repaired(lines, { at = { "a", "b" }, value = { { 1, 2 } } }).s.cells[2]
  lu.assertEquals({ cell.verdict, cell.failed }, { "fails", "b" })
end

function TestStatement.test_what_is_refused_of_the_repaired_model()
  local function refused(pattern, lines, changes)
    local good_, why = pcall(with_repaired, lines, changes)
    lu.assertFalse(good_)
    lu.assertStrMatches(type(why) == "table" and why.message or why, ".*" .. pattern .. ".*")
  end
  local two = { at = { "a", "b" }, criterion = is.each(is.within(0.1)), cells = { printed = { { 1, 1 } } } }
  refused("its values are at b a, those of the statement at a b", rows(two),
    { at = { "b", "a" }, value = { { 1, 1 } } })
  refused("its values are at NA, those of the statement at a b", rows(two), {})
  refused("no statement of the original", own { value = good }, {})
  refused("there is nothing to measure", rows { kind = "definition", criterion = "none" }, {})
  refused("'> 1 by %d se' needs a standard error",
    rows { criterion = is.more(1), cells = { printed = { 1, se = 1 } } }, { value = { 1 } })
  for pattern, changes in pairs {
    ["unknown key `criterion`"] = { criterion = is.within() }, ["unknown key `quantity`"] = { quantity = "q" },
    ["expected `value`, the cell `repaired`, or `cells`"] = { cells = { repaired = good } },
    ["no cell `printed` of the repaired model"] = { value = "none", cells = { printed = good } },
    ["2 values, expected as many names in `at`"] = { value = { { 1, 2 } } },
    ["value 1 is nan"] = { value = { 0 / 0 } }, ["key `statement` is missing"] = { statement = "none" },
  } do fails(pattern, repaired, changes) end
end

TestLedger = {} -- luacheck: globals TestLedger

local function all()
  local lines = {}
  local function add(some) table.move(some, 1, #some, #lines + 1, lines) end
  add(rows { id = "one", says = "The share of w_i is 5% & falls.", at = { "x=-4", "x=0" },
    criterion = is.each(is.within(0.1)), looked = true,
    cells = { printed = { { 0.98123, 1.2 }, se = { 0.0123, 0.1 } }, corrected = { { 1, 1 }, exact = true } } })
  add(rows { id = "two", says = "Where $x_i < 1$ holds | it does.", kind = "mathematical", proof = "thm:mapping",
    criterion = is.exact(), cells = { printed = { 1.11e-16, exact = true } } })
  add(rows { id = "three", kind = "mathematical", cells = { printed = bad } })
  add(rows { id = "four", kind = "definition", criterion = "none" })
  add(own { id = "five", value = good })
  return ledger.group(lines)
end

function TestLedger.test_statements_of_the_original_are_counted()
  local t = ledger.tally(all())
  lu.assertEquals({ t.counted, t.printed, t.proved, t["under a stated reading"], t.none, t.refuted_as_printed, t.looked,
                    t["by definition"], t.ours }, { 3, 1, 1, 1, 1, 1, 1, 1, 1 })
  lu.assertStrContains(ledger.sentence(all()), "Of 3 statements of the original 1 holds as printed, 1 of them proved")
end

function TestLedger.test_the_repaired_model_is_counted_apart()
  local lines = {}
  for id, cell in pairs { one = { bad, good }, two = { bad, bad }, three = { good, bad }, four = { good, good },
                          five = { bad }, six = { good, bad } } do
    table.move(rows { id = id, cells = { printed = cell[1] } }, 1, 1, #lines + 1, lines)
    if cell[2] then table.move(repaired { statement = id, value = cell[2] }, 1, 1, #lines + 1, lines) end
  end
  local found = ledger.group(lines)
  local t = ledger.tally(found)
  lu.assertEquals({ t.counted, t.printed, t.none, t.repaired_failing, t.repaired_gained, t.repaired_holding,
                    t.repaired_lost }, { 6, 3, 3, 2, 1, 3, 2 })
  lu.assertStrContains(ledger.sentence(found), "the repaired model was asked 2 facts that do not hold as printed, of "
    .. "which 1 hold in it, and 3 that do, of which 2 fail in it;")
  lu.assertEquals(ledger.repaired_sentence(all()), "")
  lu.assertStrContains(forms.text(found), "one: in none. Repaired: holds\n")
  lu.assertStrContains(forms.whole(found.three), "three: as printed. Repaired: fails\n")
  lu.assertStrContains(forms.whole(found.three), "measured  by other")
  lu.assertStrContains(forms.markdown(found), "| printed: 1.500, **fails** | in none | repaired: 1.050, **holds** |")
end

--- Statements that restate a fact are one gain or one loss; one that has no meaning in the repaired model is neither.
function TestLedger.test_the_repaired_model_is_counted_by_facts()
  local lines = {}
  local function add(some) table.move(some, 1, #some, #lines + 1, lines) end
  for _, id in ipairs { "one", "again", "worse" } do
    add(rows { id = id, fact = id == "again" and "one" or nil, cells = { printed = bad } })
    add(repaired { statement = id, value = good })
  end
  add(rows { id = "meaningless", unasked = "it has no exponent", cells = { printed = bad } })
  local found = ledger.group(lines)
  local t = ledger.tally(found)
  lu.assertEquals({ t.counted, t.repaired_failing, t.repaired_gained, t.repaired_unasked }, { 4, 2, 2, 1 })
  lu.assertEquals(ledger.whole_outcome(found.meaningless), "in none. Repaired: not asked: it has no exponent")
  lu.assertStrContains(forms.markdown(found), "| printed: 1.500, **fails** | in none | not asked: it has no exponent |")
  lines[4].value = "1.5" -- restated, the fact fails: it is no gain any more
  lu.assertEquals(ledger.tally(ledger.group(lines)).repaired_gained, 1)
  add(repaired { statement = "meaningless", value = good })
  local raised, why = pcall(ledger.group, lines)
  lu.assertFalse(raised)
  lu.assertStrContains(why.message, "meaningless/repaired of other: the repaired model is not asked: it has no")
end

--- What the original assumes or disclaims is measured and not counted.
function TestLedger.test_what_is_not_claimed()
  local found = ledger.group(rows { kind = "unclaimed", note = "a premise", looked = true, cells = { printed = bad } })
  local t = ledger.tally(found)
  lu.assertEquals({ found[1].outcome, found[1].cells[1].verdict, t.counted, t.looked, t.none, t["not claimed"] },
    { "not claimed", "fails", 0, 0, 0, 1 })
  fails("`note` is missing: why the original does not claim", rows, { kind = "unclaimed", cells = { printed = bad } })
end

--- A verdict that changes with the spacing of the centres is said to be driven by it, in that reading alone, and one
--- that half or twice the margin would turn by the margin.
function TestLedger.test_spacing_and_margins_drive()
  local safe = { 1.01, exact = true }
  local cells = ledger.group(rows { cells = { printed = bad, ["printed, bins"] = safe, corrected = safe,
    ["corrected, bins"] = safe } })[1].cells
  local spacing = "the spacing of the centres: ends, bins or open"
  lu.assertEquals({ cells[1].drives, cells[2].drives, cells[3].drives }, { spacing, spacing, "NA" })
  local near = { 1.08, exact = true }
  local found = ledger.group(rows { cells = { printed = near, corrected = bad } })
  lu.assertEquals(found[1].cells[1].drives, "our margin: halved, it would turn the verdict")
  lu.assertEquals({ found[1].cells[2].drives, ledger.tally(found).driven }, { "NA", 1 })
  found = ledger.group(rows { cells = { printed = { 1.15, exact = true }, ["printed, open"] = near } })[1].cells
  lu.assertEquals(found[1].drives, spacing .. "; our margin: doubled, it would turn the verdict")
  lu.assertEquals(ledger.group(rows { kind = "mathematical", proof = "thm:a", cells = { printed = near } })[1]
    .cells[1].drives, "NA")
  lu.assertEquals(rows({ drives = "our choice", cells = { printed = good } })[1].drives, "our choice")
end

--- A verdict that a value moved by two standard errors would turn says so, and so does an outcome that hangs on it.
function TestLedger.test_close_verdicts()
  local function one(cells, changes)
    changes = changes or {}
    changes.id, changes.cells = "c", cells
    return ledger.group(rows(changes))
  end
  local near, far = { 1.12, se = 0.0151 }, { 1.5, se = 0.01 }
  local found = one { printed = far, corrected = near }
  lu.assertAlmostEquals(found.c.cells[2].close, 1.325, 0.01)
  lu.assertNil(found.c.cells[1].close)
  lu.assertEquals({ found.c.outcome, found.c.cells[2].verdict, found.c.hangs_on },
    { "in none", "fails", { "corrected" } })
  lu.assertEquals(ledger.tally(found).close, 1)
  lu.assertStrContains(ledger.sentence(found), "1 is close: one value moved by two of its standard errors could change "
    .. "what came of it.")
  lu.assertStrContains(forms.text(found), "fails, close\n")
  for line in forms.text(found):gmatch("[^\n]+") do lu.assertTrue(utf8.len(line) <= 80, line) end
  lu.assertStrContains(forms.whole(found.c), "corrected: fails, close (1.4 se)\n")
  lu.assertStrContains(forms.whole(found.c), "close       another verdict would change the outcome: corrected\n")
  lu.assertStrContains(forms.markdown(found), "corrected: 1.120 ± 0.015, **fails**, close (1.4 se) | in none; close |")
  lu.assertStrContains(forms.tsv(found), "\tin none\t1.33\n")
  lu.assertStrContains(forms.tsv(found), "\tin none\tNA\n")
  -- close, but another cell that holds carries the outcome
  found = one { printed = far, corrected = { 1.08, se = 0.02 }, ["corrected, bins"] = { 1, se = 0.01 } }
  lu.assertEquals({ found.c.cells[2].close ~= nil, found.c.hangs_on, ledger.tally(found).close }, { true, {}, 0 })
  lu.assertEquals({ found.c.outcome, found.c.cells[2].verdict }, { "under a stated reading", "holds" })
  -- a proof and a counterexample do not hang on a measurement, and neither is the repaired model a reading
  found = one({ printed = { 1.08, se = 0.02 } }, { kind = "mathematical", proof = "thm:a" })
  lu.assertEquals({ found.c.outcome, found.c.cells[1].close }, { "proved" })
  found = one { printed = far, repaired = near }
  lu.assertEquals({ found.c.cells[2].close ~= nil, found.c.hangs_on }, { true, {} })
  lu.assertStrContains(ledger.sentence(all()), "1 is close") -- 1.20 with a standard error of 0.1 may not exceed 1.1
end

function TestLedger.test_text_fits_a_terminal()
  local text = forms.text(all())
  for line in text:gmatch("[^\n]+") do lu.assertTrue(utf8.len(line) <= 80, line) end
  lu.assertStrContains(text, "one: under a stated reading: corrected\n")
  lu.assertStrContains(text, "  printed             0.981 1.20*")
  lu.assertStrContains(text, "1.110e-16")
end

function TestLedger.test_one_statement_whole()
  local text = forms.whole(all().one)
  for _, part in ipairs { "criterion   each within 10% of 1", "settled     after a first look", "printed: fails",
                          "x=0         1.20 ± 0.10              *", "corrected: holds" } do
    lu.assertStrContains(text, part)
  end
end

function TestLedger.test_the_same_digits_everywhere()
  local one = all().one.cells[1]
  lu.assertEquals(forms.measured(one), "0.981 1.20*")
  lu.assertEquals(forms.measured(one, true), "\\ensuremath{0.981} \\ensuremath{1.20}\\textsuperscript{$\\ast$}")
  lu.assertStrContains(forms.markdown(all()),
    "printed: 0.981 1.20\\*, **fails**, close (1.0 se)<br>corrected: 1 1, **holds**")
  local many = {}
  for i = 1, 12 do many[i] = i / 100 end
  local names = {}
  for i = 1, 12 do names[i] = "n" .. i end
  local cell = rows { at = names, criterion = is.each(is.below(0.115)),
    cells = { printed = { many, exact = true } } }[1]
  lu.assertEquals(forms.measured(cell), "0.01000 to 0.1200 (12 values, 1*)")
end

--- What is shown is judged as what was measured, so that a reader can check it.
function TestLedger.test_as_many_digits_as_the_verdict_needs()
  local function exact(value, c) return rows { criterion = c, cells = { printed = { value, exact = true } } }[1] end
  lu.assertEquals(forms.measured(exact(0.99999001, is.below(1))), "0.99999")
  lu.assertEquals(forms.measured(exact(0.99999001, is.below(1)), true), "\\ensuremath{0.99999}")
  lu.assertStrContains(forms.whole(ledger.group { exact(0.99999001, is.below(1)) }[1]), "  value       0.99999\n")
  lu.assertEquals(forms.measured(exact(1.00000001, is.above(1))), "1.00000001")
  lu.assertEquals(forms.measured(exact(0.98765, is.below(1))), "0.9877")
  for _, one in ipairs(ledger.group(ledger.file("docs/ledger.tsv"))) do
    for _, cell in ipairs(one.cells) do
      local values = forms.values(cell)
      local list, ses = {}, {}
      for i, v in ipairs(values) do
        list[i], ses[i] = tonumber((number.plain(v.value, v.se, v.digits):gsub(" .*$", ""))), v.se or 0
      end
      if cell.verdict ~= "NA" then
        lu.assertEquals(is.judge(is.parse(cell.criterion), list, ses),
          cell.verdict == "holds" or cell.verdict == "proved", one.id .. "/" .. cell.reading)
      end
    end
  end
end

function TestLedger.test_no_tags_of_html()
  local some = all()
  some[1].says = "a < b <script>x</script> <!-- y -->"
  lu.assertStrContains(forms.markdown(some), "a < b &lt;script>x&lt;/script> &lt;!-- y -->")
  lu.assertEquals(forms.markdown_text "![a](http://b/c.png) [d](javascript:e) [f][g] [h]: i in [0, 1]",
    "![a\\](http://b/c.png) [d\\](javascript:e) [f\\][g] [h\\]: i in [0, 1]")
end

function TestLedger.test_other_programs()
  lu.assertStrContains(forms.markdown(all()), "holds \\| it does")
  lu.assertStrContains(forms.latex(all()), "The share of w\\_i is 5\\% \\& falls. & printed")
  local text = forms.tsv(all())
  lu.assertEquals(select(2, text:gsub("\n", "")), 7)
  lu.assertStrContains(text, "two\tprinted\tproved\t1.11")
end

--- The committed ledger: each verdict follows from what stands in its row.
function TestLedger.test_every_verdict_can_be_checked_from_its_row()
  for _, row in ipairs(ledger.file("docs/ledger.tsv")) do
    if row.whose ~= "claim" and row.verdict ~= "NA" then
      local values, ses = {}, {}
      for word in row.value:gmatch("%S+") do values[#values + 1] = tonumber(word) end
      for word in row.se:gmatch("%S+") do ses[#ses + 1] = tonumber(word) end
      local holds = is.judge(is.parse(row.criterion), values, ses)
      lu.assertEquals(row.verdict == "holds" or row.verdict == "proved", holds, row.id .. "/" .. row.reading)
      lu.assertTrue(row.verdict ~= "proved" or row.proof ~= "NA", row.id)
    end
  end
end

os.exit(lu.LuaUnit.run())
