#!/bin/sh
# gnuplot.sh FOLDER CAIRO: configures and compiles gnuplot in the FOLDER of its sources, for WebAssembly, to FOLDER/objects.a.
# CAIRO is the folder of the cairo.h that stands in for cairo where an image is written (csrc/web/cairo).
#
# Three things are in the way: Debian's tarball lacks a folder of BeOS that configure asks for; the condition under which
# images can be written, in term.h, would ask for all of cairo's terminals; and every evaluation of an expression prepares
# for the signal of a division by zero, which WebAssembly does not have and which would cost a detour through JavaScript.
set -eu
cairo=$(cd "$2" && pwd)
cd "$1"
flags='-O2 -ffp-contract=off -Wno-implicit-function-declaration'
mkdir -p src/beos
: >src/beos/Makefile.in
emconfigure ./configure --without-x --without-qt --without-cairo --without-gd --without-lua --without-latex \
  --without-readline --without-bitmap-terminals --disable-wxwidgets CFLAGS="$flags" >configure.log 2>&1 ||
  { tail -n 20 configure.log >&2; exit 1; }
grep -q '^#undef HAVE_CAIROPDF' src/term.h || sed -i -e 's/^#if (defined(HAVE_GD_PNG) || defined(HAVE_CAIROPDF))/#define HAVE_CAIROPDF 1/' \
  -e '/^#define HAVE_CAIROPDF 1/,/^#endif/s/^#endif/#undef HAVE_CAIROPDF/' src/term.h
sed -i 's/if (SETJMP(fpe_env, 1))/if (0)/' src/eval.c
emmake make -C src gnuplot CPPFLAGS="-I$cairo" LIBS=-sERROR_ON_UNDEFINED_SYMBOLS=0 >make.log 2>&1 || { tail -n 20 make.log >&2; exit 1; }
# shellcheck disable=SC2086 # a list of words
emcc $flags -DHAVE_CONFIG_H -I. -Isrc -I"$cairo" -c src/wxterminal/gp_cairo_helpers.c -o src/gp_cairo_helpers.o
rm -f objects.part
emar rcs objects.part src/*.o
mv objects.part objects.a
