/* The exact winner against enumeration of every mask, on weights with ties and zeros and on
 * releases of 0 and 1. */
#include "greatest.h"
#include "ves_winner.h"
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BITS_MAX = 16, N_MAX = 16 };

/* By definition: each of the 2^(kn) masks, its probability, its winner. [eq:winner-multi] */
static void brute(const double *e, const double *q, size_t k, size_t n, double *p,
                  double *nothing) {
  memset(p, 0, n * sizeof *p);
  *nothing = 0.0;
  for (size_t mask = 0; mask < (size_t)1 << (k * n); mask++) {
    double probability = 1.0, y[N_MAX] = {0.0};
    for (size_t s = 0; s < k * n; s++) { /* inputs ascending, for each output */
      const int transmits = (mask >> s) & 1;
      probability *= transmits ? q[s] : 1.0 - q[s];
      if (transmits) y[s % n] += e[s];
    }
    size_t best = 0;
    for (size_t j = 1; j < n; j++)
      if (y[j] > y[best]) best = j;
    if (y[best] > 0.0)
      p[best] += probability;
    else
      *nothing += probability;
  }
}

/* Weights from a coarse grid, so that ties and zeros are common; releases that are often 0 or 1. */
static void awkward(gsl_rng *r, size_t count, double *e, double *q) {
  for (size_t s = 0; s < count; s++) {
    e[s] = 0.1 * (double)gsl_rng_uniform_int(r, 5);
    const unsigned long kind = gsl_rng_uniform_int(r, 6);
    q[s] = kind == 0 ? 0.0 : kind == 1 ? 1.0 : gsl_rng_uniform(r);
  }
}

/* [eq:winner-multi] */
TEST multi_equals_enumeration(void) {
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, 2385);
  for (int trial = 0; trial < 60; trial++) {
    const size_t k = 1 + (size_t)trial % 6;
    const size_t n = 1 + gsl_rng_uniform_int(r, k == 1 ? 10 : (BITS_MAX - 4) / k);
    double e[BITS_MAX], q[BITS_MAX], p[N_MAX], expected[N_MAX], nothing, expected_nothing;
    awkward(r, k * n, e, q);
    brute(e, q, k, n, expected, &expected_nothing);
    ves_winner_workspace *work = ves_winner_workspace_alloc(k, n);
    ASSERT(work != NULL);
    ASSERT_EQ(VES_OK, ves_winner_multi(e, q, k, n, p, &nothing, work));
    for (size_t j = 0; j < n; j++) ASSERT_IN_RANGE(expected[j], p[j], 1e-15);
    ASSERT_IN_RANGE(expected_nothing, nothing, 1e-15);
    ves_winner_workspace_free(work);
  }
  gsl_rng_free(r);
  PASS();
}

/* P(output j receives value v by the inputs of mask), for one mask. */
static double chance_of(const double *q, size_t k, size_t n, size_t j, size_t mask) {
  double chance = 1.0;
  for (size_t a = 0; a < k; a++) chance *= (mask >> a) & 1 ? q[a * n + j] : 1.0 - q[a * n + j];
  return chance;
}

static double value_of(const double *e, size_t k, size_t n, size_t j, size_t mask) {
  double value = 0.0;
  for (size_t a = 0; a < k; a++)
    if ((mask >> a) & 1) value += e[a * n + j];
  return value;
}

/* Weights that differ in their last digits alone are told apart, whatever their order. */
TEST close_weights_follow_the_definition(void) {
  enum { MANY = 500, STEP = 387 }; /* without common factors: place j has rank j STEP modulo MANY */
  double w[MANY], q[MANY], p[MANY], expected[MANY], nothing, silent = 1.0;
  size_t at[MANY];
  for (size_t j = 0; j < MANY; j++) {
    const size_t rank = j * STEP % MANY;
    w[j] = 1 + (double)rank * 0x1p-52;
    q[j] = 0.001 * (double)(1 + j % 17);
    at[rank] = j;
  }
  for (size_t rank = MANY; rank-- > 0;) {
    expected[at[rank]] = q[at[rank]] * silent;
    silent *= 1 - q[at[rank]];
  }
  ves_winner_workspace *work = ves_winner_workspace_alloc(1, MANY);
  ASSERT_EQ(VES_OK, ves_winner_multi(w, q, 1, MANY, p, &nothing, work));
  for (size_t j = 0; j < MANY; j++) ASSERT_IN_RANGE(1.0, p[j] / expected[j], 1e-11);
  ASSERT_IN_RANGE(1.0, nothing / silent, 1e-11);
  ves_winner_workspace_free(work);
  PASS();
}

