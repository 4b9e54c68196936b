#!/bin/sh
# Replicates of the reference job on one and on two workers, and many small ones: wall seconds (the minimum over turns) and
# the peak memory of the largest process. Writes BUILD/bench/workers.tsv.
set -eu
build=$1 turns=${2:-5}
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

rm -f "$dir/workers.1" "$dir/workers.2"
{
  printf '# wall seconds, minimum over %s turns, and peak memory of the largest process in kB\n' "$turns"
  printf 'what\tjobs\treplicates\tseconds\tkilobytes\n'
  # One and two workers take turns, so that whatever else the machine does falls on both alike.
  i=0
  while [ $i -lt "$turns" ]; do
    for jobs in 1 2; do wall "$jobs" --set replicates=96 >>"$dir/workers.$jobs"; done
    i=$((i + 1))
  done
  for jobs in 1 2; do sort -n "$dir/workers.$jobs" | head -n 1 | sed "s/^/reference job\t$jobs\t96\t/"; done
  for n in 100 1000 10000; do
    wall 2 --set replicates=$n --set iterations=10 --set draws=10 --set rows=100 | sed "s/^/small job\t2\t$n\t/"
  done
} >"$dir/workers.tsv"
rm -rf "$dir/workers" "$dir/workers.rss" "$dir/workers.1" "$dir/workers.2"
cat "$dir/workers.tsv"
