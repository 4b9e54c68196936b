#!/bin/sh
# checksums.sh RESULTS: a table of SHA-256 sums, one row per data table, over what is below its # lines.
cd "$1/data" || exit 1
if command -v sha256sum >/dev/null 2>&1; then sum() { sha256sum; }; else sum() { shasum -a 256; }; fi
printf 'file\tsha256\n'
for file in */*.tsv; do
  printf '%s\t%s\n' "$file" "$(sed '/^#/d' "$file" | sum | cut -c 1-64)"
done
