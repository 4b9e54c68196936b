#!/usr/bin/env bash
# No verdict is a foregone conclusion: for every statement some error of the model changes one (tests/lua/judges.lua).
# A run is given a minute of computing. EXPERIMENTS="06_variance_components ..." checks only those.
# suite: long, 65 s
set -u
VESICLE=${VESICLE:-build/vesicle}
names=${EXPERIMENTS:-}
exec "$VESICLE" run --trust tests/lua/judges.lua ${names:+--set "experiments=${names// /,}"}