/* More outputs than masks can be enumerated for, nearly all of them tied with others: the sum over
 * values of a chance times the product of chances to lose, as it is written. [eq:winner-multi] */
TEST many_ties_follow_the_definition(void) {
  enum { K = 3, OUTPUTS = 40, MASKS = 1 << K };
  static double e[K * OUTPUTS], q[K * OUTPUTS], p[OUTPUTS];
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, 40);
  for (size_t s = 0; s < K * OUTPUTS; s++) {
    e[s] = 0.25 * (double)gsl_rng_uniform_int(r, 4);
    q[s] = 0.2 * gsl_rng_uniform(r);
  }
  ves_winner_workspace *work = ves_winner_workspace_alloc(K, OUTPUTS);
  ASSERT(work != NULL);
  ASSERT_EQ(VES_OK, ves_winner_multi(e, q, K, OUTPUTS, p, NULL, work));
  for (size_t j = 0; j < OUTPUTS; j++) {
    double expected = 0.0;
    for (size_t mask = 0; mask < MASKS; mask++) {
      const double v = value_of(e, K, OUTPUTS, j, mask);
      double others = v > 0.0 ? 1.0 : 0.0;
      for (size_t l = 0; l < OUTPUTS; l++) {
        double loses = 0.0;
        for (size_t m = 0; m < MASKS; m++) {
          const double u = value_of(e, K, OUTPUTS, l, m);
          if (u < v || (u == v && l > j)) loses += chance_of(q, K, OUTPUTS, l, m);
        }
        if (l != j) others *= loses;
      }
      expected += chance_of(q, K, OUTPUTS, j, mask) * others;
    }
    ASSERT_IN_RANGE(expected, p[j], 1e-15);
  }
  ves_winner_workspace_free(work);
  gsl_rng_free(r);
  PASS();
}

/* 0.1 + 0.2 + 0.3 depends on the order of addition; the inputs' ascending order is the one that
 * counts, and it makes output 0 tie with, or lose to, output 1. [eq:winner-multi] */
TEST ties_follow_the_order_of_inputs(void) {
  const double ascending = 0.1 + 0.2 + 0.3, other = 0.1 + (0.2 + 0.3);
  ASSERT(ascending > other);
  const double q[] = {1, 0.5, 1, 0, 1, 0};
  double p[2], nothing;
  ves_winner_workspace *work = ves_winner_workspace_alloc(3, 2);
  ASSERT(work != NULL);
  const double tie[] = {0.1, ascending, 0.2, 0, 0.3, 0};
  ASSERT_EQ(VES_OK, ves_winner_multi(tie, q, 3, 2, p, &nothing, work));
  ASSERT_EQ(1.0, p[0]);
  const double above[] = {0.1, other, 0.2, 0, 0.3, 0};
  ASSERT_EQ(VES_OK, ves_winner_multi(above, q, 3, 2, p, &nothing, work));
  ASSERT_EQ(1.0, p[0]);
  const double reversed[] = {0.3, ascending, 0.2, 0, 0.1, 0};
  ASSERT_EQ(VES_OK, ves_winner_multi(reversed, q, 3, 2, p, &nothing, work));
  ASSERT_EQ(0.5, p[0]);
  ASSERT_EQ(0.5, p[1]);
  ves_winner_workspace_free(work);
  PASS();
}

