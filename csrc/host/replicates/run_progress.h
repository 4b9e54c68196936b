/* run_progress: how far a phase has come, on stderr. */
#ifndef RUN_PROGRESS_H
#define RUN_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  const char *label;
  uint64_t total, before; /* replicates, and those that were there at the start */
  bool quiet, terminal;
  double start, shown; /* seconds */
  uint64_t told;       /* the number of the last line */
} run_progress;

/* Seconds on a clock that only goes forward. */
double run_now(void);

void run_progress_begin(run_progress *progress, const char *label, uint64_t total, uint64_t before,
                        bool quiet);
/* A line drawn over at most ten times a second on a terminal, one per tenth elsewhere; nothing in
 * the first two seconds. */
void run_progress_show(run_progress *progress, uint64_t done);
/* Ends that line, or tells the last number; nothing if the phase took less than that. */
void run_progress_end(run_progress *progress, uint64_t done);

#endif
