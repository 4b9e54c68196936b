--- # Release matrices
---
--- What a trained network looks like: its weights, and the release probabilities that the analytic mapping
--- [eq:mapping], learning input by input [alg:2] and learning across pooled inputs [eq:pooled] make of them, for both
--- data models. [fig:weights]

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local judge = require "vesicle.judge"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local rank_correlation = require "vesicle.rank_correlation"
local shapes = require "vesicle.model.shapes"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "08_release_matrices", title = "weights and release probabilities of a trained network",
  figure = "fig:weights",
  params = {
    rows = { 4000, about = "rows of data" },
    psi = { 8.0, about = "exponent of the learning rule" },
    rate = { 0.01, about = "learning rate" },
    iterations = { 5000, quick = 1000, about = "iterations of Algorithm 2" },
    presentations = { 121, quick = 41, about = "inputs on [-6, 6] presented in pooled learning" },
    replicates = { 4, quick = 2, about = "networks; the first is drawn" },
  },
}
local P = E.params
local code = models.code()
local centers, n = code.centers, code.n
local both = { models.simple(), models.bimodal() }
local schemes = { "analytic", "learned", "pooled" }
local prior_a = 0.026 -- the most that A0 can be

local shown = {}
for k = 1, P.presentations do shown[k] = -6 + 12 * (k - 1) / (P.presentations - 1) end

--- ## Four matrices
---
--- Learning starts from $N(0.3, 0.1)$. Pooled learning presents inputs all over $[-6, 6]$, one iteration each in
--- turn, and lets all synapses of the active inputs compete with their effective weights $x_i w_{ij}$.

local function matrices(model, rng)
  local net = models.network(model, rng, { rows = P.rows })
  local W = net:weights()
  local options = { algorithm = 2, rule = "power", psi = P.psi, rate = P.rate, iterations = P.iterations,
                    rng = rng:stream("learn") }
  local learned = ves.release.learn(W, options)
  options.inputs, options.code, options.rng = shown, code, rng:stream("pooled")
  local pooled = ves.release.learn_pooled(W, options)
  return net, { weight = W, analytic = ves.release.analytic(W), learned = learned, pooled = pooled }
end

--- ## Which cells are which
---
--- A row of the matrices is *seen* if the data brought it at least as much evidence as twenty rows of data, and
--- *unseen* if its evidence is that of the priors. The weights of a seen row that represent data are those above
--- twice what the prior alone would give. Taken from the largest down, those that hold the first 68% of their sum are
--- the core of the encoded distribution, those beyond 95% its tails. The tails of the data-generating distribution,
--- between 95% and 99.8% of its probability, are another matter: few rows of data fall there, and many of its outputs
--- represent none.

local function evidence(net) return (net.A + net.B):row_sums() / n end

local function nearest(model, x)
  if not model.inputs then return math.max(model.lo, math.min(model.hi, x)) end
  local best = model.inputs[1]
  for _, trained in ipairs(model.inputs) do
    if math.abs(trained - x) < math.abs(best - x) then best = trained end
  end
  return best
end

--- For each element of v above `floor`, the share of all such that is larger.
local function held_before(v, floor)
  local held, sum = {}, 0.0
  for _, j in ipairs(shapes.ranking(v)) do
    if v[j] > floor then held[j], sum = sum, sum + v[j] end
  end
  for j = 1, n do held[j] = held[j] and held[j] / sum end
  return held
end

local function mean_between(q, held, lo, hi)
  local sum, count = 0.0, 0
  for j = 1, n do
    if held[j] and held[j] >= lo and held[j] < hi then sum, count = sum + q[j], count + 1 end
  end
  return count > 0 and sum / count or nil
end

--- The mean release of each tenth of a row's synapses, from the strongest to the weakest. The very weakest is left
--- out: it always transmits, which is a claim of its own.
local function tenths(q, order)
  local means = {}
  for t = 1, 10 do
    local sum, first, last = 0.0, (t - 1) * n // 10 + 1, math.min(t * n // 10, n - 1)
    for r = first, last do sum = sum + q[order[r]] end
    means[t] = sum / (last - first + 1)
  end
  return means
end

--- Averages over the rows of one kind, of whatever `look` returns (a table of numbers or nil).
local function over_rows(rows, look)
  local sums, counts = {}, {}
  for _, i in ipairs(rows) do
    for key, value in pairs(look(i)) do
      sums[key], counts[key] = (sums[key] or 0) + value, (counts[key] or 0) + 1
    end
  end
  for key in pairs(sums) do sums[key] = sums[key] / counts[key] end
  return sums
end

local function look_at_seen(model, M, orders, presence)
  return function(i)
    local x = nearest(model, centers[i])
    local truth = pmf.binned(function(y) return model.cdf(x, y) end, centers)
    local found = { encoded = stats.correlation(M.weight[i], truth) }
    local encoded = held_before(M.weight[i], 2 * prior_a / presence[i])
    local true_tails = held_before((truth * 1e12):floor(), 0) -- mirrored cells tie, whatever their last digits
    for _, scheme in ipairs(schemes) do
      local q = M[scheme][i]
      local core, tail = mean_between(q, encoded, 0, 0.68), mean_between(q, encoded, 0.95, 1)
      if core and tail then found["tail_" .. scheme] = tail - core end
      core, tail = mean_between(q, true_tails, 0, 0.68), mean_between(q, true_tails, 0.95, 0.998)
      if core and tail then found["true_tail_" .. scheme] = tail - core end
      for t, mean in ipairs(tenths(q, orders[i])) do found[scheme .. "_" .. t] = mean end
    end
    return found
  end
