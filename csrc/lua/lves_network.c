/* lves_network: a layer of inputs, a layer of outputs, and the evidence between them. */
#include "lves.h"

#include "ves_beta.h"
#include "ves_multi.h"

#include <stdio.h>
#include <string.h>

/* ---- the box ---- */

/* As for a code, closing only marks it. */
static int network_close(lua_State *L) {
  lves_network *net = lves_test(L, 1, LVES_NETWORK);
  if (net != NULL) net->closed = true;
  return 0;
}

static int network_collect(lua_State *L) {
  lves_network *net = lves_test(L, 1, LVES_NETWORK);
  if (net == NULL) return 0;
  net->closed = true;
  ves_evidence_free(&net->evidence);
  ves_product_free(&net->input);
  ves_code_free(&net->output);
  return 0;
}

lves_network *lves_push_network(lua_State *L) {
  luaL_checkstack(L, 8, NULL);
  lves_network *net = lua_newuserdatauv(L, sizeof *net, LVES_NET_VALUES);
  memset(net, 0, sizeof *net);
  net->closed = true;
  lves_become(L, LVES_NETWORK);
  return net;
}

lves_network *lves_self_network(lua_State *L, const char *fn) {
  const lves_arg self = lves_argument(L, fn, 1, "self");
  lves_network *net = lves_test(L, 1, LVES_NETWORK);
  if (net == NULL) lves_fail(&self, "a network (call it with a colon)");
  if (net->closed) lves_fail(&self, "one that has not been closed");
  return net;
}

/* ---- making ---- */

typedef struct {
  double lo, hi;
} interval;

/* A prior: {lo, hi}, or a number for both. */
static interval prior_arg(const lves_arg *arg, double lo, double hi) {
  if (lves_absent(arg)) return (interval){lo, hi};
  if (lua_type(arg->L, arg->index) == LUA_TNUMBER) {
    const double value = lves_number(arg, LVES_SHAPE);
    return (interval){value, value};
  }
  if (lua_type(arg->L, arg->index) != LUA_TTABLE && lua_type(arg->L, arg->index) != LUA_TUSERDATA)
    lves_fail(arg, "{lo, hi} with 0 < lo <= hi, or a number");
  const lves_array bounds = lves_vector_arg(arg, LVES_SHAPE);
  if (bounds.cols != 2 || bounds.data[0] > bounds.data[1])
    lves_fail(arg, "{lo, hi} with 0 < lo <= hi");
  return (interval){bounds.data[0], bounds.data[1]};
}

/* Says how large the network would have been: 20 x 20 x 20 inputs and 100 outputs. */
_Noreturn static void fail_size(lua_State *L, const char *fn, const ves_code *const *in,
                                size_t count, size_t n, const char *why) {
  const double inputs = ves_product_size(in, count);
  char sizes[24 * VES_PRODUCT_MAX], text[200];
  size_t at = 0;
  for (size_t c = 0; c < count; c++)
    at += (size_t)snprintf(sizes + at, sizeof sizes - at, "%s%zu", c > 0 ? " x " : "", in[c]->n);
  lves_snprintf(text, sizeof text, "%zu outputs would be %.4g synapses, %.3g GB of evidence", n,
                inputs * (double)n, inputs * (2.0 * (double)n + VES_EVIDENCE_SLACK) * 8e-9);
  lves_error(L, fn, "a network of %s inputs and %s: %s", sizes, text, why);
}

/*** ves.network{input, output, ...} -> network
 * A network of two layers that accumulates evidence A for and B against each association of an
 * input with an output. It starts from prior evidence, uniform in an interval for each synapse; rng
 * names the stream of these draws and is not moved on. With several input codes the inputs are the
 * products of their curves, and everything costs what the active ones cost. [eq:evidence-prior]
 * [eq:product]
 * @equation A = A0 ~ U(prior_a), B = B0 ~ U(prior_b) [eq:evidence-prior]
 * @key input code, or an array of codes, one for each number that the output depends on: the input
 * layer
 * @key output code: the output layer
 * @key rng stream: needed unless both priors are single numbers
 * @key prior_a {lo, hi} or number, default {0.025, 0.026}: prior evidence for
 * @key prior_b {lo, hi} or number, default {0.100, 0.101}: prior evidence against
 * @key rate number >= 0, default 1: the weight lambda of an observation
 * @return network
 * @field A matrix: evidence for
 * @field B matrix: evidence against
 * @field rows integer: observations so far
 * @field input code: the input layer; an array if there are several
 * @field output code: the output layer
 * @example code = ves.code{n = 20, lo = -3, hi = 3, sigma = 0.3}
 * @example net = ves.network{input = code, output = code, rng = rng}
 * @example two = ves.network{input = {code, code}, output = code, rng = rng}
 * @example print(two:observe({{0, 1}, {2, 2}}, {0.5, 0.7}))
 */
