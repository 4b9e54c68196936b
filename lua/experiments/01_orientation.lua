--- # Orientation
---
--- The classic example of a population code is the orientation of a line, which returns to itself after 180 degrees.
--- The original's figure says that the average of preferred values, weighted by activity, encodes the stimulus. On a
--- circle it depends on what an average is.

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "01_orientation", title = "Orientation as firing rates, and its average on a circle",
  figure = "fig:tuningcurve",
  params = {
    oriented = { 12, about = "neurons tuned to orientation, over 180 degrees" },
    oriented_width = { 15.0, about = "sigma of their tuning curves, degrees" },
    orientation = { 67.0, about = "the orientation shown to them, degrees" },
  },
}
local P = E.params

--- ## The code
---
--- Each neuron is tuned around its preferred orientation, and its curve goes round the end of the range: we encode on
--- three turns and fold them into one. [eq:tuning]

local turn, K = 180.0, P.oriented
local step = turn / K
local turns = ves.code { n = 3 * K, lo = -turn, hi = 2 * turn - step, sigma = P.oriented_width }

local function respond(theta)
  local y = turns:encode(theta)
  return y:slice(1, K) + y:slice(K + 1, 2 * K) + y:slice(2 * K + 1)
end

--- ## The average of preferred orientations
---
--- The population encodes the orientation as the average of preferred orientations $\varphi_k$, weighted
--- by activity. Taken literally that is $\sum_k y_k \varphi_k / \sum_k y_k$; on a circle it is the angle of
--- the vector sum at twice the angles, $\tfrac12\arg\sum_k y_k e^{2i\varphi_k}$. Differs from
--- [fig:tuningcurve]: the second is our reading, the first stands in its caption.

local preferred = ves.range(0, K - 1) * step
local doubled = preferred * (2 * math.pi / turn)
local cosine, sine = doubled:map(math.cos), doubled:map(math.sin)

local function plain(y) return y:dot(preferred) / y:sum() end
local function circular(y) return math.atan(y:dot(sine), y:dot(cosine)) * turn / (2 * math.pi) % turn end

--- The distance between two orientations, in centre spacings.
local function apart(a, b)
  local d = math.abs(a - b) % turn
  return math.min(d, turn - d) / step
end

local degrees, reach = ves.range(0, turn), 3 * P.oriented_width
local answer = stats.collect(degrees, function(theta)
  local y = respond(theta)
  return { rates = y, plain = apart(plain(y), theta), circular = apart(circular(y), theta) }
end)
local inside = answer.plain:slice(reach + 1, preferred[K] - reach + 1)
local orientations = {}
for k = 1, K do orientations[k] = { k, preferred[k], degrees, answer.rates:col(k) } end
E:table("orientation_curves", { "neuron", { "preferred", "degrees" }, { "orientation", "degrees" },
  { "rate", "peak about 1" } }, orientations)
E:table("orientation_error", { { "orientation", degrees },
  { "plain", "error of the plain weighted average, centre spacings", answer.plain },
  { "circular", "error of the circular weighted average, centre spacings", answer.circular } })
local shown = respond(P.orientation)
E:table("orientation_response", { { "neuron", ves.range(1, K) }, { "preferred", preferred }, { "rate", shown } })
E:table("orientation", { { "orientation", "shown, degrees", P.orientation }, { "plain", plain(shown) },
  { "circular", "read out, degrees", circular(shown) } })
E:number({ "OrientationPlainError", "OrientationCircularError" }, { answer.plain:max(), answer.circular:max() })

E:statement {
  id = "popcode-mean", where = "Introduction, Biological neural networks, fig:tuningcurve", kind = "empirical",
  says = "The average of preferred values, weighted by activity, encodes the stimulus.",
  quantity = "largest error of the weighted average over all orientations, in centre spacings",
  criterion = is.below(margins.recovered), breaks = "code.sigma=x10",
  cells = { printed = { answer.plain:max(), exact = true } },
  further = { { reading = "circular average", answer.circular:max(), exact = true },
              { reading = "plain average, three sigma from the ends", inside:max(), exact = true } },
  note = "the plain average fails where the active curves reach round the end of the range",
}
E:finish()
