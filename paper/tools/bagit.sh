# shellcheck shell=sh
# Sourced by what writes a BagIt bag (RFC 8493): `bag_tags` and `bag_tar`. A bag depends on what is in it alone: names are
# sorted, and no time, owner or mode of this machine is kept.
if command -v sha256sum >/dev/null 2>&1; then sum() { sha256sum "$@"; }; else sum() { shasum -a 256 "$@"; }; fi
LC_ALL=C
export LC_ALL

# bag_tags BAG DESCRIPTION: the tag files of a directory whose payload stands in BAG/data; sets `files`, their number.
# Payload-Oxum: bytes and files of the payload.
bag_tags() {
  bag_description=$2 bag_back=$(pwd)
  cd "$1" || exit 1
  files=$(find data -type f | wc -l | tr -d ' ')
  bytes=$(find data -type f -exec cat {} + | wc -c | tr -d ' ')
  printf 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n' >bagit.txt
  printf 'External-Identifier: %s\nExternal-Description: %s\nPayload-Oxum: %s.%s\n' \
    "${1##*/}" "$bag_description" "$bytes" "$files" >bag-info.txt
  find data -type f -print0 | sort -z | xargs -0 sha256sum >manifest-sha256.txt
  sum bag-info.txt bagit.txt manifest-sha256.txt >tagmanifest-sha256.txt
  chmod -R u=rwX,go=rX .
  cd "$bag_back" || exit 1
}

# bag_tar FOLDER NAME: the bag FOLDER/NAME as a tar archive, on standard output.
bag_tar() {
  tar -C "$1" --sort=name --format=posix --pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime \
    --mtime=@1637193600 --owner=0 --group=0 --numeric-owner -cf - "$2"
}
