-- folds: which rows are predicted from which, the same for every method of `make peers`.
--
-- For each set of datasets.tsv writes folds_SET.tsv to a folder: of every row its part, its place in a keyed order (by
-- which rows are taken where a method is given only some of the training rows), and whether it is scored.
package.path = "lua/?.lua;lua/?/init.lua;" .. package.path
local ves = require "vesicle"
local crossval = require "vesicle.crossval"

local parts, many, scored = 10, 10000, 300
local folder = assert(arg[1], "expected a folder")
local sets = ves.read_table("tests/peers/datasets.tsv", { text = true })

for i, name in ipairs(sets.set) do
  local n, rng = math.tointeger(tonumber(sets.rows[i])), ves.rng(20211118):stream("peers", name)
  local part, place, order = {}, {}, rng:stream("order"):permutation(n)
  for k, rows in ipairs(crossval.folds(n, parts, rng)) do
    for _, row in pairs(rows) do part[row // 1] = k end
  end
  for at, row in pairs(order) do place[row // 1] = at end
  local taken, out = {}, assert(io.open(folder .. "/folds_" .. name .. ".tsv", "w"))
  local is_scored = {}
  for _, row in pairs(order) do
    local k = part[row // 1]
    taken[k] = (taken[k] or 0) + 1
    is_scored[row // 1] = n <= many or taken[k] <= scored
  end
  out:write("part\tplace\tscored\n")
  for row = 1, n do out:write(part[row], "\t", place[row] // 1, "\t", is_scored[row] and 1 or 0, "\n") end
  out:close()
end
