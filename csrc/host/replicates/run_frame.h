/* run_frame: a worker's answer to one replicate, over a pipe or between ranks: its kind (1 byte),
 * the index and the length of the body (8 bytes each), the body. */
#ifndef RUN_FRAME_H
#define RUN_FRAME_H

#include "run_bytes.h"

#define RUN_FRAME_HEAD 25

enum {
  RUN_FRAME_RESULT = 'R', /* a record */
  RUN_FRAME_ERROR = 'E',  /* a message */
  RUN_FRAME_LAST = 'L'    /* a message, and the worker ends itself: its memory is exhausted */
};

/* Computes one replicate and returns its whole frame, which stays the callee's until the next
 * call. */
typedef const run_bytes *(*run_compute)(void *context, uint64_t index);

/* How a phase ended. */
typedef enum {
  RUN_PHASE_DONE,        /* everything was computed or failed */
  RUN_PHASE_INTERRUPTED, /* a signal: what was finished is committed */
  RUN_PHASE_UNWRITTEN,   /* the journal could not be written */
  RUN_PHASE_NO_WORKER,   /* no worker could be started; errno says why */
  RUN_PHASE_DISAGREED,   /* the ranks do not run the same script */
  RUN_PHASE_OVERDUE      /* a rank is past its time and cannot be stopped alone */
} run_outcome;

#endif
