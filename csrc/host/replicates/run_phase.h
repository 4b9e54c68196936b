/* run_phase: one E:replicate call as its coordinator sees it: what is done, what is next, what
 * failed. */
#ifndef RUN_PHASE_H
#define RUN_PHASE_H

#include "run_answer.h"
#include "run_progress.h"

/* What E:replicate asks for. */
typedef struct {
  const char *name, *experiment;
  const char *description; /* what the results depend on besides their number, as JSON */
  const char *count;       /* "parameter NAME = VALUE" of the number of replicates, or "" */
  char key[RUN_KEY_SIZE];  /* the SHA-256 of the description */
  uint64_t n;
  int64_t seed;
  bool first, quiet; /* the script's first E:replicate; no progress */
} run_phase_spec;

typedef struct {
  uint64_t number;
  char *message; /* with the traceback, if there is one; NULL if there was no memory for it */
} run_failure;

/* How a phase ended. */
typedef enum {
  RUN_PHASE_DONE,        /* everything was computed or failed */
  RUN_PHASE_INTERRUPTED, /* a signal: what was finished is committed */
  RUN_PHASE_UNWRITTEN,   /* the journal could not be written */
  RUN_PHASE_NO_WORKER    /* no worker could be started; errno says why */
} run_outcome;

typedef struct {
  const run_phase_spec *spec;
  run_journal *journal;
  int64_t id; /* of the phase in the journal */

  uint8_t *settled; /* one bit per replicate: done, failed, or being computed */
  uint64_t done, cursor;
  uint64_t bad, first_bad; /* rows that fail their checksum */
  lves_buffer again;       /* numbers handed back unfinished */

  run_failure *failures;
  size_t n_failures, failures_capacity;

  lves_buffer pending; /* answers not yet committed */
  uint64_t n_pending;
  double commit_seconds; /* what a commit takes, a running mean */
  char *inputs_good;     /* the last list of inputs found unchanged */
  run_progress progress;
} run_phase;

/* Finds what the journal has of this phase, says which rows fail their checksum, and begins the
 * progress; `label` names the phase there. Free it always. */
run_journal_status run_phase_open(run_phase *phase, run_journal *journal,
                                  const run_phase_spec *spec, const char *label);
void run_phase_free(run_phase *phase);

/* The next replicate to compute; false if there is none left to hand out. */
bool run_phase_next(run_phase *phase, uint64_t *number);
/* Takes back a replicate that was handed out and not begun. */
void run_phase_return(run_phase *phase, uint64_t number);
/* How many are neither done nor failed nor handed out (an upper bound). */
uint64_t run_phase_waiting(const run_phase *phase);

/* Takes the answer to a replicate. A result is kept until the next commit; false if out of memory.
 */
bool run_phase_take(run_phase *phase, const run_answer *answer);
/* A replicate failed; the message is copied. */
void run_phase_fail(run_phase *phase, uint64_t number, const char *message);

/* Writes what is pending to the journal in one transaction. */
run_journal_status run_phase_commit(run_phase *phase);
/* Writes answers, one after another, in one transaction. */
run_journal_status run_phase_write(run_journal *journal, int64_t id, const char *key,
                                   const char *answers, size_t length);

#endif
