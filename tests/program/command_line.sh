#!/usr/bin/env bash
# shellcheck disable=SC2016 # backquotes are part of the messages
# The command line: exit codes, messages, where files go. Lines "ok NAME" and "not ok NAME".
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
dir=$tmp tree=$here
cd "$dir" || exit 1

cat >plain.lua <<'LUA'
print("seed", require("vesicle.base.host").seed, "arg", arg[0], math.random(1000000))
LUA
cat >try.lua <<'LUA'
local ex = require "vesicle.experiment"
local E = ex.new {
  name = "try", title = "A try",
  params = { n = { 4, quick = 2 }, psi = { 2.5, about = "the exponent" }, xs = { 1, 2 },
             rule = { "power", range = { "power", "raw" } } },
}
local P = E.params
local out = E:replicate { name = "main", n = P.n, run = function(i, rng)
  return { u = rng:uniform(), r = math.random(100) }
end }
local rows = {}
for i = 1, #out do rows[i] = { i, out[i].u, out[i].r } end
E:table("draws", { "i", "u", "r" }, rows)
E:number("Mean", out:column("u"):mean(), 0.1)
E:statement {
  id = "try-works", says = "it works", where = "nowhere", kind = "empirical", quantity = "a number",
  criterion = require("vesicle.criterion").within(), cells = { printed = { 1, exact = true } },
}
E:finish()
LUA
echo 'local function inner() error("broken on purpose") end
inner()' >broken.lua
echo 'local x = = 1' >syntax.lua
echo 'error({ exit_code = 4, message = "asked for" }, 0)' >stop.lua
echo 'local t = nil; return t.field' >nil.lua
printf '\033Lua' >bytecode.lua
mkdir helper && echo 'return { word = "from the helper" }' >helper/side.lua &&
  echo 'print(require("side").word)' >helper/main.lua

# ---- what it is ----
gives 'version names the commit' 0 '^commit ' --version
for library in GSL Lua SQLite Random123 SIMD; do
  gives "version names $library" 0 "^$library +[^ ]" --version
done
gives 'help lists the commands' 0 '^  vesicle run ' --help
gives 'help documents the exit codes' 0 '3 interrupted and resumable' --help
gives 'help of a command' 0 '^  --seed N' help run
gives 'help by option' 0 '^usage: vesicle run' run --help
gives 'help of nothing known' 2 "no command 'rum'" help rum

for command in '' run params sweep claims journal repl help; do
  # shellcheck disable=SC2086 # an empty word is no word
  check "help $command fits 80 columns" test -z "$("$vesicle" help $command | awk 'length > 80')"
done

# ---- short forms ----
gives 'a script without run' 0 'arg[[:space:]]+plain.lua' plain.lua
gives 'code on the command line' 0 '^42$' -e 'print(6 * 7)'
gives 'code after run' 0 '^42$' run -e 'print(6 * 7)' --seed 3
gives 'code names itself in errors' 1 "command-line:1: attempt to index a nil value" -e 'local t; return t.x'
gives 'code and a script' 2 "not both; unexpected 'plain.lua'" run -e 'print(1)' plain.lua
gives '-e without code' 2 "a value is missing after '-e'" -e
check 'a script on standard input' test "$(echo 'print(6 * 7)' | "$vesicle")" = 42
check 'a script on standard input, by name' test "$(echo 'print(6 * 7)' | "$vesicle" run -)" = 42
check 'its errors name it' grep -q 'stdin:2: attempt' <(printf 'local t\nreturn t.x\n' | "$vesicle" 2>&1)
check 'an experiment on standard input' test -s "$(cd "$dir" && "$vesicle" run - --quiet --out piped <try.lua; echo piped/try/draws.tsv)"
check 'gives the same bytes as its file' eval '"$vesicle" run --quiet --out filed try.lua &&
  cmp <(grep -v "^#" piped/try/draws.tsv) <(grep -v "^#" filed/try/draws.tsv)'
