/* The amplitude rule: one iteration as written, no bias in any state and the target's variance by
 * enumeration, convergence to the mapping, steps, pools, and learning from one's own draws. */
#include "greatest.h"
#include "support.h"
#include "ves_amplitude.h"
#include "ves_amplitude_theory.h"
#include "ves_order.h"
#include "ves_release.h"
#include "ves_rng.h"
#include "ves_sample.h"
#include "ves_simd.h"
#include "ves_winner.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { N = 12 };

static const double weights[N] = {0.30, 0.02, 0.11, 0.19, 0.05, 0.05,
                                  0.01, 0.09, 0.07, 0.03, 0.06, 0.02};

/* ---- one iteration, read off the rule ---- */

/* Whether synapse j is weaker than i. */
static bool is_weaker(ves_amplitude_order order, const double *w, const double *a, size_t j,
                      size_t i) {
  const double *by = order == VES_ORDER_WEIGHT ? w : a;
  return by[j] != by[i] ? by[j] < by[i] : j > i;
}

/* The rule with sums in index order, step 1/k or a constant. [eq:amplitude] */
static void as_written(int algorithm, ves_amplitude_order order, bool average, double rate,
                       uint64_t iterations, uint64_t key, double *q) {
  size_t rank[N];
  ves_order_descending(weights, N, rank);
  ves_thresholds t;
  if (!ves_thresholds_alloc(&t, N)) abort();
  double a[N], k[N] = {0};
  for (size_t i = 0; i < N; i++) a[i] = weights[i] / q[i];
  for (uint64_t it = 0; it < iterations; it++) {
    uint64_t mask;
    bool on[N];
    double before[N];
    for (size_t r = 0; r < N; r++) ves_thresholds_set(&t, r, weights[rank[r]] / a[rank[r]]);
    ves_mask_draw(&t, key, it, 0, &mask);
    for (size_t r = 0; r < N; r++) on[rank[r]] = mask >> r & 1;
    memcpy(before, a, sizeof a);
    for (size_t i = 0; i < N; i++) {
      double target = weights[i];
      bool strongest = true;
      for (size_t j = 0; j < N; j++) {
        if (j == i || !on[j]) continue;
        if (is_weaker(order, weights, before, j, i))
          target += before[j];
        else
          strongest = false;
      }
      if (!on[i] || (algorithm == 1 && !strongest)) continue;
      k[i]++;
      a[i] += (average ? 1 / k[i] : rate) * (target - a[i]);
    }
  }
  for (size_t i = 0; i < N; i++) q[i] = weights[i] / a[i];
  ves_thresholds_free(&t);
}

TEST as_the_rule_is_written(int algorithm, ves_amplitude_order order, bool average) {
  double q[N], expected[N];
  for (size_t i = 0; i < N; i++) q[i] = expected[i] = 0.3;
  ves_amplitude_options opt = ves_amplitude_defaults();
  opt.algorithm = algorithm;
  opt.order = order;
  opt.average = average;
  opt.rate = 0.05;
  opt.iterations = 500;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N + 70); /* must not matter */
  ASSERT_EQ(VES_OK, ves_amplitude_row(weights, N, &opt, 77, 0, 0, ws, q, NULL));
  as_written(algorithm, order, average, 0.05, 500, 77, expected);
  for (size_t i = 0; i < N; i++) ASSERT_IN_RANGE(expected[i], q[i], 1e-12);
  ves_learn_workspace_free(ws);
  PASS();
}

/* ---- mean and variance of the target, by enumeration of all subsets ---- */

enum { FEW = 6, SUBSETS = 1 << FEW };

static const double few[FEW] = {0.21, 0.34, 0.08, 0.08, 0.17, 0.05};

/* target[s][i]: what synapse i moved to when exactly the subset s (bits by index) transmitted, -1
 * where it did not move; observed by running the core for one iteration with step 1 at draw after
 * draw until every possible subset has come up. */
static bool observe_targets(int algorithm, ves_amplitude_order order, const double *q,
                            double target[SUBSETS][FEW]) {
  ves_amplitude_options opt = ves_amplitude_defaults();
  opt.algorithm = algorithm;
  opt.order = order;
  opt.average = false;
  opt.rate = 1;
  opt.iterations = 1;
  size_t rank[FEW], wanted = 0, seen = 0;
  bool done[SUBSETS] = {false};
  ves_order_descending(few, FEW, rank);
  for (size_t s = 0; s < SUBSETS; s++) {
    bool possible = true;
    for (size_t i = 0; i < FEW; i++) possible &= q[i] < 1 || (s >> i & 1);
    wanted += possible;
  }
  ves_thresholds t;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(FEW);
  if (ws == NULL || !ves_thresholds_alloc(&t, FEW)) abort();
  for (size_t r = 0; r < FEW; r++) ves_thresholds_set(&t, r, q[rank[r]]);
  for (uint64_t draw = 0; draw < 1000000 && seen < wanted; draw++) {
    uint64_t mask;
    ves_mask_draw(&t, 5, draw, 0, &mask);
    size_t s = 0;
    for (size_t r = 0; r < FEW; r++) s |= (size_t)(mask >> r & 1) << rank[r];
    if (done[s]) continue;
    done[s] = true;
    seen++;
    double moved[FEW], updates[FEW] = {0};
    memcpy(moved, q, sizeof moved);
    opt.updates = updates;
    if (ves_amplitude_row(few, FEW, &opt, 5, draw, 0, ws, moved, NULL) != VES_OK) abort();
    for (size_t i = 0; i < FEW; i++) target[s][i] = updates[i] > 0 ? few[i] / moved[i] : -1;
  }
  ves_thresholds_free(&t);
  ves_learn_workspace_free(ws);
  return seen == wanted;
}

