-- expect: done
-- What the environment says, and what the locale would change.
local a = require "attempt"
for _, name in ipairs { "SECRET_VARIABLE", "HOME", "PATH", "USER", "LUA_PATH", "LUA_INIT" } do
  a.try("variable " .. name, os.getenv, name)
end
a.try("locale", os.setlocale, "C.UTF-8")
a.try("locale by category", os.setlocale, "C", "numeric")
a.done()
