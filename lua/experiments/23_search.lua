--- # Search, by modulating one layer
---
--- The original ends on search: sampling "allows the network to control its search across arbitrarily
--- complex domains by engaging in random activity in the simpler, earlier stages of processing leading up to
--- them", reduced release makes it "conduct searches across its encoded distributions", and its rapid
--- modulation has "possible implications for complex planning". One small task, in which all three can
--- fail: a cue calls up one of four plans, as often as each was followed; each plan has an
--- outcome; the outcome that is wanted today is that of the plan hardly ever followed. [eq:chain]

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "23_search", title = "Search by modulation of release in one of two layers",
  params = {
    replicates = { 40, quick = 8, about = "data sets" },
    rows = { 4000, about = "rows of data for each layer" },
    cue = { 0.0, about = "input" },
    plans = { { -4.5, -1.5, 1.5, 4.5 }, about = "hidden values around which plans lie" },
    followed = { { 0.6, 0.3, 0.08, 0.02 }, about = "how often each plan was followed" },
    outcomes = { { 1.5, -4.5, 4.5, -1.5 }, about = "what each plan leads to" },
    spread = { 0.3, about = "standard deviation of plans and outcomes" },
    reach = { 0.6, about = "an output this near to an outcome is that outcome" },
    steps = { 2, quick = 1, about = "factors on release per doubling, from 1/64 to 64" },
  },
}
local P = E.params
local code = models.code()
local rare = #P.plans

--- ## Two layers
---
--- The lower layer has seen cues with the plans that were followed. The upper one has seen what each plan
--- leads to, equally often: to know what would happen is not to have done it.

local function plan_of(u)
  local k = 1
  while k < rare and u >= P.followed[k] do u, k = u - P.followed[k], k + 1 end
  return k
end

