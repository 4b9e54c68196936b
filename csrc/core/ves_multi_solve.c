/* ves_multi_solve: releases under which the winner has exactly the distribution W'x, for one x.
 *
 * The original supposes that "separate solutions exist for every possible combination of input
 * activations". They do, and here is why. [eq:multi-solve]
 *
 * Let p be W'x normalised and e_aj = x_a w_aj. Fix a direction h_aj > 0 wherever e_aj > 0, and let
 * one unknown theta_j >= 0 per output scale the hazard of all synapses onto it:
 *
 *     q_aj = 1 - exp(-theta_j h_aj).
 *
 * Then P(nothing transmits) = exp(-sum of theta_j h_aj). Claim: for every c in (0, 1) exactly one
 * theta has P(win = j) = c p_j for all j. (So given a non-empty draw, j wins with probability p_j,
 * and a draw is empty with probability 1 - c.)
 *
 *   1. Raising theta_j can only raise y_j: couple the draws through one uniform variable per
 *      synapse. So P(win = j) rises, every other P(win = l) falls or stays, and P(nothing) falls
 *      strictly. The Jacobian J of the win probabilities has non-positive entries off the diagonal,
 *      and its column sums, -dP(nothing)/dtheta_j = P(nothing) sum over a of h_aj, are positive: a
 *      nonsingular M-matrix, whose inverse has no negative entry.
 *   2. Exactly one cannot mean two: let theta and theta' both solve, and take the larger of each
 *      pair of entries. For an output whose own entry comes from theta, the others have only
 *      grown, so it wins no more often than under theta; likewise for theta'. So all win
 *      probabilities together are at most c. But if the larger differs from theta, P(nothing) has
 *      fallen, and they are above c. So it equals theta, and by the same argument theta'.
 *   3. Near theta = 0 two transmissions in one draw are of second order, P(win = j) = theta_j (sum
 *      over a of h_aj) + O(theta^2): for small c there is a solution.
 *   4. By 1 and the implicit function theorem the solution continues to larger c. It cannot escape
 *      while c < 1, since the sum of theta_j h_aj is -log(1-c). So it exists for all c < 1, and
 *      d theta/dc = J^-1 p >= 0: theta only grows.
 *
 * As c -> 1 the releases, growing and bounded by 1, have a limit with the same property and no
 * empty draws. So exact releases exist for every W and x also if empty draws count. (Where one row
 * has no zero there is a plain one: let it transmit alone, with the mapping [eq:mapping] of p taken
 * in the order of its weights.) The choice of h, here the single-input releases of each row,
 * selects one of infinitely many solutions.
 *
 * The computation is Newton's method in log theta_j on the residuals
 *
 *     log(P(win = j | something) / p_j) + log(sum of theta h / H),   H = -log(1-c),
 *
 * which all vanish iff the first terms vanish and the hazard is right (if they vanish, the first
 * terms are equal; as logs of ratios of two distributions they are then 0). Unlike P(win = j) - c
 * p_j this stays well conditioned as c -> 1. For small c the Jacobian is the identity, so that a
 * step starts out as iterative proportional fitting, theta_j <- theta_j p_j / P(win = j). The
 * Jacobian comes from differences and is kept while it serves; steps are halved until the largest
 * residual falls. Where that fails, the path of 4 is followed: a smaller H first, then larger ones,
 * each starting from the last solution. */
#include "ves_multi.h"
#include "ves_release.h"
#include "ves_stop.h"
#include "ves_winner.h"
#include <float.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_log.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define DIFFERENCE 1e-6 /* in log theta, for the Jacobian */
#define LEAP       2.0  /* the largest change of log theta in one step */

typedef struct {
  size_t k, n;
  size_t unknowns;    /* outputs with p_j > 0 */
  size_t *output;     /* unknowns: which outputs they are */
  double *target;     /* n: p */
  double *e;          /* k x n */
  double *direction;  /* k x n: h */
  double *q;          /* k x n */
  double *win;        /* n */
  double nothing;     /* of the last evaluation */
  double *residual;   /* unknowns */
  double *base;       /* unknowns: residuals where the Jacobian is taken */
  double hazard;      /* H */
  gsl_vector *z;      /* unknowns: log theta */
  gsl_vector *solved; /* unknowns: a solution for a smaller H */
  gsl_vector *trial;  /* unknowns */
  gsl_vector *step;   /* unknowns */
  gsl_matrix *factor; /* unknowns x unknowns: LU of the Jacobian */
  gsl_permutation *pivot;
  ves_winner_workspace *work;
} problem;

