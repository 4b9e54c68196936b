#!/usr/bin/env bash
# csrc/core/vesicle.h includes every public header of the core, and C++ reads it.
need clang++ clang
set -u
status=0
umbrella=csrc/core/vesicle.h
public=$(find csrc/core -name 'ves_*.h' ! -path '*/private/*' ! -path '*/avx2/*' ! -path '*/avx512/*' | sed 's|.*/||' | LC_ALL=C sort)
included=$(sed -n 's/^#include "\(.*\)"$/\1/p' "$umbrella")
if ! diff <(echo "$public") <(echo "$included"); then
  echo "^ $umbrella does not list the public headers, in the order of the alphabet"
  status=1
fi
for standard in c++11 c++20; do
  # shellcheck disable=SC2046 # a list of words
  echo '#include "vesicle.h"' | clang++ -x c++ -std=$standard -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
    $(flags_of csrc/core/) - || status=1
done
exit "$status"
