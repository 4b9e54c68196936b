/* run_sandbox_libraries: Lua's own libraries, as a script has them. */
#ifndef RUN_SANDBOX_LIBRARIES_H
#define RUN_SANDBOX_LIBRARIES_H

#include <lua.h>

/* Replaces, in a state with all standard libraries open, every function that opens files; and in a
 * sandbox those that run programs, read the environment or load bytecode. Modules are looked for in
 * `lua_dir`, the directory of the library, and beside the script, which may be NULL. Call it before
 * any Lua code runs. May raise a Lua error. */
void run_sandbox_libraries_install(lua_State *L, const char *lua_dir, const char *script);

/* Adds to the table on top of the stack:
 *   on_read(f)   f(path) is called before a file is opened for reading, by whatever function of
 *                Lua or of the bindings; can be set once */
void run_sandbox_libraries_register(lua_State *L);

/* Takes the debug library away. Call it when the library's own modules that need it are loaded, and
 * before the script. Does nothing outside a sandbox. */
void run_sandbox_libraries_drop_debug(lua_State *L);

#endif
