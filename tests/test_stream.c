/* Draws from distributions: their addresses, GSL's own results there, and their means. */
#include "greatest.h"
#include "ves_rng.h"
#include "ves_stream.h"
#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

enum { MANY = 20000 };

static void draw(int kind, uint64_t key, uint64_t first, size_t n, double *out) {
  switch (kind) {
  case 0: ves_stream_uniform(key, first, n, out); break;
  case 1: ves_stream_normal(key, first, 2.0, 0.5, n, out); break;
  case 2: ves_stream_beta(key, first, 0.5, 1.5, n, out); break;
  case 3: ves_stream_bernoulli(key, first, 0.3, n, out); break;
  default: ves_stream_integer(key, first, 6, n, out); break;
  }
}

/* n draws at once are n draws one by one. */
TEST one_by_one(void) {
  double all[50], one;
  for (int kind = 0; kind < 5; kind++) {
    draw(kind, 99, 1000, 50, all);
    for (size_t i = 0; i < 50; i++) {
      draw(kind, 99, 1000 + i, 1, &one);
      ASSERT_EQ_FMT(all[i], one, "%.17g");
    }
  }
  PASS();
}

/* Each draw is GSL's, started at its address. */
TEST as_gsl_has_them(void) {
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  ASSERT(r != NULL);
  double value;
  for (uint64_t d = 0; d < 100; d++) {
    ves_rng_seek(r, 7, d, VES_ROW_SCALAR);
    draw(1, 7, d, 1, &value);
    ASSERT_EQ_FMT(2.0 + gsl_ran_gaussian_ziggurat(r, 0.5), value, "%.17g");
    ves_rng_seek(r, 7, d, VES_ROW_SCALAR);
    draw(2, 7, d, 1, &value);
    ASSERT_EQ_FMT(gsl_ran_beta(r, 0.5, 1.5), value, "%.17g");
    ves_rng_seek(r, 7, d, VES_ROW_SCALAR);
    draw(0, 7, d, 1, &value);
    ASSERT_EQ_FMT(gsl_rng_uniform(r), value, "%.17g");
  }
  gsl_rng_free(r);
  PASS();
}

/* Means within five standard errors of what they are by theory. */
TEST means(void) {
  static const double mean[] = {0.5, 2.0, 0.25, 0.3, 3.5};
  static const double variance[] = {1.0 / 12, 0.25, 0.0625, 0.21, 35.0 / 12};
  static double out[MANY];
  for (int kind = 0; kind < 5; kind++) {
    double sum = 0;
    draw(kind, 20211118, 0, MANY, out);
    for (size_t i = 0; i < MANY; i++) sum += out[i];
    ASSERT_IN_RANGE(mean[kind], sum / MANY, 5 * sqrt(variance[kind] / MANY));
  }
  PASS();
}

/* A permutation has every number once, and the first place gets each equally often. */
TEST permutations(void) {
  enum { N = 5 };
  size_t first[N + 1] = {0};
  for (uint64_t d = 0; d < MANY; d++) {
    double p[N];
    unsigned seen = 0;
    ves_stream_permutation(3, d, N, p);
    for (size_t i = 0; i < N; i++) seen |= 1u << (unsigned)p[i];
    ASSERT_EQ_FMT(0x3eu, seen, "%x");
    first[(size_t)p[0]]++;
  }
  for (size_t i = 1; i <= N; i++)
    ASSERT_IN_RANGE(0.2, (double)first[i] / MANY, 5 * sqrt(0.16 / MANY));
  PASS();
}

/* Up to 2^53 they are whole, in range and level. */
TEST large_integers(void) {
  const uint64_t most = UINT64_C(3) << 51;
  double out[1000], sum = 0;
  ves_stream_integer(5, 0, most, 1000, out);
  for (size_t i = 0; i < 1000; i++) {
    ASSERT(out[i] >= 1 && out[i] <= (double)most && out[i] == floor(out[i]));
    sum += out[i] / (double)most;
  }
  ASSERT_IN_RANGE(0.5, sum / 1000, 5 * sqrt(1.0 / 12 / 1000));
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_TEST(one_by_one);
  RUN_TEST(as_gsl_has_them);
  RUN_TEST(means);
  RUN_TEST(permutations);
  RUN_TEST(large_integers);
  GREATEST_MAIN_END();
}
