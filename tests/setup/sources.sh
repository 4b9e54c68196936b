#!/bin/sh
# sources.sh BUILD NAME: the source archives of what the results depend on, as the BagIt bag BUILD/NAME.tar.
#
# docs/sources.tsv pins each archive by its SHA-256; only that one is taken. Tried in order: .cache/sources, then what the
# configured Debian archive has, asked through apt. RENEW=1 takes what that archive has today and writes the table anew.
# The bag is opened with tar and gzip alone, as tests/setup/bootstrap.sh opens it: an archive that Debian packs with xz is in
# it unpacked, and the table pins both.
#
# SQLite's own source package needs Tcl to be compiled, and greatest has none; both stand, whole and unchanged, in packages of
# others. Debian's patches are left out: none of them changes a result.
set -eu
build=$1 name=$2
table=docs/sources.tsv cache=.cache/sources
# shellcheck source=paper/tools/bagit.sh
. paper/tools/bagit.sh
# shellcheck source=tests/setup/debian_sources.sh
. tests/setup/debian_sources.sh

say() { printf 'sources: %s\n' "$*" >&2; }
hash_of() { sum <"$1" | cut -c 1-64; }
command -v xz >/dev/null 2>&1 || { say 'xz is not installed (Debian package xz-utils)' && exit 1; }

# what is needed, and the source package that has it
wanted='gsl:gsl lua:lua5.4 sqlite:r-cran-rsqlite random123:librandom123 libedit:libedit termcap:ncurses libmd:libmd gnuplot:gnuplot greatest:fzy'

work=$build/sources.part
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
bag=$work/$name
mkdir -p "$bag/data" "$cache" "$work/apt"

# offered PACKAGE: sets `found` to address, file and SHA-256 of the original archive in the version that apt would take
asked=
offered() {
  if [ -z "$asked" ]; then
    debian_sources "$work/apt" || { say 'there is no apt here; put the archives into .cache/sources' && exit 1; }
    say 'asking the configured Debian archive'
    apt_sources update >"$work/apt/log" 2>&1 || { cat "$work/apt/log" >&2 && exit 1; }
    asked=yes
  fi
  found=$(apt_sources source --print-uris "$1" 2>>"$work/apt/log" |
    sed -n "s/^'\([^']*\)' \([^ ]*\.orig\.tar\.[gx]z\) [0-9]* SHA256:\([0-9a-f]*\)\$/\1 \2 \3/p")
}

# fetch ADDRESS FILE: apt's own downloader, so that proxies and mirrors are those configured
fetch() {
  helper=/usr/lib/apt/apt-helper
  [ -x "$helper" ] || { say "$helper is missing" && return 1; }
  "$helper" download-file "$1" "$cache/$2.part" >"$work/apt/log" 2>&1 && mv "$cache/$2.part" "$cache/$2"
}

# pinned WHAT COLUMN: a cell of the table
pinned() { awk -F '\t' -v what="$1" -v column="$2" '$1 == what { print $column }' "$table"; }

printf 'what\tpackage\tversion\tfile\tsha256\ttar_sha256\n' >"$work/table"
for pair in $wanted; do
  what=${pair%%:*} package=${pair#*:}
  if [ -z "${RENEW:-}" ]; then
    file=$(pinned "$what" 4) hash=$(pinned "$what" 5) unpacked=$(pinned "$what" 6)
    [ -n "$file" ] || { say "$table has no line for $what; RENEW=1 writes it" && exit 1; }
    if [ ! -e "$cache/$file" ] || [ "$(hash_of "$cache/$file")" != "$hash" ]; then
      offered "$package"
      case $found in
      *" $file $hash"*) fetch "${found%% *}" "$file" || { say "$file could not be fetched" && exit 1; } ;;
      *)
        say "the configured archive has not $file of $package, but: $(echo "$found" | cut -d ' ' -f 2)"
        say "docs/twenty-years.md says how to ask an archive of an earlier date; RENEW=1 takes what there is"
        exit 1
        ;;
      esac
    fi
    [ "$(hash_of "$cache/$file")" = "$hash" ] || { say "$file has another SHA-256 than $table and is refused" && exit 1; }
  else
    offered "$package"
    file=$(echo "$found" | cut -d ' ' -f 2) hash=$(echo "$found" | cut -d ' ' -f 3) unpacked=
    [ -n "$file" ] || { say "the configured archive has no sources of $package" && exit 1; }
    fetch "${found%% *}" "$file"
    [ "$(hash_of "$cache/$file")" = "$hash" ] || { say "$file is not what the archive announced" && exit 1; }
  fi
  case $file in
  *.xz)
    xz -dc "$cache/$file" >"$bag/data/${file%.xz}"
    got=$(hash_of "$bag/data/${file%.xz}")
    [ "${unpacked:-$got}" = "$got" ] || { say "$file, unpacked, has another SHA-256 than $table" && exit 1; }
    unpacked=$got
    ;;
  *) cp "$cache/$file" "$bag/data/$file" && unpacked=NA ;;
  esac
  version=${file#*_}
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$what" "$package" "${version%.orig.*}" "$file" "$hash" "$unpacked" >>"$work/table"
done
{
  echo '# Source archives of what the results depend on; checked by "make sources", written by "make sources RENEW=1".'
  cat "$work/table"
} >"$bag/data/sources.tsv"
if [ -n "${RENEW:-}" ]; then cp "$bag/data/sources.tsv" "$table.new" && mv "$table.new" "$table"; fi

bag_tags "$bag" 'Source archives for make bootstrap of vesicle'
bag_tar "$work" "$name" >"$build/$name.tar.part"
mv "$build/$name.tar.part" "$build/$name.tar"
echo "  $build/$name.tar: $files files, $(wc -c <"$build/$name.tar" | tr -d ' ') bytes"
