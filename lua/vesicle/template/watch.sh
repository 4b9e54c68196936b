#!/bin/sh
# Runs an experiment at quick scale and draws its figure whenever its files are saved: watch.sh NAME COMMAND...
# With inotifywait it wakes at once, otherwise it looks every second. Ctrl-C ends it.
set -u
name=$1
shift
script=lua/experiments/$name.lua
if [ ! -e "$script" ]; then
  printf 'make watch: there is no %s; make experiment NAME=%s writes one\n' "$script" "$name" >&2
  exit 2
fi
trap 'echo; exit 0' INT TERM

state() { # of the files that matter
  cat "$script" "figures/$name.gp" figures/"$name"-*.gp figures/style.gp lua/vesicle/*.lua 2>/dev/null | cksum
}
pause() {
  if command -v inotifywait >/dev/null 2>&1; then
    inotifywait -qq -t 60 -e close_write,moved_to,create lua/experiments figures lua/vesicle >/dev/null 2>&1
  else
    sleep 1
  fi
}

last=
while :; do
  now=$(state)
  if [ "$now" != "$last" ]; then
    last=$now
    if "$@"; then
      printf -- '--- %s done; waiting for a change (Ctrl-C ends)\n' "$name"
    else
      printf -- '--- %s failed; waiting for a change (Ctrl-C ends)\n' "$name"
    fi
    # what was saved while it ran is seen at once
    continue
  fi
  pause
done
