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

local function page(dir, form)
  local latex = form == markup.latex
  local sums = provenance.checksums(dir .. "/checksums.tsv")
  local parts = {
    latex and form.block("\\chapter{Provenance}\\vesanchor{provenance}")
      or "---\ntitle: Provenance\nname: provenance\n---\n",
    "Every table is written by one experiment from its seed and its parameters, and by nothing else; run twice, it has "
    .. "the same bytes. The checksum (SHA-256, its first 16 digits) covers a table without its `#` lines, "
    .. "which name the commit that wrote it. `make verify` compares all of them with the committed expectations.",
  }
  for _, name in ipairs(results.experiments()) do
    local this = results.read(dir, name)
    local rows = {}
    for _, file in ipairs(files.list(dir .. "/data/" .. name, "%.tsv$")) do
      local one = results.table(dir .. "/data/" .. name .. "/" .. file)
      rows[#rows + 1] = { form.code(file), tostring(#one.rows), tostring(#one.columns),
                          form.code((sums[name .. "/" .. file] or "?"):sub(1, 16)) }
    end
    local link = latex and "\\hyperlink{experiment:" .. name .. "}{" .. form.code(name) .. "}"
      or '<a href="' .. name .. '.html">' .. form.code(name) .. "</a>"
    parts[#parts + 1] = string.format("%s, seed %s, %s scale, %d parameters", form.inline(link), this.facts.seed,
      this.facts.scale, #this.facts.parameters)
    parts[#parts + 1] = form.block(form.table { columns = {
      { head = "table" }, { head = "rows", align = "r" }, { head = "columns", align = "r" }, { head = "checksum" } },
      rows = rows })
  end
  return table.concat(parts, "\n\n") .. "\n"
end

return setmetatable(provenance, { __call = function(_, settings)
  files.write(settings.out .. "/provenance.tex.md", page(settings.results, markup.latex))
  files.write(settings.out .. "/provenance.html.md", page(settings.results, markup.html))
end })
