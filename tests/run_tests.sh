#!/usr/bin/env bash
# Runs the suites of the groups given as arguments, one more at a time than there are cores, since some of them wait most of
# the time, and closes with one line, "N passed, N failed".
#
#   c        every program built from tests/test_*.c                       (greatest)
#   lua      every test_*.lua of tests/lua, tests/lua/api, inside the runtime   (luaunit)
#   shell    every script in tests/program, tests/documents, tests/fault   (lines "ok NAME", "not ok NAME", "ok NAME # skip")
#   san-c, san-lua    the same under the address and undefined-behaviour sanitizers, from $BUILD/san
#   san-fault, san-fault-all    the shell suites of tests/fault with the sanitized program: those that take seconds, or all
#
# A suite that crashes, runs nothing, or exits with an error while reporting no failure counts as one failure. Only
# the output of failing suites is shown, when they end. The exit status is non-zero if anything failed.
#
# Those that took longest in the run before begin first. Before there was one, it is those with a line "# suite: long", or
# "# suite: long, 90 s". JOBS=1 runs one at a time. The cases that failed are named again at the end, where they are seen.
set -u
export BUILD=${BUILD:-build}
# A report ends a program with a code that no test expects; libraries may be preloaded beside the checkers.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:strict_string_checks=1:exitcode=99:verify_asan_link_order=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1:halt_on_error=1:exitcode=99}
limit=${SUITE_TIMEOUT:-900}
slots=${JOBS:-$(($(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1) + 1))}
taken=$BUILD/suite_seconds # how long each took: seconds, a tabulator, its name
passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# What runs ends with its runner: timeout hands the signal on.
stop() {
  local job
  for job in $(jobs -p); do pkill -P "$job"; done
  exit 130
}
trap stop INT TERM HUP
shopt -s nullglob

# ---- what there is to run: names, and for each how its cases are counted and its command ----

