#!/usr/bin/env bash
# The same bytes from every build: tests/program/determinism.lua prints numbers of every kind the project produces, and its
# output is compared between the build under test, whose numbers are compiled at -O3, the scalar path, AVX2 alone, the sanitized build,
# which is one at -O1, and clang. That of gcc at -O0 is compared by build.sh, which has such a build.
# suite: long, 25 s
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
out=$BUILD/determinism
mkdir -p "$out" || exit 1

run() { # NAME PROGRAM: writes $out/NAME.txt
  "$2" run tests/program/determinism.lua >"$out/$1.txt" 2>"$out/$1.err" && [ -s "$out/$1.txt" ] && return
  cat "$out/$1.err"
  return 1
}
same() { run "$@" && diff "$out/reference.txt" "$out/$1.txt"; } # NAME PROGRAM
variant() { # NAME COMPILER OPTIMISATION
  if ! command -v "$2" >/dev/null 2>&1; then
    echo "ok $1 # skip $2 is not installed"
  else
    check "$1 builds" make -s -j2 BUILD="$out/$1" CC="$2" OPT="$3" CFLAGS=-g0 "$out/$1/vesicle"
    check "$1" same "$1" "$out/$1/vesicle"
  fi
}

check reference run reference "$BUILD/vesicle"
check again same again "$BUILD/vesicle"
VES_SIMD=off check scalar same scalar "$BUILD/vesicle"
VES_SIMD=avx2 check avx2 same avx2 "$BUILD/vesicle"
check 'sanitized builds' shared_make sanitized
check sanitized same sanitized "$BUILD/san/vesicle"
variant clang-O2 clang -O2
