-- pmf: a distribution over the outputs of a layer, seen as one over their preferred values.
--
-- p[j] is the probability that output j wins and points[j] the value it stands for, ascending. p is a
-- vector; what does not add up to 1 (a distribution with empty draws left out) is normalised first.

local ves = require "vesicle"

local pmf = {}

--- p divided by its sum: the distribution given that something transmitted.
function pmf.normalised(p) return p:normalise() end

function pmf.mean(p, points) return (p:moments(points)) end

function pmf.var(p, points)
  local _, var = p:moments(points)
  return var
end

function pmf.sd(p, points) return math.sqrt(pmf.var(p, points)) end

--- The total variation distance of two distributions.
function pmf.total_variation(p, q)
  return (pmf.normalised(p) - pmf.normalised(q)):abs():sum() / 2
end

--- The distance from the uniform distribution.
function pmf.from_uniform(p)
  return (pmf.normalised(p) - 1 / #p):abs():sum() / 2
end

--- The distribution function just above each point.
function pmf.cumulative(p)
  return pmf.normalised(p):cumsum()
end

--- The probabilities that a distribution function (of a vector of values) gives to the cells around
--- equally spaced points; what lies outside goes to the first and the last.
function pmf.binned(cdf, points)
  local n, p, below = #points, {}, 0.0
  local above = cdf((points:slice(1, n - 1) + points:slice(2, n)) / 2):totable()
  above[n] = 1.0
  for j = 1, n do p[j], below = above[j] - below, above[j] end
  return ves.vector(p)
end

--- Kolmogorov's distance, the largest difference of the two distribution functions.
function pmf.kolmogorov(p, q)
  return (pmf.cumulative(p) - pmf.cumulative(q)):abs():max()
end

return pmf
