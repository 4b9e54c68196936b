/* ves_amplitude_private: what the scalar amplitude rule and its vector kernel share. */
#ifndef VES_AMPLITUDE_PRIVATE_H
#define VES_AMPLITUDE_PRIVATE_H

#include "ves_amplitude.h"
#include "ves_learn_private.h"
#include "ves_rng.h"

/* Rows that learn side by side in the vector kernel, laid out as in ves_learn_private.h. */
typedef struct {
  size_t lanes;          /* for how many there is room */
  size_t stride;         /* 64 times the words of a mask */
  size_t *order;         /* rank -> index */
  double *weight;        /* by rank */
  double *amplitude;     /* by rank */
  double *updates;       /* by rank: how many there have been */
  uint8_t *coarse;       /* releases as thresholds: their coarse bytes */
  uint8_t *bytes;        /* random bytes of a batch, lane by lane */
  uint32_t *member;      /* where the members of all lanes' subsets stand */
  double *member_weaker; /* sum of the amplitudes of the weaker members of its lane */
} ves_amplitude_lanes;

struct ves_amplitude_workspace {
  size_t room;                /* synapses it was allocated for */
  size_t *order;              /* rank -> index */
  double *weight;             /* by rank */
  double *amplitude;          /* by rank */
  double *updates;            /* by rank */
  ves_thresholds tries;       /* releases as thresholds, by rank */
  uint64_t *mask;             /* one bit per rank */
  size_t *member;             /* ranks of the subset, weakest first */
  double *weaker;             /* by member: sum of the amplitudes of the weaker ones */
  ves_amplitude_lanes beside; /* empty until the kernel needs it */
};

/* One iteration of the scalar code: draws a mask over the n synapses in ws, strongest first, and
 * updates the subset. Weights of zero have a release of 0, so they are never members. index[r] tells
 * the synapse of rank r, for ties of amplitudes. On return members [*from, *to) of ws->member have
 * changed, the strongest last. [eq:amplitude] */
void ves_amplitude_iterate(ves_amplitude_workspace *ws, const size_t *index, size_t n,
                           const ves_amplitude_options *opt, uint64_t t, uint64_t key,
                           uint64_t draw, uint32_t row, size_t *from, size_t *to);

/* The step of a synapse's k-th update (k = 1, 2, ...), in iteration t. [eq:amplitude-average] */
double ves_amplitude_step(const ves_amplitude_options *opt, uint64_t t, double k);

/* Whether the vector kernel is in use and can do this: competition by weight, no winners asked. */
bool ves_amplitude_avx2_knows(const ves_amplitude_options *opt);

/* Iterations t, ..., t + count - 1 on the first `lanes` lanes of n synapses, iteration t of lane l
 * drawing at (key, draw, row + l): same bits as the scalar code. */
void ves_amplitude_lanes_avx2(ves_amplitude_lanes *s, size_t lanes, size_t n,
                              const ves_amplitude_options *opt, uint64_t key, uint64_t draw,
                              uint32_t row, uint64_t t, uint64_t count);

#endif
