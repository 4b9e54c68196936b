/* lves_learn: releases learned locally, and where learning settles.
 *
 * A rule may be a Lua function. The core calls it back while it learns, so nothing Lua does there
 * may unwind: the callback runs under lua_pcall, hands VES_ECALLBACK to the core, which puts its
 * own house in order and returns, and only then is the error raised. */
#include "lves_amplitude.h"

#include "ves_equilibrium.h"
#include "ves_follow.h"
#include "ves_learn.h"
#include "ves_release.h"
#include "ves_stop.h"
#include <math.h>
#include <string.h>

/* ---- a rule in Lua ---- */

typedef struct {
  lua_State *L;
  int function,
      synapse; /* stack indices: the rule, and the table that tells it about the synapse */
  double g, target;
  const ves_synapse *s;
} rule_call;

static void set_number(lua_State *L, const char *key, double value) {
  lua_pushstring(L, key);
  lua_pushnumber(L, value);
  lua_rawset(L, 2);
}

static void set_integer(lua_State *L, const char *key, size_t value) {
  lua_pushstring(L, key);
  lua_pushinteger(L, (lua_Integer)value);
  lua_rawset(L, 2);
}

/* Runs protected. Stack: the rule, the table, the call. */
static int call_rule(lua_State *L) {
  rule_call *c = lua_touserdata(L, 3);
  lua_settop(L, 2);
  set_integer(L, "rank", c->s->rank);
  set_integer(L, "size", c->s->size);
  set_integer(L, "n", c->s->n);
  set_number(L, "q", c->s->q);
  set_number(L, "weight", c->s->weight);
  set_number(L, "mean_q_weaker", c->s->mean_q_weaker);
  lua_pushvalue(L, 1);
  lua_pushnumber(L, c->g);
  lua_pushvalue(L, 2);
  lua_call(L, 2, 1);
  c->target = lua_tonumber(L, -1);
  if (lua_type(L, -1) != LUA_TNUMBER || !lves_accepts(LVES_FINITE, c->target))
    return luaL_error(L, "it returned %s: expected a finite number", lves_describe(L, -1));
  return 0;
}

static ves_status rule_target(double g, const ves_synapse *s, void *context, double *target) {
  rule_call *c = context;
  c->g = g;
  c->s = s;
  lua_pushcfunction(c->L, call_rule);
  lua_pushvalue(c->L, c->function);
  lua_pushvalue(c->L, c->synapse);
  lua_pushlightuserdata(c->L, c);
  if (lua_pcall(c->L, 3, 0, 0) != LUA_OK) return VES_ECALLBACK; /* the error stays on the stack */
  *target = c->target;
  return VES_OK;
}

/* ---- options ---- */

/* Those of the original in the order of ves_rule; the amplitude rule has options of its own. */
static const char *const rules[] = {"raw",    "subtract", "rescale",   "power", "variable",
                                    "subset", "expected", "amplitude", NULL};

/* The keys that learn and learn_pooled share come first. */
#define LEARN_KEYS                                                                                 \
  "algorithm", "rule", "psi", "subtract", "expected_over", "rate", "decay", "iterations", "start", \
      "floor", "ceiling", "rng", "order", "rate_floor", "updates"

typedef struct {
  ves_learn_options core;
  ves_amplitude_options amplitude;
  bool by_amplitude; /* which of the two counts; core has the iterations and bounds of the start */
  rule_call call;
  lves_arg start, rng;
  lves_stream *stream;
} learn_options;

static ves_rule read_rule(const lves_arg *rule, bool function_allowed) {
  if (lves_absent(rule)) return VES_RULE_POWER;
  if (function_allowed && lua_type(rule->L, rule->index) == LUA_TFUNCTION) return VES_RULE_CUSTOM;
  if (function_allowed && lua_type(rule->L, rule->index) != LUA_TSTRING)
    lves_fail(rule, "a function or the name of a rule, such as 'power'");
  return (ves_rule)lves_choice(rule, rules);
}

/* A parameter of one rule is an error with another: it would silently do nothing. */
static double read_parameter(const lves_options *o, const char *name, lves_domain domain,
                             bool belongs, const char *owner, double otherwise) {
  const lves_arg arg = lves_key(o, name);
  if (!lves_absent(&arg) && !belongs)
    lves_fail(&arg, "no such key here: it belongs to rule '%s'", owner);
  return lves_number_or(&arg, domain, otherwise);
}

