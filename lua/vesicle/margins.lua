-- margins: how near is near enough, fixed before any run.
--
-- Every word of the original that states a degree gets its number here, once, with the reason; the
-- criteria of vesicle.criterion and the experiments read it from here. A margin is never tuned to a result.

local check = require "vesicle.base.check"

local values, reasons = {}, {}

local function margin(name, value, reason) values[name], reasons[name] = value, reason end

margin("closely", 0.10,
  "'closely', 'matches', 'approximates': within 10% of the expected value; our choice, as the original gives no number "
  .. "and its figures were not available: a tenth is about what a reader of a plot can tell apart")
margin("differs", 0.10,
  "a difference in kind ('scale', 'offset', 'biased', 'exaggerated', 'narrower', 'too many'): beyond 10%, the "
  .. "complement of 'closely', so that what is called the same is not also called different")
margin("direction", 0.01,
  "a sign only ('additional', 'more', 'improves', by any amount): beyond 1%; 'slight' is from 1% to 10%")
margin("slope_effect", 0.1,
  "'grows', 'falls', 'narrows' with something: a slope beyond 0.1, on logarithmic axes seven percent for a doubling")
margin("rank_effect", 0.5,
  "'varies with': a rank correlation beyond one half")
margin("roughly", 0.25,
  "'roughly', 'about': within a quarter of the expected value")
margin("standard_errors", 3,
  "'larger', 'smaller', 'more', 'less': a difference of at least three standard errors, a chance of "
  .. "about one in 700 of saying so wrongly")
margin("close", 2,
  "a verdict is close if it would turn were a value moved by two of its standard errors, as about one run in twenty "
  .. "would move it: the ledger marks it, and counts the statements whose outcome hangs on it")
margin("chance", 1e-6,
  "a goodness-of-fit test rejects below p = 1e-6, so that the whole ledger raises no false alarm")
margin("exact", 1e-12,
  "a mathematical identity evaluated in double precision: relative error below 1e-12")
margin("negligible", 0.05,
  "'negligible', 'no practical importance': a total-variation distance or share below 5%")
margin("uniform", 0.05,
  "'uniform': total variation from the uniform distribution below 5%")
margin("correlated", 0.9,
  "'strongly related': a correlation of at least 0.9")
margin("explains", 0.5,
  "'reflects', 'is due to': more than half of an effect goes when its supposed cause is taken away")
margin("percent", 0.005,
  "'100%': a percentage without decimals, so within half a percentage point")
margin("very_closely", 0.05,
  "'very close': half of 'closely'; of a distribution, a total variation below 5%")
margin("substantially", 0.5,
  "'substantially less', 'much smaller': at most half")
margin("far", 0.2,
  "'far fewer': at most a fifth")
margin("recovered", 0.1,
  "'recovered', 'encodes' a value: an error below a tenth of the distance between neighbouring "
  .. "preferred values, a fifth of what naming the most active neuron alone can miss by")
margin("vanishes", 0.01,
  "'vanishes as the network grows': below 1% of the encoded value in the largest network tried, "
  .. "and smaller there than in every smaller one")

return setmetatable({}, {
  __index = function(_, name)
    if name == "reasons" then return reasons end
    if values[name] == nil then
      local names = check.sorted_keys(values)
      error(string.format("margins: there is no margin `%s`%s (margins: %s)", tostring(name),
        check.suggestion(name, names), table.concat(names, ", ")), 2)
    end
    return values[name]
  end,
  __newindex = function(_, name)
    error("margins: `" .. tostring(name) .. "` can only be set in lua/vesicle/margins.lua", 2)
  end,
})
