/* lves_code: population codes in Lua. */
#include "lves.h"
#include "ves_stop.h"

#include <stdio.h>
#include <string.h>

/* A script can close an object at any moment, also from a finalizer that runs while a function of
 * ours is at work on it: closing only marks it. */
static int code_close(lua_State *L) {
  lves_code *code = lves_test(L, 1, LVES_CODE);
  if (code != NULL) code->closed = true;
  return 0;
}

static int code_collect(lua_State *L) {
  lves_code *code = lves_test(L, 1, LVES_CODE);
  if (code == NULL) return 0;
  code->closed = true;
  ves_decoder_free(&code->decoder);
  ves_code_free(&code->core);
  return 0;
}

static const char *const spacings[] = {"ends", "bins", "open", NULL};

void lves_push_code(lua_State *L, const char *fn, size_t n, double lo, double hi, double sigma,
                    ves_spacing spacing) {
  luaL_checkstack(L, 8, NULL);
  lves_code *code = lua_newuserdatauv(L, sizeof *code, 0);
  *code = (lves_code){.closed = true};
  lves_become(L, LVES_CODE);
  lves_check(L, fn, ves_code_alloc(&code->core, n, lo, hi, sigma, spacing));
  code->closed = false;
}

ves_code *lves_code_arg(const lves_arg *arg) {
  lves_code *code = lves_test(arg->L, arg->index, LVES_CODE);
  if (code == NULL) lves_fail(arg, "a code, as from ves.code");
  if (code->closed) lves_fail(arg, "one that has not been closed");
  return &code->core;
}

static ves_code *self_code(lua_State *L, const char *fn) {
  const lves_arg self = lves_argument(L, fn, 1, "self");
  return lves_code_arg(&self);
}

/*** ves.code{n, lo, hi, sigma} -> code
 * A population code: n neurons with Gaussian tuning curves of height 1, centred at equal distances
 * on [lo, hi]. A curve is exactly 0 beyond 8.5 sigma. With spacing "ends" lo and hi are the first
 * and the last centre; with "bins" the centres are the middles of n equal bins; with "open" their
 * lower ends, so that lo is a centre and hi is none. [eq:tuning]
 * @equation rate_i(x) = exp(-(x - c_i)^2 / (2 sigma^2)) [eq:tuning]
 * @key n integer >= 1: neurons
 * @key lo number: the lower end of the range
 * @key hi number > lo: the upper end of the range
 * @key sigma number > 0: the width of a curve
 * @key spacing 'ends', 'bins' or 'open', default 'ends': where on [lo, hi] the centres lie
 * @return code
 * @field n integer: neurons
 * @field lo number: the lower end of the range
 * @field hi number: the upper end of the range
 * @field sigma number: the width of a curve
 * @field spacing text: where on [lo, hi] the centres lie
 * @field centers vector of the n centres
 * @example code = ves.code{n = 100, lo = -6, hi = 6, sigma = 0.05}; print(code.centers[1])
 */
static int code_new(lua_State *L) {
  static const char *const keys[] = {"n", "lo", "hi", "sigma", "spacing", NULL};
  const char *fn = "ves.code";
  lves_arity(L, fn, 1);
  const lves_options o = lves_options_open(L, fn, 1, true, keys);
  const lves_arg n = lves_key(&o, "n"), lo = lves_key(&o, "lo"), hi = lves_key(&o, "hi"),
                 sigma = lves_key(&o, "sigma"), spacing = lves_key(&o, "spacing");
  const lua_Integer neurons = lves_integer(&n, 1, LVES_SIZE_MAX);
  const double first = lves_number(&lo, LVES_COORDINATE), last = lves_number(&hi, LVES_COORDINATE);
  const double width = lves_number(&sigma, LVES_POSITIVE);
  if (!(first < last)) lves_fail(&hi, "a number greater than lo = %f", first);
  const ves_spacing where = (ves_spacing)lves_choice_or(&spacing, spacings, VES_SPACING_ENDS);
  lves_push_code(L, fn, (size_t)neurons, first, last, width, where);
  return 1;
}

/* ---- encoding ---- */

/*** code:encode(x) -> vector|matrix
 * The firing rates that represent x: the heights of the tuning curves there. [eq:tuning]
 * @equation rate_i(x) = exp(-(x - c_i)^2 / (2 sigma^2)) [eq:tuning]
 * @param x number; or a vector of them
 * @return vector of n rates; for a vector of numbers, a matrix with one row each
 * @example code = ves.code{n = 5, lo = 0, hi = 4, sigma = 1}; print(code:encode(2))
 */
