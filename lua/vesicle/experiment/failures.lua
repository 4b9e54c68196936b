-- failures: failed replicates, told by where they went wrong. A mistake in a script fails every replicate at the same
-- place, with a message that may have another number in it each time: the first is worth telling, and with it whom.

local SHOWN = 5                          -- messages told in full
local LIST = 240                         -- characters of a list of numbers

--- Numbers, which rise, as "1-4, 7, 9"; ends in ", ..." where they are too many.
local function list(numbers)
  local parts, length, k = {}, 0, 1
  while k <= #numbers do
    if length > LIST then
      parts[#parts + 1] = "..."
      break
    end
    local from, to = numbers[k], numbers[k]
    while numbers[k + 1] == to + 1 do k, to = k + 1, to + 1 end
    parts[#parts + 1] = from == to and tostring(from) or from .. "-" .. to
    length, k = length + #parts[#parts] + 2, k + 1
  end
  return table.concat(parts, ", ")
end

--- The numbers of failures that share a place, "file:line:", or else a message, in the order of the first of each.
local function group(failures)
  local groups, by_place = {}, {}
  table.sort(failures, function(a, b) return a[1] < b[1] end)
  for _, failure in ipairs(failures) do
    local number, message = failure[1], failure[2]
    local place = message:match("^[^\n]-:%d+:") or message
    local own = by_place[place]
    if not own then
      own = { message = message, alike = true }
      by_place[place], groups[#groups + 1] = own, own
    end
    own.alike = own.alike and own.message == message
    own[#own + 1] = number
  end
  return groups
end

--- The text that ends a run with failures, an array of { number, message }. `spec` is what the engine was asked for,
--- `done` how many replicates were finished, `line` the command.
return function(spec, failures, done, line)
  local text = {
    string.format("%d of %d replicates of `%s` in %s failed%s", #failures, spec.n, spec.name, spec.experiment,
      done > 0 and string.format("; the other %d are kept in the journal", done) or ""),
  }
  local rest = {}
  for k, own in ipairs(group(failures)) do
    if k > SHOWN then
      table.move(own, 1, #own, #rest + 1, rest)
    else
      text[#text + 1] = string.format("replicate%s %s (seed %d)%s: %s\nto run just %s: %s --replicate %s%d",
        #own > 1 and "s" or "", list(own), spec.seed, own.alike and "" or ", the first of them", own.message,
        #own > 1 and "the first" or "this one", line,
        spec.first and "" or spec.name .. ":", own[1])
    end
  end
  table.sort(rest)
  if #rest > 0 then text[#text + 1] = "also failed: " .. list(rest) end
  return table.concat(text, "\n\n")
end
