#!/bin/sh
# checksums.sh RESULTS data|documents: a table of SHA-256 sums.
#
#   data        of each table, without its # lines
#   documents   of each PDF, and of what they were made from: LaTeX, chapters as they were before pandoc, figure scripts;
#               apart from these the identifiers of functions, which follow every change of a source; and the versions of the
#               programs that made the PDFs of it. Experiments of one's own, whose names have no number, are no part of them:
#               neither their figures nor the chapters that OWN=1 has left
results=$1
if command -v sha256sum >/dev/null 2>&1; then sums() { sha256sum "$@"; }; else sums() { shasum -a 256 "$@"; }; fi
own() { # FILE: a figure or a chapter of an experiment without a number
  name=${1##*/} && name=${name%%.*}
  case $name in [0-9][0-9]_*) return 1 ;; esac
  [ -e "lua/experiments/${name%%-*}.lua" ]
}
row() { printf '%s\t%s\n' "$1" "$(sums | cut -c 1-64)"; }
program() { printf 'program %s\t%s\n' "$1" "$("$1" --version | sed 1q)"; }
printf 'file\tsha256\n'
case $2 in
data)
  cd "$results/data" || exit 1
  # There are hundreds of them: one program takes the lines out of all, one makes all sums.
  bare=$(mktemp -d) || exit 1
  trap 'rm -rf "$bare"' EXIT
  for folder in */; do mkdir "$bare/$folder" || exit 1; done
  set -- */*.tsv
  awk -v to="$bare/" 'FNR == 1 { if (out) close(out); out = to FILENAME; printf "" > out } !/^#/ { print > out }' "$@" || exit 1
  cd "$bare" && sums "$@" | awk '{ print $2 "\t" $1 }'
  ;;
documents)
  for file in paper.pdf supplement.pdf; do
    if [ -e "$results/$file" ]; then row "$file" <"$results/$file"; fi
  done
  LC_ALL=C
  export LC_ALL
  set --
  for file in "$results"/tex/*.tex "$results"/weave/*.tex.md "$results"/tex/*.bib figures/*.gp; do
    woven=$results/weave/${file##*/}.md
    case $file in */identifiers.tex.md) continue ;; */tex/*.tex) [ ! -e "$woven" ] || continue ;; esac # pandoc's
    own "$file" || set -- "$@" "$file"
  done
  cat -- "$@" 2>/dev/null | row sources
  if [ -e "$results/weave/identifiers.tex.md" ]; then row identifiers <"$results/weave/identifiers.tex.md"; fi
  for name in gnuplot pandoc pdflatex; do program "$name"; done
  ;;
*)
  echo "checksums.sh: \"$2\" is neither data nor documents" >&2
  exit 2
  ;;
esac
