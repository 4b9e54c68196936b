/* ves_learn_pooled: one release matrix learned for several combinations of active inputs.
 *
 * While a combination is presented, the synapses of all its active inputs compete with their
 * effective weights x_i w_ij, and each that transmits learns as in ves_learn.c, with
 *
 *     g = x_i w_ij / its sum over the subset.                                         [eq:pooled]
 *
 * Combinations take turns. Each keeps its synapses in the order of their weights, with the releases
 * as thresholds; what a synapse learns in one is copied to the others that it belongs to. */
#include "ves_learn_private.h"
#include "ves_order.h"
#include "ves_stop.h"
#include <stdlib.h>

/* The synapses of one presentation, strongest first, with releases of its own. */
typedef struct {
  size_t count;
  size_t *synapse;
  double *weight, *q;
  ves_thresholds tries; /* a part of all presentations' */
} pool;

/* A synapse's place in a presentation. */
typedef struct {
  size_t pool, rank;
} place;

/* All presentations. Most synapses belong to one; what a shared one learns in one presentation is
 * told to the others, whose places are place[first[s]] ... place[first[s + 1] - 1]. */
typedef struct {
  size_t count;
  pool *each;
  size_t *synapse, *first;
  double *number; /* weights, then releases */
  ves_thresholds tries;
  place *place;
} pools;

static void pools_free(pools *all) {
  ves_thresholds_free(&all->tries);
  free(all->each);
  free(all->synapse);
  free(all->first);
  free(all->number);
  free(all->place);
}

/* Room for the presentations, and in it their synapses by rank. */
static ves_status pools_fill(pools *all, const ves_presentation *shown, size_t total,
                             ves_learn_workspace *ws) {
  size_t places = 0, words = 0;
  for (size_t p = 0; p < all->count; p++) {
    if (shown[p].count == 0 || shown[p].count > ws->room) return VES_ESIZE;
    places += shown[p].count;
    words += (shown[p].count + 63) / 64;
  }
  all->each = calloc(all->count + 1, sizeof *all->each);
  all->synapse = calloc(places + 1, sizeof *all->synapse);
  all->first = calloc(total + 2, sizeof *all->first);
  all->number = calloc(2 * places + 1, sizeof *all->number);
  all->place = calloc(places + 1, sizeof *all->place);
  if (all->each == NULL || all->synapse == NULL || all->first == NULL || all->number == NULL ||
      all->place == NULL || !ves_thresholds_alloc(&all->tries, 64 * words))
    return VES_ENOMEM;
  size_t done = 0, start = 0;
  for (size_t p = 0; p < all->count; p++) {
    pool *one = &all->each[p];
    *one = (pool){.count = shown[p].count,
                  .synapse = all->synapse + done,
                  .weight = all->number + done,
                  .q = all->number + places + done};
    one->tries = (ves_thresholds){.n = one->count,
                                  .words = (one->count + 63) / 64,
                                  .coarse = all->tries.coarse + start,
                                  .fine = all->tries.fine + start};
    start += 64 * one->tries.words;
    ves_order_descending(shown[p].weight, one->count, ws->order);
    for (size_t r = 0; r < one->count; r++) {
      one->synapse[r] = shown[p].synapse[ws->order[r]];
      one->weight[r] = shown[p].weight[ws->order[r]];
      if (one->synapse[r] >= total) return VES_ESIZE;
    }
    done += one->count;
  }
  return VES_OK;
}

/* Where each synapse stands: counted, added up, and filled in from the back. */
static void pools_index(pools *all, size_t total) {
  size_t places = 0;
  for (size_t p = 0; p < all->count; p++) places += all->each[p].count;
  for (size_t p = 0; p < all->count; p++)
    for (size_t r = 0; r < all->each[p].count; r++) all->first[all->each[p].synapse[r] + 1]++;
  for (size_t c = 0; c < total; c++) all->first[c + 1] += all->first[c];
  for (size_t p = all->count; p-- > 0;)
    for (size_t r = all->each[p].count; r-- > 0;)
      all->place[--all->first[all->each[p].synapse[r] + 1]] = (place){p, r};
  all->first[total + 1] = places;
  for (size_t c = 0; c <= total; c++) all->first[c] = all->first[c + 1];
}

static void pool_set(pool *one, size_t r, double q) {
  one->q[r] = q;
  ves_thresholds_set(&one->tries, r, one->weight[r] > 0 ? q : 0.0);
}

/* One turn of one presentation: its synapses learn, and tell what they learned. */
static ves_status present(pools *all, size_t p, const ves_learn_options *opt, double rate,
                          uint64_t key, uint64_t draw, ves_learn_workspace *ws, double *q) {
  const pool *one = &all->each[p];
  ves_learn_workspace here = *ws;
  here.weight = one->weight;
  here.q = one->q;
  here.tries = one->tries;
  size_t from = 0, to = 0;
  const ves_status status =
      ves_learn_iterate(&here, one->count, opt, rate, key, draw, 0, &from, &to);
  for (size_t c = from; status == VES_OK && c < to; c++) {
    const size_t r = ws->member[c], s = one->synapse[r];
    q[s] = one->q[r];
    for (size_t k = all->first[s]; k < all->first[s + 1]; k++)
      if (all->place[k].pool != p)
        pool_set(&all->each[all->place[k].pool], all->place[k].rank, q[s]);
  }
  return status;
}

ves_status ves_learn_pooled(const ves_presentation *shown, size_t presentations,
                            const ves_learn_options *opt, uint64_t key, uint64_t first,
                            ves_learn_workspace *ws, double *q, size_t total) {
  pools all = {.count = presentations};
  ves_status status = pools_fill(&all, shown, total, ws);
  if (status == VES_OK) pools_index(&all, total);
  for (size_t p = 0; p < presentations && status == VES_OK; p++)
    for (size_t r = 0; r < all.each[p].count; r++)
      pool_set(&all.each[p], r, q[all.each[p].synapse[r]]);
  uint64_t draw = first;
  for (uint64_t t = 0; t < opt->iterations && status == VES_OK; t++)
    for (size_t p = 0; p < presentations && status == VES_OK; p++)
      status = ves_stopping() ? VES_ESTOPPED
                              : present(&all, p, opt, ves_learn_rate(opt, t), key, draw++, ws, q);
  pools_free(&all);
  return status;
}
