-- expect: timeout
-- Catches whatever would stop it.
while true do
  pcall(function() while true do end end) -- luacheck: ignore
end
