--- # From weights to release probabilities
---
--- Given a vector of weights, how often must each synapse release so that the winner of a draw is
--- distributed as the weights say? The original answers with one line; this chapter checks the line
--- exactly and by sampling, looks at what it does to nearly equal weights, and compares it with the two
--- simplest alternatives as the layer grows.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "03_release_mapping", title = "The analytic mapping from weights to release probabilities",
  params = {
    outputs = { 50, about = "synapses of the distribution with two modes" },
    range = { 3.0, about = "their outputs span minus this to this" },
    floor = { 0.01, range = { 1e-4, 0.1 }, about = "smallest weight there, as a share of the largest" },
    replicates = { 200, quick = 50, about = "runs of the sampler" },
    draws = { 1000, about = "draws in each" },
    long_draws = { 250000, quick = 50000, about = "draws of the goodness-of-fit tests" },
    identities = { 200, quick = 40, about = "random vectors on which induction and normaliser are checked" },
    rows = { 4000, about = "observations of the first data model" },
    layers = { { 10, 14, 20, 28, 40, 56, 80, 112, 160, 224, 320, 448, 640, 896, 1280, 1792, 2560 },
               about = "sizes of the receiving layer" },
    tail = { 0.05, range = { 0.02, 0.5 }, about = "share of the encoded mass that counts as tail" },
    unseen = { 0.4, about = "inputs at least this far from all data are unseen" },
    uniform = { 0.3, about = "release probability, if all are equal" },
    factor = { 0.3, about = "release probability of the largest weight, if it is a fixed multiple of the weight" },
    lognormal = { 100, range = { 50, 1000 }, about = "synapses with strengths like those between cortical cells" },
    lognormal_mean = { -0.702, about = "mean of the logarithm of their strengths in millivolts" },
    lognormal_sd = { 0.9355, about = "its standard deviation" },
  },
}
local P = E.params

--- ## The mapping
---
--- Order the weights from the strongest to the weakest and let $p_i = w_i / \sum_j w_j$. Synapse $i$ wins if
--- it transmits and all stronger ones fail, $p_i = q_i \prod_{j<i}(1 - q_j)$ [eq:winner]. Solved from the
--- strongest down, this gives
--- $$q_i = \frac{w_i}{\sum_{j \ge i} w_j}. \qquad\text{[eq:mapping]}$$
---
--- It is tried on a distribution with two unequal modes, and on vectors chosen to be awkward.

local function outputs(n) return (ves.range(1, n) - 1) * (2 * P.range) / (n - 1) - P.range end

local function bimodal(y)
  local w = y:map(function(v)
    return 0.6 * math.exp(-(v + 1.2) ^ 2 / (2 * 0.45 ^ 2)) + 0.4 * math.exp(-(v - 1.1) ^ 2 / (2 * 0.7 ^ 2))
  end)
  return w:clamp(P.floor * w:max(), w:max())
end

local y = outputs(P.outputs)
local w = bimodal(y)
local shapes = {
  { "two modes", w },
  { "equal", ves.vector(100, 1) },
  { "ties", ves.vector { 3, 1, 3, 2, 2, 1, 3 } },
  { "a silent synapse", ves.vector { 0.2, 0, 0.5, 0.3 } },
  { "one dominates", ves.vector { 0.999, 4e-4, 3e-4, 2e-4, 1e-4 } },
  { "geometric", 0.7 ^ ves.range(1, 30) },
  { "random", E.rng:stream("random weights"):uniform(500) },
  { "two", ves.vector { 2.385, 1.1 } },
}

--- For each of them: the distance of the exact winner distribution [eq:winner] from the encoded one; the
--- mapping once more in the words of the Discussion, each strength over itself plus all weaker; a
--- goodness-of-fit test of many draws [alg:sample]; and how large $1/q_i$ is against its bound, the number of
--- synapses that are no stronger.

local function in_words(weights)
  local v = weights:totable()
  return stats.collect(v, function(own, i)
    local weaker = 0
    for j = #v, 1, -1 do if v[j] < own or (v[j] == own and j > i) then weaker = weaker + v[j] end end
    return own > 0 and own / (own + weaker) or 0
  end)
end

local function largest(v) return v:abs():max() end

