-- expect: done
-- Programs at the end of a pipe.
local a = require "attempt"
a.try("popen", function() return assert(io.popen("echo hello")):read("a") end)
a.try("popen w", function() return io.popen("cat >" .. a.root .. "/outside/piped", "w") end)
a.try("popen in loaded", function() return package.loaded.io.popen("id") end)
a.try("a pipe as a file", function() return io.open("|id") end)
a.try("a pipe as lines", function() return io.lines("|id")() end)
a.try("popen of a handle", function() return getmetatable(io.stdout).__index.popen("id") end)
a.done()
