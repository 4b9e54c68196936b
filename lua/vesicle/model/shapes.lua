-- shapes: weight vectors to learn from, and what releases make of them.
--
-- The original compares learning rules on "an encoded bimodal distribution" and says no more. Ours is
-- two unequal bells on a pedestal of 1% of the maximum, and its companions are chosen to be as unlike
-- one another as encoded distributions get: all weights equal, one bell, and one-sided decay. Rows of several
-- inputs are bells side by side.

local ves = require "vesicle"
local check = require "vesicle.base.check"

local shapes = {}

local function bell(z, centre, width) return math.exp(-((z - centre) / width) ^ 2 / 2) end

-- Each a function of the position z in (0, 1), with a maximum near 1. The centres lie a little beside the grid, so that
-- the two flanks of a bell do not tie. `equal` and `second` are two more bimodal vectors: bells of one height and
-- width, and the second data model at x = 1 on [-6, 6] [data:bimodal].
local densities = {
  uniform = function() return 1 end,
  bell = function(z) return bell(z, 0.495, 0.15) end,
  bimodal = function(z) return bell(z, 0.305, 0.08) + 0.6 * bell(z, 0.695, 0.1) end,
  equal = function(z) return bell(z, 0.305, 0.08) + bell(z, 0.695, 0.08) end,
  second = function(z)
    local p = 1 / (1 + math.exp(-0.5))
    return p * bell(12 * z - 6, -2, 0.2) + (1 - p) * 0.2 / 0.5125 * bell(12 * z - 6, 0.25, 0.5125)
  end,
  decay = function(z) return math.exp(-5 * z) end,
}

--- The names, in the order in which tables and figures show them.
shapes.names = { "uniform", "bell", "bimodal", "decay" }

--- n weights that sum to 1: the shape at (j - 1/2)/n, j = 1..n, plus `floor` times its maximum.
function shapes.weights(name, n, floor)
  local f = densities[name]
  if not f then
    error("shapes.weights: there is no shape `" .. tostring(name) .. "`; expected one of "
      .. table.concat(shapes.names, ", "), 2)
  end
  local w = ves.vector(n)
  for j = 1, n do w[j] = f((j - 0.5) / n) end
  w = w + (floor or 0.01) * w:max()
  return w / w:sum()
end

--- The indices of w from the strongest weight to the weakest, the lower index first among equals.
function shapes.ranking(w)
  return (ves.vector(w) * -1):order():totable()
end

--- A matrix of k rows over the same outputs: bells of this width, each on the pedestal of 1%, whose centres lie
--- `separation` apart around 0.013, a little beside the middle.
function shapes.bells(outputs, k, separation, width)
  local W = ves.matrix(k, #outputs)
  for a = 1, k do
    local centre = (a - (k + 1) / 2) * separation
    local row = outputs:map(function(y) return bell(y - 0.013, centre, width) end)
    row = row + 0.01 * row:max()
    W[a] = row / row:sum()
  end
  return W
end

--- The exact distribution of the winner, given that something transmits; of several inputs if their activities x are
--- given. [eq:winner] [eq:winner-multi]
function shapes.winners(w, q, x)
  local p, nothing = ves.winner.exact(w, q, x)
  return p / (1 - nothing)
end

--- How far the winners are from what is encoded, as total variation. [eq:total-variation] [eq:mixture]
function shapes.distance(w, q, x)
  return ves.score.total_variation(shapes.winners(w, q, x), x and ves.multi.mixture(w, x) or w / w:sum())
end

return check.module("vesicle.model.shapes", shapes)
