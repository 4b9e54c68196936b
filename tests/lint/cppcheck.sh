#!/usr/bin/env bash
# cppcheck: warnings, performance, portability. System headers are left out: it knows the standard library by heart.
need cppcheck cppcheck
# shellcheck disable=SC2046 # a list of words
c_sources | xargs -0 -r cppcheck --quiet --std=c11 --enable=warning,performance,portability \
  --inline-suppr --suppress=missingIncludeSystem --error-exitcode=1 -j 2 $(folders_below csrc/host/ | sed 's/^/-I/') -I"$BUILD" -D__x86_64__ \
  '-D_Noreturn=__attribute__((noreturn))'
