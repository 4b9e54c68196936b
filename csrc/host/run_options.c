/* run_options: the command line.
 *
 * What commands and options there are, and what they take, is written in Lua
 * (lua/vesicle/base/command_line.lua), with their help. Here its result becomes the structure that
 * the rest of the program reads. */
#include "run_options.h"

#include "run_paths.h"
#include "run_state.h"
#include <lauxlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {
    [RUN_COMMAND_NONE] = "none",      [RUN_COMMAND_VERSION] = "version",
    [RUN_COMMAND_REPL] = "repl",      [RUN_COMMAND_RUN] = "run",
    [RUN_COMMAND_PARAMS] = "params",  [RUN_COMMAND_SWEEP] = "sweep",
    [RUN_COMMAND_POINT] = "point",    [RUN_COMMAND_CLAIMS] = "claims",
    [RUN_COMMAND_JOURNAL] = "journal"};

const char *run_options_command(run_command command) { return names[command]; }

/* ---- fields of the table on top of the stack ---- */

/* The string lives as long as the table. */
static const char *text(lua_State *L, const char *key) {
  lua_getfield(L, -1, key);
  const char *value = lua_tostring(L, -1);
  lua_pop(L, 1);
  return value;
}

static lua_Number number(lua_State *L, const char *key) {
  lua_getfield(L, -1, key);
  const lua_Number value = lua_tonumber(L, -1);
  lua_pop(L, 1);
  return value;
}

static int64_t integer(lua_State *L, const char *key) {
  lua_getfield(L, -1, key);
  const lua_Integer value = lua_tointeger(L, -1);
  lua_pop(L, 1);
  return value;
}

static bool is_set(lua_State *L, const char *key) {
  const bool value = lua_getfield(L, -1, key) != LUA_TNIL;
  lua_pop(L, 1);
  return value;
}

/* The strings of an array, in memory that lives as long as the state. */
static const char **texts(lua_State *L, const char *key, size_t *count) {
  lua_getfield(L, -1, key);
  *count = lua_rawlen(L, -1);
  const char **list = lua_newuserdatauv(L, (*count + 1) * sizeof *list, 0);
  luaL_ref(L, LUA_REGISTRYINDEX);
  for (size_t i = 0; i < *count; i++) {
    lua_rawgeti(L, -1, (lua_Integer)i + 1);
    list[i] = lua_tostring(L, -1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return list;
}

/* ---- the whole ---- */

/* Arguments: argv as a light userdata, its length, and where to put the result. */
static int parse(lua_State *L) {
  char **argv = lua_touserdata(L, 1);
  const lua_Integer argc = lua_tointeger(L, 2);
  run_options *o = lua_touserdata(L, 3);
  lua_getglobal(L, "require");
  lua_pushliteral(L, "vesicle.base.command_line");
  lua_call(L, 1, 1);
  lua_getfield(L, -1, "parse");
  lua_createtable(L, (int)argc, 1);
  for (lua_Integer i = 0; i < argc; i++) {
    lua_pushstring(L, argv[i]);
    lua_rawseti(L, -2, i);
  }
  lua_pushboolean(L, isatty(STDIN_FILENO) && isatty(STDOUT_FILENO));
  lua_call(L, 2, 1);
  lua_pushvalue(L, -1);
  luaL_ref(L, LUA_REGISTRYINDEX); /* keeps the strings */
  const char *command = text(L, "command");
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(names[i], command) == 0) o->command = (run_command)i;
  o->script = text(L, "script");
  lua_getfield(L, -1, "code");
  o->code = lua_tolstring(L, -1, &o->code_size);
  lua_pop(L, 1);
  o->action = text(L, "action");
  o->dir = text(L, "dir");
  o->format = text(L, "format");
  o->id = text(L, "id");
  o->out = text(L, "out");
  o->scale = text(L, "scale");
  o->line = text(L, "line");
  o->has_seed = is_set(L, "seed");
  o->seed = integer(L, "seed");
  o->quiet = is_set(L, "quiet");
  o->dry_run = is_set(L, "dry_run");
  o->trust = is_set(L, "trust");
  o->jobs = (long)integer(L, "jobs");
  o->timeout = number(L, "timeout");
  o->point_timeout = number(L, "point_timeout");
  o->time_limit = number(L, "time_limit");
  o->max_memory = (uint64_t)number(L, "max_memory");
  o->max_disk = (uint64_t)number(L, "max_disk");
  o->replicate = (uint64_t)integer(L, "replicate");
  o->replicate_name = text(L, "replicate_name");
  o->set = texts(L, "set", &o->n_set);
  o->over = texts(L, "over", &o->n_over);
  return 0;
}

int run_options_parse(int argc, char **argv, const run_paths *paths, run_options *options,
                      lua_State **reader) {
  *options = (run_options){.command = RUN_COMMAND_NONE, .scale = "full"};
  lua_State *L = *reader = run_state_new(options, paths);
  if (L == NULL) return RUN_SCRIPT_ERROR;
  lua_pushcfunction(L, parse);
  lua_pushlightuserdata(L, argv);
  lua_pushinteger(L, argc);
  lua_pushlightuserdata(L, options);
  return run_state_call(L, 3);
}
