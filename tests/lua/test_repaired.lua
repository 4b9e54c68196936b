-- The repaired model: the winner of a row with sites against enumeration and draws, hypotheses, and what is learned.
local lu = require "luaunit"
local ves = require "vesicle"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local repaired = require "vesicle.model.repaired"
local stats = require "vesicle.stats"

local function close(a, b, within)
  lu.assertTrue((a - b):abs():max() < (within or 1e-12), tostring(a) .. tostring(b))
end

TestRow = {} -- luacheck: globals TestRow

--- Two outputs with two sites each: all that can happen, one by one. [eq:sites]
function TestRow.test_enumeration()
  local w, q, phi = ves.vector { 0.5, 0.4 }, ves.vector { 0.3, 0.9 }, ves.vector { 0.6, 0.2 }
  local p, nothing = ves.vector(2), 0.0
  local function sent(j, k) return w[j] * k / (2 * phi[j]) end
  local function chance(j, k)
    local open = ({ (1 - phi[j]) ^ 2, 2 * phi[j] * (1 - phi[j]), phi[j] ^ 2 })[k + 1]
    return k == 0 and 1 - q[j] + q[j] * open or q[j] * open
  end
  for k = 0, 2 do
    for l = 0, 2 do
      local both = chance(1, k) * chance(2, l)
      if k + l == 0 then nothing = nothing + both
      elseif sent(1, k) >= sent(2, l) then p[1] = p[1] + both
      else p[2] = p[2] + both end
    end
  end
  local found, empty = repaired.row(w, q, phi, 2)
  close(found, p)
  lu.assertAlmostEquals(empty, nothing, 1e-12)
  found, empty = repaired.row(w, q, phi, 2, 2) -- the second always sends its weight
  lu.assertAlmostEquals(found:sum(), 1, 1e-12)
  lu.assertEquals(empty, 0)
  lu.assertAlmostEquals(found[1], chance(1, 1) * (sent(1, 1) > 0.4 and 1 or 0) + chance(1, 2), 1e-12)
end

--- One site is a synapse that fails as a whole; sites that never fail leave the mapping. [eq:winner]
function TestRow.test_one_site_and_certain_sites()
  local w, phi = ves.vector { 0.1, 0.5, 0.3, 0.2 }, ves.vector { 0.5, 0.7, 0.2, 0.9 }
  local q = ves.release.analytic(w)
  close((repaired.row(w, q, phi, 1)), (ves.winner.exact(w / phi, q * phi)))
  close((repaired.row(w, q, phi * 0 + (1 - 1e-12), 8)), w:normalise(), 1e-9)
  close((repaired.row(w, q, phi * 0 + 1, 8)), w:normalise())
end

--- Draws of a network in two stages, one input active. [eq:two-stage]
function TestRow.test_draws()
  local net = models.network(models.simple(), ves.rng(3), { rows = 50 })
  local W, n = net:weights(), 16
  local Q, phi = ves.release.analytic(W), ves.release.epistemic(net.A, net.B, "exact", { sites = n })
  local i = net.input:encode(2):argmax()
  local x = ves.vector(100)
  x[i] = 1
  local drawn, info = net:sample { x = x, release = ves.release.combine(phi, Q), rescale = phi, sites = n, stages = 2,
                                   draws = 20000, readout = "index", rng = ves.rng(4) }
  local p, nothing = repaired.row(W[i], Q[i], phi[i], n)
  lu.assertTrue(stats.chi_square((drawn:counts(100)), p).p > 1e-6)
  lu.assertTrue(math.abs(info.empty - nothing) < 5 * math.sqrt(nothing / 20000))
end

--- If open sites act on releases, winners on average are those without sites, as long as no release is cut.
function TestRow.test_hypotheses()
  local q, phi = ves.vector { 0.05, 0.1, 0.2, 0.9 }, ves.vector { 0.4, 0.5, 0.6, 0.5 }
  local mean = repaired.hypotheses(q, phi, 2)
  close(mean:slice(1, 3), q:slice(1, 3))
  lu.assertAlmostEquals(mean[4], 0.5 * 0.9 + 0.25, 1e-12) -- one of two sites: 0.9; both: 1.8, cut at 1