--- How many synapses are no stronger, for each: from the strongest down, one less for each.
local function no_stronger(v)
  local counts, silent = ves.vector(#v), #v - (v * -1):less(0):sum()
  for r, i in pairs((v * -1):order()) do counts[i] = #v - r + 1 - silent end
  return counts
end

local tried = stats.collect(shapes, function(shape)
  local name, v = shape[1], shape[2]
  local q, p = ves.release.analytic(v), v / v:sum()
  local exact, nothing = ves.winner.exact(v, q)
  local winners = ves.sample(v, q, { draws = P.long_draws, rng = E.rng:stream("shape", name) })
  local test, speaking = stats.chi_square((winners:counts(#v)), p), v:above(0)
  return { name = name, label = (name:gsub(" ", "-")), n = #v, exact = math.max(largest(exact - p), nothing),
           wording = largest(q - in_words(v)), factor = (1 / q:take(speaking) / no_stronger(v):take(speaking)):max(),
           chi_square = test.statistic, df = test.df, p = test.p }
end)
E:table("shapes", { { "shape", tried.name }, { "n", tried.n },
  { "exact_error", "largest distance of the winner distribution from the encoded one", tried.exact },
  { "wording_error", "largest distance of the release probabilities from the rule in words", tried.wording },
  { "factor", "largest normalisation factor over the number of synapses no stronger", tried.factor },
  { "chi_square", tried.chi_square }, { "df", tried.df }, { "p", tried.p } })

--- The factor $1/q_i = 1 + \sum_{j>i} w_j/w_i$ is largest where many synapses are only slightly weaker: it grows with
--- the weight of each of them.

local raised = E:replicate { name = "raised", n = P.identities, run = function(i, rng)
  local v, least = rng:uniform(2 + i % 20), math.huge
  for j = 1, #v do
    local more = v:copy()
    more[j] = 1.01 * v[j]
    local change, stronger = 1 / ves.release.analytic(more) - 1 / ves.release.analytic(v), v:above(more[j])
    if #stronger > 0 then least = math.min(least, change:take(stronger):min()) end
  end
  return least
end }
E:statement {
  id = "normaliser-largest", where = "Discussion", kind = "mathematical", proof = "eq:mapping",
  says = "The normalisation factor is largest when many projections are only slightly weaker.",
  quantity = "least change of 1/q of a synapse when one weaker weight is raised by 1% and stays weaker, all pairs",
  criterion = is.above(0), breaks = "release.analytic=uniform",
  cells = { printed = { raised:column():min(), exact = true } },
  note = "1/q_i is 1 plus the sum of w_j/w_i over the weaker synapses j",
}

--- ## The induction
---
--- Appendix A shows that $\prod_{j<i}(1-q_j) = 1 - \sum_{j<i} p_j$ for whatever $q$ defines the $p$. Random
--- vectors of release probabilities, of one synapse and more, with the exact distribution of winners as $p$:

local induction = E:replicate { name = "induction", n = P.identities, run = function(n, rng)
  local releases = rng:uniform(n)
  local win = ves.winner.exact(1 / ves.range(1, n), releases)
  return largest(win - releases * (1 - (win:cumsum() - win)))
end }
E:statement {
  id = "mapping-induction", where = "Appendix A", kind = "mathematical", proof = "thm:mapping",
  says = "p_i = q_i prod(1 - q_j) implies p_i = q_i (1 - sum of stronger p_j).",
  quantity = "largest distance of a winner's probability from q_i (1 - sum of those of stronger ones), random releases",
  criterion = is.exact(), breaks = "winner=weakest", cells = { printed = { induction:column():max(), exact = true } },
}

--- ## Encoded, exact, sampled
---
--- The distribution with two modes, drawn as often as in the original's simulations, many times over.

local q, p = ves.release.analytic(w), w / w:sum()
local exact = ves.winner.exact(w, q)
local runs = E:replicate { name = "sampled", n = P.replicates, run = function(_, rng)
  return ves.sample(w, q, { draws = P.draws, rng = rng }):counts(P.outputs) / P.draws
end }
local frequency = runs:column()
local sampled, band = stats.summary(frequency), stats.collect(P.outputs, function(j)
  return stats.quantile(frequency:col(j), { 0.025, 0.975 })
end)
E:table("distribution", { { "output", ves.range(1, P.outputs) }, { "y", y }, { "weight", w }, { "encoded", p },
  { "exact", exact }, { "one_run", "share of draws won in the first run", frequency[1] },
  { "mean", "the same, mean over runs", sampled.value }, { "se", sampled.se },
  { "lo", "2.5% quantile over runs", band:col(1) }, { "hi", "97.5% quantile over runs", band:col(2) },
  { "release", "analytic mapping", q } })
E:number("MappingTotalVariation", stats.summary(stats.collect(P.replicates, function(i)
  return 0.5 * (frequency[i] - p):abs():sum()
end)))

--- ## Weights are frequencies, and every neuron gets its chance
---
--- With one input and activations of zero or one, the weights are the observed frequencies themselves but for the prior
--- evidence, $w_j = (A_0 + N_j)/(A_0 + B_0 + N)$. Five categories, seen unequally often:

local category = ves.code { n = 5, lo = 1, hi = 5, sigma = 0.1 }
local one = ves.code { n = 1, lo = -1, hi = 1, sigma = 1 }
local seen = ves.vector { 7, 1, 12, 3, 40 }
local function off_frequencies(a, b)
  local tally = ves.network { input = one, output = category, prior_a = a, prior_b = b, rng = E.rng:stream("tally") }
  for c, times in pairs(seen) do tally:observe(ves.vector(times, 0), ves.vector(times, c)) end
  return largest(tally:weights():row(1) - seen / seen:sum())
end
E:statement {
  id = "weights-are-frequencies", where = "Theoretical model, Transmission probability", kind = "mathematical",
  says = "With one input and discrete activations the weights are exactly the observed frequencies.",
  quantity = "largest distance of a weight from the frequency, five categories seen 63 times, prior evidence 1e-100",
  criterion = is.exact(), breaks = "network.prior=none", looked = true, proof = "eq:betamean",
  cells = { printed = { off_frequencies(1e-100, 1e-100), exact = true } },
  further = { { reading = "the simulations' prior evidence", off_frequencies(models.prior_a, models.prior_b),
                quantity = "largest distance of a weight from the frequency, five categories seen 63 times",
                exact = true } },
  note = "an idealised statement: the prior evidence, by which weights differ from frequencies, is the simulations'",
}

--- A network that has learned the first data model has a hundred inputs, most of which have seen nothing.
--- Activate each of them alone: is a neuron's chance of out-competing the rest the probability that its
--- synapse encodes?

local code, model = models.code(), models.simple()
local function paper_network(rng) return ves.network { input = code, output = code, rng = rng } end
local net = paper_network(E.rng:stream("priors"))
for _, x in ipairs(model.inputs) do
  local ys = E.rng:stream("data", x):normal(0, model.sd(x), P.rows // #model.inputs)
  net:observe(ves.vector(#ys, x), ys)
end
local W = net:weights()
local off = stats.collect(code.n, function(i)
  local row = W:row(i):copy()
  local won, nothing = ves.winner.exact(row, ves.release.analytic(row))
  return math.max(largest(won - row / row:sum()), nothing)
end)

--- ## Nearly equal weights
---
--- Where no data were seen, the weights are the prior's and nearly equal. The release probabilities are
--- then far from equal: with equal weights the mapping is a hyperbola in the rank, $q_i = 1/(n - i + 1)$,
--- or $1/k$ for the $k$th weakest.

local untrained = paper_network(E.rng:stream("untrained")):weights()
local rank = ves.range(1, code.n)
local function releases_of(weights, rows)
  return stats.collect(rows, function(i) return ves.release.analytic(weights:row(i):sort()) end)
end
local function departs(m) return stats.summary(stats.collect(#m, function(i) return largest(m[i] * rank - 1) end)) end
local inputs = ves.vector(model.inputs)
local far = code.centers:map(function(c) return (inputs - c):abs():min() end):above(P.unseen)
local release = releases_of(untrained, code.n)
local by_rank, departure, unseen = stats.summary(release), departs(release), departs(releases_of(W, far))
E:table("hyperbola", { { "k", "rank of the weight, counted from the weakest", rank }, { "hyperbola", "1/k", 1 / rank },
  { "release", "analytic release probability under prior weights, mean over inputs", by_rank.value },
  { "lo", "smallest over inputs", by_rank.min }, { "hi", "largest over inputs", by_rank.max } })
local prior = untrained:row(1)
E:number("PriorWeightSpread", (prior:max() - prior:min()) / prior:mean())
E:number("HyperbolaDeparture", departure)
E:statement {
  id = "hyperbolic-uniform", where = "Discussion; Results, fig:weights", kind = "empirical",
  says = "For a nearly uniform distribution the releases are not uniform but hyperbolic.",
  quantity = "largest relative departure from 1/(n - i + 1) in a row, mean over untrained rows and over unseen ones",
  at = { "untrained", "unseen" }, criterion = is.each(is.below(margins.closely)), breaks = "release.analytic=uniform",
  cells = { printed = { { departure.value, unseen.value }, se = { departure.se, unseen.se } } },
}

--- ## Strong synapses and weak ones
---
--- Does release fall with strength? Of two neighbours in rank the stronger releases less if $w_i(1-q_{i+1}) < w_{i+1}$:
--- if they are alike, and not if it is much the stronger. Strengths of connections between cortical cells are about
--- lognormal (Song et al. 2005, whose fit is taken here). Among many synapses with such strengths, where does release
--- fall with strength and where does it rise?

local skewed = E:replicate { name = "lognormal", n = P.replicates, run = function(_, rng)
  local strength = -(-rng:normal(P.lognormal_mean, P.lognormal_sd, P.lognormal):exp()):sort()
  local often = ves.release.analytic(strength)
  local function slope(from, to)
    return stats.regression(strength:slice(from, to):log(), often:slice(from, to):log()).slope
  end
  return { least = often:argmin(), often = often:min(), strongest = often[1],
           above = slope(1, P.lognormal // 5), below = slope(P.lognormal // 2, P.lognormal),
           all = slope(1, P.lognormal) }
end }
local function of_skewed(name) return stats.summary(skewed:column(name)) end
E:number("LognormalLeastRank", of_skewed "least")
E:number("LognormalLeast", of_skewed "often")
E:number("LognormalStrongest", of_skewed "strongest")
E:number("LognormalSlope", of_skewed "all")
local above, below = of_skewed "above", of_skewed "below"
E:own {
  id = "release-not-monotone", kind = "empirical", breaks = "release.analytic=uniform", looked = true,
  says = "Among synapses of lognormal strengths release falls with strength at the weak and rises at the strong.",
  quantity = "slope of the logarithm of release on that of strength, strongest fifth and weaker half of the synapses",
  at = { "strongest-fifth", "weaker-half" },
  criterion = is.each { is.more(0, margins.slope_effect), is.less(0, margins.slope_effect) },
  value = { { above.value, below.value }, se = { above.se, below.se } },
}

--- ## Simpler releases, as the layer grows
---
--- The original motivates its mapping by what simpler ones lack: with release probabilities that are
--- uniform, or proportional to the weights, the tails vanish as the network grows. What proportional
--- means decides: $q = c\,w$ with one $c$ for layers of every size, whose weights then sum to more and more; or
--- $q = w/\sum w$. In the second case the chance that all stronger synapses fail,
--- $\prod_{j<i}(1-p_j)$, tends to $e^{-F}$ where $F$ is the mass that is stronger, and the tail remains.
---
--- The same two modes on ever more outputs; the tail is the weakest outputs that together hold a small
--- share of the encoded mass, and we compare the exact chance of a sample there (draws in which nothing
--- transmits being repeated) with what is encoded.

local releases = {
  analytic = function(v) return ves.release.analytic(v) end,
  uniform = function(v) return ves.vector(#v, P.uniform) end,
  constant = function(v) return v * (P.factor / v:max()) end,
  normalised = function(v) return v / v:sum() end,
}

--- The indices of the weakest outputs that hold no more than P.tail of the mass; of equals, the last first.
local function tail_of(probability)
  local descending, members, held = (probability * -1):order(), {}, 0
  for r = #probability, 1, -1 do
    held = held + probability[descending[r]]
    if held > P.tail then break end
    members[#members + 1] = descending[r]
  end
  return members
end

local kept = stats.collect(P.layers, function(size)
  local v = bimodal(outputs(math.tointeger(size)))
  local encoded = v / v:sum()
  local members = tail_of(encoded)
  local found = {}
  for name, release_of in pairs(releases) do
    local won, nothing = ves.winner.exact(v, release_of(v))
    found[name] = won:take(members):sum() / (1 - nothing) / encoded:take(members):sum()
    if name == "normalised" then found.empty = nothing end
  end
  return found
end)
E:table("tails", { { "n", "outputs", P.layers },
  { "analytic", "chance of a sample in the tail over the encoded one, analytic mapping", kept.analytic },
  { "uniform", "the same, equal release probabilities", kept.uniform },
  { "constant", "the same, a fixed multiple of the weight", kept.constant },
  { "normalised", "the same, weights over their sum", kept.normalised },
  { "normalised_empty", "there, the chance that nothing transmits", kept.empty } })

--- The limit of the normalised release: $e^{-F}$ averaged over the tail, given that something transmits.
local limit = (math.exp(P.tail) - 1) / P.tail * math.exp(-1) / (1 - math.exp(-1))
E:table("tail_limit", { { "limit", "of the normalised release", limit } })

--- A ratio vanishes if it is below the margin in the largest layer, and smaller there than in every smaller one.
local function vanishing(ratios)
  local last = ratios[#ratios]
  return { { last, (last / ratios:slice(1, #ratios - 1)):max() }, exact = true, beside = { ["by layer"] = ratios } }
end

E:statements {
  where = "Introduction, Lateral inhibition", kind = "mathematical", proof = "prop:tails", breaks = "winner=weakest",
  quantity = "chance of a sample in the tail over the encoded one: in the largest layer; over the least of the others",
  at = { "largest", "over-the-least-other" }, criterion = is.each { is.below(margins.vanishes), is.below(1) },
  { id = "tails-uniform", cells = { printed = vanishing(kept.uniform) },
    says = "With uniform releases the chance of sampling the tails vanishes as the network grows." },
  { id = "tails-proportional", cells = { printed = vanishing(kept.normalised), corrected = vanishing(kept.constant) },
    says = "With releases proportional to the weights the tails vanish as the network grows.",
    note = "printed: weights over their sum; corrected: one constant of proportionality for networks of every size" },
}
E:number({ "TailNormalised", "TailNormalisedLimit", "TailUniform" },
  { kept.normalised[#P.layers], limit, kept.uniform[#P.layers] })

--- ## In one row
---
--- The original says in several places that the mapping samples what the weights encode. So it does: for all weight
--- vectors, for each input of a trained network active alone, by draws, and in the tails of layers of every size.

E:statement {
  id = "mapping-exact", where = "Theoretical model, Transmission probability, eq:mapping",
  kind = "mathematical", proof = "thm:mapping", breaks = "release.analytic=uniform",
  says = "With q = w over itself and all weaker weights each output is sampled with exactly its encoded probability.",
  quantity = "largest distance of an exact winner probability from the encoded one, or probability of an empty draw",
  at = { "weight-vectors", "trained-rows" }, criterion = is.each(is.exact()),
  cells = { printed = { { tried.exact:max(), off:max() }, exact = true } },
  further = {
    { reading = "by sampling", tried.p, kind = "empirical", criterion = is.each(is.not_rejected()), at = tried.label,
      quantity = "p value of a chi-square test of sampled frequencies against the encoded probabilities" },
    { reading = "tails, up to 2560 outputs", largest(kept.analytic - 1), exact = true, proof = "thm:mapping",
      quantity = "largest relative distance of the chance of a sample in the tail from the encoded one" },
  },
}

--- ## What it costs in releases
---
--- Synapses are said to fail at rates that promote energy efficiency. A row of the mapping with $n$ equal weights
--- releases $\sum_k 1/k \approx \log n$ times a draw, not $n$ times:

local spent = stats.summary(stats.collect(code.n, function(i) return ves.release.analytic(W:row(i):copy()):mean() end))
E:statement {
  id = "energy-efficient", where = "Discussion, Spatial vs temporal representation", kind = "unclaimed",
  says = "Synapses fail at rates that promote energy efficiency.",
  quantity = "releases a draw over the number of synapses, mean over the rows of a trained network",
  criterion = is.less(margins.substantially), breaks = "release.analytic=certain", cells = { printed = spent },
  note = "the original quotes it of Levy and Baxter (2002), of real synapses; here it is measured of the mapping, "
    .. "which need not be optimal",
}

E:finish()
