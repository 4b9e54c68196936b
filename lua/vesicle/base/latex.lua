-- latex: plain text as LaTeX. The one place that knows which characters LaTeX takes for commands.

local latex = {}

local specials = {
  ["\\"] = "\\textbackslash{}", ["{"] = "\\{", ["}"] = "\\}", ["$"] = "\\$", ["&"] = "\\&", ["#"] = "\\#",
  ["%"] = "\\%", ["_"] = "\\_", ["^"] = "\\textasciicircum{}", ["~"] = "\\textasciitilde{}",
  ["<"] = "\\textless{}", [">"] = "\\textgreater{}", ["|"] = "\\textbar{}", ["`"] = "\\textasciigrave{}",
  ["\""] = "\\textquotedbl{}",
}

--- Every special character escaped.
function latex.escape(s) return (s:gsub("[\\{}$&#%%_^~<>|`\"]", specials)) end

--- Applies `plain` outside pairs of dollar signs, between which stands mathematics; an odd one is just a character.
function latex.outside_maths(s, plain)
  local _, dollars = s:gsub("%$", "")
  if dollars % 2 == 1 then return plain(s) end
  local parts, maths = {}, false
  for part in (s .. "$"):gmatch("([^$]*)%$") do
    parts[#parts + 1] = maths and "$" .. part .. "$" or plain(part)
    maths = not maths
  end
  return table.concat(parts)
end

--- Text escaped, its mathematics left as it is.
function latex.text(s) return latex.outside_maths(s, latex.escape) end

return latex
