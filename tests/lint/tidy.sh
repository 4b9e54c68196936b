#!/usr/bin/env bash
# clang-tidy, with the checks chosen in .clang-tidy and tests/.clang-tidy.
need clang-tidy clang-tidy
tidy() { # FILE
  # shellcheck disable=SC2046 # a list of words
  clang-tidy --quiet "$1" -- -std=c11 $(flags_of "$1") 2>&1 | grep -vE '^[0-9]+ warnings? '
  return "${PIPESTATUS[0]}"
}
export -f tidy
# shellcheck disable=SC2016 # expanded by the inner shell
c_sources | xargs -0 -r -n 1 -P 2 bash -c 'tidy "$0"'
