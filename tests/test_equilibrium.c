/* The solved equilibrium against expectations enumerated over all subsets, against an adaptive
 * quadrature of the printed integral, and against the learner itself. */
#include "greatest.h"
#include "ves_equilibrium.h"
#include "ves_order.h"
#include "ves_release.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <string.h>

enum { N_MAX = 12 };

/* The target's expectation over all subsets of the weaker synapses, at own release q0. */
static double enumerate(const double *w, const double *q, const size_t *order, size_t n, size_t r,
                        const ves_equilibrium_options *opt, double q0) {
  const size_t below = n - 1 - r;
  double weaker_sum = 0.0, mean = 0.0;
  for (size_t b = 0; b < below; b++) weaker_sum += q[order[r + 1 + b]];
  for (size_t mask = 0; mask < (size_t)1 << below; mask++) {
    double probability = 1.0, sum = w[order[r]], size = 1.0;
    for (size_t b = 0; b < below; b++) {
      const size_t j = order[r + 1 + b];
      const double pj = w[j] > 0.0 ? q[j] : 0.0; /* a weight of zero is never in the subset */
      const int member = (mask >> b) & 1;
      probability *= member ? pj : 1.0 - pj;
      if (member) {
        sum += w[j];
        size += 1.0;
      }
    }
    const double g = w[order[r]] / sum, s = (double)below;
    double target = g;
    switch (opt->rule) {
    case VES_RULE_SUBTRACT: target = g - opt->subtract; break;
    case VES_RULE_RESCALE: target = size * g / (s + 1.0); break;
    case VES_RULE_POWER: target = pow(g, opt->psi); break;
    case VES_RULE_VARIABLE: target = pow(g, s * q0 + 1.0); break;
    case VES_RULE_SUBSET: target = pow(g, size); break;
    case VES_RULE_EXPECTED: target = pow(g, sqrt(q0) * (weaker_sum + 1.0)); break;
    default: break;
    }
    mean += probability * target;
  }
  return mean;
}

/* By definition, from the weakest up; own release by bisection. */
static void brute(const double *w, size_t n, const ves_equilibrium_options *opt, double *q) {
  size_t order[N_MAX];
  ves_order_descending(w, n, order);
  for (size_t r = n; r-- > 0;) {
    const size_t i = order[r];
    q[i] = opt->start;
    if (!(w[i] > 0.0)) continue;
    double value;
    if (opt->rule == VES_RULE_VARIABLE || opt->rule == VES_RULE_EXPECTED) {
      double low = 0.0, high = 1.0;
      for (int step = 0; step < 60; step++) {
        const double middle = 0.5 * (low + high);
        if (middle < enumerate(w, q, order, n, r, opt, middle))
          low = middle;
        else
          high = middle;
      }
      value = 0.5 * (low + high);
    } else {
      value = enumerate(w, q, order, n, r, opt, 0.0);
    }
    q[i] = fmin(fmax(value, opt->floor), opt->ceiling);
  }
}

static const ves_rule RULES[] = {VES_RULE_RAW,     VES_RULE_SUBTRACT, VES_RULE_RESCALE,
                                 VES_RULE_POWER,   VES_RULE_VARIABLE, VES_RULE_SUBSET,
                                 VES_RULE_EXPECTED};
enum { RULE_COUNT = sizeof RULES / sizeof *RULES };

/* Every rule, on random weights with ties, zeros and a wide range. [app:equilibrium] */
TEST solution_equals_enumeration(void) {
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, 2385);
  const double psi[] = {0.05, 0.7, 1.0, 2.385, 7.0, 40.0};
  for (int trial = 0; trial < 36; trial++) {
    const size_t n = 1 + gsl_rng_uniform_int(r, N_MAX - 2);
    double w[N_MAX], q[N_MAX], expected[N_MAX];
    for (size_t i = 0; i < n; i++) {
      w[i] = trial % 3 == 0   ? 0.25 * (double)gsl_rng_uniform_int(r, 5)
             : trial % 3 == 1 ? gsl_rng_uniform(r)
                              : exp(-20.0 * gsl_rng_uniform(r));
    }
    for (size_t a = 0; a < RULE_COUNT; a++) {
      ves_equilibrium_options opt = ves_equilibrium_defaults();
      opt.rule = RULES[a];
      opt.psi = psi[trial % 6];
      opt.subtract = 0.35;
      opt.floor = trial % 2 ? 0.02 : 0.0;
      opt.ceiling = trial % 4 ? 1.0 : 0.9;
      opt.start = 0.3;
      brute(w, n, &opt, expected);
      ASSERT_EQ(VES_OK, ves_equilibrium_solve(w, n, &opt, q));
      for (size_t i = 0; i < n; i++)
        ASSERT_IN_RANGE(expected[i], q[i], 1e-13 + 1e-12 * expected[i]);
    }
  }
  gsl_rng_free(r);
  PASS();
}

