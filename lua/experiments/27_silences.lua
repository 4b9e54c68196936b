--- # Silences, all crossed
---
--- The original leaves open how some things are done, and each way of doing them is a fair reading of it. A verdict
--- under one reading says little if another reading turns it. So here a dozen central statements are judged under
--- *every* combination of the readings that touch them, by the criteria of the ledger. For each statement three
--- numbers come of it: the share of combinations in which it holds, the silence that decides most about it, and how
--- much that silence decides.

local ves = require "vesicle"
local array = require "vesicle.base.array"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local readings = require "vesicle.model.readings"
local rules = require "vesicle.model.rules"
local shapes = require "vesicle.model.shapes"
local silences = require "vesicle.model.silences"
local spread = require "vesicle.model.spread"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "27_silences", title = "a dozen central statements under every admissible reading",
  figure = { "fig:simresults", "fig:simdata1", "fig:learningRules" },
  params = {
    networks = { 8, quick = 2, about = "data sets for each data model, spacing and reading of N(m, s)" },
    draws = { 1000, quick = 200, about = "samples per input" },
    rows = { 4000, about = "rows of data" },
    widths = { { 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1 }, quick = { 0.05, 0.5 }, about = "widths of H" },
    psi = { 8.0, about = "exponent of the learning rule in networks" },
    rate = { 0.01, about = "its learning rate" },
    iterations = { 5000, quick = 1000, about = "iterations of Algorithm 2 in networks" },
    runs = { 40, quick = 4, about = "runs of each learning rule on each bimodal vector" },
    rule_psi = { 7.0, about = "constant exponent in the comparison of rules" },
    rule_rate = { 0.0025, about = "learning rate there" },
    rule_iterations = { 10000, quick = 2000, about = "iterations there" },
  },
}
local P = E.params

--- ## What is left open
---
--- *The decoder.* A sample is $\arg\max_z \mathbf H Y$, "a Gaussian kernel matrix $\mathbf H$ defined over $z$". The
--- width of $\mathbf H$ is not printed, nor whether lateral inhibition comes first. If it does, one output is left
--- and the sample is its preferred value, whatever the width; if not, the whole masked activity is decoded.
--- [eq:decode]
---
--- *The spacing.* Curves are "equally spaced" on $[-6, 6]$. *The normaliser* of the releases of several inputs is
--- "the total number of active input neurons"; with tuning curves it "may be the sum of the input vector". Graded
--- activities can be counted in two ways: those above $10^{-3}$, or by participation. Learning from the pooled
--- weights needs none.
---
--- *The normal distribution.* $N(m, s)$ has $s$ as its standard deviation or as its variance. The text calls its
--- second data model one of a linear trend in the variance, and in the same sentence speaks of a standard deviation.
---
--- *The root.* $\Phi$ is printed as the solution of an equation that it does not solve; either may be meant. *The
--- reference* is called $\mathrm{Beta}(A+1, B+1)$, and has the moments of $\mathrm{Beta}(A, B)$. *The weights under
--- the mask* of MAP samples are divided by $\Phi$ "for minimal bias", or they are the fixed weights of the model.
---
--- *The releases* $Q$ of the samples of the complete posterior are the mapping's or the learned ones. *The bimodal
--- vector* on which learning rules are compared has a number of weights, a shape and a floor. *The target* of the
--- rule that is said to converge is one of seven. *Learned* is what a rule makes of draws, or also what counts at the
--- synapse give. *Empty draws* count or are repeated; *inputs* are on or off, or graded.

local function H(width) return string.format("H %g", width) end
local decoders = { "winner" }
for i, width in ipairs(P.widths) do decoders[i + 1] = H(width) end

