/* Release sites: their release, moments and limit; draws against the binomial; held masks and the
 * two kinds of variance. */
#include "greatest.h"
#include "support.h"
#include "ves_release.h"
#include "ves_rng.h"
#include "ves_simd.h"
#include "ves_sites.h"
#include <gsl/gsl_randist.h>
#include <stdlib.h>

/* Whatever their number, sites have the variance of Beta(A, B); one is the exact root; many are
 * Poisson. [eq:sites] [eq:sites-moments] */
TEST moments_and_limit(void) {
  const double pairs[][2] = {{0.3, 2.7}, {2, 3}, {150, 4.5}, {1e-3, 0.8}};
  for (size_t c = 0; c < sizeof pairs / sizeof *pairs; c++) {
    const double a = pairs[c][0], b = pairs[c][1], s = a + b, w = a / s;
    const double beta = a * b / (s * s * (s + 1)), t = b / (a * (s + 1));
    for (size_t n = 1; n <= 4096; n *= 4) {
      double phi, rest, variance, third, v = 0, u = 0;
      ves_release_epistemic_sites(a, b, n, &phi, &rest);
      ASSERT_IN_RANGE(1.0, phi + rest, 1e-15);
      ASSERT_IN_RANGE(1 / (1 + (double)n * t), phi, 1e-15);
      ves_sites_moments(w, phi, n, &variance, &third);
      ASSERT_IN_RANGE(beta, variance, 1e-12 * beta);
      ASSERT_IN_RANGE(w * w * w * t * (t - 1 / (double)n), third, 1e-9 * (1 + fabs(third)));
      /* the same from the binomial itself */
      for (unsigned k = 0; k <= n; k++) {
        const double p = gsl_ran_binomial_pdf(k, phi, (unsigned)n);
        const double d = w * k / ((double)n * phi) - w;
        v += p * d * d;
        u += p * d * d * d;
      }
      ASSERT_IN_RANGE(variance, v, 1e-9 * (1 + variance));
      ASSERT_IN_RANGE(third, u, 1e-7 * (1 + fabs(third)));
      if (n == 1) {
        double one, other;
        ves_release_epistemic(a, b, VES_PHI_EXACT, &one, &other);
        ASSERT_EQ(one, phi);
        ASSERT_EQ(other, rest);
      }
      if (n == 4096) { /* total variation from Poisson(1/t): at most phi, by Le Cam's bound */
        double distance = 0;
        for (unsigned k = 0; k <= 400; k++)
          distance += fabs(gsl_ran_binomial_pdf(k, phi, (unsigned)n) -
                           gsl_ran_poisson_pdf(k, phi * (double)n)) /
                      2;
        ASSERT(distance <= phi);
      }
    }
  }
  double phi, rest;
  ves_release_epistemic_sites(2, 0, 7, &phi, &rest); /* nothing against: certain */
  ASSERT_EQ(1.0, phi);
  ASSERT_EQ(0.0, rest);
  PASS();
}

enum { K = 2, N = 3, SITES = 5, DRAWS = 20000 };

static const double effective[K * N] = {0.5, 0.3, 0, 0.2, 0.25, 0.4};
static const double phi[K * N] = {0.4, 0.7, 0.5, 0.2, 1, 0.6};
static const double release[K * N] = {0.5, 0.8, 0.9, 1, 0.3, 0};
static const uint32_t input[K] = {4, 9};

/* The number of open sites is binomial, synapses are independent, and what is transmitted is their
 * share. With input 1 alone and every release 1, activities tell the numbers. */
TEST numbers_are_binomial(void) {
  const double always[N] = {1, 1, 1};
  ves_sites *s = ves_sites_alloc(effective, phi, always, input, 1, N, SITES);
  double seen[2][SITES + 1] = {{0}}, both = 0, product = 0, y[N];
  for (uint64_t d = 0; d < DRAWS; d++) {
    ves_sites_open(s, 21, d);
    ves_sites_draw(s, 21, d, y);
    ASSERT_EQ(0.0, y[2]); /* no weight */
    double k[2];
    for (size_t j = 0; j < 2; j++) {
      k[j] = round(y[j] / effective[j] * SITES * phi[j]);
      ASSERT_IN_RANGE(effective[j] * k[j] / (SITES * phi[j]), y[j], 1e-12);
      seen[j][(size_t)k[j]]++;
    }
    both += k[0] * k[1];
    product += k[0] * k[0] * k[1] * k[1];
  }
  for (size_t j = 0; j < 2; j++) {
    double expected[SITES + 1];
    for (unsigned k = 0; k <= SITES; k++)
      expected[k] = DRAWS * gsl_ran_binomial_pdf(k, phi[j], SITES);
    ASSERT(chi_square_p(seen[j], expected, SITES + 1) > SIGNIFICANCE);
  }
  both /= DRAWS;
  const double se = sqrt((product / DRAWS - both * both) / DRAWS);
  ASSERT(normal_p((both - SITES * phi[0] * SITES * phi[1]) / se) > SIGNIFICANCE);
  ves_sites_free(s);
  PASS();
}

