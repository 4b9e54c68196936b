-- expect: done
-- Finalizers run late, also when the state is closed; they find the same doors.
local a = require "attempt"
local function late(path)
  return setmetatable({}, { __gc = function()
    a.read(path)
    a.write("../outside/escaped")
    a.try("execute", os.execute, "touch ../outside/executed")
    a.try("popen", io.popen, "touch ../outside/executed")
  end })
end
late(a.secret)
collectgarbage()
collectgarbage()
KEPT = late("linkdir/secret.txt") -- luacheck: ignore
local again
again = setmetatable({}, { __gc = function(self) -- luacheck: ignore
  again = self
  a.read(a.secret)
  setmetatable(self, getmetatable(self))
end })
again = nil
collectgarbage()
collectgarbage()
a.try("error in a finalizer", function()
  setmetatable({}, { __gc = function() error(setmetatable({}, { __tostring = function() error("x") end })) end })
  collectgarbage()
  collectgarbage()
end)
a.try("revived", function() return again and io.open(a.secret) end)
a.done()
