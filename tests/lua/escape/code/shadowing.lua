-- expect: done
-- Functions the library itself uses, replaced by ones that look over its shoulder.
local a = require "attempt"
local seen = {}
local function spy(name, f)
  return function(...)
    for i = 1, select("#", ...) do seen[#seen + 1] = (select(i, ...)) end
    return f(...)
  end, name
end
type, rawget, next = spy("type", type), spy("rawget", rawget), spy("next", next) -- luacheck: ignore
table.remove, string.format = spy("remove", table.remove), spy("format", string.format) -- luacheck: ignore
local ex = require "vesicle.experiment"
local E = ex.new({ name = "shadowing" }, { out = a.out, quiet = true })
E:replicate { name = "main", n = 2, run = function(i) return i end }
E:finish()
for _, value in ipairs(seen) do
  if io.type(value) == nil and select("#", value) == 1 then
    a.try("called", function()
      if tostring(value):find("^function") then
        local good, result = pcall(value, a.root .. "/outside/secret.txt")
        return good and io.type(result) == "file"
      end
    end)
  end
end
a.done()
