-- main: the tools of the artifact, one task per call.
--
--     vesicle run lua/vesicle/artifact/main.lua --trust --out . --set task=pages
--
--   metadata   CITATION.cff, codemeta.json, .zenodo.json, ro-crate-metadata.json, from docs/metadata.lua
--   record     docs/ledger.tsv and docs/timings.tsv, from the results of a build at full scale
--   pages      ARTIFACT.md, and the generated parts of README.md, from docs/*.tsv
--   check      is all of the above up to date and as its specification wants it?
--   crate      ro-crate-metadata.json of an archive

local files = require "vesicle.publish.files"
local host = require "vesicle.base.host"

local settings = { out = host.out }
for _, word in ipairs(host.set) do
  local key, value = word:match("^([^=]*)=(.*)$")
  settings[key] = value
end

--- Generated files of the tree: name, and what it should contain.
local function generated()
  local pages = require "vesicle.artifact.pages"
  return {
    { "CITATION.cff", require("vesicle.artifact.citation")() },
    { "codemeta.json", require("vesicle.artifact.codemeta")() },
    { ".zenodo.json", require("vesicle.artifact.zenodo")() },
    { "ro-crate-metadata.json", require("vesicle.artifact.crate")() },
    { "ARTIFACT.md", pages.artifact() },
    { "README.md", pages.readme(files.read("README.md")) },
  }
end

local function write(first, last)
  local all = generated()
  for i = first, last do files.write(settings.out .. "/" .. all[i][1], all[i][2]) end
end

local tasks = {}

function tasks.metadata() write(1, 4) end

function tasks.pages() write(5, 6) end

function tasks.record() require("vesicle.artifact.record")(settings.out, settings.results) end

function tasks.crate()
  files.write(settings.out .. "/ro-crate-metadata.json",
    require("vesicle.artifact.crate")(settings.folder, settings.out))
end

function tasks.check()
  local problems = files.problems()
  for _, file in ipairs(generated()) do
    if not files.exists(file[1]) or files.read(file[1]) ~= file[2] then
      problems:add("%s is not what its source says; `make metadata` writes it", file[1])
    end
  end
  require("vesicle.artifact.stale")(problems, settings.results)
  require("vesicle.artifact.spec").tree(problems)
  problems:raise("the artifact's files")
end

local task = tasks[settings.task]
if not task then
  files.stop(2, "artifact: there is no task `" .. tostring(settings.task)
    .. "` (tasks: metadata, record, pages, check, crate)")
end
task()
