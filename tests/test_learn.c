/* Learning: one iteration as printed, each rule against its independently solved equilibrium,
 * pooling, bounds, traces. */
#include "greatest.h"
#include "support.h"
#include "ves_equilibrium.h"
#include "ves_learn.h"
#include "ves_order.h"
#include "ves_rng.h"
#include "ves_rng_private.h"
#include "ves_simd.h"
#include <stdlib.h>
#include <string.h>

enum { N = 12 };

static const double weights[N] = {0.30, 0.02, 0.11, 0.19, 0.05, 0.05,
                                  0.01, 0.09, 0.07, 0.03, 0.06, 0.02};

/* Algorithms 1 and 2 read off the paper's listings: repeatedly take the maximum of the masked
 * weights. [alg:1] [alg:2] */
static void as_printed(int algorithm, double psi, double rate, uint64_t iterations, uint64_t key,
                       double *q) {
  size_t order[N];
  ves_order_descending(weights, N, order);
  ves_thresholds t;
  if (!ves_thresholds_alloc(&t, N)) abort();
  for (uint64_t it = 0; it < iterations; it++) {
    double subset[N] = {0};
    for (size_t r = 0; r < N; r++) ves_thresholds_set(&t, r, q[order[r]]);
    uint64_t mask;
    ves_mask_draw(&t, key, it, 0, &mask);
    for (size_t r = 0; r < N; r++)
      if (mask >> r & 1) subset[order[r]] = weights[order[r]];
    for (;;) {
      size_t m = N;
      double sum = 0;
      for (size_t r = N; r-- > 0;) { /* weakest first, so that sums round alike */
        sum += subset[order[r]];
        if (subset[order[r]] > 0) m = order[r];
      }
      if (m == N) break;
      q[m] = fmin(1, fmax(1e-4, q[m] - rate * (q[m] - pow(subset[m] / sum, psi))));
      subset[m] = 0;
      if (algorithm == 1) break;
    }
  }
  ves_thresholds_free(&t);
}

TEST algorithms_as_printed(int algorithm) {
  double q[N], expected[N];
  for (size_t i = 0; i < N; i++) q[i] = expected[i] = 0.3;
  ves_learn_options opt = ves_learn_defaults();
  opt.algorithm = algorithm;
  opt.psi = 3;
  opt.rate = 0.05;
  opt.iterations = 500;
  ves_learn_workspace *ws =
      ves_learn_workspace_alloc(N + 70); /* larger than needed: must not matter */
  ASSERT_EQ(VES_OK, ves_learn_row(weights, N, &opt, 77, 0, 0, ws, q, NULL));
  as_printed(algorithm, 3, 0.05, 500, 77, expected);
  for (size_t i = 0; i < N; i++) ASSERT_IN_RANGE(expected[i], q[i], 1e-12);
  ves_learn_workspace_free(ws);
  PASS();
}

/* Each rule, with a decaying rate and averaged over several runs, ends at the equilibrium of its
 * mean dynamics. [app:equilibrium] [eq:target-raw] [eq:target-subtract] [eq:target-rescale]
 * [eq:target-power] [eq:target-variable] [eq:target-subset] [eq:target-expected] */
TEST rules_reach_their_equilibrium(ves_rule rule, int algorithm, double tolerance) {
  enum { RUNS = 12 };
  ves_learn_options opt = ves_learn_defaults();
  opt.rule = rule;
  opt.algorithm = algorithm;
  opt.psi = 4;
  opt.subtract = 0.1;
  opt.rate = 0.05;
  opt.decay = 2000;
  opt.iterations = 40000;
  ves_equilibrium_options eq = ves_equilibrium_defaults();
  eq.rule = rule;
  eq.psi = 4;
  eq.subtract = 0.1;
  double solved[N], mean[N] = {0}, square[N] = {0};
  ASSERT_EQ(VES_OK, ves_equilibrium_solve(weights, N, &eq, solved));
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  for (int run = 0; run < RUNS; run++) {
    double q[N];
    for (size_t i = 0; i < N; i++) q[i] = solved[i];
    ASSERT_EQ(VES_OK, ves_learn_row(weights, N, &opt, ves_key_integer(3, run), 0, 0, ws, q, NULL));
    for (size_t i = 0; i < N; i++) {
      mean[i] += q[i] / RUNS;
      square[i] += q[i] * q[i] / RUNS;
    }
  }
  for (size_t i = 0; i < N; i++) {
    const double se = sqrt(fmax(0, square[i] - mean[i] * mean[i]) / (RUNS - 1));
    ASSERT_IN_RANGE(solved[i], mean[i], 7 * se + tolerance);
  }
  ves_learn_workspace_free(ws);
  PASS();
}

