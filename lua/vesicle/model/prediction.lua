-- prediction: the distribution of an output given an input, estimated from rows of data; by a network and by two
-- things a statistician might do instead, with widths chosen by cross-validation.
--
--     network      what it encodes, W'x normalised; the widths are those of the tuning curves of input and output
--     kernel       f(y|x) proportional to sum_r K_h(x - x_r) K_b(y - y_r), Gaussian; the widths are h and b
--     neighbours   a histogram of the outputs of the k nearest inputs; the "widths" are k and that of a bin, in outputs
--
-- Data are scaled so that those of training lie in [-5, 5], and predicted on the outputs' preferred values in [-6, 6].
-- A method has first and second, the widths to choose from; prepare(test, train), what serves all of them; and
-- predict(test, train, prepared, a, b, rng), a matrix with the distribution of each test row. test and train have xs
-- and ys. The last two also have sampler(train, chosen, draws), a function of an input and a stream.

local ves = require "vesicle"
local check = require "vesicle.base.check"
local stats = require "vesicle.stats"

local prediction = {}

--- From data to [-5, 5] and back: to(v), from(v), and unit, the length that becomes 1.
function prediction.scale(values)
  local lo, hi = values:min(), values:max()
  local unit = (hi - lo) / 10
  return {
    unit = unit,
    to = function(v) return (v - lo) / unit - 5 end, from = function(v) return (v + 5) * unit + lo end,
  }
end

