/* ves_code_private: what the scalar code and the vector kernel of the evidence share. */
#ifndef VES_CODE_PRIVATE_H
#define VES_CODE_PRIVATE_H

#include "ves_code.h"

/* How many centres lie below v, give or take one: the caller puts that right. */
static inline size_t ves_code_guess_below(const ves_code *code, double v) {
  const double i = (v - code->centers[0]) * code->per_unit;
  if (!(i > 0)) return 0;
  return i < (double)code->n ? (size_t)i + 1 : code->n;
}

#endif