/* Two streams that take turns at one sampler draw what each draws at one of its own; and releases of
 * 1, which need no mask, draw what a release next to 1 does. */
TEST streams_take_turns(void) {
  const double next[K * N] = {1, 1, 1, 1, 1, 1 - 1e-12}, always[K * N] = {1, 1, 1, 1, 1, 1};
  ves_sites *both = ves_sites_alloc(effective, phi, release, input, K, N, SITES);
  ves_sites *alone[2], *certain = ves_sites_alloc(effective, phi, always, input, K, N, SITES),
                       *nearly = ves_sites_alloc(effective, phi, next, input, K, N, SITES);
  for (size_t i = 0; i < 2; i++)
    alone[i] = ves_sites_alloc(effective, phi, release, input, K, N, SITES);
  for (uint64_t d = 0; d < 200; d++) {
    double y[N], z[N];
    for (uint64_t key = 0; key < 2; key++) {
      ASSERT_EQ(ves_sites_open(alone[key], key, d), ves_sites_open(both, key, d));
      ASSERT_EQ(ves_sites_draw(alone[key], key, d, y), ves_sites_draw(both, key, d, z));
      ASSERT_MEM_EQ(y, z, sizeof y);
    }
    ves_sites_open(certain, 5, d);
    ves_sites_open(nearly, 5, d);
    ASSERT_EQ(ves_sites_draw(certain, 5, d, y), ves_sites_draw(nearly, 5, d, z));
    ASSERT_MEM_EQ(y, z, sizeof y);
  }
  for (size_t i = 0; i < 2; i++) ves_sites_free(alone[i]);
  ves_sites_free(both);
  ves_sites_free(certain);
  ves_sites_free(nearly);
  PASS();
}

/* With many sites too, likely and unlikely ones, one site, and sites that always open. The random
 * byte leaves most numbers of the first synapse undecided; the vector path gives the same. */
TEST numbers_of_many_sites(void) {
  enum { MANY = 400, KINDS = 5 };
  static const double chance[KINDS] = {0.5, 0.004, 0.93, 0.12, 1};
  const double one[KINDS] = {1, 1, 1, 1, 1};
  const size_t counts[] = {1, 2, 64, MANY};
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    static double seen[KINDS][MANY + 1], expected[MANY + 1];
    const size_t n = counts[c];
    for (size_t j = 0; j < KINDS; j++)
      for (size_t k = 0; k <= n; k++) seen[j][k] = 0;
    ves_sites *s = ves_sites_alloc(one, chance, one, input, 1, KINDS, n);
    ASSERT(s != NULL);
    double y[KINDS], z[KINDS];
    for (uint64_t d = 0; d < DRAWS; d++) {
      ves_sites_open(s, 24, d);
      ves_sites_draw(s, 24, d, y);
      for (size_t j = 0; j < KINDS; j++) seen[j][(size_t)round(y[j] * (double)n * chance[j])]++;
      if (d % 100 != 0) continue;
      ves_simd_select(false);
      ves_sites_open(s, 24, d);
      ves_sites_draw(s, 24, d, z);
      ves_simd_select(true);
      for (size_t j = 0; j < KINDS; j++) ASSERT_EQ(y[j], z[j]);
    }
    for (size_t j = 0; j + 1 < KINDS; j++) {
      for (unsigned k = 0; k <= n; k++)
        expected[k] = DRAWS * gsl_ran_binomial_pdf(k, chance[j], (unsigned)n);
      ASSERT(chi_square_p(seen[j], expected, n + 1) > SIGNIFICANCE);
    }
    ASSERT_EQ((double)DRAWS, seen[KINDS - 1][n]);
    ves_sites_free(s);
  }
  ASSERT_EQ(NULL, ves_sites_alloc(one, chance, one, input, 1, KINDS, VES_SITES_MAX + 1));
  PASS();
}

/* Held masks: the linear readout sum of c_j y_j has the two variances in closed form, and the
 * balanced one-way layout estimates both without bias. [eq:held] */
TEST components_of_a_linear_readout(void) {
  enum { BOUTS = 20000, EACH = 4 };
  static double value[BOUTS * EACH];
  const double c[N] = {1, -2, 0.7};
  ves_sites *s = ves_sites_alloc(effective, phi, release, input, K, N, SITES);
  double y[N], inside = 0, outside = 0, mean = 0, total = 0;
  for (size_t b = 0; b < BOUTS; b++) {
    ASSERT(ves_sites_open(s, 22, b) || b > 0); /* rarely nothing is open: that counts too */
    for (size_t i = 0; i < EACH; i++) {
      ves_sites_draw(s, 22, b * EACH + i, y);
      value[b * EACH + i] = c[0] * y[0] + c[1] * y[1] + c[2] * y[2];
      total += value[b * EACH + i] / (BOUTS * EACH);
    }
  }
  for (size_t at = 0; at < K * N; at++) {
    const double e = effective[at] * c[at % N], q = release[at];
    const double t = (1 - phi[at]) / (SITES * phi[at]);
    mean += e * q;
    outside += e * e * q * q * t;
    inside += e * e * q * (1 - q) * (1 + t);
  }
  double within, between;
  ASSERT_EQ(VES_OK, ves_sites_components(value, BOUTS, EACH, &within, &between));
  ASSERT_IN_RANGE(mean, total, 0.01);
  ASSERT_IN_RANGE(inside, within, 0.02 * inside);
  ASSERT_IN_RANGE(outside, between, 0.06 * outside);
  /* all of it is the variance of a single draw */
  double all = 0;
  for (size_t i = 0; i < BOUTS * EACH; i++)
    all += (value[i] - total) * (value[i] - total) / (BOUTS * EACH);
  ASSERT_IN_RANGE(inside + outside, all, 0.02 * all);
  ves_sites_free(s);
  PASS();
}

