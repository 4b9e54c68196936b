-- generated: the committed files that `make metadata` writes, and what each of them should contain.

local files = require "vesicle.publish.files"
local pages = require "vesicle.publish.pages"

local generated = {}

local function metadata(name) return require("vesicle.publish.metadata." .. name) end
local function with_parts(path) return function() return pages.with_parts(path) end end

--- The files: { path, function that makes its text } each. The crate comes last, because it looks for the others.
generated.files = {
  { "CITATION.cff", metadata "citation" }, { "codemeta.json", metadata "codemeta" },
  { ".zenodo.json", metadata "zenodo" }, { "docs/claims.md", pages.claims }, { "docs/figures.md", pages.figures },
  { "ARTIFACT.md", pages.artifact }, { "README.md", with_parts "README.md" },
  { "CHANGELOG.md", with_parts "CHANGELOG.md" },
  { "ARCHITECTURE.md", with_parts "ARCHITECTURE.md" }, { "ro-crate-metadata.json", metadata "crate".text },
}

--- Task `generate`.
return setmetatable(generated, { __call = function(_, settings)
  for _, file in ipairs(generated.files) do files.write(settings.out .. "/" .. file[1], file[2]()) end
end })
