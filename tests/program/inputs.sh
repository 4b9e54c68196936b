#!/usr/bin/env bash
# shellcheck disable=SC2016 # backquotes are part of the messages
# What a result depends on: the journal uses it again only while all that the script and the replicate have read is the same.
# What cannot be looked at again is read before the replicates, and is part of their key, or is an error.
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
cd "$tmp" || exit 1

# script NAME BEFORE INSIDE: an experiment of three replicates; BEFORE sets `given`, INSIDE sets `seen`.
script() {
  cat >"$1.lua" <<LUA
local E = require("vesicle.experiment").new { name = "$1", params = { word = "none" } }
local host = require "vesicle.base.host"
local function content(path)
  local file = io.open(path)
  return file and file:read("a") or "nothing"
end
local given = ""
$2
local out = E:replicate { name = "main", n = 3, run = function()
  local seen = ""
  ${3-}
  local file = io.open(E.out .. "/count", "a")
  file:write("x")
  file:close()
  return given .. seen
end }
E:table("t", { "x" }, { { (out[1]:gsub("[\n\t]", " ")) .. "." } })
E:finish()
LUA
}
# runs NAME VALUE COUNT ARGUMENTS...: the result is VALUE., and COUNT replicates were computed for it.
runs() {
  local name=$1 value=$2 count=$3
  shift 3
  mkdir -p out && : >out/count
  "$vesicle" run "$name.lua" --quiet --out out "$@" >log 2>&1 || return 1
  { tail -n 1 "out/$name/t.tsv" && cat out/count; } >>log 2>/dev/null
  [ "$(tail -n 1 "out/$name/t.tsv")" = "$value." ] && [ "$(find out -name count -printf %s)" -eq "$count" ]
}

script input 'given = io.read("l") or ""'
runs input one 3 < <(echo one) && runs input one 0 < <(echo one) && runs input two 3 < <(echo two)
verdict 'standard input is part of the key' $?
script lines 'for line in io.lines() do given = given .. line end'
runs lines ab 3 < <(printf 'a\nb\n') && runs lines ab 0 < <(printf 'a\nb\n') && runs lines ac 3 < <(printf 'a\nc\n')
verdict 'line by line too' $?
script inner '' 'seen = io.read("l")'
gives 'a replicate that reads standard input is an error' 1 'a replicate cannot read standard input' run inner.lua --out out

script clock '' 'seen = os.time { year = 2000, month = 1, day = 1, hour = 12 } .. os.date("!%Y", 0) .. os.time()'
gives 'so is one that asks for the time' 1 'a replicate cannot read the time' run clock.lua --out out
for call in 'time()' 'date()' 'clock()'; do
  script "captured" "given = tostring(os.$call)" 'seen = given'
  gives "and a script that has asked before: os.$call" 1 "E:replicate: the script has called os\\.${call%%(*}\\(\\) before.*Make it a parameter" run captured.lua --out out
done
script fixed 'given = os.time { year = 2000, month = 1, day = 1, hour = 12 } .. os.date("!%Y", 0)'
runs fixed "$("$vesicle" -e 'print(os.time { year = 2000, month = 1, day = 1, hour = 12 } .. os.date("!%Y", 0))')" 3
verdict 'a time that is given is no question' $?

