-- hints: what to write instead, for those who have just come from Python, R, MATLAB or C.
--
-- Lua's messages say what is wrong in Lua's terms. hints.of looks at the message, and at the line it names, for the
-- habits of other languages, and says in one line how the same is written here. The program prints it below the error
-- of a script (csrc/host/run_state.c), the prompt below that of an input; what no hint knows stays as it was.

local host = require "vesicle.base.host"

local hints = {}

--- Of syntax errors: what stands in the line, and what to write. A function gets the captures.
local written = {
  { "([%a_][%w_%.%[%]]*)%s*([%+%-%*/%%^])=%s*([^=%s].-)%s*;?%s*$", function(name, sign, rest)
    return string.format("Lua has no %s=: write `%s = %s %s %s`", sign, name, name, sign, rest)
  end },
  { "([%a_][%w_]*)%+%+", function(name) return string.format("write `%s = %s + 1`", name, name) end },
  { "!=", "not equal is written ~=" },
  { "<>", "not equal is written ~=" },
  { "%*%*", "a power is written ^, as in x ^ 2" },
  { "&&", "write `and`" },
  { "||", "write `or`" },
  { "![%a(]", "write `not`" },
  { "^%s*([%a_][%w_]*)%s*<%-", function(name) return "write `" .. name .. " = ...`" end },
  { "^%s*#", "a comment begins with --" },
  { "^%s*//", "a comment begins with --" },
  { "^%s*%%", "a comment begins with --" },
  { "%[%s*(%-?%d+)%s*:%s*(%-?%d+)%s*%]", function(a, b)
    return string.format("a part of a vector is v:slice(%s, %s); the first element has index 1", a, b)
  end },
  { "^%s*elif%f[%W]", "write `elseif ... then`" },
  { "^%s*def%s+([%a_][%w_]*)", function(name) return "write `local function " .. name .. "(...) ... end`" end },
  { "%f[%w]lambda%f[%W]", "write `function(x) return ... end`" },
  { "^%s*for%s.-%sin%s.*:%s*$", "write `for i = 1, n do ... end`" },
  { "^%s*for%s.-%sin%s+range%s*%b()%s*:", "write `for i = 1, n do ... end`" },
  { "^%s*for%s*%(", "write `for i = 1, n do ... end`" },
  { "^%s*while%s.*:%s*$", "write `while ... do ... end`" },
  { "^%s*if%s.*:%s*$", "write `if ... then ... end`" },
  { "^%s*import%s+([%a_][%w_]*)", function(name)
    return string.format("write `local %s = require %q`", name, name)
  end },
  { "^%s*from%s+([%a_][%w_]*)%s+import", function(name)
    return string.format("write `local %s = require %q`", name, name)
  end },
  { "%f[%w]print%s+[%w_]", "print is a function: `print(x)`" },
  { "[%w_%)]%s*@%s*[%a_(]", "write v:dot(w), or M:mul(N) of matrices" },
  { "[%w_]%[[^%[%]()]-,[^%[%]()]-%]", "an element of a matrix is M:get(i, j), a row M[i], a column M:col(j)" },
  { "^%s*%[[^%[%]]*%]", "a list stands in braces: ves.vector{1, 2, 3}" },
  { "[=(,]%s*%[[^%[%]]*%]%s*$", "a list stands in braces: ves.vector{1, 2, 3}" },
  { "[=(,]%s*%[[^%[%]]*%]%s*[^%s=]", "a list stands in braces: ves.vector{1, 2, 3}" },
  { "=%s*%S+%s+if%s.-%selse%s", "write `x = condition and this or that`" },
}

