-- highlight: Lua code as LaTeX, in colours.
--
-- As pandoc would write it, but sooner, and with commands for those tokens alone that have a
-- colour in print (paper/preamble.tex). The pages have pandoc's, which a reader's browser can link to.

local lexer = require "vesicle.base.lexer"

local colour = { keyword = "Keyword", number = "DecVal", string = "String", comment = "Comment" }

-- Within fancyvrb's Verbatim only the backslash and braces mean something; of the others LaTeX has to know that no
-- ligature or curly quote is wanted.
local special = {
  ["\\"] = "\\textbackslash{}", ["{"] = "\\{", ["}"] = "\\}", ["-"] = "{-}", ["_"] = "\\_", ["&"] = "\\&",
  ["%"] = "\\%", ["#"] = "\\#", ["^"] = "\\^{}", ["~"] = "\\textasciitilde{}",
  ["<"] = "\\textless{}", [">"] = "\\textgreater{}", ["`"] = "\\textasciigrave{}",
  ["'"] = "\\textquotesingle{}",
}

local function escaped(text) return (text:gsub("[\\{}%-_&%%#^~<>`']", special)) end

--- The command of a token's colour, if it has one, and what of it is coloured: of a name the capitals it begins with.
local function look(token)
  if token.kind ~= "name" then return colour[token.kind], token.text end
  local capitals = token.text:match("^[%u_][%u%d_]*")
  return capitals and "Constant", capitals
end

--- Lines of code as the body of a Highlighting environment, with a command around each piece of a line that has a
--- colour.
return function(lines)
  local text, parts, done = table.concat(lines, "\n"), {}, 1
  for _, token in ipairs(lexer.tokens(text)) do
    local name, coloured = look(token)
    if name then
      parts[#parts + 1] = escaped(text:sub(done, token.from - 1))
      parts[#parts + 1] = coloured:gsub("[^\n]+", function(piece)
        return "\\" .. name .. "Tok{" .. escaped(piece) .. "}"
      end)
      done = token.from + #coloured
    end
  end
  parts[#parts + 1] = escaped(text:sub(done))
  return table.concat(parts)
end
