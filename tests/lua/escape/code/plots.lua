-- expect: done
-- gnuplot can run programs and write files: a script does not get at it.
local a = require "attempt"
local ves = require "vesicle"
a.try("plot", function() ves.plot({ 1, 2, 3 }, { 1, 4, 9 }) return true end)
a.try("save", function() ves.plot.save("../outside/escaped.pdf") return true end)
a.try("a title that is a command", function()
  ves.plot({ 1, 2 }, { 1, 2 }, { title = "`touch ../outside/plotted`" })
  return true
end)
a.try("exists", function() return io.open(a.root .. "/outside/plotted") end)
a.done()
