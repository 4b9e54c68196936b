#!/usr/bin/env bash
# What README.md, ARTIFACT.md and the pages they link to say is true. Every command in them, in blocks and in backquotes, is
# executed in a copy of the tree, in the order of the pages and at quick scale, and leaves what the page says:
#
#   as it stands    all but the following; `apt-get` and `sudo` are stand-ins that write down what they are asked, so that
#                   `make deps` installs nothing
#   in part         `make lint` runs one of its checks, `make claim-ID` and the commands of figures run a choice
#   dry             `make deps test`, which would run this test, and `make record`, which wants a build at full scale: what
#                   they would run is there
#
# A command that is not in the list below fails, and so does a block of a language that is not. What is typed at the prompt
# prints what stands there, and the README is one or two screens.
# suite: long, 30 s
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
tree=$tmp/tree

shopt -s dotglob extglob
copy_tree "$tree" !(.|..|.git|.cache|build*)
shopt -u dotglob
copy_build "$tree" third_party
if [ -e "$BUILD/quick" ]; then copy_build "$tree" quick; fi # results that the commands need not make from nothing
# and a supplement that TeX typesets in no time
short_chapters "$tree"/build/quick/tex/{api,[0-9]*}.tex
cd "$tree" || exit 1
unset BUILD VESICLE
export SCALE=quick # what the Makefile takes where the command does not say

