#!/usr/bin/env bash
# arxiv.sh TARBALL: the report's LaTeX, unpacked elsewhere, compiles with plain pdflatex and bibtex, and again with the
# bibliography it brings along.
set -u
tarball=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" && tar -xzf "$tarball" || exit 1
sound() { # no reference or citation left open
  [ -s paper.pdf ] && ! grep -E "undefined (references|citations)|(Reference|Citation) .* undefined" paper.log
}
tex() { pdflatex -interaction=nonstopmode -halt-on-error paper.tex >log 2>&1 || { tail -n 20 log && echo "not ok pdflatex" && exit 1; }; }
again() { sound >/dev/null || tex; } # where two are not enough
tex && tex && again
if sound; then echo 'ok pdflatex with the bibliography at hand'; else echo 'not ok pdflatex with the bibliography at hand' && exit 1; fi
cp paper.pdf first.pdf
rm -f paper.aux paper.bbl paper.out
tex && bibtex paper >log 2>&1 && tex && tex && again
if sound && [ -s paper.bbl ]; then echo 'ok pdflatex, bibtex, pdflatex'; else echo 'not ok pdflatex, bibtex, pdflatex' && exit 1; fi
