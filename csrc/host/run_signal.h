/* run_signal: SIGINT, SIGTERM and SIGHUP end a run cleanly. */
#ifndef RUN_SIGNAL_H
#define RUN_SIGNAL_H

#include <lua.h>
#include <signal.h>
#include <stdbool.h>

/* Call it first. Who started the program may have blocked signals, which then would stop nothing, or
 * ignored the ends of children, of which then nobody could say how they ended. */
void run_signal_begin(void);

/* From now on the first of them stops the script at its next instruction, also inside a long
 * computation of the core (ves_stop), with a stop object (exit code 3); a second one kills the
 * process as usual. Without `handle_them` only
 * run_signal_watch uses the state: on the other ranks of an MPI job signals are rank 0's business.
 */
void run_signal_install(lua_State *L, bool handle_them);

/* A script that catches the stop and goes on has a million instructions to tidy up, then it is
 * stopped again, at every step until it has ended; run_signal_over says that it has. At the prompt
 * nobody insists: the prompt itself catches the stop. */
void run_signal_insist(void);
void run_signal_over(void);

/* Call it first in a process that another one supervises (run_supervise): from now on it ignores
 * the terminal's signals, which are its parent's business, and SIGUSR1 takes their place. */
void run_signal_supervised(void);

/* The signal that arrived, or 0. */
int run_signal_pending(void);

/* The caller ends the run itself: the script is not to be stopped a second time, unless it goes
 * on. */
void run_signal_acknowledge(void);

/* Blocks them, so that they arrive only while waiting (`pselect` with the mask in *waiting); undo
 * with run_signal_unblock. */
void run_signal_block(sigset_t *waiting);
void run_signal_unblock(const sigset_t *waiting);

/* Raises a Lua error in the installed script after so many seconds; 0 calls it off. */
void run_signal_watch(double seconds);

/* In a worker: the terminal's signals are the parent's business, SIGTERM kills. */
void run_signal_worker(void);

#endif
