#!/usr/bin/env bash
# One signal ends a call over many elements from within, in the sandbox: not when it has returned, and not by the kill that
# comes after some seconds. The hook of Lua that ends scripts does not reach what runs while a coroutine is closed; there the
# call is made, over and over, so that only the call itself can notice. It then says so.
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
cd "$tmp" || exit 1
cat >calls.lua <<'LUA'
local ves = require "vesicle"
local host = require "vesicle.base.host"
local rng = ves.rng(1)
local many = 10000000
-- What the calls are about. Each run makes only what its call needs, before it says that it has begun.
local make = {
  v = function() return ves.vector(many, 0.5) end,
  w = function() return rng:uniform(2000000) end,
  wide = function() return ves.matrix(3000, 3000, 0.25) end,
  x = function() return ves.vector(3000, 1) end,
  text = function() return ("a"):rep(50000000) end,
  file = function()
    ves.write_npy("out/v.npy", ves.vector(many, 0.5))
    return "out/v.npy"
  end,
}
local function with(needs, f)
  return function()
    local made = {}
    for name in needs:gmatch "%a+" do made[#made + 1] = make[name]() end
    return function() return f(table.unpack(made)) end
  end
end
local calls = {
  sort = with("w", function(w) return w:sort() end),
  order = with("w", function(w) return w:order() end),
  quantile = with("w", function(w) return w:quantile(0.5) end),
  crps = with("w", function(w) return ves.score.crps(w, 0.5) end),
  coverage = with("w", function(w) return ves.score.coverage(w, 0.5) end),
  distance = with("v", function(v) return ves.score.total_variation(v, v) end),
  permutation = with("", function() return rng:permutation(many) end),
  uniform = with("", function() return rng:uniform(many) end),
  latency = with("v", function(v) return ves.spike.latency(v) end),
  potential = with("v", function(v) return ves.spike.potential(v) end),
  exp = with("v", function(v) return v:exp() end),
  plus = with("v", function(v) return v + v end),
  sum = with("v", function(v) return v:sum() end),
  cumsum = with("v", function(v) return v:cumsum() end),
  counts = with("v", function(v) return v:floor():counts(10) end),
  take = with("v", function(v) return v:take(v * 2) end),
  make = with("", function() return ves.vector(many, 1) end),
  transpose = with("wide", function(wide) return wide:transpose() end),
  product = with("wide", function(wide) return wide:mul(wide) end),
  analytic = with("wide", function(wide) return ves.release.analytic(wide) end),
  combine = with("wide", function(wide) return ves.release.combine(wide, wide) end),
  redraw_family = with("w", function(w) return ves.multi.redraw_family(w, 0.5) end),
  two_stage_exact = with("wide x", function(wide, x) return ves.multi.two_stage_exact(wide, x) end),
  learn_pooled = with("wide x", function(wide, x)
    return ves.release.learn_pooled(wide, { inputs = { x }, iterations = 1 << 30, rng = rng })
  end),
  write_npy = with("v", function(v) return ves.write_npy("out/w.npy", v) end),
  read_npy = with("file", function(file) return ves.read_npy(file) end),
  json = with("w", function(w) return host.json(w) end),
  json_text = with("text", function(text) return host.json(text) end),
  sha256 = with("text", function(text) return host.sha256(text) end),
}
local names = {}
for name in pairs(calls) do names[#names + 1] = name end
if host.set[1] == "call=all" then return print(table.concat(names, "\n")) end
local call = calls[host.set[1]:match "=(.*)"]()
local function repeated()
  local good, why
  print "begun"
  io.stdout:flush()
  repeat good, why = pcall(call) until not good
  print("stopped: " .. (type(why) == "table" and why.message or tostring(why)))
  io.stdout:flush()
end
local closed = coroutine.create(function()
  local last <close> = setmetatable({}, { __close = repeated })
  coroutine.yield(last)
end)
coroutine.resume(closed)
coroutine.close(closed)
LUA
"$vesicle" run calls.lua --out out --set call=all >names 2>log || verdict 'the list of calls' 1
# Told to stop while it is between two calls, or where a call takes its arguments apart, a script stops outside of the call. So
# one of a few times is enough: a call that never looks stops from within never.
stops_from_within() { # CALL
  local pid
  for _ in 1 2 3 4 5; do
    rm -f log # or what the last run left there is taken for a sign of this one
    "$vesicle" run calls.lua --out out --set call="$1" >log 2>&1 </dev/null &
    pid=$!
    await contains log begun
    sleep 0.1 # it is in the call by now, or soon
    kill -TERM "$pid"
    wait "$pid"
    [ $? -eq 3 ] && grep -q '^stopped: interrupted' log && return
  done
  return 1
}
while read -r call; do
  stops_from_within "$call"
  verdict "stops from within: $call" $?
done <names
[ ! -e out/w.npy.partial ]
verdict 'a file that was not finished leaves nothing' $?
