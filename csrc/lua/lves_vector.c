/* lves_vector: the Lua face of gsl_vector. */
#include "lves.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- making ---- */

/*** ves.vector(values) -> vector
 * A vector of numbers: from a Lua array or another vector, or of n equal elements.
 * `#v` is its size and `v[i]` an element, counting from 1; + - * / ^ act element by element.
 * @param values array or vector of finite numbers; or n, an integer >= 1
 * @param fill number: the value of all n elements, default 0
 * @return vector
 * @example v = ves.vector{1, 2, 3}; z = ves.vector(3, 0.5); print(v + z)
 */
static int vector_new(lua_State *L) {
  const char *fn = "ves.vector";
  lves_arity(L, fn, 2);
  const lves_arg values = lves_argument(L, fn, 1, "values"), fill = lves_argument(L, fn, 2, "fill");
  if (lua_type(L, 1) == LUA_TNUMBER) {
    const lves_arg size = lves_argument(L, fn, 1, "n");
    const size_t n = (size_t)lves_integer(&size, 1, LVES_SIZE_MAX);
    const double value = lves_number_or(&fill, LVES_FINITE, 0.0);
    double *data = lves_push_vector(L, n);
    LVES_EACH(L, fn, i, n) data[i] = value;
    return 1;
  }
  if (lua_type(L, 1) != LUA_TTABLE && lua_type(L, 1) != LUA_TUSERDATA)
    lves_fail(&values, "an array of numbers, a vector or a size");
  if (!lves_absent(&fill)) lves_fail(&fill, "nothing: it belongs to ves.vector(n, fill)");
  const lves_array a = lves_vector_arg(&values, LVES_FINITE);
  double *data = lves_push_vector(L, a.cols);
  lves_copy(L, fn, data, a.data, a.cols);
  return 1;
}

/*** ves.range(first, last) -> vector
 * The whole numbers from first to last.
 * @param first integer
 * @param last integer >= first
 * @return vector
 * @example print(ves.range(1, 5), (ves.range(0, 10) / 10):exp())
 */
static int vector_range(lua_State *L) {
  const char *fn = "ves.range";
  lves_arity(L, fn, 2);
  const lves_arg from = lves_argument(L, fn, 1, "first"), to = lves_argument(L, fn, 2, "last");
  const lua_Integer bound = INT64_C(1) << 53; /* beyond it doubles skip whole numbers */
  const lua_Integer first = lves_integer(&from, -bound, bound);
  const lua_Integer most = first + LVES_SIZE_MAX - 1;
  const lua_Integer last = lves_integer(&to, first, most < bound ? most : bound);
  const size_t n = (size_t)(last - first) + 1;
  double *data = lves_push_vector(L, n);
  LVES_EACH(L, fn, i, n) data[i] = (double)(first + (lua_Integer)i);
  return 1;
}

/*** ves.linspace(lo, hi, n) -> vector
 * n equally spaced numbers, the first lo and the last hi.
 * @param lo number
 * @param hi number
 * @param n integer >= 2
 * @return vector
 * @example print(ves.linspace(0, 1, 5))
 */
static int vector_linspace(lua_State *L) {
  const char *fn = "ves.linspace";
  lves_arity(L, fn, 3);
  const lves_arg low = lves_argument(L, fn, 1, "lo"), high = lves_argument(L, fn, 2, "hi"),
                 count = lves_argument(L, fn, 3, "n");
  const double lo = lves_number(&low, LVES_FINITE), hi = lves_number(&high, LVES_FINITE);
  const size_t n = (size_t)lves_integer(&count, 2, LVES_SIZE_MAX);
  double *data = lves_push_vector(L, n);
  LVES_EACH(L, fn, i, n) {
    const double part = (double)i / (double)(n - 1);
    data[i] = lo * (1 - part) + hi * part; /* neither overflows, and both ends are exact */
  }
  return 1;
}

/* ---- elements ---- */

static lves_array self_vector(lua_State *L, const char *fn) {
  const lves_arg self = lves_argument(L, fn, 1, "self");
  lves_array a;
  if (!lves_array_test(L, 1, &a) || a.matrix) lves_fail(&self, "a vector (call it with a colon)");
  if (a.closed) lves_fail(&self, "one that has not been closed");
  return a;
}

/* The position of index `at` in the vector, from 0. */
static size_t element(lua_State *L, const char *fn, const lves_array *v, int at) {
  int integral = 0;
  const lua_Integer i = lua_tointegerx(L, at, &integral);
  if (!integral || i < 1 || (lua_Unsigned)i > v->cols)
    lves_error(L, fn, "index %s is out of range: the vector has %d elements%s",
               lves_describe(L, at), (int)v->cols,
               integral && (lua_Unsigned)i == v->cols + 1 ? " (iterate with pairs, not ipairs)"
                                                          : "");
  return (size_t)i - 1;
}

