-- expect: done
-- Removing what is not ours.
local a = require "attempt"
for _, path in ipairs {
  a.secret, a.root .. "/outside/secret.txt", "where.txt", "link", "sub", "../outside", a.out .. "/linkdir/secret.txt",
  a.out .. "/../outside/secret.txt", a.out .. "/..", a.out .. "/.", a.out, a.out .. "/", "", "/", ".", "..",
} do
  a.try("remove " .. path, os.remove, path)
end
a.done()
