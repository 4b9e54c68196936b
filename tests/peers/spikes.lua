-- spikes: trials of the model in time for Brian 2 to repeat.
--
-- Groups of trials, each group with neurons, inhibition and weights of its own, none of them those of the tests. For
-- every trial the releases are written, and what this project makes of them: tests/peers/spikes_brian.py is fed the
-- same releases and compares. Writes params.tsv, releases.tsv and spikes.tsv to the folder --out.
local ves = require "vesicle"

local groups, trials, outputs, repeats = 10, 100, 20, 20
local folder = assert(arg[1], "expected a folder")
local root = ves.rng(20211118):stream("peer")

local function write(name, header, rows)
  local file = assert(io.open(folder .. "/" .. name .. ".tsv", "w"))
  file:write(table.concat(header, "\t"), "\n")
  for _, row in ipairs(rows) do
    for i, x in ipairs(row) do row[i] = string.format("%.17g", x) end
    file:write(table.concat(row, "\t"), "\n")
  end
  file:close()
end

local params, releases, spikes = {}, {}, {}
for g = 1, groups do
  local r = root:stream("group", g)
  local function between(lo, hi) return lo + (hi - lo) * r:uniform() end
  local full = g % 3 == 0
  local o = { membrane = between(8, 35), synapse = between(1, 8), decay = between(2, 15), refractory = between(1, 6),
              threshold = between(5, 20), delay = between(0.3, 3), window = 40 }
  if not full then o.strength = between(5, 60) end
  local w = 0.05 + 0.95 * r:uniform(outputs)
  local q = 0.2 + 0.8 * r:uniform(outputs)
  o.gain = 1.3 * o.threshold / w:min()
  local stream = root:stream("draws", g)
  for d = 1, trials do
    local transmits = ves.draw(w, q, { rng = stream, draw = d }).transmits
    for j = 1, outputs do releases[#releases + 1] = { g, d, j, transmits[j] * w[j] } end
    o.rng, o.draws, o.times = root:stream("draws", g), 1, { 0 }
    o.rng:seek(d - 1)
    local _, raster = ves.spike.rates(w, q, o)
    for s = 1, #raster.time do spikes[#spikes + 1] = { g, d, raster.output[s], raster.time[s] } end
  end
  o.times, o.draws = nil, trials
  local start = os.clock()
  for _ = 1, repeats do
    o.rng = root:stream("draws", g)
    ves.spike.sample(w, q, o)
  end
  params[g] = { g, o.membrane, o.synapse, o.decay, o.refractory, o.threshold, o.delay, o.strength or -1, o.gain,
                o.window, trials, outputs, (os.clock() - start) / repeats }
end
write("params", { "group", "membrane", "synapse", "decay", "refractory", "threshold", "delay", "strength", "gain",
                  "window", "trials", "outputs", "seconds" }, params)
write("releases", { "group", "trial", "output", "released" }, releases)
write("spikes", { "group", "trial", "output", "time" }, spikes)
