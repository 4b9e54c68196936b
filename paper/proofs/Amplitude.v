(* The amplitude rule: no bias in any state, and the variance of a target.

   A synapse of weight w and amplitude a >= w releases with probability w / a and transmits a when it does. When it learns, it moves
   toward what it and the weaker synapses that transmitted with it amount to. Whatever their amplitudes are, that is right on average:
   each weaker synapse counts what it transmits, w on average. The variance is a sum over weaker synapses as well; at rest, where each
   amplitude is the sum of its own weight and all weaker ones, it is half of the square of the sum less the sum of squares.

   Synapses are pairs of weight and amplitude, in the order of competition. That synapse i learns means that it transmits and, in
   Algorithm 1, that no stronger one does. Neither says anything of the weaker synapses, and this is proved from the masks of the whole row. *)
From Coq Require Import Reals List Lra Lia.
From Vesicle Require Import Masks Mapping.
Import ListNotations.
Open Scope R_scope.

Definition weights (l : list (R * R)) : list R := map fst l.
Definition releases (l : list (R * R)) : list R := map (fun p => fst p / snd p) l.
(* A state: weights are positive, and no amplitude is below its weight. *)
Definition state (l : list (R * R)) := Forall (fun p => 0 < fst p <= snd p) l.
(* What is transmitted in a draw, all together. *)
Fixpoint heard (l : list (R * R)) (m : list bool) : R :=
  match l, m with (_, a) :: l', b :: m' => (if b then a else 0) + heard l' m' | _, _ => 0 end.
(* The target of synapse i, w_i + sum_{j>i} a_j M_j. *)
Fixpoint target (l : list (R * R)) (i : nat) (m : list bool) : R :=
  match l, m, i with
  | (w, _) :: l', _ :: m', O => w + heard l' m'
  | _ :: l', _ :: m', S k => target l' k m'
  | _, _, _ => 0
  end.
(* Whether synapse i learns from a draw: in Algorithm 1 if it wins, in Algorithm 2 if it transmits. *)
Fixpoint wins (i : nat) (m : list bool) : R :=
  match m, i with b :: _, O => if b then 1 else 0 | b :: m', S k => if b then 0 else wins k m' | nil, _ => 0 end.
Definition transmits (i : nat) (m : list bool) : R := if nth i m false then 1 else 0.
(* The sum S_i of a weight and all weaker ones. *)
Definition S_ (l : list (R * R)) (i : nat) : R := sum (skipn i (weights l)).
(* The conditional expectation of f, where the event happens with chance Ex e. *)
Definition given (q : list R) (e f : list bool -> R) : R := Ex q (fun m => e m * f m) / Ex q e.

Lemma wins_is i m : wins i m = is (Some i) m.
Proof.
  revert i; induction m as [|b m IH]; intro i; [destruct i; reflexivity|].
  destruct b, i; simpl; try reflexivity; unfold is; simpl.
  - destruct (winner m); reflexivity.
  - rewrite IH. unfold is. destruct (winner m); reflexivity.
Qed.

Lemma heard_mean l : state l -> Ex (releases l) (heard l) = sum (weights l).
Proof.
  induction 1 as [|[w a] l H Hl IH]; [reflexivity|]. simpl in *.
  rewrite Ex_plus, Ex_const. rewrite (Ex_ext _ (fun m => 0 + heard l m) (heard l)) by (intro; ring).
  rewrite IH. field; lra.
Qed.
Lemma heard_variance l : state l ->
  Ex (releases l) (fun m => (heard l m - sum (weights l)) * (heard l m - sum (weights l))) =
  sum (map (fun p => fst p * (snd p - fst p)) l).
