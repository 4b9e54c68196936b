-- reach: what a function can get at.
--
-- The results of one E:replicate call may flow into the function of a later one, as an upvalue, as
-- an upvalue of a function it calls, in a table, through a global. E:replicate must know: a later
-- phase that can see an earlier one depends on how many replicates that one had.

local reach = {}

-- Kept here: a sandboxed script has no debug library, and is not to look over our shoulder by way of a global.
local getupvalue, getmetatable_of = debug.getupvalue, debug.getmetatable
local next, rawget, type, remove = next, rawget, type, table.remove

local LIMIT = 200000                     -- objects looked at before we assume the worst

--- The set of those objects among `wanted` (a table with them as keys) that can be reached from
--- `from` through upvalues, tables and metatables; all of them if there is too much to look at.
--- `hidden` is a table with objects as keys that are not entered.
function reach.find(from, wanted, hidden)
  local found, seen, queue, count = {}, {}, { from }, 0
  local function push(x)
    local kind = type(x)
    if (kind == "table" or kind == "function" or kind == "userdata") and not seen[x]
      and not rawget(hidden, x) then
      seen[x] = true
      queue[#queue + 1] = x
    end
  end
  while #queue > 0 do
    local x = remove(queue)
    count = count + 1
    if count > LIMIT then return wanted end
    if rawget(wanted, x) then found[x] = rawget(wanted, x) end
    if type(x) == "function" then
      local i = 1
      while true do
        local name, value = getupvalue(x, i)
        if not name then break end
        push(value)
        i = i + 1
      end
    elseif type(x) == "table" then
      for k, v in next, x do
        push(k)
        push(v)
      end
    end
    push(getmetatable_of(x))
  end
  return found
end

return reach
