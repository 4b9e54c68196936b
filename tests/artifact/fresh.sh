#!/usr/bin/env bash
# A machine that has never seen the project: a minimal Debian 12 with git, make and ca-certificates, and the README's two
# commands in it as they stand. Prints their time and disk.
#
#   1 as root         make deps paper, and again with the network cut; make deps test
#   2 as a user       sudo at hand: make deps; then, with the network cut, both commands
#
# The second paper is at quick scale; SCALE=quick makes the first one so too. FRESH_BASE names a tree that debootstrap made
# before. RECORD=1 writes what was measured to docs/fresh.tsv, which the README quotes. Everything happens in a private
# mount namespace and one directory, and both are gone at the end.
set -u
# Where the clone stands in the tree. Written without a slash behind it: a test looks for such paths in what is packed.
place=/srv/newcomer
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd) || exit 1
scale=${SCALE:-full}

# shellcheck source=tests/artifact/private.bash
source "$(dirname "${BASH_SOURCE[0]}")/private.bash"
private fresh debootstrap unshare chroot ip git

log=$PRIVATE_DIR/log
fail() {
  # Suites that failed, wherever in the log they are, and its end.
  [ ! -s "$log" ] || { awk '/^FAIL / { on = 1; print; next } /^ok / { on = 0 } on' "$log" | head -n 60; tail -n 20 "$log"; }
  echo "not ok $*"
  exit 1
}

base=${FRESH_BASE:-}
if [ -z "$base" ]; then
  base=$PRIVATE_DIR/base
  echo 'debootstrap --variant=minbase bookworm'
  debootstrap --variant=minbase bookworm "$base" >"$log" 2>&1 || fail debootstrap
fi

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
  inside 0 "apt-get -q update && apt-get -q install -y --no-install-recommends git make ca-certificates $*" || fail 'git and make'
  git clone -q --no-hardlinks "$here" "$root$place" >"$log" 2>&1 || fail 'git clone'
}
inside() { # USER COMMAND
  chroot --userspec="$1" "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    HOME=/srv TERM=dumb LC_ALL=C DEBIAN_FRONTEND=noninteractive ${using:+SCALE="$using"} \
    bash -c "cd $place 2>/dev/null; $2" >"$log" 2>&1 </dev/null
}
offline() { # the same, with no network but the loopback
  export root using log place
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --net bash -c "$(declare -f inside)"'; ip link set lo up; inside "$@"' offline "$@"
}
disk() { du -sxm "$root" | cut -f 1; }
packages() { du -sm "$PRIVATE_DIR/packages" | cut -f 1; }

# measured HOW USER COMMAND: runs it inside or offline, and prints seconds, MB of disk (packages apart) and MB of downloads
rows=
measured() {
  local start=$SECONDS used got
  used=$(disk) got=$(packages)
  "$1" "$2" "$3" || fail "$3, $1"
  seconds=$((SECONDS - start)) used=$(($(disk) - used)) got=$(($(packages) - got))
  echo "ok $3, $1: $seconds s, $used MB of disk, $got MB of packages, $(nproc) cores"
  rows+=$(printf '%s\t%s\t%d\t%d\t%d\t%d' "$3" "${using:-full}" "$seconds" "$used" "$got" "$(nproc)")$'\n'
}

commit=$(git -C "$here" rev-parse HEAD)
echo "# as root, $(git -C "$here" describe --always --dirty --exclude='*' 2>/dev/null)"
tree root
using=${scale#full}
result=build${using:+/$using}/paper.pdf
measured inside 0 'make deps paper'
[ -s "$root$place/$result" ] || fail "$result"
sum=$(sha256sum <"$root$place/$result")
start=$SECONDS
offline 0 'make deps paper' || fail 'make deps paper again, network cut'
[ "$sum" = "$(sha256sum <"$root$place/$result")" ] || fail 'the same paper the second time'
[ $((SECONDS - start)) -le 30 ] || fail 'nothing to do the second time'
echo "ok make deps paper again, network cut: $((SECONDS - start)) s"
using=
measured inside 0 'make deps test'
grep -E '^[0-9]+ passed, 0 failed$' "$log" || fail 'the tally of the tests'
offline 0 'make deps tests | tee /dev/stderr | grep -E "Installing|  (CC|LD|AR|TEST)  " && exit 1 || exit 0' || fail 'make deps tests again, network cut'
echo 'ok make deps tests again, network cut: nothing to do'
umount -R "$root/dev" "$root/proc" "$root/var/cache/apt/archives"
rm -rf --one-file-system "$root"

echo '# as a user with sudo'
tree user sudo
chroot "$root" useradd --uid 1234 reader && echo 'reader ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/reader"
chroot "$root" chown -R reader: /srv
inside 1234:1234 'make deps' || fail 'make deps'
echo 'ok make deps'
measured offline 1234:1234 'make SCALE=quick deps paper'
[ -s "$root$place/build/quick/paper.pdf" ] || fail 'the paper of a user'
offline 1234:1234 'make deps test' || fail 'make deps test, network cut, as a user'
echo "ok make deps test, network cut: $(tail -n 1 "$log")"

if [ -n "${RECORD:-}" ]; then
  {
    echo '# The two commands on a minimal Debian 12; written by RECORD=1 make check-fresh.'
    echo "# commit: $(git -C "$here" rev-parse --short=12 "$commit")"
    printf 'command\tscale\tseconds\tdisk_mb\tpackages_mb\tcores\n%s' "$rows"
  } >"$here/docs/fresh.tsv"
  echo "docs/fresh.tsv is written"
fi
