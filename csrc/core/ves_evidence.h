/* ves_evidence: evidence for (A) and against (B) each association of an input with an output. */
#ifndef VES_EVIDENCE_H
#define VES_EVIDENCE_H

#include "ves_code.h"
#include "ves_status.h"
#include <stdint.h>

/* Prior evidence: A0 uniform on [a_lo, a_hi), B0 on [b_lo, b_hi), from the stream `key`. */
typedef struct {
  uint64_t key;
  double a_lo, a_hi, b_lo, b_hi;
} ves_prior;

typedef struct {
  size_t m, n;             /* inputs, outputs */
  double rate;             /* lambda */
  ves_prior prior;         /* randomness is a function of its address: drawn whenever read */
  double *joint;           /* sums over rows of salience * x_i * y_j, in two bins (see
                              ves_evidence.c), for each input that was ever active */
  uint32_t *place, places; /* where joint has the bins of an input, 0 for nowhere; how many */
  double *presence_hi, *presence_lo; /* sum over rows of salience * x_i, m each */
  uint64_t salience; /* total salience seen, each row's rounded up: bounds every sum */
  uint64_t rows;     /* rows seen */
  uint64_t since;    /* rows since the bins were last carried */
} ves_evidence;

/* Room past the end of bins and of runs of active curves, so that a vector may run past the last.
 */
#define VES_EVIDENCE_SLACK 4

/* The largest salience of one row, and the largest total, for which the sums stay exact. */
#define VES_SALIENCE_MAX       1048576.0
#define VES_SALIENCE_TOTAL_MAX 1073741824.0

/* Zeroed priors and no rows; rate >= 0. */
ves_status ves_evidence_alloc(ves_evidence *ev, size_t m, size_t n, double rate);
void ves_evidence_free(ves_evidence *ev);

/* A0 uniform on [a_lo, a_hi), B0 on [b_lo, b_hi): cell (i, j) takes both uniforms from draw i*n + j
 * of the stream key/"prior". Bounds positive, lo <= hi. [eq:evidence-prior] */
ves_status ves_evidence_priors(ves_evidence *ev, double a_lo, double a_hi, double b_lo, double b_hi,
                               uint64_t key);

/* A0 and B0 of `count` cells from cell `first`, counting row by row. [eq:evidence-prior] */
void ves_evidence_prior_cells(const ves_evidence *ev, size_t first, size_t count, double *a0,
                              double *b0);

/* Adds `rows` observations (xs[r], ys[r]) with salience[r] (1 if NULL). The state depends on the
 * multiset of rows alone: not on their order nor on how they are split into calls. Either all rows
 * are taken or, on error, none; if it was stopped (VES_ESTOPPED), those before. [eq:evidence] */
ves_status ves_evidence_observe(ves_evidence *ev, const ves_code *input, const ves_code *output,
                                const double *xs, const double *ys, const double *salience,
                                size_t rows);

/* Adds the observations of `from` (same size) to `ev`; the priors of `from` are ignored. Exact,
 * hence in any order. */
ves_status ves_evidence_merge(ves_evidence *ev, const ves_evidence *from);

/* How many numbers joint holds for one input: two for each output, and room for a vector that runs
 * past the last (past the high bins it finds the low ones: it adds zero to them). */
static inline size_t ves_evidence_stride(const ves_evidence *ev) {
  return 2 * ev->n + VES_EVIDENCE_SLACK;
}

/* The bins of input i: the high ones of n cells, then the low ones. NULL while all are zero. */
static inline double *ves_evidence_bins(const ves_evidence *ev, size_t i) {
  return ev->place[i] != 0 ? ev->joint + (ev->place[i] - 1) * ves_evidence_stride(ev) : NULL;
}

/* The same, made if there are none yet. */
double *ves_evidence_make_bins(ves_evidence *ev, size_t i);
static inline double *ves_evidence_own_bins(ves_evidence *ev, size_t i) {
  return ev->place[i] != 0 ? ves_evidence_bins(ev, i) : ves_evidence_make_bins(ev, i);
}

/* A = A0 + lambda X'Y and B = B0 + lambda X'(1-Y) of `count` cells from cell `first`, counting row
 * by row; either may be NULL. [eq:evidence] */
void ves_evidence_cells(const ves_evidence *ev, size_t first, size_t count, double *a, double *b);

/* The same for all m x n cells. [eq:evidence] */
void ves_evidence_a(const ves_evidence *ev, double *a);
void ves_evidence_b(const ves_evidence *ev, double *b);

#endif
