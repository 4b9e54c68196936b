#!/bin/sh
# snapshot.sh DATE [ARCHIVE [DIRECTORY]]: makes apt read Debian as it was at DATE (20250520T000000Z), from an archive that keeps
# every day: http://snapshot.debian.org/archive, unless another is named. Suites, components and keys stay as configured in
# DIRECTORY, /etc/apt; packages are trusted by their signatures as before. Without a date nothing is changed.
set -eu
date=${1:-} archive=${2:-http://snapshot.debian.org/archive} etc=${3:-/etc/apt}
[ -n "$date" ] || exit 0
if ! printf '%s\n' "$date" | grep -qxE '[0-9]{8}T[0-9]{6}Z'; then
  echo "snapshot.sh: \"$date\" is no date such as 20250520T000000Z" >&2
  exit 2
fi
changed=
for file in "$etc/sources.list" "$etc"/sources.list.d/*.list "$etc"/sources.list.d/*.sources; do
  [ -f "$file" ] || continue
  # An address of Debian's ends in the name of one of its archives.
  sed -E "/^[[:space:]]*(#|\$)/!s,https?://[^[:space:]]*/(debian|debian-security)/?([[:space:]]|\$),$archive/\1/$date/\2,g" "$file" >"$file.new"
  if cmp -s "$file" "$file.new"; then rm "$file.new"; else mv "$file.new" "$file" && changed=yes; fi
done
if [ -z "$changed" ]; then
  echo "snapshot.sh: no address of a Debian archive below $etc" >&2
  exit 1
fi
# What was signed then is not valid until now.
mkdir -p "$etc/apt.conf.d"
echo 'Acquire::Check-Valid-Until "false";' >"$etc/apt.conf.d/99snapshot"
