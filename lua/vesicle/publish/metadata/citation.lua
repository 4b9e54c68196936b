-- citation: CITATION.cff, Citation File Format 1.2.0.

local about = require "vesicle.publish.metadata.about"

--- A YAML scalar that needs no escapes beyond the double quotes around it.
local function quote(text) return '"' .. text:gsub('[\\"]', "\\%0") .. '"' end

local function people(list, indent)
  local lines = {}
  for _, person in ipairs(list) do
    if person.name then
      lines[#lines + 1] = indent .. "- name: " .. quote(person.name)
    else
      lines[#lines + 1] = indent .. "- family-names: " .. quote(person.family)
      lines[#lines + 1] = indent .. "  given-names: " .. quote(person.given)
      if person.orcid then lines[#lines + 1] = indent .. "  orcid: " .. quote(person.orcid) end
    end
  end
  return table.concat(lines, "\n")
end

--- The text of CITATION.cff.
return function()
  local paper, keywords = about.paper, {}
  for i, word in ipairs(about.keywords) do keywords[i] = "  - " .. quote(word) end
  return table.concat({
    "# Written by `make metadata` from docs/metadata.lua.",
    "cff-version: 1.2.0",
    "message: " .. quote(about.message),
    "type: software",
    "title: " .. quote(about.title),
    "abstract: " .. quote(about.abstract),
    "authors:",
    people(about.authors, "  "),
    "version: " .. quote(about.version),
    "date-released: " .. quote(about.date),
    "license: " .. quote(about.license),
    "keywords:",
    table.concat(keywords, "\n"),
    "references:",
    "  - type: article",
    "    title: " .. quote(paper.title),
    "    authors:",
    people(paper.authors, "      "),
    "    year: " .. paper.year,
    "    doi: " .. quote(paper.doi),
    "    url: " .. quote(paper.url),
    "    identifiers:",
    "      - type: other",
    "        value: " .. quote("arXiv:" .. paper.arxiv),
    "        description: The preprint.",
  }, "\n") .. "\n"
end