/* Starting from 0.3 everywhere learning moves to the equilibrium, not merely stays there. */
TEST learning_moves_to_equilibrium(void) {
  ves_learn_options opt = ves_learn_defaults();
  opt.psi = 4;
  opt.rate = 0.02;
  opt.decay = 5000;
  opt.iterations = 60000;
  ves_equilibrium_options eq = ves_equilibrium_defaults();
  eq.psi = 4;
  double q[N], solved[N];
  ves_equilibrium_solve(weights, N, &eq, solved);
  for (size_t i = 0; i < N; i++) q[i] = 0.3;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  ves_learn_row(weights, N, &opt, 4, 0, 0, ws, q, NULL);
  for (size_t i = 0; i < N; i++) ASSERT_IN_RANGE(solved[i], q[i], 0.02);
  ves_learn_workspace_free(ws);
  PASS();
}

/* The vector kernel gives the scalar bits, for all sizes, rules that it knows, exponents, algorithms,
 * rates and bounds. */
TEST vector_path_has_the_scalar_bits(ves_rule rule) {
  enum { MOST = 200 };
  ves_learn_workspace *ws = ves_learn_workspace_alloc(MOST);
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  for (size_t n = 1; n <= MOST; n += n < 9 ? 1 : 17) {
    double w[MOST], start[MOST], scalar[MOST], vector[MOST];
    ves_rng_seek(r, 31, n, 0);
    for (size_t i = 0; i < n; i++) {
      w[i] = i % 11 == 10 ? 0 : gsl_rng_uniform_pos(r) * (i % 3 == 0 ? 0.01 : 1);
      scalar[i] = start[i] = gsl_rng_uniform(r);
    }
    ves_learn_options opt = ves_learn_defaults();
    opt.algorithm = 1 + (int)(n % 2);
    opt.rule = rule;
    opt.psi = n == 43 ? 1500 : (double)(1 + n % 12) + (n % 6 == 5 ? 0.5 : 0);
    opt.decay = n % 3 == 0 ? 100 : 0;
    opt.floor = n % 4 == 0 ? 0.01 : 0;
    opt.iterations = 300 + n;
    const uint64_t first =
        n % 5 == 0 ? (UINT64_C(1) << 32) - 100 : 17; /* where the high half changes */
    select_path(0);
    ASSERT_EQ(VES_OK, ves_learn_row(w, n, &opt, 900 + n, first, 5, ws, scalar, NULL));
    for (int path = 1; path < PATHS; path++) {
      select_path(path);
      for (size_t i = 0; i < n; i++) vector[i] = start[i];
      ASSERT_EQ(VES_OK, ves_learn_row(w, n, &opt, 900 + n, first, 5, ws, vector, NULL));
      ASSERT_MEM_EQ(scalar, vector, n * sizeof *scalar);
    }
  }
  gsl_rng_free(r);
  ves_learn_workspace_free(ws);
  PASS();
}

/* A synapse transmits if its 40 random bits lie below its release, not at it, on both paths. */
TEST releases_end_where_they_should(void) {
  enum { FEW = 20 };
  const uint64_t key = ves_key_root(61);
  ves_learn_workspace *ws = ves_learn_workspace_alloc(FEW);
  ves_learn_options opt = ves_learn_defaults();
  opt.rule = VES_RULE_RAW;
  opt.iterations = 1;
  opt.floor = 0;
  double w[FEW], at[FEW], above[FEW], q[FEW];
  for (size_t i = 0; i < FEW; i++)
    w[i] = (double)(FEW - i); /* synapses in the order of their bytes */
  for (int simd = 0; simd <= 1; simd++)
    for (uint64_t draw = 0; draw < 50; draw++) {
      uint8_t byte[32];
      ves_simd_select(simd);
      ves_philox_bytes(key, draw, 3, 0, 2, byte);
      for (size_t i = 0; i < FEW; i++) {
        const uint64_t bits = (uint64_t)byte[i] << 32 | ves_mask_fine(key, draw, 3, i);
        at[i] = q[i] = (double)bits * 0x1p-40;
        above[i] = (double)(bits + 1) * 0x1p-40;
      }
      ASSERT_EQ(VES_OK, ves_learn_row(w, FEW, &opt, key, draw, 3, ws, q, NULL));
      ASSERT_MEM_EQ(at, q, sizeof q);
      memcpy(q, above, sizeof q);
      ASSERT_EQ(VES_OK, ves_learn_row(w, FEW, &opt, key, draw, 3, ws, q, NULL));
      for (size_t i = 0; i < FEW; i++) ASSERT(q[i] != above[i]);
    }
  ves_simd_select(true);
  ves_learn_workspace_free(ws);
  PASS();
}

