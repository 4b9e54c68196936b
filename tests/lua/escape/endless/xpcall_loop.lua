-- expect: timeout
-- Loops in the handler of the error that would stop it.
local function handler() while true do end end -- luacheck: ignore
xpcall(function() while true do end end, handler) -- luacheck: ignore
handler()
