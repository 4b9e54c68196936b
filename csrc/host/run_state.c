/* run_state: the Lua state a script runs in.
 *
 * Nothing of the environment reaches a script: not LUA_PATH, LUA_CPATH or LUA_INIT, not the working
 * directory, not the hash seed that Lua draws at start (vesicle.base.deterministic replaces
 * math.random and pairs). What the command line said reaches the library as the module
 * `vesicle.base.host`. */
#include "run_state.h"

#include "run_cores.h"
#include "run_coroutine.h"
#include "run_disk_limit.h"
#include "run_files.h"
#include "run_memory_limit.h"
#include "run_mpi.h"
#include "run_reduce.h"
#include "run_repl.h"
#include "run_replicate.h"
#include "run_sandbox.h"
#include "run_sandbox_libraries.h"
#include "run_signal.h"
#include "run_sweep.h"
#include "run_unfinished.h"
#include "run_version.h"
#include <gsl/gsl_version.h>
#include <lauxlib.h>
#include <lualib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- vesicle.base.host ---- */

static void set_string(lua_State *L, const char *key, const char *value) {
  if (value == NULL) return;
  lua_pushstring(L, value);
  lua_setfield(L, -2, key);
}

static void set_strings(lua_State *L, const char *key, const char *const *values, size_t count) {
  lua_createtable(L, (int)count, 0);
  for (size_t i = 0; i < count; i++) {
    lua_pushstring(L, values[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, key);
}

static void set_integer(lua_State *L, const char *key, lua_Integer value) {
  lua_pushinteger(L, value);
  lua_setfield(L, -2, key);
}

static void set_boolean(lua_State *L, const char *key, bool value) {
  lua_pushboolean(L, value);
  lua_setfield(L, -2, key);
}

/* The module `vesicle.base.host`: what the command line said, and the file operations Lua lacks.
 * Upvalues: the options and the paths, as light userdata that outlive the state. */
static int open_host(lua_State *L) {
  const run_options *options = lua_touserdata(L, lua_upvalueindex(1));
  const run_paths *paths = lua_touserdata(L, lua_upvalueindex(2));
  lua_newtable(L);
  set_string(L, "command", run_options_command(options->command));
  set_string(L, "script", options->script);
  set_string(L, "code", options->code);
  set_string(L, "scale", options->scale);
  set_string(L, "out", run_paths_out(paths, options));
  set_string(L, "version", run_version_number());
  set_string(L, "commit", run_version_commit());
  if (options->has_seed) set_integer(L, "seed", options->seed);
  set_integer(L, "rank", run_mpi_rank());
  set_integer(L, "ranks", run_mpi_size());
  set_boolean(L, "quiet", options->quiet || run_mpi_rank() > 0);
  set_boolean(L, "sandboxed", run_sandbox_on());
  set_string(L, "name", run_sandbox_name());
  set_strings(L, "set", options->set, options->n_set);
  lua_pushfstring(L, "%s, GSL %s, Lua %s", run_version_build(), gsl_version, LUA_RELEASE);
  lua_setfield(L, -2, "build");
  run_sandbox_libraries_register(L);
  run_files_register(L, options, paths);
  run_repl_register(L, options->command == RUN_COMMAND_REPL);
  run_replicate_register(L, options);
  run_reduce_register(L);
  run_unfinished_register(L);
  if (options->command == RUN_COMMAND_SWEEP) {
    set_strings(L, "over", options->over, options->n_over);
    set_integer(L, "jobs", options->jobs > 0 ? options->jobs : run_cores());
    run_sweep_register(L, options, paths);
  }
  return 1;
}

/* ---- the state ---- */

/* Lua begins a garbage collection when the memory in use has doubled since the last. A replicate
 * makes and drops matrices around a state of less than half a megabyte: all of it would be marked
 * again after every handful of them, which took a tenth of the time of small replicates. The
 * collector knows no least amount of garbage worth a cycle, only the ratio; so the state holds a
 * block of four megabytes that counts as memory in use and, never touched, takes none. */
static void delay_garbage_collection(lua_State *L) {
  static const char key = 0;
  lua_newuserdatauv(L, 4 << 20, 0);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &key);
}

/* What is freed is wanted again at once: a replicate drops a matrix to make the next. The C library
 * would give the end of its heap back to the kernel, and each page of it comes back by a fault and
 * full of zeros. So it keeps as much as matters. */
static void keep_freed_memory(void) {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 128 << 20);
  mallopt(M_MMAP_THRESHOLD, 16 << 20);
#endif
}

typedef struct {
  const run_options *options;
  const run_paths *paths;
} setup;