static void read_bounds(const lves_options *o, double *floor, double *ceiling) {
  const lves_arg low = lves_key(o, "floor"), high = lves_key(o, "ceiling");
  *floor = lves_number_or(&low, LVES_PROBABILITY, *floor);
  *ceiling = lves_number_or(&high, LVES_PROBABILITY, *ceiling);
  if (*floor <= *ceiling) return;
  if (lves_absent(&low)) lves_fail(&high, "a number not below floor = %f", *floor);
  lves_fail(&low, "a number not above ceiling = %f", *ceiling);
}

static void read_learn(const lves_options *o, learn_options *opt) {
  static const char *const over[] = {"weaker", "subset", NULL};
  ves_learn_options *c = &opt->core;
  *c = ves_learn_defaults();
  opt->rng = lves_key(o, "rng");
  opt->start = lves_key(o, "start");
  const lves_arg rule = lves_key(o, "rule");
  opt->by_amplitude = lves_is_amplitude(&rule);
  if (opt->by_amplitude) {
    opt->amplitude = lves_read_amplitude(o);
    c->iterations = opt->amplitude.iterations;
    opt->stream = lves_stream_arg(&opt->rng);
    return;
  }
  lves_refuse_amplitude(o);
  const lves_arg algorithm = lves_key(o, "algorithm"), rate = lves_key(o, "rate"),
                 decay = lves_key(o, "decay"), iterations = lves_key(o, "iterations"),
                 mean = lves_key(o, "expected_over");
  c->rule = read_rule(&rule, true);
  c->algorithm = (int)lves_integer_or(&algorithm, 1, 2, c->algorithm);
  c->psi = read_parameter(o, "psi", LVES_POSITIVE, c->rule == VES_RULE_POWER, "power", c->psi);
  c->subtract = read_parameter(o, "subtract", LVES_PROBABILITY, c->rule == VES_RULE_SUBTRACT,
                               "subtract", c->subtract);
  if (!lves_absent(&mean) && c->rule != VES_RULE_EXPECTED && c->rule != VES_RULE_CUSTOM)
    lves_fail(&mean, "no such key here: it belongs to rule 'expected'");
  c->over_subset = lves_choice_or(&mean, over, 0) == 1;
  c->rate = lves_number_or(&rate, LVES_FRACTION, c->rate);
  c->decay = lves_number_or(&decay, LVES_POSITIVE, 0.0);
  c->iterations =
      (uint64_t)lves_integer_or(&iterations, 1, LVES_DRAW_MAX - 1, (lua_Integer)c->iterations);
  read_bounds(o, &c->floor, &c->ceiling);
  opt->stream = lves_stream_arg(&opt->rng);
  if (c->rule == VES_RULE_CUSTOM) {
    lua_createtable(o->L, 0, 6);
    opt->call = (rule_call){.L = o->L, .function = rule.index, .synapse = lua_gettop(o->L)};
    c->target = rule_target;
    c->context = &opt->call;
  }
}

/* Raises if learning failed; an error of the rule with what it said. */
static void check_learned(const learn_options *opt, ves_status status) {
  lua_State *L = opt->rng.L;
  if (status != VES_ECALLBACK) {
    lves_check(L, opt->rng.fn, status);
    return;
  }
  if (lua_type(L, -1) != LUA_TSTRING) lua_error(L);
  lves_error(L, opt->rng.fn, "the rule failed: %s", lua_tostring(L, -1));
}

/* ---- which rows ---- */

/* The rows of a matrix that take part, ascending: those of key 'active', or all. The k-th of them
 * takes the random bits of row k, so that learning them is learning a matrix of these rows alone.
 */
typedef struct {
  const uint32_t *row;
  size_t count;
} chosen;

static chosen push_all(lua_State *L, size_t rows) {
  uint32_t *row = lves_scratch(L, rows, sizeof *row);
  for (size_t i = 0; i < rows; i++) row[i] = (uint32_t)i;
  return (chosen){row, rows};
}

static chosen push_chosen(const lves_options *o, const lves_array *w) {
  const lves_arg active = lves_key(o, "active");
  if (lves_absent(&active)) return push_all(o->L, w->rows);
  if (!w->matrix) lves_fail(&active, "no such key here: it chooses rows of a matrix");
  const lves_array given = lves_vector_arg(&active, LVES_FINITE);
  uint32_t *row = lves_scratch(o->L, given.cols, sizeof *row);
  for (size_t k = 0, least = 1; k < given.cols; k++) {
    const double at = given.data[k];
    if (!(at >= (double)least && at <= (double)w->rows && at == floor(at)))
      lves_fail_at(&active, 0, k + 1, at,
                   lua_pushfstring(o->L, "rows from 1 to %d, in ascending order", (int)w->rows));
    row[k] = (uint32_t)at - 1;
    least = (size_t)at + 1;
  }
  return (chosen){row, given.cols};
}

