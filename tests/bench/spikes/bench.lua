-- bench: races by spikes, by this project and by the C programs of peer.c, side by side, and how their time grows.
--
--   lua5.4 tests/bench/spikes/bench.lua BUILD TURNS
--
-- The programs take turns; each one's time is the minimum over them, for one trial. Before any time is believed they
-- must agree: where on average the first spike is, when, and how many outputs fire, up to sampling error. Writes
-- BUILD/bench/spikes.tsv.

local build, turns = arg[1] or "build", tonumber(arg[2] or "5")
local peer = build .. "/bench/spikes_peer"
local programs = {
  { name = "vesicle",
    command = "N=%1$d TRIALS=%2$d " .. build .. "/vesicle run --trust --quiet tests/bench/spikes/job.lua --seed %3$d" },
  { name = "C, by events", command = peer .. " general %3$d %1$d %2$d" },
  { name = "C, this job alone", command = peer .. " bound %3$d %1$d %2$d" },
}
local sizes = { 50, 500, 5000, 50000 }
local work = 2e6 -- outputs times trials in a turn, fewer for the slowest

--- The command with its numbers: positions as in %1$d, which string.format does not know.
local function command_of(program, ...)
  local values = { ... }
  return (program.command:gsub("%%(%d)%$d", function(k) return string.format("%d", values[tonumber(k)]) end))
end

local function run(program, n, trials, seed)
  local command = command_of(program, n, trials, seed)
  local pipe <close> = assert(io.popen(command, "r"))
  local seconds, checks = nil, {}
  for line in pipe:lines() do
    local name, value = line:match("^check\t(%S+)\t(%S+)$")
    if name then checks[name] = tonumber(value) else seconds = seconds or tonumber(line:match("^seconds\t(%S+)$")) end
  end
  return seconds or error(program.name .. " printed no time: " .. command), checks
end

-- Half-widths for one run of 40,000 trials, relative: about six standard deviations of the difference of two.
local width = { outputs = 0, place = 0.02, square = 0.04, time = 0.5, fired = 0.05 }

local file = assert(io.open(build .. "/bench/spikes.tsv", "w"))
file:write("# races by spikes: seconds for one trial, minimum over ", turns, " interleaved turns; ",
  "ratio: time over vesicle's\n")
file:write("outputs\tprogram\tseconds\tratio\n")
print(string.format("%8s %14s %14s %18s", "outputs", "vesicle", programs[2].name, programs[3].name))
for _, n in ipairs(sizes) do
  local trials, best, sums = math.max(40, work // n), {}, {}
  for turn = 1, turns do
    for k, p in ipairs(programs) do
      io.stderr:write(string.format("\r%d outputs, turn %d of %d: %-20s", n, turn, turns, p.name))
      local seconds, checks = run(p, n, trials, turn)
      best[k], sums[k] = math.min(best[k] or math.huge, seconds), sums[k] or {}
      for name, value in pairs(checks) do sums[k][name] = (sums[k][name] or 0) + value / turns end
    end
  end
  io.stderr:write("\r", string.rep(" ", 60), "\r")
  for k, p in ipairs(programs) do
    for name, relative in pairs(width) do
      local allowed = relative * sums[1][name] * math.sqrt(40000 / trials / turns)
      if math.abs(sums[k][name] - sums[1][name]) > allowed then
        print(string.format("%s disagrees on %s at %d outputs: %g, expected %g +/- %g", p.name, name, n, sums[k][name],
          sums[1][name], allowed))
        os.exit(1)
      end
    end
    file:write(string.format("%d\t%s\t%.6g\t%.4g\n", n, p.name, best[k], best[k] / best[1]))
  end
  print(string.format("%8d %11.2f us %13.2fx %17.2fx", n, 1e6 * best[1], best[2] / best[1], best[3] / best[1]))
end
file:close()
