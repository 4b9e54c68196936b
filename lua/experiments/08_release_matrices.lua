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

local shown = (ves.range(1, P.presentations) - 1) * 12 / (P.presentations - 1) + -6

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
  return model.inputs[(ves.vector(model.inputs) - x):abs():argmin()]
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
  return stats.collect(10, function(t)
    return q:take(order):slice((t - 1) * n // 10 + 1, math.min(t * n // 10, n - 1)):mean()
  end)
end

--- Averages over the rows of one kind, of whatever `look` returns (a table of numbers, vectors or nil).
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
      found["tenths_" .. scheme] = tenths(q, orders[i])
    end
    return found
  end
end

local function look_at_unseen(M, orders)
  return function(i)
    local hyperbola = M.analytic[i]:take(orders[i]) * (n + 1 - ves.range(1, n))
    local found = { flat = pmf.from_uniform(M.weight[i]), hyperbolic = (hyperbola - 1):abs():max() }
    for _, scheme in ipairs(schemes) do
      local place = stats.rank_correlation(M[scheme][i], centers)
      found["place_" .. scheme], found["square_" .. scheme] = place, place ^ 2
      found["tenths_" .. scheme] = tenths(M[scheme][i], orders[i])
    end
    return found
  end
end

--- The release of the absolutely smallest weight: of a row, and in pooled learning of a presentation's pool.
local function smallest(M)
  local sums = { analytic = 0.0, learned = 0.0, pooled = 0.0 }
  local weakest = stats.collect(n, function(i) return { at = M.weight[i]:argmin(), weight = M.weight[i]:min() } end)
  for i = 1, n do
    for _, scheme in ipairs { "analytic", "learned" } do
      sums[scheme] = sums[scheme] + M[scheme][i][weakest.at[i]] / n
    end
  end
  for _, x in pairs(shown) do
    local active = code:encode(x):above(1e-3)
    local i = active[(code:encode(x) * weakest.weight):take(active):argmin()]
    sums.pooled = sums.pooled + M.pooled[i][weakest.at[i]] / #shown
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
    cells[#cells + 1] = { model.name, centers[i], centers, M.weight[i], M.analytic[i], M.learned[i], M.pooled[i] }
  end
end
E:table("matrices", { "model", { "x", "preferred value of the input" }, { "y", "preferred value of the output" },
  { "weight", "W" }, { "analytic", "analytic release per input" }, { "learned", "release learned per input" },
  { "pooled", "release learned across pooled inputs" } }, cells)

local tenth_rows = {}
for _, model in ipairs(both) do
  for _, kind in ipairs { "seen", "unseen" } do
    for _, scheme in ipairs(schemes) do
      local release = stats.summary(trials[model.name]:column(kind .. ".tenths_" .. scheme))
      tenth_rows[#tenth_rows + 1] = { model.name, kind, scheme, ves.range(1, 10), release }
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

--- The fields `paths` in each network, first of the one model, then of the other.
local function measure(paths, which)
  local columns = {}
  for _, path in ipairs(paths) do
    for _, model in ipairs(which or both) do columns[#columns + 1] = trials[model.name]:column(path) end
  end
  return stats.summary(columns)
end
local function of_schemes(path, which)
  return measure({ path .. "analytic", path .. "learned", path .. "pooled" }, which)
end

local correlation, pooled = measure { "seen.encoded" }, measure { "smallest.pooled" }
local in_tails = "tails minus core of the encoded distribution; analytic, learned, pooled; defined after a first look; "
E:claims {
  where = where, reading = "printed", expected = 0,
  { id = "weights-encode-data", says = "the data distributions are clearly encoded by the learned weights",
    measured = correlation, expected = margins.correlated, judge = judge.every(judge.greater_than()),
    note = "correlation of a row's weights with the data-generating probabilities; simple and bimodal model" },
  { id = "priors-flat", says = "where no data were seen the priors appear as flat, uniform weights",
    measured = measure { "unseen.flat" }, judge = judge.every(judge.near(margins.uniform)),
    note = "total variation of a row from uniform; simple and bimodal model" },
  { id = "prior-hyperbolic", says = "near-uniform weights have a hyperbolic release, the sparse noise of the matrices",
    measured = measure { "unseen.hyperbolic" }, judge = judge.every(judge.near(margins.closely)),
    note = "largest relative deviation of the analytic release from 1/(n-i+1) in a row; simple and bimodal model" },
}
E:claims {
  where = where, reading = "printed", expected = 0, judge = judge.every(judge.exceeds_by_se()),
  says = "under all schemes release is highest among the weights of the tails",
  { id = "release-highest-in-tails", measured = of_schemes("seen.tail_", { both[1] }),
    note = in_tails .. "simple model" },
  { id = "release-highest-in-tails-bimodal", measured = of_schemes("seen.tail_", { both[2] }),
    note = in_tails .. "bimodal model" },
  { id = "release-highest-in-true-tails", measured = of_schemes("seen.true_tail_"),
    reading = "tails of the data-generating distribution",
    note = "tails minus core; analytic, learned, pooled; defined after a first look; simple and bimodal model" },
}
E:claims {
  where = where, reading = "printed", expected = 1, judge = judge.every(judge.near(margins.percent)),
  says = "the absolute smallest weights transmit 100% of the time",
  { id = "smallest-always-transmits", measured = measure { "smallest.analytic", "smallest.learned" },
    note = "mean release of the smallest weight of a row; analytic, learned; defined after a first look; "
      .. "simple and bimodal model" },
  { id = "smallest-always-transmits-pooled", measured = pooled,
    note = "mean release of the smallest weight of a pool; defined after a first look; simple and bimodal model" },
}
E:number({ "WeightsCorrelationSimple", "WeightsCorrelationBimodal" }, correlation)
E:number({ "SmallestPooledSimple", "SmallestPooledBimodal" }, pooled)

--- Only noise: in unseen rows the release has nothing to do with the output's place. Rows are independent, so the
--- standard error comes from all of them.

local place, square = of_schemes("unseen.place_").value, of_schemes("unseen.square_").value
local simple, bimodal = trials.simple:column("unseen_rows"):sum(), trials.bimodal:column("unseen_rows"):sum()
local rows = ves.vector { simple, bimodal, simple, bimodal, simple, bimodal }
E:claim { id = "prior-noise", where = where, reading = "printed", measured = place, expected = 0,
          se = ((square - place ^ 2) / rows):sqrt(), judge = judge.every(judge.agrees_by_se()),
          says = "where no data were seen releases only reflect noise",
          note = "rank correlation of release with the output's place; analytic, learned, pooled; "
            .. "standard errors over rows since a first look; simple and bimodal model" }

--- The smallest weights of a row: is their tenth the one that releases most (analytic), or is it neglected (learned)?

local function last_against_best(scheme)
  return stats.summary(stats.collect(both, function(model)
    local release = trials[model.name]:column("seen.tenths_" .. scheme)
    return stats.collect(P.replicates, function(i) return release[i][10] - release:row(i):slice(1, 9):max() end)
  end):transpose())
end

E:claims {
  where = where, reading = "printed", expected = 0, judge = judge.every(judge.falls_short_by_se()),
  says = "learning neglects the smallest weights for those that define the distribution",
  note = "mean release of the smallest tenth, but for the very smallest, minus that of the highest other tenth; "
    .. "defined after a first look; simple and bimodal model",
  { id = "analytic-smallest-highest", measured = last_against_best "analytic",
    says = "the analytic mapping assigns the highest releases to the smallest weights",
    judge = judge.every(judge.exceeds_by_se()) },
  { id = "learned-smallest-neglected", measured = last_against_best "learned" },
  { id = "learned-smallest-neglected-pooled", measured = last_against_best "pooled" },
}

E:finish()
