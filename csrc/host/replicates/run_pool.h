/* run_pool: a phase computed by worker processes on this machine. */
#ifndef RUN_POOL_H
#define RUN_POOL_H

#include "run_phase.h"

typedef struct {
  /* Runs in the worker: reads numbers of replicates (uint64_t) from `in` until its end, writes an
   * answer to each to `out`. It never returns. */
  void (*serve)(void *context, int in, int out);
  void *context;
  int jobs;       /* workers */
  double timeout; /* seconds a replicate may take; 0: any time */
} run_pool_options;

/* Computes what the phase still lacks. *status is the journal's when the outcome is UNWRITTEN. */
run_outcome run_pool_run(run_phase *phase, const run_pool_options *options,
                         run_journal_status *status);

#endif
