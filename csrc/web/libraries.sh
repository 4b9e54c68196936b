#!/bin/sh
# libraries.sh NAME FOLDER: compiles the library NAME (lua5.4, gsl, zlib, libpng1.6) in the FOLDER of its sources to
# FOLDER/NAME.a, for WebAssembly. Only what vesicle and gnuplot use of it: of GSL the folders that the core needs, each
# from the list of sources in its own Makefile.am, which takes a tenth of the time of libtool.
set -eu
name=$1
flags='-O2 -ffp-contract=off -Wno-implicit-function-declaration'
cd "$2"

archive() { # FILE...: adds the objects of sources to the archive
  rm -f "$name.part"
  emar rcs "$name.part" "$@"
}

# shellcheck disable=SC2086 # lists of words
case $name in
lua5.4)
  rm -f src/lua.c src/luac.c # the programs
  (cd src && emcc -O3 -c l*.c)
  archive src/*.o
  ;;
gsl)
  emconfigure ./configure --disable-shared CFLAGS="$flags" >configure.log 2>&1 || { tail -n 20 configure.log >&2; exit 1; }
  emmake make -C gsl >headers.log 2>&1 # links to all headers
  objects=
  for folder in utils sys err complex block vector matrix permutation sort cblas blas linalg poly specfunc rng randist \
    integration min roots statistics cdf; do
    sources=$(sed -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}' "$folder/Makefile.am" |
      sed -n 's/^lib[a-z]*_la_SOURCES *= *//p' | tr -s ' \t' '[\n*]' | grep '\.c$')
    (cd "$folder" && emcc $flags -w -DHAVE_CONFIG_H -I. -I.. -c $sources)
    for source in $sources; do objects="$objects $folder/${source%.c}.o"; done
  done
  emcc $flags -DHAVE_CONFIG_H -I. -c version.c
  archive $objects version.o
  ;;
zlib)
  emcc -O2 -DHAVE_UNISTD_H -DHAVE_STDARG_H -w -c adler32.c crc32.c deflate.c trees.c zutil.c inflate.c inffast.c inftrees.c
  archive ./*.o
  ;;
libpng1.6)
  cp scripts/pnglibconf.h.prebuilt pnglibconf.h
  rm -f pngtest.c
  emcc -O2 -I../zlib -c png*.c
  archive ./*.o
  ;;
esac
mv "$name.part" "$name.a"
