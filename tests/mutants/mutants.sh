#!/usr/bin/env bash
# Small random errors in the core, one at a time: which suite notices? Called by `make mutants`, which has made what is linked
# here; candidates.lua says what an error is.
#
# A mutant is compiled as one object (a header's as those of its users), in a copy of the core. One whose instructions are those
# of the original changes nothing and does not count. Then the C suites run, the one of its own module first, then the Lua suites,
# then both under the sanitizers, until one fails: that one noticed. A suite may take ten times the processor time that it takes
# without an error, so that a loop without end is noticed too.
#
#   N=200 SEED=1   the first N of the seed's list that change anything        LIST=FILE   a list of one's own, in its form
#   JOBS=2         so many at a time                                          BUILD=build
#   SUITES='c lua san-c san-lua'   the groups of suites, in the order in which they are asked
#
# Each verdict is a line of $BUILD/mutants/result.tsv; survivors.tsv has the reasons of survivors that are known.
set -u
build=${BUILD:-build}
jobs=${JOBS:-2} work=$build/mutants
SUITES=${SUITES:-c lua san-c san-lua}
reasons=tests/mutants/survivors.tsv
export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 UBSAN_OPTIONS=halt_on_error=1
shopt -s nullglob globstar
slots=$work/slots results=$work/results
rm -rf "$slots" "$results" && mkdir -p "$slots" "$results" || exit 1
stop() {
  local job
  for job in $(jobs -p); do kill -TERM -- "-$job" 2>/dev/null; done
  exit 130
}
trap stop INT TERM HUP
set -m # each mutant is a process group, which ends as a whole

# A reason belongs to a line of the tree as it is.
awk -F '\t' '/^#/ || $1 == "file" { next }
  { found = 0
    while ((getline text < $1) > 0) { gsub(/^ +/, "", text); if (text == $2) found = 1 }
    close($1)
    if (!found) { print "mutants: survivors.tsv has a reason for a line that " $1 " has not: " $2; stale = 1 } }
  END { exit stale }' "$reasons" || exit 1

# ---- what is mutated, and in which order ----

list=${LIST:-$work/list.tsv}
if [ -z "${LIST:-}" ]; then
  sources=()
  for file in csrc/core/**/*.c csrc/core/private/*.h csrc/core/avx{2,512}/*.h; do
    case $file in
    csrc/core/avx2/*) ! grep -qw avx2 /proc/cpuinfo 2>/dev/null || sources+=("$file") ;;
    csrc/core/avx512/*) ! grep -qw avx512_vbmi2 /proc/cpuinfo 2>/dev/null || sources+=("$file") ;;
    *) sources+=("$file") ;;
    esac
  done
  lua5.4 tests/mutants/candidates.lua "$SEED" "${sources[@]}" >"$list" || exit 1
fi
mapfile -t candidates <"$list"

# ---- building ----

folders=(csrc/core/ csrc/core/*/)
users() { # FILE: the objects, below csrc without .o, that are made from it
  case $1 in
  *.c) echo "${1:5:-2}" ;;
  *) grep -lF -- "$1" "$work"/unmutated/**/*.d | sed "s|^$work/unmutated/||; s|\.d\$||" ;;
  esac
}
compile() { # SLOT OBJECT OUT FLAGS...: an object from the slot's copy of the core
  local slot=$1 object=$2 out=$3 kernel=() includes
  shift 3
  includes=("${folders[@]/#csrc/-I$slot}")
  [[ $object != *_avx2 ]] || kernel=("@$build/config/avx2.cflags")
  [[ $object != *_avx512 ]] || kernel=("@$build/config/avx512.cflags")
  mkdir -p "$(dirname "$out")"
  # shellcheck disable=SC2086 # a command with its arguments
  timeout 300 $COMPILE "$@" "${kernel[@]}" "${includes[@]}" -I"$build" "@$build/config/gsl.cflags" \
    -c "$slot/${object}.c" -o "$out" >/dev/null 2>&1
}
library() { # OUT FOLDER OBJECTS...: the folder's library with these objects in place of its own
  local out=$1 folder=$2
  shift 2
  cp "$folder/libvesicle.a" "$out" && ar r "$out" "$@" 2>/dev/null
}
link_suite() { # OUT SUITE LIBRARY FLAGS...: prints the objects that it takes, also from the library (-t twice)
  local out=$1 suite=$2 library=$3
  shift 3
  $CC "$@" -Wl,-t,-t -o "$out" "$suite" "$library" "@$build/config/gsl.libs" -lm 2>/dev/null
}
takes() { # TRACE OBJECTS...: whether a link has taken one of them
  local object
  for object in "${@:2}"; do
    if [[ $1 == *"${object##*/}"* ]]; then return 0; fi
  done
  return 1
}
# The object of a suite; one that includes the mutated header is compiled anew.
suite_object() { # SLOT HEADER SUITE FOLDER FLAGS...
  local slot=$1 header=$2 suite=$3 folder=$4
  shift 4
  if [[ $header != *.h ]] || ! grep -qF -- "$header" "$folder/$suite.d"; then
    echo "$folder/$suite.o"
    return
  fi
  # shellcheck disable=SC2086
  timeout 300 $COMPILE_TEST "$@" "${folders[@]/#csrc/-I$slot}" "@$build/config/gsl.cflags" -c "tests/$suite.c" \
    -o "$slot/suite.o" >/dev/null 2>&1
  echo "$slot/suite.o"
}
link_program() { # OUT FOLDER LIBRARY FLAGS...
  local out=$1 folder=$2 library=$3
  shift 3
  $CC "$@" -o "$out" "$folder"/obj/{host,lua}/**/*.o "$library" "@$build/config/sqlite.libs" "@$build/config/lua.libs" \
    "@$build/config/edit.libs" "@$build/config/md.libs" "@$build/config/gsl.libs" -lm 2>/dev/null
}

