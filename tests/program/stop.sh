#!/usr/bin/env bash
# One signal ends a script inside a long computation of the core, in which no Lua runs; and the prompt comes back.
# suite: long, 14 s
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
cd "$tmp" || exit 1
cat >long.lua <<'LUA'
local ves = require "vesicle"
local rng = ves.rng(1)
local w = rng:uniform(2000)
local code = ves.code { n = 200, lo = -3, hi = 3, sigma = 0.3 }
local net = ves.network { input = code, output = code, rng = rng }
local P = ves.matrix(200, 200, 0.01)
local long = {
  learn = function() ves.release.learn(w, { iterations = 1 << 40, rng = rng }) end,
  variable = function() ves.release.learn(w, { iterations = 1 << 40, rule = "variable", rng = rng }) end,
  sample = function() ves.sample(w, ves.vector(2000, 1e-9), { draws = 100000000, rng = rng }) end,
  amplitude = function() ves.release.learn(w, { iterations = 1 << 40, rule = "amplitude", rng = rng }) end,
  sorted = function() ves.release.learn(w, { iterations = 1 << 40, rule = "amplitude", order = "amplitude", rng = rng }) end,
  sites = function() net:sample { x = 0, release = P, rescale = P, sites = 65536, draws = 1000000, rng = rng } end,
  hold = function() net:sample { x = 0, release = P, rescale = P, sites = 9, hold = 10, draws = 10000000, rng = rng } end,
  stages = function() net:sample { x = 0, release = P, stages = 2, draws = 10000000, rng = rng } end,
  learned = function() ves.multi.two_stage_learn(P, ves.vector(200, 0.5), { draws = 10000000, rng = rng }) end,
  follow = function() ves.release.follow(P, { iterations = 1 << 30, rule = "amplitude", rng = rng }) end,
  arrive = function() net:arrive(ves.vector(1000, 0), ves.vector(1000, 0), { draws = 100000, rng = rng }) end,
  beta = function() net:beta { x = 0, draws = 10000000, rng = rng } end,
  stream = function() while true do rng:beta(0.5, 0.5, 20000000) end end,
  theory = function() while true do ves.release.amplitude_theory(rng:uniform(20000000)) end end,
  mapping = function() while true do ves.release.analytic(rng:uniform(20000000)) end end,
  rows = function()
    local wide = ves.code { n = 1000, lo = -3, hi = 3, sigma = 3 }
    ves.network { input = wide, output = wide, rng = rng }:observe(rng:uniform(10000000), rng:uniform(10000000))
  end,
  curves = function() while true do ves.code { n = 1000, lo = 0, hi = 1, sigma = 1 }:encode(rng:uniform(50000)) end end,
  equilibrium = function() while true do ves.release.equilibrium(rng:uniform(20000), { rule = "variable" }) end end,
  coroutine = function()
    coroutine.wrap(function() pcall(ves.release.learn, w, { iterations = 1 << 40, rng = rng }) end)()
    while true do end
  end,
  inner = function()
    coroutine.wrap(function()
      coroutine.resume(coroutine.create(function() while true do end end))
      while true do end
    end)()
  end,
}
print("begun")
io.stdout:flush()
long[require("vesicle.base.host").set[1]:match("=(.*)")]()
LUA
for call in learn variable sample amplitude sorted sites hold stages learned beta stream theory mapping rows curves equilibrium coroutine inner; do
  for how in TERM INT; do
    case $how$call in INTvariable | INTs* | INThold | INTlearned | INTbeta | INTtheory | INTmapping | INTrows | INTcurves) continue ;; esac # the way there is the same
    rm -f log # or what the last run left there is taken for a sign of this one
    setsid "$vesicle" run long.lua --out out --trust --set call="$call" >log 2>&1 </dev/null &
    pid=$!
    await contains log begun
    sleep 0.1 # it is in the call by now, or the hook of Lua ends it, which is tested elsewhere
    kill "-$how" "$pid"
    await dead "$pid" || kill -KILL "$pid"
    wait "$pid" 2>/dev/null
    [ $? -eq 3 ] && grep -q '^vesicle: interrupted' log
    verdict "one $how ends it: $call" $?
  done