/* ---- start values ---- */

/* What is given to the amplitude rule is taken as it is: it may be what was learned before. */
static double clip(double q, const learn_options *opt) {
  const ves_learn_options *c = &opt->core;
  if (opt->by_amplitude) return q;
  return q < c->floor ? c->floor : q > c->ceiling ? c->ceiling : q;
}

/* Start values for the chosen rows of an array shaped like w, clipped into the bounds. [eq:start]
 */
static void fill_start(const learn_options *opt, const lves_array *w, const chosen *rows,
                       uint64_t draw, double *q) {
  static const char *const keys[] = {"mean", "sd", NULL};
  const ves_learn_options *c = &opt->core;
  const lves_arg *start = &opt->start;
  lua_State *L = start->L;
  const int type = lua_type(L, start->index);
  const size_t n = w->cols;
  double mean = 0.3, sd = 0.1;
  if (type == LUA_TNUMBER) {
    const double value = clip(lves_number(start, LVES_PROBABILITY), opt);
    for (size_t i = 0; i < rows->count * n; i++) q[i] = value;
    return;
  }
  if (type == LUA_TUSERDATA || (type == LUA_TTABLE && lua_rawlen(L, start->index) > 0)) {
    const lves_array given = lves_array_of(start, LVES_PROBABILITY, w);
    for (size_t i = 0; i < rows->count; i++) {
      const double *from = given.data + rows->row[i] * n;
      for (size_t j = 0; j < n; j++) q[i * n + j] = clip(from[j], opt);
    }
    return;
  }
  if (type != LUA_TNIL) {
    if (type != LUA_TTABLE)
      lves_fail(start, "{mean = , sd = }, a number, or an array like the weights");
    const lves_options o = lves_options_open(L, start->fn, start->index, true, keys);
    lves_arg centre = lves_key(&o, "mean"), width = lves_key(&o, "sd");
    centre.name = "start.mean";
    width.name = "start.sd";
    mean = lves_number(&centre, LVES_COORDINATE);
    sd = lves_number(&width, LVES_ACTIVITY);
  }
  for (size_t i = 0; i < rows->count; i++)
    lves_check(L, start->fn,
               ves_learn_start(mean, sd, c->floor, c->ceiling, opt->stream->key, draw, (uint32_t)i,
                               n, q + i * n));
}

/* ---- learning ---- */

static void release_workspace(void *object) { ves_learn_workspace_free(object); }

/* One workspace is kept in the registry, under the address of this, for the next call that needs one
 * of the same size: whoever learns in small steps would else spend more time on memory than on
 * learning. A rule in Lua may learn itself, so that a workspace in use is not there. */
static const char kept_workspace = 0;
enum { KEPT_MOST = 4096 }; /* synapses: larger ones are given back */

static lves_box *push_workspace(lua_State *L, const char *fn, size_t n) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kept_workspace);
  lves_box *box = lua_touserdata(L, -1);
  if (box != NULL && *(size_t *)lves_box_room(box) == n) {
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &kept_workspace);
    return box;
  }
  lua_pop(L, 1);
  box = lves_push_box(L, sizeof n, release_workspace);
  box->object = ves_learn_workspace_alloc(n);
  if (box->object == NULL) lves_check(L, fn, VES_ENOMEM);
  *(size_t *)lves_box_room(box) = n;
  return box;
}

/* Keeps the workspace at an index of the stack, or gives it back. */
static void keep_workspace(lua_State *L, int index) {
  lves_box *box = lua_touserdata(L, index);
  if (*(size_t *)lves_box_room(box) > KEPT_MOST) {
    lves_box_release(box);
    return;
  }
  lua_pushvalue(L, index);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kept_workspace);
}

/* Learns rows of n weights, q; with a trace, a single row. */
static void learn_rows(const learn_options *opt, const double *w, size_t rows, size_t n,
                       uint64_t first, uint32_t row, void *workspace, double *q, double *trace) {
  const uint64_t key = opt->stream->key;
  if (opt->by_amplitude)
    check_learned(
        opt, trace != NULL
                 ? ves_amplitude_row(w, n, &opt->amplitude, key, first, row, workspace, q, trace)
                 : ves_amplitude_rows(w, rows, n, &opt->amplitude, key, first, row, workspace, q));
  else
    check_learned(opt, trace != NULL
                           ? ves_learn_row(w, n, &opt->core, key, first, row, workspace, q, trace)
                           : ves_learn_rows(w, rows, n, &opt->core, key, first, row, workspace, q));
}

