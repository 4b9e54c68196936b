#!/usr/bin/env bash
# The scientific errors of errors.lua, one at a time, each in a copy of the tree: do the Lua suites notice, or the C suites, or
# `make verify` when the experiments are run at quick scale? Called by `make errors`, which has run them without an error.
#
#   ERRORS='name ...'   only these       JOBS=2   so many at a time
#
# One that nobody notices is a hole in the tests, and the exit status says so.
set -u
build=${BUILD:-build}
jobs=${JOBS:-2} work=$build/errors here=$PWD
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL SCALE BUILD
rm -rf "$work" && mkdir -p "$work" || exit 1
trap 'trap - TERM; kill -TERM -- -$$ 2>/dev/null; exit 130' INT TERM HUP

quick() { # DIRECTORY: what verify reads there besides the data
  sh "$here/paper/tools/checksums.sh" "$1" data >"$1/checksums.tsv" && printf 'file\tsha256\n' >"$1/documents.tsv"
}
mkdir "$work/none.quick" && cp -Rp "$build/quick/data" "$work/none.quick/" && quick "$work/none.quick" || exit 1
names=$(cd lua/experiments && echo [0-9]*.lua | sed 's/\.lua//g')

copy() { # DIRECTORY: the tree, and what was built, with its times
  local part
  mkdir -p "$1/build/quick" && cp -Rp ./*.* Makefile LICENSE Dockerfile csrc docs figures lua paper tests "$1" || return
  for part in config obj flags sources module.map libvesicle.a vesicle vesicle.so ves_version.h ves_apidoc.h third_party tests; do
    cp -Rp "$build/$part" "$1/build/" || return
  done
  cp -Rp "$build/quick/data" "$1/build/quick/"
}
noticed() { # DIRECTORY NAME: prints who notices
  local tree=$1 suite file
  file=lua/none
  [ "$2" = none ] || file=$(lua5.4 tests/mutants/apply.lua "$tree" "$2") || { echo "not made: $file" && return; }
  cd "$tree" || return
  case $file in
  csrc/*) make -s all >log 2>&1 || { echo 'compiler' && return; } ;;
  esac
  for suite in tests/lua/{,api/}test_*.lua; do
    [ "$suite" != tests/lua/test_errors.lua ] || continue # finds every error, by the text that it has replaced
    VESICLE=build/vesicle timeout 600 build/vesicle run "$suite" --trust >>log 2>&1 </dev/null || { echo "$suite" && return; }
  done
  case $file in
  csrc/*)
    make -s tests >>log 2>&1
    for suite in build/tests/test_*; do
      case $suite in *.d) continue ;; esac
      timeout 600 "$suite" >>log 2>&1 || { echo "${suite#build/}" && return; }
    done
    ;;
  esac
  judged
}
judged() { # what verify says of the experiments
  make -s SCALE=quick data >>log 2>&1 || { echo 'an experiment that fails' && return; }
  quick build/quick
  "$here/$build/vesicle" run tests/artifact/compare.lua --trust --quiet --out compared --set here="$here/$work/none.quick" --set there=build/quick \
    --set only="$names" >compared.log 2>&1 </dev/null
  case $(tail -n 5 compared.log | grep '^verify:') in
  'verify: different') echo "verify: $(grep -m 1 '^ *different:' compared.log | cut -c 1-90)" ;;
  *) echo NOBODY ;;
  esac
}
judge() { # NAME
  local who
  copy "$work/$1" || exit 1
  who=$(noticed "$work/$1" "$1")
  printf '%-28s %s\n' "$1" "$who" | tee "$work/$1.result"
  rm -rf "${work:?}/$1"
}
# Without an error nobody may notice one.
judge none
grep -q ' NOBODY$' "$work/none.result" || { echo 'errors: the suites fail without an error' && exit 1; }
rm "$work/none.result"
for name in ${ERRORS:-$(lua5.4 tests/mutants/apply.lua)}; do
  while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do wait -n; done
  judge "$name" &
done
wait
survived=$(grep -lE ' NOBODY$| not made' "$work"/*.result | wc -l)
echo "$(find "$work" -name '*.result' | wc -l) errors, $survived noticed by nobody or not made"
[ "$survived" -eq 0 ]
