#!/usr/bin/env bash
# Another mathematical library: the experiments with functions that are off by a unit in the last place in two of three calls
# (other_libm.c), and the judgement of `make verify` between these results and those of the library that is installed. They must
# be equivalent, and some must have moved. SCALE=quick or full.
set -eu
build=${BUILD:-build} scale=${SCALE:-quick} here=$PWD
results=$build$([ "$scale" = full ] || echo /quick)
work=$build/libm
rm -rf "$work" && mkdir -p "$work/there/data" "$work/here"
${CC:-gcc} -O1 -fPIC -shared -o "$work/other.so" tests/artifact/other_libm.c -ldl -lm
names=$(cd lua/experiments && echo [0-9]*.lua | sed 's/\.lua//g')
for name in $names; do
  SEED=${SEED:-1} LD_PRELOAD=$here/$work/other.so "$build/vesicle" run "lua/experiments/$name.lua" --scale "$scale" --quiet --out "$work/there/data"
done
cp -R "$results/data" "$work/here/data"
for folder in "$work/here" "$work/there"; do
  sh paper/tools/checksums.sh "$folder" data >"$folder/checksums.tsv"
  printf 'file\tsha256\n' >"$folder/documents.tsv"
done
"$build/vesicle" run tests/artifact/compare.lua --trust --quiet --out "$work/compared" --set here="$work/here" --set there="$work/there" \
  --set only="$names" | tee "$work/log"
grep -qx 'verify: equivalent' "$work/log"
