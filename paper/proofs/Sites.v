(* Several release sites, masks that are held, and hypotheses that act on releases.

   Each of N independent sites of a synapse transmits w / (N f) with probability f. The mask of a synapse is a list of N truth values, and what it
   sends is a number of open sites times w / (N f). Its variance is that of the Beta weight iff f = 1 / (1 + N t). *)
From Coq Require Import Reals List Lra Lia.
From Vesicle Require Import Masks Mapping Phi.
Import ListNotations.
Open Scope R_scope.

Definition sites (N : nat) (f : R) : list R := repeat f N.
Fixpoint opened (m : list bool) : R := match m with nil => 0 | b :: l => (if b then 1 else 0) + opened l end.
(* The central moment of order k of what a synapse with N sites sends. *)
Definition sends (w f : R) (N : nat) (m : list bool) : R := w / (INR N * f) * opened m.
Definition central (k : nat) (w f : R) (N : nat) : R := Ex (sites N f) (fun m => (sends w f N m - w) ^ k).

Lemma opened_moments f N :
  Ex (sites N f) opened = INR N * f /\
  Ex (sites N f) (fun m => (opened m - INR N * f) ^ 2) = INR N * f * (1 - f) /\
  Ex (sites N f) (fun m => (opened m - INR N * f) ^ 3) = INR N * f * (1 - f) * (1 - 2 * f).
Proof.
  induction N as [|N [I1 [I2 I3]]]; [simpl; repeat split; ring|].
  rewrite S_INR. simpl sites. fold (sites N f) in *. set (q := sites N f) in *.
  assert (Z : Ex q (fun m => opened m - INR N * f) = 0) by (rewrite Ex_minus, Ex_const, I1; ring).
  cbn [Ex opened].
  assert (K1 : forall c, Ex q (fun m => c + opened m) = c + INR N * f) by (intro; rewrite Ex_plus, Ex_const, I1; ring).
  assert (K2 : forall c, Ex q (fun m => (c + opened m - (INR N + 1) * f) ^ 2) = INR N * f * (1 - f) + (c - f) ^ 2).
  { intro c. rewrite (Ex_ext _ _ (fun m => (opened m - INR N * f) ^ 2 + (2 * (c - f)) * (opened m - INR N * f) + (c - f) ^ 2)) by (intro; ring).
    rewrite Ex_plus, Ex_plus, Ex_scal, Ex_const, I2, Z. ring. }
  assert (K3 : forall c, Ex q (fun m => (c + opened m - (INR N + 1) * f) ^ 3) =
    INR N * f * (1 - f) * (1 - 2 * f) + 3 * (c - f) * (INR N * f * (1 - f)) + (c - f) ^ 3).
  { intro c. rewrite (Ex_ext _ _ (fun m => (opened m - INR N * f) ^ 3 + (3 * (c - f)) * (opened m - INR N * f) ^ 2
      + (3 * (c - f) ^ 2) * (opened m - INR N * f) + (c - f) ^ 3)) by (intro; ring).
    rewrite Ex_plus, Ex_plus, Ex_plus, Ex_scal, Ex_scal, Ex_const, I3, I2, Z. ring. }
  rewrite !K1, !K2, !K3. repeat split; ring.
Qed.

(* [prop:sites] (i) The mean is w, the variance w^2 (1 - f) / (N f), the third central moment w^3 (1 - f) (1 - 2 f) / (N f)^2. *)
Theorem sites_moments w f N : 0 < f -> (0 < N)%nat ->
  Ex (sites N f) (sends w f N) = w /\
  central 2 w f N = w ^ 2 * ((1 - f) / (INR N * f)) /\
  central 3 w f N = w ^ 3 * ((1 - f) * (1 - 2 * f) / (INR N * f) ^ 2).
