/* run_docs: the documentation of the Lua interface, inside the program. */
#ifndef RUN_DOCS_H
#define RUN_DOCS_H

#include <lua.h>

/* Adds to the table on top of the stack:
 *   documentation   the comments above the documented functions, as they stand in the sources */
void run_docs_register(lua_State *L);

#endif
