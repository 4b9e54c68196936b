-- expect: done
-- Files by their absolute names.
local a = require "attempt"
a.read(a.root .. "/outside/secret.txt")
a.read("/etc/passwd")
a.read("/proc/self/environ")
a.read("/proc/self/maps")
a.read("/proc/self/cmdline")
a.read("/dev/zero")
a.read("/")
a.done()
