--- # Cost
---
--- What does it take to ask a question of this model? The reference job is one replicate of the first network
--- simulation: 4,000 rows of data encoded and accumulated [eq:evidence], the analytic mapping [eq:mapping],
--- Algorithm 2 on all 100 rows [alg:2], then 1,000 draws at each of five inputs with both release matrices
--- [alg:sample]. It was run by this project from Lua and by the programs one would write instead: NumPy and R,
--- both vectorised over the rows of the network, and plain C with GSL's generator, the listings of the original
--- followed to the letter.
---
--- Times belong to a machine and a day, so nothing is measured here: this chapter reads tables that
--- `make bench-record` wrote and that are kept with their date. `make bench` measures again, all programs taking
--- turns in one run, each phase by its minimum over the turns, after checking that they agree on evidence,
--- releases and spreads. In its turn, a few seconds, a program does the job again and again, as one that runs many
--- replicates would; what the first takes, in a process with fresh memory, is told apart.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "16_cost", title = "what a replicate costs",
  params = {
    million = { 1e6, about = "replicates of the projection" },
  },
}
local P = E.params
local folder = (arg[0]:match("^(.*)/") or ".") .. "/data/"

--- The rows of a recorded table, and the line that says when and where it was measured.
local function recorded(name)
  local columns, info = ves.read_table(folder .. "cost_" .. name .. ".tsv")
  local rows = {}
  for i = 1, info.rows do
    rows[i] = {}
    for _, column in ipairs(info.columns) do rows[i][column] = columns[column][i] end
  end
  return rows
end

--- ## The reference job, side by side
---
--- Ratios above one mean that the other program takes longer.

local reference, seconds, ratio = recorded "reference", {}, {}
for _, r in ipairs(reference) do
  seconds[r.program] = seconds[r.program] or {}
  ratio[r.program] = ratio[r.program] or {}
  seconds[r.program][r.phase], ratio[r.program][r.phase] = r.seconds, r.ratio
end

local phases = { "evidence", "mapping", "learning", "sampling", "whole" }
local function of(times) return stats.collect(phases, function(phase) return times[phase] end) end
local ms, c, numpy, in_r = 1e3 * of(seconds.vesicle), of(ratio.C), of(ratio.NumPy), of(ratio.R)
E:table("reference", { { "phase", "part of the reference job", phases },
  { "milliseconds", "this project, from Lua, one core", ms }, { "c", "time of the C program over ours", c },
  { "numpy", "time of the NumPy program over ours", numpy }, { "r", "time of the R program over ours", in_r } })
for k, names in ipairs {
  { "CostMsEvidence", "CostCEvidence", "CostNumpyEvidence", "CostREvidence" },
  { "CostMsMapping", "CostCMapping", "CostNumpyMapping", "CostRMapping" },
  { "CostMsLearning", "CostCLearning", "CostNumpyLearning", "CostRLearning" },
  { "CostMsSampling", "CostCSampling", "CostNumpySampling", "CostRSampling" },
  { "CostMsWhole", "CostCWhole", "CostNumpyWhole", "CostRWhole" },
} do
  E:number(names, { ms[k], c[k], numpy[k], in_r[k] }, nil, { digits = 2 })
end

E:number("CostMsFirst", 1e3 * seconds["vesicle, first"].whole, nil, { digits = 2 })
E:number("CostCFirstEvidence", seconds.C.evidence / seconds["vesicle, first"].evidence, nil, { digits = 2 })
E:number("CostCFirstSampling", seconds.C.sampling / seconds["vesicle, first"].sampling, nil, { digits = 2 })

--- The same job by the C core alone, without Lua, tells what the language, the checks of arguments and the garbage
--- collector cost: their share of the instructions, counted by callgrind.

local instructions = {}
for _, r in ipairs(recorded "layers") do instructions[r.what] = r.instructions end
E:number("CostLuaPercent", 100 * (1 - instructions["core alone"] / instructions["from Lua"]), nil, { digits = 2 })

--- An experiment also analyses what it has simulated. Its share of Lua, interpreter and collector together, is counted
--- by the samples of a clock; that of all experiments together is what a reader of this supplement pays for scripts.

local shares, spent, in_lua, longest = {}, 0.0, 0.0, 0.0
for i, r in ipairs(recorded "share") do
  shares[i] = { r.experiment, r.seconds, r.lua, r.kernels, r.libc, r.system }
  spent, in_lua = spent + r.seconds, in_lua + r.seconds * r.lua
  if r.seconds > 5 then longest = math.max(longest, r.lua) end
