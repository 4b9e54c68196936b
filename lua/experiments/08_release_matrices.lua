--- # Release matrices
---
--- What a trained network looks like: its weights, and the release probabilities that the analytic mapping
--- [eq:mapping], learning input by input [alg:2] and learning across pooled inputs [eq:pooled] make of them, for both
--- data models. [fig:weights]

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local readings = require "vesicle.model.readings"
local shapes = require "vesicle.model.shapes"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "08_release_matrices", title = "weights and release probabilities of a trained network",
  figure = "fig:weights",
  params = {
    rows = { 4000, about = "rows of data" },
    psi = { 8.0, range = { 1, 20 }, about = "exponent of the learning rule" },
    rate = { 0.01, range = { 1e-4, 0.2 }, about = "learning rate" },
    iterations = { 5000, quick = 1000, about = "iterations of Algorithm 2" },
    presentations = { 121, quick = 41, about = "inputs on [-6, 6] presented in pooled learning" },
    networks = { 4, quick = 3, about = "networks of each spacing of the tuning curves" },
    replicates = { 3, quick = 2, about = "of these learn across pooled inputs too; the first is drawn" },
    unseen = { 0.4, about = "a row whose centre is this far from all training inputs is far from the data" },
  },
}
local P = E.params
local n = models.code().n
local both = { models.simple(), models.bimodal() }
local schemes = { "analytic", "learned", "pooled" }
local prior_a = 0.026 -- the most that A0 can be

local shown = (ves.range(1, P.presentations) - 1) * 12 / (P.presentations - 1) + -6

--- ## Four matrices
---
--- Learning starts from $N(0.3, 0.1)$. Pooled learning presents inputs all over $[-6, 6]$, one iteration each in
--- turn, and lets all synapses of the active inputs compete with their effective weights $x_i w_{ij}$.

local function matrices(model, spacing, rng, pooled)
  local net = models.network(model, rng, { rows = P.rows, spacing = spacing })
  local W = net:weights()
  local options = { algorithm = 2, rule = "power", psi = P.psi, rate = P.rate, iterations = P.iterations,
                    rng = rng:stream("learn") }
  local M = { weight = W, analytic = ves.release.analytic(W), learned = ves.release.learn(W, options) }
  options.inputs, options.code, options.rng = shown, net.input, rng:stream("pooled")
  M.pooled = pooled and ves.release.learn_pooled(W, options)
  M.schemes = pooled and schemes or { "analytic", "learned" }
  return net, M
end

--- ## Which cells are which
---
--- A row of the matrices is *seen* if the data brought it at least as much evidence as twenty rows of data, and
--- *unseen* if its evidence is that of the priors; it is *far* from the data if its centre is. The weights of a seen
--- row that represent data are those above twice what the prior alone would give. Taken from the largest down, those
--- that hold the first 68% of their sum are the core of the encoded distribution, those beyond 95% its tails. The tails
--- of the data-generating distribution, between 95% and 99.8% of its probability, are another matter: few rows of data
--- fall there, and many of its outputs represent none.

local function evidence(net) return (net.A + net.B):row_sums() / n end

local function nearest(model, x)
  if not model.inputs then return math.max(model.lo, math.min(model.hi, x)) end
  return model.inputs[(ves.vector(model.inputs) - x):abs():argmin()]
end

