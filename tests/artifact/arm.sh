#!/usr/bin/env bash
# 64-bit ARM: cross-compiled with the full set of warnings as errors, the C suites and the experiments at quick scale under
# qemu-user, and the judgement of `make verify` between the numbers made there and those made here.
#
# The foreign architecture lives in a debootstrap tree, in a private mount namespace; both are gone at the end. No
# kernel support is needed: programs are started through qemu by name. ARM_BASE names a tree that debootstrap made before,
# ARM_EXPERIMENTS a choice of experiments; ARM_KEEP=DIR keeps the tree there for another run.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd) || exit 1
# shellcheck source=tests/artifact/private.bash
source "$(dirname "${BASH_SOURCE[0]}")/private.bash"
private arm debootstrap unshare chroot git make

log=$PRIVATE_DIR/log
root=${ARM_KEEP:-$PRIVATE_DIR/tree}
step() { # NAME COMMAND...
  local name=$1 start=$SECONDS
  shift
  if "$@" >"$log" 2>&1; then
    echo "ok $name ($((SECONDS - start)) s)"
  else
    tail -n 30 "$log"
    echo "not ok $name"
    exit 1
  fi
}
inside() { # COMMAND
  chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/opt TERM=dumb LC_ALL=C DEBIAN_FRONTEND=noninteractive \
    PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig bash -c "cd /opt/vesicle 2>/dev/null; $1" </dev/null
}

if [ ! -e "$root/usr/bin/qemu-aarch64" ]; then
  if [ -n "${ARM_BASE:-}" ]; then cp -a "$ARM_BASE" "$root"; else step debootstrap debootstrap --variant=minbase bookworm "$root"; fi
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  install='dpkg --add-architecture arm64 && apt-get -q update && apt-get -q install -y --no-install-recommends make pkg-config'
  install+=' qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross libgsl-dev:arm64 liblua5.4-dev:arm64 libsqlite3-dev:arm64'
  install+=' libedit-dev:arm64 libmd-dev:arm64 librandom123-dev'
  step 'cross compiler, libraries, qemu' inside "$install"
fi
mount --rbind /dev "$root/dev" || exit 1
mount -t proc proc "$root/proc" || exit 1
rm -rf "$root/opt/vesicle"
git clone -q --no-hardlinks "$here" "$root/opt/vesicle" || exit 1
mkdir -p "$root/opt/vesicle/.cache" && cp "$here"/.cache/greatest.h "$root/opt/vesicle/.cache" || exit 1

cross='make -s -j2 CC=aarch64-linux-gnu-gcc AR=aarch64-linux-gnu-ar CFLAGS=-Werror'
step 'builds without a warning' inside "$cross all tests"
# shellcheck disable=SC2016 # expanded by the inner shell
suites='for suite in build/tests/test_*; do case $suite in *.d) continue ;; esac; qemu-aarch64 "$suite" || exit 1; done'
step 'the C suites' inside "$suites"
grep -E '^Pass: ' "$log" | awk -F'[:,]' '{ p += $2; f += $4; s += $6 } END { printf "   %d passed, %d failed, %d skipped\n", p, f, s }'

# The program, called by the Makefile as ever, goes through qemu.
# shellcheck disable=SC2016
wrap='mv build/vesicle build/vesicle.arm && printf "#!/bin/sh\nexec qemu-aarch64 %s.arm \"\$@\"\n" /opt/vesicle/build/vesicle >build/vesicle && chmod +x build/vesicle'
step 'the program runs' inside "$wrap && build/vesicle --version"
experiments=${ARM_EXPERIMENTS:-$(cd "$here/lua/experiments" && echo [0-9]*.lua | sed 's/\.lua//g')}
targets=
for name in $experiments; do targets+=" build/quick/data/$name/claims.tsv"; done
step 'the experiments at quick scale, there' inside "$cross SCALE=quick $targets"

git clone -q --no-hardlinks "$here" "$PRIVATE_DIR/native" || exit 1
cd "$PRIVATE_DIR/native" || exit 1
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL BUILD
# shellcheck disable=SC2086 # a list of words
step 'the experiments at quick scale, here' make -s -j2 SCALE=quick $targets build/vesicle
mkdir there && cp -R "$root/opt/vesicle/build/quick/data" there/data
for results in build/quick there; do
  sh paper/tools/checksums.sh "$results" data >"$results/checksums.tsv" && printf 'file\tsha256\n' >"$results/documents.tsv"
done
build/vesicle run tests/artifact/compare.lua --trust --quiet --out "$PRIVATE_DIR/out" --set here=build/quick --set there=there --set only="$experiments"