/* Where learning writes its second kind of result: mean targets, or numbers of updates. */
static double **second_result(learn_options *opt) {
  return opt->by_amplitude ? &opt->amplitude.updates : &opt->core.targets;
}

/*** ves.release.learn(w, options) -> q, trace
 * Release probabilities learned locally while sampling: in each iteration those synapses that
 * transmitted move their release toward a target made of g, their share of the transmitted weight.
 * Algorithm 1 updates the strongest only, algorithm 2 every one in descending order. [alg:1]
 * [alg:2] [eq:learningRule_form]
 * @equation q_i <- q_i - rate (q_i - target), g = w_i / sum of w over the subset
 * [eq:learningRule_form]
 * @equation raw: target = g [eq:target-raw]
 * @equation subtract: target = g - c [eq:target-subtract]
 * @equation rescale: target = g |s| / (n - i + 1) [eq:target-rescale]
 * @equation power: target = g^psi [eq:target-power]
 * @equation variable: target = g^((n - i) q + 1) [eq:target-variable]
 * @equation subset: target = g^|s| [eq:target-subset]
 * @equation expected: target = g^(sqrt(q) ((n - i) E[q_j] + 1)) [eq:target-expected]
 * @equation amplitude: q = w / a, a_i <- a_i + rate (w_i + sum of a_j over weaker j of the subset -
 * a_i) [eq:amplitude]
 * @param w vector of weights >= 0; or a matrix, whose rows learn separately
 * @key algorithm 1 or 2, default 2
 * @key rule 'raw', 'subtract', 'rescale', 'power', 'variable', 'subset', 'expected', 'amplitude',
 * default 'power'; or function(g, s) -> target, s with rank, size, n, q, weight, mean_q_weaker
 * (valid during the call)
 * @key psi number > 0, default 8: the exponent of 'power'
 * @key subtract number in [0, 1], default 0.35: the constant of 'subtract'
 * @key expected_over 'weaker' or 'subset', default 'weaker': over whom 'expected' averages q
 * @key rate number in (0, 1], default 0.01; with 'amplitude' also 'average', which is its default:
 * step 1/k at a synapse's k-th update
 * @key decay number > 0: the rate falls as rate / (1 + t/decay); constant if omitted
 * @key order 'weight' or 'amplitude', default 'weight', of 'amplitude': which synapses are weaker,
 * those of smaller weight or of smaller amplitude w / q; then compete with ves.sample(w / q, q)
 * @key rate_floor number in (0, 1], of 'amplitude': a step that falls ('average', decay) falls to
 * this and no further
 * @key updates of 'amplitude': true, or an array like w with the numbers of updates so far: also
 * return them
 * @key iterations integer >= 1, default 5000
 * @key start {mean, sd}, a number, or an array like w, default {mean = 0.3, sd = 0.1}; clipped, but
 * for numbers given to 'amplitude'
 * @key floor number in [0, 1], default 0.0001
 * @key ceiling number in [floor, 1], default 1
 * @key active vector of rows of a matrix w, ascending: only these learn, the others are 0; the k-th
 * of them learns what row k of `w:take(active)` would
 * @key trace integer k >= 1: also return every k-th iteration's q
 * @key targets boolean, default false: also return the mean of every synapse's targets
 * @key rng stream: moved on by the number of iterations
 * @return vector or matrix like w; a weight of zero keeps its start
 * @return with trace, a matrix with one row per recorded iteration; for a matrix w, an array of
 * such, one per row that learns
 * @return with targets, the last result, a vector or matrix like w: mean targets, before any
 * clipping; where there was none, the release
 * @return with updates, the last result, a vector or matrix like w
 * @example w = ves.vector{0.5, 0.3, 0.2}
 * @example print(ves.release.learn(w, {rule = "power", psi = 4, iterations = 1000, rng = rng}))
 * @example print(ves.release.learn(w, {rule = "amplitude", rng = rng}))
 * @example q, target = ves.release.learn(w, {rule = "variable", targets = true, rng = rng});
 * print(target)
 */
