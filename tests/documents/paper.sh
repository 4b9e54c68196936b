#!/usr/bin/env bash
# The report at quick scale: built here and in a copy of the tree in another place on another date, byte for byte the same;
# rebuilt only as far as needed; and refused, with one clear message, whenever something in it is not as it should be.
# suite: long, 85 s
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
results=$BUILD/quick

requires 'the report' latexmk pdflatex bibtex pandoc gnuplot

says() { # TEXT COMMAND...: the command fails with a message that has this text, and is short
  local text=$1
  shift
  if "$@" >"$tmp/said" 2>&1; then return 1; fi
  cat "$tmp/said"
  grep -qF -- "$text" "$tmp/said" && [ "$(wc -l <"$tmp/said")" -le 30 ]
}

# --- here, and elsewhere on another day ---

if ! shared_make SCALE=quick paper site-pages >"$tmp/log" 2>&1; then
  tail -n 25 "$tmp/log" | sed 's/^/  /'
  echo 'not ok make SCALE=quick paper'
  exit 1
fi
echo 'ok make SCALE=quick paper'

# The programs go along, so that only what the experiments and the texts give is made anew.
other="$tmp/another place, with a longer name" there="$tmp/another place, with a longer name/build/quick"
copy_tree "$other" Makefile CITATION.cff csrc docs lua figures paper tests
# There the programs that write see a clock of another year. (make and latexmk, which compare times of files, do not.)
mkdir "$tmp/years_later"
if command -v faketime >/dev/null 2>&1; then
  mv "$other/build/vesicle" "$other/build/vesicle.now"
  # shellcheck disable=SC2016 # expanded by the script that is written
  printf '#!/bin/sh\nexec faketime -f +1234d "${0}.now" "$@"\n' >"$other/build/vesicle"
  for tool in pdflatex bibtex gnuplot pandoc; do
    printf '#!/bin/sh\nexec faketime -f +1234d "%s" "$@"\n' "$(command -v "$tool")" >"$tmp/years_later/$tool"
  done
  chmod +x "$other/build/vesicle" "$tmp/years_later"/*
fi
elsewhere() { (cd "$other" && "$@"); }
build_elsewhere() {
  elsewhere env TZ=Pacific/Kiritimati PATH="$tmp/years_later:$PATH" make -s -j2 SCALE=quick "$@"
}
# What was made of most experiments goes along too. Those that compute, replicate, read tables and learn run again there, and
# their figures, chapters and pages are made again; so are the documents and all that is made of several experiments. One
# file of another's data is gone. That all data are what they were on another day, elsewhere, the comparison with
# tests/expected says further down.
mkdir "$there" && alone cp -Rp "$results"/{data,figures,weave,tex,site} "$there/" || exit 1
find "$there"/{figures,weave,tex,site} -type f ! -name '[0-9][0-9]_*' ! -name nav.html -delete
for name in 01_population_code 06_variance_components 08_release_matrices 14_real_data; do
  rm -r "$there/data/$name"{,.*} && find "$there"/{figures,weave,tex,site} -type f -name "$name*" -delete
done
# So that TeX has less to do, of the chapters that are not made again the supplement there has the titles; one like it is
# typeset here to compare with.
short=$tmp/here
mkdir "$short" && cp -Rp "$results"/{tex,figures} "$short/"
mapfile -t untouched < <(cd "$there/tex" && find . -name '[0-9][0-9]_*.tex' ! -name 02_sampling_diagram.tex)
short_chapters "${untouched[@]/#/$there/tex/}" "${untouched[@]/#/$short/tex/}"
table=$(cd "$results/data" && find 02_sampling_diagram -name '*.tsv' ! -name claims.tsv ! -name numbers.tsv | sort | head -n 1)
rm "$there/data/$table"
computed() { find "$there/timings" -name 'compute.*' | wc -l; } # experiments, elsewhere
missing_made() { build_elsewhere data && [ "$(computed)" -eq 5 ]; }
check 'a deleted data file is made again, and what is missing, nothing else' missing_made
check 'with the same bytes' cmp <(sed '/^#/d' "$results/data/$table") <(sed '/^#/d' "$there/data/$table")
check 'make paper in another place on another date' build_elsewhere paper site-pages
same() { # what both builds made, but for the timings, the machine, and the commit that data name in a comment
  local file
  while IFS= read -r file; do
    case $file in
    supplement.pdf | site/supplement.pdf) cmp "$short/tex/supplement.pdf" "$there/$file" || return 1 ;;
    tex/*) cmp "$short/$file" "$there/$file" || return 1 ;;
    site/data/*) cmp <(sed '/^# vesicle: /d' "$results/$file") <(sed '/^# vesicle: /d' "$there/$file") || return 1 ;;
    *) cmp "$results/$file" "$there/$file" || return 1 ;;
    esac
  done < <(cd "$results" && find paper.pdf supplement.pdf checksums.tsv figures site tex -type f \
    \( -name '*.pdf' -o -name '*.svg' -o -name '*.html' -o -name '*.css' -o -name '*.tsv' -o -name '*.tex' \) | sort)
}
check 'a supplement of the same chapters' sh paper/tools/typeset.sh "$short/tex" supplement "$BUILD/vesicle"
check 'the same bytes: documents, figures, pages, data' same
check 'each entry of the contents leads to its own chapter' sh -c "! grep -q 'same identifier (name{\\(chapter\\|section\\|appendix\\)\\.' '$results/tex/supplement.log'"
check 'no date in the documents' sh -c "! grep -aqE 'CreationDate|ModDate' '$results/paper.pdf' '$results/supplement.pdf'"
check 'the provenance lists what is installed' sh -c "sed -n '/^# installed packages/,/^$/p' '$results/provenance.txt' | grep -c . | grep -qE '[0-9]{2}'"

# --- the second time ---

nothing_to_do() {
  shared_make SCALE=quick paper >"$tmp/again" 2>&1 && ! grep -qE 'TEX|WEAVE|PLOT' "$tmp/again" && cat "$tmp/again"
}
check 'a second make paper does nothing' nothing_to_do
nothing_to_say() { [ -z "$(shared_make -s -n SCALE=quick paper)" ]; }
check 'and make -n has nothing to say' nothing_to_say
check 'its end names the documents and the tally' sh -c "grep -q '$results/paper.pdf' '$tmp/again' && grep -qE '[0-9]+  hold in none' '$tmp/again' && grep -qE 'typeset .* s' '$tmp/again'"

# --- numbers link to the supplement ---

if command -v pdfinfo >/dev/null 2>&1; then
  # The targets that the report's numbers, parameters and verdicts link to, as the generated macros name them.
  pdfinfo -dests "$results/supplement.pdf" | sed -n 's/.*"\(.*\)".*/\1/p' | sort -u >"$tmp/targets"
  { sed -n 's/.*\\veslinkto{\([a-z]*:[^}]*\)}.*/\1/p' "$results/tex/macros.tex"
    sed -n 's/.*\\vesnumber{[^}]*}{\([A-Za-z]*\)}.*/number:\1/p' "$results/tex/macros.tex"; } | sort -u >"$tmp/wanted"
  check 'every number links to a place in the supplement' sh -c "test -s '$tmp/wanted' && ! comm -23 '$tmp/wanted' '$tmp/targets' | grep ."
