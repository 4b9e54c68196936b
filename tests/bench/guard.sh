#!/bin/sh
# Counts the instructions of each phase of a fixed small job and compares them with the committed budget: more than 5% over
# fails. `guard.sh BUILD update` writes a new budget. Counts depend on the compiler and on the vector path, so the budget
# names both, and another compiler or path is only reported.
set -eu
build=$1
budget=tests/bench/guard.tsv
command -v valgrind >/dev/null || { echo 'bench-guard needs valgrind (Debian package valgrind)' >&2; exit 2; }

dir=$build/bench
path=$(valgrind --tool=callgrind --callgrind-out-file="$dir/guard.out" "$dir/guard" 2>"$dir/guard.log")
compiler=$(${CC:-gcc} -dumpfullversion 2>/dev/null || echo unknown)
callgrind_annotate --auto=no --inclusive=yes --threshold=100 "$dir/guard.out" |
  awk -v c="${CC:-gcc}-$compiler" -v p="$path" '
    # a function stands there once for each file that it has lines of, whole the first time
    /phase_[a-z]+/ { n = $1; gsub(/,/, "", n); match($0, /phase_[a-z]+/); phase = substr($0, RSTART + 6, RLENGTH - 6)
      if (!(phase in seen)) print phase "\t" n "\t" c "\t" p
      seen[phase] = 1 }' | sort >"$dir/guard.tsv"
[ -s "$dir/guard.tsv" ] || { echo 'bench-guard: callgrind named no phase' >&2; exit 2; }

if [ "${2:-}" = update ]; then
  { printf '# instructions of tests/bench/guard.c by phase\nphase\tinstructions\tcompiler\tpath\n'; cat "$dir/guard.tsv"; } >"$budget"
  cat "$budget"
  exit 0
fi
awk -F '\t' '
  NR == FNR { if ($1 !~ /^#/ && $1 != "phase") { limit[$1] = $2; compiler = $3; path = $4 } ; next }
  !($1 in limit) { print $1 " has no budget: make bench-budget"; missing = 1; next }
  { seen[$1] = 1
    over = 100 * ($2 / limit[$1] - 1)
    printf "%-10s %12d instructions, %+.1f%% of the budget\n", $1, $2, over
    if ($3 != compiler || $4 != path) other = $3 " " $4
    else if (over > 5) failed = failed " " $1 }
  END {
    for (phase in limit) if (!(phase in seen)) { print phase " was not counted"; missing = 1 }
    if (missing) exit 1
    if (other) { print "another compiler or path (" other ", budget " compiler " " path "): reported only"; exit 0 }
    if (failed) { print "over budget by more than 5%:" failed; exit 1 } }' "$budget" "$dir/guard.tsv"
