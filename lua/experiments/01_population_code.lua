--- # Population codes
---
--- A real number can be written twice: as a point on a line, and as the firing rates of a layer of
--- neurons, each of which prefers one value and fires less the farther the stimulus is from it. This
--- chapter asks how well each representation is understood in the space of the other, and what it
--- means to read the activity of a layer as a probability distribution. A value that goes round in a circle, as
--- orientation does, is in `01_orientation`.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "01_population_code", title = "A value as firing rates, and firing rates as a distribution",
  figure = { "fig:popcode1", "fig:neuron2hist" },
  params = {
    neurons = { 11, about = "neurons of the layer that is drawn" },
    range = { 10.0, about = "their preferred values span 0 to this" },
    width = { 1.0, about = "sigma of their tuning curves" },
    stimulus = { 6.3, about = "the value shown to them" },
    network_neurons = { 100, about = "neurons per layer in the original's simulations" },
    network_range = { 6.0, about = "their preferred values span minus this to this" },
    network_sigma = { 0.05, about = "sigma of their tuning curves" },
    widths = { 55, quick = 18, about = "how many widths of tuning curve are tried" },
    narrowest = { 0.15, about = "the smallest, in centre spacings" },
    widest = { 1.5, about = "the largest, in centre spacings" },
    stimuli = { 201, quick = 51, about = "values encoded and read out again per width" },
    fineness = { 100, quick = 40, about = "grid points per centre spacing of the readout" },
    receiving = { 25, about = "neurons of the receiving layer of the histogram figure" },
    examples = { 2000, about = "observations per sending neuron there" },
    replicates = { 200, quick = 20, about = "data sets of the first data model" },
    spaced_replicates = { 40, quick = 5, about = "of these, with the other spacings of tuning curves too" },
    rows = { 4000, about = "observations in each" },
  },
}
local P = E.params

--- ## Two representations of one value
---
--- A stimulus $x$ makes neuron $j$ fire at the height of its tuning curve,
--- $$y_j = \exp\left(-\tfrac12 (x - c_j)^2/\sigma^2\right). \qquad\text{[eq:tuning]}$$

local code = ves.code { n = P.neurons, lo = 0, hi = P.range, sigma = P.width }
local rates = code:encode(P.stimulus)

--- The layer is read out by letting every neuron vote for its whole tuning curve, in proportion to its
--- rate. The value is where the sum of all votes is largest,
--- $$\hat x = \arg\max_z \sum_j y_j\, h(z - c_j). \qquad\text{[eq:decode]}$$

local function grid_of(c) return P.fineness * (c.n - 1) + 1 end
local function votes_at(z) return rates:dot(code:encode(z)) end

local read = code:decode(rates, { grid = grid_of(code) })

local steps = 400
local at = ves.range(0, steps) * P.range / steps
local heights, curves = code:encode(at), {}
for j, center in pairs(code.centers) do curves[j] = { j, center, at, heights:col(j) } end
E:table("curves", { "neuron", "preferred", { "x", "value of the stimulus" },
  { "rate", "height of the tuning curve, peak 1" } }, curves)
local votes = at:map(function(z) return votes_at(z) / votes_at(read) end)
E:table("votes", { { "z", at }, { "votes", "weighted sum of curves, peak 1", votes } })
E:table("rates", { { "neuron", ves.range(1, P.neurons) }, { "preferred", code.centers },
  { "rate", "firing rate in answer to the stimulus", rates } })
E:table("stimulus", { { "x", "value shown", P.stimulus }, { "read", "value read out", read } })

--- ## How well a value is recovered
---
--- Encode many values, read each of them out, and look at the largest error, in units of the distance
--- between preferred values: naming the most active neuron would miss by up to half of one. Beside the
--- peak of the votes we try the activity-weighted mean of preferred values [readout:mean]. Values within
--- three $\sigma$ of an end of the range are left out, because curves are missing beyond it.

local function spacing(c) return (c.hi - c.lo) / (c.spacing == "ends" and c.n - 1 or c.n) end

--- The largest errors of both readouts for values from `from` to `to`.
local function errors(c, from, to)
  local xs = (ves.range(1, P.stimuli) - 0.5) * (to - from) / P.stimuli + from
  local y = c:encode(xs)
  local function worst(z) return (z - xs):abs():max() / spacing(c) end
  return worst(c:decode(y, { grid = grid_of(c) })), worst(c:mean(y))
end

local function interior(c) return errors(c, c.lo + 3 * c.sigma, c.hi - 3 * c.sigma) end

--- The original's simulations use curves much narrower than their spacing. Where two neighbours answer
--- alike, their votes then have two peaks, and the value between them cannot be the largest. Where "equally
--- spaced" curves begin and end is not said; all three spacings are tried.

local function network_code(where)
  local span = P.network_range
  return ves.code { n = P.network_neurons, lo = -span, hi = span, sigma = P.network_sigma, spacing = where }
