-- expect: done
-- Ever deeper: in Lua, in C, in the parser, in patterns, in metamethods.
local a = require "attempt"
local function deep() return 1 + deep() end
a.try("calls", deep)
local function deeper(n) return select("#", deeper(n + 1), n) end
a.try("more calls", deeper, 1)
a.try("replacements", function()
  local function f() return ("x"):gsub(".", f) end
  return f()
end)
a.try("metamethods", function()
  local t = {}
  setmetatable(t, { __index = function(self, key) return self[key .. "x"] end })
  return t.a
end)
a.try("a chain of tables", function()
  local t = {}
  setmetatable(t, { __index = t })
  return t.a
end)
a.try("handlers", function()
  local function f() error("again") end
  return (select(2, xpcall(f, f))) == nil
end)
a.try("pcall in pcall", function()
  local f = error
  for _ = 1, 100000 do
    local g = f
    f = function() return pcall(g) end
  end
  f()
end)
a.try("parentheses", function() return load("return " .. ("("):rep(100000) .. "1" .. (")"):rep(100000)) end)
a.try("blocks", function() return load(("do "):rep(100000) .. ("end "):rep(100000)) end)
a.try("functions", function() return load(("return function() "):rep(100000) .. ("end "):rep(100000)) end)
a.try("concatenations", function() return load("return " .. ("'x'.."):rep(100000) .. "'x'") end)
a.try("a pattern", function() return (("x"):rep(300000)):find(("(.)"):rep(100)) end)
a.try("coroutines", function()
  local function f() return coroutine.wrap(f)() end
  return f()
end)
a.try("tostring", function()
  local t = setmetatable({}, {})
  getmetatable(t).__tostring = function(self) return tostring(self) end
  return tostring(t)
end)
a.try("a nested result", function()
  local t = {}
  for _ = 1, 100000 do t = { t } end
  return require("vesicle.base.host").pack(t)
end)
a.done()
