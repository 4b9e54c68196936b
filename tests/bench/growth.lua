-- growth: time and memory as things grow: `lua5.4 tests/bench/growth.lua BUILD`.
--
-- Every point is a process of its own, so that its peak memory is its own too: a primitive at one size (point.lua),
-- many tiny replicates (tiny.lua), or the reference job on more workers and on more ranks (replicates.lua). Writes
-- BUILD/bench/growth.tsv: seconds of one operation and the units of work in it, so that what should be flat is
-- seconds / units. Time of replicates is that of the wall, times the cores that could work at them.

local build = arg[1] or "build"
local dir = build .. "/bench"

local function output_of(command)
  local pipe <close> = assert(io.popen(command, "r"))
  return pipe:read("a")
end

local cores = tonumber(output_of("nproc"))
local points = {}

local function point(what, variable, value, measure)
  points[#points + 1] = { what = what, variable = variable, value = value, measure = measure }
end

-- ---- primitives ----

local function primitive(what, variable, values)
  for _, value in ipairs(values) do
    point(what, variable, value, function()
      local text = output_of(string.format("POINT='%s %s %d' %s/vesicle run --trust --quiet tests/bench/point.lua",
        what, variable, value, build))
      local seconds, units, kilobytes = text:match("^(%S+)\t(%d+)\t(%d+)\n$")
      return assert(tonumber(seconds), text), tonumber(units), tonumber(kilobytes)
    end)
  end
end

for _, what in ipairs { "mapping", "draw", "learning", "amplitude", "sites", "stages", "chain", "spikes" } do
  primitive(what, "outputs", { 100, 1000, 10000, 100000 })
end
primitive("draw", "inputs", { 1, 2, 4, 8, 16, 32, 64 })
primitive("observe", "inputs", { 1, 2, 4, 8, 16, 32, 64 })
primitive("observe", "rows", { 1000, 10000, 100000, 1000000, 10000000 })

-- ---- replicates ----

--- Seconds of the wall and peak kilobytes of the largest process: of two runs that compute everything, the shorter.
local function wall(turns, start, ...)
  local best, most = math.huge, 0
  local command = string.format(...)
  for _ = 1, turns do
    os.execute(string.format("rm -rf '%s/replicates'", dir))
    local text = output_of(string.format("command time -f '%%e %%M' %s %s --quiet --out '%s/replicates' 2>&1 "
      .. ">/dev/null", start, command, dir))
    local seconds, kilobytes = text:match("(%S+) (%d+)\n$")
    if not seconds or text:find("exited with non-zero status", 1, true) then error(command .. " failed: " .. text) end
    best, most = math.min(best, tonumber(seconds)), math.max(most, tonumber(kilobytes))
  end
  os.execute(string.format("rm -rf '%s/replicates'", dir))
  return best, most
end

for _, n in ipairs { 100, 1000, 10000, 100000, 1000000 } do
  point("replicate", "replicates", n, function()
    local turns, job = n < 1e5 and 3 or 1, "run tests/bench/tiny.lua --set replicates=%d"
    local seconds, kilobytes = wall(turns, build .. "/vesicle", job, n)
    return seconds * math.min(cores, n), n, kilobytes
  end)
end

local jobs = 64
for _, n in ipairs { 1, 2, 4, 8 } do
  point("reference job", "workers", n, function()
    local job = "run tests/bench/replicates.lua --set replicates=%d --jobs %d"
    local seconds, kilobytes = wall(2, build .. "/vesicle", job, jobs, n)
    return seconds * math.min(cores, n), jobs, kilobytes
  end)
end

local mpi = os.execute("command -v mpirun >/dev/null && test -x " .. build .. "/vesicle-mpi")
if not mpi then print("ranks are left out: needs openmpi-bin and libopenmpi-dev (make deps-bench)") end
for _, n in ipairs(mpi and { 1, 2, 4, 8 } or {}) do
  point("reference job", "ranks", n, function()
    local start = "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 "
      .. "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe "
      .. string.format("mpirun -n %d %s/vesicle-mpi", n, build)
    local seconds, kilobytes = wall(2, start, "run tests/bench/replicates.lua --set replicates=%d", jobs)
    return seconds * math.min(cores, n), jobs, kilobytes
  end)
end

-- ---- all of them ----

local function per_unit(seconds)
  if seconds < 1e-6 then return string.format("%.2f ns", 1e9 * seconds) end
  if seconds < 1e-3 then return string.format("%.2f us", 1e6 * seconds) end
  return string.format("%.2f ms", 1e3 * seconds)
end

local file = assert(io.open(dir .. "/growth.tsv.part", "w"))
file:write("# seconds of one operation on one core, least of several; units of work in it; peak memory of the largest ",
  "process; ", cores, " cores\nwhat\tvariable\tvalue\tseconds\tunits\tkilobytes\n")
print(string.format("%-14s %-11s %9s %14s %14s", "what", "variable", "value", "time per unit", "peak memory"))
for _, p in ipairs(points) do
  local seconds, units, kilobytes = p.measure()
  file:write(string.format("%s\t%s\t%d\t%.9g\t%d\t%d\n", p.what, p.variable, p.value, seconds, units, kilobytes))
  print(string.format("%-14s %-11s %9d %14s %11.1f MB", p.what, p.variable, p.value, per_unit(seconds / units),
    kilobytes / 1024))
end
file:close()
assert(os.rename(dir .. "/growth.tsv.part", dir .. "/growth.tsv"))
