-- expect: memory
-- Growing in one call.
print(pcall(table.unpack, {}, 1, 1 << 30))
print(pcall(table.concat, setmetatable({}, { __index = function() return ("x"):rep(1 << 20) end }), "", 1, 1 << 20))
local t = table.pack(table.unpack({}, 1, 900000))
while true do
  table.move(t, 1, #t + 900000, #t + 1)
  t[#t + 1] = table.pack(table.unpack({}, 1, 900000))
end
