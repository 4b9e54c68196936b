/* Sampling: winners against the exact distribution, against a plain reading of the definition, and
 * empty draws. */
#include "greatest.h"
#include "support.h"
#include "ves_rng.h"
#include "ves_sample.h"
#include "ves_simd.h"
#include "ves_winner.h"
#include <stdlib.h>

enum { DRAWS = 100000 };

static void random_network(size_t k, size_t n, unsigned long seed, double *e, double *q) {
  gsl_rng *r = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(r, seed);
  for (size_t c = 0; c < k * n; c++) {
    e[c] = gsl_rng_uniform(r) < 0.05 ? 0 : gsl_rng_uniform(r);
    q[c] = gsl_rng_uniform(r) * 0.4;
  }
  gsl_rng_free(r);
}

/* Chi-square of winners against the exact distribution. [eq:subset-max] [eq:winner]
 * [eq:winner-multi] */
TEST winners_follow_the_exact_law(size_t k, size_t n) {
  double *e = malloc(k * n * sizeof *e), *q = malloc(k * n * sizeof *q),
         *p = malloc((n + 1) * sizeof *p);
  double *count = calloc(n + 1, sizeof *count);
  uint32_t input[6] = {3, 4, 9, 12, 40, 41}, *winner = malloc(DRAWS * sizeof *winner);
  random_network(k, n, 100 * k + n, e, q);
  ves_winner_workspace *work = ves_winner_workspace_alloc(k, n);
  ASSERT_EQ(VES_OK, ves_winner_multi(e, q, k, n, p + 1, p, work));
  ves_sampler *s = ves_sampler_alloc(e, q, input, k, n);
  ASSERT(s != NULL);
  ves_sampler_winners(s, ves_key_root(17), 0, DRAWS, winner);
  for (size_t d = 0; d < DRAWS; d++) count[winner[d]]++;
  for (size_t j = 0; j <= n; j++) p[j] *= DRAWS;
  ASSERT(chi_square_p(count, p, n + 1) > SIGNIFICANCE);
  ves_sampler_free(s);
  ves_winner_workspace_free(work);
  free(e);
  free(q);
  free(p);
  free(count);
  free(winner);
  PASS();
}

/* The early stop changes nothing: winner, activity and the synapses that transmitted agree with
 * each other and with a full evaluation of all outputs, also with tied weights; and the vector path
 * gives the same winners as the scalar one. [alg:sample] */
TEST winner_is_the_largest_activity(void) {
  for (unsigned long seed = 0; seed < 60; seed++) {
    const size_t k = 1 + seed % 5, n = 1 + (seed * 37) % 150;
    double e[5 * 150], q[5 * 150], y[150], transmits[5 * 150];
    const uint32_t input[5] = {0, 1, 2, 3, 4};
    random_network(k, n, seed, e, q);
    if (seed % 3 == 0)
      for (size_t c = 0; c < k * n; c++) e[c] = (double)(int)(4 * e[c]) / 4; /* ties */
    if (seed % 2 == 0 && k > 1) /* inputs at the edge of their curves */
      for (size_t c = 0; c < k * n; c++) e[c] *= c / n == k / 2 ? 0.003 : c / n == 0 ? 1e-4 : 1;
    ves_sampler *s = ves_sampler_alloc(e, q, input, k, n);
    for (uint64_t d = 0; d < 300; d++) {
      uint32_t scalar, vector;
      ves_simd_select(false);
      ves_sampler_winners(s, ves_key_root(seed), d, 1, &scalar);
      ves_simd_select(true);
      ves_sampler_winners(s, ves_key_root(seed), d, 1, &vector);
      ASSERT_EQ(scalar, vector);
      ASSERT_EQ(scalar, ves_sampler_draw(s, ves_key_root(seed), d, transmits, y));
      size_t best = 0;
      for (size_t j = 0; j < n; j++) {
        double sum = 0.0;
        for (size_t a = 0; a < k; a++)
          if (transmits[a * n + j] == 1.0)
            sum += e[a * n + j];
          else
            ASSERT_EQ(0.0, transmits[a * n + j]);
        ASSERT_EQ(y[j], sum);
        if (y[j] > y[best]) best = j;
      }
      ASSERT_EQ(y[best] > 0 ? best + 1 : 0, scalar);
    }
    ves_sampler_free(s);
  }
  PASS();
}

/* Draws that the major inputs leave open: strong synapses rarely release, so that weak ones and the
 * inputs beside the centre decide, tied bytes and all. */
