#!/usr/bin/env bash
# Software Heritage identifiers: those that git gives the same files, in a tree with git and in one without, and the lines of
# each are those of its function.
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"

publish() { "$vesicle" run --trust lua/vesicle/publish/main.lua --out "$1" --set task=identifiers --set form=table; }
check 'make trace writes them' publish "$tmp"
[ "$(sed 1,2d "$tmp/identifiers.tsv" | wc -l)" -gt 80 ]
verdict 'of every function with a tag' $?

as_git_says() {
  local path identifier found
  sed -n 's/^[^#].*\(swh:1:cnt:[0-9a-f]*\);path=\/\([^;]*\);.*/\2 \1/p' "$tmp/identifiers.tsv" | sort -u >"$tmp/files"
  [ "$(wc -l <"$tmp/files")" -gt 20 ] || return 1
  while read -r path identifier; do
    found=$(git hash-object "$path")
    # What is committed and not edited is known to the repository by the same name.
    if [ -e .git ] && git diff --quiet HEAD -- "$path" 2>/dev/null; then found=$(git rev-parse "HEAD:$path") || return 1; fi
    [ "$identifier" = "swh:1:cnt:$found" ] || { echo "$path: $identifier, but git says $found" && return 1; }
  done <"$tmp/files"
}
if command -v git >/dev/null; then
  check 'they are those of git' as_git_says
else
  echo 'ok they are those of git # skip git is not installed'
fi

its_lines() {
  local name path first last
  while IFS=$'\t' read -r _ name path first last _; do
    sed -n "${first},${last}p" "$path" >"$tmp/lines"
    grep -qF -- "${name##*[.:]}" "$tmp/lines" || { echo "$path:$first-$last has no $name" && return 1; }
    [ "$first" = "$last" ] || tail -n 1 "$tmp/lines" | grep -qE '^(}|end|.*[^[:alnum:]]end$)' || { echo "$path:$last is no end of $name" && return 1; }
    grep -cE '^(}|end)' "$tmp/lines" | grep -qE '^[01]$' || { echo "$path:$first-$last is more than $name" && return 1; }
  done < <(sed 1,2d "$tmp/identifiers.tsv")
}
check 'their lines are those of the functions' its_lines

# An archive has no .git.
mkdir "$tmp/tree" && cp -Rp csrc lua tests paper "$tmp/tree" || exit 1
mkdir "$tmp/out"
check 'a tree without git has the same' sh -c "cd '$tmp/tree' && '$vesicle' run --trust lua/vesicle/publish/main.lua --out '$tmp/out' \
  --set task=identifiers --set form=table && cmp '$tmp/identifiers.tsv' '$tmp/out/identifiers.tsv'"
