#!/usr/bin/env bash
# shellcheck disable=SC2016 # backquotes are part of the messages
# vesicle sweep: the grid, the table, and that it goes on wherever it was stopped. Lines "ok NAME" and "not ok NAME".
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
dir=$tmp
cd "$dir" || exit 1

rows() { grep -v '^#' "$1/sweep.tsv"; }

# Each replicate leaves a line below --out, so that those computed can be counted.
cat >grid.lua <<'LUA'
local E = require("vesicle.experiment").new {
  name = "grid", title = "A grid",
  params = { n = { 4, quick = 2 }, psi = { 2.5, about = "the exponent", range = { 0, 100 } },
             rule = { "power", range = { "power", "raw" } }, xs = { 1, 2 }, ms = 0, bad = -1 },
}
local P = E.params
local out = E:replicate { name = "main", n = P.n, run = function(i, rng)
  io.open(E.out .. "/count", "a"):write("x\n"):close()
  local start = os.clock()
  while os.clock() - start < P.ms / 1000 do end
  if P.psi == P.bad then error("broken on purpose") end
  return rng:uniform() * P.psi + #P.xs
end }
local u = out:column()
E:number("Mean", u:mean(), P.rule == "power" and u:sd() or nil)
if P.rule == "raw" then E:number("Raw", P.psi) end
E:table("t", { "a" }, { { 1 } })
E:finish()
LUA
computed() { # OUT N
  local lines=0
  [ ! -e "$1/count" ] || lines=$(wc -l <"$1/count")
  echo "computed $lines" >>log
  rm -f "$1/count"
  [ "$lines" -eq "$2" ]
}

# ---- the table ----

gives 'a grid of two parameters' 0 'first/grid-over-psi-rule/sweep.tsv' sweep grid.lua --over psi=2:4 --over rule=power,raw --out first
computed first 24
verdict 'each point once' $?
[ "$(rows first/grid-over-psi-rule | cut -f 1,2 | tr '\t\n' ' |')" = 'psi rule|2 power|2 raw|3 power|3 raw|4 power|4 raw|' ]
verdict 'a row for each point, the last parameter varying fastest' $?
[ "$(rows first/grid-over-psi-rule | head -n 1)" = 'psi	rule	Mean	Mean_se	Raw' ] &&
  rows first/grid-over-psi-rule | awk -F'\t' 'NR > 1 && ($2 == "raw") != ($5 == $1 && $4 == "NA") { exit 1 }'
verdict 'a column for each number and each standard error, NA where there is none' $?
grep -q '^# over: psi = 2 3 4 (the exponent)' first/grid-over-psi-rule/sweep.tsv &&
  grep -q '^# parameter: n = 4' first/grid-over-psi-rule/sweep.tsv && grep -q '^# column: Mean_se: ' first/grid-over-psi-rule/sweep.tsv
verdict 'the header says where it comes from' $?
[ ! -e first/grid ]
verdict 'the outputs of the experiment itself are left alone' $?
"$vesicle" run grid.lua --set psi=3 --set rule=power --out first --quiet >log 2>&1 && computed first 0 &&
  [ "$(rows first/grid-over-psi-rule | awk -F'\t' '$1 == 3 && $2 == "power" { print $3, $4 }')" = \
    "$(awk -F'\t' '$1 == "Mean" { print $2, $3 }' first/grid/numbers.tsv)" ]
verdict 'a row is what a run with --set gives, and shares its replicates' $?
gives 'a second time nothing is computed' 0 'sweep.tsv' sweep grid.lua --over psi=2:4 --over rule=power,raw --out first
computed first 0
verdict 'nothing' $?
"$vesicle" sweep grid.lua --over psi=2:4 --over rule=power,raw --out serial --jobs 1 --quiet >log 2>&1 && [ ! -s log ] &&
  cmp {first,serial}/grid-over-psi-rule/sweep.tsv >>log
