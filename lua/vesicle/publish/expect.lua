-- expect: makes the results at hand the expectation of `make verify`.

local expectation = require "vesicle.publish.expectation"
local files = require "vesicle.publish.files"

return function(settings)
  local path = settings.out .. "/" .. settings.scale .. ".tsv"
  local rows = expectation.collect(settings.results)
  files.write(path, expectation.text(rows, settings.scale))
  io.stdout:write(string.format("  %s: %d facts\n", path, #rows))
end
