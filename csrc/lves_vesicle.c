/* lves_vesicle: the module. `require "vesicle"` gives one table; everything in it is a function, a
 * table of functions, or a constant. */
#include "lves.h"

#include "ves_rng.h"
#include "ves_version.h"
#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

/*** ves.simd(on) -> string
 * The name of the vector instructions in use, 'scalar' if none: results are the same bits either
 * way. The environment variable VES_SIMD=off selects the scalar path from the start.
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

int luaopen_vesicle(lua_State *L) {
  const char *setting = getenv("VES_SIMD");
  gsl_set_error_handler_off(); /* GSL's own would abort the program */
  luaL_checkversion(L);
  lua_newtable(L);
  lua_pushstring(L, VES_VERSION);
  lua_setfield(L, -2, "version");
  lua_pushinteger(L, 1);
  lua_setfield(L, -2, "api");
  lves_open_vector(L);
  lves_open_matrix(L);
  lves_open_rng(L);
  lves_open_code(L);
  lves_open_network(L);
  lves_open_release(L);
  lves_open_learn(L);
  lves_open_sample(L);
  lves_open_winner(L);
  lves_open_exponent(L);
  lves_open_multi(L);
  lves_open_score(L);
  lves_open_table(L);
  lves_open_npy(L);
  lua_pushcfunction(L, simd);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "simd");
  lua_pushboolean(L, setting == NULL || strcmp(setting, "off") != 0);
  lua_call(L, 1, 0);
  return 1;
}
