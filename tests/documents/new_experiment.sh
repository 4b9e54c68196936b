#!/usr/bin/env bash
# A new experiment, from `make experiment` to the supplement, in a copy of the tree: nothing but its two files is new.
# suite: long, 14 s
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
watcher=
# shellcheck disable=SC2016,SC2034 # lib.bash evaluates it
at_end='[ -z "$watcher" ] || kill -- "-$watcher" 2>/dev/null'
says() { # NAME CODE PATTERN COMMAND...
  local name=$1 code=$2 pattern=$3
  shift 3
  "$@" >"$log" 2>&1
  [ $? -eq "$code" ] && grep -qE -- "$pattern" "$log"
  verdict "$name" $?
}

copy_tree "$tmp/tree" Makefile csrc lua figures tests paper docs
cd "$tmp/tree" || exit 1
export BUILD=build

says 'a name is asked for' 2 'which name\? make experiment NAME=my_idea' make experiment
says 'a name that is a target is refused' 2 'that is a target' make experiment NAME=paper
says 'a name with capitals is refused' 2 'expected lower-case letters' make experiment NAME=MyIdea
says 'a name with a hyphen is refused' 2 'expected lower-case letters' make experiment NAME=my-idea
says 'a new experiment' 0 'make my_idea ' make experiment NAME=my_idea
[ -s lua/experiments/my_idea.lua ] && [ -s figures/my_idea.gp ]
verdict 'its two files' $?
if grep -nE 'NAME[^=]|TITLE|SLOPE' lua/experiments/my_idea.lua figures/my_idea.gp >"$log"; then verdict 'every blank is filled in' 1; else verdict 'every blank is filled in' 0; fi
says 'twice is refused' 2 'my_idea.lua is already there' make experiment NAME=my_idea
if command -v luacheck >/dev/null; then
  says 'luacheck has nothing to say' 0 '0 warnings' luacheck --no-color --std lua54 --max-line-length 120 lua/experiments/my_idea.lua
else
  echo 'ok luacheck has nothing to say # skip no luacheck'
fi
says 'its parameters' 0 'how often the whole is repeated' build/vesicle params lua/experiments/my_idea.lua

if command -v gnuplot >/dev/null; then
  says 'make my_idea says where the figure is' 0 'build/figures/my_idea.pdf' make my_idea
  [ "$(head -c 4 build/figures/my_idea.pdf)" = %PDF ] && grep -q '<svg' build/figures/my_idea.svg
  verdict 'and there it is' $?
  cp build/figures/my_idea.svg drawn.svg
  mkdir -p owned/gnuplot && printf 'set title "changed"\nset key box\n' | tee owned/.gnuplot >owned/gnuplot/gnuplotrc
  touch figures/my_idea.gp
  says 'drawn again by somebody with settings' 0 'build/figures/my_idea.pdf' env HOME="$PWD/owned" XDG_CONFIG_HOME="$PWD/owned" GNUPLOT_LIB="$PWD/owned" GNUTERM=png make my_idea
  cmp build/figures/my_idea.svg drawn.svg >"$log" 2>&1
  verdict 'a file .gnuplot at home changes no figure' $?
else
  says 'make data runs it' 0 '' make build/data/my_idea/claims.tsv
  echo 'ok make my_idea says where the figure is # skip no gnuplot'
fi
says 'make my_idea says what came of its statement' 0 '^my-idea-slope: holds' make my_idea
says 'its statement is judged' 0 '^my-idea-slope: holds' build/vesicle claims build/data

# ---- the published documents do not know it ----
make -s build/tex/chapters.tex && ! grep -q my_idea build/tex/chapters.tex
verdict 'the supplement leaves it out' $?
says 'so does the tally' 0 ' and 0 are our own' sh -c 'mkdir -p build/data/00_none && : >build/data/00_none/x &&
  build/vesicle claims build/data | tr "\n" " "; rm -r build/data/00_none'
