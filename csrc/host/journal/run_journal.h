/* run_journal: finished replicates, kept so that nothing short of losing the disk loses them. */
#ifndef RUN_JOURNAL_H
#define RUN_JOURNAL_H

#include "run_sha256.h"
#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct run_journal run_journal;

typedef enum {
  RUN_JOURNAL_OK,
  RUN_JOURNAL_ABSENT,  /* no such phase, no such file */
  RUN_JOURNAL_FULL,    /* no room on the disk */
  RUN_JOURNAL_DENIED,  /* the place cannot be written or read */
  RUN_JOURNAL_BUSY,    /* another process holds it */
  RUN_JOURNAL_DAMAGED, /* SQLite cannot read it, or it is no journal */
  RUN_JOURNAL_FAILED   /* anything else */
} run_journal_status;

/* How to open it. */
typedef enum {
  RUN_JOURNAL_SHARE,   /* to run: create it if absent, set it aside if damaged */
  RUN_JOURNAL_INSPECT, /* to look at it: neither create it nor set it aside */
  RUN_JOURNAL_READ,    /* to read rows of it while it is in use: as INSPECT, without the checks */
  RUN_JOURNAL_OWN      /* to prune it: as INSPECT, and nobody else may have it open */
} run_journal_mode;

/* Opens the journal in the file `path` (NULL: a temporary one that vanishes with the process).
 * `*journal` is set even on failure (unless out of memory), for its message; close it always.
 * After success a non-empty message is a notice to the user: that a damaged file was set aside, or
 * that another run shares the journal. */
run_journal_status run_journal_open(const char *path, run_journal_mode mode, run_journal **journal);
void run_journal_close(run_journal *journal);
const char *run_journal_message(const run_journal *journal);
const char *run_journal_path(const run_journal *journal);
sqlite3 *run_journal_database(run_journal *journal);
/* What a code of SQLite means here; any but OK also becomes the message. */
run_journal_status run_journal_status_of(run_journal *journal, int code);

/* A key is a digest in hexadecimal, with its zero. */
#define RUN_KEY_SIZE (2 * RUN_SHA256_SIZE + 1)

/* The number of the phase with this key; created with its name and description if absent, unless
 * the name is NULL. */
run_journal_status run_journal_phase(run_journal *journal, const char *key, const char *name,
                                     const char *description, int64_t *phase);

/* A row: one finished replicate. The texts end with a zero, which their lengths do not count. */
typedef struct {
  uint64_t number;
  const char *result, *inputs; /* JSON; lines that name what was read while it ran */
  size_t result_length, inputs_length;
} run_row;

/* Calls `visit` for the rows first to last of a phase, in order; it returns false to stop. `good`
 * says whether the row has the checksum it was written with; nobody looks if `key` is NULL. */
typedef bool (*run_journal_visit)(void *context, const run_row *row, bool good);
run_journal_status run_journal_scan(run_journal *journal, int64_t phase, const char *key,
                                    uint64_t first, uint64_t last, run_journal_visit visit,
                                    void *context);

/* Adds rows in one transaction: begin, put..., commit. A row that exists is replaced. After a
 * failure the transaction is rolled back. */
run_journal_status run_journal_begin(run_journal *journal);
run_journal_status run_journal_put(run_journal *journal, int64_t phase, const char *key,
                                   const run_row *row);
run_journal_status run_journal_commit(run_journal *journal);

#endif
