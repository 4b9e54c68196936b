/* Beta draws: their distribution against GSL's, their bits, and the functions they are made of. */
#include "greatest.h"
#include "support.h"
#include "ves_beta.h"
#include "ves_beta_private.h"
#include "ves_math_private.h"
#include "ves_rng.h"
#include "ves_simd.h"
#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>

/* Own logarithm, exponential and circle against the C library's. */
TEST elementary_functions(void) {
  for (double x = 0x1p-60; x < 0x1p60; x *= 1.000385) {
    ASSERT_IN_RANGE(1.0, x == 1 ? 1.0 : ves_log(x) / log(x), 4e-15);
    ASSERT_IN_RANGE(log(1 + 1 / (1e3 * (1 + x))), ves_log(1 + 1 / (1e3 * (1 + x))), 1e-18);
  }
  ASSERT_EQ(0.0, ves_log(1.0));
  for (double t = VES_EXP_LEAST; t <= 0; t += 0.0385)
    ASSERT_IN_RANGE(1.0, ves_exp(t) / exp(t), 6e-16);
  ASSERT_EQ(1.0, ves_exp(0.0));
  for (double g = 0x1p-1022; g < 1; g *= 1.7)
    for (double e = 1e-3; e < 5000; e *= 1.9) {
      const double power = pow(g, e), size = fmax(1, -e * log(g));
      if (power > 1e-300) ASSERT_IN_RANGE(1.0, ves_power(g, e) / power, 3e-15 * size);
      if (power == 0) ASSERT_EQ(0.0, ves_power(g, e));
    }
  ASSERT_EQ(1.0, ves_power(1.0, 2.5));
  ASSERT_EQ(0.0, ves_power(0.0, 2.5));
  for (double y = -0.7854; y <= 0.7854; y += 0.000385) {
    double sine, cosine;
    ves_circle(y, &sine, &cosine);
    ASSERT_IN_RANGE(sin(y), sine, 1e-13);
    ASSERT_IN_RANGE(cos(y), cosine, 1e-13);
  }
  PASS();
}

/* [eq:betamean] [eq:betavar] [eq:beta]; READINGS E3: these are the moments of Beta(A,B), not of
 * Beta(A+1,B+1). */
TEST moments_are_those_of_beta_ab(void) {
  enum { DRAWS = 200000 };
  const double a = 2.385, b = 5.1;
  double mean, variance, *w = malloc(DRAWS * sizeof *w);
  ves_beta_mean(&a, &b, 1, &mean);
  ves_beta_variance(&a, &b, 1, &variance);
  ASSERT_IN_RANGE(a / (a + b), mean, 1e-15);
  ASSERT_IN_RANGE(a * b / ((a + b) * (a + b) * (a + b + 1)), variance, 1e-16);
  ves_beta *s = ves_beta_alloc(&a, &b, 1, 0);
  for (uint64_t d = 0; d < DRAWS; d++) ves_beta_draw(s, ves_key_root(4), d, 2, &w[d]);
  ves_beta_free(s);
  const double root = sqrt((double)DRAWS);
  ASSERT(normal_p((gsl_stats_mean(w, 1, DRAWS) - mean) * root / sqrt(variance)) > SIGNIFICANCE);
  ASSERT_IN_RANGE(1.0, gsl_stats_variance(w, 1, DRAWS) / variance, 0.02);
  /* With one added to both, the mean is (A+1)/(A+B+2) and A/(A+B) is only the mode. */
  s = ves_beta_alloc(&a, &b, 1, 1);
  for (uint64_t d = 0; d < DRAWS; d++) ves_beta_draw(s, ves_key_root(4), d, 2, &w[d]);
  ves_beta_free(s);
  const double plus = (a + 1) / (a + b + 2);
  ASSERT(normal_p((gsl_stats_mean(w, 1, DRAWS) - plus) * root / sqrt(variance)) > SIGNIFICANCE);
  ASSERT(normal_p((gsl_stats_mean(w, 1, DRAWS) - mean) * root / sqrt(variance)) < SIGNIFICANCE);
  const double mode = a / (a + b), h = 1e-4;
  ASSERT(gsl_ran_beta_pdf(mode, a + 1, b + 1) > gsl_ran_beta_pdf(mode - h, a + 1, b + 1));
  ASSERT(gsl_ran_beta_pdf(mode, a + 1, b + 1) > gsl_ran_beta_pdf(mode + h, a + 1, b + 1));
  free(w);
  PASS();
}

/* p value of draws against equally likely cells of their distribution function. Small shapes heap
 * up at 0 and 1: the cells are found by probability, not by position. */
enum { DRAWS = REPEATED(100000), CELLS = 200 };

