-- crate: ro-crate-metadata.json, RO-Crate 1.1 with the Process Run Crate profile.
--
-- The crate of the tree describes what is committed: the sources, and the ledger and the picture that `make
-- record` wrote. The crate of the archive adds what was built: data, figures, documents, journals. Each experiment
-- is one action: the program, with the script and the seed as its objects, made a table of claims and others. No
-- action has a time, because nothing that was made depends on one; the archive is the same file whenever it is made.

local about = require "vesicle.publish.metadata.about"
local files = require "vesicle.publish.files"
local json = require "vesicle.publish.metadata.json"
local results = require "vesicle.publish.results"

local object = json.object
local profile = "https://w3id.org/ro/wfrun/process/0.5"
local formats = { tsv = "text/tab-separated-values", pdf = "application/pdf", svg = "image/svg+xml",
                  md = "text/markdown", lua = "text/x-lua", cff = "text/yaml",
                  json = "application/json", sqlite = "application/vnd.sqlite3" }

local function id(name) return object("@id", name) end

local function ids(names)
  local found = {}
  for i, name in ipairs(names) do found[i] = id(name) end
  return found
end

local folders = {
  { "csrc/", "The C sources: core, bindings, host" }, { "lua/", "Experiments and the experiment library" },
  { "figures/", "One gnuplot script per figure" }, { "paper/", "The report's LaTeX sources" },
  { "tests/", "Tests, and what a build is expected to give" }, { "docs/", "Metadata and measurements" },
}
local texts = {
  { "README.md", "What it is and how to use it" }, { "ARTIFACT.md", "For evaluators: claim by claim" },
  { "LICENSE", about.license_name }, { "CITATION.cff", "How to cite" }, { "codemeta.json", "Metadata of the software" },
  { "docs/claims.md", "Every claim with its verdict, as a page" },
  { "docs/ledger.tsv", "The same as a table" },
  { "docs/silences.tsv", "What became of the central statements under all readings" },
  { "docs/answer.svg", "One draw of the model, and many" },
  { "docs/silences.svg", "What survives the readings that the original leaves open" },
}

local Crate = {}
Crate.__index = Crate

