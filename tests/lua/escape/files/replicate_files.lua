-- expect: done
-- The workers are as closed as the script.
local a = require "attempt"
local E = require("vesicle.experiment").new({ name = "replicate_files" }, { out = a.out, quiet = true })
local results = E:replicate { name = "main", n = 3, run = function(i)
  a.read(a.secret)
  a.read("linkdir/secret.txt")
  a.write("../outside/escaped")
  a.write("escaped")
  a.try("execute", os.execute, "touch ../outside/executed")
  a.try("popen", io.popen, "id")
  return i
end }
a.try("nothing computed", function() return #results ~= 3 end)
E:finish()
a.done()
