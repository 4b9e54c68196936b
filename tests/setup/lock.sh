#!/bin/sh
# lock.sh FILE: which version of every package of `make deps` is installed here, and of every package that these need, one line
# each: package=version, and the groups it is for. `make deps LOCK=1` installs exactly these (tests/setup/deps.sh).
set -eu
out=$1
groups='build test lint figures paper mpi archive'
if ! command -v apt-cache >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
  echo 'lock: there is no apt here' >&2
  exit 1
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
LC_ALL=C
export LC_ALL
dpkg-query -W -f '${db:Status-Status} ${Package} ${Version}\n' | sed -n 's/^installed //p' | sort -u >"$work/installed"
for group in $groups; do
  named=$(LIST=1 sh tests/setup/deps.sh "$group")
  for package in $named; do
    grep -q "^$package " "$work/installed" || { echo "lock: $package is not installed; \`make deps\` first" >&2 && exit 1; }
  done
  # shellcheck disable=SC2086 # a list of words
  apt-cache depends --recurse --installed --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances $named |
    sed -n 's/^\([a-z0-9][^ :]*\).*/\1/p' | sort -u | join - "$work/installed" | sed "s/\$/ $group/" >>"$work/all"
done
{
  echo "# Packages and their versions as they were installed when results were recorded; written by \`make lock\`."
  # shellcheck disable=SC1091
  echo "# $(. /etc/os-release && echo "$PRETTY_NAME"), $(dpkg --print-architecture)"
  sort -s -k 1,1 "$work/all" | awk '$1 != last { if (last != "") print line; last = $1; line = $1 "=" $2 } { line = line " " $3 } END { print line }'
} >"$out.new"
mv "$out.new" "$out"
echo "  $out: $(grep -vc '^#' "$out") packages"
