-- globals: variables of a script that were meant to be local.
--
-- `x = 1` without `local` makes a variable that every function sees, and a misspelt name is nil instead of an error.
-- Both hide mistakes, so a sandboxed script is told of the first kind at its end, and of names that belong to other
-- languages at once (True is nil in Lua, and nil is false). In a replicate a new global is an error: replicates of one
-- worker would see each other's, and results would depend on how they were spread.

local hints = require "vesicle.base.hints"

local globals = {}

local getinfo = debug.getinfo
local made, replicating = {}, nil

--- From now on this process computes replicates of a phase.
function globals.replicate(phase) replicating = phase end

--- Where the code that is not of this module stands: "file:line".
local function place()
  local info = getinfo(3, "Sl")
  return info and info.currentline > 0 and info.short_src .. ":" .. info.currentline or nil
end

--- An error, at a level of the stack, if a name is a constant of another language: see hints.constant.
function globals.refuse_constant(name, level)
  local instead = hints.constant(name)
  if instead then error(string.format("there is no variable `%s`: write %s", name, instead), level) end
end

--- Watches the script's globals.
function globals.watch()
  setmetatable(_G, {
    __index = function(_, name)
      globals.refuse_constant(name, 3)
      return nil
    end,
    __newindex = function(t, name, value)
      if replicating then
        error(string.format("`%s` is a new global variable, which replicates of `%s` would share: write `local %s`",
          tostring(name), replicating, tostring(name)), 2)
      end
      local where = place()
      if where and type(name) == "string" then made[#made + 1] = string.format("`%s` (%s)", name, where) end
      rawset(t, name, value)
    end,
  })
end

--- A line about the globals the script has made, or nil.
function globals.report()
  if #made == 0 then return nil end
  local shown = table.concat(made, ", ", 1, math.min(#made, 5))
  return (#made == 1 and "a global variable was made: " or "global variables were made: ") .. shown
    .. (#made > 5 and string.format(" and %d more", #made - 5) or "")
    .. (#made == 1 and "; write `local` before it" or "; write `local` before them")
end

return globals
