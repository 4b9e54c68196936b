/* ves_equilibrium: where local learning settles, solved without simulating it.
 *
 * Synapse i is updated when it transmits (and, in Algorithm 1, when everything stronger fails,
 * which is independent of what the weaker ones do). It moves toward a target made from
 * g = w_i / S, S = w_i + the weights of the weaker synapses that transmit too. So its mean motion
 * stops at q_i = E[target], an expectation that involves only weaker synapses [app:equilibrium]:
 * the system is triangular, and is solved from the weakest synapse up, one unknown at a time.
 *
 * The expectations. S is a sum of independent terms, so its Laplace transform is a product, and
 * from 1/S^psi = (1/Gamma(psi)) * integral of t^(psi-1) exp(-t S) dt follow, with tau = t w_i,
 *
 *     E[g^psi]   = 1/Gamma(psi) * integral over t > 0 of  tau^psi exp(-tau) P(t) dt/t,
 *     P(t)       = product over weaker j of (1 - q_j + q_j exp(-t w_j)).
 *
 * Marking each transmitting synapse with z turns P into a polynomial P(t, z) whose coefficient c_K
 * belongs to the subsets with K weaker members. Its derivative at z = 1 gives E[|s| g], its
 * coefficients give E[g^|s|] = sum over K of integral of tau^(K+1)/K! exp(-tau) c_K(t) dt/t.
 *
 * The quadrature. In u = log t all of these are mixtures, over the subsets, of shifted copies of
 * Gamma(psi)'s integrand exp(psi u - exp(u)). For one copy the trapezoidal rule of step h errs by
 * at most
 *
 *     2 sum over m >= 1 of |Gamma(psi + 2 pi i m/h)| / Gamma(psi)
 *
 * in relative terms, whatever the shift, hence so it does for the mixture, whatever the weights and
 * releases. With h = 2 pi / (20 + 10 sqrt(psi)) that is below 1e-17: no adaptivity is needed, and
 * one grid serves all synapses. log P is kept on that grid and grows by one factor per synapse, so
 * n synapses cost n passes over some hundred nodes.
 *
 * Which nodes count. The weights sum to 1, so every S is between w_i and 1. Below t, a copy has at
 * most t^psi / Gamma(psi + 1) of its integral, and with tau above psi + 10 sqrt(psi) + 60 less than
 * 1e-22 of it. So the larger psi is, the later a sum may begin, and the larger w_i is, the earlier
 * it may end; weights come in ascending order, and log P is brought up to date only as far as the
 * next synapse looks.
 *
 * For psi < 1 the integrand decays too slowly as t -> 0; there 1 - E[g^psi], whose integrand has
 * 1 - P in place of P, is integrated instead.
 *
 * The rules. raw, subtract, rescale, power and subset give q_i as an explicit expectation. In two
 * rules the exponent contains q_i itself:
 *
 *     variable:  psi = (n-i) q_i + 1
 *     expected:  psi = sqrt(q_i) ((n-i) mean(q_weaker) + 1)
 *
 * E[g^psi] falls with psi, so q = E[g^psi(q)] has exactly one root in [0, 1].
 *
 * A constant learning rate adds a bias of its own order to the simulated mean; this is the limit of
 * a vanishing rate. */
#include "ves_equilibrium.h"
#include "ves_order.h"
#include "ves_stop.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define PSI_MAX   1e6    /* a larger exponent would need too fine a grid */
#define SHARE_MIN 1e-290 /* of a weight in the sum of all: below it t could overflow */

/* The weaker synapses, as functions of t on a grid that is uniform in u = log t. */
typedef struct {
  size_t nodes;
  size_t weaker;         /* positive weights absorbed so far */
  size_t stride;         /* of subset_sizes: 1 + the largest number of weaker synapses */
  size_t begin, end;     /* the nodes that count, for the exponents and weights to come */
  double step;           /* h */
  double reach;          /* the largest tau that counts */
  double *u, *t;         /* nodes */
  double *log_product;   /* log P(t) */
  double *mean_size;     /* d log P(t, z) / dz at z = 1; only for the rescale rule */
  double *subset_sizes;  /* nodes x stride: c_K(t); only for the subset rule */
  double *log_integrand; /* scratch: log(exp(-tau) P(t)) */
  double *passes;        /* expm1(-x) or exp(-x) for x = `of` t, where they have been computed */
  double of;
} transform;

static void transform_free(transform *f) {
  free(f->u);
  free(f->t);
  free(f->log_product);
  free(f->mean_size);
  free(f->subset_sizes);
  free(f->log_integrand);
  free(f->passes);
}

/* log t up to which a sum for exponent psi has less than 1e-25 of its value. */
static double begins(double psi) { return (log(1e-25) + lgamma(psi + 1.0)) / psi; }

