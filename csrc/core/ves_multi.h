/* ves_multi: several inputs active together (the original's Appendix C, and what goes beyond it).
 *
 * Everywhere: k active inputs in ascending order, n outputs; w is the k x n block of their weights,
 * x their activities, e[a*n+j] = x_a w_aj the effective weights. */
#ifndef VES_MULTI_H
#define VES_MULTI_H

#include "ves_status.h"
#include <gsl/gsl_rng.h>
#include <stddef.h>
#include <stdint.h>

/* p = W'x / sum(W'x), the distribution to be sampled: a mixture of the rows' distributions with
 * weights x_a R_a, R_a the row's sum. [eq:mixture] */
ves_status ves_multi_mixture(const double *w, const double *x, size_t k, size_t n, double *p);

/* ---- Appendix C: the normal approximation ---- */

/* p[i] = Phi((mu_i - mu_J) / sqrt(var_i + var_J)), J the output of largest mean (the lower index
 * on ties); p[J] = 1/2 whatever W, Q, x. *strongest = J (may be NULL). [app:normal-approximation]
 */
ves_status ves_multi_normal_fixed(const double *e, const double *q, size_t k, size_t n, double *p,
                                  size_t *strongest);

/* p[i] = min over j != i of Phi((mu_i - mu_j) / sqrt(var_i + var_j)); at least 1/2 at the output of
 * largest mean. [app:normal-approximation] */
ves_status ves_multi_normal_min(const double *e, const double *q, size_t k, size_t n, double *p);

/* ---- one input, when empty draws are repeated ---- */

/* q_i = c p_i / (1 - c sum of stronger p): given that something transmits, the winner is i with
 * probability p_i = w_i / sum(w), and something transmits with probability c, 0 < c <= 1. All
 * releases with that conditional law are of this form. [eq:redraw-family] */
ves_status ves_multi_redraw_family(const double *w, size_t n, double c, double *q);

/* ---- two-stage release ---- */

/* The winner's exact distribution under two-stage release, computed from its mechanism: the inputs
 * compete by subset and maximum on x_a R_a, then the winner's row transmits alone. [eq:two-stage]
 */
ves_status ves_multi_two_stage_exact(const double *w, const double *x, size_t k, size_t n,
                                     double *p);

typedef struct ves_two_stage ves_two_stage;

/* A plan for sampling; input[a] is the index of active input a among all inputs and addresses its
 * random bits. Copies what it is given. *plan is NULL unless VES_OK. VES_EDOMAIN if no effective
 * weight is positive. [eq:two-stage] */
ves_status ves_two_stage_alloc(const double *w, const double *x, const uint32_t *input, size_t k,
                               size_t n, ves_two_stage **plan);
void ves_two_stage_free(ves_two_stage *plan);

/* Draws first .. first+draws-1 of stream key: winner[d] = 1 + the winning output; via[d] = the
 * position a of the input that won the first stage (via may be NULL). No draw is empty.
 * Stage 1 uses the key's substream "inputs", stage 2 its substream "outputs", both at the draw's
 * own index. [eq:two-stage] */
ves_status ves_multi_two_stage(ves_two_stage *plan, uint64_t key, uint64_t first, size_t draws,
                               uint32_t *winner, uint32_t *via);

/* ---- an exact release for a given x ---- */

typedef struct {
  double nonempty;   /* c in (0, 1): the probability that a draw of the solution is not empty */
  double tolerance;  /* on max_j |log(achieved_j / p_j)|, or what rounding leaves at c close to 1 */
  size_t iterations; /* bound on Newton steps of one attempt */
  size_t restarts;   /* further attempts, from directions perturbed with rng, should one fail */
  double spread;     /* log-sd of those perturbations */
} ves_multi_options;

ves_multi_options ves_multi_defaults(void);

typedef struct {
  double kl;         /* KL(W'x normalised || achieved, given a non-empty draw), nats */
  double empty;      /* probability of an empty draw */
  double residual;   /* max_j |achieved_j / p_j - 1| over p_j > 0 */
  size_t iterations; /* Newton steps taken, all attempts */
  size_t attempts;   /* 1 unless restarts were needed */
} ves_multi_report;

/* q (k x n) under which the winner, given that something transmits, has exactly the distribution
 * W'x normalised. k <= VES_WINNER_INPUTS_MAX. rng may be NULL (then there are no restarts). A
 * synapse of effective weight zero gets q = 0. VES_ECONVERGE if the tolerance was not reached: q
 * and report then hold the best attempt. [eq:multi-solve] */
ves_status ves_multi_solve(const double *w, const double *x, size_t k, size_t n,
                           const ves_multi_options *opt, gsl_rng *rng, double *q,
                           ves_multi_report *report);

#endif
