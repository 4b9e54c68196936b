/* run_coroutine: the coroutines under way.
 *
 * A hook of Lua belongs to one coroutine. A signal has to reach the one that runs, and those that
 * wait for it, which go on when it has been stopped. Lua does not say which they are, so that
 * `coroutine.resume` and `coroutine.wrap` of the states made here keep a list. */
#ifndef RUN_COROUTINE_H
#define RUN_COROUTINE_H

#include <lua.h>

/* Puts both into the library `coroutine` of a state. */
void run_coroutine_install(lua_State *L);

/* Sets the hook of every coroutine under way but the main one. Can be called from a signal handler. */
void run_coroutine_hook(lua_Hook hook, int mask, int count);

#endif
