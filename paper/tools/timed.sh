#!/bin/sh
# timed.sh DIR STAGE JOB COMMAND...: runs the command and leaves its wall time in seconds in DIR/STAGE.JOB.
dir=$1 stage=$2 job=$3
shift 3
now() { date +%s.%N | sed 's/\.N$/.0/'; }
start=$(now)
"$@"
status=$?
[ "$status" -eq 0 ] || exit "$status"
mkdir -p "$dir" && echo "$start $(now)" | awk '{ printf "%.2f\n", $2 - $1 }' >"$dir/$stage.$(echo "$job" | tr / -)"
