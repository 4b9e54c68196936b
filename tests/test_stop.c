/* Long computations stop when they are told to, and give the same results afterwards. */
#include "greatest.h"
#include "ves_amplitude_theory.h"
#include "ves_equilibrium.h"
#include "ves_evidence_private.h"
#include "ves_exponent.h"
#include "ves_learn.h"
#include "ves_multi.h"
#include "ves_order.h"
#include "ves_product.h"
#include "ves_rng.h"
#include "ves_sample.h"
#include "ves_score.h"
#include "ves_simd.h"
#include "ves_stop.h"
#include "ves_stream.h"
#include "ves_winner.h"
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <string.h>

enum { N = 6, K = 2, DRAWS = 100 };
static const double w[K * N] = {0.5, 0.3, 0.1, 0.05, 0.03, 0.02, 0.1, 0.2, 0.3, 0.2, 0.1, 0.1};
static const double x[K] = {1.0, 0.5};

/* Learning by the rule, for all of DRAWS iterations, from the same start. */
static ves_status learn(ves_rule rule, double *q) {
  ves_learn_options opt = ves_learn_defaults();
  opt.rule = rule;
  opt.iterations = DRAWS;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  for (size_t i = 0; i < N; i++) q[i] = 0.3;
  const ves_status status = ves_learn_row(w, N, &opt, 7, 0, 0, ws, q, NULL);
  ves_learn_workspace_free(ws);
  return status;
}

TEST learning_stops(void) {
  double before[N], after[N];
  for (int rule = VES_RULE_RAW; rule < VES_RULE_CUSTOM; rule++) {
    ASSERT_EQ(VES_OK, learn((ves_rule)rule, before));
    ves_stop(true);
    const ves_status status = learn((ves_rule)rule, after);
    ves_stop(false);
    ASSERT_EQ(VES_ESTOPPED, status);
    ASSERT_EQ(VES_OK, learn((ves_rule)rule, after));
    ASSERT_MEM_EQ(before, after, sizeof before);
  }
  PASS();
}

TEST sampling_stops(void) {
  static const uint32_t input[K] = {0, 1};
  double release[K * N];
  uint32_t before[DRAWS], after[DRAWS];
  uint64_t attempts;
  for (size_t i = 0; i < (size_t)K * N; i++) release[i] = 0.3;
  ves_sampler *s = ves_sampler_alloc(w, release, input, K, N);
  ASSERT(s != NULL);
  ASSERT_EQ(VES_OK, ves_sampler_winners(s, 7, 0, DRAWS, before));
  ves_stop(true);
  const ves_status plain = ves_sampler_winners(s, 7, 0, DRAWS, after);
  const ves_status redrawn = ves_sampler_redraw(s, 7, 0, DRAWS, after, &attempts);
  ves_stop(false);
  ASSERT_EQ(VES_ESTOPPED, plain);
  ASSERT_EQ(VES_ESTOPPED, redrawn);
  ASSERT_EQ(VES_OK, ves_sampler_winners(s, 7, 0, DRAWS, after));
  ASSERT_MEM_EQ(before, after, sizeof before);
  ves_sampler_free(s);
  PASS();
}

/* Counts its calls, and stops everything in the second. */
static void stop_soon(ves_evidence *ev, void *of, size_t from, size_t rows) {
  (void)ev, (void)from, (void)rows;
  if (++*(int *)of == 2) ves_stop(true);
}

