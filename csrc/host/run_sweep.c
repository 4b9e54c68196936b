/* run_sweep: one point of a sweep.
 *
 * A point is an ordinary run of the script with more words of --set, in a Lua state of its own, so
 * that it knows nothing of other points and gives the numbers that `vesicle run` gives. Instead of
 * publishing its outputs the experiment hands its numbers over (host.collected), and they travel
 * from state to state as text. The replicates of a point go to the experiment's own journal. */
#include "run_sweep.h"

#include "lves_json.h"
#include "run_cores.h"
#include "run_state.h"
#include "run_stop.h"
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

/* What a point needs; the userdata that holds it frees it, whatever happens. */
typedef struct {
  const char **set;
  char *line;
  lua_State *state;
} point_box;

#define POINT "vesicle.point"

static int free_point(lua_State *L) {
  point_box *box = luaL_checkudata(L, 1, POINT);
  if (box->state != NULL) lua_close(box->state);
  free(box->line);
  free(box->set);
  *box = (point_box){.state = NULL};
  return 0;
}

/* Raises the error on top of the point's stack in the state of the sweep. */
static _Noreturn void pass_on(lua_State *L, lua_State *from) {
  int code = RUN_SCRIPT_ERROR;
  const char *message = NULL;
  if (lua_istable(from, -1)) {
    lua_pushliteral(from, "exit_code");
    lua_rawget(from, -2);
    code = (int)lua_tointeger(from, -1);
    lua_pushliteral(from, "message");
    lua_rawget(from, -3);
  }
  message = lua_tostring(from, -1);
  run_stop(L, code == RUN_DONE ? RUN_SCRIPT_ERROR : code, "%s",
           message != NULL ? message : "the script stopped without a word");
}

/* Takes what the point collected: pushes the value and the list of inputs. */
static void take_results(lua_State *L, lua_State *from) {
  static const char chunk[] =
      "local host, sources = require 'vesicle.base.host', require 'vesicle.base.sources'\n"
      "return host.json(host.collected or false), sources.since { 0, 0 }";
  if (luaL_loadbufferx(from, chunk, sizeof chunk - 1, "=collected", "t") != LUA_OK ||
      lua_pcall(from, 0, 2, 0) != LUA_OK)
    pass_on(L, from);
  size_t length = 0, inputs_length = 0;
  const char *text = lua_tolstring(from, -2, &length);
  const char *inputs = lua_tolstring(from, -1, &inputs_length);
  if (text == NULL || inputs == NULL) luaL_error(L, "the script has changed the library");
  lves_json_read(L, text, length);
  lua_pushlstring(L, inputs, inputs_length);
}

/* The words at 1 as an array of C strings that live as long as their table. */
static size_t take_words(lua_State *L, point_box *box) {
  const size_t n = (size_t)luaL_len(L, 1);
  box->set = calloc(n + 1, sizeof *box->set);
  for (size_t i = 0; box->set != NULL && i < n; i++) {
    lua_rawgeti(L, 1, (lua_Integer)i + 1);
    luaL_argcheck(L, lua_type(L, -1) == LUA_TSTRING, 1, "array of words expected");
    box->set[i] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  return n;
}

static int point(lua_State *L) {
  const run_options *options = lua_touserdata(L, lua_upvalueindex(1));
  const run_paths *paths = lua_touserdata(L, lua_upvalueindex(2));
  luaL_checktype(L, 1, LUA_TTABLE);
  const lua_Integer jobs = luaL_checkinteger(L, 2);
  lua_settop(L, 2);
  point_box *box = lua_newuserdatauv(L, sizeof *box, 0);
  *box = (point_box){.state = NULL};
  luaL_setmetatable(L, POINT);
  const size_t n = take_words(L, box);
  if (box->set == NULL) return luaL_error(L, "not enough memory");
  box->line = run_options_point_line(options, run_paths_out(paths, options), box->set, n);
  run_options inner = *options;
  inner.command = RUN_COMMAND_POINT;
  inner.set = box->set;
  inner.n_set = n;
  inner.line = box->line;
  inner.quiet = true;
  inner.jobs = (long)jobs;
  inner.timeout = options->point_timeout;
  inner.replicate = 0;
  inner.replicate_name = NULL;
  box->state = run_state_new(&inner, paths);
  if (box->line == NULL || box->state == NULL) return luaL_error(L, "not enough memory");
  if (!run_state_try(box->state, options->script)) pass_on(L, box->state);
  take_results(L, box->state);
  lua_pushvalue(L, 3);
  lua_pushcfunction(L, free_point);
  lua_insert(L, -2);
  lua_call(L, 1, 0);
  return 2;
}

void run_sweep_register(lua_State *L, const run_options *options, const run_paths *paths) {
  if (options->command != RUN_COMMAND_SWEEP) return;
  luaL_newmetatable(L, POINT);
  lua_pushcfunction(L, free_point);
  lua_setfield(L, -2, "__gc");
  lua_pop(L, 1);
  lua_createtable(L, (int)options->n_over, 0);
  for (size_t i = 0; i < options->n_over; i++) {
    lua_pushstring(L, options->over[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, "over");
  lua_pushinteger(L, options->jobs > 0 ? options->jobs : run_cores());
  lua_setfield(L, -2, "jobs");
  lua_pushlightuserdata(L, (void *)options);
  lua_pushlightuserdata(L, (void *)paths);
  lua_pushcclosure(L, point, 2);
  lua_setfield(L, -2, "point");
}
