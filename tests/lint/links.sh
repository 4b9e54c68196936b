#!/usr/bin/env bash
# Every relative link of every Markdown page leads to a file, and if it names a heading to one of that file; every path in
# backquotes that begins with a folder of the tree, or names a page, exists, seen from the top or from the page. Paths that a
# page itself writes (```lua file=PATH) need not.
# shellcheck disable=SC2016 # backquotes are text here
set -u
status=0
wrong() {
  echo "$1: $2"
  status=1
}
# The headings of a page as links name them: lower case, without punctuation, blanks as hyphens.
anchors() { sed -n 's/^##* //p' "$1" | tr '[:upper:]' '[:lower:]' | tr -cd 'a-z0-9 \n-' | tr ' ' '-'; }
while IFS= read -r -d '' page; do
  while IFS= read -r link; do
    path=${link%%#*} anchor=
    case $link in *'#'*) anchor=${link#*#} ;; esac
    target=$page
    if [ -n "$path" ]; then target=$(dirname "$page")/$path; fi
    if [ ! -e "$target" ]; then
      wrong "$page" "the link to $link leads nowhere"
    elif [ -n "$anchor" ] && ! anchors "$target" | grep -qxF -- "$anchor"; then
      wrong "$page" "$target has no heading #$anchor"
    fi
  done < <(grep -oE '\]\([^)]+\)' "$page" | sed 's/^](//; s/)$//' | grep -vE '^[a-z]+:')
  while IFS= read -r path; do
    [ -e "$path" ] || [ -e "$(dirname "$page")/$path" ] || grep -qE '^```.* file='"$path"'$' "$page" || wrong "$page" "the path $path does not exist"
  done < <(grep -ohE '`((csrc|lua|tests|figures|docs|paper)/[A-Za-z0-9_./-]*|[A-Z]+\.(md|cff)|Makefile)`' "$page" | tr -d '`' |
    grep -v NAME | sort -u)
done < <(sources '*.md')
exit "$status"