# ---- suites ----

seconds=$work/seconds # GROUP, SUITE, processor seconds without an error
limited() { # SECONDS MEMORY COMMAND...
  local limit=$1 memory=$2
  shift 2
  (
    ulimit -c 0
    ulimit -t "$limit"
    [ "$memory" = any ] || ulimit -v "$memory"
    exec timeout --foreground -k 5 $((60 + 10 * limit)) "$@" >/dev/null 2>&1 </dev/null
  ) 2>/dev/null
}
run_lua() { # SECONDS MEMORY PROGRAM SUITE
  limited "$1" "$2" env VESICLE="$3" "$3" run "tests/lua/$4.lua" --trust
}
measure() { # GROUP SUITE COMMAND...: that it passes, and how long it takes
  local group=$1 suite=$2 clock TIMEFORMAT='%U %S'
  shift 2
  clock=$({ time "$@" || echo fails; } 2>&1)
  case $clock in
  *fails*) echo "$suite ($group)" >>"$seconds.failed" ;;
  *) awk -v g="$group" -v s="$suite" '{ printf "%s\t%s\t%.2f\n", g, s, $1 + $2 }' <<<"$clock" >>"$seconds" ;;
  esac
}
in_order() { # GROUP MODULE: its suites with their limits, that of the module first, then the short ones
  awk -F '\t' -v g="$1" -v m="$2" '$1 == g { n = $2; sub(/^(api\/)?test_/, "", n)
    print (index(m, n) == 1 ? 0 : 1) "\t" $3 "\t" $2 "\t" int(5 + 10 * $3) }' "$seconds" | sort -s -k 1,1n -k 2,2g | cut -f 3,4
}

# What the suites take without an error; kept while neither they nor the programs change.
if [ ! -e "$seconds" ] || [ "$(head -n 1 "$seconds")" != "# $SUITES" ] ||
  [ -n "$(find tests/lua "$work/tests" "$build/libvesicle.a" -newer "$seconds" \( -name '*.lua' -o -name '*.[ao]' \))" ]; then
  echo '  the suites without an error'
  rm -f "$seconds.failed"
  echo "# $SUITES" >"$seconds"
  for group in $SUITES; do
    folder=$build
    [[ $group != san-* ]] || folder=$build/san
    for source in tests/test_*.c tests/lua/{,api/}test_*.lua; do
      name=${source#tests/} name=${name#lua/} name=${name%.*}
      while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do wait -n; done
      case $group:$source in
      *c:*.c) measure "$group" "$name" limited 900 any "$folder/tests/$name" & ;;
      *lua:*.lua) measure "$group" "$name" run_lua 900 any "$folder/vesicle" "$name" & ;;
      esac
    done
  done
  wait
  if [ -e "$seconds.failed" ]; then
    echo 'mutants: these fail without an error:' && cat "$seconds.failed" && rm "$seconds" && exit 1
  fi
fi

run_c() { # SECONDS MEMORY SLOT FILE SUITE TESTS LIBRARY FLAGS OBJECTS...: a suite without a changed object has nothing to say
  local limit=$1 memory=$2 slot=$3 file=$4 suite=$5 tests=$6 library=$7 flags=$8 trace
  shift 8
  # shellcheck disable=SC2086 # flags are words
  trace=$(link_suite "$slot/suite" "$(suite_object "$slot" "$file" "$suite" "$tests" $flags)" "$library" $flags) || return 1
  ! takes "$trace" "$@" suite.o || limited "$limit" "$memory" "$slot/suite"
}
noticed() { # SLOT FILE OBJECTS...: prints group and suite that notice
  local slot=$1 file=$2 module=${2##*/ves_} group suite limit folder tests flags memory library objects object program
  shift 2
  for group in $SUITES; do
    folder=$build tests=$work/tests flags='' memory=8000000 program=$slot/vesicle library=$slot/plain.a objects=("${@/#/$slot/}")
    if [[ $group == san-* ]]; then
      folder=$build/san tests=$work/tests/san flags=$SANITIZE memory=any program=$slot/vesicle-san library=$slot/san.a
      objects=("${@/#/$slot/san/}")
      for object; do
        # shellcheck disable=SC2086
        [ -e "$slot/san/$object" ] || compile "$slot" "${object%.o}" "$slot/san/$object" $SANITIZE || { echo "$group compiler" && return; }
      done
    fi
    [ -e "$library" ] || library "$library" "$folder" "${objects[@]}" || { echo "$group library" && return; }
    # shellcheck disable=SC2086
    case $group in *lua) link_program "$program" "$folder" "$library" $flags || { echo "$group linker" && return; } ;; esac
    while read -r suite limit; do
      case $group in
      *lua) run_lua "$limit" "$memory" "$program" "$suite" ;;
      *) run_c "$limit" "$memory" "$slot" "$file" "$suite" "$tests" "$library" "$flags" "$@" ;;
      esac || { echo "$group $suite" && return; }
    done < <(in_order "$group" "${module%.[ch]}")
  done
  echo survived -
}