echo 'sweep' >dash.lua
gives 'a sweep of standard input' 2 'write it to a file' sweep - --over n=1,2

# ---- habits of other languages ----
# hint NAME PATTERN CODE: the code fails, and a line says what to write instead.
hint() { gives "hint: $1" 1 "$2" -e "local ves = require 'vesicle'; local w = ves.vector{1, 2, 3}; $3"; }
gives 'a long message needs no long time' 1 'xxxx' run --timeout 20 -e 'error(("x"):rep(1000000))'
hint '!=' 'vesicle: not equal is written ~=' 'if w != 2 then end'
hint '+=' 'write `x = x \+ 1`' 'local x = 1; x += 1'
hint '**' 'a power is written \^' 'print(2 ** 3)'
hint 'True' 'no variable `True`: write true' 'print(True)'
hint 'w[0]' 'the first element has index 1' 'print(w[0])'
hint 'vector(1, 2, 3)' 'in braces: ves.vector\{1, 2, 3\}' 'ves.vector(1, 2, 3)'
hint 'w.sum()' 'write a colon: x:sum\(...\)' 'w.sum()'
hint 'rng.uniform(5)' 'write a colon: x:uniform' 'ves.rng(1).uniform(5)'
hint 'E.table' 'E:table is called with a colon' 'require("vesicle.experiment").new{name = "x"}.table("y")'
hint 'len(w)' 'instead of `len` write #v' 'print(len(w))'
hint 'w > 0.2' 'v:less\(x\) has 1' 'print(w > 0.2)'
hint 'a plain table' 'a plain table has no arithmetic' 'print({1, 2} * 2)'
hint 'w:sum' 'with parentheses: w:sum\(\)' 'local s = w:sum'
hint 'x <- 3' 'write `x = ...`' '
x <- 3'
hint 'w[1:2]' 'v:slice\(1, 2\)' 'print(w[1:2])'
hint 'w.shape' 'instead of `shape` write #v, or M.rows' 'print(w.shape)'
hint 'w.T' 'write M:transpose\(\)' 'print(w.T)'
hint 'rng:exponential(5)' 'write -mean \* \(1 - rng:uniform\(n\)\):log' 'ves.rng(1):exponential(5)'
hint 'ves.array' 'instead of `ves.array` write ves.vector\{1, 2, 3\}' 'ves.array{1, 2}'
hint '[1, 2]' 'a list stands in braces' 'local v = ves.vector([1, 2])'
check 'no such word where brackets are right' test "$("$vesicle" -e 'local t = { [1] = 2 }; print(t[1]' 2>&1 | grep -c braces)" = 0
hint 'M[1, 2]' 'a matrix is M:get\(i, j\)' 'print(w[1, 2])'
hint 'w @ w' 'write v:dot\(w\)' 'print(w @ w)'
hint 'f(x, draws=100)' 'options stand in braces' 'ves.sample(w, w, draws=100)'
hint 'analytic(1, 2)' 'in braces: ves.release.analytic\{0.4, 0.3\}' 'ves.release.analytic(1, 2)'
hint 'matrix * vector' 'the product of matrices is M:mul' 'print(ves.matrix{{1, 2}, {3, 4}} * ves.vector{1, 2})'
hint '"a" + "b"' 'joined by two dots' 'print("a" + "b")'
hint 'x if y else z' 'condition and this or that' 'local x = 1 if w else 2'
hint 'run(rng)' 'a replicate is run\(i, rng\): its number comes first' \
  'require("vesicle.experiment").new{name = "g"}:replicate{name = "m", n = 1, run = function(rng) return rng:uniform() end}'
gives 'a script without its ending' 1 'a script is named by its file: plain.lua' run plain
gives 'an error of the library names the line of the script' 1 '^vesicle: command-line:3: E:number: name "my_number"' \
  -e 'local E = require("vesicle.experiment").new{name = "g"}

