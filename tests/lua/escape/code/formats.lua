-- expect: done
-- Formats and packings at their limits.
local a = require "attempt"
for _, format in ipairs { "%99999d", "%.99999f", "%s%s", "%q", "%", "%n", "%*d", "%" .. ("0"):rep(1000) .. "d" } do
  a.try("format " .. format, function() return not string.format(format, 1) end)
end
for _, format in ipairs { "i17", "!1000i", "s99", "Xi16", ("z"):rep(10), "c99999999999" } do
  a.try("pack " .. format, function() return not string.pack(format, "x") end)
  a.try("unpack " .. format, function() return not string.unpack(format, ("\255"):rep(20)) end)
end
a.try("date", function() return not os.date(("%c"):rep(1000)) end)
a.try("bad date", os.date, "%Ez%")
a.try("utf8", function() return not utf8.char(0x7fffffff) end)
a.try("random", function() return math.random(0) == nil end)
a.done()
