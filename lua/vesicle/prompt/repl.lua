-- repl: the prompt.
--
-- A line is tried as an expression, whose values are shown, and then as a statement; a line that is
-- not whole yet is continued. Variables stay, also those declared `local`. `?word` searches the
-- documentation. An error shows the line it happened in, the value that was wrong, and the name that was
-- probably meant. Reading lines is the host's business (csrc/host/prompt/run_repl.c).

local check = require "vesicle.base.check"
local deterministic = require "vesicle.base.deterministic"
local globals = require "vesicle.base.globals"
local help = require "vesicle.prompt.help"
local hints = require "vesicle.base.hints"
local host = require "vesicle.base.host"
local lexer = require "vesicle.base.lexer"
local pretty = require "vesicle.prompt.pretty"

local repl = {}

local prompt, continuation = "ves> ", "...> "
local inputs = {}                        -- every input, to show a line of it when an error names it
local utf8_shown = true
local failed = false

local function out(...) io.stdout:write(...) end

-- ---- errors ----

--- The names of globals.
local function known_names()
  local names = {}
  for key in next, _G do
    if type(key) == "string" then names[#names + 1] = key end
  end
  table.sort(names)
  return names
end

--- The global that was probably meant, or nil. Of a single letter nobody can tell.
local function near_global(name)
  local near = #name > 1 and check.nearest(name, known_names())
  return near and #near > 1 and near or nil
end

--- The value of the variable that an error is about: a local or an upvalue of the function that failed, or a
--- global. Returns false if it cannot be found.
local function culprit(kind, name, level)
  if kind == "global" then return true, rawget(_G, name) end
  if kind == "local" then
    local i, found, value = 1, false, nil
    while true do
      local n, v = debug.getlocal(level + 1, i)
      if not n then return found, value end
      if n == name then found, value = true, v end
      i = i + 1
    end
  end
  if kind == "upvalue" then
    local f, i = debug.getinfo(level + 1, "f").func, 1
    while true do
      local n, v = debug.getupvalue(f, i)
      if not n then return false end
      if n == name then return true, v end
      i = i + 1
    end
  end
  return false
end

--- What Lua's own message leaves out: the value, or the name that was probably meant.
local function remark(message, level)
  local kind, name = message:match("%((%l+) '([%w_]+)'%)")
  if not kind then return nil end
  local found, value = culprit(kind, name, level + 1)
  if found and value ~= nil then return name .. " is " .. pretty.brief(value) end
  if kind == "global" then
    local near = near_global(name)
    return near and "there is no variable `" .. name .. "`: did you mean `" .. near .. "`?"
      or "there is no variable `" .. name .. "`"
  end
  if kind == "method" and message:find("call a nil value") then return "there is no method `" .. name .. "`" end
  if kind == "field" and message:find("nil value") then return "there is no field `" .. name .. "`" end
  return nil
end

--- The lines that were under way in the user's own functions, innermost first: "name:line: " as a message has it.
local function path_of_error(level)
  local places = {}
  for i = level + 1, level + 60 do
    local info = debug.getinfo(i, "Slf")
    if not info or info.func == repl.evaluate then break end
    if info.currentline > 0 and not info.source:find("/vesicle/[%w_/]+%.lua$") then
      places[#places + 1] = info.short_src .. ":" .. info.currentline .. ": "
    end
  end
  return places
end

--- The message handler: an error as a table, since afterwards nobody knows where it happened.
local function caught(message)
  if type(message) == "table" and message.exit_code then return { stop = message } end
  if type(message) ~= "string" then
    message = pretty.brief(message)
  end
  return { message = message, remark = remark(message, 2), path = path_of_error(2) }
end

--- The line a message begins with the name of: its text, and the message without the name.
local function located(message)
  local name, line, rest = message:match("^([^\n]-):(%d+): (.*)$")
  if not name then return nil, nil, message end
  line = math.tointeger(line)
  local number = name:match("^input (%d+)$")
  if number then
    local k, found = 0, nil
    for text in (inputs[math.tointeger(number)] .. "\n"):gmatch("([^\n]*)\n") do
      k = k + 1
      if k <= line then found = text end
    end
    return found, nil, rest
  end
  local file = io.open(name, "rb")
  if not file then return nil, name .. ":" .. line, rest end
  local k = 0
  for text in file:lines() do
    k = k + 1
    if k == line then
      file:close()
      return text, name .. ":" .. line, rest
    end
  end
  file:close()
  return nil, name .. ":" .. line, rest
end

local function show_error(e)
  failed = true
  if e.stop then
    out("stopped: ", (tostring(e.stop.message or "the experiment asked to stop"):gsub(
      "^interrupted; finished.*", "interrupted")), "\n")
    return
  end
  local line, place, message = located(e.message)
  local hint = hints.of(message, { line or inputs[#inputs] })
  out("error: ", message, "\n")
  if e.remark then out("  ", e.remark, "\n") end
  if hint then out("  ", hint, "\n") end
  local function show(word, text, where)
    if text then out("  ", word, where and where .. ": " or "", text:match("^%s*(.-)%s*$"), "\n") end
    if not text and where then out("  ", word, where, "\n") end
  end
  show("in: ", line, place)
  for i, step in ipairs(e.path or {}) do
    if i > 8 then
      out("  ...\n")
      break
    end
    if e.message:sub(1, #step) ~= step then show("from: ", located(step)) end
  end
end

-- ---- evaluation ----

local function values(...) return ... end

--- Loads a text as an expression or else as statements. Returns the function, to be called with `values`, or nil
--- and "more" if the text could go on, or nil and the message. An expression becomes the argument of a call: as
--- `return f(x)` alone it would be a tail call, and an error in it would not know its line.
function repl.load(text)
  local kept = lexer.keep_locals(text)
  local name = "=input " .. #inputs + 1
  local expression = kept:gsub("^%s*=", "", 1)
  local plain, first = load("return " .. expression, name, "t")
  if plain then
    local close = expression:find("--", 1, true) and "\n)" or ")"
    return load("return (...)(" .. expression .. close, name, "t") or plain
  end
  local f, message = load(kept, name, "t")
  if f then return f end
  local tokens = lexer.tokens(text)
  local last = tokens[#tokens]
  if last and last.open and last.text:find("^[\"']") then return nil, first end -- such a string ends with its line
  if first:find("function arguments expected near <eof>", 1, true) then return nil, first end -- w:sum
  -- `for i in range(3):` could go on as a method call; nobody means that.
  if last and last.text == ":" or text:find("^%s*for%s[^\n]-%sin%s+range%s*%b()%s*:") then return nil, message end
  if first:find("near <eof>", 1, true) then return nil, "more", first end
  if message:find("near <eof>", 1, true) then return nil, "more", message end
  return nil, message
end

local function show_results(text, ...)
  local n = select("#", ...)
  for i = 1, n do
    local value = select(i, ...)
    if value == nil and n == 1 then
      local word = text:match("^%s*([%a_][%w_]*)%s*$")
      if word and word ~= "nil" then
        local near, instead = near_global(word), hints.names[word]
        out("nil (there is no variable `", word, "`", instead and ": write " .. instead
          or near and ": did you mean `" .. near .. "`?" or "", ")\n")
        return
      end
    end
    local entry = type(value) == "function" and help.about(value)
    if entry and not entry:find("^No documentation") then
      out("function ", entry:match("^[^\n]*"), "\n")
    else
      out(pretty.show(value, { width = host.width(), utf8 = utf8_shown }), "\n")
    end
  end
  if n > 0 then rawset(_G, "_", (...)) end
end

--- Runs one whole input and shows what comes of it. What is typed counts as a source of later results: a journal
--- must not answer for a function that has been typed anew.
function repl.evaluate(f, text)
  inputs[#inputs + 1] = text
  if host.sha256 then require "vesicle.base.sources".fact("input " .. host.sha256(text)) end
  local results = table.pack(xpcall(f, caught, values))
  if not results[1] then return show_error(results[2]) end
  local shown = table.pack(xpcall(show_results, caught, text, table.unpack(results, 2, results.n)))
  if not shown[1] then show_error(shown[2]) end
end

-- ---- what is no Lua ----

local function command(line)
  local word = line:match("^%s*%?%s*(.-)%s*$")
  if word then
    out(help.search((word:gsub("^[\"'](.*)[\"']$", "%1"))), "\n")
    return true
  end
  if line:find("^%s*help%s*$") then
    out(help.about(), "\n")
    return true
  end
  -- help learn, and help(learn) unless there is a variable of that name
  word = line:match("^%s*help%s+([%w_.:]+)%s*$") or line:match("^%s*help%s*%(%s*([%a_][%w_.:]*)%s*%)%s*$")
  if word and rawget(_G, word:match("^[%w_]*")) == nil then
    out(help.about(word), "\n")
    return true
  end
  word = line:match("^%s*help%s+([%w_.:]+)%s*$")
  if word then out(help.about(word), "\n") end
  return word ~= nil
end

local function leaves(line)
  local word = line:match("^%s*(%l+)%s*%(?%)?%s*$")
  return (word == "quit" or word == "exit") and rawget(_G, word) == nil
end

-- ---- completion ----

local function keys_of(value, methods_only)
  local names = {}
  local class = help.class(value)
  if class then
    for _, name in ipairs(help.methods(class)) do names[#names + 1] = name end
    for _, field in ipairs(methods_only and {} or help.fields(class)) do names[#names + 1] = field[1] end
  end
  local meta = getmetatable(value)
  if type(value) == "table" then
    for key in next, value do names[#names + 1] = key end
    local listed = type(meta) == "table" and rawget(meta, "__pairs")
    if listed then
      for key in listed(value) do names[#names + 1] = key end
    end
  end
  local index = type(meta) == "table" and rawget(meta, "__index")
  if type(index) == "table" then
    for key in next, index do names[#names + 1] = key end
  end
  return names
end

--- The object that a path such as "E.params" or "t[1].x" leads to, without calling anything but __index.
local function resolve(path)
  local at = rawget(_G, path:match("^[%a_][%w_]*"))
  for part in path:gsub("^[%a_][%w_]*", ""):gmatch("[.:%[][^.:%[]*") do
    local key = part:match("^%[(%d+)%]$")
    key = key and math.tointeger(key) or part:match("^[.:]([%a_][%w_]*)$")
    if at == nil or key == nil then return nil end
    local good, value = pcall(function() return at[key] end)
    if not good then return nil end
    at = value
  end
  return at
end

local function candidates(context)
  if context.inside == "comment" or context.inside == "expression" then return {}, "" end
  if context.inside == "string" then
    if context.call ~= "help" then return {}, "" end
    local names = {}
    for _, entry in ipairs(help.entries()) do
      names[#names + 1] = entry.name
      names[#names + 1] = entry.method or entry.name:match("[^.]+$")
    end
    return names, context.word
  end
  local base, mark, prefix = context.path:match("^(.*)([.:])([%w_]*)$")
  if base then
    local value = resolve(base)
    return value ~= nil and keys_of(value, mark == ":") or {}, prefix
  end
  local names = {}
  if context.call then
    for _, key in ipairs(help.keys(repl.documented_name(context.call))) do names[#names + 1] = key end
    for _, key in ipairs(names) do
      if key:sub(1, #context.path) == context.path then return names, context.path end
    end
  end
  names = known_names()
  for word in next, lexer.keywords do names[#names + 1] = word end
  return names, context.path
end

--- The name under which what is called is documented: net:sample -> network:sample.
function repl.documented_name(call)
  local object, method = call:match("^(.*):([%w_]+)$")
  if not object then return call end
  local class = help.class(resolve(object))
  return (class or object) .. ":" .. method
end

--- For a text before the cursor: what to insert, and all that could follow.
function repl.complete(text)
  if #repl.pending > 0 and text:find("^%s*$") then return "  ", {} end
  local before = table.concat(repl.pending, "\n")
  local names, prefix = candidates(lexer.context(before .. (before ~= "" and "\n" or "") .. text))
  local found, seen = {}, {}
  for _, name in ipairs(names) do
    local shown = type(name) == "string" and name:sub(1, #prefix) == prefix and not seen[name]
    if shown and (prefix ~= "" or not name:find("^_")) then
      seen[name] = true
      found[#found + 1] = name
    end
  end
  table.sort(found)
  if #found == 0 then return "", {} end
  local common = found[1]
  for _, name in ipairs(found) do
    while name:sub(1, #common) ~= common do common = common:sub(1, -2) end
  end
  return common:sub(#prefix + 1), found
end

--- Names in columns, as many as the terminal has room for.
local function in_columns(names)
  local widest, lines = 0, {}
  for _, name in ipairs(names) do widest = math.max(widest, #name + 2) end
  local down = math.ceil(#names / math.max(1, host.width() // widest))
  for i, name in ipairs(names) do
    local row = (i - 1) % down + 1
    lines[row] = (lines[row] or "") .. name .. (i + down > #names and "" or (" "):rep(widest - #name))
  end
  return table.concat(lines, "\n") .. "\n"
end

--- What a Tab does: the text to insert, or a text to show below the line.
local function on_tab(text)
  local insert, names = repl.complete(text)
  if insert ~= "" then return insert end
  return nil, #names > 0 and in_columns(names) or nil
end

-- ---- the loop ----

repl.pending = {}                        -- the lines of an input that is not whole yet

--- Takes one line; returns false when it asks to leave.
function repl.feed(line)
  local pending = repl.pending
  if #pending == 0 then
    if line:find("^%s*$") or command(line) then return true end
    if leaves(line) then return false end
  end
  pending[#pending + 1] = line
  local text = table.concat(pending, "\n")
  local f, what, message = repl.load(text)
  if what == "more" and not (line:find("^%s*$") and pending.blank) then
    pending.blank = line:find("^%s*$") ~= nil
    return true
  end
  repl.pending = {}
  if f then
    repl.evaluate(f, text)
  else
    inputs[#inputs + 1] = text
    show_error { message = message or what }
  end
  return true
end

local function greet()
  if host.quiet or not host.interactive then return end
  out("vesicle ", host.version, ": a prompt for Lua.\n",
    "help() for help, ?word to search, Tab to complete, Ctrl-D to leave.\n")
end

--- Makes the names that are at hand.
function repl.prepare()
  deterministic.install()
  local ves = require "vesicle"
  _G.ves = ves
  _G.rng = ves.rng(host.seed or deterministic.default_seed):stream("prompt")
  _G.help = function(...) out(help.about(...), "\n") end
  -- `x = True` would make x nil without a word.
  setmetatable(_G, { __index = function(_, name) globals.refuse_constant(name, 3) end })
  utf8_shown = not host.utf8 or host.utf8()
end

--- Keeps an input for the arrow keys: whole, on one line, once it is complete. Where lines cannot be joined, because a
--- comment or a long string ends with one of them, they are kept one by one.
local function remember(lines, line)
  if #repl.pending > 0 then return end
  lines[#lines + 1] = line
  local text = table.concat(lines, "\n")
  if text:find("--", 1, true) or text:find("%[=*%[") or text:find("\\\n") then
    for _, one in ipairs(lines) do host.remember(one) end
  else
    host.remember((text:gsub("%s*\n%s*", " ")))
  end
end

function repl.main()
  require "vesicle.base.sources"
  repl.prepare()
  greet()
  while true do
    local line = host.read_line(#repl.pending > 0 and continuation or prompt, on_tab)
    if line == nil then break end
    if line == false then
      repl.pending = {}
    else
      local lines = table.move(repl.pending, 1, #repl.pending, 1, {})
      local more = repl.feed(line)
      remember(lines, line)
      if not more then break end
    end
  end
  if #repl.pending > 0 then
    local _, _, message = repl.load(table.concat(repl.pending, "\n"))
    inputs[#inputs + 1] = table.concat(repl.pending, "\n")
    show_error { message = message or "the input ends too early" }
  end
  if failed and not host.interactive then error({ exit_code = 1 }, 0) end
end

return repl
