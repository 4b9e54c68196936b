-- expect: done
-- Data files of an experiment.
local a = require "attempt"
local ves = require "vesicle"
local E = require("vesicle.experiment").new({ name = "observe" }, { out = a.out, quiet = true })
local code = ves.code { n = 4, lo = 0, hi = 1, sigma = 0.3 }
local net = ves.network { input = code, output = code, prior_a = { 1, 1 }, prior_b = { 1, 1 } }
for _, path in ipairs { "../outside/data.tsv", a.root .. "/outside/data.tsv", "linkdir/data.tsv", a.secret, "link" } do
  a.try("observe " .. path, function() return E:observe(net, path) end)
  local _, why = pcall(function() return E:observe(net, path) end)
  a.try("observe tells", function() return tostring(why):find("SECRET", 1, true) end)
end
E:finish()
a.done()