end

--- So they are with releases of the redraw family, small enough for every hypothesis, by draws of sites and synapses:
--- given that something transmits winners are as encoded, and something does with the family's chance.
function TestRow.test_hypotheses_of_the_redraw_family()
  local w, phi, n = ves.vector { 0.5, 0.3, 0.15, 0.05 }, ves.vector { 0.4, 0.3, 0.2, 0.1 }, 3
  local c = 1.0
  for i = 1, 4 do c = math.min(c, phi[i] / (w[i] + phi[i] * w:slice(1, i):sum() - phi[i] * w[i])) end
  local q = ves.multi.redraw_family(w, c)
  close(repaired.hypotheses(q, phi, n), q)
  lu.assertTrue((q / phi):max() > 1 - 1e-12) -- and no larger c would do
  local open, wins, draws = ves.rng(6), { 0, 0, 0, 0 }, 40000
  local pick = open:stream("pick")
  for _ = 1, draws do
    local sends, i = pick:uniform(4):less(q * open:mask_counts(phi, n) / phi / n), 1
    while i <= 4 and sends[i] == 0 do i = i + 1 end
    if i <= 4 then wins[i] = wins[i] + 1 end
  end
  lu.assertTrue(stats.chi_square(wins, w).p > 1e-6)
  lu.assertTrue(math.abs(ves.vector(wins):sum() / draws - c) < 5 * math.sqrt(c * (1 - c) / draws))
end

TestLearner = {} -- luacheck: globals TestLearner

--- Rows that do not take part can be left out: the same draws, the same learned. [eq:two-stage]
function TestLearner.test_rows_left_out()
  local W, x, some = ves.rng(1):uniform(15):reshape(5, 3) + 0.1, ves.vector { 0, 1, 0, 0, 0.4 }, { 2, 5 }
  local y, state = ves.multi.two_stage_learn(W, x, { draws = 200, rng = ves.rng(2) })
  local z, part = ves.multi.two_stage_learn(W:take(some), x:take(some),
    { draws = 200, inputs = some, rng = ves.rng(2) })
  lu.assertEquals(z, y)
  lu.assertEquals(part.amplitude, state.amplitude:take(some))
  lu.assertEquals(part.input_updates, state.input_updates:take(some))
  local others = ves.multi.two_stage_learn(W:take(some), x:take(some), { draws = 200, rng = ves.rng(2) })
  lu.assertNotEquals(others, y)
end

--- Fixed weights: both stages come to the mixture, by amplitude and by weight; a copy teaches nothing. [eq:mixture]
function TestLearner.test_two_stages()
  local code = ves.code { n = 8, lo = -1, hi = 1, sigma = 0.25 }
  local net = ves.network { input = code, output = code, rng = ves.rng(1) }:observe({ 0, 0.2, 0 }, { 0.5, -0.3, 0.1 })
  local W, activity = net:weights(), code:encode(0)
  for _, order in ipairs { "amplitude", "weight" } do
    local learner = repaired.begin(net, { order = order })
    repaired.present(learner, activity, 100000, ves.rng(2))
    local before = learner.amplitude:copy()
    repaired.present(repaired.copy(learner), activity, 100, ves.rng(3))
    close(learner.amplitude, before)
    local outputs, active, first = repaired.present(learner, activity, 100000, ves.rng(5))
    local a, Q = repaired.learned(learner, W)
    local p = repaired.mixed(active, first, function(i) return ves.winner.exact(a[i], Q[i]) end)
    lu.assertTrue(pmf.total_variation(p, ves.multi.mixture(W, activity)) < 0.02, order)
    lu.assertTrue(pmf.total_variation((outputs:counts(8)), p) < 0.02, order)
    local shares = W:take(active):row_sums() * activity:take(active)
    lu.assertTrue(pmf.total_variation(first, shares) < 0.02, order) -- how often each input is left [eq:two-stage]
    local same, computed = repaired.computed(learner, activity)
    lu.assertEquals(same, active)
    lu.assertTrue(pmf.total_variation(computed, shares) < 0.02, order) -- by the strengths alone [eq:row-strength]
  end