/* Two equal weights: the weaker always transmits, so the stronger settles at 2^-psi, however small;
 * and behind a weight that fails once in 1e9 draws, the rare large g still counts. The errors are
 * relative ones. [app:equilibrium] */
TEST small_releases_are_accurate(void) {
  const double equal[] = {2.385, 2.385}, psi[] = {1.0, 8.0, 40.0};
  double q[3];
  ves_equilibrium_options opt = ves_equilibrium_defaults();
  opt.floor = 0.0;
  for (size_t a = 0; a < 3; a++) {
    opt.psi = psi[a];
    ASSERT_EQ(VES_OK, ves_equilibrium_solve(equal, 2, &opt, q));
    ASSERT_IN_RANGE(1.0, q[0] * exp2(psi[a]), 1e-12);
    ASSERT_EQ(1.0, q[1]);
  }
  const double rare[] = {1.0, 1.0, 1e-9};
  opt.rule = VES_RULE_RAW;
  ASSERT_EQ(VES_OK, ves_equilibrium_solve(rare, 3, &opt, q));
  const double q1 = 1.0 / (1.0 + 1e-9);
  ASSERT_IN_RANGE(q1, q[1], 1e-15);
  opt.rule = VES_RULE_POWER;
  opt.psi = 40.0;
  ASSERT_EQ(VES_OK, ves_equilibrium_solve(rare, 3, &opt, q));
  const double fail = 1.0 - q[1]; /* 40e-9 */
  const double expected =
      fail * pow(1.0 / (1.0 + 1e-9), 40.0) + q[1] * pow(1.0 / (2.0 + 1e-9), 40.0);
  ASSERT_IN_RANGE(1.0, q[0] / expected, 1e-12);
  PASS();
}

/* ---- the printed integral, by adaptive quadrature ---- */

typedef struct {
  const double *w, *q;
  const size_t *order;
  size_t n, r;
  double psi;
} integral;

static double integrand(double t, void *context) {
  const integral *p = context;
  const double w = p->w[p->order[p->r]];
  double value = pow(t, p->psi - 1.0) * exp(-t * w);
  for (size_t s = p->r + 1; s < p->n; s++) {
    const size_t j = p->order[s];
    value *= 1.0 - p->q[j] + p->q[j] * exp(-t * p->w[j]);
  }
  return value;
}

/* n = 60: E[g^psi] = w^psi / Gamma(psi) times the integral, at the solved releases.
 * [app:equilibrium] */
TEST solution_satisfies_the_integral(void) {
  enum { N = 60 };
  double w[N], q[N];
  size_t order[N];
  for (size_t i = 0; i < N; i++) {
    const double x = -3.0 + 6.0 * (double)i / (N - 1);
    w[i] = 0.01 + exp(-2.0 * (x - 1.0) * (x - 1.0)) + 0.6 * exp(-2.0 * (x + 1.2) * (x + 1.2));
  }
  ves_order_descending(w, N, order);
  gsl_integration_workspace *space = gsl_integration_workspace_alloc(1000);
  const double psi[] = {1.0, 2.385, 8.0};
  for (size_t a = 0; a < 3; a++) {
    ves_equilibrium_options opt = ves_equilibrium_defaults();
    opt.psi = psi[a];
    opt.floor = 0.0;
    ASSERT_EQ(VES_OK, ves_equilibrium_solve(w, N, &opt, q));
    for (size_t r = 0; r < N; r += 7) {
      const double own = w[order[r]];
      integral p = {w, q, order, N, r, psi[a]};
      gsl_function f = {integrand, &p};
      double value, abserr;
      gsl_integration_qagiu(&f, 0.0, 0.0, 1e-11, 1000, space, &value, &abserr);
      value *= pow(own, psi[a]) / gsl_sf_gamma(psi[a]);
      ASSERT_IN_RANGE(value, q[order[r]], 1e-9 * value + 1e-12);
    }
  }
  gsl_integration_workspace_free(space);
  PASS();
}

