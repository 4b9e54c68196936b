/* Two stages with given releases, and two stages that learn from their own draws. */
#include "greatest.h"
#include "support.h"
#include "ves_beta.h"
#include "ves_multi.h"
#include "ves_release.h"
#include "ves_rng.h"
#include "ves_stages.h"
#include <stdlib.h>
#include <string.h>

enum { K = 3, N = 5, DRAWS = 40000 };

static const double w[K * N] = {0.30, 0.12, 0.05, 0.21, 0.02, 0.07, 0.4, 0.2,
                                0.01, 0.15, 0.11, 0,    0.33, 0.06, 0.26};
static const double x[K] = {1, 0.35, 0.6};
static const uint32_t input[K] = {2, 5, 11};

static void analytic(double *strength, double *first, double *q) {
  size_t order[N];
  for (size_t a = 0; a < K; a++) {
    ves_release_analytic(w + a * N, N, order, q + a * N);
    strength[a] = x[a] * ves_stages_strength(w + a * N, q + a * N, N);
  }
  ves_release_analytic(strength, K, order, first);
}

/* A row's largest amplitude is its sum, in any order of competition. [eq:row-amplitude] */
TEST the_largest_amplitude_is_the_sum(void) {
  const size_t order[N] = {3, 0, 4, 2, 1}; /* not that of weights */
  double q[N], sum = 0, total = 0;
  for (size_t r = N; r-- > 0;) {
    sum += w[order[r]];
    q[order[r]] = w[order[r]] / sum;
  }
  for (size_t j = 0; j < N; j++) total += w[j];
  ASSERT_IN_RANGE(total, ves_stages_strength(w, q, N), 1e-15);
  const double never[N] = {0};
  ASSERT_EQ(0.0, ves_stages_strength(w, never, N));
  PASS();
}

/* With the mapping in both stages the draws are those of ves_multi_two_stage. [eq:two-stage] */
TEST same_draws_as_two_stage(void) {
  double strength[K], first[K], q[K * N], y[N];
  static uint32_t winner[2000];
  analytic(strength, first, q);
  ves_stages *s = ves_stages_alloc(strength, first, w, q, input, K, N);
  ves_two_stage *plan;
  ASSERT_EQ(VES_OK, ves_two_stage_alloc(w, x, input, K, N, &plan));
  ves_multi_two_stage(plan, 31, 7, 2000, winner, NULL);
  for (uint64_t d = 0; d < 2000; d++) {
    ASSERT_EQ(winner[d], ves_stages_draw(s, 31, 7 + d, NULL));
    ASSERT_EQ(winner[d], ves_stages_draw(s, 31, 7 + d, y));
    for (size_t j = 0; j < N; j++) ASSERT(y[j] <= y[winner[d] - 1]);
  }
  ves_stages_free(s);
  ves_two_stage_free(plan);
  const double none[K] = {0};
  s = ves_stages_alloc(strength, none, w, q, input, K, N);
  ASSERT_EQ(0, ves_stages_draw(s, 31, 0, NULL));
  ves_stages_free(s);
  ASSERT_EQ(NULL, ves_stages_alloc(strength, first, w, q, input, 0, N));
  ves_stages_free(NULL);
  PASS();
}

typedef struct {
  double row[K * N], row_updates[K * N], strength[K], turns[K], input[K], input_updates[K];
} memory;

static ves_stages_state fresh(memory *m, double q) {
  *m = (memory){0};
  for (size_t a = 0; a < K; a++) {
    for (size_t j = 0; j < N; j++) m->row[a * N + j] = w[a * N + j] / q;
    m->strength[a] = 1;
    m->input[a] = x[a] / q;
  }
  return (ves_stages_state){m->row,   m->row_updates, m->strength,
                            m->turns, m->input,       m->input_updates};
}

