#!/bin/sh
# arxiv.sh RESULTS NAME: the report's LaTeX with everything it reads, as RESULTS/NAME.tar.gz, for plain pdflatex and bibtex.
#
# The supplement goes along as an ancillary file. The file depends on what is in it alone.
set -eu
results=$1 name=$2
LC_ALL=C
export LC_ALL
work=$results/arxiv.part
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
mkdir -p "$work/figures" "$work/anc"
{ echo '\pdfoutput=1' && cat "$results/tex/paper.tex"; } >"$work/paper.tex"
for file in preamble.tex macros.tex refs.bib paper.bbl; do cp "$results/tex/$file" "$work"; done
cp "$results"/tex/table-*.tex "$work"
# What the report reads, and what that reads in turn.
parts() { # FILE
  sed -n 's/^\\input{\([a-z_]*\)}$/\1/p' "$1" | while IFS= read -r part; do
    [ -e "$work/$part.tex" ] || { cp "$results/tex/$part.tex" "$work" && parts "$work/$part.tex"; }
  done
}
parts "$work/paper.tex"
grep -ho '\\includegraphics\(\[[^]]*\]\)\{0,1\}{[^}]*}' "$work"/*.tex | sed 's/.*{\(.*\)}/\1/' | sort -u | while IFS= read -r figure; do
  cp "$results/figures/$figure.pdf" "$work/figures"
done
cp "$results/supplement.pdf" "$work/anc"
tar -C "$work" --sort=name --format=ustar --mtime=@1637193600 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -cf - . |
  gzip -n -9 >"$results/$name.tar.gz"
echo "  $results/$name.tar.gz: $(tar -tzf "$results/$name.tar.gz" | grep -c '[^/]$') files"