static int release_learn(lua_State *L) {
  static const char *const keys[] = {LEARN_KEYS, "active", "trace", "targets", NULL};
  const char *fn = "ves.release.learn";
  lves_arity(L, fn, 2);
  const lves_arg weights = lves_argument(L, fn, 1, "w");
  const lves_array w = lves_array_arg(&weights, LVES_WEIGHT);
  const lves_options o = lves_options_open(L, fn, 2, true, keys);
  learn_options opt;
  read_learn(&o, &opt);
  const lves_arg trace = lves_key(&o, "trace"), wanted = lves_key(&o, "targets");
  if (!lves_absent(&wanted) && lua_type(L, wanted.index) != LUA_TBOOLEAN)
    lves_fail(&wanted, "true or false");
  const bool targets = lua_toboolean(L, wanted.index);
  if (opt.by_amplitude && targets)
    lves_fail(&wanted, "no such key here: with rate = 'average' the mean target is w / q");
  opt.core.trace = (uint64_t)lves_integer_or(&trace, 1, (lua_Integer)opt.core.iterations, 0);
  opt.amplitude.trace = opt.core.trace;
  const size_t kept = opt.core.trace > 0 ? (size_t)(opt.core.iterations / opt.core.trace) : 0;
  const chosen rows = push_chosen(&o, &w);
  /* A copy, which a rule cannot change under the core's feet. */
  const double *fixed = lves_push_rows(L, &w, rows.row, rows.count);
  const lves_box *workspace = push_workspace(L, fn, w.cols);
  const int box = lua_gettop(L);
  double *q = lves_push_like(L, fn, &w);
  const int result = lua_gettop(L);
  fill_start(&opt, &w, &rows, opt.stream->cursor, q);
  double *second = targets            ? lves_push_like(L, fn, &w)
                   : opt.by_amplitude ? lves_push_updates(&o, &w, rows.row, rows.count)
                                      : NULL;
  *second_result(&opt) = second;
  const int seconds = lua_gettop(L);
  if (w.matrix && kept > 0) lua_createtable(L, (int)rows.count, 0);
  const int traces = lua_gettop(L);
  const uint64_t first = lves_stream_take(&opt.rng, opt.stream, (double)opt.core.iterations);
  if (kept == 0) learn_rows(&opt, fixed, rows.count, w.cols, first, 0, workspace->object, q, NULL);
  for (size_t i = 0; kept > 0 && i < rows.count; i++) {
    double *recorded = lves_push_matrix(L, fn, kept, w.cols);
    if (second != NULL) *second_result(&opt) = second + i * w.cols;
    learn_rows(&opt, fixed + i * w.cols, 1, w.cols, first, (uint32_t)i, workspace->object,
               q + i * w.cols, recorded);
    if (w.matrix) lua_rawseti(L, traces, (lua_Integer)i + 1);
  }
  keep_workspace(L, box);
  lves_spread_rows(q, w.rows, w.cols, rows.row, rows.count);
  if (second != NULL) lves_spread_rows(second, w.rows, w.cols, rows.row, rows.count);
  const int last = lua_gettop(L); /* the trace of a single vector */
  lua_pushvalue(L, result);
  if (kept > 0) lua_pushvalue(L, w.matrix ? traces : last);
  if (second != NULL) lua_pushvalue(L, seconds);
  return lua_gettop(L) - last;
}

/* ---- weights that change ---- */

/*** ves.release.follow(W, options) -> q, trace
 * Learns while weights change: ves.release.learn with one row of W after the other, what is learned
 * from one being the start of the next. Under the amplitude rule a synapse keeps its amplitude when
 * its weight changes, its release is w / a, and 1 where the weight has outgrown the amplitude; under
 * the others it keeps its release. Several runs go side by side, each with draws of its own.
 * [eq:amplitude] [eq:learningRule_form]
 * @equation q <- min(1, w / a) where weights change [eq:amplitude]
 * @param W matrix of weights >= 0: row b has those of block b
 * @key runs integer >= 1, default 1: how many
 * @key iterations integer >= 1, default 5000: with each row of W
 * @key from vector of weights > 0, default the first row of W: those that the start belongs to
 * @key start a number, a matrix with one row per run, or {mean, sd}, as for ves.release.learn
 * @key algorithm 1 or 2, default 2
 * @key rule as for ves.release.learn
 * @key psi number > 0, default 8: the exponent of 'power'
 * @key subtract number in [0, 1], default 0.35: the constant of 'subtract'
 * @key expected_over 'weaker' or 'subset', default 'weaker': over whom 'expected' averages q
 * @key rate number in (0, 1], default 0.01; with 'amplitude' also 'average', which is its default
 * @key order 'weight' or 'amplitude', default 'weight', of 'amplitude'
 * @key rate_floor number in (0, 1], of 'amplitude': a step that falls falls to this and no further
 * @key floor number in [0, 1], default 0.0001
 * @key ceiling number in [floor, 1], default 1
 * @key trace integer k >= 1: also return the releases after every k-th row of W
 * @key rng stream: moved on by the number of iterations, all rows together
 * @return matrix of releases, one row per run
 * @return with trace, a matrix: one row per run after the k-th row of W, then after the 2k-th ...
 * @example W = ves.matrix{{0.5, 0.3, 0.2}, {0.4, 0.4, 0.2}, {0.2, 0.4, 0.4}}
 * @example print(ves.release.follow(W, {rule = "amplitude", rate = 0.1, iterations = 100, rng = rng}))
 */