/* From a poor start both stages learn from the draws, and the later draws have the mixture's
 * distribution; amplitudes are the sums, and so are strengths. [eq:two-stage] [eq:amplitude]
 * [eq:row-strength] */
TEST learns_while_it_samples(ves_amplitude_order order) {
  memory m;
  ves_stages_state state = fresh(&m, 0.3);
  ves_amplitude_options opt = ves_amplitude_defaults();
  static uint32_t winner[DRAWS];
  double seen[N + 1] = {0}, p[N], expected[N + 1] = {0};
  opt.order = order;
  ASSERT_EQ(VES_OK, ves_stages_learn(w, x, input, K, N, &opt, 32, 0, DRAWS, &state, winner));
  ASSERT_EQ(VES_OK, ves_stages_learn(w, x, input, K, N, &opt, 32, DRAWS, DRAWS, &state, winner));
  for (size_t d = 0; d < DRAWS; d++) seen[winner[d]]++;
  /* the strength of the weakest input still wavers, so that its release is not quite 1 */
  ASSERT(seen[0] < 0.005 * DRAWS);
  ves_multi_mixture(w, x, K, N, p);
  for (size_t j = 0; j < N; j++) expected[j + 1] = p[j] * (DRAWS - seen[0]);
  ASSERT(chi_square_p(seen + 1, expected + 1, N) > SIGNIFICANCE);
  for (size_t a = 0; a < K; a++) {
    double sum = 0, most = 0;
    for (size_t j = 0; j < N; j++) {
      sum += w[a * N + j];
      most = fmax(most, m.row[a * N + j]);
    }
    ASSERT_IN_RANGE(sum, most, 0.03 * sum);
    ASSERT_IN_RANGE(sum, m.strength[a], 0.03 * sum);
    ASSERT(m.input_updates[a] > 1000);
    ASSERT(m.turns[a] == m.input_updates[a]); /* whoever wins the first stage has its turn */
  }
  PASS();
}

/* What is kept from one draw to the next changes nothing: as many draws, each in a call of its own,
 * teach the same. And streams that take turns at one sampler draw what they draw alone. */
TEST at_once_or_one_by_one(ves_amplitude_order order) {
  enum { MANY = 3000 };
  memory m, n;
  ves_stages_state together = fresh(&m, 0.3), apart = fresh(&n, 0.3);
  ves_amplitude_options opt = ves_amplitude_defaults();
  static uint32_t winner[MANY];
  uint32_t one;
  opt.order = order;
  ASSERT_EQ(VES_OK, ves_stages_learn(w, x, input, K, N, &opt, 37, 5, MANY, &together, winner));
  for (uint64_t d = 0; d < MANY; d++) {
    ASSERT_EQ(VES_OK, ves_stages_learn(w, x, input, K, N, &opt, 37, 5 + d, 1, &apart, &one));
    ASSERT_EQ(winner[d], one);
  }
  ASSERT_MEM_EQ(&m, &n, sizeof m);
  double strength[K], first[K], q[K * N];
  analytic(strength, first, q);
  ves_stages *s = ves_stages_alloc(strength, first, w, q, input, K, N);
  for (uint64_t d = 0; d < 100; d++)
    for (uint64_t key = 0; key < 2; key++) {
      ves_stages *alone = ves_stages_alloc(strength, first, w, q, input, K, N);
      ASSERT_EQ(ves_stages_draw(alone, key, d, NULL), ves_stages_draw(s, key, d, NULL));
      ves_stages_free(alone);
    }
  ves_stages_free(s);
  PASS();
}

/* Draws that teach are the draws of the releases there are; and amplitudes are not below weights.
 */
