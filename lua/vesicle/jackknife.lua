-- jackknife: the standard error of a function of means.
--
-- A slope through five mean values, or a bias averaged over five inputs, is a function of means over
-- replicates. The jackknife leaves out one replicate at a time and looks how much the function moves;
-- for smooth functions its standard error is that of the delta method, without a derivative.

--- jackknife(f, M, ...): each M is a matrix with one row per replicate, and f takes the mean row of each
--- as a vector. Returns f of the means and its standard error.
return function(f, ...)
  local matrices, sums, n = { ... }, {}, nil
  for k, m in ipairs(matrices) do
    if n and #m ~= n then
      error(string.format("jackknife: matrices of %d and %d replicates, expected as many rows in each", n,
        #m), 2)
    end
    n, sums[k] = #m, m:col_sums()
  end
  if not n or n < 2 then error("jackknife: expected at least two replicates", 2) end
  local function leaving(i)
    local means = {}
    for k, m in ipairs(matrices) do means[k] = (sums[k] - m:row(i)) / (n - 1) end
    return f(table.unpack(means))
  end
  local all = {}
  for k in ipairs(matrices) do all[k] = sums[k] / n end
  local values, total = {}, 0.0
  for i = 1, n do
    values[i] = leaving(i)
    total = total + values[i]
  end
  local squares = 0.0
  for i = 1, n do squares = squares + (values[i] - total / n) ^ 2 end
  return f(table.unpack(all)), math.sqrt(squares * (n - 1) / n)
end