verdict 'one process or several: the same bytes, and quiet' $?
gives 'a larger grid uses the replicates there are' 0 'sweep.tsv' sweep grid.lua --over psi=2:5 --over rule=power,raw --out first
computed first 8
verdict 'and computes the others' $?
gives 'other scales and seeds' 0 'sweep.tsv' sweep grid.lua --over psi=2 --scale quick --seed 5 --out first
computed first 2
verdict 'are other points' $?
gives 'decimals' 0 'sweep.tsv' sweep grid.lua --over psi=0.1:0.5:0.1 --set n=2 --out decimals
[ "$(rows decimals/grid-over-psi | cut -f 1 | tr '\n' ' ')" = 'psi 0.1 0.2 0.3 0.4 0.5 ' ]
verdict 'are exact' $?
"$vesicle" sweep grid.lua --over psi=-0:1:.25 --out decimals --quiet >log 2>&1 &&
  [ "$(rows decimals/grid-over-psi | cut -f 1 | tr '\n' ' ')" = 'psi 0 0.25 0.5 0.75 1 ' ]
verdict 'quarters' $?
"$vesicle" sweep grid.lua --over psi=3:1:-1 --out decimals --quiet >log 2>&1 &&
  [ "$(rows decimals/grid-over-psi | cut -f 1 | tr '\n' ' ')" = 'psi 3 2 1 ' ]
verdict 'downwards' $?
"$vesicle" sweep grid.lua --over 'psi=1e-3:3e-3:1e-3' --out decimals --quiet >log 2>&1 &&
  [ "$(rows decimals/grid-over-psi | cut -f 1 | tr '\n' ' ')" = 'psi 0.001 0.002 0.003 ' ]
verdict 'with exponents' $?
"$vesicle" sweep grid.lua --over 'xs=1,2;3' --out lists --quiet >log 2>&1 &&
  [ "$(rows lists/grid-over-xs | cut -f 1 | tr '\n' ' ')" = 'xs 1,2 3 ' ]
verdict 'lists' $?

# ---- what is wrong ----

gives 'no --over' 2 '--over is missing' sweep grid.lua
gives 'no values' 2 "expected KEY=VALUES, got 'psi='" sweep grid.lua --over psi=
gives 'an unknown parameter' 2 '`pis`: did you mean `psi`\?' sweep grid.lua --over pis=1:3
gives 'a value out of range' 2 "expected 0 to 100, got '101'" sweep grid.lua --over psi=99:101
gives 'a value of another kind' 2 "expected a whole number, got '1.5'" sweep grid.lua --over n=1,1.5
gives 'an unknown text' 2 "expected power\|raw, got 'rew'" sweep grid.lua --over rule=power,rew
gives 'steps that lead nowhere' 2 'the steps do not lead from 1 to 3' sweep grid.lua --over psi=1:3:0
gives 'steps that lead away' 2 'the steps do not lead from 1 to 3' sweep grid.lua --over psi=1:3:-1
gives 'the same value twice' 2 '`psi` takes the value 1 twice' sweep grid.lua --over psi=1,2,1.0
gives 'a parameter twice' 2 '`psi` is given twice' sweep grid.lua --over psi=1 --over psi=2
gives 'a parameter set and swept' 2 '`psi` is given twice \(--set and --over\)' sweep grid.lua --over psi=1 --set psi=2
gives 'too many values' 2 'more than 1000000 values' sweep grid.lua --over n=1:2000000
gives 'too many points' 2 'more than 1000000 points' sweep grid.lua --over n=1:2000 --over psi=0:100:0.1
gives 'another command takes no --over' 2 "takes no option '--over'" run grid.lua --over psi=1
echo 'print(1)' >plain.lua
gives 'a script without an experiment' 1 'declares no experiment' sweep plain.lua --over psi=1
echo 'local x = = 1' >syntax.lua
gives 'a script that is none' 1 'syntax.lua:1: unexpected symbol' sweep syntax.lua --over psi=1
sed '/E:number/d; s/"grid"/"silent"/' grid.lua >silent.lua
gives 'an experiment without numbers' 1 'reports no numbers' sweep silent.lua --over psi=1:2 --out silent

# ---- failures and interruptions ----

gives 'a point that fails is named, the others are kept' 1 'at psi=3: 4 of 4 replicates of `main` in grid failed' \
  sweep grid.lua --over psi=2:4 --set bad=3 --out broken