TEST open_draws_have_the_scalar_winners(void) {
  enum { K = 3, N = 100, MANY = 100000 };
  const uint32_t input[K] = {32, 33, 34};
  double e[K * N], q[K * N];
  for (size_t c = 0; c < K * N; c++) {
    const size_t j = c % N;
    e[c] = (c / N == 1 ? 1 : 0.053) * (j < 10 ? 0.1 + 0.01 * (double)j : 1e-4 * (double)(1 + j));
    q[c] = j < 10 ? 0.05 : 0.02 + 1e-3 * (double)j;
  }
  ves_sampler *s = ves_sampler_alloc(e, q, input, K, N);
  uint32_t *winner[2];
  for (int simd = 0; simd <= 1; simd++) {
    winner[simd] = malloc(MANY * sizeof **winner);
    ves_simd_select(simd);
    ves_sampler_winners(s, ves_key_root(23), 0, MANY, winner[simd]);
  }
  ASSERT_MEM_EQ(winner[0], winner[1], MANY * sizeof **winner);
  free(winner[0]);
  free(winner[1]);
  ves_sampler_free(s);
  PASS();
}

/* Activities have the means sum_i q_ij e_ij. */
TEST activity_has_its_mean(void) {
  enum { K = 3, N = 20, TIMES = 20000 };
  double e[K * N], q[K * N], y[N], sum[N] = {0};
  const uint32_t input[K] = {0, 5, 7};
  random_network(K, N, 8, e, q);
  ves_sampler *s = ves_sampler_alloc(e, q, input, K, N);
  for (uint64_t d = 0; d < TIMES; d++) {
    ves_sampler_draw(s, ves_key_root(3), d, NULL, y);
    for (size_t j = 0; j < N; j++) sum[j] += y[j];
  }
  for (size_t j = 0; j < N; j++) {
    double mean = 0, variance = 0;
    for (size_t a = 0; a < K; a++) {
      mean += q[a * N + j] * e[a * N + j];
      variance += q[a * N + j] * (1 - q[a * N + j]) * e[a * N + j] * e[a * N + j];
    }
    ASSERT(normal_p((sum[j] / TIMES - mean) / sqrt(variance / TIMES)) > SIGNIFICANCE);
  }
  ves_sampler_free(s);
  PASS();
}

/* Draws have addresses: 1000 in one call are 500 and 500, and draw 700 alone. */
TEST draws_can_be_split(void) {
  double e[50], q[50];
  const uint32_t input = 2;
  uint32_t whole[1000], part[1000], alone;
  random_network(1, 50, 4, e, q);
  ves_sampler *s = ves_sampler_alloc(e, q, &input, 1, 50);
  ves_sampler_winners(s, 99, 0, 1000, whole);
  ves_sampler_winners(s, 99, 0, 500, part);
  ves_sampler_winners(s, 99, 500, 500, part + 500);
  ASSERT_MEM_EQ(whole, part, sizeof whole);
  ves_sampler_winners(s, 99, 700, 1, &alone);
  ASSERT_EQ(whole[700], alone);
  ves_sampler_free(s);
  PASS();
}

/* Redrawn, the winner follows the law given a non-empty draw, and empties are counted at their
 * rate. [eq:redraw] */
TEST empty_draws_are_repeated(void) {
  enum { N = 8 };
  double e[N], q[N], p[N], nothing, count[N] = {0};
  const uint32_t input = 0;
  for (size_t j = 0; j < N; j++) {
    e[j] = (double)(N - j);
    q[j] = 0.02 + 0.01 * (double)j;
  }
  ves_winner_single(e, q, N, p, &nothing);
  ves_sampler *s = ves_sampler_alloc(e, q, &input, 1, N);
  uint32_t *winner = malloc(DRAWS * sizeof *winner);
  uint64_t attempts;
  ASSERT_EQ(VES_OK, ves_sampler_redraw(s, 5, 0, DRAWS, winner, &attempts));
  for (size_t d = 0; d < DRAWS; d++) {
    ASSERT(winner[d] > 0);
    count[winner[d] - 1]++;
  }
  for (size_t j = 0; j < N; j++) p[j] *= DRAWS / (1 - nothing);
  ASSERT(chi_square_p(count, p, N) > SIGNIFICANCE);
  for (size_t d = 0; d < 1000; d++) { /* the same draw, under a key of the attempt's own */
    uint32_t found = 0;
    ves_sampler_winners(s, 5, d, 1, &found);
    for (uint32_t attempt = 1; found == 0; attempt++)
      ves_sampler_winners(s, ves_key_integer(ves_key_string(5, "redraw", 6), attempt), d, 1,
                          &found);
    ASSERT_EQ(found, winner[d]);
  }
  const double expected = DRAWS / (1 - nothing), sd = sqrt(DRAWS * nothing) / (1 - nothing);
  ASSERT(normal_p(((double)attempts - expected) / sd) > SIGNIFICANCE);
  ves_sampler_free(s);
  free(winner);
  PASS();
}

