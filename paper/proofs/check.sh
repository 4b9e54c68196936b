#!/usr/bin/env bash
# Theorems checked by Coq: check.sh BUILD compiles paper/proofs/*.v, lets coqchk check the result again, asks each labelled theorem what
# it assumes, and writes BUILD/proofs.tsv. check.sh --compare needs no Coq: it compares the sources with docs/proofs.tsv, and says
# of each theorem "checked on record" or "not checked: the proof changed".
#
# A label stands in brackets at the head of the comment before a theorem. Refused are: a proof that is not finished, an axiom beyond those of the
# real numbers and functional extensionality, a label of paper/proofs/labels without a theorem, a tag before which nothing stands, and a theorem with
# hypotheses without NAME_inhabited: an example without hypotheses, proved by the theorem, so that something meets them.
set -eu
export LC_ALL=C
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=paper/proofs record=docs/proofs.tsv
refuse() { printf 'proofs: %s\n' "$1" >&2 && exit 1; }

# label, theorem, file:line and statement of each tagged theorem; a statement is one line, its blanks as one.
theorems() { # FILE...
  awk '
    FNR == 1 && label != "" { print "\t" label "\t" at "\t" }
    FNR == 1 { label = "" }
    /^\(\* \[[a-zA-Z0-9_:-]+\]/ { if (label != "") print "\t" label "\t" at "\t"; label = $2; gsub(/[][]/, "", label); at = FILENAME ":" FNR }
    label != "" && !inside && /^Theorem / { inside = 1; text = ""; name = $2; sub(/:$/, "", name); at = FILENAME ":" FNR }
    inside && /^(Proof|Admitted)/ {
      gsub(/[ \t]+/, " ", text); sub(/ $/, "", text)
      print label "\t" name "\t" at "\t" text; inside = 0; label = ""
    }
    inside { text = text $0 " " }
    END { if (label != "") print "\t" label "\t" at "\t" }' "$@"
}
digest() { sha256sum | cut -c 1-16; }
# A file and all that it requires, each once, what is required first.
required() { # NAME
  local names name
  names=$(sed -n 's/^From Vesicle Require Import \(.*\)\.$/\1/p' "$folder/$1.v")
  for name in $names; do required "$name"; done
  echo "$1"
}
source_digest() { # FILE
  required "$(basename "$1" .v)" | awk '!seen[$0]++' | sed "s|.*|$folder/&.v|" | xargs cat | digest
}
# label, theorem, place, axioms (from the file of axioms, if any), digest of the statement, digest of the proof
rows() { # AXIOMS FILE...
  local axioms=$1 label name place text
  shift
  theorems "$@" | while IFS=$'\t' read -r label name place text; do
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$label" "$name" "$place" "$(awk -F '\t' -v label="$label" '$1 == label { print $2 }' "$axioms")" \
      "$(printf '%s' "$text" | digest)" "$(source_digest "${place%:*}")"
  done
}

if [ "${1:-}" = --compare ]; then
  [ -e "$record" ] || refuse "there is no $record; \`make deps proofs record\` writes it"
  rows /dev/null "$folder"/*.v | awk -F '\t' -v record="$record" '
    BEGIN { while ((getline line < record) > 0) { split(line, c, "\t"); if (line !~ /^#/ && c[1] != "label") known[c[1] "\t" c[2]] = c[5] "\t" c[6] } }
    { key = $1 "\t" $2; same = known[key] == $5 "\t" $6; delete known[key]
      print key "\t" (same ? "checked on record" : "not checked: the proof changed"); if (!same) changed = 1 }
    END { for (key in known) { print key "\tnot checked: no such theorem"; changed = 1 } exit changed }'
  exit
fi

build=$1
command -v coqc >/dev/null || refuse 'Coq is not installed: Debian package coq, or "make deps proofs"'
to=$build/proofs
mkdir -p "$to"
find "$to" -type f -delete
cp "$folder"/*.v "$to"
if grep -HnE '(^|[^A-Za-z_])(Admitted|admit|Axioms?|Parameters?|Conjecture|Hypothes[ie]s|Variables?|Context|Abort)([^A-Za-z_]|$)' "$to"/*.v |
  grep -E '\.v:[0-9]+: *(Admitted|Axioms?|Parameters?|Conjecture|Hypothes[ie]s|Variables?|Context|Abort) *[A-Za-z.({`]|admit' >&2; then
  refuse 'a proof is not finished, or something is assumed'
fi

# What a file requires is compiled before it.
names=$(for file in "$folder"/*.v; do required "$(basename "$file" .v)"; done | awk '!seen[$0]++')
for name in $names; do (cd "$to" && coqc -q -Q . Vesicle "$name.v") || refuse "$folder/$name.v does not compile"; done
# shellcheck disable=SC2046,SC2086 # lists of words
(cd "$to" && coqchk -silent -o -Q . Vesicle $(printf -- '-norec Vesicle.%s ' $names)) >"$to/coqchk.log" 2>&1 || { cat "$to/coqchk.log" >&2 && refuse 'coqchk refuses the compiled proofs'; }

list=$to/theorems
theorems "$folder"/*.v >"$list"
orphan=$(awk -F '\t' '$1 == "" { print $3 ": [" $2 "] stands before no theorem" }' "$list")
[ -z "$orphan" ] || refuse "$orphan"
while read -r label _; do
  case $label in '#'* | '') continue ;; esac
  cut -f 1 "$list" | grep -qxF -- "$label" || refuse "$folder/labels: [$label] has no theorem"
done <"$folder/labels"

# For each theorem its type, and that of its example; for each label what it assumes.
{
  for name in $names; do echo "From Vesicle Require Import $name."; done
  echo 'Set Printing Width 100000.'
  while IFS=$'\t' read -r _ name place _; do
    module=$(basename "${place%:*}" .v)
    printf 'Goal True. idtac "#type %s". Abort.\nCheck @%s.%s.\n' "$name" "$module" "$name"
    if grep -qE "^Example ${name}_inhabited( |:)" "${place%:*}"; then
      printf 'Goal True. idtac "#example %s". Abort.\nCheck @%s.%s_inhabited.\n' "$name" "$module" "$name"
    fi
  done <"$list"
  # All theorems of a label at once: the question takes a second, whatever is asked.
  awk -F '\t' '{ n = split($3, part, "[/.]"); term[$1] = term[$1] (term[$1] == "" ? "" : ", ") "@" part[n - 1] "." $2 }
    END { for (label in term) printf "Goal True. idtac \"#assumes %s\". Abort.\nDefinition all_%d := (%s).\nPrint Assumptions all_%d.\n", label, ++k, term[label], k }' "$list"
} >"$to/ask.v"
(cd "$to" && coqc -q -Q . Vesicle ask.v) >"$to/said" || refuse 'Coq does not answer'
awk '
  # Whether a type has premises: an arrow outside of all brackets, behind what it quantifies over and before what is claimed to exist.
  function premises(type, i, c, depth) {
    sub(/^ *: /, "", type); sub(/^forall [^,]*, /, "", type)
    if (type ~ /^(exists|~)/) return 0
    for (i = 1; i <= length(type); i++) {
      c = substr(type, i, 1)
      if (c ~ /[({[]/) depth++
      if (c ~ /[])}]/) depth--
      if (depth == 0 && substr(type, i, 4) == " -> ") return 1
    }
    return 0
  }
  /^#/ { what = $1; name = $2; if (what == "#assumes") axioms[name] = ""; next }
  what == "#type" && premises($0) { hypotheses[name] = 1 }
  what == "#example" { example[name] = 1; if (premises($0)) open[name] = 1 }
  what == "#assumes" && /^[A-Za-z0-9_.]+ *:?/ && !/^Axioms:/ && !/^Closed/ {
    axiom = $1; sub(/:$/, "", axiom); n = split(axiom, part, "."); axiom = part[n]
    axioms[name] = axioms[name] (axioms[name] == "" ? "" : " ") axiom
    if (axiom !~ /^(sig_forall_dec|sig_not_dec|functional_extensionality_dep)$/)
      { print "proofs: " name " assumes " axiom > "/dev/stderr"; bad = 1 }
  }
  END {
    for (name in hypotheses)
      if (!example[name]) { print "proofs: " name " has hypotheses and no example " name "_inhabited that meets them" > "/dev/stderr"; bad = 1 }
    for (name in open) { print "proofs: " name "_inhabited has hypotheses itself" > "/dev/stderr"; bad = 1 }
    for (label in axioms) print label "\t" (axioms[label] == "" ? "none" : axioms[label])
    exit bad
  }' "$to/said" >"$to/axioms" || exit 1
# An example is proved by its theorem.
while IFS=$'\t' read -r _ name place _; do
  awk -v name="$name" '$1 == "Example" && ($2 == name "_inhabited") { inside = 1; example = 1; next }
    inside { text = text " " $0 } inside && /Qed\.|Defined\./ { inside = 0 }
    END { exit example && text !~ ("(^|[^A-Za-z0-9_])" name "([^A-Za-z0-9_]|$)") }' "${place%:*}" ||
    refuse "${name}_inhabited is not proved by $name"
done <"$list"

{
  echo '# Theorems checked by Coq, written by make proofs; the digests are those of the statement, and of the file with all that it requires.'
  printf 'label\ttheorem\tplace\taxioms\tstatement\tproof\n'
  rows "$to/axioms" "$folder"/*.v
} >"$build/proofs.tsv.part"
mv "$build/proofs.tsv.part" "$build/proofs.tsv"
awk -F '\t' '!/^#/ && $1 != "label" { n++; if (!seen[$1]++) labels++ } END { print n " theorems checked, by " labels " labels" }' "$build/proofs.tsv"
