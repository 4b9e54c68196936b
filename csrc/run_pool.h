/* run_pool: a phase computed by worker processes on this machine. */
#ifndef RUN_POOL_H
#define RUN_POOL_H

#include "run_phase.h"

typedef struct {
  /* Runs in the worker: reads indices (8 bytes each) from `in` until its end, writes one frame per
   * index to `out`. It never returns. */
  void (*serve)(void *context, int in, int out);
  void *context;
  int jobs;       /* workers */
  double timeout; /* seconds a replicate may take; 0: any time */
} run_pool_options;

/* A frame: its kind, the index, the length of what follows (8 bytes each, after 1 byte of kind). */
#define RUN_FRAME_HEAD 17
enum {
  RUN_FRAME_RESULT = 'R', /* a record */
  RUN_FRAME_ERROR = 'E',  /* a message */
  RUN_FRAME_LAST = 'L'    /* a message, and the worker ends itself: its memory is exhausted */
};

typedef enum {
  RUN_POOL_DONE,        /* everything was computed or failed */
  RUN_POOL_INTERRUPTED, /* a signal: what was finished is committed */
  RUN_POOL_JOURNAL,     /* the journal could not be written; *status says why */
  RUN_POOL_NO_WORKER    /* no worker could be started; errno says why */
} run_pool_outcome;

run_pool_outcome run_pool_run(run_phase *phase, const run_pool_options *options,
                              run_journal_status *status);

#endif