Proof.
  induction 1 as [|[w a] l H Hl IH]; [simpl; ring|]. simpl in *.
  set (s := sum (weights l)) in *. set (q := releases l) in *.
  assert (U : Ex q (heard l) = s) by (apply heard_mean; auto).
  assert (Z : Ex q (fun m => heard l m - s) = 0) by (rewrite Ex_minus, Ex_const, U; ring).
  assert (K : forall c, Ex q (fun m => (heard l m - s + c) * (heard l m - s + c)) =
    sum (map (fun p => fst p * (snd p - fst p)) l) + c * c).
  { intro c. rewrite (Ex_ext _ _ (fun m => ((heard l m - s) * (heard l m - s) + (2 * c) * (heard l m - s)) + c * c)) by (intro; ring).
    rewrite Ex_plus, Ex_plus, Ex_scal, Ex_const, IH, Z. ring. }
  rewrite (Ex_ext _ _ (fun m => (heard l m - s + (a - w)) * (heard l m - s + (a - w)))) by (intro; ring).
  rewrite (Ex_ext _ (fun m => (0 + heard l m - _) * _) (fun m => (heard l m - s + (- w)) * (heard l m - s + (- w)))) by (intro; ring).
  rewrite K, K. field. lra.
Qed.

(* Any function of what the weaker synapses transmit is independent of whether i learns. *)
Lemma learns_independent (F : R -> R) l : state l -> forall i, (i < length l)%nat -> forall e, e = wins i \/ e = transmits i ->
  Ex (releases l) (fun m => e m * F (target l i m)) =
  Ex (releases l) e * Ex (releases (skipn (S i) l)) (fun m => F (fst (nth i l (0, 0)) + heard (skipn (S i) l) m)).
Proof.
  induction 1 as [|[w a] l H Hl IH]; simpl; intros i L e E; [lia|]. destruct i as [|i].
  - destruct E as [-> | ->]; simpl; unfold transmits; simpl;
      rewrite (Ex_ext _ (fun m => 1 * F (w + heard l m)) (fun m => F (w + heard l m))) by (intro; ring);
      rewrite (Ex_ext _ (fun m => 0 * F (w + heard l m)) (fun _ => 0)) by (intro; ring);
      rewrite !Ex_const; simpl;
      match goal with |- ?a * ?X + ?b * 0 = _ * ?Y => change Y with X end; ring.
  - destruct E as [-> | ->].
    + simpl. rewrite (Ex_ext _ (fun m => 0 * F (target l i m)) (fun _ => 0)) by (intro; ring).
      rewrite !Ex_const. rewrite (IH i) by (auto; lia). simpl. change (fun m => wins i m) with (wins i). ring.
    + unfold transmits; simpl. fold (transmits i).
      change (fun m => (if nth i m false then 1 else 0) * F (target l i m)) with (fun m => transmits i m * F (target l i m)).
      change (fun m : list bool => if nth i m false then 1 else 0) with (transmits i).
      rewrite (IH i) by (auto; lia). simpl. ring.
Qed.
Lemma state_skipn l i : state l -> state (skipn i l).
Proof. intros H. revert i. induction H; intros [|i]; simpl; auto; constructor; auto. Qed.
Lemma S_step l i : (i < length l)%nat -> S_ l i = fst (nth i l (0, 0)) + sum (weights (skipn (S i) l)).
Proof.
  unfold S_. revert i; induction l as [|[w a] l IH]; simpl; intros i L; [lia|].
  destruct i; simpl; [reflexivity|]. rewrite IH by lia. reflexivity.
Qed.

(* [prop:unbiased] For both algorithms and any amplitudes: given that i learns, its target is S_i on average. *)
Theorem unbiased l i e : state l -> (i < length l)%nat -> e = wins i \/ e = transmits i -> Ex (releases l) e <> 0 ->
  given (releases l) e (target l i) = S_ l i.
Proof.
  intros H L E N. unfold given. rewrite (learns_independent (fun x => x) l H i L e E).
  rewrite Ex_plus, Ex_const, (heard_mean (skipn (S i) l)) by now apply state_skipn. rewrite S_step by auto. field; auto.