fi

# --- from here on in the copy: a file that is gone ---

gone() { # what depends on it would be made again
  mv "$there/data/$table" "$tmp/gone" && build_elsewhere -n paper >"$tmp/dry" && mv "$tmp/gone" "$there/data/$table" && cat "$tmp/dry" &&
    grep -q "compute '02_sampling_diagram'" "$tmp/dry" && grep -q "typeset 'paper'" "$tmp/dry"
}
check 'a file that is gone brings data and report back' gone
check 'and the same report' cmp "$results/paper.pdf" "$there/paper.pdf"

# --- verification ---

# The data against the committed expectation; the documents change with every word of the text and are left to make verify.
if [ -e tests/expected/quick.tsv ]; then
  sh paper/tools/checksums.sh "$results" documents >"$results/documents.tsv"
  check 'the data are the committed ones, or equivalent' "$BUILD/vesicle" run --trust lua/vesicle/publish/main.lua --scale quick \
    --set results="$results" --set task=verify --set documents=no
fi

publish() { elsewhere build/vesicle run --trust lua/vesicle/publish/main.lua --scale quick --set results=build/quick "$@"; }
sums() { elsewhere sh paper/tools/checksums.sh build/quick data >"$tmp/sums" && cp "$tmp/sums" "$there/checksums.tsv"; }
verify() { sums && publish --set task=verify; }
check 'make expect writes the expectation' build_elsewhere expect
check 'what was just built is identical to it' sh -c "cd '$other' && make -s SCALE=quick verify | grep -qx 'verify: identical'"
check 'the expectation is small' test "$(wc -c <"$other/tests/expected/quick.tsv")" -lt 300000

