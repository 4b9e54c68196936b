-- command_line: what `vesicle` is told.
--
-- A command is its row in one table: its operands, its options, its help. The parser, the help pages and
-- the suggestions read that table, so that none can disagree. The program (csrc/host/run_options.c) hands
-- the words of its command line to `parse` before anything else happens.

local check = require "vesicle.base.check"

local command_line = {}

local USAGE = 2                          -- the exit code of a wrong command line

-- ---- values ----

--- A whole number from 0 to 2^63-1, decimal or 0x hexadecimal.
local function whole(text)
  local hex = text:match("^0[xX]0*(%x+)$")
  if not hex and not text:find("^%d+$") or hex and #hex > 16 then return nil end
  local value = math.tointeger(tonumber(text))
  return value and value >= 0 and value or nil
end

local function between(lo, hi)
  return function(text)
    local value = whole(text)
    return value and value >= lo and value <= hi and value or nil
  end
end

local function seconds(text)
  local value = tonumber(text)
  return value and value > 0 and value < 1e9 and value + 0.0 or nil
end

--- Returns a reader of numbers with one of the units, or none.
local function with_unit(units, lo, hi)
  return function(text)
    local number, unit = text:match("^(%d[%d.eE+-]*)(%a?)$")
    local value = tonumber(number)
    if not value or unit ~= "" and not units[unit] then return nil end
    value = value * (units[unit] or 1)
    return value > lo and value < hi and value + 0.0 or nil
  end
end

local function one_of(...)
  local choices = {}
  for _, choice in ipairs { ... } do choices[choice] = choice end
  return function(text) return choices[text] end
end

local function matching(pattern)
  return function(text) return text:find(pattern) and text or nil end
end

--- I, or NAME:I.
local function replicate(text)
  local name, digits = text:match("^(.+):([^:]*)$")
  local index = whole(digits or text)
  return index and index >= 1 and { index = index, name = name } or nil
end

-- ---- options ----

-- value: as help shows it; without one the option is a switch. read: the value of a text, or nil if it is
-- not what `expected` says. many: may be repeated. field: its name in what `parse` returns.
local options = {
  seed = { value = "N", read = whole, expected = "a whole number from 0 to 2^63-1",
           help = "seed of every random stream (default 20211118)" },
  set = { value = "KEY=VALUE", read = matching "^[^=]+=", expected = "KEY=VALUE", many = true,
          help = "override one parameter of the experiment; may be repeated; a list is written KEY=1,2,3" },
  over = { value = "KEY=VALUES", read = matching "^[^=]+=.", expected = "KEY=VALUES", many = true,
           help = "the values a parameter takes: FROM:TO:STEP, FROM:TO in steps of 1, or "
             .. "A,B,C (lists of a list parameter are separated by ;); may be "
             .. "repeated: the grid is every combination, the last varying fastest" },
  out = { value = "DIR", read = matching ".", expected = "a directory",
          help = "write below DIR/<experiment>/ (default: beside the program, data/ for the project's "
            .. "experiments, scripts/NAME/ for others; of an installed program, vesicle-data/ here)" },
  scale = { value = "full|quick", read = one_of("full", "quick"), expected = "full or quick",
            help = "full (default), or quick: the experiment's reduced parameters" },
  jobs = { value = "N", read = between(1, 256), expected = "a whole number from 1 to 256",
           help = "worker processes (default: the cores)" },
  replicate = { value = "[NAME:]I", read = replicate, expected = "I or NAME:I with I from 1",
                help = "compute replicate I alone, here, and stop; NAME:I for a later "
                  .. "E:replicate call than the first" },
  ["replicate-timeout"] = { value = "SECONDS", read = seconds, expected = "seconds above 0", field = "timeout",
                            help = "a replicate that takes longer fails" },
  timeout = { value = "TIME", read = with_unit({ s = 1, m = 60, h = 3600 }, 0, 1e9),
              expected = "a time such as 90, 10m or 2h", field = "time_limit",
              help = "stop after TIME: seconds, or 90s, 10m, 2h" },
  ["max-memory"] = { value = "SIZE", expected = "a size such as 512M or 2G, at least 16M", field = "max_memory",
                     read = with_unit({ K = 2 ^ 10, M = 2 ^ 20, G = 2 ^ 30, T = 2 ^ 40 }, 2 ^ 24 - 1, 2 ^ 60),
                     help = "memory for each process, such as 512M or 2G (default: three "
                       .. "quarters of the machine's)" },
  ["max-disk"] = { value = "SIZE", expected = "a size such as 512M or 2G, at least 1M", field = "max_disk",
                   read = with_unit({ K = 2 ^ 10, M = 2 ^ 20, G = 2 ^ 30, T = 2 ^ 40 }, 2 ^ 20 - 1, 2 ^ 60),
                   help = "room on disk a script may take (default: half of what is free)" },
  execute = { value = "CODE", read = matching "", expected = "Lua code", field = "code",
              help = "run this Lua code instead of a script; -e for short" },
  trust = { help = "no sandbox" },
  quiet = { help = "no progress and no list of files written" },
  format = { value = "text|tsv|latex|markdown", read = one_of("text", "tsv", "latex", "markdown"),
             expected = "text, tsv, latex or markdown", help = "text is the default" },
  id = { value = "ID", read = matching "", help = "only this claim" },
  ["dry-run"] = { field = "dry_run", help = "prune: only say what would be removed" },
}

