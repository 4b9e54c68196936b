/* run_sweep: one point of a sweep. */
#ifndef RUN_SWEEP_H
#define RUN_SWEEP_H

#include "run_options.h"
#include "run_paths.h"
#include <lua.h>

/* Adds to the table on top of the stack:
 *   point(words, jobs, line)
 *                          runs the script with these words of --set in a state of its own, with so
 *                          many workers (`line` is the command that does the same); returns what it
 *                          handed to host.collected, and the list of what it depends on */
void run_sweep_register(lua_State *L, const run_options *options, const run_paths *paths);

#endif
