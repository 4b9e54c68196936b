-- provenance: where every data file comes from, with its checksum.
--
-- Reads checksums.tsv (paper/tools/checksums.sh) and the headers of the tables. The commit and the
-- machine are left out: they stand in the tables' own headers and in provenance.txt, and the PDF
-- depends on neither.

local files = require "vesicle.publish.files"
local markup = require "vesicle.publish.markup"
local results = require "vesicle.publish.results"

local provenance = {}

--- The checksums by file name "experiment/table.tsv".
function provenance.checksums(path)
  local sums = files.rows(path)
  for _, row in ipairs(sums) do sums[row.file] = tostring(row.sha256) end
  return sums
end

--- Every experiment with the sizes and checksums of its tables.
local function gather(dir)
  local sums, all = provenance.checksums(dir .. "/checksums.tsv"), {}
  for _, name in ipairs(results.experiments()) do
    local one = { name = name, facts = results.read(dir, name).facts, tables = {} }
    for _, file in ipairs(files.list(dir .. "/data/" .. name, "%.tsv$")) do
      local rows, columns = results.size(dir .. "/data/" .. name .. "/" .. file)
      one.tables[#one.tables + 1] = { file = file, rows = rows, columns = columns,
                                      sum = (sums[name .. "/" .. file] or "?"):sub(1, 16) }
    end
    all[#all + 1] = one
  end
  return all
end

local function page(all, form)
  local latex = form == markup.latex
  local parts = {
    latex and form.block("\\chapter{Provenance}\\vesanchor{provenance}")
      or "---\ntitle: Provenance\nname: provenance\n---\n",
    "Every table is written by one experiment from its seed and its parameters, and by nothing else; run twice, it has "
    .. "the same bytes. The checksum (SHA-256, its first 16 digits) covers a table without its `#` lines, "
    .. "which name the commit that wrote it. `make verify` compares all of them with the committed expectations.",
  }
  for _, one in ipairs(all) do
    local rows = {}
    for i, t in ipairs(one.tables) do
      rows[i] = { form.code(t.file), tostring(t.rows), tostring(t.columns), form.code(t.sum) }
    end
    local link = latex and "\\hyperlink{experiment:" .. one.name .. "}{" .. form.code(one.name) .. "}"
      or '<a href="' .. one.name .. '.html">' .. form.code(one.name) .. "</a>"
    parts[#parts + 1] = string.format("%s, seed %s, %s scale, %d parameters", form.inline(link), one.facts.seed,
      one.facts.scale, #one.facts.parameters)
    parts[#parts + 1] = form.block(form.table { columns = {
      { head = "table" }, { head = "rows", align = "r" }, { head = "columns", align = "r" }, { head = "checksum" } },
      rows = rows })
  end
  return table.concat(parts, "\n\n") .. "\n"
end

return setmetatable(provenance, { __call = function(_, settings)
  local all = gather(settings.results)
  files.write(settings.out .. "/provenance.tex.md", page(all, markup.latex))
  files.write(settings.out .. "/provenance.html.md", page(all, markup.html))
end })
