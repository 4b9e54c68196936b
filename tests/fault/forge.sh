#!/usr/bin/env bash
# shellcheck disable=SC2016 # what make and Lua expand
# Scripts that share a directory --out: none gets, changes or forges what is another's, whatever it says of itself, whatever
# its modules do and its files are called; and what one leaves there is no command for make.
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
cd "$tmp" || exit 1

# ---- two scripts of one name ----

mkdir mine theirs
cat >mine/forged.lua <<'LUA'
local host = require "vesicle.base.host"
local store = host.replicate { out = host.out, experiment = "forged", name = "main", first = true, n = 1, seed = 1,
  quiet = true, description = { code = "the same", script = "the same" }, count = "", inputs = function() return "" end,
  one = function() io.open(host.out .. "/count", "a"):write("1\n") return "mine" end }
print(store:get(1))
LUA
sed 's/mine/theirs/' mine/forged.lua >theirs/forged.lua
forged() { "$vesicle" run "$1/forged.lua" --out shared >log 2>&1 && grep -qx "$1" log; } # FOLDER
counted() { [ "$(wc -l <shared/count)" -eq "$1" ]; }
forged mine && forged mine && counted 1 && forged theirs && counted 2 && forged mine && counted 2
verdict 'a script that describes itself as another gets its own results' $?

# ---- a hostile module beside a copy of an honest script ----

# The module would make the journal believe that it was the honest one: it says of the code what the honest run said.
mkdir honest hostile
cat >honest/study.lua <<'LUA'
local E = require("vesicle.experiment").new { name = "study", params = { late = false } }
local early = not E.params.late and require "helper"
local out = E:replicate { name = "main", n = 2, run = function() return (early or require "helper").value() end }
E:table("t", { "v" }, { { out[1] }, { out[2] } })
E:finish()
LUA
echo 'return { value = function() return 1 end }' >honest/helper.lua
cp honest/study.lua hostile/
cat >hostile/helper.lua <<'LUA'
local host, sources = require "vesicle.base.host", require "vesicle.base.sources"
local replicate, said = host.replicate, io.open("said.txt")
local code = said and said:read("a"):gsub("%s", "") or nil
for key in next, host do if key == "note" or key == "digest" then host[key] = function() return nil, "nothing" end end end
sources.since, sources.note, sources.mark = function() return "" end, function() end, function() return 0 end
function host.replicate(spec)
  spec.description.code = code
  spec.inputs = function() return "" end
  return replicate(spec)
end
return { value = function() return 666 end }
LUA
study() { # FOLDER ARGUMENTS...
  local folder=$1
  shift
  "$vesicle" run "$folder/study.lua" --quiet --out shared "$@" >log 2>&1 && tail -n 1 shared/study/t.tsv >>log
}
if command -v sqlite3 >/dev/null; then
  for late in false true; do
    rm -rf shared && study honest --set "late=$late" && grep -qx 1 log &&
      sqlite3 shared/study.sqlite "SELECT json_extract(description, '\$.code') FROM phase" >said.txt && rm -rf shared &&
      study hostile --set "late=$late" && grep -qx 666 log && study honest --set "late=$late" && grep -qx 1 log
    verdict "a module cannot choose the key of its results (late: $late)" $?
  done
else
  echo 'ok a module cannot choose the key of its results # skip no sqlite3'
fi

# ---- results and places ----

cat >thief.lua <<'LUA'
require("vesicle.experiment").new { name = "study" }:finish()
LUA
gives 'an experiment has the name of its script' 1 'name "study": expected "thief", as the script is called' run thief.lua --out shared
grep -qx 1 <(tail -n 1 shared/study/t.tsv)
verdict 'and leaves the results of another alone' $?
"$vesicle" run - --out shared <thief.lua >log 2>&1
[ $? -eq 1 ] && grep -q 'outside the sandbox' log && grep -qx 1 <(tail -n 1 shared/study/t.tsv)
verdict 'nor does a script without a file' $?
program=$(dirname "$vesicle")
mkdir -p "$program/data/06_variance_components"
for out in data data/06_variance_components data/../data; do
  gives "a script from elsewhere does not write to $out" 2 'is where the report reads' run honest/study.lua --out "$program/$out"
