-- expect: done
-- Programs, by every name os.execute might still have.
local a = require "attempt"
local marker = a.root .. "/outside/executed"
for name, library in pairs { os = os, loaded = package.loaded.os, required = require "os", raw = rawget(_G, "os") } do
  a.try("execute by " .. name, function()
    library.execute("touch " .. marker)
    return io.open(marker)
  end)
  a.try("shell by " .. name, function() return library.execute() end)
end
a.try("wrapped", function() return coroutine.wrap(os.execute)("true") end)
a.try("as a metamethod", function() return setmetatable({}, { __index = os.execute }).id end)
a.try("as a sort", function() table.sort({ "touch " .. marker, "true" }, os.execute) return io.open(marker) end)
a.try("as a replacement", function() return (("true"):gsub("true", os.execute)) == "nil" end)
a.done()