static void problem_free(problem *s) {
  free(s->output);
  free(s->target);
  free(s->e);
  free(s->direction);
  free(s->q);
  free(s->win);
  free(s->residual);
  free(s->base);
  if (s->z != NULL) gsl_vector_free(s->z);
  if (s->solved != NULL) gsl_vector_free(s->solved);
  if (s->trial != NULL) gsl_vector_free(s->trial);
  if (s->step != NULL) gsl_vector_free(s->step);
  if (s->factor != NULL) gsl_matrix_free(s->factor);
  if (s->pivot != NULL) gsl_permutation_free(s->pivot);
  ves_winner_workspace_free(s->work);
}

static ves_status problem_init(problem *s, const double *w, const double *x, size_t k, size_t n) {
  *s = (problem){.k = k, .n = n};
  s->output = calloc(n, sizeof *s->output);
  s->target = calloc(n, sizeof *s->target);
  s->e = calloc(k * n, sizeof *s->e);
  s->direction = calloc(k * n, sizeof *s->direction);
  s->q = calloc(k * n, sizeof *s->q);
  s->win = calloc(n, sizeof *s->win);
  s->residual = calloc(n, sizeof *s->residual);
  s->base = calloc(n, sizeof *s->base);
  s->work = ves_winner_workspace_alloc(k, n);
  if (s->output == NULL || s->target == NULL || s->e == NULL || s->direction == NULL ||
      s->q == NULL || s->win == NULL || s->residual == NULL || s->base == NULL || s->work == NULL)
    return VES_ENOMEM;
  ves_status status = ves_multi_mixture(w, x, k, n, s->target);
  if (status != VES_OK) return status;
  for (size_t a = 0; a < k; a++)
    for (size_t j = 0; j < n; j++) s->e[a * n + j] = x[a] * w[a * n + j];
  status = ves_winner_prepare(s->work, s->e);
  if (status != VES_OK) return status;
  for (size_t j = 0; j < n; j++)
    if (s->target[j] > 0.0) s->output[s->unknowns++] = j;
  s->z = gsl_vector_alloc(s->unknowns);
  s->solved = gsl_vector_alloc(s->unknowns);
  s->trial = gsl_vector_alloc(s->unknowns);
  s->step = gsl_vector_alloc(s->unknowns);
  s->factor = gsl_matrix_alloc(s->unknowns, s->unknowns);
  s->pivot = gsl_permutation_alloc(s->unknowns);
  return s->z != NULL && s->solved != NULL && s->trial != NULL && s->step != NULL &&
                 s->factor != NULL && s->pivot != NULL
             ? VES_OK
             : VES_ENOMEM;
}

/* The single-input releases of each row, times exp(spread * normal) if there is a generator. */
static ves_status set_direction(problem *s, double spread, gsl_rng *rng) {
  size_t *order = malloc(s->n * sizeof *order);
  if (order == NULL) return VES_ENOMEM;
  for (size_t a = 0; a < s->k; a++)
    ves_release_analytic(s->e + a * s->n, s->n, order, s->direction + a * s->n);
  free(order);
  if (rng != NULL)
    for (size_t i = 0; i < s->k * s->n; i++) s->direction[i] *= exp(gsl_ran_gaussian(rng, spread));
  return VES_OK;
}

