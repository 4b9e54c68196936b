#!/bin/sh
# shellcheck disable=SC2016 # what latexmk expands
# typeset.sh DIR JOB VESICLE: DIR/JOB.tex to DIR/JOB.pdf with latexmk; what went wrong comes as one message.
#
# LaTeX works in a fresh folder, so that what a run left behind that was stopped harms no later one. It starts no programs,
# reads nothing but that folder and its own tree, and knows nobody's home. The environment fixes the date that TeX would
# otherwise read from the clock, and keeps the log's lines whole.
#
# LaTeX is run until what it reads of its last run has not changed. The number of the last page does not count: it is other
# after the first run, which has no table of contents yet, and nothing in the documents uses it. That spares the supplement
# a third run.
dir=$1 job=$2 vesicle=$3
nobodys=$(cd "$(dirname "$0")" && pwd)/nobodys.sh
for tool in latexmk pdflatex; do
  command -v "$tool" >/dev/null 2>&1 && continue
  echo "$tool is not installed; \"make deps paper\" installs it" >&2
  exit 1
done
work=$dir/$job.part
rm -rf "$work"
(
  mkdir -p "$work/figures" || exit 1
  for file in "$dir"/*.tex "$dir"/*.bib; do [ ! -e "$file" ] || cp "$file" "$work" || exit 1; done
  for file in "$dir"/../figures/*.pdf; do [ ! -e "$file" ] || cp "$file" "$work/figures" || exit 1; done
  cd "$work" || exit 1
  sh "$nobodys" TEXINPUTS='' openin_any=p openout_any=p \
    SOURCE_DATE_EPOCH=1637193600 FORCE_SOURCE_DATE=1 max_print_line=10000 LC_ALL=C \
    latexmk -norc -pdf -g -latexoption=-no-shell-escape -interaction=nonstopmode -halt-on-error -file-line-error -silent \
    -e '$hash_calc_ignore_pattern{aux} = q{^\\\\gdef \\\\@abspage@last};' \
    "$job.tex" >"$job.latexmk" 2>&1
)
status=$?
rm -f "$dir/$job.pdf" "$dir/$job.blg"
for file in "$work/$job".log "$work/$job".blg "$work/$job".bbl "$work/$job".latexmk "$work/$job".pdf; do
  [ ! -e "$file" ] || mv "$file" "$dir" || exit 1
done
rm -rf "$work"
"$vesicle" run --trust lua/vesicle/publish/main.lua --out "$dir" --set task=latex_log --set dir="$dir" --set job="$job" || exit 1
if [ "$status" -ne 0 ] || [ ! -s "$dir/$job.pdf" ]; then
  echo "$job.tex: latexmk failed; see $dir/$job.latexmk" >&2
  exit 1
fi
