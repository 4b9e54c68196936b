--- # The conjecture on several inputs
---
--- "We conjecture that no general solution exists such that transmission probabilities are held constant across
--- combinations of active inputs." When inputs $x$ are active, output $j$ should win with probability
--- $(W'x)_j / \sum_l (W'x)_l$. The answer depends on two things the conjecture leaves open: what becomes of an empty
--- draw, and whether inputs are on or off or graded. All of it is exact: the winner's distribution is a finite sum.
--- [eq:conjecture] [eq:winner-multi]

local ves = require "vesicle"
local ex = require "vesicle.experiment"
local is = require "vesicle.criterion"
local margins = require "vesicle.margins"
local shapes = require "vesicle.model.shapes"
local stats = require "vesicle.stats"

local E = ex.new {
  name = "10_conjecture", title = "The conjecture: do constant releases serve every combination of inputs?",
  params = {
    grid = { 60, quick = 24, about = "points per axis of the map over releases" },
    outputs = { 60, about = "outputs of the four inputs' rows" },
    spread = { 0.6, about = "standard deviation of a row's bell" },
  },
}
local P = E.params

--- ## Empty draws count
---
--- Presenting each input alone forces the analytic rows. With
--- $W = ((.6,.4),(.6,.4))$ these give the first output both transmissions with probability $.36$, and
--- otherwise the second wins: $(.36, .64)$ instead of $(.6, .4)$. The conjecture is true.

local W2 = ves.matrix { { 0.6, 0.4 }, { 0.6, 0.4 } }
local counted = ves.winner.exact(W2, ves.release.analytic(W2), { 1, 1 })

--- ## Empty draws are repeated, inputs on or off
---
--- Each input alone now leaves one freedom per row,
--- the probability $c_a$ that it transmits at all [eq:redraw-family]. That very $W$ then has the exact
--- constant solution $q = (3/7, 1/2)$ in both rows. With three outputs, $W = ((.6,.3,.1),(.1,.3,.6))$,
--- the two freedoms must satisfy two equations; the map of the divergence over $(c_1, c_2)$ shows no
--- zero but the corner $c \to 0$. [eq:kl]

local constant = ves.matrix { { 3 / 7, 1 / 2 }, { 3 / 7, 1 / 2 } }
local off_constant = stats.collect({ { 1, 0 }, { 0, 1 }, { 1, 1 } }, function(x)
  return shapes.distance(W2, constant, x)
end)
E:own {
  id = "conjecture-redraw-example", kind = "mathematical", proof = "thm:conjecture", breaks = "winner=blurred",
  says = "The matrix that proves the conjecture has a constant solution once empty draws are repeated.",
  quantity = "largest total variation over the three presentations, both rows (3/7, 1/2)", criterion = is.exact(),
  value = { off_constant:max(), exact = true },
}

