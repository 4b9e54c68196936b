--- # Rehearsal, and how to do without it
---
--- The repaired network is asked by presenting an input. In the first stage inputs compete anew for each combination of
--- activities, so being asked costs draws, and these draws teach. How much of what the network then does was learned
--- while data arrived, and how much just before it was asked? Two axes: draws after each row of data, and draws when an
--- input is presented; and zero of these: the first stage then uses the mapping of the strengths that rows have
--- learned, which is computed, not learned, and rows keep what they know.
---
--- Then what makes the plain network better without rehearsal. *More draws* while data are few. *Levels*: an input
--- keeps its release of the first stage for each of some ranges of its own activity. *Start*: amplitudes start at
--- random,
--- $a_i = w_i(1 + (n-1)u_i)$ with $u_i$ uniform in $(0,1)$, which is about where equal weights rest in some order
--- [eq:amplitude-start]. *Follow*: when a row of data arrives, a synapse's evidence grows from $n$ to $n'$; it keeps
--- the share $n/n'$ of its amplitude, and adds its own gain of weight, $g = w' - wn/n'$, and those of the weaker
--- synapses [eq:amplitude-follow]:
--- $$a_i \leftarrow \frac{n}{n'}\,a_i + \sum_{j:\,a_j\le a_i} g_j.$$
--- What was at rest is then at rest, so that draws need to teach only what chance left wrong.
---
--- And what a row's strength may be read from [eq:row-strength]: the amplitude of a synapse is its own, but the largest
--- of a row [eq:row-amplitude] is known only to who sees all, silent ones included.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local repaired = require "vesicle.model.repaired"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "21_rehearsal", title = "what the repaired network learned before it was asked",
  params = {
    replicates = { 40, quick = 2, about = "networks for each data model" },
    axis_replicates = { 3, quick = 2, about = "networks for each number of draws a row above the plain network's" },
    rows = { 4000, quick = 1000, about = "rows of data" },
    checkpoints = { { 20, 50, 200, 1000, 4000 }, quick = { 20, 200, 1000 },
                    about = "rows after which the networks are asked" },
    axis_checkpoints = { { 20, 200, 4000 }, quick = { 20, 200, 1000 }, about = "the same on the axes of draws" },
    draws_per_row = { { 10, 30, 100, 300, 1000, 2000 }, quick = { 10, 30, 100 },
                      about = "draws after each row; the first is the plain network's, also when it is asked" },
    presentation = { { 0, 10, 30, 100, 300, 1000, 2000 }, quick = { 0, 10, 100, 1000 },
                     about = "draws when an input is presented; 0: the first stage is computed" },
    early_rows = { 200, about = "rows with more draws, in the variant of that name" },
    early_draws = { 100, about = "draws after each of them" },
    levels = { 10, about = "ranges of its activity for which an input keeps its release" },
    remembered = { 30, about = "draws over which a row's greatest winner is remembered" },
  },
}
local P = E.params
local both, code = { models.simple(), models.bimodal() }, models.code()
local looked_at, plain = { -4, -2, 0, 2, 4 }, P.draws_per_row[1]

local variants = {                       -- what is given to repaired.begin; `early`: more draws while data are few
  { name = "plain" }, { name = "weight", order = "weight" }, { name = "early", early = true },
  { name = "levels", levels = P.levels }, { name = "start", start = true }, { name = "follow", follow = true },
  { name = "start+follow", start = true, follow = true },
  { name = "all", start = true, follow = true, levels = P.levels },
}

--- ## Networks, and how they are asked
---
--- The same data in the same order for all variants. A network is asked in a copy for each input and each number of
--- draws, so that nothing it does while it is asked teaches it for the next time.

local function data_of(model, rng)
  local xs, ys = model.generate(P.rows, rng:stream("data"))
  local order = rng:stream("order"):permutation(P.rows)
  return xs:take(order), ys:take(order)
end

