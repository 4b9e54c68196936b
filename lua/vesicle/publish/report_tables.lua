-- report_tables: the report's tables of results, made from the experiments' data tables.
--
-- Each function reads tables below DIR/data, or the ledger, which it is also given, and returns a LaTeX tabular;
-- \ResultTable{name} in the report shows it.
-- Words and order stand here, every number comes from a file.

local cells = require "vesicle.publish.claim_cells"
local committed = require "vesicle.publish.committed"
local files = require "vesicle.publish.files"
local margins = require "vesicle.margins"
local markup = require "vesicle.publish.markup"
local silences = require "vesicle.publish.silences"

local tables = {}

local latex = markup.latex

local function rows_of(dir, experiment, name)
  return files.rows(dir .. "/data/" .. experiment .. "/" .. name .. ".tsv")
end

local function decimals(x, n) return string.format("$%." .. (n or 2) .. "f$", x) end

--- A distance with two significant digits: 0.47, 0.046.
local function distance(x) return decimals(x, x < 0.0995 and 3 or 2) end

--- A share as a percentage with one decimal; what would show as 0.0 is "below 0.1".
local function percentage(x) return x < 5e-4 and "$<0.1\\%$" or string.format("$%.1f\\%%$", 100 * x) end

--- A ratio with two decimals, in bold if it is 1 to within the margin of "closely".
local function ratio(x)
  local text = string.format("%.2f", x)
  return math.abs(x - 1) < margins.closely and "$\\mathbf{" .. text .. "}$" or "$" .. text .. "$"
end

