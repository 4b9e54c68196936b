-- Sites, held masks and two stages from Lua.
local lu = require "luaunit"
local ves = require "vesicle"

local code = ves.code { n = 8, lo = -2, hi = 2, sigma = 0.5 }
local net = ves.network { input = code, output = code, rng = ves.rng(1) }
  :observe({ -1, 0, 0.4, 1, 1.5, 0, -0.5 }, { 1, 0.2, -0.3, -1, 0.5, 0.7, 1.2 })
local W = net:weights()
local Q = ves.release.analytic(W)

TestSites = {}

-- The variance is that of the Beta distribution for every number of sites; one site is the exact root.
function TestSites.test_epistemic()
  local A, B = net.A, net.B
  local s = A + B
  local wanted = A * B / (s * s * (s + 1))
  for _, N in ipairs { 1, 2, 16, 1000 } do
    local phi, rest = ves.release.epistemic(A, B, "exact", { sites = N })
    local variance = W * W * rest / (N * phi)
    lu.assertTrue((variance / wanted - 1):abs():max() < 1e-12)
  end
  lu.assertEquals(ves.release.epistemic(A, B, "exact", { sites = 1 }), ves.release.epistemic(A, B))
  lu.assertAlmostEquals(ves.release.epistemic(2, 3, nil, { sites = 4 }), 1 / (1 + 4 * 3 / 12), 1e-15)
end

-- One site that is not held has the law of the plain sampler, whose bits are others: the fraction of empty draws and
-- the winners agree.
function TestSites.test_one_site_is_the_original()
  local Phi = ves.release.epistemic(net.A, net.B)
  local release = ves.release.combine(Phi, Q)
  local function frequencies(options)
    options.x, options.release, options.rescale, options.readout = 0.3, release, Phi, "index"
    options.draws, options.rng = 40000, ves.rng(2)
    local y, info = net:sample(options)
    local seen = ves.vector(8, 0)
    for d = 1, #y do seen[y[d]] = seen[y[d]] + 1 / #y end
    return seen, info
  end
  local plain, a = frequencies { empty = "skip" }
  local held, b = frequencies { hold = 2 }
  lu.assertTrue((plain - held):abs():max() < 0.05)
  lu.assertTrue(math.abs(a.empty - b.empty) < 0.1)
  lu.assertNil(a.within)
  lu.assertTrue(b.within > 0 and b.between > 0)
end

-- Many sites leave the winner less to chance than one: the mean readout keeps its variance, which is the point of phi.
function TestSites.test_sites_in_sampling()
  local function spread(N)
    local Phi = ves.release.epistemic(net.A, net.B, "exact", { sites = N })
    local y, info = net:sample { x = 0.3, release = Phi, rescale = Phi, sites = N, normaliser = "none",
      readout = "mean", draws = 4000, rng = ves.rng(3) }
    lu.assertEquals(#y, 4000)
    return y:sd(), info.empty
  end
  local _, empty_one = spread(1)
  local _, empty_many = spread(64)
  lu.assertTrue(empty_many <= empty_one)
end

-- With releases of 1 nothing is drawn anew within a bout; with sites that are always open nothing differs between them.
function TestSites.test_held()
  local one, Phi = ves.matrix(8, 8, 1), ves.release.epistemic(net.A, net.B)
  local y, info = net:sample { x = 0.3, release = Phi, rescale = Phi, hold = 10, normaliser = "none", draws = 500,
    rng = ves.rng(4) }
  lu.assertTrue(info.within < 1e-20)
  lu.assertTrue(info.between > 0)
  for bout = 0, 49 do
    for d = 1, 10 do lu.assertEquals(y[10 * bout + d], y[10 * bout + 1]) end
  end
  local _, world = net:sample { x = 0.3, release = Q, rescale = one, hold = 10, draws = 20000, rng = ves.rng(4) }
  lu.assertTrue(math.abs(world.between) < 0.05 * world.within)
end

TestStages = {}

-- With the mapping, net:sample in two stages is ves.multi.two_stage draw by draw; given releases of the first stage
-- count.
function TestStages.test_two_stages()
  local x = code:encode(0.3)
  local y = net:sample { x = 0.3, release = Q, stages = 2, readout = "index", draws = 2000, rng = ves.rng(5) }
  lu.assertEquals(y, ves.multi.two_stage(W, x, { draws = 2000, rng = ves.rng(5) }))
  local strength = ves.vector(8, 0)
  for i = 1, 8 do strength[i] = x[i] * W[i]:sum() end
  local first = ves.release.analytic(strength)
  lu.assertEquals(y, net:sample { x = 0.3, release = Q, stages = 2, input_release = first, readout = "index",
    draws = 2000, rng = ves.rng(5) })
  local other, info = net:sample { x = 0.3, release = Q, stages = 2, input_release = first * 0.5, readout = "index",
    draws = 2000, rng = ves.rng(5) }
  lu.assertNotEquals(y, other)
  lu.assertTrue(info.empty > 0)
  local learned = ves.release.learn(strength, { rule = "amplitude", iterations = 100000, rng = ves.rng(6) })
  local z = net:sample { x = 0.3, release = Q, stages = 2, input_release = learned, draws = 20000, rng = ves.rng(5) }
  local mixture = ves.multi.mixture(W, x)
  lu.assertTrue(math.abs(z:mean() - mixture:dot(code.centers)) < 0.05)
end

-- Sites in the second stage: with sites that are always open the law is that of two stages, and nothing differs
-- between bouts; otherwise something does.
function TestStages.test_sites_in_two_stages()
  local one = ves.matrix(8, 8, 1)
  local function draw(options)
    options.x, options.stages, options.draws, options.rng = 0.3, 2, 20000, ves.rng(9)
    return net:sample(options)
  end
  local y = draw { release = Q }
  local z, held = draw { release = Q, rescale = one, hold = 10 }
  lu.assertTrue(math.abs(y:mean() - z:mean()) < 0.05)
  lu.assertTrue(math.abs(held.between) < 0.05 * held.within)
  local Phi = ves.release.epistemic(net.A, net.B, "exact", { sites = 4 })
  local _, info = draw { release = ves.release.combine(Phi, Q), rescale = Phi, sites = 4, hold = 10 }
  lu.assertTrue(info.between > 0.02 * info.within)
end

-- A network that learns from its own draws, while its weights change.
function TestStages.test_learning_while_sampling()
  local x = code:encode(0.3)
  local _, begun = ves.multi.two_stage_learn(W, x, { draws = 20000, rng = ves.rng(7) })
  local y, state = ves.multi.two_stage_learn(W, x, { draws = 40000, state = begun, rng = ves.rng(8) })
  local seen = ves.vector(8, 0)
  for d = 1, #y do if y[d] > 0 then seen[y[d]] = seen[y[d]] + 1 / #y end end
  lu.assertTrue((seen - ves.multi.mixture(W, x)):abs():max() < 0.02)
  local kept = state.amplitude:copy()
  local _, more = ves.multi.two_stage_learn(W * 2, x, { draws = 10, state = state, rng = ves.rng(9) })
  lu.assertEquals(state.amplitude, kept)
  for i = 1, 8 do
    if x[i] > 1e-3 then lu.assertTrue((more.amplitude[i] - W[i] * 2):min() >= 0) end
  end
end

os.exit(lu.LuaUnit.run(), true)