-- ---- commands ----

local function script(words, result)
  if #words == 0 then return "a script is missing" end
  if #words > 1 then return "one script at a time; unexpected", words[2] end
  result.script = words[1]
  if words[1] == "-" then result.script, result.code = "stdin", io.read("a") end
end

--- A script, or the text of one.
local function script_or_code(words, result)
  if not result.code then return script(words, result) end
  if #words > 0 then return "a script or -e, not both; unexpected", words[1] end
  result.script = "command-line"
end

-- operands: as usage shows them; explained: their help, if they need any. take(words, result): puts them into the
-- result, or returns what is wrong. options: names in the order of the help, or { name, help } where the help differs
-- from the usual.
local commands = {
  { name = "run", operands = "SCRIPT", take = script_or_code,
    summary = "run a Lua script, usually an experiment; - is standard input",
    options = { "execute", "replicate", "seed", "set", "out", "scale", "jobs", "replicate-timeout", "timeout",
                "max-memory", "max-disk", "trust", "quiet" },
    after = [[
Finished replicates are kept in OUT/<experiment>.sqlite. A run that was
interrupted, by whatever, goes on when the same command is given again, and ends
in the same bytes. The script runs in a sandbox: it starts no programs, loads no C
modules and no bytecode, reads files only below the project and the working
directory, and writes only below --out.
]] },
  { name = "params", operands = "SCRIPT", take = script,
    summary = "list the parameters of an experiment: names, values, meanings",
    options = { { "set", "show the parameters with this override" }, "scale", "timeout", "max-memory", "trust" } },
  { name = "sweep", operands = "SCRIPT",
    summary = "run an experiment at every point of a grid of parameters, into one table",
    take = function(words, result)
      if #words == 1 and #result.over == 0 then return "--over is missing" end
      result.point_timeout, result.timeout = result.timeout, nil
      if words[1] == "-" then return "a sweep reads its script at every point: write it to a file; got", "-" end
      return script(words, result)
    end,
    options = { "over", { "replicate", "compute point I alone, here, and stop" }, "seed", "set",
                { "out", "write below DIR (default: sweeps/ beside the program)" }, "scale", "jobs",
                "replicate-timeout", "timeout", "max-memory", "max-disk", "trust", "quiet" },
    after = [[
Writes OUT/<experiment>-over-KEY[-KEY].../sweep.tsv: a row for each point, with its
parameters, and the value and standard error of each number (E:number) of that run, the
same as 'vesicle run' with --set gives. Points are computed side by side. Finished points
and finished replicates are journalled: a sweep that was interrupted goes on when the same
command is given again. The script runs in a sandbox, as under 'vesicle run'.
]] },
  { name = "claims", operands = "[DIR]", summary = "print the ledger of claims found below DIR",
    take = function(words, result)
      if #words > 1 then return "one directory at a time; unexpected", words[2] end
      result.dir = words[1]
    end,
    options = { "format", "id" },
    explained = { { "DIR", "a directory of experiment outputs, or the folder of one experiment (default: data/ beside "
      .. "the program)" } } },
  { name = "journal", operands = "show|verify|prune [PATH]",
    summary = "look at, check or tidy the journals of finished replicates",
    take = function(words, result)
      local actions = { show = true, verify = true, prune = true }
      if not words[1] then return "expected show, verify or prune" end
      if not actions[words[1]] then return "expected show, verify or prune, got", words[1] end
      if #words > 2 then return "one path at a time; unexpected", words[3] end
      result.action, result.dir = words[1], words[2]
    end,
    options = { "dry-run" },
    explained = { { "show", "what each journal holds" },
                  { "verify", "check every record; exit code 4 if one is damaged" },
                  { "prune", "remove what a changed script or program can no longer use" },
                  { "PATH", "a journal, or a directory of them (default: data/ beside the program)" } } },
  { name = "repl", summary = "open the prompt; so does 'vesicle' alone at a terminal",
    take = function(words) if #words > 0 then return "unexpected", words[1] end end,
    options = { "seed", { "out", "where experiments write (default: data/ beside the program)" },
                { "jobs", "worker processes for replicates (default: the cores)" }, { "quiet", "no greeting" } },
    after = "Lines are Lua; help() explains. Without a terminal, lines are read from standard input.\n" },
  { name = "help", operands = "[COMMAND]", summary = "explain a command", options = {},
    take = function(words, result)
      if #words > 1 then return "unexpected", words[2] end
      result.topic = words[1]
    end },
}

