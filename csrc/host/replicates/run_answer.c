/* run_answer: an answer as bytes: a head, the result, the inputs, each text with its zero. Both
 * ends are the same program, so that the head is as the machine has it. */
#include "run_answer.h"

#include <string.h>

typedef struct {
  uint64_t kind, number, result_length, inputs_length;
  double seconds;
} head;

bool run_answer_add(const run_answer *answer, lves_buffer *out) {
  const run_row *row = &answer->row;
  const head h = {answer->kind, row->number, row->result_length, row->inputs_length,
                  answer->seconds};
  return lves_buffer_reserve(out, sizeof h + row->result_length + row->inputs_length + 2) &&
         lves_buffer_add(out, &h, sizeof h) &&
         lves_buffer_add(out, row->result, row->result_length) && lves_buffer_add(out, "", 1) &&
         lves_buffer_add(out, row->inputs, row->inputs_length) && lves_buffer_add(out, "", 1);
}

size_t run_answer_read(const char *bytes, size_t length, run_answer *answer) {
  head h;
  if (length < sizeof h) return 0;
  memcpy(&h, bytes, sizeof h);
  length -= sizeof h;
  if (h.result_length >= length || h.inputs_length >= length - h.result_length - 1) return 0;
  const char *result = bytes + sizeof h;
  *answer = (run_answer){.kind = (run_answer_kind)h.kind,
                         .seconds = h.seconds,
                         .row = {.number = h.number,
                                 .result = result,
                                 .result_length = (size_t)h.result_length,
                                 .inputs = result + h.result_length + 1,
                                 .inputs_length = (size_t)h.inputs_length}};
  return sizeof h + (size_t)(h.result_length + h.inputs_length) + 2;
}
