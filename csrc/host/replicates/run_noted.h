/* run_noted: the files a script has read. */
#ifndef RUN_NOTED_H
#define RUN_NOTED_H

#include "run_journal.h"
#include <lua.h>

/* Adds to the table on top of the stack:
 *   digest(path)   SHA-256 of a file in hexadecimal, and its absolute path; or nil and what is there:
 *                  "nothing", as far as a script can see, "directory" or "stream"
 *   note(path)     the same, and the file is noted */
void run_noted_register(lua_State *L, const char *script);

/* How many files this state has noted. */
lua_Integer run_noted_count(lua_State *L);
/* To the list of inputs on top of the stack, a string of lines, adds a line "SHA-256  path" for each
 * file noted after the first `from`, and "beside DIRECTORY" if one is named by the script's path. */
void run_noted_join(lua_State *L, lua_Integer from);
/* Whether the script lies in this directory. */
bool run_noted_is_beside(const char *dir);

/* Replaces the string on top of the stack by its digest together with those of all files noted,
 * whatever their order and their places. */
void run_noted_mix(lua_State *L);

#endif
