-- expect: memory
-- A string that doubles, where errors are caught.
local s = "x"
for _ = 1, 60 do pcall(function() s = s .. s end) end
local t = {} -- luacheck: ignore
for i = 1, 60 do t[i] = s .. i end