end
local network = network_code "ends"
local peak_drawn, mean_drawn = interior(code)
local peak_printed, mean_printed = interior(network)

local lattice, middle = 31, 16
local sweep = stats.collect(P.widths, function(i)
  local relative = P.narrowest + (P.widest - P.narrowest) * (i - 1) / (P.widths - 1)
  local c = ves.code { n = lattice, lo = 1, hi = lattice, sigma = relative }
  local peak, mean = errors(c, middle, middle + 0.5)
  return { width = relative, peak = peak, mean = mean }
end)
E:table("readout_error", { { "width", "sigma of the tuning curves, centre spacings", sweep.width },
  { "peak", "largest error of the peak of the votes, centre spacings", sweep.peak },
  { "mean", "largest error of the activity-weighted mean, centre spacings", sweep.mean } })
E:table("readout_error_codes",
  { { "code", "the layer drawn here, or that of the original's simulations" }, "width", "peak", "mean" }, {
  { "drawn", code.sigma / spacing(code), peak_drawn, mean_drawn },
  { "network", network.sigma / spacing(network), peak_printed, mean_printed },
})
E:number({ "PopcodeWidthPrinted", "PopcodePeakErrorPrinted", "PopcodeMeanErrorPrinted", "PopcodePeakErrorWide" },
  { network.sigma / spacing(network), peak_printed, mean_printed, peak_drawn })

--- Cells of a statement with one reading, but for the spacing.
local function spaced(f) return { printed = f "ends", ["printed, bins"] = f "bins", ["printed, open"] = f "open" } end

E:statement {
  id = "popcode-recover", where = "Introduction, Biological neural networks", kind = "empirical",
  says = "The point at which the rate-weighted sum of tuning curves is largest recovers the encoded value.",
  quantity = "largest error of the peak readout away from the ends of the range, in centre spacings",
  criterion = is.below(margins.recovered), breaks = "code.sigma=x10", looked = true,
  cells = { printed = { peak_drawn, exact = true, drives = "the curves' width, that of their spacing here: the "
    .. "introduction gives none" } },
  further = { { reading = "the curves of the simulations", at = { "ends", "bins", "open" }, exact = true,
                { peak_printed, (interior(network_code "bins")), (interior(network_code "open")) },
                criterion = is.each(is.below(margins.recovered)) } },
  note = "the simulations' curves are narrower than their spacing: between two centres the sum has two peaks",
}

--- ## Activity as a distribution
---
--- The receiving layer sums what the sending layer projects to it, $\mathbf y = \mathbf W^\intercal\mathbf x$.
--- Divided by its total the activity is a probability mass function over the values the receiving
--- neurons prefer, and with one active input it is that neuron's normalised weights.

local function mass(W, x)
  local y = ves.matrix { x }:mul(W)[1]
  return y / y:sum(), y
end

local function sd_of(centers, p) return math.sqrt(((centers - p:dot(centers)) ^ 2):dot(p)) end

--- Breadth is the number of equally active neurons that would be as concentrated, $(\sum y)^2/\sum y^2$.
local function breadth(p) return p:sum() ^ 2 / p:dot(p) end

--- Two sending neurons see one narrow and one broad distribution of outputs. The network accumulates
--- the evidence [eq:evidence] and its weights are $\mathbf A/(\mathbf A + \mathbf B)$ [eq:betamean]. Then one
--- of them fires, the other, or both.

local centres = { { -2.5, 0.5 }, { 1.25, 1.75 } }
local sending = ves.code { n = 3, lo = -4, hi = 4, sigma = 0.5 }
local receiving = ves.code { n = P.receiving, lo = -6, hi = 6, sigma = 0.2 }
local example = ves.network { input = sending, output = receiving, rng = E.rng:stream("example") }
for s, c in ipairs(centres) do
  local ys = E.rng:stream("example", "data", s):normal(c[1], c[2], P.examples)
  example:observe(ves.vector(P.examples, sending.centers[2 * s - 1]), ys)
end
local W = example:weights()

