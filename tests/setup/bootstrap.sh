#!/bin/sh
# bootstrap.sh SOURCES PREFIX: compiles what vesicle is built on from the archives of `make sources`, into PREFIX.
#
# SOURCES is the bag or the folder it was unpacked to. Needed are a C compiler (CC), make, and what every Unix has: a shell,
# sed, awk, tar, gzip. Nothing is fetched, nothing outside PREFIX is changed, and no privilege is used. Each archive is compared
# with docs/sources.tsv first. What is finished is not compiled again when a run is repeated.
#
# Libraries are static, with position-independent code, and only what is used is made of each: of ncurses the part that knows
# terminals, of the package with SQLite that one file, and gnuplot with the drivers that need no library, SVG among them.
set -u
sources=$1 prefix=$2
CC=${CC:-cc}
table=docs/sources.tsv
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL # those of our own rules
make="${MAKE:-make} -j$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)"

fail() {
  printf 'bootstrap: %s\n' "$*" >&2
  exit 1
}
if command -v sha256sum >/dev/null 2>&1; then sum() { sha256sum; }; else sum() { shasum -a 256; }; fi

[ -n "$sources" ] || fail 'SOURCES=... is missing: the bag that "make sources" writes, or the folder it was unpacked to'
[ -e "$sources" ] || fail "SOURCES=$sources: there is no such file"
# shellcheck disable=SC2086 # CC may carry arguments
printf '#include <stdio.h>\n_Static_assert(1, "");\n' | $CC -std=c11 -fsyntax-only -x c - 2>/dev/null ||
  fail "CC=$CC is no C11 compiler with its library's headers"

# Packages are compiled in a folder of their own, whose name has no space: their scripts do not know how to quote one.
work=$(mktemp -d "${TMPDIR:-/tmp}/vesicle-bootstrap.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
mkdir -p "$prefix/include" "$prefix/lib" "$prefix/bin" "$prefix/log" || exit 1
prefix=$(cd "$prefix" && pwd)
rm -f "$prefix/done"
case $sources in
*.tar) mkdir "$work/bag" && tar -C "$work/bag" -xf "$sources" && sources=$work/bag ;;
esac
sources=$(cd "$sources" && pwd) || exit 1

cell() { awk -F '\t' -v what="$1" -v column="$2" '$1 == what { print $column }' "$table"; }