numbers=$(cd "$there/data" && grep -lE '^[A-Za-z]+	[-0-9.e]+	[0-9.]+[1-9]$' -- */numbers.tsv | head -n 1)
nudge() { # UNITS ERRORS: moves the first number with a standard error by so many units in the last place, and so many of those
  awk -F'\t' -v OFS='\t' -v units="$1" -v errors="$2" '!done && $3 + 0 > 0 {
      $2 = sprintf("%.17g", $2 * (1 + units * 2 ^ -52) + errors * $3); done = 1 } { print }' "$results/data/$numbers" >"$there/data/$numbers"
}
nudge 100 0
check 'a number moved in its last digits is equivalent' sh -c "$(declare -f elsewhere publish sums verify); other='$other' there='$there' tmp='$tmp'; verify | tee /dev/stderr | grep -qx 'verify: equivalent'"
nudge 0 0.1
different() { # exit code 4; what it says is kept
  verify >"$tmp/different" 2>&1
  local code=$?
  cat "$tmp/different"
  [ "$code" -eq 4 ]
}
check 'one moved by a tenth of its standard error is different, exit code 4' different
check 'and named' grep -q 'number  .*allowed' "$tmp/different"
cp "$results/data/$numbers" "$there/data/$numbers"

elsewhere sed -i "s/receiving = { 12/receiving = { 13/" lua/experiments/02_sampling_diagram.lua
changed() {
  elsewhere build/vesicle run lua/experiments/02_sampling_diagram.lua --scale quick --out build/quick/data && different
}
check 'a changed parameter is different' changed
check 'the parameter is named, and what it moved' sh -c "grep -q 'setting .*receiving: 12 -> 13' '$tmp/different' && grep -q 'number .*02_sampling_diagram' '$tmp/different'"
cp -p lua/experiments/02_sampling_diagram.lua "$other/lua/experiments/"
elsewhere build/vesicle run lua/experiments/02_sampling_diagram.lua --scale quick --quiet --out build/quick/data

# --- what the report may not contain ---

refused() { # NAME MESSAGE LINE: with this line in the results, the check fails and says so
  awk -v line="$3" '{ print } /\\section{Results}/ && !done { print line; done = 1 }' paper/paper.tex >"$other/paper/paper.tex"
  check "$1" says "$2" publish --out "$tmp" --set task=check_paper
  cp -p paper/paper.tex "$other/paper/paper.tex"
}
check 'the report passes its checks' publish --out "$tmp" --set task=check_paper
macro=$(sed -n 's/^\\newcommand{\\\([A-Za-z]*\)}{\\vesnumber.*/\1/p' "$results/tex/macros.tex" | head -n 1)
refused 'a typed numeral is refused' 'the numeral 0.53 is typed' 'The bias is 0.53.'
refused 'a numeral in a formula of the results too' 'the numeral 17 is typed' 'The bias is $\psi=17$.'
refused 'an unknown number is refused, with a suggestion' "did you mean \`$macro\`" "\\\\${macro}x"
refused 'an unknown number is refused in a rounded form' 'there is no such number' '\\Rough{NoSuchNumber}'
refused '"below one" of a number above it is refused' 'the number has no such form' '\\Shortfall{SubsetSize}'
refused 'an unknown table of results is refused' 'there is no such table' '\\ResultTable{nonesuch}'
refused 'an unknown parameter is refused' 'there is no such parameter' '\\Parameter{02}{nonesuch}'
refused 'an unknown statement is refused' 'there is no such statement' '\\Verdict{no-such-statement}'
refused 'an unknown experiment is refused' 'there is no such experiment' '\\Experiment{99}'
refused 'an unknown figure is refused' 'there is no figure 99_nothing' '\\includegraphics{99_nothing}'
refused 'an unregistered label is refused' 'the label eq:nonesuch is not in' '\\label{eq:nonesuch}'
refused 'an unknown tag is refused' 'the tag [eq:nonesuch] names nothing' '\\vestag{eq:nonesuch}'

