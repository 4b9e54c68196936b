/* Chains of layers: exact laws against products of matrices, draws against exact laws. */
#include "greatest.h"
#include "support.h"
#include "ves_beta.h"
#include "ves_chain.h"
#include "ves_multi.h"
#include "ves_rng.h"
#include <string.h>

enum { M = 4, N = 6, TOP = 70, DRAWS = 20000 };

static const ves_layer_options plain = {.normaliser = VES_DIVIDE_PARTICIPATION, .active = 1e-3},
                               two = {.stages = true, .active = 1e-3};

/* Evidence that is all prior, spread so that rows differ. */
static ves_evidence make(size_t m, size_t n, uint64_t key) {
  ves_evidence ev;
  ves_evidence_alloc(&ev, m, n, 1);
  ves_evidence_priors(&ev, 0.1, 2, 0.5, 4, key);
  return ev;
}

/* P_ij = w_ij / (sum of row i). */
static void transitions(const ves_evidence *ev, double *p) {
  double a[N * TOP], b[N * TOP];
  ves_evidence_a(ev, a);
  ves_evidence_b(ev, b);
  ves_beta_mean(a, b, ev->m * ev->n, p);
  for (size_t i = 0; i < ev->m; i++) {
    double sum = 0;
    for (size_t j = 0; j < ev->n; j++) sum += p[i * ev->n + j];
    for (size_t j = 0; j < ev->n; j++) p[i * ev->n + j] /= sum;
  }
}

/* [eq:chain]: a pass is a product with the matrix of transitions. */
TEST a_pass_is_a_product(void) {
  ves_evidence ev = make(N, TOP, 5);
  ves_layer *layer = ves_layer_alloc(&ev, NULL, &two);
  double from[N] = {0.1, 0.2, 0, 0.3, 0.15, 0.25}, to[TOP], p[N * TOP];
  transitions(&ev, p);
  ASSERT_EQ(VES_OK, ves_layer_exact_pass(layer, from, to));
  for (size_t j = 0; j < TOP; j++) {
    double sum = 0;
    for (size_t i = 0; i < N; i++) sum += from[i] * p[i * TOP + j];
    ASSERT_IN_RANGE(sum, to[j], 1e-15);
  }
  ves_layer_free(layer);
  ves_evidence_free(&ev);
  PASS();
}

/* Draws through two layers against the product, for each way to pass on and both numbers of
 * stages. Passing whole activities in two stages: the mixture of what was active, averaged over
 * the draws themselves. */
TEST draws_follow_the_law(bool stages, ves_pass pass) {
  ves_evidence below = make(M, N, 6), above = make(N, TOP, 7);
  const ves_layer_options *opt = stages ? &two : &plain;
  ves_layer *layer[2] = {ves_layer_alloc(&below, NULL, opt), ves_layer_alloc(&above, NULL, opt)};
  const uint32_t input[2] = {1, 3};
  const double x[2] = {1, 0.4};
  const uint64_t key[2] = {11, 12};
  double first[N], p[TOP] = {0}, y0[N] = {0}, y1[TOP] = {0}, *y[2] = {y0, y1};
  static double w[N * TOP], a[N * TOP], b[N * TOP];
  ves_evidence_a(&above, a);
  ves_evidence_b(&above, b);
  ves_beta_mean(a, b, N * TOP, w);
  ASSERT_EQ(VES_OK, ves_layer_open(layer[0], input, x, 2));
  ASSERT_EQ(VES_OK, ves_layer_exact(layer[0], first));
  ASSERT_EQ(VES_OK, ves_layer_exact_pass(layer[1], first, p));
  double lower[N + 1] = {0}, upper[TOP + 1] = {0}, expected[TOP] = {0};
  uint64_t attempts = 0;
  for (uint64_t d = 0; d < DRAWS; d++) {
    uint32_t winner[2];
    ASSERT_EQ(VES_OK, ves_chain_draw(layer, 2, pass, key, d, y, winner, &attempts));
    lower[winner[0]]++;
    upper[winner[1]]++;
    ASSERT(y1[winner[1] - 1] > 0 && y0[winner[0] - 1] > 0);
    if (pass == VES_PASS_ACTIVITY) {
      double active[N], mixture[TOP];
      for (size_t i = 0; i < N; i++) active[i] = y0[i] / y0[winner[0] - 1];
      ves_multi_mixture(w, active, N, TOP, mixture);
      for (size_t j = 0; j < TOP; j++) expected[j] += mixture[j];
    }
  }
  for (size_t j = 0; j < N; j++) first[j] *= DRAWS;
  for (size_t j = 0; j < TOP; j++) p[j] *= DRAWS;
  ASSERT_EQ(0, lower[0] + upper[0]);
  ASSERT(attempts >= 2 * DRAWS);
  ASSERT(chi_square_p(lower + 1, first, N) > SIGNIFICANCE);
  ASSERT(chi_square_p(upper + 1, pass == VES_PASS_WINNER ? p : expected, TOP) > SIGNIFICANCE);
  for (int l = 0; l < 2; l++) ves_layer_free(layer[l]);
  ves_evidence_free(&below);
  ves_evidence_free(&above);
  PASS();
}

/* A layer that stays silent is told from one that merely failed. */
TEST silence(void) {
  ves_evidence ev = make(M, N, 8);
  static const double nothing[M * N];
  double half[M * N], p[N], y[N], sum = 0;
  for (size_t c = 0; c < M * N; c++) half[c] = c < N ? 0 : 0.1;
  const uint32_t input[1] = {0};
  const double x[1] = {1};
  ves_layer *layer = ves_layer_alloc(&ev, nothing, &plain);
  ASSERT_EQ(VES_ESILENT, ves_layer_open(layer, input, x, 1));
  ves_layer_free(layer);
  uint32_t winner;
  layer = ves_layer_alloc(&ev, half, &plain);
  ASSERT_EQ(VES_ESILENT, ves_layer_draw_row(layer, 0, 1, 0, y, &winner));
  ASSERT_EQ(VES_OK, ves_layer_draw_row(layer, 1, 1, 0, y, &winner));
  double from[M] = {1, 0, 0, 0};
  ASSERT_EQ(VES_ESILENT, ves_layer_exact_pass(layer, from, p));
  ves_layer_free(layer);
  ves_layer_options skip = plain;
  skip.empty = VES_EMPTY_SKIP;
  layer = ves_layer_alloc(&ev, half, &skip);
  from[0] = 0.4;
  from[1] = 0.6;
  ASSERT_EQ(VES_OK, ves_layer_exact_pass(layer, from, p));
  for (size_t j = 0; j < N; j++) sum += p[j];
  ASSERT_IN_RANGE(0.6 * (1 - pow(0.9, N)), sum, 1e-15);
  ves_layer_free(layer);
  ves_evidence_free(&ev);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_TEST(a_pass_is_a_product);
  RUN_TESTp(draws_follow_the_law, false, VES_PASS_WINNER);
  RUN_TESTp(draws_follow_the_law, true, VES_PASS_WINNER);
  RUN_TESTp(draws_follow_the_law, true, VES_PASS_ACTIVITY);
  RUN_TEST(silence);
  GREATEST_MAIN_END();
}
