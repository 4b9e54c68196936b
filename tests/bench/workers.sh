#!/bin/sh
# Replicates of the reference job on one and on two workers, and many small ones: wall seconds (the minimum over turns) and
# the peak memory of the largest process. Writes BUILD/bench/workers.tsv.
set -eu
build=$1 turns=${2:-3}
dir=$build/bench
script=tests/bench/replicates.lua

# wall JOBS ARGUMENTS...: seconds and peak kilobytes of one run that computes everything
wall() {
  jobs=$1
  shift
  rm -rf "$dir/workers"
  start=$(date +%s%N)
  command time -f %M -o "$dir/workers.rss" "$build/vesicle" run "$script" --quiet --jobs "$jobs" --out "$dir/workers" "$@" >/dev/null
  end=$(date +%s%N)
  awk -v t="$((end - start))" '{ printf "%.6f\t%d\n", t / 1e9, $1 }' "$dir/workers.rss"
}

best() { sort -n | head -n 1; }

{
  printf '# wall seconds, minimum over %s turns, and peak memory of the largest process in kB\n' "$turns"
  printf 'what\tjobs\treplicates\tseconds\tkilobytes\n'
  for jobs in 1 2; do
    i=0
    while [ $i -lt "$turns" ]; do wall "$jobs" --set replicates=32; i=$((i + 1)); done | best | sed "s/^/reference job\t$jobs\t32\t/"
  done
  for n in 100 1000 10000; do
    wall 2 --set replicates=$n --set iterations=10 --set draws=10 --set rows=100 | sed "s/^/small job\t2\t$n\t/"
  done
} >"$dir/workers.tsv"
rm -rf "$dir/workers" "$dir/workers.rss"
cat "$dir/workers.tsv"
