#!/usr/bin/env bash
# Prints which experiments are to run again: stale.sh DATA NAME...
# A run leaves a list DATA/NAME.d: `read PATH` of what it read, `absent PATH` of what it looked for in vain, `wrote FILE` of
# its results. A script may choose these words: here they are arguments of `[` and nothing else, and none is printed.
set -u
data=$1
shift
fresh() { # NAME
  while IFS= read -r line; do
    path=${line#* }
    case $line in
    'read '*) [ -e "$path" ] && ! [ "$path" -nt "$data/$1/claims.tsv" ] ;;
    'absent '*) ! [ -e "$path" ] ;;
    'wrote '*) [ -e "$data/$1/$path" ] ;;
    *) false ;;
    esac || return
  done <"$data/$1.d"
}
for name; do
  [ -e "$data/$name.d" ] && fresh "$name" || echo "$name"
done