static int network_new(lua_State *L) {
  static const char *const keys[] = {"input", "output", "rng", "prior_a", "prior_b", "rate", NULL};
  const char *fn = "ves.network";
  lves_arity(L, fn, 1);
  const lves_options o = lves_options_open(L, fn, 1, true, keys);
  const lves_arg in = lves_key(&o, "input"), out = lves_key(&o, "output"),
                 rng = lves_key(&o, "rng"), prior_a = lves_key(&o, "prior_a"),
                 prior_b = lves_key(&o, "prior_b"), rate = lves_key(&o, "rate");
  const ves_code *input[VES_PRODUCT_MAX];
  const size_t count = lves_codes_arg(&in, input), n = lves_code_arg(&out)->n;
  const double m = ves_product_size(input, count);
  const interval a = prior_arg(&prior_a, 0.025, 0.026), b = prior_arg(&prior_b, 0.100, 0.101);
  const double lambda = lves_number_or(&rate, LVES_ACTIVITY, 1.0);
  uint64_t key = 0;
  if (!lves_absent(&rng) || a.lo < a.hi || b.lo < b.hi) key = lves_stream_arg(&rng)->key;
  if (m > LVES_SIZE_MAX || m * (double)n > LVES_ELEMENTS_MAX)
    fail_size(L, fn, input, count, n, "expected at most 1e9 synapses, of 1e8 inputs");
  lves_network *net = lves_push_network(L);
  const int net_index = lua_gettop(L);
  const ves_code *output = lves_code_arg(&out);
  lves_check(L, fn, ves_product_alloc(&net->input, input, count));
  lves_check(
      L, fn,
      ves_code_alloc(&net->output, n, output->lo, output->hi, output->sigma, output->spacing));
  const ves_status room = ves_evidence_alloc(&net->evidence, net->input.n, n, lambda);
  if (room == VES_ENOMEM) fail_size(L, fn, input, count, n, "there is not so much memory");
  lves_check(L, fn, room);
  lves_check(L, fn, ves_evidence_priors(&net->evidence, a.lo, a.hi, b.lo, b.hi, key));
  if (count > 1)
    lves_push_codes(L, fn, &net->input);
  else
    lua_pushvalue(L, in.index);
  if (count == 1 && lua_type(L, -1) == LUA_TTABLE) lua_rawgeti(L, in.index, 1);
  lua_setiuservalue(L, net_index, LVES_NET_INPUT);
  lua_pushvalue(L, out.index);
  lua_setiuservalue(L, net_index, LVES_NET_OUTPUT);
  lua_settop(L, net_index);
  net->closed = false;
  return 1;
}

/* ---- evidence ---- */

/* The salience of each row, or NULL if all count the same. A number stands for all rows. */
static const double *salience_arg(const lves_arg *arg, size_t rows) {
  if (lves_absent(arg)) return NULL;
  if (lua_type(arg->L, arg->index) != LUA_TNUMBER)
    return lves_vector_of(arg, LVES_SALIENCE, rows).data;
  const double value = lves_number(arg, LVES_SALIENCE);
  double *all = lves_push_vector(arg->L, rows);
  for (size_t i = 0; i < rows; i++) all[i] = value;
  return all;
}

/*** network:observe(xs, ys, options) -> network
 * Adds observations: evidence for and against each association grows by what the rows say, and the
 * result is the same, to the bit, in whatever order and however many calls they come. [eq:evidence]
 * @equation A = A0 + rate X'Y, B = B0 + rate X'(1 - Y) [eq:evidence]
 * @param xs vector of inputs; or a number. With several input codes {xs1, xs2, ...}, a vector or
 * number for each
 * @param ys vector of outputs, as many; or a number
 * @key salience number or vector in [0, 1048576], default 1: how much a row counts
 * @return the network itself
 * @example code = ves.code{n = 20, lo = -3, hi = 3, sigma = 0.3}
 * @example net = ves.network{input = code, output = code, rng = rng}
 * @example net:observe({0, 1, 2}, {0.1, 0.9, 2.2}); print(net.rows)
 */
