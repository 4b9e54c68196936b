-- silences: what a text leaves open, crossed, and which of it a verdict hangs on.
--
-- A silence is { name =, levels = { ... } }, its levels the admissible readings. A statement is judged under every
-- combination of the levels of those silences that touch it. Its share is that of the combinations in which it holds.
-- A silence decides as much as the share of the verdicts' variance over combinations that goes with its levels:
-- 1 if the verdict is a function of that silence alone, 0 if every level has the same share. The class of a statement
-- follows from both.

local check = require "vesicle.base.check"

local silences = {}

--- Every combination of the levels of a list of silences, the last one fastest: tables of levels by the silence's name.
function silences.cross(list)
  local all = { {} }
  for _, silence in ipairs(list) do
    local longer = {}
    for _, combination in ipairs(all) do
      for _, level in ipairs(silence.levels) do
        local copy = { [silence.name] = level }
        for _, before in ipairs(list) do copy[before.name] = copy[before.name] or combination[before.name] end
        longer[#longer + 1] = copy
      end
    end
    all = longer
  end
  return all
end

--- The classes, in the order in which they are shown.
silences.classes = { "every reading", "one silence", "several silences", "no reading" }

--- What becomes of a statement: `holds` has a boolean for each of silences.cross(list). Returns combinations, how many;
--- share; class; levels, the share for each level of each silence; weights, how much each silence decides; decides, the
--- name of the one that decides most, and weight, how much (nil and 0 where all combinations agree).
function silences.decide(list, holds)
  local all = silences.cross(list)
  if #holds ~= #all then
    error(string.format("silences.decide: %d verdicts, expected %d, one for each combination", #holds, #all), 2)
  end
  local function share_of(name, level)
    local n, good = 0, 0
    for i, combination in ipairs(all) do
      if not name or combination[name] == level then n, good = n + 1, good + (holds[i] and 1 or 0) end
    end
    return good / n
  end
  local found = { combinations = #all, share = share_of(), levels = {}, weights = {}, weight = 0.0 }
  local variance = found.share * (1 - found.share)
  for s, silence in ipairs(list) do
    local between = 0.0
    for _, level in ipairs(silence.levels) do
      local share = share_of(silence.name, level)
      found.levels[#found.levels + 1] = { silence = silence.name, level = level, share = share }
      between = between + (share - found.share) ^ 2 / #silence.levels
    end
    found.weights[s] = variance > 0 and between / variance or 0.0
    if found.weights[s] > found.weight then found.decides, found.weight = silence.name, found.weights[s] end
  end
  found.class = silences.classes[found.share == 1 and 1 or found.share == 0 and 4 or found.weight > 1 - 1e-9 and 2 or 3]
  return found
end

return check.module("vesicle.model.silences", silences)
