/* run_mpi: one run over the ranks of an MPI job.
 *
 * Every rank runs the script; E:replicate is where they meet. Rank 0 keeps the journal and hands
 * out the replicates, the others compute them. In a program built without MPI all of this is one
 * rank. */
#ifndef RUN_MPI_H
#define RUN_MPI_H

#include "run_phase.h"

/* Joins the MPI job this process was started in, if it was. Returns RUN_DONE, or an exit code after
 * a message. */
int run_mpi_start(void);
/* Before that, in the process that supervises it: sees to it that a job's ranks get along with the
 * fence (run_mpi.c), with directories of their own, an array with NULL after the last, and removes
 * these when the job has ended. */
void run_mpi_prepare(void);
const char *const *run_mpi_directories(void);
void run_mpi_tidy(void);

int run_mpi_rank(void);
int run_mpi_size(void);

/* Leaves the job with this exit code. A failure that not all ranks know of ends all of them, at
 * once for rank 0 and after a while for the others, whose failure is usually the same. */
void run_mpi_leave(int code);
/* All ranks know that the run ends with a failure: each leaves by itself. */
void run_mpi_agreed(void);

/* What ranks do together; only where there are several (run_mpi_size). */
typedef struct {
  /* Rank 0: waits until all are at this phase; false if one has another key or number of
   * replicates. */
  bool (*meet)(const run_phase_spec *spec);
  /* Rank 0: hands out what is missing and takes the answers. */
  run_outcome (*coordinate)(run_phase *phase, run_journal_status *status);
  /* Rank 0: ends the phase for the others: to go on with the script, or to stop with an exit code.
   * Only when nobody computes. */
  void (*dismiss)(int code, bool stop);
  /* Others: says hello and computes until dismissed; *stop and *code are the dismissal's. */
  void (*work)(const run_phase_spec *spec, run_compute compute, void *context, bool *stop,
               int *code);
  /* All: rank `root` sends bytes to the others, each of which has room for exactly as many. */
  void (*broadcast)(int root, void *bytes, size_t length);
} run_mpi_calls;

extern const run_mpi_calls *const run_mpi; /* NULL in a program built without MPI */

#endif