end

--- An input that is presented is not rehearsed: the network draws, and learns, as often as it is told to.
function TestLearner.test_no_rehearsal()
  local net = models.network(models.simple(), ves.rng(3), { rows = 50 })
  local learner, rng = repaired.begin(net), ves.rng(4)
  repaired.arrive(learner, ves.vector { 2, 2 }, ves.vector { 0, 1 }, 10, rng)
  lu.assertTrue(learner.turns:sum() > 10 and learner.turns:sum() <= 20)
  local before, cursor = learner.turns:sum(), rng.cursor
  local outputs = repaired.present(learner, net.input:encode(2), 10, rng)
  lu.assertEquals(#outputs, 10)
  lu.assertEquals(rng.cursor, cursor + 10)
  lu.assertTrue(learner.turns:sum() - before <= 10)
  lu.assertTrue(learner.updates:flatten():sum() <= learner.turns:sum())
end

function TestLearner.test_rows_arrive()
  local code = models.code()
  local net = ves.network { input = code, output = code, rng = ves.rng(1) }
  local learner, seen = repaired.begin(net), {}
  repaired.arrive(learner, ves.vector { 0, 2 }, ves.vector { 1, -1 }, 5, ves.rng(2), { 1, 2, 3 },
    function(t) seen[#seen + 1] = { t, net.rows } end)
  lu.assertEquals(seen, { { 1, 1 }, { 2, 2 } })
  local by_hand = ves.network { input = code, output = code, rng = ves.rng(1) }:observe({ 0, 2 }, { 1, -1 })
  close(net:weights(), by_hand:weights())
  local a, Q = repaired.learned(learner, net:weights())
  close(Q[1], Q[1] * 0 + 0.3)                -- an input that was never present is where learning starts
  close(a[1], net:weights()[1] / 0.3)
end

--- The same as observing a row, and drawing with its input active, row by row. [eq:two-stage]
function TestLearner.test_rows_by_hand()
  local code, xs, ys = models.code(), models.bimodal().generate(60, ves.rng(3))
  local function fresh() return ves.network { input = code, output = code, rng = ves.rng(1) } end
  for _, order in ipairs { "amplitude", "weight" } do
    local net, by_hand, rng, same = fresh(), fresh(), ves.rng(2), ves.rng(2)
    local first, state = net:arrive(xs:slice(1, 20), ys:slice(1, 20), { draws = 4, order = order, rng = rng })
    local rest, later = net:arrive(xs:slice(21, 60), ys:slice(21, 60),
      { draws = 4, order = order, rng = rng, state = state })
    local a, k, strength, turns = ves.matrix(100, 100), ves.matrix(100, 100), ves.vector(100), ves.vector(100)
    for t = 1, 60 do
      by_hand:observe(xs[t], ys[t])
      local activity = code:encode(xs[t])
      local active = activity:above(1e-3)
      local none = ves.vector(#active)
      local y, learned = ves.multi.two_stage_learn(by_hand:weights(active), activity:take(active), { draws = 4,
        order = order, inputs = active, rng = same, state = { amplitude = a:take(active), updates = k:take(active),
        strength = strength:take(active), turns = turns:take(active), input_amplitude = none, input_updates = none } })
      for i, at in ipairs(active:totable()) do
        at = at // 1
        a[at], k[at] = learned.amplitude[i], learned.updates[i]
        strength[at], turns[at] = learned.strength[i], learned.turns[i]
      end
      lu.assertEquals(t <= 20 and first[t] or rest[t - 20], y)
    end
    lu.assertEquals(later.amplitude, a)
    lu.assertEquals(later.updates, k)
    lu.assertEquals(later.strength, strength)
    lu.assertEquals(later.turns, turns)
    lu.assertEquals(net:weights(), by_hand:weights())
    lu.assertNotEquals(state.amplitude, a)   -- what an earlier call returned stays
    lu.assertEquals(rng:uniform(), same:uniform())
  end
end

--- How far a network is from what it encodes at two inputs, after as many draws at each as a row of data has.
local function off(net, learner)
  local W, total = net:weights(), 0
  for _, x in ipairs { -1.03, 2 } do
    local copy, activity = repaired.copy(learner), net.input:encode(x)
    local _, active, first = repaired.present(copy, activity, 10, ves.rng(8))
    local a, Q = repaired.learned(copy, W)
    total = total + pmf.total_variation((repaired.mixed(active, first, function(i)
      return ves.winner.exact(a[i], Q[i])
    end)), ves.multi.mixture(W, activity)) / 2
  end
  return total
end

--- An untrained network whose amplitudes start at random samples what it encodes, nearly; one whose amplitudes follow
--- the data still does after they arrived, whatever the draws teach. [eq:amplitude-start] [eq:amplitude-follow]
function TestLearner.test_start_and_follow()
  local code, model = models.code(), models.bimodal()
  local xs, ys = model.generate(300, ves.rng(3))
  local function learner(how)
    local net = models.network(model, ves.rng(4), { rows = 1 })
    return net, repaired.begin(net, how)
  end
  local net, usual = learner()
  lu.assertTrue(off(net, usual) > 0.4)
  local same, followed = learner { follow = true, start = ves.rng(5), levels = 10 }
  lu.assertTrue(off(same, followed) < 0.12)
  repaired.arrive(usual, xs, ys, 1, ves.rng(6))
  repaired.arrive(followed, xs, ys, 1, ves.rng(6))
  lu.assertTrue(off(net, usual) > 0.2)
  lu.assertTrue(off(same, followed) < 0.12)
  lu.assertTrue(followed.input_updates:flatten():sum() > 100)
  lu.assertTrue(off(same, repaired.copy(followed)) == off(same, followed))
  lu.assertEquals(#code.centers, #followed.strength)
end

--- A range of its activity is where an input keeps its release: what is presented again goes on, what is not stays.
function TestLearner.test_levels()
  local code = models.code()
  local net = models.network(models.simple(), ves.rng(3), { rows = 500 })
  local learner = repaired.begin(net, { levels = 4 })
  local activity = code:encode(2.03)
  local active = activity:above(1e-3)
  local _, _, first = repaired.present(learner, activity, 50, ves.rng(5))
  local counted = learner.input_updates:copy()
  lu.assertTrue(counted:flatten():sum() > 40)
  for k, i in ipairs(active:totable()) do
    local level = math.min(math.floor(activity[i // 1] * 4), 3) + 1
    lu.assertEquals(counted[i // 1]:sum(), counted[i // 1][level], k)
  end
  repaired.present(learner, code:encode(-2), 50, ves.rng(5))
  lu.assertEquals(learner.input_updates:take(active), counted:take(active))
  local _, _, again = repaired.present(learner, activity, 1, ves.rng(6))
  lu.assertTrue(pmf.total_variation(first, again) < 0.1)
  lu.assertTrue(learner.input_updates:take(active):flatten():sum() >= counted:take(active):flatten():sum())
end

function TestLearner.test_options()
  local net = models.network(models.simple(), ves.rng(3), { rows = 5 })
  lu.assertErrorMsgContains("repaired.begin", repaired.begin, net, { sort = "weight" })
  lu.assertErrorMsgContains("order", repaired.begin, net, { order = "wieght" })
  lu.assertErrorMsgContains("levels", repaired.begin, net, { levels = -1 })
end

--- A row that activates no input is observed, and its draws are empty.
function TestLearner.test_a_row_far_away()
  local code = ves.code { n = 8, lo = -1, hi = 1, sigma = 0.1 }
  local net = ves.network { input = code, output = code, rng = ves.rng(1) }
  local y, state = net:arrive({ 50 }, { 0 }, { rng = ves.rng(2) })
  lu.assertEquals(y, ves.matrix(1, 10))
  lu.assertEquals(state.amplitude, ves.matrix(8, 8))
  lu.assertEquals(net.rows, 1)
end

os.exit(lu.LuaUnit.run())