/* [eq:winner] */
TEST single_equals_enumeration(void) {
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, 17);
  for (int trial = 0; trial < 60; trial++) {
    const size_t n = 1 + gsl_rng_uniform_int(r, 10);
    double w[N_MAX], q[N_MAX], p[N_MAX], expected[N_MAX], nothing, expected_nothing;
    awkward(r, n, w, q);
    brute(w, q, 1, n, expected, &expected_nothing);
    ASSERT_EQ(VES_OK, ves_winner_single(w, q, n, p, &nothing));
    for (size_t j = 0; j < n; j++) ASSERT_IN_RANGE(expected[j], p[j], 1e-15);
    ASSERT_IN_RANGE(expected_nothing, nothing, 1e-15);
  }
  gsl_rng_free(r);
  PASS();
}

/* Several releases with the same weights, ties among them, are as many single ones. [eq:winner] */
TEST states_are_single_ones(void) {
  enum { N = 7, STATES = 3 };
  static const double w[N] = {0.3, 0.1, 0.3, 0, 0.75, 0.1, 0.2};
  double q[STATES * N], p[STATES * N], nothing[STATES];
  for (size_t i = 0; i < STATES * N; i++) q[i] = (double)(i * 37 % 101) / 100;
  ASSERT_EQ(VES_OK, ves_winner_states(w, q, STATES, N, p, nothing));
  for (size_t s = 0; s < STATES; s++) {
    double single[N], silent;
    ASSERT_EQ(VES_OK, ves_winner_single(w, q + s * N, N, single, &silent));
    ASSERT_MEM_EQ(single, &p[s * N], sizeof single);
    ASSERT_EQ(silent, nothing[s]);
  }
  ASSERT_EQ(VES_OK, ves_winner_states(w, q, STATES, N, p, NULL));
  q[2 * N + 3] = 1.5;
  ASSERT_EQ(VES_EDOMAIN, ves_winner_states(w, q, STATES, N, p, nothing));
  PASS();
}

/* The two forms agree where both apply. [eq:winner] [eq:winner-multi] */
TEST one_input_is_the_single_form(void) {
  enum { N = 200 };
  static double w[N], q[N], single[N], multi[N];
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, 4);
  awkward(r, N / 2, w, q);
  for (size_t i = N / 2; i < N; i++) {
    w[i] = gsl_rng_uniform(r);
    q[i] = 0.02 * gsl_rng_uniform(r);
  }
  double nothing_single, nothing_multi;
  ves_winner_workspace *work = ves_winner_workspace_alloc(1, N);
  ASSERT(work != NULL);
  ASSERT_EQ(VES_OK, ves_winner_single(w, q, N, single, &nothing_single));
  ASSERT_EQ(VES_OK, ves_winner_multi(w, q, 1, N, multi, &nothing_multi, work));
  for (size_t i = 0; i < N; i++) ASSERT_IN_RANGE(single[i], multi[i], 1e-15);
  ASSERT_IN_RANGE(nothing_single, nothing_multi, 1e-15);
  ves_winner_workspace_free(work);
  gsl_rng_free(r);
  PASS();
}

/* 30,000 equal synapses with the analytic release must come out equal: naive products lose this.
 * [eq:winner] [eq:mapping] */
TEST single_is_accurate_for_many_synapses(void) {
  enum { N = 30000 };
  double *w = malloc(N * sizeof *w), *q = malloc(N * sizeof *q), *p = malloc(N * sizeof *p);
  ASSERT(w != NULL && q != NULL && p != NULL);
  for (size_t i = 0; i < N; i++) {
    w[i] = 2.385;
    q[i] = 1.0 / (double)(N - i);
  }
  double nothing;
  ASSERT_EQ(VES_OK, ves_winner_single(w, q, N, p, &nothing));
  for (size_t i = 0; i < N; i++) ASSERT_IN_RANGE(1.0 / N, p[i], 1e-16);
  ASSERT_EQ(0.0, nothing);
  /* (1 - 1/N)^N: the running product is right to the last bits after N roundings */
  for (size_t i = 0; i < N; i++) q[i] = 1.0 / N;
  ASSERT_EQ(VES_OK, ves_winner_single(w, q, N, p, &nothing));
  ASSERT_IN_RANGE(exp(N * log1p(-q[0])), nothing, 2e-16);
  free(w);
  free(q);
  free(p);
  PASS();
}

