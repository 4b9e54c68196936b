-- expect: done
-- The module that walks through upvalues must not show what it sees.
local a = require "attempt"
local reach = require "vesicle.experiment.reach"
local seen = {}
local spying = setmetatable({}, { __index = function(_, key) seen[#seen + 1] = key end })
for _, from in ipairs { io.open, io.lines, require, dofile, load, package.searchers, _G, package.loaded } do
  pcall(reach.find, from, spying, spying)
end
a.try("spied", function() return #seen > 0 end)
a.try("found", function() return next(reach.find(io.open, { [1] = 1 }, {})) end)
a.done()
