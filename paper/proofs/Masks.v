(* Masks, expectation and winner: what all other files speak of.

   In a draw every synapse transmits or fails. What a draw is, is therefore a mask: a list of truth values, one for each
   synapse of a row, in the order of competition, the strongest first. Synapse i transmits with probability q_i,
   independently of all others. An expectation is then a finite sum over masks, each weighted by its probability, and
   nothing of measure theory is needed: [Ex q f] sums over the first synapse, and within that over the others.

   The first synapse of the mask that transmits silences the others and wins. Where weights fall along the list, that is
   the strongest of those that transmitted, and of equals the one of lower index: [winner_strongest]. No theorem needs
   weights to fall, so that each holds for every order in which synapses may compete. *)
From Coq Require Import Reals List Lra Lia.
Import ListNotations.
Open Scope R_scope.

Fixpoint sum (w : list R) : R := match w with nil => 0 | x :: l => x + sum l end.

(* Weights that are positive; those that are zero are left out, or allowed by [nonneg]. Releases that are probabilities. *)
Definition pos (w : list R) := Forall (fun x => 0 < x) w.
Definition nonneg (w : list R) := Forall (fun x => 0 <= x) w.
Definition chances (q : list R) := Forall (fun x => 0 <= x <= 1) q.

(* The expectation of f over masks whose synapses transmit with probabilities q. *)
Fixpoint Ex (q : list R) (f : list bool -> R) : R :=
  match q with
  | nil => f nil
  | x :: l => x * Ex l (fun m => f (true :: m)) + (1 - x) * Ex l (fun m => f (false :: m))
  end.

(* The index of the first synapse that transmits. *)
Fixpoint winner (m : list bool) : option nat :=
  match m with nil => None | true :: _ => Some 0%nat | false :: l => option_map S (winner l) end.

(* One if the outcome is o, else zero; and the probability of that. [None] is the empty draw. *)
Definition is (o : option nat) (m : list bool) : R :=
  match winner m, o with
  | None, None => 1
  | Some i, Some j => if Nat.eqb i j then 1 else 0
  | _, _ => 0
  end.
Definition P (q : list R) (o : option nat) : R := Ex q (is o).

(* --- Expectations ---------------------------------------------------------------------------------------------------- *)

Lemma Ex_ext_length q : forall f g, (forall m, length m = length q -> f m = g m) -> Ex q f = Ex q g.
Proof. induction q; simpl; intros f g H; [auto|]. f_equal; f_equal; apply IHq; intros; apply H; simpl; lia. Qed.
Lemma Ex_ext q f g : (forall m, f m = g m) -> Ex q f = Ex q g.
Proof. intro; apply Ex_ext_length; auto. Qed.
Lemma Ex_const q c : Ex q (fun _ => c) = c.
Proof. induction q; simpl; auto. rewrite IHq; ring. Qed.
Lemma Ex_plus q : forall f g, Ex q (fun m => f m + g m) = Ex q f + Ex q g.
Proof. induction q; simpl; intros; auto. rewrite IHq, IHq. ring. Qed.
Lemma Ex_scal q c : forall f, Ex q (fun m => c * f m) = c * Ex q f.
Proof. induction q; simpl; intros; auto. rewrite IHq, IHq. ring. Qed.
Lemma Ex_minus q f g : Ex q (fun m => f m - g m) = Ex q f - Ex q g.
Proof.
  rewrite (Ex_ext _ _ (fun m => f m + (-1) * g m)) by (intro; ring). rewrite Ex_plus, Ex_scal. ring.
Qed.
Lemma Ex_le q : chances q -> forall f g, (forall m, f m <= g m) -> Ex q f <= Ex q g.
Proof.
  induction 1; simpl; intros; auto.
  apply Rplus_le_compat; apply Rmult_le_compat_l; try lra; apply IHForall; auto.
Qed.

(* --- Winners --------------------------------------------------------------------------------------------------------- *)

Lemma P_none x q : P (x :: q) None = (1 - x) * P q None.
Proof.
  unfold P; simpl. rewrite (Ex_ext q _ (fun _ => 0)), Ex_const by reflexivity.
  rewrite (Ex_ext q _ (is None)). ring. intros; unfold is; simpl; destruct (winner m); reflexivity.
