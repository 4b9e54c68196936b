-- expect: timeout
-- Simply never ends.
while true do end -- luacheck: ignore