/* Mean and variance of synapse i's target given that it learns. */
static void moments(const double *q, double target[SUBSETS][FEW], size_t i, double *mean,
                    double *variance) {
  double chance = 0, first = 0, second = 0;
  for (size_t s = 0; s < SUBSETS; s++) {
    double p = 1;
    for (size_t j = 0; j < FEW; j++) p *= s >> j & 1 ? q[j] : 1 - q[j];
    if (p == 0 || target[s][i] < 0) continue;
    chance += p;
    first += p * target[s][i];
    second += p * target[s][i] * target[s][i];
  }
  *mean = first / chance;
  *variance = second / chance - *mean * *mean;
}

/* Whatever the amplitudes are, the target's mean is S_i and its variance the sum of w_j (a_j -
 * w_j) over the weaker synapses. [eq:amplitude-unbiased] [eq:amplitude-variance] */
TEST unbiased_in_every_state(int algorithm, ves_amplitude_order order) {
  static double target[SUBSETS][FEW];
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  for (uint64_t state = 0; state < 8; state++) {
    double q[FEW], a[FEW];
    ves_rng_seek(r, 6, state, 0);
    for (size_t i = 0; i < FEW; i++) {
      q[i] = 0.3 + 0.5 * gsl_rng_uniform(r);
      a[i] = few[i] / q[i];
    }
    ASSERT(observe_targets(algorithm, order, q, target));
    for (size_t i = 0; i < FEW; i++) {
      double mean, variance, expected = few[i], spread = 0;
      for (size_t j = 0; j < FEW; j++)
        if (j != i && is_weaker(order, few, a, j, i)) {
          expected += few[j];
          spread += few[j] * (a[j] - few[j]);
        }
      moments(q, target, i, &mean, &variance);
      ASSERT_IN_RANGE(expected, mean, 1e-12);
      ASSERT_IN_RANGE(spread, variance, 1e-12);
    }
  }
  gsl_rng_free(r);
  PASS();
}

/* At rest the variance is (S_{i+1}^2 - sum of squares of the weaker weights)/2, at most S_i^2/2.
 * [eq:amplitude-variance] */
TEST variance_at_rest(void) {
  static double target[SUBSETS][FEW];
  double q[FEW];
  size_t order[FEW];
  ves_release_analytic(few, FEW, order, q);
  ASSERT(observe_targets(2, VES_ORDER_WEIGHT, q, target));
  double below = 0, squares = 0;
  for (size_t r = FEW; r-- > 0;) {
    const size_t i = order[r];
    double mean, variance;
    moments(q, target, i, &mean, &variance);
    ASSERT_IN_RANGE(below + few[i], mean, 1e-12);
    ASSERT_IN_RANGE((below * below - squares) / 2, variance, 1e-12);
    ASSERT(variance <= mean * mean / 2);
    below += few[i];
    squares += few[i] * few[i];
  }
  PASS();
}

/* ---- convergence ---- */

/* With step 1/k every amplitude ends within its standard error, that of a mean of k targets, of
 * S_i; and the step is the right one, since errors are not smaller than that either.
 * [eq:amplitude-average] */
TEST averages_converge(int algorithm, ves_amplitude_order order) {
  enum { RUNS = REPEATED(40) };
  ves_amplitude_options opt = ves_amplitude_defaults();
  opt.algorithm = algorithm;
  opt.order = order;
  opt.iterations = 20000;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  double square = 0, terms = 0;
  for (int run = 0; run < RUNS; run++) {
    double q[N], a[N], updates[N] = {0};
    for (size_t i = 0; i < N; i++) q[i] = 0.3;
    opt.updates = updates;
    ASSERT_EQ(VES_OK,
              ves_amplitude_row(weights, N, &opt, ves_key_integer(8, run), 0, 0, ws, q, NULL));
    for (size_t i = 0; i < N; i++) a[i] = weights[i] / q[i];
    for (size_t i = 0; i < N; i++) {
      double S = weights[i], pairs = 0;
      for (size_t j = 0; j < N; j++)
        if (j != i && is_weaker(order, weights, a, j, i)) {
          pairs += weights[j] * (S - weights[i]);
          S += weights[j];
        }
      ASSERT(updates[i] > 20);
      if (pairs == 0) {
        ASSERT_IN_RANGE(S, a[i], 20 * S / updates[i]); /* what the weaker ones' start has left */
        continue;
      }
      const double z = (a[i] - S) / sqrt(pairs / updates[i]);
      square += z * z;
      terms += 1;
    }
  }
  /* order by amplitude may change early on, whose traces are still in the averages */
  if (order == VES_ORDER_WEIGHT) ASSERT_IN_RANGE(1.0, square / terms, 6 * sqrt(2 / terms));
  ASSERT(square / terms < 3);
  ves_learn_workspace_free(ws);
  PASS();
}

