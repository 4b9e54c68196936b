/* run_pool: a phase computed by worker processes on this machine. */
#ifndef RUN_POOL_H
#define RUN_POOL_H

#include "run_phase.h"
#include "run_worker.h"

/* Computes what the phase still lacks in so many workers, forks of this process that run `code`
 * (run_worker_serve). A replicate may take `timeout` seconds; 0: any time. *status is the journal's
 * when the outcome is UNWRITTEN. */
run_outcome run_pool_run(run_phase *phase, run_worker *code, int jobs, double timeout,
                         run_journal_status *status);

#endif
