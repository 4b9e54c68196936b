-- spec: what the specifications of the metadata files demand, checked on the files as they are.
--
-- CITATION.cff: Citation File Format 1.2.0. codemeta.json: CodeMeta 3.0. .zenodo.json: the deposit metadata of Zenodo's
-- REST interface. ro-crate-metadata.json: RO-Crate 1.1 and Process Run Crate 0.5. Where a published schema can be had,
-- `make check-metadata` uses it as well.

local files = require "vesicle.publish.files"
local json = require "vesicle.artifact.json"

local spec = {}

local function list(value)
  if type(value) ~= "table" then return { value } end
  return value[1] ~= nil and value or { value }
end

local function date(text) return type(text) == "string" and text:find("^%d%d%d%d%-%d%d%-%d%d$") ~= nil end

local function set(words)
  local found = {}
  for word in words:gmatch("%S+") do found[word] = true end
  return found
end

--- The keys of a table in a fixed order.
local function sorted(value)
  local names = {}
  for key in pairs(value) do names[#names + 1] = key end
  table.sort(names)
  return names
end

--- Required top-level keys, and no unknown one.
local function keys(problems, file, value, required, optional)
  local known = set(required .. " " .. optional)
  for key in required:gmatch("%S+") do
    if value[key] == nil or value[key] == "" then problems:add("%s: `%s` is missing", file, key) end
  end
  for _, key in ipairs(sorted(value)) do
    if not known[key] then problems:add("%s: `%s` is no key of the format", file, key) end
  end
end

--- CITATION.cff, as far as its top level goes: this reader knows block mappings and sequences, and quoted scalars.
function spec.citation(problems, text)
  local file, top, authors, inside = "CITATION.cff", {}, 0, nil
  for line in text:gmatch("[^\n]+") do
    local key, value = line:match("^([%a-]+):%s*(.*)$")
    if key then
      if top[key] then problems:add("%s: `%s` stands twice", file, key) end
      inside = key
      top[key] = value:match('^"(.*)"$') or (value == "" and "a block" or value)
    elseif inside == "authors" and line:find("^  %- ") then
      authors = authors + 1
      if not line:find("^  %- name: ") and not line:find("^  %- family%-names: ") then
        problems:add("%s: an author is an entity with a name or a person with family-names", file)
      end
    end
  end
  keys(problems, file, top, "cff-version message title authors",
    "abstract commit contact date-released doi identifiers keywords license license-url preferred-citation "
    .. "references repository repository-artifact repository-code type url version")
  if top["cff-version"] ~= "1.2.0" then problems:add("%s: cff-version is not 1.2.0", file) end
  if authors == 0 then problems:add("%s: there is no author", file) end
  if top["date-released"] and not date(top["date-released"]) then
    problems:add("%s: date-released is no date", file)
  end
  if top.type and not set("software dataset")[top.type] then problems:add("%s: type %s", file, top.type) end
end

local codemeta_terms = "type id name description author version dateModified datePublished dateCreated license "
  .. "keywords programmingLanguage operatingSystem softwareRequirements developmentStatus readme referencePublication "
  .. "codeRepository issueTracker identifier funder maintainer buildInstructions contributor applicationCategory url"

function spec.codemeta(problems, text)
  local file, value = "codemeta.json", json.decode(text)
  keys(problems, file, value, "@context type name description author version license", codemeta_terms)
  if value["@context"] ~= "https://w3id.org/codemeta/3.0" then problems:add("%s: not CodeMeta 3.0", file) end
  if value.type ~= "SoftwareSourceCode" then problems:add("%s: type %s", file, tostring(value.type)) end
  if not tostring(value.license):find("^https://spdx%.org/licenses/[%w.-]+$") then
    problems:add("%s: the licence is no SPDX address", file)
  end
  for _, key in ipairs { "dateModified", "datePublished" } do
    if value[key] and not date(value[key]) then problems:add("%s: %s is no date", file, key) end
  end
  local statuses = set "concept wip suspended abandoned active inactive unsupported moved"
  if value.developmentStatus and not statuses[value.developmentStatus] then
    problems:add("%s: developmentStatus %s", file, value.developmentStatus)
  end
  for _, person in ipairs(list(value.author)) do
    if not (person.type == "Organization" and person.name) and not (person.type == "Person" and person.familyName) then
      problems:add("%s: an author is a Person or an Organization with a name", file)
    end
  end
end

function spec.zenodo(problems, text)
  local file, value = ".zenodo.json", json.decode(text)
  keys(problems, file, value, "title upload_type description creators",
    "version publication_date access_right license language keywords related_identifiers contributors notes doi "
    .. "references communities grants subjects publication_type image_type prereserve_doi locations dates method")
  local types = set "publication poster presentation dataset image video software lesson physicalobject other"
  if not types[value.upload_type] then problems:add("%s: upload_type %s", file, tostring(value.upload_type)) end
  if value.publication_date and not date(value.publication_date) then
    problems:add("%s: publication_date is no date", file)
  end
  if value.access_right and not set("open embargoed restricted closed")[value.access_right] then
    problems:add("%s: access_right %s", file, value.access_right)
  end
  for _, person in ipairs(list(value.creators)) do
    if not person.name then problems:add("%s: a creator has no name", file) end
  end
  local relations = set("isCitedBy cites isSupplementTo isSupplementedBy isContinuedBy continues isDescribedBy "
    .. "describes hasMetadata isMetadataFor isNewVersionOf isPreviousVersionOf isPartOf hasPart isReferencedBy "
    .. "references isDocumentedBy documents isCompiledBy compiles isVariantFormOf isOriginalFormof isIdenticalTo "
    .. "isAlternateIdentifier isReviewedBy reviews isDerivedFrom isSourceOf requires "
    .. "isRequiredBy isObsoletedBy obsoletes")
  for _, related in ipairs(value.related_identifiers or {}) do
    if not related.identifier or not relations[related.relation] then
      problems:add("%s: related identifier %s, relation %s", file, tostring(related.identifier),
        tostring(related.relation))
    end
  end
end

local function has_type(entity, wanted)
  for _, name in ipairs(list(entity["@type"])) do
    if name == wanted then return true end
  end
  return false
end

--- Every reference leads somewhere, every part exists below `root`, every action has an instrument and a result.
function spec.crate(problems, text, root)
  local file, crate = "ro-crate-metadata.json", json.decode(text)
  local by_id = {}
  if list(crate["@context"])[1] ~= "https://w3id.org/ro/crate/1.1/context" then
    problems:add("%s: the context is not RO-Crate 1.1's", file)
  end
  for _, entity in ipairs(crate["@graph"]) do
    local id = entity["@id"]
    if not id or not entity["@type"] then problems:add("%s: an entity without @id or @type", file) end
    if by_id[id] then problems:add("%s: %s stands twice", file, id) end
    by_id[id] = entity
  end
  local descriptor, dataset = by_id["ro-crate-metadata.json"], by_id["./"]
  if not descriptor or not dataset then return problems:add("%s: no descriptor or no root", file) end
  if descriptor.about["@id"] ~= "./" or descriptor.conformsTo["@id"] ~= "https://w3id.org/ro/crate/1.1" then
    problems:add("%s: the descriptor does not describe ./ as RO-Crate 1.1", file)
  end
  for _, key in ipairs { "name", "description", "datePublished", "license" } do
    if not dataset[key] then problems:add("%s: the root has no %s", file, key) end
  end
  if not date(dataset.datePublished) then problems:add("%s: datePublished is no date", file) end
  for _, entity in ipairs(crate["@graph"]) do
    for _, key in ipairs(sorted(entity)) do
      for _, reference in ipairs(list(entity[key])) do
        local target = type(reference) == "table" and reference["@id"]
        if target and not by_id[target] and not target:find("^https?://") then
          problems:add("%s: %s of %s names %s, which is not described", file, key, entity["@id"], target)
        end
      end
    end
    local local_path = not entity["@id"]:find("^[#h]") and entity["@id"] ~= "./"
    if local_path and has_type(entity, "File") and not files.exists(root .. "/" .. entity["@id"]) then
      problems:add("%s: the file %s does not exist", file, entity["@id"])
    end
    if has_type(entity, "Dataset") and not entity["@id"]:find("/$") then
      problems:add("%s: the folder %s must end in a slash", file, entity["@id"])
    end
    if has_type(entity, "CreateAction") then
      if not entity.instrument or not entity.result then
        problems:add("%s: the action %s has no instrument or no result", file, entity["@id"])
      elseif not has_type(by_id[entity.instrument["@id"]] or {}, "SoftwareApplication") then
        problems:add("%s: the instrument of %s is no SoftwareApplication", file, entity["@id"])
      end
    end
  end
  local profile = dataset.conformsTo and dataset.conformsTo["@id"] or ""
  if not profile:find("^https://w3id%.org/ro/wfrun/process/") then
    problems:add("%s: the root does not conform to Process Run Crate", file)
  end
  if not dataset.mentions then problems:add("%s: the root mentions no action", file) end
  return problems
end

--- All four, of the tree.
function spec.tree(problems)
  spec.citation(problems, files.read("CITATION.cff"))
  spec.codemeta(problems, files.read("codemeta.json"))
  spec.zenodo(problems, files.read(".zenodo.json"))
  spec.crate(problems, files.read("ro-crate-metadata.json"), ".")
end

return spec
