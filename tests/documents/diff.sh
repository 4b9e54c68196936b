#!/usr/bin/env bash
# `make diff`: a commit, an edit that moves results, and what is said of it; then the edit taken back.
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
requires 'make diff' git gnuplot
copy_tree "$tmp/tree" Makefile csrc lua figures tests paper docs .gitignore
cd "$tmp/tree" || exit 1
export BUILD=build GIT_CONFIG_GLOBAL=/dev/null
{ git init -q . && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm old; } >"$log" 2>&1 || exit 1
name=$(git rev-parse HEAD | cut -c 1-12)
# The commit's tree as it would be unpacked, compiled already.
mkdir "$tmp/old" && cp -Rp . "$tmp/old" && rm -rf "$tmp/old/.git" && mkdir build/diff && mv "$tmp/old" "build/diff/$name" || exit 1
says() { # NAME CODE PATTERN COMMAND...
  local name=$1 code=$2 pattern=$3
  shift 3
  "$@" >"$log" 2>&1
  [ $? -eq "$code" ] && grep -qE -- "$pattern" "$log"
  verdict "$name" $?
}
says 'a commit is asked for' 2 'OLD=\.\.\. is missing' make diff
says 'one that is none is refused' 2 'OLD=nothing: git knows no such commit' make diff OLD=nothing
says 'an experiment that is none is refused' 2 'ONLY=99_none: neither tree' make diff OLD=HEAD ONLY=99_none

says 'the same tree has not moved' 0 'changed: 0 of [0-9]+ statements, 0 of [0-9]+ verdicts, 0 of [1-9][0-9]* numbers, 0 of [0-9]+ settings, 0 of [0-9]+ tables; 0 of 1 figures' \
  make diff OLD=HEAD ONLY=02_sampling_diagram
sed -i 's/examples = { 1000,/examples = { 60,/' lua/experiments/02_sampling_diagram.lua
says 'an edit moves numbers' 0 '^  02_sampling_diagram .SubsetSize: .* -> .* \([-+][0-9.e+]+ standard errors?\)$' make diff OLD=HEAD ONLY=02_sampling_diagram
cp "$log" "$tmp/said"
check 'its setting is named' grep -q "02_sampling_diagram examples: 1000 -> 60" "$tmp/said"
check 'and that the figure changed' grep -q "1 of 1 figures" "$tmp/said"
page=build/diff/$name-quick
check 'the page has both figures' grep -q '<img src="new/02_sampling_diagram.svg"' "$page/index.html"
check 'which are there' test -s "$page/old/02_sampling_diagram.svg" -a -s "$page/new/02_sampling_diagram.svg"
if cmp -s "$page/old/02_sampling_diagram.svg" "$page/new/02_sampling_diagram.svg"; then verdict 'and differ' 1; else verdict 'and differ' 0; fi
