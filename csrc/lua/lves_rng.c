/* lves_rng: streams of random numbers.
 *
 * A stream is a key and a cursor. A draw is a function of the two alone (ves_stream.h), and moves
 * the cursor on by one, so that n draws at once are n draws one by one. A substream is named by
 * numbers and strings; its key depends on the parent's key and the name, never on the parent's
 * cursor. */
#include "lves.h"

#include "ves_rng.h"
#include "ves_stop.h"
#include "ves_stream.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- making ---- */

/* Pushes a stream at its beginning. GSL's generator lives in the box, so nothing needs freeing. */
static void push_stream(lua_State *L, uint64_t key) {
  lves_stream *r = lua_newuserdatauv(L, sizeof *r + ves_rng_philox->size, 0);
  r->key = key;
  r->cursor = 0;
  r->closed = false;
  r->gsl = (gsl_rng){.type = ves_rng_philox, .state = r + 1};
  ves_rng_seek(&r->gsl, key, 0, VES_ROW_SCALAR);
  lves_become(L, LVES_STREAM);
}

lves_stream *lves_stream_arg(const lves_arg *arg) {
  lves_stream *r = lves_test(arg->L, arg->index, LVES_STREAM);
  if (r == NULL) lves_fail(arg, "a stream of random numbers, as from ves.rng(seed)");
  if (r->closed) lves_fail(arg, "one that has not been closed");
  return r;
}

uint64_t lves_stream_take(const lves_arg *arg, lves_stream *stream, double draws) {
  if (draws > (double)((uint64_t)LVES_DRAW_MAX - stream->cursor))
    lves_fail(arg, "a stream with %f draws left: take a substream", draws);
  const uint64_t first = stream->cursor;
  stream->cursor += (uint64_t)draws;
  return first;
}

/*** ves.rng(seed) -> stream
 * The root stream of a seed. Two streams of one seed and name give the same numbers, always.
 * @param seed integer: any 64-bit integer
 * @return stream
 * @field cursor integer: the index of the next draw
 * @example r = ves.rng(20211118); print(r:uniform())
 */
static int rng_new(lua_State *L) {
  lves_arity(L, "ves.rng", 1);
  const lves_arg seed = lves_argument(L, "ves.rng", 1, "seed");
  push_stream(L, ves_key_root((uint64_t)lves_integer(&seed, LUA_MININTEGER, LUA_MAXINTEGER)));
  return 1;
}

static lves_stream *self_stream(lua_State *L, const char *fn) {
  const lves_arg self = lves_argument(L, fn, 1, "self");
  return lves_stream_arg(&self);
}

/* 3 and 3.0 are one name: a number that is an integer is absorbed as one. */
static uint64_t absorb(lua_State *L, const char *fn, uint64_t key, int index) {
  const lves_arg part = lves_argument(L, fn, index, "name");
  int integral = 0;
  size_t length;
  switch (lua_type(L, index)) {
  case LUA_TNUMBER: {
    const lua_Integer value = lua_tointegerx(L, index, &integral);
    if (integral) return ves_key_integer(key, value);
    return ves_key_real(key, lves_number(&part, LVES_FINITE));
  }
  case LUA_TSTRING: {
    const char *bytes = lua_tolstring(L, index, &length);
    return ves_key_string(key, bytes, length);
  }
  default: lves_fail(&part, "a finite number or a string");
  }
}

/*** stream:stream(name, ...) -> stream
 * The substream of a name: one or more numbers and strings. It starts at its own beginning,
 * whatever has been drawn from its parent. 3 and 3.0 are one name, "3" is another.
 * @param name number or string; any number of them
 * @return stream
 * @example r = rng:stream("posterior", 3, 0.5); print(r:uniform())
 */
static int stream_stream(lua_State *L) {
  const char *fn = "stream:stream";
  uint64_t key = self_stream(L, fn)->key;
  const int top = lua_gettop(L);
  if (top < 2) {
    const lves_arg name = lves_argument(L, fn, 2, "name");
    lves_fail(&name, "one or more numbers or strings");
  }
  for (int i = 2; i <= top; i++) key = absorb(L, fn, key, i);
  push_stream(L, key);
  return 1;
}

/*** stream:seek(draw) -> stream
 * Moves the cursor: the next draw is the one with this index. Returns the stream.
 * @param draw integer in [0, 2^53): the index, counting from 0
 * @example a = rng:uniform(); rng:seek(0); print(a == rng:uniform())
 */
static int stream_seek(lua_State *L) {
  lves_stream *r = self_stream(L, "stream:seek");
  lves_arity(L, "stream:seek", 2);
  const lves_arg draw = lves_argument(L, "stream:seek", 2, "draw");
  r->cursor = (uint64_t)lves_integer(&draw, 0, LVES_DRAW_MAX - 1);
  lua_settop(L, 1);
  return 1;
}

