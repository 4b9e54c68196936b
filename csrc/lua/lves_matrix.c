/* lves_matrix: the Lua face of gsl_matrix. Rows are contiguous, so that a row is a view: `m[i]`
 * shares its numbers with the matrix and keeps it alive. */
#include "lves.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- making ---- */

/*** ves.matrix(values) -> matrix
 * A matrix of numbers: from a Lua array of rows or another matrix, or of equal elements.
 * `#m` is the number of rows, `m.rows` and `m.cols` are its shape, `m[i]` a row that shares its
 * numbers and `m[i][j]` an element, counting from 1; + - * / ^ act element by element.
 * @param values array of arrays or vectors, or a matrix; or the number of rows, an integer >= 1
 * @param cols integer >= 1: the number of columns
 * @param fill number: the value of all elements, default 0
 * @return matrix
 * @field rows integer
 * @field cols integer
 * @example m = ves.matrix{{1, 2}, {3, 4}}; z = ves.matrix(2, 2, 0.5); print((m * z)[2][1])
 */
static int matrix_new(lua_State *L) {
  const char *fn = "ves.matrix";
  lves_arity(L, fn, 3);
  const lves_arg values = lves_argument(L, fn, 1, "values"), cols = lves_argument(L, fn, 2, "cols"),
                 fill = lves_argument(L, fn, 3, "fill");
  if (lua_type(L, 1) == LUA_TNUMBER) {
    const lves_arg rows = lves_argument(L, fn, 1, "rows");
    const size_t m = (size_t)lves_integer(&rows, 1, LVES_SIZE_MAX);
    const size_t n = (size_t)lves_integer(&cols, 1, LVES_SIZE_MAX);
    const double value = lves_number_or(&fill, LVES_FINITE, 0.0);
    double *data = lves_push_matrix(L, fn, m, n);
    LVES_EACH(L, fn, i, m * n) data[i] = value;
    return 1;
  }
  if (lua_type(L, 1) != LUA_TTABLE && lua_type(L, 1) != LUA_TUSERDATA)
    lves_fail(&values, "an array of rows, a matrix or a number of rows");
  if (!lves_absent(&cols)) lves_fail(&cols, "nothing: it belongs to ves.matrix(rows, cols, fill)");
  if (!lves_absent(&fill)) lves_fail(&fill, "nothing: it belongs to ves.matrix(rows, cols, fill)");
  const lves_array a = lves_matrix_arg(&values, LVES_FINITE);
  double *data = lves_push_matrix(L, fn, a.rows, a.cols);
  lves_copy(L, fn, data, a.data, a.rows * a.cols);
  return 1;
}

/* ---- elements ---- */

static lves_array self_matrix(lua_State *L, const char *fn) {
  const lves_arg self = lves_argument(L, fn, 1, "self");
  lves_array a;
  if (!lves_array_test(L, 1, &a) || !a.matrix) lves_fail(&self, "a matrix (call it with a colon)");
  if (a.closed) lves_fail(&self, "one that has not been closed");
  return a;
}

/* The row or column that the value at `at` names, from 0. */
static size_t position(lua_State *L, const char *fn, int at, const char *what, size_t count) {
  int integral = 0;
  const lua_Integer i = lua_type(L, at) == LUA_TNUMBER ? lua_tointegerx(L, at, &integral) : 0;
  if (!integral || i < 1 || (lua_Unsigned)i > count)
    lves_error(L, fn, "%s %s is out of range: the matrix has %d %ss", what, lves_describe(L, at),
               (int)count, what);
  return (size_t)i - 1;
}

static int matrix_index(lua_State *L) {
  static const char *const fields[] = {"rows", "cols", NULL};
  const lves_array m = self_matrix(L, "matrix");
  if (lua_type(L, 2) == LUA_TNUMBER) {
    const size_t i = position(L, "matrix", 2, "row", m.rows);
    lves_push_view(L, 1, m.data + i * m.cols, m.cols);
    return 1;
  }
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (strcmp(key, "rows") == 0)
    lua_pushinteger(L, (lua_Integer)m.rows);
  else if (strcmp(key, "cols") == 0)
    lua_pushinteger(L, (lua_Integer)m.cols);
  else
    return lves_method(L, "matrix", fields);
  return 1;
}

