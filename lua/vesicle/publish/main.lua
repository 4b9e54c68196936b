-- main: everything that is written or checked after the experiments have run, one task per call.
--
--     vesicle run --trust lua/vesicle/publish/main.lua --out DIR --set task=weave --set name=06_variance_components
--
-- A task is a module that is called with the settings and writes below DIR. The Makefile calls them; everything they
-- read is in the tree or in the results directory, and none of them runs a program.

local check = require "vesicle.base.check"
local files = require "vesicle.publish.files"
local host = require "vesicle.base.host"

local tasks = {
  -- chapters of the supplement, and the same as web pages
  weave = "weave", api = "api", trace = "trace", identifiers = "identifiers", provenance = "provenance", site = "site",
  -- the report
  macros = "macros", check_paper = "check_paper", latex_log = "latex_log", summary = "summary",
  -- are these the results that were committed?
  verify = "verify", expect = "expected", diff = "diff",
  -- pages in docs/, README.md, ARTIFACT.md, citation files
  record = "committed", generate = "generated", check_generated = "check_generated", crate = "metadata.crate",
}

local settings = { out = host.out, scale = host.scale }
for _, word in ipairs(host.set) do
  local key, value = word:match("^([^=]*)=(.*)$")
  settings[key] = value
end

require("vesicle.publish.results").with_own = settings.own == "1" -- experiments of a user, too

local task = tasks[settings.task]
if not task then
  local names = check.sorted_keys(tasks)
  files.stop(2, string.format("publish: there is no task `%s`%s (tasks: %s)", tostring(settings.task),
    check.suggestion(tostring(settings.task), names), table.concat(names, ", ")))
end

require("vesicle.publish." .. task)(setmetatable(settings, {
  __index = function(_, key) files.stop(2, "publish " .. settings.task .. ": --set " .. key .. "=... is missing") end,
}))