# ---- nothing is installed ----
mkdir "$tmp/bin" && export PATH=$tmp/bin:$PATH
printf '#!/bin/sh\necho "$*" >>"%s"\n' "$tmp/asked" >"$tmp/bin/apt-get"
printf '#!/bin/sh\nexec "$@"\n' >"$tmp/bin/sudo"
chmod +x "$tmp/bin"/*

# ---- blocks ----
# Commands stand in fenced blocks of sh, in indented blocks and in backquotes; what follows # is a comment. A block of Lua is
# typed at the prompt, and the block of text below it is what it prints.
# shellcheck disable=SC2016
awk -v dir="$tmp" '
  function command(text) {
    sub(/^ */, "", text)
    sub(/ *(#.*)?$/, "", text)
    if (text != "") print text > (dir "/all")
  }
  /^```/ && !fence { fence = 1; language = substr($0, 4); if (language == "lua") n++; next }
  /^```$/ { fence = 0; next }
  fence && language ~ /^(lua|text)$/ { print > (dir "/" n "." language); next }
  fence && language == "sh" { command($0); next }
  fence { print FILENAME ":" FNR ": " language > (dir "/unknown"); next }
  /^<!--/ { next }
  /^    [^ ]/ { command($0); next }
  { rest = $0
    while (match(rest, /`(make|(make|mpirun|docker|git|(build\/)?vesicle) [^`]*)`/)) {
      command(substr(rest, RSTART + 1, RLENGTH - 2))
      rest = substr(rest, RSTART + RLENGTH)
    } }' README.md ARTIFACT.md docs/troubleshooting.md docs/figures.md docs/claims.md
touch "$tmp/all" "$tmp/unknown" && cp "$tmp/unknown" "$log"
[ ! -s "$tmp/unknown" ]
verdict 'every block is of a language that is tested' $?

for script in "$tmp"/*.lua; do
  build/vesicle repl <"$script" >"$tmp/said" 2>&1 && diff "${script%.lua}.text" "$tmp/said" >"$log"
  verdict "typed at the prompt: $(tail -n 1 "$script")" $?
done

# ---- commands ----
# Each once, in the order of the pages. A row of the claims stands for `make claim-ID`, of the figures for an experiment by
# its name; both kinds are the same rule for every name.
sed -e 's/^make claim-[a-z0-9-]*$/make claim-ID/' -e 's/^make [0-9][0-9]_[a-z_]*$/make NN_NAME/' "$tmp/all" |
  awk '!seen[$0]++' >"$tmp/commands"

# lacks TOOL...: says which of them is not installed.
lacks() {
  local tool
  for tool; do command -v "$tool" >/dev/null 2>&1 || { echo "$tool" && return; }; done
  return 1
}
needs=(true)
# runs NAME COMMAND...: executes it, unless something it needs is not installed.
runs() {
  local name=$1 tool
  shift
  if tool=$(lacks "${needs[@]}"); then echo "ok $name # skip $tool is not installed"; else
    "$@" >"$log" 2>&1 </dev/null
    verdict "$name" $?
  fi
}
as_it_stands() { bash -c "$1"; }
leaves() { # COMMAND FILE...: the files are there afterwards, and were not before
  local command=$1 file
  shift
  for file; do rm -f "$file"; done
  as_it_stands "$command" || return
  for file; do [ -s "$file" ] || { echo "$file is not there" && return 1; }; done
}
prints() { # PATTERN COMMAND
  as_it_stands "$2" >"$tmp/said" 2>&1 || { cat "$tmp/said" && return 1; }
  cat "$tmp/said" && grep -qE -- "$1" "$tmp/said"
}
dry() { # COMMAND TEXT...: what it would run has the texts
  local text
  as_it_stands "${1/make/make -n}" >"$tmp/said" 2>&1 || { cat "$tmp/said" && return 1; }
  shift
  for text; do grep -qF -- "$text" "$tmp/said" || { echo "it does not run $text" && return 1; }; done
}

# What makes `make deps` safe: it installs what is missing, and asks for nothing where nothing is.
installs_missing() {
  rm -f "$tmp/asked"
  as_it_stands "$1" >"$tmp/said" 2>&1 || { cat "$tmp/said" && return 1; }
  cat "$tmp/said"
  if grep -q '^Installing:' "$tmp/said"; then grep -q ' install -y ' "$tmp/asked"; else [ ! -e "$tmp/asked" ]; fi
}
greatest() { # the command as it is meant, with a path in place of "path"
  cp build/third_party/greatest.h elsewhere.h && rm -rf build/third_party .cache &&
    leaves "${1/=path/=elsewhere.h}" build/third_party/greatest.h
}
identical() { as_it_stands 'make -s expect' && prints '^verify: identical$' "$1"; }
# Every row names a statement that there is; two are run.
claim_rows() {
  sed -n 's/^make claim-\([a-z0-9-]*\)$/\1/p' "$tmp/all" >"$tmp/ids"
  # shellcheck disable=SC2016
  sed -n 's/^| `\([a-z0-9-]*\)` |.*/\1/p' docs/claims.md >>"$tmp/ids"
  [ "$(wc -l <"$tmp/ids")" -gt 100 ] || return 1
  cut -f 1 build/quick/data/*/claims.tsv | sort -u >"$tmp/known"
  if sort -u "$tmp/ids" | grep -vx ID | comm -23 - "$tmp/known" | grep .; then return 1; fi
  local id
  for id in mapping-exact sd-analytic; do prints "^$id: " "make -s claim-$id" || return; done
}
experiments() { # every name of the pages
  local names
  names=$(sed -n 's/^make \([0-9][0-9]_[a-z_]*\)$/\1/p' "$tmp/all" | sort -u | tr '\n' ' ')
  [ "$(wc -w <<<"$names")" -ge 16 ] && prints 'build/quick/figures/16_cost.svg' "make $names"
}
lint() { # what README.md calls an own experiment is none of the project's
  rm -f lua/experiments/my_idea.lua figures/my_idea.gp
  prints '^ok +generated' "$1 CHECKS=generated"
}

report=(latexmk pdflatex bibtex pandoc gnuplot)
documents=(build/quick/paper.pdf build/quick/supplement.pdf build/quick/figures/15_errata.pdf
  build/quick/data/15_errata/claims.tsv)
while IFS= read -r command; do
  needs=(true)
  case $command in
  'make deps') runs "$command" installs_missing "$command" ;;
  'make deps paper') needs=("${report[@]}") && runs "$command" leaves "$command" "${documents[@]}" ;;
  'make deps test') runs "$command (dry)" dry "$command" 'tests/setup/deps.sh build test' 'bash tests/run_tests.sh shell' ;;
  'make deps GREATEST_H=path') runs "$command" greatest "$command" ;;
  'make SCALE=quick paper') needs=("${report[@]}") && runs "$command" prints '^ +[0-9]+  hold as printed' "$command" ;;
  'make help') runs "$command" prints '^  paper ' "$command" ;;
  'make claims') runs "$command" prints '^mapping-exact: proved' "$command" ;;
  'make site-pages') needs=("${report[@]}") && runs "$command" leaves "$command" build/quick/site/index.html ;;
  'make check-fresh') runs "$command (dry)" dry "$command" 'tests/artifact/fresh.sh' ;; # named until it has run
  'make bench') runs "$command (dry)" dry "$command" 'tests/bench/bench.lua' ;;
  'make playground') runs "$command (dry)" dry "$command" 'paper/tools/site_list.sh' ;;
  'make verify') needs=("${report[@]}") && runs "$command" identical "$command" ;;
  'make && build/vesicle') runs "$command" as_it_stands "$command repl" ;; # which a terminal need not be told
  'make metadata') runs "$command" leaves "$command" docs/claims.md docs/figures.md ;;
  'make record') runs "$command (dry)" dry "$command" 'task=record' ;;
  make) runs "$command" leaves "$command" build/vesicle build/vesicle.so build/libvesicle.a build/libvesicle.so ;;
  'make experiment NAME=my_idea') runs "$command" leaves "$command" lua/experiments/my_idea.lua figures/my_idea.gp ;;
  'make claim-ID') needs=(gnuplot) && runs "$command" claim_rows ;;
  'make NN_NAME') needs=(gnuplot) && runs "$command" experiments ;;
  'make lint') runs "$command CHECKS=generated" lint "$command" ;;
  'vesicle cannot be built yet. '*) ;; # what one may see
  *) runs "$command: this test does not know how to execute it" false ;;
  esac
done <"$tmp/commands"

# ---- the page itself ----
bytes=$(wc -c <README.md)
[ "$bytes" -le 10000 ]
verdict "README.md has $bytes bytes, one or two screens have ten thousand" $?
