(* The mapping: from weights to releases whose winner follows the weights.

   With q_i = w_i / (w_i + all weaker weights) the strongest transmitting synapse is i with probability p_i = w_i / sum w, no
   draw is empty, and no other releases do this. If empty draws are repeated, one parameter is free, the chance c of a draw
   that is not empty, and the releases c p_i / (1 - c (p_1 + ... + p_{i-1})) are all there are. The original proves the
   first by induction, in its Appendix A, whose last line sums to n where it must sum to k: as printed it says that every
   probability is zero.

   None of this asks the list to fall. So it holds for every order in which synapses compete, and a weight of zero, whose
   release is zero, may stand anywhere. *)
From Coq Require Import Reals List Lra Lia.
From Vesicle Require Import Masks.
Import ListNotations.
Open Scope R_scope.

(* q_i = w_i / sum_{j >= i} w_j *)
Fixpoint mapping (w : list R) : list R := match w with nil => nil | x :: l => x / sum (x :: l) :: mapping l end.

Lemma mapping_length w : length (mapping w) = length w.
Proof. induction w; simpl; auto. Qed.
Lemma mapping_chances w : nonneg w -> chances (mapping w).
Proof.
  induction 1 as [|x l H Hl IH]; constructor; auto. simpl. pose proof (nonneg_sum l Hl).
  destruct (Rle_lt_or_eq_dec 0 (x + sum l)) as [G|E]; [lra| |].
  - split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
    apply (Rmult_le_reg_r (x + sum l)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - replace x with 0 by lra. unfold Rdiv. rewrite Rmult_0_l. lra.
Qed.

(* Weights of zero included, and without a division: the law of a list that may be all zero. *)
Lemma mapping_nonneg w : nonneg w -> forall i, P (mapping w) (Some i) * sum w = nth i w 0.
Proof.
  induction 1 as [|x l H Hl IH]; intro i.
  - simpl. rewrite Rmult_0_r. destruct i; reflexivity.
  - simpl mapping. change (sum (x :: l)) with (x + sum l). pose proof (nonneg_sum l Hl).
    destruct (Req_dec (x + sum l) 0) as [E|E].
    + rewrite E, Rmult_0_r. symmetry. apply (nonneg_sum0 (x :: l)); [constructor; auto|exact E].
    + destruct i; [rewrite P_0; simpl; field; auto|].
      rewrite P_S. simpl. rewrite <- (IH i). field; auto.
Qed.

(* [thm:mapping] Under the mapping the winner has the encoded distribution ... *)
Theorem mapping_exact w : pos w -> forall i, (i < length w)%nat -> P (mapping w) (Some i) = nth i w 0 / sum w.
Proof.
  intros H i L. rewrite <- (mapping_nonneg w (pos_nonneg w H) i).
  assert (0 < sum w) by (apply sum_pos; auto; destruct w; simpl in *; [lia|congruence]). field; lra.
Qed.
Example mapping_exact_inhabited : P (mapping [6; 3; 1]) (Some 1%nat) = 3/10.
Proof. rewrite mapping_exact; [simpl; field|repeat constructor; lra|simpl; lia]. Qed.

(* [thm:mapping] ... no draw is empty ... *)
Theorem mapping_never_empty w : pos w -> w <> nil -> P (mapping w) None = 0.
Proof.
  induction 1; [congruence|]. intros _. simpl. rewrite P_none. destruct l.
  - simpl. field; lra.
  - rewrite IHForall by congruence. ring.
Qed.
Example mapping_never_empty_inhabited : P (mapping [6; 3; 1]) None = 0.
Proof. apply mapping_never_empty; [repeat constructor; lra|congruence]. Qed.

(* All releases under which i wins with probability c p_i, where u is the share of what is stronger than the list. *)
Fixpoint family (c u : R) (p : list R) : list R :=
  match p with nil => nil | x :: l => c * x / (1 - c * u) :: family c (u + x) l end.
Lemma family_nth c p : forall u i, (i < length p)%nat ->
  nth i (family c u p) 0 = c * nth i p 0 / (1 - c * (u + sum (firstn i p))).
Proof.
  induction p; simpl; intros u i L; [lia|]. destruct i; simpl; [now rewrite Rplus_0_r|].
  rewrite IHp by lia. now rewrite Rplus_assoc.
Qed.
Lemma family_room c u x l : pos (x :: l) -> 0 <= u -> u + sum (x :: l) <= 1 -> 0 < c <= 1 -> 0 < 1 - c * u.
Proof. intros H. inversion H; subst. apply pos_nonneg, nonneg_sum in H3. simpl. intros. nra. Qed.
Lemma family_law_from c p : pos p -> 0 < c <= 1 -> forall u, 0 <= u -> u + sum p <= 1 ->
  forall i, P (family c u p) (Some i) * (1 - c * u) = c * nth i p 0.
Proof.
  intros Hp Hc. induction Hp as [|x l H Hl IH]; intros u Hu Hs i.
  - unfold P, is. simpl. destruct i; ring.
  - pose proof (family_room c u x l (Forall_cons x H Hl) Hu Hs Hc). simpl in Hs.
    destruct i; simpl; [rewrite P_0; field; lra|].
    rewrite P_S, <- (IH (u + x)) by lra. field; lra.
Qed.
Lemma family_unique_from c p : pos p -> 0 < c <= 1 -> forall u, 0 <= u -> u + sum p <= 1 -> forall q, length q = length p ->
  (forall i, (i < length p)%nat -> P q (Some i) * (1 - c * u) = c * nth i p 0) -> q = family c u p.
Proof.
  intros Hp Hc. induction Hp as [|x l H Hl IH]; intros u Hu Hs [|y q] L Hq; simpl in L; try discriminate; auto.
  pose proof (family_room c u x l (Forall_cons x H Hl) Hu Hs Hc) as Room. simpl in Hs.
  assert (Y : y = c * x / (1 - c * u)).
  { specialize (Hq 0%nat ltac:(simpl; lia)). rewrite P_0 in Hq. simpl in Hq. rewrite <- Hq. field; lra. }
  simpl. rewrite <- Y. f_equal. apply IH; try lra; [lia|].
  intros i Hi. specialize (Hq (S i) ltac:(simpl; lia)). rewrite P_S in Hq. simpl in Hq. rewrite <- Hq, Y. field; lra.
Qed.

(* p is a distribution whose outcomes all have a chance. *)
Definition distribution (p : list R) := pos p /\ sum p = 1.

(* [eq:redraw-family] The releases c p_i / (1 - c sum_{j<i} p_j), for 0 < c <= 1, let i win with probability c p_i, so that given a
   draw that is not empty the law is p; and they are the only ones that do. *)
Theorem redraw_family p c q : distribution p -> 0 < c <= 1 -> length q = length p ->
  ((forall i, (i < length p)%nat -> P q (Some i) = c * nth i p 0) <->
   (forall i, (i < length p)%nat -> nth i q 0 = c * nth i p 0 / (1 - c * sum (firstn i p)))).
Proof.
  intros [Hp Hs] Hc L. split; intros H.
  - rewrite (family_unique_from c p Hp Hc 0 ltac:(lra) ltac:(lra) q L).
    + intros i Hi. rewrite family_nth by auto. now rewrite Rplus_0_l.
    + intros i Hi. rewrite H by auto. ring.
  - assert (E : q = family c 0 p).
    { apply (nth_ext _ _ 0 0).
      - rewrite L. clear. generalize 0. induction p; simpl; intros; auto.
      - intros i Hi. rewrite L in Hi. rewrite H, family_nth by auto. now rewrite Rplus_0_l. }
    intros i Hi. rewrite E, <- (family_law_from c p Hp Hc 0) by lra. ring.
Qed.
Example redraw_family_inhabited : P [3/10; 3/14; 1/11] (Some 1%nat) = 1/2 * (3/10).
Proof.
  apply (redraw_family [6/10; 3/10; 1/10] (1/2) [3/10; 3/14; 1/11]); [|lra|reflexivity| |simpl; lia].
  - split; [repeat constructor; lra|simpl; lra].
  - intros [|[|[|i]]]; simpl; intro; try lia; field.
Qed.
(* [eq:redraw-family] A draw is then not empty with probability c. *)
Lemma total_law q : P q None + sum (map (fun i => P q (Some i)) (seq 0 (length q))) = 1.
Proof.
  induction q as [|x q IH]; [unfold P; simpl; unfold is; simpl; ring|].
  simpl length. simpl seq. simpl map. simpl sum. rewrite P_none, P_0, <- seq_shift, map_map.
  replace (sum (map (fun i => P (x :: q) (Some (S i))) (seq 0 (length q))))
    with ((1 - x) * sum (map (fun i => P q (Some i)) (seq 0 (length q)))).
  - transitivity (x + (1 - x) * (P q None + sum (map (fun i => P q (Some i)) (seq 0 (length q))))); [ring|rewrite IH; ring].
  - clear IH. induction (seq 0 (length q)); simpl; [ring|]. rewrite P_S, <- IHl. ring.
Qed.
Lemma sum_nth_map (p : list R) (f : nat -> R) c : (forall i, (i < length p)%nat -> f i = c * nth i p 0) ->
  sum (map f (seq 0 (length p))) = c * sum p.
Proof.
  revert f; induction p as [|x p IH]; intros f H; simpl; [ring|].
  rewrite (H 0%nat) by (simpl; lia). rewrite <- seq_shift, map_map, (IH (fun i => f (S i))); [simpl; ring|].
  intros i Hi. apply (H (S i)). simpl; lia.
Qed.
Theorem redraw_chance p c q : distribution p -> length q = length p ->
  (forall i, (i < length p)%nat -> P q (Some i) = c * nth i p 0) -> 1 - P q None = c.
Proof.
  intros [Hp Hs] L H. pose proof (total_law q) as T. rewrite L, (sum_nth_map p _ c), Hs in T by exact H. lra.
Qed.
Example redraw_chance_inhabited : 1 - P [3/10; 3/14; 1/11] None = 1/2.
Proof.
  apply (redraw_chance [6/10; 3/10; 1/10]); [split; [repeat constructor; lra|simpl; lra]|reflexivity|].
  intros [|[|[|i]]] H; simpl in H; try lia; rewrite winner_law by (simpl; lia); simpl; field.
Qed.

(* [thm:mapping] ... and no other releases do this. *)
Theorem mapping_unique w q : pos w -> length q = length w ->
  (forall i, (i < length w)%nat -> P q (Some i) = nth i w 0 / sum w) -> q = mapping w.
Proof.
  intros Hw. revert q. induction Hw as [|x l Hx Hl IH]; intros [|y q] Hlen Hp; simpl in *; try congruence.
  assert (Hs : 0 < x + sum l) by (apply (sum_pos (x :: l)); [constructor; auto|congruence]).
  assert (Hy : y = x / (x + sum l)) by (rewrite <- (P_0 y q); apply (Hp 0%nat); lia).
  rewrite <- Hy. f_equal. apply IH; [lia|].
  intros i Hi. assert (0 < sum l) by (apply sum_pos; auto; intros ->; simpl in *; lia).
  specialize (Hp (S i) ltac:(lia)). rewrite P_S in Hp.
  assert (H1 : 1 - y = sum l / (x + sum l)) by (rewrite Hy; field; lra).
  rewrite H1 in Hp. apply (Rmult_eq_reg_l (sum l / (x + sum l))).
  - rewrite Hp. field; lra.
  - apply Rgt_not_eq, Rdiv_lt_0_compat; lra.
Qed.
Example mapping_unique_inhabited : [6/10; 3/4; 1] = mapping [6; 3; 1].
Proof.
  apply mapping_unique; [repeat constructor; lra|reflexivity|].
  intros [|[|[|i]]] H; simpl in H; try lia; rewrite winner_law by (simpl; lia); simpl; field.
Qed.

(* --- Appendix A ------------------------------------------------------------------------------------------------------ *)

(* [app:induction] The original's induction, with its last line corrected: if p_i = q_i prod_{j<i} (1 - q_j) for every i, then
   p_i = q_i (1 - sum_{j<i} p_j). *)
Theorem induction_corrected q p : length p = length q -> (forall i, (i < length q)%nat -> nth i p 0 = nth i q 0 * fails (firstn i q)) ->
  forall i, (i < length q)%nat -> nth i p 0 = nth i q 0 * (1 - sum (firstn i p)).
Proof.
  intros L H i Hi. rewrite H by auto. f_equal.
  revert p L H i Hi. induction q as [|y q IH] using rev_ind; intros p L H i Hi; [simpl in Hi; lia|].
  assert (K : forall k, (k <= i)%nat -> fails (firstn k (q ++ [y])) = 1 - sum (firstn k p)).
  { clear IH. intro k. revert Hi L H. generalize (q ++ [y]) as r. clear. intros r Hi L H.
    assert (Fails : forall k, (k < length r)%nat -> fails (firstn (S k) r) = fails (firstn k r) * (1 - nth k r 0)).
    { clear. induction r; simpl; intros k Hk; [lia|]. destruct k; simpl; [ring|]. simpl in IHr. rewrite IHr by lia. ring. }
    assert (Sum : forall k, (k < length p)%nat -> sum (firstn (S k) p) = sum (firstn k p) + nth k p 0).
    { clear. induction p; simpl; intros k Hk; [lia|]. destruct k; simpl; [ring|]. simpl in IHp. rewrite IHp by lia. ring. }
    induction k; intro Hk; [simpl; ring|]. rewrite Fails, Sum by lia. rewrite H by lia. rewrite IHk by lia. ring. }
  apply K; lia.
Qed.
Example induction_corrected_inhabited : nth 1 [3/10; 15/100] 0 = nth 1 [3/10; 3/14] 0 * (1 - sum (firstn 1 [3/10; 15/100])).
Proof. apply induction_corrected; [reflexivity| |simpl; lia]. intros [|[|i]] H; simpl in *; try lia; field. Qed.
(* [app:induction] As printed the sum goes on to n, and of a distribution that leaves nothing: the mapping's releases do not meet it. *)
Theorem induction_printed_refuted : exists q p, distribution p /\ length p = length q /\
  (forall i, (i < length q)%nat -> nth i p 0 = nth i q 0 * fails (firstn i q)) /\
  ~ (forall i, (i < length q)%nat -> nth i p 0 = nth i q 0 * (1 - sum p)).
Proof.
  exists [6/10; 1], [6/10; 4/10]. split; [split; [repeat constructor; lra|simpl; lra]|]. split; [reflexivity|]. split.
  - intros [|[|i]] H; simpl in *; try lia; field.
  - intro H. specialize (H 0%nat ltac:(simpl; lia)). simpl in H. lra.
Qed.

(* --- Any order ------------------------------------------------------------------------------------------------------- *)

(* The sums S_i of a synapse's weight and all weaker ones. *)
Fixpoint tails (w : list R) : list R := match w with nil => nil | x :: l => sum (x :: l) :: tails l end.

(* [prop:orders] (i) For every order, w being the weights in that order, q_i = w_i / S_i is the one release vector with which the first
   transmitting synapse is i with probability p_i. *)
Theorem any_order w q : pos w -> length q = length w ->
  ((forall i, (i < length w)%nat -> P q (Some i) = nth i w 0 / sum w) <->
   (forall i, (i < length w)%nat -> nth i q 0 = nth i w 0 / nth i (tails w) 0)).
Proof.
  intros H L.
  assert (E : forall i, (i < length w)%nat -> nth i (mapping w) 0 = nth i w 0 / nth i (tails w) 0).
  { clear. induction w; simpl; intros i Hi; [lia|]. destruct i; auto. apply IHw; lia. }
  split; intros K i Hi.
  - rewrite (mapping_unique w q) by auto. auto.
  - assert (q = mapping w) as ->; [|now apply mapping_exact].
    apply (nth_ext _ _ 0 0); [now rewrite mapping_length|]. intros k Hk. rewrite L in Hk. now rewrite K, E.
Qed.
Example any_order_inhabited : P [1/10; 3/9; 1] (Some 1%nat) = 3/10.
Proof.
  replace (3/10) with (nth 1 [1; 3; 6] 0 / sum [1; 3; 6]) by (simpl; field).
  apply any_order; [repeat constructor; lra|reflexivity| |simpl; lia].
  intros [|[|[|i]]] H; simpl in *; try lia; field.
Qed.
(* [prop:orders] (ii) Every order is consistent with its own resting point: the amplitudes S_i fall strictly along it. *)
Theorem order_consistent w : pos w -> forall i j, (i < j < length w)%nat -> nth j (tails w) 0 < nth i (tails w) 0.
Proof.
  assert (B : forall w, pos w -> forall j, (j < length w)%nat -> nth j (tails w) 0 <= sum w).
  { induction 1; simpl; intros j Hj; [lia|]. destruct j; simpl; [lra|]. specialize (IHForall j ltac:(lia)). lra. }
  induction 1 as [|x l Hx Hl IH]; simpl; intros i j Hij; [lia|].
  destruct j; [lia|]. destruct i; [|apply IH; lia]. specialize (B l Hl j ltac:(lia)). lra.
Qed.
Example order_consistent_inhabited : nth 2 (tails [1; 3; 6]) 0 < nth 0 (tails [1; 3; 6]) 0.
Proof. apply order_consistent; [repeat constructor; lra|simpl; lia]. Qed.
(* [prop:row-amplitude] The largest amplitude of a row at rest is the row's sum, in every order. *)
Theorem row_amplitude w : pos w -> w <> nil ->
  nth 0 (tails w) 0 = sum w /\ forall i, (i < length w)%nat -> nth i (tails w) 0 <= nth 0 (tails w) 0.
Proof.
  intros H N. assert (E : nth 0 (tails w) 0 = sum w) by (destruct w; [congruence|reflexivity]). split; auto.
  intros [|i] Hi; [lra|]. left. apply order_consistent; auto; lia.
Qed.
Example row_amplitude_inhabited : nth 0 (tails [1; 3; 6]) 0 = sum [1; 3; 6].
Proof. apply row_amplitude; [repeat constructor; lra|congruence]. Qed.
