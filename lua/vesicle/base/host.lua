-- host: what the program tells the library, when there is no program.
--
-- Under `vesicle run` this module is preloaded from C (csrc/host/run_state.c) and holds the command line;
-- under a plain lua5.4 this file stands in, with the defaults and the shell for what Lua lacks.

local host = {
  command = "run", scale = "full", out = "vesicle-data", quiet = false, set = {},
  version = "unknown", commit = "unknown", rank = 0, ranks = 1,
}

local function quote(path) return "'" .. path:gsub("'", "'\\''") .. "'" end

function host.list(dir)
  local pipe = assert(io.popen("LC_ALL=C ls -A " .. quote(dir) .. " 2>/dev/null"))
  local names = {}
  for name in pipe:lines() do names[#names + 1] = name end
  if not pipe:close() then return nil, dir .. ": cannot be listed" end
  return names
end

local function shell(...)
  local command = table.concat({ ... }, " ")
  if not os.execute(command) then error("failed: " .. command, 0) end
end

function host.publish(out, name, files)
  local partial, final = out .. "/." .. name .. ".partial", out .. "/" .. name
  shell("rm -rf", quote(partial), "&& mkdir -p", quote(partial), quote(final))
  for _, file in ipairs(files) do
    local f = assert(io.open(partial .. "/" .. file[1], "wb"))
    assert(f:write(file[2]))
    assert(f:close())
  end
  shell("rm -f", quote(final) .. "/*.tsv", quote(final) .. "/*.tex")
  for _, file in ipairs(files) do
    assert(os.rename(partial .. "/" .. file[1], final .. "/" .. file[1]))
  end
  shell("rmdir", quote(partial))
end

return host
