-- expect: done
-- The host's functions, called with more arguments than they take and with wrong ones: each returns or raises an error.
-- (begin obliges to finish, and would end this with an error.)
local a = require "attempt"
local host = require "vesicle.base.host"
local ves = require "vesicle"
local code = ves.code { n = 3, lo = 0, hi = 1, sigma = 0.5 }
local net = ves.network { input = code, output = code, rng = ves.rng(1) }
local values = { "text", 7, true, {}, net, print, io.stdout, a.out, "host_arguments", math.huge, "\0" }
local names = {}
for name, f in next, host do if type(f) == "function" and name ~= "begin" then names[#names + 1] = name end end
table.sort(names)
for _, name in ipairs(names) do
  for first = 0, #values do
    for second = 0, #values do
      pcall(host[name], values[first], values[second], values[second], first, second)
      collectgarbage("step")
    end
  end
end
a.done()
