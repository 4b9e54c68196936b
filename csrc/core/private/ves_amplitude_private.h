/* ves_amplitude_private: what the scalar amplitude rule and its vector kernel share. */
#ifndef VES_AMPLITUDE_PRIVATE_H
#define VES_AMPLITUDE_PRIVATE_H

#include "ves_amplitude.h"
#include "ves_learn_private.h"

/* ves_amplitude_of and ves_amplitude_release once more, for loops over synapses, which a call would
 * slow down. */
static inline double ves_amplitude_of_inline(double w, double q) {
  return w / (q > VES_AMPLITUDE_LEAST ? q : VES_AMPLITUDE_LEAST);
}

static inline double ves_amplitude_release_inline(double w, double a) {
  if (!(w > 0)) return 0.0;
  const double q = w / a;
  return q > VES_AMPLITUDE_LEAST ? q : VES_AMPLITUDE_LEAST;
}

/* One iteration of the scalar code: draws a mask over the n synapses in ws, strongest first, and
 * updates the subset. Weights of zero have a release of 0, so they are never members. index[r] tells
 * the synapse of rank r, for ties of amplitudes. On return members [*from, *to) of ws->member have
 * changed, the strongest last. [eq:amplitude] */
void ves_amplitude_iterate(ves_learn_workspace *ws, const size_t *index, size_t n,
                           const ves_amplitude_options *opt, uint64_t t, uint64_t key,
                           uint64_t draw, uint32_t row, size_t *from, size_t *to);

/* The step of a synapse's k-th update (k = 1, 2, ...), in iteration t. [eq:amplitude-average] */
double ves_amplitude_step(const ves_amplitude_options *opt, uint64_t t, double k);

/* Whether the vector kernel is in use and can do this: no winners asked. */
bool ves_amplitude_avx2_knows(const ves_amplitude_options *opt);

/* Iterations t, ..., t + count - 1 on the first `lanes` lanes of n synapses, iteration t of lane l
 * drawing at (key, draw, row + l): same bits as the scalar code. */
void ves_amplitude_lanes_avx2(ves_learn_lanes *s, size_t lanes, size_t n,
                              const ves_amplitude_options *opt, uint64_t key, uint64_t draw,
                              uint32_t row, uint64_t t, uint64_t count);

/* As ves_learn_avx512_knows and ves_learn_batch_avx512. */
bool ves_amplitude_avx512_knows(const ves_amplitude_options *opt, size_t lanes, size_t n);
void ves_amplitude_batch_avx512(const ves_learn_lanes *s, uint64_t key, size_t lanes, size_t words,
                                size_t at, uint64_t batch, const ves_amplitude_options *opt,
                                uint64_t draw, uint32_t row, uint64_t t);

#endif
