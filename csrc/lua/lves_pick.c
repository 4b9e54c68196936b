/* lves_pick: positions in a vector or matrix: the order of its elements, elements and rows by their
 * positions, and how often each position occurs. */
#include "lves.h"
#include "ves_order.h"

/* Pushes scratch with the indices of the elements in ascending order, equal ones in their own. */
static const size_t *push_order(lua_State *L, const char *fn, const lves_array *a) {
  const size_t n = lves_count(a);
  double *negative = lves_scratch(L, n, sizeof *negative);
  size_t *order = lves_scratch(L, n, sizeof *order);
  LVES_EACH(L, fn, i, n) negative[i] = -a->data[i];
  if (!ves_order_finish(negative, n, order)) lves_check(L, fn, VES_ESTOPPED);
  return order;
}

/*** vector:order() -> vector
 * The indices of the elements in ascending order; equal ones keep theirs. Of a matrix, elements
 * count row by row.
 * @example print(ves.vector{30, 10, 20}:order())
 */
static int array_order(lua_State *L) {
  const char *fn = "vector:order";
  const lves_array a = lves_self_ordered(L, fn, 1);
  const size_t n = lves_count(&a), *order = push_order(L, fn, &a);
  double *out = lves_push_vector(L, n);
  LVES_EACH(L, fn, i, n) out[i] = (double)(order[i] + 1);
  return 1;
}

/*** vector:ranks() -> vector
 * The rank of each element, from 1 for the smallest; equal ones share the mean of theirs. Also of a
 * matrix.
 * @example print(ves.vector{30, 10, 20, 10}:ranks())
 */
static int array_ranks(lua_State *L) {
  const char *fn = "vector:ranks";
  const lves_array a = lves_self_ordered(L, fn, 1);
  const size_t n = lves_count(&a), *order = push_order(L, fn, &a);
  double *out = lves_push_like(L, fn, &a);
  for (size_t first = 0, last; first < n; first = last) { /* a group of equals */
    if (first % 64 == 0) lves_block_end(L, fn, first, n);
    for (last = first + 1; last < n && a.data[order[last]] == a.data[order[first]];) last++;
    for (size_t r = first; r < last; r++) out[order[r]] = (double)(first + 1 + last) / 2;
  }
  return 1;
}

/*** vector:above(threshold) -> positions
 * The positions of elements above a threshold, ascending; there may be none, and not-a-number is
 * not above anything. Of a matrix, elements count row by row: `m:flatten():take(positions)` has
 * them.
 * @param threshold number
 * @return vector of whole numbers; its size is 0 if there are none
 * @example x = ves.vector{0, 0.5, 0.9}; at = x:above(0.1); print(at, x:take(at))
 */
static int array_above(lua_State *L) {
  const char *fn = "vector:above";
  const lves_array a = lves_self_with(L, fn, 0, 2);
  const lves_arg least = lves_argument(L, fn, 2, "threshold");
  const double threshold = lves_number(&least, LVES_ORDERED);
  size_t count = 0;
  LVES_EACH(L, fn, i, lves_count(&a)) count += a.data[i] > threshold;
  double *out = lves_push_vector(L, count);
  size_t at = 0;
  LVES_EACH(L, fn, i, lves_count(&a))
    if (a.data[i] > threshold) out[at++] = (double)(i + 1);
  return 1;
}

void lves_check_positions(const lves_arg *arg, const lves_array *a, size_t least, size_t most) {
  LVES_EACH(arg->L, arg->fn, i, a->cols) {
    const double at = a->data[i];
    if (at >= (double)least && at <= (double)most && at == (double)(size_t)at) continue;
    const char *expected =
        lua_pushfstring(arg->L, "a whole number in [%d, %d]", (int)least, (int)most);
    lves_fail_at(arg, 0, i + 1, at, expected);
  }
}

/*** vector:take(positions) -> vector
 * The elements at the given positions, none for no position; of a matrix, its rows, at least one.
 * @param positions vector of whole numbers in [1, #v], in any order and as often as they occur
 * @example print(ves.vector{10, 20, 30}:take{3, 1, 3})
 */
