-- lua5.4 apply.lua: the names of the errors of errors.lua.
-- lua5.4 apply.lua TREE NAME: makes that error in the tree, and prints the file it is in.
local errors = dofile("tests/mutants/errors.lua")

local function read(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

local function places(text, piece)
  local count, at = 0, 1
  while true do
    local first, last = text:find(piece, at, true)
    if not first then return count end
    count, at = count + 1, last + 1
  end
end

--- The files an error may be in.
local function files_of(tree, file)
  if not file:match("/$") then return { file } end
  local list, found = assert(io.popen("ls '" .. tree .. "/" .. file .. "'")), {}
  for name in list:lines() do if name:match("%.lua$") then found[#found + 1] = file .. name end end
  list:close()
  return found
end

local tree, name = arg[1], arg[2]
for _, e in ipairs(errors) do
  if not tree then
    print(e.name)
  elseif e.name == name then
    local found
    for _, file in ipairs(files_of(tree, e.file)) do
      local text = read(tree .. "/" .. file)
      local count = places(text, e.from)
      if count > 1 or count == 1 and found then print(e.name .. ": its text stands more than once") os.exit(1) end
      if count == 1 then
        local first, last = text:find(e.from, 1, true)
        found = { file, text:sub(1, first - 1) .. e.to .. text:sub(last + 1) }
      end
    end
    if not found then print(e.name .. ": its text stands nowhere") os.exit(1) end
    local out <close> = assert(io.open(tree .. "/" .. found[1], "wb"))
    out:write(found[2])
    print(found[1])
    return
  end
end
if tree then print(tostring(name) .. ": there is no such error") os.exit(1) end