/* The releases are those of the mapping after many iterations, from a poor start. [eq:mapping] */
TEST releases_reach_the_mapping(int algorithm, double start) {
  double q[N], exact[N];
  size_t order[N];
  ves_amplitude_options opt = ves_amplitude_defaults();
  opt.algorithm = algorithm;
  opt.iterations = 400000;
  ves_release_analytic(weights, N, order, exact);
  for (size_t i = 0; i < N; i++) q[i] = start;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  ASSERT_EQ(VES_OK, ves_amplitude_row(weights, N, &opt, 9, 0, 0, ws, q, NULL));
  for (size_t i = 0; i < N; i++) ASSERT_IN_RANGE(exact[i], q[i], 0.02 * exact[i]);
  ves_learn_workspace_free(ws);
  PASS();
}

/* ---- what theory says ---- */

static double distance(const double *p, const double *w, size_t n) {
  double total = 0, off = 0;
  for (size_t i = 0; i < n; i++) total += w[i];
  for (size_t i = 0; i < n; i++) off += fabs(p[i] - w[i] / total);
  return off / 2;
}

/* The moments are those found by enumeration, in any state and at rest; the bound on the winner's
 * distance holds in every state, empty draws included, and is 0 at the mapping.
 * [eq:amplitude-unbiased] [eq:amplitude-variance] [eq:amplitude-distance] */
TEST theory_of_states(void) {
  static double target[SUBSETS][FEW];
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  size_t order[FEW];
  for (uint64_t state = 0; state < 500; state++) {
    double q[FEW], a[FEW], mean[FEW], variance[FEW], p[FEW], nothing;
    ves_rng_seek(r, 16, state, 0);
    for (size_t i = 0; i < FEW; i++) {
      q[i] = state < 3 ? 0.3 + 0.5 * gsl_rng_uniform(r) : gsl_rng_uniform_pos(r);
      a[i] = few[i] / q[i];
    }
    if (state == 2) ves_release_analytic(few, FEW, order, q);
    ves_amplitude_moments(few, state == 2 ? NULL : a, FEW, order, mean, variance);
    if (state < 3) ASSERT(observe_targets(2, VES_ORDER_WEIGHT, q, target));
    for (size_t i = 0; i < FEW && state < 3; i++) {
      double m, v;
      moments(q, target, i, &m, &v);
      ASSERT_IN_RANGE(m, mean[i], 1e-12);
      ASSERT_IN_RANGE(v, variance[i], 1e-12);
    }
    ASSERT_EQ(VES_OK, ves_winner_single(few, q, FEW, p, &nothing));
    const double bound = ves_amplitude_distance(few, q, FEW, order);
    ASSERT(distance(p, few, FEW) + nothing / 2 <= bound + 1e-15);
    if (state == 2) ASSERT(bound < 1e-15);
  }
  gsl_rng_free(r);
  PASS();
}

/* After T iterations with step 1/k the bound is c / sqrt(T) on average, and below sqrt(n / (pi T)).
 * [eq:amplitude-rate] */
TEST theory_of_averages(int algorithm) {
  enum { RUNS = REPEATED(200), T = 20000 };
  ves_amplitude_options opt = ves_amplitude_defaults();
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  size_t order[N];
  double sum = 0, square = 0, rate;
  opt.algorithm = algorithm;
  opt.iterations = T;
  ASSERT_EQ(VES_OK, ves_amplitude_rate(weights, N, algorithm, &rate));
  for (int run = 0; run < RUNS; run++) {
    double q[N], wins[N], nothing;
    for (size_t i = 0; i < N; i++) q[i] = 0.3;
    ASSERT_EQ(VES_OK,
              ves_amplitude_row(weights, N, &opt, ves_key_integer(17, run), 0, 0, ws, q, NULL));
    const double bound = ves_amplitude_distance(weights, q, N, order) * sqrt(T);
    ASSERT_EQ(VES_OK, ves_winner_single(weights, q, N, wins, &nothing));
    ASSERT((distance(wins, weights, N) + nothing / 2) * sqrt(T) <= bound + 1e-12);
    sum += bound;
    square += bound * bound;
  }
  const double mean = sum / RUNS, se = sqrt((square / RUNS - mean * mean) / RUNS);
  ASSERT_IN_RANGE(rate, mean, 5 * se + 0.02 * rate);
  ASSERT(rate <= sqrt(N / acos(-1.0)));
  ves_learn_workspace_free(ws);
  PASS();
}

/* Algorithm 1 at a constant step, however large: single states are far off, but over the draws made
 * while learning each output wins as often as it should. [eq:amplitude-sampling] */