static int code_encode(lua_State *L) {
  const char *fn = "code:encode";
  const size_t n = self_code(L, fn)->n;
  lves_arity(L, fn, 2);
  const lves_arg x = lves_argument(L, fn, 2, "x");
  if (lua_type(L, 2) == LUA_TNUMBER) {
    const double value = lves_number(&x, LVES_FINITE);
    double *rate = lves_push_vector(L, n);
    ves_code_encode(self_code(L, fn), value, rate);
    return 1;
  }
  if (lua_type(L, 2) != LUA_TTABLE && lua_type(L, 2) != LUA_TUSERDATA)
    lves_fail(&x, "a number or a vector");
  const lves_array xs = lves_vector_arg(&x, LVES_FINITE);
  double *rates = lves_push_matrix(L, fn, xs.cols, n);
  const ves_code *code = self_code(L, fn);
  for (size_t i = 0; i < xs.cols; i++) {
    ves_code_encode(code, xs.data[i], rates + i * n);
    if (ves_stopping()) lves_check(L, fn, VES_ESTOPPED);
  }
  return 1;
}

/* ---- reading out ---- */

static lves_array activity_arg(lua_State *L, const char *fn) {
  const lves_arg arg = lves_argument(L, fn, 2, "y");
  const size_t n = self_code(L, fn)->n;
  const lves_array y = lves_array_arg(&arg, LVES_ACTIVITY);
  if (y.cols != n) lves_fail(&arg, "a vector of %d, or a matrix with %d columns", (int)n, (int)n);
  return y;
}

/* The result of reading y: a pushed vector for a matrix, one number at `one` for a vector. */
static double *push_readings(lua_State *L, const lves_array *y, double *one) {
  if (y->matrix) return lves_push_vector(L, y->rows);
  return one;
}

static void check_reading(lua_State *L, const char *fn, ves_status status, size_t row) {
  if (status == VES_EDOMAIN)
    lves_error(L, fn, "row %d of argument 'y' has no activity to read: expected some > 0",
               (int)row + 1);
  lves_check(L, fn, status);
}

void lves_make_decoder(lua_State *L, const char *fn, ves_decoder *decoder, const ves_code *code,
                       double width, size_t grid) {
  if (width == 0) width = code->sigma;
  const double reach = (double)ves_code_reach(code, width);
  if ((double)grid * reach > LVES_ELEMENTS_MAX)
    lves_error(L, fn, "a grid of %f points with %f curves each is too large", (double)grid, reach);
  lves_check(L, fn, ves_decoder_alloc(decoder, code, width, grid));
}

/* The decoder of the code at stack index 1. */
static ves_decoder *own_decoder(lua_State *L, const char *fn, double width, size_t grid) {
  lves_code *code = lves_test(L, 1, LVES_CODE);
  if (code->decoder.grid == grid && code->width == width) return &code->decoder;
  ves_decoder_free(&code->decoder);
  code->width = 0;
  lves_make_decoder(L, fn, &code->decoder, self_code(L, fn), width, grid);
  code->width = width;
  return &code->decoder;
}

/*** code:decode(y, options) -> number|vector
 * The number that an activity represents: where the sum of Gaussian kernels at the centres, weighted
 * by the activity, is largest among equally spaced points; the smallest of equals. The original does
 * not print how wide its kernels H are. [eq:decode]
 * @equation the z with the largest sum_i y_i exp(-(z - c_i)^2 / (2 width^2)) [eq:decode]
 * @param y vector of n activities >= 0; or a matrix, one activity per row
 * @key grid integer >= 2: how many points z on [lo, hi], default 12 n + 1
 * @key width number > 0: the width of a kernel, default sigma, that of the tuning curves
 * @return number; for a matrix, a vector
 * @example code = ves.code{n = 5, lo = 0, hi = 4, sigma = 1}; print(code:decode(code:encode(2)))
 */
