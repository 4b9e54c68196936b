-- support: what the tests of the Lua API share. Everything here is written from formulas, in Lua, so that it is
-- independent of the C it checks.

local support = {}

--- Probability that chi-square with k degrees of freedom exceeds x: the upper regularised incomplete gamma function,
--- by its series or its continued fraction (Lentz).
function support.chi2_tail(x, k)
  local a, t = k / 2, x / 2
  if t <= 0 then return 1 end
  local lead = math.exp(a * math.log(t) - t - support.log_gamma(a))
  if t < a + 1 then
    local term, sum, n = 1 / a, 1 / a, a
    repeat
      n = n + 1
      term = term * t / n
      sum = sum + term
    until term < sum * 1e-15
    return 1 - lead * sum
  end
  local b, c, d = t + 1 - a, 1e300, 1 / (t + 1 - a)
  local h = d
  for i = 1, 10000 do
    local an = -i * (i - a)
    b = b + 2
    d = 1 / (an * d + b)
    c = b + an / c
    h = h * d * c
    if math.abs(d * c - 1) < 1e-14 then break end
  end
  return lead * h
end

--- log Gamma(x), x > 0, by Stirling's series after moving x up.
function support.log_gamma(x)
  local shift = 0
  while x < 15 do
    shift = shift - math.log(x)
    x = x + 1
  end
  local i = 1 / x
  local series = i / 12 - i ^ 3 / 360 + i ^ 5 / 1260 - i ^ 7 / 1680
  return shift + (x - 0.5) * math.log(x) - x + 0.5 * math.log(2 * math.pi) + series
end

--- p-value of observed counts (0 .. #p) against expected probabilities p[0 or 1 .. n] of n draws. Cells that expect
--- fewer than 5 are pooled.
function support.chi2_p(counts, p, draws)
  local stat, cells, pooled_o, pooled_e = 0, 0, 0, 0
  for i = 0, #p do
    local o, e = counts[i] or 0, (p[i] or 0) * draws
    if e >= 5 then
      stat, cells = stat + (o - e) ^ 2 / e, cells + 1
    else
      pooled_o, pooled_e = pooled_o + o, pooled_e + e
    end
  end
  if pooled_e >= 1 then
    stat, cells = stat + (pooled_o - pooled_e) ^ 2 / pooled_e, cells + 1
  elseif pooled_o > 12 then
    return 0                             -- impossible outcomes happened
  end
  if cells < 2 then return 1 end
  return support.chi2_tail(stat, cells - 1)
end

--- How often each integer occurs in a vector.
function support.tally(v)
  local counts = {}
  for _, x in pairs(v) do
    local i = math.tointeger(x)
    counts[i] = (counts[i] or 0) + 1
  end
  return counts
end

--- Ranks of weights: indices from the strongest down, the lower index first among equals.
function support.order(w)
  local order = {}
  for i = 1, #w do order[i] = i end
  table.sort(order, function(a, b)
    if w[a] ~= w[b] then return w[a] > w[b] end
    return a < b
  end)
  return order
end

--- The analytic mapping, q_i = w_i / (w_i + everything weaker).
function support.analytic(w)
  local order, q, sum = support.order(w), {}, 0
  for r = #w, 1, -1 do
    local i = order[r]
    sum = sum + w[i]
    q[i] = w[i] > 0 and w[i] / sum or 0
  end
  return q
end

--- The winner's distribution for one input: q_i times the probability that everything stronger fails.
function support.winner(w, q)
  local p, fail = {}, 1
  for _, i in ipairs(support.order(w)) do
    if w[i] > 0 then
      p[i] = q[i] * fail
      fail = fail * (1 - q[i])
    else
      p[i] = 0
    end
  end
  return p, fail
end

--- The winner's distribution for several inputs, by enumerating every mask of the k x n synapses.
function support.winner_by_enumeration(W, Q, x)
  local k, n, p = #W, #W[1], {}
  for j = 0, n do p[j] = 0 end
  for mask = 0, 2 ^ (k * n) - 1 do
    local chance, y = 1.0, {}
    for j = 1, n do y[j] = 0.0 end
    for i = 1, k do
      for j = 1, n do
        local bit = (mask >> ((i - 1) * n + j - 1)) & 1
        chance = chance * (bit == 1 and Q[i][j] or 1 - Q[i][j])
        if bit == 1 then y[j] = y[j] + x[i] * W[i][j] end
      end
    end
    local best = 0
    for j = 1, n do
      if y[j] > (best > 0 and y[best] or 0) then best = j end
    end
    p[best] = p[best] + chance
  end
  return p
end

--- Asserts that a function raises an error whose message contains a text.
function support.fails(lu, text, f, ...)
  local ok, message = pcall(f, ...)
  lu.assertFalse(ok, "expected an error: " .. text)
  lu.assertStrContains(tostring(message), text)
end

--- A closed version of an object: still a value, no longer to be used.
function support.close(object)
  do
    local scoped <close> = object -- luacheck: ignore
  end
  return object
end

return support