TEST draws_while_learning_are_exact(double rate) {
  enum { RUNS = 200, T = 2000 };
  static uint32_t winner[T];
  ves_amplitude_options opt = ves_amplitude_defaults();
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  size_t order[N];
  double start[N], mean[N + 1] = {0}, square[N + 1] = {0};
  opt.algorithm = 1;
  opt.average = false;
  opt.rate = rate;
  opt.iterations = T;
  opt.winner = winner;
  ves_release_analytic(weights, N, order, start);
  for (int run = 0; run < RUNS; run++) {
    double q[N], wins[N + 1] = {0};
    memcpy(q, start, sizeof q);
    ASSERT_EQ(VES_OK,
              ves_amplitude_row(weights, N, &opt, ves_key_integer(18, run), 0, 0, ws, q, NULL));
    for (size_t d = 0; d < T; d++) wins[winner[d]] += 1.0 / T;
    for (size_t i = 0; i <= N; i++) {
      mean[i] += wins[i] / RUNS;
      square[i] += wins[i] * wins[i] / RUNS;
    }
  }
  ASSERT_EQ(0.0, mean[0]); /* the weakest always releases */
  for (size_t i = 0; i < N; i++) {
    const double se = sqrt((square[i + 1] - mean[i + 1] * mean[i + 1]) / RUNS);
    ASSERT(normal_p((mean[i + 1] - weights[i]) / se) > SIGNIFICANCE);
    ASSERT(se < 0.1 * weights[i]);
  }
  ves_learn_workspace_free(ws);
  PASS();
}

/* From a poor start the draws are off by just what the amplitudes still had to go, and by no more
 * than the bound. How often i wins of the draws that nothing stronger won, and how far its
 * amplitude went, balance on average. [eq:amplitude-sampling] */
TEST draws_from_a_poor_start(void) {
  enum { RUNS = 3000, T = 200 };
  uint32_t winner[T];
  ves_amplitude_options opt = ves_amplitude_defaults();
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  size_t order[N];
  double a[N], b[N] = {0}, S[N], variance[N], p[N], nothing, balance[N] = {0}, square[N] = {0},
               mean[N + 1] = {0};
  opt.algorithm = 1;
  opt.average = false;
  opt.rate = 0.2;
  opt.iterations = T;
  opt.winner = winner;
  ves_amplitude_moments(weights, NULL, N, order, S, variance);
  for (size_t i = 0; i < N; i++) a[i] = weights[i] / 0.05;
  for (int run = 0; run < RUNS; run++) {
    double q[N], wins[N + 1] = {0}, left = 1;
    for (size_t i = 0; i < N; i++) q[i] = 0.05;
    ASSERT_EQ(VES_OK,
              ves_amplitude_row(weights, N, &opt, ves_key_integer(19, run), 0, 0, ws, q, NULL));
    for (size_t d = 0; d < T; d++) wins[winner[d]] += 1.0 / T;
    mean[0] += wins[0] / RUNS;
    for (size_t r = 0; r < N; r++) {
      const size_t i = order[r];
      const double end = weights[i] / q[i];
      const double off = S[i] * wins[i + 1] - weights[i] * left - (end - a[i]) / (opt.rate * T);
      balance[i] += off / RUNS;
      square[i] += off * off / RUNS;
      left -= wins[i + 1];
      mean[i + 1] += wins[i + 1] / RUNS;
      b[i] += end / RUNS;
    }
  }
  ves_amplitude_draws(weights, a, b, N, opt.rate, T, order, p, &nothing);
  double far = mean[0] / 2, bound = 0, all = nothing;
  for (size_t i = 0; i < N; i++) all += p[i];
  ASSERT_IN_RANGE(1.0, all, 1e-14);
  ASSERT(nothing > 0.1);
  ASSERT_IN_RANGE(nothing, mean[0], 0.01);
  for (size_t i = 0; i < N; i++) {
    const double se = sqrt((square[i] - balance[i] * balance[i]) / RUNS);
    ASSERT(normal_p(balance[i] / se) > SIGNIFICANCE);
    ASSERT_IN_RANGE(p[i], mean[i + 1], 0.01);
    far += fabs(mean[i + 1] - weights[i]) / 2;
    bound += fabs(b[i] - a[i]) / S[i] / (opt.rate * T);
  }
  ASSERT(far > 0.1 && far < bound);
  ves_amplitude_draws(weights, a, a, N, opt.rate, T, order, p, &nothing); /* nothing left to go */
  for (size_t i = 0; i < N; i++) ASSERT_IN_RANGE(weights[i], p[i], 1e-14);
  ves_learn_workspace_free(ws);
  PASS();
}

/* ---- steps ---- */

/* Synapse 1 of two, whose target is w_1 + w_2 in every iteration: its amplitude is known in closed
 * form for every kind of step. */