end

local function look_at_unseen(M, orders)
  return function(i)
    local found = { flat = pmf.from_uniform(M.weight[i]) }
    local worst = 0.0
    for r, j in ipairs(orders[i]) do worst = math.max(worst, math.abs(M.analytic[i][j] * (n - r + 1) - 1)) end
    found.hyperbolic = worst
    for _, scheme in ipairs(schemes) do
      local place = rank_correlation(M[scheme][i], centers)
      found["place_" .. scheme], found["square_" .. scheme] = place, place ^ 2
      for t, mean in ipairs(tenths(M[scheme][i], orders[i])) do found[scheme .. "_" .. t] = mean end
    end
    return found
  end
end

--- The release of the absolutely smallest weight: of a row, and in pooled learning of a presentation's pool.
local function smallest(M)
  local sums = { analytic = 0.0, learned = 0.0, pooled = 0.0 }
  for i = 1, n do
    local j = M.weight[i]:argmin()
    for _, scheme in ipairs { "analytic", "learned" } do sums[scheme] = sums[scheme] + M[scheme][i][j] / n end
  end
  for _, x in ipairs(shown) do
    local activity, best, q = code:encode(x), math.huge, nil
    for i = 1, n do
      local j = M.weight[i]:argmin()
      if activity[i] > 1e-3 and activity[i] * M.weight[i][j] < best then
        best, q = activity[i] * M.weight[i][j], M.pooled[i][j]
      end
    end
    sums.pooled = sums.pooled + q / #shown
  end
  return sums
end

