-- observe: a network learns from a data file, however large and by however many ranks.
--
-- The file is read in blocks of fixed size; a line belongs to the block it starts in. Rank r of N
-- reads the blocks r, r + N, ... and sums their evidence; the sums are exact, so that A and B have the
-- same bits for any N. The file is a table as E:table writes it, or comma-separated: a row of column
-- names, then numbers; `#` lines mean nothing wherever they stand.

local ves = require "vesicle"
local array = require "vesicle.base.array"
local check = require "vesicle.base.check"
local host = require "vesicle.base.host"

local observe = {}

local BLOCK = 4 * 1024 * 1024            -- bytes

local option_fields = {
  x = { type = "string|table", optional = true }, y = { type = "string", optional = true },
  salience = { type = "string", optional = true },
}

--- The lines down to the column names, and where the rows begin.
local function read_header(file, path)
  local lines = {}
  repeat
    local line = file:read("L")
    if not line then error("E:observe: " .. path .. ": there is no row of column names", 0) end
    lines[#lines + 1] = line
  until line:sub(1, 1) ~= "#" and line:find("%S")
  return table.concat(lines), file:seek()
end

local function check_column(path, names, wanted)
  for _, name in ipairs(names) do
    if name == wanted then return end
  end
  error(string.format("E:observe: %s has no column `%s`%s (columns: %s)", path, wanted,
    check.suggestion(wanted, names), table.concat(names, ", ")), 0)
end

--- The lines that start in block b, whose bytes begin at `from`.
local function lines_of(file, from, size, b)
  local to = math.min(from + BLOCK, size)
  file:seek("set", from)
  if b > 0 then                          -- a line that starts before the block is another one's
    file:seek("set", from - 1)
    file:read("L")
  end
  local at = file:seek()
  if at >= to then return "" end
  local text = file:read(to - at)
  return text:sub(-1) == "\n" and text or text .. (file:read("L") or "")
end

--- Hands the rows of a text over to `net`; the header in front of it names the columns.
local function observe_rows(net, path, content, columns)
  local data = ves.read_table(path, { content = content })
  local function column(name)
    local values = data[name]
    if type(values) == "table" then
      error(string.format("column `%s` holds texts, such as %s: expected numbers", name, check.show(values[1])), 0)
    end
    return values
  end
  local xs, y = {}, column(columns.y)
  for i, name in ipairs(columns.x) do xs[i] = column(name) end
  if #y > 0 then net:observe(xs, y, columns.salience and { salience = column(columns.salience) } or nil) end
end

--- Digests of this rank's blocks, by block.
local function digest_block(file, first, size, b)
  local from = first + b * BLOCK
  file:seek("set", from)
  return host.sha256(file:read(math.min(BLOCK, size - from)) or "")
end

--- net observes the columns `x` (several, if it has several input codes) and `y` (and `salience`) of a file. `alone`
--- keeps it to this process.
function observe.file(net, path, options, alone)
  options = options or {}
  check.options("E:observe", options, option_fields, 3)
  local sources = not alone and package.loaded["vesicle.base.sources"]
  local file, why = (sources and sources.open or io.open)(path, "rb")
  if not file then error("E:observe: " .. why, 0) end
  local header, first = read_header(file, path)
  local names = select(2, ves.read_table(path, { content = header })).columns
  local x = options.x or "x"
  x = type(x) == "table" and array.totable(x, "E:observe") or { x }
  local columns = { x = x, y = options.y or "y", salience = options.salience }
  for _, column in ipairs(columns.x) do check_column(path, names, column) end
  check_column(path, names, columns.y)
  if columns.salience then check_column(path, names, columns.salience) end
  local size = file:seek("end")
  local blocks = (size - first + BLOCK - 1) // BLOCK
  local rank, ranks = host.rank, host.ranks
  if alone then rank, ranks = 0, 1 end
  local sum, digests = net, {}
  if ranks > 1 then
    sum = ves.network { input = net.input, output = net.output, prior_a = { 1, 1 }, prior_b = { 1, 1 } }
  end
  for b = rank, blocks - 1, ranks do
    local from = first + b * BLOCK
    local good, said = pcall(observe_rows, sum, path, header .. lines_of(file, from, size, b), columns)
    if not good then
      error(string.format("E:observe: in the %d bytes of '%s' from byte %d on: %s", BLOCK, path, from, said), 0)
    end
    if sources then digests[#digests + 1] = digest_block(file, first, size, b) end
  end
  file:close()
  if ranks > 1 then host.merge(net, sum) end
  if sources then
    local texts = ranks > 1 and host.exchange(table.concat(digests)) or { table.concat(digests) }
    local all = {}
    for b = 0, blocks - 1 do
      local k = b // ranks
      all[b + 1] = texts[b % ranks + 1]:sub(64 * k + 1, 64 * k + 64)
    end
    sources.fact("data " .. host.sha256(header .. table.concat(all)))
  end
  return net
end

return observe