TEST steps(void) {
  const double w[2] = {0.5, 0.25};
  ves_learn_workspace *ws = ves_learn_workspace_alloc(2);
  ves_amplitude_options opt = ves_amplitude_defaults();
  for (int kind = 0; kind < 4; kind++) {
    double q[2] = {1, 1}, a = 0.5, updates[2] = {1, 0}; /* the first step is not 1 */
    opt.average = kind == 0 || kind == 1;
    opt.rate_floor = kind == 1 ? 0.25 : 0;
    opt.rate = 0.1;
    opt.decay = kind == 3 ? 2 : 0;
    opt.updates = updates;
    for (uint64_t t = 0; t < 60; t++) {
      opt.iterations = 1;
      /* synapse 2 releases always; the first one learns when it transmits */
      const double before = updates[0];
      ASSERT_EQ(VES_OK, ves_amplitude_row(w, 2, &opt, 10, t, 0, ws, q, NULL));
      if (updates[0] == before) continue;
      double step = 0.1;
      if (kind == 0) step = 1 / updates[0];
      if (kind == 1) step = fmax(1 / updates[0], 0.25);
      /* each call is an iteration of its own, t = 0, so that decay has no effect */
      a += step * (0.75 - a);
      ASSERT_IN_RANGE(a, w[0] / q[0], 1e-14);
    }
    ASSERT(updates[0] > 20);
    ASSERT_EQ(60, updates[1]);
  }
  /* decay, in one call: the rate of the last of 10 iterations, in all of which both transmit */
  double q[2] = {1, 1}, a = 0.5, updates[2] = {0};
  opt.decay = 2;
  opt.iterations = 1;
  opt.updates = updates;
  for (uint64_t t = 0; t < 10; t++) {
    double one[2] = {1, 1};
    opt.iterations = t + 1;
    updates[0] = 0;
    (void)ves_amplitude_row(w, 2, &opt, 10, 0, 0, ws, one, NULL);
    memcpy(q, one, sizeof q);
    if (updates[0] == (double)t + 1) {
      a += 0.1 / (1 + (double)t / 2) * (0.75 - a);
      ASSERT_IN_RANGE(a, w[0] / q[0], 1e-14);
    } else {
      ASSERT(t > 1);
      break;
    }
  }
  ves_learn_workspace_free(ws);
  PASS();
}

/* ---- edges ---- */

/* No weight: out of every subset, q as it was. Alone: released always. No release is 0. */
TEST edges(void) {
  ves_amplitude_options opt = ves_amplitude_defaults();
  opt.iterations = 200;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(4);
  const double w[4] = {0, 0.3, 0, 0.1};
  double q[4] = {0.7, 0.5, 0, 0.5};
  ASSERT_EQ(VES_OK, ves_amplitude_row(w, 4, &opt, 11, 0, 0, ws, q, NULL));
  ASSERT_EQ(0.7, q[0]);
  ASSERT_EQ(0.0, q[2]);
  ASSERT_EQ(1.0, q[3]);
  ASSERT(q[1] > 0.5 && q[1] < 1);
  double alone = 0.2;
  ASSERT_EQ(VES_OK, ves_amplitude_row(w + 1, 1, &opt, 11, 0, 0, ws, &alone, NULL));
  ASSERT_EQ(1.0, alone);
  double never = 0;
  opt.iterations = 1;
  ASSERT_EQ(VES_OK, ves_amplitude_row(w + 1, 1, &opt, 11, 0, 0, ws, &never, NULL));
  ASSERT_EQ(VES_AMPLITUDE_LEAST, never);
  ASSERT_EQ(VES_ESIZE, ves_amplitude_row(w, 0, &opt, 11, 0, 0, ws, q, NULL));
  ASSERT_EQ(VES_ESIZE, ves_amplitude_row(w, 5, &opt, 11, 0, 0, ws, q, NULL));
  ASSERT_EQ(VES_ESIZE, ves_amplitude_rows(w, 1, 5, &opt, 11, 0, 0, ws, q));
  ves_learn_workspace_free(ws);
  ASSERT_EQ(NULL, ves_learn_workspace_alloc(0));
  PASS();
}

/* Of equal amplitudes the one of lower index is the stronger, as in sampling. */
TEST equal_amplitudes(void) {
  const double w[2] = {0.5, 0.5};
  double q[2] = {1, 1};
  ves_amplitude_options opt = ves_amplitude_defaults();
  opt.order = VES_ORDER_AMPLITUDE;
  opt.iterations = 1;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(2);
  ASSERT_EQ(VES_OK, ves_amplitude_row(w, 2, &opt, 1, 0, 0, ws, q, NULL));
  ASSERT_EQ(0.5, q[0]);
  ASSERT_EQ(1.0, q[1]);
  ves_learn_workspace_free(ws);
  PASS();
}

/* ---- vector kernel, rows, traces ---- */

