/* Scores against their definitions, on samples with ties. */
#include "greatest.h"
#include "ves_score.h"
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

/* The integral of (F - step)^2, exactly, cell by cell: F is constant between members. */
static double crps_by_integral(const double *sample, size_t n, double y) {
  double low = y, high = y, sum = 0.0;
  for (size_t i = 0; i < n; i++) {
    low = fmin(low, sample[i]);
    high = fmax(high, sample[i]);
  }
  for (double z = low; z < high;) {
    double next = z < y ? y : high;
    size_t at_most = 0;
    for (size_t i = 0; i < n; i++) {
      at_most += sample[i] <= z;
      if (sample[i] > z) next = fmin(next, sample[i]);
    }
    const double d = (double)at_most / (double)n - (z >= y ? 1.0 : 0.0);
    sum += d * d * (next - z);
    z = next;
  }
  return sum;
}

/* [eq:crps] */
TEST crps_equals_both_definitions(void) {
  enum { N = 41 };
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, 2385);
  for (int trial = 0; trial < 40; trial++) {
    double sample[N] = {0.0}, scratch[N], crps;
    const size_t n = 1 + gsl_rng_uniform_int(r, N);
    for (size_t i = 0; i < n; i++) {
      sample[i] = 3.0 + gsl_ran_gaussian(r, 2.0);
      if (trial % 2) sample[i] = floor(sample[i]); /* ties */
    }
    const double y = trial % 4 == 1 ? sample[0] : gsl_ran_gaussian(r, 4.0);
    double distance = 0.0, pairs = 0.0;
    for (size_t i = 0; i < n; i++) {
      distance += fabs(sample[i] - y) / (double)n;
      for (size_t j = 0; j < n; j++) pairs += fabs(sample[i] - sample[j]) / (double)(n * n);
    }
    ASSERT_EQ(VES_OK, ves_score_crps(sample, n, y, scratch, &crps));
    ASSERT_IN_RANGE(distance - 0.5 * pairs, crps, 1e-13);
    ASSERT_IN_RANGE(crps_by_integral(sample, n, y), crps, 1e-13);
  }
  gsl_rng_free(r);
  PASS();
}

/* A point forecast scores its absolute error; a large normal sample approaches the normal's closed
 * form. [eq:crps] */
TEST crps_has_known_values(void) {
  enum { N = 20000 };
  static double sample[N], scratch[N];
  double crps;
  const double point[] = {1.25};
  ASSERT_EQ(VES_OK, ves_score_crps(point, 1, -1.135, scratch, &crps));
  ASSERT_IN_RANGE(2.385, crps, 1e-15);
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, 3);
  for (size_t i = 0; i < N; i++) sample[i] = gsl_ran_gaussian(r, 1.0);
  ASSERT_EQ(VES_OK, ves_score_crps(sample, N, 0.0, scratch, &crps));
  ASSERT_IN_RANGE(2.0 * gsl_ran_ugaussian_pdf(0.0) - 1.0 / sqrt(M_PI), crps, 0.01);
  gsl_rng_free(r);
  PASS();
}

/* [eq:pit] */
TEST pit_counts_half_of_the_ties(void) {
  const double sample[] = {2, 1, 2, 5};
  double pit;
  ASSERT_EQ(VES_OK, ves_score_pit(sample, 4, 2.0, &pit));
  ASSERT_EQ(0.5, pit);
  ASSERT_EQ(VES_OK, ves_score_pit(sample, 4, 4.0, &pit));
  ASSERT_EQ(0.75, pit);
  ASSERT_EQ(VES_OK, ves_score_pit(sample, 4, 0.0, &pit));
  ASSERT_EQ(0.0, pit);
  ASSERT_EQ(VES_OK, ves_score_pit(sample, 4, 6.0, &pit));
  ASSERT_EQ(1.0, pit);
  PASS();
}

