-- markup: one content, two forms.
--
-- Chapters are written as Markdown and turned into LaTeX or HTML by pandoc. What Markdown cannot say (a
-- table with column widths, a link into another document) is given in the form of the target, as a raw
-- part that pandoc passes through. `markup.latex` and `markup.html` offer the same functions.
--
--     text(s)            plain text, escaped: nothing in it is a command
--     emphasis(s)        text, slanted
--     code(s)            a name in typewriter type
--     number(s)          a number as E:table wrote it, shortened for reading
--     inline(s)          makes any of the above part of a Markdown paragraph
--     tag(label)         the link of an equation's tag to its row of the trace matrix
--     lines(code, from)  lines of Lua, numbered if the first has a number
--     figure(...)        a figure with its caption
--     table(spec)        columns = { { head, align, share } }, rows of ready cells, caption; in HTML a row may have an
--                        id and attributes, and the table a label

local escape = require "vesicle.base.latex"
local highlight = require "vesicle.publish.highlight"

local markup = { latex = {}, html = {} }
local latex, html = markup.latex, markup.html

-- ---- text ----

function html.text(s) return (s:gsub("[\\`*_{}%[%]()#+.!|~^<>$@&'\"-]", "\\%0")) end

--- Text inside the quotes of an attribute, where Markdown means nothing.
function html.attribute(s)
  return (s:gsub("[&<>\"]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }))
end

latex.text = escape.text

-- A long name may break after an underscore, a slash, a colon or a hyphen.
function latex.code(s)
  return "\\vescode{" .. latex.text(s):gsub("%-", "{-}\\allowbreak{}"):gsub("\\_", "\\_\\allowbreak{}")
    :gsub("/", "/\\allowbreak{}"):gsub(":", ":\\allowbreak{}") .. "}"
end
function html.code(s)
  return "<code>" .. s:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;"):gsub("[\\`*_{}%[%]()#+.!|~^$@'\"-]",
    "\\%0") .. "</code>"
end

--- "1.25e-07" as mantissa and exponent; nil for texts.
local function shorten(s)
  local x = tonumber(s)
  if not x then return nil end
  if s:find("^%-?%d+$") then return s end
  local short = string.format("%.5g", x)
  local mantissa, power = short:match("^(.*)e(.*)$")
  return mantissa or short, power and math.tointeger(tonumber(power))
end

function latex.number(s)
  local mantissa, power = shorten(s)
  if not mantissa then return latex.text(s) end
  return "$" .. mantissa .. (power and string.format("{\\times}10^{%d}", power) or "") .. "$"
end

function html.number(s)
  local mantissa, power = shorten(s)
  if not mantissa then return html.text(s) end
  local text = mantissa .. (power and "×10^" .. power .. "^" or "")
  return (text:gsub("%-", "−"))
end

--- Width of a cell in characters, for the choice of columns.
function markup.width(s)
  local mantissa, power = shorten(s)
  if not mantissa then return utf8.len(s) or #s end
  return #mantissa + (power and 5 or 0)
end

--- LaTeX's way of writing a number, as vesicle.experiment.number makes it, for a web page.
function html.latex_number(s)
  local text = s:gsub("^\\ensuremath{(.*)}$", "%1"):gsub(" ?\\pm ?", " ± "):gsub("\\times ?", "×")
    :gsub("10%^{(%-?%d+)}", "10^%1^"):gsub("%-", "−"):gsub("\\,", " ")
  return text
end
function latex.latex_number(s) return s end

-- ---- parts of a paragraph ----

function latex.emphasis(s) return "\\emph{" .. latex.text(s) .. "}" end
function html.emphasis(s) return "<em>" .. html.text(s) .. "</em>" end

function latex.inline(s) return "`" .. s .. "`{=latex}" end
function html.inline(s) return s end
function latex.block(s) return "\n```{=latex}\n" .. s .. "\n```\n" end
function html.block(s) return "\n" .. s .. "\n" end

function latex.tag(label) return "\\vestag{" .. label .. "}" end
function html.tag(label)
  return string.format('<a class="tag" href="trace.html#%s">%s</a>', label:gsub(":", "-"), html.text(label))
end

-- ---- code ----

--- Lines of Lua. `from` is the number of the first; without it they have none.
function latex.lines(lines, from)
  return string.format("\n````{=latex}\n\\begin{Highlighting}[%s]\n%s\n\\end{Highlighting}\n````\n",
    from and "numbers=left,firstnumber=" .. from or "", highlight(lines))
end
function html.lines(lines, from)
  local about = from and string.format("{#code%d .lua .numberLines startFrom=\"%d\"}", from, from) or "lua"
  return "```" .. about .. "\n" .. table.concat(lines, "\n") .. "\n```"
end

-- ---- figures ----

function latex.figure(name, caption)
  return string.format("\\begin{vesfigure}\n\\includegraphics[width=\\linewidth,height=.75\\textheight,keepaspectratio]"
    .. "{%s}\n\\vescaption{%s}{%s}\n\\end{vesfigure}", name, latex.code("figures/" .. name .. ".gp"), caption)
end

--- `more` has what a web page adds: alt, the text of what is seen; sources, a line of links below the caption.
function html.figure(name, caption, more)
  return string.format('<figure data-figure="%s">\n<img src="figures/%s.svg" alt="%s">\n<figcaption>\n\n%s\n\n'
    .. '<p class="sources">%s</p>\n</figcaption>\n</figure>', name, name, html.attribute(more.alt), caption,
    more.sources)
end

-- ---- tables ----

local function latex_column(column)
  if not column.share then return column.align or "l" end
  return string.format(">{\\raggedright\\arraybackslash}p{\\dimexpr %.3f\\linewidth-2\\tabcolsep\\relax}", column.share)
end

function latex.table(spec)
  local heads, shapes, lines, kind = {}, {}, {}, spec.style or "table"
  for c, column in ipairs(spec.columns) do
    heads[c], shapes[c] = column.head, latex_column(column)
  end
  lines[1] = "\\begin{ves" .. kind .. "}{@{}" .. table.concat(shapes) .. "@{}}"
  if #heads > 0 then
    lines[2] = table.concat(heads, " & ") .. " \\\\\n\\midrule" .. (spec.style == "box" and "" or "\\endhead")
  end
  local space = not spec.style and "\\addlinespace[2pt]" or "" -- rows of text stand apart
  for _, row in ipairs(spec.rows) do lines[#lines + 1] = table.concat(row, " & ") .. " \\\\" .. space end
  lines[#lines + 1] = "\\end{ves" .. kind .. "}"
  return table.concat(lines, "\n")
end

function html.table(spec)
  local lines = { '<div class="scroll" tabindex="0" role="group" aria-label="' .. (spec.label or "Table") .. '">',
                  '<table class="' .. (spec.style or "table") .. '">' }
  local function cells(kind, row)
    for c, cell in ipairs(row) do
      local right = (spec.columns[c].align == "r" and ' class="r"' or "") .. (kind == "th" and ' scope="col"' or "")
      lines[#lines + 1] = "<" .. kind .. right .. ">" .. cell .. "</" .. kind .. ">"
    end
    lines[#lines + 1] = "</tr>"
  end
  local heads = {}
  for c, column in ipairs(spec.columns) do heads[c] = column.head end
  if #heads > 0 then
    table.move({ "<thead>", "<tr>" }, 1, 2, #lines + 1, lines)
    cells("th", heads)
    lines[#lines + 1] = "</thead>"
  end
  lines[#lines + 1] = "<tbody>"
  for _, row in ipairs(spec.rows) do
    lines[#lines + 1] = "<tr" .. (row.id and ' id="' .. row.id .. '"' or "") .. (row.attributes or "") .. ">"
    cells("td", row)
  end
  table.move({ "</tbody>", "</table>", "</div>" }, 1, 3, #lines + 1, lines)
  return table.concat(lines, "\n")
end

return markup
