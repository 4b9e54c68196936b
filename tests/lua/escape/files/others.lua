-- expect: done
-- What another experiment has in the same --out: its results, its list for make, its journal; also before it has any.
local a = require "attempt"
local host = require "vesicle.base.host"
local ex = require "vesicle.experiment"
local other = a.out .. "/other"

local function journal(spec)
  local whole = { out = a.out, experiment = "others", name = "x", first = true, n = 1, seed = 1, quiet = true,
    description = {}, count = "", one = function() return 1 end, inputs = function() return "" end }
  for key, value in next, spec do whole[key] = value end
  return host.replicate(whole)
end
for _, name in ipairs { "other", "new", "others-over-x", "others.sweep", "Others", "others2", "attempt" } do
  a.try("journal " .. name, journal, { experiment = name })
  a.try("publish " .. name, function() host.publish(a.out, name, { { "claims.tsv", "ESCAPED" } }) return true end)
  a.try("an experiment called " .. name, function() return ex.new { name = name } end)
  a.try("its replicates", function()
    return ex.new({ name = name }, { out = a.out }):replicate { name = "main", n = 1, run = function() return 1 end }
  end)
  a.try("its results", function() ex.new({ name = name }, { out = a.out }):finish() return true end)
end
for _, out in ipairs { a.out .. "/sub", a.out .. "/other", a.out .. "/new", a.out .. "/sub/../../out/sub", "." } do
  a.try("journal in " .. out, journal, { out = out })
  a.try("publish in " .. out, function() host.publish(out, "others", { { "claims.tsv", "x" } }) return true end)
end
for _, say in ipairs { "name", "script", "out", "sandboxed", "command" } do host[say] = "other" end
a.try("an experiment of another after saying so", function()
  ex.new({ name = "other" }, { out = a.out }):finish()
  return true
end)
for _, path in ipairs { other .. "/claims.tsv", other .. "/more.tsv", a.out .. "/sub/../other/claims.tsv" } do
  a.write(path)
  a.try("remove " .. path, os.remove, path)
  a.try("rename " .. path, os.rename, path, a.out .. "/taken")
end
assert(io.open(a.out .. "/mine", "w")):write("ESCAPED"):close()
for _, path in ipairs {
  other .. "/claims.tsv", other .. "/x", a.out .. "/other.d", a.out .. "/new.d", a.out .. "/others.d",
  a.out .. "/x.d.part",
  a.out .. "/other.sqlite", a.out .. "/.d",
} do
  a.write(path)
  a.try("put at " .. path, os.rename, a.out .. "/mine", path)
end
a.try("move its folder away", os.rename, other, a.out .. "/sub/other")
a.try("move a folder", os.rename, a.out .. "/sub", a.out .. "/new")
a.try("remove its folder", os.remove, other)
a.try("a list of one's own", function()
  host.publish(a.out, "others", { { "claims.tsv", "x" } }, "$(shell touch escaped)")
  return true
end)
host.publish(a.out, "others", { { "claims.tsv", "x" } }, { "x\nanother line", "clean" }, { "\n" })
for line in io.lines(a.out .. "/others.d") do
  a.try("a line of its own", function() return not line:find("^%l+ %S") and line end)
end
a.done()
