-- stats: the statistics an experiment reports.
--
-- Every function takes a vector or a Lua array of finite numbers, sums in the order given, and says
-- by name what is wrong with its argument. Nothing is hidden in a default: standard errors are those
-- of independent observations, quantiles interpolate linearly between order statistics (type 7 of
-- Hyndman and Fan, the default of R and NumPy).

local ves = require "vesicle"
local array = require "vesicle.base.array"
local check = require "vesicle.base.check"

local stats = {}

local function finite(x)
  return type(x) == "number" and x == x and x ~= math.huge and x ~= -math.huge
end

--- What is wrong with observations that are not at least `least` finite numbers.
local function fault(x, least)
  local t = array.totable(x)
  if type(t) ~= "table" then return "expected a vector or an array of numbers, got " .. check.show(x) end
  if #t < least then return string.format("expected at least %d observations, got %d", least, #t) end
  for i = 1, #t do
    if not finite(t[i]) then
      return string.format("observation %d is %s, expected a finite number", i, check.show(t[i]))
    end
  end
end

--- The observations as a vector of at least `least` finite numbers.
local function sample(where, x, least, level)
  local good, v = pcall(ves.vector, x)
  if good and type(x) ~= "number" and #v >= least then return v end
  local why = fault(x, least)
  if why then error("stats." .. where .. ": " .. why, level or 3) end
  return ves.vector(table.move(x, 1, #x, 1, {})) -- an array through its metatable
end

local function pair(where, x, y, least)
  local a, b = sample(where, x, least, 4), sample(where, y, least, 4)
  if #a ~= #b then
    error(string.format("stats.%s: %d and %d observations, expected as many of each", where, #a, #b),
      3)
  end
  return a, b
end

--- Sum of squared deviations d, with the correction for the rounded mean.
local function squares(d) return d:dot(d) - d:sum() ^ 2 / #d end

local function variance(v) return squares(v - v:mean()) / (#v - 1) end

--[[** stats.mean(x) -> number
The mean of a sample; stats.var is its unbiased variance, stats.sd the root of that, stats.se the standard error of the
mean, stats.median the median.
@param x vector or array of finite numbers
@example stats = require "vesicle.stats"; print(stats.mean{1, 2, 4}, stats.se{1, 2, 4}, stats.median{1, 2, 4})
]]
function stats.mean(x) return sample("mean", x, 1):mean() end

--- The unbiased variance.
function stats.var(x) return variance(sample("var", x, 2)) end

function stats.sd(x) return math.sqrt(variance(sample("sd", x, 2))) end

--- The standard error of the mean.
function stats.se(x)
  local v = sample("se", x, 2)
  return math.sqrt(variance(v) / #v)
end

local function sorted_quantile(t, p)
  local h = (#t - 1) * p
  local below = math.floor(h)
  local lo, hi = t[below + 1], t[math.min(below + 2, #t)]
  return lo + (h - below) * (hi - lo)
end

--[[** stats.quantile(x, p) -> number|array
The p-quantile, interpolating linearly between order statistics; for an array of probabilities, an array of quantiles.
@param x vector or array of finite numbers
@param p number in [0, 1], or an array of them
@example stats = require "vesicle.stats"; print(stats.quantile({1, 2, 3, 4}, 0.9))
]]
function stats.quantile(x, p)
  local t = sample("quantile", x, 1):sort():totable()
  local function one(q)
    if not finite(q) or q < 0 or q > 1 then
      error("stats.quantile: p is " .. check.show(q) .. ", expected a probability", 3)
    end
    return sorted_quantile(t, q)
  end
  if type(p) ~= "table" and not array.is_vector(p) then return one(p) end
  local quantiles = {}
  for i, q in ipairs(array.totable(p)) do quantiles[i] = one(q) end
  return quantiles
end

function stats.median(x) return stats.quantile(x, 0.5) end

function stats.covariance(x, y)
  local a, b = pair("covariance", x, y, 2)
  return (a - a:mean()):dot(b - b:mean()) / (#a - 1)
end

--[[** stats.correlation(x, y) -> number
Pearson's correlation; stats.covariance(x, y) is the covariance.
@param x vector or array
@param y vector or array of the same size
@example stats = require "vesicle.stats"; print(stats.correlation({1, 2, 3}, {2, 4, 7}))
]]
function stats.correlation(x, y)
  local a, b = pair("correlation", x, y, 2)
  local da, db = a - a:mean(), b - b:mean()
  local scale = math.sqrt(squares(da) * squares(db))
  if scale == 0 then error("stats.correlation: one of the samples is constant", 2) end
  return da:dot(db) / scale
end

--[[** stats.regression(x, y) -> fit
The line of least squares through points.
@param x vector or array
@param y vector or array of the same size
@return table with slope, intercept, r2 and n; with three points or more also slope_se, intercept_se and residual_sd
@example stats = require "vesicle.stats"; fit = stats.regression({1, 2, 3}, {1.1, 1.9, 3.2})
@example print(fit.slope, fit.slope_se)
]]
function stats.regression(x, y)
  local a, b = pair("regression", x, y, 2)
  local n, ma, mb = #a, a:mean(), b:mean()
  local da, db = a - ma, b - mb
  local sxx = squares(da)
  if sxx == 0 then error("stats.regression: all x are equal", 2) end
  local slope = da:dot(db) / sxx
  local intercept, residuals = mb - slope * ma, db - da * slope
  local rss, syy = residuals:dot(residuals), squares(db)
  local fit = { slope = slope, intercept = intercept, n = n, r2 = syy > 0 and 1 - rss / syy or 1.0 }
  if n > 2 then
    local s2 = rss / (n - 2)
    fit.residual_sd = math.sqrt(s2)
    fit.slope_se = math.sqrt(s2 / sxx)
    fit.intercept_se = math.sqrt(s2 * (1 / n + ma * ma / sxx))
  end
  return fit
end

local bootstrap_options = {
  rng = { type = "userdata" }, draws = { type = "number", optional = true },
  level = { type = "number", optional = true },
}

--[[** stats.bootstrap(x, f, options) -> table
The bootstrap of a statistic: the estimate from the sample itself, its standard error, and a percentile interval.
Resample b takes its indices from rng:stream("bootstrap", b).
@param x vector or array
@param f function of an array that returns a number
@key rng stream
@key draws integer >= 2, default 1000: resamples
@key level number in (0, 1), default 0.95
@return table with estimate, se, lo, hi and values
@example stats = require "vesicle.stats"; b = stats.bootstrap({1, 2, 4, 8}, stats.mean, {rng = rng})
@example print(b.se, b.lo, b.hi)
]]
function stats.bootstrap(x, f, options)
  check.options("stats.bootstrap", options, bootstrap_options, 2)
  local t, draws, level = sample("bootstrap", x, 2):totable(), options.draws or 1000, options.level or 0.95
  if type(f) ~= "function" then error("stats.bootstrap: f is " .. check.show(f)
    .. ", expected a function", 2) end
  if not math.tointeger(draws) or draws < 2 then
    error("stats.bootstrap: key `draws` is " .. check.show(draws) .. ", expected at least 2", 2)
  end
  if not (level > 0 and level < 1) then
    error("stats.bootstrap: key `level` is " .. check.show(level) .. ", expected between 0 and 1", 2)
  end
  local n, values, resample = #t, {}, {}
  for b = 1, draws do
    local r = options.rng:stream("bootstrap", b)
    for i = 1, n do resample[i] = t[math.tointeger(r:uniform() * n // 1) + 1] end
    values[b] = f(resample)
    if not finite(values[b]) then
      error(string.format("stats.bootstrap: f returned %s for resample %d", check.show(values[b]), b),
        2)
    end
  end
  local lo, hi = table.unpack(stats.quantile(values, { (1 - level) / 2, (1 + level) / 2 }))
  return { estimate = f(t), se = stats.sd(values), lo = lo, hi = hi, values = values }
end

-- ---- tests ----

--[[** stats.chi_square_p(statistic, df) -> number
The p-value of a chi-square test; stats.normal_p(z) is that of a two-sided test of a standard normal z.
@param statistic number >= 0
@param df number > 0: degrees of freedom
@example stats = require "vesicle.stats"; print(stats.chi_square_p(3.84, 1), stats.normal_p(1.96))
]]
function stats.chi_square_p(statistic, df)
  if type(statistic) ~= "number" or statistic ~= statistic or statistic < 0 then
    error("stats.chi_square_p: the statistic is " .. check.show(statistic)
      .. ", expected a number >= 0", 2)
  end
  if not finite(df) or df <= 0 then
    error("stats.chi_square_p: df is " .. check.show(df) .. ", expected a number > 0", 2)
  end
  return ves.cdf.chi_square(statistic, df, "upper")
end

--- P(|Z| > |z|) of a standard normal Z.
function stats.normal_p(z) return 2 * ves.cdf.normal(math.abs(z), "upper") end

--[[** stats.chi_square(observed, expected) -> test
Pearson's test of counts against expected counts, or probabilities, which are scaled to the total. Cells expected to
hold fewer than 5 are pooled with their neighbours. An observation where nothing is expected gives p = 0.
@param observed vector or array of counts
@param expected vector or array of the same size
@return table with statistic, df and p
@example stats = require "vesicle.stats"; w = ves.vector{0.5, 0.3, 0.2}
@example wins = ves.sample(w, ves.release.analytic(w), {draws = 1000, rng = rng})
@example print(stats.chi_square((wins:counts(3)), w).p)
]]
function stats.chi_square(observed, expected)
  local o, e = pair("chi_square", observed, expected, 2)
  o, e = o:totable(), e:totable()
  local total, mass = 0.0, 0.0
  for i = 1, #o do
    if o[i] < 0 or e[i] < 0 then error("stats.chi_square: a count is negative", 2) end
    if e[i] == 0 and o[i] > 0 then return { statistic = math.huge, df = 1, p = 0.0 } end
    total, mass = total + o[i], mass + e[i]
  end
  if total == 0 or mass == 0 then error("stats.chi_square: all counts are zero", 2) end
  local scale, cells, po, pe = total / mass, {}, 0.0, 0.0
  for i = 1, #o do
    po, pe = po + o[i], pe + e[i] * scale
    if pe >= 5 then
      cells[#cells + 1] = { po, pe }
      po, pe = 0.0, 0.0
    end
  end
  if #cells > 0 then
    local last = cells[#cells]
    last[1], last[2] = last[1] + po, last[2] + pe
  end
  if #cells < 2 then error("stats.chi_square: fewer than two cells expect five observations", 2) end
  local statistic = 0.0
  for _, cell in ipairs(cells) do statistic = statistic + (cell[1] - cell[2]) ^ 2 / cell[2] end
  local df = #cells - 1
  return { statistic = statistic, df = df, p = stats.chi_square_p(statistic, df) }
end

return stats
