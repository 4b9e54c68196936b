-- rules: the learning rules side by side on one vector of weights.
--
-- A statement about rules is put twice: to the releases after learning, run by run, and to the fixed point where they
-- come to rest, which has no standard error. What it asks of a vector of releases is a function of it, a measure.

local check = require "vesicle.base.check"
local shapes = require "vesicle.model.shapes"
local stats = require "vesicle.stats"

local rules = {}

--- The names, in the order in which tables and figures show them.
rules.names = { "raw", "subtract", "rescale", "power", "variable", "subset", "expected" }

--- What ves.release.learn and ves.release.equilibrium take for a rule: `more`, and of the constants psi and subtract
--- the one that is the rule's own.
function rules.options(rule, constants, more)
  local options = { rule = rule }
  if rule == "power" then options.psi = constants.psi end
  if rule == "subtract" then options.subtract = constants.subtract end
  for key, value in next, more or {} do options[key] = value end
  return options
end

--- The synapses that statements speak of, as indices of w: `largest` and `smallest` are the given share of them each,
--- the `tail` is the weakest that together encode at most the given probability.
function rules.groups(w, share, tail)
  local order, few, mass = shapes.ranking(w), math.floor(share * #w + 0.5), 0
  local groups = { all = order, largest = {}, smallest = {}, all_but_smallest = {}, tail = {}, all_but_tail = {} }
  for r = #w, 1, -1 do
    local j = order[r]
    mass = mass + w[j]
    table.insert(r > #w - few and groups.smallest or groups.all_but_smallest, j)
    table.insert(mass <= tail and groups.tail or groups.all_but_tail, j)
    if r <= few then table.insert(groups.largest, j) end
  end
  return groups
end

--- Comparisons of rules, from their releases after learning (by rule, a matrix with one row per run) and at rest (by
--- rule, a vector; a rule may have none). Returns
---
---     each(measure, rule)                the measure in each run
---     found(measure, names, f)           f of the mean measures of these rules and its standard error; f at rest
---     statement(s, measure, names, f)    s with both as cells, as E:statements takes it
---
--- f is of the vector of measures, and without it the measures themselves are found.
function rules.comparison(learned, settled)
  local compare = {}

  function compare.each(measure, rule)
    return stats.collect(#learned[rule], function(i) return measure(learned[rule]:row(i)) end)
  end

  function compare.found(measure, names, f)
    f = f or function(m) return #m == 1 and m[1] or m end
    local after = stats.jackknife(f, stats.collect(#learned[names[1]], function(i)
      return stats.collect(names, function(rule) return measure(learned[rule]:row(i)) end)
    end))
    local rests = settled[names[1]]
    return after, rests and f(stats.collect(names, function(rule) return measure(settled[rule]) end))
  end

  function compare.statement(s, ...)
    local after, rest = compare.found(...)
    s.cells = { printed = after }
    s.further = { { reading = "at rest", rest, exact = true }, table.unpack(s.further or {}) }
    return s
  end

  return compare
end

return check.module("vesicle.model.rules", rules)
