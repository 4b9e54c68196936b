--- # TITLE
---
--- What is the question? Lines that begin with three dashes are prose, Markdown with LaTeX mathematics: they
--- become the text of this experiment's chapter in the supplement. Lines with two dashes are comments for those
--- who read the code.
---
--- This script works as it stands. It asks how fast the frequencies of winners approach the encoded
--- distribution as the number of draws $n$ grows; replace it step by step by your own question.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local stats = require "vesicle.stats"

-- Parameters have a default, a meaning and, where it helps, another value for --scale quick, which `make watch` uses.
-- They can be changed without touching this file:
--     build/vesicle run lua/experiments/NAME.lua --set replicates=50
--     build/vesicle params lua/experiments/NAME.lua
local E = ex.new {
  name = "NAME", title = "TITLE",
  params = {
    weights = { { 0.4, 0.3, 0.2, 0.1 }, about = "weights of the synapses" },
    draws = { { 10, 30, 100, 300, 1000, 3000, 10000 }, about = "numbers of draws" },
    replicates = { 200, quick = 20, about = "how often the whole is repeated" },
  },
}
local P = E.params

--- ## The model
---
--- Release probabilities follow from the weights by the analytic mapping [eq:mapping], so that output $i$
--- wins with probability $p_i = w_i / \sum_j w_j$. A tag in brackets links to the trace of its equation.

local w = ves.vector(P.weights)
local p = w / w:sum()
local q = ves.release.analytic(w)

--- ## Replicates
---
--- One replicate draws winners, counts them, and returns the total variation distance between frequencies and
--- probabilities, one number for each number of draws. E:replicate spreads replicates over all cores, keeps
--- finished ones, and goes on where it was interrupted. Every random number comes from the stream `rng`, a
--- function of the seed and of the replicate's index alone.

local function distance(n, rng)
  local counts = ves.sample(w, q, { draws = n, rng = rng }):counts(#w)
  return ves.score.total_variation(counts / n, p)
end

-- stats.collect puts what a function returns for each element side by side: here, numbers as a vector.
local out = E:replicate { name = "main", n = P.replicates, run = function(_, rng)
  return { distance = stats.collect(P.draws, function(n) return distance(n, rng:stream(n)) end) }
end }

--- ## The table and the figure
---
--- A table is a file that gnuplot, R, Python and a spreadsheet can open. The figure, `figures/NAME.gp`, reads
--- it and nothing else.

-- out:column gives one row per replicate and one column per number of draws; stats.summary has the mean over
-- replicates of each column and its standard error. A row whose cells are vectors stands for as many rows.
local mean = stats.summary(out:column("distance"))
E:table("distance", { { "draws", "draws in one replicate", P.draws },
  { "mean", "total variation distance, mean over replicates", mean.value }, { "se", "its standard error", mean.se },
  { "sd", "standard deviation over replicates", mean.sd } })

--- ## The statement
---
--- A number becomes a LaTeX macro and can stand in the text: the slope of the line through the logarithms is
--- \SLOPE. A statement is one row of the ledger: what is said, what was measured, and a criterion that carries
--- its own words. The verdict is computed, never typed. E:own is for a statement of yours; E:statement is for
--- one of the original, which may be read in several ways.

local line = stats.regression(ves.vector(P.draws):log(), mean.value:log())
E:number("SLOPE", line.slope, line.slope_se)
E:own { id = "ID-slope", says = "The error of the frequencies falls as the square root of the number of draws.",
  kind = "empirical", quantity = "slope of the logarithm of the distance against that of the draws",
  criterion = is.within(0.1, { of = -0.5 }), value = { line.slope, se = line.slope_se } }

E:finish()
