#!/usr/bin/env bash
# Citation files and generated pages: up to date, and every fault is noticed.
# suite: long, 14 s
# shellcheck disable=SC2016 # backquotes are text here
# shellcheck source=tests/lib.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib.bash"
tree=$tmp/tree
mkdir "$tree"
cp -R Makefile README.md CHANGELOG.md ARTIFACT.md ARCHITECTURE.md CITATION.cff codemeta.json .zenodo.json ro-crate-metadata.json LICENSE docs \
  lua figures csrc paper tests "$tree" || exit 1

in_tree() { (cd "$tree" && "$here/$BUILD/vesicle" run --trust lua/vesicle/publish/main.lua --quiet --set results=none "$@"); }
up_to_date() { in_tree --out "$tmp" --set task=check_generated; }
check 'all are up to date' up_to_date
notices() { # TEXT FILE SED-COMMAND: after it, the check fails and says so
  (cd "$tree" && cp "$2" "$tmp/saved" && sed -i "$3" "$2")
  ! up_to_date >"$log" 2>&1 && grep -qF -- "$1" "$log"
  verdict "noticed: $1" $?
  (cd "$tree" && cp "$tmp/saved" "$2")
}
notices 'README.md is not what its source says' README.md 's/^[0-9]* central statements/0 central statements/'
notices 'the mark `begin silences` has no end' README.md '/end silences/d'
notices 'the mark `begin nothing` has no end, or nothing writes such a part' README.md 's/begin cost/begin nothing/'
notices 'docs/claims.md is not what its source says' docs/claims.md 's/^| `mapping-exact` .*/| gone |/'
notices 'docs/figures.md is not what its source says' figures/15_errata.gp '1s/errata/mistakes/'
notices 'ARTIFACT.md is not what its source says' ARTIFACT.md 's/proved/refuted/'
notices 'there is no statement `no-such-statement`' docs/central.tsv 's/^conjecture/no-such-statement/'
notices 'ARCHITECTURE.md is not what its source says' ARCHITECTURE.md 's/ves_release_analytic/ves_gone/'
notices 'CITATION.cff is not what its source says' docs/metadata.lua 's/date = "[0-9-]*"/date = "2020-01-01"/'
notices 'codemeta.json is not what its source says' Makefile 's/^VERSION := .*/VERSION := 9.9.9/'
notices '`license` is missing' docs/metadata.lua '/^  license =/d'
notices 'date 1 May is not YYYY-MM-DD' docs/metadata.lua 's/date = "[0-9-]*"/date = "1 May"/'
notices 'license GPL 3 is no SPDX identifier' docs/metadata.lua 's/GPL-3.0-or-later/GPL 3/'
notices 'status finished is none of' docs/metadata.lua 's/"active"/"finished"/'
notices 'author 1 has neither a name' docs/metadata.lua 's/{ name = "The vesicle developers" }/{ given = "Ann" }/'
notices 'is no experiment' docs/ledger.tsv 's/\t06_variance_components\t/\t06_gone\t/'
notices 'sd-analytic/printed is holds here and fails in tests/expected/full.tsv' docs/ledger.tsv '/^sd-analytic\tprinted\t/s/fails/holds/'
notices 'has no statement of 02_sampling_diagram' docs/ledger.tsv '/02_sampling_diagram/d'
notices 'docs/timings.tsv has no time of 15_errata' docs/timings.tsv '/^15_errata/d'
rm "$tree/docs/answer.svg"
! up_to_date >"$log" 2>&1 && grep -q 'the file docs/answer.svg does not exist' "$log"
verdict 'noticed: a file of the RO-Crate that is gone' $?
cp docs/answer.svg "$tree/docs"
rm "$tree/docs/claims.md" "$tree/docs/figures.md" "$tree/ARTIFACT.md"
check 'pages that are gone are written again' in_tree --out . --set task=generate
check 'and up to date' up_to_date
if command -v python3 >/dev/null 2>&1; then
  for file in codemeta.json .zenodo.json ro-crate-metadata.json; do check "$file is JSON" python3 -m json.tool "$file"; done
fi

if [ -d .cache/npm/node_modules/ro-crate ] && command -v node >/dev/null 2>&1; then
  sh tests/artifact/schemas.sh check
else
  echo 'ok published schemas # skip not here; "make check-metadata" brings them'
fi
