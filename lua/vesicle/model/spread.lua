-- spread: how wide the distributions of a trained network are at the five inputs of the simple model.
--
-- Between the data-generating distribution and a sample lie the data, the tuning curves, the prior evidence and the
-- releases, and each may change the width. Of all but the draws the standard deviation is known exactly, without
-- drawing.

local ves = require "vesicle"
local check = require "vesicle.base.check"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local readings = require "vesicle.model.readings"
local stats = require "vesicle.stats"

local spread = {}

local model = models.simple()

--- The inputs, and the standard deviation of the data-generating distribution at each. [data:simple]
spread.inputs = model.inputs
spread.truth = ves.vector(model.inputs):map(model.sd)

--- How statements call the inputs.
spread.at = { "x=-4", "x=-2", "x=0", "x=2", "x=4" }

--- A layer of the network with this spacing: its code; its centers; rows, the inputs that are ever active (above 1e-3),
--- the only ones whose releases need to be learned; and present(f), f(x, activity) at each of the five inputs.
function spread.layer(spacing)
  local code = models.code(spacing)
  local activity = code:encode(model.inputs)
  return {
    code = code, centers = code.centers,
    rows = stats.collect(code.n, function(i) return activity:col(i):max() end):above(1e-3),
    present = function(f) return stats.collect(model.inputs, function(x) return f(x, code:encode(x)) end) end,
  }
end

--- The original decodes with a Gaussian kernel matrix H and does not print how wide its kernels are, nor whether
--- lateral inhibition comes before. With inhibition there is a winner, and no width matters. Without it the whole
--- activity is decoded; these widths are tried, from that of the tuning curves to a twelfth of the range. [eq:decode]
spread.widths = { 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1 }

--- Those that statements have cells of their own for: about one spacing of the centres, half a unit, and the widest.
spread.judged_widths = { 0.1, 0.5, 1 }

--- What a field of a replicate is called that was decoded with this width: "H50" for 0.5.
function spread.decoder(width) return string.format("H%.0f", 100 * width) end

--- What whole activities say. draws[name] has, for each input, the activities of draws as rows of a matrix. Returns
--- sd[readout][name], a vector over inputs of standard deviations; readout is "mean", or spread.decoder of one of the
--- widths (unless told, all of them).
function spread.whole(draws, code, widths)
  local sd = {}
  local function add(readout, read)
    sd[readout] = {}
    for name, at in next, draws do
      sd[readout][name] = stats.collect(at, function(activity) return read(activity):sd() end)
    end
  end
  add("mean", function(activity) return code:mean(activity) end)
  for _, width in ipairs(widths or spread.widths) do
    add(spread.decoder(width), function(activity) return code:decode(activity, { width = width }) end)
  end
  return sd
end

--- Further cells of a statement that was made for the winner: of(reading, readout) for these readings (unless told, the
--- printed and the corrected one) with the whole activity decoded, at each of the judged widths; then those in `more`.
function spread.further(of, judged, more)
  local cells = {}
  for _, width in ipairs(spread.judged_widths) do
    for _, reading in ipairs(judged or readings.judged) do
      local value = of(reading, spread.decoder(width))
      cells[#cells + 1] = { reading = string.format("whole activity, H %g, %s", width, reading.name), value }
    end
  end
  return table.move(more or {}, 1, #(more or {}), #cells + 1, cells)
end

--- What drives a cell that was read out at the winner.
spread.drives = "reading out the winner; the original leaves open whether inhibition comes before decoding, and the "
  .. "width of H"

--- What the weights encode, the normalised mixture of rows. [eq:mixture]
function spread.encoded(W, layer)
  return layer.present(function(_, a) return pmf.sd(ves.multi.mixture(W, a), layer.centers) end)
end

--- The winner under releases Q divided by the normaliser, from its exact distribution. [eq:winner-multi]
function spread.winner(W, Q, layer, normaliser)
  return layer.present(function(_, a)
    return pmf.sd((ves.winner.exact(W, ves.release.normalise(Q, a, normaliser), a)), layer.centers)
  end)
end

--- The inputs of a network's data and their outputs: the standard deviation of the data themselves.
function spread.data(xs, ys, layer)
  return layer.present(function(x) return ys:take((xs - x):abs():less(1e-9):above(0.5)):sd() end)
end

return check.module("vesicle.model.spread", spread)