static int release_follow(lua_State *L) {
  static const char *const keys[] = {
      "runs",  "iterations", "from",          "start", "algorithm", "rule",
      "psi",   "subtract",   "expected_over", "rate",  "order",     "rate_floor",
      "floor", "ceiling",    "trace",         "rng",   NULL};
  const char *fn = "ves.release.follow";
  lves_arity(L, fn, 2);
  const lves_arg weights = lves_argument(L, fn, 1, "W");
  const lves_array w = lves_matrix_arg(&weights, LVES_WEIGHT);
  const lves_options o = lves_options_open(L, fn, 2, true, keys);
  learn_options opt;
  read_learn(&o, &opt);
  const lves_arg runs = lves_key(&o, "runs"), before = lves_key(&o, "from"),
                 trace = lves_key(&o, "trace");
  const size_t n = w.cols, count = (size_t)lves_integer_or(&runs, 1, LVES_SIZE_MAX, 1);
  const size_t every = (size_t)lves_integer_or(&trace, 1, (lua_Integer)w.rows, 0);
  const lves_array side = {.rows = count, .cols = n, .matrix = true};
  /* Copies, which a rule cannot change under the core's feet. */
  const double *fixed = lves_push_rows(L, &w, push_all(L, w.rows).row, w.rows), *from = fixed;
  if (!lves_absent(&before)) {
    const lves_array given = lves_vector_of(&before, LVES_POSITIVE, n);
    from = memcpy(lves_scratch(L, n, sizeof *from), given.data, n * sizeof *from);
  }
  const lves_box *workspace = push_workspace(L, fn, n);
  const int box = lua_gettop(L);
  double *q = lves_push_matrix(L, fn, count, n), *kept = NULL;
  const int result = lua_gettop(L);
  const chosen all = push_all(L, count);
  fill_start(&opt, &side, &all, opt.stream->cursor, q);
  if (every > 0) kept = lves_push_matrix(L, fn, w.rows / every * count, n);
  const int traced = lua_gettop(L);
  const uint64_t first =
      lves_stream_take(&opt.rng, opt.stream, (double)opt.core.iterations * (double)w.rows);
  const ves_follow_rule rule = {opt.by_amplitude ? NULL : &opt.core,
                                opt.by_amplitude ? &opt.amplitude : NULL};
  check_learned(&opt, ves_follow(fixed, w.rows, n, count, from, rule, opt.stream->key, first,
                                 workspace->object, q, every, kept));
  keep_workspace(L, box);
  lua_pushvalue(L, result);
  if (every > 0) lua_pushvalue(L, traced);
  return every > 0 ? 2 : 1;
}

/* ---- pooled ---- */

/* Pushes the activities of all presentations: given as a matrix, or encoded from values. */
static lves_array push_inputs(const lves_options *o, size_t m) {
  lua_State *L = o->L;
  const lves_arg inputs = lves_key(o, "inputs"), code = lves_key(o, "code");
  if (lves_absent(&code)) {
    const lves_array x = lves_array_arg(&inputs, LVES_ACTIVITY);
    if (!x.matrix)
      lves_fail(&code, "the code of the inputs (or give 'inputs' as a matrix of activities)");
    if (x.cols != m) lves_fail(&inputs, "a matrix with %d columns, one per row of W", (int)m);
    lua_pushvalue(L, inputs.index);
    return x;
  }
  if (lves_code_arg(&code)->n != m)
    lves_fail(&code, "a code of %d neurons, one per row of W", (int)m);
  const lves_array values = lves_vector_arg(&inputs, LVES_FINITE);
  const lves_array x = {.rows = values.cols,
                        .cols = m,
                        .matrix = true,
                        .data = lves_push_matrix(L, o->fn, values.cols, m)};
  const ves_code *core = lves_code_arg(&code);
  for (size_t p = 0; p < x.rows; p++) ves_code_encode(core, values.data[p], x.data + p * m);
  return x;
}

