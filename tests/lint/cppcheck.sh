#!/usr/bin/env bash
# cppcheck: warnings, performance, portability. System headers are left out: it knows the standard library by heart.
need cppcheck cppcheck
printf '%s\0' csrc/*.c tests/*.c | xargs -0 -r cppcheck --quiet --std=c11 --enable=warning,performance,portability \
  --inline-suppr --suppress=missingIncludeSystem --error-exitcode=1 -j 2 -Icsrc -I"$BUILD" -D__x86_64__ \
  '-D_Noreturn=__attribute__((noreturn))'
