/* run_phase: one E:replicate call as its coordinator sees it: what is done, what is next, what
 * failed. */
#ifndef RUN_PHASE_H
#define RUN_PHASE_H

#include "run_journal.h"
#include "run_progress.h"

typedef struct {
  uint64_t index;
  char *message;  /* with the traceback, if there is one */
  uint64_t first; /* the least index with this message, once grouped (run_failures) */
} run_failure;

typedef struct {
  run_journal *journal;
  int64_t number; /* of the phase in the journal */
  uint8_t key[RUN_SHA256_SIZE];
  uint64_t n;
  const char *count; /* "parameter NAME = VALUE" of the number of replicates, or "" */

  uint8_t *settled; /* one bit per replicate: done, failed, or being computed */
  uint64_t done, cursor;
  uint64_t *again; /* handed back unfinished */
  size_t n_again, again_capacity;

  run_failure *failures;
  size_t n_failures, failures_capacity;

  run_bytes pending; /* records not yet committed, each after its length */
  uint64_t n_pending;
  double commit_seconds; /* what a commit takes, a running mean */
  bool shared;           /* another process writes to the journal */
  char *inputs_good;     /* the last list of inputs found unchanged, and the last found changed */
  char *inputs_bad;
  run_progress progress;
} run_phase;

/* Finds what the journal has of n replicates under this key, and begins the progress. Repairs the
 * journal if a row is damaged (its message is then a notice). Free it always. */
run_journal_status run_phase_open(run_phase *phase, run_journal *journal,
                                  const uint8_t key[RUN_SHA256_SIZE], const char *description,
                                  const char *count, uint64_t n, const char *label, bool quiet);
void run_phase_free(run_phase *phase);

/* The next replicate to compute; false if there is none left to hand out. */
bool run_phase_next(run_phase *phase, uint64_t *index);
/* Takes back a replicate that was handed out and not begun. */
void run_phase_return(run_phase *phase, uint64_t index);
/* How many are neither done nor failed nor handed out (an upper bound). */
uint64_t run_phase_waiting(const run_phase *phase);

/* A finished replicate: its whole record. Kept until the next commit; false if out of memory. */
bool run_phase_finish(run_phase *phase, const uint8_t *record, size_t length);
/* A failed one; the message is copied. */
void run_phase_fail(run_phase *phase, uint64_t index, const char *message, size_t length);

/* Writes what is pending to the journal in one transaction. */
run_journal_status run_phase_commit(run_phase *phase);

#endif
