#!/bin/sh
# sources.sh PACKAGE FOLDER: unpacks the upstream sources of a Debian package into FOLDER, fresh.
#
# No third-party code is committed here, so the archive is fetched and pinned by its SHA-256: in docs/sources.tsv, or, if
# only the pages need it, in csrc/web/sources.tsv. A copy fetched before (.cache/sources) is used, else the Debian source
# archive is asked. A file with another hash is refused.
set -eu
package=$1 folder=$2
cache=.cache/sources
# shellcheck source=tests/setup/debian_sources.sh
. tests/setup/debian_sources.sh
say() { printf '%s: %s\n' "$package" "$*" >&2; }

line=$(awk -F '\t' -v package="$package" '$2 == package { print $4, $5 }' docs/sources.tsv csrc/web/sources.tsv)
[ -n "$line" ] || { say 'is in neither docs/sources.tsv nor csrc/web/sources.tsv' && exit 1; }
file=${line% *} sha256=${line#* }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM HUP

good() { [ -s "$1" ] && [ "$(sha256sum <"$1" | cut -d ' ' -f 1)" = "$sha256" ]; }

if ! good "$cache/$file"; then
  say "fetching $file"
  # A repository that has no sources, or an archive that is a patch behind, is no reason to stop: the hash decides.
  if debian_sources "$tmp"; then
    (cd "$tmp" && { apt_sources update; apt_sources source --download-only "$package"; }) >"$tmp/apt.log" 2>&1 || true
  else
    echo 'there is no apt here' >"$tmp/apt.log"
  fi
  if ! good "$tmp/$file"; then
    say "could not be obtained from Debian's source archive, or has another SHA-256; put $file, of SHA-256 $sha256, into $cache/"
    tail -n 3 "$tmp/apt.log" >&2
    exit 1
  fi
  mkdir -p "$cache"
  cp "$tmp/$file" "$cache/$file.new"
  mv "$cache/$file.new" "$cache/$file"
fi
rm -rf "$folder"
mkdir -p "$folder"
tar -xf "$cache/$file" -C "$folder" --strip-components=1