static int vector_index(lua_State *L) {
  static const char *const fields[] = {NULL};
  const lves_array v = self_vector(L, "vector");
  if (lua_type(L, 2) != LUA_TNUMBER) return lves_method(L, "vector", fields);
  lua_pushnumber(L, v.data[element(L, "vector", &v, 2)]);
  return 1;
}

static int vector_newindex(lua_State *L) {
  const lves_array v = self_vector(L, "vector");
  const lves_arg value = lves_argument(L, "vector", 3, "value");
  if (lua_type(L, 2) != LUA_TNUMBER)
    lves_error(L, "vector", "cannot set %s: only elements can be set", lves_describe(L, 2));
  const size_t i = element(L, "vector", &v, 2);
  v.data[i] = lves_number(&value, LVES_FINITE);
  return 0;
}

static int vector_len(lua_State *L) {
  const lves_array v = self_vector(L, "vector");
  lua_pushinteger(L, (lua_Integer)v.cols);
  return 1;
}

static int vector_next(lua_State *L) {
  const lves_array v = self_vector(L, "vector");
  const lua_Integer i = lua_isnil(L, 2) ? 0 : luaL_checkinteger(L, 2);
  if (i < 0 || (lua_Unsigned)i >= v.cols) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushinteger(L, i + 1);
  lua_pushnumber(L, v.data[i]);
  return 2;
}

static int vector_pairs(lua_State *L) {
  self_vector(L, "vector");
  lua_pushcfunction(L, vector_next);
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  return 3;
}

/* "vector of 3 in [1, 3]: 1 2 3" */
static int vector_tostring(lua_State *L) {
  lves_array closed;
  if (lves_array_test(L, 1, &closed) && closed.closed) return lves_closed_text(L, "vector");
  enum { SHOWN = 8 };
  const lves_array v = self_vector(L, "tostring");
  double lo = HUGE_VAL, hi = -HUGE_VAL;
  char text[64];
  luaL_Buffer b;
  LVES_EACH(L, "tostring", i, v.cols) {
    if (v.data[i] < lo) lo = v.data[i];
    if (v.data[i] > hi) hi = v.data[i];
  }
  luaL_buffinit(L, &b);
  snprintf(text, sizeof text, "vector of %zu", v.cols);
  luaL_addstring(&b, text);
  if (lo <= hi) {
    lves_snprintf(text, sizeof text, " in [%.6g, %.6g]:", lo, hi);
    luaL_addstring(&b, text);
  }
  for (size_t i = 0; i < v.cols && i < SHOWN; i++) {
    lves_snprintf(text, sizeof text, " %.6g", v.data[i]);
    luaL_addstring(&b, isnan(v.data[i]) ? " nan" : text);
  }
  if (v.cols > SHOWN) luaL_addstring(&b, " ...");
  luaL_pushresult(&b);
  return 1;
}

/* ---- methods ---- */

/*** vector:dot(other) -> number
 * The sum of products of corresponding elements, added from first to last.
 * @param other vector of the same size
 * @example print(ves.vector{1, 2}:dot{3, 4})
 */
static int vector_dot(lua_State *L) {
  const char *fn = "vector:dot";
  const lves_array v = self_vector(L, fn);
  lves_arity(L, fn, 2);
  const lves_arg other = lves_argument(L, fn, 2, "other");
  const lves_array w = lves_vector_of(&other, LVES_FINITE, v.cols);
  double sum = 0.0;
  LVES_EACH(L, fn, i, v.cols) sum += v.data[i] * w.data[i];
  lua_pushnumber(L, sum);
  return 1;
}

/*** vector:moments(values) -> mean, variance
 * The mean and variance of a distribution whose probabilities are the elements, up to a factor:
 * none is negative, and their sum is positive.
 * @param values vector of the same size: what each probability belongs to
 * @return number: the mean
 * @return number: the variance
 * @example print(ves.vector{0.25, 0.5, 0.25}:moments{-1, 0, 1})
 */