names=()
declare -A counter command expected
suite() { # NAME COUNTER SOURCE COMMAND...
  names+=("$1") counter[$1]=$2 expected[$1]=0
  if grep -qxE '# suite: long(, [0-9]+ s)?' "$3"; then
    expected[$1]=$(sed -n 's/^# suite: long, \([0-9]*\) s$/\1/p' "$3")
    : "${expected[$1]:=30}"
  fi
  command[$1]=$(printf '%q ' "${@:4}")
}
run_c() { # DIRECTORY LABEL
  local source name
  for source in tests/test_*.c; do
    name=$(basename "$source" .c)
    suite "$2$name" count_greatest "$source" "$1/tests/$name"
  done
}
run_lua() { # DIRECTORY LABEL
  local script name
  for script in tests/lua/{,api/}test_*.lua; do
    name=${script#tests/} name=${name%.lua}
    suite "$2$name" count_luaunit "$script" env VESICLE="$1/vesicle" "$1/vesicle" run "$script" --trust
  done
}
run_fault() { # DIRECTORY LABEL NAME...
  local name
  for name in "${@:3}"; do
    suite "$2fault/$name" count_lines "tests/fault/$name" env BUILD="$1" VESICLE="$1/vesicle" bash "tests/fault/$name"
  done
}
run_shell() {
  local script
  for script in tests/{program,documents,fault}/*.sh; do
    suite "${script#tests/}" count_lines "$script" env VESICLE="$BUILD/vesicle" bash "$script"
  done
}

# ---- one suite: how many cases of a log passed, failed and were skipped, as pass, fail, skip ----

count_greatest() {
  read -r pass fail skip < <(sed -nE 's/^Pass: ([0-9]+), fail: ([0-9]+), skip: ([0-9]+)\.$/\1 \2 \3/p' "$1" |
    awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }')
}
count_luaunit() {
  read -r pass fail skip < <(awk '/^Ran [0-9]+ tests in / {
      for (i = 1; i < NF; i++) {
        if ($(i + 1) ~ /^success/) p += $i
        if ($(i + 1) ~ /^(failure|error)/) f += $i
        if ($(i + 1) ~ /^skipped/) s += $i
      } } END { print p + 0, f + 0, s + 0 }' "$1")
}
count_lines() {
  skip=$(grep -cE '^ok .*# *skip' "$1")
  pass=$(($(grep -cE '^ok( |$)' "$1") - skip))
  fail=$(grep -cE '^not ok( |$)' "$1")
}

start() { # NUMBER NAME: in the background; leaves NUMBER.log, and at the end NUMBER.time with status and seconds
  {
    trap : TERM HUP # also where the whole group is told to end: stop finds what runs below this shell
    TIMEFORMAT='%R %U %S'
    { time eval "timeout -k 10 $limit ${command[$2]}" >"$work/$1.log" 2>&1 </dev/null; } 2>"$work/$1.clock"
    echo "$? $(cat "$work/$1.clock")" >"$work/$1.part" && mv "$work/$1.part" "$work/$1.time"
  } &
}
report() { # NUMBER NAME: its line, and its output if it is needed
  local log=$work/$1.log status real user system note='' pass=0 fail=0 skip=0
  read -r status real user system <"$work/$1.time"
  "${counter[$2]}" "$log"
  if [ "$status" -eq 124 ]; then
    fail=$((fail + 1)) note=", stopped after ${limit} s"
  elif [ "$status" -ne 0 ] && [ "$fail" -eq 0 ]; then
    fail=1 note=", exit status $status"
  elif [ $((pass + fail + skip)) -eq 0 ]; then
    fail=1 note=', ran nothing'
  fi
  [ "$skip" -eq 0 ] || note="$note, $skip skipped"
  printf '%-4s %-32s %5d passed, %d failed%s (%.0f s, processor %.0f s)\n' "$([ "$fail" -eq 0 ] && echo ok || echo FAIL)" "$2" \
    "$pass" "$fail" "$note" "$real" "$(awk "BEGIN { print $user + $system }")"
  if [ "$fail" -ne 0 ]; then
    sed 's/^/     | /' "$log"
    { grep -E '^not ok( |$)' "$log" || tail -n 1 "$log"; } | sed "s|^|failed: $2: |" >>"$work/failures"
  elif [ "$skip" -ne 0 ]; then grep -E '^ok .*# *skip' "$log" | sed 's/^/     | /'; fi
  passed=$((passed + pass)) failed=$((failed + fail))
  printf '%s\t%s\n' "$real" "$2" >>"$work/taken"
}

# ---- all of them ----

for group; do
  case $group in
  c) run_c "$BUILD" '' ;;
  lua) run_lua "$BUILD" '' ;;
  shell) run_shell ;;
  san-c) run_c "$BUILD/san" 'sanitized ' ;;
  san-lua) run_lua "$BUILD/san" 'sanitized ' ;;
  san-fault) run_fault "$BUILD/san" 'sanitized ' disk.sh forge.sh publish.sh worker.sh ;;
  san-fault-all)
    faults=(tests/fault/*.sh)
    run_fault "$BUILD/san" 'sanitized ' "${faults[@]##*/}"
    ;;
  *) echo "run_tests.sh: unknown group $group" >&2 && exit 2 ;;
  esac
done
if [ -e "$taken" ]; then
  while IFS=$'\t' read -r seconds name; do [ -z "${expected[$name]:-}" ] || expected[$name]=$seconds; done <"$taken"
fi
mapfile -t names < <(for name in "${names[@]}"; do printf '%s\t%s\n' "${expected[$name]}" "$name"; done |
  LC_ALL=C sort -s -t $'\t' -k 1,1gr | cut -f 2)

running=()
collect() { # reports the suites that have ended
  local n
  for n in "${!running[@]}"; do
    [ -e "$work/$n.time" ] || continue
    report "$n" "${running[n]}"
    unset "running[n]"
  done
}
for n in "${!names[@]}"; do
  while [ "${#running[@]}" -ge "$slots" ]; do
    wait -n 2>/dev/null
    collect
  done
  start "$n" "${names[n]}"
  running[n]=${names[n]}
done
wait
collect

if [ -e "$work/taken" ]; then
  sort -gr "$work/taken" | awk -F '\t' 'NR <= 3 { printf "%s %s %.0f s", NR == 1 ? "longest:" : ",", $2, $1 } END { print "" }'
  # Times of suites that were not run now are kept.
  { cat "$work/taken" && cat "$taken"; } 2>/dev/null | awk -F '\t' '!seen[$2]++' >"$work/all" && cp "$work/all" "$taken"
fi
[ ! -e "$work/failures" ] || cat "$work/failures"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