/* The first node from log t = u on, or the one before. */
static size_t node_at(const transform *f, double u) {
  const double k = floor((u - f->u[0]) / f->step);
  return !(k > 0.0) ? 0 : k < (double)f->nodes ? (size_t)k : f->nodes;
}

/* A grid for weights of sum 1, the smallest being least, for exponents up to psi, and for the
 * subset's mean size or (if sizes) the law of it among `synapses` of them, where a rule asks. If no
 * exponent will be below `lowest`, nodes that only smaller ones need are left alone. */
static ves_status transform_init(transform *f, double least, double lowest, double psi, bool mean,
                                 bool sizes, size_t synapses) {
  *f = (transform){0};
  /* outside [left, right] lies less than 1e-17 of Gamma(psi)'s integral */
  f->reach = psi + 10.0 * sqrt(psi) + 60.0;
  const double left = log(1e-17);
  const double right = log(f->reach / least);
  f->step = 2.0 * M_PI / (20.0 + 10.0 * sqrt(psi));
  f->nodes = (size_t)ceil((right - left) / f->step) + 1;
  f->stride = synapses + 1;
  f->u = calloc(f->nodes, sizeof *f->u);
  f->t = calloc(f->nodes, sizeof *f->t);
  f->log_product = calloc(f->nodes, sizeof *f->log_product);
  if (mean) f->mean_size = calloc(f->nodes, sizeof *f->mean_size);
  f->log_integrand = calloc(f->nodes, sizeof *f->log_integrand);
  f->passes = calloc(f->nodes, sizeof *f->passes);
  bool complete = f->u != NULL && f->t != NULL && f->log_product != NULL && f->passes != NULL &&
                  (f->mean_size != NULL || !mean) && f->log_integrand != NULL;
  if (sizes && complete) {
    if (f->stride <= SIZE_MAX / sizeof(double) / f->nodes)
      f->subset_sizes = calloc(f->nodes * f->stride, sizeof *f->subset_sizes);
    complete = f->subset_sizes != NULL;
  }
  if (!complete) {
    transform_free(f);
    return VES_ENOMEM;
  }
  for (size_t k = 0; k < f->nodes; k++) {
    f->u[k] = left + f->step * (double)k;
    f->t[k] = exp(f->u[k]);
    if (sizes) f->subset_sizes[k * f->stride] = 1.0;
  }
  f->begin = lowest > 0.0 ? node_at(f, begins(lowest)) : 0;
  f->end = f->nodes;
  return VES_OK;
}

/* What a synapse that passes with `pass` = q exp(-x) does to the sizes at node k. */
static void count_sizes(transform *f, size_t k, double q, double pass) {
  const double factor = (1.0 - q) + pass;
  if (f->mean_size != NULL) f->mean_size[k] += factor > 0.0 ? pass / factor : 1.0;
  if (f->subset_sizes == NULL) return;
  double *c = f->subset_sizes + k * f->stride;
  c[f->weaker + 1] = pass * c[f->weaker];
  for (size_t size = f->weaker; size > 0; size--)
    c[size] = (1.0 - q) * c[size] + pass * c[size - 1];
  c[0] *= 1.0 - q;
}

/* Another synapse, stronger than those absorbed so far, joins them; `next` is the weight of the one
 * that will be asked about. Runs of equal weights share their exponentials. */
static void transform_absorb(transform *f, double w, double q, double next) {
  const bool counted = f->mean_size != NULL || f->subset_sizes != NULL, known = w == f->of;
  const size_t last = node_at(f, log(f->reach / next)) + 2;
  if (last < f->end) f->end = last;
  for (size_t k = f->begin; k < f->end; k++) {
    const double x = w * f->t[k];
    const bool small = x < 0.5; /* each form loses digits where the other is used */
    if (!known) f->passes[k] = small ? expm1(-x) : exp(-x);
    const double pass = q * f->passes[k];
    f->log_product[k] += small ? log1p(pass) : log((1.0 - q) + pass);
    if (counted) count_sizes(f, k, q, small ? q * exp(-x) : pass);
  }
  f->of = w;
  f->weaker++;
}

/* ---- expectations for a synapse of weight w over the absorbed ones ---- */

/* Prepares log(exp(-tau) P(t)) for weight w. */
static void transform_focus(transform *f, double w) {
  for (size_t k = f->begin; k < f->end; k++) f->log_integrand[k] = f->log_product[k] - w * f->t[k];
}