/* What a workspace was used for before does not matter, also if that was longer. */
TEST workspaces_forget(void) {
  enum { LONG = 64, SHORT = 10 };
  double w[LONG], q[LONG], fresh[LONG];
  ves_learn_workspace *ws = ves_learn_workspace_alloc(LONG),
                      *other = ves_learn_workspace_alloc(LONG);
  ves_learn_options opt = ves_learn_defaults();
  opt.rule = VES_RULE_VARIABLE; /* which has no vector kernel */
  opt.iterations = 200;
  for (size_t i = 0; i < LONG; i++) {
    w[i] = 1 + (double)(i * 37 % LONG);
    q[i] = fresh[i] = 0.5;
  }
  ASSERT_EQ(VES_OK, ves_learn_row(w, LONG, &opt, 51, 0, 0, ws, q, NULL));
  for (size_t i = 0; i < SHORT; i++) q[i] = 0.5;
  ASSERT_EQ(VES_OK, ves_learn_row(w, SHORT, &opt, 52, 0, 0, ws, q, NULL));
  ASSERT_EQ(VES_OK, ves_learn_row(w, SHORT, &opt, 52, 0, 0, other, fresh, NULL));
  ASSERT_MEM_EQ(fresh, q, SHORT * sizeof *q);
  ves_learn_workspace_free(ws);
  ves_learn_workspace_free(other);
  PASS();
}

/* Rows side by side learn what each learns alone, however many are left for the last turn. */
TEST rows_side_by_side(void) {
  enum { ROWS = 143, WIDE = 70 }; /* more than one turn of those that go together, on each path */
  ves_learn_workspace *ws = ves_learn_workspace_alloc(WIDE);
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  double w[ROWS * WIDE], start[ROWS * WIDE], alone[ROWS * WIDE], beside[ROWS * WIDE];
  ves_rng_seek(r, 32, 0, 0);
  for (size_t c = 0; c < ROWS * WIDE; c++) {
    w[c] = c % 13 == 12 ? 0 : gsl_rng_uniform_pos(r);
    start[c] = gsl_rng_uniform(r);
  }
  for (size_t c = 0; c < WIDE; c++) w[WIDE + c] = w[c]; /* rows of equal weights */
  for (size_t c = 0; c < 5; c++) w[5 + c] = w[c];
  ves_learn_options opt = ves_learn_defaults();
  opt.iterations = 77;
  for (size_t n = 5; n <= WIDE; n += 65)
    for (size_t rows = 1; rows <= ROWS; rows += rows < 24 ? 1 : rows == 24 ? 19 : 100)
      for (int path = 0; path < PATHS; path++) {
        select_path(path);
        opt.rule = (ves_rule)(VES_RULE_RAW + rows % 7);
        opt.algorithm = 1 + (int)(rows / 7 % 2);
        opt.iterations =
            rows % 2 == 0 ? 77 : 9; /* or fewer than random bytes are made for at once */
        memcpy(alone, start, sizeof start);
        memcpy(beside, start, sizeof start);
        for (size_t i = 0; i < rows; i++)
          ASSERT_EQ(VES_OK, ves_learn_row(w + i * n, n, &opt, 41, 3, (uint32_t)(7 + i), ws,
                                          alone + i * n, NULL));
        ASSERT_EQ(VES_OK, ves_learn_rows(w, rows, n, &opt, 41, 3, 7, ws, beside));
        ASSERT_MEM_EQ(alone, beside, sizeof alone);
      }
  ves_simd_select(true);
  ASSERT_EQ(VES_ESIZE, ves_learn_rows(w, 1, WIDE + 1, &opt, 41, 3, 7, ws, beside));
  gsl_rng_free(r);
  ves_learn_workspace_free(ws);
  PASS();
}

static ves_status cube(double g, const ves_synapse *s, void *context, double *target) {
  size_t *calls = context;
  ++*calls;
  if (s->rank < 1 || s->rank > s->n || s->size < 1 || s->size > s->n - s->rank + 1 ||
      !(s->weight > 0))
    return VES_EDOMAIN;
  *target = g * g * g;
  return VES_OK;
}

static ves_status stop_at_ten(double g, const ves_synapse *s, void *context, double *target) {
  (void)s;
  *target = g;
  return ++*(size_t *)context == 10 ? VES_ECALLBACK : VES_OK;
}

