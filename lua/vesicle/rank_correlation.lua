-- rank_correlation: Spearman's correlation, for relations that rise or fall without being straight.

local ves = require "vesicle"
local stats = require "vesicle.stats"

--- rank_correlation(x, y) of two vectors or arrays; equal values share the mean of their ranks.
return function(x, y) return stats.correlation(ves.vector(x):ranks(), ves.vector(y):ranks()) end
