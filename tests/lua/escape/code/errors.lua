-- expect: error
-- Errors that are objects with a mind of their own must not disturb who reports them.
local a = require "attempt"
for _, object in ipairs {
  setmetatable({}, { __tostring = function() error("x") end }), setmetatable({}, { __name = {} }),
  setmetatable({}, { __index = function() error("x") end, __tostring = function() return 1 end }),
} do
  pcall(error, object)
  xpcall(error, function(o) error(o) end, object)
end
a.done()
error(setmetatable({}, { __index = function(_, key) error(key) end, __tostring = function() error("again") end }))
