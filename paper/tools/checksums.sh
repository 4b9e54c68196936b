#!/bin/sh
# checksums.sh RESULTS data|documents: a table of SHA-256 sums.
#
#   data        of each table, over what is below its # lines
#   documents   of each PDF, and of what they were made from: LaTeX and figure scripts
results=$1
if command -v sha256sum >/dev/null 2>&1; then sum() { sha256sum | cut -c 1-64; }; else sum() { shasum -a 256 | cut -c 1-64; }; fi
row() { printf '%s\t%s\n' "$1" "$(sum)"; }
printf 'file\tsha256\n'
case $2 in
data)
  cd "$results/data" || exit 1
  for file in */*.tsv; do sed '/^#/d' "$file" | row "$file"; done
  ;;
documents)
  for file in paper.pdf supplement.pdf; do
    if [ -e "$results/$file" ]; then row "$file" <"$results/$file"; fi
  done
  LC_ALL=C
  export LC_ALL
  cat "$results"/tex/*.tex "$results"/tex/*.bib figures/*.gp 2>/dev/null | row sources
  ;;
*)
  echo "checksums.sh: \"$2\" is neither data nor documents" >&2
  exit 2
  ;;
esac
