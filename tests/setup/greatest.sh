#!/bin/sh
# Obtains greatest.h, the one header of the C test framework, and writes it to the path given as the first argument.
#
# It is in no package archive as a binary and third-party code is not committed here, so the file is fetched and pinned:
# version 1.3.1, by its SHA-256. Tried in order: the file named by GREATEST_H; a copy fetched before (.cache/); the
# upstream tag; the Debian source package fzy 1.0, which carries that very file. A file with another hash is refused.
set -u
version=1.3.1
sha256=4ecd1c1c1b1d2cd7f0c8b0c9d87f92030b9ef7910da3a8197076b17d13076940
upstream=https://raw.githubusercontent.com/silentbicycle/greatest/v$version/greatest.h
repository=https://github.com/silentbicycle/greatest
seconds=${GREATEST_TIMEOUT:-20}

target=$1
cache=.cache/greatest-$version.h
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM HUP

# shellcheck source=tests/setup/debian_sources.sh
. "$(dirname "$0")/debian_sources.sh"

say() { printf 'greatest: %s\n' "$*" >&2; }

hash_of() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d ' ' -f 1
}

good() { [ -s "$1" ] && [ "$(hash_of "$1")" = "$sha256" ]; }

install_file() { # FILE DESTINATION: in one step, so that a reader never sees half a file
  mkdir -p "$(dirname "$2")" && cp "$1" "$2.new" && mv "$2.new" "$2"
}

finish() { # FILE
  [ "$1" = "$cache" ] || install_file "$1" "$cache" || exit 1
  install_file "$1" "$target" || exit 1
  exit 0
}

limited() { # COMMAND...: gives up after a while where timeout(1) exists
  if command -v timeout >/dev/null 2>&1; then timeout "$seconds" "$@"; else "$@"; fi
}

from_network() {
  if command -v curl >/dev/null 2>&1; then
    curl -fsSL --connect-timeout 5 --max-time "$seconds" -o "$tmp/network.h" "$upstream" 2>/dev/null && return
  fi
  if command -v wget >/dev/null 2>&1; then
    limited wget -q -t 1 -T 5 -O "$tmp/network.h" "$upstream" 2>/dev/null && return
  fi
  command -v git >/dev/null 2>&1 || return 1
  GIT_TERMINAL_PROMPT=0 limited git -c advice.detachedHead=false clone -q --depth 1 --branch "v$version" \
    "$repository" "$tmp/upstream" 2>/dev/null && cp "$tmp/upstream/greatest.h" "$tmp/network.h"
}

from_debian() {
  debian_sources "$tmp" || return 1
  (cd "$tmp" && apt_sources update && apt_sources source --download-only fzy) >"$tmp/apt.log" 2>&1 || return 1
  for tarball in "$tmp"/fzy_*.orig.tar.*; do
    tar -xf "$tarball" -O --wildcards '*/deps/greatest/greatest.h' >"$tmp/debian.h" 2>/dev/null && return
  done
  return 1
}

if [ -n "${GREATEST_H:-}" ]; then
  good "$GREATEST_H" && finish "$GREATEST_H"
  say "GREATEST_H=$GREATEST_H is not greatest $version (its SHA-256 must be $sha256)"
  exit 1
fi

good "$target" && exit 0
good "$cache" && finish "$cache"

say "fetching greatest.h $version"
for source in network debian; do
  case $source in network) from_network ;; debian) from_debian ;; esac || continue
  good "$tmp/$source.h" && finish "$tmp/$source.h"
  say "the copy from the $source has another SHA-256 and is refused"
done

say "could not be obtained: neither the upstream site nor a Debian source archive answered."
say "Download $upstream on another machine and call make with GREATEST_H=/path/to/greatest.h"
[ -s "$tmp/apt.log" ] && tail -n 3 "$tmp/apt.log" >&2
exit 1
