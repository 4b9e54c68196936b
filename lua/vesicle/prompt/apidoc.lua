-- apidoc: the comments that document functions, as data.
--
-- In C such a comment opens with three asterisks, in Lua it is a long comment that opens with two. Its
-- first line is the signature; then come sentences, and lines with a mark:
--
--     @equation   the formula it implements, with its tag
--     @param      an argument        @key     a key of the table of options
--     @field      what can be read of the object that is made
--     @return     a result           @example a line of a program that runs as it stands
--
-- A line without a mark continues the one before it. help() and the printed reference both read this.

local apidoc = {}

local marks = { "equation", "param", "key", "field", "return", "example" }

local function new_entry(signature)
  local entry = { signature = signature, name = signature:match("^[%w_.:]+"), text = { "" } }
  for _, mark in ipairs(marks) do entry[mark] = {} end
  entry.class, entry.method = entry.name:match("^([%w_]+):([%w_]+)$")
  return entry
end

--- The documented functions in an array of lines, in their order. An entry has `signature`, `name`,
--- `text` (an array with one string), an array of strings for every mark, and, if it documents a method,
--- `class` and `method`.
function apidoc.parse(lines)
  local entries, entry, last = {}, nil, nil
  for _, line in ipairs(lines) do
    local signature = line:match("^/%*%*%* (.*)$") or line:match("^%-%-%[%[%*%* (.*)$")
    if signature then
      entry = new_entry(signature)
      entries[#entries + 1], last = entry, entry.text
    elseif entry and (line:find("^%s*%*/") or line:find("^%]%]")) then
      entry = nil
    elseif entry then
      line = line:gsub("^ %* ?", "")
      local mark, text = line:match("^@(%l+) (.*)$")
      if mark and entry[mark] then
        last = entry[mark]
        last[#last + 1] = text
      elseif last == entry.example then
        last[#last + 1] = line
      else
        last[#last] = last[#last] .. (last[#last] == "" and "" or " ") .. line
      end
    end
  end
  return entries
end

--- "psi number > 0, default 8" -> "psi", "number > 0, default 8".
function apidoc.split(text)
  local name, rest = text:match("^([%w_]+) (.*)$")
  if name then return name, rest end
  return text, ""
end

--- The first sentence of what an entry says, without tags.
function apidoc.summary(entry)
  local text = entry.text[1]:gsub("%s*%[%l+:[^%]]*%]", "")
  return text:match("^(.-[.])%s+%u") or text:match("^(.-[.])%s*$") or text
end

return apidoc
