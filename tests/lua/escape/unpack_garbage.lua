-- expect: done
-- Bytes that pretend to be a packed result.
local a = require "attempt"
local host = require "vesicle.base.host"
local state = 20211118
local function byte()
  state = (state * 1103515245 + 12345) & 0x7fffffff
  return string.char(state >> 16 & 255)
end
local good = host.pack { 1, 2.5, "x", { a = true }, require("vesicle").vector { 1, 2 } }
for i = 1, 3000 do
  local at = i % #good + 1
  pcall(host.unpack, good:sub(1, at - 1) .. byte() .. good:sub(at + 1))
  pcall(host.unpack, good:sub(1, at))
end
for _, tag in ipairs { "v", "m", "t", "s" } do
  pcall(host.unpack, tag .. ("\255"):rep(16))
  pcall(host.unpack, tag .. ("\255"):rep(7) .. "\127" .. ("\0"):rep(32))
  pcall(host.unpack, tag .. ("\0"):rep(7) .. "\32" .. ("\0"):rep(7) .. "\32")
end
a.done()
