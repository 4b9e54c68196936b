-- sweep: an experiment at every point of a grid of parameters, into one table.
--
-- `vesicle sweep X --over psi=2:12:1 --over n=20,50,100` runs the script once for each combination, the
-- last varying fastest, each run being what `vesicle run X --set psi=... --set n=...` is: the same
-- streams, the same numbers. The points are the replicates of a phase of their own, so that they are
-- computed side by side and journalled; the replicates within a point are journalled too, in the
-- experiment's journal. In an MPI job all ranks take the points one after the other together.
--
-- The table has a row for each point: its parameters, and the value and standard error of every
-- number (E:number) that the run reported; NA where a run reported none.

local check = require "vesicle.base.check"
local command_line = require "vesicle.base.command_line"
local host = require "vesicle.base.host"
local params = require "vesicle.experiment.params"
local sources = require "vesicle.base.sources"
local tsv = require "vesicle.table"

local sweep = {}

local POINTS = 1000000                   -- more than that is a mistake

local function usage(...) error({ exit_code = 2, message = string.format(...) }, 0) end

-- ---- values ----

--- A decimal number as an integer and its number of decimals, or nil: 0.25 -> 25, 2.
local function decimal(text)
  local sign, whole, rest = text:match("^%s*([-+]?)(%d*)%.?(%d*)%s*$")
  if not whole or #whole + #rest == 0 or #whole + #rest > 15 then return nil end
  local digits = math.tointeger(tonumber(whole .. rest))
  return sign == "-" and -digits or digits, #rest
end

local function decimal_text(digits, decimals)
  if decimals == 0 then return string.format("%d", digits) end
  local text = string.format("%0" .. decimals + 1 .. "d", math.abs(digits))
  return (digits < 0 and "-" or "") .. text:sub(1, -decimals - 1) .. "." .. text:sub(-decimals)
end

--- from, from + step, ... up to `to`, as texts: in decimals, so that 0.1:0.5:0.1 holds 0.3 and not
--- 0.30000000000000004.
local function range(word, from, to, step)
  local parts = { from, to, step }
  local digits, most = {}, 0
  for i, text in ipairs(parts) do
    if not tonumber(text) then return nil end
    local d, decimals = decimal(text)
    digits[i] = d and { d, decimals } or false
    most = math.max(most, decimals or 0)
  end
  local exact = digits[1] and digits[2] and digits[3] and most <= 9
  local a, b, s
  if exact then
    for i = 1, 3 do parts[i] = digits[i][1] * math.tointeger(10 ^ (most - digits[i][2])) end
    a, b, s = table.unpack(parts)
  else
    a, b, s = tonumber(from) + 0.0, tonumber(to) + 0.0, tonumber(step) + 0.0
  end
  if s == 0 or (b - a) * s < 0 then usage("--over: %s: the steps do not lead from %s to %s", word, from, to) end
  local count = exact and (b - a) // s or math.floor((b - a) / s + 1e-9)
  if count >= POINTS or count ~= count then usage("--over: %s: more than %d values", word, POINTS) end
  local values = {}
  for k = 0, math.tointeger(count) do
    values[k + 1] = params.text(exact and tonumber(decimal_text(a + k * s, most)) or a + k * s)
  end
  return values
end

