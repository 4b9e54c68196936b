/* ves_code_private: what the scalar code and its vector kernel share, above all the exponential.
 *
 * exp(t) = 2^k exp(r), k the whole number nearest to t / ln 2, and exp(r) by its Taylor series to
 * degree 13, summed pairwise (Estrin's scheme: the pairs do not wait for one another). The order of
 * operations is part of the definition. */
#ifndef VES_CODE_PRIVATE_H
#define VES_CODE_PRIVATE_H

#include "ves_code.h"

#define VES_EXP_LOG2E    0x1.71547652b82fep+0
#define VES_EXP_LN2_HIGH 0x1.62e42feep-1 /* 33 bits: k times it is exact */
#define VES_EXP_LN2_LOW  0x1.a39ef35793c76p-33
#define VES_EXP_ROUND    0x1.8p52 /* adding and subtracting it rounds to a whole number */

#define VES_EXP_2  0.5
#define VES_EXP_3  (1.0 / 6.0)
#define VES_EXP_4  (1.0 / 24.0)
#define VES_EXP_5  (1.0 / 120.0)
#define VES_EXP_6  (1.0 / 720.0)
#define VES_EXP_7  (1.0 / 5040.0)
#define VES_EXP_8  (1.0 / 40320.0)
#define VES_EXP_9  (1.0 / 362880.0)
#define VES_EXP_10 (1.0 / 3628800.0)
#define VES_EXP_11 (1.0 / 39916800.0)
#define VES_EXP_12 (1.0 / 479001600.0)
#define VES_EXP_13 (1.0 / 6227020800.0)

/* How many centres lie below v, give or take one: the caller puts that right. */
static inline size_t ves_code_guess_below(const ves_code *code, double v) {
  const double i = (v - code->lo) * code->per_unit;
  if (!(i > 0)) return 0;
  return i < (double)code->n ? (size_t)i + 1 : code->n;
}

#endif
