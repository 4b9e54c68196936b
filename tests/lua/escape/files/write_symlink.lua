-- expect: done
-- Writing through links below --out that lead elsewhere.
local a = require "attempt"
for _, name in ipairs {
  "link", "linkdir/escaped", "linkdir/secret.txt", "dangling", "dangling/escaped", "up/outside/escaped",
} do
  a.write(a.out .. "/" .. name)
end
a.done()
