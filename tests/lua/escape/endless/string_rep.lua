-- expect: memory
-- One huge string, first politely.
print(pcall(string.rep, "x", 1 << 40))
print(pcall(string.rep, "x", 1 << 30, "y"))
local _ = ("x"):rep(1 << 30)
