/* Where learning rests: the report's proposition of that name, part by part. The weights are six
 * awkward ones in descending order, so that synapse N - 2 is the second weakest. */
#include "greatest.h"
#include "support.h"
#include "ves_equilibrium.h"
#include "ves_learn.h"
#include "ves_release.h"
#include "ves_rng.h"
#include <gsl/gsl_errno.h>
#include <math.h>

enum { N = 6 };
static const double W[N] = {0.31, 0.247, 0.18, 0.118, 0.0973, 0.0477};

static const ves_rule RULES[] = {VES_RULE_RAW,     VES_RULE_SUBTRACT, VES_RULE_RESCALE,
                                 VES_RULE_POWER,   VES_RULE_VARIABLE, VES_RULE_SUBSET,
                                 VES_RULE_EXPECTED};
enum { RULE_COUNT = sizeof RULES / sizeof *RULES };

static ves_status rest_of(ves_rule rule, double floor, double *q) {
  ves_equilibrium_options opt = ves_equilibrium_defaults();
  opt.rule = rule;
  opt.psi = 2.6;
  opt.subtract = 0.13;
  opt.floor = floor;
  return ves_equilibrium_solve(W, N, &opt, q);
}

static ves_learn_options learner(ves_rule rule, int algorithm) {
  ves_learn_options opt = ves_learn_defaults();
  opt.rule = rule;
  opt.algorithm = algorithm;
  opt.psi = 2.6;
  opt.subtract = 0.13;
  return opt;
}

/* The root of q = r^exponent(q), by bisection: the right side falls as q rises. */
static double root(double r, double (*exponent)(double)) {
  double low = 0.0, high = 1.0;
  for (int step = 0; step < 60; step++) {
    const double middle = 0.5 * (low + high);
    if (middle < pow(r, exponent(middle)))
      low = middle;
    else
      high = middle;
  }
  return 0.5 * (low + high);
}

static double variable(double q) { return 1.0 + q; }
static double expected(double q) { return 2.0 * sqrt(q); }

/* (ii), (iii): the weakest always has the whole share, so that the second weakest, updated, has the
 * mapping r as its share. Only raw and rescale rest there. [app:equilibrium] */
TEST the_two_weakest(void) {
  const double r = W[N - 2] / (W[N - 2] + W[N - 1]);
  const double at_second[] = {r,           (1.0 - 0.13) * r, r, pow(r, 2.6), root(r, variable),
                              pow(r, 2.0), root(r, expected)};
  for (size_t a = 0; a < RULE_COUNT; a++) {
    double q[N];
    ASSERT_EQ(VES_OK, rest_of(RULES[a], 1e-4, q));
    ASSERT_IN_RANGE(RULES[a] == VES_RULE_SUBTRACT ? 1.0 - 0.13 : 1.0, q[N - 1], 1e-12);
    ASSERT_IN_RANGE(at_second[a], q[N - 2], 1e-11);
    const int at_mapping = RULES[a] == VES_RULE_RAW || RULES[a] == VES_RULE_RESCALE;
    ASSERT_EQ(at_mapping, fabs(q[N - 2] - r) < 1e-9);
    if (!at_mapping) ASSERT(q[N - 2] < r - 0.05);
  }
  PASS();
}

/* (ii): at all other synapses the raw rule rests above the mapping. [eq:target-raw] */
TEST raw_above_the_mapping(void) {
  size_t order[N];
  double q[N], mapping[N];
  ves_release_analytic(W, N, order, mapping);
  ASSERT_EQ(VES_OK, rest_of(VES_RULE_RAW, 1e-4, q));
  for (size_t i = 0; i + 2 < N; i++) ASSERT(q[i] > mapping[i] + 0.05);
  PASS();
}

/* (i): single targets of the subtractive rule may be negative, mean ones are not: each release at
 * rest is at least half the next weaker one. Over many synapses the releases so decline below any
 * lower bound, and rest at it; so does the learner. [eq:target-subtract] */
