-- A seeded fuzzer of the whole API. Calls that would work are mutated: an argument, a key of an option table or an
-- element of an array is replaced by something hostile, arguments are dropped, swapped or added, objects are closed
-- before or during the call. Whatever happens, the answer is a result or a Lua error with a message; under the
-- sanitizers, nothing else happens either.
--
-- FUZZ_CALLS sets the number of calls, FUZZ_SEED the seed.
local lu = require "luaunit"
local ves = require "vesicle"
local support = require "api.support"

local calls = tonumber(os.getenv("FUZZ_CALLS")) or 20000
local seed = tonumber(os.getenv("FUZZ_SEED")) or 1

-- a generator of the fuzzer's own: it must not change when the library's does
local state = 88172645463325252 ~ (seed * 2685821657736338717)
local function random(n)
  state = state ~ (state << 13)
  state = state ~ (state >> 7)
  state = state ~ (state << 17)
  return (state >> 1) % n + 1
end

local function pick(list) return list[random(#list)] end

-- ---- hostile values ----

-- Large numbers are either beyond every limit or harmless: none makes a legitimate call take hours or gigabytes.
local numbers = {
  0, -0.0, 1, 2, 3, -1, -7, 0.5, 0.25, -0.5, 1.5, 1e-3, 1e-300, 5e-324, 1e-15, 100, 4.0, 2 ^ 53, 2 ^ 60, -2 ^ 63, 1e300,
  1e308, -1e308, math.huge, -math.huge, 0 / 0, math.maxinteger, math.mininteger, math.pi,
}
local words = {
  "", "x", "n", "rng", "sum", "none", "count", "raw", "power", "exact", "printed", "winner", "decode", "skip", "AB+1",
  "3", "0x10", "nan", "\0", "%s%n%s", string.rep("long ", 100), "iteration", "sigma", "self", "__gc", "__index",
}

local objects                            -- live objects, renewed now and then

local function new_objects()
  local code = ves.code { n = 3, lo = 0, hi = 2, sigma = 0.7 }
  local rng = ves.rng(random(1000))
  local net = ves.network { input = code, output = code, rng = rng }:observe({ 0, 1, 2 }, { 2, 0.5, 1 })
  local W = net:weights()
  local two = ves.network { input = { code, code }, output = code, rng = rng }:observe({ { 0, 1 }, { 2, 1 } }, { 1, 2 })
  return {
    two = two, chain = ves.chain { net, net }, code = code, rng = rng, net = net, W = W,
    Q = ves.release.analytic(W), w = ves.vector { 0.5, 0.3, 0.2 },
    q = ves.vector { 0.5, 0.6, 1 }, row = W[2], x = ves.vector { 1, 0.5, 0.2 },
  }
end

local closed = {}
for name, object in pairs(new_objects()) do
  if name ~= "chain" then closed[#closed + 1] = support.close(object) end
end

local function raise() error("hostile error") end
local function raise_object() error(setmetatable({}, { __tostring = raise })) end
local function close_everything()
  for _, name in ipairs { "code", "rng", "net", "two", "W", "Q", "w", "q", "row", "x" } do
    if objects then support.close(objects[name]) end
  end
  return 0.5
end
local function deep(...)
  return ves.release.learn({ 1 }, { rule = deep, iterations = 1, start = 1, rng = ves.rng(1) })[1], ...
end

local functions = {
  function() end, function() return 0 / 0 end, function() return "1" end, function(g) return g end, raise,
  raise_object, function() return coroutine.yield(1) end, function() collectgarbage() return 0.5 end,
  close_everything, math.sqrt, deep,
  function(_, s)
    if type(s) == "table" then setmetatable(s, { __newindex = raise }) end
    return 1
  end,
}

local metatables = {
  { __index = raise }, { __index = function() return 1 end }, { __len = function() return 2 ^ 40 end },
  { __len = raise }, { __pairs = raise }, { __gc = function() close_everything() end }, { __eq = raise },
  { __add = raise }, { __tostring = raise }, { __name = 7 }, { __metatable = false }, { __mode = "kv" },
  { __close = raise },
  { __call = function() return 1 end }, { __index = setmetatable({}, { __index = raise }) },
}

local value

local function array()
  local t = {}
  for i = 1, random(5) - 1 do t[i] = value(1) end
  if random(4) == 1 then t[#t + 2] = 1 end
  if random(6) == 1 then t.key = 1 end
  if random(6) == 1 then t[random(3)] = t end
  return t
end

local makers = {
  function() return nil end,
  function() return random(2) == 1 end,
  function() return pick(numbers) end,
  function() return pick(numbers) end,
  function() return pick(words) end,
  array,
  function() return { array(), array() } end,
  function() return setmetatable(array(), pick(metatables)) end,
  function() return pick(functions) end,
  function() return pick(closed) end,
  function() return objects[pick { "code", "rng", "net", "two", "chain", "W", "Q", "w", "q", "row", "x" }] end,
  function() return io.stdout end,
  function() return coroutine.create(raise) end,
  function() return ves end,
  function() return ves.vector(random(4), pick { 0, 1, 0.5, -1 }) / pick { 1, 1, 1, 0 } end,
  function() return ves.matrix(random(4), random(4), pick { 0, 1, 0.5, -1 }) end,
}

function value(depth)
  if depth == 1 and random(3) > 1 then return pick(numbers) end
  return makers[random(#makers)]()
end

-- ---- calls that work ----

-- A name made up by chance must not become a file where the test runs.
local function save(...)
  local arguments = table.pack(...)
  for i = 1, arguments.n do
    if math.type(arguments[i]) or type(arguments[i]) == "string" then
      arguments[i] = "no/such/directory/" .. arguments[i]
    end
  end
  return objects.net.save(table.unpack(arguments, 1, arguments.n))
end

-- { function, arguments... } made from the present objects; an empty name stands for no method
local function valid_calls(o)
  local rng = o.rng
  local list = {
    { ves.vector, { 1, 2, 3 } }, { ves.vector, 3, 0.5 }, { ves.matrix, { { 1, 2 }, { 3, 4 } } },
    { ves.matrix, 2, 3, 1 }, { ves.rng, 7 }, { ves.simd }, { ves.code, { n = 4, lo = 0, hi = 1, sigma = 0.2 } },
    { ves.network, { input = o.code, output = o.code, rng = rng, prior_a = { 0.1, 0.2 }, prior_b = 1, rate = 0.5 } },
    { ves.release.analytic, o.w }, { ves.release.analytic, { { 0.5, 0.2 }, { 1, 2 } } },
    { ves.release.epistemic, o.w, o.q, "exact", { sites = 3 } },
    { ves.release.amplitude_theory, o.w, { algorithm = 1, q = o.q } },
    { ves.multi.two_stage_learn, o.W, o.x, { draws = 5, rng = rng, rate = 0.1, decay = 3, rate_floor = 0.01,
      active = 0.1, order = "amplitude",
      state = { amplitude = o.W, updates = o.Q, strength = o.w, turns = o.q, input_amplitude = o.w,
                input_updates = o.q } } },
    { ves.release.epistemic, 2, 3, "exact" }, { ves.release.epistemic, o.w, o.q, "printed" },
    { ves.release.combine, o.Q, o.Q }, { ves.release.combine, o.q, o.q },
    { ves.release.normalise, o.Q, o.x, "sum", { active = 0.1 } }, { ves.release.normalise, o.q, o.x },
    { ves.release.pooled_analytic, o.W, o.x, { active = 0.1 } },
    { ves.release.learn, o.w, { iterations = 20, rng = rng, rule = "power", psi = 3, rate = 0.1, decay = 5,
      algorithm = 1, floor = 0.01, ceiling = 0.9, start = { mean = 0.4, sd = 0.1 }, trace = 5 } },
    { ves.release.learn, o.W, { iterations = 10, rng = rng, rule = "subtract", subtract = 0.2, trace = 3 } },
    { ves.release.follow, o.W, { iterations = 5, rng = rng, rule = "amplitude", rate_floor = 0.1, order = "amplitude",
      algorithm = 1, from = o.w, start = o.W, runs = 3, trace = 1 } },
    { ves.release.follow, o.W, { iterations = 5, rng = rng, rule = pick(functions), rate = 0.1, floor = 0.01 } },
    { ves.release.learn, o.W, { iterations = 10, rng = rng, rule = "raw", trace = 3, targets = true } },
    { ves.release.learn, o.W, { iterations = 10, rng = rng, active = { 1, 3 }, start = o.Q, targets = true } },
    { ves.release.learn, o.w, { iterations = 10, rng = rng, rule = "expected", expected_over = "subset" } },
    { ves.release.learn, o.w, { iterations = 10, rng = rng, rule = pick(functions), start = { 0.1, 0.2, 0.3 } } },
    { ves.release.learn, o.w, { iterations = 20, rng = rng, rule = "amplitude", rate = 0.1, decay = 5,
      order = "amplitude", algorithm = 1, rate_floor = 0.01, start = { mean = 0.4, sd = 0.1 }, trace = 5 } },
    { ves.release.learn, o.W, { iterations = 10, rng = rng, rule = "amplitude", rate = "average", start = o.Q,
      active = { 1, 3 }, updates = o.Q } },
    { ves.release.learn_pooled, o.W, { inputs = o.W, iterations = 10, rng = rng, rule = "amplitude", updates = true } },
    { ves.release.learn_pooled, o.W, { inputs = { 0, 1 }, code = o.code, iterations = 10, rng = rng, active = 0.01 } },
    { ves.release.learn_pooled, o.W, { inputs = o.W, iterations = 10, rng = rng, rule = pick(functions) } },
    { ves.release.equilibrium, o.w, { rule = "variable", floor = 0.01, ceiling = 0.9, start = 0.3 } },
    { ves.release.equilibrium, o.W, { psi = 2, active = { 2 } } },
    { ves.sample, o.w, o.q, { draws = 5, rng = rng } },
    { ves.spike.sample, o.w, o.q, { draws = 5, rng = rng, delay = 1, strength = 20, decay = 3, membrane = 10,
      synapse = 2, refractory = 3, threshold = 8, gain = 60, noise = 1, jitter = 0.5, window = 30, sites = 2 } },
    { ves.spike.sample, o.W, o.Q, { draws = 5, rng = rng, x = o.x, active = 0.1 } },
    { ves.spike.rates, o.w, o.q, { times = { 0, 10, 20 }, draws = 2, rng = rng, delay = 1, strength = 20,
      window = 30 } },
    { ves.spike.potential, o.x, { membrane = 10, synapse = 2 } },
    { ves.spike.latency, 30, { threshold = 8, window = 9 } },
    { ves.spike.learn_in_time, o.w, { iterations = 20, rng = rng, algorithm = 1, rate = 0.1, decay = 5,
      rate_floor = 0.01, start = 0.4, delay = 3, noise = 1, jitter = 0.5 } },
    { ves.draw, o.w, o.q, { draw = 3, rng = rng } }, { ves.draw, o.W, o.Q, { x = o.x, active = 0.1, rng = rng } },
    { ves.winner.exact, o.w, o.q }, { ves.winner.exact, o.W, o.Q, o.x, { active = 0.1 } },
    { ves.winner.exact, o.row, o.W },
    { ves.winner.sites, o.w, o.q, o.q, { sites = 3, always = 1 } },
    { ves.exponent.optimal, 10, { top = 0.8, form = "sum" } }, { ves.exponent.error, 10, 3, { top = 1 } },
    { ves.exponent.equilibrium, 5, 3 }, { ves.exponent.subset_size, o.q, 2 },
    { ves.multi.mixture, o.W, o.x, { active = 0 } }, { ves.multi.two_stage_exact, o.W, o.x },
    { ves.multi.two_stage, o.W, o.x, { draws = 5, rng = rng, active = 0.1 } },
    { ves.multi.solve, o.W, o.x, { rng = rng, nonempty = 0.5, tolerance = 1e-8, iterations = 10, restarts = 1 } },
    { ves.multi.normal_approximation, o.W, o.Q, o.x, { form = "min" } },
    { ves.multi.redraw_family, o.w, 0.5 },
    { ves.score.crps, o.w, 0.3 }, { ves.score.pit, o.w, 0.3 }, { ves.score.coverage, o.w, 0.3, 0.9 },
    { ves.score.total_variation, o.q, o.q }, { ves.score.kl, o.q, o.q },
    { ves.load, "no such file" }, { ves.load, "." },
    { ves.cdf.normal, 0.5, "upper" }, { ves.cdf.normal, o.x }, { ves.cdf.chi_square, 2, 3, "upper" },
    { ves.npy, o.W },
    { ves.nearest, "wieght", { "weight", "x" } }, { ves.table_line, { 1, 0.5, "text", true } }, { ves.range, -1, 3 },
    { ves.linspace, 0, 1, 5 },
    { ves.vector { 1, 0, 3 }.counts, ves.vector { 1, 0, 3 }, 3 },
    { ves.vector { 1, 2, 3 }.search, ves.vector { 1, 2, 3 }, o.x }, { o.W.less, o.W, o.W },
    { o.code.encode, o.code, { 0, 1 } }, { o.code.encode, o.code, 0.5 },
    { o.code.decode, o.code, o.x, { grid = 20 } }, { o.code.mean, o.code, o.W },
    { o.net.observe, o.net, { 0, 1 }, { 1, 2 }, { salience = { 1, 2 } } }, { o.net.weights, o.net },
    { o.net.arrive, o.net, { 0, 1 }, { 1, 2 }, { draws = 3, rng = rng, rate = 0.1, decay = 3, rate_floor = 0.01,
      active = 0.1, order = "amplitude", follow = true, levels = #o.Q[1],
      state = { amplitude = o.Q, updates = o.Q, strength = o.Q:row_sums(), turns = o.Q:row_sums(),
                input_amplitude = o.Q, input_updates = o.Q } } },
    { o.net.variance, o.net }, { save, o.net, "x" },
    { o.net.mixture, o.net, 1, { active = 0.01 } }, { o.two.mixture, o.two, { 1, 2 } },
    { o.net.encode, o.net, 1 }, { o.two.encode, o.two, { 1, 2 } },
    { ves.network, { input = { o.code, o.code }, output = o.code, prior_a = 1, prior_b = 1 } },
    { o.two.observe, o.two, { { 0, 1 }, { 1, 2 } }, { 1, 2 }, { salience = { 1, 2 } } },
    { o.two.sample, o.two, { x = { 0.5, 1.5 }, release = "analytic", draws = 5, rng = rng, readout = "mean" } },
    { o.two.sample, o.two, { x = ves.vector(9, 0.5), release = "analytic", draws = 5, rng = rng, stages = 2 } },
    { o.two.beta, o.two, { x = { 0.5, 1.5 }, draws = 5, rng = rng } },
    { ves.chain, { o.net, o.net } }, { o.chain.exact, o.chain, 1, { stages = 2, release = { o.Q, "analytic" } } },
    { o.chain.sample, o.chain, { x = 1, release = { o.Q, "analytic" }, draws = 5, rng = rng, stages = 2,
      readout = "decode", active = 0.01, empty = "skip", pass = "activity" } },
    { o.chain.sample, o.chain, { x = o.x, draws = 5, rng = rng, normaliser = "sum" } },
    { o.net.sample, o.net, { x = 1, release = o.Q, draws = 5, rng = rng, readout = "decode", width = 1,
      normaliser = "count", active = 0.01, rescale = o.Q, empty = "skip" } },
    { o.net.sample, o.net, { x = o.x, release = o.Q, draws = 5, rng = rng, readout = "activity" } },
    { o.net.sample, o.net, { x = o.x, release = o.Q, draws = 5, rng = rng } },
    { o.net.sample, o.net, { x = o.x, release = o.Q, draws = 6, rng = rng, rescale = o.Q, sites = 3, hold = 2 } },
    { o.net.sample, o.net, { x = o.x, release = o.Q, draws = 5, rng = rng, stages = 2, input_release = o.q,
      empty = "skip" } },
    { o.net.beta, o.net, { x = 1, draws = 5, rng = rng, readout = "decode", width = 1, beta = "AB+1", active = 0.01 } },
  }
  for name, arguments in pairs {
    uniform = { 3 }, normal = { 0, 1, 3 }, beta = { 1, 2, 3 }, bernoulli = { 0.5, 3 }, integer = { 6, 3 },
    permutation = { 4 }, seek = { 5 }, mask = { o.q, 3 }, mask_counts = { o.q, 3 }, stream = { "a", 1, 0.5 },
  } do
    list[#list + 1] = { rng[name], rng, table.unpack(arguments) }
  end
  for _, name in ipairs { "sum", "mean", "var", "sd", "min", "max", "argmax", "argmin", "sort", "copy", "abs", "floor",
    "exp", "log", "sqrt", "cumsum", "normalise", "order", "ranks" } do
    list[#list + 1] = { o.w[name], o.w }
    list[#list + 1] = { o.W[name], o.W }
  end
  for name, arguments in pairs {
    clamp = { 0.1, 0.4 }, above = { 0.2 }, take = { { 1, 3, 1 } }, search = { { 0.1, 0.6 } },
  } do
    list[#list + 1] = { o.w[name], o.w, table.unpack(arguments) }
    list[#list + 1] = { o.W[name], o.W, table.unpack(arguments) }
  end
  for name, arguments in pairs {
    quantile = { 0.5 }, map = { math.sqrt }, dot = { o.q }, moments = { o.x }, slice = { 1, 2 }, reshape = { 1, 3 },
    less = { o.x }, totable = {},
  } do
    list[#list + 1] = { o.row[name], o.row, table.unpack(arguments) }
  end
  for name, arguments in pairs {
    get = { 1, 2 }, set = { 1, 2, 0.5 }, row = { 1 }, col = { 2 }, mul = { o.x }, transpose = {}, row_sums = {},
    col_sums = {}, flatten = {}, totable = {}, quantile = { { 0.1, 0.9 } }, map = { pick(functions) },
  } do
    list[#list + 1] = { o.W[name], o.W, table.unpack(arguments) }
  end
  return list
end

-- ---- the library written in Lua ----

local crossval = require "vesicle.crossval"
local is = require "vesicle.criterion"
local models = require "vesicle.model.data"
local pmf = require "vesicle.pmf"
local stats = require "vesicle.stats"
local ex = require "vesicle.experiment"

local rows = ves.rng(5)
local xs, M = rows:uniform(40), ves.matrix { { 1, 2 }, { 1.2, 2.6 }, { 0.9, 2.1 } }
local fit = crossval.train { x = xs, y = xs ^ 2, rng = rows, curves = 4 }
local data = { x = xs, y = xs ^ 2, rng = rows, curves = { 3, 4 }, width = 1, prior = 0.1, folds = 2, progress = false }
local held = { outer = 2 }
for key, given in pairs(data) do held[key] = given end

-- Those that search through settings take minutes for settings made up by chance: for them all of an argument is.
local searching = { ["crossval.choose"] = true, ["crossval.fit"] = true, ["crossval.held_out"] = true }

-- documented name -> { function, arguments... }: one valid call each
local library = {
  ["criterion.within"] = { is.within, 0.1 }, ["criterion.exact"] = { is.exact, 1 }, ["criterion.below"] = { is.below,
    1 },
  ["criterion.between"] = { is.between, 0, 1 }, ["criterion.less"] = { is.less, 1, 0.1 },
  ["criterion.same"] = { is.same, 1, 0.1 }, ["criterion.not_rejected"] = { is.not_rejected, 0.01 },
  ["criterion.all"] = { is.all, is.more(1), is.within(0.1) }, ["criterion.each"] = { is.each, is.within(0.1) },
  ["criterion.judge"] = { is.judge, is.each(is.below(1)), { 0.5, 2 }, { 0.1, 0.1 } },
  ["criterion.slack"] = { is.slack, is.each(is.below(1)), { 0.5, 2 }, { 0.1, 0.1 }, 3 },
  ["criterion.parse"] = { is.parse, "each within 10% of 1" }, ["criterion.scaled"] = { is.scaled, is.within(0.1), 2 },
  ["crossval.folds"] = { crossval.folds, 10, 3, rows }, ["crossval.train"] = { crossval.train, { x = xs, y = xs,
    rng = rows, curves = 4 } },
  ["fit:mixture"] = { fit.mixture, fit, 0.5 }, ["fit:sample"] = { fit.sample, fit, 0.5, { draws = 5, rng = rows } },
  ["crossval.crps"] = { crossval.crps, ves.vector { 0.5, 0.5 }, ves.vector { 0, 1 }, 0.3 },
  ["crossval.choose"] = { crossval.choose, data }, ["crossval.fit"] = { crossval.fit, data },
  ["crossval.held_out"] = { crossval.held_out, held },
  ["ex.new"] = { function(spec) return ex.new(spec, { out = "no/such/directory", quiet = true }) end,
    { name = "fuzzed", params = { draws = { 5, quick = 2, about = "draws", range = { 1, 9 } } } } },
  ["models.simple"] = { models.simple }, ["models.bimodal"] = { models.bimodal, { declining = true } },
  ["models.code"] = { models.code, "ends" },
  ["models.network"] = { models.network, models.simple(), rows, { rows = 5 } },
  ["models.activity"] = { models.activity, models.code(), 0.5, 0.1 },
  ["pmf.normalised"] = { pmf.normalised, { 1, 3 } }, ["pmf.sd"] = { pmf.sd, { 0.5, 0.5 }, { 0, 1 } },
  ["pmf.total_variation"] = { pmf.total_variation, { 0.5, 0.5 }, { 0.1, 0.9 } },
  ["pmf.cumulative"] = { pmf.cumulative, { 0.5, 0.5 } }, ["pmf.binned"] = { pmf.binned, ves.cdf.normal, { -1, 0, 1 } },
  ["pmf.kolmogorov"] = { pmf.kolmogorov, { ves.matrix { { 0.2, 1 }, { 0.3, 1 } } }, { ves.cdf.normal }, { -1, 1 } },
  ["stats.quantile"] = { stats.quantile, { 1, 2, 3 }, 0.5 }, ["stats.correlation"] = { stats.correlation, { 1, 2, 3 },
    { 1, 3, 2 } },
  ["stats.rank_correlation"] = { stats.rank_correlation, { 1, 2, 3 }, { 1, 3, 2 } },
  ["stats.regression"] = { stats.regression, { 1, 2, 3 }, { 1, 3, 2 } }, ["stats.chi_square_p"] = { stats.chi_square_p,
    3, 1 },
  ["stats.chi_square"] = { stats.chi_square, { 30, 40 }, { 0.5, 0.5 } },
  ["stats.collect"] = { stats.collect, { 1, 2, 3 }, math.sqrt }, ["stats.summary"] = { stats.summary, M },
  ["stats.jackknife"] = { stats.jackknife, function(m) return m[2] / m[1] end, M },
  ["stats.ratios"] = { stats.ratios, M, ves.vector { 1, 2 } },
}

-- the methods of an experiment, each call on a new one
local methods = {
  ["E:table"] = { "squares", { "x", "y" }, { { 1, 1 }, { 2, 4 } } }, ["E:array"] = { "squares", M },
  ["E:number"] = { "FuzzedMean", 0.5, 0.1, { digits = 3 } },
  ["E:observe"] = { 1, "no such file", { x = "x", y = "y" } },
  ["E:statement"] = { { id = "fuzzed", says = "x", where = "y", kind = "empirical", quantity = "z",
    criterion = is.below(1),
    cells = { printed = { 0.5, exact = true } } } },
  ["E:statements"] = { { where = "y", { id = "fuzzed", says = "x", kind = "empirical", quantity = "z",
    criterion = is.below(1),
    cells = { printed = { 0.5, exact = true } } } } },
  ["E:own"] = { { id = "fuzzed", says = "x", kind = "empirical", quantity = "z", criterion = is.below(1),
    value = { 0.5, exact = true } } },
  ["E:further"] = { { statement = "converge-analytic", kind = "empirical", { reading = "x", value = { 0.5,
    exact = true } } } },
  ["E:repaired"] = { { statement = "converge-analytic", at = { "a" }, value = { { 0 }, exact = true } } },
}
for name, arguments in pairs(methods) do
  library[name] = { function(...)
    local E = ex.new({ name = "fuzzed" }, { out = "no/such/directory", quiet = true })
    return E[name:sub(3)](E, ...)
  end, table.unpack(arguments) }
end

-- What is documented and not called here, and why.
local elsewhere = {
  ["E:replicate"] = "starts processes: tests/fault", ["E:finish"] = "writes files: tests/fault/publish.sh",
  ["out:column"] = "of results: tests/lua/test_engine.lua",
  ["ves.write_npy"] = "writes files: test_table_io", ["ves.write_table"] = "writes files: test_table_io",
  ["ves.read_npy"] = "reads files: test_table_io", ["ves.read_table"] = "reads files: test_table_io",
  ["ves.plot"] = "of the prompt, as all of ves.plot: tests/program/repl.sh", ["ves.plot.add"] = "",
    ["ves.plot.hist"] = "",
  ["ves.plot.matrix"] = "", ["ves.plot.save"] = "",
}

-- New objects and the calls made from them. While they are being made, no hostile finalizer can reach them.
local function renew()
  objects = nil
  local fresh = new_objects()
  local list = valid_calls(fresh)
  objects = fresh
  return list
end

local operators = {
  function(a, b) return a + b end, function(a, b) return a - b end, function(a, b) return a * b end,
  function(a, b) return a / b end, function(a, b) return a ^ b end, function(a) return -a end,
  function(a) return #a end, function(a, b) return a == b end, function(a, b) return a < b end,
  function(a, b) return a .. b end,
  function(a, b) return a[b] end, function(a, b) a[b] = b end, function(a, b) a[b] = value() end,
  function(a) return tostring(a) end, function(a) for i in pairs(a) do if i == 9 then break end end end,
  function(a) for i in ipairs(a) do if i == 9 then break end end end, function(a) return a() end,
  function(a, b) return a % b end, function(a) return a.A, a.B end,
  function(a) return a.centers, a.rows, a.cols, a.cursor end, function(a, b) return rawequal(a, b), rawlen(a) end,
  function(a) return setmetatable(a, {}) end, function(a, b) return select("#", getmetatable(a), b) end,
}

-- ---- mutation ----

local function copy(t)
  local c = {}
  for k, v in next, t do c[k] = v end
  return c
end

local function mutate(arguments)
  local n = arguments.n
  local i = random(n > 0 and n or 1)
  local how = random(10)
  if how <= 3 then
    arguments[i] = value()
  elseif how <= 7 and type(arguments[i]) == "table" then
    local t = copy(arguments[i])
    local keys = {}
    for k in next, t do if type(k) ~= "table" then keys[#keys + 1] = k end end
    table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
    if #keys > 0 and random(6) > 1 then t[pick(keys)] = value() else t[pick(words)] = value() end
    if random(20) == 1 then pcall(setmetatable, t, pick(metatables)) end
    arguments[i] = t
  elseif how == 8 then
    arguments.n = n > 0 and n - 1 or 0
  elseif how == 9 then
    arguments.n = n + 1
    arguments[n + 1] = value()
  else
    local j = random(n > 0 and n or 1)
    arguments[i], arguments[j] = arguments[j], arguments[i]
  end
end

-- ---- judgement ----

local function check_message(message)
  if type(message) == "string" then
    -- an address in a message would differ from run to run (io's own messages are not ours)
    assert(not message:find("^[^\n]*: [%a.:]+: .*0x%x%x%x%x%x"), message)
  end
end

local releases = {
  [ves.release.analytic] = true, [ves.release.combine] = true, [ves.release.normalise] = true,
  [ves.release.learn] = true, [ves.release.pooled_analytic] = true, [ves.release.learn_pooled] = true,
  [ves.release.equilibrium] = true,
  [ves.release.epistemic] = true, [ves.winner.exact] = true, [ves.multi.solve] = true, [ves.multi.redraw_family] = true,
  [ves.multi.mixture] = true, [ves.multi.two_stage_exact] = true,
}

-- what these return are probabilities
local function check_result(f, result)
  if not releases[f] or type(result) ~= "userdata" then return end
  for _, v in pairs(getmetatable(result).__name == "ves.matrix" and result:flatten() or result) do
    assert(v >= 0 and v <= 1 + 1e-12, "a probability of " .. v)
  end
end

local function run(f, arguments)
  local ok, result = pcall(f, table.unpack(arguments, 1, arguments.n))
  if ok then pcall(check_message, result) else check_message(result) end
  if ok then check_result(f, result) end
  return ok
end

-- the same inside a coroutine, where a hostile function can really yield
local function run_in_coroutine(f, arguments)
  local co = coroutine.create(f)
  local _, message = coroutine.resume(co, table.unpack(arguments, 1, arguments.n))
  check_message(message)
  coroutine.close(co)
end

TestFuzz = {}

function TestFuzz.test_templates_are_valid()
  local works = 0
  for i = 1, #renew() do
    local call = renew()[i]
    if run(call[1], { n = #call - 1, table.unpack(call, 2) }) then works = works + 1 end
  end
  lu.assertTrue(works >= 80, "only " .. works .. " templates work")
end

function TestFuzz.test_calls()
  local accepted, list = 0, nil
  for i = 1, calls do
    if i % 50 == 1 then list = renew() end
    if random(200) == 1 then support.close(objects[pick { "code", "rng", "net", "W", "Q", "w", "q", "row", "x" }]) end
    if random(100) == 1 then collectgarbage() end
    local call = pick(list)
    local arguments = { n = #call - 1, table.unpack(call, 2) }
    for _ = 1, random(3) do mutate(arguments) end
    if random(10) == 1 then
      run_in_coroutine(call[1], arguments)
    elseif run(call[1], arguments) then
      accepted = accepted + 1
    end
  end
  lu.assertTrue(accepted > calls // 20, "hardly any call was accepted")
end

-- Whatever is documented is fuzzed, or has a reason not to be.
function TestFuzz.test_nothing_documented_is_left_out()
  objects = nil
  collectgarbage() -- hostile finalizers first
  collectgarbage()
  local called, classes = {}, { vector = "w", matrix = "W", stream = "rng", code = "code", network = "net",
    chain = "chain" }
  for _, call in ipairs(renew()) do called[call[1]] = true end
  called[objects.net.save] = true
  for _, entry in ipairs(require("vesicle.prompt.help").entries()) do
    local class, method = entry.name:match "^(%l+):([%w_]+)$"
    local f
    if classes[class] then
      f = objects[classes[class]][method]
    elseif entry.name:find "^ves%." then
      f = ves
      for part in entry.name:sub(5):gmatch "[^.]+" do f = f and type(f) == "table" and rawget(f, part) end
    end
    lu.assertTrue(called[f] or library[entry.name] ~= nil or elsewhere[entry.name] ~= nil, entry.name
      .. " is never fuzzed")
  end
end

function TestFuzz.test_library()
  local names, works = {}, 0
  for name in pairs(library) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local call = library[name]
    if run(call[1], { n = #call - 1, table.unpack(call, 2) }) then works = works + 1 end
  end
  lu.assertTrue(works >= #names - 4, "only " .. works .. " of " .. #names .. " templates work")
  for i = 1, calls // 5 do
    if i % 50 == 1 then renew() end
    local name = pick(names)
    local call = library[name]
    local arguments = { n = #call - 1, table.unpack(call, 2) }
    if searching[name] then
      arguments[1] = value()
    else
      for _ = 1, random(2) do mutate(arguments) end
    end
    run(call[1], arguments)
  end
end

function TestFuzz.test_random_arguments()
  local list
  for i = 1, calls // 4 do
    if i % 50 == 1 then list = renew() end
    local call = pick(list)
    local arguments = { n = random(5) - 1 }
    for k = 1, arguments.n do arguments[k] = value() end
    run(call[1], arguments)
    if i % 97 == 0 then collectgarbage() end
  end
end

function TestFuzz.test_operators()
  for i = 1, calls // 2 do
    if i % 50 == 1 then renew() end
    local a, b = value(), value()
    if random(2) == 1 then a = objects[pick { "code", "rng", "net", "W", "Q", "w", "q", "row", "x" }] end
    if not rawequal(a, ves) then run(pick(operators), { n = 2, a, b }) end
  end
end

-- Metamethods and finalizers called by hand, as the debug library allows, on whatever they do not expect.
function TestFuzz.test_metamethods_by_hand()
  if not debug then return end
  for _ = 1, 20 do
    local list = renew()
    for _, object in pairs(objects) do
      for name, f in pairs(debug.getmetatable(object)) do
        if type(f) == "function" then
          for _ = 1, 3 do run(f, { n = 3, value(), value(), value() }) end
          run(f, { n = 3, object, value(), value() })
          if name == "__gc" or name == "__close" then
            run(f, { n = 1, object })
            run(f, { n = 1, object })
          end
        end
      end
    end
    for _, call in ipairs(list) do
      run(call[1], { n = 3, objects.net, objects.w, objects.code })
    end
  end
end

os.exit(lu.LuaUnit.run(), true)
