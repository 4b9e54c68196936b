#!/bin/sh
# documents.sh RESULTS: SHA-256 of each PDF, and of what they were made from: LaTeX and figure scripts.
here=$(pwd)
cd "$1" || exit 1
if command -v sha256sum >/dev/null 2>&1; then sum() { sha256sum; }; else sum() { shasum -a 256; }; fi
printf 'file\tsha256\n'
for file in paper.pdf supplement.pdf; do
  [ -e "$file" ] && printf '%s\t%s\n' "$file" "$(sum <"$file" | cut -c 1-64)"
done
printf 'sources\t%s\n' "$( (cd tex && LC_ALL=C && cat -- *.tex *.bib 2>/dev/null; cat "$here"/figures/*.gp) | sum | cut -c 1-64)"