TEST subtraction_and_its_bounds(void) {
  enum { M = 20 };
  const double floor = 0.01;
  double equal[M], q[M], mean[M] = {0};
  ves_equilibrium_options eq = ves_equilibrium_defaults();
  eq.rule = VES_RULE_SUBTRACT;
  eq.floor = 0.0;
  for (double c = 0.05; c < 1.0; c += 0.1) {
    eq.subtract = c;
    ASSERT_EQ(VES_OK, ves_equilibrium_solve(W, N, &eq, q));
    for (size_t i = 0; i + 1 < N; i++) ASSERT(q[i] >= 0.5 * q[i + 1] && q[i + 1] > 0.0);
  }
  for (size_t i = 0; i < M; i++) equal[i] = 0.045;
  eq.subtract = 0.6;
  ASSERT_EQ(VES_OK, ves_equilibrium_solve(equal, M, &eq, q));
  for (size_t i = 0; i + 1 < M; i++) ASSERT(q[i] >= 0.5 * q[i + 1] && q[i + 1] > 0.0);
  ASSERT(q[0] < 0.1 * floor);
  eq.floor = floor;
  ASSERT_EQ(VES_OK, ves_equilibrium_solve(equal, M, &eq, q));
  for (size_t i = 0; i < 10; i++) ASSERT_EQ(floor, q[i]);
  for (size_t i = 10; i < M; i++) ASSERT(q[i] > floor);
  ves_learn_options opt = learner(VES_RULE_SUBTRACT, 2);
  opt.subtract = 0.6;
  opt.floor = floor;
  opt.rate = 0.05;
  opt.decay = 2000;
  opt.iterations = 200000;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(M);
  ASSERT(ws != NULL);
  for (int run = 0; run < 4; run++) {
    double learned[M];
    for (size_t i = 0; i < M; i++) learned[i] = 0.3;
    ASSERT_EQ(VES_OK,
              ves_learn_row(equal, M, &opt, ves_key_integer(9, run), 0, 0, ws, learned, NULL));
    for (size_t i = 0; i < M; i++) mean[i] += learned[i] / 4;
  }
  for (size_t i = 0; i < M; i++) ASSERT_IN_RANGE(q[i], mean[i], 0.02);
  ves_learn_workspace_free(ws);
  PASS();
}

/* (i): both algorithms end at the same point, from below and from above. [alg:1] [alg:2] */
TEST algorithms_share_their_rest(ves_rule rule, int algorithm, double start) {
  enum { RUNS = REPEATED(4) };
  double solved[N], mean[N] = {0};
  ASSERT_EQ(VES_OK, rest_of(rule, 1e-4, solved));
  ves_learn_options opt = learner(rule, algorithm);
  opt.rate = 0.1;
  opt.decay = 2000;
  opt.iterations = 400000;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  ASSERT(ws != NULL);
  for (int run = 0; run < RUNS; run++) {
    double q[N];
    for (size_t i = 0; i < N; i++) q[i] = start;
    ASSERT_EQ(VES_OK, ves_learn_row(W, N, &opt, ves_key_integer(11, run), 0, 0, ws, q, NULL));
    for (size_t i = 0; i < N; i++) mean[i] += q[i] / RUNS;
  }
  for (size_t i = 0; i < N; i++) ASSERT_IN_RANGE(solved[i], mean[i], 0.02);
  ves_learn_workspace_free(ws);
  PASS();
}

/* (i): but not the way to it. In one iteration from one state synapse i moves on average by
 * q_i (E[target] - q_i) in Algorithm 2, and by the chance that all stronger ones fail times that in
 * Algorithm 1. [alg:1] [alg:2] [eq:learningRule_form] */
TEST algorithms_differ_in_speed(void) {
  enum { RUNS = 400000 };
  static const double q0[N] = {0.2, 0.4, 0.15, 0.5, 0.3, 0.6};
  double moved[2][N] = {{0}}, square[2][N] = {{0}};
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  ASSERT(ws != NULL);
  for (int a = 0; a < 2; a++) {
    ves_learn_options opt = learner(VES_RULE_RAW, a + 1);
    opt.rate = 0.25;
    opt.iterations = 1;
    for (int run = 0; run < RUNS; run++) {
      double q[N];
      for (size_t i = 0; i < N; i++) q[i] = q0[i];
      ASSERT_EQ(VES_OK, ves_learn_row(W, N, &opt, ves_key_integer(13 + a, run), 0, 0, ws, q, NULL));
      for (size_t i = 0; i < N; i++) {
        moved[a][i] += (q[i] - q0[i]) / RUNS;
        square[a][i] += (q[i] - q0[i]) * (q[i] - q0[i]) / RUNS;
      }
    }
  }
  double unheard = 1.0; /* the chance that all stronger synapses fail */
  for (size_t i = 0; i < N; i++) {
    const double se = sqrt((square[0][i] + unheard * unheard * square[1][i]) / RUNS);
    ASSERT_IN_RANGE(unheard * moved[1][i], moved[0][i], 6 * se);
    ASSERT(fabs(moved[1][i]) > 20 * sqrt(square[1][i] / RUNS)); /* there is a motion to compare */
    unheard *= 1.0 - q0[i];
  }
  ves_learn_workspace_free(ws);
  PASS();
}

