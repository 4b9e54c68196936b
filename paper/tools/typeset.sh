#!/bin/sh
# typeset.sh DIR JOB VESICLE: DIR/JOB.tex to DIR/JOB.pdf with latexmk; what went wrong comes as one message.
#
# The environment fixes the date that TeX would otherwise read from the clock, and keeps the log's lines whole.
dir=$1 job=$2 vesicle=$3
for tool in latexmk pdflatex; do
  command -v "$tool" >/dev/null 2>&1 && continue
  echo "$tool is not installed; \"make deps paper\" installs it" >&2
  exit 1
done
(
  cd "$dir" || exit 1
  rm -f "$job.pdf"
  SOURCE_DATE_EPOCH=1637193600 FORCE_SOURCE_DATE=1 max_print_line=10000 LC_ALL=C TEXINPUTS='' \
    latexmk -norc -pdf -g -interaction=nonstopmode -halt-on-error -file-line-error -silent "$job.tex" >"$job.latexmk" 2>&1
)
status=$?
"$vesicle" run --trust lua/vesicle/publish/main.lua --out "$dir" --set task=latex_log --set dir="$dir" --set job="$job" || exit 1
if [ "$status" -ne 0 ] || [ ! -s "$dir/$job.pdf" ]; then
  echo "$job.tex: latexmk failed; see $dir/$job.latexmk" >&2
  exit 1
fi