local function family(W, ...)
  local c = { ... }
  return stats.collect(#c, function(a) return ves.multi.redraw_family(W[a], c[a]) end)
end

--- f(c1, c2, releases of that pair) over a grid of c.
local function over_pairs(W, f)
  local rows = {}
  for a = 1, 2 do
    rows[a] = stats.collect(P.grid, function(i) return ves.multi.redraw_family(W[a], i / P.grid) end)
  end
  return stats.collect(P.grid * P.grid, function(k)
    local i, j = (k - 1) // P.grid + 1, (k - 1) % P.grid + 1
    return f(i / P.grid, j / P.grid, ves.matrix { rows[1][i], rows[2][j] })
  end)
end

local together = ves.vector { 1, 1 }
local function divergence(W, Q)
  return ves.score.kl(ves.multi.mixture(W, together), shapes.winners(W, Q, together))
end
local W3 = ves.matrix { { 0.6, 0.3, 0.1 }, { 0.1, 0.3, 0.6 } }
local kl_two = over_pairs(W2, function(_, _, Q) return divergence(W2, Q) end)
local map = over_pairs(W3, function(c1, c2, Q)
  return { c1 = c1, c2 = c2, larger = math.max(c1, c2), kl = divergence(W3, Q) }
end)
local outer = map.larger:above(0.5 - 1e-9)
local at = outer[map.kl:take(outer):argmin()]
local best = { kl = map.kl[at], c1 = map.c1[at], c2 = map.c2[at] }
for step = 1, 8 do                     -- the local minimum of that half of the square, by a shrinking pattern
  local reach, from = 2 / P.grid / 2 ^ step, best
  for _, d1 in ipairs { -reach, 0, reach } do
    for _, d2 in ipairs { -reach, 0, reach } do
      local c1, c2 = math.max(reach, math.min(1, from.c1 + d1)), math.max(reach, math.min(1, from.c2 + d2))
      local kl = divergence(W3, family(W3, c1, c2))
      if kl < best.kl then best = { kl = kl, c1 = c1, c2 = c2 } end
    end
  end
end
E:table("map", { { "c1", "probability that input 1, alone, transmits", map.c1 },
  { "c2", "the same of input 2", map.c2 },
  { "kl_two", "KL divergence of the winners from W'x under (1,1), the W of two outputs", kl_two },
  { "kl_three", "the same, the W of three outputs", map.kl } })
E:number("SeveralBestKl", best.kl)
E:number("SeveralBestCOne", best.c1)
E:number("SeveralBestCTwo", best.c2)

--- A grid proves nothing, but a line of algebra does. Let the rows be $(u, p, r)$ and $(r, p, u)$ with
--- $u > 2p$ and $p > r$, so that no tie arises. Under $(1,1)$ output 2 wins if and only if one of its
--- synapses transmits while both strong ones fail, and with $a_1 = u c_1$ and $a_2 (1 - a_1) = p c_1$, and
--- alike for the second row, that has probability $p\,(c_1 + c_2 - (2u + p)\,c_1 c_2)$. It would have to be
--- $p\,(c_1 + c_2 - c_1 c_2)$, which is more for all $c$, because $2u + p = 1 + u - r > 1$.

local Wp = ves.matrix { { 0.6, 0.25, 0.15 }, { 0.15, 0.25, 0.6 } }
local proof = over_pairs(Wp, function(c1, c2, Q)
  local won_by_two = ves.winner.exact(Wp, Q, together)[2]
  return { formula = math.abs(won_by_two - 0.25 * (c1 + c2 - 1.45 * c1 * c2)),
           short = (won_by_two / (0.25 * (c1 + c2 - c1 * c2)) - 1) / math.min(c1, c2) }
end)

--- ## The limit of rare release
---
--- The corner is no accident. When all $c_a = \varepsilon R_a$ are
--- small, two transmissions in one draw are of second order, and the winner's distribution is
--- $\sum_a R_a p_a / \sum_a R_a$ over the active inputs: $W'x$ for *every* on/off combination. So
--- constant releases serve all of them to any accuracy, at the price of draws that are nearly all
--- empty. But $x_a$ has dropped out: graded inputs are sampled as if they were fully on.

local R = ves.vector { 1, 0.8, 0.5, 0.3 }
local outputs = (ves.range(1, P.outputs) - 0.5) * 12 / P.outputs - 6
local bells = shapes.bells(outputs, #R, 1.5, P.spread)
local W4 = stats.collect(#R, function(a) return bells[a] * R[a] end)
local c = ves.range(0, 20):map(function(step) return 10 ^ (-step / 4) end)
local rare = stats.collect(c, function(scale)
  local Q = family(W4, scale * R[1], scale * R[2], scale * R[3], scale * R[4])
  local on_off = stats.collect((1 << #R) - 1, function(mask)
    return shapes.distance(W4, Q, stats.collect(#R, function(a) return mask >> (a - 1) & 1 end))
  end)
  local _, empty = ves.winner.exact(W4, Q, ves.vector(#R, 1))
  return { on_off = on_off:max(), graded = shapes.distance(W4, Q, { 1, 0.5, 0.25, 0.125 }), empty = empty }
end)
E:table("limit", { { "c", "probability that the strongest input, alone, transmits", c },
  { "on_off", "largest total variation over all on/off combinations of four inputs", rare.on_off },
  { "graded", "total variation for activities 1, 1/2, 1/4, 1/8", rare.graded },
  { "empty", "probability of an empty draw, all inputs on", rare.empty },
  { "transmits", "its complement", 1 - rare.empty } })
E:own {
  id = "conjecture-limit", kind = "mathematical", breaks = "winner=blurred", at = { "at-smallest-c", "largest-rise" },
  says = "Constant releases proportional to row sums serve every on/off combination in the limit of rare release.",
  quantity = "largest total variation over 15 combinations at the smallest c, and its largest rise as c falls",
  criterion = is.each { is.below(margins.vanishes), is.below(0) },
  value = { { rare.on_off[#c], (rare.on_off:slice(2) - rare.on_off:slice(1, #c - 1)):max() }, exact = true },
}

--- ## Graded inputs
---
--- Take $x = (1, s)$ with $s$ so small that the second input never reorders what
--- the first transmits. The winner is then drawn from $p_1$ with chance $c_1$, from $p_2$ with chance
--- $(1-c_1)c_2$, else nothing: *the same for every such $s$*. But the wanted mixture $p_1 + s p_2$
--- (rows of equal sum) differs from one $s$ to the next. So if $p_1 \ne p_2$ no constant releases
--- serve two such inputs: for graded inputs the conjecture is true under either treatment of empty
--- draws.

local Wg = ves.matrix { { 0.6, 0.4 }, { 0.3, 0.7 } }
local faint, stronger = { 1, 0.05 }, { 1, 0.25 }
local moved = over_pairs(Wg, function(_, _, Q)
  return ves.score.total_variation(shapes.winners(Wg, Q, faint), shapes.winners(Wg, Q, stronger))
end)
local must_move = ves.score.total_variation(ves.multi.mixture(Wg, faint), ves.multi.mixture(Wg, stronger))
E:statement {
  id = "conjecture", where = "Theoretical model, Transmission probability, several inputs",
  kind = "mathematical", proof = "thm:conjecture", breaks = "winner=encoded",
  says = "No constant releases serve all combinations of active inputs.",
  quantity = "chance of the first output under (1,1), wanted 0.6; each input alone forces these releases",
  criterion = is.differs(0.6, margins.exact), cells = { printed = { counted[1], exact = true } },
  further = {
    { reading = "empty draws repeated, inputs on or off", { proof.formula:max(), proof.short:max() }, exact = true,
      quantity = "largest error of the formula for output 2; least by which it wins too rarely, over the smaller c",
      at = { "formula", "shortfall" }, criterion = is.each { is.exact(), is.below(-margins.exact) },
      proof = "thm:conjecture", note = "W = ((.6,.25,.15),(.15,.25,.6))" },
    { reading = "empty draws repeated, graded inputs", { moved:max(), must_move }, exact = true,
      quantity = "how far the winners move at most between x2 = 0.05 and 0.25; how far they would have to",
      at = { "moved", "wanted" }, criterion = is.each { is.exact(), is.above(margins.exact) },
      proof = "thm:conjecture", note = "W = ((.6,.4),(.3,.7))" },
  },
}
E:finish()
