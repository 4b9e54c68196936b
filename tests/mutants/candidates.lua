-- The small errors that `make mutants` can make in the core, in an order drawn from a seed.
--
--   lua5.4 candidates.lua SEED FILE...
--
-- writes one line for each: file, line, byte at which it begins, what stands there, what is put in its place. Three
-- kinds: an operator becomes its neighbour, a bound moves by one (< for <=), a constant moves (a whole number by one,
-- another by one percent). Comments, texts and what the preprocessor reads are left alone, the constants of a #define
-- excepted. What does not compile is found out by compiling.

local swaps = {
  ["+"] = { "-" }, ["-"] = { "+" }, ["*"] = { "/" }, ["/"] = { "*" }, ["%"] = { "/" },
  ["<"] = { "<=", ">=" }, ["<="] = { "<", ">" }, [">"] = { ">=", "<=" }, [">="] = { ">", "<" },
  ["=="] = { "!=" }, ["!="] = { "==" }, ["&&"] = { "||" }, ["||"] = { "&&" },
  ["+="] = { "-=" }, ["-="] = { "+=" }, ["*="] = { "/=" }, ["/="] = { "*=" },
  ["|="] = { "&=" }, ["&="] = { "|=" }, ["^="] = { "|=" }, ["<<"] = { ">>" }, [">>"] = { "<<" },
  ["<<="] = { ">>=" }, [">>="] = { "<<=" }, ["&"] = { "|" }, ["|"] = { "&" }, ["^"] = { "&" },
  ["++"] = { "--" }, ["--"] = { "++" },
  ["break"] = { "continue" }, ["continue"] = { "break" }, ["true"] = { "false" }, ["false"] = { "true" },
}
local unary = { ["-"] = { "" }, ["!"] = { "" }, ["~"] = { "" } } -- before an operand; there * and & are about pointers

local function other_constants(text)
  local digits, suffix = text:match("^(%d+)([uUlL]*)$")
  if digits then
    local n = math.tointeger(digits)
    return n == 0 and { "1" .. suffix } or { n + 1 .. suffix, n - 1 .. suffix }
  end
  if text:match("^0[xX]%x+[uUlL]*$") then return { "(" .. text .. " ^ 1)" } end
  if tonumber(text) == 0 then return { "1.0" } end
  return { "(1.01 * " .. text .. ")", "(0.99 * " .. text .. ")" }
end

-- Longest first: what a position of the text can begin with.
local function token_at(text, at)
  local word = text:match("^[%a_][%w_]*", at)
  if word then return word, "word" end
  local number = text:match("^0[xX][%x.]+[pP][+-]?%d+", at) or text:match("^0[xX]%x+[uUlL]*", at)
    or text:match("^%d*%.?%d+[eE][+-]?%d+", at) or text:match("^%d+%.%d*", at) or text:match("^%.%d+", at)
    or text:match("^%d+[uUlL]*", at)
  if number then return number, "number" end
  for length = 3, 1, -1 do
    local piece = text:sub(at, at + length - 1)
    if piece == "->" or piece == "..." or (swaps[piece] and piece:match("^%p+$")) then return piece, "operator" end
  end
  return text:sub(at, at), "other"
end

local function skip(text, at)
  local first = text:sub(at, at + 1)
  if first == "/*" then return select(2, text:find("*/", at, true)) end
  if first == "//" then return text:find("\n", at, true) end
  local quote = first:sub(1, 1)
  if quote == '"' or quote == "'" then
    at = at + 1
    while text:sub(at, at) ~= quote do at = at + (text:sub(at, at) == "\\" and 2 or 1) end
    return at
  end
end

--- The candidates of one file, in its order.
local function candidates(text)
  local found, at, line, before, directive = {}, 1, 1, "", nil
  local function add(piece, others)
    for _, other in ipairs(others) do found[#found + 1] = { line, at, piece, other } end
  end
  while at <= #text do
    local over = skip(text, at)
    if over then
      line = line + select(2, text:sub(at, over):gsub("\n", ""))
      at = over + 1
    else
      local piece, kind = token_at(text, at)
      if piece == "\n" then
        line = line + 1
        if text:sub(at - 1, at - 1) ~= "\\" then directive = nil end
      elseif piece == "#" then
        directive = text:match("^#%s*(%l+)", at)
      elseif not directive or directive == "define" then
        local operand = before:match("[%w_%)%]]$") and before ~= "return" and before ~= "case"
        if kind == "number" then
          add(piece, other_constants(piece))
        elseif not directive and not operand and unary[piece] then
          add(piece, unary[piece])
        elseif not directive and swaps[piece] and (operand or kind == "word" or #piece > 1) then
          add(piece, swaps[piece])
        end
      end
      if not piece:match("^%s") then before = piece end
      at = at + #piece
    end
  end
  return found
end

local all = {}
for i = 2, #arg do
  local file <close> = assert(io.open(arg[i], "rb"))
  for _, c in ipairs(candidates(file:read("a"))) do
    all[#all + 1] = string.format("%s\t%d\t%d\t%s\t%s", arg[i], c[1], c[2], c[3], c[4])
  end
end
math.randomseed(math.tointeger(arg[1]) or error("the seed is a whole number"))
for i = #all, 2, -1 do
  local j = math.random(i)
  all[i], all[j] = all[j], all[i]
end
io.write(table.concat(all, "\n"), "\n")
