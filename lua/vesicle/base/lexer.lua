-- lexer: as much of Lua's grammar as the prompt and the chapters need.
--
-- It finds tokens, which have colours in print, and blocks, so that the prompt can keep variables that are
-- declared `local` at the outermost level (a chunk of one line would forget them at once), and knows what is
-- being typed when Tab is pressed.

local lexer = {}

local keywords = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat return then true
  until while]]):gmatch("%a+") do
  keywords[word] = true
end
lexer.keywords = keywords

--- The tokens of a text: an array of { kind, from, to, text }, kind being "name", "keyword", "number",
--- "string", "comment" or the symbol itself. A string or comment without its end reaches to the end of
--- the text and has `open`.
function lexer.tokens(text)
  local tokens, at = {}, 1
  local function add(kind, from, to, open)
    tokens[#tokens + 1] = { kind = kind, from = from, to = to, text = text:sub(from, to), open = open }
    at = to + 1
  end
  local function long(kind, from, level, start)
    local _, to = text:find("]" .. level .. "]", start, true)
    add(kind, from, to or #text, to == nil)
  end
  while true do
    at = text:match("^%s*()", at)
    if at > #text then return tokens end
    local level = text:match("^%-%-%[(=*)%[", at)
    if level then
      long("comment", at, level, at + 4 + #level)
    elseif text:find("^%-%-", at) then
      add("comment", at, (text:find("\n", at, true) or #text + 1) - 1)
    elseif text:match("^%[=*%[", at) then
      level = text:match("^%[(=*)%[", at)
      long("string", at, level, at + 2 + #level)
    elseif text:find("^[\"']", at) then
      local quote, to = text:sub(at, at), at + 1
      while to <= #text and text:sub(to, to) ~= quote and text:sub(to, to) ~= "\n" do
        to = to + (text:sub(to, to) == "\\" and 2 or 1)
      end
      local closed = text:sub(to, to) == quote
      add("string", at, closed and to or math.min(to - 1, #text), not closed)
    elseif text:find("^[%a_]", at) then
      local _, to = text:find("^[%w_]+", at)
      add(keywords[text:sub(at, to)] and "keyword" or "name", at, to)
    elseif text:find("^%.?%d", at) then
      local _, to = text:find("^[%w.]+", at)
      local power = text:match("^[%d.]+[eE]()[+-]%d", at) -- a sign belongs to a number behind its e alone
      if power == to + 1 then _, to = text:find("^%d+", to + 2) end
      add("number", at, to)
    else
      local symbol = text:match("^%.%.%.", at) or text:match("^[=~<>]=", at) or text:match("^%.%.", at)
        or text:match("^::", at) or text:match("^//", at) or text:sub(at, at)
      add(symbol, at, at + #symbol - 1)
    end
  end
end

local opens = { ["if"] = true, ["do"] = true, ["function"] = true, ["repeat"] = true }
local closes = { ["end"] = true, ["until"] = true }

local function without_comments(tokens)
  local kept = {}
  for _, token in ipairs(tokens) do
    if token.kind ~= "comment" then kept[#kept + 1] = token end
  end
  return kept
end

--- The text with `local` declarations of the outermost level turned into assignments to globals; lines stay
--- where they are.
function lexer.keep_locals(text)
  local tokens, depth, parts, done = without_comments(lexer.tokens(text)), 0, {}, 1
  local function replace(from, to, by)
    parts[#parts + 1] = text:sub(done, from - 1) .. by
    done = to + 1
  end
  for i, token in ipairs(tokens) do
    if opens[token.text] and token.kind == "keyword" then depth = depth + 1 end
    if closes[token.text] and token.kind == "keyword" then depth = depth - 1 end
    if token.kind == "keyword" and token.text == "local" and depth == 0 then
      replace(token.from, token.to, "")
      local k = i + 1
      while tokens[k] and tokens[k].kind == "name" do
        if tokens[k + 1] and tokens[k + 1].kind == "<" and tokens[k + 3] and tokens[k + 3].kind == ">" then
          replace(tokens[k + 1].from, tokens[k + 3].to, "")
          k = k + 3
        end
        if not (tokens[k + 1] and tokens[k + 1].kind == ",") then break end
        k = k + 2
      end
      local last, after = tokens[k], tokens[k + 1]
      local is_list = last and (last.kind == "name" or last.kind == ">")
      if is_list and not (after and after.kind == "=") then replace(last.to + 1, last.to, " = nil") end
    end
  end
  return table.concat(parts) .. text:sub(done)
end

--- What stands before a cursor: the path being typed ("ves.release.le"), whether it is inside a string, and
--- the innermost call whose table of options is open ("ves.release.learn").
function lexer.context(text)
  local tokens = without_comments(lexer.tokens(text))
  local all = lexer.tokens(text)
  local last = all[#all]
  if last and last.kind == "comment" and (last.open or not last.text:find("^%-%-%[=*%[")) then
    return { path = "", inside = "comment" }
  end
  if last and last.open then
    local before = tokens[#tokens - 1]
    if before and before.kind == "(" then before = tokens[#tokens - 2] end
    return { path = "", inside = "string", word = last.text:sub(2), call = before and before.text }
  end
  if text:find("[)}\"'][.:][%w_]*$") then return { path = "", inside = "expression" } end
  local path = text:match("[%a_][%w_]*[%w_.:%[%]]*$") or ""
  if path:find("%.%.") then path = path:match("[^.]*$") end
  -- the call around: go back over whole brackets until one is open
  local level, call = 0, nil
  for i = #tokens, 1, -1 do
    local kind = tokens[i].kind
    if kind == "}" or kind == ")" or kind == "]" then level = level + 1 end
    if kind == "{" or kind == "(" or kind == "[" then
      level = level - 1
      if level < 0 and kind == "{" then
        local k = i - 1
        -- f{ or f( ..., {
        if tokens[k] and tokens[k].kind ~= "name" then
          local inner = 0
          while k >= 1 do
            local other = tokens[k].kind
            if other == ")" or other == "}" or other == "]" then inner = inner + 1 end
            if other == "(" or other == "{" or other == "[" then
              if inner == 0 then break end
              inner = inner - 1
            end
            k = k - 1
          end
          if not (tokens[k] and tokens[k].kind == "(") then break end
          k = k - 1
        end
        local to = k
        while tokens[k] and tokens[k].kind == "name" and tokens[k - 1]
          and (tokens[k - 1].kind == "." or tokens[k - 1].kind == ":") do
          k = k - 2
        end
        if tokens[to] and tokens[to].kind == "name" and tokens[k] and tokens[k].kind == "name" then
          call = text:sub(tokens[k].from, tokens[to].to):gsub("%s", "")
        end
        break
      elseif level < 0 then
        break
      end
    end
  end
  return { path = path, call = call }
end

return lexer
