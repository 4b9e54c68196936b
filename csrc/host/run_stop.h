/* run_stop: ending a run on purpose, with an exit code and a message but no traceback. */
#ifndef RUN_STOP_H
#define RUN_STOP_H

#include <lua.h>

/* Raises a stop object (see run_state_call). The format is printf's. */
_Noreturn void run_stop(lua_State *L, int exit_code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