TEST vector_path_has_the_scalar_bits(void) {
  enum { MOST = 200 };
  ves_learn_workspace *ws = ves_learn_workspace_alloc(MOST);
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  for (size_t n = 1; n <= MOST; n += n < 9 ? 1 : 17)
    for (int variant = 0; variant < 16; variant++) {
      double w[MOST], q[PATHS][MOST], updates[PATHS][MOST], trace[PATHS][7 * MOST];
      ves_rng_seek(r, 31, n, 0);
      for (size_t i = 0; i < n; i++) {
        w[i] = i % 11 == 10 ? 0 : gsl_rng_uniform_pos(r) * (i % 3 == 0 ? 0.01 : 1);
        q[0][i] = gsl_rng_uniform(r);
        if (i % 7 == 6) { /* amplitudes that tie: of equal weights, and of unequal ones */
          w[i] = w[i - 1];
          q[0][i] = q[0][i - 1];
        }
        if (i % 14 == 6) {
          w[i - 1] /= 2;
          q[0][i - 1] = q[0][i] / 2;
        }
        updates[0][i] = (double)(i % 4);
      }
      for (int path = 1; path < PATHS; path++) {
        memcpy(q[path], q[0], sizeof q[0]);
        memcpy(updates[path], updates[0], sizeof updates[0]);
      }
      ves_amplitude_options opt = ves_amplitude_defaults();
      opt.algorithm = 1 + variant % 2;
      opt.average = variant / 2 % 2;
      opt.rate = 0.03;
      opt.decay = n % 3 == 0 ? 100 : 0;
      opt.rate_floor = variant / 4 % 2 == 1 ? 0.02 : 0;
      opt.order = variant >= 8 ? VES_ORDER_AMPLITUDE : VES_ORDER_WEIGHT;
      opt.iterations = 300 + n;
      opt.trace = 70;
      const uint64_t first = n % 5 == 0 ? (UINT64_C(1) << 32) - 100 : 17;
      for (int path = 0; path < PATHS; path++) {
        select_path(path);
        opt.updates = updates[path];
        ASSERT_EQ(VES_OK,
                  ves_amplitude_row(w, n, &opt, 900 + n, first, 5, ws, q[path], trace[path]));
      }
      for (int path = 1; path < PATHS; path++) {
        ASSERT_MEM_EQ(q[0], q[path], n * sizeof **q);
        ASSERT_MEM_EQ(updates[0], updates[path], n * sizeof **updates);
        ASSERT_MEM_EQ(trace[0], trace[path], opt.iterations / opt.trace * n * sizeof **trace);
      }
    }
  gsl_rng_free(r);
  ves_learn_workspace_free(ws);
  PASS();
}

/* As in test_learn.c: many rows, or long ones, have the scalar bits on every path. */
TEST many_rows_have_the_scalar_bits(bool average) {
  enum { MOST = 9600 };
  static double w[MOST], start[MOST], q[PATHS][MOST], updates[PATHS][MOST];
  const size_t sizes[][2] = {{40, 3},  {23, 64},  {33, 65}, {96, 100},
                             {7, 130}, {1, 1100}, {9, 1025}};
  ves_learn_workspace *ws = ves_learn_workspace_alloc(MOST);
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const size_t rows = sizes[k][0], n = sizes[k][1];
    ves_rng_seek(r, 78, k, 0);
    for (size_t c = 0; c < rows * n; c++) {
      w[c] = c % 17 == 3 ? 0 : gsl_rng_uniform_pos(r) * (c % 3 == 0 ? 0.01 : 1);
      start[c] = c % 29 == 5 ? 1 : c % 31 == 6 ? 0 : gsl_rng_uniform(r);
    }
    ves_amplitude_options opt = ves_amplitude_defaults();
    opt.average = average;
    opt.rate = 0.03;
    opt.decay = k % 2 == 0 ? 100 : 0;
    opt.rate_floor = k % 3 == 0 ? 0.02 : 0;
    opt.iterations = REPEATED(500) + k;
    const uint64_t first = k % 2 == 0 ? (UINT64_C(1) << 32) - 100 : 3;
    memset(updates, 0, sizeof updates);
    for (int path = 0; path < PATHS; path++) {
      select_path(path);
      memcpy(q[path], start, sizeof start);
      opt.updates = updates[path];
      ASSERT_EQ(VES_OK, ves_amplitude_rows(w, rows, n, &opt, 43, first, 7, ws, q[path]));
      ASSERT_MEM_EQ(q[0], q[path], rows * n * sizeof **q);
      ASSERT_MEM_EQ(updates[0], updates[path], rows * n * sizeof **updates);
    }
  }
  select_path(PATHS - 1);
  gsl_rng_free(r);
  ves_learn_workspace_free(ws);
  PASS();
}

