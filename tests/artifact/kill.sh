#!/usr/bin/env bash
# kill.sh RESULTS: `make SCALE=quick paper` in a fresh clone, killed seven times at random moments, compiling, computing,
# drawing or typesetting; then one plain run: the bytes of the documents, figures and tables in RESULTS, which were made without.
# KILL_SEED=N chooses other moments.
set -u
results=$(cd "$1" && pwd) || exit 1
tmp=$(mktemp -d /var/tmp/vesicle-kill.XXXXXX) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM HUP
git clone -q --no-hardlinks . "$tmp/tree" && cd "$tmp/tree" || exit 1
git -C "$OLDPWD" diff HEAD --binary | git apply --allow-empty || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL SCALE

# The last three are in the middle of LaTeX.
RANDOM=${KILL_SEED:-20211118}
most=${KILL_SECONDS:-20}
for kill in 1 2 3 4 5 6 7; do
  setsid make SCALE=quick paper >"$tmp/log" 2>&1 </dev/null &
  pid=$!
  sleep "$((1 + RANDOM % most)).$((RANDOM % 10))"
  if [ "$kill" -gt 4 ]; then # in the middle of LaTeX, if it comes to that
    for _ in $(seq 1200); do
      { pgrep -s "$pid" -x pdflatex || ! kill -0 "$pid" 2>/dev/null; } >/dev/null && break
      sleep 0.1
    done
    sleep "0.$((RANDOM % 10))"
  fi
  running=$(ps -o comm= -s "$pid" 2>/dev/null | sort | uniq -c | sort -rn | awk '{ printf "%s%s", sep, $2; sep = ", " }')
  pkill -KILL -s "$pid" 2>/dev/null
  wait "$pid" 2>/dev/null
  echo "   kill $kill: ${running:-after the end}"
done
if ! make -s SCALE=quick paper >"$tmp/log" 2>&1; then
  tail -n 20 "$tmp/log"
  echo 'not ok make paper after seven kills'
  exit 1
fi
echo 'ok make paper after seven kills'
for file in paper.pdf supplement.pdf checksums.tsv $(cd build/quick && echo figures/*.pdf); do
  cmp "$results/$file" "build/quick/$file" || { echo "not ok the same bytes: $file" && exit 1; }
done
echo 'ok the same bytes: documents, figures, tables'
