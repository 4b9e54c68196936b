#!/bin/sh
# site_list.sh SITE: writes SITE/site.json, what there is below SITE: whether experiments can run in the pages, a version that
# changes with any of them, and the files that work offline needs. PDFs and data are kept when they are first asked for.
set -eu
cd "$1"
rm -f site.json
play=false
if [ -e play/worker.js ]; then play=true; fi
files=$(find . -type f ! -path './data/*' ! -path './scripts/*' ! -path './play/data/*' ! -name '*.pdf' ! -name '*.gp' \
  ! -name 'offline.js' ! -name '*.part' | sed 's|^\./||' | LC_ALL=C sort)
version=$(echo "$files" | while IFS= read -r file; do cksum "$file"; done | cksum | cut -d ' ' -f 1)
{
  printf '{"play": %s, "version": "%s", "files": [\n' "$play" "$version"
  echo "$files" | sed 's|.*|  "&",|; $s|,$||'
  echo ']}'
} >site.json.part
mv site.json.part site.json
