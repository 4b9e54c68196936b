-- expect: done
-- Writing into the project, so that it runs the next time.
local a = require "attempt"
local library = package.path:match("^(.-)/%?%.lua")
a.write(library .. "/vesicle/escaped.lua")
a.write(library .. "/../escaped")
a.write(library .. "/vesicle/../../escaped")
a.write((arg[0]:match("^(.*)/") or ".") .. "/escaped.lua")
a.try("the program", function() return io.open("/proc/self/exe", "r+") end)
a.try("remove", function() return os.remove(library .. "/vesicle/experiment.lua.none") end)
a.done()
