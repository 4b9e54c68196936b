#!/usr/bin/env bash
# timed.sh DIR STAGE JOB COMMAND...: runs the command and leaves its wall time in seconds in DIR/STAGE.JOB.
# It starts no other program: two hundred of these are in every build.
dir=$1 stage=$2 job=$3
shift 3
start=${EPOCHREALTIME/[.,]/}
"$@" || exit
hundredths=$(((${EPOCHREALTIME/[.,]/} - start) / 10000))
[ -d "$dir" ] || mkdir -p "$dir"
printf '%d.%02d\n' $((hundredths / 100)) $((hundredths % 100)) >"$dir/$stage.${job//\//-}"
