-- readings: the releases of a trained network as printed and corrected, and the exact distributions of what it
-- then draws.
--
-- The printed reading takes the root Phi as printed, divides the releases Q of active inputs by the sum of the input
-- vector (where that is below 1, by nothing: our addition), and has weights distributed as Beta(A+1, B+1); the
-- corrected one takes the root that solves the variance equation, divides by the participation of the inputs, and has
-- weights distributed as Beta(A, B), whose moments that equation uses. Q is divided before Phi multiplies it. MAP
-- draws use Phi alone, are not divided, and act on the weights W/Phi, which keeps each weight's mean.
--
-- The text says only that the tuning curves are equally spaced. What is said of trained networks is therefore judged
-- with each of the three spacings of ves.code: "ends" by itself, the others as cells of their own.

local ves = require "vesicle"
local check = require "vesicle.base.check"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"

-- reading.pick(a, b) is a under the corrected reading and b under the printed one: the name of a number, say.
local readings = {
  printed = { name = "printed", root = "printed", normaliser = "sum", beta = "AB+1",
              pick = function(_, b) return b end },
  corrected = { name = "corrected", root = "exact", normaliser = "participation", beta = "AB",
                pick = function(a) return a end },
}
readings.judged = { readings.printed, readings.corrected }
readings.spacings = { "ends", "bins", "open" }

--- The name of a cell that E:statement knows: "printed", "printed, bins", ...
function readings.cell(reading, spacing)
  return spacing == "ends" and reading.name or reading.name .. ", " .. spacing
end

--- The cells of a statement: of(reading, spacing) for each reading and each of the spacings (unless told, all of them),
--- by their names. What is nil is left out.
function readings.cells(of, spacings)
  local cells = {}
  for _, reading in ipairs(readings.judged) do
    for _, spacing in ipairs(spacings or readings.spacings) do
      cells[readings.cell(reading, spacing)] = of(reading, spacing)
    end
  end
  return cells
end

--- Replicates for each spacing, by its name: spec.run(rng, code, spacing), spec.n times with "ends" and spec.spaced
--- times with each of the others (unless told, as often). The phases of E are spec.name, and that with -bins and -open.
function readings.replicates(E, spec)
  local found = {}
  for _, spacing in ipairs(readings.spacings) do
    local ends, code = spacing == "ends", models.code(spacing)
    found[spacing] = E:replicate {
      name = ends and spec.name or spec.name .. "-" .. spacing, n = ends and spec.n or spec.spaced or spec.n,
      run = function(_, rng) return spec.run(rng, code, spacing) end,
    }
  end
  return found
end

-- What is made of W, A and B, row by row, when it is first asked for.
local made = {
  Q = function(r) return r.other and r.other.Q or ves.release.analytic(r.W) end,
  phi = function(r) return ves.release.epistemic(r.A, r.B, r.reading.root) end,
  scaled = function(r) return r.W / r.phi end,
}
local making = {
  __index = function(r, name)
    if made[name] then r[name] = made[name](r) end
    return rawget(r, name)
  end,
}

--- W, the analytic Q [eq:mapping], Phi [eq:beta2dropoutvar] and W/Phi of a network, and its evidence: W, Q, phi,
--- scaled, A and B. `other`, if given, is what this returned for another reading of the same network: what both have is
--- taken from there.
function readings.releases(net, reading, other)
  local of = other or { A = net.A, B = net.B, W = net:weights() }
  return setmetatable({ A = of.A, B = of.B, W = of.W, reading = reading, other = other }, making)
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

--- The same of a network that is asked about one activity only: nothing is made for other inputs.
function readings.once(net, reading, activity)
  local active = activity:above(1e-3)
  return setmetatable({ A = net.A:take(active), B = net.B:take(active), W = net:weights():take(active),
                        reading = reading, active = active, x = activity:take(active) }, making)
end

--- The winner's distribution given that something transmits, and the probability that nothing does
--- [eq:winner-multi], of what readings.at returns: with both releases, with Q alone, and with Phi alone (the MAP).
local function given_something(p, nothing) return pmf.normalised(p), nothing end

function readings.posterior(at) return given_something(ves.winner.exact(at.W, readings.combined(at, at.x), at.x)) end

function readings.observed(at)
  return given_something(ves.winner.exact(at.W, ves.release.normalise(at.Q, at.x, at.reading.normaliser), at.x))
end

function readings.map(at) return given_something(ves.winner.exact(at.scaled, at.phi, at.x)) end

return check.module("vesicle.model.readings", readings)
