-- experiment: parameters in, tables, numbers and statements out.
--
-- An experiment is one Lua script. It states its parameters, draws every random number from streams
-- keyed by names, and hands its results to E:table, E:number and E:statement; E:finish writes them all at
-- once. What it writes depends on the seed, the parameters and the sources, and on nothing else.
--
-- The words of a script, in the order of its steps (docs/tutorial.md has them in use):
--
--     ex.new { params = { draws = { 1000, quick = 100, about = "draws in each run" } } }
--     stats.collect(list, f)                 f of each element, side by side: a vector, a matrix, or named ones
--     out = E:replicate { name, n, run }     run(i, rng) on all cores
--     out:column("a.b")                      one field, one row per replicate
--     s = stats.summary(out:column("a.b"))   mean of each column, s.value, with its standard error, s.se
--     stats.jackknife(f, M), stats.ratios    the same of a function of the means
--     E:table("name", { { "x", "input", xs }, { "sd", "spread of samples", s } })
--     E:number("Name", s)                    names of numbers and ids of statements are written whole,
--     E:statement { id = "name", criterion = is.within(0.1), cells = { printed = s } }    so that a search finds them
--     E:statements { where = "Results", { id = "first", ... }, { id = "second", ... } }   what they share stands once

local ves = require "vesicle"
local array = require "vesicle.base.array"
local check = require "vesicle.base.check"
local deterministic = require "vesicle.base.deterministic"
local failures = require "vesicle.experiment.failures"
local host = require "vesicle.base.host"
local macro_names = require "vesicle.experiment.macro_names"
local number = require "vesicle.experiment.number"
local observe = require "vesicle.experiment.observe"
local params = require "vesicle.experiment.params"
local replicates = require "vesicle.experiment.replicates"
local statement = require "vesicle.experiment.statement"
local stats = require "vesicle.stats"
local tsv = require "vesicle.table"

local Experiment = { __name = "experiment" }
local methods = {}

Experiment.__index = function(_, key)
  if methods[key] ~= nil then return methods[key] end
  error(string.format("an experiment has no field `%s`%s", tostring(key),
    check.suggestion(key, check.sorted_keys(methods))), 2)
end

local spec_fields = {
  name = { type = "string" },
  title = { type = "string", optional = true },
  figure = { type = "string|table", optional = true },
  params = { type = "table", optional = true },
  streams = { type = "string", optional = true },
}

local parameter_fields = {
  about = { type = "string", optional = true }, quick = { type = "any", optional = true },
  range = { type = "table", optional = true },
}

-- ---- making one ----

--- A parameter is its default, or a table that says more of it: { default, about =, quick =, range = }. Returns the
--- four tables by name.
local function parameters_of(where, spec)
  local split = { params = {}, quick = {}, range = {}, about = {} }
  for name, value in next, spec.params or {} do
    split.params[name] = value
    if type(value) == "table" and (value.about ~= nil or value.quick ~= nil or value.range ~= nil) then
      local more = {}
      for key, word in next, value do if key ~= 1 then more[key] = word end end
      check.options(string.format("%s: params: `%s`", where, name), more, parameter_fields, 3)
      split.params[name] = value[1]
      for key, word in next, more do split[key][name] = word end
    end
  end
  return split
end

local ex = {}

local begun = {}                         -- the experiments of the script, in order
local begin = host.begin                 -- the program counts along, whatever a script does to tables

