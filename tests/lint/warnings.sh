#!/usr/bin/env bash
# Every C file compiles without a warning under the full set, with gcc and with clang. Compiled for real and optimised,
# because some warnings need the data flow.
need gcc gcc
need clang clang
compile() { # COMPILER FILE
  # shellcheck disable=SC2046,SC2086 # lists of words
  "$1" -std=c11 -O2 -ffp-contract=off $WARNINGS -Werror $(flags_of "$2") -c "$2" -o /dev/null
}
export -f compile
for compiler in gcc clang; do
  # shellcheck disable=SC2016 # expanded by the inner shell
  c_sources | xargs -0 -r -n 1 -P 2 bash -c 'compile "$0" "$1"' "$compiler" || status=1
done
exit "${status:-0}"
