-- about: the facts of docs/metadata.lua, with what the tree itself knows added, and everything a person can get wrong
-- in them checked.

local files = require "vesicle.publish.files"

local wanted = { "name", "title", "abstract", "message", "authors", "date", "license", "license_name", "keywords",
                 "languages", "systems", "status", "requirements", "paper" }
local statuses = "concept wip suspended abandoned active inactive unsupported moved" -- of CodeMeta's developmentStatus

local about = assert(load(files.read("docs/metadata.lua"), "@docs/metadata.lua", "t", {}))()

local problems = files.problems()
for _, key in ipairs(wanted) do
  if about[key] == nil then problems:add("`%s` is missing", key) end
end
problems:raise("docs/metadata.lua")
if not about.date:find("^%d%d%d%d%-%d%d%-%d%d$") then problems:add("date %s is not YYYY-MM-DD", about.date) end
if not about.license:find("^[%w.-]+$") then problems:add("license %s is no SPDX identifier", about.license) end
if not statuses:find("%f[%l]" .. about.status .. "%f[%L]") then
  problems:add("status %s is none of: %s", about.status, statuses)
end
for _, people in ipairs { about.authors, about.paper.authors } do
  for i, person in ipairs(people) do
    if not person.name and not (person.family and person.given) then
      problems:add("author %d has neither a name nor both family and given", i)
    end
  end
end
problems:raise("docs/metadata.lua")

--- The version is the Makefile's.
about.version = files.read("Makefile"):match("\nVERSION := (%S+)")
about.paper.url = "https://arxiv.org/abs/" .. about.paper.arxiv
about.paper.doi = "10.48550/arXiv." .. about.paper.arxiv

--- "Given Family" or the whole name.
function about.full_name(person) return person.name or person.given .. " " .. person.family end

return about
