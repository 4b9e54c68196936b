#!/bin/sh
# Where the time of each experiment goes, at full scale on one core: the samples of perf's clock that fall into Lua's
# library, into the kernels and the numerical libraries they call, into the C library, and into the system. Writes
# BUILD/bench/share.tsv, or says why not.
set -eu
build=$1
dir=$build/bench/share
if ! perf record -q -e cpu-clock -o /dev/null true 2>/dev/null; then
  echo "bench-share: skipped, perf is not installed or not allowed here (Debian: linux-perf)"
  exit 0
fi
rm -rf "$dir"
mkdir -p "$dir"
{
  echo '# share of the samples of the processor clock, in percent; Lua is the interpreter with its collector'
  printf 'experiment\tseconds\tlua\tkernels\tlibc\tsystem\n'
  for script in lua/experiments/[0-9]*.lua; do
    name=$(basename "$script" .lua)
    [ "$name" = 16_cost ] && continue # it reads tables
    echo "bench-share: $name" >&2
    perf record -q -e cpu-clock -F 999 -o "$dir/samples" "$build/vesicle" run "$script" --trust --quiet --jobs 1 --out "$dir/$name" >/dev/null
    perf report -i "$dir/samples" --stdio --sort dso -F sample,dso 2>/dev/null | awk -v name="$name" '
      /^ *[0-9]/ {
        kind = $2 ~ /^liblua/ ? "lua" : $2 ~ /^\[/ ? "system" : $2 ~ /^(libc|ld-linux)/ ? "libc" : "kernels"
        of[kind] += $1
        all += $1
      }
      END {
        printf "%s\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\n", name, all / 999, 100 * of["lua"] / all, 100 * of["kernels"] / all,
          100 * of["libc"] / all, 100 * of["system"] / all
      }'
  done
} >"$build/bench/share.tsv"
rm -rf "$dir"
cat "$build/bench/share.tsv"
