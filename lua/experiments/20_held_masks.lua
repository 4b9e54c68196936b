--- # Held masks
---
--- Two things make a draw uncertain: what the network does not know, its weights, and what the world does not fix, the
--- output given them. Multiplied releases cannot show which is which. Let the sites that are open stay so for $m$
--- draws, a *bout*, while everything else is drawn anew. The variance *between* bouts should then be what is not known,
--- the variance *within* them what is not fixed, and only the first should shrink as data arrive. For a readout
--- $Y = \sum_{ij} c_j x_i w_{ij} \frac{K_{ij}}{N\phi_{ij}} Z_{ij}$ that is linear in what is transmitted the two are
--- $$\sum_{ij} c_j^2 x_i^2 w_{ij}^2\, r_{ij}^2\, t_{ij} \quad\text{and}\quad
---   \sum_{ij} c_j^2 x_i^2 w_{ij}^2\, r_{ij}(1-r_{ij})(1+t_{ij}) \qquad\text{[eq:held]}$$
--- by a theorem of the report; for the winner they are measured.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local repaired = require "vesicle.model.repaired"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "20_held_masks", title = "what is not known and what is not fixed, against the amount of data",
  params = {
    rows_per_input = { { 5, 20, 80, 320, 800, 3200 }, quick = { 5, 80, 800 },
                       about = "rows of data for each of the five inputs" },
    replicates = { 40, quick = 4, about = "networks with each amount of data" },
    hold = { 200, about = "draws in a bout" }, bouts = { 40, about = "bouts at each input" },
    weight_draws = { 200, quick = 100, about = "draws of the weights behind the references" },
    linear_replicates = { 40, quick = 3, about = "networks whose linear readout is measured" },
    linear_sites = { 8, about = "release sites there" },
    linear_hold = { 100, about = "draws in a bout there" },
    linear_bouts = { 160, quick = 120, about = "bouts there" },
  },
}
local P = E.params
local model, code = models.simple(), models.code()
local inputs, amounts, centers = model.inputs, P.rows_per_input, code.centers
local at_inputs = { "x=-4", "x=-2", "x=0", "x=2", "x=4" }

--- ## References
---
--- Under the Beta model a hypothesis is a draw of the weights, and the output is drawn from $W'x$, normalised
--- [eq:mixture]. Not known: the variance over hypotheses of the mean output. Not fixed: the mean over hypotheses of the
--- variance of the output.

local function synapses(A, B, x)
  local activity = code:encode(x)
  local active = activity:above(1e-3)
  return { a = A:take(active), b = B:take(active), x = activity:take(active) }
end

