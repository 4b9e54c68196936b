-- tag_owners: which function a line of a source belongs to, and with it a tag in that line.
--
-- A line belongs to the function whose comment, declaration or body it stands in. The sources are formatted by rule
-- (clang-format, one style of Lua), so that a look at the beginnings of lines is enough.

local owners = {}

local keywords = { ["if"] = true, ["for"] = true, ["while"] = true, ["switch"] = true, ["return"] = true,
                   ["sizeof"] = true, defined = true }

--- For each line of a C file the function whose comment, declaration or body it belongs to, or false.
function owners.c(lines)
  local owner_of, pending, in_comment, in_body, enum = {}, nil, false, nil, false
  for i, line in ipairs(lines) do
    owner_of[i] = in_body or false
    if in_body then
      if line:find("^}") then in_body = nil end
    elseif in_comment or line:find("^/%*") then
      pending = pending or i
      in_comment = not line:find("%*/")
    elseif line:find("^%s*$") then
      if pending and not in_comment then pending = nil end
    elseif line:find("^%s") and enum then
      owner_of[i] = line:match("^%s+([%u][%u%d_]+)") or false
    elseif line:find("^typedef enum") or line:find("^enum") then
      enum, pending = true, nil
    elseif line:find("^}") then
      enum, pending = false, nil
    elseif line:find("^[%a]") then
      local name = line:match("([%a_][%w_]*)%s*%(")
      if name and not keywords[name] and name ~= "__attribute__" then
        for k = pending or i, i do owner_of[k] = name end
        local k = i
        while lines[k] and not lines[k]:find("[;{]%s*$") and not lines[k]:find("[;{]") do k = k + 1 end
        local signature = table.concat(lines, " ", i, math.min(k, #lines))
        if signature:find("{") and not signature:find("}%s*$") then in_body = name end
      end
      pending = nil
    end
  end
  return owner_of
end

--- The same for Lua: `function a.b(...)`, `local function f(...)`, in the comment above or the body.
function owners.lua(lines)
  local owner_of, pending, body = {}, nil, nil
  for i, line in ipairs(lines) do
    owner_of[i] = body or false
    local name = line:match("^function ([%w_.:]+)") or line:match("^local function ([%w_]+)")
    if body then
      if line:find("^end") then body = nil end
    elseif line:find("^%-%-") then
      pending = pending or i
    elseif name then
      for k = pending or i, i do owner_of[k] = name end
      pending, body = nil, not line:find("%f[%w]end%s*$") and name or nil
    else
      pending = nil
    end
  end
  return owner_of
end

return owners