static int set_up(lua_State *L) {
  const setup *s = lua_touserdata(L, 1);
  lua_pushboolean(L, 1);
  lua_setfield(L, LUA_REGISTRYINDEX, "LUA_NOENV");
  luaL_openlibs(L);
  run_unfinished_guard_exit(L);
  run_coroutine_install(L);
  delay_garbage_collection(L);
  run_sandbox_libraries_install(L, s->paths->lua, s->options->script);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, luaopen_vesicle);
  lua_setfield(L, -2, "vesicle");
  lua_pushlightuserdata(L, (void *)s->options);
  lua_pushlightuserdata(L, (void *)s->paths);
  lua_pushcclosure(L, open_host, 2);
  lua_setfield(L, -2, "vesicle.base.host");
  return 0;
}

lua_State *run_state_new(const run_options *options, const run_paths *paths) {
  keep_freed_memory();
  lua_State *L = luaL_newstate();
  setup s = {options, paths};
  if (L != NULL) {
    run_memory_limit_watch(L);
    lua_pushcfunction(L, set_up);
    lua_pushlightuserdata(L, &s);
    if (lua_pcall(L, 1, 0, 0) == LUA_OK) return L;
  }
  fprintf(stderr, "vesicle: cannot start Lua: %s\n", L != NULL ? lua_tostring(L, -1) : "no memory");
  if (L != NULL) lua_close(L);
  return NULL;
}

/* ---- calls ---- */

/* Pushes a field without regard to metatables, which may be the script's. */
static int raw_field(lua_State *L, int table, const char *name) {
  table = lua_absindex(L, table);
  lua_pushstring(L, name);
  return lua_rawget(L, table);
}

/* Whether a message names a line: ":12: ". */
static bool names_line(const char *message) {
  for (const char *colon = strchr(message, ':'); colon != NULL; colon = strchr(colon + 1, ':')) {
    const size_t digits = strspn(colon + 1, "0123456789");
    if (digits > 0 && strncmp(colon + 1 + digits, ": ", 2) == 0) return true;
  }
  return false;
}

/* Pushes "file:line: ", where the script called what failed; the empty string if it did not. Lines
 * of the library are passed over: it is the script that somebody has to mend. */
static void push_place(lua_State *L) {
  lua_Debug ar;
  for (int level = 1; lua_getstack(L, level, &ar); level++) {
    lua_getinfo(L, "Sl", &ar);
    const bool written = *ar.source == '@' || *ar.source == '='; /* else by the program itself */
    if (!written || ar.currentline <= 0 || strstr(ar.source, "/lua/vesicle/") != NULL) continue;
    lua_pushfstring(L, "%s:%d: ", ar.short_src, ar.currentline);
    return;
  }
  lua_pushliteral(L, "");
}

/* Adds a traceback to an error message, and the place if the message names none; leaves a stop
 * object (see run_state_call) as it is. */
static int add_traceback(lua_State *L) {
  if (lua_istable(L, 1) && raw_field(L, 1, "exit_code") == LUA_TNUMBER) {
    lua_settop(L, 1);
    return 1;
  }
  const char *message = luaL_tolstring(L, 1, NULL);
  if (lua_isstring(L, 1) && !names_line(message)) {
    push_place(L);
    lua_insert(L, -2);
    lua_concat(L, 2);
    message = lua_tostring(L, -1);
  }
  luaL_traceback(L, L, message, 1);
  return 1;
}

/* Prints the text that a function of the library has for an argument, if it has one:
 * require(module)[name](argument). What goes wrong in it is nobody's concern. */
static void tell(lua_State *L, const char *module, const char *name, const char *argument) {
  static const char chunk[] =
      "local module, name, argument = ...; return require(module)[name](argument)";
  const int top = lua_gettop(L);
  if (luaL_loadstring(L, chunk) == LUA_OK) {
    lua_pushstring(L, module);
    lua_pushstring(L, name);
    lua_pushstring(L, argument);
    if (lua_pcall(L, 3, 1, 0) == LUA_OK && lua_type(L, -1) == LUA_TSTRING)
      fprintf(stderr, "vesicle: %s\n", lua_tostring(L, -1));
  }
  lua_settop(L, top);
}

/* Prints an error. All ranks of a job usually fail alike: rank 0 speaks first, and its end is the
 * end of all; only an error that rank 0 does not have is told by another. */