/* m[i] = row copies the numbers. */
static int matrix_newindex(lua_State *L) {
  const lves_array m = self_matrix(L, "matrix");
  const lves_arg value = lves_argument(L, "matrix", 3, "row");
  if (lua_type(L, 2) != LUA_TNUMBER)
    lves_error(L, "matrix", "cannot set %s: only rows can be set", lves_describe(L, 2));
  const size_t i = position(L, "matrix", 2, "row", m.rows);
  const lves_array row = lves_vector_of(&value, LVES_FINITE, m.cols);
  memmove(m.data + i * m.cols, row.data, m.cols * sizeof *m.data);
  return 0;
}

static int matrix_len(lua_State *L) {
  const lves_array m = self_matrix(L, "matrix");
  lua_pushinteger(L, (lua_Integer)m.rows);
  return 1;
}

static int matrix_next(lua_State *L) {
  const lves_array m = self_matrix(L, "matrix");
  const lua_Integer i = lua_isnil(L, 2) ? 0 : luaL_checkinteger(L, 2);
  if (i < 0 || (lua_Unsigned)i >= m.rows) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushinteger(L, i + 1);
  lves_push_view(L, 1, m.data + (size_t)i * m.cols, m.cols);
  return 2;
}

static int matrix_pairs(lua_State *L) {
  self_matrix(L, "matrix");
  lua_pushcfunction(L, matrix_next);
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  return 3;
}

/* "2 x 3 matrix in [0, 1]", followed by the rows if they are few and short. */
static int matrix_tostring(lua_State *L) {
  lves_array closed;
  if (lves_array_test(L, 1, &closed) && closed.closed) return lves_closed_text(L, "matrix");
  enum { SHOWN = 8 };
  const lves_array m = self_matrix(L, "tostring");
  double lo = HUGE_VAL, hi = -HUGE_VAL;
  char text[80];
  luaL_Buffer b;
  LVES_EACH(L, "tostring", i, m.rows * m.cols) {
    if (m.data[i] < lo) lo = m.data[i];
    if (m.data[i] > hi) hi = m.data[i];
  }
  luaL_buffinit(L, &b);
  snprintf(text, sizeof text, "%zu x %zu matrix", m.rows, m.cols);
  luaL_addstring(&b, text);
  if (lo <= hi) {
    lves_snprintf(text, sizeof text, " in [%.6g, %.6g]", lo, hi);
    luaL_addstring(&b, text);
  }
  for (size_t i = 0; m.rows <= SHOWN && m.cols <= SHOWN && i < m.rows; i++) {
    luaL_addstring(&b, "\n ");
    for (size_t j = 0; j < m.cols; j++) {
      const double value = m.data[i * m.cols + j];
      lves_snprintf(text, sizeof text, " %.6g", value);
      luaL_addstring(&b, isnan(value) ? " nan" : text);
    }
  }
  luaL_pushresult(&b);
  return 1;
}

/*** matrix:get(i, j) -> number
 * The element in row i and column j, counting from 1.
 * @param i integer: the row
 * @param j integer: the column
 * @example print(ves.matrix{{1, 2}, {3, 4}}:get(2, 1))
 */
static int matrix_get(lua_State *L) {
  const char *fn = "matrix:get";
  const lves_array m = self_matrix(L, fn);
  lves_arity(L, fn, 3);
  const size_t i = position(L, fn, 2, "row", m.rows), j = position(L, fn, 3, "column", m.cols);
  lua_pushnumber(L, m.data[i * m.cols + j]);
  return 1;
}

/*** matrix:set(i, j, value) -> matrix
 * Sets the element in row i and column j, counting from 1, and returns the matrix.
 * @param i integer: the row
 * @param j integer: the column
 * @param value number
 * @example print(ves.matrix(2, 2):set(1, 2, 5):get(1, 2))
 */
static int matrix_set(lua_State *L) {
  const char *fn = "matrix:set";
  const lves_array m = self_matrix(L, fn);
  lves_arity(L, fn, 4);
  const lves_arg value = lves_argument(L, fn, 4, "value");
  const size_t i = position(L, fn, 2, "row", m.rows), j = position(L, fn, 3, "column", m.cols);
  m.data[i * m.cols + j] = lves_number(&value, LVES_FINITE);
  lua_settop(L, 1);
  return 1;
}

/*** matrix:row(i) -> vector
 * Row i as a view: it shares its numbers with the matrix. `m[i]` is the same.
 * @param i integer: the row
 * @example m = ves.matrix(2, 2); m:row(1)[2] = 7; print(m:get(1, 2))
 */