/* (i): under Algorithm 1 a synapse of release 1 hides all weaker ones, and yet is not at rest. [alg:1] */
TEST a_release_of_one_is_left(void) {
  double q[N] = {0.2, 1.0, 0.3, 0.3, 0.3, 0.3};
  ves_learn_options opt = learner(VES_RULE_POWER, 1);
  opt.rate = 0.05;
  opt.iterations = 2000;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  ASSERT(ws != NULL);
  ASSERT_EQ(VES_OK, ves_learn_row(W, N, &opt, 17, 0, 0, ws, q, NULL));
  ASSERT(q[1] < 0.7);
  ves_learn_workspace_free(ws);
  PASS();
}

/* (v): E[1/q] grows by at most rate/(1 - rate) an iteration, so that a mean release cannot fall
 * below the bound; with targets of nearly 0 the first is nearly attained. [eq:learningRule_form] */
TEST releases_fall_slowly(void) {
  enum { RUNS = REPEATED(1000) };
  const double start = 0.3, rate = 0.0025, iterations = 10000;
  const double most = 1.0 / start + rate * iterations / (1.0 - rate);
  ves_learn_options opt = learner(VES_RULE_POWER, 2);
  opt.psi = 60; /* of the strongest, a share below 1 becomes a target of nearly 0 */
  opt.rate = rate;
  opt.iterations = (uint64_t)iterations;
  double inverse = 0.0, inverse_square = 0.0, mean = 0.0;
  ves_learn_workspace *ws = ves_learn_workspace_alloc(N);
  ASSERT(ws != NULL);
  for (int run = 0; run < RUNS; run++) {
    double q[N] = {0};
    for (size_t i = 0; i < N; i++) q[i] = start;
    q[N - 1] = 1.0; /* the weakest transmits throughout, so that no share is 1 but its own */
    ASSERT_EQ(VES_OK, ves_learn_row(W, N, &opt, ves_key_integer(19, run), 0, 0, ws, q, NULL));
    inverse += 1.0 / q[0] / RUNS;
    inverse_square += 1.0 / (q[0] * q[0]) / RUNS;
    mean += q[0] / RUNS;
  }
  const double se = sqrt((inverse_square - inverse * inverse) / RUNS);
  ASSERT(inverse < most + 3 * se);
  ASSERT(inverse > 0.97 * most);
  ASSERT(mean > 1.0 / most);
  ves_learn_workspace_free(ws);
  PASS();
}

GREATEST_MAIN_DEFS();

int main(int argc, char **argv) {
  gsl_set_error_handler_off();
  GREATEST_MAIN_BEGIN();
  RUN_TEST(the_two_weakest);
  RUN_TEST(raw_above_the_mapping);
  RUN_TEST(subtraction_and_its_bounds);
  RUN_TESTp(algorithms_share_their_rest, VES_RULE_POWER, 1, 0.05);
  RUN_TESTp(algorithms_share_their_rest, VES_RULE_POWER, 1, 0.8);
  RUN_TESTp(algorithms_share_their_rest, VES_RULE_SUBSET, 1, 0.3);
  RUN_TESTp(algorithms_share_their_rest, VES_RULE_POWER, 2, 0.05);
  RUN_TESTp(algorithms_share_their_rest, VES_RULE_POWER, 2, 0.8);
  RUN_TESTp(algorithms_share_their_rest, VES_RULE_SUBSET, 2, 0.3);
  RUN_TEST(algorithms_differ_in_speed);
  RUN_TEST(a_release_of_one_is_left);
  RUN_TEST(releases_fall_slowly);
  GREATEST_MAIN_END();
}
