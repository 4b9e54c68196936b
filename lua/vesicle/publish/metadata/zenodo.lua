-- zenodo: .zenodo.json, the deposit metadata of Zenodo's REST interface.

local about = require "vesicle.publish.metadata.about"
local json = require "vesicle.publish.metadata.json"

local object = json.object

--- The text of .zenodo.json.
return function()
  local creators = {}
  for i, person in ipairs(about.authors) do
    creators[i] = object("name", person.name or person.family .. ", " .. person.given, "orcid", person.orcid)
  end
  return json.encode(object(
    "title", about.title,
    "upload_type", "software",
    "description", "<p>" .. about.abstract .. "</p>",
    "creators", creators,
    "version", about.version,
    "publication_date", about.date,
    "access_right", "open",
    "license", about.license,
    "language", "eng",
    "keywords", about.keywords,
    "related_identifiers", { object("identifier", "arXiv:" .. about.paper.arxiv, "relation", "isDerivedFrom",
      "scheme", "arxiv", "resource_type", "publication-preprint") }))
end
