#!/usr/bin/env bash
# shellcheck disable=SC2016 # backquotes are part of the messages
# A journal with wrong bytes: never believed, never silently thrown away. Whatever is damaged, the run ends with the right
# bytes and says what happened: a row that fails its checksum is computed again, a file that SQLite cannot read is set aside.
# suite: long, 16 s
# shellcheck source=tests/fault/chore.bash
source "$(dirname "${BASH_SOURCE[0]}")/chore.bash"

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

# try COPY LIMIT ARGUMENTS...: after damage done to the journal of ./hurt, a run ends with the bytes of COPY. If it has
# computed anything or set the file aside it said so; unless it did, it has computed at most LIMIT replicates.
try() {
  local copy=$1 limit=$2 lines
  shift 2
  run hurt "$@" || return 1
  same "$copy" hurt || return 1
  lines=$(counted)
  if [ "$lines" -gt 0 ] || [ -e hurt/chore.sqlite.aside ]; then
    grep -q '^vesicle: the journal hurt/chore.sqlite ' log || return 1
  fi
  if [ ! -e hurt/chore.sqlite.aside ] && [ "$lines" -gt "$limit" ]; then
    echo "computed $lines, at most $limit expected" >>log
    return 1
  fi
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
verdict "$tried flipped bits in small rows: right bytes" "$status"

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
verdict "$tried flipped bits in rows of several pages: right bytes" "$status"

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
fresh small && truncate -s 0 hurt/chore.sqlite && try small 24 && grep -q 'was empty' log
verdict 'an empty journal' $?

# Not a journal at all.
fresh small && head -c 50000 "$vesicle" >hurt/chore.sqlite && try small 24 && cmp -s hurt/chore.sqlite.aside <(head -c 50000 "$vesicle")
verdict 'another file under its name is set aside, not overwritten' $?
fresh small && rm hurt/chore.sqlite && mkdir hurt/chore.sqlite
run hurt
status=$?
[ "$status" -ne 0 ] && grep -q 'the journal hurt/chore.sqlite' log
verdict 'a directory under its name is an error' $?

if command -v sqlite3 >/dev/null; then
  # sql NAME LIMIT STATEMENTS: what SQLite itself cannot notice.
  sql() {
    fresh small
    sqlite3 hurt/chore.sqlite "$3" >log 2>&1 && try small "$2"
    verdict "$1" $?
  }
  sql 'a row changed' 1 "UPDATE replicate SET result = replace(result, '0.', '1.') WHERE number = 9"
  computed 1 hurt && grep -q '1 row of `main` (replicate 9) fails the checksum and will be computed again' log
  verdict 'is computed again, and that is told' $?
  run hurt && computed 0 && "$vesicle" journal verify hurt >>log 2>&1
  verdict 'and is good from then on' $?
  sql 'a row in the place of another' 1 "UPDATE replicate SET (result, inputs, sha256) =
    (SELECT result, inputs, sha256 FROM replicate WHERE number = 5) WHERE number = 9"
  fresh small
  run hurt --seed 3 && clear hurt && sqlite3 hurt/chore.sqlite 'UPDATE replicate SET (result, inputs, sha256) =
    (SELECT result, inputs, sha256 FROM replicate WHERE phase = 2 AND number = 9) WHERE phase = 1 AND number = 9' &&
    try small 1 && computed 1
  verdict 'a row of another phase' $?
  sql 'a value that is no text' 1 'UPDATE replicate SET result = 3 WHERE number = 9'
  fresh small
  sqlite3 hurt/chore.sqlite 'DELETE FROM replicate WHERE number = 9' && run hurt && same small hurt && computed 1
  verdict 'a row removed is computed again' $?

  # Whatever a file defines besides the two tables could run: it is not a journal.
  aside() { # NAME STATEMENTS
    fresh small
    sqlite3 hurt/chore.sqlite "$2" >log 2>&1 && run hurt && same small hurt && computed 24 &&
      grep -q 'is not one of this version of vesicle: its tables are others: it is kept as hurt/chore.sqlite.aside' log &&
      [ -e hurt/chore.sqlite.aside ] && run hurt && computed 0
    verdict "$1" $?
  }
  aside 'a table removed' 'DROP TABLE replicate'
  aside 'a trigger' 'CREATE TRIGGER t AFTER INSERT ON replicate BEGIN DELETE FROM phase; END'
  aside 'a view in the place of a table' 'ALTER TABLE phase RENAME TO p; CREATE VIEW phase AS SELECT * FROM p'
  aside 'an index' 'CREATE INDEX i ON replicate(result)'
  aside 'a further table' 'CREATE TABLE t(a)'
  aside 'a virtual table' 'CREATE VIRTUAL TABLE t USING fts5(a)'
  aside 'a column that is computed' "ALTER TABLE phase ADD COLUMN c AS (hex(zeroblob(1000)))"
  fresh small
  sqlite3 hurt/chore.sqlite 'CREATE TABLE t(a)'
  "$vesicle" journal verify hurt >log 2>&1
  [ $? -eq 4 ] && grep -q 'its tables are others; the next run of its experiment sets it aside' log
  verdict 'verify refuses it too' $?
  run hurt && fresh_name=hurt/chore.sqlite.aside-2 && sqlite3 hurt/chore.sqlite 'CREATE TABLE t(a)' && run hurt && [ -e "$fresh_name" ]
  verdict 'a second one gets another name' $?
else
  echo 'ok rows and tables changed by SQL # skip no sqlite3'
fi

# Verify sees what a run would see.
fresh small && "$vesicle" journal verify hurt >log 2>&1
verdict 'verify accepts a good journal' $?
offset=$(grep -abo '"word":"r5"' small.sqlite | head -n 1 | cut -d : -f 1)
flip hurt/chore.sqlite $((offset + 9)) 3
"$vesicle" journal verify hurt >log 2>&1
[ $? -eq 4 ] && grep -q 'is damaged' log
verdict 'verify refuses a damaged one with exit code 4' $?
cp hurt/chore.sqlite before.sqlite
"$vesicle" journal show hurt >log 2>&1
cmp -s before.sqlite hurt/chore.sqlite && [ ! -e hurt/chore.sqlite.aside ]
verdict 'showing and verifying change nothing' $?
