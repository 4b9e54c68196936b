-- trace: from every label to the functions, experiments and tests that carry its tag.
--
-- The registry says which of the three a label needs. A hole is a need that nothing fills; a tag that
-- the registry does not list names nothing. Both end the task with an error.
--
-- A tag belongs to the function whose comment or body it stands in. In C that is a function of the core
-- (a tag on a binding, on an essay at the head of a file or on a type is a pointer, not an implementation,
-- except on the row of an enumeration, which names a rule); in the Lua library, a function of lua/vesicle.

local files = require "vesicle.publish.files"
local labels = require "vesicle.publish.labels"
local markup = require "vesicle.publish.markup"
local owners = require "vesicle.publish.tag_owners"
local results = require "vesicle.publish.results"

local trace = {}

-- ---- the matrix ----

-- Where tags are looked for: folders of the tree and a pattern of file names.
local compiled = { "csrc/core", "csrc/core/avx2", "csrc/core/learn", "csrc/core/repair", "csrc/core/spike",
  "csrc/lua", "csrc/lua/io" }
local library = { "lua/vesicle", "lua/vesicle/experiment", "lua/vesicle/model" }

-- From a need in the registry to the column of the matrix that fills it.
local columns = { ["function"] = "functions", experiment = "experiments", test = "tests", paper = "paper" }