judge() { # NUMBER: leaves results/NUMBER with its verdict
  local file line at from to slot=$slots/$1 object changed=() how
  IFS=$'\t' read -r file line at from to <<<"${candidates[$1]}"
  mkdir -p "$slot" && cp -R csrc/core "$slot/core"
  { head -c $((at - 1)) "$file" && printf '%s' "$to" && tail -c +$((at + ${#from})) "$file"; } >"$slot/${file#csrc/}"
  how='none unchanged'
  for object in $(users "$file"); do
    if ! compile "$slot" "$object" "$slot/$object.o"; then
      how='none uncompiled' changed=()
      cp "$file" "$slot/${file#csrc/}" && compile "$slot" "$object" "$slot/$object.o" || how='none broken'
      break
    fi
    cmp -s "$slot/$object.o" "$work/unmutated/$object.o" || changed+=("$object.o")
  done
  if [ ${#changed[@]} -gt 0 ]; then
    how=$(noticed "$slot" "$file" "${changed[@]}")
  fi
  rm -rf "$slot"
  printf '%s\t%s\n' "${how/ /$'\t'}" "${candidates[$1]}" >"$results/$1.part" && mv "$results/$1.part" "$results/$1"
}

# ---- all of them, in the order of the list ----

show() { # RESULT: a line for the reader, and what stands there
  local group suite file line at from to
  IFS=$'\t' read -r group suite file line at from to <<<"$1"
  printf '%-9s %-22s %s:%s: %s -> %s   | %s\n' "$group" "$suite" "${file#csrc/core/}" "$line" "$from" "${to:-nothing}" \
    "$(sed -n "${line}s/^ *//p" "$file")"
}
next=0 counted=0 running=0 shown=0
while :; do
  while [ -e "$results/$shown" ]; do
    result=$(<"$results/$shown")
    if [[ $result == none$'\t'broken* ]]; then
      echo "mutants: ${candidates[$shown]%%$'\t'*} does not compile here without an error either" && stop
    fi
    if [[ $result != none* ]]; then
      counted=$((counted + 1))
      [ "$counted" -gt "$N" ] || { show "$result" && printf '%s\n' "$result" >>"$results/all"; }
    fi
    shown=$((shown + 1))
  done
  [ "$counted" -lt "$N" ] || break
  if [ "$next" -lt "${#candidates[@]}" ] && [ "$running" -lt "$jobs" ]; then
    judge "$next" &
    next=$((next + 1)) running=$((running + 1))
  elif [ "$running" -gt 0 ]; then
    wait -n
    running=$((running - 1))
  else
    break
  fi
done
for job in $(jobs -p); do disown "$job" 2>/dev/null && kill -TERM -- "-$job" 2>/dev/null; done
touch "$results/all" && cp "$results/all" "$work/result.tsv"

echo
awk -F '\t' -v tried="$shown" '
  NR == FNR { if (!/^#/) reason[$1 "\t" $3 "\t" $4 "\t" $2] = $5; next }
  { total++; by[$1]++
    if ($1 == "survived") {
      for (n = 0; n < $4; n++) getline text < $3
      close($3); gsub(/^ +/, "", text)
      why = reason[$3 "\t" $6 "\t" $7 "\t" text]
      if (why ~ /^(equivalent|memory|performance)/) harmless++
      printf "survived: %s:%d: %s -> %s: %s\n", $3, $4, $6, $7 == "" ? "nothing" : $7, why == "" ? "no reason is known" : why } }
  END {
    printf "%d tried, %d of them change anything\n", tried, total
    split("c lua san-c san-lua survived", order, " ")
    split("C suites,Lua suites,sanitized C suites,sanitized Lua suites,nobody", who, ",")
    for (i = 1; i <= 5; i++) printf "  %-22s %4d\n", who[i], by[order[i]]
    if (total) printf "noticed: %.1f%%", 100 * (total - by["survived"]) / total
    if (total > harmless) printf "; of those that change a result %.1f%%", 100 * (total - by["survived"]) / (total - harmless)
    if (total) print "" }' "$reasons" "$work/result.tsv"