local function beta_model(s, rng)
  local level, a, b = ves.matrix { s.x }, s.a:flatten(), s.b:flatten()
  local means, variances = ves.vector(P.weight_draws), ves.vector(P.weight_draws)
  for d = 1, P.weight_draws do
    means[d], variances[d] = level:mul(rng:stream(d):beta(a, b):reshape(#s.x, code.n))[1]:moments(centers)
  end
  return { between = means:var(), within = variances:mean() }
end

--- ## The winner
---
--- Two stages with the mapping, the sites of `repaired.sites` held over a bout.

local function held_winner(net, W, phi, release, x, rng)
  local _, info = net:sample { x = x, release = release, rescale = phi, sites = repaired.sites,
                               stages = 2, hold = P.hold, draws = P.hold * P.bouts, rng = rng }
  local encoded = pmf.var(ves.multi.mixture(W, code:encode(x)), centers)
  return { between = info.between, within = info.within, encoded = encoded }
end

--- A hypothesis may act elsewhere. In the sampler an open site adds to what a synapse *sends*, so that a bout moves
--- synapses up or down in the competition and no release with them; where the order stays, so do the winners. Let the
--- open sites act on how *often* it sends instead: the amplitude stays what was learned, and a synapse whose hypothesis
--- is $w'$ releases with $w'/a$ [eq:amplitude]. Then the winners of a bout are computed exactly [eq:winner].
---
--- A release cannot exceed one, and with the mapping it would have to at the weakest synapses: what is cut off is
--- missing. The redraw family [eq:redraw-family] has room. Its releases fall with the chance $c$ that a draw is not
--- empty, and with
--- $$c \le c^* = \min_i \frac{\phi_i}{p_i + \phi_i \sum_{j<i} p_j}$$
--- no hypothesis is cut off. All rows take the same $c$, the least $c^*$ of those that are active, or empty draws would
--- change how much each of them counts.

local function largest_chance(w, phi)
  local c = 1.0
  for i = 1, w.rows do
    local p, stronger = w[i] / w[i]:sum(), 0.0
    for _, j in ipairs((p * -1):order():totable()) do
      c, stronger = math.min(c, phi[i][j] / (p[j] + phi[i][j] * stronger)), stronger + p[j]
    end
  end
  return c
end

--- Averaged over all hypotheses, how far are the winners from what is encoded, given that something is transmitted?
local function averaged(w, release, phi, strength)
  local law, encoded = ves.vector(code.n), ves.vector(code.n)
  for i = 1, w.rows do
    local won = ves.winner.exact(w[i] / release[i], repaired.hypotheses(release[i], phi[i], repaired.sites))
    law, encoded = law + won * strength[i], encoded + w[i] / w[i]:sum() * strength[i]
  end
  return ves.score.total_variation(pmf.normalised(law), encoded)
end

local function held_release(w, release, phi, strength, rng)
  local n, count, amplitude = repaired.sites, code.n, w / release
  local means, variances, flat = ves.vector(P.bouts), ves.vector(P.bouts), phi:flatten()
  for g = 1, P.bouts do
    local p, stream = ves.vector(count), rng:stream(g)
    repeat -- should no site open, the bout begins anew, as in the sampler
      local open = stream:mask_counts(flat, n)
      local q = ((w:flatten() * open / flat / n):reshape(w.rows, count) / amplitude):clamp(0, 1)
      for i = 1, w.rows do p = p + (ves.winner.exact(amplitude[i], q[i])) * strength[i] end
    until p:sum() > 0
    means[g], variances[g] = p:moments(centers)
  end
  return { between = means:var(), within = variances:mean(), off = averaged(w, release, phi, strength) }
end

local function held_releases(s, strength, rng)
  local w, phi = s.a / (s.a + s.b), ves.release.epistemic(s.a, s.b, "exact", { sites = repaired.sites })
  local c = largest_chance(w, phi)
  local family = stats.collect(w.rows, function(i) return ves.multi.redraw_family(w[i], c) end)
  local of_mapping = held_release(w, ves.release.analytic(w), phi, strength, rng)
  local of_family = held_release(w, family, phi, strength, rng)
  of_family.chance = c
  return of_mapping, of_family
end

--- ## A linear readout
---
--- All inputs together, releases divided by participation, $c_j$ the preferred values: measured by draws, with the
--- estimators of the theorem, beside its two sums.

local function linear(s, Q, x, rng)
  local n = P.linear_sites
  local t = (s.b / (s.a * (s.a + s.b + 1))):flatten()
  local phi = ves.release.epistemic(s.a, s.b, "exact", { sites = n }):flatten()
  local r = ves.release.normalise(Q, code:encode(x), "participation"):take(code:encode(x):above(1e-3)):flatten()
  local part = ves.matrix(#s.x, code.n)
  local w = s.a / (s.a + s.b)
  for i = 1, #s.x do part[i] = w[i] * centers * s.x[i] end
  part = part:flatten()
  local within, means = 0.0, ves.vector(P.linear_bouts)
  for g = 1, P.linear_bouts do
    local stream = rng:stream(g)
    local sent = part * stream:mask_counts(phi, n) / phi / n
    local y = stream:mask(r, P.linear_hold):mul(sent)
    means[g], within = y:mean(), within + y:var() / P.linear_bouts
  end
  local between, squares = means:var() - within / P.linear_hold, part ^ 2
  local exact = { between = (squares * r ^ 2 * t):sum(), within = (squares * r * (1 - r) * (1 + t)):sum() }
  return { between = between / exact.between, within = within / exact.within, total = exact.between + exact.within,
           share = exact.between / (exact.between + exact.within) }
end

local trials = {}
for k, rows in ipairs(amounts) do
  trials[k] = E:replicate { name = "rows-" .. rows, n = P.replicates, run = function(i, rng)
    local net = models.network(model, rng, { rows = rows * #inputs })
    local W, A, B = net:weights(), net.A, net.B
    local Q, phi = ves.release.analytic(W), ves.release.epistemic(A, B, "exact", { sites = repaired.sites })
    local release = ves.release.combine(phi, Q)
    local found = stats.collect(inputs, function(x)
      local s, activity = synapses(A, B, x), code:encode(x)
      local strength = (W:take(activity:above(1e-3)):row_sums() * s.x):normalise()
      local of_mapping, of_family = held_releases(s, strength, rng:stream("release", x))
      return { winner = held_winner(net, W, phi, release, x, rng:stream("winner", x)),
               release = of_mapping, family = of_family,
               beta = beta_model(s, rng:stream("beta", x)) }
    end)
    found.linear = i <= P.linear_replicates and stats.collect({ -4, 0, 4 }, function(x)
      return linear(synapses(A, B, x), Q, x, rng:stream("linear", x))
    end) or nil
    return found
  end }
end

--- ## What comes of it

local function mean(k, path) return stats.summary(trials[k]:column(path)) end
local rows = {}
for k, amount in ipairs(amounts) do
  rows[k] = { amount, inputs, ves.vector(inputs):map(model.sd) ^ 2, mean(k, "winner.encoded"), mean(k, "beta.within"),
              mean(k, "winner.within"), mean(k, "release.within"), mean(k, "family.within"), mean(k, "beta.between"),
              mean(k, "winner.between"), mean(k, "release.between"), mean(k, "family.between"),
              mean(k, "family.chance") }
end
E:table("components", { { "rows", "rows of data per input" }, { "x", "input" },
  { "data", "variance of the data" }, { "encoded", "variance of the encoded distribution" }, "encoded_se",
  { "beta_within", "under Beta weights: mean variance of the output given the weights" }, "beta_within_se",
  { "within", "of winners within bouts" }, "within_se",
  { "release_within", "the same if open sites act on releases" }, "release_within_se",
  { "family_within", "the same with releases of the redraw family" }, "family_within_se",
  { "beta_between", "under Beta weights: variance of the mean output" }, "beta_between_se",
  { "between", "of winners between bouts" }, "between_se",
  { "release_between", "the same if open sites act on releases" }, "release_between_se",
  { "family_between", "the same with releases of the redraw family" }, "family_between_se",
  { "chance", "share of draws of the redraw family that are not empty" }, "chance_se" }, rows)

local linear_rows = {}
for k, amount in ipairs(amounts) do
  local function of(path) return stats.summary(trials[k]:column("linear." .. path, P.linear_replicates)) end
  linear_rows[k] = { amount, { -4, 0, 4 }, of "between", of "within", of "share" }
end
E:table("linear", { { "rows", "rows of data per input" }, { "x", "input" },
  { "between", "variance between bouts, measured over the theorem's" }, "between_se",
  { "within", "variance within bouts, measured over the theorem's" }, "within_se",
  { "share", "share of the part between in the theorem's total" }, "share_se" }, linear_rows)

--- ## Verdicts
---
--- With the most data, is each component what the Beta model has? How do they change from the least data to the most?

local last = #amounts
local function against(path, k)
  return stats.ratios(trials[k]:column(path), trials[k]:column("beta." .. path:match("%w+$")))
end

--- The slope of the logarithm of a component, averaged over inputs, on the logarithm of the rows.
local function slope(path)
  local matrices = {}
  for k in ipairs(amounts) do matrices[k] = trials[k]:column(path) end
  return stats.jackknife(function(...)
    local y = {}
    for k, v in ipairs { ... } do y[k] = math.log(math.max(v:mean(), 1e-12)) end
    return stats.regression(ves.vector(amounts):map(math.log), y).slope
  end, table.unpack(matrices))
end

E:own {
  kind = "empirical", breaks = "epistemic=half",
  { id = "held-linear", says = "A linear readout's two variances under held masks are those of the theorem.",
    quantity = "measured variance over the theorem's, mean over amounts of data and inputs",
    at = { "between", "within" }, criterion = is.each(is.within(margins.closely)),
    value = stats.summary(stats.collect(P.linear_replicates, function(i)
      local b, w = 0.0, 0.0
      for k in ipairs(amounts) do
        local one = trials[k][i].linear
        b, w = b + one.between:mean() / last, w + one.within:mean() / last
      end
      return { b, w }
    end)) },
  { id = "held-within", says = "With much data the variance within bouts is what the world does not fix.",
    quantity = string.format("variance within bouts over that of the Beta model, %d rows per input", amounts[last]),
    at = at_inputs, criterion = is.each(is.within(margins.closely)), breaks = "epistemic=certain",
    value = against("winner.within", last) },
  { id = "held-between-shrinks", says = "The variance between bouts shrinks with data.",
    breaks = "network.observe=nothing",
    quantity = "slope of the logarithm of the variance between bouts on that of the rows",
    criterion = is.less(0, margins.slope_effect),
    value = slope "winner.between" },
  { id = "held-between", says = "The variance between bouts is that of the Beta model's hypotheses.",
    quantity = string.format("variance between bouts over that of the Beta model, %d rows per input", amounts[1]),
    at = at_inputs, criterion = is.each(is.within(margins.roughly)), breaks = "held=beta",
    value = against("winner.between", 1) },
  { id = "held-release-between",
    says = "The variance between bouts is that of the Beta model's hypotheses if open sites act on releases, not "
      .. "on what is sent.",
    quantity = string.format("variance between bouts over that of the Beta model, %d rows per input", amounts[last]),
    at = at_inputs, criterion = is.each(is.within(margins.roughly)), breaks = "winner=weights",
    value = against("release.between", last) },
  { id = "held-family-between",
    says = "The variance between bouts is that of the Beta model's hypotheses if releases are of the redraw family.",
    quantity = string.format("variance between bouts over that of the Beta model, %d rows per input", amounts[last]),
    at = at_inputs, criterion = is.each(is.within(margins.roughly)), breaks = "epistemic=certain",
    value = against("family.between", last), note = "asked after held-release-between had failed, by its criterion" },
  { id = "held-family-encoded",
    says = "With the releases of the redraw family hypotheses leave the winner's law as encoded, on average.",
    kind = "mathematical", proof = "prop:hypotheses", breaks = "winner=weakest",
    quantity = "total variation of winners, averaged over hypotheses and given that something is transmitted, from the "
      .. "encoded distribution: largest over networks and inputs, least and most data",
    at = { "least-data", "most-data" }, criterion = is.each(is.exact()),
    value = { { trials[1]:column("family.off"):max(), trials[last]:column("family.off"):max() }, exact = true } },
}

local names = {
  winner = { "HeldBetween", "HeldWithin", "HeldSlopeBetween", "HeldSlopeWithin", "HeldNarrowWithin" },
  release = { "HeldReleaseBetween", "HeldReleaseWithin", "HeldReleaseSlopeBetween", "HeldReleaseSlopeWithin",
              "HeldReleaseNarrowWithin" },
  family = { "HeldFamilyBetween", "HeldFamilyWithin", "HeldFamilySlopeBetween", "HeldFamilySlopeWithin",
             "HeldFamilyNarrowWithin" },
}
for _, where in ipairs { "winner", "release", "family" } do
  local between, within = against(where .. ".between", last), against(where .. ".within", last)
  E:number(names[where][1], between.value:mean(), between.se:mean())
  E:number(names[where][2], within.value:mean(), within.se:mean())
  E:number(names[where][3], slope(where .. ".between"))
  E:number(names[where][4], slope(where .. ".within"))
  E:number(names[where][5], within[1])
end
local function over_inputs(k, path) return stats.summary(trials[k]:column(path):row_sums() / #inputs) end
E:number("HeldReleaseOffLeast", over_inputs(1, "release.off"))
E:number("HeldReleaseOffMost", over_inputs(last, "release.off"))
E:number("HeldFamilyChanceLeast", over_inputs(1, "family.chance"))
E:number("HeldFamilyChanceMost", over_inputs(last, "family.chance"))

E:finish()
