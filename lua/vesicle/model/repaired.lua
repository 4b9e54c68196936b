-- repaired: the repaired network, which learns from its own draws, and the exact distributions of what it then draws.
--
-- A network starts untrained. Whenever a row of data arrives, its evidence grows, and with the same input still present
-- the network draws some outputs in two stages: inputs compete first, then the synapses of the one that is left. In
-- both stages the winner learns by the amplitude rule with step 1/k [eq:amplitude]. In the first stage an input
-- competes with its activity times its row's strength, the mean of what the row sent [eq:row-strength]. Nothing is
-- divided among inputs, and there is no exponent, rate, floor or bound to choose. Rows of synapses keep what they have
-- learned. The inputs' competition depends on all activities and is learned anew each time an input is presented, which
-- costs draws.
--
-- That is the plain network. Three things can be added: amplitudes that start at random, as those of equal weights in
-- some order would be [eq:amplitude-start]; amplitudes that follow the data [eq:amplitude-follow]; and inputs that keep
-- their releases for each of some ranges of their activity.
--
-- Synapses compete by amplitude, in learning and in drawing. By weight the order of near-equal weights would change
-- with every row of data, and with it what each synapse has to learn; amplitudes keep the order that was learned.
--
-- Posterior draws have the sites of a synapse open or shut beside its release [eq:sites]; MAP draws have the sites
-- alone. The winner of a row is then the strongest of independent synapses, and its distribution is computed here
-- exactly.

local ves = require "vesicle"
local check = require "vesicle.base.check"
local pmf = require "vesicle.pmf"

local repaired = {
  sites = 64, -- release sites of a synapse: enough for the winner's standard errors (19_release_sites)
}

local keys = { order = { type = "string", optional = true }, follow = { type = "boolean", optional = true },
               levels = { type = "integer", optional = true }, start = { type = "userdata", optional = true } }

--- A network that learns: its evidence, what its synapses, rows and inputs have learned, and how. how.order: by what
--- synapses compete, default 'amplitude'. how.follow: whether amplitudes follow the data. how.levels: for how many
--- ranges of its activity an input keeps its release, default none. how.start: a stream of random numbers from which
--- amplitudes start, each uniform between its weight and as many times that as there are synapses; rows then start with
--- the sum of an untrained one. Default: releases of 0.3 and strengths of 1, when a row is first needed.
function repaired.begin(net, how)
  how = how or {}
  check.options("repaired.begin", how, keys, 2)
  local function refuse(key, expected)
    error(string.format("repaired.begin: key `%s` is %s, expected %s", key, check.show(how[key]), expected), 3)
  end
  if how.order and how.order ~= "amplitude" and how.order ~= "weight" then
    refuse("order", "'amplitude' or 'weight'")
  end
  if how.levels and (how.levels < 0 or how.levels > 1000) then refuse("levels", "a whole number in [0, 1000]") end
  if how.follow and how.order == "weight" then refuse("follow", "false where synapses compete by weight") end
  local m, n = net.input.n, net.output.n
  local learner = { net = net, order = how.order or "amplitude", follow = how.follow or false,
                    levels = how.levels or 0, amplitude = ves.matrix(m, n), updates = ves.matrix(m, n),
                    strength = ves.vector(m), turns = ves.vector(m) }
  if learner.levels > 0 then
    learner.input_amplitude, learner.input_updates = ves.matrix(m, learner.levels), ves.matrix(m, learner.levels)
  end
  if how.start then
    local W = net:weights()
    learner.amplitude = W * (how.start:uniform(m * n):reshape(m, n) * (n - 1) + 1) -- [eq:amplitude-start]
    learner.strength = learner.strength + n * W:flatten():mean()
    learner.updates, learner.turns = learner.updates + 1, learner.turns + 1
  end
  return learner
end

local known = { "amplitude", "updates", "strength", "turns", "input_amplitude", "input_updates" }

--- Another that knows as much, to be looked at without teaching the first.
function repaired.copy(learner)
  local copy = { net = learner.net, order = learner.order, follow = learner.follow, levels = learner.levels }
  for _, name in ipairs(known) do copy[name] = learner[name] and learner[name]:copy() end
  return copy
end

--- Which of the ranges an activity is in.
local function level(learner, x) return math.min(math.floor(x * learner.levels), learner.levels - 1) + 1 end

