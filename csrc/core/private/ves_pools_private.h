/* ves_pools_private: the synapses of several combinations of active inputs that share one release
 * matrix, for the rules that learn it. */
#ifndef VES_POOLS_PRIVATE_H
#define VES_POOLS_PRIVATE_H

#include "ves_learn_private.h"

/* The synapses of one presentation, strongest first, with a state of its own for each. */
typedef struct {
  size_t count, first; /* its places are first, first + 1, ... */
  size_t *synapse;
  double *weight, *state;
  ves_thresholds tries; /* a part of all presentations' */
} ves_pool;

/* A synapse's place in a presentation. The places of one synapse form a ring. */
typedef struct {
  size_t pool, rank, next;
} ves_place;

/* All presentations. Most synapses belong to one; what a shared one learns in one presentation is
 * told to the others. */
typedef struct {
  size_t count, places;
  ves_pool *each;
  size_t *synapse;
  double *number; /* weights, then states */
  ves_place *place;
  ves_thresholds tries;
} ves_pools;

/* Gives the synapse of rank r the release q: its state and its threshold. A rule has its own. */
typedef void ves_pool_set(ves_pool *one, size_t r, double q);

/* Room for the presentations, and in it their synapses by rank, with releases q, of which there are
 * `total`. VES_ESIZE if a presentation is empty or does not fit into ws, or a synapse is not among
 * the total. To be freed in any case. */
ves_status ves_pools_fill(ves_pools *all, const ves_presentation *shown, size_t presentations,
                          const double *q, size_t total, ves_pool_set *set,
                          ves_learn_workspace *ws);
void ves_pools_free(ves_pools *all);

/* ws with the synapses of one presentation in the place of its own. */
ves_learn_workspace ves_pool_workspace(const ves_learn_workspace *ws, const ves_pool *one);

/* Tells the other presentations of the synapse at a place that its release is q now. */
void ves_pools_tell(ves_pools *all, size_t place, double q, ves_pool_set *set);

/* ---- thresholds of the rules of the original ---- */

/* Where the thresholds of synapse s are among those of all presentations: at[start[s]], ...,
 * at[start[s + 1] - 1]. Those of a weight of 0 stay 0 and are left out. The last is repeated up to a
 * whole number of VES_SHARING_FEW, so that the loop over them is as long for most synapses: to write
 * the same twice takes less time than to guess its end. */
#define VES_SHARING_FEW 4
typedef struct {
  uint32_t *start, *at;
  bool distinct; /* no presentation has a synapse twice */
} ves_sharing;

/* Tells all presentations the coarse byte of synapse s. */
static inline void ves_sharing_tell(const ves_sharing *shared, size_t s, uint8_t byte,
                                    uint8_t *coarse) {
  for (uint32_t k = shared->start[s]; k < shared->start[s + 1]; k += VES_SHARING_FEW)
    for (uint32_t i = 0; i < VES_SHARING_FEW; i++) coarse[shared->at[k + i]] = byte;
}

/* Whether the vector kernel is in use and knows the rule: the plain ones, whose exponent is a small
 * whole number, where no presentation has a synapse twice. */
bool ves_learn_pooled_avx2_knows(const ves_learn_options *opt, const ves_sharing *shared);

/* One turn of every presentation, the first drawing at (key, draw, 0): same bits as the scalar code.
 * s has room for one lane of the largest. */
void ves_learn_pooled_avx2(const ves_pools *all, const ves_sharing *shared,
                           const ves_learn_options *opt, double rate, uint64_t key, uint64_t draw,
                           ves_learn_lanes *s, double *q);

#endif
