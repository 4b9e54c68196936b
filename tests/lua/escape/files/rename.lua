-- expect: done
-- Moving things out, in, and through links.
local a = require "attempt"
local function made(name)
  assert(io.open(a.out .. "/" .. name, "w")):write("x"):close()
  return a.out .. "/" .. name
end
a.try("out", function() return os.rename(made("moved"), "../outside/moved") end)
a.try("to the working directory", function() return os.rename(made("moved"), "moved") end)
a.try("in", function() return os.rename(a.secret, a.out .. "/stolen") end)
a.try("in by an absolute name", function() return os.rename(a.root .. "/outside/secret.txt", a.out .. "/stolen") end)
a.try("in from the working directory", function() return os.rename("where.txt", a.out .. "/stolen") end)
a.try("through a link", function() return os.rename(a.out .. "/linkdir/secret.txt", a.out .. "/stolen") end)
a.try("out through a link", function() return os.rename(made("moved"), a.out .. "/linkdir/moved") end)
a.try("up", function() return os.rename(made("moved"), a.out .. "/../moved") end)
a.try("the directory itself", function() return os.rename(a.out, a.out .. "2") end)
a.try("the directory by a dot", function() return os.rename(a.out .. "/.", a.out .. "/x") end)
a.try("the directory above", function() return os.rename(a.out .. "/sub/..", a.out .. "/x") end)
os.remove(a.out .. "/moved")
a.done()