TEST draws_that_teach(void) {
  double strength[K], first[K], q[K * N], heavier[K * N];
  const uint32_t from_0[K] = {0, 5, 11};
  memory m;
  ves_amplitude_options opt = ves_amplitude_defaults();
  analytic(strength, first, q);
  ves_stages *s = ves_stages_alloc(strength, first, w, q, from_0, K, N);
  for (uint64_t d = 0; d < 500; d++) {
    ves_stages_state state = fresh(&m, 0.5);
    uint32_t winner;
    for (size_t c = 0; c < K * N; c++) m.row[c] = w[c] > 0 ? w[c] / q[c] : 0;
    for (size_t a = 0; a < K; a++) {
      m.strength[a] = strength[a] / x[a];
      m.input[a] = strength[a] / first[a];
    }
    ASSERT_EQ(VES_OK, ves_stages_learn(w, x, from_0, K, N, &opt, 34, d, 1, &state, &winner));
    ASSERT_EQ(ves_stages_draw(s, 34, d, NULL), winner);
    for (size_t c = 0; c < K * N; c++) heavier[c] = 5 * w[c];
    ASSERT_EQ(VES_OK, ves_stages_learn(heavier, x, from_0, K, N, &opt, 34, d, 1, &state, &winner));
    for (size_t c = 0; c < K * N; c++) ASSERT(m.row[c] >= heavier[c]);
  }
  ves_stages_free(s);
  PASS();
}

/* Weights that change: with a step that falls to a floor the amplitudes follow; an amplitude below
 * its weight is raised to it. */
TEST follows_weights_that_change(void) {
  memory m;
  ves_stages_state state = fresh(&m, 0.5);
  ves_amplitude_options opt = ves_amplitude_defaults();
  static uint32_t winner[DRAWS];
  opt.rate_floor = 0.01;
  ASSERT_EQ(VES_OK, ves_stages_learn(w, x, input, K, N, &opt, 33, 0, DRAWS, &state, winner));
  double heavier[K * N], seen[N + 1] = {0}, p[N];
  for (size_t c = 0; c < K * N; c++) heavier[c] = w[K * N - 1 - c] * 3;
  ASSERT_EQ(VES_OK,
            ves_stages_learn(heavier, x, input, K, N, &opt, 33, DRAWS, DRAWS, &state, winner));
  ASSERT_EQ(VES_OK,
            ves_stages_learn(heavier, x, input, K, N, &opt, 33, 2 * DRAWS, DRAWS, &state, winner));
  for (size_t d = 0; d < DRAWS; d++) seen[winner[d]]++;
  ves_multi_mixture(heavier, x, K, N, p);
  for (size_t j = 0; j < N; j++) ASSERT_IN_RANGE(p[j], seen[j + 1] / DRAWS, 0.02);
  for (size_t c = 0; c < K * N; c++) ASSERT(m.row[c] >= heavier[c]);
  PASS();
}

/* A rate that falls with the stream's draws is, draw by draw, the rate it has come to, and does not
 * fall below its floor. */
TEST rates_that_fall(void) {
  memory m, other;
  ves_stages_state whole = fresh(&m, 0.5), parts = fresh(&other, 0.5);
  uint32_t winner[60], one;
  ves_amplitude_options opt = ves_amplitude_defaults(), step;
  opt.average = false;
  opt.rate = 0.5;
  opt.decay = 4;
  opt.rate_floor = 0.05;
  ASSERT_EQ(VES_OK, ves_stages_learn(w, x, input, K, N, &opt, 36, 3, 60, &whole, winner));
  for (uint64_t d = 0; d < 60; d++) {
    step = opt;
    step.decay = step.rate_floor = 0;
    step.rate = fmax(0.5 / (1 + (double)(3 + d) / 4), 0.05);
    ASSERT_EQ(VES_OK, ves_stages_learn(w, x, input, K, N, &step, 36, 3 + d, 1, &parts, &one));
    ASSERT_EQ(winner[d], one);
  }
  for (size_t c = 0; c < K * N; c++) ASSERT_EQ(other.row[c], m.row[c]);
  for (size_t a = 0; a < K; a++) ASSERT_EQ(other.input[a], m.input[a]);
  PASS();
}

