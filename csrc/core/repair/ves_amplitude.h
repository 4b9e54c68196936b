/* ves_amplitude: the amplitude rule, a local rule without bias. [eq:amplitude] */
#ifndef VES_AMPLITUDE_H
#define VES_AMPLITUDE_H

#include "ves_learn.h"
#include "ves_status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which of two synapses is the weaker one; equal ones count as descending in order of index. */
typedef enum {
  VES_ORDER_WEIGHT,   /* the one of smaller weight: the order never changes */
  VES_ORDER_AMPLITUDE /* the one of smaller amplitude now: no synapse knows another's weight */
} ves_amplitude_order;

typedef struct {
  int algorithm; /* 1: only the strongest of a subset learns; 2: every member */
  ves_amplitude_order order;
  bool average;      /* step 1/k at a synapse's k-th update; otherwise: */
  double rate;       /* gamma */
  double decay;      /* t0: gamma / (1 + t/t0) in iteration t = 0, 1, ...; 0 for a constant rate */
  double rate_floor; /* the step falls to this and no further; 0 for no such bound */
  uint64_t iterations;
  uint64_t trace;   /* every trace-th iteration's q is written out; 0 for none */
  double *updates;  /* how often each synapse has been updated, before and after: like q; or NULL to
                       count from 0 and keep nothing */
  uint32_t *winner; /* the winner of each iteration, 1 + its index, 0 if nothing transmitted; or
                       NULL. Of ves_amplitude_row only. */
} ves_amplitude_options;

/* Algorithm 2, order of weights, step 1/k, 5,000 iterations. */
ves_amplitude_options ves_amplitude_defaults(void);

/* The least release that a mask can tell from 0, and the least that a synapse has here. */
#define VES_AMPLITUDE_LEAST 0x1p-40

/* The amplitude that transmits w on average at release q, and the release that does at amplitude
 * a. Nothing releases less often than VES_AMPLITUDE_LEAST, so that no synapse falls silent for
 * good; what has no weight has no amplitude. [eq:amplitude] */
double ves_amplitude_of(double w, double q);
double ves_amplitude_release(double w, double a);

/* Learns the releases of one vector of weights. q holds the start on entry (amplitudes start at
 * w / q) and the result, w / a, on return; a weight of zero is never in a subset and keeps its q.
 * Masks are those of ves_learn_row: iteration t draws at (key, first + t, row), the synapse of rank
 * r by weight (from 0) owning byte r, whatever the order of competition. If opt->trace = k > 0,
 * trace has room for iterations/k rows of n. [eq:amplitude] */
ves_status ves_amplitude_row(const double *w, size_t n, const ves_amplitude_options *opt,
                             uint64_t key, uint64_t first, uint32_t row, ves_learn_workspace *ws,
                             double *q, double *trace);

/* Learns `rows` vectors of n weights each, lying one after the other, as ves_amplitude_row with
 * rows row, row + 1, ... would. No trace and no winners are kept. */
ves_status ves_amplitude_rows(const double *w, size_t rows, size_t n,
                              const ves_amplitude_options *opt, uint64_t key, uint64_t first,
                              uint32_t row, ves_learn_workspace *ws, double *q);

/* Learns one release matrix for all presentations, which take turns as in ves_learn_pooled, with
 * the same masks. A synapse's amplitude in a presentation is its effective weight there over its
 * one release; what it learns in one is so told to all. `total` is the number of entries of q and
 * of opt->updates; ws must have been allocated for the largest count. [eq:amplitude] */
ves_status ves_amplitude_pooled(const ves_presentation *shown, size_t presentations,
                                const ves_amplitude_options *opt, uint64_t key, uint64_t first,
                                ves_learn_workspace *ws, double *q, size_t total);

#endif