/* A caller's function can take the place of a rule, and can stop the run. */
TEST custom_targets(void) {
  size_t calls = 0;
  double q[N], expected[N];
  for (size_t i = 0; i < N; i++) q[i] = expected[i] = 0.4;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  ves_learn_options opt = ves_learn_defaults();
  opt.psi = 3;
  opt.iterations = 200;
  ves_learn_row(weights, N, &opt, 6, 0, 0, ws, expected, NULL);
  opt.rule = VES_RULE_CUSTOM;
  opt.target = cube;
  opt.context = &calls;
  ASSERT_EQ(VES_OK, ves_learn_row(weights, N, &opt, 6, 0, 0, ws, q, NULL));
  for (size_t i = 0; i < N; i++) ASSERT_IN_RANGE(expected[i], q[i], 1e-14);
  ASSERT(calls > 200);
  calls = 0;
  opt.target = stop_at_ten;
  ASSERT_EQ(VES_ECALLBACK, ves_learn_row(weights, N, &opt, 6, 0, 0, ws, q, NULL));
  ASSERT_EQ(10, calls);
  ves_learn_workspace_free(ws);
  PASS();
}

typedef struct {
  double sum[N], updates[N];
} tally;

static ves_status tallied_cube(double g, const ves_synapse *s, void *context, double *target) {
  tally *t = context;
  *target = g * g * g;
  t->sum[s->rank - 1] += *target;
  t->updates[s->rank - 1] += 1;
  return VES_OK;
}

/* Mean targets are those that a rule of the caller's counts, row by row; asking for them changes
 * nothing else; a synapse that never learns has its release. */
TEST mean_targets(void) {
  size_t order[N];
  double q[2 * N], counted[2 * N], plain[2 * N], targets[2 * N], two[2 * N];
  ves_order_descending(weights, N, order);
  for (size_t i = 0; i < 2 * N; i++) {
    q[i] = counted[i] = plain[i] = 0.4;
    two[i] = weights[i % N];
  }
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  ves_learn_options opt = ves_learn_defaults();
  opt.psi = 3;
  opt.iterations = 300;
  ASSERT_EQ(VES_OK, ves_learn_rows(two, 2, N, &opt, 6, 0, 0, ws, plain));
  opt.targets = targets;
  ASSERT_EQ(VES_OK, ves_learn_rows(two, 2, N, &opt, 6, 0, 0, ws, q));
  ASSERT_MEM_EQ(plain, q, sizeof q);
  opt.targets = NULL;
  opt.rule = VES_RULE_CUSTOM;
  opt.target = tallied_cube;
  for (uint32_t row = 0; row < 2; row++) {
    tally t = {0};
    opt.context = &t;
    ASSERT_EQ(VES_OK, ves_learn_row(weights, N, &opt, 6, 0, row, ws, counted + row * N, NULL));
    for (size_t r = 0; r < N; r++) {
      ASSERT(t.updates[r] > 0);
      ASSERT_IN_RANGE(t.sum[r] / t.updates[r], targets[row * N + order[r]], 1e-14);
    }
  }
  const double silent[2] = {0, 1};
  double release[2] = {0.3, 0.6}, of_silent[2];
  opt.rule = VES_RULE_RAW;
  opt.targets = of_silent;
  ASSERT_EQ(VES_OK, ves_learn_row(silent, 2, &opt, 6, 0, 0, ws, release, NULL));
  ASSERT_EQ(0.3, of_silent[0]);
  ASSERT_EQ(1.0, of_silent[1]);
  ves_learn_workspace_free(ws);
  PASS();
}

/* A weight of zero never learns; bounds hold; the trace's last row is the result; splitting a run
 * changes nothing. */
TEST bounds_traces_and_splits(void) {
  const double w[5] = {0.5, 0, 0.3, 0.2, 0};
  double q[5] = {0.9, 0.9, 0.9, 0.9, 0.1}, split[5], trace[10 * 5];
  memcpy(split, q, sizeof q);
  ves_learn_options opt = ves_learn_defaults();
  opt.floor = 0.05;
  opt.ceiling = 0.95;
  opt.iterations = 1000;
  opt.trace = 100;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(5);
  ASSERT_EQ(VES_OK, ves_learn_row(w, 5, &opt, 8, 100, 3, ws, q, trace));
  ASSERT_MEM_EQ(q, &trace[9 * 5], sizeof q);
  ASSERT_EQ(0.9, q[1]);
  ASSERT_EQ(0.1, q[4]);
  for (int i = 0; i < 50; i++) ASSERT(trace[i] >= 0.05 && trace[i] <= 0.95);
  opt.trace = 0;
  opt.iterations = 400;
  ves_learn_row(w, 5, &opt, 8, 100, 3, ws, split, NULL);
  ASSERT_MEM_EQ(split, &trace[3 * 5], sizeof split);
  opt.iterations = 600;
  ves_learn_row(w, 5, &opt, 8, 500, 3, ws, split, NULL);
  ASSERT_MEM_EQ(split, q, sizeof split);
  const double zero[2] = {0, 0};
  double unchanged[2] = {0.2, 0.7};
  ASSERT_EQ(VES_OK, ves_learn_row(zero, 2, &opt, 8, 0, 0, ws, unchanged, NULL));
  ASSERT_EQ(0.2, unchanged[0]);
  ASSERT_EQ(0.7, unchanged[1]);
  const double six[6] = {1, 1, 1, 1, 1, 1};
  double room[6] = {0};
  ASSERT_EQ(VES_ESIZE, ves_learn_row(six, 6, &opt, 8, 0, 0, ws, room, NULL));
  ves_learn_workspace_free(ws);
  PASS();
}