/* Of a row's synapses only those that transmit have a part in its strength: however large the
 * amplitude of one that stays silent is, inputs compete as before. And a row that stays silent keeps
 * its strength if the step is 1. [eq:row-strength] */
TEST silent_synapses_are_not_heard(void) {
  memory m, n;
  ves_stages_state plain = fresh(&m, 0.5), silent = fresh(&n, 0.5);
  ves_amplitude_options opt = ves_amplitude_defaults();
  opt.order = VES_ORDER_AMPLITUDE;
  uint32_t one, other;
  for (size_t a = 0; a < K; a++) { /* they release once in a billion draws, or more rarely */
    m.row[a * N + 1] = 1e9;
    n.row[a * N + 1] = 1e10;
  }
  for (uint64_t d = 0; d < 400; d++) {
    ASSERT_EQ(VES_OK, ves_stages_learn(w, x, input, K, N, &opt, 38, d, 1, &plain, &one));
    ASSERT_EQ(VES_OK, ves_stages_learn(w, x, input, K, N, &opt, 38, d, 1, &silent, &other));
    ASSERT_EQ(one, other);
  }
  for (size_t a = 0; a < K; a++) {
    ASSERT_EQ(m.strength[a], n.strength[a]);
    ASSERT(m.strength[a] < 20);
    ASSERT(m.turns[a] > 10);
  }
  fresh(&m, 0.5);
  for (size_t c = 0; c < K * N; c++) m.row[c] = 1e9;
  opt.average = false;
  opt.rate = 1;
  ASSERT_EQ(VES_OK, ves_stages_learn(w, x, input, K, N, &opt, 39, 0, 1, &plain, &one));
  for (size_t a = 0; a < K; a++) ASSERT_EQ(1.0, m.strength[a]);
  ASSERT(m.turns[0] + m.turns[1] + m.turns[2] <= 1);
  PASS();
}

/* A row at rest, in an order that is not that of its weights, is at rest after a row of data: all
 * evidence grows, and some for two synapses. Ties are descending in index. [eq:amplitude-follow] */
TEST rest_follows_the_data(void) {
  const size_t order[N] = {3, 0, 4, 2, 1};
  const double A[N] = {0.4, 0.8, 0.5, 0.9, 0.3}, more[N] = {0, 0.7, 0.2, 0, 0};
  double count[N], later[N], before[N], after[N], a[N], rest[N], room[N], sum = 0, strength = 0;
  for (size_t j = 0; j < N; j++) {
    count[j] = 3;
    later[j] = 4;
    before[j] = A[j] / 3;
    after[j] = (A[j] + more[j]) / 4;
    strength += before[j];
  }
  for (size_t r = N; r-- > 0;) a[order[r]] = sum += before[order[r]];
  sum = 0;
  for (size_t r = N; r-- > 0;) rest[order[r]] = sum += after[order[r]];
  ves_stages_follow(count, later, before, after, N, 1, 2, a, &strength, room);
  for (size_t j = 0; j < N; j++) ASSERT_IN_RANGE(rest[j], a[j], 1e-15);
  ASSERT_IN_RANGE(sum, strength, 1e-15);
  for (size_t j = 0; j < N; j++) a[j] = 1;
  ves_stages_follow(count, later, before, after, N, 1, 2, a, &strength, room);
  for (size_t j = 0; j < N; j++)
    ASSERT_IN_RANGE(0.75 + (j <= 2) * 0.05 + (j <= 1) * 0.175, a[j], 1e-15);
  PASS();
}

TEST learning_refuses(void) {
  memory m;
  ves_stages_state state = fresh(&m, 0.5);
  const ves_amplitude_options opt = ves_amplitude_defaults();
  uint32_t winner[1];
  const double nothing[K] = {0};
  ASSERT_EQ(VES_EDOMAIN, ves_stages_learn(w, nothing, input, K, N, &opt, 1, 0, 1, &state, winner));
  ASSERT_EQ(VES_ESIZE, ves_stages_learn(w, x, input, 0, N, &opt, 1, 0, 1, &state, winner));
  PASS();
}

