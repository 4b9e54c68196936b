#!/usr/bin/env bash
# Files of an experiment appear together: killed between any two steps of their publication, the folder holds the earlier
# results or the new ones, never some of each, and what else lies there is not lost.
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
requires 'publication' "${CC:-cc}"
${CC:-cc} -shared -fPIC -o "$tmp/die_at.so" tests/fault/die_at.c || exit 1
cd "$tmp" || exit 1
cat >pair.lua <<'LUA'
local E = require("vesicle.experiment").new { name = "pair", params = { v = 1 } }
E:table("a", { "v" }, { { E.params.v } })
E:table(E.params.v == 1 and "before" or "after", { "v" }, { { E.params.v } })
E:number("Value", E.params.v)
E:finish()
LUA
publish() { "$vesicle" run pair.lua --quiet --out out --set v="$1"; }
picture() { (cd "out/pair" 2>/dev/null && for file in *.tsv *.tex; do echo "$file" && grep -v '^[#%]' "$file"; done); }
publish 1 >log 2>&1 && picture >old && publish 2 >log 2>&1 && picture >new && ! cmp -s old new
verdict 'two publications' $?

steps=0 whole=0 kept=0 killed=1
while [ "$killed" -ne 0 ] && [ "$steps" -lt 100 ]; do
  steps=$((steps + 1))
  rm -rf out && publish 1 >log 2>&1 && echo mine >out/pair/notes.txt
  LD_PRELOAD=$tmp/die_at.so DIE_AT=$steps publish 2 >log 2>&1
  killed=$?
  picture >now
  if ! cmp -s now old && ! cmp -s now new; then whole=1; fi
  if ! { publish 2 >log 2>&1 && picture | cmp -s - new && [ "$(cat out/pair/notes.txt)" = mine ] && [ -z "$(find out -name '.*')" ]; }; then
    kept=1
  fi
  if [ "$whole$kept" != 00 ]; then
    { echo "step $steps" && cat now && find out; } >>log
    break
  fi
done
verdict 'killed at any step, all is old or all is new' "$whole"
verdict 'and the next run is whole, with what else was there' "$kept"
[ "$steps" -ge 12 ]
verdict "at least a dozen steps ($((steps - 1)))" $?
