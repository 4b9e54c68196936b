-- expect: done
-- Bytecode in a file, through loadfile, dofile and require.
local a = require "attempt"
a.try("loadfile", function() return loadfile("bytecode.luac") end)
a.try("loadfile b", function() return loadfile("bytecode.luac", "b") end)
a.try("loadfile bt", function() return loadfile("bytecode.luac", "bt", {}) end)
a.try("dofile", function() dofile("bytecode.luac") return true end)
package.path = "./?.luac;" .. package.path
a.try("require", require, "bytecode")
local rank = require("vesicle.base.host").rank or 0 -- of an MPI job: each writes a file of its own
local copied, shebang = "copied" .. rank, "shebang" .. rank
local copy = assert(io.open("bytecode.luac", "rb")):read("a")
assert(io.open(a.out .. "/" .. copied .. ".lua", "wb")):write(copy):close()
package.path = a.out .. "/?.lua"
a.try("require what we wrote", require, copied)
assert(io.open(a.out .. "/" .. shebang .. ".lua", "wb")):write("#!\n", copy):close()
a.try("behind a first line", require, shebang)
a.try("behind a first line, loadfile", function() return loadfile(a.out .. "/" .. shebang .. ".lua", "bt") end)
os.remove(a.out .. "/" .. copied .. ".lua")
os.remove(a.out .. "/" .. shebang .. ".lua")
a.done()
