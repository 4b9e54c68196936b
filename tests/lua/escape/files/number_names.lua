-- expect: done
-- Numbers are names of files to Lua.
local a = require "attempt"
a.write(123)
a.write(1.5)
a.try("io.output", function() io.output(7) return true end)
a.try("io.input", function() io.input(4711) return true end)
a.try("os.remove", function() return os.remove(4711) end)
a.try("os.rename", function() return os.rename(4711, 4712) end)
a.done()
