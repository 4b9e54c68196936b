-- densities: this project's predictions of held-out rows, by the workflow of vesicle.crossval.
--
-- Curves, width and prior are chosen on the training rows of each part by crossval.choose, as datasets.tsv says.
-- Every output of the network stands for its cell, over which its probability is spread. Writes, for each set and
-- method, the predictions as doubles (row, density at y, 200 quantiles) and the seconds of each part.
package.path = "lua/?.lua;lua/?/init.lua;" .. package.path
local ves = require "vesicle"
local crossval = require "vesicle.crossval"

local levels, draws, choose_on = 200, 1000, 2000
local folder = assert(arg[1], "expected a folder")
local only = arg[2]
local sets = ves.read_table("tests/peers/datasets.tsv", { text = true })

local function columns_of(i)
  local name = sets.set[i]
  local path = (tonumber(sets.rows[i]) > 10000 and folder or "lua/experiments/data") .. "/" .. name .. ".tsv"
  local data, xs = ves.read_table(path), {}
  for c = 1, tonumber(sets.inputs[i]) do xs[c] = data[sets["x" .. c][i]] end
  return xs, data[sets.y[i]]
end

local function take(xs, rows)
  local taken = {}
  for c, x in ipairs(xs) do taken[c] = x:take(rows) end
  return taken
end

--- Quantiles, and the density at y, of probabilities p spread over the cells around equally spaced centres.
local function spread(p, centers, y)
  local step, cells = centers[2] - centers[1], #p
  local lo, numbers = centers[1] - step / 2, {}
  local at = (y - lo) // step + 1
  numbers[1] = at >= 1 and at <= cells and p[at // 1] / step or 0
  local cell, below = 1, 0
  for k = 1, levels do
    local level = (k - 0.5) / levels
    while cell < cells and below + p[cell] < level do
      below = below + p[cell]
      cell = cell + 1
    end
    numbers[k + 1] = lo + step * (cell - 1 + math.min(1, (level - below) / p[cell]))
  end
  return numbers
end

local function two_stage(fit, x) return fit:mixture(x) end

local function participation(fit, x, rng)
  local at, output = {}, fit.net.output
  for c, code in ipairs(fit.codes) do at[c] = math.max(code.lo, math.min(code.hi, x[c])) end
  local drawn = fit.net:sample { x = at, release = "analytic", normaliser = "participation", draws = draws, rng = rng }
  local step = output.centers[2] - output.centers[1]
  return (((drawn - output.centers[1]) / step + 1.5):floor()):clamp(1, output.n):counts(output.n) / draws
end

local methods = {
  { name = "two_stage", outputs = 50, predict = two_stage },
  { name = "participation", outputs = 50, predict = participation, same = "two_stage" },
  { name = "two_stage_200", outputs = 200, predict = two_stage },
}

for i, name in ipairs(sets.set) do
  if not only or only == name then
    local xs, y = columns_of(i)
    local folds = ves.read_table(folder .. "/folds_" .. name .. ".tsv")
    local rng, files, fits = ves.rng(20211118):stream("peers", name), {}, {}
    for _, m in ipairs(methods) do
      local base = folder .. "/" .. name .. "_" .. m.name
      files[m.name] = { assert(io.open(base .. ".bin", "wb")), assert(io.open(base .. ".times", "w")) }
    end
    for part = 1, 10 do
      local train, test, order = {}, {}, {}
      for row = 1, #y do
        if folds.part[row] ~= part then train[#train + 1] = row
        elseif folds.scored[row] == 1 then test[#test + 1] = row end
      end
      for k, row in ipairs(train) do order[k] = row end
      table.sort(order, function(a, b) return folds.place[a] < folds.place[b] end)
      local some = ves.vector(table.move(order, 1, math.min(#order, choose_on), 1, {})):sort()
      for _, m in ipairs(methods) do
        local r = rng:stream("part", part)
        if m.same then fits[m.name] = fits[m.same] else
          local start = os.clock()
          local best = crossval.choose { x = take(xs, some), y = y:take(some), rng = r, outputs = m.outputs,
                                         progress = false }
          local all = ves.vector(train)
          local fit = crossval.train { x = take(xs, all), y = y:take(all), rng = r, curves = best.curves,
                                       width = best.width, prior = best.prior, outputs = m.outputs }
          fits[m.name] = { fit, os.clock() - start }
        end
        local fit, trained = fits[m.name][1], fits[m.name][2]
        local start = os.clock()
        for _, row in ipairs(test) do
          local x = {}
          for c in ipairs(xs) do x[c] = xs[c][row] end
          local p = m.predict(fit, x, r:stream("draws", row))
          local numbers = spread(p, fit.net.output.centers, y[row])
          files[m.name][1]:write(string.pack("<" .. ("d"):rep(levels + 2), row, table.unpack(numbers)))
        end
        files[m.name][2]:write(string.format("%d\t%.6g\t%.6g\t%d curves, width %g, prior %g\n", part, trained,
          os.clock() - start, fit.settings.curves, fit.settings.width, fit.settings.prior))
      end
    end
    for _, m in ipairs(methods) do
      for _, file in ipairs(files[m.name]) do file:close() end
    end
    io.stderr:write("vesicle: ", name, "\n")
  end
end
