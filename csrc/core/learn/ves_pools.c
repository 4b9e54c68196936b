/* ves_pools: several combinations of active inputs that share one release matrix.
 *
 * Each keeps its synapses in the order of their effective weights, with what they have learned and
 * with thresholds; what a synapse learns in one is told to the others that it belongs to, along the
 * ring of its places. */
#include "ves_order.h"
#include "ves_pools_private.h"
#include "ves_stop.h"
#include <stdlib.h>

void ves_pools_free(ves_pools *all) {
  ves_thresholds_free(&all->tries);
  free(all->each);
  free(all->synapse);
  free(all->number);
  free(all->place);
}

static ves_status reserve(ves_pools *all, const ves_presentation *shown, size_t room) {
  size_t words = 0;
  for (size_t p = 0; p < all->count; p++) {
    if (shown[p].count == 0 || shown[p].count > room) return VES_ESIZE;
    all->places += shown[p].count;
    words += (shown[p].count + 63) / 64;
  }
  all->each = calloc(all->count + 1, sizeof *all->each);
  all->synapse = calloc(all->places + 1, sizeof *all->synapse);
  all->number = calloc(2 * all->places + 1, sizeof *all->number);
  all->place = calloc(all->places + 1, sizeof *all->place);
  if (all->each == NULL || all->synapse == NULL || all->number == NULL || all->place == NULL ||
      !ves_thresholds_alloc(&all->tries, 64 * words))
    return VES_ENOMEM;
  return VES_OK;
}

/* The synapses of each presentation, by rank. */
static ves_status sort(ves_pools *all, const ves_presentation *shown, size_t total, size_t *order) {
  size_t done = 0, start = 0;
  for (size_t p = 0; p < all->count; p++) {
    ves_pool *one = &all->each[p];
    *one = (ves_pool){.count = shown[p].count,
                      .first = done,
                      .synapse = all->synapse + done,
                      .weight = all->number + done,
                      .state = all->number + all->places + done};
    one->tries = (ves_thresholds){.n = one->count,
                                  .words = (one->count + 63) / 64,
                                  .coarse = all->tries.coarse + start,
                                  .fine = all->tries.fine + start};
    start += 64 * one->tries.words;
    ves_order_descending(shown[p].weight, one->count, order);
    for (size_t r = 0; r < one->count; r++) {
      if (r % VES_BLOCK == 0 && ves_stopping()) return VES_ESTOPPED;
      one->synapse[r] = shown[p].synapse[order[r]];
      one->weight[r] = shown[p].weight[order[r]];
      if (one->synapse[r] >= total) return VES_ESIZE;
    }
    done += one->count;
  }
  return VES_OK;
}

/* Closes the ring of each synapse's places. */
static ves_status link_places(ves_pools *all, size_t total) {
  size_t *last = malloc((total + 1) * sizeof *last);
  if (last == NULL) return VES_ENOMEM;
  for (size_t s = 0; s < total; s++) last[s] = SIZE_MAX;
  for (size_t p = 0; p < all->count && !ves_stopping(); p++)
    for (size_t r = 0; r < all->each[p].count; r++) {
      if (r % VES_BLOCK == VES_BLOCK - 1 && ves_stopping()) break;
      const size_t here = all->each[p].first + r, s = all->each[p].synapse[r];
      all->place[here] = (ves_place){p, r, here};
      if (last[s] != SIZE_MAX) {
        all->place[here].next = all->place[last[s]].next;
        all->place[last[s]].next = here;
      }
      last[s] = here;
    }
  free(last);
  return ves_stopping() ? VES_ESTOPPED : VES_OK;
}

ves_status ves_pools_fill(ves_pools *all, const ves_presentation *shown, size_t presentations,
                          const double *q, size_t total, ves_pool_set *set,
                          ves_learn_workspace *ws) {
  *all = (ves_pools){.count = presentations};
  ves_status status = reserve(all, shown, ws->room);
  if (status == VES_OK) status = sort(all, shown, total, ws->order);
  if (status == VES_OK) status = link_places(all, total);
  for (size_t p = 0; p < presentations && status == VES_OK; p++)
    for (size_t r = 0; r < all->each[p].count && status == VES_OK; r++) {
      if (r % VES_BLOCK == VES_BLOCK - 1 && ves_stopping()) status = VES_ESTOPPED;
      set(&all->each[p], r, q[all->each[p].synapse[r]]);
    }
  return status;
}

ves_learn_workspace ves_pool_workspace(const ves_learn_workspace *ws, const ves_pool *one) {
  ves_learn_workspace here = *ws;
  here.weight = one->weight;
  here.state = one->state;
  here.tries = one->tries;
  return here;
}

void ves_pools_tell(ves_pools *all, size_t place, double q, ves_pool_set *set) {
  for (size_t k = all->place[place].next; k != place; k = all->place[k].next)
    if (all->place[k].pool != all->place[place].pool)
      set(&all->each[all->place[k].pool], all->place[k].rank, q);
}