/* Many rows, or long ones, have the scalar bits on every path: all sizes of a word's share of a subset,
 * draws whose high half changes, weights of zero, releases of 0 and 1. */
TEST many_rows_have_the_scalar_bits(ves_rule rule) {
  enum { MOST = 9600 };
  static double w[MOST], start[MOST], q[PATHS][MOST];
  const size_t sizes[][2] = {{40, 3},  {23, 64},  {33, 65}, {96, 100},
                             {7, 130}, {1, 1100}, {9, 1025}};
  ves_learn_workspace *ws = ves_learn_workspace_alloc(MOST);
  gsl_rng *r = gsl_rng_alloc(ves_rng_philox);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const size_t rows = sizes[k][0], n = sizes[k][1];
    ves_rng_seek(r, 77, k, 0);
    for (size_t c = 0; c < rows * n; c++) {
      w[c] = c % 17 == 3 ? 0 : gsl_rng_uniform_pos(r) * (c % 3 == 0 ? 0.01 : 1);
      start[c] = c % 29 == 5 ? 1 : c % 31 == 6 ? 0 : gsl_rng_uniform(r);
    }
    ves_learn_options opt = ves_learn_defaults();
    opt.rule = rule;
    opt.psi = k % 3 == 0 ? 8 : k % 3 == 1 ? 1 : 37;
    opt.rate = 0.05;
    opt.decay = k % 2 == 0 ? 100 : 0;
    opt.floor = k % 2 == 0 ? 0 : 1e-3;
    opt.ceiling = k % 2 == 0 ? 1 : 0.9;
    opt.iterations = REPEATED(500) + k;
    const uint64_t first = k % 2 == 0 ? (UINT64_C(1) << 32) - 100 : 3;
    for (int path = 0; path < PATHS; path++) {
      select_path(path);
      memcpy(q[path], start, sizeof start);
      ASSERT_EQ(VES_OK, ves_learn_rows(w, rows, n, &opt, 43, first, 7, ws, q[path]));
      ASSERT_MEM_EQ(q[0], q[path], rows * n * sizeof **q);
    }
  }
  select_path(PATHS - 1);
  gsl_rng_free(r);
  ves_learn_workspace_free(ws);
  PASS();
}

/* Row k of a trace is what learning for (k + 1) times the stride gives, on both paths, also where the stride does not divide
 * the iterations; nothing is written past the last whole one. */
TEST traces_go_where_they_belong(void) {
  double start[N], q[N], trace[5 * N + 1];
  for (size_t i = 0; i < N; i++) start[i] = 0.1 + 0.8 * (double)i / N;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  for (int simd = 0; simd < 2; simd++)
    for (uint64_t iterations = 24; iterations <= 28; iterations++) {
      ves_simd_select(simd);
      ves_learn_options opt = ves_learn_defaults();
      opt.iterations = iterations;
      opt.trace = 5;
      opt.decay = 10;
      for (size_t i = 0; i < 5 * N + 1; i++) trace[i] = -1;
      memcpy(q, start, sizeof q);
      ASSERT_EQ(VES_OK, ves_learn_row(weights, N, &opt, 21, 7, 2, ws, q, trace));
      opt.trace = 0;
      for (size_t k = 0; k < 5; k++) {
        double alone[N];
        memcpy(alone, start, sizeof alone);
        opt.iterations = 5 * (k + 1);
        ves_learn_row(weights, N, &opt, 21, 7, 2, ws, alone, NULL);
        for (size_t i = 0; i < N; i++)
          ASSERT_EQ(opt.iterations <= iterations ? alone[i] : -1.0, trace[k * N + i]);
      }
      ASSERT_EQ(-1.0, trace[5 * N]);
      opt.iterations = iterations; /* tracing changes nothing, and without a stride there is none */
      double untraced[N], none = -1;
      memcpy(untraced, start, sizeof start);
      ves_learn_row(weights, N, &opt, 21, 7, 2, ws, untraced, &none);
      ASSERT_MEM_EQ(untraced, q, sizeof q);
      ASSERT_EQ(-1.0, none);
    }
  ves_simd_select(true);
  ves_learn_workspace_free(ws);
  PASS();
}

typedef struct {
  size_t calls, rank[N], size[N];
  double q[N], mean[N];
} witness;

