#!/bin/sh
# Where the time of each experiment goes, at full scale, each on one core: the samples of perf's clock that fall into Lua's
# library, into the kernels and the numerical libraries they call, into the C library, and into the system. As many
# experiments at a time as there are cores, the longest first. Writes BUILD/bench/share.tsv, or says why not.
#
#   share.sh BUILD          all of them
#   share.sh BUILD NAME     one of them, called by the other
set -eu
build=$1
dir=$build/bench/share

if [ $# -gt 1 ]; then
  name=$2
  echo "bench-share: $name" >&2
  perf record -q -e cpu-clock -F 999 -o "$dir/$name.samples" \
    "$build/vesicle" run "lua/experiments/$name.lua" --trust --quiet --jobs 1 --out "$dir/$name" >/dev/null
  perf report -i "$dir/$name.samples" --stdio --sort dso -F sample,dso 2>/dev/null | awk -v name="$name" '
    /^ *[0-9]/ {
      kind = $2 ~ /^liblua/ ? "lua" : $2 ~ /^\[/ ? "system" : $2 ~ /^(libc|ld-linux)/ ? "libc" : "kernels"
      of[kind] += $1
      all += $1
    }
    END {
      if (all == 0) exit 1
      printf "%s\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\n", name, all / 999, 100 * of["lua"] / all, 100 * of["kernels"] / all,
        100 * of["libc"] / all, 100 * of["system"] / all
    }' >"$dir/$name.line"
  rm -rf "$dir/$name.samples" "${dir:?}/$name"
  exit 0
fi

if ! perf record -q -e cpu-clock -o /dev/null true 2>/dev/null; then
  echo "bench-share: skipped, perf is not installed or not allowed here (make deps-bench)"
  exit 0
fi
rm -rf "$dir"
mkdir -p "$dir"
# Experiments that only read tables have no time to share out.
for script in lua/experiments/[0-9]*.lua; do basename "$script" .lua; done | grep -v -x -e 16_cost -e 24_peers |
  awk 'NR == FNR { if ($1 !~ /^#/) seconds[$1] = $2; next } { print seconds[$1] + 0 "\t" $1 }' docs/timings.tsv - |
  sort -rn | cut -f 2 | xargs -P "$(nproc)" -n 1 sh "$0" "$build"
{
  echo '# share of the samples of the processor clock, in percent; Lua is the interpreter with its collector'
  printf 'experiment\tseconds\tlua\tkernels\tlibc\tsystem\n'
  sort "$dir"/*.line
} >"$build/bench/share.tsv"
rm -rf "$dir"
cat "$build/bench/share.tsv"
