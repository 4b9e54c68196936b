/* lves_table_write: tables to text, so that reading them back gives the same bits. In a user's
 * table of data a text that would be read as something else stands in quotes; in a table of
 * results, whose lines are made one by one, such a text is refused. */
#include "lves_columns.h"

#include <math.h>
#include <string.h>

static const char fn[] = "ves.write_table";

/* One spelling of a number in all tables: 17 digits, so that reading it gives the same bits, and NA
 * for not-a-number, which is how a missing value is kept in a vector. */
static void add_number(luaL_Buffer *b, double value) {
  char text[40];
  lves_snprintf(text, sizeof text, "%.17g", value);
  luaL_addstring(b, isnan(value) ? "NA" : text);
}

static void add_integer(luaL_Buffer *b, lua_Integer value) {
  char text[32];
  snprintf(text, sizeof text, "%lld", (long long)value);
  luaL_addstring(b, text);
}

/* ---- one line of a table of results ---- */

/* Adds the cell at a stack index as it is; false if it cannot stand in a table without quotes. */
static bool add_plain(luaL_Buffer *b, lua_State *L, int at) {
  size_t length;
  switch (lua_type(L, at)) {
  case LUA_TNUMBER:
    if (lua_isinteger(L, at))
      add_integer(b, lua_tointeger(L, at));
    else
      add_number(b, lua_tonumber(L, at));
    return true;
  case LUA_TBOOLEAN: luaL_addstring(b, lua_toboolean(L, at) ? "true" : "false"); return true;
  case LUA_TSTRING: {
    const char *text = lua_tolstring(L, at, &length);
    for (size_t i = 0; i < length; i++) { /* a terminal would obey them, and LaTeX stops at them */
      const unsigned char here = (unsigned char)text[i], next = (unsigned char)text[i + 1];
      if (here < ' ' || here == 0x7f || (here == 0xc2 && next >= 0x80 && next <= 0x9f)) return false;
    }
    if (length == 0) return false;
    luaL_addlstring(b, text, length);
    return true;
  }
  default: return false;
  }
}

/*** ves.table_line(cells) -> text
 * One line of a tab-separated table of results, as E:table writes it: numbers with 17 digits, so
 * that reading them gives the same bits, NA for not-a-number, texts and booleans as they are.
 * @param cells array of numbers, texts (not empty, without tabs or line breaks) and booleans
 * @return text, or nil if a cell is anything else or the table holds more than cells 1 to n
 * @return number of cells
 * @example print(ves.table_line{"sum", 0.1 + 0.2, 3})
 */
static int table_line(lua_State *L) {
  const char *name = "ves.table_line";
  lves_arity(L, name, 1);
  const lves_arg cells = lves_argument(L, name, 1, "cells");
  if (lua_type(L, 1) != LUA_TTABLE || !lves_plain_table(L, 1)) lves_fail(&cells, "a plain array");
  const lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
  lua_Integer keys = 0;
  for (lua_pushnil(L); lua_next(L, 1) != 0; keys++) lua_pop(L, 1);
  bool good = keys == n;
  luaL_Buffer b;
  lua_pushnil(L); /* where a cell is put: the buffer needs the stack above */
  luaL_buffinit(L, &b);
  for (lua_Integer i = 1; good && i <= n; i++) {
    lua_rawgeti(L, 1, i);
    lua_replace(L, 2);
    if (i > 1) luaL_addchar(&b, '\t');
    good = add_plain(&b, L, 2);
  }
  luaL_pushresult(&b);
  if (!good) lua_pushnil(L);
  lua_pushinteger(L, n);
  return 2;
}

/* ---- a whole table of data ---- */

static bool needs_quotes(const char *text, size_t length, char separator) {
  if (length == 0 || text[0] == '#' || text[0] == ' ' || text[length - 1] == ' ') return true;
  if (length == 2 && memcmp(text, "NA", 2) == 0) return true;
  for (size_t i = 0; i < length; i++)
    if (text[i] == separator || text[i] == '"' || text[i] == '\n' || text[i] == '\r' ||
        text[i] == '\t')
      return true;
  return lves_spells_number(text, length);
}

static void add_text(luaL_Buffer *b, const char *text, size_t length, bool quoted) {
  if (!quoted) {
    luaL_addlstring(b, text, length);
    return;
  }
  luaL_addchar(b, '"');
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '"') luaL_addchar(b, '"');
    luaL_addchar(b, text[i]);
  }
  luaL_addchar(b, '"');
}

static void add_cell(luaL_Buffer *b, const lves_cell *cell, char separator) {
  if (cell->is_text) {
    add_text(b, cell->text, cell->length, needs_quotes(cell->text, cell->length, separator));
  } else if (cell->is_integer) {
    add_integer(b, cell->integer);
  } else {
    add_number(b, cell->number);
  }
}

