(* The epistemic release: one synapse that fails, with the mean and the variance of a Beta weight.

   A synapse of strength w / f that transmits with probability f is w on average, and the less it transmits, the more it varies. Which f gives
   it the variance of Beta(A, B)? The answer is C / (C + B) with C = A^2 + A B + A, which is also (A + w) / (A + 1): a synapse
   that knows its weight and how much evidence it has seen needs nothing else. The original prints another root, of an equation with a
   factor f too many. It is larger, and delivers that share of the variance that it releases.

   The printed root contains a square root. All that is used of it is that it is positive and solves the quadratic equation, of which it is
   the only positive solution. *)
From Coq Require Import Reals List Lra.
From Vesicle Require Import Masks.
Import ListNotations.
Open Scope R_scope.

(* What a synapse of strength v transmits, and its first two moments if it does so with probability f. *)
Definition sent (v : R) (m : list bool) : R := match m with [true] => v | _ => 0 end.
Definition mean (f v : R) : R := Ex [f] (sent v).
Definition variance (f v : R) : R := Ex [f] (fun m => (sent v m - mean f v) * (sent v m - mean f v)).

(* The Beta distribution of A observations for and B against. *)
Definition weight (A B : R) : R := A / (A + B).
Definition beta_variance (A B : R) : R := A * B / ((A + B) * (A + B) * (A + B + 1)).
Definition C (A B : R) : R := A * A + A * B + A.
Definition phi (A B : R) : R := C A B / (C A B + B).
Definition t (A B : R) : R := B / C A B.
(* f is the printed root: the positive solution of C (1 - f) = B f^2. *)
Definition printed (A B f : R) : Prop := 0 < f /\ C A B * (1 - f) = B * (f * f).

Lemma C_pos A B : 0 < A -> 0 < B -> 0 < C A B.
Proof. unfold C. intros. assert (0 < A * A) by nra. assert (0 < A * B) by nra. lra. Qed.
Lemma variance_eq f v : variance f v = v * v * f * (1 - f).
Proof. unfold variance, mean, sent. simpl. ring. Qed.
Lemma sent_variance f w : f <> 0 -> variance f (w / f) = w * w * ((1 - f) / f).
Proof. intro. rewrite variance_eq. field; auto. Qed.
Lemma beta_variance_t A B : 0 < A -> 0 < B -> beta_variance A B = weight A B * weight A B * t A B.
Proof.
  intros. pose proof (C_pos A B H H0). unfold beta_variance, weight, t. unfold C in *. field.
  replace (A * A + A * B + A) with (A * (A + B + 1)) in H1 by ring. repeat split; nra.
Qed.
Lemma weight_pos A B : 0 < A -> 0 < B -> 0 < weight A B.
Proof. intros. unfold weight. apply Rdiv_lt_0_compat; lra. Qed.
Lemma t_pos A B : 0 < A -> 0 < B -> 0 < t A B.
Proof. intros. unfold t. apply Rdiv_lt_0_compat; auto using C_pos. Qed.
Lemma phi_t A B : 0 < A -> 0 < B -> phi A B = 1 / (1 + t A B).
Proof. intros. pose proof (C_pos A B H H0). unfold phi, t. field. split; lra. Qed.

(* [prop:phi] (i) A weight w / f transmitting with probability f has the mean and the variance of Beta(A, B) iff f = C / (C + B). *)
Theorem phi_exact A B f : 0 < A -> 0 < B -> 0 < f ->
  (mean f (weight A B / f) = weight A B /\ variance f (weight A B / f) = beta_variance A B <-> f = phi A B).
Proof.
  intros HA HB Hf. pose proof (C_pos A B HA HB). pose proof (weight_pos A B HA HB). pose proof (t_pos A B HA HB).
  rewrite sent_variance, beta_variance_t, phi_t by lra.
  assert (M : mean f (weight A B / f) = weight A B) by (unfold mean, sent; simpl; field; lra).
  split.
  - intros [_ E]. apply Rmult_eq_reg_l in E; [|nra].
    assert (K : 1 - f = t A B * f) by (rewrite <- E; field; lra).
    apply (Rmult_eq_reg_r (1 + t A B)); [|lra]. field_simplify; lra.
  - intros ->. split; auto. field. lra.
Qed.
Example phi_exact_inhabited : mean (phi 1 3) (weight 1 3 / phi 1 3) = 1/4 /\ variance (phi 1 3) (weight 1 3 / phi 1 3) = 3/80.
Proof.
  assert (0 < phi 1 3) by (unfold phi, C; lra).
  destruct (proj2 (phi_exact 1 3 (phi 1 3) ltac:(lra) ltac:(lra) ltac:(auto)) eq_refl) as [M V].
  rewrite M, V. unfold weight, beta_variance. lra.
Qed.

