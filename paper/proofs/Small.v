(* Smaller statements, each a finite calculation: Appendix C, a resting point, errata, errors in single releases, vesicles that run out. *)
From Coq Require Import Reals List Lra Lia.
From Vesicle Require Import Masks Mapping.
Import ListNotations.
Open Scope R_scope.

(* [prop:normal] Appendix C: whatever the releases, N((mu_i - mu_J) / sd) is one half at the output J of largest mean, so that no releases make it p_i for all i if every
   p_i is below one half. N is any function with N(0) = 1/2, sd any positive function of two outputs. *)
Theorem appendix_c (N : R -> R) (mu p : nat -> R) (sd : nat -> nat -> R) (J : nat) : N 0 = 1/2 -> (forall i, p i < 1/2) ->
  N ((mu J - mu J) / sd J J) = 1/2 /\ ~ (forall i, N ((mu i - mu J) / sd i J) = p i).
Proof.
  intros H0 H. assert (E : N ((mu J - mu J) / sd J J) = 1/2) by (unfold Rdiv; rewrite Rminus_diag_eq, Rmult_0_l by reflexivity; exact H0).
  split; [exact E|]. intro K. specialize (K J). specialize (H J). lra.
Qed.
Example appendix_c_inhabited : ~ (forall i : nat, (fun _ => 1/2) ((0 - 0) / 1) = 1/4).
Proof. apply (appendix_c (fun _ => 1/2) (fun _ => 0) (fun _ => 1/4) (fun _ _ => 1) 0); intros; lra. Qed.

(* [erratum:subset-size] E7: the expected number of transmitting synapses is the sum of their releases, so that with synapse i it is 1 + sum_{j>i} q_j. *)
Fixpoint number (m : list bool) : R := match m with nil => 0 | b :: l => (if b then 1 else 0) + number l end.
Theorem subset_size q : Ex q (fun m => 1 + number m) = 1 + sum q.
Proof.
  rewrite Ex_plus, Ex_const. f_equal. induction q as [|x q IH]; simpl; [reflexivity|].
  rewrite !Ex_plus, !Ex_const, IH. ring.
Qed.

(* [erratum:rescale] E12: for three weights the rescaled target of the first, g |s| / n averaged over the masks of the two weaker ones under the mapping, is
   q_1 (q_2 + (1 - q_2) 2 (w_1 + w_2 + w_3) / (3 (w_1 + w_3))), which is q_1 iff 2 w_2 = w_1 + w_3. *)
Fixpoint transmitted (w : list R) (m : list bool) : R := match w, m with x :: l, b :: m' => (if b then x else 0) + transmitted l m' | _, _ => 0 end.
Definition rescaled (w1 : R) (l : list R) (m : list bool) : R := w1 / (w1 + transmitted l m) * ((1 + number m) / (1 + INR (length l))).
Theorem rescale_three w1 w2 w3 : 0 < w3 -> w3 <= w2 -> w2 <= w1 ->
  let q1 := w1 / (w1 + w2 + w3) in let q2 := w2 / (w2 + w3) in let mean := Ex (mapping [w2; w3]) (rescaled w1 [w2; w3]) in
  mean = q1 * (q2 + (1 - q2) * (2 * (w1 + w2 + w3) / (3 * (w1 + w3)))) /\ (mean = q1 <-> 2 * w2 = w1 + w3).