--- Names that other languages have, and what stands for them here.
hints.names = {
  True = "true", TRUE = "true", False = "false", FALSE = "false", None = "nil", NULL = "nil", null = "nil",
  NaN = "0 / 0", nan = "0 / 0", Inf = "math.huge", inf = "math.huge", pi = "math.pi",
  len = "#v", length = "#v", numel = "#v", range = "ves.range(1, n), or `for i = 1, n do`",
  linspace = "ves.linspace(lo, hi, n)", zeros = "ves.vector(n, 0)", ones = "ves.vector(n, 1)",
  c = "ves.vector{1, 2, 3}", array = "ves.vector{1, 2, 3}, or ves.matrix{{1, 2}, {3, 4}}", list = "{1, 2, 3}",
  seq = "ves.range(first, last)", arange = "ves.range(first, last)", rep = "ves.vector(n, value)",
  plot = "ves.plot(x, y)", plt = "ves.plot(x, y)", hist = "ves.plot.hist(v)", median = "v:quantile(0.5)",
  rand = "rng:uniform(n)", runif = "rng:uniform(n)", randn = "rng:normal(0, 1, n)", rnorm = "rng:normal(mean, sd, n)",
  rbinom = "rng:bernoulli(p, n)", randi = "rng:integer(m, n)", randint = "rng:integer(m, n)",
  sample = "ves.sample(w, q, {draws = 100, rng = rng})", shuffle = "rng:permutation(n)",
  randperm = "rng:permutation(n)",
  nrow = "M.rows", ncol = "M.cols", size = "#v, or M.rows and M.cols", shape = "#v, or M.rows and M.cols",
  int = "math.floor(x)", float = "x + 0.0", str = "tostring(x)", enumerate = "`for i, x in ipairs(t) do`",
  paste = "a .. b", cat = "print(x)", source = "dofile(path)",
  sum = "v:sum()", mean = "v:mean()", std = "v:sd()", sd = "v:sd()", var = "v:var()", min = "v:min() or math.min(a, b)",
  max = "v:max() or math.max(a, b)", abs = "v:abs() or math.abs(x)", exp = "v:exp() or math.exp(x)",
  log = "v:log() or math.log(x)", sqrt = "v:sqrt() or math.sqrt(x)", np = "methods of vectors, as in v:mean()",
  numpy = "methods of vectors, as in v:mean()", disp = "print(x)", printf = "print(string.format(...))",
  ves = 'local ves = require "vesicle", at the beginning of the script',
}

--- Methods of other languages' arrays and generators, likewise; those with a function of the same name are above.
local methods = {
  T = "M:transpose()", t = "M:transpose()", append = "t[#t + 1] = x with a table, and ves.vector(t) at the end",
  tolist = "v:totable()", astype = "nothing: all numbers are doubles", reshape = "v:reshape(rows, cols)",
  exponential = "-mean * (1 - rng:uniform(n)):log()", random = "rng:uniform(n)", choice = "rng:integer(m, n)",
  binomial = "rng:bernoulli(p, n), and add up", poisson = "sums of rng:bernoulli(p, n) with a small p",
  integers = "rng:integer(m, n)", standard_normal = "rng:normal(0, 1, n)",
}

--- The names that are constants elsewhere and nil in Lua, which is false: to use one is a mistake that nothing reports.
--- Returns true, false or nil as a text, or nothing.
function hints.constant(name)
  local instead = hints.names[name]
  return (instead == "true" or instead == "false" or instead == "nil") and instead or nil
end

