-- judges: is there a verdict that no error of the model could change?
--
-- Each experiment is run at quick scale, once as it is and once for every error that its statements name in `breaks`
-- (tests/lua/breaks.lua). For each statement some verdict must then be another one. A statement that names no error is
-- reported too; what is so by definition needs none. Cells of the repaired model are judged by the criteria that the
-- committed ledger has for their statements. A run with an error ends as soon as it has shown what it was made for:
-- every statement that names the error has another verdict, or all its cells. Arguments: names of experiments, or none
-- for all.
--
--     vesicle run --trust tests/lua/judges.lua --set experiments=06_variance_components

local ves = require "vesicle"
local deterministic = require "vesicle.base.deterministic"
local ex = require "vesicle.experiment"
local host = require "vesicle.base.host"
local ledger = require "vesicle.experiment.ledger"
local errors = require "breaks"

host.replicate = nil -- in this process, without a journal: what a patch changes is not in the key of one

-- ---- patches ----

local undo = {}

local function replace(t, key, make)
  local old = t[key]
  assert(old ~= nil, "there is no function " .. tostring(key))
  undo[#undo + 1] = function() t[key] = old end
  t[key] = make(old)
end

local code = ves.code { n = 2, lo = 0, hi = 1, sigma = 1 }
local net = ves.network { input = code, output = code, rng = ves.rng(1) }
local classes = { code = debug.getmetatable(code), network = debug.getmetatable(net),
                  stream = debug.getmetatable(ves.rng(1)), chain = debug.getmetatable(ves.chain { net }) }

local function method(class, name, make)
  replace(classes[class], "__index", function(index)
    return function(self, key)
      local value = index(self, key)
      if key == name then return make(value) end
      return value
    end
  end)
end

local function restore()
  for i = #undo, 1, -1 do
    undo[i]()
    undo[i] = nil
  end
end

-- ---- one run ----

--- What the library keeps of a run is forgotten, so that a patch reaches all of it.
local function fresh()
  for name in pairs(package.loaded) do
    if name:find("^vesicle%.model%.") or name == "vesicle.pmf" then package.loaded[name] = nil end
  end
end

-- What the committed ledger has of each statement but the repaired model's cells.
local recorded = {}
for _, row in ipairs(ledger.file("docs/ledger.tsv")) do
  if row.whose ~= "repaired" then recorded[#recorded + 1] = row end
end

local function judged(rows)
  local all, own = table.move(rows, 1, #rows, 1, {}), {}
  for _, row in ipairs(rows) do if row.whose ~= "repaired" then own[row.id] = true end end
  for _, row in ipairs(recorded) do if not own[row.id] then all[#all + 1] = row end end
  local good, why = pcall(ledger.complete, all)
  if not good then return nil, type(why) == "table" and why.message or tostring(why) end
  return rows
end

local real_new = ex.new
local enough = {} -- raised to end a run

--- Calls seen() whenever the experiment has made a statement.
local function watch(E, seen)
  for _, name in ipairs { "statement", "statements", "own", "further", "repaired" } do
    local add = E[name]
    rawset(E, name, function(...)
      local outcome = add(...)
      seen()
      return outcome
    end)
  end
end

--- The lines of the ledger of an experiment with an error of the model, or nil and why it could not be run. With
--- `asked`, of some statements only: asked(rows) picks those lines, and says whether the rest can be left out.
local function run(name, broken, asked)
  local rows
  ex.new = function(spec)
    local set = {}
    for key, value in pairs(errors.shrink[name] or {}) do set[#set + 1] = key .. "=" .. value end
    local E = real_new(spec, { scale = "quick", set = set, out = os.tmpname(), quiet = true, command = "run" })
    rawset(E, "finish", function(self) rows = asked and asked(self.ledger) or self.ledger end)
    if asked then
      watch(E, function()
        local some, all = asked(E.ledger)
        if all then
          rows = some
          error(enough, 0)
        end
      end)
    end
    return E
  end
  fresh()
  if broken then errors.breaks[broken](replace, method) end
  deterministic.swap(ves.rng(1):stream("judges", name))
  local path = "lua/experiments/" .. name .. ".lua"
  rawset(arg, 0, path) -- beside it are its data
  local good, why = pcall(dofile, path)
  restore()
  ex.new = real_new
  if not good and why ~= enough then return nil, type(why) == "table" and why.message or tostring(why) end
  return judged(rows)
end

-- ---- all of them ----

local failed, passed, seconds = 0, 0, {}

local function say(good, text)
  if good then passed = passed + 1 else failed = failed + 1 end
  print((good and "ok " or "not ok ") .. text)
end

local function name_of(row) return row.id .. "/" .. row.reading end

--- What a run that is to change verdicts of these statements is asked, given the lines without the error. Cells of the
--- repaired model have no verdict yet.
local function change_of(ids, plain)
  local before, cells, left = {}, 0, 0
  for _, row in ipairs(plain) do
    if ids[row.id] then before[name_of(row)], cells = row.verdict, cells + 1 end
  end
  for _ in pairs(ids) do left = left + 1 end
  return function(rows)
    local some, changed, count = {}, {}, 0
    for _, row in ipairs(rows) do
      if ids[row.id] then
        some[#some + 1] = row
        local verdict = before[name_of(row)]
        if row.whose ~= "repaired" and verdict and row.verdict ~= verdict and not changed[row.id] then
          changed[row.id], count = true, count + 1
        end
      end
    end
    return some, count == left or #some == cells
  end
end

local function check(name)
  local started = os.clock()
  local plain, why = run(name)
  if not plain then return say(false, name .. ": " .. why) end
  local by_break, order, changed = {}, {}, {}
  for _, row in ipairs(plain) do
    local key = row.id
    if row.whose == "repaired" and row.verdict == "NA" then
      say(false, string.format("%s/%s in %s: docs/ledger.tsv has no such statement", key, row.reading, name))
    end
    if row.kind ~= "definition" and row.verdict ~= "NA" then
      if row.breaks == "NA" then
        say(false, string.format("%s/%s in %s names no error that would change it (`breaks`)", key, row.reading, name))
      elseif not errors.breaks[row.breaks] then
        say(false, string.format("%s in %s: tests/lua/breaks.lua has no `%s`", key, name, row.breaks))
      else
        if not by_break[row.breaks] then
          by_break[row.breaks] = {}
          order[#order + 1] = row.breaks
        end
        by_break[row.breaks][key] = true
      end
    end
  end
  for _, broken in ipairs(order) do
    local rows, problem = run(name, broken, change_of(by_break[broken], plain))
    local verdicts = {}
    for _, row in ipairs(rows or {}) do verdicts[name_of(row)] = row.verdict end
    for _, row in ipairs(plain) do
      local now = verdicts[name_of(row)]
      if by_break[broken][row.id] and now ~= row.verdict then changed[row.id] = true end
    end
    if problem then say(false, string.format("%s cannot be run with %s: %s", name, broken, problem)) end
    for id in pairs(rows and by_break[broken] or {}) do
      say(changed[id], string.format("%s in %s: %s changes %s verdict", id, name, broken, changed[id] and "a" or "no"))
    end
  end
  seconds[#seconds + 1] = string.format("%s %.1f s", name, os.clock() - started)
end

local asked = {}
for _, setting in ipairs(host.set or {}) do
  for name in (setting:match("^experiments=(.*)$") or ""):gmatch("[^,]+") do asked[#asked + 1] = name end
end
if #asked == 0 then
  for _, file in ipairs(host.list("lua/experiments")) do asked[#asked + 1] = file:match("^(.*)%.lua$") end
end
for _, name in ipairs(asked) do
  local file <close> = assert(io.open("lua/experiments/" .. name .. ".lua"))
  local text = file:read("a")
  if text:find("E:statement") or text:find("E:own") or text:find("E:further") or text:find("E:repaired") then
    check(name)
  end
end
print(table.concat(seconds, ", "))
print(string.format("%d passed, %d failed", passed, failed))
os.exit(failed == 0)
