#!/bin/sh
# verify_bag.sh BAG: is this directory a complete and valid BagIt bag (RFC 8493)? Says what is not, one line each.
set -u
cd "$1" || exit 1
LC_ALL=C
export LC_ALL
status=0
say() {
  echo "$*"
  status=1
}
if command -v sha256sum >/dev/null 2>&1; then check() { sha256sum -c --quiet "$1"; }; else check() { shasum -a 256 -c "$1" >/dev/null; }; fi

printf 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n' | cmp -s - bagit.txt || say 'bagit.txt is not the declaration of BagIt 1.0'
[ -d data ] || say 'there is no payload directory'
for manifest in manifest-sha256.txt tagmanifest-sha256.txt; do
  [ -s "$manifest" ] || say "$manifest is missing"
  ! grep -vE '^[0-9a-f]{64}  [^/.~][^~]*$' "$manifest" | grep -vE '^[0-9a-f]{64}  data/' | grep . || say "$manifest: a line is malformed"
  check "$manifest" || say "$manifest: a file is missing or altered"
done
listed=$(mktemp) && present=$(mktemp) || exit 1
cut -c 67- manifest-sha256.txt | sort >"$listed"
find data -type f | sort >"$present"
comm -13 "$listed" "$present" | sed 's/$/ is not in the manifest/' | grep . && status=1
rm -f "$listed" "$present"
oxum=$(sed -n 's/^Payload-Oxum: //p' bag-info.txt)
[ "$oxum" = "$(find data -type f -exec cat {} + | wc -c | tr -d ' ').$(find data -type f | wc -l | tr -d ' ')" ] || say "Payload-Oxum $oxum is not that of the payload"
! find data -type l | grep . || say 'a symbolic link'
exit "$status"