--- Adds `what` to a column of a label's row, once; false if there is no such label.
local function note(matrix, label, column, what, path)
  local row = matrix[label]
  if not row then return false end
  local list = row[column]
  row.path[what] = row.path[what] or path
  if not list[what] then
    list[what] = true
    list[#list + 1] = what
  end
  return true
end

--- From the name of a C function to the file that has its body.
local function definitions()
  local defined = {}
  for _, path in ipairs(files.paths(compiled, "%.c$")) do
    local lines = files.lines(path)
    local owner_of = owners.c(lines)
    for i, line in ipairs(lines) do
      if line:find("^}") and owner_of[i] then defined[owner_of[i]] = path end
    end
  end
  return defined
end

--- Calls visit(label, path, owner, line) for every tag in these files; the owner is what owners_of(lines) gives for the
--- line, or false.
local function scan(matrix, problems, paths, owners_of, visit)
  for _, path in ipairs(paths) do
    local lines, owner_of = files.lines(path), nil
    for i, line in ipairs(lines) do
      labels.each(line, function(label)
        if not matrix[label] then
          return problems:add("%s:%d: the tag [%s] names nothing in %s", path, i, label, labels.path)
        end
        owner_of = owner_of or owners_of(lines)
        visit(label, path, owner_of[i], line)
      end)
    end
  end
end

local function stem(path) return path:match("([^/]*)%.%a+$") end

--- Functions of the core and of the Lua library.
local function scan_functions(matrix, problems)
  local defined = definitions()
  scan(matrix, problems, files.paths(compiled, "^l?ves.*%.[ch]$"), owners.c, function(label, path, owner, line)
    local departs = line:find("Differs from %[" .. label:gsub("%p", "%%%0") .. "%]")
    if owner and not path:find("/lves_") and not departs then
      note(matrix, label, "functions", owner, defined[owner] or (path:gsub("%.h$", ".c")))
    end
  end)
  scan(matrix, problems, files.paths(library, "%.lua$"), owners.lua, function(label, path, owner)
    if owner then
      note(matrix, label, "functions", owner:find("[.:]") and owner or stem(path) .. "." .. owner, path)
    end
  end)
end

--- Experiments, by their tags and by the figure of the original they answer.
local function scan_experiments(matrix, problems)
  for _, name in ipairs(results.experiments()) do
    local path = "lua/experiments/" .. name .. ".lua"
    scan(matrix, problems, { path }, owners.lua, function(label) note(matrix, label, "experiments", name) end)
    for label in files.read(path):gmatch('"(fig:[%w_-]+)"') do
      if not note(matrix, label, "experiments", name) then
        problems:add("%s: the figure %s is not in %s", path, label, labels.path)
      end
    end
  end
end

local function scan_tests(matrix, problems)
  scan(matrix, problems, files.paths({ "tests" }, "^test_.*%.c$"), owners.c, function(label, path, owner)
    note(matrix, label, "tests", stem(path) .. (owner and ": " .. owner or ""))
  end)
  local scripts = files.paths({ "tests/lua", "tests/lua/api" }, "%.lua$")
  scan(matrix, problems, scripts, owners.lua, function(label, path, owner)
    note(matrix, label, "tests", path:match("^tests/(.*)%.lua$") .. (owner and ": " .. owner:gsub(".*[.:]", "") or ""))
  end)
end

--- Reads the tree; returns the registry's rows with `functions`, `experiments`, `tests`, `paper` and `path` (by
--- function, the file that holds it), and the list of problems.
function trace.matrix()
  local matrix, problems = {}, files.problems()
  for i, row in ipairs(labels.read()) do
    local entry = { label = row.label, needs = row.needs, says = row.says, functions = {}, experiments = {}, tests = {},
                    paper = {}, path = {} }
    matrix[i], matrix[row.label] = entry, entry
  end
  scan_functions(matrix, problems)
  scan_experiments(matrix, problems)
  scan_tests(matrix, problems)
  for _, file in ipairs(files.list("paper", "%.tex$")) do
    for label in files.read("paper/" .. file):gmatch("\\label{(%l+:[%w_-]+)}") do note(matrix, label, "paper", file) end
  end
  for _, entry in ipairs(matrix) do
    local missing = {}
    for need in entry.needs:gmatch("%l+") do
      if not columns[need] then
        problems:add("%s: %s needs `%s`; a need is function, experiment, test or paper", labels.path, entry.label, need)
      elseif #entry[columns[need]] == 0 then
        missing[#missing + 1] = need
      end
    end
    if #missing > 0 then problems:add("[%s] has no %s", entry.label, table.concat(missing, ", no ")) end
  end
  return matrix, problems
end

--- Where a function of the matrix stands: { path =, first =, last = }, from the comment above it to its end, or nil.
--- The row of an enumeration is its one line, in the header.
function trace.place(path, name)
  local short = path:find("%.lua$") and name:gsub("^" .. stem(path):gsub("%p", "%%%0") .. "%.", "") or name
  for _, at in ipairs { path, (path:gsub("%.c$", ".h")) } do
    if files.exists(at) then
      local lines = files.lines(at)
      local owner_of, constant = (at:find("%.lua$") and owners.lua or owners.c)(lines), name:find("^%u[%u%d_]*$")
      for i, line in ipairs(lines) do
        local owner = owner_of[i]
        if (owner == name or owner == short) and (constant or line:find("^}") or line:find("^end")
            or line:find("^[%l ]*function.*%f[%w]end%s*$")) then
          local first = i
          while owner_of[first - 1] == owner do first = first - 1 end
          return { path = at, first = first, last = i }
        end
      end
    end
  end
end

-- ---- its forms ----

local function terminal(matrix)
  local lines, widths = {}, { 5, 9, 11 }
  local function brief(list) return #list == 0 and "-" or list[1] .. (#list > 1 and " +" .. #list - 1 or "") end
  local rows = { { "label", "functions", "experiments", "tests" } }
  for _, entry in ipairs(matrix) do
    rows[#rows + 1] = { entry.label, brief(entry.functions), brief(entry.experiments), brief(entry.tests) }
  end
  for _, row in ipairs(rows) do
    for c = 1, 3 do widths[c] = math.max(widths[c] or 0, #row[c]) end
  end
  for _, row in ipairs(rows) do
    local cells = {}
    for c = 1, 3 do cells[c] = row[c] .. (" "):rep(widths[c] - #row[c]) end
    cells[4] = row[4]
    lines[#lines + 1] = table.concat(cells, "  ")
  end
  return table.concat(lines, "\n") .. "\n"
end

local function page(matrix, form)
  local latex = form == markup.latex
  local break_line = latex and "\\newline " or "<br>"
  local rows = {}
  for _, entry in ipairs(matrix) do
    local function all(list, most)
      local cells = {}
      for i, what in ipairs(list) do
        if most and i > most then
          cells[i] = form.text("and " .. #list - most .. " more")
          break
        end
        cells[i] = form.code(what)
      end
      return table.concat(cells, break_line)
    end
    local chapters = {}
    for i, name in ipairs(entry.experiments) do
      chapters[i] = latex and "\\hyperlink{experiment:" .. name .. "}{" .. form.code(name) .. "}"
        or '<a href="' .. name .. '.html">' .. form.code(name) .. "</a>"
    end
    local anchor = latex and "\\vesanchor{trace:" .. entry.label .. "}" or ""
    rows[#rows + 1] = { anchor .. form.code(entry.label) .. break_line .. form.text(entry.says),
                        all(entry.functions, 6), table.concat(chapters, break_line), all(entry.tests, 6),
                        id = entry.label:gsub(":", "-") }
  end
  local head = latex and form.block("\\chapter{Trace}\\vesanchor{trace}")
    or "---\ntitle: Trace\nname: trace\n---\n"
  return head .. "\n\nEvery label, spelled as in the original or ours where it has none, with the functions that "
    .. "implement it, the experiments that use it and the tests that check it, found by its tag in the sources.\n\n"
    .. form.block(form.table { columns = {
      { head = "label", share = 0.25 }, { head = "functions", share = 0.25 }, { head = "experiments", share = 0.22 },
      { head = "tests", share = 0.28 } }, rows = rows })
end

return setmetatable(trace, { __call = function(_, settings)
  local matrix, problems = trace.matrix()
  if settings.form == "print" then
    io.stdout:write(terminal(matrix))
    problems:raise(string.format("the trace matrix of %d labels has %d problems", #matrix, #problems))
    io.stdout:write(string.format("%d labels, no hole\n", #matrix))
    return
  end
  files.write(settings.out .. "/trace.tex.md", page(matrix, markup.latex))
  files.write(settings.out .. "/trace.html.md", page(matrix, markup.html))
end })