/* Members 0..100 in any order: the central 90% is [5, 95]. [eq:coverage] */
TEST coverage_uses_the_central_interval(void) {
  double sample[101], scratch[101], lower, upper;
  int covered;
  for (size_t i = 0; i < 101; i++) sample[i] = (double)((i * 37) % 101);
  ASSERT_EQ(VES_OK, ves_score_coverage(sample, 101, 95.0, 0.9, scratch, &covered, &lower, &upper));
  ASSERT_IN_RANGE(5.0, lower, 1e-12);
  ASSERT_IN_RANGE(95.0, upper, 1e-12);
  const struct {
    double y;
    int covered;
  } row[] = {{4.9, 0}, {5.1, 1}, {50, 1}, {94.9, 1}, {95.1, 0}};
  for (size_t i = 0; i < 5; i++) {
    ASSERT_EQ(VES_OK,
              ves_score_coverage(sample, 101, row[i].y, 0.9, scratch, &covered, NULL, NULL));
    ASSERT_EQ(row[i].covered, covered);
  }
  const double point[] = {2.385};
  ASSERT_EQ(VES_OK, ves_score_coverage(point, 1, 2.385, 0.5, scratch, &covered, &lower, &upper));
  ASSERT(covered == 1 && lower == 2.385 && upper == 2.385); /* bounds are included */
  PASS();
}

/* [eq:total-variation] [eq:kl] */
TEST distances_between_distributions(void) {
  const double p[] = {0.6, 0.4, 0.0}, q[] = {0.36, 0.54, 0.1}, hole[] = {1.0, 0.0, 0.0};
  double value;
  ASSERT_EQ(VES_OK, ves_score_total_variation(p, q, 3, &value));
  ASSERT_IN_RANGE(0.24, value, 1e-15);
  ASSERT_EQ(VES_OK, ves_score_total_variation(p, p, 3, &value));
  ASSERT_EQ(0.0, value);
  ASSERT_EQ(VES_OK, ves_score_kl(p, q, 3, &value));
  ASSERT_IN_RANGE(0.6 * log(0.6 / 0.36) + 0.4 * log(0.4 / 0.54), value, 1e-15);
  ASSERT_EQ(VES_OK, ves_score_kl(p, p, 3, &value));
  ASSERT_EQ(0.0, value);
  ASSERT_EQ(VES_OK, ves_score_kl(p, hole, 3, &value));
  ASSERT(isinf(value) && value > 0);
  ASSERT_EQ(VES_OK, ves_score_kl(hole, p, 3, &value));
  ASSERT_IN_RANGE(log(1.0 / 0.6), value, 1e-15);
  PASS();
}

TEST errors_are_reported(void) {
  const double good[] = {0.5, 0.5}, bad[] = {0.5, nan("")}, negative[] = {1.5, -0.5};
  double scratch[2], value;
  int covered;
  ASSERT_EQ(VES_ESIZE, ves_score_crps(good, 0, 0.0, scratch, &value));
  ASSERT_EQ(VES_EDOMAIN, ves_score_crps(bad, 2, 0.0, scratch, &value));
  ASSERT_EQ(VES_EDOMAIN, ves_score_crps(good, 2, HUGE_VAL, scratch, &value));
  ASSERT_EQ(VES_ESIZE, ves_score_pit(good, 0, 0.0, &value));
  ASSERT_EQ(VES_EDOMAIN, ves_score_pit(bad, 2, 0.0, &value));
  ASSERT_EQ(VES_ESIZE, ves_score_coverage(good, 0, 0.0, 0.5, scratch, &covered, NULL, NULL));
  ASSERT_EQ(VES_EDOMAIN, ves_score_coverage(good, 2, 0.0, 1.0, scratch, &covered, NULL, NULL));
  ASSERT_EQ(VES_EDOMAIN, ves_score_coverage(good, 2, 0.0, 0.0, scratch, &covered, NULL, NULL));
  ASSERT_EQ(VES_EDOMAIN, ves_score_coverage(bad, 2, 0.0, 0.5, scratch, &covered, NULL, NULL));
  ASSERT_EQ(VES_ESIZE, ves_score_total_variation(good, good, 0, &value));
  ASSERT_EQ(VES_EDOMAIN, ves_score_total_variation(good, negative, 2, &value));
  ASSERT_EQ(VES_ESIZE, ves_score_kl(good, good, 0, &value));
  ASSERT_EQ(VES_EDOMAIN, ves_score_kl(bad, good, 2, &value));
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_TEST(crps_equals_both_definitions);
  RUN_TEST(crps_has_known_values);
  RUN_TEST(pit_counts_half_of_the_ties);
  RUN_TEST(coverage_uses_the_central_interval);
  RUN_TEST(distances_between_distributions);
  RUN_TEST(errors_are_reported);
  GREATEST_MAIN_END();
}