done
rmdir "$program/data/06_variance_components" "$program/data" 2>/dev/null
ln -s "$program" link
for out in "$program" link "$here" /; do
  gives "nor over the program itself ($(basename "$out"))" 2 'holds the program itself' run honest/study.lua --out "$out"
done

# ---- what make reads ----

# As the project's Makefile does it: which experiments are to run again, it is told by name.
cat >Makefile <<'MAKE'
data := made
$(data)/%/claims.tsv: %.lua
	"$(vesicle)" run $< --out $(data) --quiet
	echo run >>runs
$(foreach e,$(shell bash "$(tree)/paper/tools/stale.sh" $(data) named plain),$(eval $(data)/$(e)/claims.tsv: FORCE))
.PHONY: FORCE clean
clean:
	touch COMMAND
MAKE
cat >named.lua <<'LUA'
local host = require "vesicle.base.host"
local E = require("vesicle.experiment").new { name = "named" }
for _, name in ipairs {
  "$(shell touch COMMAND)", "x;touch COMMAND", "x:touch COMMAND", "x\n\ttouch COMMAND", "a=b", "a|b", "a%b", "a#b", "`touch COMMAND`",
  "lib(member)", "a\\", "a&", "~root", "clean",
} do
  for _, path in ipairs { host.out .. "/" .. name, name } do
    local file = io.open(path, "w") or io.open(path)
    if file then file:close() end
    io.open(path)
  end
end
E:finish()
LUA
touch clean
made() { make -s vesicle="$vesicle" tree="$here" made/named/claims.tsv >log 2>&1; }
made && made && [ ! -e COMMAND ] && [ -s made/named.d ]
verdict 'no name of a file is a command for make' $?
# Nor is what else the list could say, by whatever way it came there.
for line in '$(shell touch COMMAND)' 'read $(shell touch COMMAND)' 'x: ; touch COMMAND' 'read `touch COMMAND`' 'absent clean' \
  'wrote $(touch COMMAND)' 'wrote ../../x;touch COMMAND' '(' 'read (' 'read !' 'read -e' 'include other.mk' 'plain' '* *'; do
  echo "$line" >made/named.d
  touch -d '+1 minute' ./'(' ./'!' ./-e
  [ "$(bash "$here/paper/tools/stale.sh" made named 2>&1)" = named ] && made && [ ! -e COMMAND ] && echo "$line"
done >forged
[ "$(wc -l <forged)" -eq 14 ]
verdict 'a list that was forged makes its experiment run again, and no more' $?
cat >plain.lua <<'LUA'
local E = require("vesicle.experiment").new { name = "plain" }
for _, name in ipairs { "a file.txt", "dätä.txt", "late.txt" } do io.open(name) end
E:finish()
LUA
touch 'a file.txt' 'dätä.txt'
rm -f runs
again() { make -s vesicle="$vesicle" tree="$here" made/plain/claims.tsv >log 2>&1 && [ "$(wc -l <runs)" -eq "$1" ]; }
again 1 && again 1 && touch -d '+1 minute' 'a file.txt' && again 2 && touch -d '-1 minute' 'a file.txt' && again 2
verdict 'a file that changes is a reason to run again' $?
touch late.txt && again 3 && again 3
verdict 'and one that comes into being' $?
rm 'dätä.txt' && again 4 && again 4 && rm made/plain/claims.tsv && again 5 && rm made/plain.d && again 6 && again 6
verdict 'or that is gone, whether it was read, written or the list itself' $?
mkdir -p data/06_variance_components && touch data/06_variance_components/claims.tsv
for name in 06_variance_components stranger; do echo "\$(shell touch '$tmp/COMMAND')" >"data/$name.d"; done
make -s -C "$here" results="$tmp" help >log 2>&1 && [ ! -e COMMAND ]
verdict 'and the Makefile of the project takes no command from there' $?
