-- by_input: quantities measured at each of a few inputs, in many replicates.
--
-- A matrix has one row per replicate and one column per input. What is reported of it is one number
-- per input with its standard error: arrays, ready for a table or for E:claim.

local jackknife = require "vesicle.jackknife"
local stats = require "vesicle.stats"
local ves = require "vesicle"

local by_input = {}

--- The field `path` ("a.b.c") of the first n replicates of `out` (all unless told), as a matrix.
function by_input.matrix(out, path, n)
  local M
  for i = 1, n or #out do
    local value = out[i]
    for part in path:gmatch("[^.]+") do value = value[part] end
    M = M or ves.matrix(n or #out, #value)
    M[i] = value
  end
  return M
end

--- The mean over replicates at input g, its standard error, and the interval that holds 95% of them.
function by_input.summary(M, g)
  local column = M:col(g)
  local bounds = column:quantile { 0.025, 0.975 }
  return stats.mean(column), stats.se(column), bounds[1], bounds[2]
end

--- f(g) -> value, standard error at each of `count` inputs: an array of values, an array of errors.
function by_input.collect(count, f)
  local values, ses = {}, {}
  for g = 1, count do values[g], ses[g] = f(g) end
  return values, ses
end

--- The mean over replicates at each input.
function by_input.means(M)
  return by_input.collect(M.cols, function(g) return by_input.summary(M, g) end)
end

--- The ratio of the means of two matrices at each input.
function by_input.ratios(M, reference)
  return by_input.collect(M.cols, function(g)
    return jackknife(function(m, r) return m[g] / r[g] end, M, reference)
  end)
end

return by_input