Qed.
Example unbiased_inhabited : given (releases [(3, 7); (2, 9); (1, 4)]) (wins 1) (target [(3, 7); (2, 9); (1, 4)] 1) = 3.
Proof.
  rewrite unbiased; [unfold S_, weights; simpl; ring|repeat constructor; simpl; lra|simpl; lia|auto|].
  unfold releases; simpl; lra.
Qed.

(* [prop:variance] Its variance is the sum of w_j (a_j - w_j) over the weaker synapses. *)
Theorem target_variance l i e : state l -> (i < length l)%nat -> e = wins i \/ e = transmits i -> Ex (releases l) e <> 0 ->
  given (releases l) e (fun m => (target l i m - S_ l i) * (target l i m - S_ l i)) =
  sum (map (fun p => fst p * (snd p - fst p)) (skipn (S i) l)).
Proof.
  intros H L E N. unfold given. rewrite (learns_independent (fun x => (x - S_ l i) * (x - S_ l i)) l H i L e E).
  rewrite <- (heard_variance (skipn (S i) l)) by now apply state_skipn. rewrite S_step by auto.
  rewrite (Ex_ext (releases (skipn (S i) l)) _ (fun m => (heard (skipn (S i) l) m - sum (weights (skipn (S i) l))) * (heard (skipn (S i) l) m - sum (weights (skipn (S i) l)))))
    by (intro; ring).
  field; auto.
Qed.
Example target_variance_inhabited :
  given (releases [(3, 7); (2, 9); (1, 4)]) (wins 1) (fun m => (target [(3, 7); (2, 9); (1, 4)] 1 m - S_ [(3, 7); (2, 9); (1, 4)] 1)
    * (target [(3, 7); (2, 9); (1, 4)] 1 m - S_ [(3, 7); (2, 9); (1, 4)] 1)) = 3.
Proof.
  rewrite target_variance; [simpl; ring|repeat constructor; simpl; lra|simpl; lia|auto|].
  unfold releases; simpl; lra.
Qed.
(* [prop:variance] At rest, where a_j = S_j, that is half of S_{i+1}^2 less the sum of squares, at most S_{i+1}^2 / 2 and S_i^2 / 2. *)
Theorem rest_variance w i : pos w -> let l := combine w (tails w) in let v := skipn (S i) w in
  sum (map (fun p => fst p * (snd p - fst p)) (skipn (S i) l)) = / 2 * (sum v * sum v - sum (map (fun x => x * x) v)) /\
  / 2 * (sum v * sum v - sum (map (fun x => x * x) v)) <= / 2 * (sum v * sum v) <= / 2 * (sum (skipn i w) * sum (skipn i w)).
Proof.
  intros H l v.
  assert (K : forall w, sum (map (fun p => fst p * (snd p - fst p)) (combine w (tails w))) = / 2 * (sum w * sum w - sum (map (fun x => x * x) w))).
  { clear. induction w; simpl; [ring|]. rewrite IHw. field. }
  assert (D : skipn (S i) l = combine v (tails v)).
  { unfold l, v. generalize (S i). clear. induction w; intros [|n]; simpl; auto. }
  assert (Q : 0 <= sum (map (fun x => x * x) v)).
  { clear. induction v; simpl; [lra|]. nra. }
  assert (T : 0 <= sum v <= sum (skipn i w)).
  { unfold v. clear - H. revert i. induction H as [|x l H Hl IH]; intros [|i]; simpl; try lra; [|apply IH].
    destruct l; simpl; [lra|]. pose proof (nonneg_sum _ (pos_nonneg _ Hl)) as Z. simpl in Z. lra. }
  rewrite D, K. split; [reflexivity|]. split; [lra|]. apply Rmult_le_compat_l; [lra|]. nra.
Qed.
Example rest_variance_inhabited : sum (map (fun p => fst p * (snd p - fst p)) (skipn 1 (combine [3; 2; 1] (tails [3; 2; 1])))) = 2.
Proof. destruct (rest_variance [3; 2; 1] 0) as [-> _]; [repeat constructor; lra|simpl; field]. Qed.
