-- expect: memory
-- Memory that Lua does not count.
local ves = require "vesicle"
local t = {}
while true do t[#t + 1] = ves.vector(200000, 1) end
