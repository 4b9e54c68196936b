#!/bin/sh
# typeset.sh DIR JOB VESICLE: DIR/JOB.tex to DIR/JOB.pdf; what went wrong comes as one message.
#
# latexmk runs pdfLaTeX and BibTeX as often as it takes, and fails where a reference leads nowhere. They work in a fresh folder,
# so that what a run left behind that was stopped harms no later one; they start no other programs, read nothing but that folder
# and TeX's own trees, and know nobody's home. TeX before 2026 refuses other files itself (openin_any); later ones read them, and
# a document that did so is thrown away. The environment fixes the date that TeX would otherwise read from the clock, and keeps
# the log's lines whole.
dir=$1 job=$2 vesicle=$3
nobodys=$(cd "$(dirname "$0")" && pwd)/nobodys.sh
for tool in latexmk pdflatex bibtex; do
  command -v "$tool" >/dev/null 2>&1 && continue
  echo "$tool is not installed; \"make deps paper\" installs it" >&2
  exit 1
done
run_latex() {
  sh "$nobodys" TEXINPUTS='' openin_any=p openout_any=p SOURCE_DATE_EPOCH=1637193600 FORCE_SOURCE_DATE=1 \
    max_print_line=10000 LC_ALL=C latexmk -norc -pdf -bibtex -Werror -no-shell-escape -interaction=batchmode -halt-on-error \
    -file-line-error "$job.tex"
}
# What TeX read, by its own record, that is neither in this folder, nor in one of its trees, nor a font that it made.
foreign() {
  [ -e "$job.fls" ] || return 0
  # shellcheck disable=SC2016 # names of TeX's own
  awk -v trees="$(sh "$nobodys" kpsewhich --expand-path='$TEXMF:$TEXMFSYSVAR:$TEXMFSYSCONFIG:$TEXMFCNF:$VARTEXFONTS')" '
    BEGIN { n = split(trees, tree, ":") }
    /^PWD / { tree[++n] = substr($0, 5) }
    /^INPUT / {
      file = substr($0, 7)
      good = file !~ /^\//
      for (i = 1; i <= n; i++) if (index(file, tree[i] "/") == 1) good = 1
      if (!good || file ~ /(^|\/)\.\.(\/|$)/) { print file; exit }
    }' "$job.fls"
}
work=$dir/$job.part
rm -rf "$work"
(
  mkdir -p "$work/figures" && cp "$dir"/*.tex "$work" || exit 1
  for file in "$dir"/*.bib; do [ ! -e "$file" ] || cp "$file" "$work" || exit 1; done
  set -- "$dir"/../figures/*.pdf
  [ ! -e "$1" ] || cp "$@" "$work/figures" || exit 1
  cd "$work" && run_latex >"$job.said" 2>&1
  status=$? && foreign >"$job.foreign"
  exit "$status"
)
status=$?
rm -f "$dir/$job.pdf" "$dir/$job.blg"
if [ -s "$work/$job.foreign" ]; then
  echo "$job.tex reads $(cat "$work/$job.foreign"), which is neither in its folder nor TeX's own" >&2
  rm -rf "$work"
  exit 1
fi
for file in "$work/$job".log "$work/$job".blg "$work/$job".bbl "$work/$job".said "$work/$job".pdf; do
  [ ! -e "$file" ] || mv "$file" "$dir" || exit 1
done
rm -rf "$work"
"$vesicle" run --trust lua/vesicle/publish/main.lua --out "$dir" --set task=latex_log --set dir="$dir" --set job="$job" || exit 1
if [ "$status" -ne 0 ] || [ ! -s "$dir/$job.pdf" ]; then
  echo "$job.tex: LaTeX failed, or its references still change after the last run; see $dir/$job.said" >&2
  exit 1
fi
