#!/usr/bin/env bash
# Citation files, ARTIFACT.md and the tables of README.md are what docs/ says; docs/ledger.tsv is what the experiments say.
set -u
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
"$BUILD/vesicle" run lua/vesicle/artifact/main.lua --trust --quiet --out "$out" --set task=check --set results="$BUILD"