/* E[g^psi]; transform_focus(f, w) came before. [app:equilibrium] */
static double mean_power(const transform *f, double w, double psi) {
  if (f->weaker == 0 || psi <= 0.0) return 1.0; /* g = 1 */
  const double log_w = log(w), log_gamma = lgamma(psi);
  double sum = 0.0;
  if (psi >= 1.0) {
    const size_t begin = node_at(f, begins(psi));
    for (size_t k = begin > f->begin ? begin : f->begin; k < f->end; k++)
      sum += exp(psi * (f->u[k] + log_w) + f->log_integrand[k] - log_gamma);
    return f->step * sum;
  }
  for (size_t k = f->begin; k < f->end; k++)
    sum -= exp(psi * (f->u[k] + log_w) - w * f->t[k] - log_gamma) * expm1(f->log_product[k]);
  return 1.0 - f->step * sum;
}

/* E[|s| g]; transform_focus(f, w) came before. [app:equilibrium] */
static double mean_size_share(const transform *f, double w) {
  if (f->weaker == 0) return 1.0;
  const double log_w = log(w);
  double sum = 0.0;
  for (size_t k = f->begin; k < f->end; k++)
    sum += exp(f->u[k] + log_w + f->log_integrand[k]) * (1.0 + f->mean_size[k]);
  return f->step * sum;
}

/* Sum over K of tau^K/K! exp(-tau) c_K: the probability weights are Poisson's, summed outwards from
 * their mode (or the largest K there is) until they no longer count. */
static double poisson_sum(double tau, const double *c, size_t largest) {
  const size_t mode = tau < (double)largest ? (size_t)tau : largest;
  const double at_mode = exp((double)mode * log(tau) - tau - lgamma((double)mode + 1.0));
  double sum = at_mode * c[mode], weight = at_mode;
  for (size_t K = mode; K > 0 && weight > 1e-30; K--) {
    weight *= (double)K / tau;
    sum += weight * c[K - 1];
  }
  weight = at_mode;
  for (size_t K = mode + 1; K <= largest && weight > 1e-30; K++) {
    weight *= tau / (double)K;
    sum += weight * c[K];
  }
  return sum;
}

/* E[g^|s|]. [app:equilibrium] */
static double mean_subset_power(const transform *f, double w) {
  if (f->weaker == 0) return 1.0;
  double sum = 0.0;
  for (size_t k = f->begin; k < f->end; k++) {
    const double tau = w * f->t[k];
    sum += tau * poisson_sum(tau, f->subset_sizes + k * f->stride, f->weaker);
  }
  return f->step * sum;
}

/* ---- the rules ---- */

typedef struct {
  const transform *f;
  double w;
  double slope, root_slope, offset; /* psi(q) = slope q + root_slope sqrt(q) + offset */
} implicit;

static double imbalance(double q, void *context) {
  const implicit *p = context;
  return q - mean_power(p->f, p->w, p->slope * q + p->root_slope * sqrt(q) + p->offset);
}

/* The q in [0, 1] with q = E[g^psi(q)]. */
static ves_status solve_implicit(gsl_root_fsolver *solver, implicit *p, double *q) {
  gsl_function f = {imbalance, p};
  if (imbalance(1.0, p) <= 0.0) { /* E = 1: nothing weaker, or rounding says so */
    *q = 1.0;
    return VES_OK;
  }
  if (gsl_root_fsolver_set(solver, &f, 0.0, 1.0) != GSL_SUCCESS) return VES_ECONVERGE;
  for (int i = 0; i < 200; i++) {
    if (ves_stopping()) return VES_ESTOPPED;
    if (gsl_root_fsolver_iterate(solver) != GSL_SUCCESS) return VES_ECONVERGE;
    *q = gsl_root_fsolver_root(solver);
    if (gsl_root_test_interval(gsl_root_fsolver_x_lower(solver), gsl_root_fsolver_x_upper(solver),
                               1e-15, 1e-14) == GSL_SUCCESS)
      return VES_OK;
  }
  return VES_ECONVERGE;
}

/* E[target] for the synapse of weight w with `below` synapses ranked below it, whose releases sum
 * to weaker_sum. [app:equilibrium] */
static ves_status mean_target(transform *f, const ves_equilibrium_options *opt,
                              gsl_root_fsolver *solver, double w, size_t below, double weaker_sum,
                              double *target) {
  const double s = (double)below;
  implicit own = {.f = f, .w = w};
  transform_focus(f, w);
  switch (opt->rule) {
  case VES_RULE_RAW: *target = mean_power(f, w, 1.0); return VES_OK;
  case VES_RULE_SUBTRACT: *target = mean_power(f, w, 1.0) - opt->subtract; return VES_OK;
  case VES_RULE_RESCALE: *target = mean_size_share(f, w) / (s + 1.0); return VES_OK;
  case VES_RULE_POWER: *target = mean_power(f, w, opt->psi); return VES_OK;
  case VES_RULE_SUBSET: *target = mean_subset_power(f, w); return VES_OK;
  case VES_RULE_VARIABLE: /* psi = (n-i) q + 1 */
    own.slope = s;
    own.offset = 1.0;
    return solve_implicit(solver, &own, target);
  case VES_RULE_EXPECTED: /* psi = sqrt(q) ((n-i) mean + 1); (n-i) mean is the sum */
    own.root_slope = weaker_sum + 1.0;
    return solve_implicit(solver, &own, target);
  case VES_RULE_CUSTOM: break;
  }
  return VES_EDOMAIN;
}

