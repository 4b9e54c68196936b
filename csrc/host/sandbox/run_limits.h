/* run_limits: the memory a script may use. */
#ifndef RUN_LIMITS_H
#define RUN_LIMITS_H

#include "run_options.h"
#include <lua.h>

/* From now on the limit is what the command line asks for, or three quarters of what there is. */
void run_limits_begin(const run_options *options);

/* Makes the state's memory count against the limit, together with that of other states of this
 * process. */
void run_limits_watch(lua_State *L);

/* Limits the address space of this process and of those it starts, beyond what is in use now. */
void run_limits_enforce(void);

/* A sentence about the limit to go after an error message that is about memory, or "". */
const char *run_limits_hint(const char *message);

#endif
