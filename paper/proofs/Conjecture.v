(* The conjecture: no constant releases serve all combinations of active inputs.

   Two inputs are active together. Output j receives y_j, the sum of what its two synapses transmit, and the largest sum wins, the lower index on a tie.
   All masks of both rows are listed, each with its probability. Presented alone, an input forces its row into the redraw family ([eq:redraw-family]),
   with a chance c or d of a draw that is not empty; those releases are written out here. What both together should do is the mixture of the rows. *)
From Coq Require Import Reals List Lra Lia.
From Vesicle Require Import Masks Mapping.
Import ListNotations.
Open Scope R_scope.

(* What the outputs receive from a row of weights under a mask, and from two active rows. *)
Fixpoint sends (w : list R) (m : list bool) : list R :=
  match w, m with x :: l, b :: m' => (if b then x else 0) :: sends l m' | _, _ => nil end.
Fixpoint add (y z : list R) : list R := match y, z with a :: y', b :: z' => a + b :: add y' z' | _, _ => nil end.
(* The output that receives most, if any receives something; the lower index on a tie. *)
Fixpoint best (i : nat) (y : list R) (o : option nat) (most : R) : option nat :=
  match y with nil => o | x :: l => if Rlt_dec most x then best (S i) l (Some i) x else best (S i) l o most end.
Definition strongest (y : list R) : option nat := best 0 y None 0.
Definition outcome (j : nat) (o : option nat) : R := match o with Some k => if Nat.eqb k j then 1 else 0 | None => 0 end.
(* The probability that output j wins when both inputs are on, with releases a and b of rows v and w. *)
Definition both (v w a b : list R) (j : nat) : R :=
  Ex a (fun m => Ex b (fun n => outcome j (strongest (add (sends v m) (sends w n))))).

Ltac decide_all := unfold both, strongest, Ex; cbn [sends add best];
  repeat match goal with |- context [Rlt_dec ?x ?y] => destruct (Rlt_dec x y); [try (exfalso; lra)|try (exfalso; lra)] end;
  cbn [outcome Nat.eqb].

(* Alone, a row of two or three weights that sum to one wins as encoded, empty draws counted (c = 1) or repeated. *)
Definition alone (p q : list R) (c : R) := length q = length p /\ forall i, (i < length p)%nat -> P q (Some i) = c * nth i p 0.

Lemma alone_family p q c : distribution p -> 0 < c <= 1 -> alone p q c ->
  forall i, (i < length p)%nat -> nth i q 0 = c * nth i p 0 / (1 - c * sum (firstn i p)).
Proof. intros D Hc [L H]. now apply redraw_family. Qed.

(* [thm:conjecture] (a) If empty draws count, no constant releases serve both inputs of the matrix (.6, .4; .6, .4), alone and together. *)
Theorem conjecture_a : let p := [6/10; 4/10] in ~ exists a b, alone p a 1 /\ alone p b 1 /\ both p p a b 0 = 6/10.
Proof.
  intros p (a & b & Ha & Hb & H).
  assert (D : distribution p) by (split; [repeat constructor; lra|unfold p; simpl; lra]).
  assert (K : forall q, alone p q 1 -> q = [6/10; 1]).
  { intros q Hq. pose proof (alone_family p q 1 D ltac:(lra) Hq) as F. destruct Hq as [L _].
    destruct q as [|x [|y [|z q]]]; simpl in L; try discriminate.
    pose proof (F 0%nat ltac:(simpl; lia)) as F0. pose proof (F 1%nat ltac:(simpl; lia)) as F1.
    unfold p in F0, F1; simpl in F0, F1. f_equal; [rewrite F0; field|]. f_equal. rewrite F1. field. }
  rewrite (K a Ha), (K b Hb) in H. revert H. unfold p. decide_all. lra.
Qed.

(* [thm:conjecture] (a) Output 1 wins with probability .36 instead of .6. *)
Theorem conjecture_a_value : both [6/10; 4/10] [6/10; 4/10] [6/10; 1] [6/10; 1] 0 = 36/100.
Proof. decide_all. lra. Qed.

(* [conjecture:solution] If empty draws are repeated, the same matrix has a constant solution: both rows (3/7, 1/2). *)
Theorem conjecture_solution : let p := [6/10; 4/10] in let q := [3/7; 1/2] in
  P q (Some 0%nat) = (1 - P q None) * (6/10) /\ P q (Some 1%nat) = (1 - P q None) * (4/10) /\
  both p p q q 0 = (both p p q q 0 + both p p q q 1) * (6/10).
Proof.
  intros p q. unfold p, q. split; [|split].
  - rewrite winner_law, nothing_law by (simpl; lia). simpl. lra.
  - rewrite winner_law, nothing_law by (simpl; lia). simpl. lra.
  - assert (E0 : both [6/10; 4/10] [6/10; 4/10] [3/7; 1/2] [3/7; 1/2] 0 = 27/49) by (decide_all; lra).
    assert (E1 : both [6/10; 4/10] [6/10; 4/10] [3/7; 1/2] [3/7; 1/2] 1 = 18/49) by (decide_all; lra).
    rewrite E0, E1. lra.
Qed.

(* Under the weights of (b) output 2 wins iff one of its synapses transmits while the strong ones onto outputs 1 and 3 both fail. *)
Lemma middle_wins u p r m1 m2 m3 n1 n2 n3 : 0 < r -> r < p -> 2 * p < u ->
  outcome 1 (strongest (add (sends [u; p; r] [m1; m2; m3]) (sends [r; p; u] [n1; n2; n3]))) =
  if ((m2 || n2) && negb m1 && negb n3)%bool then 1 else 0.
