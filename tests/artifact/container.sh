#!/usr/bin/env bash
# The Dockerfile, built for real without a Docker engine: buildah in chroot isolation, on a base image made from
# debootstrap because no registry is asked. Then the image's default command at quick scale, with a folder for the PDFs, and
# what the image is: its user, its size, no compiler. SUITE is the release of the base, Debian 13 unless told; CONTAINER_BASE
# names a tree that debootstrap made before. Images live in a store of their own, which is gone at the end.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
for tool in buildah debootstrap git; do
  command -v "$tool" >/dev/null 2>&1 || lacking="${lacking:-} $tool"
done
if [ "$(id -u)" != 0 ] || [ -n "${lacking:-}" ]; then
  echo "check-container needs root, buildah, debootstrap and git.${lacking:+ Missing here:$lacking}"
  exit 2
fi
# shellcheck source=tests/artifact/private.bash
source tests/artifact/private.bash
suite=${SUITE:-trixie}
tmp=$(mktemp -d /var/tmp/vesicle-container.XXXXXX) || exit 1
run() { buildah --root "$tmp/store" --runroot "$tmp/run" --storage-driver vfs "$@"; }
# A container's mounts keep its folders busy; buildah lets go of them.
trap 'run rm --all >/dev/null 2>&1; run rmi --all --force >/dev/null 2>&1; rm -rf --one-file-system "$tmp"' EXIT
trap 'exit 1' INT TERM HUP
fail() {
  [ ! -s "$tmp/log" ] || tail -n 40 "$tmp/log"
  echo "not ok $*"
  exit 1
}
step() { # NAME COMMAND...
  local name=$1 start=$SECONDS
  shift
  "$@" >"$tmp/log" 2>&1 || fail "$name"
  echo "ok $name ($((SECONDS - start)) s)"
}

base=${CONTAINER_BASE:-}
if [ -z "$base" ]; then
  base=$tmp/base
  step "debootstrap, $suite" debian_tree "$suite" "$base"
fi
tar -C "$base" --one-file-system -cf "$tmp/base.tar" . || fail 'base image'
printf 'FROM scratch\nADD base.tar /\nCMD ["/bin/bash"]\n' >"$tmp/Basefile"
step 'a base image from it' run bud --isolation chroot --pull-never -t "debian:$suite" -f "$tmp/Basefile" "$tmp"
rm "$tmp/base.tar"

# What is committed, as `docker build .` of a fresh clone would see it.
git clone -q --no-hardlinks . "$tmp/context" || fail 'git clone'
step 'the image' run bud --isolation chroot --pull-never --build-arg BASE="localhost/debian:$suite" -t vesicle "$tmp/context"

inspect() { run inspect --type image --format "$1" localhost/vesicle; }
[ "$(inspect '{{.OCIv1.Config.User}}')" = vesicle ] || fail 'the user is not root'
echo 'ok the user is not root'
box=$(run from --pull-never localhost/vesicle) || fail 'a container'
mount=$(run mount "$box") || fail 'a container'
echo "   $(du -smx "$mount" | cut -f 1) MB in the final stage, $(du -smx "$base" | cut -f 1) MB of it the base"
for name in gcc clang git; do
  [ ! -e "$mount/usr/bin/$name" ] || fail "there is no $name in the final stage"
done
echo 'ok no compiler in the final stage'

[ -z "$(find "$mount/src" -path "$mount/src/build" -prune -o ! -type l -perm -o+w -print)" ] || fail 'the sources are not writable by all'
echo 'ok the sources are not writable by all'

# The default command, word by word.
mkdir "$tmp/out" && chmod 777 "$tmp/out"
mapfile -t command < <(inspect '{{range .OCIv1.Config.Cmd}}{{println .}}{{end}}' | sed '/^$/d')
step "the default command at quick scale: ${command[*]}" run run --isolation chroot --env SCALE=quick \
  --volume "$tmp/out:/out" "$box" -- "${command[@]}"
for file in paper.pdf supplement.pdf; do
  [ "$(head -c 5 "$tmp/out/$file" 2>/dev/null)" = '%PDF-' ] || fail "$file in the mounted folder"
done
echo 'ok both PDFs are in the mounted folder'