TEST silent_networks_are_reported(void) {
  const double e[2] = {1, 1}, q[2] = {0, 0};
  const uint32_t input = 0;
  uint32_t winner[1];
  uint64_t attempts;
  ves_sampler *s = ves_sampler_alloc(e, q, &input, 1, 2);
  ves_sampler_winners(s, 1, 0, 1, winner);
  ASSERT_EQ(0, winner[0]);
  ASSERT_EQ(VES_ESILENT, ves_sampler_redraw(s, 1, 0, 1, winner, &attempts));
  ves_sampler_free(s);
  s = ves_sampler_alloc(NULL, NULL, NULL, 0, 3); /* no input is active */
  ASSERT(s != NULL);
  ves_sampler_winners(s, 1, 0, 1, winner);
  ASSERT_EQ(0, winner[0]);
  ves_sampler_free(s);
  ASSERT_EQ(NULL, ves_sampler_alloc(e, q, &input, 1, 0));
  PASS();
}

/* Without failure only the strongest output is ever seen: lateral inhibition hides the rest. */
TEST without_failure_only_the_mode(void) {
  const double e[4] = {0.2, 0.4, 0.3, 0.1}, q[4] = {1, 1, 1, 1};
  const uint32_t input = 0;
  uint32_t winner[1000];
  ves_sampler *s = ves_sampler_alloc(e, q, &input, 1, 4);
  ves_sampler_winners(s, 1, 0, 1000, winner);
  for (int d = 0; d < 1000; d++) ASSERT_EQ(2, winner[d]);
  ves_sampler_free(s);
  PASS();
}

/* An early stop must not miss a tie: the last of the strong ones is in the next word of a mask, what it can reach is
 * what the best has reached, and its index is lower. Where the major input is silent, and without one. */
TEST ties_across_words_go_to_the_lower_index(void) {
  enum { INPUTS = 3, OUTPUTS = 71, TRIES = 20000 };
  const uint32_t input[INPUTS] = {0, 1, 2};
  double e[INPUTS * OUTPUTS] = {0}, q[INPUTS * OUTPUTS], y[OUTPUTS];
  static uint32_t winner[TRIES];
  for (size_t i = 0; i < INPUTS * OUTPUTS; i++) q[i] = 0.01;
  for (size_t j = 1; j < 64; j++) e[OUTPUTS + j] = e[2 * OUTPUTS + j] = 0.0005;
  e[OUTPUTS] = 0.0005;
  q[OUTPUTS] = 0.5;
  for (int major = 0; major < 2; major++) {
    e[70] = major ? 1.0 : 0.001;
    ves_sampler *s = ves_sampler_alloc(e, q, input, INPUTS, OUTPUTS);
    size_t ties = 0;
    for (int simd = 0; simd < 2; simd++) {
      ves_simd_select(simd);
      ASSERT_EQ(VES_OK, ves_sampler_winners(s, 3, 0, TRIES, winner));
      for (size_t d = 0; d < TRIES; d++) {
        ASSERT_EQ(ves_sampler_draw(s, 3, d, NULL, y), winner[d]);
        if (winner[d] != 1) continue;
        bool tied = false;
        for (size_t j = 1; j < OUTPUTS; j++) tied |= y[j] == y[0];
        ties += tied;
      }
    }
    ASSERT(ties > 1000);
    ves_sampler_free(s);
  }
  ves_simd_select(true);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_TESTp(winners_follow_the_exact_law, 1, 1);
  RUN_TESTp(winners_follow_the_exact_law, 1, 7);
  RUN_TESTp(winners_follow_the_exact_law, 1, 100);
  RUN_TESTp(winners_follow_the_exact_law, 2, 40);
  RUN_TESTp(winners_follow_the_exact_law, 4, 130);
  RUN_TESTp(winners_follow_the_exact_law, 6, 30);
  RUN_TEST(winner_is_the_largest_activity);
  RUN_TEST(open_draws_have_the_scalar_winners);
  RUN_TEST(activity_has_its_mean);
  RUN_TEST(draws_can_be_split);
  RUN_TEST(empty_draws_are_repeated);
  RUN_TEST(silent_networks_are_reported);
  RUN_TEST(without_failure_only_the_mode);
  RUN_TEST(ties_across_words_go_to_the_lower_index);
  GREATEST_MAIN_END();
}
