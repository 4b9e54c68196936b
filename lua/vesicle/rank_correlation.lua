-- rank_correlation: Spearman's correlation, for relations that rise or fall without being straight.

local ves = require "vesicle"
local stats = require "vesicle.stats"

--- The ranks of a sample from 1, equal values sharing the mean of theirs.
local function ranks(values)
  local x, out = ves.vector(values):totable(), {}
  local order = ves.vector(x):order():totable()
  local first = 1
  while first <= #x do
    local last = first
    while last < #x and x[order[last + 1]] == x[order[first]] do last = last + 1 end
    for r = first, last do out[order[r]] = (first + last) / 2 end
    first = last + 1
  end
  return out
end

--- rank_correlation(x, y) of two vectors or arrays.
return function(x, y) return stats.correlation(ranks(x), ranks(y)) end
