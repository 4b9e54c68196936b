-- expect: timeout
-- Some replicates end, the others never do and cannot be told to.
local a = require "attempt"
local E = require("vesicle.experiment").new({ name = "replicate_loop" }, { out = a.out, quiet = true })
E:replicate { name = "main", n = 8, run = function(i)
  if i <= 4 then return i end
  while true do pcall(string.find, ("a"):rep(60), ("a-"):rep(60) .. "b") end
end }
