/* run_worker: the process that computes replicates. */
#ifndef RUN_WORKER_H
#define RUN_WORKER_H

#include "run_answer.h"
#include <lua.h>

/* All zero but for the first members; release with run_worker_free. */
typedef struct {
  lua_State *L;
  int one, inputs;   /* stack indices of the functions: one(i) -> result, inputs() -> text */
  lua_Integer noted; /* how many files were noted before: the others belong to the replicate */
  double watch; /* seconds a replicate may take in this very process; 0: somebody else watches */
  lves_buffer result, answer;
} run_worker;

/* Computes a replicate: LUA_OK with its answer in w->answer, or Lua's status with the message,
 * which has a traceback, on the stack. */
int run_worker_compute(run_worker *worker, uint64_t number);

/* The answer to a replicate, whatever happens (a run_compute; the context is the worker). */
const lves_buffer *run_worker_answer(void *context, uint64_t number);

/* Answers the numbers read from `in` until its end; does not return. The context is the worker. */
void run_worker_serve(void *context, int in, int out);

/* How many workers are above this process: 0 in the one that was started. One that computes
 * replicates itself, as a rank does, counts as one from _enter to _leave. */
int run_worker_generation(void);
void run_worker_enter(void);
void run_worker_leave(void);

void run_worker_free(run_worker *worker);

#endif