sources() { sh paper/tools/checksums.sh build documents | grep '^sources'; }
with=$(sources)
mv figures/my_idea.gp lua/experiments/my_idea.lua "$tmp" && without=$(sources)
mv "$tmp/my_idea.gp" figures && mv "$tmp/my_idea.lua" lua/experiments && [ -n "$with" ] && [ "$with" = "$without" ]
verdict 'and make verify: its figure is no source of the documents' $?
make -s install PREFIX="$PWD/to" && [ ! -e to/share/vesicle/lua/experiments/my_idea.lua ]
verdict 'make install leaves it out' $?
says 'unless it is asked for' 0 'my_idea.lua' sh -c 'make -s install OWN=1 PREFIX=to && ls to/share/vesicle/lua/experiments/'
export OWN=1

# ---- the supplement, on demand ----
says 'the supplement has its chapter' 0 'input\{my_idea\}' sh -c 'make -s build/tex/chapters.tex && cat build/tex/chapters.tex'
says 'it is woven' 0 'vesexperiment\{my_idea\}\{My idea\}' sh -c 'make -s build/weave/my_idea.tex.md && cat build/weave/my_idea.tex.md'
grep -q '\\MyIdeaSlope' build/data/my_idea/numbers.tex
verdict 'its number is a macro of its own' $?
if command -v pandoc >/dev/null; then
  says 'pandoc sets it in LaTeX' 0 'The model' sh -c 'make -s build/tex/my_idea.tex && cat build/tex/my_idea.tex'
else
  echo 'ok pandoc sets it in LaTeX # skip no pandoc'
fi

# ---- what it read ----
# shellcheck disable=SC2016 # a name with a dollar
table='lua/experiments/data/a $table, #1.tsv'
mkdir lua/experiments/parts
echo 'return { factor = 2 }' >lua/experiments/parts/side.lua
printf 'x\n1\n' >"$table"
cat >lua/experiments/reader.lua <<'LUA'
local E = require("vesicle.experiment").new { name = "reader" }
local t = require("vesicle").read_table("lua/experiments/data/a $table, #1.tsv")
E:table("product", { "x" }, { { t.x[1] * require("parts.side").factor } })
E:finish()
LUA
newer() { touch "$1" && [ "$1" -nt build/data/reader/claims.tsv ]; } # clocks of files tick slowly
product() { make -s build/data/reader/claims.tsv >"$log" 2>&1 && [ "$(tail -n 1 build/data/reader/product.tsv)" = "$1" ]; }
product 2
verdict 'an experiment that reads a table and a module' $?
made=$(stat -c %y build/data/reader/claims.tsv)
product 2 && [ "$(stat -c %y build/data/reader/claims.tsv)" = "$made" ]
verdict 'is not run again for nothing' $?
printf 'x\n5\n' >"$table"
await newer "$table" && product 10
verdict 'a changed table runs it again' $?
echo 'return { factor = 3 }' >lua/experiments/parts/side.lua
await newer lua/experiments/parts/side.lua && product 15
verdict 'so does a changed module' $?
# What only worker processes read counts too, and a file that was looked for and was not there.
cp lua/experiments/reader.lua whole.lua
cat >lua/experiments/reader.lua <<'LUA'
local E = require("vesicle.experiment").new { name = "reader" }
local function number(path)
  local file = io.open(path)
  return file and file:read("n") or 1
