-- expect: done
-- The host's own functions, called with places of our choice.
local a = require "attempt"
local host = require "vesicle.base.host"
local file = { { "escaped.tsv", "x" } }
local function journal(out, experiment)
  return host.replicate { out = out, experiment = experiment, name = "x", first = true, n = 1, seed = 1, quiet = true,
    description = {}, count = "", one = function() return 1 end, inputs = function() return "" end }
end
for _, out in ipairs {
  a.outside, a.root .. "/outside", ".", "/tmp", a.out .. "/../outside", a.out .. "/linkdir", "linkdir",
} do
  a.try("publish to " .. out, function() host.publish(out, "host_files", file) return true end)
  a.try("journal in " .. out, journal, out, "host_files")
end
for _, name in ipairs { "../escaped", "linkdir", "..", ".", "", "a/../../escaped", "/tmp/" .. a.mark } do
  a.try("publish as " .. name, function() host.publish(a.out, name, file) return true end)
end
for _, name in ipairs {
  "../escaped.tsv", "/tmp/" .. a.mark, "../linkdir/escaped.tsv", "..", "work.sqlite", "a.d",
  "a b.tsv", "$(x).tsv", ".tsv", "a\0.tsv",
} do
  a.try("publish the file " .. name, function() host.publish(a.out, "host_files", { { name, "x" } }) return true end)
end
for _, dir in ipairs { "/", "..", a.outside, "linkdir", a.out .. "/linkdir", "/root", "/proc/self/fd" } do
  a.try("list " .. dir, host.list, dir)
end
for _, path in ipairs { a.secret, "link", "linkdir/secret.txt", "/etc/passwd", "/etc/hostname" } do
  a.try("digest " .. path, host.digest, path)
end
for _, name in ipairs { "../work", "/tmp/" .. a.mark, "", "a/b", "a\0b", "..", ".", "none.txt/../../work" } do
  a.try("journal " .. name, journal, a.out, name)
end
for _, name in ipairs { "gnuplot", "read_line", "remember", "point" } do -- a planted line would run at the next prompt
  a.try("host." .. name, function() return host[name] or package.preload["vesicle.base.host"]()[name] end)
end
a.done()