TEST rows_side_by_side(ves_amplitude_order order) {
  enum { ROWS = 143, WIDE = 70 }; /* more than one turn of those that go together, on each path */
  ves_learn_workspace *ws = ves_learn_workspace_alloc(WIDE);
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  double w[ROWS * WIDE], start[ROWS * WIDE], alone[ROWS * WIDE], beside[ROWS * WIDE];
  double counted[ROWS * WIDE], updates[ROWS * WIDE];
  ves_rng_seek(r, 32, 0, 0);
  for (size_t c = 0; c < ROWS * WIDE; c++) {
    w[c] = c % 13 == 12 ? 0 : gsl_rng_uniform_pos(r);
    start[c] = gsl_rng_uniform(r);
  }
  ves_amplitude_options opt = ves_amplitude_defaults();
  opt.iterations = 77;
  opt.order = order;
  for (size_t n = 5; n <= WIDE; n += 65)
    for (size_t rows = 1; rows <= ROWS; rows += rows < 24 ? 1 : rows == 24 ? 19 : 100)
      for (int path = 0; path < PATHS; path++) {
        select_path(path);
        memcpy(alone, start, sizeof start);
        memcpy(beside, start, sizeof start);
        memset(counted, 0, sizeof counted);
        memset(updates, 0, sizeof updates);
        for (size_t i = 0; i < rows; i++) {
          opt.updates = counted + i * n;
          ASSERT_EQ(VES_OK, ves_amplitude_row(w + i * n, n, &opt, 41, 3, (uint32_t)(7 + i), ws,
                                              alone + i * n, NULL));
        }
        opt.updates = updates;
        ASSERT_EQ(VES_OK, ves_amplitude_rows(w, rows, n, &opt, 41, 3, 7, ws, beside));
        ASSERT_MEM_EQ(alone, beside, sizeof alone);
        ASSERT_MEM_EQ(counted, updates, sizeof updates);
      }
  ves_simd_select(true);
  gsl_rng_free(r);
  ves_learn_workspace_free(ws);
  PASS();
}

/* Learning in two goes, with what the first has counted, is learning in one. */
TEST goes_on_where_it_stopped(void) {
  ves_amplitude_options opt = ves_amplitude_defaults();
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  double whole[N], halves[N], updates[N] = {0}, trace[2 * N];
  for (size_t i = 0; i < N; i++) whole[i] = halves[i] = 0.4;
  opt.iterations = 200;
  opt.trace = 100;
  ASSERT_EQ(VES_OK, ves_amplitude_row(weights, N, &opt, 12, 0, 0, ws, whole, trace));
  ASSERT_MEM_EQ(whole, &trace[N], sizeof whole);
  opt.iterations = 100;
  opt.updates = updates;
  ASSERT_EQ(VES_OK, ves_amplitude_row(weights, N, &opt, 12, 0, 0, ws, halves, NULL));
  ASSERT_MEM_EQ(halves, trace, sizeof halves);
  ASSERT_EQ(VES_OK, ves_amplitude_row(weights, N, &opt, 12, 100, 0, ws, halves, NULL));
  for (size_t i = 0; i < N; i++) ASSERT_IN_RANGE(whole[i], halves[i], 1e-12);
  ves_learn_workspace_free(ws);
  PASS();
}

/* ---- learning from one's own draws ---- */

/* The winner of each iteration is what the sampler draws at the same address with the releases
 * learned so far; by amplitude, with amplitudes for weights. [alg:1] [alg:sample] */
TEST winners_are_the_samplers(int algorithm, ves_amplitude_order order) {
  enum { DRAWS = 300 };
  static double trace[DRAWS * N];
  uint32_t winner[DRAWS], drawn;
  const uint32_t input = 3;
  double q[N];
  for (size_t i = 0; i < N; i++) q[i] = 0.4;
  ves_amplitude_options opt = ves_amplitude_defaults();
  opt.algorithm = algorithm;
  opt.order = order;
  opt.iterations = DRAWS;
  opt.trace = 1;
  opt.winner = winner;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  ASSERT_EQ(VES_OK, ves_amplitude_row(weights, N, &opt, 13, 50, input, ws, q, trace));
  for (size_t i = 0; i < N; i++) q[i] = 0.4;
  size_t agree = 0;
  for (size_t d = 0; d < DRAWS; d++) {
    double by[N];
    for (size_t i = 0; i < N; i++)
      by[i] = order == VES_ORDER_WEIGHT ? weights[i] : weights[i] / q[i];
    ves_sampler *s = ves_sampler_alloc(by, q, &input, 1, N);
    ves_sampler_winners(s, 13, 50 + d, 1, &drawn);
    ves_sampler_free(s);
    agree += drawn == winner[d];
    memcpy(q, trace + d * N, sizeof q);
  }
  /* by amplitude the sampler's bits are addressed by rank of amplitude, so that its draws are
   * others; the law is the same */
  if (order == VES_ORDER_WEIGHT) ASSERT_EQ((size_t)DRAWS, agree);
  ves_learn_workspace_free(ws);
  PASS();
}

/* ---- pools ---- */