--- Values in the order in which they first occur.
local function distinct(rows, column)
  local seen, found = {}, {}
  for _, row in ipairs(rows) do
    local value = row[column]
    if value ~= nil and not seen[value] then seen[value], found[#found + 1] = true, value end
  end
  return found
end

local function line(...) return table.concat({ ... }, " & ") .. " \\\\" end

--- "$x=-4$ & $x=-2$ & ..."
local function input_heads(inputs)
  local heads = {}
  for k, x in ipairs(inputs) do heads[k] = string.format("$%g$", x) end
  return table.concat(heads, " & ")
end

-- ---- the spread of samples ----

-- Rows of the table of ratios: what is shown, and the method and normaliser by which 06_variance_components has it.
local spreads = {
  { "encoded; two stages draw it exactly", "encoded", "none" },
  { "analytic, divided by the sum (printed)", "analytic", "sum" },
  { "learned, divided by the sum (printed)", "learned", "sum" },
  { "pooled learning, undivided (printed)", "pooled", "none" },
  { "analytic, divided by participation", "analytic", "participation" },
  { "learned, divided by participation", "learned", "participation" },
}

--- Standard deviations of samples over the true one, and over the encoded one, at the trained inputs; one block for
--- each spacing of the centres.
function tables.ratios(dir)
  local all, at, largest = rows_of(dir, "06_variance_components", "spreads"), {}, 0
  for _, row in ipairs(all) do
    at[table.concat({ row.spacing, row.method, row.normaliser, row.x }, " ")] = row
    largest = math.max(largest, row.se / row.truth)
  end
  local inputs = distinct(all, "x")
  local n = #inputs
  local out = {
    "\\begin{tabular}{@{}l" .. ("c"):rep(n) .. "@{\\hspace{1.6em}}" .. ("c"):rep(n) .. "@{}}", "\\toprule",
    string.format(" & \\multicolumn{%d}{c}{over the true spread}", n)
      .. string.format(" & \\multicolumn{%d}{c}{over the encoded spread}\\\\", n),
    string.format("\\cmidrule(r){2-%d}\\cmidrule(l){%d-%d}", n + 1, n + 2, 2 * n + 1),
    line("input $x$", input_heads(inputs), input_heads(inputs)), "\\midrule",
  }
  for k, spacing in ipairs(distinct(all, "spacing")) do
    if k > 1 then out[#out + 1] = "\\addlinespace[3pt]" end
    out[#out + 1] = string.format("\\multicolumn{%d}{@{}l}{centres: \\texttt{%s}}\\\\", 2 * n + 1, spacing)
    for _, wanted in ipairs(spreads) do
      local to_truth, to_encoded = {}, {}
      for i, x in ipairs(inputs) do
        local row = at[table.concat({ spacing, wanted[2], wanted[3], x }, " ")]
        local encoded = at[table.concat({ spacing, "encoded", "none", x }, " ")]
        to_truth[i] = ratio(row.sd / row.truth)
        to_encoded[i] = row == encoded and "" or ratio(row.sd / encoded.sd)
      end
      out[#out + 1] = line(wanted[1], table.concat(to_truth, " & "), table.concat(to_encoded, " & "))
    end
  end
  out[#out + 1] = "\\bottomrule"
  out[#out + 1] = string.format("\\multicolumn{%d}{@{}l}{\\footnotesize Bold: within a tenth of one. "
    .. "Standard errors are at most %s.}\\\\", 2 * n + 1, decimals(largest, 3))
  out[#out + 1] = "\\end{tabular}"
  return table.concat(out, "\n") .. "\n"
end

-- ---- both releases at once ----

-- Rows of the table for each reading: what is shown, the statement and the cell of the ledger that has it, its form.
local products = {
  { "mapping: spread over that with $\\mathbf Q$ alone", "combined-inflates", "%s", decimals },
  { "learned: spread over that with $\\mathbf Q$ alone", "combined-inflates", "learned, %s", decimals },
  { "mapping, one row alone: spread over the encoded", "combined-inflates", "one input alone, %s", decimals },
  { "mapping: spread over the Beta model's predictive", "complete-posterior", "%s", decimals },
  { "learned: spread over the Beta model's predictive", "complete-posterior", "learned, %s", decimals },
  { "mapping: empty draws", "sample-single", "%s", percentage },
}

--- The values of a cell of the ledger at the trained inputs, by the names of its elements.
local function values_at(all, id, reading)
  for _, cell in ipairs(all[id] and all[id].cells or {}) do
    if cell.reading == reading then
      local values, names, found = {}, {}, {}
      for word in cell.value:gmatch("%S+") do values[#values + 1] = tonumber(word) end
      for word in cell.at:gmatch("%S+") do names[#names + 1] = word end
      for k, name in ipairs(names) do found[name] = values[k] end
      return found
    end
  end
  files.stop(1, string.format("report_tables.combined: the ledger has no cell %s/%s", id, reading))
end

--- What multiplying the releases does at the trained inputs, the printed reading first.
function tables.combined(_, all)
  local inputs = { -4, -2, 0, 2, 4 }
  local out = { "\\begin{tabular}{@{}ll" .. ("c"):rep(#inputs) .. "@{}}", "\\toprule",
                line("reading", "samples with $\\boldsymbol\\Phi\\odot\\mathbf Q$, by input $x$", input_heads(inputs)),
                "\\midrule" }
  for r, reading in ipairs { "printed", "corrected" } do
    if r > 1 then out[#out + 1] = "\\addlinespace[3pt]" end
    for p, product in ipairs(products) do
      local values, shown = values_at(all, product[2], string.format(product[3], reading)), {}
      for i, x in ipairs(inputs) do shown[i] = product[4](values[string.format("x=%d", x)]) end
      out[#out + 1] = line(p == 1 and reading or "", product[1], table.concat(shown, " & "))
    end
  end
  out[#out + 1] = "\\bottomrule"
  out[#out + 1] = "\\end{tabular}"
  return table.concat(out, "\n") .. "\n"
end

-- ---- learning rules ----

-- The target of each rule, and where it rests at the second weakest synapse, where the mapping is r. [prop:fixed]
local rules = {
  raw = { "$g$", "$r$" }, subtract = { "$g-c$", "$(1-c)\\,r$" }, rescale = { "$g\\,|\\mathbf s|/(n-i+1)$", "$r$" },
  power = { "$g^\\psi$", "$r^\\psi$" }, variable = { "$g^{(n-i)q+1}$", "root of $q=r^{1+q}$" },
  subset = { "$g^{|\\mathbf s|}$", "$r^2$" },
  expected = { "$g^{\\sqrt q\\,((n-i)\\bar q+1)}$", "root of $q=r^{2\\sqrt q}$" },
}

--- Total variation of the winners from the encoded distribution for each rule: as the original stopped, and at rest.
function tables.rules(dir)
  local out = { "\\begin{tabular}{@{}lllcc@{}}", "\\toprule",
                " & & release at the & \\multicolumn{2}{c}{distance of winners}\\\\", "\\cmidrule(l){4-5}",
                line("rule", "target", "second weakest", "stopped", "at rest"), "\\midrule" }
  for _, row in ipairs(rows_of(dir, "05_learning_rules", "errors")) do
    local rule = rules[row.rule]
    if not rule then files.stop(1, "report_tables.rules: there is no rule `" .. tostring(row.rule) .. "`") end
    out[#out + 1] = line(row.rule, rule[1], rule[2], distance(row.tv), distance(row.rest))
  end
  out[#out + 1] = "\\bottomrule"
  out[#out + 1] = "\\end{tabular}"
  return table.concat(out, "\n") .. "\n"
end

-- ---- what survives the silences ----

local survivals = { { "every reading", "survive every reading" }, { "one silence", "depend on one silence" },
                    { "several silences", "depend on several" }, { "no reading", "survive no reading" } }

--- The central statements under every combination of readings, class by class.
function tables.silences(dir)
  local out = { "\\begin{tabularx}{\\linewidth}{@{}>{\\raggedright\\arraybackslash}Xrrr"
                .. ">{\\raggedright\\arraybackslash}p{2.6cm}>{\\raggedright\\arraybackslash}p{3.4cm}@{}}",
                "\\toprule", line("statement", "readings", "holds in", "close", "decides most", "always holds with") }
  for _, class in ipairs(survivals) do
    local first = true
    for _, row in ipairs(rows_of(dir, "27_silences", "statements")) do
      if row.survives == class[1] then
        if first then
          out[#out + 1] = "\\midrule"
          out[#out + 1] = string.format("\\multicolumn{6}{@{}l}{\\emph{%s}}\\\\", class[2])
        end
        first = false
        local decides = row.decides == "nothing" and "" or string.format("%s (%s)", row.decides,
          silences.percent(row.weight))
        out[#out + 1] = line(string.format("\\veslinkto{claim:%s}{%s}", row.id, latex.text(row.says)),
          string.format("$%d$", row.combinations), latex.text(silences.percent(row.share)),
          latex.text(silences.percent(row.close)), latex.text(decides),
          row.always == "none" and "" or latex.text(row.always))
      end
    end
  end
  out[#out + 1] = "\\bottomrule"
  out[#out + 1] = "\\end{tabularx}"
  return table.concat(out, "\n") .. "\n"
end

-- ---- the ledger's central rows ----

--- The central statements of docs/central.tsv: what was measured as printed and corrected, what came of each, and what
--- the repaired model makes of it.
function tables.central(_, all)
  local out = { "\\begin{tabularx}{\\linewidth}{@{}>{\\raggedright\\arraybackslash}X"
                .. (">{\\raggedright\\arraybackslash}p{3.1cm}"):rep(2)
                .. ">{\\raggedright\\arraybackslash}p{2.1cm}>{\\raggedright\\arraybackslash}p{3.1cm}@{}}",
                "\\toprule", line("statement", "printed", "corrected", "outcome", "repaired"), "\\midrule" }
  for _, one in ipairs(committed.central(all)) do
    local by = {}
    for _, cell in ipairs(one.cells) do
      by[cell.reading] = cells.measured(cell, latex) .. ": " .. cell.verdict
    end
    out[#out + 1] = line(string.format("\\veslinkto{claim:%s}{%s}", one.id, latex.text(cells.says(one))),
      by.printed or "", by.corrected or "", cells.outcome(one, latex),
        by.repaired or one.unasked ~= "NA" and "not asked" or "")
  end
  out[#out + 1] = "\\bottomrule"
  out[#out + 1] = "\\end{tabularx}"
  return table.concat(out, "\n") .. "\n"
end

-- ---- the repaired network beside the original's readings ----

local repaired_methods = { { "printed", "printed" }, { "corrected", "corrected" }, { "repaired", "repaired" },
                           { "repaired, sites on the mapping", "hypotheses" } }

--- For each data model and method, over the five inputs: distance of winners from what is encoded, with the releases of
--- the observed distribution alone; spread, distance from the data, coverage and empty draws with both; and the MAP.
function tables.repaired(dir)
  local all = rows_of(dir, "21_repaired_network", "whole")
  local out = { "\\begin{tabular}{@{}lcccccc@{}}", "\\toprule",
                " & $\\mathbf Q$ alone & \\multicolumn{4}{c}{both releases} & MAP\\\\",
                "\\cmidrule(r){2-2}\\cmidrule(r){3-6}\\cmidrule{7-7}",
                line("", "off encoded", "spread over data", "off data", "coverage", "empty", "s.e.\\ over Beta") }
  for _, model in ipairs(distinct(all, "model")) do
    out[#out + 1] = "\\midrule"
    out[#out + 1] = string.format("\\multicolumn{7}{@{}l}{data model: %s}\\\\", model)
    for _, method in ipairs(repaired_methods) do
      local sum, n, worst, least, most = { off = 0, most = 0, empty = 0, map = 0 }, 0, 0, math.huge, 0
      for _, row in ipairs(all) do
        if row.model == model and row.method == method[2] then
          n, worst = n + 1, math.max(worst, row.kolmogorov)
          least, most = math.min(least, row.sd / row.truth), math.max(most, row.sd / row.truth)
          for name in pairs(sum) do sum[name] = sum[name] + row[name] end
        end
      end
      out[#out + 1] = line(method[1], distance(sum.off / n), decimals(least) .. " to " .. decimals(most),
        distance(worst), percentage(sum.most / n), percentage(sum.empty / n), decimals(sum.map / n))
    end
  end
  out[#out + 1] = "\\bottomrule"
  out[#out + 1] = "\\end{tabular}"
  return table.concat(out, "\n") .. "\n"
end

tables.names = { "ratios", "combined", "rules", "silences", "central", "repaired" }

return tables
