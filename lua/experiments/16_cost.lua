--- # Cost
---
--- What does it take to ask a question of this model? The reference job is one replicate of the first network
--- simulation: 4,000 rows of data encoded and accumulated [eq:evidence], the analytic mapping [eq:mapping], Algorithm
--- 2 on all 100 rows [alg:2], then 1,000 draws at each of five inputs with both release matrices [alg:sample]. It was
--- run by this project from Lua and by the strongest program of each kind that we could write. All of them sort the
--- weights once and look only at the members of a subset. NumPy and torch go over all rows at once, in single
--- precision, with random numbers of 16 bits; numba compiles loops; R is vectorised, and with Rcpp it calls the loops
--- of the best C program. That one has integer thresholds, xoshiro256 and loops that the compiler turns into vectors;
--- a variant of it draws its numbers by Philox, as this project does, whose every number has an address. A third C
--- program follows the listings of the original to the letter, with GSL's generator. A ratio against a weak program
--- is not a result.
---
--- Times belong to a machine and a day, so nothing is measured here: this chapter reads tables that
--- `make bench-record` wrote and that are kept with their date. `make bench` measures again, all programs taking
--- turns in one run on one core, each phase by its minimum over the turns, after checking that they agree on evidence,
--- releases and spreads. In its turn, about a second, a program does the job again and again, as one that runs many
--- replicates would; what the first takes, in a process with fresh memory, is told apart.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "16_cost", title = "what a replicate costs",
  params = {
    million = { 1e6, about = "replicates of the projection" },
    flat = { 2, about = "largest over smallest time per unit that counts as flat" },
  },
}
local P = E.params
local folder = (arg[0]:match("^(.*)/") or ".") .. "/data/"

--- The rows of a recorded table.
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
--- Ratios are the time of another program over ours: above one it takes longer, below one this project does.

local reference, seconds, ratio = recorded "reference", {}, {}
for _, r in ipairs(reference) do
  seconds[r.program] = seconds[r.program] or {}
  ratio[r.program] = ratio[r.program] or {}
  seconds[r.program][r.phase], ratio[r.program][r.phase] = r.seconds, r.ratio
end
local function measured(of, program)
  return of[program] or error("cost_reference.tsv has no " .. program .. ": make deps-bench bench-record", 2)
end

--- Of programs of one kind the one that is quicker over the whole.
local function quicker(one, other)
  return measured(ratio, one).whole <= measured(ratio, other).whole and one or other
end
local numpy = quicker("NumPy", "NumPy, OpenBLAS")

local phases = { "evidence", "mapping", "learning", "sampling", "whole" }
local function milliseconds(times) return 1e3 * stats.collect(phases, function(phase) return times[phase] end) end
E:number({ "CostMsEvidence", "CostMsMapping", "CostMsLearning", "CostMsSampling", "CostMsWhole" },
  milliseconds(seconds.vesicle), nil, { digits = 2 })

--- Each program with the names of its ratios: of learning, of the whole, and for some of the amplitude rule.
local peers = {
  { "C best", { "CostBestCLearning", "CostBestCWhole" }, "CostBestCAmplitude" },
  { "C best, Philox", { "CostPhiloxCLearning", "CostPhiloxCWhole" }, "CostPhiloxCAmplitude" },
  { "C literal", { "CostLiteralCLearning", "CostLiteralCWhole" }, "CostLiteralCAmplitude" },
  { "numba", { "CostNumbaLearning", "CostNumbaWhole" } },
  { numpy, { "CostNumpyLearning", "CostNumpyWhole" }, "CostNumpyAmplitude" },
  { "torch", { "CostTorchLearning", "CostTorchWhole" } },
  { "R, Rcpp", { "CostRcppLearning", "CostRcppWhole" } },
  { "R", { "CostRLearning", "CostRWhole" } },
}
local programs = {}
for i, peer in ipairs(peers) do
  local of = measured(ratio, peer[1])
  programs[i] = { peer[1], of.evidence, of.mapping, of.learning, of.sampling, of.whole }
  E:number(peer[2], { of.learning, of.whole }, nil, { digits = 2 })
end
E:table("reference", { { "program", "the strongest of its kind" },
  { "evidence", "time over ours: encoding and accumulating" }, { "mapping", "time over ours: the analytic mapping" },
  { "learning", "time over ours: Algorithm 2" }, { "sampling", "time over ours: draws" },
  { "whole", "time over ours: the whole replicate" } }, programs)
E:table("ours", { { "phase", "part of the reference job", phases },
  { "milliseconds", "from Lua, one core", milliseconds(seconds.vesicle) },
  { "first", "the first time in a process, milliseconds", milliseconds(seconds["vesicle, first"]) } })
E:number("CostMsFirst", 1e3 * seconds["vesicle, first"].whole, nil, { digits = 2 })

--- The amplitude rule [eq:amplitude], steps of $1/k$, on the same weights and for as many iterations, by four of
--- them; it is no part of the whole.

