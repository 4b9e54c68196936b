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

--- A Lua array of the elements of a vector or of a Lua array (which is returned as it is).
function array.totable(x)
  if array.is_vector(x) then return x:totable() end
  return x
end

return array