(* [prop:phi] (i) The same release in terms of t = B / C; (ii) the strength w / f is (A + 1) / (A + B + 1), below the upper bound 1 of weights. *)
Theorem phi_strength A B : 0 < A -> 0 < B ->
  phi A B = 1 / (1 + t A B) /\ weight A B / phi A B = (A + 1) / (A + B + 1) /\ weight A B / phi A B < 1.
Proof.
  intros HA HB. pose proof (C_pos A B HA HB). split; [now apply phi_t|].
  assert (E : weight A B / phi A B = (A + 1) / (A + B + 1)).
  { unfold weight, phi. unfold C in *. field. repeat split; nra. }
  split; auto. rewrite E. apply (Rmult_lt_reg_r (A + B + 1)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Example phi_strength_inhabited : weight 1 3 / phi 1 3 = 2/5.
Proof. destruct (phi_strength 1 3) as [_ [-> _]]; lra. Qed.

(* [prop:phi] (iii) The printed root exceeds the exact one, is at most one, and delivers that share of the variance wanted which it releases;
   the bound of (ii) holds a fortiori. *)
Theorem phi_printed A B f : 0 < A -> 0 < B -> printed A B f ->
  phi A B < f < 1 /\ variance f (weight A B / f) = f * beta_variance A B /\ weight A B / f < 1.
Proof.
  intros HA HB [Hf Q]. pose proof (C_pos A B HA HB) as HC. pose proof (t_pos A B HA HB). pose proof (weight_pos A B HA HB).
  assert (0 < B * (f * f)) by (apply Rmult_lt_0_compat; nra).
  assert (F1 : f < 1) by nra.
  assert (B * (f * f) < B * f) by (apply Rmult_lt_compat_l; nra).
  assert (FP : phi A B < f).
  { unfold phi. apply (Rmult_lt_reg_r (C A B + B)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
  split; [auto|]. split.
  - rewrite sent_variance, beta_variance_t by lra. unfold t.
    replace (f * (weight A B * weight A B * (B / C A B))) with (weight A B * weight A B * (B * (f * f) / (C A B * f))) by (field; lra).
    rewrite <- Q. field. lra.
  - destruct (phi_strength A B HA HB) as [_ [_ S]]. assert (0 < phi A B) by (rewrite phi_t by auto; apply Rdiv_lt_0_compat; lra).
    apply (Rmult_lt_reg_r f); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra.
    apply (Rmult_lt_compat_r (phi A B)) in S; auto. unfold Rdiv in S. rewrite Rmult_assoc, Rinv_l in S; lra.
Qed.
(* A = 1 and B = 6 have C = 8 and the root 2/3. *)
Example phi_printed_inhabited : variance (2/3) (weight 1 6 / (2/3)) = 2/3 * beta_variance 1 6.
Proof. apply phi_printed; try lra. unfold printed, C. lra. Qed.

(* [prop:phi] (iii) The printed formula is that root. *)
Theorem phi_printed_formula A B s : 0 < A -> 0 < B -> 0 <= s -> s * s = C A B * C A B + 4 * B * C A B ->
  printed A B ((s - C A B) / (2 * B)) /\ (s - C A B) / (2 * B) = 2 / (1 + s / C A B).
Proof.
  intros HA HB Hs E. pose proof (C_pos A B HA HB) as HC. assert (0 < B * C A B) by nra. assert (C A B < s) by nra.
  split; [split|].
  - apply Rdiv_lt_0_compat; lra.
  - apply (Rmult_eq_reg_r (4 * B)); [|lra]. field_simplify; [|lra|lra]. nra.
  - apply (Rmult_eq_reg_r (2 * B * (C A B + s))); [|nra]. field_simplify; [|lra|lra]. nra.
Qed.
Example phi_printed_formula_inhabited : (16 - C 1 6) / (2 * 6) = 2 / (1 + 16 / C 1 6).
Proof. apply phi_printed_formula; try lra; unfold C; lra. Qed.

(* [prop:phi] (iv) For A = B the exact release is 1 - 1 / (A + B + 2). *)
Theorem phi_equal A : 0 < A -> phi A A = 1 - 1 / (A + A + 2).
Proof. intros. unfold phi, C. assert (0 < A * A) by nra. field. repeat split; nra. Qed.
Example phi_equal_inhabited : phi 1 1 = 3/4.
Proof. rewrite phi_equal; lra. Qed.

(* [prop:phi] (v) At a fixed mean the variance that either root delivers falls as the evidence grows. *)
Lemma t_weight A B : 0 < A -> 0 < B -> t A B = (1 - weight A B) / (weight A B * (A + B + 1)).
Proof.
  intros. unfold t, weight, C. field. repeat split; try lra.
  replace (A * A + A * B + A) with (A * (A + B + 1)) by ring. apply Rmult_integral_contrapositive; lra.
Qed.
Theorem phi_precision A B A' B' : 0 < A -> 0 < B -> 0 < A' -> 0 < B' -> weight A' B' = weight A B -> A + B < A' + B' ->
  variance (phi A' B') (weight A' B' / phi A' B') < variance (phi A B) (weight A B / phi A B) /\
  (forall f f', printed A B f -> printed A' B' f' -> variance f' (weight A' B' / f') < variance f (weight A B / f)).
Proof.
  intros HA HB HA' HB' E L.
  pose proof (C_pos A B HA HB) as HC. pose proof (C_pos A' B' HA' HB') as HC'.
  pose proof (t_pos A B HA HB) as HT. pose proof (t_pos A' B' HA' HB') as HT'. pose proof (weight_pos A B HA HB) as HW.
  assert (W1 : weight A B < 1).
  { unfold weight. apply (Rmult_lt_reg_r (A + B)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  assert (T : t A' B' < t A B).
  { rewrite (t_weight A B), (t_weight A' B'), E by auto. unfold Rdiv. apply Rmult_lt_compat_l; [lra|].
    apply Rinv_lt_contravar; [|apply Rmult_lt_compat_l; lra].
    apply Rmult_lt_0_compat; apply Rmult_lt_0_compat; lra. }
  split.
  - assert (V : forall A B, 0 < A -> 0 < B -> variance (phi A B) (weight A B / phi A B) = weight A B * weight A B * t A B).
    { intros a b Ha Hb. pose proof (t_pos a b Ha Hb).
      assert (0 < phi a b) by (rewrite phi_t by auto; apply Rdiv_lt_0_compat; lra).
      rewrite (proj2 (proj2 (phi_exact a b (phi a b) Ha Hb H0) eq_refl)). now apply beta_variance_t. }
    rewrite !V, E by auto. apply Rmult_lt_compat_l; auto. nra.
  - intros f f' Hf Hf'.
    assert (G : f < f').
    { destruct Hf as [F Q], Hf' as [F' Q'].
      assert (1 - f = t A B * (f * f)) by (unfold t; apply (Rmult_eq_reg_l (C A B)); [rewrite Q; field; lra|lra]).
      assert (1 - f' = t A' B' * (f' * f')) by (unfold t; apply (Rmult_eq_reg_l (C A' B')); [rewrite Q'; field; lra|lra]).
      destruct (Rlt_le_dec f f'); auto. exfalso.
      assert (f' * f' <= f * f) by nra. assert (t A' B' * (f' * f') < t A B * (f' * f')) by (apply Rmult_lt_compat_r; nra).
      assert (t A B * (f' * f') <= t A B * (f * f)) by (apply Rmult_le_compat_l; lra). lra. }
    pose proof (phi_printed A B f HA HB Hf) as [[_ F1] _]. pose proof (phi_printed A' B' f' HA' HB' Hf') as [[_ F1'] _].
    destruct Hf as [F _], Hf' as [F' _]. rewrite !sent_variance, E by lra.
    apply Rmult_lt_compat_l; [nra|].
    assert (/ f' < / f) by (apply Rinv_lt_contravar; [now apply Rmult_lt_0_compat|exact G]).
    replace ((1 - f') / f') with (/ f' - 1) by (field; lra). replace ((1 - f) / f) with (/ f - 1) by (field; lra). lra.
Qed.
Example phi_precision_inhabited : variance (phi 2 6) (weight 2 6 / phi 2 6) < variance (phi 1 3) (weight 1 3 / phi 1 3).
Proof. refine (proj1 (phi_precision 1 3 2 6 _ _ _ _ _ _)); try lra; unfold weight; field. Qed.
(* [prop:phi] (v) Without "at a fixed mean" that would be false: one more observation in favour can make it grow. *)
Theorem phi_precision_refuted : variance (phi 1 99) (weight 1 99 / phi 1 99) < variance (phi 2 99) (weight 2 99 / phi 2 99).
Proof.
  assert (V : forall A B, 0 < A -> 0 < B -> variance (phi A B) (weight A B / phi A B) = beta_variance A B).
  { intros A B HA HB. apply phi_exact; auto. pose proof (t_pos A B HA HB). rewrite phi_t by auto. apply Rdiv_lt_0_compat; lra. }
  rewrite !V by lra. replace (beta_variance 1 99) with (99/1010000) by (unfold beta_variance; field).
  replace (beta_variance 2 99) with (198/1040502) by (unfold beta_variance; field). lra.
Qed.

(* [phi:local] The release by what a synapse can know: its weight and its evidence. *)
Theorem phi_local A B : 0 < A -> 0 < B ->
  phi A B = (A + weight A B) / (A + 1) /\ 1 - phi A B = (1 - weight A B) / (1 + A).
Proof.
  intros. pose proof (C_pos A B H H0). unfold phi, weight. unfold C in *.
  split; field; repeat split; try lra.
Qed.
Example phi_local_inhabited : phi 1 3 = (1 + 1/4) / 2.
Proof. destruct (phi_local 1 3) as [-> _]; unfold weight; lra. Qed.
