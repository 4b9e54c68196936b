/* ves_evidence_private: what the scalar accumulation and its vector kernel share. */
#ifndef VES_EVIDENCE_PRIVATE_H
#define VES_EVIDENCE_PRIVATE_H

#include "ves_evidence.h"
#include <math.h>
#include <stdbool.h>

/* The binary places at which an addend is split (see ves_evidence.c). */
#define VES_SPLIT_HIGH 0x1.8p30
#define VES_SPLIT_LOW  0x1.8p-8
#define VES_UNIT_HIGH  0x1p-22 /* what is left of an addend is a multiple of these */
#define VES_UNIT_LOW   0x1p-60

/* Adds rows as ves_evidence_observe does, without carrying and without counting; scratch has room
 * for both codes' reach and twice the slack. The vector kernel, same bits as the scalar code; false
 * if there is none to use. */
bool ves_evidence_add_avx2(ves_evidence *ev, const ves_code *input, const ves_code *output,
                           const double *xs, const double *ys, const double *salience, size_t rows,
                           double *scratch);

/* Adds one row whose active inputs are the run x (a part of them may come later) and whose active
 * outputs are the run y; heights of both are followed by VES_EVIDENCE_SLACK zeros. */
void ves_evidence_add_run(ves_evidence *ev, const ves_run *x, const ves_run *y, double salience);
bool ves_evidence_add_run_avx2(ves_evidence *ev, const ves_run *x, const ves_run *y,
                               double salience);

static inline bool ves_all_finite(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

/* How many rows may pass between two looks at whether to stop, if each adds to so many cells. */
static inline size_t ves_evidence_step(size_t cells) {
  const size_t most = (size_t)1 << 26;
  return cells < most ? most / (cells + 1) + 1 : 1;
}

/* Takes `rows` rows, or none if their salience is refused: `add` adds rows from..from+rows-1 of what
 * `of` stands for, at most `step` at a time; here bins are carried, rows are counted, and
 * it is stopped. */
typedef void (*ves_evidence_adder)(ves_evidence *ev, void *of, size_t from, size_t rows);
ves_status ves_evidence_take(ves_evidence *ev, const double *salience, size_t rows, size_t step,
                             ves_evidence_adder add, void *of);

#endif
