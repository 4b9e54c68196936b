#!/bin/sh
# install.sh BUILD PREFIX VERSION: copies what was built below DESTDIR/PREFIX; with UNINSTALL=1 removes it again.
#
#   bin/vesicle                      the program
#   share/vesicle/lua                the Lua library and the experiments, where the program finds them
#   lib/lua/5.4/vesicle.so           the module for a plain Lua
#   lib/libvesicle.a, lib/libvesicle.so, include/vesicle, lib/pkgconfig/vesicle.pc      the core as a C library
#   share/man/man1, share/bash-completion/completions, share/zsh/site-functions
set -eu
build=$1 prefix=$2 version=$3
case $prefix in /*) ;; *) prefix=$(pwd)/$prefix ;; esac
to=${DESTDIR:-}$prefix

if [ -n "${UNINSTALL:-}" ]; then
  rm -rf "$to/share/vesicle" "$to/include/vesicle"
  rm -f "$to/bin/vesicle" "$to"/lib/libvesicle.a "$to"/lib/libvesicle.so* "$to/lib/pkgconfig/vesicle.pc" "$to/lib/lua/5.4/vesicle.so" \
    "$to/share/man/man1/vesicle.1" "$to/share/bash-completion/completions/vesicle" \
    "$to/share/zsh/site-functions/_vesicle"
  exit
fi

put() { # MODE FILE DESTINATION
  mkdir -p "$(dirname "$to/$3")"
  cp "$2" "$to/$3.new"
  chmod "$1" "$to/$3.new"
  mv "$to/$3.new" "$to/$3"
}

rm -rf "$to/share/vesicle/lua" "$to/include/vesicle" # or files of an older version would stay
# Experiments of one's own, whose names begin with no number, stay where they are unless OWN is set.
(cd lua && find . -type f ! -name '.*') | while IFS= read -r file; do
  case $file in ./experiments/[!0-9]*.lua) [ -n "${OWN:-}" ] || continue ;; esac
  put 644 "lua/$file" "share/vesicle/lua/${file#./}"
done
for header in csrc/core/*.h csrc/core/*/*.h; do
  case $header in */private/* | */avx2/* | */avx512/* | *'*'*) continue ;; esac # the core's own, or no such folder
  put 644 "$header" "include/vesicle/${header##*/}"
done
sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" csrc/core/vesicle.pc.in >"$build/vesicle.pc"
put 644 "$build/vesicle.pc" lib/pkgconfig/vesicle.pc
put 644 "$build/libvesicle.a" lib/libvesicle.a
put 755 "$build/libvesicle.so" "lib/libvesicle.so.$version"
ln -sf "libvesicle.so.$version" "$to/lib/libvesicle.so.${version%%.*}"
ln -sf "libvesicle.so.${version%%.*}" "$to/lib/libvesicle.so"
put 755 "$build/vesicle.so" lib/lua/5.4/vesicle.so
put 644 docs/vesicle.1 share/man/man1/vesicle.1
put 644 docs/completion/vesicle.bash share/bash-completion/completions/vesicle
put 644 docs/completion/_vesicle share/zsh/site-functions/_vesicle
put 755 "$build/vesicle" bin/vesicle
