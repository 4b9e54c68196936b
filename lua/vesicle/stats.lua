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

local finite = check.finite

--- What is wrong with observations that are not at least `least` finite numbers.
local function fault(x, least)
  local t = array.is_vector(x) and x:totable() or x
  if type(t) ~= "table" then return "expected a vector or an array of numbers, got " .. check.show(x) end
  if #t < least then return string.format("expected at least %d observations, got %d", least, #t) end
  if #t > 100000000 then return string.format("expected at most 100000000 observations, got %.0f", #t) end
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
  for i, q in ipairs(array.totable(p, "stats.quantile")) do quantiles[i] = one(q) end
  return quantiles
end

--[[** stats.correlation(x, y) -> number
Pearson's correlation.
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

--[[** stats.rank_correlation(x, y) -> number
Spearman's correlation, for relations that rise or fall without being straight; equal values share the mean of their
ranks.
@param x vector or array
@param y vector or array of the same size
@example stats = require "vesicle.stats"; print(stats.rank_correlation({1, 2, 3}, {2, 4, 70}))
]]
function stats.rank_correlation(x, y)
  local a, b = pair("rank_correlation", x, y, 2)
  return stats.correlation(a:ranks(), b:ranks())
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

-- ---- tests ----

--[[** stats.chi_square_p(statistic, df) -> number
The p-value of a chi-square test.
@param statistic number >= 0
@param df number > 0: degrees of freedom
@example stats = require "vesicle.stats"; print(stats.chi_square_p(3.84, 1))
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

-- ---- over a grid ----

--- What f returned for each of n elements, side by side: numbers as a vector, arrays of them as the rows of a matrix,
--- tables with named fields as one table of such columns, anything else as an array.
local function side_by_side(values)
  local first = values[1]
  if type(first) == "table" and first[1] == nil and next(first) ~= nil and getmetatable(first) == nil then
    local columns = {}
    for name in next, first do
      local column = {}
      for i, value in ipairs(values) do
        if type(value) ~= "table" or value[name] == nil then
          error(string.format("stats.collect: element 1 has the field `%s`, element %d has not", tostring(name), i), 3)
        end
        column[i] = value[name]
      end
      columns[name] = side_by_side(column)
    end
    return columns
  end
  if type(first) == "number" then return ves.vector(values) end
  if array.is_vector(first) or type(first) == "table" and type(first[1]) == "number" then return ves.matrix(values) end
  return values
end

--[[** stats.collect(list, f) -> vector|matrix|table
f(element, index) for each element, and what it returns side by side: of numbers a vector, of vectors a matrix with one
row for each element, of tables with named fields a table with one column for each field.
@param list array or vector; or a whole number n, for 1 to n
@param f function that returns a number, a vector, a text, or a table of them with names
@example stats = require "vesicle.stats"
@example c = stats.collect({1, 2, 3}, function(x) return {square = x ^ 2, root = math.sqrt(x)} end)
@example print(c.square, c.root:sum())
]]
function stats.collect(list, f)
  local elements, n = array.totable(list, "stats.collect"), math.tointeger(list)
  if n and n >= 0 then elements = ves.range(1, n):totable() end
  if type(elements) ~= "table" then
    error("stats.collect: expected an array, a vector or a whole number, got " .. check.show(list), 2)
  end
  if #elements == 0 then error("stats.collect: there is nothing to collect over", 2) end
  local values = {}
  for i, element in ipairs(elements) do
    values[i] = f(n and i or element, i)
    if values[i] == nil then error(string.format("stats.collect: f returned nothing for element %d", i), 2) end
  end
  return side_by_side(values)
end

-- ---- estimates ----

-- An estimate is a value with its standard error, or a vector of values with a vector of them; e[i] is the i-th as an
-- estimate of its own. Those of stats.summary know their observations too, for what is asked of them.
local Estimate = { __name = "estimate" }

local of_column = {
  sd = function(v) return v:sd() end, min = function(v) return v:min() end, max = function(v) return v:max() end,
  lo = function(v) return v:quantile(0.025) end, hi = function(v) return v:quantile(0.975) end,
}

local function over_columns(columns, f)
  local found = {}
  for j, column in ipairs(columns) do found[j] = f(column) end
  return columns.single and found[1] or ves.vector(found)
end

function Estimate.__index(self, key)
  local columns = rawget(self, "columns")
  if math.tointeger(key) then
    if type(self.value) == "number" or key < 1 or key > #self.value then return nil end
    return setmetatable({ value = self.value[key], se = self.se and self.se[key],
                          columns = columns and { columns[key], single = true } }, Estimate)
  end
  if not (columns and of_column[key]) then
    local fields = { "value", "se", "sd", "lo", "hi", "min", "max" }
    local meant = check.suggestion(key, fields)
    error(string.format("an estimate has no field `%s`%s", tostring(key),
      meant ~= "" and meant or " (fields: " .. table.concat(fields, ", ") .. "; value is the mean)"), 2)
  end
  self[key] = over_columns(columns, of_column[key])
  return self[key]
end

function Estimate.__len(self) return type(self.value) == "number" and 1 or #self.value end

--- Is x an estimate?
function stats.is_estimate(x) return getmetatable(x) == Estimate end

--[[** stats.summary(x) -> estimate
The mean over replicates of one number or several, with its standard error: what E:number, a statement and the rows of
E:table take. Of a vector of observations, value and se are numbers; of a matrix with one row per replicate they are
vectors with one element per column, as with an array of vectors and matrices, whose columns are put side by side.
@param x vector, matrix, or array of numbers, or of vectors and matrices
@return estimate: value, the mean; se, its standard error; sd, min and max of the observations; lo and hi, the interval
that holds 95% of them. e[i] is the estimate of column i alone
@example stats = require "vesicle.stats"; s = stats.summary(ves.matrix{{1, 2}, {3, 5}, {2, 5}})
@example print(s.value, s.se, s.lo[1], s[2].value)
]]
function stats.summary(x)
  local columns = {}
  if array.is_matrix(x) or type(x) == "table" and type(x[1]) ~= "number" and #x > 0 then
    for _, part in ipairs(array.is_matrix(x) and { x } or array.totable(x, "stats.summary")) do
      for j = 1, array.is_matrix(part) and part.cols or 1 do
        columns[#columns + 1] = sample("summary", array.is_matrix(part) and part:col(j) or part, 2)
      end
    end
  else
    columns = { sample("summary", x, 2), single = true }
  end
  return setmetatable({
    value = over_columns(columns, function(v) return v:mean() end),
    se = over_columns(columns, function(v) return math.sqrt(variance(v) / #v) end), columns = columns,
  }, Estimate)
end

--- The matrices of a jackknife, their sums over replicates and the number of these. A vector stands for a matrix in
--- which it is every row.
local function replicated(where, arguments)
  local matrices, sums, n = {}, {}, nil
  for k, m in ipairs(arguments) do
    if array.is_matrix(m) then
      if n and #m ~= n then
        error(string.format("stats.%s: matrices of %d and %d replicates, expected as many rows in each", where, n, #m),
          3)
      end
      n = #m
    elseif not array.is_vector(m) then
      error(string.format("stats.%s: argument %d is %s, expected a matrix with one row per replicate", where, k + 1,
        check.show(m)), 3)
    end
  end
  if not n then
    error("stats." .. where .. ": a vector has the same numbers in every replicate; expected a matrix with one row per "
      .. "replicate: if yours has one number of each, v:reshape(#v, 1)", 3)
  end
  if n < 2 then error("stats." .. where .. ": expected at least two replicates", 3) end
  for k, m in ipairs(arguments) do
    if array.is_vector(m) then
      local row = m
      m = ves.matrix(n, #row)
      for i = 1, n do m[i] = row end
    end
    matrices[k], sums[k] = m, m:col_sums()
  end
  return matrices, sums, n
end

local function jackknife(where, f, ...)
  local matrices, sums, n = replicated(where, { ... })
  local function at(mean)
    local means = {}
    for k in ipairs(matrices) do means[k] = mean(k) end
    local value = f(table.unpack(means))
    return type(value) == "number" and { value, single = true } or array.totable(value, "stats." .. where)
  end
  local all, left_out = at(function(k) return sums[k] / n end), {}
  for i = 1, n do left_out[i] = at(function(k) return (sums[k] - matrices[k]:row(i)) / (n - 1) end) end
  local ses = {}
  for j = 1, #all do
    local total, squared = 0.0, 0.0
    for i = 1, n do total = total + left_out[i][j] end
    for i = 1, n do squared = squared + (left_out[i][j] - total / n) ^ 2 end
    ses[j] = math.sqrt(squared * (n - 1) / n)
  end
  if all.single then return setmetatable({ value = all[1], se = ses[1] }, Estimate) end
  return setmetatable({ value = ves.vector(all), se = ves.vector(ses) }, Estimate)
end

--[[** stats.jackknife(f, M, ...) -> estimate
A function of means over replicates (a slope through five mean values, a bias averaged over inputs) with its standard
error: the jackknife leaves out one replicate at a time and looks how much the function moves. For smooth functions
that is the standard error of the delta method, without a derivative.
@param f function of as many vectors, the mean rows, that returns a number, or several in an array or vector
@param M matrix with one row per replicate, and more of them; a vector is the same in every replicate
@return estimate
@example stats = require "vesicle.stats"; M = ves.matrix{{1, 2}, {1.2, 2.6}, {0.9, 2.1}}
@example e = stats.jackknife(function(m) return m[2] / m[1] end, M); print(e.value, e.se)
]]
function stats.jackknife(f, ...)
  if type(f) ~= "function" then error("stats.jackknife: f is " .. check.show(f) .. ", expected a function", 2) end
  return jackknife("jackknife", f, ...)
end

--[[** stats.ratios(M, reference) -> estimate
The ratio of the means over replicates, column by column, with its jackknife standard error.
@param M matrix with one row per replicate
@param reference matrix of the same shape, or a vector of known values
@return estimate
@example stats = require "vesicle.stats"; M = ves.matrix{{1, 2}, {1.2, 2.6}, {0.9, 2.1}}
@example print(stats.ratios(M, ves.vector{1, 2}).value)
]]
function stats.ratios(M, reference)
  return jackknife("ratios", function(m, r) return m / r end, M, reference)
end

return check.module("vesicle.stats", stats)
