-- expect: done
-- Files by way of what /proc and /dev know about this process.
local a = require "attempt"
a.read("/proc/self/cwd/../outside/secret.txt")
a.read("/proc/self/root" .. a.root .. "/outside/secret.txt")
a.read("/proc/thread-self/root" .. a.root .. "/outside/secret.txt")
for fd = 3, 9 do
  a.try("descriptor " .. fd, function() return io.open("/proc/self/fd/" .. fd) end)
  a.try("device " .. fd, function() return io.open("/dev/fd/" .. fd) end)
end
a.read("fdlink/../../outside/secret.txt")
a.done()
