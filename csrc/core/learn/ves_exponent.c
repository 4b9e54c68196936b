/* ves_exponent: which constant exponent suits n equal weights.
 *
 * The original's Appendix B asks which psi makes the learning rule with target g^psi settle near
 * the analytic mapping when all n weights are equal. There q_i = 1/(n-i+1), and with s = n-i weaker
 * synapses the target is 1/|s_t|^psi. The appendix replaces |s_t| by s q_i + 1 and q_i by its
 * analytic value, and measures the misfit over ranks in the L2 norm [app:exponent-error]:
 *
 *     epsilon(psi) = integral over i from 1 to m of ( ((s+1)/(2s+1))^psi - 1/(s+1) )^2 di,
 *                    s = n-i.
 *
 * m = n takes all weights; "the top 50% of weights" is read as m = top * n. That reading gives the
 * printed exponents to all their digits (n = 100: 4.405 and 6.246 for 4.4 and 6.25; n = 1000: 6.605
 * and 9.505 for 6.6 and 9.5), where m = 1 + top (n-1) would give 6.240 for the 6.25. The integral
 * runs over u = log(s+1), on whose scale the integrand looks alike for every n; the sum over the
 * integer ranks 1..m, rounded down, is offered too, since a rank is an integer.
 *
 * One fact makes the minimisation safe [app:exponent-optimal]. A single rank has no misfit at
 * psi_s = log(s+1) / log((2s+1)/(s+1)), its squared misfit falls before psi_s and rises after it,
 * and psi_s increases with s from its limit 1 at s = 0. So every minimiser of the integral or of
 * the sum lies between the psi_s of the weakest and that of the strongest rank included.
 *
 * [app:exponent-equilibrium] solves the appendix's implicit equation itself, q = 1/(s q + 1)^psi,
 * instead of inserting the analytic q: its left side rises and its right side falls in q, so the
 * root is unique and lies in (0, 1].
 *
 * Differs from [app:subset-size]: the size s q_i + 1 that all this rests on is not the expected
 * size of the subset. With independent releases that is 1 + the sum of the weaker q_j, which for
 * n = 100, i = 1 and analytic releases is 1 + H_99 = 6.18 rather than 1.99. So the optimal psi of
 * this file answers the appendix's question, not the one about the simulated rule; ves_equilibrium
 * answers that one. */
#include "ves_exponent.h"
#include "ves_stop.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_min.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdbool.h>

enum { INTERVALS = 200, SCAN = 64, STEPS_MAX = 200 };

/* ---- the error ---- */

/* Misfit at s weaker synapses: target minus analytic release. */
static double misfit(double s, double psi) {
  return pow((s + 1.0) / (2.0 * s + 1.0), psi) - 1.0 / (s + 1.0);
}

static double squared_misfit_at(double u, void *psi) {
  const double d = misfit(expm1(u), *(const double *)psi);
  return d * d * exp(u);
}

static ves_status error_integral(double weaker_least, double weaker_most, double psi,
                                 gsl_integration_workspace *space, double *error) {
  gsl_function f = {squared_misfit_at, &psi};
  double abserr;
  const int code = gsl_integration_qag(&f, log1p(weaker_least), log1p(weaker_most), 1e-15, 1e-12,
                                       INTERVALS, GSL_INTEG_GAUSS61, space, error, &abserr);
  /* at the level of rounding GSL complains although nothing better exists */
  return code == GSL_SUCCESS || (code == GSL_EROUND && abserr <= 1e-10 * fabs(*error) + 1e-14)
             ? VES_OK
             : VES_ECONVERGE;
}

static double error_sum(double weaker_least, double weaker_most, double psi) {
  const size_t ranks = (size_t)(weaker_most - weaker_least) + 1;
  double sum = 0.0;
  for (size_t i = 0; i < ranks && !ves_stopping(); i++) {
    const double d = misfit(weaker_most - (double)i, psi);
    sum += d * d;
  }
  return sum;
}

/* The numbers of weaker synapses, n - m and n - 1, at the weakest and strongest rank included;
 * false if there is no such rank, or an interval of no length. */
static bool weaker_range(size_t n, double top, ves_exponent_form form, double *least,
                         double *most) {
  if (n < 2 || !(top > 0.0 && top <= 1.0)) return false;
  const double count = (double)n;
  *most = count - 1.0;
  switch (form) {
  case VES_EXPONENT_INTEGRAL: *least = count - top * count; return *least < *most;
  case VES_EXPONENT_SUM:
    *least = count - floor(top * count * (1.0 + 1e-12));
    return *least <= *most;
  }
  return false;
}

typedef struct {
  double least, most;
  ves_exponent_form form;
  gsl_integration_workspace *space;
  ves_status status;
} problem;

static double error_at(double psi, void *context) {
  problem *p = context;
  if (ves_stopping()) p->status = VES_ESTOPPED;
  if (p->form == VES_EXPONENT_SUM) return error_sum(p->least, p->most, psi);
  double error = 0.0;
  const ves_status status = error_integral(p->least, p->most, psi, p->space, &error);
  if (status != VES_OK) p->status = status;
  return error;
}

ves_status ves_exponent_error(size_t n, double psi, double top, ves_exponent_form form,
                              double *error) {
  problem p = {.form = form, .status = VES_OK};
  if (!weaker_range(n, top, form, &p.least, &p.most)) return VES_EDOMAIN;
  if (!(psi >= 0.0) || !isfinite(psi)) return VES_EDOMAIN;
  p.space = gsl_integration_workspace_alloc(INTERVALS);
  if (p.space == NULL) return VES_ENOMEM;
  *error = error_at(psi, &p);
  gsl_integration_workspace_free(p.space);
  return ves_stopping() ? VES_ESTOPPED : p.status;
}

