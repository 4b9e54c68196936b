-- chapters: the list of the supplement's chapters.

local files = require "vesicle.publish.files"
local results = require "vesicle.publish.results"

return function(settings)
  local lines = {}
  for _, name in ipairs(results.experiments()) do lines[#lines + 1] = "\\input{" .. name .. "}" end
  files.write(settings.out .. "/chapters.tex", table.concat(lines, "\n") .. "\n")
end
