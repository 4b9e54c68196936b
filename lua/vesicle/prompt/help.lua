-- help: what the documentation inside the program says about a function, an object or a word.
--
-- The text is that of the comments above the functions (vesicle.prompt.apidoc), so that help and code cannot
-- drift apart. A topic is a function itself, the whole or the last part of its name, a class of objects,
-- an object, or a group such as ves.release.

local apidoc = require "vesicle.prompt.apidoc"
local check = require "vesicle.base.check"
local host = require "vesicle.base.host"

local help = {}

-- ---- the entries ----

local entries, by_name

--- All documented functions, in the order of the sources, also keyed by name.
function help.entries()
  if not entries then
    local lines = {}
    for line in ((host.documentation or "") .. "\n"):gmatch("([^\n]*)\n") do lines[#lines + 1] = line end
    entries, by_name = apidoc.parse(lines), {}
    for _, entry in ipairs(entries) do by_name[entry.name] = entry end
  end
  return entries, by_name
end

-- What a group of functions is about, in the order of the overview.
local groups = {
  { "ves", "the library itself" },
  { "ves.release", "release probabilities: in closed form, or learned" },
  { "ves.winner", "the exact distribution of the winner" },
  { "ves.score", "how well a sample agrees with what happened" },
  { "ves.cdf", "distribution functions" },
  { "ves.exponent", "Appendix B: which exponent" },
  { "ves.multi", "Appendix C: several inputs" },
  { "ves.spike", "the model in time: spikes and delayed inhibition" },
  { "ves.plot", "plots on the spot" },
  { "vector", "vectors (all but dot, moments, reshape and slice also of matrices)" },
  { "matrix", "matrices" },
  { "stream", "streams of random numbers" },
  { "code", "population codes" },
  { "network", "networks of two layers" },
  { "chain", "networks on networks" },
  { "models", "the original's data and network: models = require \"vesicle.model.data\"" },
  { "stats", "statistics and tests: stats = require \"vesicle.stats\"" },
  { "pmf", "distributions over a layer's values: pmf = require \"vesicle.pmf\"" },
  { "crossval", "settings chosen by cross-validation: crossval = require \"vesicle.crossval\"" },
  { "fit", "a network that crossval has trained" },
  { "criterion", "what a measurement must satisfy: is = require \"vesicle.criterion\"" },
  { "ex", "experiments: ex = require \"vesicle.experiment\"" },
  { "E", "an experiment: E = ex.new{...}" },
  { "out", "the results of E:replicate" },
}

-- The class that documents objects of a metatable's name.
local classes = {
  ["ves.vector"] = "vector", ["ves.matrix"] = "matrix", ["ves.stream"] = "stream", ["ves.code"] = "code",
  ["ves.network"] = "network", ["ves.chain"] = "chain", experiment = "E", replicates = "out",
}

--- The class of an object, or nil.
function help.class(value)
  local meta = getmetatable(value)
  if type(value) == "string" or type(meta) ~= "table" then return nil end
  return classes[rawget(meta, "__name")]
end

local function group_of(entry)
  if entry.class then return entry.class end
  return entry.name:match("^(.*)%.[^.]*$") or entry.name
end

local function members(group)
  local found = {}
  for _, entry in ipairs(help.entries()) do
    if group_of(entry) == group then found[#found + 1] = entry end
  end
  return found
end

--- Names of the methods of a class, sorted. Matrices have what vectors share with them.
function help.methods(class)
  local names, seen = {}, {}
  local shared = { matrix = "vector" }
  for _, entry in ipairs(help.entries()) do
    local also = shared[class] and entry.class == shared[class] and entry.text[1]:find("matrix", 1, true)
    if entry.class and (entry.class == class or also) and not seen[entry.method] then
      seen[entry.method] = true
      names[#names + 1] = entry.method
    end
  end
  table.sort(names)
  return names
end

--- Names and meanings of what can be read of an object of a class: { {name, meaning}, ... }.
function help.fields(class)
  local fields = {}
  for _, entry in ipairs(help.entries()) do
    if entry.signature:match("%-> (%w+)") == class and not entry.class then
      for _, text in ipairs(entry.field) do fields[#fields + 1] = { apidoc.split(text) } end
    end
  end
  return fields
end

--- The keys of the table of options that a function takes.
function help.keys(name)
  local _, named = help.entries()
  local keys = {}
  for _, text in ipairs(named[name] and named[name].key or {}) do
    local list, other = text:match("^([%w_, ]-): as in ([%w_.:]+)")
    if list then
      for key in list:gmatch("[%w_]+") do keys[#keys + 1] = key end
      if other == name then break end
    else
      keys[#keys + 1] = (apidoc.split(text))
    end
  end
  table.sort(keys)
  return keys
end

-- ---- finding ----

--- The documented function that a value is. Functions are found through the names that lead to them, methods
--- through an object of their class.
local modules = { ex = "experiment", models = "model.data" }
local function entry_of(value)
  local ves = require "vesicle"
  local code = ves.code { n = 2, lo = 0, hi = 1, sigma = 1 }
  local samples = {
    vector = ves.vector(1), matrix = ves.matrix(1, 1), stream = ves.rng(1), code = code,
    network = ves.network { input = code, output = code, prior_a = 1, prior_b = 1 },
  }
  samples.chain = ves.chain { samples.network }
  for _, entry in ipairs(help.entries()) do
    local good, found = pcall(function()
      if entry.class then return samples[entry.class] and samples[entry.class][entry.method] end
      local module = entry.name:match("^%w+")
      local at = module == "ves" and ves or require("vesicle." .. (modules[module] or module))
      for part in entry.name:gsub("^%w+%.", "", 1):gmatch("[^.]+") do at = at and at[part] end
      return at
    end)
    if good and found ~= nil and rawequal(found, value) then return entry end
  end
  return nil
end

--- Entries whose name is the word or ends in it.
local function named(word)
  local found = {}
  local _, by = help.entries()
  local shared = by[word:gsub("^matrix([:.])", "vector%1")] -- what matrices share with vectors
  if by[word] or shared then return { by[word] or shared } end
  for _, entry in ipairs(help.entries()) do
    local before = entry.name:sub(-#word - 1, -#word - 1)
    if entry.name:sub(-#word) == word and before:find("[.:]") then found[#found + 1] = entry end
  end
  return found
end

local function is_group(word)
  for _, group in ipairs(groups) do
    if group[1] == word or group[1] == "ves." .. word then return group[1], group[2] end
  end
  return nil
end

-- ---- showing ----

local function width() return math.max(40, math.min(host.width and host.width() or 80, 100)) end

--- Breaks a text into lines; the first begins with `first`, the others with as many blanks.
local function wrapped(text, first)
  local lines, line = {}, first
  local margin = (" "):rep(#first)
  local empty = true
  for word in text:gmatch("%S+") do
    if not empty and #line + 1 + #word > width() then
      lines[#lines + 1] = line
      line, empty = margin, true
    end
    line = empty and line .. word or line .. " " .. word
    empty = false
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

local function names_and_meanings(list)
  local widest, lines = 0, {}
  for _, item in ipairs(list) do widest = math.max(widest, math.min(#item[1], 28)) end
  for i, item in ipairs(list) do
    local name = "    " .. item[1] .. (" "):rep(widest - #item[1])
    if #item[1] > widest then
      lines[i] = name .. "\n" .. wrapped(item[2], "      ")
    else
      lines[i] = wrapped(item[2], name .. "  ")
    end
  end
  return table.concat(lines, "\n")
end

local function section(title, list)
  if #list == 0 then return nil end
  return "  " .. title .. "\n" .. names_and_meanings(list)
end

local function pairs_of(list)
  local out = {}
  for i, text in ipairs(list) do out[i] = { apidoc.split(text) } end
  return out
end

--- Everything about one function, as a text.
function help.text(entry)
  local parts = { entry.signature, wrapped(entry.text[1], "  ") }
  local function add(part) parts[#parts + 1] = part end
  if #entry.equation > 0 then
    local lines = { "  equation" }
    for _, text in ipairs(entry.equation) do lines[#lines + 1] = wrapped(text, "    ") end
    add(table.concat(lines, "\n"))
  end
  add(section("arguments", pairs_of(entry.param)))
  add(section("keys of the table", pairs_of(entry.key)))
  if #entry["return"] > 0 then
    local lines = { "  returns" }
    for _, text in ipairs(entry["return"]) do lines[#lines + 1] = wrapped(text, "    ") end
    add(table.concat(lines, "\n"))
  end
  add(section("fields", pairs_of(entry.field)))
  if #entry.example > 0 then
    local lines = { "  example" }
    for _, line in ipairs(entry.example) do lines[#lines + 1] = "    " .. line end
    add(table.concat(lines, "\n"))
  end
  return table.concat(parts, "\n\n")
end

local function list_of(found)
  local list = {}
  for i, entry in ipairs(found) do
    list[i] = { entry.signature:gsub("%s*%->.*$", ""), apidoc.summary(entry) }
  end
  return names_and_meanings(list)
end

local function group_text(name, about)
  local parts = { name .. ": " .. about }
  local fields = help.fields(name)
  if #fields > 0 then parts[#parts + 1] = section("fields", fields) end
  parts[#parts + 1] = list_of(members(name))
  parts[#parts + 1] = "  help \"NAME\" tells all about one of them."
  return table.concat(parts, "\n\n")
end

local function overview()
  local lines = {
    "Lines are Lua. At hand are `ves`, the library, `rng`, a stream of random numbers,",
    "and `_`, the last result.",
    "",
    "  help \"learn\"         all about a function; also help(ves.release.learn)",
    "  help \"ves.release\"   the functions of a group; help(x) those of an object x",
    "  ?winner              where a word occurs",
    "  Tab                  completes names, fields and keys of options",
    "  Ctrl-D, quit         leaves",
    "",
  }
  for _, group in ipairs(groups) do
    local found = members(group[1])
    if #found > 0 then
      lines[#lines + 1] = "  " .. group[1] .. (" "):rep(14 - #group[1]) .. group[2]
      local names = {}
      for i, entry in ipairs(found) do names[i] = entry.method or entry.name:match("[^.]+$") end
      lines[#lines + 1] = wrapped(table.concat(names, "  "), "                ")
    end
  end
  lines[#lines + 1] = ""
  lines[#lines + 1] = "  Try:  ves.release.analytic{0.5, 0.3, 0.2}"
  return table.concat(lines, "\n")
end

--- Entries in which a word occurs: first those with it in the name.
function help.find(word)
  local inside, about = {}, {}
  local wanted = word:lower()
  for _, entry in ipairs(help.entries()) do
    local all = { entry.text[1] }
    for _, list in ipairs { "equation", "param", "key", "field", "return" } do
      table.move(entry[list], 1, #entry[list], #all + 1, all)
    end
    if entry.name:lower():find(wanted, 1, true) then
      inside[#inside + 1] = entry
    elseif table.concat(all, "\n"):lower():find(wanted, 1, true) then
      about[#about + 1] = entry
    end
  end
  return table.move(about, 1, #about, #inside + 1, inside)
end

--- What `?word` prints.
function help.search(word)
  if word == "" then return overview() end
  local found = help.find(word)
  if #found == 0 then return help.unknown(word) end
  return string.format("%d of %d functions mention \"%s\":\n\n%s", #found, #help.entries(), word, list_of(found))
end

function help.unknown(word)
  local names, seen = {}, {}
  for _, entry in ipairs(help.entries()) do
    for _, name in ipairs { entry.name, entry.method or entry.name:match("[^.]+$") } do
      if not seen[name] then
        seen[name] = true
        names[#names + 1] = name
      end
    end
  end
  local near = check.nearest(word, names)
  return "Nothing is known about \"" .. word .. "\""
    .. (near and ": did you mean \"" .. near .. "\"?" or "; help() lists what is.")
end

--- The text about a topic: nothing, a function, an object, or a word.
function help.about(...)
  local topic = ...
  if select("#", ...) == 0 then return overview() end
  if topic == nil then return "This is nil: there is no such thing. help() lists what there is." end
  if type(topic) == "string" then
    local group, about = is_group(topic)
    local found = named(topic)
    if #found == 1 and not group then return help.text(found[1]) end
    if group then
      local own = by_name[group] and help.text(by_name[group]) .. "\n\n" or ""
      return own .. group_text(group, about)
    end
    if #found > 1 then return "Several have this name:\n\n" .. list_of(found) end
    found = help.find(topic)
    return #found > 0 and help.search(topic) or help.unknown(topic)
  end
  local entry = entry_of(topic)
  if entry then
    local group, about = is_group(entry.name)
    return group and help.text(entry) .. "\n\n" .. group_text(group, about) or help.text(entry)
  end
  local class = help.class(topic)
  if class then return group_text(is_group(class)) end
  if type(topic) == "table" then
    local ves = require "vesicle"
    if topic == ves then return group_text("ves", "the library itself") end
    for _, group in ipairs(groups) do
      local word = group[1]:match("^ves%.(.*)$")
      if word and rawget(ves, word) == topic then return group_text(group[1], group[2]) end
    end
  end
  return "No documentation belongs to this " .. type(topic) .. "; help() lists what is documented."
end

return help