script early 'given = content("late.txt")'
script later '' 'seen = content("late.txt")'
runs early nothing 3 && runs early nothing 0 && runs later nothing 3 && runs later nothing 0
verdict 'a file that is not there' $?
printf now >late.txt
runs early now 3 && runs later now 3 && runs later now 0
verdict 'and then is' $?
script hashed '' 'seen = (host.digest("late.txt")):sub(1, 4)'
runs hashed "$(sha256sum late.txt | cut -c 1-4)" 3 && printf other >late.txt && runs hashed "$(sha256sum late.txt | cut -c 1-4)" 3
verdict 'its checksum is its content' $?
printf now >late.txt
rm late.txt
runs early nothing 0 && runs later nothing 3
verdict 'and then is gone' $?
# The same script, elsewhere: another working directory has other files, another folder other modules.
mkdir one two
for place in one two; do echo "$place" >"$place/near.txt" && echo "return '$place'" >"$place/near.lua"; done
script where '' 'seen = io.open("near.txt"):read("l")'
script module '' 'seen = require "near"'
cp module.lua one && cp module.lua two
from() { # DIRECTORY NAME VALUE COUNT
  : >out/count
  (cd "$1" && "$vesicle" run "../$2.lua" --quiet --out ../out) >log 2>&1 && grep -qx "$3." "out/$(basename "$2")/t.tsv" && [ "$(stat -c %s out/count)" -eq "$4" ]
}
mkdir -p out && from one where one 3 && from one where one 0 && from two where two 3 && from two where two 0
verdict 'a file of another working directory' $?
from two one/module one 3 && from two one/module one 0 && from two two/module two 3 && from one two/module two 0
verdict 'a module of another folder' $?
echo 1 >first.txt && echo 2 >second.txt && ln -s first.txt led.txt
script led '' 'seen = io.open("led.txt"):read("l")'
runs led 1 3 && runs led 1 0 && ln -sfn second.txt led.txt && runs led 2 3
verdict 'a link that leads elsewhere' $?
script optional '' 'local good, module = pcall(require, "option") seen = good and module or "none"'
runs optional none 3 && runs optional none 0 && echo 'return "found"' >option.lua && runs optional found 3 && runs optional found 0
verdict 'a module that was not there' $?
printf 'x\ty\n0.5\t0.5\n' >table.tsv
script observes 'local ves = require "vesicle" local code = ves.code { n = 4, lo = 0, hi = 1, sigma = 0.3 }' \
  'local net = ves.network { input = code, output = code, rng = E.rng } E:observe(net, "table.tsv") seen = net.rows'
runs observes 1 3 && runs observes 1 0 && printf '0.7\t0.7\n' >>table.tsv && runs observes 2 3
verdict 'a table that a replicate observes' $?

script append '' 'local f = io.open(E.out .. "/log.txt", "a+") f:seek("set") seen = f:read("a") f:close()'
mkdir -p out && printf 1 >out/log.txt
runs append 1 3 && printf 2 >out/log.txt && runs append 2 3
verdict 'a file opened to append to, and read' $?

mkdir folder && touch folder/a
script listing 'given = table.concat(host.list("folder"), " ")'
runs listing a 3 && runs listing a 0 && touch folder/b && runs listing 'a b' 3
verdict 'the list of a folder is part of the key' $?
script inlist '' 'seen = #host.list("folder")'
gives 'a replicate that lists one is an error' 1 'a replicate cannot read a directory' run inlist.lua --out out

script variable 'given = os.getenv("MINE")'
MINE=1 runs variable 1 3 --trust && MINE=1 runs variable 1 0 --trust && MINE=2 runs variable 2 3 --trust
verdict 'variables of the environment are part of the key' $?
script invariable '' 'seen = os.getenv("MINE")'
MINE=1 runs invariable 1 3 --trust && MINE=1 runs invariable 1 0 --trust && MINE=2 runs invariable 2 3 --trust
verdict 'and are noted with a result' $?
script program 'given = io.popen("cat said.txt"):read("a")'
printf 1 >said.txt && runs program 1 3 --trust && runs program 1 0 --trust && printf 2 >said.txt && runs program 2 3 --trust
verdict 'what a program says is part of the key' $?
script status 'given = tostring((os.execute("test -e flag")))'
runs status nil 3 --trust && touch flag && runs status true 3 --trust
verdict 'and how it ends' $?
script inprogram '' 'seen = io.popen("echo x"):read("a")'
gives 'a replicate that starts a program is an error' 1 'a replicate cannot read a program' run inprogram.lua --out out --trust
mkfifo pipe
script piped 'given = content("pipe")'
printf x >pipe &
gives 'a pipe by its name is refused' 1 'pipe is no file' run piped.lua --out out --trust
kill %+ 2>/dev/null

script words 'given = E.params.word'
runs words 'a b = c' 3 --set word=$'a\nb = c' && runs words 'a b = d' 3 --set word=$'a\nb = d' && runs words 'a b = c' 0 --set word=$'a\nb = c'
verdict 'line breaks in parameters' $?
grep -c '^[^#]' out/words/t.tsv | grep -qx 2
verdict 'stay within a line of a header' $?

cat >huge.lua <<'LUA'
local E = require("vesicle.experiment").new { name = "huge", params = { n = 1 } }
E:replicate { name = "main", n = E.params.n, run = function() return 1 end }
E:finish()
LUA
gives 'too many replicates' 1 'key `n` is 35184372088832, expected a whole number from 0 to 1000000000' run huge.lua --out out --set n=$((1 << 45))
gives 'more than memory holds' 1 'not enough memory' run huge.lua --out out --set n=1000000000 --max-memory 20M