done
rm -f log
"$vesicle" run long.lua --out out --set call=learn >log 2>&1 </dev/null &
pid=$!
await contains log begun
kill -TERM "$pid"
wait "$pid"
[ $? -eq 3 ] && grep -q '^vesicle: interrupted' log
verdict 'in the sandbox too' $?
# Where whoever started the program has blocked signals, or ignores the ends of children.
if env --block-signal true 2>/dev/null; then
  for how in TERM INT HUP; do
    rm -f log
    env --block-signal --ignore-signal=CHLD "$vesicle" run long.lua --out out --trust --set call=learn >log 2>&1 </dev/null &
    pid=$!
    await contains log begun
    kill "-$how" "$pid"
    await dead "$pid" || kill -KILL "$pid"
    wait "$pid" 2>/dev/null
    [ $? -eq 3 ] && grep -q '^vesicle: interrupted' log
    verdict "one $how ends it where signals were blocked" $?
  done
else
  echo 'ok signals that were blocked # skip env cannot block'
fi
echo 'print("begun") io.stdout:flush()
while true do pcall(string.find, ("a"):rep(60), ("a-"):rep(60) .. "b") end' >forever.lua
rm -f log
"$vesicle" run forever.lua --out out >log 2>&1 </dev/null &
pid=$!
await contains log begun
kill -TERM "$pid"
await dead "$pid"
verdict 'there one signal ends what does not look, too' $?
kill -KILL "$pid" 2>/dev/null
wait "$pid" 2>/dev/null

# A script that catches the stop and goes on: it has time to tidy up, and then is stopped until it has ended.
cat >catches.lua <<'LUA'
local caught = 0
local function work()
  if caught == 0 then -- told to stop from here on, it is stopped where it catches that
    print("begun")
    io.stdout:flush()
  end
  while true do end
end
repeat
  pcall(work)
  caught = caught + 1
  if caught == 1 then -- tidying up
    for i = 1, 10000 do caught = caught + i - i end
    io.stderr:write("tidied\n")
  end
until caught == 1000000
LUA
# In the sandbox the script ends itself, or it would have been killed some seconds later, without a word.
echo 'print("begun") io.stdout:flush()
coroutine.wrap(function()
  local good, why = pcall(function() while true do end end)
  print("stopped: " .. why.message)
  io.stdout:flush()
  error(why, 0)
end)()' >inner.lua
rm -f log
"$vesicle" run inner.lua --out out >log 2>&1 </dev/null &
pid=$!
await contains log begun
kill -TERM "$pid"
wait "$pid"
[ $? -eq 3 ] && grep -q '^stopped: interrupted' log && grep -q '^vesicle: interrupted' log
verdict 'a coroutine in the sandbox ends itself' $?
for trust in '' --trust; do
  rm -f log
  "$vesicle" run catches.lua --out out $trust >log 2>&1 </dev/null &
  pid=$!
  await contains log begun
  kill -TERM "$pid"
  await dead "$pid" || kill -KILL "$pid"
  wait "$pid" 2>/dev/null
  [ $? -eq 3 ] && grep -q '^tidied' log && grep -q '^vesicle: interrupted' log
  verdict "a stop that a script catches comes again${trust:+ ($trust)}" $?
done

rm -f log
mkfifo lines
"$vesicle" repl <lines >log 2>&1 &
pid=$!
exec 8>lines
printf 'print("begun") ves.release.learn(rng:uniform(2000), {iterations = 1 << 40, rng = rng})\nprint("still", "here")\n' >&8
await contains log begun
sleep 0.3
kill -INT "$pid"
await contains log 'still.*here'
verdict 'the prompt comes back' $?
exec 8>&-
await dead "$pid" || kill -KILL "$pid"
grep -q 'stopped: interrupted' log
verdict 'and says what happened' $?