grep -q '1 of 3 replicates of `sweep` in grid-over-psi failed; the other 2 are kept' log &&
  grep -qE '^to run just the first: .*vesicle run grid.lua --out broken --set bad=3 --set psi=3 --replicate 1$' log &&
  grep -qE '^to run just this one: .*vesicle sweep grid.lua .* --replicate 2$' log && ! grep -q 'sweep.lua:' log &&
  grep -q 'broken on purpose' log && [ ! -e broken/grid-over-psi ]
verdict 'with the commands that repeat it' $?
gives 'one point alone' 0 'replicate 1 of `sweep` in grid-over-psi finished' sweep grid.lua --over psi=7:8 --out alone --replicate 1
computed alone 4
verdict 'only that one' $?
gives 'a replicate that takes too long' 1 'took longer than 0.05 s' sweep grid.lua --over psi=1 --set ms=500 --replicate-timeout 0.05 --out slow

slow=(--over psi=1:6 --set ms=20 --jobs 2 --quiet)
"$vesicle" sweep grid.lua "${slow[@]}" --out whole >log 2>&1
verdict 'an unbroken sweep' $?
status=1 kills=0
while [ "$status" -ne 0 ] && [ "$kills" -lt 60 ]; do
  setsid "$vesicle" sweep grid.lua "${slow[@]}" --out killed >log 2>&1 </dev/null &
  pid=$!
  sleep "$(awk -v k="$kills" 'BEGIN { print 0.1 + 0.08 * k }')"
  if kill -KILL -- "-$pid" 2>/dev/null; then kills=$((kills + 1)); fi
  wait "$pid" 2>/dev/null
  status=$?
  "$vesicle" journal verify killed >log 2>&1 || { [ ! -e killed/grid.sqlite ] || break; }
done
[ "$status" -eq 0 ] && [ "$kills" -ge 2 ] && cmp {whole,killed}/grid-over-psi/sweep.tsv >>log
verdict "killed $kills times, the sweep ends in the same bytes" $?
[ "$(wc -l <killed/count)" -le $((24 + 4 * kills)) ]
verdict 'nothing finished was computed again' $?
"$vesicle" sweep grid.lua "${slow[@]}" --out stopped --timeout 0.25 >log 2>&1
[ $? -eq 3 ] && grep -q 'stopped after 0.25 s (--timeout)' log && grep -q '^to go on: .*vesicle sweep grid.lua' log &&
  "$vesicle" sweep grid.lua "${slow[@]}" --out stopped >log 2>&1 && cmp {whole,stopped}/grid-over-psi/sweep.tsv >>log
verdict 'stopped by the clock, it goes on' $?
sed -i 's/rng:uniform() \* P.psi/rng:uniform() * P.psi + 1/' grid.lua
rm -f first/count
gives 'a changed script is computed anew' 0 'sweep.tsv' sweep grid.lua --over psi=2:4 --over rule=power,raw --out first
computed first 24
verdict 'all of it' $?

# ---- the sandbox, and ranks ----

cat >hostile.lua <<'LUA'
print("reads", io.open("/etc/passwd"))
local E = require("vesicle.experiment").new { name = "hostile", params = { n = 1 } }
print("runs", pcall(os.execute, "touch executed"), io.open("written", "w"), debug)
E:number("Escaped", io.open("/etc/passwd") and 1 or 0)
E:finish()
LUA
gives 'points run in the sandbox' 0 '^runs.false' sweep hostile.lua --over n=1:2 --out hostile
[ ! -e executed ] && [ ! -e written ] && ! grep -q 'file (0x' log && [ "$(rows hostile/hostile-over-n | cut -f 2 | tr '\n' ' ')" = 'Escaped 0 0 ' ]
verdict 'and stay there' $?
if command -v mpicc >/dev/null && command -v mpirun >/dev/null; then
  ranks=$(dirname "$vesicle")/vesicle-mpi
  shared_make "$BUILD/vesicle" "$BUILD/vesicle-mpi" >log 2>&1
  several_ranks
  timeout 120 mpirun -n 3 "$ranks" sweep grid.lua --over psi=2:4 --over rule=power,raw --out ranks --quiet >log 2>&1 </dev/null &&
    diff -I '^# vesicle' {first,ranks}/grid-over-psi-rule/sweep.tsv >>log
  verdict 'over ranks: the same bytes' $?
else
  echo 'ok over ranks # skip no mpicc or no mpirun here (Debian: libopenmpi-dev openmpi-bin)'
fi
