-- latex_log: what a run of LaTeX has to say, in one message.
--
-- LaTeX tells everything that happened; a build needs the one thing that is wrong. An error comes
-- first. Without one, these fail the build as well: an undefined reference or citation, a label that is
-- defined twice, a box that sticks out by more than 5 pt, a character the font does not have.

local files = require "vesicle.publish.files"

local latex_log = { tolerance = 5.0, most = 12 }

local function missing_package(text)
  local file = text:match("File `([^']+)' not found")
  if not file then return nil end
  if file:find("%.sty$") or file:find("%.cls$") then
    return string.format("the TeX package %s is not installed; `make deps paper` installs what is needed", file)
  end
  return "LaTeX asks for " .. file .. ", which does not exist"
end

--- The first error of the log, shortened, or nil.
function latex_log.error(lines)
  for i, line in ipairs(lines) do
    local file, at, text = line:match("^%.?/?([^:]+%.%a+):(%d+): (.*)$")
    if not file then text = line:match("^! (.*)$") end
    if text then
      local where = file and file .. ":" .. at .. ": " or ""
      local missing = missing_package(text) or missing_package(lines[i + 1] or "")
      if missing then return where .. missing end
      if text:find("Undefined control sequence") then
        local name
        for k = i + 1, math.min(i + 6, #lines) do
          if lines[k]:find("^l%.%d+") or lines[k]:find("^<") then name = name or lines[k]:match("\\(%a+)%s*$") end
        end
        return where .. "undefined command" .. (name and " \\" .. name or "")
      end
      text = text:gsub("^LaTeX Error: ", ""):gsub("^Package (%w+) Error: ", "%1: ")
      if text:find("Emergency stop") or text:find("==> Fatal error") then text = "LaTeX stopped" end
      return where .. text
    end
  end
end

--- Everything else that is not to be tolerated, one line each.
function latex_log.faults(lines)
  local faults, seen = {}, {}
  local function add(text)
    if not seen[text] then
      seen[text] = true
      faults[#faults + 1] = text
    end
  end
  local file = "?"
  for i, line in ipairs(lines) do
    file = line:match(".*%(%./([%w_-]+%.tex)") or file
    local kind, label, rest = line:match("Warning: (%u%l+) `([^']*)' .-undefined(.*)$")
    if kind then
      local at = rest:match("on input line (%d+)")
      add(string.format("%s %s is undefined%s", kind:lower(), label, at and " (line " .. at .. ")" or ""))
    end
    local twice = line:match("Label `([^']*)' multiply defined")
    if twice then add("label " .. twice .. " is defined twice") end
    local dimension, points = line:match("^Overfull \\([hv])box %(([%d.]+)pt too")
    if points and tonumber(points) > latex_log.tolerance then
      local place = line:match("at lines? ([%d-]+)") or line:match("detected at line (%d+)") or "?"
      local sample = (lines[i + 1] or ""):gsub("\\[%w@/.-]+ ?", ""):gsub("[%[%]]", ""):gsub("%s+", " "):sub(1, 60)
      add(string.format("%s:%s: a %s is %s pt too %s%s", file, place, dimension == "h" and "line" or "page", points,
        dimension == "h" and "wide" or "high", sample ~= "" and ": " .. sample or ""))
    end
    local glyph, font = line:match("^Missing character: There is no (.-) in font ([^!]*)!")
    if glyph then add(string.format("the font %s has no character %s", font, glyph)) end
    local destination = line:match("^pdfTeX warning %(dest%): name{([^}]*)}")
    if destination then add("a link leads to " .. destination .. ", which does not exist") end
    local cites = line:match("^Warning%-%-I didn't find a database entry for (.*)$")
    if cites then add("no entry in refs.bib for " .. cites) end
  end
  return faults
end

return setmetatable(latex_log, { __call = function(_, settings)
  local stem = settings.dir .. "/" .. settings.job
  local log, blg = stem .. ".log", stem .. ".blg"
  if not files.exists(log) then files.stop(1, settings.job .. ".tex: LaTeX did not run; see " .. stem .. ".said") end
  local lines = files.lines(log)
  local problem = latex_log.error(lines)
  if problem then files.stop(1, problem .. " (the whole log: " .. log .. ")") end
  if files.exists(blg) then table.move(files.lines(blg), 1, #files.lines(blg), #lines + 1, lines) end
  local faults = latex_log.faults(lines)
  if #faults == 0 then return end
  local shown = table.move(faults, 1, math.min(#faults, latex_log.most), 1, {})
  if #faults > #shown then shown[#shown + 1] = string.format("and %d more", #faults - #shown) end
  files.stop(1, string.format("%s.tex: %s (the whole log: %s)", settings.job, table.concat(shown, "\n  "), log))
end })