static ves_status note(double g, const ves_synapse *s, void *context, double *target) {
  witness *seen = context;
  seen->rank[seen->calls] = s->rank;
  seen->size[seen->calls] = s->size;
  seen->q[seen->calls] = s->q;
  seen->mean[seen->calls++] = s->mean_q_weaker;
  *target = g;
  return VES_OK;
}

/* What a target is told: the strongest of a subset first, of how many it is the strongest, and the mean release of the weaker
 * ones, of all or of the subset, as they were before the iteration. [alg:2] [eq:target-expected] */
TEST subsets_are_visited_from_the_strongest_down(void) {
  double start[N], by_rank[N];
  size_t order[N], told = 0;
  ves_order_descending(weights, N, order);
  for (size_t i = 0; i < N; i++) start[i] = 0.2 + 0.7 * (double)((7 * i) % N) / N;
  for (size_t r = 0; r < N; r++) by_rank[r] = start[order[r]];
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  for (int over_subset = 0; over_subset < 2; over_subset++)
    for (uint64_t draw = 0; draw < 40; draw++) {
      witness seen = {0};
      double q[N];
      memcpy(q, start, sizeof q);
      ves_learn_options opt = ves_learn_defaults();
      opt.rule = VES_RULE_CUSTOM;
      opt.target = note;
      opt.context = &seen;
      opt.iterations = 1;
      opt.over_subset = over_subset;
      ASSERT_EQ(VES_OK, ves_learn_row(weights, N, &opt, 33, draw, 0, ws, q, NULL));
      for (size_t c = 0; c < seen.calls; c++) {
        const size_t r = seen.rank[c] - 1;
        double sum = 0;
        ASSERT(c == 0 || seen.rank[c] > seen.rank[c - 1]);
        ASSERT_EQ(seen.calls - c, seen.size[c]);
        ASSERT_EQ(by_rank[r], seen.q[c]);
        if (over_subset)
          for (size_t d = c + 1; d < seen.calls; d++) sum += seen.q[d];
        else
          for (size_t s = r + 1; s < N; s++) sum += by_rank[s];
        const size_t weaker = over_subset ? seen.calls - c - 1 : N - 1 - r;
        ASSERT_IN_RANGE(weaker > 0 ? sum / (double)weaker : 0.0, seen.mean[c], 1e-14);
        told++;
      }
    }
  ASSERT(told > 100);
  ves_learn_workspace_free(ws);
  PASS();
}

/* A presentation of nothing, of more than there is room for, or of a synapse that does not exist is refused, whichever
 * it is. */
TEST pools_that_do_not_fit_are_refused(void) {
  const size_t synapse[4] = {0, 1, 2, 3};
  const double w[4] = {0.4, 0.3, 0.2, 0.1};
  double q[4] = {0.5, 0.5, 0.5, 0.5};
  ves_learn_options opt = ves_learn_defaults();
  opt.iterations = 3;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(3);
  for (int second = 0; second < 2; second++) {
    ves_presentation shown[2] = {{2, synapse, w}, {2, synapse, w}};
    ASSERT_EQ(VES_OK, ves_learn_pooled(shown, 2, &opt, 1, 0, ws, q, 4));
    shown[second].count = 3;
    ASSERT_EQ(VES_OK, ves_learn_pooled(shown, 2, &opt, 1, 0, ws, q, 3));
    ASSERT_EQ(VES_ESIZE, ves_learn_pooled(shown, 2, &opt, 1, 0, ws, q, 2));
    shown[second].count = 0;
    ASSERT_EQ(VES_ESIZE, ves_learn_pooled(shown, 2, &opt, 1, 0, ws, q, 4));
    shown[second].count = 4;
    ASSERT_EQ(VES_ESIZE, ves_learn_pooled(shown, 2, &opt, 1, 0, ws, q, 4));
  }
  ASSERT_EQ(VES_ESIZE, ves_learn_row(w, 0, &opt, 1, 0, 0, ws, q, NULL));
  ASSERT_EQ(VES_ESIZE, ves_learn_rows(w, 1, 0, &opt, 1, 0, 0, ws, q));
  ASSERT_EQ(VES_ESIZE, ves_learn_rows(w, 1, 4, &opt, 1, 0, 0, ws, q));
  ASSERT_EQ(VES_OK, ves_learn_rows(w, 1, 3, &opt, 1, 0, 0, ws, q));
  ves_learn_workspace_free(ws);
  ASSERT_EQ(NULL, ves_learn_workspace_alloc(0));
  ASSERT_EQ(NULL, ves_learn_workspace_alloc(UINT32_MAX));
  PASS();
}

