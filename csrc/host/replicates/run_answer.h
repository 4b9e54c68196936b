/* run_answer: what a worker says of one replicate, over a pipe or between ranks. */
#ifndef RUN_ANSWER_H
#define RUN_ANSWER_H

#include "lves_buffer.h"
#include "run_journal.h"

typedef enum {
  RUN_ANSWER_RESULT, /* the row is that of the journal */
  RUN_ANSWER_ERROR,  /* its result is a message instead */
  RUN_ANSWER_LAST    /* the same, and the worker ends itself: its memory is exhausted */
} run_answer_kind;

typedef struct {
  run_answer_kind kind;
  double seconds; /* it took */
  run_row row;
} run_answer;

/* Computes one replicate and returns its whole answer, which stays the callee's until the next
 * call. */
typedef const lves_buffer *(*run_compute)(void *context, uint64_t number);

/* Appends the answer as bytes; false if out of memory. */
bool run_answer_add(const run_answer *answer, lves_buffer *out);

/* The answer that the bytes begin with, pointing into them: its size, or 0 if it is not complete.
 */
size_t run_answer_read(const char *bytes, size_t length, run_answer *answer);

#endif