local function arrive(variant, draws, model, rng, stops, seen)
  local net = ves.network { input = code, output = code, rng = rng:stream("prior"), prior_a = models.prior_a,
                            prior_b = models.prior_b }
  local learner = repaired.begin(net, { order = variant.order, follow = variant.follow, levels = variant.levels,
                                        start = variant.start and rng:stream("start") or nil })
  local xs, ys = data_of(model, rng)
  local early, learn = variant.early and math.min(P.early_rows, P.rows) or 0, rng:stream("learn")
  local function part(from, to, each)
    if from > to then return end
    local here = {}
    for _, t in ipairs(stops) do if t >= from and t <= to then here[#here + 1] = t - from + 1 end end
    repaired.arrive(learner, xs:slice(from, to), ys:slice(from, to), each, learn, here, function(t)
      seen(t + from - 1, learner)
    end)
  end
  part(1, early, P.early_draws)
  part(early + 1, P.rows, draws)
end

--- The winners' distribution at an input after so many draws there; or with a first stage that is computed, from the
--- rows' strengths or from others.
local function winners(learner, W, activity, draws, rng, strength)
  local active, first
  if draws > 0 then
    local _
    learner = repaired.copy(learner)
    _, active, first = repaired.present(learner, activity, draws, rng)
  else
    active, first = repaired.computed(learner, activity, strength)
  end
  local a, Q = repaired.learned(learner, W)
  return repaired.mixed(active, first, function(i) return ves.winner.exact(a[i], Q[i]) end)
end

--- Total variation from what is encoded, mean over the inputs; and how the spread is to the encoded one at the first.
local function asked(learner, draws, rng, strength_of)
  local W = learner.net:weights()
  local spread
  local off = stats.collect(looked_at, function(x, k)
    local activity = code:encode(x)
    local encoded = ves.multi.mixture(W, activity)
    local p = winners(learner, W, activity, draws, rng:stream("x", x), strength_of and strength_of(x))
    if k == 1 then spread = pmf.sd(p, code.centers) / pmf.sd(encoded, code.centers) end
    return pmf.total_variation(p, encoded)
  end):mean()
  return off, spread
end

--- ## Where a row could find its strength
---
--- All are asked of the same plain networks, the first stage computed from each. `sent`: the mean of what the row sent,
--- which the network uses. `largest`: its largest amplitude, silent synapses included. `last`: what the row sent when
--- it sent last. `winner`: the amplitude of the synapse that won last. `greatest`: the greatest of those that won
--- lately. `sum`: the sum of its weights, which is what all stand for.

local sources = { "sent", "largest", "last", "winner", "greatest", "sum" }

--- The strengths of the rows that an input activates, by each source but the first.
local function strengths(learner, x, rng)
  local W = learner.net:weights()
  local a, Q = repaired.learned(learner, W)
  local of = { sum = W:row_sums() }
  for _, source in ipairs { "largest", "last", "winner", "greatest" } do of[source] = ves.vector(#of.sum) end
  for _, i in ipairs(code:encode(x):above(1e-3):totable()) do
    i = i // 1
    local stream = rng:stream("row", i)
    of.largest[i] = a[i]:max()
    for _ = 1, P.remembered do
      local sent = a[i] * stream:uniform(#a[i]):less(Q[i])
      local most = sent:max()
      if most > 0 then of.last[i], of.winner[i] = sent:sum(), most end
      of.greatest[i] = math.max(of.greatest[i], most)
    end
    for _, source in ipairs { "last", "winner", "greatest" } do  -- nothing was sent: any strength will do
      if of[source][i] == 0 then of[source][i] = 1 end
    end
  end
  return of
end

--- ## Runs

local function is_one_of(t, list)
  for _, other in ipairs(list) do if t == other then return true end end
  return false
end

local function measure(model, rng)
  local found = { presented = {}, sources = {}, off = {}, computed = {}, spread = {} }
  for v, variant in ipairs(variants) do
    local off, computed, spread = {}, {}, {}
    arrive(variant, plain, model, rng, P.checkpoints, function(t, learner)
      local ask = rng:stream("asked", t)
      off[#off + 1], spread[#spread + 1] = asked(learner, plain, ask)
      computed[#computed + 1] = asked(learner, 0, ask)
      if v > 1 then return end           -- of the plain network more is asked
      if is_one_of(t, P.axis_checkpoints) then
        for _, draws in ipairs(P.presentation) do
          found.presented[#found.presented + 1] = asked(learner, draws, ask)
        end
      end
      local by = {}
      for _, x in ipairs(looked_at) do by[x] = strengths(learner, x, rng:stream("strength", t):stream("x", x)) end
      for _, source in ipairs(sources) do
        found.sources[#found.sources + 1] = asked(learner, 0, ask, function(x) return by[x][source] end)
      end
    end)
    for name, values in next, { off = off, computed = computed, spread = spread } do
      found[name][v] = ves.vector(values)
    end
  end
  found.presented, found.sources = ves.vector(found.presented), ves.vector(found.sources)
  return found
end

--- Networks that draw more after each row of data, likewise.
local function measure_draws(model, rng)
  local found = {}
  for d = 2, #P.draws_per_row do
    local values = {}
    arrive(variants[1], P.draws_per_row[d], model, rng, P.axis_checkpoints, function(t, learner)
      for _, draws in ipairs(P.presentation) do values[#values + 1] = asked(learner, draws, rng:stream("asked", t)) end
    end)
    found[d - 1] = ves.vector(values)
  end
  return found
end

local trials, axis = {}, {}
for m, model in ipairs(both) do
  trials[m] = E:replicate { name = model.name, n = P.replicates, run = function(_, rng) return measure(model, rng) end }
  axis[m] = E:replicate { name = model.name .. "-draws", n = P.axis_replicates, run = function(_, rng)
    return measure_draws(model, rng)
  end }
end

--- ## Tables
---
--- Total variation of winners from what is encoded, mean over five inputs, then over networks; standard errors over
--- networks.

local by_draws, by_variant, by_source = {}, {}, {}
local stops, axis_stops = #P.checkpoints, #P.axis_checkpoints
for m, model in ipairs(both) do
  for d, draws in ipairs(P.draws_per_row) do
    local all = stats.summary(d == 1 and trials[m]:column "presented"
      or stats.collect(P.axis_replicates, function(i) return axis[m][i][d - 1] end))
    for k, t in ipairs(P.axis_checkpoints) do
      local from, to = (k - 1) * #P.presentation + 1, k * #P.presentation
      by_draws[#by_draws + 1] = { model.name, t, draws, P.presentation, all.value:slice(from, to),
                                  all.se:slice(from, to) }
    end
  end
  for v, variant in ipairs(variants) do
    local row = { model.name, variant.name, P.checkpoints }
    for _, name in ipairs { "off", "computed", "spread" } do
      local s = stats.summary(stats.collect(P.replicates, function(i) return trials[m][i][name][v] end))
      row[#row + 1], row[#row + 2] = s.value, s.se
    end
    by_variant[#by_variant + 1] = row
  end
  local all = stats.summary(trials[m]:column "sources")
  for k, t in ipairs(P.checkpoints) do
    local from, to = (k - 1) * #sources + 1, k * #sources
    by_source[#by_source + 1] = { model.name, t, sources, all.value:slice(from, to), all.se:slice(from, to) }
  end
end
E:table("draws", { { "model", "data model" }, { "rows", "rows of data" }, { "draws_per_row", "draws after each row" },
  { "presentation", "draws when an input is presented; 0: the first stage is computed" },
  { "off", "total variation from the encoded distribution, mean over inputs and networks" }, "off_se" }, by_draws)
E:table("variants", { { "model", "data model" }, { "variant", "plain; weight: competition by weight; early: more draws "
    .. "while data are few; levels: inputs keep their releases; start: amplitudes start at random; follow: amplitudes "
    .. "follow the data; all: the last three" }, { "rows", "rows of data" },
  { "off", "total variation from the encoded distribution, presented with a row's draws" }, "off_se",
  { "computed", "the same, first stage computed" }, "computed_se",
  { "spread", "standard deviation of winners over the encoded one, at the first input" }, "spread_se" }, by_variant)
E:table("sources", { { "model", "data model" }, { "rows", "rows of data" },
  { "source", "where a row's strength comes from; sum: the sum of its weights" },
  { "off", "total variation from the encoded distribution, first stage computed from it" }, "off_se" }, by_source)

--- ## Statements of our own, and numbers

local models_named = { "simple", "bimodal" }

--- A number of each network of both models: of a list in `name`, the element at `k`; of lists by variant, of the v-th.
local function one(m, name, k, v)
  return stats.collect(P.replicates, function(i)
    local of = trials[m][i][name]
    return (v and of[v] or of)[k]
  end)
end
local function both_of(name, k, v) return stats.summary { one(1, name, k, v), one(2, name, k, v) } end
local function single(v) return v:reshape(#v, 1) end
local function ratio(m, name, k, v, other, l, u)   -- of means over networks
  return { single(one(m, name, k, v)), single(one(m, other, l, u)) }
end
local function ratios(...)
  local a, b = ratio(1, ...), ratio(2, ...)
  return stats.jackknife(function(s, t, p, q) return { s[1] / t[1], p[1] / q[1] } end, a[1], a[2], b[1], b[2])
end
local function place(list, what)
  for k, x in ipairs(list) do if x == what then return k end end
  return 1
end
local per, last = #P.presentation, (axis_stops - 1) * #P.presentation
local at_plain = place(P.presentation, plain)
local best, followed, followed_at = 7, {}, {}
for m = 1, 2 do
  for k, t in ipairs(P.checkpoints) do
    followed[#followed + 1] = one(m, "off", k, best)
    followed_at[#followed] = string.format("%s,%d", models_named[m], t)
  end
end
local of_source = (stops - 1) * #sources

E:own {
  kind = "empirical", looked = true, at = models_named,
  { id = "rehearsal-helps", says = "With draws at presentation, beyond those of a row of data, winners are nearer to what "
      .. "is encoded.", breaks = "two_stage=unrehearsed",
    quantity = "total variation from what is encoded with the most draws at presentation, over that with a row's "
      .. "draws; after the last row of data",
    criterion = is.each(is.less(1, margins.differs)), value = ratios("presented", last + per, nil, "presented",
      last + at_plain) },
  { id = "plain-with-few-data", says = "With few data the plain network samples what it encodes.",
    quantity = "total variation of winners from the encoded distribution at the first checkpoint, mean over five "
      .. "inputs",
    criterion = is.each(is.below(margins.closely)), breaks = "two_stage=mapping", value = both_of("off", 1, 1) },
  { id = "repaired-follows", says = "If amplitudes start at random and follow the data, the network samples what it "
      .. "encodes, with few data and with many.",
    quantity = "total variation of winners from the encoded distribution, mean over five inputs, presented with a "
      .. "row's draws", at = followed_at,
    criterion = is.each(is.below(margins.closely)), breaks = "two_stage=start",
    value = stats.summary(followed) },
  { id = "follow-better", says = "After many data a network whose amplitudes follow is nearer to what it encodes than the "
      .. "plain one.",
    quantity = "total variation from what is encoded over the plain network's, after the last row of data",
    criterion = is.each(is.less(1, margins.differs)), breaks = "two_stage=start",
    value = ratios("off", stops, best, "off", stops, 1) },
  { id = "strength-local", says = "What a row sent serves the first stage as well as its largest amplitude, which no "
      .. "synapse knows.",
    quantity = "total variation from what is encoded with strengths from what rows sent, over that with their largest "
      .. "amplitudes; first stage computed; after the last row of data",
    criterion = is.each(is.below(1 + margins.differs)), breaks = "two_stage=uneven",
    value = ratios("sources", of_source + 1, nil, "sources", of_source + 2) },
}

E:number({ "RehearsedOffSimple", "RehearsedOffBimodal" }, both_of("presented", last + per))
E:number({ "ComputedOffSimple", "ComputedOffBimodal" }, both_of("presented", last + place(P.presentation, 0)))
E:number({ "PlainFewOffSimple", "PlainFewOffBimodal" }, both_of("off", 1, 1))
E:number({ "RehearsedFewOffSimple", "RehearsedFewOffBimodal" }, both_of("presented", per))
E:number({ "FollowFewOffSimple", "FollowFewOffBimodal" }, both_of("off", 1, best))
E:number({ "FollowOffSimple", "FollowOffBimodal" }, both_of("off", stops, best))
E:number({ "FollowAloneOffSimple", "FollowAloneOffBimodal" }, both_of("off", stops, 6))
E:number({ "StartAloneOffSimple", "StartAloneOffBimodal" }, both_of("off", stops, 5))
E:number({ "LevelsOffSimple", "LevelsOffBimodal" }, both_of("off", stops, 4))
E:number({ "EarlyOffSimple", "EarlyOffBimodal" }, both_of("off", stops, 3))
E:number({ "SourceSentOffSimple", "SourceSentOffBimodal" }, both_of("sources", of_source + 1))
E:number({ "SourceLargestOffSimple", "SourceLargestOffBimodal" }, both_of("sources", of_source + 2))
E:number({ "SourceLastOffSimple", "SourceLastOffBimodal" }, both_of("sources", of_source + 3))
E:number({ "SourceWinnerOffSimple", "SourceWinnerOffBimodal" }, both_of("sources", of_source + 4))
E:number({ "SourceGreatestOffSimple", "SourceGreatestOffBimodal" }, both_of("sources", of_source + 5))
E:number({ "SourceSumOffSimple", "SourceSumOffBimodal" }, both_of("sources", of_source + 6))
E:number("RehearsalMost", P.presentation[per], nil, { digits = #tostring(P.presentation[per]) })
E:number("RehearsalFewRows", P.checkpoints[1], nil, { digits = #tostring(P.checkpoints[1]) })

E:finish()
