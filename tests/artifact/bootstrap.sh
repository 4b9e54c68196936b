#!/usr/bin/env bash
# bootstrap.sh BAG: a machine that has gcc and make and nothing else, and no network: a minimal Debian 12, a tree without git,
# and the source archives of `make sources`. An ordinary user compiles them there, runs every experiment at quick scale,
# compares the results with what is expected, draws the figures and runs the C suites.
#
# BOOTSTRAP_BASE names a tree that debootstrap made before, with gcc, make and libc6-dev. Everything happens in a private mount
# namespace and one directory, and both are gone at the end.
set -u
place=/srv/newcomer
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd) || exit 1
BAG=${BAG:-$(realpath "${1:?bootstrap.sh BAG}")}
export BAG

# shellcheck source=tests/artifact/private.bash
source "$(dirname "${BASH_SOURCE[0]}")/private.bash"
private bootstrap debootstrap unshare chroot git

log=$PRIVATE_DIR/log
fail() {
  [ ! -s "$log" ] || tail -n 40 "$log"
  echo "not ok $*"
  exit 1
}
root=${BOOTSTRAP_BASE:-}
if [ -z "$root" ]; then
  root=$PRIVATE_DIR/root
  echo 'debootstrap --variant=minbase --include=gcc,libc6-dev,make bookworm'
  debootstrap --variant=minbase --include=gcc,libc6-dev,make bookworm "$root" >"$log" 2>&1 || fail debootstrap
else
  cp -a "$root" "$PRIVATE_DIR/root" || fail 'copy of the base'
  root=$PRIVATE_DIR/root
fi
mount --rbind /dev "$root/dev" || fail mounts
mount -t proc proc "$root/proc" || fail mounts
mkdir -p "$root$place" || fail 'the tree'
git -C "$here" archive HEAD | tar -C "$root$place" -xf - || fail 'the tree'
cp "$BAG" "$root/srv/sources.tar" || fail 'the bag'
chroot "$root" useradd --uid 1234 reader || fail 'the user'
chroot "$root" chown -R reader: /srv || fail 'the user'

inside() { # COMMAND: as the user, without network
  unshare --net chroot --userspec=1234:1234 "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/srv TERM=dumb LC_ALL=C \
    bash -c "cd $place && $1" >"$log" 2>&1 </dev/null
}
step() { # NAME COMMAND
  local start=$SECONDS
  inside "$2" || fail "$1"
  echo "ok $1 ($((SECONDS - start)) s)"
}
for tool in pkg-config cmake python3 autoconf c++ xz git pandoc gnuplot; do
  ! inside "command -v $tool" || fail "there is a $tool, so that this shows nothing"
done
echo 'ok no pkg-config, cmake, Python, autoconf, C++, xz, git, pandoc, gnuplot'

step 'make bootstrap SOURCES=bag' 'make bootstrap SOURCES=../sources.tar'
step 'make' make
step 'it is linked with what was compiled' 'build/vesicle --version && ldd build/vesicle && ! ldd build/vesicle | grep -E "gsl|lua|sqlite|edit|libmd|tinfo"'
inside 'make SCALE=quick verify'
said=$(grep -E '^verify: (identical|equivalent)$' "$log") || fail 'make SCALE=quick verify'
grep -q '^  not compared: the documents, for want of gnuplot, pandoc' "$log" || fail 'verify says what it leaves out'
echo "ok make SCALE=quick $said"
step 'make SCALE=quick figures' 'make SCALE=quick figures'
scripts=$(find "$here/figures" -name '*.gp' ! -name style.gp | wc -l)
[ "$(find "$root$place/build/quick/figures" -name '*.svg' -size +2k | wc -l)" = "$scripts" ] || fail "$scripts figures as SVG"
echo "ok $scripts figures as SVG"
step 'make test-c' 'make test-c'
echo "   $(tail -n 1 "$log"); $(du -sm "$root$place/build/prefix" | cut -f 1) MB in build/prefix"
