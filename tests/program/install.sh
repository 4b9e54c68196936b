#!/usr/bin/env bash
# make install PREFIX=: what lands where, that it runs from there without the tree, and that a C program links against it.
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
CC=${CC:-gcc}
dir=$tmp tree=$here
prefix=$dir/usr
quiet_make() { shared_make "$@" >"$dir/log" 2>&1; }

quiet_make install PREFIX="$prefix"
verdict 'make install' $?
for file in bin/vesicle share/vesicle/lua/vesicle/experiment.lua share/vesicle/lua/experiments/09_exponent_analysis.lua \
  lib/libvesicle.a lib/libvesicle.so lib/libvesicle.so.0 lib/pkgconfig/vesicle.pc lib/lua/5.4/vesicle.so \
  include/vesicle/vesicle.h include/vesicle/ves_release.h \
  share/man/man1/vesicle.1 share/bash-completion/completions/vesicle share/zsh/site-functions/_vesicle; do
  [ -s "$prefix/$file" ] || echo "$file"
done >"$dir/log"
[ ! -s "$dir/log" ]
verdict 'program, Lua files, library, headers, manual page, completions' $?
find "$prefix" -name '*private*' -o -name '*_avx2*' -o -name '*.new' -o -name 'lves*' >"$dir/log"
[ ! -s "$dir/log" ]
verdict 'and nothing internal' $?

# ---- the program, without the tree ----

cd "$dir" || exit 1
sandbox=(env -u VESICLE_LUA "$prefix/bin/vesicle")
"${sandbox[@]}" --version >log 2>&1 && grep -q "^vesicle $(sed -n 's/^VERSION := //p' "$tree/Makefile")\$" log
verdict 'the installed program runs' $?
cat >mine.lua <<'LUA'
local ves = require "vesicle"
local E = require("vesicle.experiment").new { name = "mine", params = { n = 3 } }
local out = E:replicate { name = "main", n = E.params.n, run = function(_, rng) return rng:uniform() end }
E:number("Mean", out:column():mean())
print(ves.release.analytic({ 1, 2, 1 })[2], io.open("../../../../../../../../etc/hostname"))
E:finish()
LUA
"${sandbox[@]}" run mine.lua >log 2>&1 && grep -q '^0.5' log && ! grep -q 'file (' log && [ -s vesicle-data/mine/numbers.tsv ]
verdict 'a script runs with the installed library, and writes to ./vesicle-data' $?
"${sandbox[@]}" sweep mine.lua --over n=1:3 >log 2>&1 && [ -s vesicle-data/mine-over-n/sweep.tsv ]
verdict 'so does a sweep' $?
"${sandbox[@]}" params "$prefix/share/vesicle/lua/experiments/09_exponent_analysis.lua" >log 2>&1 && grep -q psi_max log
verdict 'the experiments came along' $?
if command -v lua5.4 >/dev/null; then
  LUA_CPATH="$prefix/lib/lua/5.4/?.so" lua5.4 -e 'print(require("vesicle").release.analytic({ 1, 2, 1 })[2])' >log 2>&1 && grep -q '^0.5$' log
  verdict 'a plain Lua loads the module' $?
else
  echo 'ok a plain Lua loads the module # skip no lua5.4 here'
fi
if command -v man >/dev/null; then
  MANPATH="$prefix/share/man" man -P cat vesicle >log 2>&1 && grep -q 'EXIT STATUS' log
  verdict 'man finds the page' $?
else
  echo 'ok man finds the page # skip no man here'
fi

# ---- a C program on the library ----

export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
[ "$(pkg-config --modversion vesicle 2>log)" = "$(sed -n 's/^VERSION := //p' "$tree/Makefile")" ]
verdict 'pkg-config knows the version' $?
cp "$tree/docs/example/link.c" .
# shellcheck disable=SC2046 # a list of words
$CC -std=c11 -Wall -Wextra -Wpedantic -Werror link.c $(pkg-config --cflags --libs vesicle) -o link >log 2>&1
verdict 'the example compiles against the installed headers and links' $?
./link >log 2>&1 && grep -q '^0.4000   0.[0-9]*  0.4000   0.[34]' log && grep -q 'nothing transmitted: 0.0000, sampled 0.0000' log
verdict 'and samples its weights' $?
if command -v readelf >/dev/null; then
  readelf -d link >log && grep -q 'NEEDED.*\[libvesicle\.so\.0\]' log
  verdict 'with the shared library, by the name that stays' $?
fi
for cxx in c++ g++ clang++ ''; do command -v "$cxx" >/dev/null && break; done
if [ -n "$cxx" ]; then
  cp "$tree/docs/example/learn.cpp" .
  # shellcheck disable=SC2046 # a list of words
  "$cxx" -std=c++11 -Wall -Wextra -Wpedantic -Werror learn.cpp $(pkg-config --cflags --libs vesicle) -o learn >log 2>&1
  verdict 'the example in C++ compiles and links' $?
  ./learn >log 2>&1 && grep -q "^vesicle $(pkg-config --modversion vesicle): .* 0.00[0-9]* after" log
  verdict 'and learns' $?
else
  echo 'ok the example in C++ # skip no C++ compiler here'
fi
for header in "$prefix"/include/vesicle/*.h; do
  # shellcheck disable=SC2046 # a list of words
  echo "#include <$(basename "$header")>" | $CC -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c \
    $(pkg-config --cflags vesicle) - || echo "$header"
done >log 2>&1
[ ! -s log ]
verdict 'every header stands by itself' $?

# ---- elsewhere, again, and away ----

cd "$tree" || exit 1
DESTDIR="$dir/stage" quiet_make install PREFIX=/opt/vesicle && [ -x "$dir/stage/opt/vesicle/bin/vesicle" ] &&
  grep -qx 'prefix=/opt/vesicle' "$dir/stage/opt/vesicle/lib/pkgconfig/vesicle.pc"
verdict 'DESTDIR stages' $?
touch "$prefix/share/vesicle/lua/vesicle/old.lua"
quiet_make install PREFIX="$prefix" && [ ! -e "$prefix/share/vesicle/lua/vesicle/old.lua" ]
verdict 'a second time replaces the first' $?
quiet_make uninstall PREFIX="$prefix" && find "$prefix" ! -type d >"$dir/log" && [ ! -s "$dir/log" ]
verdict 'make uninstall leaves nothing' $?
