-- breaks: deliberate errors of the model, by name, for tests/lua/judges.lua.
--
-- An entry changes functions of the library for one run of an experiment: replace(table, key, make) puts make(old) in
-- the place of table[key] and is undone afterwards; method(class, name, make) does so for a method of networks or
-- codes. A statement names in `breaks` the error that must change one of its verdicts.

local ves = require "vesicle"

local breaks = {}

--- A copy of an option table with other values.
local function with(options, changes)
  local copy = {}
  for key, value in next, options or {} do copy[key] = value end
  for key, value in next, changes do copy[key] = value end
  return copy
end

--- A vector or matrix like x, filled with one value; where x is 0 it stays 0.
local function filled(x, value) return x * 0 + value end

local function vector(w) return type(w) == "table" and ves.vector(w) or w end

-- ---- releases ----

breaks["release.analytic=uniform"] = function(replace)
  replace(ves.release, "analytic", function() return function(w) return filled(vector(w), 0.5) end end)
end
breaks["release.analytic=certain"] = function(replace)
  replace(ves.release, "analytic", function() return function(w) return filled(vector(w), 1) end end)
end
breaks["release.analytic=halved"] = function(replace)
  replace(ves.release, "analytic", function(old) return function(w) return old(w) / 2 end end)
end
breaks["release.analytic=reversed"] = function(replace) -- the strongest gets what the weakest should
  replace(ves.release, "analytic", function(old) return function(w) return old(1 / (vector(w) + 1e-12)) end end)
end
breaks["epistemic=squared"] = function(replace)
  replace(ves.release, "epistemic", function(old)
    return function(...)
      local phi = old(...)
      return phi * phi, 1 - phi * phi
    end
  end)
end
breaks["epistemic=swapped"] = function(replace)
  replace(ves.release, "epistemic", function(old) return function(A, B, ...) return old(B, A, ...) end end)
end
breaks["epistemic=certain"] = function(replace)
  replace(ves.release, "epistemic", function(old)
    return function(...)
      local phi = old(...)
      if type(phi) == "number" then return 1 - 1e-9, 1e-9 end
      return filled(phi, 1 - 1e-9), filled(phi, 1e-9)
    end
  end)
end
breaks["epistemic=half"] = function(replace)
  replace(ves.release, "epistemic", function(old)
    return function(...)
      local phi = old(...)
      if type(phi) == "number" then return 0.5, 0.5 end
      return filled(phi, 0.5), filled(phi, 0.5)
    end
  end)
end
breaks["normalise=none"] = function(replace, method)
  replace(ves.release, "normalise", function() return function(Q) return Q end end)
  method("network", "sample", function(old)
    return function(net, o) return old(net, with(o, { normaliser = "none" })) end
  end)
end

-- ---- learning ----

local function learned_raw(old)
  local changes = { rule = "raw", psi = false, subtract = false, expected_over = false }
  return function(w, o) return old(w, with(o, changes)) end
end
local function without_false(old) -- an option that is false is taken away
  return function(w, o)
    local copy = {}
    for key, value in next, o or {} do if value ~= false then copy[key] = value end end
    return old(w, copy)
  end
end
local function raw(old) return learned_raw(without_false(old)) end

breaks["release.learn=raw"] = function(replace) replace(ves.release, "learn", raw) end
breaks["release.learn=hasty"] = function(replace) -- iterations and rate change nothing
  replace(ves.release, "learn", function(old)
    return function(w, o) return old(w, with(o, { iterations = 300, rate = 0.01 })) end
  end)
end

--- learn as it is, but with releases other(w, learned, options) at the end; traces and targets stay.
local function learned_as(other)
  return function(replace)
    replace(ves.release, "learn", function(old)
      return function(w, o)
        local learned, trace, targets = old(w, o)
        return other(w, learned, o), trace, targets
      end
    end)
  end
