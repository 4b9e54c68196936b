-- codemeta: codemeta.json, CodeMeta 3.0 (terms of schema.org and a few of its own).

local about = require "vesicle.publish.metadata.about"
local json = require "vesicle.publish.metadata.json"

local object = json.object

local function people(list)
  local found = {}
  for i, person in ipairs(list) do
    found[i] = person.name and object("type", "Organization", "name", person.name)
      or object("type", "Person", "id", person.orcid, "givenName", person.given, "familyName", person.family)
  end
  return found
end

--- The text of codemeta.json.
return function()
  local paper = about.paper
  return json.encode(object(
    "@context", "https://w3id.org/codemeta/3.0",
    "type", "SoftwareSourceCode",
    "name", about.name,
    "description", about.abstract,
    "author", people(about.authors),
    "version", about.version,
    "dateModified", about.date,
    "datePublished", about.date,
    "license", "https://spdx.org/licenses/" .. about.license,
    "keywords", about.keywords,
    "programmingLanguage", about.languages,
    "operatingSystem", about.systems,
    "softwareRequirements", about.requirements,
    "developmentStatus", about.status,
    "readme", "README.md",
    "referencePublication", object("type", "ScholarlyArticle", "id", "https://doi.org/" .. paper.doi,
      "name", paper.title, "author", people(paper.authors), "datePublished", tostring(paper.year), "url", paper.url)))
end