/* A synapse without weight takes no part in a pool: it keeps its start, and no target counts it. */
TEST pools_leave_out_what_has_no_weight(void) {
  const size_t synapse[4] = {0, 1, 2, 3};
  const double w[4] = {0.5, 0.0, 0.5, 0.0};
  double q[4] = {0.6, 0.9, 0.6, 0.9};
  ves_learn_options opt = ves_learn_defaults();
  opt.rule = VES_RULE_SUBSET;
  opt.iterations = 200;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(4);
  const ves_presentation shown = {4, synapse, w};
  ASSERT_EQ(VES_OK, ves_learn_pooled(&shown, 1, &opt, 3, 0, ws, q, 4));
  ASSERT_EQ(0.9, q[1]);
  ASSERT_EQ(0.9, q[3]);
  double alone[2] = {0.6, 0.6};
  const double two[2] = {0.5, 0.5};
  const size_t which[2] = {0, 1};
  const ves_presentation pair = {2, which, two};
  ASSERT_EQ(VES_OK, ves_learn_pooled(&pair, 1, &opt, 3, 0, ws, alone, 2));
  ASSERT_EQ(alone[0], q[0]);
  ASSERT_EQ(alone[1], q[2]);
  ves_learn_workspace_free(ws);
  PASS();
}

/* g^8 and g^5 as the power rule has them, by a rule that pooled learning knows nothing of. */
static ves_status by_hand(double g, const ves_synapse *s, void *context, double *target) {
  const double square = g * g, fourth = square * square;
  (void)s;
  *target = *(const double *)context == 8 ? fourth * fourth : g * fourth;
  return VES_OK;
}

/* Pooled learning by the power rule has a loop of its own: it does what the one for all rules does.
 * [eq:pooled] */
TEST pooled_power_is_as_any_rule(void) {
  enum { MANY = 150, EACH = 100 };
  size_t synapse[MANY];
  double w[MANY], q[MANY], expected[MANY];
  for (size_t i = 0; i < MANY; i++) {
    synapse[i] = i;
    w[i] = i % 50 == 7 ? 0 : 1 + (double)(i * 37 % 61);
  }
  const size_t twice[5] = {3, 9, 3, 9, 3};
  const ves_presentation shown[4] = {
      {EACH, synapse, w}, {EACH, synapse + 50, w + 50}, {MANY, synapse, w}, {5, twice, w}};
  ves_learn_workspace *ws = ves_learn_workspace_alloc(MANY);
  for (int kind = 0; kind < 16; kind++) {
    const size_t count = kind & 8 ? 4 : 3; /* of the fourth no two members may learn at once */
    ves_simd_select(kind & 1);
    double psi = kind & 2 ? 8 : 5;
    ves_learn_options opt = ves_learn_defaults(), general;
    opt.iterations = 500;
    opt.rate = 0.05;
    opt.algorithm = kind & 4 ? 1 : 2;
    opt.psi = psi;
    general = opt;
    general.rule = VES_RULE_CUSTOM;
    general.target = by_hand;
    general.context = &psi;
    for (size_t i = 0; i < MANY; i++) q[i] = expected[i] = 0.3;
    ASSERT_EQ(VES_OK, ves_learn_pooled(shown, count, &opt, 5, 2, ws, q, MANY));
    ASSERT_EQ(VES_OK, ves_learn_pooled(shown, count, &general, 5, 2, ws, expected, MANY));
    ASSERT_MEM_EQ(expected, q, sizeof q);
  }
  ves_simd_select(true);
  ves_learn_workspace_free(ws);
  PASS();
}

/* One presentation of one input is row learning; two share what they have in common. [eq:pooled] */
TEST pooling(void) {
  size_t synapse[N];
  double q[N], expected[N];
  for (size_t i = 0; i < N; i++) {
    synapse[i] = i;
    q[i] = expected[i] = 0.3;
  }
  ves_learn_options opt = ves_learn_defaults();
  opt.iterations = 300;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  ves_learn_row(weights, N, &opt, 12, 0, 0, ws, expected, NULL);
  const ves_presentation alone = {N, synapse, weights};
  ASSERT_EQ(VES_OK, ves_learn_pooled(&alone, 1, &opt, 12, 0, ws, q, N));
  ASSERT_MEM_EQ(expected, q, sizeof q);

  /* Synapses 0-5 belong to the first presentation, 4-11 to the second: all learn, 4 and 5 from
   * both. */
  for (size_t i = 0; i < N; i++) q[i] = 0.3;
  const ves_presentation both[2] = {{6, synapse, weights}, {8, synapse + 4, weights + 4}};
  ASSERT_EQ(VES_OK, ves_learn_pooled(both, 2, &opt, 12, 0, ws, q, N));
  for (size_t i = 0; i < N; i++) ASSERT(q[i] != 0.3);

  /* Taking turns is what the turns do one by one, whoever shares what, the last synapse too. */
  const ves_presentation shared[3] = {
      {6, synapse, weights}, {N - 4, synapse + 4, weights + 4}, {N - 2, synapse + 2, weights + 1}};
  for (size_t i = 0; i < N; i++) q[i] = expected[i] = 0.3;
  ASSERT_EQ(VES_OK, ves_learn_pooled(shared, 3, &opt, 12, 5, ws, q, N));
  ves_learn_options once = opt;
  once.iterations = 1;
  for (uint64_t turn = 0; turn < 3 * opt.iterations; turn++)
    ASSERT_EQ(VES_OK, ves_learn_pooled(&shared[turn % 3], 1, &once, 12, 5 + turn, ws, expected, N));
  ASSERT_MEM_EQ(expected, q, sizeof q);
  const ves_presentation wrong = {N, synapse, weights};
  ASSERT_EQ(VES_ESIZE, ves_learn_pooled(&wrong, 1, &opt, 12, 0, ws, q, N - 1));
  ves_learn_workspace_free(ws);
  PASS();
}

