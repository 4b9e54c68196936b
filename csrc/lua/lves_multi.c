/* lves_multi: several inputs active together (Appendix C, and what goes beyond it). */
#include "lves.h"

#include "ves_multi.h"
#include "ves_rng.h"
#include "ves_winner.h"
#include <string.h>

/* ---- the active inputs ---- */

typedef struct {
  size_t m, n, k;        /* inputs, outputs, active inputs */
  const uint32_t *input; /* which are active */
  double *w, *x;         /* k x n weights and k activities of the active ones */
} block;

/* Pushes the block of active inputs of W (argument 1) and the activities `activity`. */
static block push_block(lua_State *L, const char *fn, const lves_arg *activity, double threshold) {
  const lves_arg weights = lves_argument(L, fn, 1, "W");
  const lves_array w = lves_matrix_arg(&weights, LVES_WEIGHT);
  const lves_array x = lves_vector_of(activity, LVES_ACTIVITY, w.rows);
  block b = {.m = w.rows, .n = w.cols};
  b.input = lves_push_active(L, x.data, b.m, threshold, &b.k);
  b.w = lves_push_rows(L, &w, b.input, b.k);
  b.x = lves_scratch(L, b.k, sizeof *b.x);
  bool positive = false;
  for (size_t a = 0; a < b.k; a++) {
    b.x[a] = x.data[b.input[a]];
    LVES_EACH(L, fn, j, b.n) positive = positive || b.x[a] * b.w[a * b.n + j] > 0;
  }
  if (!positive)
    lves_fail(activity, "an active input (above %f) with a positive weight", threshold);
  return b;
}

static void make_effective(const block *b) {
  for (size_t a = 0; a < b->k; a++)
    for (size_t j = 0; j < b->n; j++) b->w[a * b->n + j] *= b->x[a];
}

static double read_active(const lves_options *o) {
  const lves_arg active = lves_key(o, "active");
  return lves_number_or(&active, LVES_NONNEGATIVE, 1e-3);
}

/*** ves.multi.mixture(W, x, options) -> p
 * The distribution that active inputs encode together, W'x normalised: a mixture of the rows'
 * distributions, each weighted by its activity times its row sum. [eq:mixture]
 * @equation p = W'x / sum of W'x [eq:mixture]
 * @param W matrix of weights >= 0, one row per input
 * @param x vector of input activities >= 0
 * @key active number >= 0, default 0.001: inputs above it are active
 * @return vector of probabilities
 * @example print(ves.multi.mixture({{0.6, 0.4}, {0.1, 0.9}}, {1, 0.5}))
 */
static int multi_mixture(lua_State *L) {
  static const char *const keys[] = {"active", NULL};
  const char *fn = "ves.multi.mixture";
  lves_arity(L, fn, 3);
  const lves_options o = lves_options_open(L, fn, 3, false, keys);
  const lves_arg activity = lves_argument(L, fn, 2, "x");
  const block b = push_block(L, fn, &activity, read_active(&o));
  double *p = lves_push_vector(L, b.n);
  lves_check(L, fn, ves_multi_mixture(b.w, b.x, b.k, b.n, p));
  return 1;
}

/*** ves.multi.normal_approximation(W, Q, x, options) -> p, strongest
 * Appendix C's approximation of the winner's distribution: the probability that a normal output
 * exceeds the one of largest mean, or the least over all other outputs. Not normalised.
 * [app:normal-approximation]
 * @equation p_i = Phi((mu_i - mu_J) / sqrt(var_i + var_J)) [app:normal-approximation]
 * @param W matrix of weights >= 0, one row per input
 * @param Q matrix of release probabilities like W
 * @param x vector of input activities >= 0
 * @key form 'fixed' or 'min', default 'fixed'
 * @key active number >= 0, default 0.001: inputs above it are active
 * @return vector
 * @return integer, with 'fixed': the output of largest mean
 * @example W = ves.matrix{{0.6, 0.4}, {0.1, 0.9}}
 * @example print(ves.multi.normal_approximation(W, ves.release.analytic(W), {1, 0.5}))
 */
static int multi_normal(lua_State *L) {
  static const char *const keys[] = {"form", "active", NULL}, *const forms[] = {"fixed", "min",
                                                                                NULL};
  const char *fn = "ves.multi.normal_approximation";
  lves_arity(L, fn, 4);
  const lves_arg activity = lves_argument(L, fn, 3, "x"), releases = lves_argument(L, fn, 2, "Q");
  const lves_options o = lves_options_open(L, fn, 4, false, keys);
  const lves_arg form = lves_key(&o, "form");
  const int which = lves_choice_or(&form, forms, 0);
  const block b = push_block(L, fn, &activity, read_active(&o));
  const lves_array q = lves_matrix_of(&releases, LVES_PROBABILITY, b.m, b.n);
  const double *chance = lves_push_rows(L, &q, b.input, b.k);
  double *p = lves_push_vector(L, b.n);
  size_t strongest = 0;
  make_effective(&b);
  if (which == 1) {
    lves_check(L, fn, ves_multi_normal_min(b.w, chance, b.k, b.n, p));
    return 1;
  }
  lves_check(L, fn, ves_multi_normal_fixed(b.w, chance, b.k, b.n, p, &strongest));
  lua_pushinteger(L, (lua_Integer)strongest + 1);
  return 2;
}

