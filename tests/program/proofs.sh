#!/usr/bin/env bash
# suite: long
# The theorems that Coq has checked: the record agrees with the sources, and notices what changes; where Coq is installed, a proof that is
# no proof is refused.
# shellcheck source=tests/lib.bash
. tests/lib.bash

compare() { bash paper/proofs/check.sh --compare; }
check 'all theorems are checked on record' compare

# sabotage NAME FILE SED-SCRIPT: makes tree, a copy of what is needed, and edits a file there; fails if that changes nothing.
sabotage() {
  tree=$tmp/$1
  mkdir -p "$tree/paper" "$tree/docs" && cp -Rp paper/proofs "$tree/paper" && cp -p docs/proofs.tsv "$tree/docs" &&
    sed -i "$3" "$tree/paper/proofs/$2" && ! cmp -s "paper/proofs/$2" "$tree/paper/proofs/$2"
}
# notices NAME PATTERN FILE SED-SCRIPT: the comparison, which needs no Coq, fails and says so.
notices() {
  sabotage "$1" "$3" "$4" && ! bash "$tree/paper/proofs/check.sh" --compare >"$log.compare" 2>&1 && grep -qE "$2" "$log.compare"
}
changed='not checked: the proof changed'
check 'a statement that changed is not checked' \
  notices statement "^prop:phi	phi_equal	$changed" Phi.v 's|^\(Theorem phi_equal.*\)(A + A + 2)|\1(A + A + 3)|'
check 'a file that a proof requires changed: not checked' \
  notices required "^thm:two-stage	two_stage_exact	$changed" Masks.v 's|^Definition pos |Definition  pos |'
check 'a theorem that was renamed is not checked' \
  notices renamed 'not checked: no such theorem' Mapping.v 's|mapping_exact|mapping_right|g'

requires 'what is no proof is refused' coqc coqchk
# Only these files, so that a case takes seconds; the labels of the others are not asked for.
# refuses NAME PATTERN SED-SCRIPT: make proofs fails on an edit of Masks.v, and says why.
refuses() {
  sabotage "$1" Masks.v "$3" || return 1
  find "$tree/paper/proofs" -name '*.v' ! -name Masks.v -delete
  printf 'eq:subset-max\neq:winner\n' >"$tree/paper/proofs/labels"
  ! bash "$tree/paper/proofs/check.sh" "$tree/build" >"$log.refused" 2>&1 && grep -qE "$2" "$log.refused" && [ ! -e "$tree/build/proofs.tsv" ]
}
check 'a proof that is not finished is refused' \
  refuses admitted 'not finished, or something is assumed' 's|^Proof. induction q; \[reflexivity.*|Admitted.|'
check 'an axiom is refused' \
  refuses axiom 'not finished, or something is assumed' 's|^Theorem nothing_law q :|Axiom nothing_law : forall q,|'
check 'an axiom of the library is refused' \
  refuses library 'assumes classic' 's|^Theorem nothing_law q : .*|From Coq Require Import Classical.\nTheorem nothing_law q : P q None = fails q /\\ (q = nil \\/ q <> nil).|
    s|^Proof. induction q; \[reflexivity.*|Proof. split; [induction q; [reflexivity\|]; rewrite P_none, IHq; reflexivity\|apply classic]. Qed.|'
check 'a false statement is refused' \
  refuses false 'does not compile' 's|P q None = fails q\.|P q None = 1 - fails q.|'
check 'a label without a theorem is refused' \
  refuses label 'eq:winner. has no theorem' 's|\[eq:winner\]|[eq:loser]|'
check 'a theorem without an example of its hypotheses is refused' \
  refuses example 'has hypotheses and no example' 's|^Example winner_law_inhabited|Example winner_law_example|'
check 'a hypothesis that nothing meets is refused' \
  refuses vacuous 'does not compile' 's|^Theorem winner_law q i : (i < length q)%nat ->|& (i < i)%nat ->|
    s|revert i; induction q; simpl; intros; \[lia.\]\.|intros; lia.|; s|^  destruct i; \[rewrite P_0; simpl; ring.\]\.$||; s|^  rewrite P_S, IHq by lia. simpl; ring\.$||'
check 'an example that is not proved by its theorem is refused' \
  refuses beside 'is not proved by winner_law' 's|^Proof. rewrite winner_law by (simpl; lia). simpl; field. Qed.|Proof. rewrite P_S, P_0. field. Qed.|'