printf 'numeral\tno such text 5\tnobody needs it\n' >>"$other/paper/exceptions.tsv"
check 'an exception that nothing needs is refused' says 'nothing needs the numeral exception' publish --out "$tmp" --set task=check_paper
cp -p paper/exceptions.tsv "$other/paper/exceptions.tsv"
printf '\\newcommand{\\UnusedNumber}{\\ensuremath{1}}\n' >>"$there/data/02_sampling_diagram/numbers.tex"
printf 'UnusedNumber\t1\tNA\n' >>"$there/data/02_sampling_diagram/numbers.tsv"
check 'a number that is used nowhere is refused' says 'UnusedNumber is written by 02_sampling_diagram and used nowhere' \
  publish --out "$tmp" --set task=check_paper

# --- chapters ---

chapter() { # NAME MESSAGE LINE: with this line of prose the chapter cannot be woven
  cp -p lua/experiments/02_sampling_diagram.lua "$other/lua/experiments/"
  echo "$3" >>"$other/lua/experiments/02_sampling_diagram.lua"
  check "$1" says "$2" publish --out "$tmp" --set task=weave --set name=02_sampling_diagram
  cp -p lua/experiments/02_sampling_diagram.lua "$other/lua/experiments/"
}
chapter 'a tag that names nothing stops the weaving' 'the tag [eq:nonesuch] names nothing' '--- See [eq:nonesuch].'
chapter 'so does a number of another experiment' 'is no number of this experiment' '--- It is \NoSuchNumber.'
cat >"$other/lua/experiments/99_new_idea.lua" <<'LUA'
--- # A new idea
---
--- The mapping again [eq:mapping].
local ex = require "vesicle.experiment"
local E = ex.new { name = "99_new_idea", title = "Something new", params = { n = 3 } }
E:table("t", { "x" }, { { 1 }, { E.params.n } })
E:own { id = "new-idea", says = "A new idea works", kind = "empirical", quantity = "a number",
  criterion = require("vesicle.criterion").above(0), value = 1 }
E:finish()
LUA
new_chapter() { build_elsewhere build/quick/tex/99_new_idea.tex build/quick/tex/chapters.tex && grep -q '99_new_idea' "$there/tex/chapters.tex" && grep -q 'Something new' "$there/tex/99_new_idea.tex"; }
check 'a new experiment becomes a chapter by itself' new_chapter
rm "$other/lua/experiments/99_new_idea.lua"

# --- the trace matrix ---

trace() { publish --set task=trace --set form=print >/dev/null; }
check 'the trace matrix has no hole' trace
echo '/* [eq:nonesuch] */' >>"$other/csrc/core/ves_release.c"
check 'a tag that names nothing fails' says 'the tag [eq:nonesuch] names nothing' trace
cp -p csrc/core/ves_release.c "$other/csrc/core/" # with its time, or it would be compiled again
sed -i 's/\[eq:mapping\]//g' "$other"/tests/test_*.c "$other"/tests/lua/{,api/}*.lua
check 'a label without a test fails' says '[eq:mapping] has no test' trace
cp -p tests/test_*.c "$other/tests/"

# --- a results folder in which somebody else has written ---

macros() { elsewhere build/vesicle run --trust lua/vesicle/publish/main.lua --scale quick --out build/quick/tex --set results=build/quick --set task=macros; }
hostile() { # NAME FILE SED-COMMAND: the file, changed so, is refused
  local file=$there/data/03_release_mapping/$2
  cp "$file" "$tmp/kept" && sed -i "$3" "$file"
  check "$1 is refused" says 'experiment wr' macros
  cp "$tmp/kept" "$file"
}
rm -rf "$there/data/99_new_idea"
check 'results as experiments write them' macros
# shellcheck disable=SC2016 # a command of sed
hostile 'a macro that is no number' numbers.tex '$a\\newcommand{\\Mine}{\\input{/etc/passwd}}'
# shellcheck disable=SC2016 # a command of sed
hostile 'a command among macros' numbers.tex '$a\\input{/etc/passwd}'
hostile 'a verdict that is none' claims.tsv 's/\t\(holds\|fails\|proved\|refuted\)\t/\t\\input{x}\t/'
hostile 'an experiment that is a path' claims.tsv 's/\t03_release_mapping\(\t\|$\)/\t..\/..\/x\1/'
hostile 'a seed that is none' claims.tsv 's/^# seed: .*/# seed: \\input{x}/'

