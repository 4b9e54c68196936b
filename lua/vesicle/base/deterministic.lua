-- deterministic: math.random and pairs that depend on nothing but the seed and the script, and no locale.
--
-- Lua 5.4 seeds math.random and the hashes of its tables at start, so that both differ from run to
-- run. Here math.random draws from a keyed stream (seed, script name), and pairs visits numbers in
-- order, then strings in order, then booleans; keys of other types come last, in an order that is
-- not defined. Each replicate sees a math.random of its own (deterministic.swap).

local deterministic = {}

local host = require "vesicle.base.host"

-- ---- math.random ----

local stream                             -- the current one, made when first used

local function root()
  local ves = require "vesicle"
  local name = (host.script or "script"):match("[^/]*$")
  return ves.rng(host.seed or deterministic.default_seed):stream("math.random", name)
end

deterministic.default_seed = 20211118

local function word32() return math.tointeger(stream:uniform() * 4294967296.0 // 1) end

local function word64() return word32() << 32 | word32() end

--- A uniform integer of [0, limit] (both unsigned 64-bit), by masking and rejection.
local function below(limit)
  local mask = limit
  for _, shift in ipairs { 1, 2, 4, 8, 16, 32 } do mask = mask | (mask >> shift) end
  while true do
    local word = (mask >> 32 == 0 and word32() or word64()) & mask
    if math.ult(word, limit) or word == limit then return word end
  end
end

local function integer_argument(value, position)
  local i = math.tointeger(value)
  if i == nil then
    error(string.format("bad argument #%d to 'random' (integer expected, got %s)", position,
      tostring(value)), 3)
  end
  return i
end

local function random(...)
  stream = stream or root()
  local count = select("#", ...)
  if count == 0 then return (word64() >> 11) * 0x1p-53 end
  local lo, hi = 1, integer_argument(..., 1)
  if count == 1 and hi == 0 then return word64() end
  if count == 2 then lo, hi = hi, integer_argument(select(2, ...), 2) end
  if count > 2 then error("wrong number of arguments to 'random'", 2) end
  if lo > hi then error("bad argument #" .. count .. " to 'random' (interval is empty)", 2) end
  return lo + below(hi - lo)
end

--- A new seed selects a new substream of the script's own stream.
local function randomseed(...)
  stream = root():stream("randomseed", ...)
end

--- Makes math.random draw from `inner`; returns the stream it drew from before, to be put back.
function deterministic.swap(inner)
  local outer = stream
  stream = inner
  return outer
end

-- ---- pairs ----

--- Numbers in order, then texts, false, true, and what has no order as it comes.
local function ordered_keys(t)
  local keys, texts, booleans, others = {}, {}, {}, {}
  for k in next, t do
    local kind = type(k)
    local group = kind == "number" and keys or kind == "string" and texts or kind == "boolean" and booleans or others
    group[#group + 1] = k
  end
  table.sort(keys)
  table.sort(texts)
  if #booleans == 2 then booleans = { false, true } end
  table.move(texts, 1, #texts, #keys + 1, keys)
  table.move(booleans, 1, #booleans, #keys + 1, keys)
  table.move(others, 1, #others, #keys + 1, keys)
  return keys
end

--- pairs in order; entries removed during the traversal are not visited any more.
local function ordered_pairs(t)
  local meta = getmetatable(t)
  local custom = type(meta) == "table" and rawget(meta, "__pairs")
  if custom then
    local f, s, k = custom(t)
    return f, s, k
  end
  if type(t) ~= "table" then
    error("bad argument #1 to 'for iterator' (table expected, got " .. type(t) .. ")", 2)
  end
  local keys, i = ordered_keys(t), 0
  return function()
    while true do
      i = i + 1
      local k = keys[i]
      if k == nil then return nil end
      local v = rawget(t, k)
      if v ~= nil then return k, v end
    end
  end, t, nil
end

-- ---- the locale ----

--- Raises an error where Lua would write 0.5 with a comma, or sort texts by other than their bytes. The program sees to
--- both; a plain Lua, or a library in it, may have called setlocale.
function deterministic.check_locale(where)
  if tostring(0.5) == "0.5" and "B" < "a" then return end
  error(string.format("%s: numbers are written as in the locale %s and texts sorted as in %s, and results would depend "
    .. 'on it: expected "C" of both, by os.setlocale("C")', where, os.setlocale(nil, "numeric"),
    os.setlocale(nil, "collate")), 4)
end

deterministic.random, deterministic.randomseed = random, randomseed
deterministic.pairs = ordered_pairs

--- Puts the three in the place of Lua's own.
function deterministic.install()
  math.random, math.randomseed, pairs = random, randomseed, ordered_pairs -- luacheck: ignore
end

deterministic.install()

return deterministic
