/* lves_row: one line of a table of results, as E:table writes it. */
#include "lves.h"

#include <math.h>
#include <string.h>

/* Adds a number with 17 digits, so that reading it gives the same bits. */
static void add_number(luaL_Buffer *b, lua_State *L, int at) {
  char text[40];
  const double value = lua_tonumber(L, at);
  if (lua_isinteger(L, at))
    snprintf(text, sizeof text, "%lld", (long long)lua_tointeger(L, at));
  else
    snprintf(text, sizeof text, "%.17g", value);
  luaL_addstring(b, isnan(value) ? "nan" : text); /* a nan may come with a sign */
}

/* Adds the cell at a stack index; false if it cannot stand in a table. */
static bool add_cell(luaL_Buffer *b, lua_State *L, int at) {
  size_t length;
  switch (lua_type(L, at)) {
  case LUA_TNUMBER: add_number(b, L, at); return true;
  case LUA_TBOOLEAN: luaL_addstring(b, lua_toboolean(L, at) ? "true" : "false"); return true;
  case LUA_TSTRING: {
    const char *text = lua_tolstring(L, at, &length);
    if (length == 0 || memchr(text, '\t', length) != NULL || memchr(text, '\r', length) != NULL ||
        memchr(text, '\n', length) != NULL)
      return false;
    luaL_addlstring(b, text, length);
    return true;
  }
  default: return false;
  }
}

/*** ves.row(cells) -> text
 * One line of a tab-separated table of results, as E:table writes it: numbers with 17 digits, so
 * that reading them gives the same bits, texts and booleans as they are.
 * @param cells array of numbers, texts (not empty, without tabs or line breaks) and booleans
 * @return text, or nil if a cell is anything else or the table holds more than cells 1 to n
 * @return number of cells
 * @example print(ves.row{"sum", 0.1 + 0.2, 3})
 */
static int row_text(lua_State *L) {
  const char *fn = "ves.row";
  lves_arity(L, fn, 1);
  const lves_arg cells = lves_argument(L, fn, 1, "cells");
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
    good = add_cell(&b, L, 2);
  }
  luaL_pushresult(&b);
  if (!good) lua_pushnil(L);
  lua_pushinteger(L, n);
  return 2;
}

void lves_open_row(lua_State *L) {
  lua_pushcfunction(L, row_text);
  lua_setfield(L, -2, "row");
}
