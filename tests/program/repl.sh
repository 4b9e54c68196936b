#!/usr/bin/env bash
# shellcheck disable=SC2016 # backquotes are part of the messages
# The prompt at a terminal: a pseudo-terminal by script(1), keys sent one after the other, each time waiting for what
# must appear. Then the prompt without a terminal.
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
dir=$tmp
cd "$dir" || exit 1

# ---- without a terminal ----

# prints NAME PATTERN LINES...: the lines as standard input; the output matches.
prints() {
  local name=$1 pattern=$2
  shift 2
  printf '%s\n' "$@" | "$vesicle" repl >"$dir/log" 2>&1
  grep -qE -- "$pattern" "$dir/log"
  verdict "$name" $?
}
prints 'an expression is shown' '^2$' '1 + 1'
prints 'a vector is summarised' 'vector of 3 in \[0.5, 1\], mean 0.7' 'ves.release.analytic{0.5, 0.3, 0.2}'
prints 'with a sparkline' '▁▂█' 'ves.release.analytic{0.5, 0.3, 0.2}'
prints 'locals stay' '^7$' 'local x = 3' 'local y <const> = 4' 'x + y'
prints 'lines go on' '^9$' 'function f(a)' '  return a ^ 2 // 1 | 0' 'end' 'f(3)'
prints 'an expression goes on' '^"ab"$' '"a" ..' '"b"'
prints 'the last result' '^6$' '2 * 3' '_'
prints 'a misspelt key' "unknown key 'iteration': did you mean 'iterations'\?" 'ves.release.learn({1, 2}, {iteration = 3})'
prints 'the line of an error' 'in: ves.release.learn\(\{1, 2\}, \{rate = 3\}\)' 'ves.release.learn({1, 2}, {rate = 3})'
prints 'the offending value' "key 'rate' = 3: expected a number in \(0, 1\]" 'ves.release.learn({1, 2}, {rate = 3})'
prints 'a misspelt function' "no field 'lern': did you mean 'learn'\?" 'ves.release.lern{1}'
prints 'a misspelt variable' 'there is no variable `wieghts`: did you mean `weights`\?' 'weights = 1' 'wieghts + 1'
prints 'the value of a wrong variable' 'w is \{1, 2\}' 'w = {1, 2}' 'w + 1'
prints 'the way to an error' 'from: return inner\(a\)' 'function inner(a) return a.b.c end' 'function outer(a)' \
  '  local b = 1' '  return inner(a) + b' 'end' 'outer{}'
prints 'a constant of another language' 'there is no variable `True`: write true' 'x = True'
prints 'also alone' 'there is no variable `None`: write nil' 'None'
prints "Python's loop" 'write `for i = 1, n do ... end`' 'for i in range(3):'
prints "Python's loop in one line" 'write `for i = 1, n do ... end`' 'for i in range(3): print(i)'
prints "R's assignment" 'an assignment is `x = ...`' 'x <- 3'
prints 'help of a function' '^ves.release.learn\(w, options\) -> q, trace' 'help "learn"'
prints 'help of a value' 'q_i = w_i / \(w_i \+ sum of all weaker w_j\) \[eq:mapping\]' 'help(ves.release.analytic)'
prints 'help without parentheses' '^ves.release.learn\(w, options\)' 'help learn'
prints 'help in parentheses' '^ves.release.learn\(w, options\)' 'help(learn)'
prints 'help of a variable' 'vector:quantile\(p\)' 'learn = ves.vector{1}' 'help(learn)'
prints 'search' '^    ves.release.analytic\(w\)' '?eq:mapping'
prints 'replicates at the prompt' '^vector of 3 in \[1, 3\]' 'ex = require "vesicle.experiment"' \
  'function run(i) return {k = i} end' "E = ex.new({name = 'demo'}, {out = '$dir/out', quiet = true})" \
  'E:replicate{name = "main", n = 3, run = run}:column("k")'
prints 'are not taken from the journal of another function' '^vector of 3 in \[2, 6\]' 'ex = require "vesicle.experiment"' \
  'function run(i) return {k = 2 * i} end' "E = ex.new({name = 'demo'}, {out = '$dir/out', quiet = true})" \
  'E:replicate{name = "main", n = 3, run = run}:column("k")'
if command -v gnuplot >/dev/null; then
  prints 'a text plot' '\*\*\*\*' 'ves.plot({1, 2, 3}, {1, 4, 9})'
  mkdir "$dir/settings" && echo 'set title "changed"' >"$dir/settings/.gnuplot"
  printf 'ves.plot({1, 2, 3}, {1, 4, 9})\n' | HOME=$dir/settings "$vesicle" repl >"$dir/log" 2>&1 && ! grep -q changed "$dir/log"
  verdict 'plots do not depend on ~/.gnuplot' $?
else
  prints 'without gnuplot, its name' 'gnuplot is not installed' 'ves.plot({1, 2, 3}, {1, 4, 9})'
fi
printf 'x = = 1\n' | "$vesicle" repl >"$dir/log" 2>&1
[ $? -eq 1 ]
verdict 'an error without a terminal is an exit code' $?
printf '1\n' | "$vesicle" repl >"$dir/log" 2>&1
verdict 'no error is none' $?
"$vesicle" >"$dir/log" 2>&1 </dev/null
[ $? -eq 2 ] && grep -q 'a command is missing' "$dir/log"
verdict 'without a terminal and a command, usage' $?
a=$(printf 'rng:uniform()\nmath.random()\n' | "$vesicle" repl) && [ "$a" = "$(printf 'rng:uniform()\nmath.random()\n' | "$vesicle" repl)" ]
verdict 'random numbers are those of the seed' $?

