-- expect: done
-- Files by way of the directory above.
local a = require "attempt"
for _, path in ipairs {
  "../outside/secret.txt", "./../outside/secret.txt", ".././outside/secret.txt", "sub/../../outside/secret.txt",
  "..//outside///secret.txt", "sub/deep/../../../outside/secret.txt", "../inside/../outside/secret.txt",
  "nowhere/../../outside/secret.txt", "../outside/../outside/secret.txt", "../outside/secret.txt/",
  "../outside/./secret.txt", "sub/..//../outside/secret.txt",
} do
  a.read(path)
end
a.read(a.out .. "/../outside/secret.txt")
a.read(a.root .. "/inside/../outside/secret.txt")
a.done()
