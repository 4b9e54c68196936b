-- expect: done
-- The host's settings, changed.
local a = require "attempt"
local host = require "vesicle.base.host"
host.out, host.sandboxed, host.trust, host.command = a.outside, false, true, "run"
a.read(a.secret)
a.write("../outside/escaped")
a.try("execute", os.execute, "true")
a.try("a fresh host", function()
  local fresh = package.preload["vesicle.base.host"]("vesicle.base.host")
  fresh.sandboxed = false
  return fresh.list("..")
end)
a.try("a fresh library", function()
  package.loaded["vesicle"] = nil
  return require("vesicle").load(a.secret)
end)
a.done()
