#!/usr/bin/env bash
# Runs the suites of the groups given as arguments and closes with one line, "N passed, N failed".
#
#   c        every program built from tests/test_*.c                       (greatest)
#   lua      every tests/lua/test_*.lua, inside the runtime                (luaunit)
#   shell    every tests/*.sh but this one, and tests/fault/*.sh           (lines "ok NAME", "not ok NAME", "ok NAME # skip")
#   san-c, san-lua    the same under the address and undefined-behaviour sanitizers, from $BUILD/san
#
# A suite that crashes, runs nothing, or exits with an error while reporting no failure counts as one failure. Only
# the output of failing suites is shown. The exit status is non-zero if anything failed.
set -u
export BUILD=${BUILD:-build}
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:strict_string_checks=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1:halt_on_error=1}
limit=${SUITE_TIMEOUT:-900}
passed=0 failed=0 skipped=0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

# Each counts the cases in $log and sets pass, fail, skip.
count_greatest() {
  read -r pass fail skip < <(sed -nE 's/^Pass: ([0-9]+), fail: ([0-9]+), skip: ([0-9]+)\.$/\1 \2 \3/p' "$log" |
    awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }')
}
count_luaunit() {
  read -r pass fail skip < <(awk '/^Ran [0-9]+ tests in / {
      for (i = 1; i < NF; i++) {
        if ($(i + 1) ~ /^success/) p += $i
        if ($(i + 1) ~ /^(failure|error)/) f += $i
        if ($(i + 1) ~ /^skipped/) s += $i
      } } END { print p + 0, f + 0, s + 0 }' "$log")
}
count_lines() {
  skip=$(grep -cE '^ok .*# *skip' "$log")
  pass=$(($(grep -cE '^ok( |$)' "$log") - skip))
  fail=$(grep -cE '^not ok( |$)' "$log")
}

# suite NAME COUNTER COMMAND...
suite() {
  local name=$1 counter=$2 status start=$SECONDS note=
  shift 2
  timeout -k 10 "$limit" "$@" >"$log" 2>&1 </dev/null
  status=$?
  "$counter"
  if [ "$status" -eq 124 ]; then
    fail=$((fail + 1)) note=", stopped after ${limit} s"
  elif [ "$status" -ne 0 ] && [ "$fail" -eq 0 ]; then
    fail=1 note=", exit status $status"
  elif [ $((pass + fail + skip)) -eq 0 ]; then
    fail=1 note=', ran nothing'
  fi
  [ "$skip" -eq 0 ] || note="$note, $skip skipped"
  printf '%-4s %-32s %5d passed, %d failed%s (%d s)\n' "$([ "$fail" -eq 0 ] && echo ok || echo FAIL)" "$name" \
    "$pass" "$fail" "$note" $((SECONDS - start))
  if [ "$fail" -ne 0 ]; then sed 's/^/     | /' "$log"; elif [ "$skip" -ne 0 ]; then grep -E '^ok .*# *skip' "$log" | sed 's/^/     | /'; fi
  passed=$((passed + pass)) failed=$((failed + fail)) skipped=$((skipped + skip))
}

run_c() { # DIRECTORY LABEL
  local source name
  for source in tests/test_*.c; do
    [ -e "$source" ] || continue
    name=$(basename "$source" .c)
    suite "$2$name" count_greatest "$1/tests/$name"
  done
}
run_lua() { # DIRECTORY LABEL
  local script
  for script in tests/lua/test_*.lua; do
    [ -e "$script" ] || continue
    VESICLE=$1/vesicle suite "$2lua/$(basename "$script" .lua)" count_luaunit "$1/vesicle" run "$script" --trust
  done
}
run_shell() {
  local script
  for script in tests/*.sh tests/fault/*.sh; do
    if [ ! -e "$script" ] || [ "$script" = tests/run_tests.sh ]; then continue; fi
    VESICLE=$BUILD/vesicle suite "${script#tests/}" count_lines bash "$script"
  done
}

for group; do
  case $group in
  c) run_c "$BUILD" '' ;;
  lua) run_lua "$BUILD" '' ;;
  shell) run_shell ;;
  san-c) run_c "$BUILD/san" 'sanitized ' ;;
  san-lua) run_lua "$BUILD/san" 'sanitized ' ;;
  *) echo "run_tests.sh: unknown group $group" >&2 && exit 2 ;;
  esac
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
