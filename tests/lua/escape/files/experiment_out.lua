-- expect: done
-- Experiments that write elsewhere.
local a = require "attempt"
local ex = require "vesicle.experiment"
for i, out in ipairs { a.outside, a.root .. "/outside", "linkdir", a.out .. "/linkdir", "/tmp", a.out .. "/.." } do
  a.try("finish in " .. out, function()
    ex.new({ name = a.mark .. i }, { out = out, quiet = true }):finish()
    return true
  end)
  a.try("replicate in " .. out, function()
    local E = ex.new({ name = a.mark .. i }, { out = out, quiet = true })
    return E:replicate { name = "main", n = 1, run = function() return 1 end }
  end)
end
a.try("a name with a way", function() ex.new({ name = "../outside" }):finish() return true end)
local E = ex.new({ name = "replaced" }, { out = a.out, quiet = true })
E.out, E.quiet = a.outside, true
a.try("another place afterwards", function() E:finish() return true end)
a.done()