--[[** ex.new{name, ...} -> E
A new experiment; `local ex = require "vesicle.experiment"`. What it writes goes to OUT/<name>/ when E:finish() is
called. A second argument takes the place of the command line, for tests: seed, scale, set, out, quiet.
@key name letters, digits, _ and -: the name of the script without .lua
@key title text
@key figure label of the original that it answers, or an array of labels
@key params table of parameters, each its default (a number, text, boolean or list) or {default, about = what it means,
quick = its value under --scale quick, range = {lo, hi} or the permitted texts}; --set changes one
@key streams name of the experiment whose random streams it draws from, default its own: a replicate then has the data
that the replicate of the same name and number has there
@return experiment
@field params table: the parameters as they are in this run
@field rng stream: of this experiment; use E.rng:stream("name")
@field seed integer
@field scale 'full' or 'quick'
@example ex = require "vesicle.experiment"
@example E = ex.new{name = "demo", params = {draws = {100, about = "draws in each run"}, rate = 0.5}}
@example print(E.params.draws)
]]
function ex.new(spec, context)
  check.options("experiment.new", spec, spec_fields, 2)
  if not spec.name:find("^[%w][%w_-]*$") then
    error("experiment.new: name " .. check.show(spec.name)
      .. ": expected letters, digits, _ and -", 2)
  end
  deterministic.check_locale("experiment.new")
  context = context or host
  local file = context == host and (host.name or (host.script or ""):match("lua/experiments/([^/]+)%.lua$"))
  if file and file ~= spec.name then
    error(string.format("experiment.new: name %s: expected %s, as the script is called", check.show(spec.name),
      check.show(file)), 2)
  end
  local where, own = spec.name, parameters_of(spec.name, spec)
  local ranges, about = own.range, own.about
  local scale = context.scale or "full"
  local values, names, kinds = params.resolve(where, own.params, own.quick, ranges,
    scale, context.set or {})
  if context.command == "params" then
    if spec.title then io.stdout:write(spec.name, ": ", spec.title, "\n\n") end
    params.print(values, names, kinds, ranges, about, function(...) io.stdout:write(...) end)
    host.declared = true
    error({ exit_code = 0 }, 0)
  end
  host.declared = true
  local seed = context.seed or deterministic.default_seed
  if context.command == "sweep" then     -- vesicle.sweep asks what could be varied
    host.probe = {
      name = spec.name, title = spec.title, values = values, names = names, kinds = kinds, about = about,
      seed = seed, scale = scale,
      resolve = function(set)
        return (params.resolve(where, own.params, own.quick, ranges, scale, set))
      end,
    }
    error({ exit_code = 0 }, 0)
  end
  local current = {}                     -- the phase being computed in this process, if any
  local self = setmetatable({
    name = spec.name, title = spec.title or spec.name,
    figure = type(spec.figure) == "table" and table.concat(spec.figure, ", ") or spec.figure or false,
    params = params.seal(where, values, names, function(name, value)
      if name == current.count then current.note(name, value) end
    end),
    current = current,
    seed = seed, scale = scale, quick = scale == "quick",
    rng = ves.rng(seed):stream(spec.streams or spec.name), streams = spec.streams or false,
    out = context.out or host.out, quiet = context.quiet or false,
    about = about, parameter_names = names, point = context.command == "point",
    tables = {}, numbers = {}, ledger = {}, phases = 0, taken = {}, finished = false,
  }, Experiment)
  if context == host then
    begun[#begun + 1] = self
    if begin then begin(self.name) end
  end
  return self
end

--- Called when a script has come to its end: an experiment that has written nothing is an error, or earlier results
--- would pass for its own.
function host.ended()
  for _, self in ipairs(begun) do
    if not self.finished then
      error({ exit_code = 1, message = string.format(
        "%s ends without E:finish(): the experiment `%s` has written nothing", host.script, self.name) }, 0)
    end
  end
end

-- os.exit is an end too, unless it says that something failed.
local exit = os.exit
function os.exit(code, close) -- luacheck: ignore
  local status = math.tointeger(tonumber(code)) -- of which a process keeps the last byte
  if host.script and host.ended and (code == nil or code == true or status and status & 255 == 0) then host.ended() end
  exit(code, close)
end

--- A method begins: it was called on an experiment, with a colon, and one that still takes results.
local function open(self, what)
  if getmetatable(self) ~= Experiment then error(what .. " is called with a colon: " .. what .. "(...)", 3) end
  if self.finished then error(what .. ": the experiment " .. self.name .. " is finished", 3) end
  deterministic.check_locale(what)
end

local function take(self, kind, name, what)
  local key = kind .. ":" .. name
  if self.taken[key] then
    error(string.format("%s: `%s` was already used in %s", what, name, self.name), 3)
  end
  self.taken[key] = true
end

-- ---- replicates ----

local replicate_fields = {
  name = { type = "string" }, n = { type = "number" }, run = { type = "function" },
  uses = { type = "table", optional = true },
}

local REPLICATES_MAX = 1000000000

-- The results of earlier E:replicate calls -> { name, n, key, experiment }; weak, so that results nobody can see any
-- more are forgotten.
local earlier = setmetatable({}, { __mode = "k" })

-- The set of phases whose results were read outside of replicates: what was made of them may be anywhere.
local read = {}

-- The phase whose replicate is being computed in this process: its name, and the set of phases it uses.
local inside = {}

--- The results of a phase are looked at. Outside of replicates this counts for every later phase; a replicate must have
--- said so.
local function look(phase)
  if not inside.name then
    read[phase] = true
  elseif not inside.uses[phase] then
    error(string.format("a replicate of `%s` reads the results of `%s`, on which it then depends: write "
      .. "uses = { RESULTS }, with the results of `%s`, in E:replicate { name = %q, ... }", inside.name, phase.name,
      phase.name, inside.name), 0)
  end
end

-- Names under which experiments hold their number of replicates.
local count_names = { "replicates", "reps", "n_replicates", "n_reps", "nrep", "runs" }

--- The parameter that is the number of replicates, if one has such a name and the value n. Results
--- do not depend on it: more replicates reuse all that exist.
local function count_parameter(self, n)
  local have = {}
  for _, name in ipairs(self.parameter_names) do have[name] = true end
  for _, name in ipairs(count_names) do
    if have[name] and self.params[name] == n then return name end
  end
  return nil
end

--- What the results of a phase depend on, besides the number of the replicate; the journal's key is its SHA-256.
local function describe(self, name, uses, count)
  local sources = require "vesicle.base.sources"
  local parameters, after = {}, {}
  for _, parameter in ipairs(self.parameter_names) do
    if parameter ~= count then parameters[parameter] = self.params[parameter] end
  end
  local function add(phase)
    after[#after + 1] = string.format("%d of `%s` of %s: %s", phase.n, phase.name, phase.experiment, phase.key)
  end
  for phase in next, read do add(phase) end
  for phase in next, uses do
    if not read[phase] then add(phase) end
  end
  table.sort(after)
  return {
    experiment = self.name, replicate = name, seed = self.seed, scale = self.scale, parameters = parameters,
    uses = after, code = sources.code(),
  }
end

--- run(i, rng) with the replicate's own streams.
local function run_one(self, name, run, i)
  local rng = self.rng:stream("replicate", name, i)
  deterministic.swap(rng:stream("math.random"))
  return run(i, rng)
end

--- The plain form, for an interpreter without the engine.
local function replicate_serially(self, name, n, run, uses)
  local results = {}
  inside.name, inside.uses = name, uses
  for i = 1, n do
    local outer = deterministic.swap(nil)
    local good, result = xpcall(run_one, function(message)
      return debug.traceback(tostring(message), 2)
    end, self, name, run, i)
    deterministic.swap(outer)
    if not good then
      inside.name = nil
      error(string.format("replicate %d of `%s` in %s (seed %d): %s", i, name, self.name, self.seed,
        result), 0)
    end
    results[i] = result
  end
  inside.name = nil
  return { get = function(_, i) return results[i] end }
end

--- The engine: workers, journal, resuming.
local function replicate_with_engine(self, name, n, run, uses)
  local sources = require "vesicle.base.sources"
  sources.check_time("E:replicate")
  local count = count_parameter(self, n)
  local mark = sources.mark()
  local function note(parameter, value)
    sources.fact("parameter " .. parameter .. " = " .. params.text(value))
  end
  self.phases = self.phases + 1
  local store, key = host.replicate {
    out = self.out, experiment = self.name, name = name, first = self.phases == 1, n = n, seed = self.seed,
    quiet = self.quiet, description = describe(self, name, uses, count),
    count = count and "parameter " .. count .. " = " .. params.text(n) or "",
    one = function(i)
      sources.replicate()
      require("vesicle.base.globals").replicate(name)
      inside.name, inside.uses = name, uses
      self.current.count, self.current.note = count, note
      return run_one(self, name, run, i)
    end,
    inputs = function() return sources.since(mark) end,
    explain = failures,
  }
  inside.name, self.current.count = nil, nil
  for _, inputs in ipairs(store:inputs()) do sources.take(inputs) end
  return store, key
end

--- The set of phases whose results are listed.
local function phases_used(uses)
  local phases = {}
  for key, results in next, uses do
    local phase = math.type(key) == "integer" and type(results) == "table" and earlier[results]
    if not phase then
      error(string.format("E:replicate: key `uses` holds %s, expected a list of results of E:replicate",
        check.show(results)), 3)
    end
    phases[phase] = true
  end
  return phases
end

--[[** E:replicate{name, n, run, uses} -> out
Runs run(i, rng) for i = 1 to n on all cores, each with a stream of its own, E.rng:stream("replicate", name, i), and
a math.random of its own. Finished ones are kept in the journal OUT/<experiment>.sqlite and reused as long as nothing
they depend on changes: the program, the script and all it has loaded or read, the seed, the parameters, and the results
of earlier calls that the script has read before this one or that `uses` lists. A replicate that reads others is an
error. The results are out[i], #out, out:column(field).
@key name text: names the replicates within the experiment
@key n integer >= 0
@key run function(i, rng) that returns a number, text, boolean, vector, matrix, or a plain table of them
@key uses array: results of earlier calls that run reads
@return results
@example ex = require "vesicle.experiment"; E = ex.new{name = "demo"}
@example out = E:replicate{name = "main", n = 8, run = function(i, rng) return {u = rng:uniform()} end}
@example print(#out, out[1].u, out:column("u"):mean())
@example E:replicate{name = "more", n = 8, uses = {out}, run = function(i, rng) return out[i].u + rng:uniform() end}
]]
function methods.replicate(self, spec)
  open(self, "E:replicate")
  check.options("E:replicate", spec, replicate_fields, 2)
  local n = math.tointeger(spec.n)
  if not n or n < 0 or n > REPLICATES_MAX then
    error(string.format("E:replicate: key `n` is %s, expected a whole number from 0 to %d", check.show(spec.n),
      REPLICATES_MAX), 2)
  end
  if not spec.name:find("^[%w][%w_.-]*$") then
    error("E:replicate: name " .. check.show(spec.name)
      .. ": expected letters, digits, _, . and -", 2)
  end
  if inside.name then
    error("E:replicate: `" .. spec.name .. "` is called inside a replicate", 2)
  end
  local uses = phases_used(spec.uses or {})
  take(self, "replicate", spec.name, "E:replicate")
  local engine = host.replicate and replicate_with_engine or replicate_serially
  local store, key = engine(self, spec.name, n, spec.run, uses)
  local phase = { name = spec.name, experiment = self.name, n = n, key = key or "" }
  local results = replicates.new {
    name = string.format("`%s` of %s", spec.name, self.name), n = n,
    look = function() look(phase) end,
    get = function(_, i) return store:get(i) end,
    part = host.replicate and function(_, i, field) return store:get(i, field) end,
  }
  earlier[results] = phase
  return results
end

-- ---- data ----

--[[** E:observe(net, path, options) -> net
A network observes columns of a data file, a table of tab- or comma-separated numbers, block by block: it may be
larger than memory. In an MPI job each rank reads its share, and A and B have the same bits for any number of ranks;
inside a replicate the whole file is read.
@param net network
@param path string: the file
@key x text: the column of inputs, default 'x'; an array of them for a network with several input codes
@key y text: the column of outputs, default 'y'
@key salience text: the column that says how much a row counts
@return the network
@example ex = require "vesicle.experiment"; E = ex.new{name = "demo"}; path = os.tmpname()
@example ves.write_table(path, {x = {0, 1, 2}, y = {0.1, 0.9, 2.2}})
@example code = ves.code{n = 20, lo = -3, hi = 3, sigma = 0.3}
@example net = ves.network{input = code, output = code, rng = rng}
@example E:observe(net, path); print(net.rows); os.remove(path)
]]
function methods.observe(self, net, path, options)
  open(self, "E:observe")
  return observe.file(net, path, options, inside.name ~= nil)
end

-- ---- outputs ----

--- The lines after # marks; `plain` ones name no commit, for files whose every byte is compared.
local function provenance(self, plain)
  local lines = { "experiment: " .. self.name .. (self.title ~= self.name and " - " .. self.title or "") }
  if self.figure then lines[#lines + 1] = "figure: " .. self.figure end
  if not plain then lines[#lines + 1] = "vesicle: " .. host.version .. ", commit " .. host.commit end
  lines[#lines + 1] = string.format("seed: %d", self.seed)
  if self.streams then lines[#lines + 1] = "streams: those of " .. self.streams end
  lines[#lines + 1] = "scale: " .. self.scale
  for _, name in ipairs(self.parameter_names) do
    local meaning = self.about[name] and " (" .. self.about[name] .. ")" or ""
    lines[#lines + 1] = "parameter: " .. name .. " = " .. params.text(self.params[name]) .. meaning
  end
  return lines
end

local function add_table(self, name, columns, rows)
  local where = "E:table " .. name
  local names, meanings, own = tsv.columns(where, columns)
  if own and rows ~= nil then error(where .. ": rows are given, but the columns have values already", 3) end
  rows = own or rows
  local header = provenance(self)
  table.move(meanings, 1, #meanings, #header + 1, header)
  self.tables[#self.tables + 1] = { name .. ".tsv", tsv.render(where, names, tsv.expand(where, rows), header) }
end

local reserved = { claims = true, numbers = true }

local function check_file_name(where, name)
  if type(name) ~= "string" or not name:find("^[%w][%w_-]*$") then
    error(where .. ": name " .. check.show(name) .. ": expected letters, digits, _ and -", 3)
  end
  if reserved[name] then error(where .. ": the name `" .. name .. "` is reserved", 3) end
end

--[[** E:table(name, columns, rows) -> nothing
A table, OUT/<experiment>/<name>.tsv, that opens in gnuplot, R, pandas, NumPy and a spreadsheet: the names of
the columns, lines after # that say where it comes from, then the rows.
@param name text: letters, digits, _ and -
@param columns array of columns, each a name, {name, what it means}, or with its values, a vector or an array:
{name, what it means, values}, {name, values}
@param rows where the columns have no values: a matrix; or an array whose rows are arrays, vectors, or tables keyed by
column name. A cell of an array may be a vector or an array itself: the row then stands for as many, its other cells
repeated. An estimate, as stats.summary gives it, fills two columns, NAME and NAME_se, with value and standard error
@example ex = require "vesicle.experiment"; E = ex.new{name = "demo"}
@example E:table("squares", {"x", {"y", "x squared"}}, {{1, 1}, {2, 4}, {3, 9}})
@example x = ves.range(1, 3); E:table("cubes", {{"x", x}, {"y", "x cubed", x ^ 3}})
@example E:table("powers", {"power", "x", "y"}, {{2, x, x ^ 2}, {3, x, x ^ 3}})
]]
function methods.table(self, name, columns, rows)
  open(self, "E:table")
  check_file_name("E:table", name)
  take(self, "table", name, "E:table")
  add_table(self, name, columns, rows)
end

--[[** E:array(name, data) -> nothing
An array, OUT/<experiment>/<name>.npy, for numpy.load: what is too large for a table, bit for bit.
@param name text: letters, digits, _ and -
@param data vector, array of numbers, or matrix
@example ex = require "vesicle.experiment"; E = ex.new{name = "demo"}
@example E:array("weights", ves.matrix{{0.6, 0.4}, {0.1, 0.9}})
]]
function methods.array(self, name, data)
  open(self, "E:array")
  check_file_name("E:array", name)
  take(self, "array", name, "E:array")
  local done, bytes = pcall(ves.npy, data)
  if not done then error((tostring(bytes):gsub("^.-ves%.npy", "E:array")), 2) end
  self.tables[#self.tables + 1] = { name .. ".npy", bytes }
end

local number_options = { digits = { type = "integer", optional = true } }

local finite = check.finite

local function one_number(self, name, value, se, options)
  local objection = macro_names.objection(name)
  if objection then error("E:number: name " .. check.show(name) .. ": " .. objection, 3) end
  if not finite(value) then
    error(string.format("E:number %s: value is %s, expected a finite number", name,
      check.show(value)), 3)
  end
  if se ~= nil and not (finite(se) and se >= 0) then
    error(string.format("E:number %s: se is %s, expected a finite number >= 0 or nil", name,
      check.show(se)), 3)
  end
  if options.digits and (options.digits < 1 or options.digits > 17) then
    error(string.format("E:number %s: digits is %d, expected 1 to 17", name, options.digits), 3)
  end
  take(self, "number", name, "E:number")
  take(self, "number", name .. "SE", "E:number")
  take(self, "number", name .. "WithSE", "E:number")
  self.numbers[#self.numbers + 1] = { name = name, value = value, se = se, digits = options.digits }
end

--[[** E:number(name, value, se, options) -> nothing
A LaTeX macro of that name for the value, rounded to two significant digits of its standard error; with a standard
error also <name>SE and <name>WithSE. An array of names takes as many values.
@param name text of letters only, the first a capital, that is no command of LaTeX and another one than in every other
experiment; or an array of such names
@param value number, or an estimate as stats.summary and stats.jackknife give it
@param se number >= 0: its standard error, if it has one
@key digits integer: significant digits to show
@example ex = require "vesicle.experiment"; E = ex.new{name = "demo"}; stats = require "vesicle.stats"
@example E:number("DemoMean", 0.19731, 0.00412)
@example E:number({"DemoFirst", "DemoSecond"}, stats.summary(ves.matrix{{1, 2}, {3, 5}, {2, 5}}))
]]
function methods.number(self, name, value, se, options)
  open(self, "E:number")
  options = options or {}
  check.options("E:number", options, number_options, 2)
  if stats.is_estimate(value) then value, se = value.value, value.se end
  if type(name) ~= "table" then return one_number(self, name, value, se, options) end
  name = array.totable(name, "E:number")
  local values, ses = array.totable(value, "E:number"), se and array.totable(se, "E:number")
  if type(values) ~= "table" or #values ~= #name then
    error(string.format("E:number: %d names, expected as many values, got %s", #name,
      type(values) == "table" and #values or check.show(value)), 2)
  end
  for i, each in ipairs(name) do one_number(self, each, values[i], ses and ses[i], options) end
end

--- Calls make(one) for the table, or, where it holds several, for each with what they share.
local function each_of(what, spec, make)
  if type(spec) ~= "table" then error(what .. ": expected a table, got " .. check.show(spec), 3) end
  spec = array.totable(spec, what)
  if #spec == 0 then return make(spec) end
  local outcome
  for i, own in ipairs(spec) do
    if type(own) ~= "table" then
      error(string.format("%s: statement %d is %s, expected a table", what, i, check.show(own)), 3)
    end
    local whole = {}
    for key, value in next, spec do if type(key) == "string" then whole[key] = value end end
    for key, value in next, own do whole[key] = value end
    outcome = make(whole)
  end
  return outcome
end

local function add_statements(self, what, spec, ours)
  open(self, what)
  return each_of(what, spec, function(one)
    local rows = statement.rows(what, self.name, one, ours)
    take(self, "claim", rows[1].id, what)
    table.move(rows, 1, #rows, #self.ledger + 1, self.ledger)
    return require("vesicle.experiment.ledger").group(rows)[1].outcome
  end)
end

--[[** E:statement{id, says, where, kind, quantity, criterion, cells, ...} -> outcome
A statement of the original, judged under several readings. A cell is an estimate, as stats.summary gives it, or a table
{value, exact = true, beside = {name = numbers to print}, drives = "the choice of ours that decides it", note = text};
value is an estimate, a number or a list of them, se their standard errors. Verdicts are computed: holds or fails; for a
mathematical statement proved, where it holds and `proof` is given, and refuted, where an exact value fails.
@key id lower-case letters, digits and -
@key says text: the statement, in a sentence of ours that stands alone
@key where text: its place in the original; a figure by its label, fig:weights, gets its number
@key kind 'empirical', 'mathematical', 'definition' (nothing to measure, no cells) or 'unclaimed' (measured, but the
original assumes, quotes or disclaims it: not counted; `note` says why)
@key quantity text: what is measured
@key at array of texts without blanks, or of numbers, that name the elements where a value is a list
@key criterion criterion, as from vesicle.criterion
@key cells table by reading: printed, corrected, repaired, and these with ", bins" or ", open", another spacing of the
curves
@key further array of further cells, each with its name as `reading`, and a quantity, criterion, at or proof of its own
if they differ
@key missing text: why there is no printed cell
@key looked boolean: quantity or criterion were settled after a first look
@key proof label of the proof in the report
@key breaks the error of the model that must change a verdict (tests/lua/breaks.lua)
@key drives text: the choice of ours that drives the verdict of every cell that does not name its own
@key fact id of the statement that says the same, if this one restates it
@key unasked text: why the repaired model is not asked
@key note text
@return text: the outcome
@example ex = require "vesicle.experiment"; E = ex.new{name = "demo"}; is = require "vesicle.criterion"
@example print(E:statement{id = "demo", says = "They are near one.", where = "here", kind = "empirical",
  quantity = "two numbers", at = {"first", "second"}, criterion = is.each(is.within(0.1)),
  cells = {printed = {{1.01, 1.3}, exact = true}, corrected = {{1.01, 1.05}, exact = true}}})
]]
function methods.statement(self, spec) return add_statements(self, "E:statement", spec, false) end

--[[** E:statements{shared, ..., {id, ...}, {id, ...}} -> outcome
Several statements of the original, in the order given. What stands beside them is shared by all that do not say
otherwise.
@key where, kind, says, quantity, at, criterion, looked, proof, breaks, drives, fact, unasked, note what they share, as
in E:statement
@return text: the outcome of the last
@example ex = require "vesicle.experiment"; E = ex.new{name = "demo"}; is = require "vesicle.criterion"
@example E:statements{where = "here", kind = "empirical", quantity = "a number", criterion = is.within(0.1),
  {id = "mean", says = "The mean is one.", cells = {printed = {1.01}}},
  {id = "median", says = "So is the median.", cells = {printed = {1.3}}}}
]]
function methods.statements(self, spec)
  if type(spec) ~= "table" or #spec == 0 then error("E:statements: expected a table of statements, got none", 2) end
  return add_statements(self, "E:statements", spec, false)
end

--[[** E:own{id, says, kind, quantity, criterion, value, ...} -> outcome
A statement of ours, or several with what they share, as E:statements has them. The keys are those of E:statement
without `where`, `fact` and `unasked`; `value`, a cell, may stand in place of `cells`.
@key value estimate, or a table {value, exact = true}, as a cell of E:statement
@return text: 'holds', 'fails', 'proved', 'refuted' or 'in part'
@example ex = require "vesicle.experiment"; E = ex.new{name = "demo"}; is = require "vesicle.criterion"
@example print(E:own{id = "demo", says = "It is one.", kind = "empirical", quantity = "a number",
  criterion = is.same(1), value = {1.01, se = 0.02}})
]]
function methods.own(self, spec) return add_statements(self, "E:own", spec, true) end

--[[** E:further{statement, kind, {reading, value, ...}, ...} -> nothing
Further cells of a statement that another experiment makes.
@key statement id of the statement
@key kind 'empirical' or 'mathematical'
@key quantity, criterion, at, breaks what the cells share, as in E:statement
@example ex = require "vesicle.experiment"; E = ex.new{name = "demo"}; is = require "vesicle.criterion"
@example E:further{statement = "mapping-exact", kind = "empirical", quantity = "p value", criterion = is.not_rejected(),
  {reading = "by sampling", 0.3}}
]]
function methods.further(self, spec)
  open(self, "E:further")
  local rows = statement.further_rows(self.name, spec)
  for _, row in ipairs(rows) do take(self, "claim", row.id .. "/" .. row.reading, "E:further") end
  table.move(rows, 1, #rows, #self.ledger + 1, self.ledger)
end

--[[** E:repaired{statement, value, at, breaks, ...} -> nothing
What the repaired model gives where another experiment makes a statement of the original; or several, with what they
share, as E:statements has them. Quantity, criterion and kind are those of the statement and cannot be given: the
verdict is found when the ledger is put together, where `at` must be the statement's own.
@key statement id of the statement
@key value estimate, or a table {value, exact = true}, as a cell of E:statement: the cell `repaired`
@key cells table, instead of value: cells by name, repaired, and with ", bins" or ", open" another spacing of the curves
@key at array of texts that name the elements where a value is a list, as the statement has them
@key proof label of the proof in the report, where the statement is a mathematical one
@key breaks the error of the model that must change a verdict (tests/lua/breaks.lua)
@example ex = require "vesicle.experiment"; E = ex.new{name = "demo"}
@example E:repaired{statement = "converge-analytic", at = {"least", "largest"}, value = {{0, 0}, exact = true}}
]]
function methods.repaired(self, spec)
  open(self, "E:repaired")
  each_of("E:repaired", spec, function(one)
    local rows = statement.repaired_rows(self.name, one)
    for _, row in ipairs(rows) do take(self, "claim", row.id .. "/" .. row.reading, "E:repaired") end
    table.move(rows, 1, #rows, #self.ledger + 1, self.ledger)
  end)
end

local function add_numbers(self)
  if #self.numbers == 0 then return end
  local lines, rows = {}, {}
  for _, line in ipairs(provenance(self, true)) do lines[#lines + 1] = "% " .. line:gsub("%c+", " ") end
  for _, item in ipairs(self.numbers) do
    local value, se, both = number.latex(item.value, item.se, item.digits)
    lines[#lines + 1] = "\\newcommand{\\" .. item.name .. "}{" .. value .. "}"
    if se then
      lines[#lines + 1] = "\\newcommand{\\" .. item.name .. "SE}{" .. se .. "}"
      lines[#lines + 1] = "\\newcommand{\\" .. item.name .. "WithSE}{" .. both .. "}"
    end
    rows[#rows + 1] = { item.name, item.value, item.se or "NA" }
  end
  self.tables[#self.tables + 1] = { "numbers.tex", table.concat(lines, "\n") .. "\n" }
  add_table(self, "numbers",
    { { "name", "LaTeX macro" }, { "value", "measured value" }, { "se", "its standard error" } }, rows)
end

--[[** E:finish() -> nothing
Writes all tables, numbers and claims below OUT/<experiment>/, all or nothing. The last call of a script.
Beside it OUT/<experiment>.d is a list for make: which files the script read.
@example ex = require "vesicle.experiment"; E = ex.new({name = "demo"}, {out = os.tmpname() .. ".d", quiet = true})
@example E:table("squares", {"x", "y"}, {{1, 1}, {2, 4}}); E:finish()
]]
function methods.finish(self)
  open(self, "E:finish")
  if self.point then                     -- one point of a sweep: its numbers go into the sweep's table
    host.collected = host.collected or {}
    table.move(self.numbers, 1, #self.numbers, #host.collected + 1, host.collected)
    self.finished = true
    return
  end
  add_numbers(self)
  add_table(self, "claims", statement.described, self.ledger)
  if host.rank == 0 then
    local files, missing
    if host.script and host.command == "run" then files, missing = require("vesicle.base.sources").files() end
    host.publish(self.out, self.name, self.tables, files, missing)
  end
  self.finished = true
  if not self.quiet then
    for _, file in ipairs(self.tables) do
      io.stderr:write(self.out, "/", self.name, "/", file[1], "\n")
    end
  end
end

return check.module("vesicle.experiment", ex)
