#!/bin/sh
# Obtains greatest.h, the one header of the C test framework, and writes it to the path given as the first argument.
#
# It is in no package archive as a binary and third-party code is not committed here, so the file is fetched. The C suites are
# known to pass with the versions below, each by its SHA-256; a file with another hash is refused. Tried in order: the file
# named by GREATEST_H; a copy fetched before (.cache/); the upstream tag; Debian's source packages that carry it.
set -u
version=1.3.1
known='4ecd1c1c1b1d2cd7f0c8b0c9d87f92030b9ef7910da3a8197076b17d13076940 1.3.1
1292593d95c35eeccc89ffa1c91d6fe53b49f81cbf2c2b7758842b7f3186fcc2 1.5.0'
carriers='fzy:deps/greatest/greatest.h dunst:test/greatest.h' # PACKAGE:PATH in its tarball
upstream=https://raw.githubusercontent.com/silentbicycle/greatest/v$version/greatest.h
repository=https://github.com/silentbicycle/greatest
seconds=${GREATEST_TIMEOUT:-20}

target=$1
cache=.cache/greatest.h
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM HUP

# shellcheck source=tests/setup/debian_sources.sh
. "$(dirname "$0")/debian_sources.sh"

say() { printf 'greatest: %s\n' "$*" >&2; }

hash_of() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d ' ' -f 1
}

good() { # FILE
  [ -s "$1" ] && hash=$(hash_of "$1") && [ "${#hash}" -eq 64 ] && printf '%s\n' "$known" | grep -q "^$hash "
}

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
    curl -fsSL --connect-timeout 5 --max-time "$seconds" -o "$tmp/upstream.h" "$upstream" 2>/dev/null && return
  fi
  if command -v wget >/dev/null 2>&1; then
    limited wget -q -t 1 -T 5 -O "$tmp/upstream.h" "$upstream" 2>/dev/null && return
  fi
  command -v git >/dev/null 2>&1 || return 1
  GIT_TERMINAL_PROMPT=0 limited git -c advice.detachedHead=false clone -q --depth 1 --branch "v$version" \
    "$repository" "$tmp/clone" 2>/dev/null && cp "$tmp/clone/greatest.h" "$tmp/upstream.h"
}

# Only the tarball of upstream's sources is needed, and an archive that is being changed may have that alone.
from_debian() { # PACKAGE PATH
  (cd "$tmp" && apt_sources source --download-only --tar-only "$1") >>"$tmp/apt.log" 2>&1 || return 1
  for tarball in "$tmp/$1"_*.orig.tar.*; do
    tar -xf "$tarball" -O --wildcards "*/$2" >"$tmp/$1.h" 2>/dev/null && return
  done
  return 1
}

if [ -n "${GREATEST_H:-}" ]; then
  good "$GREATEST_H" && finish "$GREATEST_H"
  say "GREATEST_H=$GREATEST_H is no greatest.h with which the tests are known to pass. Its SHA-256 must be one of these:"
  printf '%s\n' "$known" | sed 's/^/  /' >&2
  exit 1
fi

good "$target" && exit 0
good "$cache" && finish "$cache"

say "fetching greatest.h"
tried=
attempt() { # NAME COMMAND...: leaves $tmp/NAME.h
  name=$1
  shift
  tried="$tried${tried:+, }$name"
  "$@" || return
  good "$tmp/$name.h" && finish "$tmp/$name.h"
  tried="$tried (a copy of another SHA-256)"
}
attempt upstream from_network
if debian_sources "$tmp"; then
  apt_sources update >"$tmp/apt.log" 2>&1
  for carrier in $carriers; do attempt "${carrier%%:*}" from_debian "${carrier%%:*}" "${carrier#*:}"; done
fi

say "could not be obtained. Tried: $tried; after upstream, source packages of Debian that carry it."
say "It is one header, which only the C tests need. Download $upstream on another machine,"
say "and call make with GREATEST_H=/path/to/greatest.h"
[ ! -s "$tmp/apt.log" ] || tail -n 3 "$tmp/apt.log" >&2
exit 1