/* The largest exponent the rule can ask for among n synapses. */
static double largest_exponent(const ves_equilibrium_options *opt, size_t n) {
  switch (opt->rule) {
  case VES_RULE_POWER: return fmax(opt->psi, 1.0);
  case VES_RULE_VARIABLE:
  case VES_RULE_SUBSET:
  case VES_RULE_EXPECTED: return (double)n;
  default: return 1.0;
  }
}

/* The least: 0 if that may be below 1. */
static double least_exponent(const ves_equilibrium_options *opt) {
  const double psi = opt->rule == VES_RULE_POWER ? opt->psi : 1.0;
  return opt->rule == VES_RULE_EXPECTED || psi < 1.0 ? 0.0 : psi;
}

static bool options_valid(const ves_equilibrium_options *opt, size_t n) {
  return opt->rule >= VES_RULE_RAW && opt->rule < VES_RULE_CUSTOM &&
         (opt->rule != VES_RULE_POWER || opt->psi > 0.0) &&
         (opt->rule != VES_RULE_SUBTRACT || isfinite(opt->subtract)) &&
         largest_exponent(opt, n) <= PSI_MAX && opt->floor >= 0.0 && opt->floor <= opt->ceiling &&
         opt->ceiling <= 1.0 && opt->start >= 0.0 && opt->start <= 1.0;
}

ves_equilibrium_options ves_equilibrium_defaults(void) {
  return (ves_equilibrium_options){.rule = VES_RULE_POWER,
                                   .psi = 8.0,
                                   .subtract = 0.35,
                                   .floor = 1e-4,
                                   .ceiling = 1.0,
                                   .start = 0.3};
}

/* From the weakest positive weight up; order ranks the weights, `positive` of them are not zero.
 * Only their ratios matter: they are scaled to a sum of 1. */
static ves_status solve_upwards(const double *w, size_t n, double total, const size_t *order,
                                size_t positive, const ves_equilibrium_options *opt, transform *f,
                                gsl_root_fsolver *solver, double *q) {
  double weaker_sum = opt->start * (double)(n - positive);
  for (size_t r = positive; r-- > 0;) {
    if (ves_stopping()) return VES_ESTOPPED;
    const size_t i = order[r];
    const double share = w[i] / total;
    double target;
    const ves_status status = mean_target(f, opt, solver, share, n - 1 - r, weaker_sum, &target);
    if (status != VES_OK) return status;
    q[i] = fmin(fmax(target, opt->floor), opt->ceiling);
    weaker_sum += q[i];
    if (r > 0) transform_absorb(f, share, q[i], w[order[r - 1]] / total);
  }
  return VES_OK;
}

ves_status ves_equilibrium_solve(const double *w, size_t n, const ves_equilibrium_options *opt,
                                 double *q) {
  if (n == 0) return VES_ESIZE;
  if (!options_valid(opt, n)) return VES_EDOMAIN;
  double total = 0.0, least = HUGE_VAL;
  size_t positive = 0;
  for (size_t i = 0; i < n; i++) {
    if (!(w[i] >= 0.0)) return VES_EDOMAIN;
    q[i] = opt->start;
    if (!(w[i] > 0.0)) continue;
    positive++;
    total += w[i];
    least = fmin(least, w[i]);
  }
  if (positive == 0) return VES_OK;
  if (!isfinite(total) || least / total < SHARE_MIN) return VES_EDOMAIN;

  size_t *order = malloc(n * sizeof *order);
  gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
  ves_status status = VES_ENOMEM;
  if (order != NULL && solver != NULL) {
    transform f;
    status = transform_init(&f, least / total, least_exponent(opt), largest_exponent(opt, n),
                            opt->rule == VES_RULE_RESCALE, opt->rule == VES_RULE_SUBSET, positive);
    if (status == VES_OK) {
      ves_order_descending(w, n, order);
      status = solve_upwards(w, n, total, order, positive, opt, &f, solver, q);
      transform_free(&f);
    }
  }
  if (solver != NULL) gsl_root_fsolver_free(solver);
  free(order);
  return status;
}
