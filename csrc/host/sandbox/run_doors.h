/* run_doors: the functions of Lua's own libraries that reach outside, as a sandboxed script has
 * them. */
#ifndef RUN_DOORS_H
#define RUN_DOORS_H

#include <lua.h>

/* Replaces, in a state with all standard libraries open, every function that opens files, runs
 * programs, reads the environment or loads code. Call it before any Lua code runs. Does nothing
 * outside a sandbox. */
void run_doors_shut(lua_State *L);

/* Takes the debug library away. Call it when the library's own modules that need it are loaded, and
 * before the script. Does nothing outside a sandbox. */
void run_doors_drop_debug(lua_State *L);

#endif
