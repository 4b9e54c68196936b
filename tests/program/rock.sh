#!/usr/bin/env bash
# luarocks make installs module and library, and a plain Lua finds them by what `luarocks path` says alone.
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
requires 'a rock' luarocks lua5.4
rock=$here/csrc/lua/vesicle-$(sed -n 's/^VERSION := //p' Makefile)-1.rockspec
check 'the rockspec has the version of the tree' grep -q "^version = \"$(sed -n 's/^VERSION := //p' Makefile)-1\"\$" "$rock"
copy_tree "$tmp/tree" Makefile csrc lua figures tests paper
cd "$tmp/tree" || exit 1
unset BUILD LUA_PATH LUA_CPATH LUA_PATH_5_4 LUA_CPATH_5_4 VESICLE_LUA
export HOME=$tmp # where luarocks keeps its own files
rocks() { luarocks --lua-version 5.4 --tree "$tmp/rocks" "$@"; }
check 'luarocks make' rocks make "$rock"
rocks path >"$tmp/path" 2>"$log"
verdict 'luarocks path' $?
# shellcheck source=/dev/null
source "$tmp/path"
mkdir "$tmp/elsewhere" && cd "$tmp/elsewhere" || exit 1
lua5.4 -e 'print(require("vesicle").release.analytic({ 1, 2, 1 })[2])' >"$log" 2>&1 && grep -qx 0.5 "$log"
verdict 'require "vesicle"' $?
cat >mine.lua <<'LUA'
local E = require("vesicle.experiment").new { name = "mine", params = { n = 3 } }
local out = E:replicate { name = "main", n = E.params.n, run = function(_, rng) return rng:uniform() end }
E:number("Mean", out:column():mean())
E:finish()
LUA
lua5.4 mine.lua >"$log" 2>&1 && "$vesicle" run mine.lua --out "$tmp/out" --quiet >>"$log" 2>&1 &&
  cmp <(grep -v '^#' vesicle-data/mine/numbers.tsv) <(grep -v '^#' "$tmp/out/mine/numbers.tsv") >>"$log" 2>&1
verdict 'an experiment gives the numbers of the program' $?
