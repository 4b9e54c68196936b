#!/usr/bin/env bash
# What must not stand in the tree: marks of unfinished work, paths of one machine, trailing blanks, large files.
set -u
status=0
refuse() { # MESSAGE GREP-ARGUMENTS...: over all text files
  local message=$1 found
  shift
  found=$(sources | xargs -0 -r grep -nIHE "$@" --)
  if [ -n "$found" ]; then
    printf '%s\n^ %s\n' "$found" "$message"
    status=1
  fi
}
# The patterns are written so that they do not match themselves.
refuse 'unfinished work' -wi -e 'TO[D]O|FIX[M]E|XX[X]|not[ ]implemented|place[h]older|st[u]b'
refuse 'a path of one machine' -e '(^|[^A-Za-z0-9_.])/(work|root|home/[a-z]+)[/]'
refuse 'trailing blanks' -e '[[:blank:]]$'
refuse 'carriage returns' -e $'\r$'
while IFS= read -r -d '' file; do
  if [ -f "$file" ] && [ "$(wc -c <"$file")" -gt 1000000 ]; then
    echo "$file is larger than 1 MB"
    status=1
  fi
done < <(sources)
exit "$status"