static int array_take(lua_State *L) {
  const char *fn = "vector:take";
  const lves_array a = lves_self_with(L, fn, 1, 2);
  const lves_arg positions = lves_argument(L, fn, 2, "positions");
  lves_array none;
  if (!a.matrix && lves_array_test(L, 2, &none) && !none.matrix && !none.closed && none.cols == 0) {
    lves_push_vector(L, 0);
    return 1;
  }
  const lves_array at = lves_vector_arg(&positions, LVES_FINITE);
  lves_check_positions(&positions, &at, 1, a.matrix ? a.rows : a.cols);
  const lves_array shape = {
      .rows = a.matrix ? at.cols : 1, .cols = a.matrix ? a.cols : at.cols, .matrix = a.matrix};
  double *out = lves_push_like(L, fn, &shape);
  if (!a.matrix) {
    LVES_EACH(L, fn, i, at.cols) out[i] = a.data[(size_t)at.data[i] - 1];
    return 1;
  }
  for (size_t i = 0; i < at.cols; i++)
    lves_copy(L, fn, out + i * a.cols, a.data + ((size_t)at.data[i] - 1) * a.cols, a.cols);
  return 1;
}

/*** vector:counts(n) -> counts, zeros
 * How often each of 1 to n occurs, as in a vector of winners; and how often 0, which stands for no
 * winner. Also of a matrix.
 * @param n integer >= 1: no element is larger
 * @return vector of n, number
 * @example print(ves.vector{1, 3, 0, 3}:counts(3))
 */
static int array_counts(lua_State *L) {
  const char *fn = "vector:counts";
  const lves_array a = lves_self_with(L, fn, 0, 2);
  const lves_arg self = lves_argument(L, fn, 1, "self"), most = lves_argument(L, fn, 2, "n");
  const size_t n = (size_t)lves_integer(&most, 1, LVES_SIZE_MAX);
  const lves_array flat = {.data = a.data, .rows = 1, .cols = lves_count(&a), .matrix = false};
  lves_check_positions(&self, &flat, 0, n);
  double *out = lves_push_vector(L, n);
  lua_Integer zeros = 0;
  LVES_EACH(L, fn, i, flat.cols) {
    const size_t at = (size_t)flat.data[i];
    if (at == 0)
      zeros++;
    else
      out[at - 1] += 1.0;
  }
  lua_pushinteger(L, zeros);
  return 2;
}

/* How many of n ascending numbers are below the value. */
static size_t below(const double *ascending, size_t n, double value) {
  size_t first = 0;
  while (n > 0) {
    const size_t half = n / 2;
    if (ascending[first + half] < value) {
      first += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return first;
}

/*** vector:search(values) -> positions
 * The position of the first element that is not below a value; #v + 1 if all are. The elements, of
 * a matrix row by row, must ascend. In the running sums of a distribution this finds the outcome of
 * a uniform number.
 * @param values number, or a vector of them
 * @return integer, or a vector of whole numbers
 * @example print(ves.vector{0.2, 0.5, 1}:search(0.3), ves.vector{0.2, 0.5, 1}:search{0, 0.5, 2})
 */
static int array_search(lua_State *L) {
  const char *fn = "vector:search";
  const lves_array a = lves_self_ordered(L, fn, 2);
  const lves_arg values = lves_argument(L, fn, 2, "values");
  const size_t n = lves_count(&a);
  LVES_EACH(L, fn, i, n)
    if (i > 0 && a.data[i] < a.data[i - 1])
      lves_error(L, fn, "element %d is less than the one before: expected ascending elements",
                 (int)i + 1);
  if (lua_type(L, 2) != LUA_TTABLE && lua_type(L, 2) != LUA_TUSERDATA) {
    if (lua_type(L, 2) != LUA_TNUMBER) lves_fail(&values, "a number or a vector");
    const double value = lves_number(&values, LVES_ORDERED);
    lua_pushinteger(L, (lua_Integer)below(a.data, n, value) + 1);
    return 1;
  }
  const lves_array wanted = lves_vector_arg(&values, LVES_ORDERED);
  double *out = lves_push_vector(L, wanted.cols);
  LVES_EACH(L, fn, i, wanted.cols) out[i] = (double)below(a.data, n, wanted.data[i]) + 1.0;
  return 1;
}

const luaL_Reg lves_pick_methods[] = {
    {"order", array_order}, {"ranks", array_ranks},   {"above", array_above},
    {"take", array_take},   {"counts", array_counts}, {"search", array_search},
    {NULL, NULL},
};
