-- silences: what became of the central statements under every combination of what the original leaves open, in words.
--
-- 27_silences makes the table statements.tsv; `make record` keeps it as docs/silences.tsv, which the pages quote.

local files = require "vesicle.publish.files"

local silences = {}

silences.path = "docs/silences.tsv"

local kept = { "id", "says", "survives", "combinations", "share", "close", "decides", "weight", "always" }

--- The rows of the table of a build, as docs/silences.tsv has them.
function silences.recorded(data)
  local lines = { "# The central statements under all readings; written by `make record` from 27_silences.",
                  table.concat(kept, "\t") }
  for _, row in ipairs(files.rows(data .. "/27_silences/statements.tsv")) do
    local cells = {}
    for i, name in ipairs(kept) do cells[i] = tostring(row[name]) end
    lines[#lines + 1] = table.concat(cells, "\t")
  end
  return table.concat(lines, "\n") .. "\n"
end

--- The recorded rows, also by id; nothing before they were first recorded.
function silences.rows()
  local rows = files.exists(silences.path) and files.rows(silences.path) or {}
  for _, row in ipairs(rows) do rows[row.id] = row end
  return rows
end

--- A share in words: "37%"; neither all nor none is ever called so.
function silences.percent(share)
  if share > 0 and share < 0.005 then return "<1%" end
  if share < 1 and share >= 0.995 then return ">99%" end
  return string.format("%.0f%%", 100 * share)
end

--- What became of one statement: "every reading", "7% of 144 readings; above all the decoder".
function silences.outcome(row)
  if not row then return "" end
  if row.survives == "every reading" or row.survives == "no reading" then
    return string.format("%s (of %d)", row.survives, row.combinations // 1)
  end
  return string.format("%s of %d readings; %s", silences.percent(row.share), row.combinations // 1,
    row.survives == "one silence" and "decided by the " .. row.decides or silences.above_all(row))
end

--- The silence that decides most, in words.
function silences.above_all(row)
  return row.decides == "nothing" and "no single choice" or "above all the " .. row.decides
end

local classes = { { "every reading", "%d survive every reading" }, { "one silence", "%d depend on one choice" },
                  { "several silences", "%d depend on several choices" }, { "no reading", "%d survive no reading" } }

--- The headline: a sentence, and a line for each class.
function silences.headline(rows)
  if #rows == 0 then return "`make record` judges the central statements under all readings." end
  local total = 0
  for _, row in ipairs(rows) do total = total + row.combinations end
  local lines = { string.format("%d central statements were judged under every combination of what the text leaves "
    .. "open, %d in all:\n", #rows, total // 1) }
  for _, class in ipairs(classes) do
    local names = {}
    for _, row in ipairs(rows) do
      if row.survives == class[1] then
        local open = class[1] == "one silence" and string.format(" (the %s)", row.decides)
          or class[1] == "several silences"
          and string.format(" (%s; %s)", silences.percent(row.share), silences.above_all(row))
        names[#names + 1] = row.says .. (open or "")
      end
    end
    if #names > 0 then
      lines[#lines + 1] = string.format("- **%s**: %s.", class[2]:format(#names), table.concat(names, "; "))
    end
  end
  return (table.concat(lines, "\n"):gsub("(%*%*1) (%l+)", function(one, verb)
    return one .. " " .. verb .. "s"                        -- 1 survives, 1 depends
  end))
end

return silences
