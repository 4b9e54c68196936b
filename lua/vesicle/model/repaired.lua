-- repaired: the repaired network, which learns from its own draws, and the exact distributions of what it then draws.
--
-- A network starts untrained. Whenever a row of data arrives, its evidence grows, and with the same input still present
-- the network draws some outputs in two stages: inputs compete first, then the synapses of the one that is left. In
-- both stages the winner learns by the amplitude rule with step 1/k [eq:amplitude]. Nothing else is learned, nothing is
-- divided among inputs, and there is no exponent, rate, floor or bound to choose. Rows of synapses keep what they have
-- learned; the inputs' competition depends on their activities and is learned anew each time an input is presented.
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

--- A network that learns: its evidence, and what its synapses have learned. order: by what they compete, default
--- 'amplitude'.
function repaired.begin(net, order)
  return { net = net, order = order or "amplitude", amplitude = ves.matrix(net.input.n, net.output.n),
           updates = ves.matrix(net.input.n, net.output.n) }
end

--- Another that knows as much, to be looked at without teaching the first.
function repaired.copy(learner)
  return { net = learner.net, order = learner.order, amplitude = learner.amplitude:copy(),
           updates = learner.updates:copy() }
end

--- The network draws with these inputs active, and learns from its draws. Returns these, what the active inputs have
--- learned, and the activities. Only the rows of active inputs are looked at.
local function draw(learner, activity, active, draws, rng)
  local x, none = activity:take(active), ves.vector(#active)
  local outputs, learned = ves.multi.two_stage_learn(learner.net:weights(active), x, {
    draws = draws, order = learner.order, inputs = active, rng = rng,
    state = { amplitude = learner.amplitude:take(active), updates = learner.updates:take(active),
              input_amplitude = none, input_updates = none } })
  for k = 1, #active do
    local i = active[k] // 1
    learner.amplitude[i], learner.updates[i] = learned.amplitude[k], learned.updates[k]
  end
  return outputs, learned, x
end

--- An input is present: the network draws and learns from its draws. Returns these, as outputs from 1 on, 0 where
--- nothing was transmitted; the active inputs; and the probability with which each of them is left to transmit, as
--- learned.
function repaired.present(learner, activity, draws, rng)
  local active = activity:above(1e-3)
  local outputs, learned, x = draw(learner, activity, active, draws, rng)
  local strength, input = ves.vector(#active), learned.input_amplitude
  for k = 1, #active do strength[k] = x[k] * learned.amplitude[k]:max() end
  return outputs, active, pmf.normalised((ves.winner.exact(learner.order == "weight" and strength or input,
    (strength / input):clamp(0, 1))))
end

--- Rows of data arrive one by one, and after each the network draws. seen(t), if given, is called after the t-th for
--- each t of `stops`, in ascending order.
function repaired.arrive(learner, xs, ys, draws, rng, stops, seen)
  local from = 1
  local function go_on(to)
    if to < from then return end
    local _, state = learner.net:arrive(xs:slice(from, to), ys:slice(from, to), {
      draws = draws, order = learner.order, rng = rng,
      state = { amplitude = learner.amplitude, updates = learner.updates } })
    learner.amplitude, learner.updates, from = state.amplitude, state.updates, to + 1
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