local repaired = {}
for _, peer in ipairs(peers) do
  if peer[3] then
    local of = measured(ratio, peer[1])
    repaired[#repaired + 1] = { peer[1], of.amplitude }
    E:number(peer[3], of.amplitude, nil, { digits = 2 })
  end
end
E:table("amplitude", { { "program", "the strongest of its kind" },
  { "ratio", "time over ours: Algorithm 2 with the amplitude rule" } }, repaired)
E:number("CostMsAmplitude", 1e3 * seconds.vesicle.amplitude, nil, { digits = 2 })

--- A bound tells what is left to gain: a program that can do nothing but the learning of this job, with constants
--- where we have options, vectors of AVX2 written by hand, no question whether to stop, and our very bits, which it is
--- checked for. We are compared with it as we learn with the same instructions, and as we learn where the processor
--- also has AVX-512. It also tells what the definition costs. Single precision would do for the figures of this report;
--- and where the first eight bits of a random number tie with a release, more are drawn until it is decided, where a
--- program that is content with eight bits would be quicker, and wrong.

local bound, narrow = measured(seconds, "bound").learning, measured(seconds, "vesicle, AVX2").learning
local variants = {}
for i, name in ipairs { "bound", "bound, float", "bound, no ties" } do
  variants[i] = { name, 1e3 * measured(seconds, name).learning, narrow / seconds[name].learning }
end
E:table("bound", { { "program", "learning only" }, { "milliseconds", "for the learning of the reference job" },
  { "ratio", "our time over it, with AVX2 as it has" } }, variants)
E:number("CostBound", variants[1][3], nil, { digits = 3 })
E:number("CostBoundWide", seconds.vesicle.learning / bound, nil, { digits = 2 })
E:number("CostFloatPercent", 100 * (1 - seconds["bound, float"].learning / bound), nil, { digits = 2 })
E:number("CostTiesPercent", 100 * (1 - seconds["bound, no ties"].learning / bound), nil, { digits = 2 })

--- Goals were set before: fifteen times NumPy's speed, thirty times R's, two and a half times that of the best C
--- without hand-written vectors, and no more than a tenth above the bound.

local goals = {}
local function goal(what, value, least, most)
  local reached = value >= (least or value) and value <= (most or value)
  goals[#goals + 1] = { what, value, least or most, reached and "yes" or "no" }
end
goal("the best NumPy over ours", ratio[numpy].whole, 15)
goal("R over ours", ratio.R.whole, 30)
goal("the best C over ours", ratio["C best"].whole, 2.5)
goal("ours over the bound, learning with AVX2", variants[1][3], nil, 1.1)
E:table("goals", { { "what", "ratio of times" }, { "measured", "recorded" },
  { "goal", "at least; for the bound, at most" }, { "reached", "whether it is" } }, goals)

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
--- Time per unit of work as a layer gets more outputs, as more inputs are active at once, as data get more rows, as
--- there are more replicates, workers and ranks; and the peak memory of the largest process. A unit is a synapse, an
--- input of 100 synapses, a cell of the evidence, a row, a replicate. Flat is what stays within a factor of two, and
--- what is not has its cause beside it.

local function key(what, variable) return what .. ", " .. variable end
local cause = {
  [key("mapping", "outputs")] = "sorting: comparisons grow as the logarithm, and wait once they leave the first cache",
  [key("draw", "outputs")] = "few outputs: a draw has a cost of its own; most: sorting once for a thousand draws",
  [key("learning", "outputs")] = "few outputs: members cost most, and grow slowly; most: rows leave the caches",
  [key("amplitude", "outputs")] = "few outputs: members cost most, and grow slowly; most: rows leave the caches",
  [key("sites", "outputs")] = "most outputs: the matrices of rates and releases leave the caches",
  [key("stages", "outputs")] = "few outputs: the stage of inputs is as long as that of outputs",
  [key("chain", "outputs")] = "rows of weights are made when first needed, and sorted",
  [key("spikes", "outputs")] = "few outputs: a trial has a cost of its own",
  [key("draw", "inputs")] = "with more inputs no output is sure to win before all are drawn: no draw ends early",
  [key("observe", "inputs")] = "few curves: encoding a row takes longer than adding it",
  [key("observe", "rows")] = "none",
  [key("replicate", "replicates")] = "few: starting the program",
  [key("reference job", "workers")] = "more workers than cores wait for each other",
  [key("reference job", "ranks")] = "few replicates: starting ranks; more ranks than cores wait for each other",
}
local growth, at, order, span, kilobytes = {}, {}, {}, {}, {}
for i, r in ipairs(recorded "growth") do
  local k, each = key(r.what, r.variable), r.seconds / r.units
  growth[i] = { r.what, r.variable, r.value, 1e9 * each, r.kilobytes / 1024 }
  at[k .. ", " .. math.tointeger(r.value)] = each
  if not span[k] then
    order[#order + 1], span[k] = k, { least = math.huge, most = 0, from = r.value }
  end
  local s = span[k]
  s.least, s.most, s.to = math.min(s.least, each), math.max(s.most, each), r.value
  kilobytes[k] = math.max(kilobytes[k] or 0, r.kilobytes)
end
E:table("growth", { { "what", "operation" }, { "variable", "what grows" }, { "value", "its size" },
  { "nanoseconds", "per unit of work, on one core" }, { "megabytes", "peak memory of the largest process" } }, growth)

local flatness, flat = {}, 0
for i, k in ipairs(order) do
  local s = span[k]
  local is_flat = s.most <= P.flat * s.least
  flatness[i] = { k, s.from, s.to, 1e9 * s.least, 1e9 * s.most, s.most / s.least,
                  is_flat and "flat" or assert(cause[k], "no cause is known for " .. k), kilobytes[k] / 1024 }
  if is_flat then flat = flat + 1 end
end
E:table("flatness", { { "what", "operation and what grows" }, { "from", "least size" }, { "to", "largest size" },
  { "least", "nanoseconds per unit, least" }, { "most", "nanoseconds per unit, most" }, { "ratio", "most over least" },
  { "cause", "why it is not flat" }, { "megabytes", "most memory" } }, flatness)
E:number({ "CostFlat", "CostGrown" }, { flat, #order })

local outputs = 100
E:number("CostOutputs", outputs, nil, { digits = 3 })
E:number("CostNsDraw", 1e9 * outputs * at["draw, outputs, 100"], nil, { digits = 2 })
E:number("CostNsIteration", 1e9 * outputs * at["learning, outputs, 100"], nil, { digits = 2 })
E:number("CostNsAmplitude", 1e9 * outputs * at["amplitude, outputs, 100"], nil, { digits = 2 })
E:number({ "CostNsSynapse", "CostNsSynapseWide" },
  { 1e9 * at["learning, outputs, 100"], 1e9 * at["learning, outputs, 100000"] }, nil, { digits = 2 })
E:number("CostNsRow", 1e9 * at["observe, rows, 10000000"], nil, { digits = 2 })

--- ## Replicates
---
--- The engine keeps each finished replicate in a journal. What that takes is the time of a replicate that computes
--- nothing but one random number; the reference job on two workers and on one tells what is lost between them.

E:number("CostUsTiny", 1e6 * at["replicate, replicates, 1000000"], nil, { digits = 2 })
E:number("CostMegabytesMost", kilobytes[key("replicate", "replicates")] / 1024, nil, { digits = 2 })
E:number("CostWorkers", 2 * at["reference job, workers, 1"] / at["reference job, workers, 2"], nil, { digits = 3 })
E:number("CostMegabytes", kilobytes[key("reference job", "workers")] / 1024, nil, { digits = 2 })

--- A million replicates on two cores, if each costs what these did: a projection, not a measurement.

E:number("CostMillionHours", P.million * at["reference job, workers, 2"] / 2 / 3600, nil, { digits = 2 })

--- ## In words
---
--- One replicate of the reference job takes \CostMsWhole ms on one core from Lua (\CostMsFirst ms the first time in a
--- process), \CostMsLearning ms of it learning. In units of this time the best program takes in NumPy
--- \CostNumpyWhole, in torch \CostTorchWhole, in R \CostRWhole, with numba \CostNumbaWhole, with Rcpp \CostRcppWhole.
--- C by the letter takes \CostLiteralCWhole; the best C without hand-written vectors \CostBestCWhole, with random
--- numbers that have no addresses and cannot be drawn again in any order, and \CostPhiloxCWhole with Philox, whose
--- numbers can. Our learning takes \CostBound times as long as a bound with the same bits and instructions, and
--- with AVX-512 \CostBoundWide of it; of the bound's time single precision would save \CostFloatPercent%, and
--- deciding no ties \CostTiesPercent%.
---
--- The amplitude rule takes \CostMsAmplitude ms for what the power rule does in \CostMsLearning; the best C takes
--- \CostBestCAmplitude of that time, with Philox \CostPhiloxCAmplitude, C by the letter \CostLiteralCAmplitude, NumPy
--- \CostNumpyAmplitude.
---
--- Of the instructions \CostLuaPercent% are those of the Lua layer; of the time of all experiments Lua takes
--- \CostLuaExperiments%. An iteration of learning costs \CostNsIteration ns at \CostOutputs outputs, one of the
--- amplitude rule \CostNsAmplitude ns, a draw \CostNsDraw ns, a row of data \CostNsRow ns. Of \CostGrown ways to
--- grow, \CostFlat are flat. A replicate that does nothing costs \CostUsTiny microseconds of a core, and a million of
--- them \CostMegabytesMost MB; the reference job needs \CostMegabytes MB, and a million of it would take
--- \CostMillionHours hours on two cores.

E:finish()