static int vector_moments(lua_State *L) {
  const char *fn = "vector:moments";
  const lves_array p = self_vector(L, fn);
  lves_arity(L, fn, 2);
  const lves_arg values = lves_argument(L, fn, 2, "values");
  const lves_array v = lves_vector_of(&values, LVES_FINITE, p.cols);
  double sum = 0.0, first = 0.0, second = 0.0;
  const size_t refused = lves_first_refused(LVES_NONNEGATIVE, p.data, p.cols);
  if (refused < p.cols) {
    const lves_arg self = lves_argument(L, fn, 1, "self");
    lves_fail_at(&self, 0, refused + 1, p.data[refused], "a probability, up to a factor");
  }
  LVES_EACH(L, fn, i, p.cols) {
    sum += p.data[i];
    first += p.data[i] * v.data[i];
  }
  if (!(sum > 0.0) || isinf(sum)) lves_error(L, fn, "the elements add up to %f", sum);
  const double mean = first / sum;
  LVES_EACH(L, fn, i, p.cols) {
    const double d = v.data[i] - mean;
    second += p.data[i] * (d * d);
  }
  lua_pushnumber(L, mean);
  lua_pushnumber(L, second / sum);
  return 2;
}

/*** vector:slice(first, last) -> vector
 * A copy of elements first to last.
 * @param first integer in [1, #v]
 * @param last integer in [first, #v], default #v
 * @example print(ves.vector{1, 2, 3, 4}:slice(2, 3))
 */
static int vector_slice(lua_State *L) {
  const char *fn = "vector:slice";
  const lves_array v = self_vector(L, fn);
  lves_arity(L, fn, 3);
  const lves_arg from = lves_argument(L, fn, 2, "first"), to = lves_argument(L, fn, 3, "last");
  const lua_Integer size = (lua_Integer)v.cols;
  const lua_Integer first = lves_integer(&from, 1, size);
  const lua_Integer last = lves_integer_or(&to, first, size, size);
  const size_t n = (size_t)(last - first + 1);
  double *out = lves_push_vector(L, n);
  lves_copy(L, fn, out, v.data + first - 1, n);
  return 1;
}

/*** vector:reshape(rows, cols) -> matrix
 * The elements as a matrix, row by row; matrix:flatten is the way back.
 * @param rows integer >= 1
 * @param cols integer >= 1, so that rows times cols is #v
 * @example print(ves.vector{1, 2, 3, 4, 5, 6}:reshape(2, 3))
 */
static int vector_reshape(lua_State *L) {
  const char *fn = "vector:reshape";
  const lves_array v = self_vector(L, fn);
  lves_arity(L, fn, 3);
  const lves_arg down = lves_argument(L, fn, 2, "rows"), across = lves_argument(L, fn, 3, "cols");
  const size_t rows = (size_t)lves_integer(&down, 1, LVES_SIZE_MAX);
  const size_t cols = (size_t)lves_integer(&across, 1, LVES_SIZE_MAX);
  if (v.cols / rows != cols || v.cols % rows != 0)
    lves_error(L, fn, "%d x %d elements wanted, the vector has %d", (int)rows, (int)cols,
               (int)v.cols);
  lves_copy(L, fn, lves_push_matrix(L, fn, rows, cols), v.data, v.cols);
  return 1;
}

/*** vector:totable() -> table
 * The elements as a plain Lua array; of a matrix, an array of rows.
 * @example print(#ves.vector{1, 2, 3}:totable())
 */
static int vector_totable(lua_State *L) {
  const lves_array v = self_vector(L, "vector:totable");
  lves_arity(L, "vector:totable", 1);
  lua_createtable(L, (int)v.cols, 0);
  LVES_EACH(L, "vector:totable", i, v.cols) {
    lua_pushnumber(L, v.data[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

static const luaL_Reg metamethods[] = {
    {"__newindex", vector_newindex}, {"__len", vector_len},         {"__pairs", vector_pairs},
    {"__tostring", vector_tostring}, {"__close", lves_array_close}, {NULL, NULL},
};

static const luaL_Reg methods[] = {
    {"dot", vector_dot},         {"moments", vector_moments}, {"slice", vector_slice},
    {"reshape", vector_reshape}, {"totable", vector_totable}, {NULL, NULL},
};

void lves_open_vector(lua_State *L) {
  static const luaL_Reg *const all[] = {methods, lves_stats_methods, lves_elementwise_methods,
                                        lves_pick_methods, NULL};
  lves_class(L, LVES_VECTOR, vector_index, metamethods, all);
  luaL_getmetatable(L, LVES_VECTOR);
  luaL_setfuncs(L, lves_array_metamethods, 0);
  lua_pop(L, 1);
  lua_pushcfunction(L, vector_new);
  lua_setfield(L, -2, "vector");
  lua_pushcfunction(L, vector_range);
  lua_setfield(L, -2, "range");
  lua_pushcfunction(L, vector_linspace);
  lua_setfield(L, -2, "linspace");
}
