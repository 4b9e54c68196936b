-- array: one way to look at Lua arrays, vectors and matrices.

local array = {}

local kinds = { ["ves.vector"] = "vector", ["ves.matrix"] = "matrix" }

--- "vector", "matrix", or nil for anything else.
function array.kind(x)
  if type(x) ~= "userdata" then return nil end
  local meta = getmetatable(x)
  return type(meta) == "table" and kinds[meta.__name] or nil
end

function array.is_vector(x) return array.kind(x) == "vector" end
function array.is_matrix(x) return array.kind(x) == "matrix" end

-- More elements than this a table may have, but not claim: an __index that always answers and an __len of 2^40 look
-- like arrays that never end.
array.most = 1000000

local function endless(where)
  error(string.format("%s: expected an array, got a table whose metatable makes it one of more than %d elements", where,
    array.most), 0)
end

--- What a table with a metatable holds, and what it claims to hold: a table without one.
local function unveiled(where, x)
  local n, plain = #x, {}
  if not (math.type(n) and math.tointeger(n)) then
    error(where .. ": expected an array, got a table whose length is no whole number", 0)
  end
  if n > rawlen(x) and n > array.most then endless(where) end
  for k, v in next, x do plain[k] = v end
  for i = 1, n do
    local v = x[i]
    if v == nil then error(string.format("%s: element %d of an array of %d is missing", where, i, n), 0) end
    plain[i] = v
  end
  if n > 0 then return plain end
  while true do -- no length of its own: up to the first that is missing
    local v = x[n + 1]
    if v == nil then return plain end
    n = n + 1
    if n > array.most then endless(where) end
    plain[n] = v
  end
end

--- A Lua array of the elements of a vector or of a Lua array. A table without a metatable is returned as it is; of one
--- with a metatable, a copy that ends; anything else as it is. `where` begins a message.
function array.totable(x, where)
  if array.is_vector(x) then return x:totable() end
  if type(x) ~= "table" or getmetatable(x) == nil then return x end
  return unveiled(where or "array", x)
end

return array