Proof.
  intros. unfold strongest. destruct m1, m2, m3, n1, n2, n3; cbn [sends add best];
    repeat match goal with |- context [Rlt_dec ?x ?y] => destruct (Rlt_dec x y); [try (exfalso; lra)|try (exfalso; lra)] end; reflexivity.
Qed.

(* The probability that output j wins when one input is on, whatever the order of its weights. *)
Definition single (w q : list R) (j : nat) : R := Ex q (fun m => outcome j (strongest (sends w m))).
Lemma single_falling u p r x y z : 0 < r -> r < p -> p < u ->
  single [u; p; r] [x; y; z] 0 = x /\ single [u; p; r] [x; y; z] 1 = y * (1 - x) /\ single [u; p; r] [x; y; z] 2 = z * (1 - x) * (1 - y).
Proof.
  intros. unfold single, Ex, strongest. cbn [sends best].
  repeat match goal with |- context [Rlt_dec ?x ?y] => destruct (Rlt_dec x y); [try (exfalso; lra)|try (exfalso; lra)] end.
  cbn [outcome Nat.eqb]. repeat split; ring.
Qed.
Lemma single_rising u p r x y z : 0 < r -> r < p -> p < u ->
  single [r; p; u] [x; y; z] 2 = z /\ single [r; p; u] [x; y; z] 1 = y * (1 - z) /\ single [r; p; u] [x; y; z] 0 = x * (1 - z) * (1 - y).
Proof.
  intros. unfold single, Ex, strongest. cbn [sends best].
  repeat match goal with |- context [Rlt_dec ?x ?y] => destruct (Rlt_dec x y); [try (exfalso; lra)|try (exfalso; lra)] end.
  cbn [outcome Nat.eqb]. repeat split; ring.
Qed.

(* [thm:conjecture] (b) If empty draws are repeated, no constant releases serve rows (u, p, r) and (r, p, u) with u > 2 p, p > r > 0 and u + p + r = 1, alone
   (c and d being the chances of a draw that is not empty) and together, where output 2 would have to win a share p of the draws that are not empty. *)
Theorem conjecture_b u p r : 0 < r -> r < p -> 2 * p < u -> u + p + r = 1 ->
  ~ exists a b c d, length a = 3%nat /\ length b = 3%nat /\ 0 < c <= 1 /\ 0 < d <= 1 /\
    (forall j, (j < 3)%nat -> single [u; p; r] a j = c * nth j [u; p; r] 0) /\
    (forall j, (j < 3)%nat -> single [r; p; u] b j = d * nth j [r; p; u] 0) /\
    both [u; p; r] [r; p; u] a b 1 = (1 - P a None * P b None) * p.
Proof.
  intros Hr Hp Hu Hs (a & b & c & d & La & Lb & Hc & Hd & Ha & Hb & H).
  destruct a as [|x [|y [|z [|]]]]; simpl in La; try discriminate.
  destruct b as [|x' [|y' [|z' [|]]]]; simpl in Lb; try discriminate.
  destruct (single_falling u p r x y z) as [A0 [A1 A2]]; try lra. destruct (single_rising u p r x' y' z') as [B2 [B1 B0]]; try lra.
  rewrite (Ha 0%nat) in A0 by lia. rewrite (Ha 1%nat) in A1 by lia. rewrite (Ha 2%nat) in A2 by lia.
  rewrite (Hb 0%nat) in B0 by lia. rewrite (Hb 1%nat) in B1 by lia. rewrite (Hb 2%nat) in B2 by lia. cbn [nth] in *.
  assert (E : both [u; p; r] [r; p; u] [x; y; z] [x'; y'; z'] 1 = (1 - x) * (1 - z') * (y + y' - y * y')).
  { unfold both, Ex. rewrite !middle_wins by assumption. cbn [orb andb negb]. ring. }
  assert (Na : P [x; y; z] None = 1 - c).
  { rewrite nothing_law. simpl. transitivity (1 - (x + y * (1 - x) + z * (1 - x) * (1 - y))); [ring|].
    rewrite <- A2, <- A1, <- A0. replace (c * u + c * p + c * r) with (c * (u + p + r)) by ring. rewrite Hs. ring. }
  assert (Nb : P [x'; y'; z'] None = 1 - d).
  { rewrite nothing_law. simpl. transitivity (1 - (z' + y' * (1 - z') + x' * (1 - z') * (1 - y'))); [ring|].
    rewrite <- B0, <- B1, <- B2. replace (d * u + d * p + d * r) with (d * (u + p + r)) by ring. rewrite Hs. ring. }
  rewrite E, Na, Nb in H.
  assert (K : (1 - x) * (1 - z') * (y + y' - y * y') = p * (c + d - (2 * u + p) * (c * d))).
  { transitivity ((1 - z') * (y * (1 - x)) + (1 - x) * (y' * (1 - z')) - (y * (1 - x)) * (y' * (1 - z'))); [ring|].
    rewrite <- A1, <- B1, <- A0, <- B2. ring. }
  rewrite K in H. assert (0 < c * d) by nra. assert (0 < p * (c * d)) by nra.
  assert (p * (c * d) * (2 * u + p - 1) = 0) by lra. nra.
Qed.
Example conjecture_b_inhabited : ~ exists a b c d, length a = 3%nat /\ length b = 3%nat /\ 0 < c <= 1 /\ 0 < d <= 1 /\
    (forall j, (j < 3)%nat -> single [6/10; 1/4; 15/100] a j = c * nth j [6/10; 1/4; 15/100] 0) /\
    (forall j, (j < 3)%nat -> single [15/100; 1/4; 6/10] b j = d * nth j [15/100; 1/4; 6/10] 0) /\
    both [6/10; 1/4; 15/100] [15/100; 1/4; 6/10] a b 1 = (1 - P a None * P b None) * (1/4).
Proof. apply conjecture_b; lra. Qed.
