-- expect: timeout
-- Never ends when the state is closed.
KEPT = setmetatable({}, { __gc = function() while true do end end }) -- luacheck: ignore
