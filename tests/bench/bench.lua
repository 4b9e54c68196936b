-- bench: the reference job by this project and by the programs one would write instead, side by side.
--
--   lua5.4 tests/bench/bench.lua BUILD REPEATS
--
-- The programs take turns of about the same length, so that whatever else the machine does falls on all of them alike:
-- the others do the job three times in a turn, this project thirty times. Each phase's time is the minimum over all,
-- or, of "vesicle, first", over the first of each process, which also pays for fresh memory. Times are those of the
-- processor. Before any time is believed the programs must agree: the same job with different random numbers gives the
-- same evidence, mean releases and sample spreads up to sampling error. Writes BUILD/bench/reference.tsv. "core" is
-- this project's C core without Lua: the rest of the time is what Lua costs.

local build, repeats = arg[1] or "build", tonumber(arg[2] or "5")
local phases = { "evidence", "mapping", "learning", "sampling" }

local programs = {
  { name = "vesicle", command = build .. "/vesicle run tests/bench/job.lua --seed %d" },
  { name = "core", command = build .. "/bench/core %d" },
  { name = "C", needs = build .. "/bench/peer_c", command = build .. "/bench/peer_c %d" },
  { name = "NumPy", probe = "/usr/bin/python3 -c 'import numpy' 2>&1", missing = "python3-numpy",
    command = "OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 /usr/bin/python3 tests/bench/peer_numpy.py %d" },
  { name = "R", probe = "Rscript --version 2>&1", missing = "r-base-core",
    command = "OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 Rscript tests/bench/peer_r.R %d" },
}

local function succeeds(command) return (os.execute(command .. " >/dev/null")) end

local function run(program, seed)
  local pipe <close> = assert(io.popen(string.format(program.command, seed), "r"))
  local rounds, checks = {}, {}
  for line in pipe:lines() do
    local name, value = line:match("^check\t(%S+)\t(%S+)$")
    if name then
      checks[name] = tonumber(value)
    else
      name, value = line:match("^(%S+)\t(%S+)$")
      if name == "data" then rounds[#rounds + 1] = {} end
      if name then rounds[#rounds][name] = tonumber(value) end
    end
  end
  if #rounds == 0 then error(program.name .. " printed no times: " .. string.format(program.command, seed)) end
  for _, times in ipairs(rounds) do
    times.whole = times.data
    for _, phase in ipairs(phases) do times.whole = times.whole + times[phase] end
  end
  return rounds, checks
end

local function keep_least(best, times)
  for name, seconds in pairs(times) do best[name] = math.min(best[name] or math.huge, seconds) end
end

-- ---- measure ----

local present = {}
for _, p in ipairs(programs) do
  if p.probe and not succeeds(p.probe) then
    print(string.format("%s is left out: install %s to compare with it", p.name, p.missing))
  else
    present[#present + 1] = p
    p.best, p.first, p.sums = {}, {}, {}
  end
end
for turn = 1, repeats do
  for _, p in ipairs(present) do
    io.stderr:write(string.format("\rturn %d of %d: %-8s", turn, repeats, p.name))
    local rounds, checks = run(p, turn)
    for _, times in ipairs(rounds) do keep_least(p.best, times) end
    keep_least(p.first, rounds[1])
    for name, value in pairs(checks) do
      local s = p.sums[name] or { n = 0, sum = 0, squares = 0 }
      s.n, s.sum, s.squares = s.n + 1, s.sum + value, s.squares + value * value
      p.sums[name] = s
    end
  end
end
io.stderr:write("\r", string.rep(" ", 40), "\r")

-- ---- agree ----

-- Half-widths for one run, relative: how far two correct programs may differ by chance (about six standard deviations
-- of one run, from repeated runs of the C program), divided by the square root of the number of turns.
local width = { evidence = 0.03, analytic = 0.01, learned = 0.03 }
local ours, agree = present[1], true
for _, p in ipairs(present) do
  for name, s in pairs(p.sums) do
    local mean, reference = s.sum / s.n, ours.sums[name].sum / ours.sums[name].n
    local allowed = (width[name] or 0.8) * reference / math.sqrt(s.n) * math.sqrt(2)
    if math.abs(mean - reference) > allowed then
      agree = false
      print(string.format("%s disagrees on %s: %g, expected %g +/- %g", p.name, name, mean, reference, allowed))
    end
  end
end
if not agree then os.exit(1) end
print(string.format("%d programs agree on evidence, releases and spreads (%d turns each)\n", #present, repeats))

-- ---- report ----

local file = assert(io.open(build .. "/bench/reference.tsv", "w"))
file:write("# reference job, seconds, minimum over ", repeats, " interleaved turns of about the same length; ",
  "ratio: time over vesicle's\n")
file:write("program\tphase\tseconds\tratio\n")
local heads = { string.format("%-10s", "phase") }
for _, p in ipairs(present) do heads[#heads + 1] = string.format("%12s", p.name) end
print(table.concat(heads, " "))
for _, phase in ipairs { "evidence", "mapping", "learning", "sampling", "whole" } do
  local cells = { string.format("%-10s %9.2f ms", phase, 1e3 * ours.best[phase]) }
  for i, p in ipairs(present) do
    local ratio = p.best[phase] / ours.best[phase]
    file:write(string.format("%s\t%s\t%.9g\t%.4g\n", p.name, phase, p.best[phase], ratio))
    if i > 1 then cells[#cells + 1] = string.format("%11.1fx", ratio) end
  end
  file:write(string.format("vesicle, first\t%s\t%.9g\t%.4g\n", phase, ours.first[phase],
    ours.first[phase] / ours.best[phase]))
  print(table.concat(cells, " "))
end
file:close()
print(string.format("\nthe first round of a process: %.2f ms, evidence %.2f, sampling %.2f", 1e3 * ours.first.whole,
  1e3 * ours.first.evidence, 1e3 * ours.first.sampling))

-- ---- what Lua costs ----

-- In instructions, because times of two programs are never alike to a few percent: the job from Lua, less a script that
-- only loads the module, against the job by the core alone.
local function instructions(command)
  local pipe <close> = assert(io.popen("ROUNDS=1 valgrind --tool=callgrind --callgrind-out-file=/dev/null " .. command
    .. " 2>&1 >/dev/null", "r"))
  return tonumber(pipe:read("a"):match("Collected : (%d+)")) or error("valgrind counted nothing: " .. command)
end

if not succeeds("valgrind --version 2>&1") then
  print("\nvalgrind is missing: what Lua costs is left out")
  os.exit(0)
end
local empty = os.tmpname()
local script <close> = assert(io.open(empty, "w"))
script:write('require "vesicle"\n')
script:close()
local vesicle = build .. "/vesicle run --trust --quiet --seed 1 "
local from_lua = instructions(vesicle .. "tests/bench/job.lua") - instructions(vesicle .. empty)
local core = instructions(build .. "/bench/core 1 1")
os.remove(empty)
file = assert(io.open(build .. "/bench/layers.tsv", "w"))
file:write("# instructions of the reference job, from Lua and by the C core alone\nwhat\tinstructions\n")
file:write(string.format("from Lua\t%d\ncore alone\t%d\n", from_lua, core))
file:close()
print(string.format("\nthe Lua layer costs %.1f%% of the instructions", 100 * (1 - core / from_lua)))