local S = {
  decoder = { name = "decoder", levels = decoders },
  spacing = { name = "spacing", levels = readings.spacings },
  normaliser = { name = "normaliser", levels = { "sum", "participation", "count" } },
  pooling = { name = "normaliser", levels = { "sum", "participation", "count", "pooled" } },
  normal = { name = "N(m,s)", levels = { "deviation", "variance" } },
  root = { name = "root", levels = { "printed", "exact" } },
  reference = { name = "reference", levels = { "AB+1", "AB" } },
  masked = { name = "masked weights", levels = { "W/Phi", "W" } },
  releases = { name = "releases", levels = { "mapping", "learned" } },
  number = { name = "number of weights", levels = { 30, 50, 100 } },
  shape = { name = "shape", levels = { "bimodal", "equal", "second" } },
  floor = { name = "floor", levels = { 0.001, 0.01, 0.1 } },
  target = { name = "target", levels = rules.names },
  empty = { name = "empty draws", levels = { "counted", "repeated" } },
  learned = { name = "sense of learned", levels = { "by a rule", "also by counts" } },
  inputs = { name = "inputs", levels = { "on or off", "graded" } },
}

--- The prior's ranges are printed and so is what becomes of them: "release probabilities only reflect the random
--- noise of the priors", so that each weight has a draw of its own. That is no silence. The spread of the prior is
--- crossed with the others all the same, as far as the winner goes, to see how much hangs on it: each weight's own
--- draw from the printed ranges, or the middle of the ranges for all.

local priors = { "own draws", "one value" }
local middle = { a = (models.prior_a[1] + models.prior_a[2]) / 2, b = (models.prior_b[1] + models.prior_b[2]) / 2 }

--- ## Networks
---
--- One *world* is a spacing and a reading of $N(m, s)$; in it networks are trained on the data of both models.
--- Everything else is read from the same networks: that is what makes the cross cheap. The winner's distribution is
--- exact [eq:winner-multi]; what is decoded from the whole activity is drawn, once for all widths.

local worlds = silences.cross { S.spacing, S.normal }
local inputs, unseen = spread.inputs, { -3, 1, 5 }

local least = 1e-6 -- of a standard error

local function key(...) return table.concat({ ... }, "/") end

--- Values found in one network after the other, by name: seen.add(name, vector), seen.all(name) with a row for each.
local function collection()
  local rows = {}
  return {
    add = function(name, value)
      rows[name] = rows[name] or {}
      table.insert(rows[name], value)
    end,
    all = function(name)
      return ves.matrix(rows[name] or error("nothing was seen of " .. name))
    end,
  }
end

