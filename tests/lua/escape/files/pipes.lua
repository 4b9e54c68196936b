-- expect: done
-- Things that are no files.
local a = require "attempt"
a.read("pipe")
a.try("a pipe to write", function() return io.open("pipe", "w") end)
a.try("a pipe below --out", function() return io.open(a.out .. "/pipe", "w") end)
a.try("a device", function() return io.open("/dev/null", "w") end)
a.try("the terminal", function() return io.open("/dev/tty", "r+") end)
a.done()