end
breaks["release.learn=analytic"] = learned_as(function(w, learned)
  return 0.99 * ves.release.analytic(w) + 0.01 * learned
end)
breaks["release.learn=power-analytic"] = learned_as(function(w, learned, o)
  return o.rule == "power" and ves.release.analytic(w) or learned
end)
breaks["release.learn=reversed"] = learned_as(function(w) return 1 / (1 + 1000 * ves.release.analytic(w)) end)
breaks["release.learn=silent"] = learned_as(function(w) return ves.release.analytic(w) * 1e-6 end)
breaks["release.learn=power-raw"] = function(replace) -- the power rule alone learns the raw target
  replace(ves.release, "learn", function(old)
    local unadjusted = raw(old)
    return function(w, o) return (o.rule == "power" and unadjusted or old)(w, o) end
  end)
end
local function learn_with(changes) -- changes: a table, or a function of the options that returns one
  return function(replace)
    replace(ves.release, "learn", function(old)
      return function(w, o) return old(w, with(o, type(changes) == "table" and changes or changes(o))) end
    end)
  end
end
breaks["learn.algorithm=1"] = learn_with { algorithm = 1 }
breaks["learn.rule=subset"] = learn_with(function(o) return o.rule == "variable" and { rule = "subset" } or {} end)
breaks["learn.rate=falling"] = learn_with(function(o) return { rate = math.min(1, 2.5 / o.iterations) } end)
breaks["learn.rate=tiny"] = learn_with { rate = 1e-9 }
breaks["learn.floor=0.01"] = learn_with(function(o) -- whatever lower bound was asked for
  return { floor = 0.01, start = type(o.start) == "userdata" and o.start:clamp(0.01, 1) or o.start }
end)
breaks["releases=0.3"] = function(replace)
  replace(ves.release, "analytic", function() return function(w) return filled(vector(w), 0.3) end end)
  learned_as(function(w) return filled(vector(w), 0.3) end)(replace)
end
breaks["release.equilibrium=halved"] = function(replace)
  replace(ves.release, "equilibrium", function(old) return function(...) return old(...) / 2 end end)
end
breaks["release.equilibrium=analytic"] = function(replace)
  replace(ves.release, "equilibrium", function() return function(w) return 0.9999 * ves.release.analytic(w) end end)
end
breaks["release.equilibrium=mapping"] = function(replace)
  replace(ves.release, "equilibrium", function() return function(w) return ves.release.analytic(w) end end)
end
breaks["equilibrium=analytic, distances x10"] = function(replace)
  breaks["release.equilibrium=analytic"](replace)
  replace(ves.score, "total_variation", function(old) return function(...) return 10 * old(...) end end)
end
breaks["release.pooled=raw"] = function(replace) replace(ves.release, "learn_pooled", raw) end
breaks["release.equilibrium=raw"] = function(replace) replace(ves.release, "equilibrium", raw) end

-- Releases of a row, however they are found, as a function of its weights alone: inverse (the weakest always sends),
-- proportional (the strongest does), or by their place.
local function releases_by(of_row)
  return function(replace)
    local function of(W)
      local Q = W * 0
      for i = 1, W.rows do Q[i] = of_row(W[i]) end
      return Q
    end
    for _, name in ipairs { "analytic", "learn", "learn_pooled" } do
      replace(ves.release, name, function() return of end)
    end
  end