/* One presentation is a row of its own; the same twice over, too, if told to each other. */
TEST a_pool_of_one_is_a_row(int algorithm, ves_amplitude_order order) {
  size_t synapse[N];
  double row[N], pool[N], counted[N] = {0}, updates[N] = {0};
  for (size_t i = 0; i < N; i++) {
    synapse[i] = i;
    row[i] = pool[i] = 0.3;
  }
  const ves_presentation twice[2] = {{N, synapse, weights}, {N, synapse, weights}};
  ves_amplitude_options opt = ves_amplitude_defaults();
  opt.order = order;
  opt.algorithm = algorithm;
  opt.iterations = 300;
  opt.updates = counted;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  ASSERT_EQ(VES_OK, ves_amplitude_row(weights, N, &opt, 14, 2, 0, ws, row, NULL));
  opt.updates = updates;
  ASSERT_EQ(VES_OK, ves_amplitude_pooled(twice, 1, &opt, 14, 2, ws, pool, N));
  for (size_t i = 0; i < N; i++) ASSERT_EQ(row[i], pool[i]);
  ASSERT_MEM_EQ(counted, updates, sizeof updates);
  for (size_t i = 0; i < N; i++) pool[i] = 0.3;
  opt.updates = NULL; /* counted from 0, for this call */
  ASSERT_EQ(VES_OK, ves_amplitude_pooled(twice, 1, &opt, 14, 2, ws, pool, N));
  for (size_t i = 0; i < N; i++) ASSERT_EQ(row[i], pool[i]);
  opt.updates = updates;
  memset(updates, 0, sizeof updates);
  for (size_t i = 0; i < N; i++) pool[i] = 0.3;
  opt.iterations = 150;
  ASSERT_EQ(VES_OK, ves_amplitude_pooled(twice, 2, &opt, 14, 2, ws, pool, N));
  for (size_t i = 0; i < N; i++) ASSERT_IN_RANGE(row[i], pool[i], 1e-12);
  ASSERT_MEM_EQ(counted, updates, sizeof updates);
  ves_learn_workspace_free(ws);
  PASS();
}

/* A synapse shown with different activities: 1/q is the mean of S/v over its presentations, each
 * as often as it transmits; with two presentations and Algorithm 2 that is the mean of the two.
 * [eq:pooled] */
TEST a_shared_synapse_averages(void) {
  const size_t first[2] = {0, 1}, second[2] = {0, 2};
  const double v[2] = {0.6, 0.3}, u[2] = {0.4, 0.1}; /* the weaker ones always release */
  const ves_presentation shown[2] = {{2, first, v}, {2, second, u}};
  double q[4] = {0.5, 0.5, 0.5, 0.5}, updates[4] = {0};
  ves_amplitude_options opt = ves_amplitude_defaults();
  opt.iterations = 40000;
  opt.updates = updates;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(2);
  ASSERT_EQ(VES_OK, ves_amplitude_pooled(shown, 2, &opt, 15, 0, ws, q, 4));
  ASSERT_EQ(1.0, q[1]);
  ASSERT_EQ(1.0, q[2]);
  ASSERT_EQ(0.5, q[3]);
  ASSERT_EQ(0.0, updates[3]);
  ASSERT_IN_RANGE((0.9 / 0.6 + 0.5 / 0.4) / 2, 1 / q[0], 0.01);
  const size_t beyond[2] = {0, 4};
  const ves_presentation bad = {2, beyond, v}, wide = {3, first, v}, none = {0, first, v};
  ASSERT_EQ(VES_ESIZE, ves_amplitude_pooled(&bad, 1, &opt, 15, 0, ws, q, 4));
  ASSERT_EQ(VES_ESIZE, ves_amplitude_pooled(&wide, 1, &opt, 15, 0, ws, q, 4));
  ASSERT_EQ(VES_ESIZE, ves_amplitude_pooled(&none, 1, &opt, 15, 0, ws, q, 4));
  ves_learn_workspace_free(ws);
  PASS();
}

static void each(int algorithm, ves_amplitude_order order) {
  RUN_TESTp(as_the_rule_is_written, algorithm, order, false);
  RUN_TESTp(as_the_rule_is_written, algorithm, order, true);
  RUN_TESTp(unbiased_in_every_state, algorithm, order);
  RUN_TESTp(averages_converge, algorithm, order);
  RUN_TESTp(winners_are_the_samplers, algorithm, order);
  RUN_TESTp(a_pool_of_one_is_a_row, algorithm, order);
}

SUITE(amplitude) {
  each(1, VES_ORDER_WEIGHT);
  each(2, VES_ORDER_WEIGHT);
  each(1, VES_ORDER_AMPLITUDE);
  each(2, VES_ORDER_AMPLITUDE);
  RUN_TEST(variance_at_rest);
  RUN_TESTp(releases_reach_the_mapping, 1, 0.3);
  RUN_TESTp(releases_reach_the_mapping, 2, 1.0);
  RUN_TESTp(releases_reach_the_mapping, 2, 0.001);
  RUN_TEST(theory_of_states);
  RUN_TESTp(theory_of_averages, 1);
  RUN_TESTp(theory_of_averages, 2);
  RUN_TESTp(draws_while_learning_are_exact, 0.1);
  RUN_TESTp(draws_while_learning_are_exact, 1.0);
  RUN_TEST(draws_from_a_poor_start);
  RUN_TEST(steps);
  RUN_TEST(edges);
  RUN_TEST(equal_amplitudes);
  RUN_TEST(vector_path_has_the_scalar_bits);
  RUN_TESTp(many_rows_have_the_scalar_bits, false);
  RUN_TESTp(many_rows_have_the_scalar_bits, true);
  RUN_TESTp(rows_side_by_side, VES_ORDER_WEIGHT);
  RUN_TESTp(rows_side_by_side, VES_ORDER_AMPLITUDE);
  RUN_TEST(goes_on_where_it_stopped);
  RUN_TEST(a_shared_synapse_averages);
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_SUITE(amplitude);
  GREATEST_MAIN_END();
}
