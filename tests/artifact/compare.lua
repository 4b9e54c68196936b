-- The judgement of `make verify` between two builds: --set here=DIR --set there=DIR --set only="NAME NAME ...".
local expected = require "vesicle.publish.expected"
local files = require "vesicle.publish.files"
local host = require "vesicle.base.host"
local results = require "vesicle.publish.results"
local verify = require "vesicle.publish.verify"

local settings = {}
for _, word in ipairs(host.set) do
  local key, value = word:match("^(%l+)=(.*)$")
  settings[key] = value
end
local names = {}
for name in settings.only:gmatch("%S+") do names[#names + 1] = name end
results.experiments = function() return names end

local report = verify.compare(expected.collect(settings.here), expected.collect(settings.there))
print(string.format("   %d facts identical, %d equivalent, %d different", report.identical, #report.equivalent,
  #report.different))
for _, level in ipairs { "different", "equivalent" } do
  for i = 1, math.min(12, #report[level]) do print("   " .. level .. ": " .. report[level][i]) end
end
print("verify: " .. report.level)
if report.level == "different" then files.stop(4, "the two builds differ") end
