-- expect: done
-- The journal of finished replicates, which lies below --out and is not ours.
local a = require "attempt"
local E = require("vesicle.experiment").new({ name = "journal" }, { out = a.out, quiet = true })
E:replicate { name = "main", n = 4, run = function(i) return i end }
local journal = a.out .. "/journal.sqlite"
a.write(journal)
a.write(journal .. "-journal")
a.write(journal .. "-wal")
a.write(a.out .. "/./journal.sqlite")
a.write(a.out .. "/sub/../journal.sqlite")
a.try("remove", os.remove, journal)
a.try("remove by a detour", os.remove, a.out .. "/./journal.sqlite")
a.try("rename", os.rename, journal, a.out .. "/gone")
assert(io.open(a.out .. "/forged", "w")):write("not a journal"):close()
a.try("replace", os.rename, a.out .. "/forged", journal)
a.try("a forged journal", os.rename, a.out .. "/forged", a.out .. "/other.sqlite")
os.remove(a.out .. "/forged")
E:finish()
a.done()
