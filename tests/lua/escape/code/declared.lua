-- expect: done
-- What the host looks at after the script.
local a = require "attempt"
setmetatable(package.loaded, { __index = function() error("looked at") end })
package.loaded["vesicle.base.host"] = setmetatable({}, { __index = function() error("looked at") end })
a.done()