/* ---- distributions ---- */

typedef ves_status (*draw_fn)(uint64_t key, uint64_t first, const double *p, size_t n, double *out);

static ves_status draw_uniform(uint64_t key, uint64_t first, const double *p, size_t n,
                               double *out) {
  (void)p;
  return ves_stream_uniform(key, first, n, out);
}

static ves_status draw_normal(uint64_t key, uint64_t first, const double *p, size_t n,
                              double *out) {
  return ves_stream_normal(key, first, p[0], p[1], n, out);
}

static ves_status draw_beta(uint64_t key, uint64_t first, const double *p, size_t n, double *out) {
  return ves_stream_beta(key, first, p[0], p[1], n, out);
}

static ves_status draw_bernoulli(uint64_t key, uint64_t first, const double *p, size_t n,
                                 double *out) {
  return ves_stream_bernoulli(key, first, p[0], n, out);
}

static ves_status draw_integer(uint64_t key, uint64_t first, const double *p, size_t n,
                               double *out) {
  return ves_stream_integer(key, first, (uint64_t)p[0], n, out);
}

/* One draw, or a vector of as many as the argument at `count` says. */
static int draw(lua_State *L, const char *fn, int count, draw_fn distribution, const double *p,
                bool integral) {
  const lves_arg self = lves_argument(L, fn, 1, "self"), n = lves_argument(L, fn, count, "n");
  lves_stream *r = lves_stream_arg(&self);
  if (lves_absent(&n)) {
    double value;
    lves_check(L, fn, distribution(r->key, lves_stream_take(&self, r, 1), p, 1, &value));
    if (integral)
      lua_pushinteger(L, (lua_Integer)value);
    else
      lua_pushnumber(L, value);
    return 1;
  }
  const size_t size = (size_t)lves_integer(&n, 1, LVES_SIZE_MAX);
  double *out = lves_push_vector(L, size);
  lves_check(L, fn, distribution(r->key, lves_stream_take(&self, r, (double)size), p, size, out));
  return 1;
}

/*** stream:uniform(n) -> number|vector
 * A draw from the uniform distribution on [0, 1), with 53 random bits.
 * @param n integer: how many draws, as a vector; one number if omitted
 * @example print(rng:uniform(), rng:uniform(5))
 */
static int stream_uniform(lua_State *L) {
  self_stream(L, "stream:uniform");
  lves_arity(L, "stream:uniform", 2);
  return draw(L, "stream:uniform", 2, draw_uniform, NULL, false);
}

/*** stream:normal(mu, sd, n) -> number|vector
 * A draw from the normal distribution.
 * @param mu number: the mean; 0 if no argument is given
 * @param sd number >= 0: the standard deviation; 1 if no argument is given
 * @param n integer: how many draws, as a vector; one number if omitted
 * @example print(rng:normal(0, 1), rng:normal(2, 0.5, 5))
 */
static int stream_normal(lua_State *L) {
  const char *fn = "stream:normal";
  self_stream(L, fn);
  lves_arity(L, fn, 4);
  const lves_arg mu = lves_argument(L, fn, 2, "mu"), sd = lves_argument(L, fn, 3, "sd");
  /* normal(5) would be one number near 5, where uniform(5) is five numbers. */
  if (!lves_absent(&mu) && lves_absent(&sd))
    lves_fail(&sd, "a number >= 0, since n comes last: rng:normal(0, 1, n)");
  const double p[] = {lves_number_or(&mu, LVES_FINITE, 0.0),
                      lves_number_or(&sd, LVES_NONNEGATIVE, 1.0)};
  return draw(L, fn, 4, draw_normal, p, false);
}

/* A draw for each pair of two vectors of parameters. */
static int draw_betas(lua_State *L, const lves_arg *a, const lves_arg *b) {
  const lves_arg self = lves_argument(L, a->fn, 1, "self"), n = lves_argument(L, a->fn, 4, "n");
  if (!lves_absent(&n)) lves_fail(&n, "nothing: with vectors there is a draw for each element");
  const lves_array as = lves_vector_arg(a, LVES_SHAPE), bs = lves_vector_of(b, LVES_SHAPE, as.cols);
  double *out = lves_push_vector(L, as.cols);
  lves_stream *r = lves_stream_arg(&self);
  const uint64_t first = lves_stream_take(&self, r, (double)as.cols);
  LVES_EACH(L, a->fn, i, as.cols)
    lves_check(L, a->fn, ves_stream_beta(r->key, first + i, as.data[i], bs.data[i], 1, out + i));
  return 1;
}

