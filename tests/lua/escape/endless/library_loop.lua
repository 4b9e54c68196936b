-- expect: timeout
-- A long call into the library.
local ves = require "vesicle"
local w = {}
for i = 1, 400 do w[i] = i end
ves.release.learn(w, { rule = "power", psi = 8, iterations = 2000000000, rng = ves.rng(1) })
