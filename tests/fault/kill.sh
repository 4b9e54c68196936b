#!/usr/bin/env bash
# Killed at any moment, a run goes on where it was: the same bytes as an unbroken one, nothing computed twice but what
# was under way.
# shellcheck source=tests/fault/chore.bash
source "$(dirname "${BASH_SOURCE[0]}")/chore.bash"

run whole --set replicates=500
verdict 'the unbroken run' $?

# Kills a fresh process group thirty times, at moments spread over the life of a run by a fixed sequence. The last replicate
# is held meanwhile, so that no run ends by itself, however long the machine lets it live.
kills=0 sound=0 state=20211118
touch hold.500
for _ in {1..30}; do
  state=$(((state * 1103515245 + 12345) % 2147483648))
  setsid "$vesicle" run chore.lua --quiet --out broken --set replicates=500 --set milliseconds=8 --jobs 2 \
    >log 2>&1 </dev/null &
  pid=$!
  sleep "0.0$((10 + state / 65536 % 70))"
  if kill -KILL -- "-$pid" 2>/dev/null; then kills=$((kills + 1)); fi
  wait "$pid" 2>/dev/null
  if [ -e broken/chore.sqlite ]; then "$vesicle" journal verify broken >log 2>&1 || sound=1; fi
  if [ "$sound" -ne 0 ]; then break; fi
done
rm hold.500
verdict "killed $kills times, the journal was whole after each" "$sound"
[ "$kills" -eq 30 ] && [ ! -e broken/chore ]
verdict 'thirty kills, and none found it finished' $?
run broken --set replicates=500 --set milliseconds=8 && diff <(grep -v '^#' whole/chore/results.tsv) \
  <(grep -v '^#' broken/chore/results.tsv) >>log
verdict 'the bytes of the unbroken run' $?
lines=$(counted)
echo "computed $lines times" >>log
[ "$lines" -le $((500 + 6 * kills)) ] # two workers, each with one under way and at most two on their way to the journal
verdict 'nothing was computed again but what was under way' $?

# Kill the process that was started alone: what it started must not outlive it.
"$vesicle" run chore.lua --quiet --out orphans --set replicates=50 --set milliseconds=100 --jobs 2 >log 2>&1 </dev/null &
pid=$!
await has_lines orphans/count 2 # both are at work
workers=$(workers "$pid")
kill -KILL "$pid"
wait "$pid" 2>/dev/null
[ "$(wc -w <<<"$workers")" -eq 2 ]
verdict 'two workers' $?
status=0
for worker in $workers; do await dead "$worker" || status=1; done
verdict 'die with the run' "$status"

# Kill workers from outside: each takes one replicate with it, the rest is kept.
touch hold.{7,25,26}
"$vesicle" run chore.lua --quiet --out hunted --set replicates=40 --set milliseconds=20 --jobs 1 >log 2>&1 </dev/null &
pid=$!
for i in 7 25 26; do
  await [ -e "hunted/held.$i" ]
  kill -KILL "$(workers "$pid")"
  rm "hold.$i"
done
wait "$pid"
status=$?
[ "$status" -eq 1 ] && grep -q '^vesicle: 3 of 40 replicates of .main. in chore failed; the other 37 are kept' log &&
  grep -q '^replicates 7, 25-26 .*: its worker was killed by signal 9' log
verdict 'a killed worker fails only its replicate' $?
clear hunted
run hunted --set replicates=40 --set milliseconds=20 && computed 3
verdict 'and only that one is computed again' $?
