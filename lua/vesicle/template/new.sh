#!/bin/sh
# Writes a new experiment and its figure, both working, from the templates beside this script: new.sh NAME MAKEFILE...
set -eu
name=${1:-}
shift
here=$(dirname "$0")
script=lua/experiments/$name.lua
figure=figures/$name.gp

refuse() {
  printf 'make experiment: %s\n' "$1" >&2
  exit 2
}
[ -n "$name" ] || refuse 'which name? make experiment NAME=my_idea'
case $name in
*[!a-z0-9_]* | _*) refuse "NAME=$name: expected lower-case letters, digits and _, beginning with a letter or digit" ;;
esac
if grep -qE "^([a-z%-]+ +)*$name( +[a-z%-]+)* *:" "$@"; then refuse "NAME=$name: that is a target of the Makefile"; fi
[ ! -e "$script" ] || refuse "$script is already there"
[ ! -e "$figure" ] || refuse "$figure is already there"

# my_idea2 -> title "My idea2", macro MyIdeaTwoSlope, statement my-idea2-slope
words=$(echo "$name" | tr _ ' ' | sed 's/^ *//; s/ *$//')
title=$(echo "$words" | awk '{ print toupper(substr($0, 1, 1)) substr($0, 2) }')
macro=$(echo "$words" | awk '{
  split("Zero One Two Three Four Five Six Seven Eight Nine", digit, " ")
  for (i = 1; i <= NF; i++) {
    word = $i
    for (d = 0; d <= 9; d++) gsub(d, "<" digit[d + 1] ">", word)
    while (match(word, /(^|[<>])[a-z]/)) {
      at = RSTART + RLENGTH - 1
      word = substr(word, 1, RSTART - 1) toupper(substr(word, at, 1)) substr(word, at + 1)
    }
    gsub(/[<>]/, "", word)
    all = all word
  }
  print all "Slope"
}')
id=$(echo "$words" | tr ' ' -)

fill() { sed "s/NAME=NAME/NAME=$name/g; s/\\\\SLOPE/\\\\$macro/g; s/\"SLOPE\"/\"$macro\"/g; s/TITLE/$title/g; s/ID-slope/$id-slope/g; s/NAME\\([^=]\\)/$name\\1/g" "$1"; }
mkdir -p lua/experiments figures
fill "$here/experiment.lua" >"$script"
fill "$here/figure.gp" >"$figure"

cat <<END
  $script   the experiment
  $figure   its figure

  make $name              runs it, draws the figure and says where it is
  make watch NAME=$name   does so at quick scale whenever you save one of them
END