Proof.
  intros H3 H2 H1 q1 q2 mean.
  assert (E : mean = q1 * (q2 + (1 - q2) * (2 * (w1 + w2 + w3) / (3 * (w1 + w3))))).
  { unfold mean, q1, q2, rescaled. simpl. field. repeat split; lra. }
  split; [exact E|]. rewrite E.
  assert (D : q1 * (q2 + (1 - q2) * (2 * (w1 + w2 + w3) / (3 * (w1 + w3)))) - q1 =
    q1 * (w3 / (w2 + w3)) * / (3 * (w1 + w3)) * (2 * w2 - w1 - w3)) by (unfold q1, q2; field; repeat split; lra).
  assert (K : 0 < q1 * (w3 / (w2 + w3)) * / (3 * (w1 + w3))).
  { unfold q1. repeat apply Rmult_lt_0_compat; try apply Rinv_0_lt_compat; lra. }
  split; intro Z.
  - assert (Z' : q1 * (w3 / (w2 + w3)) * / (3 * (w1 + w3)) * (2 * w2 - w1 - w3) = 0) by lra. nra.
  - replace (2 * w2 - w1 - w3) with 0 in D by lra. lra.
Qed.
Example rescale_three_inhabited : Ex (mapping [2; 1]) (rescaled 3 [2; 1]) = 1/2.
Proof. replace (1/2) with (3 / (3 + 2 + 1)) by field. apply rescale_three; lra. Qed.

(* [prop:small] (ii) An error d in the release of synapse i under the mapping changes the chance that i wins by d times the share of i and all weaker ones. *)
Lemma change_at i : forall q d, (i < length q)%nat ->
  P (firstn i q ++ (nth i q 0 + d) :: skipn (S i) q) (Some i) - P q (Some i) = d * fails (firstn i q).
Proof.
  induction i; intros [|x q] d L; simpl in L; try lia; simpl; [rewrite !P_0; ring|].
  rewrite !P_S. rewrite <- Rmult_minus_distr_l. simpl in IHi. rewrite IHi by lia. ring.
Qed.
Lemma mapping_fails w : pos w -> forall i, (i < length w)%nat -> fails (firstn i (mapping w)) = sum (skipn i w) / sum w.
Proof.
  induction 1 as [|x l Hx Hl IH]; simpl; intros i L; [lia|]. pose proof (nonneg_sum l (pos_nonneg l Hl)).
  destruct i; simpl; [field; lra|]. rewrite IH by lia.
  assert (0 < sum l) by (apply sum_pos; auto; intros ->; simpl in L; lia). field; lra.
Qed.
Theorem release_error w i d : pos w -> (i < length w)%nat ->
  P (firstn i (mapping w) ++ (nth i (mapping w) 0 + d) :: skipn (S i) (mapping w)) (Some i) - P (mapping w) (Some i) = d * (sum (skipn i w) / sum w).
Proof. intros H L. rewrite change_at by now rewrite mapping_length. now rewrite mapping_fails. Qed.
Example release_error_inhabited : P ([6/10] ++ [3/4 + 1/10] ++ [1]) (Some 1%nat) - P (mapping [6; 3; 1]) (Some 1%nat) = 1/10 * (4/10).
Proof.
  pose proof (release_error [6; 3; 1] 1 (1/10) ltac:(repeat constructor; lra) ltac:(simpl; lia)) as E.
  rewrite mapping_exact by (try (repeat constructor; lra); simpl; lia). rewrite winner_law by (simpl; lia). simpl. field.
Qed.

(* [vesicles:rest] A site that is docked with chance d, releases with u when docked and is refilled with r when empty, rests where a draw releases with u r / (u + r - u r),
   which is at most r. *)
Theorem vesicles_rest u r d : 0 < u <= 1 -> 0 < r <= 1 -> d = r + d * (1 - u) * (1 - r) ->
  d * u = u * r / (u + r - u * r) /\ d * u <= r.
Proof.
  intros Hu Hr E. assert (0 < u + r - u * r) by nra.
  assert (D : d * u = u * r / (u + r - u * r)).
  { assert (G : d * (u + r - u * r) = r) by lra.
    apply (Rmult_eq_reg_r (u + r - u * r)); [|lra]. transitivity (u * (d * (u + r - u * r))); [ring|]. rewrite G. field. lra. }
  split; auto. rewrite D. apply (Rmult_le_reg_r (u + r - u * r)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
  assert (0 <= r * r * (1 - u)) by (apply Rmult_le_pos; nra). nra.
Qed.
Example vesicles_rest_inhabited : 2/3 * (1/2) <= 1/2 /\ 2/3 * (1/2) = 1/2 * (1/2) / (1/2 + 1/2 - 1/2 * (1/2)).
Proof. destruct (vesicles_rest (1/2) (1/2) (2/3)); lra. Qed.

(* --- Where the original's rules rest --------------------------------------------------------------------------------- *)

(* The share g of a synapse in what it and the weaker ones that transmit with it amount to. *)
Definition share (w : R) (l : list R) (m : list bool) : R := w / (w + transmitted l m).
(* [prop:fixed] (iii) At the second weakest synapse, where the mapping is r: the raw and the rescaled target are r on average, a power r^k, the share to the size of the subset r^2;
   the weakest synapse always transmits under these rules. Under subtraction it transmits with probability 1 - c, and the target is (1 - c) r. The last three differ from r. *)
Theorem rest_second_weakest v w c k : 0 < w <= v -> 0 < c < 1 -> let r := v / (v + w) in
  nth 0 (mapping [v; w]) 0 = r /\
  Ex [1] (share v [w]) = r /\ Ex [1] (rescaled v [w]) = r /\ Ex [1] (fun m => share v [w] m ^ k) = r ^ k /\
  Ex [1] (fun m => share v [w] m * share v [w] m ^ (if nth 0 m false then 1 else 0)) = r ^ 2 /\ r ^ 2 < r /\
  Ex [1 - c] (share v [w]) - c = (1 - c) * r /\ (1 - c) * r < r.
Proof.
  intros Hw Hc r. unfold share, rescaled, Ex. cbn [mapping nth transmitted number length INR sum].
  rewrite ?Rplus_0_r, ?Rplus_0_l. fold r.
  assert (Hr : 0 < r < 1).
  { unfold r. split; [apply Rdiv_lt_0_compat; lra|]. apply (Rmult_lt_reg_r (v + w)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  assert (V : v / v = 1) by (field; lra). rewrite V.
  repeat split; try (simpl; nra); try (simpl; field; lra).
Qed.
Example rest_second_weakest_inhabited : Ex [1 - 1/4] (share 3 [1]) - 1/4 = (1 - 1/4) * (3 / (3 + 1)).
Proof. apply (rest_second_weakest 3 1 (1/4) 2); lra. Qed.

Lemma number_ge0 m : 0 <= number m.
Proof. induction m as [|[] m]; simpl; lra. Qed.
(* [prop:fixed] (iv) If all weights are equal, every single target of the rescale rule is the mapping. *)
Theorem rest_equal w k m : 0 < w -> length m = k -> rescaled w (repeat w k) m = nth 0 (mapping (repeat w (S k))) 0.
Proof.
  intros Hw L. unfold rescaled. simpl. rewrite repeat_length.
  assert (T : transmitted (repeat w k) m = w * number m).
  { revert m L. induction k; intros [|b m] L; simpl in *; try discriminate; [ring|]. rewrite IHk by lia. destruct b; ring. }
  assert (Q : sum (repeat w k) = w * INR k) by (clear; induction k; [simpl; ring|rewrite S_INR; simpl; rewrite IHk; ring]).
  rewrite T, Q. pose proof (number_ge0 m). pose proof (pos_INR k).
  replace (w + w * number m) with (w * (1 + number m)) by ring. replace (w + w * INR k) with (w * (1 + INR k)) by ring.
  field. repeat split; lra.
Qed.
Example rest_equal_inhabited : rescaled 2 [2; 2] [true; false] = 2 / (2 + (2 + (2 + 0))).
Proof. apply (rest_equal 2 2 [true; false]); [lra|reflexivity]. Qed.
