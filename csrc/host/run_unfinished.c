/* run_unfinished: the names of experiments that were begun, until they are published. */
#include "run_unfinished.h"

#include "run_mpi.h"
#include "run_sandbox.h"
#include "run_stop.h"
#include <lauxlib.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 }; /* experiments of one script; further ones are not watched */

static bool kept = false, waived = true;
static const char *script = "the script";
static char names[MOST][NAME_MAX + 1];
static size_t count = 0;

static bool find(const char *name, size_t *at) {
  for (*at = 0; *at < count; (*at)++)
    if (strcmp(names[*at], name) == 0) return true;
  return false;
}

static void add(const char *name) {
  size_t at;
  if (!kept || count == MOST || strlen(name) > NAME_MAX || find(name, &at)) return;
  memcpy(names[count++], name, strlen(name) + 1);
}

void run_unfinished_remove(const char *name) {
  size_t at;
  if (!find(name, &at)) return;
  memmove(names[at], names[--count], sizeof names[at]);
}

void run_unfinished_waive(void) { waived = true; }

bool run_unfinished_waived(void) { return waived; }

const char *run_unfinished_left(void) { return count > 0 && !waived ? names[0] : NULL; }

/* The name of a script in the folder of the experiments: that of its file. */
static void add_script(const char *path) {
  char name[NAME_MAX + 1];
  const char *slash = strrchr(path, '/'), *file = slash != NULL ? slash + 1 : path;
  const size_t length = strlen(file);
  if (length <= 4 || length > NAME_MAX || strcmp(file + length - 4, ".lua") != 0) return;
  memcpy(name, file, length - 4);
  name[length - 4] = '\0';
  add(name);
}

void run_unfinished_expect(const run_options *options, const run_paths *paths) {
  kept = options->command == RUN_COMMAND_RUN && run_mpi_rank() == 0;
  waived = !kept;
  if (options->script != NULL) script = options->script;
  if (options->code == NULL && run_paths_is_experiment(paths, script)) add_script(script);
}

/* ---- for Lua ---- */

static int begin(lua_State *L) {
  const char *name = luaL_checkstring(L, 1), *own = run_sandbox_name();
  luaL_argcheck(L, own == NULL || strcmp(own, name) == 0, 1, "the name of the script expected");
  add(name);
  return 0;
}

void run_unfinished_register(lua_State *L) {
  lua_pushcfunction(L, begin);
  lua_setfield(L, -2, "begin");
}

/* Whether os.exit with this argument says that all is well: of a number, a process keeps the last
 * byte. */
static bool says_well(lua_State *L) {
  if (lua_isnoneornil(L, 1)) return true;
  if (lua_isboolean(L, 1)) return lua_toboolean(L, 1);
  return (lua_tointeger(L, 1) & 255) == 0;
}

static int guarded_exit(lua_State *L) {
  const char *left = run_unfinished_left();
  if (left != NULL && says_well(L))
    run_stop(L, RUN_SCRIPT_ERROR,
             "%s ends without E:finish(): the experiment `%s` has written nothing", script, left);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, 0);
  return 0;
}

void run_unfinished_guard_exit(lua_State *L) {
  lua_getglobal(L, "os");
  lua_getfield(L, -1, "exit");
  lua_pushcclosure(L, guarded_exit, 1);
  lua_setfield(L, -2, "exit");
  lua_pop(L, 1);
}
