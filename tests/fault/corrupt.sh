#!/usr/bin/env bash
# A journal with wrong bytes: never believed, never silently thrown away. Whatever is damaged, the run ends with the right
# bytes, says what happened, and computes again only what cannot be read.
# shellcheck source=tests/fault/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/lib.bash"
export COUNT="$dir/count"

# Small results, and results that spread over several pages of the file.
run small && computed 24 && run large --set large=40000 --set replicates=6 && computed 6
verdict 'two journals to damage' $?
cp small/chore.sqlite small.sqlite && cp large/chore.sqlite large.sqlite

# flip FILE OFFSET BIT
flip() {
  local byte
  byte=$(od -An -tu1 -j "$2" -N 1 "$1")
  # shellcheck disable=SC2059 # the format is the byte
  printf "$(printf '\\%03o' $((byte ^ (1 << $3))))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

# try NAME COPY LIMIT ARGUMENTS...: after damage done to the journal of ./hurt, a run ends with the bytes of COPY and has
# computed at most LIMIT replicates; if any, or if the file was set aside, it said so.
worst=0
try() {
  local copy=$1 limit=$2 lines=0
  shift 2
  rm -f count
  run hurt "$@" || return 1
  same "$copy" hurt || return 1
  if [ -e count ]; then lines=$(wc -l <count); fi
  if [ "$lines" -gt "$worst" ]; then worst=$lines; fi
  if [ "$lines" -gt "$limit" ]; then echo "computed $lines, at most $limit expected" >>log && return 1; fi
  if [ "$lines" -gt 0 ] || [ -e hurt/chore.sqlite.damaged ]; then
    grep -q 'the journal hurt/chore.sqlite \(is damaged\|was empty\)' log || return 1
  fi
  return 0
}
fresh() { # NAME: a new copy to hurt
  rm -rf hurt && mkdir hurt && cp "$1.sqlite" hurt/chore.sqlite
}

# Every byte of the file's header, every byte of the first cells of each kind of page, and a walk through the rest.
size=$(stat -c %s small.sqlite)
status=0 tried=0
offsets=$(
  seq 0 3 111
  seq 16384 5 16480
  seq 32768 7 32830
  seq 1009 1409 "$size"
)
for offset in $offsets; do
  [ "$offset" -lt "$size" ] || continue
  fresh small
  flip hurt/chore.sqlite "$offset" $((offset % 8))
  tried=$((tried + 1))
  if ! try small 1; then
    echo "bit $((offset % 8)) of byte $offset" >>log
    status=1
    break
  fi
done
verdict "$tried flipped bits in small rows: right bytes, at most one replicate lost" "$status"

size=$(stat -c %s large.sqlite)
status=0 tried=0
for offset in $(seq 40 5471 "$size"); do
  fresh large
  flip hurt/chore.sqlite "$offset" $((offset % 8))
  tried=$((tried + 1))
  if ! try large 1 --set large=40000 --set replicates=6; then
    echo "bit $((offset % 8)) of byte $offset" >>log
    status=1
    break
  fi
done
verdict "$tried flipped bits in rows of several pages: right bytes, at most one replicate lost" "$status"

# Cut short: what is before the cut is kept.
size=$(stat -c %s small.sqlite)
status=0
for length in 1 50 99 100 511 4096 16384 16385 20000 32768 33000 $((size - 1)); do
  fresh small
  truncate -s "$length" hurt/chore.sqlite
  if ! try small 24; then
    echo "cut to $length bytes" >>log
    status=1
    break
  fi
done
verdict 'a journal cut short anywhere' "$status"
fresh small && truncate -s $((size - 1)) hurt/chore.sqlite && try small 2
verdict 'one byte missing costs at most what was there' $?
fresh small && truncate -s 0 hurt/chore.sqlite && try small 24 && grep -q 'was empty' log
verdict 'an empty journal' $?

# Not a journal at all.
fresh small && head -c 50000 "$vesicle" >hurt/chore.sqlite && try small 24 && cmp -s hurt/chore.sqlite.damaged <(head -c 50000 "$vesicle")
verdict 'another file under its name is set aside, not overwritten' $?
fresh small && rm hurt/chore.sqlite && mkdir hurt/chore.sqlite
run hurt
status=$?
[ "$status" -ne 0 ] && grep -q 'the journal hurt/chore.sqlite' log
verdict 'a directory under its name is an error' $?

# A row exchanged for another row of the same journal, which SQLite cannot notice.
if command -v sqlite3 >/dev/null; then
  fresh small
  sqlite3 hurt/chore.sqlite 'UPDATE replicate SET record = (SELECT record FROM replicate WHERE id % 1099511627776 = 5)
    WHERE id % 1099511627776 = 9' && try small 1
  verdict 'a row in the place of another is not believed' $?
  fresh small
  sqlite3 hurt/chore.sqlite 'DELETE FROM replicate WHERE id % 1099511627776 = 9' && rm -f count && run hurt && same small hurt &&
    computed 1
  verdict 'a row removed is computed again' $?
  fresh small
  sqlite3 hurt/chore.sqlite 'DROP TABLE replicate' && try small 24
  verdict 'a table removed' $?
else
  for name in 'a row in the place of another is not believed' 'a row removed is computed again' 'a table removed'; do
    echo "ok $name # skip no sqlite3"
  done
fi

# Verify sees what a run would see.
fresh small && "$vesicle" journal verify hurt >log 2>&1
verdict 'verify accepts a good journal' $?
offset=$(grep -abo 'vesicle record 1' small.sqlite | sed -n 5p | cut -d : -f 1)
flip hurt/chore.sqlite $((offset + 90)) 3
"$vesicle" journal verify hurt >log 2>&1
[ $? -eq 4 ] && grep -q 'is damaged' log
verdict 'verify refuses a damaged one with exit code 4' $?
cp hurt/chore.sqlite before.sqlite
"$vesicle" journal show hurt >log 2>&1
cmp -s before.sqlite hurt/chore.sqlite && [ ! -e hurt/chore.sqlite.damaged ]
verdict 'showing and verifying change nothing' $?
