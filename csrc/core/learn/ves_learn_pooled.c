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
 * all of them (`sharing`). */
#include "ves_pools_private.h"
#include "ves_rng_private.h"
#include "ves_stop.h"
#include <stdlib.h>

static void pool_set(ves_pool *one, size_t r, double q) {
  one->state[r] = q;
  ves_thresholds_set(&one->tries, r, one->weight[r] > 0 ? q : 0.0);
}

/* Where the thresholds of synapse s are among those of all presentations: at[start[s]], ...,
 * at[start[s + 1] - 1]. Those of a weight of 0 stay 0 and are left out. */
typedef struct {
  uint32_t *start, *at;
} sharing;

static void sharing_free(sharing *s) {
  free(s->start);
  free(s->at);
}

static ves_status sharing_fill(sharing *s, const ves_pools *all, size_t total) {
  *s = (sharing){0};
  if (total >= UINT32_MAX || all->tries.n >= UINT32_MAX) return VES_ESIZE;
  s->start = calloc(total + 2, sizeof *s->start);
  s->at = calloc(all->places + 1, sizeof *s->at);
  if (s->start == NULL || s->at == NULL) return VES_ENOMEM;
  for (size_t p = 0; p < all->count; p++)
    for (size_t r = 0; r < all->each[p].count; r++)
      if (all->each[p].weight[r] > 0) s->start[all->each[p].synapse[r] + 2]++;
  for (size_t i = 2; i < total + 2; i++) s->start[i] += s->start[i - 1];
  for (size_t p = 0; p < all->count; p++) {
    const ves_pool *one = &all->each[p];
    const size_t first = (size_t)(one->tries.coarse - all->tries.coarse);
    for (size_t r = 0; r < one->count; r++)
      if (one->weight[r] > 0) s->at[s->start[one->synapse[r] + 1]++] = (uint32_t)(first + r);
  }
  return VES_OK;
}

/* One turn of one presentation: its synapses learn, and tell what they learned. */
static ves_status present(ves_pools *all, const sharing *shared, size_t p,
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

/* Whether a rule is a power of g with a small whole exponent, and nobody asks for its targets: the
 * rule of the original, for which an iteration is one pass over the members. */
static bool is_plain(const ves_learn_options *opt) {
  return opt->rule == VES_RULE_POWER && opt->targets == NULL && opt->psi >= 0 && opt->psi <= 64 &&
         opt->psi == (double)(unsigned)opt->psi;
}

/* As power in ves_learn.c, factor by factor. */
static inline double raised(double g, unsigned k) {
  double result = 1.0;
  for (;; g *= g) {
    if (k & 1) result *= g;
    k >>= 1;
    if (k == 0) return result;
  }
}

/* The synapses of a presentation that transmit, the weakest first, as ves_learn_subset. Ties ask for
 * q: under a plain rule thresholds have no fine part. */
static void draw_plain(const ves_pool *one, const double *q, uint64_t key, uint64_t draw,
                       uint64_t *mask, uint64_t *ties) {
  ves_mask_coarse(&one->tries, key, draw, 0, mask, ties);
  for (size_t w = 0; w < one->tries.words; w++)
    for (uint64_t left = ties[w]; left != 0; left &= left - 1) {
      const size_t bit = (size_t)__builtin_ctzll(left), r = 64 * w + bit;
      const bool there = r < one->count && one->weight[r] > 0;
      const uint64_t fine = there ? ves_threshold_fine(q[one->synapse[r]]) : 0;
      mask[w] |= (uint64_t)ves_mask_refine(fine, key, draw, 0, r) << bit;
    }
}

/* The same turn under a plain rule. A member's new release depends on its own and on the weights of
 * the weaker members alone, so that it does not matter that this goes from the weakest up; and
 * nothing but q and the coarse bytes of the thresholds is kept. */
static void present_plain(ves_pools *all, const sharing *shared, size_t p,
                          const ves_learn_options *opt, double rate, uint64_t key, uint64_t draw,
                          uint64_t *mask, uint64_t *ties, double *q) {
  const ves_pool *one = &all->each[p];
  const unsigned psi = (unsigned)opt->psi;
  const double floor = opt->floor, ceiling = opt->ceiling;
  const bool strongest_only = opt->algorithm == 1;
  uint8_t *coarse = all->tries.coarse;
  double sum = 0.0;
  draw_plain(one, q, key, draw, mask, ties);
  size_t left = 0;
  for (size_t w = 0; strongest_only && w < one->tries.words; w++)
    left += (size_t)__builtin_popcountll(mask[w]);
  for (size_t w = one->tries.words; w-- > 0;)
    for (uint64_t bits = mask[w]; bits != 0;) {
      const unsigned top = 63u - (unsigned)__builtin_clzll(bits);
      bits ^= UINT64_C(1) << top;
      const size_t r = 64 * w + top, s = one->synapse[r];
      const double weight = one->weight[r], before = q[s];
      sum += weight;
      if (strongest_only && --left > 0) continue;
      const double moved = before - rate * (before - raised(weight / sum, psi));
      const double after = moved < floor ? floor : moved > ceiling ? ceiling : moved;
      const uint8_t high = ves_threshold_coarse(after);
      q[s] = after;
      for (uint32_t k = shared->start[s]; k < shared->start[s + 1]; k++)
        coarse[shared->at[k]] = high;
    }
}

ves_status ves_learn_pooled(const ves_presentation *shown, size_t presentations,
                            const ves_learn_options *opt, uint64_t key, uint64_t first,
                            ves_learn_workspace *ws, double *q, size_t total) {
  ves_pools all;
  sharing shared = {0};
  ves_status status = ves_pools_fill(&all, shown, presentations, q, total, pool_set, ws);
  if (status == VES_OK) status = sharing_fill(&shared, &all, total);
  uint64_t draw = first;
  const bool plain = is_plain(opt);
  uint64_t *ties = calloc((ws->room + 63) / 64, sizeof *ties);
  if (ties == NULL) status = VES_ENOMEM;
  for (uint64_t t = 0; t < opt->iterations && status == VES_OK; t++)
    for (size_t p = 0; p < presentations && status == VES_OK; p++, draw++) {
      const double rate = ves_learn_rate(opt, t);
      if (ves_stopping())
        status = VES_ESTOPPED;
      else if (plain)
        present_plain(&all, &shared, p, opt, rate, key, draw, ws->mask, ties, q);
      else
        status = present(&all, &shared, p, opt, rate, key, draw, ws, q);
    }
  free(ties);
  sharing_free(&shared);
  ves_pools_free(&all);
  return status;
}
