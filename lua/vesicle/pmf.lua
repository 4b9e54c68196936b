-- pmf: a distribution over the outputs of a layer, seen as one over their preferred values.
--
-- p[j] is the probability that output j wins and points[j] the value it stands for, ascending. p is a
-- vector; what does not add up to 1 (a distribution with empty draws left out) is normalised first.

local ves = require "vesicle"

local pmf = {}

--- p divided by its sum: the distribution given that something transmitted.
function pmf.normalised(p) return p / p:sum() end

function pmf.mean(p, points) return p:dot(points) / p:sum() end

function pmf.var(p, points)
  local deviation = points - pmf.mean(p, points)
  return p:dot(deviation * deviation) / p:sum()
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

--- The distribution function just above each point, as a Lua array.
function pmf.cumulative(p)
  local a, sum, out = pmf.normalised(p), 0.0, {}
  for j = 1, #a do
    sum = sum + a[j]
    out[j] = sum
  end
  return out
end

--- The probabilities that a distribution function gives to the cells around equally spaced points;
--- what lies outside goes to the first and the last.
function pmf.binned(cdf, points)
  local n, p, below = #points, ves.vector(#points, 0), 0.0
  for j = 1, n do
    local above = j == n and 1.0 or cdf((points[j] + points[j + 1]) / 2)
    p[j], below = above - below, above
  end
  return p
end

--- Kolmogorov's distance, the largest difference of the two distribution functions.
function pmf.kolmogorov(p, q)
  local a, b, worst = pmf.cumulative(p), pmf.cumulative(q), 0.0
  for j = 1, #a do worst = math.max(worst, math.abs(a[j] - b[j])) end
  return worst
end

return pmf
