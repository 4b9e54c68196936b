#!/usr/bin/env bash
# Runs the checks named as arguments, or every check in this directory, side by side, and says which failed. A check prints
# what is wrong and exits non-zero; it calls `need TOOL PACKAGE` first, so that a missing tool is named with its package and
# not mistaken for a fault of the code.
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
# What runs in a page alone is compiled by emscripten, with the same warnings (csrc/web/web.mk).
c_sources() { find csrc tests -name '*.c' ! -path 'tests/*/*' ! -path 'csrc/web/*' -print0 | sort -z; }
# The folders whose headers a file may include: those of its layer and of the layers below. Tests are of the core.
folders_below() { # FILE
  local layer
  for layer in core lua host; do
    find "csrc/$layer" -type d
    case $1 in "csrc/$layer"/* | tests/*) return ;; esac
  done
}
# Compiler arguments that depend on the file's layer.
flags_of() { # FILE
  echo "$(folders_below "$1" | sed 's/^/-I/') -I$BUILD $(cat "$BUILD"/config/{gsl,lua,sqlite,edit,md}.cflags | tr '\n' ' ')"
  case $1 in
  csrc/host/*) echo "$HOST_FLAGS" ;;
  *_avx2.c) cat "$BUILD/config/avx2.cflags" ;;
  *_avx512.c) cat "$BUILD/config/avx512.cflags" ;;
  tests/*) echo "$TEST_FLAGS" ;;
  esac
}
export -f need sources c_sources folders_below flags_of
export BUILD=${BUILD:-build}

if [ $# -eq 0 ]; then
  for check in tests/lint/*.sh; do
    name=$(basename "$check" .sh)
    [ "$name" = run ] || set -- "$@" "$name"
  done
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

one() { # NAME: its line and, if it failed, what it said
  local start=$SECONDS
  if bash "tests/lint/$1.sh" >"$work/$1" 2>&1; then
    printf 'ok   %-10s (%d s)\n' "$1" $((SECONDS - start))
  else
    { printf 'FAIL %-10s (%d s)\n' "$1" $((SECONDS - start)) && cat "$work/$1"; } >"$work/$1.said"
    cat "$work/$1.said"
  fi
}
for name; do one "$name" & done
wait
failed=$(find "$work" -name '*.said' | wc -l)
[ "$failed" -eq 0 ] || echo "lint: $failed checks failed"
[ "$failed" -eq 0 ]