TEST components_exactly(void) {
  const double value[6] = {1, 3, 2, 6, 4, 8}; /* means 2, 4, 6; sums of squares 2, 8, 8 */
  double within, between;
  ASSERT_EQ(VES_OK, ves_sites_components(value, 3, 2, &within, &between));
  ASSERT_IN_RANGE(6.0, within, 1e-15);
  ASSERT_IN_RANGE(4.0 - 3.0, between, 1e-15);
  ASSERT_EQ(VES_OK, ves_sites_components(value, 2, 2, &within, &between)); /* two are enough */
  ASSERT_IN_RANGE(5.0, within, 1e-15);
  ASSERT_IN_RANGE(2.0 - 2.5, between, 1e-15);
  ASSERT_EQ(VES_ESIZE, ves_sites_components(value, 1, 6, &within, &between));
  ASSERT_EQ(VES_ESIZE, ves_sites_components(value, 6, 1, &within, &between));
  PASS();
}

/* Draws are functions of their addresses; winners are the largest, the lower index on ties. */
TEST addresses_and_winners(void) {
  ves_sites *s = ves_sites_alloc(effective, phi, release, input, K, N, SITES);
  ves_sites *again = ves_sites_alloc(effective, phi, release, input, K, N, SITES);
  double y[N], z[N];
  size_t empty = 0;
  for (uint64_t d = 500; d-- > 0;) {
    ves_sites_open(again, 23, 499 - d);
    (void)ves_sites_draw(again, 23, 499 - d, z);
    ves_sites_open(s, 23, d);
    const uint32_t winner = ves_sites_draw(s, 23, d, y);
    ves_sites_open(again, 23, d);
    ASSERT_EQ(winner, ves_sites_draw(again, 23, d, z));
    for (size_t j = 0; j < N; j++) ASSERT_EQ(y[j], z[j]);
    size_t best = 0;
    for (size_t j = 1; j < N; j++)
      if (y[j] > y[best]) best = j;
    ASSERT_EQ(y[best] > 0 ? best + 1 : 0, winner);
    empty += winner == 0;
  }
  ASSERT(empty > 0 && empty < 250);
  ves_sites_free(s);
  ves_sites_free(again);
  const double same[2] = {0.5, 0.5}, one[2] = {1, 1};
  ves_sites *tie = ves_sites_alloc(same, one, one, input, 1, 2, 3);
  ASSERT(ves_sites_open(tie, 1, 0));
  ASSERT_EQ(1, ves_sites_draw(tie, 1, 0, y));
  ves_sites_free(tie);
  ASSERT_EQ(NULL, ves_sites_alloc(same, one, one, input, 1, 0, 3));
  ASSERT_EQ(NULL, ves_sites_alloc(same, one, one, input, 1, 2, 0));
  ves_sites_free(NULL);
  PASS();
}

/* With all sites open a synapse transmits where the stream "release" says so, at its own address. */
TEST releases_have_a_stream_of_their_own(void) {
  double one[N], y[N];
  uint64_t mask[(N + 63) / 64];
  ves_thresholds t;
  ASSERT(ves_thresholds_alloc(&t, N));
  for (size_t j = 0; j < N; j++) {
    one[j] = 1;
    ves_thresholds_set(&t, j, release[j]);
  }
  ves_sites *s = ves_sites_alloc(effective, one, release, input, 1, N, SITES);
  for (uint64_t d = 0; d < 200; d++) {
    ASSERT(ves_sites_open(s, 23, d));
    (void)ves_sites_draw(s, 23, d, y);
    ves_mask_draw(&t, ves_key_string(23, "release", 7), d, input[0], mask);
    for (size_t j = 0; j < N; j++)
      ASSERT_EQ(effective[j] > 0 && (mask[j / 64] >> j % 64 & 1), y[j] > 0);
  }
  ves_sites_free(s);
  ves_thresholds_free(&t);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_TEST(moments_and_limit);
  RUN_TEST(numbers_are_binomial);
  RUN_TEST(streams_take_turns);
  RUN_TEST(numbers_of_many_sites);
  RUN_TEST(components_of_a_linear_readout);
  RUN_TEST(components_exactly);
  RUN_TEST(addresses_and_winners);
  RUN_TEST(releases_have_a_stream_of_their_own);
  GREATEST_MAIN_END();
}