static int report(lua_State *L) {
  const char *message = NULL;
  const int rank = run_mpi_rank();
  run_signal_over();
  run_disk_limit_lift();
  if (rank > 0 && !lua_istable(L, -1)) {
    sleep(2);
    fprintf(stderr, "vesicle: rank %d:\n", rank);
  }
  int code = RUN_SCRIPT_ERROR;
  if (lua_istable(L, -1)) {
    raw_field(L, -1, "exit_code");
    const lua_Integer asked = lua_tointeger(L, -1);
    if (asked > RUN_DONE && asked <= RUN_UNVERIFIED) code = (int)asked;
    if (asked == RUN_DONE && run_unfinished_waived())
      code = RUN_DONE; /* else it is a script's idea */
    raw_field(L, -2, "message");
    message = lua_tostring(L, -1);
    if (message == NULL && asked == RUN_DONE && code != RUN_DONE)
      message = lua_pushliteral(L, "the script raised an error of exit code 0"), lua_remove(L, -2);
    lua_insert(L, -3); /* keeps the message where it is used */
    lua_pop(L, 2);
  } else {
    message = lua_tostring(L, -1);
    if (message == NULL) message = "the script raised an error that cannot be shown";
  }
  fflush(stdout);
  if (message != NULL && message[0] != '\0') fprintf(stderr, "vesicle: %s\n", message);
  const char *hint = run_memory_limit_hint(message);
  if (hint[0] != '\0') fprintf(stderr, "vesicle: %s\n", hint);
  if (message != NULL) tell(L, "vesicle.base.hints", "of_script", message);
  if (run_sandbox_on() && message != NULL && strstr(message, "(global 'debug')") != NULL)
    fprintf(stderr, "vesicle: the sandbox has no debug library (--trust lifts this)\n");
  lua_pop(L, 1);
  return code;
}

int run_state_call(lua_State *L, int args) {
  const int base = lua_gettop(L) - args;
  lua_pushcfunction(L, add_traceback);
  lua_insert(L, base);
  const int status = lua_pcall(L, args, 0, base);
  const int code = status == LUA_OK ? RUN_DONE : report(L);
  lua_remove(L, base);
  return code;
}

/* Prepares the state for a script. False with the error on the stack, above add_traceback. */
static bool prepare(lua_State *L, const run_options *options) {
  static const char prelude[] = "local script, is_file = ...\n"
                                "local sources = require('vesicle.base.sources')\n"
                                "if is_file then sources.note(script) end\n"
                                "require('vesicle.base.unrepeatable')\n"
                                "require('vesicle.base.deterministic').install()\n"
                                "if require('vesicle.base.host').sandboxed then "
                                "require('vesicle.base.globals').watch() end";
  lua_pushcfunction(L, add_traceback);
  const int handler = lua_gettop(L);
  if (luaL_loadbufferx(L, prelude, sizeof prelude - 1, "=prelude", "t") != LUA_OK) return false;
  lua_pushstring(L, options->script);
  lua_pushboolean(L, options->code == NULL);
  if (lua_pcall(L, 2, 0, handler) != LUA_OK) return false;
  run_sandbox_libraries_drop_debug(L);
  lua_newtable(L);
  lua_pushstring(L, options->script);
  lua_rawseti(L, -2, 0);
  lua_setglobal(L, "arg");
  return true;
}

int run_state_prepare(lua_State *L, const run_options *options) {
  return prepare(L, options) ? RUN_DONE : report(L);
}

/* Tells the library that the script has come to its end, upon which it may raise an error. */
static bool end_script(lua_State *L, int handler) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (raw_field(L, -1, "vesicle.base.host") != LUA_TTABLE) return true;
  return raw_field(L, -1, "ended") != LUA_TFUNCTION || lua_pcall(L, 0, 0, handler) == LUA_OK;
}

/* Pushes the script as a function; false with a message. */
static bool load(lua_State *L, const run_options *options) {
  if (options->code == NULL) return luaL_loadfilex(L, options->script, "t") == LUA_OK;
  lua_pushfstring(L, "=%s", options->script);
  const int status =
      luaL_loadbufferx(L, options->code, options->code_size, lua_tostring(L, -1), "t");
  lua_remove(L, -2);
  return status == LUA_OK;
}

bool run_state_try(lua_State *L, const run_options *options) {
  const int handler = lua_gettop(L) + 1;
  return prepare(L, options) && load(L, options) && lua_pcall(L, 0, 0, handler) == LUA_OK &&
         end_script(L, handler);
}

int run_state_script(lua_State *L, const run_options *options) {
  if (!run_state_try(L, options)) return report(L);
  if (run_mpi_rank() == 0) tell(L, "vesicle.base.globals", "report", NULL);
  return RUN_DONE;
}

bool run_state_declared(lua_State *L) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (raw_field(L, -1, "vesicle.base.host") == LUA_TTABLE) raw_field(L, -1, "declared");
  const bool declared = lua_toboolean(L, -1) && !lua_istable(L, -1);
  lua_settop(L, 0);
  return declared;
}
