#!/bin/sh
# diff.sh BUILD RESULTS SCALE OLD [EXPERIMENT...]: builds the commit OLD beside the tree at hand, runs the experiments in both
# (all, or those named), and compares: numbers, verdicts, tables, figures. The tree of OLD and the page stand below BUILD/diff.
set -eu
build=$1 results=$2 scale=$3 old=$4
shift 4
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL SCALE
fail() {
  printf 'diff: %s\n' "$*" >&2
  exit 2
}
[ -n "$old" ] || fail 'OLD=... is missing: a commit, tag or branch to compare with'
commit=$(git rev-parse --quiet --verify "$old^{commit}" 2>/dev/null) || fail "OLD=$old: git knows no such commit"
name=$(echo "$commit" | cut -c 1-12)
tree=$build/diff/$name page=$build/diff/$name-$scale

if [ ! -e "$tree/Makefile" ]; then
  rm -rf "$tree.part" && mkdir -p "$tree.part"
  git archive "$commit" | tar -C "$tree.part" -xf -
  mv "$tree.part" "$tree"
fi

# Of a tree what it has of the experiments named, data and figures; only data where nothing draws.
run() { # FOLDER BUILD EXPERIMENT...
  folder=$1 into=$2
  shift 2
  goals=
  for one; do if [ -e "$folder/lua/experiments/$one.lua" ]; then goals="$goals $one"; fi; done
  if [ $# -eq 0 ]; then goals=data && if command -v gnuplot >/dev/null 2>&1; then goals=figures; fi; fi
  [ -n "$goals" ] || return 0
  # shellcheck disable=SC2086 # a list of words
  (cd "$folder" && ${MAKE:-make} -s BUILD="$into" SCALE="$scale" all && ${MAKE:-make} -s BUILD="$into" SCALE="$scale" $goals) >"$build/diff/log" 2>&1 ||
    { tail -n 20 "$build/diff/log" && fail "$folder at $scale scale could not be run; the whole of it is in $build/diff/log"; }
}
for one; do
  [ -e "$tree/lua/experiments/$one.lua" ] || [ -e "lua/experiments/$one.lua" ] || fail "ONLY=$one: neither tree has such an experiment"
done
echo "  RUN   $name, $scale scale"
run "$tree" build "$@"
echo "  RUN   this tree, $scale scale"
run . "$build" "$@"

old_results=$tree/build
if [ "$scale" = quick ]; then old_results=$old_results/quick; fi
rm -rf "$page" && mkdir -p "$page/old" "$page/new"
experiments=$*
[ -n "$experiments" ] || experiments=$(for script in "$tree"/lua/experiments/[0-9]*.lua lua/experiments/[0-9]*.lua; do basename "$script" .lua; done | sort -u | tr '\n' ' ')
for one in $experiments; do
  for figure in "$old_results/figures/$one".svg "$old_results/figures/$one"-*.svg; do if [ -e "$figure" ]; then cp "$figure" "$page/old"; fi; done
  for figure in "$results/figures/$one".svg "$results/figures/$one"-*.svg; do if [ -e "$figure" ]; then cp "$figure" "$page/new"; fi; done
done
"$build/vesicle" run --trust lua/vesicle/publish/main.lua --quiet --scale "$scale" --out "$page" --set task=diff --set old="$old_results" \
  --set new="$results" --set names="$experiments" --set ref="$old ($name)"