typedef struct {
  ves_presentation *shown;
  size_t largest; /* synapses of the largest presentation */
} pool;

/* Pushes the presentations: the synapses of each one's active inputs. */
static pool push_pool(lua_State *L, const char *fn, const lves_array *w, const lves_array *x,
                      double active) {
  pool p = {.shown = lves_scratch(L, x->rows, sizeof *p.shown)};
  double total = 0;
  for (size_t r = 0; r < x->rows; r++) {
    size_t k = 0;
    for (size_t i = 0; i < x->cols; i++) k += x->data[r * x->cols + i] > active;
    if (k == 0)
      lves_error(L, fn, "key 'inputs'[%d] activates no input above %f: expected some", (int)r + 1,
                 active);
    p.shown[r].count = k * w->cols;
    if (p.shown[r].count > p.largest) p.largest = p.shown[r].count;
    total += (double)p.shown[r].count;
  }
  if (total > LVES_ELEMENTS_MAX) lves_error(L, fn, "%f synapses presented: too many", total);
  size_t *synapse = lves_scratch(L, (size_t)total, sizeof *synapse);
  double *weight = lves_scratch(L, (size_t)total, sizeof *weight);
  for (size_t r = 0; r < x->rows; r++) {
    p.shown[r].synapse = synapse;
    p.shown[r].weight = weight;
    for (size_t i = 0; i < x->cols; i++) {
      const double activity = x->data[r * x->cols + i];
      for (size_t j = 0; activity > active && j < w->cols; j++) {
        *synapse++ = i * w->cols + j;
        *weight++ = activity * w->data[i * w->cols + j];
      }
    }
  }
  return p;
}

/*** ves.release.learn_pooled(W, options) -> Q
 * One release matrix learned for several inputs: while an input is presented, the synapses of all
 * its active neurons compete with their effective weights x_i W_ij. Presentations take turns, one
 * iteration each, until each has had `iterations`. [alg:2] [eq:pooled]
 * @equation q_ij <- q_ij - rate (q_ij - target), g = x_i W_ij / its sum over the subset [eq:pooled]
 * @param W matrix of weights >= 0, one row per input neuron
 * @key inputs vector of values to present; or, without code, a matrix of activities, one per row
 * @key code code: the input layer
 * @key active number >= 0, default 0.001: neurons above it take part
 * @key algorithm, rule, psi, subtract, expected_over, rate, decay, order, rate_floor, updates,
 * iterations, start, floor, ceiling: as in ves.release.learn
 * @key rng stream: moved on by the number of all iterations
 * @return matrix like W; synapses that are never presented keep their start
 * @example code = ves.code{n = 10, lo = -1, hi = 1, sigma = 0.2}
 * @example net = ves.network{input = code, output = code, rng = rng}:observe({0, 0.5}, {0.1, 0.4})
 * @example Q = ves.release.learn_pooled(net:weights(), {inputs = {0, 0.5}, code = code,
 *   iterations = 100, rng = rng}); print(Q:max())
 */
static int release_learn_pooled(lua_State *L) {
  static const char *const keys[] = {LEARN_KEYS, "inputs", "code", "active", NULL};
  const char *fn = "ves.release.learn_pooled";
  lves_arity(L, fn, 2);
  const lves_arg weights = lves_argument(L, fn, 1, "W");
  const lves_array w = lves_matrix_arg(&weights, LVES_WEIGHT);
  const lves_options o = lves_options_open(L, fn, 2, true, keys);
  learn_options opt;
  read_learn(&o, &opt);
  const lves_arg active = lves_key(&o, "active");
  const double threshold = lves_number_or(&active, LVES_NONNEGATIVE, 1e-3);
  const lves_array x = push_inputs(&o, w.rows);
  const pool p = push_pool(L, fn, &w, &x, threshold);
  const chosen all = push_all(L, w.rows);
  const lves_box *workspace = push_workspace(L, fn, p.largest);
  const int box = lua_gettop(L);
  double *q = lves_push_matrix(L, fn, w.rows, w.cols);
  const int result = lua_gettop(L);
  fill_start(&opt, &w, &all, opt.stream->cursor, q);
  double *updates = NULL;
  if (opt.by_amplitude)
    updates = opt.amplitude.updates = lves_push_updates(&o, &w, all.row, all.count);
  const int counted = lua_gettop(L);
  const uint64_t key = opt.stream->key;
  const uint64_t first =
      lves_stream_take(&opt.rng, opt.stream, (double)opt.core.iterations * (double)x.rows);
  if (opt.by_amplitude)
    check_learned(&opt, ves_amplitude_pooled(p.shown, x.rows, &opt.amplitude, key, first,
                                             workspace->object, q, w.rows * w.cols));
  else
    check_learned(&opt, ves_learn_pooled(p.shown, x.rows, &opt.core, key, first, workspace->object,
                                         q, w.rows * w.cols));
  keep_workspace(L, box);
  lua_pushvalue(L, result);
  if (updates != NULL) lua_pushvalue(L, counted);
  return updates != NULL ? 2 : 1;
}