/* The learner with a decaying rate ends where the solver says. Over 40 other streams the standard
 * deviation of the difference is 0.0019 at most, its mean not distinguishable from 0; the tolerance
 * is more than six of them. [app:equilibrium] [eq:learningRule_form] */
TEST learner_ends_at_the_solution(void) {
  enum { N = 8 };
  const double w[N] = {0.9, 0.5, 0.31, 0.5, 0.2, 0.11, 0.0, 0.05};
  double solved[N], learned[N];
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  ASSERT(ws != NULL);
  for (size_t a = 0; a < RULE_COUNT; a++) {
    ves_equilibrium_options opt = ves_equilibrium_defaults();
    opt.rule = RULES[a];
    opt.psi = 3.0;
    opt.subtract = 0.1;
    ASSERT_EQ(VES_OK, ves_equilibrium_solve(w, N, &opt, solved));
    ves_learn_options learn = ves_learn_defaults();
    learn.rule = RULES[a];
    learn.psi = 3.0;
    learn.subtract = 0.1;
    learn.rate = 0.1;
    learn.decay = 100.0;
    learn.iterations = 200000;
    for (size_t i = 0; i < N; i++) learned[i] = 0.3;
    ASSERT_EQ(VES_OK, ves_learn_row(w, N, &learn, 77, 0, 0, ws, learned, NULL));
    for (size_t i = 0; i < N; i++) ASSERT_IN_RANGE(solved[i], learned[i], 0.012);
  }
  ves_learn_workspace_free(ws);
  PASS();
}

/* For equal weights the rescaled target has no bias (E12's exact case). [app:equilibrium] */
TEST rescale_is_exact_for_equal_weights(void) {
  enum { N = 50 };
  double w[N], q[N];
  for (size_t i = 0; i < N; i++) w[i] = 0.02;
  ves_equilibrium_options opt = ves_equilibrium_defaults();
  opt.rule = VES_RULE_RESCALE;
  opt.floor = 0.0;
  ASSERT_EQ(VES_OK, ves_equilibrium_solve(w, N, &opt, q));
  for (size_t i = 0; i < N; i++) ASSERT_IN_RANGE(1.0 / (double)(N - i), q[i], 1e-13);
  /* and not for unequal ones */
  for (size_t i = 0; i < N; i++) w[i] = 1.0 / (double)(1 + i);
  size_t order[N];
  double analytic[N], worst = 0.0;
  ves_release_analytic(w, N, order, analytic);
  ASSERT_EQ(VES_OK, ves_equilibrium_solve(w, N, &opt, q));
  for (size_t i = 0; i < N; i++) worst = fmax(worst, fabs(q[i] / analytic[i] - 1.0));
  ASSERT(worst > 0.2);
  PASS();
}

/* Only ratios of weights matter, also where their scale is extreme. [app:equilibrium] */
TEST solution_is_free_of_scale(void) {
  const double w[] = {0.7, 0.2, 0.35, 0.05}, scale[] = {1e-300, 1e-5, 1e300};
  double q[4], scaled[4], v[4];
  for (size_t a = 0; a < RULE_COUNT; a++) {
    ves_equilibrium_options opt = ves_equilibrium_defaults();
    opt.rule = RULES[a];
    ASSERT_EQ(VES_OK, ves_equilibrium_solve(w, 4, &opt, q));
    for (size_t s = 0; s < 3; s++) {
      for (size_t i = 0; i < 4; i++) v[i] = w[i] * scale[s];
      ASSERT_EQ(VES_OK, ves_equilibrium_solve(v, 4, &opt, scaled));
      for (size_t i = 0; i < 4; i++) ASSERT_IN_RANGE(q[i], scaled[i], 1e-12);
    }
  }
  PASS();
}

