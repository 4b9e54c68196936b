/* run_journal: finished replicates, kept so that nothing short of losing the disk loses them. */
#ifndef RUN_JOURNAL_H
#define RUN_JOURNAL_H

#include "run_record.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct run_journal run_journal;

typedef enum {
  RUN_JOURNAL_OK,
  RUN_JOURNAL_ABSENT,  /* no such row, no such file */
  RUN_JOURNAL_FULL,    /* no room on the disk */
  RUN_JOURNAL_DENIED,  /* the place cannot be written or read */
  RUN_JOURNAL_BUSY,    /* another process holds it */
  RUN_JOURNAL_DAMAGED, /* its bytes are not what was written */
  RUN_JOURNAL_FAILED   /* anything else */
} run_journal_status;

/* How to open it. */
typedef enum {
  RUN_JOURNAL_SHARE,   /* to run: create it if absent, repair it if damaged */
  RUN_JOURNAL_INSPECT, /* to look at it: neither create nor repair */
  RUN_JOURNAL_READ,    /* to read rows of it while it is in use: as INSPECT, without the checks */
  RUN_JOURNAL_OWN      /* to prune it: nobody else may have it open; repair it if damaged */
} run_journal_mode;

/* Opens the journal in the file `path` (NULL: a temporary one that vanishes with the process).
 * `*journal` is set even on failure (unless out of memory), for its message; close it always.
 * After success a non-empty message is a notice to the user: what was found and repaired, or that
 * another run shares the journal. */
run_journal_status run_journal_open(const char *path, run_journal_mode mode, run_journal **journal);
void run_journal_close(run_journal *journal);
const char *run_journal_message(const run_journal *journal);
void run_journal_acknowledge(run_journal *journal); /* the message was passed on */
const char *run_journal_path(const run_journal *journal);

/* The number of the phase with this key; created with its description if absent and `create`. */
run_journal_status run_journal_phase(run_journal *journal, const uint8_t key[RUN_SHA256_SIZE],
                                     const char *description, bool create, int64_t *phase);

/* Calls `visit` for every row of a phase from index `first` on, in order, after checking it; visit
 * returns false to stop. DAMAGED if a row fails its check. */
typedef bool (*run_journal_visit)(void *context, const run_record *record);
run_journal_status run_journal_scan(run_journal *journal, int64_t phase, uint64_t first,
                                    uint64_t last, run_journal_visit visit, void *context);

/* Calls `visit` for every phase: its number, key, description. */
typedef bool (*run_journal_visit_phase)(void *context, int64_t phase,
                                        const uint8_t key[RUN_SHA256_SIZE],
                                        const char *description);
run_journal_status run_journal_phases(run_journal *journal, run_journal_visit_phase visit,
                                      void *context);

/* Adds whole records (as run_record_make makes them) in one transaction: begin, put..., commit.
 * A row that exists is replaced. After a failure the transaction is rolled back. */
run_journal_status run_journal_begin(run_journal *journal);
run_journal_status run_journal_put(run_journal *journal, int64_t phase, uint64_t index,
                                   const uint8_t *record, size_t length);
run_journal_status run_journal_commit(run_journal *journal);

/* Whether another process has committed since the last call. */
bool run_journal_changed(run_journal *journal);
/* Whether the row is there; not checked. */
bool run_journal_has(run_journal *journal, int64_t phase, uint64_t index);

/* Removes a phase with its rows; run_journal_compact then gives the space back. */
run_journal_status run_journal_remove(run_journal *journal, int64_t phase);
run_journal_status run_journal_compact(run_journal *journal);

/* Replaces a journal found damaged while in use: everything readable moves to a fresh file. The
 * numbers of phases change. */
run_journal_status run_journal_repair(run_journal *journal);

#endif