E:number("my_number", 1)'
hint 'a misspelt field of a module' 'did you mean `summary`' 'require("vesicle.stats").sumary()'
gives 'a global is reported' 0 'a global variable was made: `total` \(command-line:1\); write `local` before it$' -e 'total = 1'
gives 'a local is not' 0 '^$' -e 'local total = 1; print(total * 0 == 0 and "")'
gives 'a global in a replicate is an error' 1 '`seen` is a new global variable, which replicates of `main` would share' \
  -e 'local E = require("vesicle.experiment").new{name = "g"}
E:replicate{name = "main", n = 2, run = function() seen = 1; return 1 end}'

# ---- usage errors ----
gives 'no command' 2 'a command is missing'
gives 'unknown command' 2 "unknown command 'rum'" rum
gives 'unknown option before a command' 2 "unknown option '--foo'" --foo
gives 'unknown option' 2 "option '--foo'" run plain.lua --foo
gives 'unknown short option' 2 "unknown option '-z'" run plain.lua -z
gives 'option of another command' 2 "takes no option '--format'" run plain.lua --format tsv
gives 'missing script' 2 'a script is missing' run
gives 'two scripts' 2 "unexpected 'b'" run a b
gives 'missing value' 2 "missing after '--seed'" run plain.lua --seed
gives 'bad seed' 2 "2\^63-1, got '1.5'" run plain.lua --seed 1.5
gives 'negative seed' 2 "got '-1'" run plain.lua --seed -1
gives 'huge seed' 2 "got '9223372036854775808'" run plain.lua --seed 9223372036854775808
gives 'bad scale' 2 "expected full or quick, got 'tiny'" run plain.lua --scale tiny
gives 'set without a value' 2 "expected KEY=VALUE, got 'psi'" run try.lua --set psi
gives 'unknown parameter' 2 'no parameter `pis`: did you mean `psi`\? \(parameters: n, psi, rule, xs\)' \
  run try.lua --set pis=3
gives 'bad parameter value' 2 "\`n\` of try: expected a whole number, got 'many'" run try.lua --set n=many
gives 'parameter out of range' 2 "expected power\|raw, got 'rew'" run try.lua --set rule=rew

gives 'bad number of jobs' 2 "from 1 to 256, got '0'" run plain.lua --jobs 0
gives 'bad replicate' 2 "I or NAME:I with I from 1, got 'main:'" run plain.lua --replicate main:
gives 'bad timeout' 2 "seconds above 0, got '-1'" run plain.lua --replicate-timeout -1
gives 'no action on the journal' 2 'expected show, verify or prune' journal
gives 'an unknown action' 2 "expected show, verify or prune, got 'burn'" journal burn
gives 'a journal that is not there' 1 'nowhere: No such file' journal show nowhere

# ---- script errors ----
gives 'an error has a message' 1 'broken.lua:1: broken on purpose' run broken.lua
gives 'an error has a traceback' 1 "broken.lua:2: in main chunk" run broken.lua
gives 'a syntax error names the line' 1 "syntax.lua:1: unexpected symbol near '='" run syntax.lua
gives 'an index of nil is explained' 1 "attempt to index a nil value \(local 't'\)" run nil.lua
gives 'a missing script is named' 1 'nowhere.lua' run nowhere.lua
gives 'bytecode is refused' 1 'attempt to load a binary chunk' run bytecode.lua
gives 'a stop object sets the exit code' 4 'vesicle: asked for' run stop.lua
gives 'a module beside the script is found' 0 'from the helper' run helper/main.lua
LUA_PATH='/nowhere/?.lua' LUA_INIT='error("init")' gives 'the environment of Lua is ignored' 0 'seed' run plain.lua

# ---- runs ----
gives 'seed and script reach the script' 0 'seed	7	arg	plain.lua' run plain.lua --seed 7
gives 'a hexadecimal seed' 0 'seed	255' run plain.lua --seed 0xff
"$vesicle" run plain.lua >a && "$vesicle" run "$dir/plain.lua" >b && "$vesicle" run plain.lua --seed 1 >c
tail -c 8 a >a1 && tail -c 8 b >b1 && cmp -s a1 b1 && ! cmp -s a c
verdict 'math.random depends on seed and script name alone' $?

