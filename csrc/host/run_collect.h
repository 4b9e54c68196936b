/* run_collect: how often Lua collects garbage. */
#ifndef RUN_COLLECT_H
#define RUN_COLLECT_H

#include <lua.h>

/* From now on a collection waits for four megabytes of garbage more than it would. */
void run_collect_tune(lua_State *L);

#endif
