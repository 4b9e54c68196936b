#!/bin/sh
# typeset.sh DIR JOB VESICLE: DIR/JOB.tex to DIR/JOB.pdf with pdfLaTeX and BibTeX; what went wrong comes as one message.
#
# LaTeX works in a fresh folder, so that what a run left behind that was stopped harms no later one. It starts no programs,
# reads nothing but that folder and its own tree, and knows nobody's home. The environment fixes the date that TeX would
# otherwise read from the clock, and keeps the log's lines whole.
#
# The first run, and the one after it if there is a bibliography, cannot be the last: they only find out on which page things
# are, and write no PDF. Then LaTeX is run until what it reads of its last run has not changed. The number of the last page
# does not count: it is other after the first run, which has no table of contents yet, and nothing in the documents uses it.
# That spares the supplement a third run. The report is spared a fourth by a bibliography that is there from the start, made
# of what the text seems to cite; the one that counts is made of what the first run says.
#
# A document that reads onerun.tex fills in pages by itself, at the end of a run. All it needs of an earlier one are the
# headings, and these come from a run over the lines of its chapters that begin with one. If that does not do, all of it is run.
dir=$1 job=$2 vesicle=$3
nobodys=$(cd "$(dirname "$0")" && pwd)/nobodys.sh
for tool in pdflatex bibtex; do
  command -v "$tool" >/dev/null 2>&1 && continue
  echo "$tool is not installed; \"make deps paper\" installs it" >&2
  exit 1
done
tool() { # COMMAND...
  sh "$nobodys" TEXINPUTS='' openin_any=p openout_any=p SOURCE_DATE_EPOCH=1637193600 FORCE_SOURCE_DATE=1 \
    max_print_line=10000 LC_ALL=C "$@"
}
latex() { # [OPTION]
  tool pdflatex -no-shell-escape -interaction=batchmode -halt-on-error -file-line-error "$@" "$job.tex"
}
left() { # a sum of what a run leaves for the next one
  for ending in aux toc out; do [ ! -e "$job.$ending" ] || cat "$job.$ending"; done | grep -v '^\\gdef \\@abspage@last\|^\\vespage{' | cksum
}
headings() {
  mkdir headings &&
    awk 'FNR == 1 { close(out); out = "headings/" FILENAME; printf "" > out }
      /^\\(vesnumbered|chapter|(sub)*section)\{/ { print > out }' ./*.tex &&
    cp "$job.tex" preamble.tex macros.tex onerun.tex chapters.tex headings &&
    (cd headings && latex -draftmode) && mv headings/"$job".aux headings/"$job".toc headings/"$job".out .
}
cited() { # a guess at what the first run will ask BibTeX for
  grep -ho '\\cite[a-z]*\(\[[^]]*\]\)*{[^}]*}' ./*.tex | sed 's/.*{/\\citation{/'
  sed -n 's/^\\bibliographystyle{/\\bibstyle{/p; s/^\\bibliography{/\\bibdata{/p' "$job.tex"
}
runs() {
  if grep -q '^\\bibliography{' "$job.tex"; then
    cited >"$job.aux" && tool bibtex "$job"
    rm -f "$job.aux" "$job.blg"
  fi
  if ! grep -q '^\\input{onerun}' "$job.tex" || ! headings; then
    latex -draftmode || return
  fi
  if grep -q '^\\bibdata' "$job.aux"; then
    tool bibtex "$job" || return
    latex -draftmode || return
  fi
  for _ in 1 2 3 4; do
    before=$(left)
    latex || return
    [ "$(left)" != "$before" ] || return 0
  done
  return 3
}
work=$dir/$job.part
rm -rf "$work"
(
  mkdir -p "$work/figures" && cp "$dir"/*.tex "$work" || exit 1
  for file in "$dir"/*.bib; do [ ! -e "$file" ] || cp "$file" "$work" || exit 1; done
  set -- "$dir"/../figures/*.pdf
  [ ! -e "$1" ] || cp "$@" "$work/figures" || exit 1
  cd "$work" && runs >"$job.said" 2>&1
)
status=$?
rm -f "$dir/$job.pdf" "$dir/$job.blg"
for file in "$work/$job".log "$work/$job".blg "$work/$job".bbl "$work/$job".said "$work/$job".pdf; do
  [ ! -e "$file" ] || mv "$file" "$dir" || exit 1
done
rm -rf "$work"
"$vesicle" run --trust lua/vesicle/publish/main.lua --out "$dir" --set task=latex_log --set dir="$dir" --set job="$job" || exit 1
if [ "$status" -eq 3 ]; then
  echo "$job.tex: references still change after four runs" >&2
  exit 1
fi
if [ "$status" -ne 0 ] || [ ! -s "$dir/$job.pdf" ]; then
  echo "$job.tex: LaTeX failed; see $dir/$job.said" >&2
  exit 1
fi
