#!/usr/bin/env bash
# Which packages in which versions: docs/packages.lock, `make deps LOCK=1` and the date of the container, with an apt that only
# notes what it is asked. And the source archives: docs/sources.tsv.
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
groups=(build test lint figures paper mpi archive)

# --- the versions that were recorded ---

named_are_locked() {
  local group package
  for group in "${groups[@]}"; do
    for package in $(LIST=1 sh tests/setup/deps.sh "$group"); do
      grep -qE "^${package//+/[+]}=[^ ]+( [a-z]+)* $group( |\$)" docs/packages.lock || { echo "$package of $group" && return 1; }
    done
  done
}
check 'every package of make deps is in the lock, for its group' named_are_locked
check 'and what these need, too' grep -qE '^libgsl27=[^ ]+ build' docs/packages.lock
check 'one line, one package' test -z "$(sed -n 's/=.*//p' docs/packages.lock | sort | uniq -d)"

# installed: what dpkg knows; offered: what the archives have
mkdir -p "$tmp/bin" "$tmp/tree/docs" "$tmp/tree/tests/setup"
cp tests/setup/deps.sh "$tmp/tree/tests/setup"
# shellcheck disable=SC2016
printf '#!/bin/sh\nfor last; do :; done\ncase $last in *Version*) last=; esac\ngrep "^$last" "%s/installed" | sed "s/^/installed /"\n' "$tmp" >"$tmp/bin/dpkg-query"
# shellcheck disable=SC2016
printf '#!/bin/sh\nsed "s/^\\(.*\\)=\\(.*\\)$/ \\1 | \\2 | an archive Packages/" "%s/offered"\n' "$tmp" >"$tmp/bin/apt-cache"
printf '#!/bin/sh\necho "$*" >>"%s/asked"\n' "$tmp" >"$tmp/bin/apt-get"
printf '#!/bin/sh\nexec "$@"\n' >"$tmp/bin/sudo"
chmod +x "$tmp/bin"/*
printf '# packages\ngcc=4:12 build test\nlibgsl-dev=2.7 build\nlibgsl27=2.7 build\nr-base=4.2 test\n' >"$tmp/tree/docs/packages.lock"
locked() { # GROUP...
  rm -f "$tmp/asked"
  (cd "$tmp/tree" && PATH="$tmp/bin:$PATH" LOCK=1 sh tests/setup/deps.sh "$@")
}
nothing_asked() { [ ! -e "$tmp/asked" ]; }

printf 'gcc=4:12\nlibgsl-dev=2.7\nlibgsl27=2.7\n' >"$tmp/installed"
: >"$tmp/offered"
check 'what is installed as recorded is not installed again' locked build
check 'and nobody is asked' nothing_asked
printf 'gcc=4:13\nlibgsl27=2.7\n' >"$tmp/installed"
printf 'gcc=4:12\ngcc=4:13\nlibgsl-dev=2.7\nr-base=4.3\n' >"$tmp/offered"
check 'what is missing or has another version is installed' locked build
check 'in the version recorded, and nothing else' grep -qE ' install -y .*--allow-downgrades gcc=4:12 libgsl-dev=2\.7$' "$tmp/asked"
locked build test >"$log" 2>&1
[ $? -eq 1 ] && grep -qx '  r-base=4.2' "$log" && ! grep -q '  gcc' "$log"
verdict 'a version that no archive has is named' $?
! grep -q install "$tmp/asked"
verdict 'and then nothing is installed' $?

printf 'gcc=4:12\nlibgsl-dev=2.8\nlibgsl27=2.7\nr-base=4.3\n' >"$tmp/installed"
printf 'libgsl-dev=2.7\n' >"$tmp/offered"
locked build test >"$log" 2>&1 && grep -qx '  r-base=4.2' "$log" && grep -qE ' libgsl-dev=2\.7$' "$tmp/asked" && ! grep -q r-base "$tmp/asked"
verdict 'but one that is here in another version stays, and is named' $?

# --- Debian as it was ---

etc=$tmp/etc
mkdir -p "$etc/sources.list.d"
printf 'deb http://mirror.example/debian bookworm main\n# deb http://mirror.example/debian old main\ndeb [signed-by=/k] https://m.example/pub/debian-security/ bookworm-security main\ndeb http://other.example/tools stable main\n' >"$etc/sources.list"
printf 'Types: deb\n# http://mirror.example/debian\nURIs: http://mirror.example/debian\nSuites: bookworm\nSigned-By: /usr/share/keyrings/debian-archive-keyring.gpg\n' >"$etc/sources.list.d/debian.sources"
cp -R "$etc" "$tmp/before"
check 'without a date nothing changes' sh -c "sh tests/setup/snapshot.sh '' '' '$etc' && diff -r '$etc' '$tmp/before'"
sh tests/setup/snapshot.sh yesterday http://keeps.example/archive "$etc" >"$log" 2>&1
[ $? -eq 2 ] && grep -q 'is no date such as' "$log" && diff -r "$etc" "$tmp/before"
verdict 'a date that is none is refused' $?
check 'a date' sh tests/setup/snapshot.sh 20250520T000000Z http://keeps.example/archive "$etc"
printf 'deb http://keeps.example/archive/debian/20250520T000000Z/ bookworm main\n# deb http://mirror.example/debian old main\ndeb [signed-by=/k] http://keeps.example/archive/debian-security/20250520T000000Z/ bookworm-security main\ndeb http://other.example/tools stable main\n' >"$tmp/wanted"
check 'leads to the archive of that day, and leaves others alone' diff "$tmp/wanted" "$etc/sources.list"
check 'also in the newer form' grep -qx 'URIs: http://keeps.example/archive/debian/20250520T000000Z/' "$etc/sources.list.d/debian.sources"
check 'whose signatures have expired' grep -q 'Check-Valid-Until "false"' "$etc/apt.conf.d/99snapshot"

# --- source archives ---

pinned() { ! sed 1,2d docs/sources.tsv | grep -vP '^[a-z0-9]+\t[a-z0-9.-]+\t[^\t]+\t[^\t/]+\.orig\.tar\.(gz\t[0-9a-f]{64}\tNA|xz\t[0-9a-f]{64}\t[0-9a-f]{64})$'; }
check 'every source archive is pinned by its hash' pinned
every() {
  local what
  for what in gsl lua sqlite random123 libedit termcap libmd gnuplot greatest; do
    if ! grep -q "^$what	" docs/sources.tsv || ! grep -q "^make_$what()" tests/setup/bootstrap.sh; then echo "$what" && return 1; fi
  done
}
check 'there is one of everything that is linked, and a way to compile it' every
mkdir -p "$tmp/sources" && : >"$tmp/sources/librandom123_1.14.0+dfsg.orig.tar"
sh tests/setup/bootstrap.sh "$tmp/sources" "$tmp/prefix" >"$log" 2>&1
[ $? -eq 1 ] && grep -q 'another SHA-256' "$log" && [ ! -e "$tmp/prefix/done" ]
verdict 'an archive with another hash is refused' $?
sh tests/setup/bootstrap.sh "$tmp/tree" "$tmp/prefix" >"$log" 2>&1
[ $? -eq 1 ] && grep -q 'orig.tar is not in ' "$log"
verdict 'a missing archive is named' $?

# --- what the page says ---

goals() {
  local goal
  make -s help >"$tmp/help" || return 1
  # shellcheck disable=SC2016
  grep -oE '(^    |`)make [^`#]*' docs/twenty-years.md | sed "s/'[^']*'//; s/.*make //" | tr -s ' ' '\n' | grep -xE '[a-z][a-z-]*' | sort -u >"$tmp/goals"
  [ "$(wc -l <"$tmp/goals")" -ge 10 ] || return 1
  while IFS= read -r goal; do
    grep -qE "^  $goal " "$tmp/help" || { echo "make $goal" && return 1; }
  done <"$tmp/goals"
}
check 'every goal that docs/twenty-years.md names is one' goals
