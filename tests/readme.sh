#!/usr/bin/env bash
# What the README says is true: its Lua example runs, and every make target it names exists.
set -u
VESICLE=${VESICLE:-build/vesicle}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

awk -v dir="$tmp" '/^```lua$/ { n++; inside = 1; next } /^```$/ { inside = 0 } inside { print > (dir "/" n ".lua") }' README.md
for script in "$tmp"/*.lua; do
  name="README Lua example $(basename "$script" .lua)"
  if [ -e "$script" ] && "$VESICLE" run "$script" --out "$tmp/out" >"$tmp/log" 2>&1 && [ -s "$tmp/log" ]; then
    echo "ok $name"
  else
    cat "$tmp/log"
    echo "not ok $name"
  fi
done

# Commands stand in indented blocks and in backquotes.
# shellcheck disable=SC2016
commands=$(grep -oE '^    make [^#]*|`make [^`]*`' README.md | tr -d '`')
for target in $(tr ' ' '\n' <<<"$commands" | grep -E '^[a-z][a-z-]*$' | grep -vx make | sort -u); do
  if grep -qE "^$target:" Makefile; then echo "ok make $target exists"; else echo "not ok make $target exists"; fi
done
