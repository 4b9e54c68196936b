-- The reference job as replicates of one experiment, for timing the engine: `--set replicates=N`, `--jobs 1` or 2.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local models = require "vesicle.model.data"

local E = ex.new {
  name = "replicates", title = "replicates of the reference job",
  params = {
    replicates = { 16, about = "how many" }, rows = { 4000, about = "rows of data" },
    iterations = { 5000, about = "iterations of Algorithm 2" }, draws = { 1000, about = "samples per input" },
  },
}
local P = E.params
local model = models.simple()

local out = E:replicate { name = "job", n = P.replicates, run = function(_, rng)
  local net = models.network(model, rng, { rows = P.rows })
  local W = net:weights()
  local Q = ves.release.analytic(W)
  local L = ves.release.learn(W, { iterations = P.iterations, rng = rng:stream("learn") })
  local sd = {}
  for i, x in ipairs(model.inputs) do
    sd[i] = net:sample { x = x, release = Q, draws = P.draws, rng = rng:stream("analytic", x) }:sd()
    sd[5 + i] = net:sample { x = x, release = L, draws = P.draws, rng = rng:stream("learned", x) }:sd()
  end
  return { sd = ves.vector(sd) }
end }

E:table("sd", { "replicates", "mean" }, { { #out, out:column("sd"):col(1):mean() } })
E:finish()
