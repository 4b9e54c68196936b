/* Release probabilities: the mapping, Phi, the normalisers, and the errata that concern them. */
#include "greatest.h"
#include "ves_order.h"
#include "ves_release.h"
#include "ves_simd.h"
#include "ves_stop.h"
#include "ves_winner.h"
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static gsl_rng *seeded(unsigned long seed) {
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, seed);
  return r;
}

static double sum_of(const double *v, size_t n) {
  double s = 0;
  for (size_t i = 0; i < n; i++) s += v[i];
  return s;
}

/* Ranks: every index once, weights descending, equal ones by index; sizes across those that are counted
 * with vectors, the runs that are merged, beyond what fits on the stack, and where they are dealt out by
 * bytes; of either sign, from the smallest to the largest there are, infinite ones and both zeros. What
 * is not a number has no place, but every index must be there once. */
TEST ranks(bool vectors) {
  enum { MOST = 3000 };
  static const double any[] = {0.0, -0.0, 1e-320, -1e-320, 1e-300,   -1e-300,
                               1.0, -1.0, 1e300,  -1e300,  INFINITY, -INFINITY};
  gsl_rng *r = seeded(2);
  ves_simd_select(vectors);
  for (size_t n = 1; n <= MOST; n += n < 70 ? 1 : 63 + n / 3)
    for (int kind = 0; kind <= 4; kind++) {
      double w[MOST];
      size_t order[MOST];
      bool seen[MOST] = {false};
      for (size_t i = 0; i < n; i++)
        w[i] = kind == 0   ? gsl_rng_uniform(r)
               : kind == 1 ? (double)gsl_rng_uniform_int(r, 4)
               : kind == 2 ? any[gsl_rng_uniform_int(r, sizeof any / sizeof *any)]
                           : gsl_ran_gaussian(r, 1e3) * exp(gsl_ran_gaussian(r, 20));
      if (kind == 4) w[n / 2] = NAN;
      ves_order_descending(w, n, order);
      for (size_t k = 0; k < n; k++) {
        ASSERT(order[k] < n && !seen[order[k]]);
        seen[order[k]] = true;
        if (k == 0 || kind == 4) continue;
        const double stronger = w[order[k - 1]], weaker = w[order[k]];
        ASSERT(stronger > weaker || (stronger == weaker && order[k - 1] < order[k]));
      }
    }
  gsl_rng_free(r);
  ves_simd_select(false);
  PASS();
}

/* Largest distance between the winner's exact distribution and the encoded one. [eq:mapping]
 * [eq:winner] */
static double mapping_error(const double *w, size_t n) {
  size_t *order = malloc(n * sizeof *order);
  double *q = malloc(n * sizeof *q), *p = malloc(n * sizeof *p), nothing, worst = 0;
  ves_release_analytic(w, n, order, q);
  ves_winner_single(w, q, n, p, &nothing);
  const double total = sum_of(w, n);
  for (size_t i = 0; i < n; i++) worst = fmax(worst, fabs(p[i] - w[i] / total));
  worst = fmax(worst, fabs(nothing));
  free(order);
  free(q);
  free(p);
  return worst;
}

/* [eq:mapping]: the winner is distributed as the weights, for any weights in any order. */
TEST mapping_samples_the_weights(void) {
  gsl_rng *r = seeded(1);
  static const size_t sizes[] = {1, 2, 3, 5, 17, 64, 65, 100, 500, 1000, 2000};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (int shape = 0; shape < 5; shape++) {
      const size_t n = sizes[s];
      double *w = malloc(n * sizeof *w);
      for (size_t i = 0; i < n; i++) {
        const double u = gsl_rng_uniform_pos(r);
        w[i] = shape == 0   ? u
               : shape == 1 ? exp(gsl_ran_gaussian(r, 4))
               : shape == 2 ? 0.385
               : shape == 3 ? (double)(i + 1)
                            : floor(4 * u); /* ties and zeros */
      }
      w[0] += 0.01;
      ASSERT_IN_RANGE(0, mapping_error(w, n), 1e-14);
      free(w);
    }
  gsl_rng_free(r);
  PASS();
}

TEST awkward_weights(void) {
  size_t order[4];
  double q[4];
  const double zero[4] = {0, 0, 0, 0}, one[1] = {2.385}, mixed[4] = {0, 0.3, 0, 0.1},
               tied[4] = {1, 1, 1, 1};
  ves_release_analytic(zero, 4, order, q);
  for (int i = 0; i < 4; i++) ASSERT_EQ(0, q[i]);
  ves_release_analytic(one, 1, order, q);
  ASSERT_EQ(1, q[0]);
  ves_release_analytic(mixed, 4, order, q);
  ASSERT_EQ(0, q[0]);
  ASSERT_IN_RANGE(0.75, q[1], 1e-15);
  ASSERT_EQ(0, q[2]);
  ASSERT_EQ(1, q[3]); /* the weakest positive weight always transmits: exactly */
  ves_release_analytic(tied, 4, order, q);
  for (int i = 0; i < 4; i++) {
    ASSERT_EQ((size_t)i, order[i]); /* ties in index order */
    ASSERT_IN_RANGE(1.0 / (4 - i), q[i], 1e-15);
  }
  PASS();
}

