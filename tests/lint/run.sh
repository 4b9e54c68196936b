#!/usr/bin/env bash
# Runs the checks named as arguments, or every check in this directory, and says which failed. A check prints what is wrong and exits non-zero; it calls
# `need TOOL PACKAGE` first, so that a missing tool is named with its package and not mistaken for a fault of the code.
set -u
need() {
  command -v "$1" >/dev/null 2>&1 && return
  echo "$1 is not installed: Debian package $2, or \"make deps lint\""
  exit 1
}
# Files the project consists of, as NUL-separated names, optionally only those matching patterns: tracked ones, or in a
# tree without git everything outside the build directories.
sources() {
  if [ -e .git ] && command -v git >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard -- "$@"
  else
    find . \( -path './build*' -o -path ./.cache \) -prune -o -type f -print0 | sed -z 's|^\./||' |
      while IFS= read -r -d '' file; do
        [ $# -gt 0 ] || printf '%s\0' "$file"
        # shellcheck disable=SC2254 # the arguments are patterns
        for pattern; do case $file in $pattern) printf '%s\0' "$file" ;; esac done
      done
  fi
}
# The folders whose headers a file may include: its own layer and those below.
layers_of() {
  case $1 in
  csrc/host/*) find csrc/core csrc/lua csrc/host -type d ;;
  csrc/lua/*) find csrc/core csrc/lua -type d ;;
  *) find csrc/core -type d ;;
  esac
}
c_sources() { find csrc -name '*.c' -print0 | sort -z && printf '%s\0' tests/*.c; }
# Compiler arguments that depend on the file's layer.
flags_of() {
  echo "$(layers_of "$1" | sed 's/^/-I/') -I$BUILD $(cat "$BUILD"/config/{gsl,lua,sqlite,edit,md}.cflags | tr '\n' ' ')"
  case $1 in
  csrc/host/*) echo "$HOST_FLAGS" ;;
  *_avx2.c) cat "$BUILD/config/avx2.cflags" ;;
  tests/*) echo "$TEST_FLAGS" ;;
  esac
}
export -f need sources layers_of c_sources flags_of
export BUILD=${BUILD:-build}

if [ $# -eq 0 ]; then
  for check in tests/lint/*.sh; do
    name=$(basename "$check" .sh)
    [ "$name" = run ] || set -- "$@" "$name"
  done
fi

failed=0
for name; do
  start=$SECONDS
  if output=$(bash "tests/lint/$name.sh" 2>&1); then
    printf 'ok   %-10s (%d s)\n' "$name" $((SECONDS - start))
  else
    printf 'FAIL %-10s (%d s)\n%s\n' "$name" $((SECONDS - start)) "$output"
    failed=$((failed + 1))
  fi
done
[ "$failed" -eq 0 ] || echo "lint: $failed checks failed"
[ "$failed" -eq 0 ]