static int network_observe(lua_State *L) {
  static const char *const keys[] = {"salience", NULL};
  const char *fn = "network:observe";
  lves_self_network(L, fn);
  lves_arity(L, fn, 4);
  const lves_arg in = lves_argument(L, fn, 2, "xs"), out = lves_argument(L, fn, 3, "ys");
  const double *column[VES_PRODUCT_MAX];
  const size_t rows = lves_inputs_arg(&in, lves_self_network(L, fn)->input.count, column);
  const lves_array ys = lves_column_arg(&out, LVES_FINITE);
  if (ys.cols != rows) lves_fail(&out, "as many elements as 'xs' has, %d", (int)rows);
  const lves_options o = lves_options_open(L, fn, 4, false, keys);
  const lves_arg salience = lves_key(&o, "salience");
  const double *weight = salience_arg(&salience, rows);
  lves_network *net = lves_self_network(L, fn);
  const ves_status status =
      net->input.count == 1 ? ves_evidence_observe(&net->evidence, &net->input.code[0],
                                                   &net->output, column[0], ys.data, weight, rows)
                            : ves_product_observe(&net->evidence, &net->input, &net->output, column,
                                                  ys.data, weight, rows);
  if (status == VES_EDOMAIN)
    lves_error(L, fn,
               "the salience of all rows together would exceed %f, where sums stop being exact",
               VES_SALIENCE_TOTAL_MAX);
  lves_check(L, fn, status);
  lua_settop(L, 1);
  return 1;
}

typedef void (*evidence_fn)(const ves_evidence *ev, double *out);

/* Pushes A or B of the network at stack index 1. */
static void push_all(lua_State *L, const char *fn, evidence_fn compute) {
  const lves_network *net = lves_self_network(L, fn);
  const lves_array shape = {.rows = net->evidence.m, .cols = net->evidence.n, .matrix = true};
  double *out = lves_push_like(L, fn, &shape);
  compute(&lves_self_network(L, fn)->evidence, out);
}

void lves_read_evidence(lua_State *L, const char *fn, const uint32_t *input, size_t k, double *a,
                        double *b) {
  const ves_evidence *ev = &lves_self_network(L, fn)->evidence;
  for (size_t i = 0; i < k; i++)
    ves_evidence_cells(ev, input[i] * ev->n, ev->n, a + i * ev->n, b + i * ev->n);
}

typedef void (*moment_fn)(const double *a, const double *b, size_t count, double *out);

/* Pushes a moment of the weights of all inputs, or of those in the vector at stack index 2, found
 * input by input: A and B are never held as a whole. */
static int push_moment(lua_State *L, const char *fn, moment_fn moment) {
  const size_t m = lves_self_network(L, fn)->evidence.m, n = lves_self_network(L, fn)->evidence.n;
  lves_arity(L, fn, 2);
  const lves_arg inputs = lves_argument(L, fn, 2, "inputs");
  lves_array which = {.cols = m};
  if (!lves_absent(&inputs)) {
    which = lves_vector_arg(&inputs, LVES_FINITE);
    lves_check_positions(&inputs, &which, 1, m);
  }
  double *a = lves_scratch(L, n, sizeof *a), *b = lves_scratch(L, n, sizeof *b);
  const lves_array shape = {.rows = which.cols, .cols = n, .matrix = true};
  double *out = lves_push_like(L, fn, &shape);
  const ves_evidence *ev = &lves_self_network(L, fn)->evidence;
  for (size_t i = 0; i < which.cols; i++) {
    const size_t input = which.data != NULL ? (size_t)which.data[i] - 1 : i;
    ves_evidence_cells(ev, input * n, n, a, b);
    moment(a, b, n, out + i * n);
  }
  return 1;
}

/*** network:weights([inputs]) -> matrix
 * The mean of each weight, A / (A + B): one row per input, one column per output. [eq:betamean]
 * @equation w = A / (A + B) [eq:betamean]
 * @param inputs vector of whole numbers: rows of these inputs only, in this order; default all
 * @example code = ves.code{n = 20, lo = -3, hi = 3, sigma = 0.3}
 * @example net = ves.network{input = code, output = code, rng = rng}; print(net:weights():max())
 */
static int network_weights(lua_State *L) {
  return push_moment(L, "network:weights", ves_beta_mean);
}

/*** network:variance([inputs]) -> matrix
 * The variance of each weight under Beta(A, B). [eq:betavar]
 * @equation A B / ((A + B)^2 (A + B + 1)) [eq:betavar]
 * @param inputs vector of whole numbers: rows of these inputs only, in this order; default all
 * @example code = ves.code{n = 20, lo = -3, hi = 3, sigma = 0.3}
 * @example net = ves.network{input = code, output = code, rng = rng}; print(net:variance():max())
 */