/* Erratum E5: the first step of the recursion concerns the largest weight: q_1 = p_1, and q_i > p_i
 * elsewhere. */
/* More weights than are sorted and summed in one go. [eq:mapping] */
TEST many_weights(void) {
  const size_t n = 2 * (size_t)VES_BLOCK + 77;
  double *w = malloc(n * sizeof *w), *q = malloc(n * sizeof *q);
  size_t *order = malloc(n * sizeof *order), *place = malloc(n * sizeof *place);
  for (size_t i = 0; i < n; i++) {
    const size_t rank = i * 7919 % n; /* 0 is the weakest; n has no factor 7919 */
    w[i] = 1 + (double)rank / (double)n;
    place[rank] = i;
  }
  ves_release_analytic(w, n, order, q);
  long double sum = 0;
  for (size_t rank = 0; rank < n; rank++) {
    sum += w[place[rank]];
    ASSERT_IN_RANGE((double)(w[place[rank]] / sum), q[place[rank]], 1e-12 * q[place[rank]]);
    ASSERT_EQ(place[rank], order[n - 1 - rank]);
  }
  ASSERT_EQ(1.0, q[place[0]]);
  free(w);
  free(q);
  free(order);
  free(place);
  PASS();
}

TEST erratum_e5_first_step(void) {
  const double w[4] = {0.4, 0.3, 0.2, 0.1};
  size_t order[4];
  double q[4];
  ves_release_analytic(w, 4, order, q);
  ASSERT_IN_RANGE(0.4, q[0], 1e-15);
  for (int i = 1; i < 4; i++) ASSERT(q[i] > w[i] + 0.05);
  PASS();
}

/* Erratum E6: in the induction the sum runs to k: q_{k+1} = p_{k+1} / (1 - sum_{j<=k} p_j); to n it
 * would divide by 0. */
TEST erratum_e6_sum_to_k(void) {
  const double p[5] = {0.35, 0.25, 0.2, 0.15, 0.05};
  size_t order[5];
  double q[5], stronger = 0;
  ves_release_analytic(p, 5, order, q);
  for (int k = 0; k < 5; k++) {
    ASSERT_IN_RANGE(p[k] / (1 - stronger), q[k], 1e-14);
    stronger += p[k];
  }
  ASSERT_IN_RANGE(0, 1 - stronger, 1e-15);
  PASS();
}

/* The hyperbolic release of equal weights: q_i = 1/(n-i+1). [eq:mapping] */
TEST equal_weights_give_a_hyperbola(void) {
  enum { N = 10000 };
  double *w = malloc(N * sizeof *w), *q = malloc(N * sizeof *q);
  size_t *order = malloc(N * sizeof *order);
  for (size_t i = 0; i < N; i++) w[i] = 0.25;
  ves_release_analytic(w, N, order, q);
  for (size_t i = 0; i < N; i++) ASSERT_EQ(1.0 / (double)(N - i), q[i]);
  free(w);
  free(q);
  free(order);
  PASS();
}

/* [eq:beta2dropoutvar] above its printed solution: (A/(phi(A+B)))^2 phi (1-phi) = var Beta(A,B), in
 * units of the right side, over eighteen orders of magnitude. */
TEST phi_solves_the_variance_equation(void) {
  for (double la = -3; la <= 9; la += 0.31)
    for (double lb = -3; lb <= 9; lb += 0.29) {
      const double a = pow(10, la), b = pow(10, lb);
      double phi, rest;
      ves_release_epistemic(a, b, VES_PHI_EXACT, &phi, &rest);
      const double ratio = rest / phi * (a * (a + b + 1)) / b;
      ASSERT_IN_RANGE(1, ratio, 1e-12);
      ASSERT(phi > 0 && phi < 1.0000000000000002 && rest > 0 && rest < 1);
      ASSERT_IN_RANGE(1, phi + rest, 1e-15);
      /* In the paper's words: phi = w(n+1)/(1+wn). */
      const double n = a + b, w = a / n;
      ASSERT_IN_RANGE(1, w * (n + 1) / (1 + w * n) / phi, 1e-12);
    }
  double phi, rest;
  ves_release_epistemic(2.385, 0, VES_PHI_EXACT, &phi, &rest);
  ASSERT_EQ(1, phi);
  ASSERT_EQ(0, rest);
  ves_release_epistemic(1e300, 1e300, VES_PHI_EXACT, &phi, &rest);
  ASSERT_IN_RANGE(1, phi, 1e-15);
  ves_release_epistemic(1e-300, 1e300, VES_PHI_PRINTED, &phi, &rest);
  ASSERT(phi >= 0 && rest == 1);
  PASS();
}