--- The probabilities of the cells around the outputs' preferred values.
local function in_cells(values, centers)
  local step = centers[2] - centers[1]
  return (((values - centers[1]) / step + 0.5):floor():clamp(0, #centers - 1) + 1):counts(#centers)
end

--- Where the whole activity of each draw peaks under an $\mathbf H$ of this width. Beside the smallest standard
--- errors any grid is coarse: `finely`, a parabola through the logarithms of the largest height on a grid and its two
--- neighbours finds the peak between grid points, exactly where one output is active. Draws whose peaks have the same
--- grid point are refined together.

local function peaks(code, activity, width, finely)
  local step = finely and math.max(0.02, width / 5) or math.max(0.02, math.min(0.05, width / 5))
  local points = (code.hi - code.lo) / step // 1 + 1
  step = (code.hi - code.lo) / (points - 1)
  local z = code:decode(activity, { grid = math.tointeger(points), width = width })
  if not finely then return z end
  local kernel = ves.code { n = code.n, lo = code.lo, hi = code.hi, sigma = width, spacing = code.spacing }
  local order, refined, from = z:order(), {}, 1
  local sorted = z:take(order)
  while from <= #z do
    local to, at = from, sorted[from]
    while to < #z and sorted[to + 1] == at do to = to + 1 end
    local around = kernel:encode { at - step, at, at + step }
    local height = activity:take(order:slice(from, to)):mul(around:transpose())
    local below, peak, above = height:col(1):log(), height:col(2):log(), height:col(3):log()
    local shift = ((below - above) / (below - peak * 2 + above) / 2):clamp(-0.5, 0.5)
    for i = from, to do refined[i] = at + step * shift[i - from + 1] end
    from = to + 1
  end
  return ves.vector(refined):clamp(code.lo, code.hi)
end

--- How the whole activity of draws is decoded by each width: f(decoder, values).
local function decoded(code, activity, finely, f)
  for _, width in ipairs(P.widths) do f(H(width), peaks(code, activity, width, finely)) end
end

--- What samples look like under each decoder: { sd =, p = } by the decoder's name, p over cells.
local function samples(code, W, Q, x, rng, finely)
  local p = pmf.normalised((ves.winner.exact(W, Q, x)))
  local found = { winner = { sd = pmf.sd(p, code.centers), p = p } }
  if rng then
    local drawn = ves.draw(W, Q, { x = x, draws = P.draws, rng = rng })
    decoded(code, drawn.activity:take(drawn.winner:above(0)), finely, function(decoder, z)
      found[decoder] = { sd = z:sd(), p = in_cells(z, code.centers) }
    end)
  end
  return found
end

--- Draws of the weights [eq:beta]: the activity they make, one row a draw.
local function beta_activity(at, more, draws, rng)
  local ones, sum = ves.matrix(draws, 1, 1), nil
  for i = 1, #at.x do
    local a, b = ones:mul(ves.matrix { at.A[i] + more }), ones:mul(ves.matrix { at.B[i] + more })
    local y = rng:stream(i):beta(a:flatten(), b:flatten()) * at.x[i]
    sum = sum and sum + y or y
  end
  return sum:reshape(draws, #at.A[1])
end

--- Everything that is read from one network, put into `seen`. `whole`: also what has to be drawn.

local function look(net, model, code, seen, rng, whole)
  local activity, ask = code:encode(inputs), whole and decoders or { "winner" }
  local active = stats.collect(code.n, function(i) return activity:col(i):max() end):above(1e-3)
  local W, phi = net:weights(), {}
  for _, root in ipairs(S.root.levels) do phi[root] = ves.release.epistemic(net.A, net.B, root) end
  local learning = { algorithm = 2, rule = "power", psi = P.psi, rate = P.rate, iterations = P.iterations,
                     start = { mean = 0.3, sd = model.start_sd } }
  local function learn(f, name, more)
    local options = { rng = rng:stream(name) }
    for _, given in ipairs { learning, more } do for k, v in next, given do options[k] = v end end
    return f(W, options)
  end
  local Q = { mapping = ves.release.analytic(W), learned = learn(ves.release.learn, "learn", { active = active }) }

  --- f(x, at, rng) of each input returns what `samples` does; their spreads are seen as NAME/DECODER, and with
  --- `cells` their distribution functions as cdf/NAME/K/DECODER.
  local function see(name, at_inputs, f, cells)
    local found = {}
    for k, x in ipairs(at_inputs) do
      found[k] = f(readings.at({ A = net.A, B = net.B, W = W }, code:encode(x)), whole and rng:stream(name, x))
      for _, decoder in ipairs(cells and ask or {}) do
        seen.add(key("cdf", name, k, decoder), pmf.cumulative(found[k][decoder].p))
      end
    end
    for _, decoder in ipairs(ask) do
      seen.add(key(name, decoder), stats.collect(#at_inputs, function(k) return found[k][decoder].sd end))
    end
  end
  local function masked_by(release) -- the release matrix of the active inputs, from f(rows, x)
    return function(at, r) return samples(code, at.W, release(at), at.x, r) end
  end

  for _, releases in ipairs(S.releases.levels) do
    for _, normaliser in ipairs(S.normaliser.levels) do
      local function divided(at) return ves.release.normalise(Q[releases]:take(at.active), at.x, normaliser) end
      if model.name == "simple" then see(key(releases, normaliser), inputs, masked_by(divided)) end
      for _, root in ipairs(S.root.levels) do
        see(key("both", releases, normaliser, root), inputs, masked_by(function(at)
          return ves.release.combine(phi[root]:take(at.active), divided(at))
        end), true)
      end
    end
  end
  if model.name ~= "simple" then return end

  local pooled = learn(ves.release.learn_pooled, "pooled", { inputs = inputs, code = code })
  see(key("learned", "pooled"), inputs, masked_by(function(at) return pooled:take(at.active) end))
  for _, root in ipairs(S.root.levels) do
    for _, masked in ipairs(S.masked.levels) do
      local weights = masked == "W" and W or W / phi[root]
      local function map(finely)
        return function(at, r)
          return samples(code, weights:take(at.active), phi[root]:take(at.active), at.x, r, finely)
        end
      end
      see(key("map", root, masked), inputs, map(true))
      see(key("map unseen", root, masked), unseen, map(false))
    end
  end

  --- The Beta model: the spread of what is decoded from it, and its posterior predictive distribution. Where its
  --- winner is the same in all draws, its standard error is below anything that these draws can show.
  local beta, predictive = {}, {}
  for k, x in ipairs(inputs) do
    local at = readings.at({ A = net.A, B = net.B, W = W }, code:encode(x))
    local plain, plus = net:beta { x = x, beta = "both", draws = P.draws, rng = rng:stream("winner", x) }
    for more, reference in ipairs { "AB", "AB+1" } do
      local y = beta_activity(at, more - 1, whole and P.draws or P.draws // 10, rng:stream(reference, x))
      beta[reference] = beta[reference] or {}
      predictive[reference] = predictive[reference] or {}
      beta[reference][k] = { winner = math.max(least, (more == 1 and plain or plus):sd()) }
      if whole then decoded(code, y, true, function(decoder, z) beta[reference][k][decoder] = z:sd() end) end
      predictive[reference][k] = pmf.sd(y:normalise():col_sums(), code.centers)
    end
  end
  for _, reference in ipairs(S.reference.levels) do
    for _, decoder in ipairs(ask) do
      seen.add(key("beta", reference, decoder), stats.collect(#inputs, function(k)
        return beta[reference][k][decoder]
      end))
    end
    seen.add(key("predictive", reference), ves.vector(predictive[reference]))
  end
end

--- ## The statements
---
--- Of each: its criterion in the ledger, the silences that touch it, and what is measured in one combination of them.
--- [fig:simresults] [fig:simdata1]

local closely = is.each(is.within(margins.closely))

local of_networks = {
  { of = "sd-analytic", list = { S.decoder, S.spacing, S.normaliser, S.normal }, criterion = closely,
    measure = function(seen, c, model)
      return stats.ratios(seen.all(key("mapping", c.normaliser, c.decoder)), model.truth)
    end },
  { of = "sd-learned", list = { S.decoder, S.spacing, S.pooling, S.normal }, criterion = closely,
    measure = function(seen, c, model)
      return stats.ratios(seen.all(key("learned", c.normaliser, c.decoder)), model.truth)
    end },
  { of = "matches-data", list = { S.decoder, S.spacing, S.normaliser, S.root, S.releases, S.normal },
    criterion = is.each(is.below(margins.closely)),
    measure = function(seen, c, model, other, centers)
      local columns, truths = {}, {}
      for m, one in ipairs { seen, other.seen } do
        local generating = m == 1 and model or other.model
        for k, x in ipairs(inputs) do
          columns[#columns + 1] = one.all(key("cdf", "both", c.releases, c.normaliser, c.root, k, c.decoder))
          truths[#truths + 1] = function(y) return generating.cdf(x, y) end
        end
      end
      return pmf.kolmogorov(columns, truths, centers)
    end },
  { of = "complete-posterior",
    list = { S.decoder, S.spacing, S.normaliser, S.root, S.reference, S.releases, S.normal }, criterion = closely,
    measure = function(seen, c)
      return stats.ratios(seen.all(key("both", c.releases, c.normaliser, c.root, c.decoder)),
        seen.all(key("predictive", c.reference)))
    end },
  { of = "se-identity", list = { S.decoder, S.spacing, S.root, S.reference, S.masked, S.normal }, criterion = closely,
    measure = function(seen, c)
      return stats.ratios(seen.all(key("map", c.root, c["masked weights"], c.decoder)),
        seen.all(key("beta", c.reference, c.decoder)))
    end },
  { of = "map-smallest-where-data", list = { S.decoder, S.spacing, S.root, S.masked, S.normal },
    criterion = is.more(1, margins.differs),
    measure = function(seen, c)
      local name = key(c.root, c["masked weights"], c.decoder)
      local trained, far = seen.all(key("map", name)), seen.all(key("map unseen", name))
      return stats.jackknife(function(a, b) return a:min() / b:max() end, far, trained)
    end },
}

--- The levels of a combination as a text: the name under which a world keeps what it measured.
local function name_of(list, c)
  local parts = {}
  for i, silence in ipairs(list) do parts[i] = c[silence.name] end
  return table.concat(parts, ", ")
end

--- All that is measured in a world: by statement and combination, values and standard errors.
local function measured_in(world, prior, rng, whole)
  local code = models.code(world.spacing)
  local variance = world["N(m,s)"] == "variance"
  local both = { models.simple { variance = variance }, models.bimodal { variance = variance } }
  local seen = { collection(), collection() }
  for m, model in ipairs(both) do
    model.start_sd = variance and math.sqrt(0.1) or 0.1
    for i = 1, P.networks do
      local own = rng:stream(model.name, i)
      local net = models.network(model, own, { rows = P.rows, spacing = world.spacing,
        prior_a = prior == "one value" and middle.a or nil, prior_b = prior == "one value" and middle.b or nil })
      look(net, model, code, seen[m], own:stream("look"), whole)
    end
  end
  both[1].truth = stats.collect(inputs, both[1].sd)
  local found = {}
  for _, s in ipairs(of_networks) do
    found[s.of] = {}
    for _, c in ipairs(silences.cross(s.list)) do
      local here = c.spacing == world.spacing and c["N(m,s)"] == world["N(m,s)"]
      if here and (whole or c.decoder == "winner") then
        local estimate = s.measure(seen[1], c, both[1], { seen = seen[2], model = both[2] }, code.centers)
        found[s.of][name_of(s.list, c)] = { value = estimate.value, se = estimate.se }
      end
    end
  end
  return found
end

local crossed = E:replicate { name = "worlds", n = #worlds, run = function(i, rng)
  return measured_in(worlds[i], "own draws", rng, true)
end }

--- The same networks with and without a spread of the prior, read by the winner.

local by_prior = E:replicate { name = "priors", n = #worlds * #priors, run = function(i)
  local world = (i - 1) // #priors + 1
  return measured_in(worlds[world], priors[(i - 1) % #priors + 1], E.rng:stream("priors", world), false)
end }

--- ## Statements without a network
---
--- *Learning rules.* Both exponents learn releases for a bimodal vector, and what their winners miss is averaged over
--- runs. $N(0.3, 0.1)$, where releases start, is read as above. Where rules come to rest needs no run
--- [app:equilibrium]; the ledger asks it of the constant exponent, here each of the seven targets may be meant.
--- [fig:learningRules]

local vectors = silences.cross { S.number, S.shape, S.floor }
local function weights(c) return shapes.weights(c.shape, c["number of weights"], c.floor) end
local function start(c) return { mean = 0.3, sd = c["N(m,s)"] == "variance" and math.sqrt(0.1) or 0.1 } end

local learning = E:replicate { name = "rules", n = P.runs, run = function(_, rng)
  local found = {}
  for _, normal in ipairs(S.normal.levels) do
    for _, c in ipairs(vectors) do
      c["N(m,s)"] = normal
      local w = weights(c)
      found[#found + 1] = stats.collect({ "power", "variable" }, function(rule)
        return shapes.distance(w, ves.release.learn(w, rules.options(rule, { psi = P.rule_psi }, {
          rate = P.rule_rate, iterations = P.rule_iterations, start = start(c), rng = rng:stream(rule, #found) })))
      end)
    end
  end
  return found
end }

local function exactly(...) return { value = ves.vector { ... }, se = ves.vector(select("#", ...)) } end

--- *Only locally learned* is judged as in `13_learning_details`: of a hundredfold evidence the variance of a weight
--- falls, and so should that of its failing synapse. A release "learned locally" is what a rule has made of the
--- synapse's own draws, or else also what it can compute from counts of its own, as $\Phi$.

local evidence = 20
local function fall(release_of)
  local w = shapes.weights("bimodal", 50)
  local few, many = release_of(w, evidence), release_of(w, 100 * evidence)
  return ((((1 / many - 1) / (1 / few - 1)):log()) / math.log((evidence + 1) / (100 * evidence + 1))):mean()
end
local function learned_release(w)
  return ves.release.learn(w, { rule = "power", psi = P.psi, rate = P.rate, iterations = P.iterations,
                                rng = E.rng:stream("complete") })
end
local function epistemic_release(root)
  return function(w, n)
    return ves.release.epistemic(ves.matrix { w * n }, ves.matrix { (1 - w) * n }, root):row(1):copy()
  end
end

--- *The root* that is printed delivers $\Phi$ times the wanted variance: the largest relative error, A and B from a
--- hundredth to ten thousand. [eq:beta2dropoutvar]
local function off_variance(root)
  local counts, worst = (ves.range(-8, 16) / 4 * math.log(10)):exp(), 0.0
  for _, b in pairs(counts) do
    local A, B = ves.matrix { counts }, ves.matrix { ves.vector(#counts, b) }
    local phi, fails = ves.release.epistemic(A, B, root)
    local n = A + B
    worst = math.max(worst, (fails / phi * A * (n + 1) / B - 1):row(1):abs():max())
  end
  return worst
end

--- *The conjecture*, by the examples of `10_conjecture`. If empty draws count, each input alone forces the releases
--- of its row, and the winner is wrong under both. If they are repeated, rows have a freedom each; output 2 then wins
--- too rarely for all of it, and a second input too faint to change the order of outputs moves the winners not at
--- all.

local conjecture = {
  counted = function()
    local W = ves.matrix { { 0.6, 0.4 }, { 0.6, 0.4 } }
    return exactly(ves.winner.exact(W, ves.release.analytic(W), { 1, 1 })[1] - 0.6)
  end,
  ["repeated, on or off"] = function()
    local W, short = ves.matrix { { 0.6, 0.25, 0.15 }, { 0.15, 0.25, 0.6 } }, -math.huge
    for i = 1, 20 do
      for j = 1, 20 do
        local c1, c2 = i / 20, j / 20
        local Q = ves.matrix { ves.multi.redraw_family(W[1], c1), ves.multi.redraw_family(W[2], c2) }
        local won, something = ves.winner.exact(W, Q, { 1, 1 }), c1 + c2 - c1 * c2
        short = math.max(short, (won[2] / (0.25 * something) - 1) / math.min(c1, c2))
      end
    end
    return exactly(short)
  end,
  ["repeated, graded"] = function()
    local W = ves.matrix { { 0.6, 0.4 }, { 0.3, 0.7 } }
    local function at(s) return ves.multi.mixture(W, ves.vector { 1, s }) end
    return exactly(ves.score.total_variation(at(0.05), at(0.25)))
  end,
}

local function vector_index(c)
  for i, v in ipairs(vectors) do
    if v["number of weights"] == c["number of weights"] and v.shape == c.shape and v.floor == c.floor then return i end
  end
end

local of_formulas = {
  { of = "mapping-exact", list = {}, criterion = is.exact(), measure = function()
    local off = 0.0
    for _, c in ipairs(vectors) do
      local w = weights(c)
      local p, nothing = ves.winner.exact(w, ves.release.analytic(w))
      off = math.max(off, nothing, (p - w):abs():max())
    end
    return exactly(off)
  end },
  { of = "phi-variance", list = { S.root }, criterion = is.exact(),
    measure = function(c) return exactly(off_variance(c.root)) end },
  { of = "converge-analytic", list = { S.target, S.number, S.shape, S.floor }, criterion = is.each(is.exact()),
    measure = function(c)
      local w = weights(c)
      local rest = ves.release.equilibrium(w, rules.options(c.target, { psi = P.rule_psi, subtract = 0.35 }))
      local off = rest / ves.release.analytic(w) - 1
      return exactly(off:min(), off:max())
    end },
  { of = "exponents-close", list = { S.number, S.shape, S.floor, S.normal },
    criterion = is.each(is.below(margins.very_closely)), measure = function(c)
      local k = vector_index(c) + (c["N(m,s)"] == "variance" and #vectors or 0)
      return stats.summary(learning:column(tostring(k)))
    end },
  { of = "only-locally-learned", list = { S.learned, S.root }, criterion = is.within(margins.closely),
    measure = function(c)
      return exactly(fall(c["sense of learned"] == "by a rule" and learned_release or epistemic_release(c.root)))
    end },
  { of = "conjecture", list = { S.empty, S.inputs }, criterion = is.differs(0, margins.exact),
    measure = function(c)
      return (conjecture[c["empty draws"]] or conjecture[c["empty draws"] .. ", " .. c.inputs])()
    end },
}

--- ## What came of them

local says = {
  ["mapping-exact"] = "the mapping draws exactly what the weights encode",
  ["phi-variance"] = "Phi gives a synapse the variance of its weight",
  ["matches-data"] = "samples are distributed as the data",
  ["sd-analytic"] = "spreads are right with the mapping",
  ["sd-learned"] = "spreads are right with learned releases",
  ["se-identity"] = "standard errors agree with the Beta model's",
  ["map-smallest-where-data"] = "the network is surest where it has data",
  ["complete-posterior"] = "both releases draw the predictive distribution",
  ["converge-analytic"] = "learning comes to rest at the mapping",
  ["exponents-close"] = "learned exponents come very close",
  ["only-locally-learned"] = "complete inference is learned locally alone",
  ["conjecture"] = "no constant releases serve several inputs",
}

local function listed(values)
  local shown = {}
  for k, x in ipairs(type(values) == "number" and { values } or array.totable(values)) do
    shown[k] = string.format("%.4g", x)
  end
  return table.concat(shown, " ")
end

local function judged(s, found)
  local holds, close, rows = {}, 0, {}
  for i, c in ipairs(silences.cross(s.list)) do
    local value, se = found(c)
    holds[i] = (is.judge(s.criterion, value, se))
    local hangs = is.slack(s.criterion, value, se) ~= nil
    close = close + (hangs and 1 or 0)
    rows[i] = { s.of, #s.list > 0 and name_of(s.list, c) or "nothing is left open", listed(value), listed(se),
                holds[i] and "holds" or "fails", hangs and "yes" or "no" }
  end
  local d = silences.decide(s.list, holds)
  d.of, d.says, d.close, d.rows, d.holds, d.list = s.of, says[s.of], close / #holds, rows, holds, s.list
  return d
end

local decided = {}
for _, s in ipairs(of_networks) do
  decided[#decided + 1] = judged(s, function(c)
    for i, world in ipairs(worlds) do
      if world.spacing == c.spacing and world["N(m,s)"] == c["N(m,s)"] then
        local one = crossed[i][s.of][name_of(s.list, c)]
        return one.value, one.se
      end
    end
  end)
end
for _, s in ipairs(of_formulas) do
  decided[#decided + 1] = judged(s, function(c)
    local one = s.measure(c)
    return one.value, one.se
  end)
end

--- By class, and within a class by share.

local place = {}
for i, class in ipairs(silences.classes) do place[class] = i end
table.sort(decided, function(a, b)
  if a.class ~= b.class then return place[a.class] < place[b.class] end
  if a.share ~= b.share then return a.share > b.share end
  return a.of < b.of
end)

local rows, level_rows, all_rows, by_id, counted = {}, {}, {}, {}, { combinations = 0 }
for i, d in ipairs(decided) do
  local always = {}
  for _, one in ipairs(d.levels) do
    if one.share == 1 and d.share < 1 then always[#always + 1] = one.silence .. " " .. one.level end
  end
  rows[i] = { i, place[d.class], d.of, d.says, d.class, d.combinations, d.share, d.close, d.decides or "nothing",
              d.weight, #always > 0 and table.concat(always, ", ") or "none" }
  for s, silence in ipairs(d.list) do
    for _, one in ipairs(d.levels) do
      if one.silence == silence.name then
        level_rows[#level_rows + 1] = { i, d.of, silence.name, tostring(one.level), one.share, d.weights[s] }
      end
    end
  end
  table.move(d.rows, 1, #d.rows, #all_rows + 1, all_rows)
  by_id[d.of], counted[d.class] = d, (counted[d.class] or 0) + 1
  counted.combinations = counted.combinations + d.combinations
end
E:table("statements", { { "row", "place in the picture" },
  { "class", "1 every reading, 2 one silence, 3 several, 4 none" },
  "id", { "says", "the statement in a few words" }, { "survives", "the class in words" },
  { "combinations", "of the readings that touch it" }, { "share", "of them in which it holds" },
  { "close", "share of them in which two standard errors would turn the verdict" },
  { "decides", "the silence that decides most" }, { "weight", "how much: share of the verdicts' variance" },
  { "always", "readings of one silence under which it holds whatever the others are" } }, rows)
E:table("levels", { { "row", "place in the picture" }, "id", "silence", { "level", "one reading of it" },
  { "share", "of combinations with it in which the statement holds" },
  { "weight", "how much the silence decides" } }, level_rows)
E:table("combinations", { "id", { "combination", "of readings" }, { "values", "what was measured" },
  { "ses", "standard errors over data sets, 0 where exact" }, "verdict",
  { "close", "whether two standard errors would turn it" } }, all_rows)
E:number("SilencesCombinations", counted.combinations)
for _, c in ipairs { { "SilencesEvery", "every reading" }, { "SilencesOne", "one silence" },
                     { "SilencesSeveral", "several silences" }, { "SilencesNone", "no reading" } } do
  E:number(c[1], counted[c[2]] or 0)
end
for _, c in ipairs { { "SilencesShareSdMapping", "sd-analytic" }, { "SilencesShareSdLearned", "sd-learned" },
                     { "SilencesShareMatches", "matches-data" }, { "SilencesShareErrors", "se-identity" },
                     { "SilencesShareComplete", "complete-posterior" } } do
  E:number(c[1], by_id[c[2]].share, nil, { digits = 2 })
end

--- With one prior for all weights instead of a draw for each: how many of the winner's verdicts differ?

local turned, asked = 0, 0
for world = 1, #worlds do
  local own, one = by_prior[(world - 1) * #priors + 1], by_prior[world * #priors]
  for _, s in ipairs(of_networks) do
    for name, found in next, own[s.of] do            -- counted, so that order plays no part
      local other = one[s.of][name]
      asked = asked + 1
      if is.judge(s.criterion, found.value, found.se) ~= is.judge(s.criterion, other.value, other.se) then
        turned = turned + 1
      end
    end
  end
end
E:number({ "SilencesPriorAsked", "SilencesPriorTurned" }, { asked, turned })

--- ## Verdicts on the sweep itself
---
--- The classes follow from the shares. Four things about them are stated, after a first look: which statements are
--- true whatever is left open, which in no reading, and what the verdicts on $\Phi$ and on its standard errors hang
--- on.

local function shares(ids) return stats.collect(ids, function(id) return by_id[id].share end) end
local survives = { "mapping-exact", "conjecture" }
local never = { "converge-analytic", "exponents-close" }
local errors = by_id["se-identity"]
local function weight_of(d, name)
  local own, others = 0.0, 0.0
  for i, silence in ipairs(d.list) do
    if silence.name == name then own = d.weights[i] else others = math.max(others, d.weights[i]) end
  end
  return own, others
end
local decoder, next_to_it = weight_of(errors, "decoder")

E:own {
  kind = "empirical", looked = true,
  { id = "silences-every", at = survives, criterion = is.each(is.exact(1)), breaks = "release.analytic=uniform",
    says = "The mapping is exact and the conjecture true in every reading.",
    quantity = "share of all combinations of readings in which the statement holds", value = { shares(survives) } },
  { id = "silences-none", at = never, criterion = is.each(is.exact(0)), breaks = "release.equilibrium=mapping",
    says = "Learning comes to rest at the mapping in no reading, and both exponents come very close in none.",
    quantity = "share of all combinations of readings in which the statement holds", value = { shares(never) } },
  { id = "silences-root", criterion = is.near(margins.exact, 1), breaks = "epistemic=squared",
    says = "Whether Phi gives a synapse the variance of its weight depends on the root alone.",
    quantity = "share of the variance of the verdicts that goes with the root",
    value = (weight_of(by_id["phi-variance"], "root")) },
  { id = "silences-decoder", criterion = is.above(0), breaks = "epistemic=certain",
    says = "Whether standard errors agree with the Beta model's hangs on the decoder more than on any other silence.",
    quantity = "share of the variance of the verdicts that goes with the decoder, less the largest of another silence",
    value = decoder - next_to_it },
}

--- The decoder in that verdict: the largest share with inhibition before decoding or a width up to 0.3, and with any.

local narrow, best = 0.0, 0.0
for _, one in ipairs(errors.levels) do
  if one.silence == "decoder" then
    best = math.max(best, one.share)
    if (tonumber(one.level:match("^H (.*)$")) or 0) < 0.4 then narrow = math.max(narrow, one.share) end
  end
end
E:number("SilencesErrorsNarrow", narrow, nil, { digits = 2 })
E:number("SilencesErrorsBest", best, nil, { digits = 2 })
E:number("SilencesErrorsDecoder", decoder, nil, { digits = 2 })

E:finish()