static double fit(double a, double b, uint64_t key, size_t n) {
  double observed[CELLS] = {0}, expected[CELLS], shape_a[8] = {0}, shape_b[8] = {0}, w[8];
  for (int c = 0; c < CELLS; c++) expected[c] = (double)DRAWS / CELLS;
  for (size_t j = 0; j < n; j++) shape_a[j] = a, shape_b[j] = b;
  ves_beta *s = ves_beta_alloc(shape_a, shape_b, n, 0);
  for (uint64_t d = 0; d < DRAWS / n; d++) {
    ves_beta_draw(s, key, d, 3, w);
    for (size_t j = 0; j < n; j++) {
      const double p = gsl_cdf_beta_P(w[j], a, b), q = gsl_cdf_beta_Q(w[j], a, b);
      const int cell = p < 0.5 ? (int)(p * CELLS) : CELLS - 1 - (int)(q * CELLS);
      observed[cell < 0 ? 0 : cell >= CELLS ? CELLS - 1 : cell]++;
    }
  }
  ves_beta_free(s);
  return chi_square_p(observed, expected, CELLS);
}

/* [eq:beta]: the whole distribution, for shapes on either side of 1 and for very large ones, where
 * the squeeze accepts nearly everything, by the scalar code and by a vector kernel. */
TEST draws_follow_the_distribution(void) {
  static const double shapes[][2] = {{2.385, 5.1}, {1, 1},         {0.385, 0.5}, {0.0255, 238.5},
                                     {0.1, 0.9},   {1.02, 1.4},    {40, 0.7},    {700, 90},
                                     {1e5, 3e5},   {1.0255, 239.5}};
  for (int simd = 0; simd <= 1; simd++) {
    ves_simd_select(simd);
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
      ASSERT(fit(shapes[s][0], shapes[s][1], ves_key_root(50 + s), 8) > SIGNIFICANCE);
  }
  PASS();
}

/* Neighbours are independent: their correlation over many draws is that of chance. */
TEST neighbours_are_independent(void) {
  const double a[5] = {0.4, 3, 0.4, 1.5, 8}, b[5] = {0.6, 2, 5, 1.5, 9};
  double *w[5];
  ves_beta *s = ves_beta_alloc(a, b, 5, 0);
  for (int j = 0; j < 5; j++) w[j] = malloc(DRAWS * sizeof **w);
  for (uint64_t d = 0; d < DRAWS; d++) {
    double draw[5];
    ves_beta_draw(s, ves_key_root(71), d, 3, draw);
    for (int j = 0; j < 5; j++) w[j][d] = draw[j];
  }
  for (int j = 0; j < 5; j++)
    for (int k = 0; k < j; k++)
      ASSERT(normal_p(gsl_stats_correlation(w[j], 1, w[k], 1, DRAWS) * sqrt(DRAWS)) > SIGNIFICANCE);
  for (int j = 0; j < 5; j++) /* nor is a draw related to the next */
    ASSERT(normal_p(gsl_stats_correlation(w[j], 1, w[j] + 1, 1, DRAWS - 1) * sqrt(DRAWS)) >
           SIGNIFICANCE);
  for (int j = 0; j < 5; j++) free(w[j]);
  ves_beta_free(s);
  PASS();
}

/* The vector kernels give the scalar bits: sizes across vectors and stretches, shapes of all kinds,
 * the largest and smallest that are allowed. */
TEST vector_path_has_the_scalar_bits(void) {
  enum { MOST = 600 };
  static const double extreme[] = {1e-100, 1e-3, 0.999, 1, 1.001, 1e6, 1e100};
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  for (size_t n = 1; n <= MOST; n += n < 20 ? 1 : 97) {
    double a[MOST], b[MOST], scalar[MOST], vector[MOST];
    ves_rng_seek(r, 61, n, 0);
    for (size_t j = 0; j < n; j++) {
      a[j] = n % 3 == 0 ? extreme[gsl_rng_uniform_int(r, 7)] : exp(gsl_ran_gaussian(r, 2));
      b[j] = n % 3 == 0 ? extreme[gsl_rng_uniform_int(r, 7)] : exp(gsl_ran_gaussian(r, 2));
    }
    ves_beta *s = ves_beta_alloc(a, b, n, (double)(n % 2));
    for (uint64_t d = 0; d < 40; d++) {
      select_path(0); /* then no kernel must be entered, which a processor may not have */
      ASSERT_FALSE(ves_beta_draw_avx2(s, 600 + n, d << 29, 5, scalar));
      ASSERT_FALSE(ves_beta_draw_avx512(s, 600 + n, d << 29, 5, scalar));
      ves_beta_draw(s, 600 + n, d << 29, 5, scalar);
      for (int path = 1; path < PATHS; path++) {
        select_path(path);
        ASSERT_EQ(ves_simd_wide(), ves_beta_draw_avx512(s, 600 + n, d << 29, 5, vector));
        ves_beta_draw(s, 600 + n, d << 29, 5, vector);
        ASSERT_MEM_EQ(scalar, vector, n * sizeof *scalar);
      }
      for (size_t j = 0; j < n; j++) ASSERT(scalar[j] >= 0 && scalar[j] <= 1);
    }
    ves_beta_free(s);
  }
  gsl_rng_free(r);
  PASS();
}

