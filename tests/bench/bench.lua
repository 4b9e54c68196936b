-- bench: the reference job by this project and by the strongest programs of other kinds, side by side.
--
--   lua5.4 tests/bench/bench.lua BUILD TURNS
--
-- The programs (programs.lua) take turns of about the same length, so that whatever else the machine does falls on
-- all of them alike; in its turn, about a second, a program does the job again and again. Each phase's time is the
-- minimum over all, or, of "vesicle, first", over the first round of each process, which also pays for fresh memory.
-- Times are those of the processor. Before any time is believed the programs must agree: the same job with different
-- random numbers gives the same evidence, mean releases and sample spreads up to sampling error; the bound must have
-- our very bits. Writes BUILD/bench/reference.tsv and BUILD/bench/layers.tsv, and ends with a table and a plot.

local build, turns = arg[1] or "build", tonumber(arg[2] or "3")
-- The amplitude rule is no part of the whole, and not every program has it.
local phases = { "evidence", "mapping", "learning", "sampling", "whole", "amplitude" }

local function succeeds(command) return (os.execute(command .. " >/dev/null")) end

--- The times of each round of a program, and what it is checked by.
local function run(program, seed)
  local command = string.format(program.command, seed)
  local pipe <close> = assert(io.popen(command, "r"))
  local rounds, checks = { {} }, {}
  for line in pipe:lines() do
    local name, value = line:match("^check\t(%S+)\t(%S+)$")
    if name then
      checks[name] = tonumber(value)
    else
      name, value = line:match("^(%S+)\t(%S+)$")
      if name and rounds[#rounds][name] then rounds[#rounds + 1] = {} end
      if name then rounds[#rounds][name] = tonumber(value) end
    end
  end
  if not pipe:close() or not next(rounds[1]) or not next(checks) then error(program.name .. " failed: " .. command) end
  for _, times in ipairs(rounds) do
    if times.data then
      times.whole = times.data + times.evidence + times.mapping + times.learning + times.sampling
    end
  end
  return rounds, checks
end

local function keep_least(best, times)
  for name, seconds in pairs(times) do best[name] = math.min(best[name] or math.huge, seconds) end
end

-- ---- measure ----

local present = {}
for _, p in ipairs(require "programs"(build)) do
  if p.probe and not succeeds(p.probe) then
    print(string.format("%s is left out: needs %s (make deps-bench)", p.name, p.missing))
  else
    present[#present + 1] = p
    p.best, p.first, p.sums = {}, {}, {}
  end
end
for turn = 1, turns do
  for _, p in ipairs(present) do
    io.stderr:write(string.format("\rturn %d of %d: %-16s", turn, turns, p.name))
    local rounds, checks = run(p, turn)
    for _, times in ipairs(rounds) do keep_least(p.best, times) end
    keep_least(p.first, rounds[1])
    for name, value in pairs(checks) do p.sums[name] = (p.sums[name] or 0) + value end
  end
end
io.stderr:write("\r", string.rep(" ", 40), "\r")

-- ---- agree ----

-- How far two runs of correct programs may differ by chance, relative: six standard deviations of one run, from sixty
-- runs of the best C program. Means over turns differ by less.
local width = { evidence = 0.006, analytic = 0.002, learned = 0.010, strongest = 0.16, amplitude = 0.005,
                sd1 = 1.05, sd6 = 1.0 }
local ours, agree, checked = present[1], true, 0
for _, p in ipairs(present) do
  for name, sum in pairs(p.sums) do
    local mean, reference = sum / turns, ours.sums[name] / turns
    local allowed = (width[name] or 0.25) * reference * math.sqrt(2 / turns)
    local near = math.abs(mean - reference) <= allowed -- not so of what is no number
    if not p.wrong and not near then
      agree = false
      print(string.format("%s disagrees on %s: %g, expected %g +/- %g", p.name, name, mean, reference, allowed))
    end
  end
  if not p.wrong then checked = checked + 1 end
end
if not agree then os.exit(1) end

-- ---- record ----

local versions = {}
for _, p in ipairs(present) do
  if p.version then
    local pipe <close> = assert(io.popen(p.version, "r"))
    versions[#versions + 1] = p.name .. " " .. pipe:read("a"):match("%d[%w.]*")
  end
end
local file = assert(io.open(build .. "/bench/reference.tsv", "w"))
file:write("# ", table.concat(versions, ", "), "\n")
file:write("# reference job, seconds of the processor, minimum over ", turns, " interleaved turns of about the same ",
  "length; ratio: time over vesicle's\nprogram\tkind\tphase\tseconds\tratio\n")
for _, p in ipairs(present) do
  for _, phase in ipairs(phases) do
    if p.best[phase] then
      file:write(string.format("%s\t%s\t%s\t%.9g\t%.4g\n", p.name, p.kind, phase, p.best[phase],
        p.best[phase] / ours.best[phase]))
    end
  end
end
for _, phase in ipairs(phases) do
  file:write(string.format("vesicle, first\tours\t%s\t%.9g\t%.4g\n", phase, ours.first[phase],
    ours.first[phase] / ours.best[phase]))
end
file:close()

-- ---- what Lua costs ----

-- In instructions, because times of two programs are never alike to a few percent: the job from Lua, less a script that
-- only loads the module, against the job by the core alone.
local function instructions(command)
  local pipe <close> = assert(io.popen("BENCH_SECONDS=0 valgrind --tool=callgrind --callgrind-out-file=/dev/null "
    .. command .. " 2>&1 >/dev/null", "r"))
  return tonumber(pipe:read("a"):match("Collected : (%d+)")) or error("valgrind counted nothing: " .. command)
end

local lua_share
if succeeds("valgrind --version 2>&1") then
  io.stderr:write("counting instructions")
  local empty = build .. "/bench/empty.lua"
  local script = assert(io.open(empty, "w"))
  script:write('require "vesicle"\n')
  script:close()
  local vesicle = build .. "/vesicle run --trust --quiet --seed 1 "
  local from_lua = instructions(vesicle .. "tests/bench/job.lua") - instructions(vesicle .. empty)
  local core = instructions(build .. "/bench/core 1")
  os.remove(empty)
  file = assert(io.open(build .. "/bench/layers.tsv", "w"))
  file:write("# instructions of two rounds of the reference job, from Lua and by the C core alone\n")
  file:write("what\tinstructions\n")
  file:write(string.format("from Lua\t%d\ncore alone\t%d\n", from_lua, core))
  file:close()
  lua_share = 100 * (1 - core / from_lua)
  io.stderr:write("\r", string.rep(" ", 40), "\r")
end

-- ---- report ----

print(string.format("\nOne replicate, one core: milliseconds of this project, and time of the others over\n"
  .. "its. Minimum over %d turns; %d programs agree on evidence, releases and spreads.\n", turns, checked))
local function line(name, cell)
  local cells = { string.format("%-16s", name) }
  for _, phase in ipairs(phases) do cells[#cells + 1] = string.format("%10s", cell(phase)) end
  print(table.concat(cells))
end
line("", function(phase) return phase end)
for i, p in ipairs(present) do
  line(p.name, function(phase)
    if not p.best[phase] then return "" end
    if i == 1 then return string.format("%.2f ms", 1e3 * p.best[phase]) end
    return string.format("%.2f", p.best[phase] / ours.best[phase])
  end)
end
print(string.format("\nThe first round of a process takes %.2f ms: evidence %.2f, sampling %.2f.",
  1e3 * ours.first.whole, 1e3 * ours.first.evidence, 1e3 * ours.first.sampling))
print("The amplitude rule, on the same weights, is no part of the whole.")
print("The bound only learns, with our random bits; without ties it is wrong, and timed to see their cost.")
if lua_share then print(string.format("The Lua layer has %.1f%% of the instructions.", lua_share)) end
if succeeds("gnuplot --version 2>&1") then
  io.stdout:flush()
  os.execute(string.format("gnuplot -d -e \"reference='%s/bench/reference.tsv'\" tests/bench/bench.gp", build))
end
