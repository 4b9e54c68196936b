#!/usr/bin/env bash
# Citation files and generated pages are what docs/ says; docs/ledger.tsv is what the experiments say.
set -u
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
"$BUILD/vesicle" run --trust lua/vesicle/publish/main.lua --quiet --out "$out" --set task=check_generated --set results="$BUILD"