/* ---- equilibrium ---- */

/*** ves.release.equilibrium(w, options) -> q
 * Where learning settles on average, solved from the weakest weight up without simulating it: the
 * fixed point of the mean dynamics of a rule. [app:equilibrium]
 * @equation q_i = E[target], over the subsets of the weaker synapses [app:equilibrium]
 * @param w vector of weights >= 0; or a matrix, each row of which is solved
 * @key rule 'raw', 'subtract', 'rescale', 'power', 'variable', 'subset', 'expected', 'amplitude',
 * default 'power'
 * @key psi number > 0, default 8: the exponent of 'power'
 * @key subtract number in [0, 1], default 0.35: the constant of 'subtract'
 * @key floor number in [0, 1], default 0.0001
 * @key ceiling number in [floor, 1], default 1
 * @key start number in [0, 1], default 0.3: the release of weights of zero, which never learn
 * @key active vector of rows of a matrix w, ascending: only these are solved, the others are 0
 * @return vector or matrix like w
 * @example print(ves.release.equilibrium({0.5, 0.3, 0.2}, {rule = "power", psi = 4}))
 */
static int release_equilibrium(lua_State *L) {
  static const char *const keys[] = {"rule",    "psi",   "subtract", "floor",
                                     "ceiling", "start", "active",   NULL};
  const char *fn = "ves.release.equilibrium";
  lves_arity(L, fn, 2);
  const lves_arg weights = lves_argument(L, fn, 1, "w");
  const lves_array w = lves_array_arg(&weights, LVES_WEIGHT);
  const lves_options o = lves_options_open(L, fn, 2, false, keys);
  const lves_arg rule = lves_key(&o, "rule"), start = lves_key(&o, "start");
  ves_equilibrium_options c = ves_equilibrium_defaults();
  const bool by_amplitude = lves_is_amplitude(&rule);
  c.rule = by_amplitude ? VES_RULE_RAW : read_rule(&rule, false);
  c.psi = read_parameter(&o, "psi", LVES_POSITIVE, c.rule == VES_RULE_POWER, "power", c.psi);
  c.subtract = read_parameter(&o, "subtract", LVES_PROBABILITY, c.rule == VES_RULE_SUBTRACT,
                              "subtract", c.subtract);
  if (by_amplitude) {
    const lves_arg low = lves_key(&o, "floor"), high = lves_key(&o, "ceiling");
    if (!lves_absent(&low) || !lves_absent(&high))
      lves_fail(lves_absent(&low) ? &high : &low,
                "no such key here: it belongs to the rules that learn q itself");
  }
  read_bounds(&o, &c.floor, &c.ceiling);
  c.start = lves_number_or(&start, LVES_PROBABILITY, c.start);
  const chosen rows = push_chosen(&o, &w);
  size_t *order = lves_scratch(L, w.cols, sizeof *order);
  double *q = lves_push_like(L, fn, &w);
  for (size_t k = 0; k < rows.count; k++) {
    const double *row = w.data + rows.row[k] * w.cols;
    double *settled = q + k * w.cols;
    if (by_amplitude)
      ves_release_analytic(row, w.cols, order, settled);
    else
      lves_check(L, fn, ves_equilibrium_solve(row, w.cols, &c, settled));
    if (ves_stopping()) lves_check(L, fn, VES_ESTOPPED);
    for (size_t j = 0; by_amplitude && j < w.cols; j++)
      settled[j] = row[j] > 0 ? settled[j] : c.start;
  }
  lves_spread_rows(q, w.rows, w.cols, rows.row, rows.count);
  return 1;
}

static const luaL_Reg functions[] = {
    {"learn", release_learn},
    {"follow", release_follow},
    {"learn_pooled", release_learn_pooled},
    {"equilibrium", release_equilibrium},
    {NULL, NULL},
};

/* After lves_open_release: these functions live in the same table. */
void lves_open_learn(lua_State *L) {
  lua_getfield(L, -1, "release");
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
}
