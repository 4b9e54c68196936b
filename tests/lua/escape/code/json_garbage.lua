-- expect: done
-- Texts that pretend to be a result.
local a = require "attempt"
local host = require "vesicle.base.host"
local state = 20211118
local function byte()
  state = (state * 1103515245 + 12345) & 0x7fffffff
  return string.char(state >> 16 & 255)
end
local ves = require "vesicle"
local good = host.json { 1, 2.5, 'x"', { a = true }, ves.vector { 1, 2 }, m = ves.matrix { { 1 } } }
for i = 1, 3000 do
  local at = i % #good + 1
  for _, field in ipairs { "", "4.a", "m" } do
    pcall(host.from_json, good:sub(1, at - 1) .. byte() .. good:sub(at + 1), field)
    pcall(host.from_json, good:sub(1, at), field)
  end
end
for _, text in ipairs { "[", "[[", "{", '{"', '{"a":', '"', '"\\', "1", "-", "1e", "nul", ",", "]" } do
  for _, n in ipairs { 1, 2, 10, 100000 } do
    pcall(host.from_json, text:rep(n))
    pcall(host.from_json, text:rep(n), "a.b")
    pcall(host.from_json, text:rep(n) .. "\0" .. text)
  end
end
a.done()
