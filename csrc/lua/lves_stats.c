/* lves_stats: summaries of the numbers of a vector or matrix.
 *
 * Sums run from the first element to the last (a matrix row by row) in double precision: one order,
 * one result, on every machine. GSL's own mean and variance accumulate in long double, whose width
 * differs between processors, so they are not used; its quantile is. */
#include "lves.h"
#include "ves_order.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>

static double sum_of(lua_State *L, const double *x, size_t n) {
  double sum = 0.0;
  LVES_EACH(L, "vector", i, n) sum += x[i];
  return sum;
}

static double variance_of(lua_State *L, const double *x, size_t n) {
  const double mean = sum_of(L, x, n) / (double)n;
  double squares = 0.0;
  LVES_EACH(L, "vector", i, n) squares += (x[i] - mean) * (x[i] - mean);
  return squares / (double)(n - 1);
}

/*** vector:sum() -> number
 * The sum of the elements, added from first to last; also of a matrix.
 * @return number; 0 if there are none
 * @example print(ves.vector{1, 2, 3}:sum())
 */
static int array_sum(lua_State *L) {
  const lves_array a = lves_self_with(L, "vector:sum", 0, 1);
  lua_pushnumber(L, sum_of(L, a.data, lves_count(&a)));
  return 1;
}

/*** vector:mean() -> number
 * The mean of the elements; also of a matrix.
 * @example print(ves.vector{1, 2, 3}:mean())
 */
static int array_mean(lua_State *L) {
  const lves_array a = lves_self_with(L, "vector:mean", 1, 1);
  lua_pushnumber(L, sum_of(L, a.data, lves_count(&a)) / (double)lves_count(&a));
  return 1;
}

/*** vector:var() -> number
 * The sample variance, with n - 1 in the denominator; also of a matrix. Needs two elements.
 * @example print(ves.vector{1, 2, 4}:var())
 */
static int array_var(lua_State *L) {
  const lves_array a = lves_self_with(L, "vector:var", 2, 1);
  lua_pushnumber(L, variance_of(L, a.data, lves_count(&a)));
  return 1;
}

/*** vector:sd() -> number
 * The sample standard deviation, with n - 1 in the denominator; also of a matrix. Needs two
 * elements.
 * @example print(ves.vector{1, 2, 4}:sd())
 */
static int array_sd(lua_State *L) {
  const lves_array a = lves_self_with(L, "vector:sd", 2, 1);
  lua_pushnumber(L, sqrt(variance_of(L, a.data, lves_count(&a))));
  return 1;
}

static size_t extreme(lua_State *L, const lves_array *a, double sign) {
  size_t best = 0;
  LVES_EACH(L, "vector", i, lves_count(a))
    if (sign * a->data[i] > sign * a->data[best]) best = i;
  return best;
}

/*** vector:min() -> number
 * The smallest element; also of a matrix.
 * @example print(ves.vector{3, 1, 2}:min())
 */
static int array_min(lua_State *L) {
  const lves_array a = lves_self_ordered(L, "vector:min", 1);
  lua_pushnumber(L, a.data[extreme(L, &a, -1)]);
  return 1;
}

/*** vector:max() -> number
 * The largest element; also of a matrix.
 * @example print(ves.vector{3, 1, 2}:max())
 */
static int array_max(lua_State *L) {
  const lves_array a = lves_self_ordered(L, "vector:max", 1);
  lua_pushnumber(L, a.data[extreme(L, &a, 1)]);
  return 1;
}

static int push_position(lua_State *L, const lves_array *a, size_t at) {
  if (a->matrix) lua_pushinteger(L, (lua_Integer)(at / a->cols) + 1);
  lua_pushinteger(L, (lua_Integer)(at % a->cols) + 1);
  return a->matrix ? 2 : 1;
}

/*** vector:argmax() -> index
 * Where the largest element is, counting from 1; the first of equals. Of a matrix: row and column.
 * @example print(ves.vector{1, 3, 3}:argmax())
 */
static int array_argmax(lua_State *L) {
  const lves_array a = lves_self_ordered(L, "vector:argmax", 1);
  return push_position(L, &a, extreme(L, &a, 1));
}

/*** vector:argmin() -> index
 * Where the smallest element is, counting from 1; the first of equals. Of a matrix: row and column.
 * @example print(ves.vector{1, 3, 3}:argmin())
 */
static int array_argmin(lua_State *L) {
  const lves_array a = lves_self_ordered(L, "vector:argmin", 1);
  return push_position(L, &a, extreme(L, &a, -1));
}

/* Pushes a sorted copy, as a vector. */
static double *push_sorted(lua_State *L, const char *fn, const lves_array *a) {
  const size_t n = lves_count(a);
  double *sorted = lves_push_vector(L, n);
  lves_copy(L, fn, sorted, a->data, n);
  if (!ves_sort_ascending(sorted, n)) lves_check(L, fn, VES_ESTOPPED);
  return sorted;
}

/*** vector:sort() -> vector
 * A copy in ascending order; of a matrix, all its elements as one vector.
 * @example print(ves.vector{3, 1, 2}:sort())
 */
static int array_sort(lua_State *L) {
  const char *fn = "vector:sort";
  const lves_array a = lves_self_ordered(L, fn, 1);
  push_sorted(L, fn, &a);
  return 1;
}

/*** vector:quantile(p) -> number
 * The p-quantile, interpolating linearly between order statistics: position 1 + p (n - 1) of the
 * sorted elements. With a vector of p, a vector of quantiles. Also of a matrix.
 * @param p number in [0, 1], or a vector of them
 * @example print(ves.vector{1, 2, 3, 4}:quantile(0.5))
 */
static int array_quantile(lua_State *L) {
  const char *fn = "vector:quantile";
  const lves_array a = lves_self_ordered(L, fn, 2);
  const lves_arg p = lves_argument(L, fn, 2, "p");
  if (lua_type(L, 2) != LUA_TTABLE && lua_type(L, 2) != LUA_TUSERDATA) {
    const double at = lves_number(&p, LVES_PROBABILITY);
    const double *sorted = push_sorted(L, fn, &a);
    lua_pushnumber(L, gsl_stats_quantile_from_sorted_data(sorted, 1, lves_count(&a), at));
    return 1;
  }
  const lves_array ps = lves_vector_arg(&p, LVES_PROBABILITY);
  const double *sorted = push_sorted(L, fn, &a);
  double *out = lves_push_vector(L, ps.cols);
  for (size_t i = 0; i < ps.cols; i++)
    out[i] = gsl_stats_quantile_from_sorted_data(sorted, 1, lves_count(&a), ps.data[i]);
  return 1;
}

const luaL_Reg lves_stats_methods[] = {
    {"sum", array_sum},
    {"mean", array_mean},
    {"var", array_var},
    {"sd", array_sd},
    {"min", array_min},
    {"max", array_max},
    {"argmax", array_argmax},
    {"argmin", array_argmin},
    {"sort", array_sort},
    {"quantile", array_quantile},
    {NULL, NULL},
};