/*** ves.multi.redraw_family(w, c) -> q
 * For one input whose empty draws are repeated: the releases under which something transmits with
 * probability c, and each output then wins in proportion to its weight. c = 1 is the analytic
 * mapping. [eq:redraw-family]
 * @equation q_i = c p_i / (1 - c sum of stronger p_j) [eq:redraw-family]
 * @param w vector of weights >= 0
 * @param c number in (0, 1]
 * @return vector of release probabilities
 * @example print(ves.multi.redraw_family({0.5, 0.3, 0.2}, 0.5))
 */
static int multi_redraw_family(lua_State *L) {
  const char *fn = "ves.multi.redraw_family";
  lves_arity(L, fn, 2);
  const lves_arg weights = lves_argument(L, fn, 1, "w"), chance = lves_argument(L, fn, 2, "c");
  const lves_array w = lves_vector_arg(&weights, LVES_WEIGHT);
  const double c = lves_number(&chance, LVES_FRACTION);
  double *q = lves_push_vector(L, w.cols);
  const ves_status status = ves_multi_redraw_family(w.data, w.cols, c, q);
  if (status == VES_EDOMAIN) lves_fail(&weights, "a positive weight among them");
  lves_check(L, fn, status);
  return 1;
}

/* ---- two-stage release ---- */

/*** ves.multi.two_stage_exact(W, x, options) -> p
 * The exact distribution of the winner under two-stage release: inputs compete first, by their
 * activity times their row sum, and only the winner's row transmits. It is W'x normalised.
 * [eq:two-stage]
 * @equation p = W'x / sum of W'x [eq:two-stage]
 * @param W matrix of weights >= 0, one row per input
 * @param x vector of input activities >= 0
 * @key active number >= 0, default 0.001: inputs above it are active
 * @return vector of probabilities
 * @example print(ves.multi.two_stage_exact({{0.6, 0.4}, {0.1, 0.9}}, {1, 0.5}))
 */
static int multi_two_stage_exact(lua_State *L) {
  static const char *const keys[] = {"active", NULL};
  const char *fn = "ves.multi.two_stage_exact";
  lves_arity(L, fn, 3);
  const lves_options o = lves_options_open(L, fn, 3, false, keys);
  const lves_arg activity = lves_argument(L, fn, 2, "x");
  const block b = push_block(L, fn, &activity, read_active(&o));
  double *p = lves_push_vector(L, b.n);
  lves_check(L, fn, ves_multi_two_stage_exact(b.w, b.x, b.k, b.n, p));
  return 1;
}

static void release_plan(void *object) { ves_two_stage_free(object); }

/*** ves.multi.two_stage(W, x, options) -> winners, via
 * Draws winners by two-stage release, which samples W'x exactly for every x: inputs compete first,
 * and only the winner's row transmits. [eq:two-stage]
 * @equation input i with probability x_i R_i / sum of x R, R the row sums; then q of its row
 * [eq:two-stage]
 * @param W matrix of weights >= 0, one row per input
 * @param x vector of input activities >= 0
 * @key draws integer >= 1, default 1000
 * @key rng stream: moved on by the number of draws
 * @key active number >= 0, default 0.001: inputs above it are active
 * @return vector of winning outputs, counting from 1
 * @return vector: the input through which each came, counting from 1
 * @example y = ves.multi.two_stage({{0.6, 0.4}, {0.1, 0.9}}, {1, 0.5}, {draws = 10, rng = rng});
 * print(y)
 */
static int multi_two_stage(lua_State *L) {
  static const char *const keys[] = {"draws", "rng", "active", NULL};
  const char *fn = "ves.multi.two_stage";
  lves_arity(L, fn, 3);
  const lves_arg activity = lves_argument(L, fn, 2, "x");
  const lves_options o = lves_options_open(L, fn, 3, true, keys);
  const lves_arg draws = lves_key(&o, "draws"), rng = lves_key(&o, "rng");
  const size_t count = (size_t)lves_integer_or(&draws, 1, LVES_SIZE_MAX, 1000);
  lves_stream *r = lves_stream_arg(&rng);
  const block b = push_block(L, fn, &activity, read_active(&o));
  uint32_t *winner = lves_scratch(L, count, sizeof *winner);
  uint32_t *via = lves_scratch(L, count, sizeof *via);
  lves_box *box = lves_push_box(L, 0, release_plan);
  double *outputs = lves_push_vector(L, count), *inputs = lves_push_vector(L, count);
  ves_two_stage *plan = NULL;
  lves_check(L, fn, ves_two_stage_alloc(b.w, b.x, b.input, b.k, b.n, &plan));
  box->object = plan;
  lves_check(L, fn,
             ves_multi_two_stage(plan, r->key, lves_stream_take(&rng, r, (double)count), count,
                                 winner, via));
  for (size_t d = 0; d < count; d++) {
    outputs[d] = winner[d];
    inputs[d] = (double)b.input[via[d]] + 1;
  }
  lves_box_release(box);
  return 2;
}

