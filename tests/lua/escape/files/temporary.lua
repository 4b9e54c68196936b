-- expect: done
-- Temporary files are below --out, or have no name.
local a = require "attempt"
local name = os.tmpname()
a.try("a name elsewhere", function() return not name:find(a.root .. "/out/", 1, true) end)
os.remove(name)
local file = io.tmpfile()
file:write("x")
a.try("a temporary file is not closed by force", function() return io.type(file) ~= "file" end)
file:close()
a.done()
