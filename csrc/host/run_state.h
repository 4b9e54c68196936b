/* run_state: the Lua state a script runs in. */
#ifndef RUN_STATE_H
#define RUN_STATE_H

#include "run_options.h"
#include "run_paths.h"
#include <lua.h>
#include <stdbool.h>

/* The bindings' entry point (csrc/lves_*.c). */
int luaopen_vesicle(lua_State *L);

/* A state with the standard libraries, `vesicle` and `vesicle.base.host` preloaded, and
 * package.path pointing at the library, the script's own directory and the system's. NULL after a
 * message. Close with lua_close. */
lua_State *run_state_new(const run_options *options, const run_paths *paths);

/* Calls the function below its `args` arguments on the stack; an error is printed with a traceback.
 * Returns an exit code: RUN_SCRIPT_ERROR, or what the library asked for by raising a stop object
 * (a table with an integer `exit_code` and a `message`). */
int run_state_call(lua_State *L, int args);

/* Prepares the state for a script: what it depends on is noted, math.random and pairs are
 * deterministic, and in the sandbox the debug library goes. Returns an exit code. */
int run_state_prepare(lua_State *L, const run_options *options);

/* Prepares the state, loads the script and runs it. Returns an exit code. */
int run_state_script(lua_State *L, const run_options *options);

/* The same in a state that is one point of a sweep: true, or false with the error, a text or a stop
 * object, on the stack. */
bool run_state_try(lua_State *L, const run_options *options);

/* Whether the script made an experiment. */
bool run_state_declared(lua_State *L);

#endif
