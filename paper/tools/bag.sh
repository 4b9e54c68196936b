#!/bin/sh
# bag.sh VESICLE RESULTS NAME: a BagIt bag (RFC 8493) of the sources and of what was built in RESULTS, as RESULTS/NAME.tar.zst.
#
# The payload is the tree as it is checked out, with the results in its folder results/, so that it can be unpacked, read
# and built again without git. Journals are rewritten in the order of their rows, which is not the one they were finished in.
set -eu
vesicle=$1 results=$2 name=$3
for tool in zstd sqlite3; do
  command -v "$tool" >/dev/null 2>&1 && continue
  echo "archive: $tool is not installed (Debian package $tool)" >&2
  exit 1
done
# shellcheck source=paper/tools/bagit.sh
. "$(dirname "$0")/bagit.sh"

# Packed tightly where it is kept; at quick scale it is made to be tried.
case $name in *-quick) level=3 ;; *) level=19 ;; esac

work=$results/archive.part bag=$results/archive.part/$name
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
data=$bag/data
mkdir -p "$data/results/data" "$data/results/figures" "$data/results/journal"

# Sources: what git knows, or in a tree without git everything that was not built.
if [ -e .git ]; then
  git ls-files -z
  commit=$(git rev-parse HEAD)
else
  find . \( -path './build*' -o -path ./.cache -o -path ./results -o -path ./ro-crate-metadata.json \) -prune -o -type f -print0
  commit=$(grep -v Format .archive-commit || echo unknown)
fi >"$work/sources"
tar -cf - --null --no-recursion -T "$work/sources" | (cd "$data" && tar -xf -)
echo "$commit" >"$data/.archive-commit"

# Results. Table headers name the commit and whether the tree had changes, which is the sources' business.
cp "$results/paper.pdf" "$results/supplement.pdf" "$results/checksums.tsv" "$data/results"
cp "$results"/figures/*.pdf "$results"/figures/*.svg "$data/results/figures"
# The web pages; with the runtime in them where `make playground` has built it.
cp -R "$results/site" "$data/results/site"
[ -e "$results/site/play/worker.js" ] || echo '  the pages in the archive cannot run; make playground adds what they need' >&2
for claims in "$results"/data/*/claims.tsv; do
  from=${claims%/claims.tsv}
  mkdir "$data/results/data/${from##*/}"
  cp "$from"/*.tsv "$data/results/data/${from##*/}"
  if [ -e "$from/numbers.tex" ]; then cp "$from/numbers.tex" "$data/results/data/${from##*/}"; fi
done
for journal in "$results"/data/*.sqlite; do
  sqlite3 "file:$journal?mode=ro" "VACUUM INTO '$data/results/journal/${journal##*/}'"
done
"$vesicle" run --trust lua/vesicle/publish/main.lua --out "$data" --set task=crate --set folder=results/

bag_tags "$bag" "Sources and results of vesicle, commit $commit"
bag_tar "$work" "$name" | zstd -q -T1 "-$level" -f -o "$results/$name.tar.zst"
echo "  $results/$name.tar.zst: $files files, $(wc -c <"$results/$name.tar.zst" | tr -d ' ') bytes"
