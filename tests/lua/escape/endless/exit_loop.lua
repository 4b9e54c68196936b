-- expect: timeout
-- Never ends on the way out.
setmetatable({}, { __gc = function() while true do end end }) -- luacheck: ignore
os.exit(true, true)
