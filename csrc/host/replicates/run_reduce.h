/* run_reduce: what the ranks of a job put together outside of replicates. */
#ifndef RUN_REDUCE_H
#define RUN_REDUCE_H

#include <lua.h>

/* Adds to the table on top of the stack, both to be called by all ranks at the same place:
 *   exchange(text)      an array with the text of every rank, in their order
 *   merge(net, part)    adds the observations of every rank's `part` to `net`, in their order */
void run_reduce_register(lua_State *L);

#endif