--- Of other errors: what the message says, and what to write.
local said = {
  { "no field or method '([%a_][%w_]*)'$", function(name)
    local instead = methods[name] or hints.names[name]
    return instead and "instead of `" .. name .. "` write " .. instead
  end },
  { "^ves: no field '([%a_][%w_]*)'$", function(name)
    local instead = hints.names[name]
    return instead and "instead of `ves." .. name .. "` write " .. instead
  end },
  { "%(global '([%a_][%w_]*)'%)", function(name)
    local instead = hints.names[name]
    return instead and "instead of `" .. name .. "` write " .. instead
  end },
  { "index 0 is out of range", "the first element has index 1" },
  { "index %-%d+ is out of range", "the last element is v[#v]" },
  { "ves%.vector: %d+ arguments", "a list stands in braces: ves.vector{1, 2, 3}" },
  { "ves%.matrix: %d+ arguments", "rows stand in braces: ves.matrix{{1, 2}, {3, 4}}" },
  { "(ves%.[%w_.]+): %d+ arguments: expected at most 1$", function(name)
    return string.format("a list is one argument, in braces: %s{0.4, 0.3}", name)
  end },
  { "%*: shapes differ: .*matrix", "* goes element by element; the product of matrices is M:mul(N)" },
  { "attempt to perform arithmetic on a ves%.[vm]", "vectors and matrices have +, -, *, / and ^" },
  { "attempt to add a 'string'", "texts are joined by two dots: a .. b" },
  { "attempt to perform arithmetic on a string", "texts are joined by two dots: a .. b" },
  { "([%w_]+):([%w_]+): argument 'self'", function(_, method)
    return string.format("write a colon: x:%s(...), not x.%s(...)", method, method)
  end },
  { "attempt to compare .*ves%.[vm]", "compare element by element: v:less(x) has 1 where it is so and 0 elsewhere, "
    .. "v:above(x) has the positions" },
  { "attempt to index a number value %(local 'rng'%)", "a replicate is run(i, rng): its number comes first" },
  { "attempt to perform arithmetic on a table value", "a plain table has no arithmetic: ves.vector{1, 2} * 2" },
  { "attempt to compare .*table", "a plain table has no order: ves.vector{1, 2} has :less and :above" },
  { "attempt to call a table value", "an element is t[i], in brackets" },
  { "attempt to call a ves%.[vm]", "an element is v[i], in brackets" },
  { "attempt to concatenate a ves%.", "write tostring(v), or print(name, v)" },
}

--- How much of a message or a line is looked at: patterns take time that grows with a power of it.
local enough = 300

--- The advice of the first entry of a list that fits.
local function first(list, text)
  for _, entry in ipairs(list) do
    local captures = table.pack(text:sub(1, enough):match(entry[1]))
    if captures[1] then
      local advice = entry[2]
      if type(advice) == "function" then advice = advice(table.unpack(captures, 1, captures.n)) end
      if advice then return advice end
    end
  end
end

--- One line that says what to write instead, or nil. `lines`: the source line that the message names, and the one
--- before it, where they are known.
function hints.of(message, lines)
  message = message:sub(1, enough)
  if message:find("function arguments expected near", 1, true) then
    for _, line in ipairs(lines) do
      local object, method = line:sub(1, enough):match("([%a_][%w_]*):([%a_][%w_]*)%s*$")
      if object then return string.format("a method is called with parentheses: %s:%s()", object, method) end
    end
  end
  if message:find("')' expected near '='", 1, true) then
    return "options stand in braces: f(x, {draws = 100})"
  end
  if message:find("attempt to compare", 1, true) then
    for _, line in ipairs(lines) do
      local name = line:sub(1, enough):match("^%s*([%a_][%w_]*)%s*<%-")
      if name then return "an assignment is `" .. name .. " = ...`" end
    end
  end
  if message:find(" near ", 1, true) then
    for _, line in ipairs(lines) do
      local advice = first(written, line)
      if advice then return advice end
    end
    return nil
  end
  return first(said, message)
end

--- Of a script that was asked for by the name of its experiment: the file.
local function script_of(name)
  for _, path in ipairs { name .. ".lua", "lua/experiments/" .. name .. ".lua" } do
    local file = io.open(path, "rb")
    if file then
      file:close()
      return "a script is named by its file: " .. path
    end
  end
end

--- The same for a message that names a place, "file:line: ", by looking there.
function hints.of_script(message)
  local name = message:sub(1, enough):match("^cannot open ([%w_/.-]+): No such file")
  if name then return script_of(name) end
  local path, number, what = message:sub(1, enough):match("([^%s:][^\n:]-):(%d+): ([^\n]*)")
  local text, lines, k = "", {}, 0
  if path == host.script and host.code then
    text = host.code
  elseif path then
    local file = io.open(path, "rb")
    if file then
      text = file:read("a")
      file:close()
    end
  end
  for line in text:gmatch("[^\n]*") do
    k = k + 1
    if k == tonumber(number) - 1 or k == tonumber(number) then table.insert(lines, 1, line) end
  end
  return hints.of(what or message, lines)
end

return hints