# --- experiments of one's own, asked for and not ---

cat >"$other/lua/experiments/own_idea.lua" <<'LUA'
local E = require("vesicle.experiment").new { name = "own_idea" }
E:number("OwnIdea", 1.5, 0.1)
E:finish()
LUA
lists() { elsewhere make -s SCALE=quick "$@" build/quick/tex/macros.tex build/quick/weave/provenance.tex.md; }
listed() { grep -q OwnIdea "$there/tex/macros.tex" && grep -q own_idea "$there/weave/provenance.tex.md"; }
unlisted() { ! grep -q OwnIdea "$there/tex/macros.tex" && ! grep -q own_idea "$there/weave/provenance.tex.md"; }
check 'OWN=1 lists them' eval 'lists OWN=1 && listed'
check 'and the next call does not' eval 'lists && unlisted'
lists OWN=1 >"$log" 2>&1
rm "$other/lua/experiments/own_idea.lua"
check 'nor when one has gone' eval 'lists OWN=1 && unlisted'
rm -rf "$there/data/own_idea" "$there/data/own_idea".*

# --- what LaTeX complains about, in one message ---

latex() { # NAME MESSAGE PREAMBLE BODY
  rm -rf "$tmp/tex" && mkdir "$tmp/tex"
  printf '\\documentclass{article}\n\\usepackage[T1]{fontenc}\n%s\n\\begin{document}\n%s\n\\end{document}\n' "$3" "$4" >"$tmp/tex/small.tex"
  if [ -z "$2" ]; then
    check "$1" sh paper/tools/typeset.sh "$tmp/tex" small "$BUILD/vesicle"
  else
    check "$1" says "$2" sh paper/tools/typeset.sh "$tmp/tex" small "$BUILD/vesicle"
  fi
}
latex 'a sound document passes' '' '' 'Words.'
latex 'a missing package is named' 'the TeX package nonesuch.sty is not installed' '\usepackage{nonesuch}' 'Words.'
latex 'an undefined reference is named' 'reference eq:nowhere is undefined' '' 'See \ref{eq:nowhere}.'
latex 'an undefined command is named' 'undefined command \nonesuch' '' 'A \nonesuch here.'
latex 'a line that is too wide is named' 'pt too wide' '' 'Word. \hbox to 2\textwidth{a\hfil b} word.'
latex 'a box within the tolerance passes' '' '' '\noindent\hbox to \dimexpr\textwidth+4pt\relax{a\hfil b}'
latex 'a missing character is named' 'has no character' '\tracinglostchars=2' '\font\x=logo10 \x Z1'
latex 'a missing file is named' 'nonesuch' '' '\input{nonesuch}'
# LaTeX runs until what it reads of its last run stays as it is.
latex 'a table of contents that moves what it lists' '' '' '\tableofcontents\clearpage\section{One}\label{one}On page~\pageref{one}.'
check 'is not of an earlier run' sh -c "grep -q '^Output written' '$tmp/tex/small.log' && ! grep -q 'Rerun\|Label(s) may have changed' '$tmp/tex/small.log'"
latex 'references that never settle are named' 'references still change' '\newcommand\runs{0}\makeatletter\AtBeginDocument{\immediate\write\@auxout{\gdef\string\runs{\number\numexpr\runs+1}}}' 'Words.'
# The bibliography is made of what LaTeX says is cited, whatever the text looks like.
book=$'\\begin{filecontents}{small.bib}\n@book{one, author = {A. Uthor}, title = {First}, year = 2000}\n\\end{filecontents}'
latex 'a citation that only LaTeX can read' '' "$book" $'\\newcommand\\key{one}Words~\\cite{\\key}. %% \\cite{two}\n\\bibliographystyle{plain}\n\\bibliography{small}'
check 'is in the bibliography' grep -q 'Uthor' "$tmp/tex/small.bbl"
latex 'one that nobody knows is named' 'citation two is undefined' "$book" $'Words~\\cite{one,two}.\n\\bibliographystyle{plain}\n\\bibliography{small}'
# A table whose head is narrower than its rows, and a page that moves when the contents grow.
latex 'a long table' '' '\usepackage{longtable}' '\begin{longtable}{lr}a & b \\\endhead a longer row & and its value \\\end{longtable}'
check 'is as wide as what stands in it' sh -c "! grep -q 'idths have changed' '$tmp/tex/small.log'"
# What a results folder may hold by somebody else's hand: TeX reads no file beyond its folder and its own tree, starts no
# program, and knows no settings of one's own.
echo 'SECRET words' >"$tmp/secret.tex"
latex 'a file elsewhere is not read' 'secret' '' "\\input{$tmp/secret}"
latex 'nor one in the folder above' 'secret' '' '\input{../secret}'
latex 'nor a hidden one' 'secret' '' '\input{.secret}'
latex 'no program is started' '' '' "\\immediate\\write18{touch $tmp/escaped}Words."
check 'none was' [ ! -e "$tmp/escaped" ]
mkdir -p "$tmp/home/texmf/tex/latex" && echo '\ProvidesPackage{ownpackage}' >"$tmp/home/texmf/tex/latex/ownpackage.sty"
HOME=$tmp/home latex 'packages of one'"'"'s own are not taken' 'ownpackage.sty is not installed' '\usepackage{ownpackage}' 'Words.'
own=$tmp/home/texmf
for setting in "TEXMFLOCAL=$own" "TEXMFVAR=$own" "TEXMFAUXTREES=$own," "TEXINPUTS_pdflatex=$own/tex/latex:" "TEXMFDOTDIR=$own/tex/latex:."; do
  export "${setting?}"
  latex "nor by ${setting%%=*}" 'ownpackage.sty is not installed' '\usepackage{ownpackage}' 'Words.'
  unset "${setting%%=*}"
