/* lves_vesicle: the module. `require "vesicle"` gives one table; everything in it is a function, a
 * table of functions, or a constant. */
#include "lves.h"
#include "vesicle.h"

#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

/*** ves.simd(on) -> string
 * The name of the vector instructions in use, 'scalar' if none: results are the same bits either
 * way. The environment variable VES_SIMD=off selects the scalar path from the start, VES_SIMD=avx2
 * leaves AVX-512 out.
 * @param on boolean: whether to use what the processor has; no change if omitted
 * @return string
 * @example print(ves.simd())
 */
static int simd(lua_State *L) {
  static const char *in_use;
  const char *fn = "ves.simd";
  lves_arity(L, fn, 1);
  const lves_arg on = lves_argument(L, fn, 1, "on");
  if (lves_absent(&on) && in_use != NULL) {
    lua_pushstring(L, in_use);
    return 1;
  }
  if (lua_type(L, 1) != LUA_TBOOLEAN) lves_fail(&on, "true or false");
  lua_pushstring(L, in_use = ves_simd_select(lua_toboolean(L, 1)));
  return 1;
}

/*** ves.nearest(word, words) -> text
 * The word that a misspelt one most likely means, capitals or not: the one that takes the fewest
 * edits, at most one and one more for every six letters.
 * @param word text
 * @param words array of texts
 * @return text, or nil if none is near
 * @example print(ves.nearest("wieght", {"weight", "release"}))
 */
static int nearest(lua_State *L) {
  const char *fn = "ves.nearest";
  lves_arity(L, fn, 2);
  const lves_arg word = lves_argument(L, fn, 1, "word"), words = lves_argument(L, fn, 2, "words");
  if (lua_type(L, 1) != LUA_TSTRING) lves_fail(&word, "a text");
  if (lua_type(L, 2) != LUA_TTABLE || !lves_plain_table(L, 2))
    lves_fail(&words, "an array of texts");
  const size_t count = (size_t)lua_rawlen(L, 2);
  const char **list = lves_scratch(L, count + 1, sizeof *list);
  for (size_t i = 0; i < count; i++) {
    if (lua_rawgeti(L, 2, (lua_Integer)i + 1) != LUA_TSTRING)
      lves_fail(&words, "an array of texts");
    list[i] = lua_tostring(L, -1);
    lua_pop(L, 1); /* the array keeps it */
  }
  list[count] = NULL;
  lua_pushstring(L, lves_nearest(lua_tostring(L, 1), list));
  return 1;
}

/* ---- what is not there ---- */

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The key of the table at stack index 1 nearest to a misspelt one; "plot" is in the module too. */
static const char *nearest_key(lua_State *L, const char *key) {
  size_t count = 1, at = 0;
  for (lua_pushnil(L); lua_next(L, 1) != 0; count++) lua_pop(L, 1);
  const char **names = lves_scratch(L, count + 1, sizeof *names);
  for (lua_pushnil(L); lua_next(L, 1) != 0;) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING) names[at++] = lua_tostring(L, -1);
  }
  if (lua_toboolean(L, lua_upvalueindex(2))) names[at++] = "plot";
  names[at] = NULL;
  qsort(names, at, sizeof *names, by_name);
  return lves_nearest(key, names);
}

/* __index of the module and of the tables in it: a misspelt name is an error at the place where it
 * stands, not a nil that is called somewhere else. ves.plot is written in Lua and loaded when first
 * used. Upvalues: the name of the table, whether it is the module itself. */
static int missing(lua_State *L) {
  const char *fn = lua_tostring(L, lua_upvalueindex(1));
  lua_settop(L, 2);
  if (lua_type(L, 1) == LUA_TTABLE && lua_type(L, 2) == LUA_TSTRING) {
    const char *key = lua_tostring(L, 2);
    if (lua_toboolean(L, lua_upvalueindex(2)) && strcmp(key, "plot") == 0) {
      lua_getglobal(L, "require");
      lua_pushliteral(L, "vesicle.prompt.plot");
      lua_call(L, 1, 1);
      lua_pushvalue(L, -1);
      lua_setfield(L, 1, "plot");
      return 1;
    }
    const char *meant = nearest_key(L, key);
    if (meant != NULL)
      lves_error(L, fn, "no field %s: did you mean '%s'?", lves_describe(L, 2), meant);
  }
  lves_error(L, fn, "no field %s", lves_describe(L, 2));
}

/* Gives the table at the top of the stack that __index. */
static void guard(lua_State *L, const char *name, bool module) {
  lua_createtable(L, 0, 1);
  lua_pushstring(L, name);
  lua_pushboolean(L, module);
  lua_pushcclosure(L, missing, 2);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

static void guard_all(lua_State *L) {
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1))
    if (lua_type(L, -1) == LUA_TTABLE) {
      lua_pushfstring(L, "ves.%s", lua_tostring(L, -2));
      lua_insert(L, -2);
      guard(L, lua_tostring(L, -2), false);
      lua_remove(L, -2);
    }
  guard(L, "ves", true);
}

int luaopen_vesicle(lua_State *L) {
  const char *setting = getenv("VES_SIMD");
  gsl_set_error_handler_off(); /* GSL's own would abort the program */
  luaL_checkversion(L);
  lua_newtable(L);
  lua_pushstring(L, ves_version());
  lua_setfield(L, -2, "version");
  lua_pushinteger(L, 1);
  lua_setfield(L, -2, "api");
  lves_open_vector(L);
  lves_open_matrix(L);
  lves_open_rng(L);
  lves_open_code(L);
  lves_open_network(L);
  lves_open_chain(L);
  lves_open_release(L);
  lves_open_learn(L);
  lves_open_amplitude(L);
  lves_open_sample(L);
  lves_open_draw(L);
  lves_open_winner(L);
  lves_open_exponent(L);
  lves_open_multi(L);
  lves_open_stages(L);
  lves_open_spike(L);
  lves_open_score(L);
  lves_open_cdf(L);
  lves_open_table(L);
  lves_open_table_write(L);
  lves_open_npy(L);
  lua_pushcfunction(L, nearest);
  lua_setfield(L, -2, "nearest");
  lua_pushcfunction(L, simd);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "simd");
  ves_simd_narrow(setting != NULL && strcmp(setting, "avx2") == 0);
  lua_pushboolean(L, setting == NULL || strcmp(setting, "off") != 0);
  lua_call(L, 1, 0);
  guard_all(L);
  return 1;
}