# ---- at a terminal ----

if ! command -v script >/dev/null; then
  echo 'ok the prompt at a terminal # skip no script(1)'
  exit
fi

# open: starts the prompt in a pseudo-terminal; type TEXT: sends keys (printf escapes); sees NAME PATTERN: waits until
# the screen since the last wait matches.
open() { # [NAME=VALUE]...
  rm -f keys
  mkfifo keys
  : >screen
  seen=0
  env HOME="$dir" TERM=xterm LC_ALL=C.UTF-8 "${@:-GNUTERM=dumb}" script -qfc "$vesicle" screen <keys >/dev/null 2>&1 &
  terminal=$!
  exec 3>keys
}
type() {
  # shellcheck disable=SC2059 # escapes are wanted
  printf "$1" >&3
}
sees() {
  local name=$1 pattern=$2 try
  for ((try = 0; try < 100; try++)); do
    tail -c +$((seen + 1)) screen | sed 's/\x1b\[[0-9;?]*[A-Za-z]//g; s/[\r\x07]//g' >log
    if grep -qE -- "$pattern" log; then
      seen=$(stat -c %s screen)
      verdict "$name" 0
      return
    fi
    sleep 0.1
  done
  verdict "$name" 1
}
leaves() { # NAME: the program ends, with the terminal still there
  local try
  for ((try = 0; try < 50; try++)); do
    kill -0 "$terminal" 2>/dev/null || break
    sleep 0.1
  done
  [ "$try" -lt 50 ]
  verdict "$1" $?
  exec 3>&-
  wait "$terminal" 2>/dev/null
  terminal=
}
# shellcheck disable=SC2034 # lib.bash uses it
at_end='exec 3>&- 2>/dev/null; [ -z "${terminal:-}" ] || kill "$terminal" 2>/dev/null'

open
sees 'a bare vesicle opens the prompt' 'help\(\) for help.*Tab to complete'
type 'ves.rel\t'
sees 'Tab completes a name' 'ves\.release'
type '.learn({1, 2}, {iterat\t'
sees 'Tab completes a key' 'ions'
type ' = 10, rng = rng})\r'
sees 'the completed line runs' 'vector of 2'
type 'code = ves.code{n = 5, lo = 0, hi = 1, sigma = 0.1}\r'
sees 'a statement' 'ves> $'
type 'code.\t'
sees 'Tab lists fields and methods' 'centers +encode|centers.*encode'
type 'cen\t\r'
sees 'and completes one' 'vector of 5 in \[0, 1\]'
type 'for i = 1, 2 do\r'
sees 'an open block asks for more' '\.\.\.> $'
type 'print(i * 21)\rend\r'
sees 'and runs when closed' '42'
type '\033[A\r'
sees 'the history has an input whole' 'for i = 1, 2 do print\(i \* 21\) end'
type 'if true then\r'
sees 'another block asks for more' '\.\.\.> $'
type '\003'
sees 'Ctrl-C drops an input' '\^C'
type '"begin" .. " "\033[D\033[D\033[D\033[D\033[D\033[D\033[D\033[D!\r'
sees 'the cursor moves in the line' '"begin! "'
type '"wörter 𝜓"\r'
sees 'letters beyond ASCII' '^"wörter 𝜓"$'
type 'print("be" .. "gun") while true do end\r'
sees 'a line that does not end' '^begun'
type '\003'
sees 'Ctrl-C stops what runs' 'stopped: interrupted'
type '"still " .. "there"\r'
sees 'and the prompt goes on' '"still there"'
type 'ves.plot.hist(rng:normal(0, 1, 500))\r'
sees 'a plot in the terminal' 'count|gnuplot is not installed'
type '\004'
leaves 'Ctrl-D leaves'
grep -q 'code.centers' "$dir/.vesicle_history"
verdict 'the history is kept in a file' $?

open
sees 'a second session' 'ves> $'
type '\022centers\r'
sees 'Ctrl-R finds a line of the first' 'code\.centers'
sleep 0.2
type '\003'
sees 'Ctrl-C after a search' '\^C'
type 'quit\r'
leaves 'quit leaves'

# A gnuplot that has a window terminal, and a display: what it is asked to draw.
mkdir bin
printf '#!/bin/sh\ncat >>"%s"\necho "dumb png qt svg"\n' "$dir/asked" >bin/gnuplot
chmod +x bin/gnuplot
open PATH="$dir/bin:$PATH" DISPLAY=:99
sees 'a third session' 'ves> $'
type 'ves.plot({1, 2, 3})\r'
sees 'with a display' 'ves> $'
grep -q '^set terminal qt persist' asked
verdict 'a plot opens a window' $?
type 'quit\r'
leaves 'and quit leaves'
: >asked
open PATH="$dir/bin:$PATH" DISPLAY=
sees 'a fourth session' 'ves> $'
type 'ves.plot({1, 2, 3})\r'
sees 'without a display' 'dumb png'
grep -q '^set terminal dumb' asked
verdict 'a plot is text' $?
type 'quit\r'
leaves 'and that is all'
