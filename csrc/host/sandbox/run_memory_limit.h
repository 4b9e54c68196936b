/* run_memory_limit: the memory a script may use. */
#ifndef RUN_MEMORY_LIMIT_H
#define RUN_MEMORY_LIMIT_H

#include <lua.h>
#include <stdint.h>

/* From now on this process and those it starts may each use so many bytes beyond what is in use;
 * 0: three quarters of what there is. */
void run_memory_limit_begin(uint64_t bytes);

/* Makes the state's memory count against the limit, if there is one, together with that of other
 * states of this process. */
void run_memory_limit_watch(lua_State *L);

/* A sentence about the limit to go after an error message that is about memory, or "". */
const char *run_memory_limit_hint(const char *message);

#endif