TEST observing_stops(void) {
  ves_code code;
  ves_product p;
  ves_evidence ev;
  ASSERT_EQ(VES_OK, ves_code_alloc(&code, N, 0, 1, 0.1, VES_SPACING_ENDS));
  const ves_code *both[2] = {&code, &code};
  const double *const column[2] = {w, w + N};
  ASSERT_EQ(VES_OK, ves_product_alloc(&p, both, 2));
  ASSERT_EQ(VES_OK, ves_evidence_alloc(&ev, p.n, N, 1));
  ves_stop(true);
  const ves_status status = ves_product_observe(&ev, &p, &code, column, w, NULL, N);
  ves_stop(false);
  ASSERT_EQ(VES_ESTOPPED, status);
  ASSERT_EQ(0, ev.rows);
  /* what was taken before is counted, so that more can follow */
  static const double salience[5] = {1, 1.5, 1, 2, 7};
  int calls = 0;
  const ves_status later = ves_evidence_take(&ev, salience, 5, 2, stop_soon, &calls);
  ves_stop(false);
  ASSERT_EQ(VES_ESTOPPED, later);
  ASSERT_EQ(4, ev.rows);
  ASSERT_EQ(4, ev.since);
  ASSERT_EQ(6, ev.salience);
  ASSERT_EQ(VES_OK, ves_product_observe(&ev, &p, &code, column, w, NULL, N));
  ASSERT_EQ(4 + N, ev.rows);
  ves_evidence_free(&ev);
  ves_product_free(&p);
  ves_code_free(&code);
  PASS();
}

/* Sorting has no status: it leaves every index once, and those that call it say that they stopped. */
TEST sorting_stops(void) {
  enum { MANY = 200000, FEW = 1000 };
  static double many[MANY], q[MANY], p[MANY];
  static size_t order[MANY];
  static bool seen[MANY];
  double rate, nothing;
  for (size_t i = 0; i < MANY; i++) many[i] = 1.0 + (double)(i * 7919 % MANY), q[i] = 0.5;
  ves_stop(true);
  ves_order_descending(many, MANY, order);
  const ves_status learned = ves_amplitude_rate(many, MANY, 2, &rate);
  const ves_status won = ves_winner_single(many, q, MANY, p, &nothing);
  const ves_status family = ves_multi_redraw_family(many, MANY, 0.5, p);
  ves_stop(false);
  for (size_t i = 0; i < MANY; i++) seen[order[i]] = true;
  for (size_t i = 0; i < MANY; i++) ASSERT(seen[i]);
  bool sorted = true;
  for (size_t i = 1; i < MANY; i++) sorted = sorted && many[order[i - 1]] > many[order[i]];
  ASSERT_FALSE(sorted);
  ASSERT_EQ(VES_ESTOPPED, learned);
  ASSERT_EQ(VES_ESTOPPED, won);
  ASSERT_EQ(VES_ESTOPPED, family);
  ves_order_descending(many, MANY, order);
  for (size_t i = 1; i < MANY; i++) ASSERT(many[order[i - 1]] > many[order[i]]);
  ves_stop(true); /* those that sort few do not ask */
  const bool finished = ves_order_finish(many, FEW, order);
  ves_stop(false);
  ASSERT(finished);
  for (size_t i = 1; i < FEW; i++) ASSERT(many[order[i - 1]] > many[order[i]]);
  PASS();
}

/* What sorts, shuffles or goes over many rows has a status. */
TEST elements_stop(void) {
  enum { MANY = 200000 };
  static double many[MANY], scratch[MANY], before[MANY], after[MANY];
  double score, low, high, p[N];
  int covered;
  for (size_t i = 0; i < MANY; i++) many[i] = scratch[i] = (double)(i * 7919 % MANY);
  ASSERT_EQ(VES_OK, ves_stream_permutation(3, 0, MANY, before));
  ves_stop(true);
  ASSERT_FALSE(ves_sort_ascending(scratch, MANY));
  const ves_status scored = ves_score_crps(many, MANY, 1.0, scratch, &score);
  const ves_status within =
      ves_score_coverage(many, MANY, 1.0, 0.5, scratch, &covered, &low, &high);
  const ves_status shuffled = ves_stream_permutation(3, 0, MANY, after);
  const ves_status mixed = ves_multi_mixture(w, x, K, N, p);
  const ves_status staged = ves_multi_two_stage_exact(w, x, K, N, p);
  ves_stop(false);
  ASSERT_EQ(VES_ESTOPPED, scored);
  ASSERT_EQ(VES_ESTOPPED, within);
  ASSERT_EQ(VES_ESTOPPED, shuffled);
  ASSERT_EQ(VES_ESTOPPED, mixed);
  ASSERT_EQ(VES_ESTOPPED, staged);
  ASSERT_EQ(VES_OK, ves_stream_permutation(3, 0, MANY, after));
  ASSERT_MEM_EQ(before, after, sizeof before);
  ASSERT(ves_sort_ascending(many, MANY));
  for (size_t i = 0; i < MANY; i++) ASSERT_EQ((double)i, many[i]);
  PASS();
}

