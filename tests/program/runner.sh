#!/usr/bin/env bash
# tests/run_tests.sh itself, on small suites in a tree of their own: what it counts, what it shows, in which order and how many
# at a time.
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
mkdir -p "$tmp/tree/tests/program" "$tmp/tree/tests/fault" "$tmp/tree/build" && cd "$tmp/tree" || exit 1
unset BUILD VESICLE SUITE_TIMEOUT
suite() { cat >"tests/$1.sh"; } # FOLDER/NAME: its text from the standard input
runs() { JOBS=${JOBS:-2} bash "$here/tests/run_tests.sh" shell >"$log" 2>&1; }
clear() { rm -f tests/*/*.sh build/suite_seconds; }

echo 'echo "ok one"; echo "ok two # skip not here"; echo "not shown"' | suite program/good
echo 'echo "ok three"' | suite fault/deeper
runs && [ "$(tail -n 1 "$log")" = '2 passed, 0 failed' ] && grep -q '^ok   program/good.sh  *1 passed, 0 failed, 1 skipped' "$log" &&
  grep -q 'ok two # skip not here' "$log" && ! grep -q 'not shown' "$log"
verdict 'cases are counted, what was skipped is named' $?
grep -qE '^longest: .*good.sh [0-9]+ s' "$log"
verdict 'the longest are named' $?

echo 'echo "not ok three"; echo "why it failed" >&2' | suite program/failing
echo 'echo "ok four"; kill -SEGV $$' | suite program/crashing
: | suite program/silent
echo 'echo "ok five"; sleep 600' | suite program/endless
! SUITE_TIMEOUT=1 runs && [ "$(tail -n 1 "$log")" = '4 passed, 4 failed' ]
verdict 'a failure, a crash, silence and no end are failures' $?
grep -q 'why it failed' "$log" && grep -q 'silent.sh .*ran nothing' "$log" && grep -q 'endless.sh .*stopped after 1 s' "$log" &&
  grep -q 'crashing.sh .*exit status' "$log"
verdict 'and say why' $?

grep -qx 'failed: program/failing.sh: not ok three' "$log"
verdict 'what failed is named at the end' $?

# Each of two waits until the other has begun.
clear
# shellcheck disable=SC2016 # expanded by the suite
both='touch "$0.begun"; for _ in {1..600}; do [ -e tests/program/a.sh.begun ] && [ -e tests/program/b.sh.begun ] && echo "ok met" && exit; sleep 0.05; done; exit 1'
echo "$both" | suite program/a
echo "$both" | suite program/b
runs
verdict 'two at a time' $?
[ "$(cut -f 2 build/suite_seconds | sort | tr '\n' ' ')" = 'program/a.sh program/b.sh ' ]
verdict 'their times are kept' $?

clear
for name in first second third; do echo "echo 'ok $name'; echo $name >>order" | suite "program/$name"; done
sed -i '1i # suite: long' tests/program/second.sh
sed -i '1i # suite: long, 90 s' tests/program/third.sh
JOBS=1 runs && [ "$(tr '\n' ' ' <order)" = 'third second first ' ]
verdict 'long ones begin' $?
rm order && printf '9\tprogram/first.sh\n2\tprogram/third.sh\n0.5\tprogram/second.sh\n' >build/suite_seconds
JOBS=1 runs && [ "$(tr '\n' ' ' <order)" = 'first third second ' ]
verdict 'or those that took longest before' $?
! bash "$here/tests/run_tests.sh" everything >"$log" 2>&1 && grep -q 'unknown group everything' "$log"
verdict 'an unknown group is an error' $?

# Interrupted, it takes its suites along, by itself and with its group.
for whom in '' -; do
  clear
  rm -f begun
  echo 'echo $$ >begun; sleep 600' | suite program/endless
  JOBS=1 setsid bash "$here/tests/run_tests.sh" shell >"$log" 2>&1 &
  runner=$!
  await [ -s begun ]
  kill -TERM -- "$whom$runner"
  wait "$runner"
  await dead "$(cat begun)"
  verdict "suites end with their runner${whom:+, and with its group}" $?
done

# A signal that comes before the shell of a background command has started its program ends that shell alone.
kept=yes
for _ in 1 2 3 4 5; do
  sleep 60 2>/dev/null &
  kill -TERM "$!"
  wait "$!" 2>/dev/null
  [ -d "$tmp" ] || kept=no
done 2>/dev/null
mkdir -p "$tmp" # for the verdict
[ "$kept" = yes ]
verdict 'what a suite starts and kills does not take its folder along' $?