/* A hundred and a thousand synapses: bounded, and the weakest always releases. [app:equilibrium] */
TEST many_synapses(void) {
  enum { N = 1000 };
  static double w[N], q[N];
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, 5);
  for (size_t i = 0; i < N; i++) w[i] = gsl_rng_uniform(r);
  w[123] = 1e-4;
  for (size_t a = 0; a < RULE_COUNT; a++) {
    ves_equilibrium_options opt = ves_equilibrium_defaults();
    opt.rule = RULES[a];
    const size_t n = opt.rule == VES_RULE_SUBSET || opt.rule == VES_RULE_VARIABLE ||
                             opt.rule == VES_RULE_EXPECTED
                         ? 200
                         : N;
    ASSERT_EQ(VES_OK, ves_equilibrium_solve(w, n, &opt, q));
    for (size_t i = 0; i < n; i++) ASSERT(q[i] >= opt.floor && q[i] <= opt.ceiling);
    if (opt.rule != VES_RULE_SUBTRACT) ASSERT_EQ(1.0, q[123]);
  }
  gsl_rng_free(r);
  PASS();
}

TEST zero_weights_keep_their_start(void) {
  const double w[] = {0.0, 0.5, 0.0};
  double q[3];
  ves_equilibrium_options opt = ves_equilibrium_defaults();
  opt.start = 0.45;
  opt.rule = VES_RULE_RESCALE;
  ASSERT_EQ(VES_OK, ves_equilibrium_solve(w, 3, &opt, q));
  ASSERT(q[0] == 0.45 && q[2] == 0.45);
  ASSERT_IN_RANGE(1.0 / 3.0, q[1], 1e-15); /* n counts them */
  const double none[] = {0.0, 0.0};
  ASSERT_EQ(VES_OK, ves_equilibrium_solve(none, 2, &opt, q));
  ASSERT(q[0] == 0.45 && q[1] == 0.45);
  PASS();
}

TEST errors_are_reported(void) {
  const double w[] = {0.5, 0.25}, negative[] = {0.5, -1.0}, nan_w[] = {0.5, nan("")},
               infinite[] = {0.5, HUGE_VAL}, wide[] = {1.0, 1e-291};
  double q[2];
  const ves_equilibrium_options good = ves_equilibrium_defaults();
  ASSERT_EQ(VES_ESIZE, ves_equilibrium_solve(w, 0, &good, q));
  ASSERT_EQ(VES_EDOMAIN, ves_equilibrium_solve(negative, 2, &good, q));
  ASSERT_EQ(VES_EDOMAIN, ves_equilibrium_solve(nan_w, 2, &good, q));
  ASSERT_EQ(VES_EDOMAIN, ves_equilibrium_solve(infinite, 2, &good, q));
  ASSERT_EQ(VES_EDOMAIN, ves_equilibrium_solve(wide, 2, &good, q));
  ves_equilibrium_options bad = good;
  bad.rule = VES_RULE_CUSTOM;
  ASSERT_EQ(VES_EDOMAIN, ves_equilibrium_solve(w, 2, &bad, q));
  bad = good;
  bad.psi = 0.0;
  ASSERT_EQ(VES_EDOMAIN, ves_equilibrium_solve(w, 2, &bad, q));
  bad.psi = nan("");
  ASSERT_EQ(VES_EDOMAIN, ves_equilibrium_solve(w, 2, &bad, q));
  bad.psi = 2e6;
  ASSERT_EQ(VES_EDOMAIN, ves_equilibrium_solve(w, 2, &bad, q));
  bad = good;
  bad.floor = 0.5;
  bad.ceiling = 0.4;
  ASSERT_EQ(VES_EDOMAIN, ves_equilibrium_solve(w, 2, &bad, q));
  bad = good;
  bad.start = 1.5;
  ASSERT_EQ(VES_EDOMAIN, ves_equilibrium_solve(w, 2, &bad, q));
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  gsl_set_error_handler_off();
  GREATEST_MAIN_BEGIN();
  RUN_TEST(solution_equals_enumeration);
  RUN_TEST(small_releases_are_accurate);
  RUN_TEST(solution_satisfies_the_integral);
  RUN_TEST(learner_ends_at_the_solution);
  RUN_TEST(rescale_is_exact_for_equal_weights);
  RUN_TEST(solution_is_free_of_scale);
  RUN_TEST(many_synapses);
  RUN_TEST(zero_weights_keep_their_start);
  RUN_TEST(errors_are_reported);
  GREATEST_MAIN_END();
}