--- Where the elements of v above `floor` are: those that hold the first 68% of their sum, and those that hold what is
--- beyond 95% of it, up to `upper`.
local function parts(v, floor, upper)
  local held, sum, value, core, tail = {}, 0.0, v:totable(), {}, {}
  for _, j in ipairs(shapes.ranking(v)) do
    if value[j] > floor then held[j], sum = sum, sum + value[j] end
  end
  for j = 1, n do
    local before = held[j] and held[j] / sum or 0.8         -- by those that are larger; 0.8 is in neither
    if before < 0.68 then core[#core + 1] = j end
    if before >= 0.95 and before < upper then tail[#tail + 1] = j end
  end
  return { core = core, tail = tail, both = #core > 0 and #tail > 0 }
end

--- The mean release of each tenth of a row's synapses, from the strongest to the weakest. The very weakest is left
--- out: it always transmits, which is a statement of its own.
local function tenths(q, order)
  local sorted = q:take(order)
  return stats.collect(10, function(t)
    return sorted:slice((t - 1) * n // 10 + 1, math.min(t * n // 10, n - 1)):mean()
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

--- What release in the tails is for: the chance of a sample there when their releases are no higher than the core's.
local function lowered(w, q, tail, core)
  local low, tails = q:copy(), ves.vector(n)
  for _, j in ipairs(tail) do low[j], tails[j] = math.min(low[j], core), 1 end
  local wins = ves.winner.exact(w, low)
  return pmf.normalised(wins):dot(tails), pmf.normalised(w):dot(tails)
end

--- The data-generating distribution at an input, and its core and tails; once for all networks.
local known = {}
local function truth_at(model, x, centers)
  local name = string.format("%s %.17g %.17g", model.name, x, centers[1])
  if not known[name] then
    local p = pmf.binned(function(y) return model.cdf(x, y) end, centers)
    local cells = (p * 1e12):floor() -- mirrored cells tie, whatever their last digits
    known[name] = { p = p, parts = parts(cells, 0, 0.998) }
  end
  return known[name]
end

local function look_at_seen(model, M, orders, presence, centers)
  return function(i)
    local truth = truth_at(model, nearest(model, centers[i]), centers)
    local found = { encoded = stats.correlation(M.weight[i], truth.p) }
    local encoded = parts(M.weight[i], 2 * prior_a / presence[i], 1)
    for _, scheme in ipairs(M.schemes) do
      local q = M[scheme][i]
      for name, of in pairs { [scheme] = encoded, ["true_" .. scheme] = truth.parts } do
        if of.both then
          found["core_" .. name], found["tail_" .. name] = q:take(of.core):mean(), q:take(of.tail):mean()
        end
      end
      if encoded.both and scheme == "analytic" then
        found.lowered, found.share = lowered(M.weight[i], q, encoded.tail, found.core_analytic)
      end
      found["tenths_" .. scheme] = tenths(q, orders[i])
    end
    return found
  end
end

local function look_at_unseen(M, orders, centers)
  return function(i)
    local found = {}
    for _, scheme in ipairs(M.schemes) do
      local place = stats.rank_correlation(M[scheme][i], centers)
      found["place_" .. scheme], found["square_" .. scheme] = place, place ^ 2
      found["tenths_" .. scheme] = tenths(M[scheme][i], orders[i])
    end
    return found
  end
end

local function look_at_far(M, orders)
  return function(i)
    local hyperbola = M.analytic[i]:take(orders[i]) * (n + 1 - ves.range(1, n))
    return { flat = pmf.from_uniform(M.weight[i]), hyperbolic = (hyperbola - 1):abs():max() }
  end
end

--- The release of the absolutely smallest weight: of a row, and in pooled learning of a presentation's pool.
local function smallest(M, code)
  local sums = { analytic = 0.0, learned = 0.0, pooled = M.pooled and 0.0 }
  local weakest = stats.collect(n, function(i) return { at = M.weight[i]:argmin(), weight = M.weight[i]:min() } end)
  for i = 1, n do
    for _, scheme in ipairs { "analytic", "learned" } do
      sums[scheme] = sums[scheme] + M[scheme][i][weakest.at[i]] / n
    end
  end
  for _, x in pairs(M.pooled and shown or {}) do
    local active = code:encode(x):above(1e-3)
    local i = active[(code:encode(x) * weakest.weight):take(active):argmin()]
    sums.pooled = sums.pooled + M.pooled[i][weakest.at[i]] / #shown
  end
  return sums
end

--- Ratios within one network: of the tails to the core, of the smallest tenth to the highest other one, and of the
--- chance of a sample in the tails to the encoded one.
local function ratios(M, seen)
  local found = { counteract = seen.lowered / seen.share }
  for _, scheme in ipairs(M.schemes) do
    local tenth = seen["tenths_" .. scheme]
    found["tail_" .. scheme] = seen["tail_" .. scheme] / seen["core_" .. scheme]
    found["true_tail_" .. scheme] = seen["tail_true_" .. scheme] / seen["core_true_" .. scheme]
    found["last_" .. scheme] = tenth[10] / tenth:slice(1, 9):max()
  end
  return found
end

local function measure(model, spacing, r, rng)
  local net, M = matrices(model, spacing, rng, r <= P.replicates)
  local centers, presence, rows, orders = net.input.centers, evidence(net), { seen = {}, unseen = {}, far = {} }, {}
  for i = 1, n do
    orders[i] = shapes.ranking(M.weight[i])
    local kind = presence[i] > 20 and rows.seen or presence[i] < 0.13 and rows.unseen or {}
    kind[#kind + 1] = i
    if math.abs(centers[i] - nearest(model, centers[i])) >= P.unseen then rows.far[#rows.far + 1] = i end
  end
  local seen = over_rows(rows.seen, look_at_seen(model, M, orders, presence, centers))
  return { seen = seen, ratio = ratios(M, seen), unseen = over_rows(rows.unseen, look_at_unseen(M, orders, centers)),
           unseen_rows = #rows.unseen, far = over_rows(rows.far, look_at_far(M, orders)),
           smallest = smallest(M, net.input), drawn = spacing == "ends" and r == 1 and M or nil }
end

--- Networks of the other two spacings of the tuning curves have data of their own, the same for both.

local trials = { ends = {}, spaced = {} }
for _, model in ipairs(both) do
  trials.ends[model.name] = E:replicate { name = model.name, n = P.networks, run = function(r, rng)
    return measure(model, "ends", r, rng)
  end }
  trials.spaced[model.name] = E:replicate { name = model.name .. "-spaced", n = P.networks, run = function(r, rng)
    return { bins = measure(model, "bins", r, rng), open = measure(model, "open", r, rng) }
  end }
end

--- A field of so many networks; unless told, of all that have it.
local function field(model, spacing, path, count)
  count = count or path:find("pooled", 1, true) and P.replicates or P.networks
  if spacing == "ends" then return trials.ends[model.name]:column(path, count) end
  return trials.spaced[model.name]:column(spacing .. "." .. path, count)
end

--- ## The picture

local matrix_rows = {}
for _, model in ipairs(both) do
  local M, centers = trials.ends[model.name][1].drawn, models.code().centers
  for i = 1, n do
    matrix_rows[#matrix_rows + 1] = { model.name, centers[i], centers, M.weight[i], M.analytic[i], M.learned[i],
                                      M.pooled[i] }
  end
end
E:table("matrices", { "model", { "x", "preferred value of the input" }, { "y", "preferred value of the output" },
  { "weight", "W" }, { "analytic", "analytic release per input" }, { "learned", "release learned per input" },
  { "pooled", "release learned across pooled inputs" } }, matrix_rows)

local tenth_rows = {}
for _, model in ipairs(both) do
  for _, kind in ipairs { "seen", "unseen" } do
    for _, scheme in ipairs(schemes) do
      local release = stats.summary(field(model, "ends", kind .. ".tenths_" .. scheme, P.replicates))
      tenth_rows[#tenth_rows + 1] = { model.name, kind, scheme, ves.range(1, 10), release }
    end
  end
end
E:table("tenths", { "model", { "rows", "seen: with data; unseen: without" }, "scheme",
  { "tenth", "of a row's synapses, 1 the strongest" }, { "release", "mean release probability" },
  { "se", "its standard error over networks" } }, tenth_rows)

--- ## Verdicts
---
--- Each is measured in both models; a statement about all schemes in each of them. Of pooled learning it should be said
--- that presentations overlap here: the smallest weight of one pool is not the smallest of the next, and learns from
--- both.

--- The fields `path` .. scheme in each network, for each scheme first of the one model, then of the other.
local function measured(path, spacing, which, count)
  local columns = {}
  for _, scheme in ipairs(which or { "" }) do
    for _, model in ipairs(both) do columns[#columns + 1] = field(model, spacing, path .. scheme, count) end
  end
  return stats.summary(columns)
end

--- Nothing here depends on what was corrected: only printed cells, for each spacing.
local function cells(of)
  return readings.cells(function(reading, spacing) return reading.pick(nil, of(spacing)) end)
end
local function cells_of(path, which) return cells(function(spacing) return measured(path, spacing, which) end) end

local at_models = { "simple", "bimodal" }
local at_learned = { "learned,simple", "learned,bimodal", "pooled,simple", "pooled,bimodal" }
local at_schemes = { "analytic,simple", "analytic,bimodal", table.unpack(at_learned) }
local where = "Results, fig:weights"

E:statements {
  where = where, kind = "empirical", at = at_models,
  { id = "weights-encode-data", says = "The data distributions are clearly encoded by the weights of active inputs.",
    quantity = "correlation of a row's weights with the data-generating probabilities", breaks = "network=mirrored",
    criterion = is.each(is.more(margins.correlated)), cells = cells_of "seen.encoded" },
  { id = "priors-flat", says = "Where no data were simulated the priors appear as flat, uniform weights.",
    quantity = "total variation from uniform of rows far from every training input", breaks = "network.prior=wide",
    criterion = is.each(is.below(margins.uniform)), cells = cells_of "far.flat" },
  { id = "tails-counteract", breaks = "release=proportional",
    says = "Heightened release in the tails counteracts inhibition, which would otherwise keep less likely states from "
      .. "being sampled.",
    quantity = "chance of a sample in the tails, their releases lowered to the core's mean, over the encoded chance",
    criterion = is.each(is.less(margins.substantially)), cells = cells_of "ratio.counteract",
    note = "analytic releases of single rows; those of the tails that are below the core's mean stay as they are" },
  { id = "analytic-smallest-highest", says = "Under the mapping the smallest weights have the highest releases.",
    quantity = "mean release of the weakest tenth, without the very weakest, over that of the highest other tenth",
    criterion = is.each(is.more(1, margins.differs)), cells = cells_of "ratio.last_analytic", looked = true,
    breaks = "release=proportional" },
}
E:further {
  statement = "hyperbolic-uniform", kind = "empirical", at = at_models, criterion = is.each(is.below(margins.closely)),
  quantity = "largest relative departure of the analytic release from 1/(n-i+1) in a row far from every training input",
  breaks = "network.prior=wide", { reading = "unseen rows of trained networks", measured("far.hyperbolic", "ends") },
}
E:statements {
  where = where, kind = "empirical", at = at_schemes, looked = true,
  { id = "release-highest-in-tails", says = "Under all schemes release is highest among the weights of the tails.",
    quantity = "mean release in the tails over that in the core of the encoded distribution",
    criterion = is.each(is.more(1, margins.differs)), breaks = "release=inverse",
    cells = cells_of("ratio.tail_", schemes), further = {
      { reading = "tails of the data-generating distribution", measured("ratio.true_tail_", "ends", schemes) } } },
  { id = "smallest-always-transmits", breaks = "release=inverse",
    says = "All methods make the absolutely smallest weights transmit 100% of the time.",
    quantity = "mean release of the smallest weight of a row, and in pooled learning of a pool",
    criterion = is.each(is.near(margins.percent, 1)), cells = cells_of("smallest.", schemes) },
  { id = "learned-smallest-neglected",
    says = "Under learning with a fixed exponent the smallest weights are neglected.",
    at = at_learned, breaks = "release=proportional",
    quantity = "mean release of the weakest tenth, without the very weakest, over that of the highest other tenth",
    criterion = is.each(is.less(1, margins.differs)), cells = cells_of("ratio.last_", { "learned", "pooled" }) },
  --- Only noise: in unseen rows the release has nothing to do with the output's place. Rows are independent, so the
  --- standard error comes from all of them.
  { id = "prior-noise", says = "Where no data were observed releases only reflect the noise of the priors.",
    quantity = "rank correlation of release with the output's place, in rows without data", breaks = "release=place",
    criterion = is.each(is.same(0, margins.closely)), cells = cells(function(spacing)
      local place, square = measured("unseen.place_", spacing, schemes), measured("unseen.square_", spacing, schemes)
      local rows = {}
      for _, scheme in ipairs(schemes) do
        local count = scheme == "pooled" and P.replicates or P.networks
        for _, model in ipairs(both) do rows[#rows + 1] = field(model, spacing, "unseen_rows", count):sum() end
      end
      return { place.value, se = ((square.value - place.value ^ 2) / ves.vector(rows)):sqrt() }
    end) },
}
E:number({ "WeightsCorrelationSimple", "WeightsCorrelationBimodal" },
  measured("seen.encoded", "ends", nil, P.replicates))
E:number({ "SmallestPooledSimple", "SmallestPooledBimodal" }, measured("smallest.pooled", "ends"))

E:finish()