/* Two preparations drawn at once are each as by itself, and so are listed synapses, on all paths. */
TEST both_are_as_one_by_one(void) {
  enum { MOST = 300 };
  double a[MOST], b[MOST], alone[2][MOST], one[MOST], other[MOST], *const w[2] = {one, other};
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  for (size_t n = 1; n <= MOST; n += n < 10 ? 1 : 29) {
    ves_rng_seek(r, 62, n, 0);
    for (size_t j = 0; j < n; j++) {
      a[j] = exp(gsl_ran_gaussian(r, 3));
      b[j] = exp(gsl_ran_gaussian(r, 3));
    }
    ves_beta *s[2] = {ves_beta_alloc(a, b, n, 0), ves_beta_alloc(a, b, n, 1)};
    const ves_beta *const both[2] = {s[0], s[1]};
    for (uint64_t d = 0; d < 80; d++) {
      select_path((int)(d % PATHS));
      for (size_t i = 0; i < 2; i++) ves_beta_draw(s[i], n, d, 3, alone[i]);
      ves_beta_draw_both(both, n, d, 3, w);
      ASSERT_MEM_EQ(alone[0], one, n * sizeof *one);
      ASSERT_MEM_EQ(alone[1], other, n * sizeof *other);
      uint32_t list[MOST];
      size_t count = 0;
      for (size_t j = d % 5; j < n; j += 1 + d % 3) {
        list[count++] = (uint32_t)j;
        other[j] = -1;
      }
      ves_beta_draw_listed(s[1], n, d, 3, list, count, other);
      ASSERT_MEM_EQ(alone[1], other, n * sizeof *other);
    }
    ves_beta_free(s[0]);
    ves_beta_free(s[1]);
  }
  select_path(2);
  gsl_rng_free(r);
  PASS();
}

/* [eq:beta] The winner, found without most draws of inputs that are hardly active, is the most active
 * output of the same draw: for all kinds of activities, on all paths. */
TEST winner_is_the_most_active(void) {
  enum { K = 4, N = 37, EACH = 40 };
  static const double activity[][K] = {
      {0.0013, 0.48, 0.48, 0.0013}, {0.05, 1, 0.05, 0.15}, {0.9, 1, 1.1, 1},
      {0.02, 0.001, 0.92, 0.13},    {1e-9, 1e-9, 1e-9, 1}, {0.15, 0.15, 0.15, 1}};
  const uint32_t row[K] = {3, 5, 6, 9};
  double a[K * N], b[K * N];
  for (size_t j = 0; j < K * N; j++) {
    const double off = ((double)(j % N) - 15) / 4;
    a[j] = 0.026 + 30 * exp(-off * off / 2);
    b[j] = j / N == 1 || j / N == 2 ? 300 : 1.1;
  }
  for (int path = 0; path < PATHS; path++)
    for (size_t sets = 1; sets <= 2; sets++) {
      select_path(path);
      ves_beta *s[2 * K];
      for (size_t i = 0; i < K * sets; i++)
        s[i] = ves_beta_alloc(a + i / sets * N, b + i / sets * N, N, (double)(i % sets));
      for (size_t p = 0; p < sizeof activity / sizeof *activity; p++) {
        const ves_beta_layer layer = {(const ves_beta *const *)s, activity[p], row, K, N, sets};
        double *room = malloc(ves_beta_room(&layer) * sizeof *room), one[N], other[N];
        double *const y[2] = {one, other};
        for (uint64_t d = 0; d < EACH; d++) {
          uint32_t winner[2];
          ves_beta_winner(&layer, p, d, room, y, winner);
          ves_beta_activity(&layer, p, d, room, y);
          for (size_t set = 0; set < sets; set++)
            ASSERT_EQ_FMT((uint32_t)gsl_stats_max_index(y[set], 1, N) + 1, winner[set], "%u");
        }
        free(room);
      }
      for (size_t i = 0; i < K * sets; i++) ves_beta_free(s[i]);
    }
  ves_simd_select(true);
  PASS();
}

/* What accepts without a logarithm lies below what accepts with it: for shapes from 1, where d is
 * least. */
TEST squeeze_is_below_the_acceptance(void) {
  for (double d = 2.0 / 3; d < 1e4; d *= 1.1)
    for (double x = -8.6; x < 8.6; x += 0.001) {
      const double z = 1 + x / sqrt(9 * d), v = z * z * z, x4 = x * x * x * x;
      if (!(z > 0)) continue;
      const double chord = (VES_BETA_ABOVE + VES_BETA_BELOW * fmax(1 - z, 0)) / (81 * d);
      const double bound = 1 - (z >= VES_BETA_NEAR ? chord : VES_BETA_SQUEEZE) * x4;
      ASSERT(bound <= exp(x * x / 2 + d * (1 - v + 3 * log(z))) + 1e-11);
    }
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_TEST(elementary_functions);
  RUN_TEST(moments_are_those_of_beta_ab);
  RUN_TEST(draws_follow_the_distribution);
  RUN_TEST(neighbours_are_independent);
  RUN_TEST(vector_path_has_the_scalar_bits);
  RUN_TEST(both_are_as_one_by_one);
  RUN_TEST(winner_is_the_most_active);
  RUN_TEST(squeeze_is_below_the_acceptance);
  GREATEST_MAIN_END();
}
