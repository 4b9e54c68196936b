-- declared: the parameters that an experiment declares, as the page that plays with it needs them.
--
-- The script is run up to its call of ex.new, which is asked what it would be with either scale and goes no further:
-- nothing is computed. A parameter is { name, kind, full, quick, about, range }; values are texts, as `--set` has them.

local ex = require "vesicle.experiment"
local files = require "vesicle.publish.files"
local host = require "vesicle.base.host"
local params = require "vesicle.experiment.params"

--- What the script at this path gives to ex.new.
local function spec_of(path)
  local chunk, why = load(files.read(path), "@" .. path, "t")
  if not chunk then files.stop(1, why) end
  local new, spec = ex.new, nil
  ex.new = function(given)
    spec = given
    error("declared", 0)
  end
  local _, problem = pcall(chunk)
  ex.new = new
  if not spec then files.stop(1, path .. ": did not come to ex.new: " .. tostring(problem)) end
  return spec
end

--- The parameters with their values at a scale, from ex.new itself.
local function resolved(spec, scale)
  local _, problem = pcall(ex.new, spec, { command = "sweep", scale = scale, set = {} })
  local probe = host.probe
  host.probe = nil
  if not probe then files.stop(1, spec.name .. ": " .. tostring(problem)) end
  return probe
end

return function(path)
  local spec = spec_of(path)
  local full, quick = resolved(spec, "full"), resolved(spec, "quick")
  local list = {}
  for i, name in ipairs(full.names) do
    local given = spec.params[name]
    local range = type(given) == "table" and given.range or nil
    list[i] = { name = name, kind = full.kinds[name], about = full.about[name] or "", range = range,
                full = params.text(full.values[name]), quick = params.text(quick.values[name]) }
  end
  return list
end
