-- expect: timeout
-- Never ends while an error unwinds.
local _ <close> = setmetatable({}, { __close = function() while true do end end }) -- luacheck: ignore
error("on the way")