/* Data that arrive: each row is observed, then drawn from as by hand, to the bit; also with two input
 * codes, with weights that tie (the same prior everywhere), and with a row far from all curves; also
 * if amplitudes follow the data, and if inputs keep their releases. [eq:two-stage] [eq:evidence] */
TEST rows_that_arrive(ves_amplitude_order order, size_t codes, double spread, bool follow,
                      size_t levels) {
  enum { M = 9, OUT = 70, ROWS = 400, EACH = 7 };
  ves_code in, out;
  ves_product p;
  ves_evidence one, other;
  ves_product_walk walk;
  ASSERT_EQ(VES_OK, ves_code_alloc(&in, M, -1, 1, 0.2, VES_SPACING_ENDS));
  ASSERT_EQ(VES_OK, ves_code_alloc(&out, OUT, -1, 1, 0.02, VES_SPACING_ENDS));
  const ves_code *list[2] = {&in, &in};
  ASSERT_EQ(VES_OK, ves_product_alloc(&p, list, codes));
  ASSERT_EQ(VES_OK, ves_evidence_alloc(&one, p.n, OUT, 1.0));
  ASSERT_EQ(VES_OK, ves_evidence_alloc(&other, p.n, OUT, 1.0));
  ASSERT_EQ(VES_OK, ves_evidence_priors(&one, 0.02, 0.02 + spread, 0.1, 0.1 + spread, 3));
  ASSERT_EQ(VES_OK, ves_evidence_priors(&other, 0.02, 0.02 + spread, 0.1, 0.1 + spread, 3));
  ASSERT_EQ(VES_OK, ves_product_walk_alloc(&walk, &p));
  double xs[2][ROWS], ys[ROWS];
  for (size_t c = 0; c < 2; c++) ves_uniform_pairs(41 + c, 0, ROWS, xs[c], ys);
  for (size_t t = 0; t < ROWS; t++) {
    xs[0][t] = 2 * xs[0][t] - 1;
    xs[1][t] = 2 * xs[1][t] - 1;
  }
  xs[0][50] = 40; /* activates nothing */
  const double *const columns[2] = {xs[0], xs[1]};
  const size_t cells = p.n * OUT;
  double *room_known = calloc(4 * cells + 8 * M * M * (levels + 1), sizeof *room_known);
  double *a = room_known, *k = a + cells, *by_hand = k + cells, *counted = by_hand + cells;
  double *of_rows = counted + cells, *of_inputs = of_rows + 4 * M * M;
  ves_stages_state known = {a, k, of_rows, of_rows + M * M, of_inputs, of_inputs + M * M * levels};
  double *strength = of_rows + 2 * M * M, *turns = strength + M * M;
  double *kept = of_inputs + 2 * M * M * levels, *kept_updates = kept + M * M * levels;
  const ves_stages_arrival how = {.active = 1e-3, .follow = follow, .levels = levels};
  static uint32_t winner[ROWS * EACH], expected[EACH];
  ves_amplitude_options opt = ves_amplitude_defaults();
  opt.order = order;
  /* in two calls, the second going on from the first */
  const double *const later[2] = {xs[0] + 100, xs[1] + 100};
  ASSERT_EQ(VES_OK, ves_stages_arrive(&one, &p, &out, columns, ys, 100, &how, &opt, 43, 9, EACH,
                                      &known, winner));
  ASSERT_EQ(VES_OK, ves_stages_arrive(&one, &p, &out, later, ys + 100, ROWS - 100, &how, &opt, 43,
                                      9 + 100 * EACH, EACH, &known, winner + 100 * EACH));
  size_t drawn = 0;
  for (size_t t = 0; t < ROWS; t++) {
    const double *const here[2] = {xs[0] + t, xs[1] + t};
    double point[2] = {xs[0][t], xs[1][t]}, level[M * M];
    uint32_t active[M * M];
    const size_t count = ves_product_active(&walk, point, 1e-3, active, level);
    static double room[8 * M * M * OUT], firsts[4 * M * M];
    double *mean = room, *row = mean + M * M * OUT, *updates = row + M * M * OUT,
           *shape = updates + M * M * OUT, *was = shape + 2 * OUT, *n_was = was + M * M * OUT;
    for (size_t i = 0; i < count; i++) {
      ves_evidence_cells(&other, active[i] * (size_t)OUT, OUT, shape, shape + OUT);
      ves_beta_mean(shape, shape + OUT, OUT, was + i * OUT);
      for (size_t j = 0; j < OUT; j++) n_was[i * OUT + j] = shape[j] + shape[OUT + j];
    }
    ASSERT_EQ(VES_OK, ves_product_observe(&other, &p, &out, here, ys + t, NULL, 1));
    memset(expected, 0, sizeof expected);
    memset(firsts, 0, sizeof firsts);
    for (size_t i = 0; i < count; i++) {
      double *of = by_hand + active[i] * (size_t)OUT, n_is[OUT], old[OUT];
      ves_evidence_cells(&other, active[i] * (size_t)OUT, OUT, shape, shape + OUT);
      ves_beta_mean(shape, shape + OUT, OUT, mean + i * OUT);
      for (size_t j = 0; j < OUT; j++) n_is[j] = shape[j] + shape[OUT + j];
      size_t from = 0, to = OUT; /* those that the output did not activate gain nothing */
      ves_code_active(&out, ys[t], &from, &to, old);
      if (follow) {
        for (size_t j = 0; j < OUT; j++)
          if (of[j] == 0) of[j] = was[i * OUT + j] / 0.3;
        if (strength[active[i]] == 0) strength[active[i]] = 1;
        ves_stages_follow(n_was + i * OUT, n_is, was + i * OUT, mean + i * OUT, OUT, from, to, of,
                          strength + active[i], old);
      }
      memcpy(row + i * OUT, of, OUT * sizeof *row);
      memcpy(updates + i * OUT, counted + active[i] * (size_t)OUT, OUT * sizeof *row);
      firsts[i] = strength[active[i]];
      firsts[M * M + i] = turns[active[i]];
      if (levels == 0) continue;
      size_t at = (size_t)(level[i] * (double)levels);
      if (at == levels) at--;
      firsts[2 * M * M + i] = kept[active[i] * levels + at] * level[i] * strength[active[i]];
      firsts[3 * M * M + i] = kept_updates[active[i] * levels + at];
    }
    ves_stages_state state = {
        row, updates, firsts, firsts + M * M, firsts + 2 * M * M, firsts + 3 * M * M};
    ves_stages_start(mean, level, count, OUT, &state);
    if (count > 0)
      ASSERT_EQ(VES_OK, ves_stages_learn(mean, level, active, count, OUT, &opt, 43, 9 + t * EACH,
                                         EACH, &state, expected));
    for (size_t i = 0; i < count; i++) {
      memcpy(by_hand + active[i] * (size_t)OUT, row + i * OUT, OUT * sizeof *row);
      memcpy(counted + active[i] * (size_t)OUT, updates + i * OUT, OUT * sizeof *row);
      strength[active[i]] = firsts[i];
      turns[active[i]] = firsts[M * M + i];
      if (levels == 0) continue;
      size_t at = (size_t)(level[i] * (double)levels);
      if (at == levels) at--;
      kept[active[i] * levels + at] = firsts[2 * M * M + i] / (level[i] * firsts[i]);
      kept_updates[active[i] * levels + at] = firsts[3 * M * M + i];
    }
    ASSERT_MEM_EQ(expected, &winner[t * EACH], sizeof expected);
    for (size_t d = 0; d < EACH; d++) drawn += winner[t * EACH + d] > 0;
  }
  ASSERT_MEM_EQ(by_hand, a, cells * sizeof *a);
  ASSERT_MEM_EQ(counted, k, cells * sizeof *k);
  ASSERT_MEM_EQ(strength, known.strength, p.n * sizeof *k);
  ASSERT_MEM_EQ(turns, known.turns, p.n * sizeof *k);
  ASSERT_MEM_EQ(kept, known.input, p.n * levels * sizeof *k);
  ASSERT_MEM_EQ(kept_updates, known.input_updates, p.n * levels * sizeof *k);
  for (size_t c = 0; c < cells; c++) {
    double of_one[2], of_other[2];
    ves_evidence_cells(&one, c, 1, of_one, of_one + 1);
    ves_evidence_cells(&other, c, 1, of_other, of_other + 1);
    ASSERT_MEM_EQ(of_one, of_other, sizeof of_one);
  }
  ASSERT(drawn > ROWS * EACH * 9 / 10);
  ASSERT_EQ(ROWS, one.rows);
  /* refused as a whole */
  ASSERT_EQ(VES_ESIZE, ves_stages_arrive(&one, &p, &in, columns, ys, 1, &how, &opt, 1, 0, EACH,
                                         &known, winner));
  ys[1] = NAN;
  ASSERT_EQ(VES_EDOMAIN, ves_stages_arrive(&one, &p, &out, columns, ys, 2, &how, &opt, 1, 0, EACH,
                                           &known, winner));
  ys[1] = 0;
  xs[0][1] = INFINITY;
  ASSERT_EQ(VES_EDOMAIN, ves_stages_arrive(&one, &p, &out, columns, ys, 2, &how, &opt, 1, 0, EACH,
                                           &known, winner));
  one.salience = (uint64_t)VES_SALIENCE_TOTAL_MAX;
  ASSERT_EQ(VES_EDOMAIN, ves_stages_arrive(&one, &p, &out, columns, ys, 1, &how, &opt, 1, 0, EACH,
                                           &known, winner));
  ASSERT_EQ(ROWS, one.rows);
  free(room_known);
  ves_product_walk_free(&walk);
  ves_evidence_free(&one);
  ves_evidence_free(&other);
  ves_product_free(&p);
  ves_code_free(&in);
  ves_code_free(&out);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  GREATEST_MAIN_BEGIN();
  RUN_TEST(the_largest_amplitude_is_the_sum);
  RUN_TEST(same_draws_as_two_stage);
  RUN_TESTp(learns_while_it_samples, VES_ORDER_WEIGHT);
  RUN_TESTp(learns_while_it_samples, VES_ORDER_AMPLITUDE);
  RUN_TESTp(at_once_or_one_by_one, VES_ORDER_WEIGHT);
  RUN_TESTp(at_once_or_one_by_one, VES_ORDER_AMPLITUDE);
  RUN_TEST(draws_that_teach);
  RUN_TEST(follows_weights_that_change);
  RUN_TEST(rates_that_fall);
  RUN_TEST(learning_refuses);
  RUN_TEST(silent_synapses_are_not_heard);
  RUN_TEST(rest_follows_the_data);
  RUN_TESTp(rows_that_arrive, VES_ORDER_AMPLITUDE, 1, 0.01, false, 0);
  RUN_TESTp(rows_that_arrive, VES_ORDER_AMPLITUDE, 1, 0.0, false, 7);
  RUN_TESTp(rows_that_arrive, VES_ORDER_AMPLITUDE, 2, 0.01, true, 5);
  RUN_TESTp(rows_that_arrive, VES_ORDER_WEIGHT, 1, 0.0, false, 0);
  RUN_TESTp(rows_that_arrive, VES_ORDER_WEIGHT, 2, 0.01, false, 0);
  GREATEST_MAIN_END();
}
