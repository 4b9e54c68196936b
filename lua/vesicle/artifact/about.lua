-- about: the facts of docs/metadata.lua, with what the tree itself knows added and everything checked for presence.

local files = require "vesicle.publish.files"

local wanted = { "name", "title", "abstract", "message", "authors", "date", "license", "license_name", "keywords",
                 "languages", "systems", "status", "requirements", "paper" }

local chunk = assert(load(files.read("docs/metadata.lua"), "@docs/metadata.lua", "t", {}))
local about = chunk()
for _, key in ipairs(wanted) do
  if about[key] == nil then files.stop(1, "docs/metadata.lua: `" .. key .. "` is missing") end
end

--- The version is the Makefile's.
about.version = files.read("Makefile"):match("\nVERSION := (%S+)")
about.paper.url = "https://arxiv.org/abs/" .. about.paper.arxiv
about.paper.doi = "10.48550/arXiv." .. about.paper.arxiv

--- "Given Family" or the whole name.
function about.full_name(person) return person.name or person.given .. " " .. person.family end

return about
