-- expect: done
-- Files by way of links that lead out.
local a = require "attempt"
for _, path in ipairs {
  "link", "absolute", "linkdir/secret.txt", "linkdir/../outside/secret.txt", "sub/up/outside/secret.txt", "chain",
  "linkdir/./secret.txt", "sub/../link", "rootlink/etc/passwd",
} do
  a.read(path)
end
a.read(a.out .. "/link")
a.read(a.out .. "/linkdir/secret.txt")
a.done()
