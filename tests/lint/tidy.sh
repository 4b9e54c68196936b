#!/usr/bin/env bash
# clang-tidy, with the checks chosen in .clang-tidy. In a test, an assertion that fails may leak what the test holds.
need clang-tidy clang-tidy
tidy() { # FILE
  local checks=
  case $1 in tests/*) checks=--checks=-clang-analyzer-unix.Malloc ;; esac
  # shellcheck disable=SC2046,SC2086 # lists of words
  clang-tidy --quiet $checks "$1" -- -std=c11 $(flags_of "$1") 2>&1 | grep -vE '^[0-9]+ warnings? '
  return "${PIPESTATUS[0]}"
}
export -f tidy
# shellcheck disable=SC2016 # expanded by the inner shell
sources 'csrc/*.c' 'tests/*.c' | xargs -0 -r -n 1 -P 2 bash -c 'tidy "$0"'
