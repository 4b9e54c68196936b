-- claim: the old form of vesicle.experiment.statement, one row for each reading.
--
-- One statement of the original, what we measured, and the verdict.
--
-- The verdict is computed by the claim's judge, never typed. The reading decides which positive
-- verdict is possible: "printed" gives `reproduced`, any other reading `reproduced under a stated
-- reading`.

local array = require "vesicle.base.array"
local check = require "vesicle.base.check"
local stats = require "vesicle.stats"
local tsv = require "vesicle.table"

local claim = {}

claim.verdicts = {
  "reproduced", "reproduced under a stated reading", "not reproduced", "proved", "refuted",
}

local fields = {
  id = { type = "string" }, says = { type = "string" }, where = { type = "string" },
  reading = { type = "string" }, judge = { type = "function" },
  measured = { type = "number|table|userdata" },
  se = { type = "number|table|userdata", optional = true },
  expected = { type = "any", optional = true },
  note = { type = "string", optional = true },
}

local function cell(where, key, value)
  if value == nil then return "NA" end
  if type(value) == "table" or array.is_vector(value) then
    local parts = {}
    for i, x in ipairs(array.totable(value)) do parts[i] = cell(where, key, x) end
    if #parts == 0 then error(where .. ": key `" .. key .. "` is an empty list", 0) end
    return table.concat(parts, " ")
  end
  local text, why = tsv.cell(value)
  if not text then error(where .. ": key `" .. key .. "`: " .. why, 0) end
  return text
end

local function verdict_of(where, spec)
  local verdict = spec.judge(spec.measured, spec.se, spec)
  local printed = spec.reading == "printed"
  local positive = printed and "reproduced" or "reproduced under a stated reading"
  if verdict == true then return positive end
  if verdict == false then return "not reproduced" end
  local known = false
  for _, v in ipairs(claim.verdicts) do known = known or v == verdict end
  if not known then
    error(string.format("%s: the judge returned %s, expected true, false or one of: %s", where,
      check.show(verdict), table.concat(claim.verdicts, ", ")), 0)
  end
  if (verdict == "reproduced" or verdict == "reproduced under a stated reading")
    and verdict ~= positive then
    error(string.format("%s: the judge returned %q, but the reading is %q", where, verdict,
      spec.reading), 0)
  end
  return verdict
end

--- The claim with an estimate taken apart into what was measured and its standard error.
local function spelt_out(spec)
  if type(spec) ~= "table" or not stats.is_estimate(spec.measured) then return spec end
  local whole = {}
  for key, value in next, spec do whole[key] = value end
  whole.measured, whole.se = spec.measured.value, spec.measured.se
  return whole
end

--- A text with its numbers shortened.
local function short(text)
  return (text:gsub("%-?[%d.]+[%de+-]*", function(x)
    return tonumber(x) and string.format("%.4g", tonumber(x)) or x
  end))
end

--- Checks and judges a claim; returns its row of the ledger.
function claim.row(experiment, spec)
  spec = spelt_out(spec)
  check.options("E:claim", spec, fields, 3)
  local where = "E:claim " .. spec.id
  if not spec.id:find("^[%l%d]+[%l%d-]*$") then
    error("E:claim: id " .. check.show(spec.id) .. ": expected lower-case letters, digits and -", 0)
  end
  return {
    id = spec.id, verdict = verdict_of(where, spec), value = cell(where, "measured", spec.measured),
    se = cell(where, "se", spec.se), criterion = "expected " .. short(cell(where, "expected", spec.expected)),
    reading = cell(where, "reading", spec.reading), where = cell(where, "where", spec.where),
    says = cell(where, "says", spec.says), note = cell(where, "note", spec.note), whose = "claim", kind = "NA",
    failed = "NA", quantity = "NA", at = "NA", beside = "NA", looked = "NA", proof = "NA", breaks = "NA", drives = "NA",
    remark = "NA", experiment = experiment,
  }
end

return claim