# unpack WHAT: its archive, if it is the one of the table, into the folder $work/WHAT
unpack() {
  file=$(cell "$1" 4) hash=$(cell "$1" 5) into=$work/$1
  case $file in *.xz) file=${file%.xz} hash=$(cell "$1" 6) ;; esac
  [ -n "$file" ] || fail "$table has no line for $1"
  for archive in "$sources/$file" "$sources/data/$file" "$sources"/*/data/"$file"; do
    [ ! -e "$archive" ] || break
  done
  [ -e "$archive" ] || fail "$file is not in $sources"
  [ "$(sum <"$archive" | cut -c 1-64)" = "$hash" ] || fail "$file has another SHA-256 than $table and is refused"
  mkdir "$work/unpacked"
  case $file in
  *.gz) gzip -dc "$archive" | tar -C "$work/unpacked" -xf - ;;
  *) tar -C "$work/unpacked" -xf "$archive" ;;
  esac || fail "$file cannot be unpacked"
  mv "$work/unpacked"/* "$into" || fail "$file has more than one folder"
  rmdir "$work/unpacked"
}

configured() { # OPTION...: a static library with position-independent code
  ./configure --disable-shared --disable-dependency-tracking --with-pic CC="$CC" CFLAGS=-O2 "$@"
}

# How each is made; called in its folder. The commands of a function are joined, because the first failure is the answer.
# Its manual is not in Debian's archive.
make_gsl() {
  configured && sed 's/^\(SUBDIRS = .*\) doc$/\1/' Makefile >Makefile.new && mv Makefile.new Makefile && $make && mkdir -p "$prefix/include/gsl" &&
    cp -L gsl/*.h "$prefix/include/gsl" && cp .libs/libgsl.a cblas/.libs/libgslcblas.a "$prefix/lib"
}
make_lua() {
  case $(uname -s) in Linux) os=-DLUA_USE_LINUX ;; Darwin) os=-DLUA_USE_MACOSX ;; *) os=-DLUA_USE_POSIX ;; esac
  $make -C src a CC="$CC" MYCFLAGS="$os -fPIC" && cp src/liblua.a "$prefix/lib" &&
    cp src/lua.h src/luaconf.h src/lualib.h src/lauxlib.h src/lua.hpp "$prefix/include"
}
make_sqlite() {
  cd src/vendor/sqlite3 && $CC -O2 -fPIC -DSQLITE_USE_URI=1 -DSQLITE_THREADSAFE=1 -DHAVE_USLEEP=1 -c sqlite3.c -o sqlite3.o &&
    ar rcs "$prefix/lib/libsqlite3.a" sqlite3.o && cp sqlite3.h "$prefix/include"
}
make_random123() { cp -R include/Random123 "$prefix/include"; }
make_libmd() { configured && $make -C src && cp src/.libs/libmd.a "$prefix/lib" && cp include/*.h "$prefix/include"; }
# Descriptions of terminals are those of the system.
make_termcap() {
  ./configure --without-cxx --without-cxx-binding --without-ada --without-progs --without-tests --without-manpages --without-debug \
    --without-gpm --disable-widec --disable-db-install --with-termlib --with-default-terminfo-dir=/usr/share/terminfo \
    --with-terminfo-dirs=/etc/terminfo:/lib/terminfo:/usr/share/terminfo:/usr/lib/terminfo CC="$CC" CFLAGS='-O2 -fPIC' &&
    ${MAKE:-make} -C include && ${MAKE:-make} -C ncurses ../lib/libtinfo.a && cp lib/libtinfo.a "$prefix/lib" &&
    (cd include && cp curses.h term.h termcap.h unctrl.h ncurses_dll.h "$prefix/include")
}
make_libedit() {
  mkdir lib && cp "$prefix/lib/libtinfo.a" lib/libncurses.a && # the name under which it looks first
    configured --disable-examples CPPFLAGS="-I$prefix/include" LDFLAGS="-L$(pwd)/lib" && $make -C src &&
    cp src/.libs/libedit.a "$prefix/lib" && cp src/histedit.h "$prefix/include"
}
# A folder for a system of long ago is not in Debian's archive, and configure asks for a C++ compiler that it does not use.
make_gnuplot() {
  mkdir -p src/beos && : >src/beos/Makefile.in &&
    ./configure --disable-dependency-tracking --without-x --without-cairo --without-qt --disable-wxwidgets --without-gd \
      --without-lua --without-latex --without-libcerf --without-amos --without-caca --without-ggi --without-aquaterm \
      --with-readline=builtin CC="$CC" CXX="$CC" CXXCPP="$CC -E -x c" CFLAGS=-O2 ac_cv_lib_z_deflate=no &&
    $make -C src gnuplot && cp src/gnuplot "$prefix/bin"
}
make_greatest() { cp deps/greatest/greatest.h "$prefix/include"; }

for what in random123 greatest lua sqlite libmd termcap libedit gsl gnuplot; do
  stamp=$prefix/log/$what.$(cell "$what" 5 | cut -c 1-16)
  if [ -e "$stamp" ]; then
    echo "  HAVE  $what $(cell "$what" 3)"
    continue
  fi
  unpack "$what"
  echo "  BUILD $what $(cell "$what" 3)"
  if ! (cd "$work/$what" && "make_$what") >"$prefix/log/$what.log" 2>&1 </dev/null; then
    tail -n 20 "$prefix/log/$what.log" >&2
    fail "$what could not be compiled; the whole of it is in $prefix/log/$what.log"
  fi
  : >"$stamp"
  rm -rf "${work:?}/$what"
done
: >"$prefix/done"
