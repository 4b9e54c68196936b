-- expect: memory
-- Ever more tables, with the collector switched off.
collectgarbage("stop")
local t = {} -- luacheck: ignore
while true do t[#t + 1] = { {}, {}, {} } end
