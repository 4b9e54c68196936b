/* run_supervise: a script in a process that can be killed. */
#ifndef RUN_SUPERVISE_H
#define RUN_SUPERVISE_H

#include "run_disk_limit.h"

/* Runs `work` in a child process and returns its exit code. SIGINT, SIGTERM and SIGHUP are passed
 * on; a second one ends the child at once. After `seconds` (0: never) the child is asked to stop,
 * and killed if it does not; the exit code is then RUN_INTERRUPTED. */
int run_supervise(double seconds, const run_disk_limit *disk, int (*work)(void *context),
                  void *context);

#endif
