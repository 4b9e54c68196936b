#!/usr/bin/env bash
# Two runs on one journal at once: both end well and with the same bytes; whoever needs the journal alone says so.
# shellcheck source=tests/fault/chore.bash
source "$(dirname "${BASH_SOURCE[0]}")/chore.bash"

slow=(--set replicates=60 --set milliseconds=15)
run whole "${slow[@]}"
verdict 'one run' $?

touch hold.9
"$vesicle" run chore.lua --quiet --out both "${slow[@]}" --jobs 1 >log1 2>&1 </dev/null &
first=$!
await [ -e both/held.9 ]
"$vesicle" run chore.lua --quiet --out both "${slow[@]}" --jobs 1 >log2 2>&1 </dev/null &
second=$!
await contains log2 'another run is using the journal'
"$vesicle" journal prune both >log 2>&1
[ $? -eq 1 ] && grep -q 'is in use by another run' log
verdict 'pruning waits for the runs to end' $?
"$vesicle" journal show both >log 2>&1
verdict 'showing does not' $?
rm hold.9
wait "$first"
status1=$?
wait "$second"
status2=$?
cat log1 log2 >log
[ "$status1" -eq 0 ] && [ "$status2" -eq 0 ]
verdict 'both runs succeed' $?
grep -q 'another run is using the journal both/chore.sqlite: what either finishes, both keep' log2 && [ ! -s log1 ]
verdict 'the second says that it shares' $?
same whole both
verdict 'the bytes are those of a single run' $?
[ "$(counted both)" -le 114 ] # the second begins when eight are finished, two of them perhaps on their way to the journal
verdict 'the second does not compute what the first had finished' $?
"$vesicle" journal verify both >log 2>&1
verdict 'the journal is whole' $?

# Many at once, begun together, on a journal that does not exist yet.
pids=()
for k in 1 2 3 4; do
  "$vesicle" run chore.lua --quiet --out many --jobs 1 >"log.$k" 2>&1 </dev/null &
  pids+=($!)
done
status=0
for pid in "${pids[@]}"; do wait "$pid" || status=1; done
cat log.* >log
verdict 'four runs begun together succeed' "$status"
run single && same single many && [ ! -e many/.chore.partial ]
verdict 'with the bytes of a single run' $?

# A damaged journal that somebody else has open is left alone; once it is free, the next run sets it aside.
mkdir held && cp single/chore.sqlite held/chore.sqlite
printf '\377' | dd of=held/chore.sqlite bs=1 seek=100 conv=notrunc 2>/dev/null
cp held/chore.sqlite before.sqlite
(flock -s 9 && touch locked && await [ -e unlock ]) 9>>held/chore.sqlite-lock &
await [ -e locked ]
run held
[ $? -eq 3 ] && grep -q 'is damaged .*, and in use by another run' log && cmp -s before.sqlite held/chore.sqlite
verdict 'a damaged journal in use is left alone' $?
touch unlock
wait $!
run held && grep -q 'is damaged .*: it is kept as held/chore.sqlite.aside, and everything is computed again' log &&
  same single held && computed 24 && cmp -s before.sqlite held/chore.sqlite.aside
verdict 'a damaged journal is set aside by a run that has it alone' $?
