/* lves_elementwise: functions of the elements of a vector or matrix, one result for each.
 *
 * They give the bits that a loop in Lua would give, with the same functions of the C library, at a
 * hundredth of its cost. */
#include "lves.h"

#include <math.h>
#include <string.h>

/*** vector:copy() -> vector
 * A copy with its own numbers; also of a matrix, or of a row of one.
 * @example v = ves.vector{1, 2}; w = v:copy(); w[1] = 5; print(v[1])
 */
static int array_copy(lua_State *L) {
  const lves_array a = lves_self_with(L, "vector:copy", 0, 1);
  double *out = lves_push_like(L, "vector:copy", &a);
  lves_copy(L, "vector:copy", out, a.data, lves_count(&a));
  return 1;
}

/*** vector:map(f) -> vector
 * A new vector, or matrix, of f(element).
 * @param f function(number) -> number
 * @example print(ves.vector{1, 4, 9}:map(function(v) return v > 3 and v or 0 end))
 */
static int array_map(lua_State *L) {
  const char *fn = "vector:map";
  const lves_array a = lves_self_with(L, fn, 0, 2);
  const lves_arg f = lves_argument(L, fn, 2, "f");
  if (lua_type(L, 2) != LUA_TFUNCTION) lves_fail(&f, "a function");
  double *out = memset(lves_push_like(L, fn, &a), 0, lves_count(&a) * sizeof *out);
  for (size_t i = 0; i < lves_count(&a); i++) {
    lua_pushvalue(L, 2);
    lua_pushnumber(L, a.data[i]);
    lua_call(L, 1, 1);
    if (lua_type(L, -1) != LUA_TNUMBER)
      lves_error(L, fn, "f returned %s for element %d: expected a number", lves_describe(L, -1),
                 (int)i + 1);
    out[i] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  return 1;
}

/* ---- functions of one element ---- */

typedef double (*unary_fn)(double);

static int apply(lua_State *L, const char *fn, unary_fn f) {
  const lves_array a = lves_self_with(L, fn, 0, 1);
  double *out = lves_push_like(L, fn, &a);
  LVES_EACH(L, fn, i, lves_count(&a)) out[i] = f(a.data[i]);
  return 1;
}

/*** vector:abs() -> vector
 * Absolute values; also of a matrix.
 * @example print(ves.vector{-1, 2, -3}:abs())
 */
static int array_abs(lua_State *L) { return apply(L, "vector:abs", fabs); }

/*** vector:floor() -> vector
 * The largest whole number not above each element; also of a matrix.
 * @example print(ves.vector{-1.5, 2.5}:floor())
 */
static int array_floor(lua_State *L) { return apply(L, "vector:floor", floor); }

/*** vector:exp() -> vector
 * e to the power of each element; also of a matrix.
 * @example print(ves.vector{0, 1}:exp())
 */
static int array_exp(lua_State *L) { return apply(L, "vector:exp", exp); }

/*** vector:log() -> vector
 * Natural logarithms: -inf of 0, nan of what is below; also of a matrix.
 * @example print(ves.vector{1, 10}:log())
 */
static int array_log(lua_State *L) { return apply(L, "vector:log", log); }

/*** vector:sqrt() -> vector
 * Square roots: nan of what is below 0; also of a matrix.
 * @example print(ves.vector{1, 4, 9}:sqrt())
 */
static int array_sqrt(lua_State *L) { return apply(L, "vector:sqrt", sqrt); }

/*** vector:clamp(lo, hi) -> vector
 * Elements below lo raised to it, above hi lowered to it; also of a matrix.
 * @param lo number
 * @param hi number >= lo
 * @example print(ves.vector{-1, 0.5, 3}:clamp(0, 1))
 */
static int array_clamp(lua_State *L) {
  const char *fn = "vector:clamp";
  const lves_array a = lves_self_with(L, fn, 0, 3);
  const lves_arg least = lves_argument(L, fn, 2, "lo"), most = lves_argument(L, fn, 3, "hi");
  const double lo = lves_number(&least, LVES_FINITE), hi = lves_number(&most, LVES_FINITE);
  if (hi < lo) lves_fail(&most, "a number not below lo");
  double *out = lves_push_like(L, fn, &a);
  LVES_EACH(L, fn, i, lves_count(&a))
    out[i] = a.data[i] < lo ? lo : a.data[i] > hi ? hi : a.data[i];
  return 1;
}

/*** vector:less(other) -> vector
 * 1 where an element is less than its counterpart, 0 elsewhere and for not-a-number; also of a
 * matrix. Such a vector chooses between two others: `m * a + (1 - m) * b`.
 * @param other number, or a vector or matrix of the same shape
 * @example print(ves.vector{1, 2, 3}:less(2), ves.vector{1, 2}:less{0, 5})
 */
static int array_less(lua_State *L) {
  const char *fn = "vector:less";
  const lves_array a = lves_self_with(L, fn, 0, 2);
  const lves_arg other = lves_argument(L, fn, 2, "other");
  if (lua_type(L, 2) != LUA_TTABLE && lua_type(L, 2) != LUA_TUSERDATA) {
    if (lua_type(L, 2) != LUA_TNUMBER) lves_fail(&other, "a number, vector or matrix");
    const double bound = lves_number(&other, LVES_ORDERED);
    double *out = lves_push_like(L, fn, &a);
    LVES_EACH(L, fn, i, lves_count(&a)) out[i] = a.data[i] < bound ? 1.0 : 0.0;
    return 1;
  }
  const lves_array b = lves_array_of(&other, LVES_ORDERED, &a);
  double *out = lves_push_like(L, fn, &a);
  LVES_EACH(L, fn, i, lves_count(&a)) out[i] = a.data[i] < b.data[i] ? 1.0 : 0.0;
  return 1;
}

/* ---- functions of a row ---- */

/*** vector:cumsum() -> vector
 * Running sums: element i of the result is the sum of elements 1 to i. Of a matrix, along its rows.
 * @example print(ves.vector{1, 2, 3}:cumsum())
 */
static int array_cumsum(lua_State *L) {
  const lves_array a = lves_self_with(L, "vector:cumsum", 0, 1);
  double *out = lves_push_like(L, "vector:cumsum", &a);
  for (size_t r = 0; r < a.rows; r++) {
    double sum = 0.0;
    double *to = out + r * a.cols;
    const double *from = a.data + r * a.cols;
    LVES_EACH(L, "vector:cumsum", i, a.cols) to[i] = sum += from[i];
  }
  return 1;
}

/*** vector:normalise() -> vector
 * Elements divided by their sum; of a matrix, each row by its own. What adds up to 0 stays.
 * @example print(ves.vector{1, 3}:normalise())
 */
static int array_normalise(lua_State *L) {
  const lves_array a = lves_self_with(L, "vector:normalise", 0, 1);
  double *out = lves_push_like(L, "vector:normalise", &a);
  for (size_t r = 0; r < a.rows; r++) {
    double sum = 0.0;
    double *to = out + r * a.cols;
    const double *from = a.data + r * a.cols;
    LVES_EACH(L, "vector:normalise", i, a.cols) sum += from[i];
    const double divisor = sum == 0.0 ? 1.0 : sum;
    LVES_EACH(L, "vector:normalise", i, a.cols) to[i] = from[i] / divisor;
  }
  return 1;
}

const luaL_Reg lves_elementwise_methods[] = {
    {"copy", array_copy},
    {"map", array_map},
    {"abs", array_abs},
    {"floor", array_floor},
    {"exp", array_exp},
    {"log", array_log},
    {"sqrt", array_sqrt},
    {"clamp", array_clamp},
    {"less", array_less},
    {"cumsum", array_cumsum},
    {"normalise", array_normalise},
    {NULL, NULL},
};