local names = {}
for i, command in ipairs(commands) do
  names[i] = command.name
  commands[command.name] = command
end

--- The options of a command: name -> help.
local function options_of(command)
  local list = {}
  for i, option in ipairs(command.options) do
    local name, help = option, nil
    if type(option) == "table" then name, help = option[1], option[2] end
    list[i] = name
    list[name] = help or options[name].help
  end
  return list
end

-- ---- help ----

local INDENT <const> = 21

--- A text in lines of at most 80 characters, all but the first indented.
local function wrapped(text, indent)
  local lines, line = {}, ""
  for word in text:gmatch("%S+") do
    if line ~= "" and indent + #line + 1 + #word > 80 then lines[#lines + 1], line = line, "" end
    line = line == "" and word or line .. " " .. word
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n" .. (" "):rep(indent)) .. "\n"
end

local function explain(head, help)
  head = "  " .. head
  return head .. (#head < INDENT and (" "):rep(INDENT - #head) or "\n" .. (" "):rep(INDENT)) .. wrapped(help, INDENT)
end

local function explain_option(name, help)
  return explain("--" .. name .. (options[name].value and " " .. options[name].value or ""), help)
end

--- The usage in lines of at most 80 characters, broken before an option.
local function usage_of(command)
  local parts = { "vesicle " .. command.name .. (command.operands and " " .. command.operands or "") }
  for _, name in ipairs(options_of(command)) do
    local word = "--" .. name .. (options[name].value and " " .. options[name].value or "")
    if name == "over" then parts[#parts + 1] = word end
    parts[#parts + 1] = "[" .. word .. "]" .. (options[name].many and "..." or "")
  end
  local text, column = "usage:", 6
  for _, part in ipairs(parts) do
    if column + 1 + #part > 80 then text, column = text .. "\n      ", 6 end
    text, column = text .. " " .. part, column + 1 + #part
  end
  return text .. "\n"
end

local function overview()
  local lines = { "vesicle: synaptic dropout as Bayesian inference, from Lua\n\nusage:\n" }
  for _, command in ipairs(commands) do
    lines[#lines + 1] = string.format("  vesicle %-8s %s", command.name, wrapped(command.summary, 19))
  end
  return table.concat(lines) .. [[
  vesicle SCRIPT.lua, vesicle -e CODE, vesicle < SCRIPT.lua
                   short for 'vesicle run'
  vesicle --version, vesicle --help

'vesicle help COMMAND' lists the options of a command.

exit codes: 0 done, 1 script error, 2 usage, 3 interrupted and resumable,
            4 verification failed
]]
end

local function help_of(command)
  local list = options_of(command)
  local text = usage_of(command) .. "\n" .. wrapped(command.summary .. ".", 0)
  if #list > 0 then text = text .. "\n" end
  for _, operand in ipairs(command.explained or {}) do text = text .. explain(operand[1], operand[2]) end
  for _, name in ipairs(list) do text = text .. explain_option(name, list[name]) end
  return text .. (command.after and "\n" .. wrapped(command.after, 0) or "")
end

-- ---- the parser ----

--- Raises what is wrong with the command line.
local function wrong(command, what, value, words)
  local near = value and words and check.suggestion(value, words) or ""
  error({ exit_code = USAGE, message = what .. (value and " '" .. value .. "'" or "") .. near
    .. "\nTry 'vesicle help" .. (command and " " .. command.name or "") .. "'." }, 0)
end

--- The option a word means, which may be its beginning.
local function find_option(command, word)
  local own, found = options_of(command), {}
  if own[word] then return word end
  for _, name in ipairs(own) do
    if name:sub(1, #word) == word then found[#found + 1] = name end
  end
  if #found == 1 then return found[1] end
  if #found > 1 then wrong(command, "ambiguous option", "--" .. word) end
  if options[word] then wrong(command, "'vesicle " .. command.name .. "' takes no option", "--" .. word) end
  for i, name in ipairs(own) do own[i] = "--" .. name end
  wrong(command, "unknown option", "--" .. word, own)
end

local function take_option(command, name, value, result)
  local option = options[name]
  local read = value
  if option.value then
    read = option.read(value)
    if read == nil then wrong(command, "--" .. name .. ": expected " .. option.expected .. ", got", value) end
  end
  if option.many then
    table.insert(result[name], read)
  elseif name == "replicate" then
    result.replicate, result.replicate_name = read.index, read.name
  else
    result[option.field or name] = read
  end
end

local function parse_command(command, words, result)
  local operands, i = {}, 2
  while i <= #words do
    local word = words[i]
    local long, value = word:match("^%-%-([^=]+)=?(.*)$")
    if word == "--" then
      table.move(words, i + 1, #words, #operands + 1, operands)
      break
    elseif word == "-h" or long and #long > 0 and ("help"):sub(1, #long) == long then
      result.command, result.topic = "help", command.name
      return
    elseif long then
      local name, attached = find_option(command, long), word:find("=", 1, true)
      if not options[name].value then
        if attached then wrong(command, "no value is expected after", "--" .. name) end
        value = true
      elseif not attached then
        i = i + 1
        value = words[i] or wrong(command, "a value is missing after", word)
      end
      take_option(command, name, value, result)
    elseif word == "-e" and options_of(command).execute then
      i = i + 1
      take_option(command, "execute", words[i] or wrong(command, "a value is missing after", word), result)
    elseif word:find("^%-.") then
      wrong(command, "unknown option", word:sub(1, 2))
    else
      operands[#operands + 1] = word
    end
    i = i + 1
  end
  local what, value = command.take(operands, result)
  if what then wrong(command, what, value) end
end

--- Words as they can be typed again, in a shell.
function command_line.quote(words)
  local quoted = {}
  for i, word in ipairs(words) do
    quoted[i] = word:find("^[%w_+=:,./@%%-]+$") and word or "'" .. word:gsub("'", "'\\''") .. "'"
  end
  return table.concat(quoted, " ")
end

--- The line to type again to go on: all of it but --replicate.
local function line_of(words)
  local kept, i = { words[0] }, 1
  while i <= #words do
    if words[i] == "--replicate" then i = i + 1
    elseif not words[i]:find("^%-%-replicate=") then kept[#kept + 1] = words[i] end
    i = i + 1
  end
  return command_line.quote(kept)
end

--- What the words (with the program's name as words[0]) ask for: a table with the command and the values
--- of its options. Help is printed at once, and the command is then "none". A wrong line is a stop object.
--- at_terminal: somebody sits there, so that no words at all open the prompt.
function command_line.parse(words, at_terminal)
  local result = { command = "none", set = {}, over = {}, scale = "full", format = "text", line = line_of(words) }
  local first = words[1]
  -- `vesicle FILE.lua`, `vesicle -e CODE` and a script on standard input are short for `vesicle run ...`.
  if not first and not at_terminal then
    if io.read(0) == nil then wrong(nil, "a command is missing") end
    first, words = "run", { "run", "-" }
  end
  if first and not commands[first] and (first:find("%.lua$") or first == "-e" or first == "-") then
    words = table.move(words, 1, #words, 2, { "run" })
    first = "run"
  end
  local command = commands[first]
  if not first then
    result.command = "repl"
  elseif first == "--version" or first == "-V" then
    result.command = "version"
  elseif command then
    result.command = first
    parse_command(command, words, result)
  elseif first == "--help" or first == "-h" then
    result.command = "help"
  else
    wrong(nil, first:sub(1, 1) == "-" and "unknown option" or "unknown command", first, names)
  end
  if result.command == "help" then
    local topic = result.topic and commands[result.topic]
    if result.topic and not topic then
      error({ exit_code = USAGE, message = "there is no command '" .. result.topic .. "'"
        .. check.suggestion(result.topic, names) .. "; 'vesicle --help' lists them" }, 0)
    end
    io.write(topic and help_of(topic) or overview())
    result.command = "none"
  end
  return result
end

--- The line that runs one point of a sweep by itself: `host` says how the sweep was started.
function command_line.point(host, words)
  local line = { "vesicle", "run", host.script }
  local function add(...) table.move({ ... }, 1, select("#", ...), #line + 1, line) end
  if host.seed then add("--seed", string.format("%d", host.seed)) end
  add("--out", host.out)
  if host.scale ~= "full" then add("--scale", host.scale) end
  if not host.sandboxed then add("--trust") end
  for _, word in ipairs(words) do add("--set", word) end
  return command_line.quote(line)
end

return command_line