local function layers(rng)
  local which = rng:stream("plan"):uniform(P.rows):map(plan_of)
  local function around(name, values, chosen)
    return chosen:map(function(k) return values[math.tointeger(k)] end)
      + rng:stream(name):normal(0, P.spread, P.rows)
  end
  local lower = ves.network { input = code, output = code, rng = rng:stream("lower") }
  local upper = ves.network { input = code, output = code, rng = rng:stream("upper") }
  lower:observe(rng:stream("cue"):uniform(P.rows) * 8 - 4, around("h", P.plans, which))
  local tried = rng:stream("tried"):uniform(P.rows):map(function(u) return 1 + u * rare // 1 end)
  upper:observe(around("h tried", P.plans, tried), around("z", P.outcomes, tried))
  return lower, upper
end

--- ## Gain
---
--- A gain multiplies the releases of one layer or of both, $q\to\min(1, gq)$; empty draws are repeated. What is
--- found: the chance of each outcome and of anything else; the *breadth* of the search, the exponential of the entropy
--- of the four outcomes; how wide an outcome is; and whether the wanted outcome was reached through a plan that was
--- ever followed, or blindly, through a hidden value that nothing supports. All laws are exact.

local gains = stats.collect(12 * P.steps + 1, function(s) return 2 ^ ((s - 1) / P.steps - 6) end)
local function index_of(doublings) return (doublings + 6) * P.steps + 1 end
local unchanged, quarter = index_of(0), index_of(-2)

local region = stats.collect(P.outcomes, function(z) return (code.centers - z):abs():less(P.reach) end)

--- What a hidden law and the upper layer's transitions P2 make of the task.
local function outcome(hidden, P2, supported)
  local law, wanted = P2:transpose():mul(hidden), P2:mul(region[rare])
  local chance, width = region:mul(law), 0
  local four = chance:normalise()
  for k, share in pairs(four) do
    if share > 0 then width = width + share * pmf.sd(law * region[k], code.centers) end
  end
  local reached = hidden:dot(wanted)
  local breadth = math.exp(-four:map(function(p) return p > 0 and p * math.log(p) or 0 end):sum())
  local blind = reached > 0 and 1 - (hidden * supported):dot(wanted) / reached or 0
  return { chance = chance, seen = ves.vector { breadth, width, math.max(0, 1 - chance:sum()), blind, chance[rare] } }
end
local BREADTH, WIDTH, BEYOND, BLIND, WANTED = 1, 2, 3, 4, 5

local ways = { printed = { normaliser = "sum" }, corrected = { normaliser = "participation" },
               repaired = { stages = 2 } }

local function modulated(Q, gain) return (Q * gain):clamp(0, 1) end

--- The law of the winner of each row, empty draws repeated, at each of several gains of Q.
local function transitions(W, Q, several)
  local at_gain, column = {}, ves.matrix { several }:transpose()
  for s = 1, #several do at_gain[s] = ves.matrix(W.rows, W.cols) end
  for j = 1, W.rows do
    local laws = ves.winner.exact(W:row(j), modulated(column:mul(ves.matrix { Q:row(j) }), 1)):normalise()
    for s = 1, #several do at_gain[s][j] = laws:row(s) end
  end
  return at_gain
end

local runs = E:replicate { name = "gain", n = P.replicates, run = function(_, rng)
  local lower, upper = layers(rng)
  local W2, A = upper:weights(), lower.A:take(code:encode(P.cue):above(1e-3))
  local Q1, Q2 = ves.release.analytic(lower:weights()), ves.release.analytic(W2)
  local supported = stats.collect(code.n, function(j) return A:col(j):max() > models.prior_a[2] + 5e-4 and 1 or 0 end)
  local function hidden(way, gain)
    return (ves.chain { lower }:exact(P.cue, { release = { modulated(Q1, gain) }, stages = ways[way].stages,
                                               normaliser = ways[way].normaliser }))
  end
  local rows, found = transitions(W2, Q2, gains), {}
  local same, weakened = rows[unchanged], rows[quarter]
  for way in pairs(ways) do
    found[way] = { unchanged = outcome(hidden(way, 1), same, supported),
                   lower = outcome(hidden(way, 0.25), same, supported),
                   both = outcome(hidden(way, 0.25), weakened, supported) }
  end
  local plans = {}
  for s, gain in pairs(gains) do plans[s] = hidden("repaired", gain) end
  local by_lower = stats.collect(plans, function(plan) return outcome(plan, same, supported) end)
  local by_upper = stats.collect(rows, function(P2) return outcome(plans[unchanged], P2, supported) end)
  local by_both = stats.collect(rows, function(P2, s) return outcome(plans[s], P2, supported) end)
  local law = ves.chain { lower, upper }:exact(P.cue, { release = { modulated(Q1, 0.25), Q2 }, stages = 2 })
  for layer, by in pairs { lower = by_lower, upper = by_upper, both = by_both } do
    found[layer] = { chance = by.chance:flatten(), seen = by.seen:flatten() }
  end
  found.distance = (same:transpose():mul(hidden("repaired", 0.25)) - law):abs():max()
  return found
end }

local over = {} -- by layer, what was seen at each gain
for _, layer in ipairs { "lower", "upper", "both" } do
  local chance, seen = stats.summary(runs:column(layer .. ".chance")), stats.summary(runs:column(layer .. ".seen"))
  local by_gain, mean, sd = chance.value:reshape(#gains, rare), seen.value:reshape(#gains, WANTED),
    seen.sd:reshape(#gains, WANTED)
  local columns = { { "gain", "factor on the releases of the layer or layers", gains } }
  for k = 1, rare do
    columns[k + 1] = { "outcome" .. k, "chance of outcome " .. k .. ", mean over data sets", by_gain:col(k) }
  end
  for _, column in ipairs {
    { "beyond", "chance of anything else", mean:col(BEYOND) },
    { "breadth", "effective number of outcomes", mean:col(BREADTH) },
    { "breadth_sd", "its standard deviation over data sets", sd:col(BREADTH) },
    { "blind", "share of wanted outcomes reached through a plan never followed", mean:col(BLIND) },
  } do
    columns[#columns + 1] = column
  end
  E:table(layer, columns)
  over[layer] = seen
end

--- ## Judged
---
--- Each is judged on releases divided by four, over unchanged ones.

local function cells(layer, of)
  local all = {}
  for way in pairs(ways) do
    all[way] = stats.jackknife(of, runs:column(way .. "." .. layer .. ".seen"), runs:column(way .. ".unchanged.seen"))
  end
  return all
end
E:statements {
  kind = "empirical", breaks = "chain=uniform", looked = true,
  note = "first tried with outputs within 0.9 of an outcome, six in ten of all, so that blind search would have passed "
    .. "for experience; the width of an outcome took in more of what is none and grew by 8 to 14%, so that at 0.9 the "
    .. "corrected and repaired cells of early-activity-searches failed, where at 0.6 they hold",
  { id = "early-activity-searches", where = "Discussion, Spatial vs temporal representation",
    at = { "breadth", "width" },
    says = "Random activity in a simpler, earlier stage controls the search across a later one.",
    quantity = "releases of the first layer divided by four over unchanged: effective number of outcomes, width of an "
      .. "outcome", criterion = is.each { is.more(1, margins.differs), is.within(margins.closely) },
    cells = cells("lower", function(now, before)
      return { now[BREADTH] / before[BREADTH], now[WIDTH] / before[WIDTH] }
    end) },
  { id = "reduced-release-searches", where = "Discussion, Biological plausibility", at = { "breadth", "encoded" },
    says = "Broadly reduced release makes a network search across its encoded distributions.",
    quantity = "releases of both layers divided by four: effective number of outcomes over unchanged, and share of "
      .. "draws that are outcomes it has experienced",
    criterion = is.each { is.more(1, margins.differs), is.more(margins.explains, 0) },
    cells = cells("both", function(now, before) return { now[BREADTH] / before[BREADTH], 1 - now[BEYOND] } end) },
}
E:own { id = "modulated-chain", kind = "mathematical", proof = "prop:layers", breaks = "chain=uniform",
  says = "The law of a chain under modulated releases is that of its layers, one after the other.",
  quantity = "largest distance of a probability, first layer's releases divided by four, all data sets",
  criterion = is.exact(), value = { runs:column("distance"):max(), exact = true } }

local function at(layer, what, s) return over[layer][(s - 1) * WANTED + what] end
E:number("SearchBreadthUnchanged", at("lower", BREADTH, unchanged))
E:number("SearchBreadthLowered", at("lower", BREADTH, quarter))
E:number("SearchWantedUnchanged", at("lower", WANTED, unchanged))
E:number("SearchWantedLowered", at("lower", WANTED, quarter))
E:number("SearchBeyondUnchanged", at("lower", BEYOND, unchanged))
E:number("SearchBeyondLowered", at("lower", BEYOND, quarter))
E:number("SearchBeyondBoth", at("both", BEYOND, quarter))
E:number("SearchBlindUnchanged", at("lower", BLIND, unchanged))
E:number("SearchBlindLowered", at("lower", BLIND, quarter))

E:finish()
