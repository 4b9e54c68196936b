-- readings: the releases of a trained network under the printed and under the default reading, and the
-- exact distributions of what it then draws.
--
-- The printed reading takes the root Phi as printed and divides the releases Q of active inputs by the sum
-- of the input vector; the default one takes the root that solves the variance equation, and divides by the
-- participation of the inputs. Q is divided before Phi multiplies it. MAP draws use Phi alone, are not
-- divided, and act on the weights W/Phi, which keeps each weight's mean.

local ves = require "vesicle"
local pmf = require "vesicle.pmf"

-- reading.pick(a, b) is a under the default reading and b under the printed one: the name of a claim, say.
local readings = {
  default = { name = "default", root = "exact", normaliser = "participation",
              pick = function(a) return a end },
  printed = { name = "printed", root = "printed", normaliser = "sum",
              pick = function(_, b) return b end },
}
readings.both = { readings.default, readings.printed }

--- W, the analytic Q [eq:mapping], Phi [eq:beta2dropoutvar] and W/Phi of a network.
function readings.releases(net, reading)
  local W = net:weights()
  local phi = ves.release.epistemic(net.A, net.B, reading.root)
  return { W = W, Q = ves.release.analytic(W), phi = phi, scaled = W / phi, reading = reading }
end

--- The release matrix of the complete posterior when the inputs have this activity. [eq:combined]
function readings.combined(r, activity)
  return ves.release.combine(r.phi, ves.release.normalise(r.Q, activity, r.reading.normaliser))
end

-- A matrix of the network, restricted to the active inputs when it is first asked for.
local restricted = {
  __index = function(at, name)
    at[name] = at.all[name]:take(at.active)
    return at[name]
  end,
}

--- All that a draw depends on when the inputs have this activity: the rows of the active ones.
function readings.at(r, activity)
  local active = activity:above(1e-3)
  return setmetatable({ all = r, reading = r.reading, active = active, x = activity:take(active) }, restricted)
end

--- The winner's distribution given that something transmits, and the probability that nothing does
--- [eq:winner-multi], of what readings.at returns: with both releases, with Q alone, and with Phi alone (the MAP).
local function given_something(p, nothing) return pmf.normalised(p), nothing end

function readings.posterior(at) return given_something(ves.winner.exact(at.W, readings.combined(at, at.x), at.x)) end

function readings.observed(at)
  return given_something(ves.winner.exact(at.W, ves.release.normalise(at.Q, at.x, at.reading.normaliser), at.x))
end

function readings.map(at) return given_something(ves.winner.exact(at.scaled, at.phi, at.x)) end

return readings
