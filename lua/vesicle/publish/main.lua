-- main: the publishing tools, one task per call.
--
--     vesicle run lua/vesicle/publish/main.lua --out DIR --set task=weave --set name=06_variance_components
--
-- A task is the module of its name beside this one: a function that takes the settings and writes below
-- DIR. The Makefile calls them; everything they read is in the tree or in the results directory, and
-- none of them runs a program.

local check = require "vesicle.base.check"
local host = require "vesicle.base.host"

local tasks = { "api", "bundle", "chapters", "checkpaper", "expect", "judgelog", "provenance", "report", "site",
                "trace", "verify", "weave" }

local function stop(message) error({ exit_code = 2, message = message }, 0) end

local settings = { out = host.out, scale = host.scale }
for _, word in ipairs(host.set) do
  local key, value = word:match("^([^=]*)=(.*)$")
  settings[key] = value
end

local known = false
for _, task in ipairs(tasks) do known = known or task == settings.task end
if not known then
  stop(string.format("publish: there is no task `%s`%s (tasks: %s)", tostring(settings.task),
    check.suggestion(tostring(settings.task), tasks), table.concat(tasks, ", ")))
end

require("vesicle.publish." .. settings.task)(setmetatable(settings, {
  __index = function(_, key) stop("publish " .. settings.task .. ": --set " .. key .. "=... is missing") end,
}))