--- An input is present: the network draws, and learns from its draws as it does when a row of data arrives. Returns
--- these, as outputs from 1 on, 0 where nothing was transmitted; the active inputs; and the probability with which each
--- of them is left to transmit, as learned.
function repaired.present(learner, activity, draws, rng)
  local active = activity:above(1e-3)
  local x = activity:take(active)
  local state = { amplitude = learner.amplitude:take(active), updates = learner.updates:take(active),
                  strength = learner.strength:take(active), turns = learner.turns:take(active),
                  input_amplitude = ves.vector(#active), input_updates = ves.vector(#active) }
  for k, i in ipairs(learner.levels > 0 and active:totable() or {}) do
    local at = level(learner, x[k])
    state.input_amplitude[k] = learner.input_amplitude[i // 1][at] * (x[k] * state.strength[k])
    state.input_updates[k] = learner.input_updates[i // 1][at]
  end
  local outputs, now = ves.multi.two_stage_learn(learner.net:weights(active), x, {
    draws = draws, order = learner.order, inputs = active, rng = rng, state = state })
  local strength = x * now.strength
  for k, i in ipairs(active:totable()) do
    i = i // 1
    learner.amplitude[i], learner.updates[i] = now.amplitude[k], now.updates[k]
    learner.strength[i], learner.turns[i] = now.strength[k], now.turns[k]
    if learner.levels > 0 then
      local at = level(learner, x[k])
      learner.input_amplitude[i][at] = now.input_amplitude[k] / strength[k]
      learner.input_updates[i][at] = now.input_updates[k]
    end
  end
  return outputs, active, pmf.normalised((ves.winner.exact(
    learner.order == "weight" and strength or now.input_amplitude, (strength / now.input_amplitude):clamp(0, 1))))
end

--- Nothing is drawn or learned: the active inputs, and the probability with which each would be left if the releases of
--- the first stage were the mapping of the strengths that rows have learned, or of others. That is computed, not
--- learned. A row whose turn never came has the strength 1, where learning starts.
function repaired.computed(learner, activity, strength)
  local active = activity:above(1e-3)
  local of = (strength or learner.strength):take(active)
  return active, pmf.normalised(activity:take(active) * (of + of:less(5e-324)))
end

--- Rows of data arrive one by one, and after each the network draws. seen(t), if given, is called after the t-th for
--- each t of `stops`, in ascending order.
function repaired.arrive(learner, xs, ys, draws, rng, stops, seen)
  local from = 1
  local function go_on(to)
    if to < from then return end
    local state = {}
    for _, name in ipairs(known) do state[name] = learner[name] end
    local _
    _, state = learner.net:arrive(xs:slice(from, to), ys:slice(from, to), {
      draws = draws, order = learner.order, follow = learner.follow, levels = learner.levels, rng = rng,
      state = state })
    for _, name in ipairs(known) do learner[name] = state[name] end
    from = to + 1
  end
  for _, t in ipairs(stops or {}) do
    if t <= #xs then
      go_on(t)
      seen(t)
    end
  end
  go_on(#xs)
end

--- What the synapses of weights W compete with, and their releases, as learned; those of an input that was never
--- present are where learning starts.
function repaired.learned(learner, W)
  local a = learner.amplitude
  a = a + W / 0.3 * a:less(5e-324)                       -- below the least number above 0: never learned
  return learner.order == "weight" and W or a, (W / a):clamp(0, 1)
end

--- The winner of one row whose synapses have sites: what each sends on average when it releases, w; releases q; and
--- the release phi of each of n sites. Returns its distribution, and the probability that nothing is transmitted.
--- `always`: a synapse that sends w in every draw.
---
--- Synapse j sends w_j k / (n phi_j) with probability q_j Binomial(k; n, phi_j) [eq:sites].
function repaired.row(w, q, phi, n, always)
  return ves.winner.sites(w, q, phi, { sites = n, always = always })
end

--- How often the synapses of a row send if open sites act on that: the hypothesis w' = w K / (n phi) about a weight
--- makes it release with w' q / w, its amplitude w / q being what it was, at most always. The mean over K.
function repaired.hypotheses(q, phi, n)
  local share, log_open, log_shut, choose, mean = q / phi / n, phi:log(), (1 - phi):log(), 0.0, q * 0
  for k = 1, n do
    choose = choose + math.log((n - k + 1) / k)
    mean = mean + (log_open * k + log_shut * (n - k) + choose):exp() * (share * k):clamp(0, 1)
  end
  return mean:clamp(0, 1)
end

--- The outputs' distribution over the rows that may be left, each with its probability, given that something is
--- transmitted; and the probability that nothing is. of_row(i) is the distribution of row i and its chance of nothing.
function repaired.mixed(active, first, of_row)
  local p, nothing
  for k, i in ipairs(active:totable()) do
    local row, empty = of_row(i // 1)
    p, nothing = (p or row * 0) + row * first[k], (nothing or 0) + (empty or 0) * first[k]
  end
  return pmf.normalised(p), nothing
end

return check.module("vesicle.model.repaired", repaired)
