#!/usr/bin/env bash
# shellcheck disable=SC2016 # backquotes are part of the messages
# A replicate that fails, in whatever way, fails alone, is named with its seed and error, and can be run by itself.
# shellcheck source=tests/fault/chore.bash
source "$(dirname "${BASH_SOURCE[0]}")/chore.bash"

run good && computed 24
verdict 'a run without faults' $?

# fails FAULT PATTERN ARGUMENTS...
fails() {
  local fault=$1 pattern=$2
  shift 2
  run "$fault" --set fault="$fault" --seed 5 "$@"
  [ $? -eq 1 ] && grep -q '1 of 24 replicates of `main` in chore failed; the other 23 are kept' log &&
    grep -qE "replicate 7 \(seed 5\): .*$pattern" log &&
    grep -qE "^to run just this one: .*vesicle run chore.lua .*fault=$fault.* --replicate 7\$" log &&
    [ ! -e "$fault/chore" ] && computed 24
  verdict "$fault: the replicate is named, the others are kept, nothing is written" $?
}
fails error 'broken on purpose'
run error --set fault=error --seed 5
grep -q 'stack traceback' log && grep -q "chore.lua:[0-9]*: in .*'broken\|chore.lua:[0-9]*: in function" log
verdict 'error: with the traceback' $?
computed 1
verdict 'error: only that one was tried again' $?
fails exit 'ended by itself with exit status 7'
# A script in the sandbox cannot kill its own process: it is done from outside, while replicate 7 waits. (A sanitizer
# would take the signal for a report.)
for number in 11 9; do
  touch hold.7
  ASAN_OPTIONS=${ASAN_OPTIONS-}:handle_segv=0 "$vesicle" run chore.lua --quiet --out "signal$number" --seed 5 --jobs 1 >log 2>&1 </dev/null &
  pid=$!
  await [ -e "signal$number/held.7" ]
  kill "-$number" "$(workers "$pid")"
  rm hold.7
  wait "$pid"
  [ $? -eq 1 ] && grep -q '1 of 24 replicates of `main` in chore failed; the other 23 are kept' log &&
    grep -q "replicate 7 (seed 5): .*killed by signal $number" log && [ ! -e "signal$number/chore" ] && computed 24 "signal$number"
  verdict "signal $number: the replicate is named, the others are kept, nothing is written" $?
done
fails loop 'took longer than 1 s' --replicate-timeout 1
fails pattern 'took longer than 1 s' --replicate-timeout 1
if ! grep -q __asan_init "$vesicle"; then
  (
    ulimit -v 300000
    fails memory 'not enough memory'
    exit $failures
  ) || failures=$((failures + 1))
else
  echo 'ok memory # skip the address sanitizer needs all of it'
fi

run error --set fault=error --seed 5 --replicate 7
[ $? -eq 1 ] && grep -q 'replicate 7 of `main` in chore (seed 5): .*broken on purpose' log
verdict 'one replicate alone fails with its error' $?
clear error
run error --set fault=error --seed 5 --replicate 8 && grep -q 'replicate 8 of `main` in chore finished' log && computed 1
verdict 'one replicate alone succeeds' $?
run error --replicate 25
[ $? -eq 2 ] && grep -q -- '--replicate 25: `main` has 24 replicates' log
verdict 'a replicate that does not exist' $?

# Two mistakes, one of them made by all replicates but every fourth, the other by two of them; "own" gives each its own.
cat >many.lua <<'LUA'
local E = require("vesicle.experiment").new { name = "many", params = { replicates = 12, own = false } }
E:replicate { name = "main", n = E.params.replicates, run = function(i)
  if E.params.own then error("mistake of " .. i, 0) end
  if i == 3 or i == 7 then error("a rare mistake") end
  if i % 4 ~= 0 then error("a common mistake") end
  return i
end }
LUA
many() { "$vesicle" run many.lua --quiet --out many --seed 5 --jobs 3 "$@" >log 2>&1; }
many
[ $? -eq 1 ] && grep -q '9 of 12 replicates of `main` in many failed; the other 3 are kept' log &&
  grep -q '^replicates 1-2, 5-6, 9-11 (seed 5): .*a common mistake$' log &&
  grep -q '^replicates 3, 7 (seed 5): .*a rare mistake$' log && [ "$(grep -c '^stack traceback' log)" -eq 2 ]
verdict 'replicates that fail alike share a traceback' $?
grep -qE '^to run just the first: .*vesicle run many.lua .* --replicate 1$' log &&
  grep -qE '^to run just the first: .*vesicle run many.lua .* --replicate 3$' log
verdict 'and the first of them can be run by itself' $?
many --set own=true
[ $? -eq 1 ] && [ "$(grep -cE '^replicate [1-5] \(seed 5\): .*mistake of [1-5]$' log)" -eq 5 ] && grep -q '^also failed: 6-12$' log
verdict 'five messages are told, then numbers' $?
many --set replicates=2000
[ $? -eq 1 ] && [ "$(grep -c '^stack traceback' log)" -eq 2 ] &&
  grep -qE '^replicates 1-2, 5-6, 9-11, 13-15, .{100,250}, \.\.\. \(seed 5\): .*a common mistake$' log
verdict 'a long list of replicates is cut' $?

cat >kinds.lua <<'LUA'
local ex = require "vesicle.experiment"
local E = ex.new { name = "kinds", params = { kind = "function" } }
local self = {}
self.self = self
local kinds = {
  ["function"] = { a = { b = print } }, thread = { coroutine.create(print) }, cycle = self,
  meta = setmetatable({}, {}), stream = { E.rng }, key = { [{}] = 1 }, digits = { ["12"] = 1 }, bytes = "\xff", none = nil,
}
E:replicate { name = "main", n = 1, run = function() return kinds[E.params.kind] end }
LUA
refuses() { # KIND PATTERN
  "$vesicle" run kinds.lua --quiet --out kinds --set kind="$1" >log 2>&1
  [ $? -eq 1 ] && grep -qE "$2" log
  verdict "a result that is a $1 is refused by name" $?
}
refuses function 'the result.a.b is a function'
refuses thread 'the result\[1\] is a thread'
refuses cycle 'nested deeper than 100 tables'
refuses meta 'the result is a table with a metatable'
refuses stream 'the result\[1\] is a ves.stream'
refuses key 'a key that is neither a whole number nor a text'
refuses digits 'the result is a table with a text of digits as a key'
refuses bytes 'the result is a text that is not UTF-8'
refuses none 'run returned nothing'

cat >nested.lua <<'LUA'
local E = require("vesicle.experiment").new { name = "nested", params = {} }
E:replicate { name = "outer", n = 1, run = function()
  E:replicate { name = "inner", n = 1, run = function() return 1 end }
  return 1
end }
LUA
"$vesicle" run nested.lua --quiet --out nested >log 2>&1
[ $? -eq 1 ] && grep -q '`inner` is called inside a replicate' log
verdict 'replicates within a replicate are refused' $?