/* Erratum E1: the printed root solves C(1-phi) = B phi^2 and so delivers phi times the wanted
 * variance. */
TEST erratum_e1_printed_root(void) {
  for (double la = -3; la <= 6; la += 0.37)
    for (double lb = -3; lb <= 6; lb += 0.41) {
      const double a = pow(10, la), b = pow(10, lb), c = a * (a + b + 1);
      double phi, rest;
      ves_release_epistemic(a, b, VES_PHI_PRINTED, &phi, &rest);
      ASSERT_IN_RANGE(1, c * rest / (b * phi * phi), 1e-12);
      if (la < 3 && lb < 3) { /* the formula as printed, where it does not cancel */
        const double printed = (sqrt(c * c + 4 * b * c) - c) / (2 * b);
        ASSERT_IN_RANGE(1, printed / phi, 1e-6);
      }
      const double delivered = (a / (phi * (a + b))) * (a / (phi * (a + b))) * phi * rest;
      const double wanted = a * b / ((a + b) * (a + b) * (a + b + 1));
      ASSERT_IN_RANGE(phi, delivered / wanted, 1e-11);
    }
  PASS();
}

/* Erratum E2: at A = B the exact solution is 1 - 1/(A+B+2); the printed remark approximates the
 * printed root. */
TEST erratum_e2_equal_evidence(void) {
  for (double a = 0.5; a < 1e4; a *= 3) {
    double exact, printed, rest;
    ves_release_epistemic(a, a, VES_PHI_EXACT, &exact, &rest);
    ASSERT_IN_RANGE(1 / (2 * a + 2), rest, 1e-14);
    ves_release_epistemic(a, a, VES_PHI_PRINTED, &printed, &rest);
    ASSERT(fabs(rest - 1 / (2 * a + 3)) < fabs(rest - 1 / (2 * a + 2)));
  }
  PASS();
}

/* Tail ratio: how often the tail is sampled given a non-empty draw, over how often it is encoded.
 */
static double tail_ratio(size_t n, double (*release)(double w, double sum)) {
  double *w = malloc(n * sizeof *w), *q = malloc(n * sizeof *q), *p = malloc(n * sizeof *p),
         nothing;
  for (size_t i = 0; i < n; i++) w[i] = 1 + (double)(n - i) / (double)n; /* none dominates */
  const double sum = sum_of(w, n);
  for (size_t i = 0; i < n; i++) q[i] = fmin(1, release(w[i], sum));
  ves_winner_single(w, q, n, p, &nothing);
  const double ratio = p[n - 1] / (1 - nothing) / (w[n - 1] / sum);
  free(w);
  free(q);
  free(p);
  return ratio;
}

static double uniform_release(double w, double sum) { return (void)w, (void)sum, 0.3; }
static double normalised_release(double w, double sum) { return w / sum; }
static double proportional_release(double w, double sum) { return (void)sum, 0.3 * w; }

/* Erratum E9: whether tails vanish as the network grows depends on the constant of proportionality.
 */
TEST erratum_e9_tails(void) {
  ASSERT(tail_ratio(200, uniform_release) < 1e-20);
  ASSERT(tail_ratio(200, proportional_release) < 1e-20);
  const double limit = exp(-1) / (1 - exp(-1)); /* F = 1 at the very tail */
  ASSERT_IN_RANGE(limit, tail_ratio(200, normalised_release), 0.01);
  ASSERT_IN_RANGE(limit, tail_ratio(20000, normalised_release), 0.0001);
  PASS();
}

/* Erratum E10: W'x weights row i by x_i times its row sum, not by x_i. */
TEST erratum_e10_row_sums(void) {
  const double w[2][3] = {{6, 9, 5}, {0.2, 0.1, 0.7}}, x[2] = {0.5, 0.5};
  double y[3], rows[3], by_x[3], total = 0;
  for (int j = 0; j < 3; j++) total += y[j] = x[0] * w[0][j] + x[1] * w[1][j];
  for (int j = 0; j < 3; j++) {
    rows[j] = (x[0] * 20 * (w[0][j] / 20) + x[1] * 1 * (w[1][j] / 1)) / (x[0] * 20 + x[1] * 1);
    by_x[j] = x[0] * (w[0][j] / 20) + x[1] * (w[1][j] / 1);
    ASSERT_IN_RANGE(rows[j], y[j] / total, 1e-15);
    ASSERT(fabs(by_x[j] - y[j] / total) > 0.01);
  }
  PASS();
}

