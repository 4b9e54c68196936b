#!/usr/bin/env bash
# The build itself, in a copy without git below a directory whose name has spaces.
# suite: long, 20 s
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
unset BUILD
export OPT=-O0 CFLAGS=-g0 # quicker to compile
tree="$tmp/a tree  with spaces"

fails_saying() { # TEXT COMMAND...: the command fails, and says so
  local text=$1
  shift
  if "$@" >"$tmp/said" 2>&1; then return 1; fi
  cat "$tmp/said" && grep -qF -- "$text" "$tmp/said"
}
rebuilt() { make -j2 V=1 "$@" | grep -cE -- ' -c csrc/'; }
rebuilds() { # COUNT MAKE-ARGUMENT...: at least COUNT objects, and none when called again
  local count=$1 first
  shift
  first=$(rebuilt "$@") && [ "$first" -ge "$count" ] && [ "$(rebuilt "$@")" -eq 0 ]
}
# A compiler that only pretends, of the same name: it takes the object that is there for the one it was to make. What make
# has compiled again is seen all the same.
pretending() { # COMMAND...
  local compiler
  compiler=$(command -v gcc)
  mkdir -p "$tmp/pretend" && cat >"$tmp/pretend/gcc" <<SH
#!/bin/sh
case " \$* " in
*' -c csrc/'*) for out; do :; done; cp "\${out%.part}" "\$out" ;;
*) exec '$compiler' "\$@" ;;
esac
SH
  chmod +x "$tmp/pretend/gcc" && PATH="$tmp/pretend:$PATH" "$@"
}
same_tools() { # every tool but those named, as a PATH
  local dir=$tmp/bin tool
  rm -rf "$dir" && mkdir "$dir"
  ln -sf /usr/bin/* /bin/* "$dir/" 2>/dev/null # of two with one name the first is taken
  for tool; do rm -f "$dir/$tool"; done
  echo "$dir"
}

mkdir -p "$tree" && cp -R Makefile csrc lua figures paper tests "$tree" && cd "$tree" || exit 1
check 'builds in a path with spaces, without git, with -j2' make -s -j2
check 'the program runs from there' build/vesicle --version
same_bytes() { # as the build under test, of numbers of every kind
  build/vesicle run tests/program/determinism.lua >"$tmp/here" && "$vesicle" run tests/program/determinism.lua >"$tmp/there" &&
    [ -s "$tmp/here" ] && diff "$tmp/here" "$tmp/there"
}
check 'without optimisation it computes the same bytes' same_bytes
check 'the module loads into a plain Lua' env LUA_CPATH='build/?.so' lua5.4 -e 'assert(require("vesicle").version)'
check 'the module exports its entry point only' test "$(nm -D --defined-only build/vesicle.so | grep -c ' T ')" = 1
check 'nothing to do the second time' test "$(rebuilt)" = 0
another_commit() { # compiles what says so, and nothing that computes: data stay
  echo 0123456789ab >.archive-commit && make -j2 V=1 >"$tmp/said" && sed -n 's/.* -c \(csrc[^ ]*\) .*/\1/p' "$tmp/said" | sort >"$tmp/compiled" &&
    cat "$tmp/compiled" && [ "$(tr '\n' ' ' <"$tmp/compiled")" = 'csrc/core/ves_version.c csrc/host/run_version.c ' ] &&
    build/vesicle --version | grep -q 0123456789ab
}
check 'another commit compiles nothing that computes' another_commit
touch csrc/core/ves_status.h
check 'a touched header rebuilds its users' pretending rebuilds 2
check 'changed flags rebuild everything' pretending rebuilds "$(find csrc -name '*.c' ! -path 'csrc/web/*' | wc -l)" CFLAGS=-DCHANGED

# Emscripten compiles the same kernels (csrc/web/simd/immintrin.h), and is not installed everywhere.
in_pages() {
  grep -ohE '\b(_mm(256)?_[a-z0-9_]+|_CMP_[A-Z_]+|_(lzcnt|tzcnt|bzhi)_u64)\b' csrc/core/avx2/*.[ch] | sort -u >"$tmp/used"
  grep -ohwFf "$tmp/used" csrc/web/simd/immintrin.h | sort -u | diff "$tmp/used" -
}
check 'every vector instruction has a form in WebAssembly' in_pages
check 'a missing compiler is named' fails_saying 'no-such-cc' make BUILD=b1 CC=no-such-cc
bare=$(same_tools pkg-config pkgconf x86_64-pc-linux-gnu-pkg-config)
check 'a missing pkg-config is named' fails_saying 'Debian packages: pkg-config' env PATH="$bare" make BUILD=b2
check 'a missing library is named' fails_saying 'libsqlite3-dev' env PKG_CONFIG_LIBDIR=/nonexistent make BUILD=b3

echo 'not greatest' >wrong.h
check 'a wrong greatest.h is refused' fails_saying 'SHA-256' make GREATEST_H=wrong.h build/third_party/greatest.h
check 'and not installed' test ! -e build/third_party/greatest.h
printf 'include Makefile\nprobe:\n\tfalse; echo went on\n' >probe.mk
check 'a recipe stops at the first command that fails' fails_saying 'Error' make -f probe.mk probe
check 'and does not go on' test "$(grep -c '^went on' "$tmp/said")" = 0
check 'SCALE is checked' fails_saying 'expected full or quick' make SCALE=big
check 'help lists the targets' sh -c 'make help | grep -q "^  test "'
check 'in 80 columns' test "$(make help | awk 'length($0) > 80' | wc -l)" -eq 0
