/* lves_table_write: tables of data to text files, so that reading them back gives the same bits. A
 * number is written with as few digits as that takes; a text that would be read as something else
 * stands in quotes. */
#include "lves_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char fn[] = "ves.write_table";

static void add_number(luaL_Buffer *b, double value) {
  char text[40];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  luaL_addstring(b, text);
}

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
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)cell->integer);
    luaL_addstring(b, text);
  } else if (isnan(cell->number)) {
    luaL_addstring(b, "NA");
  } else if (isinf(cell->number)) {
    luaL_addstring(b, cell->number < 0 ? "-inf" : "inf");
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
 * @key comments text or array of texts that go before the table, after # marks
 * @return the number of rows
 * @example path = os.tmpname()
 * @example print(ves.write_table(path, ves.matrix{{1, 2}, {3, 4}}, {columns = {"x", "y"}}))
 * @example print(ves.read_table(path).y); os.remove(path)
 */
int lves_write_table(lua_State *L) {
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
  const int header = lua_gettop(L);
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  size_t length;
  const char *text = lua_tolstring(L, header, &length);
  luaL_addlstring(&b, text, length);
  for (size_t i = 0; i < c.count; i++) {
    const char *column = lves_columns_name(&c, i);
    if (i > 0) luaL_addchar(&b, separator);
    /* a name may look like a number: that is no reason for quotes */
    const size_t n = strlen(column);
    add_text(&b, column, n, needs_quotes(column, n, separator) && !lves_spells_number(column, n));
  }
  luaL_addchar(&b, '\n');
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
