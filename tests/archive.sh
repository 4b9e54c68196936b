#!/usr/bin/env bash
# The archive and the LaTeX tarball of a build at quick scale: made twice they are the same files, the bag is valid, damage to
# it is noticed, the LaTeX compiles by itself. `make check-archive` goes on to rebuild the report from the archive.
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/lib.bash"
own_make
requires 'the archive' pdflatex bibtex latexmk pandoc gnuplot zstd sqlite3
results=$BUILD/quick
pack() { make -s -j2 BUILD="$BUILD" SCALE=quick archive arxiv; }
check 'make archive arxiv' pack
archive=$(echo "$results"/vesicle-*-quick.tar.zst) tarball=$(echo "$results"/vesicle-*-quick-arxiv.tar.gz)
cp "$archive" "$tmp/first.tar.zst" && cp "$tarball" "$tmp/first.tar.gz" || exit 1
check 'again' env TZ=Pacific/Kiritimati make -s BUILD="$BUILD" SCALE=quick archive arxiv
check 'the same archive' cmp "$archive" "$tmp/first.tar.zst"
check 'the same tarball' cmp "$tarball" "$tmp/first.tar.gz"
check 'the tarball compiles with plain pdflatex and bibtex' bash tests/artifact/arxiv.sh "$tarball"
REBUILD=no VESICLE=$BUILD/vesicle bash tests/artifact/archive.sh "$results" "$archive"
