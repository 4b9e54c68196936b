/* lves_array: the boxes of vectors and matrices, and reading them as arguments.
 *
 * The numbers live in the userdata itself, behind a gsl_vector or gsl_matrix header, so that Lua's
 * collector sees what they weigh, an allocation that fails is an ordinary Lua error, and closing a
 * vector can never leave a view of it dangling. */
#include "lves.h"
#include "ves_stop.h"

#include <math.h>
#include <string.h>

/* ---- making ---- */

/* The numbers begin at the first multiple of the size of a double behind the header. */
static double *data_behind(void *box, size_t header) {
  const size_t unit = sizeof(double);
  return (double *)(void *)((char *)box + (header + unit - 1) / unit * unit);
}

static void init_vector(lves_vector *v, double *data, size_t n) {
  v->gsl = (gsl_vector){.size = n, .stride = 1, .block = NULL, .owner = 0};
  v->gsl.data = data;
  v->closed = false;
}

static double *push_vector(lua_State *L, size_t n) {
  luaL_checkstack(L, 8, NULL);
  if (n > LVES_SIZE_MAX) luaL_error(L, "a vector of %f elements is too large", (double)n);
  lves_vector *v = lua_newuserdatauv(L, sizeof *v + (n + 1) * sizeof(double), 0);
  double *data = data_behind(v, sizeof *v);
  init_vector(v, data, n);
  lves_become(L, LVES_VECTOR);
  return data;
}

void lves_copy(lua_State *L, const char *fn, double *to, const double *from, size_t n) {
  LVES_EACH(L, fn, i, n) to[i] = from[i];
}

static double *zeros(lua_State *L, const char *fn, double *data, size_t n) {
  LVES_EACH(L, fn, i, n) data[i] = 0.0;
  return data;
}

double *lves_push_vector(lua_State *L, size_t n) {
  return zeros(L, "vesicle", push_vector(L, n), n);
}

void lves_push_view(lua_State *L, int owner, double *data, size_t n) {
  luaL_checkstack(L, 8, NULL);
  lves_vector *v = lua_newuserdatauv(L, sizeof *v, 1);
  init_vector(v, data, n);
  lves_become(L, LVES_VECTOR);
  lua_pushvalue(L, owner);
  lua_setiuservalue(L, -2, 1);
}

static double *push_matrix(lua_State *L, const char *fn, size_t rows, size_t cols) {
  luaL_checkstack(L, 8, NULL);
  if (rows > LVES_SIZE_MAX || cols > LVES_SIZE_MAX ||
      (double)rows * (double)cols > LVES_ELEMENTS_MAX)
    lves_error(L, fn, "a matrix of %I x %I elements is too large", (lua_Integer)rows,
               (lua_Integer)cols);
  lves_matrix *m = lua_newuserdatauv(L, sizeof *m + (rows * cols + 1) * sizeof(double), 0);
  double *data = data_behind(m, sizeof *m);
  m->gsl = (gsl_matrix){
      .size1 = rows, .size2 = cols, .tda = cols, .data = data, .block = NULL, .owner = 0};
  m->closed = false;
  lves_become(L, LVES_MATRIX);
  return data;
}

double *lves_push_matrix(lua_State *L, const char *fn, size_t rows, size_t cols) {
  return zeros(L, fn, push_matrix(L, fn, rows, cols), rows * cols);
}

double *lves_push_like(lua_State *L, const char *fn, const lves_array *shape) {
  return shape->matrix ? push_matrix(L, fn, shape->rows, shape->cols) : push_vector(L, shape->cols);
}

void lves_vector_shrink(lua_State *L, int index, size_t n) {
  lves_vector *v = lua_touserdata(L, index);
  v->gsl.size = n;
}

/* ---- reading boxes ---- */

size_t lves_count(const lves_array *array) { return array->rows * array->cols; }

bool lves_array_test(lua_State *L, int index, lves_array *array) {
  const lves_object *object = lves_object_at(L, index);
  if (object == NULL) return false;
  if (object->name == LVES_VECTOR) {
    const lves_vector *v = (const lves_vector *)object;
    *array = (lves_array){v->gsl.data, 1, v->gsl.size, false, v->closed};
    return true;
  }
  if (object->name != LVES_MATRIX) return false;
  const lves_matrix *m = (const lves_matrix *)object;
  *array = (lves_array){m->gsl.data, m->gsl.size1, m->gsl.size2, true, m->closed};
  return true;
}

lves_array lves_self_array(lua_State *L, const char *fn) {
  const lves_arg self = lves_argument(L, fn, 1, "self");
  lves_array a;
  if (!lves_array_test(L, 1, &a)) lves_fail(&self, "a vector or matrix (call it with a colon)");
  if (a.closed) lves_fail(&self, "one that has not been closed");
  return a;
}

lves_array lves_self_with(lua_State *L, const char *fn, size_t least, int arguments) {
  const lves_array a = lves_self_array(L, fn);
  lves_arity(L, fn, arguments);
  if (lves_count(&a) < least)
    lves_error(L, fn, "%d elements: expected at least %d", (int)lves_count(&a), (int)least);
  return a;
}

