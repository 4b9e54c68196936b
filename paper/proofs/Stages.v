(* Two stages, and chains of layers.

   When a draw has a winner, what happens next depends on who it is: its row draws, or the next layer. So the expectation of any function of
   the winner is all that is needed, and under the mapping it is the mean of that function by weight. Rows have their own orders of
   competition, so synapses carry names here: a row is a list of pairs of output and weight, in the order of competition, and the winner is the name of
   the first that transmits. Weights may be zero. *)
From Coq Require Import Reals List Lra Lia.
From Vesicle Require Import Masks Mapping.
Import ListNotations.
Open Scope R_scope.

Definition row := list (nat * R).
Definition strengths (r : row) : list R := map snd r.
Definition total (r : row) : R := sum (strengths r).
(* The weight of output j in a row, whose outputs may be listed in any order. *)
Fixpoint weight_of (j : nat) (r : row) : R :=
  match r with nil => 0 | (k, w) :: l => (if Nat.eqb k j then w else 0) + weight_of j l end.
(* Who wins in a mask. *)
Fixpoint first (r : row) (m : list bool) : option nat :=
  match r, m with (k, _) :: l, b :: m' => if b then Some k else first l m' | _, _ => None end.
(* The expectation of a function of the winner; f None is its value for a draw in which nothing transmits. *)
Definition draw (q : list R) (r : row) (f : option nat -> R) : R := Ex q (fun m => f (first r m)).
Definition hit (j : nat) (o : option nat) : R := match o with Some k => if Nat.eqb k j then 1 else 0 | None => 0 end.

