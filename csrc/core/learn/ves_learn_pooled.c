/* ves_learn_pooled: one release matrix learned for several combinations of active inputs.
 *
 * While a combination is presented, the synapses of all its active inputs compete with their
 * effective weights x_i w_ij, and each that transmits learns as in ves_learn.c, with
 *
 *     g = x_i w_ij / its sum over the subset.                                         [eq:pooled]
 *
 * Combinations take turns.
 *
 * What a synapse has learned is one number, q, however many combinations it belongs to: before those
 * that transmit learn, they look it up. Their thresholds are needed of all synapses at once, so each
 * combination has its own, in the order of its effective weights, and what was learned is written to
 * all of them (ves_sharing). */
#include "ves_pools_private.h"
#include "ves_rng_private.h"
#include "ves_stop.h"
#include <stdlib.h>

static void pool_set(ves_pool *one, size_t r, double q) {
  one->state[r] = q;
  ves_thresholds_set(&one->tries, r, one->weight[r] > 0 ? q : 0.0);
}

static void sharing_free(ves_sharing *s) {
  free(s->start);
  free(s->at);
}

static ves_status sharing_fill(ves_sharing *s, const ves_pools *all, size_t total) {
  *s = (ves_sharing){.distinct = true};
  if (total >= UINT32_MAX / VES_SHARING_FEW || all->tries.n >= UINT32_MAX / VES_SHARING_FEW)
    return VES_ESIZE;
  s->start = calloc(total + 1, sizeof *s->start);
  uint32_t *end = calloc(total + 1, sizeof *end); /* of the places that were found */
  if (s->start == NULL || end == NULL) {
    free(end);
    return VES_ENOMEM;
  }
  for (size_t p = 0; p < all->count; p++)
    for (size_t r = 0; r < all->each[p].count; r++)
      if (all->each[p].weight[r] > 0) s->start[all->each[p].synapse[r] + 1]++;
  for (size_t i = 1; i <= total; i++)
    s->start[i] = end[i] =
        s->start[i - 1] + (s->start[i] + VES_SHARING_FEW - 1) / VES_SHARING_FEW * VES_SHARING_FEW;
  s->at = calloc((size_t)s->start[total] + 1, sizeof *s->at);
  for (size_t p = 0; p < all->count && s->at != NULL; p++) {
    const ves_pool *one = &all->each[p];
    const size_t first = (size_t)(one->tries.coarse - all->tries.coarse);
    for (size_t r = 0; r < one->count; r++)
      if (one->weight[r] > 0) {
        uint32_t *next = &end[one->synapse[r]];
        if (*next > s->start[one->synapse[r]] && s->at[*next - 1] >= first) s->distinct = false;
        s->at[(*next)++] = (uint32_t)(first + r);
      }
  }
  for (size_t i = 0; i < total && s->at != NULL; i++)
    for (uint32_t k = end[i]; k < s->start[i + 1]; k++) s->at[k] = s->at[end[i] - 1];
  free(end);
  return s->at != NULL ? VES_OK : VES_ENOMEM;
}

/* One turn of one presentation: its synapses learn, and tell what they learned. */
static ves_status present(ves_pools *all, const ves_sharing *shared, size_t p,
                          const ves_learn_options *opt, double rate, uint64_t key, uint64_t draw,
                          ves_learn_workspace *ws, double *q) {
  const ves_pool *one = &all->each[p];
  ves_learn_workspace here = ves_pool_workspace(ws, one);
  const size_t size = ves_learn_subset(&here, one->count, key, draw, 0);
  if (ves_learn_needs_all(opt))
    for (size_t r = 0; r < one->count; r++) one->state[r] = q[one->synapse[r]];
  else
    for (size_t c = 0; c < size; c++) one->state[ws->member[c]] = q[one->synapse[ws->member[c]]];
  size_t from = 0;
  const ves_status status = ves_learn_update(&here, one->count, size, opt, rate, &from);
  for (size_t c = from; status == VES_OK && c < size; c++) {
    const size_t r = ws->member[c], s = one->synapse[r];
    const uint8_t coarse = ves_threshold_coarse(one->state[r]);
    const uint64_t fine = ves_threshold_fine(one->state[r]);
    q[s] = one->state[r];
    for (uint32_t k = shared->start[s]; k < shared->start[s + 1]; k++) {
      all->tries.coarse[shared->at[k]] = coarse;
      all->tries.fine[shared->at[k]] = fine;
    }
  }
  return status;
}

/* One turn of every presentation, the first drawing at (key, draw, 0). */
static ves_status present_all(ves_pools *all, const ves_sharing *shared,
                              const ves_learn_options *opt, double rate, uint64_t key,
                              uint64_t draw, ves_learn_workspace *ws, double *q) {
  ves_status status = VES_OK;
  for (size_t p = 0; p < all->count && status == VES_OK; p++)
    status =
        ves_stopping() ? VES_ESTOPPED : present(all, shared, p, opt, rate, key, draw + p, ws, q);
  return status;
}

ves_status ves_learn_pooled(const ves_presentation *shown, size_t presentations,
                            const ves_learn_options *opt, uint64_t key, uint64_t first,
                            ves_learn_workspace *ws, double *q, size_t total) {
  ves_pools all;
  ves_sharing shared = {0};
  ves_status status = ves_pools_fill(&all, shown, presentations, q, total, pool_set, ws);
  if (status == VES_OK) status = sharing_fill(&shared, &all, total);
  const bool fast = status == VES_OK && ves_learn_pooled_avx2_knows(opt, &shared);
  if (fast && !ves_learn_lanes_reserve(&ws->beside, 1, ws->room)) status = VES_ENOMEM;
  for (uint64_t t = 0; t < opt->iterations && status == VES_OK; t++) {
    const double rate = ves_learn_rate(opt, t);
    const uint64_t draw = first + t * presentations;
    if (!fast)
      status = present_all(&all, &shared, opt, rate, key, draw, ws, q);
    else
      ves_learn_pooled_avx2(&all, &shared, opt, rate, key, draw, &ws->beside, q);
    if (ves_stopping()) status = VES_ESTOPPED;
  }
  sharing_free(&shared);
  ves_pools_free(&all);
  return status;
}