/* The order of GSL's sort, and the shuffle of GSL, to the bit. */
TEST sorted_and_shuffled_as_before(void) {
  enum { MOST = 300 };
  double ours[MOST], theirs[MOST];
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  ASSERT(r != NULL);
  for (size_t n = 1; n <= MOST; n++) {
    ASSERT_EQ(VES_OK, ves_stream_integer(9, 1000 * n, 1 + n / 2, n, ours)); /* with ties */
    memcpy(theirs, ours, sizeof ours);
    ASSERT(ves_sort_ascending(ours, n));
    gsl_sort(theirs, 1, n);
    ASSERT_MEM_EQ(theirs, ours, n * sizeof *ours);
    ASSERT_EQ(VES_OK, ves_stream_permutation(5, n, n, ours));
    for (size_t i = 0; i < n; i++) theirs[i] = (double)(i + 1);
    ves_rng_seek(r, 5, n, VES_ROW_SCALAR);
    gsl_ran_shuffle(r, theirs, n, sizeof *theirs);
    ASSERT_MEM_EQ(theirs, ours, n * sizeof *ours);
  }
  gsl_rng_free(r);
  PASS();
}

TEST solvers_stop(void) {
  double q[K * N], p[N], nothing, psi;
  const ves_equilibrium_options equilibrium = ves_equilibrium_defaults();
  const ves_multi_options multi = ves_multi_defaults();
  ves_multi_report report;
  ves_winner_workspace *work = ves_winner_workspace_alloc(K, N);
  memset(q, 0, sizeof q);
  ves_stop(true);
  const ves_status settled = ves_equilibrium_solve(w, N, &equilibrium, q);
  const ves_status solved = ves_multi_solve(w, x, K, N, &multi, NULL, q, &report);
  const ves_status won = ves_winner_multi(w, q, K, N, p, &nothing, work);
  const ves_status best = ves_exponent_optimal(100, 0.5, VES_EXPONENT_SUM, &psi, NULL);
  ves_stop(false);
  ASSERT_EQ(VES_ESTOPPED, settled);
  ASSERT_EQ(VES_ESTOPPED, solved);
  ASSERT_EQ(VES_ESTOPPED, won);
  ASSERT_EQ(VES_ESTOPPED, best);
  ASSERT_EQ(VES_OK, ves_equilibrium_solve(w, N, &equilibrium, q));
  ASSERT_EQ(VES_OK, ves_multi_solve(w, x, K, N, &multi, NULL, q, &report));
  ASSERT_EQ(VES_OK, ves_winner_multi(w, q, K, N, p, &nothing, work));
  ASSERT_EQ(VES_OK, ves_exponent_optimal(100, 0.5, VES_EXPONENT_SUM, &psi, NULL));
  ves_winner_workspace_free(work);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_TEST(learning_stops);
  RUN_TEST(sampling_stops);
  RUN_TEST(observing_stops);
  RUN_TEST(sorting_stops);
  RUN_TEST(elements_stop);
  RUN_TEST(sorted_and_shuffled_as_before);
  RUN_TEST(solvers_stop);
  GREATEST_MAIN_END();
}