/* Erratum E11: divided or multiplied by Phi, the weakest synapse no longer always transmits: a draw
 * may be empty. */
TEST erratum_e11_empty_draws(void) {
  const double w[3] = {0.5, 0.3, 0.2};
  size_t order[3];
  double q[3], p[3], nothing;
  ves_release_analytic(w, 3, order, q);
  ves_winner_single(w, q, 3, p, &nothing);
  ASSERT_EQ(0, nothing);
  for (int i = 0; i < 3; i++) q[i] /= 2;
  ves_winner_single(w, q, 3, p, &nothing);
  ASSERT_IN_RANGE((1 - 0.25) * (1 - 0.3) * (1 - 0.5), nothing, 1e-15);
  PASS();
}

/* Erratum E12: "g is larger than q by (n-i+1)/|s| on average" is exact for equal weights, and only
 * for them. Checked over all subsets of the weaker synapses of a given size. */
TEST erratum_e12_rescale_factor(void) {
  enum { WEAKER = 6 };
  for (int equal = 0; equal <= 1; equal++) {
    double w[WEAKER + 1], all = 0, worst = 0;
    for (int i = 0; i <= WEAKER; i++) all += w[i] = equal ? 0.7 : 1.0 / (1 + i);
    const double q = w[0] / all;
    for (int size = 1; size <= WEAKER + 1; size++) {
      double mean = 0, count = 0;
      for (unsigned mask = 0; mask < 1u << WEAKER; mask++) {
        if (__builtin_popcount(mask) != size - 1) continue;
        double s = w[0];
        for (int i = 0; i < WEAKER; i++) s += (mask >> i & 1) * w[i + 1];
        mean += w[0] / s;
        count++;
      }
      worst = fmax(worst, fabs(mean / count / q * size / (WEAKER + 1) - 1));
    }
    if (equal)
      ASSERT_IN_RANGE(0, worst, 1e-14);
    else
      ASSERT(worst > 0.1);
  }
  PASS();
}

/* [eq:combined] [eq:normaliser] */
TEST combination_and_divisors(void) {
  const double phi[2] = {0.5, 0.25}, q[2] = {0.4, 1};
  double qbar[2];
  ves_release_combine(phi, q, 2, qbar);
  ASSERT_EQ(0.2, qbar[0]);
  ASSERT_EQ(0.25, qbar[1]);
  const double x[5] = {0.5, 0.5, 0.25, 1e-4, 0};
  ASSERT_EQ(1, ves_release_divisor(x, 5, VES_DIVIDE_NONE, 1e-3));
  ASSERT_IN_RANGE(1.25, ves_release_divisor(x, 5, VES_DIVIDE_SUM, 1e-3), 1e-15);
  ASSERT_EQ(3, ves_release_divisor(x, 5, VES_DIVIDE_COUNT, 1e-3));
  ASSERT_EQ(4, ves_release_divisor(x, 5, VES_DIVIDE_COUNT, 1e-5));
  ASSERT_EQ(3, ves_release_divisor(x, 5, VES_DIVIDE_COUNT, 1e-4)); /* above it, not at it */
  ASSERT_EQ(1, ves_release_divisor(x, 3, VES_DIVIDE_COUNT, 0.5));
  ASSERT_IN_RANGE(1.25 * 1.25 / 0.5625, ves_release_divisor(x, 5, VES_DIVIDE_PARTICIPATION, 1e-3),
                  1e-15);
  const double faint[2] = {0.1, 0.1}, none[2] = {0, 0};
  ASSERT_EQ(1, ves_release_divisor(faint, 2, VES_DIVIDE_SUM, 1e-3)); /* never below one */
  for (int kind = 0; kind < 4; kind++)
    ASSERT_EQ(1, ves_release_divisor(none, 2, (ves_normaliser)kind, 1e-3));
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_TESTp(ranks, false);
  RUN_TESTp(ranks, true);
  RUN_TEST(mapping_samples_the_weights);
  RUN_TEST(awkward_weights);
  RUN_TEST(many_weights);
  RUN_TEST(erratum_e5_first_step);
  RUN_TEST(erratum_e6_sum_to_k);
  RUN_TEST(equal_weights_give_a_hyperbola);
  RUN_TEST(phi_solves_the_variance_equation);
  RUN_TEST(erratum_e1_printed_root);
  RUN_TEST(erratum_e2_equal_evidence);
  RUN_TEST(erratum_e9_tails);
  RUN_TEST(erratum_e10_row_sums);
  RUN_TEST(erratum_e11_empty_draws);
  RUN_TEST(erratum_e12_rescale_factor);
  RUN_TEST(combination_and_divisors);
  GREATEST_MAIN_END();
}
