#!/usr/bin/env bash
# shellcheck disable=SC2016 # backquotes are part of the messages
# What is reused and what is not; signals; progress; layouts of workers.
# suite: long, 18 s
# shellcheck source=tests/fault/chore.bash
source "$(dirname "${BASH_SOURCE[0]}")/chore.bash"

# ---- layouts ----
run one --jobs 1 && computed 24
verdict 'one worker' $?
for jobs in 2 3 24 200; do
  run "jobs$jobs" --jobs "$jobs" && same one "jobs$jobs" && computed 24
  verdict "$jobs workers, the same bytes" $?
done

# ---- reuse ----
run one && computed 0
verdict 'a second run computes nothing' $?
run one --set replicates=40 && computed 16 && run forty --set replicates=40 && same one forty && computed 40
verdict 'more replicates compute only the new ones' $?
run one --set replicates=10 && computed 0
verdict 'fewer replicates compute none' $?
run one --seed 3 && computed 24
verdict 'another seed computes all' $?
run one --set at=9 && computed 24
verdict 'another parameter computes all' $?
run one && computed 0
verdict 'and the first results are still there' $?
cp chore.lua kept.lua
sed -i 's/r\.random, #r\.large/r.random, #r.large + 0/' chore.lua
run one && computed 24
verdict 'a changed script computes all' $?
cp kept.lua chore.lua
run one && computed 0
verdict 'the script as it was reuses what it had' $?
mkdir moved && cp chore.lua moved/ && "$vesicle" run moved/chore.lua --quiet --out one >log 2>&1 && computed 0 one
verdict 'the same script elsewhere reuses it too' $?

cat >module.lua <<'LUA'
return { factor = 2 }
LUA
echo 3 >input.txt
cat >deps.lua <<'LUA'
local E = require("vesicle.experiment").new { name = "deps", params = { replicates = 3, late = false, count = false } }
local P = E.params
local early = tonumber((io.open("input.txt"):read("l")))
local factor = not P.late and require("module").factor
local out = E:replicate { name = "main", n = P.replicates, run = function(i)
  local file = assert(io.open(E.out .. "/count", "a"))
  file:write(i, "\n")
  file:close()
  local late = P.late and require("module").factor * tonumber((io.open("late.txt"):read("l"))) or 0
  return { v = i * early * (factor or 1) + late + (P.count and P.replicates or 0) }
end }
E:table("t", { "v" }, { { out[1].v }, { out[2].v }, { out[3].v } })
E:finish()
LUA
deps() { out=deps && "$vesicle" run deps.lua --quiet --out deps "$@" >log 2>&1; }
deps && computed 3 && deps && computed 0 && echo 'return { factor = 5 }' >module.lua && deps && computed 3 &&
  grep -q '^15$' deps/deps/t.tsv
verdict 'a changed module computes all' $?
echo 4 >input.txt && deps && computed 3 && grep -q '^20$' deps/deps/t.tsv
verdict 'a changed input file computes all' $?
echo 1 >late.txt && deps --set late=true && computed 3 && deps --set late=true && computed 0 && echo 2 >late.txt &&
  deps --set late=true && computed 3 && grep -q '^14$' deps/deps/t.tsv
verdict 'a file read by the replicates themselves counts too' $?
echo 'return { factor = 6 }' >module.lua && deps --set late=true && computed 3 && grep -q '^16$' deps/deps/t.tsv
verdict 'and a module loaded by them' $?
deps --set count=true && computed 3 && deps --set count=true --set replicates=4 && computed 4
verdict 'a replicate that looks at the number of replicates depends on it' $?

cat >phases.lua <<'LUA'
local E = require("vesicle.experiment").new { name = "phases", params = { replicates = 4, use = "none" } }
local P = E.params
local function noted(name, f)
  return function(i, rng)
    local file = assert(io.open(E.out .. "/count", "a"))
    file:write(name, i, "\n")
    file:close()
    return f(i, rng)
  end
