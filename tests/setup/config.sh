#!/bin/sh
# Finds the compiler and the libraries, and writes the arguments each library needs as response files (gsl.cflags,
# gsl.libs, ...) into the directory named by the first argument. Reports everything that is missing at once, by Debian
# package, instead of leaving it to a compiler error. The second argument, if there is one, is what `make bootstrap` compiled:
# then the libraries are those, and pkg-config is not asked.
set -u
out=$1 prefix=${2:-}
CC=${CC:-gcc}
missing=
blind=

need() { missing="$missing $1"; }

# library NAME PACKAGE PKG-CONFIG-NAME...: the first pkg-config name that is known, with its include directories
# marked as system ones, so that our warnings concern our code only.
library() {
  name=$1 package=$2
  shift 2
  if [ -n "$prefix" ]; then
    echo "-isystem $prefix/include" >"$out/$name.cflags"
    compiled "$name" >"$out/$name.libs"
    return
  fi
  for pc in "$@"; do
    if pkg-config --exists "$pc" 2>/dev/null; then
      pkg-config --cflags "$pc" | sed 's/-I/-isystem /g' >"$out/$name.cflags"
      pkg-config --libs "$pc" >"$out/$name.libs"
      return
    fi
  done
  need "$package"
}

# The same for a library of the prefix. A static Lua is whole in the program, also for modules that are loaded later.
compiled() {
  case $1 in
  gsl) echo "$prefix/lib/libgsl.a $prefix/lib/libgslcblas.a -lm" ;;
  lua) echo "-rdynamic $prefix/lib/liblua.a -lm -ldl" ;;
  sqlite) echo "$prefix/lib/libsqlite3.a -lpthread -ldl -lm" ;;
  edit) echo "$prefix/lib/libedit.a $prefix/lib/libtinfo.a" ;;
  md) echo "$prefix/lib/libmd.a" ;;
  esac
}

mkdir -p "$out" || exit 1

# shellcheck disable=SC2086 # CC may carry arguments
if ! $CC --version >/dev/null 2>&1; then
  need "$(basename "${CC%% *}")"
elif ! printf '#include <stdio.h>\n' | $CC -E -x c - >/dev/null 2>&1; then
  need libc6-dev
elif ! printf '#include <Random123/philox.h>\n' | $CC ${prefix:+-isystem "$prefix/include"} -E -x c - >/dev/null 2>&1; then
  need librandom123-dev
fi
if [ -n "$prefix" ] || command -v pkg-config >/dev/null 2>&1; then
  library gsl libgsl-dev gsl
  library lua liblua5.4-dev lua5.4 lua-5.4 lua54 'lua >= 5.4 lua < 5.5'
  library sqlite libsqlite3-dev sqlite3
  library edit libedit-dev libedit
  library md libmd-dev libmd
else
  need pkg-config
  blind='Without pkg-config, GSL, Lua, SQLite, libedit and libmd could not be looked for.'
fi

# Files named *_avx2.c and *_avx512.c hold kernels for one instruction set, chosen at run time; elsewhere they are empty units,
# and so are the latter with a compiler that does not know it.
avx2='-mavx2 -mbmi -mbmi2 -mlzcnt -mpopcnt'
avx512="$avx2 -mavx512f -mavx512bw -mavx512cd -mavx512dq -mavx512vl -mavx512vbmi2"
# shellcheck disable=SC2086
case $($CC -dumpmachine 2>/dev/null) in
x86_64* | amd64*) $CC $avx512 -fsyntax-only -x c /dev/null 2>/dev/null || avx512=$avx2 ;;
*) avx2='' avx512='' ;;
esac
echo "$avx2" >"$out/avx2.cflags"
echo "$avx512" >"$out/avx512.cflags"

if [ -n "$missing" ]; then
  printf 'vesicle cannot be built yet. Missing Debian packages:%s\n' "$missing" >&2
  [ -z "$blind" ] || printf '%s\n' "$blind" >&2
  printf 'Run "make deps" to install them (on other systems it prints their names).\n' >&2
  exit 1
fi
