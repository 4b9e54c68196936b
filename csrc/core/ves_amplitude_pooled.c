/* ves_amplitude_pooled: one release matrix learned for several combinations of active inputs, by the
 * amplitude rule.
 *
 * As in ves_learn_pooled.c the synapses of a combination compete with their effective weights v =
 * x_i w_ij, and combinations take turns. A synapse has one release, and in each combination the
 * amplitude v / q that goes with it: what it learns in one is a ratio, 1/q moving toward target /
 * v, and so is told to the others. Where it belongs to several, 1/q rests at the mean of what they
 * ask for. */
#include "ves_amplitude_private.h"
#include "ves_order.h"
#include "ves_stop.h"
#include <stdlib.h>

/* A synapse's place in a presentation. The places of one synapse form a ring. */
typedef struct {
  size_t pool, rank, next;
} place;

/* The synapses of one presentation, strongest first. */
typedef struct {
  size_t count, first; /* its places are first, first + 1, ... */
  size_t *synapse;
  double *weight, *amplitude;
  ves_thresholds tries; /* a part of all presentations' */
} pool;

typedef struct {
  size_t count;
  pool *each;
  size_t *synapse;
  double *number; /* weights, then amplitudes */
  place *place;
  ves_thresholds tries;
} pools;

static void pools_free(pools *all) {
  ves_thresholds_free(&all->tries);
  free(all->each);
  free(all->synapse);
  free(all->number);
  free(all->place);
}

/* Room for the presentations, and in it their synapses by rank. */
static ves_status pools_fill(pools *all, const ves_presentation *shown, size_t total,
                             ves_amplitude_workspace *ws) {
  size_t places = 0, words = 0;
  for (size_t p = 0; p < all->count; p++) {
    if (shown[p].count == 0 || shown[p].count > ws->room) return VES_ESIZE;
    places += shown[p].count;
    words += (shown[p].count + 63) / 64;
  }
  all->each = calloc(all->count + 1, sizeof *all->each);
  all->synapse = calloc(places + 1, sizeof *all->synapse);
  all->number = calloc(2 * places + 1, sizeof *all->number);
  all->place = calloc(places + 1, sizeof *all->place);
  if (all->each == NULL || all->synapse == NULL || all->number == NULL || all->place == NULL ||
      !ves_thresholds_alloc(&all->tries, 64 * words))
    return VES_ENOMEM;
  size_t done = 0, start = 0;
  for (size_t p = 0; p < all->count; p++) {
    pool *one = &all->each[p];
    *one = (pool){.count = shown[p].count,
                  .first = done,
                  .synapse = all->synapse + done,
                  .weight = all->number + done,
                  .amplitude = all->number + places + done};
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

/* Closes the ring of each synapse's places. */
static ves_status pools_link(pools *all, size_t total) {
  size_t *last = malloc(total * sizeof *last);
  if (last == NULL) return VES_ENOMEM;
  for (size_t s = 0; s < total; s++) last[s] = SIZE_MAX;
  for (size_t p = 0; p < all->count; p++)
    for (size_t r = 0; r < all->each[p].count; r++) {
      const size_t here = all->each[p].first + r, s = all->each[p].synapse[r];
      all->place[here] = (place){p, r, here};
      if (last[s] != SIZE_MAX) {
        all->place[here].next = all->place[last[s]].next;
        all->place[last[s]].next = here;
      }
      last[s] = here;
    }
  free(last);
  return VES_OK;
}

static void pool_set(pool *one, size_t r, double q) {
  const double w = one->weight[r];
  one->amplitude[r] = ves_amplitude_of(w, q);
  ves_thresholds_set(&one->tries, r, ves_amplitude_release(w, one->amplitude[r]));
}

/* One turn of one presentation: its synapses learn, and tell what they learned. */
static void present(pools *all, size_t p, const ves_amplitude_options *opt, uint64_t t,
                    uint64_t key, uint64_t draw, ves_amplitude_workspace *ws, double *q,
                    double *updates) {
  const pool *one = &all->each[p];
  ves_amplitude_workspace here = *ws;
  here.weight = one->weight;
  here.amplitude = one->amplitude;
  here.tries = one->tries;
  here.updates = updates + one->first;
  size_t from = 0, to = 0;
  ves_amplitude_iterate(&here, one->synapse, one->count, opt, t, key, draw, 0, &from, &to);
  for (size_t c = from; c < to; c++) {
    const size_t r = ws->member[c], start = one->first + r;
    q[one->synapse[r]] = ves_amplitude_release(one->weight[r], one->amplitude[r]);
    for (size_t k = all->place[start].next; k != start; k = all->place[k].next) {
      pool_set(&all->each[all->place[k].pool], all->place[k].rank, q[one->synapse[r]]);
      updates[k] = updates[start];
    }
  }
}

ves_status ves_amplitude_pooled(const ves_presentation *shown, size_t presentations,
                                const ves_amplitude_options *opt, uint64_t key, uint64_t first,
                                ves_amplitude_workspace *ws, double *q, size_t total) {
  pools all = {.count = presentations};
  ves_status status = pools_fill(&all, shown, total, ws);
  if (status == VES_OK) status = pools_link(&all, total);
  size_t places = 0;
  for (size_t p = 0; status == VES_OK && p < presentations; p++) places += all.each[p].count;
  double *updates = calloc(places + 1, sizeof *updates); /* by place */
  if (status == VES_OK && updates == NULL) status = VES_ENOMEM;
  for (size_t p = 0; p < presentations && status == VES_OK; p++)
    for (size_t r = 0; r < all.each[p].count; r++) {
      const size_t s = all.each[p].synapse[r];
      pool_set(&all.each[p], r, q[s]);
      if (opt->updates != NULL) updates[all.each[p].first + r] = opt->updates[s];
    }
  uint64_t draw = first;
  for (uint64_t t = 0; t < opt->iterations && status == VES_OK; t++)
    for (size_t p = 0; p < presentations && status == VES_OK; p++) {
      if (ves_stopping()) status = VES_ESTOPPED;
      present(&all, p, opt, t, key, draw++, ws, q, updates);
    }
  for (size_t c = 0; status == VES_OK && opt->updates != NULL && c < places; c++)
    opt->updates[all.synapse[c]] = updates[c];
  free(updates);
  pools_free(&all);
  return status;
}