Proof.
  intros Hf HN. assert (0 < INR N) by now apply lt_0_INR. destruct (opened_moments f N) as [I1 [I2 I3]].
  assert (D : INR N * f <> 0) by nra. unfold central. split; [|split].
  - unfold sends. rewrite Ex_scal, I1. field. split; lra.
  - rewrite (Ex_ext _ _ (fun m => (w / (INR N * f)) ^ 2 * (opened m - INR N * f) ^ 2)) by (intro; unfold sends; field; split; lra).
    rewrite Ex_scal, I2. field. split; lra.
  - rewrite (Ex_ext _ _ (fun m => (w / (INR N * f)) ^ 3 * (opened m - INR N * f) ^ 3)) by (intro; unfold sends; field; split; lra).
    rewrite Ex_scal, I3. field. split; lra.
Qed.
Example sites_moments_inhabited : central 2 1 (1/2) 4 = 1/4.
Proof. destruct (sites_moments 1 (1/2) 4) as [_ [-> _]]; [lra|lia|simpl; field]. Qed.

Definition phi_sites (N : nat) (A B : R) : R := 1 / (1 + INR N * t A B).
(* [prop:sites] (ii) The variance is that of Beta(A, B) iff f = 1 / (1 + N t), and the third central moment is then w^3 t (t - 1 / N). *)
Theorem sites_exact N A B f : (0 < N)%nat -> 0 < A -> 0 < B -> 0 < f ->
  (central 2 (weight A B) f N = beta_variance A B <-> f = phi_sites N A B) /\
  (f = phi_sites N A B -> central 3 (weight A B) f N = weight A B ^ 3 * t A B * (t A B - 1 / INR N)).
Proof.
  intros HN HA HB Hf. assert (0 < INR N) by now apply lt_0_INR. pose proof (t_pos A B HA HB). pose proof (weight_pos A B HA HB).
  assert (0 < INR N * t A B) by nra.
  destruct (sites_moments (weight A B) f N Hf HN) as [_ [-> ->]]. rewrite beta_variance_t by auto. unfold phi_sites. split; [split|].
  - intro E. assert (G : (1 - f) / (INR N * f) = t A B).
    { apply (Rmult_eq_reg_l (weight A B * weight A B)); [|nra]. rewrite <- E. ring. }
    assert (1 - f = INR N * t A B * f) by (rewrite <- G; field; split; lra).
    apply (Rmult_eq_reg_r (1 + INR N * t A B)); [|lra]. field_simplify; lra.
  - intros ->. field. repeat split; lra.
  - intros ->. field. repeat split; lra.
Qed.
Example sites_exact_inhabited : central 2 (weight 1 3) (phi_sites 2 1 3) 2 = 3/80.
Proof.
  assert (0 < phi_sites 2 1 3) by (unfold phi_sites, t, C; simpl; lra).
  rewrite (proj2 (proj1 (sites_exact 2 1 3 (phi_sites 2 1 3) ltac:(lia) ltac:(lra) ltac:(lra) ltac:(auto))) eq_refl).
  unfold beta_variance. lra.
Qed.
(* [prop:sites] (iv) No site sends more than w (t + 1 / N), which is at most (A + 1) / (A + B + 1). *)
Theorem sites_bound N A B : (0 < N)%nat -> 0 < A -> 0 < B ->
  weight A B / (INR N * phi_sites N A B) = weight A B * (t A B + 1 / INR N) /\
  weight A B * (t A B + 1 / INR N) <= (A + 1) / (A + B + 1) <= 1.
Proof.
  intros HN HA HB. assert (N1 : 1 <= INR N) by (apply (le_INR 1); lia). pose proof (t_pos A B HA HB). pose proof (weight_pos A B HA HB).
  assert (0 < INR N * t A B) by nra. destruct (phi_strength A B HA HB) as [P1 [P2 P3]].
  split; [unfold phi_sites; field; repeat split; lra|]. rewrite <- P2. split; [|lra].
  rewrite P1. replace (weight A B / (1 / (1 + t A B))) with (weight A B * (t A B + 1)) by (field; lra).
  apply Rmult_le_compat_l; [lra|]. apply Rplus_le_compat_l. unfold Rdiv. rewrite Rmult_1_l, <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.
