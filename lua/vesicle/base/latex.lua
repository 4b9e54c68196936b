-- latex: plain text as LaTeX. The one place that knows which characters LaTeX takes for commands.

local latex = {}

local specials = {
  ["\\"] = "\\textbackslash{}", ["{"] = "\\{", ["}"] = "\\}", ["$"] = "\\$", ["&"] = "\\&", ["#"] = "\\#",
  ["%"] = "\\%", ["_"] = "\\_", ["^"] = "\\textasciicircum{}", ["~"] = "\\textasciitilde{}",
  ["<"] = "\\textless{}", [">"] = "\\textgreater{}", ["|"] = "\\textbar{}", ["`"] = "\\textasciigrave{}",
  ["\""] = "\\textquotedbl{}",
}

--- Every special character escaped: whatever a text says, LaTeX prints it and does nothing else.
function latex.text(s) return (s:gsub("[\\{}$&#%%_^~<>|`\"]", specials)) end

return latex
