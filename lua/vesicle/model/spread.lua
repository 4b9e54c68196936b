-- spread: how wide the distributions of a trained network are at the five inputs of the simple model.
--
-- Between the data-generating distribution and a sample lie the data, the tuning curves, the prior evidence and the
-- releases, and each may change the width. Of all but the draws the standard deviation is known exactly, without
-- drawing.

local ves = require "vesicle"
local check = require "vesicle.base.check"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local stats = require "vesicle.stats"

local spread = {}

local model = models.simple()

--- The inputs, and the standard deviation of the data-generating distribution at each. [data:simple]
spread.inputs = model.inputs
spread.truth = ves.vector(model.inputs):map(model.sd)

--- How statements call the inputs.
spread.at = { "x=-4", "x=-2", "x=0", "x=2", "x=4" }

--- A layer of the network with this spacing: its code; its centers; rows, the inputs that are ever active (above 1e-3),
--- the only ones whose releases need to be learned; and present(f), f(x, activity) at each of the five inputs.
function spread.layer(spacing)
  local code = models.code(spacing)
  local activity = code:encode(model.inputs)
  return {
    code = code, centers = code.centers,
    rows = stats.collect(code.n, function(i) return activity:col(i):max() end):above(1e-3),
    present = function(f) return stats.collect(model.inputs, function(x) return f(x, code:encode(x)) end) end,
  }
end

--- What the weights encode, the normalised mixture of rows. [eq:mixture]
function spread.encoded(W, layer)
  return layer.present(function(_, a) return pmf.sd(ves.multi.mixture(W, a), layer.centers) end)
end

--- The winner under releases Q divided by the normaliser, from its exact distribution. [eq:winner-multi]
function spread.winner(W, Q, layer, normaliser)
  return layer.present(function(_, a)
    return pmf.sd((ves.winner.exact(W, ves.release.normalise(Q, a, normaliser), a)), layer.centers)
  end)
end

--- The inputs of a network's data and their outputs: the standard deviation of the data themselves.
function spread.data(xs, ys, layer)
  return layer.present(function(x) return ys:take((xs - x):abs():less(1e-9):above(0.5)):sd() end)
end

return check.module("vesicle.model.spread", spread)
