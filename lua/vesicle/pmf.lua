-- pmf: a distribution over the outputs of a layer, seen as one over their preferred values.
--
-- p[j] is the probability that output j wins and points[j] the value it stands for, ascending. p is a
-- vector; what does not add up to 1 (a distribution with empty draws left out) is normalised first.

local ves = require "vesicle"
local array = require "vesicle.base.array"
local check = require "vesicle.base.check"
local stats = require "vesicle.stats"

local pmf = {}

--- A vector as it is, an array of numbers as a vector.
local function vector(fn, name, value)
  if array.is_vector(value) or array.is_matrix(value) then return value end
  if type(value) == "table" then return ves.vector(value) end
  error(string.format("%s: argument '%s' = %s: expected a vector", fn, name, check.show(value)), 3)
end

--[[** pmf.normalised(p) -> vector
p divided by its sum: the distribution given that something transmitted.
@param p vector
@example pmf = require "vesicle.pmf"; print(pmf.normalised(ves.vector{1, 3}))
]]
function pmf.normalised(p) return vector("pmf.normalised", "p", p):normalise() end

--[[** pmf.sd(p, points) -> number
The standard deviation of a distribution over values; pmf.var is its variance.
@param p vector: probabilities, up to a factor
@param points vector: the values
@example pmf = require "vesicle.pmf"; p, points = ves.vector{1, 2, 1}, ves.vector{-1, 0, 1}
@example print(pmf.var(p, points), pmf.sd(p, points))
]]
function pmf.var(p, points)
  local _, var = vector("pmf.var", "p", p):moments(vector("pmf.var", "points", points))
  return var
end

function pmf.sd(p, points) return math.sqrt(pmf.var(p, points)) end

--[[** pmf.total_variation(p, q) -> number
The total variation distance of two distributions, each normalised first; pmf.from_uniform(p) is that from the uniform
one.
@param p vector
@param q vector of the same size
@example pmf = require "vesicle.pmf"; print(pmf.total_variation(ves.vector{1, 1}, ves.vector{1, 3}))
]]
function pmf.total_variation(p, q)
  return (pmf.normalised(p) - pmf.normalised(q)):abs():sum() / 2
end

--- The distance from the uniform distribution.
function pmf.from_uniform(p)
  return (pmf.normalised(p) - 1 / #p):abs():sum() / 2
end

--[[** pmf.cumulative(p) -> vector
The distribution function just above each point.
@param p vector
@example pmf = require "vesicle.pmf"; print(pmf.cumulative(ves.vector{1, 2, 1}))
]]
function pmf.cumulative(p)
  return pmf.normalised(p):cumsum()
end

--[[** pmf.binned(cdf, points) -> vector
The probabilities that a distribution function gives to the cells around equally spaced points; what lies outside goes
to the first and the last.
@param cdf function of a vector of values
@param points vector of at least two
@example pmf = require "vesicle.pmf"; print(pmf.binned(ves.cdf.normal, ves.range(-2, 2)))
]]
function pmf.binned(cdf, points)
  if type(cdf) ~= "function" then
    error("pmf.binned: argument 'cdf' = " .. check.show(cdf) .. ": expected a function", 2)
  end
  points = vector("pmf.binned", "points", points)
  if #points < 2 then
    error("pmf.binned: argument 'points' has " .. #points .. " elements: expected at least two", 2)
  end
  local n, p, below = #points, {}, 0.0
  local above = cdf((points:slice(1, n - 1) + points:slice(2, n)) / 2):totable()
  above[n] = 1.0
  for j = 1, n do p[j], below = above[j] - below, above[j] end
  return ves.vector(p)
end

--[[** pmf.kolmogorov(cdfs, truths, points) -> estimate
Kolmogorov's distance of distribution functions, averaged over replicates, from true ones: the largest difference just
above a cell. With standard errors by the jackknife.
@param cdfs array of matrices, one row for each replicate, as pmf.cumulative returns it
@param truths array of functions of a vector of values, one for each matrix
@param points vector of at least two: the values of the columns
@return estimate with vectors value and se, one element for each matrix
@example pmf = require "vesicle.pmf"; points = ves.range(-2, 2)
@example seen = ves.matrix{pmf.cumulative(ves.vector{1, 4, 6, 4, 1}), pmf.cumulative(ves.vector{1, 2, 4, 2, 1})}
@example print(pmf.kolmogorov({seen}, {ves.cdf.normal}, points).value)
]]
function pmf.kolmogorov(cdfs, truths, points)
  if type(cdfs) ~= "table" or type(truths) ~= "table" or #cdfs == 0 or #cdfs ~= #truths then
    error("pmf.kolmogorov: expected an array of matrices and one of as many functions", 2)
  end
  local expected = {}
  for i, cdf in ipairs(truths) do expected[i] = pmf.cumulative(pmf.binned(cdf, points)) end
  return stats.jackknife(function(...)
    local off = {}
    for i, cdf in ipairs { ... } do off[i] = (cdf - expected[i]):abs():max() end
    return off
  end, table.unpack(cdfs))
end

return check.module("vesicle.pmf", pmf)
