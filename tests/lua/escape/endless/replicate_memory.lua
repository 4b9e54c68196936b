-- expect: memory
-- One replicate of several takes all there is.
local a = require "attempt"
local E = require("vesicle.experiment").new({ name = "replicate_memory" }, { out = a.out, quiet = true })
E:replicate { name = "main", n = 6, run = function(i)
  local t = {}
  while i == 4 do t[#t + 1] = ("x"):rep(1 << 20) .. #t end
  return i
end }
