/* Weights that change: following them is learning one vector after the other, to the bit, by the vector
 * kernels and without; and an order is renewed as it would be found anew. */
#include "greatest.h"
#include "support.h"
#include "ves_follow.h"
#include "ves_order.h"
#include "ves_rng.h"
#include "ves_simd.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { N = 70, RUNS = 5, BLOCKS = 30, EACH = 7, EVERY = 4 };

/* Weights that drift, some of them equal; synapse 3 has none for a while. */
static void drifting(double w[BLOCKS][N]) {
  double first[N], second[N];
  ves_uniform_pairs(5, 0, N, first, second);
  for (size_t b = 0; b < BLOCKS; b++)
    for (size_t j = 0; j < N; j++)
      w[b][j] = j % 7 == 0 ? 0.5 : 0.01 + first[j] + 0.1 * (double)b * second[j];
  for (size_t b = 8; b < 12; b++) w[b][3] = 0;
}

TEST one_after_the_other(bool by_amplitude, ves_rule of, ves_amplitude_order order, bool simd) {
  static double w[BLOCKS][N], q[RUNS * N], by_hand[RUNS * N], a[RUNS * N], updates[RUNS * N];
  static double all[RUNS * N], kept[BLOCKS / EVERY * RUNS * N];
  drifting(w);
  ves_simd_select(simd);
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N), *other = ves_learn_workspace_alloc(N);
  ves_learn_options rule = ves_learn_defaults();
  ves_amplitude_options amplitude = ves_amplitude_defaults();
  rule.rule = of;
  rule.iterations = amplitude.iterations = EACH;
  amplitude.order = order;
  amplitude.rate_floor = 0.1;
  memset(updates, 0, sizeof updates);
  for (size_t c = 0; c < RUNS * N; c++) {
    q[c] = by_hand[c] = 0.3 + 0.005 * (double)(c % 70);
    a[c] = 2 * w[0][c % N] / q[c];
  }
  double from[N];
  for (size_t j = 0; j < N; j++) from[j] = 2 * w[0][j];
  const ves_follow_rule what = {by_amplitude ? NULL : &rule, by_amplitude ? &amplitude : NULL};
  ASSERT_EQ(VES_OK, ves_follow(w[0], BLOCKS, N, RUNS, from, what, 9, 100, ws, q, EVERY, kept));
  amplitude.updates = updates;
  for (size_t b = 0; b < BLOCKS; b++) {
    for (size_t i = 0; i < RUNS; i++) memcpy(all + i * N, w[b], sizeof w[b]);
    for (size_t c = 0; by_amplitude && c < RUNS * N; c++)
      if (all[c] > 0) by_hand[c] = all[c] / a[c] < 1 ? all[c] / a[c] : 1;
    ASSERT_EQ(VES_OK, by_amplitude ? ves_amplitude_rows(all, RUNS, N, &amplitude, 9, 100 + b * EACH,
                                                        0, other, by_hand)
                                   : ves_learn_rows(all, RUNS, N, &rule, 9, 100 + b * EACH, 0,
                                                    other, by_hand));
    for (size_t c = 0; c < RUNS * N; c++)
      if (all[c] > 0) a[c] = all[c] / by_hand[c];
    if ((b + 1) % EVERY == 0) ASSERT_MEM_EQ(by_hand, &kept[b / EVERY * RUNS * N], sizeof by_hand);
  }
  ASSERT_MEM_EQ(by_hand, q, sizeof q);
  ASSERT_EQ(VES_EDOMAIN,
            ves_follow(w[0], 1, N, 1, from, (ves_follow_rule){NULL, NULL}, 1, 0, ws, q, 0, NULL));
  ASSERT_EQ(VES_ESIZE, ves_follow(w[0], 1, N, 0, from, what, 1, 0, ws, q, 0, NULL));
  ves_learn_workspace_free(ws);
  ves_learn_workspace_free(other);
  ves_simd_select(false);
  PASS();
}

/* Numbers of updates go on from vector to vector, and from call to call if there is a place for them:
 * with step 1/k two halves teach what the whole does. */
TEST updates_go_on(void) {
  static double w[BLOCKS][N], q[N], halves[N], updates[N];
  drifting(w);
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  ves_amplitude_options opt = ves_amplitude_defaults();
  opt.iterations = EACH;
  for (size_t j = 0; j < N; j++) q[j] = halves[j] = 0.5;
  ASSERT_EQ(VES_OK,
            ves_follow(w[0], 6, N, 1, w[0], (ves_follow_rule){NULL, &opt}, 3, 0, ws, q, 0, NULL));
  opt.updates = updates;
  const ves_follow_rule rule = {NULL, &opt};
  ASSERT_EQ(VES_OK, ves_follow(w[0], 3, N, 1, w[0], rule, 3, 0, ws, halves, 0, NULL));
  ASSERT_EQ(VES_OK, ves_follow(w[3], 3, N, 1, w[2], rule, 3, 3 * EACH, ws, halves, 0, NULL));
  ASSERT_MEM_EQ(q, halves, sizeof q);
  double most = 0;
  for (size_t j = 0; j < N; j++) most = fmax(most, updates[j]);
  ASSERT(most > EACH && most <= 6 * EACH);
  ves_learn_workspace_free(ws);
  PASS();
}

/* From any order: one that is right, nearly right, or of other weights altogether. */
TEST orders_are_renewed(void) {
  double w[N], second[N];
  size_t order[N], anew[N];
  for (size_t j = 0; j < N; j++) order[j] = j;
  for (uint64_t key = 0; key < 50; key++) {
    ves_uniform_pairs(key / 10, 0, N, w, second);
    for (size_t j = 0; j < N; j++)
      w[j] = (double)(int)(20 * w[j] + 0.3 * (double)(key % 10) * second[j]);
    ves_order_descending(w, N, anew);
    ves_order_renew(w, N, order);
    ASSERT_MEM_EQ(anew, order, sizeof order);
  }
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  for (int simd = 0; simd < 2; simd++) {
    RUN_TESTp(one_after_the_other, false, VES_RULE_POWER, VES_ORDER_WEIGHT, simd);
    RUN_TESTp(one_after_the_other, false, VES_RULE_EXPECTED, VES_ORDER_WEIGHT, simd);
    RUN_TESTp(one_after_the_other, true, VES_RULE_POWER, VES_ORDER_WEIGHT, simd);
    RUN_TESTp(one_after_the_other, true, VES_RULE_POWER, VES_ORDER_AMPLITUDE, simd);
  }
  RUN_TEST(updates_go_on);
  RUN_TEST(orders_are_renewed);
  GREATEST_MAIN_END();
}
