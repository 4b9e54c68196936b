#!/usr/bin/env bash
# Citation files and generated pages: up to date, as their specifications want them, and every fault is noticed.
# shellcheck disable=SC2016 # backquotes are text here
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/lib.bash"
tree=$tmp/tree
mkdir "$tree"
cp -R Makefile README.md ARTIFACT.md CITATION.cff codemeta.json .zenodo.json ro-crate-metadata.json LICENSE docs lua figures \
  csrc paper tests "$tree" || exit 1

judge() { (cd "$tree" && "$here/$BUILD/vesicle" run lua/vesicle/artifact/main.lua --trust --quiet --out "$tmp" --set task=check --set results=none); }
check 'all are up to date and as specified' judge
notices() { # TEXT FILE SED-COMMAND: after it, the check fails and says so
  (cd "$tree" && cp "$2" "$tmp/saved" && sed -i "$3" "$2")
  ! judge >"$log" 2>&1 && grep -qF -- "$1" "$log"
  verdict "noticed: $1" $?
  (cd "$tree" && cp "$tmp/saved" "$2")
}
notices 'README.md is not what its source says' README.md 's/^| `mapping-exact` .*/| gone |/'
notices 'the marks of `claims` are missing' README.md '/begin claims/d'
notices 'ARTIFACT.md is not what its source says' ARTIFACT.md 's/proved/refuted/'
notices 'CITATION.cff is not what its source says' docs/metadata.lua 's/date = "[0-9-]*"/date = "2020-01-01"/'
notices 'codemeta.json is not what its source says' Makefile 's/^VERSION := .*/VERSION := 9.9.9/'
notices '`license` is missing' docs/metadata.lua '/^  license =/d'
notices 'is no experiment' docs/ledger.tsv 's/03_release_mapping$/03_gone/'
notices 'has no claim of 15_errata' docs/ledger.tsv '/15_errata$/d'
notices 'docs/timings.tsv has no time of 15_errata' docs/timings.tsv '/^15_errata/d'
notices 'cff-version is not 1.2.0' CITATION.cff 's/1\.2\.0/1.0.0/'
notices '`titel` is no key of the format' CITATION.cff 's/^title/titel/'
notices 'developmentStatus finished' codemeta.json 's/"active"/"finished"/'
notices '`name` is missing' codemeta.json 's/^  "name": .*//'
notices 'upload_type program' .zenodo.json 's/"software"/"program"/'
notices 'the root has no license' ro-crate-metadata.json 's/"license": {[^}]*},//'
notices 'which is not described' ro-crate-metadata.json 's/"@id": "#seed", "@type"/"@id": "#sead", "@type"/'
notices 'the file docs/nothing.svg does not exist' ro-crate-metadata.json 's|docs/answer.svg|docs/nothing.svg|g'
notices 'JSON, byte' .zenodo.json '$d'

if [ -d .cache/npm/node_modules/ro-crate ] && command -v node >/dev/null 2>&1; then
  sh tests/artifact/schemas.sh check
else
  echo 'ok published schemas # skip not here; "make check-metadata" brings them'
fi