function Crate:add(entity)
  self.entities[#self.entities + 1] = entity
  return entity["@id"]
end

function Crate:part(entity) self.parts[#self.parts + 1] = self:add(entity) end

function Crate:folder(path, name) self:part(object("@id", path, "@type", "Dataset", "name", name)) end

function Crate:file(path, name)
  self:part(object("@id", path, "@type", "File", "name", name, "encodingFormat", formats[path:match("%.(%w+)$")]))
end

--- One run of the program: from objects to results.
function Crate:action(name, says, objects, made)
  self.mentions[#self.mentions + 1] = self:add(object("@id", "#run-" .. name, "@type", "CreateAction", "name", says,
    "instrument", id("#vesicle"), "agent", id(about.authors[1].orcid or "#author-1"),
    "object", ids(objects), "result", ids(made),
    "actionStatus", "http://schema.org/CompletedActionStatus"))
end

--- What the archive holds below `folder`, as the packing script laid it out.
local function built(crate, folder, root)
  for _, name in ipairs { "paper.pdf", "supplement.pdf" } do
    if files.exists(root .. "/" .. folder .. name) then crate:file(folder .. name, "The " .. name:match("%a+")) end
  end
  crate:folder(folder .. "figures/", "The figures as PDF and SVG")
  crate:folder(folder .. "journal/", "Every replicate of every experiment, one SQLite file each")
  local tables = {}
  for _, name in ipairs(results.experiments()) do
    local dir = folder .. "data/" .. name .. "/"
    crate:folder(dir, "Data of " .. name)
    tables[#tables + 1] = dir
    local script = "lua/experiments/" .. name .. ".lua"
    crate:file(script, results.title(name))
    crate:action(name, "vesicle run " .. script, { script, "#seed" }, { dir })
  end
  crate:action("paper", "make paper", tables, { folder .. "paper.pdf", folder .. "supplement.pdf" })
end

local crates = {}

--- Stops unless every reference leads to an entity of the crate or to the web, no name stands twice, and every file is
--- there below `root`.
function crates.check(entities, root)
  local problems, known = files.problems(), {}
  for _, entity in ipairs(entities) do
    local name = entity["@id"]
    if known[name] then problems:add("%s stands twice", name) end
    known[name] = true
    if entity["@type"] == "File" and not files.exists(root .. "/" .. name) then
      problems:add("the file %s does not exist", name)
    end
  end
  for _, entity in ipairs(entities) do
    for key, value in pairs(entity) do
      for _, reference in ipairs(type(value) ~= "table" and {} or value["@id"] and { value } or value) do
        local target = type(reference) == "table" and reference["@id"]
        if target and not known[target] and not target:find("^https?://") then
          problems:add("%s of %s names %s, which is not described", key, entity["@id"], target)
        end
      end
    end
  end
  table.sort(problems)
  problems:raise("ro-crate-metadata.json")
end

--- The text of ro-crate-metadata.json; with a folder, of an archive that has the results there, unpacked in root.
function crates.text(folder, root)
  local crate = setmetatable({ entities = {}, parts = {}, mentions = {} }, Crate)
  for _, f in ipairs(folders) do crate:folder(f[1], f[2]) end
  for _, f in ipairs(texts) do crate:file(f[1], f[2]) end
  crate:action("record", "make record", { "lua/", "#seed" },
    { "docs/ledger.tsv", "docs/silences.tsv", "docs/answer.svg", "docs/silences.svg" })
  if folder then built(crate, folder, root) end
  crate:add(object("@id", "#vesicle", "@type", "SoftwareApplication", "name", about.name, "version", about.version,
    "softwareVersion", about.version, "description", about.abstract))
  crate:add(object("@id", "#seed", "@type", "PropertyValue", "name", "seed",
    "value", tostring(require("vesicle.base.deterministic").default_seed)))
  local authors = {}
  for i, person in ipairs(about.authors) do
    authors[i] = crate:add(object("@id", person.orcid or "#author-" .. i, "@type", person.name and "Organization" or
      "Person", "name", about.full_name(person)))
  end
  local license = "https://spdx.org/licenses/" .. about.license
  crate:add(object("@id", license, "@type", "CreativeWork", "name", about.license_name))
  crate:add(object("@id", profile, "@type", "CreativeWork", "name", "Process Run Crate", "version", "0.5"))
  local paper = "https://doi.org/" .. about.paper.doi
  crate:add(object("@id", paper, "@type", "ScholarlyArticle", "name", about.paper.title,
    "datePublished", tostring(about.paper.year)))
  table.insert(crate.entities, 1, object("@id", "./", "@type", "Dataset", "name", about.title,
    "description", about.abstract, "datePublished", about.date, "license", id(license),
    "conformsTo", id(profile), "author", ids(authors), "version", about.version, "keywords",
    table.concat(about.keywords, ", "), "citation", id(paper), "hasPart", ids(crate.parts),
    "mentions", ids(crate.mentions)))
  table.insert(crate.entities, 1, object("@id", "ro-crate-metadata.json", "@type", "CreativeWork",
    "conformsTo", id("https://w3id.org/ro/crate/1.1"), "about", id("./")))
  crates.check(crate.entities, root or ".")
  return json.encode(object("@context", { "https://w3id.org/ro/crate/1.1/context",
    "https://w3id.org/ro/terms/workflow-run/context" }, "@graph", crate.entities))
end

--- Task `crate`: the crate of an archive that is being packed in `out`.
return setmetatable(crates, { __call = function(_, settings)
  files.write(settings.out .. "/ro-crate-metadata.json", crates.text(settings.folder, settings.out))
end })