Example sites_bound_inhabited : weight 1 3 * (t 1 3 + 1 / INR 2) <= (1 + 1) / (1 + 3 + 1).
Proof. destruct (sites_bound 2 1 3) as [_ [L _]]; auto; lra. Qed.

(* --- Held masks ------------------------------------------------------------------------------------------------------ *)

(* A linear readout of synapses, each of which is given by what it contributes: its coefficient c = c_j x_i w_ij, the release r, the number of
   sites and their release f. The open sites are a list of masks, one for each synapse; whether a synapse releases is one mask. *)
Record synapse := { coefficient : R; release : R; number : nat; site : R }.
Definition spread (s : synapse) : R := (1 - site s) / (INR (number s) * site s).
Definition fit (s : synapse) : Prop := 0 < site s /\ (0 < number s)%nat.
(* Expectation over the open sites of all synapses. *)
Fixpoint Sites (l : list synapse) (f : list (list bool) -> R) : R :=
  match l with nil => f nil | s :: r => Ex (sites (number s) (site s)) (fun k => Sites r (fun K => f (k :: K))) end.
Definition factor (s : synapse) (k : list bool) : R := opened k / (INR (number s) * site s).
Fixpoint readout (l : list synapse) (K : list (list bool)) (z : list bool) : R :=
  match l, K, z with s :: l', k :: K', b :: z' => coefficient s * factor s k * (if b then 1 else 0) + readout l' K' z' | _, _, _ => 0 end.
Definition Releases (l : list synapse) (f : list bool -> R) : R := Ex (map release l) f.
(* Mean and variance of the readout given the open sites, and over all. *)
Definition mean_given l K := Releases l (readout l K).
Definition var_given l K := Releases l (fun z => (readout l K z - mean_given l K) ^ 2).
Definition mean_all l := Sites l (mean_given l).
Definition between l := Sites l (fun K => (mean_given l K - mean_all l) ^ 2).
Definition within l := Sites l (var_given l).
Definition var_all l := Sites l (fun K => Releases l (fun z => (readout l K z - mean_all l) ^ 2)).

Lemma Sites_ext l : forall f g, (forall K, length K = length l -> f K = g K) -> Sites l f = Sites l g.
Proof. induction l; simpl; intros f g H; [auto|]. apply Ex_ext. intro. apply IHl. intros. apply H. simpl; lia. Qed.
Lemma Sites_const l c : Sites l (fun _ => c) = c.
Proof. induction l; simpl; auto. rewrite (Ex_ext _ _ (fun _ => c)) by auto. apply Ex_const. Qed.
Lemma Sites_plus l : forall f g, Sites l (fun K => f K + g K) = Sites l f + Sites l g.
Proof. induction l; simpl; intros; auto. rewrite <- Ex_plus. apply Ex_ext. intro. apply IHl. Qed.
Lemma Sites_scal l c : forall f, Sites l (fun K => c * f K) = c * Sites l f.
Proof. induction l; simpl; intros; auto. rewrite <- Ex_scal. apply Ex_ext. intro. apply IHl. Qed.

Lemma mean_given_eq l : forall K, length K = length l ->
  mean_given l K = sum (map (fun p => coefficient (fst p) * factor (fst p) (snd p) * release (fst p)) (combine l K)).
Proof.
  unfold mean_given, Releases. induction l as [|s l IH]; intros [|k K] L; simpl in *; try discriminate; auto.
  rewrite Ex_plus, Ex_const, IH by lia.
  rewrite (Ex_ext _ (fun m => _ * 0 + readout l K m) (readout l K)) by (intro; ring). rewrite IH by lia. ring.
