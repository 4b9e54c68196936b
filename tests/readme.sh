#!/usr/bin/env bash
# What README.md and ARTIFACT.md say is true: the Lua example runs, every command in them is executed, here or by the test
# named beside it, and the README can be read in five minutes.
set -u
BUILD=${BUILD:-build}
VESICLE=${VESICLE:-build/vesicle}
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL
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

# Commands stand in indented blocks and in backquotes. A row of the claims stands for `make claim-ID`, of the figures for
# an experiment by its name; both kinds are the same rule for every name.
# shellcheck disable=SC2016
sed '/^<!--/d' README.md ARTIFACT.md | grep -oE '^    (make|mpirun|build/|docker|cp|git|vesicle)[^#]*|`(make|mpirun|build/vesicle|docker)( [^`]*)?`' |
  sed -e 's/^ *//; s/ *$//' -e 's/`//g' -e 's/^make claim-[a-z0-9-]*$/make claim-ID/' -e 's/^make [0-9][0-9]_[a-z_]*$/make NN_NAME/' |
  sort -u >"$tmp/commands"

# done_here NAME COMMAND...: executed now.  done_there NAME FILE TEXT: executed by that file, which has the text.
done_here() {
  local name=$1
  shift
  if "$@" >"$tmp/log" 2>&1; then echo "ok $name"; else
    tail -n 15 "$tmp/log"
    echo "not ok $name"
  fi
}
done_there() {
  if grep -qF -- "$3" "$2"; then echo "ok $1 (executed by $2)"; else echo "not ok $1: $2 does not execute it"; fi
}
id=$(awk -F'\t' '$NF == "15_errata" { print $1; exit }' docs/ledger.tsv)
while IFS= read -r command; do
  case $command in
  'make deps paper' | 'make deps test') done_there "$command" tests/artifact/fresh.sh "'$command'" ;;
  'make deps') done_there "$command" tests/artifact/fresh.sh "'make deps'" ;;
  'make deps GREATEST_H=path') done_there "$command" tests/build.sh 'GREATEST_H=' ;;
  'make SCALE=quick paper' | 'make site-pages' | 'make verify') done_there "$command" tests/paper.sh "${command##* }" ;;
  'make check-fresh') done_there "$command" Makefile 'bash tests/artifact/fresh.sh' ;;
  'make archive' | 'make arxiv') done_there "$command" tests/archive.sh "${command#make }" ;;
  'make experiment NAME=my_idea' | 'make my_idea') done_there "$command" tests/experiment_template.sh my_idea ;;
  'make lint') done_here "$command CHECKS=generated" make -s BUILD="$BUILD" lint CHECKS=generated ;;
  'make MPI=1' | mpirun*) done_there "$command" tests/fault/mpi.sh mpirun ;;
  'build/vesicle run script.lua') done_here "$command" "$VESICLE" run "$tmp/1.lua" --out "$tmp/out" ;;
  make) done_here "$command" make -s BUILD="$BUILD" ;;
  'make help') done_here "$command" make help ;;
  'make claim-ID') done_here "make claim-$id" make -s BUILD="$BUILD" SCALE=quick "claim-$id" ;;
  'make NN_NAME') done_here 'make SCALE=quick 15_errata' make -s BUILD="$BUILD" SCALE=quick 15_errata ;;
  'make claims') done_here 'make SCALE=quick claims' make -s BUILD="$BUILD" SCALE=quick claims ;;
  *) echo "not ok $command: no test executes it" ;;
  esac
done <"$tmp/commands"

# 200 words a minute, for what is neither generated nor code.
words=$(awk '/<!-- begin/ { skip = 1 } /<!-- end/ { skip = 0 } /^```/ { code = !code } !skip && !code' README.md | wc -w)
if [ "$words" -le 1000 ]; then echo "ok README.md has $words words"; else echo "not ok README.md has $words words: more than five minutes"; fi

# Every file and folder it names is there, or is made by the build.
# shellcheck disable=SC2016
gone=$(grep -ohE '`(csrc|lua|tests|figures|docs|paper)/[A-Za-z0-9_./-]*`|`[A-Z]+\.(md|cff)`' README.md | tr -d '`' | sort -u |
  while IFS= read -r path; do [ -e "$path" ] || echo "$path"; done)
if [ -z "$gone" ]; then echo 'ok every file it names exists'; else echo "not ok every file it names exists: $gone"; fi
