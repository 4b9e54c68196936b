#!/usr/bin/env bash
# A machine that has never seen the project: a minimal Debian with git, make and ca-certificates, and the README's two
# commands in it as they stand.
#
#   1 as root         make deps paper, and again with the network cut; make verify; make deps test
#   2 as a user       sudo at hand: make deps; then, with the network cut, both commands, the report at quick scale
#
# SUITE is the release: bookworm, trixie, forky ... What was measured becomes the row of that release in docs/fresh.tsv, which
# the README quotes; SCALE=quick reduces the first report too, and then nothing is recorded. FRESH_BASE names a tree that
# debootstrap made before. Everything happens in a private mount namespace and one directory, and both are gone at the end.
set -u
# Where the clone stands in the tree. Written without a slash behind it: a test looks for such paths in what is packed.
place=/srv/newcomer
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd) || exit 1
suite=${SUITE:-trixie}

# shellcheck source=tests/artifact/private.bash
source "$(dirname "${BASH_SOURCE[0]}")/private.bash"
private fresh debootstrap unshare chroot ip git

log=$PRIVATE_DIR/log
fail() {
  # Suites that failed, wherever in the log they are, and its end.
  [ ! -s "$log" ] || { awk '/^FAIL / { on = 1; print; next } /^ok / { on = 0 } on' "$log" | head -n 60; tail -n 20 "$log"; }
  echo "not ok $suite: $*"
  exit 1
}

base=${FRESH_BASE:-$PRIVATE_DIR/base}
[ -e "$base" ] || debian_tree "$suite" "$base" >"$log" 2>&1 || fail debootstrap

# tree NAME EXTRA-PACKAGE...: a copy of the base with git, make, ca-certificates and a clone of the project
tree() {
  root=$PRIVATE_DIR/$1
  shift
  cp -a "$base" "$root" || fail 'copy of the base'
  mount --rbind /dev "$root/dev" || fail mounts
  mount -t proc proc "$root/proc" || fail mounts
  mkdir -p "$root/dev/shm" "$PRIVATE_DIR/packages/partial"
  mount --bind "$PRIVATE_DIR/packages" "$root/var/cache/apt/archives" || fail mounts
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  # An archive that is a copy of some weeks ago serves as well; that of a release in the making says that it has expired.
  echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/copy-of-an-archive"
  inside 0 "apt-get -q update && apt-get -q install -y --no-install-recommends git make ca-certificates $*" || fail 'git and make'
  git clone -q --no-hardlinks "$here" "$root$place" >"$log" 2>&1 || fail 'git clone'
}
inside() { # USER COMMAND
  chroot --userspec="$1" "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    HOME=/srv TERM=dumb LC_ALL=C DEBIAN_FRONTEND=noninteractive ${SCALE:+SCALE="$SCALE"} \
    bash -c "cd $place 2>/dev/null; $2" >"$log" 2>&1 </dev/null
}
offline() { # the same, with no network but the loopback
  export root log place
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --net bash -c "$(declare -f inside)"'; ip link set lo up; inside "$@"' offline "$@"
}
used() { # MB: the tree, and the packages that apt keeps beside it
  du -smxc "$root" "$PRIVATE_DIR/packages" | tail -n 1 | cut -f 1
}
# measured HOW USER COMMAND: runs it inside or offline; sets seconds and megabytes
measured() {
  local start=$SECONDS before
  before=$(used)
  "$1" "$2" "$3" || fail "$3, $1"
  seconds=$((SECONDS - start)) megabytes=$(($(used) - before))
  echo "ok $3, $1: $seconds s, $megabytes MB"
}
passed() { # how many tests the log counts
  sed -n 's/^\([0-9]*\) passed, 0 failed.*/\1/p' "$log" | grep . || fail 'the tally of the tests'
}

commit=$(git -C "$here" rev-parse --short=12 HEAD)
echo "# $suite as root, $commit"
tree root
[ "${SCALE:-full}" = quick ] || unset SCALE
result=$root$place/build${SCALE:+/$SCALE}/paper.pdf
measured inside 0 'make deps paper'
[ -s "$result" ] || fail "$result"
row=$seconds$'\t'$megabytes
sum=$(sha256sum <"$result")
start=$SECONDS
offline 0 'make deps paper' || fail 'make deps paper again, network cut'
[ "$sum" = "$(sha256sum <"$result")" ] || fail 'the same report the second time'
[ $((SECONDS - start)) -le 30 ] || fail 'nothing to do the second time'
echo "ok make deps paper again, network cut: $((SECONDS - start)) s"
offline 0 'make verify' || fail 'make verify'
said=$(sed -n 's/^verify: //p' "$log")
# What verify lists below "equivalent", if it is of documents alone, leaves the data identical.
documents=$said data=$(awk '/^  equivalent:/ { on = 1; next } on && /^    / && $1 != "document" { other = 1 } END { print other ? "equivalent" : "identical" }' "$log")
sed -n 's/^    document/   document/p' "$log"
echo "ok make verify: data $data, documents $documents"
unset SCALE
measured inside 0 'make deps test'
row=$row$'\t'$seconds$'\t'$megabytes$'\t'$(passed)$'\t'$data$'\t'$documents || exit 1
offline 0 'make deps tests | tee /dev/stderr | grep -E "Installing|  (CC|LD|AR|TEST)  " && exit 1 || exit 0' || fail 'make deps tests again, network cut'
echo 'ok make deps tests again, network cut: nothing to do'
# shellcheck disable=SC2016 # dpkg-query's own names
versions=$(chroot "$root" dpkg-query -W -f '${Package} ${Version}, ' gcc libgsl-dev liblua5.4-dev gnuplot-nox pandoc texlive-latex-base openmpi-bin)
umount -R "$root/dev" "$root/proc" "$root/var/cache/apt/archives"
rm -rf --one-file-system "$root"

echo "# $suite as a user with sudo"
tree user sudo
chroot "$root" useradd --uid 1234 reader && echo 'reader ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/reader"
chroot "$root" chown -R reader: /srv
inside 1234:1234 'make deps' || fail 'make deps'
echo 'ok make deps'
measured offline 1234:1234 'make SCALE=quick deps paper'
[ -s "$root$place/build/quick/paper.pdf" ] || fail 'the report of a user'
row=$row$'\t'$seconds
offline 1234:1234 'make deps test' || fail 'make deps test, network cut, as a user'
row=$row$'\t'$(passed) || exit 1
echo "ok make deps test, network cut: $(passed) passed"

case $result in */quick/*) exit 0 ;; esac
record=$here/docs/fresh.tsv
{
  echo '# The two commands of the README on a minimal Debian; make check-fresh SUITE=trixie writes the row of a release.'
  printf 'suite\tdebian\tcommit\tcores\tpaper_s\tpaper_mb\ttest_s\ttest_mb\tpassed\tdata\tdocuments\tuser_quick_paper_s\tuser_passed\tversions\n'
  {
    grep -v "^#\|^suite	\|^$suite	" "$record" 2>/dev/null
    printf '%s\t%s\t%s\t%d\t%s\t%s\n' "$suite" "$(cat "$base/etc/debian_version")" "$commit" "$(nproc)" "$row" "${versions%, }"
  } | sort
} >"$PRIVATE_DIR/record" && cp "$PRIVATE_DIR/record" "$record"
echo "docs/fresh.tsv has the row of $suite"