lves_array lves_self_ordered(lua_State *L, const char *fn, int arguments) {
  const lves_array a = lves_self_with(L, fn, 1, arguments);
  LVES_EACH(L, fn, i, lves_count(&a))
    if (isnan(a.data[i])) lves_error(L, fn, "element %d is nan: expected numbers", (int)i + 1);
  return a;
}

void lves_check_open(const lves_arg *arg) {
  lves_array a;
  if (lves_array_test(arg->L, arg->index, &a) && a.closed)
    lves_fail(arg, "one that has not been closed");
}

int lves_array_close(lua_State *L) {
  lves_array a;
  if (!lves_array_test(L, 1, &a)) return 0;
  if (a.matrix)
    ((lves_matrix *)lua_touserdata(L, 1))->closed = true;
  else
    ((lves_vector *)lua_touserdata(L, 1))->closed = true;
  return 0;
}

/* ---- reading plain Lua arrays ---- */

/* Elements of the array at `table`; raises unless it has at least one and nothing but 1..n. */
static size_t count_elements(const lves_arg *arg, int table, const char *what) {
  lua_State *L = arg->L;
  if (!lves_plain_table(L, table)) lves_fail(arg, "a plain array, without __index or __len");
  const size_t n = (size_t)lua_rawlen(L, table);
  if (n == 0) lves_fail(arg, "%s with at least one element", what);
  if (n > LVES_SIZE_MAX) lves_fail(arg, "%s with at most %d elements", what, LVES_SIZE_MAX);
  size_t keys = 0;
  lua_pushnil(L);
  while (lua_next(L, table) != 0) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING)
      lves_fail(arg, "%s, not a table with the key %s", what, lves_describe(L, -1));
    if (++keys % VES_BLOCK == 0) lves_block_end(L, arg->fn, 0, n);
  }
  if (keys > n) lves_fail(arg, "%s without gaps", what);
  return n;
}

_Noreturn static void fail_element(const lves_arg *arg, size_t row, size_t i, int value,
                                   lves_domain domain) {
  lua_State *L = arg->L;
  if (lua_type(L, value) == LUA_TNUMBER)
    lves_fail_at(arg, row, i, lua_tonumber(L, value), lves_expectation(domain));
  const char *shown = lves_describe(L, value);
  if (row > 0)
    lua_pushfstring(L, "[%d][%d]", (int)row, (int)i);
  else
    lua_pushfstring(L, "[%d]", (int)i);
  lves_error(L, arg->fn, "%s '%s'%s = %s: expected %s", arg->key ? "key" : "argument", arg->name,
             lua_tostring(L, -1), shown, lves_expectation(domain));
}

/* Copies n numbers of the array at `table`, as row `row` of a matrix or, if 0, as a vector. */
static void read_numbers(const lves_arg *arg, int table, size_t row, size_t n, lves_domain domain,
                         double *out) {
  lua_State *L = arg->L;
  LVES_EACH(L, arg->fn, i, n) {
    const int type = lua_rawgeti(L, table, (lua_Integer)i + 1);
    const double value = type == LUA_TNUMBER ? lua_tonumber(L, -1) : 0.0;
    if (type != LUA_TNUMBER || !lves_accepts(domain, value))
      fail_element(arg, row, i + 1, lua_gettop(L), domain);
    out[i] = value;
    lua_pop(L, 1);
  }
}

static void vector_from_table(const lves_arg *arg, lves_domain domain) {
  const size_t n = count_elements(arg, arg->index, "a vector");
  double *data = lves_push_vector(arg->L, n);
  read_numbers(arg, arg->index, 0, n, domain, data);
  lua_replace(arg->L, arg->index);
}

/* The length of row r, which the caller has pushed: an array or a vector. */
static size_t row_length(const lves_arg *arg, size_t r) {
  lua_State *L = arg->L;
  const int row = lua_gettop(L);
  lves_array a;
  if (lua_type(L, row) == LUA_TTABLE)
    return count_elements(arg, row, "a matrix whose every row is an array");
  if (lves_array_test(L, row, &a) && !a.matrix && !a.closed) return a.cols;
  const char *shown = lves_describe(L, row);
  lves_error(L, arg->fn, "%s '%s'[%d] = %s: expected a row of numbers",
             arg->key ? "key" : "argument", arg->name, (int)r, shown);
}

static void read_row(const lves_arg *arg, size_t r, size_t n, lves_domain domain, double *out) {
  lua_State *L = arg->L;
  lves_array a;
  if (lua_type(L, -1) == LUA_TTABLE) {
    read_numbers(arg, lua_gettop(L), r, n, domain, out);
    return;
  }
  if (!lves_array_test(L, -1, &a)) return;
  for (size_t j = 0; j < n; j++) {
    if (!lves_accepts(domain, a.data[j]))
      lves_fail_at(arg, r, j + 1, a.data[j], lves_expectation(domain));
    out[j] = a.data[j];
  }
}