gives 'an experiment runs' 0 'first/try/draws.tsv' run try.lua --out first
[ "$(grep -vc '^#' first/try/draws.tsv)" -eq 5 ]
verdict 'full scale' $?
"$vesicle" run try.lua --out second --quiet >log 2>&1 && [ ! -s log ]
verdict 'quiet is quiet' $?
diff -r first/try second/try >log
verdict 'a second run writes the same bytes' $?
gives 'quick scale runs' 0 'quick/try' run try.lua --out quick --scale quick
[ "$(grep -vc '^#' quick/try/draws.tsv)" -eq 3 ] && grep -q '^# scale: quick' quick/try/draws.tsv
verdict 'quick scale is smaller and says so' $?
"$vesicle" run --quiet --set n=6 --out=more try.lua >log 2>&1 &&
  diff <(grep -v '^#' first/try/draws.tsv) <(grep -v '^#' more/try/draws.tsv | head -5) >>log
verdict 'options in any order; more replicates keep the first ones' $?
mkdir -p elsewhere/deep && (cd elsewhere/deep && "$vesicle" run ../../try.lua --quiet --out o) >log 2>&1 &&
  diff -r first/try elsewhere/deep/o/try >>log
verdict 'the working directory does not matter' $?
ln -s "$vesicle" link && ./link run try.lua --quiet --out linked >log 2>&1 && diff -r first/try linked/try >>log
verdict 'a symbolic link to the program works' $?
gives 'parameters are listed' 0 'psi +number +2.5 +the exponent|psi +number +2.5' params try.lua
gives 'parameters with an override' 0 'xs +list of numbers +3,4' params try.lua --set xs=3,4
[ ! -e try ] && [ ! -e vesicle-data ]
verdict 'params runs nothing' $?
gives 'a script without an experiment has no parameters' 1 'declares no experiment' params plain.lua

# ---- the journal ----
gives 'the journal is shown' 0 'main of try, seed 20211118, scale full, code [0-9a-f]{12}: 4 replicates' journal show first
gives 'with its parameters' 0 '^    psi = 2.5' journal show first/try.sqlite
gives 'the journal is verified' 0 '4 records in 1 phases, all good' journal verify first
gives 'nothing to prune' 0 'nothing to remove' journal prune first
cp -r first pruned && mkdir changed && sed 's/A try/Another try/' try.lua >changed/try.lua && "$vesicle" run changed/try.lua --quiet --out pruned
gives 'what would be pruned' 0 'would remove' journal prune pruned --dry-run
gives 'it is still there' 0 '8 records in 2 phases' journal verify pruned
gives 'what a changed script cannot use is pruned' 0 'removed' journal prune pruned
gives 'the rest is kept' 0 '4 records in 1 phases' journal verify pruned

# ---- failures leave nothing half-written ----
sed 's/^E:finish()/error("late")/; s/name = "try"/name = "late"/' try.lua >late.lua
gives 'a late error' 1 'late.lua:[0-9]+: late' run late.lua --out late
[ ! -e late/late ] && [ ! -e late/.late.partial ]
verdict 'an error before finish writes nothing' $?
sed 's/i, out\[i\].u, out\[i\].r/i, out[i].u, 0/; s/^E:finish()/E:table("big", { "x" }, { { ("x"):rep(300000) } }); E:finish()/' \
  try.lua >changed/try.lua
(ulimit -f 100 && exec "$vesicle" run changed/try.lua --out first) >log 2>&1
[ $? -eq 3 ] && grep -q 'cannot write first/.try.partial/big.tsv: File too large' log && diff -r first/try second/try >>log &&
  [ ! -e first/.try.partial ]
verdict 'a full disk leaves the earlier results as they were' $?

