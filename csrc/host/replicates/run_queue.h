/* run_queue: the replicates a worker was given and has not answered, in order. */
#ifndef RUN_QUEUE_H
#define RUN_QUEUE_H

#include "run_phase.h"

#define RUN_AHEAD_MAX 256

/* All zero is an empty queue. A worker computes the first; the others wait. */
typedef struct {
  uint64_t tasks[RUN_AHEAD_MAX];
  size_t first, count;
  double started; /* when the first of them began */
} run_queue;

/* How long replicates take, and how many workers share them. */
typedef struct {
  double mean; /* seconds, a running mean; 0 before the first */
  int workers;
} run_pace;

/* How many tasks a worker should hold: enough to stay busy while the coordinator writes to the
 * disk, and never so many that another worker runs dry at the end. */
size_t run_pace_ahead(const run_pace *pace, const run_phase *phase);

void run_queue_push(run_queue *queue, uint64_t number);
/* Takes the first away: it was answered. */
void run_queue_pop(run_queue *queue);
/* A replicate took so long to compute. */
void run_pace_note(run_pace *pace, double seconds);
/* Hands all back to the phase, none of them begun. */
void run_queue_return(run_queue *queue, run_phase *phase);

#endif