/* Releases, win probabilities and residuals at log theta = z; returns the largest |residual|. */
static double evaluate(problem *s, const gsl_vector *z) {
  const size_t n = s->n;
  double hazard = 0.0;
  for (size_t i = 0; i < s->unknowns; i++) {
    const size_t j = s->output[i];
    const double theta = exp(gsl_vector_get(z, i));
    for (size_t a = 0; a < s->k; a++) {
      s->q[a * n + j] = -expm1(-theta * s->direction[a * n + j]);
      hazard += theta * s->direction[a * n + j];
    }
  }
  if (ves_winner_evaluate(s->work, s->q, s->win, &s->nothing) != VES_OK) return HUGE_VAL;
  const double shift = log(hazard / s->hazard) - log(-expm1(-hazard));
  double largest = 0.0;
  for (size_t i = 0; i < s->unknowns; i++) {
    const size_t j = s->output[i];
    s->residual[i] = log(s->win[j] / s->target[j]) + shift;
    if (!(fabs(s->residual[i]) <= largest)) largest = fabs(s->residual[i]); /* also if NaN */
  }
  return isnan(largest) ? HUGE_VAL : largest;
}

/* The solution for H -> 0, theta_j sum over a of h_aj = H p_j, at the present H. */
static void start(problem *s) {
  for (size_t i = 0; i < s->unknowns; i++) {
    const size_t j = s->output[i];
    double sum = 0.0;
    for (size_t a = 0; a < s->k; a++) sum += s->direction[a * s->n + j];
    gsl_vector_set(s->z, i, log(s->hazard * s->target[j] / sum));
  }
}

/* Factorises the Jacobian at z, whose residuals are in s->residual on entry and on return. */
static bool differentiate(problem *s, gsl_vector *z) {
  for (size_t i = 0; i < s->unknowns; i++) s->base[i] = s->residual[i];
  for (size_t l = 0; l < s->unknowns; l++) {
    const double at = gsl_vector_get(z, l), moved = at + DIFFERENCE;
    gsl_vector_set(z, l, moved);
    evaluate(s, z);
    for (size_t i = 0; i < s->unknowns; i++)
      gsl_matrix_set(s->factor, i, l, (s->residual[i] - s->base[i]) / (moved - at));
    gsl_vector_set(z, l, at);
  }
  for (size_t i = 0; i < s->unknowns; i++) s->residual[i] = s->base[i];
  int sign;
  return !ves_stopping() && gsl_linalg_LU_decomp(s->factor, s->pivot, &sign) == 0;
}

/* Moves z along a (quasi-)Newton step that lowers the largest residual; the new residual, or the
 * old one if no step does. */
static double advance(problem *s, double largest) {
  gsl_vector_view r = gsl_vector_view_array(s->residual, s->unknowns);
  if (gsl_linalg_LU_solve(s->factor, s->pivot, &r.vector, s->step) != 0) return largest;
  double longest = 0.0;
  for (size_t i = 0; i < s->unknowns; i++)
    longest = fmax(longest, fabs(gsl_vector_get(s->step, i)));
  double length = longest > LEAP ? LEAP / longest : 1.0;
  for (int halving = 0; halving < 12; halving++, length /= 2.0) {
    for (size_t i = 0; i < s->unknowns; i++)
      gsl_vector_set(s->trial, i, gsl_vector_get(s->z, i) - length * gsl_vector_get(s->step, i));
    const double there = evaluate(s, s->trial);
    if (there < largest) {
      gsl_vector_memcpy(s->z, s->trial);
      return there;
    }
  }
  evaluate(s, s->z);
  return largest;
}

/* Newton's method from z until the largest residual is below tolerance or the steps are used up;
 * returns that residual. */
static double newton(problem *s, double tolerance, size_t *steps_left) {
  double largest = evaluate(s, s->z);
  bool usable = false;
  while (largest > tolerance && *steps_left > 0 && !ves_stopping()) {
    const bool fresh = !usable;
    if (fresh && !differentiate(s, s->z)) break;
    const double before = largest;
    largest = advance(s, before);
    --*steps_left;
    if (fresh && !(largest < 0.99 * before)) break;
    usable = largest < 0.1 * before; /* an old Jacobian is kept while it works well */
  }
  return largest;
}

/* What rounding leaves of a residual: a release near 1 is stored to DBL_EPSILON, and as much is
 * left of 1 - q >= exp(-H), on which the outputs behind it depend. */
static double rounding(double hazard) { return 16.0 * DBL_EPSILON * exp(hazard); }

