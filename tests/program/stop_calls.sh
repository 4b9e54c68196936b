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
local v, w = ves.vector(many, 0.5), rng:uniform(2000000)
local wide, x = ves.matrix(3000, 3000, 0.25), ves.vector(3000, 1)
local text = ("a"):rep(50000000)
ves.write_npy("out/v.npy", v)
local calls = {
  sort = function() return w:sort() end,
  order = function() return w:order() end,
  quantile = function() return w:quantile(0.5) end,
  crps = function() return ves.score.crps(w, 0.5) end,
  coverage = function() return ves.score.coverage(w, 0.5) end,
  distance = function() return ves.score.total_variation(v, v) end,
  permutation = function() return rng:permutation(many) end,
  uniform = function() return rng:uniform(many) end,
  latency = function() return ves.spike.latency(v) end,
  potential = function() return ves.spike.potential(v) end,
  exp = function() return v:exp() end,
  plus = function() return v + v end,
  sum = function() return v:sum() end,
  cumsum = function() return v:cumsum() end,
  counts = function() return v:floor():counts(10) end,
  take = function() return v:take(v * 2) end,
  make = function() return ves.vector(many, 1) end,
  transpose = function() return wide:transpose() end,
  product = function() return wide:mul(wide) end,
  analytic = function() return ves.release.analytic(wide) end,
  combine = function() return ves.release.combine(wide, wide) end,
  redraw_family = function() return ves.multi.redraw_family(w, 0.5) end,
  two_stage_exact = function() return ves.multi.two_stage_exact(wide, x) end,
  learn_pooled = function() return ves.release.learn_pooled(wide, { inputs = { x }, iterations = 1 << 30, rng = rng }) end,
  write_npy = function() return ves.write_npy("out/w.npy", v) end,
  read_npy = function() return ves.read_npy("out/v.npy") end,
  json = function() return host.json(w) end,
  json_text = function() return host.json(text) end,
  sha256 = function() return host.sha256(text) end,
}
local names = {}
for name in pairs(calls) do names[#names + 1] = name end
if host.set[1] == "call=all" then return print(table.concat(names, "\n")) end
local call = calls[host.set[1]:match "=(.*)"]
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
