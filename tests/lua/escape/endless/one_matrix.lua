-- expect: memory
-- One array larger than all there is.
local ves = require "vesicle"
print(pcall(ves.matrix, 1 << 20, 1 << 20, 0))
local _ = ves.matrix(20000, 20000, 0)