/* ---- the best exponent ---- */

/* The exponent without misfit at s weaker synapses. */
static double exact_exponent(double s) {
  return s > 0.0 ? log1p(s) / log((2.0 * s + 1.0) / (s + 1.0)) : 1.0;
}

/* Brent's method on a bracket found by scanning; the minimum lies inside [lower, upper]. */
static ves_status minimise(problem *p, gsl_min_fminimizer *s, double lower, double upper,
                           double *psi, double *error) {
  gsl_function f = {error_at, p};
  const double step = (upper - lower) / SCAN;
  size_t best = 1;
  double best_error = error_at(lower + step, p);
  for (size_t i = 2; i < SCAN; i++) {
    const double here = error_at(lower + step * (double)i, p);
    if (here < best_error) {
      best = i;
      best_error = here;
    }
  }
  const double middle = lower + step * (double)best;
  if (p->status != VES_OK) return p->status;
  if (gsl_min_fminimizer_set(s, &f, middle, middle - step, middle + step) != GSL_SUCCESS)
    return VES_ECONVERGE;
  for (int i = 0; i < STEPS_MAX; i++) {
    if (ves_stopping()) return VES_ESTOPPED;
    if (gsl_min_fminimizer_iterate(s) != GSL_SUCCESS || p->status != VES_OK) return VES_ECONVERGE;
    if (gsl_min_test_interval(gsl_min_fminimizer_x_lower(s), gsl_min_fminimizer_x_upper(s), 0.0,
                              1e-6) == GSL_SUCCESS) {
      *psi = gsl_min_fminimizer_x_minimum(s);
      *error = gsl_min_fminimizer_f_minimum(s);
      return VES_OK;
    }
  }
  return VES_ECONVERGE;
}

ves_status ves_exponent_optimal(size_t n, double top, ves_exponent_form form, double *psi,
                                double *error) {
  problem p = {.form = form, .status = VES_OK};
  if (!weaker_range(n, top, form, &p.least, &p.most)) return VES_EDOMAIN;
  double lowest;
  if (error == NULL) error = &lowest;
  p.space = gsl_integration_workspace_alloc(INTERVALS);
  gsl_min_fminimizer *s = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
  ves_status status = VES_ENOMEM;
  if (p.space != NULL && s != NULL)
    status =
        minimise(&p, s, 0.9 * exact_exponent(p.least), 1.1 * exact_exponent(p.most), psi, error);
  if (s != NULL) gsl_min_fminimizer_free(s);
  if (p.space != NULL) gsl_integration_workspace_free(p.space);
  return status;
}

/* ---- the appendix's equilibrium ---- */

typedef struct {
  double s, psi;
} balance_parameters;

/* log of both sides, increasing in q: log q + psi log(s q + 1) = 0 at the root. */
static double balance(double log_q, void *context) {
  const balance_parameters *p = context;
  return log_q + p->psi * log1p(p->s * exp(log_q));
}

static ves_status equilibrium_of_rank(gsl_root_fsolver *solver, double s, double psi, double *q) {
  balance_parameters parameters = {s, psi};
  gsl_function f = {balance, &parameters};
  double lower = -psi * log1p(s), upper = 0.0; /* 1/(s+1)^psi <= q <= 1 */
  if (!(lower < 0.0)) {
    *q = 1.0;
    return VES_OK;
  }
  lower -= 1e-12 * (1.0 - lower); /* a sign change in spite of rounding */
  if (gsl_root_fsolver_set(solver, &f, lower, upper) != GSL_SUCCESS) return VES_ECONVERGE;
  for (int i = 0; i < STEPS_MAX; i++) {
    if (gsl_root_fsolver_iterate(solver) != GSL_SUCCESS) return VES_ECONVERGE;
    lower = gsl_root_fsolver_x_lower(solver);
    upper = gsl_root_fsolver_x_upper(solver);
    if (upper - lower <= 1e-14 || gsl_root_test_interval(lower, upper, 0.0, 1e-14) == GSL_SUCCESS) {
      *q = exp(gsl_root_fsolver_root(solver));
      return VES_OK;
    }
  }
  return VES_ECONVERGE;
}

ves_status ves_exponent_equilibrium(size_t n, double psi, double *q) {
  if (n == 0 || !(psi >= 0.0) || !isfinite(psi)) return VES_EDOMAIN;
  gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
  if (solver == NULL) return VES_ENOMEM;
  ves_status status = VES_OK;
  for (size_t i = 1; i <= n && status == VES_OK; i++)
    status = ves_stopping() ? VES_ESTOPPED
                            : equilibrium_of_rank(solver, (double)(n - i), psi, &q[i - 1]);
  gsl_root_fsolver_free(solver);
  return status;
}

/* ---- the size of the subset ---- */

ves_status ves_exponent_subset_size(const double *q, size_t n, size_t i, double *exact,
                                    double *printed) {
  if (i == 0 || i > n) return VES_EDOMAIN;
  if (exact != NULL) {
    double sum = 0.0;
    for (size_t j = n; j > i; j--) sum += q[j - 1];
    *exact = 1.0 + sum;
  }
  if (printed != NULL) *printed = (double)(n - i) * q[i - 1] + 1.0;
  return VES_OK;
}
