(* Hypotheses that act on releases, and how far releases can put the winner.

   The open sites of a synapse misjudge its weight by a factor X of mean 1, and it releases with q X. The winner's law is linear in each release, so that averaged over
   independent factors it is the law of q: with releases of the redraw family the winner, given a draw that is not empty, has exactly the encoded law. The factors are given by
   masks of sites; any independent factors of mean 1 would do. That q X is a probability is the condition on c, and the mapping, c = 1, never meets it.

   The law is also Lipschitz in the releases, which bounds its distance from what is encoded. *)
From Coq Require Import Reals List Lra Lia.
From Vesicle Require Import Masks Mapping Phi Sites.
Import ListNotations.
Open Scope R_scope.

(* The releases q_i X_i, given the masks K of the sites. *)
Fixpoint misjudged (l : list synapse) (K : list (list bool)) : list R :=
  match l, K with s :: l', k :: K' => release s * factor s k :: misjudged l' K' | _, _ => nil end.

Lemma averaged l : Forall fit l -> forall i, (i < length l)%nat ->
  Sites l (fun K => P (misjudged l K) (Some i)) = P (map release l) (Some i).
Proof.
  induction 1 as [|s l Hs Hl IH]; simpl; intros i L; [lia|]. destruct (factor_moments s Hs) as [F _]. destruct i.
  - rewrite P_0. rewrite (Ex_ext _ _ (fun k => release s * factor s k)).
    + rewrite Ex_scal, F. ring.
    + intro k. rewrite (Sites_ext l _ (fun _ => release s * factor s k)) by (intros; apply P_0). apply Sites_const.
  - rewrite P_S. rewrite (Ex_ext _ _ (fun k => P (map release l) (Some i) + (- release s * P (map release l) (Some i)) * factor s k)).
    + rewrite Ex_plus, Ex_const, Ex_scal, F. ring.
    + intro k. rewrite (Sites_ext l _ (fun K => (1 - release s * factor s k) * P (misjudged l K) (Some i))) by (intros; apply P_S).
      rewrite Sites_scal, IH by lia. ring.
Qed.

(* [prop:hypotheses] (i) Averaged over the sites, i wins with probability c p_i. *)
Theorem hypotheses_exact l p c : Forall fit l -> distribution p -> 0 < c <= 1 -> length l = length p ->
  (forall i, (i < length p)%nat -> nth i (map release l) 0 = c * nth i p 0 / (1 - c * sum (firstn i p))) ->
  forall i, (i < length p)%nat -> Sites l (fun K => P (misjudged l K) (Some i)) = c * nth i p 0.
Proof.
  intros Hf D Hc L H i Hi. rewrite averaged by (auto; lia). apply (redraw_family p c); auto. now rewrite map_length.
Qed.
Example hypotheses_exact_inhabited :
  Sites [{| coefficient := 1; release := 1/4; number := 1; site := 1/2 |}; {| coefficient := 1; release := 1/3; number := 1; site := 1/2 |}]
    (fun K => P (misjudged [{| coefficient := 1; release := 1/4; number := 1; site := 1/2 |}; {| coefficient := 1; release := 1/3; number := 1; site := 1/2 |}] K)
      (Some 1%nat)) = 1/2 * (1/2).
Proof.
  apply (hypotheses_exact _ [1/2; 1/2] (1/2)).
  - repeat (constructor; [split; simpl; [lra|lia]|]). constructor.
  - split; [repeat constructor; lra|simpl; lra].
  - lra.
  - reflexivity.
  - intros [|[|i]] H; simpl in *; try lia; field.
  - simpl; lia.
Qed.
(* [prop:hypotheses] The condition: c <= phi_i / (p_i + phi_i sum_{j<i} p_j) says that q_i <= phi_i, so that with X_i <= 1 / phi_i never q_i X_i > 1. *)
Theorem hypotheses_condition f p s c x : 0 < f < 1 -> 0 < p -> 0 <= s -> s + p <= 1 -> 0 < c <= f / (p + f * s) -> c < 1 -> 0 <= x <= 1 / f ->
  c * p / (1 - c * s) <= f /\ c * p / (1 - c * s) * x <= 1.