static int network_variance(lua_State *L) {
  return push_moment(L, "network:variance", ves_beta_variance);
}

/*** network:mixture(x, options) -> vector
 * The distribution over outputs that the network encodes at x: the rows of the active inputs, each
 * weighted by its activity. Draws in two stages have exactly this distribution. [eq:mixture]
 * @equation p = W'x / sum of W'x [eq:mixture]
 * @param x number to be encoded, one for each input code, or a vector of input activities
 * @key active number >= 0, default 0.001: inputs above it take part
 * @return vector of probabilities, one for each output
 * @example code = ves.code{n = 20, lo = -3, hi = 3, sigma = 0.3}
 * @example net = ves.network{input = code, output = code, rng = rng}:observe({0, 0}, {1, 2})
 * @example print(net:mixture(0):dot(code.centers))
 */
static int network_mixture(lua_State *L) {
  static const char *const keys[] = {"active", NULL};
  const char *fn = "network:mixture";
  const size_t n = lves_self_network(L, fn)->evidence.n;
  lves_arity(L, fn, 3);
  lua_settop(L, 3);
  const lves_arg x = lves_argument(L, fn, 2, "x");
  const lves_options o = lves_options_open(L, fn, 3, false, keys);
  const lves_arg active = lves_key(&o, "active");
  const double threshold = lves_number_or(&active, LVES_NONNEGATIVE, 1e-3);
  const lves_pattern on = lves_push_pattern(&x, threshold);
  if (on.k == 0) lves_fail(&x, "an input that activates some neuron above %f", threshold);
  double *p = lves_push_vector(L, n);
  const int result = lua_gettop(L);
  lves_box *room = lves_push_room(L, fn, 3 * on.k * n * sizeof(double));
  double *a = room->object, *b = a + on.k * n, *w = b + on.k * n;
  lves_read_evidence(L, fn, on.input, on.k, a, b);
  ves_beta_mean(a, b, on.k * n, w);
  const ves_status status = ves_multi_mixture(w, on.x, on.k, n, p);
  lves_box_release(room);
  lves_check(L, fn, status);
  lua_settop(L, result);
  return 1;
}

/* ---- the class ---- */

static int network_index(lua_State *L) {
  static const char *const fields[] = {"A", "B", "rows", "input", "output", NULL};
  const lves_network *net = lves_self_network(L, "network");
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (strcmp(key, "A") == 0)
    push_all(L, "network", ves_evidence_a);
  else if (strcmp(key, "B") == 0)
    push_all(L, "network", ves_evidence_b);
  else if (strcmp(key, "rows") == 0)
    lua_pushinteger(L, (lua_Integer)net->evidence.rows);
  else if (strcmp(key, "input") == 0)
    lua_getiuservalue(L, 1, LVES_NET_INPUT);
  else if (strcmp(key, "output") == 0)
    lua_getiuservalue(L, 1, LVES_NET_OUTPUT);
  else
    return lves_method(L, "network", fields);
  return 1;
}

static int network_tostring(lua_State *L) {
  const lves_network *net = lves_test(L, 1, LVES_NETWORK);
  if (net != NULL && net->closed) return lves_closed_text(L, "network");
  net = lves_self_network(L, "tostring");
  char text[120];
  snprintf(text, sizeof text, "network of %zu x %zu synapses after %llu rows", net->evidence.m,
           net->evidence.n, (unsigned long long)net->evidence.rows);
  lua_pushstring(L, text);
  return 1;
}

static const luaL_Reg metamethods[] = {
    {"__newindex", lves_read_only},
    {"__tostring", network_tostring},
    {"__close", network_close},
    {"__gc", network_collect},
    {NULL, NULL},
};

static const luaL_Reg methods[] = {
    {"observe", network_observe},    {"arrive", lves_network_arrive},
    {"encode", lves_network_encode}, {"weights", network_weights},
    {"variance", network_variance},  {"mixture", network_mixture},
    {"sample", lves_network_sample}, {"beta", lves_network_beta},
    {"save", lves_network_save},     {NULL, NULL},
};

void lves_open_network(lua_State *L) {
  lves_class(L, LVES_NETWORK, network_index, metamethods, (const luaL_Reg *const[]){methods, NULL});
  lua_pushcfunction(L, network_new);
  lua_setfield(L, -2, "network");
  lua_pushcfunction(L, lves_load);
  lua_setfield(L, -2, "load");
}