/* ---- an exact release for a given x ---- */

static void set_number(lua_State *L, const char *key, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, key);
}

static void set_count(lua_State *L, const char *key, size_t value) {
  lua_pushinteger(L, (lua_Integer)value);
  lua_setfield(L, -2, key);
}

static void push_report(lua_State *L, const ves_multi_report *report) {
  lua_createtable(L, 0, 5);
  set_number(L, "kl", report->kl);
  set_number(L, "empty", report->empty);
  set_number(L, "residual", report->residual);
  set_count(L, "iterations", report->iterations);
  set_count(L, "attempts", report->attempts);
}

/*** ves.multi.solve(W, x, options) -> Q, info
 * A release matrix under which the winner, given that something transmits, has exactly the
 * distribution W'x normalised for this x; up to 6 inputs active. [eq:multi-solve]
 * @equation P(j wins, given that something transmits) = (W'x)_j / sum of W'x [eq:multi-solve]
 * @param W matrix of weights >= 0, one row per input
 * @param x vector of input activities >= 0
 * @key rng stream: where to begin again should an attempt fail; moved on by one draw. No restarts
 * if omitted
 * @key nonempty number in (0, 1): the wanted probability that a draw is not empty
 * @key tolerance number in (0, 1): on the relative error of each output's probability
 * @key iterations integer >= 1: Newton steps of one attempt
 * @key restarts integer >= 0: further attempts
 * @key active number >= 0, default 0.001: inputs above it are active
 * @return matrix like W; rows of inactive inputs are zero
 * @return table: kl, the divergence from W'x normalised; empty, the probability of an empty draw;
 *   residual; iterations; attempts
 * @example Q, info = ves.multi.solve({{0.6, 0.3, 0.1}, {0.1, 0.3, 0.6}}, {1, 1}, {rng = rng})
 * @example print(Q, info.kl)
 */
static int multi_solve(lua_State *L) {
  static const char *const keys[] = {"rng",      "nonempty", "tolerance", "iterations",
                                     "restarts", "active",   NULL};
  const char *fn = "ves.multi.solve";
  lves_arity(L, fn, 3);
  const lves_arg activity = lves_argument(L, fn, 2, "x");
  const lves_options o = lves_options_open(L, fn, 3, false, keys);
  const lves_arg rng = lves_key(&o, "rng"), nonempty = lves_key(&o, "nonempty"),
                 tolerance = lves_key(&o, "tolerance"), iterations = lves_key(&o, "iterations"),
                 restarts = lves_key(&o, "restarts");
  ves_multi_options c = ves_multi_defaults();
  c.nonempty = lves_number_or(&nonempty, LVES_INSIDE, c.nonempty);
  c.tolerance = lves_number_or(&tolerance, LVES_INSIDE, c.tolerance);
  c.iterations = (size_t)lves_integer_or(&iterations, 1, 1000000, (lua_Integer)c.iterations);
  c.restarts = (size_t)lves_integer_or(&restarts, 0, 1000000, (lua_Integer)c.restarts);
  lves_stream *r = lves_absent(&rng) ? NULL : lves_stream_arg(&rng);
  const block b = push_block(L, fn, &activity, read_active(&o));
  if (b.k > VES_WINNER_INPUTS_MAX)
    lves_fail(&activity, "at most %d active inputs, not %d", VES_WINNER_INPUTS_MAX, (int)b.k);
  double *solved = lves_scratch(L, b.k * b.n, sizeof *solved);
  double *q = lves_push_matrix(L, fn, b.m, b.n);
  ves_multi_report report;
  if (r != NULL) ves_rng_seek(&r->gsl, r->key, lves_stream_take(&rng, r, 1), VES_ROW_SCALAR);
  const ves_status status =
      ves_multi_solve(b.w, b.x, b.k, b.n, &c, r != NULL ? &r->gsl : NULL, solved, &report);
  if (status == VES_ECONVERGE)
    lves_error(L, fn, "no release found in %d attempts: relative errors of %f at best, expected %f",
               (int)report.attempts, report.residual, c.tolerance);
  lves_check(L, fn, status);
  for (size_t a = 0; a < b.k; a++) memcpy(q + b.input[a] * b.n, solved + a * b.n, b.n * sizeof *q);
  push_report(L, &report);
  return 2;
}

static const luaL_Reg functions[] = {
    {"mixture", multi_mixture},
    {"normal_approximation", multi_normal},
    {"redraw_family", multi_redraw_family},
    {"two_stage_exact", multi_two_stage_exact},
    {"two_stage", multi_two_stage},
    {"solve", multi_solve},
    {NULL, NULL},
};

void lves_open_multi(lua_State *L) {
  luaL_newlib(L, functions);
  lua_setfield(L, -2, "multi");
}
