/* run_unfinished: experiments that were begun and have not written their results.
 *
 * A run that ends well has published every experiment that it began; else earlier results would
 * pass for its own. The list is kept in C, where no script can change it. */
#ifndef RUN_UNFINISHED_H
#define RUN_UNFINISHED_H

#include "run_options.h"
#include "run_paths.h"
#include <lua.h>

/* Keeps the list for this command. A script among the project's experiments begins the one of its
 * name by being run. */
void run_unfinished_expect(const run_options *options, const run_paths *paths);
/* Adds `begin(name)` to the table at the top of the stack. */
void run_unfinished_register(lua_State *L);
/* An experiment has been published. */
void run_unfinished_remove(const char *name);

/* One replicate was computed for its own sake: the run ends well without results, and a stop object
 * may say so, as that of any command which does not run experiments to their end. */
void run_unfinished_waive(void);
bool run_unfinished_waived(void);

/* An experiment that has written nothing; NULL if there is none. */
const char *run_unfinished_left(void);

/* Puts an os.exit in the place of Lua's that is no way around this. */
void run_unfinished_guard_exit(lua_State *L);

#endif
