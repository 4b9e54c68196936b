/* lves_columns: tables of data as arguments. */
#include "lves_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Pushes the keys of the table in alphabetical order, as an array. */
static size_t push_sorted_names(const lves_arg *data) {
  lua_State *L = data->L;
  size_t count = 0, at = 0;
  for (lua_pushnil(L); lua_next(L, data->index) != 0; count++) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING)
      lves_fail(data, "columns by name, not a table with the key %s", lves_describe(L, -1));
  }
  const char **names = lves_scratch(L, count, sizeof *names);
  for (lua_pushnil(L); lua_next(L, data->index) != 0; at++) {
    lua_pop(L, 1);
    names[at] = lua_tostring(L, -1);
  }
  qsort(names, at, sizeof *names, by_name);
  lua_createtable(L, (int)at, 0);
  for (size_t i = 0; i < at; i++) {
    lua_pushstring(L, names[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_remove(L, -2);
  return at;
}

/* Checks the array of names that the caller gave; pushes a copy. */
static size_t push_given_names(const lves_arg *order) {
  lua_State *L = order->L;
  if (lua_type(L, order->index) != LUA_TTABLE || !lves_plain_table(L, order->index))
    lves_fail(order, "an array of column names");
  const size_t count = (size_t)lua_rawlen(L, order->index);
  if (count == 0 || count > LVES_SIZE_MAX) lves_fail(order, "an array of column names");
  lua_createtable(L, (int)count, 0);
  lua_newtable(L);
  for (size_t i = 0; i < count; i++) {
    if (lua_rawgeti(L, order->index, (lua_Integer)i + 1) != LUA_TSTRING)
      lves_error(L, order->fn, "key '%s'[%d] = %s: expected the name of a column", order->name,
                 (int)i + 1, lves_describe(L, -1));
    lua_pushvalue(L, -1);
    if (lua_rawget(L, -3) != LUA_TNIL)
      lves_error(L, order->fn, "key '%s'[%d] = %s: this column is already there", order->name,
                 (int)i + 1, lves_describe(L, -2));
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushboolean(L, 1);
    lua_rawset(L, -4);
    lua_rawseti(L, -3, (lua_Integer)i + 1);
  }
  lua_pop(L, 1);
  return count;
}

/* The size of the column at the top of the stack: a vector or a plain array. */
static size_t column_size(const lves_columns *c, size_t column) {
  lua_State *L = c->L;
  lves_array a;
  const lves_arg arg = {L, c->fn, lves_columns_name(c, column), true, lua_gettop(L)};
  lves_check_open(&arg);
  if (lves_array_test(L, arg.index, &a) && !a.matrix) return a.cols;
  if (lua_type(L, arg.index) != LUA_TTABLE || !lves_plain_table(L, arg.index))
    lves_fail(&arg, "a column: a vector or an array");
  return (size_t)lua_rawlen(L, arg.index);
}

static void refuse_unlisted(const lves_columns *c, const lves_arg *data) {
  lua_State *L = c->L;
  size_t keys = 0;
  for (lua_pushnil(L); lua_next(L, data->index) != 0; keys++) lua_pop(L, 1);
  if (keys > c->count)
    lves_error(L, c->fn, "argument '%s' has %d columns, key 'columns' names %d", data->name,
               (int)keys, (int)c->count);
}

static void collect(lves_columns *c, const lves_arg *data) {
  lua_State *L = c->L;
  lua_createtable(L, (int)c->count, 0);
  c->columns = lua_gettop(L);
  for (size_t i = 0; i < c->count; i++) {
    const char *name = lves_columns_name(c, i);
    lua_pushstring(L, name);
    if (lua_rawget(L, data->index) == LUA_TNIL)
      lves_error(L, c->fn, "argument '%s' has no column '%s'", data->name, name);
    const size_t size = column_size(c, i);
    if (i == 0)
      c->rows = size;
    else if (size != c->rows)
      lves_error(L, c->fn, "column '%s' has %d rows: expected %d as in column '%s'", name,
                 (int)size, (int)c->rows, lves_columns_name(c, 0));
    lua_rawseti(L, c->columns, (lua_Integer)i + 1);
  }
}

static void collect_matrix(lves_columns *c, const lves_arg *data, const lves_array *m) {
  lua_State *L = c->L;
  if (m->cols != c->count)
    lves_error(L, c->fn, "argument '%s' = %s: expected a matrix with %d columns, as key 'columns'",
               data->name, lves_describe(L, data->index), (int)c->count);
  c->rows = m->rows;
  lua_createtable(L, (int)c->count, 0);
  c->columns = lua_gettop(L);
  for (size_t j = 0; j < c->count; j++) {
    double *column = lves_push_vector(L, m->rows);
    for (size_t i = 0; i < m->rows; i++) column[i] = m->data[i * m->cols + j];
    lua_rawseti(L, c->columns, (lua_Integer)j + 1);
  }
}

static void check_names(const lves_columns *c) {
  for (size_t i = 0; i < c->count; i++) {
    lua_rawgeti(c->L, c->names, (lua_Integer)i + 1);
    const size_t length = (size_t)lua_rawlen(c->L, -1);
    if (length == 0 || strlen(lua_tostring(c->L, -1)) != length)
      lves_error(c->L, c->fn, "a column is called %s: expected a name", lves_describe(c->L, -1));
    lua_pop(c->L, 1);
  }
}

lves_columns lves_columns_arg(const lves_arg *data, const lves_arg *order) {
  lua_State *L = data->L;
  lves_columns c = {.L = L, .fn = data->fn};
  lves_array m;
  luaL_checkstack(L, 24, NULL);
  lves_check_open(data);
  const bool matrix = lves_array_test(L, data->index, &m) && m.matrix;
  if (!matrix && (lua_type(L, data->index) != LUA_TTABLE || !lves_plain_table(L, data->index)))
    lves_fail(data, "a table of columns by name, or a matrix");
  if (matrix && lves_absent(order)) lves_fail(order, "%d column names", (int)m.cols);
  c.count = lves_absent(order) ? push_sorted_names(data) : push_given_names(order);
  c.names = lua_gettop(L);
  if (c.count == 0) lves_fail(data, "at least one column");
  check_names(&c);
  if (matrix) {
    collect_matrix(&c, data, &m);
  } else {
    collect(&c, data);
    refuse_unlisted(&c, data);
  }
  return c;
}

const char *lves_columns_name(const lves_columns *c, size_t column) {
  lua_rawgeti(c->L, c->names, (lua_Integer)column + 1);
  const char *name = lua_tostring(c->L, -1);
  lua_pop(c->L, 1); /* the array keeps it */
  return name;
}

lves_cell lves_columns_cell(const lves_columns *c, size_t column, size_t row) {
  lua_State *L = c->L;
  lves_array a;
  lves_cell cell = {.number = NAN};
  lua_rawgeti(L, c->columns, (lua_Integer)column + 1);
  if (lves_array_test(L, -1, &a)) {
    cell.number = row < a.cols ? a.data[row] : NAN;
    lua_pop(L, 1);
    return cell;
  }
  const int type = lua_rawgeti(L, -1, (lua_Integer)row + 1);
  if (type == LUA_TNUMBER) {
    cell.number = lua_tonumber(L, -1);
    cell.is_integer = lua_isinteger(L, -1);
    cell.integer = cell.is_integer ? lua_tointeger(L, -1) : 0;
  } else if (type == LUA_TSTRING) {
    cell.is_text = true;
    cell.text = lua_tolstring(L, -1, &cell.length);
  } else if (type != LUA_TBOOLEAN || lua_toboolean(L, -1)) {
    lves_error(L, c->fn,
               "column '%s', row %d = %s: expected a number, a text, or false for a missing one",
               lves_columns_name(c, column), (int)row + 1, lves_describe(L, -1));
  }
  lua_pop(L, 2);
  return cell;
}

bool lves_columns_texts(const lves_columns *c, size_t column) {
  size_t texts = 0, numbers = 0;
  for (size_t r = 0; r < c->rows; r++) {
    const lves_cell cell = lves_columns_cell(c, column, r);
    if (cell.is_text)
      texts++;
    else if (!isnan(cell.number))
      numbers++;
    if (texts > 0 && numbers > 0)
      lves_error(c->L, c->fn, "column '%s', row %d: a %s in a column of %ss",
                 lves_columns_name(c, column), (int)r + 1, cell.is_text ? "text" : "number",
                 cell.is_text ? "number" : "text");
  }
  return texts > 0;
}
