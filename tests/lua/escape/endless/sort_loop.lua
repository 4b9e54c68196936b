-- expect: timeout
-- A long call into C with short calls back.
local t = {}
for i = 1, 2000000 do t[i] = i % 1000 end
while true do
  pcall(table.sort, t, function(x, y) return x * 7919 % 1009 < y * 7919 % 1009 end)
  pcall(table.concat, t, ("x"):rep(100))
end