beside=$(dirname "$vesicle")
sed 's/name = "try"/name = "stranger"/' try.lua >stranger.lua
"$vesicle" run stranger.lua >log 2>&1 && [ -s "$beside/scripts/stranger/stranger/draws.tsv" ] && [ ! -e "$beside/data/stranger" ]
verdict 'a script of somebody else writes to a folder of its own, not where the report reads' $?
rm -rf "$beside/scripts/stranger"
sed '/E:finish/d; s/name = "try"/name = "unfinished"/' try.lua >unfinished.lua
gives 'an experiment that is not finished is an error' 1 'unfinished.lua ends without E:finish\(\): the experiment `unfinished` has written nothing' run unfinished.lua --out late
sed 's/^E:finish()/os.exit(0)/; s/name = "try"/name = "left"/' try.lua >left.lua
gives 'also if it leaves by os.exit' 1 'ends without E:finish' run left.lua --out late
sed -i 's/os.exit(0)/os.exit(256)/' left.lua
while IFS='|' read -r name code; do
  printf 'local exit = os.exit\nlocal E = require("vesicle.experiment").new { name = "evades" }\n%s\n' "$code" >evades.lua
  gives "no way around it: $name" 1 'vesicle: .*(ends without E:finish|an error of exit code 0)' run evades.lua --out late
done <<'WAYS'
an error of exit code 0|error { exit_code = 0 }
no function to call at the end|require("vesicle.base.host").ended = nil
no module|package.loaded["vesicle.base.host"] = nil
a finish that is claimed|E.finished = true
the exit kept from before|require("vesicle.base.host").ended = nil exit(0)
an exit of Lua replaced|require("vesicle.base.host").ended = nil os.exit(true)
WAYS
gives 'with a code that a process reports as 0' 1 'ends without E:finish' run left.lua --out late
[ ! -e late/left ] && [ ! -e late/unfinished ]
verdict 'and nothing is written' $?
cat >printing.lua <<'LUA'
local file = io.open(require("vesicle.base.host").out .. "/file.txt", "w")
print("printed")
io.stdout:flush()
io.stderr:write("told\n")
file:write("written\n"):close()
LUA
for closed in '>&-' '2>&-' '<&-' '<&- >&- 2>&-'; do
  eval '"$vesicle" run printing.lua --out closed >log 2>&1 '"$closed"
  echo written | cmp - closed/file.txt
  verdict "what is printed to a closed stream lands in no file: $closed" $?
done

# ---- claims ----
gives 'statements as a table' 0 '^try-works: as printed' claims first
gives 'statements are counted' 0 '^Of 1 statement of the original 1 holds as printed' claims first
gives 'statements as tsv' 0 '^try-works	printed	holds	1	0	NA	within 10% of 1' claims first --format tsv
gives 'statements as markdown' 0 '^\| `try-works` \| it works' claims first --format markdown
gives 'statements as latex' 0 '^it works & printed' claims first --format latex
gives 'one statement whole' 0 '^criterion +within 10% of 1' claims first --id try-works
gives 'an unknown statement' 1 'did you mean `try-works`' claims first --id try-work
gives 'no directory' 1 'nowhere' claims nowhere
gives 'a bad format' 2 "got 'pdf'" claims first --format pdf
mkdir -p twice && cp -r first/try twice/a && cp -r first/try twice/b
gives 'a statement made twice' 1 'the statement `try-works` stands in twice/a/claims.tsv and in' claims twice

# ---- the library under another interpreter ----
if command -v lua5.4 >/dev/null && [ -e "$tree/$BUILD/vesicle.so" ]; then
  LUA_PATH="$tree/lua/?.lua" LUA_CPATH="$tree/$BUILD/?.so" lua5.4 try.lua >log 2>&1 &&
    diff <(grep -v '^#' first/try/draws.tsv) <(grep -v '^#' vesicle-data/try/draws.tsv) >>log
  verdict 'plain lua5.4 gives the same data' $?
else
  echo 'ok plain lua5.4 gives the same data # skip no lua5.4 or no module'
fi