static int matrix_row(lua_State *L) {
  const lves_array m = self_matrix(L, "matrix:row");
  lves_arity(L, "matrix:row", 2);
  const size_t i = position(L, "matrix:row", 2, "row", m.rows);
  lves_push_view(L, 1, m.data + i * m.cols, m.cols);
  return 1;
}

/*** matrix:col(j) -> vector
 * A copy of column j, with numbers of its own.
 * @param j integer: the column
 * @example print(ves.matrix{{1, 2}, {3, 4}}:col(2))
 */
static int matrix_col(lua_State *L) {
  const lves_array m = self_matrix(L, "matrix:col");
  lves_arity(L, "matrix:col", 2);
  const size_t j = position(L, "matrix:col", 2, "column", m.cols);
  double *out = lves_push_vector(L, m.rows);
  LVES_EACH(L, "matrix:col", i, m.rows) out[i] = m.data[i * m.cols + j];
  return 1;
}

/* ---- linear algebra ---- */

/*** matrix:transpose() -> matrix
 * The transpose, a copy.
 * @example print(ves.matrix{{1, 2, 3}}:transpose().rows)
 */
static int matrix_transpose(lua_State *L) {
  const char *fn = "matrix:transpose";
  const lves_array m = self_matrix(L, fn);
  lves_arity(L, fn, 1);
  double *out = lves_push_matrix(L, fn, m.cols, m.rows);
  for (size_t i = 0; i < m.rows; i++)
    LVES_EACH(L, fn, j, m.cols) out[j * m.rows + i] = m.data[i * m.cols + j];
  return 1;
}

/* Adds up to FACTORS rows, each times its factor, one after the other: what is added to stays in a
 * register meanwhile, and eight columns go side by side. */
enum { FACTORS = 4, COLUMNS = 8 };

typedef struct {
  size_t count;
  double factor[FACTORS];
  const double *row[FACTORS];
} addends;

static void add_rows(const addends *a, size_t cols, double *restrict to) {
  const double f0 = a->factor[0], f1 = a->factor[1], f2 = a->factor[2], f3 = a->factor[3];
  const double *r0 = a->row[0], *r1 = a->row[1], *r2 = a->row[2], *r3 = a->row[3];
  size_t j = 0;
  for (; a->count == FACTORS && j + COLUMNS <= cols; j += COLUMNS)
    for (size_t c = j; c < j + COLUMNS; c++)
      to[c] = (((to[c] + f0 * r0[c]) + f1 * r1[c]) + f2 * r2[c]) + f3 * r3[c];
  for (; j < cols; j++)
    for (size_t k = 0; k < a->count; k++) to[j] += a->factor[k] * a->row[k][j];
}

/* Each element is a sum in ascending order of the shared index. All are finite, so that a factor of
 * 0, as most activities are, adds nothing. */
static void multiply(lua_State *L, const char *fn, const lves_array *a, const lves_array *b,
                     size_t cols, double *out) {
  for (size_t i = 0; i < a->rows; i++) {
    addends some = {0};
    LVES_EACH(L, fn, k, a->cols) {
      const double factor = a->data[i * a->cols + k];
      if (factor == 0) continue;
      some.factor[some.count] = factor;
      some.row[some.count++] = b->data + k * cols;
      if (some.count < FACTORS) continue;
      add_rows(&some, cols, out + i * cols);
      some.count = 0;
    }
    add_rows(&some, cols, out + i * cols);
  }
}

/* The same sums for a vector v, four rows at a time: none waits for another's addition. */
static void multiply_vector(lua_State *L, const char *fn, const lves_array *a, const double *v,
                            double *out) {
  const size_t n = a->cols, fours = a->rows / 4 * 4;
  for (size_t i = 0; i < fours; i += 4) {
    const double *row = a->data + i * n;
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    LVES_EACH(L, fn, k, n) {
      sum[0] += row[k] * v[k];
      sum[1] += row[n + k] * v[k];
      sum[2] += row[2 * n + k] * v[k];
      sum[3] += row[3 * n + k] * v[k];
    }
    memcpy(out + i, sum, sizeof sum);
  }
  for (size_t i = fours; i < a->rows; i++)
    LVES_EACH(L, fn, k, n) out[i] += a->data[i * n + k] * v[k];
}

/*** matrix:mul(other) -> matrix|vector
 * The matrix product with another matrix, or with a vector.
 * @param other matrix with as many rows as this has columns, or a vector of that size
 * @example print(ves.matrix{{1, 2}, {3, 4}}:mul{1, 1})
 */
