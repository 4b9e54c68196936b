/* run_signal: SIGINT and SIGTERM end a run cleanly. */
#ifndef RUN_SIGNAL_H
#define RUN_SIGNAL_H

#include <lua.h>
#include <signal.h>

/* From now on the first SIGINT or SIGTERM stops the script at its next instruction with a stop
 * object (exit code 3); a second one kills the process as usual. */
void run_signal_install(lua_State *L);

/* The signal that arrived, or 0. */
int run_signal_pending(void);

/* The caller ends the run itself: the script is not to be stopped a second time. */
void run_signal_acknowledge(void);

/* Blocks both, so that they arrive only while waiting (`pselect` with the mask in *waiting); undo
 * with run_signal_unblock. */
void run_signal_block(sigset_t *waiting);
void run_signal_unblock(const sigset_t *waiting);

/* In a worker: the terminal's SIGINT is the parent's business, SIGTERM kills. */
void run_signal_worker(void);

#endif
