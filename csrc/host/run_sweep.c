/* run_sweep: one point of a sweep.
 *
 * A point is an ordinary run of the script with more words of --set, in a Lua state of its own, so
 * that it knows nothing of other points and gives the numbers that `vesicle run` gives. Instead of
 * publishing its outputs the experiment hands its numbers over (host.collected), and they travel
 * from state to state as text. The replicates of a point go to the experiment's own journal. */
#include "run_sweep.h"

#include "lves_json.h"
#include "run_noted.h"
#include "run_state.h"
#include "run_stop.h"
#include <lauxlib.h>

/* Leaves what the point collected and the list of its inputs on its stack, as texts; or the error. */
static bool run_point(lua_State *P, const run_options *options) {
  static const char chunk[] =
      "local host, sources = require 'vesicle.base.host', require 'vesicle.base.sources'\n"
      "return host.json(host.collected or false), sources.since(0)";
  return run_state_try(P, options) &&
         luaL_loadbufferx(P, chunk, sizeof chunk - 1, "=collected", "t") == LUA_OK &&
         lua_pcall(P, 0, 2, 0) == LUA_OK;
}

/* Pushes a string of another state; nil if it is none. */
static void take_string(lua_State *L, lua_State *from, int index) {
  size_t length = 0;
  const char *text = lua_tolstring(from, index, &length);
  if (text == NULL)
    lua_pushnil(L);
  else
    lua_pushlstring(L, text, length);
}

/* Pushes the message of the error on top of the point's stack; returns its exit code. */
static int take_error(lua_State *L, lua_State *from) {
  int code = RUN_SCRIPT_ERROR;
  if (lua_istable(from, -1)) {
    lua_pushliteral(from, "exit_code");
    lua_rawget(from, -2);
    code = (int)lua_tointeger(from, -1);
    lua_pushliteral(from, "message");
    lua_rawget(from, -3);
  }
  take_string(L, from, -1);
  return code == RUN_DONE ? RUN_SCRIPT_ERROR : code;
}

static int point(lua_State *L) {
  const run_options *options = lua_touserdata(L, lua_upvalueindex(1));
  const run_paths *paths = lua_touserdata(L, lua_upvalueindex(2));
  run_options inner = *options;
  luaL_checktype(L, 1, LUA_TTABLE);
  inner.n_set = (size_t)luaL_len(L, 1);
  inner.jobs = (long)luaL_checkinteger(L, 2);
  inner.line = luaL_checkstring(L, 3);
  inner.set = lua_newuserdatauv(L, (inner.n_set + 1) * sizeof *inner.set, 0);
  for (size_t i = 0; i < inner.n_set; i++) {
    lua_rawgeti(L, 1, (lua_Integer)i + 1);
    luaL_argcheck(L, lua_type(L, -1) == LUA_TSTRING, 1, "array of words expected");
    inner.set[i] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  inner.command = RUN_COMMAND_POINT;
  inner.quiet = true;
  inner.timeout = options->point_timeout;
  inner.replicate = 0;
  inner.replicate_name = NULL;
  lua_State *P = run_state_new(&inner, paths);
  if (P == NULL) return luaL_error(L, "the point cannot start");
  const bool good = run_point(P, options);
  const int code = good ? RUN_DONE : take_error(L, P);
  if (good && lua_isstring(P, -1)) run_noted_join(P, 0);
  if (good) take_string(L, P, -2);
  if (good) take_string(L, P, -1);
  lua_close(P);
  size_t length = 0;
  const char *text = lua_tolstring(L, good ? -2 : -1, &length);
  if (!good) run_stop(L, code, "%s", text != NULL ? text : "the script stopped without a word");
  if (text == NULL || lua_isnil(L, -1)) return luaL_error(L, "the script has changed the library");
  lves_json_read(L, text, length);
  lua_insert(L, -2);
  return 2;
}

void run_sweep_register(lua_State *L, const run_options *options, const run_paths *paths) {
  lua_pushlightuserdata(L, (void *)options);
  lua_pushlightuserdata(L, (void *)paths);
  lua_pushcclosure(L, point, 2);
  lua_setfield(L, -2, "point");
}