static void matrix_from_table(const lves_arg *arg, lves_domain domain) {
  lua_State *L = arg->L;
  const size_t rows = count_elements(arg, arg->index, "a matrix");
  lua_rawgeti(L, arg->index, 1);
  const size_t cols = row_length(arg, 1);
  lua_pop(L, 1);
  if (cols == 0) lves_fail(arg, "a matrix with at least one column");
  double *data = lves_push_matrix(L, arg->fn, rows, cols);
  for (size_t r = 0; r < rows; r++) {
    lua_rawgeti(L, arg->index, (lua_Integer)r + 1);
    const size_t n = row_length(arg, r + 1);
    if (n != cols)
      lves_error(L, arg->fn, "%s '%s'[%d] has %d elements: expected %d as in row 1",
                 arg->key ? "key" : "argument", arg->name, (int)r + 1, (int)n, (int)cols);
    read_row(arg, r + 1, cols, domain, data + r * cols);
    lua_pop(L, 1);
  }
  lua_replace(L, arg->index);
}

/* ---- reading arguments ---- */

static lves_array check_box(const lves_arg *arg, lves_domain domain, const lves_array *array) {
  if (array->closed) lves_fail(arg, "one that has not been closed");
  const size_t count = array->rows * array->cols;
  if (count == 0) lves_fail(arg, "at least one element");
  size_t i = 0;
  for (size_t end = 0; i < count && i == end;) {
    end = lves_block_end(arg->L, arg->fn, i, count);
    i += lves_first_refused(domain, array->data + i, end - i);
  }
  if (i < count)
    lves_fail_at(arg, array->matrix ? i / array->cols + 1 : 0, i % array->cols + 1, array->data[i],
                 lves_expectation(domain));
  return *array;
}

lves_array lves_vector_arg(const lves_arg *arg, lves_domain domain) {
  lves_array a;
  luaL_checkstack(arg->L, 16, NULL);
  if (lua_type(arg->L, arg->index) == LUA_TTABLE) vector_from_table(arg, domain);
  if (!lves_array_test(arg->L, arg->index, &a) || a.matrix) lves_fail(arg, "a vector");
  return check_box(arg, domain, &a);
}

lves_array lves_matrix_arg(const lves_arg *arg, lves_domain domain) {
  lves_array a;
  luaL_checkstack(arg->L, 16, NULL);
  if (lua_type(arg->L, arg->index) == LUA_TTABLE) matrix_from_table(arg, domain);
  if (!lves_array_test(arg->L, arg->index, &a) || !a.matrix) lves_fail(arg, "a matrix");
  return check_box(arg, domain, &a);
}

lves_array lves_array_arg(const lves_arg *arg, lves_domain domain) {
  lua_State *L = arg->L;
  lves_array a;
  luaL_checkstack(L, 16, NULL);
  if (lua_type(L, arg->index) == LUA_TTABLE) {
    const int first = lua_rawgeti(L, arg->index, 1);
    lua_pop(L, 1);
    return first == LUA_TTABLE || first == LUA_TUSERDATA ? lves_matrix_arg(arg, domain)
                                                         : lves_vector_arg(arg, domain);
  }
  if (!lves_array_test(L, arg->index, &a)) lves_fail(arg, "a vector or matrix");
  return check_box(arg, domain, &a);
}

lves_array lves_vector_of(const lves_arg *arg, lves_domain domain, size_t n) {
  const lves_array a = lves_vector_arg(arg, domain);
  if (a.cols != n) lves_fail(arg, "a vector of %d", (int)n);
  return a;
}

lves_array lves_matrix_of(const lves_arg *arg, lves_domain domain, size_t rows, size_t cols) {
  const lves_array a = lves_matrix_arg(arg, domain);
  if (a.rows != rows || a.cols != cols) lves_fail(arg, "a %d x %d matrix", (int)rows, (int)cols);
  return a;
}

lves_array lves_array_of(const lves_arg *arg, lves_domain domain, const lves_array *shape) {
  return shape->matrix ? lves_matrix_of(arg, domain, shape->rows, shape->cols)
                       : lves_vector_of(arg, domain, shape->cols);
}

/* ---- some of the rows ---- */

double *lves_push_rows(lua_State *L, const lves_array *a, const uint32_t *row, size_t count) {
  double *copy = lves_scratch(L, count * a->cols, sizeof *copy);
  for (size_t k = 0; k < count; k++)
    lves_copy(L, "vesicle", copy + k * a->cols, a->data + row[k] * a->cols, a->cols);
  return copy;
}

double *lves_push_effective(lua_State *L, const lves_array *w, const double *x, const uint32_t *row,
                            size_t count) {
  double *e = lves_push_rows(L, w, row, count);
  for (size_t k = 0; k < count; k++)
    LVES_EACH(L, "vesicle", j, w->cols) e[k * w->cols + j] *= x[row[k]];
  return e;
}

/* From the last row down, a row's new place is never below its old one, and never that of a row
 * still to be moved. */
void lves_spread_rows(double *data, size_t rows, size_t n, const uint32_t *row, size_t count) {
  for (size_t i = rows; i-- > 0;)
    if (count == 0 || row[count - 1] != i)
      memset(data + i * n, 0, n * sizeof *data);
    else if (--count != i)
      memcpy(data + i * n, data + count * n, n * sizeof *data);
}