end
local out = E:replicate { name = "main", n = 2, run = function()
  return number("lua/experiments/data/inner.txt") * number("lua/experiments/data/inner, too.txt")
end }
E:table("product", { "x" }, { { out[1] } })
E:finish()
LUA
echo 5 >lua/experiments/data/inner.txt
await newer lua/experiments/reader.lua && product 5
verdict 'an experiment whose replicates read a file' $?
echo 6 >lua/experiments/data/inner.txt
await newer lua/experiments/data/inner.txt && product 6
verdict 'a change of it runs it again' $?
echo 7 >'lua/experiments/data/inner, too.txt' && touch -d '1 hour ago' 'lua/experiments/data/inner, too.txt' && product 42
verdict 'a file that came into being runs it again, however old' $?
rm lua/experiments/data/inner*
cp whole.lua lua/experiments/reader.lua
await newer lua/experiments/reader.lua && product 15
verdict 'and back' $?
cp lua/experiments/reader.lua whole.lua && sed -i '/E:finish/d' lua/experiments/reader.lua
await newer lua/experiments/reader.lua
says 'a script that does not finish its experiment is an error' 2 'ends without E:finish\(\): the experiment .reader. has written nothing' \
  make -s build/data/reader/claims.tsv
[ "$(tail -n 1 build/data/reader/product.tsv)" = 15 ] && ! make -s build/data/reader/claims.tsv >"$log" 2>&1 && [ -z "$(find . -name claims.tsv -size 0)" ]
verdict 'and what is there is not taken for its results' $?
sed 's/name = "reader"/name = "my_idea"/' whole.lua >lua/experiments/reader.lua
await newer lua/experiments/reader.lua
says 'a script does not write in the name of another' 2 'name .my_idea.: expected .reader., as the script is called' make -s build/data/reader/claims.tsv
mv whole.lua lua/experiments/reader.lua
rm -r lua/experiments/parts && sed -i 's/require("parts.side").factor/7/' lua/experiments/reader.lua
await newer lua/experiments/reader.lua && product 35
verdict 'a file that is gone and not read any more is no error' $?
# shellcheck disable=SC2016 # expanded by the inner shell
says 'a name that cannot be an experiment is named' 2 'a`b c.lua: expected letters, digits and _' \
  sh -c '>"lua/experiments/a\`b c.lua"; make data; status=$?; rm "lua/experiments/a\`b c.lua"; exit "$status"'

# ---- watching ----
waits() { # NAME COUNT PATTERN: until that many lines of the watcher match
  local name=$1 count=$2 pattern=$3 try
  for ((try = 0; try < 300; try++)); do
    if [ "$(grep -cE -- "$pattern" "$log")" -ge "$count" ]; then
      verdict "$name" 0
      return
    fi
    sleep 0.2
  done
  verdict "$name" 1
}
if command -v gnuplot >/dev/null; then
  : >"$log"
  setsid make watch NAME=my_idea >>"$log" 2>&1 &
  watcher=$!
  waits 'make watch runs it at quick scale' 1 '^--- my_idea done'
  grep -q '^# scale: quick' build/quick/data/my_idea/distance.tsv && [ -s build/quick/figures/my_idea.pdf ]
  verdict 'with its figure' $?
  sed -i 's/quick = 20,/quick = 10,/' lua/experiments/my_idea.lua
  waits 'a saved script runs again' 2 '^--- my_idea done'
  grep -q '^# parameter: replicates = 10' build/quick/data/my_idea/distance.tsv
  verdict 'with what was changed' $?
  echo 'x = = 1' >>lua/experiments/my_idea.lua
  waits 'a mistake does not end it' 1 '^--- my_idea failed'
  grep -q "unexpected symbol near '='" "$log"
  verdict 'and is shown' $?
  sed -i '$d' lua/experiments/my_idea.lua
  sed -i 's/width = 10/width = 11/' figures/my_idea.gp
  waits 'mended, it runs again' 3 '^--- my_idea done'
  # Not INT: a shell starts what is in the background with INT ignored.
  kill -- "-$watcher" 2>/dev/null
  wait "$watcher" 2>/dev/null
  ! kill -0 -- "-$watcher" 2>/dev/null
  verdict 'and stops when it is told to' $?
  watcher=
else
  echo 'ok make watch # skip no gnuplot'
fi
says 'a name that is not there' 2 'there is no lua/experiments/nothing.lua' make watch NAME=nothing