(* The mean of f by weight, times the row's sum. *)
Fixpoint by_weight (r : row) (f : nat -> R) : R := match r with nil => 0 | (k, w) :: l => w * f k + by_weight l f end.

Lemma draw_mapping r f : nonneg (strengths r) -> draw (mapping (strengths r)) r f * total r = by_weight r (fun k => f (Some k)).
Proof.
  unfold draw, total. induction r as [|[k w] r IH]; intro H; [simpl; ring|].
  inversion H as [|? ? Hw Hl]; subst. simpl in Hw. specialize (IH Hl). pose proof (nonneg_sum _ Hl).
  simpl in *. rewrite Ex_const. destruct (Req_dec (w + sum (strengths r)) 0) as [E|E].
  - assert (w = 0) by lra. subst w. assert (Z : sum (strengths r) = 0) by lra.
    rewrite E, <- IH, Z. ring.
  - rewrite <- IH. field; auto.
Qed.
Lemma by_weight_hit r j : by_weight r (fun k => hit j (Some k)) = weight_of j r.
Proof. induction r as [|[k w] r IH]; simpl in *; auto. rewrite IH. destruct (Nat.eqb k j); ring. Qed.
Lemma by_weight_scal r c f : by_weight r (fun k => c * f k) = c * by_weight r f.
Proof. induction r as [|[k w] r IH]; simpl; [ring|]. rewrite IH; ring. Qed.
Lemma by_weight_one r : by_weight r (fun _ => 1) = total r.
Proof. unfold total. induction r as [|[k w] r IH]; simpl; [ring|]. rewrite IH; ring. Qed.

(* What is encoded: with activities x and the rows W, output j has (W^T x)_j over the sum of all (W^T x)_l. Inputs are numbered,
   so that x and W are functions of the input; [inputs] lists them in the order in which they compete. *)
Definition encoded (inputs : list nat) (x : nat -> R) (W : nat -> row) (j : nat) : R :=
  sum (map (fun i => x i * weight_of j (W i)) inputs).
Definition all_encoded (inputs : list nat) (x : nat -> R) (W : nat -> row) : R := sum (map (fun i => x i * total (W i)) inputs).
(* The first stage is a row of the numbers x_i R_i. *)
Definition stage (inputs : list nat) (x : nat -> R) (W : nat -> row) : row := map (fun i => (i, x i * total (W i))) inputs.
(* A draw in two stages: the input that wins sends its row, with its own constant releases. *)
Definition two_stage (inputs : list nat) (x : nat -> R) (W : nat -> row) (f : option nat -> R) : R :=
  let s := stage inputs x W in
  draw (mapping (strengths s)) s (fun o => match o with Some i => draw (mapping (strengths (W i))) (W i) f | None => f None end).

Lemma total_nonneg r : nonneg (strengths r) -> 0 <= total r.
Proof. apply nonneg_sum. Qed.
Lemma stage_nonneg inputs x W : (forall i, 0 <= x i) -> (forall i, nonneg (strengths (W i))) -> nonneg (strengths (stage inputs x W)).
Proof.
  intros Hx HW. unfold stage, strengths. rewrite map_map. simpl. induction inputs; constructor; auto.
  apply Rmult_le_pos; auto. apply total_nonneg, HW.
Qed.
Lemma stage_total inputs x W : total (stage inputs x W) = all_encoded inputs x W.
Proof. unfold total, stage, strengths, all_encoded. now rewrite map_map. Qed.

Lemma two_stage_by_weight inputs x W f g : (forall i, 0 <= x i) -> (forall i, nonneg (strengths (W i))) ->
  (forall i, draw (mapping (strengths (W i))) (W i) f * total (W i) = g i) ->
  two_stage inputs x W f * all_encoded inputs x W = sum (map (fun i => x i * g i) inputs).
Proof.
  intros Hx HW G. unfold two_stage. rewrite <- stage_total, draw_mapping by now apply stage_nonneg.
  unfold stage. induction inputs as [|i l IH]; simpl; [ring|]. rewrite IH, <- G. ring.
Qed.

(* [thm:two-stage] For all activities and weights that are not negative, with something encoded, output j wins with the probability that the mixture
   gives it ... *)
Theorem two_stage_exact inputs x W j : (forall i, 0 <= x i) -> (forall i, nonneg (strengths (W i))) -> all_encoded inputs x W <> 0 ->
  two_stage inputs x W (hit j) = encoded inputs x W j / all_encoded inputs x W.
Proof.
  intros Hx HW N. unfold encoded. rewrite <- (two_stage_by_weight inputs x W (hit j) (fun i => weight_of j (W i))); auto.
  - field; auto.
  - intro i. rewrite draw_mapping by auto. apply by_weight_hit.
Qed.
Example two_stage_exact_inhabited :
  two_stage [1%nat; 0%nat] (fun _ => 1) (fun i => match i with O => [(0%nat, 1); (1%nat, 2)] | _ => [(1%nat, 4); (0%nat, 1)] end) (hit 0) = 1/4.
Proof.
  rewrite two_stage_exact; [unfold encoded, all_encoded, total; simpl; field|intros; lra| |unfold all_encoded, total; simpl; lra].
  intros [|i]; repeat constructor; simpl; lra.
Qed.
(* [thm:two-stage] ... and no draw is empty. *)
Definition empty (o : option nat) : R := match o with None => 1 | Some _ => 0 end.
Theorem two_stage_never_empty inputs x W : (forall i, 0 <= x i) -> (forall i, nonneg (strengths (W i))) -> all_encoded inputs x W <> 0 ->
  two_stage inputs x W empty = 0.
Proof.
  intros Hx HW N. apply (Rmult_eq_reg_r (all_encoded inputs x W)); auto.
  rewrite (two_stage_by_weight inputs x W empty (fun _ => 0)); auto.
  - rewrite Rmult_0_l. induction inputs; simpl; [reflexivity|].
    assert (Z : forall l, sum (map (fun i => x i * 0) l) = 0) by (induction l; simpl; lra). rewrite Z. ring.
  - intro i. rewrite draw_mapping by auto. induction (W i) as [|[k w] r IH]; simpl; [reflexivity|].
    simpl in IH. rewrite IH. ring.
Qed.
Example two_stage_never_empty_inhabited :
  two_stage [1%nat; 0%nat] (fun _ => 1) (fun i => match i with O => [(0%nat, 1); (1%nat, 2)] | _ => [(1%nat, 4); (0%nat, 1)] end) empty = 0.
Proof.
  apply two_stage_never_empty; [intros; lra| |unfold all_encoded, total; simpl; lra].
  intros [|i]; repeat constructor; simpl; lra.
Qed.

(* --- Layers ---------------------------------------------------------------------------------------------------------- *)

(* A layer has a row and releases for each input. A draw is repeated until something transmits, in the layer in which it is empty, so that its
   winner has the law given that a draw is not empty. Each layer draws from bits of its own and receives the winner of the layer below. *)
Definition layer := nat -> row * list R.
Definition full (o : option nat) : R := 1 - empty o.
Definition given_some (L : layer) (i : nat) (f : nat -> R) : R :=
  draw (snd (L i)) (fst (L i)) (fun o => match o with Some k => f k | None => 0 end) / draw (snd (L i)) (fst (L i)) full.
(* The transition matrix of a layer, and the expectation of a function of the last winner, drawn layer by layer. *)
Definition transition (L : layer) (i j : nat) : R := given_some L i (fun k => if Nat.eqb k j then 1 else 0).
Fixpoint chain (Ls : list layer) (i : nat) (f : nat -> R) : R :=
  match Ls with nil => f i | L :: l => given_some L i (fun k => chain l k f) end.
(* The product of matrices over outputs below n. *)
Fixpoint product (n : nat) (Ls : list layer) (i j : nat) : R :=
  match Ls with
  | nil => if Nat.eqb i j then 1 else 0
  | L :: l => sum (map (fun k => transition L i k * product n l k j) (seq 0 n))
  end.
(* All names of a layer's outputs are below n, and in each row something can transmit. *)
Definition within (n : nat) (L : layer) := forall i, Forall (fun p => (fst p < n)%nat) (fst (L i)).

Lemma draw_plus q r f g : draw q r (fun o => f o + g o) = draw q r f + draw q r g.
Proof. unfold draw. apply Ex_plus. Qed.
Lemma draw_scal q r c f : draw q r (fun o => c * f o) = c * draw q r f.
Proof. unfold draw. apply Ex_scal. Qed.
Lemma draw_ext q r f g : (forall o, f o = g o) -> draw q r f = draw q r g.
Proof. intro H. unfold draw. apply Ex_ext; auto. Qed.
Lemma first_within n r : Forall (fun p : nat * R => (fst p < n)%nat) r -> forall m k, first r m = Some k -> (k < n)%nat.
Proof.
  induction 1 as [|[k w] l H Hl IH]; intros [|b m] j E; simpl in *; try discriminate.
  destruct b; [injection E as <-; auto|eauto].
Qed.
Lemma spread (g : nat -> R) k n : (k < n)%nat -> g k = sum (map (fun j => (if Nat.eqb k j then 1 else 0) * g j) (seq 0 n)).
Proof.
  intro H. assert (A : forall s n, (s <= k < s + n)%nat -> g k = sum (map (fun j => (if Nat.eqb k j then 1 else 0) * g j) (seq s n))).
  { assert (Z : forall n s, (k < s)%nat -> sum (map (fun j => (if Nat.eqb k j then 1 else 0) * g j) (seq s n)) = 0).
    { induction n0; simpl; intros s L; auto. rewrite IHn0 by lia. destruct (Nat.eqb_spec k s); [lia|ring]. }
    intros s n0. revert s. induction n0; simpl; intros s L; [lia|].
    destruct (Nat.eqb_spec k s) as [->|]; [rewrite Z by lia; ring|]. rewrite <- IHn0 by lia. ring. }
  apply A; lia.
Qed.

(* [prop:layers] The last winner has the law of the product of the layers' transition matrices. *)
Theorem layers_chain n Ls i j : Forall (within n) Ls -> chain Ls i (fun k => if Nat.eqb k j then 1 else 0) = product n Ls i j.
Proof.
  intro H. revert i. induction H as [|L l HL Hl IH]; intro i; simpl; [reflexivity|].
  unfold given_some at 1.
  transitivity (draw (snd (L i)) (fst (L i)) (fun o => sum (map (fun k => hit k o * product n l k j) (seq 0 n)))
    / draw (snd (L i)) (fst (L i)) full).
  - f_equal. unfold draw. apply Ex_ext. intro m. destruct (first (fst (L i)) m) as [k|] eqn:E.
    + rewrite IH. apply (spread (fun k => product n l k j)). eapply first_within; eauto.
    + simpl. induction (seq 0 n); simpl; lra.
  - induction (seq 0 n) as [|k ks IHk]; simpl.
    + unfold draw at 1. rewrite Ex_const. unfold Rdiv. ring.
    + rewrite draw_plus. unfold Rdiv. rewrite Rmult_plus_distr_r. f_equal; [|exact IHk].
      rewrite (draw_ext _ _ _ (fun o => product n l k j * hit k o)) by (intro; ring). rewrite draw_scal.
      unfold transition, given_some, Rdiv.
      change (fun o => match o with Some k0 => if Nat.eqb k0 k then 1 else 0 | None => 0 end) with (hit k). ring.
Qed.
Example layers_chain_inhabited :
  chain [fun _ => ([(0%nat, 1); (1%nat, 1)], [1/2; 1/2])] 0 (fun k => if Nat.eqb k 1 then 1 else 0) = 1/3.
Proof.
  rewrite (layers_chain 2); [|constructor; [intro i; simpl; repeat constructor|constructor]].
  unfold product, transition, given_some, draw, full, empty. simpl. field.
Qed.
(* [prop:layers] With the mapping in a row that has a positive sum, the transition probabilities are the weights over the row's sum. *)
Theorem layer_mapping L i j : nonneg (strengths (fst (L i))) -> total (fst (L i)) <> 0 -> snd (L i) = mapping (strengths (fst (L i))) ->
  transition L i j = weight_of j (fst (L i)) / total (fst (L i)).
Proof.
  intros H N E. unfold transition, given_some. rewrite E. set (r := fst (L i)) in *.
  assert (F : draw (mapping (strengths r)) r full = 1).
  { apply (Rmult_eq_reg_r (total r)); auto. rewrite draw_mapping by auto. rewrite Rmult_1_l, <- by_weight_one.
    clear. induction r as [|[k w] r IH]; simpl; auto. rewrite IH. unfold full; simpl. ring. }
  rewrite F. change (fun o => match o with Some k => if Nat.eqb k j then 1 else 0 | None => 0 end) with (hit j).
  rewrite <- (by_weight_hit r j), <- draw_mapping by auto. field; auto.
Qed.
Example layer_mapping_inhabited : transition (fun _ => ([(0%nat, 1); (1%nat, 3)], mapping [1; 3])) 0 1 = 3/4.
Proof.
  rewrite layer_mapping; [unfold total; simpl; field|simpl; repeat constructor; simpl; lra|unfold total; simpl; lra|reflexivity].
Qed.