Qed.
Lemma var_given_eq l : forall K, length K = length l ->
  var_given l K = sum (map (fun p => (coefficient (fst p) * factor (fst p) (snd p)) ^ 2 * (release (fst p) * (1 - release (fst p)))) (combine l K)).
Proof.
  induction l as [|s l IH]; intros [|k K] L; try discriminate; [unfold var_given, mean_given, Releases; simpl; ring|].
  simpl in L. specialize (IH K ltac:(lia)).
  cbn [combine map sum fst snd]. rewrite <- IH.
  pose proof (mean_given_eq (s :: l) (k :: K) ltac:(simpl; lia)) as M. simpl in M.
  rewrite <- (mean_given_eq l K) in M by lia. unfold var_given. rewrite M. unfold Releases. simpl.
  set (q := map release l). set (c := coefficient s * factor s k). set (r := release s). set (mu := mean_given l K).
  assert (Z : Ex q (fun z => readout l K z - mu) = 0) by (rewrite Ex_minus, Ex_const; unfold mu, mean_given, Releases, q; ring).
  assert (Q : forall d, Ex q (fun z => (readout l K z - mu + d) ^ 2) = Ex q (fun z => (readout l K z - mu) ^ 2) + d ^ 2).
  { intro d. rewrite (Ex_ext _ _ (fun z => (readout l K z - mu) ^ 2 + (2 * d) * (readout l K z - mu) + d ^ 2)) by (intro; ring).
    rewrite Ex_plus, Ex_plus, Ex_scal, Ex_const, Z. ring. }
  rewrite (Ex_ext q (fun m => _) (fun z => (readout l K z - mu + c * (1 - r)) ^ 2)) by (intro; unfold c, r; ring).
  rewrite (Ex_ext q (fun m => (c * 0 + readout l K m - _) * _) (fun z => (readout l K z - mu + - (c * r)) ^ 2)) by (intro; unfold c, r; ring).
  rewrite !Q. fold q. rewrite (Ex_ext q (fun z => (_ - mu) * _) (fun z => (readout l K z - mu) ^ 2)) by (intro; ring). ring.
Qed.
Lemma factor_moments s : fit s ->
  Ex (sites (number s) (site s)) (factor s) = 1 /\
  Ex (sites (number s) (site s)) (fun k => factor s k ^ 2) = 1 + spread s.
Proof.
  intros [Hf HN]. destruct (opened_moments (site s) (number s)) as [I1 [I2 _]].
  assert (0 < INR (number s)) by now apply lt_0_INR. unfold factor, spread. split.
  - rewrite (Ex_ext _ _ (fun k => / (INR (number s) * site s) * opened k)) by (intro; unfold Rdiv; ring).
    rewrite Ex_scal, I1. field. split; lra.
  - rewrite (Ex_ext _ _ (fun k => / (INR (number s) * site s) ^ 2 * (opened k - INR (number s) * site s) ^ 2
      + (2 * / (INR (number s) * site s)) * opened k + (-1))) by (intro; field; split; lra).
    rewrite Ex_plus, Ex_plus, Ex_scal, Ex_scal, Ex_const, I1, I2. field. split; lra.
Qed.
Lemma mean_all_eq l : Forall fit l -> mean_all l = sum (map (fun s => coefficient s * release s) l).
Proof.
  unfold mean_all. intro H. rewrite (Sites_ext l _ _ (mean_given_eq l)). induction H as [|s l Hs Hl IH]; simpl; [auto|].
  rewrite (Ex_ext _ _ (fun k => (coefficient s * release s) * factor s k + sum (map (fun s => coefficient s * release s) l))).
  - rewrite Ex_plus, Ex_scal, Ex_const, (proj1 (factor_moments s Hs)). ring.
  - intro k. rewrite Sites_plus, Sites_const, IH. ring.
Qed.

(* [prop:held] The variance between bouts, and the mean variance within them. *)
Theorem held_components l : Forall fit l ->
  between l = sum (map (fun s => coefficient s ^ 2 * release s ^ 2 * spread s) l) /\
  within l = sum (map (fun s => coefficient s ^ 2 * (release s * (1 - release s)) * (1 + spread s)) l).