/* [eq:start] */
TEST start_values(void) {
  enum { MANY = 50000 };
  double *q = malloc(MANY * sizeof *q), sum = 0, squares = 0;
  ASSERT_EQ(VES_OK, ves_learn_start(0.3, 0.1, 1e-4, 1, 5, 0, 0, MANY, q));
  for (size_t i = 0; i < MANY; i++) {
    ASSERT(q[i] >= 1e-4 && q[i] <= 1);
    sum += q[i];
    squares += (q[i] - 0.3) * (q[i] - 0.3);
  }
  ASSERT_IN_RANGE(0.3, sum / MANY, 6 * 0.1 / sqrt(MANY));
  ASSERT_IN_RANGE(0.1, sqrt(squares / MANY), 0.002);
  free(q);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_TESTp(algorithms_as_printed, 1);
  RUN_TESTp(algorithms_as_printed, 2);
  RUN_TESTp(rules_reach_their_equilibrium, VES_RULE_RAW, 2, 1e-3);
  RUN_TESTp(rules_reach_their_equilibrium, VES_RULE_SUBTRACT, 2, 1e-3);
  RUN_TESTp(rules_reach_their_equilibrium, VES_RULE_RESCALE, 2, 1e-3);
  RUN_TESTp(rules_reach_their_equilibrium, VES_RULE_POWER, 2, 1e-3);
  RUN_TESTp(rules_reach_their_equilibrium, VES_RULE_POWER, 1, 1e-3);
  RUN_TESTp(rules_reach_their_equilibrium, VES_RULE_VARIABLE, 2, 1e-3);
  RUN_TESTp(rules_reach_their_equilibrium, VES_RULE_SUBSET, 2, 1e-3);
  RUN_TESTp(rules_reach_their_equilibrium, VES_RULE_EXPECTED, 2, 2e-3);
  RUN_TEST(learning_moves_to_equilibrium);
  RUN_TESTp(vector_path_has_the_scalar_bits, VES_RULE_RAW);
  RUN_TESTp(vector_path_has_the_scalar_bits, VES_RULE_SUBTRACT);
  RUN_TESTp(vector_path_has_the_scalar_bits, VES_RULE_RESCALE);
  RUN_TESTp(vector_path_has_the_scalar_bits, VES_RULE_POWER);
  RUN_TESTp(vector_path_has_the_scalar_bits, VES_RULE_VARIABLE);
  RUN_TESTp(vector_path_has_the_scalar_bits, VES_RULE_SUBSET);
  RUN_TESTp(vector_path_has_the_scalar_bits, VES_RULE_EXPECTED);
  RUN_TEST(releases_end_where_they_should);
  RUN_TEST(workspaces_forget);
  RUN_TEST(rows_side_by_side);
  RUN_TESTp(many_rows_have_the_scalar_bits, VES_RULE_RAW);
  RUN_TESTp(many_rows_have_the_scalar_bits, VES_RULE_SUBTRACT);
  RUN_TESTp(many_rows_have_the_scalar_bits, VES_RULE_POWER);
  RUN_TESTp(many_rows_have_the_scalar_bits, VES_RULE_EXPECTED);
  RUN_TEST(custom_targets);
  RUN_TEST(mean_targets);
  RUN_TEST(bounds_traces_and_splits);
  RUN_TEST(traces_go_where_they_belong);
  RUN_TEST(subsets_are_visited_from_the_strongest_down);
  RUN_TEST(pooled_power_is_as_any_rule);
  RUN_TEST(pooling);
  RUN_TEST(pools_leave_out_what_has_no_weight);
  RUN_TEST(pools_that_do_not_fit_are_refused);
  RUN_TEST(start_values);
  GREATEST_MAIN_END();
}
