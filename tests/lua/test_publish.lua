-- Weaving, the checks of the report, LaTeX's log and the trace matrix, on small inputs.
local lu = require "luaunit"
local api = require "vesicle.publish.api"
local crate = require "vesicle.publish.metadata.crate"
local declared = require "vesicle.publish.declared"
local highlight = require "vesicle.publish.highlight"
local json = require "vesicle.publish.metadata.json"
local latex_log = require "vesicle.publish.latex_log"
local ledger = require "vesicle.experiment.ledger"
local markup = require "vesicle.publish.markup"
local owners = require "vesicle.publish.tag_owners"
local playground = require "vesicle.publish.playground"
local prose = require "vesicle.publish.prose"
local reader = require "vesicle.publish.latex_reader"
local report_tables = require "vesicle.publish.report_tables"
local results = require "vesicle.publish.results"
local rounded = require "vesicle.publish.rounded"
local statement = require "vesicle.experiment.statement"

TestWeave = {}

function TestWeave.test_prose_and_code_alternate_and_keep_their_lines()
  local blocks = prose.blocks { "--- # Title", "---", "--- Text.", "", "local x = 1", "  --- not prose", "",
                                "---- a rule", "--- More." }
  local seen = {}
  for i, b in ipairs(blocks) do seen[i] = { b.kind, b.from, #b.lines } end
  lu.assertEquals(seen, { { "prose", 1, 3 }, { "code", 5, 4 }, { "prose", 9, 1 } })
  lu.assertEquals(blocks[1].lines, { "# Title", "", "Text." })
end

--- LaTeX breaks lines of code only where one is too long for a page.
function TestWeave.test_long_lines_of_code_may_break()
  local function code(columns, form)
    return prose.code({ from = 7, lines = { "x = 1", ("y"):rep(columns) } }, form)
  end
  lu.assertNil(code(120, markup.latex):find("breaklines", 1, true))
  lu.assertStrContains(code(121, markup.latex), "breaklines=true")
  lu.assertStrContains(code(121, markup.latex), "breaklines=false")
  lu.assertNil(code(121, markup.html):find("breaklines", 1, true))
end

function TestWeave.test_text_is_escaped_outside_mathematics()
  lu.assertEquals(markup.latex.text("50% of $x_1$ & <y>"), "50\\% of \\$x\\_1\\$ \\& \\textless{}y\\textgreater{}")
  lu.assertEquals(markup.latex.text("$\\input{/etc/passwd}$"), "\\$\\textbackslash{}input\\{/etc/passwd\\}\\$")
  lu.assertEquals(markup.html.text("$ <script>x</script> $"), "\\$ \\<script\\>x\\</script\\> \\$")
  lu.assertEquals(markup.latex.text("costs 5 $"), "costs 5 \\$")
  lu.assertEquals(markup.html.text("a_b *c*"), "a\\_b \\*c\\*")
end

function TestWeave.test_numbers_are_short_and_keep_their_size()
  lu.assertEquals(markup.latex.number("0.10000000000000001"), "$0.1$")
  lu.assertEquals(markup.latex.number("1.3621234e-07"), "$1.3621{\\times}10^{-7}$")
  lu.assertEquals(markup.html.number("-1.3621234e-07"), "−1.3621×10^−7^")
  lu.assertEquals(markup.latex.number("20211118"), "$20211118$")
  lu.assertEquals(markup.latex.number("subtract"), "subtract")
end

TestPaper = {}

local function pieces(text)
  local found = {}
  reader.walk(text, function(kind, piece, line)
    if kind ~= "command" then
      for _, numeral in ipairs(reader.numerals(piece)) do found[#found + 1] = { kind, numeral[1], line } end
    end
  end)
  return found
end

function TestPaper.test_numerals_are_found_in_text_and_in_formulas()
  lu.assertEquals(pieces("It is 0.35,\nor $q = .7$."), { { "text", "0.35", 1 }, { "maths", ".7", 2 } })
  lu.assertEquals(pieces("\\[ x + 12 \\] then \\begin{equation} y = 3 \\end{equation} 4"),
    { { "maths", "12", 1 }, { "maths", "3", 1 }, { "text", "4", 1 } })
end

function TestPaper.test_names_and_silent_arguments_hold_no_numeral()
  lu.assertEquals(pieces("E12 and AVX2, \\cref{eq:1}, \\Parameter{06}{rows}, \\includegraphics[width=3cm]{06_x}"), {})
  lu.assertEquals(pieces("\\begin{tabular}{p{3cm}l} a \\\\[-2pt] b \\end{tabular} \\texttt{make 3}"), {})
  lu.assertEquals(pieces("\\begin{figure}[t!] \\caption{Of 7.} \\end{figure}"), { { "text", "7", 1 } })
  lu.assertEquals(pieces("\\textbf{9} \\emph{in 8}"), { { "text", "9", 1 }, { "text", "8", 1 } })
end

function TestPaper.test_commands_come_with_their_arguments()
  local seen = {}
  reader.walk("\\Verdict{sd-analytic} and \\Parameter{06}{rows}", function(kind, name, _, arguments)
    if kind == "command" then seen[#seen + 1] = { name, table.unpack(arguments) } end
  end)
  lu.assertEquals(seen, { { "Verdict", "sd-analytic" }, { "Parameter", "06", "rows" } })
end

TestRounded = {}

local function forms(...)
  local found = rounded.forms(...)
  for form, text in pairs(found) do found[form] = text:match("^\\ensuremath{(.*)}$"):gsub("\\%%", "%%") end
  return found
end

function TestRounded.test_two_digits()
  lu.assertEquals(forms(0.22634).rough, "0.23")
  lu.assertEquals(forms(1.0590).rough, "1.06")
  lu.assertEquals(forms(0.06236).rough, "0.062")
  lu.assertEquals(forms(4.405).rough, "4.4")
  lu.assertEquals(forms(4532).rough, "4500")
  lu.assertEquals(forms(368700).rough, "370\\,000")
  lu.assertEquals(forms(-0.668).rough, "-0.67")
  lu.assertEquals(forms(0).rough, "0")
end

function TestRounded.test_no_digit_that_the_standard_error_drowns()
  lu.assertEquals(forms(0.2263, 0.0005).rough, "0.23")
  lu.assertEquals(forms(0.2263, 0.019).rough, "0.23")
  lu.assertEquals(forms(0.2263, 0.021).rough, "0.2")
  lu.assertEquals(forms(368700, 18000).rough, "370\\,000")
  lu.assertEquals(forms(368700, 30000).rough, "400\\,000")
  lu.assertEquals(forms(0.754, 0.03).percent, "80%")
end

function TestRounded.test_shares_and_distances_from_one()
  lu.assertEquals(forms(0.6051, 0.0005).percent, "61%")
  lu.assertEquals(forms(0.001294).percent, "0.13%")
  lu.assertEquals({ forms(1.059).excess, forms(1.059).shortfall }, { "6%" })
  lu.assertEquals({ forms(0.919).shortfall, forms(0.919).excess }, { "8%" })
  lu.assertEquals(rounded.forms(1e-9), {})
end

TestHighlight = {}

function TestHighlight.test_colours_and_what_latex_would_take_for_its_own()
  for code, wanted in pairs {
    ["local x_1 = 1e-4 -- a-b"] = "\\KeywordTok{local} x\\_1 = \\DecValTok{1e{-}4} \\CommentTok{{-}{-} a{-}b}",
    ["E.rng:stream(\"%d\\n\")"] = "\\ConstantTok{E}.rng:stream(\\StringTok{\"\\%d\\textbackslash{}n\"})",
    ["  return { #a ~= 2e3-1 }"] = "  \\KeywordTok{return} \\{ \\#a \\textasciitilde{}= "
      .. "\\DecValTok{2e3}{-}\\DecValTok{1} \\}",
    ["Wp, P2 = '<' .. 0x1e-1"] = "\\ConstantTok{W}p, \\ConstantTok{P2} = \\StringTok{\\textquotesingle{}\\textless{}"
      .. "\\textquotesingle{}} .. \\DecValTok{0x1e}{-}\\DecValTok{1}",
  } do
    lu.assertEquals(highlight { code }, wanted)
  end
end

function TestHighlight.test_a_colour_ends_with_the_line()
  lu.assertEquals(highlight { "s = [[a", "", "b]] -- c", "d" },
    "s = \\StringTok{[[a}\n\n\\StringTok{b]]} \\CommentTok{{-}{-} c}\nd")
end

TestReportTables = {}

-- A folder with one table of an experiment; its rows as text, columns separated by blanks.
local function with_table(experiment, tables, check)
  local dir = os.tmpname()
  os.remove(dir)
  assert(os.execute("mkdir -p '" .. dir .. "/data/" .. experiment .. "'"))
  for name, text in pairs(tables) do
    local file = assert(io.open(dir .. "/data/" .. experiment .. "/" .. name .. ".tsv", "wb"))
    file:write((text:gsub(" ", "\t"):gsub("\1", " "))) -- a blank within a cell is written \1
    file:close()
  end
  local good, problem = pcall(check, dir)
  assert(os.execute("rm -r '" .. dir .. "'"))
  if not good then error(problem, 0) end
end

local spreads = [[
spacing x truth method normaliser sd se
ends -4 0.2 encoded none 0.41 0.0001
ends -4 0.2 analytic sum 0.152 0.0004
ends -4 0.2 learned sum 0.193 0.0004
ends -4 0.2 pooled none 0.442 0.0008
ends -4 0.2 analytic participation 0.386 0.0024
ends -4 0.2 learned participation 0.546 0.0004
]]

function TestReportTables.test_ratios_to_the_true_and_to_the_encoded_spread()
  local bins = spreads:gsub("^.-\n", ""):gsub("ends", "bins"):gsub("0.152", "0.2"):gsub("0.41 ", "0.4 ")
  with_table("06_variance_components", { spreads = spreads .. bins }, function(dir)
    local text = report_tables.ratios(dir)
    local first, second = text:match("texttt{ends}(.*)texttt{bins}(.*)")
    lu.assertStrContains(first, "encoded; two stages draw it exactly & $2.05$ &  \\\\")
    lu.assertStrContains(first, "analytic, divided by the sum (printed) & $0.76$ & $0.37$ \\\\")
    lu.assertStrContains(first, "learned, divided by the sum (printed) & $\\mathbf{0.96}$ & $0.47$ \\\\")
    lu.assertStrContains(first, "analytic, divided by participation & $1.93$ & $\\mathbf{0.94}$ \\\\")
    lu.assertStrContains(second, "analytic, divided by the sum (printed) & $\\mathbf{1.00}$ & $0.50$ \\\\")
    lu.assertStrContains(text, "Standard errors are at most $0.012$")
  end)
end

-- Lines of a ledger: id, reading and values; the other columns hold nothing that the table reads.
local function ledger_lines(lines)
  local text = { table.concat(statement.columns, " ") }
  for _, line in ipairs(lines) do
    local row = { id = line[1], reading = line[2], value = line[3], at = line[4], kind = "empirical", verdict = "holds",
                  whose = "original" }
    local cells = {}
    for c, column in ipairs(statement.columns) do cells[c] = (row[column] or "NA"):gsub(" ", "\1") end
    text[#text + 1] = table.concat(cells, " ")
  end
  return table.concat(text, "\n") .. "\n"
end

function TestReportTables.test_both_releases_from_the_ledger()
  local at, lines = "x=-4 x=-2 x=0 x=2 x=4", {}
  for _, reading in ipairs { "printed", "corrected" } do
    for id, cells in pairs { ["combined-inflates"] = { "%s", "learned, %s", "one input alone, %s" },
                             ["complete-posterior"] = { "%s", "learned, %s" } } do
      for _, cell in ipairs(cells) do
        local values = reading == "printed" and "1.02 1 1 1 1.06" or "0.917 1 1 1 1"
        lines[#lines + 1] = { id, cell:format(reading), values, at }
      end
    end
    lines[#lines + 1] = { "sample-single", reading, "0.0001 0.013 0 0 0 0.09", at .. " x=3" }
  end
  with_table("11_combined_uncertainty", { claims = ledger_lines(lines) }, function(dir)
    local text = report_tables.combined(dir, ledger.read(dir .. "/data"))
    lu.assertStrContains(text, "printed & mapping: spread over that with $\\mathbf Q$ alone & $1.02$ & $1.00$ &")
    lu.assertStrContains(text, "corrected & mapping: spread over that with $\\mathbf Q$ alone & $0.92$ &")
    lu.assertStrContains(text, "mapping: empty draws & $<0.1\\%$ & $1.3\\%$ & $<0.1\\%$ &")
  end)
  table.remove(lines)
  with_table("11_combined_uncertainty", { claims = ledger_lines(lines) }, function(dir)
    local good, problem = pcall(report_tables.combined, dir, ledger.read(dir .. "/data"))
    lu.assertFalse(good)
    lu.assertStrContains(problem.message, "the ledger has no cell sample-single/corrected")
  end)
end

function TestReportTables.test_rules_in_the_order_of_the_data()
  with_table("05_learning_rules", { errors = "rule tv rest\nraw 0.4734 0.4732\npower 0.0459 0.0298\n" }, function(dir)
    local text = report_tables.rules(dir)
    lu.assertStrContains(text, "raw & $g$ & $r$ & $0.47$ & $0.47$ \\\\\n"
      .. "power & $g^\\psi$ & $r^\\psi$ & $0.046$ & $0.030$ \\\\")
  end)
  with_table("05_learning_rules", { errors = "rule tv rest\nguess 0.4 0.4\n" }, function(dir)
    local good, problem = pcall(report_tables.rules, dir)
    lu.assertFalse(good)
    lu.assertStrContains(problem.message, "there is no rule `guess`")
  end)
end

TestTables = {}

function TestTables.test_the_style_of_a_table_is_its_environment()
  local spec = { columns = { { head = "a", share = 0.5 }, { head = "b", align = "r" } }, rows = { { "1", "2" } } }
  lu.assertStrContains(markup.latex.table(spec), "\\begin{vestable}")
  spec.style = "box"
  lu.assertStrContains(markup.latex.table(spec), "\\begin{vesbox}")
end

TestLog = {}

function TestLog.test_a_missing_package_is_named()
  local said = latex_log.error { "./paper.tex:7: LaTeX Error: File `nosuch.sty' not found." }
  lu.assertStrContains(said, "paper.tex:7: the TeX package nosuch.sty is not installed")
end

function TestLog.test_an_undefined_command_is_named()
  local said = latex_log.error { "./paper.tex:9: Undefined control sequence.", "l.9 The value \\SdAnalitic", "   is" }
  lu.assertEquals(said, "paper.tex:9: undefined command \\SdAnalitic")
end

function TestLog.test_faults_without_an_error()
  local faults = latex_log.faults {
    "(./paper.tex", "LaTeX Warning: Reference `eq:nowhere' on page 1 undefined on input line 12.",
    "LaTeX Warning: Label `eq:a' multiply defined.",
    "Overfull \\hbox (6.1pt too wide) in paragraph at lines 20--21", "[]\\T1/lmr/m/n/10 some words",
    "Overfull \\hbox (4.9pt too wide) in paragraph at lines 30--31",
    "Overfull \\vbox (9.0pt too high) detected at line 40",
    "Missing character: There is no ∃ in font ec-lmr10!",
    "Package natbib Warning: Citation `Nobody' on page 2 undefined on input line 50.",
    "LaTeX Warning: Reference `eq:nowhere' on page 1 undefined on input line 12.",
  }
  lu.assertEquals(#faults, 6)
  lu.assertStrContains(faults[1], "reference eq:nowhere is undefined (line 12)")
  lu.assertStrContains(faults[2], "eq:a is defined twice")
  lu.assertStrContains(faults[3], "paper.tex:20--21: a line is 6.1 pt too wide")
  lu.assertStrContains(faults[4], "a page is 9.0 pt too high")
  lu.assertStrContains(faults[5], "has no character")
  lu.assertStrContains(faults[6], "citation Nobody is undefined")
end

function TestLog.test_a_clean_log_has_no_faults()
  local lines = { "(./paper.tex", "Overfull \\hbox (0.3pt too wide) in paragraph at lines 1--2", "Output written on" }
  lu.assertNil(latex_log.error(lines))
  lu.assertEquals(latex_log.faults(lines), {})
end

TestTrace = {}

-- Written apart, so that this file has no tag that names nothing.
local function tag(name) return "[eq:" .. name .. "]" end

function TestTrace.test_c_comments_belong_to_the_function_below()
  local owner_of = owners.c {
    "/* essay " .. tag "a" .. " */", "", "/* contract " .. tag "b" .. " */",
    "ves_status ves_x_do(int a,", "                     int b);", "",
    "static int f(void) {", "  return 0; /* " .. tag "c" .. " */", "}", "", "typedef enum {",
    "  VES_RULE_RAW, /* " .. tag "d" .. " */", "} rule;", "/* " .. tag "e" .. " */", "TEST t(void) {", "  PASS();", "}",
  }
  lu.assertEquals({ owner_of[1], owner_of[3], owner_of[8], owner_of[12], owner_of[14] },
    { false, "ves_x_do", "f", "VES_RULE_RAW", "t" })
end

function TestTrace.test_lua_comments_belong_to_the_function_below()
  local owner_of = owners.lua { "-- essay", "", "--- contract", "function m.f(x)", "  return x -- here", "end",
                                    "local function g() return 1 end", "local x = 2" }
  lu.assertEquals({ owner_of[1], owner_of[3], owner_of[5], owner_of[7], owner_of[8] },
    { false, "m.f", "m.f", "g", false })
end

TestApi = {}

function TestApi.test_a_comment_becomes_an_entry()
  local entries = api.parse { "/*** ves.f(x, options) -> y", " * Says what. It goes", " * on. " .. tag "a",
    " * @param x number", " * of two lines", " * @key psi number > 0",
    " * @return y", " * @example print(ves.f(1))", " * print(2)",
    " */", "static int f" }
  lu.assertEquals(#entries, 1)
  local e = entries[1]
  lu.assertEquals(e.signature, "ves.f(x, options) -> y")
  lu.assertEquals(e.text, { "Says what. It goes on. " .. tag "a" })
  lu.assertEquals({ e.param, e.key, e["return"], e.example },
    { { "x number of two lines" }, { "psi number > 0" }, { "y" }, { "print(ves.f(1))", "print(2)" } })
end

TestMetadata = {}

function TestMetadata.test_json_keeps_the_order_of_keys_and_escapes()
  lu.assertEquals(json.encode(json.object("b", 'a "quote"\n', "a", { 1, true, "\1" }, "gone", nil, "c", json.object())),
    '{"b": "a \\"quote\\"\\n", "a": [1, true, "\\u0001"], "c": {}}\n')
  local long = ("x"):rep(60)
  lu.assertEquals(json.encode { long, long }, '[\n  "' .. long .. '",\n  "' .. long .. '"\n]\n')
end

function TestMetadata.test_a_crate_refers_to_what_it_describes()
  local function said(...)
    local good, problem = pcall(crate.check, { ... }, ".")
    return good and "nothing" or problem.message
  end
  local file = json.object("@id", "README.md", "@type", "File")
  local function root(part)
    return json.object("@id", "./", "@type", "Dataset", "hasPart", { json.object("@id", part) })
  end
  lu.assertEquals(said(root "README.md", file), "nothing")
  lu.assertEquals(said(root "https://doi.org/1", file), "nothing")
  lu.assertStrContains(said(root "LICENSE", file), "hasPart of ./ names LICENSE, which is not described")
  lu.assertStrContains(said(file, file), "README.md stands twice")
  lu.assertStrContains(said(json.object("@id", "gone.md", "@type", "File")), "the file gone.md does not exist")
end

-- The identifiers that git and Software Heritage give; those of the tree's files: tests/documents/identifiers.sh.
TestHeritage = {}

function TestHeritage.test_known_hashes()
  local heritage = require "vesicle.publish.heritage"
  lu.assertEquals(heritage.sha1(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709")
  lu.assertEquals(heritage.sha1("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d")
  lu.assertEquals(heritage.sha1(("a"):rep(1000000)), "34aa973cd4c4daa4f61eeb2bdbad27316534016f")
  for n, digits in pairs { [55] = "c1c8bbdc", [56] = "c2db330f", [63] = "03f09f5b", [64] = "0098ba82" } do
    lu.assertStrContains(heritage.sha1(("a"):rep(n)), digits) -- on both sides of where a block ends
  end
  lu.assertEquals(heritage.content(""), "swh:1:cnt:e69de29bb2d1d6434b8b29ae775ad8c2e48c5391")
  lu.assertEquals(heritage.lines("swh:1:cnt:e6", "csrc/a.c", 3, 3), "swh:1:cnt:e6;path=/csrc/a.c;lines=3")
  lu.assertEquals(heritage.lines("swh:1:cnt:e6", "csrc/a.c", 3, 9), "swh:1:cnt:e6;path=/csrc/a.c;lines=3-9")
end

-- A number that several parts of an experiment share is the name of none of them.
TestResults = {}

function TestResults.test_aliases_are_of_one_experiment()
  local whose = {}
  for _, name in ipairs(results.experiments()) do
    for _, alias in ipairs(results.aliases(name)) do
      lu.assertNil(whose[alias], alias)
      whose[alias] = name
    end
  end
  lu.assertEquals(whose["02"], "02_sampling_diagram")
  lu.assertNil(whose["10"])
  lu.assertEquals(whose["10_conjecture"], "10_conjecture")
end

TestPlayground = {}

function TestPlayground.test_declared_parameters_have_both_scales_and_nothing_is_computed()
  local by_name = {}
  for _, p in ipairs(declared("lua/experiments/05_learning_rules.lua")) do by_name[p.name] = p end
  lu.assertEquals(by_name.psi, { name = "psi", kind = "number", full = "7", quick = "7",
                                 range = { 1, 20 }, about = "exponent of the power rule" })
  lu.assertEquals({ by_name.replicates.full, by_name.replicates.quick, by_name.replicates.kind },
    { "200", "20", "integer" })
end

function TestPlayground.test_a_figure_says_what_is_seen_apart_from_its_caption()
  local path = "figures/05_two_algorithms.gp"
  lu.assertStrContains(results.alternative(path), "Two panels on logarithmic axes")
  lu.assertNotStrContains(results.caption(path), "Two panels")
  lu.assertEquals(results.tables_of(path), { "race.tsv" })
end

function TestPlayground.test_a_line_of_a_script_has_a_place_in_its_page()
  lu.assertEquals(prose.place({ "--- Text.", "", "local a", 'id = "x"' }, '"x"'), "code3-4")
  lu.assertNil(prose.place({ '--- "x"' }, '"x"'))
end

function TestPlayground.test_examples_are_scripts()
  local examples = playground.examples()
  lu.assertTrue(#examples >= 4)
  for _, one in ipairs(examples) do lu.assertTrue(load(one.script) ~= nil, one.title) end
  lu.assertStrContains(examples[1].script, "print(q)")
  lu.assertStrContains(examples[#examples].figure, "figures/style.gp")
end

os.exit(lu.LuaUnit.run())
