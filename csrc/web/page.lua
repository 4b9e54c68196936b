-- page: what a web page asks of vesicle, answered.
--
-- The program's own part is played here by little: a host without processes (replicates one after the other, results
-- kept as the same JSON text that the journal would keep, so that they have the same bits), files that are told to the
-- page instead of being published, and no journal, hence nobody who wants to know what a result depends on. All else is
-- the library of lua/, unchanged. csrc/web/web_page.c runs this file first in every state, with the C half of the host;
-- it returns the function that answers a request.

local host = ...
local tell, json, from_json = host.tell, host.json, host.from_json
local traceback = debug.traceback

package.path, package.cpath = "lua/?.lua;?.lua", ""

-- ---- the host ----

host.command, host.scale, host.out, host.quiet, host.set = "run", "full", "build/data", false, {}
host.rank, host.ranks, host.sandboxed, host.build = 0, 1, true, "page"
host.sha256 = function() return "" end   -- of what the journal is told, and there is none

local PATIENCE = 0.5                     -- seconds before the first word on a phase
local EVERY = 0.1                        -- seconds from one to the next

local function duration(seconds)
  local s = math.tointeger((seconds + 0.5) // 1)
  if s < 60 then return s .. " s" end
  if s < 3600 then return string.format("%d min %02d s", s // 60, s % 60) end
  return string.format("%d h %02d min", s // 3600, s // 60 % 60)
end

--- The line that the terminal shows (csrc/host/replicates/run_progress.c).
local function progress_line(label, done, total, elapsed)
  local rate = done / elapsed
  return string.format("%s: %d of %d (%d%%), %." .. (rate >= 100 and 0 or rate >= 1 and 1 or 3) .. "f/s, %s%s", label,
    done, total, 100 * done // total, rate, duration(done == total and elapsed or (total - done) / rate),
    done == total and "" or " left")
end

--- Messages that are no text are those of the library: tables with `message`.
local function message_of(problem)
  if type(problem) == "table" and rawget(problem, "exit_code") then return rawget(problem, "message") or "" end
  return tostring(problem)
end

function host.replicate(spec)
  local deterministic, globals = require "vesicle.base.deterministic", require "vesicle.base.globals"
  local sources = require "vesicle.base.sources"
  local outer = deterministic.swap(nil)
  local label, start = spec.experiment .. " " .. spec.name, os.clock()
  local texts, shown = {}, start + PATIENCE - EVERY
  for i = 1, spec.n do
    local good, result = pcall(spec.one, i)
    if good then good, result = pcall(json, result) end
    if not good then
      error({ exit_code = 1, message = string.format("replicate %d of `%s` in %s (seed %d): %s", i, spec.name,
        spec.experiment, spec.seed, message_of(result)) }, 0)
    end
    texts[i] = result
    local now = os.clock()
    if not spec.quiet and (now - shown >= EVERY or i == spec.n and now - start >= PATIENCE) then
      tell("progress", progress_line(label, i, spec.n, now - start))
      shown = now
    end
  end
  deterministic.swap(outer)
  globals.replicate(nil)
  sources.replicate(false)
  return {
    get = function(_, i, field) return from_json(texts[i], field) end,
    inputs = function() return {} end,
  }, ""
end

function host.publish(_, name, files)
  for _, file in ipairs(files) do tell("file", name .. "/" .. file[1], file[2]) end
end

function host.list(dir) return nil, dir .. ": cannot be listed in a page" end

--- Plots: the page draws them, when the script has ended, by the gnuplot that draws the figures.
function host.gnuplot(commands)
  if commands:find("^set terminal p%l+cairo") then return nil, "a page saves a plot as .svg" end
  tell("plot", (commands:gsub("^set terminal window persist", "set terminal svg dynamic background rgb 'white'")))
  return ""
end

package.preload["vesicle.base.host"] = function() return host end

--- vesicle.base.sources without a journal: it keeps replicates from reading what is no part of an experiment.
package.preload["vesicle.base.sources"] = function()
  local replicating = false
  local sources = { open = io.open }
  function sources.replicate(on) replicating = on ~= false end
  function sources.refuse(what)
    if replicating then error("a replicate cannot read " .. what .. ": read it before E:replicate", 3) end
  end
  function sources.mark() return 0 end
  function sources.since() return "" end
  function sources.code() return "" end
  function sources.files() return {}, {} end
  for _, name in ipairs { "note", "fact", "hear", "take", "ask", "check_time" } do sources[name] = function() end end
  return sources
end

-- ---- requests ----

--- What the page shows of an error: the message, its place, and a hint if the library has one.
local function explain(problem, script)
  local message = message_of(problem)
  local first, pattern = message:match("^(.-)\nstack traceback:") or message, script:gsub("%W", "%%%0")
  local line = first:match(pattern .. ":(%d+):") or message:match(pattern .. ":(%d+):")
  local known, hint = pcall(require("vesicle.base.hints").of_script, first)
  return { error = { message = first .. (known and hint and "\n" .. hint or ""), file = script,
    line = line and math.tointeger(line) or nil, exit_code = type(problem) == "table" and problem.exit_code or nil } }
end

local function traced(problem)
  if type(problem) == "table" then return problem end
  return traceback(tostring(problem), 2)
end

--- What a script finds before it starts, as in the program's sandbox.
local function prepare(script)
  require("vesicle.base.deterministic").install()
  require("vesicle.base.globals").watch()
  debug, package.loaded.debug = nil, nil -- luacheck: ignore
  rawset(_G, "arg", { [0] = script })
  host.script = script
end

--- A global that a script has made by mistake, as the program tells of it.
local function advise()
  local advice = require("vesicle.base.globals").report()
  if advice then io.stderr:write("vesicle: ", advice, "\n") end
end

local answers = {}

--- An experiment: { name, scale, seed, set = texts "key=value" }; the script is a file by now.
function answers.run(request)
  local script = "lua/experiments/" .. request.name .. ".lua"
  host.scale, host.seed, host.set = request.scale, request.seed, request.set
  prepare(script)
  local chunk, why = loadfile(script, "t")
  if not chunk then return explain(why, script) end
  local good, problem = xpcall(chunk, traced)
  if good and host.ended then good, problem = pcall(host.ended) end
  if not good then return explain(problem, script) end
  advise()
  return {}
end

--- A chunk of one's own: { source, name, seed, scale, json } -> { value }, what it returns; with json = false a value
--- that has no such text is left out, instead of being an error. If it makes an experiment, that is run at the scale.
function answers.eval(request)
  local name = request.name
  host.scale, host.seed = request.scale or "full", request.seed
  if not host.script then
    prepare(name)
    local ves = require "vesicle"
    local plot = require "vesicle.prompt.plot"
    plot.window = function() return "window" end
    rawset(_G, "ves", ves)
    local seed = request.seed or require("vesicle.base.deterministic").default_seed
    rawset(_G, "rng", ves.rng(seed):stream("prompt"))
  end
  host.code = request.source
  local chunk, why = load(request.source, "=" .. name, "t")
  if not chunk then return explain(why, name) end
  local results = table.pack(xpcall(chunk, traced))
  if not results[1] then return explain(results[2], name) end
  if host.ended then
    local good, problem = pcall(host.ended)
    if not good then return explain(problem, name) end
  end
  if host.declared then advise() end
  if results[2] == nil then return {} end
  local good, problem = pcall(json, results[2])
  if good then return { value = results[2] } end
  return request.json == false and {} or explain(problem, name)
end

return function(text)
  local request = from_json(text)
  local good, answer = pcall(answers[request["do"]], request)
  if not good then answer = { error = { message = message_of(answer) } } end
  return json(answer)
end