Proof.
  intros Hf Hp Hs Hsp Hc H1 Hx. assert (0 <= f * s) by nra. assert (0 < p + f * s) by lra.
  assert (K : c * (p + f * s) <= f).
  { apply (Rmult_le_reg_r (/ (p + f * s))); [apply Rinv_0_lt_compat; lra|]. rewrite Rmult_assoc, Rinv_r by lra. unfold Rdiv in Hc. lra. }
  assert (0 < 1 - c * s) by nra.
  assert (Q : c * p / (1 - c * s) <= f).
  { apply (Rmult_le_reg_r (1 - c * s)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
  assert (0 <= c * p / (1 - c * s)) by (apply Rmult_le_pos; [nra|left; apply Rinv_0_lt_compat; lra]).
  split; [exact Q|]. apply Rle_trans with (f * (1 / f)); [apply Rmult_le_compat; lra|]. right. field. lra.
Qed.
Example hypotheses_condition_inhabited : 1/4 * (1/2) / (1 - 1/4 * (1/2)) <= 1/2.
Proof. apply (hypotheses_condition (1/2) (1/2) (1/2) (1/4) 1); lra. Qed.

(* [prop:hypotheses] The bound on c is positive, and below one at the weakest synapse, where the stronger ones have the share 1 - p: the mapping never meets it. *)
Theorem hypotheses_bound f p s : 0 < f < 1 -> 0 < p -> 0 <= s -> 0 < f / (p + f * s) /\ (s + p = 1 -> f / (p + f * s) < 1).
Proof.
  intros Hf Hp Hs. assert (0 <= f * s) by nra. split; [apply Rdiv_lt_0_compat; lra|]. intro E. replace s with (1 - p) by lra.
  assert (0 < p * (1 - f)) by nra.
  apply (Rmult_lt_reg_r (p + f * (1 - p))); [nra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by nra. nra.
Qed.
Example hypotheses_bound_inhabited : 0 < (1/2) / (1/2 + 1/2 * (1/2)).
Proof. apply (hypotheses_bound (1/2) (1/2) (1/2)); lra. Qed.

(* --- The winner's distance ------------------------------------------------------------------------------------------- *)

(* Twice the total variation of two winner's laws, "nothing" included, and the bound: sum_i of the share of i and all weaker ones times |q_i - q*_i|. *)
Definition apart (q r : list R) : R :=
  Rabs (P q None - P r None) + sum (map (fun i => Rabs (P q (Some i) - P r (Some i))) (seq 0 (length q))).
Fixpoint shares (w q : list R) : R :=
  match w, q with x :: l, y :: q' => sum w * Rabs (y - x / sum w) + shares l q' | _, _ => 0 end.

Lemma P_ge0 q o : chances q -> 0 <= P q o.
Proof.
  intro H. rewrite <- (Ex_const q 0). apply Ex_le; auto. intro m. unfold is. destruct (winner m) as [i|], o as [j|]; try lra. destruct (Nat.eqb i j); lra.
Qed.
Lemma sum_map_le (f g : nat -> R) l : (forall i, f i <= g i) -> sum (map f l) <= sum (map g l).
Proof. intro H. induction l; simpl; [lra|]. specialize (H a). lra. Qed.
Lemma sum_map_lin (f g : nat -> R) c d l : sum (map (fun i => c * f i + d * g i) l) = c * sum (map f l) + d * sum (map g l).
Proof. induction l; simpl; [ring|]. rewrite IHl. ring. Qed.
Lemma apart_step x y q r : length q = length r -> chances q -> 0 <= y <= 1 -> apart (x :: q) (y :: r) <= 2 * Rabs (x - y) + (1 - y) * apart q r.
Proof.
  intros L Hq Hy. unfold apart. simpl length. simpl seq. simpl map. simpl sum. rewrite !P_none, !P_0, <- seq_shift, map_map.
  assert (B : forall u v, 0 <= u -> Rabs ((1 - x) * u - (1 - y) * v) <= Rabs (x - y) * u + (1 - y) * Rabs (u - v)).
  { intros u v Hu. replace ((1 - x) * u - (1 - y) * v) with ((y - x) * u + (1 - y) * (u - v)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult, (Rabs_pos_eq u), (Rabs_pos_eq (1 - y)), (Rabs_minus_sym y x) by lra. lra. }
  pose proof (B (P q None) (P r None) (P_ge0 q None Hq)) as B0.
  assert (B1 : sum (map (fun i => Rabs (P (x :: q) (Some (S i)) - P (y :: r) (Some (S i)))) (seq 0 (length q))) <=
    Rabs (x - y) * sum (map (fun i => P q (Some i)) (seq 0 (length q))) + (1 - y) * sum (map (fun i => Rabs (P q (Some i) - P r (Some i))) (seq 0 (length q)))).
  { rewrite <- sum_map_lin. apply sum_map_le. intro i. rewrite !P_S. apply B. now apply P_ge0. }
  pose proof (total_law q) as T. pose proof (Rabs_pos (x - y)).
  assert (Rabs (x - y) * P q None + Rabs (x - y) * sum (map (fun i => P q (Some i)) (seq 0 (length q))) = Rabs (x - y)) by (rewrite <- Rmult_plus_distr_l, T; ring).
  lra.
Qed.
(* sum_i w_i |q_i / q*_i - 1|, where q*_i = w_i / S_i. *)
Fixpoint relative (w q : list R) : R :=
  match w, q with x :: l, y :: q' => x * Rabs (y / (x / sum w) - 1) + relative l q' | _, _ => 0 end.
Lemma relative_shares w : pos w -> forall q, relative w q = shares w q.
Proof.
  induction 1 as [|x l Hx Hl IH]; intros [|y q]; auto. cbn [relative shares]. rewrite IH. f_equal.
  pose proof (sum_pos (x :: l) (Forall_cons x Hx Hl) ltac:(congruence)) as S.
  rewrite <- (Rabs_pos_eq x) at 1 by lra. rewrite <- (Rabs_pos_eq (sum (x :: l))) at 2 by lra. rewrite <- !Rabs_mult. f_equal. field. lra.
Qed.
(* [prop:distance] The total variation between the winner's law, with "nothing" as an outcome, and that of the mapping, which is p, is at most
   sum_i p_i |q_i / q*_i - 1|. *)
Theorem winner_distance w q : pos w -> w <> nil -> length q = length w -> chances q -> / 2 * apart q (mapping w) <= relative w q / sum w.
Proof.
  intros Hw N L Hq. rewrite relative_shares by auto.
  assert (K : sum w * (/ 2 * apart q (mapping w)) <= shares w q).
  { clear N. revert q L Hq. induction Hw as [|x l Hx Hl IH]; intros [|y q] L Hq; simpl in L; try discriminate.
    - unfold apart. simpl. rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. lra.
    - inversion Hq; subst. specialize (IH q ltac:(lia) H2). pose proof (nonneg_sum l (pos_nonneg l Hl)) as Z.
      assert (C1 : 0 <= x / (x + sum l) <= 1).
      { pose proof (mapping_chances (x :: l) (pos_nonneg _ (Forall_cons x Hx Hl))) as M. inversion M; auto. }
      pose proof (apart_step y (x / (x + sum l)) q (mapping l) ltac:(rewrite mapping_length; lia) H2 C1) as A.
      cbn [mapping shares]. change (sum (x :: l)) with (x + sum l) in *.
      apply Rle_trans with ((x + sum l) * (/ 2 * (2 * Rabs (y - x / (x + sum l)) + (1 - x / (x + sum l)) * apart q (mapping l)))).
      + apply Rmult_le_compat_l; lra.
      + replace ((x + sum l) * (/ 2 * (2 * Rabs (y - x / (x + sum l)) + (1 - x / (x + sum l)) * apart q (mapping l))))
          with ((x + sum l) * Rabs (y - x / (x + sum l)) + sum l * (/ 2 * apart q (mapping l))) by (field; lra). lra. }
  pose proof (sum_pos w Hw N). apply (Rmult_le_reg_l (sum w)); auto.
  replace (sum w * (shares w q / sum w)) with (shares w q) by (field; lra). exact K.
Qed.
Example winner_distance_inhabited : / 2 * apart [1/2; 1] (mapping [6; 4]) <= relative [6; 4] [1/2; 1] / sum [6; 4].
Proof. apply winner_distance; [repeat constructor; lra|congruence|reflexivity|repeat constructor; lra]. Qed.
