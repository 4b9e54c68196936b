-- identifiers: of every function that carries a tag, its Software Heritage identifier.
--
-- A chapter of the supplement, a web page, and with --set form=table a table for programs. They follow every change of
-- a source, also one that moves no result, so `make verify` leaves them out (vesicle.publish.verify).

local files = require "vesicle.publish.files"
local heritage = require "vesicle.publish.heritage"
local markup = require "vesicle.publish.markup"
local trace = require "vesicle.publish.trace"

local identifiers = {}

--- One row per function and label: label, name, path, first, last, file (the identifier of its file) and whole (with
--- path and lines).
function identifiers.rows()
  local rows, of = {}, {}
  for _, entry in ipairs((trace.matrix())) do
    for _, name in ipairs(entry.functions) do
      local place = trace.place(entry.path[name], name)
      if not place then files.stop(1, "identifiers: " .. entry.path[name] .. " has no lines of " .. name) end
      of[place.path] = of[place.path] or heritage.file(place.path)
      rows[#rows + 1] = { label = entry.label, name = name, path = place.path, first = place.first, last = place.last,
                          file = of[place.path],
                          whole = heritage.lines(of[place.path], place.path, place.first, place.last) }
    end
  end
  return rows
end

function identifiers.table(rows)
  local lines = { "# Software Heritage identifiers of the functions that carry a tag, from the bytes of the sources.",
                  "label\tfunction\tfile\tfirst\tlast\tidentifier" }
  for _, row in ipairs(rows) do
    lines[#lines + 1] = table.concat({ row.label, row.name, row.path, row.first, row.last, row.whole }, "\t")
  end
  return table.concat(lines, "\n") .. "\n"
end

--- By file, its identifier and its functions with their lines; on a web page each with its whole identifier.
local function page(rows, form)
  local latex = form == markup.latex
  local by_file, seen = {}, {}
  for _, row in ipairs(rows) do
    local one = by_file[row.path]
    if not one then
      one = { path = row.path, file = row.file }
      by_file[row.path], by_file[#by_file + 1] = one, one
    end
    if not seen[row.path .. " " .. row.name] then
      seen[row.path .. " " .. row.name] = true
      one[#one + 1] = row
    end
  end
  table.sort(by_file, function(a, b) return a.path < b.path end)
  local lines = {}
  for _, one in ipairs(by_file) do
    table.sort(one, function(a, b) return a.first < b.first end)
    lines[#lines + 1] = { form.code(one.path), form.code(one.file) }
    for _, row in ipairs(one) do
      local where = row.first .. (row.last > row.first and "-" .. row.last or "")
      lines[#lines + 1] = { (latex and "\\quad " or "&emsp;") .. form.code(row.name),
                            form.code(latex and ";lines=" .. where or row.whole) }
    end
  end
  local head = latex and form.block("\\chapter{Identifiers}\\vesanchor{identifiers}")
    or "---\ntitle: Identifiers\nname: identifiers\n---\n"
  return head .. "\n\nOf every file with a function of the trace its Software Heritage identifier, which is git's hash "
    .. "of its bytes, and of every such function its lines. An identifier finds these bytes in the archive at "
    .. "softwareheritage.org once it has them, whatever became of a repository, and anyone who has them can "
    .. "compute it. " .. (latex and "That of a function is that of its file with the lines behind it. " or "")
    .. "`make trace` writes the same as a table.\n\n"
    .. form.block(form.table { columns = { { head = "function", share = 0.42 }, { head = "identifier", share = 0.58 } },
                               rows = lines })
end

return setmetatable(identifiers, { __call = function(_, settings)
  local rows = identifiers.rows()
  if settings.form == "table" then
    files.write(settings.out .. "/identifiers.tsv", identifiers.table(rows))
    io.stdout:write(string.format("%d Software Heritage identifiers: %s/identifiers.tsv\n", #rows, settings.out))
    return
  end
  files.write(settings.out .. "/identifiers.tex.md", page(rows, markup.latex))
  files.write(settings.out .. "/identifiers.html.md", page(rows, markup.html))
end })