/* Solves for H = goal, by way of smaller H where needed; returns the largest residual at the goal,
 * 0 if it is within rounding. */
static double follow(problem *s, double goal, double tolerance, size_t *steps_left) {
  double solved = 0.0; /* the largest H solved so far */
  for (s->hazard = goal;;) {
    if (solved > 0.0) {
      gsl_vector_memcpy(s->z, s->solved);
      gsl_vector_add_constant(s->z, log(s->hazard / solved));
    } else {
      start(s);
    }
    const bool last = s->hazard >= goal;
    const double largest = newton(s, last ? tolerance : 1e-4, steps_left);
    if (ves_stopping() || (last && largest <= tolerance)) return largest;
    if (last && largest <= rounding(goal)) return 0.0;
    if (largest <= 1e-4 && !last) {
      gsl_vector_memcpy(s->solved, s->z);
      solved = s->hazard;
      s->hazard = fmin(goal, 2.0 * solved);
    } else {
      const double shorter = solved > 0.0 ? sqrt(solved * s->hazard) : s->hazard / 4.0;
      if (*steps_left == 0 || shorter < 1.001 * solved || shorter < 1e-6) return largest;
      s->hazard = shorter;
    }
  }
}

/* KL(p || achieved) from the ratios 1 + d = achieved/p, as sum of p (d - log(1+d)): the terms are
 * non-negative, and sum to the same because both are distributions. */
static void describe(const problem *s, ves_multi_report *report) {
  report->kl = 0.0;
  report->residual = 0.0;
  report->empty = s->nothing;
  double total = 0.0;
  for (size_t j = 0; j < s->n; j++) total += s->win[j];
  for (size_t i = 0; i < s->unknowns; i++) {
    const size_t j = s->output[i];
    const double d = s->win[j] / total / s->target[j] - 1.0;
    report->kl += d > -1.0 ? -s->target[j] * gsl_sf_log_1plusx_mx(d) : HUGE_VAL;
    report->residual = fmax(report->residual, fabs(d));
  }
}

ves_multi_options ves_multi_defaults(void) {
  return (ves_multi_options){
      .nonempty = 0.999999, .tolerance = 1e-11, .iterations = 200, .restarts = 4, .spread = 0.3};
}

static ves_status attempt_all(problem *s, const ves_multi_options *opt, gsl_rng *rng, double *q,
                              ves_multi_report *report) {
  double best = HUGE_VAL;
  const size_t attempts = 1 + (rng != NULL ? opt->restarts : 0);
  size_t steps = 0;
  for (size_t t = 0; t < attempts && best > opt->tolerance; t++) {
    const ves_status status = set_direction(s, opt->spread, t == 0 ? NULL : rng);
    if (status != VES_OK) return status;
    size_t steps_left = opt->iterations;
    const double reached = follow(s, -log1p(-opt->nonempty), opt->tolerance, &steps_left);
    steps += opt->iterations - steps_left;
    if (ves_stopping()) return VES_ESTOPPED;
    if (t == 0 || reached < best) {
      best = reached;
      describe(s, report);
      for (size_t i = 0; i < s->k * s->n; i++) q[i] = s->q[i];
    }
    report->attempts = t + 1;
    report->iterations = steps;
  }
  return best <= opt->tolerance ? VES_OK : VES_ECONVERGE;
}

ves_status ves_multi_solve(const double *w, const double *x, size_t k, size_t n,
                           const ves_multi_options *opt, gsl_rng *rng, double *q,
                           ves_multi_report *report) {
  if (k == 0 || k > VES_WINNER_INPUTS_MAX || n == 0) return VES_ESIZE;
  if (!(opt->nonempty > 0.0 && opt->nonempty < 1.0) || !(opt->tolerance > 0.0) ||
      !(opt->spread >= 0.0) || !isfinite(opt->spread))
    return VES_EDOMAIN;
  problem s;
  *report = (ves_multi_report){0};
  ves_status status = problem_init(&s, w, x, k, n);
  if (status == VES_OK) status = attempt_all(&s, opt, rng, q, report);
  problem_free(&s);
  return status;
}