/* Pushes the comment lines: a text, or an array of texts. */
static void push_comments(const lves_arg *arg) {
  lua_State *L = arg->L;
  luaL_Buffer b;
  if (lves_absent(arg)) {
    lua_pushliteral(L, "");
    return;
  }
  const bool list = lua_type(L, arg->index) == LUA_TTABLE && lves_plain_table(L, arg->index);
  if (!list && lua_type(L, arg->index) != LUA_TSTRING)
    lves_fail(arg, "a text or an array of texts");
  const lua_Integer count = list ? (lua_Integer)lua_rawlen(L, arg->index) : 1;
  for (lua_Integer i = 1; list && i <= count; i++) {
    if (lua_rawgeti(L, arg->index, i) != LUA_TSTRING) lves_fail(arg, "a text or an array of texts");
    lua_pop(L, 1);
  }
  luaL_buffinit(L, &b);
  for (lua_Integer i = 1; i <= count; i++) {
    size_t length;
    if (list)
      lua_rawgeti(L, arg->index, i);
    else
      lua_pushvalue(L, arg->index);
    const char *text = lua_tolstring(L, -1, &length);
    lua_pop(L, 1); /* the argument keeps it */
    luaL_addstring(&b, "# ");
    for (size_t k = 0; k < length; k++) {
      if (text[k] == '\r') continue;
      luaL_addchar(&b, text[k]);
      if (text[k] == '\n') luaL_addstring(&b, "# ");
    }
    luaL_addchar(&b, '\n');
  }
  luaL_pushresult(&b);
}

static char separator_of(const lves_arg *arg, const char *path) {
  static const char *const words[] = {"\t", ",", ";", NULL};
  const size_t length = strlen(path);
  const bool csv = length >= 4 && strcmp(path + length - 4, ".csv") == 0;
  return words[lves_choice_or(arg, words, csv ? 1 : 0)][0];
}

/*** ves.write_table(path, data, options) -> rows
 * Writes a table of data: comma-separated if the name of the file ends in .csv, tab-separated
 * otherwise. Reading it back gives the same bits. An existing file is replaced in one step.
 * @param path string: the file
 * @param data table: each column by its name, a vector or an array of numbers or texts (false for a
 * missing one); or a matrix
 * @key columns array of names in their order; alphabetical if omitted, needed for a matrix
 * @key separator a tab, a comma or a semicolon
 * @key comments text or array of texts that go between the names and the rows, after # marks
 * @return the number of rows
 * @example path = os.tmpname()
 * @example print(ves.write_table(path, ves.matrix{{1, 2}, {3, 4}}, {columns = {"x", "y"}}))
 * @example print(ves.read_table(path).y); os.remove(path)
 */
static int write_table(lua_State *L) {
  static const char *const keys[] = {"columns", "separator", "comments", NULL};
  lves_arity(L, fn, 3);
  const lves_arg path = lves_argument(L, fn, 1, "path"), data = lves_argument(L, fn, 2, "data");
  const char *name = lves_path_arg(&path);
  const lves_options o = lves_options_open(L, fn, 3, false, keys);
  const lves_arg order = lves_key(&o, "columns"), with = lves_key(&o, "separator"),
                 comments = lves_key(&o, "comments");
  const char separator = separator_of(&with, name);
  const lves_columns c = lves_columns_arg(&data, &order);
  for (size_t i = 0; i < c.count; i++) lves_columns_texts(&c, i);
  push_comments(&comments);
  const int below = lua_gettop(L);
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (size_t i = 0; i < c.count; i++) {
    const char *column = lves_columns_name(&c, i);
    if (i > 0) luaL_addchar(&b, separator);
    /* a name may look like a number: that is no reason for quotes */
    const size_t n = strlen(column);
    add_text(&b, column, n, needs_quotes(column, n, separator) && !lves_spells_number(column, n));
  }
  luaL_addchar(&b, '\n');
  size_t length;
  const char *text = lua_tolstring(L, below, &length);
  luaL_addlstring(&b, text, length);
  for (size_t r = 0; r < c.rows; r++) {
    for (size_t i = 0; i < c.count; i++) {
      const lves_cell cell = lves_columns_cell(&c, i, r);
      if (i > 0) luaL_addchar(&b, separator);
      add_cell(&b, &cell, separator);
    }
    luaL_addchar(&b, '\n');
  }
  luaL_pushresult(&b);
  text = lua_tolstring(L, -1, &length);
  lves_write_file(&path, text, length);
  lua_pushinteger(L, (lua_Integer)c.rows);
  return 1;
}

void lves_open_table_write(lua_State *L) {
  lua_pushcfunction(L, table_line);
  lua_setfield(L, -2, "table_line");
  lua_pushcfunction(L, write_table);
  lua_setfield(L, -2, "write_table");
}
