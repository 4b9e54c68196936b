-- The smallest replicate there is, for timing the engine: `--set replicates=N`.

local ex = require "vesicle.experiment"

local E = ex.new { name = "tiny", title = "replicates of one number",
                   params = { replicates = { 100, about = "how many" } } }
local out = E:replicate { name = "tiny", n = E.params.replicates,
                          run = function(_, rng) return { u = rng:uniform() } end }
E:table("mean", { "replicates", "mean" }, { { #out, out:column("u"):mean() } })
E:finish()
