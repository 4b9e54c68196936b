/* run_failures: failed replicates, told by what went wrong. */
#ifndef RUN_FAILURES_H
#define RUN_FAILURES_H

#include "run_phase.h"

/* What to tell of the failures of a phase: each message once with whom it befell, and how to run
 * just the first of them (`line` is the command); to be freed. NULL if out of memory. */
char *run_failures_text(run_phase *phase, const char *line);

#endif