/*** stream:beta(a, b, n) -> number|vector
 * A draw from the Beta distribution; of two vectors of parameters, a draw for each pair.
 * @param a number in [1e-100, 1e100], or a vector of them
 * @param b number in [1e-100, 1e100], or a vector of as many
 * @param n integer: how many draws, as a vector; one number if omitted
 * @example print(rng:beta(2, 5), rng:beta(0.5, 0.5, 3))
 * @example print(rng:beta({1, 2}, {3, 1}))
 */
static int stream_beta(lua_State *L) {
  const char *fn = "stream:beta";
  self_stream(L, fn);
  lves_arity(L, fn, 4);
  const lves_arg a = lves_argument(L, fn, 2, "a"), b = lves_argument(L, fn, 3, "b");
  if (lua_type(L, 2) == LUA_TTABLE || lua_type(L, 2) == LUA_TUSERDATA) return draw_betas(L, &a, &b);
  const double p[] = {lves_number(&a, LVES_SHAPE), lves_number(&b, LVES_SHAPE)};
  return draw(L, fn, 4, draw_beta, p, false);
}

/*** stream:bernoulli(p, n) -> 0|1
 * 1 with probability p, else 0: a number, so that draws can be added up.
 * @param p number in [0, 1]
 * @param n integer: how many draws, as a vector; one number if omitted
 * @example print(rng:bernoulli(0.3), rng:bernoulli(0.3, 100):mean())
 */
static int stream_bernoulli(lua_State *L) {
  const char *fn = "stream:bernoulli";
  self_stream(L, fn);
  lves_arity(L, fn, 3);
  const lves_arg chance = lves_argument(L, fn, 2, "p");
  const double p[] = {lves_number(&chance, LVES_PROBABILITY)};
  return draw(L, fn, 3, draw_bernoulli, p, true);
}

/* The thresholds of a mask, to be released with the box. */
static void release_thresholds(void *object) { ves_thresholds_free(object); }

static ves_thresholds *push_thresholds(lua_State *L, const char *fn, const lves_array *q) {
  lves_box *box = lves_push_box(L, sizeof(ves_thresholds), release_thresholds);
  ves_thresholds *t = lves_box_room(box);
  if (!ves_thresholds_alloc(t, q->cols)) lves_check(L, fn, VES_ENOMEM);
  box->object = t;
  for (size_t j = 0; j < q->cols; j++) ves_thresholds_set(t, j, q->data[j]);
  return t;
}

/*** stream:mask(q, n) -> vector|matrix
 * Which synapses transmit: 1 where one of release probability q_i does, else 0. The draws of a
 * sampler of one input with this stream have the same masks. [eq:bernoulli]
 * @equation M_i = 1 with probability q_i [eq:bernoulli]
 * @param q vector of release probabilities
 * @param n integer: how many draws, as the rows of a matrix; one vector if omitted
 * @example print(rng:mask({0.9, 0.5, 0.1}), rng:mask({0.9, 0.5, 0.1}, 1000):col_sums())
 */
static int stream_mask(lua_State *L) {
  const char *fn = "stream:mask";
  self_stream(L, fn);
  lves_arity(L, fn, 3);
  const lves_arg self = lves_argument(L, fn, 1, "self"), releases = lves_argument(L, fn, 2, "q"),
                 n = lves_argument(L, fn, 3, "n");
  const lves_array q = lves_vector_arg(&releases, LVES_PROBABILITY);
  const size_t draws = (size_t)lves_integer_or(&n, 1, LVES_SIZE_MAX, 1);
  const ves_thresholds *t = push_thresholds(L, fn, &q);
  lves_box *box = lua_touserdata(L, -1);
  uint64_t *mask = lves_scratch(L, t->words, sizeof *mask);
  const lves_array shape = {.rows = draws, .cols = q.cols, .matrix = !lves_absent(&n)};
  double *out = lves_push_like(L, fn, &shape);
  lves_stream *r = lves_stream_arg(&self);
  const uint64_t first = lves_stream_take(&self, r, (double)draws);
  for (size_t d = 0; d < draws; d++) {
    double *row = out + d * q.cols;
    ves_mask_draw(t, r->key, first + d, 0, mask);
    LVES_EACH(L, fn, j, q.cols) row[j] = (double)(mask[j / 64] >> j % 64 & 1);
  }
  lves_box_release(box);
  return 1;
}

/*** stream:mask_counts(q, n) -> vector
 * In how many of n draws each synapse transmits: the column sums of stream:mask(q, n), in less time.
 * Release sites that open alike are so counted. [eq:bernoulli]
 * @equation number of draws with M_i = 1 [eq:bernoulli]
 * @param q vector of release probabilities
 * @param n integer: how many draws
 * @example print(rng:mask_counts({0.9, 0.5, 0.1}, 1000))
 */
