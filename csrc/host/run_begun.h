/* run_begun: experiments that were begun and have not written their results.
 *
 * A run that ends well has published every experiment that it began; else earlier results would pass
 * for its own. What a script does to the tables of the library does not matter: the list is kept
 * here. */
#ifndef RUN_BEGUN_H
#define RUN_BEGUN_H

#include "run_options.h"
#include "run_paths.h"
#include <lua.h>

/* Keeps the list for this command. A script among the project's experiments begins the one of its
 * name by being run. */
void run_begun_expect(const run_options *options, const run_paths *paths);
/* Adds `begin(name)` to the table at the top of the stack. */
void run_begun_register(lua_State *L);
/* An experiment has been begun, or published. Names are short. */
void run_begun_add(const char *name);
void run_begun_remove(const char *name);

/* One replicate was computed for its own sake: the run ends well without results, and a stop object
 * may say so, as that of any command which does not run experiments to their end. */
void run_begun_waive(void);
bool run_begun_waived(void);

/* An experiment that has written nothing; NULL if there is none. */
const char *run_begun_left(void);

/* Puts an os.exit in the place of Lua's that is no way around this. */
void run_begun_guard_exit(lua_State *L);

#endif
