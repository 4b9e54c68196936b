#!/usr/bin/env bash
# archive.sh RESULTS ARCHIVE: unpacks an archive elsewhere, verifies it, sees that damage is noticed, and rebuilds the
# report from it without git: the same bytes. RESULTS says at which scale. REBUILD=no leaves the last step out.
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
unset BUILD
results=$1 archive=$2
damaged() { # COMMAND: done to a copy of the bag, it is noticed
  rm -rf "$tmp/copy" && cp -R "$bag" "$tmp/copy" && (cd "$tmp/copy" && eval "$1") && ! sh "$here/tests/artifact/verify_bag.sh" "$tmp/copy"
}

mkdir "$tmp/elsewhere" && zstd -q -d -c "$archive" | tar -C "$tmp/elsewhere" -xf - || exit 1
bag=$(echo "$tmp/elsewhere"/*)
check 'one directory, named as the archive' test "$(basename "$bag")" = "$(basename "$archive" .tar.zst)"
check 'the bag is complete and valid' sh tests/artifact/verify_bag.sh "$bag"
check 'an altered file is noticed' damaged 'echo >>data/README.md'
check 'a missing file is noticed' damaged 'rm data/results/paper.pdf'
check 'a file too many is noticed' damaged 'echo >data/more'
check 'an altered tag file is noticed' damaged 'echo "Contact-Name: x" >>bag-info.txt'
check 'no path of this machine' test -z "$(grep -rlF -- "$here/" "$bag" | head -n 1)"
check 'the web pages are in it' test -s "$bag/data/results/site/index.html" -a -s "$bag/data/results/site/own.html"
if [ -e "$results/site/play/worker.js" ]; then
  check 'with what they need to run' test -s "$bag/data/results/site/play/vesicle-simd.wasm" -a -s "$bag/data/results/site/play/gnuplot.wasm"
  check 'and they say so' grep -q '"play": true' "$bag/data/results/site/site.json"
fi
check 'journals are readable' sqlite3 "$bag/data/results/journal/06_variance_components.sqlite" 'pragma integrity_check'

case $results in */quick) scale=quick ;; *) scale=full ;; esac
built=build$([ "$scale" = full ] || echo /quick)
[ "${REBUILD:-yes}" = yes ] || exit 0
check "make SCALE=$scale paper, from the archive alone" env -C "$bag/data" PATH="$PATH" make -s SCALE="$scale" paper
for file in paper.pdf supplement.pdf checksums.tsv; do
  check "the same $file" cmp "$bag/data/results/$file" "$bag/data/$built/$file"
done
