/* ves_learn_private: what the scalar learning code and its vector kernel share. */
#ifndef VES_LEARN_PRIVATE_H
#define VES_LEARN_PRIVATE_H

#include "ves_learn.h"
#include "ves_rng.h"

struct ves_learn_workspace {
  size_t room;           /* synapses it was allocated for */
  size_t *order;         /* rank -> index */
  double *weight;        /* by rank */
  double *q;             /* by rank */
  double *weaker;        /* by rank: sum of q over all weaker synapses, where a rule asks for it */
  ves_thresholds tries;  /* q as thresholds, by rank */
  uint64_t *mask;        /* one bit per rank */
  size_t *member;        /* ranks of the subset, weakest first */
  double *member_sum;    /* sum of weights from the weakest member to this one */
  double *member_weaker; /* sum of q over the weaker members */
  uint8_t *bytes;        /* random bytes of several iterations */
};

/* The rate of iteration t. */
double ves_learn_rate(const ves_learn_options *opt, uint64_t t);

/* Iterations t, ..., t + count - 1 of Algorithm 2 by the power rule with a whole exponent, on the n
 * ranked synapses in ws, iteration t drawing at (key, draw, row): the vector kernel, same bits as
 * the scalar code. False if there is none to use. */
bool ves_learn_power_avx2(ves_learn_workspace *ws, size_t n, const ves_learn_options *opt,
                          uint64_t key, uint64_t draw, uint32_t row, uint64_t t, uint64_t count);

/* Iterations whose bytes the kernel makes at once. */
#define VES_LEARN_BATCH 16

#endif
