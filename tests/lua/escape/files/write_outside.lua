-- expect: done
-- Writing where only reading is allowed, and elsewhere.
local a = require "attempt"
for _, path in ipairs {
  "escaped", "./escaped", "where.txt", "sub/escaped", "../escaped", "../outside/escaped", "../outside/secret.txt",
  a.root .. "/outside/escaped", "/" .. a.mark, "/tmp/" .. a.mark, "/dev/shm/" .. a.mark,
  a.out .. "/../escaped", a.out .. "/../outside/escaped", a.out .. "/nowhere/../../escaped", a.out .. "/.././escaped",
  a.out .. "/..", a.out,
} do
  a.write(path)
end
a.done()
