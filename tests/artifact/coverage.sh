#!/bin/sh
# coverage.sh BUILD: runs the C and Lua suites of a build with --coverage and prints what they reach of each core file.
# Lines are those the compiler made code for; a branch counts when it was taken at least once.
set -u
build=$1
goal=95
find "$build" -name '*.gcda' -exec rm -f {} +
BUILD=$build bash tests/run_tests.sh c lua >"$build/coverage.log" || {
  cat "$build/coverage.log"
  exit 1
}
for source in csrc/core/*.c csrc/core/*/*.c; do
  object=${source%/*}
  gcov -b -n -o "$build/obj/${object#csrc/}" "$source" 2>/dev/null
done | LC_ALL=C awk -v goal="$goal" '
  function percent(hit, all) { return all ? sprintf("%5.1f%%", 100 * hit / all) : "     -" }
  /^File / { file = $2; gsub("\047", "", file); wanted = file ~ /^csrc\/core\/.*\.c$/ && !(file in lines) }
  /^(Calls executed|No calls)/ { wanted = 0 } # a total over all files follows, without a name
  !wanted { next }
  /^Lines executed:/ { split($2, part, "[:%]"); lines[file] = $4; order[++n] = file; hit[file] = part[2] * $4 / 100 }
  /^Taken at least once:/ { split($4, part, "[:%]"); branches[file] = $6; taken[file] = part[2] * $6 / 100 }
  END {
    printf "%-32s %7s %7s %9s %7s\n", "file", "lines", "reached", "branches", "taken"
    for (i = 1; i <= n; i++) {
      f = order[i]
      printf "%-32s %7d %7s %9d %7s\n", f, lines[f], percent(hit[f], lines[f]), branches[f], percent(taken[f], branches[f])
      L += lines[f]; H += hit[f]; B += branches[f]; T += taken[f]
    }
    printf "%-32s %7d %7s %9d %7s\n", "the core", L, percent(H, L), B, percent(T, B)
    if (!L || 100 * H / L < goal) { printf "below the goal of %d%% of lines\n", goal; exit 1 }
  }'
