#!/usr/bin/env bash
# The same bytes from every build: tests/determinism.lua prints numbers of every kind the project produces, and its
# output is compared between the build under test, the scalar path, gcc at -O0 and -O3, and clang.
# suite: long
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/lib.bash"
out=$BUILD/determinism
mkdir -p "$out" || exit 1

run() { # NAME PROGRAM: writes $out/NAME.txt
  "$2" run tests/determinism.lua >"$out/$1.txt" 2>"$out/$1.err" && [ -s "$out/$1.txt" ] && return
  cat "$out/$1.err"
  return 1
}
compare() { # NAME
  if cmp "$out/reference.txt" "$out/$1.txt"; then
    echo "ok $1"
  else
    diff "$out/reference.txt" "$out/$1.txt" | head -n 10
    echo "not ok $1"
  fi
}
variant() { # NAME COMPILER OPTIMISATION
  if ! command -v "$2" >/dev/null 2>&1; then
    echo "ok $1 # skip $2 is not installed"
  elif make -s -j2 BUILD="$out/$1" CC="$2" OPT="$3" "$out/$1/vesicle" && run "$1" "$out/$1/vesicle"; then
    compare "$1"
  else
    echo "not ok $1"
  fi
}

if ! run reference "$BUILD/vesicle"; then
  echo 'not ok reference'
  exit 1
fi
echo "ok reference, $(wc -l <"$out/reference.txt") lines"
if run again "$BUILD/vesicle"; then compare again; else echo 'not ok again'; fi
export VES_SIMD=off
if run scalar "$BUILD/vesicle"; then compare scalar; else echo 'not ok scalar'; fi
unset VES_SIMD
variant gcc-O0 gcc -O0
variant gcc-O3 gcc -O3
variant clang-O2 clang -O2
