/* run_queue: the replicates a worker was given and has not answered. */
#include "run_queue.h"

size_t run_pace_ahead(const run_pace *pace, const run_phase *phase) {
  if (pace->mean <= 0) return 1;
  const double wanted = 1 + 1.5 * phase->commit_seconds / pace->mean;
  const double fair = (double)run_phase_waiting(phase) / (2.0 * pace->workers);
  const double most = wanted < fair ? wanted : fair;
  return most < 1 ? 1 : most > RUN_AHEAD_MAX ? RUN_AHEAD_MAX : (size_t)most;
}

void run_queue_push(run_queue *queue, uint64_t number) {
  if (queue->count == 0) queue->started = run_now();
  queue->tasks[(queue->first + queue->count++) % RUN_AHEAD_MAX] = number;
}

void run_queue_pop(run_queue *queue) {
  queue->first = (queue->first + 1) % RUN_AHEAD_MAX;
  queue->count--;
  queue->started = run_now();
}

void run_pace_note(run_pace *pace, double seconds) {
  const double least = 1e-7, took = seconds > least ? seconds : least;
  pace->mean = pace->mean > 0 ? 0.95 * pace->mean + 0.05 * took : took;
}

void run_queue_return(run_queue *queue, run_phase *phase) {
  while (queue->count > 0)
    run_phase_return(phase, queue->tasks[(queue->first + --queue->count) % RUN_AHEAD_MAX]);
}