static int matrix_mul(lua_State *L) {
  const char *fn = "matrix:mul";
  const lves_array m = self_matrix(L, fn);
  lves_arity(L, fn, 2);
  const lves_arg other = lves_argument(L, fn, 2, "other");
  const lves_array b = lves_array_arg(&other, LVES_FINITE);
  const size_t shared = b.matrix ? b.rows : b.cols, cols = b.matrix ? b.cols : 1;
  if (shared != m.cols)
    lves_fail(&other, "a matrix with %d rows or a vector of %d", (int)m.cols, (int)m.cols);
  double *out = b.matrix ? lves_push_matrix(L, fn, m.rows, cols) : lves_push_vector(L, m.rows);
  if (cols == 1)
    multiply_vector(L, fn, &m, b.data, out);
  else
    multiply(L, fn, &m, &b, cols, out);
  return 1;
}

/*** matrix:row_sums() -> vector
 * The sum of each row.
 * @example print(ves.matrix{{1, 2}, {3, 4}}:row_sums())
 */
static int matrix_row_sums(lua_State *L) {
  const lves_array m = self_matrix(L, "matrix:row_sums");
  lves_arity(L, "matrix:row_sums", 1);
  double *out = lves_push_vector(L, m.rows);
  for (size_t i = 0; i < m.rows; i++)
    LVES_EACH(L, "matrix:row_sums", j, m.cols) out[i] += m.data[i * m.cols + j];
  return 1;
}

/*** matrix:col_sums() -> vector
 * The sum of each column.
 * @example print(ves.matrix{{1, 2}, {3, 4}}:col_sums())
 */
static int matrix_col_sums(lua_State *L) {
  const lves_array m = self_matrix(L, "matrix:col_sums");
  lves_arity(L, "matrix:col_sums", 1);
  double *out = lves_push_vector(L, m.cols);
  for (size_t i = 0; i < m.rows; i++)
    LVES_EACH(L, "matrix:col_sums", j, m.cols) out[j] += m.data[i * m.cols + j];
  return 1;
}

/*** matrix:flatten() -> vector
 * All elements, row by row, as a vector.
 * @example print(ves.matrix{{1, 2}, {3, 4}}:flatten())
 */
static int matrix_flatten(lua_State *L) {
  const lves_array m = self_matrix(L, "matrix:flatten");
  lves_arity(L, "matrix:flatten", 1);
  const size_t count = m.rows * m.cols;
  double *out = lves_push_vector(L, count);
  lves_copy(L, "matrix:flatten", out, m.data, count);
  return 1;
}

/*** matrix:totable() -> table
 * The elements as a plain Lua array of rows.
 * @example print(ves.matrix{{1, 2}, {3, 4}}:totable()[2][1])
 */
static int matrix_totable(lua_State *L) {
  const lves_array m = self_matrix(L, "matrix:totable");
  lves_arity(L, "matrix:totable", 1);
  lua_createtable(L, (int)m.rows, 0);
  for (size_t i = 0; i < m.rows; i++) {
    lua_createtable(L, (int)m.cols, 0);
    LVES_EACH(L, "matrix:totable", j, m.cols) {
      lua_pushnumber(L, m.data[i * m.cols + j]);
      lua_rawseti(L, -2, (lua_Integer)j + 1);
    }
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  return 1;
}

static const luaL_Reg metamethods[] = {
    {"__newindex", matrix_newindex}, {"__len", matrix_len},         {"__pairs", matrix_pairs},
    {"__tostring", matrix_tostring}, {"__close", lves_array_close}, {NULL, NULL},
};

static const luaL_Reg methods[] = {
    {"get", matrix_get},
    {"set", matrix_set},
    {"row", matrix_row},
    {"col", matrix_col},
    {"mul", matrix_mul},
    {"transpose", matrix_transpose},
    {"row_sums", matrix_row_sums},
    {"col_sums", matrix_col_sums},
    {"flatten", matrix_flatten},
    {"totable", matrix_totable},
    {NULL, NULL},
};

void lves_open_matrix(lua_State *L) {
  static const luaL_Reg *const all[] = {methods, lves_stats_methods, lves_elementwise_methods,
                                        lves_pick_methods, NULL};
  lves_class(L, LVES_MATRIX, matrix_index, metamethods, all);
  luaL_getmetatable(L, LVES_MATRIX);
  luaL_setfuncs(L, lves_array_metamethods, 0);
  lua_pop(L, 1);
  lua_pushcfunction(L, matrix_new);
  lua_setfield(L, -2, "matrix");
}