end
local a = E:replicate { name = "a", n = P.replicates, run = noted("a", function(i, rng) return rng:uniform() end) }
local mean = P.use == "value" and a:column():mean() or 0
local see = P.use == "inside" and a or nil
local b = E:replicate { name = "b", n = P.replicates, uses = { see }, run = noted("b", function(i, rng)
  return (see and see[i] + #see or mean) + rng:uniform()
end) }
local rows = {}
for i = 1, #b do rows[i] = { a[i], b[i] } end
E:table("t", { "a", "b" }, rows)
E:finish()
LUA
phases() { out=$1 && "$vesicle" run phases.lua --quiet --out "$@" >log 2>&1; }
phases p && computed 8 && phases p --set replicates=6 && computed 4
verdict 'independent phases each reuse what they have' $?
for use in value inside; do
  phases p --set use=$use && computed 8 && phases p --set use=$use && computed 0 &&
    phases p --set use=$use --set replicates=6 && computed 8 && phases q --set use=$use --set replicates=6 &&
    computed 12 && diff -r p/phases q/phases >>log
  verdict "a phase that depends on another ($use) is computed anew when that one grows" $?
done
phases p --replicate b:2 --jobs 1 && grep -q 'replicate 2 of `b` in phases finished' log
verdict 'one replicate of a later phase' $?
sed 's/, uses = { see }//; s/"phases"/"undeclared"/' phases.lua >undeclared.lua
"$vesicle" run undeclared.lua --quiet --out undeclared --set use=inside >log 2>&1
[ $? -eq 1 ] && grep -q 'a replicate of `b` reads the results of `a`, on which it then depends: write uses = { RESULTS }' log
verdict 'a dependency that is not stated is an error' $?

cat >dropped.lua <<'LUA'
local E = require("vesicle.experiment").new { name = "dropped", params = { replicates = 4 } }
local function run(i)
  io.open(E.out .. "/count", "a"):write(i, "\n")
  return i
end
local mean = E:replicate { name = "a", n = E.params.replicates, run = run }:column():mean()
collectgarbage()
E:replicate { name = "b", n = 2, run = function(i) return mean + run(i) end }
E:finish()
LUA
dropped() { out=dropped && "$vesicle" run dropped.lua --quiet --out dropped "$@" >log 2>&1; }
dropped && computed 6 && dropped && computed 0 && dropped --set replicates=6 && computed 4
verdict 'results that were read count when nobody has them any more' $?

# Texts with line breaks do not make two sets of parameters alike.
cat >lines.lua <<'LUA'
local E = require("vesicle.experiment").new { name = "lines", params = { a = "", b = "", list = { "x", "y" } } }
E:replicate { name = "main", n = 1, run = function()
  io.open(E.out .. "/count", "a"):write("1\n")
  return E.params.a
end }
E:finish()
LUA
lines() { out=lines && "$vesicle" run lines.lua --quiet --out lines "$@" >log 2>&1; }
lines --set $'a=1\nparameter b = 2' && computed 1 && lines --set a=1 --set b=2 && computed 1 &&
  lines --set list='x,y' && computed 1 && lines --set $'a=1\nparameter b = 2' && computed 0
verdict 'a parameter with line breaks has a key of its own' $?

# ---- signals ----
long=(--set replicates=100 --set milliseconds=5 --jobs 2)
run whole "${long[@]}"
for name in INT TERM; do
  touch hold.30 # so it cannot end before it is told to
  "$vesicle" run chore.lua --quiet --out "stopped$name" "${long[@]}" >log 2>&1 </dev/null &
  pid=$!
  await [ -e "stopped$name/held.30" ]
  kill -s "$name" "$pid"
  wait "$pid"
  status=$?
  rm hold.30
  done=$(sed -nE 's/^vesicle: interrupted; ([0-9]+) of 100 replicates of `main` are kept in .*/\1/p' log)
  [ "$status" -eq 3 ] && [ "${done:-0}" -gt 0 ] && grep -q "^to go on: .*vesicle run chore.lua .*--set replicates=100" log
  verdict "SIG$name: exit code 3, what is kept, and how to go on" $?
  [ ! -e "stopped$name/chore" ]
  verdict "SIG$name: nothing half-written" $?
  clear "stopped$name"
  run "stopped$name" "${long[@]}" && same whole "stopped$name" && computed $((100 - done))
  verdict "SIG$name: the rest, and the same bytes" $?
done
echo 'print("begun") io.stdout:flush() while true do end' >loop.lua
"$vesicle" run loop.lua >log 2>&1 &
pid=$!
await contains log begun
kill -s INT "$pid"
wait "$pid"
[ $? -eq 3 ] && grep -q 'interrupted' log
verdict 'a script outside its replicates is interrupted too' $?

# ---- progress ----
"$vesicle" run chore.lua --out progress --set replicates=50 >log 2>&1
! grep -q '^chore main: ' log && grep -q 'progress/chore/results.tsv' log
verdict 'no line of a phase of less than two seconds' $?
lasting=(--set replicates=100 --set milliseconds=25 --jobs 1) # two and a half seconds
"$vesicle" run chore.lua --out lasting "${lasting[@]}" >log 2>&1
lines=$(grep -c '^chore main: .*%' log)
[ "$lines" -ge 2 ] && [ "$lines" -le 10 ] && [ "$(grep '^chore main: ' log | tail -n 1 | cut -c 1-31)" = 'chore main: 100 of 100 (100%), ' ]
verdict 'then a line per tenth, and the last' $?
"$vesicle" run chore.lua --out unlucky "${lasting[@]}" --set fault=error >log 2>&1
[ "$(grep -c '^chore main: 99 of 100 (99%), ' log)" -eq 1 ]
verdict 'the last also where a replicate failed' $?
"$vesicle" run chore.lua --out progress --set replicates=60 >log 2>&1
grep -q '^chore main: 50 of 60 were in the journal' log
verdict 'what was in the journal is told' $?
if command -v script >/dev/null; then
  env -u MAKELEVEL script -qec "'$vesicle' run chore.lua --out terminal ${lasting[*]}" /dev/null >log 2>&1 </dev/null
  grep -q 'chore main: 100 of 100 (100%)' log && ! grep -q ' [1-9] of 100' log
  verdict 'a line on a terminal, after two seconds' $?
  env -u MAKELEVEL script -qec "'$vesicle' run chore.lua --out terminal --set replicates=50" /dev/null >log 2>&1 </dev/null
  ! grep -q '50 of 50' log && grep -q 'terminal/chore/results.tsv' log
  verdict 'and none before' $?
else
  echo 'ok a line on a terminal # skip no script(1)'
fi