Proof.
  intro H. split.
  - unfold between. rewrite (mean_all_eq l H).
    rewrite (Sites_ext l _ (fun K => (sum (map (fun p => coefficient (fst p) * factor (fst p) (snd p) * release (fst p)) (combine l K))
      - sum (map (fun s => coefficient s * release s) l)) ^ 2)) by (intros K L; now rewrite mean_given_eq).
    induction H as [|s l Hs Hl IH]; [simpl; ring|].
    cbn [Sites map sum combine fst snd].
    set (G := fun K => sum (map (fun p => coefficient (fst p) * factor (fst p) (snd p) * release (fst p)) (combine l K))) in *.
    set (mu := sum (map (fun s => coefficient s * release s) l)) in *.
    assert (Z : Sites l (fun K => G K + - mu) = 0).
    { rewrite Sites_plus, Sites_const. unfold G, mu. rewrite <- (mean_all_eq l Hl). unfold mean_all.
      rewrite (Sites_ext l (mean_given l) _ (mean_given_eq l)). ring. }
    set (c := coefficient s * release s).
    rewrite (Ex_ext _ _ (fun k => c ^ 2 * factor s k ^ 2 + (- 2 * c ^ 2) * factor s k + (c ^ 2 + Sites l (fun K => (G K - mu) ^ 2)))).
    + destruct (factor_moments s Hs) as [F1 F2]. rewrite Ex_plus, Ex_plus, Ex_scal, Ex_scal, Ex_const, F1, F2. unfold G. rewrite IH. unfold c. ring.
    + intro k. rewrite (Sites_ext l _ (fun K => (G K - mu) ^ 2 + ((2 * c * (factor s k - 1)) * (G K + - mu) + c ^ 2 * (factor s k - 1) ^ 2)))
        by (intros; unfold c, G; ring).
      rewrite Sites_plus, Sites_plus, Sites_scal, Sites_const, Z. ring.
  - unfold within. rewrite (Sites_ext l _ _ (var_given_eq l)). induction H as [|s l Hs Hl IH]; simpl; [auto|].
    rewrite (Ex_ext _ _ (fun k => (coefficient s ^ 2 * (release s * (1 - release s))) * factor s k ^ 2
      + sum (map (fun s => coefficient s ^ 2 * (release s * (1 - release s)) * (1 + spread s)) l))).
    + rewrite Ex_plus, Ex_scal, Ex_const, (proj2 (factor_moments s Hs)). simpl. ring.
    + intro k. rewrite Sites_plus, Sites_const. simpl in IH. rewrite IH. simpl. ring.
Qed.
Example held_components_inhabited :
  between [{| coefficient := 1; release := 1/2; number := 2; site := 1/2 |}] = 1/8.
Proof.
  rewrite (proj1 (held_components [{| coefficient := 1; release := 1/2; number := 2; site := 1/2 |}]
    ltac:(constructor; [split; simpl; [lra|lia]|constructor]))). unfold spread. simpl. field.
Qed.
(* [prop:held] Their sum is the whole variance. *)
Theorem held_decomposition l : between l + within l = var_all l.
Proof.
  unfold between, within, var_all. rewrite <- Sites_plus. apply Sites_ext. intros K _. unfold var_given, Releases.
  rewrite (Ex_ext _ (fun z => (readout l K z - mean_all l) ^ 2) (fun z => (readout l K z - mean_given l K) ^ 2
    + ((2 * (mean_given l K - mean_all l)) * (readout l K z - mean_given l K) + (mean_given l K - mean_all l) ^ 2))) by (intro; ring).
  rewrite Ex_plus, Ex_plus, Ex_scal, Ex_const, Ex_minus, Ex_const. unfold mean_given, Releases. ring.
Qed.