local layer, senders, projections = {}, {}, {}
local states = stats.collect({ { "first", { 1, 0, 0 } }, { "second", { 0, 0, 1 } }, { "both", { 1, 0, 1 } } },
  function(state, k)
    local name, x = state[1], ves.vector(state[2])
    local p, y = mass(W, x)
    layer[k] = { name, receiving.centers, y, p }
    senders[k] = { name, sending.centers, x }
    for i = 1, 3 do projections[#projections + 1] = { name, sending.centers[i], receiving.centers, W[i], x[i] } end
    return { name = name, breadth = breadth(p), sd = sd_of(receiving.centers, p) }
  end)
E:table("layer", { "state", { "y", "preferred value" }, { "activation", "W'x" },
  { "mass", "activation over its sum" } }, layer)
E:table("senders", { "state", "x", "activity" }, senders)
E:table("projections", { "state", "x", "y", "weight", { "activity", "activity of the sending neuron" } }, projections)
E:table("states", { { "state", states.name }, { "breadth", "effective number of active neurons", states.breadth },
  { "sd", "encoded standard deviation", states.sd } })

E:statements {
  kind = "definition",
  { id = "activity-is-distribution", where = "Introduction, Population codes as probability mass, fig:neuron2hist",
    says = "Activations divided by their total are a probability distribution." },
  { id = "projections-encode", where = "Introduction, Biological neural networks, fig:neuron2hist",
    says = "The projections to a population-coded layer define a probability distribution over it." },
}

--- ## SoftMax
---
--- To draw one neuron in proportion to its activity the original names the SoftMax distribution, "where the likelihood
--- of activating each neuron in a layer is normalized by the sum over all neural activations". SoftMax divides
--- exponentials, $e^{y_j} / \sum_l e^{y_l}$; of logarithms of activities it is the division by the sum. The three
--- states of the layer:

local softmax = stats.collect(3, function(k)
  local y, p = layer[k][3], layer[k][4]
  local function off(v) return ((v:exp() / v:exp():sum()) - p):abs():sum() / 2 end
  return { activities = off(y), logarithms = off(y:log()) }
end)
E:statement {
  id = "softmax-divides", where = "Introduction, Population codes as probability mass", kind = "mathematical",
  says = "The SoftMax distribution normalises a neuron's activity by the sum over all activities of its layer.",
  quantity = "total variation of SoftMax from activities over their sum, three states of a layer", at = states.name,
  criterion = is.each(is.below(margins.very_closely)), breaks = "network.observe=nothing", looked = true,
  cells = { printed = { softmax.activities, exact = true } },
  further = { { reading = "of the logarithms of activities", softmax.logarithms, exact = true } },
  note = "nothing in the model rests on it: its competition is decided by failing synapses",
}

--- ## Breadth is variance
---
--- Few strongly active neurons stand for low variance, many weakly active ones for high variance. The
--- first data model of the original has five inputs with five standard deviations: does the breadth of
--- activity put them in the order of the variances that the layer encodes?

--- The share of pairs that two measures put in the same order.
local function same_order(a, b)
  local agreeing, count = 0, 0
  for i = 1, #a do
    for j = i + 1, #a do
      count = count + 1
      if (a[i] < a[j]) == (b[i] < b[j]) then agreeing = agreeing + 1 end
    end
  end
  return agreeing / count
end

local model = models.simple()
local xs = model.inputs

local function measure(rng, where)
  local c = network_code(where)
  local net = ves.network { input = c, output = c, rng = rng:stream("priors") }
  for _, x in ipairs(xs) do
    local ys = rng:stream("data", x):normal(0, model.sd(x), P.rows // #xs)
    net:observe(ves.vector(#ys, x), ys)
  end
  local weights = net:weights()
  return stats.collect(xs, function(x)
    local p = mass(weights, c:encode(x))
    return { breadth = breadth(p), sd = sd_of(c.centers, p) }
  end)
end

local out = E:replicate { name = "breadth", n = P.replicates, run = function(i, rng)
  local more = i <= P.spaced_replicates
  return { ends = measure(rng, "ends"), bins = more and measure(rng, "bins"), open = more and measure(rng, "open") }
end }

local wide, sd = stats.summary(out:column("ends.breadth")), stats.summary(out:column("ends.sd"))
E:table("breadth", { { "x", xs }, { "truth", "data-generating standard deviation", ves.vector(xs):map(model.sd) },
  { "sd", "encoded standard deviation", sd }, { "breadth", "effective number of active neurons", wide } })

--- With two modes the two part: the layer in which both sending neurons fire is narrower than the one
--- in which the second fires alone, and yet it encodes more variance.

E:statement {
  id = "breadth-is-variance", where = "Introduction, Population codes as probability mass", kind = "empirical",
  says = "Few strongly active neurons stand for low variance, many weakly active ones for high variance.",
  quantity = "share of pairs of the five inputs that breadth and encoded standard deviation put in the same order",
  criterion = is.within(margins.closely), breaks = "network.observe=nothing",
  cells = spaced(function(where)
    local n = where == "ends" and P.replicates or P.spaced_replicates
    local widths, sds = out:column(where .. ".breadth", n), out:column(where .. ".sd", n)
    local share = stats.collect(n, function(i) return same_order(widths[i], sds[i]) end)
    return { stats.summary(share), beside = { ["least of a network"] = share:min() } }
  end),
  further = { { reading = "a layer with two modes", same_order(states.breadth, states.sd), exact = true,
                quantity = "share of pairs of the histogram figure's three states that breadth and encoded standard "
                  .. "deviation order alike" } },
}

E:finish()