local trials = {}
for _, model in ipairs(both) do
  trials[model.name] = E:replicate { name = model.name, n = P.replicates, run = function(r, rng)
    local net, M = matrices(model, rng)
    local presence, seen, unseen, orders = evidence(net), {}, {}, {}
    for i = 1, n do
      orders[i] = shapes.ranking(M.weight[i])
      if presence[i] > 20 then seen[#seen + 1] = i elseif presence[i] < 0.13 then unseen[#unseen + 1] = i end
    end
    return { seen = over_rows(seen, look_at_seen(model, M, orders, presence)), smallest = smallest(M),
             unseen = over_rows(unseen, look_at_unseen(M, orders)), unseen_rows = #unseen, drawn = r == 1 and M or nil }
  end }
end

--- ## The picture

local cells = {}
for _, model in ipairs(both) do
  local M = trials[model.name][1].drawn
  for i = 1, n do
    for j = 1, n do
      cells[#cells + 1] = { model.name, centers[i], centers[j], M.weight[i][j], M.analytic[i][j], M.learned[i][j],
                            M.pooled[i][j] }
    end
  end
end
E:table("matrices", { "model", { "x", "preferred value of the input" }, { "y", "preferred value of the output" },
  { "weight", "W" }, { "analytic", "analytic release per input" }, { "learned", "release learned per input" },
  { "pooled", "release learned across pooled inputs" } }, cells)

local tenth_rows = {}
for _, model in ipairs(both) do
  for _, kind in ipairs { "seen", "unseen" } do
    for _, scheme in ipairs(schemes) do
      for t = 1, 10 do
        local values = trials[model.name]:column(kind .. "." .. scheme .. "_" .. t)
        tenth_rows[#tenth_rows + 1] = { model.name, kind, scheme, t, stats.mean(values), stats.se(values) }
      end
    end
  end
end
E:table("tenths", { "model", { "rows", "seen: with data; unseen: without" }, "scheme",
  { "tenth", "of a row's synapses, 1 the strongest" }, { "release", "mean release probability" },
  { "se", "its standard error over networks" } }, tenth_rows)

--- ## Verdicts
---
--- Each is measured in both models; a claim about all schemes in each of them. Of pooled learning it should be said
--- that presentations overlap here: the smallest weight of one pool is not the smallest of the next, and learns from
--- both.

local where = "Results, fig:weights"
local function note(text, which)
  return text .. "; " .. (which == both and "simple and bimodal model" or which[1].name .. " model")
end

--- Mean and standard error over networks of the fields `paths`, for the models each.
local function measure(paths, which)
  local measured, ses = {}, {}
  for _, path in ipairs(paths) do
    for _, model in ipairs(which) do
      local values = trials[model.name]:column(path)
      measured[#measured + 1], ses[#ses + 1] = stats.mean(values), stats.se(values)
    end
  end
  return measured, ses
end
local function of_schemes(path) return { path .. "analytic", path .. "learned", path .. "pooled" } end

for _, c in ipairs {
  { id = "weights-encode-data", says = "the data distributions are clearly encoded by the learned weights",
    paths = { "seen.encoded" }, macro = "WeightsCorrelation", expected = margins.correlated,
    judge = judge.greater_than(),
    note = "correlation of a row's weights with the data-generating probabilities" },
  { id = "priors-flat", says = "where no data were seen the priors appear as flat, uniform weights",
    paths = { "unseen.flat" }, expected = 0, judge = judge.near(margins.uniform),
    note = "total variation of a row from uniform" },
  { id = "prior-hyperbolic", says = "near-uniform weights have a hyperbolic release, the sparse noise of the matrices",
    paths = { "unseen.hyperbolic" }, expected = 0, judge = judge.near(margins.closely),
    note = "largest relative deviation of the analytic release from 1/(n-i+1) in a row" },
  { id = "release-highest-in-tails", says = "under all schemes release is highest among the weights of the tails",
    paths = of_schemes("seen.tail_"), expected = 0, judge = judge.exceeds_by_se(), models = { both[1] },
    note = "tails minus core of the encoded distribution; analytic, learned, pooled; defined after a first look" },
  { id = "release-highest-in-tails-bimodal", paths = of_schemes("seen.tail_"), models = { both[2] }, expected = 0,
    says = "under all schemes release is highest among the weights of the tails", judge = judge.exceeds_by_se(),
    note = "tails minus core of the encoded distribution; analytic, learned, pooled; defined after a first look" },
  { id = "release-highest-in-true-tails", says = "under all schemes release is highest among the weights of the tails",
    paths = of_schemes("seen.true_tail_"), expected = 0, judge = judge.exceeds_by_se(),
    reading = "tails of the data-generating distribution",
    note = "tails minus core; analytic, learned, pooled; defined after a first look" },
  { id = "smallest-always-transmits", says = "the absolute smallest weights transmit 100% of the time",
    paths = { "smallest.analytic", "smallest.learned" }, expected = 1, judge = judge.near(margins.percent),
    note = "mean release of the smallest weight of a row; analytic, learned; defined after a first look" },
  { id = "smallest-always-transmits-pooled", says = "the absolute smallest weights transmit 100% of the time",
    paths = { "smallest.pooled" }, macro = "SmallestPooled", expected = 1, judge = judge.near(margins.percent),
    note = "mean release of the smallest weight of a pool; defined after a first look" },
} do
  local which = c.models or both
  local measured, ses = measure(c.paths, which)
  E:claim { id = c.id, says = c.says, where = where, reading = c.reading or "printed", measured = measured, se = ses,
            expected = c.expected, judge = judge.every(c.judge), note = note(c.note, which) }
  if c.macro then
    E:number(c.macro .. "Simple", measured[1], ses[1])
    E:number(c.macro .. "Bimodal", measured[2], ses[2])
  end
end

--- Only noise: in unseen rows the release has nothing to do with the output's place. Rows are independent, so the
--- standard error comes from all of them.

local places, place_ses = {}, {}
for _, scheme in ipairs(schemes) do
  for _, model in ipairs(both) do
    local out = trials[model.name]
    local mean, square = out:column("unseen.place_" .. scheme):mean(), out:column("unseen.square_" .. scheme):mean()
    places[#places + 1] = mean
    place_ses[#place_ses + 1] = math.sqrt((square - mean ^ 2) / out:column("unseen_rows"):sum())
  end
end
E:claim { id = "prior-noise", where = where, reading = "printed", measured = places, se = place_ses, expected = 0,
          says = "where no data were seen releases only reflect noise", judge = judge.every(judge.agrees_by_se()),
          note = note("rank correlation of release with the output's place; analytic, learned, pooled; "
            .. "standard errors over rows since a first look", both) }

--- The smallest weights of a row: is their tenth the one that releases most (analytic), or is it neglected (learned)?

local function last_against_best(scheme)
  local measured, ses = {}, {}
  for k, model in ipairs(both) do
    local gaps = {}
    for i = 1, P.replicates do
      local found, best = trials[model.name][i].seen, 0.0
      for t = 1, 9 do best = math.max(best, found[scheme .. "_" .. t]) end
      gaps[i] = found[scheme .. "_10"] - best
    end
    measured[k], ses[k] = stats.mean(gaps), stats.se(gaps)
  end
  return measured, ses
end

local neglect = "learning neglects the smallest weights for those that define the distribution"
for _, c in ipairs {
  { id = "analytic-smallest-highest", scheme = "analytic", judge = judge.exceeds_by_se(),
    says = "the analytic mapping assigns the highest releases to the smallest weights" },
  { id = "learned-smallest-neglected", scheme = "learned", judge = judge.falls_short_by_se(), says = neglect },
  { id = "learned-smallest-neglected-pooled", scheme = "pooled", judge = judge.falls_short_by_se(), says = neglect },
} do
  local measured, ses = last_against_best(c.scheme)
  E:claim { id = c.id, says = c.says, where = where, reading = "printed", measured = measured, se = ses, expected = 0,
            judge = judge.every(c.judge), note = note("mean release of the smallest tenth, but for the very smallest, "
              .. "minus that of the highest other tenth; defined after a first look", both) }
end

E:finish()