/* Six inputs, two hundred outputs: the law is a distribution, and a stochastically larger output
 * wins more. [eq:winner-multi] */
TEST large_case_sums_to_one(void) {
  enum { K = 6, N = 200 };
  static double e[K * N], q[K * N], p[N], again[N];
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, 99);
  for (size_t s = 0; s < K * N; s++) {
    e[s] = gsl_rng_uniform(r);
    q[s] = 0.05 * gsl_rng_uniform(r);
  }
  ves_winner_workspace *work = ves_winner_workspace_alloc(K, N);
  ASSERT(work != NULL);
  double nothing, nothing_again, sum = 0.0;
  ASSERT_EQ(VES_OK, ves_winner_multi(e, q, K, N, p, &nothing, work));
  for (size_t j = 0; j < N; j++) sum += p[j];
  ASSERT_IN_RANGE(1.0, sum + nothing, 1e-14);
  q[3 * N + 7] += 0.1;
  ASSERT_EQ(VES_OK, ves_winner_evaluate(work, q, again, &nothing_again));
  for (size_t j = 0; j < N; j++) ASSERT(j == 7 ? again[j] > p[j] : again[j] < p[j]);
  ASSERT(nothing_again < nothing);
  ves_winner_workspace_free(work);
  gsl_rng_free(r);
  PASS();
}

TEST errors_are_reported(void) {
  double p[2], nothing;
  const double w[] = {0.6, 0.4}, q[] = {0.6, 1.0};
  const double negative[] = {0.6, -0.4}, infinite[] = {0.6, HUGE_VAL}, high[] = {0.6, 1.1},
               nan_q[] = {nan(""), 0.1};
  ASSERT_EQ(VES_EDOMAIN, ves_winner_single(negative, q, 2, p, &nothing));
  ASSERT_EQ(VES_EDOMAIN, ves_winner_single(infinite, q, 2, p, &nothing));
  ASSERT_EQ(VES_EDOMAIN, ves_winner_single(w, high, 2, p, &nothing));
  ASSERT_EQ(VES_EDOMAIN, ves_winner_single(w, nan_q, 2, p, &nothing));
  ASSERT_EQ(VES_ESIZE, ves_winner_single(w, q, 0, p, &nothing));
  ASSERT(ves_winner_workspace_alloc(0, 2) == NULL);
  ASSERT(ves_winner_workspace_alloc(VES_WINNER_INPUTS_MAX + 1, 2) == NULL);
  ASSERT(ves_winner_workspace_alloc(1, 0) == NULL);
  ves_winner_workspace *work = ves_winner_workspace_alloc(1, 2);
  ASSERT(work != NULL);
  ASSERT_EQ(VES_EDOMAIN, ves_winner_evaluate(work, q, p, &nothing)); /* not prepared */
  ASSERT_EQ(VES_ESIZE, ves_winner_multi(w, q, 2, 1, p, &nothing, work));
  ASSERT_EQ(VES_EDOMAIN, ves_winner_multi(negative, q, 1, 2, p, &nothing, work));
  ASSERT_EQ(VES_EDOMAIN, ves_winner_multi(w, high, 1, 2, p, &nothing, work));
  ASSERT_EQ(VES_OK, ves_winner_multi(w, q, 1, 2, p, NULL, work));
  ves_winner_workspace_free(work);
  ves_winner_workspace_free(NULL);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_TEST(multi_equals_enumeration);
  RUN_TEST(close_weights_follow_the_definition);
  RUN_TEST(many_ties_follow_the_definition);
  RUN_TEST(ties_follow_the_order_of_inputs);
  RUN_TEST(single_equals_enumeration);
  RUN_TEST(states_are_single_ones);
  RUN_TEST(one_input_is_the_single_form);
  RUN_TEST(single_is_accurate_for_many_synapses);
  RUN_TEST(large_case_sums_to_one);
  RUN_TEST(errors_are_reported);
  GREATEST_MAIN_END();
}
