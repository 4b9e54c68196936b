-- An experiment whose table and journal have every kind of value.
local ves = require "vesicle"
local E = require("vesicle.experiment").new { name = "frames", params = { sd = 2.5, kind = "wide", word = "1_000", rate = 1e-7, replicates = 3 } }
E:replicate { name = "main", n = E.params.replicates, run = function(_, rng)
  local v = rng:normal(0, E.params.sd, 100)
  return { mean = v:mean(), quartiles = v:quantile { 0.25, 0.75 }, none = 0 / 0, huge = math.huge }
end }
E:replicate { name = "single", n = 2, run = function(i) return 2 * i end }
E:table("values", { { "name", "a text" }, { "x", "a number" }, "y" },
  { { "a", 0.1, 1 }, { "None", 1 / 3, 0 / 0 }, { "NA", 1e300, 3 } })
E:table("numeric", { "x", "y" }, ves.matrix { { 0.1, 1 }, { 1 / 3, 2 }, { 1e300, 3 } })
E:finish()
