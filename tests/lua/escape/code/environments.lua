-- expect: done
-- Environments of functions: other tables, the same doors.
local a = require "attempt"
local programs = {
  "return os.execute('true')", "return io.popen('id')", "return io.open('../outside/secret.txt')",
  "return require('debug')", "return package.loadlib('libc.so.6', 'system')",
}
local inherited = setmetatable({}, { __index = _G })
local environments = { plain = _G, loaded = package.loaded, inherited = inherited, required = require "_G" }
for name, environment in pairs(environments) do
  for _, program in ipairs(programs) do
    a.try(name .. ": " .. program, function()
      return load(program, "=x", "t", environment)()
    end)
  end
end
a.try("no environment", function() return load("return os", "=x", "t", {})() end)
a.try("an environment in an upvalue", function()
  local _ENV = setmetatable({}, { __index = package.loaded }) -- luacheck: ignore
  return os.execute("true") -- luacheck: ignore
end)
a.try("a file in another environment", function() return loadfile("../outside/evil.lua", "t", {}) end)
a.try("the global table renamed", function()
  local g = _G
  _G = nil -- luacheck: ignore
  local result = g.io.open("../outside/secret.txt")
  _G = g -- luacheck: ignore
  return result
end)
a.done()
