#!/usr/bin/env bash
# The archive and the LaTeX tarball of a build at quick scale: made twice they are the same files, the bag is valid, damage to
# it is noticed, the LaTeX compiles by itself. `make check-archive` goes on to rebuild the report from the archive.
# suite: long, 25 s
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
requires 'the archive' latexmk pdflatex bibtex pandoc gnuplot zstd sqlite3
results=$BUILD/quick
check 'make archive arxiv' shared_make SCALE=quick archive arxiv
archive=$(echo "$results"/vesicle-*-quick.tar.zst) tarball=$(echo "$results"/vesicle-*-quick-arxiv.tar.gz)
cp "$archive" "$tmp/first.tar.zst" && cp "$tarball" "$tmp/first.tar.gz" || exit 1
TZ=Pacific/Kiritimati check 'again' shared_make SCALE=quick archive arxiv
check 'the same archive' cmp "$archive" "$tmp/first.tar.zst"
check 'the same tarball' cmp "$tarball" "$tmp/first.tar.gz"
check 'the tarball compiles with plain pdflatex and bibtex' bash tests/artifact/arxiv.sh "$tarball"
REBUILD=no VESICLE=$BUILD/vesicle bash tests/artifact/archive.sh "$results" "$archive"
