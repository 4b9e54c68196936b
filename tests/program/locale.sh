#!/usr/bin/env bash
# Numbers are read and written with a point, whatever locale the environment has and whoever calls setlocale: in the program,
# in a plain Lua, in Python and in R.
# shellcheck disable=SC2016 # what R expands
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
cd "$tmp" || exit 1
if ! localedef --no-archive -i de_DE -f UTF-8 "$tmp/de_DE.UTF-8" >"$log" 2>&1; then
  echo 'ok a German locale # skip localedef or its sources are not installed (Debian: locales)'
  exit 0
fi
export LOCPATH=$tmp LUA_PATH="$here/lua/?.lua" LUA_CPATH="$BUILD/?.so"
case $BUILD in /*) ;; *) LUA_CPATH="$here/$BUILD/?.so" ;; esac
printf 'x\ty\n0.5\t1e-3\n1.25\t-2.5\n' >halves.tsv
cp halves.tsv commas.tsv && sed -i 's/1\.25/1,25/' commas.tsv

# ---- the program ----

cat >study.lua <<'LUA'
local ves = require "vesicle"
local E = require("vesicle.experiment").new { name = "study", params = { step = 0.5 } }
local out = E:replicate { name = "main", n = 2, run = function(i, rng) return { i + E.params.step, rng:uniform(), ves.vector { 0.1, i / 3 } } end }
E:table("t", { "x", "u" }, { { out[1][1], out[1][2] }, { out[2][1], out[2][3][2] } })
E:array("a", out[2][3])
E:number("Mean", ves.read_table("halves.tsv").x:mean())
E:finish()
LUA
"$vesicle" run study.lua --quiet --out english --set step=0.25 >"$log" 2>&1 &&
  LC_ALL=de_DE.UTF-8 "$vesicle" run study.lua --quiet --out german --set step=0.25 >>"$log" 2>&1 &&
  diff -r english/study german/study >>"$log" && ! grep -rq '[0-9],[0-9]' german/study/*.tsv
verdict 'an experiment writes the same in a German environment' $?
trusted() { # NAME STATUS PATTERN CODE
  echo "$4" >trusted.lua
  gives "$1" "$2" "$3" run trusted.lua --trust
}
for category in '' ', "all"' ', "numeric"' ', "collate"'; do
  trusted "a trusted script has no other locale: \"de_DE.UTF-8\"$category" 1 "argument 1 \\(locale\\) is 'de_DE.UTF-8': expected 'C'" \
    "os.setlocale(\"de_DE.UTF-8\"$category)"
done
LC_ALL=de_DE.UTF-8 trusted 'nor that of the environment' 1 "is '': expected 'C'" 'os.setlocale("")'
trusted 'it can ask which it has, and choose "C"' 0 '^C.C$' 'print(os.setlocale(), os.setlocale("C", "numeric"))'

# ---- a plain Lua ----

plain() { # NAME CODE: prints `good`
  printf '%s\n' 'assert(os.setlocale("de_DE.UTF-8")) assert(("%.1f"):format(0.5) == "0,5")' 'local ves = require "vesicle"' "$2" >plain.lua
  lua5.4 plain.lua >"$log" 2>&1 && tail -n 1 "$log" | grep -qx good
  verdict "$1" $?
}
if command -v lua5.4 >/dev/null; then
  plain 'Lua with a decimal comma reads points' 'local t = ves.read_table("halves.tsv")
    if t.x[1] == 1 / 2 and t.x[2] == 5 / 4 and t.y[1] == 1 / 1000 and t.y[2] == -5 / 2 then print "good" end'
  plain 'and no commas' 'local _, why = pcall(ves.read_table, "commas.tsv")
    if why:find("line 3, column 1 .*1,25.*expected a number") then print "good" end'
  plain 'and writes points' 'ves.write_table("again.tsv", { x = { 1 / 2, 5 / 4 }, y = { 1 / 1000, -5 / 2 } }, { columns = { "x", "y" } })
    local text = io.open("again.tsv"):read("a")
    if text == "x\ty\n0.5\t0.001\n1.25\t-2.5\n" and ves.table_line { 1 / 2 } == "0.5" then print "good" end'
  plain 'also on the screen and in errors' 'local v, code = ves.vector { 1 / 2 }, ves.code { n = 4, lo = 0, hi = 1 / 2, sigma = 1 / 4 }
    local _, why = pcall(ves.vector, { 1 / 2, 1 / 0 })
    if (tostring(v) .. tostring(ves.matrix { { 1 / 2 } }) .. tostring(code) .. why):find("[0-9],[0-9]") then print(v, code, why) else print "good" end'
  plain 'what Lua itself would write with commas is refused' 'local ex = require "vesicle.experiment"
    local _, why = pcall(ex.new, { name = "e" })
    os.setlocale "C"
    local E = ex.new { name = "e" }
    os.setlocale("de_DE.UTF-8", "numeric")
    local _, later = pcall(E.number, E, "X", 1 / 2)
    os.setlocale("C")
    os.setlocale("de_DE.UTF-8", "collate")
    local _, sorted = pcall(E.finish, E)
    for _, text in ipairs { why, later, sorted } do assert(text:find("as in the locale .* expected \"C\" of both"), text) end
    print "good"'
else
  echo 'ok a plain Lua # skip no lua5.4'
fi

# ---- Python and R ----

for python in python3 /usr/bin/python3 ''; do
  [ -z "$python" ] || "$python" -c 'import numpy, pandas' 2>/dev/null && break
done
if [ -n "$python" ]; then
  VESICLE_LIBRARY=$(dirname "$vesicle")/libvesicle.so PYTHONPATH=$here/csrc/python PYTHONDONTWRITEBYTECODE=1 check 'Python with a decimal comma' "$python" -c '
import locale
locale.setlocale(locale.LC_ALL, "de_DE.UTF-8")
assert locale.localeconv()["decimal_point"] == ","
import vesicle
from vesicle import tables
assert list(tables.read_table("halves.tsv").x) == [0.5, 1.25]
frame = tables.read_table("english/study/t.tsv")
assert list(frame.x) == [1.25, 2.25] and frame.attrs["parameters"]["step"] == 0.25
journal = tables.read_journal("english/study.sqlite")
assert journal["parameter.step"][0] == 0.25 and journal["1"][0] == 1.25 and journal["3"][0][0] == 0.1
assert vesicle.release.analytic([1, 2, 1])[1] == 0.5'
else
  echo 'ok Python with a decimal comma # skip no Python with numpy and pandas (Debian: python3-numpy python3-pandas)'
fi
if command -v Rscript >/dev/null; then
  check 'R with a decimal comma' Rscript --vanilla -e 'stopifnot(suppressWarnings(Sys.setlocale("LC_NUMERIC", "de_DE.UTF-8")) != "")
    stopifnot(read.delim("halves.tsv")$x == c(1 / 2, 5 / 4), read.delim("english/study/t.tsv", comment.char = "#")$x == c(5 / 4, 9 / 4))'
else
  echo 'ok R with a decimal comma # skip no Rscript (Debian: r-base-core)'
fi