local function split(text, separator)
  local parts = {}
  for part in (text .. separator):gmatch("([^" .. separator .. "]*)" .. separator) do
    parts[#parts + 1] = part:match("^%s*(.-)%s*$")
  end
  return parts
end

--- The values of one --over word: its name, and their texts.
local function expand(word, probe)
  local name, text = word:match("^([^=]+)=(.*)$")
  local kind = probe.kinds[name]
  if not kind then
    usage("--over: %s has no parameter `%s`%s (parameters: %s)", probe.name, name,
      check.suggestion(name, probe.names), table.concat(probe.names, ", "))
  end
  local numeric = kind == "integer" or kind == "number"
  local from, to, step = text:match("^([^:,]+):([^:,]+):([^:,]+)$")
  if not from then from, to = text:match("^([^:,]+):([^:,]+)$") end
  local values = numeric and from and range(word, from, to, step or "1")
  return name, values or split(text, kind:find("^list") and ";" or ",")
end

-- ---- the grid ----

--- The axes: { name, values }, checked against each other and against --set.
local function axes_of(probe)
  local axes, taken = {}, {}
  for _, word in ipairs(host.set) do taken[word:match("^[^=]*")] = "--set" end
  for _, word in ipairs(host.over) do
    local name, values = expand(word, probe)
    if taken[name] then usage("--over: `%s` is given twice (%s)", name, taken[name] .. " and --over") end
    taken[name] = "--over"
    axes[#axes + 1] = { name = name, values = values }
  end
  return axes
end

--- The words of --set for point i, those of the command line first.
local function words_of(axes, i)
  local words, rest = table.move(host.set, 1, #host.set, 1, {}), i - 1
  local own = {}
  for a = #axes, 1, -1 do
    local values = axes[a].values
    table.insert(own, 1, axes[a].name .. "=" .. values[rest % #values + 1])
    rest = rest // #values
  end
  table.move(own, 1, #own, #words + 1, words)
  return words, own
end

--- Every value of every axis is what the experiment accepts, and no two are the same; and the number
--- of points.
local function check_grid(axes, probe)
  local n = 1
  for _, axis in ipairs(axes) do
    local seen = {}
    for _, value in ipairs(axis.values) do
      local word = axis.name .. "=" .. value
      local words = table.move(host.set, 1, #host.set, 1, {})
      words[#words + 1] = word
      local good, why = pcall(probe.resolve, words)
      if not good then
        if type(why) == "table" then why.message = why.message:gsub("^%-%-set", "--over", 1) end
        error(why, 0)
      end
      local text = params.text(why[axis.name])
      if seen[text] then usage("--over: `%s` takes the value %s twice", axis.name, text) end
      seen[text] = true
    end
    n = n * #axis.values
    if n > POINTS then usage("--over: the grid has more than %d points", POINTS) end
  end
  return n
end

-- ---- running ----

--- What the script declares, without running it further.
local function probe_script(script)
  local chunk, why = loadfile(script, "t")
  if not chunk then error(why, 0) end
  local good, problem = xpcall(chunk, function(message)
    return type(message) == "table" and message or { message = tostring(message) }
  end)
  if not host.probe then
    if good then error({ exit_code = 1, message = script .. " declares no experiment" }, 0) end
    error({ exit_code = problem.exit_code or 1, message = problem.message }, 0)
  end
  return host.probe
end

--- What the points depend on besides their number.
local function describe(probe, axes, name)
  local over, parameters = {}, {}
  for _, parameter in ipairs(probe.names) do parameters[parameter] = probe.values[parameter] end
  for k, axis in ipairs(axes) do
    over[k] = { name = axis.name, values = axis.values }
    parameters[axis.name] = nil
  end
  return {
    experiment = name, replicate = "sweep", seed = probe.seed, scale = probe.scale, parameters = parameters,
    over = over, code = sources.code(),
  }
end

--- One point: its numbers, and what they depend on.
local function run_point(axes, i, jobs)
  local words, own = words_of(axes, i)
  local good, numbers, inputs = pcall(host.point, words, jobs, command_line.point(host, words))
  if not good then
    local problem = type(numbers) == "table" and numbers or { message = tostring(numbers) }
    error({ exit_code = problem.exit_code or 1, traced = true,
            message = "at " .. table.concat(own, ", ") .. ": " .. tostring(problem.message) }, 0)
  end
  return numbers or {}, inputs
end

--- All points in the order of the grid: an array, or something that reads like one.
local function run_together(axes, n)
  local results = {}
  for i = 1, n do results[i] = run_point(axes, i, host.jobs) end
  return function(i) return results[i] end
end

local function run_side_by_side(axes, n, probe, name)
  local inputs
  local jobs = math.max(1, host.jobs // n)
  local store = host.replicate {
    out = host.out, experiment = name, name = "sweep", first = true, n = n, seed = probe.seed, quiet = host.quiet,
    description = describe(probe, axes, name), count = "",
    one = function(i)
      local numbers
      numbers, inputs = run_point(axes, i, jobs)
      return numbers
    end,
    inputs = function() return inputs end,
    explain = require "vesicle.experiment.failures",
  }
  return function(i) return store:get(i) end
end

-- ---- the table ----

--- The numbers that occur, in the order of their first occurrence, and whether any has an s.e.
local function number_names(n, get)
  local names, known = {}, {}
  for i = 1, n do
    for _, number in ipairs(get(i)) do
      if known[number.name] == nil then
        names[#names + 1] = number.name
        known[number.name] = false
      end
      known[number.name] = known[number.name] or number.se ~= nil
    end
  end
  return names, known
end

local function header_of(probe, axes)
  local swept, lines = {}, { "experiment: " .. probe.name .. (probe.title and " - " .. probe.title or "") }
  local function add(...) lines[#lines + 1] = string.format(...) end
  local function meaning(name) return probe.about[name] and " (" .. probe.about[name] .. ")" or "" end
  add("vesicle: %s, commit %s", host.version, host.commit)
  add("seed: %d", probe.seed)
  add("scale: %s", probe.scale)
  for _, axis in ipairs(axes) do
    swept[axis.name] = true
    add("over: %s = %s%s", axis.name, table.concat(axis.values, " "), meaning(axis.name))
  end
  for _, name in ipairs(probe.names) do
    if not swept[name] then add("parameter: %s = %s%s", name, params.text(probe.values[name]), meaning(name)) end
  end
  return lines
end

--- The text of the table.
local function render(probe, axes, n, get)
  local names, has_se = number_names(n, get)
  if #names == 0 then
    error({ exit_code = 1, message = probe.name .. " reports no numbers (E:number): there is nothing to tabulate" }, 0)
  end
  local described, rows = {}, {}
  for _, axis in ipairs(axes) do
    described[#described + 1] = { axis.name, probe.about[axis.name] or "parameter" }
  end
  for _, name in ipairs(names) do
    described[#described + 1] = { name, "number of the experiment" }
    if has_se[name] then described[#described + 1] = { name .. "_se", "its standard error" } end
  end
  local columns, meanings = tsv.columns("sweep", described)
  for i = 1, n do
    local row, values = {}, probe.resolve((words_of(axes, i)))
    for _, column in ipairs(columns) do row[column] = "NA" end
    for _, axis in ipairs(axes) do
      row[axis.name] = params.text(values[axis.name])
    end
    for _, number in ipairs(get(i)) do
      row[number.name] = number.value
      if number.se ~= nil then row[number.name .. "_se"] = number.se end
    end
    rows[i] = row
  end
  local header = header_of(probe, axes)
  table.move(meanings, 1, #meanings, #header + 1, header)
  return tsv.render("sweep", columns, rows, header)
end

-- ---- the command ----

function sweep.main(script)
  local probe = probe_script(script)
  local axes = axes_of(probe)
  local n = check_grid(axes, probe)
  local name = probe.name .. "-over"
  for _, axis in ipairs(axes) do name = name .. "-" .. axis.name end
  local get
  if host.ranks > 1 then
    get = run_together(axes, n)
  else
    get = run_side_by_side(axes, n, probe, name)
  end
  local text = render(probe, axes, n, get)
  if host.rank > 0 then return end
  host.publish(host.out, name, { { "sweep.tsv", text } })
  if not host.quiet then io.stderr:write(host.out, "/", name, "/sweep.tsv\n") end
end

sweep.expand, sweep.range = expand, range -- for the tests

return sweep