end
E:table("share", { { "experiment", "at full scale, one core" }, { "seconds", "of processor time" },
  { "lua", "percent in Lua and its collector" },
  { "kernels", "percent in this project's C and the numerical libraries" }, { "libc", "percent in the C library" },
  { "system", "percent in the operating system" } }, shares)
E:number("CostLuaExperiments", in_lua / spent, nil, { digits = 2 })
E:number("CostLuaLongest", longest, nil, { digits = 2 })

--- ## Growth
---
--- Seconds per operation as a layer gets more outputs, as data get more rows, and as more inputs are active at once.

local growth, at = {}, {}
for i, r in ipairs(recorded "scaling") do
  growth[i] = { r.what, r.variable, r.value, r.seconds }
  at[r.what .. "/" .. r.variable .. "/" .. math.tointeger(r.value)] = r.seconds
end
table.sort(growth, function(a, b)
  if a[1] ~= b[1] then return a[1] < b[1] end
  if a[2] ~= b[2] then return a[2] < b[2] end
  return a[3] < b[3]
end)
E:table("growth", { { "what", "operation" }, { "variable", "what grows" }, { "value", "its size" },
  { "seconds", "seconds per operation" } }, growth)

--- The random bits of one iteration of Algorithm 2 cost a byte per synapse, and drawing the mask is a floor under any
--- implementation: an iteration in which nothing can transmit measures it.

local outputs, most_rows = 100, 40000000
E:number("CostOutputs", outputs, nil, { digits = 3 })
E:number("CostRowsMost", most_rows, nil, { digits = 1 })
E:number("CostNsDraw", 1e9 * at["draw/outputs/" .. outputs], nil, { digits = 2 })
E:number("CostNsIteration", 1e9 * at["learning iteration/outputs/" .. outputs], nil, { digits = 2 })
E:number("CostNsIterationWide", 1e9 * at["learning iteration/outputs/10000"], nil, { digits = 2 })
E:number("CostSecondsRows", at["evidence/rows/" .. most_rows], nil, { digits = 2 })
E:number("CostNsMask", 1e9 * at["mask alone/outputs/" .. outputs], nil, { digits = 2 })

--- ## Replicates
---
--- Two workers against one on the reference job, and the peak memory of the largest process.

local wall, kilobytes, most = {}, {}, 0
local engine = {}
for i, r in ipairs(recorded "workers") do
  engine[i] = { r.what, r.jobs, r.replicates, r.seconds, r.kilobytes }
  if r.what == "reference job" then wall[math.tointeger(r.jobs)] = r.seconds / r.replicates end
  kilobytes[#kilobytes + 1] = r.kilobytes
  most = math.max(most, r.replicates)
end
E:table("engine", { { "what", "job" }, { "jobs", "worker processes" }, { "replicates", "replicates computed" },
  { "seconds", "wall time" }, { "kilobytes", "peak memory of the largest process" } }, engine)

E:number("CostWorkers", wall[1] / wall[2], nil, { digits = 3 })
E:number("CostMegabytes", ves.vector(kilobytes):max() / 1024, nil, { digits = 2 })
E:number("CostReplicatesMost", most, nil, { digits = 2 })

--- A million replicates on two cores, if each costs what these did: a projection, not a measurement.

E:number("CostMillionHours", P.million * wall[2] / 3600, nil, { digits = 2 })

--- ## In words
---
--- One replicate of the reference job takes \CostMsWhole ms on one core from Lua (\CostMsFirst ms the first time in a
--- process), \CostMsLearning ms of it learning. Plain C takes \CostCWhole times as long, NumPy \CostNumpyWhole times
--- and R \CostRWhole times. Of the instructions \CostLuaPercent% are those of the Lua layer; of the time of all
--- experiments Lua takes \CostLuaExperiments%. An iteration of learning costs \CostNsIteration ns at \CostOutputs
--- outputs, of which drawing the mask alone takes \CostNsMask ns: the rest is the arithmetic of the synapses that
--- transmit. Streaming \CostRowsMost rows into the evidence takes \CostSecondsRows s. No process needs more than
--- \CostMegabytes MB for up to \CostReplicatesMost replicates, and a million of them would take \CostMillionHours
--- hours on two cores.

E:finish()