Qed.
Lemma P_0 x q : P (x :: q) (Some 0%nat) = x.
Proof.
  unfold P; simpl. rewrite (Ex_ext q (fun m => is _ (true :: m)) (fun _ => 1)), Ex_const by reflexivity.
  rewrite (Ex_ext q _ (fun _ => 0)), Ex_const. ring.
  intros; unfold is; simpl; destruct (winner m); reflexivity.
Qed.
Lemma P_S x q i : P (x :: q) (Some (S i)) = (1 - x) * P q (Some i).
Proof.
  unfold P; simpl. rewrite (Ex_ext q (fun m => is _ (true :: m)) (fun _ => 0)), Ex_const by reflexivity.
  rewrite (Ex_ext q _ (is (Some i))). ring.
  intros; unfold is; simpl; destruct (winner m); reflexivity.
Qed.
Lemma P_beyond q : forall i, (length q <= i)%nat -> P q (Some i) = 0.
Proof.
  induction q; intros; simpl in *; [reflexivity|].
  destruct i; [lia|]. rewrite P_S, IHq by lia. ring.
Qed.

(* Weights that fall along the list. *)
Fixpoint falling (w : list R) : Prop := match w with nil => True | x :: l => Forall (fun y => y <= x) l /\ falling l end.

(* [eq:subset-max] The first that transmits is the strongest that transmits; of equals, that of lower index. *)
Theorem winner_strongest w : falling w -> forall m i, length m = length w -> winner m = Some i ->
  nth i m false = true /\ forall j, nth j m false = true -> nth j w 0 <= nth i w 0 /\ (i <= j)%nat.
Proof.
  induction w as [|x w IH]; intros FG [|b m] i L W; simpl in *; try discriminate.
  destruct FG as [F G]. destruct b.
  - injection W as <-. split; auto. intros [|j] J; [split; [lra|lia]|]. split; [|lia].
    rewrite Forall_forall in F. apply F, nth_In. apply Nat.nle_gt; intro.
    rewrite nth_overflow in J by lia; discriminate.
  - destruct (winner m) as [k|] eqn:K; simpl in W; [injection W as <-|discriminate].
    destruct (IH G m k ltac:(lia) K) as [H1 H2]. split; auto.
    intros [|j] J; [discriminate|]. destruct (H2 j J). split; auto; lia.
Qed.
Example winner_strongest_inhabited : nth 1 [6/10; 3/10; 1/10] 0 <= nth 1 [6/10; 3/10; 1/10] 0 /\ (1 <= 1)%nat.
Proof.
  apply (winner_strongest [6/10; 3/10; 1/10]) with (m := [false; true; true]); auto.
  simpl. repeat (split || constructor); lra.
Qed.

(* [eq:winner] The winner's law for any releases: q_i times the product of 1 - q_j over all stronger ones. *)
Fixpoint fails (q : list R) : R := match q with nil => 1 | x :: l => (1 - x) * fails l end.
Theorem winner_law q i : (i < length q)%nat -> P q (Some i) = nth i q 0 * fails (firstn i q).
Proof.
  revert i; induction q; simpl; intros; [lia|].
  destruct i; [rewrite P_0; simpl; ring|].
  rewrite P_S, IHq by lia. simpl; ring.
Qed.
Example winner_law_inhabited : P [1/2; 1/2; 1] (Some 1%nat) = 1/4.
Proof. rewrite winner_law by (simpl; lia). simpl; field. Qed.
(* [eq:winner] And the chance that nothing transmits. *)
Theorem nothing_law q : P q None = fails q.
Proof. induction q; [reflexivity|]. rewrite P_none, IHq; reflexivity. Qed.

Lemma nonneg_sum w : nonneg w -> 0 <= sum w.
Proof. induction 1; simpl; lra. Qed.
Lemma pos_nonneg w : pos w -> nonneg w.
Proof. apply Forall_impl; intros; lra. Qed.
Lemma sum_pos w : pos w -> w <> nil -> 0 < sum w.
Proof. intros H N. destruct H; [congruence|]. simpl. apply pos_nonneg, nonneg_sum in H0. lra. Qed.
Lemma nonneg_sum0 w : nonneg w -> sum w = 0 -> forall i, nth i w 0 = 0.
Proof.
  induction 1 as [|x l H Hl IH]; simpl; intros E i; [destruct i; reflexivity|].
  pose proof (nonneg_sum l Hl). destruct i; [lra|]. apply IH; lra.
Qed.