done
# What a run leaves that was killed: auxiliary files cut short, a folder half full.
latex 'a document with a table of contents' '' '' '\tableofcontents\section{One}Words.'
for ending in aux toc out bbl; do printf '\\relax \\@writefile{toc}{\\contentsline {sec' >"$tmp/tex/small.$ending"; done
mkdir -p "$tmp/tex/small.part" && cp "$tmp/tex/small.aux" "$tmp/tex/small.part/"
check 'what a killed run left harms no later one' sh paper/tools/typeset.sh "$tmp/tex" small "$BUILD/vesicle"

# --- settings of one's own do not change figures ---

mkdir -p "$tmp/home/.config/gnuplot" && echo 'set title "changed"; set border 31 lw 9' | tee "$tmp/home/.gnuplot" >"$tmp/home/.config/gnuplot/gnuplotrc"
redraw() { # FIGURE: at home, where gnuplot has settings
  rm "$there/figures/$1" && elsewhere env HOME="$tmp/home" make -s SCALE=quick "build/quick/figures/$1" && cmp "$results/figures/$1" "$there/figures/$1"
}
check 'figures do not depend on ~/.gnuplot' redraw 03_release_mapping.svg
cat >"$tmp/home/fonts.conf" <<'XML'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <match><edit name="family" mode="assign" binding="strong"><string>DejaVu Serif</string></edit></match>
</fontconfig>
XML
FONTCONFIG_FILE=$tmp/home/fonts.conf check 'nor on fonts of one'"'"'s own' redraw 03_release_mapping.pdf
mkdir -p "$tmp/home/pandoc" && printf '%s\n' The the A a of and >"$tmp/home/pandoc/abbreviations" # after which a blank does not break
reweave() { # CHAPTER
  rm "$there/tex/$1" && elsewhere make -s SCALE=quick "build/quick/tex/$1" && cmp "$results/tex/$1" "$there/tex/$1"
}
XDG_DATA_HOME=$tmp/home check 'and texts not on data of one'"'"'s own' reweave 03_release_mapping.tex

bare=$tmp/bin
mkdir "$bare" && for tool in sh rm cat; do ln -s "$(command -v "$tool")" "$bare/"; done
check 'a missing LaTeX is named' says 'make deps paper' env PATH="$bare" sh paper/tools/typeset.sh "$tmp/tex" small "$BUILD/vesicle"