static int stream_mask_counts(lua_State *L) {
  const char *fn = "stream:mask_counts";
  self_stream(L, fn);
  lves_arity(L, fn, 3);
  const lves_arg self = lves_argument(L, fn, 1, "self"), releases = lves_argument(L, fn, 2, "q"),
                 n = lves_argument(L, fn, 3, "n");
  const lves_array q = lves_vector_arg(&releases, LVES_PROBABILITY);
  const size_t draws = (size_t)lves_integer(&n, 1, LVES_SIZE_MAX);
  const ves_thresholds *t = push_thresholds(L, fn, &q);
  lves_box *box = lua_touserdata(L, -1);
  uint64_t *mask = lves_scratch(L, t->words, sizeof *mask);
  double *out = lves_push_vector(L, q.cols);
  lves_stream *r = lves_stream_arg(&self);
  const uint64_t first = lves_stream_take(&self, r, (double)draws);
  for (size_t d = 0; d < draws; d++) {
    if (ves_stopping()) lves_check(L, fn, VES_ESTOPPED);
    ves_mask_draw(t, r->key, first + d, 0, mask);
    for (size_t w = 0; w < t->words; w++)
      for (uint64_t bits = mask[w]; bits != 0; bits &= bits - 1)
        out[64 * w + (size_t)__builtin_ctzll(bits)] += 1.0;
  }
  lves_box_release(box);
  return 1;
}

/*** stream:integer(m, n) -> integer|vector
 * A draw from 1, 2, ..., m, all equally likely.
 * @param m integer in [1, 2^53]
 * @param n integer: how many draws, as a vector; one number if omitted
 * @example print(rng:integer(6), rng:integer(6, 10))
 */
static int stream_integer(lua_State *L) {
  const char *fn = "stream:integer";
  self_stream(L, fn);
  lves_arity(L, fn, 3);
  const lves_arg most = lves_argument(L, fn, 2, "m");
  const double p[] = {(double)lves_integer(&most, 1, LVES_DRAW_MAX)};
  return draw(L, fn, 3, draw_integer, p, true);
}

/*** stream:permutation(n) -> vector
 * The numbers 1 to n in random order, all orders equally likely. It counts as one draw.
 * @param n integer >= 1
 * @example print(rng:permutation(5))
 */
static int stream_permutation(lua_State *L) {
  const char *fn = "stream:permutation";
  lves_stream *r = self_stream(L, fn);
  lves_arity(L, fn, 2);
  const lves_arg self = lves_argument(L, fn, 1, "self"), n = lves_argument(L, fn, 2, "n");
  const size_t size = (size_t)lves_integer(&n, 1, LVES_SIZE_MAX);
  double *out = lves_push_vector(L, size);
  lves_check(L, fn, ves_stream_permutation(r->key, lves_stream_take(&self, r, 1), size, out));
  return 1;
}

/* ---- the class ---- */

static int stream_index(lua_State *L) {
  static const char *const fields[] = {"cursor", NULL};
  const lves_stream *r = self_stream(L, "stream");
  if (lua_type(L, 2) != LUA_TSTRING || strcmp(lua_tostring(L, 2), "cursor") != 0)
    return lves_method(L, "stream", fields);
  lua_pushinteger(L, (lua_Integer)r->cursor);
  return 1;
}

static int stream_tostring(lua_State *L) {
  const lves_stream *r = lves_test(L, 1, LVES_STREAM);
  if (r != NULL && r->closed) return lves_closed_text(L, "stream");
  r = self_stream(L, "tostring");
  char text[80];
  snprintf(text, sizeof text, "stream %016llx at draw %llu", (unsigned long long)r->key,
           (unsigned long long)r->cursor);
  lua_pushstring(L, text);
  return 1;
}

static int stream_close(lua_State *L) {
  lves_stream *r = lves_test(L, 1, LVES_STREAM);
  if (r != NULL) r->closed = true;
  return 0;
}

static const luaL_Reg metamethods[] = {
    {"__newindex", lves_read_only},
    {"__gc", stream_close},
    {"__tostring", stream_tostring},
    {NULL, NULL},
};

static const luaL_Reg methods[] = {
    {"stream", stream_stream},
    {"seek", stream_seek},
    {"uniform", stream_uniform},
    {"normal", stream_normal},
    {"beta", stream_beta},
    {"bernoulli", stream_bernoulli},
    {"mask", stream_mask},
    {"mask_counts", stream_mask_counts},
    {"integer", stream_integer},
    {"permutation", stream_permutation},
    {NULL, NULL},
};

void lves_open_rng(lua_State *L) {
  lves_class(L, LVES_STREAM, stream_index, metamethods, (const luaL_Reg *const[]){methods, NULL});
  lua_pushcfunction(L, rng_new);
  lua_setfield(L, -2, "rng");
}
