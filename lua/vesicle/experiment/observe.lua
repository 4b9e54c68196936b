-- observe: a network learns from a data file, however large and by however many ranks.
--
-- The file is read in blocks of fixed size; a line belongs to the block it starts in. Rank r of N
-- reads the blocks r, r + N, ... and sums their evidence; the sums are exact, so that A and B have the
-- same bits for any N. The file is a table as E:table writes it, or comma-separated: `#` lines, a row
-- of column names, then numbers.

local ves = require "vesicle"
local check = require "vesicle.base.check"
local host = require "vesicle.base.host"

local observe = {}

local BLOCK = 4 * 1024 * 1024            -- bytes
local ROWS = 8192                        -- observations handed over at once

local option_fields = {
  x = { type = "string", optional = true }, y = { type = "string", optional = true },
  salience = { type = "string", optional = true },
}

local function fields_of(line, separator)
  local fields = {}
  for field in (line .. separator):gmatch("([^" .. separator .. "]*)" .. separator) do
    fields[#fields + 1] = field:match("^%s*(.-)%s*$")
  end
  return fields
end

--- The column names, the separator, and where the rows begin.
local function read_header(file, path)
  while true do
    local line = file:read("L")
    if not line then error(path .. ": there is no row of column names", 0) end
    if line:sub(1, 1) ~= "#" and line:find("%S") then
      local separator = line:find("\t") and "\t" or ","
      return fields_of(line:gsub("[\r\n]+$", ""), separator), separator, file:seek()
    end
  end
end

local function find_column(path, names, wanted)
  for i, name in ipairs(names) do
    if name == wanted then return i end
  end
  error(string.format("%s has no column `%s`%s (columns: %s)", path, wanted,
    check.suggestion(wanted, names), table.concat(names, ", ")), 0)
end

--- The lines that start in block b, with the places where they start.
local function lines_of(file, first, size, b)
  local from = first + b * BLOCK
  local to = math.min(from + BLOCK, size)
  if b == 0 then
    file:seek("set", from)
  else                                   -- a line that starts before the block is another one's
    file:seek("set", from - 1)
    file:read("L")
  end
  return function()
    local at = file:seek()
    if at >= to then return nil end
    local line = file:read("l")
    if not line then return nil end
    return line, at
  end
end

local function number_at(path, at, name, text)
  local x = tonumber(text)
  if not check.finite(x) then
    error(string.format("%s, line at byte %d: column `%s` is %s, expected a finite number", path, at,
      name, check.show(text)), 0)
  end
  return x
end

--- Hands the rows of one block over to `net`.
local function observe_block(net, path, lines, separator, columns, width)
  local xs, ys, weights, n = {}, {}, {}, 0
  local function hand_over()
    if n == 0 then return end
    net:observe(xs, ys, columns.salience and { salience = weights } or nil)
    xs, ys, weights, n = {}, {}, {}, 0
  end
  for line, at in lines do
    if line:find("%S") and line:sub(1, 1) ~= "#" then
      local fields = fields_of(line:gsub("\r$", ""), separator)
      if #fields ~= width then
        error(string.format("%s, line at byte %d: %d cells, expected %d", path, at, #fields, width), 0)
      end
      n = n + 1
      xs[n] = number_at(path, at, "x", fields[columns.x])
      ys[n] = number_at(path, at, "y", fields[columns.y])
      if columns.salience then
        weights[n] = number_at(path, at, "salience", fields[columns.salience])
      end
      if n == ROWS then hand_over() end
    end
  end
  hand_over()
end

--- Digests of this rank's blocks, by block.
local function digest_block(file, first, size, b)
  local from = first + b * BLOCK
  file:seek("set", from)
  return host.sha256(file:read(math.min(BLOCK, size - from)) or "")
end

--- net observes the columns `x` and `y` (and `salience`) of a file. `alone` keeps it to this process.
function observe.file(net, path, options, alone)
  options = options or {}
  check.options("E:observe", options, option_fields, 3)
  local sources = package.loaded["vesicle.base.sources"]
  local file, why = (sources and sources.open or io.open)(path, "rb")
  if not file then error("E:observe: " .. why, 0) end
  local names, separator, first = read_header(file, path)
  local columns = {
    x = find_column(path, names, options.x or "x"), y = find_column(path, names, options.y or "y"),
    salience = options.salience and find_column(path, names, options.salience),
  }
  local size = file:seek("end")
  local blocks = (size - first + BLOCK - 1) // BLOCK
  local rank, ranks = host.rank, host.ranks
  if alone then rank, ranks = 0, 1 end
  local sum, digests = net, {}
  if ranks > 1 then
    sum = ves.network { input = net.input, output = net.output, prior_a = { 1, 1 }, prior_b = { 1, 1 } }
  end
  for b = rank, blocks - 1, ranks do
    observe_block(sum, path, lines_of(file, first, size, b), separator, columns, #names)
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
    sources.fact("data " .. host.sha256(table.concat(names, separator) .. table.concat(all)))
  end
  return net
end

return observe
