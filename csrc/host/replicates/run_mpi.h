/* run_mpi: one run over the ranks of an MPI job.
 *
 * Every rank runs the script; E:replicate is where they meet. Rank 0 keeps the journal and hands
 * out the replicates, the others compute them. In a program built without MPI all of this is one
 * rank. */
#ifndef RUN_MPI_H
#define RUN_MPI_H

#include "run_frame.h"
#include "run_phase.h"

/* Joins the MPI job this process was started in, if it was. Returns RUN_DONE, or an exit code after
 * a message. */
int run_mpi_start(void);
int run_mpi_rank(void);
int run_mpi_size(void);

/* Leaves the job with this exit code. A failure that not all ranks know of ends all of them, at
 * once for rank 0 and after a while for the others, whose failure is usually the same. */
void run_mpi_leave(int code);
/* All ranks know that the run ends with a failure: each leaves by itself. */
void run_mpi_agreed(void);

/* ---- one phase ---- */

/* Rank 0: waits until all ranks are there; false if one has another key or number of replicates. */
bool run_mpi_meet(const uint8_t key[RUN_SHA256_SIZE], uint64_t n);
/* Rank 0: hands out what is missing and takes the results. `timeout` as in run_pool. */
run_outcome run_mpi_coordinate(run_phase *phase, double timeout, run_journal_status *status);
/* Rank 0: ends the phase for the others: code 0 to go on with the script, an exit code to stop.
 * Only when nobody computes. */
void run_mpi_dismiss(int code, bool stop);
/* Rank 0: sends a block of bytes to all others; none (length 0) after the last. */
void run_mpi_send_block(const uint8_t *bytes, size_t length);

/* Others: says hello and computes until dismissed; *stop and *code are the dismissal's. */
void run_mpi_work(const uint8_t key[RUN_SHA256_SIZE], uint64_t n, run_compute compute,
                  void *context, bool *stop, int *code);
/* Others: the next block; false after the last, or if out of memory (then bytes->data is NULL). */
bool run_mpi_take_block(run_bytes *bytes);

/* ---- any rank ---- */

/* Rank `root` sends bytes to all others, each of which has room for exactly as many. */
void run_mpi_broadcast(int root, void *bytes, size_t length);

#endif