static int code_decode(lua_State *L) {
  static const char *const keys[] = {"grid", "width", NULL};
  const char *fn = "code:decode";
  const lua_Integer usual = (lua_Integer)ves_code_default_grid(self_code(L, fn));
  lves_arity(L, fn, 3);
  const lves_array y = activity_arg(L, fn);
  const lves_options o = lves_options_open(L, fn, 3, false, keys);
  const lves_arg grid = lves_key(&o, "grid"), width = lves_key(&o, "width");
  const size_t points = (size_t)lves_integer_or(&grid, 2, LVES_SIZE_MAX, usual);
  const double kernel = lves_number_or(&width, LVES_POSITIVE, self_code(L, fn)->sigma);
  double one = 0.0, *z = push_readings(L, &y, &one);
  ves_decoder *decoder = own_decoder(L, fn, kernel, points);
  for (size_t i = 0; i < y.rows; i++) {
    check_reading(L, fn, ves_decoder_decode(decoder, y.data + i * y.cols, z + i), i);
    if (ves_stopping()) lves_check(L, fn, VES_ESTOPPED);
  }
  if (!y.matrix) lua_pushnumber(L, one);
  return 1;
}

/*** code:mean(y) -> number|vector
 * The mean of the centres, weighted by the activity. [readout:mean]
 * @equation sum_i y_i c_i / sum_i y_i [readout:mean]
 * @param y vector of n activities >= 0; or a matrix, one activity per row
 * @return number; for a matrix, a vector
 * @example code = ves.code{n = 5, lo = 0, hi = 4, sigma = 1}; print(code:mean{0, 1, 0, 0, 1})
 */
static int code_mean(lua_State *L) {
  const char *fn = "code:mean";
  self_code(L, fn);
  lves_arity(L, fn, 2);
  const lves_array y = activity_arg(L, fn);
  double one = 0.0, *z = push_readings(L, &y, &one);
  const ves_code *code = self_code(L, fn);
  for (size_t i = 0; i < y.rows; i++)
    check_reading(L, fn, ves_code_mean(code, y.data + i * y.cols, z + i), i);
  if (!y.matrix) lua_pushnumber(L, one);
  return 1;
}

/* ---- the class ---- */

static int push_centers(lua_State *L) {
  double *centers = lves_push_vector(L, self_code(L, "code")->n);
  const ves_code *code = self_code(L, "code");
  memcpy(centers, code->centers, code->n * sizeof *centers);
  return 1;
}

static int code_index(lua_State *L) {
  static const char *const fields[] = {"n", "lo", "hi", "sigma", "spacing", "centers", NULL};
  const ves_code *code = self_code(L, "code");
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (strcmp(key, "centers") == 0) return push_centers(L);
  if (strcmp(key, "n") == 0)
    lua_pushinteger(L, (lua_Integer)code->n);
  else if (strcmp(key, "lo") == 0)
    lua_pushnumber(L, code->lo);
  else if (strcmp(key, "hi") == 0)
    lua_pushnumber(L, code->hi);
  else if (strcmp(key, "sigma") == 0)
    lua_pushnumber(L, code->sigma);
  else if (strcmp(key, "spacing") == 0)
    lua_pushstring(L, spacings[code->spacing]);
  else
    return lves_method(L, "code", fields);
  return 1;
}

static int code_tostring(lua_State *L) {
  const lves_code *box = lves_test(L, 1, LVES_CODE);
  if (box != NULL && box->closed) return lves_closed_text(L, "code");
  const ves_code *code = self_code(L, "tostring");
  char text[160];
  snprintf(text, sizeof text, "code of %zu neurons on [%.6g, %.6g], sigma %.6g%s%s", code->n,
           code->lo, code->hi, code->sigma, code->spacing == VES_SPACING_ENDS ? "" : ", spacing ",
           code->spacing == VES_SPACING_ENDS ? "" : spacings[code->spacing]);
  lua_pushstring(L, text);
  return 1;
}

static const luaL_Reg metamethods[] = {
    {"__newindex", lves_read_only},
    {"__tostring", code_tostring},
    {"__close", code_close},
    {"__gc", code_collect},
    {NULL, NULL},
};

static const luaL_Reg methods[] = {
    {"encode", code_encode},
    {"decode", code_decode},
    {"mean", code_mean},
    {NULL, NULL},
};

void lves_open_code(lua_State *L) {
  lves_class(L, LVES_CODE, code_index, metamethods, (const luaL_Reg *const[]){methods, NULL});
  lua_pushcfunction(L, code_new);
  lua_setfield(L, -2, "code");
}