--- Rows dealt out at random into this many parts: for each, the rows in it (test) and all others (train).
function prediction.folds(rows, parts, rng)
  local shuffled, out = rows:take(rng:permutation(#rows)):totable(), {}
  for part = 1, parts do
    local test, train = {}, {}
    for r, row in ipairs(shuffled) do
      local kind = (r - 1) % parts + 1 == part and test or train
      kind[#kind + 1] = row
    end
    out[part] = { test = ves.vector(test), train = ves.vector(train) }
  end
  return out
end

--- Tuning curves of a width, in both layers; each made once.
local function codes_of(neurons)
  local made = {}
  return function(width)
    made[width] = made[width] or ves.code { n = neurons, lo = -6, hi = 6, sigma = width }
    return made[width]
  end
end

--- A network whose layers have these widths, trained. [eq:evidence]
function prediction.trained(code_of, train, width_x, width_y, rng)
  return ves.network { input = code_of(width_x), output = code_of(width_y), rng = rng }:observe(train.xs, train.ys)
end

--- A sample of `draws` values with given probabilities, at equal steps through their running sum.
local function systematic(values, chances, draws, rng)
  local steps = (ves.range(1, draws) - rng:uniform()) / draws
  return values:take(chances:cumsum():search(steps):clamp(1, #values))
end

--- The share of each row of training in the kernel estimate, a row for each of xs.
local function kernel_weights(xs, train_xs, width)
  return stats.collect(xs, function(x)
    local z = (train_xs - x) * (1 / width)
    return (z * z * -0.5):exp() + 1e-300
  end):normalise()
end

local function network(code_of, widths)
  return {
    first = widths, second = widths,
    prepare = function(test)
      local kept = {}
      for _, width in ipairs(widths) do kept[width] = code_of(width):encode(test.xs) end
      return kept
    end,
    predict = function(_, train, kept, a, b, rng)
      return kept[a]:mul(prediction.trained(code_of, train, a, b, rng):weights()):normalise()
    end,
  }
end

local function kernel(code_of, widths)
  return {
    first = widths, second = widths,
    prepare = function(test, train)
      local kept = { K = {}, Y = {} }
      for _, width in ipairs(widths) do
        kept.K[width] = kernel_weights(test.xs, train.xs, width)
        kept.Y[width] = code_of(width):encode(train.ys):normalise()
      end
      return kept
    end,
    predict = function(_, _, kept, a, b) return kept.K[a]:mul(kept.Y[b]) end,
    sampler = function(train, chosen, draws)
      return function(x, rng)
        local chances = kernel_weights(ves.vector { x }, train.xs, chosen[1])[1]
        return systematic(train.ys, chances, draws, rng) + rng:stream("noise"):normal(0, chosen[2], draws)
      end
    end,
  }
end

local function neighbours(points, step, counts, widths)
  local neurons, method = #points, nil
  method = {
    first = counts, second = widths,
    prepare = function(test, train)
      local neuron = ((train.ys - points[1]) / step + 0.5):floor():clamp(0, neurons - 1)
      local kept, order = {}, {}         -- for each width and test row, the bins of the others, the nearest first
      for t, x in pairs(test.xs) do order[t] = (train.xs - x):abs():order() end
      for _, width in ipairs(widths) do
        local bin = (neuron / width):floor() + 1
        kept[width] = {}
        for t, nearby in ipairs(order) do kept[width][t] = bin:take(nearby) end
      end
      return kept
    end,
    predict = function(test, train, kept, count, width)
      local taken = math.min(count, #train.xs)
      local bins, bin_of = (neurons - 1) // width + 1, (ves.range(0, neurons - 1) / width):floor() + 1
      local p = ves.matrix(#test.xs, neurons)
      for t, nearby in ipairs(kept[width]) do
        p[t] = (nearby:slice(1, taken):counts(bins) / taken):take(bin_of)
      end
      return p:normalise()
    end,
    sampler = function(train, chosen, draws)
      return function(x, rng)
        local test = { xs = ves.vector { x } }
        local p = method.predict(test, train, method.prepare(test, train), chosen[1], chosen[2])
        return systematic(points, p[1], draws, rng) + (rng:stream("within"):uniform(draws) - 0.5) * step
      end
    end,
  }
  return method
end

--- The three methods by name; beside them points, the preferred values of the outputs, step, their distance, and
--- code_of(width), the tuning curves. spec has neurons, widths, neighbours and bins.
function prediction.methods(spec)
  local code_of = codes_of(spec.neurons)
  local points = code_of(spec.widths[1]).centers
  local step = points[2] - points[1]
  return {
    network = network(code_of, spec.widths), kernel = kernel(code_of, spec.widths),
    neighbours = neighbours(points, step, spec.neighbours, spec.bins), code_of = code_of, points = points, step = step,
  }
end

--- How far each of the points is from each of ys: a row for each of these.
function prediction.misses(points, ys)
  return stats.collect(ys, function(y) return (points - y):abs() end)
end

--- The continuous ranked probability score of distributions p over equally spaced points, one row for each of ys,
--- summed: p with running sums F scores sum_j p_j |c_j - y| - d sum_j F_j (1 - F_j), d apart. `misses`, if given, are
--- those of points and ys. [eq:crps]
function prediction.score(p, points, ys, misses)
  local below = p:cumsum()
  return (p * (misses or prediction.misses(points, ys))):sum() - (points[2] - points[1]) * (below * (1 - below)):sum()
end

--- The two widths of a method with the least score over a cross-validation of these rows of xs and ys.
function prediction.choose(method, points, xs, ys, rows, parts, rng)
  local widths = {}
  for _, first in ipairs(method.first) do
    for _, second in ipairs(method.second) do widths[#widths + 1] = { first, second } end
  end
  local totals = ves.vector(#widths)
  for part, inner in ipairs(prediction.folds(rows, parts, rng:stream("inner"))) do
    local test = { xs = xs:take(inner.test), ys = ys:take(inner.test) }
    local train = { xs = xs:take(inner.train), ys = ys:take(inner.train) }
    local prepared, misses = method.prepare(test, train), prediction.misses(points, test.ys)
    totals = totals + stats.collect(widths, function(pair)
      local p = method.predict(test, train, prepared, pair[1], pair[2], rng:stream("prior", part))
      return prediction.score(p, points, test.ys, misses)
    end)
  end
  return widths[totals:argmin()]
end

return check.module("vesicle.model.prediction", prediction)