end
breaks["release=inverse"] = releases_by(function(w) return w:min() / w end)
breaks["release=proportional"] = releases_by(function(w) return w / w:max() end)
breaks["release=place"] = releases_by(function(w) return ves.range(1, #w) / #w end)

-- ---- the amplitude rule ----

--- learn as it is, but with other releases where the rule is the amplitude rule, in traces too; updates stay.
local function amplitude_as(other)
  return function(replace)
    replace(ves.release, "learn", function(old)
      return function(w, o)
        local results = table.pack(old(w, o))
        if o.rule ~= "amplitude" then return table.unpack(results, 1, results.n) end
        results[1] = other(w, results[1], o)
        if o.trace then
          for k = 1, results[2].rows do results[2][k] = other(w, results[2]:row(k):copy(), o) end
        end
        return table.unpack(results, 1, results.n)
      end
    end)
    replace(ves.release, "follow", function(old)
      return function(W, o)
        local q, trace = old(W, o)
        if o.rule ~= "amplitude" then return q, trace end
        for k = 1, trace.rows do
          trace[k] = other(W:row(((k - 1) // o.runs + 1) * o.trace):copy(), trace:row(k):copy(), o)
        end
        return q, trace
      end
    end)
  end
end
breaks["amplitude=biased"] = amplitude_as(function(_, learned) return learned * 0.8 end)
breaks["amplitude.order=biased"] = amplitude_as(function(_, learned, o)
  return o.order == "amplitude" and learned * 0.5 or learned
end)
breaks["amplitude=mapping"] = amplitude_as(function(w) return 0.9999 * ves.release.analytic(w) end)
breaks["amplitude=uniform"] = amplitude_as(function(w) return filled(vector(w), 0.3) end)
breaks["amplitude=power"] = function(replace) -- in name only: it learns by the power rule
  replace(ves.release, "learn", function(old)
    return function(w, o)
      if o.rule ~= "amplitude" then return old(w, o) end
      local learned, trace = old(w, { rule = "power", iterations = o.iterations, trace = o.trace, rng = o.rng })
      if o.trace then return learned, trace end
      return learned, filled(learned, 1)
    end
  end)
end
breaks["learn.rate_floor=none"] = function(replace) -- a falling step falls on
  replace(ves.release, "learn", function(old)
    return function(w, o) return without_false(old)(w, with(o, { rate_floor = false })) end
  end)
end
breaks["amplitude=unit"] = function(replace) -- no amplitude above 1
  replace(ves.release, "amplitude_theory", function(old)
    return function(...)
      local theory = old(...)
      theory.amplitude = theory.amplitude:clamp(0, 1)
      return theory
    end
  end)
end

-- ---- exponents ----

breaks["exponent.optimal=swapped"] = function(replace) -- all ranks and the top half in each other's place
  replace(ves.exponent, "optimal", function(old)
    return function(n, o) return old(n, with(o, { top = 1.5 - (o and o.top or 1) })) end
  end)
end
breaks["exponent.optimal=inverse"] = function(replace)
  replace(ves.exponent, "optimal", function(old)
    return function(...)
      local psi, least = old(...)
      return 20 / psi, least
    end
  end)
end
breaks["exponent.error=sum"] = function(replace)
  replace(ves.exponent, "error", function(old)
    return function(n, psi, o) return old(n, psi, with(o, { form = "sum" })) end
  end)
end
breaks["exponent.equilibrium=halved"] = function(replace)
  replace(ves.exponent, "equilibrium", function(old) return function(...) return old(...) / 2 end end)
end

-- ---- networks, codes, draws ----

breaks["network.prior=x10"] = function(replace)
  local function tenfold(p, otherwise)
    p = p or otherwise
    return type(p) == "number" and p * 10 or { p[1] * 10, p[2] * 10 }
  end
  replace(ves, "network", function(old)
    return function(o)
      return old(with(o, { prior_a = tenfold(o.prior_a, { 0.025, 0.026 }),
                           prior_b = tenfold(o.prior_b, { 0.1, 0.101 }) }))
    end
  end)
end
breaks["network.prior=none"] = function(replace)
  local none = { prior_a = 1e-100, prior_b = 1e-100 }
  replace(ves, "network", function(old) return function(o) return old(with(o, none)) end end)
end
breaks["network.observe=nothing"] = function(_, method)
  method("network", "observe", function() return function(net) return net end end)
  method("network", "arrive", function() return function(_, _, _, o) return ves.matrix(1, 1), o.state end end)
end
breaks["network.prior=wide"] = function(replace)
  replace(ves, "network", function(old) return function(o) return old(with(o, { prior_a = { 0.001, 0.05 } })) end end)
end
breaks["network=mirrored"] = function(_, method) -- outputs change their sign
  method("network", "observe", function(old) return function(net, xs, ys) return old(net, xs, ys * -1) end end)
end
breaks["code.sigma=x10"] = function(replace)
  replace(ves, "code", function(old) return function(o) return old(with(o, { sigma = o.sigma * 10 })) end end)
end
breaks["code.encode=winner"] = function(_, method) -- one neuron is active, fully
  method("code", "encode", function(old)
    return function(layer, x)
      local activity = old(layer, x)
      local alone = activity * 0
      alone[activity:argmax()] = 1
      return alone
    end
  end)
end
breaks["winner=weakest"] = function(replace)
  local function inverted(old) return function(w, ...) return old(1 / (vector(w) + 1e-12), ...) end end
  replace(ves.winner, "exact", inverted)
  replace(ves, "sample", inverted)
end
breaks["winner=likely"] = function(replace) -- what is unlikely never wins
  replace(ves.winner, "exact", function(old)
    return function(...)
      local p, nothing = old(...)
      local limit = p:max() / 10
      return p:map(function(chance) return chance < limit and 0 or chance end), nothing
    end
  end)
end
breaks["winner=encoded"] = function(replace) -- every release samples what the weights encode
  replace(ves.winner, "exact", function()
    return function(W, _, x) return x and ves.multi.mixture(W, x) or vector(W):normalise(), 0 end
  end)
end
breaks["network.variance=evidence"] = function(_, method) -- only the amount of evidence counts
  method("network", "variance", function() return function(net) return 1 / (net.A + net.B) end end)
end
breaks["network.weights=faint"] = function(_, method)
  method("network", "weights", function(old) return function(net) return old(net) * 0.01 end end)
end
breaks["network.rate=1"] = function(replace) -- salience counts for nothing
  replace(ves, "network", function(old) return function(o) return old(with(o, { rate = 1 })) end end)
end
breaks["network.variance=halved"] = function(_, method)
  method("network", "variance", function(old) return function(net) return old(net) / 2 end end)
end
breaks["sample=offset"] = function(_, method) -- without division samples are elsewhere
  method("network", "sample", function(old)
    return function(net, o) return o.rescale and old(net, o) or old(net, o) + 10 end
  end)
end
breaks["beta=mean"] = function(_, method) -- the Beta reference read by the mean instead of the winner
  method("network", "beta", function(old)
    return function(net, o) return old(net, with(o, { readout = "mean" })) end
  end)
end
breaks["beta=wide"] = function(_, method)
  method("network", "beta", function(old)
    return function(net, o)
      local one, other = old(net, o)
      return one * 10, other and other * 10
    end
  end)
end

-- Samples of a normal distribution in place of the network's, as wide as the simple model's data or a little wider or
-- narrower: what fails in every reading must hold of these.
local function normal_samples(factor)
  return function(_, method)
    method("network", "sample", function(old)
      return function(net, o)
        if o.readout == "activity" then return old(net, o) end
        local rank = (ves.range(1, o.draws) - 0.5) / o.draws
        local y = (rank / (1 - rank)):log() -- logistic; only its standard deviation matters
        return y / y:sd() * (factor * (0.2 + 0.2 * (o.x + 4))), { empty = 0, draws = o.draws }
      end
    end)
  end
end
breaks["sample=true"] = normal_samples(1)
breaks["sample=wide"] = normal_samples(1.05)
breaks["sample=narrow"] = normal_samples(0.95)

breaks["two_stage=uniform"] = function(replace)
  replace(ves.multi, "two_stage", function(old) return function(W, ...) return old(filled(W, 0.1), ...) end end)
end

breaks["mixture=first"] = function(replace) -- the first output is taken for more likely than it is
  replace(ves.multi, "mixture", function(old)
    return function(W, x)
      local p = old(W, x) * 0.5
      p[1] = p[1] + 0.5
      return p
    end
  end)
end
breaks["encoded=sampled"] = function(replace) -- what the mapping samples is taken for the encoded
  replace(ves.multi, "mixture", function()
    return function(W, x)
      local p = ves.winner.exact(W, ves.release.normalise(ves.release.analytic(W), x, "participation"), x)
      return p / p:sum()
    end
  end)
  replace(ves.release, "learn", function() return function(W) return ves.release.analytic(W) * 0.9999 end end)
end

-- ---- several inputs ----

breaks["mixture=activity"] = function(replace) -- rows weigh as their inputs are active, whatever their sums
  replace(ves.multi, "mixture", function()
    return function(W, x)
      local p = W:normalise():transpose():mul(vector(x))
      return p / p:sum()
    end
  end)
end
breaks["winner=blurred"] = function(replace) -- half of the winners could be any output
  replace(ves.winner, "exact", function(old)
    return function(...)
      local p, nothing = old(...)
      return p / 2 + (1 - nothing) / 2 / #p, nothing
    end
  end)
end
breaks["chain=uniform"] = function(_, method) -- every output of a chain is as likely as any other
  method("chain", "exact", function(old)
    return function(chain, ...)
      local p, nothing = old(chain, ...)
      return p * 0 + 1 / #p, nothing
    end
  end)
end
breaks["solve=mapping"] = function(replace)
  replace(ves.multi, "solve", function(old)
    return function(W, ...)
      local _, info = old(W, ...)
      return ves.release.analytic(W), info
    end
  end)
end
breaks["draw=squared"] = function(replace) -- looked into, synapses transmit less often than they should
  replace(ves, "draw", function(old) return function(w, q, o) return old(w, q * q, o) end end)
end
breaks["draw=encoded"] = function(replace) -- looked into, one output is active, as often as is encoded
  local count = 0
  replace(ves, "draw", function()
    return function(W, _, o)
      local p = ves.multi.mixture(W, o.x)
      local activity, winner = ves.matrix(o.draws, #p), ves.vector(o.draws)
      for d = 1, o.draws do
        local j, rest = 1, (count * 0.6180339887) % 1
        while j < #p and rest >= p[j] do j, rest = j + 1, rest - p[j] end
        count, winner[d] = count + 1, j
        activity:set(d, j, 1)
      end
      return { activity = activity, winner = winner }
    end
  end)
end
breaks["stream.uniform=uneven"] = function(_, method) -- most numbers are small, few are large
  method("stream", "uniform", function(old) return function(...) return old(...) ^ 8 end end)
end

-- Appendix C's approximation, replaced by what it stands for: what is encoded, the exact winners, or exact duels.
local function normal(make)
  return function(replace)
    replace(ves.multi, "normal_approximation", function(old)
      return function(W, Q, x, o)
        local _, strongest = old(W, Q, x)
        return make(W, Q, x, strongest), not (o and o.form == "min") and strongest or nil
      end
    end)
  end
end
breaks["normal=encoded"] = normal(function(W, _, x) return ves.multi.mixture(W, x) end)
breaks["normal=winners"] = normal(function(W, Q, x) return (ves.winner.exact(W, Q, x)) end)
breaks["normal=duels"] = normal(function(W, Q, x, J)
  local p = ves.vector(W.cols)
  for j = 1, #p do
    local function rivals(M) return ves.matrix { M:col(J), M:col(j) }:transpose() end
    p[j] = ves.winner.exact(rivals(W), rivals(Q), x)[2]
  end
  return p
end)

-- ---- data ----

breaks["bimodal=declining"] = function(replace) -- printed and described change places
  replace(require "vesicle.model.data", "bimodal", function(old)
    return function(o) return old { declining = not (o and o.declining) } end
  end)
end

-- ---- the repaired model ----

breaks["release.learn=raw-amplitude"] = function(replace) -- the amplitude rule learns the raw target
  replace(ves.release, "learn", function(old)
    return function(w, o) return old(w, o.rule == "amplitude" and with(o, { rule = "raw", rate = 0.0025 }) or o) end
  end)
end
breaks["winner=sharpened"] = function(replace) -- what is likely wins more often
  replace(ves.winner, "exact", function(old)
    return function(...)
      local p, nothing = old(...)
      return (p ^ 2):normalise(), nothing
    end
  end)
end
breaks["winner=first"] = function(replace) -- half of the time the first output wins
  replace(ves.winner, "exact", function(old)
    return function(...)
      local p, nothing = old(...)
      p = p / 2
      p[1] = p[1] + 0.5
      return p, nothing
    end
  end)
end

--- What two stages have learned is another amplitude matrix, other(W), also while data arrive; `first`, if given, is
--- what the inputs of given strengths have learned.
local function two_stages_learned(other, first)
  return function(replace, method)
    method("network", "arrive", function(old)
      return function(net, xs, ys, o)
        local y, state = old(net, xs, ys, o)
        state.amplitude = other(net:weights())
        return y, state
      end
    end)
    replace(ves.multi, "two_stage_learn", function(old)
      return function(W, x, o)
        local y, state = old(W, x, o)
        state.amplitude = other(W)
        if first then
          state.strength = W:row_sums()
          state.input_amplitude = first(state.strength * x)
        end
        return y, state
      end
    end)
  end
end
breaks["two_stage=start"] = two_stages_learned(function(W) return W / 0.3 end)
local function at_the_mapping(w) return w / ves.release.analytic(w) end
breaks["two_stage=mapping"] = two_stages_learned(at_the_mapping, at_the_mapping)
breaks["two_stage=mapping, epistemic=certain"] = function(replace, method)
  breaks["two_stage=mapping"](replace, method)
  breaks["epistemic=certain"](replace, method)
end
breaks["two_stage=true"] = function(replace) -- winners as wide as the simple model's data
  replace(require "vesicle.model.repaired", "mixed", function(old)
    return function(active, first, of_row)
      local p, nothing = old(active, first, of_row)
      local place = (ves.range(1, #p) - 1) * 12 / (#p - 1) + -6
      local input = first:dot(active - 1) * 12 / (#p - 1) + -6
      return ((place / (0.2 + 0.2 * math.max(input + 4, 0))) ^ 2 / -2):exp():normalise(), nothing
    end
  end)
end
breaks["two_stage=uneven"] = function(_, method) -- every fourth row believes that it is far stronger than it is
  method("network", "arrive", function(old)
    return function(net, xs, ys, o)
      local y, state = old(net, xs, ys, o)
      for i = 4, #state.strength, 4 do state.strength[i] = 1e4 * state.strength[i] end
      return y, state
    end
  end)
end
breaks["two_stage=not-local"] = function(replace) -- a row learns the sum of its weights, silent ones included
  replace(ves.multi, "two_stage_learn", function(old)
    return function(W, x, o)
      local y, state = old(W, x, o)
      state.strength = W:row_sums()
      return y, state
    end
  end)
end
breaks["two_stage=unrehearsed"] = function(replace) -- what is drawn at an input beyond ten draws teaches nothing
  replace(require "vesicle.model.repaired", "present", function(old)
    return function(learner, activity, draws, rng) return old(learner, activity, math.min(draws, 10), rng) end
  end)
end
breaks["repaired.row=uniform"] = function(replace)
  replace(require "vesicle.model.repaired", "row", function()
    return function(w) return filled(w, 1 / #w), 0.0 end
  end)
end
breaks["repaired.row=unsure"] = function(replace, method) -- in a network with few data any output may win
  local rows
  method("network", "arrive", function(old)
    return function(net, ...)
      local y, state = old(net, ...)
      rows = net.rows
      return y, state
    end
  end)
  replace(require "vesicle.model.repaired", "row", function(old)
    return function(...)
      local p, nothing = old(...)
      return rows < 100 and filled(p, 1 / #p) or p, nothing
    end
  end)
end
breaks["sample=evidence"] = function(_, method) -- samples are the wider the fewer data were seen at their input
  method("network", "sample", function()
    return function(net, o)
      local x, rank = net.input:encode(o.x), (ves.range(1, o.draws) - 0.5) / o.draws
      return (rank / (1 - rank)):log() / (1 + x:dot((net.A + net.B):row_sums()) / x:sum()), { empty = 0 }
    end
  end)
end
breaks["held=beta"] = function(_, method) -- bouts differ by as much as Beta weights would have them
  method("network", "sample", function(old)
    return function(net, o)
      local y, info = old(net, o)
      if not o.hold then return y, info end
      local x, means = net.input:encode(o.x), ves.vector(400)
      local at = x:above(1e-3)
      local A, B, level = net.A:take(at):flatten(), net.B:take(at):flatten(), ves.matrix { x:take(at) }
      for d = 1, #means do
        means[d] = level:mul(ves.rng(d):beta(A, B):reshape(#at, #x))[1]:moments(net.output.centers)
      end
      info.between = means:var()
      return y, info
    end
  end)
end
breaks["winner=weights"] = function(replace) -- winners follow the weights that releases stand for, whatever the order
  replace(ves.winner, "exact", function()
    return function(a, q)
      a = ves.vector(a)
      return a * q / a:max(), 0
    end
  end)
end

-- ---- scores ----

breaks["score=halved"] = function(replace, method) -- samples of a network are scored twice as good as others
  local of_network = setmetatable({}, { __mode = "k" })
  method("network", "sample", function(old)
    return function(net, o)
      local y, info = old(net, o)
      of_network[y] = true
      return y, info
    end
  end)
  replace(ves.score, "crps", function(old)
    return function(sample, y) return old(sample, y) * (of_network[sample] and 0.5 or 1) end
  end)
end
breaks["coverage=right"] = function(replace) -- intervals cover as often as they say, whatever the samples
  local asked = {}
  replace(ves.score, "coverage", function()
    return function(_, _, level)
      asked[level] = (asked[level] or 0) + 1
      return asked[level] * level // 1 > (asked[level] - 1) * level // 1
    end
  end)
end

-- ---- recorded tables ----

--- What `make peers` recorded of this project's predictions, with other values in some columns.
local function recorded_with(change)
  return function(replace)
    replace(ves, "read_table", function(old)
      return function(path, ...)
        local columns, info = old(path, ...)
        if path:find("peers_densities%.tsv$") then
          for i = 1, info.rows do
            if columns.method[i]:find("^two_stage") or columns.method[i] == "participation" then change(columns, i) end
          end
        end
        return columns, info
      end
    end)
  end
end
breaks["peers=half as good"] = recorded_with(function(columns, i) columns.crps[i] = columns.crps[i] * 2 end)
breaks["peers=dense"] = recorded_with(function(columns, i) columns.log[i] = columns.log[i] - 2 end)
breaks["peers=calibrated"] = recorded_with(function(columns, i)
  columns.cover50[i], columns.cover90[i] = 0.5, 0.9
end)

-- ---- spikes ----

local function spikes_with(changes)
  return function(replace)
    for _, name in ipairs { "sample", "rates" } do
      replace(ves.spike, name, function(old) return function(w, q, o) return old(w, q, with(o, changes)) end end)
    end
  end
end
breaks["spike=noisy"] = spikes_with { noise = 8, jitter = 1 }
breaks["spike=deaf to delay"] = spikes_with { delay = 0, strength = math.huge }
breaks["spike=punctual"] = spikes_with { jitter = 0 }
breaks["spike.latency=spread"] = function(replace) -- outputs fire too far apart for any delay
  replace(ves.spike, "latency", function(old) return function(...) return old(...) * 1e6 end end)
end
breaks["spike=quiet"] = spikes_with { noise = 0, jitter = 0 }
breaks["spike.learn=deaf"] = function(replace) -- inhibition comes before anything is heard
  replace(ves.spike, "learn_in_time", function(old) return function(w, o) return old(w, with(o, { delay = 0 })) end end)
end
breaks["spike.learn=quiet"] = function(replace)
  replace(ves.spike, "learn_in_time", function(old)
    return function(w, o) return old(w, with(o, { noise = 0, jitter = 0, iterations = 20000 })) end
  end)
end

-- ---- what is run ----

-- Settings that make a run of an experiment short, beside --scale quick.
local shrink = {
  ["27_silences"] = { draws = 100, iterations = 200, widths = "0.5", runs = 2, rule_iterations = 500 },
  ["01_population_code"] = { replicates = 4, spaced_replicates = 2 },
  ["02_sampling_diagram"] = { looked_into = 200, draws = 20000 },
  ["03_release_mapping"] = { replicates = 2, identities = 10, long_draws = 20000 },
  ["05_learning_rules"] = { replicates = 4 },
  ["05_power_rules"] = { replicates = 4, other_replicates = 2 },
  ["05_two_algorithms"] = { sweep_n = "10", sweep_replicates = 2, race_iterations = 200000 },
  ["09_exponent_analysis"] = { psi_step = 4, sizes = "10,50" },
  ["13_learning_details"] = { floor_iterations = 64000 },
  ["13_learning_noise"] = { mean_doublings = 6 },
  ["13_trained_networks"] = { bias_iterations = 20000 },
  ["06_variance_components"] = { replicates = 3, spaced_replicates = 2, draws = 200, iterations = 300 },
  ["06_variance_of_map"] = { replicates = 3, spaced_replicates = 2, draws = 200 },
  ["06_variance_sources"] = { replicates = 3, spaced_replicates = 2, slow_replicates = 2,
                              draws = 200, iterations = 300, slow_iterations = 3000, slow_rate = 0.005 },
  ["07_simulated_data"] = { replicates = 20, spaced_replicates = 2, learned_replicates = 2, iterations = 300,
                            grid = 31 },
  ["08_release_matrices"] = { networks = 2, iterations = 200, presentations = 21 },
  ["10_several_inputs"] = { replicates = 3, spaced_replicates = 2 },
  ["10_solutions"] = { tries = 20, grid = 6, looked_into = 2000, searched = 200 },
  ["10_conjecture"] = { grid = 6 },
  ["12_modulation"] = { draws = 8, replicates = 4, spaced_replicates = 3 },
  ["12_evidence"] = { draws = 200, replicates = 4, spaced_replicates = 3 },
  ["12_second_layer"] = { replicates = 4, spaced_replicates = 3 },
  ["14_real_data"] = { iterations = 100, draws = 100, widths = "0.4,0.8", neighbours = "20", bins = "8" },
  ["22_hidden_layer"] = { replicates = 3, spaced_replicates = 2, draws = "10,100" },
  ["23_search"] = { replicates = 3 },
  ["17_amplitude_rule"] = { sizes = "100", exponents = "4,7,16", begin = "7", runs = 2, tries = 100 },
  ["17_amplitude_theory"] = { replicates = 20, rows = 1000 },
  ["18_changing_weights"] = { before = 5000, after = 5000, sampling_runs = 20 },
  ["19_release_sites"] = { sites = "1,64,256", draws = 800, replicates = 8, mean_replicates = 2 },
  ["20_held_masks"] = { rows_per_input = "5,800", weight_draws = 100, linear_replicates = 2,
                        linear_bouts = 60 },
  ["21_repaired_network"] = { rows = 4000, checkpoints = "4000", few_replicates = 20, replicates = 8, grid = 31 },
  ["21_rehearsal"] = { rows = 400, checkpoints = "20,400", axis_checkpoints = "20,400", draws_per_row = "10",
                       replicates = 8 },
  ["21_repaired_map"] = { draws = 400, replicates = 2, central_replicates = 20, grid = 31 },
  ["26_spikes_network"] = { replicates = 3, spaced_replicates = 2, whole_replicates = 3, input_spikes = 1000,
                            late_spikes = 60, delays = "5" },
}

return { breaks = breaks, shrink = shrink }
