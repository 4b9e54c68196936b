#!/usr/bin/env bash
# No room, no permission: the message says so, what was finished is kept, and the run goes on once there is room.
# shellcheck source=tests/fault/chore.bash
source "$(dirname "${BASH_SOURCE[0]}")/chore.bash"

big=(--set replicates=40 --set large=20000)
run whole "${big[@]}"
verdict 'a run with room' $?

# The limit on the size of a file, at several places of the journal's growth.
for blocks in 16 48 100 300 700; do
  rm -rf limited
  (ulimit -f "$blocks" && exec "$vesicle" run chore.lua --quiet --out limited "${big[@]}") >log 2>&1 </dev/null
  status=$?
  written=$(sed -nE 's/.*; ([0-9]+) of 40 replicates were written before.*/\1/p' log)
  [ "$status" -eq 3 ] && grep -q 'no room to write the journal .*make room, then run the same command again' log
  verdict "a limit of $blocks blocks stops the run with a message" $?
  if [ -e limited/chore.sqlite ]; then "$vesicle" journal verify limited >log 2>&1; fi
  verdict "a limit of $blocks blocks leaves the journal whole" $?
  clear limited
  run limited "${big[@]}" && same whole limited
  verdict "a limit of $blocks blocks, lifted: the same bytes" $?
  computed $((40 - ${written:-0}))
  verdict "a limit of $blocks blocks, lifted: what was finished was kept" $?
done

# A real file system that is full.
mkdir small
if mount -t tmpfs -o size=512k none small 2>/dev/null; then
  run small/out "${big[@]}"
  [ $? -eq 3 ] && grep -q 'no room to write the journal' log
  verdict 'a full file system stops the run with a message' $?
  before=$(counted)
  mount -o remount,size=8m small
  run small/out "${big[@]}" && same whole small/out && [ "$(counted)" -lt $((before + 40)) ]
  verdict 'and it goes on when there is room' $?
  mount -o remount,ro small
  run small/out "${big[@]}"
  [ $? -eq 1 ] && grep -q 'cannot write the journal small/out/chore.sqlite: Read-only file system.*--out DIR' log
  verdict 'a read-only file system' $?
  run small/other
  [ $? -eq 1 ] && grep -q 'cannot make the directory small/other: .*--out DIR' log
  verdict 'a read-only file system without the directory' $?
  umount small
else
  for name in 'a full file system stops the run with a message' 'and it goes on when there is room' \
    'a read-only file system' 'a read-only file system without the directory'; do
    echo "ok $name # skip mounting needs root"
  done
fi

# A directory that may not be written.
mkdir closed && chmod 555 closed
if [ "$(id -u)" -eq 0 ]; then
  if command -v setpriv >/dev/null && chmod 755 "$dir" && setpriv --reuid=65534 --clear-groups test -x "$vesicle"; then
    setpriv --reuid=65534 --clear-groups "$vesicle" run chore.lua --quiet --out closed >log 2>&1
    [ $? -eq 1 ] && grep -q 'cannot write the journal closed/chore.sqlite: Permission denied' log
    verdict 'a directory without permission' $?
  else
    echo 'ok a directory without permission # skip root may write everywhere'
  fi
else
  run closed
  [ $? -eq 1 ] && grep -q 'cannot write the journal closed/chore.sqlite: Permission denied' log
  verdict 'a directory without permission' $?
fi

# The outputs, once the replicates are done.
cp -r whole full
(ulimit -f 60 && exec "$vesicle" run chore.lua --quiet --out full --set replicates=30 --set large=1) >log 2>&1 </dev/null
status=$?
[ "$status" -ne 0 ] && same whole full
verdict 'earlier results survive a run that could not write' $?
