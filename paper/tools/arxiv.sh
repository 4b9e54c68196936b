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
sed -n 's/.*\\includegraphics\(\[[^]]*\]\)\{0,1\}{\([^}]*\)}.*/\2/p' "$work/paper.tex" | sort -u | while IFS= read -r figure; do
  cp "$results/figures/$figure.pdf" "$work/figures"
done
cp "$results/supplement.pdf" "$work/anc"
tar -C "$work" --sort=name --format=ustar --mtime=@1637193600 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -cf - . |
  gzip -n -9 >"$results/$name.tar.gz"
echo "  $results/$name.tar.gz: $(tar -tzf "$results/$name.tar.gz" | grep -c '[^/]$') files"
